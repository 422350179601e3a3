// The clock of the replay. It knows the store, a source of milliseconds and a way to be called again; no DOM.

export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Player {
    /**
     * store: time, playing, speed, loop, span. rowTimes(): the times that steps go to. now(): milliseconds;
     * later(f): calls f before the next picture.
     */
    constructor(store, { rowTimes, now, later }) {
        this.store = store;
        this.rowTimes = rowTimes;
        this.now = now;
        this.later = later;
        this.waiting = false;
        store.on("playing", () => this.wake());
    }

    get span() {
        return this.store.get("span");
    }

    wake() {
        if (!this.store.get("playing") || this.waiting) return;
        this.last = this.now();
        this.wait();
    }

    wait() {
        this.waiting = true;
        this.later(() => {
            this.waiting = false;
            if (!this.store.get("playing")) return;
            const now = this.now();
            // A page in the background gets no pictures: it goes on from where it was.
            const seconds = Math.min((now - this.last) / 1000, 0.25);
            this.last = now;
            this.advance(seconds * this.store.get("speed"));
            if (this.store.get("playing")) this.wait();
        });
    }

    advance(seconds) {
        const [start, end] = this.span;
        const t = this.store.get("time") + seconds;
        if (t < end) this.store.set("time", t);
        else if (this.store.get("loop") && end > start) this.store.set("time", start + ((t - start) % (end - start)));
        else this.store.set({ time: end, playing: false });
    }

    toggle() {
        if (this.store.get("playing")) this.store.set("playing", false);
        else this.play();
    }

    play() {
        const [start, end] = this.span;
        if (!(end > start)) return;
        const over = this.store.get("time") >= end;
        this.store.set({ time: over ? start : this.store.get("time"), playing: true, follow: false });
    }

    pause() {
        this.store.set("playing", false);
    }

    seek(t) {
        if (!Number.isFinite(t)) return;
        const [start, end] = this.span;
        // counted, since to go to where one is changes no time but still means something
        const seeks = (this.store.get("seeks") ?? 0) + 1;
        this.store.set({ time: Math.min(Math.max(t, start), end), follow: false, seeks });
    }

    /** To the next or the previous row; pauses. */
    step(rows) {
        this.pause();
        const times = this.rowTimes();
        if (times.length === 0) return;
        const t = this.store.get("time");
        let row = lastNotAfter(times, t);
        // Between rows a step back goes to the row just passed.
        if (rows < 0 && times[row] < t) row++;
        this.seek(times[Math.min(Math.max(row + rows, 0), times.length - 1)]);
    }

    /** By a fraction of the whole span. */
    jump(fraction) {
        const [start, end] = this.span;
        this.seek(this.store.get("time") + fraction * (end - start));
    }

    home() {
        this.seek(this.span[0]);
    }

    end() {
        this.seek(this.span[1]);
    }

    faster(steps) {
        const speed = this.store.get("speed");
        const at = SPEEDS.reduce((best, s, i) => (Math.abs(s - speed) < Math.abs(SPEEDS[best] - speed) ? i : best), 0);
        this.store.set("speed", SPEEDS[Math.min(Math.max(at + steps, 0), SPEEDS.length - 1)]);
    }
}

function lastNotAfter(times, t) {
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= t) low = middle;
        else high = middle - 1;
    }
    return low;
}
