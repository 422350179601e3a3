// A pane as a table of text: every point that the page has, units in the heading.

import { mergedTimes } from "./table.js";
import { withUnit } from "../look/numbers.js";

export function csvText(columns) {
    const recordings = [...new Set(columns.map((column) => column.recording))];
    const several = recordings.length > 1;
    const heading = columns.map((c) => withUnit(several ? `${c.recording.file} ${c.name}` : c.name, c.unit));
    const { x, places } = mergedTimes(recordings.map((recording) => recording.time));
    const cells = columns.map((column) => cellsOf(column, places[recordings.indexOf(column.recording)], x.length));
    const lines = [[recordings[0]?.timeLabel ?? "time", ...heading].map(quoted).join(",")];
    for (let i = 0; i < x.length; i++) lines.push([x[i], ...cells.map((column) => column[i])].join(","));
    return `${lines.join("\r\n")}\r\n`;
}

function cellsOf(column, place, length) {
    const cells = new Array(length).fill("");
    const values = column.values;
    const text = values instanceof Float32Array ? shortSingle : String;
    for (let i = 0; i < values.length; i++) cells[place[i]] = text(values[i]);
    return cells;
}

/** The shortest decimals that give the same single-precision number again. */
export function shortSingle(value) {
    for (let digits = 6; digits < 9; digits++) {
        const tried = Number(value.toPrecision(digits));
        if (Math.fround(tried) === value) return String(tried);
    }
    return String(Number(value.toPrecision(9)));
}

function quoted(text) {
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
