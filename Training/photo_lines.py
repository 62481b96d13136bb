"""Lines of photographs for finetune_head.py: found, cut out in several ways, drawn, and labelled without a person."""

import csv
import json
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont
from scipy import ndimage
from scipy.spatial import ConvexHull

# The reader's own: height of a line, factor on its width, width of a window, what it sees of its neighbours, a step.
HEIGHT, STRETCH, WIDTH, MARGIN, STEP = 48, 0.9, 320, 24, 8
LOOKS = 6


def quads(detector, image, side):
    """Yields the lines' corners in an image whose text runs from left to right, clockwise from the top left."""
    factor = min(1, side / max(image.size))
    size = tuple(round(one * factor / 32) * 32 for one in image.size)
    mean, deviation = (np.array(one, np.float32) * 255 for one in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))
    pixels = (np.asarray(image.resize(size), np.float32)[..., ::-1] - mean) / deviation
    (map_,) = detector.run(None, {"x": np.ascontiguousarray(pixels.transpose(2, 0, 1)[None])})
    regions, _ = ndimage.label(map_[0, 0] > 0.3)
    for number, place in enumerate(ndimage.find_objects(regions), 1):
        mask = regions[place] == number
        points = np.argwhere(mask)[:, ::-1] + [place[1].start, place[0].start]
        if len(points) < 30 or map_[0, 0][place][mask].mean() < 0.55 or np.ptp(points, 0).min() < 3:
            continue
        hull, boxes = points[ConvexHull(points).vertices].astype(float), []
        for edge in np.roll(hull, -1, 0) - hull:
            along = edge / np.hypot(*edge)
            frame = np.stack([along, [-along[1], along[0]]])
            low, high = (hull @ frame.T).min(0), (hull @ frame.T).max(0)
            boxes.append((np.prod(high - low), low, high, frame))
        _, low, high, frame = min(boxes, key=lambda one: one[0])
        margin = 1.6 * np.prod(high - low) / (2 * (high - low).sum())
        (a, b), (c, d) = low - margin, high + margin
        quad = np.array([[a, b], [c, b], [c, d], [a, d]]) @ frame * np.array(image.size) / size
        edges = np.roll(quad, -1, 0) - quad
        quad = np.roll(quad, -np.argmax(edges[:, 0] / np.hypot(*edges.T)), 0)
        length, thickness = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[3] - quad[0]))
        if length >= 1.5 * thickness and thickness >= 6:
            yield quad


def cut_out(image, quad, stretch=STRETCH):
    """Returns the line in the quad, HEIGHT high."""
    length, thickness = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[3] - quad[0]))
    width, factor = max(8, round(stretch * HEIGHT * length / thickness)), max(1, int(np.ceil(thickness / HEIGHT - 0.5)))
    rows = []
    for (x, y), (u, v) in zip(((0, 0), (1, 0), (1, 1), (0, 1)), quad):
        x, y = x * width * factor, y * HEIGHT * factor
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    map_ = np.linalg.solve(np.array(rows, float), quad.reshape(-1))
    size = (width * factor, HEIGHT * factor)
    return image.transform(size, Image.Transform.PERSPECTIVE, map_, Image.Resampling.BICUBIC).reduce(factor)


def looks(image, quad, chance):
    """Returns the line as the reader cuts it out, and in other ways."""
    yield cut_out(image, quad)
    along, down = quad[1] - quad[0], quad[3] - quad[0]
    beside = along / np.hypot(*along) * np.hypot(*down)
    for _ in range(LOOKS - 1):
        top, bottom, left, right, turn = (chance.uniform(-0.1, 0.1) for _ in range(5))
        ends = [top * down - left * beside, top * down + right * beside, bottom * down + right * beside]
        moved = quad + [*ends, bottom * down - left * beside] + np.outer([-1, 1, 1, -1], down) * turn / 2
        line = cut_out(image, moved, STRETCH * chance.uniform(0.85, 1.15))
        if chance.random() < 0.5:
            line = line.filter(ImageFilter.GaussianBlur(chance.uniform(0, 1.2)))
        line = ImageEnhance.Contrast(line).enhance(chance.uniform(0.6, 1.3))
        yield ImageEnhance.Brightness(line).enhance(chance.uniform(0.7, 1.2))


