// The browser of samples: filters, order, pages, the address.

const byId = new Map(samples.map(sample => [sample.i, sample]));
samples.forEach((sample, index) => { sample.index = index; });
const perPage = 40;
let shown = samples, page = 1, opened = null;

const text = reading => (reading?.l ?? []).map(line => line[0]).join(" ");
const slowest = reading => Math.max(-Infinity, ...(reading?.m ?? []).filter(value => value != null));
const typical = reading => {
    const values = (reading?.m ?? []).filter(value => value != null).sort((a, b) => a - b);
    return values.length ? nth(values, 0.5) : null;
};
const failed = reading => reading.u != null;
const tooSlow = reading => limit != null && (slowest(reading) > limit || reading.u === "timedOut");

// What became of a reading: a sign, words and a class for it.
function outcome(sample, reading) {
    if (!reading) return ["–", "not asked", "none"];
    if (failed(reading)) {
        return ["!", { failed: "failed", timedOut: "timed out", workerDied: "worker died",
            notAttempted: "not attempted" }[reading.u] ?? reading.u, "fail"];
    }
    if (sample.k) return [reading.t ? "✓" : "✕", reading.b ?? "not scored", reading.t ? "pass" : "fail"];
    if (sample.n) return ["–", "illegible, not scored", "none"];
    if (reading.t == null) return ["–", "not scored", "none"];
    return reading.t ? ["✓", "read right", "pass"] : ["✕", "wrong", "fail"];
}

// Whether a sample fits an outcome, for one measurement or, without one, for any.
const outcomes = {
    right: ["read right", (sample, reading) => reading?.t === 1 && !failed(reading)],
    wrong: ["wrong", (sample, reading) => reading?.t === 0 && !failed(reading)],
    failed: ["failed", (sample, reading) => reading != null && failed(reading)],
    ...limit && { slow: ["too slow", (sample, reading) => reading != null && tooSlow(reading)] },
    author: ["author not read", (sample, reading) => reading?.a === 0],
    varies: ["varies between repetitions", (sample, reading) => reading?.v === 1],
    unscored: ["not scored", (sample, reading) => reading != null && reading.t == null && !failed(reading)],
};
const wholeOutcomes = {
    differs: ["differs between measurements", sample =>
        new Set(sample.r.filter(Boolean).map(reading => failed(reading) ? "failed" : reading.t)).size > 1],
};

const searched = sample => sample.text ??= fold(
    [sample.i, sample.t, sample.a, sample.x, sample.g, ...sample.r.map(text)].filter(Boolean).join("\n"));
const worst = values => values.length ? Math.max(...values) : null;
const chosen = (sample, wanted) => (wanted === "" ? sample.r : [sample.r[Number(wanted)]]).filter(Boolean);
const orders = {
    id: ["id", sample => sample.i],
    cer: ["character error rate", (sample, wanted) =>
        worst(chosen(sample, wanted).map(reading => reading.e).filter(value => value != null))],
    latency: ["latency", (sample, wanted) =>
        worst(chosen(sample, wanted).map(slowest).filter(Number.isFinite))],
    category: ["category", sample => sample.c],
    title: ["title", sample => sample.t ?? null],
};

const tally = values => [...values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map())]
    .sort(([a], [b]) => collator.compare(a, b)).map(([value, amount]) => [value, `${value} (${amount})`]);
const field = (name, words, fresh, options) => html("label", null, words, selection({ name }, [["", fresh], ...options]));
const form = html("form", { id: "filters", autocomplete: "off", role: "search" },
    html("label", { class: "grow" }, "Search",
        html("input", { type: "search", name: "q", placeholder: "title, author, text, id",
            "aria-keyshortcuts": "/" })),
    field("category", "Category", "any", tally(samples.map(sample => sample.c))),
    field("measurement", "Measurement", "any", data.names.map((name, index) => [index, name])),
    field("outcome", "Outcome", "any", Object.entries({ ...outcomes, ...wholeOutcomes }).map(([name, [words]]) =>
        [name, name === "slow" ? `${words} (over ${tickText(limit)} ms)` : words])),
    field("sort", "Order by", "as in the dataset", Object.entries(orders).map(([name, [words]]) => [name, words])),
    html("label", { class: "switch" }, html("input", { type: "checkbox", name: "falling", value: 1 }), "falling"),
    html("button", { type: "reset" }, "Reset"));
