// The latency plots.

// The latencies of a measurement as rising values. Timeouts count in the total, so that the curve ends below 100 % where
// there are any.
const curves = measurements.map((measurement, index) => {
    const values = Float64Array.from(
        samples.flatMap(sample => sample.r[index]?.m ?? []).filter(value => value != null)).sort();
    return { values, total: values.length + (number(figure(index, "timeouts")) ?? 0) };
});

// The share of readings that took at most so long.
const shareWithin = ({ values, total }, milliseconds) => total ? values.filter(value => value <= milliseconds).length / total : 0;
const latencyTargets = limit ? [[limit, `target ${tickText(limit)} ms`]] : [];

function distribution() {
    let log = true;
    const among = everyone.filter(index => curves[index].values.length);
    if (!among.length) return null;
    return plot({
        title: "Distribution of latency",
        summary: "Empirical distribution of latency, one step curve per measurement.",
        note: "Share of readings within each latency; higher and further left is better. Timeouts count, "
            + "but never finish.",
        controls: choice("Latency axis", [["log", "logarithmic"], ["linear", "linear"]], value => {
            log = value === "log";
        }),
        among,
        draw(width, indices) {
            const seen = (indices.length ? indices : among).map(index => curves[index].values);
            const shortest = Math.min(...seen.map(values => values[0]), limit ?? Infinity);
            const longest = Math.max(...seen.map(values => values.at(-1)), limit ? limit * 1.1 : 0);
            const from = log ? Math.max(shortest, longest / 1e6, 1e-4) / 1.1 : 0, to = longest * 1.05;
            const { drawing, X, Y, box } = axes(width, { from, to, log, name: "latency, ms", targets: latencyTargets },
                { from: 0, to: 1, name: "share of readings, %", text: shareAxis });
            const cursor = svg("g", { class: "cursor" });
            drawing.append(...indices.map(index => {
                const { values, total } = curves[index];
                return curve(index, `M${X(Math.max(from, values[0])).toFixed(1)} ${Y(0).toFixed(1)}` + Array.from(values, (value, at) =>
                    `H${X(Math.max(from, value)).toFixed(1)}V${Y((at + 1) / total).toFixed(1)}`).join("") + `H${box.right}`, measurements[index].id);
            }), cursor);
            drawing.addEventListener("pointermove", event => {
                const shown = drawing.getBoundingClientRect(), x = (event.clientX - shown.left) * width / shown.width;
                cursor.replaceChildren();
                if (x < box.left || x > box.right) return;
                const share = (x - box.left) / (box.right - box.left), isLate = share > 0.5;
                const at = log ? from * (to / from) ** share : from + (to - from) * share;
                cursor.append(svg("line", { x1: x, x2: x, y1: box.top, y2: box.bottom }),
                    ...[`within ${units.ms(at)}`, ...indices.map(index =>
                        `${measurements[index].id}: ${percent(shareWithin(curves[index], at))}`)].map((text, row) =>
                        svg("text", { x: isLate ? x - 7 : x + 7, y: box.bottom - 8 - 16 * (indices.length - row),
                            "text-anchor": isLate ? "end" : "start" }, text)));
            });
            drawing.addEventListener("pointerleave", () => cursor.replaceChildren());
            return drawing;
        },
        rows: indices => {
            const parts = [10, 25, 50, 75, 90, 95, 99];
            return [["measurement", "readings", "timeouts", ...parts.map(part => `P${part}`), "longest",
                ...limit ? [`within ${tickText(limit)} ms`] : []],
            indices.map(index => {
                const { values, total } = curves[index];
                return [measurements[index].id, decimals(total, 0), decimals(total - values.length, 0),
                    ...parts.map(part => nth(values, part / 100, total)).map(value => value == null ? "timed out" : units.ms(value)),
                    units.ms(values.at(-1)), ...limit ? [percent(shareWithin(curves[index], limit))] : []];
            })];
        },
    });
}

const percentileID = part => `latency-p${part}`;
const knownPercentiles = () => [50, 90, 95, 99].filter(part => everyone.some(index => figure(index, percentileID(part))));

const percentileBars = () => figureBars({ title: "Percentiles of latency", ids: knownPercentiles().map(percentileID), axis: "latency, ms",
    note: "Nearest rank. The whiskers are distribution-free 95 % bounds; from few readings, one or both are unknown.", targets: latencyTargets });
