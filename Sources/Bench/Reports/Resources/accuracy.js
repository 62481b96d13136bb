// The plots of accuracy: by category, against latency, against confidence.

const metricNames = new Map(head.metrics);
const aimed = ["titleRead", "readInTime"];
const categories = [...new Set(measurements
    .flatMap(measurement => measurement.accuracy.map(part => part.category)))];
const accuracyOf = (index, category) =>
    measurements[index].accuracy.find(part => part.category === category);

function byCategory() {
    const parts = measurements.flatMap(measurement => measurement.accuracy);
    const there = [...metricNames.keys()].filter(id => parts.some(part => part.values[id]));
    if (!there.length) return null;
    let metric = there[0];
    const isShare = () => parts.some(part => part.values[metric]?.trials != null);
    const point = part => !part?.values[metric] ? null
        : isShare() ? rate(part.values[metric]) : number(part.values[metric]);
    return plot({
        title: "Accuracy by category",
        summary: "A mark with its 95 % interval for every category and measurement.",
        note: "Illegible spines are not scored. Failed readings count as not read. Intervals are at 95 %.",
        controls: choice("Show", there.map(id => [id, metricNames.get(id)]), value => {
            metric = value;
            plots.forEach(plot => plot.redraw());
        }),
        draw(width, indices) {
            const shown = indices.flatMap(index => categories.map(category => accuracyOf(index, category)));
            const all = shown.flatMap(part => point(part) == null ? []
                : [point(part), part.values[metric].low, part.values[metric].high].filter(value => value != null));
            const goal = aimed.includes(metric) ? aim : null;
            const lowest = Math.min(goal ?? 1, ...all);
            const from = isShare() ? Math.max(0, Math.floor(lowest * 10 - 0.2) / 10) : 0;
            const to = isShare() ? 1 : Math.max(0.1, ...all) * 1.05;
            return rowPlot(width, categories.map(category => ({
                name: category === "all" ? "all categories" : category,
                entries: indices.map(index => {
                    const part = accuracyOf(index, category), share = part?.values[metric];
                    return { index, value: point(part), low: share?.low, high: share?.high,
                        text: !share ? "–" : !isShare()
                            ? (number(share) == null ? share.value.absent : decimals(number(share), 3))
                            : rate(share) == null ? "no samples"
                            : `${percent(rate(share))} · ${share.successes}/${share.trials}` };
                }),
            })), { from, to, name: isShare() ? `${metricNames.get(metric)}, % of samples` : metricNames.get(metric),
                axisText: isShare() ? shareAxis : tickText, target: goal,
                targetText: goal && `target ${shareAxis(goal)} %` });
        },
        rows: indices => [
            ["measurement", "category", ...there.map(id => metricNames.get(id))],
            indices.flatMap(index => measurements[index].accuracy.map(part => [
                measurements[index].id, part.category,
                ...there.map(id => part.values[id]).map(value => !value ? "–"
                    : value.trials != null ? shareText(value) : figureText(value, number => decimals(number, 3))),
            ])),
        ],
    });
}

function tradeOff() {
    const known = knownPercentiles();
    const offered = [95, 50, ...known]
        .filter((part, index, all) => known.includes(part) && all.indexOf(part) === index);
    let wanted = offered[0];
    const peak = index => number(measurements[index].costs.find(cost => cost.name === "peak memory footprint")?.value);
    const points = indices => indices.flatMap(index => {
        const latency = measurements[index].percentiles.find(part => part.percent === wanted)?.latency;
        const share = accuracyOf(index, "all")?.values.titleRead;
        return number(latency) == null || rate(share) == null ? [] : [{ index, x: number(latency), y: rate(share),
            low: { x: latency.low, y: share.low }, high: { x: latency.high, y: share.high }, memory: peak(index),
            text: [figureText(latency, units.ms), shareText(share)] }];
    });
    return offered.length && points(everyone).length ? paretoPlot({ points, latency: () => `latency P${wanted}`,
        title: "Accuracy against latency",
        controls: choice("Latency", offered.map(part => [part, `P${part}`]), value => {
            wanted = Number(value);
            plots.forEach(plot => plot.redraw());
        }) }) : null;
}

/** Shares right by stated confidence: `key` names which of a measurement's it is, `axis` says whose. */
function reliability(key, title, axis) {
    const among = everyone.filter(index => measurements[index][key]);
    if (!among.length) return null;
    const said = [...new Set(among.map(index => measurements[index][key].meaning))];
    const error = index => figureText(measurements[index][key].error, value => decimals(value, 3));
    return plot({
        title,
        summary: "Share right against stated confidence.",
        note: `On the diagonal, 80 % of results with 80 % confidence are right; below it, the system is overconfident. `
            + `Expected calibration error: ${among.map(index =>
                `${measurements[index].id} ${error(index)}`).join(", ")}. `
            + said.join(" "),
        among,
        draw(width, indices) {
            const { drawing, X, Y } = axes(width, Math.min(360, Math.max(260, width * 0.65)),
                { from: 0, to: 1, name: `mean confidence (${axis}), %`, text: shareAxis },
                { from: 0, to: 1, name: "right, %", text: shareAxis });
            drawing.append(svg("line", { class: "diagonal", x1: X(0), y1: Y(0), x2: X(1), y2: Y(1) }));
            for (const index of indices) {
                const bins = measurements[index][key].bins.filter(bin => rate(bin.right) != null);
                drawing.append(
                    svg("path", { class: `curve ${colour(index)}`,
                        "stroke-dasharray": dashes[index % dashes.length],
                        d: bins.map((bin, at) =>
                            `${at ? "L" : "M"}${X(bin.confidence)} ${Y(rate(bin.right))}`).join("") }),
                    ...bins.map(bin => svg("g", null,
                        svg("title", null, shareText(bin.right)),
                        bin.right.low == null ? null : svg("path", { class: `whisker ${colour(index)}`,
                            d: `M${X(bin.confidence)} ${Y(bin.right.low)}V${Y(bin.right.high)}` }),
                        mark(index, X(bin.confidence), Y(rate(bin.right))))));
            }
            return drawing;
        },
        rows: indices => [
            ["measurement", "mean confidence", "right", "expected calibration error"],
            indices.flatMap(index => measurements[index][key].bins.map((bin, at) => [
                measurements[index].id, percent(bin.confidence), shareText(bin.right),
                at ? "" : error(index),
            ])),
        ],
    });
}
