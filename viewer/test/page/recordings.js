// Recordings for the tests: simulated by the command, or written as CSV by hand.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root, zveno } from "./browser.js";

/** Simulates a scenario given as text; returns the recording. `model` lies in models/ or is a whole path. */
export function simulate(where, name, model, text) {
    const scenario = join(where, `${name}.yaml`);
    const recording = join(where, `${name}.h5`);
    writeFileSync(scenario, `zveno_scenario: 1\nmodel: ${JSON.stringify(resolve(root, "models", model))}\n${text}`);
    zveno(["simulate", scenario, "-o", recording, "--quiet"]);
    return recording;
}

/** A report of recordings; returns its path and what the command printed about it. */
export function report(where, recordings, options = []) {
    const html = join(where, `report ${report.count++}.html`);
    const printed = JSON.parse(zveno(["report", ...recordings, "-o", html, "--json", ...options]));
    return { html, printed };
}
report.count = 0;

/** Rows of channels as the command prints them: an object of columns by name without unit, and time. */
export function rowsOf(recording, channels, every) {
    const shown = JSON.parse(zveno(["show", recording, "--channels", channels, "--every", String(every), "--json"]));
    const columns = { time: shown.rows.map((row) => row[0]) };
    const names = shown.columns.filter((name) => !/^time/.test(name));
    names.forEach((name, k) => (columns[name.replace(/ \[.*\]$/, "")] = shown.rows.map((row) => row[k + 1])));
    return columns;
}

/** A CSV table as others write it. */
export function table(where, name, lines) {
    const path = join(where, name);
    writeFileSync(path, lines.join("\n") + "\n");
    return path;
}

export const swing7 = `duration: 60
drives:
  - name: move
    type: motion
    joints: [joint1, joint2, joint3, joint4, joint5, joint6, joint7]
    law: {type: harmonic, amplitude: [0.5, 0.4, 0.5, 0.6, 0.7, 0.5, 1], hertz: 0.2, offset: [0, 0, 0, -1.5, 0, 1.5, 0]}
  - {name: grip, type: motion, joint: finger_left_joint, law: {type: harmonic, amplitude: 0.01, hertz: 0.5, offset: 0.02}}
integrator: {method: rk4, step: 0.01}
output: {rate: 60, channels: [q, v, tau, energy, pose tcp]}
`;
