// Arrows of forces and moments: which are drawn, and what their lengths mean.

import { h } from "../look/dom.js";
import { short } from "../look/numbers.js";

const KINDS = { none: ["No", false], forces: ["Forces", true], both: ["Forces and moments", "moments"] };
const SCALES = { log: "Over three decades", linear: "In proportion" };

/** What a length means, of {force, moment}: the largest of the recording. */
export function lengthText({ force, moment }, moments, scale) {
    const most = `${short(force, 3)} N${moments ? `, or with two heads ${short(moment, 3)} N m` : ""}`;
    const rest = scale === "log" ? "a tenth of it is a third shorter, a thousandth is not drawn" : "half as long is half of it";
    return `The longest arrow is the largest of the recording, ${most}; ${rest}.`;
}

export function arrowChoices(scene, now) {
    const tell = () => {
        const arrows = KINDS[kind.value][1];
        scene.setOptions({ arrows, arrowScale: scale.value });
        scale.parentElement.hidden = meaning.hidden = !arrows;
        meaning.textContent = arrows ? lengthText(scene.largestArrows(), arrows === "moments", scale.value) : "";
    };
    const options = (texts) => Object.entries(texts).map(([value, text]) => h("option", { value }, text));
    const select = (texts) => h("select", { onchange: tell }, options(texts));
    const kind = select(Object.fromEntries(Object.entries(KINDS).map(([value, [text]]) => [value, text])));
    const scale = select(SCALES);
    kind.value = Object.keys(KINDS).find((value) => KINDS[value][1] === now.arrows) ?? "none";
    scale.value = now.arrowScale;
    const meaning = h("p", { class: "hint arrow-meaning", "aria-live": "polite" });
    const labelled = (text, field) => h("label", { class: "stacked" }, h("span", {}, text), field);
    const made = h("div", { class: "arrow-choices" }, labelled("Arrows in joints", kind), labelled("Lengths", scale), meaning);
    tell();
    return made;
}
