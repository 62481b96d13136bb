#!/usr/bin/env python3
"""Kills `spinebench scan` and `talaria`, and checks every spine at the end.

    python3 Tests/stress/scans.py [--kills N] [--disks N] [--spines N] [--seed N]

Four parts, with the programs of .build/release (PROGRAMS names another folder) on the pictures of Datasets/spines-1:

accepted  the server is killed when it has accepted scans; the next process with its folder has to complete them all
clients   two clients of one library, --spines each: first without the server, then with it
kills     clients and their server are killed (signal 9) at random moments and started again
disks     clients whose files may not grow, at random sizes

Exit code 1 when a spine whose scan had returned is not in the library, when one is in it twice, or when anything is left
over on either side: in the queue, its folder, or the server's pictures.
"""

import argparse
import contextlib
import json
import random
import re
import sqlite3
import time
import urllib.request
import uuid
from difflib import SequenceMatcher

from rig import SPINES, Rig, end, lines, run

VARIANTS = ["hybrid", "talaria-only", "vision-fallback"]


class Scans(Rig):
    """A server, a library, and clients that scan into it."""

    def __enter__(self):
        self.library, self.url = self.folder / "library.sqlite", None
        self.catalogue = self.folder / "books.sqlite"
        run("spinebench-tools", "catalogue", "build", "--from-dataset", SPINES, "--out", self.catalogue)
        samples = [json.loads(line) for line in open(SPINES / "samples.jsonl")]
        self.titles = {str(SPINES / sample["image"]): sample.get("title") for sample in samples}
        # Books that only one spine has, so that twice in the library is once too often.
        titles = list(self.titles.values())
        self.photos = [photo for photo, title in self.titles.items() if title and titles.count(title) == 1]
        self.begun, self.returned, self.places = set(), {}, {}
        return self

    def server(self, waits=True):
        """A server at the same address as before, if there was one."""
        self.port_file = self.folder / f"port-{uuid.uuid4()}"
        port = self.url.rsplit(":", 1)[1] if self.url else 0
        process = self.start(
            "talaria", "serve", "--data", self.folder / "data", "--port", port, "--port-file", self.port_file,
            "--catalogue", self.catalogue, "--queue", 32, "--rate-limit", "off", "--log-level", "error")
        return self.ready(process) if waits else process

    def ready(self, process):
        file = self.port_file
        self.address(process, lambda: file.exists() and file.read_text().endswith("\n"))
        self.url = file.read_text().strip()
        return process

    def client(self, variant, photos, library=None, **options):
        process = self.start(
            "spinebench", "scan", "--json", "--talaria", self.url or "http://127.0.0.1:9", "--variant", variant,
            "--catalogue", self.catalogue, "--library", library or self.library, *photos, **options)
        self.places[process] = photos
        return process

    def note(self, process):
        """Notes the spines that an ended client began and returned, and returns those that it had not begun."""
        photos = self.places.pop(process)
        scans = [line for line in lines(process.log) if "path" in line]
        self.begun.update(photos[:len(scans) + 1])
        self.returned.update({scan["path"]: scan for scan in scans if "error" not in scan})
        return photos[len(scans) + 1:]

    def pictures(self):
        """Jobs of which the server still has pictures."""
        with contextlib.closing(sqlite3.connect(self.folder / "data" / "talaria.sqlite")) as database:
            return [job for (job,) in database.execute("SELECT DISTINCT job FROM picture")]

    def listed(self):
        return run("spinebench", "library", "list", "--library", self.library).splitlines()

    def drain(self):
        """Lets a client send all scans that wait."""
        for _ in range(40):
            # No time passes for the library: the waits of the queue, and the claims of clients that were killed, are over.
            with contextlib.closing(sqlite3.connect(self.library)) as database, database:
                if not database.execute("UPDATE scan SET notBefore = NULL, claimedUntil = NULL WHERE state = 'waiting'").rowcount:
                    return
            run("spinebench", "scan", "--drain", "--talaria", self.url, "--variant", "hybrid", "--catalogue",
                self.catalogue, "--library", self.library, check=False)

    def alone(self, photo):
        """The titles and the drafts' texts that undisturbed scans of a photo give, by each reader."""
        texts = set()
        for variant in ["hybrid", "talaria-only", "on-device-only"]:
            process = self.client(variant, [photo], library=self.folder / f"alone-{uuid.uuid4()}.sqlite")
            process.wait()
            self.places.pop(process)
            scan = lines(process.log)[0]
            texts.add(scan.get("title") or " / ".join(scan.get("lines", [])).lower())
        return texts

    def failures(self):
        """The faults of library and server, when both have had time to finish."""
        exported = json.loads(run("spinebench", "library", "export", "--format", "json", "--library", self.library))
        # Drafts have a text, and no title.
        books = [book["title"] for book in exported if "title" in book]
        listed = self.listed()
        drafts = [line.removeprefix("draft  ").lower() for line in listed if line.startswith("draft ")]
        found = [f"doubled: {title}" for title in sorted(set(books)) if books.count(title) > 1]
        # Most spines are named as their label says; the others are as they are when nothing disturbs them.
        known = {self.titles[photo] for photo in self.begun}
        for photo, scan in self.returned.items():
            if (scan.get("title") or self.titles[photo]) in books or self.titles[photo] in books:
                if " / ".join(scan.get("lines", [])).lower() in drafts:
                    found.append(f"left over: a draft of {photo}")
                continue
            texts = self.alone(photo)
            known |= texts
            if not texts & {*books, *drafts}:
                found.append(f"lost: {photo}, {scan['status']}, not one of {texts}")
        others = {title for title in books if title not in known}
        if others:
            # A spine that two variants scanned may be there under the label's title and under another reader's.
            def distance(photo):
                return min(-SequenceMatcher(None, self.titles[photo].lower(), other.lower()).ratio() for other in others)

            nearest = sorted((photo for photo in self.begun if self.titles[photo] in books), key=distance)[:10]
            unnamed = [photo for photo in self.begun if self.titles[photo] not in books]
            known = known.union(*(self.alone(photo) for photo in unnamed + nearest))
            found += [f"of no spine that was scanned: {title}" for title in others - known]
        found += [f"left over: {line}" for line in listed if line.startswith(("queued ", "failed "))]
        queue = self.folder / "library.sqlite.queue"
        found += [f"left over: {path}" for path in queue.glob("*") if path.name != "lock"]
        return found + [f"left over: {path}" for path in self.pictures()]

    def audit(self, text):
        """Ends the program when anything is wrong after the server has had time to end its jobs."""
        self.drain()
        deadline = time.monotonic() + 10
        while self.pictures() and time.monotonic() < deadline:
            time.sleep(0.05)
        end(f"{text}; {len(self.begun)} spines begun, {len(self.returned)} returned from their scan", self.failures())


