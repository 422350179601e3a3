/* The parts of the picture that need no browser. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { Color, Matrix4, MeshBasicMaterial, Vector3 } from "three";
import { lengthText } from "../../src/controls/arrow_choices.js";
import { heldText } from "../../src/controls/held_note.js";
import { openDocument } from "../../src/document.js";
import { Kinematics } from "../../src/kinematics.js";
import { Moment } from "../../src/moment.js";
import { Actor } from "../../src/scene/actor.js";
import { Arrows, sourcesOf } from "../../src/scene/arrows.js";
import { Beam } from "../../src/scene/beam.js";
import { extentOf, outgrown } from "../../src/scene/extent.js";
import { roundLength } from "../../src/scene/ground.js";
import { aimed } from "../../src/scene/place.js";
import { coversBeam } from "../../src/scene/robot.js";
import { shapePart } from "../../src/scene/shapes.js";
import { ball, box, cylinder, merged, painted, ring, taper, triangles } from "../../src/scene/solids.js";
import { encode, twoLinkDocument } from "./fixture.js";

/* Volume by the divergence theorem, and whether each triangle looks where its normals look. */
function survey(geometry) {
    const { position, normal } = geometry.attributes, index = geometry.index.array;
    const at = (i) => new Vector3().fromBufferAttribute(position, index[i]);
    let volume = 0, agree = true;
    for (let i = 0; i < index.length; i += 3) {
        const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
        const n = new Vector3().crossVectors(b.clone().sub(a), c.clone().sub(a));
        volume += a.dot(n) / 6;
        if (n.length() < 1e-9) continue; /* an edge that was not broken */
        for (let k = 0; k < 3; k++) {
            const given = new Vector3().fromBufferAttribute(normal, index[i + k]);
            if (Math.abs(given.length() - 1) > 1e-5 || given.dot(n) < 0.7 * n.length()) agree = false;
        }
    }
    return { volume, agree };
}

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance * Math.abs(b), `${a}, not ${b}`);

test("solids are closed, of the right size, and lit from outside", () => {
    /* a circle of 24 sides has 0.9886 of the area of a round one */
    const polygon = (24 / 2) * Math.sin((2 * Math.PI) / 24);
    const solids = [
        [box([0.2, 0.3, 0.4], 0), 0.024, 1e-5],
        [box([0.2, 0.3, 0.4]), 0.024, 0.03],
        [cylinder(0.1, 0.5, { bevel: 0 }), polygon * 0.01 * 0.5, 1e-5],
        [cylinder(0.1, 0.5), polygon * 0.01 * 0.5, 0.03],
        [ball(0.3), (4 / 3) * Math.PI * 0.027, 0.04],
        [ring(1, 0.5), 2 * Math.PI * 0.25, 0.12],
    ];
    for (const [geometry, volume, tolerance] of solids) {
        const found = survey(geometry);
        near(found.volume, volume, tolerance);
        assert.ok(found.agree);
    }
    assert.ok(survey(taper(0.1, 0.05, 1)).agree);
});

test("triangles of files: faces of a cube stay flat, those of a fine ball are smoothed", () => {
    const cube = box([1, 1, 1], 0).toNonIndexed().attributes.position.array.filter((x, i, all) => {
        const t = 9 * Math.floor(i / 9), [a, b, c] = [0, 3, 6].map((k) => new Vector3().fromArray(all, t + k));
        return new Vector3().crossVectors(b.sub(a), c.sub(a)).lengthSq() > 0; /* edges of no width are left out */
    });
    const flat = triangles(cube);
    near(survey(flat).volume, 1, 1e-6);
    for (const x of flat.attributes.normal.array) assert.ok(Math.abs(x * (Math.abs(x) - 1)) < 1e-6);
    const round = triangles(ball(1, { sides: 36, rings: 18 }).toNonIndexed().attributes.position.array);
    const { position, normal } = round.attributes;
    for (let i = 0; i < position.count; i++) {
        const p = new Vector3().fromBufferAttribute(position, i), n = new Vector3().fromBufferAttribute(normal, i);
        assert.ok(p.dot(n) > 0.995);
    }
});

