#!/usr/bin/env bash
# Submits a run in parts as an array job of Slurm, and the merge of all of them as a job that waits for it.
#
#   Deploy/slurm/submit.sh --array 1-64 --out DIR -- --dataset D --variants fast
#   Deploy/slurm/submit.sh --array 1,3,5,9 --only 5 --out DIR -- --dataset D --variants fast    # one task again
#
#   --array SPEC    all tasks, as in 'sbatch --array': 1-64, 0-63:2, 1,3,5,9, 1-1000%50; one part each
#   --out DIR       a folder shared by all nodes: DIR/parts, DIR/logs, DIR/merged
#   --only SPEC     submit only these tasks; the whole array is still that of --array
#   --program FILE  spinebench, at a path shared by all nodes (default: the one built here, or on the PATH)
#   --sbatch OPTION an option for both jobs, such as --partition=short(repeatable); SBATCH_PARTITION and similar variables also apply
#   after --        options of 'spinebench run' that specify the data
#
# The same command again continues: finished parts are skipped. SPINEBENCH_RESTARTS is the maximum number of restarts of a task (5).
set -euo pipefail

fail() {
    printf 'submit.sh: error: %s\n' "$*" >&2
    exit 2
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
array='' out='' only='' program='' options=()
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
    --help | -h)
        sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    --array | --out | --only | --program | --sbatch)
        [[ $# -ge 2 && -n $2 ]] || fail "$1 needs a value; see submit.sh --help"
        case $1 in
        --array) array=$2 ;;
        --out) out=$2 ;;
        --only) only=$2 ;;
        --program) program=$2 ;;
        --sbatch) options+=("$2") ;;
        esac
        shift 2
        ;;
    *) fail "unknown option '$1': expected --array, --out, --only, --program or --sbatch; options of 'spinebench run' follow --" ;;
    esac
done
[[ $# -gt 0 ]] && shift
[[ -n $array && -n $out ]] || fail "--array and --out are required; see submit.sh --help"
[[ $# -gt 0 ]] ||
    fail "no data specified; give options of 'spinebench run' after --, such as -- --dataset D --variants fast"
for argument in "$@"; do
    case $argument in
    --part | --part=* | --out | --out=* | --resume | --resume=*)
        fail "'$argument' is set by this script; remove it"
        ;;
    esac
done

indexes='[0-9]+(-[0-9]+(:[0-9]+)?)?'
for spec in "$array" ${only:+"$only"}; do
    [[ $spec =~ ^$indexes(,$indexes)*(%[0-9]+)?$ ]] ||
        fail "invalid array '$spec': expected a form such as 1-64, 0-63:2, 1,3,5,9 or 1-1000%50"
done
# How many run at once is no matter of which parts there are.
list=${array%\%*}

if [[ -z $program ]]; then
    program=$here/../../.build/release/spinebench
    [[ -x $program ]] || program=$(command -v spinebench) ||
        fail "spinebench not found here or on the PATH; run 'make build', or specify it with --program"
fi
[[ -f $program && -x $program ]] || fail "$program is not a program; run 'make build', or specify another one with --program"
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
command -v sbatch >/dev/null || fail "sbatch not found; run this on a machine that submits to Slurm. Docs/MANY-MACHINES.md starts parts without Slurm"

mkdir -p "$out/logs" || fail "$out cannot be made"
out=$(cd "$out" && pwd)
# sbatch fills in what follows a %, and in a name with a backslash nothing.
[[ $out != *\\* ]] || fail "$out contains a backslash, which Slurm does not allow in log names; specify another folder"
logs=${out//%/%%}/logs

job=$(sbatch --parsable --array="${only:-$array}" --output="$logs/%A_%a.log" ${options[@]+"${options[@]}"} \
    "$here/array.sbatch" "$list" "$out" "$program" "$@") || fail "Slurm rejected the array; see its reason above"
# On several clusters it is followed by the cluster's name.
job=${job%%;*}
merge=$(sbatch --parsable --dependency="afterok:$job" --kill-on-invalid-dep=yes --output="$logs/%j_merge.log" \
    ${options[@]+"${options[@]}"} "$here/merge.sbatch" "$here/../merge.sh" "$out" "$program") ||
    fail "Slurm accepted the array as job $job, but not the merge; when the array has ended, run: Deploy/merge.sh $out"
merge=${merge%%;*}
printf 'array %s: parts %s of %s\nmerge %s: when all of them are finished, into %s\nlogs:  %s\n' \
    "$job" "${only:-$array}" "$list" "$merge" "$out/merged" "$out/logs"
