"""The page of `spinebench studio`, in a real browser: `make browser-test`.

Tests named step_… are the guide's steps of manual verification, as far as a page can show them:

| the guide says "Verify" | test |
|---|---|
| 1.1 a new session, "Processing…" then "Ready", the photo on top | test_step_1_1_… |
| 1.2 another capture makes another session, the old one stays | test_step_1_2_… |
| 1.3 products and web entities are children of the master item | test_step_1_3_what_…, test_step_1_3_products_… |
| 1.4 "Web Preview" header | test_step_1_4_a_link_… |
| 1.4 what was extracted stays when looked at again | test_step_1_4_a_link_…, test_step_1_4_what_was_extracted_… |
| 2.1 a tag names the session, the time moves below | test_step_2_1_… |
| 2.2 "Copy of …"; pictures, web previews and all metadata are kept | test_step_2_2_a_copy_…, test_step_2_2_every_field_… |
| 2.3 "Processing…" then "Ready"; data kept when a source fails or is partial | test_step_2_3_a_session_…, test_step_2_3_while_… |
| 2.4 session and items are gone from list and database | test_step_2_4_a_session_…, test_step_2_4_nothing_… |
| 3.1 a QR code's page is shown, and not its raw address | test_step_3_1_a_qr_code_…, test_step_3_1_the_page_… |
| 3.2 a link from outside is in a session, with a rich preview | test_step_3_2_a_shared_…, test_step_3_2_an_address_… |
| set-up: home context | test_home_… |

A page of the web is shown as its text: nothing of it is ever run.
"""

import contextlib
import fcntl
import http.server
import json
import os
import pathlib
import re
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib

import chromium

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH", PROJECT / ".build/release/spinebench"))
HOSTILE = "<img src=x onerror=alert(1)>\"'</script>"
SHOPPING = "Price and receipt of the market\nTotal 12 EUR, buy one more"
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


def qr(text):
    """Rows of modules of a QR code of at most 32 bytes: version 2, level L, mask 0 (ISO/IEC 18004)."""
    data = text.encode()
    assert len(data) <= 32, text
    bits = "0100" + f"{len(data):08b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    words = [int(bits[at:at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8)][:34]
    words += [(0xEC, 0x11)[at % 2] for at in range(34 - len(words))]
    power, log = [1], {}
    for at in range(255):
        log[power[at]] = at
        power.append(power[at] << 1 ^ (0x11D if power[at] & 0x80 else 0))
    times = lambda a, b: power[(log[a] + log[b]) % 255] if a and b else 0
    divisor = [1]
    for at in range(10):
        divisor = [a ^ times(b, power[at]) for a, b in zip(divisor + [0], [0] + divisor)]
    rest = words + [0] * 10
    for at in range(34):
        rest[at:at + 11] = [a ^ times(rest[at], b) for a, b in zip(rest[at:at + 11], divisor)]
    stream = iter("".join(f"{word:08b}" for word in words + rest[34:]) + "0" * 7)
    size, cells = 25, {}
    for top, left in ((0, 0), (0, 18), (18, 0)):
        for y in range(-1, 8):
            for x in range(-1, 8):
                far = max(abs(y - 3), abs(x - 3))
                if 0 <= top + y < size and 0 <= left + x < size:
                    cells[top + y, left + x] = far in (0, 1, 3)
    cells.update({(18 + y, 18 + x): max(abs(y), abs(x)) != 1 for y in range(-2, 3) for x in range(-2, 3)})
    for at in range(8, 17):
        cells[6, at] = cells[at, 6] = at % 2 == 0
    cells[17, 8] = True
    # Level L and mask 0, with their check bits.
    first = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    second = [(y, 8) for y in range(24, 17, -1)] + [(8, x) for x in range(17, 25)]
    for place, other, bit in zip(first, second, "111011111000100"):
        cells[place] = cells[other] = bit == "1"
    columns = [x for x in range(size - 1, 0, -2)]
    for number, right in enumerate(columns):
        right -= right < 7
        for y in range(size) if number % 2 else reversed(range(size)):
            for x in (right, right - 1):
                if (y, x) not in cells:
                    cells[y, x] = (next(stream) == "1") ^ ((x + y) % 2 == 0)
    return ["".join("01"[cells[y, x]] for x in range(size)) for y in range(size)]


def stacked(*parts):
    """Rows of modules below one another: each of parts is rows and how large a module is."""
    rows = []
    for modules, scale in parts:
        rows += ["".join(bit * scale for bit in row) for row in modules for _ in range(scale)] + ["0"] * 60
    width = max(map(len, rows))
    return [row.ljust(width, "0") for row in rows]


def ean13(digits):
    """Rows of modules of a bar code (ISO/IEC 15420)."""
    odd = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()
    right = ["".join("10"[int(bit)] for bit in code) for code in odd]
    even = [code[::-1] for code in right]
    sets = "LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL".split()[int(digits[0])]
    left = "".join((odd if kind == "L" else even)[int(digit)] for kind, digit in zip(sets, digits[1:7]))
    return ["101" + left + "01010" + "".join(right[int(digit)] for digit in digits[7:]) + "101"] * 40


SMALL = png(["10", "01"])
PICTURES = {"plain.png": SMALL, "qr.png": png(qr(LINK)), "isbn.png": png(ean13(ISBN), 4, 10)}


