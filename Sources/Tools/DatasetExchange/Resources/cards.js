// A picture with its labels, as a card and large; and the start of the page.

// A picture with its labels drawn over it, in a view box of the full-size picture's pixels.
function drawing(item) {
    const [width, height] = item.size;
    const turn = form.elements.turn.checked && item.kind === "spine" ? item.label.orientation : "upright";
    const matrix = turning(turn, width, height);
    const [across, down] = turn === "cw" || turn === "ccw" ? [height, width] : [width, height];
    const marks = item.spines.flatMap((spine, index) => [
        mark("outline", item.kind === "shelf" ? spine.label.quad : spine.label.outline, named(spine.label)),
        ...(spine.label.lines ?? []).map(lineMark),
        item.kind === "shelf" ? number(spine.label.quad, index + 1, Math.max(width, height) / 45) : null,
    ]);
    return svg("svg", { viewBox: `0 0 ${across} ${down}`, class: across < down ? "tall" : "wide",
        width: across, height: down, role: "img", "aria-label": `picture of ${item.id}` },
        svg("g", { transform: matrix && `matrix(${matrix})` },
            svg("image", { href: pictureOf(item), width, height, preserveAspectRatio: "none" }), marks));
}

// Every mark is drawn twice: dark and broad below, so that it stands out on any colour.
function mark(kind, quad, title, ...more) {
    if (!quad) return null;
    const points = quad.map(corner => corner.join()).join(" ");
    return svg("g", { class: "mark " + kind }, svg("title", null, title),
        svg("polygon", { class: "halo", points }), svg("polygon", { points }), more);
}

function lineMark({ quad, role, text }) {
    const [begin, , , below] = quad ?? [[], , , []];
    return mark("line " + (role ?? "other"), quad, `${role ?? "other"}: ${text}`,
        svg("line", { class: "begin", x1: begin[0], y1: begin[1], x2: below[0], y2: below[1] }));
}

// At the foot of the spine, where it covers the least.
function number(quad, value, size) {
    if (!quad) return null;
    const [x, y] = [0, 1].map(axis => (quad[2][axis] + quad[3][axis]) / 2);
    return svg("text", { class: "mark outline number", x, y: y - size, "font-size": size }, String(value));
}

function picture(item) {
    return item.fault ? html("p", { class: "fault" }, item.fault) : drawing(item);
}

const named = label => label.title ?? "title not labelled";
const titled = label => label.title ?? html("em", null, named(label));

function card(item) {
    const spine = item.spines[0], label = item.label;
    const open = html("button", { type: "button", class: "open", "aria-label": `Open ${item.id}` }, picture(item));
    // Text on a card can be selected without opening it.
    const click = event => (event.target.closest("button") || !String(getSelection())) && show(item);
    if (item.kind === "shelf") {
        const books = label.books.map(book => html("li", null, titled(book)));
        return html("li", { class: "card shelf", click }, open,
            html("div", { class: "facts" }, html("h2", null, `Shelf of ${label.books.length}`),
                html("p", null, html("code", null, item.id)), html("ol", { class: "books" }, books)));
    }
    const tags = [label.category, label.orientation, label.language, label.style, label.split,
        label.legible ? null : "illegible"].filter(Boolean);
    const figures = [["spine width", pixels(spine.width)], ["text height", pixels(spine.textHeight)],
        ...figureRows(label)].filter(([, value]) => value != null);
    return html("li", { class: "card spine", click }, open,
        html("div", { class: "facts" },
            html("h2", null, titled(label)),
            label.author && html("p", null, label.author),
            html("p", null, html("code", null, item.id)),
            html("ul", { class: "tags" }, tags.map(tag =>
                html("li", { class: tag === "illegible" ? "warning" : null }, tag))),
            label.transcription && html("p", { class: "text" }, label.transcription),
            label.group && label.group !== label.id && html("p", { class: "small" }, "group ", label.group),
            html("p", { class: "small" }, figures.map(([name, value]) =>
                html("span", { class: "figure" }, `${name} ${value}`)))));
}

// Large, in the dialog.
// Columns that are empty from top to bottom are left out.
function table(caption, heads, rows) {
    if (!rows.length) return null;
    const used = rows[0].map((_, index) => rows.some(row => row[index])).flatMap((has, index) => has ? index : []);
    const cells = (row, tag) => used.map(index =>
        html(tag, tag === "th" ? { scope: "col" } : null, row[index] ?? ""));
    const body = rows.map(row => html("tr", null, heads ? cells(row, "td")
        : [html("th", { scope: "row" }, row[0]), html("td", null, row[1])]));
    return html("div", { class: "scroll" }, html("table", { class: heads && "wide" },
        html("caption", null, caption), heads && html("thead", null, html("tr", null, cells(heads, "th"))),
        html("tbody", null, body)));
}

