/* Paper and pen: the few strokes charts are made of. Lengths in pixels, y downwards. */
#ifndef ZVENO_CLI_CHART_PARTS_H
#define ZVENO_CLI_CHART_PARTS_H

#include "chart/chart.h"

typedef struct Paper Paper;

typedef struct Colour {
    double red, green, blue;
} Colour;

typedef struct Box {
    double left, top, right, bottom;
} Box;

enum { TITLE_SIZE = 15, LABEL_SIZE = 12, SMALL_SIZE = 11, TINY_SIZE = 9 }; /* of letters */

/* The pen: colour, width, and length of dashes and of the gaps between them (0: a whole line). */
void paper_pen(Paper *paper, Colour colour, double width, double dash, double gap);
void paper_move(Paper *paper, double x, double y);
void paper_line(Paper *paper, double x, double y); /* the first one of a stroke or after paper_lift only moves */
void paper_lift(Paper *paper);
void paper_stroke(Paper *paper);
void paper_fill(Paper *paper); /* what the pen went around */
void paper_disc(Paper *paper, double x, double y, double radius);
void paper_clip(Paper *paper, const Box *box); /* until paper_unclip */
void paper_unclip(Paper *paper);

double paper_text_width(Paper *paper, const char *text, double size);
/* As much of the text as has room, in the pen's colour; anchor 0: it starts at x, 1: it ends there. */
void paper_text(Paper *paper, double x, double y, double anchor, double space, double size, const char *text);
/* The same upwards, centred at y. */
void paper_text_up(Paper *paper, double x, double y, double space, double size, const char *text);
/* Ten to some power, after a sign such as a cross. */
void paper_power(Paper *paper, double x, double y, double anchor, const char *before, int exponent);

/* Draws a whole chart (pane.c); the size of the paper is that of chart_size. */
void chart_size(const Chart *chart, double *width, double *height);
void chart_draw(const Chart *chart, Paper *paper);
/* One series in the colour of its place in the list, and its sample in a legend (pane.c). */
struct ChartScale;
void chart_series_draw(Paper *paper, const struct ChartScale *x, const struct ChartScale *y, const ChartSeries *series,
                       int index);
void chart_series_sample(Paper *paper, double x, double y, double width, const ChartSeries *series, int index);

/* A grid of numbers: its cells, its scale of colours beside the pane, and what it needs of the axes (heat.c). */
struct ChartRange;
void chart_heat_draw(Paper *paper, const struct ChartScale *x, const struct ChartScale *y, const ChartHeat *heat);
void chart_heat_scale(Paper *paper, const Box *box, const ChartHeat *heat);
void chart_heat_range(const ChartHeat *heat, struct ChartRange *x, struct ChartRange *y);
enum { HEAT_SCALE_WIDTH = 84 };

/* Axes of a chart: from numbers to places on paper, and where to put ticks. */

typedef struct ChartScale {
    bool log;
    double lower, upper; /* numbers, */
    double from, to;     /* and their places */
} ChartScale;

/* Least and greatest number seen; lower > upper while none was. */
typedef struct ChartRange {
    double lower, upper;
} ChartRange;

enum { CHART_MOST_TICKS = 32 };

typedef struct ChartTicks {
    int count;
    double value[CHART_MOST_TICKS];
    int exponent; /* labels are value / 10^exponent; on a log axis the label of each tick is a power of ten */
    int decimals;
} ChartTicks;

ChartRange chart_range_none(void);
/* Takes in count numbers that can be shown on the axis. */
void chart_range_add(ChartRange *range, bool log, size_t count, const double *values, size_t stride);
/* The numbers an axis shows: its own limits, or the range with `margin` of it added on both ends (log: whole decades).
 */
ChartScale chart_scale_choose(const ChartAxis *axis, ChartRange range, double margin);
/* Whether it has a place at all. */
bool chart_scale_shows(const ChartScale *scale, double value);
double chart_scale_at(const ChartScale *scale, double value);

/* At most `most` ticks at round numbers. */
ChartTicks chart_ticks(const ChartScale *scale, int most);
/* Writes the label of a linear tick. */
void chart_tick_label(const ChartTicks *ticks, int tick, char *text, size_t size);

#endif
