// Recordings that are not as one would like them: a page or a message, never a blank screen.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync, truncateSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { canvasColours, folder, openFile, root, startBrowser, zveno, zvenoPath } from "./browser.js";
import { report, rowsOf, simulate, table } from "./recordings.js";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser.close());

/** Opens a report and returns the text a reader sees. */
async function read(t, where, recordings, options) {
    const made = report(where, recordings, options);
    const opened = await openFile(browser, made.html);
    t.after(opened.close);
    return { ...made, ...opened, text: await opened.page.locator("body").innerText() };
}

test("numbers that are not finite leave gaps", async (t) => {
    const where = folder(t);
    const path = table(where, "gaps.csv", ["time [s],x [m],y [N]", "0,1,nan", "1,nan,inf", "2,3,-inf", "3,4,5"]);
    const { page, said, text } = await read(t, where, [path]);
    assert.ok(text.length > 100);
    const lines = await page.evaluate(() => window.zveno.plotted(0).map((line) => [...line]));
    assert.equal(lines[0].length, 4);
    assert.ok(lines.slice(1).flat().some((value) => value === null || Number.isNaN(value)));
    assert.deepEqual(said, []);
});

test("a robot whose positions become NaN stays where it was last", async (t) => {
    const where = folder(t);
    const good = simulate(where, "good", "two_link.yaml", "duration: 0.1\noutput: {rate: 100, channels: [q]}\n");
    const csv = join(where, "good.csv");
    zveno(["convert", good, "-o", csv]);
    const lines = readFileSync(csv, "utf8").trimEnd().split("\n");
    const last = lines.length - 1;
    for (let i = last - 3; i <= last; i++) lines[i] = lines[i].replace(/,.*/, (rest) => rest.replace(/[^,]+/g, "nan"));
    writeFileSync(csv, lines.join("\n") + "\n");
    const { page, said } = await read(t, where, [csv]);
    const poses = await page.evaluate(() =>
        [0.06, 0.1].map((time) => {
            window.zveno.setTime(time);
            return [...window.zveno.pose("link2").p];
        }),
    );
    assert.match(await page.locator(".held").innerText(), /not finite at this time; the last finite ones/);
    await page.evaluate(() => window.zveno.setTime(0.05));
    assert.equal(await page.locator(".held").isVisible(), false);
    assert.ok(poses.flat().every(Number.isFinite), JSON.stringify(poses));
    assert.ok((await canvasColours(page)) > 50);
    assert.deepEqual(said, []);
});

test("time in another unit, and rows that are only numbered", async (t) => {
    const where = folder(t);
    for (const [name, lines, readout, heading] of [
        ["ms.csv", ["time [ms],x [m]", "0,1", "5,2", "10,4"], /^0\.0+ \/ 10\.0+ ms$/, "time [ms]"],
        ["rows.csv", ["x [m],y [m]", "5,1", "1,2", "7,4"], /^\S+ \/ \S+$/, "row"],
    ]) {
        const { page, said } = await read(t, where, [table(where, name, lines)]);
        assert.match(await page.locator(".readout").innerText(), readout);
        const button = page.getByRole("button", { name: /CSV/ }).first();
        const [saved] = await Promise.all([page.waitForEvent("download"), button.click()]);
        assert.equal(readFileSync(await saved.path(), "utf8").split(",")[0], heading);
        assert.deepEqual(said, []);
    }
});

test("the largest numbers there are have a line, too", async (t) => {
    const where = folder(t);
    const path = table(where, "huge.csv", ["time [s],x [m]", "0,-1.7e308", "1,1.7e308", "2,-1.7e308"]);
    const { page, said } = await read(t, where, [path]);
    const coloured = await page.locator(".chart canvas").first().evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
            const [low, high] = [Math.min, Math.max].map((f) => f(data[i], data[i + 1], data[i + 2]));
            if (data[i + 3] > 100 && high - low > 60) count++;
        }
        return count;
    });
    assert.ok(coloured > 300, `${coloured} points of the line`);
    const [, y] = await page.evaluate(() => window.zveno.plotted(0));
    assert.ok(y.every((value) => Math.abs(Math.abs(value) / 1.7e308 - 1) < 1e-15), y.join());
    assert.deepEqual(said, []);
});

