"""What tests of a page share: one headless Chromium, driven through its DevTools pipe with nothing but Python's own library."""

import atexit
import contextlib
import http.client
import json
import os
import pathlib
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
import zlib

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH", PROJECT / ".build/release/spinebench"))
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOSTILE = "</script><img src=x onerror=alert(1)>\"'<!-- <script>&lt;"
# How long anything may take on a slow, busy machine, in seconds.
LIMIT = 60
# In every page: an element, all elements, and their texts, by a selector.
HELPERS = """
window.q = selector => document.querySelector(selector);
window.qa = selector => [...document.querySelectorAll(selector)];
window.qt = selector => qa(selector).map(one => one.textContent);
"""
UNNAMED = """qa('input, select, button').filter(field => !field.labels?.length && !field.textContent.trim() && !field.ariaLabel)
    .map(field => field.outerHTML)"""
# The texts whose contrast on the colour below them is less than 4.5 (WCAG 2.2, relative luminance).
LOW_CONTRAST = """(() => {
    const parts = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => parts(colour).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
    const below = element => {
        for (let e = element; e; e = e.parentElement) {
            const colour = getComputedStyle(e).backgroundColor;
            if ((parts(colour)[3] ?? 1) > 0) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    return qa("body *").filter(element => {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || element.closest("svg, script, noscript, option") || !element.checkVisibility()) return false;
        const [a, b] = [light(getComputedStyle(element).color), light(below(element))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05) < 4.5;
    }).map(element => element.outerHTML.slice(0, 80));
})()"""
# Every plot is drawn for the width that it has.
PLOTS_FIT = "qa('.canvas').every(canvas => Math.abs(canvas.firstChild.viewBox.baseVal.width - canvas.clientWidth) < 1)"


def spinebench(*words, codes=(0,)):
    """Output and errors of the program, which ends with one of the exit codes."""
    done = subprocess.run([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in codes:
        raise AssertionError(f"spinebench {words[0]} ended with {done.returncode}: {done.stdout}")
    return done.stdout


class Chromium:
    """The browser of a run: it starts with the first page, and every page has cookies and storage of its own."""

    running = None

    @classmethod
    def shared(cls):
        if cls.running is None or cls.running.process.poll() is not None:
            cls.running = cls()
        return cls.running

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="pages-", ignore_cleanup_errors=True)
        # Chromium reads commands from descriptor 3 and answers on 4, each message ended by a zero byte.
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', "-", CHROMIUM, "--headless=new", "--remote-debugging-pipe",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             # A camera that shows a moving pattern, without asking.
             "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--user-data-dir={self.profile.name}"],
            bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        self.buffer, self.number, self.pages = b"", 0, {}
        atexit.register(self.end)

    def end(self):
        with self.process:
            self.process.kill()
        self.profile.cleanup()

    def message(self):
        """The next message, whose event its page has noted."""
        while b"\0" not in self.buffer:
            if not select.select([self.process.stdout], [], [], LIMIT)[0]:
                raise TimeoutError(f"Chromium does not answer within {LIMIT} s")
            chunk = os.read(self.process.stdout.fileno(), 1 << 20)
            if not chunk:
                raise RuntimeError("Chromium ended")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if page := self.pages.get(message.get("sessionId")):
            page.note(message.get("method"), message.get("params", {}))
        return message

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self.process.stdin.fileno(), json.dumps(message).encode() + b"\0")
        while (answer := self.message()).get("id") != self.number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]


