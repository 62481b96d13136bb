#!/usr/bin/env bash
# Compares a variant with itself for real, with a planted fault if one is named, and counts the verdicts. Use an idle machine.
#   research/false-alarms.sh 25                # at most 2 % may be a regression
#   research/false-alarms.sh 10 slowdown=10    # at least 95 % have to be: slowdown=250, drop=6 (texts of 6 % of the samples)
# Variables: SPINEBENCH, DATASET, VARIANT.
set -euo pipefail
count=${1:?number of comparisons} plant=${2:-}
folder=$(mktemp -d) failed=0 open=0
for number in $(seq "$count"); do
    status=0
    "${SPINEBENCH:-.build/release/spinebench}" compare "${VARIANT:-fast}" "${VARIANT:-fast}" --dataset "${DATASET:-Datasets/spines-1}" \
        --seed "$number" --out "$folder/$number" ${plant:+--plant "$plant"} >"$folder/$number.txt" 2>&1 || status=$?
    case $status in
    0) ;;
    1) failed=$((failed + 1)) ;;
    3) open=$((open + 1)) ;;
    *) echo "comparison $number ended with $status: $folder/$number.txt" && exit 2 ;;
    esac
done
echo "$failed of $count called a regression, $open not decided: $folder"
if [[ -n $plant ]]; then ((failed * 100 >= count * 95)); else ((failed * 100 <= count * 2)); fi
