// Bundles the page into one HTML text and writes it as C for the command to carry.
// usage: node build.mjs [--html FILE] [--c FILE]
import { readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

function option(name) {
    const at = process.argv.indexOf(name);
    return at < 0 ? null : process.argv[at + 1];
}

/** One output file of a bundle of `entry`, as text. */
async function bundle(entry) {
    const result = await build({
        entryPoints: [join(here, entry)],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: ["es2020"],
        charset: "utf8",
        legalComments: "none",
        loader: { ".svg": "text" },
        logLevel: "warning",
    });
    return result.outputFiles[0].text;
}

const sha256 = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Text that may stand inside <script> or <style>: nothing in it closes the element. */
const closed = (text, element) => text.replaceAll(`</${element}`, `<\\/${element}`);

/** What may run and be fetched: the script below and nothing else; the page's own address when it is served. */
function policy(script) {
    return [
        "default-src 'none'",
        `script-src ${sha256(script)}`,
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ].join("; ");
}

/** The licences of what is bundled must travel with it. */
function licences() {
    return ["three", "uplot"]
        .map((name) => {
            const version = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"))).version;
            return `${name} ${version}\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`;
        })
        .join("\n\n")
        .replaceAll("--", "- -");
}

async function page() {
    const script = closed(await bundle("src/main.js"), "script");
    const style = closed(await bundle("src/look/page.css"), "style");
    const fill = {
        "<!--policy-->": `<meta http-equiv="Content-Security-Policy" content="${policy(script)}">`,
        "<!--style-->": `<style>${style}</style>`,
        "<!--script-->": `<script>${script}</script>`,
        "<!--licences-->": `<!--\n${licences()}\n-->`,
    };
    let html = readFileSync(join(here, "index.html"), "utf8");
    for (const [mark, text] of Object.entries(fill)) {
        if (html.split(mark).length !== 2) throw new Error(`index.html must have ${mark} once`);
        html = html.replace(mark, () => text);
    }
    return html;
}

/** Bytes as the array of page/bundle.h. */
function asC(html) {
    const bytes = Buffer.from(html, "utf8");
    const lines = [];
    for (let i = 0; i < bytes.length; i += 32) lines.push([...bytes.subarray(i, i + 32)].join(","));
    return `#include "page/bundle.h"
const size_t page_bundle_size = ${bytes.length};
const unsigned char page_bundle[] = {
${lines.join(",\n")}
};
`;
}

const html = await page();
if (option("--html")) writeFileSync(option("--html"), html);
if (option("--c")) writeFileSync(option("--c"), asC(html));
if (!option("--c")) console.log(`${(html.length / 1024).toFixed(0)} KiB`);
