// Over the picture: the robot is not where the recording has it, since that is nowhere.

import { h } from "../look/dom.js";

const SHOWN = { last: "the last finite ones are shown", neutral: "none were before, the neutral position is shown" };

/** names: of the recordings; held: what each shows instead of its positions (Scene.held). "" when all are finite. */
export function heldText(names, held) {
    const told = held.map((what, i) => {
        const whose = names.length > 1 ? `${names[i]}: the` : "The";
        return what ? `${whose} positions are not finite at this time; ${SHOWN[what]}.` : "";
    });
    return told.filter(Boolean).join(" ");
}

export class HeldNote {
    constructor() {
        this.element = h("p", { class: "held", role: "status", hidden: true });
    }

    tell(recordings, scene) {
        const text = heldText(recordings.map(({ file }) => file), recordings.map((_, i) => scene.held(i)));
        if (text === this.text) return;
        this.text = this.element.textContent = text;
        this.element.hidden = !text;
    }
}
