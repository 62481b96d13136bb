"""Scores the reader with weights as phones store them: 16-bit floats, and 8-bit integers with a scale for each channel.

    make build
    pip install -r research/training-requirements.txt
    python research/round_weights.py --out /tmp/rounded Datasets/spines-1 [further datasets …]

Writes three folders of networks: f32 as they are, f16 and int8. Their files are f32 again, so that nothing but the weights
differs: what a phone computes with is not part of it. `spinebench run` reads the datasets with `fast` and `accurate` over
each folder, sample by sample in turns. The table has the titles read, and how many were lost and won against f32.

int8: symmetric and linear, with one scale for each output channel, of weights of Conv, ConvTranspose, MatMul and Gemm with
more than 2,048 numbers. These are the defaults of `coremltools.optimize.coreml.linear_quantize_weights` (coremltools 8).
"""

import argparse
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

MODELS = ("ppocrv6-small-det.onnx", "ppocrv6-small-rec.onnx")
TIERS = ("fast", "accurate")
KINDS = ("f32", "f16", "int8")
# coremltools: OpLinearQuantizerConfig.weight_threshold.
LEAST_SIZE = 2_048
# Axis of the output channel of a weight, by the operation that it is the second input of.
CHANNELS = {"Conv": 0, "ConvTranspose": 1, "MatMul": -1, "Gemm": -1}


def int8(weight, axis):
    """Returns the weight after rounding to 255 even steps from -127 to 127 of each channel's largest magnitude."""
    others = tuple(place for place in range(weight.ndim) if place != axis % weight.ndim)
    scale = np.abs(weight).max(axis=others, keepdims=True) / 127
    return (np.round(weight / np.where(scale == 0, 1, scale)) * scale).astype(np.float32)


def axis_of(node):
    """Returns the axis of the output channels in a node's weight; Gemm may have it transposed."""
    if node.op_type == "Gemm" and any(one.name == "transB" and one.i for one in node.attribute):
        return 0
    return CHANNELS[node.op_type]


def rounded(path, kind):
    """Returns the network, and how many of its numbers were rounded."""
    model = onnx.load(path)
    axes = {node.input[1]: axis_of(node) for node in model.graph.node if node.op_type in CHANNELS}
    constants = [(one, one.name) for one in model.graph.initializer]
    for node in model.graph.node:
        if node.op_type == "Constant":
            constants += [(one.t, node.output[0]) for one in node.attribute if one.name == "value"]
    count = 0
    for tensor, name in constants:
        if tensor.data_type != onnx.TensorProto.FLOAT or kind == "f32":
            continue
        weight = numpy_helper.to_array(tensor)
        if kind == "f16":
            new = weight.astype(np.float16).astype(np.float32)
        elif name in axes and weight.ndim > 1 and weight.size > LEAST_SIZE:
            new = int8(weight, axes[name])
        else:
            continue
        tensor.CopyFrom(numpy_helper.from_array(new, tensor.name))
        count += weight.size
    return model, count


def titles(run):
    """Returns the samples whose titles were read, and the number of legible ones, by variant and dataset."""
    report = json.loads((run / "report.json").read_text())
    results = {}
    for one in report["measurements"]:
        rate = one["categories"][0]["values"]["titleRead"]["rate"]
        results[one["id"]] = (one["variant"]["name"], one["dataset"]), set(), rate
    for line in (run / "samples.jsonl").open():
        record = json.loads(line)
        title = record.get("score", {}).get("title", {"found": 0, "total": 1})
        if title["found"] == title["total"]:
            results[record["measurement"]][1].add(record["id"])
    for name, (_, own, rate) in results.items():
        if rate["successes"] != len(own):
            raise SystemExit(f"{name}: {len(own)} titles here, and {rate} in the report")
    return {name: (own, rate["trials"]) for name, own, rate in results.values()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("datasets", nargs="+", help="dataset folders")
    parser.add_argument("--out", type=Path, required=True, help="folder for the networks and the run")
    parser.add_argument("--models", type=Path, default=Path(".deps/models"), help="folder of the installed networks")
    parser.add_argument("--program", default=".build/release/spinebench")
    arguments = parser.parse_args()
    for kind in KINDS:
        folder = arguments.out / kind
        folder.mkdir(parents=True, exist_ok=True)
        for name in MODELS:
            model, count = rounded(arguments.models / name, kind)
            onnx.save(model, folder / name)
            print(f"{folder / name}: {count} numbers rounded", flush=True)
    variants = [f"{tier},models={arguments.out / kind},precision=f32" for tier in TIERS for kind in KINDS]
    run = arguments.out / "run"
    shutil.rmtree(run, ignore_errors=True)
    command = [arguments.program, "run", "--variants", ",".join(variants), "--repetitions", "1", "--devices", "none"]
    for dataset in arguments.datasets:
        command += ["--dataset", dataset]
    # Exit code 1 or 3 is a verdict, which does not matter here.
    code = subprocess.run([*command, "--out", str(run)], stdout=subprocess.DEVNULL).returncode
    if code not in (0, 1, 3):
        raise SystemExit(f"spinebench run ended with {code}")
    results = titles(run)
    print("tier, dataset, weights, titles read, of, lost, won")
    for (name, dataset), (own, count) in sorted(results.items()):
        kind = next(one for one in KINDS if f"models-{one}" in name)
        base = results[name.replace(f"models-{kind}", "models-f32"), dataset][0]
        changes = f"{len(base - own)}, {len(own - base)}"
        print(f"{name.split('.')[0]}, {dataset}, {kind}, {len(own)}, {count}, {changes}")


if __name__ == "__main__":
    main()
