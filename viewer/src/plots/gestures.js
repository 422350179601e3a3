// What a pointer does on a plot: a drag sets the time, a drag with Shift chooses a span, Ctrl and the wheel zoom, two
// fingers zoom, a double click shows all again.

const LEAST = 6; // px: a shorter drag with Shift is a slip

export function listen(chart, told) {
    const over = chart.plot.over;
    const timeAt = (x) => chart.plot.posToVal(x, "x");
    const placeOf = (event) => event.clientX - over.getBoundingClientRect().left;
    const fingers = new Map();
    let span = null; // where a choice of a span began
    let pinch = null;

    over.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        fingers.set(event.pointerId, placeOf(event));
        over.setPointerCapture(event.pointerId);
        if (fingers.size === 2) pinch = [...fingers.values()].map(timeAt);
        else if (event.shiftKey) span = placeOf(event);
        else told.time(timeAt(placeOf(event)));
    });
    over.addEventListener("pointermove", (event) => {
        if (!fingers.has(event.pointerId)) return;
        fingers.set(event.pointerId, placeOf(event));
        if (pinch && fingers.size === 2) told.zoom(...spread(pinch, [...fingers.values()], over.clientWidth));
        else if (span !== null) drawSpan(chart, span, placeOf(event));
        else if (!pinch) told.time(timeAt(placeOf(event)));
    });
    const up = (event) => {
        if (!fingers.delete(event.pointerId)) return;
        if (fingers.size === 0) pinch = null;
        if (span === null) return;
        const ends = [span, placeOf(event)].sort((a, b) => a - b);
        span = null;
        drawSpan(chart, 0, 0);
        if (ends[1] - ends[0] > LEAST) told.zoom(timeAt(ends[0]), timeAt(ends[1]));
    };
    over.addEventListener("pointerup", up);
    over.addEventListener("pointercancel", up);
    over.addEventListener("dblclick", () => told.all());
    over.addEventListener("wheel", (event) => wheel(event, timeAt(placeOf(event)), told), { passive: false });
}

function wheel(event, about, told) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    told.scale(Math.exp(0.002 * event.deltaY), about);
}

/** The span under which the two times stay below the two fingers. */
export function spread(times, places, width) {
    const rate = (times[1] - times[0]) / (places[1] - places[0] || 1);
    const start = times[0] - rate * places[0];
    return [start, start + rate * width];
}

function drawSpan(chart, from, to) {
    const height = chart.plot.over.clientHeight;
    chart.plot.setSelect({ left: Math.min(from, to), top: 0, width: Math.abs(to - from), height }, false);
}
