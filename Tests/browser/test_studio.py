"""The page of `spinebench studio`, in a real browser: `make browser-test`.

Steps of the guide to manual verification that a page can show are tests named step_….
"""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import sqlite3
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib

import chromium

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH", PROJECT / ".build/debug/spinebench"))
HOSTILE = "<img src=x onerror=alert(1)>\"'</script>"
SHOPPING = "Price and receipt of the market\nTotal 12 EUR, buy one more"
# qrencode -l L -m 0 'https://example.org/shelf', a row of modules in each number.
QR = [
    0x1FC927F, 0x1053A41, 0x175F25D, 0x174E45D, 0x1750F5D, 0x105A241, 0x1FD557F, 0x19400, 0x1A64B76, 0x696041, 0x1EC113,
    0x930B10, 0x1719CB, 0xD874ED, 0x14C59F5, 0xF25F12, 0x1A473FC, 0x1C719, 0x1FDD75B, 0x104D11C, 0x174BDFA, 0x1759A3C,
    0x174D835, 0x10559C8, 0x1FD7BE3,
]
LINK = "https://example.org/shelf"
ISBN = "9780441013593"


def png(rows, scale=8, margin=4):
    """A picture of rows of modules, "1" for a dark one."""
    blank = "0" * (len(rows[0]) + 2 * margin)
    side = "0" * margin
    rows = [blank] * margin + [side + row + side for row in rows] + [blank] * margin
    lines = b"".join((b"\0" + b"".join((b"\0" if bit == "1" else b"\xff") * scale for bit in row)) * scale for row in rows)
    part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", len(blank) * scale, len(rows) * scale, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", zlib.compress(lines)) + part(b"IEND", b"")


def ean13(digits):
    """Rows of modules of a bar code (ISO/IEC 15420)."""
    odd = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()
    right = ["".join("10"[int(bit)] for bit in code) for code in odd]
    even = [code[::-1] for code in right]
    sets = "LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL".split()[int(digits[0])]
    left = "".join((odd if kind == "L" else even)[int(digit)] for kind, digit in zip(sets, digits[1:7]))
    return ["101" + left + "01010" + "".join(right[int(digit)] for digit in digits[7:]) + "101"] * 40


