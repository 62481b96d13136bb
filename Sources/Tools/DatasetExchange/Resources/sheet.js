// Reading the data, filtering, sorting, drawing cards.

const form = byID("filters"), list = byID("cards"), dialog = byID("large");
const roles = ["title", "author", "publisher", "series", "sticker", "other"];
const none = "-";

// Measuring, in pixels of the full-size picture. Corners: top left, top right, bottom right, bottom left.
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const thickness = quad => (distance(quad[0], quad[3]) + distance(quad[1], quad[2])) / 2;
const length = quad => (distance(quad[0], quad[1]) + distance(quad[3], quad[2])) / 2;
const short = value => String(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const pixels = value => value == null ? null : `${Math.round(value)} px`;

function spineWidth(quad, size) {
    if (quad) return Math.min(thickness(quad), length(quad));
    return size ? Math.min(...size) : null;
}

// The height of the title's highest line; of any line where no line is labelled as the title.
function textHeight(lines) {
    const placed = (lines ?? []).filter(line => line.quad);
    const titles = placed.filter(line => line.role === "title");
    const heights = (titles.length ? titles : placed).map(line => thickness(line.quad));
    return heights.length ? Math.max(...heights) : null;
}

// The data: an island of JSON for every picture; the pictures stay text until they are shown.
const items = Array.from(document.querySelectorAll("script.item"), (island, index) => {
    const { spine, shelf, size, fault } = JSON.parse(island.textContent);
    const kind = shelf ? "shelf" : "spine";
    const spines = (shelf ? shelf.books : [spine]).map(label => ({
        label,
        kind,
        width: shelf ? spineWidth(label.quad, null) : spineWidth(label.outline, size),
        textHeight: textHeight(label.lines),
        text: fold([label.title, label.author, label.transcription, label.id, shelf?.id].join("\n")),
    }));
    return { index, kind, id: (shelf ?? spine).id, label: shelf ?? spine, size, fault, spines };
});
const spineTotal = items.filter(item => item.kind === "spine").length;
const shelfTotal = items.length - spineTotal;

function pictureOf(item) {
    return "data:image/jpeg;base64," + byID("p" + item.index).textContent;
}

// What can be chosen: each select's name, its label, and the values of a spine.
const facets = [
    ["kind", "Kind", spine => [spine.kind]],
    ...["category", "orientation", "language", "split", "style"].map(name =>
        [name, name[0].toUpperCase() + name.slice(1), spine => [spine.label[name]]]),
    ["role", "Has a line of", spine => {
        const found = new Set((spine.label.lines ?? []).map(line => line.role ?? "other"));
        return found.size ? [...found] : [none];
    }],
    ["legible", "Legible", spine => [spine.label.legible ? "yes" : "no"]],
];
// What is limited: the beginning of two inputs' names, their label, and the figure of a spine.
const limits = [["height", "Text height", spine => spine.textHeight], ["width", "Spine width", spine => spine.width]];
byID("choices").append(
    ...facets.map(([name, label]) => html("label", null, label, html("select", { name }, html("option", { value: "" }, "any")))),
    ...limits.map(([name, label]) => html("fieldset", null, html("legend", null, `${label} in pixels`),
        ["from", "to"].flatMap(end => [end === "to" && html("span", null, "to"), html("input", { type: "number",
            name: name + end[0].toUpperCase() + end.slice(1), min: 0, "aria-label": `${label.toLowerCase()} ${end}` })]))));
const controls = [...form.elements].filter(control => control.name);
// What items are put in order by: a figure of each of an item's spines.
const figure = value => item => item.spines.map(value);
const sorts = new Map([
    ["id", item => [item.id]],
    ["title", figure(spine => spine.label.title)],
    ["spine width", figure(spine => spine.width)],
    ["text height", figure(spine => spine.textHeight)],
]);

function fillForm() {
    for (const [name, , values] of facets) {
        const counts = new Map();
        for (const spine of items.flatMap(item => item.spines)) {
            for (const value of values(spine)) counts.set(value ?? none, (counts.get(value ?? none) ?? 0) + 1);
        }
        const known = [...counts.keys()].sort((a, b) => (a === none) - (b === none) || collator.compare(a, b));
        for (const value of known) {
            const text = `${value === none ? "not labelled" : value} (${counts.get(value)})`;
            form.elements[name].append(html("option", { value }, text));
        }
        // A question with one answer is none.
        form.elements[name].closest("label").hidden = known.length < 2;
    }
    const figures = new Set(items.flatMap(item => item.spines.flatMap(spine =>
        Object.keys(spine.label.difficulty ?? {}))));
    for (const name of [...figures].sort(collator.compare)) {
        sorts.set("difficulty: " + name, figure(spine => spine.label.difficulty?.[name]));
    }
    for (const name of sorts.keys()) form.elements.sort.append(html("option", { value: name }, name));
    const found = new Set(items.flatMap(item => item.spines.flatMap(spine =>
        (spine.label.lines ?? []).filter(line => line.quad).map(line => line.role ?? "other"))));
    const outlined = items.some(item => item.spines.some(spine => spine.label.outline || item.kind === "shelf"));
    for (const name of ["heightFrom", "heightTo", "lines"]) {
        form.elements[name].closest("fieldset, label").hidden = !found.size;
    }
    form.elements.outline.closest("label").hidden = !outlined;
    byID("legend").append(
        ...roles.filter(role => found.has(role)).map(role =>
            html("li", null, html("span", { class: "swatch " + role }), role)),
        ...(outlined ? [html("li", null, html("span", { class: "swatch outline" }), "outline")] : []),
        ...(found.size ? [html("li", null, "the thick edge is the start of a line")] : [])
    );
}

// Filtering and sorting.
let shown = items, page = 1, opened = null;
const perPage = () => Number(form.elements.per.value) || items.length;

function within(value, from, to) {
    if (from === "" && to === "") return true;
    return value != null && (from === "" || value >= Number(from)) && (to === "" || value <= Number(to));
}

function select() {
    const wanted = Object.fromEntries(controls.map(control => [control.name, control.value]));
    const words = fold(wanted.q).split(/\s+/).filter(Boolean);
    const chosen = facets.filter(([name]) => wanted[name] !== "");
    const limited = limits.map(([name, , value]) => [value, wanted[name + "From"], wanted[name + "To"]]);
    const everything = !words.length && !chosen.length && limited.every(([, from, to]) => from === "" && to === "");
    const matches = spine => words.every(word => spine.text.includes(word))
        && chosen.every(([name, , values]) => values(spine).some(value => (value ?? none) === wanted[name]))
        && limited.every(([value, from, to]) => within(value(spine), from, to));
    // A shelf is shown for any of its books; an empty one only where nothing is asked for.
    shown = items.filter(item => everything || item.spines.some(matches));
    const key = sorts.get(wanted.sort), falling = form.elements.falling.checked;
    if (key) {
        const compare = (a, b) => (typeof a === "number" ? a - b : collator.compare(a, b)) * (falling ? -1 : 1);
        // A shelf stands where the first of its books would.
        const keys = new Map(shown.map(item => [item, key(item).filter(value => value != null).sort(compare)[0]]));
        shown.sort((a, b) => {
            const [left, right] = [keys.get(a), keys.get(b)];
            if (left == null || right == null) return (left == null) - (right == null);
            return compare(left, right);
        });
    } else if (falling) {
        shown.reverse();
    }
}

// The state, in the address: what differs from a fresh page.
const fresh = control => control.tagName === "SELECT" ? control.options[0].value : control.defaultValue;

function readHash() {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const control of controls) {
        const value = state.get(control.name);
        if (control.type === "checkbox") {
            control.checked = value === null ? control.defaultChecked : value === "1";
        } else {
            control.value = value ?? fresh(control);
            if (control.selectedIndex === -1) control.selectedIndex = 0;
        }
    }
    page = Math.max(1, Math.floor(Number(state.get("page"))) || 1);
    opened = items.find(item => item.id === state.get("open")) ?? null;
}

