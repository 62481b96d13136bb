// Texts come in as text nodes alone: what was captured is data, never markup.
const $ = byID;
const sessionsAPage = 50, itemsAPage = 100, recentAPage = 24, undoTime = 8_000, frameTime = 250;
// What is well is not said: only what waits, or needs a person.
const states = { queued: "Waiting", processing: "Processing …", failed: "Failed", review: "To review", incomplete: "Incomplete", archived: "Archived" };
const kinds = { image: "Picture", web: "Page", text: "Note", document: "Document", shelf: "Shelf", book: "Book", qrCode: "Code", product: "Product",
    media: "Media", place: "Place" };
const kindOf = (item) => kinds[item.kind] ?? item.kind;
const signs = { shelf: "▥", book: "▯", web: "⌘", text: "¶", document: "▤", qrCode: "▦", place: "⌖", image: "▢", media: "♫", product: "◫" };
const filters = { "": "All", image: "Pictures", book: "Books", shelf: "Shelves", web: "Pages", qrCode: "Codes", document: "Documents", text: "Notes" };
// The sessions in the sidebar, the session or item that is open, and the address that it was shown for.
let sessions = [], sessionCount = sessionsAPage, itemCount = itemsAPage, recentCount = recentAPage, kind = "", open = null, shown;
// The last look at a place wins; nobody looks while something is being done.
let turn = 0, doing = 0, isLooking = false, isStale = false;
// What was deleted here and can still be brought back: ids of sessions and items.
const leaving = new Map();

// Characters that control a terminal, or turn what stands behind them round, are not shown: a title could feign another one.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const read = (text) => JSON.parse(text, (_, value) => typeof value === "string" ? value.replace(controls, "") : value);
const present = (values) => values.filter((value) => value !== undefined && value !== null && value !== "" && value !== false);
// Characters of a text that are shown at once.
const most = 20_000;
/** A text as it is shown: bounded, with places to break in long words, and eight marks on a letter at most. A browser lays out others for minutes. */
const bounded = (text) => {
    if (typeof text !== "string" || text.length < 200) return text;
    const rest = text.length - most, cut = rest > 0 ? `${text.slice(0, most)} … (${rest.toLocaleString("en")} characters more)` : text;
    return cut.replace(/(\p{M}{8})\p{M}+/gu, "$1").replace(/\S{100}(?=\S)/gu, "$&\u200b");
};
const element = (name, className, ...children) => html(name, { class: className }, children.map(bounded));
const button = (className, key, click, ...children) => build(element("button", className, ...children), { type: "button", "data-key": key, click }, []);
const rows = (nodes) => nodes.map((node) => element("li", "", node));
const fill = (parent, ...children) => {
    parent.replaceChildren();
    return build(parent, {}, children);
};
const keyed = (list, key) => list.querySelector(`[data-key="${CSS.escape(key)}"]`);
/** Puts nodes into a list, unless they show the same value as before; who had the focus has it again. */
const refill = (list, make, value) => {
    const text = JSON.stringify(value), key = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    if (text !== undefined && text === list.shows) return;
    list.shows = text;
    fill(list, make());
    if (key !== undefined) keyed(list, key)?.focus();
};
/** The card of a thing in a list, filled anew when the thing has changed: pictures stand still. */
const cardOf = (list, id, value, make, draw) => {
    list.cards ??= new Map();
    if (!list.cards.has(id)) list.cards.set(id, make());
    const card = list.cards.get(id), text = JSON.stringify(value);
    if (card.drawn !== text) fill(card, draw(Object.assign(card, { drawn: text })));
    return card;
};
let quiet;
const notify = (text, isBad = false, undo) => {
    clearTimeout(quiet);
    $("status").textContent = bounded(text);
    $("toast").className = isBad ? "bad" : "";
    reveal({ toast: text, undo });
    $("undo").onclick = undo;
    if (!isBad) quiet = setTimeout(() => { $("toast").hidden = true; }, undo ? undoTime : 5_000);
};
const complain = (error) => notify(error.message, true);
/** A work whose failure is reported. */
const reporting = (work) => (...given) => work(...given).catch(complain);
/** Shows each named part, or hides it. */
const reveal = (parts) => { for (const [id, isSeen] of Object.entries(parts)) $(id).hidden = !isSeen; };

