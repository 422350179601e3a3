// What a slider of a coordinate may do: limits, and the unit that people think in. No DOM.

const DEGREES = 180 / Math.PI;

/** [{label, index, unit, lower, upper, scale, shownUnit}] of the coordinates of a model. */
export function coordinatesOf(model) {
    const limits = limitsOf(model);
    return model.coordinates.map(({ label, unit }, index) => {
        const angle = unit === "rad";
        const [lower, upper] = limits[index] ?? openLimits(unit, model);
        const shownUnit = angle ? "°" : unit === "1" ? "" : unit;
        return { label, index, unit, lower, upper, scale: angle ? DEGREES : 1, shownUnit };
    });
}

function limitsOf(model) {
    const limits = [];
    for (const joint of model.joints)
        for (let k = 0; k < joint.nq; k++) {
            const [lower, upper] = [joint.lower?.[k], joint.upper?.[k]];
            if (Number.isFinite(lower) && Number.isFinite(upper) && upper > lower) limits[joint.q + k] = [lower, upper];
        }
    // Deflections are small beside the machine.
    for (const { elastic } of model.links)
        for (let k = 0; k < (elastic?.count ?? 0); k++) limits[elastic.q + k] = [-0.1 * model.size, 0.1 * model.size];
    return limits;
}

function openLimits(unit, model) {
    if (unit === "rad") return [-Math.PI, Math.PI];
    return unit === "1" ? [-1, 1] : [-(model.size || 1), model.size || 1];
}

/** Where quaternions begin in q: the last four of joints that end in one. */
export function quaternionsOf(model) {
    return model.joints.filter((joint) => joint.nq === 4 || joint.nq === 7).map((joint) => joint.q + joint.nq - 4);
}

/** q with coordinate `index` at `value`; the rest of a quaternion that it belongs to is scaled to unit length. */
export function withCoordinate(q, index, value, quaternions) {
    const moved = Array.from(q);
    moved[index] = value;
    const at = quaternions.find((start) => index >= start && index < start + 4);
    if (at === undefined) return moved;
    moved[index] = Math.min(Math.max(value, -1), 1);
    const rest = [0, 1, 2, 3].map((k) => at + k).filter((i) => i !== index);
    const length = Math.hypot(...rest.map((i) => moved[i]));
    const wanted = Math.sqrt(1 - moved[index] ** 2);
    if (length > 1e-12) rest.forEach((i) => (moved[i] *= wanted / length));
    else moved[rest.at(-1)] = wanted;
    return moved;
}
