"use strict";
// Texts come in by textContent alone: what was captured is data, never markup.
const $ = (id) => document.getElementById(id);
const sessionsAPage = 50, itemsAPage = 100;
const wide = matchMedia("(min-width: 52.01rem)");
const states = { queued: "Waiting", processing: "Processing …", ready: "Ready", failed: "Failed", review: "To review", archived: "Archived" };
const signs = { shelf: "▥", book: "▯", web: "⌘", text: "¶", document: "▤", qrCode: "▦", place: "⌖", image: "▢" };
// What is on the page: sessions in the sidebar, and the session or the item that is open.
let sessions = [], sessionCount = sessionsAPage, itemCount = itemsAPage, open = null, opener = null, tiles = new Map();
// What is under way: the latest look wins, and none is taken while something is being done.
let turn = 0, doing = 0, isLooking = false, isStale = false;

const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined && text !== "") made.textContent = String(text);
    if (className) made.className = className;
    return made;
};

const button = (text, className, key, action) => {
    const made = element("button", text, className);
    made.type = "button";
    made.dataset.key = key;
    made.addEventListener("click", action);
    return made;
};

const within = (name, ...nodes) => {
    const made = element(name);
    made.append(...nodes);
    return made;
};

/** Puts nodes into a list; who had the focus has it again. */
const refill = (list, nodes) => {
    const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    list.replaceChildren(...nodes);
    if (key !== undefined) list.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
};

const say = (text, isBad = false) => {
    $("status").textContent = text;
    $("status").className = isBad ? "bad" : "";
};

const time = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
const nameOf = (session) => session.title || time(session.createdAt);
const known = (values) => values.filter((value) => value !== undefined && value !== null && value !== "");
const percent = (value) => (value === undefined ? undefined : `${Math.round(100 * value)} % sure`);
const badge = (state) => element("span", states[state] ?? state, "badge " + state);
const pictureOf = (id, role) => `picture?id=${encodeURIComponent(id)}&role=${role}`;

// MARK: Asking

const ask = async (path, query = {}, options = {}) => {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
    const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    let response;
    try {
        response = await fetch(path + (text && "?" + text), options);
    } catch {
        throw new Error("The program does not answer. Is it still running?");
    }
    const body = await response.text();
    if (response.ok) return body;
    let problem = body.trim();
    try { problem = JSON.parse(body).error ?? problem; } catch { /* It is said in plain words. */ }
    throw new Error(problem || `The program answers ${response.status}.`);
};

const post = async (path, query, body, type) => {
    const headers = { "x-spinebench": "1" };
    if (type) headers["content-type"] = type;
    return JSON.parse(await ask(path, query, { method: "POST", body, headers }));
};

/** Does something, says how it ended, and looks at what there is then. */
const act = async (work) => {
    doing += 1;
    try {
        const words = await work();
        if (words) say(words);
    } catch (error) {
        say(error.message, true);
    }
    doing -= 1;
    await look();
};

/** Asks a person; the answer is null when there is none. */
const question = (text, yes, { words, choices } = {}) => new Promise((resolve) => {
    $("question").textContent = text;
    $("yes").textContent = yes;
    $("yes").className = words === undefined && !choices ? "bad" : "";
    $("words").hidden = words === undefined;
    $("words").value = words ?? "";
    $("choices").hidden = !choices;
    $("choices").replaceChildren(...(choices ?? []).map(([value, name]) => Object.assign(element("option", name), { value })));
    $("dialog").returnValue = "";
    $("dialog").onclose = () => {
        if ($("dialog").returnValue !== "yes") return resolve(null);
        resolve(words !== undefined ? $("words").value.trim() : choices ? $("choices").value : "yes");
    };
    $("dialog").showModal();
    (words !== undefined ? $("words") : choices ? $("choices") : $("no")).focus();
});
$("answer").addEventListener("submit", (event) => { event.preventDefault(); $("dialog").close("yes"); });
$("no").addEventListener("click", () => $("dialog").close(""));

// MARK: Looking

/** Looks at sessions, day and what is open; more than once at a time never. */
const look = async () => {
    if (isLooking || doing) { isStale = true; return; }
    isLooking = true;
    isStale = false;
    const start = performance.now();
    try {
        await Promise.all([lookAtSessions(), lookAtDay()]);
        await lookAtPlace(false);
    } catch (error) {
        say(error.message, true);
    }
    // A page that is slow to look at is looked at less often.
    const pause = Math.max(100, 2 * (performance.now() - start));
    setTimeout(() => { isLooking = false; if (isStale && !doing) look(); }, pause);
};

