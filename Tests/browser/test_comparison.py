"""The page of a comparison, `comparison.html`, with its explorer of samples, in a real browser: `make browser-test`."""

import base64
import json
import pathlib
import subprocess
import tempfile
import unittest

import chromium
from test_contact_sheet import LOW_CONTRAST, PROGRAM, png
from test_report import HOSTILE, PLOTS_FIT


def template(folder):
    """A page as `compare` writes it of one run against itself, whose data a test replaces."""
    dataset = folder / "dataset"
    dataset.mkdir()
    (dataset / "grey.png").write_bytes(png(40, 160))
    label = dict(id="grey", image="grey.png", category="vertical", title="x", transcription="x", orientation="cw")
    (dataset / "samples.jsonl").write_text(json.dumps(label) + "\n")
    for call in (
        ["run", "--dataset", dataset, "--variants", "tesseract", "--repetitions", "1", "--out", folder / "run"],
        ["compare", folder / "run", folder / "run", "--out", folder / "comparison"],
    ):
        outcome = subprocess.run([PROGRAM, *call], capture_output=True, text=True)
        if outcome.returncode not in (0, 1, 3):
            raise AssertionError(f"{call[0]} ended with {outcome.returncode}: {outcome.stderr}")
    before, rest = (folder / "comparison/comparison.html").read_text().split('id="data">', 1)
    return before + 'id="data">', "</script>" + rest.split("</script>", 1)[1]


def sample(id, states, texts=("kitten",), text=None, **more):
    return dict(id=id, category="vertical", truth="kitten", states=states, texts=list(texts),
                text=text or [None if state == "-" else 0 for state in states]) | more


def variants():
    picture = "data:image/png;base64," + base64.b64encode(png(40, 160)).decode()
    return dict(
        runs=[dict(id=letter, label=f"{letter}: variant {letter}") for letter in "ABC"], base=0,
        samples=[
            sample("right", "111"), sample("wrong", "000"), sample("part", "1-1"), sample("flaky", "1f1"),
            sample("mended", "011", ("sitting", "kitten"), [0, 1, 1], category="mixed"),
            sample("broken", "110", ("kitten", "sitting"), [0, 0, 1], image=picture),
            sample("hostile", "100", (HOSTILE, "x"), [0, 1, 1], truth=HOSTILE, category="mixed"),
        ],
    )


def history(runs, samples):
    """Runs in the order of time: samples break at different ones."""
    return dict(
        runs=[dict(id=str(run), label=f"run {run}", time=f"2026-01-{run % 28 + 1:02}T00:00:00Z", host="a host",
                   link=f"https://example.org/{run}") for run in range(runs)],
        samples=[
            sample(f"s{number}", "".join(
                "0" if number % 5 == 0 and run >= runs - number // 5 - 1 else "f" if number % 5 == 1 and run == runs - 2 else "1"
                for run in range(runs)), ("kitten", "sitting"))
            for number in range(samples)
        ],
    )