def jpeg(latitude, longitude):
    """A picture that says where it was taken, just now."""
    plain = (PROJECT / "Tests/ImagingTests/Fixtures/metadata.jpg").read_bytes()
    parts, at = [], 2
    while plain[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(plain[at + 2:at + 4])
        parts += [plain[at:end]] if plain[at + 1] != 0xE1 else []
        at = end
    entry = lambda tag, kind, count, value: struct.pack(">HHI", tag, kind, count) + value
    values = [entry(1, 2, 2, b"SN"[latitude >= 0:][:1] + b"\0\0\0"), entry(2, 5, 3, struct.pack(">I", 104))]
    values += [entry(3, 2, 2, b"WE"[longitude >= 0:][:1] + b"\0\0\0"), entry(4, 5, 3, struct.pack(">I", 128))]
    values += [entry(7, 5, 3, struct.pack(">I", 152)), entry(0x1D, 2, 11, struct.pack(">I", 176))]
    now = time.gmtime()
    degrees = [struct.pack(">6I", round(abs(value) * 1e6), 1_000_000, 0, 1, 0, 1) for value in (latitude, longitude)]
    tiff = b"MM\0*" + struct.pack(">IH", 8, 1) + entry(0x8825, 4, 1, struct.pack(">I", 26)) + bytes(4)
    tiff += struct.pack(">H", 6) + b"".join(values) + bytes(4) + b"".join(degrees)
    tiff += struct.pack(">6I", now.tm_hour, 1, now.tm_min, 1, now.tm_sec, 1) + time.strftime("%Y:%m:%d", now).encode() + b"\0"
    block = b"Exif\0\0" + tiff
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + b"".join(parts) + plain[at:]


class Site:
    """A server on this machine: pages of the web, and what services say, by paths; the tests set them."""

    def __init__(self):
        self.answers, self.asked = {}, []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.partition("?")[0]
                site.asked.append(self.path)
                answer = site.answers.get(path, (404, "text/plain", "nothing"))
                status, kind, body = answer() if callable(answer) else answer
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.end_headers()
                with contextlib.suppress(ConnectionError):
                    self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def page(self, path, title, text="", **properties):
        """Sets a page, and gives its address."""
        meta = "".join(f'<meta property="og:{name}" content="{value}">' for name, value in properties.items())
        text = "".join(f"<p>{line}</p>" for line in text.split("\n"))
        page = f"<!doctype html><title>{title}</title>{meta}<body><article><h1>{title}</h1>{text}</article></body>"
        self.answers[path] = (200, "text/html; charset=utf-8", page)
        return self.address + path

    def say(self, path, value):
        """Sets what a service says."""
        self.answers[path] = (200, "application/json", json.dumps(value))


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class StudioCase(unittest.TestCase):
    """A studio with a store of its own, and its page in a browser."""

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
            [PROGRAM, "studio", "--codes-only", "--port", "0", "--store", cls.store, *cls.options()],
            stderr=subprocess.PIPE, text=True,
        )
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.kill)
        for line in cls.server.stderr:
            if match := re.search(r"(http://127.0.0.1:(\d+)/)\?token=(\w+)", line):
                cls.address, port, cls.token = match.groups()
                cls.cookie = f"spinebench-studio-{port}={cls.token}"
                break
        else:
            raise AssertionError("no server")
        cls.fill()
        cls.browser = chromium.Page()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(f"{cls.address}?token={cls.token}")

    @classmethod
    def options(cls):
        return []

    # MARK: Asking without the page

    @classmethod
    def ask(cls, path, data=None, headers=None, **query):
        query = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        headers = {"Cookie": cls.cookie, "x-spinebench": "1", **(headers or {})}
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
            if page["session"].get("summary") and all(one["state"] in ("ready", "incomplete") for one in page["items"]):
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
        body["enrichment"] = {"sources": {}, "candidates": [], **body["enrichment"]}
        row = (body["state"], body["title"], json.dumps(body), item)
        self.write(("UPDATE item SET state = ?, title = ?, body = ? WHERE id = ?", [row]))

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
        self.browser.wait("!document.querySelector('#start').hidden")

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

    def wait_quiet(self, selector, seconds=10):
        """Waits until nothing is said of a state: all is well."""
        self.browser.wait(f"document.querySelector({json.dumps(selector)}) === null", seconds)

    def choose_action(self, button):
        """Opens the menu that an action stands in, and presses it."""
        self.browser.run(f"document.querySelector('{button}').closest('details').open = true")
        self.browser.click(button)

    def delete(self, button, name):
        """Deletes what is open, and lets the time for undoing pass."""
        self.choose_action(button)
        self.wait_text("#status", name + " was deleted")
        self.browser.run("finishDeleting()")

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


