// What was read and typed reaches the page through text nodes and attributes only, never as markup.
const orientations = { upright: "upright", cw: "top to bottom", ccw: "bottom to top", inverted: "upside down" };
const categories = { vertical: "vertical", stylized: "stylized (hard to read)", horizontal: "horizontal", inverted: "inverted", mixed: "mixed" };
const categoryOf = { upright: "horizontal", cw: "vertical", ccw: "vertical", inverted: "inverted" };
// All photos, the photo's number, its view, the current spine, and what the labeller made of it.
let all, number = 0, photo = null, current = null, draft = null, openedAt = 0;
// A mode of the pointer: nothing, "draw", "split". Answers that can be undone.
let mode = null, isWhole = false, asks = null, undos = [], work = Promise.resolve();

async function call(path, body) {
    const answer = await fetch(path, body === undefined ? {} : {
        method: "POST", headers: { "x-spinebench": "1", "content-type": "application/json" }, body: JSON.stringify(body),
    });
    if (answer.status === 204) return null;
    const value = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
    if (!answer.ok) throw new Error(value.error);
    return value;
}
function notify(text, isBad = false) {
    byID("status").textContent = text;
    byID("status").className = isBad ? "bad" : "";
}
// One thing at a time, in the order of the keys.
function run(action) {
    work = work.then(action).catch(error => notify(
        error instanceof TypeError ? "The answer is not saved: 'spinebench label' does not answer. Start it again." : `Not saved: ${error.message}`, true));
    return work;
}

const isOpen = spine => !spine.label && !spine.isRemoved;
const letters = text => text.replace(/\P{L}/gu, "").length;
const joined = (lines, places) => places.map(place => lines[place]).join(" ");
const outlineOf = spine => (spine.label ?? spine.proposal).outline;
const kindOf = spine => spine.isRemoved ? "removed" : spine.label ? "label" : "";
// The first one after a place that fits, those before it last.
const following = (list, place, fits) => [...list.slice(place + 1), ...list.slice(0, place + 1)].find(fits);
// The box around points, and its middle.
function box(points) {
    const [xs, ys] = [0, 1].map(axis => points.map(point => point[axis]));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    return { left, right, top, bottom, x: (left + right) / 2, y: (top + bottom) / 2 };
}

// The text of the lines, with title and author as they are now; a line of one or two letters is mostly half a sticker.
function composed(spine, draft) {
    const lines = spine.proposal.lines, parts = [];
    // Title and author alone are not the whole text: without proposed lines the person types it.
    if (!lines.length) return "";
    const both = () => {
        const read = fold(joined(lines, draft.titleLines)), first = read.indexOf(fold(draft.title)), second = read.indexOf(fold(draft.author));
        const names = draft.authorLines.length || !draft.author ? [draft.title] : [draft.author, draft.title];
        return first >= 0 && second > first ? names.reverse() : names;
    };
    if (!draft.titleLines.length) parts.push(...both());
    lines.forEach((line, place) => {
        if (draft.titleLines.includes(place)) { if (place === Math.min(...draft.titleLines)) parts.push(...both()); }
        else if (draft.authorLines.includes(place)) { if (place === Math.min(...draft.authorLines)) parts.push(draft.author); }
        else if (letters(line) > 2) parts.push(line);
    });
    return parts.filter(Boolean).join(" ");
}

function begin(spine) {
    const { proposal, label } = spine, { title, author, orientation, category } = label ?? proposal;
    const made = {
        outline: outlineOf(spine).map(corner => [...corner]), title: title ?? "", author: author ?? "", orientation, category,
        titleLines: proposal.titleLines, authorLines: proposal.authorLines, hasText: Boolean(label), isCorrected: false, picked: null,
    };
    return { ...made, text: label ? label.transcription : composed(spine, made) };
}

function change(changes) {
    Object.assign(draft, changes, { isCorrected: true });
    if (!draft.hasText) draft.text = composed(current, draft);
    draw();
}

// MARK: showing

