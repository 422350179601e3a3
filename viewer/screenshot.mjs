// A picture of a report, as docs/images/report.png is made:
//   node viewer/screenshot.mjs build/demo/flexible_arm.html docs/images/report.png 5.5
import { openFile, startBrowser } from "./test/page/browser.js";

const [report, png, time = "0", scheme = "light"] = process.argv.slice(2);
const browser = await startBrowser();
const { page } = await openFile(browser, report, { viewport: { width: 1280, height: 720 }, colorScheme: scheme });
await page.evaluate((t) => window.zveno.setTime(t), Number(time));
await page.keyboard.press("t"); /* the path of the tool */
await page.keyboard.press("f");
await page.waitForTimeout(1000); /* pictures at rest are drawn finely a moment later */
await page.screenshot({ path: png });
await browser.close();
