// The data, and numbers as text.

const { head, measurements, samples, compliance, pictures, tables, slices, devices, assertions, matrix, legend: words,
    pareto, standings, explorer: explored } = JSON.parse(byID("data").textContent);

// Numbers as text; what is absent says why.
const decimals = (value, digits) => value.toLocaleString("en", {
    minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: Math.abs(value) >= 10000,
}).replaceAll(",", "\u202f").replace("-", "−");
const units = {
    ms: value => `${decimals(value, value < 9.995 ? 2 : value < 999.5 ? 1 : 0)} ms`,
    bytes: value => Math.abs(value) < 1e9 ? `${decimals(value / 1e6, 1)} MB` : `${decimals(value / 1e9, 2)} GB`,
    "/s": value => `${decimals(value, 2)} /s`,
    share: value => `${decimals(value * 100, 1)} %`,
    number: value => decimals(value, Number.isInteger(value) ? 0 : 3),
};
const percent = units.share;
const number = figure => figure?.value.value ?? null;
const rate = share => share && share.trials > 0 ? share.successes / share.trials : null;
const bounds = (low, high, text) => low == null && high == null ? ""
    : `${low == null ? "(–" : "[" + text(low)}, ${high == null ? "–)" : text(high) + "]"}`;
const figureText = (figure, text) => !figure ? "–"
    : number(figure) == null ? figure.value.absent
    : [text(number(figure)), bounds(figure.low, figure.high, text)].filter(Boolean).join(" ");
const shareText = share => rate(share) == null ? "no samples"
    : [`${share.successes} of ${share.trials} (${percent(rate(share))})`,
        bounds(share.low, share.high, percent)].filter(Boolean).join(" ");
const count = (amount, noun) => `${decimals(amount, 0)} ${noun}${amount === 1 ? "" : "s"}`;

const statuses = {
    pass: ["✓", "met"], fail: ["✕", "missed"], inconclusive: ["?", "not decided"],
};
const badge = (status, words) => html("span", { class: "badge " + status },
    html("span", { "aria-hidden": "true" }, statuses[status][0]), " ", words ?? statuses[status][1]);
const evidence = kind => html("span", { class: "evidence " + kind, title: meanings[kind] }, kind);
const meanings = {
    measured: "Measured in this run, on this machine.",
    modelled: "Computed by a model from stated parameters: not measured.",
    "measured on device": "Measured on the named device by this project's recorder, and signed with a key of the suite.",
    "reported by a recording": "Reported by a file that names this project's recorder: nothing shows that it is its own.",
    reported: "Reported by the system or its file of readings.",
    claimed: "Claimed, or true by design: not checked in this run.",
};

// A table that scrolls in itself where it is wider than the page. Cells are texts or elements.
function table(columns, rows, attributes) {
    return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": attributes?.name
        ?? "table" },
        html("table", attributes?.class && { class: attributes.class },
            html("thead", null, html("tr", null, columns.map(name => html("th", { scope: "col" }, name)))),
            html("tbody", null, rows.map(row => html("tr", null, row.map((cell, index) =>
                index ? html("td", { "data-name": columns[index] }, cell)
                    : html("th", { scope: "row" }, cell)))))));
}
// Signs that every font has, for those that reports in Markdown have.
const emoji = new Map([["✅", "pass"], ["❌", "fail"], ["⚠️", "inconclusive"]]);
const withSigns = text => [...emoji].reduce((text, [sign, kind]) => text.replaceAll(sign, statuses[kind][0]), text);

// What is met, missed and open stands out by its sign; what has none is quiet. The first columns say what a row is about.
function matrixTable({ columns, rows }, keys, name) {
    const kind = text => [...emoji].find(([sign]) => text.startsWith(sign))?.[1] ?? "quiet";
    return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name },
        html("table", { class: "matrix" },
            html("thead", null, html("tr", null, columns.map(name => html("th", { scope: "col" }, name)))),
            html("tbody", null, rows.map(row => html("tr", null, row.map((cell, index) => index < keys
                ? html(index ? "td" : "th", index ? null : { scope: "row" }, cell)
                : html("td", { class: kind(cell) }, withSigns(cell))))))));
}
const section = (id, title, ...children) => html("section", { id, "aria-labelledby": id + "-title" },
    html("h2", { id: id + "-title" }, title), ...children);