test("parts of a link become one geometry with their colours", () => {
    const whole = merged([painted(box([1, 1, 1]), new Color(1, 0, 0)), painted(ball(1), [0, 1, 0], new Matrix4().setPosition(5, 0, 0))]);
    const { color, position } = whole.attributes;
    for (let i = 0; i < color.count; i++) assert.equal(color.getY(i), position.getX(i) > 2 ? 1 : 0);
    assert.equal(merged([]), null);
});

test("aimed takes z to a direction, also to the opposite one", () => {
    for (const direction of [[0, 0, 2], [0, 0, -3], [1, -2, 0.5]]) {
        const matrix = aimed(new Matrix4(), [1, 2, 3], direction, 1, 4);
        const tip = new Vector3(0, 0, 1).applyMatrix4(matrix).sub(new Vector3(1, 2, 3));
        assert.ok(tip.sub(new Vector3(...direction).normalize().multiplyScalar(4)).length() < 1e-12);
    }
});

test("cells of the grid are round numbers", () => {
    assert.deepEqual([0.13, 0.011, 3.2, 0.7, 90].map((x) => Number(roundLength(x).toPrecision(6))), [0.1, 0.01, 2, 0.5, 100]);
});

test("a straight beam has the volume of its section times its length", () => {
    const bend = (x) => ({ at: [x, 0, 0], d: [[0, x * x, 0]], r: [[0, 0, 2 * x]], G: null, axis: [1, 0, 0] });
    const sections = [0, 0.25, 0.5, 0.75, 1].map(bend);
    const elastic = { q: 0, count: 1, sections, radius: [0.1, 0.1] };
    const link = { name: "beam", joint: -1, shapes: [], elastic };
    const kinematics = new Kinematics({ nq: 1, nv: 1, neutral: [0], links: [link], joints: [], frames: [], loops: [] });
    const beam = new Beam(0, elastic, new Color(), new MeshBasicMaterial());
    kinematics.poses([0]);
    beam.update(kinematics, null);
    const { volume, agree } = survey(beam.mesh.geometry);
    near(volume, 8 * Math.sin(Math.PI / 8) * 0.01, 1e-5);
    assert.ok(agree);
    kinematics.poses([0.3]);
    beam.update(kinematics, new Color(1, 0, 0));
    near(beam.largest, 0.3, 1e-12);
});

test("reactions are found by the names of channels", () => {
    const frame = { link: 2, p: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1], bend: null };
    const model = {
        joints: [{ name: "a", child: 1 }, { name: "elbow x", child: 2 }],
        loops: [{ name: "belt", kind: "coupling", child_frame: null }, { name: "pin", kind: "joint", child_frame: frame }],
    };
    const channels = [
        { name: "q", width: 2 }, { name: "reactions", width: 12 }, { name: "reactions elbow x", width: 6 },
        { name: "loop_reactions", width: 12 }, { name: "loop_reactions pin", width: 6 }, { name: "reactions nobody", width: 6 },
    ];
    const found = sourcesOf({ channels }, model).map(({ channel, entry, link, frame: at }) => [channel, entry, link, at === frame]);
    assert.deepEqual(found, [[1, 0, 1, false], [1, 6, 2, false], [2, 0, 2, false], [3, 6, 2, true], [4, 0, 2, true]]);
});

test("a mesh with a mirroring scale is still lit from outside", () => {
    const positions = box([1, 1, 1]).toNonIndexed().attributes.position.array;
    const meshes = [{ name: "cube", triangles: positions.length / 9, data: Buffer.from(positions.buffer).toString("base64") }];
    const shape = { kind: "mesh", mesh: 0, size: [2, -3, 1], color: null, pose: { p: [9, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1] } };
    const { volume, agree } = survey(shapePart(shape, meshes, { metal: new Color(), lift: 0 }));
    near(volume, 6, 0.05);
    assert.ok(agree);
    assert.equal(shapePart({ ...shape, mesh: 3 }, meshes, { metal: new Color(), lift: 0 }), null);
});

