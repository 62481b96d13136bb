#!/usr/bin/env python3
"""Times and texts of `fast` beside busy processes; 'make table' has its times beside other readers.

    python3 research/beside.py [--dataset DIR] [--spines 120] [--busy 2]

Exit code 1 when busy processes change a text or more than double the median, or when P95 of `fast` is above 2.5 times its P50.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import tempfile

PROGRAM = os.environ.get("SPINEBENCH", ".build/release/spinebench")


def readings(folder, given):
    command = [PROGRAM, "run", "--variants", "fast", "--dataset", given.dataset, "--limit", given.spines, "--warmup", given.spines, "--repetitions", 1,
               "--devices", "none", "--out", folder]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{command} ended with {done.returncode}")
    records = [json.loads(line) for line in open(folder / "samples.jsonl", encoding="utf-8")]
    return [record for record in records if record["outcome"] == "read"]


def percentile(percent, records):
    values = sorted(record["milliseconds"] for record in records)
    return values[math.ceil(percent / 100 * len(values)) - 1]


def text(record):
    return [line["text"] for line in record["prediction"]["lines"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="Datasets/spines-1")
    parser.add_argument("--spines", type=int, default=120)
    parser.add_argument("--busy", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        quiet = readings(pathlib.Path(folder) / "quiet", given)
        others = [subprocess.Popen(["sh", "-c", "while kill -0 $PPID; do :; done"]) for _ in range(given.busy)]
        try:
            busy = readings(pathlib.Path(folder) / "busy", given)
        finally:
            for other in others:
                other.kill()
    texts = {record["id"]: text(record) for record in quiet}
    changed = [record["id"] for record in busy if texts.get(record["id"]) != text(record)]
    alone, tail, beside = percentile(50, quiet), percentile(95, quiet), percentile(50, busy)
    print(f"beside {given.busy} busy processes {beside / alone:.2f} times as long, other texts {changed}; P95 {tail / alone:.2f} times P50")
    if changed or len(busy) != len(quiet) or beside > 2 * alone or tail > 2.5 * alone:
        raise SystemExit(1)


main()
