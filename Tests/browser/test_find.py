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
        self.browser.wait("document.querySelector('#busy').hidden")

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

    def test_all_results_of_a_name_are_listed(self):
        self.ask("garden")
        self.assertEqual(len(set(self.titles())), 45)
        self.assertEqual(self.text("#state"), "45 results")

    def test_a_miss_is_said(self):
        self.ask("zzzzqqqq")
        self.assertIn("Nothing found", self.text("#state"))
        self.assertEqual(self.titles(), [])

    def test_titles_are_text(self):
        self.ask("house")
        self.assertEqual(self.titles(), [HOSTILE])
        self.assertEqual(self.browser.run("document.querySelectorAll('#results img[src=x]').length"), 0)

    def drop(self, path):
        data = json.dumps(list(path.read_bytes()))
        self.browser.run(
            f"""(() => {{
                const file = new File([new Uint8Array({data})], 'shelf.jpg', {{ type: 'image/jpeg' }});
                const transfer = new DataTransfer();
                transfer.items.add(file);
                document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: transfer, cancelable: true }}));
            }})()"""
        )

    def test_a_shelf_lists_the_spines_that_are_not_identified(self):
        self.drop(SHELF)
        self.browser.wait("!document.querySelector('#how').hidden", 120)
        self.assertIn("Kind of picture", self.text("#figures"))
        self.assertTrue(self.text("#text"))
        spines = self.browser.run("document.querySelectorAll('#marks polygon').length")
        self.assertGreater(spines, 2)
        # The catalogue of this test has none of them.
        self.assertEqual(self.text("#state"), f"0 of {spines} spines identified")
        self.assertEqual(self.text("#unnamed summary"), f"{spines} spines not identified")
        self.assertEqual(self.browser.run("document.querySelectorAll('#unnamedlist canvas').length"), spines)
        sizes = self.browser.run("[...document.querySelectorAll('#unnamedlist canvas')].map(one => [one.width, one.height])")
        # Spines lie, so that their text can be read.
        self.assertTrue(all(width > height for width, height in sizes), sizes)

    def test_a_name_is_answered_while_a_photo_is_read(self):
        def answer(body, labels):
            cookie = self.browser.call("Network.getCookies", urls=[self.address])["cookies"][0]
            headers = {"x-spinebench": "1", "Cookie": f"{cookie['name']}={cookie['value']}"}
            request = urllib.request.Request(self.address + "find?labels=" + labels, data=body, headers=headers, method="POST")
            return urllib.request.urlopen(request)
        with answer(SHELF.read_bytes() + b"again", "") as photo:
            first = json.loads(photo.readline())
            self.assertFalse(first["isComplete"])
            with answer(b"", "dune") as names:
                self.assertEqual(len(json.loads(names.readlines()[-1])["results"]), 2)
            self.assertTrue(json.loads(photo.readlines()[-1])["isComplete"])

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
