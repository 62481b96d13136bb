// Letters compared, as people count letters: the fewest that are missing, added or different.
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const letters = words => Array.from(segmenter.segment(words.normalize("NFC")), part => part.segment);
const mostCells = 4e6;
function compare(reference, hypothesis) {
    const a = letters(reference), b = letters(hypothesis), width = b.length + 1;
    if ((a.length + 1) * width > mostCells) return null;
    const costs = new Uint16Array((a.length + 1) * width);
    for (let i = 0; i <= a.length; i++) {
        for (let j = 0; j < width; j++) {
            costs[i * width + j] = i === 0 ? j : j === 0 ? i : Math.min(costs[(i - 1) * width + j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
                costs[(i - 1) * width + j] + 1, costs[i * width + j - 1] + 1);
        }
    }
    const steps = [];
    for (let i = a.length, j = b.length; i > 0 || j > 0;) {
        const cost = costs[i * width + j], same = i > 0 && j > 0 && a[i - 1] === b[j - 1];
        if (i > 0 && j > 0 && costs[(i - 1) * width + j - 1] + (same ? 0 : 1) === cost) {
            steps.push([same ? "same" : "other", a[--i], b[--j]]);
        } else if (i > 0 && costs[(i - 1) * width + j] + 1 === cost) {
            steps.push(["missing", a[--i], ""]);
        } else {
            steps.push(["added", "", b[--j]]);
        }
    }
    return steps.reverse();
}

// What is printed over what was read. Runs of one kind stand together.
function difference(reference, hypothesis) {
    const steps = compare(reference, hypothesis);
    if (!steps) {
        return html("div", null,
            html("p", { class: "soft" }, "Too long to compare letter by letter. Printed, then read:"),
            [reference, hypothesis].map(words => html("p", { class: "long" }, html("bdi", null, words))));
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
    return html("p", { class: "difference" }, runs.map(({ kind, printed, read }) => kind === "same"
        ? html("bdi", { class: "run same" }, printed)
        : html("span", { class: "run " + kind, title: kind === "other" ? `“${read}” for “${printed}”`
            : `${kind}: “${printed || read}”` },
            html("del", null, html("bdi", null, seen(printed) || "+")),
            html("ins", null, html("bdi", null, seen(read) || "−")))));
}
