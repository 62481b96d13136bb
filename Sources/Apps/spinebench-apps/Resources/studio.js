"use strict";
// Texts come in as text nodes alone: what was captured is data, never markup.
const $ = (id) => document.getElementById(id);
const sessionsAPage = 50, itemsAPage = 100, isWide = matchMedia("(min-width: 52.01rem)").matches;
const states = { queued: "Waiting", processing: "Processing …", ready: "Ready", failed: "Failed", review: "To review", archived: "Archived" };
const signs = { shelf: "▥", book: "▯", web: "⌘", text: "¶", document: "▤", qrCode: "▦", place: "⌖", image: "▢" };
// The sessions in the sidebar, the session or item that is open, and the address that it was shown for.
let sessions = [], sessionCount = sessionsAPage, itemCount = itemsAPage, open = null, shown, tiles = new Map();
// The last look at a place wins; nobody looks while something is being done.
let turn = 0, doing = 0, isLooking = false, isStale = false, sessionsText, dayText;

// Characters that control a terminal, or turn what stands behind them round, are not shown: a title could feign another one.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const read = (text) => JSON.parse(text, (_, value) => typeof value === "string" ? value.replace(controls, "") : value);
const known = (values) => values.filter((value) => value !== undefined && value !== null && value !== "" && value !== false);
// Characters of a text that are shown at once.
const most = 20_000;
/** A text as it is shown: bounded, with places to break in long words, and eight marks on a letter at most. A browser lays out others for minutes. */
const bounded = (text) => {
    if (typeof text !== "string" || text.length < 200) return text;
    const rest = text.length - most, cut = rest > 0 ? `${text.slice(0, most)} … (${rest.toLocaleString("en")} characters more)` : text;
    return cut.replace(/(\p{M}{8})\p{M}+/gu, "$1").replace(/\S{100}(?=\S)/gu, "$&\u200b");
};
const element = (name, className, ...children) => {
    const made = document.createElement(name);
    made.className = className;
    made.append(...known(children).map(bounded));
    return made;
};
const button = (className, key, action, ...children) => {
    const made = Object.assign(element("button", className, ...children), { type: "button", onclick: action });
    made.dataset.key = key;
    return made;
};
const keyed = (list, key) => list.querySelector(`[data-key="${CSS.escape(key)}"]`);
/** Puts nodes into a list; who had the focus has it again. */
const refill = (list, nodes) => {
    const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    list.replaceChildren(...nodes);
    if (key !== undefined) keyed(list, key)?.focus();
};
const notify = (text, isBad = false) => {
    $("status").textContent = text;
    $("status").className = isBad ? "bad" : "";
};

// Made once, and not before it must be: a new browser takes some 20 ms for the first.
let clock;
const time = (text) => (clock ??= new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })).format(new Date(text));
const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
// What is written from right to left turns nothing else round.
const joined = (...parts) => known(parts).map((one) => /[\u0590-\u08ff\ufb1d-\ufefc]/.test(one) ? `\u2068${one}\u2069` : one).join(" · ");
const nameOf = (session) => session.title || time(session.createdAt);
const timeOf = (session) => session.title && time(session.createdAt);
const percent = (value) => value === undefined ? undefined : `${Math.round(100 * value)} % sure`;
const badge = (state) => element("span", "badge " + state, states[state] ?? state);
const pictureOf = (id, role) => `picture?id=${encodeURIComponent(id)}&role=${role}`;
const degrees = (value, signs) => `${Math.abs(value).toFixed(5)}° ${signs[value < 0 ? 1 : 0]}`;
const point = (at) => at && `${degrees(at.latitude, "NS")}, ${degrees(at.longitude, "EW")}`;

// MARK: Asking

