// The span of time that all panes show. No DOM.

const CLOSEST = 1e-6; // of the whole span

export class Zoom {
    /** whole(): [start, end] of what there is */
    constructor(whole, changed) {
        this.wholeSpan = whole;
        this.changed = changed;
        this.chosen = null;
    }

    get whole() {
        const [start, end] = this.wholeSpan();
        // One row, or none: a second around it.
        return end > start ? [start, end] : [start - 0.5, start + 0.5];
    }

    get span() {
        return this.chosen ?? this.whole;
    }

    set(from, to) {
        const [start, end] = this.whole;
        if (!(to > from) || to - from < CLOSEST * (end - start)) return;
        const [a, b] = [Math.max(from, start), Math.min(to, end)];
        if (!(b > a)) return;
        this.chosen = a === start && b === end ? null : [a, b];
        this.changed();
    }

    /** factor < 1 shows less; `about` stays where it is. */
    scale(factor, about) {
        const [from, to] = this.span;
        this.set(about - factor * (about - from), about + factor * (to - about));
    }

    all() {
        this.chosen = null;
        this.changed();
    }
}
