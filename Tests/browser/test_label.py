"""The page of `spinebench label`, in a real browser: `make browser-test`."""

import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import tempfile
import threading
import unittest

import labeller
from pages import PROGRAM, PROJECT, PageCase, Server, spinebench

SHELVES = PROJECT / "Datasets/shelves-1"
PHOTO = SHELVES / "shelves/shelf-00003.jpg"
HOSTILE = "<img src=x onerror=alert(1)>\"'</script> =cmd"


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


BOOKS = next(one["books"] for one in lines(SHELVES / "shelves.jsonl") if one["id"] == "shelf-00003")


class LabelPageTests(PageCase):
    def setUp(self):
        super().setUp()
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.photos, self.out = folder / "photos", folder / "set"
        self.photos.mkdir()
        shutil.copy(PHOTO, self.photos / "a shelf <b>.jpg")

    def serve(self, *arguments):
        self.server = self.enterContext(Server("label", self.photos, "--out", self.out, "--labeller", "ann", *arguments))
        self.own += (self.server.address,)

    def start(self, *arguments):
        self.serve(*arguments)
        self.open(self.server.entry)
        self.until(labeller.READY)
        self.person = labeller.Person(self.page, BOOKS)

    def end(self, code=0):
        """Ends the program as by Ctrl-C: what it wrote is valid."""
        self.same(self.server.end(), code)
        spinebench("dataset", "validate", self.out)

    def keys(self, *keys, type=None, shift=False):
        self.page.press(*keys, shift=shift)
        if type:
            self.page.type(type)
        self.js("work")

    def acts(self):
        return lines(self.out / "labels.jsonl")

    def last(self, **expected):
        """Has these properties of the last label, which is returned."""
        label = self.acts()[-1]["label"]
        self.same({key: (label | label["origin"])[key] for key in expected}, expected)
        return label

    def draft(self, *values):
        self.same(self.js("[draft.title, draft.author, draft.text]")[:len(values)], list(values))

    def test_the_keyboard_confirms_corrects_and_undoes(self):
        self.start()
        self.assertGreaterEqual(self.js("photo.spines.length"), 3)
        first = self.js("draft")
        self.keys("Enter")
        self.last(title=first["title"], kind="confirmed", by="ann")
        self.keys("e", type="A corrected title")
        self.keys("Escape", "a", type="Ann Author")
        self.keys("Enter")
        self.assertIn("A corrected title", self.last(title="A corrected title", author="Ann Author", kind="corrected")["transcription"])
        self.keys("c", "o")
        turned = self.js("draft.orientation")
        self.keys("x")
        self.last(legible=False, orientation=turned)
        self.keys("u", "u")
        self.same([act["act"] for act in self.acts()], ["label"] * 3 + ["reopen"] * 2)
        # Answers that were not undone are there after a reload, and nothing else.
        self.open(self.server.entry)
        self.until(labeller.READY)
        self.until("photo.spines.filter(spine => spine.label).length", 1)
        self.end()
        self.same([(one["title"], one["labelled"]["kind"]) for one in lines(self.out / "samples.jsonl")], [(first["title"], "confirmed")])
        self.assertFalse((self.out / "shelves.jsonl").exists())

    def test_numbers_take_lines_for_title_and_author(self):
        self.start()
        self.js("""current.proposal.lines = ["Jane Roe", "A very", "long title", "4"], open(current), 0""")
        self.keys("2", "3")
        self.draft("A very long title")
        self.keys("1", shift=True)
        self.draft("A very long title", "Jane Roe", "Jane Roe A very long title")
        # The line of the author for the title: the two change places.
        self.keys("1")
        self.draft("Jane Roe", "A very long title")
        # Words of the title are the author's: the first, and the last.
        for shift, names in ((False, ("Roe", "Jane")), (True, ("Jane", "Roe"))):
            self.js("open(current), change({ title: 'Jane Roe', author: '' }), 0")
            self.keys("w", shift=shift)
            self.draft(*names)

    def test_outlines_are_drawn_split_dragged_and_completed(self):
        self.start()
        outline = self.js("draft.outline")
        left, top, right, bottom = labeller.box(outline)
        middle = (left + right) / 2, (top + bottom) / 2
        # By a key and a click, and by a click with the shift key.
        for keys, shift in (("s", False), ("", True)):
            self.keys(*keys)
            self.person.pointer(middle, shift=shift)
            self.same([act["act"] for act in self.acts()][-3:], ["outline", "outline", "remove"])
            half = self.js("draft.outline")
            self.same([half[0], half[3]], [outline[0], outline[3]])
            self.assertLess(half[1][0], outline[1][0] - 10)
            if keys:
                self.keys("u")
        # A corner of the outline is dragged by touch.
        x, y = half[1]
        self.page.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.person.pointer((x, y), (x - 4, y + 8), touch=True)
        self.assertAlmostEqual(self.js("draft.outline[1][1]"), y + 8, delta=2)
        # An outline drawn by touch.
        self.keys("n", "z")
        self.person.pointer((5, 5), (20, 90), (45, 200), touch=True)
        self.same([round(value) for value in labeller.box(self.js("draft.outline"))], [5, 5, 45, 200])
        # A mouse draws without a key, over the current outline in its place.
        self.page.call("Emulation.setTouchEmulationEnabled", enabled=False)
        drawn = self.js("current.id")
        self.keys("z")
        self.person.pointer((20, 24), (30, 90), (50, 210))
        self.same((self.acts()[-1]["act"], self.acts()[-1]["spine"]), ("remove", drawn))
        while self.js("current !== null"):
            self.keys("d")
        self.has("#question", "missing?")
        self.keys("Enter")
        self.same(self.acts()[-1]["act"], "complete")
        self.end()
        self.same([len(shelf["books"]) for shelf in lines(self.out / "shelves.jsonl")], [0])

    def test_blind_labels_see_nothing_that_was_read(self):
        self.start("--blind")
        self.draft("", "", "")
        self.until("choicesOf(current).length", 0)
        self.keys("Enter")
        self.has("#status", "title is missing")
        self.keys("e", type="Typed")
        self.keys("Enter")
        self.has("#status", "“All text” is empty")
        # The browser itself reports both refusals.
        self.forget()
        self.keys("t", type="Typed by Ann")
        self.keys("Enter")
        self.last(kind="typed", shown=False)
        self.has("#warning", "made blind")

    def test_hostile_names_and_texts_stay_text_and_broken_photos_are_listed(self):
        (self.photos / "broken.jpg").write_bytes(b"\xff\xd8\xff no picture")
        self.start()
        # At once, before it is read.
        self.has("#failed", "broken.jpg")
        self.keys("e", type=HOSTILE)
        self.keys("Enter")
        self.last(title=HOSTILE)
        self.has("#spines", HOSTILE)
        self.counts("main img", 1)
        self.has("#failed", "broken.jpg")
        self.end(1)
        self.assertIn("broken.jpg", (self.out / "CARD.md").read_text())

    def test_the_whole_photo_is_one_spine_by_a_key(self):
        self.start()
        # While it is read, the photo is there alone.
        self.same(self.js("photo = (read => { photo = null; drawShelf(); return read; })(photo), q('#shelf img').getAttribute('src')"), "picture?photo=0")
        self.keys("f")
        self.keys("e", type="One")
        self.keys("Escape", "t", type="One book")
        self.keys("Enter")
        self.has("#question", "All photos are labelled")
        self.keys("Enter")
        self.has("#status", f"Next: {PROGRAM} run --dataset {self.out}")
        self.end()
        self.same([one["title"] for one in lines(self.out / "samples.jsonl")], ["One"])
        self.assertFalse((self.out / "shelves.jsonl").exists())

    def test_a_changed_label_leads_to_the_next_spine_of_its_photo(self):
        shutil.copy(PHOTO, self.photos / "b.jpg")
        self.start()
        self.js("(async () => { while (current) await confirm(false); await complete(); await show(0); })()")
        self.same(self.js("[number, photo.isComplete, photo.spines.indexOf(current)]"), [0, True, 0])
        self.keys("x")
        self.same(self.js("[number, photo.spines.indexOf(current)]"), [0, 1])

    def test_a_lost_program_is_reported_and_the_answer_stays_open(self):
        self.start()
        self.server.end(signal.SIGKILL)
        self.keys("Enter")
        self.has("#status", "not saved")
        self.until("Boolean(current.label)", False)
        self.forget()

    def test_it_fits_a_phone_in_light_and_dark(self):
        self.start()
        # Every answer is on the first screen of a small window.
        self.page.look(1280, 800)
        self.until("q('#work').scrollHeight <= q('#work').clientHeight")
        for dark in (False, True):
            self.page.look(390, 844, dark)
            self.open(self.server.entry)
            self.until(labeller.READY)
            self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 390)
            # The choices can be read.
            self.assertGreaterEqual(self.js("q('#orientation').offsetWidth"), 150)
            # Each answer has a button that a thumb can hit.
            self.assertGreaterEqual(self.js("Math.min(...qa('#acts button').map(one => one.offsetHeight))"), 44)
            self.click("#acts button")
            self.js("work")
            self.same([act["act"] for act in self.acts()], ["label"] * (1 + dark))

    def test_a_person_who_knows_the_books_needs_few_keys(self):
        report = labeller.label(PHOTO, BOOKS, self.out)
        print(report)
        self.assertLessEqual(report["median"], 2.5)
        spinebench("dataset", "validate", self.out)
        self.same(len([one for one in lines(self.out / "samples.jsonl") if one["legible"]]), report["labelled"])

    def test_kills_lose_no_confirmed_label(self):
        # Ten of them, or KILLS. A quarter of a second of answers each time: a label counts once its request was answered.
        kills, chance, confirmed = int(os.environ.get("KILLS", "10")), random.Random(1), {}
        self.start()
        spines = self.server.ask("api/photo", photo=0)["spines"]
        self.server.end()
        for number in range(kills):
            self.serve()
            threading.Timer(chance.uniform(0, 0.25), self.server.process.kill).start()
            try:
                found = {one["id"]: one["label"]["title"] for one in self.server.ask("api/photo", photo=0)["spines"] if one.get("label")}
                for spine, titles in confirmed.items():
                    self.assertIn(found.get(spine), titles, f"kill {number}")
                confirmed = {spine: {title} for spine, title in found.items()}
                while True:
                    at, title = chance.randrange(len(spines)), f"Title {number} {chance.random()}"
                    spine = spines[at]["id"]
                    # An answer in flight may be there or not; an acknowledged one must be.
                    confirmed.setdefault(spine, {None}).add(title)
                    self.server.ask("api/answer", json.dumps({"photo": 0, "act": "label", "spine": spine, "isCorrected": True, "label": {
                        "outline": spines[at]["proposal"]["outline"], "title": title, "transcription": title,
                        "orientation": "cw", "category": "vertical", "legible": True}}), kind="application/json")
                    confirmed[spine] = {title}
            except (OSError, http.client.HTTPException):
                self.server.end()
        spinebench("label", self.photos, "--out", self.out, "--write")
        samples = {one["id"].rsplit("-", 1)[1]: one["title"] for one in lines(self.out / "samples.jsonl")}
        for spine in set(samples) | set(confirmed):
            self.assertIn(samples.get(spine), confirmed.get(spine, ()))
        spinebench("dataset", "validate", self.out)
        self.assertGreater(len(self.acts()), kills)
        print(f"{kills} kills, {len(self.acts())} answers on disk, none lost")


if __name__ == "__main__":
    unittest.main()
