// Two recordings, column by column: how far apart, and when, as the document tells.

import { button, h, table } from "../look/dom.js";
import { withUnit } from "../look/numbers.js";
import { inOrder, wordsOf } from "./differences.js";

const MOST_ROWS = 500;

export function comparisonTab(comparison, [a, b], player) {
    const body = h("div", {});
    const order = h(
        "select",
        { "aria-label": "Order", onchange: () => show() },
        h("option", { value: "recorded" }, "as recorded"),
        h("option", { value: "largest" }, "largest difference first"),
    );
    const show = () => {
        const rows = inOrder(comparison, order.value).slice(0, MOST_ROWS);
        body.replaceChildren(differenceTable(rows, a, player), remark(comparison, a, b));
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

function differenceTable(rows, a, player) {
    const when = withUnit("at", a.timeUnit);
    const numbers = ["largest |A − B|", when, "rms", "rows", "gaps"].map((text) => ({ text, number: true }));
    const goTo = (t, words) => button("link", () => player.seek(t), words, `Go to ${words}`);
    const cells = rows.map((row) => {
        const words = wordsOf(row);
        const at = Number.isFinite(row.at) ? goTo(row.at, words.at) : words.at;
        return [words.name, words.largest, at, words.rms, words.rows, words.gaps];
    });
    return h("div", { class: "scroll" }, table(["channel", ...numbers], cells));
}

function remark(rows, a, b) {
    const alone = (x, y) => x.columns.filter((column) => !y.column(column.name)).length;
    const texts = ["Over all rows of the files. B is taken at the times of A, straight between its rows."];
    if (rows.length === 0) texts.push("The two have no channel in common over a common time.");
    if (rows.some(({ gaps }) => gaps > 0)) texts.push("Gaps: rows where only one of the two is a finite number.");
    if (rows.length > MOST_ROWS) texts.push(`${rows.length - MOST_ROWS} more columns are not listed.`);
    const [onlyA, onlyB] = [alone(a, b), alone(b, a)];
    if (onlyA + onlyB > 0) texts.push(`Columns only in A: ${onlyA}, only in B: ${onlyB}.`);
    return h("p", { class: "hint" }, texts.join(" "));
}
