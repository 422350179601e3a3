/* Lines and marks of one series. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/parts.h"

/* Okabe and Ito's colours, which colour-blind readers tell apart, without the yellow that white paper swallows. */
static const Colour cycle[] = {{0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451},
                               {0.800, 0.475, 0.655}, {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914},
                               {0.350, 0.350, 0.350}};
enum { COLOURS = sizeof cycle / sizeof cycle[0] };

/* The second round of colours is dashed, the third dotted. */
static void take_pen(Paper *paper, int index) {
    static const double dash[3] = {0, 6, 1.5}, gap[3] = {0, 3, 2.5};
    const int round = index / COLOURS < 2 ? index / COLOURS : 2;
    paper_pen(paper, cycle[index % COLOURS], 1.4, dash[round], gap[round]);
}

/* The points of one column of pixels: a line through first, extremes and last covers what all of them cover. */
typedef struct Bucket {
    size_t count;
    double column;
    double first[2], least[2], most[2], last[2];
} Bucket;

/* At most four points of a column of pixels: a million rows give a line as long as the paper is wide. */
static void bucket_draw(Paper *paper, Bucket *bucket) {
    const bool least_first = bucket->least[0] <= bucket->most[0];
    const double *early = least_first ? bucket->least : bucket->most;
    const double *late = least_first ? bucket->most : bucket->least;
    if (bucket->count) paper_line(paper, bucket->first[0], bucket->first[1]);
    if (bucket->count > 2) {
        paper_line(paper, early[0], early[1]);
        paper_line(paper, late[0], late[1]);
    }
    if (bucket->count > 1) paper_line(paper, bucket->last[0], bucket->last[1]);
    bucket->count = 0;
}

/* Points of one column of pixels are gathered; the next column draws them. */
static void bucket_add(Paper *paper, Bucket *bucket, double x, double y) {
    const double point[2] = {x, y}, column = floor(x);
    if (bucket->count && column != bucket->column) bucket_draw(paper, bucket);
    if (!bucket->count) {
        bucket->column = column;
        memcpy(bucket->first, point, sizeof point);
        memcpy(bucket->least, point, sizeof point);
        memcpy(bucket->most, point, sizeof point);
    }
    if (y < bucket->least[1]) memcpy(bucket->least, point, sizeof point);
    if (y > bucket->most[1]) memcpy(bucket->most, point, sizeof point);
    memcpy(bucket->last, point, sizeof point);
    bucket->count++;
}

static double y_of(const ChartSeries *series, size_t i) {
    return series->y[i * (series->y_stride ? series->y_stride : 1)];
}

static double x_of(const ChartSeries *series, size_t i) {
    return series->x[i * (series->x_stride ? series->x_stride : 1)];
}

/* The curve of a series; what cannot be shown leaves a gap and lifts the pen. */
static void draw_line(Paper *paper, const ChartScale *xs, const ChartScale *ys, const ChartSeries *series) {
    Bucket bucket = {0};
    for (size_t i = 0; i < series->count; i++) {
        const double x = x_of(series, i), y = y_of(series, i);
        if (chart_scale_shows(xs, x) && chart_scale_shows(ys, y)) {
            bucket_add(paper, &bucket, chart_scale_at(xs, x), chart_scale_at(ys, y));
        } else { /* a gap */
            bucket_draw(paper, &bucket);
            paper_lift(paper);
        }
    }
    bucket_draw(paper, &bucket);
    paper_stroke(paper);
}

static void draw_polygon(Paper *paper, double x, double y, int count, const double (*corners)[2]) {
    paper_move(paper, x + corners[0][0], y + corners[0][1]);
    for (int i = 1; i < count; i++) paper_line(paper, x + corners[i][0], y + corners[i][1]);
    paper_fill(paper);
}

