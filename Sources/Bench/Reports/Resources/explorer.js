// The explorer of samples × runs: what broke first. A page puts `explorer(data)` where it wants it; letters.js is needed.
//
// data: { runs: [{ id, label, time, host, link }], samples: [{ id, category, truth, states, texts, text }], base };
// `picture` gives the picture of a sample by its place among them, or nothing.
// States are a character for each run: 1 right, 0 wrong, f differs between repetitions, - not in the run. With `base`,
// the index of a run, the others are compared with that one; without it each run with those before it, oldest first.

const stateWords = { 1: "right", 0: "wrong", f: "differs between repetitions", "-": "not in the run" };
const stateSigns = { 1: "✓", 0: "✕", f: "~", "-": "" };
const changeKinds = [["broken", "newly broken"], ["mended", "newly right"], ["flaky", "flaky"], ["wrong", "always wrong"],
    ["right", "always right"], ["other", "other"]];
// Older unrest of a sample does not make it flaky today.
const recentRuns = 20;

// What became of a sample: its kind, the run that changed it, and the run before that.
function changeOf(states, base) {
    const known = [...states].map((_, index) => index).filter(index => states[index] !== "-");
    const among = states => [...new Set(states)].join("");
    const own = known.map(index => states[index]);
    if (base != null) {
        const opposite = { 1: "0", 0: "1" }[states[base]];
        const at = known.find(index => states[index] === opposite);
        if (at != null) return { kind: opposite === "0" ? "broken" : "mended", from: base, at };
        if (own.includes("f")) return { kind: "flaky", from: base, at: known.find(index => states[index] === "f") };
    } else {
        const recent = own.slice(-recentRuns);
        const unrest = recent.filter((state, index) => index && state !== recent[index - 1]).length;
        let place = known.length - 1;
        while (place > 0 && own[place - 1] === own.at(-1)) place--;
        const [from, at] = [known[Math.max(0, place - 1)], known[place]];
        if (recent.includes("f") || unrest > 2) return { kind: "flaky", from, at };
        if (place > 0) return { kind: own.at(-1) === "0" ? "broken" : "mended", from, at };
    }
    const kind = { 0: "wrong", 1: "right", f: "flaky" }[among(own)] ?? "other";
    const at = known.at(-1) ?? 0;
    return { kind, from: base ?? known.at(-2) ?? at, at };
}

