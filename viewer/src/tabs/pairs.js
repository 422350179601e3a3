// "steps: 250" lines of a note as [["steps", "250"], ...]; a line without a colon is a fact without a name.

export function pairsOf(text) {
    return text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean)
        .map((line) => {
            const at = line.indexOf(": ");
            return at > 0 ? [line.slice(0, at), line.slice(at + 2).trim()] : ["", line];
        });
}