const ask = async (path, query = {}, options = {}) => {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
    const response = await fetch(path + "?" + pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&"), options)
        .catch(() => { throw new Error("The program does not answer. Is it still running?"); });
    const body = await response.text();
    if (response.ok) return body;
    let problem = body.trim();
    try { problem = JSON.parse(body).error; } catch { /* The answer is plain text. */ }
    throw Object.assign(new Error(problem || `The program answers ${response.status}.`), { status: response.status });
};
const post = async (path, query, body, type = "application/octet-stream") =>
    read(await ask(path, query, { method: "POST", body, headers: { "x-spinebench": "1", "content-type": type } }));

/** Runs an action, reports its result, and loads the sessions again. */
const act = async (work) => {
    doing += 1;
    try { notify(await work()); } catch (error) { notify(error.message, true); }
    doing -= 1;
    await look();
};

/** Asks a person, for words or one of some choices or a mere yes; the answer is null when there is none. */
const question = (text, yes, { words, choices } = {}) => new Promise((resolve) => {
    const [dialog, field] = [$("dialog"), words !== undefined ? $("words") : choices ? $("choices") : $("no")];
    $("question").textContent = text;
    $("yes").textContent = yes;
    $("yes").className = field === $("no") ? "bad" : "";
    $("words").hidden = words === undefined;
    $("words").value = words ?? "";
    $("choices").hidden = !choices;
    $("choices").replaceChildren(...(choices ?? []).map(([value, name]) => new Option(name, value)));
    dialog.returnValue = "";
    dialog.onclose = () => {
        // Word of an earlier close may come when it is open again.
        if (!dialog.open) resolve(dialog.returnValue === "yes" ? (field === $("no") ? "yes" : field.value.trim()) : null);
    };
    dialog.showModal();
    field.focus();
});
$("answer").onsubmit = (event) => { event.preventDefault(); $("dialog").close("yes"); };
$("no").onclick = () => $("dialog").close("");

// MARK: Looking

/** Looks at sessions, day and what is open: never twice at a time, and the less often the longer it takes. */
const look = async () => {
    isStale = isLooking || doing > 0;
    if (isStale) return;
    isLooking = true;
    const start = performance.now();
    try {
        await Promise.all([lookAtSessions(), lookAtDay()]);
        if (!doing) await lookAtPlace();
    } catch (error) { notify(error.message, true); }
    setTimeout(() => { isLooking = false; if (isStale) look(); }, Math.max(100, 2 * (performance.now() - start)));
};

const lookAtSessions = async () => {
    const found = [];
    for (let limit; (limit = Math.min(200, sessionCount + 1 - found.length)) > 0;) {
        const page = read(await ask("api/sessions", { limit, from: found.length, archived: $("archived").checked ? 1 : undefined }));
        found.push(...page);
        if (page.length < limit) break;
    }
    if (JSON.stringify(found) === sessionsText) return;
    sessionsText = JSON.stringify(found);
    sessions = found.slice(0, sessionCount);
    refill($("sessions"), sessions.map(({ session, items, unfinished, failed, isArchived }) => {
        const state = isArchived ? badge("archived") : unfinished ? element("span", "badge queued", `${unfinished} waiting`)
            : failed ? element("span", "badge failed", `${failed} failed`) : badge("ready");
        return element("li", "", button("", session.id, () => go("session", session.id), element("b", "", nameOf(session)), state,
            element("small", "", joined(timeOf(session), counted(items, "item")))));
    }));
    $("none").hidden = sessions.length > 0;
    $("none").textContent = $("archived").checked ? "No archived sessions." : "Nothing was captured yet.";
    $("moresessions").hidden = found.length <= sessionCount;
    markOpen();
};

/** Shows what is near to a text; nothing for an empty one. */
const find = async () => {
    const q = $("about").value.trim(), archived = $("archived").checked ? 1 : undefined;
    const { hits, left } = q ? read(await ask("api/search", { q, archived })) : { hits: [], left: 0 };
    if (q !== $("about").value.trim()) return;
    refill($("found"), hits.map(({ item, title }) =>
        element("li", "", button("tile", item, () => go("item", item), element("b", "", title || "Without a title")))));
    if (left) {
        notify(`Results of the indexed items only; ${counted(left, "item")} not indexed yet.`);
        setTimeout(() => find().catch((error) => notify(error.message, true)), 20);
    } else if (q) notify(hits.length ? `${hits.length} found.` : "No results.");
};
$("find").onsubmit = (event) => { event.preventDefault(); find().catch((error) => notify(error.message, true)); };
$("about").onsearch = () => find().catch((error) => notify(error.message, true));

const lookAtDay = async () => {
    const text = await ask("api/day");
    if (text === dayText) return;
    dayText = text;
    $("story").textContent = read(text).story ?? "No summary of today yet.";
};

const place = () => location.hash.slice(1).split("/");
const go = (kind, id) => { location.hash = kind ? `${kind}/${id}` : ""; };
const sessionID = () => open?.session?.id ?? open?.item?.sessionID;
const markOpen = () => {
    for (const row of $("sessions").querySelectorAll("button")) row.setAttribute("aria-current", String(row.dataset.key === sessionID()));
};

/** Looks at the session or the item that the address names. */
const lookAtPlace = async () => {
    const mine = ++turn, [kind, id] = place();
    const limit = kind !== "session" ? undefined : tiles.owner === id ? itemCount : itemsAPage;
    const text = !["session", "item"].includes(kind) ? "" : await ask("api/" + kind, { id, limit }).catch((error) => {
        if (mine === turn) notify(error.message, true);
        // It is gone; of a program that does not answer nothing is known.
        return [400, 404].includes(error.status) ? "" : undefined;
    });
    if (mine !== turn || text === undefined) return;
    if (!text && kind) history.replaceState(null, "", "#");
    const old = open, isMove = shown !== undefined && shown !== location.hash;
    shown = location.hash;
    if ((text || null) === (old && old.text)) return;
    open = text ? { ...read(text), text } : null;
    const isItem = Boolean(open?.item), isSession = Boolean(open) && !isItem;
    for (const [name, isSeen] of [["session", isSession], ["item", isItem], ["hint", !open], ["herelabel", open]]) $(name).hidden = !isSeen;
    document.querySelector("main").classList.toggle("open", Boolean(open));
    document.title = joined(isItem ? open.item.title || open.item.url : isSession && nameOf(open.session), "Studio");
    markOpen();
    if (isSession && tiles.owner !== id) [tiles, itemCount] = [Object.assign(new Map(), { owner: id }), itemsAPage];
    if (isSession) showSession();
    if (isItem) showItem(old?.item?.id !== id);
    if (!isMove) return;
    if (isSession && old?.item && keyed($("items"), old.item.id)) keyed($("items"), old.item.id).focus();
    else if (open) $(isItem ? "itemtitle" : "title").focus();
    else keyed($("sessions"), old.session?.id ?? old.item.sessionID)?.focus();
};

// MARK: A session

const showTags = (list, tags, id) => refill(list, tags.map((tag) => element("li", "", button("chip", tag, () => act(async () => {
    await post("api/rename", { id, tag });
    return `The session is named “${tag}”.`;
}), tag))));

const showSession = () => {
    const { session, items, count } = open;
    $("title").textContent = nameOf(session);
    $("when").textContent = joined(timeOf(session), counted(count, "item"), session.placeName && `at ${session.placeName}`,
        point(session.coordinate), session.purpose, session.narrator && `summarised by ${session.narrator}`);
    $("summary").textContent = session.summary ?? "";
    const isArchived = items.length > 0 && items.every((item) => item.state === "archived");
    for (const [name, isSeen] of [["archive", !isArchived], ["unarchive", isArchived], ["reprocess", !isArchived]]) $(name).hidden = !isSeen;
    showTags($("tags"), session.tags, session.id);
    // What was found in an item is below it, however deep; a page of a large session may end in the midst of it.
    const ids = new Set(items.map((item) => item.id)), found = new Map();
    for (const item of items) if (!found.get(item.parentID)?.push(item)) found.set(item.parentID, [item]);
    let room = itemCount;
    const below = (item) => (found.get(item.id) ?? []).flatMap((child) => room-- > 0 ? [element("li", "", tile(child)), ...below(child)] : []);
    refill($("items"), items.filter((item) => !ids.has(item.parentID)).flatMap((item) => {
        if (room-- <= 0) return [];
        const card = tile(item), children = below(item);
        return [element("li", children.length ? "parent" : "", card, children.length > 0 && element("ol", "found", ...children))];
    }));
    $("moreitems").hidden = count <= itemCount;
};

/** A card of an item; the same one as long as its session is open, so that pictures stand still. */
const tile = (item) => {
    const card = tiles.get(item.id) ?? button("tile", item.id, () => go("item", item.id)), text = JSON.stringify(item);
    if (card.drawn === text) return card;
    // One that waits has no small picture yet.
    const source = item.hasThumbnail ? "thumbnail" : item.kind === "image" && !item.parentID ? "original" : "";
    const blank = () => element("span", "blank", signs[item.kind] ?? "◇");
    let picture = source && card.source === source ? card.firstChild : source ? new Image() : blank();
    if (picture !== card.firstChild && source) {
        Object.assign(picture, { alt: "", loading: "lazy", decoding: "async", onerror: () => picture.replaceWith(blank()) });
        picture.src = pictureOf(item.id, source);
    }
    card.replaceChildren(picture, element("b", "", item.title || "Without a title"), badge(item.state), element("small", "", item.kind));
    tiles.set(item.id, Object.assign(card, { drawn: text, source }));
    return card;
};

// MARK: An item

/** A part of what is known of an item; nothing where nothing is known. */
const part = (name, ...nodes) => nodes.flat().length ? [element("div", "", element("h3", "", name), ...nodes.flat())] : [];
const lines = (texts) => texts.length ? [element("ul", "", ...texts.map((text) => element("li", "", text)))] : [];
const long = (text, from = 0) => {
    const shown = text ? [element("p", "text", text.slice(from, from + most))] : [];
    if (!text || text.length <= from + most) return shown;
    const more = button("", "more", () => more.replaceWith(...long(text, from + most)), `More: ${(text.length - from - most).toLocaleString("en")} characters`);
    return [...shown, more];
};
const fields = (pairs) => {
    const some = Object.entries(pairs).filter(([, value]) => known([value]).length);
    return some.length ? [element("dl", "", ...some.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]))] : [];
};
const link = (text) => {
    const url = URL.canParse(text ?? "") ? new URL(text) : { protocol: "" };
    if (!/^https?:$/.test(url.protocol)) return fields({ Address: text });
    const shown = Object.assign(new URL(url), { username: "", password: "" });
    const anchor = Object.assign(element("a", "", shown.href), { href: url.href, rel: "noopener noreferrer", target: "_blank" });
    return [element("p", "soft", url.host), anchor];
};
const list = (children, words) => children.length ? [element("ul", "found", ...children.map((child) =>
    element("li", "", button("tile", child.id, () => go("item", child.id), joined(...words(child, child.enrichment))))))] : [];

