// Which columns stand together in a pane: at most two units, at most so many lines that they can be told apart.

export const MOST_LINES = 12;
export const MOST_UNITS = 2;
const FIRST_LINES = 8; // in panes that nobody has chosen

/** Panes to begin with, as lists of names: what moves, what drives it, where the energy goes. */
export function defaultPanes(recording, most = 4) {
    const whole = (test) =>
        recording.channels.filter((c) => test(c.name)).map((c) => recording.columns.filter((k) => k.group === c.name));
    const energy = recording.columns.filter((c) => c.group === "energy");
    const candidates = [
        ...whole((name) => name.startsWith("deviation")).slice(0, 1),
        ...whole((name) => name === "q").map(withUnits),
        ...whole((name) => name === "tau"),
        energy.filter((c) => c.label !== "gap"),
        energy.filter((c) => c.label === "gap"),
    ];
    if (candidates.every((columns) => columns.length === 0))
        candidates.push(...recording.channels.map((c) => recording.columns.filter((k) => k.group === c.name)));
    return candidates
        .map((columns) => fitting([], moving(columns)).slice(0, FIRST_LINES).map((column) => column.name))
        .filter((names) => names.length > 0)
        .slice(0, most);
}

/** Without quaternions, which say little as curves, where there is anything else. */
function withUnits(columns) {
    const found = columns.filter((column) => column.unit !== "1");
    return found.length > 0 ? found : columns;
}

/** Those that change at all; all of them when none does (or when rows are yet to come). */
function moving(columns) {
    const found = columns.filter(({ values }) => values.some((value) => value !== values[0] && Number.isFinite(value)));
    return found.length > 0 ? found : columns;
}

/** The columns of `wanted` that fit beside those that are there. */
export function fitting(present, wanted) {
    const kept = [];
    for (const column of wanted) if (fits([...present, ...kept], column)) kept.push(column);
    return kept;
}

export function fits(present, column) {
    const units = unitsOf(present);
    const room = units.length < MOST_UNITS || units.includes(column.unit);
    return room && present.length < MOST_LINES;
}

/** Distinct units in the order of appearance: the first has the left axis. */
export function unitsOf(columns) {
    return [...new Set(columns.map((column) => column.unit))];
}
