// The page put together, and its listeners.

const grid = (...parts) => {
    const there = parts.flat().filter(Boolean);
    return there.length ? html("div", { class: "plots" }, there) : null;
};

// What variants are made of: a row for each setting, and whether they differ in it.
function settings() {
    const models = one => Object.fromEntries(Object.entries(one.variant.models).map(([name, digest]) => ["digest of " + name, digest]));
    const sets = measurements.map(one => new Map(Object.entries({ ...one.description, ...models(one), ...one.variant.settings })));
    const names = [...new Set(sets.flatMap(set => [...set.keys()]))].sort(collator.compare);
    return names.length && [html("h3", null, "Settings"), table(["setting", ...data.names], names.map(name => {
        const values = sets.map(set => set.get(name) ?? "–");
        return [html("span", null, name, new Set(values).size > 1 && html("span", { class: "differs" }, " differs")),
            ...values.map(value => html("code", null, value))];
    }), "settings")];
}

// What stands in a section of the document beside its text, by the heading.
const memory = data.metrics.filter(one => one.family === "memory").map(one => one.id);
const starts = ["model-load", "start", "first-reading", "first-text-p50", "longest-load"];
const additions = {
    Latency: () => grid(distribution(), percentileBars()),
    Scenarios: () => grid(overTime("Latency over time", "latency, ms", [["p50", "P50"], ["p95", "P95"]], 1),
        overTime("Memory over time", "footprint, MB", [["footprintBytes"]], 1e6)),
    Accuracy: () => grid(byCategory(), tradeOff()),
    Confidence: () => grid(reliability("calibration", "Calibration of the confidence", "reported",
        "Title read, against the mean confidence of a reading's lines weighted by length."),
    reliability("lineConfidence", "Calibration of a line's confidence", "reported",
        "Line right in every character, against its reported confidence."),
    reliability("lineProbability", "Calibration of a line's probability", "calibrated",
        "Line right in every character, against its calibrated probability.")),
    Compliance: legend,
    Memory: () => grid(figureBars({ title: "Memory", ids: memory, axis: "MB of 1 000 000 bytes", divisor: 1e6 })),
    "Cold start": () => grid(figureBars({ title: "Start", ids: starts, axis: "milliseconds",
        note: "Time from opening the app to the first result." })),
    "Devices in detail": devicePlots,
    Provenance: settings,
};
for (const one of data.paretos) {
    additions[one.title] = () => grid(paretoPlot({ title: one.title, points: paretoPoints(one.pareto),
        latency: () => `latency ${latencyOf(one.pareto).slice("latency".length)}` }));
}
for (const [heading, plots] of Object.entries(data.plots ?? {})) additions[heading] = () => grid(plots.map(one => linePlot({ ...one.lines, steps: one.steps })));
const [summary, ...parts] = data.sections;
const sections = parts.map(({ heading, blocks }) => section(heading.toLowerCase().replace(/[^a-z0-9]+/g, "-"), heading,
    ...[additions[heading]?.(), blocks.map(block)].filter(Boolean)));
// Before the method, which ends a report.
const last = parts.findIndex(({ heading }) => heading.startsWith("How "));
sections.splice(last < 0 ? sections.length : last, 0, samplesSection());

const warnings = [...data.warnings, ...pictures.problems].map(text => "⚠️ " + text);
function verdict() {
    const [kind, sign] = { pass: ["pass", "✓"], fail: ["fail", "✕"], inconclusive: ["inconclusive", "?"] }[data.verdict] ?? ["none", "–"];
    const beginning = sign => summary.blocks.filter(one => typeof one === "string" && one.startsWith(sign));
    // On the first screen, however many warnings and rows there are.
    const failures = beginning("❌"), next = beginning("Next: "), early = [...failures, ...next];
    return html("header", { id: "verdict" }, failures.map(block), html("h1", null, data.title),
        html("p", { class: "verdict " + kind }, html("span", { "aria-hidden": "true" }, sign), html("strong", null, data.word)),
        next.map(block),
        warnings.length > 20 ? block(warnings) : warnings.map(block),
        summary.blocks.filter(one => !early.includes(one)).map(block));
}

const themes = ["auto", "light", "dark"];
const root = document.documentElement;
const remembered = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
const themeButton = html("button", { type: "button", id: "theme", click: () => {
    const next = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length];
    try { localStorage.setItem("theme", next); } catch { /* a page may not be allowed to keep anything */ }
    setTheme(next);
} });
function setTheme(theme) {
    root.dataset.theme = theme;
    themeButton.textContent = `Theme: ${theme}`;
}
setTheme(themes.includes(remembered) ? remembered : "auto");

byID("page").append(
    html("nav", { id: "contents", "aria-label": "sections" },
        html("ul", null, sections.map(part => html("li", null,
            html("a", { href: "#" + part.id }, part.querySelector("h2").textContent)))), themeButton),
    verdict(), ...sections, dialog);
redrawAll();

let waiting = false;
new ResizeObserver(() => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
        waiting = false;
        plots.forEach(plot => plot.resize());
    });
}).observe(byID("page"));

// Two plots stand side by side on paper: their letters should not shrink with them.
addEventListener("beforeprint", () => redrawAll(400));
addEventListener("afterprint", () => redrawAll());
browse();
// The address is older than what it names.
reveal();
root.dataset.ready = String(Math.round(performance.now()));
