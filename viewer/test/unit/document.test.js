import assert from "node:assert/strict";
import { test } from "node:test";
import { lengthOf, numbersOf } from "../../src/base64.js";
import { DocumentError, openDocument, parseDocument } from "../../src/document.js";
import { encode, liveDocument, modelDocument, twoLinkDocument } from "./fixture.js";

test("columns are found by name, with unit, label and meaning", () => {
    const [recording] = openDocument(twoLinkDocument()).recordings;
    const column = recording.column("tau.elbow");
    assert.equal(column.unit, "N m");
    assert.equal(column.label, "elbow");
    assert.equal(column.group, "tau");
    assert.match(column.about, /force in each joint/);
    assert.equal(recording.column("tau.wrist"), undefined);
});

test("numbers come out as they went in: double positions to the bit, others to single precision", () => {
    const [recording] = openDocument(twoLinkDocument()).recordings;
    const row = 317;
    const t = recording.time[row];
    assert.equal(recording.column("q.shoulder").values[row], 0.6 * Math.sin(t));
    assert.equal(recording.column("q.elbow").values[row], 0.9 * Math.cos(1.7 * t) - 0.4);
    assert.equal(recording.column("v.elbow").values[row], Math.fround(-1.53 * Math.sin(1.7 * t)));
});

test("a channel is decoded when it is first asked for, not before", () => {
    const [recording] = openDocument(twoLinkDocument()).recordings;
    assert.ok(recording.channels.every((channel) => channel.entries === null));
    assert.equal(recording.column("v.elbow").values.length, 601);
    assert.deepEqual(recording.channels.map((channel) => channel.entries !== null), [false, true, false, false, false]);
});

test("data of a channel is entry after entry", () => {
    const [recording] = openDocument(twoLinkDocument({ rows: 5 })).recordings;
    const { data } = recording.channels[0];
    assert.ok(data instanceof Float64Array);
    assert.deepEqual([...data.subarray(5)], [...recording.column("q.elbow").values]);
});

test("unlabelled and doubled entries still have names of their own", () => {
    const raw = twoLinkDocument({ rows: 2 });
    const data = encode([1, 2]);
    raw.recordings[0].channels = [
        { name: "load", unit: "N", about: "", width: 1, labels: [""], units: ["N"], data },
        { name: "x", unit: "m", about: "", width: 2, labels: [], units: [], data: encode([1, 2, 3, 4]) },
        { name: "load", unit: "N", about: "", width: 1, labels: [""], units: ["N"], data },
    ];
    const [recording] = openDocument(raw).recordings;
    assert.deepEqual(recording.columns.map((column) => column.name), ["load", "x.1", "x.2", "load (2)"]);
    assert.equal(recording.column("x.2").unit, "m");
});

test("numbers that are missing are told, and shown as gaps", () => {
    const raw = twoLinkDocument({ rows: 4 });
    raw.recordings[0].channels[1].data = encode([1, 2, 3, 4, 5]);
    const opened = openDocument(raw);
    assert.deepEqual(opened.problems, ["two_link.h5: v has 5 numbers, not 8"]);
    assert.deepEqual([...opened.recordings[0].column("v.elbow").values], [5, NaN, NaN, NaN]);
});

test("times that are not numbers or go back are told and put in order", () => {
    const raw = twoLinkDocument({ rows: 4 });
    raw.recordings[0].time = encode([0, NaN, 2, 1], Float64Array);
    const opened = openDocument(raw);
    assert.match(opened.problems[0], /2 times/);
    assert.deepEqual([...opened.recordings[0].time], [0, 0, 2, 2]);
});

test("what cannot be read is told in a sentence", () => {
    assert.throws(() => parseDocument('{"zveno_page": 1, "ki'), (e) => e instanceof DocumentError && /cut short/.test(e.message));
    assert.throws(() => parseDocument("{}"), /holds no data/);
    assert.throws(() => parseDocument("[1]"), /not a document/);
    assert.throws(() => openDocument({ zveno_page: 2, kind: "report" }), /format 2; this page reads format 1/);
    assert.throws(() => openDocument({ zveno_page: 1, kind: "film" }), /unknown kind, "film"/);
});

test("a document with nothing in it opens", () => {
    const opened = openDocument({ zveno_page: 1, kind: "report" });
    assert.deepEqual([opened.recordings, opened.robot, opened.modes, opened.problems], [[], null, null, []]);
});

