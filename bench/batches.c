/* zveno_batches [-q QUESTION] [-m MODEL] [-n COUNT] [OUT.svg]: what a state costs in a batch, over the number of
 * states.
 *
 * Six questions, four robots (or one), one thread. Three orders in turn, as often as there is time for, the fastest
 * round of each: a loop over single states, which lie one after the other, as their answers do, all of which are kept;
 * a batch of the same arrays; a batch whose arrays have coordinate after coordinate. '!' marks a batch that takes more
 * than a twentieth longer than the loop. The picture: ns per state. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "chain.h"
#include "chart/chart.h"
#include "study.h"
#include "timer.h"
#include "zveno/batch.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/read.h"
#include "zveno/version.h"

enum { MOST_ROBOTS = 4, COUNTS = 11, LINKS_OF_CHAIN = 100, MOST_ROUNDS = 25 };
static const size_t counts[COUNTS] = {1, 2, 3, 4, 8, 16, 64, 512, 4096, 65536, 1000000};
static const double most_bytes = 1e9, enough = 0.1; /* of all answers of a batch; s for a place of the table */

typedef enum Asked { INVERSE, MASS, FORWARD, MINV, D_INVERSE, D_FORWARD, QUESTIONS } Asked;
static const char *const question_names[QUESTIONS] = {"inverse", "mass", "forward", "minv", "d-inverse", "d-forward"};

typedef enum Order { SINGLE, STATES, COORDINATES, ORDERS } Order;

/* A robot, and arrays for the largest number of states. */
typedef struct Robot {
    const char *name;
    zvModel *model;
    zvWork *work;
    zvBatch *batch[ORDERS]; /* none of SINGLE */
    size_t nq, nv;
    double *q, *v, *x, *out[3];
} Robot;

/* ns per state; not a number where memory ends. */
typedef double Times[COUNTS][ORDERS];

/* Matrices that a question answers with, besides a vector of accelerations; 0: one vector. */
static int matrices_of(Asked asked) {
    static const int matrices[QUESTIONS] = {[MASS] = 1, [MINV] = 1, [D_INVERSE] = 3, [D_FORWARD] = 3};
    return matrices[asked];
}
static double bytes_of(const Robot *r, Asked asked, size_t count) {
    const double nv = (double)r->nv;
    return 8.0 * (double)count * (matrices_of(asked) ? matrices_of(asked) * nv * nv : nv);
}

static void ask_single(const Robot *r, Asked asked, size_t s) {
    const double *q = r->q + s * r->nq, *v = r->v + s * r->nv, *x = r->x + s * r->nv;
    const size_t at = s * r->nv * (matrices_of(asked) ? r->nv : 1);
    double *const *out = r->out;
    switch (asked) {
    case INVERSE: (void)zv_inverse_dynamics(r->model, r->work, q, v, x, NULL, out[0] + at); break;
    case MASS: (void)zv_mass_matrix(r->model, r->work, q, out[0] + at); break;
    case FORWARD: (void)zv_forward_dynamics(r->model, r->work, q, v, x, NULL, out[0] + at); break;
    case MINV: (void)zv_mass_inverse(r->model, r->work, q, out[0] + at); break;
    case D_INVERSE:
        (void)zv_inverse_derivatives(r->model, r->work, q, v, x, NULL, out[0] + at, out[1] + at, out[2] + at);
        break;
    default:
        (void)zv_forward_derivatives(r->model, r->work, q, v, x, NULL, NULL, out[0] + at, out[1] + at, out[2] + at);
    }
}

static void ask_batch(const Robot *r, Asked asked, Order order, size_t n) {
    zvBatch *b = r->batch[order];
    double *const *out = r->out;
    switch (asked) {
    case INVERSE: (void)zv_batch_inverse(b, n, r->q, r->v, r->x, NULL, out[0]); break;
    case MASS: (void)zv_batch_mass(b, n, r->q, out[0]); break;
    case FORWARD: (void)zv_batch_forward(b, n, r->q, r->v, r->x, NULL, out[0], NULL); break;
    case MINV: (void)zv_batch_minv(b, n, r->q, out[0], NULL); break;
    case D_INVERSE: (void)zv_batch_inverse_derivatives(b, n, r->q, r->v, r->x, NULL, out[0], out[1], out[2]); break;
    default: (void)zv_batch_forward_derivatives(b, n, r->q, r->v, r->x, NULL, NULL, out[0], out[1], out[2], NULL);
    }
}

