#!/usr/bin/env python3
"""Counts of work: equal beside two busy programs, and one percent more found in its own stage alone. PROGRAMS names the folder of
the programs, LIMIT the number of spines, and SECONDS those in which each must be found; needs two cores for itself."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import rig

LIMIT = os.environ.get("LIMIT", "240")
SECONDS = float(os.environ.get("SECONDS", "60"))
STAGES = {
    "decoding": {"bytesDecoded", "pixelsDecoded"},
    "scaling": {"pixelsScaled"},
    "warping": {"pixelsWarped"},
    "detection": {"detectionCalls", "detectionElements"},
    "orientation": {"orientationCalls", "orientationElements"},
    "recognition": {"recognitionCalls", "recognitionElements"},
    "lines": {"linesRecognised", "linesAgain"},
    "matching": {"candidatesMatched", "rowsRead"},
    "library": {"rowsWritten"},
    "network": {"requestsSent", "bytesSent"},
}
VARIANTS = {"orientation": "fast,orientation=classifier", "matching": "on-device-only", "library": "on-device-only", "network": "enrich"}
# The share of the samples of which the names' digests are below: three of 240.
SHARE = os.environ.get("SHARE", "1")


def counts(folder, variant):
    rig.run("spinebench", "run", "--dataset", rig.SPINES, "--variants", variant, "--limit", LIMIT, "--out", folder, check=False)
    return {(line["id"], line["repetition"]): line["prediction"]["work"] for line in rig.lines(folder / "samples.jsonl")}


def planted(folder, stage):
    variant = VARIANTS.get(stage, "fast")
    words = ["compare", variant, variant, "--dataset", rig.SPINES, "--limit", LIMIT, "--rounds", "1", "--no-noise-floor"]
    start = time.monotonic()
    rig.run("spinebench", *words, "--gate", "counts=0.1%", "--plant", f"{stage}={SHARE}", "--out", folder, check=False)
    took = time.monotonic() - start
    rows = json.loads((folder / "comparison.json").read_text())["parts"][0]["pairs"][0]["rows"]
    changes = {row["metric"]: row["change"]["value"] for row in rows if row["metric"].startswith("work") and "value" in row["change"]}
    moved = {name[4].lower() + name[5:]: change for name, change in changes.items() if change}
    found = bool(moved) and set(moved) <= STAGES[stage] and took <= SECONDS
    print(f"{stage}: {', '.join(f'{name} {100 * change:+.2f} %' for name, change in moved.items())} in {took:.0f} s", flush=True)
    return found


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder, failed = pathlib.Path(folder), []
        for variant in ["fast", "enrich"]:
            quiet = counts(folder / f"{variant}-quiet", variant)
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
            beside = counts(folder / f"{variant}-busy", variant)
            for program in busy:
                program.kill()
            different = [key for key in quiet if quiet[key] != beside.get(key)]
            print(f"{variant}: {len(quiet)} readings beside two busy programs: {len(different)} differ {different[:3]}", flush=True)
            failed += different
        failed += [stage for stage in STAGES if not planted(folder / stage, stage)]
        print("failed:", failed)
        return 1 if failed else 0


sys.exit(main())
