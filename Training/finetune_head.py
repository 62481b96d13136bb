"""Tunes the last layers of PP-OCRv6 small's recogniser on lines of photographs without labels.

    pip install -r Training/requirements.txt
    python Training/finetune_head.py read PHOTOS --out DIR        # PHOTOS/index.jsonl: file, repository, use, kind
    python Training/finetune_head.py tune --out DIR --check REPOSITORY --judged Datasets/spines-1 [further sets …]
    make build
    python Training/finetune_head.py score --out DIR --network both-1-0.0001 Datasets/spines-1 [further sets …]

`read` uses the photos of use "train". It finds their lines with the detector, cuts out each in six ways (looks: as the
reader does, and moved, stretched, blurred, darker), and stores what the network knows of each before its last two
blocks. They have 230,000 weights, and JAX runs them from then on. Small, blurred and spaced lines are drawn, too.

Nobody labels a line. If it has 11 letters or more and nearly is a title or an author of the built-in list (at most 12 %
edits), it is labelled as that; else as what at least five of six looks read; else not at all. Books of the judged sets
are left out. All lines keep the network near itself, by the KL divergence of each step.

`tune` trains the Latin classes of the last layer (depth 0), the last block as well (1), or the last two (2). For the
lines of REPOSITORY, which is not trained on, it prints how many looks are no longer read as labelled (−) and newly so
(+). Each network has a folder of its own. `score` reads datasets with the old and the new network, in one run.
Docs/READING.md has the results: no network tuned so reads more.
"""

import argparse
import itertools
import json
import random
import shutil
import subprocess
from collections import defaultdict
from math import comb
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import onnxruntime
import optax
from onnx import TensorProto, helper, numpy_helper
from photo_lines import Names, cut_out, drawn, fold, judged_titles, label, looks, quads, windows
from PIL import Image
from round_weights import titles

DETECTOR, RECOGNISER = "ppocrv6-small-det.onnx", "ppocrv6-small-rec.onnx"
# The recogniser is cut before its first attention block; the second part of the features goes around both blocks.
CUT = ("p2o.pd_op.transpose.0.0", "p2o.pd_op.swish.0.0")
MOST_WINDOWS, LONGEST_LABEL = 5, 64


def session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options)


def tensors_of(model):
    """Returns the constant tensors by name; changing one changes the model."""
    found = {one.name: one for one in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            found.update({node.output[0]: one.t for one in node.attribute if one.name == "value"})
    return found


def trained_weights(depth):
    names = ["linear_8.w_0", "linear_8.b_0"] + ["helper.reshape.8", "helper.reshape.9"] * (depth > 0)
    for k in range(4 * (2 - depth), 8):
        names += [f"linear_{k}.w_0", f"linear_{k}.b_0", f"helper.reshape.{k}"]
    return names


def is_latin(text):
    """Returns whether the reader's alphabet `latin` has the character."""
    ranges = ((0x20, 0x250), (0x1E00, 0x1F00), (0x2010, 0x2027))
    return all(any(low <= ord(c) < high for low, high in ranges) or c in "€№™" for c in text)


class Recogniser:
    def __init__(self, path):
        model = onnx.load(path)
        self.weights = {name: numpy_helper.to_array(one) for name, one in tensors_of(model).items()}
        classes = ["", *next(one.value for one in model.metadata_props if one.key == "character").split("\n"), " "]
        self.kept = np.array([k for k, text in enumerate(classes) if is_latin(text)])
        self.texts = [classes[k] for k in self.kept]
        del model.graph.output[:]
        model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in CUT)
        self.first_part = session(model.SerializeToString())

    def features(self, window):
        """Returns the features (steps, 240) of a window (HEIGHT, WIDTH, 3) in RGB."""
        pixels = (window[None, ..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) - 127.5) / 127.5
        stream, around = self.first_part.run(None, {"x": np.ascontiguousarray(pixels)})
        return np.concatenate([stream[0], around[0, :, 0].T], 1).astype(np.float16)

    def parameters(self):
        """Returns the weights behind the cut; of the last layer, the Latin classes'."""
        own = {name: self.weights[name] for name in trained_weights(2)}
        return {name: one[..., self.kept] if name.startswith("linear_8") else one for name, one in own.items()}

    def decoded(self, classes):
        return "".join(self.texts[k] for k, _ in itertools.groupby(classes)).strip()

    def save(self, parameters, base, path):
        model = onnx.load(base)
        for name, new in parameters.items():
            whole = self.weights[name].copy()
            whole[(..., self.kept) if name.startswith("linear_8") else ...] = np.asarray(new)
            tensor = tensors_of(model)[name]
            tensor.CopyFrom(numpy_helper.from_array(whole, tensor.name))
        path.parent.mkdir(exist_ok=True)
        onnx.save(model, path)