// Made once, and not before it must be: a new browser takes some 20 ms for the first.
const formats = {};
const format = (text, style) => (formats[JSON.stringify(style)] ??= new Intl.DateTimeFormat(undefined, style)).format(new Date(text));
const time = (text) => format(text, { dateStyle: "medium", timeStyle: "short" });
/** The hour of today, the day of any other time. */
const short = (text) => format(text, new Date(text).toDateString() === new Date().toDateString() ? { timeStyle: "short" } : { dateStyle: "medium" });
const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
// What is written from right to left turns nothing else round.
const joined = (...parts) => present(parts).map((one) => /[\u0590-\u08ff\ufb1d-\ufefc]/.test(one) ? `\u2068${one}\u2069` : one).join(" · ");
const nameOf = (one) => one.title || (one.createdAt ? time(one.createdAt) : one.url || "Untitled");
const timeOf = (session, format = time) => session.title && format(session.createdAt);
const percent = (value) => value === undefined ? undefined : `${Math.min(99, Math.round(100 * value))} % sure`;
const badge = (state, text = states[state]) => text && element("span", "badge " + state, text);
const pictureOf = (id, role) => `picture?id=${encodeURIComponent(id)}&role=${role}`;
const degrees = (value, signs) => `${Math.abs(value).toFixed(5)}° ${signs[value < 0 ? 1 : 0]}`;
const point = (at) => at && `${degrees(at.latitude, "NS")}, ${degrees(at.longitude, "EW")}`;

// MARK: Asking

const ask = async (path, query = {}, options = {}) => {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const response = await fetch(path + "?" + pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&"), options)
        .catch(() => { throw new Error("The program does not answer. Is it still running?"); });
    const body = await response.text();
    if (response.ok) return body;
    let problem = body.trim();
    try { problem = JSON.parse(body).error; } catch { /* The answer is plain text. */ }
    throw Object.assign(new Error(problem || `The program answers ${response.status}.`), { status: response.status });
};
const get = async (path, query) => read(await ask(path, query));
const post = async (path, query, body, options) => read(await ask(path, query, { method: "POST", body, headers: { "x-spinebench": "1" }, ...options }));
const send = (path, value, options) => post(path, {}, JSON.stringify(value), options);
const closeMenus = (except) => { for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(except)) menu.open = false; };

/** Runs a work, reports its result, and loads what is shown again. */
const run = async (work) => {
    closeMenus();
    doing += 1;
    try { notify(await work()); } catch (error) { complain(error); }
    doing -= 1;
    await look();
};
/** Does an action with a session or an item, and goes to the session that it names. */
const act = (action, id, value) => run(async () => {
    const { text, session } = await send("api/act", { action, id, value });
    if (session) go("session", session);
    return text;
});

/** Asks a person, for words or one of some choices; the answer is null when there is none. */
const question = (text, yes, { words, choices } = {}) => new Promise((resolve) => {
    const [dialog, field] = [$("dialog"), choices ? $("choices") : $("words")];
    $("question").textContent = text;
    $("yes").textContent = yes;
    reveal({ words: !choices, choices });
    $("words").value = words ?? "";
    $("choices").replaceChildren(...(choices ?? []).map(([value, name]) => new Option(name, value)));
    dialog.returnValue = "";
    dialog.onclose = () => {
        // Word of an earlier close may come when it is open again.
        if (!dialog.open) resolve(dialog.returnValue === "yes" ? field.value.trim() : null);
    };
    dialog.showModal();
    field.focus();
});
$("answer").onsubmit = (event) => { event.preventDefault(); $("dialog").close("yes"); };
$("no").onclick = () => $("dialog").close("");
const otherSession = (text, yes) => {
    const others = sessions.filter(({ session }) => session.id !== sessionID());
    if (!others.length) return notify("There is no other session.", true);
    return question(text, yes, { choices: others.map(({ session, items }) => [session.id, joined(nameOf(session), timeOf(session), counted(items, "item"))]) });
};

// MARK: Looking

/** Looks at sessions, day and what is open: never twice at a time, and the less often the longer it takes. */
const look = async () => {
    isStale = isLooking || doing > 0;
    if (isStale) return;
    isLooking = true;
    const start = performance.now();
    lookAtDay();
    await Promise.all([lookAtSessions(), lookAtList()]);
    if (!doing) await lookAtPlace();
    setTimeout(() => { isLooking = false; if (isStale) look(); }, Math.max(100, 2 * (performance.now() - start)));
};

/** The small picture of an item, or the sign of its kind; the same one as before, where that shows it. */
const picture = (item, className, before) => {
    // One that waits has no small picture yet.
    const role = item?.hasThumbnail ? "thumbnail" : item?.kind === "image" && !item.parentID ? "original" : item?.hasIcon && "icon";
    const key = [item?.id, role, item?.kind].join();
    if (before?.dataset?.shows === key) return before;
    // A book without a picture has its first letter.
    const blank = () => element("span", className, item?.kind === "book" && item.title ? [...item.title][0].toUpperCase() : signs[item?.kind] ?? "◇");
    const image = role ? Object.assign(new Image(), { className, alt: "", loading: "lazy", decoding: "async", onerror: () => image.replaceWith(blank()), src: pictureOf(item.id, role) }) : blank();
    image.dataset.shows = key;
    return image;
};