def accepted(count):
    with Scans() as scans:
        first, jobs = scans.server(), []
        for photo in scans.photos[:count]:
            device, boundary = str(uuid.uuid4()), "stress"
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="photos[]"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
            body = head.encode() + open(photo, "rb").read() + f"\r\n--{boundary}--\r\n".encode()
            headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "X-Device-ID": device}
            with urllib.request.urlopen(urllib.request.Request(f"{scans.url}/v3/jobs/scans", body, headers), timeout=60) as answer:
                if answer.status != 202:
                    raise SystemExit(f"an upload was answered with {answer.status}")
                jobs.append((json.load(answer), device))
        scans.end(first)
        left, problems = len(scans.pictures()), []
        scans.server()
        for job, device in jobs:
            job = job.get("data", job)
            headers = {"Accept": "text/event-stream", "X-Device-ID": device, "Authorization": f"Bearer {job['authToken']}"}
            request = urllib.request.Request(scans.url + job["sseUrl"], headers=headers)
            with urllib.request.urlopen(request, timeout=300) as stream:
                events = re.findall(r"^event: ?(.*)$", stream.read().decode(), re.M)
            if "completed" not in events:
                problems.append(f"{job['jobId']}: {events}")
        problems += [f"left over: {path}" for path in scans.pictures()]
        end(f"{count} scans accepted, the server killed with {left} open jobs", problems)


def clients(spines):
    with Scans() as scans:
        scans.end(scans.server())
        rows = [scans.photos[number * spines:(number + 1) * spines] for number in range(4)]
        for phase in range(2):
            if phase == 1:
                scans.server()
            running = [scans.client(VARIANTS[number], rows[2 * phase + number]) for number in range(2)]
            for client in running:
                client.wait()
                scans.note(client)
        if len(scans.returned) != 4 * spines:
            raise SystemExit(f"only {len(scans.returned)} of {4 * spines} scans returned")
        scans.audit("2 clients of one library")


def kills(count, chance, longest=0.4):
    killed = {"client": 0, "server": 0}
    # Each round has all spines once, in a new library.
    while sum(killed.values()) < count:
        with Scans() as scans:
            server, photos = scans.server(), chance.sample(scans.photos, len(scans.photos))
            queues = [photos[0::2], photos[1::2]]
            running = [scans.client(chance.choice(VARIANTS), queue) for queue in queues]
            while sum(killed.values()) < count and all(queues):
                time.sleep(chance.uniform(0.001, longest))
                victim = chance.randrange(3)
                if victim == 2:
                    scans.end(server)
                    # Half of the servers are killed while they begin.
                    server = scans.server(waits=chance.random() < 0.5)
                    killed["server"] += 1
                    continue
                # A moment of its work, not of its start.
                deadline = time.monotonic() + 2
                while not lines(running[victim].log) and time.monotonic() < deadline and running[victim].poll() is None:
                    time.sleep(0.005)
                time.sleep(chance.uniform(0, longest))
                scans.end(running[victim])
                queues[victim] = scans.note(running[victim])
                running[victim] = scans.client(chance.choice(VARIANTS), queues[victim])
                killed["client"] += 1
            for client in running:
                scans.end(client)
                scans.note(client)
            scans.end(server)
            scans.server()
            scans.audit(f"{killed['client']} kills of clients, {killed['server']} of servers")


def disks(count, chance):
    with Scans() as scans:
        scans.server()
        full, photos = 0, chance.sample(scans.photos, len(scans.photos))
        for number in range(count):
            # Sizes (in KiB) from less than the database's head to room for about a dozen spines in its journal.
            size = scans.library.stat().st_size // 1024 if scans.library.exists() else 0
            part = photos[number * 8 % len(photos):][:8]
            client = scans.client(VARIANTS[number % 3], part, file_limit=chance.randint(1, size + 200))
            client.wait()
            scans.note(client)
            full += client.returncode != 0
        if not full:
            raise SystemExit("no disk was full")
        scans.audit(f"the disk was full in {full} of {count} clients")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, standard in (("kills", 40), ("disks", 10), ("spines", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=standard)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    accepted(10)
    clients(given.spines)
    kills(given.kills, chance)
    disks(given.disks, chance)


main()