const showItem = (isNew) => {
    const { item, children } = open, data = item.enrichment;
    const { placeContext: venue, webContext: web, bookContext: book, qrContext: code, musicContext: music, weatherContext: weather, activityContext: activity } = data;
    const roles = Object.keys(item.pictures);
    const sources = ["original", "thumbnail"].filter((role) => roles.includes(role)).map((role) => pictureOf(item.id, role));
    if (isNew || $("picture").hidden) {
        const next = () => { $("picture").hidden = !sources.length; if (sources.length) $("picture").src = sources.shift(); };
        $("picture").onerror = next;
        next();
    }
    $("picture").alt = item.title;
    const sifted = [["cutout", "The subject"], ["rectified", "Made straight"]].filter(([role]) => roles.includes(role));
    $("itemtitle").textContent = item.title || item.url || "Without a title";
    $("itemstate").replaceChildren(badge(item.state), " " + joined(item.kind, time(item.capturedAt), item.source));
    $("itemsummary").textContent = item.summary ?? "";
    showTags($("itemtags"), item.tags, item.sessionID);
    const kindOf = (child) => child.kind === "book" ? "book" : child.enrichment.qrContext ? "code" : "other";
    const [books, codes, others] = ["book", "code", "other"].map((kind) => children.filter((child) => kindOf(child) === kind));
    const isWeb = Boolean(item.url || web), about = { Title: data.title, Description: data.descriptionText };
    refill($("parts"), [
        ...(item.lastError ? [element("p", "bad", `${item.state === "failed" ? "Failed: " : "Incomplete: "}${item.lastError}`)] : []),
        ...(item.parentID ? [button("back", item.parentID, () => go("item", item.parentID), "Found in another item: see it")] : []),
        ...part("Content", lines(item.statements.filter((text) => text !== item.summary)), fields({ Purpose: item.purposes.join(", ") })),
        ...(isWeb ? part("Web Preview", link(web?.url ?? item.url), fields({ Site: web?.siteName, ...about, Picture: data.image }),
            long(web?.textContent)) : []),
        ...part("Extracted pictures", sifted.map(([role, name]) =>
            Object.assign(element("img", "sifted"), { src: pictureOf(item.id, role), alt: name, title: name, loading: "lazy" }))),
        ...part("Book", book ? fields({
            Title: book.title, Authors: book.authors.join(", "), ISBN: book.isbn, Publisher: book.publisher, Year: book.year,
            Confidence: percent(book.confidence),
        }) : []),
        ...part("Books", list(books, ({ title }, { bookContext: one }) =>
            [one?.title ?? (title !== one?.isbn && title), one?.authors.join(", "), one?.year, one?.isbn && `ISBN ${one.isbn}`, percent(one?.confidence)])),
        ...part("Code", fields({ Kind: code?.symbology, Content: code?.payload })),
        ...part("Codes", list(codes, ({ title }, { qrContext: one }) => [one.symbology, one.redacted ?? one.payload, title !== (one.redacted ?? one.payload) && title])),
        ...part("Also found", list(others, (child) => [child.title, child.kind])),
        ...part("Recognised text", long(item.media.transcription)),
        ...part("Place", fields({
            Name: venue?.name ?? data.location, Address: venue?.address, At: point(item.coordinate), Telephone: venue?.phoneNumber,
            Website: venue?.website, Rating: venue?.rating, Kinds: venue?.categories.join(", "),
        }), lines(venue?.tips ?? [])),
        ...part("More", fields({
            ...(isWeb ? {} : about), Kinds: data.categories.join(", "), Price: data.price, Rating: data.rating,
            Weather: weather && `${weather.condition}, ${weather.temperatureCelsius} °C`,
            Activity: activity && `${activity.type} (${activity.basis === "claimed" ? "claimed, not measured" : `${activity.confidence} confidence`})`,
            Music: music && joined(music.title, music.artists.join(", "), music.album), Pages: data.documentContext?.pageCount,
            Labels: Object.keys(item.labels).sort().join(", "), File: item.media.filename, Bytes: item.media.fileSize,
        }), lines(data.questions)),
        ...part("Events", lines(item.log.map((event) => `${time(event.at)} · ${event.stage}: ${event.outcome}`))),
    ]);
};