const archived = () => $("archived").checked ? 1 : undefined;
const lookAtSessions = reporting(async () => {
    const found = await get("api/sessions", { limit: sessionCount + 1, archived: archived() });
    sessions = found.slice(0, sessionCount).filter(({ session }) => !leaving.has(session.id));
    refill($("sessions"), () => rows(sessions.map((row) => cardOf($("sessions"), row.session.id, row, () => button("", row.session.id, () => go("session", row.session.id)), (card) => {
        const { session, cover, items, unfinished, failed, incomplete, isArchived } = row;
        const state = isArchived ? badge("archived") : unfinished ? badge("queued", `${unfinished} waiting`)
            : failed ? badge("failed", `${failed} failed`) : incomplete > 0 && badge("incomplete", `${incomplete} incomplete`);
        return [picture(cover, "thumb", card.firstChild), element("b", "", nameOf(session)), state,
            element("small", "", joined(timeOf(session, short), items > 1 && counted(items, "item")))];
    }))), sessions);
    const isEmpty = !sessions.length;
    reveal({ none: isEmpty, welcome: isEmpty && !archived(), moresessions: found.length > sessionCount });
    $("none").textContent = archived() ? "No archived sessions." : "No sessions yet.";
    markOpen();
});

// A day's story may take its time: nothing waits for it, and it is not asked for twice at once.
let dayAsked;
const lookAtDay = reporting(async () => {
    if (dayAsked) return;
    dayAsked = get("api/day").finally(() => { dayAsked = undefined; });
    const { story, days = [] } = await dayAsked;
    $("story").textContent = story ?? "Nothing captured today.";
    $("days").hidden = !days.length;
    fill($("earlier"), days.map(({ day, text }) => [element("dt", "", day), element("dd", "prose", text)]));
});

const showGrid = (list, all, items = all.filter(({ id }) => !leaving.has(id))) => refill(list, () => rows(items.map((item) => tile(item, list))), items);
let listTurn = 0;
/** Shows the latest captures, or what a text finds: first what has its words, then what is near in meaning. */
const lookAtList = reporting(async () => {
    const mine = ++listTurn, q = place()[0] === "search" ? decodeURIComponent(place()[1] ?? "") : "";
    refill($("kinds"), () => Object.entries(filters).map(([name, text]) =>
        Object.assign(button("chip", name || "all", () => { kind = name; recentCount = recentAPage; lookAtList(); }, text), { ariaPressed: String(kind === name) })));
    if ($("start").hidden) return;
    const found = q ? await get("api/search", { q, kind, archived: archived() }) : { items: await get("api/recent", { limit: recentCount + 1, kind }) };
    if (mine !== listTurn) return;
    const { items, left, words = items.length } = found;
    showGrid($("found"), items.slice(0, q ? words : recentCount));
    showGrid($("near"), items.slice(words));
    reveal({ nearname: words < items.length, morefound: !q && items.length > recentCount });
    $("asked").textContent = !q ? "Latest" : items.length ? `Results for “${q}”` : left ? `Searching for “${q}” …` : `No results for “${q}”`;
    if (!left) return;
    notify(`${counted(left, "item")} ${left === 1 ? "is" : "are"} found by ${left === 1 ? "its" : "their"} words alone until read in.`);
    setTimeout(() => { if (mine === listTurn) lookAtList(); }, 20);
});
$("morefound").onclick = () => { recentCount += recentAPage; lookAtList(); };

let typing;
const search = () => {
    clearTimeout(typing);
    const q = $("about").value.trim(), address = q ? `#search/${encodeURIComponent(q)}` : "#";
    if (location.hash === address || (!q && place()[0] !== "search")) return;
    if (place()[0] === "search") history.replaceState(null, "", address); else history.pushState(null, "", address);
    lookAtPlace();
};
$("find").onsubmit = (event) => { event.preventDefault(); search(); };
$("about").oninput = () => { clearTimeout(typing); typing = setTimeout(search, 250); };

const place = () => location.hash.slice(1).split("/");
const go = (name, id) => { location.hash = name ? `${name}/${id}` : ""; };
const sessionID = () => open?.session?.id ?? open?.item?.sessionID;
const markOpen = () => {
    for (const row of $("sessions").querySelectorAll("button")) row.setAttribute("aria-current", String(row.dataset.key === sessionID()));
};

