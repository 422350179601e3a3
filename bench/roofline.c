/* zveno_roofline [OUT.svg]: how near each engine comes to what the processor can do.
 *
 * For every function of the seven-joint arm: the operations that the answer needs, as the tracer counts them for this
 * robot (constants folded, common subexpressions once; a sine, a cosine, a division count one each), over the time of a
 * call, against the fastest loops of fused multiply-adds, and over operations per byte of what goes in and out. The
 * count is the same for all engines, so that useful work is compared, not work done. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "chart/chart.h"
#include "peak.h"
#include "rows.h"
#include "study.h"
#include "timer.h"
#include "zveno/codegen.h"
#include "zveno/version.h"

enum { ROUNDS = 25, FUNCTIONS = 5 };
static const double batch = 2e-3; /* s */

static const struct {
    Task task;
    zvGenerated function;
    int inputs; /* of nq or nv numbers each */
} functions[FUNCTIONS] = {{TASK_JACOBIAN, ZV_GENERATED_JACOBIAN, 1},
                          {TASK_MASS, ZV_GENERATED_MASS, 1},
                          {TASK_MASS_INVERSE, ZV_GENERATED_MINV, 1},
                          {TASK_INVERSE, ZV_GENERATED_INVERSE, 3},
                          {TASK_FORWARD, ZV_GENERATED_FORWARD, 3}};

typedef struct Point {
    double operations, intensity, gflops;
} Point;

static bool go_on(void *context, double done) {
    (void)context;
    (void)done;
    return true;
}

static double operations_of(const Runner *runner, zvGenerated function) {
    zvOperations o;
    zvError error = {0};
    const zvStatus status = zv_count_generated(runner->model, function, runner->tree->tip_frame, &o, &error);
    study_demand(status >= 0, &error);
    return (double)(o.mul + o.add + o.div + o.trig);
}

static Point place(const Rows *rows, int engine, int f) {
    const Runner *runner = &rows->roster->runner[0];
    const Task task = functions[f].task;
    const double nv = runner->tree->nv, size = engine == LANES_SINGLE ? sizeof(float) : sizeof(double);
    const double numbers = functions[f].inputs * nv + (double)task_size(task, runner->ring);
    Point p = {.operations = operations_of(runner, functions[f].function)};
    p.intensity = p.operations / (size * numbers);
    p.gflops = p.operations / timing_best(&rows->timing[0][task][engine]);
    return p;
}

/* Work per byte and speed of each function, under the peaks of the machine. */
static void print(const Roster *roster, Point point[OWN_ENGINES][FUNCTIONS], const Peak *peak) {
    char cpu[128];
    printf("%s, Zveno %s on %s kernels, cobot7\n", timer_cpu_name(cpu, sizeof cpu), zv_version(), zv_isa_name());
    printf("peak, Gflop/s: scalar %.1f, %s double %.1f, %s single %.1f; GB/s: cache %.0f, memory %.1f\n\n",
           peak->scalar, peak->vector, peak->vector_double, peak->vector, peak->vector_single, peak->cache,
           peak->memory);
    printf("%-12s %-10s %10s %10s %10s %10s %8s\n", "engine", "function", "operations", "ops/byte", "ns", "Gflop/s",
           "of peak");
    for (int e = 0; e < OWN_ENGINES; e++)
        for (int f = 0; f < FUNCTIONS; f++) {
            const Point *p = &point[e][f];
            const double top = e == LANES_SINGLE                    ? peak->vector_single
                               : e == LANES || e == GENERATED_LANES ? peak->vector_double
                                                                    : peak->scalar;
            if (!isfinite(p->gflops)) continue;
            printf("%-12s %-10s %10.0f %10.2f %10.1f %10.2f %7.0f%%\n", roster_engine_name(roster, e),
                   task_name(functions[f].task), p->operations, p->intensity, p->operations / p->gflops, p->gflops,
                   100 * p->gflops / top);
        }
}

/* The roof of one peak: what memory feeds, up to the peak. */
static void roof(double peak, double bandwidth, double x[3], double y[3]) {
    x[0] = 0.05;
    x[1] = peak / bandwidth;
    x[2] = 100;
    y[0] = bandwidth * x[0];
    y[1] = y[2] = peak;
}