function explorer({ runs, samples, base }, picture) {
    const order = changeKinds.map(([kind]) => kind), rowHeight = 52, mostSigns = 12;
    const all = samples.map((sample, index) => ({ ...sample, index, ...changeOf(sample.states, base) })).sort((a, b) =>
        order.indexOf(a.kind) - order.indexOf(b.kind) || (base == null ? b.at - a.at : 0)
        || collator.compare(a.category, b.category) || collator.compare(a.id, b.id));
    const tally = new Map(order.map(kind => [kind, all.filter(sample => sample.kind === kind).length]));
    let shown = all, selected = null, pair = [0, 0];

    const choice = (name, words, options) => html("label", null, words, " ", selection({ name }, options));
    const categories = [...new Set(all.map(sample => sample.category))].sort(collator.compare);
    const filters = html("form", { class: "explorer-filters", role: "search", autocomplete: "off" },
        choice("kind", "Samples", [["", `all (${all.length})`], ...changeKinds.filter(([kind]) => tally.get(kind))
            .map(([kind, words]) => [kind, `${words} (${tally.get(kind)})`])]),
        categories.length > 1 && choice("category", "Category", [["", "all"], ...categories.map(name => [name, name])]),
        html("label", null, "Search ", html("input", { name: "words", type: "search", placeholder: "id, title or text" })),
        html("output", { class: "explorer-count" }));
    const rows = html("div", { class: "explorer-rows" });
    const list = html("div", { class: "explorer-list", role: "listbox", tabindex: 0, "aria-label": "samples" }, rows);
    const detail = html("div", { class: "explorer-detail", "aria-live": "polite" });
    const key = html("p", { class: "explorer-key soft" }, ["1", "0", "f"].map(state => html("span", null,
        html("span", { class: "explorer-sign s" + state, "aria-hidden": "true" }, stateSigns[state]), " ",
        stateWords[state])), html("span", null, html("kbd", null, "j"), " ", html("kbd", null, "k"), " next and previous"));
    const section = html("section", { class: "explorer", id: "explorer", "aria-labelledby": "explorer-title" },
        html("h2", { id: "explorer-title" }, base == null ? "Samples by run" : "Samples that changed"), filters, key,
        html("div", { class: "explorer-body" }, list, detail));

    const runName = index => [runs[index].label, runs[index].time?.replace("T", " ").replace("Z", " UTC")].filter(Boolean)
        .join(", ");
    const countOf = (states, state) => states.split(state).length - 1;
    const summary = ({ states, kind, from, at }) => runs.length <= mostSigns
        ? runs.map((run, index) => `${run.label}: ${stateWords[states[index]]}`).join("; ")
        : `right in ${countOf(states, "1")}, wrong in ${countOf(states, "0")} of ${states.length - countOf(states, "-")} runs`
            + (["broken", "mended"].includes(kind) ? `; ${stateWords[states[at]]} since ${runName(at)}` : "");

    // A run of a strip: wrong runs are tall, right ones low, so that colour is not all that tells them apart.
    function strip(sample) {
        if (runs.length <= mostSigns) {
            return html("span", { class: "explorer-strip" }, [...sample.states].map((state, index) => html("span",
                { class: "explorer-sign s" + state, title: `${runs[index].label}: ${stateWords[state]}` },
                stateSigns[state])));
        }
        const canvas = html("canvas", { class: "explorer-strip" });
        canvas.draw = () => {
            const width = canvas.clientWidth, height = canvas.clientHeight, density = devicePixelRatio;
            [canvas.width, canvas.height] = [width * density, height * density];
            const pen = canvas.getContext("2d"), step = width / runs.length;
            pen.scale(density, density);
            for (const [state, top, kind] of [["1", 0.65, "good"], ["f", 0.35, "open"], ["0", 0, "bad"]]) {
                pen.fillStyle = getComputedStyle(key.querySelector(".s" + state)).color;
                for (let index = sample.states.indexOf(state); index >= 0; index = sample.states.indexOf(state, index + 1)) {
                    pen.fillRect(index * step, height * top, Math.max(1, step - (step > 3 ? 1 : 0)), height * (1 - top));
                }
            }
        };
        return canvas;
    }

    // Only the rows in sight are there.
    const drawn = new Map();
    function draw() {
        const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 2);
        const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + 2);
        for (const [index, row] of drawn) {
            if (index >= first && index < last) continue;
            row.remove();
            drawn.delete(index);
        }
        for (let index = first; index < last; index++) {
            if (drawn.has(index)) continue;
            const sample = shown[index], picture = strip(sample);
            const row = html("div", { class: "explorer-row " + sample.kind, role: "option", id: "explorer-row-" + index,
                "data-id": sample.id, "aria-selected": String(sample === selected), "aria-setsize": shown.length,
                "aria-posinset": index + 1, click: () => open(sample) },
                html("span", { class: "explorer-name" }, html("bdi", null, sample.id), html("span", { class: "explorer-kind" },
                    changeKinds[order.indexOf(sample.kind)][1]), html("span", { class: "soft" }, sample.category)),
                picture, html("span", { class: "hidden" }, summary(sample)));
            row.style.top = index * rowHeight + "px";
            drawn.set(index, row);
            rows.append(row);
            picture.draw?.();
        }
    }
    function redraw() {
        drawn.forEach(row => row.remove());
        drawn.clear();
        draw();
    }
    function filter() {
        const { kind, category, words } = filters.elements;
        const wanted = fold(words.value.trim());
        shown = all.filter(sample => (!kind.value || sample.kind === kind.value)
            && (!category?.value || sample.category === category.value)
            && (!wanted || fold([sample.id, sample.truth, ...sample.texts].join("\n")).includes(wanted)));
        filters.querySelector("output").textContent = shown.length === all.length ? ""
            : `${shown.length} of ${all.length} samples`;
        rows.style.height = shown.length * rowHeight + "px";
        list.scrollTop = 0;
        redraw();
    }

    const textOf = (sample, index) => sample.text[index] == null ? null : sample.texts[sample.text[index]];
    function reading(sample, index) {
        const state = sample.states[index], text = textOf(sample, index), { link, host } = runs[index];
        const name = html("bdi", null, runName(index));
        return html("section", null, html("h4", null, html("span", { class: "explorer-sign s" + state, "aria-hidden": "true" },
            stateSigns[state]), " ", link && !/^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i.test(link)
            ? html("a", { href: link }, name) : name, ` (${stateWords[state]})`,
            host && html("span", { class: "soft" }, " on ", html("bdi", null, host))),
            text == null ? html("p", { class: "soft" }, "text not stored") : difference(sample.truth, text));
    }
    function fill() {
        const sample = selected, at = shown.indexOf(sample);
        const pick = (place, words) => {
            const select = selection({ name: "run" + place, change: () => { pair[place] = Number(select.value); fill(); } },
                runs.map((_, index) => [index, runName(index)]));
            select.value = pair[place];
            return html("label", null, words, " ", select);
        };
        const step = (by, words) => html("button", { type: "button", disabled: !shown[at + by], click: () => move(by) }, words);
        detail.replaceChildren(
            html("div", { class: "explorer-head" }, html("h3", null, html("bdi", null, sample.id)),
                step(-1, "‹ Previous"), step(1, "Next ›"),
                html("a", { href: "#sample=" + encodeURIComponent(sample.id) }, "Link")),
            html("p", null, changeKinds[order.indexOf(sample.kind)][1], ", ", sample.category, ". ", summary(sample), "."),
            ...[picture?.(sample.index, `picture of ${sample.id}`),
                html("p", null, html("span", { class: "soft" }, "printed "), html("bdi", null, sample.truth)),
                runs.length > 2 && html("p", { class: "explorer-pair" }, pick(0, "Compare"), " ", pick(1, "and")),
                ...[...new Set(pair)].map(index => reading(sample, index))].filter(Boolean));
    }
    function open(sample, isShownInAddress = true) {
        selected = sample;
        pair = [sample.from, sample.at];
        for (const row of rows.children) row.setAttribute("aria-selected", String(row.dataset.id === sample.id));
        const top = shown.indexOf(sample) * rowHeight;
        if (top < list.scrollTop) list.scrollTop = top;
        if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
        draw();
        list.setAttribute("aria-activedescendant", "explorer-row-" + shown.indexOf(sample));
        fill();
        if (isShownInAddress) history.replaceState(null, "", "#sample=" + encodeURIComponent(sample.id));
    }
    function move(by) {
        const next = shown[shown.indexOf(selected) + by];
        if (next) open(next);
    }
    function follow() {
        const id = new URLSearchParams(location.hash.slice(1)).get("sample");
        const wanted = all.find(sample => sample.id === id);
        if (wanted && !shown.includes(wanted)) {
            filters.reset();
            filter();
        }
        if (wanted) open(wanted, false);
        if (wanted) section.scrollIntoView();
        return wanted != null;
    }

    filters.addEventListener("input", filter);
    filters.addEventListener("submit", event => event.preventDefault());
    list.addEventListener("scroll", draw);
    document.addEventListener("keydown", event => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
        const isList = section.contains(event.target);
        const by = event.key === "j" || isList && event.key === "ArrowDown" ? 1
            : event.key === "k" || isList && event.key === "ArrowUp" ? -1 : 0;
        if (!by) return;
        event.preventDefault();
        move(by);
    });
    addEventListener("hashchange", follow);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    new ResizeObserver(redraw).observe(list);
    // When the page has put the section where it wants it.
    queueMicrotask(() => {
        filter();
        if (!follow() && ["broken", "mended", "flaky"].includes(all[0]?.kind)) open(all[0], false);
    });
    return section;
}
