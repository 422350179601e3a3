// The energy ledger: stores and works, as numbers and as bars from one zero line.

import { h } from "../look/dom.js";
import { short } from "../look/numbers.js";
import { Board } from "../plots/board.js";
import { balanceOf } from "./balance.js";

export function ledgerTab(recordings, store, player) {
    const several = recordings.length > 1;
    const ledgers = recordings.map((recording, i) => ledgerOf(recording, several ? `${"AB"[i]}: ${recording.file}` : ""));
    return h("div", { class: "text" }, ledgers, overTime(recordings, store, player));
}

/** Energies, and apart from them the gap, which is smaller by many powers of ten. */
function overTime(recordings, store, player) {
    const names = recordings[0].columns.filter((column) => column.group === "energy").map((column) => column.name);
    if (names.length === 0 || recordings[0].rows === 0) return null;
    const panes = [names.filter((name) => name !== "energy.gap"), names.filter((name) => name === "energy.gap")];
    const board = new Board(recordings, store, player, { panes: panes.filter((list) => list.length > 0), whole: false });
    return h("section", { class: "over-time" }, h("h2", {}, "Over time"), board.element);
}

function ledgerOf(recording, title) {
    if (!recording.ledger) return h("p", { class: "hint" }, `${recording.file} has no ledger.`);
    const balance = balanceOf(recording.ledger);
    const of = (kind) => recording.ledger.filter((row) => row.kind === kind);
    const rows = (kind) => of(kind).map((row) => line(row.name, row.J, balance.largest));
    const gap = h("strong", {}, `${short(balance.gap)} J`);
    return h(
        "section",
        { class: "ledger" },
        title ? h("h2", {}, title) : null,
        part("Stored: change over the run", rows("store"), balance.stored),
        part("Work: brought in (+), taken out (−)", rows("work"), balance.worked),
        h("p", {}, "Gap: change of energy less work ", gap, exchanged(recording, balance.gap)),
    );
}

/** The engine knows what was exchanged; the ledger alone only knows what remained. */
function exchanged(recording, gap) {
    const told = /energy exchanged: ([-+.\deE]+) J/.exec(recording.note("statistics"));
    const all = told ? Number(told[1]) : NaN;
    return all > 0 ? `, ${short(Math.abs(gap) / all, 2)} of the ${short(all)} J exchanged` : "";
}

function part(title, rows, total) {
    return h(
        "table",
        { class: "bars" },
        h("caption", {}, title),
        h("tbody", {}, rows),
        h("tfoot", {}, rowOf("sum", total)),
    );
}

function line(name, joules, largest) {
    const size = largest > 0 ? (50 * Math.abs(joules ?? 0)) / largest : 0;
    const bar = h("div", { class: joules < 0 ? "bar out" : "bar in" });
    bar.style.width = `${size}%`;
    return rowOf(name, joules, h("td", { class: "bar-cell" }, bar));
}

function rowOf(name, joules, last = h("td", {})) {
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, `${short(joules)} J`), last);
}
