// The document of a page (see README.md), checked and opened. What cannot be shown is told as a sentence.

import { Recording } from "./recording.js";

export const FORMAT = 1;
const KINDS = ["report", "model", "live", "served"];

export class DocumentError extends Error {}

export function parseDocument(text) {
    let raw;
    try {
        raw = JSON.parse(text);
    } catch (error) {
        throw new DocumentError(
            `The data of this page cannot be read (${error.message}). The file may have been cut short; write it again.`,
        );
    }
    return openDocument(raw);
}

export function openDocument(raw) {
    checkHead(raw);
    const recordings = (Array.isArray(raw.recordings) ? raw.recordings : []).map((r, i) => new Recording(r, i));
    const problems = (Array.isArray(raw.problems) ? raw.problems : []).map(String);
    for (const recording of recordings) problems.push(...recording.problems);
    return {
        kind: raw.kind,
        version: String(raw.version ?? ""),
        command: String(raw.command ?? ""),
        machine: raw.machine ?? {},
        recordings,
        model: raw.model ?? null,
        robot: raw.model ?? recordings.find(({ model }) => model)?.model ?? null, // the one that is drawn first
        comparison: Array.isArray(raw.comparison) ? raw.comparison : null,
        modes: raw.modes?.modes?.length > 0 ? raw.modes : null,
        problems,
    };
}

function checkHead(raw) {
    if (raw === null || typeof raw !== "object" || Array.isArray(raw))
        throw new DocumentError("The data of this page is not a document of zveno.");
    if (raw.zveno_page === undefined)
        throw new DocumentError("This page holds no data. Pages are written by zveno report and served by zveno view.");
    if (!Number.isInteger(raw.zveno_page) || raw.zveno_page > FORMAT)
        throw new DocumentError(
            `The data is of format ${raw.zveno_page}; this page reads format ${FORMAT}. ` +
                "Write the page again with one version of zveno.",
        );
    if (!KINDS.includes(raw.kind)) throw new DocumentError(`The data is of an unknown kind, "${raw.kind}".`);
}
