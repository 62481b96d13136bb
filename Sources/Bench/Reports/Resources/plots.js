// Drawing plots: scales, axes, marks, legends, and each plot's numbers as a table.

// Which measurements are shown, in all plots alike.
const hidden = new Set();
const plots = [];
const everyone = measurements.map((_, index) => index);

const redrawAll = width => plots.forEach(plot => plot.redraw(width));

const notMeasured = index => evidenceOf(index) !== "measured" && evidence(evidenceOf(index));

// Colour, shape and dashes tell measurements apart, so that no one of them has to.
const shapes = [
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", "M-4-4h8v8h-8z", "M0-5L5 4H-5z", "M0-5.5L5.5 0L0 5.5L-5.5 0z",
    "M0 5L5-4H-5z", "M-5-1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z",
];
const dashes = [null, "7 3", "2 3", "10 3 2 3", "4 2", "12 4"];
const colour = index => "c" + index % 8;
const mark = (index, x, y, attributes) => svg("path", {
    d: shapes[index % shapes.length], transform: `translate(${x} ${y})`, class: `mark ${colour(index)}`,
        ...attributes,
});
const sign = index => svg("svg", { viewBox: "-7 -7 14 14", width: 14, height: 14, "aria-hidden": "true" },
    mark(index, 0, 0));

// A figure with a title, keys that show and hide measurements, a drawing as wide as there is room for, a note
// and the numbers as a table. `draw(width, indices)` gives the drawing; `rows(indices)` the table's header and
// rows. A plot that is not of measurements has `names` of its own, which it shows and hides by itself.
function plot({ title, summary, note, controls, among = everyone, names, draw, rows }) {
    const off = names ? new Set() : hidden;
    const canvas = html("div", { class: "canvas" }), keys = html("ul", { class: "keys" }), cells = html("div");
    const figure = html("figure", { class: "plot" },
        html("div", { class: "plot-head" }, html("h3", null, title), controls), keys, canvas,
        note && html("figcaption", null, note),
        html("details", null, html("summary", null, "The numbers"), cells));
    keys.append(...among.map(index => html("li", null, html("button", {
        type: "button", "aria-pressed": "true", "data-key": index, title: "show or hide",
        click: () => {
            if (!off.delete(index)) off.add(index);
            if (names) redraw();
            else redrawAll();
        },
    }, sign(index), names ? names[index] : [measurements[index].id, notMeasured(index)]))));
    keys.hidden = (names ?? measurements).length < 2;
    let drawn = 0;
    function redraw(width = canvas.clientWidth || 640) {
        drawn = width;
        const indices = among.filter(index => !off.has(index));
        for (const key of keys.querySelectorAll("button")) {
            key.setAttribute("aria-pressed", String(!off.has(Number(key.dataset.key))));
        }
        const picture = draw(drawn, indices);
        build(picture, { role: "img",
            "aria-label": `${title}. ${summary ?? ""} The numbers follow as a table.` }, []);
        canvas.replaceChildren(picture);
        cells.replaceChildren(table(...rows(indices), title));
    }
    plots.push({ redraw, resize: () => canvas.clientWidth && canvas.clientWidth !== drawn && redraw() });
    return figure;
}
// A choice of what plots show. Options are pairs of a value and its name.
const choice = (label, options, change) => html("label", { class: "choice" }, label, " ",
    selection({ change: event => { change(event.target.value); redrawAll(); } }, options));

// Round numbers between two ends, both ends' neighbours left out.
function ticks(low, high, most, log) {
    if (log) {
        const found = [];
        for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
            for (const step of [1, 2, 5]) {
                const tick = step * 10 ** power;
                if (tick >= low * 0.999 && tick <= high * 1.001) found.push(tick);
            }
        }
        return found.length <= most ? found : found
            .filter(tick => Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6));
    }
    const rough = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].find(step => step * power >= rough) * power;
    const found = [];
    const last = Math.floor(high / step + 1e-9);
    for (let tick = Math.ceil(low / step - 1e-9); tick <= last; tick++) found.push(tick * step);
    return found;
}

function scale({ from, to, log }, begin, end) {
    const place = log ? Math.log10 : value => value;
    const [low, high] = [place(from), place(to)];
    return value => begin + (end - begin) * (high > low ? (place(value) - low) / (high - low) : 0.5);
}

