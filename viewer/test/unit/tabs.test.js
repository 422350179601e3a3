import assert from "node:assert/strict";
import { test } from "node:test";
import { openDocument } from "../../src/document.js";
import { decimalsFor, short, withUnit } from "../../src/look/numbers.js";
import { fullAmplitude } from "../../src/tabs/amplitude.js";
import { balanceOf } from "../../src/tabs/balance.js";
import { Closing } from "../../src/tabs/closing.js";
import { coordinatesOf, quaternionsOf, withCoordinate } from "../../src/tabs/coordinate.js";
import { inOrder, wordsOf } from "../../src/tabs/differences.js";
import { pairsOf } from "../../src/tabs/pairs.js";
import { twoLinkDocument, twoLinkModel } from "./fixture.js";

test("differences are shown as the document tells them, however small", () => {
    const row = { column: "q.elbow", unit: "rad", largest: 1e-10, at: 0.125, rms: 4e-11, rows: 200001, gaps: 0 };
    const words = { name: "q.elbow [rad]", largest: "1e−10", at: "0.125", rms: "4e−11", rows: "200001", gaps: "" };
    assert.deepEqual(wordsOf(row), words);
    const none = wordsOf({ column: "x.x", unit: "1", largest: null, at: null, rms: null, rows: 0, gaps: 3 });
    assert.deepEqual(none, { name: "x.x", largest: "–", at: "–", rms: "–", rows: "0", gaps: "3" });
});

test("differences are listed as recorded, or the largest first; what has none comes last", () => {
    const rows = [{ largest: 0 }, { largest: null }, { largest: 2 }, { largest: 1e-10 }];
    assert.deepEqual(inOrder(rows, "recorded"), rows);
    assert.deepEqual(inOrder(rows, "largest").map(({ largest }) => largest), [2, 1e-10, 0, null]);
});

test("the comparison is that of the document, if it has one", () => {
    const raw = twoLinkDocument({ second: true });
    assert.equal(openDocument(raw).comparison, null);
    raw.comparison = [{ column: "q.shoulder", unit: "rad", largest: 0, at: 0, rms: 0, rows: 601, gaps: 0 }];
    assert.deepEqual(openDocument(raw).comparison, raw.comparison);
});

test("the ledger adds up", () => {
    const balance = balanceOf(twoLinkDocument().recordings[0].ledger);
    assert.deepEqual(balance, { stored: -4.25, worked: -4.25, gap: 0, largest: 7.5 });
    assert.ok(Number.isNaN(balanceOf([{ kind: "store", name: "x", J: null }]).gap));
});

test("coordinates have limits, or some that fit their unit; angles are shown in degrees", () => {
    const model = twoLinkModel();
    model.joints[1].lower = [null];
    const [first, second] = coordinatesOf(model);
    assert.deepEqual([first.lower, first.upper, first.shownUnit], [-2.5, 2.5, "°"]);
    assert.deepEqual([second.lower, second.upper], [-Math.PI, Math.PI]);
    model.coordinates[0].unit = "m";
    model.joints[0].upper = [null];
    assert.deepEqual([coordinatesOf(model)[0].lower, coordinatesOf(model)[0].scale], [-1.6, 1]);
});

test("a quaternion keeps unit length, and the entry in hand its value", () => {
    assert.deepEqual(quaternionsOf({ joints: [{ q: 0, nq: 1 }, { q: 1, nq: 7 }, { q: 8, nq: 4 }] }), [4, 8]);
    const moved = withCoordinate([9, 0, 0, 0, 1], 1, 0.6, [1]);
    assert.deepEqual(moved, [9, 0.6, 0, 0, 0.8]);
    assert.ok(Math.abs(Math.hypot(...withCoordinate([0.5, 0.5, 0.5, 0.5], 2, -0.3, [0])) - 1) < 1e-15);
    assert.deepEqual(withCoordinate([0, 0, 0, 1], 3, 0, [0]), [0, 0, 1, 0]);
});

test("a mode at full amplitude neither turns nor travels too far", () => {
    const model = { size: 2, degrees: [{ unit: "rad/s" }, { unit: "m/s" }] };
    assert.equal(fullAmplitude([1, 0], model), 0.8);
    assert.equal(fullAmplitude([1, -2], model), 0.25);
    assert.equal(fullAmplitude([0, 0], model), 0);
});

test("loops: the latest question wins, one at a time", async () => {
    const asked = [];
    let running = 0, open;
    const gate = new Promise((done) => (open = done)); // until the third has asked
    const closing = new Closing(async (q) => {
        assert.equal(++running, 1);
        asked.push(q);
        await gate;
        running--;
        return { q, closed: true };
    }, 1);
    const first = closing.close([1], []);
    const second = closing.close([2], []);
    while (!asked.length) await new Promise((done) => setTimeout(done, 1));
    const third = closing.close([3], []);
    open();
    assert.deepEqual(await Promise.all([first, second, third]), [null, null, { q: [3], closed: true }]);
    assert.deepEqual(asked, [[2], [3]]);
});

test("a question that fails does not block the next", async () => {
    let fail = true;
    const closing = new Closing(async (q) => {
        if (fail) throw new Error("gone");
        return { q };
    }, 0);
    await assert.rejects(closing.close([1], []), /gone/);
    fail = false;
    assert.deepEqual(await closing.close([2], []), { q: [2] });
});

test("numbers as people read them", () => {
    assert.deepEqual([0, -1.5, 1e-7, 123456.789, 1e9, NaN, null, -Infinity].map((v) => short(v)),
        ["0", "−1.5", "1e−7", "123460", "1e9", "–", "–", "−∞"]);
    assert.deepEqual([0, 0.01, 10, 5000].map(decimalsFor), [3, 5, 2, 1]);
    assert.deepEqual([withUnit("x", "m"), withUnit("x", "1"), withUnit("x", "")], ["x [m]", "x", "x"]);
});

test("lines of notes as names and values", () => {
    assert.deepEqual(pairsOf("steps: 250\n\n rate: 1: 2 \nplain\n"), [["steps", "250"], ["rate", "1: 2"], ["", "plain"]]);
});
