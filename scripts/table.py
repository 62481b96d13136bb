#!/usr/bin/env python3
"""A table of readers: titles read, times, memory, licence, and their order under each scoring rule, as a page and as Markdown.

    scripts/table.py --out DIR RUN [RUN …]                      # of runs' folders, also those of 'spinebench score'
    scripts/table.py --out DIR [RUN …] --measure [OPTION …]    # measures the suite peers first, with options of 'spinebench run'

Pictures whose licence is not stated are not in the page. Processor time is the harness's, of other tools their own account of it.
"""

import argparse
import base64
import collections
import csv
import html
import json
import os
import pathlib
import re
import subprocess
import sys

from figures import processor, shown

PROGRAM = os.environ.get("SPINEBENCH", ".build/release/spinebench")
OURS = "Apache-2.0"
LICENCES = {
    "fast": OURS, "accurate": OURS, "quick": OURS, "staged": OURS, "tesseract": "Apache-2.0",
    "rapidocr": "Apache-2.0", "faster-paddle": "MIT (networks Apache-2.0)",
}
# Readers that the suite cannot have, with the reason.
MISSING = {
    "EasyOCR": "needs PyTorch; the only wheel with its weights states no licence",
    "OnnxTR": "no wheel has its weights",
    "Apple Vision": "runs on Apple's systems: add its readings, 'spinebench score' makes a run of them",
    "Indra": "the licence of its weights bars publishing what they read",
}
# Metric of the figures, heading, and whether less is better.
RULES = [("title-read", "titles", False), ("character-errors", "CER", True), ("similarity", "1-NED", False), ("word-f1", "word F1", False)]


def measured(out, turns, options):
    """Runs the suite in parts, so that the readers take turns; returns the merged run, and why readers were skipped."""
    skipped, parts = {}, [f"{out}/parts/{turn}" for turn in range(1, turns + 1)]
    for turn, part in enumerate(parts, 1):
        command = [PROGRAM, "run", "--suite", "peers", "--devices", "none", "--part", f"{turn}/{turns}", "--out", part, *options]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        skipped |= dict(re.findall(r"^warning: skipping (\S+): (.*)$", done.stderr, re.MULTILINE))
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{done.stderr}\n{' '.join(command)} ended with exit code {done.returncode}")
    subprocess.run([PROGRAM, "merge", *parts, "--out", f"{out}/run"], stdout=subprocess.DEVNULL, check=False)
    return out / "run", skipped


def rows_of(folder):
    """A row of each measurement of a run, by dataset, and the run's readings."""
    report = json.load(open(folder / "report.json", encoding="utf-8"))
    figures = collections.defaultdict(dict)
    for figure in csv.DictReader(open(folder / "figures.csv", newline="", encoding="utf-8")):
        if figure["category"] == "all" and not figure["device"]:
            figures[figure["measurement"]][figure["metric"]] = figure
    records = collections.defaultdict(list)
    for record in map(json.loads, open(folder / "samples.jsonl", encoding="utf-8")):
        records[record["measurement"]].append(record)
    paths = {dataset["name"]: dataset["path"] for dataset in json.load(open(folder / "config.json", encoding="utf-8"))["configuration"]["datasets"]}
    for one in report["measurements"]:
        name, own = one["variant"]["name"], records[one["id"]]
        problem = one["problems"][0]["problem"] if one["problems"] and not one["outcomes"].get("read") else None
        yield one["dataset"], paths[one["dataset"]], {
            "name": name, "figures": figures[one["id"]], "records": own, "problem": problem,
            "processor": processor(own),
            "licence": next((LICENCES[key] for key in sorted(LICENCES, reverse=True) if name.startswith(key)), "not known"),
        }


def value(row, metric, key="value"):
    text = row["figures"].get(metric, {}).get(key)
    return float(text) if text else None


def order(rows, metric, less):
    """Rank of each reader by a metric, ties sharing one."""
    found = {row["name"]: value(row, metric) for row in rows if value(row, metric) is not None and not row["problem"]}
    return {name: 1 + sum(other < own if less else other > own for other in found.values()) for name, own in found.items()}


HEAD = ["reader", "titles read, interval by photo", "processor ms", "P50 ms", "memory MB", "licence", *(f"by {heading}" for _, heading, _ in RULES)]


def absent(name, why):
    return [(name, name), (f"not run: {why}", -1), *[("", -1)] * (len(HEAD) - 2)]


def cells(row, ranks):
    """The cells of a reader, each with what it is sorted by."""
    if row["problem"]:
        return absent(row["name"], row["problem"])
    share = row["figures"]["title-read"]
    found = [(shown(share), value(row, "title-read") or -1)]
    for figure, factor in ((row["processor"], 1), (value(row, "latency-p50"), 1), (value(row, "peak-footprint"), 1e-6)):
        found.append(("–" if figure is None else f"{figure * factor:.0f}", figure or -1))
    for metric, heading, _ in RULES:
        rank = ranks[heading].get(row["name"])
        found.append((f"{rank} ({value(row, metric):.3f})" if rank else "–", rank or 99))
    return [(row["name"], row["name"]), *found[:4], (row["licence"], row["licence"]), *found[4:]]


