import assert from "node:assert/strict";
import { test } from "node:test";
import { openDocument } from "../../src/document.js";
import { Live } from "../../src/live.js";
import { liveDocument } from "./fixture.js";

/** An EventSource that a test drives. */
class Source {
    listeners = {};
    readyState = 1;
    addEventListener(name, listener) {
        this.listeners[name] = listener;
    }
    send(name, value) {
        this.listeners[name]({ data: JSON.stringify(value) });
    }
    close() {
        this.readyState = 2;
    }
}

function started() {
    const source = new Source();
    const told = [];
    const [recording] = openDocument(liveDocument()).recordings;
    const tell = (name) => (...values) => told.push([name, ...values]);
    const names = ["connected", "grown", "ended", "failed"];
    const live = new Live(recording, () => source, Object.fromEntries(names.map((name) => [name, tell(name)])));
    const row = (t) => [t, ...new Array(recording.columns.length).fill(t)];
    return { source, told, recording, live, row };
}

test("rows come, and those that come again are passed over", () => {
    const { source, told, recording, row } = started();
    source.send("rows", { first: 0, rows: [row(0), row(0.1)] });
    source.send("rows", { first: 0, rows: [row(0), row(0.1), row(0.2)] });
    source.send("rows", { first: 2, rows: [row(0.2)] });
    assert.deepEqual([...recording.time], [0, 0.1, 0.2]);
    assert.deepEqual(told, [["grown", 2], ["grown", 1]]);
});

test("the end is told once, with whether there is more, and closes", () => {
    const { source, told } = started();
    source.send("end", { ending: "end of duration", document: true });
    source.listeners.error();
    assert.deepEqual(told, [["ended", "end of duration", true]]);
    assert.equal(source.readyState, 2);
});

test("an interruption is told and waited for, a loss is told", () => {
    const { source, told } = started();
    source.readyState = 0;
    source.listeners.error();
    source.readyState = 2;
    source.listeners.error();
    assert.deepEqual(told.map(([name]) => name), ["failed", "failed"]);
    assert.match(told[0][1], /trying again/);
    assert.match(told[1][1], /lost/);
});

test("missing rows are not glossed over", () => {
    const { source, told, row } = started();
    source.send("rows", { first: 3, rows: [row(3)] });
    assert.match(told[0][1], /missing/);
    assert.equal(source.readyState, 2);
});
