// Figures of the page: size, time to the first frame, frames per second while playing, with software rendering.
// usage: node page.js (ZVENO: the command)
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFile, startBrowser } from "../page/browser.js";
import { report, simulate, swing7 } from "../page/recordings.js";

const where = mkdtempSync(join(tmpdir(), "zveno page "));
const browser = await startBrowser();

/** A chain of `count` bodies that swings. */
function chain(count) {
    const links = [...Array(count + 1).keys()];
    const path = join(where, `chain${count}.yaml`);
    writeFileSync(path, `zveno: 1
name: chain${count}
links:
${links.map((i) => `  - {name: l${i}, mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0.005, 0.005]}`).join("\n")}
joints:
${links.slice(1).map((i) => `  - {name: j${i}, type: revolute, axis: [0, ${i % 2}, ${(i + 1) % 2}], parent: l${i - 1}, child: l${i}, origin: {xyz: [0.2, 0, 0]}}`).join("\n")}
`);
    return path;
}

const best = (numbers) => Math.min(...numbers);

/** Opens a page several times; plays it for a while. */
async function measure(name, recording) {
    const { html } = report(where, [recording]);
    const first = [];
    let fps = 0;
    for (let i = 0; i < 5; i++) {
        const began = performance.now();
        const { page, close } = await openFile(browser, html, { viewport: { width: 1280, height: 720 } });
        first.push(performance.now() - began);
        await page.keyboard.press("Space");
        await page.waitForTimeout(2000);
        fps = Math.max(fps, await page.evaluate(() => window.zveno.fps()));
        await close();
    }
    console.log(`${name.padEnd(44)} ${(statSync(html).size / 1e6).toFixed(2).padStart(6)} MB ${best(first).toFixed(0).padStart(6)} ms ${fps.toFixed(0).padStart(5)} fps`);
}

console.log("1280 x 720, software rendering                     size  first frame  playing");
await measure("7-joint arm, 60 s at 60 Hz", simulate(where, "swing", "cobot7.yaml", swing7));
const free = "duration: 10\nintegrator: {method: rk4, step: 0.002}\noutput: {rate: 60, channels: [q, energy]}\n";
await measure("chain of 20 bodies, 10 s", simulate(where, "chain", chain(20), free));
await measure("humanoid of 50 joints, 10 s", simulate(where, "humanoid", "humanoid50.yaml", free));
await browser.close();
rmSync(where, { recursive: true, force: true });
