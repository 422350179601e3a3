/* zveno_work_precision [OUT.svg]: what each integrator pays for its digits.
 *
 * The chain of ten rods (scenarios/chain10.yaml) falls for two seconds with every method of the table over a range of
 * tolerances or steps. The reference is the 128-bit extrapolation of tests/oracle/data/chain10.csv; the error is the
 * largest over the ten angles, the work is calls of the right-hand side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "zveno/motion.h"
#include "zveno/simulate.h"

enum { POINTS = 10, LINES = 10, RODS = 10 };
static const double reference_time = 2;

/* One line of the picture: a method with an order, and how fine it goes. */
typedef struct Line {
    const char *method;
    int order; /* 0: the method's own choice */
    const char *label;
    double coarse, fine; /* tolerances, or steps of fixed-step methods */
} Line;

static const Line lines[LINES] = {
    {"adams", 0, "adams", 1e-3, 1e-12},        {"bdf", 0, "bdf", 1e-3, 1e-10},
    {"erk", 3, "erk order 3", 1e-3, 1e-9},     {"erk", 5, "erk order 5", 1e-3, 1e-11},
    {"erk", 6, "erk order 6", 1e-3, 1e-12},    {"erk", 8, "erk order 8", 1e-3, 1e-12},
    {"dirk", 3, "dirk order 3", 1e-3, 1e-7},   {"dirk", 5, "dirk order 5", 1e-3, 1e-8},
    {"rk4", 0, "rk4, fixed step", 1e-2, 1e-4}, {"euler", 0, "euler, fixed step", 1e-2, 1e-5},
};

typedef struct Point {
    double setting, error, work, seconds;
} Point;

static bool is_fixed(const Line *line) {
    return zv_integration_method_find(line->method)->family == ZV_FAMILY_FIXED_STEP;
}

/* Angles of the reference at reference_time. */
static bool read_reference(double *q) {
    zvTable table;
    zvError error;
    if (zv_table_read_file(BENCH_SOURCE "/tests/oracle/data/chain10.csv", &table, &error) != ZV_OK) {
        fprintf(stderr, "zveno_work_precision: %s\n", error.text);
        return false;
    }
    bool found = false;
    for (int i = 0; i < table.rows; i++) {
        const double *row = table.values + i * table.columns;
        if (row[0] != reference_time) continue;
        memcpy(q, row + 1, RODS * sizeof *q);
        found = true;
    }
    zv_table_free(&table);
    return found;
}

/* The scenario with this line's integrator; NULL and a message when that is refused. */
static zvScenario *open_scenario(const Line *line, double setting) {
    char integrator[128], duration[64], order[32] = "", text[1024];
    const char *const changes[2] = {integrator, duration};
    if (line->order) snprintf(order, sizeof order, ", order: %d", line->order);
    if (is_fixed(line))
        snprintf(integrator, sizeof integrator, "integrator={method: %s, step: %.17g}", line->method, setting);
    else
        snprintf(integrator, sizeof integrator, "integrator={method: %s%s, rtol: %.17g, atol: %.17g}", line->method,
                 order, setting, setting);
    snprintf(duration, sizeof duration, "duration=%g", reference_time);
    zvScenario *scenario = NULL;
    zvError error;
    if (zv_scenario_read_file(BENCH_SOURCE "/scenarios/chain10.yaml", 2, changes, &scenario, &error) < ZV_OK)
        fprintf(stderr, "zveno_work_precision: %s\n", zv_error_line(&error, text, sizeof text));
    return scenario;
}

/* Work and error of one setting of a method, against the reference. */
static bool run(const Line *line, double setting, const double *reference, Point *point) {
    zvScenario *scenario = open_scenario(line, setting);
    zvRunSummary *summary;
    zvError error;
    const zvRunOptions options = {0};
    if (!scenario) return false;
    const bool good = zv_simulate(scenario, &options, &summary, &error) >= ZV_OK;
    zv_scenario_destroy(scenario);
    if (!good) {
        fprintf(stderr, "zveno_work_precision: %s: %s\n", line->label, error.text);
        return false;
    }
    const double *q = zv_run_position(summary);
    *point = (Point){
        .setting = setting, .work = (double)zv_run_statistics(summary).rates, .seconds = zv_run_elapsed(summary)};
    for (int i = 0; i < RODS; i++) point->error = fmax(point->error, fabs(q[i] - reference[i]));
    zv_run_summary_destroy(summary);
    return true;
}

/* Slope of log error over log setting, by least squares over the points above the rounding floor. */
static double slope(const Point *points) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < POINTS; i++) {
        if (!(points[i].error > 1e-12 && points[i].error < 0.1)) continue;
        const double x = log10(points[i].setting), y = log10(points[i].error);
        n++, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static bool measure(const Line *line, const double *reference, Point *points) {
    printf("\n%s\n%12s %12s %12s %10s\n", line->label, is_fixed(line) ? "step [s]" : "rtol = atol", "error [rad]",
           "right sides", "time [s]");
    for (int i = 0; i < POINTS; i++) {
        const double setting = line->coarse * pow(line->fine / line->coarse, i / (POINTS - 1.0));
        if (!run(line, setting, reference, &points[i])) return false;
        printf("%12.2e %12.2e %12.0f %10.4f\n", setting, points[i].error, points[i].work, points[i].seconds);
    }
    printf("error ~ setting^%.2f\n", slope(points));
    return true;
}

/* Error over work, a line per method, both logarithmic. */
static bool draw(const char *path, Point points[LINES][POINTS]) {
    ChartSeries series[LINES];
    zvError error;
    for (int i = 0; i < LINES; i++)
        series[i] = (ChartSeries){.label = lines[i].label,
                                  .count = POINTS,
                                  .x = &points[i][0].work,
                                  .y = &points[i][0].error,
                                  .x_stride = sizeof(Point) / sizeof(double),
                                  .y_stride = sizeof(Point) / sizeof(double),
                                  .mark = (ChartMark)(CHART_CIRCLE + i % 4)};
    const ChartPane pane = {
        .y = {.label = "largest error of an angle at t = 2 s [rad]", .log = true}, .count = LINES, .series = series};
    const Chart chart = {.title = "Ten rods falling for two seconds: work and precision",
                         .x = {.label = "evaluations of the right-hand side", .log = true},
                         .pane_count = 1,
                         .panes = &pane,
                         .width = 900,
                         .height = 560};
    if (chart_write(&chart, path, &error) >= ZV_OK) return true;
    fprintf(stderr, "zveno_work_precision: %s\n", error.text);
    return false;
}

int main(int argc, char **argv) {
    static Point points[LINES][POINTS];
    double reference[RODS];
    if (!read_reference(reference)) return EXIT_FAILURE;
    for (int i = 0; i < LINES; i++)
        if (!measure(&lines[i], reference, points[i])) return EXIT_FAILURE;
    return argc < 2 || draw(argv[1], points) ? EXIT_SUCCESS : EXIT_FAILURE;
}
