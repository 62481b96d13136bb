#!/usr/bin/env bash
# Times a run in one piece and in 4 parts, one after the other: what a part costs beside its readings (limit: 2 s).
set -euo pipefail
program=${SPINEBENCH:-.build/release/spinebench} parts=4 folder=$(mktemp -d)
run() {
    "$program" run --variants fast,threads=1 --dataset Datasets/spines-1 --limit "${LIMIT:-120}" --repetitions 1 --warmup 1 --devices none \
        "$@" >/dev/null 2>&1 || [[ $? -eq 1 || $? -eq 3 ]]
}
LIMIT=2 run --out "$folder/warm"
start=$(date +%s%N)
run --out "$folder/one"
whole=$(date +%s%N)
for part in $(seq "$parts"); do run --part "$part/$parts" --out "$folder/part-$part"; done
end=$(date +%s%N)
cost=$(((end - whole - (whole - start)) / (parts - 1) / 1000000))
echo "one piece $(((whole - start) / 1000000)) ms, $parts parts $(((end - whole) / 1000000)) ms: $cost ms for each part more"
((cost <= 2000))