static void draw_mark(Paper *paper, ChartMark mark, double x, double y) {
    static const double square[4][2] = {{-3.2, -3.2}, {3.2, -3.2}, {3.2, 3.2}, {-3.2, 3.2}};
    static const double triangle[3][2] = {{0, -4.3}, {4, 2.9}, {-4, 2.9}};
    static const double diamond[4][2] = {{0, -4.7}, {4, 0}, {0, 4.7}, {-4, 0}};
    if (mark == CHART_CIRCLE) paper_disc(paper, x, y, 3.6);
    if (mark == CHART_SQUARE) draw_polygon(paper, x, y, 4, square);
    if (mark == CHART_TRIANGLE) draw_polygon(paper, x, y, 3, triangle);
    if (mark == CHART_DIAMOND) draw_polygon(paper, x, y, 4, diamond);
}

void chart_series_draw(Paper *paper, const ChartScale *x, const ChartScale *y, const ChartSeries *series, int index) {
    take_pen(paper, series->color ? series->color - 1 : index);
    if (!series->no_line) draw_line(paper, x, y, series);
    for (size_t i = 0; series->mark && i < series->count; i++)
        if (chart_scale_shows(x, x_of(series, i)) && chart_scale_shows(y, y_of(series, i)))
            draw_mark(paper, series->mark, chart_scale_at(x, x_of(series, i)), chart_scale_at(y, y_of(series, i)));
}

void chart_series_sample(Paper *paper, double x, double y, double width, const ChartSeries *series, int index) {
    take_pen(paper, series->color ? series->color - 1 : index);
    if (!series->no_line) {
        paper_line(paper, x, y);
        paper_line(paper, x + width, y);
        paper_stroke(paper);
    }
    draw_mark(paper, series->mark, x + width / 2, y);
}

/* The layout of a chart, its axes and legends. */

static const Colour ink = {0.20, 0.20, 0.22}, faint = {0.45, 0.45, 0.48}, edge = {0.60, 0.60, 0.62},
                    grid = {0.90, 0.90, 0.91}, fine_grid = {0.95, 0.95, 0.955};

enum {
    USUAL_WIDTH = 900,
    LONE_HEIGHT = 340, /* of a single pane */
    PANE_HEIGHT = 140, /* of one among several */
    PANE_GAP = 26,     /* above each, for its title */
    ROW = 15,          /* of a legend */
    SWATCH = 22,
    MARGIN = 14,
    FOOT = 46, /* below the last pane: ticks and label */
    TICK_EVERY = 24,
    TICK_EVERY_X = 80
};

typedef struct ChartSheet {
    const Chart *chart;
    Paper *paper;
    double width, height;
    double share;       /* of the heights that panes would like to have */
    double left, right; /* edges of the panes */
    ChartScale x;
    ChartTicks x_ticks;
} ChartSheet;

static int legend_rows(const ChartPane *pane) {
    int rows = pane->note != NULL;
    for (int i = 0; i < pane->count; i++) rows += pane->series[i].label != NULL;
    return rows;
}

static double head_of(const Chart *chart) {
    return MARGIN + (chart->title ? TITLE_SIZE + 5 : 0) + (chart->subtitle ? SMALL_SIZE + 5 : 0);
}

/* The height a pane would like to have, its title included. */
static double height_of(const Chart *chart, int pane) {
    const int usual = chart->pane_count > 1 && !chart->panes[pane].heat ? PANE_HEIGHT : LONE_HEIGHT,
              legend = ROW * legend_rows(&chart->panes[pane]);
    return PANE_GAP + (legend > usual ? legend : usual);
}

static double height_of_all(const Chart *chart) {
    double height = 0;
    for (int i = 0; i < chart->pane_count; i++) height += height_of(chart, i);
    return height;
}

void chart_size(const Chart *chart, double *width, double *height) {
    *width = chart->width > 0 ? chart->width : USUAL_WIDTH;
    *height = chart->height > 0 ? chart->height : head_of(chart) + height_of_all(chart) + FOOT;
}

static void rule(Paper *paper, double x0, double y0, double x1, double y1) {
    paper_move(paper, x0, y0);
    paper_line(paper, x1, y1);
    paper_stroke(paper);
}

