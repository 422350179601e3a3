// Sliders for a model without a recording. Loops are closed by the engine, when there is one.

import { button, copyButton, h } from "../look/dom.js";
import { short } from "../look/numbers.js";
import { askEngine, Closing } from "./closing.js";
import { coordinatesOf, quaternionsOf, withCoordinate } from "./coordinate.js";

/** Six digits; what rounding left of nothing is nothing. */
const rounded = (value) => (Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(6)));

export class JointsTab {
    constructor(model, scene, store, served) {
        this.scene = scene;
        this.store = store;
        this.model = model;
        this.coordinates = coordinatesOf(model);
        this.quaternions = quaternionsOf(model);
        this.closing = served && model.loops.length > 0 ? new Closing(askEngine) : null;
        this.q = Array.from(model.neutral);
        this.wanted = this.closed = this.q;
        // The neutral position of a machine with loops need not close them.
        if (this.closing) this.reset();
    }

    build() {
        this.note = h("p", { class: "note", role: "status" });
        this.rows = this.coordinates.map((coordinate) => this.row(coordinate));
        this.show();
        const copy = copyButton("Copy q", () => `[${this.q.join(", ")}]`);
        const open = this.model.loops.length > 0 && !this.closing;
        return h(
            "div",
            { class: "text joints" },
            h("div", { class: "row" }, button("quiet", () => this.reset(), "Reset"), copy),
            open ? h("p", { class: "hint" }, "Loops are not closed here: zveno view closes them.") : null,
            this.note,
            this.rows.map(({ element }) => element),
        );
    }

    row(coordinate) {
        const { label, index, lower, upper, scale, shownUnit } = coordinate;
        const range = { min: lower * scale, max: upper * scale, step: "any" };
        const take = (field) => {
            const value = field.valueAsNumber / scale;
            if (Number.isFinite(value)) this.move(index, value, field);
        };
        const slider = h("input", { type: "range", ...range, "aria-label": label, oninput: () => take(slider) });
        const told = `${label}, ${shownUnit || "no unit"}`;
        const box = h("input", { type: "number", step: "any", "aria-label": told, onchange: () => take(box) });
        const own = h("span", { class: "hint radians" });
        const value = h("span", { class: "value" }, box, h("span", { class: "unit" }, shownUnit));
        const element = h("div", { class: "joint" }, h("span", { class: "name", title: label }, label), slider, value, own);
        return { element, slider, box, own, coordinate };
    }

    /** held: the field in hand, which keeps what the reader put there. */
    async move(index, value, held) {
        this.wanted = withCoordinate(this.wanted, index, value, this.quaternions);
        await this.settle([this.coordinates[index].label], held);
    }

    async settle(labels, held) {
        if (!this.closing) return this.take(this.wanted, "", held);
        try {
            const answer = await this.closing.close(this.wanted, labels);
            if (!answer) return;
            const from = this.closed;
            this.take(answer.q ?? this.q, answer.closed ? "" : answer.message || "The loops cannot be closed here.", held);
            // The next motion begins where they were closed last: the nearest position may lie on another side.
            if (answer.closed) this.closed = this.q;
            else this.wanted = from;
        } catch (error) {
            this.tell(`The loops cannot be closed: ${error.message}`);
        }
    }

    take(q, message, held) {
        this.q = Array.from(q);
        this.wanted = this.q;
        this.store.set("state", this.q);
        this.scene.setState(this.q);
        this.tell(message);
        this.show(held);
    }

    tell(message) {
        if (this.note) this.note.textContent = message;
    }

    show(held) {
        for (const { slider, box, own, coordinate } of this.rows ?? []) {
            const value = this.q[coordinate.index];
            const shown = value * coordinate.scale;
            if (slider !== held) slider.value = String(shown);
            if (box !== held) box.value = String(rounded(shown));
            own.textContent = coordinate.scale === 1 ? "" : `${short(rounded(value))} rad`;
        }
    }

    reset() {
        this.wanted = Array.from(this.model.neutral);
        return this.settle([]);
    }

    setCoordinate(label, value) {
        const coordinate = this.coordinates.find((c) => c.label === label);
        if (!coordinate) throw new Error(`there is no coordinate "${label}"`);
        return this.move(coordinate.index, value);
    }
}
