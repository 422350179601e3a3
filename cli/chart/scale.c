/* Axes of a chart. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "chart/parts.h"

/* A spread below this share of the numbers themselves is rounding noise and not blown up to fill the pane. */
#define NOISE 1e-11
/* Labels outside these bounds get a common power of ten. */
#define LARGE 1e5
#define SMALL 1e-3

ChartRange chart_range_none(void) { return (ChartRange){.lower = INFINITY, .upper = -INFINITY}; }

void chart_range_add(ChartRange *range, bool log, size_t count, const double *values, size_t stride) {
    for (size_t i = 0; i < count; i++) {
        const double value = values[i * stride];
        if (!isfinite(value) || (log && value <= 0)) continue;
        if (value < range->lower) range->lower = value;
        if (value > range->upper) range->upper = value;
    }
}

static ChartScale whole_decades(ChartRange range) {
    ChartScale scale = {.log = true, .lower = 1, .upper = 10};
    if (range.lower > range.upper) return scale;
    const double first = floor(log10(range.lower) + 1e-9), last = ceil(log10(range.upper) - 1e-9);
    scale.lower = pow(10, first);
    scale.upper = pow(10, last > first ? last : first + 1);
    return scale;
}

/* Limits of the caller win; a range of no width is widened, for a scale needs two different ends. */
ChartScale chart_scale_choose(const ChartAxis *axis, ChartRange range, double margin) {
    if (axis->lower < axis->upper && (!axis->log || axis->lower > 0))
        return (ChartScale){.log = axis->log, .lower = axis->lower, .upper = axis->upper};
    if (axis->log) return whole_decades(range);
    if (range.lower > range.upper) return (ChartScale){.lower = 0, .upper = 1};
    const double half = range.upper / 2 - range.lower / 2, middle = range.lower + half; /* the whole may overflow */
    const double size = fmax(fabs(range.lower), fabs(range.upper)), spread = range.upper - range.lower;
    if (spread > NOISE * size)
        return (ChartScale){.lower = fmax(range.lower - 2 * margin * half, -DBL_MAX),
                            .upper = fmin(range.upper + 2 * margin * half, DBL_MAX)};
    const double space = size > 0 ? 0.1 * size : 1;
    return (ChartScale){.lower = fmax(middle - space, -DBL_MAX), .upper = fmin(middle + space, DBL_MAX)};
}

bool chart_scale_shows(const ChartScale *scale, double value) { return isfinite(value) && (!scale->log || value > 0); }

double chart_scale_at(const ChartScale *scale, double value) {
    const double share = scale->log ? log(value / scale->lower) / log(scale->upper / scale->lower)
                                    : (value / 2 - scale->lower / 2) / (scale->upper / 2 - scale->lower / 2);
    return scale->from + fmin(10, fmax(-9, share)) * (scale->to - scale->from); /* cairo's numbers are bounded */
}

static ChartTicks decades(const ChartScale *scale, int most) {
    ChartTicks ticks = {0};
    const int first = (int)ceil(log10(scale->lower) - 1e-9), last = (int)floor(log10(scale->upper) + 1e-9);
    const int step = 1 + (last - first) / most;
    for (int decade = first; decade <= last && ticks.count < CHART_MOST_TICKS; decade += step)
        ticks.value[ticks.count++] = pow(10, decade);
    return ticks;
}

/* The least of 1, 2, 5 x 10^k that is not below. */
static double round_step(double least) {
    const double power = pow(10, floor(log10(least)));
    const double lead = least / power;
    return power * (lead <= 1 + 1e-9 ? 1 : lead <= 2 + 1e-9 ? 2 : lead <= 5 + 1e-9 ? 5 : 10);
}

/* Steps of 1, 2 or 5 times a power of ten, counted by integers so that sums do not drift off the round numbers. */
ChartTicks chart_ticks(const ChartScale *scale, int most) {
    if (most < 2) most = 2;
    if (most > CHART_MOST_TICKS - 1) most = CHART_MOST_TICKS - 1;
    if (scale->log) return decades(scale, most);
    ChartTicks ticks = {0};
    const double step = fmin(round_step(scale->upper / most - scale->lower / most), DBL_MAX);
    const double size = fmax(fabs(scale->lower), fabs(scale->upper)), slack = 1e-9 * step;
    for (double k = ceil((scale->lower - slack) / step); ticks.count < CHART_MOST_TICKS; k++) {
        if (k * step > scale->upper + slack) break;
        ticks.value[ticks.count++] = k * step + 0.0;
    }
    if (size >= LARGE || size < SMALL) ticks.exponent = (int)floor(log10(size) + 1e-9);
    const double decimals = ceil(ticks.exponent - log10(step) - 1e-9);
    ticks.decimals = decimals > 0 ? (decimals < 15 ? (int)decimals : 15) : 0;
    return ticks;
}

void chart_tick_label(const ChartTicks *ticks, int tick, char *text, size_t size) {
    const double value = ticks->value[tick] / pow(10, ticks->exponent);
    snprintf(text, size, "%s%.*f", value < 0 ? "\u2212" : "", ticks->decimals, fabs(value)); /* minus, no hyphen */
}
