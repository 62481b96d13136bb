// The plots of memory, start and the time of a long run.

function costBars(ids, title, axis, divisor, note) {
    const known = ids.filter(id => everyone.some(index => figure(index, id)));
    if (!known.length) return null;
    const nameOf = id => data.metrics.find(one => one.id === id).name;
    return plot({
        title, note, summary: "Bars by measurement.",
        draw(width, indices) {
            const all = indices.flatMap(index => known.map(id => figure(index, id))).filter(Boolean)
                .flatMap(one => [one.value ?? 0, one.high ?? 0, one.low ?? 0]);
            const low = Math.min(0, ...all) / divisor, high = Math.max(...all, divisor) / divisor;
            return rowPlot(width, known.map(id => ({
                name: nameOf(id), entries: indices.map(index => barEntry(index, figure(index, id), divisor)),
            })), { from: low * 1.05, to: high * 1.05, name: axis, axisText: tickText, bars: true });
        },
        rows: indices => [
            ["measurement", ...known.map(nameOf)],
            indices.map(index => [measurements[index].id, ...known.map(id => {
                const one = figure(index, id);
                return one ? html("span", null, figureText(one), " ", evidence(one.evidence)) : "–";
            })]),
        ],
    });
}

// Latency or memory over the minutes of a soak; `lines` are pairs of a window's field and its name.
const overTime = (title, yLabel, lines, divisor) => linePlot({ title, xLabel: "minutes since the start", yLabel,
    series: everyone.filter(index => measurements[index].findings?.soak).flatMap(index => lines.map(([field, name]) => {
        const { windows } = measurements[index].findings.soak;
        return { name: [data.names[index], name].filter(Boolean).join(", "), x: windows.map(window => window.fromSeconds / 60),
            y: windows.map(window => window[field] == null ? null : window[field] / divisor) };
    })) });
