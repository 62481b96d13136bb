#!/usr/bin/env bash
# Runs in parts on Kubernetes: an indexed job, and when all its indexes are finished the job that merges them.
#
#   Deploy/kubernetes/run.sh --parts 64 --image REGISTRY/spinebench:0.1.0 -- --dataset /data/spines --variants fast
#
#   --parts N      number of parts
#   --image NAME    built from Deploy/Containerfile
#   --at-once N     number of parallel pods (default: all)
#   --out DIR       the run's folder, as seen by pods (default: /data/run)
#   --claim NAME    the volume with data and results, ReadWriteMany, mounted at /data (default: spinebench)
#   --name NAME     name of the jobs: NAME-parts and NAME-merge (default: spinebench)
#   --namespace NS  (default: kubectl's own)
#   --wait MINUTES  maximum wait for the parts (default: 1440); the jobs remain, and the same command waits again
#   --print         print both jobs and submit nothing
#   after --        options of 'spinebench run' that specify the data, with paths as seen by pods
#
# An existing job of the same name is awaited, never replaced. To continue after failed parts: delete the jobs
# ('kubectl delete job NAME-parts NAME-merge') and run the same command again.
# Exit codes: 0 merged, 1 a job has failed, 2 invalid usage, 4 not finished in time, or the cluster does not answer.
set -euo pipefail

fail() {
    printf 'run.sh: error: %s\n' "$*" >&2
    exit 2
}
say() { printf 'run.sh: %s\n' "$*" >&2; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
parts='' image='' at_once='' out=/data/run claim=spinebench name=spinebench namespace='' wait=1440 print=''
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
    --help | -h)
        sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    --print)
        print=yes
        shift
        ;;
    --parts | --image | --at-once | --out | --claim | --name | --namespace | --wait)
        [[ $# -ge 2 && -n $2 ]] || fail "$1 needs a value; see run.sh --help"
        option=${1#--}
        printf -v "${option//-/_}" %s "$2"
        shift 2
        ;;
    *) fail "unknown option '$1'; see run.sh --help. Options of 'spinebench run' follow --" ;;
    esac
done
[[ $# -gt 0 ]] && shift
[[ -n $parts && -n $image ]] || fail "--parts and --image are required; see run.sh --help"
[[ $# -gt 0 ]] ||
    fail "no data specified; give options of 'spinebench run' after --, such as -- --dataset /data/D --variants fast"
at_once=${at_once:-$parts}
for option in parts at_once wait; do
    [[ ${!option} =~ ^[1-9][0-9]{0,5}$ ]] || fail "--${option/_/-} is '${!option}'; expected a whole number of 1 or more"
done
[[ $out == /data/* ]] || fail "invalid --out '$out': expected a folder on the volume at /data, such as /data/run"
for argument in "$@"; do
    case $argument in
    --part | --part=* | --out | --out=* | --resume | --resume=*)
        fail "'$argument' is set by this script; remove it"
        ;;
    esac
done
command -v kubectl >/dev/null || fail "kubectl not found; install version 1.29 or later"
kubectl=(kubectl)
[[ -z $namespace ]] || kubectl+=(--namespace "$namespace")

# A text in JSON. Kubernetes fills in what stands in $( ) in arguments, unless the $ is doubled.
json() {
    local text=$1
    [[ $text != *[[:cntrl:]]* ]] || fail "an argument contains a line break or another control character: $(printf %q "$text")"
    text=${text//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}
literal() { json "${1//\$/\$\$}"; }

arguments=''
for argument in "$@"; do arguments+=${arguments:+,}$(literal "$argument"); done
volume='"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":'$(json "$claim")'}}]'
patch_parts='{"metadata":{"name":'$(json "$name-parts")'},"spec":{"completions":'$parts',"parallelism":'$at_once',
    "template":{"spec":{"containers":[{"name":"spinebench","image":'$(json "$image")',"args":['$arguments'],
    "env":[{"name":"PARTS","value":"'$parts'"},{"name":"OUT","value":'$(literal "$out")'}]}],'$volume'}}}}'
patch_merge='{"metadata":{"name":'$(json "$name-merge")'},"spec":{"template":{"spec":{"containers":[{"name":"spinebench",
    "image":'$(json "$image")',"args":['$(literal "$out")']}],'$volume'}}}}'

# No cluster is asked for this.
patched() { kubectl patch --local --filename "$here/$1.yaml" --patch "$2" --output yaml; }
manifest_parts=$(patched parts "$patch_parts")
manifest_merge=$(patched merge "$patch_merge")
# An older kubectl drops fields that it does not know, without a word.
[[ $manifest_parts == *backoffLimitPerIndex:* ]] ||
    fail "this kubectl does not support backoffLimitPerIndex; use version 1.29 or later"
if [[ -n $print ]]; then
    printf '%s\n---\n%s\n' "$manifest_parts" "$manifest_merge"
    exit 0
fi

# submit NAME MANIFEST: unless it is there.
submit() {
    local found
    found=$("${kubectl[@]}" get job "$1" --ignore-not-found --output name) || {
        say "error: the cluster does not answer; see its reason above"
        exit 4
    }
    if [[ -n $found ]]; then
        say "job $1 is there already; waiting for it"
    else
        "${kubectl[@]}" create --filename - <<<"$2" || exit 4
    fi
}

# finished NAME SECONDS: waits for the job's end, either end; 'kubectl wait' for the good one alone would not notice a failure.
finished() {
    local deadline=$((SECONDS + $2)) told
    while ((SECONDS < deadline)); do
        if "${kubectl[@]}" wait "job/$1" --for=condition=Complete --timeout=15s >/dev/null 2>&1; then return 0; fi
        told=$("${kubectl[@]}" get job "$1" --output \
            'jsonpath={range .status.conditions[?(@.type=="Failed")]}{.status} {.message}{end} {.status.failedIndexes}' 2>&1) || {
            # A cluster may be away for a moment; it is not to be asked without pause.
            say "job $1: $told"
            sleep 15
            continue
        }
        if [[ $told == True* ]]; then
            say "error: job $1 has failed: ${told#True }"
            say "why: ${kubectl[*]} logs --selector batch.kubernetes.io/job-name=$1 --prefix --tail=20"
            exit 1
        fi
    done
    say "error: job $1 is not finished after $(($2 / 60)) minutes; it continues, and the same command waits for it again"
    exit 4
}

submit "$name-parts" "$manifest_parts"
finished "$name-parts" "$((wait * 60))"
say "all $parts parts are finished"
submit "$name-merge" "$manifest_merge"
finished "$name-merge" 3600
say "the merged run is in $out/merged on the volume $claim"
