// A live run in the page: rows reach the parts a few times a second, and its end is told.

import { Live } from "../live.js";

const EVERY = 50; // ms

export class Stream {
    constructor(page, renew) {
        this.page = page;
        this.renew = renew;
        page.tellStatus("running");
        page.store.on("follow", (on) => on && this.toEnd());
        this.live = new Live(page.recordings[0], () => new EventSource("rows"), {
            connected: () => page.banner.tell("live", ""),
            grown: () => this.grown(),
            ended: (ending, more) => this.ended(ending, more),
            failed: (text) => page.banner.tell("live", text, "error"),
        });
    }

    grown() {
        this.timer ??= setTimeout(() => this.spread(), EVERY);
    }

    spread() {
        this.timer = null;
        const { store, scene, board } = this.page;
        scene.grown();
        board?.grown();
        store.set("span", this.page.span());
        if (store.get("follow")) this.toEnd();
    }

    toEnd() {
        this.page.store.set({ playing: false, time: this.page.store.get("span")[1] });
    }

    async ended(ending, more) {
        clearTimeout(this.timer);
        this.spread();
        this.page.tellStatus(ending ? `ended: ${ending}` : "ended");
        if (!more) return;
        try {
            await this.renew();
        } catch (error) {
            this.page.banner.tell("live", `The whole recording cannot be fetched: ${error.message}`, "error");
        }
    }

    close() {
        clearTimeout(this.timer);
        this.live.close();
    }
}
