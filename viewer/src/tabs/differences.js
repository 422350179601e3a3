// How far two recordings are apart, as the document tells, in the words of a table. Nothing is computed here: the page has
// not all rows.

import { short, withUnit } from "../look/numbers.js";

/** The comparison of a document in an order: "recorded", or "largest" difference first. */
export function inOrder(comparison, order) {
    return order === "largest" ? [...comparison].sort((x, y) => (y.largest ?? -1) - (x.largest ?? -1)) : comparison;
}

/** {name, largest, at, rms, rows, gaps} as texts; gaps: "" when there are none. */
export function wordsOf({ column, unit, largest, at, rms, rows, gaps }) {
    return {
        name: withUnit(column, unit),
        largest: short(largest),
        at: short(at, 7),
        rms: short(rms),
        rows: String(rows),
        gaps: gaps > 0 ? String(gaps) : "",
    };
}
