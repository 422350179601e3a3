// How far two recordings are apart: B is taken at the times of A, straight between its rows.

/** [{name, unit, largest, at, rms, relative}] of the columns that both have; `at` is the time of the largest. */
export function differences(a, b) {
    const start = Math.max(a.span[0], b.span[0]);
    const end = Math.min(a.span[1], b.span[1]);
    const rows = [];
    for (const column of a.columns) {
        const other = b.column(column.name);
        if (!other || other.unit !== column.unit || !(end >= start) || a.rows === 0 || b.rows === 0) continue;
        rows.push({ name: column.name, unit: column.unit, ...apart(column, other, start, end) });
    }
    return rows;
}

function apart(a, b, start, end) {
    const times = a.recording.time;
    const [x, y] = [a.values, b.values];
    const at = follower(b.recording.time);
    let [largest, when, squares, count, size] = [NaN, NaN, 0, 0, 0];
    for (let i = 0; i < times.length; i++) {
        if (!(times[i] >= start && times[i] <= end)) continue;
        const difference = Math.abs(x[i] - at(y, times[i]));
        if (Number.isNaN(difference)) continue;
        if (!(difference <= largest)) [largest, when] = [difference, times[i]];
        squares += difference * difference;
        count++;
        size = Math.max(size, Math.abs(x[i]));
    }
    const rms = count > 0 ? Math.sqrt(squares / count) : NaN;
    return { largest, at: when, rms, relative: size > 0 ? largest / size : NaN };
}

/** Interpolates at times that only grow. */
function follower(times) {
    let row = 0;
    return (values, t) => {
        while (row + 1 < times.length && times[row + 1] <= t) row++;
        if (row + 1 >= times.length || times[row] === t) return values[row];
        const part = (t - times[row]) / (times[row + 1] - times[row]);
        return values[row] + part * (values[row + 1] - values[row]);
    };
}
