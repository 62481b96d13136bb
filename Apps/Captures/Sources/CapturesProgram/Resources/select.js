// Selecting several items, to move or delete them at once.

const markPicked = () => {
    for (const card of document.querySelectorAll(".grid .tile")) card.ariaPressed = isPicking ? String(picked.has(card.dataset.key)) : null;
    $("picking").hidden = !isPicking;
    $("pickedcount").textContent = `${counted(picked.size, "item")} selected`;
    for (const name of ["movepicked", "deletepicked"]) $(name).disabled = !picked.size;
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
