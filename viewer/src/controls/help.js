// The list of keys and gestures.

import { button, h } from "../look/dom.js";
import { KEYS } from "../look/keyboard.js";

const POINTER = [
    ["Picture", "drag turns, right drag or two fingers move, wheel or pinch comes nearer"],
    ["Plots", "drag sets the time; Shift and drag, Ctrl and wheel, or two fingers zoom; double click shows all"],
];

export function helpDialog() {
    const pair = (tag) => ([key, text]) => [h("dt", {}, h(tag, {}, key)), h("dd", {}, text)];
    const dialog = h(
        "dialog",
        { class: "help", "aria-label": "Help" },
        h("h2", {}, "Keys"),
        h("dl", {}, KEYS.flatMap(pair("kbd"))),
        h("h2", {}, "Pointer"),
        h("dl", {}, POINTER.flatMap(pair("span"))),
        button("main", () => dialog.close(), "Close"),
    );
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
    });
    return dialog;
}
