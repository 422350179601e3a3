/* The picture: everything that is drawn in three dimensions, behind one class.
 *
 *   const scene = new Scene(container, document, store);
 *   scene.setTime(1.5);
 *
 * `container` is an element that gives the size (the scene follows it by itself and makes its own canvas and labels in
 * it). `document` is an opened one (document.js). `store` may be missing; its "theme" is followed.
 *
 * Nothing is drawn while nothing changes: call what you like as often as you like. Colours are CSS custom properties
 * of the container (see palette.js), read again at each setTheme. */
import { Actor } from "./actor.js";
import { Arrows } from "./arrows.js";
import { extentOf, outgrown } from "./extent.js";
import { Frames, placeFrame, placesOf } from "./frames.js";
import { Ground } from "./ground.js";
import { Inertia } from "./inertia.js";
import { Loops } from "./loops.js";
import { DEFAULT_OPTIONS } from "./options.js";
import { readPalette } from "./palette.js";
import { Stage } from "./stage.js";
import { Trails } from "./trails.js";

export { DEFAULT_OPTIONS };
export const VIEWS = ["fit", "front", "side", "top", "iso"];

function overlayIn(container) {
    const overlay = container.ownerDocument.createElement("div");
    overlay.className = "scene-labels";
    overlay.setAttribute("aria-hidden", "true");
    overlay.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none";
    if (getComputedStyle(container).position === "static") container.style.position = "relative";
    container.append(overlay);
    return overlay;
}

export class Scene {
    constructor(container, document, store) {
        this.container = container;
        this.document = document;
        this.chosen = { ...DEFAULT_OPTIONS };
        this.t = 0;
        const models = document.recordings.map((recording) => recording.model);
        if (!models[0]) models[0] = document.model;
        const first = models.findIndex(Boolean); /* a recording that tells no model has no robot */
        this.actors = models.map((model, i) => model && new Actor(model, document.recordings[i] ?? null, i > first));
        this.lead = this.actors[first] ?? null;
        this.ghost = this.actors.find((actor) => actor?.ghost) ?? null;
        this.stage = new Stage(container, {
            beforeDraw: () => this.#settle(),
            afterDraw: (camera, width, height) => this.frames?.project(camera, width, height),
        });
        this.overlay = overlayIn(container);
        this.#furnish();
        this.setTheme(store?.get?.("theme") ?? "light");
        store?.on?.("theme", (theme) => this.setTheme(theme));
        this.setTime(this.lead?.replays ? this.lead.recording.time[0] : 0);
        this.view("iso");
    }

    /* False when the browser has no WebGL: a message stands in the container instead of the picture. */
    get works() {
        return this.stage.works;
    }

