// What became of samples over several runs: `data.base` is the index of the side that the others are compared with; of `data.runs`,
// oldest first, each is compared with those before it.

const isCompared = data.base != null || data.runs != null;
const stateOf = reading => reading?.t == null ? "-" : reading.v ? "f" : String(reading.t);
const stateWords = { 1: "right", 0: "wrong" };
const changes = { broken: ["newly broken", "fail"], mended: ["newly right", "pass"], flaky: ["flaky", "inconclusive"],
    wrong: ["always wrong", "none"], right: ["always right", "none"], other: ["other", "none"] };
// Older unrest of a sample does not make it flaky today.
const recentRuns = 20;

// The kind of change of a sample, the run that changed it, and the run before that.
function changeOf(states) {
    const known = [...states.keys()].filter(index => states[index] !== "-"), own = known.map(index => states[index]);
    const last = own.at(-1), from = data.base;
    const atLast = kind => ({ kind, from: from ?? known.at(-2) ?? known.at(-1) ?? 0, at: known.at(-1) ?? 0 });
    if (from != null) {
        const opposite = { 1: "0", 0: "1" }[states[from]], at = known.find(index => states[index] === opposite);
        if (at != null) return { kind: opposite === "0" ? "broken" : "mended", from, at };
        if (own.includes("f")) return { kind: "flaky", from, at: states.indexOf("f") };
    } else {
        const recent = own.slice(-recentRuns), unrest = recent.filter((state, index) => index && state !== recent[index - 1]).length;
        const place = own.findLastIndex(state => state !== last);
        const change = place < 0 ? atLast() : { from: known[place], at: known[place + 1] };
        if (recent.includes("f") || unrest > 2) return { ...change, kind: "flaky" };
        if (place >= 0) return { ...change, kind: last === "0" ? "broken" : "mended" };
    }
    return atLast(new Set(own).size === 1 ? { 0: "wrong", 1: "right", f: "flaky" }[last] : "other");
}

const runName = index => [data.names[index], data.runs?.[index].time.replace("T", " ").replace("Z", " UTC")].filter(Boolean).join(", ");
function changeText({ states, kind, at }) {
    const amount = state => states.filter(one => one === state).length;
    return `right in ${amount("1")}, wrong in ${amount("0")} of ${states.length - amount("-")} runs`
        + (data.runs && ["broken", "mended"].includes(kind) ? `; ${stateWords[states[at]]} since ${runName(at)}` : "");
}

// A mark for each run: wrong runs are tall, right ones low, so that colour is not all that tells them apart.
const runMarks = sample => svg("svg", { class: "runs", viewBox: `0 0 ${sample.states.length} 20`, preserveAspectRatio: "none",
    role: "img", "aria-label": changeText(sample) }, [["1", 13, "pass"], ["f", 7, "inconclusive"], ["0", 0, "fail"]].map(([state, top, kind]) =>
    svg("path", { class: kind, d: sample.states.map((one, at) => one === state ? `M${at} 20V${top}h0.9V20` : "").join("") })));

// The place of its picture.
samples.forEach((sample, index) => { sample.index = index; });
if (isCompared) {
    const order = Object.keys(changes);
    for (const sample of samples) {
        sample.states = sample.r.map(stateOf);
        Object.assign(sample, changeOf(sample.states));
    }
    samples.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (data.runs ? b.at - a.at : 0)
        || collator.compare(a.c, b.c) || collator.compare(a.i, b.i));
}
