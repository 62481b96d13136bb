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
// The corners of a line, the fourth by the others where it is left out; nothing where its place is not known.
function corners(line) {
    const [ax, ay, bx, by, cx, cy, dx = ax + cx - bx, dy = ay + cy - by] = line.slice(3);
    return ay == null ? null : [[ax, ay], [bx, by], [cx, cy], [dx, dy]];
}

// The picture in its own pixels, turned to be read where asked for, with a reading's lines over it.
function drawing(sample, { turned, reading }) {
    const found = pictureOf(sample.index);
    if (!found) return html("span", { class: "no-picture" }, "no picture");
    const { address, width, height } = found;
    const orientation = turned ? sample.o ?? reading?.o ?? sample.r.find(one => one?.o)?.o : null;
    const matrix = turning(orientation, width, height);
    const [across, down] = orientation === "cw" || orientation === "ccw" ? [height, width] : [width, height];
    const place = (line, kind, title, isLine) => {
        const quad = corners(line), points = quad?.join(" ");
        return quad && svg("g", { class: "quad " + kind }, svg("title", null, title),
            isLine && svg("polygon", { class: "halo", points }), svg("polygon", { points }),
            isLine && svg("line", { x1: quad[0][0], y1: quad[0][1], x2: quad[3][0], y2: quad[3][1] }));
    };
    const marks = [(reading?.l ?? []).map((line, index) => {
        const found = reading.f?.[index];
        return place(line, found ?? "", `${index + 1}: ${line[0]}${found ? ` (${found})` : ""}`, true);
    }), (reading?.k ?? []).map(number => place(sample.k[number], "missed", `missed: ${sample.k[number][0]}`))];
    return svg("svg", { viewBox: `0 0 ${across} ${down}`, width: across, height: down, role: "img",
        class: across < down ? "tall" : "flat", "aria-label": `picture of ${sample.i}` },
        svg("g", { transform: matrix && `matrix(${matrix})` },
            svg("image", { href: address, width, height, preserveAspectRatio: "none" }), marks));
}

const dialog = html("dialog", { id: "sample", "aria-labelledby": "sample-title" });
// How the picture is shown, whose lines lie over it, and which runs of many are compared.
let turned = true, overlay = true, pictured = 0, pair = [];

// Of colours and signs of letters compared.
const differenceKey = () => html("p", { class: "soft key" },
    [["missing", "a", "−"], ["added", "+", "a"], ["other", "a", "b"]].map(([kind, printed, read]) =>
        [html("span", { class: "run " + kind }, html("del", null, printed), html("ins", null, read)), kind]),
    ": printed above, read below");

function fillDialog() {
    const sample = opened, at = shown.indexOf(sample), size = pictures.items[sample.index];
    const fact = (name, value) => value == null || value === "" ? []
        : [html("dt", null, name), html("dd", null, html("bdi", null, value))];
    const button = (id, words, act, attributes) => html("button", { type: "button", id, click: act, ...attributes }, words);
    // A field that changes what the dialog shows, which is made anew.
    const change = set => ({ target }) => {
        set(target);
        fillDialog();
        byID(target.id).focus();
    };
    const chosen = (id, label, value, set) => {
        const made = selection({ id, name: id, "aria-label": label, change: change(field => set(Number(field.value))) },
            data.names.map((_, index) => [index, runName(index)]));
        made.value = value;
        return made;
    };
    const checked = (id, words, checked, set) => html("label", { class: "switch" },
        html("input", { type: "checkbox", id, checked, change: change(field => set(field.checked)) }), words);
    const located = sample.r.some(reading => reading?.l?.some(corners));
    const isPaired = isCompared && sample.r.length > 2;
    dialog.replaceChildren();
    build(dialog, null, [
        html("div", { class: "dialog-head" },
            html("h2", { id: "sample-title" }, html("bdi", null, shorten(sample.t ?? (isCompared ? sample.i : "title not labelled")))),
            html("div", { class: "buttons" },
                button("previous", "‹ Previous", () => step(-1), { disabled: at <= 0, "aria-keyshortcuts": "ArrowLeft" }),
                button("next", "Next ›", () => step(1),
                    { disabled: at < 0 || at >= shown.length - 1, "aria-keyshortcuts": "ArrowRight" }),
                button("close", "Close", () => dialog.close(), { "aria-keyshortcuts": "Escape" }))),
        html("dl", { class: "sample-facts" }, fact("id", sample.i), fact("author", sample.a), fact("category", sample.c),
            isCompared && fact(changes[sample.kind][0], changeText(sample)),
            fact("photo", sample.g), fact("size", size && `${size[0]} × ${size[1]} px`),
            fact("printed", sample.k ? null : sample.x), sample.n ? fact("legible", "no: timed, not scored") : []),
        size && html("div", { class: "picture-bar" },
            located && checked("overlay", sample.k ? "spines that were found by" : "lines that were found by", overlay,
                value => { overlay = value; }),
            located && chosen("pictured", "whose lines are drawn", pictured, value => { pictured = value; }),
            checked("turned", "rotated for reading", turned, value => { turned = value; })),
        hasPlace(sample) && html("div", { class: "picture" },
            drawing(sample, { turned, reading: overlay ? sample.r[pictured] : null })),
        !sample.k && sample.x && differenceKey(),
        isPaired && html("p", { class: "picture-bar" }, "runs", [0, 1].map(place =>
            chosen("run" + place, ["first run", "second run"][place], pair[place], value => { pair[place] = value; }))),
        (isPaired ? [...new Set(pair)] : [...sample.r.keys()]).map(index => readingBlock(sample, sample.r[index], index))]);
}

