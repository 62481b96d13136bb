// What pages have in common. Text of the data reaches a page through text nodes and attributes only, never as markup.

const byID = id => document.getElementById(id);
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

// Building: attributes that are functions are listeners; what is absent or empty is left out.
function build(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (typeof value === "function") made.addEventListener(name, value);
        else if (value != null && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat(Infinity).filter(Boolean));
    return made;
}
const html = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
    build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// A choice among options, which are pairs of a value and its text.
const selection = (attributes, options) => html("select", attributes,
    options.map(([value, text]) => html("option", { value }, text)));

// Without case and accents, so that "garcia" finds "García".
const fold = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Where (x, y) comes to lie when a picture is turned so that its text reads from left to right.
function turning(orientation, width, height) {
    const matrices = new Map([["cw", [0, -1, 1, 0, 0, width]], ["ccw", [0, 1, -1, 0, height, 0]],
        ["inverted", [-1, 0, 0, -1, width, height]]]);
    return matrices.get(orientation);
}
