#!/usr/bin/env python3
"""Writes the measured figures of README.md and Docs/NUMBERS.md from Docs/numbers.json.

    scripts/figures.py                                # write the documents
    scripts/figures.py --check                        # exit code 1 where a document differs from the data
    scripts/figures.py --run tiers                    # measure a block anew, by its command, and write
    scripts/figures.py --run readers --variants fast,faster-paddle --dataset DIR …  # … of these variants, on datasets of your own

A block of a document begins with <!-- numbers: NAME -->; each has an entry in the data: command, day, machine, evidence class and what was measured.
"""

import argparse
import csv
import datetime
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "Docs/numbers.json"
DOCUMENTS = [ROOT / "README.md", ROOT / "Docs/NUMBERS.md"]
BLOCK = re.compile(r"(<!-- numbers: (\S+) -->\n)(.*?)(<!-- end of numbers -->)", re.DOTALL)


def shown(figure):
    """A figure with its interval, as a table shows it."""
    low, value, high = (figure[key] and float(figure[key]) for key in ("low", "value", "high"))
    if figure["unit"] == "share":
        interval = f", {low:.1%}–{high:.1%}".replace("%–", "–") if low and high else ""
        text = f"{figure['count']} of {figure['total']} ({value:.1%}{interval})" if figure["count"] else f"{value:.1%}"
        return text.replace("%", " %")
    return f"{value:.0f} {figure['unit']}" + (f" ({low:.0f}–{high:.0f})" if low and high else "")


def processor(records):
    """Mean processor time of readings in ms: the harness's, else the reader's own account; None without one."""
    times = []
    for told in (record.get("prediction", {}) for record in records):
        own = [stage["milliseconds"] for stage in told.get("stages", []) if stage["name"].split()[0] == "processor"]
        times += [told["cpuMilliseconds"]] if "cpuMilliseconds" in told else own
    return sum(times) / len(times) if times else None


def rows(head, lines):
    return "".join(f"|{'|'.join(line)}|\n" for line in [head, ["---"] * len(head), *lines])


def block(entry):
    """The Markdown of a block."""
    if "records" in entry:
        lines = [[record[key] for key in ("what", "result", "command")] + [record["day"][8:]] for record in entry["records"]]
        return rows(["what", "result", "by", "day"], lines)
    origin = f"\n{entry['evidence'].capitalize()} on {entry['machine']}, {entry['day']}, by `{entry['command']}`.\n"
    if "lines" in entry:
        return "".join(f"    {line}\n" for line in [f"$ {entry['shown']}", *entry["lines"]]) + origin
    head = ["", *(f"`{variant}`" for variant in entry["variants"])]
    found = entry["figures"]
    metrics = [(metric, text) for metric, text in entry["metrics"].items() if all(found[variant].get(metric, {}).get("value") for variant in entry["variants"])]
    return rows(head, [[text, *(shown(found[variant][metric]) for variant in entry["variants"])] for metric, text in metrics]) + origin


def measure(entry, datasets, variants):
    """Runs the entry's command, of other variants if they are named, and keeps what it shows."""
    if variants:
        entry["command"] = re.sub(r"(--variants )\S+", rf"\g<1>{variants}", entry["command"])
        entry["variants"] = variants.split(",")
    with tempfile.TemporaryDirectory() as folder:
        command = [*shlex.split(entry["command"]), "--out", folder + "/run", *(word for path in datasets for word in ("--dataset", path))]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{shlex.join(command)} ended with exit code {done.returncode}")
        host = json.load(open(folder + "/run/report.json", encoding="utf-8"))["host"]
        if "lines" in entry:
            entry["lines"] = [line for line in done.stdout.splitlines() if re.search(entry["select"], line)]
        else:
            with open(folder + "/run/figures.csv", newline="", encoding="utf-8") as file:
                found = [row for row in csv.DictReader(file) if row["category"] == "all" and not row["device"]]
            keys = ("unit", "value", "low", "high", "count", "total")
            entry["figures"] = {
                variant: {row["metric"]: {key: row[key] for key in keys} for row in found if row["variant"] == variant and row["metric"] in entry["metrics"]}
                for variant in entry["variants"]
            }
            records = [json.loads(line) for line in open(folder + "/run/samples.jsonl", encoding="utf-8")]
            for variant, own in entry["figures"].items():
                mean = processor([record for record in records if record["measurement"].split("@")[0] == variant])
                if mean is not None:
                    own["processor"] = {"unit": "ms", "value": f"{mean:.4f}", "low": "", "high": "", "count": "", "total": ""}
        entry["day"] = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        entry["machine"] = f"{host['cores']} cores of {host['cpu']}"


def main():
    data = json.loads(DATA.read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", action="append", default=[], choices=[name for name in data if "command" in data[name]], help="block to measure anew")
    parser.add_argument("--dataset", nargs="+", default=[], metavar="DIR", help="datasets of these runs")
    parser.add_argument("--variants", help="variants of these runs, separated by commas")
    parser.add_argument("--check", action="store_true", help="write nothing")
    given = parser.parse_args()
    for name in given.run:
        measure(data[name], given.dataset, given.variants)
        DATA.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    different = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        new = BLOCK.sub(lambda found: found[1] + "\n" + block(data[found[2]]) + "\n" + found[4], text)
        if new != text:
            different.append(str(path.relative_to(ROOT)))
            if not given.check:
                path.write_text(new, encoding="utf-8")
    print("\n".join(different) or "Docs: equal to the data", file=sys.stderr if given.check else sys.stdout)
    sys.exit(1 if different and given.check else 0)


if __name__ == "__main__":
    main()
