import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../src/store.js";

test("listeners hear of changes, once, when all values are set", () => {
    const store = new Store({ time: 0, playing: false });
    const heard = [];
    store.on(["time", "playing"], (values) => heard.push({ ...values }));
    store.set({ time: 2, playing: true });
    assert.deepEqual(heard, [{ time: 2, playing: true }]);
});

test("a value that stays tells nobody", () => {
    const store = new Store({ time: NaN });
    let calls = 0;
    store.on("time", () => calls++);
    assert.equal(store.set("time", NaN), false);
    assert.equal(store.set("time", 1), true);
    assert.equal(calls, 1);
});

test("one key brings its value, and can be left", () => {
    const store = new Store({ theme: "light" });
    const heard = [];
    const leave = store.on("theme", (theme) => heard.push(theme));
    store.set("theme", "dark");
    leave();
    store.set("theme", "light");
    assert.deepEqual(heard, ["dark"]);
});
