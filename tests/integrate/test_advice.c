/* Advice is given where it is deserved, and not where it is not. */
#include "problem.h"
#include "support/run_tests.h"

static double mu = 1e3;

static int van_der_pol(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

/* 1000 rad/s in position and velocity, where df/dy has entries of 1 and 1e6. */
static int fast_oscillator(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = -1e6 * y[0];
    return 0;
}

/* A square wave: f jumps a hundred times a second. */
static int jumping(void *context, double t, const double *y, double *dy) {
    (void)context, (void)y;
    dy[0] = sin(100 * PI * t) > 0 ? 1 : -1;
    return 0;
}

static const char *advice_after(const zvOde *ode, const zvIntegrationOptions *o, const double *y, double T) {
    zvIntegrator *in = make(ode, o);
    begin(in, 0, y);
    run_to(in, T);
    const char *advice = zv_integrator_advice(in);
    zv_integrator_destroy(in);
    return advice;
}

static void expect(const char *advice, const char *part, const char *what) {
    if (!part && advice) fail_msg("%s: unwanted advice: %s", what, advice);
    if (part && (!advice || !strstr(advice, part))) {
        fail_msg("%s: wanted \"%s\", got \"%s\"", what, part, advice ? advice : "nothing");
    }
}

typedef struct Row {
    const char *method;
    int order;
} Row;

static const Row explicit_rows[] = {{"adams", 0}, {"erk", 2}, {"erk", 3}, {"erk", 4},
                                    {"erk", 5},   {"erk", 6}, {"erk", 8}};
static const Row implicit_rows[] = {{"bdf", 0}, {"dirk", 4}, {"dirk", 5}};

static void stiff(void **state) {
    (void)state;
    if (!have("adams")) skip();
    double rate = 1e5;
    zvOde relaxed = {.size = 2, .rate = van_der_pol}, attracted = {.size = 1, .context = &rate, .rate = prothero_rate};
    for (size_t r = 0; r < sizeof explicit_rows / sizeof *explicit_rows; r++) {
        zvIntegrationOptions o = {
            .method = explicit_rows[r].method, .order = explicit_rows[r].order, .rtol = 1e-5, .atol = 1e-5};
        expect(advice_after(&attracted, &o, (double[]){1}, 0.2), "looks stiff", "Prothero, explicit");
        expect(advice_after(&relaxed, &o, (double[]){2, 0}, 20), "; try auto", "van der Pol, explicit");
    }
    for (size_t r = 0; r < sizeof implicit_rows / sizeof *implicit_rows; r++) {
        zvIntegrationOptions o = {
            .method = implicit_rows[r].method, .order = implicit_rows[r].order, .rtol = 1e-7, .atol = 1e-7};
        expect(advice_after(&attracted, &o, (double[]){1}, 10), NULL, "Prothero, implicit");
        expect(advice_after(&relaxed, &o, (double[]){2, 0}, 2000), NULL, "van der Pol, implicit");
    }
}

/* Sliders of 1 kg: a damper of *context N s/m under a slow force; the same left alone; one held by kp = 1e4, kd = 2000.
 */
static int damped(void *context, double t, const double *y, double *dy) {
    dy[0] = y[1];
    dy[1] = 10 * sin(3 * t) - *(double *)context * y[1];
    return 0;
}

static int coasting(void *context, double t, const double *y, double *dy) {
    (void)t;
    dy[0] = y[1];
    dy[1] = -*(double *)context * y[1];
    return 0;
}

static int held(void *context, double t, const double *y, double *dy) {
    (void)context;
    dy[0] = y[1];
    dy[1] = -1e4 * (y[0] - sin(t)) - 2000 * (y[1] - cos(t));
    return 0;
}

/* Steps until the advice contains part; `most` or more: it does not. */
static long steps_until(const zvOde *ode, const zvIntegrationOptions *o, const double *y, double T, const char *part,
                        long most) {
    zvIntegrator *in = make(ode, o);
    long steps = 0;
    begin(in, 0, y);
    for (bool told = false; !told && steps < most; steps++) {
        if (step(in, T) == ZV_STEP_STOP) steps = most;
        const char *advice = zv_integrator_advice(in);
        told = advice && strstr(advice, part);
    }
    zv_integrator_destroy(in);
    return steps;
}

static long rates_of(const zvOde *ode, const char *method) {
    zvIntegrationOptions o = {.method = method, .rtol = 1e-8, .atol = 1e-8};
    zvIntegrator *in = make(ode, &o);
    begin(in, 0, (double[]){0, 1});
    run_to(in, 5);
    const long rates = zv_integrator_statistics(in).rates;
    zv_integrator_destroy(in);
    return rates;
}

/* Dampers: adams goes on at a fortieth of a time constant without a failure, and says so long before the end. The first
 * hundred steps or so follow the fast motion at the start. */
static void strong_dampers(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const Row rows[] = {{"adams", 0}, {"erk", 3}, {"erk", 5}, {"erk", 8}};
    static int (*const rates[])(void *, double, const double *, double *) = {damped, coasting, held};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (int k = 6; k <= 10; k += 2) {
            for (int c = 0; c < 7; c++) {
                double damping = pow(10, 3 + c / 3 + (c / 3 == 2));
                zvOde ode = {.size = 2, .context = &damping, .rate = rates[c % 3]};
                zvIntegrationOptions o = {
                    .method = rows[r].method, .order = rows[r].order, .rtol = pow(10, -k), .atol = pow(10, -k)};
                if (o.order == 3 && k > 8) continue; /* there accuracy does hold it down */
                if (steps_until(&ode, &o, (double[]){0, 1}, 5, "looks stiff", 2000) < 2000) continue;
                fail_msg("%s %d at 1e-%d, rate %d, damping %g: silent", o.method, o.order, k, c % 3, damping);
            }
        }
    }
    /* what is advised takes a part of the calls of f that dirk, advised once, takes */
    zvOde slider = {.size = 2, .rate = held};
    const long by_dirk = rates_of(&slider, "dirk"), by_auto = rates_of(&slider, "auto"),
               by_bdf = rates_of(&slider, "bdf");
    if (by_auto > by_dirk / 2 || by_bdf > by_dirk / 2)
        fail_msg("auto %ld, bdf %ld, dirk %ld calls", by_auto, by_bdf, by_dirk);
    double damping = 1e3; /* most steps of bdf follow the start, but adams would take 200 times as many */
    zvOde ode = {.size = 2, .context = &damping, .rate = coasting};
    zvIntegrationOptions o = {.method = "bdf", .rtol = 1e-8, .atol = 1e-8};
    expect(advice_after(&ode, &o, (double[]){0, 1}, 5), NULL, "coasting, bdf");
}

