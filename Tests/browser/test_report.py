"""The page of a benchmark run, `report.html`, in a real browser: `make browser-test`."""

import copy
import json
import pathlib
import subprocess
import tempfile
import unittest
import urllib.parse

import chromium
from test_contact_sheet import LOW_CONTRAST, PROGRAM, png

# Every plot is drawn for the width that it has.
PLOTS_FIT = (
    "[...document.querySelectorAll('.canvas')].every(canvas =>"
    " Math.abs(canvas.firstChild.viewBox.baseVal.width - canvas.clientWidth) < 1)"
)
HOSTILE = "</script><img src=x onerror=alert(1)>\"'<!-- <script>&lt;\u202e"


def template(folder):
    """A page as `run` writes it, with one small picture, whose data a test replaces."""
    dataset = folder / "dataset"
    dataset.mkdir()
    (dataset / "grey.png").write_bytes(png(40, 160))
    label = dict(id="grey", image="grey.png", category="vertical", title="x", transcription="x", orientation="cw")
    (dataset / "samples.jsonl").write_text(json.dumps(label) + "\n")
    call = [PROGRAM, "run", "--dataset", dataset, "--variants", "tesseract", "--repetitions", "1",
            "--out", folder / "run"]
    outcome = subprocess.run(call, capture_output=True, text=True)
    if outcome.returncode not in (0, 1, 3):
        raise AssertionError(f"run ended with {outcome.returncode}: {outcome.stderr}")
    before, rest = (folder / "run/report.html").read_text().split('id="data">', 1)
    data, after = rest.split("</script>", 1)
    return before + 'id="data">', json.loads(data)["pictures"], "</script>" + after


def value(number, low=None, high=None):
    figure = {"value": {"value": number} if number is not None else {"absent": "n too small (needs ≥ 459)"}}
    return figure | {key: end for key, end in (("low", low), ("high", high)) if end is not None}


def share(successes, trials, low=None, high=None):
    counts = {"successes": successes, "trials": trials}
    return counts | {key: end for key, end in (("low", low), ("high", high)) if end is not None}


def measurement(id, p50, p95, read, **more):
    return dict(
        id=id, variant=id, tier="accurate", scenario="single", dataset="d", evidence="measured", readings=4,
        failures=0, timeouts=0,
        percentiles=[dict(percent=50, latency=value(p50, p50 - 5, p50 + 5)),
                     dict(percent=95, latency=value(p95, p95 - 20)), dict(percent=99, latency=value(None))],
        accuracy=[
            dict(category="all", values=dict(titleRead=share(read, 100, read / 100 - 0.05, read / 100 + 0.05),
                                             authorRead=share(50, 100), characterErrors=value(0.125))),
            dict(category="mixed", values=dict(titleRead=share(0, 0))),
        ],
        costs=[dict(name="peak memory footprint", unit="bytes", value=value(148e6), evidence="measured"),
               dict(name="until ready", unit="ms", value=value(None), evidence="measured"),
               dict(name="battery", unit="share", value=value(0.004, 0.003, 0.006), evidence="modelled")],
        checks=[], settings={"threads": "2", "model": id}, stages=["decode", "detection"], notes=[],
    ) | more


# Families, each of which is one letter to a reader and five to Unicode.
GIRL, BOY = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f466"

# In the order of the dataset. a reads s1 and s3, b reads s1 and s2; s4 failed in a; s10 is not legible.
SAMPLES = [
    dict(i="s1", c="vertical", t="Kitten", a="García", x="kitten", o="cw", g="photo 1", w=200, h=800, p=0, r=[
        dict(l=[["sitting", [0.98, 0.91], 150, 100, 150, 600, 50, 600]], o="cw", t=1, a=1, e=0.5, m=[30, 40], s=[0.3, 12.5]),
        dict(l=[["kitten"]], t=1, a=0, e=0, m=[600]),
    ]),
    dict(i="s2", c="inverted", t="Ångström's cafe\u0301", x=f"cafe\u0301 {GIRL}!", w=200, h=800, p=0, r=[
        dict(l=[[f"caf\u00e9 {BOY}!"]], t=0, e=0.1, m=[50], v=1),
        dict(l=[["café"]], t=1, e=0.4, m=[70]),
    ]),
    dict(i="s10", c="vertical", x=HOSTILE, t=HOSTILE, a=HOSTILE, g=HOSTILE, n=1, r=[
        dict(l=[[HOSTILE, 0.5]], m=[20]), dict(l=[], m=[20]),
    ]),
    dict(i="s3", c="mixed", t="Beta", x="beta", r=[dict(l=[["beta"]], t=1, e=0, m=[499]), dict(l=[["x"]], t=0, e=1, m=[80])]),
    dict(i="s4", c="mixed", t="Gone", x="gone", r=[dict(u="workerDied", p="signal SIGSEGV (11)", t=0), None]),
    dict(i="s5", c="mixed", t="Long", x="ab" * 5000, r=[
        dict(l=[["ba" * 5000]], t=0, e=1, m=[90]), dict(u="timedOut", t=0, m=[None]),
    ]),
]


