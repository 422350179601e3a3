/* Positions q of a model: where its quaternions lie, and q moved by a velocity (as the engine's zv_position_add). */
import { cross } from "./pose.js";

const QUATERNION_AT = { spherical: 0, free: 3 };
const DEGREES = { spherical: 3, free: 6 };

/* The coordinates in the order of v: [{q, v, type}], one for a quaternion with what it moves, one for each other. */
export function layout(model) {
    const found = [];
    for (const joint of model.joints) {
        if (joint.mimic >= 0) continue;
        if (joint.type in QUATERNION_AT) found.push({ q: joint.q, nq: joint.nq, nv: DEGREES[joint.type], type: joint.type });
        else for (let k = 0; k < joint.nq; k++) found.push({ q: joint.q + k, nq: 1, nv: 1, type: "number" });
    }
    for (const { elastic } of model.links) {
        for (let k = 0; k < (elastic?.count ?? 0); k++) found.push({ q: elastic.q + k, nq: 1, nv: 1, type: "number" });
    }
    found.sort((a, b) => a.q - b.q);
    let v = 0;
    for (const entry of found) {
        entry.v = v;
        v += entry.nv;
    }
    return found;
}

/* Where the quaternions begin in q. */
export function quaternions(model) {
    return model.joints
        .filter((joint) => joint.mimic < 0 && joint.type in QUATERNION_AT)
        .map((joint) => joint.q + QUATERNION_AT[joint.type]);
}

/* Body-frame rotation by w = v[at...]: out = q exp(w/2), scaled to unit length. */
function turn(out, q, i, v, at) {
    const wx = v[at], wy = v[at + 1], wz = v[at + 2];
    const angle = Math.hypot(wx, wy, wz), k = angle < 1e-4 ? 0.5 - (angle * angle) / 48 : Math.sin(angle / 2) / angle;
    const x = k * wx, y = k * wy, z = k * wz, w = Math.cos(angle / 2);
    const [a, b, c, d] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
    out[i] = d * x + a * w + b * z - c * y;
    out[i + 1] = d * y - a * z + b * w + c * x;
    out[i + 2] = d * z + a * y - b * x + c * w;
    out[i + 3] = d * w - a * x - b * y - c * z;
    const n = Math.hypot(out[i], out[i + 1], out[i + 2], out[i + 3]);
    for (let j = i; j < i + 4; j++) out[j] /= n;
}

/* R(e) d for the quaternion at q[i] */
function rotated(q, i, d) {
    const e = [q[i], q[i + 1], q[i + 2]], w = q[i + 3];
    const t = cross(e, d), et = cross(e, t), s = 2 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + w * w);
    return d.map((x, k) => x + s * (w * t[k] + et[k]));
}

/* Position moved by the constant body twist (u, w): p + R (u + b w x u + c w x (w x u)). */
function shift(out, q, i, v, at) {
    const u = [v[at], v[at + 1], v[at + 2]], w = [v[at + 3], v[at + 4], v[at + 5]];
    const x = Math.hypot(...w), xx = x * x, half = Math.sin(x / 2);
    const b = x < 0.01 ? 0.5 - xx / 24 : (2 * half * half) / xx;
    const c = x < 0.01 ? 1 / 6 - xx / 120 : (x - Math.sin(x)) / (xx * x);
    const wu = cross(w, u), wwu = cross(w, wu);
    const step = rotated(q, i + 3, u.map((value, k) => value + b * wu[k] + c * wwu[k]));
    for (let k = 0; k < 3; k++) out[i + k] = q[i + k] + step[k];
}

/* out = q moved with the constant v for unit time; out must not be q. */
export function move(out, entries, q, v) {
    for (const { q: i, v: at, type } of entries) {
        if (type === "number") out[i] = q[i] + v[at];
        else if (type === "spherical") turn(out, q, i, v, at);
        else {
            shift(out, q, i, v, at);
            turn(out, q, i + 3, v, at + 3);
        }
    }
    return out;
}