class Page:
    """One tab. Keeps what the console said and which addresses were asked for."""

    def __enter__(self):
        if not CHROMIUM:
            raise RuntimeError("no Chromium on the path; install Debian's package with 'scripts/setup.sh browser'")
        self.browser = Chromium.shared()
        self.console, self.requests, self.isLoaded = [], [], False
        self.context = self.browser.call("Target.createBrowserContext")["browserContextId"]
        target = self.browser.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = self.browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=HELPERS)
        self.look()
        return self

    def __exit__(self, *_):
        del self.browser.pages[self.session]
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def look(self, width=1280, height=900, dark=False):
        """Sets size and colours of the screen."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def note(self, method, event):
        if method == "Page.loadEventFired":
            self.isLoaded = True
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(part.get("value", part)) for part in event["args"]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(json.dumps(event["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.console.append(event["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])

    def open(self, address):
        """Loads a page anew and waits until it is there."""
        for to in ("about:blank", address):
            self.isLoaded = False
            self.call("Page.navigate", url=to)
            while not self.isLoaded:
                self.browser.message()

    def run(self, script):
        """The value of a JavaScript expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, script, wanted=True):
        """Waits until a JavaScript expression has a value."""
        end = time.monotonic() + LIMIT
        while (found := self.run(script)) != wanted:
            if time.monotonic() > end:
                raise AssertionError(f"{found!r} and not {wanted!r} after {LIMIT} s: {script}")
            time.sleep(0.01)

    def press(self, *keys, shift=False):
        """Keys as a person presses them."""
        codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46, "/": 191}
        for key in keys:
            code = f"Digit{key}" if key.isdigit() else f"Key{key.upper()}" if len(key) == 1 and key.isalpha() else key
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            stroke = dict(key=key, code=code, windowsVirtualKeyCode=codes.get(key) or ord(key.upper()), modifiers=8 * shift)
            self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **stroke)
            self.call("Input.dispatchKeyEvent", type="keyUp", **stroke)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def drag(self, *places, touch=False, shift=False):
        """The pointer from place to place, pressed from the first to the last; one place is a click."""
        for kind, (x, y) in [("Pressed", places[0]), *(("Moved", place) for place in places[1:]), ("Released", places[-1])]:
            if touch:
                name = {"Pressed": "touchStart", "Moved": "touchMove", "Released": "touchEnd"}[kind]
                self.call("Input.dispatchTouchEvent", type=name, touchPoints=[] if kind == "Released" else [{"x": x, "y": y}])
            else:
                self.call("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y, button="left", clickCount=1, buttons=1,
                          modifiers=8 * shift)

    def click(self, selector):
        """A mouse click on the middle of the first element that fits."""
        self.drag(self.run(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();"
            f" return [r.x + r.width / 2, r.y + r.height / 2]; }})(q({json.dumps(selector)}))"))


class PageCase(unittest.TestCase):
    """Tests of a page, on which the console says nothing and from which nothing is asked but what is the test's own."""

    own = ("data:", "about:", "blob:")
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if not PROGRAM.exists():
            raise RuntimeError(f"{PROGRAM} is not built; run 'make browser-test', or set SPINEBENCH to the program's path")
        cls.root = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.own = (*PageCase.own, cls.root.as_uri())
        cls.page = page = cls.enterClassContext(Page())
        cls.js, cls.until, cls.open, cls.click, cls.press, cls.type = page.run, page.wait, page.open, page.click, page.press, page.type

    def setUp(self):
        self.page.look()
        self.forget()

    def tearDown(self):
        self.same(self.page.console, [])
        self.same([url for url in self.page.requests if not url.startswith(self.own)], [])

    def forget(self):
        self.page.console.clear()
        self.page.requests.clear()

    def same(self, found, wanted, *why):
        self.assertEqual(found, wanted, *why)

    # A value, a text, a part of a text, a number of elements and their texts, each as soon as they are there.

    def reads(self, selector, text):
        self.until(f"q({json.dumps(selector)})?.textContent", text)

    def has(self, selector, *parts):
        for part in parts:
            self.until(f"q({json.dumps(selector)})?.textContent.includes({json.dumps(part)}) || q({json.dumps(selector)})?.textContent")

    def counts(self, selector, number):
        self.until(f"qa({json.dumps(selector)}).length", number)

    def lists(self, selector, texts):
        self.until(f"qt({json.dumps(selector)})", texts)

    # The same, as it is now.

    def text(self, selector):
        return self.js(f"q({json.dumps(selector)}).textContent")

    def texts(self, selector):
        return self.js(f"qt({json.dumps(selector)})")

    def count(self, selector):
        return self.js(f"qa({json.dumps(selector)}).length")