def log_probabilities(p, features):
    """Returns the logarithms of the classes' probabilities (…, steps, classes) of features (…, steps, 240)."""

    def normal(x, k, epsilon=1e-5):
        x = x - x.mean(-1, keepdims=True)
        x = x / jnp.sqrt((x**2).mean(-1, keepdims=True) + epsilon)
        return x * p[f"helper.reshape.{2 * k}"] + p[f"helper.reshape.{2 * k + 1}"]

    def linear(x, k):
        return x @ p[f"linear_{k}.w_0"] + p[f"linear_{k}.b_0"]

    x, around = jnp.split(features.astype(jnp.float32), 2, -1)
    for block in (0, 1):
        parts = linear(normal(x, 2 * block), 4 * block).reshape(*x.shape[:-1], 3, 8, 15)
        query, key, value = (parts[..., k, :, :] for k in range(3))
        weights = jax.nn.softmax(jnp.einsum("...qhd,...khd->...hqk", query * 15**-0.5, key))
        x = x + linear(jnp.einsum("...hqk,...khd->...qhd", weights, value).reshape(x.shape), 4 * block + 1)
        x = x + linear(jax.nn.silu(linear(normal(x, 2 * block + 1), 4 * block + 2)), 4 * block + 3)
    return jax.nn.log_softmax(linear(normal(x, 4, 1e-6) + around, 8))


