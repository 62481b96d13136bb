"""The page of a comparison, `comparison.html`, with its samples by side, in a real browser: `make browser-test`."""

import json
import re
import unittest

from pages import HOSTILE, LOW_CONTRAST, PLOTS_FIT, UNNAMED, DataCase

FOCUSED = "document.activeElement.dataset.id"


def sample(id, states, texts=("kitten",), text=None, truth="kitten", category="vertical"):
    """A row of a sample; a state for each run: 1 right, 0 wrong, f differs between repetitions, - not in the run."""
    readings = [None if state == "-" else dict(t=0 if state == "0" else 1, l=[[texts[text[run] if text else 0]]]) | (dict(v=1) if state == "f" else {})
                for run, state in enumerate(states)]
    return dict(i=id, c=category, x=truth, r=readings)


def page(names, samples, **more):
    return dict(title="Comparison", word="REGRESSION", verdict="fail", warnings=[], names=names, figures=[], metrics=[], devices=[], stages=[], paretos=[],
                sections=[dict(blocks=["A regression."]), dict(heading="Pareto", blocks=["About it."])], samples=samples, **more)


def variants():
    return page([f"{letter}: variant {letter}" for letter in "ABC"], [
        sample("right", "111"), sample("wrong", "000"), sample("part", "1-1"), sample("flaky", "1f1"),
        sample("mended", "011", ("sitting", "kitten"), [0, 1, 1], category="mixed"),
        sample("broken", "110", ("kitten", "sitting"), [0, 0, 1]),
        sample("hostile", "100", (HOSTILE, "x"), [0, 1, 1], truth=HOSTILE, category="mixed"),
    ], base=0)


def run(number, link):
    return dict(time=f"2026-01-{number % 28 + 1:02}T00:00:00Z", host="a host", link=link)


def history(runs, samples):
    """Runs in the order of time: samples break at different ones."""
    return page([f"run {number}" for number in range(runs)], [
        sample(f"s{number}", "".join(
            "0" if number % 5 == 0 and run >= runs - number // 5 - 1 else "f" if number % 5 == 1 and run == runs - 2 else "1"
            for run in range(runs))) for number in range(samples)], runs=[run(number, f"https://example.org/{number}") for number in range(runs)])


def pareto():
    points = [dict(side=index, values=[dict(value=y, low=y - 0.05, high=y + 0.05), dict(value=x, low=x - 2, high=x + 2), dict(value=memory)],
                   beatenBy=beaten)
              for index, (x, y, memory, beaten) in enumerate([(20, 0.8, 100e6, []), (30, 0.75, 300e6, [0]), (40, 0.9, 200e6, [])])]
    return variants() | dict(paretos=[dict(title="Pareto", pareto=dict(metrics=["titleRead", "latencyP95", "peakFootprint"], points=points))])