let sessionsText, dayText;
const lookAtSessions = async () => {
    const found = [], wanted = sessionCount + 1;
    while (found.length < wanted) {
        const limit = Math.min(200, wanted - found.length);
        const page = JSON.parse(await ask("api/sessions", { limit, from: found.length }));
        found.push(...page);
        if (page.length < limit) break;
    }
    const text = JSON.stringify(found);
    if (text === sessionsText) return;
    sessionsText = text;
    sessions = found.slice(0, sessionCount);
    refill($("sessions"), sessions.map(({ session, items, unfinished }) => {
        const row = button("", "", session.id, () => go("session", session.id, row));
        row.append(element("b", nameOf(session)), unfinished ? element("span", `${unfinished} waiting`, "badge queued") : badge("ready"));
        row.append(element("small", known([session.title && time(session.createdAt), counted(items, "item")]).join(" · ")));
        return within("li", row);
    }));
    $("none").hidden = sessions.length > 0;
    $("moresessions").hidden = found.length <= sessionCount;
    markOpen();
};

const lookAtDay = async () => {
    const text = await ask("api/day");
    if (text === dayText) return;
    dayText = text;
    $("story").textContent = JSON.parse(text).story ?? "Nothing was told of today yet.";
};

const place = () => location.hash.slice(1).split("/");
const go = (kind, id, from) => {
    opener = from ?? opener;
    const hash = kind ? `#${kind}/${id}` : "#";
    if (location.hash === hash) $(kind === "item" ? "itemtitle" : "title").focus(); else location.hash = hash;
};

/** Looks at the session or the item that the address names. */
const lookAtPlace = async (isNew) => {
    const mine = ++turn, [kind, id] = place();
    let text = "";
    try {
        if (kind === "session" || kind === "item") text = await ask("api/" + kind, { id });
    } catch (error) {
        if (mine !== turn) return;
        say(error.message, true);
        open = null;
    }
    if (mine !== turn || (text && open?.text === text)) return;
    const old = open;
    open = text ? { ...JSON.parse(text), text } : null;
    const isItem = Boolean(open?.item), isSession = Boolean(open) && !isItem;
    $("session").hidden = !isSession;
    $("item").hidden = !isItem;
    $("hint").hidden = Boolean(open);
    $("herelabel").hidden = !open;
    document.querySelector("main").classList.toggle("open", Boolean(open));
    document.title = open ? `${isItem ? open.item.title : nameOf(open.session)} – Studio` : "Studio";
    markOpen();
    if (isSession) {
        if (tiles.session !== id) [tiles, itemCount] = [Object.assign(new Map(), { session: id }), itemsAPage];
        showSession();
    }
    if (isItem) showItem(old?.item?.id !== id);
    if (!isNew) return;
    if (opener?.isConnected && !isItem && opener.closest("section, nav")?.checkVisibility() && old?.item) opener.focus();
    else if (open) $(isItem ? "itemtitle" : "title").focus({ preventScroll: wide.matches && isSession });
    else if (old) document.querySelector(`#sessions [data-key="${CSS.escape(old.session?.id ?? old.item.sessionID)}"]`)?.focus();
};

const markOpen = () => {
    const id = open?.session?.id ?? open?.item?.sessionID;
    for (const row of $("sessions").querySelectorAll("button")) row.setAttribute("aria-current", String(row.dataset.key === id));
};

// MARK: A session

const chips = (list, tags, id) => refill(list, tags.map((tag) => within("li", button(tag, "chip", tag, () => act(async () => {
    await post("api/rename", { id, tag });
    return `The session is named “${tag}”.`;
})))));

const showSession = () => {
    const { session, items } = open;
    $("title").textContent = nameOf(session);
    $("when").textContent = known([
        session.title && time(session.createdAt), counted(items.length, "item"), session.placeName && `at ${session.placeName}`,
        point(session.coordinate), session.purpose, session.narrator && `told by ${session.narrator}`,
    ]).join(" · ");
    $("summary").textContent = session.summary ?? "";
    chips($("tags"), session.tags, session.id);
    const ids = new Set(items.map((item) => item.id)), found = Map.groupBy(items, (item) => item.parentID);
    const captures = items.filter((item) => !ids.has(item.parentID));
    // What was found in an item is below it, however deep; a page of a large session ends in the midst of it.
    let room = itemCount;
    const below = (item) => (found.get(item.id) ?? []).flatMap((child) => (room-- > 0 ? [within("li", tile(child)), ...below(child)] : []));
    const cards = [];
    for (const item of captures) {
        if (room-- <= 0) break;
        const card = within("li", tile(item)), children = below(item);
        if (children.length) {
            card.className = "parent";
            card.append(Object.assign(within("ol", ...children), { className: "found" }));
        }
        cards.push(card);
    }
    refill($("items"), cards);
    $("moreitems").hidden = items.length <= itemCount;
};

