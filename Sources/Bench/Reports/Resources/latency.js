// The latency plots.

const limit = data.latencyTarget ?? null;
const nth = (sorted, share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];

// The latencies of a measurement as rising values. Timeouts count in the total, so that the curve ends below 100 % where
// there are any.
const curves = measurements.map((measurement, index) => {
    const values = Float64Array.from(
        samples.flatMap(sample => sample.r[index]?.m ?? []).filter(value => value != null)).sort();
    return { values, total: values.length + (number(figure(index, "timeouts")) ?? 0) };
});

// The share of readings that took at most so long.
function shareWithin({ values, total }, milliseconds) {
    let low = 0, high = values.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] <= milliseconds) low = middle + 1; else high = middle;
    }
    return total ? low / total : 0;
}
const quantile = ({ values, total }, share) => values[Math.ceil(total * share) - 1];

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
            const seen = indices.length ? indices : among;
            const shortest = Math.min(...seen.map(index => curves[index].values[0]), limit ?? Infinity);
            const longest = Math.max(...seen.map(index => curves[index].values.at(-1)),
                limit ? limit * 1.1 : 0);
            const from = log ? Math.max(shortest, longest / 1e6, 1e-4) / 1.1 : 0, to = longest * 1.05;
            const { drawing, X, Y, box } = axes(width, Math.min(340, Math.max(260, width * 0.6)), {
                from, to, log, name: "latency, ms", text: tickText,
            }, { from: 0, to: 1, name: "share of readings, %", text: shareAxis });
            if (limit) drawing.append(targetLine(box, X(limit), `target ${tickText(limit)} ms`, true));
            const place = log ? Math.log10 : value => value, [low, high] = [from, to].map(place);
            const latencyAt = x => {
                const placed = low + (x - box.left) / (box.right - box.left) * (high - low);
                return log ? 10 ** placed : placed;
            };
            const lines = indices.map(index => {
                const curve = curves[index];
                let path = "", last = 0;
                // A point for every half pixel is all that can be seen.
                for (let x = box.left; x <= box.right; x += 0.5) {
                    const share = shareWithin(curve, latencyAt(x));
                    if (share !== last) {
                        path += (path ? "" : `M${x.toFixed(1)} ${Y(0).toFixed(1)}`)
                            + `H${x.toFixed(1)}V${Y(share).toFixed(1)}`;
                        last = share;
                    }
                }
                return svg("path", { class: `curve ${colour(index)}`, d: path + `H${box.right}`,
                    "stroke-dasharray": dashes[index % dashes.length] },
                        svg("title", null, measurements[index].id));
            });
            const cursor = svg("g", { class: "cursor" });
            drawing.append(...lines, cursor);
            const follow = event => {
                const shown = drawing.getBoundingClientRect();
                const x = (event.clientX - shown.left) * width / shown.width;
                cursor.replaceChildren();
                if (x < box.left || x > box.right) return;
                const at = latencyAt(x);
                const late = x > (box.left + box.right) / 2;
                cursor.append(svg("line", { x1: x, x2: x, y1: box.top, y2: box.bottom }),
                    ...[`within ${units.ms(at)}`, ...indices.map(index =>
                        `${measurements[index].id}: ${percent(shareWithin(curves[index], at))}`)]
                            .map((text, row) =>
                        svg("text", { x: late ? x - 7 : x + 7, y: box.bottom - 8 - 16 * (indices.length - row),
                            "text-anchor": late ? "end" : "start" }, text)));
            };
            drawing.addEventListener("pointermove", follow);
            drawing.addEventListener("pointerleave", () => cursor.replaceChildren());
            return drawing;
        },
        rows: indices => [
            ["measurement", "readings", "timeouts", ...[10, 25, 50, 75, 90, 95, 99].map(part => `P${part}`),
                "longest",
                ...(limit ? [`within ${tickText(limit)} ms`] : [])],
            indices.map(index => [
                measurements[index].id, decimals(curves[index].total, 0),
                    decimals(curves[index].total - curves[index].values.length, 0),
                ...[0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99].map(part => {
                    const value = quantile(curves[index], part);
                    return value == null ? "timed out" : units.ms(value);
                }),
                units.ms(curves[index].values.at(-1)),
                ...(limit ? [percent(shareWithin(curves[index], limit))] : []),
            ]),
        ],
    });
}

const percentileID = part => `latency-p${part}`;
const knownPercentiles = () => [50, 90, 95, 99].filter(part => everyone.some(index => figure(index, percentileID(part))));

const percentileBars = () => figureBars({ title: "Percentiles of latency", ids: knownPercentiles().map(percentileID), axis: "latency, ms",
    note: "Nearest rank. The whiskers are distribution-free 95 % bounds; from few readings, one or both are unknown.", target: limit });