/* Seconds of `calls` questions of n states. */
static double ask(const Robot *r, Asked asked, Order order, size_t n, long calls) {
    const double start = study_now();
    for (long i = 0; i < calls; i++) {
        if (order != SINGLE) ask_batch(r, asked, order, n);
        for (size_t s = 0; s < n && order == SINGLE; s++) ask_single(r, asked, s);
    }
    return study_now() - start;
}

/* Unit quaternions of free bases aside, any numbers do as positions: all orders are given the same states. */
static void fill(const Robot *r, Order order, size_t n) {
    const size_t width[2] = {r->nq, r->nv};
    for (size_t s = 0; s < n; s++)
        for (int a = 0; a < 3; a++)
            for (size_t i = 0; i < width[a > 0]; i++) {
                const size_t at = order == COORDINATES ? i * n + s : s * width[a > 0] + i;
                const bool unit = a == 0 && r->nq > r->nv && i > 2 && i < 7;
                (a == 0   ? r->q
                 : a == 1 ? r->v
                          : r->x)[at] = unit ? 0.5 : (double)((i * 37 + s * 101 + (size_t)a * 7) % 512) / 256 - 1;
            }
}

/* One place of the table: rounds of all in turn, after one that is not counted. */
static void measure(const Robot *r, Asked asked, size_t n, double *ns) {
    double total = 0;
    long calls = 1;
    for (int w = 0; w < ORDERS; w++) ns[w] = INFINITY;
    for (int round = -1; round < MOST_ROUNDS && (round < 1 || total < enough); round++)
        for (int w = 0; w < ORDERS; w++) {
            if (n > 512) fill(r, (Order)w, n);
            if (round < 0) calls = 1 + (long)(2e-4 / fmax(1e-7, ask(r, asked, (Order)w, n, 1)));
            const double seconds = ask(r, asked, (Order)w, n, calls);
            if (round >= 0) ns[w] = fmin(ns[w], 1e9 * seconds / (double)calls / (double)n);
            if (round >= 0) total += seconds;
        }
}

static void open_robot(Robot *r, const char *name) {
    zvError error = {0};
    char path[1024];
    const zvBatchOptions coordinates = {.threads = 1}, states = {.threads = 1, .layout = ZV_LAYOUT_STATES};
    *r = (Robot){.name = name};
    snprintf(path, sizeof path, "%s/models/%s.yaml", BENCH_SOURCE, name);
    if (!strcmp(name, "chain100"))
        study_demand(chain_create(LINKS_OF_CHAIN, &r->model, &error) >= 0, &error);
    else
        study_demand(zv_model_read(strchr(name, '/') ? name : path, &r->model, &error) >= 0, &error);
    r->nq = (size_t)zv_model_nq(r->model), r->nv = (size_t)zv_model_nv(r->model);
    r->work = zv_work_create(r->model, &error);
    r->batch[STATES] = zv_batch_create(r->model, &states, &error);
    r->batch[COORDINATES] = zv_batch_create(r->model, &coordinates, &error);
    study_demand(r->work && r->batch[STATES] && r->batch[COORDINATES], &error);
}

static void close_robot(Robot *r) {
    for (int w = 0; w < ORDERS; w++) zv_batch_destroy(r->batch[w]);
    zv_work_destroy(r->work);
    zv_model_destroy(r->model);
}

static double *numbers(size_t count) {
    double *x = aligned_alloc(64, (count * sizeof *x + 63) / 64 * 64);
    const zvError none = {0};
    study_demand(x != NULL, &none);
    memset(x, 0, count * sizeof *x);
    return x;
}

