#!/usr/bin/env bash
# Reads a run in shards on this machine, several at once, with GNU parallel or else xargs, and merges them.
#
#   Deploy/parallel.sh --shards 8 --out DIR -- --dataset D --variants fast,threads=1
#
#   --shards N      number of shards
#   --out DIR       DIR/shards, DIR/logs, DIR/merged
#   --jobs N        number of parallel shards (default: one for each processor)
#   --tries N       maximum number of attempts per shard (default: 3)
#   --program FILE  spinebench (default: the one built here, or on the PATH)
#   --with NAME     parallel or xargs (default: parallel where it is GNU's)
#   after --        options of 'spinebench run' that specify the data
#
# A shard is retried after exit code 4 and after a signal, never after 2. The same command again continues: finished shards are
# skipped.
# Exit codes: 0 merged, 2 something cannot succeed, 4 a shard failed each time or the disk is full, 130 and 143 stopped.
set -uo pipefail

say() { printf 'parallel.sh: %s\n' "$*" >&2; }
fail() {
    say "error: $*"
    exit 2
}

# One shard: this script again, started by parallel or xargs. What it is told comes by variables: GNU parallel would have a shell
# look at the arguments, and would fill in braces in them.
read_shard() {
    local place=$1 log=$SPINEBENCH_PARALLEL_OUT/logs/$1.log failed=$SPINEBENCH_PARALLEL_OUT/logs/$1.failed try tries status stopped=0
    trap 'stopped=1; [[ -z ${child:-} ]] || kill -TERM "$child" 2>/dev/null' INT TERM HUP
    # 'printf %q' has quoted them.
    eval "set -- $SPINEBENCH_PARALLEL_OPTIONS"
    rm -f "$failed"
    for ((try = 1; ; try++)); do
        "$SPINEBENCH_PARALLEL_PROGRAM" run "$@" --shard "$place/$SPINEBENCH_PARALLEL_COUNT" \
            --out "$SPINEBENCH_PARALLEL_OUT/shards/$place" >>"$log" 2>&1 </dev/null &
        child=$!
        wait "$child"
        status=$?
        if ((stopped)); then
            # It was told to end, and what it has read is kept.
            wait "$child"
            status=143
            break
        fi
        ((status == 4 || status >= 128)) || break
        ((try < SPINEBENCH_PARALLEL_TRIES)) || break
        say "shard $place: exit code $status, try $try of $SPINEBENCH_PARALLEL_TRIES; retrying"
        # What is missing or full may need a moment.
        sleep "$((2 * try))" &
        child=$!
        wait "$child"
        ((!stopped)) || break
    done
    if ((status == 0)); then
        say "shard $place of $SPINEBENCH_PARALLEL_COUNT is finished"
        exit 0
    fi
    printf '%s\n' "$status" >"$failed"
    tries=tries
    ((try > 1)) || tries=try
    say "shard $place: exit code $status after $try $tries: $(grep -v '^$' "$log" | tail -n 1)"
    exit 1
}
if [[ ${1:-} == --one && -n ${SPINEBENCH_PARALLEL_OUT:-} ]]; then read_shard "$2"; fi

shards='' out='' jobs='' tries=3 program='' with=''
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
    --help | -h)
        sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    --shards | --out | --jobs | --tries | --program | --with)
        [[ $# -ge 2 && -n $2 ]] || fail "$1 needs a value; see parallel.sh --help"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    *) fail "unknown option '$1': expected --shards, --out, --jobs, --tries, --program or --with; options of 'spinebench run' follow --" ;;
    esac
done
[[ $# -gt 0 ]] && shift
[[ -n $shards && -n $out ]] || fail "--shards and --out are required; see parallel.sh --help"
[[ $# -gt 0 ]] ||
    fail "no data specified; give options of 'spinebench run' after --, such as -- --dataset D --variants fast"
jobs=${jobs:-$(getconf _NPROCESSORS_ONLN)}
for name in shards jobs tries; do
    [[ ${!name} =~ ^[1-9][0-9]{0,5}$ ]] || fail "--$name is '${!name}'; expected a whole number of 1 or more"
done
for argument in "$@"; do
    case $argument in
    --shard | --shard=* | --out | --out=* | --resume | --resume=*)
        fail "'$argument' is set by this script; remove it"
        ;;
    esac
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ -z $program ]]; then
    program=$here/../.build/release/spinebench
    [[ -x $program ]] || program=$(command -v spinebench) ||
        fail "spinebench not found here or on the PATH; run 'make build', or specify it with --program"
fi
[[ -f $program && -x $program ]] || fail "$program is not a program; run 'make build', or specify another one with --program"

# Of 'moreutils' there is a program of the same name that takes other options.
gnu() { [[ $(parallel --version 2>/dev/null </dev/null | head -n 1) == GNU\ parallel* ]]; }
case $with in
'') if gnu; then with="parallel"; else with="xargs"; fi ;;
parallel) gnu || fail "GNU parallel not found; install it, or remove --with" ;;
xargs) ;;
*) fail "--with is '$with'; expected parallel or xargs" ;;
esac

mkdir -p "$out/logs" "$out/shards" || fail "$out cannot be made"
out=$(cd "$out" && pwd)
export SPINEBENCH_PARALLEL_SELF=$here/parallel.sh SPINEBENCH_PARALLEL_OUT=$out SPINEBENCH_PARALLEL_PROGRAM=$program
export SPINEBENCH_PARALLEL_COUNT=$shards SPINEBENCH_PARALLEL_TRIES=$tries
SPINEBENCH_PARALLEL_OPTIONS=$(printf '%q ' "$@")
export SPINEBENCH_PARALLEL_OPTIONS
rm -f "$out"/logs/*.failed

# The words of the command are fixed, so that there is nothing in them for a shell to misread.
# shellcheck disable=SC2016  # the shell that is started fills them in
task='exec bash "$SPINEBENCH_PARALLEL_SELF" --one "$0"'
case $with in
parallel)
    command=(parallel --plain --will-cite --quote --line-buffer --halt never --termseq "TERM,20000,KILL,50")
    command+=(--jobs "$jobs" bash -c "$task")
    ;;
xargs) command=(xargs -n 1 -P "$jobs" bash -c "$task") ;;
esac
say "$shards shards, $jobs at once with $with; logs in $out/logs"

# All of it in a group of processes of its own, which a signal to this script can reach as a whole.
set -m
seq 1 "$shards" | "${command[@]}" &
runner=$!
set +m
stopped=0
# shellcheck disable=SC2317,SC2329  # the trap calls it
stop() {
    stopped=$1
    # Once GNU parallel waits for what runs, twice it ends it; jobs of its are in groups of their own.
    kill -TERM -- "-$group" 2>/dev/null
    kill -TERM -- "-$group" 2>/dev/null
}
group=$(ps -o pgid= -p "$runner" | tr -d ' ')
trap 'stop 130' INT
trap 'stop 143' TERM HUP
wait "$runner"
while kill -0 -- "-$group" 2>/dev/null; do wait "$runner"; sleep 0.1; done
if ((stopped)); then
    say "stopped; readings are saved, and the same command continues"
    exit "$stopped"
fi

worst=0
for file in "$out"/logs/*.failed; do
    [[ -e $file ]] || continue
    status=$(<"$file")
    if ((status == 4 || status >= 128)); then ((worst == 2)) || worst=4; else worst=2; fi
done
if ((worst)); then
    say "error: not every shard is finished; the reasons stand above and in $out/logs"
    exit "$worst"
fi
SPINEBENCH=$program exec bash "$here/merge.sh" "$out"
