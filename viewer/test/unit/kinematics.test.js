/* Joints one by one, against matrix exponentials; bends against their formula. The engine itself is asked in
 * kinematics_engine.test.js. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { Kinematics } from "../../src/kinematics.js";

const UNTURNED = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const times = (A, B) => A.map((row) => B[0].map((_, j) => row.reduce((sum, x, k) => sum + x * B[k][j], 0)));

/* exp of a 4 x 4 matrix: its series after halving four times, then squared as often. */
function exponential(A) {
    const small = A.map((row) => row.map((x) => x / 16));
    const one = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1 : 0)));
    let sum = one, power = one;
    for (let k = 1; k < 24; k++) {
        power = times(power, small).map((row) => row.map((x) => x / k));
        sum = sum.map((row, i) => row.map((x, j) => x + power[i][j]));
    }
    for (let k = 0; k < 4; k++) sum = times(sum, sum);
    return sum;
}

/* exp of the twist (linear u, angular w) */
const screw = (u, w) => exponential([[0, -w[2], w[1], u[0]], [w[2], 0, -w[0], u[1]], [-w[1], w[0], 0, u[2]], [0, 0, 0, 0]]);
const matrixOf = ({ p, R }) => [[R[0], R[1], R[2], p[0]], [R[3], R[4], R[5], p[1]], [R[6], R[7], R[8], p[2]], [0, 0, 0, 1]];
const scaled = (a, k) => a.map((x) => x * k);

function near(pose, matrix, tolerance = 1e-13) {
    const found = matrixOf(pose);
    for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 4; j++) assert.ok(Math.abs(found[i][j] - matrix[i][j]) < tolerance, `${i} ${j}: ${found[i][j]} ${matrix[i][j]}`);
    }
}

const link = (name, joint, more = {}) => ({ name, mass: 1, com: [0, 0, 0], joint, shapes: [], ellipsoid: null, elastic: null, ...more });
const joint = (type, nq, more = {}) => ({
    name: type, type, parent: 0, child: 1, origin: { p: [0, 0, 0], R: UNTURNED }, axis: [0, 0, 1], axis2: [0, 0, 0], pitch: 0,
    curve: null, q: 0, nq, mimic: -1, ratio: 1, offset: 0, bend: null, ...more,
});

function single(type, nq, more) {
    const neutral = new Array(nq).fill(0);
    if (type === "spherical" || type === "free") neutral[nq - 1] = 1;
    return new Kinematics({
        nq, nv: nq, neutral, links: [link("ground", -1), link("body", 0)], joints: [joint(type, nq, more)], frames: [], loops: [],
    });
}

const axis = [2, -1, 2], e = scaled(axis, 1 / 3), still = [0, 0, 0];

test("one-axis joints are exponentials of their twists", () => {
    near(single("revolute", 1, { axis }).poses([0.7])[1], screw(still, scaled(e, 0.7)));
    near(single("continuous", 1, { axis }).poses([-9])[1], screw(still, scaled(e, -9)));
    near(single("prismatic", 1, { axis }).poses([0.7])[1], screw(scaled(e, 0.7), still));
    near(single("helical", 1, { axis, pitch: 0.05 }).poses([1.3])[1], screw(scaled(e, 0.065), scaled(e, 1.3)));
    near(single("cylindrical", 2, { axis }).poses([0.4, 1.1])[1], screw(scaled(e, 0.4), scaled(e, 1.1)));
});

test("a universal joint turns about its first axis, then about the second one carried along", () => {
    const axis2 = [1, 2, 0], f = scaled(axis2, 1 / Math.sqrt(5));
    const expected = times(screw(still, scaled(e, 0.6)), screw(still, scaled(f, -1.2)));
    near(single("universal", 2, { axis, axis2 }).poses([0.6, -1.2])[1], expected);
});

test("a planar joint stays in its plane", () => {
    const { p, R } = single("planar", 3, { axis }).poses([0.3, -0.2, 0.9])[1];
    assert.ok(Math.abs(p[0] * e[0] + p[1] * e[1] + p[2] * e[2]) < 1e-15);
    assert.ok(Math.abs(Math.hypot(...p) - Math.hypot(0.3, 0.2)) < 1e-15);
    near({ p: still, R }, screw(still, scaled(e, 0.9)));
    const upright = single("planar", 3).poses([0.3, -0.2, 0])[1].p;
    assert.deepEqual([...upright], [0.3, -0.2, 0]);
});

