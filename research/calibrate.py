"""Fits the constants of LineCalibration.ppOCRv6Small and ppOCRv6Tiny, and says how far its probabilities can be believed.

    make tools
    pip install -r research/training-requirements.txt
    python research/calibrate.py --out /tmp/calibration Datasets/spines-1 [further datasets to check on …]

For other networks: --models ppocrv6-tiny, or a folder; --out of its own.

Draws 800 spines (seeds 20261 and 20262, 400 each; Datasets/spines-1 has seed 1) with `spinebench dataset synth`, reads them
with `fast` and `accurate`, and fits logistic regressions without a penalty on what a line says of itself. What was drawn
and read before is taken from --out. The named datasets are only checked on.

A line is right when its words, case and accents included, stand in a row in one of the labelled lines, or, as labels
join lines otherwise than a detector, in the transcription, the title or the author. Apostrophes, dashes and bullets of
all kinds are one.
"""

import argparse
import json
import re
import subprocess
import unicodedata
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, cross_val_predict

SEEDS = (20261, 20262)
COUNT = 400
VARIANTS = ("fast", "accurate")
DICTIONARIES = ("american-english", "french", "ngerman", "spanish", "italian")
# Beyond this a probability says no more: LineCalibration.leastProbability.
LEAST = 0.001
FEATURES = {
    "confidence": lambda line: logit(line["confidence"]),
    "text": lambda line: logit(line["text"]),
    "length": lambda line: np.log(line["length"]),
    "words": lambda line: line["words"],
}
MODELS = (
    ("confidence",), ("confidence", "length"), ("confidence", "text", "length"), ("confidence", "length", "words"),
    ("confidence", "text", "length", "words"),
)  # fmt: skip


def logit(p):
    p = min(max(p, LEAST), 1 - LEAST)
    return np.log(p / (1 - p))


def plain(word):
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(c))


def words_in(text):
    text = unicodedata.normalize("NFC", text)
    for old, new in (("’", "'"), ("‘", "'"), ("–", "-"), ("—", "-"), ("•", "·")):
        text = text.replace(old, new)
    return text.split()


def is_right(text, labels):
    words = words_in(text)
    return any(
        there[i : i + len(words)] == words
        for there in map(words_in, labels)
        for i in range(len(there) - len(words) + 1)
    )


def lines(dataset, readings, lexicon):
    """The lines that were read of legible spines: features, whether each is right, and the group that it belongs to."""
    samples = {}
    for row in map(json.loads, (dataset / "samples.jsonl").read_text().splitlines()):
        samples[Path(row["image"]).name] = row
    found = []
    for reading in map(json.loads, readings.read_text().splitlines()):
        sample = samples.get(Path(reading["path"]).name)
        if sample is None or not sample.get("legible", True):
            continue
        labels = [label if isinstance(label, str) else label["text"] for label in sample.get("lines") or []]
        labels += [sample["transcription"], sample["title"] or "", sample.get("author") or ""]
        for line in reading.get("lines") or []:
            text = line["text"]
            known = sum(len(w) for w in re.findall(r"[^\W\d_]+", text) if plain(w) in lexicon)
            alternatives = line.get("alternatives")
            found.append(
                {
                    "confidence": line["confidence"],
                    "text": alternatives[0]["probability"] if alternatives else 1,
                    "length": len(text),
                    "words": known / len(text.replace(" ", "")),
                    "right": is_right(text, labels),
                    "group": str(sample.get("group")),
                }
            )
    return found


def matrix(rows, model):
    return np.array([[FEATURES[name](row) for name in model] for row in rows])


def outcome(rows):
    return np.array([row["right"] for row in rows], dtype=float)


def expected_error(p, right):
    bins = np.clip(np.ceil(p * 10).astype(int) - 1, 0, 9)
    return sum(abs(p[bins == b].sum() - right[bins == b].sum()) for b in range(10)) / len(p)


def figures(p, right):
    return f"log loss {log_loss(right, np.clip(p, LEAST, 1 - LEAST)):.4f}, ECE {expected_error(p, right):.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="a folder for what is drawn and read")
    parser.add_argument("--program", default=".build/release/spinebench")
    parser.add_argument("--models", help="networks, by name or folder; by default PP-OCRv6 small")
    parser.add_argument("datasets", type=Path, nargs="*", help="datasets to check on")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    lexicon = {
        plain(word.strip())
        for name in DICTIONARIES
        for word in Path("/usr/share/dict", name).read_text(encoding="utf-8").splitlines()
    }

    def read(dataset):
        rows = []
        for variant in VARIANTS:
            readings = arguments.out / f"{dataset.name}.{variant}.jsonl"
            if not readings.exists():
                reader = f"{variant},models={arguments.models}" if arguments.models else variant
                command = [arguments.program, "read", str(dataset / "images"), "--json", "--variant", reader]
                partial = readings.with_suffix(".partial")
                with partial.open("w") as output:
                    subprocess.run(command, stdout=output, check=True)
                partial.rename(readings)
            rows.append(lines(dataset, readings, lexicon))
        return rows

    train = []
    for seed in SEEDS:
        drawn = arguments.out / f"drawn-{seed}"
        command = [arguments.program, "dataset", "synth", "--out", str(drawn), "--count", str(COUNT), "--seed", str(seed)]
        if not drawn.exists():
            subprocess.run(command, check=True)
        # A spine's group is its number, which the other seed's have, too.
        train += [row | {"group": f"{seed}/{row['group']}"} for rows in read(drawn) for row in rows]
    right, groups = outcome(train), [row["group"] for row in train]
    checked = {(dataset.name, variant): rows for dataset in arguments.datasets for variant, rows in zip(VARIANTS, read(dataset))}

    print(f"{len(train)} drawn lines, {right.mean():.3f} right")
    print(f"as reported: {figures(np.array([row['confidence'] for row in train]), right)}")
    losses = {}
    for model in MODELS:
        regression = LogisticRegression(C=np.inf, max_iter=1_000)
        folds = GroupKFold(10)
        inputs = matrix(train, model)
        p = cross_val_predict(regression, inputs, right, groups=groups, cv=folds, method="predict_proba")[:, 1]
        losses[model] = -(right * np.log(p) + (1 - right) * np.log(1 - p))
        regression.fit(inputs, right)
        print(f"\n{' + '.join(model)}: cross-validated {figures(p, right)}")
        for name, value in zip(("intercept", *model), (*regression.intercept_, *regression.coef_[0])):
            print(f"  {name} {value:.3f}")
        for (name, variant), rows in checked.items():
            p = regression.predict_proba(matrix(rows, model))[:, 1]
            print(f"  {name} {variant}, {len(rows)} lines: {figures(p, outcome(rows))}; "
                  f"as reported {figures(np.array([row['confidence'] for row in rows]), outcome(rows))}")  # fmt: skip
    print("\nlog loss that the next term takes away, with its standard error over spines:")
    for less, more in ((0, 1), (1, 2), (1, 3), (2, 4), (3, 4)):
        sums = {}
        for group, value in zip(groups, losses[MODELS[less]] - losses[MODELS[more]]):
            sums[group] = sums.get(group, 0) + value
        sums = np.array(list(sums.values()))
        error = sums.std(ddof=1) * len(sums) ** 0.5 / len(train)
        print(f"  {' + '.join(MODELS[less])} -> {' + '.join(MODELS[more])}: {sums.sum() / len(train):.4f} ± {error:.4f}")


main()
