// What can be drawn besides the robot: modes, trails, arrows, deformation larger than life.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { changed, frames, openFile, startBrowser, zveno } from "./browser.js";
import { report, rowsOf, simulate } from "./recordings.js";

const [SAME, OTHER] = [20, 100]; // points of a picture: what edges may do, what something drawn does

let browser, where, html, recording;
before(async () => {
    browser = await startBrowser();
    where = mkdtempSync(join(tmpdir(), "zveno page "));
    recording = simulate(where, "bend", "flexible_arm.yaml", `duration: 2
drives: [{name: move, type: motion, joints: all, law: {type: cycloidal, to: [90 deg, 45 deg, 45 deg, 90 deg], duration: 2}}]
integrator: {method: newmark, step: 0.05}
output: {rate: 20, channels: [q, "pose p", reactions]}
`);
    const modes = join(where, "modes.json");
    writeFileSync(modes, zveno(["modes", "models/flexible_arm.yaml", "--json"]));
    html = report(where, [recording], ["--modes", modes]).html;
});
after(async () => {
    await browser.close();
    rmSync(where, { recursive: true, force: true });
});

/** The report at a time; tip(): where it is drawn; picture(): of the canvas at rest, nothing over it. */
async function openAt(t, time) {
    const { page, said, close } = await openFile(browser, html);
    t.after(close);
    await page.evaluate((at) => window.zveno.setTime(at), time);
    const tip = () => page.evaluate(() => window.zveno.pose("p").p);
    const menu = (open) => page.evaluate((on) => (document.querySelector(".drop").open = on), open);
    const picture = async () => {
        await menu(false);
        await frames(page, 2);
        await page.waitForFunction(() => window.zveno.atRest()); // it is drawn once more, finely
        const shot = (await page.locator("canvas").first().screenshot()).toString("base64");
        await menu(true);
        return shot;
    };
    await menu(true);
    return { page, said, tip, picture };
}

const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

test("a mode moves the tip until it is stopped, its tab is left or a time is sought", async (t) => {
    const { page, said, tip } = await openAt(t, 0);
    const rest = await tip();
    const tab = (name) => page.getByRole("tab", { name }).click();
    const mode = () => page.getByRole("button", { name: "Show mode 1", exact: true }).click();
    const moves = async () => {
        const [before] = [await tip(), await frames(page, 3)];
        return apart(before, await tip());
    };
    await tab("Modes");
    const stops = { press: mode, leave: () => tab("Plots"), seek: () => page.keyboard.press("Home") };
    for (const [name, stop] of Object.entries(stops)) {
        await tab("Modes");
        await mode();
        while (apart(await tip(), rest) < 0.01) await frames(page, 1); // the mode moves the tip
        await stop();
        assert.ok((await moves()) === 0, `${name}: the mode goes on`);
        assert.deepEqual(await tip(), rest, name);
        assert.equal(await page.locator(".modes [aria-pressed=true]").count(), 0);
    }
    assert.deepEqual(said, []);
});

test("trails and arrows are drawn, and gone when they are taken away", async (t) => {
    const { page, said, picture } = await openAt(t, 1);
    const plain = await picture();
    const change = async (from = plain) => changed(page, from, await picture());
    assert.ok((await change()) < SAME);
    await page.keyboard.press("t");
    assert.ok((await change()) > OTHER);
    await page.keyboard.press("t");
    assert.ok((await change()) < SAME);

    const kind = page.getByLabel("Arrows in joints"), scale = page.getByLabel("Lengths");
    const seen = [plain];
    for (const [what, how] of [["forces", "log"], ["forces", "linear"], ["both", "linear"]]) {
        await kind.selectOption(what);
        await scale.selectOption(how);
        const shot = await picture();
        for (const other of seen) assert.ok((await changed(page, other, shot)) > OTHER, `${what}, ${how}: nothing changes`);
        seen.push(shot);
        assert.match(await page.locator(".arrow-meaning").innerText(), what === "both" ? /N m; half/ : /largest of the recording, [\d.]+ N;/);
    }
    await kind.selectOption("none");
    assert.ok((await change()) < SAME);
    assert.deepEqual(said, []);
});

test("deformation is exaggerated, and true at 1", async (t) => {
    const { page, said, tip, picture } = await openAt(t, 1);
    const rows = rowsOf(recording, "pose p", 0.5), row = rows.time.findIndex((time) => Math.abs(time - 1) < 1e-9);
    const wanted = ["x", "y", "z"].map((part) => rows[`pose p.${part}`][row]);
    const [plain, place] = [await picture(), await tip()];
    assert.ok(apart(place, wanted) < 1e-9);
    const slider = page.getByLabel("Exaggeration of deformation");
    await slider.fill("1.5");
    assert.ok(apart(await tip(), wanted) > 1e-6);
    assert.ok((await changed(page, plain, await picture())) > OTHER);
    await slider.fill("0");
    assert.deepEqual(await tip(), place);
    assert.ok((await changed(page, plain, await picture())) < SAME);
    assert.deepEqual(said, []);
});