test("quaternions need no unit length", () => {
    const half = 0.45, k = 3.7;
    const q = [...scaled(e, k * Math.sin(half)), k * Math.cos(half)];
    near(single("spherical", 4).poses(q)[1], screw(still, scaled(e, 2 * half)));
    const free = matrixOf({ p: [1, 2, 3], R: single("spherical", 4).poses(q)[1].R });
    near(single("free", 7).poses([1, 2, 3, ...q])[1], free);
});

test("origins come before the motion, children after their parents", () => {
    const origin = { p: [0.1, 0.2, 0.3], R: [0, -1, 0, 1, 0, 0, 0, 0, 1] };
    const model = {
        nq: 2, nv: 2, neutral: [0, 0], frames: [], loops: [],
        links: [link("a", -1), link("b", 0), link("c", 1), link("d", 2)],
        joints: [
            joint("revolute", 1, { origin, axis }),
            joint("prismatic", 1, { parent: 1, child: 2, origin, q: 1, axis: [0, 1, 0] }),
            joint("revolute", 0, { parent: 2, child: 3, mimic: 1, q: 1, ratio: -2, offset: 0.25, axis: [1, 0, 0] }),
        ],
    };
    const poses = new Kinematics(model).poses([0.5, 0.4]), O = matrixOf(origin);
    const b = times(O, screw(still, scaled(e, 0.5))), c = times(times(b, O), screw([0, 0.4, 0], still));
    near(poses[1], b);
    near(poses[2], c);
    near(poses[3], times(c, screw(still, [0.25 - 0.8, 0, 0])));
});

test("curves: line, circle, and splines through their points", () => {
    const at = (curve, s) => [...single("curve", 1, { curve }).poses([s])[1].p];
    assert.deepEqual(at({ kind: "line", points: [[0, 0, 0, 0], [2, 0, 2, 0]], length: 2 }, 0.5), [0, 0.5, 0]);
    const circle = { kind: "circle", closed: true, length: Math.PI, points: [] };
    for (let i = 0; i < 7; i++) {
        const angle = (2 * Math.PI * i) / 7;
        circle.points.push([0.5 * angle, 1 + 0.5 * Math.cos(angle), 0.5 * Math.sin(angle), 2]);
    }
    const [x, y, z] = at(circle, 0.35);
    assert.ok(Math.hypot(x - 1 - 0.5 * Math.cos(0.7), y - 0.5 * Math.sin(0.7), z - 2) < 1e-14);
    /* three points: m = 6 (-0.5 - 0.5) / 4 = -1.5 in the middle; up to it y = 0.75 x - 0.25 x^3 over s = x, so that the
     * length is the integral of sqrt(1 + (0.75 - 0.75 x^2)^2), here by Simpson's rule */
    const bent = { kind: "spline", closed: false, length: 2, points: [[0, 0, 0, 0], [1, 1, 0.5, 0], [2, 2, 0, 0]] };
    const simpson = (f, t, n = 10000) => {
        let sum = f(0) + f(t);
        for (let i = 1; i < n; i++) sum += (i % 2 ? 4 : 2) * f((t * i) / n);
        return (sum * t) / (3 * n);
    };
    const arc = (t) => simpson((x) => Math.hypot(1, 0.75 - 0.75 * x * x), t);
    for (const t of [0.1, 0.5, 0.9, 1]) {
        const [px, py] = at(bent, arc(t));
        assert.ok(Math.hypot(px - t, py - 0.75 * t + 0.25 * t ** 3) < 1e-13);
    }
    /* beyond the end the tangent goes on, of slope -0.5 - 1.5 / 6 = -0.75, that is 3 down for 5 along the curve */
    const [ex, ey] = at(bent, 2 * arc(1) + 5);
    assert.ok(Math.hypot(ex - 6, ey + 3) < 1e-13);
    const ring = { kind: "spline", closed: true, length: 4, points: [[0, 1, 0, 0], [1, 0, 1, 0], [2, -1, 0, 0], [3, 0, -1, 0]] };
    /* its first quarter is x = 1 - 1.5 u^2 + 0.5 u^3, y = 1.5 u - 0.5 u^3 */
    const once = 4 * simpson((u) => Math.hypot(1.5 * u * u - 3 * u, 1.5 - 1.5 * u * u), 1);
    for (const s of [0.3, 1.7, 3.9]) {
        const here = at(ring, s), next = at(ring, s + once / 4), again = at(ring, s - 2 * once);
        assert.ok(Math.hypot(next[0] + here[1], next[1] - here[0]) < 1e-13); /* a quarter turn on */
        assert.ok(Math.hypot(again[0] - here[0], again[1] - here[1]) < 1e-13);
    }
});