/** Looks at the session or the item that the address names, or at what a search finds. */
const lookAtPlace = reporting(async () => {
    const mine = ++turn, [name, id] = place(), isSearch = name === "search", isOne = ["session", "item"].includes(name);
    if (name === "session" && $("items").owner !== id) {
        itemCount = itemsAPage;
        Object.assign($("items"), { owner: id, cards: undefined });
    }
    const text = !isOne ? "" : await ask("api/" + name, { id, limit: name === "session" ? itemCount : undefined }).catch((error) => {
        if (mine === turn) complain(error);
        // It is gone; of a program that does not answer nothing is known.
        return [400, 404].includes(error.status) ? "" : undefined;
    });
    if (mine !== turn || text === undefined) return;
    if (!text && isOne) history.replaceState(null, "", "#");
    if (document.activeElement !== $("about") && (isSearch || shown !== location.hash)) $("about").value = isSearch ? decodeURIComponent(id ?? "") : "";
    const old = open, isFirst = shown === undefined, isMove = !isFirst && shown !== location.hash;
    shown = location.hash;
    $("main").classList.toggle("list", name === "sessions");
    if ((text || null) === (old && old.text) && !isMove && !isFirst) return;
    open = text ? { ...read(text), text } : null;
    const isItem = Boolean(open?.item), isSession = Boolean(open) && !isItem;
    reveal({ session: isSession, item: isItem, start: !open, day: !isSearch, herelabel: open });
    document.title = joined(open ? nameOf(open.item ?? open.session) : isSearch && $("about").value, "Studio");
    markOpen();
    if (isSession) showSession();
    if (isItem) showItem(old?.item?.id !== id);
    if (!open && isMove) lookAtList();
    if (!isMove) return;
    scrollTo(0, 0);
    if (isSession && old?.item && keyed($("items"), old.item.id)) keyed($("items"), old.item.id).focus();
    else if (open) $(isItem ? "itemtitle" : "title").focus();
    else if (old) keyed($("sessions"), old.session?.id ?? old.item.sessionID)?.focus();
});

// MARK: A session

const showTags = (list, tags, { id, sessionID = id }) => refill(list, () => rows(tags.map((tag) => [button("chip", tag, () => act("rename", sessionID, tag), tag),
    Object.assign(button("plain", "×" + tag, () => act("untag", id, tag), "×"), { ariaLabel: `Remove the tag ${tag}` })])));

/** Whether an item is a spine of which no book is known. */
const isDraft = (item) => item.kind === "book" && item.parentID && item.state === "review";
const nameBooks = (drafts) => drafts.length > 0 && button("", "drafts", () => go("item", drafts[0].id), `Name ${counted(drafts.length, "unknown book")}`);
const showSession = () => {
    const { session, count } = open, items = open.items.filter(({ id }) => !leaving.has(id));
    $("title").textContent = nameOf(session);
    $("when").textContent = joined(timeOf(session), counted(count, "item"), session.placeName && `at ${session.placeName}`,
        point(session.coordinate), session.purpose);
    $("summary").textContent = session.summary ?? "";
    $("summary").title = session.narrator ? `Summarised by ${session.narrator}` : "";
    const isArchived = items.length > 0 && items.every((item) => item.state === "archived");
    reveal({ archive: !isArchived, unarchive: isArchived, reprocess: !isArchived });
    showTags($("tags"), session.tags, session);
    // The one obvious next step.
    const drafts = items.filter(isDraft), isFailed = items.some(({ state }) => ["failed", "incomplete"].includes(state));
    refill($("next"), () => [nameBooks(drafts), isFailed && button("", "retry", () => act("retry", session.id), "Try again")]);
    $("next").firstChild?.classList.add("primary");
    // What was found in an item is below it; a page of a large session may end in the midst of it.
    const ids = new Set(items.map((item) => item.id)), found = Map.groupBy(items, (item) => item.parentID), list = $("items");
    let room = itemCount;
    refill(list, () => items.filter((item) => !ids.has(item.parentID)).map((item) => {
        if (room-- <= 0) return;
        const children = (found.get(item.id) ?? []).filter(() => room-- > 0);
        return element("li", children.length ? "parent" : "", tile(item, list), children.length > 0 && element("ol", "found", rows(children.map((child) => tile(child, list)))));
    }), items);
    $("moreitems").hidden = count <= itemCount;
};

/** A card of an item. */
const tile = (item, list, about = joined(kindOf(item), !item.parentID && short(item.capturedAt))) => {
    return cardOf(list, item.id, item, () => button("tile", item.id, () => go("item", item.id)), (card) => {
        // The crop of a spine is long and low.
        card.classList.toggle("strip", Boolean(item.kind === "book" && item.parentID && item.hasThumbnail));
        return [picture(item, "picture", card.firstChild), element("b", "", item.title || "Untitled"),
            // A spine that is not identified says so in its title.
            !isDraft(item) && badge(item.state), element("small", "", about)];
    });
};

// MARK: An item

/** A part of what is known of an item; nothing where nothing is known. */
const part = (name, ...nodes) => present(nodes.flat()).length > 0 && element("div", "", element("h3", "", name), nodes);
const lines = (texts) => texts.length > 0 && element("ul", "", rows(texts));
const long = (text, from = 0) => {
    if (!text) return [];
    const shown = build(element("p", "text", text.slice(from, from + most)), { tabindex: 0 }, []), left = text.length - from - most;
    if (left <= 0) return [shown];
    const more = button("", "more", () => more.replaceWith(...long(text, from + most)), `More: ${left.toLocaleString("en")} characters`);
    return [shown, more];
};
const fields = (pairs) => pairs.length > 0 && element("dl", "", pairs.map(([name, text, source]) =>
    [element("dt", "", name), element("dd", "", text, source && element("small", "", source))]));