/** A card of an item; the same one as long as the session is open, so that pictures stand still. */
const tile = (item) => {
    const card = tiles.get(item.id) ?? button("", "tile", item.id, () => go("item", item.id, card));
    const text = JSON.stringify(item);
    if (card.drawn === text) return card;
    const source = item.hasThumbnail ? "thumbnail" : item.kind === "image" && !item.parentID ? "original" : undefined;
    let picture = card.source === source && card.firstChild;
    if (!picture) {
        const blank = () => element("span", signs[item.kind] ?? "◇", "blank");
        picture = source ? element("img") : blank();
        if (source) {
            Object.assign(picture, { alt: "", loading: "lazy", decoding: "async" });
            picture.addEventListener("error", () => picture.replaceWith(blank()));
            picture.src = pictureOf(item.id, source);
        }
    }
    card.replaceChildren(picture, element("b", item.title || "Without a title"), badge(item.state), element("small", item.kind));
    Object.assign(card, { drawn: text, source });
    tiles.set(item.id, card);
    return card;
};

// MARK: An item

const point = (at) => at && `${Math.abs(at.latitude).toFixed(5)}° ${at.latitude < 0 ? "S" : "N"}, ${Math.abs(at.longitude).toFixed(5)}° ${at.longitude < 0 ? "W" : "E"}`;

/** An address of the web that may be opened; undefined for any other. */
const webAddress = (text) => {
    const url = URL.parse(text ?? "");
    return url && ["http:", "https:"].includes(url.protocol) ? url : undefined;
};

const link = (url) => Object.assign(element("a", url.href), { href: url.href, rel: "noopener noreferrer", target: "_blank" });
const part = (name, ...nodes) => (nodes.length ? [within("div", element("h3", name), ...nodes)] : []);
const lines = (texts) => (texts.length ? [within("ul", ...texts.map((text) => element("li", text)))] : []);
const fields = (pairs) => {
    const some = pairs.filter(([, value]) => known([value]).length);
    return some.length ? [within("dl", ...some.flatMap(([name, value]) => [element("dt", name), element("dd", value)]))] : [];
};
const bookFields = (book) => [
    ["Book", book?.title], ["Authors", book?.authors?.join(", ")], ["ISBN", book?.isbn], ["Publisher", book?.publisher],
    ["Year", book?.year], ["Confidence", percent(book?.confidence)],
];

