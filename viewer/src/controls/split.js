// The bar between the picture and the panel: dragged, or moved by arrow keys. Beside each other or above each other.

import { h } from "../look/dom.js";
import { keep, kept } from "../look/memory.js";

const [LEAST, MOST] = [0.2, 0.8];

export function splitter(main) {
    const upright = () => getComputedStyle(main).flexDirection !== "column";
    const range = { "aria-valuemin": 100 * LEAST, "aria-valuemax": 100 * MOST };
    const bar = h("div", { class: "split", role: "separator", tabindex: 0, "aria-label": "Size of the picture", ...range });
    const set = (part) => {
        const clear = Math.min(Math.max(part, LEAST), MOST);
        bar.part = clear;
        main.style.setProperty("--split", String(clear));
        bar.setAttribute("aria-valuenow", String(Math.round(100 * clear)));
        bar.setAttribute("aria-orientation", upright() ? "vertical" : "horizontal");
        keep("split", String(clear));
    };
    bar.addEventListener("pointerdown", (event) => {
        bar.setPointerCapture(event.pointerId);
        event.preventDefault();
    });
    bar.addEventListener("pointermove", (event) => {
        if (!bar.hasPointerCapture(event.pointerId)) return;
        const box = main.getBoundingClientRect();
        set(upright() ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height);
    });
    bar.addEventListener("dblclick", () => set(0.5));
    bar.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 }[event.key];
        if (!by) return;
        set(bar.part + by);
        event.preventDefault();
        event.stopPropagation();
    });
    set(Number(kept("split")) || 0.5);
    return bar;
}
