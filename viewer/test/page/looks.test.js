// Screens from laptop to phone, dark and light, keyboard, and names for those who listen.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { frames, openFile, startBrowser } from "./browser.js";
import { report, simulate } from "./recordings.js";

let browser, where, html;
before(async () => {
    browser = await startBrowser();
    where = mkdtempSync(join(tmpdir(), "zveno page "));
    html = report(where, [simulate(where, "chain", "humanoid50.yaml", `duration: 2
integrator: {method: rk4, step: 0.005}
output: {rate: 60, channels: [q, energy]}
`)]).html;
});
after(async () => {
    await browser.close();
    rmSync(where, { recursive: true, force: true });
});

for (const [name, width, height] of [["laptop", 1366, 768], ["tablet", 820, 1180], ["phone", 360, 740]])
    for (const colorScheme of ["dark", "light"])
        test(`${name}, ${colorScheme}`, async (t) => {
            const { page, said, close } = await openFile(browser, html, { viewport: { width, height }, colorScheme });
            t.after(close);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
            assert.ok(wide <= 0, `${wide} pixels wider than the screen`);
            const box = await page.locator("canvas").first().boundingBox();
            assert.ok(box.width > 0.3 * width && box.height > 0.2 * height, JSON.stringify(box));
            const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
            const bright = (paper[0] + paper[1] + paper[2]) / 3;
            assert.ok(colorScheme === "dark" ? bright < 90 : bright > 160, paper.join());
            assert.deepEqual(said, []);
        });

test("the keyboard plays, steps and helps", async (t) => {
    const { page, close } = await openFile(browser, html);
    t.after(close);
    const time = () => page.evaluate(() => window.zveno.time());
    await page.keyboard.press("Home");
    const start = await time();
    await page.keyboard.press("ArrowRight");
    assert.ok((await time()) > start);
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.waitForFunction((t0) => window.zveno.time() > t0 + 0.1, start);
    await page.keyboard.press("Space");
    const stopped = await time();
    await frames(page, 10);
    assert.equal(await time(), stopped);
    await page.keyboard.press("?");
    assert.ok(await page.getByRole("dialog").isVisible());
});

test("everything that can be pressed has a name", async (t) => {
    const { page, close } = await openFile(browser, html);
    t.after(close);
    const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, [role=tab], [role=slider]")]
            .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.title || e.labels?.length))
            .map((e) => e.outerHTML.slice(0, 100)),
    );
    assert.deepEqual(nameless, []);
});
