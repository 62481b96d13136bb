"""Plays a person who labels a photo of shelves and knows its books, and counts the keys and pointer actions.

    python3 labeller.py PHOTO LABELS.json [--text]

LABELS.json has `books` with title, author, and `quad` or `bbox` (x, y, width, height), and, if known, orientation, category and
transcription. A book without a place is recognised by the text that the reader proposes, and not counted. A typed letter, another key,
a click and a drag, also one that selects letters, count one each. Case and punctuation need no correction. With --text, the person also corrects the whole text of a spine, if the labels have it.
"""

import argparse
import contextlib
import difflib
import http.client
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse

import chromium

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH", PROJECT / ".build/release/spinebench"))


@contextlib.contextmanager
def serving(*arguments, program=PROGRAM):
    """The page's address and the process of `spinebench label`; it ends as by Ctrl-C."""
    process = subprocess.Popen([program, "label", *map(str, arguments), "--port", "0"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if found := re.search(r"http://\S+", line):
                yield found[0], process
                break
        else:
            raise RuntimeError("no page: " + "".join(lines))
    finally:
        if process.poll() is None:
            process.send_signal(2)
        process.communicate(timeout=120)


class Client:
    """The page's own requests, without a browser."""

    def __init__(self, address):
        parts = urllib.parse.urlsplit(address)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
        self.connection.request("GET", f"{parts.path}?{parts.query}")
        answer = self.connection.getresponse()
        answer.read()
        self.headers = {"Cookie": answer.headers["Set-Cookie"].split(";")[0], "x-spinebench": "1"}

    def ask(self, method, path, body=None):
        try:
            self.connection.request(method, "/" + path, body, self.headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except http.client.HTTPException as error:
            raise OSError(error) from error
        assert answer.status == 200, text
        return json.loads(text)

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, value):
        return self.ask("POST", path, json.dumps(value))


def fold(text):
    """Words in lower case, without marks and punctuation."""
    text = unicodedata.normalize("NFKD", text or "").lower()
    return " ".join(re.findall(r"[a-z0-9]+", re.sub(r"[\u0300-\u036f'’]", "", text)))


def box(points):
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def overlap(a, b):
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0
    area = lambda c: (c[2] - c[0]) * (c[3] - c[1])
    return width * height / (area(a) + area(b) - width * height)


class Person:
    # Least overlap of an outline that is accepted.
    FIT = 0.5

    def __init__(self, browser, books, corrects_text=False):
        self.browser, self.corrects_text = browser, corrects_text
        self.books = [dict(book) for book in books]
        for book in self.books:
            x, y, width, height = book.get("bbox") or [0, 0, 0, 0]
            book["box"] = box(book["quad"]) if book.get("quad") else (x, y, x + width, y + height) if width else None
        # Actions since the last label, and those of each labelled book.
        self.actions, self.counts, self.fits, self.overheads = 0, {}, [], 0

    def press(self, key, shift=False):
        self.browser.press(key, shift=shift)
        self.actions += 1

    def settle(self):
        self.browser.run("work")

    def point(self, x, y):
        return self.browser.run(
            f"(() => {{ const p = new DOMPoint({x}, {y}).matrixTransform(overlay.getScreenCTM()); return [p.x, p.y] }})()")

    def pointer(self, *places, shift=False):
        self.browser.drag(*[self.point(*place) for place in places], shift=shift)
        self.actions += 1

    def state(self):
        return self.browser.run(
            "current && {outline: draft.outline, title: draft.title, author: draft.author, text: draft.text, id: current.id,"
            " orientation: draft.orientation, category: draft.category, choices: choicesOf(current)}")

    def book(self, state):
        """The book that an outline fits; its books, if it has several; none."""
        place, left = box(state["outline"]), [book for book in self.books if "count" not in book]
        fits = [book for book in left if book["box"] and overlap(book["box"], place) >= self.FIT]
        if fits:
            return max(fits, key=lambda book: overlap(book["box"], place)), []
        inside = [book for book in left if book["box"] and self.holds(place, book["box"])]
        if inside:
            return None, sorted(inside, key=lambda book: book["box"][0])
        text = fold(" ".join(choice["text"] for choice in state["choices"]))
        for book in left:
            if not book["box"] and len(fold(book["title"])) > 4 and fold(book["title"]) in text:
                return book, []
        return None, []

    @staticmethod
    def holds(place, inner):
        x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
        return place[0] <= x <= place[2] and place[1] <= y <= place[3]

    def play(self):
        while (state := self.state()):
            book, inside = self.book(state)
            if book:
                self.label(book, state)
            elif len(inside) > 1:
                first, second = inside[0]["box"], inside[1]["box"]
                place = box(state["outline"])
                middle = max(place[1], min(place[3], (first[1] + first[3]) / 2))
                self.pointer(((first[2] + second[0]) / 2, middle), shift=True)
                self.settle()
                if self.state()["id"] == state["id"]:
                    self.redraw(inside[0])
            elif inside:
                # An outline that is too large or too small is drawn again, over it.
                self.redraw(inside[0])
                if (now := self.state()) and now["id"] == state["id"]:
                    self.press("d")
                    self.settle()
            else:
                self.press("d")
                self.settle()
        for book in self.books:
            if "count" not in book and book["box"]:
                self.redraw(book)
        self.overheads += self.actions

    def redraw(self, book):
        left, top, right, bottom = book["box"]
        view = [float(value) for value in self.browser.run("overlay.getAttribute('viewBox')").split()]
        if not (view[0] < left and view[1] < top and right < view[0] + view[2] and bottom < view[1] + view[3]):
            self.press("z")
            self.settle()
        self.pointer((left, top), ((left + right) / 2, (top + bottom) / 2), (right, bottom))
        self.settle()
        if state := self.state():
            if self.book(state)[0] is book:
                self.label(book, state)

    def label(self, book, state):
        marks = [self.actions]
        self.move_words(book)
        self.fix("title", "e", book["title"], state)
        marks.append(self.actions)
        self.fix("author", "a", book.get("author"), state, shift=True)
        # A number for the author may have taken a line from the title.
        if fold(self.state()["title"]) != fold(book["title"]):
            self.correct("e", "title", book["title"])
        marks.append(self.actions)
        isStylized = book.get("category") == "stylized"
        for name, key in (("orientation", "o"), ("category", "c")):
            for _ in range(5):
                if name == "category" and isStylized:
                    break
                if book.get(name) in (None, self.state()[name]):
                    break
                self.press(key)
                self.settle()
        if self.corrects_text and book.get("transcription"):
            if fold(self.state()["text"]) != fold(book["transcription"]):
                self.correct("t", "text", book["transcription"])
        self.press("Enter", shift=isStylized)
        self.settle()
        error = self.browser.run("byID('status').classList.contains('bad') ? byID('status').textContent : ''")
        assert not error, error
        marks.append(self.actions)
        book["parts"] = [marks[0]] + [b - a for a, b in zip(marks, marks[1:])]
        book["count"], self.actions = self.actions, 0
        if book["box"]:
            self.fits.append(overlap(book["box"], box(state["outline"])))

    def move_words(self, book):
        """Splits a line of author and title, where that is all it takes."""
        if not book.get("author"):
            return
        title, author, words = fold(book["title"]), fold(book["author"]), self.state()["title"].split(" ")
        for count in range(1, min(4, len(words))):
            for first, rest, shift in ((words[:count], words[count:], False), (words[-count:], words[:-count], True)):
                if fold(" ".join(first)) == author and fold(" ".join(rest)) == title:
                    for _ in range(count):
                        self.press("w", shift=shift)
                    self.settle()
                    return

    def fix(self, name, key, wanted, state, shift=False):
        """Makes a field what is wanted, in the fewest actions: by numbers, and by corrections of what is there then."""
        wanted = wanted or ""
        ways = [(0, (), self.state()[name]), (1, (-1,), "")]
        choices = state["choices"][:9]
        for start, choice in enumerate(choices):
            ways.append((1, (start,), choice["text"]))
            for end in range(start + 1, sum("line" in one for one in choices)):
                ways.append((2, (start, end), " ".join(one["text"] for one in choices[start:end + 1])))
        numbers, text = min(((numbers, text) for _, numbers, text in ways),
                            key=lambda way: len(way[0]) + self.cost(way[1], wanted))
        for number in numbers:
            self.press(str(number + 1), shift=shift)
            self.settle()
        if fold(self.state()[name]) != fold(wanted):
            self.correct(key, name, wanted)

    @staticmethod
    def spans(text, wanted):
        """Places in a text that have to become another text."""
        operations = difflib.SequenceMatcher(None, text.lower(), wanted.lower(), autojunk=False).get_opcodes()
        return [(start, end, wanted[low:high]) for kind, start, end, low, high in operations if kind != "equal"]

    @classmethod
    def cost(cls, text, wanted):
        """Actions of a correction: a key and the whole text, or for each place a drag that selects it (or a click) and its text."""
        if fold(text) == fold(wanted):
            return 0
        return min(1 + max(1, len(wanted)), sum(1 + max(1, len(new)) for _, _, new in cls.spans(text, wanted)))

    def correct(self, key, field, wanted):
        text = self.state()[field]
        cost = self.cost(text, wanted)
        if cost == 1 + max(1, len(wanted)):
            parts = [(0, len(text), wanted)]
            self.press(key)
            self.settle()
            self.actions -= 1
        else:
            parts = self.spans(text, wanted)
        for start, end, new in reversed(parts):
            self.browser.run(f"byID('{field}').focus(); byID('{field}').setSelectionRange({start}, {end})")
            if new:
                self.browser.type(new)
            else:
                self.browser.press("Delete")
        self.actions += cost
        # Another field is next, or Enter confirms from here.
        self.browser.run("document.activeElement.blur()")
        self.settle()
        assert fold(self.state()[field]) == fold(wanted), (self.state()[field], wanted)


def report(person):
    labelled = [book for book in person.books if "count" in book]
    # Books without a place are only recognised where they are read well.
    counts = [book["count"] for book in labelled if book["box"]] or [book["count"] for book in labelled]
    return {
        "labelled": len(labelled), "of": len(person.books), "counted": len(counts), "median": statistics.median(counts),
        "mean": round(statistics.mean(counts), 2),
        "one": sum(count == 1 for count in counts), "two": sum(count == 2 for count in counts),
        "afterTheLast": person.overheads, "meanOverlap": round(statistics.mean(person.fits), 3),
    }


def label(photo, books, out, corrects_text=False, labeller="script", arguments=()):
    """Labels a photo on a new page, ends the program, and returns the report."""
    with serving(photo, "--out", out, "--labeller", labeller, *arguments) as (address, _):
        browser = chromium.Page(1600, 1000)
        try:
            browser.open(address)
            browser.wait("photo !== null && (current !== null || asks !== null)", 300)
            person = Person(browser, books, corrects_text)
            person.play()
            if browser.run("asks !== null && current === null"):
                person.press("Enter")
                person.settle()
            return report(person)
        finally:
            browser.close()


def books_of(labels):
    """Books of a labels file, with what the samples beside it know of their crops."""
    books = json.loads(pathlib.Path(labels).read_text())["books"]
    samples = pathlib.Path(labels).parent / "samples.jsonl"
    known = {}
    if samples.exists():
        known = {one["id"]: one for one in map(json.loads, samples.read_text().splitlines())}
    for book in books:
        sample = known.get(book.get("crop"))
        if sample:
            book.update({key: sample[key] for key in ("orientation", "category", "transcription") if key in sample})
    return books


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo")
    parser.add_argument("labels")
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--out")
    options = parser.parse_args()
    out = options.out or tempfile.mkdtemp()
    print(json.dumps(label(options.photo, books_of(options.labels), out, options.text)))
    check = subprocess.run([PROGRAM, "dataset", "validate", out], capture_output=True, text=True)
    print(check.stdout, end="")
    if not options.out:
        shutil.rmtree(out)
    sys.exit(check.returncode)
