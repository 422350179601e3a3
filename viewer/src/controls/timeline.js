// The bar under the picture: play, step, scrub, speed, loop. Events are ticks above the slider.

import { button, h, icon, iconButton } from "../look/dom.js";
import { BACK, FORWARD, LOOP, PAUSE, PLAY } from "../look/icons.js";
import { decimalsFor, quantity } from "../look/numbers.js";
import { SPEEDS } from "../player.js";

const MOST_TICKS = 400;
const SHOWN_EVERY = 60; // ms

export class Timeline {
    /** recording: the first, whose events and unit of time are shown */
    constructor(store, player, { events, timeName, timeUnit }, live) {
        this.store = store;
        this.player = player;
        this.events = events;
        this.unit = timeUnit;
        this.playButton = iconButton(PLAY, "Play", () => player.toggle(), { class: "tool play" });
        const range = { type: "range", min: 0, max: 1, step: "any", value: 0 };
        this.slider = h("input", { ...range, class: "scrub", "aria-label": `Replay ${timeName}`, oninput: () => this.scrub() });
        this.ticks = h("div", { class: "ticks", "aria-hidden": "true" });
        this.readout = h("output", { class: "readout", "aria-live": "off" });
        this.follow = live ? this.switch("Follow", "Follow the simulation", "follow") : null;
        this.element = h(
            "div",
            { class: "timeline", role: "group", "aria-label": "Replay" },
            iconButton(BACK, "Back by a row", () => player.step(-1)),
            this.playButton,
            iconButton(FORWARD, "Forward by a row", () => player.step(1)),
            h("div", { class: "track" }, this.ticks, this.slider),
            this.readout,
            this.speeds(),
            this.switch(icon(LOOP), "Begin again at the end", "loop"),
            this.follow,
        );
        store.on(["time", "span", "playing"], () => this.showSoon());
        store.on("span", () => this.drawTicks());
        store.on("playing", (playing) => this.showPlaying(playing));
        this.drawTicks();
        this.show();
    }

    scrub() {
        const [start, end] = this.store.get("span");
        this.player.seek(start + Number(this.slider.value) * (end - start));
    }

    speeds() {
        const choices = SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`));
        const choose = () => this.store.set("speed", Number(select.value));
        const select = h("select", { "aria-label": "Speed", title: "Speed", onchange: choose }, choices);
        const show = (speed) => (select.value = String(speed));
        this.store.on("speed", show);
        show(this.store.get("speed"));
        return select;
    }

    switch(content, name, key) {
        const made = button("tool", () => this.store.set(key, !this.store.get(key)), content, name);
        const show = (on) => made.setAttribute("aria-pressed", String(on === true));
        this.store.on(key, show);
        show(this.store.get(key));
        return made;
    }

    /** The eye does not need it at every picture, and a machine without a graphics card feels it. */
    showSoon() {
        const now = performance.now();
        if (this.store.get("playing") && now - this.shown < SHOWN_EVERY) return;
        this.shown = now;
        this.show();
    }

    show() {
        const [start, end] = this.store.get("span");
        const t = this.store.get("time");
        const part = end > start ? (t - start) / (end - start) : 0;
        const decimals = decimalsFor(end - start);
        this.slider.value = String(part);
        this.slider.style.setProperty("--part", String(part));
        this.slider.disabled = !(end > start);
        this.slider.setAttribute("aria-valuetext", this.told(t.toFixed(decimals)));
        this.readout.textContent = quantity(`${t.toFixed(decimals)} / ${end.toFixed(decimals)}`, this.unit);
    }

    /** Voices read "s" as a letter. */
    told(number) {
        return quantity(number, this.unit === "s" ? "seconds" : this.unit);
    }

    showPlaying(playing) {
        const name = playing ? "Pause" : "Play";
        this.playButton.replaceChildren(icon(playing ? PAUSE : PLAY));
        this.playButton.setAttribute("aria-label", name);
        this.playButton.title = name;
    }

    drawTicks() {
        const [start, end] = this.store.get("span");
        const step = Math.max(1, Math.ceil(this.events.length / MOST_TICKS));
        const shown = this.events.filter((h, i) => i % step === 0 && h.t >= start && h.t <= end && end > start);
        this.ticks.replaceChildren(
            ...shown.map(({ t, name, text }) => {
                const tick = h("i", { title: `${quantity(t.toPrecision(6), this.unit)}: ${name} ${text}` });
                tick.style.left = `${(100 * (t - start)) / (end - start)}%`;
                return tick;
            }),
        );
    }
}