def read(arguments):
    recogniser, names, chance = Recogniser(arguments.models / RECOGNISER), Names(arguments.list), random.Random(1)
    detector, parameters = session(str(arguments.models / DETECTOR)), recogniser.parameters()
    forward, features, owns, lines = jax.jit(log_probabilities), [], [], []

    def add(source, images, text=None):
        texts, counts, first = [], [], len(owns)
        for parts in map(windows, images):
            known = [recogniser.features(window) for window, _ in parts]
            best = [np.asarray(forward(parameters, one)).argmax(-1)[own] for one, (_, own) in zip(known, parts)]
            texts.append(recogniser.decoded(np.concatenate(best)))
            counts.append(len(parts))
            features.extend(known)
            owns.extend(own for _, own in parts)
        text, by = (text, "drawn") if text else label(texts, names)
        lines.append({"source": source, "looks": texts, "windows": counts, "first": first, "label": text, "by": by})

    for row in map(json.loads, (arguments.photos / "index.jsonl").open()):
        if row["use"] != "train":
            continue
        image = Image.open(arguments.photos / row["file"]).convert("RGB")
        if row["kind"] == "shelf" or image.height > image.width:
            image = image.transpose(Image.Transpose.ROTATE_90)
        for quad in quads(detector, image, 1600 if row["kind"] == "shelf" else 960):
            if len(windows(cut_out(image, quad))) < MOST_WINDOWS:
                add(row["repository"], looks(image, quad, chance))
        print(f"{row['file']}: {len(lines)} lines", flush=True)
    for line in filter(None, (drawn(names.titles, chance) for _ in range(arguments.drawn))):
        add("drawn", line[:1], line[1])
    np.savez(arguments.out / "features.npz", features=features, own=owns)
    (arguments.out / "lines.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def batches(lines, looks, store, numbers):
    """Yields looks (line, number) of equally many windows, with their features, own steps, labels and weights."""
    groups = defaultdict(list)
    for line, look in looks:
        groups[line["windows"][look]].append((line, look))
    for count, members in groups.items():
        size = 48 // count
        for chosen in (members[start : start + size] for start in range(0, len(members), size)):
            rows, labels = np.zeros((size, count), int), np.zeros((size, LONGEST_LABEL), np.int32)
            weights = np.zeros(size, np.float32)
            for k, (line, look) in enumerate(chosen):
                rows[k] = line["first"] + sum(line["windows"][:look]) + np.arange(count)
                classes = [numbers.get(c) for c in line["label"] or ""]
                if None not in classes and len(classes) <= LONGEST_LABEL:
                    labels[k, : len(classes)] = classes
                # Lines that a look misreads count for more.
                weights[k] = 4 if line["wrong"] else 1
            yield chosen, (store["features"][rows], store["own"][rows], labels, weights)


def train(lines, store, recogniser, depth, rate, stay, epochs):
    """Yields the trained weights after each epoch."""
    base = recogniser.parameters()
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(rate))
    numbers = {text: k for k, text in enumerate(recogniser.texts) if text}

    def loss(tuned, features, own, labels, weights):
        size, used = len(features), weights > 0
        now = log_probabilities(base | tuned, features).reshape(size, -1, len(recogniser.texts))
        then = log_probabilities(base, features).reshape(now.shape)
        mask, padding = own.reshape(size, -1).astype(jnp.float32), (labels == 0).astype(jnp.float32)
        length = (1 - padding).sum(1)
        # A label that does not fit into the steps has no finite loss.
        ctc = jnp.minimum(optax.ctc_loss(now, 1 - mask, labels, padding), 50) / jnp.maximum(length, 1)
        drift = ((jnp.exp(then) * (then - now)).sum(-1) * mask).sum(1) / mask.sum(1).clip(1)
        return ((ctc * (length > 0) * weights).sum() + stay * (drift * used).sum()) / used.sum()

    @jax.jit
    def step(tuned, state, *batch):
        change, state = optimiser.update(jax.grad(loss)(tuned, *batch), state)
        return optax.apply_updates(tuned, change), state

    tuned, chance = {name: jnp.asarray(base[name]) for name in trained_weights(depth)}, random.Random(2)
    state = optimiser.init(tuned)
    for _ in range(epochs):
        looks = []
        for line in lines:
            count = min(4 if line["wrong"] else 1, len(line["looks"]))
            looks += [(line, look) for look in chance.sample(range(len(line["looks"])), count)]
        chance.shuffle(looks)
        every = [batch for _, batch in batches(lines, looks, store, numbers)]
        chance.shuffle(every)
        for batch in every:
            tuned, state = step(tuned, state, *batch)
        yield tuned


