// What panes and their files are called.

/** The channels of a pane, with a single entry named in full. */
export function titleOf(columns) {
    const groups = new Map();
    for (const column of columns) {
        if (!groups.has(column.group)) groups.set(column.group, new Set());
        groups.get(column.group).add(column.name);
    }
    return [...groups].map(([group, names]) => (names.size === 1 ? [...names][0] : group)).join(", ");
}

/** What a line is called in its pane: the channel need not be said again where there is only one. */
export function lineName({ column, dashed }, columns, several) {
    const alone = columns.every((other) => other.group === column.group);
    const name = alone ? column.label : column.name;
    return several ? `${name} ${dashed ? "B" : "A"}` : name;
}

/** "two_link q, tau": letters, digits and what file systems take. */
export function fileName(pane) {
    const file = (pane.columns[0]?.recording.file ?? "").replace(/\.[^.]*$/, "");
    const name = `${file} ${titleOf(pane.columns)}`.replace(/[^\p{L}\p{N} ._-]+/gu, " ").replace(/\s+/g, " ").trim();
    return name.slice(0, 100) || "plot";
}