/* A line of the table for each number of states, in arrays that are made for it. */
static void question(Robot *r, Asked asked, size_t only, Times times) {
    for (int k = 0; k < COUNTS; k++) {
        const size_t n = counts[k];
        for (int w = 0; w < ORDERS; w++) times[k][w] = NAN;
        if ((only && n != only) || bytes_of(r, asked, n) > most_bytes) continue;
        r->q = numbers(n * r->nq), r->v = numbers(n * r->nv), r->x = numbers(n * r->nv);
        for (int i = 0; i < 3; i++)
            r->out[i] =
                i < 1 + (matrices_of(asked) == 3) * 2 ? numbers(n * r->nv * (matrices_of(asked) ? r->nv : 1)) : NULL;
        fill(r, SINGLE, n);
        measure(r, asked, n, times[k]);
        printf("%-12s %-10s %8zu", r->name, question_names[asked], n);
        for (int w = 0; w < ORDERS; w++)
            printf(" %11.1f%c", times[k][w], times[k][w] > 1.05 * times[k][SINGLE] ? '!' : ' ');
        printf(" %8.2f %8.2f\n", times[k][SINGLE] / times[k][STATES], times[k][SINGLE] / times[k][COORDINATES]);
        fflush(stdout);
        free(r->q), free(r->v), free(r->x);
        for (int i = 0; i < 3; i++) free(r->out[i]);
    }
}

/* A pane per question, a line per robot and order; that of the loop has no marks. */
static void draw(int robots, const char *const *names, Times (*times)[QUESTIONS], const char *path) {
    static const char *const orders[ORDERS] = {"loop", "states", "coordinates"};
    static const ChartMark marks[ORDERS] = {CHART_NO_MARK, CHART_CIRCLE, CHART_SQUARE};
    static double states[COUNTS];
    static char label[MOST_ROBOTS][ORDERS][64];
    ChartSeries series[QUESTIONS][ORDERS * MOST_ROBOTS];
    ChartPane panes[QUESTIONS];
    char cpu[128], machine[192];
    snprintf(machine, sizeof machine, "%s, one core, %s kernels", timer_cpu_name(cpu, sizeof cpu), zv_isa_name());
    for (int k = 0; k < COUNTS; k++) states[k] = (double)counts[k];
    for (int a = 0; a < QUESTIONS; a++) {
        for (int i = 0; i < ORDERS * robots; i++) {
            const int r = i / ORDERS, w = i % ORDERS;
            snprintf(label[r][w], sizeof *label[r], "%s, %s", names[r], orders[w]);
            series[a][i] = (ChartSeries){.label = a ? NULL : label[r][w],
                                         .count = COUNTS,
                                         .x = states,
                                         .y = &times[r][a][0][w],
                                         .y_stride = ORDERS,
                                         .color = r + 1,
                                         .mark = marks[w]};
        }
        panes[a] = (ChartPane){.title = question_names[a],
                               .count = ORDERS * robots,
                               .series = series[a],
                               .y = {.label = "ns per state", .log = true}};
    }
    const Chart chart = {.title = "A state in a batch, and in a loop over single states",
                         .subtitle = machine,
                         .x = {.label = "states N", .log = true, .lower = 0.7, .upper = 1.5e6},
                         .pane_count = QUESTIONS,
                         .panes = panes,
                         .width = 900,
                         .height = 1900};
    zvError error = {0};
    study_demand(chart_write(&chart, path, &error) >= 0, &error);
    printf("drawn: %s\n", path);
}

int main(int argc, char **argv) {
    static const char *all[MOST_ROBOTS] = {"cobot7", "quadruped", "humanoid50", "chain100"};
    static Times times[MOST_ROBOTS][QUESTIONS];
    const char **names = all, *asked = NULL;
    int robots = MOST_ROBOTS;
    size_t only = 0;
    for (int option; (option = getopt(argc, argv, "q:m:n:")) != -1;) {
        if (option == 'q') asked = optarg;
        if (option == 'm') all[0] = optarg, robots = 1;
        if (option == 'n') only = strtoul(optarg, NULL, 10);
        if (option == '?') return 2;
    }
    printf("%s kernels, one thread, ns per state\n%-12s %-10s %8s %12s %12s %12s  gain: states, coordinates\n",
           zv_isa_name(), "robot", "question", "N", "loop", "states", "coordinates");
    for (int r = 0; r < robots; r++) {
        Robot robot;
        open_robot(&robot, names[r]);
        for (int a = 0; a < QUESTIONS; a++)
            if (!asked || !strcmp(asked, question_names[a])) question(&robot, (Asked)a, only, times[r][a]);
        close_robot(&robot);
    }
    if (optind < argc) draw(robots, names, times, argv[optind]);
    return 0;
}
