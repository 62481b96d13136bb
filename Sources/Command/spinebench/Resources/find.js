// Titles and texts come in as text nodes alone: they are data, never markup.
const hint = byID("hint").textContent, start = byID("state").textContent;
// The photo, the promise of its pixels, the question that is answered, its number, and the tile of the open item.
let picture = null, decoding = null, asked = null, number = 0, opener = null;

const photo = byID("picture");
const show = file => {
    URL.revokeObjectURL(photo.src);
    picture = file;
    byID("marks").replaceChildren();
    const look = (isShown, text) => {
        byID("frame").hidden = !isShown;
        byID("prompt").hidden = isShown;
        byID("drop").classList.toggle("full", isShown);
        byID("hint").textContent = text;
    };
    look(Boolean(file), hint);
    byID("file").value = "";
    if (!file) return photo.removeAttribute("src");
    photo.src = URL.createObjectURL(file);
    photo.alt = file.name || "The photo";
    decoding = photo.decode().then(
        () => byID("marks").setAttribute("viewBox", `0 0 ${photo.naturalWidth} ${photo.naturalHeight}`),
        // A format that the browser cannot show is asked for all the same.
        () => { if (picture === file) look(false, `${file.name}: this browser cannot show the photo, but it is searched.`); });
};
const isShown = () => picture && photo.naturalWidth > 0;

// A place on the photo, turned so that its text is level.
const cut = place => {
    const { src, naturalWidth: width, naturalHeight: height } = photo;
    const corners = place.outline ?? [[0, 0], [width, 0], [width, height], [0, height]];
    const long = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const isTall = long(corners[0], corners[3]) > long(corners[0], corners[1]);
    // The first corner is where the text begins, the second where its first line ends.
    const first = { upright: 0, cw: 1, inverted: 2, ccw: 3 }[place.orientation ?? (isTall ? "cw" : "upright")];
    const [a, b, , d] = corners.map((_, index) => corners[(first + index) % 4]);
    const [wide, high] = [long(a, b) || 1, long(a, d) || 1];
    const turned = new DOMMatrix([(b[0] - a[0]) / wide, (b[1] - a[1]) / wide, (d[0] - a[0]) / high, (d[1] - a[1]) / high, ...a]).inverse();
    return svg("svg", { viewBox: `0 0 ${wide} ${high}` }, svg("image", { href: src, width, height, transform: turned }));
};

const isPhoto = item => item.id.startsWith("spinebench://shelf/photo/");
const face = (item, place = item.place ?? (isPhoto(item) ? { orientation: "upright" } : null)) => {
    const seen = place && isShown() ? cut(place) : html("img", {
        alt: "", loading: "lazy", src: "thumbnail?id=" + encodeURIComponent(item.id), error: event => event.target.parentNode.remove(),
    });
    return html("span", { class: "face", "aria-hidden": "true" }, seen);
};

// A share below 1 is never shown as all.
const percent = share => (share >= 1 ? 100 : Math.min(99, Math.round(100 * share))) + " % sure";
const tile = item => html("li", { class: isPhoto(item) && "wide" }, html("button", { type: "button", class: "tile", click: event => open(item.id, event.currentTarget) },
    face(item), html("b", {}, item.card.title), html("small", {}, item.card.subtitle), item.confidence !== undefined && html("small", {}, percent(item.confidence))));
// A spine without a book: its picture, and the text that was read.
const unread = spine => html("li", {}, html("div", { class: "tile unread" }, isShown() && html("span", { class: "face", "aria-hidden": "true" }, cut(spine)),
    spine.text.length ? html("q", {}, spine.text.join(" ")) : html("span", {}, "No text")));

// Outlines a spine on the photo; a click there shows its tile, and either is lit with the other.
const mark = (spine, target) => {
    if (!spine.outline || !isShown()) return null;
    const shape = svg("polygon", {
        points: spine.outline.join(" "), class: spine.book ? "named" : "open",
        click: event => {
            event.preventDefault();
            target?.scrollIntoView({ block: "nearest" });
            target?.querySelector("button")?.focus();
        },
    });
    byID("marks").append(shape);
    for (const [name, isLit] of [["mouseenter", true], ["focusin", true], ["mouseleave", false], ["focusout", false]]) {
        target?.addEventListener(name, () => shape.classList.toggle("lit", isLit));
        shape.addEventListener(name, () => target?.firstChild.classList.toggle("lit", isLit));
    }
    return shape;
};

const figures = (list, pairs) => list.replaceChildren(...pairs.filter(([, value]) => value !== undefined && value !== "")
    .flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, String(value))]));
const seconds = milliseconds => milliseconds < 1000 ? Math.round(milliseconds) + " ms" : (milliseconds / 1000).toFixed(1) + " s";
const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
const clear = () => {
    for (const list of ["results", "unnamedlist", "marks"]) byID(list).replaceChildren();
    byID("unnamed").hidden = byID("how").hidden = true;
};

// Adds the results of an answer to those on the page; the whole answer replaces them.
const take = (answer, known) => {
    if (answer.isComplete) {
        clear();
        known.tiles.clear();
        known.spines.clear();
    }
    // A spine without a row comes again when its row is known.
    const spines = (answer.reading?.spines ?? []).filter(spine => spine.row || answer.isComplete);
    byID("results").classList.toggle("spines", spines.some(spine => spine.outline));
    for (const item of answer.results) {
        known.tiles.set(item.id, tile(item));
        byID("results")[isPhoto(item) ? "prepend" : "append"](known.tiles.get(item.id));
    }
    for (const spine of spines) {
        // One that is read again replaces itself.
        const key = String(spine.outline), before = known.spines.get(key);
        before?.shape?.remove();
        if (!before?.book) before?.place.remove();
        const place = spine.book ? known.tiles.get(spine.book) : unread(spine);
        if (!spine.book && spine.outline) byID("unnamedlist").append(place);
        known.spines.set(key, { book: spine.book, place, shape: mark(spine, place) });
    }
    const open = byID("unnamedlist").children.length;
    byID("unnamed").hidden = !open;
    byID("unnamed").firstElementChild.textContent = `${counted(open, "spine")} not identified`;
};

