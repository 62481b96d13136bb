// A card for each series, and the samples over the runs.

const { history: { runs, series }, cells, titles, samples } = JSON.parse(byID("data").textContent);
const number = value => value.toFixed(Math.abs(value) < 9.995 ? 2 : 1);
const figure = (value, unit) => [number(value), unit].filter(Boolean).join(" ");
const facts = [[2, "last"], [3, "95 % interval"], [4, "runs"], [8, "baseline"], [9, "age"]];

// An address of data is a link only if it leads to the web.
const linked = (run, label) => /^https?:\/\//.test(runs[run].revision.link ?? "")
    ? html("a", { rel: "noreferrer", href: runs[run].revision.link }, label) : label;

// Values with their intervals, steps upright, and the baseline dashed.
function curve({ metric, unit, variant, points, steps, baseline }) {
    const values = points.flatMap(one => [one.value, one.lower ?? one.value, one.upper ?? one.value])
        .concat(baseline?.value ?? []);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const margin = (most > least ? most - least : Math.abs(most) * 0.1 + 1e-9) * 0.08;
    const [low, high] = [least - margin, most + margin];
    const x = place => 46 + 298 * (points.length > 1 ? place / (points.length - 1) : 0.5);
    const y = value => 128 - 112 * (value - low) / (high - low);
    const at = (place, value) => `${x(place).toFixed(1)} ${y(value).toFixed(1)}`;
    const path = (kind, d) => svg("path", { class: kind, d });
    const tick = (x, y, text, anchor) => svg("text", { class: "tick", x, y, "text-anchor": anchor }, text);
    const ranged = [...points.keys()].filter(place => points[place].lower != null && points[place].upper != null);
    const band = ranged.map(place => at(place, points[place].upper))
        .concat(ranged.slice().reverse().map(place => at(place, points[place].lower)));
    const day = point => runs[point.run].time.slice(0, 10);
    return svg("svg", { viewBox: "0 0 352 150", role: "img", "aria-label": `${metric} of ${variant} over ${points.length} runs` },
        [0.1, 0.5, 0.9].map(share => low + (high - low) * share).map(value =>
            [path("grid", `M46 ${y(value)}H344`), tick(40, y(value), number(value), "end")]),
        baseline && path("level", `M46 ${y(baseline.value)}H344`), band.length && path("band", `M${band.join("L")}Z`),
        path("trace", `M${points.map((one, place) => at(place, one.value)).join("L")}`),
        points.length <= 60 && points.map((one, place) => svg("circle", { class: "dot", r: 2.5, cx: x(place), cy: y(one.value) },
            svg("title", null, `${runs[one.run].time}: ${figure(one.value, unit)}`))),
        steps.map(step => path(`step ${step.isBetter ? "good" : "bad"}${step.isConfirmed ? "" : " new"}`,
            `M${x(points.findIndex(one => one.run === step.run) - 0.5)} 16V128`)),
        tick(46, 144, day(points[0])), tick(344, 144, day(points.at(-1)), "end"));
}

const card = (one, place) => html("article", { class: "card" + (one.steps.length ? " stepped" : "") },
    html("h3", null, `${one.metric}: ${one.variant}`), curve(one),
    html("p", { class: "soft" }, facts.filter(([cell]) => cells[place][cell] !== "–")
        .map(([cell, name]) => `${name} ${cells[place][cell]}`).join(" · ")),
    html("ul", null, one.steps.slice().reverse().map(step => html("li", null,
        html("b", { class: step.isBetter ? "good" : "bad" }, step.size), " since ",
        linked(step.run, step.commits + (runs[step.run].revision.subject ? ` (${runs[step.run].revision.subject})` : "")),
        `; ${step.confidence}`, ["lost", "gained"].map(kind => step[kind]?.length && html("details", null,
            html("summary", null, `${step[kind].length} ${kind}`), step[kind].join(", ")))))),
    html("details", null, html("summary", null, "The numbers"), html("div", { class: "scroll", tabindex: 0 },
        html("table", null, html("tr", null, ["run", "commit", "value", "95 % interval"].map(name => html("th", null, name))),
            one.points.slice().reverse().map(({ run, value, lower, upper }) => html("tr", null,
                html("th", { scope: "row" }, linked(run, runs[run].time)),
                [runs[run].revision.commit?.slice(0, 8) ?? "–", figure(value, one.unit),
                    lower == null || upper == null ? "–" : `${number(lower)}–${number(upper)}`].map(text => html("td", null, text))))))));

// What changed is first.
for (const title of new Set(titles)) {
    const own = [...series.keys()].filter(place => titles[place] === title);
    const ordered = [...own.filter(place => series[place].steps.length), ...own.filter(place => !series[place].steps.length)];
    byID("sections").append(html("section", null, html("h2", null, title),
        html("div", { class: "cards" }, ordered.map(place => card(series[place], place)))));
}
if (samples.samples.length) byID("samples").append(explorer(samples));
