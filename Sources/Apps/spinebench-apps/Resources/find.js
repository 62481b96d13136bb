"use strict";
// Texts come in by textContent alone: titles are data, never markup.
const $ = (id) => document.getElementById(id);
let picture = null, asked = null, number = 0, opener = null;

const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
};

const show = (file) => {
    if ($("picture").src) URL.revokeObjectURL($("picture").src);
    picture = file;
    $("picture").hidden = !file;
    $("prompt").hidden = Boolean(file);
    if (file) {
        $("picture").src = URL.createObjectURL(file);
        $("picture").alt = file.name || "The picture";
    } else {
        $("picture").removeAttribute("src");
        $("file").value = "";
    }
};
// A format that the browser cannot show is asked for all the same.
$("picture").addEventListener("error", () => {
    if (!picture) return;
    $("picture").hidden = true;
    $("prompt").hidden = false;
    $("prompt").textContent = picture.name;
});

const tile = (item) => {
    const button = element("button", "", "tile");
    button.type = "button";
    const blank = () => element("span", item.kind === "shelf" ? "▥" : item.card.title.slice(0, 1), "blank");
    const image = element("img");
    image.alt = "";
    image.addEventListener("error", () => image.replaceWith(blank()));
    image.src = "thumbnail?id=" + encodeURIComponent(item.id);
    button.append(image, element("b", item.card.title), element("small", item.card.subtitle));
    if (item.confidence !== undefined) button.append(element("small", Math.round(100 * item.confidence) + " % sure"));
    button.addEventListener("click", () => open(item.id, button));
    const place = element("li");
    place.append(button);
    return place;
};

const figures = (list, pairs) => {
    list.replaceChildren();
    for (const [name, value] of pairs) if (value !== undefined && value !== "") list.append(element("dt", name), element("dd", String(value)));
};

const milliseconds = (value) => value.toFixed(1) + " ms";

const ask = async (from) => {
    const mine = ++number;
    const labels = $("labels").value.trim(), language = $("language").value;
    if (!from) asked = { picture, labels, language };
    if (!asked.picture && !asked.labels) return notify("Enter a label or drop a picture.");
    notify("Searching …");
    const body = asked.picture ? await asked.picture.arrayBuffer().catch(() => null) : new ArrayBuffer(0);
    if (!body) return notify("The picture is no longer readable: drop it again.", true);
    const query = new URLSearchParams({ labels: asked.labels, language: asked.language, from });
    let answer;
    try {
        const response = await fetch("find?" + query, { method: "POST", body, headers: { "x-spinebench": "1" } });
        answer = await response.json();
    } catch {
        answer = { error: "The program does not answer. Is it still running?" };
    }
    if (mine !== number) return;
    if (answer.error) return notify(answer.error, true);
    if (!from) $("results").replaceChildren();
    const first = $("results").children.length;
    $("results").append(...answer.results.map(tile));
    $("results").classList.toggle("one", answer.total === 1);
    notify(!answer.isComplete ? "The search timed out: try again." : answer.total ? `${answer.total} results` : "No certain results.");
    $("more").hidden = answer.next === undefined;
    $("more").onclick = () => ask(answer.next);
    const reading = answer.reading;
    $("how").hidden = !reading;
    if (reading) {
        figures($("figures"), [
            ["taken for", reading.kind], ["answered in", milliseconds(answer.milliseconds)],
            ["decoding", milliseconds(reading.decodingMilliseconds)], ["reading", milliseconds(reading.readingMilliseconds)],
            ["naming", milliseconds(reading.matchingMilliseconds)],
        ]);
        $("text").textContent = reading.lines.map((line) => line.text).join(" / ");
    }
    if (from) $("results").children[first]?.querySelector("button").focus();
};

const notify = (text, isBad = false) => {
    $("state").textContent = text;
    $("state").className = isBad ? "bad" : "soft";
    if (isBad || !asked) { $("results").replaceChildren(); $("more").hidden = $("how").hidden = true; }
};

const open = async (id, from) => {
    opener = from ?? opener;
    let item;
    try {
        item = await (await fetch("item?" + new URLSearchParams({ id, language: $("language").value }))).json();
    } catch {
        item = { error: "The program does not answer. Is it still running?" };
    }
    $("sheet").hidden = true;
    $("item").hidden = false;
    $("itemtitle").textContent = item.error ?? item.card.title;
    $("itemsubtitle").textContent = item.card?.subtitle ?? "";
    figures($("itemfields"), item.error ? [] : [
        ["Kind", item.card.typeName], ["Authors", (item.authors ?? []).join(", ")], ["ISBN", item.isbn], ["Series", item.series],
        ["Year", item.year], ["Scanned", item.scannedOn],
        ["URL", item.id],
    ]);
    $("itempicture").hidden = true;
    $("itempicture").onload = () => { $("itempicture").hidden = false; };
    if (!item.error) $("itempicture").src = "thumbnail?id=" + encodeURIComponent(item.id);
    // The books of a shelf have cards of their own once they are opened.
    $("itembooks").replaceChildren(...(item.books ?? []).map((book) => tile({
        ...book, kind: "book", confidence: undefined, card: { title: book.title, subtitle: book.authors.join(", ") },
    })));
    $("itemtitle").focus();
};

const back = () => {
    $("item").hidden = true;
    $("sheet").hidden = false;
    opener?.focus();
};

$("back").addEventListener("click", back);
$("ask").addEventListener("submit", (event) => { event.preventDefault(); back(); ask(0); });
$("clear").addEventListener("click", () => {
    show(null);
    $("labels").value = "";
    asked = null;
    number += 1;
    $("prompt").textContent = "Drop a picture of a spine, a cover or a shelf, paste one, or press Enter to choose one.";
    notify("No search yet.");
});
$("file").addEventListener("change", () => { if ($("file").files[0]) { show($("file").files[0]); back(); ask(0); } });
$("drop").addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); $("file").click(); } });
for (const [name, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
    document.addEventListener(name, (event) => {
        event.preventDefault();
        $("drop").classList.toggle("over", isOver);
        const file = name === "drop" && event.dataTransfer.files[0];
        if (file) { show(file); back(); ask(0); }
    });
}
document.addEventListener("paste", (event) => {
    const file = [...event.clipboardData.files].find((one) => one.type.startsWith("image/"));
    if (file) { show(file); back(); ask(0); }
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !$("item").hidden) back(); });
