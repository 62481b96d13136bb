#!/usr/bin/env bash
# From the wheels of dist to the verdict about 60 spines, in an empty environment of Python, without this repository in sight.
# WHEELS: a folder with the wheels of OpenVINO and what it needs; without it, pip fetches them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
begin=$(date +%s)
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet install ${WHEELS:+--no-index --find-links "$WHEELS"} dist/*.whl
cd "$folder"
programs() { env -i HOME="$folder" PATH="$folder/venv/bin:/usr/bin:/bin" "$@"; }
programs spinebench engines
status=0
programs spinebench run --dataset spines-1 --variants fast --limit 60 --repetitions 1 --out run >printed || status=$?
cat printed
case $status in 0 | 1 | 3) ;; *) exit "$status" ;; esac
grep --quiet -E '^(PASS|FAIL|INCONCLUSIVE)' printed
printf 'From pip install to the verdict: %s s\n' $(($(date +%s) - begin))