/* The roofs as lines, the functions of each engine as marks. */
static void draw(const Roster *roster, Point point[OWN_ENGINES][FUNCTIONS], const Peak *peak, const char *path) {
    static const ChartMark marks[OWN_ENGINES] = {CHART_CIRCLE, CHART_SQUARE, CHART_TRIANGLE, CHART_DIAMOND,
                                                 CHART_SQUARE};
    const double tops[3] = {peak->scalar, peak->vector_double, peak->vector_single};
    const double slope_x[2] = {0.05, peak->vector_double / peak->memory}, slope_y[2] = {0.05 * peak->memory, tops[1]};
    double x[3][3], y[3][3];
    char label[3][64], memory[64], note[64], title[240], cpu[128];
    ChartSeries series[OWN_ENGINES + 4];
    ChartMoment moments[FUNCTIONS];
    int count = 0;
    snprintf(label[0], sizeof label[0], "roof: scalar, double");
    snprintf(label[1], sizeof label[1], "roof: %s, double", peak->vector);
    snprintf(label[2], sizeof label[2], "roof: %s, single", peak->vector);
    snprintf(memory, sizeof memory, "memory, %.0f GB/s", peak->memory);
    snprintf(note, sizeof note, "slopes: cache, %.0f GB/s", peak->cache);
    snprintf(title, sizeof title,
             "%s; useful operations of a seven-joint arm; points: engines, lines: what the machine can do at most, "
             "dotted: functions in double",
             timer_cpu_name(cpu, sizeof cpu));
    for (int e = 0; e < OWN_ENGINES; e++)
        series[count++] = (ChartSeries){.label = roster_engine_name(roster, e),
                                        .count = FUNCTIONS,
                                        .x = &point[e][0].intensity,
                                        .y = &point[e][0].gflops,
                                        .x_stride = sizeof(Point) / sizeof(double),
                                        .y_stride = sizeof(Point) / sizeof(double),
                                        .mark = marks[e],
                                        .no_line = true};
    for (int k = 0; k < 3; k++) {
        roof(tops[k], peak->cache, x[k], y[k]);
        series[count++] = (ChartSeries){.label = label[k], .count = 3, .x = x[k], .y = y[k]};
    }
    series[count++] = (ChartSeries){.label = memory, .count = 2, .x = slope_x, .y = slope_y};
    for (int f = 0; f < FUNCTIONS; f++)
        moments[f] = (ChartMoment){point[ZVENO][f].intensity, task_name(functions[f].task)};
    const ChartPane pane = {.note = note,
                            .y = {.label = "Gflop/s", .log = true, .lower = 0.5, .upper = 200},
                            .count = count,
                            .series = series};
    const Chart chart = {
        .title = "How near the machine's peak",
        .subtitle = title,
        .x = {.label = "operations per byte of inputs and outputs", .log = true, .lower = 0.1, .upper = 20},
        .pane_count = 1,
        .panes = &pane,
        .moment_count = FUNCTIONS,
        .moments = moments,
        .width = 900,
        .height = 620};
    zvError error = {0};
    study_demand(chart_write(&chart, path, &error) >= 0, &error);
    printf("\ndrawn: %s\n", path);
}

/* Measures peaks and functions, prints, and draws where a path was given. */
int main(int argc, char **argv) {
    static Point point[OWN_ENGINES][FUNCTIONS];
    Roster roster = {0};
    Rows rows;
    zvError error = {0};
    Plan plan = {.rounds = ROUNDS, .batch = batch, .tell = go_on};
    for (int f = 0; f < FUNCTIONS; f++) plan.tasks |= 1u << functions[f].task;
    study_demand(roster_add_builtin(&roster, "cobot7", &error) >= 0, &error);
    study_demand(roster_open(&roster, 0, plan.tasks, &error) >= 0, &error);
    timer_pin(-1);
    const Peak peak = peak_measure();
    study_demand(rows_measure(&rows, &roster, &plan) == ZV_OK, &error);
    for (int e = 0; e < OWN_ENGINES; e++)
        for (int f = 0; f < FUNCTIONS; f++) point[e][f] = place(&rows, e, f);
    print(&roster, point, &peak);
    if (argc > 1) draw(&roster, point, &peak, argv[1]);
    rows_destroy(&rows);
    roster_empty(&roster);
    return EXIT_SUCCESS;
}
