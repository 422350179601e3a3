/* Axes of a chart: from numbers to places on paper, and where to put ticks. */
#ifndef ZVENO_CLI_CHART_SCALE_H
#define ZVENO_CLI_CHART_SCALE_H

#include "chart.h"

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
