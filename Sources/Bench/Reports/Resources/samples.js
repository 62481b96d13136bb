// The browser of samples: filters, order, pages, the address.

const byId = new Map(samples.map(sample => [sample.i, sample]));
const perPage = 40, mostResults = 4;
let shown = samples, page = 1, opened = null;

const text = reading => (reading?.l ?? []).map(line => line[0]).join(" ");
const times = reading => (reading?.m ?? []).filter(value => value != null).sort((a, b) => a - b);
const slowest = reading => times(reading).at(-1);
const typical = reading => nth(times(reading), 0.5);
const failed = reading => reading.u != null;
const tooSlow = reading => limit != null && (slowest(reading) > limit || reading.u === "timedOut");

// What became of a reading: a sign, words and a class for it.
const failures = { failed: "failed", timedOut: "timed out", workerDied: "worker died", notAttempted: "not attempted" };
function outcome(sample, reading) {
    if (!reading) return ["–", isCompared ? "not in the run" : "not asked", "none"];
    if (failed(reading)) return ["!", failures[reading.u], "fail"];
    if (reading.t == null) return ["–", reading.b ?? (sample.n ? "illegible, not scored" : "not scored"), "none"];
    return reading.t ? ["✓", sample.k ? reading.b : "read right", "pass"] : ["✕", sample.k ? reading.b : "wrong", "fail"];
}
const badge = ([glyph, words, kind], isShort) => html("span", { class: "badge " + kind, title: isShort && words },
    html("span", { "aria-hidden": "true" }, glyph), isShort ? html("span", { class: "hidden" }, words) : " " + words);

// Whether a reading fits an outcome.
const outcomes = {
    right: ["read right", reading => reading.t === 1 && !failed(reading)],
    wrong: ["wrong", reading => reading.t === 0 && !failed(reading)],
    failed: ["failed", failed],
    ...limit && { slow: [`too slow (over ${tickText(limit)} ms)`, tooSlow] },
    author: ["author not read", reading => reading.a === 0],
    varies: ["varies between repetitions", reading => reading.v === 1],
    unscored: ["not scored", reading => reading.t == null && !failed(reading)],
};
const differs = sample => new Set(sample.r.filter(Boolean).map(reading => failed(reading) ? "failed" : reading.t)).size > 1;

const searched = sample => sample.text ??= fold(
    [sample.i, sample.t, sample.a, sample.x, sample.g, ...new Set(sample.r.map(text))].filter(Boolean).join("\n"));
const worst = values => values.some(value => value != null) ? Math.max(...values.filter(value => value != null)) : null;
const chosen = (sample, wanted) => (wanted === "" ? sample.r : [sample.r[wanted]]).filter(Boolean);
const orders = {
    id: ["id", sample => sample.i],
    cer: ["character error rate", (sample, wanted) => worst(chosen(sample, wanted).map(reading => reading.e))],
    latency: ["latency", (sample, wanted) => worst(chosen(sample, wanted).map(slowest))],
    category: ["category", sample => sample.c],
    title: ["title", sample => sample.t],
};

const tally = values => [...values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map())]
    .sort(([a], [b]) => collator.compare(a, b));
const named = options => Object.entries(options).map(([name, [words]]) => [name, words]);
const field = (name, words, fresh, options) => html("label", null, words, selection({ name }, [["", fresh], ...options]));
const form = html("form", { id: "filters", autocomplete: "off", role: "search" },
    html("label", { class: "grow" }, "Search",
        html("input", { type: "search", name: "q", placeholder: "title, author, text, id", "aria-keyshortcuts": "/" })),
    isCompared && field("kind", "Change", "any", tally(samples.map(sample => sample.kind))
        .map(([kind, amount]) => [kind, `${changes[kind][0]} (${amount})`])),
    field("category", "Category", "any", tally(samples.map(sample => sample.c)).map(([name, amount]) => [name, `${name} (${amount})`])),
    field("measurement", isCompared ? "Run" : "Measurement", "any", data.names.map((name, index) => [index, name])),
    field("outcome", "Outcome", "any", [...named(outcomes), ["differs", `differs between ${isCompared ? "run" : "measurement"}s`]]),
    field("sort", "Order by", isCompared ? "what changed" : "as in the dataset", named(orders)),
    html("label", { class: "switch" }, html("input", { type: "checkbox", name: "falling", value: 1 }), "falling"),
    html("button", { type: "reset" }, "Reset"));
const controls = [...form.elements].filter(control => control.name);
const list = html("ul", { class: "list", id: "list" });

function select() {
    const wanted = Object.fromEntries(controls.map(control => [control.name, control.value]));
    const words = fold(wanted.q).split(/\s+/).filter(Boolean), fits = outcomes[wanted.outcome]?.[1];
    shown = samples.filter(sample => (wanted.category === "" || sample.c === wanted.category)
        && (!wanted.kind || sample.kind === wanted.kind)
        && (!fits || chosen(sample, wanted.measurement).some(fits))
        && (wanted.outcome !== "differs" || differs(sample))
        && (wanted.measurement === "" || sample.r[wanted.measurement])
        && words.every(word => searched(sample).includes(word)));
    const key = orders[wanted.sort]?.[1], falling = form.elements.falling.checked;
    if (falling && !key) shown.reverse();
    if (!key) return;
    const keys = new Map(shown.map(sample => [sample, key(sample, wanted.measurement)]));
    shown.sort((a, b) => {
        const [left, right] = [keys.get(a), keys.get(b)];
        if (left == null || right == null) return (left == null) - (right == null);
        const order = typeof left === "number" ? left - right : collator.compare(left, right);
        return falling ? -order : order;
    });
}

