// Bars of figures by measurement, and lines over the time of a long run.

// Bars of metrics from zero; the axis counts in `divisor` of their unit.
function figureBars({ title, ids, axis, divisor = 1, note, targets = [] }) {
    const known = ids.filter(id => everyone.some(index => figure(index, id)));
    if (!known.length) return null;
    const nameOf = id => data.metrics.find(one => one.id === id)?.name ?? id;
    const scaled = value => value == null ? null : value / divisor;
    const entry = (index, one) => ({ index, value: scaled(one?.value), low: scaled(one?.low), high: scaled(one?.high),
        evidence: one?.evidence, text: number(one) == null ? one?.note ?? "–"
            : units[one.unit](one.value) + (one.evidence === "measured" ? "" : ` ${one.evidence}`) });
    return plot({
        title, note, summary: "Bars by measurement, with bounds where they are known.",
        draw(width, indices) {
            const groups = known.map(id => ({ name: nameOf(id), entries: indices.map(index => entry(index, figure(index, id))) }));
            const all = groups.flatMap(group => group.entries).flatMap(one => [one.value ?? 0, one.high ?? 0, one.low ?? 0]);
            return rowPlot(width, groups, { from: Math.min(0, ...all) * 1.05, name: axis, targets, bars: true,
                to: Math.max(1, ...targets.map(([value]) => value), ...all) * 1.05 });
        },
        rows: indices => [["measurement", ...known.map(nameOf)], indices.map(index => [measurements[index].id, ...known.map(id => {
            const one = figure(index, id);
            return one ? html("span", null, figureText(one), " ", evidence(one.evidence)) : "–";
        })])],
    });
}

// Latency or memory over the minutes of a soak; `lines` are pairs of a window's field and its name.
const overTime = (title, yLabel, lines, divisor) => linePlot({ title, xLabel: "minutes since the start", yLabel,
    series: everyone.filter(index => measurements[index].findings?.soak).flatMap(index => lines.map(([field, name]) => {
        const { windows } = measurements[index].findings.soak;
        return { name: [data.names[index], name].filter(Boolean).join(", "), x: windows.map(window => window.fromSeconds / 60),
            y: windows.map(window => window[field] == null ? null : window[field] / divisor) };
    })) });