function bentModel() {
    const bend = { at: [2, 0, 0], d: [[0, 1, 0], [0, 0, 0.5]], r: [[0, 0, 0.4], [0, -0.3, 0]], G: [[0.2, 0.05], [0.05, 0.1]], axis: [1, 0, 0] };
    return {
        bend,
        model: {
            nq: 3, nv: 3, neutral: [0, 0, 0], frames: [], loops: [],
            links: [link("beam", -1, { elastic: { q: 0, count: 2, sections: [], radius: [0.1, 0.1] } }), link("tip", 0)],
            joints: [joint("revolute", 1, { q: 2, origin: { p: [2.5, 0, 0], R: UNTURNED }, bend })],
        },
    };
}

test("what sits on an elastic link follows its section", () => {
    const { model } = bentModel();
    const kinematics = new Kinematics(model);
    for (const exaggerate of [1, 3]) {
        const [a, b] = [0.1 * exaggerate, -0.2 * exaggerate];
        const back = (0.2 * a * a + 2 * 0.05 * a * b + 0.1 * b * b) / 2;
        const turn = screw(still, [0, -0.3 * b, 0.4 * a]);
        const section = times([[1, 0, 0, 2 - back], [0, 1, 0, a], [0, 0, 1, 0.5 * b], [0, 0, 0, 1]], turn);
        const tip = times(section, screw([0.5, 0, 0], still));
        near(kinematics.poses([0.1, -0.2, 0.7], { exaggerate })[1], times(tip, screw(still, [0, 0, 0.7])));
    }
});

test("poses are the same objects at every call", () => {
    const { model, bend } = bentModel();
    const kinematics = new Kinematics(model);
    const first = kinematics.poses([0, 0, 0]), out = { p: new Float64Array(3), R: new Float64Array(9) };
    assert.equal(kinematics.poses([0.1, 0, 1]), first);
    assert.equal(kinematics.place(0, { p: [2, 0, 0], R: UNTURNED }, bend, out), out);
    assert.ok(Math.abs(out.p[1] - 0.1) < 1e-16);
    assert.deepEqual([...kinematics.place(0, { p: [2, 0, 0], R: UNTURNED }, null).p], [2, 0, 0]);
});

test("q moved by v: numbers add, quaternions turn, a free body screws", () => {
    assert.deepEqual([...single("cylindrical", 2).moved([1, 2], [0.5, -1])], [1.5, 1]);
    const spherical = single("spherical", 4), q = [0.5, 0.5, 0.5, 0.5], w = [0.3, -1.1, 0.6];
    const before = matrixOf({ ...spherical.poses(q)[1] });
    near(spherical.poses(spherical.moved(q, w))[1], times(before, screw(still, w)));
    const free = single("free", 7), u = [0.2, 0.1, -0.5];
    for (const size of [1, 1e-5]) {
        const start = matrixOf(free.poses([1, 2, 3, ...q])[1]), v = [...scaled(u, size), ...scaled(w, size)];
        near(free.poses(free.moved([1, 2, 3, ...q], v))[1], times(start, screw(scaled(u, size), scaled(w, size))));
    }
    const { model } = bentModel();
    assert.deepEqual([...new Kinematics(model).moved([1, 2, 3], [0.5, 0.25, -1])], [1.5, 2.25, 2]);
});
