// A pane: a title, tools, a legend with the values at the replay time, and a chart.

import { button, download, h, icon, iconButton } from "../look/dom.js";
import { CLOSE, LINES, SAVE } from "../look/icons.js";
import { lineColour } from "../look/colours.js";
import { cleaned, short } from "../look/numbers.js";
import { Chart } from "./chart.js";
import { unitsOf } from "./choice.js";
import { csvText } from "./csv.js";
import { fileName, lineName, titleOf } from "./title.js";
import { listen } from "./gestures.js";
import { pictureOf } from "./picture.js";

export class Pane {
    /** board: what charts need, and recordings, choose(pane), remove(pane), told (gestures) */
    constructor(board, names) {
        this.board = board;
        this.title = h("h3", {});
        this.legend = h("ul", { class: "legend" });
        this.chartBox = h("div", { class: "chart" });
        this.element = h("section", { class: "pane" }, this.head(), this.legend, this.chartBox);
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(this.chartBox);
        this.choose(names);
    }

    head() {
        return h(
            "header",
            {},
            this.title,
            iconButton(LINES, "Choose the channels of this pane", () => this.board.choose(this)),
            button("tool", () => this.saveCsv(), [icon(SAVE), "CSV"], "Export this pane as CSV"),
            button("tool", () => this.savePicture(), [icon(SAVE), "PNG"], "Export this pane as PNG"),
            iconButton(CLOSE, "Remove this pane", () => this.board.remove(this)),
        );
    }

    /** Shows these columns, of every recording that has them: the first solid, the second dashed. */
    choose(names) {
        this.names = names;
        this.lines = names.flatMap((name, colour) =>
            this.board.recordings.flatMap((recording, r) => {
                const column = recording.column(name);
                return column ? [{ column, colour, dashed: r > 0, seen: true }] : [];
            }),
        );
        this.title.textContent = titleOf(this.columns) || "Nothing chosen";
        this.element.setAttribute("aria-label", `Plot of ${this.title.textContent}`);
        this.buildLegend();
        this.rebuild();
    }

    get columns() {
        return this.lines.map((line) => line.column);
    }

    rebuild() {
        this.chart?.destroy();
        this.chart = new Chart(this.chartBox, this.lines, this.board);
        listen(this.chart, this.board.told);
        this.setTime(this.board.time(), true);
    }

    buildLegend() {
        const several = this.board.recordings.length > 1;
        this.values = this.lines.map(() => h("output", {}));
        this.swatches = this.lines.map((line) => h("span", { class: line.dashed ? "swatch dashed" : "swatch" }));
        const entry = (line, i) => {
            const name = h("span", { class: "name" }, lineName(line, this.columns, several));
            const content = [this.swatches[i], name, this.values[i]];
            const state = { "aria-pressed": "true", title: line.column.about };
            const chip = button("chip", () => this.toggle(i, chip), content, null, state);
            return h("li", {}, chip);
        };
        this.legend.replaceChildren(...this.lines.map(entry));
        this.colour();
    }

    colour() {
        this.swatches.forEach((swatch, i) => {
            swatch.style.color = lineColour(this.board.theme(), this.lines[i].colour);
        });
    }

    toggle(i, chip) {
        this.lines[i].seen = !this.lines[i].seen;
        chip.setAttribute("aria-pressed", String(this.lines[i].seen));
        this.chart.show(i, this.lines[i].seen);
    }

    setTime(t, withValues) {
        this.chart.setTime(t);
        if (!withValues) return;
        // The axis has the unit; two axes need it said which is whose.
        const mixed = unitsOf(this.columns).length > 1;
        this.lines.forEach(({ column }, i) => {
            const row = column.recording.rowAt(t);
            const value = short(row < 0 ? NaN : cleaned(column.values[row], this.largest(column.unit)));
            this.values[i].textContent = mixed && column.unit !== "1" ? `${value} ${column.unit}` : value;
        });
    }

    /** The greatest number of all lines with a unit: beside it the others are read. */
    largest(unit) {
        const columns = this.columns.filter((column) => column.unit === unit);
        return Math.max(0, ...columns.map((column) => column.largest()));
    }

    retheme() {
        this.colour();
        this.chart.redraw();
    }

    resize() {
        this.chart?.resize(this.chartBox.clientWidth, this.chartBox.clientHeight);
    }

    saveCsv() {
        download(`${fileName(this)}.csv`, new Blob([csvText(this.columns)], { type: "text/csv;charset=utf-8" }));
    }

    savePicture() {
        pictureOf(this).toBlob((blob) => download(`${fileName(this)}.png`, blob), "image/png");
    }

    destroy() {
        this.observer.disconnect();
        this.chart.destroy();
        this.element.remove();
    }
}