/* A line across the box at a place of one of its axes. */
static void across(Paper *paper, const Box *box, bool upright, double at) {
    if (upright)
        rule(paper, at, box->top, at, box->bottom);
    else
        rule(paper, box->left, at, box->right, at);
}

static void draw_grid(Paper *paper, const ChartScale *scale, const ChartTicks *ticks, bool upright, const Box *box) {
    const double decade = scale->log ? fabs(scale->to - scale->from) / log10(scale->upper / scale->lower) : 0;
    paper_pen(paper, fine_grid, 0.6, 0, 0);
    for (int i = 0; i < ticks->count && decade > 28; i++) /* between the decades, unless that fills the pane */
        for (int k = 2; k < 10 && k * ticks->value[i] < scale->upper; k++)
            across(paper, box, upright, chart_scale_at(scale, k * ticks->value[i]));
    paper_pen(paper, grid, 0.8, 0, 0);
    for (int i = 0; i < ticks->count; i++) across(paper, box, upright, chart_scale_at(scale, ticks->value[i]));
}

static void draw_tick(Paper *paper, const ChartScale *scale, const ChartTicks *ticks, int i, double x, double y,
                      double anchor) {
    char label[64];
    if (scale->log) {
        paper_power(paper, x, y, anchor, "", (int)lround(log10(ticks->value[i])));
        return;
    }
    chart_tick_label(ticks, i, label, sizeof label);
    paper_text(paper, x, y, anchor, INFINITY, SMALL_SIZE, label);
}

static double tick_width(Paper *paper, const ChartScale *scale, const ChartTicks *ticks) {
    double width = 0;
    char label[64];
    for (int i = 0; i < ticks->count && !scale->log; i++) {
        chart_tick_label(ticks, i, label, sizeof label);
        width = fmax(width, paper_text_width(paper, label, SMALL_SIZE));
    }
    return scale->log ? paper_text_width(paper, "10\u221288", SMALL_SIZE) : width;
}

/* Events: at most as many labels as do not overlap. */
static void draw_moments(const ChartSheet *sheet, const Box *box, bool labelled) {
    enum { LABEL_SPACE = 120 };
    double free_from = box->left;
    for (int i = 0; i < sheet->chart->moment_count; i++) {
        const ChartMoment *moment = &sheet->chart->moments[i];
        if (!(moment->x >= sheet->x.lower && moment->x <= sheet->x.upper)) continue;
        const double x = chart_scale_at(&sheet->x, moment->x);
        paper_pen(sheet->paper, edge, 0.8, 2, 3);
        across(sheet->paper, box, true, x);
        if (!labelled || !moment->label || x < free_from) continue;
        const double space = fmin(LABEL_SPACE, box->right - x - 3);
        paper_pen(sheet->paper, faint, 1, 0, 0);
        paper_text(sheet->paper, x + 3, box->top + TINY_SIZE, 0, space, TINY_SIZE, moment->label);
        free_from = x + 9 + fmin(space, paper_text_width(sheet->paper, moment->label, TINY_SIZE));
    }
}

/* As many names as fit beside the pane, then how many more there are; the note of the pane comes last. */
static void draw_legend(const ChartSheet *sheet, const ChartPane *pane, const Box *box) {
    const double left = box->right + MARGIN, space = sheet->width - MARGIN - left;
    const int fit = (int)((box->bottom - box->top) / ROW), count = legend_rows(pane) - (pane->note != NULL);
    const int most = legend_rows(pane) <= fit ? count : fit - 1 - (pane->note != NULL);
    double y = box->top + TINY_SIZE;
    int shown = 0;
    for (int i = 0; i < pane->count && shown < most; i++) {
        if (!pane->series[i].label) continue;
        chart_series_sample(sheet->paper, left, y - 3.5, SWATCH - 5, &pane->series[i], i);
        paper_pen(sheet->paper, ink, 1, 0, 0);
        paper_text(sheet->paper, left + SWATCH, y, 0, space - SWATCH, SMALL_SIZE, pane->series[i].label);
        y += ROW;
        shown++;
    }
    char more[64];
    snprintf(more, sizeof more, "and %d more", count - shown);
    paper_pen(sheet->paper, faint, 1, 0, 0);
    if (shown < count) paper_text(sheet->paper, left, y, 0, space, SMALL_SIZE, more), y += ROW;
    if (pane->note) paper_text(sheet->paper, left, y, 0, space, SMALL_SIZE, pane->note);
}

