"""The page of a comparison, `comparison.html`, with its explorer of samples, in a real browser: `make browser-test`."""

import json
import re
import unittest

from pages import HOSTILE, LOW_CONTRAST, PLOTS_FIT, UNNAMED, DataCase


def sample(id, states, texts=("kitten",), text=None, **more):
    return dict(id=id, category="vertical", truth="kitten", states=states, texts=list(texts),
                text=text or [None if state == "-" else 0 for state in states]) | more


def explorer(runs, samples, **more):
    return dict(title="Comparison", word="REGRESSION", verdict="fail", warnings=[], names=[], figures=[], metrics=[], devices=[], stages=[], samples=[],
                sections=[dict(blocks=["A regression."]), dict(heading="Pareto", blocks=["About it."])], paretos=[],
                explorer=dict(runs=runs, samples=samples, **more))


def variants():
    return explorer([dict(id=letter, label=f"{letter}: variant {letter}") for letter in "ABC"], [
        sample("right", "111"), sample("wrong", "000"), sample("part", "1-1"), sample("flaky", "1f1"),
        sample("mended", "011", ("sitting", "kitten"), [0, 1, 1], category="mixed"),
        sample("broken", "110", ("kitten", "sitting"), [0, 0, 1]),
        sample("hostile", "100", (HOSTILE, "x"), [0, 1, 1], truth=HOSTILE, category="mixed"),
    ], base=0)


def history(runs, samples):
    """Runs in the order of time: samples break at different ones."""
    return explorer(
        [dict(id=str(run), label=f"run {run}", time=f"2026-01-{run % 28 + 1:02}T00:00:00Z", host="a host",
              link=f"https://example.org/{run}") for run in range(runs)],
        [sample(f"s{number}", "".join(
            "0" if number % 5 == 0 and run >= runs - number // 5 - 1 else "f" if number % 5 == 1 and run == runs - 2 else "1"
            for run in range(runs)), ("kitten", "sitting")) for number in range(samples)])


def pareto():
    points = [dict(side=index, values=[dict(value=y, low=y - 0.05, high=y + 0.05), dict(value=x, low=x - 2, high=x + 2), dict(value=memory)],
                   beatenBy=beaten)
              for index, (x, y, memory, beaten) in enumerate([(20, 0.8, 100e6, []), (30, 0.75, 300e6, [0]), (40, 0.9, 200e6, [])])]
    return variants() | dict(names=[f"{letter} variant" for letter in "ABC"], paretos=[
        dict(title="Pareto", pareto=dict(metrics=["titleRead", "latencyP95", "peakFootprint"], points=points))])


class ComparisonTests(DataCase):
    items = "qa('.explorer-row').sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map(one => one.dataset.id)"
    chosen = "q('.explorer-row[aria-selected=true]')?.dataset.id"

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

    def load(self, hash="", path=None, rows=True):
        super().load(hash, path)
        self.until("document.documentElement.dataset.ready !== undefined")
        self.until("q('.explorer-row') !== null", rows)

    def shows(self, *texts):
        for text in texts:
            self.has(".explorer-detail", text)

    def test_what_broke_comes_first(self):
        self.load()
        self.listed("hostile broken mended flaky wrong part right")
        self.until(f"[{self.chosen}, location.hash]", ["hostile", ""])

    def test_keys_go_through_the_samples_and_the_address_follows(self):
        self.load()
        self.press("j")
        self.until(f"[{self.chosen}, location.hash]", ["broken", "#sample=broken"])
        self.press("j", "k")
        self.until(self.chosen, "broken")
        self.js("q('.explorer-list').focus()")
        self.press("ArrowDown")
        self.until(self.chosen, "mended")
        self.press("ArrowUp", "ArrowUp", "ArrowUp")
        self.until(self.chosen, "hostile")
        # Letters in a field are text.
        self.js("q('[name=words]').focus()")
        self.press("j")
        self.until("q('[name=words]').value", "j")

    def test_both_readings_and_their_differences_are_shown(self):
        self.load("#sample=broken")
        self.until(self.chosen, "broken")
        self.until("q('.explorer-detail img').naturalWidth", 40)
        self.reads(".verdict strong", "REGRESSION")
        self.shows("A: variant A (right)", "C: variant C (wrong)")
        # kitten, read as sitting: k for s, e for i, and g added.
        self.until("qa('.explorer-detail .run:not(.same)').map(one => one.className + ' ' + one.title)", ["run other “s” for “k”", "run other “i” for “e”", "run added added: “g”"])
        self.choose(run1="1")
        self.shows("B: variant B (right)")

    def test_a_link_opens_its_sample_whatever_is_filtered(self):
        self.load()
        self.choose(kind="broken")
        self.listed("hostile broken")
        self.choose(category="mixed")
        self.listed("hostile")
        self.js("location.hash = '#sample=right'")
        self.until(self.chosen, "right")
        self.choose(words="SITTING")
        self.listed("broken mended")
        self.load("#sample=nobody")
        self.until(self.chosen, "hostile")

    def test_text_of_the_data_is_inert(self):
        self.load("#sample=hostile")
        self.counts(".explorer img[src=x], .explorer script", 0)
        self.shows(HOSTILE)
        runs = [dict(id="a", label="a", link="javascript:alert(1)"), dict(id="b", label="b", link="../b/report.html")]
        self.load(path=self.write("links", explorer(runs, [sample("s", "10")])))
        self.until("qa('.explorer-detail h4 a').map(one => one.getAttribute('href'))", ["../b/report.html"])

    def test_of_a_history_the_latest_break_comes_first(self):
        self.load(path=self.write("history", history(60, 50)))
        self.same(self.js(self.items)[:4], ["s0", "s5", "s10", "s15"])
        self.shows("right in 59, wrong in 1 of 60 runs; wrong since run 59, 2026-01-04 00:00:00 UTC")
        self.choose(kind="flaky")
        self.same(self.js(self.items)[:2], ["s1", "s6"])

    def test_no_samples_and_no_runs_are_no_fault(self):
        self.load(path=self.write("none", explorer([], [])), rows=False)
        self.load(path=self.write("one", history(1, 1)))

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
            self.assertLess(self.count(".explorer-row"), 40)


if __name__ == "__main__":
    unittest.main()
