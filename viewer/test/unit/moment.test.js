import { test } from "node:test";
import assert from "node:assert/strict";
import { Recording } from "../../src/recording.js";
import { Moment, placeOf, valueAt } from "../../src/moment.js";

const base64 = (array) => Buffer.from(array.buffer).toString("base64");

/* columns: one list of numbers per coordinate */
function recording(time, columns) {
    return new Recording({
        file: "made.h5", rows: time.length, all_rows: time.length, q: 0, time: base64(Float64Array.from(time)),
        channels: [{
            name: "q", unit: "", width: columns.length, labels: [], units: [], precise: true,
            data: base64(Float64Array.from(columns.flat())),
        }],
    });
}

test("rows are exact, between them it is linear", () => {
    const made = recording([0, 0.1, 0.4], [[1, 2, -1], [0.3, 0.1, 0.7]]);
    const moment = new Moment(made, 2);
    assert.deepEqual([...moment.at(0.1).q], [2, 0.1]);
    assert.deepEqual([...moment.at(0.4).q], [-1, 0.7]);
    const q = moment.at(0.2).q;
    assert.ok(Math.abs(q[0] - 1) < 1e-15 && Math.abs(q[1] - 0.3) < 1e-15);
    assert.ok(Math.abs(valueAt(made, 0, 1, 0.25) - 0.4) < 1e-15);
});

test("outside of the recording its nearest end is shown", () => {
    const moment = new Moment(recording([1, 2], [[5, 6]]), 1);
    assert.equal(moment.at(-3).q[0], 5);
    assert.equal(moment.at(7).q[0], 6);
});

test("of two rows at one time the later one counts", () => {
    const moment = new Moment(recording([0, 1, 1, 2], [[0, 1, 10, 20]]), 1);
    assert.equal(moment.at(1).q[0], 10);
    assert.equal(moment.at(1.5).q[0], 15);
    assert.equal(moment.at(0.5).q[0], 0.5);
});

test("quaternions go the short way and keep unit length", () => {
    const angle = 1.1, s = Math.sin(angle / 2), c = Math.cos(angle / 2);
    const moment = new Moment(recording([0, 1], [[0, 0], [0, 0], [0, -s], [1, -c]]), 4, [0]);
    const q = moment.at(0.5).q;
    assert.ok(Math.abs(Math.abs(q[2]) - Math.sin(angle / 4)) < 1e-15);
    assert.ok(Math.abs(Math.abs(q[3]) - Math.cos(angle / 4)) < 1e-15);
    assert.ok(Math.abs(Math.hypot(...moment.at(0.2).q) - 1) < 1e-15);
});

test("rows that are not finite keep the last finite pose and say so", () => {
    const moment = new Moment(recording([0, 1, 2, 3], [[1, 2, NaN, NaN], [5, 6, 7, Infinity]]), 2);
    assert.deepEqual({ q: [...moment.at(0.5).q], held: moment.at(0.5).held }, { q: [1.5, 5.5], held: false });
    for (const t of [1.5, 2, 2.5, 3, 9]) {
        const { q, held } = moment.at(t);
        assert.deepEqual([[...q], held], [[2, 6], true]);
    }
    assert.equal(moment.at(1).held, false);
    assert.deepEqual(new Moment(recording([0, 1], [[NaN, 1]]), 1).at(0), { q: null, held: true });
});

test("no rows, one row, rows that come later", () => {
    assert.equal(new Moment(recording([], [[]]), 1).at(0).q, null);
    const made = recording([2], [[7]]);
    const moment = new Moment(made, 1);
    assert.equal(moment.at(0).q[0], 7);
    made.append(1, [[3, 9], [4, null]]);
    assert.equal(moment.at(2.5).q[0], 8);
    assert.deepEqual([moment.at(4).q[0], moment.at(4).held], [9, true]);
    assert.deepEqual(placeOf(made, 2.25), { row: 0, part: 0.25 });
});
