// All panes: they share the time, the span of time shown, and the choice of channels.

import { button, h, iconButton } from "../look/dom.js";
import { ADD, MINUS, RESET } from "../look/icons.js";
import { defaultPanes } from "./choice.js";
import { Pane } from "./pane.js";
import { Picker } from "./picker.js";
import { Zoom } from "./zoom.js";

const VALUES_EVERY = 200; // ms between new numbers in legends while playing
const GROWN_EVERY = 100; // ms between redraws while rows come

export class Board {
    /** options: panes (lists of names), whole: with tools and a choice of channels */
    constructor(recordings, store, player, { panes = defaultPanes(recordings[0]), whole = true } = {}) {
        this.recordings = recordings;
        this.store = store;
        this.events = recordings[0].events;
        this.zooming = new Zoom(() => store.get("span"), () => this.panes.forEach((pane) => pane.chart.rezoom()));
        this.told = {
            time: (t) => player.seek(t),
            zoom: (from, to) => this.zooming.set(from, to),
            scale: (factor, about) => this.zooming.scale(factor, about),
            all: () => this.zooming.all(),
        };
        this.panes = [];
        this.chosen = false;
        this.lastValues = 0;
        this.picker = new Picker(allColumns(recordings));
        this.list = h("div", { class: "panes" });
        this.element = h("div", { class: "board" }, whole ? this.tools() : null, this.list, this.picker.element);
        for (const names of panes) this.add(names);
        store.on("time", () => this.timeChanged());
        store.on("playing", () => this.timeChanged());
        store.on("theme", () => this.panes.forEach((pane) => pane.retheme()));
    }

    tools() {
        const middle = () => {
            const [from, to] = this.zooming.span;
            const t = this.store.get("time");
            return t > from && t < to ? t : (from + to) / 2;
        };
        const note = this.recordings.map((r) => r.decimated).filter(Boolean).join("; ");
        return h(
            "div",
            { class: "board-tools" },
            button("quiet", () => this.addChosen(), "Add a pane"),
            h("span", { class: "hint grow" }, note ? `Shown: ${note}` : ""),
            iconButton(ADD, "Show a shorter time", () => this.zooming.scale(0.5, middle())),
            iconButton(MINUS, "Show a longer time", () => this.zooming.scale(2, middle())),
            iconButton(RESET, "Show all of the time", () => this.zooming.all()),
        );
    }

    theme() {
        return this.store.get("theme");
    }

    time() {
        return this.store.get("time");
    }

    zoom() {
        return this.zooming.span;
    }

    add(names) {
        const pane = new Pane(this, names);
        this.panes.push(pane);
        this.list.append(pane.element);
        return pane;
    }

    addChosen() {
        this.picker.open([], (names) => {
            this.chosen = true;
            this.add(names).element.scrollIntoView({ block: "nearest" });
        });
    }

    choose(pane) {
        this.picker.open(pane.names, (names) => {
            this.chosen = true;
            pane.choose(names);
        });
    }

    /** What the reader chose, as lists of names; undefined when that was nothing. */
    choice() {
        return this.chosen ? this.panes.map((pane) => pane.names) : undefined;
    }

    remove(pane) {
        this.chosen = true;
        this.panes = this.panes.filter((other) => other !== pane);
        pane.destroy();
    }

    timeChanged() {
        const now = performance.now();
        const withValues = !this.store.get("playing") || now - this.lastValues > VALUES_EVERY;
        if (withValues) this.lastValues = now;
        for (const pane of this.panes) pane.setTime(this.time(), withValues);
    }

    /** Rows came: drawn soon, not at once. */
    grown() {
        this.timer ??= setTimeout(() => {
            this.timer = null;
            for (const pane of this.panes) pane.chart.refresh();
            this.timeChanged();
        }, GROWN_EVERY);
    }

    plotted(i) {
        return this.panes[i]?.chart.plotted ?? null;
    }

    dispose() {
        clearTimeout(this.timer);
        for (const pane of this.panes) pane.destroy();
    }
}

/** Columns of the first recording, then those that only others have. */
function allColumns(recordings) {
    const seen = new Map();
    for (const recording of recordings)
        for (const column of recording.columns) if (!seen.has(column.name)) seen.set(column.name, column);
    return [...seen.values()];
}