// MARK: Capturing

/** Captures one thing after the other into one session: the one that is open, or a new one. */
const capture = (things) => act(async () => {
    const isHere = Boolean(open) && $("here").checked, problems = [];
    let session = isHere ? sessionID() : undefined, kept = 0;
    for (const thing of things) {
        notify(`Capturing ${kept + problems.length + 1} of ${things.length} …`);
        const words = typeof thing === "string" && JSON.stringify(/^https?:\S+$/i.test(thing) ? { url: thing } : { text: thing });
        try {
            const item = words ? await post("api/capture", { session, name: "note" }, words, "application/json")
                : await post("api/capture", { session, name: thing.name || "picture" }, thing);
            [session, kept] = [item.sessionID, kept + 1];
        } catch (error) {
            problems.push(error.message);
            // What was written is not lost.
            if (words) $("address").value ||= thing;
        }
    }
    if (kept && !isHere) go("session", session);
    if (problems.length) throw new Error(known([kept > 0 && `${kept} captured.`, ...problems]).join(" "));
    return `${kept} captured.`;
});

/** What was dropped or pasted: files, an address or a text. */
const things = (data) => {
    const address = data.getData("text/uri-list").split(/\r?\n/).find((line) => line && !line.startsWith("#"));
    return data.files.length ? [...data.files] : known([(address ?? data.getData("text/plain")).trim()]);
};
for (const [field, opening] of [[$("file"), $("choose")], [$("camera"), $("take")]]) {
    opening.onclick = () => field.click();
    field.onchange = async () => { if (field.files.length) await capture([...field.files]); field.value = ""; };
}
$("capture").onsubmit = (event) => {
    event.preventDefault();
    const text = $("address").value.trim();
    $("address").value = "";
    if (text) capture([text]); else $("address").focus();
};
for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
        event.preventDefault();
        document.body.classList.toggle("over", name === "dragover");
        if (name === "drop" && things(event.dataTransfer).length) capture(things(event.dataTransfer));
    });
}
document.addEventListener("paste", (event) => {
    if (!event.target.closest?.("input, select, dialog") && things(event.clipboardData).length) capture(things(event.clipboardData));
});

