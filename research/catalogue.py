#!/usr/bin/env python3
"""Names books of texts whose book is known, or of photos, through `spinebench match` and `spinebench shelf`.

    python3 research/catalogue.py pairs PAIRS.csv --catalogue books.sqlite          # columns title, author, isbn, ocr
    python3 research/catalogue.py spines DIR=READS.jsonl … --catalogue books.sqlite  # READS: 'spinebench read DIR/images --json'
    python3 research/catalogue.py noise LIST.csv --catalogue books.sqlite           # misread made-up spines of a book list
    python3 research/catalogue.py shelves RUN DIR --catalogue books.sqlite          # lines of other tools, of 'run --suite peers-shelves'

Right is the same ISBN, or the same main title and an author's surname, in any edition. --without-book takes each text's book out of the
catalogue, with every edition and every collection that has its title. --features FILE writes the evidence that fit_matcher.py reads.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import tempfile

PROGRAM = os.environ.get("SPINEBENCH", ".build/release/spinebench")
EVIDENCE = """titleShare titleBits authorShare authorBits hasAuthor furtherBits explained unexplained likeness label missing telling phrase
lineFit names replaced nameLine authorLikeness size""".split()
CONFUSIONS = dict(zip("oOlIisSmdwecaunhbtfERDBgyv", "0 0 1 l l 5 5 rn cl vv c e o n u b h f t F K O 8 9 v y".split()))
MARKS = ["PENGUIN", "SCHOLASTIC", "VINTAGE", "641 Gar", "N Row", "820 Smi", "Planeta", "anagrama", "HarperCollins", "s", "F", "12", "PRESS", "FIC"]


def run(*words):
    return subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True).stdout


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def match(texts, catalogue, *options):
    """The matches of texts, which have lines and may have a title, an author and an isbn."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for text in texts:
            file.write(json.dumps({key: text[key] for key in ("lines", "title", "author", "isbn") if text.get(key)}) + "\n")
        file.flush()
        return [json.loads(line) for line in run("match", "--texts", file.name, "--catalogue", catalogue, *options).splitlines()]


def pairs(given):
    for path in given.inputs:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                lines = [{"text": line} for line in row["ocr"].splitlines()]
                group = row.get("image_name", "")
                yield {**row, "lines": lines, "kind": "pairs", "id": f"{group}/{row.get('mask_id', row['ocr'])}".replace("\n", " "), "group": group}


def book(label):
    return {"title": label.get("catalogueTitle") or label["title"], "author": label.get("authorFull") or label.get("author") or ""}


def spines(given):
    for word in given.inputs:
        folder, reads = word.split("=")
        labels = {os.path.basename(label["image"]): label for label in rows(f"{folder}/samples.jsonl") if label.get("legible", True)}
        for read in rows(reads):
            if label := labels.get(os.path.basename(read["path"])):
                group = label.get("group") or read["path"]
                yield {**book(label), "lines": read.get("lines", []), "kind": os.path.basename(reads), "id": label.get("id", read["path"]), "group": group}


def misread(chance, text, rate):
    words = text.split()
    if len(words) > 2 and chance.random() < rate * 2:
        words.pop(chance.randrange(len(words)))
    letters = []
    for letter in " ".join(words):
        if chance.random() >= rate:
            letters.append(letter)
        elif letter != " ":
            other = chance.choice("abcdefghijklmnopqrstuvwxyz")
            letters.append(chance.choice(["", letter + other, " " + letter] + 2 * [CONFUSIONS.get(letter, other)]))
    return "".join(letters)


def noise(given):
    """Lines of a title and an author as spines have them, misread at one of four rates."""
    chance = random.Random(given.seed)
    with open(given.inputs[0], newline="", encoding="utf-8") as file:
        books = list(csv.DictReader(file))
    for number, row in enumerate(chance.sample(books, min(given.count, len(books)))):
        author = (row.get("authors") or row.get("author") or "").split(";")[0].split("|")[0].strip()
        title = row["title"].split(":")[0].split(" (")[0].strip()
        words = title.split()
        cut = chance.randrange(1, len(words)) if len(words) > 3 and chance.random() < 0.5 else len(words)
        lines = [part for part in (" ".join(words[:cut]), " ".join(words[cut:])) if part]
        if author and chance.random() < 0.85:
            printed = author.split()[-1] if chance.random() < 0.45 else author
            lines.insert(0 if chance.random() < 0.6 else len(lines), printed)
        if chance.random() < 0.4:
            lines.append(chance.choice(MARKS))
        rate, upper = chance.choice([0, 0.01, 0.03, 0.08]), chance.random() < 0.5
        read = [misread(chance, line.upper() if upper else line, rate) for line in lines]
        yield {"title": row["title"], "author": author, "isbn": row.get("isbn") or row.get("isbn13"), "kind": "noise", "id": number, "group": number,
               "lines": [{"text": line} for line in read if line.strip()]}