// Axes with a grid and names. An axis is { from, to, log, name, text }. Gives the drawing and the two scales.
// Heights begin at zero, or the axis says where they begin.
function axes(width, height, x, y) {
    const box = { left: 52, right: width - 14, top: 10, bottom: height - 44 };
    const X = scale(x, box.left, box.right), Y = scale(y, box.bottom, box.top);
    const across = ticks(x.from, x.to, (box.right - box.left) / 62, x.log);
    const up = ticks(y.from, y.to, (box.bottom - box.top) / 42, y.log);
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height },
        across.map(tick => svg("line",
            { class: "grid", x1: X(tick), x2: X(tick), y1: box.top, y2: box.bottom })),
        up.map(tick => svg("line", { class: "grid", x1: box.left, x2: box.right, y1: Y(tick), y2: Y(tick) })),
        across.map(tick => svg("text",
            { class: "tick", x: X(tick), y: box.bottom + 16, "text-anchor": "middle" }, x.text(tick))),
        up.map(tick => svg("text", { class: "tick", x: box.left - 7, y: Y(tick) + 4, "text-anchor": "end" },
            y.text(tick))),
        svg("text", { class: "axis", x: (box.left + box.right) / 2, y: height - 8, "text-anchor": "middle" },
            x.name),
        svg("text", { class: "axis", transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)`,
            "text-anchor": "middle" }, y.from > 0 ? `${y.name}; axis from ${y.text(y.from)}` : y.name));
    return { drawing, X, Y, box };
}
const shorten = (words, most = 160) => words?.length > most ? [...words.slice(0, 2 * most)].slice(0, most).join("") + "…" : words;
const tickText = value => String(Number(value.toPrecision(6))).replace("-", "−");
const shareAxis = value => `${Math.round(value * 1000) / 10}`;

// A line at a target, upright or across, with its name.
function targetLine(box, at, text, upright) {
    const line = upright ? { x1: at, x2: at, y1: box.top, y2: box.bottom }
        : { x1: box.left, x2: box.right, y1: at, y2: at };
    const late = upright && at > (box.left + box.right) / 2;
    const label = upright
        ? { x: late ? at - 5 : at + 5, y: box.top + (box.top < 16 ? 11 : -5),
            "text-anchor": late ? "end" : "start" }
        : { x: box.right - 4, y: at + 15, "text-anchor": "end" };
    return svg("g", { class: "target" }, svg("line", line), svg("text", label, text));
}

// Rows of marks or bars under headings. A group is a name and entries of index, value, low, high, text and
// evidence; an entry without a value shows its text alone.
function rowPlot(width, groups, { from, to, name, axisText, target, targetText, bars }) {
    const room = Math.min(150, width * 0.36), rowHeight = 20, headHeight = 22;
    const box = { left: 22, right: width - room, top: 18 };
    const height = groups.reduce((sum, group) => sum + headHeight + group.entries.length * rowHeight + 4,
        box.top) + 42;
    box.bottom = height - 40;
    const X = scale({ from, to }, box.left, box.right), marks = [];
    let y = box.top;
    for (const group of groups) {
        marks.push(svg("text", { class: "row-name", x: box.left, y: y + 15 }, group.name));
        y += headHeight;
        for (const { index, value, low, high, text, evidence } of group.entries) {
            const middle = y + rowHeight / 2;
            const whisker = low != null || high != null
                ? svg("path", { class: `whisker ${bars ? "" : colour(index)}`,
                    d: `M${X(low ?? from)} ${middle}H${X(high ?? to)}`
                    + (low == null ? "" : `M${X(low)} ${middle - 4}v8`)
                        + (high == null ? "" : `M${X(high)} ${middle - 4}v8`) })
                : null;
            marks.push(
                mark(index, 9, middle),
                value != null && bars
                    ? svg("rect", { class: `bar ${colour(index)} ${evidence ?? ""}`, x: X(Math.min(from, value)),
                    y: middle - 6, height: 12, width: Math.max(1, X(value) - X(from)) }) : null,
                value != null && whisker,
                value != null && !bars ? mark(index, X(value), middle) : null,
                svg("text", { class: value == null ? "absent" : "value", x: width, y: middle + 4,
                    "text-anchor": "end" }, shorten(text, Math.floor((value == null ? width - 30 : room - 8) / 6.4))));
            y += rowHeight;
        }
        y += 4;
    }
    const found = ticks(from, to, (box.right - box.left) / 58);
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height },
        found.map(tick => svg("line",
            { class: "grid", x1: X(tick), x2: X(tick), y1: box.top, y2: box.bottom })),
        found.map(tick => svg("text",
            { class: "tick", x: X(tick), y: box.bottom + 15, "text-anchor": "middle" }, axisText(tick))),
        svg("text", { class: "axis", x: (box.left + box.right) / 2, y: height - 6, "text-anchor": "middle" },
            name),
        target != null && target <= to && target >= from ? targetLine(box, X(target), targetText, true) : null,
        marks);
}
