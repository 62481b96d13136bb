"""The page that `spinebench dataset view` writes, in a real browser: `make browser-test`."""

import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
import urllib.parse
import zlib

import chromium

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH", PROJECT / ".build/release/spinebench"))
HOSTILE = "</script><img src=x onerror=alert(1)>\"'<!-- <script>&lt;"


def png(width, height, grey=160):
    """A grey picture as a PNG file."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes([grey]) * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


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
         lines=[dict(text="beta", role="title", quad=box(5, 10, 12, 90)),
                dict(text="X 12", role="sticker", quad=box(5, 200, 20, 40))]),
    dict(id="s10", title=HOSTILE, author=HOSTILE, transcription=HOSTILE, group=HOSTILE, source=HOSTILE,
         style=HOSTILE, split=HOSTILE, licence=HOSTILE, category="stylized",
         orientation="inverted", difficulty={HOSTILE: 1, "__proto__": 3}, size=(60, 600),
         lines=[dict(text=HOSTILE, font=HOSTILE, role="other", quad=box(5, 10, 20, 90))]),
    dict(id="s3", title=None, transcription="", legible=False, category="horizontal", orientation="upright",
         size=(300, 200)),
]
SHELVES = [
    dict(id="row", image="images/row.png", size=(900, 400), books=[
        dict(id="b1", title="Gamma", author="Lem", orientation="cw", category="vertical", language="pl",
             quad=[[10, 10], [110, 10], [110, 390], [10, 390]],
             lines=[dict(text="Gamma", role="title", quad=box(30, 30, 50, 200))]),
        dict(id="b2", title=HOSTILE, quad=[[120, 10], [200, 10], [200, 390], [120, 390]]),
    ]),
    dict(id="bare", image="images/bare.png", size=(300, 100), books=[]),
]


def write_dataset(folder):
    (folder / "images").mkdir(parents=True)
    (folder / "dataset.json").write_text(json.dumps(dict(name=HOSTILE, description=HOSTILE, licence=HOSTILE)))
    with open(folder / "samples.jsonl", "w") as file:
        for spine in SPINES:
            label = dict(image=f"images/{spine['id']}.png", transcription=spine["title"] or "") | spine
            (folder / label["image"]).write_bytes(png(*label.pop("size")))
            file.write(json.dumps(label) + "\n")
    with open(folder / "shelves.jsonl", "w") as file:
        for shelf in SHELVES:
            (folder / shelf["image"]).write_bytes(png(*shelf["size"]))
            file.write(json.dumps({key: value for key, value in shelf.items() if key != "size"}) + "\n")


def view(folder, *arguments):
    sheet = folder.parent / (folder.name + ".html")
    call = [PROGRAM, "dataset", "view", folder, "--out", sheet, *arguments]
    return sheet, subprocess.run(call, capture_output=True, text=True)


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class ContactSheetTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.data = pathlib.Path(cls.folder.name) / "data"
        write_dataset(cls.data)
        cls.whole, outcome = view(cls.data)
        assert outcome.returncode == 0, outcome.stderr
        cls.page = chromium.Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.page.console.clear()
        self.page.requests.clear()
        self.sheet = self.whole
        self.load()

    def tearDown(self):
        self.assertEqual(self.page.console, [])
        pages = ("data:", "about:", self.whole.as_uri(), self.sheet.as_uri())
        self.assertEqual([url for url in self.page.requests if not url.startswith(pages)], [])

    def load(self, hash=""):
        self.page.open(self.sheet.as_uri() + hash)

    def ids(self):
        return self.page.run("[...document.querySelectorAll('.card code')].map(code => code.textContent)")

    def set(self, name, value):
        """Fills a field as a person does, as far as the page can tell."""
        self.page.run(
            f"(() => {{ const field = document.querySelector('[name={name}]');"
            f" if (field.type === 'checkbox') field.checked = {json.dumps(value)};"
            f" else field.value = {json.dumps(value)};"
            " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )

    def hash(self):
        return dict(urllib.parse.parse_qsl(self.page.run("location.hash.slice(1)")))

    def text(self, selector):
        return self.page.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def test_everything_is_shown_in_the_order_of_the_files(self):
        self.assertEqual(self.ids(), ["s1", "s2", "s10", "s3", "row", "bare"])
        self.assertEqual(self.text("#count"), "4 of 4 spines, 2 of 2 shelves")
        self.assertNotRegex(self.text("#cards"), "undefined|null|NaN|true|false")
        sizes = self.page.run(
            "Promise.all([...document.querySelectorAll('.card image')].map(async image => {"
            " const copy = new Image(); copy.src = image.getAttribute('href'); await copy.decode();"
            " return [copy.naturalWidth, copy.naturalHeight]; }))"
        )
        self.assertEqual(sizes, [[100, 400], [50, 300], [48, 480], [300, 200], [900, 400], [300, 100]])

    def test_each_filter_chooses(self):
        table = [
            ("q", "garcia", ["s1"]), ("q", "ALPHA gar", ["s1"]), ("q", "s10", ["s10"]), ("q", "lem", ["row"]),
            ("q", "onerror", ["s10", "row"]), ("q", "nowhere", []),
            ("kind", "shelf", ["row"]), ("category", "vertical", ["s1", "row"]), ("category", "stylized", ["s10"]),
            ("orientation", "ccw", ["s2"]), ("orientation", "-", ["row"]), ("language", "pl", ["row"]),
            ("style", HOSTILE, ["s10"]), ("split", "test", ["s2"]), ("style", "foil", ["s2"]),
            ("role", "sticker", ["s2"]), ("role", "author", ["s1"]), ("role", "-", ["s3", "row"]),
            ("legible", "no", ["s3"]),
            ("heightFrom", "20", ["s1", "s10", "row"]), ("heightTo", "12", ["s2"]), ("heightTo", "11.9", []),
            ("widthFrom", "80", ["s1", "s3", "row"]), ("widthTo", "50", ["s2"]),
        ]
        for name, value, expected in table:
            with self.subTest(f"{name}={value}"):
                self.load()
                self.set(name, value)
                self.assertEqual(self.ids(), expected)
                self.assertEqual(self.hash(), {name: value})
                self.assertEqual(self.page.run("document.getElementById('nothing').hidden"), expected != [])
                # The link alone gives the same again.
                link = self.page.run("location.hash")
                self.load()
                self.load(link)
                self.assertEqual(self.ids(), expected)

    def test_filters_add_up_and_reset_takes_them_away(self):
        self.set("widthFrom", "50")
        self.set("widthTo", "60")
        self.assertEqual(self.ids(), ["s2", "s10"])
        self.set("q", "beta")
        self.assertEqual(self.ids(), ["s2"])
        self.assertEqual(self.text("#count"), "1 of 4 spines, 0 of 2 shelves")
        self.page.click("button[type=reset]")
        self.assertEqual(len(self.ids()), 6)
        self.assertEqual(self.page.run("location.href"), self.sheet.as_uri())

    def test_each_order_sorts_and_what_has_no_figure_comes_last(self):
        for order, rising, falling in [
            ("id", ["bare", "row", "s1", "s2", "s3", "s10"], ["s10", "s3", "s2", "s1", "row", "bare"]),
            ("title", ["s10", "row", "s1", "s2", "s3", "bare"], ["row", "s2", "s1", "s10", "s3", "bare"]),
            ("spine width", ["s2", "s10", "s1", "row", "s3", "bare"], ["s3", "row", "s1", "s10", "s2", "bare"]),
            ("text height", ["s2", "s10", "s1", "row", "s3", "bare"], ["row", "s1", "s10", "s2", "s3", "bare"]),
            ("difficulty: blurSigma", ["s1", "s2", "s10", "s3", "row", "bare"],
             ["s2", "s1", "s10", "s3", "row", "bare"]),
            ("difficulty: contrast", ["s2", "s1", "s10", "s3", "row", "bare"],
             ["s1", "s2", "s10", "s3", "row", "bare"]),
            ("difficulty: " + HOSTILE, ["s10", "s1", "s2", "s3", "row", "bare"],
             ["s10", "s1", "s2", "s3", "row", "bare"]),
        ]:
            with self.subTest(order):
                self.load()
                self.set("sort", order)
                self.assertEqual(self.hash(), {"sort": order})
                self.assertEqual(self.ids(), rising)
                self.set("falling", True)
                self.assertEqual(self.ids(), falling)

    def test_text_of_the_dataset_is_inert(self):
        self.assertEqual(self.page.run("document.querySelectorAll('img, iframe, object').length"), 0)
        self.assertEqual(self.text("h1"), HOSTILE)
        self.assertIn(HOSTILE, self.page.run("document.title"))
        self.page.click(".card:nth-child(3) .open")
        self.assertEqual(self.text("#large-title"), HOSTILE)
        cells = self.page.run("[...document.querySelectorAll('#large-details td')].map(cell => cell.textContent)")
        # Title, author, transcription, style, split, group, source, licence; the line's text and font.
        self.assertEqual(cells.count(HOSTILE), 10)
        self.assertEqual(self.page.run("document.querySelectorAll('img').length"), 0)

    def test_the_policy_stops_what_would_leave_the_page(self):
        self.assertIn("default-src 'none'", self.page.run("document.querySelector('meta[http-equiv]').content"))
        stopped = self.page.run("fetch('https://example.invalid/').then(() => 'sent', () => 'stopped')")
        self.assertEqual(stopped, "stopped")
        self.assertIn("Content Security Policy", " ".join(self.page.console))
        self.page.console.clear()
        self.page.requests.clear()

    def test_turning_follows_the_label(self):
        def boxes():
            return self.page.run("[...document.querySelectorAll('.card svg')].map(s => s.getAttribute('viewBox'))")

        turned = ["0 0 400 100", "0 0 300 50", "0 0 60 600", "0 0 300 200", "0 0 900 400", "0 0 300 100"]
        self.assertEqual(boxes(), turned)
        # A line that reads from top to bottom reads from left to right once it is turned: its first corner is at the
        # left top on the screen.
        corners = (
            "[...document.querySelector('.card .line.title polygon').points].map(point => {"
            " const p = point.matrixTransform(document.querySelector('.card .line polygon').getScreenCTM());"
            " return [p.x, p.y]; })"
        )
        begin, end, _, below = self.page.run(corners)
        self.assertLess(begin[0], end[0])
        self.assertLess(begin[1], below[1])
        self.set("turn", False)
        self.assertEqual(boxes()[:3], ["0 0 100 400", "0 0 50 300", "0 0 60 600"])
        begin, end, _, below = self.page.run(corners)
        self.assertLess(begin[1], end[1])
        self.assertLess(below[0], begin[0])
        self.assertEqual(self.hash(), {"turn": "0"})

    def test_marks_can_be_hidden(self):
        def seen(selector):
            return self.page.run(f"getComputedStyle(document.querySelector('{selector}')).display") != "none"

        self.assertTrue(seen(".mark.line") and seen(".mark.outline"))
        self.set("lines", False)
        self.assertTrue(not seen(".mark.line") and seen(".mark.outline"))
        self.set("outline", False)
        self.assertTrue(not seen(".mark.line") and not seen(".mark.outline"))
        self.load(self.page.run("location.hash"))
        self.assertTrue(not seen(".mark.line") and not seen(".mark.outline"))
        legend = self.page.run("[...document.querySelectorAll('#legend li')].map(item => item.textContent)")
        self.assertEqual(
            legend, ["title", "author", "sticker", "other", "outline", "the thick edge is the start of a line"]
        )

    def test_the_dialog_is_worked_with_keys(self):
        is_open = "document.querySelector('dialog').open"
        self.page.run("document.querySelector('.card .open').focus()")
        self.page.press("Enter")
        self.assertTrue(self.page.run(is_open))
        self.assertEqual((self.text("#large-id"), self.hash()), ("s1", {"open": "s1"}))
        self.page.press("ArrowLeft")
        self.assertEqual(self.text("#large-id"), "s1")
        for id in ("s2", "s10", "s3", "row", "bare", "bare"):
            self.page.press("ArrowRight")
            self.assertEqual(self.text("#large-id"), id)
        self.assertTrue(self.page.run("document.getElementById('next').disabled"))
        self.page.press("ArrowLeft")
        self.assertEqual(self.text("#large-title"), "Shelf of 2")
        self.assertIn("Lem", self.text("#large-details"))
        self.page.press("Escape")
        self.assertFalse(self.page.run(is_open))
        # The close event comes a moment after the closing.
        self.page.wait("location.hash === ''")
        self.assertEqual(self.page.run("document.activeElement.getAttribute('aria-label')"), "Open row")
        self.page.press("/")
        self.page.type("beta")
        self.assertEqual(self.ids(), ["s2"])

    def test_the_dialog_lists_lines_and_figures_and_copies_the_id(self):
        self.page.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.load("#open=s1")
        rows = self.page.run(
            "[...document.querySelectorAll('#large-details tr')].map(row => [...row.cells].map(c => c.textContent))"
        )
        self.assertIn(["title", "Alpha", "30 px", "Serif", "32 px", "50 10, 50 210, 20 210, 20 10"], rows)
        self.assertIn(["blurSigma", "2"], rows)
        self.assertIn(["spine width", "80 px"], rows)
        self.assertIn(["size", "100 × 400 px"], rows)
        self.page.click("#copy")
        self.assertEqual(self.page.run("navigator.clipboard.readText()"), "s1")
        self.assertEqual(self.text("#copied"), "copied")
        self.page.run("location.hash = '#open=s2'")
        self.page.wait("document.getElementById('large-id').textContent === 's2'")
        self.assertEqual(self.text("#large-id"), "s2")
        self.page.click("#close")
        self.page.wait("location.hash === ''")
        self.page.click(".card:nth-child(2) h2")
        self.assertEqual(self.text("#large-id"), "s2")

    def test_every_field_has_a_name_and_every_text_contrast(self):
        unnamed = self.page.run(
            "[...document.querySelectorAll('input, select, button')].filter(field => !field.labels?.length"
            " && !field.textContent.trim() && !field.ariaLabel).map(field => field.outerHTML)"
        )
        self.assertEqual(unnamed, [])
        for dark in ("light", "dark"):
            self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": dark}])
            for hash in ("", "#open=s1"):
                self.load(hash)
                self.assertEqual(self.page.run(LOW_CONTRAST), [])
        self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])

    def test_nothing_sticks_out_of_a_phone(self):
        self.page.resize(390, 844)
        for hash in ("", "#turn=0", "#open=s10"):
            self.load(hash)
            self.page.run("document.getElementById('panel').open = true")
            cut = "[...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth).length"
            self.assertEqual(self.page.run(cut), 0)
            narrow = "[...document.querySelectorAll('h2')].filter(h => h.checkVisibility() && h.clientWidth < 120).length"
            self.assertEqual(self.page.run(narrow), 0)
            self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), 390)
            wide = "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth"
            self.assertEqual(self.page.run(wide), 0)
        self.page.resize(1280, 900)

    def test_many_spines_come_in_pages(self):
        data = pathlib.Path(self.folder.name) / "many"
        (data / "images").mkdir(parents=True)
        (data / "images/a.png").write_bytes(png(8, 60))
        with open(data / "samples.jsonl", "w") as file:
            for number in range(300):
                file.write(json.dumps(dict(
                    id=f"n{number}", image="images/a.png", title=f"Title {number}", transcription="T",
                    category="vertical", orientation="cw")) + "\n")
        sheet, outcome = view(data)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.sheet = sheet
        self.load()
        self.assertEqual(len(self.ids()), 120)
        self.page.click("#on")
        self.page.click("#on")
        self.assertEqual((self.ids()[0], len(self.ids()), self.text("#page")), ("n240", 60, "page 3 of 3"))
        self.load(self.page.run("location.hash"))
        self.assertEqual(self.ids()[0], "n240")
        # The dialog goes over the end of a page, and the page follows it.
        self.page.run("document.querySelector('.card .open').click()")
        self.page.press("ArrowLeft")
        self.page.press("Escape")
        self.page.wait("document.getElementById('page').textContent === 'page 2 of 3'")
        self.assertEqual(self.page.run("document.activeElement.ariaLabel"), "Open n239")
        self.set("per", "all")
        self.assertEqual(len(self.ids()), 300)

    def test_a_picture_that_does_not_decode_says_so(self):
        data = pathlib.Path(self.folder.name) / "broken"
        write_dataset(data)
        (data / "dataset.json").unlink()
        (data / "images/s2.png").write_bytes(png(50, 300)[:-20])
        sheet, outcome = view(data)
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("1 fault in the dataset", outcome.stderr)
        self.assertIn("samples.jsonl:2: image images/s2.png: ", outcome.stderr)
        self.sheet = sheet
        self.load()
        self.assertEqual(len(self.ids()), 6)
        self.assertIn("images/s2.png", self.text(".card:nth-child(2) .fault"))
        self.assertEqual(self.page.run(LOW_CONTRAST), [])


# The texts whose contrast on the colour below them is less than 4.5 (WCAG 2.2, relative luminance).
LOW_CONTRAST = """
(() => {
    const parts = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => {
        const [r, g, b] = parts(colour).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const below = element => {
        for (let e = element; e; e = e.parentElement) {
            const colour = getComputedStyle(e).backgroundColor;
            if ((parts(colour)[3] ?? 1) > 0) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    const low = [];
    for (const element of document.body.querySelectorAll("*")) {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || element.closest("svg, script, noscript, option") || !element.checkVisibility()) continue;
        const [a, b] = [light(getComputedStyle(element).color), light(below(element))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) low.push(element.outerHTML.slice(0, 80));
    }
    return low;
})()
"""

if __name__ == "__main__":
    unittest.main()