function draw() {
    drawHead();
    drawWork();
    drawShelf();
    byID("spines").replaceChildren(...(photo?.spines ?? []).map((spine, place) => html("li", {}, html("button", {
        type: "button", class: kindOf(spine), "aria-current": spine === current && "true",
        click: () => open(spine),
    }, html("span", {}, `${place + 1}`), html("span", {}, nameOf(spine)),
    html("span", {}, spine.isRemoved ? "not a spine" : !spine.label ? "open" : spine.label.legible ? "labelled" : "not legible")))));
}
const nameOf = spine => spine.label?.title || spine.proposal.title || spine.proposal.lines[0] || "without text";

function drawHead() {
    const options = all.photos.map((one, place) => html("option", { value: place, selected: place === number },
        `${one.error ? "✗ " : one.isComplete ? "✓ " : ""}${one.name} ${one.error ? "(cannot be read)" : one.isRead ? `(${one.labelled} labelled, ${one.open} open)` : "(not read yet)"}`));
    byID("photos").replaceChildren(...options);
    const sum = key => all.photos.reduce((total, one) => total + one[key], 0);
    byID("progress").textContent = `${all.labeller}${all.isBlind ? ", blind" : ""} · labelled spines: ${sum("labelled")}, open: ${sum("open")}`;
    byID("warning").textContent = all.warning.join(" ");
    byID("failed").textContent = all.photos.filter(one => one.error).map(one => one.error).join(" · ");
}

function drawWork() {
    const isShown = Boolean(current);
    for (const id of ["crop", "form", "choices"]) byID(id).hidden = !isShown;
    byID("question").textContent = asks?.text ?? "";
    byID("acts").replaceChildren(...(asks ? asks.acts : isShown ? spineActs : []).map(([text, action]) =>
        html("button", { type: "button", click: () => run(action) }, text)));
    if (!isShown) return;
    for (const key of ["title", "author", "text", "orientation", "category"]) {
        const field = byID(key), value = draft[key], given = key === "text" ? null : current.proposal[key] ?? "";
        if (document.activeElement !== field && field.value !== value) field.value = value;
        field.classList.toggle("changed", given !== null && given !== value);
    }
    const source = cropOf(current, draft);
    if (byID("cropped").getAttribute("src") !== source) byID("cropped").src = source;
    byID("choices").replaceChildren(...choicesOf(current).map(({ text, line }, place) => html("li", { class: line === undefined && "candidate" },
        html("button", { type: "button", class: draft.titleLines.includes(line) ? "title" : draft.authorLines.includes(line) && "author", title: "Take it for the title", click: () => pick(place) },
            place < 9 && html("kbd", {}, `${place + 1}`), ` ${text}`),
        html("button", { type: "button", title: "Take it for the author", "aria-label": `Author: ${text}`, click: () => pick(place, true) }, "author"))));
}
const cropOf = (spine, { outline, orientation }) => `crop?photo=${number}&quad=${outline.flat().map(value => Math.round(value * 10) / 10).join(",")}&turn=${orientation}`;
const choicesOf = spine => [...spine.proposal.lines.map((text, line) => ({ text, line })), ...[...new Set(spine.proposal.candidates)].filter(text => !spine.proposal.lines.includes(text)).map(text => ({ text }))].slice(0, 12);

