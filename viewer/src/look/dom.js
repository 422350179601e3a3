// Elements from data. Text becomes text nodes, never markup.

/** h("button", {class: "x", onclick: f, "aria-label": "Play"}, "text", element, ...) */
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "class") element.className = value;
        else if (name === "value" || name === "checked") element[name] = value;
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of look/icons.js: strokes in a box of 24. */
export function icon(path) {
    const svg = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }))
        svg.setAttribute(name, value);
    const stroke = document.createElementNS(SVG, "path");
    stroke.setAttribute("d", path);
    svg.append(stroke);
    return svg;
}

/** kind: the class; name: for those who cannot see it, and as a tip, where the content does not tell. */
export function button(kind, onclick, content, name = null, attributes = {}) {
    const told = { "aria-label": name, title: name };
    return h("button", { type: "button", class: kind, onclick, ...told, ...attributes }, content);
}

/** A button with an icon: its name is told to those who cannot see it, and as a tip. */
export function iconButton(path, name, onclick, attributes = {}) {
    return button("tool", onclick, icon(path), name, attributes);
}

/** A table: heads [text or {text, number: true}], rows [[cell...]]; cells are texts or elements. */
export function table(heads, rows, attributes = {}) {
    const numeric = heads.map((head) => head.number === true);
    const cell = (tag, content, i) => h(tag, { class: numeric[i] ? "number" : null }, content);
    return h(
        "table",
        attributes,
        h("thead", {}, h("tr", {}, heads.map((head, i) => cell("th", head.text ?? head, i)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, row.map((content, i) => cell("td", content, i))))),
    );
}

/** Hands a file to the reader. */
export function download(name, blob) {
    const address = URL.createObjectURL(blob);
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Copies text; pages from disk may be refused the clipboard, then the old way is tried. */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = h("textarea", { class: "unseen", value: text });
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        return done;
    }
}

/** A button that copies what text() gives and says so for a moment. */
export function copyButton(label, text) {
    const copy = async () => {
        made.textContent = (await copyText(text())) ? "Copied" : "Cannot copy";
        setTimeout(() => (made.textContent = label), 1500);
    };
    const made = button("quiet", copy, label);
    return made;
}
