#!/usr/bin/env python3
"""Sends scans to a running `talaria serve --rate-limit off`: one by one, many at once, and more than it can read.

    python3 research/load.py http://127.0.0.1:8080 [--photos FOLDER] [--scans 64] [--seconds 15] [--factor 4]

Prints times in milliseconds. Exit code 1 when a scan is lost, when overload is answered with anything but 202 or 429, or when the P99 of
accepted scans under overload is above twice the one of scans one by one.
"""

import argparse
import json
import math
import pathlib
import re
import threading
import time
import urllib.error
import urllib.request
import uuid


def scan(url, photo):
    """The seconds to the end of a scan, the seconds to wait where it was refused, or what went wrong."""
    device, start = str(uuid.uuid4()), time.monotonic()
    head = '--load\r\nContent-Disposition: form-data; name="photos[]"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=load", "X-Device-ID": device}
    try:
        request = urllib.request.Request(f"{url}/v3/jobs/scans", head.encode() + photo + b"\r\n--load--\r\n", headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            job = json.load(answer)["data"]
        headers = {"Accept": "text/event-stream", "X-Device-ID": device, "Authorization": f"Bearer {job['authToken']}"}
        with urllib.request.urlopen(urllib.request.Request(url + job["sseUrl"], headers=headers), timeout=300) as stream:
            events = stream.read().decode()
    except urllib.error.HTTPError as error:
        return ("refused", float(error.headers.get("Retry-After", 1))) if error.code == 429 else ("lost", f"status {error.code}")
    except (OSError, KeyError, ValueError) as error:
        return "lost", repr(error)
    # A picture without text is the engine's word, not a loss.
    isDone = re.search(r"^event: ?completed", events, re.M) or "NO_TEXT" in events.upper()
    return ("done", time.monotonic() - start) if isDone else ("lost", "the stream ended before its job")


def together(tasks):
    outcomes, threads = [], []
    for wait, task in tasks:
        time.sleep(max(0, wait - time.monotonic()))
        threads.append(threading.Thread(target=lambda task=task: outcomes.append(task())))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return outcomes


def report(name, outcomes):
    times = sorted(1_000 * value for kind, value in outcomes if kind == "done")
    refused, lost = (sum(kind == wanted for kind, _ in outcomes) for wanted in ("refused", "lost"))
    cells = [f"{times[math.ceil(percent / 100 * len(times)) - 1]:.0f}" if times else "–" for percent in (50, 95, 99)]
    print(f"| {name} | {len(times)} | {' | '.join(cells)} | {refused} | {lost} |", *{f"\n{value}" for kind, value in outcomes if kind == "lost"})
    return float(cells[2].replace("–", "inf")), lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--photos", type=pathlib.Path, default="Datasets/spines-1/images")
    parser.add_argument("--scans", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--factor", type=float, default=4)
    given = parser.parse_args()
    photos = [path.read_bytes() for path in sorted(given.photos.iterdir())[:200]]
    url = given.url.rstrip("/")

    def until_done(number):
        while (outcome := scan(url, photos[number % len(photos)]))[0] == "refused":
            time.sleep(outcome[1])
        return outcome

    print("| scans | n | P50 | P95 | P99 | refused | lost |\n|---|--:|--:|--:|--:|--:|--:|")
    calm, lost = report("one by one", [until_done(number) for number in range(30)])
    start = time.monotonic()
    _, lost_too = report("at once, refused ones again", together([(0, lambda number=number: until_done(number)) for number in range(given.scans)]))
    rate = given.factor * given.scans / (time.monotonic() - start)
    start = time.monotonic()
    loaded, none = report(f"accepted of {rate:.0f} a second", together(
        [(start + number / rate, lambda number=number: scan(url, photos[number % len(photos)])) for number in range(int(given.seconds * rate))]))
    if lost + lost_too + none or loaded > 2 * calm:
        raise SystemExit(f"{lost + lost_too + none} scans lost; P99 under overload {loaded / calm:.1f} times the one of scans one by one (limit 2)")


main()
