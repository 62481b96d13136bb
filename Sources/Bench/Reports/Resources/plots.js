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

// Round numbers between two ends.
const between = (first, last) => Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
function ticks(low, high, most, log) {
    if (log) {
        const found = between(Math.floor(Math.log10(low)), Math.floor(Math.log10(high))).flatMap(power =>
            [1, 2, 5].map(step => step * 10 ** power)).filter(tick => tick >= low * 0.999 && tick <= high * 1.001);
        return found.length <= most ? found : found.filter(tick => String(tick).replace(/[0.]|e.*/g, "") === "1");
    }
    const rough = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].find(step => step * power >= rough) * power;
    return between(Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)).map(tick => tick * step);
}

function scale({ from, to, log }, begin, end) {
    const place = log ? Math.log10 : value => value;
    const [low, high] = [place(from), place(to)];
    return value => begin + (end - begin) * (high > low ? (place(value) - low) / (high - low) : 0.5);
}

// Axes with a grid, names and targets. An axis is { from, to, log, name, text, targets }, where targets are pairs of a value and its
// name; without `y` there is one alone. Gives the drawing, the two scales and the box between them. Heights begin at zero, or the
// axis says where they begin.
function axes(width, x, y, height = Math.min(340, Math.max(260, width * 0.6)),
    box = { left: 52, right: width - 14, top: 10, bottom: height - 44 }) {
    const { left, right, top, bottom } = box, drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
    const X = scale(x, left, right), Y = y && scale(y, bottom, top);
    const say = (kind, at, words, anchor = "middle") => svg("text", { class: kind, ...at, "text-anchor": anchor }, words);
    const side = (axis, place, most, line, label) => ticks(axis.from, axis.to, most, axis.log).map(tick =>
        [svg("line", { class: "grid", ...line(place(tick)) }), label(place(tick), (axis.text ?? tickText)(tick))])
        .concat((axis.targets ?? []).filter(([value]) => value >= axis.from && value <= axis.to).map(([value, words]) => {
            const at = place(value), isLate = at > (left + right) / 2;
            return svg("g", { class: "target" }, svg("line", line(at)), axis === y ? say("", { x: right - 4, y: at + 15 }, words, "end")
                : say("", { x: at + (isLate ? -5 : 5), y: top + (top < 16 ? 11 : -5) }, words, isLate ? "end" : "start"));
        }));
    return { X, Y, box, drawing: build(drawing, null, [
        side(x, X, (right - left) / 62, at => ({ x1: at, x2: at, y1: top, y2: bottom }),
            (at, words) => say("tick", { x: at, y: bottom + 16 }, words)),
        y && side(y, Y, (bottom - top) / 42, at => ({ x1: left, x2: right, y1: at, y2: at }),
            (at, words) => say("tick", { x: left - 7, y: at + 4 }, words, "end")),
        say("axis", { x: (left + right) / 2, y: height - 8 }, x.name),
        y && say("axis", { transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)` },
            y.from > 0 ? `${y.name}; axis from ${(y.text ?? tickText)(y.from)}` : y.name)]) };
}
const curve = (index, d, name) => svg("path", { class: `curve ${colour(index)}`, d, "stroke-dasharray": dashes[index % dashes.length] },
    name && svg("title", null, name));
const whisker = (index, d) => svg("path", { class: `whisker ${colour(index)}`, d });
const shorten = (words, most = 160) => words?.length > most ? [...words.slice(0, 2 * most)].slice(0, most).join("") + "…" : words;
const tickText = value => String(Number(value.toPrecision(6))).replace("-", "−");
const shareAxis = value => `${Math.round(value * 1000) / 10}`;

// Rows of marks or bars under headings. A group is a name and entries of index, value, low, high, text and
// evidence; an entry without a value shows its text alone.
function rowPlot(width, groups, { bars, ...axis }) {
    const room = Math.min(150, width * 0.36), rowHeight = 20, headHeight = 22, { from, to } = axis;
    const height = groups.reduce((sum, group) => sum + headHeight + group.entries.length * rowHeight + 4, 18) + 42;
    const { drawing, X, box } = axes(width, axis, null, height, { left: 22, right: width - room, top: 18, bottom: height - 40 });
    let y = box.top;
    for (const group of groups) {
        drawing.append(svg("text", { class: "row-name", x: box.left, y: y + 15 }, group.name));
        y += headHeight;
        for (const { index, value, low, high, text, evidence } of group.entries) {
            const middle = y + rowHeight / 2, cap = end => end == null ? "" : `M${X(end)} ${middle - 4}v8`;
            build(drawing, null, [mark(index, 9, middle),
                value != null && [
                    bars && svg("rect", { class: `bar ${colour(index)} ${evidence ?? ""}`, x: X(Math.min(from, value)), y: middle - 6,
                        height: 12, width: Math.max(1, X(value) - X(from)) }),
                    (low != null || high != null) && whisker(index, `M${X(low ?? from)} ${middle}H${X(high ?? to)}${cap(low)}${cap(high)}`),
                    !bars && mark(index, X(value), middle)],
                svg("text", { class: value == null ? "absent" : "value", x: width, y: middle + 4,
                    "text-anchor": "end" }, shorten(text, Math.floor((value == null ? width - 30 : room - 8) / 6.4)))]);
            y += rowHeight;
        }
        y += 4;
    }
    return drawing;
}