// The state, in the address: what differs from a fresh page.
function readHash() {
    const state = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    for (const control of controls) {
        const value = state.get(control.name);
        if (control.type === "checkbox") control.checked = value === control.value;
        else control.value = value ?? "";
        if (control.selectedIndex === -1) control.selectedIndex = 0;
    }
    page = Math.max(1, Math.floor(Number(state.get("page"))) || 1);
    opened = byId.get(state.get("sample")) ?? null;
}
function writeHash() {
    const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    if (page > 1) state.set("page", page);
    if (opened) state.set("sample", opened.i);
    const hash = state.size ? "#" + state : "";
    if (hash !== location.hash && (hash || location.hash.includes("="))) {
        history.replaceState(null, "", hash || location.pathname + location.search);
    }
}

function update() {
    select();
    const pages = Math.max(1, Math.ceil(shown.length / perPage));
    page = Math.min(page, pages);
    list.replaceChildren(...shown.slice((page - 1) * perPage, page * perPage).map(listItem));
    byID("count").textContent = `${decimals(shown.length, 0)} of ${count(samples.length, "sample")}`;
    byID("page-number").textContent = `page ${page} of ${pages}`;
    byID("pages").hidden = pages === 1;
    byID("back").disabled = page === 1;
    byID("on").disabled = page === pages;
    byID("nothing").hidden = shown.length > 0;
    writeHash();
}
function turnPage(step) {
    page += step;
    update();
    byID("samples").scrollIntoView();
}

// Where samples are compared, those that agree have no pictures.
const hasPlace = sample => !isCompared || pictures.items[sample.index] != null;

// One measurement's reading; an item has room for some, and the rest is a click away.
function listResult(sample, index) {
    const reading = sample.r[index];
    const facts = reading && [reading.e != null && `CER ${decimals(reading.e, 2)}`,
        typical(reading) != null && units.ms(typical(reading)), tooSlow(reading) && "too slow", reading.v && "varies"];
    return html("li", { class: "result" }, badge(outcome(sample, reading), true),
        measurements.length > 1 && html("span", { class: "who" }, sign(index), data.names[index]),
        html("bdi", { class: "read" }, shorten(text(reading)) || shorten(reading?.p) || (isCompared ? "" : "nothing read")),
        facts?.some(Boolean) && html("span", { class: "soft num" }, facts.filter(Boolean).join(" · ")));
}
function listItem(sample) {
    const wanted = form.elements.measurement.value;
    const asked = wanted === "" ? [...sample.r.keys()] : [Number(wanted)], more = asked.length - mostResults;
    const [words, kind] = changes[sample.kind] ?? [];
    return html("li", null,
        html("a", { class: "item", href: "#" + new URLSearchParams({ sample: sample.i }), "data-id": sample.i,
            click: event => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                show(sample);
            } },
        hasPlace(sample) && html("span", { class: "strip" }, drawing(sample, { turned: true })),
        html("span", { class: "item-text" },
            html("span", { class: "item-head" }, kind && html("span", { class: "badge " + kind }, words),
                html("bdi", { class: "item-title" }, shorten(sample.t ?? (isCompared ? sample.i : "title not labelled"))),
                sample.a && html("bdi", { class: "soft" }, shorten(sample.a)),
                html("span", { class: "tag" }, sample.c), html("code", null, sample.i)),
            isCompared && more > 0 ? [runMarks(sample), html("span", { class: "soft num" }, changeText(sample))]
                : [html("ul", { class: "results" }, asked.slice(0, mostResults).map(index => listResult(sample, index))),
                    more > 0 && html("span", { class: "soft num" }, `and ${count(more, "measurement")} more`)])));
}
const samplesSection = () => section("samples", !isCompared ? "Samples" : data.runs ? "Samples by run" : "Samples that changed", form,
    html("div", { class: "bar-line" }, html("output", { id: "count" }),
        html("nav", { id: "pages", "aria-label": "pages of samples" },
            html("button", { type: "button", id: "back", click: () => turnPage(-1) }, "‹ Previous page"),
            html("span", { id: "page-number" }),
            html("button", { type: "button", id: "on", click: () => turnPage(1) }, "Next page ›"))),
    html("p", { id: "nothing", hidden: true }, "No sample fits these filters."), list);

// What the address names is on the screen: a section, or the list by its filters.
const reveal = () => location.hash && byID(location.hash.includes("=") ? "samples" : location.hash.slice(1))?.scrollIntoView();

// Listeners, and what the address says.
function browse() {
    const follow = () => {
        readHash();
        update();
        if (opened) show(opened);
        else if (dialog.open) dialog.close();
    };
    const anew = () => {
        page = 1;
        update();
    };
    form.addEventListener("input", anew);
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(anew));
    dialog.addEventListener("close", () => {
        const last = opened;
        opened = null;
        update();
        if (last) [...list.querySelectorAll(".item")].find(item => item.dataset.id === last.i)?.focus();
    });
    dialog.addEventListener("click", event => event.target === dialog && dialog.close());
    // Arrows, and j and k, go through the open samples or the list; "/" searches.
    document.addEventListener("keydown", event => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, input:not([type=checkbox])")) return;
        const isInList = list.contains(event.target);
        const by = { j: 1, k: -1, ...dialog.open ? { ArrowRight: 1, ArrowLeft: -1 } : isInList && { ArrowDown: 1, ArrowUp: -1 } }[event.key];
        const items = [...list.querySelectorAll(".item")], next = items[items.indexOf(event.target.closest(".item")) + by];
        if (by && dialog.open) step(by);
        else if (next) next.focus();
        else if (event.key === "/" && !dialog.open) {
            byID("samples").scrollIntoView();
            form.elements.q.focus();
        } else return;
        event.preventDefault();
    });
    addEventListener("hashchange", () => {
        if (location.hash.includes("=") || !location.hash) follow();
        reveal();
    });
    follow();
}
