/* One robot on the stage: a recording or a bare model, its state now, and its meshes. */
import { Moment } from "../moment.js";
import { Robot } from "./robot.js";

const SAMPLES = 80;

export class Actor {
    constructor(model, recording, ghost) {
        this.model = model;
        this.recording = recording;
        this.ghost = ghost;
        this.q = Float64Array.from(model.neutral);
        this.held = null; /* where no finite position is recorded: "last" or "neutral", which is shown instead */
        /* the link that a camera follows: the first with a free joint above it */
        this.flyer = model.joints.find(({ type }) => type === "free")?.child ?? 0;
    }

    /* Makes the meshes, again when colours change. */
    build(palette) {
        this.robot?.dispose();
        const { exaggerate = 1, tint = null } = this.robot ?? {};
        this.robot = new Robot(this.model, palette, this.ghost ? palette.ghost : null);
        this.robot.exaggerate = exaggerate;
        this.robot.tint = tint && palette.force;
        const { quaternions } = this.robot.kinematics;
        this.moment = this.recording ? new Moment(this.recording, this.model.nq, quaternions) : null;
        return this.robot;
    }

    get replays() {
        return Boolean(this.moment?.replays);
    }

    setTime(t) {
        if (!this.replays) return;
        const { q, held } = this.moment.at(t);
        this.held = held ? (q ? "last" : "neutral") : null;
        this.q.set(q ?? this.model.neutral);
    }

    /* Visits states spread over the recording, with the robot's kinematics set to them; the present one without rows. */
    survey(visit) {
        const { kinematics, exaggerate } = this.robot, rows = this.replays ? this.recording.rows : 0;
        const count = Math.min(rows, SAMPLES);
        for (let i = 0; i < count; i++) {
            const row = count > 1 ? Math.round((i * (rows - 1)) / (count - 1)) : 0;
            const { q } = this.moment.at(this.recording.time[row]);
            if (q) visit(kinematics.poses(q, { exaggerate }));
        }
        visit(kinematics.poses(this.q, { exaggerate }));
    }

    /* How far its beams bend in all, so that colours of deformation mean the same at all times. */
    measureBeams() {
        const { beams, kinematics } = this.robot;
        if (beams.length) this.survey(() => beams.forEach((beam) => beam.measure(kinematics)));
    }

    update() {
        this.robot.update(this.q);
    }
}