test("a first recording without a model: the robot is that of the second", async (t) => {
    const where = folder(t);
    const bare = table(where, "bare.csv", ["time [s],x [m]", "0,1", "0.1,2"]);
    const good = simulate(where, "good", "two_link.yaml", "duration: 0.1\noutput: {rate: 100, channels: [q, pose link2]}\n");
    const { page, said } = await read(t, where, [bare, good]);
    assert.ok((await canvasColours(page)) > 50);
    const [bareless, drawn] = await page.evaluate(() => {
        window.zveno.setTime(0.1);
        return [window.zveno.pose("link2", 0), window.zveno.pose("link2", 1)];
    });
    assert.equal(bareless, null);
    const rows = rowsOf(good, "pose link2", 0.1);
    ["x", "y", "z"].forEach((part, k) => assert.ok(Math.abs(rows[`pose link2.${part}`].at(-1) - drawn.p[k]) < 1e-9));
    assert.deepEqual(said, []);
});

for (const rows of [0, 1])
    test(`a recording of ${rows} rows`, async (t) => {
        const where = folder(t);
        const good = simulate(where, "short", "two_link.yaml", "duration: 0.1\noutput: {rate: 100}\n");
        const csv = join(where, "short.csv");
        zveno(["convert", good, "-o", csv]);
        const lines = readFileSync(csv, "utf8").trimEnd().split("\n");
        const head = lines.findIndex((line) => !line.startsWith("#")) + 1;
        const kept = lines.slice(0, head + rows).map((line) => line.replace(/^# rows .*/, `# rows ${rows}`));
        writeFileSync(csv, kept.join("\n") + "\n");
        const { said, text, page } = await read(t, where, [csv]);
        assert.ok(text.length > 100);
        assert.ok((await canvasColours(page)) > 50);
        if (rows === 0) assert.match(text, /no rows/i);
        assert.deepEqual(said, []);
    });

test("a million rows are thinned, and the page says so", async (t) => {
    const where = folder(t);
    const lines = ["time [s],x [m]"];
    for (let i = 0; i < 1000000; i++) lines.push(`${i / 1000},${Math.sin(i / 5000).toFixed(6)}`);
    const path = table(where, "long.csv", lines);
    const { html, text, said, page } = await read(t, where, [path]);
    assert.match(text, /1000000/);
    assert.ok(statSync(html).size < 5e6);
    const [x] = await page.evaluate(() => window.zveno.plotted(0).map((line) => [...line]));
    assert.ok(x.length > 1000 && x.length < 100000);
    assert.equal(x[0], 0);
    assert.ok(Math.abs(x.at(-1) - 999.999) < 1);
    assert.deepEqual(said, []);
});

test("names of all alphabets are shown as they are", async (t) => {
    const where = folder(t);
    const path = table(where, "звено 机器人.csv", ["time [s],угол колена [рад],Größe 🤖 [m]", "0,1,2", "1,2,3", "2,4,5"]);
    const { text, said, page } = await read(t, where, [path]);
    const columns = (await page.evaluate(() => window.zveno.columns())).join(" ");
    assert.match(columns, /угол колена/);
    assert.match(columns, /Größe 🤖/);
    assert.match(text, /звено 机器人/);
    assert.deepEqual(said, []);
});

test("text of files is never executed", async (t) => {
    const where = folder(t);
    const evil = `<img src=x onerror="window.hacked=1"></script><script>window.hacked=2</script>`;
    const model = join(where, "evil.yaml");
    writeFileSync(model, `zveno: 1
name: ${JSON.stringify(evil)}
links:
  - {name: ${JSON.stringify("base" + evil)}}
  - {name: ${JSON.stringify("arm" + evil)}, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: ${JSON.stringify("j" + evil)}, type: revolute, axis: [0, 1, 0], parent: ${JSON.stringify("base" + evil)}, child: ${JSON.stringify("arm" + evil)}}
`);
    const scenario = join(where, "evil scenario.yaml");
    writeFileSync(scenario, `zveno_scenario: 1
title: ${JSON.stringify(evil)}
model: ${JSON.stringify(model)}
duration: 0.2
events: [{name: ${JSON.stringify(evil)}, type: threshold, channel: ${JSON.stringify(`q.j${evil}`)}, value: 0.01, action: record}]
`);
    const recording = join(where, "evil.h5");
    execFileSync(zvenoPath, ["simulate", scenario, "-o", recording, "--quiet"], { cwd: root });
    const { page, said, text } = await read(t, where, [recording, recording]);
    for (const tab of await page.getByRole("tab").all()) await tab.click();
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("img[src=x]").count(), 0);
    assert.ok(text.includes("<img src=x"), "the name is shown as text");
    assert.deepEqual(said, []);
});

test("a truncated recording gets a message and no page", async (t) => {
    const where = folder(t);
    const good = simulate(where, "cut", "two_link.yaml", "duration: 1\n");
    truncateSync(good, Math.floor(statSync(good).size / 2));
    assert.throws(() => report(where, [good]), (error) => error.status === 1 && /cut\.h5/.test(error.stderr));
});