def pareto():
    points = [dict(index=index, x=x, y=y, low=dict(x=x - 2, y=y - 0.05), high=dict(x=x + 2, y=y + 0.05), memory=memory,
                   beaten=beaten, text=[f"{x} ms", f"{y}"])
              for index, (x, y, memory, beaten) in enumerate([(20, 0.8, 100e6, False), (30, 0.75, 300e6, True), (40, 0.9, 200e6, False)])]
    return dict(measurements=[dict(id=f"{letter} variant", evidence="measured") for letter in "ABC"],
                standings=[dict(title="Pareto: d", pareto=dict(points=points))])


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
class ComparisonTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.before, cls.after = template(pathlib.Path(cls.folder.name))
        cls.whole = cls.write("comparison", variants())
        cls.page = chromium.Page()
        cls.addClassCleanup(cls.page.close)

    @classmethod
    def write(cls, name, data, **more):
        path = pathlib.Path(cls.folder.name) / (name + ".html")
        text = json.dumps({"explorer": data, "measurements": [], "standings": []} | more, ensure_ascii=False)
        path.write_text(cls.before + text.replace("<", "\\u003c") + cls.after)
        return path

    def setUp(self):
        self.page.resize(1280, 900)
        self.page.console.clear()
        self.page.requests.clear()

    def tearDown(self):
        self.assertEqual(self.page.console, [])
        pages = ("data:", "about:", pathlib.Path(self.folder.name).as_uri())
        self.assertEqual([url for url in self.page.requests if not url.startswith(pages)], [])

    def load(self, hash="", path=None):
        self.page.open((path or self.whole).as_uri() + hash)
        self.page.wait("document.documentElement.dataset.ready !== undefined")
        self.page.wait("document.querySelector('.explorer-row') !== null")

    def rows(self):
        return self.page.run(
            "[...document.querySelectorAll('.explorer-row')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map(r => r.dataset.id)")

    def chosen(self):
        return self.page.run("document.querySelector('.explorer-row[aria-selected=true]')?.dataset.id ?? null")

    def detail(self):
        return self.page.run("document.querySelector('.explorer-detail').textContent")

    def choose(self, name, value):
        self.page.run(
            f"(() => {{ const field = document.querySelector('.explorer [name={name}]'); field.value = {json.dumps(value)};"
            " for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {bubbles: true})); })()")

    def test_what_broke_comes_first(self):
        self.load()
        self.assertEqual(self.rows(), ["hostile", "broken", "mended", "flaky", "wrong", "part", "right"])
        self.assertEqual(self.chosen(), "hostile")
        self.assertEqual(self.page.run("location.hash"), "")

    def test_keys_go_through_the_samples_and_the_address_follows(self):
        self.load()
        self.page.press("j")
        self.assertEqual((self.chosen(), self.page.run("location.hash")), ("broken", "#sample=broken"))
        self.page.press("j")
        self.page.press("k")
        self.assertEqual(self.chosen(), "broken")
        self.page.run("document.querySelector('.explorer-list').focus()")
        self.page.press("ArrowDown")
        self.assertEqual(self.chosen(), "mended")
        self.page.press("ArrowUp")
        self.page.press("ArrowUp")
        self.page.press("ArrowUp")
        self.assertEqual(self.chosen(), "hostile")
        # Letters in a field are text.
        self.page.run("document.querySelector('[name=words]').focus()")
        self.page.press("j")
        self.assertEqual(self.page.run("document.querySelector('[name=words]').value"), "j")

    def test_both_readings_and_their_differences_are_shown(self):
        self.load("#sample=broken")
        self.assertEqual(self.chosen(), "broken")
        self.assertEqual(self.page.run("document.querySelector('.explorer-detail img').naturalWidth"), 40)
        self.assertIn("A: variant A (right)", self.detail())
        self.assertIn("C: variant C (wrong)", self.detail())
        # kitten, read as sitting: k for s, e for i, and g added.
        kinds = "[...document.querySelectorAll('.explorer-detail .run:not(.same)')].map(r => r.className + ' ' + r.title)"
        self.assertEqual(self.page.run(kinds), ["run other “s” for “k”", "run other “i” for “e”", "run added added: “g”"])
        self.choose("run1", "1")
        self.assertIn("B: variant B (right)", self.detail())

    def test_a_link_opens_its_sample_whatever_is_filtered(self):
        self.load()
        self.choose("kind", "broken")
        self.assertEqual(self.rows(), ["hostile", "broken"])
        self.choose("category", "mixed")
        self.assertEqual(self.rows(), ["hostile"])
        self.page.run("location.hash = '#sample=right'")
        self.page.wait("document.querySelector('.explorer-row[aria-selected=true]')?.dataset.id === 'right'")
        self.choose("words", "SITTING")
        self.assertEqual(self.rows(), ["broken", "mended"])
        self.load("#sample=nobody")
        self.assertEqual(self.chosen(), "hostile")

    def test_text_of_the_data_is_inert(self):
        self.load("#sample=hostile")
        self.assertEqual(self.page.run("document.querySelectorAll('.explorer img[src=x], .explorer script').length"), 0)
        self.assertIn(HOSTILE, self.detail())
        path = self.write("links", dict(
            runs=[dict(id="a", label="a", link="javascript:alert(1)"), dict(id="b", label="b", link="../b/report.html")],
            samples=[sample("s", "10")]))
        self.load(path=path)
        links = "[...document.querySelectorAll('.explorer-detail h4 a')].map(a => a.getAttribute('href'))"
        self.assertEqual(self.page.run(links), ["../b/report.html"])

    def test_of_a_history_the_latest_break_comes_first(self):
        self.load(path=self.write("history", history(60, 50)))
        self.assertEqual(self.rows()[:4], ["s0", "s5", "s10", "s15"])
        self.assertIn("right in 59, wrong in 1 of 60 runs; wrong since run 59, 2026-01-04 00:00:00 UTC", self.detail())
        self.choose("kind", "flaky")
        self.assertEqual(self.rows()[:2], ["s1", "s6"])

    def test_no_samples_and_no_runs_are_no_fault(self):
        for name, data in (("none", dict(runs=[], samples=[])), ("one", history(1, 1))):
            path = self.write(name, data)
            self.page.open(path.as_uri())
            self.page.wait("document.documentElement.dataset.ready !== undefined")

    def test_the_pareto_plot_shows_who_is_beaten(self):
        self.load(path=self.write("pareto", variants(), **pareto()))
        marks = "[...document.querySelectorAll('[data-front]')].map(g => g.dataset.front)"
        self.assertEqual(self.page.run(marks), ["yes", "no", "yes"])
        self.assertTrue(self.page.run(PLOTS_FIT))
        # Areas of rings are as memory: a third of the largest.
        radii = self.page.run("[...document.querySelectorAll('.ring')].map(c => c.r.baseVal.value)")
        self.assertAlmostEqual((radii[0] / radii[1]) ** 2, 1 / 3, places=6)

    def test_a_phone_and_the_dark(self):
        path = self.write("looks", variants(), **pareto())
        for dark in ("dark", "light"):
            self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": dark}])
            for width in (1280, 390):
                self.page.resize(width, 844)
                self.load("#sample=broken", path)
                self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), width)
                self.assertEqual(self.page.run(LOW_CONTRAST), [])
        unnamed = ("[...document.querySelectorAll('input, select, button')].filter(field => !field.labels?.length"
                   " && !field.textContent.trim() && !field.ariaLabel).map(field => field.outerHTML)")
        self.assertEqual(self.page.run(unnamed), [])

    def test_a_thousand_runs_of_240_samples_are_there_within_a_second(self):
        path = self.write("large", history(1_000, 240))
        self.page.call("Performance.enable", timeDomain="threadTicks")
        for width in (1280, 390):
            self.page.resize(width, 844)
            before = self.busy()
            self.load(path=path)
            self.assertLess(self.busy() - before, 1)
            self.assertLess(len(self.rows()), 40)

    def busy(self):
        metrics = self.page.call("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


if __name__ == "__main__":
    unittest.main()