/* y axis of a pane; without a box, as far as its labels are concerned. */
static ChartScale y_scale(const ChartPane *pane) {
    ChartRange range = chart_range_none();
    for (int i = 0; i < pane->count; i++) {
        const ChartSeries *series = &pane->series[i];
        chart_range_add(&range, pane->y.log, series->count, series->y, series->y_stride ? series->y_stride : 1);
    }
    if (pane->heat) chart_heat_range(pane->heat, NULL, &range);
    return chart_scale_choose(&pane->y, range, pane->heat ? 0 : 0.05);
}

/* Numbers at the ticks, their common power of ten above, and the label beside it. */
static void draw_y_axis(const ChartSheet *sheet, const ChartPane *pane, const ChartScale *y, const ChartTicks *ticks,
                        const Box *box) {
    Paper *paper = sheet->paper;
    double title_from = box->left;
    paper_pen(paper, ink, 1, 0, 0);
    for (int i = 0; i < ticks->count; i++)
        draw_tick(paper, y, ticks, i, box->left - 6, chart_scale_at(y, ticks->value[i]) + 4, 1);
    if (ticks->exponent) {
        paper_power(paper, box->left, box->top - 6, 0, "\u00d7", ticks->exponent);
        title_from += 48;
    }
    if (pane->y.label)
        paper_text_up(paper, MARGIN + LABEL_SIZE - 2, (box->top + box->bottom) / 2,
                      box->bottom - box->top + PANE_GAP / 2.0, LABEL_SIZE, pane->y.label);
    paper_pen(paper, faint, 1, 0, 0);
    if (pane->title)
        paper_text(paper, title_from, box->top - 7, 0, sheet->width - MARGIN - title_from, SMALL_SIZE, pane->title);
}

static void draw_x_axis(const ChartSheet *sheet, const Box *box) {
    Paper *paper = sheet->paper;
    const ChartTicks *ticks = &sheet->x_ticks;
    paper_pen(paper, ink, 1, 0, 0);
    for (int i = 0; i < ticks->count; i++)
        draw_tick(paper, &sheet->x, ticks, i, chart_scale_at(&sheet->x, ticks->value[i]), box->bottom + 16, 0.5);
    if (ticks->exponent) paper_power(paper, box->right, box->bottom + 33, 1, "\u00d7", ticks->exponent);
    if (sheet->chart->x.label)
        paper_text(paper, (box->left + box->right) / 2, box->bottom + 34, 0.5, box->right - box->left, LABEL_SIZE,
                   sheet->chart->x.label);
}

static int most_ticks(double height) { return (int)(height / TICK_EVERY); }

/* Grid and moments lie under the curves, frame and numbers over them. */
static void draw_pane(const ChartSheet *sheet, const ChartPane *pane, const Box *box, bool first) {
    Paper *paper = sheet->paper;
    ChartScale y = y_scale(pane);
    y.from = box->bottom, y.to = box->top;
    const ChartTicks ticks = chart_ticks(&y, most_ticks(box->bottom - box->top));
    if (pane->heat) chart_heat_draw(paper, &sheet->x, &y, pane->heat);
    draw_grid(paper, &sheet->x, &sheet->x_ticks, true, box);
    draw_grid(paper, &y, &ticks, false, box);
    draw_moments(sheet, box, first);
    paper_pen(paper, edge, 1, 0, 0);
    rule(paper, box->left, box->top, box->left, box->bottom);
    rule(paper, box->left, box->bottom, box->right, box->bottom);
    const Box wider = {box->left - 5, box->top - 5, box->right + 5, box->bottom + 5}; /* whole marks */
    paper_clip(paper, &wider);
    for (int i = 0; i < pane->count; i++) chart_series_draw(paper, &sheet->x, &y, &pane->series[i], i);
    paper_unclip(paper);
    draw_y_axis(sheet, pane, &y, &ticks, box);
    draw_legend(sheet, pane, box);
    if (pane->heat) chart_heat_scale(paper, box, pane->heat);
}

