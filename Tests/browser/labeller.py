"""Plays a person who labels a photo of shelves and knows its books, and counts the keys and pointer actions.

A typed letter, another key, a click and a drag count one each. Case and punctuation need no correction.
"""

import re
import statistics
import unicodedata

from pages import Page, Server

# The page's state once a photo is there.
READY = "photo !== null && (current !== null || asks !== null)"


def fold(text):
    """Words in lower case, without marks and punctuation."""
    text = unicodedata.normalize("NFKD", text or "").lower()
    return " ".join(re.findall(r"[a-z0-9]+", re.sub(r"[\u0300-\u036f'’]", "", text)))


def box(points):
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def overlap(a, b):
    area = lambda left, top, right, bottom: max(0, right - left) * max(0, bottom - top)
    shared = area(max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))
    return shared / (area(*a) + area(*b) - shared)


class Person:
    def __init__(self, page, books):
        self.page, self.actions, self.counts = page, 0, []
        self.left = [book | {"box": box(book["quad"])} for book in books]

    def press(self, *keys, shift=False):
        self.page.press(*keys, shift=shift)
        self.page.run("work")
        self.actions += len(keys)

    def point(self, x, y):
        return self.page.run(f"(p => [p.x, p.y])(new DOMPoint({x}, {y}).matrixTransform(overlay.getScreenCTM()))")

    def pointer(self, *places, **how):
        self.page.drag(*[self.point(*place) for place in places], **how)
        self.page.run("work")
        self.actions += 1

    def state(self):
        return self.page.run("current && {...draft, id: current.id, choices: choicesOf(current)}")

    def play(self):
        """Labels what was proposed where a book is, and draws the others; returns what it took."""
        while state := self.state():
            place = box(state["outline"])
            book = max(self.left, key=lambda one: overlap(one["box"], place), default=None)
            if book and overlap(book["box"], place) >= 0.5:
                self.label(book)
            else:
                self.press("d")
        for book in self.left[:]:
            self.draw(book)
        if self.page.run("asks !== null"):
            self.press("Enter")
        return {"labelled": len(self.counts), "median": statistics.median(self.counts), "mean": round(statistics.mean(self.counts), 2)}

    def draw(self, book):
        left, top, right, bottom = book["box"]
        x, y, width, height = map(float, self.page.run("overlay.getAttribute('viewBox')").split())
        if not (x < left and y < top and right < x + width and bottom < y + height):
            self.press("z")
        self.pointer((left, top), ((left + right) / 2, (top + bottom) / 2), (right, bottom))
        self.label(book)

    def label(self, book):
        isStylized = book.get("category") == "stylized"
        # A number for the author may have taken a line from the title.
        for name, shift in (("title", False), ("author", True), ("title", False)):
            self.fix(name, book.get(name) or "", shift)
        for name, key in (("orientation", "o"), *([] if isStylized else [("category", "c")])):
            for _ in range(5):
                if book.get(name) not in (None, self.state()[name]):
                    self.press(key)
        self.press("Enter", shift=isStylized)
        assert not (error := self.page.run("byID('status').classList.contains('bad') && byID('status').textContent")), error
        self.left.remove(book)
        self.counts.append(self.actions)
        self.actions = 0

    def fix(self, name, wanted, shift):
        """Makes a field what is wanted: as it is, by the numbers of one or more lines, or typed."""
        state = self.state()
        texts = [choice["text"] for choice in state["choices"][:9]]
        ranges = [(start, end) for start in range(len(texts)) for end in range(start, len(texts))]
        ways = [([], state[name]), (["0"], ""), *(([str(at + 1) for at in sorted({start, end})], " ".join(texts[start:end + 1]))
                                                  for start, end in ranges)]
        keys = next((keys for keys, text in ways if fold(text) == fold(wanted)), None)
        if keys is None:
            self.page.run(f"byID('{name}').select()")
            self.page.type(wanted)
            self.page.run("document.activeElement.blur(); work")
            self.actions += 1 + len(wanted)
        else:
            self.press(*keys, shift=shift)
        assert fold(self.state()[name]) == fold(wanted), (self.state()[name], wanted)


def label(photo, books, out):
    """Labels a photo on a new page, ends the program, and returns what it took."""
    with Server("label", photo, "--out", out, "--labeller", "script") as server, Page() as page:
        page.look(1600, 1000)
        page.open(server.entry)
        page.wait(READY)
        return Person(page, books).play()
