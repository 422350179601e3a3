/* The state at a time, out of a recording (recording.js): exact at its rows, linear between them, quaternions along the
 * short way and of unit length. Where a row is not finite the last finite one is kept, and `held` says so. */

/* The last row at or before t, and how far t is on the way to the next one, 0 to 1. */
export function placeOf(recording, t) {
    const row = recording.rowAt(t);
    if (row < 0 || row + 1 >= recording.rows) return { row, part: 0 };
    const time = recording.time;
    const part = (t - time[row]) / (time[row + 1] - time[row]);
    return { row, part: part > 0 ? part : 0 };
}

const between = (values, row, part) =>
    part === 0 ? values[row] : values[row] + part * (values[row + 1] - values[row]);

/* Any entry of any channel at t; NaN without rows. */
export function valueAt(recording, channel, entry, t) {
    const { row, part } = placeOf(recording, t);
    return row < 0 ? NaN : between(recording.values(channel, entry), row, part);
}

/* Normalised mean of two quaternions that lie at `at` of out, the second one given; the shorter way round. */
function blend(out, at, next, part) {
    let dot = 0, length = 0;
    for (let k = 0; k < 4; k++) dot += out[at + k] * next[k];
    const sign = dot < 0 ? -1 : 1;
    for (let k = 0; k < 4; k++) {
        out[at + k] += part * (sign * next[k] - out[at + k]);
        length += out[at + k] ** 2;
    }
    for (let k = 0; k < 4 && length > 0; k++) out[at + k] /= Math.sqrt(length);
}

export class Moment {
    /* quaternions: where they begin in q (position.js) */
    constructor(recording, nq, quaternions = []) {
        this.recording = recording;
        this.nq = nq;
        this.quaternions = quaternions;
        this.inQuaternion = new Uint8Array(nq);
        for (const at of quaternions) this.inQuaternion.fill(1, at, at + 4);
        this.q = new Float64Array(nq);
        this.finite = new Int32Array(0);
        this.next = new Float64Array(4);
    }

    get replays() {
        const { recording, nq } = this;
        return recording.q >= 0 && recording.rows > 0 && recording.channels[recording.q].width === nq;
    }

    /* finite[i]: the last row up to i whose q is finite, -1: none. Follows recordings that grow. */
    #finiteRows() {
        const { rows, q } = this.recording, known = this.finite.length;
        if (known === rows) return this.finite;
        const finite = new Int32Array(rows);
        finite.set(this.finite);
        for (let i = known; i < rows; i++) finite[i] = i;
        for (let k = 0; k < this.nq; k++) {
            const values = this.recording.values(q, k);
            for (let i = known; i < rows; i++) if (!Number.isFinite(values[i])) finite[i] = -1;
        }
        for (let i = Math.max(known, 1); i < rows; i++) if (finite[i] < 0) finite[i] = finite[i - 1];
        return (this.finite = finite);
    }

    /* q at t and whether an earlier one had to be kept: {q, held}. q is the same array at every call; null when there is
     * nothing to show. */
    at(t) {
        if (!this.replays) return { q: null, held: false };
        const finite = this.#finiteRows();
        const place = placeOf(this.recording, t);
        const row = finite[place.row];
        if (row < 0) return { q: null, held: true };
        const broken = place.part > 0 && finite[place.row + 1] !== place.row + 1;
        const held = row !== place.row || broken;
        this.#read(row, held ? 0 : place.part);
        return { q: this.q, held };
    }

    #read(row, part) {
        const { recording, q, next } = this;
        for (let k = 0; k < this.nq; k++) {
            const values = recording.values(recording.q, k);
            q[k] = between(values, row, this.inQuaternion[k] ? 0 : part);
        }
        if (part === 0) return;
        for (const at of this.quaternions) {
            for (let k = 0; k < 4; k++) next[k] = recording.values(recording.q, at + k)[row + 1];
            blend(q, at, next, part);
        }
    }
}