// MARK: Doing

$("rename").onclick = async () => {
    const { id } = open.session, title = await question("Title of the session", "Rename", { words: nameOf(open.session) });
    if (title) act(async () => { await post("api/rename", { id, title }); return `The session is named “${title}”.`; });
};
$("duplicate").onclick = () => act(async () => {
    const copy = await post("api/duplicate", { id: open.session.id });
    go("session", copy.id);
    return `“${copy.title}” was made.`;
});
$("reprocess").onclick = () => act(async () =>
    `${counted((await post("api/reprocess", { id: open.session.id })).waiting, "item")} will be processed again.`);
$("archive").onclick = () => act(async () => {
    const name = nameOf(open.session);
    await post("api/archive", { id: open.session.id });
    if (!$("archived").checked) go();
    return `“${name}” was archived.`;
});
$("unarchive").onclick = () => act(async () => { await post("api/unarchive", { id: open.session.id }); return "It is back."; });
$("archived").onchange = () => { sessionCount = sessionsAPage; look(); };
$("merge").onclick = async () => {
    const { id } = open.session, others = sessions.filter(({ session }) => session.id !== id);
    if (!others.length) return notify("No other session to merge it into.", true);
    const choices = others.map(({ session, items }) => [session.id, joined(nameOf(session), timeOf(session), counted(items, "item"))]);
    const into = await question(`Move the items of “${nameOf(open.session)}” to which session?`, "Merge", { choices });
    if (into) act(async () => { await post("api/merge", { id, into }); go("session", into); return "They are merged."; });
};
$("delete").onclick = async () => {
    const { id } = open.session, name = nameOf(open.session), items = counted(open.count, "item");
    if (!await question(`Delete “${name}” with ${items}? This cannot be undone.`, "Delete")) return;
    act(async () => { await post("api/delete", { id }); go(); return `“${name}” was deleted.`; });
};
$("deleteitem").onclick = async () => {
    const { item, children } = open, more = children.length ? ` and ${children.length} found in it` : "";
    if (!await question(`Delete “${item.title || "the item"}”${more}? This cannot be undone.`, "Delete")) return;
    act(async () => {
        const { count } = read(await ask("api/session", { id: item.sessionID, limit: 1 }));
        await post("api/delete", { item: item.id });
        // The last one takes its session with it.
        if (count > 1 + children.length) go("session", item.sessionID); else go();
        return "The item was deleted.";
    });
};