class FileCase(PageCase):
    """Tests of a page in a file, whose filters are in its address."""

    items = None

    def load(self, hash="", path=None):
        self.open((path or self.path).as_uri() + hash)

    def fill(self, selector, value):
        """Fills a field as a person does, as far as the page can tell."""
        self.js(f"(field => {{ field[field.type === 'checkbox' ? 'checked' : 'value'] = {json.dumps(value)};"
                f" for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{bubbles: true}})); }})(q({json.dumps(selector)}))")

    def choose(self, **fields):
        for name, value in fields.items():
            self.fill(f"[name={name}]", value)

    def hash(self):
        return dict(urllib.parse.parse_qsl(self.js("location.hash.slice(1)")))

    def listed(self, ids):
        """Has the items, whose ids are words of a text, in their order."""
        self.until(self.items, ids.split())

    def check_filters(self, table):
        """Each row's fields choose its items, and the link alone gives the same again."""
        for fields, expected in table:
            with self.subTest(fields):
                self.load()
                self.choose(**fields)
                self.listed(expected)
                self.same(self.hash(), {name: value for name, value in fields.items() if value})
                self.until("q('#nothing').hidden", expected != "")
                self.same(sum(map(int, re.findall(r"(\d+) of", self.text("#count")))), len(expected.split()))
                self.load(self.js("location.hash"))
                self.listed(expected)

    def check_orders(self, table):
        for fields, rising, falling in table:
            with self.subTest(fields):
                self.load()
                self.choose(**fields)
                self.listed(rising)
                self.choose(falling=True)
                self.listed(falling)
                self.same(self.hash(), {name: value for name, value in fields.items() if value} | {"falling": "1"})

    def check_policy(self):
        """The policy stops what would leave the page."""
        self.until("q('meta[http-equiv]').content.includes(\"default-src 'none'\")")
        self.until("fetch('https://example.invalid/').then(() => 'sent', () => 'stopped')", "stopped")
        self.assertIn("Content Security Policy", " ".join(self.page.console))
        self.forget()

    def check_looks(self, *hashes):
        """Every field has a name, and every text contrast."""
        for dark in (True, False):
            self.page.look(dark=dark)
            for hash in hashes:
                self.load(hash)
                self.js("qa('details').forEach(one => { one.open = true; })")
                self.same((self.js(UNNAMED), self.js(LOW_CONTRAST)), ([], []))

    def check_phone(self, *hashes):
        """Nothing sticks out of a phone."""
        self.page.look(390, 844)
        for hash in hashes:
            self.load(hash)
            self.js("qa('details').forEach(one => { one.open = true; })")
            self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 390)
            self.until("q('dialog').scrollWidth - q('dialog').clientWidth", 0)
            yield

    def busy(self):
        """How long the page's thread has worked, in seconds of the processor, which do not depend on what else the machine does."""
        self.page.call("Performance.enable", timeDomain="threadTicks")
        return next(one["value"] for one in self.page.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")


class DataCase(FileCase):
    """Tests of a page that is made of data, which a test replaces."""

    @classmethod
    def make(cls, *commands, page):
        """Makes the page of a small picture by commands of the program, and gives its data and its pictures."""
        (cls.root / "dataset").mkdir()
        (cls.root / "dataset/grey.png").write_bytes(png(40, 160))
        label = dict(id="grey", image="grey.png", category="vertical", title="x", transcription="x", orientation="cw")
        (cls.root / "dataset/samples.jsonl").write_text(json.dumps(label) + "\n")
        for words in (["run", "--dataset", cls.root / "dataset", "--variants", "tesseract", "--repetitions", "1", "--out", cls.root / "run"], *commands):
            spinebench(*words, codes=(0, 1, 3))
        cls.parts = re.split(r'(?<= id="data">)(.*?)(?=</script>)|(?<= id="pictures">)(.*?)(?=</script>)', (cls.root / page).read_text(), flags=re.DOTALL)
        return json.loads(cls.parts[1]), json.loads(cls.parts[5])

    @classmethod
    def write(cls, name, data, pictures):
        path = cls.root / (name + ".html")
        blocks = [json.dumps(one, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c") for one in (data, pictures)]
        path.write_text(cls.parts[0] + blocks[0] + cls.parts[3] + blocks[1] + cls.parts[6])
        return path


class Server:
    """A command that serves a page; it is asked as by the page, and ends as by Ctrl-C."""

    def __init__(self, *words):
        self.process = subprocess.Popen([PROGRAM, *map(str, words), "--port", "0"], text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = []
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"(http://127.0.0.1:\d+/)\?token=\w+", line):
                self.entry, self.address = found[0], found[1]
                break
        else:
            raise AssertionError(f"spinebench {words[0]} gives no page: {''.join(said)}")
        # Whatever it says later has to go somewhere.
        self.reader = threading.Thread(target=self.process.stderr.read, daemon=True)
        self.reader.start()
        with self.request("", {}, token=self.entry.rpartition("=")[2]) as answer:
            self.cookie = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, number=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(LIMIT)
        self.reader.join()
        self.process.stderr.close()
        return code

    @contextlib.contextmanager
    def request(self, path, headers, data=None, **query):
        """The answer, which is still to be read."""
        query = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        with contextlib.closing(http.client.HTTPConnection(urllib.parse.urlsplit(self.address).netloc, timeout=LIMIT)) as connection:
            connection.request("GET" if data is None else "POST", f"/{path}?{query}", data, headers)
            yield connection.getresponse()

    def ask(self, path, data=None, kind="application/octet-stream", raw=False, **query):
        with self.request(path, self.cookie | {"x-spinebench": "1", "Content-Type": kind}, data, **query) as answer:
            body = answer.read()
        if answer.status not in (200, 201):
            raise LookupError(answer.status, body)
        return body if raw else json.loads(body)

    def status(self, path, headers, data=None, **query):
        with self.request(path, headers, data, **query) as answer:
            return answer.status


def png(width, height, grey=160):
    """A grey picture as a PNG file."""
    return png_of([bytes([grey]) * width] * height)


def png_of(rows):
    """A PNG file of rows of grey values."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows)))
            + chunk(b"IEND", b""))