def report():
    return dict(
        head=dict(
            title="d 1.0: a, b", verdict="fail", sentence="1 of 3 gating targets missed.", summary="6 spines",
            partial="stopped after 11 of 12 readings", warnings=["The machine was busy."], method=["Latency is wall time."],
            provenance=[dict(title="Host", rows=[["cores", "2"], ["note", HOSTILE]])], latencyTarget=500, titleTarget=0.85,
            metrics=[["titleRead", "title read"], ["authorRead", "author read"], ["characterErrors", "character error rate"]],
        ),
        compliance=[
            dict(measurement="a", metric="latency P95", value="47.0 ms", interval="[40.0 ms, –)", target="≤ 150 ms (X-1)",
                 status="pass", note="", evidence="measured", gates=True),
            dict(measurement="b", metric="title read", value="80.0 %", target="≥ 85 %", status="fail", note="by far",
                 evidence="measured", gates=True),
            dict(measurement="b", metric="battery", target="≤ 1 %", status="inconclusive", note="n too small",
                 evidence="modelled", gates=False),
        ],
        measurements=[
            measurement("a", 40, 60, 90, timeline=dict(sentence="No leak shown.", windows=[
                [60, 31, 47, 148e6], [120, None, None, None], [180, 30, 46, 149e6], [240, 30, 45, 149e6]])),
            # Dearer than a and no better: behind the front.
            measurement("b", 75, 600, 80, timeouts=1, checks=[
                dict(rule="least readings", required="≥ 90", seen="4", status="fail")], notes=[HOSTILE],
                reliability=dict(bins=[dict(confidence=0.9, right=share(8, 10, 0.5, 0.95))], error=value(0.1), meaning="Lines.")),
            # Better than a and dearer: on the front.
            measurement("c", 90, 140, 95),
        ],
        samples=copy.deepcopy(SAMPLES),
    )


