"""The page that `spinebench dataset view` writes, in a real browser: `make browser-test`."""

import json
import unittest

from pages import HOSTILE, LOW_CONTRAST, FileCase, png, spinebench


def box(x, y, width, height):
    """A line's corners when it reads from top to bottom: it begins at the top right."""
    return [[x + width, y], [x + width, y + height], [x, y + height], [x, y]]


# Text heights are 30, 12, 20 and none; widths are 80 (the outline), 50, 60 and 200 (the pictures' short sides).
SPINES = [
    dict(id="s1", title="Alpha", author="García", category="vertical", orientation="cw", language="es", split="train",
         style="plain", difficulty={"blurSigma": 2, "contrast": 0.9}, size=(100, 400),
         outline=[[10, 5], [90, 5], [90, 395], [10, 395]],
         lines=[dict(text="Alpha", role="title", quad=box(20, 10, 30, 200), font="Serif", size=32),
                dict(text="García", role="author", quad=box(20, 250, 40, 100))]),
    dict(id="s2", title="beta", author="Ng", category="inverted", orientation="ccw", language="en", split="test",
         style="foil", difficulty={"blurSigma": 10, "contrast": 0.1}, size=(50, 300),
         lines=[dict(text="beta", role="title", quad=box(5, 10, 12, 90)), dict(text="X 12", role="sticker", quad=box(5, 200, 20, 40))]),
    dict(id="s10", **dict.fromkeys(["title", "author", "transcription", "group", "source", "style", "split", "licence"], HOSTILE),
         category="stylized", orientation="inverted", difficulty={HOSTILE: 1, "__proto__": 3}, size=(60, 600),
         lines=[dict(text=HOSTILE, font=HOSTILE, role="other", quad=box(5, 10, 20, 90))]),
    dict(id="s3", title=None, transcription="", legible=False, category="horizontal", orientation="upright", size=(300, 200)),
]
SHELVES = [
    dict(id="row", size=(900, 400), books=[
        dict(id="b1", title="Gamma", author="Lem", orientation="cw", category="vertical", language="pl",
             quad=[[10, 10], [110, 10], [110, 390], [10, 390]], lines=[dict(text="Gamma", role="title", quad=box(30, 30, 50, 200))]),
        dict(id="b2", title=HOSTILE, quad=[[120, 10], [200, 10], [200, 390], [120, 390]]),
    ]),
    dict(id="bare", size=(300, 100), books=[]),
]
SIZES = """Promise.all(qa('.card image').map(async image => {
    const copy = new Image(); copy.src = image.getAttribute('href'); await copy.decode(); return [copy.naturalWidth, copy.naturalHeight]; }))"""
BOXES = "qa('.card svg').map(one => one.getAttribute('viewBox'))"
CORNERS = """(line => [...line.points].map(point => point.matrixTransform(line.getScreenCTM())).map(p => [p.x, p.y]))(q('.card .line polygon'))"""