const url = (text, schemes = /^https?:$/) => URL.canParse(text ?? "") && schemes.test(new URL(text).protocol) ? new URL(text) : null;
const anchor = (className, href, text) => build(element("a", className, text), { href, rel: "noopener noreferrer", target: "_blank" }, []);
const link = (text) => {
    const at = url(text);
    if (!at) return text && fields([["Address", text]]);
    const shown = Object.assign(new URL(at), { username: "", password: "" });
    return [element("p", "soft", at.host), anchor("", at.href, shown.href)];
};
const foundList = (children, words) => children.length > 0 && element("ol", "found", rows(children.map((child) =>
    tile({ ...child, hasThumbnail: Boolean(child.pictures.thumbnail) }, {}, joined(...words(child, child.enrichment))))));

const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); notify("Copied."); } catch { notify("The browser does not allow copying.", true); }
};

const offers = { phone: "Call", email: "Write e-mail", web: "Open page", address: "Show on map" }, openable = /^(https?|mailto|tel):$/;
/** What a person may do with an item, the likeliest first. */
const doesOf = (item, printed) => {
    const { qrContext: code, bookContext: book, webContext: web, placeContext: venue } = item.enrichment;
    const at = url(item.url ?? web?.url ?? venue?.website), text = item.media.transcription ?? web?.textContent, name = item.title;
    // A part of an address that is secret is not in the page: it is fetched when it is needed.
    const secretly = (use) => reporting(async () => use(await post("api/secret", { id: item.id })));
    const some = present([
        nameBooks(open.children.filter(isDraft)),
        at && (item.hasSecret ? button("", "open", secretly(({ url, payload }) => window.open(url ?? payload, "_blank", "noopener,noreferrer")), "Open page")
            : anchor("button", at.href, "Open page")),
        ...printed.map(({ kind, text, href }) => {
            const words = `${url(href, openable) ? offers[kind] : "Copy"}: ${text}`;
            return url(href, openable) ? anchor("button", href, words) : button("", words, () => copy(text), words);
        }),
        item.hasSecret && button("", "password", secretly(({ password, payload, url }) => copy(password ?? payload ?? url)), code?.meaning?.kind === "wifi" ? "Copy password" : "Copy with secrets"),
        book?.title && button("", "library", () => act("library", item.id), "Add to library"),
        item.problems.length > 0 && button("", "retry", () => act("retry", item.id), "Try again"),
        code && !at && button("", "code", () => copy(code.payload), "Copy code"),
        text && button("", "text", () => copy(text), "Copy text"),
        name && !isDraft(item) && button("", "like", () => { $("about").value = name.slice(0, 200); search(); }, "Find similar"),
    ]);
    if (some[0]?.dataset.key !== "like" && $("whatis").hidden) some[0]?.classList.add("primary");
    return some;
};

/** The picture of an item, with what was found on it; of one that was found on a picture, that picture. */
const showStage = (item, children, isNew) => {
    const own = ["original", "preview", "thumbnail"].filter((role) => item.pictures[role]).map((role) => pictureOf(item.id, role));
    const isPart = Boolean(item.outline && item.parentID), all = isPart ? [pictureOf(item.parentID, "original"), ...own] : own;
    const draw = () => {
        const [width, height] = [$("picture").naturalWidth || 1, $("picture").naturalHeight || 1];
        $("over").setAttribute("viewBox", `0 0 ${width} ${height}`);
        const place = (values) => values.map((value, at) => value * (at % 2 ? height : width));
        const corners = (values) => place(values).join(" ");
        const shade = isPart && svg("path", { d: `M0 0H${width}V${height}H0Z M${corners(item.outline)}Z`, "fill-rule": "evenodd", class: "shade" });
        const words = (isPart ? [] : item.media.lines ?? []).map(({ text, corners }) => {
            const [x, y, rightX, rightY, , , downX, downY] = place(corners), [ux, uy, vx, vy] = [rightX - x, rightY - y, downX - x, downY - y];
            const [w, h] = [Math.hypot(ux, uy) || 1, Math.hypot(vx, vy) || 1];
            return svg("text", { transform: `matrix(${ux / w} ${uy / w} ${vx / h} ${vy / h} ${x} ${y})`, y: 0.8 * h, "font-size": 0.9 * h, textLength: w,
                lengthAdjust: "spacingAndGlyphs" }, bounded(text));
        });
        fill($("over"), shade, words, (isPart ? [item] : children.filter((child) => child.outline)).map((child) => {
            const name = child.title || kindOf(child), click = () => { if (!isPart) go("item", child.id); };
            return svg("polygon", { points: corners(child.outline), tabindex: isPart ? -1 : 0, role: isPart ? "img" : "link", "aria-label": name,
                click, keydown: (event) => { if (event.key === "Enter") click(); } }, svg("title", {}, name));
        }));
    };
    const key = all.join();
    if (isNew || $("stage").dataset.key !== key) {
        const rest = [...all], next = () => { $("stage").hidden = !rest.length; if (rest.length) $("picture").src = rest.shift(); };
        $("stage").dataset.key = key;
        $("over").replaceChildren();
        Object.assign($("picture"), { alt: item.title, onerror: next, onload: draw });
        next();
    }
    // The same picture as before does not load again.
    if ($("picture").complete && $("picture").naturalWidth) draw();
};

