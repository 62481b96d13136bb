// The data, numbers as text, and the blocks of a document.

const data = JSON.parse(byID("data").textContent), pictures = JSON.parse(byID("pictures").textContent);
const { samples, figures } = data;
// The latency that readings should keep, in milliseconds.
const limit = data.latencyTarget ?? null;
const nth = (sorted, share, total = sorted.length) => sorted[Math.max(0, Math.ceil(total * share) - 1)];
// What plots show: measurements, or sides of a comparison.
const measurements = data.report?.measurements ?? data.names.map(id => ({ id }));
const evidenceOf = index => measurements[index].variant?.evidence ?? "measured";

const place = (...parts) => parts.join("\n");
const byPlace = new Map(figures.filter(one => !one.device)
    .map(one => [place(one.measurement, one.category, one.metric), one]));
const figure = (index, metric, category = "all") => byPlace.get(place(measurements[index].id, category, metric));
const number = one => one?.value ?? null;

// Numbers as text; what is absent says why.
const decimals = (value, digits) => value.toLocaleString("en", {
    minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: Math.abs(value) >= 10000,
}).replaceAll(",", "\u202f").replace("-", "−");
const units = {
    ms: value => `${decimals(value, value < 9.995 ? 2 : value < 999.5 ? 1 : 0)} ms`,
    bytes: value => Math.abs(value) < 1e9 ? `${decimals(value / 1e6, 1)} MB` : `${decimals(value / 1e9, 2)} GB`,
    share: value => `${decimals(value * 100, 1)} %`,
    score: value => decimals(value, 3),
    count: value => decimals(value, Number.isInteger(value) ? 0 : 3),
};
const percent = units.share;
const count = (amount, noun) => `${decimals(amount, 0)} ${noun}${amount === 1 ? "" : "s"}`;
const bounds = ({ low, high }, text) => low == null && high == null ? ""
    : `${low == null ? "(–" : "[" + text(low)}, ${high == null ? "–)" : text(high) + "]"}`;
const shareText = (part, whole) => `${part} of ${whole} (${percent(part / whole)})`;
// A share without an interval is a rate, such as that of errors, and no share of samples.
const isShare = one => one?.unit === "share" && one.low != null;
function figureText(one) {
    if (number(one) == null) return one?.note ?? "–";
    const text = one.unit === "share" && !isShare(one) ? units.score : units[one.unit] ?? units.count;
    return [isShare(one) ? shareText(one.count, one.total) : text(one.value), bounds(one, text)].filter(Boolean).join(" ");
}

const evidence = kind => html("span", { class: "evidence " + kind, title: meanings[kind] }, kind);
const meanings = {
    measured: "Measured in this run, on this machine.",
    modelled: "Computed by a model from stated parameters: not measured.",
    "measured on device": "Measured on the named device by this project's recorder, and signed with a key of the suite.",
    "reported by a recording": "Reported by a file that names this project's recorder: nothing shows that it is its own.",
    reported: "Reported by the system or its file of readings.",
    claimed: "Claimed, or true by design: not checked in this run.",
};
const legend = () => html("dl", { class: "legend" }, Object.entries(meanings).map(([kind, meaning]) =>
    html("div", null, html("dt", null, evidence(kind)), html("dd", null, meaning))));

// A table that scrolls in itself where it is wider than the page. Cells are texts or elements.
function table(columns, rows, name) {
    return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name || "table" },
        html("table", null,
            html("thead", null, html("tr", null, columns.map(name => html("th", { scope: "col" }, name)))),
            html("tbody", null, rows.map(row => html("tr", null, row.map((cell, index) =>
                index ? html("td", null, cell) : html("th", { scope: "row" }, cell)))))));
}

// A text of a document: signs that every font has, and Markdown's marks for stress and code.
const signs = { "✅": ["✓", "pass"], "❌": ["✕", "fail"], "⚠️": ["⚠", "inconclusive"], "☑️": ["✓", "none"] };
const signOf = text => Object.keys(signs).find(sign => text.startsWith(sign));
function marked(text) {
    for (const [sign, [plain]] of Object.entries(signs)) text = text.replaceAll(sign, plain);
    const bare = part => part.replace(/\\([\\`*_[\]|])/g, "$1").replaceAll("&lt;", "<");
    return text.split(/(?<!\\)(\*\*.+?\*\*|`[^`]+`)/).map(part => /^\*\*.+\*\*$/.test(part)
        ? html("strong", null, bare(part.slice(2, -2)))
        : /^`.+\.html#.+`$/.test(part) ? html("a", { href: part.slice(part.indexOf("#"), -1), click: () => setTimeout(reveal) }, "the list")
        : /^`.+`$/.test(part) ? html("code", null, part.slice(1, -1)) : bare(part));
}
function cell(text) {
    if (meanings[text]) return evidence(text);
    if (/^https?:\/\/\S+$/.test(text)) return html("a", { rel: "noreferrer", href: text }, text);
    if (!signOf(text)) return marked(text);
    const [, word, note] = /^([^:;]*)(.*)$/s.exec(text);
    return [html("span", { class: "badge " + signs[signOf(text)][1] }, marked(word)), marked(note)];
}

// Longer tables are folded.
const mostRows = 30;
function block(content) {
    if (typeof content === "string") {
        return html("p", { class: { "❌": "failure", "⚠️": "warning" }[signOf(content)] ?? "text" }, marked(content));
    }
    if (Array.isArray(content)) return html("ul", { class: "notes" }, content.map(item => html("li", null, marked(item))));
    if (!content?.rows.length) return null;
    const { title, note, columns, rows } = content;
    const shown = table(columns, rows.map(row => row.map(cell)), title);
    return [title && html("h3", null, title), note && html("p", { class: "text" }, marked(note)), rows.length <= mostRows ? shown
        : html("details", null, html("summary", null, count(rows.length, "row")), shown)];
}
const section = (id, title, ...children) => html("section", { id, "aria-labelledby": id + "-title" },
    html("h2", { id: id + "-title" }, title), ...children);
