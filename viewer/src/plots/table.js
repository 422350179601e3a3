// Columns as a table over one time axis. A gap is null (a value that is not a number); undefined says that a recording
// has no row at this time, where its line goes on.

/** columns: [Column, ...], of one recording or of several. Returns {x, ys}. */
export function tableOf(columns) {
    const recordings = [...new Set(columns.map((column) => column.recording))];
    if (recordings.length < 2) {
        const x = recordings[0]?.time ?? new Float64Array(0);
        return { x, ys: columns.map((column) => withGaps(column.values)) };
    }
    const { x, places } = mergedTimes(recordings.map((recording) => recording.time));
    const ys = columns.map((column) => spread(column.values, places[recordings.indexOf(column.recording)], x.length));
    return { x, ys };
}

/** The same array when all is finite, as a list with nulls when not: typed arrays cannot hold a gap. */
export function withGaps(values) {
    for (let i = 0; i < values.length; i++)
        if (!Number.isFinite(values[i])) return Array.from(values, (v) => (Number.isFinite(v) ? v : null));
    return values;
}

const HUGE = 1e30; // beyond it spans overflow, and no ticks are known

/**
 * Values as they are plotted: those of an axis with huge ones divided by a power of ten. axes: the axis of each list.
 * Returns {ys, factors: of each axis}.
 */
export function sized(ys, axes) {
    const most = [];
    ys.forEach((values, i) => {
        let size = most[axes[i]] ?? 0;
        for (let k = 0; k < values.length; k++) if (Math.abs(values[k]) > size) size = Math.abs(values[k]);
        most[axes[i]] = size;
    });
    const factors = most.map((size) => (size > HUGE ? Number(`1e${Math.floor(Math.log10(size))}`) : 1));
    const divided = (values, by) => (by === 1 ? values : Array.from(values, (value) => (value ? value / by : value)));
    return { ys: ys.map((values, i) => divided(values, factors[axes[i]])), factors };
}

/** All times in order, equal ones once (as often as the recording that has them most), and where each row went. */
export function mergedTimes(times) {
    const at = times.map(() => 0);
    const places = times.map((list) => new Uint32Array(list.length));
    const x = [];
    for (;;) {
        let next = Infinity;
        times.forEach((list, r) => {
            if (at[r] < list.length && !(list[at[r]] >= next)) next = list[at[r]];
        });
        if (next === Infinity) break;
        times.forEach((list, r) => {
            if (at[r] < list.length && Object.is(list[at[r]] + 0, next + 0)) places[r][at[r]++] = x.length;
        });
        x.push(next);
    }
    return { x: Float64Array.from(x), places };
}

function spread(values, place, length) {
    const all = new Array(length).fill(undefined);
    for (let i = 0; i < values.length; i++) all[place[i]] = Number.isFinite(values[i]) ? values[i] : null;
    return all;
}
