// The bar of tabs and what each shows. A tab is built when first shown.

import { button, h } from "../look/dom.js";

export class Tabs {
    /** tabs: [{name, build() -> element, left?()}] */
    constructor(tabs) {
        this.tabs = tabs.map((tab, i) => ({ ...tab, id: `tab-${i + 1}` }));
        this.bar = h("div", { class: "tabs", role: "tablist", "aria-label": "What is shown" });
        this.body = h("div", { class: "tab-bodies" });
        for (const tab of this.tabs) this.place(tab);
        this.bar.addEventListener("keydown", (event) => this.key(event));
        this.element = h("section", { class: "panel", "aria-label": "Data" }, this.bar, this.body);
        if (this.tabs.length > 0) this.show(0);
    }

    place(tab) {
        const id = `${tab.id}-body`;
        const state = { role: "tab", id: tab.id, "aria-controls": id, "aria-selected": "false", tabindex: -1 };
        tab.button = button(null, () => this.show(this.tabs.indexOf(tab)), tab.name, null, state);
        tab.body = h("div", { role: "tabpanel", id, "aria-labelledby": tab.id, class: "tab-body", hidden: true });
        this.bar.append(tab.button);
        this.body.append(tab.body);
    }

    show(i) {
        const chosen = this.tabs[i];
        if (!chosen) return;
        if (this.now !== i) this.tabs[this.now]?.left?.();
        this.now = i;
        for (const tab of this.tabs) {
            const on = tab === chosen;
            tab.button.setAttribute("aria-selected", String(on));
            tab.button.tabIndex = on ? 0 : -1;
            tab.body.hidden = !on;
        }
        if (!chosen.built) {
            chosen.built = true;
            chosen.body.append(chosen.build());
        }
    }

    key(event) {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        const n = this.tabs.length;
        this.show((this.now + by + n) % n);
        this.tabs[this.now].button.focus();
        event.preventDefault();
        event.stopPropagation();
    }
}