def changes(ranks):
    """Where another rule changes the order by titles, a sentence a rule."""
    titles = ranks["titles"]
    for heading in [heading for _, heading, _ in RULES[1:]]:
        other = ranks[heading]
        swaps = [f"{b} before {a}" for a in titles for b in titles if titles[a] < titles[b] and other.get(a, 0) > other.get(b, 0)]
        yield f"By {heading}: " + (", ".join(swaps) if swaps else "the order by titles") + "."


def differing(rows, path):
    """Spines that some readers read and others do not, the most divided first: label, picture or None, and each reader's text."""
    samples = {sample["id"]: sample for sample in map(json.loads, open(f"{path}/samples.jsonl", encoding="utf-8")) if sample.get("title") and sample.get("legible", True)}
    manifest = pathlib.Path(path, "dataset.json")
    licence = json.loads(manifest.read_text("utf-8")).get("licence") if manifest.exists() else None
    texts = collections.defaultdict(dict)
    for row in rows:
        for record in row["records"]:
            title = record.get("score", {}).get("title", {"found": 0, "total": 1})
            lines = [line["text"] for line in record.get("prediction", {}).get("lines", [])]
            texts[record["id"]][row["name"]] = title["found"] == title["total"], " / ".join(lines)
    reads = {name: sum(read for read, _ in own.values()) for name, own in texts.items() if name in samples}
    split = {name: min(count, len(texts[name]) - count) for name, count in reads.items() if 0 < count < len(texts[name])}
    for name in sorted(split, key=lambda name: (-split[name], name))[:40]:
        stated = samples[name].get("licence") or licence or "none stated"
        isOpen = not re.search("none|unstated", stated)
        yield samples[name], stated, base64.b64encode(pathlib.Path(path, samples[name]["image"]).read_bytes()).decode() if isOpen else None, texts[name]


SCRIPT = """for (const th of document.querySelectorAll("th")) th.onclick = () => {
  const body = th.closest("table").tBodies[0], at = th.cellIndex, key = row => row.cells[at].dataset.key;
  const sign = th.dataset.up = th.dataset.up === "1" ? "-1" : "1";
  body.append(...[...body.rows].sort((a, b) => sign * (isNaN(key(a)) ? key(a).localeCompare(key(b)) : key(a) - key(b))));
};"""
STYLE = "body{font:15px sans-serif;margin:2em}td,th{padding:.3em .7em;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}th{cursor:pointer}img{max-height:22em;max-width:12em}.read{color:#060}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=pathlib.Path, metavar="RUN")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--measure", nargs=argparse.REMAINDER, metavar="OPTION")
    parser.add_argument("--turns", type=int, default=3, help="parts of the spines, each read by every reader before the next")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    skipped = {}
    if given.measure is not None:
        run, skipped = measured(given.out, given.turns, given.measure)
        given.runs.insert(0, run)
    tables = collections.defaultdict(list)
    for run in given.runs:
        for dataset, path, row in rows_of(run):
            tables[dataset, path].append(row)
    report = json.load(open(given.runs[0] / "report.json", encoding="utf-8"))
    origin = f"Measured on {report['host']['cores']} cores of {report['host']['cpu']}, {report['finishedAt'][:10]}."
    safe = html.escape
    lines_of_text = ["# Readers of book spines", "", origin]
    page = [f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Readers of book spines</title><style>{STYLE}</style><p>{safe(origin)} A click on a heading sorts.</p>']
    for (dataset, path), rows in tables.items():
        rows.sort(key=lambda row: -(value(row, "title-read") or -1))
        ranks = {heading: order(rows, metric, less) for metric, heading, less in RULES}
        lines = [cells(row, ranks) for row in rows] + [absent(*one) for one in {**skipped, **MISSING}.items()]
        said = list(changes(ranks))
        lines_of_text += ["", f"## {dataset}", "", f"|{'|'.join(HEAD)}|", "|---" * len(HEAD) + "|"]
        lines_of_text += [f"|{'|'.join(text.replace('|', '/') for text, _ in line)}|" for line in lines] + ["", *(f"* {one}" for one in said)]
        body = "".join("<tr>" + "".join(f'<td data-key="{safe(str(key))}">{safe(text)}</td>' for text, key in line) + "</tr>" for line in lines)
        page += [f"<h2>{safe(dataset)}</h2><table><thead><tr><th>{'<th>'.join(HEAD)}</thead><tbody>{body}</tbody></table>", *(f"<p>{safe(one)}" for one in said)]
        for sample, licence, picture, texts in differing([row for row in rows if not row["problem"]], path):
            image = f'<img alt="" src="data:image;base64,{picture}">' if picture else "no picture: its licence is not stated"
            read = "".join(f'<li{" class=read" if isRead else ""}>{safe(name)}: {safe(line) or "nothing"}' for name, (isRead, line) in texts.items())
            page.append(f"<table><tr><td>{image}<td><b>{safe(sample['title'])}</b> ({safe(sample['id'])}, {safe(licence)})<ul>{read}</ul></table>")
    (given.out / "table.md").write_text("\n".join(lines_of_text) + "\n", encoding="utf-8")
    (given.out / "table.html").write_text("".join(page) + f"<script>{SCRIPT}</script>", encoding="utf-8")
    print(f"{given.out}/table.html and table.md")


if __name__ == "__main__":
    main()