let overlay = null;
function drawShelf() {
    // The photo alone while it is read.
    if (!photo || photo.error) {
        overlay = null;
        return byID("shelf").replaceChildren(photo || all.photos[number].error ? "" : html("img", { src: `picture?photo=${number}`, alt: "The photo" }));
    }
    if (overlay?.photo !== photo) {
        overlay = svg("svg", { role: "img", "aria-label": "Photo with outlines", pointerdown: press, pointermove: move, pointerup: release, pointercancel: release });
        overlay.photo = photo;
        overlay.append(svg("image", { href: `picture?photo=${number}`, width: photo.width, height: photo.height }), svg("g"));
        byID("shelf").replaceChildren(overlay);
    }
    const shown = isWhole || !current ? [0, 0, photo.width, photo.height] : around(draft.outline);
    overlay.setAttribute("viewBox", shown.join(" "));
    overlay.classList.toggle("drawing", mode !== null);
    const points = outline => outline.map(corner => corner.join(",")).join(" ");
    overlay.lastChild.replaceChildren(...photo.spines.map(spine => svg("polygon", {
        points: points(spine === current ? draft.outline : outlineOf(spine)),
        class: `${kindOf(spine)} ${spine === current ? "current" : ""}`,
        click: event => mode === null && !event.shiftKey && spine !== current && open(spine),
    }, svg("title", {}, nameOf(spine)))),
    drag?.corner !== undefined || !drag ? null : svg("polygon", { class: "new", points: points(diagonal(drag.from, drag.to)) }),
    ...(current && mode === null ? draft.outline : []).map(([x, y], corner) => svg("circle", { cx: x, cy: y, r: shown[3] / 90, "data-corner": corner })));
}
function around(outline) {
    const { left, right, top, bottom } = box(outline), [width, height] = [right - left, bottom - top];
    const [dx, dy] = [Math.max(width, height / 4), Math.max(height, width) / 8];
    return [left - dx, top - dy, width + 2 * dx, height + 2 * dy];
}

// MARK: moving

function open(spine) {
    [current, draft, mode, asks, isWhole] = [spine, begin(spine), null, null, false];
    openedAt = performance.now();
    if (document.activeElement?.closest("form")) document.activeElement.blur();
    draw();
    // Scrolls the list only: on a phone the fields are above it.
    const list = byID("list"), entry = list.querySelector("[aria-current]");
    if (entry) list.scrollTop = Math.min(entry.offsetTop - list.offsetTop, Math.max(list.scrollTop, entry.offsetTop - list.offsetTop + entry.offsetHeight - list.clientHeight));
    const next = photo.spines[photo.spines.indexOf(spine) + 1];
    if (next && isOpen(next)) new Image().src = cropOf(next, begin(next));
}
function step(by) {
    const place = photo.spines.indexOf(current) + by;
    if (photo.spines[place]) open(photo.spines[place]);
}
// To the next spine without an answer; from one that had an answer already, to its neighbour in a complete photo.
function advance(isRevised) {
    const place = photo.spines.indexOf(current), next = following(photo.spines, place, isOpen);
    if (next) return open(next);
    if (isRevised && photo.isComplete) {
        if (photo.spines[place + 1]) return open(photo.spines[place + 1]);
        const other = all.photos.findIndex((one, at) => at > number && !one.error);
        if (other > 0) return show(other);
    }
    if (photo.isComplete) return nextPhoto();
    if (photo.isOneSpine) return complete();
    [current, draft, isWhole] = [null, null, true];
    ask(photo.spines.length ? "Every outline of this photo has its answer. Is a spine missing?" : "The reader found no spine on this photo. Is there one?",
        [["No, complete (Enter)", complete], ["Draw a spine (n)", startDrawing], ["One spine (f)", takeWhole], ["Undo (u)", undo]]);
}
function ask(text, acts) {
    asks = { text, acts };
    draw();
}
async function complete() {
    all = await call("api/answer", { photo: number, act: "complete" });
    photo.isComplete = true;
    // A photo of one spine is complete with its answer.
    if (photo.isOneSpine && undos.length) undos.at(-1).acts.unshift({ act: "incomplete" });
    else undos.push({ photo: number, acts: [{ act: "incomplete" }] });
    await nextPhoto();
}
async function nextPhoto() {
    const next = following(all.photos, number, one => !one.error && !one.isComplete);
    if (next) return show(all.photos.indexOf(next));
    [current, draft] = [null, null];
    ask("All photos are labelled.", [["Write the dataset (Enter)", write], ["Undo (u)", undo]]);
}
async function show(place) {
    [number, photo, current, draft, asks] = [place, null, null, null, null];
    draw();
    while (number === place && !photo) {
        const view = await call(`api/photo?photo=${place}`);
        if (number !== place) return;
        if (view && !view.waiting) photo = view;
        else {
            notify(view?.waiting ?? `Reading ${all.photos[place].name} …`, Boolean(view));
            await new Promise(resume => setTimeout(resume, 300));
        }
    }
    all = await call("api/overview");
    if (photo.error) {
        notify(`This photo cannot be labelled. ${photo.error}`, true);
        return ask("", [["Next photo (Enter)", nextPhoto]]);
    }
    notify("");
    const first = photo.spines.find(isOpen);
    if (first) open(first);
    else if (!photo.isComplete) await advance();
    else if (photo.spines[0]) open(photo.spines[0]);
    else draw();
}

