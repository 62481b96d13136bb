#!/usr/bin/env python3
"""Has MLPerf's LoadGen measure the worker that SpineBench measures, and compares both clocks over the same readings.

    make loadgen-check DATASET=Datasets/spines-1 ARGUMENTS="--variant fast --readings 1024"

LoadGen asks for one reading after the other (SingleStream) and takes the time from asking to the answer. The worker times
each of these readings itself: that is what `spinebench run` reports. What lies between is the pipe and Python, which has
to be small beside a reading. Prints a Markdown table, and ends with 1 when a percentile differs by more than the limit.
"""

import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import mlperf_loadgen

PERCENTILES = {50: "50.00", 90: "90.00", 99: "99.00"}


def resolved(spinebench, variant, dataset):
    """The variant with every setting, as a run writes it down."""
    with tempfile.TemporaryDirectory() as folder:
        call = [spinebench, "run", "--dataset", dataset, "--variants", variant, "--limit", "1", "--repetitions", "1",
                "--out", folder + "/run"]
        subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(pathlib.Path(folder, "run", "config.json").read_text())["configuration"]["variants"][0]


class Worker:
    """A worker of SpineBench, asked over its standard input."""

    def __init__(self, spinebench, variant):
        command = [spinebench, "worker", "--variant", json.dumps(variant)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.output = self.process.stdout
        self.rest = b""
        ready = json.loads(self.line())
        if "ready" not in ready:
            raise SystemExit(f"the worker of {variant['name']} is not ready: {ready}")

    def line(self):
        while b"\n" not in self.rest:
            data = self.output.read(1 << 16)
            if not data:
                raise SystemExit(f"the worker ended with code {self.process.wait()}; its last words stand above")
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def ask(self, request):
        self.process.stdin.write(request)
        return self.line()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def pictures(folder, count):
    """The requests of a dataset's legible samples, in a fixed random order."""
    with open(folder / "samples.jsonl", encoding="utf-8") as file:
        samples = [json.loads(line) for line in file if line.strip()]
    samples = [sample for sample in samples if sample.get("legible", True)]
    random.Random(1).shuffle(samples)
    if not samples:
        raise SystemExit(f"{folder}: no legible samples")
    return [
        json.dumps({"read": {"sequence": 0, "path": str(folder / sample["image"]), "name": sample["image"]}}).encode() + b"\n"
        for sample in samples[:count]
    ]


def measure(worker, requests, readings):
    """Runs LoadGen over the worker: the worker's own answers, and LoadGen's summary."""
    answers = []

    def issue(queries):
        for query in queries:
            answers.append(worker.ask(requests[query.index]))
            response = mlperf_loadgen.QuerySampleResponse(query.id, 0, 0)
            mlperf_loadgen.QuerySamplesComplete([response])

    settings = mlperf_loadgen.TestSettings()
    settings.scenario = mlperf_loadgen.TestScenario.SingleStream
    settings.mode = mlperf_loadgen.TestMode.PerformanceOnly
    settings.min_query_count = settings.max_query_count = readings
    settings.min_duration_ms = 0
    with tempfile.TemporaryDirectory() as folder:
        output = mlperf_loadgen.LogOutputSettings()
        output.outdir = folder
        output.copy_summary_to_stdout = False
        log = mlperf_loadgen.LogSettings()
        log.log_output = output
        system = mlperf_loadgen.ConstructSUT(issue, lambda: None)
        library = mlperf_loadgen.ConstructQSL(len(requests), len(requests), lambda _: None, lambda _: None)
        mlperf_loadgen.StartTestWithLogSettings(system, library, settings, log)
        mlperf_loadgen.DestroyQSL(library)
        mlperf_loadgen.DestroySUT(system)
        summary = (pathlib.Path(folder) / "mlperf_log_summary.txt").read_text()
    return answers, summary


def milliseconds(answers):
    found = []
    for answer in map(json.loads, answers):
        if "result" not in answer:
            raise SystemExit(f"a reading failed: {answer}")
        found.append(answer["result"]["milliseconds"])
    return sorted(found)


def nearest_rank(percent, values):
    return values[math.ceil(percent / 100 * len(values)) - 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=pathlib.Path)
    parser.add_argument("--variant", default="fast")
    parser.add_argument("--readings", type=int, default=1024)
    parser.add_argument("--limit", type=float, default=2.0, help="in percent")
    parser.add_argument("--spinebench", default=".build/release/spinebench")
    arguments = parser.parse_args()
    requests = pictures(arguments.dataset, 1024)
    worker = Worker(arguments.spinebench, resolved(arguments.spinebench, arguments.variant, arguments.dataset))
    try:
        for request in requests[:5]:
            worker.ask(request)
        answer = worker.ask(b'{"begin":{}}\n')
        if b"began" not in answer:
            raise SystemExit(f"the worker does not begin: {answer}")
        answers, summary = measure(worker, requests, arguments.readings)
    finally:
        worker.end()
    ours = milliseconds(answers)
    print(f"{arguments.variant}, {len(ours)} readings of {len(requests)} pictures, one after the other\n")
    print("| ms | SpineBench | LoadGen | difference |")
    print("|---|--:|--:|--:|")
    worst = 0.0
    for percent, name in PERCENTILES.items():
        match = re.search(rf"^{re.escape(name)} percentile latency \(ns\)\s*:\s*(\d+)", summary, re.MULTILINE)
        if not match:
            raise SystemExit(f"LoadGen's summary has no P{percent}:\n{summary}")
        theirs = int(match.group(1)) / 1e6
        mine = nearest_rank(percent, ours)
        difference = (theirs / mine - 1) * 100
        worst = max(worst, abs(difference))
        print(f"| P{percent} | {mine:.3f} | {theirs:.3f} | {difference:+.2f} % |")
    for line in summary.splitlines():
        if "Early stopping" in line and "estimate" in line or line.startswith("Result is"):
            print("\n" + re.sub(r"\s+", " ", line).strip())
    print(f"\nLargest difference {worst:.2f} %, limit {arguments.limit:g} %.")
    sys.exit(1 if worst > arguments.limit else 0)


if __name__ == "__main__":
    main()