const showItem = (isNew) => {
    const { item, known, printed, children } = open, { pictures, enrichment: { webContext: web, qrContext: code } } = item;
    showStage(item, children, isNew);
    $("itemtitle").textContent = nameOf(item);
    fill($("itemstate"), badge(item.state), (states[item.state] ? " " : "") + joined(kindOf(item), time(item.capturedAt)));
    $("itemsummary").textContent = item.summary ?? "";
    showQuestion(item, isNew);
    refill($("does"), () => doesOf(item, printed));
    showTags($("itemtags"), item.tags, item);
    const { book: books = [], code: codes = [], other: others = [] } = Object.groupBy(children, (child) =>
        child.kind === "book" ? "book" : child.enrichment.qrContext ? "code" : "other");
    const image = (className, role, alt) => html("img", { class: className, src: pictureOf(item.id, role), alt, title: alt, loading: "lazy" });
    const contentOf = (code) => code.redacted ?? code.payload;
    // What a search service says counts when the picture, the page or the code agrees.
    const doubtful = item.answers.filter(({ agreement }) => agreement && agreement !== "agrees");
    refill($("parts"), () => [
        item.problems.map(({ source, reason }) => element("p", "bad", `Incomplete: ${source}: ${reason}`)),
        item.state === "failed" && element("p", "bad", `Failed: ${item.lastError}`),
        item.retryAt && element("p", "soft", `The next try is at ${time(item.retryAt)}.`),
        item.parentID && button("plain back", item.parentID, () => go("item", item.parentID), "Found on another item. Show it"),
        part("Content", lines(item.statements.filter((text) => text !== item.summary)), item.purposes.length > 0 && fields([["Purpose", item.purposes.join(", ")]])),
        (item.url || web) && part("Web Preview", pictures.preview && image("web", "preview", ""), link(web?.url ?? item.url), long(web?.textContent)),
        code && part("Code", fields([...(code.meaning?.fields ?? []).map(({ name, value }) => [name, value]), ["Kind", code.symbology], ["Content", contentOf(code)]])),
        part("Books", foundList(books, (_, { bookContext: one }) => [one?.authors.join(", "), one?.year, one?.isbn && `ISBN ${one.isbn}`, percent(one?.confidence)])),
        part("Codes", foundList(codes, ({ title }, { qrContext: one }) => [one.symbology, title !== contentOf(one) && contentOf(one)])),
        part("Also found", foundList(others, (child) => [kindOf(child)])),
        part("Facts", fields([...known.map(({ name, text, source }) => [name, text, source]), ...(item.coordinate ? [["At", point(item.coordinate)]] : [])])),
        part("Other answers", doubtful.map(({ agreement, facts: said }) =>
            fields(present([said.title, said.descriptionText]).map((text) => [agreement === "disagrees" ? "Something else" : "Perhaps", text, "from the web search"])))),
        part("Text", long(item.media.transcription)),
        part("Extracted pictures", Object.entries({ cutout: "The subject", rectified: "Made straight" }).filter(([role]) => pictures[role]).map(([role, name]) => image("sifted", role, name))),
        details(item),
    ]);
};

/** How the item came to be: for who wants to know. */
const details = (item) => {
    const labels = Object.entries(item.labels).sort(([, a], [, b]) => b - a).map(([name, value]) => `${name} ${Math.round(100 * value)} %`);
    return html("details", { open: document.querySelector("#parts > details")?.open }, element("summary", "", "Details"), fields(Object.entries({
        Labels: labels.join(", "), File: item.media.filename, Size: item.media.fileSize && `${item.media.fileSize.toLocaleString("en")} bytes`, Source: item.source,
    }).filter(([, text]) => text)), lines(item.log.map((event) => `${time(event.at)} · ${event.stage}: ${event.outcome}`)));
};

