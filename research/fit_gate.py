"""Fits the numbers by which a StagedReader has a spine read anew.

    make tools
    pip install -r research/training-requirements.txt
    python research/fit_gate.py --out /tmp/gate photographs/*.jpg

Draws 800 spines (seeds 20261 and 20262, as calibrate.py) and reads them and the photographs of spines with both stages: PP-OCRv6
tiny in one pass, with every line that it finds, and `fast` without a first stage. No label is used; what was
drawn and read before is taken from --out. Of a spine, the second stage finds a line if it has
one of three letters or more, of confidence .85 and probability .5, that the first stage's lines cover by less than
half. A logistic regression on what the first stage's reading says, in which a photograph counts three times, gives the
log odds; the limit is the one that a share of the photographs exceed.
"""

import argparse
import json
import struct
import subprocess
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

SEEDS = (20261, 20262)
COUNT = 400
STAGES = ("fast,models=ppocrv6-tiny,looks=turned:96x1024,minimum-confidence=0", "fast,first-stage=none")
SHARES = (0.05, 0.1, 0.15, 0.2, 0.25)


def size(path):
    """Width and height of a JPEG or PNG."""
    data = Path(path).read_bytes()
    if data[:4] == b"\x89PNG":
        return struct.unpack(">II", data[16:24])
    at = 2
    while not (0xC0 <= data[at + 1] <= 0xCF and data[at + 1] not in (0xC4, 0xC8, 0xCC)):
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return tuple(reversed(struct.unpack(">HH", data[at + 5 : at + 9])))


def area(points):
    x, y = np.array(points).T
    return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2 if len(points) > 2 else 0


def shared(quad, other):
    """The area of a quad inside another: Sutherland and Hodgman's clipping."""
    centre = np.mean(other, axis=0)
    for a, b in zip(other, np.roll(other, -1, axis=0)):
        normal = np.array([a[1] - b[1], b[0] - a[0]])
        normal = normal if normal @ (centre - a) > 0 else -normal
        sides = [normal @ (point - a) for point in quad]
        kept = []
        for index, point in enumerate(quad):
            before, here = sides[index - 1], sides[index]
            if before * here < 0:
                kept.append(quad[index - 1] + (point - quad[index - 1]) * before / (before - here))
            if here >= 0:
                kept.append(point)
        quad = kept
        if len(quad) < 3:
            return 0
    return area(quad)


def corners(line):
    return np.array([[point["x"], point["y"]] if isinstance(point, dict) else point for point in line["quad"]], float)


def features(reading, path):
    width, height = size(path)
    length, along = max(width, height), int(height > width)
    reach = sorted((max(0, c[:, along].min()), min(length, c[:, along].max())) for c in map(corners, reading["lines"]))
    covered = end = 0
    for low, high in reach:
        covered += max(0, high - max(low, end))
        end = max(end, high)
    return [covered / length, reading.get("missed", 0) ** 0.5]


def is_missing(first, then):
    quads = [corners(line) for line in first["lines"]]
    return any(
        sum(c.isalpha() for c in line["text"]) >= 3
        and line["confidence"] >= 0.85
        and line.get("probability", 1) >= 0.5
        and sum(shared(corners(line), quad) for quad in quads) < area(corners(line)) / 2
        for line in then["lines"]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="a folder for what is drawn and read")
    parser.add_argument("--program", default=".build/release/spinebench")
    parser.add_argument("photographs", nargs="+")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    def read(name, paths, stage):
        readings = arguments.out / f"{name}.{stage}.jsonl"
        if not readings.exists():
            command = [arguments.program, "read", *paths, "--json", "--variant", STAGES[stage]]
            partial = readings.with_suffix(".partial")
            with partial.open("w") as output:
                subprocess.run(command, stdout=output, check=True)
            partial.rename(readings)
        return {reading["path"]: reading for reading in map(json.loads, readings.read_text().splitlines())}

    sets = {"photographs": arguments.photographs}
    for seed in SEEDS:
        drawn = arguments.out / f"drawn-{seed}"
        if not drawn.exists():
            command = [arguments.program, "dataset", "synth", "--out", str(drawn), "--count", str(COUNT)]
            subprocess.run([*command, "--seed", str(seed)], check=True)
        sets[seed] = sorted(map(str, (drawn / "images").iterdir()))
    rows = []
    for name, paths in sets.items():
        first, then = read(name, paths, 0), read(name, paths, 1)
        rows += [(features(first[p], p), is_missing(first[p], then[p]), name == "photographs") for p in first]
    inputs, missing, isPhoto = (np.array(column) for column in zip(*rows))
    regression, weights = LogisticRegression(C=np.inf, max_iter=10_000), np.where(isPhoto, 3, 1)
    odds = cross_val_predict(
        regression, inputs, missing, cv=10, method="decision_function", params={"sample_weight": weights}
    )
    for kind, chosen in (("drawn", ~isPhoto), ("photographs", isPhoto)):
        ranks = odds[chosen].argsort().argsort()
        found = missing[chosen]
        pairs = found.sum() * (~found).sum()
        auc = (ranks[found].sum() - found.sum() * (found.sum() - 1) / 2) / pairs
        print(f"{kind}: {len(found)}, {found.mean():.3f} lack a line, area under the curve {auc:.3f} (cross-validated)")
    regression.fit(inputs, missing, sample_weight=weights)
    for name, value in zip(("intercept", "coverage", "missed"), (*regression.intercept_, *regression.coef_[0])):
        print(f"{name} {value:.4f}")
    odds = regression.decision_function(inputs)
    for share in SHARES:
        limit = np.quantile(odds[isPhoto], 1 - share)
        print(f"limit {limit:.3f}: {share:.0%} of the photographs, {(odds[~isPhoto] > limit).mean():.1%} of the drawn")


main()
