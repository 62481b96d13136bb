#!/usr/bin/env python3
"""Times of `fast` and `accurate` by stage, beside RapidOCR (after 'scripts/setup.sh peers'), and of `fast` beside busy processes.

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
STAGES = ["decode", "detectionInference", "recognitionInference", "total"]


def readings(variants, folder, given):
    command = [PROGRAM, "run", "--suite", "peers", "--variants", variants, "--dataset", given.dataset, "--limit", given.spines, "--warmup", given.spines,
               "--devices", "none", "--out", folder]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{command} ended with {done.returncode}")
    found = {}
    for line in open(folder / "samples.jsonl", encoding="utf-8"):
        record = json.loads(line)
        if record["outcome"] == "read":
            found.setdefault(record["measurement"].split("@")[0], []).append(record)
    return found


def percentile(percent, values):
    values = sorted(value for value in values if value is not None)
    return values[math.ceil(percent / 100 * len(values)) - 1] if values else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="Datasets/spines-1")
    parser.add_argument("--spines", type=int, default=120)
    parser.add_argument("--busy", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        peer = ",rapidocr-tuned" if os.path.exists(".peers/bin/python") else ""
        quiet = readings(f"fast,accurate{peer}", pathlib.Path(folder) / "quiet", given)
        others = [subprocess.Popen(["sh", "-c", "while kill -0 $PPID; do :; done"]) for _ in range(given.busy)]
        try:
            busy = readings("fast", pathlib.Path(folder) / "busy", given)["fast"]
        finally:
            for other in others:
                other.kill()
    print("| ms a spine, P50 | n |", " | ".join(STAGES), "| all | P95 |")
    for name, records in quiet.items():
        parts = [{part["name"]: part["milliseconds"] for part in record["prediction"].get("stages", [])} for record in records]
        stages = [percentile(50, [part.get(stage) for part in parts]) for stage in STAGES]
        times = [record["milliseconds"] for record in records]
        print(f"| {name} | {len(records)} |", " | ".join(f"{time:.1f}" for time in stages + [percentile(50, times), percentile(95, times)]), "|")

    def text(record):
        return [line["text"] for line in record["prediction"]["lines"]]

    texts = {record["id"]: text(record) for record in quiet["fast"]}
    changed = [record["id"] for record in busy if texts.get(record["id"]) != text(record)]
    alone, beside = (percentile(50, [record["milliseconds"] for record in records]) for records in (quiet["fast"], busy))
    tail = percentile(95, [record["milliseconds"] for record in quiet["fast"]])
    print(f"beside {given.busy} busy processes {beside / alone:.2f} times as long, other texts {changed}; P95 {tail / alone:.2f} times P50")
    if changed or len(busy) != len(quiet["fast"]) or beside > 2 * alone or tail > 2.5 * alone:
        raise SystemExit(1)


main()
