/* Forces and moments in joints and loops, from the channels "reactions", "reactions JOINT", "loop_reactions" and
 * "loop_reactions LOOP": what the parent does to the child, at the origin and in the axes of the child link, or of the
 * loop's child frame. The largest of the recording is the longest arrow. */
import { Group, InstancedMesh, Matrix4 } from "three";
import { placeOf } from "../moment.js";
import { makePose } from "../pose.js";
import { litPaint } from "./paint.js";
import { aimed, still } from "./place.js";
import { cylinder, turned } from "./solids.js";

/* Where six numbers of a channel act: {channel, entry, link, frame}; frame null: that of the link. */
export function sourcesOf(recording, model) {
    const sources = [];
    const joint = (channel, entry, i) => {
        if (model.joints[i]) sources.push({ channel, entry, link: model.joints[i].child, frame: null });
    };
    const loop = (channel, entry, i) => {
        const frame = model.loops?.[i]?.child_frame;
        if (frame && model.loops[i].kind !== "coupling") sources.push({ channel, entry, link: frame.link, frame });
    };
    recording.channels.forEach(({ name, width }, channel) => {
        const found = /^(reactions|loop_reactions)(?: (.*))?$/s.exec(name);
        if (!found) return;
        const [, kind, only] = found;
        const [list, add] = kind === "reactions" ? [model.joints, joint] : [model.loops ?? [], loop];
        if (only !== undefined) add(channel, 0, list.findIndex((entry) => entry.name === only));
        else for (let i = 0; 6 * i + 5 < width; i++) add(channel, 6 * i, i);
    });
    return sources;
}

/* Largest length of three entries over all rows. */
function largest(recording, sources, first) {
    let most = 0;
    for (const { channel, entry } of sources) {
        const [x, y, z] = [0, 1, 2].map((k) => recording.values(channel, entry + first + k));
        for (let i = 0; i < recording.rows; i++) {
            const size = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
            if (size > most) most = size;
        }
    }
    return Math.sqrt(most);
}

/* Arrows of one kind: a shaft and a head for each, two heads for moments. */
class Quiver {
    constructor(count, size, heads) {
        const material = litPaint();
        this.heads = heads;
        this.longest = 0.22 * size;
        this.across = 0.004 * size;
        this.shafts = still(new InstancedMesh(cylinder(1, 1, { sides: 10, bevel: 0 }), material, Math.max(count, 1)));
        const head = turned([[0, -1], [1, -1], [0, 0]], { sides: 14 });
        this.tips = still(new InstancedMesh(head, material, Math.max(heads * count, 1)));
        this.group = new Group().add(this.shafts, this.tips);
        this.matrix = new Matrix4();
        this.clear();
    }

    clear() {
        this.shafts.count = this.tips.count = 0;
        this.group.visible = false;
    }

    add(point, direction, length) {
        if (!(length > 0.01 * this.longest)) return;
        const head = Math.min(6 * this.across, 0.5 * length), room = length - this.heads * head;
        const along = (s) => [0, 1, 2].map((k) => point[k] + s * direction[k]);
        this.shafts.setMatrixAt(this.shafts.count++, aimed(this.matrix, along(room / 2), direction, this.across, room));
        for (let k = 0; k < this.heads; k++)
            this.tips.setMatrixAt(this.tips.count++, aimed(this.matrix, along(length - k * head), direction, head / 2, head));
        this.shafts.instanceMatrix.needsUpdate = this.tips.instanceMatrix.needsUpdate = true;
        this.group.visible = true;
    }
}

export class Arrows {
    constructor(recording, model) {
        this.recording = recording;
        this.sources = recording ? sourcesOf(recording, model) : [];
        this.forces = new Quiver(this.sources.length, model.size, 1);
        this.moments = new Quiver(this.sources.length, model.size, 2);
        this.group = new Group().add(this.forces.group, this.moments.group);
        this.pose = makePose();
        this.vector = new Float64Array(3);
    }

    get any() {
        return this.sources.length > 0;
    }

    /* The largest force and moment of the recording. */
    largest() {
        if (!this.any) return [0, 0];
        if (this.version !== this.recording.version) {
            this.version = this.recording.version;
            this.most = [largest(this.recording, this.sources, 0), largest(this.recording, this.sources, 3)];
        }
        return this.most;
    }

    /* kinds: false, true (forces), "moments" (both); scale: "linear" | "log", three decades long */
    update(kinematics, t, kinds, scale) {
        this.forces.clear();
        this.moments.clear();
        if (!kinds || !this.any) return;
        this.largest();
        const place = placeOf(this.recording, t);
        if (place.row < 0) return;
        for (const source of this.sources) {
            const pose = source.frame
                ? kinematics.place(source.link, source.frame, source.frame.bend, this.pose)
                : kinematics.links[source.link];
            this.#add(this.forces, pose, source, 0, place, scale);
            if (kinds === "moments") this.#add(this.moments, pose, source, 3, place, scale);
        }
    }

    #add(quiver, { p, R }, { channel, entry }, first, { row, part }, scale) {
        const v = this.vector;
        for (let k = 0; k < 3; k++) {
            const values = this.recording.values(channel, entry + first + k);
            v[k] = values[row] + (part > 0 ? part * (values[row + 1] - values[row]) : 0);
        }
        const size = Math.hypot(v[0], v[1], v[2]), most = this.most[first ? 1 : 0];
        if (!(size > 0) || !(most > 0)) return;
        const share = scale === "log" ? Math.max(0, 1 + Math.log10(size / most) / 3) : size / most;
        const world = [0, 1, 2].map((k) => (R[3 * k] * v[0] + R[3 * k + 1] * v[1] + R[3 * k + 2] * v[2]) / size);
        quiver.add(p, world, share * quiver.longest);
    }

    paint(palette) {
        this.forces.shafts.material.color.copy(palette.force);
        this.moments.shafts.material.color.copy(palette.moment);
    }
}
