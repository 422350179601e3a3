// Never a blank page: what cannot be shown is told.

import { button, h } from "./dom.js";

/** Instead of the page. */
export function showFailure(text) {
    document.body.querySelectorAll("main, header, .failure").forEach((element) => element.remove());
    document.body.append(
        h("main", { class: "failure", role: "alert" }, h("h1", {}, "This page cannot be shown"), h("p", {}, text)),
    );
}

/** Texts above the page that can be put away. */
export class Banner {
    constructor() {
        this.element = h("div", { class: "banners", role: "status", "aria-live": "polite" });
        this.shown = new Map();
    }

    /** key: a later text of the same key takes its place; an empty text takes it away. */
    tell(key, text, tone = "warning") {
        this.shown.get(key)?.remove();
        this.shown.delete(key);
        if (!text) return;
        const close = button("quiet", () => this.tell(key, ""), "Close", "Close this message");
        const strip = h("div", { class: `banner ${tone}` }, h("p", {}, text), close);
        this.shown.set(key, strip);
        this.element.append(strip);
    }

    /** Several texts: the first, and the others on demand. */
    tellAll(key, texts) {
        if (texts.length < 2) return this.tell(key, texts[0] ?? "");
        this.tell(key, `${texts.length} problems`);
        const list = h("details", {}, h("summary", {}, `${texts.length} things to know about this page`),
            h("ul", {}, texts.map((text) => h("li", {}, text))));
        this.shown.get(key).querySelector("p").replaceWith(list);
    }
}

/** Errors that nobody caught: the first is told, the page goes on. */
export function watchErrors(tell) {
    addEventListener("error", (event) => {
        // Chromium tells this of resize observers that are late by a picture; nothing is wrong.
        if (String(event.message).includes("ResizeObserver")) return;
        tell(`Something went wrong in this page: ${event.message}`);
    });
    addEventListener("unhandledrejection", (event) => {
        tell(`Something went wrong in this page: ${event.reason?.message ?? event.reason}`);
    });
}
