// A browser for the tests: Debian's Chromium by playwright-core, with software rendering and no network.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
export const zvenoPath = resolve(process.env.ZVENO ?? join(root, "build/zveno"));

const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
if (!found) throw new Error("these tests need Chromium (Debian: chromium), or its path in CHROMIUM");

/** A folder of its own for each test file, gone at the end. */
export function folder(t) {
    const path = mkdtempSync(join(tmpdir(), "zveno page "));
    t.after(() => rmSync(path, { recursive: true, force: true }));
    return path;
}

/** Runs the command and returns what it printed; throws with its words when it fails. */
export function zveno(args, options = {}) {
    return execFileSync(zvenoPath, args, { encoding: "utf8", cwd: root, maxBuffer: 1 << 28, ...options });
}

/** How long a test waits for what must come, ms: it does not depend on how fast a machine is. */
const patience = 600000;

export async function startBrowser() {
    return chromium.launch({
        executablePath: found,
        timeout: patience,
        args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
    });
}

/**
 * A page of a file with the network blocked. `said` collects what went wrong in it: errors, complaints of the console,
 * requests other than for the file itself.
 */
export async function openFile(browser, path, { viewport = { width: 1366, height: 768 }, ...context } = {}) {
    const tab = await browser.newContext({ viewport, offline: true, acceptDownloads: true, ...context });
    tab.setDefaultTimeout(patience);
    const page = await tab.newPage();
    const said = listen(page);
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) said.push(`asked for ${request.url()}`);
    });
    await page.goto(pathToFileURL(path).href);
    await page.evaluate(() => window.zveno.ready);
    return { page, said, close: () => tab.close() };
}

/** Until so many pictures could have been drawn. */
export function frames(page, count) {
    return page.evaluate(async (left) => {
        for (; left > 0; left--) await new Promise((done) => requestAnimationFrame(done));
    }, count);
}

function listen(page) {
    const said = [];
    page.on("pageerror", (error) => said.push(`error: ${error.stack ?? error}`));
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !/GPU stall|GroupMarker/.test(message.text()))
            said.push(`${message.type()}: ${message.text()}`);
    });
    return said;
}

/** zveno view, its address, and its end by Ctrl-C. */
export async function startView(args) {
    const process_ = spawn(zvenoPath, ["view", "--json", "--port", "0", ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const words = { out: "", err: "" };
    process_.stderr.on("data", (piece) => (words.err += piece));
    const ended = new Promise((resolve) => process_.on("exit", resolve));
    const url = await new Promise((resolve, reject) => {
        process_.stdout.on("data", (piece) => {
            words.out += piece;
            const match = /"url": *"([^"]+)"/.exec(words.out);
            if (match) resolve(match[1]);
        });
        ended.then((code) => reject(new Error(`zveno view ended with ${code}: ${words.err}`)));
    });
    return {
        url,
        stop: async () => {
            process_.kill("SIGINT");
            return ended;
        },
    };
}

export async function openAddress(browser, url, { viewport = { width: 1366, height: 768 } } = {}) {
    const tab = await browser.newContext({ viewport });
    tab.setDefaultTimeout(patience);
    const page = await tab.newPage();
    const said = listen(page);
    await page.goto(url);
    await page.evaluate(() => window.zveno.ready);
    return { page, said, close: () => tab.close() };
}

/** How many different colours a picture of the canvas has, and whether it is more than one. */
export async function canvasColours(page) {
    const png = (await page.locator("canvas").first().screenshot()).toString("base64");
    return page.evaluate(async (data) => {
        const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const paper = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        paper.drawImage(picture, 0, 0);
        const seen = new Set(new Uint32Array(paper.getImageData(0, 0, picture.width, picture.height).data.buffer));
        return seen.size;
    }, png);
}

/** How many points of two pictures are clearly different. */
export const changed = (page, ...pictures) =>
    page.evaluate(async (shots) => {
        const [a, b] = await Promise.all(shots.map(async (data) => {
            const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
            const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
            const paper = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
            paper.drawImage(picture, 0, 0);
            return paper.getImageData(0, 0, picture.width, picture.height).data;
        }));
        let count = 0;
        for (let i = 0; i < a.length; i += 4)
            if ([0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 40)) count++;
        return count;
    }, pictures);
