// Starts the page: finds the document, builds what shows it, and says what went wrong where it cannot.

import { parseDocument } from "./document.js";
import { showFailure, watchErrors } from "./look/message.js";
import { Page } from "./page.js";

let page = null;

async function fetched() {
    const reply = await fetch("document.json");
    if (!reply.ok) throw new Error(`zveno answers ${reply.status} ${reply.statusText}`);
    return parseDocument(await reply.text());
}

async function found() {
    const inside = parseDocument(document.getElementById("document")?.textContent ?? "");
    return inside.kind === "served" ? fetched() : inside;
}

/**
 * A live run has ended and its document tells more (the ledger, statistics): the page is built again, as the reader left
 * it. The rows are here already.
 */
async function renew() {
    const renewed = await fetched();
    if (renewed.kind === "live") {
        renewed.kind = "report";
        renewed.recordings[0].takeRows(page.recordings[0]);
    }
    const left = page.left();
    page.dispose();
    page = new Page(renewed, { renew, left });
}

async function start() {
    watchErrors((text) => (page ? page.banner.tell("error", text, "error") : showFailure(text)));
    try {
        page = new Page(await found(), { renew });
    } catch (error) {
        page = null;
        showFailure(error.message);
        throw error;
    }
}

const ready = start();
// Told in the page already; tests may still wait for it.
ready.catch(() => {});

window.zveno = {
    ready,
    setTime: (t) => page.setTime(t),
    time: () => page.store.get("time"),
    pose: (name, recording) => page.scene.pose(name, recording),
    setCoordinate: (label, value) => page.setCoordinate(label, value),
    state: () => Array.from(page.scene.state()),
    columns: () => page.columns(),
    plotted: (pane) => page.board?.plotted(pane) ?? null,
    fps: () => page.scene.fps(),
    atRest: () => page.scene.atRest(),
};
