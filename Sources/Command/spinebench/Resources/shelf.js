const report = JSON.parse(byID("data").textContent);
const books = (report.books ?? []).map((book, place) => ({ ...book, place, looked: false }));
const urgency = { unsure: 0, draft: 1, book: 2, removed: 3 };
const words = { book: "book", unsure: "unsure", draft: "unknown book", removed: "no book" };
let chosen = null;

const list = byID("books");
const overlay = svg("svg", { viewBox: `0 0 ${report.width} ${report.height}`, role: "group", "aria-label": "Spines" });
byID("photo").after(overlay);

function label(book) {
    if (!book.title) return book.text || "without text";
    const names = (book.authors ?? []).join(", ");
    return (names ? `${book.title} — ${names}` : book.title) + (book.state === "unsure" ? "?" : "");
}

function order() {
    const inOrder = byID("inOrder").checked;
    return [...books].sort((a, b) => (inOrder ? 0 : urgency[a.state] - urgency[b.state]) || a.place - b.place);
}

function draw() {
    const count = state => books.filter(book => book.state === state).length;
    byID("summary").textContent = books.length === 0 ? "No spine with text was found."
        : `${books.length} spines: ${count("book")} books, ${count("unsure")} unsure, ${count("draft")} with only text`
            + (count("removed") ? `, ${count("removed")} removed` : "") + ".";
    overlay.replaceChildren(...books.map(book => svg("polygon", {
        points: book.outline.map(corner => corner.join(",")).join(" "),
        class: `${book.state}${book === chosen ? " chosen" : ""}`,
        click: () => choose(book, true),
    }, svg("title", {}, `${book.row}.${book.index} ${label(book)}`))));
    list.replaceChildren(...order().map(item));
}

function item(book) {
    const share = book.confidence == null || book.looked ? "" : ` ${Math.round(100 * book.confidence)} %`;
    return html("li", {
        class: book.state, role: "option", id: `book-${book.place}`, "aria-selected": String(book === chosen),
        click: () => choose(book, false),
    }, html("span", { class: "state" }, (book.looked ? "looked at" : words[book.state]) + share),
    html("span", { class: "place" }, `${book.row}.${book.index}`), label(book),
    book.title && book.text ? html("div", { class: "read" }, `read: ${book.text}`) : null);
}

function choose(book, scrolls) {
    chosen = book;
    draw();
    list.setAttribute("aria-activedescendant", `book-${book.place}`);
    if (scrolls) byID(`book-${book.place}`).scrollIntoView({ block: "nearest" });
}

function step(by) {
    const sorted = order();
    if (sorted.length === 0) return;
    const at = chosen ? sorted.indexOf(chosen) + by : 0;
    choose(sorted[Math.min(sorted.length - 1, Math.max(0, at))], true);
}

// What a person says of a book stands, whatever was read.
function settle(book, changes) {
    const sorted = order();
    const next = sorted[sorted.indexOf(book) + 1];
    Object.assign(book, { looked: true }, changes);
    choose(next ?? book, true);
    list.focus();
}

function correct(book) {
    const title = html("input", { name: "title", value: book.title ?? book.text, required: true });
    const authors = html("input", { name: "authors", value: (book.authors ?? []).join(", ") });
    const form = html("form", {
        submit: event => {
            event.preventDefault();
            settle(book, {
                state: "book", title: title.value.trim(),
                authors: authors.value.split(",").map(name => name.trim()).filter(Boolean),
            });
        },
        keydown: event => {
            event.stopPropagation();
            if (event.key === "Escape") { draw(); list.focus(); }
        },
        click: event => event.stopPropagation(),
    }, html("label", {}, "Title"), title, html("label", {}, "Authors"), authors,
    html("span", {}), html("button", {}, "Keep"));
    byID(`book-${book.place}`).append(form);
    title.select();
}

document.addEventListener("keydown", event => {
    if (event.target.closest("form, button, label") || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
        ArrowDown: () => step(1), ArrowUp: () => step(-1), j: () => step(1), k: () => step(-1),
        Enter: () => chosen && correct(chosen),
        o: () => chosen && settle(chosen, { state: chosen.title ? "book" : chosen.state }),
        Delete: () => chosen && settle(chosen, { state: "removed" }),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
});

const kept = () => books.filter(book => book.state !== "removed").sort((a, b) => a.place - b.place);
function save(name, type, text) {
    const link = html("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const stem = report.path.split("/").pop().replace(/\.[^.]*$/, "");

byID("json").addEventListener("click", () => save(`${stem}.json`, "application/json", JSON.stringify(
    { ...report, books: kept().map(({ place, ...book }) => book) }, null, 1)));

// A text that a spreadsheet would take for a formula gets an apostrophe before it.
const field = text => {
    const plain = /^[=+\-@\t\r]/.test(text) && isNaN(text) ? `'${text}` : text;
    return /[",\n\r]|^ | $/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
byID("csv").addEventListener("click", () => save(`${stem}.csv`, "text/csv", [
    ["row", "index", "state", "looked", "title", "authors", "isbn", "text"],
    ...kept().map(book => [book.row, book.index, book.state, book.looked, book.title ?? "",
        (book.authors ?? []).join("; "), book.isbn ?? "", book.text]),
].map(row => row.map(value => field(String(value))).join(",") + "\n").join("")));

byID("inOrder").addEventListener("change", draw);
chosen = order()[0] ?? null;
draw();
