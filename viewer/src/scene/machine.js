/* How a link looks that brings no shapes: a housing at its joint, a tapered body to each of the joints it carries, a
 * hand at the end; the root stands on a foot. All in the axes of the link. */
import { Matrix4 } from "three";
import { unit } from "../pose.js";
import { aimed, matrixOf } from "./place.js";
import { ball, box, cylinder, painted, taper } from "./solids.js";

const length = (a) => Math.hypot(a[0], a[1], a[2]);
const TURNING = ["revolute", "continuous", "helical", "cylindrical"];

/* Joints that a link carries. */
const carried = (model, link) => model.joints.filter((joint) => joint.parent === link);

/* Thickness of the parts of a link: slender against its length, never lost against the robot. */
export function thickness(model, link) {
    const reach = Math.max(...carried(model, link).map((joint) => length(joint.origin.p)), 0);
    const tip = length(model.links[link].com ?? [0, 0, 0]);
    return Math.min(Math.max(0.09 * Math.max(reach, tip), 0.013 * model.size), 0.028 * model.size);
}

/* Drum, block or ball where the joint above a link is, by the axis of that joint. */
export function housing(joint, r, palette) {
    const axis = unit(joint.axis ?? [0, 0, 1]);
    const along = aimed(new Matrix4(), [0, 0, 0], axis);
    if (TURNING.includes(joint.type)) {
        const drum = cylinder(1.5 * r, 3.1 * r, { bevel: 0.22 * r }), band = cylinder(1.56 * r, 0.5 * r, { bevel: 0.05 * r });
        return [painted(drum, palette.joint, along), painted(band, palette.accent, along)];
    }
    if (joint.type === "prismatic") return [painted(box([2.6 * r, 2.6 * r, 3.6 * r], 0.3 * r), palette.joint, along)];
    if (joint.type === "universal") {
        const across = aimed(new Matrix4(), [0, 0, 0], unit(joint.axis2 ?? [1, 0, 0]));
        const pin = cylinder(0.8 * r, 3.4 * r, { bevel: 0.15 * r });
        return [painted(pin, palette.joint, along), painted(pin, palette.accent, across)];
    }
    if (joint.type === "planar") return [painted(cylinder(2.2 * r, 0.8 * r), palette.joint, along)];
    if (joint.type === "spherical") return [painted(ball(1.6 * r), palette.joint)];
    if (joint.type === "curve") return [painted(box([2.4 * r, 2.4 * r, 2.4 * r], 0.4 * r), palette.joint)];
    return [];
}

/* The rail of a prismatic joint lies in the link that carries it, as far as the joint may go. */
export function rail(joint, r, palette) {
    const low = joint.lower?.[0] ?? -8 * r, high = joint.upper?.[0] ?? 8 * r;
    const axis = unit(joint.axis), middle = axis.map((x) => (x * (low + high)) / 2);
    const bar = box([1.5 * r, 1.5 * r, high - low + 3 * r], 0.2 * r);
    return painted(bar, palette.dark, matrixOf(joint.origin).multiply(aimed(new Matrix4(), middle, axis)));
}

/* From the origin, r thick, to a place where the next link is as thick as `end`. */
function bodyTo(goal, r, end, palette) {
    const far = length(goal);
    if (far < 1.2 * r) return [];
    return [painted(taper(1.12 * r, 1.02 * Math.min(end, r), far), palette.metal, aimed(new Matrix4(), [0, 0, 0], goal))];
}

/* Two fingers and a palm that point from the joint through the end. */
function hand(end, r, palette) {
    const axis = length(end) > 0 ? end : [0, 0, 1];
    const place = aimed(new Matrix4(), end, axis);
    const part = (size, x, z) =>
        painted(box(size, 0.15 * r), palette.dark, place.clone().multiply(new Matrix4().makeTranslation(x, 0, z)));
    return [
        part([3 * r, 1.4 * r, 0.8 * r], 0, 0),
        part([0.6 * r, 1.1 * r, 2 * r], 1.1 * r, 1.2 * r),
        part([0.6 * r, 1.1 * r, 2 * r], -1.1 * r, 1.2 * r),
    ];
}

function foot(r, palette) {
    const plate = cylinder(4.5 * r, 1 * r, { bevel: 0.2 * r }), neck = cylinder(2.4 * r, 1.6 * r, { bevel: 0.3 * r });
    const down = (z) => new Matrix4().makeTranslation(0, 0, z);
    return [painted(plate, palette.dark, down(-2.1 * r)), painted(neck, palette.dark, down(-0.9 * r))];
}

/* Where the last link of a branch ends: its farthest named frame, or twice the way to its centre of mass. */
function tipOf(model, link) {
    const frames = model.frames.filter((frame) => frame.link === link).map((frame) => frame.p);
    const far = frames.sort((a, b) => length(b) - length(a))[0];
    return far && length(far) > 0 ? far : (model.links[link].com ?? [0, 0, 0]).map((x) => 2 * x);
}

/* Places a closed mechanism is held at: bodies reach them as they do joints. */
function loopPlaces(model, link) {
    return model.loops
        .flatMap((loop) => [loop.parent_frame, loop.child_frame])
        .filter((frame) => frame && frame.link === link)
        .map((frame) => frame.p);
}

/* Places that the body of a link has to reach, and how thick what begins there is. */
function goalsOf(model, link, r) {
    const joints = carried(model, link).filter(({ type }) => type !== "free");
    const next = joints.map(({ origin, child }) => ({ p: origin.p, r: thickness(model, child) }));
    return [...next, ...loopPlaces(model, link).map((p) => ({ p, r: 0.8 * r }))];
}

/* Bare links of robots that do bring shapes are mostly frames and seams: only those with a mass are drawn. */
export function isSeam(model, link) {
    return !(model.links[link].mass > 0) && model.links.some(({ shapes }) => shapes.length > 0);
}

export function machineParts(model, link, palette) {
    if (isSeam(model, link)) return [];
    const { joint, mass, com } = model.links[link], r = (joint < 0 ? 1.5 : 1) * thickness(model, link);
    const above = joint >= 0 ? model.joints[joint] : null, goals = goalsOf(model, link, r);
    const parts = above ? housing(above, r, palette) : goals.length ? foot(r, palette) : [];
    for (const goal of goals) parts.push(...bodyTo(goal.p, r, goal.r, palette));
    if (!above || goals.length) return parts;
    const tip = tipOf(model, link);
    parts.push(...bodyTo(tip, r, 0.7 * r, palette));
    if (length(tip) > 2 * r && TURNING.includes(above.type)) parts.push(...hand(tip, 0.8 * r, palette));
    else if (mass > 0 && parts.length === 0) parts.push(painted(ball(2 * r), palette.metal, new Matrix4().setPosition(...com)));
    return parts;
}
