#!/bin/sh
# Keeps one comment of a pull request up to date: comment.sh FILE…, of which those that exist make the comment. It is
# found again by a hidden marker with NAME (spinebench), and written anew where somebody has deleted it. Variables:
#
#   GitHub    GITHUB_TOKEN, GITHUB_API_URL, GITHUB_REPOSITORY, PULL_REQUEST (its number)
#   GitLab    SPINEBENCH_TOKEN, CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID
#
# Needs curl and jq. A comment that cannot be written is a line of output, and does not fail.
marker="<!-- ${NAME:-spinebench} -->"
if [ -n "$CI_MERGE_REQUEST_IID" ]; then
    list="$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"
    one=$list token=$SPINEBENCH_TOKEN header="PRIVATE-TOKEN: $SPINEBENCH_TOKEN" change=PUT
elif [ -n "$PULL_REQUEST" ]; then
    one="$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/comments"
    list="$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
    token=$GITHUB_TOKEN header="Authorization: Bearer $GITHUB_TOKEN" change=PATCH
else
    echo "No comment: this is not a pull request."
    exit 0
fi
if [ -z "$token" ]; then
    echo "No comment: no token is set."
    exit 0
fi
folder=$(mktemp -d) || exit 4
trap 'rm -rf "$folder"' EXIT

# request METHOD ADDRESS [OPTION…]: sets $code to the status of HTTP, 000 without an answer; the answer is in $folder/answer.
request() {
    method=$1 address=$2
    shift 2
    code=$(curl --silent --max-time 60 --output "$folder/answer" --write-out '%{http_code}' --request "$method" \
        --header "$header" --header "Content-Type: application/json" "$@" "$address") || code=000
}

refused() {
    case $code in
        401 | 403) echo "No comment: the token may not comment (HTTP $code), as in pull requests of forks." ;;
        *) echo "No comment: HTTP $code from ${1%%\?*}" ;;
    esac
    exit 0
}

for file in "$@"; do [ ! -e "$file" ] || { cat "$file"; echo; }; done > "$folder/text"
if [ ! -s "$folder/text" ]; then
    echo "No comment: none of $* exists."
    exit 0
fi
# GitHub takes 65,536 characters.
jq --raw-input --slurp --arg marker "$marker" \
    '{body: ($marker + "\n" + if length > 60000 then .[:60000] + "\n\n… truncated; the reports are complete." else . end)}' \
    < "$folder/text" > "$folder/body"

old='' page=1
while [ -z "$old" ]; do
    request GET "$list?per_page=100&page=$page" --retry 2
    [ "$code" = 200 ] || refused "$list"
    old=$(jq --raw-output --arg marker "$marker" 'map(select(.body | startswith($marker)))[0].id // empty' "$folder/answer")
    [ "$(jq length "$folder/answer")" -ge 100 ] || break
    page=$((page + 1))
done
if [ -n "$old" ]; then
    request $change "$one/$old" --data-binary "@$folder/body"
    [ "$code" = 200 ] && { echo "Comment $old is up to date."; exit 0; }
    # Deleted since it was listed.
    [ "$code" = 404 ] || refused "$one/$old"
fi
request POST "$list" --data-binary "@$folder/body"
[ "$code" = 201 ] || refused "$list"
echo "Comment $(jq --raw-output .id "$folder/answer") is new."
