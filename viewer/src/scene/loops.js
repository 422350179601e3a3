/* What closes loops: a ring at each joint, about its axis, a rod between two places; where the two sides of a joint do not
 * meet, a line between them in a colour that warns. Loops that are open are not drawn: the recording's channel "closed"
 * tells when, else the model tells which. */
import { BufferAttribute, BufferGeometry, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4 } from "three";
import { placeOf } from "../moment.js";
import { makePose, unit } from "../pose.js";
import { litPaint } from "./paint.js";
import { aimed, still } from "./place.js";
import { cylinder, ring } from "./solids.js";

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function instances(geometry, count) {
    const mesh = still(new InstancedMesh(geometry, litPaint(), Math.max(count, 1)));
    mesh.count = count;
    mesh.visible = count > 0;
    return mesh;
}

export class Loops {
    constructor(model, recording = null) {
        const numbered = (model.loops ?? []).map((loop, number) => ({ ...loop, number }));
        const whole = numbered.filter((loop) => loop.parent_frame && loop.child_frame);
        this.recording = recording;
        this.channel = recording?.channels.findIndex(({ name }) => name === "closed") ?? -1;
        this.joints = whole.filter((loop) => loop.kind === "joint");
        this.rods = whole.filter((loop) => loop.kind === "rod");
        this.radius = 0.017 * model.size;
        this.gap = 1e-3 * model.size;
        this.rings = instances(ring(1, 0.5), this.joints.length);
        this.bars = instances(cylinder(1, 1, { sides: 12, bevel: 0 }), this.rods.length);
        const lines = new BufferGeometry();
        lines.setAttribute("position", new BufferAttribute(new Float32Array(6 * this.joints.length), 3));
        this.gaps = still(new LineSegments(lines, new LineBasicMaterial()));
        this.group = new Group().add(this.rings, this.bars, this.gaps);
        this.a = makePose();
        this.b = makePose();
        this.matrix = new Matrix4();
    }

    get any() {
        return this.joints.length + this.rods.length > 0;
    }

    #ends(kinematics, { parent_frame: a, child_frame: b }) {
        kinematics.place(a.link, a, a.bend, this.a);
        kinematics.place(b.link, b, b.bend, this.b);
    }

    /* Whether a loop is closed at t: as in the row before it, since loops close and open at once. */
    closedAt(loop, t) {
        const row = this.channel < 0 ? -1 : placeOf(this.recording, t).row;
        return row < 0 ? !loop.open : this.recording.values(this.channel, loop.number)[row] !== 0;
    }

    update(kinematics, t = 0) {
        const line = this.gaps.geometry.attributes.position;
        let open = 0;
        this.joints.forEach((loop, i) => {
            if (!this.closedAt(loop, t)) {
                this.rings.setMatrixAt(i, this.matrix.makeScale(0, 0, 0));
                return;
            }
            this.#ends(kinematics, loop);
            const axis = unit(loop.axis ?? [0, 0, 1]), R = this.a.R;
            const along = [0, 1, 2].map((k) => R[3 * k] * axis[0] + R[3 * k + 1] * axis[1] + R[3 * k + 2] * axis[2]);
            this.rings.setMatrixAt(i, aimed(this.matrix, this.b.p, along, this.radius, this.radius));
            if (this.#slides(loop) || apart(this.a.p, this.b.p) < this.gap) return;
            line.array.set(this.a.p, 6 * open);
            line.array.set(this.b.p, 6 * open++ + 3);
        });
        this.gaps.geometry.setDrawRange(0, 2 * open);
        this.gaps.visible = open > 0;
        line.needsUpdate = true;
        this.rods.forEach((rod, i) => {
            if (this.closedAt(rod, t)) this.#placeRod(kinematics, rod, i);
            else this.bars.setMatrixAt(i, this.matrix.makeScale(0, 0, 0));
        });
        this.rings.instanceMatrix.needsUpdate = this.bars.instanceMatrix.needsUpdate = true;
    }

    /* Joints whose two sides part by themselves. */
    #slides({ type }) {
        return !["revolute", "continuous", "universal", "spherical", "fixed"].includes(type);
    }

    #placeRod(kinematics, rod, i) {
        this.#ends(kinematics, rod);
        const a = this.a.p, b = this.b.p;
        const middle = [0, 1, 2].map((k) => (a[k] + b[k]) / 2), along = [0, 1, 2].map((k) => b[k] - a[k]);
        this.bars.setMatrixAt(i, aimed(this.matrix, middle, along, 0.35 * this.radius, Math.hypot(...along)));
    }

    paint(palette) {
        this.rings.material.color.copy(palette.accent);
        this.bars.material.color.copy(palette.joint);
        this.gaps.material.color.copy(palette.gap);
    }
}
