/* Pictures of responses: Bode, singular values, step and impulse, root locus. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "verbs/response.h"

static const double TURN = 6.283185307179586;

enum { MOST_CURVES = 12, PANES = 2 };

/* Numbers and words of a picture. */
typedef struct Picture {
    const SystemResponse *r;
    int curves;
    double *x, *numbers; /* (points), panes x curves x points */
    Text labels[MOST_CURVES];
    ChartSeries series[PANES][MOST_CURVES];
    ChartPane panes[PANES];
    Chart chart;
} Picture;

static bool picture_room(Picture *p, int points, int panes) {
    p->x = calloc((size_t)points + 1, sizeof *p->x);
    p->numbers = calloc((size_t)panes * MOST_CURVES * (size_t)points + 1, sizeof *p->numbers);
    return p->x && p->numbers;
}

static double *curve_of(Picture *p, int pane, int curve) {
    return p->numbers + ((size_t)pane * MOST_CURVES + (size_t)curve) * (size_t)p->r->points;
}

/* Curves over one x axis, the labels already written. */
static void put_pane(Picture *p, int pane, const char *label, bool log) {
    for (int i = 0; i < p->curves; i++)
        p->series[pane][i] = (ChartSeries){
            .label = p->labels[i].bytes, .count = (size_t)p->r->points, .x = p->x, .y = curve_of(p, pane, i)};
    p->panes[pane] = (ChartPane){.y = {.label = label, .log = log}, .count = p->curves, .series = p->series[pane]};
    p->chart.pane_count = pane + 1;
}

static void label_pairs(Picture *p) {
    const int pairs = p->r->system.ny * p->r->system.nu;
    p->curves = pairs < MOST_CURVES ? pairs : MOST_CURVES;
    for (int i = 0; i < p->curves; i++) response_pair(p->r, i, &p->labels[i]);
}

/* Two panes over frequency. */
static bool draw_frequency(Picture *p) {
    const SystemResponse *r = p->r;
    if (!picture_room(p, r->points, 2)) return false;
    label_pairs(p);
    for (int k = 0; k < r->points; k++) p->x[k] = r->omega[k] / TURN;
    for (int i = 0; i < p->curves; i++) {
        double *phase = curve_of(p, 1, i);
        for (int k = 0; k < r->points; k++) curve_of(p, 0, i)[k] = 20 * log10(response_size(r, i, k));
        response_phase(r, i, phase);
        for (int k = 0; k < r->points; k++) phase[k] *= 360 / TURN;
    }
    p->chart.x = (ChartAxis){.label = "frequency [Hz]", .log = true};
    put_pane(p, 0, "size [dB]", false);
    put_pane(p, 1, "phase [deg]", false);
    return true;
}

/* Size over phase: curves with x of their own. */
static bool draw_nichols(Picture *p) {
    const SystemResponse *r = p->r;
    if (!picture_room(p, r->points, 2)) return false;
    label_pairs(p);
    put_pane(p, 0, "size [dB]", false);
    for (int i = 0; i < p->curves; i++) {
        double *phase = curve_of(p, 1, i);
        response_phase(r, i, phase);
        for (int k = 0; k < r->points; k++) {
            phase[k] *= 360 / TURN;
            curve_of(p, 0, i)[k] = 20 * log10(response_size(r, i, k));
        }
        p->series[0][i].x = phase;
    }
    p->chart.x = (ChartAxis){.label = "phase [deg]"};
    return true;
}

/* Both axes logarithmic. */
static bool draw_sigma(Picture *p) {
    const SystemResponse *r = p->r;
    const int most = r->system.ny < r->system.nu ? r->system.ny : r->system.nu;
    if (!picture_room(p, r->points, 1)) return false;
    p->curves = most < MOST_CURVES ? most : MOST_CURVES;
    for (int i = 0; i < p->curves; i++) text_printf(&p->labels[i], "sigma%d", i + 1);
    for (int k = 0; k < r->points; k++) {
        p->x[k] = r->omega[k] / TURN;
        for (int i = 0; i < p->curves; i++) curve_of(p, 0, i)[k] = r->sigma[k * most + i];
    }
    p->chart.x = (ChartAxis){.label = "frequency [Hz]", .log = true};
    put_pane(p, 0, "singular values", true);
    return true;
}

