"use strict";
// Texts come in by textContent alone: titles are data, never markup.
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const hint = $("hint").textContent, start = $("state").textContent;
// `pixels`: the decoded picture, to cut spines from; null while it is decoded, and of a format that the browser does not know.
let picture = null, pixels = null, decoding = null, asked = null, number = 0, opener = null;

const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
};

const show = async (file) => {
    if ($("picture").src) URL.revokeObjectURL($("picture").src);
    pixels?.close?.();
    [picture, pixels] = [file, null];
    $("marks").replaceChildren();
    $("frame").hidden = !file;
    $("prompt").hidden = Boolean(file);
    $("drop").classList.toggle("full", Boolean(file));
    $("hint").textContent = hint;
    $("file").value = "";
    if (!file) return $("picture").removeAttribute("src");
    $("picture").src = URL.createObjectURL(file);
    $("picture").alt = file.name || "The photo";
    const decoded = await createImageBitmap(file).catch(() => null);
    if (picture !== file) return decoded?.close();
    pixels = decoded;
    if (decoded) $("marks").setAttribute("viewBox", `0 0 ${decoded.width} ${decoded.height}`);
};
// A format that the browser cannot show is asked for all the same.
$("picture").addEventListener("error", () => {
    if (!picture) return;
    $("frame").hidden = true;
    $("prompt").hidden = false;
    $("drop").classList.remove("full");
    $("hint").textContent = `${picture.name}: this browser cannot show the photo, but it is searched.`;
});

// The four corners of a place, the first where its text begins, the second where its first line ends.
const level = (place, width, height) => {
    const corners = place.outline ?? [[0, 0], [width, 0], [width, height], [0, height]];
    const long = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const isTall = long(corners[0], corners[3]) > long(corners[0], corners[1]);
    const first = { upright: 0, cw: 1, inverted: 2, ccw: 3 }[place.orientation ?? (isTall ? "cw" : "upright")];
    return corners.map((_, index) => corners[(first + index) % 4]);
};

const cut = (place) => {
    const [a, b, , d] = level(place, pixels.width, pixels.height);
    const [wide, high] = [Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(d[0] - a[0], d[1] - a[1])];
    const scale = Math.min(1, 640 / Math.max(wide, high, 1));
    const canvas = element("canvas");
    [canvas.width, canvas.height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))];
    const context = canvas.getContext("2d");
    const [w, h] = [canvas.width, canvas.height];
    context.setTransform(new DOMMatrix([(b[0] - a[0]) / w, (b[1] - a[1]) / w, (d[0] - a[0]) / h, (d[1] - a[1]) / h, a[0], a[1]]).inverse());
    const c = [b[0] + d[0] - a[0], b[1] + d[1] - a[1]];
    const [xs, ys] = [0, 1].map((axis) => [a, b, c, d].map((corner) => corner[axis]));
    const [left, top] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
    const [right, bottom] = [Math.min(pixels.width, Math.max(...xs)), Math.min(pixels.height, Math.max(...ys))];
    if (right > left && bottom > top) context.drawImage(pixels, left, top, right - left, bottom - top, left, top, right - left, bottom - top);
    return canvas;
};

const isStrip = (width, height) => width > 3 * height;
const hue = (text) => [...text].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 360, 7);

// What an item looks like where no picture of it is known: a plain cover, or a row of books.
const drawn = (item) => {
    if (item.kind !== "shelf") {
        const cover = element("span", "", "cover");
        cover.style.setProperty("--hue", hue(item.card.title));
        cover.append(element("span", item.card.title), element("span", (item.authors ?? [])[0] ?? ""));
        return cover;
    }
    const books = element("span", "", "books");
    for (const book of (item.books ?? []).slice(0, 7)) {
        const spine = element("i");
        spine.style.setProperty("--hue", hue(book.title));
        spine.style.setProperty("--size", 55 + hue(book.id) % 45 + "%");
        books.append(spine);
    }
    return books;
};

const isPhoto = (item) => item.id.startsWith("spinebench://shelf/photo/");

const face = (item) => {
    const face = element("span", "", "face");
    face.setAttribute("aria-hidden", "true");
    if (isPhoto(item)) face.classList.add("photo");
    const place = item.place ?? (isPhoto(item) ? { orientation: "upright" } : null);
    if (place && pixels) {
        const canvas = cut(place);
        if (!isPhoto(item)) face.classList.toggle("strip", isStrip(canvas.width, canvas.height));
        face.append(canvas);
        return face;
    }
    const image = element("img");
    image.alt = "";
    image.loading = "lazy";
    image.addEventListener("error", () => image.replaceWith(drawn(item)));
    image.addEventListener("load", () => face.classList.toggle("strip", !isPhoto(item) && isStrip(image.naturalWidth, image.naturalHeight)));
    image.src = "thumbnail?id=" + encodeURIComponent(item.id);
    face.append(image);
    return face;
};

