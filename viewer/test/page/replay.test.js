// The report of a run: opens from disk without a network, shows the arm where the engine had it, plots what was recorded.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { canvasColours, folder, openFile, startBrowser } from "./browser.js";
import { report, rowsOf, simulate, swing7 } from "./recordings.js";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser.close());

/** Rotation matrix (row-major) of a quaternion x, y, z, w. */
function matrix([x, y, z, w]) {
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
        2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
    ];
}

const gap = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));

/** Scrubs through the recording and compares the frame as drawn with its recorded pose. */
async function comparePoses(page, recording, frame, every) {
    const names = ["x", "y", "z", "qx", "qy", "qz", "qw"].map((part) => `pose ${frame}.${part}`);
    const rows = rowsOf(recording, `pose ${frame}`, every);
    assert.ok(rows.time.length > 3);
    let largest = 0;
    for (let i = 0; i < rows.time.length; i++) {
        const drawn = await page.evaluate(([t, name]) => {
            window.zveno.setTime(t);
            return window.zveno.pose(name);
        }, [rows.time[i], frame]);
        const wanted = names.map((name) => rows[name][i]);
        largest = Math.max(largest, gap([...drawn.p], wanted.slice(0, 3)), gap([...drawn.R], matrix(wanted.slice(3))));
    }
    return largest;
}

test("a seven-joint arm, 60 s at 60 Hz", async (t) => {
    const where = folder(t);
    const recording = simulate(where, "swing", "cobot7.yaml", swing7);
    const { html } = report(where, [recording]);
    const bytes = statSync(html).size;
    assert.ok(bytes <= 5e6, `${bytes} bytes`);
    const { page, said, close } = await openFile(browser, html);

    await t.test("the canvas is not blank", async () => assert.ok((await canvasColours(page)) > 50));
    await t.test("poses are the recorded ones", async () => {
        // q has double precision in the page, the quaternions of the recording as well
        const largest = await comparePoses(page, recording, "tcp", 2.5);
        assert.ok(largest < 1e-9, `largest gap ${largest}`);
    });
    await t.test("plots show what was recorded", async () => {
        const columns = await page.evaluate(() => window.zveno.columns());
        assert.ok(columns.includes("q.joint1") && columns.includes("energy.gap"), columns.join(" "));
        // q is kept in doubles, tau in singles
        for (const [pane, channel, tolerance] of [[0, "q", 1e-15], [1, "tau", 2 ** -24]]) {
            const [x, ...y] = await page.evaluate((i) => window.zveno.plotted(i), pane);
            const names = await page.locator(".pane").nth(pane).locator(".legend .name").allInnerTexts();
            assert.ok(names.includes("joint1") && names.length === y.length, names.join());
            assert.equal(x.length, 3601);
            const rows = rowsOf(recording, channel, 2.5);
            assert.ok(rows.time.length > 20);
            names.forEach((name, k) => rows.time.forEach((time, i) => {
                const row = x.indexOf(time), wanted = rows[`${channel}.${name}`][i];
                assert.ok(Math.abs(y[k][row] - wanted) <= tolerance * Math.abs(wanted), `${channel}.${name} at ${time}`);
            }));
        }
    });
    await t.test("nothing was complained of, nothing asked for", () => assert.deepEqual(said, []));
    await close();
});

test("an elastic arm bends as the engine says", async (t) => {
    const where = folder(t);
    const recording = simulate(where, "bend", "flexible_arm.yaml", `duration: 5
drives: [{name: move, type: motion, joints: all, law: {type: cycloidal, to: [90 deg, 45 deg, 45 deg, 90 deg], duration: 4}}]
integrator: {method: newmark, step: 0.05}
output: {rate: 20, channels: [q, elastic, "deviation p", "pose p", tau, energy, reactions]}
`);
    const { html } = report(where, [recording]);
    const { page, said, close } = await openFile(browser, html);
    assert.ok((await comparePoses(page, recording, "p", 0.5)) < 1e-9);
    assert.deepEqual(said, []);
    await close();
});

test("closed loops and a spatial mechanism move as recorded", async (t) => {
    const where = folder(t);
    const recording = simulate(where, "delta", "delta.yaml", `duration: 2
initial: {guess: {place: [0, 0, -0.55, 0, 0, 0, 1]}}
drives:
  - name: move
    type: motion
    joints: [motor1, motor2, motor3]
    law:
      - {type: harmonic, offset: 20 deg, amplitude: 15 deg, hertz: 1}
      - {type: harmonic, offset: 7.00961894323342 deg, amplitude: 15 deg, hertz: 1, phase: 120 deg}
      - {type: harmonic, offset: 32.99038105676658 deg, amplitude: 15 deg, hertz: 1, phase: 240 deg}
integrator: {method: erk, rtol: 1e-9, atol: 1e-10}
output: {rate: 100, channels: [q, pose platform, pose arm1, pose arm3, residual, loop_reactions]}
`);
    const { html } = report(where, [recording]);
    const { page, said, close } = await openFile(browser, html);
    for (const link of ["platform", "arm1", "arm3"]) {
        const part = rowsOf(recording, `pose ${link}`, 0.2)[`pose ${link}.${link === "platform" ? "x" : "qy"}`];
        assert.ok(Math.max(...part) - Math.min(...part) > 0.02, `${link} should move`);
        const largest = await comparePoses(page, recording, link, 0.2);
        assert.ok(largest < 1e-9, `${link}: largest gap ${largest}`);
    }
    assert.ok((await canvasColours(page)) > 50);
    assert.deepEqual(said, []);
    await close();
});

test("a pane is exported as CSV and as PNG", async (t) => {
    const where = folder(t);
    const recording = simulate(where, "fall", "two_link.yaml", "duration: 1\noutput: {rate: 100}\n");
    const { html } = report(where, [recording]);
    const { page, close } = await openFile(browser, html);
    const saved = async (name) => {
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", { name }).first().click(),
        ]);
        return readFileSync(await download.path());
    };
    const csv = (await saved(/CSV/)).toString("utf8").trim().split("\n");
    assert.match(csv[0], /^time \[s\],/);
    assert.equal(csv.length, 102);
    const [x, y] = await page.evaluate(() => window.zveno.plotted(0).map((line) => [...line]));
    const row = csv[51].split(",").map(Number);
    assert.ok(Math.abs(row[0] - x[50]) < 1e-12 && Math.abs(row[1] - y[50]) <= 1e-6 * Math.abs(y[50]));
    const png = await saved(/PNG/);
    assert.deepEqual([...png.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));
    assert.ok(png.length > 3000);
    await close();
});