const controls = [...form.elements].filter(control => control.name);
const list = html("ul", { class: "list", id: "list" });

function select() {
    const wanted = Object.fromEntries(controls.map(control => [control.name, control.value]));
    const words = fold(wanted.q).split(/\s+/).filter(Boolean);
    const fits = outcomes[wanted.outcome]?.[1], whole = wholeOutcomes[wanted.outcome]?.[1];
    shown = samples.filter(sample => (wanted.category === "" || sample.c === wanted.category)
        && (!fits || chosen(sample, wanted.measurement).some(reading => fits(sample, reading)))
        && (!whole || whole(sample))
        && (wanted.measurement === "" || sample.r[Number(wanted.measurement)])
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
    const wanted = form.elements.measurement.value, among = wanted === "" ? everyone : [Number(wanted)];
    list.replaceChildren(...shown.slice((page - 1) * perPage, page * perPage)
        .map(sample => listItem(sample, among)));
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

// What an item has room for; the rest is a click away.
const mostResults = 4;

function listItem(sample, among) {
    const asked = (among ?? everyone).filter(index => index < sample.r.length);
    const results = asked.slice(0, mostResults).map(index => {
        const reading = sample.r[index];
        const [glyph, words, kind] = outcome(sample, reading);
        const facts = reading && [reading.e == null ? null : `CER ${decimals(reading.e, 2)}`,
            typical(reading) == null ? null : units.ms(typical(reading)),
            tooSlow(reading) ? "too slow" : null, reading.v ? "varies" : null].filter(Boolean).join(" · ");
        return html("li", { class: "result" },
            html("span", { class: "badge " + kind, title: words },
                html("span", { "aria-hidden": "true" }, glyph),
                html("span", { class: "hidden" }, words)),
            measurements.length > 1 && html("span", { class: "who" }, sign(index), data.names[index]),
            html("bdi", { class: "read" }, shorten(text(reading))
                || (reading?.p ? shorten(reading.p) : "nothing read")),
            facts && html("span", { class: "soft num" }, facts));
    });
    const more = asked.length - results.length;
    return html("li", null,
        html("a", { class: "item", href: "#" + new URLSearchParams({ sample: sample.i }), "data-id": sample.i,
        click: event => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            show(sample);
        } },
        html("span", { class: "strip" }, drawing(sample, { turned: true })),
        html("span", { class: "item-text" },
            html("span", { class: "item-head" },
                html("bdi", { class: "item-title" }, shorten(sample.t ?? "title not labelled")),
                sample.a && html("bdi", { class: "soft" }, shorten(sample.a)),
                html("span", { class: "tag" }, sample.c), html("code", null, sample.i)),
            html("ul", { class: "results" }, results),
            more > 0 && html("span", { class: "soft num" }, `and ${count(more, "measurement")} more`))));
}
const samplesSection = () => section("samples", "Samples", form,
    html("div", { class: "bar-line" }, html("output", { id: "count" }),
        html("nav", { id: "pages", "aria-label": "pages of samples" },
            html("button", { type: "button", id: "back", click: () => turnPage(-1) }, "‹ Previous page"),
            html("span", { id: "page-number" }),
            html("button", { type: "button", id: "on", click: () => turnPage(1) }, "Next page ›"))),
    html("p", { id: "nothing", hidden: true }, "No sample fits these filters."), list);

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
    dialog.addEventListener("keydown", event => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select")) return;
        if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
            event.preventDefault();
            step(event.key === "ArrowLeft" ? -1 : 1);
        }
    });
    list.addEventListener("keydown", event => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const items = [...list.querySelectorAll(".item")], next = by && items[items.indexOf(event.target.closest(".item")) + by];
        if (!next) return;
        event.preventDefault();
        next.focus();
    });
    document.addEventListener("keydown", event => {
        if (event.key !== "/" || dialog.open || event.target.matches("input, select")) return;
        event.preventDefault();
        byID("samples").scrollIntoView();
        form.elements.q.focus();
    });
    addEventListener("hashchange", () => {
        if (location.hash.includes("=") || !location.hash) follow();
    });
    follow();
}
