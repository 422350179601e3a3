// What stands over the picture: views of the camera, what is drawn, a snapshot.

import { button, download, h, icon, iconButton } from "../look/dom.js";
import { CAMERA, FIT, LAYERS } from "../look/icons.js";
import { arrowChoices } from "./arrow_choices.js";

const VIEWS = [["iso", "Iso"], ["front", "Front"], ["side", "Side"], ["top", "Top"]];
const MOST_EXAGGERATION = 1000;

export class StageTools {
    constructor(scene, name) {
        this.scene = scene;
        this.offer = scene.options();
        this.turn = 0;
        this.element = h(
            "div",
            { class: "stage-tools", role: "toolbar", "aria-label": "Picture" },
            iconButton(FIT, "Fit the robot into the picture (F)", () => scene.view("fit")),
            VIEWS.map(([view, text]) => button("tool", () => scene.view(view), text, `View: ${text}`)),
            this.menu(),
            iconButton(CAMERA, "Save the picture as PNG", () => savePicture(scene, name)),
        );
    }

    /** The next of the views. */
    nextView() {
        this.scene.view(VIEWS[++this.turn % VIEWS.length][0]);
    }

    menu() {
        const { offer } = this;
        const named = offer.namedFrames.length > 0;
        const list = h(
            "div",
            { class: "menu" },
            this.check("Frames", "frames", named || offer.links.length > 0, named ? true : "all"),
            this.check("Names", "labels", true),
            this.check("Ellipsoids of inertia", "inertia", offer.inertia),
            offer.arrows ? arrowChoices(this.scene, offer.now) : null,
            this.check("Loops", "loops", offer.loops),
            this.check("Second recording", "ghost", offer.ghost),
            this.check("Ground", "ground", true),
            this.check("Colour by deformation", "deformation", offer.elastic),
            offer.elastic ? this.exaggeration() : null,
            offer.replay ? this.trails() : null,
        );
        const name = "What is drawn";
        const summary = h("summary", { class: "tool", "aria-label": name, title: name }, icon(LAYERS), "Show");
        this.details = h("details", { class: "drop" }, summary, list);
        document.addEventListener("pointerdown", (event) => {
            if (!this.details.contains(event.target)) this.details.open = false;
        });
        this.details.addEventListener("keydown", (event) => {
            if (event.key === "Escape") this.details.open = false;
        });
        return this.details;
    }

    check(text, key, offered, on = true) {
        if (!offered) return null;
        const tell = () => this.scene.setOptions({ [key]: box.checked ? on : false });
        const box = h("input", { type: "checkbox", checked: Boolean(this.offer.now[key]), onchange: tell });
        return h("label", { class: "choice" }, box, h("span", {}, text));
    }

    /** How much larger than life deformation is drawn: 1 to 1000, by powers. */
    exaggeration() {
        const shown = h("output", {}, "1×");
        const tell = () => {
            const factor = Number(Math.pow(10, Number(slider.value)).toPrecision(2));
            shown.textContent = `${factor}×`;
            slider.setAttribute("aria-valuetext", `${factor} times`);
            this.scene.setOptions({ exaggerate: factor });
        };
        const range = { type: "range", min: 0, max: Math.log10(MOST_EXAGGERATION), step: 0.05, value: 0 };
        const slider = h("input", { ...range, "aria-label": "Exaggeration of deformation", oninput: tell });
        return h("label", { class: "stacked" }, h("span", {}, "Deformation ", shown), slider);
    }

    trails() {
        const names = [...this.offer.namedFrames, ...this.offer.links];
        const shown = (name) => this.offer.now.trails.includes(name);
        const box = (name) => h("input", { type: "checkbox", checked: shown(name), onchange: () => this.tellTrails() });
        this.boxes = names.map((name) => ({ name, box: box(name) }));
        const choices = this.boxes.map(({ name, box }) => h("label", { class: "choice" }, box, h("span", {}, name)));
        return h("details", { class: "trails" }, h("summary", {}, "Trails"), h("div", { class: "trail-list" }, choices));
    }

    tellTrails() {
        this.scene.setOptions({ trails: this.boxes.filter(({ box }) => box.checked).map(({ name }) => name) });
    }

    /** All off, or that of the last frame (the last link, where no frame has a name). */
    toggleTrails() {
        if (!this.boxes?.length) return;
        const any = this.boxes.some(({ box }) => box.checked);
        const { namedFrames, links } = this.offer;
        const chosen = namedFrames.length > 0 ? namedFrames.at(-1) : links.at(-1);
        for (const { name, box } of this.boxes) box.checked = !any && name === chosen;
        this.tellTrails();
    }
}

async function savePicture(scene, name) {
    const picture = scene.screenshot();
    const [, data] = picture.split(",");
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    download(`${name}.png`, new Blob([bytes], { type: "image/png" }));
}
