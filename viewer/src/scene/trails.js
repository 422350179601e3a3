/* Paths of chosen frames: the whole one faint, what has been gone through bright. */
import { Color, Group } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { makePose } from "../pose.js";
import { placeFrame, placesOf } from "./frames.js";
import { still } from "./place.js";
import { TRAILS } from "./palette.js";

const MOST = 1500; /* points of one path */

/* Rows of a recording, at most MOST, first and last among them. */
function sampleRows(rows) {
    const count = Math.min(rows, MOST);
    return Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (rows - 1)) / (count - 1)) : 0));
}

function makeLine(points, color, opacity, width) {
    const geometry = new LineGeometry().setPositions(points);
    const material = new LineMaterial({ color, linewidth: width, transparent: true, opacity, depthWrite: false });
    return still(new Line2(geometry, material));
}

export class Trails {
    /* kind: the colour of the theme that the first path has; of a ghost they all have it */
    constructor(model, kind) {
        this.kind = kind;
        this.places = placesOf(model);
        this.group = new Group();
        this.lines = [];
        this.times = [];
        this.pose = makePose();
    }

    /* Paths over the whole recording. The kinematics of the actor's robot computes them: its state is another afterwards. */
    trace(names, { robot, moment }, palette) {
        this.clear();
        const chosen = names.map((name) => this.places.find((place) => place.name === name)).filter(Boolean);
        if (!chosen.length || !moment?.replays) return;
        const { points, times } = this.#walk(chosen, robot, moment);
        this.times = times;
        if (times.length < 2) return;
        const colorOf = (i) => (i && this.kind !== "ghost" ? new Color(TRAILS[i % TRAILS.length]) : palette[this.kind]);
        chosen.forEach((place, i) => this.#addLines(points[i], colorOf(i)));
    }

    #walk(chosen, robot, moment) {
        const points = chosen.map(() => []), times = [], time = moment.recording.time;
        for (const row of sampleRows(moment.recording.rows)) {
            const { q, held } = moment.at(time[row]);
            if (!q || held) continue;
            robot.kinematics.poses(q, { exaggerate: robot.exaggerate });
            times.push(time[row]);
            chosen.forEach((place, i) => points[i].push(...placeFrame(robot.kinematics, place, this.pose).p));
        }
        return { points, times };
    }

    #addLines(points, color) {
        const whole = makeLine(points, color, 0.28, 1.5), past = makeLine(points, color, 0.95, 2.5);
        this.lines.push({ past, whole });
        this.group.add(whole, past);
    }

    update(t) {
        let low = 0, high = this.times.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.times[middle] <= t) low = middle + 1;
            else high = middle;
        }
        for (const { past } of this.lines) {
            past.geometry.instanceCount = Math.max(low - 1, 0);
            past.visible = low > 1;
        }
    }

    clear() {
        for (const { past, whole } of this.lines) {
            for (const line of [past, whole]) {
                line.geometry.dispose();
                line.material.dispose();
            }
        }
        this.lines = [];
        this.times = [];
        this.group.clear();
    }
}
