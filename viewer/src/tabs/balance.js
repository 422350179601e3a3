// The energy ledger added up: what is stored more than before must have come in as work. No DOM.

export function balanceOf(ledger) {
    const sum = (kind) => ledger.filter((row) => row.kind === kind).reduce((total, row) => total + (row.J ?? NaN), 0);
    const [stored, worked] = [sum("store"), sum("work")];
    const largest = ledger.reduce((most, row) => Math.max(most, Math.abs(row.J ?? 0)), 0);
    return { stored, worked, gap: stored - worked, largest };
}
