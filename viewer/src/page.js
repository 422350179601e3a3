// The page: its parts, put together around one store.

import { h, iconButton } from "./look/dom.js";
import { HELP, MOON } from "./look/icons.js";
import { listenToKeys } from "./look/keyboard.js";
import { Banner } from "./look/message.js";
import { startTheme } from "./look/theme.js";
import { HeldNote } from "./controls/held_note.js";
import { helpDialog } from "./controls/help.js";
import { splitter } from "./controls/split.js";
import { StageTools } from "./controls/stage_tools.js";
import { Timeline } from "./controls/timeline.js";
import { Stream } from "./controls/stream.js";
import { Player } from "./player.js";
import { Scene } from "./scene/scene.js";
import { NoScene } from "./controls/no_scene.js";
import { Store } from "./store.js";
import { Contents } from "./tabs/contents.js";

export class Page {
    /** options: renew(), called when a served document has changed; left: what left() of the page before gave */
    constructor(data, { renew, left = {} }) {
        this.data = data;
        this.recordings = data.recordings;
        const span = this.span();
        const follow = data.kind === "live";
        this.store = new Store({ time: span[0], span, playing: false, speed: 1, loop: false, follow, theme: "light" });
        this.theme = startTheme(this.store);
        this.player = this.makePlayer();
        this.banner = new Banner();
        this.build(left);
        this.banner.tellAll("problems", data.problems);
        this.forget = listenToKeys(this.keys());
        if (left.time !== undefined) this.player.seek(left.time);
        if (left.tab) this.contents.tabs.show(left.tab);
        this.tellStatus(left.status ?? "");
        if (data.kind === "live") this.stream = new Stream(this, renew);
    }

    /** From the first time of any recording to the last of any. */
    span() {
        const spans = this.recordings.filter((r) => r.rows > 0).map((r) => r.span);
        return spans.length > 0 ? [Math.min(...spans.map((s) => s[0])), Math.max(...spans.map((s) => s[1]))] : [0, 0];
    }

    makePlayer() {
        return new Player(this.store, {
            rowTimes: () => this.recordings[0]?.time ?? [],
            now: () => performance.now(),
            later: (f) => requestAnimationFrame(f),
        });
    }

    build(left) {
        this.help = helpDialog();
        this.heldNote = new HeldNote();
        const seen = `The robot ${this.data.robot?.name ?? ""} in three dimensions`;
        this.stageBox = h("div", { class: "stage-box", role: "img", "aria-label": seen });
        this.main = h("main", { class: this.data.robot ? "" : "no-stage" });
        this.header = this.head();
        document.title = `${this.name} – Zveno`;
        document.body.append(this.header, this.banner.element, this.main, this.help);
        this.main.append(h("section", { class: "stage", "aria-label": "Replay" }, this.stageBox), splitter(this.main));
        this.scene = this.makeScene();
        this.stageTools();
        this.contents = new Contents(this, left.panes);
        this.board = this.contents.board;
        this.main.append(this.contents.element);
        this.store.set("restore", () => this.restore());
        this.store.on("time", () => this.showTime());
        this.showTime();
    }

    get name() {
        const [first, second] = this.recordings;
        if (second) return `${first.file} and ${second.file}`;
        return first ? first.title || first.file : (this.data.robot?.name ?? "Zveno");
    }

    head() {
        const file = this.recordings.length === 1 && this.recordings[0].title ? this.recordings[0].file : "";
        this.status = h("span", { class: "status", hidden: true });
        return h(
            "header",
            { class: "top" },
            h("h1", {}, this.name),
            h("span", { class: "hint file" }, file),
            this.status,
            iconButton(MOON, "Dark or light (D)", () => this.theme.toggle()),
            iconButton(HELP, "Keys and gestures (?)", () => this.help.showModal()),
        );
    }

    makeScene() {
        if (!this.data.robot) return new NoScene();
        try {
            return new Scene(this.stageBox, this.data, this.store);
        } catch (error) {
            this.stageBox.append(h("p", { class: "no-picture" }, `The picture cannot be drawn: ${error.message}`));
            return new NoScene();
        }
    }

    stageTools() {
        const stage = this.main.querySelector(".stage");
        if (this.data.robot && this.scene.works) {
            this.tools = new StageTools(this.scene, this.data.robot.name);
            stage.append(this.tools.element);
        }
        this.stageBox.after(this.heldNote.element);
        if (this.recordings.length === 0) return;
        const live = this.data.kind === "live";
        stage.append(new Timeline(this.store, this.player, this.recordings[0], live).element);
    }

    keys() {
        const { player, store } = this;
        const tab = (n) => [String(n), () => this.contents.tabs.show(n - 1)];
        return {
            ...Object.fromEntries([1, 2, 3, 4, 5, 6].map(tab)),
            " ": () => player.toggle(),
            ArrowLeft: () => player.step(-1),
            ArrowRight: () => player.step(1),
            "Shift+ArrowLeft": () => player.jump(-0.05),
            "Shift+ArrowRight": () => player.jump(0.05),
            Home: () => player.home(),
            End: () => player.end(),
            "+": () => player.faster(1),
            "=": () => player.faster(1),
            "-": () => player.faster(-1),
            l: () => store.set("loop", !store.get("loop")),
            f: () => this.scene.view("fit"),
            v: () => this.tools?.nextView(),
            t: () => this.tools?.toggleTrails(),
            d: () => this.theme.toggle(),
            "?": () => this.help.showModal(),
        };
    }

    /** The picture as it was before a mode was shown. */
    restore() {
        if (this.contents.joints) this.scene.setState(this.contents.joints.q);
        else this.showTime();
    }

    showTime() {
        this.scene.setTime(this.store.get("time"));
        this.heldNote.tell(this.recordings, this.scene);
    }

    setTime(t) {
        this.player.pause();
        this.player.seek(t);
    }

    setCoordinate(label, value) {
        if (!this.contents.joints) throw new Error("only a model without a recording has sliders");
        return this.contents.joints.setCoordinate(label, value);
    }

    columns() {
        return this.recordings[0]?.columns.map((column) => column.name) ?? [];
    }

    /** A word about a live run, beside the title. */
    tellStatus(text) {
        this.status.hidden = !text;
        this.status.textContent = text;
    }

    left() {
        return {
            status: this.status.textContent,
            time: this.store.get("time"),
            tab: this.contents.tabs.now,
            panes: this.board?.choice(),
        };
    }

    dispose() {
        this.forget();
        this.stream?.close();
        this.player.pause();
        this.board?.dispose();
        this.scene.dispose();
        for (const element of [this.header, this.banner.element, this.main, this.help]) element.remove();
    }
}
