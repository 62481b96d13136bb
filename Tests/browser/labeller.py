"""Plays a person who labels a photo of shelves and knows its books, and counts the keys and pointer actions.

    python3 labeller.py PHOTO LABELS.json OUT

LABELS.json has `books` with title, author, quad, and, if known, orientation and category. A typed letter, another key, a click and a
drag, also one that selects letters, count one each. Case and punctuation need no correction.
"""

import difflib
import json
import pathlib
import re
import statistics
import sys
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


def spans(text, wanted):
    """Places in a text that have to become another text: each is selected by a drag, or a click, and typed over."""
    operations = difflib.SequenceMatcher(None, text.lower(), wanted.lower(), autojunk=False).get_opcodes()
    return [(start, end, wanted[low:high]) for kind, start, end, low, high in operations if kind != "equal"]


def corrections(text, wanted):
    """Actions of the cheaper correction, and its places: a key and the whole text, or place by place."""
    if fold(text) == fold(wanted):
        return 0, []
    ways = [[(0, len(text), wanted)], spans(text, wanted)]
    return min(((sum(1 + max(1, len(new)) for _, _, new in way), way) for way in ways), key=lambda way: way[0])


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
        while state := self.state():
            place = box(state["outline"])
            fit, best = max(((overlap(book["box"], place), at) for at, book in enumerate(self.left)), default=(0, None))
            inside = sorted((book for book in self.left if all(
                place[at] <= (book["box"][at] + book["box"][at + 2]) / 2 <= place[at + 2] for at in (0, 1))), key=lambda book: book["box"])
            if fit >= 0.5:
                self.label(self.left[best])
            elif len(inside) > 1:
                first, second = inside[0]["box"], inside[1]["box"]
                self.pointer(((first[2] + second[0]) / 2, max(place[1], min(place[3], (first[1] + first[3]) / 2))), shift=True)
            elif inside:
                # An outline that is too large or too small is drawn again, over it.
                self.redraw(inside[0])
            if (now := self.state()) and now["id"] == state["id"]:
                self.press("d")
        for book in self.left[:]:
            self.redraw(book)
        if self.page.run("asks !== null"):
            self.press("Enter")
        return {"labelled": len(self.counts), "median": statistics.median(self.counts), "mean": round(statistics.mean(self.counts), 2),
                "one": self.counts.count(1)}

    def redraw(self, book):
        left, top, right, bottom = book["box"]
        x, y, width, height = map(float, self.page.run("overlay.getAttribute('viewBox')").split())
        if not (x < left and y < top and right < x + width and bottom < y + height):
            self.press("z")
        self.pointer((left, top), ((left + right) / 2, (top + bottom) / 2), (right, bottom))
        if (state := self.state()) and overlap(book["box"], box(state["outline"])) >= 0.5:
            self.label(book)

    def label(self, book):
        title, author = book["title"], book.get("author") or ""
        # Splits a line of author and title, where that is all it takes.
        words = self.state()["title"].split(" ")
        for count in range(1, min(4, len(words))):
            for first, rest, isLast in ((words[:count], words[count:], False), (words[-count:], words[:-count], True)):
                if author and (fold(" ".join(first)), fold(" ".join(rest))) == (fold(author), fold(title)):
                    self.press(*"w" * count, shift=isLast)
        self.fix("title", title)
        self.fix("author", author, shift=True)
        # A number for the author may have taken a line from the title.
        self.correct("title", title)
        isStylized = book.get("category") == "stylized"
        for name, key in (("orientation", "o"), *([] if isStylized else [("category", "c")])):
            for _ in range(5):
                if book.get(name) not in (None, self.state()[name]):
                    self.press(key)
        self.press("Enter", shift=isStylized)
        assert not (error := self.page.run("byID('status').classList.contains('bad') && byID('status').textContent")), error
        self.left.remove(book)
        self.counts.append(self.actions)
        self.actions = 0

    def fix(self, name, wanted, shift=False):
        """Makes a field what is wanted, in the fewest actions: by numbers, and by corrections of what is there then."""
        state = self.state()
        choices = state["choices"][:9]
        lines = sum("line" in choice for choice in choices)
        ways = [([], state[name]), (["0"], "")] + [([str(at + 1)], choice["text"]) for at, choice in enumerate(choices)]
        ways += [([str(start + 1), str(end + 1)], " ".join(choice["text"] for choice in choices[start:end + 1]))
                 for start in range(lines) for end in range(start + 1, lines)]
        self.press(*min(ways, key=lambda way: len(way[0]) + corrections(way[1], wanted)[0])[0], shift=shift)
        self.correct(name, wanted)

    def correct(self, name, wanted):
        cost, places = corrections(self.state()[name], wanted)
        for start, end, new in reversed(places):
            self.page.run(f"byID('{name}').focus(); byID('{name}').setSelectionRange({start}, {end})")
            self.page.type(new) if new else self.page.press("Delete")
        self.page.run("document.activeElement.blur(); work")
        self.actions += cost
        assert fold(self.state()[name]) == fold(wanted), (self.state()[name], wanted)


def label(photo, books, out):
    """Labels a photo on a new page, ends the program, and returns what it took."""
    with Server("label", photo, "--out", out, "--labeller", "script") as server, Page() as page:
        page.look(1600, 1000)
        page.open(server.entry)
        page.wait(READY)
        return Person(page, books).play()


if __name__ == "__main__":
    print(json.dumps(label(sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_text())["books"], sys.argv[3])))
