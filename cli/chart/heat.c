/* Grids of numbers as colours. */
#include <math.h>
#include <stdio.h>

#include "chart/parts.h"

/* Five samples of viridis, which rises evenly in lightness and is read by colour-blind readers too. */
static const Colour samples[] = {
    {0.267, 0.005, 0.329}, {0.230, 0.322, 0.546}, {0.128, 0.567, 0.551}, {0.369, 0.789, 0.383}, {0.993, 0.906, 0.144}};
enum { SAMPLES = sizeof samples / sizeof samples[0], BANDS = 64 };

/* part 0 to 1 of the scale */
static Colour colour_at(double part) {
    const double at = fmin(fmax(part, 0), 1) * (SAMPLES - 1);
    const int low = at >= SAMPLES - 1 ? SAMPLES - 2 : (int)at;
    const double t = at - low;
    const Colour a = samples[low], b = samples[low + 1];
    return (Colour){a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

static ChartRange values_range(const ChartHeat *heat) {
    ChartRange range = chart_range_none();
    chart_range_add(&range, false, (size_t)heat->columns * (size_t)heat->rows, heat->values, 1);
    return range;
}

/* Where cell i begins: half-way from the one before; i = count: where the last one ends. */
static double border(int count, const double *centres, int i) {
    if (count == 1) return centres[0] + (i ? 0.5 : -0.5);
    if (i == 0) return centres[0] - 0.5 * (centres[1] - centres[0]);
    if (i == count) return centres[count - 1] + 0.5 * (centres[count - 1] - centres[count - 2]);
    return 0.5 * (centres[i - 1] + centres[i]);
}

static void add_borders(ChartRange *range, int count, const double *centres) {
    const double ends[2] = {border(count, centres, 0), border(count, centres, count)};
    chart_range_add(range, false, 2, ends, 1);
}

void chart_heat_range(const ChartHeat *heat, ChartRange *x, ChartRange *y) {
    if (x) add_borders(x, heat->columns, heat->x);
    if (y) add_borders(y, heat->rows, heat->y);
}

static void fill_box(Paper *paper, Colour colour, double left, double top, double right, double bottom) {
    paper_pen(paper, colour, 1, 0, 0);
    paper_move(paper, left, top);
    paper_line(paper, right, top);
    paper_line(paper, right, bottom);
    paper_line(paper, left, bottom);
    paper_fill(paper);
}

/* A box for each number; white where it is not finite. */
void chart_heat_draw(Paper *paper, const ChartScale *xs, const ChartScale *ys, const ChartHeat *heat) {
    const ChartRange range = values_range(heat);
    const double span = range.upper - range.lower;
    for (int row = 0; row < heat->rows; row++) {
        const double bottom = chart_scale_at(ys, border(heat->rows, heat->y, row)),
                     top = chart_scale_at(ys, border(heat->rows, heat->y, row + 1));
        for (int column = 0; column < heat->columns; column++) {
            const double value = heat->values[row * heat->columns + column];
            if (!isfinite(value)) continue;
            fill_box(paper, colour_at(span > 0 ? (value - range.lower) / span : 0.5),
                     chart_scale_at(xs, border(heat->columns, heat->x, column)), top,
                     chart_scale_at(xs, border(heat->columns, heat->x, column + 1)) + 0.4, bottom + 0.4);
        }
    }
}

/* Bands of colour beside the pane, the least number at the bottom. */
void chart_heat_scale(Paper *paper, const Box *box, const ChartHeat *heat) {
    static const Colour ink = {0.20, 0.20, 0.22};
    enum { LABELS = 5, WIDTH = 12, GAP = 14 };
    const ChartRange range = values_range(heat);
    const double left = box->right + GAP, height = box->bottom - box->top;
    if (!(range.lower <= range.upper)) return;
    for (int i = 0; i < BANDS; i++)
        fill_box(paper, colour_at((i + 0.5) / BANDS), left, box->bottom - height * (i + 1) / BANDS, left + WIDTH,
                 box->bottom - height * i / BANDS + 0.4);
    paper_pen(paper, ink, 1, 0, 0);
    for (int i = 0; i < LABELS; i++) {
        char text[32];
        const double part = (double)i / (LABELS - 1);
        snprintf(text, sizeof text, "%.4g", range.lower + part * (range.upper - range.lower));
        paper_text(paper, left + WIDTH + 5, box->bottom - part * height + 4, 0, HEAT_SCALE_WIDTH - WIDTH - 5, 11, text);
    }
    if (heat->label) paper_text(paper, left, box->top - 7, 0, HEAT_SCALE_WIDTH, 11, heat->label);
}
