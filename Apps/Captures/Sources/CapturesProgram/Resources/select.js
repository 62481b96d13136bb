"use strict";
// Selecting several items, to move, save or delete them at once.

const markPicked = () => {
    for (const card of document.querySelectorAll(".grid .tile")) card.ariaPressed = isPicking ? String(picked.has(card.dataset.key)) : null;
    $("picking").hidden = !isPicking;
    $("pickedcount").textContent = `${counted(picked.size, "item")} selected`;
    for (const name of ["movepicked", "savepicked", "deletepicked"]) $(name).disabled = !picked.size;
};
const startPicking = () => {
    closeMenus();
    isPicking = true;
    markPicked();
};
const pick = (item) => {
    if (!picked.delete(item.id)) picked.set(item.id, item);
    startPicking();
};
const endPicking = () => {
    isPicking = false;
    picked.clear();
    markPicked();
};
$("select").onclick = startPicking;
$("endpicking").onclick = endPicking;
addEventListener("hashchange", endPicking);

$("movepicked").onclick = async () => {
    // What was found on an item moves with it.
    const ids = new Set([...picked.values()].map(({ id, parentID }) => parentID ?? id));
    const into = await otherSession(`Move ${counted(ids.size, "item")} to which session?`, "Move");
    if (into) run(async () => {
        for (const id of ids) await send("api/act", { action: "move", id, value: into });
        go("session", into);
        return `${counted(ids.size, "item")} moved.`;
    });
};
$("deletepicked").onclick = () => {
    const ids = [...picked.values()].filter(({ parentID }) => !picked.has(parentID)).map(({ id }) => id);
    const isSeveral = ids.length > 1, { session, items = [], count } = open ?? {};
    const isAll = session && items.length === count && items.every(({ id, parentID }) => parentID || picked.has(id));
    endPicking();
    if (isAll) go();
    remove(isAll ? [session.id] : ids, counted(ids.length, "item"), isSeveral);
};

// MARK: Saving

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? byte >>> 1 ^ 0xEDB88320 : byte >>> 1;
    return byte;
});
/** Numbers as little-endian bytes: pairs of how many bytes and the value. */
const packed = (...pairs) => Uint8Array.from(pairs.flatMap(([size, value]) => Array.from({ length: size }, (_, at) => value / 2 ** (8 * at) & 255)));
/** A ZIP file without compression (PKWARE's APPNOTE, 4.3): files are pairs of a name and a blob. */
const zip = async (files) => {
    const parts = [], directory = [];
    let offset = 0;
    for (const [name, blob] of files) {
        const label = new TextEncoder().encode(name);
        let crc = 0xFFFFFFFF;
        for (const byte of new Uint8Array(await blob.arrayBuffer())) crc = crcTable[(crc ^ byte) & 255] ^ crc >>> 8;
        // Version 2.0, names in UTF-8, stored, 1980-01-01.
        const about = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, (crc ^ 0xFFFFFFFF) >>> 0], [4, blob.size], [4, blob.size], [2, label.length], [2, 0]];
        parts.push(packed([4, 0x04034B50], ...about), label, blob);
        directory.push(packed([4, 0x02014B50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), label);
        offset += 30 + label.length + blob.size;
    }
    if (offset > 0xFFFFFFFF || files.length > 0xFFFF) throw new Error("This is too much for one file: use the command 'sessions export'.");
    const size = directory.reduce((sum, { length }) => sum + length, 0);
    return new Blob([...parts, ...directory, packed([4, 0x06054B50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0])], { type: "application/zip" });
};
/** Saves items with all known facts and their pictures to a file. */
const save = async (name, value) => {
    const files = new Map([["session.json", new Blob([JSON.stringify(value, null, 2) + "\n"])]]);
    for (const { id, pictures } of value.items) {
        for (const [role, file] of Object.entries(pictures)) {
            const answer = await fetch(pictureOf(id, role));
            if (!answer.ok) throw new Error(`A picture cannot be read: ${file}`);
            files.set("pictures/" + file, await answer.blob());
        }
    }
    const address = URL.createObjectURL(await zip([...files]));
    Object.assign(document.createElement("a"), { href: address, download: name.replace(/[\\/:*?"<>|\s]+/g, " ").slice(0, 100) + ".zip" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return `${counted(value.items.length, "item")} saved.`;
};
$("export").onclick = () => run(async () => save(nameOf(open.session), JSON.parse(await ask("api/export", { id: open.session.id }))));
$("savepicked").onclick = () => run(async () => {
    const items = new Map();
    for (const id of picked.keys()) {
        const { item, children } = JSON.parse(await ask("api/item", { id }));
        for (const one of [item, ...children]) items.set(one.id, one);
    }
    return save(counted(picked.size, "item"), { items: [...items.values()] });
});
