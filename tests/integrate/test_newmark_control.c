/* Structural methods over time: error control, runs in pieces with the same bits, states inside steps, events. */
#include <stdlib.h>

#include "structures.h"
#include "support/run_tests.h"

/* A damped, driven chain of masses; and van der Pol's oscillator, whose pace changes a lot. */
static Linear driven(bool books) {
    Linear l = {.n = 3, .books = books, .M = {1, 0.5, 2}, .force = {1, 0, -2}, .pace = 2, .share = 0.8};
    const double k[4] = {30, 400, 50, 10};
    for (int i = 0; i < 3; i++) {
        l.K[i][i] = k[i] + k[i + 1];
        l.D[i][i] = 0.3;
        if (i < 2) l.K[i][i + 1] = l.K[i + 1][i] = -k[i + 1];
    }
    return l;
}

static const double start[7] = {0.1, -0.2, 0.05, 0.5, 0, -0.3, 0};

static const double MU = 5;

static int pol_residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    (void)context, (void)t, (void)rest;
    r[0] = a[0] - MU * (1 - y[0] * y[0]) * y[1] + y[0];
    return 0;
}

static int pol_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = MU * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

static void pol_move(void *context, const double *q, const double *x, double *moved) {
    (void)context;
    moved[0] = q[0] + x[0];
}

static const zvStructure pol_structure = {.nq = 1, .nv = 1, .move = pol_move, .residual = pol_residual};

/* Errors follow the tolerance with exponent 2/3 (order 2, local error h^3), or are at least proportional to it where
 * the estimate is of lower order; steps vary, some are rejected. */
static void adaptive(void **state) {
    (void)state;
    const zvOde ode = {.size = 2, .rate = pol_rate, .structure = &pol_structure};
    const zvIntegrationOptions fine = {.method = "rk4", .step = 2e-4};
    double wanted[2];
    march(&ode, &fine, 10, (double[]){2, 0}, wanted);
    static const struct {
        double beta, rho, most;
    } cases[] = {{0.25, -1, 300}, {1.0 / 6, -1, 300}, {0, -1, 300}, {0, 0.8, 300}, {0, 0.3, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double gap[2];
        for (int k = 0; k < 2; k++) {
            zvStructural s = newmark_of(cases[i].beta, 0.5);
            const bool alpha = cases[i].rho >= 0;
            if (alpha) s.rho = cases[i].rho;
            s.adaptive = true;
            s.corrector_tolerance = 1e-11;
            zvIntegrationOptions o = options_of(alpha ? "generalized-alpha" : "newmark", &s, 0);
            o.rtol = o.atol = k ? 1e-7 : 1e-5;
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, (double[]){2, 0});
            run_to(in, 10);
            const zvIntegrationStatistics counts = zv_integrator_statistics(in);
            gap[k] = greatest_gap(zv_integrator_state(in), wanted, 2);
            assert_true(counts.rejected > 0);
            assert_true(counts.greatest_step > 10 * counts.least_step);
            zv_integrator_destroy(in);
        }
        const double exponent = log(gap[0] / gap[1]) / log(100);
        if (!(gap[1] < cases[i].most * 1e-7 / pow(1e-7, 1.0 / 3) && exponent > 0.55))
            fail_msg("case %zu: off by %g, %g; exponent %.2f", i, gap[0], gap[1], exponent);
    }
}

/* max_step is kept, a hopeless tolerance is told. */
static void limits(void **state) {
    (void)state;
    zvOde ode = {.size = 2, .rate = pol_rate, .structure = &pol_structure};
    zvStructural s = zv_structural_default();
    s.adaptive = true;
    zvIntegrationOptions o = options_of("newmark", &s, 0);
    o.max_step = 1e-3;
    zvIntegrator *in = make(&ode, &o);
    begin(in, 0, (double[]){2, 0});
    run_to(in, 1);
    assert_true(zv_integrator_statistics(in).greatest_step <= 1e-3 * (1 + 1e-12));
    zv_integrator_destroy(in);
    o.rtol = 0;
    zvError error = {0};
    assert_null(zv_integrator_create(&ode, &o, &error));
    assert_non_null(strstr(error.text, "rtol"));
}

/* Times and states at all steps' ends, and what is remembered there. */
enum { MOST = 4000, STATES = 7, WORDS = 64 };
typedef struct Trace {
    int count;
    double t[MOST], y[MOST][STATES], memory[MOST][WORDS];
    bool event[MOST];
} Trace;

static const double stops[] = {0.55, 1.3, 1.3000001, 2.777, 4};

static void follow(zvIntegrator *in, Trace *trace, int size) {
    trace->count = 0;
    while (zv_integrator_time(in) < 4) {
        int i = 0;
        while (stops[i] <= zv_integrator_time(in)) i++;
        trace->event[trace->count] = step(in, stops[i]) == ZV_STEP_EVENT;
        size_t words;
        const double *memory = zv_integrator_memory(in, &words);
        assert_true(words <= WORDS && trace->count + 1 < MOST);
        memcpy(trace->memory[trace->count], memory, words * sizeof *memory);
        trace->t[trace->count] = zv_integrator_time(in);
        memcpy(trace->y[trace->count++], zv_integrator_state(in), (size_t)size * sizeof(double));
    }
}

static int linear_event(void *context, double t, const double *y, double *g) {
    (void)context, (void)t;
    g[0] = y[0];
    return 0;
}

/* A run resumed from (t, y) and what is remembered has the bits of the unbroken one: with both matrices, explicit, with
 * error control, past stops and events. Without the memory it has not: the test would notice. */