def tune(arguments):
    recogniser, store = Recogniser(arguments.models / RECOGNISER), dict(np.load(arguments.out / "features.npz"))
    judged = {title for folder in arguments.judged for title in judged_titles(folder)}
    lines = [line for line in map(json.loads, (arguments.out / "lines.jsonl").open())]
    lines = [line for line in lines if not line["label"] or fold(line["label"]) not in judged]
    for line in lines:
        line["right"] = [not line["label"] or fold(text) == fold(line["label"]) for text in line["looks"]]
        line["wrong"] = not all(line["right"])
    for source, by in sorted({(line["source"], str(line["by"])) for line in lines}):
        own = [line for line in lines if (line["source"], str(line["by"])) == (source, by)]
        misread = sum(not line["right"][0] for line in own), sum(line["wrong"] for line in own)
        print(f"{source}, {by}: {len(own)} lines; misread: {misread[0]} at the first look, {misread[1]} at any")
    held = [(line, look) for line in lines if line["source"] == arguments.check and line["label"] for look in (0, 1)]
    forward = jax.jit(log_probabilities)
    for kind, depth, rate in itertools.product(arguments.kind, arguments.depth, arguments.rate):
        chosen = [line for line in lines if line["source"] != arguments.check]
        chosen = [line for line in chosen if kind == "both" or (line["source"] == "drawn") == (kind == "drawn")]
        for epoch, tuned in enumerate(
            train(chosen, store, recogniser, depth, rate, arguments.stay, arguments.epochs), 1
        ):
            counts = defaultdict(lambda: [0, 0, 0])
            for members, (features, own, *_) in batches(lines, held, store, {}):
                best = np.asarray(forward(recogniser.parameters() | tuned, features)).argmax(-1)
                for (line, look), classes, mask in zip(members, best, own):
                    now = fold(recogniser.decoded(classes[mask])) == fold(line["label"])
                    changes = counts[f"{line['by']}, look {look}"]
                    for k, one in enumerate((True, line["right"][look] and not now, now and not line["right"][look])):
                        changes[k] += one
            shown = "; ".join(f"{name}: {n} −{lost} +{won}" for name, (n, lost, won) in sorted(counts.items()))
            print(f"{kind}, depth {depth}, rate {rate:g}, epoch {epoch}: {shown}", flush=True)
        path = arguments.out / f"{kind}-{depth}-{rate:g}" / RECOGNISER
        recogniser.save(tuned, arguments.models / RECOGNISER, path)


def score(arguments):
    for kind, source in (("base", arguments.models), ("tuned", arguments.out / arguments.network)):
        folder = arguments.out / "score" / kind
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / RECOGNISER, folder)
        shutil.copy(arguments.models / DETECTOR, folder)
    folder, run = arguments.out / "score", arguments.out / "score" / "run"
    shutil.rmtree(run, ignore_errors=True)
    variants = [
        f"{tier},models={folder / kind},precision=f32" for tier in ("fast", "accurate") for kind in ("base", "tuned")
    ]
    command = [arguments.program, "run", "--variants", ",".join(variants), "--repetitions", "1", "--devices", "none"]
    command += itertools.chain.from_iterable(("--dataset", one) for one in arguments.datasets)
    subprocess.run([*command, "--out", str(run)], stdout=subprocess.DEVNULL)
    results = titles(run)
    for (name, dataset), (own, count) in sorted(results.items()):
        if "tuned" in name:
            base = results[name.replace("tuned", "base"), dataset][0]
            lost, won = len(base - own), len(own - base)
            # McNemar's exact test.
            p = min(1, 2 * sum(comb(lost + won, k) for k in range(min(lost, won) + 1)) / 2 ** (lost + won))
            print(f"{name.split('.')[0]}, {dataset}: {len(base)} to {len(own)} of {count}: −{lost} +{won}, p = {p:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    for run in (read, tune, score):
        of = commands.add_parser(run.__name__)
        of.set_defaults(run=run)
        of.add_argument("--out", type=Path, required=True)
        of.add_argument("--models", type=Path, default=Path(".deps/models"), help="folder of the installed networks")
        if run is read:
            of.add_argument("photos", type=Path)
            of.add_argument("--list", type=Path, default=Path("Sources/Kit/BookCatalogue/Resources/books.csv"))
            of.add_argument("--drawn", type=int, default=3000, help="drawn lines, of which about half are dropped")
        elif run is tune:
            of.add_argument("--judged", nargs="*", default=[], help="judged datasets, whose books are left out")
            of.add_argument("--check", help="repository whose lines are only judged on")
            of.add_argument("--kind", nargs="+", default=["photos"], choices=["photos", "drawn", "both"])
            of.add_argument("--depth", type=int, nargs="+", default=[1])
            of.add_argument("--rate", type=float, nargs="+", default=[1e-4])
            of.add_argument(
                "--stay", type=float, default=1.0, help="weight of the divergence from the network as it was"
            )
            of.add_argument("--epochs", type=int, default=1)
        else:
            of.add_argument("datasets", nargs="+")
            of.add_argument("--network", required=True, help="folder in --out")
            of.add_argument("--program", default=".build/release/spinebench")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
