// Finding columns by words: every word must occur in the name, the unit or what the channel is about.

export function searchColumns(columns, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const column of columns) {
        const rank = rankOf(column, words);
        if (rank < Infinity) found.push({ column, rank });
    }
    // Sorting is stable: equal ranks stay in the order of the recording.
    return found.sort((a, b) => a.rank - b.rank).map(({ column }) => column);
}

function rankOf(column, words) {
    const name = column.name.toLowerCase();
    const rest = `${column.unit} ${column.about}`.toLowerCase();
    let rank = 0;
    for (const word of words) {
        if (name === word) continue;
        else if (name.startsWith(word) || name.includes(`.${word}`)) rank += 1;
        else if (name.includes(word)) rank += 2;
        else if (rest.includes(word)) rank += 3;
        else return Infinity;
    }
    return rank;
}

/** [{group, about, columns}] in the order in which groups first appear. */
export function groupColumns(columns) {
    const groups = new Map();
    for (const column of columns) {
        const { group, about } = column;
        if (!groups.has(group)) groups.set(group, { group, about, columns: [] });
        groups.get(group).columns.push(column);
    }
    return [...groups.values()];
}
