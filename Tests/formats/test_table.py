"""The table of readers, of a run whose figures are made up."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/table.py"
HEAD = "measurement,variant,scenario,dataset,device,category,metric,unit,value,low,high,count,total,evidence,note"
# Titles, character errors, similarity and word F1 of two readers: by characters, the second is better.
FIGURES = {"fast": (0.75, 0.4, 0.6, 0.7), "mine": (0.5, 0.2, 0.6, 0.6)}


class TableTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        data, run = self.folder / "data", self.folder / "run"
        data.mkdir()
        run.mkdir()
        (data / "a.jpg").write_bytes(b"crop a")
        (data / "b.jpg").write_bytes(b"crop b")
        labels = [{"id": "a", "image": "a.jpg", "title": "<Emma>", "licence": "MIT"}, {"id": "b", "image": "b.jpg", "title": "Emma", "licence": "none stated"}]
        (data / "samples.jsonl").write_text("\n".join(map(json.dumps, labels)))
        lines, records, measurements = [HEAD], [], []
        for name, figures in {**FIGURES, "broken": ()}.items():
            failed = not figures
            problems = [{"problem": "no | such file"}] if failed else []
            measurements.append({"id": name, "variant": {"name": name}, "dataset": "data", "problems": problems, "outcomes": {"failed" if failed else "read": 4}})
            for metric, value in zip(("title-read", "character-errors", "similarity", "word-f1"), figures):
                rest = f"share,{value},0.3,0.9,{value * 4:.0f},4" if metric == "title-read" else f"score,{value},,,,"
                lines.append(f"{name},{name},single,data,,all,{metric},{rest},measured,")
        for name, counted in (("fast", {"cpuMilliseconds": 20}), ("mine", {"stages": [{"name": "processor (reported)", "milliseconds": 31}]})):
            for sample in "ab":
                prediction = {"lines": [{"text": f"{name} & {sample}"}], **counted}
                records.append({"id": sample, "measurement": name, "prediction": prediction, "score": {"title": {"found": int(name == "fast"), "total": 1}}})
        (run / "figures.csv").write_text("\n".join(lines))
        (run / "samples.jsonl").write_text("\n".join(map(json.dumps, records)))
        (run / "report.json").write_text(json.dumps({"measurements": measurements, "host": {"cores": 2, "cpu": "C"}, "finishedAt": "2026-11-29T00:00:00Z"}))
        (run / "config.json").write_text(json.dumps({"configuration": {"datasets": [{"name": "data", "path": str(data)}]}}))
        subprocess.run([sys.executable, "-B", SCRIPT, "--out", self.folder / "out", run], check=True, capture_output=True)
        self.text, self.page = ((self.folder / f"out/table.{ending}").read_text("utf-8") for ending in ("md", "html"))

    def test_readers_have_their_figures_and_their_rank_under_each_rule(self):
        self.assertIn("|fast|3 of 4 (75.0 %, 30.0–90.0 %)|20|–|–|Apache-2.0|1 (0.750)|2 (0.400)|1 (0.600)|1 (0.700)|\n", self.text)
        self.assertIn("|mine|2 of 4 (50.0 %, 30.0–90.0 %)|31|–|–|not known|2 (0.500)|1 (0.200)|1 (0.600)|2 (0.600)|\n", self.text)
        self.assertIn("* By CER: mine before fast.\n* By 1-NED: the order by titles.\n", self.text)

    def test_readers_that_did_not_run_have_the_reason(self):
        self.assertIn("|broken|not run: no / such file|", self.text)
        self.assertIn("|Apple Vision|not run: ", self.text)

    def test_only_pictures_with_a_licence_are_in_the_page(self):
        self.assertIn("<b>&lt;Emma&gt;</b> (a, MIT)", self.page)
        self.assertIn("data:image;base64,Y3JvcCBh", self.page)
        self.assertNotIn("Y3JvcCBi", self.page)
        self.assertIn("<li class=read>fast: fast &amp; b", self.page)


if __name__ == "__main__":
    unittest.main()
