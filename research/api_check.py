#!/usr/bin/env python3
"""Starts talaria and has schemathesis ask it what its own /openapi.json allows, and what it does not allow.

    make api-check SECONDS=300

Ends with 1 when an answer has a status of 5xx, or is not as the description says, and prints how many requests there
were. A summary as JSON goes to --summary.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# What schemathesis would find wrong, and is meant:
# - a job of another device is 404 before a token is asked for, so that nothing can be learned by guessing;
# - a job is gone after DELETE of its /cleanup, which is not the address that schemathesis takes for the job's own;
# - DELETE of that address cancels the job, which is there until it is cleaned up.
EXCLUDED = "ignored_auth,ensure_resource_availability,use_after_free"


def start(talaria, folder):
    """The server's process and its address."""
    address = pathlib.Path(folder, "address")
    log = open(pathlib.Path(folder, "talaria.log"), "wb")
    process = subprocess.Popen(
        [talaria, "serve", "--port", "0", "--port-file", address, "--data", pathlib.Path(folder, "data"),
         "--rate-limit", "off", "--queue", "100000", "--ping-seconds", "1", "--log-level", "warning"],
        stdout=subprocess.DEVNULL, stderr=log)
    while not (address.exists() and address.read_text().endswith("\n")):
        if process.poll() is not None:
            sys.exit(f"talaria ended with {process.returncode}: {pathlib.Path(log.name).read_text()}")
        time.sleep(0.05)
    return process, address.read_text().strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talaria", default=".build/release/talaria", help="the program")
    parser.add_argument("--seconds", type=int, default=60, help="how long requests are generated")
    parser.add_argument("--seed", type=int, default=1, help="of the requests")
    parser.add_argument("--summary", help="a file for the figures")
    options = parser.parse_args()
    here = pathlib.Path(__file__).parent
    environment = dict(os.environ, PYTHONPATH=str(here), SCHEMATHESIS_HOOKS="api_hooks", PYTHONDONTWRITEBYTECODE="1")
    with tempfile.TemporaryDirectory() as folder:
        process, address = start(options.talaria, folder)
        try:
            report = pathlib.Path(folder, "report.json")
            run = subprocess.run(
                [pathlib.Path(sys.executable).parent / "st", "run", f"{address}/openapi.json",
                 "--max-time", str(options.seconds), "--seed", str(options.seed), "--checks", "all",
                 "--exclude-checks", EXCLUDED, "--continue-on-failure", "--generation-database", "none",
                 "--report", "json", "--report-json-path", report, "--request-timeout", "30"],
                env=environment, cwd=folder)
            alive = process.poll() is None
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
        figures = json.loads(report.read_text()) if report.exists() else {}
        if options.summary:
            pathlib.Path(options.summary).write_text(json.dumps(figures, indent=2))
    print(f"talaria {'lived through it' if alive else 'ENDED'}; schemathesis ended with {run.returncode}")
    sys.exit(0 if alive and run.returncode == 0 else 1)


if __name__ == "__main__":
    main()
