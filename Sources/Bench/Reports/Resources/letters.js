// Letters compared, as people count letters: the fewest that are missing, added or different.
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const letters = words => Array.from(segmenter.segment(words.normalize("NFC")), part => part.segment);
const mostCells = 4e6;
function compare(reference, hypothesis) {
    const a = letters(reference), b = letters(hypothesis);
    let start = 0, end = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start++;
    while (end < a.length - start && end < b.length - start
        && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
    const m = a.length - start - end, n = b.length - start - end;
    if ((m + 1) * (n + 1) > mostCells) return null;
    const costs = new Uint16Array((m + 1) * (n + 1));
    for (let i = 0; i <= m; i++) {
        for (let j = 0; j <= n; j++) {
            costs[i * (n + 1) + j] = i === 0 ? j : j === 0 ? i : Math.min(
                costs[(i - 1) * (n + 1) + j - 1] + (a[start + i - 1] === b[start + j - 1] ? 0 : 1),
                costs[(i - 1) * (n + 1) + j] + 1, costs[i * (n + 1) + j - 1] + 1);
        }
    }
    const steps = [];
    for (let i = m, j = n; i > 0 || j > 0;) {
        const cost = costs[i * (n + 1) + j], same = i > 0 && j > 0 && a[start + i - 1] === b[start + j - 1];
        if (i > 0 && j > 0 && costs[(i - 1) * (n + 1) + j - 1] + (same ? 0 : 1) === cost) {
            steps.push([same ? "same" : "other", a[start + --i], b[start + --j]]);
        } else if (i > 0 && costs[(i - 1) * (n + 1) + j] + 1 === cost) {
            steps.push(["missing", a[start + --i], ""]);
        } else {
            steps.push(["added", "", b[start + --j]]);
        }
    }
    const same = part => part.map(letter => ["same", letter, letter]);
    return [...same(a.slice(0, start)), ...steps.reverse(), ...same(a.slice(a.length - end))];
}

// What is printed over what was read. Runs of one kind stand together.
function difference(reference, hypothesis) {
    const steps = compare(reference, hypothesis);
    if (!steps) {
        return html("div", null,
            html("p", { class: "soft" }, "Too long to compare letter by letter. Printed, then read:"),
            html("p", { class: "long" }, html("bdi", null, reference)),
            html("p", { class: "long" }, html("bdi", null, hypothesis)));
    }
    const runs = [];
    for (const [kind, printed, read] of steps) {
        const last = runs.at(-1);
        // Words that are the same may be broken over lines, so that each stands alone.
        if (last && last.kind === kind && !(kind === "same" && /\s$/.test(last.printed))) {
            last.printed += printed;
            last.read += read;
        } else {
            runs.push({ kind, printed, read });
        }
    }
    const seen = words => words.replace(/\s/g, "\u2423");
    const names = { missing: "missing", added: "added", other: "other" };
    return html("p", { class: "difference" }, runs.map(({ kind, printed, read }) => kind === "same"
        ? html("bdi", { class: "run same" }, printed)
        : html("span", { class: "run " + kind, title: kind === "other" ? `“${read}” for “${printed}”`
            : `${names[kind]}: “${printed || read}”` },
            html("del", null, html("bdi", null, seen(printed) || "+")),
            html("ins", null, html("bdi", null, seen(read) || "−")))));
}
