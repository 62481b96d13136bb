// The page of a history: a card for each figure of each variant.

const { history, method, samples } = JSON.parse(byID("data").textContent);
const { runs, series } = history;

const digits = value => value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 9.995 ? 2 : 1 })
    .replace("-", "−");
const withUnit = (value, unit) => unit ? `${digits(value)} ${unit}` : digits(value);
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const day = run => runs[run].time.slice(0, 10);
const changeText = (one, step) => {
    const size = Math.abs(step.change);
    return (step.change < 0 ? "−" : "+") + (one.isRelative ? `${digits(size * 100)} %`
        : one.unit === "%" ? `${digits(size)} points` : withUnit(size, one.unit));
};
const confidence = step => step.chance < 1e-4 ? "> 99.99 %" : `${((1 - step.chance) * 100).toFixed(2)} %`;
const kind = step => step.isBetter ? "good" : "bad";

// An address of data is a link only if it leads to the web.
const linked = (run, text) => /^https?:\/\//.test(run.revision.link ?? "")
    ? html("a", { href: run.revision.link, rel: "noreferrer" }, text) : text;

function commits(step) {
    const [after, before] = [runs[step.run], runs[step.before]];
    const [now, then] = [after.revision.commit, before.revision.commit];
    if (!now) return linked(after, `the run of ${after.time}`);
    const name = !then ? now.slice(0, 8) : then === now ? `${now.slice(0, 8)}, the commit of the run before it, too`
        : `${then.slice(0, 8)}..${now.slice(0, 8)}`;
    return [linked(after, name), after.revision.subject ? ` (${after.revision.subject})` : ""];
}

function drawing(one) {
    const [width, height] = [352, 150], box = { left: 46, right: 344, top: 16, bottom: 128 };
    const values = one.points.flatMap(point => [point.value, point.lower ?? point.value, point.upper ?? point.value])
        .concat(one.baseline ? [one.baseline.value] : []);
    let [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    const margin = (high - low || Math.abs(high) * 0.1 || 1) * 0.08;
    [low, high] = [low - margin, high + margin];
    const last = one.points.length - 1;
    const X = index => box.left + (box.right - box.left) * (last ? index / last : 0.5);
    const Y = value => box.bottom - (box.bottom - box.top) * (value - low) / (high - low);
    const place = new Map(one.points.map((point, index) => [point.run, index]));
    const at = (index, value) => `${X(index).toFixed(1)} ${Y(value).toFixed(1)}`;
    const ranged = one.points.map((point, index) => [index, point]).filter(([, point]) => point.lower != null && point.upper != null);
    const edges = ranged.map(([index, point]) => at(index, point.upper))
        .concat(ranged.toReversed().map(([index, point]) => at(index, point.lower)));
    const scale = [0.1, 0.5, 0.9].map(share => low + (high - low) * share);
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
        "aria-label": `${one.metric} of ${one.variant} over ${plural(one.points.length, "run")}; the numbers follow as a table` },
        scale.map(value => svg("line", { class: "grid", x1: box.left, x2: box.right, y1: Y(value), y2: Y(value) })),
        scale.map(value => svg("text", { class: "tick", x: box.left - 6, y: Y(value) + 4, "text-anchor": "end" },
            digits(value))),
        svg("text", { class: "tick", x: box.left, y: height - 6 }, day(one.points[0].run)),
        last ? svg("text", { class: "tick", x: box.right, y: height - 6, "text-anchor": "end" }, day(one.points[last].run)) : null,
        one.baseline ? svg("line", { class: "level", x1: box.left, x2: box.right, y1: Y(one.baseline.value),
            y2: Y(one.baseline.value) }) : null,
        edges.length > 2 ? svg("path", { class: "band", d: `M${edges.join("L")}Z` }) : null,
        svg("path", { class: "trace", d: `M${one.points.map((point, index) => at(index, point.value)).join("L")}` }),
        one.points.length <= 60 ? one.points.map((point, index) => svg("circle", { class: "dot", r: 2.5, cx: X(index),
            cy: Y(point.value) }, svg("title", null, `${runs[point.run].time} ${runs[point.run].revision.commit?.slice(0, 8)
                ?? ""}: ${withUnit(point.value, one.unit)}`))) : null,
        one.steps.map(step => {
            const x = X(place.get(step.run) - 0.5), late = x > 280;
            return svg("g", { class: kind(step) },
                svg("line", { class: step.isConfirmed ? "step" : "step new", x1: x, x2: x, y1: box.top, y2: box.bottom }),
                svg("text", { class: "size", x: late ? x - 4 : x + 4, y: 12, "text-anchor": late ? "end" : "start" },
                    changeText(one, step)));
        }));
}

