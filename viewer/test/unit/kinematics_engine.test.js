/* Poses computed here from the tables of a page, against those that the command computes from the model file. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { Kinematics } from "../../src/kinematics.js";
import { documentOf, findCommand, framePoses, whyNoPages } from "../engine.js";

const MODELS = ["joints_zoo.yaml", "cobot7.yaml", "quadruped.yaml", "flexible_arm.yaml", "flexible_free.yaml",
    "flexible_panel.yaml", "four_bar_elastic.yaml", "humanoid50.yaml", "stewart.yaml"];
const SEED = Number(process.env.SEED) || 20240817;
const STATES = 4;

const command = findCommand();
const missing = whyNoPages(command);

/* A small generator with a seed (mulberry32): uniform in -1..1. */
function makeRandom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let x = Math.imul(state ^ (state >>> 15), 1 | state);
        x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
        return ((x ^ (x >>> 14)) >>> 0) / 2147483648 - 1;
    };
}

function randomState(kinematics, random) {
    const q = kinematics.neutral.map(() => 1.5 * random());
    for (const { elastic } of kinematics.model.links) {
        for (let k = 0; k < (elastic?.count ?? 0); k++) q[elastic.q + k] *= 0.05;
    }
    for (const at of kinematics.quaternions) {
        const length = Math.hypot(...q.subarray(at, at + 4));
        for (let k = 0; k < 4; k++) q[at + k] /= length;
    }
    return q;
}

function poseOf(kinematics, name) {
    const { links, frames } = kinematics.model;
    const link = links.findIndex((candidate) => candidate.name === name);
    if (link >= 0) return kinematics.links[link];
    const frame = frames.find((candidate) => candidate.name === name);
    return kinematics.place(frame.link, frame, frame.bend);
}

/* Every frame of small models; of large ones every third link. */
function namesOf({ links, frames }) {
    const step = links.length > 20 ? 3 : 1;
    return [...links.filter((_, i) => i % step === 0 || i === links.length - 1), ...frames].map(({ name }) => name);
}

for (const model of MODELS) {
    test(`${model}: poses are the engine's (seed ${SEED})`, { skip: missing || false }, () => {
        const document = documentOf(command, model);
        const kinematics = new Kinematics(document.recordings[0].model);
        const random = makeRandom(SEED);
        const states = Array.from({ length: STATES }, () => randomState(kinematics, random));
        const size = Math.max(kinematics.model.size, 1);
        for (const name of namesOf(kinematics.model)) {
            framePoses(command, model, name, states).forEach(({ position, rotation }, i) => {
                kinematics.poses(states[i]);
                const { p, R } = poseOf(kinematics, name);
                /* links multiply rounding errors, at most by their number; lengths of the robot scale those of places */
                const rounding = 2e-15 * (kinematics.links.length + 8);
                position.forEach((x, k) => assert.ok(Math.abs(x - p[k]) < 8 * rounding * size, `${name} p[${k}]: ${p[k]}, not ${x}`));
                rotation.flat().forEach((x, k) => assert.ok(Math.abs(x - R[k]) < 8 * rounding, `${name} R[${k}]: ${R[k]}, not ${x}`));
            });
        }
    });
}
