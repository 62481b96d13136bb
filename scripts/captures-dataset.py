#!/usr/bin/env python3
"""Draws Datasets/captures-1: what people photograph beside spines, with what is on it.

    python3 scripts/captures-dataset.py FOLDER --spines FOLDER [--seed 27]

Takes qrcode, python-barcode, pillow and numpy, and the fonts of Debian's fonts-dejavu-core. The spines and shelves are
those of `spinebench dataset synth --out FOLDER --count 24 --shelves 8 --seed 27`, with their labels. Each of the others is
RGB of 800 x 600 pixels (codes 640 x 480), with light noise, as JPEG at quality 85:

* 36 codes, drawn as scripts/codes-peer.py does: QR, EAN-13 and Code 128 in turn;
* 24 pages: paper with 14 to 26 lines, in light perspective on a table; its corners are its outline;
* 32 things without text: mugs, leaves, bottles and stars, on plain, graded, wooden and cluttered ground in turn;
* 24 signs of one to four lines on a wall;
* 16 grounds with nothing on them.
"""

import argparse
import importlib.util
import json
import math
import pathlib
import random
import shutil

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

WIDTH, HEIGHT = 800, 600
# A drawing is so much larger than its picture, for smooth edges.
FINE = 3
FONTS = "/usr/share/fonts/truetype/dejavu"
WORDS = """water light garden window paper evening letter market street winter river table music kitchen morning train
coffee mountain bridge library summer corner yellow silver number station village ticket shadow island picture forest
harbour season kettle pencil pocket ladder candle mirror basket button carpet engine finger meadow needle oven pillow
ribbon saddle thread velvet whistle almond barley cellar dragon feather gallery hammer jacket lantern magnet napkin""".split()
SIGNS = [["OPEN", "Mon to Fri 9-17"], ["FRESH BREAD"], ["PLATFORM 4", "Night train to Graz"], ["SALE", "everything half price"],
         ["Please ring the bell"], ["EXIT"], ["Soup of the day", "pumpkin and ginger", "4.50"], ["CAUTION", "wet floor"],
         ["Lost cat", "grey, white paws", "answers to Momo", "call 555 0142"], ["Bus 37", "every 12 minutes"],
         ["Concert tonight", "eight o'clock"], ["Do not feed the birds"]]


