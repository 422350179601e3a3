/* Pictures of numbers: panes under each other over one x axis, each with series, axes and a legend. Knows nothing of
 * recordings. Drawn with cairo as SVG or PNG, the same bytes for the same chart, library and fonts. */
#ifndef ZVENO_CLI_CHART_CHART_H
#define ZVENO_CLI_CHART_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "zveno/status.h"

typedef enum ChartMark { CHART_NO_MARK, CHART_CIRCLE, CHART_SQUARE, CHART_TRIANGLE, CHART_DIAMOND } ChartMark;

typedef struct ChartSeries {
    const char *label; /* in the legend; NULL: none */
    size_t count;
    const double *x, *y;       /* what is not finite, or not positive on a log axis, leaves a gap */
    size_t x_stride, y_stride; /* from one number to the next; 0: 1 */
    ChartMark mark;
    bool no_line;
    int color; /* from 1: that of this place in the list; 0: that of its own */
} ChartSeries;

typedef struct ChartAxis {
    const char *label; /* "q [rad]" */
    bool log;
    double lower, upper; /* lower < upper: as given, else by the data */
} ChartAxis;

/* Numbers on a grid, as colours under the series: value (row, column) lies at [row * columns + column]. What is not
 * finite stays white. */
typedef struct ChartHeat {
    int columns, rows;
    const double *x, *y; /* (columns), (rows) centres of the cells, rising */
    const double *values;
    const char *label; /* beside the scale of colours, or NULL */
} ChartHeat;

typedef struct ChartPane {
    const char *title; /* small, above the pane; NULL: none */
    const char *note;  /* under the legend; NULL: none */
    ChartAxis y;
    int count;
    const ChartHeat *heat;     /* or NULL */
    const ChartSeries *series; /* colours go by the place in the list unless they are given */
} ChartPane;

/* A thin vertical line through all panes. */
typedef struct ChartMoment {
    double x;
    const char *label; /* or NULL */
} ChartMoment;

typedef struct Chart {
    const char *title, *subtitle; /* or NULL */
    ChartAxis x;
    int pane_count;
    const ChartPane *panes;
    int moment_count;
    const ChartMoment *moments;
    int width, height; /* pixels; 0: chosen to fit (then a PNG has two pixels for each of them) */
} Chart;

/* False: this build draws nothing and chart_write fails with ZV_NOT_SUPPORTED. */
bool chart_available(void);
/* Draws to path, by its suffix .svg or .png; a file there is replaced only when the new one is complete. */
zvStatus chart_write(const Chart *chart, const char *path, zvError *error);

#endif
