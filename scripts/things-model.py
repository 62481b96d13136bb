#!/usr/bin/env python3
"""Writes EfficientNet-Lite, which names things, as an ONNX file, from the weights of a PyTorch file.

  things-model.py SIZE WEIGHTS OUT      SIZE: lite0 or lite2

Uses Python's standard library alone. Batch norms are folded into the convolutions. The network's one input is a picture:
i64, 1 x side x side x 3, red, green and blue of 0 to 255. Its one output is f32, 1 x (1000 n + 1280): for each of the n places
of its last map, row by row, how much the place speaks for each class (class by class; the mean over the places is the logit),
and then the mean of the map, a vector of the picture.

Sources: Tan and Le, "EfficientNet", ICML 2019; efficientnet_lite_builder.py of TensorFlow's TPU models (widths, depths, sides,
ReLU6, no squeeze-and-excite, (x - 127) / 128, "same" padding, batch norm epsilon 0.001); PyTorch's format of before 1.6; onnx.proto.
"""
import array
import collections
import math
import pickle
import struct
import sys

SIDES = {"lite0": 224, "lite2": 260}
# Kernel and stride of the first block of each stage; more blocks of a stage have the stride 1.
STAGES = [(3, 1), (3, 2), (5, 2), (3, 2), (5, 1), (5, 2), (3, 1)]
REPEATS = {"lite0": [1, 2, 2, 3, 3, 4, 1], "lite2": [1, 3, 3, 4, 4, 5, 1]}
EPSILON = 0.001


class Reader(pickle.Unpickler):
    """Reads the tensors' places; refuses every class but the four that such a file has."""

    known = {
        ("collections", "OrderedDict"): collections.OrderedDict,
        ("torch._utils", "_rebuild_tensor_v2"): lambda storage, offset, shape, strides, *_: (storage, offset, shape, strides),
        ("torch", "FloatStorage"): "f",
        ("torch", "LongStorage"): "q",
    }

    def find_class(self, module, name):
        if (module, name) not in self.known:
            raise pickle.UnpicklingError(f"unexpected {module}.{name}")
        return self.known[module, name]

    def persistent_load(self, name):
        kind, element, key, _, count, view = name
        if kind != "storage" or view is not None:
            raise pickle.UnpicklingError(f"unexpected {kind}")
        return key, element, count


def read(path):
    """Returns the tensors of a file by name: shapes, and values row by row."""
    with open(path, "rb") as file:
        magic, version, system = (Reader(file).load() for _ in range(3))
        if (magic, version) != (0x1950A86A20F9469CFC6C, 1001) or not system["little_endian"]:
            raise SystemExit(f"{path}: not a PyTorch file of the format 1001")
        tensors, keys = Reader(file).load(), Reader(file).load()
        elements = {key: element for (key, element, _), *_ in tensors.values()}
        stored = {}
        for key in keys:
            values = array.array(elements[key])
            values.fromfile(file, struct.unpack("<q", file.read(8))[0])
            if sys.byteorder == "big":
                values.byteswap()
            stored[key] = values
    return {name: (shape, rows(stored[key], offset, shape, strides)) for name, ((key, *_), offset, shape, strides) in tensors.items()}


def rows(values, offset, shape, strides):
    """Returns the values of a tensor in the order of its dimensions."""
    places = [offset]
    for size, stride in zip(shape, strides):
        places = [place + stride * number for place in places for number in range(size)]
    return array.array("f", [values[place] for place in places])


def varint(number):
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


