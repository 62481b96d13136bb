// Devices, assertions, and plots that are not of measurements.

const textTable = ({ title, note, columns, rows }) => [
    title && html("h3", null, title), note && html("p", null, note), table(columns, rows, { name: title })];

// At most that number of a list, both ends among them.
const thinned = (list, most) => list.length <= most ? list
    : Array.from({ length: most }, (_, place) => list[Math.round(place * (list.length - 1) / (most - 1))]);

// Lines of any figures over one axis. A level far above all lines would flatten them: it is named below.
function linePlot({ title, xLabel, yLabel, series, levels }) {
    const all = series.flatMap(one => one.y);
    if (!all.length) return null;
    const top = Math.max(...all);
    const drawn = levels.filter(level => level.y <= top * 2.5 || top <= 0);
    const far = levels.filter(level => !drawn.includes(level));
    const places = [...new Set(series.flatMap(one => one.x))].sort((a, b) => a - b);
    return plot({
        title, names: series.map(one => one.name), among: series.map((_, index) => index),
        summary: `Lines of ${yLabel} over ${xLabel}.`,
        note: far.map(level => `${level.name}: ${tickText(level.y)}, outside the plot.`).join(" "),
        draw(width, indices) {
            const shown = indices.flatMap(index => series[index].y).concat(drawn.map(level => level.y));
            const low = Math.min(...shown, top), high = Math.max(...shown, low);
            const spread = high > low ? (high - low) * 0.08 : Math.abs(high) * 0.5 || 0.5;
            // From zero, unless what changes is small beside it: then the axis says where it begins.
            const isFlat = low > 0 && high - low < high * 0.3;
            // One place alone stands in the middle.
            const room = places[0] < places.at(-1) ? 0 : 0.5;
            const { drawing, X, Y, box } = axes(width, 260,
                { from: places[0] - room, to: places.at(-1) + room, name: xLabel, text: tickText },
                { from: isFlat ? Math.floor(low - spread) : low >= 0 ? 0 : low - spread, to: high + spread,
                    name: yLabel, text: tickText });
            for (const level of drawn) drawing.append(targetLine(box, Y(level.y), level.name));
            for (const index of indices) {
                const { x, y, isStepped } = series[index];
                if (!x.length) continue;
                const path = x.map((value, place) => {
                    const [across, up] = [X(value).toFixed(1), Y(y[place]).toFixed(1)];
                    return place === 0 ? `M${across} ${up}` : isStepped ? `H${across}V${up}` : `L${across} ${up}`;
                }).join("");
                drawing.append(
                    svg("path", { class: `curve ${colour(index)}`, d: path,
                        "stroke-dasharray": dashes[index % dashes.length] }),
                    mark(index, X(x.at(-1)), Y(y.at(-1))));
            }
            return drawing;
        },
        rows: indices => {
            const values = indices.map(index => new Map(series[index].x
                .map((value, place) => [value, series[index].y[place]])));
            return [[xLabel, ...indices.map(index => series[index].name)],
                thinned(places, 31).map(place => [tickText(place), ...values.map(one =>
                    one.has(place) ? tickText(one.get(place)) : "–")])];
        },
    });
}

// Parts on top of each other, a bar for each name.
function stackPlot({ title, axis, parts, bars }) {
    if (!bars.length) return null;
    const used = parts.map((_, index) => index).filter(index => bars.some(bar => bar.values[index] > 0));
    const sum = (bar, indices) => indices.reduce((total, index) => total + bar.values[index], 0);
    return plot({
        title, names: parts, among: used, summary: `A bar of ${axis} for each device, in parts.`,
        draw(width, indices) {
            const box = { left: 16, right: width - 64, top: 6, bottom: 6 + bars.length * 40 };
            const to = Math.max(...bars.map(bar => sum(bar, indices))) || 1;
            const X = scale({ from: 0, to }, box.left, box.right);
            const found = ticks(0, to, (box.right - box.left) / 58);
            const height = box.bottom + 42;
            const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height },
                found.map(tick => svg("line",
                    { class: "grid", x1: X(tick), x2: X(tick), y1: box.top, y2: box.bottom })),
                found.map(tick => svg("text",
                    { class: "tick", x: X(tick), y: box.bottom + 15, "text-anchor": "middle" },
                    tickText(tick))),
                svg("text", { class: "axis", x: (box.left + box.right) / 2, y: height - 6,
                    "text-anchor": "middle" }, axis));
            bars.forEach((bar, row) => {
                const y = box.top + row * 40;
                drawing.append(svg("text", { class: "row-name", x: box.left, y: y + 14 }, bar.name));
                let begin = 0;
                for (const index of indices) {
                    const end = begin + bar.values[index];
                    drawing.append(svg("rect", { class: `bar part ${colour(index)}`, x: X(begin), y: y + 19,
                        height: 14, width: Math.max(0, X(end) - X(begin)) },
                        svg("title", null, `${parts[index]}: ${tickText(bar.values[index])}`)));
                    begin = end;
                }
                drawing.append(svg("text", { class: "value", x: X(begin) + 6, y: y + 30 },
                    tickText(Math.round(begin * 100) / 100)));
            });
            return drawing;
        },
        rows: indices => [["device", ...indices.map(index => parts[index]), "all"],
            bars.map(bar => [bar.name, ...indices.map(index => tickText(bar.values[index])),
                tickText(Math.round(sum(bar, indices) * 100) / 100)])],
    });
}

function devicesSection() {
    if (!devices) return null;
    const [first, ...others] = devices.tables;
    const panels = devices.groups.map(group =>
        grid(...group.plots.map(linePlot), stackPlot(group.energy)) ?? html("p", null, "No data."));
    const show = name => devices.groups.forEach((group, index) => {
        panels[index].hidden = group.name !== name;
    });
    if (devices.groups.length) show(devices.groups[0].name);
    return section("devices", devices.title,
        html("div", { class: "devices" },
            first && html("p", null, withSigns(first.note)),
            first && matrixTable(first, 2, "devices and requirements"),
            devices.groups.length > 0 && html("h3", null, "Half an hour, with nominal figures"),
            devices.groups.length > 1 && choice("measurement",
                devices.groups.map(group => [group.name, group.name]), name => {
                    show(name);
                    plots.forEach(plot => plot.resize());
                }),
            panels,
            html("details", null, html("summary", null, "How devices are modelled"),
                devices.method.map(text => html("p", null, text))),
            others.map(part => html("details", null, html("summary", null, part.title),
                part.note && html("p", null, part.note),
                table(part.columns, part.rows, { name: part.title })))));
}

function assertionsSection() {
    if (!assertions) return null;
    const [summary, details] = assertions;
    return section("assertions", "Assertions",
        html("p", null, summary.note), table(summary.columns, summary.rows, { name: "assertions" }),
        html("details", null, html("summary", null, "Cases"), html("p", null, details.note),
            table(details.columns, details.rows, { name: "cases of assertions" })));
}
