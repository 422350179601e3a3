import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "../../src/player.js";
import { Store } from "../../src/store.js";

function clocked({ span = [0, 10], times = [0, 1, 2, 10], ...values } = {}) {
    const store = new Store({ time: span[0], span, playing: false, speed: 1, loop: false, ...values });
    const clock = { now: 0, waiting: [] };
    const player = new Player(store, { rowTimes: () => times, now: () => clock.now, later: (f) => clock.waiting.push(f) });
    const pass = (ms) => {
        clock.now += ms;
        clock.waiting.splice(0).forEach((f) => f());
    };
    return { store, player, clock, pass };
}

test("time passes at the speed chosen", () => {
    const { store, player, pass } = clocked();
    player.play();
    pass(100);
    assert.equal(store.get("time"), 0.1);
    store.set("speed", 5);
    pass(100);
    assert.ok(Math.abs(store.get("time") - 0.6) < 1e-12);
});

test("a paused clock asks for nothing, and one that plays asks once", () => {
    const { player, clock, pass } = clocked();
    player.play();
    player.pause();
    player.play();
    assert.equal(clock.waiting.length, 1);
    player.pause();
    pass(16);
    assert.equal(clock.waiting.length, 0);
});

test("it stops at the end, and plays again from the start", () => {
    const { store, player, pass } = clocked({ time: 9.9, speed: 10 });
    player.play();
    pass(50);
    assert.deepEqual([store.get("time"), store.get("playing")], [10, false]);
    player.toggle();
    assert.deepEqual([store.get("time"), store.get("playing")], [0, true]);
});

test("it begins again at the end when told so", () => {
    const { store, player, pass } = clocked({ time: 9.9, loop: true });
    player.play();
    pass(200);
    assert.ok(Math.abs(store.get("time") - 0.1) < 1e-12);
    assert.equal(store.get("playing"), true);
});

test("a long sleep of the page does not skip the run", () => {
    const { store, player, pass } = clocked();
    player.play();
    pass(60000);
    assert.equal(store.get("time"), 0.25);
});

test("steps go from row to row, from between them too", () => {
    const { store, player } = clocked({ time: 1.5, playing: true });
    player.step(-1);
    assert.deepEqual([store.get("time"), store.get("playing")], [1, false]);
    player.step(1);
    player.step(1);
    assert.equal(store.get("time"), 10);
    player.step(1);
    assert.equal(store.get("time"), 10);
    player.home();
    player.step(-1);
    assert.equal(store.get("time"), 0);
});

test("times outside are brought inside; a jump is a part of the span", () => {
    const { store, player } = clocked({ follow: true });
    player.seek(99);
    assert.deepEqual([store.get("time"), store.get("follow")], [10, false]);
    player.jump(-0.05);
    assert.equal(store.get("time"), 9.5);
    player.seek(NaN);
    assert.equal(store.get("time"), 9.5);
});

test("a recording of one row does not play", () => {
    const { store, player } = clocked({ span: [3, 3], times: [3] });
    player.toggle();
    player.step(1);
    assert.deepEqual([store.get("time"), store.get("playing")], [3, false]);
});

test("speeds go by steps and stop at their ends", () => {
    const { store, player } = clocked();
    player.faster(1);
    assert.equal(store.get("speed"), 2);
    for (let i = 0; i < 9; i++) player.faster(1);
    assert.equal(store.get("speed"), 10);
    for (let i = 0; i < 9; i++) player.faster(-1);
    assert.equal(store.get("speed"), 0.1);
});

test("to seek where one is is told, though no time changes", () => {
    const { store, player } = clocked();
    let told = 0;
    store.on("seeks", () => told++);
    player.home();
    player.home();
    assert.equal(told, 2);
    assert.equal(store.get("time"), 0);
});
