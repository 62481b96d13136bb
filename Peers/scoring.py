"""Measures how long scoring a line takes, beside rapidfuzz and jiwer, and checks that all three find the same.

    python Peers/scoring.py [--binary .build/release/checks] [--rounds 5]

`checks harness scoring` makes pairs of lines, all of them in form NFC with single spaces, and no grapheme in them has more
than one scalar: on such text counting scalars, as rapidfuzz and jiwer do, and counting graphemes, as we do, is the same. The
three then score the pairs in turn, a few times over, so that a slow moment of the machine meets all of them; what is
compared is the medians. rapidfuzz is called pair by pair, as it would be in a benchmark written in Python; jiwer gets
its pairs in one call, which is its fastest way. Exit status: 0 equal and fast enough, 1 not.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version

import jiwer
from rapidfuzz.distance import Levenshtein

# At least as fast as rapidfuzz, and ten times as fast as jiwer.
BARS = {"distance": 1, "characters": 10, "words": 10}


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=".build/release/checks", help="a release build")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="how many pairs to score")
    parser.add_argument("--jiwer-pairs", type=int, default=50_000, help="how many of them jiwer gets, being slow")
    parser.add_argument("--rounds", type=int, default=5, help="how often each has its turn")
    return parser.parse_args()


def run_ours(binary, pairs, share, table=None):
    """What checks measured, as it says; writes the pairs to `table`."""
    command = [binary, "harness", "scoring", "--json", "--pairs", str(pairs), "--non-ascii", str(share)]
    if table:
        command += ["--out", table]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}; is it built? swift build -c release")
    return json.loads(done.stdout)


def timed(count, score):
    """Nanoseconds for each of `count` pairs, and what `score` gave."""
    start = time.perf_counter()
    result = score()
    return (time.perf_counter() - start) * 1e9 / count, result


def sum_of_distances(rows):
    distance = Levenshtein.distance
    total = 0
    for row in rows:
        total += distance(row[0], row[1])
    return total


def kinds(found):
    return [found.substitutions, found.deletions, found.insertions]


def unequal(rows, jiwer_rows):
    """How many of the pairs are scored otherwise than by rapidfuzz and jiwer."""
    wrong = 0
    for reference, hypothesis, *ours in rows:
        operations = Levenshtein.editops(reference, hypothesis)
        counts = {"replace": 0, "delete": 0, "insert": 0}
        for operation in operations:
            counts[operation.tag] += 1
        theirs = [Levenshtein.distance(reference, hypothesis), *counts.values()]
        wrong += [int(value) for value in ours[:4]] != theirs
    for reference, hypothesis, *ours in jiwer_rows[:20_000]:
        theirs = kinds(jiwer.process_characters(reference, hypothesis)) + kinds(
            jiwer.process_words(reference, hypothesis)
        )
        wrong += [int(value) for value in ours[1:]] != theirs
    return wrong


def compare(given, share, table):
    run_ours(given.binary, given.pairs, share, table)
    with open(table, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    some = rows[: given.jiwer_pairs]
    references, hypotheses = [row[0] for row in some], [row[1] for row in some]
    times = {name: {"ours": [], "theirs": []} for name in BARS}
    agree = True
    for _ in range(given.rounds):
        ours = run_ours(given.binary, given.pairs, share)
        time_taken, total = timed(len(rows), lambda: sum_of_distances(rows))
        times["distance"]["theirs"].append(time_taken)
        agree = agree and total == ours["distanceSum"]
        for name, process in (("characters", jiwer.process_characters), ("words", jiwer.process_words)):
            time_taken, found = timed(len(some), lambda: process(references, hypotheses))
            times[name]["theirs"].append(time_taken)
            column = 3 if name == "characters" else 6
            sums = [sum(int(row[column + kind]) for row in some) for kind in range(3)]
            agree = agree and sums == kinds(found)
        for name in BARS:
            times[name]["ours"].append(ours[name]["nanosecondsPerPair"])
    wrong = unequal(rows, some)
    print(f"\n{len(rows):,} pairs, {share:.0%} with letters beyond ASCII; {wrong} scored otherwise, ", end="")
    print("sums equal" if agree else "SUMS DIFFER")
    passed = agree and wrong == 0
    for name, bar in BARS.items():
        ours, theirs = statistics.median(times[name]["ours"]), statistics.median(times[name]["theirs"])
        peer = "rapidfuzz" if name == "distance" else "jiwer"
        met = theirs / ours >= bar
        passed = passed and met
        print(
            f"  {name:10}  ours {ours:8.0f} ns a pair   {peer:9} {theirs:8.0f} ns a pair   "
            f"{theirs / ours:6.1f} times as fast (bar: {bar})  {'ok' if met else 'TOO SLOW'}"
        )
    return passed


def main():
    given = options()
    print(f"rapidfuzz {version('rapidfuzz')}, jiwer {version('jiwer')}, Python {sys.version.split()[0]}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; medians of {given.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        passed = [compare(given, share, os.path.join(folder, "pairs.tsv")) for share in (0.0, 0.05)]
    sys.exit(0 if all(passed) else 1)


main()