/** Asks what a picture shows, and of a spine without a book, which it is: the choices are guesses, or books that the typed text finds. */
const showQuestion = (item, isNew) => {
    const isBook = isDraft(item), isPicture = item.kind === "image" && item.pictures.original && item.state !== "failed" && !("code" in item.labels);
    const given = item.answers.find(({ source }) => source === "user")?.facts.thing?.name;
    $("whatis").hidden = !isBook && !isPicture;
    $("isname").labels[0].textContent = isBook ? "Which book is it?" : "What is it?";
    $("isname").placeholder = isBook ? "Title, author or ISBN" : "";
    if (isNew) $("isname").value = given ?? "";
    if (isBook && isNew) showBooks();
    if (!isBook) refill($("guesses"), () => rows((given ? [] : item.things ?? []).filter(({ confidence }) => confidence >= 0.05)
        .map(({ name, confidence }) => button("chip", name, () => act("answer", item.id, name), joined(name, percent(confidence))))));
};
const showBooks = reporting(async () => {
    const { id } = open.item, typed = () => $("isname").value.trim(), q = typed(), books = await get("api/books", { id, q });
    if (open?.item?.id === id && q === typed()) refill($("guesses"), () => rows(books.map(({ id: number, title, authors = [], year }) =>
        button("chip", number, () => act("book", id, "#" + number), joined(title, authors.join(", "), year)))));
});
$("isname").oninput = () => {
    clearTimeout(typing);
    if (isDraft(open.item)) typing = setTimeout(() => showBooks(), 200);
};
$("whatis").onsubmit = (event) => { event.preventDefault(); act(isDraft(open.item) ? "book" : "answer", open.item.id, $("isname").value.trim()); };

// MARK: Capturing

/** Captures one thing after the other into one session: the one that is open, or a new one. */
const capture = (things) => run(async () => {
    const isHere = Boolean(open) && $("here").checked, problems = [];
    let session = isHere ? sessionID() : undefined, kept = 0;
    for (const thing of things) {
        notify(`Capturing ${kept + problems.length + 1} of ${things.length} …`);
        try {
            const item = await post("api/capture", { session, name: typeof thing === "string" ? "note" : thing.name || "picture" }, thing);
            [session, kept] = [item.sessionID, kept + 1];
        } catch (error) {
            problems.push(error.message);
            // What was written is not lost.
            if (typeof thing === "string") $("address").value ||= thing;
        }
    }
    if (kept) $("capturing").hidePopover();
    if (kept && !isHere && !$("finder").open) go("session", session);
    if (problems.length) throw new Error(present([kept > 0 && `${kept} captured.`, ...problems]).join(" "));
    return `${kept} captured.`;
});

/** What was dropped or pasted: files, an address or a text. */
const things = (data) => {
    const address = data.getData("text/uri-list").split(/\r?\n/).find((line) => line && !line.startsWith("#"));
    return data.files.length ? [...data.files] : present([(address ?? data.getData("text/plain")).trim()]);
};
for (const field of [$("file"), $("camera")]) {
    field.onchange = async () => { if (field.files.length) await capture([...field.files]); field.value = ""; };
}
$("choose").onclick = () => $("file").click();
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

// MARK: Camera

let stream, facing = "environment";
const startCamera = async () => {
    try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: facing, width: { ideal: 3840 }, height: { ideal: 2160 } } });
    } catch {
        // No camera, or it is not allowed: the system's own, or a file.
        $("finder").close();
        return $("camera").click();
    }
    $("video").srcObject = stream;
    const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
    $("flip").hidden = cameras.length < 2;
};
const stopCamera = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    [stream, $("video").srcObject] = [null, null];
};
/** A picture of what the camera sees, its long side at most that of pixels. */
const frame = (side, quality) => new Promise((resolve) => {
    const video = $("video"), scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight)), canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(resolve, "image/jpeg", quality);
});
/** Looks through the camera, one frame after the other, as long as it is open. */
const watch = async () => {
    if (!$("finder").open || !stream) return;
    const start = performance.now();
    if ($("video").videoWidth) {
        try { showSight(await post("api/look", {}, await frame(640, 0.7))); } catch { /* The next frame may be seen. */ }
    }
    setTimeout(watch, Math.max(50, frameTime - (performance.now() - start)));
};
const showSight = ({ codes = [], text = [], subject }) => {
    const { videoWidth: width, videoHeight: height } = $("video");
    const shapes = present([...codes, ...text, subject?.corners]);
    $("seen").setAttribute("viewBox", `0 0 ${width} ${height}`);
    fill($("seen"), shapes.map((corners) => svg("polygon", { points: corners.map((value, at) => value * (at % 2 ? height : width)).join(" ") })));
    const words = present([subject?.label, codes.length > 0 && counted(codes.length, "code"), text.length > 0 && counted(text.length, "line") + " of text"]).join(", ");
    if (words !== $("sight").textContent) $("sight").textContent = words || "Nothing found yet.";
};
$("take").onclick = $("shoot").onclick = () => {
    $("capturing").hidePopover();
    if (!navigator.mediaDevices?.getUserMedia) return $("camera").click();
    $("sight").textContent = "Point the camera at a book, a code, a page or a thing.";
    $("finder").showModal();
    startCamera().then(watch);
};
$("shutter").onclick = async () => {
    if (!$("video").videoWidth) return;
    const blob = await frame(Infinity, 0.92);
    await capture([new File([blob], `camera-${new Date().toISOString().replace(/[:.]/g, "-")}.jpg`, { type: "image/jpeg" })]);
};
$("closefinder").onclick = () => $("finder").close();
$("finder").onclose = () => { stopCamera(); lookAtPlace(); };
$("flip").onclick = () => { facing = facing === "user" ? "environment" : "user"; stopCamera(); startCamera(); };