const corners = quad => quad && quad.map(corner => corner.map(short).join(" ")).join(", ");

function lineTable(lines, caption) {
    return table(caption, ["role", "text", "height", "font", "size", "corners"], (lines ?? []).map(line =>
        [line.role, line.text, line.quad && pixels(thickness(line.quad)), line.font, pixels(line.size),
            corners(line.quad)]));
}

function labelRows(item, spine) {
    const { label } = spine, fields = ["title", "author", "transcription", "category", "orientation", "language"];
    return [
        ...fields.map(name => [name, label[name]]), ["legible", label.legible ? "yes" : "no"],
        ...["style", "split", "group"].map(name => [name, label[name]]), ["ISBN", label.isbn], ["source", label.source],
        ["licence", label.licence], ["picture", label.image], ["size", item.size && `${item.size.join(" × ")} px`],
        ["spine width", pixels(spine.width)], ["text height", pixels(spine.textHeight)],
        ["outline", corners(label.outline)], ["corners in its photo", corners(label.quad)],
    ].filter(([, value]) => value != null && value !== "");
}

const figureRows = label => Object.entries(label.difficulty ?? {}).map(([name, value]) => [name, short(value)]);

function details(item) {
    if (item.kind === "spine") {
        const spine = item.spines[0];
        return [lineTable(spine.label.lines, "Lines"), table("Labels", null, labelRows(item, spine)),
            table("Difficulty", null, figureRows(spine.label))];
    }
    return [
        table("Books", ["", "title", "author", "id", "category", "orientation", "language", "legible", "corners"],
            item.label.books.map((book, index) => [String(index + 1), book.title, book.author, book.id,
                book.category, book.orientation, book.language, book.legible ? "yes" : "no",
                corners(book.quad)])),
        ...item.label.books.map((book, index) =>
            lineTable(book.lines, `Lines of ${index + 1}, ${named(book)}`)),
    ];
}

function show(item) {
    opened = item;
    byID("large-title").textContent = item.kind === "shelf" ? `Shelf of ${item.label.books.length}`
        : named(item.label);
    byID("large-id").textContent = item.id;
    byID("copied").textContent = "";
    byID("large-picture").replaceChildren(picture(item));
    byID("large-details").replaceChildren(...details(item).filter(Boolean));
    byID("previous").disabled = shown.indexOf(item) <= 0;
    byID("next").disabled = shown.indexOf(item) === shown.length - 1;
    if (!dialog.open) {
        dialog.showModal();
        byID("close").focus();
    }
    dialog.scrollTop = 0;
    writeHash();
}

function step(by) {
    const next = shown[shown.indexOf(opened) + by];
    if (next) show(next);
}

async function copyID() {
    try {
        await navigator.clipboard.writeText(opened.id);
    } catch {
        // Where the page may not write to the clipboard, what is selected may still be copied.
        getSelection().selectAllChildren(byID("large-id"));
        document.execCommand("copy");
    }
    byID("copied").textContent = "copied";
}

// The page that the last picture is on comes back with the focus on it.
function closed() {
    const item = opened;
    opened = null;
    if (!item) return;
    const place = shown.indexOf(item);
    if (place >= 0) page = Math.floor(place / perPage()) + 1;
    update();
    list.children[place - (page - 1) * perPage()]?.querySelector("button").focus();
}

function start() {
    readHash();
    update();
    if (opened) show(opened);
    else if (dialog.open) dialog.close();
}

fillForm();
if (matchMedia("(max-width: 40rem)").matches) byID("panel").open = false;
form.addEventListener("input", () => { page = 1; update(); });
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", event => {
    event.preventDefault();
    history.replaceState(null, "", location.pathname + location.search);
    start();
});
byID("back").addEventListener("click", () => turnPage(-1));
byID("on").addEventListener("click", () => turnPage(1));
byID("previous").addEventListener("click", () => step(-1));
byID("next").addEventListener("click", () => step(1));
byID("copy").addEventListener("click", copyID);
byID("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", closed);
dialog.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        event.preventDefault();
        step(event.key === "ArrowLeft" ? -1 : 1);
    }
});
document.addEventListener("keydown", event => {
    if (event.key !== "/" || dialog.open || event.target.matches("input, select")) return;
    event.preventDefault();
    byID("panel").open = true;
    form.elements.q.focus();
});
addEventListener("hashchange", start);
start();
