#!/usr/bin/env python3
"""Draws QR and bar codes into pictures, and says how many of them zxing-cpp reads and in what time.

    python3 scripts/codes-peer.py FOLDER [--count 480] [--seed 20] [--keep]

Takes zxing-cpp, qrcode, python-barcode, pillow and numpy. `SPINEBENCH_CODES=FOLDER swift test --filter CodeQualityTests` reads the same files with ours.

FOLDER gets NNN.png, RGB of 640 x 480 pixels, one code each, and truth.csv with the columns file, symbology, payload,
angle (degrees) and scale (pixels of a module). QR codes of versions 1 to 6 and all four levels of correction, EAN-13
and Code 128 take turns. A code is printed with its quiet zone (4 modules of QR, ISO/IEC 18004, section 6.3.8; 11 and 7
of EAN-13, GS1 General Specifications, section 5.2.3.4, here 11 on both sides; 10 of Code 128, ISO/IEC 15417, section
4.3.2) on a label, at any angle, at 2 to 6 pixels a module (less where it would not fit), in light perspective (corners
moved by up to 4 % of its length), on a background of gradients and shapes, blurred by up to 0.3 modules (at most one
pixel, in standard deviations) and with noise of up to 8 of 255. Contrast is from 90 to 235. With --keep, pictures that
are there already are only read.
"""

import argparse
import csv
import math
import pathlib
import random
import time
from importlib.metadata import version

import barcode
import numpy
import qrcode
import zxingcpp
from PIL import Image, ImageDraw, ImageFilter

WIDTH, HEIGHT = 640, 480
# Points of a pixel along either side, whose mean is its value.
FINE = 3
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-./"
CORRECTIONS = [qrcode.constants.ERROR_CORRECT_L, qrcode.constants.ERROR_CORRECT_M,
               qrcode.constants.ERROR_CORRECT_Q, qrcode.constants.ERROR_CORRECT_H]
FORMATS = [zxingcpp.BarcodeFormat.QRCode, zxingcpp.BarcodeFormat.EAN13, zxingcpp.BarcodeFormat.EAN8,
           zxingcpp.BarcodeFormat.UPCA, zxingcpp.BarcodeFormat.UPCE, zxingcpp.BarcodeFormat.Code128]


def qr(chance, version):
    """Modules with their quiet zone, dark ones 1, and what they say: as much as fits, at most 60 characters."""
    level = chance.choice(CORRECTIONS)
    text = "https://example.org/" + "".join(chance.choices(LETTERS, k=chance.randint(0, 40)))
    while True:
        code = qrcode.QRCode(version=version, error_correction=level, border=4)
        code.add_data(text)
        try:
            code.make(fit=False)
            return numpy.array(code.get_matrix(), dtype=numpy.uint8), text
        except (qrcode.exceptions.DataOverflowError, ValueError):
            text = text[:-1] if len(text) > 20 else text[8:] if text.startswith("https") else text[:-1]


def bars(kind, text, quiet):
    line = [int(c) for c in barcode.get_barcode_class(kind)(text).build()[0]]
    width = len(line) + 2 * quiet
    rows = max(20, round(0.45 * len(line)))
    code = numpy.zeros((rows + 4, width), dtype=numpy.uint8)
    code[2:-2, quiet:-quiet] = line
    return code