def texts(given, of):
    known = list(of(given))
    options = ["--without-book"] * given.without_book + ["--readings", given.readings]
    found = match(known, given.catalogue, *options)
    ranks = [next((rank for rank, one in enumerate(each["candidates"]) if one["truth"] == 1), None) for each in found]
    right = [bool(each["isNamed"] and rank == 0) for each, rank in zip(found, ranks)]
    count, named = max(1, len(found)), sum(each["isNamed"] for each in found)
    print(f"{len(found)} texts: right {sum(right)} ({sum(right) / count:.1%}), wrong {named - sum(right)}, no match {len(found) - named}")
    print(f"recall@1 {ranks.count(0) / count:.4f}, recall@5 {sum(rank is not None for rank in ranks) / count:.4f}")
    times = sorted(each["milliseconds"] for each in found)
    print(f"P50 {times[len(times) // 2]:.1f} ms, P95 {times[int(0.95 * (len(times) - 1))]:.1f} ms")
    bins = [[] for _ in range(10)]
    for each, rank in zip(found, ranks):
        confidence = each["candidates"][0]["confidence"] if each["candidates"] else 0
        bins[min(9, int(10 * confidence))].append((confidence, rank == 0))
    error = sum(abs(sum(confidence - is_right for confidence, is_right in part)) for part in bins) / count
    print(f"expected calibration error {error:.3f} in ten bins")
    if given.features:
        with open(given.features, "w", encoding="utf-8") as file:
            print("kind", "id", "group", "truth", "key", *EVIDENCE, sep="\t", file=file)
            for text, each in zip(known, match(known, given.catalogue, "--readings", given.readings, "--limit", 40)):
                for one in each["candidates"]:
                    print(text["kind"], text["id"], text["group"], one["truth"], one["work"], *one["evidence"], sep="\t", file=file)


def area(corners):
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1]))) / 2


def common(one, other):
    """Area of two convex outlines in common (Sutherland and Hodgman, 1974); corners clockwise in pixels."""
    shape = [tuple(corner) for corner in one]
    for (x, y), (u, v) in zip(other, other[1:] + other[:1]):
        side = [(u - x) * (q - y) - (v - y) * (p - x) for p, q in shape]
        cut = []
        for place, corner in enumerate(shape):
            before, at, now = shape[place - 1], side[place - 1], side[place]
            if (at < 0) != (now < 0):
                share = at / (at - now)
                cut.append((before[0] + share * (corner[0] - before[0]), before[1] + share * (corner[1] - before[1])))
            if now >= 0:
                cut.append(corner)
        shape = cut
    return area(shape) if len(shape) > 2 else 0


def shelves(given):
    """Lines of a tool that finds no spines, cut by the labelled outlines: at most what it would do with a division of its own."""
    path, folder = given.inputs
    labels = {shelf["id"]: shelf["books"] for shelf in rows(f"{folder}/shelves.jsonl")}
    tools = {}
    for record in rows(f"{path}/samples.jsonl"):
        lines = (record.get("prediction") or {}).get("lines", [])
        for label in labels.get(record["id"], []):
            if label.get("quad") and label.get("title") and label.get("legible", True):
                tools.setdefault(record["measurement"], []).append({**book(label), "quad": label["quad"], "photo": record["id"], "lines": []})
        spines = [spine for spine in tools.get(record["measurement"], []) if spine["photo"] == record["id"]]
        for line in lines:
            shared = [common(line["quad"], spine["quad"]) if line.get("quad") else 0 for spine in spines]
            if any(shared):
                spines[shared.index(max(shared))]["lines"].append({"text": line["text"], "confidence": line.get("confidence", 1)})
    for tool, spines in tools.items():
        found = match([spine for spine in spines if spine["lines"]], given.catalogue)
        named = sum(each["isNamed"] for each in found)
        right = sum(each["isNamed"] and each["candidates"][0]["truth"] == 1 for each in found)
        print(f"{tool}: of {len(spines)} outlined books {len(found)} with lines, named {named}, rightly {right}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["pairs", "spines", "noise", "shelves"])
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--catalogue", default="embedded-open")
    parser.add_argument("--without-book", action="store_true")
    parser.add_argument("--readings", type=int, default=1)
    parser.add_argument("--features")
    parser.add_argument("--count", type=int, default=2_000, help="of noise: made-up spines")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    if given.kind == "shelves":
        shelves(given)
    else:
        texts(given, {"pairs": pairs, "spines": spines, "noise": noise}[given.kind])


main()
