// Vibration: choose a mode, and the picture swings in it, slowly enough to be seen.

import { button, h } from "../look/dom.js";
import { short } from "../look/numbers.js";
import { calm } from "../look/theme.js";
import { fullAmplitude } from "./amplitude.js";

const SHOWN_HERTZ = 0.6;
const ASK = "Choose a mode: the picture swings in it.";

export class ModesTab {
    constructor(page, scene, store) {
        this.modes = page.modes;
        this.model = page.robot;
        this.scene = scene;
        this.store = store;
        this.chosen = -1;
        store.on(["time", "playing", "state", "seeks"], () => this.stop());
    }

    build() {
        const { modes } = this.modes;
        this.buttons = modes.map((mode, i) => this.button(i));
        this.rows = modes.map((mode, i) => this.row(mode, i));
        const range = { type: "range", min: 0, max: 1, step: 0.01, value: 0.3, "aria-label": "Amplitude" };
        this.slider = h("input", { ...range, oninput: () => this.draw() });
        this.note = h("p", { class: "hint", "aria-live": "polite" }, ASK);
        const numbers = ["f [Hz]", "ω [rad/s]", "damping"].map((text) => h("th", { class: "number" }, text));
        const head = h("thead", {}, h("tr", {}, h("th", {}, "mode"), numbers));
        return h(
            "div",
            { class: "text" },
            h("p", {}, `Small vibrations about the state of the model, joints ${this.modes.joints ?? "as they are"}.`),
            h("label", { class: "row" }, "Amplitude ", this.slider),
            this.note,
            h("table", { class: "modes" }, head, h("tbody", {}, this.rows)),
        );
    }

    button(i) {
        return button("link", () => this.toggle(i), `Mode ${i + 1}`, `Show mode ${i + 1}`, { "aria-pressed": "false" });
    }

    /** A press anywhere in the row is one on its button, which is there for the keyboard. */
    row(mode, i) {
        const cells = [mode.hertz, mode.frequency, mode.damping].map((v) => h("td", { class: "number" }, short(v)));
        const press = (event) => event.target.closest("button") ?? this.toggle(i);
        return h("tr", { onclick: press }, h("td", {}, this.buttons[i]), cells);
    }

    toggle(i) {
        if (this.chosen === i) return this.stop();
        this.store.set("playing", false);
        this.chosen = i;
        this.phase = Math.PI / 2;
        this.mark();
        const what = `Mode ${i + 1} at ${short(this.modes.modes[i].hertz)} Hz, shown at ${SHOWN_HERTZ} Hz.`;
        this.note.textContent = `${what} Press it again, play, or leave this tab to stop.`;
        this.draw();
        if (!calm()) this.swing();
    }

    swing() {
        cancelAnimationFrame(this.frame);
        let last = performance.now();
        const step = (now) => {
            if (this.chosen < 0) return;
            this.phase += (2 * Math.PI * SHOWN_HERTZ * (now - last)) / 1000;
            last = now;
            this.draw();
            this.frame = requestAnimationFrame(step);
        };
        this.frame = requestAnimationFrame(step);
    }

    draw() {
        if (this.chosen < 0) return;
        const full = fullAmplitude(this.modes.modes[this.chosen].shape, this.model);
        this.scene.playMode(this.chosen, Number(this.slider.value) * full, this.phase);
    }

    mark() {
        this.buttons.forEach((button, i) => {
            button.setAttribute("aria-pressed", String(i === this.chosen));
            this.rows[i].classList.toggle("chosen", i === this.chosen);
        });
    }

    /** Back to the state at the replay time, or that of the sliders. */
    stop() {
        if (this.chosen < 0) return;
        this.chosen = -1;
        cancelAnimationFrame(this.frame);
        this.mark();
        this.note.textContent = ASK;
        this.store.get("restore")?.();
    }
}
