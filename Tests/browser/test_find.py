"""The page of `spinebench find --web`, in a real browser: `make browser-test`."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

import chromium

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH", PROJECT / ".build/release/spinebench"))
SHELF = PROJECT / "Datasets/shelves-1/shelves/shelf-00003.jpg"
HOSTILE = "<img src=x onerror=alert(1)>\"'</script> House"


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class FindPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        books = [("Dune", "Frank Herbert"), ("Dune Messiah", "Frank Herbert"), (HOSTILE, "A. Author")]
        books += [(f"Garden {number}", f"Author {number}") for number in range(45)]
        quote = lambda text: '"' + text.replace('"', '""') + '"'
        (root / "books.csv").write_text(
            "title,author\n" + "".join(f"{quote(title)},{quote(author)}\n" for title, author in books)
        )
        subprocess.run(
            [PROGRAM, "catalogue", "build", root / "books.csv", "--out", root / "books.sqlite"],
            check=True, capture_output=True,
        )
        cls.server = subprocess.Popen(
            [PROGRAM, "find", "--web", "--port", "0", "--catalogue", root / "books.sqlite", "--library", root / "l.sqlite"],
            stderr=subprocess.PIPE, text=True,
        )
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.terminate)
        for line in cls.server.stderr:
            if match := re.search(r"(http://127.0.0.1:\d+/)\?token=\w+", line):
                cls.address, cls.entry = match[1], match[0]
                break
        else:
            raise unittest.SkipTest("no server: models are missing")
        cls.browser = chromium.Page()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.console.clear()
        self.browser.open(self.entry)
        self.browser.wait("document.readyState === 'complete'")

    def tearDown(self):
        self.assertEqual(self.browser.console, [])

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def ask(self, labels):
        self.browser.run("document.querySelector('#labels').focus()")
        self.browser.type(labels)
        self.browser.press("Enter")
        self.browser.wait("/results|Nothing/.test(document.querySelector('#state').textContent)")

    def titles(self, list="results"):
        return self.browser.run(f"[...document.querySelectorAll('#{list} b')].map(title => title.textContent)")

    def test_names_are_found_opened_and_left_by_keyboard(self):
        self.ask("dune")
        self.assertEqual(self.titles(), ["Dune", "Dune Messiah"])
        self.browser.run("document.querySelector('#results button').focus()")
        self.browser.press("Enter")
        self.browser.wait("!document.querySelector('#item').hidden")
        self.assertEqual(self.text("#itemtitle"), "Dune")
        self.assertIn("spinebench://book/title/dune/herbert", self.text("#itemfields"))
        self.browser.press("Escape")
        self.assertTrue(self.browser.run("document.querySelector('#item').hidden"))
        self.assertEqual(self.browser.run("document.activeElement.className"), "tile")

    def test_a_shelf_opens_with_its_books(self):
        self.ask("frank herbert")
        self.assertEqual(self.titles()[0], "By Frank Herbert")
        self.browser.click("#results button")
        self.browser.wait("document.querySelectorAll('#itembooks button').length === 2")
        self.assertEqual(self.titles("itembooks"), ["Dune", "Dune Messiah"])

    def test_more_results_go_on(self):
        self.ask("garden")
        self.assertEqual(len(self.titles()), 20)
        self.browser.click("#more")
        self.browser.wait("document.querySelectorAll('#results b').length === 40")
        self.browser.click("#more")
        self.browser.wait("document.querySelectorAll('#results b').length === 45")
        self.assertEqual(len(set(self.titles())), 45)
        self.assertTrue(self.browser.run("document.querySelector('#more').hidden"))

    def test_titles_are_text(self):
        self.ask("house")
        self.assertEqual(self.titles(), [HOSTILE])
        self.assertEqual(self.browser.run("document.querySelectorAll('#results img[src=x]').length"), 0)

    def test_a_picture_is_read_and_how_is_told(self):
        data = json.dumps(list(SHELF.read_bytes()))
        self.browser.run(
            f"""(() => {{
                const file = new File([new Uint8Array({data})], 'shelf.jpg', {{ type: 'image/jpeg' }});
                const transfer = new DataTransfer();
                transfer.items.add(file);
                document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: transfer, cancelable: true }}));
            }})()"""
        )
        self.browser.wait("!document.querySelector('#how').hidden", 60)
        self.assertIn("taken for", self.text("#figures"))
        self.assertTrue(self.text("#text"))

    def test_only_the_page_may_ask(self):
        for address, headers in [("find?labels=dune", {}), ("find?labels=dune", {"Host": "evil.example", "x-spinebench": "1"})]:
            request = urllib.request.Request(self.address + address, data=b"", headers=headers, method="POST")
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request)
            self.assertIn(refused.exception.code, (403, 421))
            refused.exception.close()

    def test_it_fits_a_phone(self):
        self.browser.resize(390, 844)
        self.addCleanup(self.browser.resize, 1280, 900)
        self.ask("garden")
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