const showItem = (isNew) => {
    const { item, children } = open, data = item.enrichment, place = data.placeContext, web = data.webContext;
    // Roles and names of files take turns where a coder makes a list of them.
    const roles = Array.isArray(item.pictures) ? item.pictures.filter((_, index) => index % 2 === 0) : Object.keys(item.pictures);
    const role = ["original", "thumbnail"].find((name) => roles.includes(name));
    if (isNew || $("picture").hidden) {
        $("picture").hidden = !role;
        $("picture").onerror = () => {
            const isLast = !roles.includes("thumbnail") || $("picture").src.endsWith("thumbnail");
            if (isLast) $("picture").hidden = true; else $("picture").src = pictureOf(item.id, "thumbnail");
        };
        if (role) $("picture").src = pictureOf(item.id, role); else $("picture").removeAttribute("src");
    }
    $("itemtitle").textContent = item.title || "Without a title";
    $("picture").alt = item.title;
    $("itemstate").replaceChildren(badge(item.state), " " + known([item.kind, time(item.capturedAt), item.source]).join(" · "));
    $("itemsummary").textContent = item.summary ?? "";
    chips($("itemtags"), item.tags, item.sessionID);
    const row = (child, ...words) => within("li", button(known(words).join(" · "), "tile", child.id, () => go("item", child.id)));
    const list = (some, words) => (some.length ? [Object.assign(within("ul", ...some.map((child) => row(child, ...words(child)))), { className: "found" })] : []);
    const books = children.filter((child) => child.kind === "book"), codes = children.filter((child) => child.kind !== "book" && child.enrichment.qrContext);
    const others = children.filter((child) => !books.includes(child) && !codes.includes(child));
    const address = webAddress(web?.url ?? item.url), code = data.qrContext;
    refill($("parts"), [
        ...(item.lastError ? [element("p", `Failed: ${item.lastError}`, "bad")] : []),
        ...(item.parentID ? [within("p", button("Found in another item: see it", "", item.parentID, () => go("item", item.parentID)))] : []),
        ...part("What it shows", ...lines(item.statements), ...fields([["Purpose", item.purposes.join(", ")]])),
        ...(item.url || web ? part("Web preview", ...(address ? [element("p", address.host, "soft"), link(address)] : fields([["Address", item.url]])),
            ...fields([["Site", web?.siteName], ["Title", data.title], ["Description", data.descriptionText]]),
            ...(web?.textContent ? [element("p", web.textContent, "text")] : [])) : []),
        ...part("Book", ...fields(bookFields(data.bookContext))),
        ...part("Books", ...list(books, ({ title, enrichment: { bookContext: book } }) => [
            book?.title ?? title, book?.authors?.join(", "), book?.year, book?.isbn && `ISBN ${book.isbn}`, percent(book?.confidence),
        ])),
        ...part("Code", ...fields([["Kind", code?.symbology], ["Content", code?.payload]])),
        ...part("Codes", ...list(codes, ({ title, enrichment: { qrContext } }) => [qrContext.symbology, qrContext.payload, title !== qrContext.payload && title])),
        ...part("Also found", ...list(others, (child) => [child.title, child.kind])),
        ...part("Recognised text", ...(item.media.transcription ? [element("p", item.media.transcription, "text")] : [])),
        ...part("Place", ...fields([
            ["Name", place?.name ?? data.location], ["Address", place?.address], ["At", point(item.coordinate)], ["Telephone", place?.phoneNumber],
            ["Website", place?.website], ["Rating", place?.rating], ["Kinds", place?.categories?.join(", ")],
        ]), ...lines(place?.tips ?? [])),
        ...part("More", ...fields([
            ...(item.url || web ? [] : [["Title", data.title], ["Description", data.descriptionText]]),
            ["Kinds", data.categories.join(", ")], ["Price", data.price], ["Rating", data.rating],
            ["Weather", data.weatherContext && `${data.weatherContext.condition}, ${data.weatherContext.temperatureCelsius} °C`],
            ["Activity", data.activityContext && `${data.activityContext.type} (${data.activityContext.confidence})`],
            ["Music", known([data.musicContext?.title, data.musicContext?.artists?.join(", "), data.musicContext?.album]).join(" · ")],
            ["Pages", data.documentContext?.pageCount], ["Labels", Object.keys(item.labels).sort().join(", ")], ["File", item.media.filename],
            ["Bytes", item.media.fileSize],
        ]), ...lines(data.questions)),
        ...part("What happened", ...lines(item.log.map((event) => `${time(event.at)} · ${event.stage}: ${event.outcome}`))),
    ]);
};

// MARK: Capturing

/** Captures one thing after the other into one session, the one that is open or a new one. */
const capture = (things) => act(async () => {
    const isHere = !$("herelabel").hidden && $("here").checked, problems = [];
    let into = isHere ? open?.session?.id ?? open?.item?.sessionID : undefined, kept = 0;
    for (const [index, thing] of things.entries()) {
        say(`Capturing ${index + 1} of ${things.length} …`);
        try {
            const written = typeof thing === "string" && JSON.stringify(/^https?:/i.test(thing) ? { url: thing } : { text: thing });
            const item = written
                ? await post("api/capture", { session: into, name: "note" }, written, "application/json")
                : await post("api/capture", { session: into, name: thing.name || "picture" }, thing, "application/octet-stream");
            into ??= item.sessionID;
            kept += 1;
        } catch (error) {
            problems.push(error.message);
        }
    }
    if (kept && !isHere) location.hash = `#session/${into}`;
    if (problems.length) throw new Error(known([kept && `${kept} captured.`, ...problems]).join(" "));
    return `${kept} captured.`;
});

const takeFrom = (data) => {
    const text = (data.getData("text/uri-list").split(/\r?\n/).find((line) => line && !line.startsWith("#")) || data.getData("text/plain")).trim();
    const things = data.files.length ? [...data.files] : known([text]);
    if (things.length) capture(things);
    return things.length > 0;
};

