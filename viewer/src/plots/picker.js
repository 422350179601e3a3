// The choice of channels for a pane: a dialog with a search.

import { button, h } from "../look/dom.js";
import { MOST_LINES, MOST_UNITS, fits, fitting } from "./choice.js";
import { groupColumns, searchColumns } from "./search.js";

const MOST_SHOWN = 300;

export class Picker {
    /** columns: all that can be chosen */
    constructor(columns) {
        this.columns = columns;
        const searching = { type: "search", placeholder: "Search names, units, meanings", "aria-label": "Search channels" };
        this.search = h("input", { ...searching, oninput: () => this.list() });
        this.results = h("div", { class: "picker-results" });
        this.note = h("p", { class: "hint", "aria-live": "polite" });
        const close = () => this.element.close();
        this.element = h(
            "dialog",
            { class: "picker", "aria-label": "Channels of this pane" },
            h("header", {}, h("h2", {}, "Channels of this pane"), this.search),
            this.results,
            h("footer", {}, this.note, button("quiet", () => this.clear(), "Clear"), button("main", close, "Done")),
        );
        this.element.addEventListener("click", (event) => {
            if (event.target === this.element) close();
        });
        this.element.addEventListener("close", () => this.finish());
    }

    /** names: chosen so far; done(names) is told when the dialog closes. */
    open(names, done) {
        this.chosen = this.columns.filter((column) => names.includes(column.name));
        this.before = names;
        this.done = done;
        this.search.value = "";
        this.list();
        this.element.showModal();
        this.search.focus();
    }

    finish() {
        const names = this.chosen.map((column) => column.name);
        if (names.join("\n") !== this.before.join("\n")) this.done(names);
    }

    clear() {
        this.chosen = [];
        this.list();
    }

    list() {
        const found = searchColumns(this.columns, this.search.value);
        const groups = groupColumns(found.slice(0, MOST_SHOWN));
        this.boxes = [];
        this.results.replaceChildren(...groups.map((group) => this.group(group)));
        if (found.length === 0) this.results.append(h("p", { class: "hint" }, "Nothing is called like this."));
        if (found.length > MOST_SHOWN)
            this.results.append(h("p", { class: "hint" }, `${found.length - MOST_SHOWN} more: search for them.`));
        this.update();
    }

    group({ group, about, columns }) {
        const all = columns.length > 1 ? button("quiet", () => this.takeAll(columns), "All", `All of ${group}`) : null;
        return h(
            "fieldset",
            {},
            h("legend", {}, h("strong", {}, group), " ", h("span", { class: "hint" }, about), all),
            h("div", { class: "choices" }, columns.map((column) => this.choice(column))),
        );
    }

    choice(column) {
        const box = h("input", { type: "checkbox", onchange: () => this.toggle(column, box.checked) });
        this.boxes.push({ box, column });
        const unit = h("span", { class: "unit" }, column.unit === "1" ? "" : column.unit);
        return h("label", { class: "choice" }, box, h("span", {}, column.label), unit);
    }

    toggle(column, on) {
        this.chosen = on ? [...this.chosen, column] : this.chosen.filter((c) => c !== column);
        this.update();
    }

    takeAll(columns) {
        const missing = columns.filter((column) => !this.chosen.includes(column));
        if (missing.length === 0) this.chosen = this.chosen.filter((column) => !columns.includes(column));
        else this.chosen = [...this.chosen, ...fitting(this.chosen, missing)];
        this.update();
    }

    update() {
        for (const { box, column } of this.boxes) {
            box.checked = this.chosen.includes(column);
            box.disabled = !box.checked && !fits(this.chosen, column);
        }
        this.note.textContent = `${this.chosen.length} of at most ${MOST_LINES} lines, in at most ${MOST_UNITS} units`;
    }
}