const summary = (answer, known) => {
    const all = [...known.spines.values()], named = all.filter(spine => spine.book).length;
    if (!answer.isComplete) {
        const early = known.tiles.size ? ` ${counted(known.tiles.size, "book")} so far` : "";
        return "Reading …" + (all.length ? ` ${named} of ${counted(all.length, "spine")} identified so far` : early);
    }
    if (all.length > 1) return `${named} of ${all.length} spines identified`;
    if (answer.total) return counted(answer.total, "result");
    if (!answer.reading) return "Nothing found. Check the spelling, or try another title or author.";
    return all.length || answer.reading.lines.length ? "No book identified. The text that was read is below." : "No text found on the photo.";
};

const notify = (text, isBad = false, isEnd = true) => {
    byID("state").textContent = text;
    byID("state").className = isBad ? "bad" : asked ? "" : "soft";
    byID("busy").hidden ||= isEnd;
    document.body.classList.toggle("asked", Boolean(asked));
    if (isBad || !asked) clear();
};

const ask = async () => {
    const mine = ++number, labels = byID("labels").value.trim();
    asked = picture || labels ? { picture, labels, language: byID("language").value } : null;
    clear();
    if (!asked) return notify("Add a photo, or enter a title or an author.");
    notify(picture ? "Reading …" : "Searching …");
    byID("busy").hidden = false;
    const fail = text => { if (mine === number) notify(text, true); };
    const body = picture ? await picture.arrayBuffer().catch(() => null) : new ArrayBuffer(0);
    if (!body) return fail("The photo can no longer be read. Add it again.");
    const known = { tiles: new Map(), spines: new Map() };
    const receive = answer => {
        if (answer.error) return fail(answer.error);
        take(answer, known);
        notify(summary(answer, known), false, answer.isComplete);
        const reading = answer.isComplete && answer.reading;
        byID("how").hidden = !reading;
        if (!reading) return;
        byID("how").open = !answer.total && reading.lines.length > 0;
        figures(byID("figures"), [["Kind of picture", reading.kind], ...[["Total time", answer.milliseconds], ["Decoding", reading.decodingMilliseconds],
            ["Reading", reading.readingMilliseconds], ["Matching", reading.matchingMilliseconds]].map(([name, time]) => [name, seconds(time)])]);
        byID("text").textContent = reading.lines.map(line => line.text).join(" / ");
    };
    try {
        const query = new URLSearchParams({ labels, language: asked.language });
        const response = await fetch("find?" + query, { method: "POST", body, headers: { "x-spinebench": "1" } });
        await decoding;
        // One line of JSON for each change of the answer.
        const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let rest = "";;) {
            const { value, done } = await lines.read();
            if (mine !== number) return lines.cancel();
            const parts = (rest + (value ?? "\n")).split("\n");
            rest = parts.pop();
            for (const part of parts.filter(Boolean)) receive(JSON.parse(part));
            if (done) break;
        }
        if (mine === number && !byID("busy").hidden) fail("The answer was cut off. Is the program still running?");
    } catch {
        fail("The program does not respond. Is it still running?");
    }
};

const open = async (id, from) => {
    opener = from;
    const item = await fetch("item?" + new URLSearchParams({ id, language: byID("language").value })).then(answer => answer.json())
        .catch(() => ({ error: "The program does not respond. Is it still running?" }));
    const { card, books = [], authors = [] } = item;
    byID("sheet").hidden = true;
    byID("item").hidden = false;
    byID("itemtitle").textContent = item.error ?? card.title;
    byID("itemsubtitle").textContent = card?.subtitle ?? "";
    figures(byID("itemfields"), [["Kind", card?.typeName], ["Authors", authors.join(", ")], ["ISBN", item.isbn], ["Series", item.series], ["Year", item.year],
        ["Scanned", item.scannedOn], ["URL", item.id]]);
    // What was seen is kept with the item, and is not of the photo that is shown now.
    byID("itempicture").replaceChildren(...(card ? [face(item, null)] : []));
    byID("itembooks").replaceChildren(...books.map(book =>
        tile({ ...book, confidence: undefined, place: undefined, card: { title: book.title, subtitle: book.authors.join(", ") } })));
    byID("itemtitle").focus();
};
const back = () => {
    byID("item").hidden = true;
    byID("sheet").hidden = false;
    opener?.focus();
};

const search = file => {
    if (file) show(file);
    back();
    ask();
};
byID("back").addEventListener("click", back);
byID("ask").addEventListener("submit", event => { event.preventDefault(); search(); });
byID("clear").addEventListener("click", () => {
    show(null);
    byID("labels").value = "";
    asked = null;
    number += 1;
    notify(start);
});
byID("file").addEventListener("change", event => { if (event.target.files[0]) search(event.target.files[0]); });
byID("drop").addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); byID("file").click(); } });
for (const name of ["dragover", "dragleave", "drop"]) document.addEventListener(name, event => {
    event.preventDefault();
    byID("drop").classList.toggle("over", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) search(event.dataTransfer.files[0]);
});
document.addEventListener("paste", event => {
    const file = [...event.clipboardData.files].find(one => one.type.startsWith("image/"));
    if (file) search(file);
});
document.addEventListener("keydown", event => { if (event.key === "Escape" && !byID("item").hidden) back(); });