function writeHash() {
    const state = new URLSearchParams();
    for (const control of controls) {
        if (control.type === "checkbox") {
            if (control.checked !== control.defaultChecked) state.set(control.name, control.checked ? "1" : "0");
        } else if (control.value !== fresh(control)) {
            state.set(control.name, control.value);
        }
    }
    if (page > 1) state.set("page", page);
    if (opened) state.set("open", opened.id);
    const hash = state.size ? "#" + state : "";
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname + location.search);
}

function update() {
    select();
    const pages = Math.max(1, Math.ceil(shown.length / perPage()));
    page = Math.min(page, pages);
    const first = (page - 1) * perPage();
    list.replaceChildren(...shown.slice(first, first + perPage()).map(card));
    document.body.classList.toggle("no-lines", !form.elements.lines.checked);
    document.body.classList.toggle("no-outline", !form.elements.outline.checked);
    const spines = shown.filter(item => item.kind === "spine").length;
    byID("count").textContent = [
        spineTotal ? `${spines} of ${spineTotal} spines` : null,
        shelfTotal ? `${shown.length - spines} of ${shelfTotal} shelves` : null,
    ].filter(Boolean).join(", ");
    byID("page").textContent = `page ${page} of ${pages}`;
    byID("pages").hidden = pages === 1;
    byID("back").disabled = page === 1;
    byID("on").disabled = page === pages;
    byID("nothing").hidden = shown.length > 0;
    writeHash();
}

function turnPage(step) {
    page += step;
    update();
    list.scrollIntoView();
}
