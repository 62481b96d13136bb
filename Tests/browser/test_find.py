"""The page of `spinebench find --web`, in a real browser: `make browser-test`."""

import base64
import csv
import json
import unittest

from pages import PROJECT, PageCase, Server, spinebench

SHELF = PROJECT / "Datasets/shelves-1/shelves/shelf-00003.jpg"
HOSTILE = "<img src=x onerror=alert(1)>\"'</script> House"


class FindPageTests(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(cls.root / "books.csv", "w") as file:
            csv.writer(file).writerows([("title", "author"), ("Dune", "Frank Herbert"), ("Dune Messiah", "Frank Herbert"), (HOSTILE, "A. Author"),
                                        *((f"Garden {number}", f"Author {number}") for number in range(45))])
        spinebench("catalogue", "build", cls.root / "books.csv", "--out", cls.root / "books.sqlite")
        cls.server = cls.enterClassContext(Server(
            "find", "--web", "--catalogue", cls.root / "books.sqlite", "--library", cls.root / "l.sqlite"))
        cls.own += (cls.server.address,)

    def setUp(self):
        super().setUp()
        self.open(self.server.entry)

    def ask(self, labels, *titles):
        """Asks for names, and has these titles."""
        self.js("q('#labels').focus()")
        self.type(labels)
        self.press("Enter")
        self.until("q('#busy').hidden")
        self.same(self.texts("#results b")[:len(titles)], list(titles))

    def test_names_are_found_opened_and_left_by_keyboard(self):
        self.ask("dune", "Dune", "Dune Messiah")
        self.counts("#results b", 2)
        self.js("q('#results button').focus()")
        self.press("Enter")
        self.until("q('#item').hidden", False)
        self.reads("#itemtitle", "Dune")
        self.has("#itemfields", "spinebench://book/title/dune/herbert")
        self.press("Escape")
        self.until("[q('#item').hidden, document.activeElement.className]", [True, "tile"])

    def test_a_shelf_opens_with_its_books(self):
        self.ask("frank herbert", "By Frank Herbert")
        self.click("#results button")
        self.until("qt('#itembooks b')", ["Dune", "Dune Messiah"])

    def test_all_results_of_a_name_are_listed(self):
        self.ask("garden")
        self.same((len(set(self.texts("#results b"))), self.text("#state")), (45, "45 results"))
        self.page.look(390, 844)
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 390, "it does not fit a phone")

    def test_a_miss_is_said(self):
        self.ask("zzzzqqqq")
        self.has("#state", "Nothing found")
        self.counts("#results b", 0)

    def test_titles_are_text(self):
        self.ask("house", HOSTILE)
        self.counts("#results b, #results img[src=x]", 1)

    def test_a_shelf_lists_the_spines_that_are_not_identified(self):
        self.js(f"""(bytes => {{
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(bytes, one => one.charCodeAt())], 'shelf.jpg', {{ type: 'image/jpeg' }}));
            document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: transfer, cancelable: true }}));
        }})(atob({json.dumps(base64.b64encode(SHELF.read_bytes()).decode())}))""")
        self.until("q('#how').hidden", False)
        self.has("#figures", "Kind of picture")
        self.assertTrue(self.text("#text"))
        spines = self.count("#marks polygon")
        self.assertGreater(spines, 2)
        # The catalogue of this test has none of them.
        self.reads("#state", f"0 of {spines} spines identified")
        self.reads("#unnamed summary", f"{spines} spines not identified")
        # Spines lie, so that their text can be read.
        self.until("qa('#unnamedlist svg').map(({viewBox: {baseVal: one}}) => one.width > one.height)", [True] * spines)

    def test_a_name_is_answered_while_a_photo_is_read(self):
        own = self.server.cookie | {"x-spinebench": "1"}
        with self.server.request("find", own, SHELF.read_bytes() + b"again", labels="") as photo:
            self.assertFalse(json.loads(photo.readline())["isComplete"])
            with self.server.request("find", own, b"", labels="dune") as names:
                self.same(len(json.loads(names.readlines()[-1])["results"]), 2)
            self.assertTrue(json.loads(photo.readlines()[-1])["isComplete"])

    def test_only_the_page_may_ask(self):
        for headers in ({}, {"Host": "evil.example", "x-spinebench": "1"}):
            self.assertIn(self.server.status("find", headers, b"", labels="dune"), (403, 421))


if __name__ == "__main__":
    unittest.main()
