"""The tools under comparison: each reads a block of images and gives what it read and how long that took."""

import json
import pathlib
import subprocess
import sys
import tempfile

TIERS = ("fast", "accurate", "tesseract")
RIVALS = ("rapidocr", "rapidocr-turned", "rapidocr-tuned", "tesseract-cli")
# On photos of shelves: ours, and text detection over the whole photo, turned so that text that reads downwards lies.
SHELF_TIERS = ("shelf-fast", "shelf-accurate")
SHELF_RIVALS = ("rapidocr-shelf",)


class EngineFailure(Exception):
    """A tool did not start, or broke off: the comparison cannot go on without it."""


class Rival:
    """A rival in a process of its own, which stays for the whole run."""

    def __init__(self, name):
        self.name = name
        # A file, not a pipe, which a talkative library could fill until it waits for a reader.
        self.messages = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        worker = pathlib.Path(__file__).with_name("worker.py")
        self.process = subprocess.Popen(
            [sys.executable, str(worker), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.messages,
            text=True,
            encoding="utf-8",
        )
        self._answer()

    def read(self, paths):
        answers = []
        for path in paths:
            try:
                print(path, file=self.process.stdin, flush=True)
            except BrokenPipeError:
                pass  # the missing answer tells
            answers.append(self._answer())
        return answers

    def close(self):
        self.process.communicate()
        self.messages.close()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.messages.seek(0)
            words = self.messages.read().strip().splitlines()
            raise EngineFailure(f"{self.name} stopped: {words[-1] if words else 'it said nothing'}")
        return json.loads(line)


class Tier:
    """A tier of SpineBench: its command, started once for a block."""

    def __init__(self, name, command):
        self.name = name
        self.command = command

    def read(self, paths):
        command = [self.command, "read", *paths, "--json", "--variant", self.name]
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL)
        answers = []
        for line in run.stdout.splitlines():
            try:
                answers.append(json.loads(line))
            except ValueError:
                raise EngineFailure(f"{self.name}: not a JSON object: {line[:200]!r}") from None
        # A file that cannot be read makes the command fail, but has its line like every other.
        if [answer.get("path") for answer in answers] != list(paths):
            words = run.stderr.strip() or "it said nothing"
            raise EngineFailure(
                f"{self.name}: {len(answers)} answers to {len(paths)} paths, or in another order"
                f" (exit {run.returncode}): {words}"
            )
        return [flattened(answer) for answer in answers]

    def close(self):
        pass


class ShelfTier(Tier):
    """A tier of SpineBench on photos of shelves."""

    def read(self, paths):
        command = [self.command, "shelf", *paths, "--json", "--variant", self.name.removeprefix("shelf-")]
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        if [answer.get("path") for answer in answers] != list(paths):
            raise EngineFailure(f"{self.name}: exit {run.returncode}: {run.stderr.strip()}")
        for answer in answers:
            books = answer.pop("books", None)
            if books is not None:
                answer["lines"] = [line["text"] for book in books for line in book["lines"]]
        return answers


def flattened(answer):
    """SpineBench's answer with only the text of its lines."""
    if "error" in answer:
        return {"path": answer["path"], "error": str(answer["error"])}
    lines = [line["text"] for line in answer["lines"]]
    return {"path": answer["path"], "lines": lines, "milliseconds": answer["milliseconds"]}


def start(name, spinebench):
    if name in SHELF_TIERS:
        return ShelfTier(name, spinebench)
    return Tier(name, spinebench) if name in TIERS else Rival(name)