for (const [name, opening] of [["file", "choose"], ["camera", "take"]]) {
    $(opening).addEventListener("click", () => $(name).click());
    $(name).addEventListener("change", () => {
        if ($(name).files.length) capture([...$(name).files]).then(() => { $(name).value = ""; });
    });
}
$("capture").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = $("address").value.trim();
    if (!text) return $("address").focus();
    $("address").value = "";
    capture([text]);
});
for (const [name, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
    document.addEventListener(name, (event) => {
        event.preventDefault();
        document.body.classList.toggle("over", isOver);
        if (name === "drop") takeFrom(event.dataTransfer);
    });
}
document.addEventListener("paste", (event) => {
    if (!event.target.closest?.("input, select, dialog") && takeFrom(event.clipboardData)) event.preventDefault();
});

// MARK: Doing

const onSession = (name, work) => $(name).addEventListener("click", () => work(open.session.id, nameOf(open.session)));
onSession("rename", async (id, name) => {
    const title = await question("Title of the session", "Rename", { words: name });
    if (title) act(async () => { await post("api/rename", { id, title }); return `The session is named “${title}”.`; });
});
onSession("duplicate", (id) => act(async () => {
    const copy = await post("api/duplicate", { id });
    location.hash = `#session/${copy.id}`;
    return `“${copy.title}” was made.`;
}));
onSession("reprocess", (id) => act(async () => `${counted((await post("api/reprocess", { id })).waiting, "item")} will be looked at again.`));
onSession("merge", async (id, name) => {
    const choices = sessions.filter((one) => one.session.id !== id)
        .map(({ session, items }) => [session.id, known([nameOf(session), session.title && time(session.createdAt), counted(items, "item")]).join(" · ")]);
    if (!choices.length) return say("There is no other session to merge it into.", true);
    const into = await question(`Into which session do the items of “${name}” go?`, "Merge", { choices });
    if (into) act(async () => { await post("api/merge", { id, into }); location.hash = `#session/${into}`; return "They are merged."; });
});
onSession("delete", async (id, name) => {
    const items = counted(open.items.length, "item");
    if (!await question(`Delete “${name}” with ${items}? Nothing brings it back.`, "Delete")) return;
    act(async () => { await post("api/delete", { id }); location.hash = "#"; return `“${name}” was deleted.`; });
});
$("deleteitem").addEventListener("click", async () => {
    const { item, children } = open, more = children.length ? ` and ${children.length} found in it` : "";
    if (!await question(`Delete “${item.title || "the item"}”${more}? Nothing brings it back.`, "Delete")) return;
    act(async () => {
        await post("api/delete", { item: item.id });
        const isLeft = (await ask("api/sessions", { limit: 200 })).includes(item.sessionID);
        location.hash = isLeft ? `#session/${item.sessionID}` : "#";
        return "The item was deleted.";
    });
});

// MARK: Moving

const back = () => (open?.item ? go(open.item.parentID ? "item" : "session", open.item.parentID ?? open.item.sessionID) : go());
for (const made of document.querySelectorAll(".back")) made.addEventListener("click", back);
$("moresessions").addEventListener("click", async () => {
    sessionCount += sessionsAPage;
    await lookAtSessions().catch((error) => say(error.message, true));
    $("sessions").children[sessionCount - sessionsAPage]?.firstChild.focus();
});
$("moreitems").addEventListener("click", () => { itemCount += itemsAPage; showSession(); });
addEventListener("hashchange", () => lookAtPlace(true));
document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && open) return back();
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key], rows = [...$("sessions").querySelectorAll("button")];
    const isInside = $("sessions").contains(document.activeElement);
    if (!step || !rows.length || (event.key.startsWith("Arrow") && !isInside)) return;
    event.preventDefault();
    const at = isInside ? rows.indexOf(document.activeElement) : rows.findIndex((row) => row.getAttribute("aria-current") === "true");
    rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))].focus();
});

const events = new EventSource("events");
events.addEventListener("message", (event) => {
    const { unfinished } = JSON.parse(event.data);
    $("live").textContent = unfinished ? `${unfinished} waiting` : "Up to date";
    look();
});
events.addEventListener("error", () => {
    const isClosed = events.readyState === EventSource.CLOSED;
    $("live").textContent = isClosed ? "Not connected: open the address that 'spinebench studio' printed." : "Connecting …";
});
look().then(() => {
    // On a narrow page the list is the first thing to see.
    if (wide.matches && !open && !place()[0] && sessions.length) history.replaceState(null, "", `#session/${sessions[0].session.id}`);
    if (!open && place()[0]) lookAtPlace(false);
});
