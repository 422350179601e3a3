/* Colours of the picture. Each is a CSS custom property of the container ("--scene-metal"); where the style sheet has
 * none, one of the two sets below. */
import { Color } from "three";

const LIGHT = {
    background: "#f4f5f7", ground: "#e3e7ed", grid: "#b3bcc9", shadow: "#28303c",
    metal: "#c3cad3", dark: "#4a5361", accent: "#e8862e", joint: "#5d6b7e",
    ghost: "#7c5cd6", force: "#d6336c", moment: "#1c8fb5", trail: "#2f6fde", label: "#2b323c", gap: "#d92d20",
};
const DARK = {
    background: "#14171c", ground: "#232932", grid: "#4a5563", shadow: "#000000",
    metal: "#aab3bf", dark: "#596474", accent: "#f29a4a", joint: "#7c8a9e",
    ghost: "#a58bff", force: "#ff5d8f", moment: "#4cc3e8", trail: "#6aa4ff", label: "#e4e8ee", gap: "#ff6b5e",
};

/* Red, green and blue of x, y, z: soft enough for both themes. */
export const AXES = ["#e5484d", "#46a758", "#3e7bfa"];

/* Paths of several frames are told apart by these, the first being the theme's own. */
export const TRAILS = ["#2f6fde", "#d9822b", "#2e9e6b", "#b94fc1", "#c9a227"];

export function readPalette(element, theme) {
    const set = theme === "dark" ? DARK : LIGHT;
    const style = getComputedStyle(element);
    const colors = {};
    for (const [name, fallback] of Object.entries(set)) {
        const text = style.getPropertyValue(`--scene-${name}`).trim();
        colors[name] = new Color(text || fallback);
    }
    colors.lift = theme === "dark" ? 0.09 : 0; /* how much of white dark parts get, to stand out from the background */
    return colors;
}
