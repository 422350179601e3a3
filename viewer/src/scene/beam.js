/* An elastic link: its section swept along the deformed axis, in world axes. */
import { BufferAttribute, BufferGeometry, Color, Mesh } from "three";
import { makePose, poseOf } from "../pose.js";
import { still } from "./place.js";

const SIDES = 16;

/* Outline of the section: an ellipse, or a rectangle with round corners when it is flat. */
function outline([height, width]) {
    const power = Math.abs(height - width) < 0.02 * Math.max(height, width) ? 1 : 0.45;
    return Array.from({ length: SIDES }, (_, k) => {
        const angle = (2 * Math.PI * (k + 0.5)) / SIDES, c = Math.cos(angle), s = Math.sin(angle);
        const bend = (x) => Math.sign(x) * Math.abs(x) ** power;
        return { y: height * bend(c), z: width * bend(s), ny: c / height, nz: s / width };
    });
}

function sideIndex(sections) {
    const index = [];
    for (let i = 0; i + 1 < sections; i++) {
        for (let k = 0; k < SIDES; k++) {
            const a = i * SIDES + k, b = i * SIDES + ((k + 1) % SIDES);
            index.push(a, b, b + SIDES, a, b + SIDES, a + SIDES);
        }
    }
    return index;
}

/* The ends have points of their own, since their normals look along the axis. */
function capIndex(first, turnedOver) {
    const index = [];
    for (let k = 2; k < SIDES; k++) index.push(first, first + k - (turnedOver ? 0 : 1), first + k - (turnedOver ? 1 : 0));
    return index;
}

export class Beam {
    constructor(link, elastic, color, material) {
        this.link = link;
        this.sections = elastic.sections;
        this.places = this.sections.map(({ at }) => poseOf({ p: at, R: elastic.R }));
        this.outline = outline(elastic.radius);
        this.sideways = this.outline.map(({ ny, nz }) => {
            const size = Math.hypot(ny, nz);
            return { ny: ny / size, nz: nz / size };
        });
        this.color = color.clone();
        this.largest = 0;
        this.bent = new Float64Array(this.sections.length);
        this.pose = makePose();
        this.straight = makePose();
        this.mesh = still(new Mesh(this.#geometry(), material));
    }

    #geometry() {
        const count = (this.sections.length + 2) * SIDES, last = this.sections.length * SIDES;
        const geometry = new BufferGeometry();
        for (const name of ["position", "normal", "color"])
            geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count), 3));
        geometry.setIndex([...sideIndex(this.sections.length), ...capIndex(last, true), ...capIndex(last + SIDES, false)]);
        return geometry;
    }

    /* How far its sections are from where they would be undeformed, m; the largest counts as full colour. */
    measure(kinematics) {
        for (let i = 0; i < this.sections.length; i++) {
            const bent = kinematics.place(this.link, this.places[i], this.sections[i], this.pose).p;
            const rigid = kinematics.place(this.link, this.places[i], null, this.straight).p;
            this.bent[i] = Math.hypot(bent[0] - rigid[0], bent[1] - rigid[1], bent[2] - rigid[2]);
            this.largest = Math.max(this.largest, this.bent[i]);
        }
    }

    /* tint: a colour that full deformation takes on, or null */
    update(kinematics, tint) {
        const last = this.sections.length - 1;
        if (tint) this.measure(kinematics);
        for (let i = 0; i <= last; i++) {
            const pose = kinematics.place(this.link, this.places[i], this.sections[i], this.pose);
            this.#ring(i, pose, 0, tint ? this.#shade(i, tint) : this.color);
            if (i === 0) this.#ring(last + 1, pose, -1, this.color);
            if (i === last) this.#ring(last + 2, pose, 1, tint ? this.#shade(i, tint) : this.color);
        }
        for (const attribute of Object.values(this.mesh.geometry.attributes)) attribute.needsUpdate = true;
    }

    #shade(i, tint) {
        this.shade ??= new Color();
        return this.shade.lerpColors(this.color, tint, this.largest > 0 ? this.bent[i] / this.largest : 0);
    }

    /* Points of one section; along: 0 on the side, -1 and 1 at the ends. */
    #ring(row, { p, R }, along, color) {
        const { position, normal, color: paint } = this.mesh.geometry.attributes;
        for (let k = 0; k < SIDES; k++) {
            const { y, z } = this.outline[k], at = 3 * (row * SIDES + k);
            const nx = along, ny = along ? 0 : this.sideways[k].ny, nz = along ? 0 : this.sideways[k].nz;
            for (let i = 0; i < 3; i++) {
                position.array[at + i] = p[i] + R[3 * i + 1] * y + R[3 * i + 2] * z;
                normal.array[at + i] = R[3 * i] * nx + R[3 * i + 1] * ny + R[3 * i + 2] * nz;
            }
            color.toArray(paint.array, at);
        }
    }
}
