// Which tabs a document has.

import { h } from "../look/dom.js";
import { Board } from "../plots/board.js";
import { comparisonTab } from "./comparison.js";
import { JointsTab } from "./joints.js";
import { ledgerTab } from "./ledger.js";
import { ModesTab } from "./modes.js";
import { summaryTab } from "./summary.js";
import { Tabs } from "./tabs.js";

export class Contents {
    /** page: what it shows and how; panes: of plots, to begin with, instead of those that seem best */
    constructor({ data, recordings, scene, store, player }, panes) {
        const [first, second] = recordings;
        const live = data.kind === "live";
        const tabs = [];
        const add = (name, build, left) => tabs.push({ name, build, left });
        if (first) add("Plots", () => this.plots(recordings, store, player, live, panes));
        if (data.kind === "model" && data.model) this.addSliders(add, data.model, scene, store);
        add("Summary", () => summaryTab(data, player));
        if (recordings.some((r) => r.ledger)) add("Ledger", () => ledgerTab(recordings, store, player));
        const modes = data.modes && scene.works ? new ModesTab(data, scene, store) : null;
        if (modes) add("Modes", () => modes.build(), () => modes.stop());
        if (second && data.comparison) add("Compare", () => comparisonTab(data.comparison, recordings, player));
        this.tabs = new Tabs(tabs);
        this.element = this.tabs.element;
    }

    plots(recordings, store, player, live, panes) {
        if (recordings.every((r) => r.rows === 0) && !live)
            return h("p", { class: "hint empty" }, "This recording has no rows: there is nothing to plot.");
        this.board = new Board(recordings, store, player, { panes });
        return this.board.element;
    }

    addSliders(add, model, scene, store) {
        this.joints = new JointsTab(model, scene, store, location.protocol.startsWith("http"));
        add("Joints", () => this.joints.build());
    }
}