// MARK: Moving

const back = () => open?.item ? go(open.item.parentID ? "item" : "session", open.item.parentID ?? open.item.sessionID) : go();
for (const made of document.querySelectorAll("section > .back")) made.onclick = back;
$("moresessions").onclick = async () => {
    const first = sessionCount;
    sessionCount += sessionsAPage;
    await lookAtSessions().catch((error) => notify(error.message, true));
    $("sessions").children[first]?.firstChild.focus();
};
$("moreitems").onclick = () => { itemCount += itemsAPage; lookAtPlace(); };
addEventListener("hashchange", lookAtPlace);
document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && open) return back();
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key], rows = [...$("sessions").querySelectorAll("button")];
    const isInside = $("sessions").contains(document.activeElement);
    if (!step || !rows.length || (event.key.startsWith("Arrow") && !isInside)) return;
    event.preventDefault();
    const at = rows.findIndex((row) => isInside ? row === document.activeElement : row.dataset.key === sessionID());
    rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))].focus();
});

const events = new EventSource("events");
events.onmessage = (event) => {
    const { unfinished } = JSON.parse(event.data);
    $("live").textContent = unfinished ? `${unfinished} waiting` : "Up to date";
    look();
};
events.onerror = () => {
    const isClosed = events.readyState === EventSource.CLOSED;
    $("live").textContent = isClosed ? "Not connected: open the address that 'spinebench studio' printed." : "Connecting …";
};
look().then(() => {
    // On a narrow page the list is the first thing to see.
    if (!isWide || open || place()[0] || !sessions.length) return;
    history.replaceState(null, "", `#session/${sessions[0].session.id}`);
    shown = location.hash;
    lookAtPlace();
});
// While the answers are on their way.
time(0);
