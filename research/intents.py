"""Fits the weights of IntentClassifier, and says how well intents of texts by others can be expected to be recognised.

    make setup
    pip install -r research/training-requirements.txt
    python research/intents.py

Texts with their intents, or None: research/intents/*.tsv, which were written for this purpose, and the labelled texts of
Apps/Captures/Tests/CapturesTests/Fixtures. Each text counts twice where it has slashes, which stand for line ends: with
and without them. Their MiniLM vectors, in f32 as the app computes them, are the features of a multinomial logistic
regression with an L2 penalty. The threshold is the least one with a precision of LEAST_PRECISION over files that were left
out, one at a time; all files then give the weights, rounded to hundredths.
"""

from pathlib import Path

import numpy as np
import openvino
from sklearn.linear_model import LogisticRegression
from tokenizers import BertWordPieceTokenizer

ROOT = Path(__file__).parent.parent
MODELS = ROOT / ".deps/models"
OUT = ROOT / "Apps/Captures/Sources/CaptureSpace/Resources/intent-weights.tsv"
SPACE = "all-minilm-l6-v2-int8-8199be6f"
LENGTHS = (16, 32, 64, 128)
PENALTY = 0.1
# Above the target of 90 %, as texts by others are harder than those that the constants were chosen on.
LEAST_PRECISION = 0.945


class MiniLM:
    def __init__(self):
        self.tokenizer = BertWordPieceTokenizer(str(MODELS / "minilm-vocab.txt"), lowercase=True)
        self.core = openvino.Core()
        self.model = self.core.read_model(MODELS / "minilm-l6-int8.onnx")
        self.networks = {}

    def embed(self, text):
        ids = self.tokenizer.encode(text).ids
        if len(ids) > LENGTHS[-1]:
            ids = ids[: LENGTHS[-1] - 1] + ids[-1:]
        length = next(x for x in LENGTHS if x >= len(ids))
        if length not in self.networks:
            model = self.model.clone()
            model.reshape({one.get_any_name(): [1, length] for one in model.inputs})
            # By default, inputs of layers are rounded to 8 bits on processors with instructions for these.
            options = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0"}
            self.networks[length] = self.core.compile_model(model, "CPU", options)
        padding = [0] * (length - len(ids))
        inputs = [ids + padding, [1] * len(ids) + padding, [0] * length]
        values = self.networks[length]([np.array([one], dtype=np.int64) for one in inputs])[0][0]
        vector = values[: len(ids)].sum(axis=0)
        return vector / np.linalg.norm(vector)


def texts():
    """Returns (file, intent, text) of each labelled text."""
    files = sorted((ROOT / "research/intents").glob("*.tsv"))
    fixtures = (ROOT / "Apps/Captures/Tests/CapturesTests/Fixtures").glob("intents*.tsv")
    # Texts that judge the fit.
    files += sorted(file for file in fixtures if file.name != "intents-blind.tsv")
    for file in files:
        for line in file.read_text().splitlines():
            intent, *parts = line.split("\t")
            if intent != "intent":
                yield file.name, intent, ". ".join(parts)


def fit(vectors, intents):
    return LogisticRegression(C=1 / PENALTY, max_iter=3000).fit(vectors, intents)


def rates(truth, said):
    right = ((said == truth) & (truth != "None")).sum()
    return right / (truth != "None").sum(), right / max(1, (said != "None").sum())


def main():
    model = MiniLM()
    rows = list(texts())
    # A copy without slashes: in training alone.
    rows += [(file, intent, text.replace(" / ", " ")) for file, intent, text in rows if " / " in text]
    vectors = np.array([model.embed(text) for _, _, text in rows])
    files, intents, _ = (np.array(column) for column in zip(*rows))
    count = len(list(texts()))
    isOriginal = np.arange(len(rows)) < count

    said = np.full(len(rows), "None", dtype=intents.dtype)
    sure = np.zeros(len(rows))
    for file in sorted(set(files)):
        held = files == file
        found = fit(vectors[~held], intents[~held])
        probabilities = found.predict_proba(vectors[held])
        said[held] = found.classes_[probabilities.argmax(axis=1)]
        sure[held] = probabilities.max(axis=1)

    def at(threshold, chosen):
        return rates(intents[chosen], np.where(sure >= threshold, said, "None")[chosen])

    steps = np.arange(0.3, 0.9, 0.01)
    threshold = next(x for x in steps if at(x, isOriginal)[1] >= LEAST_PRECISION)
    print(f"{count} texts; threshold {threshold:.2f}\nleft out | recall | precision")
    for file in [*sorted(set(files)), "all"]:
        recall, precision = at(threshold, isOriginal & ((files == file) | (file == "all")))
        print(f"{file} | {recall:.1%} | {precision:.1%}")

    found = fit(vectors, intents)
    lines = [f"{SPACE}\t{threshold:.2f}"]
    for intent, bias, weights in zip(found.classes_, found.intercept_, found.coef_):
        lines.append("\t".join([intent, *(f"{100 * x:.0f}" for x in [bias, *weights])]))
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