// MARK: answers

// The answer that leads back to a spine as it is.
function before({ id, label, isRemoved }) {
    if (!label) return { act: isRemoved ? "remove" : "reopen", spine: id };
    const { origin, ...given } = label;
    return { act: "label", spine: id, label: given, isCorrected: origin?.kind !== "confirmed" };
}
async function answer(changes, more) {
    const spine = current, undo = before(spine), isRevised = !isOpen(spine);
    all = await call("api/answer", { photo: number, spine: spine.id, ...changes });
    Object.assign(spine, more);
    undos.push({ photo: number, acts: [undo], spine: spine.id });
    notify("");
    await advance(isRevised);
}
async function confirm(legible = true, isStylized = false) {
    if (!current) return;
    if (isStylized && draft.category !== "stylized") change({ category: "stylized" });
    const { outline, orientation, category } = draft, [title, author, transcription] = legible ? [draft.title, draft.author, draft.text] : [null, null, ""];
    const label = { outline, title, author, transcription, orientation, category, legible };
    const isCorrected = draft.isCorrected || !legible;
    await answer({ act: "label", label, isCorrected, seconds: Math.round(performance.now() - openedAt) / 1000 },
        { label: { ...label, origin: { kind: isCorrected ? "corrected" : "confirmed" } }, isRemoved: false });
}
const remove = () => current && answer({ act: "remove" }, { label: null, isRemoved: true });
async function undo() {
    const last = undos.pop();
    if (!last) return notify("There is nothing to undo.");
    for (const act of last.acts) all = await call("api/answer", { photo: last.photo, ...act });
    [number, photo] = [last.photo, await call(`api/photo?photo=${last.photo}`)];
    const spine = photo.spines.find(one => one.id === last.spine) ?? photo.spines.find(isOpen) ?? photo.spines.at(-1);
    notify("The last answer is undone.");
    if (spine) open(spine); else await advance();
}
async function write() {
    notify("Writing …");
    notify((await call("api/write", {})).text);
}

function pick(place, isAuthor = false) {
    if (!current) return;
    if (place < 0) return change({ [isAuthor ? "author" : "title"]: "", [isAuthor ? "authorLines" : "titleLines"]: [] });
    const choices = choicesOf(current), choice = choices[place];
    if (!choice) return;
    const { lines } = current.proposal, [text, own, others] = isAuthor ? ["author", "authorLines", "titleLines"] : ["title", "titleLines", "authorLines"];
    if (choice.line === undefined) return change({ [text]: choice.text, picked: null });
    // A second number makes a range of the first one to it.
    const first = draft.picked?.own === own && draft.picked.place < place ? draft.picked.place : place;
    const places = Array.from({ length: place - first + 1 }, (_, offset) => first + offset);
    const changes = { [text]: joined(lines, places), [own]: places, picked: first === place ? { own, place } : null };
    // The other name was in this place, and untouched: the two change places, or it is gone.
    const other = isAuthor ? "title" : "author";
    if (draft[others].some(line => places.includes(line)) && draft[other] === joined(lines, draft[others])) {
        const rest = draft[own].filter(line => !places.includes(line));
        Object.assign(changes, { [others]: rest, [other]: joined(lines, rest) });
    }
    change(changes);
}
// A line of author and title: its first or last word belongs to the author.
function moveWord(isLast) {
    const words = draft.title.split(" "), word = isLast ? words.pop() : words.shift();
    if (!words.length) return;
    const isFresh = draft.moved !== true, author = isFresh ? word : isLast ? `${word} ${draft.author}` : `${draft.author} ${word}`;
    change({ title: words.join(" "), author, authorLines: [], moved: true });
}
function turn(key, names) {
    const keys = Object.keys(names), value = keys[(keys.indexOf(draft[key]) + 1) % keys.length];
    const follows = key === "orientation" && draft.category === categoryOf[draft.orientation];
    change({ [key]: value, ...(follows ? { category: categoryOf[value] } : {}) });
}