static int lorenz(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = 10 * (y[1] - y[0]);
    dy[1] = y[0] * (28 - y[2]) - y[1];
    dy[2] = y[0] * y[1] - 8.0 / 3 * y[2];
    return 0;
}

static int following(void *context, double t, const double *y, double *dy) {
    (void)context;
    dy[0] = cos(5 * t) - y[0];
    return 0;
}

/* Modes that decay, but no faster than the motion itself changes. */
static void lively_dampers(void **state) {
    (void)state;
    if (!have("adams")) skip();
    zvOde chaos = {.size = 3, .rate = lorenz}, follower = {.size = 1, .rate = following};
    for (size_t r = 0; r < sizeof explicit_rows / sizeof *explicit_rows; r++) {
        for (int k = 4; k <= 10; k += 2) {
            zvIntegrationOptions o = {.method = explicit_rows[r].method,
                                      .order = explicit_rows[r].order,
                                      .rtol = pow(10, -k),
                                      .atol = pow(10, -k)};
            if (o.order == 2 && k > 6) continue;
            expect(advice_after(&chaos, &o, (double[]){1, 1, 1}, 20), NULL, "Lorenz");
            expect(advice_after(&follower, &o, (double[]){1}, 60), NULL, "following a cosine");
        }
    }
}

/* Coulomb friction without smoothing, stuck: f jumps to and fro at v = 0. */
static int chattering(void *context, double t, const double *y, double *dy) {
    (void)context;
    dy[0] = y[1];
    dy[1] = 2 * sin(t) - (y[1] > 0 ? 3 : -3);
    return 0;
}

