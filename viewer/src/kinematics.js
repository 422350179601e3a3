/* Where the links of a model are, from its tables (README.md, "model") and its coordinates q. No allocation per call
 * after the first. */
import { makeJoint } from "./joint.js";
import { compose, copyPose, makePose, poseOf, setIdentity, transform, multiply, turnVector } from "./pose.js";
import { layout, move, quaternions } from "./position.js";

/* How a mimic joint follows the joint that has coordinates: ratio q + offset, through chains of mimics. */
function law(joints, index) {
    const joint = joints[index];
    if (!(joint.mimic >= 0)) return { q: joint.q, ratio: 1, offset: 0 };
    const up = law(joints, joint.mimic);
    return { q: up.q, ratio: joint.ratio * up.ratio, offset: joint.ratio * up.offset + joint.offset };
}

const flat = (rows) => (rows ? Float64Array.from(rows.flat()) : null);

/* A bend of the document, ready to be used often. */
function makeBend({ at, d, r, G, axis }) {
    return { at: Float64Array.from(at), d: flat(d), r: flat(r), G: flat(G), axis: axis ?? [1, 0, 0], pose: makePose() };
}

/* e'G e / 2 */
function shortening({ G }, e, n) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) sum += e[i] * G[i * n + j] * e[j];
    }
    return sum / 2;
}

/* Pose of the section, as one that acts on things of the undeformed link: x -> position + rotation (x - at). */
function bendSection(bend, e) {
    const { p, R } = bend.pose, { d, r, at, axis } = bend, n = e.length;
    const back = bend.G ? shortening(bend, e, n) : 0;
    let tx = 0, ty = 0, tz = 0;
    for (let k = 0; k < 3; k++) {
        p[k] = at[k] - axis[k] * back;
        for (let i = 0; i < n; i++) p[k] += d[3 * i + k] * e[i];
    }
    for (let i = 0; r && i < n; i++) {
        tx += r[3 * i] * e[i];
        ty += r[3 * i + 1] * e[i];
        tz += r[3 * i + 2] * e[i];
    }
    turnVector(R, tx, ty, tz);
    return bend.pose;
}

export class Kinematics {
    constructor(model) {
        this.model = model;
        this.neutral = Float64Array.from(model.neutral);
        this.links = model.links.map(() => makePose());
        this.joints = model.joints.map((joint, i) => ({
            ...law(model.joints, i),
            count: joint.mimic >= 0 ? 1 : joint.nq, /* followers have one coordinate, that of their master */
            origin: poseOf(joint.origin),
            bend: joint.bend,
            parent: joint.parent,
            place: makeJoint(joint),
            c: new Float64Array(7),
        }));
        /* elastic coordinates of each link, scaled; empty for rigid links */
        this.elastic = model.links.map(({ elastic }) => new Float64Array(elastic?.count ?? 0));
        this.bends = new Map();
        this.entries = layout(model);
        this.quaternions = quaternions(model);
        this.scratch = { moved: makePose(), base: makePose(), local: makePose(), bent: makePose() };
    }

    /* Poses of all links in the world; the same objects at every call. */
    poses(q, { exaggerate = 1 } = {}) {
        const { links } = this.model;
        for (let i = 0; i < links.length; i++) {
            const elastic = links[i].elastic;
            for (let k = 0; k < this.elastic[i].length; k++) this.elastic[i][k] = exaggerate * q[elastic.q + k];
            if (links[i].joint < 0) setIdentity(this.links[i]);
            else this.#placeChild(this.joints[links[i].joint], q, this.links[i]);
        }
        return this.links;
    }

    #placeChild(joint, q, out) {
        const { c, count, ratio, offset } = joint;
        const { base, moved } = this.scratch;
        for (let k = 0; k < count; k++) c[k] = ratio * q[joint.q + k] + offset;
        joint.place(moved, c);
        this.place(joint.parent, joint.origin, joint.bend, base);
        compose(out, base, moved);
    }

    /* Pose in the world of a thing at `pose` {p, R} of a link, which moves with the section `bend` (null: with the link's
     * frame). After poses(). */
    place(link, pose, bend, out = makePose()) {
        const { local } = this.scratch;
        if (bend && this.elastic[link].length) this.#bent(link, pose, bend, local);
        else copyPose(local, pose);
        compose(out, this.links[link], local);
        return out;
    }

    #bent(link, pose, bend, out) {
        let known = this.bends.get(bend);
        if (!known) this.bends.set(bend, (known = makeBend(bend)));
        const section = bendSection(known, this.elastic[link]);
        for (let k = 0; k < 3; k++) this.scratch.bent.p[k] = pose.p[k] - known.at[k];
        transform(out.p, section.R, section.p, this.scratch.bent.p);
        multiply(out.R, section.R, pose.R);
    }

    /* q moved by v (nv numbers): mode shapes, steps. */
    moved(q, v, out = new Float64Array(q.length)) {
        return move(out, this.entries, q, v);
    }
}
