// Colours of lines: told apart by eye, also by most colour-blind ones, and with contrast on their ground.

const LIGHT = [
    "#1d63c4", "#c2410c", "#0b7a55", "#8a3fb8", "#946200", "#0e7490",
    "#b8185b", "#4d5a6b", "#5b7a00", "#5145cd", "#8d3b2f", "#00695c",
];
const DARK = [
    "#6ea8ff", "#ff9a62", "#4cd39b", "#c99bf5", "#e6b84a", "#57cbe0",
    "#ff8ab6", "#aab6c5", "#b4d455", "#a5a0ff", "#e59a8c", "#6fd6c4",
];

export function lineColour(theme, i) {
    const list = theme === "dark" ? DARK : LIGHT;
    return list[i % list.length];
}

/** A colour of the style sheet, for canvases. */
export function cssColour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888";
}
