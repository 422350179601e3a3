/* Lines and marks of one series. */
#include <math.h>
#include <string.h>

#include "chart_paper.h"
#include "chart_scale.h"

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
    take_pen(paper, index);
    if (!series->no_line) draw_line(paper, x, y, series);
    for (size_t i = 0; series->mark && i < series->count; i++)
        if (chart_scale_shows(x, x_of(series, i)) && chart_scale_shows(y, y_of(series, i)))
            draw_mark(paper, series->mark, chart_scale_at(x, x_of(series, i)), chart_scale_at(y, y_of(series, i)));
}

void chart_series_sample(Paper *paper, double x, double y, double width, const ChartSeries *series, int index) {
    take_pen(paper, index);
    if (!series->no_line) {
        paper_line(paper, x, y);
        paper_line(paper, x + width, y);
        paper_stroke(paper);
    }
    draw_mark(paper, series->mark, x + width / 2, y);
}
