// One sample, large: picture with overlay, letters compared, timings.

// A JPEG's head is kept once for all pictures that share it, with the size left zero.
const heads = pictures.heads.map(head => ({ bytes: atob(head.bytes), at: head.sizeOffset }));
const word = value => String.fromCharCode(value >> 8, value & 255);
function pictureOf(index) {
    if (!pictures.items[index]) return null;
    const [fullWidth, fullHeight, head, width, height, scan] = pictures.items[index], { bytes, at } = heads[head];
    const whole = bytes.slice(0, at) + word(height) + word(width) + bytes.slice(at + 4) + atob(scan);
    return { address: "data:image/jpeg;base64," + btoa(whole), width: fullWidth, height: fullHeight };
}
// The picture of a sample by its place, as the explorer shows it.
const picture = (index, alt) => pictures.items[index] && html("img", { src: pictureOf(index).address, alt });

// The corners of a line: the fourth is left out where it makes a parallelogram.
function corners(line) {
    const [ax, ay, bx, by, cx, cy, dx, dy] = line.slice(2);
    return ay == null ? null : [[ax, ay], [bx, by], [cx, cy], [dx ?? ax + cx - bx, dy ?? ay + cy - by]];
}

// The picture in its own pixels, turned to be read where asked for, with a reading's lines over it.
function drawing(sample, { turned, reading }) {
    const found = pictureOf(sample.index);
    if (!found) return html("span", { class: "no-picture" }, "no picture");
    const { address, width, height } = found;
    const orientation = turned ? sample.o ?? reading?.o ?? sample.r.find(one => one?.o)?.o : null;
    const matrix = turning(orientation, width, height);
    const [across, down] = orientation === "cw" || orientation === "ccw" ? [height, width] : [width, height];
    const marks = (reading?.l ?? []).map((line, index) => {
        const quad = corners(line);
        if (!quad) return null;
        const points = quad.map(corner => corner.join()).join(" ");
        const found = reading.f?.[index];
        return svg("g", { class: "quad " + (found ?? "") }, svg("title", null, `${index + 1}: ${line[0]}${found ? ` (${found})` : ""}`),
            svg("polygon", { class: "halo", points }), svg("polygon", { points }),
            svg("line", { x1: quad[0][0], y1: quad[0][1], x2: quad[3][0], y2: quad[3][1] }));
    });
    for (const number of reading?.k ?? []) {
        const quad = corners(sample.k[number]);
        if (quad) marks.push(svg("g", { class: "quad missed" }, svg("title", null, `missed: ${sample.k[number][0]}`),
            svg("polygon", { points: quad.map(corner => corner.join()).join(" ") })));
    }
    return svg("svg", { viewBox: `0 0 ${across} ${down}`, width: across, height: down, role: "img",
        class: across < down ? "tall" : "flat", "aria-label": `picture of ${sample.i}` },
        svg("g", { transform: matrix && `matrix(${matrix})` },
            svg("image", { href: address, width, height, preserveAspectRatio: "none" }), marks));
}

const dialog = html("dialog", { id: "sample", "aria-labelledby": "sample-title" });
let turned = true, overlay = true, pictured = 0;

function fillDialog() {
    const sample = opened, at = shown.indexOf(sample);
    const readingOf = pictured < sample.r.length ? sample.r[pictured] : null;
    const fact = (name, value) => value == null || value === "" ? []
        : [html("dt", null, name), html("dd", null, html("bdi", null, value))];
    const button = (id, words, act, attributes) => html("button",
        { type: "button", id, click: act, ...attributes }, words);
    const size = pictures.items[sample.index];
    const whose = selection({ id: "pictured", "aria-label": "whose lines are drawn", change: () => {
        pictured = Number(whose.value);
        fillDialog();
        byID("pictured").focus();
    } }, data.names.map((name, index) => [index, name]));
    whose.value = pictured;
    const located = sample.r.some(reading => reading?.l?.some(line => line.length > 2));
    dialog.replaceChildren();
    build(dialog, null, [
        html("div", { class: "dialog-head" },
            html("h2", { id: "sample-title" }, html("bdi", null, shorten(sample.t ?? "title not labelled"))),
            html("div", { class: "buttons" },
                button("previous", "‹ Previous", () => step(-1),
                    { disabled: at <= 0, "aria-keyshortcuts": "ArrowLeft" }),
                button("next", "Next ›", () => step(1),
                    { disabled: at < 0 || at >= shown.length - 1, "aria-keyshortcuts": "ArrowRight" }),
                button("close", "Close", () => dialog.close(),
                    { "aria-keyshortcuts": "Escape", autofocus: true }))),
        html("dl", { class: "sample-facts" }, fact("id", sample.i), fact("author", sample.a),
            fact("category", sample.c),
            fact("photo", sample.g), fact("size", size && `${size[0]} × ${size[1]} px`),
            fact("printed", sample.k ? null : sample.x), sample.n ? fact("legible", "no: timed, not scored") : []),
        html("div", { class: "picture-bar" },
            located && html("label", { class: "switch" },
                html("input", { type: "checkbox", id: "overlay", checked: overlay,
                    change: event => {
                        overlay = event.target.checked;
                        fillDialog();
                        byID("overlay").focus();
                    } }),
                sample.k ? "spines that were found by" : "lines that were found by"),
            located && whose,
            html("label", { class: "switch" }, html("input", { type: "checkbox", id: "turned", checked: turned,
                change: event => { turned = event.target.checked; fillDialog(); byID("turned").focus(); } }),
                "rotated for reading")),
        html("div", { class: "picture" }, drawing(sample, { turned, reading: overlay ? readingOf : null })),
        !sample.k && html("p", { class: "soft key" },
            html("span", { class: "run missing" }, html("del", null, "a"), html("ins", null, "−")),
            "missing ",
            html("span", { class: "run added" }, html("del", null, "+"), html("ins", null, "a")), "added ",
            html("span", { class: "run other" }, html("del", null, "a"), html("ins", null, "b")),
            "other: printed above, read below"),
        sample.r.map((reading, index) => readingBlock(sample, reading, index))]);
}

