#!/usr/bin/env python3
"""Kills `captures studio` (signal 9) while it captures, reads, copies, renames and deletes, and checks every item.

    python3 Tests/stress/captures.py [--kills N] [--seed N]

Captures are pictures of bar codes of books, which the pipeline reads and whose books it looks up. PROGRAMS names another
folder than .build/release. Exit code 1 when an item whose capture had returned is missing, twice there, or lacks known facts,
when something deleted is there, when a copy lacks an item, or when a picture has no item or an item no picture.
"""

import argparse
import contextlib
import http.client
import json
import pathlib
import random
import re
import struct
import sys
import threading
import time
import urllib.parse
import uuid
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "Tests/stress"))

from rig import Journal, Rig, end, run, wait_for

LEFT = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()


def isbn(number):
    digits = f"9780000{number:05}"
    return digits + str(-sum(int(digit) * (1 + place % 2 * 2) for place, digit in enumerate(digits)) % 10)


def picture(digits):
    """A PNG of an EAN-13 (ISO/IEC 15420) whose first digit is 9: two pixels a module, 24 of white around it."""
    right = ["".join("10"[int(bit)] for bit in code) for code in LEFT]
    first = "".join((LEFT if kind == "L" else [code[::-1] for code in right])[int(digit)] for digit, kind in zip(digits[1:7], "LGGLGL"))
    bars = "101" + first + "01010" + "".join(right[int(digit)] for digit in digits[7:]) + "101"
    row = b"\xff" * 24 + b"".join(b"\0\0" if bit == "1" else b"\xff\xff" for bit in bars) + b"\xff" * 24
    rows = b"".join(b"\0" + line for line in [b"\xff" * len(row)] * 24 + [row] * 60 + [b"\xff" * len(row)] * 24)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", len(row), 108, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Studio:
    """A client of the page's server."""

    def __init__(self, address):
        self.address = urllib.parse.urlsplit(address)
        self.connect()

    def connect(self):
        self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        self.connection.request("GET", f"/?{self.address.query}")
        answer = self.connection.getresponse()
        answer.read()
        self.headers = {"Cookie": answer.headers["Set-Cookie"].split(";")[0], "x-spinebench": "1"}

    def ask(self, method, path, body=None, **query):
        """The answer; None when what was named is gone. OSError when the server is."""
        body = json.dumps(body) if isinstance(body, dict) else body
        try:
            self.connection.request(method, f"/api/{path}?{urllib.parse.urlencode(query)}", body, self.headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except http.client.HTTPException as error:
            raise OSError(error) from error
        if answer.status in (404, 409):
            return None
        if answer.status not in (200, 201):
            raise SystemExit(f"{method} {path} {query}: {answer.status} {text[:200]}")
        return json.loads(text)

    def act(self, action, id, value=None):
        return self.ask("POST", "act", {"action": action, "id": id, "value": value})


class Captures(Rig):
    def __enter__(self):
        self.store, self.journal = self.folder / "sessions.sqlite", Journal()
        self.books = {isbn(number): f"Book {number:02} of a Hundred" for number in range(100)}
        table, self.catalogue = self.folder / "books.csv", self.folder / "books.sqlite"
        table.write_text("title,author,isbn13\n" + "".join(f"{title},,{digits}\n" for digits, title in self.books.items()))
        run("spinebench-tools", "catalogue", "build", table, "--out", self.catalogue)
        return self

    def studio(self):
        process = self.start("captures", "studio", "--port", 0, "--codes-only", "--store", self.store, "--catalogue", self.catalogue,
                             "--library", self.folder / "library.sqlite")
        return process, self.address(process, lambda: re.search(r"http://\S+token=\w+", process.errors.read_text()))[0]

    def act(self, studio, chance):
        """One action of a user at random, with an entry before and after it."""
        sessions = [session["session"]["id"] for session in studio.ask("GET", "sessions", limit=200)]
        session, dice = chance.choice(sessions) if sessions else None, chance.randrange(100)
        note = self.journal.add
        if dice < 50 or not session:
            digits = chance.choice(list(self.books))
            name, into = f"{uuid.uuid4()}-{digits}.png", {"session": session} if session and dice % 2 else {}
            note("capture", name)
            if item := studio.ask("POST", "capture", picture(digits), name=name, **into):
                note("captured", item["id"], item["sessionID"])
        elif dice < 60:
            whole = studio.ask("GET", "export", id=session)
            if whole and (copy := studio.act("duplicate", session)):
                note("copied", copy["session"], [item["id"] for item in whole["items"] if not item.get("parentID")])
        elif dice < 72:
            title = f"T{chance.getrandbits(40)}"
            note("rename", session, title)
            if studio.act("rename", session, title):
                note("renamed", session, title)
        elif dice < 86:
            whole = studio.ask("GET", "export", id=session)
            items = [item["id"] for item in whole["items"] if not item.get("parentID")] if whole else []
            if items:
                item = chance.choice(items)
                note("delete", item, session)
                if studio.act("delete", item):
                    note("deleted", item)
        elif dice >= 92 or len(sessions) > 40:
            note("forget", session)
            if studio.act("delete", session):
                note("forgotten", session)

    def user(self, address, seed):
        chance = random.Random(seed)
        with contextlib.suppress(OSError):
            studio = Studio(address)
            while True:
                self.act(studio, chance)

    def failures(self, sessions):
        """The faults of what the store holds in the end: sessions with their items."""
        journal, found = self.journal, []
        parts = {}
        for whole in sessions.values():
            for item in whole["items"]:
                if item.get("parentID"):
                    parts.setdefault(item["parentID"], []).append(item)
        captures = {item["id"]: item for whole in sessions.values() for item in whole["items"] if not item.get("parentID")}
        places = {id: [item["id"] for item in whole["items"] if not item.get("parentID")] for id, whole in sessions.items()}
        forget = {id for id, in journal.all("forget")}
        deleting = {item for item, _ in journal.all("delete")}
        found += [f"lost: {item}" for item, session in journal.all("captured")
                  if item not in captures and item not in deleting and session not in forget]
        found += [f"still there: {item}" for item, in journal.all("deleted") if item in captures]
        found += [f"still there: session {id}" for id, in journal.all("forgotten") if id in sessions]
        for id, whole in sessions.items():
            names = [item["media"]["filename"] for item in whole["items"] if not item.get("parentID")]
            found += [f"twice in session {id}: {name}" for name in set(names) if names.count(name) > 1]
        for id, originals in journal.all("copied"):
            removed = len([1 for _, session in journal.all("delete") if session == id])
            if id not in sessions and id not in forget and len(originals) > removed:
                found.append(f"lost: copy {id}")
            elif id in sessions and len(places[id]) < len(originals) - removed:
                found.append(f"copy {id} has {len(places[id])} of {len(originals)} captures")
        for id, whole in sessions.items():
            # The last title that was set, or one whose setting began since.
            titles = []
            for kind, *words in journal.entries:
                if kind in ("rename", "renamed") and words[0] == id:
                    titles = [words[1]] if kind == "renamed" else titles + [words[1]]
            if any(kind == "renamed" and words[0] == id for kind, *words in journal.entries) and whole["session"]["title"] not in titles:
                found.append(f"session {id} is called {whole['session']['title']}, and not one of {titles}")
        named = set()
        for item in captures.values():
            digits = item["media"]["filename"].rsplit("-", 1)[1].removesuffix(".png")
            books = parts.get(item["id"], [])
            facts = [part["enrichment"] for part in books]
            if item["state"] != "ready" or [part["state"] for part in books] != ["ready"]:
                found.append(f"{item['id']} is {item['state']}, its parts are {[part['state'] for part in books]}")
            elif facts[0]["qrContext"]["payload"] != digits or facts[0]["bookContext"]["title"] != self.books[digits]:
                found.append(f"{item['id']}: its code or its book is lost")
            if not {"original", "thumbnail"} <= set(item["pictures"]):
                found.append(f"{item['id']} lacks a picture: {item['pictures']}")
            named |= set(item["pictures"].values()).union(*(part.get("pictures", {}).values() for part in books))
        present = {path.name for path in self.store.with_name(self.store.name + ".pictures").iterdir() if path.is_file()}
        present = {name for name in present if re.match(r"[0-9A-Fa-f-]{36}", name)}
        found += [f"picture without an item: {name}" for name in present - named]
        return found + [f"item without its picture: {name}" for name in named - present]

    def check(self, kills, seed, longest=0.4):
        chance = random.Random(seed)
        for _ in range(kills):
            process, address = self.studio()
            users = [threading.Thread(target=self.user, args=(address, chance.random())) for _ in range(2)]
            count = len(self.journal.entries)
            for user in users:
                user.start()
            # A moment of its work, not of its start.
            wait_for("a studio works", lambda: len(self.journal.entries) > count or process.poll() is not None)
            time.sleep(chance.uniform(0, longest))
            if process.poll() is not None:
                raise SystemExit(f"a studio ended by itself with {process.returncode}: {process.errors.read_text()}")
            self.end(process)
            for user in users:
                user.join()
        process, address = self.studio()
        studio = Studio(address)

        def read():
            ids = [row["session"]["id"] for row in studio.ask("GET", "sessions", limit=200)]
            wholes = {id: studio.ask("GET", "export", id=id) for id in ids}
            return not any(item["state"] in ("queued", "processing") for whole in wholes.values() for item in whole["items"]) and wholes

        sessions = wait_for("everything is read", read, seconds=300, every=0.5)
        self.end(process)
        failures = self.failures(sessions)
        counts = ", ".join(f"{len(self.journal.all(kind))} {kind}" for kind in ("captured", "copied", "renamed", "deleted", "forgotten"))
        end(f"{kills} kills, seed {seed}; {counts}", failures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with Captures() as captures:
        captures.check(given.kills, given.seed)


main()
