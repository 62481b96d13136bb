// The plots of memory, start and the time of a long run.

const costOf = (index, name) => measurements[index].costs.find(cost => cost.name === name);
const costNames = unit => [...new Set(measurements.flatMap(measurement =>
    measurement.costs.filter(cost => cost.unit === unit).map(cost => cost.name)))];

function costBars(unit, title, axis, divisor, note) {
    const names = costNames(unit);
    if (!names.length) return null;
    const text = cost => !cost ? "–" : number(cost.value) == null ? cost.value.value.absent
        : units[unit](number(cost.value)) + (cost.evidence === "measured" ? "" : ` ${cost.evidence}`);
    return plot({
        title, note, summary: "Bars by measurement.",
        draw(width, indices) {
            const all = indices.flatMap(index => names.map(name => costOf(index, name)?.value)).filter(Boolean)
                .flatMap(figure => [number(figure) ?? 0, figure.high ?? 0, figure.low ?? 0]);
            const low = Math.min(0, ...all) / divisor, high = Math.max(...all, divisor) / divisor;
            return rowPlot(width, names.map(name => ({
                name,
                entries: indices.map(index => {
                    const cost = costOf(index, name), figure = cost?.value;
                    const scaled = value => value == null ? null : value / divisor;
                    return { index, value: scaled(number(figure)), low: scaled(figure?.low),
                        high: scaled(figure?.high),
                        text: text(cost), kind: cost?.evidence };
                }),
            })), { from: low * 1.05, to: high * 1.05, name: axis, axisText: tickText, bars: true });
        },
        rows: indices => [
            ["measurement", ...names],
            indices.map(index => [measurements[index].id, ...names.map(name => {
                const cost = costOf(index, name);
                return cost ? html("span", null, figureText(cost.value, units[unit]), " ",
                    evidence(cost.evidence)) : "–";
            })]),
        ],
    });
}

// Everything that has one figure, and how the readings ended.
function costTable() {
    const names = [...new Set(measurements.flatMap(measurement => measurement.costs.map(cost => cost.name)))];
    const rows = [
        ["readings", ...measurements.map(measurement => decimals(measurement.readings, 0))],
        ["failures", ...measurements.map(measurement => decimals(measurement.failures, 0))],
        ["timeouts", ...measurements.map(measurement => decimals(measurement.timeouts, 0))],
        ["samples with varying readings", ...measurements.map(measurement =>
            measurement.unstable == null ? "read once" : decimals(measurement.unstable, 0))],
        ...names.map(name => [name, ...everyone.map(index => {
            const cost = costOf(index, name);
            return cost ? html("span", null, figureText(cost.value, units[cost.unit]), " ",
                evidence(cost.evidence)) : "–";
        })]),
    ];
    return table(["", ...measurements.map(measurement => measurement.id)], rows,
        { name: "figures by measurement" });
}

// Latency or memory over time; a window without readings leaves a gap.
function overTime(title, axis, lines, divisor, text) {
    const among = everyone.filter(index => measurements[index].timeline?.windows.some(window =>
        lines.some(([column]) => window[column] != null)));
    if (!among.length) return null;
    return plot({
        title, among, summary: "Lines over the seconds since the start.",
        note: among.map(index => `${measurements[index].id}: ${measurements[index].timeline.sentence}`)
            .join(" "),
        draw(width, indices) {
            const windows = indices.flatMap(index => measurements[index].timeline.windows);
            const values = windows.flatMap(window => lines.map(([column]) => window[column]))
                .filter(value => value != null).map(value => value / divisor);
            const low = Math.min(...values), high = Math.max(...values), spread = high - low || high || 1;
            const until = Math.max(1, ...windows.map(window => window[0]));
            const minutes = until > 180 ? 60 : 1;
            const { drawing, X, Y } = axes(width, 260,
                { from: 0, to: until / minutes, name: minutes > 1 ? "minutes since the start"
                    : "seconds since the start",
                    text: tickText },
                { from: values.length && low > 0 && spread < high * 0.3 ? Math.floor(Math.max(0, low - spread * 0.15)) : 0,
                    to: values.length ? high + spread * 0.15 : 1, name: axis, text: tickText });
            for (const index of indices) {
                for (const [column, label, dash] of lines) {
                    let path = "", pen = "M", last = null;
                    for (const window of measurements[index].timeline.windows) {
                        if (window[column] == null) { pen = "M"; continue; }
                        last = [X(window[0] / minutes), Y(window[column] / divisor)];
                        path += `${pen}${last[0].toFixed(1)} ${last[1].toFixed(1)}`;
                        pen = "L";
                    }
                    drawing.append(svg("path",
                        { class: `curve ${colour(index)}`, d: path, "stroke-dasharray": dash }));
                    if (last && label) {
                        drawing.append(svg("text",
                            { class: "point", x: last[0], y: last[1] - 7, "text-anchor": "end" }, label));
                    }
                }
            }
            return drawing;
        },
        rows: indices => [
            ["measurement", "seconds", ...lines.map(([, label]) => label || title.toLowerCase())],
            indices.flatMap(index => measurements[index].timeline.windows.map(window => [
                measurements[index].id, decimals(window[0], 0),
                ...lines.map(([column]) => window[column] == null ? "no readings" : text(window[column])),
            ])),
        ],
    });
}
