// Two recordings in one page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { folder, openFile, startBrowser } from "./browser.js";
import { report, rowsOf, simulate } from "./recordings.js";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser.close());

test("differences of two runs are measured and drawn", async (t) => {
    const where = folder(t);
    const text = (q) => `duration: 2\ninitial: {q: [${q}, 0]}\noutput: {rate: 100, channels: [q, energy]}\n`;
    const a = simulate(where, "a", "two_link.yaml", text(0.5));
    const b = simulate(where, "b", "two_link.yaml", text(0.6));
    const { html } = report(where, [a, b]);
    const { page, said, close } = await openFile(browser, html);
    await page.getByRole("tab", { name: /compar/i }).click();
    const names = await page.evaluate(() => window.zveno.columns());
    const column = names.find((name) => /^q\./.test(name));
    const [ours, theirs] = [a, b].map((recording) => rowsOf(recording, "q", 0.01)[column]);
    const largest = Math.max(...ours.map((x, i) => Math.abs(x - theirs[i])));
    const row = page.getByRole("row").filter({ hasText: column }).first();
    const numbers = (await row.innerText()).match(/[-−+]?\d+(\.\d+)?(e[-−+]?\d+)?/gi).map((word) => Number(word.replace("−", "-")));
    assert.ok(numbers.some((x) => Math.abs(x - largest) < 0.01 * largest), `${largest} is not in "${await row.innerText()}"`);
    const both = await page.evaluate(() => {
        window.zveno.setTime(1);
        return [0, 1].map((recording) => [...window.zveno.pose("link2", recording).p]);
    });
    assert.notDeepEqual(both[0], both[1]);
    assert.deepEqual(said, []);
    await close();
});
