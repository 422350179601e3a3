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
