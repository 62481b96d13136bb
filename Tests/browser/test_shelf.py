"""The page that `spinebench shelf --page` writes, in a real browser: `make browser-test`."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import chromium

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH", PROJECT / ".build/release/spinebench"))
PHOTO = PROJECT / "Datasets/shelves-1/shelves/shelf-00003.jpg"
# A data block of the page's own form, with what a photo may say.
HOSTILE = "</script><img src=x onerror=alert(1)>\"'<!-- =cmd"


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class ShelfPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        page = pathlib.Path(folder.name) / "shelf.html"
        run = subprocess.run([PROGRAM, "shelf", PHOTO, "--json", "--page", page], capture_output=True, text=True)
        if run.returncode:
            raise unittest.SkipTest(f"no page: {run.stderr}")
        # The same page with other books: places and states that the photo need not have.
        html = page.read_text()
        head, rest = html.split('<script type="application/json" id="data">', 1)
        report, tail = rest.split("</script>", 1)
        report = json.loads(report)
        outline = report["books"][0]["outline"]
        states = [("book", "Sure", 0.99), ("draft", None, None), ("unsure", HOSTILE, 0.4), ("book", "Other", 0.9)]
        report["books"] = [
            dict(row=1, index=number + 1, outline=outline, state=state, text=HOSTILE, lines=[])
            | ({"title": title, "authors": ["A. Author"], "confidence": share} if title else {})
            for number, (state, title, share) in enumerate(states)
        ]
        block = json.dumps(report).replace("<", "\\u003c")
        page.write_text(f'{head}<script type="application/json" id="data">{block}</script>{tail}')
        cls.page = page.as_uri()
        cls.browser = chromium.Page()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.console.clear()
        self.browser.open(self.page)
        self.browser.wait("document.querySelectorAll('#books li').length === 4")

    def tearDown(self):
        self.assertEqual(self.browser.console, [])

    def rows(self):
        return self.browser.run("[...document.querySelectorAll('#books li')].map(row => row.className)")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def test_what_is_unsure_comes_first_and_text_stays_text(self):
        self.assertEqual(self.rows(), ["unsure", "draft", "book", "book"])
        self.assertIn(HOSTILE, self.text("#books li"))
        self.assertEqual(self.browser.run("document.querySelectorAll('main img').length"), 1)
        self.assertEqual(self.browser.run("document.querySelectorAll('polygon').length"), 4)
        self.assertIn("2 books, 1 unsure, 1 with only text", self.text("#summary"))

    def test_the_keyboard_settles_corrects_and_takes_out(self):
        self.browser.press("o")
        # The unsure one is a book now, and the draft is chosen.
        self.assertEqual(self.rows(), ["draft", "book", "book", "book"])
        self.browser.press("Delete")
        self.assertEqual(self.rows(), ["book", "book", "book", "removed"])
        self.browser.press("ArrowUp")
        self.browser.press("ArrowUp")
        self.browser.press("ArrowUp")
        self.browser.press("Enter")
        self.browser.wait("document.activeElement.name === 'title'")
        self.browser.type("Corrected")
        self.browser.press("Enter")
        self.assertIn("Corrected — A. Author", self.text("#books"))
        self.assertIn("3 books, 0 unsure, 0 with only text, 1 removed", self.text("#summary"))

    def test_the_order_of_the_shelf_is_there_too(self):
        self.browser.click("#inOrder")
        self.assertEqual(self.rows(), ["book", "draft", "unsure", "book"])

    def test_it_fits_a_phone(self):
        self.browser.resize(390, 844)
        self.addCleanup(self.browser.resize, 1280, 900)
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
