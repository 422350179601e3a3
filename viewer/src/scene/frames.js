/* Axes of links and named frames, all in one draw call, and their names as elements over the canvas. */
import { Color, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Vector3 } from "three";
import { makePose } from "../pose.js";
import { AXES } from "./palette.js";
import { aimed, still, toMatrix } from "./place.js";
import { cylinder, merged, painted } from "./solids.js";

function triad() {
    const stick = cylinder(0.035, 1, { bevel: 0, sides: 6 });
    return merged([0, 1, 2].map((i) => {
        const axis = [0, 1, 2].map((k) => (k === i ? 1 : 0));
        return painted(stick, new Color(AXES[i]), aimed(new Matrix4(), axis.map((x) => x / 2), axis));
    }));
}

/* What may have axes and a name: links, then named frames. */
export function placesOf(model) {
    const links = model.links.map((link, i) => ({ name: link.name, link: i, isLink: true, pose: null, bend: null }));
    const frames = model.frames.map(({ name, link, p, R, bend }) => ({ name, link, isLink: false, pose: { p, R }, bend }));
    return [...links, ...frames];
}

export function placeFrame(kinematics, { link, pose, bend }, out) {
    return pose ? kinematics.place(link, pose, bend, out) : kinematics.links[link];
}

export class Frames {
    constructor(model, overlay) {
        this.places = placesOf(model);
        this.size = 0.07 * model.size;
        /* over everything: most origins lie inside of links */
        const material = new MeshBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
        this.mesh = still(new InstancedMesh(triad(), material, this.places.length));
        this.mesh.renderOrder = 5;
        this.mesh.count = 0;
        this.group = new Group().add(this.mesh);
        this.overlay = overlay;
        this.pose = makePose();
        this.shown = [];
        this.labels = [];
        this.at = [];
    }

    /* frames: false, true (named ones) or "all"; labels: names of what is shown, of links when nothing is */
    choose(frames, labels) {
        this.axes = Boolean(frames);
        const chosen = (place) => frames === "all" || (frames ? !place.isLink : place.isLink);
        this.shown = frames || labels ? this.places.filter(chosen) : [];
        this.overlay.replaceChildren();
        this.labels = labels ? this.shown.map(({ name }) => this.#label(name)) : [];
        this.at = this.shown.map(() => new Vector3());
    }

    #label(name) {
        const label = this.overlay.ownerDocument.createElement("span");
        label.className = "scene-label";
        label.textContent = name;
        label.style.cssText = "position:absolute;left:0;top:0;white-space:nowrap;font-size:11px;will-change:transform";
        this.overlay.append(label);
        return label;
    }

    update(kinematics) {
        const matrix = (this.scratch ??= new Matrix4()), size = new Vector3(this.size, this.size, this.size);
        this.shown.forEach((place, i) => {
            const pose = placeFrame(kinematics, place, this.pose);
            this.at[i].fromArray(pose.p);
            if (this.axes) this.mesh.setMatrixAt(i, toMatrix(matrix, pose).scale(size));
        });
        this.mesh.count = this.axes ? this.shown.length : 0;
        this.mesh.visible = this.mesh.count > 0;
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    /* Labels follow their places on the screen. */
    project(camera, width, height) {
        const point = (this.point ??= new Vector3());
        this.labels.forEach((label, i) => {
            point.copy(this.at[i]).project(camera);
            const seen = point.z < 1 && Math.abs(point.x) < 1.05 && Math.abs(point.y) < 1.05;
            label.style.display = seen ? "" : "none";
            const x = ((point.x + 1) / 2) * width + 7, y = ((1 - point.y) / 2) * height - 7;
            label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        });
    }
}
