#!/usr/bin/env python3
"""Runs SpineBench's tiers and other OCR tools over the same labelled spines and prints one table.

    make peers DATASET="DIR DIR" ARGUMENTS="--engines fast,rapidocr-tuned --limit 40"

With --shelves, DIR holds shelves.jsonl, a photo with its books a line, or shelf.json, and the tools read the photos: a
book counts as read when its title is anywhere in the text of its photo, as rivals know no spines. Times are of photos.

DIR holds samples.jsonl and its images. Samples whose `legible` is false, or that have no title, are left out.

All tools take turns, a block of samples each, in one run, and another one begins each time: a machine that slows down
slows all of them. Every tool reads a block twice and the second time counts, so that none pays for its start or for
memory that it sets up at the first image of a shape.
"""

import argparse
import json
import pathlib
import sys

from engines import RIVALS, SHELF_RIVALS, SHELF_TIERS, TIERS, EngineFailure, start
from report import table

NOTES = """\
Title read: every word of the title found, at an edit similarity of 0.8 or more; 95 % Wilson interval.
ms: one image on a warm engine, from the file's bytes in memory to text, decoding included, for every tool; nearest-rank
percentiles. "read only": P50 without decoding, as a tool's own interface takes it ("-": not told apart).
(in brackets): from fewer samples than a bound at 99 % confidence takes (P50 7, P95 90, P99 459), so no claim."""


def samples_of(folder):
    path = folder / "samples.jsonl"
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                sample = json.loads(line)
                if not (sample.get("legible", True) and sample.get("title")):
                    continue
                path_of_image = str(folder / sample["image"])
                yield {"dataset": str(folder), "id": sample["id"], "title": sample["title"], "path": path_of_image}
            except (ValueError, KeyError, AttributeError) as error:
                raise SystemExit(f"{path}:{number}: not a sample: {error!r}") from None


def photos_of(folder):
    """A sample for each photo, with the titles of its books whose title is wholly visible."""
    single = folder / "shelf.json"
    lines = [single.read_text("utf-8")] if single.is_file() else (folder / "shelves.jsonl").read_text("utf-8").splitlines()
    for shelf in map(json.loads, lines):
        titles = [
            book["title"] for book in shelf["books"]
            if book.get("title") and book.get("titleFullyVisible", True) and book.get("legible", True)
        ]
        yield {"dataset": str(folder), "id": shelf["image"], "titles": titles, "path": str(folder / shelf["image"])}


def books_of(result):
    """A result for each book of a photo; the first one has the photo's time."""
    times = {key: result.pop(key) for key in ("milliseconds", "decodeMilliseconds") if key in result}
    for number, title in enumerate(result.pop("titles")):
        yield result | {"title": title} | (times if number == 0 else {})


def turns(samples, names, size):
    """Who reads which block when: all names for a block, beginning with another one for each."""
    for number, first in enumerate(range(0, len(samples), size)):
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            yield name, samples[first : first + size]


def compare(samples, names, spinebench, block):
    results = []
    engines = {}
    try:
        for name in names:
            engines[name] = start(name, spinebench)
        done = 0
        for name, part in turns(samples, names, block):
            paths = [sample["path"] for sample in part]
            answers = engines[name].read(paths + paths)[len(paths) :]
            results += [sample | answer | {"engine": name} for sample, answer in zip(part, answers)]
            done += len(part)
            print(f"\r{done}/{len(samples) * len(names)} {name:<20}", end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)
        for engine in engines.values():
            engine.close()
    return results


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--engines", help=f"names with commas; default: {','.join(TIERS + RIVALS)}")
    parser.add_argument("--shelves", action="store_true", help="read the photos of shelves, not the crops of spines")
    parser.add_argument("--spinebench", default=".build/release/spinebench", help="the command; default: %(default)s")
    parser.add_argument("--block", type=int, default=20, help="samples that a tool reads at a turn; default: %(default)s")
    parser.add_argument("--limit", type=int, help="only the first samples of each dataset")
    parser.add_argument("--out", type=pathlib.Path, help="write every single result here, a JSON object a line")
    parsed = parser.parse_args()
    names = SHELF_TIERS + SHELF_RIVALS if parsed.shelves else TIERS + RIVALS
    parsed.engines = list(dict.fromkeys(parsed.engines.split(","))) if parsed.engines else list(names)
    unknown = [name for name in parsed.engines if name not in names]
    if unknown:
        parser.error(f"no such engine: {', '.join(unknown)}; there are {', '.join(names)}")
    if parsed.block < 1 or (parsed.limit is not None and parsed.limit < 1):
        parser.error("--block and --limit are at least 1")
    files = ("shelves.jsonl", "shelf.json") if parsed.shelves else ("samples.jsonl",)
    missing = [str(folder) for folder in parsed.datasets if not any((folder / name).is_file() for name in files)]
    if missing:
        parser.error(f"no {' or '.join(files)} in {', '.join(missing)}")
    return parsed


def main():
    options = arguments()
    samples = []
    for folder in options.datasets:
        samples += list((photos_of if options.shelves else samples_of)(folder))[: options.limit]
    if not samples:
        raise SystemExit("no legible sample with a title in these datasets")
    try:
        results = compare(samples, options.engines, options.spinebench, options.block)
    except (EngineFailure, OSError) as failure:
        print(f"peers: error: {failure}", file=sys.stderr)
        sys.exit(4)
    if options.shelves:
        results = [book for result in results for book in books_of(result)]
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            for result in results:
                print(json.dumps(result, ensure_ascii=False), file=file)
    datasets = list(dict.fromkeys(sample["dataset"] for sample in samples))
    for dataset in datasets:
        print(table(dataset, [r for r in results if r["dataset"] == dataset], options.engines))
    if len(datasets) > 1:
        print(table("together", results, options.engines))
    print(NOTES)


if __name__ == "__main__":
    main()
