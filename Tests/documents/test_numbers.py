"""Figures of the documents: written from one data file, each with its day, machine, command and evidence class."""

import json
import pathlib
import runpy
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/figures.py"
FIGURES = runpy.run_path(str(SCRIPT))


CLASSES = {"measured", "measured on device", "modelled", "reported", "claimed"}


class NumbersTest(unittest.TestCase):
    def test_every_figure_has_its_origin(self):
        data = json.loads(FIGURES["DATA"].read_text(encoding="utf-8"))
        for entry in (record for entry in data.values() for record in entry.get("records", [entry])):
            with self.subTest(entry.get("what", entry["command"])):
                self.assertTrue(entry["command"] and entry["machine"] and entry["evidence"] in CLASSES)
                self.assertRegex(entry["day"], r"^20\d\d-\d\d-\d\d$")

    def test_documents_are_written_from_the_data(self):
        done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{done.stderr}'make figures' writes them")

    def test_figures_are_shown_with_their_intervals(self):
        share = {"unit": "share", "value": "0.9095", "low": "0.8642", "high": "0.9408", "count": "201", "total": "221"}
        self.assertEqual(FIGURES["shown"](share), "201 of 221 (91.0 %, 86.4–94.1 %)")
        self.assertEqual(FIGURES["shown"]({**share, "low": "", "high": ""}), "201 of 221 (91.0 %)")
        time = {"unit": "ms", "value": "108.41", "low": "99.8", "high": "118.5", "count": "", "total": ""}
        self.assertEqual(FIGURES["shown"](time), "108 ms (100–118)")

    def test_a_block_names_its_command_and_machine(self):
        entry = {"command": "x --limit 2", "shown": "make x", "day": "2026-11-28", "machine": "2 cores", "evidence": "measured", "lines": ["PASS"]}
        self.assertEqual(FIGURES["block"](entry), "    $ make x\n    PASS\n\nMeasured on 2 cores, 2026-11-28, by `x --limit 2`.\n")


if __name__ == "__main__":
    unittest.main()