// A share below 1 is never shown as all.
const percent = (share) => (share >= 1 ? 100 : Math.min(99, Math.round(100 * share))) + " % sure";

const tile = (item) => {
    const button = element("button", "", "tile");
    button.type = "button";
    button.append(face(item), element("b", item.card.title), element("small", item.card.subtitle));
    if (item.confidence !== undefined) button.append(element("small", percent(item.confidence)));
    button.addEventListener("click", () => open(item.id, button));
    const place = element("li", "", isPhoto(item) ? "wide" : "");
    place.append(button);
    return place;
};

// A spine without a book: its picture, and the text that was read.
const unread = (spine) => {
    const tile = element("div", "", "tile unread");
    if (pixels) {
        const canvas = cut(spine);
        const strip = element("span", "", isStrip(canvas.width, canvas.height) ? "face strip" : "face");
        strip.setAttribute("aria-hidden", "true");
        strip.append(canvas);
        tile.append(strip);
    }
    tile.append(spine.text.length ? element("q", spine.text.join(" ")) : element("span", "No text"));
    const place = element("li");
    place.append(tile);
    return place;
};

const light = (target, shape) => {
    for (const name of ["mouseenter", "focusin"]) target.addEventListener(name, () => shape?.classList.add("lit"));
    for (const name of ["mouseleave", "focusout"]) target.addEventListener(name, () => shape?.classList.remove("lit"));
};

// Outlines a spine on the photo; a click there shows its tile.
const mark = (spine, target) => {
    if (!spine.outline || !pixels) return null;
    const shape = document.createElementNS(SVG, "polygon");
    shape.setAttribute("points", spine.outline.map((corner) => corner.join(",")).join(" "));
    shape.setAttribute("class", spine.book ? "named" : "open");
    shape.addEventListener("click", (event) => {
        event.preventDefault();
        target?.scrollIntoView({ block: "nearest" });
        target?.querySelector("button")?.focus();
    });
    $("marks").append(shape);
    if (target) {
        light(target, shape);
        light(shape, target.firstChild);
    }
    return shape;
};

const figures = (list, pairs) => {
    list.replaceChildren();
    for (const [name, value] of pairs) if (value !== undefined && value !== "") list.append(element("dt", name), element("dd", String(value)));
};

const seconds = (milliseconds) => milliseconds < 1000 ? Math.round(milliseconds) + " ms" : (milliseconds / 1000).toFixed(1) + " s";
const counted = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;

// Adds the results of an answer to those on the page; the whole answer replaces them.
const take = (answer, known) => {
    if (answer.isComplete) {
        for (const list of ["results", "unnamedlist", "marks"]) $(list).replaceChildren();
        known.tiles.clear();
        known.spines.clear();
    }
    const spines = answer.reading?.spines ?? [];
    $("results").classList.toggle("spines", spines.some((spine) => spine.outline));
    for (const item of answer.results) {
        const place = tile(item);
        known.tiles.get(item.id)?.remove();
        known.tiles.set(item.id, place);
        if (isPhoto(item)) $("results").prepend(place); else $("results").append(place);
    }
    for (const spine of spines) {
        // One that is read again replaces itself; one without a row comes again when its row is known.
        const key = JSON.stringify(spine.outline ?? null);
        const before = known.spines.get(key);
        before?.shape?.remove();
        if (!before?.book) before?.place?.remove();
        const place = spine.book ? known.tiles.get(spine.book) : unread(spine);
        if (!spine.book && spine.outline) $("unnamedlist").append(place);
        const shape = mark(spine, place);
        if (spine.row || answer.isComplete) known.spines.set(key, { book: spine.book, place, shape });
        else shape?.remove();
    }
    const open = $("unnamedlist").children.length;
    $("unnamed").hidden = !open;
    $("unnamed").firstElementChild.textContent = `${counted(open, "spine")} not identified`;
};

const summary = (answer, known) => {
    const all = [...known.spines.values()], named = all.filter((spine) => spine.book).length;
    if (!answer.isComplete) {
        const early = known.tiles.size ? `Reading … ${counted(known.tiles.size, "book")} so far` : "Reading …";
        return all.length ? `Reading … ${named} of ${counted(all.length, "spine")} identified so far` : early;
    }
    const spines = answer.reading?.spines ?? [];
    if (spines.length > 1) return `${named} of ${spines.length} spines identified`;
    if (answer.total) return counted(answer.total, "result");
    if (!answer.reading) return "Nothing found. Check the spelling, or try another title or author.";
    return spines.length || answer.reading.lines.length ? "No book identified. The text that was read is below." : "No text found on the photo.";
};

