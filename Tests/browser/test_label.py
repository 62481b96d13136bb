"""The page of `spinebench label`, in a real browser: `make browser-test`."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

import chromium
import labeller

PROJECT = labeller.PROJECT
SHELVES = PROJECT / "Datasets/shelves-1"
PHOTO = SHELVES / "shelves/shelf-00003.jpg"
HOSTILE = "<img src=x onerror=alert(1)>\"'</script> =cmd"
# The page's state before its first photo, and after.
READY = "photo !== null && (current !== null || asks !== null)"


def books():
    shelf = next(one for one in map(json.loads, (SHELVES / "shelves.jsonl").read_text().splitlines()) if one["id"] == "shelf-00003")
    return shelf["books"]


def lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def validate(folder):
    run = subprocess.run([labeller.PROGRAM, "dataset", "validate", folder], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
@unittest.skipUnless(labeller.PROGRAM.with_name("spinebench-apps").exists(), "spinebench-apps is not built: make apps")
class LabelPageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.photos, self.out = self.root / "photos", self.root / "set"
        self.photos.mkdir()
        shutil.copy(PHOTO, self.photos / "a shelf <b>.jpg")

    def start(self, *arguments, **page):
        serving = labeller.serving(self.photos, "--out", self.out, "--labeller", "ann", *arguments)
        self.address, self.process = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        self.browser = chromium.Page(**page)
        self.addCleanup(self.browser.close)
        self.browser.open(self.address)
        self.browser.wait(READY, 120)

    def end(self):
        """Ends the program as by Ctrl-C, and returns its output."""
        self.process.send_signal(2)
        output, _ = self.process.communicate(timeout=60)
        return self.process.returncode, output

    def press(self, *keys, shift=False):
        for key in keys:
            self.browser.press(key, shift=shift)
        self.settle()

    def settle(self):
        self.browser.run("work")

    def acts(self):
        return lines(self.out / "labels.jsonl")

    def test_the_keyboard_confirms_corrects_and_undoes(self):
        self.start()
        count = self.browser.run("photo.spines.length")
        self.assertGreaterEqual(count, 3)
        first = self.browser.run("draft")
        self.press("Enter")
        label = self.acts()[-1]["label"]
        self.assertEqual((label["title"], label["origin"]["kind"], label["origin"]["by"]), (first["title"], "confirmed", "ann"))
        self.press("e")
        self.browser.type("A corrected title")
        self.press("Enter")
        label = self.acts()[-1]["label"]
        self.assertEqual((label["title"], label["origin"]["kind"]), ("A corrected title", "corrected"))
        self.assertIn("A corrected title", label["transcription"])
        self.press("c", "o")
        turned = self.browser.run("draft")
        self.press("x")
        label = self.acts()[-1]["label"]
        self.assertEqual((label["legible"], label["orientation"]), (False, turned["orientation"]))
        self.press("u", "u")
        self.assertEqual([act["act"] for act in self.acts()], ["label"] * 3 + ["reopen"] * 2)
        # Answers that were not undone are there after a reload, and nothing else.
        self.browser.open(self.address)
        self.browser.wait(READY, 20)
        self.assertEqual(self.browser.run("photo.spines.filter(spine => spine.label).length"), 1)
        code, output = self.end()
        self.assertEqual(code, 0)
        samples = lines(self.out / "samples.jsonl")
        self.assertEqual([(one["title"], one["labelled"]["kind"]) for one in samples], [(first["title"], "confirmed")])
        self.assertEqual(validate(self.out)[0], 0, validate(self.out))
        self.assertFalse((self.out / "shelves.jsonl").exists())

    def test_numbers_take_lines_for_title_and_author(self):
        self.start()
        self.browser.run("""current.proposal.lines = ["Jane Roe", "A very", "long title", "4"], open(current), 0""")
        self.press("2", "3")
        self.assertEqual(self.browser.run("draft.title"), "A very long title")
        self.press("1", shift=True)
        self.assertEqual(self.browser.run("draft.author"), "Jane Roe")
        self.assertEqual(self.browser.run("draft.text"), "Jane Roe A very long title")
        # The line of the author for the title: the two change places.
        self.press("1")
        self.assertEqual(self.browser.run("[draft.title, draft.author]"), ["Jane Roe", "A very long title"])

    def test_outlines_are_drawn_split_dragged_and_completed(self):
        self.start()
        person = labeller.Person(self.browser, books())
        outline = self.browser.run("draft.outline")
        place = labeller.box(outline)
        self.press("s")
        person.pointer(((place[0] + place[2]) / 2, (place[1] + place[3]) / 2))
        self.settle()
        self.assertEqual([act["act"] for act in self.acts()], ["outline", "outline", "remove"])
        half = self.browser.run("draft.outline")
        self.assertEqual([half[0], half[3]], [outline[0], outline[3]])
        self.assertLess(half[1][0], outline[1][0] - 10)
        # A corner of the outline is dragged by touch.
        x, y = half[1]
        self.browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.browser.drag(person.point(x, y), person.point(x - 4, y + 8), touch=True)
        self.settle()
        corner = self.browser.run("draft.outline[1]")
        self.assertAlmostEqual(corner[1], y + 8, delta=2)
        # An outline drawn by touch.
        self.press("n", "z")
        self.browser.drag(person.point(5, 5), person.point(20, 90), person.point(45, 200), touch=True)
        self.settle()
        self.assertEqual([round(value) for value in labeller.box(self.browser.run("draft.outline"))], [5, 5, 45, 200])
        # A mouse draws without a key, over the current outline in its place.
        self.browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
        drawn = self.browser.run("current.id")
        self.press("z")
        self.browser.drag(person.point(20, 24), person.point(30, 90), person.point(50, 210))
        self.settle()
        self.assertEqual(self.acts()[-1], self.acts()[-1] | {"act": "remove", "spine": drawn})
        while self.browser.run("current !== null"):
            self.press("d")
        self.assertIn("missing?", self.browser.run("byID('question').textContent"))
        self.press("Enter")
        self.assertEqual(self.acts()[-1]["act"], "complete")
        self.assertEqual(self.end()[0], 0)
        self.assertEqual([len(shelf["books"]) for shelf in lines(self.out / "shelves.jsonl")], [0])
        self.assertEqual(validate(self.out)[0], 0)

    def test_blind_labels_see_nothing_that_was_read(self):
        self.start("--blind")
        self.assertEqual(self.browser.run("[draft.title, draft.author, draft.text, choicesOf(current).length]"), ["", "", "", 0])
        self.press("Enter")
        self.assertIn("title is missing", self.browser.run("byID('status').textContent"))
        self.press("e")
        self.browser.type("Typed")
        self.press("Enter")
        self.assertIn("“All text” is empty", self.browser.run("byID('status').textContent"))
        self.press("t")
        self.browser.type("Typed by Ann")
        self.press("Enter")
        origin = self.acts()[-1]["label"]["origin"]
        self.assertEqual((origin["kind"], origin["shown"]), ("typed", False))
        self.assertIn("made blind", self.browser.run("byID('warning').textContent"))

    def test_hostile_names_and_texts_stay_text_and_broken_photos_are_listed(self):
        (self.photos / "broken.jpg").write_bytes(b"\xff\xd8\xff no picture")
        self.start()
        self.browser.wait("all.photos.every(one => one.isRead) || (call('api/overview').then(value => { all = value; draw() }), false)", 60)
        self.press("e")
        self.browser.type(HOSTILE)
        self.press("Enter")
        self.assertEqual(self.acts()[-1]["label"]["title"], HOSTILE)
        self.assertIn(HOSTILE, self.browser.run("byID('spines').textContent"))
        self.assertEqual(self.browser.run("document.querySelectorAll('main img').length"), 1)
        self.assertIn("broken.jpg", self.browser.run("byID('failed').textContent"))
        self.assertEqual(self.browser.console, [])
        code, output = self.end()
        self.assertEqual(code, 1)
        self.assertIn("broken.jpg", (self.out / "CARD.md").read_text())
        self.assertEqual(validate(self.out)[0], 0, validate(self.out))

    def test_a_lost_program_is_reported_and_the_answer_stays_open(self):
        self.start()
        self.process.kill()
        self.process.wait()
        self.press("Enter")
        self.assertIn("not saved", self.browser.run("byID('status').textContent"))
        self.assertFalse(self.browser.run("Boolean(current.label)"))

    def test_it_fits_a_phone_in_light_and_dark(self):
        for dark in (False, True):
            with self.subTest(dark):
                self.start(width=390, height=844, dark=dark)
                self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)
                # Each answer has a button that a thumb can hit.
                self.assertGreaterEqual(self.browser.run("Math.min(...[...document.querySelectorAll('#acts button')].map(one => one.offsetHeight))"), 44)
                self.browser.click("#acts button")
                self.settle()
                self.assertEqual(self.acts()[-1]["act"], "label")
                self.end()

    def test_a_person_who_knows_the_books_needs_few_keys(self):
        out = self.root / "played"
        report = labeller.label(PHOTO, books(), out)
        print(json.dumps(report))
        self.assertLessEqual(report["median"], 2.5)
        code, text = validate(out)
        self.assertEqual(code, 0, text)
        self.assertEqual(len([one for one in lines(out / "samples.jsonl") if one["legible"]]), report["labelled"])

    def test_kills_lose_no_confirmed_label(self):
        # Ten of them, or KILLS. Half a second of answers each time: a label counts once its request was answered.
        kills = int(os.environ.get("KILLS", "10"))
        chance, confirmed = random.Random(1), {}
        self.start()
        total = self.browser.run("photo.spines.length")
        self.end()
        for number in range(kills):
            serving = labeller.serving(self.photos, "--out", self.out, "--labeller", "ann")
            address, process = serving.__enter__()
            client = labeller.Client(address)
            threading.Timer(chance.uniform(0, 0.25), process.kill).start()
            try:
                spines = client.get("api/photo?photo=0")["spines"]
                found = {one["id"]: one["label"]["title"] for one in spines if one.get("label")}
                for spine, title in confirmed.items():
                    self.assertIn(found.get(spine), title, f"kill {number}")
                confirmed = {spine: {title} for spine, title in found.items()}
                while True:
                    spine = str(chance.randrange(total) + 1)
                    title = f"Title {number} {chance.random()}"
                    proposal = spines[int(spine) - 1]["proposal"]
                    # An answer in flight may be there or not; an acknowledged one must be.
                    confirmed.setdefault(spine, {None}).add(title)
                    client.post("api/answer", {"photo": 0, "act": "label", "spine": spine, "isCorrected": True, "label": {
                        "outline": proposal["outline"], "title": title, "transcription": title,
                        "orientation": "cw", "category": "vertical", "legible": True}})
                    confirmed[spine] = {title}
            except OSError:
                pass
            finally:
                process.wait()
                serving.__exit__(None, None, None)
        run = subprocess.run([labeller.PROGRAM, "label", self.photos, "--out", self.out, "--write"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        samples = {one["id"].rsplit("-", 1)[1]: one["title"] for one in lines(self.out / "samples.jsonl")}
        for spine in set(samples) | set(confirmed):
            self.assertIn(samples.get(spine), confirmed.get(spine, ()))
        self.assertEqual(validate(self.out)[0], 0)
        print(f"{kills} kills, {len(lines(self.out / 'labels.jsonl'))} answers on disk, none lost")


if __name__ == "__main__":
    unittest.main()