// MARK: outlines

let drag = null;
function diagonal(from, to) {
    const { left, right, top, bottom } = box([from, to]);
    return [[left, top], [right, top], [right, bottom], [left, bottom]];
}
function place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(overlay.getScreenCTM().inverse());
    const within = (value, most) => Math.round(10 * Math.min(Math.max(value, 0), most)) / 10;
    return [within(point.x, photo.width), within(point.y, photo.height)];
}
function press(event) {
    const corner = event.target.dataset?.corner;
    if (mode === "split" || event.shiftKey && current) {
        const point = place(event);
        return run(() => split(point));
    }
    // A mouse draws without being asked; a finger scrolls.
    if (mode !== "draw" && corner === undefined && event.pointerType !== "mouse") return;
    drag = corner === undefined ? { from: place(event), to: place(event) } : { corner: Number(corner) };
    if (mode === "draw" || corner !== undefined) {
        overlay.setPointerCapture(event.pointerId);
        event.preventDefault();
    }
}
const isReal = (from, to) => Math.abs(from[0] - to[0]) >= 4 && Math.abs(from[1] - to[1]) >= 4;
function move(event) {
    if (!drag) return;
    if (drag.corner === undefined) {
        drag.to = place(event);
        drag.isReal ||= isReal(drag.from, drag.to);
        if (!drag.isReal) return;
    } else draft.outline[drag.corner] = place(event);
    drawShelf();
}
function release(event) {
    if (!drag) return;
    const { from, corner } = drag, to = place(event);
    // A click is for the outline under it.
    if (corner === undefined && !isReal(from, to)) return void (drag = null);
    drag = null;
    if (event.type === "pointercancel") return draw();
    if (corner !== undefined) return change({});
    const drawn = diagonal(from, to);
    run(() => add([drawn], current && isOpen(current) && overlap(box(drawn), box(draft.outline)) > .3 ? [current] : []));
}
function startDrawing() {
    if (!photo || photo.error) return;
    mode = "draw";
    notify("Drag from one corner of the spine to the opposite one. Escape ends drawing.");
    draw();
}
function startSplit() {
    if (!current) return;
    mode = "split";
    notify("Click the line between the two spines. Escape ends splitting.");
    draw();
}
// Cuts the current outline along its long sides, at a point's share of its short ones.
function split(point) {
    const length = (p, q) => Math.hypot(q[0] - p[0], q[1] - p[1]), turned = (corners, by) => [...corners.slice(by), ...corners.slice(0, by)];
    const between = (p, q, share) => p.map((value, axis) => Math.round(10 * (value + (q[axis] - value) * share)) / 10);
    const isTall = length(draft.outline[0], draft.outline[3]) > length(draft.outline[0], draft.outline[1]);
    const [a, b, c, d] = turned(draft.outline, isTall ? 0 : 1), from = between(a, d, .5), to = between(b, c, .5);
    const share = ((point[0] - from[0]) * (to[0] - from[0]) + (point[1] - from[1]) * (to[1] - from[1])) / length(from, to) ** 2;
    if (!(share > .02 && share < .98)) return notify("Click inside the current outline.", true);
    const [top, bottom] = [between(a, b, share), between(d, c, share)];
    return add([[a, top, bottom, d], [top, b, c, bottom]].map(half => turned(half, isTall ? 0 : 3)), [current]);
}
// What two boxes share, of what either covers.
function overlap(a, b) {
    const area = ({ left, right, top, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);
    const shared = area({
        left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
    });
    return shared / (area(a) + area(b) - shared);
}
// The whole photo is one spine: its outline takes the place of all others.
function takeWhole() {
    if (!photo || photo.error) return;
    return add([diagonal([0, 0], [photo.width, photo.height])], photo.spines.filter(spine => !spine.isRemoved));
}
// Adds outlines, in the place of spines or after the one on their left.
async function add(outlines, replaced) {
    const { x, y } = box(outlines[0]), spines = photo.spines.map(spine => ({ ...spine, ...box(outlineOf(spine)) }));
    const left = spines.filter(one => !one.isRemoved && one.x < x && one.top < y && one.bottom > y).sort((a, b) => b.x - a.x)[0];
    const after = (replaced[0] ?? left ?? spines.findLast(one => one.y < y))?.id;
    mode = null;
    notify("Reading the outline …");
    const added = await call("api/answer", { photo: number, act: "outline", outlines, after });
    for (const { id } of replaced) await call("api/answer", { photo: number, act: "remove", spine: id });
    undos.push({ photo: number, spine: replaced[0]?.id, acts: [...added.map(({ id }) => ({ act: "remove", spine: id })), ...replaced.map(before)] });
    [photo, all] = [await call(`api/photo?photo=${number}`), await call("api/overview")];
    notify("");
    open(photo.spines.find(spine => spine.id === added[0].id));
}

// MARK: keys and fields

const spineActs = [["Confirm (Enter)", () => confirm()], ["Not legible (x)", () => confirm(false)], ["Not a spine (d)", remove], ["New outline (n)", startDrawing],
    ["Split (s)", startSplit], ["One spine (f)", takeWhole], ["Undo (u)", undo], ["←", () => step(-1)], ["→", () => step(1)], ["Whole photo (z)", () => zoom()]];
function zoom() {
    isWhole = !isWhole;
    drawShelf();
}
const type = id => {
    byID(id).focus();
    byID(id).select();
};
const keys = {
    Enter: isShift => current ? confirm(true, isShift) : asks?.acts[0][1](), ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
    e: () => type("title"), a: () => type("author"), t: () => type("text"), o: () => turn("orientation", orientations), c: () => turn("category", categories),
    w: isShift => moveWord(isShift), x: () => confirm(false), d: remove, Delete: remove, n: startDrawing, s: startSplit, f: takeWhole, u: undo, z: zoom,
    Escape: () => {
        mode = drag = null;
        notify("");
        draw();
    },
};
const needSpine = new Set(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "e", "a", "t", "o", "c", "w", "x", "d", "Delete", "s"]);
document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input")) {
        if (event.key !== "Escape" && event.key !== "Enter") return;
        event.preventDefault();
        event.target.blur();
        if (event.key === "Enter") run(() => confirm(true, event.shiftKey));
        return;
    }
    if (event.target.closest("select, button") && ["Enter", " ", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1] ?? (/^[0-9]$/.test(event.key) ? event.key : null);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!digit && !keys[key]) return;
    event.preventDefault();
    run(() => digit ? pick(Number(digit) - 1, event.shiftKey) : !needSpine.has(key) || current ? keys[key](event.shiftKey) : null);
});
for (const key of ["title", "author", "text"]) byID(key).addEventListener("input", event => {
    if (key === "text") draft.hasText = true;
    change({ [key]: event.target.value });
});
for (const [key, names] of [["orientation", orientations], ["category", categories]]) {
    byID(key).append(...Object.entries(names).map(([value, text]) => html("option", { value }, text)));
    byID(key).addEventListener("change", event => {
        change({ [key]: event.target.value });
        event.target.blur();
    });
}
byID("form").addEventListener("submit", event => event.preventDefault());
byID("photos").addEventListener("change", event => {
    event.target.blur();
    // Not behind a photo that is still being read.
    show(Number(event.target.value)).catch(error => notify(error.message, true));
});
byID("write").addEventListener("click", () => run(write));

run(async () => {
    all = await call("api/overview");
    const first = all.photos.findIndex(one => !one.error && !one.isComplete);
    await show(Math.max(0, first));
});
