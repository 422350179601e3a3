import assert from "node:assert/strict";
import { test } from "node:test";
import { openDocument } from "../../src/document.js";
import { cleaned } from "../../src/look/numbers.js";
import { defaultPanes, fits, fitting } from "../../src/plots/choice.js";
import { csvText, shortSingle } from "../../src/plots/csv.js";
import { groupColumns, searchColumns } from "../../src/plots/search.js";
import { mergedTimes, sized, tableOf, withGaps } from "../../src/plots/table.js";
import { fileName, titleOf } from "../../src/plots/title.js";
import { Zoom } from "../../src/plots/zoom.js";
import { twoLinkDocument } from "./fixture.js";

const recordings = (options) => openDocument(twoLinkDocument(options)).recordings;
const names = (columns) => columns.map((column) => column.name);

test("legends: rounding beside larger numbers is zero, small numbers by themselves are not", () => {
    assert.equal(cleaned(6.1e-17, 0.7), 0);
    assert.equal(cleaned(-3e-16, 0.7), 0);
    assert.equal(cleaned(6.1e-17, 7e-17), 6.1e-17);
    assert.equal(cleaned(1.57, 3e25), 1.57);
    const [q] = openDocument(twoLinkDocument()).recordings[0].columns;
    assert.ok(Math.abs(q.largest() - 0.6) < 1e-3);
});

test("search: all words, in names, units and meanings, names first", () => {
    const { columns } = recordings()[0];
    assert.deepEqual(names(searchColumns(columns, "ELBOW tau")), ["tau.elbow"]);
    assert.deepEqual(names(searchColumns(columns, "velocities")), ["v.shoulder", "v.elbow"]);
    assert.equal(names(searchColumns(columns, "elbow"))[0], "q.elbow");
    assert.ok(names(searchColumns(columns, "elbow")).includes("reactions elbow.fx"));
    assert.deepEqual(searchColumns(columns, "elbow nothing"), []);
    assert.equal(searchColumns(columns, " ").length, columns.length);
});

test("groups keep the order of channels", () => {
    const groups = groupColumns(recordings()[0].columns);
    assert.deepEqual(groups.map(({ group }) => group), ["q", "v", "tau", "energy", "reactions elbow"]);
    assert.deepEqual(names(groups[0].columns), ["q.shoulder", "q.elbow"]);
});

test("panes to begin with: motion, torques, energies, and the gap apart", () => {
    assert.deepEqual(defaultPanes(recordings()[0]), [
        ["q.shoulder", "q.elbow"],
        ["tau.shoulder", "tau.elbow"],
        ["energy.kinetic", "energy.potential", "energy.work"], // nothing is stored in the fixture
        ["energy.gap"],
    ]);
});

test("a pane takes two units and twelve lines, no more", () => {
    const columns = ["rad", "m", "J", "rad"].map((unit, i) => ({ unit, name: `c${i}` }));
    assert.deepEqual(names(fitting([], columns)), ["c0", "c1", "c3"]);
    assert.equal(fits(new Array(12).fill({ unit: "m" }), { unit: "m" }), false);
});

test("what is not a number becomes a gap; what is finite stays the same array", () => {
    const fine = Float32Array.of(1, 2);
    assert.equal(withGaps(fine), fine);
    assert.deepEqual(withGaps(Float32Array.of(1, NaN, Infinity)), [1, null, null]);
});

test("two recordings over one axis: nothing lost, nothing invented", () => {
    const { x, places } = mergedTimes([Float64Array.of(0, 1, 1, 3), Float64Array.of(0.5, 1, 2)]);
    assert.deepEqual([...x], [0, 0.5, 1, 1, 2, 3]);
    assert.deepEqual(places.map((place) => [...place]), [[0, 2, 3, 5], [1, 2, 4]]);
    const [a, b] = recordings({ second: true });
    const table = tableOf([a.column("q.elbow"), b.column("q.elbow")]);
    assert.deepEqual(table.ys[0].filter((v) => v !== undefined), [...a.column("q.elbow").values]);
    assert.deepEqual(table.ys[1].filter((v) => v !== undefined), [...b.column("q.elbow").values]);
});