class StudioPageTests(StudioCase):
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
                    "media": {"themes": []}, "pictures": {}, "problems": [], "retryCount": 0,
                    "enrichment": {"categories": [], "questions": [], "sources": {}, "candidates": []},
                    "failureCount": 0, "log": [], "capturedAt": then, "updatedAt": then,
                })))
        columns = "id, sessionID, kind, state, title, capturedAt, body"
        cls.write((statement, sessions), (f"INSERT INTO item ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", items))
        cls.large = sessions[-1][0]

    # MARK: The guide's steps

    def test_step_1_1_capture_makes_a_session_whose_item_is_processed_and_then_ready_with_the_photo_on_top(self):
        before = self.texts("#sessions b")
        with self.nobody_looking():
            self.browser.choose("#file", self.root / "plain.png")
            self.wait_text("#status", "1 captured")
            self.browser.wait("document.querySelector('#sessions .badge')?.textContent === '1 waiting'")
            self.assertEqual(len(self.texts("#sessions b")), min(50, len(before) + 1))
            self.wait_text("#items .badge", "Waiting")
            item = self.browser.run("open.items[0].id")
            self.edit(item, state="processing")
            self.wait_text("#items .badge", "Processing")
        self.wait_quiet("#items .badge")
        self.wait_quiet("#sessions .badge")
        self.browser.click("#items .tile")
        self.browser.wait("document.querySelector('#picture').naturalWidth === 80")
        self.assertIn("role=original", self.browser.run("document.querySelector('#picture').src"))
        picture, title = (
            self.browser.run(f"document.querySelector('#{name}').getBoundingClientRect().top") for name in ("picture", "itemtitle")
        )
        self.assertLessEqual(picture, title)

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
        self.browser.wait("document.querySelectorAll('#over polygon').length === 1")
        self.browser.click("#over polygon")
        self.wait_text("#parts", "Found on another item")
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
            self.assertIn("Web Preview", self.texts("#parts h3"))
            for text in ("example.org", "Example", "An article", "Of something", HOSTILE):
                self.assertIn(text, self.text("#parts"))
            self.open_session(item["sessionID"])
            if turn == 0:
                self.choose_action("#reprocess")
                self.wait_text("#status", "1 item will be processed again")
                self.settle(item["sessionID"])

    def test_step_2_1_a_tag_names_the_session_and_the_time_moves_below(self):
        item = self.capture(SHOPPING)
        self.ask("api/rename", b"", id=item["sessionID"], title="Before")
        self.open_item(item["id"])
        self.wait_text(self.row(item["sessionID"], "b"), "Before")
        self.browser.click("#itemtags .chip")
        self.wait_text(self.row(item["sessionID"], "b"), "Shopping")
        self.assertEqual(self.text("#status"), "The session is named “Shopping”.")
        self.assertRegex(self.text(self.row(item["sessionID"], "small")), r"\d:\d\d")
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
        self.choose_action("#duplicate")
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
            self.choose_action("#reprocess")
            self.wait_text("#items .badge", "Waiting")
            self.edit(item["id"], state="processing")
            self.wait_text("#items .badge", "Processing")
        self.wait_quiet("#items .badge")
        self.open_item(item["id"])
        self.assertIn("Halles", self.text("#parts"))
        self.assertIn("Market", self.text("#parts"))

    def test_step_2_4_a_session_is_deleted_and_can_be_brought_back_for_a_while(self):
        item = self.capture("Away with it")
        self.open_session(item["sessionID"])
        self.choose_action("#delete")
        self.wait_text("#status", "“Away with it” with 1 item was deleted")
        self.wait_row(item["sessionID"], False)
        self.browser.click("#undo")
        self.wait_row(item["sessionID"])
        self.open_session(item["sessionID"])
        self.delete("#delete", "“Away with it” with 1 item")
        self.wait_row(item["sessionID"], False)
        self.assertTrue(self.browser.run("document.querySelector('#session').hidden"))
        for path, id in (("api/session", item["sessionID"]), ("api/item", item["id"])):
            with self.assertRaises(urllib.error.HTTPError) as gone:
                self.ask(path, id=id)
            self.assertEqual(gone.exception.code, 404)
            gone.exception.close()

    def test_what_is_being_deleted_is_deleted_when_the_page_is_left(self):
        item = self.capture("Left behind")
        self.open_session(item["sessionID"])
        self.choose_action("#delete")
        self.wait_text("#status", "was deleted")
        self.show("")
        self.wait_row(item["sessionID"], False)

    def test_step_3_1_a_qr_code_of_an_address_has_a_preview_of_its_page(self):
        self.browser.choose("#file", self.root / "qr.png")
        self.browser.wait("document.querySelectorAll('#items .found .tile').length === 1", 10)
        self.browser.click("#items > .parent > .tile")
        self.wait_text("#parts", "Codes")
        self.assertIn(LINK, self.text("#parts"))
        self.browser.click("#parts .tile")
        self.wait_text("#parts", "Web Preview")
        self.assertIn("example.org", self.texts("#parts p.soft"))
        self.assertEqual(
            self.browser.run("(a => [a.href, a.rel, a.target])(document.querySelector('#parts a'))"),
            [LINK, "noopener noreferrer", "_blank"],
        )
        self.assertEqual(self.browser.run("document.querySelectorAll('iframe, object, embed').length"), 0)

    def test_step_3_2_a_shared_link_is_in_the_sidebar_with_a_preview(self):
        before = self.current()
        self.browser.click("#add")
        self.browser.run("document.querySelector('#address').focus()")
        self.browser.type("https://example.org/shared")
        self.browser.press("Enter")
        self.browser.wait(f"sessionID() !== '{before}' && open?.items?.length === 1", 10)
        self.settle(self.current())
        self.wait_text("#when", "1 item")
        self.browser.click("#items .tile")
        self.wait_text("#parts", "Web Preview")
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
        # 300 ms are promised of a release build; on a shared machine no time is a failure.
        print(f"first view of {len(self.texts('#sessions li'))} sessions: {[round(time) for time in times]} ms")

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
        self.choose_action("#rename")
        self.answer("Été & 100 % + more?")
        self.wait_text("#title", "Été & 100 % + more?")
        self.assertEqual(self.ask("api/session", id=item["sessionID"])["session"]["titleSource"], "user")

    def test_a_session_is_merged_into_another(self):
        first, second = self.capture("One of two"), self.capture("Two of two")
        self.open_session(first["sessionID"])
        self.wait_text(self.row(second["sessionID"], "b"), "Two of two")
        self.choose_action("#merge")
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
            self.delete("#deleteitem", "item”")
            self.browser.wait("document.querySelector('#item').hidden")
            if left:
                self.browser.wait("open?.items?.length === 1")
        self.wait_row(first["sessionID"], False)

    def test_several_files_go_into_one_session_and_a_bad_one_is_told(self):
        before = self.current()
        self.browser.choose("#file", self.root / "plain.png", self.root / "bad.bin", self.root / "isbn.png")
        self.wait_text("#status", "2 captured. bad.bin: is neither a PNG")
        self.assertEqual(self.browser.run("document.querySelector('#toast').className"), "bad")
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

    def test_the_camera_looks_and_takes_a_picture(self):
        before = self.current()
        self.browser.run("document.querySelector('#capturing').showPopover()")
        self.browser.click("#take")
        self.browser.wait("document.querySelector('#video').videoWidth > 0")
        # The answers to its frames are shown.
        self.browser.wait("document.querySelector('#seen').getAttribute('viewBox') !== null", 10)
        self.browser.click("#shutter")
        self.wait_text("#status", "1 captured")
        self.browser.click("#closefinder")
        self.browser.wait("document.querySelector('#video').srcObject === null")
        self.assertEqual(self.current(), before)
        self.wait_text("#recent b", "camera-")

    def test_settings_are_kept(self):
        def change(script, path, expected):
            self.browser.run(script)
            self.browser.wait(f"ask('api/settings').then(text => JSON.stringify(read(text){path}) === {json.dumps(json.dumps(expected))})")

        self.browser.click("#set")
        self.browser.wait("document.querySelector('#settings').open")
        self.assertIn("nothing leaves this device", self.text("#options"))
        field = "document.querySelector('#options [aria-label=\"{}\"]')"
        change(
            f"{field.format('New concept')}.value = 'Rivers'; document.querySelector('#options [data-key=addconcept]').click()",
            ".concepts.find(({name}) => name === 'Rivers')?.weight", 2,
        )
        self.wait_text("#options", "Rivers")
        change(
            f"{field.format('Latitude')}.value = 48.21; {field.format('Longitude')}.value = 16.36;"
            "document.querySelector('#options [data-key=keephome]').click()", ".home?.latitude", 48.21,
        )
        self.browser.wait(f"{field.format('Latitude')}.value === '48.21'")
        change("document.querySelector('#options [data-key=\"xRivers\"]').click()", ".concepts.filter(({name}) => name === 'Rivers').length", 0)
        self.ask("api/home", b"null", {"Content-Type": "application/json"})

    def test_a_search_shows_pictures_while_one_types_and_goes_back(self):
        item = self.capture("Kayaks on the quiet lagoon")
        self.browser.press("/")
        self.browser.type("quiet lagoon")
        self.browser.wait(f"keyed(document.querySelector('#found'), '{item['id']}') !== null", 20)
        self.assertEqual(self.text("#asked"), "Results for “quiet lagoon”")
        self.browser.click(f"#found [data-key='{item['id']}']")
        self.browser.wait(f"open?.item?.id === '{item['id']}'")
        self.browser.run("history.back()")
        self.browser.wait("!document.querySelector('#results').hidden")
        self.assertEqual(self.browser.run("document.querySelector('#about').value"), "quiet lagoon")

    def test_an_item_is_named_by_a_person_and_moved(self):
        item, other = self.capture("Wandering words"), self.capture("Another place")
        self.open_item(item["id"])
        self.choose_action("#renameitem")
        self.answer("My words")
        self.wait_text("#itemtitle", "My words")
        self.wait_text(self.row(other["sessionID"], "b"), "Another place")
        self.choose_action("#moveitem")
        self.browser.wait("document.querySelector('#dialog').open")
        self.browser.run(f"document.querySelector('#choices').value = '{other['sessionID']}'")
        self.answer()
        self.browser.wait(f"open?.session?.id === '{other['sessionID']}' && open.items.length === 2")
        self.wait_row(item["sessionID"], False)

    def test_several_items_are_selected_moved_exported_and_deleted(self):
        first, other = self.capture("Pick me first"), self.capture("Pick another place")
        second = self.capture("Pick me second", first["sessionID"])
        self.capture("Leave me here", first["sessionID"])

        def select(session):
            self.open_session(session)
            self.choose_action("#select")
            for item in (first, second):
                self.browser.click(f"#items [data-key='{item['id']}']")
            self.wait_text("#pickedcount", "2 items selected")
            self.assertEqual(self.browser.run("document.querySelectorAll('#items [aria-pressed=true]').length"), 2)

        select(first["sessionID"])
        self.wait_text(self.row(other["sessionID"], "b"), "Pick another place")
        self.browser.click("#movepicked")
        self.browser.wait("document.querySelector('#dialog').open")
        self.browser.run(f"document.querySelector('#choices').value = '{other['sessionID']}'")
        self.answer()
        self.browser.wait(f"open?.session?.id === '{other['sessionID']}' && open.items.length === 3")
        self.assertTrue(self.browser.run("document.querySelector('#picking').hidden"))
        self.choose_action("#export")
        self.wait_text("#status", "3 items saved")
        select(other["sessionID"])
        self.browser.click("#savepicked")
        self.wait_text("#status", "2 items saved")
        self.browser.click("#deletepicked")
        self.wait_text("#status", "2 items were deleted")
        self.browser.run("finishDeleting()")
        self.browser.wait("open?.items?.length === 1")

    def test_an_export_has_the_contacts_and_events_of_codes(self):
        self.browser.run("""
            window.exported = '';
            window.fetch = async (address) => address.startsWith('file?')
                ? new Response('BEGIN:VCARD', { headers: { 'content-disposition': 'attachment; filename="Ada.vcf"' } })
                : new Response('', { status: 404 });
            URL.createObjectURL = (blob) => { blob.text().then((text) => { exported = text; }); return 'data:,x'; };
            const item = (id, kind) => ({ id, pictures: {}, enrichment: { qrContext: { meaning: { kind } } } });
            save('x', { items: [item('0A1B2C3D-E', 'contact'), item('FFFFFFFF-E', 'wifi')] });
            undefined;
        """)
        self.browser.wait("exported.includes('codes/0a1b2c3d-Ada.vcf') && exported.includes('BEGIN:VCARD')")
        self.assertEqual(self.browser.run("exported.split('codes/').length"), 3)  # Once before the file, once in the directory.

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

    def test_a_text_of_any_length_is_shown_in_parts(self):
        for text in ("A" * 300_000, "e" + "\u0301" * 100_000):
            self.open_item(self.capture(text)["id"])
            self.browser.wait("document.querySelector('#parts p.text') !== null")
            shown = "[...document.querySelectorAll('#parts p.text')].map((one) => one.textContent.length)"
            self.assertLessEqual(max(self.browser.run(shown)), 20_300)
            if text[0] == "A":
                self.browser.run("document.querySelector('#parts button[data-key=more]').click()")
                self.assertEqual(len(self.browser.run(shown)), 2)

    def test_nobody_sees_or_changes_anything_without_token_and_page(self):
        cookie = {"Cookie": self.cookie}
        for path, data, headers, code in (
            ("", None, {}, 403), ("?token=wrong", None, {}, 403), ("api/sessions", None, {}, 403), ("events", None, {}, 403),
            ("api/day", None, {"Cookie": self.cookie + "wrong"}, 403),
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
        # The header takes no more than a fifth.
        self.assertLessEqual(self.browser.run("document.querySelector('header').offsetHeight"), 844 / 5)
        self.browser.click("#bar a[href='#sessions']")
        # The list may move while it is refreshed.
        self.browser.run(f"document.querySelector({json.dumps(self.row(item['sessionID']))}).click()")
        self.browser.wait("!document.querySelector('#session').hidden")
        self.assertLessEqual(self.browser.run(width), 390)
        self.assertFalse(self.browser.run("document.querySelector('#side').checkVisibility()"))
        self.browser.click("#items .tile")
        self.browser.wait("!document.querySelector('#item').hidden")
        self.assertLessEqual(self.browser.run(width), 390)
        self.browser.click("#item > .back")
        self.browser.wait("!document.querySelector('#session').hidden")
        self.browser.click("#session > .back")
        self.browser.wait("!document.querySelector('#start').hidden")


class StudioSourceTests(StudioCase):
    """The guide's steps in which sources are asked: pages and services of a server on this machine, which may fail."""

    HOME = (48.21, 16.36)
    WORDS = "The shelf by the window holds forty books about rivers.\nEach was read once, and some of them twice."

    @classmethod
    def options(cls):
        cls.site = Site()
        cls.addClassCleanup(cls.site.close)
        cls.inbox = cls.root / "inbox"
        cls.inbox.mkdir()
        service = {"url": cls.site.address, "private": True}
        (cls.root / "providers.json").write_text(json.dumps({
            "home": dict(zip(("latitude", "longitude"), cls.HOME)), "link": {"private": True}, "weather": service,
            "place": service, "web-search": {**service, "url": cls.site.address + "/search"},
        }))
        return ["--providers", cls.root / "providers.json", "--inbox", cls.inbox]

    @classmethod
    def fill(cls):
        cls.ask("api/capture", b"A note", {"Content-Type": "text/plain"}, name="note.txt")

    def setUp(self):
        self.site.answers.clear()
        self.site.asked.clear()
        super().setUp()

    def article(self, path, **more):
        """Sets a page that says much of itself."""
        more = {"description": "Forty books", "site_name": "Shelf news", **more}
        return self.site.page(path, "Rivers", f"{self.WORDS}\n<b>Bold</b><script>window.hit = 1</script>", **more)

    def whole(self, session):
        """A session's items with all that is kept of them, in their order."""
        items = self.ask("api/session", id=session)["items"]
        return [self.ask("api/item", id=one["id"])["item"] for one in items]

    def again(self, session):
        """Looks at a session again, on the page."""
        self.open_session(session)
        self.browser.run("notify('')")
        self.choose_action("#reprocess")
        self.wait_text("#status", "will be processed again")
        return self.settle(session)

    def fields(self):
        """What the page shows of an item, by names."""
        rows = "[...document.querySelectorAll('#parts dt')].map(one => [one.textContent, one.nextSibling.firstChild.textContent])"
        return dict(self.browser.run(rows))

    def pictures(self):
        """Files of pictures beside the store."""
        return {path.name for path in (self.root / "sessions.sqlite.pictures").iterdir() if path.name != "lock"}

    def is_missing(self, path, **query):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask(path, **query)
        refused.exception.close()
        return refused.exception.code == 404

    def test_step_1_3_products_and_web_entities_are_nested_below_the_picture(self):
        link = self.article("/page")
        # An answer with the code's number is one about it; another would be a candidate.
        self.site.say("/search", {"Heading": "Stabilo Boss", "AbstractText": "A highlighter, 4006381333931.", "AbstractSource": "Wiki"})
        parts = stacked((qr(link), 8), (ean13("4006381333931"), 4))
        item = self.capture(png(parts, 1, 40), name="both.png")
        self.open_session(item["sessionID"])
        self.browser.wait("document.querySelectorAll('#items > .parent > .found .tile').length === 2")
        self.assertEqual(self.browser.run("document.querySelectorAll('#items > li').length"), 1)
        self.assertEqual(self.browser.run("document.querySelector('#items > .parent > .tile').dataset.key"), item["id"])
        self.assertEqual(sorted(self.texts("#items .found b")), ["Rivers", "Stabilo Boss"])
        self.assertEqual(sorted(self.texts("#items .found small")), ["Page", "Product"])
        for name, more in (("Rivers", "Forty books"), ("Stabilo Boss", "A highlighter, 4006381333931.")):
            self.open_session(item["sessionID"])
            # The picture has the name of what was found on it.
            child = next(one for one in self.whole(item["sessionID"]) if one["title"] == name and one.get("parentID"))
            self.browser.click(f"#items .found [data-key='{child['id']}']")
            self.wait_text("#itemtitle", name)
            self.assertIn("Found on another item", self.text("#parts"))
            self.assertIn(more, self.text("#parts"))

    def test_step_1_4_what_was_extracted_stays_when_a_source_fails_or_knows_less(self):
        link = self.article("/page", image="https://example.org/a.png")
        item = self.capture(png(qr(link)), name="qr.png")
        before = self.whole(item["sessionID"])
        self.assertEqual(before[1]["enrichment"]["webContext"]["siteName"], "Shelf news")
        shown = {}
        for name, answer in (
            ("whole", None), ("broken", (500, "text/plain", "no")), ("refused", (403, "text/plain", "no")),
            ("less", (200, "text/html", "<title></title><p>Soon.</p>")),
            ("challenge", (200, "text/html", "<title>Just a moment...</title><p>Verify you are human</p>")),
            ("cut", (200, "text/html; charset=utf-8", "<!doctype html><ti")), ("no text", (200, "image/png", "png")),
        ):
            with self.subTest(name):
                if answer:
                    self.site.answers["/page"] = answer
                    self.again(item["sessionID"])
                for old, new in zip(before, self.whole(item["sessionID"]), strict=True):
                    if name == "no text":
                        new["enrichment"].pop("documentContext", None)
                    for key in ("id", "parentID", "kind", "title", "enrichment", "media", "labels", "tags", "url", "purposes"):
                        self.assertEqual(old.get(key), new.get(key), key)
                    self.assertEqual(sorted(old["pictures"]), sorted(new["pictures"]))
                self.open_item(before[1]["id"])
                self.wait_text("#parts", self.WORDS.split("\n")[1])
                shown[name] = {**self.fields(), "File": None}
                self.assertIn("Web Preview", self.texts("#parts h3"))
                self.assertEqual(shown[name]["Description"], "Forty books")
                self.assertEqual("Incomplete: link: " in self.text("#parts"), name in ("broken", "refused"))
                self.open_item(item["id"])
                self.browser.wait("document.querySelector('#picture').naturalWidth > 0")
        self.assertEqual(shown["whole"], shown["challenge"])

    def test_step_2_2_every_field_and_picture_of_a_session_is_in_its_copy(self):
        item = self.capture(stacked_page := png(stacked((qr(self.article("/page")), 8), (ean13(ISBN), 4)), 1, 40), name="both.png")
        for number, one in enumerate(self.whole(item["sessionID"])):
            self.edit(
                one["id"], isTitledByUser=True, title=f"Title {number}", summary="A summary", statements=["One", "Two"],
                purposes=["Research"], tags=["Blue", "Red"], labels={"code": 1, "text": 0.5}, failureCount=2, lastError="late",
                url=f"https://example.org/{number}", coordinate={"latitude": 1.5, "longitude": -2.5, "measuredAt": 1.6e9},
                source="a test", media={
                    "mediaType": "image/png", "filename": "both.png", "fileSize": len(stacked_page), "transcription": "Words",
                    "themes": ["code"],
                },
                enrichment={
                    "title": "T", "descriptionText": "D", "image": "https://example.org/i.png", "categories": ["C"], "location": "L",
                    "price": 1.25, "rating": 4.5, "questions": ["Q?"],
                    "webContext": {
                        "siteName": "S", "faviconURL": "https://example.org/f", "textContent": "Preview", "structuredData": "{}",
                        "url": "https://example.org/w",
                    },
                    "placeContext": {
                        "name": "P", "address": "A 1", "phoneNumber": "1", "website": "https://example.org/p", "rating": 3, "photos": ["x"],
                        "tips": ["t"], "categories": ["k"], "placeID": "7", "latitude": 1, "longitude": 2,
                    },
                    "documentContext": {"fileType": "page", "pageCount": 3, "author": "N"},
                    "qrContext": {"payload": "payload", "symbology": "QR-Code"},
                    "weatherContext": {"condition": "Sunny", "temperatureCelsius": 24, "symbolName": "sun.max"},
                    "bookContext": {
                        "title": "B", "authors": ["W"], "isbn": ISBN, "publisher": "P", "year": 1999, "confidence": 0.75,
                    },
                    "musicContext": {"title": "M", "artists": ["R"], "album": "V", "url": "https://example.org/m"},
                },
            )
        self.ask("api/rename", b"", id=item["sessionID"], title="All of it")
        self.open_session(item["sessionID"])
        self.wait_text("#title", "All of it")
        self.choose_action("#duplicate")
        self.wait_text("#title", "Copy of All of it")
        copy = self.current()
        old, new = self.whole(item["sessionID"]), self.whole(copy)
        self.assertEqual(len(old), 3)
        ids = {one["id"]: other["id"] for one, other in zip(old, new, strict=True)}
        self.assertFalse(set(ids) & set(ids.values()))
        for one, other in zip(old, new):
            self.assertEqual({**one, "id": ids[one["id"]], "copyOf": one["id"], "sessionID": copy, "parentID": ids.get(one.get("parentID"))}, {"parentID": None, **other})
            for role in one["pictures"]:
                self.assertEqual(*(self.picture(each["id"], role) for each in (one, other)), role)
        # What the page shows of each is the same, too.
        for one, other in zip(old, new):
            texts = []
            for each in (one, other):
                self.open_item(each["id"])
                texts.append([self.text(f"#{part}") for part in ("itemtitle", "itemstate", "itemsummary", "itemtags", "parts")])
            self.assertEqual(*texts)
        first, second = (self.ask("api/session", id=one)["session"] for one in (item["sessionID"], copy))
        own = ("id", "title", "createdAt", "updatedAt")
        self.assertEqual(*({key: value for key, value in one.items() if key not in own} for one in (first, second)))
        # The copy outlives what it was made of.
        pictures = [self.picture(one["id"], role) for one in new for role in one["pictures"]]
        self.ask("api/delete", b"", id=item["sessionID"])
        self.assertEqual(new, self.whole(copy))
        self.assertEqual(pictures, [self.picture(one["id"], role) for one in new for role in one["pictures"]])

    def picture(self, id, role):
        request = urllib.request.Request(f"{self.address}picture?id={id}&role={role}", headers={"Cookie": self.cookie})
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def test_step_2_3_while_it_is_looked_at_again_it_is_processing_and_data_stays_when_sources_fail_or_say_part(self):
        link = self.article("/slow")
        item = self.capture(link)
        before = self.whole(item["sessionID"])[0]
        partial = (200, "text/html", f"<title>Rivers</title><article><p>{self.WORDS}</p></article>")
        for answer in ((503, "text/plain", "no"), partial):
            with self.subTest(answer[0]):
                go = threading.Event()
                self.site.answers["/slow"] = lambda: (go.wait(20), answer)[1]
                self.open_session(item["sessionID"])
                self.choose_action("#reprocess")
                self.wait_text("#items .badge", "Processing")
                self.wait_text(self.row(item["sessionID"], ".badge"), "1 waiting")
                self.assertIn("Forty books", json.dumps(self.whole(item["sessionID"])))
                go.set()
                # A source that failed is said.
                self.browser.wait("![...document.querySelectorAll('#items .badge')].some(one => /Processing|Waiting/.test(one.textContent))", 20)
                self.settle(item["sessionID"])
                after = self.whole(item["sessionID"])[0]
                for key in ("title", "kind", "tags", "statements", "purposes"):
                    self.assertEqual(before[key], after[key], key)
                for key, value in before["enrichment"].items():
                    if key != "webContext":
                        self.assertEqual(value, after["enrichment"][key], key)
                self.assertEqual(after["enrichment"]["webContext"]["siteName"], "Shelf news")
                self.assertIn("forty books about rivers", after["enrichment"]["webContext"]["textContent"])

    def test_step_2_4_nothing_of_a_deleted_session_or_item_is_left(self):
        before = self.pictures()
        link = self.article("/gone")
        first = self.capture(png(qr(link)), name="qr.png")
        second = self.capture(PICTURES["plain.png"], first["sessionID"], name="plain.png")
        items = self.whole(first["sessionID"])
        self.assertEqual(len(items), 3)
        places = [(one["id"], role) for one in items for role in one["pictures"]]
        files = self.pictures() - before
        self.assertTrue(len(places) >= 4 and len(files) == len(places))
        self.open_item(second["id"])
        self.delete("#deleteitem", "”")
        self.assertTrue(self.is_missing("api/item", id=second["id"]))
        self.assertEqual(len(self.pictures() - before), sum(id != second["id"] for id, _ in places))
        self.open_session(first["sessionID"])
        self.delete("#delete", "items")
        self.wait_row(first["sessionID"], False)
        self.assertTrue(self.is_missing("api/session", id=first["sessionID"]))
        for one in items:
            self.assertTrue(self.is_missing("api/item", id=one["id"]))
        for id, role in places:
            self.assertTrue(self.is_missing("picture", id=id, role=role))
        self.assertEqual(self.pictures(), before)
        ids = [first["sessionID"], *(one["id"] for one in items)]
        with contextlib.closing(sqlite3.connect(self.store, timeout=20)) as database:
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = [str(row) for table in tables for row in database.execute(f'SELECT * FROM "{table}"')]
        self.assertEqual([row for row in rows for id in ids if id in row], [])
        self.assertEqual([row for row in rows if link in row], [])

    def test_step_3_1_the_page_of_a_qr_code_is_shown_as_safe_text(self):
        link = self.article("/page", image="https://example.org/a.png")
        (self.root / "link.png").write_bytes(png(qr(link)))
        before = self.current()
        self.browser.choose("#file", self.root / "link.png")
        self.browser.wait(f"sessionID() !== '{before}'", 10)
        self.browser.wait("document.querySelectorAll('#items .found .tile').length === 1", 10)
        self.settle(self.current())
        self.browser.run("document.querySelector('#items .found .tile').click()")
        self.wait_text("#itemtitle", "Rivers")
        self.assertIn("Web Preview", self.texts("#parts h3"))
        for line in self.WORDS.split("\n") + ["Bold"]:
            self.assertIn(line, self.text("#parts .text"))
        for selector in ("#parts b", "#parts script", "#parts iframe", "#parts object", "#parts embed", "#parts img"):
            self.assertEqual(self.browser.run(f"document.querySelectorAll('{selector}').length"), 0, selector)
        self.assertFalse(self.browser.run("'hit' in window"))
        self.assertEqual(self.fields()["Title"], "Rivers")
        self.assertEqual(self.browser.run("document.querySelector('#parts a').href"), link)

    def test_step_3_2_an_address_that_comes_from_outside_has_a_rich_preview_in_a_session(self):
        before = self.current()
        link = self.article("/shared", description="A &lt;b&gt;bold&lt;/b&gt; claim", image="https://example.org/cover.png")
        (self.inbox / "message.url.partial").write_text(f"[InternetShortcut]\r\nURL={link}\r\n")
        (self.inbox / "message.url.partial").rename(self.inbox / "message.url")
        self.wait_text("#sessions b", "Rivers", 20)
        session = self.browser.run("document.querySelector('#sessions button').dataset.key")
        self.assertNotEqual(session, before)
        self.settle(session)
        self.browser.click(self.row(session))
        self.browser.wait(f"open?.session?.id === '{session}'")
        self.browser.click("#items .tile")
        self.wait_text("#itemtitle", "Rivers")
        self.assertIn("Web Preview", self.texts("#parts h3"))
        fields = self.fields()
        self.assertEqual(fields["Title"], "Rivers")
        self.assertEqual(fields["Site"], "Shelf news")
        self.assertIn("bold", fields["Description"])
        # The picture's address stands there as text: fetching it would tell its server.
        self.assertEqual(fields["Picture"], "https://example.org/cover.png")
        self.assertEqual(self.browser.run("document.querySelectorAll('#parts img, #parts b, #parts script').length"), 0)
        self.assertIn(self.WORDS.split("\n")[0], self.text("#parts .text"))
        self.assertEqual(list(self.inbox.iterdir()), [])

    def test_home_is_where_a_capture_within_100_metres_of_it_was_taken(self):
        self.site.say("/places/search", {"results": [{"name": "Café Central", "fsq_place_id": "7"}]})
        self.site.say("/v1/forecast", {"current": {"temperature_2m": 24, "weather_code": 0}})
        # A degree of latitude is 111.2 km.
        for metres, name in ((0, "Home"), (90, "Home"), (110, "Café Central")):
            with self.subTest(metres):
                self.site.asked.clear()
                item = self.capture(jpeg(self.HOME[0] + metres / 111_195, self.HOME[1]), name="here.jpg")
                self.open_item(item["id"])
                self.wait_text("#parts", "Place")
                self.assertEqual(self.fields()["Name"], name)
                self.assertEqual(self.fields().get("Weather"), None if name == "Home" else "Sunny, 24 °C")
                self.assertEqual(self.ask("api/session", id=item["sessionID"])["session"].get("placeName"), name)
                self.assertEqual(any("places" in path for path in self.site.asked), name != "Home")
                self.assertEqual(any("forecast" in path for path in self.site.asked), name != "Home")


if __name__ == "__main__":
    unittest.main()