class ComparisonTests(DataCase):
    items = "qa('#list .item').map(one => one.dataset.id)"
    opened = "[q('dialog').open, q('#sample-title')?.textContent]"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make(["compare", cls.root / "run", cls.root / "run", "--out", cls.root / "comparison"], page="comparison/comparison.html")
        # Samples that agree have no pictures: a run's page has one.
        cls.pictures = json.loads(re.search(r' id="pictures">(.*?)</script>', (cls.root / "run/report.html").read_text())[1])
        cls.path = cls.write("variants", variants())

    @classmethod
    def write(cls, name, data):
        # The picture of "broken".
        return super().write(name, data, cls.pictures | dict(items=[None] * 5 + cls.pictures["items"]))

    def load(self, hash="", path=None):
        super().load(hash, path)
        self.until("document.documentElement.dataset.ready !== undefined")

    def shows(self, *texts):
        for text in texts:
            self.has("dialog", text)

    def test_what_broke_comes_first(self):
        self.load()
        self.listed("hostile broken mended flaky wrong part right")
        self.until("location.hash", "")
        self.lists(".item-head > .badge", ["newly broken", "newly broken", "newly right", "flaky", "always wrong", "always right", "always right"])
        self.lists("[data-id=broken] .who", ["A: variant A", "B: variant B", "C: variant C"])
        self.lists("[data-id=broken] .read", ["kitten", "kitten", "sitting"])
        self.lists("[data-id=part] .hidden", ["read right", "not in the run", "read right"])
        self.reads("[data-id=flaky] .num", "varies")

    def test_keys_go_through_the_samples_and_the_address_follows(self):
        self.load()
        self.press("j", "j", "Enter")
        self.until(f"[...{self.opened}, location.hash]", [True, "broken", "#sample=broken"])
        self.press("j", "k")
        self.until(self.opened, [True, "broken"])
        self.press("Escape")
        self.until(f"[location.hash, {FOCUSED}]", ["", "broken"])
        self.press("ArrowDown", "Enter")
        self.until(self.opened, [True, "mended"])
        self.press("Escape")
        self.until(f"[location.hash, {FOCUSED}]", ["", "mended"])
        self.press("ArrowUp", "ArrowUp", "Enter")
        self.until(self.opened, [True, "hostile"])
        self.press("Escape")
        self.until(f"[location.hash, {FOCUSED}]", ["", "hostile"])
        # Letters in a field are text.
        self.js("q('[name=q]').focus()")
        self.press("j")
        self.until("q('[name=q]').value", "j")

    def test_both_readings_and_their_differences_are_shown(self):
        self.load("#sample=broken")
        self.until(self.opened, [True, "broken"])
        self.until("(async image => { const copy = new Image(); copy.src = image.getAttribute('href'); await copy.decode(); return copy.naturalWidth; })"
                   "(q('.picture image'))", 40)
        self.reads(".verdict strong", "REGRESSION")
        self.shows("A: variant A ✓ read right", "C: variant C ✕ wrong", "right in 2, wrong in 1 of 3 runs")
        # kitten, read as sitting: k for s, e for i, and g added.
        self.until("qa('.reading .run:not(.same)').map(one => one.className + ' ' + one.title)", ["run other “s” for “k”", "run other “i” for “e”", "run added added: “g”"])
        self.fill("[name=run1]", "1")
        self.shows("B: variant B ✓ read right")

    def test_a_link_opens_its_sample_whatever_is_filtered(self):
        self.load()
        self.choose(kind="broken")
        self.listed("hostile broken")
        self.choose(category="mixed")
        self.listed("hostile")
        self.js("location.hash = '#sample=right'")
        self.until(self.opened, [True, "right"])
        self.press("Escape")
        self.choose(q="SITTING")
        self.listed("broken mended")
        self.load("#sample=nobody")
        self.until(self.opened, [False, None])

    def test_text_of_the_data_is_inert(self):
        self.load("#sample=hostile")
        self.counts("img, script[src]", 0)
        self.shows(HOSTILE)
        self.load("#sample=s", self.write("links", page(["a", "b"], [sample("s", "10")], runs=[run(0, "javascript:alert(1)"), run(1, "../b/report.html")])))
        self.until("qa('.reading a').map(one => one.getAttribute('href'))", ["../b/report.html"])

    def test_of_a_history_the_latest_break_comes_first(self):
        self.load(path=self.write("history", history(60, 50)))
        self.same(self.js(self.items)[:4], ["s0", "s5", "s10", "s15"])
        text = "right in 59, wrong in 1 of 60 runs; wrong since run 59, 2026-01-04 00:00:00 UTC"
        self.has(".item", text)
        # A mark for each run.
        self.until("[...q('.runs').children].map(one => one.getAttribute('d').split('M').length - 1)", [59, 0, 1])
        self.click(".item")
        self.shows(text, "run 58, 2026-01-03 00:00:00 UTC on a host ✓ read right", "run 59, 2026-01-04 00:00:00 UTC on a host ✕ wrong")
        self.press("Escape")
        self.choose(kind="flaky")
        self.same(self.js(self.items)[:2], ["s1", "s6"])

    def test_no_samples_and_no_runs_are_no_fault(self):
        self.load(path=self.write("none", page([], [], base=0)))
        self.reads("#count", "0 of 0 samples")
        self.load(path=self.write("one", history(1, 1)))
        self.listed("s0")

    def test_the_pareto_plot_shows_who_is_beaten(self):
        self.load(path=self.write("pareto", pareto()))
        self.until("qa('[data-front]').map(one => one.dataset.front)", ["yes", "no", "yes"])
        self.until(PLOTS_FIT)
        # Areas of rings are as memory: a third of the largest.
        radii = self.js("qa('.ring').map(one => one.r.baseVal.value)")
        self.assertAlmostEqual((radii[0] / radii[1]) ** 2, 1 / 3, places=6)

    def test_a_phone_and_the_dark(self):
        path = self.write("looks", pareto())
        for dark in (True, False):
            for width in (1280, 390):
                self.page.look(width, 844, dark)
                self.load("#sample=broken", path)
                self.assertLessEqual(self.js("document.documentElement.scrollWidth"), width)
                self.same((self.js(LOW_CONTRAST), self.js(UNNAMED)), ([], []))

    def test_a_thousand_runs_of_240_samples_are_there_within_a_second(self):
        path = self.write("large", history(1_000, 240))
        for width in (1280, 390):
            self.page.look(width, 844)
            before = self.busy()
            self.load(path=path)
            self.assertLess(self.busy() - before, 1)
            self.same((self.count("#list .item"), self.text("#page-number")), (40, "page 1 of 6"))


if __name__ == "__main__":
    unittest.main()