SMALL = png(["10", "01"])
PICTURES = {"plain.png": SMALL, "qr.png": png([f"{row:025b}" for row in QR]), "isbn.png": png(ean13(ISBN), 4, 10)}


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class StudioPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        cls.store = cls.root / "sessions.sqlite"
        for name, data in PICTURES.items():
            (cls.root / name).write_bytes(data)
        (cls.root / "bad.bin").write_bytes(b"\0\1\2\3" * 10)
        cls.server = subprocess.Popen(
            [PROGRAM, "studio", "--codes-only", "--port", "0", "--store", cls.store], stderr=subprocess.PIPE, text=True
        )
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.kill)
        for line in cls.server.stderr:
            if match := re.search(r"(http://127.0.0.1:\d+/)\?token=(\w+)", line):
                cls.address, cls.token = match.groups()
                break
        else:
            raise AssertionError("no server")
        cls.fill()
        cls.browser = chromium.Page()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(f"{cls.address}?token={cls.token}")

    # MARK: Asking without the page

    @classmethod
    def ask(cls, path, data=None, headers=None, **query):
        query = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        headers = {"Cookie": f"spinebench-studio={cls.token}", "x-spinebench": "1", **(headers or {})}
        request = urllib.request.Request(f"{cls.address}{path}?{query}", data=data, headers=headers)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())

    def capture(self, what, session=None, name="note"):
        """Captures a text or a picture, and waits until it was looked at."""
        data = what if isinstance(what, bytes) else what.encode()
        query = {"session": session} if session else {}
        item = self.ask("api/capture", data, {"Content-Type": "application/octet-stream"}, name=name, **query)
        self.settle(item["sessionID"])
        return item

    def settle(self, session):
        """Waits until all of a session was looked at and the session was told."""
        end = time.monotonic() + 20
        while True:
            page = self.ask("api/session", id=session)
            if page["session"].get("summary") and all(one["state"] == "ready" for one in page["items"]):
                return page
            self.assertLess(time.monotonic(), end, page)
            time.sleep(0.05)

    @classmethod
    def write(cls, *statements):
        """Writes as another program does, and tells of it."""
        with contextlib.closing(sqlite3.connect(cls.store, timeout=20)) as database, database:
            for sql, *arguments in statements:
                database.executemany(sql, *arguments) if arguments else database.execute(sql)
            database.execute("UPDATE revision SET number = number + 1")

    def edit(self, item, **fields):
        """Changes what is kept of an item."""
        with contextlib.closing(sqlite3.connect(self.store, timeout=20)) as database:
            (body,) = database.execute("SELECT body FROM item WHERE id = ?", [item]).fetchone()
        body = {**json.loads(body), **fields}
        row = (body["state"], body["title"], json.dumps(body), item)
        self.write(("UPDATE item SET state = ?, title = ?, body = ? WHERE id = ?", [row]))

    @classmethod
    def fill(cls):
        """Sixty old sessions, and one of 10,000 items that is older still."""
        statement = "INSERT INTO captureSession (id, createdAt, body) VALUES (?, ?, ?)"
        sessions, items = [], []
        for number in range(61):
            session, then = str(uuid.uuid4()).upper(), 1_600_000_000 - number
            title = f"Old {number}" if number < 60 else "Large"
            sessions.append((session, then, json.dumps({
                "id": session, "title": title, "titleSource": "user", "createdAt": then, "updatedAt": then,
                "summary": "Old.", "statements": [], "tags": [],
            })))
            for index in range(1 if number < 60 else 10_000):
                item = str(uuid.uuid4()).upper()
                items.append((item, session, "text", "ready", f"Item {index}", then, json.dumps({
                    "id": item, "sessionID": session, "kind": "text", "state": "ready", "title": f"Item {index}",
                    "isTitledByUser": False, "statements": [], "purposes": [], "tags": [], "labels": {},
                    "media": {"themes": []}, "pictures": {}, "enrichment": {"categories": [], "questions": []},
                    "failureCount": 0, "log": [], "capturedAt": then, "updatedAt": then,
                })))
        columns = "id, sessionID, kind, state, title, capturedAt, body"
        cls.write((statement, sessions), (f"INSERT INTO item ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", items))
        cls.large = sessions[-1][0]

    @contextlib.contextmanager
    def nobody_looking(self):
        """Has the turn to look at what waits, so that it waits."""
        with open(f"{self.store}.lock", "a") as file:
            end = time.monotonic() + 10
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    self.assertLess(time.monotonic(), end)
                    time.sleep(0.05)
            yield

    # MARK: Asking the page

    def setUp(self):
        self.browser.console.clear()
        self.browser.requests.clear()
        self.show("")
        self.browser.wait("document.querySelectorAll('#sessions li').length > 0")
        # It opens the newest session by itself.
        self.browser.wait("!document.querySelector('#session').hidden")

    def tearDown(self):
        self.assertEqual(self.browser.console, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith((self.address, "about:", "blob:"))], [])

    def show(self, place):
        self.browser.open(self.address + place)

    def open_session(self, session):
        self.browser.run(f"location.hash = 'session/{session}'")
        self.browser.wait(f"open?.session?.id === '{session}'")

    def open_item(self, item):
        self.browser.run(f"location.hash = 'item/{item}'")
        self.browser.wait(f"open?.item?.id === '{item}'")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)})?.textContent")

    def texts(self, selector):
        return self.browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.textContent)")

    def wait_text(self, selector, text, seconds=10):
        self.browser.wait(f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(text)})", seconds)

    def current(self):
        return self.browser.run("sessionID()")

    def row(self, session, part=""):
        return f"#sessions [data-key='{session}'] {part}".strip()

    def wait_row(self, session, is_there=True):
        self.browser.wait(f"(document.querySelector({json.dumps(self.row(session))}) !== null) === {json.dumps(is_there)}")

    def answer(self, value=None):
        """Answers the dialog with yes."""
        self.browser.wait("document.querySelector('#dialog').open")
        if value is not None:
            self.browser.run("document.querySelector('#words').select()")
            self.browser.type(value)
        self.browser.click("#yes")
        self.browser.wait("!document.querySelector('#dialog').open")

    # MARK: The guide's steps

    def test_step_1_1_capture_makes_a_session_whose_item_is_processed_and_then_ready_with_the_photo_on_top(self):
        before = self.texts("#sessions b")
        with self.nobody_looking():
            self.browser.choose("#file", self.root / "plain.png")
            self.wait_text("#status", "1 captured")
            self.browser.wait("document.querySelector('#sessions .badge').textContent === '1 waiting'")
            self.assertEqual(len(self.texts("#sessions b")), min(50, len(before) + 1))
            self.wait_text("#items .badge", "Waiting")
            item = self.browser.run("open.items[0].id")
            self.edit(item, state="processing")
            self.wait_text("#items .badge", "Processing")
        self.wait_text("#items .badge", "Ready")
        self.browser.wait("document.querySelector('#sessions .badge').textContent === 'Ready'")
        self.browser.click("#items .tile")
        self.browser.wait("document.querySelector('#picture').naturalWidth === 80")
        self.assertIn("role=original", self.browser.run("document.querySelector('#picture').src"))
        bottom, top = (
            self.browser.run(f"document.querySelector('#{name}').getBoundingClientRect().{edge}")
            for name, edge in (("picture", "bottom"), ("itemtitle", "top"))
        )
        self.assertLessEqual(bottom, top)

    def test_step_1_2_another_capture_makes_another_session_and_the_first_stays(self):
        sessions = []
        for name in ("plain.png", "qr.png"):
            before = self.current()
            self.browser.choose("#file", self.root / name)
            self.browser.wait(f"sessionID() !== '{before}' && open?.items?.length", 10)
            sessions.append(self.current())
        self.assertNotEqual(*sessions)
        for session in sessions:
            self.wait_row(session)
            self.settle(session)

    def test_step_1_3_what_was_found_in_a_picture_is_nested_below_it(self):
        item = self.capture(PICTURES["isbn.png"], name="isbn.png")
        self.open_session(item["sessionID"])
        self.browser.wait("document.querySelectorAll('#items > .parent > .found .tile').length === 1")
        self.assertEqual(self.browser.run("document.querySelector('#items > .parent > .tile').dataset.key"), item["id"])
        self.browser.click("#items > .parent > .tile")
        self.browser.wait("!document.querySelector('#item').hidden")
        self.assertIn("Books", self.texts("#parts h3"))
        self.assertIn(f"ISBN {ISBN}", self.text("#parts"))
        self.browser.click("#parts .tile")
        self.wait_text("#parts", "Found in another item")
        self.assertIn(ISBN, self.text("#parts dl"))

    def test_step_1_4_a_link_has_a_web_preview_that_stays_when_it_is_looked_at_again(self):
        item = self.capture("https://example.org/article")
        self.edit(item["id"], enrichment={
            "title": "An article", "categories": ["News"], "questions": [], "descriptionText": "Of something",
            "webContext": {
                "siteName": "Example", "url": "https://example.org/article", "textContent": f"First. {HOSTILE}\n\nSecond.",
            },
        })
        for turn in range(2):
            self.open_item(item["id"])
            self.wait_text("#parts", "Second.")
            self.assertIn("Web preview", self.texts("#parts h3"))
            for text in ("example.org", "Example", "An article", "Of something", HOSTILE):
                self.assertIn(text, self.text("#parts"))
            self.open_session(item["sessionID"])
            if turn == 0:
                self.browser.click("#reprocess")
                self.wait_text("#status", "1 item will be looked at again")
                self.settle(item["sessionID"])

    def test_step_2_1_a_tag_names_the_session_and_the_time_moves_below(self):
        item = self.capture(SHOPPING)
        self.ask("api/rename", b"", id=item["sessionID"], title="Before")
        self.open_item(item["id"])
        self.wait_text(self.row(item["sessionID"], "b"), "Before")
        self.browser.click("#itemtags .chip")
        self.wait_text(self.row(item["sessionID"], "b"), "Shopping")
        self.assertEqual(self.text("#status"), "The session is named “Shopping”.")
        self.assertRegex(self.text(self.row(item["sessionID"], "small")), r"\d:\d\d.* · 1 item")
        self.open_session(item["sessionID"])
        self.assertEqual(self.text("#title"), "Shopping")
        self.assertEqual(self.ask("api/session", id=item["sessionID"])["session"]["titleSource"], "tag")

    def test_step_2_2_a_copy_has_all_that_the_session_has(self):
        item = self.capture(PICTURES["qr.png"], name="qr.png")
        self.ask("api/rename", b"", id=item["sessionID"], title="My shelf")
        child = next(one for one in self.ask("api/session", id=item["sessionID"])["items"] if one.get("parentID"))
        self.edit(child["id"], enrichment={
            "categories": [], "questions": [], "webContext": {"textContent": "Words of the page"},
            "qrContext": {"payload": LINK, "symbology": "QR-Code"},
        })
        self.open_session(item["sessionID"])
        self.wait_text("#title", "My shelf")
        self.browser.click("#duplicate")
        self.wait_text("#title", "Copy of My shelf")
        self.assertNotEqual(self.current(), item["sessionID"])
        self.wait_text("#sessions b", "Copy of My shelf")
        self.assertEqual(self.texts("#sessions b")[1], "My shelf")
        self.browser.wait("document.querySelector('#items > .parent > .tile img')?.naturalWidth > 0")
        self.assertIn("role=thumbnail", self.browser.run("document.querySelector('#items .tile img').src"))
        self.browser.click("#items .found .tile")
        self.wait_text("#parts", "Words of the page")
        self.assertIn(LINK, self.text("#parts"))

    def test_step_2_3_a_session_is_looked_at_again_and_keeps_what_is_known(self):
        item = self.capture(SHOPPING)
        self.edit(item["id"], enrichment={"categories": ["Market"], "questions": [], "location": "Halles"})
        self.open_session(item["sessionID"])
        with self.nobody_looking():
            self.browser.click("#reprocess")
            self.wait_text("#items .badge", "Waiting")
            self.edit(item["id"], state="processing")
            self.wait_text("#items .badge", "Processing")
        self.wait_text("#items .badge", "Ready")
        self.open_item(item["id"])
        self.assertIn("Halles", self.text("#parts"))
        self.assertIn("Market", self.text("#parts"))

    def test_step_2_4_a_session_is_deleted_once_that_is_confirmed(self):
        item = self.capture("Away with it")
        self.open_session(item["sessionID"])
        self.browser.click("#delete")
        self.browser.wait("document.querySelector('#dialog').open")
        self.assertIn("Away with it", self.text("#question"))
        self.browser.press("Escape")
        self.browser.wait("!document.querySelector('#dialog').open")
        self.wait_row(item["sessionID"])
        self.browser.click("#delete")
        self.answer()
        self.wait_text("#status", "was deleted")
        self.wait_row(item["sessionID"], False)
        self.assertTrue(self.browser.run("document.querySelector('#session').hidden"))
        for path, id in (("api/session", item["sessionID"]), ("api/item", item["id"])):
            with self.assertRaises(urllib.error.HTTPError) as gone:
                self.ask(path, id=id)
            self.assertEqual(gone.exception.code, 404)
            gone.exception.close()

    def test_step_3_1_a_qr_code_of_an_address_has_a_preview_of_its_page(self):
        self.browser.choose("#file", self.root / "qr.png")
        self.browser.wait("document.querySelectorAll('#items .found .tile').length === 1", 10)
        self.browser.click("#items > .parent > .tile")
        self.wait_text("#parts", "Codes")
        self.assertIn(LINK, self.text("#parts"))
        self.browser.click("#parts .tile")
        self.wait_text("#parts", "Web preview")
        self.assertEqual(self.text("#parts p.soft"), "example.org")
        self.assertEqual(
            self.browser.run("(a => [a.href, a.rel, a.target])(document.querySelector('#parts a'))"),
            [LINK, "noopener noreferrer", "_blank"],
        )
        self.assertEqual(self.browser.run("document.querySelectorAll('iframe, object, embed').length"), 0)

    def test_step_3_2_a_shared_link_is_in_the_sidebar_with_a_preview(self):
        before = self.current()
        self.browser.run("document.querySelector('#address').focus()")
        self.browser.type("https://example.org/shared")
        self.browser.press("Enter")
        self.browser.wait(f"sessionID() !== '{before}' && open?.items?.length === 1", 10)
        self.settle(self.current())
        self.wait_text(self.row(self.current(), "small"), "1 item")
        self.browser.click("#items .tile")
        self.wait_text("#parts", "Web preview")
        self.assertEqual(self.text("#parts a"), "https://example.org/shared")

    # MARK: The rest of the page

    def test_sessions_come_in_pages_of_50(self):
        self.assertEqual(self.browser.run("document.querySelectorAll('#sessions li').length"), 50)
        self.browser.click("#moresessions")
        self.browser.wait("document.querySelectorAll('#sessions li').length > 60")
        self.assertEqual(self.texts("#sessions b")[-1], "Large")
        keys = self.browser.run("[...document.querySelectorAll('#sessions button')].map(row => row.dataset.key)")
        self.assertEqual(len(set(keys)), len(keys))

    def test_items_of_a_large_session_come_in_pages_of_100(self):
        self.browser.run(f"location.hash = 'session/{self.large}'")
        self.browser.wait(f"open?.session?.id === '{self.large}'", 20)
        self.assertEqual(len(self.texts("#items .tile")), 100)
        self.browser.click("#moreitems")
        self.browser.wait("document.querySelectorAll('#items .tile').length === 200")
        self.assertEqual(self.texts("#items b")[199], "Item 199")

    def test_the_first_view_comes_at_once(self):
        script = """new MutationObserver((_, observer) => {
            if (document.querySelector('#sessions li')) { window.firstView = performance.now(); observer.disconnect(); }
        }).observe(document, { subtree: true, childList: true })"""
        number = self.browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        self.addCleanup(self.browser.call, "Page.removeScriptToEvaluateOnNewDocument", identifier=number)
        times = []
        for _ in range(3):
            self.show("")
            self.browser.wait("window.firstView > 0")
            times.append(self.browser.run("window.firstView"))
        # 300 ms are promised of a release build.
        self.assertLess(min(times), 1_000)

    def test_a_change_by_another_program_is_seen(self):
        item = self.capture("Seen live")
        self.wait_text(self.row(item["sessionID"], "b"), "Seen live")
        self.ask("api/rename", b"", id=item["sessionID"], title="Renamed elsewhere")
        self.wait_text(self.row(item["sessionID"], "b"), "Renamed elsewhere")
        self.wait_text("#story", self.ask("api/day")["story"])

    def test_titles_are_text(self):
        item = self.capture(f"{HOSTILE}\nprice and receipt")
        self.ask("api/rename", b"", id=item["sessionID"], title=HOSTILE)
        self.edit(
            item["id"], title=HOSTILE, tags=[HOSTILE], summary=HOSTILE, lastError=HOSTILE, url="javascript:alert(1)",
            enrichment={
                "categories": [HOSTILE], "questions": [HOSTILE],
                "webContext": {"siteName": HOSTILE, "url": "javascript:alert(1)"},
                "placeContext": {"name": HOSTILE, "photos": [], "tips": [HOSTILE], "categories": []},
            },
        )
        self.wait_text(self.row(item["sessionID"], "b"), HOSTILE)
        self.open_session(item["sessionID"])
        self.wait_text("#items b", HOSTILE)
        self.assertEqual(self.text("#title"), HOSTILE)
        self.open_item(item["id"])
        self.assertEqual(self.text("#itemtitle"), HOSTILE)
        self.assertEqual(self.texts("#itemtags .chip"), [HOSTILE])
        self.assertEqual(self.browser.run("document.querySelectorAll('img[src=x], #parts a, #parts script').length"), 0)

    def test_a_title_is_given_and_kept(self):
        item = self.capture("Something")
        self.open_session(item["sessionID"])
        self.browser.click("#rename")
        self.answer("Été & 100 % + more?")
        self.wait_text("#title", "Été & 100 % + more?")
        self.assertEqual(self.ask("api/session", id=item["sessionID"])["session"]["titleSource"], "user")

    def test_a_session_is_merged_into_another(self):
        first, second = self.capture("One of two"), self.capture("Two of two")
        self.open_session(first["sessionID"])
        self.wait_text(self.row(second["sessionID"], "b"), "Two of two")
        self.browser.click("#merge")
        self.browser.wait("document.querySelector('#dialog').open")
        self.browser.run(f"document.querySelector('#choices').value = '{second['sessionID']}'")
        self.answer()
        self.browser.wait(f"open?.session?.id === '{second['sessionID']}' && open.items.length === 2")
        self.wait_row(first["sessionID"], False)

    def test_an_item_is_deleted_and_the_last_takes_its_session_along(self):
        first = self.capture("First item")
        second = self.capture("Second item", first["sessionID"])
        for item, left in ((second, 1), (first, 0)):
            self.open_item(item["id"])
            self.browser.click("#deleteitem")
            self.answer()
            self.wait_text("#status", "The item was deleted")
            self.browser.wait("document.querySelector('#item').hidden")
            if left:
                self.browser.wait("open?.items?.length === 1")
        self.wait_row(first["sessionID"], False)

    def test_several_files_go_into_one_session_and_a_bad_one_is_told(self):
        before = self.current()
        self.browser.choose("#file", self.root / "plain.png", self.root / "bad.bin", self.root / "isbn.png")
        self.wait_text("#status", "2 captured. bad.bin: is neither a PNG")
        self.assertEqual(self.browser.run("document.querySelector('#status').className"), "bad")
        self.browser.wait(f"sessionID() !== '{before}' && open?.items?.filter(one => !one.parentID).length === 2", 10)
        # The browser itself tells of every answer that is none.
        self.assertEqual(len(self.browser.console), 1)
        self.assertIn("422", self.browser.console.pop())

    def test_what_is_dropped_or_pasted_is_captured_into_the_open_session_when_asked(self):
        item = self.capture("Kept here")
        self.open_session(item["sessionID"])
        self.browser.run("document.querySelector('#here').checked = true")
        for number, (name, kind) in enumerate((("drop", "DragEvent"), ("paste", "ClipboardEvent"))):
            data = "dataTransfer" if name == "drop" else "clipboardData"
            self.browser.run(f"""(() => {{
                const transfer = new DataTransfer();
                transfer.setData('text/plain', '{name}ped words');
                document.body.dispatchEvent(new {kind}('{name}', {{ {data}: transfer, bubbles: true, cancelable: true }}));
            }})()""")
            self.browser.wait(f"open?.session?.id === '{item['sessionID']}' && open.items.length === {number + 2}", 10)
        self.browser.wait("[...document.querySelectorAll('#items b')].some(one => one.textContent === 'pasteped words')", 10)

    def test_the_keyboard_moves_opens_and_leaves(self):
        first, second = self.capture("Lower"), self.capture("Upper")
        for item in (first, second):
            self.wait_row(item["sessionID"])
        self.open_session(second["sessionID"])
        focused = "document.activeElement.dataset.key"
        self.browser.press("j")
        self.assertEqual(self.browser.run(focused), first["sessionID"])
        self.browser.press("ArrowUp")
        self.assertEqual(self.browser.run(focused), second["sessionID"])
        self.browser.press("ArrowDown")
        self.browser.press("Enter")
        self.browser.wait(f"open?.session?.id === '{first['sessionID']}'")
        self.browser.run("document.querySelector('#items .tile').focus()")
        self.browser.press("Enter")
        self.browser.wait(f"open?.item?.id === '{first['id']}'")
        self.browser.press("Escape")
        self.browser.wait("!document.querySelector('#session').hidden")
        self.assertEqual(self.browser.run(focused), first["id"])
        self.browser.press("Escape")
        self.browser.wait("document.querySelector('#session').hidden")
        self.assertEqual(self.browser.run(focused), first["sessionID"])

    def test_nobody_sees_or_changes_anything_without_token_and_page(self):
        cookie = {"Cookie": f"spinebench-studio={self.token}"}
        for path, data, headers, code in (
            ("", None, {}, 403), ("?token=wrong", None, {}, 403), ("api/sessions", None, {}, 403), ("events", None, {}, 403),
            ("api/day", None, {"Cookie": "spinebench-studio=wrong"}, 403),
            (f"api/delete?id={self.large}", b"", {"x-spinebench": "1"}, 403), (f"api/delete?id={self.large}", b"", cookie, 403),
        ):
            with self.subTest(path), self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(urllib.request.Request(self.address + path, data=data, headers=headers))
            self.assertEqual(refused.exception.code, code)
            refused.exception.close()
        self.assertEqual(self.ask("api/session", id=self.large)["session"]["title"], "Large")

    def test_it_fits_a_phone(self):
        item = self.capture(PICTURES["isbn.png"], name="isbn.png")
        self.ask("api/rename", b"", id=item["sessionID"], title="Long" * 40)
        self.addCleanup(self.browser.resize, 1280, 900)
        self.browser.resize(390, 844)
        self.show("")
        self.wait_text(self.row(item["sessionID"], "b"), "LongLong")
        width = "document.documentElement.scrollWidth"
        self.assertTrue(self.browser.run("document.querySelector('#session').hidden"))
        self.assertLessEqual(self.browser.run(width), 390)
        self.browser.click(self.row(item["sessionID"]))
        self.browser.wait("!document.querySelector('#session').hidden")
        self.assertLessEqual(self.browser.run(width), 390)
        self.assertFalse(self.browser.run("document.querySelector('nav').checkVisibility()"))
        self.browser.click("#items .tile")
        self.browser.wait("!document.querySelector('#item').hidden")
        self.assertLessEqual(self.browser.run(width), 390)
        self.browser.click("#item > .back")
        self.browser.wait("!document.querySelector('#session').hidden")
        self.browser.click("#session > .back")
        self.browser.wait("document.querySelector('nav').checkVisibility()")


if __name__ == "__main__":
    unittest.main()
