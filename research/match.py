"""Compares our matcher with rapidfuzz and with a plain trigram ranking, over the same strings and books.

    python research/match.py BOOKS.csv PAIRS.csv [--spinebench .build/release/spinebench]

BOOKS.csv has the columns title, author and isbn13, PAIRS.csv title, author, isbn and ocr: what a reader read off the spine
of that book. Right is, for all alike, a book with the same ISBN, or else with the same main title and a word of the
author's name in common. rapidfuzz compares each string with title and author of every book, folded beforehand; the
trigram ranking is Dice's coefficient over sets of trigrams, in numpy. Ours is called once for all strings, through a
catalogue that is built here.
"""

import argparse
import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import unicodedata
from importlib.metadata import version

import numpy
from rapidfuzz import fuzz, process


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("books")
    parser.add_argument("pairs")
    parser.add_argument("--spinebench", default=".build/release/spinebench", help="a release build")
    parser.add_argument("--limit", type=int, help="of the strings, take so many only, evenly spread")
    return parser.parse_args()


def fold(text):
    letters = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return " ".join(re.findall(r"\w+", letters))


def main_title(title):
    words = fold(re.split(r"[:;(/\[]", title)[0] or title).split()
    articles = {"the", "a", "an", "el", "la", "los", "las", "els", "les", "l", "un", "una", "le", "der", "die", "das"}
    return " ".join(words[1:] if len(words) > 1 and words[0] in articles else words)


def names(author):
    return {word for word in fold(author).split() if len(word) > 2 and not word.isdigit()}


def is_right(pair, book):
    if pair["isbn"] and pair["isbn"] == book["isbn13"]:
        return True
    if pair["main"] != book["main"]:
        return False
    return not pair["names"] or not book["names"] or bool(pair["names"] & book["names"])


class Trigrams:
    """Dice's coefficient of sets of trigrams, by an inverted index."""

    def __init__(self, texts):
        postings, sizes = {}, numpy.zeros(len(texts))
        for row, text in enumerate(texts):
            grams = self.grams(text)
            sizes[row] = len(grams)
            for gram in grams:
                postings.setdefault(gram, []).append(row)
        self.postings = {gram: numpy.array(rows) for gram, rows in postings.items()}
        self.sizes = sizes

    @staticmethod
    def grams(text):
        return {word[i : i + 3] for word in (f" {w} " for w in text.split()) for i in range(len(word) - 2)}

    def best(self, text):
        grams = self.grams(text)
        shared = numpy.zeros(len(self.sizes))
        for gram in grams:
            if gram in self.postings:
                shared[self.postings[gram]] += 1
        dice = 2 * shared / (self.sizes + len(grams) + 1e-9)
        return numpy.argsort(-dice, kind="stable")[:5]


def measure(name, pairs, books, best):
    ranks, times = [], []
    for pair in pairs:
        start = time.perf_counter()
        found = best(pair["folded"])
        times.append((time.perf_counter() - start) * 1e3)
        ranks.append(next((rank for rank, row in enumerate(found) if is_right(pair, books[row])), None))
    show(name, ranks, times)


def show(name, ranks, times):
    count = len(ranks)
    at = lambda limit: sum(rank is not None and rank < limit for rank in ranks) / count
    reciprocal = sum(1 / (rank + 1) for rank in ranks if rank is not None) / count
    times = sorted(times)
    print(
        f"  {name:28} recall@1 {at(1):.4f}  recall@5 {at(5):.4f}  MRR {reciprocal:.4f}  "
        f"P50 {statistics.median(times):6.2f} ms  P95 {times[int(0.95 * (count - 1))]:6.2f} ms",
        flush=True,
    )


def ours(given, pairs, books):
    with tempfile.TemporaryDirectory() as folder:
        catalogue, table = os.path.join(folder, "books.sqlite"), os.path.join(folder, "pairs.jsonl")
        subprocess.run([given.spinebench, "catalogue", "build", given.books, "--out", catalogue], check=True, stdout=sys.stderr)
        with open(table, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"lines": [{"text": line} for line in pair["ocr"].splitlines()]}) + "\n" for pair in pairs)
        command = [given.spinebench, "match", "--catalogue", catalogue, "--texts", table]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    ranks, times = [], []
    for pair, line in zip(pairs, lines, strict=True):
        result = json.loads(line)
        times.append(result["milliseconds"])
        found = [prepared(book["title"], "; ".join(book["authors"]), book.get("isbn", "")) for book in result["candidates"]]
        ranks.append(next((rank for rank, book in enumerate(found) if is_right(pair, book)), None))
    show("spinebench", ranks, times)


def prepared(title, author, isbn):
    return {"title": title, "author": author, "isbn13": isbn, "main": main_title(title), "names": names(author)}


def main():
    given = options()
    with open(given.books, encoding="utf-8") as file:
        books = [prepared(row["title"], row["author"], row["isbn13"]) for row in csv.DictReader(file)]
    with open(given.pairs, encoding="utf-8") as file:
        pairs = list(csv.DictReader(file))
    if given.limit:
        pairs = pairs[:: max(1, len(pairs) // given.limit)]
    for pair in pairs:
        pair.update(main=main_title(pair["title"]), names=names(pair["author"]), folded=fold(pair["ocr"]))
    by_title, isbns = {}, {book["isbn13"] for book in books if book["isbn13"]}
    for book in books:
        by_title.setdefault(book["main"], []).append(book)
    there = sum(
        pair["isbn"] in isbns or any(is_right(pair, book) for book in by_title.get(pair["main"], [])) for pair in pairs
    )
    print(f"rapidfuzz {version('rapidfuzz')}, numpy {numpy.__version__}, load {os.getloadavg()[0]:.1f}")
    print(f"{len(pairs):,} strings, {len(books):,} books; {there:,} strings' books are among them, which is the most to reach")
    texts = [f"{fold(book['title'])} {fold(book['author'])}" for book in books]
    ours(given, pairs, books)
    trigrams = Trigrams(texts)
    measure("trigrams (Dice)", pairs, books, trigrams.best)
    for name, scorer in (("rapidfuzz token_set_ratio", fuzz.token_set_ratio), ("rapidfuzz WRatio", fuzz.WRatio)):
        best = lambda text, scorer=scorer: [row for _, _, row in process.extract(text, texts, scorer=scorer, limit=5)]
        measure(name, pairs, books, best)


main()
