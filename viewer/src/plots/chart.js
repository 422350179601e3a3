// One uPlot chart: its axes, scales and lines. Time is marked by an element above the canvas, so that playing draws
// nothing again.

import uPlot from "uplot";
import { h } from "../look/dom.js";
import { short } from "../look/numbers.js";
import { cssColour, lineColour } from "../look/colours.js";
import { unitsOf } from "./choice.js";
import { sized, tableOf } from "./table.js";

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

const DENSE = 5000; // rows; wide lines through so many points only take time

/**
 * uPlot asks for its canvas itself. Drawn by the processor, lines of many points take milliseconds; a graphics card that
 * is emulated, as on machines without one, needs seconds for them.
 */
function byProcessor(make) {
    const canvas = HTMLCanvasElement.prototype;
    const own = canvas.getContext;
    canvas.getContext = function (kind, options) {
        return own.call(this, kind, { willReadFrequently: true, ...options });
    };
    try {
        return make();
    } finally {
        canvas.getContext = own;
    }
}

export class Chart {
    /** lines: [{column, colour (index), dashed}]; board: {theme(), zoom() -> [min, max], events} */
    constructor(container, lines, board) {
        this.lines = lines;
        this.board = board;
        this.mark = h("div", { class: "time-mark" });
        const data = this.data();
        this.dense = data[0].length > DENSE;
        this.plot = byProcessor(() => new uPlot(this.options(container), data, container));
        this.plot.over.append(this.mark);
        this.plot.over.classList.add("plot-over");
    }

    data() {
        const columns = this.lines.map((line) => line.column);
        const units = unitsOf(columns);
        const { x, ys } = tableOf(columns);
        this.axes = columns.map(({ unit }) => units.indexOf(unit));
        const made = sized(ys, this.axes);
        this.factors = made.factors;
        return [x, ...made.ys];
    }

    /** Times and values of the lines. */
    get plotted() {
        const [x, ...ys] = this.plot.data;
        const factor = (i) => this.factors[this.axes[i]];
        return [Array.from(x), ...ys.map((values, i) => Array.from(values, (y) => (y ? y * factor(i) : y)))];
    }

    options(container) {
        const units = unitsOf(this.lines.map((line) => line.column));
        const scaleOf = (column) => `y${units.indexOf(column.unit)}`;
        const scales = { x: { time: false, range: () => this.board.zoom() } };
        units.forEach((unit, i) => (scales[`y${i}`] = { range: padded }));
        return {
            width: Math.max(container.clientWidth, 50),
            height: Math.max(container.clientHeight, 50),
            legend: { show: false },
            cursor: { show: false },
            padding: [8, units.length > 1 ? 0 : 12, 0, 0],
            scales,
            axes: [timeAxis(this.board.recordings[0]), ...units.map((unit, i) => valueAxis(unit, i, () => this.factors[i]))],
            series: [{}, ...this.lines.map((line) => this.series(line, scaleOf(line.column)))],
            hooks: {
                drawAxes: [(u) => this.drawEvents(u)],
                setSize: [() => this.place()],
                setScale: [() => this.place()],
            },
        };
    }

    series({ column, colour, dashed }, scale) {
        const stroke = () => lineColour(this.board.theme(), colour);
        return {
            label: column.name,
            scale,
            width: this.dense ? 1 : 1.6,
            pxAlign: 0, // whole pixels would make slow curves into stairs
            stroke,
            dash: dashed ? [6, 4] : undefined,
            // A lone value between gaps, or a recording of one row, has no line to be seen by.
            points: { show: (u, i, from, to) => to - from < 2 || undefined, size: 6, fill: stroke },
        };
    }

    drawEvents(u) {
        const { ctx, bbox } = u;
        const [min, max] = [u.scales.x.min, u.scales.x.max];
        ctx.save();
        ctx.strokeStyle = cssColour("event");
        ctx.lineWidth = uPlot.pxRatio;
        ctx.beginPath();
        for (const { t } of this.board.events) {
            if (t < min || t > max) continue;
            const x = Math.round(u.valToPos(t, "x", true)) + 0.5;
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
        }
        ctx.stroke();
        ctx.restore();
    }

    /** The line of the replay time. */
    setTime(t) {
        this.t = t;
        this.place();
    }

    place() {
        if (!this.plot) return;
        const x = this.plot.valToPos(this.t, "x");
        const seen = x >= -0.5 && x <= this.plot.over.clientWidth + 0.5;
        this.mark.style.visibility = seen ? "visible" : "hidden";
        if (seen) this.mark.style.transform = `translateX(${x}px)`;
    }

    refresh() {
        this.plot.setData(this.data());
        this.place();
    }

    rezoom() {
        const [min, max] = this.board.zoom();
        this.plot.setScale("x", { min, max });
    }

    show(line, seen) {
        this.plot.setSeries(line + 1, { show: seen });
    }

    redraw() {
        this.plot.redraw(false);
    }

    resize(width, height) {
        if (width > 20 && height > 20) this.plot.setSize({ width, height });
    }

    destroy() {
        this.plot.destroy();
    }
}

/** A little room above and below; a constant stands in the middle of what its size suggests. */
export function padded(u, min, max) {
    if (!Number.isFinite(min) || !Number.isFinite(max)) return [-1, 1];
    if (min === max) {
        const room = min === 0 ? 1 : Math.abs(min) * 0.1;
        return [min - room, max + room];
    }
    const room = 0.06 * (max - min);
    return [min - room, max + room];
}

const look = () => ({
    stroke: () => cssColour("text-quiet"),
    font: FONT,
    labelFont: FONT,
    grid: { stroke: () => cssColour("grid"), width: 1 },
    ticks: { stroke: () => cssColour("grid"), width: 1, size: 4 },
    border: { show: false },
});

function timeAxis({ timeLabel }) {
    const values = (u, times) => times.map((t) => short(t, 7));
    return { ...look(), scale: "x", label: timeLabel, labelSize: 16, labelGap: 0, size: 24, gap: 3, values };
}

/** factor(): what a unit of the plot stands for */
function valueAxis(unit, i, factor) {
    return {
        ...look(),
        scale: `y${i}`,
        side: i === 0 ? 3 : 1,
        label: unit || "1",
        labelSize: 16,
        labelGap: 0,
        gap: 4,
        space: 20,
        // One width for most, so that the panes' times stand below each other.
        size: (u, values) => Math.max(54, 14 + 6.2 * Math.max(0, ...(values ?? []).map((v) => v.length))),
        values: (u, v) => v.map((value) => (Number.isFinite(value * factor()) ? short(value * factor(), 4) : "")),
        grid: { ...look().grid, show: i === 0 },
    };
}