/* From a start in motion, and from rest. */
static void chatter(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const char *const methods[] = {"adams", "bdf", "erk", "dirk"};
    zvOde ode = {.size = 2, .rate = chattering};
    for (int m = 0; m < 4; m++) {
        for (int moving = m == 3; moving < 2; moving++) { /* from rest dirk steps over it all */
            zvIntegrationOptions o = {.method = methods[m], .rtol = 1e-8, .atol = 1e-8};
            long steps = steps_until(&ode, &o, (double[]){0, moving}, 2, "forces may jump to and fro", 20000);
            if (steps >= 20000) fail_msg("%s, moving %d: silent", methods[m], moving);
        }
    }
}

static void fast_is_not_stiff(void **state) {
    (void)state;
    if (!have("adams")) skip();
    zvOde ode = {.size = 2, .rate = fast_oscillator};
    for (size_t r = 0; r < sizeof explicit_rows / sizeof *explicit_rows; r++) {
        zvIntegrationOptions o = {
            .method = explicit_rows[r].method, .order = explicit_rows[r].order, .rtol = 1e-6, .atol = 1e-6};
        expect(advice_after(&ode, &o, (double[]){1, 0}, 0.2), NULL, "fast oscillator");
    }
}

static void not_stiff(void **state) {
    (void)state;
    if (!have("adams")) skip();
    zvOde oscillator = {.size = 2, .rate = oscillator_rate}, ellipse = kepler();
    double y[4];
    kepler_exact(0, y);
    for (int k = 4; k <= 10; k += 2) {
        for (size_t r = 0; r < sizeof explicit_rows / sizeof *explicit_rows; r++) {
            zvIntegrationOptions o = {.method = explicit_rows[r].method,
                                      .order = explicit_rows[r].order,
                                      .rtol = pow(10, -k),
                                      .atol = pow(10, -k)};
            if (o.order == 2 && k > 8) continue; /* a million steps */
            expect(advice_after(&oscillator, &o, (double[]){1, 0}, 60), NULL, "oscillator, explicit");
            expect(advice_after(&ellipse, &o, y, 30), NULL, "ellipse, explicit");
        }
        for (size_t r = 0; k > 4 && r < sizeof implicit_rows / sizeof *implicit_rows; r++) {
            zvIntegrationOptions o = {.method = implicit_rows[r].method,
                                      .order = implicit_rows[r].order,
                                      .rtol = pow(10, -k),
                                      .atol = pow(10, -k)};
            expect(advice_after(&oscillator, &o, (double[]){1, 0}, 60), "not look stiff", "oscillator, implicit");
            expect(advice_after(&ellipse, &o, y, 30), "not look stiff", "ellipse, implicit");
        }
    }
}

static void fixed_step(void **state) {
    (void)state;
    double rate = 1e3;
    zvOde attracted = {.size = 1, .context = &rate, .rate = prothero_rate};
    zvIntegrationOptions o = {.method = "rk4", .step = 2.6e-3};
    expect(advice_after(&attracted, &o, (double[]){1}, 1), NULL, "inside the stability region");
    o.step = 3e-3;
    expect(advice_after(&attracted, &o, (double[]){1}, 1), "too long", "outside of it");
}

static void tolerances_and_jumps(void **state) {
    (void)state;
    if (!have("adams")) skip();
    zvOde oscillator = {.size = 2, .rate = oscillator_rate}, wave = {.size = 1, .rate = jumping};
    zvIntegrationOptions o = {.method = "adams", .rtol = 1e-13, .atol = 1e-13};
    expect(advice_after(&oscillator, &o, (double[]){1, 0}, 10), "near rounding", "rtol 1e-13");
    o.rtol = o.atol = 1e-12;
    expect(advice_after(&oscillator, &o, (double[]){1, 0}, 10), NULL, "rtol 1e-12");
    o = (zvIntegrationOptions){.method = "erk", .rtol = 1e-6, .atol = 1e-6};
    expect(advice_after(&wave, &o, (double[]){0}, 2), "rejected", "a square wave");
}

TESTS(stiff, strong_dampers, lively_dampers, chatter, fast_is_not_stiff, not_stiff, fixed_step, tolerances_and_jumps)