// MARK: Doing

// A button's action, the words that it asks for, or the question for another session, stand in the page.
for (const made of document.querySelectorAll("[data-act]")) made.onclick = async () => {
    const one = open.item ?? open.session, { act: action, words, target } = made.dataset;
    const value = words ? await question(words, made.textContent, { words: nameOf(one) })
        : target ? await otherSession(target.replace("…", `“${nameOf(one)}”`), made.textContent.replace(" …", "")) : undefined;
    if ((words || target) && !value) return;
    // What was found on an item moves with it.
    await act(action, action === "move" ? one.parentID ?? one.id : one.id, value);
    if (action === "archive" && !archived()) go();
};
$("archived").onchange = () => { sessionCount = sessionsAPage; look(); };

/** Deletes a session or an item after a while, so that it can be brought back; the page does not show it. */
const remove = (id, name) => {
    const finish = async (options) => {
        if (!leaving.has(id)) return;
        clearTimeout(leaving.get(id).timer);
        try { await send("api/act", { action: "delete", id }, options); } catch (error) { if (error.status !== 404) complain(error); }
        leaving.delete(id);
        await look();
    };
    leaving.set(id, { finish, timer: setTimeout(finish, undoTime) });
    closeMenus();
    notify(`${name} was deleted.`, false, () => {
        clearTimeout(leaving.get(id)?.timer);
        leaving.delete(id);
        notify(`${name} is back.`);
        look();
    });
    look();
};
const finishDeleting = (options) => Promise.all([...leaving.values()].map(({ finish }) => finish(options)));
addEventListener("pagehide", () => finishDeleting({ keepalive: true }));
$("delete").onclick = () => {
    const { session, count } = open;
    go();
    remove(session.id, `“${nameOf(session)}” with ${counted(count, "item")}`);
};
$("deleteitem").onclick = async () => {
    const { item, children } = open, { count } = await get("api/session", { id: item.sessionID, limit: 1 });
    // The last one takes its session with it.
    const isLast = !item.parentID && count <= 1 + children.length;
    if (item.parentID) go("item", item.parentID); else if (isLast) go(); else go("session", item.sessionID);
    remove(isLast ? item.sessionID : item.id, `“${nameOf(item)}”`);
};

// MARK: Settings

$("closesettings").onclick = () => $("settings").close();
const services = { link: "Web pages", "web-search": "Web search", place: "Places", weather: "Weather", music: "Music" };
$("set").onclick = reporting(async () => {
    const { sources = [], concepts = [], transfers = [] } = await get("api/settings");
    const section = (name, about, texts) => element("section", "", element("h3", "", name), element("p", "soft", about), lines(texts));
    fill($("options"),
        section("Sources", sources.length ? "These services are asked about captures: the file of --providers names them." : "No services are set: nothing leaves this device. Start the studio with --providers to name some.",
            sources.map(({ id, host }) => joined(services[id] ?? id, host))),
        section("Concepts", "Words that matter to you, with their weights. Above 1.2, they raise what is near to them in searches; ‘captures sessions concept’ sets them.",
            concepts.map(({ name, weight }) => joined(name, String(Math.round(10 * weight) / 10)))),
        section("What left this device", transfers.length ? "The latest requests, the newest first." : "Nothing.", transfers.map((line) => {
            const { at, host, endpoint, contentClass, bytesUp } = read(line);
            return `${time(at)} · ${endpoint} at ${host}: ${bytesUp.toLocaleString("en")} bytes sent (${contentClass})`;
        })),
    );
    $("settings").showModal();
});

// MARK: Moving

const back = () => open?.item ? go(open.item.parentID ? "item" : "session", open.item.parentID ?? open.item.sessionID) : go();
for (const made of document.querySelectorAll("section > .back")) made.onclick = back;
$("moresessions").onclick = async () => {
    const first = sessionCount;
    sessionCount += sessionsAPage;
    await lookAtSessions();
    $("sessions").children[first]?.firstChild.focus();
};
$("moreitems").onclick = () => { itemCount += itemsAPage; lookAtPlace(); };
addEventListener("hashchange", () => lookAtPlace());
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, dialog, [popover]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (open || place()[0])) return open ? back() : go();
    if (event.key === "/") { event.preventDefault(); return $("about").focus(); }
    if (event.key === "c") return $("capturing").showPopover();
    if (event.key === "Delete" && open) return $(open.item ? "deleteitem" : "delete").click();
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
    $("live").textContent = unfinished ? `${unfinished} waiting` : "";
    look();
};
events.onerror = () => {
    const isClosed = events.readyState === EventSource.CLOSED;
    $("live").textContent = isClosed ? "Not connected: open the address that the studio printed." : "Connecting …";
};
look();
// While the answers are on their way.
time(0);
