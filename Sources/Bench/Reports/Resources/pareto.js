// Accuracy against latency and memory: which measurement is beaten by none.

const aim = data.titleTarget ?? null;
const titleTargets = aim ? [[aim, `target ${shareAxis(aim)} %`]] : [];

// The metric of a front's latency: P95, or P50 of few readings.
const latencyOf = ({ metrics }) => metrics.find(name => name.startsWith("latency"));

// The points of a comparison's front that have titles read, as `paretoPlot` takes them.
const paretoPoints = pareto => indices => pareto.points.flatMap(point => {
    const value = name => point.values[pareto.metrics.indexOf(name)];
    const [x, y] = [value(latencyOf(pareto)), value("titleRead") ?? value("bookTitleRead")];
    return !y || !indices.includes(point.side) ? [] : [{ index: point.side, x: x.value, y: y.value, low: { x: x.low, y: y.low },
        high: { x: x.high, y: y.high }, memory: value("peakFootprint")?.value, beaten: point.beatenBy.length > 0,
        text: [units.ms(x.value), percent(y.value)] }];
});

// No other is at least as good in all that both have, and better in one.
const beats = (one, other) => [[other.x, one.x], [one.y, other.y],
    [one.memory != null && other.memory, other.memory != null && one.memory]];
const front = points => points.filter(point => !points.some(other => {
    const pairs = beats(other, point);
    return other !== point && pairs.every(([better, worse]) => better >= worse)
        && pairs.some(([better, worse]) => better > worse);
}));

// `points(indices)` gives { index, x, y, low, high, memory, text, beaten }: latency in milliseconds, share read, the ends
// of their intervals, bytes, and both as texts. `beaten` is what a test decided; without it the figures decide.
function paretoPlot({ title, points, latency, controls }) {
    const best = found => found.some(point => point.beaten != null) ? found.filter(point => !point.beaten) : front(found);
    return plot({
        title,
        summary: "One mark per measurement, with both intervals, and the Pareto front.",
        note: "Further left and higher is better; a smaller ring is a smaller memory footprint. Marks on the Pareto front are joined by "
            + "the stepped line: no measurement beats them in accuracy, latency and memory together.",
        controls,
        draw(width, indices) {
            const found = points(indices);
            const highest = Math.max(limit ?? 0, ...found.map(point => point.high.x ?? point.x), 1);
            const lowest = Math.min(aim ?? 1, ...found.map(point => point.low.y ?? point.y));
            const { drawing, X, Y, box } = axes(width,
                { from: 0, to: highest * 1.08, name: `${latency()}, ms`, targets: latencyTargets },
                { from: Math.max(0, Math.floor(lowest * 20 - 0.2) / 20), to: 1, name: "title read, %", text: shareAxis, targets: titleTargets });
            const first = best(found).sort((a, b) => a.x - b.x);
            if (first.length > 1) {
                drawing.append(svg("path", { class: "front", d: first.map(({ x, y }, index) =>
                    index ? `H${X(x)}V${Y(y)}` : `M${X(x)} ${Y(y)}`).join("") }));
            }
            const labels = [], most = Math.max(...found.map(point => point.memory ?? 0));
            for (const point of found) {
                const { index, x, y, low, high, memory } = point;
                const right = X(x) < (box.left + box.right) * 0.6;
                // Below the mark where a name above it would meet another one.
                let level = Y(y) - 8;
                while (labels.some(label => Math.abs(label[0] - X(x)) < 110
                    && Math.abs(label[1] - level) < 14)) level += 26;
                labels.push([X(x), level]);
                drawing.append(svg("g", { "data-front": first.includes(point) ? "yes" : "no" },
                    memory && svg("circle", { class: `ring ${colour(index)}`, cx: X(x), cy: Y(y),
                        r: 22 * Math.sqrt(memory / most) }, svg("title", null, units.bytes(memory))),
                    whisker(index, `M${X(low.x ?? x)} ${Y(y)}H${X(high.x ?? x)}M${X(x)} ${Y(low.y ?? y)}V${Y(high.y ?? y)}`),
                    mark(index, X(x), Y(y)),
                    svg("text", { class: "point", x: X(x) + (right ? 10 : -10), y: level,
                        "text-anchor": right ? "start" : "end" }, measurements[index].id)));
            }
            return drawing;
        },
        rows: indices => {
            const found = points(indices), first = best(found);
            return [
                ["measurement", latency(), "title read", "peak memory footprint", "on the front"],
                found.map(point => [measurements[point.index].id, ...point.text,
                    point.memory == null ? "–" : units.bytes(point.memory), first.includes(point) ? "yes" : "no"]),
            ];
        },
    });
}
