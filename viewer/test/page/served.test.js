// zveno view: sliders move links, the engine closes loops, a running simulation streams.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { canvasColours, folder, openAddress, root, startBrowser, startView, zveno } from "./browser.js";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser.close());

/** What the command answers about a state. */
function answer(args, state) {
    return JSON.parse(zveno([...args, "--state", "-", "--json"], { input: JSON.stringify(state) }));
}

/** Opens what zveno view serves. */
async function view(t, args) {
    const server = await startView(args);
    const opened = await openAddress(browser, server.url);
    t.after(async () => {
        await opened.close();
        assert.equal(await server.stop(), 0);
    });
    return opened;
}

test("sliders move the links of a model", async (t) => {
    const robot = "models/puma560.yaml";
    const { page, said } = await view(t, [robot]);
    const info = JSON.parse(zveno(["info", robot, "--json"]));
    const q = [0.3, -0.5, 0.4, 0.2, 0.6, -0.1];
    assert.ok((await page.getByRole("slider").count()) >= q.length);
    for (const joint of info.joints)
        await page.evaluate(([name, value]) => window.zveno.setCoordinate(name, value), [joint.name, q[joint.q_index]]);
    for (const frame of info.frames) {
        const wanted = answer(["frame", robot, "--frame", frame], { q });
        const drawn = await page.evaluate((name) => window.zveno.pose(name), frame);
        wanted.position.forEach((x, i) => assert.ok(Math.abs(x - drawn.p[i]) < 1e-12, frame));
        wanted.rotation.flat().forEach((x, i) => assert.ok(Math.abs(x - drawn.R[i]) < 1e-12, frame));
    }
    assert.deepEqual(said, []);
});

test("a slider with the mouse", async (t) => {
    const robot = "models/two_link.yaml";
    const { page } = await view(t, [robot]);
    const slider = page.locator(".joint input[type=range]").first();
    const { x, y, width, height } = await slider.boundingBox();
    const [low, high] = await slider.evaluate((range) => [range.min, range.max].map((limit) => (Number(limit) * Math.PI) / 180));
    const [from, to] = [0.5, 0.8].map((part) => x + part * width);
    await page.mouse.move(from, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(to, y + height / 2, { steps: 5 });
    await page.mouse.up();
    const q = await page.evaluate(() => window.zveno.state());
    // the thumb's middle travels less than the whole width
    assert.ok(Math.abs(q[0] - (low + 0.8 * (high - low))) < 0.05 * (high - low), `${q[0]} of ${low} to ${high}`);
    const wanted = answer(["frame", robot, "--frame", "link2"], { q });
    const drawn = await page.evaluate(() => window.zveno.pose("link2"));
    wanted.position.forEach((value, i) => assert.ok(Math.abs(value - drawn.p[i]) < 1e-12));
    assert.ok((await canvasColours(page)) > 50);
});

test("loops are closed by the engine", async (t) => {
    const robot = "models/five_bar.yaml";
    const { page, said } = await view(t, [robot]);
    const wanted = (await page.evaluate(() => [...window.zveno.state()]))[0] + 0.2;
    await page.evaluate((value) => window.zveno.setCoordinate("motor1", value), wanted);
    await page.waitForFunction((value) => window.zveno.state()[0] === value, wanted);
    // the answer of the engine comes after the coordinate: then the engine itself has nothing left to move
    const apart = (q) => {
        const closed = answer(["assemble", robot, "--hold", "motor1"], { q }).q;
        return Math.max(...q.map((x, i) => Math.abs(x - closed[i])));
    };
    let q = [];
    do q = await page.evaluate(() => [...window.zveno.state()]);
    while (!(apart(q) < 1e-7));
    assert.equal(q[0], wanted);
    assert.deepEqual(said, []);
});

test("loops that cannot be closed: the nearest position and its gap", async (t) => {
    const robot = "models/delta.yaml";
    const { page, said } = await view(t, [robot]);
    const state = () => page.evaluate(() => [...window.zveno.state()]);
    const move = (label, value) => page.evaluate(([name, x]) => window.zveno.setCoordinate(name, x), [label, value]);
    await move("place.z", -0.5);
    const note = page.locator(".joints .note");
    assert.equal(await note.innerText(), "");
    const before = await state();
    await move("place.z", -2); // farther down than rods and arms reach
    assert.match(await note.innerText(), /cannot close: nearest gap/);
    const q = await state();
    assert.equal(q[5], -2);
    assert.notDeepEqual(q.slice(0, 3), before.slice(0, 3)); // the arms reach for it
    const shown = await page.locator(".joint input[type=number]").evaluateAll((boxes) => boxes.map((box) => Number(box.value)));
    assert.ok(Math.abs(shown[0] - (q[0] * 180) / Math.PI) < 1e-3 && shown[5] === -2, shown.join());
    await move("place.z", -0.5);
    assert.equal(await note.innerText(), "");
    (await state()).forEach((x, i) => assert.ok(Math.abs(x - before[i]) < 1e-6, `${x}, not ${before[i]}`));
    assert.deepEqual(said, []);
});

test("a simulation streams into the page while it runs", async (t) => {
    const where = folder(t);
    const scenario = join(where, "fall.yaml");
    writeFileSync(scenario, `zveno_scenario: 1\nmodel: ${JSON.stringify(join(root, "models/two_link.yaml"))}\nduration: 5\noutput: {rate: 100}\n`);
    const csv = join(where, "fall.csv");
    zveno(["simulate", scenario, "-o", csv, "--quiet"]);
    const rows = readFileSync(csv, "utf8").split("\n").filter((line) => /^[\d.]/.test(line)).map((line) => line.split(",").map(Number));
    const { page, said } = await view(t, [scenario]);
    await page.waitForFunction((count) => window.zveno.plotted(0)[0].length === count, rows.length);
    const q = await page.evaluate((time) => {
        window.zveno.setTime(time);
        return [...window.zveno.state()];
    }, rows[250][0]);
    q.forEach((x, i) => assert.ok(Math.abs(x - rows[250][1 + i]) < 1e-12));
    assert.deepEqual(said, []);
});
