// Two recordings, column by column: how far apart, and when.

import { button, h, table } from "../look/dom.js";
import { short, withUnit } from "../look/numbers.js";
import { differences } from "./differences.js";

const MOST_ROWS = 500;

export function comparisonTab(a, b, player) {
    const rows = differences(a, b);
    const body = h("div", {});
    const order = h(
        "select",
        { "aria-label": "Order", onchange: () => show() },
        h("option", { value: "recorded" }, "as recorded"),
        h("option", { value: "relative" }, "largest relative difference first"),
    );
    const show = () => {
        const bySize = [...rows].sort((x, y) => (y.relative || 0) - (x.relative || 0));
        const sorted = order.value === "relative" ? bySize : rows;
        body.replaceChildren(differenceTable(sorted.slice(0, MOST_ROWS), player), remark(rows, a, b));
    };
    show();
    return h(
        "div",
        { class: "text" },
        h(
            "div",
            {},
            h("p", {}, h("strong", {}, "A"), ` ${a.file}, solid lines`),
            h("p", {}, h("strong", {}, "B"), ` ${b.file}, dashed lines; translucent in the picture`),
        ),
        h("div", { class: "row" }, h("label", {}, "Order ", order)),
        body,
    );
}

function differenceTable(rows, player) {
    const numbers = ["largest |A − B|", "of largest |A|", "at [s]", "rms"].map((text) => ({ text, number: true }));
    const goTo = (t) => button("link", () => player.seek(t), short(t), `Go to ${short(t)} seconds`);
    const cells = rows.map((row) => [
        withUnit(row.name, row.unit),
        short(row.largest),
        short(row.relative, 2),
        Number.isFinite(row.at) ? goTo(row.at) : "–",
        short(row.rms),
    ]);
    return h("div", { class: "scroll" }, table(["channel", ...numbers], cells));
}

function remark(rows, a, b) {
    const alone = (x, y) => x.columns.filter((column) => !y.column(column.name)).length;
    const texts = ["B is taken at the times of A, straight between its rows."];
    if (rows.length === 0) texts.push("The two have no channel in common over a common time.");
    if (rows.length > MOST_ROWS) texts.push(`${rows.length - MOST_ROWS} more columns are not listed.`);
    const [onlyA, onlyB] = [alone(a, b), alone(b, a)];
    if (onlyA + onlyB > 0) texts.push(`Columns only in A: ${onlyA}, only in B: ${onlyB}.`);
    return h("p", { class: "hint" }, texts.join(" "));
}