def symbol(chance, number):
    kind = ("QR-Code", "EAN-13", "CODE-128")[number % 3]
    if kind == "QR-Code":
        return (kind, *qr(chance, 1 + number // 3 % 6))
    if kind == "EAN-13":
        digits = chance.choice(["978", "979", str(chance.randint(100, 999))])
        digits += "".join(chance.choices("0123456789", k=9))
        full = barcode.get_barcode_class("ean13")(digits).get_fullcode()
        return kind, bars("ean13", digits, 11), full
    text = "".join(chance.choices(LETTERS, k=chance.randint(4, 14)))
    return kind, bars("code128", text, 10), text


def homography(source, target):
    """The 3 x 3 map of four points to four others."""
    rows, values = [], []
    for (x, y), (u, v) in zip(source, target):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return numpy.append(numpy.linalg.solve(numpy.array(rows), numpy.array(values)), 1).reshape(3, 3)


def background(chance):
    noise = numpy.random.default_rng(chance.randrange(2**32))
    coarse = Image.fromarray(noise.integers(60, 220, (4, 5, 3), dtype=numpy.uint8))
    picture = coarse.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(picture)
    for _ in range(chance.randint(0, 12)):
        x, y = chance.randrange(WIDTH), chance.randrange(HEIGHT)
        box = [x, y, x + chance.randint(10, 200), y + chance.randint(5, 120)]
        colour = tuple(chance.randrange(30, 230) for _ in range(3))
        if chance.random() < 0.5:
            draw.rectangle(box, fill=colour)
        else:
            draw.line(box, fill=colour, width=chance.randint(1, 6))
    return numpy.asarray(picture, dtype=numpy.float32)


def picture(chance, modules):
    """The drawn picture, the code's angle and the pixels of a module."""
    rows, columns = modules.shape
    angle = chance.uniform(0, 360)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    scale = chance.uniform(2, 6)
    wide = abs(columns * cos) + abs(rows * sin)
    high = abs(columns * sin) + abs(rows * cos)
    scale = min(scale, 0.94 * WIDTH / wide, 0.94 * HEIGHT / high)
    slackX, slackY = (WIDTH - wide * scale) / 2, (HEIGHT - high * scale) / 2
    middle = (WIDTH / 2 + chance.uniform(-0.9, 0.9) * slackX, HEIGHT / 2 + chance.uniform(-0.9, 0.9) * slackY)
    wobble = 0.04 * math.sqrt(rows * columns) * scale
    source = [(0, 0), (columns, 0), (columns, rows), (0, rows)]
    target = []
    for x, y in source:
        u, v = (x - columns / 2) * scale, (y - rows / 2) * scale
        target.append((middle[0] + u * cos - v * sin + chance.uniform(-wobble, wobble) / 2,
                       middle[1] + u * sin + v * cos + chance.uniform(-wobble, wobble) / 2))
    back = homography(target, source)
    offsets = (numpy.arange(FINE) + 0.5) / FINE
    xs = (numpy.arange(WIDTH)[:, None] + offsets).ravel()
    ys = (numpy.arange(HEIGHT)[:, None] + offsets).ravel()
    x, y = numpy.meshgrid(xs, ys)
    w = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    column = numpy.floor((back[0, 0] * x + back[0, 1] * y + back[0, 2]) / w).astype(int)
    row = numpy.floor((back[1, 0] * x + back[1, 1] * y + back[1, 2]) / w).astype(int)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    dark = numpy.zeros(x.shape, dtype=numpy.float32)
    dark[inside] = modules[row[inside], column[inside]]

    def mean(plane):
        return plane.reshape(HEIGHT, FINE, WIDTH, FINE).mean(axis=(1, 3))[..., None]

    contrast = chance.uniform(90, 235)
    light = chance.uniform(max(150, contrast + 5), 250)
    cover, ink = mean(inside.astype(numpy.float32)), mean(dark)
    drawn = background(chance) * (1 - cover) + (cover * light - ink * contrast)
    blurred = Image.fromarray(numpy.clip(drawn, 0, 255).astype(numpy.uint8))
    blurred = blurred.filter(ImageFilter.GaussianBlur(chance.uniform(0, min(1, 0.3 * scale))))
    noise = numpy.random.default_rng(chance.randrange(2**32))
    noisy = numpy.asarray(blurred, dtype=numpy.float32) + noise.normal(0, chance.uniform(0, 8), (HEIGHT, WIDTH, 3))
    return Image.fromarray(numpy.clip(noisy.round(), 0, 255).astype(numpy.uint8)), angle, scale


def draw(folder, count, seed):
    chance = random.Random(seed)
    with open(folder / "truth.csv", "w", newline="", encoding="utf-8") as file:
        truth = csv.writer(file, lineterminator="\n")
        truth.writerow(["file", "symbology", "payload", "angle", "scale"])
        for number in range(count):
            kind, modules, text = symbol(chance, number)
            image, angle, scale = picture(chance, modules)
            name = f"{number:03}.png"
            image.save(folder / name)
            truth.writerow([name, kind, text, f"{angle:.1f}", f"{scale:.2f}"])


def percentile(values, percent):
    """By nearest rank."""
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=480)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--keep", action="store_true", help="read pictures that are there already")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if not options.keep:
        draw(options.folder, options.count, options.seed)
    with open(options.folder / "truth.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    read, times, wrong = {}, [], 0
    for row in rows:
        pixels = numpy.asarray(Image.open(options.folder / row["file"]))
        start = time.perf_counter()
        found = zxingcpp.read_barcodes(pixels, formats=FORMATS)
        times.append(1_000 * (time.perf_counter() - start))
        texts = [code.text for code in found]
        wrong += sum(text != row["payload"] for text in texts)
        good, all_ = read.get(row["symbology"], (0, 0))
        read[row["symbology"]] = (good + (row["payload"] in texts), all_ + 1)
        if row["payload"] not in texts:
            print("missed:", *row.values(), texts)
    total = sum(good for good, _ in read.values())
    share = f"{total} of {len(rows)} read ({100 * total / len(rows):.2f} %), {wrong} wrong"
    print(f"zxing-cpp {version('zxing-cpp')}: {share};"
          f" P50 {percentile(times, 50):.2f} ms, P95 {percentile(times, 95):.2f} ms without decoding of the file")
    for kind, (good, all_) in sorted(read.items()):
        print(f"  {kind}: {good} of {all_}")


if __name__ == "__main__":
    main()