/* All pairs in one pane. */
static bool draw_times(Picture *p, bool impulse) {
    const SystemResponse *r = p->r;
    const int pairs = r->system.ny * r->system.nu;
    if (!picture_room(p, r->points, 1)) return false;
    label_pairs(p);
    for (int k = 0; k < r->points; k++) {
        p->x[k] = k * r->step;
        for (int i = 0; i < p->curves; i++) curve_of(p, 0, i)[k] = r->times[impulse][k * pairs + i];
    }
    p->chart.x = (ChartAxis){.label = "time [s]"};
    put_pane(p, 0, impulse ? "after a unit impulse" : "after a unit step", false);
    return true;
}

/* All poles as points, the first and the last value apart. */
static bool draw_locus(Picture *p) {
    const SystemResponse *r = p->r;
    const size_t nx = (size_t)r->locus_nx, last = (size_t)(r->values - 1) * nx;
    text_printf(&p->labels[0], "%s = %.6g", r->key, r->value[0]);
    text_puts(&p->labels[1], "between");
    text_printf(&p->labels[2], "%s = %.6g", r->key, r->value[r->values - 1]);
    const size_t from[3] = {0, nx, last}, count[3] = {nx, last - nx, nx};
    static const ChartMark marks[3] = {CHART_CIRCLE, CHART_DIAMOND, CHART_SQUARE};
    for (int i = 0; i < 3; i++)
        p->series[0][i] = (ChartSeries){.label = p->labels[i].bytes,
                                        .count = count[i],
                                        .x = r->locus_real + from[i],
                                        .y = r->locus_imag + from[i],
                                        .mark = marks[i],
                                        .no_line = true};
    p->panes[0] = (ChartPane){.y = {.label = "imaginary [1/s]"}, .count = 3, .series = p->series[0]};
    p->chart.pane_count = 1;
    p->chart.x = (ChartAxis){.label = "real [1/s]"};
    return true;
}

/* With the title of the scenario. */
static Code write_picture(Picture *p, const char *path, Text *out) {
    const char *title = p->r->plant.scenario ? zv_scenario_title(p->r->plant.scenario) : NULL;
    zvError error = {0};
    p->chart.title = title && *title ? title : p->r->args->operand;
    p->chart.panes = p->panes;
    p->chart.width = p->r->args->width;
    p->chart.height = p->r->args->height;
    const zvStatus status = chart_write(&p->chart, path, &error);
    if (status == ZV_NOT_SUPPORTED) return complain(CODE_USAGE, "%s: %s", path, error.text);
    if (status < 0) return complain_error(&error);
    text_puts(out, "wrote ");
    text_name(out, path);
    text_puts(out, "\n");
    return CODE_DONE;
}

/* One kind of picture, since each has its own x axis; poles and zeros beside it are not drawn. */
Code response_plot(const SystemResponse *r, const char *path, Text *out) {
    static const Part drawable[] = {PART_FREQUENCY, PART_NICHOLS, PART_SIGMA, PART_STEP, PART_IMPULSE, PART_LOCUS};
    int wanted = 0;
    Part part = PARTS;
    for (size_t i = 0; i < sizeof drawable / sizeof *drawable; i++) {
        if (!r->parts[drawable[i]]) continue;
        part = drawable[i];
        wanted++;
    }
    if (wanted != 1)
        return complain(
            CODE_USAGE,
            "expected one of frequency, nichols, sigma, step, impulse and --over to draw, found %d; name one: --show "
            "frequency",
            wanted);
    Picture *p = calloc(1, sizeof *p);
    if (!p) return complain_memory();
    p->r = r;
    const bool made = part == PART_FREQUENCY ? draw_frequency(p)
                      : part == PART_NICHOLS ? draw_nichols(p)
                      : part == PART_SIGMA   ? draw_sigma(p)
                      : part == PART_LOCUS   ? draw_locus(p)
                                             : draw_times(p, part == PART_IMPULSE);
    const Code code = made ? write_picture(p, path, out) : complain_memory();
    for (int i = 0; i < MOST_CURVES; i++) text_free(&p->labels[i]);
    free(p->x);
    free(p->numbers);
    free(p);
    return code;
}
