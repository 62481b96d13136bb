#!/usr/bin/env bash
# Submits a run in shards as an array job of Slurm, and the merge of all of them as a job that waits for it.
#
#   Deploy/slurm/submit.sh --array 1-64 --out DIR -- --dataset D --variants fast
#   Deploy/slurm/submit.sh --array 1,3,5,9 --only 5 --out DIR -- --dataset D --variants fast    # one task again
#
#   --array SPEC    all tasks, as 'sbatch --array' has them: 1-64, 0-63:2, 1,3,5,9, 1-1000%50; one shard each
#   --out DIR       a folder that all nodes see: DIR/shards, DIR/logs, DIR/merged
#   --only SPEC     submit these tasks of the array alone; what all of it is stays what --array says
#   --program FILE  spinebench, at a path that all nodes see (default: the one built here, or on the PATH)
#   --sbatch OPTION an option for both jobs, such as --partition=short; may be repeated. SBATCH_PARTITION and its like count too
#   after --        what to read, in options of 'spinebench run'
#
# The same command again goes on: finished shards are left alone. SPINEBENCH_RESTARTS is how often a task may be restarted (5).
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
    *) fail "'$1' is none of --array, --out, --only, --program, --sbatch; options of 'spinebench run' go after --" ;;
    esac
done
[[ $# -gt 0 ]] && shift
[[ -n $array && -n $out ]] || fail "--array and --out are needed; see submit.sh --help"
[[ $# -gt 0 ]] ||
    fail "nothing says what to read; give options of 'spinebench run' after --, such as -- --dataset D --variants fast"
for argument in "$@"; do
    case $argument in
    --shard | --shard=* | --out | --out=* | --resume | --resume=*)
        fail "'$argument' is for this script to give; leave it out"
        ;;
    esac
done

indexes='[0-9]+(-[0-9]+(:[0-9]+)?)?'
for spec in "$array" ${only:+"$only"}; do
    [[ $spec =~ ^$indexes(,$indexes)*(%[0-9]+)?$ ]] ||
        fail "'$spec' is no array; expected such as 1-64, 0-63:2, 1,3,5,9 or 1-1000%50"
done
# How many run at once is no matter of which shards there are.
list=${array%\%*}

if [[ -z $program ]]; then
    program=$here/../../.build/release/spinebench
    [[ -x $program ]] || program=$(command -v spinebench) ||
        fail "spinebench is neither built here nor on the PATH; 'make build', or name it with --program"
fi
[[ -f $program && -x $program ]] || fail "$program is no program; 'make build', or name another with --program"
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
command -v sbatch >/dev/null || fail "sbatch is not here; this runs on a machine that submits to Slurm. Without Slurm: Deploy/parallel.sh"

mkdir -p "$out/logs" || fail "$out cannot be made"
out=$(cd "$out" && pwd)
# sbatch fills in what follows a %, and in a name with a backslash nothing.
[[ $out != *\\* ]] || fail "$out has a backslash, with which Slurm cannot name logs; name another folder"
logs=${out//%/%%}/logs

job=$(sbatch --parsable --array="${only:-$array}" --output="$logs/%A_%a.log" ${options[@]+"${options[@]}"} \
    "$here/array.sbatch" "$list" "$out" "$program" "$@") || fail "Slurm did not take the array; its reason stands above"
# On several clusters it is followed by the cluster's name.
job=${job%%;*}
merge=$(sbatch --parsable --dependency="afterok:$job" --kill-on-invalid-dep=yes --output="$logs/%j_merge.log" \
    ${options[@]+"${options[@]}"} "$here/merge.sbatch" "$here/../merge.sh" "$out" "$program") ||
    fail "Slurm took the array as job $job, and not the merge; when the array has ended: Deploy/merge.sh $out"
merge=${merge%%;*}
printf 'array %s: shards %s of %s\nmerge %s: when all of them are finished, into %s\nlogs:  %s\n' \
    "$job" "${only:-$array}" "$list" "$merge" "$out/merged" "$out/logs"