test("a mesh covers a beam by its size in metres, whatever its scale", () => {
    const elastic = { sections: [{ at: [0, 0, 0] }, { at: [1, 0, 0] }] };
    const mesh = (edge) => {
        const positions = box([edge, 0.1 * edge, 0.1 * edge]).toNonIndexed().attributes.position.array;
        return { name: "part", triangles: positions.length / 9, data: Buffer.from(positions.buffer).toString("base64") };
    };
    const covers = (edge, scale) => coversBeam({ kind: "mesh", mesh: 0, size: [scale, -scale, scale] }, elastic, [mesh(edge)]);
    assert.equal(covers(0.05, 1), false); // a motor on the link, in metres
    assert.equal(covers(900, 0.001), true); // the link, in millimetres
    assert.equal(coversBeam({ kind: "mesh", mesh: -1, size: [1, 1, 1] }, elastic, []), false);
    assert.equal(coversBeam({ kind: "cylinder", size: [0.02, 0.9, 0], mesh: -1 }, elastic, []), true);
});

test("what is shown where positions are not finite, and that it is said", () => {
    const raw = twoLinkDocument({ rows: 4, duration: 3 }), [recording] = raw.recordings;
    recording.channels[0].data = encode([NaN, 0.5, NaN, 0.7, 0, 0.25, 0, 0.5], Float64Array);
    const opened = openDocument(raw).recordings[0];
    const actor = new Actor(opened.model, opened, false);
    actor.moment = new Moment(opened, 2);
    const at = (t) => {
        actor.setTime(t);
        return [actor.held, ...actor.q];
    };
    assert.deepEqual(at(3), [null, 0.7, 0.5]);
    assert.deepEqual(at(0), ["neutral", 0, 0]); // not where it happened to be
    assert.deepEqual(at(2), ["last", 0.5, 0.25]);
    assert.equal(heldText(["a.h5"], [null]), "");
    assert.match(heldText(["a.h5"], ["last"]), /^The positions are not finite.*last finite/);
    assert.match(heldText(["a.h5", "b.h5"], [null, "neutral"]), /^b\.h5: the positions.*neutral/);
});

test("the longest arrow and what lengths mean", () => {
    const [recording] = openDocument(twoLinkDocument()).recordings;
    const [force, moment] = new Arrows(recording, recording.model).largest();
    let most = [0, 0];
    for (let i = 0; i < recording.rows; i++) {
        const part = (k) => Math.fround(5 * Math.sin(recording.time[i] + k));
        most = most.map((size, m) => Math.max(size, Math.hypot(part(3 * m), part(3 * m + 1), part(3 * m + 2))));
    }
    near(force, most[0], 1e-12);
    near(moment, most[1], 1e-12);
    assert.match(lengthText({ force: 12.5, moment: 3 }, false, "log"), /12\.5 N; a tenth of it is a third shorter/);
    assert.match(lengthText({ force: 12.5, moment: 3 }, true, "linear"), /3 N m; half/);
});

/* A robot on the stage, in the colours of nothing in particular. */
function actorOf(rows) {
    const opened = openDocument(twoLinkDocument({ rows })).recordings[0], actor = new Actor(opened.model, opened, false);
    actor.build(new Proxy({ lift: 0 }, { get: (known, name) => known[name] ?? new Color("#888888") }));
    actor.setTime(0);
    return actor;
}

test("the picture holds the ends of the links at all times, and the floor lies below them", () => {
    const actor = actorOf(601), { box, floor } = extentOf([actor]), slack = 0.01; /* 80 rows of 601 are looked at */
    for (let row = 0; row < 601; row++) {
        actor.setTime(actor.recording.time[row]);
        const { p, R } = actor.robot.kinematics.poses(actor.q)[2];
        const tip = new Vector3(...[0, 1, 2].map((i) => p[i] + 0.6 * R[3 * i]));
        assert.ok(box.distanceToPoint(tip) < slack, `${tip.toArray()} at row ${row}`);
        assert.ok(tip.z > floor - slack);
    }
});

test("a run that goes on leaves the picture of its first row, not that of all rows", () => {
    const whole = actorOf(601);
    assert.equal(outgrown([whole], extentOf([actorOf(1)])), true);
    assert.equal(outgrown([whole], extentOf([whole])), false);
});