test("CSV: units in the heading, every row, doubles in full, singles as short as they are", () => {
    const [recording] = recordings({ rows: 3, duration: 10 });
    const lines = csvText([recording.column("q.elbow"), recording.column("tau.shoulder")]).split("\r\n");
    assert.equal(lines[0], "time [s],q.elbow [rad],tau.shoulder [N m]");
    assert.equal(lines.length, 5);
    const [t, q, tau] = lines[2].split(",").map(Number);
    assert.equal(t, 5);
    assert.equal(q, recording.column("q.elbow").values[1]);
    assert.equal(Math.fround(tau), recording.column("tau.shoulder").values[1]);
    assert.equal(shortSingle(Math.fround(0.1)), "0.1");
    assert.equal(shortSingle(Math.fround(0.1234567)), "0.1234567");
    assert.equal(shortSingle(NaN), "NaN");
});

test("CSV of two recordings names them and leaves empty what is not there", () => {
    const [a, b] = recordings({ rows: 2, duration: 10, second: true });
    a.file = 'a "1", x.h5';
    const lines = csvText([a.column("q.elbow"), b.column("q.elbow")]).split("\r\n");
    assert.equal(lines[0], 'time [s],"a ""1"", x.h5 q.elbow [rad]",two_link_b.h5 q.elbow [rad]');
    assert.match(lines[2], /^0\.025,,/);
    assert.equal(lines.length, 403);
});

test("CSV: time is called as the recording calls it", () => {
    const raw = twoLinkDocument({ rows: 2 });
    const heading = (more) => {
        const [recording] = openDocument({ ...raw, recordings: [{ ...raw.recordings[0], ...more }] }).recordings;
        return csvText([recording.column("q.elbow")]).split(",")[0];
    };
    assert.equal(heading({}), "time [s]");
    assert.equal(heading({ time_name: "angle", time_unit: "ms" }), "angle [ms]");
    assert.equal(heading({ time_name: "row", time_unit: "1" }), "row");
});

test("huge values are plotted as parts of a power of ten, others as they are", () => {
    const fine = Float32Array.of(-3, 1e9);
    const { ys, factors } = sized([fine, Float64Array.of(-1.7e308, 0, 1.7e308), [null, undefined, 5e307]], [0, 1, 1]);
    assert.equal(ys[0], fine);
    assert.deepEqual(factors, [1, 1e308]);
    assert.deepEqual(ys[1], [-1.7e308 / 1e308, 0, 1.7e308 / 1e308]);
    assert.deepEqual(ys[2], [null, undefined, 0.5]);
    assert.ok(Math.abs(ys[1][2] * factors[1] - 1.7e308) <= 1.7e308 * 2 ** -52);
});

test("titles and names of files", () => {
    const [recording] = recordings();
    const columns = ["q.elbow", "tau.elbow", "tau.shoulder"].map((name) => recording.column(name));
    assert.equal(titleOf(columns), "q.elbow, tau");
    assert.equal(fileName({ columns }), "two_link q.elbow tau");
    recording.file = "../../<Ω>/x.h5";
    assert.equal(fileName({ columns }), ".. .. Ω x q.elbow tau");
});

test("zoom stays inside, keeps the point it is about, and ends at all", () => {
    let changes = 0;
    const zoom = new Zoom(() => [0, 10], () => changes++);
    zoom.scale(0.5, 4);
    assert.deepEqual(zoom.span, [2, 7]);
    zoom.set(-3, 5);
    assert.deepEqual(zoom.span, [0, 5]);
    zoom.set(6, 6);
    assert.deepEqual(zoom.span, [0, 5]);
    zoom.scale(100, 2);
    assert.equal(zoom.chosen, null);
    assert.equal(changes, 3);
    assert.deepEqual(new Zoom(() => [3, 3], () => {}).span, [2.5, 3.5]);
});