const ask = async () => {
    const mine = ++number;
    asked = { picture, labels: $("labels").value.trim(), language: $("language").value };
    if (!asked.picture && !asked.labels) {
        asked = null;
        return notify("Add a photo, or enter a title or an author.");
    }
    $("results").replaceChildren();
    $("unnamedlist").replaceChildren();
    $("marks").replaceChildren();
    $("unnamed").hidden = $("how").hidden = true;
    notify(asked.picture ? "Reading …" : "Searching …");
    $("busy").hidden = false;
    const fail = (text) => { if (mine === number) notify(text, true); };
    const body = asked.picture ? await asked.picture.arrayBuffer().catch(() => null) : new ArrayBuffer(0);
    if (!body) return fail("The photo can no longer be read. Add it again.");
    const known = { tiles: new Map(), spines: new Map() };
    const receive = (answer) => {
        if (answer.error) return fail(answer.error);
        take(answer, known);
        notify(summary(answer, known), false, answer.isComplete);
        const reading = answer.isComplete && answer.reading;
        $("how").hidden = !reading;
        if (!reading) return;
        $("how").open = !answer.total && reading.lines.length > 0;
        figures($("figures"), [
            ["Kind of picture", reading.kind], ["Total time", seconds(answer.milliseconds)], ["Decoding", seconds(reading.decodingMilliseconds)],
            ["Reading", seconds(reading.readingMilliseconds)], ["Matching", seconds(reading.matchingMilliseconds)],
        ]);
        $("text").textContent = reading.lines.map((line) => line.text).join(" / ");
    };
    try {
        const query = new URLSearchParams({ labels: asked.labels, language: asked.language });
        const response = await fetch("find?" + query, { method: "POST", body, headers: { "x-spinebench": "1" } });
        await decoding;
        // One line of JSON for each change of the answer.
        const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
            const { value, done } = await lines.read();
            if (mine !== number) return lines.cancel();
            const parts = (rest + (value ?? "")).split("\n");
            rest = parts.pop();
            for (const part of done && rest ? [...parts, rest] : parts) if (part) receive(JSON.parse(part));
            if (done) break;
        }
        if (mine === number && !$("busy").hidden) fail("The answer was cut off. Is the program still running?");
    } catch {
        fail("The program does not respond. Is it still running?");
    }
};

const notify = (text, isBad = false, isEnd = true) => {
    $("state").textContent = text;
    $("state").className = isBad ? "bad" : asked ? "" : "soft";
    $("busy").hidden = $("busy").hidden || isEnd;
    document.body.classList.toggle("asked", Boolean(asked));
    if (!isBad && asked) return;
    for (const list of ["results", "unnamedlist", "marks"]) $(list).replaceChildren();
    $("unnamed").hidden = $("how").hidden = true;
};

const open = async (id, from) => {
    opener = from ?? opener;
    let item;
    try {
        item = await (await fetch("item?" + new URLSearchParams({ id, language: $("language").value }))).json();
    } catch {
        item = { error: "The program does not respond. Is it still running?" };
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
    // What was seen is kept with the item, and is not of the photo that is shown now.
    $("itempicture").replaceChildren(...(item.error ? [] : [face({ ...item, place: undefined })]));
    $("itembooks").replaceChildren(...(item.books ?? []).map((book) => tile({
        ...book, kind: "book", confidence: undefined, place: undefined, card: { title: book.title, subtitle: book.authors.join(", ") },
    })));
    $("itemtitle").focus();
};

const back = () => {
    $("item").hidden = true;
    $("sheet").hidden = false;
    opener?.focus();
};

const search = (file) => {
    decoding = show(file);
    back();
    ask();
};

$("back").addEventListener("click", back);
$("ask").addEventListener("submit", (event) => { event.preventDefault(); back(); ask(); });
$("clear").addEventListener("click", () => {
    show(null);
    $("labels").value = "";
    asked = null;
    number += 1;
    notify(start);
});
$("file").addEventListener("change", () => { if ($("file").files[0]) search($("file").files[0]); });
$("drop").addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); $("file").click(); } });
for (const [name, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
    document.addEventListener(name, (event) => {
        event.preventDefault();
        $("drop").classList.toggle("over", isOver);
        const file = name === "drop" && event.dataTransfer.files[0];
        if (file) search(file);
    });
}
document.addEventListener("paste", (event) => {
    const file = [...event.clipboardData.files].find((one) => one.type.startsWith("image/"));
    if (file) search(file);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !$("item").hidden) back(); });
