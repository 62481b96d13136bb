"""Programs that are killed: their start, what they had returned, and their end."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", ROOT / ".build/release")).resolve()
SPINES = ROOT / "Datasets/spines-1"


def path(program):
    """A program of PROGRAMS, else of the package of captures."""
    own = PROGRAMS / program
    return own if own.exists() else ROOT / ".build/captures/release" / program


def run(program, *words, check=True):
    """The standard output of a program that runs to its end."""
    done = subprocess.run([path(program), *map(str, words)], cwd=ROOT, text=True, capture_output=True, timeout=600)
    if check and done.returncode != 0:
        raise SystemExit(f"{program} {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def lines(path):
    """The JSON objects of a file of lines, of which the last one may be cut."""
    found = []
    for line in path.read_text().split("\n")[:-1] if path.exists() else []:
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def wait_for(what, look, seconds=60, every=0.01):
    """The first thing that `look` returns which is not false."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(every)
    raise SystemExit(f"not so after {seconds} s: {what}")


class Rig:
    """A temporary folder with the processes that work in it, which end with it."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spinebench-stress-"))
        self.running, self.count = [], 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.running:
            self.end(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, program, *words, file_limit=None):
        """A process, whose `log` and `errors` are files of its output; with a limit of file sizes as on a full disk."""
        self.count += 1
        command = [str(path(program)), *map(str, words)]
        if file_limit is not None:
            # The system would end the process; a full disk does not.
            command = ["bash", "-c", f"trap '' XFSZ; ulimit -f {file_limit}; exec \"$@\"", "limited", *command]
        log, errors = (self.folder / f"{self.count}.{kind}" for kind in ("log", "errors"))
        with open(log, "wb") as output, open(errors, "wb") as problems:
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=problems)
        process.log, process.errors = log, errors
        self.running.append(process)
        return process

    def end(self, process, by=signal.SIGKILL):
        if process.poll() is None:
            process.send_signal(by)
        process.wait(timeout=600)
        if process in self.running:
            self.running.remove(process)

    def address(self, process, look):
        """What a server prints when it is ready; whoever ends instead is a fault."""
        def found():
            if process.poll() is not None:
                raise SystemExit(f"a server ended with {process.returncode}: {process.errors.read_text()}")
            return look()
        return wait_for(f"{process.args[0]} is ready", found)


class Journal:
    """What was begun and what had returned, by any thread."""

    def __init__(self):
        self.entries, self.lock = [], threading.Lock()

    def add(self, *words):
        with self.lock:
            self.entries.append(words)

    def all(self, kind):
        with self.lock:
            return [words[1:] for words in self.entries if words[0] == kind]


def end(text, failures):
    """Prints the outcome, and ends the program with 1 when anything failed."""
    print(f"{text}: {len(failures)} faults", flush=True)
    for failure in failures[:50]:
        print(f"FAILED: {failure}")
    if failures:
        raise SystemExit(1)