def codes_drawing():
    path = pathlib.Path(__file__).with_name("codes-peer.py")
    spec = importlib.util.spec_from_file_location("codes_peer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def colour(chance, low=30, high=225):
    return tuple(chance.randint(low, high) for _ in range(3))


def ground(chance, kind):
    """A large picture of a plain, graded, wooden or cluttered ground."""
    width, height = WIDTH * FINE, HEIGHT * FINE
    noise = numpy.random.default_rng(chance.randrange(2**32))
    base = numpy.array(colour(chance, 60, 215), dtype=numpy.float32)
    if kind == "plain":
        return Image.new("RGB", (width, height), tuple(int(part) for part in base))
    if kind == "graded":
        other = numpy.clip(base + noise.normal(0, 35, 3), 20, 240)
        angle = chance.uniform(0, math.tau)
        x, y = numpy.meshgrid(numpy.linspace(-1, 1, width // 8), numpy.linspace(-1, 1, height // 8))
        share = ((x * math.cos(angle) + y * math.sin(angle)) / 2.9 + 0.5)[..., None]
        small = Image.fromarray((base * (1 - share) + other * share).astype(numpy.uint8))
        return small.resize((width, height), Image.Resampling.BICUBIC)
    if kind == "wood":
        rows = numpy.cumsum(noise.normal(0, 1, height // 8))
        rows = (rows - rows.mean()) / (rows.std() + 1e-6)
        waves = numpy.sin(numpy.linspace(0, chance.uniform(2, 6), width // 8))[None, :] * chance.uniform(0.1, 0.4)
        grain = rows[:, None] * 0.6 + waves + noise.normal(0, 0.25, (height // 8, width // 8))
        wood = numpy.array([150, 105, 65], dtype=numpy.float32) + chance.uniform(-25, 35)
        small = numpy.clip(wood + grain[..., None] * numpy.array([16, 13, 10]), 0, 255).astype(numpy.uint8)
        return Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC)
    picture = Image.new("RGB", (width, height), tuple(int(part) for part in base))
    draw = ImageDraw.Draw(picture)
    for _ in range(chance.randint(25, 45)):
        x, y = chance.randrange(width), chance.randrange(height)
        box = [x - chance.randint(30, 400), y - chance.randint(30, 300), x + chance.randint(30, 400), y + chance.randint(30, 300)]
        (draw.rectangle if chance.random() < 0.5 else draw.ellipse)(box, fill=colour(chance))
    return picture


def shape(chance):
    """An outline around the origin, about 1 across."""
    kind = chance.choice(["mug", "leaf", "bottle", "star"])
    if kind == "mug":
        handle = [(0.38 + 0.24 * math.cos(a), 0.02 + 0.24 * math.sin(a)) for a in numpy.linspace(-1.3, 1.3, 24)]
        return [(-0.38, -0.5), (0.38, -0.5)] + handle + [(0.34, 0.5), (-0.34, 0.5)]
    if kind == "leaf":
        side = [(t - 0.5, 0.30 * math.sin(math.pi * t) ** 0.8) for t in numpy.linspace(0, 1, 30)]
        return side + [(x, -0.9 * y) for x, y in reversed(side[1:-1])]
    if kind == "bottle":
        half = [(0.07, -0.6), (0.07, -0.3), (0.2, -0.12), (0.22, 0.6)]
        return half + [(-x, y) for x, y in reversed(half)]
    points = chance.choice([5, 6, 7])
    return [((0.5 if n % 2 == 0 else 0.24) * math.cos(math.pi * n / points), (0.5 if n % 2 == 0 else 0.24) * math.sin(math.pi * n / points))
            for n in range(2 * points)]


def placed(chance, points, size):
    angle = chance.uniform(0, math.tau)
    reach = 0.62 * size
    middle = (chance.uniform(reach, WIDTH - reach), chance.uniform(reach, HEIGHT - reach)) if reach < HEIGHT / 2 else (WIDTH / 2, HEIGHT / 2)
    return [(middle[0] + size * (x * math.cos(angle) - y * math.sin(angle)), middle[1] + size * (x * math.sin(angle) + y * math.cos(angle)))
            for x, y in points]


def finished(chance, picture):
    picture = picture.resize((WIDTH, HEIGHT), Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(chance.uniform(0.3, 1.0)))
    noise = numpy.random.default_rng(chance.randrange(2**32))
    pixels = numpy.asarray(picture, dtype=numpy.float32) + noise.normal(0, chance.uniform(1, 5), (HEIGHT, WIDTH, 3))
    return Image.fromarray(numpy.clip(pixels.round(), 0, 255).astype(numpy.uint8))


def thing(chance, kind):
    picture = ground(chance, kind)
    points = placed(chance, shape(chance), chance.uniform(230, 420))
    under = numpy.asarray(picture.resize((1, 1))).ravel()
    while True:
        ink = colour(chance)
        if sum((int(a) - int(b)) ** 2 for a, b in zip(ink, under)) > 80 ** 2:
            break
    draw = ImageDraw.Draw(picture)
    large = [(x * FINE, y * FINE) for x, y in points]
    shadow = Image.new("L", picture.size, 0)
    ImageDraw.Draw(shadow).polygon([(x + 18, y + 24) for x, y in large], fill=70)
    picture.paste((20, 20, 20), mask=shadow.filter(ImageFilter.GaussianBlur(24)))
    draw.polygon(large, fill=ink)
    for _ in range(3):
        at = chance.choice(large)
        middle = (sum(x for x, _ in large) / len(large), sum(y for _, y in large) / len(large))
        share = chance.uniform(0.2, 0.6)
        x, y = middle[0] + share * (at[0] - middle[0]), middle[1] + share * (at[1] - middle[1])
        draw.ellipse([x - 20, y - 20, x + 20, y + 20], fill=tuple(min(255, part + 25) for part in ink))
    return finished(chance, picture), points


def text_plane(chance, lines, size, width, height, paper, ink, gap):
    plane = Image.new("RGB", (width * FINE, height * FINE), paper)
    draw = ImageDraw.Draw(plane)
    name = chance.choice(["DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"])
    font = ImageFont.truetype(f"{FONTS}/{name}", size * FINE)
    for number, line in enumerate(lines):
        draw.text((width * FINE * 0.08, height * FINE * 0.06 + number * size * gap * FINE), line, font=font, fill=ink)
    return plane


def laid(chance, picture, plane, wobble, turn):
    """Lays a plane onto a picture, in light perspective; gives its corners in the finished picture's pixels."""
    width, height = plane.width / FINE, plane.height / FINE
    angle = chance.uniform(-turn, turn)
    corners = []
    for x, y in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]:
        u, v = x * width, y * height
        corners.append((WIDTH / 2 + u * math.cos(angle) - v * math.sin(angle) + chance.uniform(-wobble, wobble),
                        HEIGHT / 2 + u * math.sin(angle) + v * math.cos(angle) + chance.uniform(-wobble, wobble)))
    large = [(x * FINE, y * FINE) for x, y in corners]
    source = [(0, 0), (plane.width, 0), (plane.width, plane.height), (0, plane.height)]
    rows, values = [], []
    for (x, y), (u, v) in zip(large, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    back = numpy.linalg.solve(numpy.array(rows), numpy.array(values))
    warped = plane.transform(picture.size, Image.Transform.PERSPECTIVE, tuple(back), Image.Resampling.BICUBIC)
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).polygon(large, fill=255)
    picture.paste(warped, mask=mask)
    return corners


def page(chance, kind):
    picture = ground(chance, kind)
    lines = []
    for _ in range(chance.randint(14, 26)):
        lines.append(" ".join(chance.choices(WORDS, k=chance.randint(4, 6))).capitalize())
    paper = tuple(chance.randint(225, 250) for _ in range(3))
    plane = text_plane(chance, lines, 13, 390, 540, paper, (30, 30, 35), 470 / 13 / len(lines))
    corners = laid(chance, picture, plane, 12, 0.1)
    return finished(chance, picture), corners


def sign(chance, lines, kind):
    picture = ground(chance, kind)
    paper, ink = colour(chance, 190, 250), colour(chance, 10, 80)
    size = chance.randint(30, 44)
    width = min(700, int(max(len(line) for line in lines) * size * 0.72 + 0.2 * size * 10))
    plane = text_plane(chance, lines, size, width, int(size * 1.5 * len(lines) + size), paper, ink, 1.45)
    laid(chance, picture, plane, 6, 0.06)
    return finished(chance, picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--spines", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=27)
    options = parser.parse_args()
    images = options.folder / "images"
    images.mkdir(parents=True)
    chance = random.Random(options.seed)
    codes = codes_drawing()
    samples = []

    def add(name, picture, scene):
        path = f"images/{name}.jpg"
        picture.convert("RGB").save(options.folder / path, quality=85)
        samples.append({"id": name, "image": path, "category": "mixed", "title": None, "transcription": "", "orientation": "upright",
                        "distractor": True, "scene": scene})

    def rounded(points):
        return [[round(x, 1), round(y, 1)] for x, y in points]

    for number in range(36):
        kind, modules, text = codes.symbol(chance, number)
        picture, _, _ = codes.picture(chance, modules)
        add(f"code-{number:02}", picture, {"label": "code", "codes": [text]})
        if kind == "EAN-13" and text.startswith(("978", "979")):
            # The number of a book: naming it may be right.
            del samples[-1]["distractor"]
            samples[-1]["legible"] = False
    kinds = ["plain", "graded", "wood", "cluttered"]
    for number in range(24):
        picture, corners = page(chance, kinds[number % 3])
        add(f"page-{number:02}", picture, {"label": "page", "subject": rounded(corners)})
    for number in range(32):
        picture, points = thing(chance, kinds[number % 4])
        add(f"thing-{number:02}", picture, {"label": "unknown", "subject": rounded(points)})
    for number in range(24):
        add(f"sign-{number:02}", sign(chance, SIGNS[number % len(SIGNS)], kinds[number % 3]), {"label": "text"})
    for number in range(16):
        add(f"ground-{number:02}", finished(chance, ground(chance, kinds[number % 4])), {"label": "unknown"})
    for line in (options.spines / "samples.jsonl").read_text(encoding="utf-8").splitlines():
        sample = json.loads(line)
        shutil.copy(options.spines / sample["image"], images / pathlib.Path(sample["image"]).name)
        sample["image"] = f"images/{pathlib.Path(sample['image']).name}"
        samples.append(sample | {"scene": {"label": "book"}})
    for line in (options.spines / "shelves.jsonl").read_text(encoding="utf-8").splitlines():
        shelf = json.loads(line)
        name = pathlib.Path(shelf["image"]).stem
        picture = Image.open(options.spines / shelf["image"])
        path = f"images/{name}.jpg"
        picture.save(options.folder / path, quality=85)
        samples.append({"id": name, "image": path, "category": "mixed", "title": None, "transcription": "", "orientation": "upright",
                        "legible": False, "scene": {"label": "bookshelf"}})
    with open(options.folder / "samples.jsonl", "w", encoding="utf-8") as file:
        for sample in samples:
            file.write(json.dumps(sample, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
