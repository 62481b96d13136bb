"""Drives a headless Chromium through its DevTools pipe, with nothing but Python's own library."""

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page:
    """One tab. Keeps what the console said and which addresses were asked for."""

    def __init__(self, width=1280, height=900, dark=False, scale=1):
        self.profile = tempfile.TemporaryDirectory(prefix="sheet-", ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def place():
            # First above both: the descriptors of the pipes may be 3 and 4 themselves, in either order.
            for end, number in [(fcntl.fcntl(end, fcntl.F_DUPFD, 10), n) for end, n in ((to_browser, 3), (from_browser, 4))]:
                os.dup2(end, number)

        # Chromium reads commands from descriptor 3 and answers on 4, each message ended by a zero byte.
        self.process = subprocess.Popen(
            [
                PROGRAM, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-background-networking",
                # A camera that shows a moving pattern, without asking.
                "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--user-data-dir={self.profile.name}",
            ],
            pass_fds=(3, 4), preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._number, self._session = b"", 0, None
        self.console, self.requests, self._events = [], [], set()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height, scale)
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )

    def resize(self, width, height, scale=1):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
            mobile=width < 600,
        )

    def close(self):
        try:
            self._session = None
            self.call("Browser.close")
            self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self._write)
            os.close(self._read)
            self.profile.cleanup()

    def _message(self):
        while b"\0" not in self._buffer:
            chunk = os.read(self._read, 1 << 20)
            if not chunk:
                raise RuntimeError("Chromium ended")
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(message)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, event):
        if method is None:
            return
        self._events.add(method)
        if method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(part.get("value", part)) for part in event["args"]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(json.dumps(event["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.console.append(event["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, address):
        """Loads a page anew and waits until it is there."""
        self.call("Page.navigate", url="about:blank")
        self._events.clear()
        self.call("Page.navigate", url=address)
        while "Page.loadEventFired" not in self._events or self.run("document.readyState") != "complete":
            self._message() if "Page.loadEventFired" not in self._events else time.sleep(0.01)

    def run(self, script):
        """The value of a JavaScript expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, condition, seconds=5):
        """Waits until a JavaScript expression is true."""
        end = time.monotonic() + seconds
        while not self.run(condition):
            if time.monotonic() > end:
                raise AssertionError(f"not so within {seconds} s: {condition}")
            time.sleep(0.01)

    def press(self, key, text=None, shift=False):
        """A key as a person presses it."""
        codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
                 "Tab": 9, "Delete": 46, "/": 191}
        code = f"Digit{key}" if key.isdigit() else f"Key{key.upper()}" if len(key) == 1 and key.isalpha() else key
        parameters = {"key": key, "code": code, "windowsVirtualKeyCode": codes.get(key) or ord(key.upper()),
                      "modifiers": 8 if shift else 0}
        text = text or {"Enter": "\r"}.get(key, key if len(key) == 1 else None)
        if text:
            parameters["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def choose(self, selector, *paths):
        """Files of this machine, as a person chooses them for a file input."""
        field = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")["result"]
        self.call("DOM.setFileInputFiles", files=[str(path) for path in paths], objectId=field["objectId"])

    def drag(self, *places, touch=False, shift=False):
        """The pointer from place to place, pressed from the first to the last; one place is a click."""
        steps = [("Pressed", places[0])] + [("Moved", place) for place in places[1:]] + [("Released", places[-1])]
        for kind, (x, y) in steps:
            if touch:
                points = [] if kind == "Released" else [{"x": x, "y": y}]
                name = {"Pressed": "touchStart", "Moved": "touchMove", "Released": "touchEnd"}[kind]
                self.call("Input.dispatchTouchEvent", type=name, touchPoints=points)
            else:
                self.call("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y, button="left", clickCount=1, buttons=1,
                          modifiers=8 if shift else 0)

    def click(self, selector):
        """A mouse click on the middle of the first element that fits."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
