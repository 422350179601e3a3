/* The command as an oracle: models as pages carry them, and poses of frames. */
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/* The command that ZVENO names, else the one in the usual folder of builds; null when there is none. */
export function findCommand() {
    const path = process.env.ZVENO || join(ROOT, "build/zveno");
    try {
        accessSync(path, constants.X_OK);
        return path;
    } catch {
        return null;
    }
}

export const run = (command, args, input) =>
    execFileSync(command, args, { input, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });

/* Why pages cannot be written: "" when they can. Builds without Node carry no page. */
export function whyNoPages(command) {
    if (!command) return "no zveno to ask: set ZVENO to its path";
    try {
        run(command, ["report", "--help"]);
    } catch {
        return "this zveno has no report";
    }
    return "";
}

/* The document of the page that `zveno report` writes of a short run of a model. */
export function documentOf(command, model) {
    const folder = mkdtempSync(join(tmpdir(), "zveno viewer "));
    try {
        const [scenario, recording, page] = ["run.yaml", "run.h5", "run.html"].map((name) => join(folder, name));
        const path = JSON.stringify(join(ROOT, "models", model));
        writeFileSync(scenario, `zveno_scenario: 1\nmodel: ${path}\nduration: 1e-3\noutput: {rate: 1000, channels: [q, v]}\n`);
        run(command, ["simulate", scenario, "-o", recording]);
        run(command, ["report", recording, "-o", page]);
        const found = /<script type="application\/json" id="document">(.*?)<\/script>/s.exec(readFileSync(page, "utf8"));
        return JSON.parse(found[1]);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/* Poses {position, rotation} of a frame at each of the states. */
export function framePoses(command, model, frame, states) {
    const args = ["frame", join(ROOT, "models", model), "--frame", frame, "--state", "-", "--json"];
    return JSON.parse(run(command, args, JSON.stringify(states.map((q) => ({ q: Array.from(q) })))));
}