function stepText(one, step) {
    const flips = step.lost ? `; ${plural(step.lost.length, "sample")} lost, ${step.gained.length} gained` : "";
    return html("li", null, html("b", { class: kind(step) }, `${changeText(one, step)}, ${step.isBetter ? "better" : "worse"}`),
        " since ", commits(step), `; confidence ${confidence(step)}${step.isConfirmed ? "" : ", not yet confirmed"}${flips}`,
        step.lost?.length || step.gained?.length ? html("details", null, html("summary", null, "The samples"),
            step.lost.length ? html("p", null, html("b", null, "lost: "), step.lost.join(", ")) : null,
            step.gained.length ? html("p", null, html("b", null, "gained: "), step.gained.join(", ")) : null) : null);
}

function numbers(one) {
    const columns = ["run", "commit", one.unit || "value", "95 % interval"];
    return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${one.metric} of ${one.variant}` },
        html("table", null, html("thead", null, html("tr", null, columns.map(name => html("th", { scope: "col" }, name)))),
            html("tbody", null, one.points.toReversed().map(point => html("tr", null,
                html("th", { scope: "row" }, linked(runs[point.run], runs[point.run].time)),
                html("td", { title: runs[point.run].revision.subject }, runs[point.run].revision.commit?.slice(0, 8) ?? "–"),
                html("td", null, digits(point.value)),
                html("td", null, point.lower == null ? "–" : `${digits(point.lower)}–${digits(point.upper)}`))))));
}

function card(one) {
    const last = one.points.at(-1);
    const details = html("details", { toggle: () => {
        if (details.open && details.children.length === 1) details.append(numbers(one));
    } }, html("summary", null, "The numbers"));
    return html("article", { class: "card" },
        html("div", { class: "head" }, html("h3", null, `${one.metric}: ${one.variant}`),
            html("span", { class: "value" }, withUnit(last.value, one.unit))),
        drawing(one),
        one.baseline ? html("p", { class: "soft" }, `Baseline (dashed): ${withUnit(one.baseline.value, one.unit)}, `
            + `${plural(one.baseline.runs, "run")} and ${plural(Math.max(0, Math.floor(one.baseline.days)), "day")} old`) : null,
        one.steps.length ? html("ul", null, one.steps.toReversed().map(step => stepText(one, step))) : null, details);
}

const groups = Map.groupBy(series, one => `${one.dataset} ${one.digest.replace(/^.*:/, "").slice(0, 8)} on ${one.host}`);
const stepped = series.filter(one => one.steps.length);
const onlySteps = html("input", { type: "checkbox", change: show });
const body = html("div");
function show() {
    body.replaceChildren(...[...groups].map(([title, all]) => {
        // What changed is first.
        const shown = all.filter(one => one.steps.length)
            .concat(onlySteps.checked ? [] : all.filter(one => !one.steps.length));
        return shown.length ? html("section", null, html("h2", null, title), html("p", { class: "soft" },
            plural(new Set(all.flatMap(one => one.points.map(point => point.run))).size, "run")),
            html("div", { class: "cards" }, shown.map(card))) : "";
    }));
}
byID("page").append(
    html("h1", null, `History of ${plural(runs.length, "run")}`),
    html("p", null, stepped.length ? `${plural(stepped.reduce((sum, one) => sum + one.steps.length, 0), "step")} in ${stepped.length} of ${
        plural(series.length, "series").replace("seriess", "series")}.` : "No step was found."),
    html("p", { class: "soft" }, "Bands are the 95 % intervals of a run over samples; runs differ by more than that on a busy host."),
    html("label", { class: "only" }, onlySteps, "Only series with steps"), body,
    samples.samples.length ? explorer(samples) : "",
    html("section", null, html("h2", null, "Method"), html("p", null, method)));
show();