/* Edges of the panes: room for the widest labels on both sides. */
static void measure_edges(ChartSheet *sheet) {
    double ticks = 0, legend = 0;
    for (int i = 0; i < sheet->chart->pane_count; i++) {
        const ChartPane *pane = &sheet->chart->panes[i];
        const ChartScale y = y_scale(pane);
        const ChartTicks own = chart_ticks(&y, most_ticks(sheet->share * height_of(sheet->chart, i) - PANE_GAP));
        ticks = fmax(ticks, tick_width(sheet->paper, &y, &own));
        for (int k = 0; k < pane->count; k++)
            if (pane->series[k].label)
                legend = fmax(legend, SWATCH + paper_text_width(sheet->paper, pane->series[k].label, SMALL_SIZE));
        if (pane->heat) legend = fmax(legend, HEAT_SCALE_WIDTH);
        if (pane->note) legend = fmax(legend, paper_text_width(sheet->paper, pane->note, SMALL_SIZE));
    }
    sheet->left = MARGIN + LABEL_SIZE + 8 + ticks + 6;
    sheet->right = sheet->width - MARGIN - fmin(legend, 0.3 * sheet->width) - (legend > 0 ? MARGIN : 0);
}

/* One x axis for all panes: the range of all their series, with a margin only where marks would be cut. */
static void choose_x(ChartSheet *sheet) {
    ChartRange range = chart_range_none();
    bool marks = false;
    for (int i = 0; i < sheet->chart->pane_count; i++)
        if (sheet->chart->panes[i].heat) chart_heat_range(sheet->chart->panes[i].heat, &range, NULL);
    for (int i = 0; i < sheet->chart->pane_count; i++)
        for (int k = 0; k < sheet->chart->panes[i].count; k++) {
            const ChartSeries *series = &sheet->chart->panes[i].series[k];
            chart_range_add(&range, sheet->chart->x.log, series->count, series->x,
                            series->x_stride ? series->x_stride : 1);
            marks |= series->mark != CHART_NO_MARK;
        }
    sheet->x = chart_scale_choose(&sheet->chart->x, range, marks ? 0.03 : 0);
    sheet->x.from = sheet->left, sheet->x.to = sheet->right;
    sheet->x_ticks = chart_ticks(&sheet->x, (int)((sheet->right - sheet->left) / TICK_EVERY_X));
}

/* Title, panes under each other, and the x axis under the last one. */
void chart_draw(const Chart *chart, Paper *paper) {
    ChartSheet sheet = {.chart = chart, .paper = paper};
    chart_size(chart, &sheet.width, &sheet.height);
    const double head = head_of(chart);
    sheet.share = (sheet.height - head - FOOT) / height_of_all(chart);
    measure_edges(&sheet);
    choose_x(&sheet);
    paper_pen(paper, ink, 1, 0, 0);
    if (chart->title)
        paper_text(paper, MARGIN, MARGIN + TITLE_SIZE, 0, sheet.width - 2 * MARGIN, TITLE_SIZE, chart->title);
    paper_pen(paper, faint, 1, 0, 0);
    if (chart->subtitle) paper_text(paper, MARGIN, head - 2, 0, sheet.width - 2 * MARGIN, SMALL_SIZE, chart->subtitle);
    double top = head;
    for (int i = 0; i < chart->pane_count; i++) {
        const double height = fmax(sheet.share * height_of(chart, i), PANE_GAP + 10);
        const Box box = {sheet.left, top + PANE_GAP, sheet.right, top + height};
        draw_pane(&sheet, &chart->panes[i], &box, !i);
        if (i + 1 == chart->pane_count) draw_x_axis(&sheet, &box);
        top += height;
    }
}