@unittest.skipUnless(chromium.PROGRAM, "no Chromium on the path (Debian's package is 'chromium')")
class ReportTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.before, cls.pictures, cls.after = template(pathlib.Path(cls.folder.name))
        cls.whole = cls.write("report", report())
        cls.page = chromium.Page()
        cls.addClassCleanup(cls.page.close)

    @classmethod
    def write(cls, name, data):
        path = pathlib.Path(cls.folder.name) / (name + ".html")
        text = json.dumps({"pictures": cls.pictures} | data, ensure_ascii=False, separators=(",", ":"))
        path.write_text(cls.before + text.replace("<", "\\u003c") + cls.after)
        return path

    def setUp(self):
        self.page.resize(1280, 900)
        self.page.console.clear()
        self.page.requests.clear()
        self.load()

    def tearDown(self):
        self.assertEqual(self.page.console, [])
        pages = ("data:", "about:", pathlib.Path(self.folder.name).as_uri())
        self.assertEqual([url for url in self.page.requests if not url.startswith(pages)], [])

    def load(self, hash="", path=None):
        self.page.open((path or self.whole).as_uri() + hash)

    def texts(self, selector):
        return self.page.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def text(self, selector):
        return self.page.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def count(self, selector):
        return self.page.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def ids(self, within="#list"):
        return self.page.run(f"[...document.querySelectorAll('{within} .item')].map(item => item.dataset.id)")

    def set(self, selector, to):
        """Fills a field as a person does, as far as the page can tell."""
        self.page.run(
            f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
            f" if (field.type === 'checkbox') field.checked = {json.dumps(to)}; else field.value = {json.dumps(to)};"
            " for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {bubbles: true})); })()"
        )

    def hash(self):
        return dict(urllib.parse.parse_qsl(self.page.run("location.hash.slice(1)")))

    def plot(self, title):
        """A JavaScript expression for the plot of that title."""
        return f"[...document.querySelectorAll('.plot')].find(p => p.querySelector('h3').textContent === {json.dumps(title)})"

    def rows(self, title):
        """The numbers under a plot: a list of rows of texts."""
        return self.page.run(
            f"[...{self.plot(title)}.querySelectorAll('tbody tr')].map(row => [...row.cells].map(c => c.textContent))"
        )

    def busy(self):
        """How long the page's thread has worked, in seconds."""
        metrics = self.page.call("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    # The text around the plots.

    def test_the_verdict_comes_first(self):
        for verdict, word in (("pass", "PASS"), ("fail", "FAIL"), ("inconclusive", "INCONCLUSIVE"), (None, "NO VERDICT")):
            with self.subTest(word):
                data = report()
                data["head"].pop("partial")
                data["head"].pop("verdict")
                if verdict:
                    data["head"]["verdict"] = verdict
                self.load(path=self.write("verdict", data))
                self.assertEqual(self.text(".verdict strong"), word)
                self.assertEqual(self.count(".partial"), 0)
                top = "document.querySelector('.verdict').getBoundingClientRect().bottom"
                self.assertLess(self.page.run(top), 300)
        self.load()
        self.assertEqual(self.text(".partial"), "PARTIAL")
        self.assertEqual(
            self.texts(".warning"),
            ["⚠ Partial run: stopped after 11 of 12 readings.", "⚠ The machine was busy."],
        )
        self.assertEqual(
            self.page.run("[...document.querySelectorAll('section[id]')].map(s => s.id)"),
            ["latency", "accuracy", "compliance", "cost", "time", "checks", "samples", "method"],
        )
        self.assertEqual(self.count("#contents li a"), 8)

    def test_what_failed_is_the_first_line(self):
        data = report()
        data["head"]["failures"] = ["2 of 2 readings failed: the reader printed <b>hi</b>"]
        self.load(path=self.write("failures", data))
        self.assertEqual(self.texts("#verdict > *")[0], data["head"]["failures"][0])
        self.load()
        self.assertEqual(self.count(".failure"), 0)

    def test_targets_say_what_was_found_and_what_is_missing(self):
        rows = self.page.run("[...document.querySelectorAll('.targets tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
        self.assertEqual(rows, [
            ["latency P95", "a", "47.0 ms", "[40.0 ms, –)", "≤ 150 ms (X-1)", "✓ met", "yes", "measured"],
            ["title read", "b", "80.0 %", "–", "≥ 85 %", "✕ missed by far", "yes", "measured"],
            ["battery", "b", "–", "–", "≤ 1 %", "? not decided n too small", "no", "modelled"],
        ])
        self.assertEqual(self.texts("#compliance .legend dt"), ["measured", "modelled", "measured on device", "reported by a recording", "reported", "claimed"])

    def test_checks_settings_and_provenance_are_listed(self):
        self.assertIn("least readingsb≥ 904✕ broken", self.texts("#checks tbody tr"))
        self.assertEqual(self.texts("#checks .notes li"), ["b: " + HOSTILE])
        self.assertIn("model differsabc", self.texts("#method tbody tr"))
        self.assertIn("threads222", self.texts("#method tbody tr"))
        self.assertEqual(self.texts("#method .facts dd"), ["2", HOSTILE])

    def test_text_of_the_data_is_inert(self):
        data = report()
        data["head"]["title"] = data["measurements"][0]["id"] = data["compliance"][0]["metric"] = HOSTILE
        data["measurements"][0]["settings"] = {HOSTILE: HOSTILE, "__proto__": HOSTILE, "constructor": "x"}
        data["measurements"][0]["accuracy"][1]["category"] = "__proto__"
        data["samples"][0]["i"] = data["samples"][0]["c"] = "__proto__"
        self.load("#" + urllib.parse.urlencode(dict(sample="s10")), self.write("hostile", data))
        self.assertEqual(self.text("h1"), HOSTILE)
        self.assertEqual(self.text("#sample-title"), HOSTILE)
        self.assertEqual(self.count("img, iframe, object, script[src]"), 0)
        self.assertNotRegex(self.text("main"), "undefined|NaN|\\[object")
        self.set("[name=category]", "__proto__")
        self.assertEqual(self.ids(), ["__proto__"])

    def test_nothing_that_is_absent_shows(self):
        self.assertNotRegex(self.text("main"), "undefined|null|NaN|\\[object|Infinity")
        for id in ("s1", "s10", "s4", "s5"):
            self.load("#sample=" + id)
            self.assertNotRegex(self.text("dialog"), "undefined|null|NaN|\\[object|Infinity")
        self.load(path=self.write("empty", dict(
            head=dict(title="empty", sentence="Nothing ran.", summary="", warnings=[], method=[], provenance=[]),
            compliance=[], measurements=[], samples=[])))
        self.assertEqual(self.text("#count"), "0 of 0 samples")
        self.assertFalse(self.page.run("document.getElementById('nothing').hidden"))
        bare = dict(id="x", variant="x", scenario="single", dataset="d", evidence="measured", readings=0, failures=0,
                    timeouts=0, percentiles=[], accuracy=[], costs=[], checks=[], settings={}, stages=[], notes=[])
        data = report() | dict(measurements=[bare], samples=[dict(i="1", c="mixed", x="", r=[None])])
        self.load("#sample=1", self.write("bare", data))
        self.assertNotRegex(self.text("main"), "undefined|null|NaN|\\[object|Infinity")

    def test_the_policy_stops_what_would_leave_the_page(self):
        self.assertIn("default-src 'none'", self.page.run("document.querySelector('meta[http-equiv]').content"))
        stopped = self.page.run("fetch('https://example.invalid/').then(() => 'sent', () => 'stopped')")
        self.assertEqual(stopped, "stopped")
        self.assertIn("Content Security Policy", " ".join(self.page.console))
        self.page.console.clear()
        self.page.requests.clear()

    # Plots.

    def test_every_plot_has_a_title_axes_with_units_a_text_and_a_table(self):
        self.assertEqual(self.texts(".plot h3"), [
            "Distribution of latency", "Percentiles of latency", "Accuracy by category", "Accuracy against latency",
            "Calibration of the confidence", "Memory", "Start", "Latency over time", "Memory over time"])
        axes = self.page.run(
            "[...document.querySelectorAll('.plot')].map(p => [...p.querySelectorAll('.axis')].map(a => a.textContent))")
        self.assertEqual(axes, [
            ["latency, ms", "share of readings, %"], ["latency, ms"], ["title read, % of samples"],
            ["latency P95, ms", "title read, %; axis from 70"], ["mean confidence (reported), %", "right, %"], ["MB of 1 000 000 bytes"],
            ["milliseconds"], ["minutes since the start", "latency, ms"], ["minutes since the start", "footprint, MB; axis from 147"]])
        named = (
            "[...document.querySelectorAll('.canvas > svg')].every(s =>"
            " s.getAttribute('role') === 'img' && s.ariaLabel.length > 40)")
        self.assertTrue(self.page.run(named))
        tables = "[...document.querySelectorAll('.plot')].every(p => p.querySelectorAll('details tbody tr').length > 0)"
        self.assertTrue(self.page.run(tables))

    def test_the_distribution_counts_readings_and_timeouts(self):
        # a: 20 30 40 50 90 499. b: 20 70 80 600 and a timeout. c has no readings of its own.
        self.assertEqual(self.rows("Distribution of latency"), [
            ["a", "6", "0", "20.0 ms", "30.0 ms", "40.0 ms", "90.0 ms", "499.0 ms", "499.0 ms", "499.0 ms", "499.0 ms", "100.0 %"],
            ["b", "5", "1", "20.0 ms", "70.0 ms", "80.0 ms", "600.0 ms", "timed out", "timed out", "timed out", "600.0 ms", "60.0 %"],
        ])
        plot = self.plot("Distribution of latency")
        a, b = self.page.run(f"[...{plot}.querySelectorAll('.curve')].map(c => c.getBBox().height)")
        # Of b, four of five get done.
        self.assertAlmostEqual(b / a, 0.8, delta=0.01)

    def test_the_latency_axis_is_logarithmic_or_linear(self):
        where = (f"(() => {{ const p = {self.plot('Distribution of latency')};"
                 " return [...p.querySelectorAll('.tick[text-anchor=middle]')].map(t =>"
                 " [t.textContent, Number(t.getAttribute('x'))]); })()")
        logarithmic = dict(map(tuple, self.page.run(where)))
        self.assertAlmostEqual(logarithmic["200"] - logarithmic["20"], logarithmic["500"] - logarithmic["50"], delta=0.5)
        self.set("#latency .plot select", "linear")
        linear = dict(map(tuple, self.page.run(where)))
        self.assertAlmostEqual(linear["200"] - linear["100"], linear["300"] - linear["200"], delta=0.5)
        self.set("#latency .plot select", "log")
        self.assertEqual(dict(map(tuple, self.page.run(where))), logarithmic)

    def test_the_pointer_reads_the_distribution(self):
        box = self.page.run(
            f"(() => {{ const s = {self.plot('Distribution of latency')}.querySelector('.canvas svg');"
            " s.scrollIntoView({block: 'center'}); const b = s.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()")
        self.page.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + box[2] - 30, y=box[1] + box[3] / 2)
        self.page.wait("document.querySelectorAll('.cursor text').length === 3")
        said = self.texts(".cursor text")
        self.assertRegex(said[0], r"^within 5\d\d\.\d ms$")
        self.assertEqual(said[1:], ["a: 100.0 %", "b: 60.0 %"])
        self.page.call("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
        self.page.wait("document.querySelectorAll('.cursor text').length === 0")

    def test_percentiles_have_bounds_and_say_why_one_is_missing(self):
        self.assertEqual(self.rows("Percentiles of latency")[0],
                         ["a", "40.0 ms [35.0 ms, 45.0 ms]", "60.0 ms [40.0 ms, –)", "n too small (needs ≥ 459)", "measured"])
        plot = self.plot("Percentiles of latency")
        self.assertEqual(self.page.run(f"{plot}.querySelectorAll('.bar').length"), 6)
        self.assertEqual(self.page.run(f"{plot}.querySelectorAll('.whisker').length"), 6)
        absent = self.page.run(f"[...{plot}.querySelectorAll('.absent')].map(t => t.textContent)")
        self.assertEqual(absent, ["n too small (needs ≥ 459)"] * 3)
        self.assertEqual(self.page.run(f"{plot}.querySelector('.target text').textContent"), "target 500 ms")
        # b's P95 of 600 ms is eight times its P50 of 75 ms; bars begin at nought.
        widths = self.page.run(f"[...{plot}.querySelectorAll('.bar')].map(b => Number(b.getAttribute('width')))")
        self.assertAlmostEqual(widths[4] / widths[1], 8, delta=0.01)

    def test_accuracy_shows_what_is_chosen(self):
        plot = self.plot("Accuracy by category")
        values = f"[...{plot}.querySelectorAll('.value, .absent')].map(t => t.textContent)"
        self.assertEqual(self.page.run(values), ["90.0 % · 90/100", "80.0 % · 80/100", "95.0 % · 95/100"] + ["no samples"] * 3)
        self.assertEqual(self.page.run(f"{plot}.querySelector('.target text').textContent"), "target 85 %")
        for metric, axis, first in [
            ("authorRead", "author read, % of samples", "50.0 % · 50/100"), ("characterErrors", "character error rate", "0.125"),
        ]:
            self.set("#accuracy .plot select", metric)
            self.assertEqual(self.page.run(values)[0], first)
            self.assertEqual(self.page.run(f"{plot}.querySelector('.axis').textContent"), axis)
            self.assertEqual(self.page.run(f"{plot}.querySelectorAll('.target').length"), 0)
        self.assertIn(["a", "mixed", "no samples", "–", "–"], self.rows("Accuracy by category"))

    def test_the_front_is_what_nothing_beats(self):
        title = "Accuracy against latency"
        self.assertEqual([(row[0], row[4]) for row in self.rows(title)], [("a", "yes"), ("b", "no"), ("c", "yes")])
        marks = f"[...{self.plot(title)}.querySelectorAll('[data-front]')].map(g => g.dataset.front)"
        self.assertEqual(self.page.run(marks), ["yes", "no", "yes"])
        self.assertEqual(self.page.run(f"{self.plot(title)}.querySelectorAll('.front').length"), 1)
        select = f"{self.plot(title)}.querySelector('select')"
        self.assertEqual(self.page.run(f"[{select}.value, ...[...{select}.options].map(o => o.text)]"), ["95", "P95", "P50", "P99"])
        self.page.run(f"{select}.value = '50'; {select}.dispatchEvent(new Event('change', {{bubbles: true}}))")
        self.assertEqual(self.rows(title)[0][1], "40.0 ms [35.0 ms, 45.0 ms]")
        # Without a, b is still beaten by nobody on time.
        self.page.click("#accuracy [data-key='0']")
        self.assertEqual([(row[0], row[4]) for row in self.rows(title)], [("b", "yes"), ("c", "yes")])

    def test_keys_hide_a_measurement_in_every_plot(self):
        def curves():
            return self.page.run("[...document.querySelectorAll('.plot')].map(p => p.querySelectorAll('.c1:not(.keys *)').length)")

        before = curves()
        self.page.click("#latency [data-key='1']")
        self.assertEqual(set(curves()), {0})
        pressed = self.page.run("[...document.querySelectorAll('[data-key=\"1\"]')].map(k => k.ariaPressed)")
        self.assertEqual(set(pressed), {"false"})
        self.assertEqual([row[0] for row in self.rows("Percentiles of latency")], ["a", "c"])
        # All of them can be hidden.
        self.page.click("#latency [data-key='0']")
        self.page.click("#latency [data-key='2']")
        self.assertEqual(self.rows("Percentiles of latency"), [])
        for key in (0, 1, 2):
            self.page.click(f"#cost [data-key='{key}']")
        self.assertEqual(curves(), before)

    def test_what_is_not_measured_is_marked(self):
        row = next(row for row in self.texts("#cost > .scroll tbody tr") if row.startswith("battery"))
        self.assertEqual(row, "battery" + "0.4 % [0.3 %, 0.6 %] modelled" * 3)
        data = report()
        data["measurements"][0]["costs"][0]["evidence"] = "modelled"
        self.load(path=self.write("modelled", data))
        self.assertEqual(self.page.run(f"[...{self.plot('Memory')}.querySelectorAll('.value')].map(t => t.textContent)"),
                         ["148.0 MB modelled", "148.0 MB", "148.0 MB"])
        self.assertEqual(self.count(".bar.modelled"), 1)

    def test_a_window_without_readings_leaves_a_gap(self):
        pen = f"{self.plot('Memory over time')}.querySelector('.curve').getAttribute('d').replace(/[^ML]/g, '')"
        self.assertEqual(self.page.run(pen), "MML")
        self.assertEqual(self.rows("Latency over time")[1], ["a", "120", "no readings", "no readings"])
        self.assertIn("No leak shown.", self.text("#time figcaption"))

    # The samples.

    def test_each_filter_chooses(self):
        everything = ["s1", "s2", "s10", "s3", "s4", "s5"]
        table = [
            ({"q": "garcia"}, ["s1"]), ({"q": "KITTEN gar"}, ["s1"]), ({"q": "sitting"}, ["s1"]), ({"q": "photo 1"}, ["s1"]),
            ({"q": "angstrom"}, ["s2"]), ({"q": "onerror"}, ["s10"]), ({"q": "nowhere"}, []), ({"q": " "}, everything),
            ({"category": "vertical"}, ["s1", "s10"]), ({"category": "mixed"}, ["s3", "s4", "s5"]),
            ({"measurement": "0"}, everything), ({"measurement": "1"}, ["s1", "s2", "s10", "s3", "s5"]), ({"measurement": "2"}, []),
            ({"outcome": "right"}, ["s1", "s2", "s3"]), ({"outcome": "right", "measurement": "0"}, ["s1", "s3"]),
            ({"outcome": "wrong", "measurement": "0"}, ["s2", "s5"]), ({"outcome": "wrong", "measurement": "1"}, ["s3"]),
            ({"outcome": "failed"}, ["s4", "s5"]), ({"outcome": "failed", "measurement": "1"}, ["s5"]),
            ({"outcome": "slow"}, ["s1", "s5"]), ({"outcome": "slow", "measurement": "0"}, []),
            ({"outcome": "author"}, ["s1"]), ({"outcome": "varies"}, ["s2"]), ({"outcome": "unscored"}, ["s10"]),
            ({"outcome": "differs"}, ["s2", "s3", "s5"]),
            ({"outcome": "differs", "category": "mixed", "q": "beta"}, ["s3"]),
        ]
        for wanted, expected in table:
            with self.subTest(wanted):
                self.load()
                for name, to in wanted.items():
                    self.set(f"[name={name}]", to)
                self.assertEqual(self.ids(), expected)
                self.assertEqual(self.text("#count"), f"{len(expected)} of 6 samples")
                self.assertEqual(self.hash(), {name: to for name, to in wanted.items() if to})
                self.assertEqual(self.page.run("document.getElementById('nothing').hidden"), expected != [])
                # The link alone gives the same again.
                link = self.page.run("location.hash")
                self.load(link)
                self.assertEqual(self.ids(), expected)
        self.page.click("#filters button[type=reset]")
        self.page.wait("location.hash === ''")
        self.assertEqual(self.ids(), everything)

    def test_each_order_sorts_and_what_has_no_figure_comes_last(self):
        for order, measured, rising, falling in [
            ("", "", ["s1", "s2", "s10", "s3", "s4", "s5"], ["s5", "s4", "s3", "s10", "s2", "s1"]),
            ("id", "", ["s1", "s2", "s3", "s4", "s5", "s10"], ["s10", "s5", "s4", "s3", "s2", "s1"]),
            ("title", "", ["s10", "s2", "s3", "s4", "s1", "s5"], ["s5", "s1", "s4", "s3", "s2", "s10"]),
            ("category", "", ["s2", "s3", "s4", "s5", "s1", "s10"], ["s1", "s10", "s3", "s4", "s5", "s2"]),
            # The worst of both: 0.5, 0.4, none, 1, none, 1.
            ("cer", "", ["s2", "s1", "s3", "s5", "s10", "s4"], ["s3", "s5", "s1", "s2", "s10", "s4"]),
            ("cer", "0", ["s3", "s2", "s1", "s5", "s10", "s4"], ["s5", "s1", "s2", "s3", "s10", "s4"]),
            # 600, 70, 20, 499, none, 90.
            ("latency", "", ["s10", "s2", "s5", "s3", "s1", "s4"], ["s1", "s3", "s5", "s2", "s10", "s4"]),
            ("latency", "0", ["s10", "s1", "s2", "s5", "s3", "s4"], ["s3", "s5", "s2", "s1", "s10", "s4"]),
        ]:
            with self.subTest(order=order, measurement=measured):
                self.load()
                self.set("[name=sort]", order)
                self.set("[name=measurement]", measured)
                self.assertEqual(self.ids(), rising)
                self.set("[name=falling]", True)
                self.assertEqual(self.ids(), falling)
                self.assertEqual(self.hash().get("falling"), "1")

    def test_a_sample_is_shown_with_what_became_of_it(self):
        results = self.page.run(
            "[...document.querySelectorAll('#list > li')].map(item => [...item.querySelectorAll('.result')].map(r =>"
            " [...r.children].map(c => c.textContent).join('|')))")
        self.assertEqual(results[0], [
            "✓read right|a|sitting|CER 0.50 · 30.0 ms", "✓read right|b|kitten|CER 0.00 · 600.0 ms · too slow"])
        self.assertTrue(results[1][0].endswith("varies"))
        self.assertEqual(results[2][1], "–illegible, not scored|b|nothing read|20.0 ms")
        self.assertEqual(results[4], ["!worker died|a|signal SIGSEGV (11)", "–not asked|b|nothing read"])
        self.assertEqual(results[5][1], "!timed out|b|nothing read|too slow")
        # Not ten thousand letters.
        self.assertLess(len(results[5][0]), 250)

    def test_of_many_measurements_an_item_shows_some_or_the_one_that_is_chosen(self):
        data = report()
        data["head"].pop("latencyTarget")
        data["measurements"] = [measurement(f"m{number}", 40, 60, 90) for number in range(9)]
        data["measurements"][8]["evidence"] = "modelled"
        data["samples"] = [dict(i="s", c="mixed", t="T", x="t", r=[dict(l=[[f"text {number}"]], t=1, m=[9]) for number in range(9)])]
        self.load(path=self.write("matrix", data))
        self.assertEqual(self.texts("#list .read"), ["text 0", "text 1", "text 2", "text 3"])
        self.assertTrue(self.text("#list .item").endswith("and 5 measurements more"))
        self.set("[name=measurement]", "7")
        self.assertEqual(self.texts("#list .read"), ["text 7"])
        # What is not measured says so wherever it is drawn, and without a target nothing is too slow.
        keys = self.page.run("[...document.querySelectorAll('[data-key=\"8\"]')].map(k => k.textContent)")
        self.assertEqual(set(keys), {"m8modelled"})
        self.assertEqual(self.count("option[value=slow], #latency .target"), 0)

    def test_a_picture_is_put_together_and_turned(self):
        sizes = self.page.run(
            "Promise.all([...document.querySelectorAll('#list image')].map(async image => {"
            " const copy = new Image(); copy.src = image.getAttribute('href'); await copy.decode();"
            " return [copy.naturalWidth, copy.naturalHeight]; }))")
        self.assertEqual(sizes, [[40, 160], [40, 160]])
        boxes = "[...document.querySelectorAll('#list .strip svg')].map(s => s.getAttribute('viewBox'))"
        # s1 reads from top to bottom; of s2 nobody says.
        self.assertEqual(self.page.run(boxes), ["0 0 800 200", "0 0 200 800"])
        self.assertEqual(self.count(".no-picture"), 4)

    def test_a_sample_opens_with_its_lines_times_and_letters(self):
        self.load("#sample=s1")
        self.assertTrue(self.page.run("document.querySelector('dialog').open"))
        self.assertEqual(self.text("#sample-title"), "Kitten")
        self.assertEqual(self.texts(".sample-facts dd"), ["s1", "García", "vertical", "photo 1", "200 × 800 px", "kitten"])
        # kitten → sitting: k/s, e/i, and a g.
        runs = self.page.run(
            "[...document.querySelectorAll('.reading')].map(b => [...b.querySelectorAll('.difference .run')].map(r =>"
            " [r.className.split(' ')[1], ...(r.children.length ? [...r.children] : [r]).map(p => p.textContent)].join(':')))")
        self.assertEqual(runs[0], ["other:k:s", "same:itt", "other:e:i", "same:n", "added:+:g"])
        self.assertEqual(runs[1], ["same:kitten"])
        first = self.text(".reading")
        self.assertIn("CER 0.500", first)
        self.assertIn("30.0 ms, 40.0 ms", first)
        self.assertIn("by its own clock: decode 0.30 msdetection 12.5 ms reported", first)
        self.assertIn("(too slow)", self.texts(".reading")[1])
        self.assertEqual(self.texts(".reading details td"), ["sitting", "98.0 %", "91.0 %", "kitten", "–"])

    def test_letters_are_compared_as_people_count_them(self):
        self.load("#sample=s2")
        runs = self.page.run(
            "[...document.querySelector('.reading .difference').children].map(r => [r.className.split(' ')[1], r.textContent])")
        # The accent is the same however it is spelled, and a family is one letter.
        self.assertEqual(runs, [["same", "caf\u00e9 "], ["other", GIRL + BOY], ["same", "!"]])
        self.load("#sample=s5")
        self.assertIn("Too long to compare", self.text(".reading"))
        self.load("#sample=s4")
        self.assertEqual(self.texts(".reading .badge"), ["! worker died", "– not asked"])
        self.assertIn("SIGSEGV", self.text(".problem"))
        self.assertEqual(self.page.run("[...document.querySelectorAll('.difference .run')].map(r => r.className)"), ["run missing"])

    def test_the_overlay_can_be_hidden_and_lies_where_the_line_is(self):
        self.load("#sample=s1")
        corners = (
            "[...document.querySelector('dialog .quad polygon').points].map(point => {"
            " const p = point.matrixTransform(document.querySelector('dialog .quad polygon').getScreenCTM()); return [p.x, p.y]; })")
        begin, end, _, below = self.page.run(corners)
        # Turned, the line reads from left to right, and the fourth corner was made of the other three.
        self.assertLess(begin[0], end[0])
        self.assertAlmostEqual(begin[1], end[1], delta=0.1)
        self.assertLess(begin[1], below[1])
        self.assertAlmostEqual(begin[0], below[0], delta=0.1)
        self.page.click("#turned")
        begin, end, _, below = self.page.run(corners)
        self.assertLess(begin[1], end[1])
        self.assertLess(below[0], begin[0])
        self.set("#pictured", "1")
        self.assertEqual(self.count("dialog .quad"), 0)
        self.set("#pictured", "0")
        self.assertEqual(self.count("dialog .quad"), 1)
        self.page.click("#overlay")
        self.assertEqual(self.count("dialog .quad"), 0)

    def test_the_keyboard_is_enough(self):
        is_open = "document.querySelector('dialog').open"
        self.page.run("document.querySelector('#list .item').focus()")
        self.page.press("ArrowDown")
        self.page.press("ArrowDown")
        self.page.press("ArrowUp")
        self.assertEqual(self.page.run("document.activeElement.dataset.id"), "s2")
        self.page.press("Enter")
        self.assertTrue(self.page.run(is_open))
        self.assertEqual(self.hash(), {"sample": "s2"})
        for key, id in (("ArrowLeft", "s1"), ("ArrowLeft", "s1"), ("ArrowRight", "s2"), ("ArrowRight", "s10")):
            self.page.press(key)
            self.assertEqual(self.hash(), {"sample": id})
        self.page.press("Escape")
        self.page.wait("location.hash === ''")
        self.assertFalse(self.page.run(is_open))
        self.assertEqual(self.page.run("document.activeElement.dataset.id"), "s10")
        self.page.press("/")
        self.page.type("beta")
        self.assertEqual(self.ids(), ["s3"])

    def test_links_lead_to_samples_and_sections(self):
        self.load("#sample=nobody")
        self.assertFalse(self.page.run("document.querySelector('dialog').open"))
        self.load("#category=nothing&page=99&sort=nothing")
        self.assertEqual(len(self.ids()), 6)
        self.load("#method")
        self.assertTrue(self.page.run("scrollY > 1000 || scrollY + innerHeight >= document.documentElement.scrollHeight - 2"))
        self.load()
        self.page.click("#contents a[href='#samples']")
        self.page.run("document.querySelector('#list .item').click()")
        self.page.wait("document.querySelector('dialog').open")
        self.page.run("location.hash = '#sample=s3'")
        self.page.wait("document.getElementById('sample-title').textContent === 'Beta'")
        self.page.click("#close")
        self.page.wait("!document.querySelector('dialog').open")

    # Looks.

    def test_every_field_has_a_name_and_every_text_contrast(self):
        unnamed = (
            "[...document.querySelectorAll('input, select, button')].filter(field => !field.labels?.length"
            " && !field.textContent.trim() && !field.ariaLabel).map(field => field.outerHTML)")
        path = self.write("contrast", report())
        for dark in ("dark", "light"):
            self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": dark}])
            for hash in ("", "#sample=s1", "#sample=s4"):
                self.load(hash, path)
                self.page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
                self.assertEqual(self.page.run(unnamed), [])
                self.assertEqual(self.page.run(LOW_CONTRAST), [])

    def test_the_theme_can_be_chosen(self):
        page = "getComputedStyle(document.body).backgroundColor"
        light = self.page.run(page)
        self.assertEqual(self.text("#theme"), "Theme: auto")
        self.page.click("#theme")
        self.assertEqual((self.text("#theme"), self.page.run(page)), ("Theme: light", light))
        self.page.click("#theme")
        dark = self.page.run(page)
        self.assertNotEqual(dark, light)
        self.load()
        self.assertEqual((self.text("#theme"), self.page.run(page)), ("Theme: dark", dark))
        self.page.click("#theme")
        self.assertEqual((self.text("#theme"), self.page.run(page)), ("Theme: auto", light))

    def test_nothing_sticks_out_of_a_phone(self):
        self.page.resize(390, 844)
        path = self.write("phone", report())
        for hash in ("", "#sample=s1", "#sample=s10", "#sample=s5"):
            self.load(hash, path)
            self.page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), 390)
            wide = "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth"
            self.assertEqual(self.page.run(wide), 0)
            # A plot is drawn for the width it has, so that its letters keep their size.
            self.assertTrue(self.page.run(PLOTS_FIT))
        beyond = (
            "[...document.querySelectorAll('.canvas text')].filter(t => { const a = t.getBoundingClientRect(),"
            " b = t.closest('svg').getBoundingClientRect(); return a.left < b.left - 1 || a.right > b.right + 1; }).map(t => t.textContent)")
        self.assertEqual(self.page.run(beyond), [])

    def test_plots_follow_the_window(self):
        self.page.resize(700, 900)
        self.page.wait(PLOTS_FIT)

    def test_paper_has_plots_and_tables_and_no_browser(self):
        self.page.call("Emulation.setEmulatedMedia", media="print")
        shown = "['#samples', '#contents', '#latency', '.targets', '#method'].map(s => document.querySelector(s).checkVisibility())"
        self.assertEqual(self.page.run(shown), [False, False, True, True, True])
        self.page.call("Emulation.setEmulatedMedia", media="")
        pdf = self.page.call("Page.printToPDF", preferCSSPageSize=True)["data"]
        self.assertGreater(len(pdf), 10_000)
        # Drawn again for the screen.
        self.page.wait(PLOTS_FIT)

    # Size.

    def test_ten_thousand_samples_are_there_within_two_seconds(self):
        data = report()
        heads, (head, width, height, scan) = self.pictures["heads"], self.pictures["items"][0]
        # As long as the pictures of such a page are; what follows the end marker does not matter.
        scan += "A" * (560 - len(scan))
        lines = [["THE LEFT HAND", 0.98, 150, 100, 150, 600, 50, 600], ["OF DARKNESS", 0.97, 50, 100, 50, 600, 5, 600],
                 ["Ursula K. Le Guin", 0.99, 100, 1100, 100, 1500, 50, 1500]]
        data["pictures"] = dict(heads=heads, items=[[head, width, height, scan]] * 10_000)
        data["samples"] = [
            dict(i=f"spine-{number:05}", c=("vertical", "mixed")[number % 2], t=f"The Left Hand {number}", a="Ursula K. Le Guin",
                 x="THE LEFT HAND OF DARKNESS Ursula K. Le Guin", o="cw", g=f"photo-{number // 8}", w=200, h=1600, p=number, r=[
                     dict(l=lines, o="cw", t=number % 3 and 1, a=1, e=0.123, m=[30 + number % 97 / 7], s=[0.3, 12.5, 17.1])] * 3)
            for number in range(10_000)]
        path = self.write("many", data)
        size = path.stat().st_size
        self.assertLess(size, 15_000_000)
        # In seconds of the processor, which do not depend on what else the machine does.
        self.page.call("Performance.enable", timeDomain="threadTicks")
        self.page.open("about:blank")
        before = self.busy()
        self.load(path=path)
        self.assertTrue(self.page.run("document.documentElement.dataset.ready"))
        ready = self.busy() - before
        self.page.call("Performance.disable")
        self.assertLess(ready, 2)
        self.assertEqual((len(self.ids()), self.text("#page-number")), (40, "page 1 of 250"))
        took = self.page.run(
            "(() => { const field = document.querySelector('[name=q]'), begin = performance.now(); field.value = 'hand 9999';"
            " field.dispatchEvent(new Event('input', {bubbles: true})); return performance.now() - begin; })()")
        self.assertEqual(self.ids(), ["spine-09999"])
        self.assertLess(took, 1000)
        self.set("[name=q]", "")
        self.set("[name=sort]", "latency")
        self.page.click("#on")
        self.assertEqual(self.hash(), {"sort": "latency", "page": "2"})
        first = self.ids()[0]
        self.page.run("document.querySelector('#list .item').click()")
        self.page.press("ArrowLeft")
        self.page.press("Escape")
        # The list follows the dialog over the end of a page.
        self.page.wait("document.getElementById('page-number').textContent === 'page 1 of 250'")
        self.assertNotIn(first, self.ids())
        print(f"10,000 samples, 3 measurements: {size / 1e6:.1f} MB, ready after {ready * 1e3:.0f} ms of the processor,"
              f" search {took:.0f} ms")


if __name__ == "__main__":
    unittest.main()