def windows(line):
    """Returns a line's windows (HEIGHT, WIDTH, 3), each with a mask of its own steps, as `LineWindows` has them."""
    pixels = np.asarray(line.convert("RGB"))
    width, room, start, parts = pixels.shape[1], WIDTH - 2 * MARGIN, 0, []
    spread = np.ptp(pixels[HEIGHT // 6 : HEIGHT * 5 // 6, :, 1].astype(int), 0)
    while start < width:
        end, count = width, 1 if width <= WIDTH else -(-(width - start) // room)
        if count > 1:
            share = (width - start) // count
            slack = max(1, min(share // 4, room - share))
            low = max(start + share - slack, width - (count - 1) * room)
            high = max(low, min(start + share + slack, start + room))
            end = min(range(low, high + 1), key=lambda k: (spread[k], abs(k - (low + high) // 2)))
        first, last = max(0, start - MARGIN), min(width, end + MARGIN)
        canvas, own = np.full((HEIGHT, WIDTH, 3), 127, np.uint8), np.zeros(WIDTH // STEP, bool)
        canvas[:, : last - first] = pixels[:, first:last]
        own[round((start - first) / STEP) : round((end - first) / STEP) + (end == width)] = True
        parts.append((canvas, own))
        start = end
    return parts


def drawn(names, chance):
    """Returns a drawn line and its text; nil for colours or a font that do not suit it."""
    words = chance.choice(names).split()
    start = chance.randrange(len(words))
    text = chance.choice((str, str.upper, str.upper))(" ".join(words[start : start + chance.choice((1, 1, 2, 3, 4))]))
    fonts = [one for one in sorted(Path("/usr/share/fonts").rglob("*.[ot]tf")) if "Noto" not in one.name]
    font, apart = ImageFont.truetype(str(chance.choice(fonts)), 40), chance.choice((0, 0, 0.2, 0.5, 1))
    ink, paper = ([chance.randrange(256) for _ in range(3)] for _ in range(2))
    if abs(sum(ink) - sum(paper)) < 150 or any(font.getmask(c).getbbox() is None for c in set(text) - {" "}):
        return None
    places = np.cumsum([10, *(font.getlength(c) * (1 + apart * (c != " ")) for c in text)])
    image = Image.new("RGB", (int(places[-1]) + 10, 56), tuple(paper))
    for letter, x in zip(text, places):
        ImageDraw.Draw(image).text((x, 28), letter, tuple(ink), font, anchor="lm")
    small = chance.uniform(0.2, 0.9)
    image = image.resize((max(8, int(image.width * small)), int(56 * small)), Image.Resampling.BOX)
    noise = np.random.default_rng(chance.randrange(2**31)).normal(0, chance.uniform(0, 10), (*image.size[::-1], 3))
    image = Image.fromarray((np.asarray(image) + noise).clip(0, 255).astype(np.uint8))
    (w, h), image = image.size, image.filter(ImageFilter.GaussianBlur(chance.uniform(0, 1)))
    return cut_out(image, np.array([[0.0, 0], [w, 0], [w, h], [0, h]])), text


def fold(text):
    """Returns the letters and digits alone, without accents and case."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if c.isalnum())


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, c in enumerate(a, 1):
        before, row = row, [i]
        for j, d in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (c != d)))
    return row[-1]


class Names:
    """Titles and authors of the built-in list, found by their groups of three letters."""

    def __init__(self, path):
        rows = list(csv.DictReader(path.open()))
        parts = ((row["title"], row["title"].split(":")[0], *row["authors"].split(";")) for row in rows)
        names = {one.strip() for part in parts for one in part}
        self.titles = [row["title"] for row in rows]
        self.names = [(one, fold(one)) for one in sorted(names) if len(fold(one)) >= 9]
        self.places = defaultdict(list)
        for k, (_, letters) in enumerate(self.names):
            for start in range(len(letters) - 2):
                self.places[letters[start : start + 3]].append(k)

    def nearly(self, text):
        """Returns the name that the text nearly is, in its kind of letters; nil if none."""
        letters, counts = fold(text), Counter()
        for start in range(len(letters) - 2):
            counts.update(set(self.places.get(letters[start : start + 3], ())))
        likely = (self.names[k] for k, _ in counts.most_common(12))
        best = min(((edits(letters, one[1]), one) for one in likely), default=(99, None))
        if len(letters) < 11 or best[0] > max(1, 0.12 * len(letters)):
            return None
        if best[1][1] == letters:
            return text
        return best[1][0] if any(c.islower() for c in text) else best[1][0].upper()


def label(texts, names):
    """Returns the text of a line of which looks read these texts, and who it is by; nil for no text."""
    for text in dict.fromkeys(texts):
        if name := names.nearly(text):
            return name, "list"
    most, count = Counter(map(fold, texts)).most_common(1)[0]
    agree = len(most) >= 3 and count >= 5
    return (next(text for text in texts if fold(text) == most), "looks") if agree else (None, None)


def judged_titles(folder):
    for file in [one for one in Path(folder).iterdir() if one.name in ("samples.jsonl", "shelves.jsonl", "shelf.json")]:
        text = file.read_text()
        for row in [json.loads(text)] if file.suffix == ".json" else map(json.loads, text.splitlines()):
            yield from (fold(one.get("title") or "") for one in [row, *(row.get("books") or [])])
