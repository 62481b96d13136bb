#!/usr/bin/env bash
# Merges the parts in OUT/parts into the run OUT/merged. An earlier OUT/merged is replaced when the new one is complete.
#
#   Deploy/merge.sh OUT [OPTIONS OF spinebench merge]
#
# SPINEBENCH is the program's path, if it is neither built here nor on the PATH. Exit codes are those of 'spinebench merge'.
set -euo pipefail

fail() {
    printf 'merge.sh: error: %s\n' "$*" >&2
    exit 2
}

[[ $# -ge 1 && $1 != -* ]] || fail "no folder specified; usage: merge.sh OUT [OPTIONS OF spinebench merge]"
out=$1
shift

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
built=$here/../.build/release/spinebench
if [[ -z ${SPINEBENCH:-} && -x $built ]]; then SPINEBENCH=$built; fi
program=${SPINEBENCH:-spinebench}

shopt -s nullglob
parts=("$out"/parts/*)
[[ ${#parts[@]} -gt 0 ]] || fail "$out/parts contains no parts; specify the run's folder"

# Of its own name, so that two merges at once write into two folders; whichever ends last stays.
new=$out/merged.new-$(uname -n)-$$
status=0
text=$("$program" merge "${parts[@]}" "$@" --out "$new") || status=$?
printf '%s\n' "${text//"$new"/"$out/merged"}"
if [[ $status -ne 0 ]]; then
    rm -rf "$new" "$new.part"
    exit "$status"
fi
rm -rf "$out/merged"
mv -T "$new" "$out/merged"