// Of a photo of shelves: the labelled books that no spine was named.
const missedBooks = (sample, reading) => reading.k?.length
    ? html("p", null, "missed: ", reading.k.map((number, at) => [at ? ", " : "", html("bdi", null, sample.k[number][0])]))
    : null;
const spineTable = reading => table(["spine", "result", "book: text"], reading.l.map((spine, at) =>
    [String(at + 1), reading.f?.[at] ?? "", html("bdi", null, spine[0])]), "spines");

// With a probability a line has both in the place of its confidence.
function lineTable(lines) {
    const known = lines.some(line => Array.isArray(line[1]));
    const share = value => value == null ? "–" : percent(value);
    return table(["line", "text", "confidence", ...(known ? ["probability"] : [])], lines.map((line, at) => {
        const [confidence, probability] = [line[1]].flat();
        return [String(at + 1), html("bdi", null, line[0]), share(confidence), ...(known ? [share(probability)] : [])];
    }), "lines");
}

function readingBlock(sample, reading, index) {
    const [glyph, words, kind] = outcome(sample, reading);
    const title = html("h3", null, measurements.length > 1 && sign(index), data.names[index], " ",
        html("span", { class: "badge " + kind },
        html("span", { "aria-hidden": "true" }, glyph), " ", words));
    if (!reading) return html("section", { class: "reading" }, title);
    const times = (reading.m ?? []).map(value => value == null ? "none" : units.ms(value)).join(", ");
    const stages = data.stages[index].map((name, at) => [name, reading.s?.[at]])
        .filter(([, value]) => value != null);
    const facts = [
        ["CER", reading.e == null ? null : decimals(reading.e, 3)],
        ["author", reading.a == null ? null : reading.a ? "read" : "not read"],
        ["book", sample.k ? null : reading.b],
        ["direction", reading.o],
        [reading.m?.length > 1 ? "latencies" : "latency",
            times && times + (tooSlow(reading) ? " (too slow)" : "")],
        ["repetitions", reading.v ? "read different texts" : null],
    ].filter(([, value]) => value != null && value !== "");
    return html("section", { class: "reading" }, title,
        reading.p && html("p", { class: "problem" }, reading.p),
        sample.k ? missedBooks(sample, reading) : difference(sample.x, text(reading)),
        html("p", { class: "soft num" },
            facts.map(([name, value]) => html("span", { class: "fact" }, `${name} ${value}`))),
        stages.length && html("p", { class: "soft num" }, "by its own clock: ",
            stages.map(([name, value]) => html("span", { class: "fact" }, `${name} ${units.ms(value)}`)),
            " ", evidence("reported")),
        reading.l?.length && html("details", null,
            html("summary", null, count(reading.l.length, sample.k ? "spine" : "line")),
            sample.k ? spineTable(reading) : lineTable(reading.l)));
}

function show(sample) {
    opened = sample;
    const wanted = form.elements.measurement.value;
    if (wanted !== "" && !dialog.open) pictured = Number(wanted);
    fillDialog();
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    writeHash();
}
function step(by) {
    const at = shown.indexOf(opened), next = shown[at + by];
    if (at < 0 || !next) return;
    page = Math.floor((at + by) / perPage) + 1;
    show(next);
    // The button that was pressed was made anew; at an end it takes no focus.
    const [ahead, back] = by < 0 ? ["previous", "next"] : ["next", "previous"];
    (byID(ahead).disabled ? byID(back) : byID(ahead)).focus();
}
