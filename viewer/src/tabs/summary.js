// What was run, of what, how and where: as tables and as a text to copy.

import { button, copyButton, h, table } from "../look/dom.js";
import { quantity, short, withUnit } from "../look/numbers.js";
import { pairsOf } from "./pairs.js";

const LONG = ["scenario", "model"];
const OWN = ["title", "statistics", "integrator", "ledger", "command", "version", "ending", "warnings", ...LONG];
const LONGEST_FACT = 160; // characters; longer notes are folded
const MOST_LINKS = 200;

export function summaryTab(page, player) {
    const parts = [];
    const several = page.recordings.length > 1;
    page.recordings.forEach((recording, i) => parts.push(...recordingParts(recording, several ? "AB"[i] : "", player)));
    if (page.robot) parts.push(...modelParts(page.robot));
    parts.push(section("This page", facts(pageFacts(page))));
    const copy = copyButton("Copy the summary", () => summaryText(page));
    parts[0].prepend(h("div", { class: "heading" }, parts[0].querySelector("h2"), copy));
    return h("div", { class: "text" }, parts);
}

function section(title, ...children) {
    return h("section", {}, h("h2", {}, title), ...children);
}

/** [[name, text]] as a table of two columns. */
function facts(pairs) {
    const row = ([name, text]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, text));
    return h("table", { class: "facts" }, h("tbody", {}, pairs.map(row)));
}

function recordingFacts(recording) {
    const [start, end] = recording.span.map((t) => short(t));
    const rows = recording.rows === recording.allRows ? `${recording.rows}` : `${recording.rows} of ${recording.allRows}`;
    const between = quantity(`${start} to ${end}`, recording.timeUnit);
    const pairs = [
        ["file", recording.file],
        ["rows", recording.rows > 0 ? `${rows}, ${recording.timeName} ${between}` : "none"],
        ["shown", recording.decimated],
        ["ending", recording.note("ending")],
        ["command", recording.note("command")],
        ["version", recording.note("version")],
    ];
    for (const note of recording.notes)
        if (!OWN.includes(note.name) && !isLong(note)) pairs.push([note.name, note.text.trim()]);
    return pairs.filter(([, text]) => text);
}

function recordingParts(recording, mark, player) {
    const title = recording.title || recording.file;
    const parts = [section(mark ? `Recording ${mark}: ${title}` : title, facts(recordingFacts(recording)))];
    const statistics = statisticsOf(recording);
    if (statistics.length > 0) parts.push(section("Integrator", facts(statistics)));
    if (recording.events.length > 0) parts.push(section("Events", events(recording, player)));
    for (const note of recording.notes)
        if (LONG.includes(note.name) || (!OWN.includes(note.name) && isLong(note))) parts.push(longNote(note));
    return parts;
}

const isLong = ({ text }) => text.trim().includes("\n") || text.length > LONGEST_FACT;

function statisticsOf(recording) {
    const settings = recording.note("integrator");
    return [...pairsOf(recording.note("statistics")), ...(settings ? [["settings", settings]] : [])];
}

function longNote({ name, text }) {
    return h("details", { class: "long" }, h("summary", {}, name), h("pre", { tabindex: 0 }, text));
}

function events(recording, player) {
    const shown = recording.events.slice(0, 200);
    const rows = shown.map(({ t, name, text }) => [
        button("link", () => player.seek(t), short(t, 6), `Go to ${quantity(short(t), recording.timeUnit)}`),
        name,
        text,
    ]);
    const left = recording.events.length - shown.length;
    const more = left > 0 ? h("p", { class: "hint" }, `${left} more`) : null;
    return h("div", {}, table([{ text: recording.timeLabel, number: true }, "what", "happens"], rows), more);
}

function modelFacts(model) {
    const mass = model.links.reduce((sum, link) => sum + (link.mass ?? 0), 0);
    const elastic = model.links.filter((link) => link.elastic).length;
    return [
        ["links", `${model.links.length}${elastic ? `, ${elastic} elastic` : ""}`],
        ["mass", `${short(mass)} kg`],
        ["joints", `${model.joints.length}`],
        ["loops", model.loops.length > 0 ? `${model.loops.length}` : ""],
        ["coordinates", `${model.nq}, ${model.nv} degrees of freedom`],
        ["gravity", `${model.gravity.map((g) => short(g)).join(", ")} m/s²`],
    ].filter(([, text]) => text);
}

function modelParts(model) {
    const joint = (link) => (link.joint >= 0 ? model.joints[link.joint] : null);
    const rows = model.links.slice(0, MOST_LINKS).map((link) => [
        link.name,
        short(link.mass),
        joint(link)?.name ?? "",
        joint(link)?.type ?? "",
        link.elastic ? `${link.elastic.count} elastic` : "",
    ]);
    const coordinates = model.coordinates.map((c) => withUnit(c.label, c.unit)).join(", ");
    return [
        section(`Model: ${model.name}`, facts(modelFacts(model))),
        table(["link", { text: "mass [kg]", number: true }, "joint above it", "type", "elastic"], rows),
        h("details", { class: "long" }, h("summary", {}, "Coordinates"), h("p", {}, coordinates)),
    ];
}

function pageFacts(page) {
    const { system, processor, isa, date } = page.machine;
    const pairs = [
        ["version", `zveno ${page.version}`],
        ["command", page.command],
        ["written", date],
        ["system", system],
        ["processor", processor],
        ["instruction set", isa],
    ];
    return pairs.filter(([, text]) => text);
}

function summaryText(page) {
    const lines = ([title, pairs]) => [title, ...pairs.map(([name, text]) => `  ${name}: ${text}`)].join("\n");
    const parts = page.recordings.map((r) => lines([r.title || r.file, [...recordingFacts(r), ...statisticsOf(r)]]));
    if (page.robot) parts.push(lines([`model ${page.robot.name}`, modelFacts(page.robot)]));
    parts.push(lines(["page", pageFacts(page)]));
    return `${parts.join("\n\n")}\n`;
}