static void in_pieces(void **state) {
    (void)state;
    Trace *whole = malloc(sizeof *whole), *piece = malloc(sizeof *piece);
    for (int kind = 0; kind < 6; kind++) {
        Linear l = driven(true);
        zvStructure structure;
        zvStructural s = newmark_of(kind == 2 ? 0 : 0.25, 0.5);
        s.iteration = kind == 1 || kind == 5 ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
        s.adaptive = kind == 3 || kind == 5;
        zvOde ode = linear_ode(&l, &structure);
        ode.event_count = 1;
        ode.events = linear_event;
        zvIntegrationOptions o = options_of(kind >= 4 ? "generalized-alpha" : "newmark", &s, 0.01);
        o.rtol = o.atol = 1e-4;
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0.003, start);
        follow(in, whole, 7);
        zv_integrator_destroy(in);
        int events = 0, differ = 0;
        for (int k = 0; k + 1 < whole->count; k += 7) {
            events += whole->event[k];
            if (whole->event[k]) continue; /* not a place to go on from */
            for (int forget = 0; forget < 2; forget++) {
                zvError error = {0};
                in = make(&ode, &o);
                zv_integrator_set_origin(in, 0.003);
                assert_int_equal(
                    zv_integrator_resume(in, whole->t[k], whole->y[k], forget ? NULL : whole->memory[k], &error),
                    ZV_OK);
                follow(in, piece, 7);
                zv_integrator_destroy(in);
                const bool same = piece->count == whole->count - k - 1 &&
                                  memcmp(piece->t, whole->t + k + 1, (size_t)piece->count * sizeof *piece->t) == 0 &&
                                  memcmp(piece->y, whole->y + k + 1, (size_t)piece->count * sizeof *piece->y) == 0;
                if (!forget && !same) fail_msg("kind %d, resumed after step %d of %d", kind, k, whole->count);
                if (forget) differ += !same;
            }
        }
        assert_true(differ > 0);
    }
    free(whole);
    free(piece);
}

/* Inside a step the state is as accurate as at its ends, and equal to them there. */
static void inside(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        double worst[2] = {0}, at_ends[2] = {0};
        for (int finer = 0; finer < 2; finer++) {
            Linear l = driven(true), again = driven(true);
            zvStructure structure, other;
            zvStructural s = newmark_of(kind == 1 ? 0 : 0.25, 0.5);
            s.corrector_tolerance = 1e-12;
            zvOde ode = linear_ode(&l, &structure), same = linear_ode(&again, &other);
            zvIntegrationOptions o = options_of(kind == 2 ? "generalized-alpha" : "newmark", &s, finer ? 2e-3 : 4e-3);
            const zvIntegrationOptions fine = {.method = "rk4", .step = 2.5e-4};
            zvIntegrator *in = make(&ode, &o), *right = make(&same, &fine);
            begin(in, 0, start);
            begin(right, 0, start);
            double y[7], last[7];
            memcpy(last, start, sizeof last);
            while (zv_integrator_time(in) < 2) {
                step(in, 2);
                const double a = zv_integrator_time_before(in), b = zv_integrator_time(in);
                const long asked = l.rates + l.residuals;
                zv_integrator_at(in, a, y);
                assert_true(greatest_gap(y, last, 7) < 1e-14);
                zv_integrator_at(in, a + (1 - 1e-13) * (b - a), y);
                assert_true(greatest_gap(y, zv_integrator_state(in), 7) < 1e-12);
                zv_integrator_at(in, a + 0.4 * (b - a), y);
                assert_int_equal(l.rates + l.residuals, asked); /* it costs nothing */
                run_to(right, a + 0.4 * (b - a));
                worst[finer] = fmax(worst[finer], greatest_gap(y, zv_integrator_state(right), 7));
                run_to(right, b);
                at_ends[finer] =
                    fmax(at_ends[finer], greatest_gap(zv_integrator_state(in), zv_integrator_state(right), 7));
                memcpy(last, zv_integrator_state(in), sizeof last);
            }
            assert_true(worst[finer] < 1.1 * at_ends[finer]);
            zv_integrator_destroy(in);
            zv_integrator_destroy(right);
        }
        if (fabs(log2(worst[0] / worst[1]) - 2) > 0.1) fail_msg("kind %d: %g, %g", kind, worst[0], worst[1]);
    }
}

/* x = cos t passes zero at pi/2: the event's time has the method's error, and going on from it no more. */
static void events(void **state) {
    (void)state;
    static const char *const methods[] = {"newmark", "generalized-alpha"};
    for (int m = 0; m < 2; m++) {
        double gap[2];
        for (int finer = 0; finer < 2; finer++) {
            Linear l = oscillator_of(1);
            zvStructure structure;
            zvOde ode = linear_ode(&l, &structure);
            ode.event_count = 1;
            ode.events = linear_event;
            const zvIntegrationOptions o = options_of(methods[m], NULL, finer ? 0.005 : 0.01);
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, (double[]){1, 0});
            while (step(in, 3) != ZV_STEP_EVENT) {}
            assert_true(fabs(zv_integrator_state(in)[0]) < 1e-12);
            gap[finer] = fabs(zv_integrator_time(in) - PI / 2);
            assert_int_equal(zv_integrator_fired(in)[0], -1);
            run_to(in, 6);
            const double *y = zv_integrator_state(in);
            assert_true(hypot(y[0] - cos(6), y[1] + sin(6)) < 1e-4);
            zv_integrator_destroy(in);
        }
        if (!(gap[0] < 1e-4 && fabs(log2(gap[0] / gap[1]) - 2) < 0.2))
            fail_msg("%s: %g, %g", methods[m], gap[0], gap[1]);
    }
}

TESTS(adaptive, limits, in_pieces, inside, events)
