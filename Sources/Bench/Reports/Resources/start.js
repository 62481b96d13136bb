// The page put together, and its listeners.

const grid = (...figures) => {
    const there = figures.filter(Boolean);
    return there.length ? html("div", { class: "plots" }, there) : null;
};
const sections = [
    measurements.some(one => one.percentiles.length)
        ? section("latency", "Latency", grid(distribution(), percentileBars())
            ?? html("p", null, "No latencies were measured.")) : null,
    section("accuracy", "Accuracy", grid(byCategory(), tradeOff(),
        reliability("reliability", "Calibration of the confidence", "reported"),
        reliability("lineReliability", "Calibration of a line's confidence", "reported"),
        reliability("calibratedReliability", "Calibration of a line's probability", "calibrated"))
        ?? html("p", null, "Nothing was scored."), ...(pareto ?? []).flatMap(textTable)),
    complianceSection(),
    tables?.length ? section("tiers", "Tiers, books and traffic", ...tables.flatMap(textTable)) : null,
    slices && section("slices", slices.title, html("details", null,
        html("summary", null, `${slices.rows.length} slices below or above the rate of all samples`),
        html("p", { class: "soft" }, slices.note), table(slices.columns, slices.rows, { name: "slices" }))),
    section("cost", "Memory, start and throughput",
        grid(costBars("bytes", "Memory", "MB of 1 000 000 bytes", 1e6),
            costBars("ms", "Start", "milliseconds", 1, "Time from opening the app to the first result.")),
                costTable()),
    grid(overTime("Latency over time", "latency, ms", [[1, "P50", "6 3"], [2, "P95", null]], 1, units.ms),
        overTime("Memory over time", "footprint, MB", [[3, "", null]], 1e6, units.bytes)),
    devicesSection(), assertionsSection(), checksSection(), samplesSection(), methodSection(),
].filter(Boolean).map(part => part.id ? part : section("time", "Over time", part));

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
plots.forEach(plot => plot.redraw());

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
const paperWidth = 400;
addEventListener("beforeprint", () => plots.forEach(plot => plot.redraw(paperWidth)));
addEventListener("afterprint", () => plots.forEach(plot => plot.redraw()));

function follow() {
    readHash();
    update();
    if (opened) show(opened);
    else if (dialog.open) dialog.close();
}
form.addEventListener("input", () => {
    page = 1;
    update();
});
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", () => setTimeout(() => {
    page = 1;
    update();
}));
dialog.addEventListener("close", () => {
    const last = opened;
    opened = null;
    update();
    if (last) [...list.querySelectorAll(".item")].find(item => item.dataset.id === last.i)?.focus();
});
dialog.addEventListener("click", event => event.target === dialog && dialog.close());
dialog.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select")) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        event.preventDefault();
        step(event.key === "ArrowLeft" ? -1 : 1);
    }
});
list.addEventListener("keydown", event => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const items = [...list.querySelectorAll(".item")];
    const next = items[items.indexOf(event.target.closest(".item")) + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
});
document.addEventListener("keydown", event => {
    if (event.key !== "/" || dialog.open || event.target.matches("input, select")) return;
    event.preventDefault();
    byID("samples").scrollIntoView();
    form.elements.q.focus();
});
addEventListener("hashchange", () => {
    if (location.hash.includes("=") || !location.hash) follow();
});
follow();
// A fragment that names a section is older than the section.
if (location.hash && !location.hash.includes("=")) byID(location.hash.slice(1))?.scrollIntoView();
root.dataset.ready = String(Math.round(performance.now()));
