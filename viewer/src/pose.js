/* Poses: p (3) and R (9, row-major), Float64Arrays that are written in place; x_outer = R x_inner + p. Every function
 * writes its first argument, which must not be one of the others unless it says so. */

export function makePose() {
    return { p: new Float64Array(3), R: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };
}

/* A pose of plain numbers, as the document has them; missing parts are identity. */
export function poseOf({ p, R } = {}) {
    const pose = makePose();
    if (p) pose.p.set(p);
    if (R) pose.R.set(R);
    return pose;
}

export function setIdentity(pose) {
    pose.p.fill(0);
    pose.R.fill(0);
    pose.R[0] = pose.R[4] = pose.R[8] = 1;
}

export function copyPose(out, pose) {
    out.p.set(pose.p);
    out.R.set(pose.R);
}

export function multiply(out, A, B) {
    for (let i = 0; i < 9; i += 3) {
        for (let j = 0; j < 3; j++) out[i + j] = A[i] * B[j] + A[i + 1] * B[3 + j] + A[i + 2] * B[6 + j];
    }
}

/* out = R x + p; out may be x or p. */
export function transform(out, R, p, x) {
    const a = x[0], b = x[1], c = x[2];
    const p0 = p[0], p1 = p[1], p2 = p[2];
    out[0] = p0 + R[0] * a + R[1] * b + R[2] * c;
    out[1] = p1 + R[3] * a + R[4] * b + R[5] * c;
    out[2] = p2 + R[6] * a + R[7] * b + R[8] * c;
}

export function compose(out, outer, inner) {
    transform(out.p, outer.R, outer.p, inner.p);
    multiply(out.R, outer.R, inner.R);
}

/* Rotation about a unit axis: c 1 + (1 - c) e e^T + s e~. */
export function turnAxis(R, e, angle) {
    const s = Math.sin(angle), c = Math.cos(angle), k = 1 - c;
    R[0] = c + k * e[0] * e[0];
    R[1] = k * e[0] * e[1] - s * e[2];
    R[2] = k * e[0] * e[2] + s * e[1];
    R[3] = k * e[0] * e[1] + s * e[2];
    R[4] = c + k * e[1] * e[1];
    R[5] = k * e[1] * e[2] - s * e[0];
    R[6] = k * e[0] * e[2] - s * e[1];
    R[7] = k * e[1] * e[2] + s * e[0];
    R[8] = c + k * e[2] * e[2];
}

/* Rotation by the quaternion x, y, z, w at q[at] of any length but zero. */
export function turnQuaternion(R, q, at) {
    const x = q[at], y = q[at + 1], z = q[at + 2], w = q[at + 3];
    const s = 2 / (x * x + y * y + z * z + w * w);
    R[0] = 1 - s * (y * y + z * z);
    R[1] = s * (x * y - w * z);
    R[2] = s * (x * z + w * y);
    R[3] = s * (x * y + w * z);
    R[4] = 1 - s * (x * x + z * z);
    R[5] = s * (y * z - w * x);
    R[6] = s * (x * z - w * y);
    R[7] = s * (y * z + w * x);
    R[8] = 1 - s * (x * x + y * y);
}

/* Rotation by a vector: 1 + a theta~ + b theta~^2, a = sin t / t, b = (1 - cos t) / t^2; by series near zero. */
export function turnVector(R, x, y, z) {
    const tt = x * x + y * y + z * z, t = Math.sqrt(tt), half = Math.sin(t / 2);
    const a = tt < 1e-6 ? 1 - tt / 6 : Math.sin(t) / t;
    const b = tt < 1e-6 ? 0.5 - tt / 24 : (2 * half * half) / tt;
    R[0] = 1 - b * (y * y + z * z);
    R[1] = b * x * y - a * z;
    R[2] = b * x * z + a * y;
    R[3] = b * x * y + a * z;
    R[4] = 1 - b * (x * x + z * z);
    R[5] = b * y * z - a * x;
    R[6] = b * x * z - a * y;
    R[7] = b * y * z + a * x;
    R[8] = 1 - b * (x * x + y * y);
}

export function unit(axis) {
    const length = Math.hypot(axis[0], axis[1], axis[2]) || 1;
    return [axis[0] / length, axis[1] / length, axis[2] / length];
}

export function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/* A rotation that takes z to the axis, the same that the engine chooses: a planar joint's x and y are its columns. */
export function axisFrame(axis) {
    for (let k = 0; k < 3; k++) {
        if (axis[(k + 1) % 3] !== 0 || axis[(k + 2) % 3] !== 0) continue;
        const Q = new Array(9).fill(0), sign = axis[k] < 0 ? -1 : 1;
        Q[3 * ((k + 1) % 3)] = 1;
        Q[3 * ((k + 2) % 3) + 1] = sign;
        Q[3 * k + 2] = sign;
        return Q;
    }
    /* least rotation from z, or from -z after half a turn about x when the axis points down */
    const [x, y, z] = unit(axis);
    const s = z < 0 ? -1 : 1, k = 1 / (1 + s * z);
    return [
        1 - x * x * k, -s * x * y * k, x,
        -x * y * k, s * (1 - y * y * k), y,
        -s * x, -y, z,
    ];
}
