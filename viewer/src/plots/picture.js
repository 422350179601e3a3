// A pane as a picture: title, legend, chart, on the page's ground.

import { cssColour, lineColour } from "../look/colours.js";
import { lineName } from "./title.js";

const MARGIN = 16;
const LINE = 20;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export function pictureOf(pane) {
    const source = pane.chart.plot.ctx.canvas;
    const ratio = source.width / pane.chart.plot.width;
    const canvas = document.createElement("canvas");
    const width = pane.chart.plot.width + 2 * MARGIN;
    const context = canvas.getContext("2d");
    context.font = `12px ${FONT}`;
    const places = placeLegend(pane, context, width);
    const top = MARGIN + 26 + (places.rows + 1) * LINE;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round((top + pane.chart.plot.height + MARGIN) * ratio);
    context.scale(ratio, ratio);
    context.fillStyle = cssColour("ground");
    context.fillRect(0, 0, width, canvas.height / ratio);
    drawTitle(context, pane);
    drawLegend(context, pane, places.items);
    context.drawImage(source, MARGIN, top, pane.chart.plot.width, pane.chart.plot.height);
    return canvas;
}

function drawTitle(context, pane) {
    const recordings = [...new Set(pane.columns.map((column) => column.recording.file))];
    context.textBaseline = "middle";
    context.fillStyle = cssColour("text");
    context.font = `600 14px ${FONT}`;
    context.fillText(pane.title.textContent, MARGIN, MARGIN + 8);
    const width = context.measureText(pane.title.textContent).width;
    context.font = `12px ${FONT}`;
    context.fillStyle = cssColour("text-quiet");
    context.fillText(recordings.join(" (A), ") + (recordings.length > 1 ? " (B)" : ""), MARGIN + width + 12, MARGIN + 8);
}

function placeLegend(pane, context, width) {
    let [x, row] = [MARGIN, 0];
    const several = pane.board.recordings.length > 1;
    const items = pane.lines.map((line) => {
        const text = lineName(line, pane.columns, several);
        const size = context.measureText(text).width + 28 + 18;
        if (x + size > width - MARGIN && x > MARGIN) [x, row] = [MARGIN, row + 1];
        const item = { text, line, x, y: MARGIN + 26 + row * LINE + LINE / 2 };
        x += size;
        return item;
    });
    return { items, rows: row };
}

function drawLegend(context, pane, items) {
    context.font = `12px ${FONT}`;
    context.lineWidth = 2;
    for (const { text, line, x, y } of items) {
        if (!line.seen) continue;
        context.strokeStyle = lineColour(pane.board.theme(), line.colour);
        context.setLineDash(line.dashed ? [5, 3] : []);
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x + 20, y);
        context.stroke();
        context.fillStyle = cssColour("text");
        context.fillText(text, x + 27, y);
    }
}
