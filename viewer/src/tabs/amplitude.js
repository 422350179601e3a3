// The amplitude at which a mode's largest motion fills the picture without breaking it. No DOM.

const MOST_TURN = 0.8; // rad
const MOST_SHIFT = 0.25; // of the robot's size

export function fullAmplitude(shape, model) {
    let least = Infinity;
    shape.forEach((value, i) => {
        const angle = String(model?.degrees?.[i]?.unit).startsWith("rad"); // rad/s: degrees are of velocities
        const limit = angle ? MOST_TURN : MOST_SHIFT * (model?.size || 1);
        if (Math.abs(value) > 0) least = Math.min(least, limit / Math.abs(value));
    });
    return Number.isFinite(least) ? least : 0;
}