class ContactSheetTests(FileCase):
    items = "qt('.card code')"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.whole = cls.view("data")

    @classmethod
    def view(cls, name, spines=SPINES, shelves=SHELVES, code=0, edit=lambda data: None, expected=()):
        """The page of a dataset."""
        data = cls.root / name
        (data / "images").mkdir(parents=True)
        (data / "dataset.json").write_text(json.dumps(dict.fromkeys(["name", "description", "licence"], HOSTILE)))
        for file, rows in (("samples", spines), ("shelves", shelves)):
            for row in rows:
                label = dict(image=f"images/{row['id']}.png", transcription=row.get("title") or "") | row
                (data / label["image"]).write_bytes(png(*label.pop("size")))
                if file == "shelves":
                    del label["transcription"]
                with open(data / f"{file}.jsonl", "a") as lines:
                    lines.write(json.dumps(label) + "\n")
        edit(data)
        said = spinebench("dataset", "view", data, "--out", cls.root / f"{name}.html", codes=(code,))
        for text in expected:
            cls().assertIn(text, said)
        return cls.root / f"{name}.html"

    def setUp(self):
        super().setUp()
        self.path = self.whole
        self.load()

    def test_everything_is_shown_in_the_order_of_the_files(self):
        self.listed("s1 s2 s10 s3 row bare")
        self.reads("#count", "4 of 4 spines, 2 of 2 shelves")
        self.assertNotRegex(self.text("#cards"), "undefined|null|NaN|true|false")
        self.until(SIZES, [[100, 400], [50, 300], [48, 480], [300, 200], [900, 400], [300, 100]])

    def test_each_filter_chooses(self):
        self.check_filters([({name: value}, expected) for name, value, expected in (
            ("q", "garcia", "s1"), ("q", "ALPHA gar", "s1"), ("q", "s10", "s10"), ("q", "lem", "row"),
            ("q", "onerror", "s10 row"), ("q", "nowhere", ""),
            ("kind", "shelf", "row"), ("category", "vertical", "s1 row"), ("category", "stylized", "s10"),
            ("orientation", "ccw", "s2"), ("orientation", "-", "row"), ("language", "pl", "row"),
            ("style", HOSTILE, "s10"), ("split", "test", "s2"), ("style", "foil", "s2"),
            ("role", "sticker", "s2"), ("role", "author", "s1"), ("role", "-", "s3 row"), ("legible", "no", "s3"),
            ("heightFrom", "20", "s1 s10 row"), ("heightTo", "12", "s2"), ("heightTo", "11.9", ""),
            ("widthFrom", "80", "s1 s3 row"), ("widthTo", "50", "s2"),
        )])

    def test_filters_add_up_and_reset_takes_them_away(self):
        self.choose(widthFrom="50", widthTo="60")
        self.listed("s2 s10")
        self.choose(q="beta")
        self.listed("s2")
        self.reads("#count", "1 of 4 spines, 0 of 2 shelves")
        self.click("button[type=reset]")
        self.same((self.count(".card"), self.js("location.href")), (6, self.path.as_uri()))

    def test_each_order_sorts_and_what_has_no_figure_comes_last(self):
        self.check_orders([(dict(sort=order), rising, falling) for order, rising, falling in (
            ("id", "bare row s1 s2 s3 s10", "s10 s3 s2 s1 row bare"),
            ("title", "s10 row s1 s2 s3 bare", "row s2 s1 s10 s3 bare"),
            ("spine width", "s2 s10 s1 row s3 bare", "s3 row s1 s10 s2 bare"),
            ("text height", "s2 s10 s1 row s3 bare", "row s1 s10 s2 s3 bare"),
            ("difficulty: blurSigma", "s1 s2 s10 s3 row bare", "s2 s1 s10 s3 row bare"),
            ("difficulty: contrast", "s2 s1 s10 s3 row bare", "s1 s2 s10 s3 row bare"),
            ("difficulty: " + HOSTILE, "s10 s1 s2 s3 row bare", "s10 s1 s2 s3 row bare"),
        )])

    def test_text_of_the_dataset_is_inert(self):
        self.same((self.count("img, iframe, object"), self.text("h1")), (0, HOSTILE))
        self.assertIn(HOSTILE, self.js("document.title"))
        self.click(".card:nth-child(3) .open")
        self.reads("#large-title", HOSTILE)
        # Title, author, transcription, style, split, group, source, licence; the line's text and font.
        self.same(self.texts("#large-details td").count(HOSTILE), 10)
        self.counts("img", 0)

    def test_the_policy_stops_what_would_leave_the_page(self):
        self.check_policy()

    def test_turning_follows_the_label(self):
        self.until(BOXES, ["0 0 400 100", "0 0 300 50", "0 0 60 600", "0 0 300 200", "0 0 900 400", "0 0 300 100"])
        # A line that reads from top to bottom reads from left to right once it is turned: its first corner is at the
        # left top on the screen.
        begin, end, _, below = self.js(CORNERS)
        self.assertLess(begin[0], end[0])
        self.assertLess(begin[1], below[1])
        self.choose(turn=False)
        self.same(self.js(BOXES)[:3], ["0 0 100 400", "0 0 50 300", "0 0 60 600"])
        begin, end, _, below = self.js(CORNERS)
        self.assertLess(begin[1], end[1])
        self.assertLess(below[0], begin[0])
        self.same(self.hash(), {"turn": "0"})

    def test_marks_can_be_hidden(self):
        seen = "['line', 'outline'].map(name => getComputedStyle(q('.mark.' + name)).display !== 'none')"
        self.until(seen, [True, True])
        self.choose(lines=False)
        self.until(seen, [False, True])
        self.choose(outline=False)
        self.until(seen, [False, False])
        self.load(self.js("location.hash"))
        self.until(seen, [False, False])
        self.lists("#legend li", ["title", "author", "sticker", "other", "outline", "the thick edge is the start of a line"])

    def test_the_dialog_is_worked_with_keys(self):
        self.js("q('.card .open').focus()")
        self.press("Enter")
        self.same((self.js("q('dialog').open"), self.hash()), (True, {"open": "s1"}))
        for key, id in [("ArrowLeft", "s1"), *(("ArrowRight", id) for id in "s2 s10 s3 row bare bare".split())]:
            self.press(key)
            self.reads("#large-id", id)
        self.until("q('#next').disabled")
        self.press("ArrowLeft")
        self.reads("#large-title", "Shelf of 2")
        self.has("#large-details", "Lem")
        self.press("Escape")
        self.until("q('dialog').open", False)
        # The close event comes a moment after the closing.
        self.until("location.hash", "")
        self.until("document.activeElement.ariaLabel", "Open row")
        self.press("/")
        self.type("beta")
        self.listed("s2")

    def test_the_dialog_lists_lines_and_figures_and_copies_the_id(self):
        self.page.browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
                               browserContextId=self.page.context)
        self.load("#open=s1")
        rows = self.js("qa('#large-details tr').map(row => [...row.cells].map(one => one.textContent))")
        for row in (["title", "Alpha", "30 px", "Serif", "32 px", "50 10, 50 210, 20 210, 20 10"], ["blurSigma", "2"],
                    ["spine width", "80 px"], ["size", "100 × 400 px"]):
            self.assertIn(row, rows)
        self.click("#copy")
        self.reads("#copied", "copied")
        self.until("navigator.clipboard.readText()", "s1")
        self.js("location.hash = '#open=s2'")
        self.reads("#large-id", "s2")
        self.click("#close")
        self.until("location.hash", "")
        self.click(".card:nth-child(2) h2")
        self.reads("#large-id", "s2")

    def test_every_field_has_a_name_and_every_text_contrast(self):
        self.check_looks("", "#open=s1")

    def test_nothing_sticks_out_of_a_phone(self):
        for _ in self.check_phone("", "#turn=0", "#open=s10"):
            self.until("qa('.card').filter(one => one.scrollWidth > one.clientWidth).length", 0)
            self.until("qa('h2').filter(one => one.checkVisibility() && one.clientWidth < 120).length", 0)

    def test_many_spines_come_in_pages(self):
        self.path = self.view("many", [dict(id=f"n{number}", title=f"Title {number}", size=(8, 60), category="vertical", orientation="cw")
                                       for number in range(300)], [])
        self.load()
        self.counts(".card", 120)
        self.click("#on")
        self.click("#on")
        self.same((self.js(self.items)[0], self.count(".card"), self.text("#page")), ("n240", 60, "page 3 of 3"))
        self.load(self.js("location.hash"))
        self.same(self.js(self.items)[0], "n240")
        # The dialog goes over the end of a page, and the page follows it.
        self.js("q('.card .open').click()")
        self.press("ArrowLeft", "Escape")
        self.reads("#page", "page 2 of 3")
        self.until("document.activeElement.ariaLabel", "Open n239")
        self.choose(per="all")
        self.counts(".card", 300)

    def test_a_picture_that_does_not_decode_says_so(self):
        def edit(data):
            (data / "dataset.json").unlink()
            (data / "images/s2.png").write_bytes(png(50, 300)[:-20])

        self.path = self.view("broken", code=1, edit=edit, expected=("1 fault in the dataset", "samples.jsonl:2: image images/s2.png: "))
        self.load()
        self.counts(".card", 6)
        self.has(".card:nth-child(2) .fault", "images/s2.png")
        self.until(LOW_CONTRAST, [])


if __name__ == "__main__":
    unittest.main()