// Of a photo of shelves: the labelled books that no spine was named.
const missedBooks = (sample, reading) => reading.k?.length && html("p", null, "missed: ",
    reading.k.map((number, at) => [at ? ", " : "", html("bdi", null, sample.k[number][0])]));
const spineTable = reading => table(["spine", "result", "book: text"], reading.l.map(([words], at) =>
    [at + 1, reading.f?.[at] ?? "", html("bdi", null, words)]), "spines");

function lineTable(lines) {
    const isCalibrated = lines.some(line => line[2] != null), share = value => value == null ? "–" : percent(value);
    return table(["line", "text", "confidence", ...isCalibrated ? ["probability"] : []], lines.map(([words, confidence, probability], at) =>
        [at + 1, html("bdi", null, words), share(confidence), ...isCalibrated ? [share(probability)] : []]), "lines");
}

// An address of data is a link only if it leads to the web or beside the page.
const linked = (link, name) => link && !/^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i.test(link)
    ? html("a", { href: link, rel: "noreferrer" }, name) : name;

function readingBlock(sample, reading, index) {
    const run = data.runs?.[index];
    const title = html("h3", null, measurements.length > 1 && sign(index), linked(run?.link, html("bdi", null, runName(index))),
        run?.host && html("span", { class: "soft" }, " on ", html("bdi", null, run.host)), " ", badge(outcome(sample, reading)));
    if (!reading) return html("section", { class: "reading" }, title);
    const latencies = (reading.m ?? []).map(value => value == null ? "none" : units.ms(value)).join(", ");
    const facts = (...pairs) => pairs.filter(([, value]) => value != null && value !== "")
        .map(([name, value]) => html("span", { class: "fact" }, `${name} ${value}`));
    const stages = facts(...(data.stages?.[index] ?? []).map((name, at) => [name, reading.s?.[at] != null ? units.ms(reading.s[at]) : null]));
    return html("section", { class: "reading" }, title,
        reading.p && html("p", { class: "problem" }, reading.p),
        sample.k ? missedBooks(sample, reading) : isCompared && !reading.l ? html("p", { class: "soft" }, "text not stored")
            : difference(sample.x, text(reading)),
        html("p", { class: "soft num" }, facts(
            ["CER", reading.e == null ? null : decimals(reading.e, 3)],
            ["author", ["not read", "read"][reading.a]],
            ["book", sample.k ? null : reading.b],
            ["direction", reading.o],
            [reading.m?.length > 1 ? "latencies" : "latency", latencies && latencies + (tooSlow(reading) ? " (too slow)" : "")],
            ["repetitions", reading.v ? "read different texts" : null])),
        stages.length && html("p", { class: "soft num" }, "by its own clock: ", stages, " ", evidence("reported")),
        !isCompared && reading.l?.length && html("details", null,
            html("summary", null, count(reading.l.length, sample.k ? "spine" : "line")),
            sample.k ? spineTable(reading) : lineTable(reading.l)));
}

function show(sample) {
    opened = sample;
    pair = [sample.from, sample.at];
    const wanted = form.elements.measurement.value;
    if (wanted !== "" && !dialog.open) pictured = Number(wanted);
    fillDialog();
    if (!dialog.open) {
        dialog.showModal();
        byID("close").focus();
    }
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