    /* What belongs to the leading robot, besides its meshes. */
    #furnish() {
        if (!this.lead) {
            this.overlay.textContent = "There is no robot to show: the recording names no model that can be read.";
            this.overlay.style.padding = "1.5em";
            return;
        }
        const { model, recording } = this.lead;
        this.frames = new Frames(model, this.overlay);
        this.trails = new Trails(model, "trail");
        this.otherTrails = this.ghost ? new Trails(this.ghost.model, "ghost") : null;
        this.loops = new Loops(model, recording);
        this.inertia = new Inertia(model);
        this.arrows = new Arrows(recording, model);
        this.ground = new Ground(model.size);
        for (const thing of [this.frames, this.trails, this.otherTrails, this.loops, this.inertia, this.arrows, this.ground])
            if (thing) this.stage.scene.add(thing.group);
    }

    /* "dark" | "light": reads the colours again. */
    setTheme(theme) {
        const palette = (this.palette = readPalette(this.container, theme));
        this.stage.scene.background.copy(palette.background);
        this.#inkLabels(palette);
        for (const actor of this.actors.filter(Boolean)) {
            if (actor.robot) this.stage.scene.remove(actor.robot.group);
            this.stage.scene.add(actor.build(palette).group);
        }
        if (!this.lead) return this.stage.invalidate();
        for (const thing of [this.loops, this.inertia, this.arrows, this.ground]) thing.paint(palette);
        this.ground.shadow(this.lead.robot.meshes());
        this.#place();
        this.setOptions({ trails: this.chosen.trails });
    }

    #inkLabels({ label, background }) {
        const [ink, paper] = [label, background].map((color) => `#${color.getHexString()}`);
        Object.assign(this.overlay.style, { color: ink, textShadow: `0 0 3px ${paper}, 0 0 3px ${paper}` });
    }

    /* Where the floor is and what the camera looks at. */
    #place() {
        this.extent = extentOf(this.actors.filter(Boolean));
        const { middle, floor } = this.extent;
        this.ground.moveTo(middle.x, middle.y, floor);
    }

    /* Shows the recordings at time t, s. A time outside a recording shows its nearest end. */
    setTime(t) {
        this.t = t;
        for (const actor of this.actors) actor?.setTime(t);
        this.#touch();
    }

    /* Shows the first robot at q (nq numbers), for models without a recording and for joint sliders; what is not finite
     * leaves its coordinate where it was. */
    setState(q) {
        q.forEach((x, i) => Number.isFinite(x) && this.lead && (this.lead.q[i] = x));
        this.#touch();
    }

    /* The robot of a recording; without one said, the first there is. */
    #actor(recording) {
        return recording === undefined ? this.lead : this.actors[recording];
    }

    /* Positions of a robot as shown, a copy. */
    state(recording) {
        return Float64Array.from(this.#actor(recording)?.q ?? []);
    }

    /* What is shown while a recording has no finite positions: "last" (those before) or "neutral" (there were none); else
     * null. */
    held(recording) {
        return this.#actor(recording)?.held ?? null;
    }

    /* Shows the robot in mode i of document.modes, moved from its state by amplitude sin(phase) times the shape. */
    playMode(i, amplitude, phase) {
        const { modes } = this.document, shape = modes?.modes[i]?.shape;
        if (!this.lead || !shape) return;
        const step = shape.map((x) => x * amplitude * Math.sin(phase));
        this.lead.robot.kinematics.moved(Float64Array.from(modes.q), step, this.lead.q);
        this.#touch();
    }

    /* Changes the options named, leaves the others. */
    setOptions(options) {
        const chosen = Object.assign(this.chosen, options);
        if (!this.lead) return;
        for (const actor of this.actors.filter(Boolean)) {
            actor.robot.exaggerate = chosen.exaggerate;
            actor.robot.tint = chosen.deformation ? this.palette.force : null;
            if (actor.ghost) actor.robot.group.visible = chosen.ghost;
            if (chosen.deformation) actor.measureBeams();
        }
        this.ground.group.visible = chosen.ground;
        this.loops.group.visible = chosen.loops;
        this.inertia.group.visible = Boolean(chosen.inertia);
        this.frames.choose(chosen.frames, chosen.labels);
        if (["trails", "exaggerate", "ghost"].some((name) => name in options)) this.#trace();
        this.#touch();
    }

    #trace() {
        this.trails.trace(this.chosen.trails, this.lead, this.palette);
        this.otherTrails?.trace(this.chosen.ghost ? this.chosen.trails : [], this.ghost, this.palette);
    }

    /* What this document offers: names of links and frames for trails, and which options would show anything. */
    options() {
        const model = this.lead?.model;
        return {
            links: model?.links.map(({ name }) => name) ?? [],
            namedFrames: model?.frames.map(({ name }) => name) ?? [],
            elastic: Boolean(model?.links.some(({ elastic }) => elastic)),
            arrows: Boolean(this.arrows?.any),
            loops: Boolean(this.loops?.any),
            ghost: Boolean(this.ghost),
            modes: this.document.modes?.modes.length ?? 0,
            inertia: Boolean(this.inertia?.links.length),
            replay: (this.lead?.recording?.q ?? -1) >= 0,
            now: { ...this.chosen },
        };
    }

    /* What the longest arrows stand for: {force, N, moment, N m}. */
    largestArrows() {
        const [force, moment] = this.arrows?.largest() ?? [0, 0];
        return { force, moment };
    }

    #touch() {
        this.stale = true;
        this.stage.invalidate();
    }

    /* Moves everything to where it belongs now, once for however many changes. */
    #settle() {
        if (!this.stale || !this.lead) return;
        this.stale = false;
        for (const actor of this.actors) if (actor?.robot.group.visible) actor.update();
        const { kinematics } = this.lead.robot, { chosen } = this;
        if (this.extent.flies) this.stage.follow(kinematics.links[this.lead.flyer].p);
        if (chosen.ground) this.ground.update();
        if (chosen.loops) this.loops.update(kinematics, this.t);
        if (chosen.inertia) this.inertia.update(kinematics);
        this.frames.update(kinematics);
        this.trails.update(this.t);
        this.otherTrails?.update(this.t);
        this.arrows.update(kinematics, this.t, chosen.arrows, chosen.arrowScale);
    }

    /* Turns the camera: one of VIEWS. */
    view(name) {
        if (!this.lead) return;
        this.#place();
        this.stage.look(name, this.extent.points, this.lead.robot.kinematics.links[this.lead.flyer].p);
        this.#touch();
    }

    /* Pose {p: [3], R: [9, row-major]} of a link or named frame as drawn, world axes; null when there is none. */
    pose(name, recording) {
        const actor = this.#actor(recording);
        const place = actor && placesOf(actor.model).find((candidate) => candidate.name === name);
        if (!place) return null;
        this.#settle();
        actor.update();
        const { p, R } = placeFrame(actor.robot.kinematics, place);
        return { p: Array.from(p), R: Array.from(R) };
    }

    /* Frames per second: measured over the last frames drawn without a rest; 0 before the second one. */
    fps() {
        return this.stage.pace.fps;
    }

    /* The picture is drawn as well as it will be, and nothing waits to be drawn. */
    atRest() {
        return this.stage.atRest;
    }

    /* The picture as a PNG, "data:image/png;base64,...". */
    screenshot() {
        return this.stage.screenshot();
    }

    /* Rows were added to a recording (live): trails and the last state follow, and so does the camera, unless somebody has
     * moved it. */
    grown() {
        if (this.chosen.trails.length) this.#trace();
        if (this.lead && this.stage.goal && outgrown(this.actors.filter(Boolean), this.extent)) this.view("fit");
        this.#touch();
    }

    /* Takes the canvas out of the page and frees what it holds. */
    dispose() {
        for (const actor of this.actors) actor?.robot.dispose();
        this.overlay.remove();
        this.stage.dispose();
    }
}