class Graph:
    """An ONNX graph that is added to node by node (field numbers: onnx.proto)."""

    FLOAT, INT64 = 1, 7

    def __init__(self):
        self.nodes, self.tensors, self.count = [], [], 0

    def constant(self, values, shape, element=FLOAT):
        name = f"c{len(self.tensors)}"
        values = array.array("f" if element == self.FLOAT else "q", values)
        if sys.byteorder == "big":
            values.byteswap()
        dims = b"".join(number(1, size) for size in shape)
        self.tensors.append(part(5, dims + number(2, element) + part(8, name) + part(9, values.tobytes())))
        return name

    def add(self, kind, *inputs, **attributes):
        self.count += 1
        name = f"n{self.count}"
        body = b"".join(part(1, input) for input in inputs) + part(2, name) + part(3, name) + part(4, kind)
        for key, value in attributes.items():
            if isinstance(value, list):
                body += part(5, part(1, key) + b"".join(number(8, one) for one in value) + number(20, 7))
            else:
                body += part(5, part(1, key) + number(3, value) + number(20, 2))
        self.nodes.append(part(1, body))
        return name

    def write(self, path, input, shape, output, size):
        def value(field, name, element, shape):
            dims = b"".join(part(1, number(1, size)) for size in shape)
            return part(field, part(1, name) + part(2, part(1, number(1, element) + part(2, dims))))

        graph = b"".join(self.nodes) + part(2, "things") + b"".join(self.tensors)
        graph += value(11, input, self.INT64, shape) + value(12, output, self.FLOAT, [1, size])
        with open(path, "wb") as file:
            file.write(number(1, 7) + part(2, "things-model.py") + part(7, graph) + part(8, number(2, 13)))


def build(size, weights, path):
    side, graph = SIDES[size], Graph()

    def convolution(x, name, norm, stride=1, group=False, clip=True):
        nonlocal side
        shape, values = weights[name + ".weight"]
        gamma, beta, mean, variance = (weights[f"{norm}.{part}"][1] for part in ("weight", "bias", "running_mean", "running_var"))
        factors = [g / math.sqrt(v + EPSILON) for g, v in zip(gamma, variance)]
        each = len(values) // shape[0]
        folded = [value * factors[index // each] for index, value in enumerate(values)]
        bias = [b - m * f for b, m, f in zip(beta, mean, factors)]
        kernel = shape[2]
        after = -(-side // stride)
        padding = max(0, (after - 1) * stride + kernel - side)
        before = padding // 2
        side = after
        x = graph.add(
            "Conv", x, graph.constant(folded, shape), graph.constant(bias, [shape[0]]), kernel_shape=[kernel] * 2,
            strides=[stride] * 2, pads=[before, before, padding - before, padding - before], group=shape[0] if group else 1,
        )
        return graph.add("Clip", x, zero, six) if clip else x

    zero, six = graph.constant([0], []), graph.constant([6], [])
    x = graph.add("Cast", "picture", to=Graph.FLOAT)
    x = graph.add("Mul", graph.add("Sub", x, graph.constant([127], [])), graph.constant([1 / 128], []))
    x = graph.add("Transpose", x, perm=[0, 3, 1, 2])
    x = convolution(x, "_conv_stem", "_bn0", 2)
    block = 0
    for (kernel, first), repeats in zip(STAGES, REPEATS[size]):
        for repeat in range(repeats):
            name, stride, before = f"_blocks.{block}", first if repeat == 0 else 1, x
            if name + "._expand_conv.weight" in weights:
                x = convolution(x, name + "._expand_conv", name + "._bn0")
            if weights[name + "._depthwise_conv.weight"][0][2] != kernel:
                raise SystemExit(f"{name} has another kernel than {size}")
            x = convolution(x, name + "._depthwise_conv", name + "._bn1", stride, group=True)
            x = convolution(x, name + "._project_conv", name + "._bn2", clip=False)
            if repeat > 0:
                x = graph.add("Add", x, before)
            block += 1
    if f"_blocks.{block}._bn1.weight" in weights:
        raise SystemExit(f"the file has more blocks than {size}")
    x = convolution(x, "_conv_head", "_bn1")
    classes, features = weights["_fc.weight"][0]
    speaks = graph.add(
        "Conv", x, graph.constant(weights["_fc.weight"][1], [classes, features, 1, 1]),
        graph.constant(weights["_fc.bias"][1], [classes]), kernel_shape=[1, 1],
    )
    flat = [graph.add("Flatten", part, axis=1) for part in (speaks, graph.add("GlobalAveragePool", x))]
    output = graph.add("Concat", *flat, axis=1)
    graph.write(path, "picture", [1, SIDES[size], SIDES[size], 3], output, classes * side * side + features)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in SIDES:
        raise SystemExit(__doc__)
    build(sys.argv[1], read(sys.argv[2]), sys.argv[3])
