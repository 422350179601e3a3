// Dark or light: as the system says, until the reader chooses; the choice is kept where the browser allows it.

import { kept, keep } from "./memory.js";

export function startTheme(store) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const apply = (theme) => {
        document.documentElement.dataset.theme = theme;
        store.set("theme", theme);
    };
    const chosen = kept("theme");
    apply(chosen === "dark" || chosen === "light" ? chosen : system.matches ? "dark" : "light");
    system.addEventListener("change", () => {
        if (!kept("theme")) apply(system.matches ? "dark" : "light");
    });
    return {
        toggle() {
            const theme = store.get("theme") === "dark" ? "light" : "dark";
            keep("theme", theme);
            apply(theme);
        },
    };
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
