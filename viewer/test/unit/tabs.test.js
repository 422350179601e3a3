import assert from "node:assert/strict";
import { test } from "node:test";
import { openDocument } from "../../src/document.js";
import { decimalsFor, short, withUnit } from "../../src/look/numbers.js";
import { fullAmplitude } from "../../src/tabs/amplitude.js";
import { balanceOf } from "../../src/tabs/balance.js";
import { Closing } from "../../src/tabs/closing.js";
import { coordinatesOf, quaternionsOf, withCoordinate } from "../../src/tabs/coordinate.js";
import { differences } from "../../src/tabs/differences.js";
import { pairsOf } from "../../src/tabs/pairs.js";
import { encode, twoLinkDocument, twoLinkModel } from "./fixture.js";

/** Recordings of one column over given times. */
function pair(timesA, valuesA, timesB, valuesB) {
    const make = (times, values) => ({
        file: "x", rows: times.length, all_rows: times.length, time: encode(times, Float64Array),
        channels: [{ name: "x", unit: "m", width: 1, labels: [""], units: ["m"], precise: true, data: encode(values, Float64Array) }],
    });
    return openDocument({ zveno_page: 1, kind: "report", recordings: [make(timesA, valuesA), make(timesB, valuesB)] }).recordings;
}

test("differences: the largest, when, and the mean square, B straight between its rows", () => {
    const [a, b] = pair([0, 1, 2, 3], [0, 1.5, 2, 9], [0, 2], [0, 2]);
    const [row] = differences(a, b);
    assert.deepEqual({ ...row }, { name: "x", unit: "m", largest: 0.5, at: 1, rms: Math.sqrt(0.25 / 3), relative: 0.25 });
});

test("differences pass over what is not a number, and say so when nothing is left", () => {
    const [a, b] = pair([0, 1, 2], [0, NaN, 4], [0, 1, 2], [1, 1, 1]);
    const [row] = differences(a, b);
    assert.deepEqual([row.largest, row.at, row.rms], [3, 2, Math.sqrt(5)]);
    const [c, d] = pair([0, 1], [NaN, NaN], [0, 1], [1, 1]);
    assert.ok(Number.isNaN(differences(c, d)[0].largest));
    assert.deepEqual(differences(...pair([0, 1], [1, 1], [5, 6], [1, 1])), []);
});

test("differences of the fixture: as a second computation has them", () => {
    const [a, b] = openDocument(twoLinkDocument({ second: true })).recordings;
    const row = differences(a, b).find(({ name }) => name === "q.shoulder");
    // 0.6 |sin t - sin(t + 0.1)| is at most 0.6 * 2 sin(0.05); interpolating B adds h^2/8 of its second derivative.
    const exact = 1.2 * Math.sin(0.05);
    assert.ok(Math.abs(row.largest - exact) < (0.6 * 0.025 ** 2) / 8 + (0.6 * 0.0167 ** 2) / 2);
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
    let running = 0;
    const closing = new Closing(async (q) => {
        assert.equal(++running, 1);
        asked.push(q);
        await new Promise((done) => setTimeout(done, 5));
        running--;
        return { q, closed: true };
    }, 1);
    const first = closing.close([1], []);
    const second = closing.close([2], []);
    await new Promise((done) => setTimeout(done, 3));
    const third = closing.close([3], []);
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
