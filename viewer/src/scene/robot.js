/* The meshes of a model: one for each link where that can be, more where a link is elastic. update(q) moves them. */
import { Group, Mesh } from "three";
import { Kinematics } from "../kinematics.js";
import { makePose } from "../pose.js";
import { Beam } from "./beam.js";
import { housing, machineParts, rail, thickness } from "./machine.js";
import { litPaint } from "./paint.js";
import { still, toMatrix } from "./place.js";
import { alphaOf, colorOf, longest, shapePart } from "./shapes.js";
import { merged } from "./solids.js";

/* A shape that covers most of an elastic link is the link itself drawn straight: the swept section replaces it. */
export function coversBeam(shape, elastic, meshes) {
    const at = elastic.sections.map((section) => section.at);
    const span = Math.hypot(...at[0].map((x, i) => at[at.length - 1][i] - x));
    return shape.kind !== "sphere" && longest(shape, meshes) > 0.4 * span;
}

const beamOf = ({ elastic }) => (elastic?.sections?.length > 1 ? elastic : null);

export class Robot {
    /* ghost: a colour for all of it, translucent; null: as described */
    constructor(model, palette, ghost = null) {
        this.model = model;
        this.kinematics = new Kinematics(model);
        this.group = new Group();
        this.palette = palette;
        this.exaggerate = 1;
        this.tint = null;
        this.material = this.#material(ghost, ghost ? 0.38 : 1);
        this.objects = model.links.map(() => still(new Group())); /* the pose of each link, as drawn */
        this.beams = [];
        this.bent = []; /* shapes that move with a section: {mesh, link, shape} */
        this.pose = makePose();
        model.links.forEach((link, i) => this.#addLink(link, i));
        this.group.add(...this.objects);
    }

    #material(ghost, opacity) {
        if (!ghost) return litPaint({ vertexColors: true, opacity, depthWrite: opacity >= 1 });
        /* one silhouette, that lies behind where both robots are at the same place */
        return litPaint({ color: ghost, opacity, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
    }

    #addLink(link, i) {
        const elastic = beamOf(link), { meshes } = this.model;
        const own = elastic ? link.shapes.filter((shape) => coversBeam(shape, elastic, meshes)) : [];
        const shapes = link.shapes.filter((shape) => !own.includes(shape));
        if (elastic) this.#addBeam(i, elastic, own[0]);
        const fixed = shapes.filter((shape) => !shape.bend), parts = this.#parts(fixed.filter((s) => alphaOf(s) >= 0.99));
        for (const shape of shapes.filter((s) => s.bend)) this.#addBent(shape, i);
        for (const shape of fixed.filter((s) => alphaOf(s) < 0.99)) this.#addGlass(shape, i);
        if (this.#isBare(i)) parts.push(...machineParts(this.model, i, this.palette));
        const above = this.model.joints[link.joint];
        if (elastic && above) parts.push(...housing(above, this.#stout(elastic), this.palette));
        this.#addRails(i, parts);
        this.#addMesh(merged(parts), this.objects[i], this.material);
    }

    #parts(shapes) {
        return shapes.map((shape) => shapePart(shape, this.model.meshes, this.palette)).filter(Boolean);
    }

    #isBare(i) {
        const { elastic, shapes } = this.model.links[i];
        return !beamOf({ elastic }) && !shapes.some((shape) => shape.kind !== "mesh" || this.model.meshes?.[shape.mesh]);
    }

    /* Thickness of the housing of an elastic link: that of its section, unless it is a plate. */
    #stout({ radius }) {
        return Math.min(0.95 * Math.max(...radius), 2 * Math.min(...radius) + 0.01 * this.model.size);
    }

    #addRails(i, parts) {
        for (const joint of this.model.joints) {
            const slides = joint.type === "prismatic" && joint.parent === i;
            if (slides && this.#isBare(joint.child) && !joint.bend)
                parts.push(rail(joint, thickness(this.model, joint.child), this.palette));
        }
    }

    #addMesh(geometry, parent, material) {
        if (!geometry) return null;
        const mesh = still(new Mesh(geometry, material));
        parent.add(mesh);
        return mesh;
    }

    #addBeam(i, elastic, own) {
        const beam = new Beam(i, elastic, colorOf(own?.color, this.palette.accent, this.palette.lift), this.material);
        this.beams.push(beam);
        this.group.add(beam.mesh);
    }

    #addBent(shape, link) {
        const part = shapePart(shape, this.model.meshes, this.palette, true);
        const mesh = this.#addMesh(part, this.group, this.material);
        if (mesh) this.bent.push({ mesh, link, shape });
    }

    #addGlass(shape, i) {
        const part = shapePart(shape, this.model.meshes, this.palette);
        this.#addMesh(part, this.objects[i], this.#material(null, Math.max(alphaOf(shape), 0.15)));
    }

    update(q) {
        const poses = this.kinematics.poses(q, { exaggerate: this.exaggerate });
        for (let i = 0; i < poses.length; i++) toMatrix(this.objects[i].matrix, poses[i]);
        for (const { mesh, link, shape } of this.bent)
            toMatrix(mesh.matrix, this.kinematics.place(link, shape.pose, shape.bend, this.pose));
        for (const beam of this.beams) beam.update(this.kinematics, this.tint);
    }

    /* Every mesh that is drawn, with the link that carries it; swept: its points are in the axes of the world. */
    carried() {
        const list = [...this.beams.map(({ mesh, link }) => ({ mesh, link, swept: true })), ...this.bent];
        this.objects.forEach((object, link) => object.traverse((mesh) => mesh.isMesh && list.push({ mesh, link })));
        return list;
    }

    /* Every mesh that is drawn, for shadows. */
    meshes() {
        const found = [];
        this.group.traverse((object) => object.isMesh && found.push(object));
        return found;
    }

    dispose() {
        for (const mesh of this.meshes()) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
    }
}
