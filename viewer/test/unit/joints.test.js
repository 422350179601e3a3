import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../src/store.js";
import { Closing } from "../../src/tabs/closing.js";
import { JointsTab } from "../../src/tabs/joints.js";
import { twoLinkModel } from "./fixture.js";

/** Sliders whose loops an engine closes that answers as it is told. */
function sliders(answers) {
    const asked = [], shown = [];
    const tab = new JointsTab(twoLinkModel(), { setState: (q) => shown.push([...q]) }, new Store(), false);
    tab.closing = new Closing(async (q, held) => {
        asked.push({ q: [...q], held });
        return answers.shift();
    }, 0);
    tab.note = { textContent: "" };
    return { tab, asked, shown };
}

test("loops that cannot be closed: the nearest position is shown, with the message", async () => {
    const { tab, asked, shown } = sliders([
        { q: [0.1, 0.2], closed: true, message: null },
        { q: [2, 0.9], closed: false, message: "loop \"rocker\" cannot close: nearest gap 12 mm" },
        { q: [0.3, 0.4], closed: true, message: null },
    ]);
    await tab.setCoordinate("shoulder", 0.1);
    await tab.setCoordinate("shoulder", 2);
    assert.deepEqual(shown.at(-1), [2, 0.9]);
    assert.deepEqual(tab.q, [2, 0.9]);
    assert.match(tab.note.textContent, /nearest gap 12 mm/);
    // and the next motion begins at the position that was closed
    await tab.setCoordinate("shoulder", 0.3);
    assert.deepEqual(asked.map(({ q }) => q), [[0.1, 0], [2, 0.2], [0.3, 0.2]]);
    assert.deepEqual(shown.at(-1), [0.3, 0.4]);
    assert.equal(tab.note.textContent, "");
});

test("a refusal without positions leaves the robot where it is", async () => {
    const { tab, shown } = sliders([{ closed: false, message: "no" }]);
    await tab.setCoordinate("elbow", 1);
    assert.deepEqual(shown, [[0, 0]]);
    assert.equal(tab.note.textContent, "no");
});