test("the robot is the model's, or that of the first recording", () => {
    assert.equal(openDocument(modelDocument()).robot.name, "two_link");
    assert.equal(openDocument(twoLinkDocument()).robot.name, "two_link");
    assert.equal(openDocument(twoLinkDocument()).model, null);
});

test("rows by time: the last at or before it", () => {
    const [recording] = openDocument(twoLinkDocument({ rows: 11, duration: 10 })).recordings;
    assert.deepEqual([-1, 0, 0.99, 1, 9.5, 10, 11].map((t) => recording.rowAt(t)), [0, 0, 0, 1, 9, 10, 10]);
    assert.equal(openDocument(twoLinkDocument({ rows: 0 })).recordings[0].rowAt(1), -1);
});

test("rows that come are appended once, whatever comes twice", () => {
    const [recording] = openDocument(liveDocument()).recordings;
    const width = recording.columns.length;
    const row = (t) => [t, ...Array.from({ length: width }, (_, k) => t + k)];
    assert.equal(recording.append(0, [row(0), row(1)]), 2);
    assert.equal(recording.append(0, [row(0), row(1), row(2)]), 1);
    assert.equal(recording.append(1, [row(1)]), 0);
    assert.equal(recording.append(5, [row(5)]), -1);
    assert.deepEqual([...recording.time], [0, 1, 2]);
    assert.deepEqual([...recording.column("q.elbow").values], [1, 2, 3]);
    assert.deepEqual([...recording.channels[0].data], [0, 1, 2, 1, 2, 3]);
});

test("many appended rows, and nulls as gaps", () => {
    const [recording] = openDocument(liveDocument()).recordings;
    const width = recording.columns.length;
    for (let i = 0; i < 3000; i += 7)
        recording.append(i, Array.from({ length: 7 }, (_, k) => [0.01 * (i + k), null, ...new Array(width - 1).fill(i + k)]));
    assert.equal(recording.rows, 3003);
    assert.ok(recording.column("q.shoulder").values.every(Number.isNaN));
    assert.equal(recording.column("q.elbow").values[2999], 2999);
    assert.deepEqual(recording.span, [0, 0.01 * 3002]);
});

test("the rows of a run that has ended go over to the document that tells more", () => {
    const [running] = openDocument(liveDocument()).recordings;
    const [ended] = openDocument(liveDocument()).recordings;
    const row = (t) => [t, ...running.columns.map((_, k) => t + k)];
    running.append(0, [row(0), row(1)]);
    ended.takeRows(running);
    assert.deepEqual([...ended.time], [0, 1]);
    assert.deepEqual([...ended.column("tau.elbow").values], [5, 6]);
    assert.deepEqual([...ended.channels[0].data], [0, 1, 1, 2]);
});

test("base64: lengths without decoding, and short texts", () => {
    for (const count of [0, 1, 2, 3, 4, 5]) assert.equal(lengthOf(encode(new Array(count).fill(1))), 4 * count);
    assert.deepEqual([...numbersOf(encode([1, 2]), Float32Array, 3)], [1, 2, NaN]);
});

test("the robot is that of the first recording that has one", () => {
    const raw = twoLinkDocument({ second: true });
    raw.recordings[1].model.name = "other";
    assert.equal(openDocument(raw).robot.name, "two_link");
    raw.recordings[0].model = null;
    assert.equal(openDocument(raw).robot.name, "other");
    raw.recordings[1].model = null;
    assert.equal(openDocument(raw).robot, null);
});

test("time has the name and unit that the recording gives it", () => {
    const raw = twoLinkDocument();
    assert.equal(openDocument(raw).recordings[0].timeLabel, "time [s]");
    Object.assign(raw.recordings[0], { time_name: "row", time_unit: "1" });
    assert.equal(openDocument(raw).recordings[0].timeLabel, "row");
});

test("warnings of a run are told with the problems of the page", () => {
    const raw = twoLinkDocument();
    raw.recordings[0].notes.push({ name: "warnings", text: "the energy is doubtful\na limit was passed\n" });
    const { problems, recordings } = openDocument(raw);
    const { file } = recordings[0];
    assert.deepEqual(problems.slice(-2), [`${file}: the energy is doubtful`, `${file}: a limit was passed`]);
});
