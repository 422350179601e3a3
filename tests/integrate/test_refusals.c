/* What is refused, what fails, and what is said then. */
#include "problem.h"
#include "support/run_tests.h"

static void expect_refused(const zvOde *ode, zvIntegrationOptions o, zvStatus status, const char *part) {
    zvError error = {0};
    zvIntegrator *in = zv_integrator_create(ode, &o, &error);
    if (in || error.status != status || !strstr(error.text, part)) {
        fail_msg("wanted \"%s\", got %s \"%s\"", part, zv_status_name(error.status), error.text);
    }
    zv_integrator_destroy(in);
    assert_null(zv_integrator_create(ode, &o, NULL)); /* without a place for the text too */
}

static void options(void **state) {
    (void)state;
    zvOde ode = {.size = 2, .rate = oscillator_rate};
    static const double scale[2] = {1, -1};
    zvIntegrationOptions fixed = {.method = "rk4", .step = 0.1}, o = fixed;
    o.method = "rk5";
    expect_refused(&ode, o, ZV_NAME, "did you mean rk4?");
    o.method = "predictor-corrector";
    expect_refused(&ode, o, ZV_NAME, "there are");
    o = fixed, o.step = -0.1;
    expect_refused(&ode, o, ZV_NUMBER, "step: expected a positive number, or 0 for the method's own, found -0.1");
    o.step = NAN;
    expect_refused(&ode, o, ZV_NUMBER, "found nan");
    o = fixed, o.order = 5;
    expect_refused(&ode, o, ZV_NUMBER, "rk4: expected order 4, found 5");
    o = fixed, o.max_step = -1;
    expect_refused(&ode, o, ZV_NUMBER, "max_step: expected a positive number, or 0 for none, found -1");
    o = fixed, o.max_steps = -1;
    expect_refused(&ode, o, ZV_NUMBER, "max_steps: expected a positive number, or 0 for none, found -1");
    o = fixed, o.method = "euler";
    expect_refused(&ode, o, ZV_NOT_SUPPORTED, "which unknowns are positions");
    ode.size = -1;
    expect_refused(&ode, fixed, ZV_SIZE, "expected 0 or more unknowns, found -1");
    ode.size = 2;
    if (!have("adams")) return;
    o = zv_integration_default(), o.rtol = 0;
    expect_refused(&ode, o, ZV_NUMBER, "rtol: expected a number between 0 and 1, found 0");
    o.rtol = -1e-3;
    expect_refused(&ode, o, ZV_NUMBER, "rtol: expected a number between 0 and 1, found -0.001");
    o.rtol = NAN;
    expect_refused(&ode, o, ZV_NUMBER, "rtol: expected a number between 0 and 1, found nan");
    o = zv_integration_default(), o.atol = -1;
    expect_refused(&ode, o, ZV_NUMBER, "atol: expected 0 or a positive number, found -1");
    o = zv_integration_default(), o.scale = scale;
    expect_refused(&ode, o, ZV_NUMBER, "scale: expected 0 or a positive factor of atol, found -1");
    o = zv_integration_default(), o.order = 13;
    expect_refused(&ode, o, ZV_NUMBER, "auto: expected an order from 2 to 8, found 13");
    o = (zvIntegrationOptions){.method = "erk", .order = 7, .rtol = 1e-6, .atol = 1e-6};
    expect_refused(&ode, o, ZV_NUMBER, "not 7; take 8");
}

static void expect_failure(zvStatus got, const zvError *error, zvStatus status, const char *part) {
    if (got != status || error->status != status || !strstr(error->text, part)) {
        fail_msg("wanted %s \"%s\", got %s \"%s\"", zv_status_name(status), part, zv_status_name(got), error->text);
    }
}

static void starts_and_stops(void **state) {
    (void)state;
    zvOde ode = {.size = 2, .rate = oscillator_rate};
    zvIntegrationOptions o = {.method = "rk4", .step = 0.1};
    zvIntegrator *in = make(&ode, &o);
    zvError error = {0};
    zvStepEnd end;
    expect_failure(zv_integrator_start(in, 0, (double[]){1, NAN}, &error), &error, ZV_NUMBER, "entry 2");
    expect_failure(zv_integrator_start(in, INFINITY, (double[]){1, 0}, &error), &error, ZV_NUMBER, "t = inf");
    begin(in, 1, (double[]){1, 0});
    expect_failure(zv_integrator_step(in, 0.5, &end, &error), &error, ZV_NUMBER, "from t = 1 cannot end at 0.5");
    expect_failure(zv_integrator_step(in, INFINITY, &end, &error), &error, ZV_NUMBER, "cannot end at inf");
    zv_integrator_destroy(in);
    o.max_steps = 3;
    in = make(&ode, &o);
    begin(in, 0, (double[]){1, 0});
    for (int k = 0; k < 3; k++) step(in, 10);
    expect_failure(zv_integrator_step(in, 10, &end, &error), &error, ZV_NO_CONVERGENCE, "3 steps done");
    begin(in, zv_integrator_time(in), zv_integrator_state(in)); /* counts anew; its own state is a fine argument */
    step(in, 10);
    assert_int_equal(zv_integrator_statistics(in).restarts, 1);
    zv_integrator_destroy(in);
}

static int to_nan(void *context, double t, const double *y, double *dy) {
    (void)context, (void)y;
    dy[0] = t > 0.5 ? NAN : 1;
    return 0;
}

static int refuses(void *context, double t, const double *y, double *dy) {
    (void)y;
    dy[0] = 1;
    return t > 0.5 ? *(int *)context : 0;
}

static int blows_up(void *context, double t, const double *y, double *dy) { /* y = 1 / (1 - t) */
    (void)context, (void)t;
    dy[0] = y[0] * y[0];
    return 0;
}

static zvStatus run_until_failure(zvIntegrator *in, double T, zvError *error) {
    zvStepEnd end = ZV_STEP_INSIDE;
    zvStatus status = ZV_OK;
    while (status >= 0 && end != ZV_STEP_STOP) status = zv_integrator_step(in, T, &end, error);
    return status;
}

static void failing_functions(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        if (strcmp(rows[m].name, "euler") == 0) continue;
        zvIntegrationOptions o = {.method = rows[m].name, .rtol = 1e-6, .atol = 1e-6};
        if (rows[m].family == ZV_FAMILY_FIXED_STEP) o.step = 0.03;
        static const int answers[] = {1, -1};
        const zvOde odes[] = {{.size = 1, .rate = to_nan},
                              {.size = 1, .rate = refuses, .context = (void *)&answers[0]},
                              {.size = 1, .rate = refuses, .context = (void *)&answers[1]}};
        static const char *const parts[] = {"the right-hand side is not finite at t = 0.5",
                                            "cannot be computed at t = 0.5", "gave up at t = 0."};
        for (int k = 0; k < 3; k++) {
            zvError error = {0};
            zvIntegrator *in = make(&odes[k], &o);
            begin(in, 0, (double[]){0});
            expect_failure(run_until_failure(in, 2, &error), &error, ZV_NO_CONVERGENCE, parts[k]);
            assert_true(isfinite(zv_integrator_state(in)[0])); /* the last good state is kept */
            assert_true(zv_integrator_time(in) < 1);
            begin(in, 0, (double[]){0}); /* and the integrator can be used again */
            step(in, 0.1);
            zv_integrator_destroy(in);
        }
    }
}

static int not_below_zero(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = -50 * y[0];
    return y[0] < 0;
}

/* A first step that overshoots into where f is not defined is made shorter; the run goes on. */
static void refused_tries(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const char *const names[] = {"auto", "adams", "bdf", "erk", "dirk"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        zvOde ode = {.size = 1, .rate = not_below_zero};
        zvIntegrationOptions o = {.method = names[m], .rtol = 1e-6, .atol = 1e-12, .step = 0.1};
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){1});
        run_to(in, 0.3);
        double error = fabs(zv_integrator_state(in)[0] / exp(-15) - 1);
        if (error > 1e-3) fail_msg("%s: relative error %g", names[m], error);
        assert_true(zv_integrator_statistics(in).rejected > 0);
        zv_integrator_destroy(in);
    }
}

static void runaway(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const char *const names[] = {"auto", "adams", "bdf", "erk", "dirk"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        zvOde ode = {.size = 1, .rate = blows_up};
        zvIntegrationOptions o = {.method = names[m], .rtol = 1e-6, .atol = 1e-6, .max_steps = 100000};
        zvIntegrator *in = make(&ode, &o);
        zvError error = {0};
        begin(in, 0, (double[]){1});
        expect_failure(run_until_failure(in, 2, &error), &error, ZV_NO_CONVERGENCE, "t = ");
        if (fabs(zv_integrator_time(in) - 1) > 1e-3) fail_msg("%s: %s", names[m], error.text);
        zv_integrator_destroy(in);
    }
}

/* Slopes that are numbers, but so large that their sums are not. */
static int huge_rate(void *context, double t, const double *y, double *rate) {
    (void)context, (void)y;
    rate[0] = 1.7e308 * cos(40 * t);
    return 0;
}

static void sums_beyond_numbers(void **state) {
    (void)state;
    if (!have("erk")) skip();
    const zvOde ode = {.size = 1, .rate = huge_rate};
    const zvIntegrationOptions o = {.method = "erk", .order = 8, .rtol = 1e-6, .atol = 1e-6, .step = 50};
    zvError error = {0};
    zvIntegrator *in = zv_integrator_create(&ode, &o, &error);
    assert_non_null(in);
    assert_int_equal(zv_integrator_start(in, 0, (double[]){0}, &error), ZV_OK);
    zvStepEnd end;
    for (int i = 0; i < 100 && zv_integrator_step(in, 100, &end, &error) == ZV_OK; i++)
        assert_true(isfinite(zv_integrator_state(in)[0]));
    assert_true(zv_integrator_statistics(in).rejected > 0);
    zv_integrator_destroy(in);
}

static void no_weight(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const char *const names[] = {"auto", "adams", "bdf", "erk", "dirk"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        zvOde ode = {.size = 2, .rate = oscillator_rate};
        zvIntegrationOptions o = {.method = names[m], .rtol = 1e-6};
        zvIntegrator *in = make(&ode, &o);
        zvError error = {0};
        begin(in, 0, (double[]){1, 0});
        expect_failure(run_until_failure(in, 2, &error), &error, ZV_NO_CONVERGENCE, "atol");
        zv_integrator_destroy(in);
    }
}

static int nothing(void *context, double t, const double *y, double *dy) {
    (void)t, (void)y, (void)dy;
    ++*(int *)context;
    return 0;
}

static int time_event(void *context, double t, const double *y, double *g) {
    (void)context, (void)y;
    g[0] = t - 0.25;
    return 0;
}

/* No unknowns: time passes, and events that depend on it fire. */
static void empty(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        int calls = 0;
        zvOde ode = {.size = 0,
                     .context = &calls,
                     .rate = nothing,
                     .position_rate = nothing,
                     .is_position = (const unsigned char *)"",
                     .event_count = 1,
                     .events = time_event};
        zvIntegrationOptions o = {.method = rows[m].name, .rtol = 1e-6, .atol = 1e-6, .step = 0.1};
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, NULL);
        while (step(in, 1) != ZV_STEP_EVENT) {}
        assert_true(fabs(zv_integrator_time(in) - 0.25) < 1e-13);
        zv_integrator_at(in, 0.2, NULL);
        run_to(in, 1);
        assert_true(zv_integrator_time(in) == 1);
        zv_integrator_destroy(in);
    }
    zv_integrator_destroy(NULL);
}

/* The factors of atol count: a coordinate that is let loose makes long steps. */
static void scales(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const char *const names[] = {"auto", "adams", "bdf", "erk", "dirk"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        long steps[2];
        for (int k = 0; k < 2; k++) {
            double scale[2] = {k ? 1e6 : 1, k ? 1e6 : 1};
            zvOde ode = {.size = 2, .rate = oscillator_rate};
            zvIntegrationOptions o = {.method = names[m], .rtol = 1e-12, .atol = 1e-10, .scale = scale};
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, (double[]){1, 0});
            run_to(in, 10);
            steps[k] = zv_integrator_statistics(in).steps;
            zv_integrator_destroy(in);
        }
        assert_true(steps[1] * 3 < steps[0]);
    }
}

/* The table: names are found, orders make sense, the first row is the default. */
static void table(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    assert_true(count >= 2);
    assert_string_equal(zv_integration_default().method, rows[0].name);
    assert_null(zv_integration_method_find("Adams"));
    for (size_t m = 0; m < count; m++) {
        assert_ptr_equal(zv_integration_method_find(rows[m].name), &rows[m]);
        assert_true(rows[m].least_order <= rows[m].usual_order && rows[m].usual_order <= rows[m].greatest_order);
        assert_true(rows[m].about[0] && rows[m].source[0]);
    }
}

/* At t = 1e16 neighbouring times are 2 s apart: a step of 0.1 s is none. */
static void steps_below_rounding(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "erk", "bdf"};
    for (int i = 0; i < 3 && have(methods[i]); i++) {
        zvOde ode = {.size = 2, .rate = oscillator_rate};
        zvIntegrationOptions o = {.method = methods[i], .step = i ? 0 : 0.1, .rtol = 1e-6, .atol = 1e-9};
        zvError error = {0};
        zvIntegrator *in = zv_integrator_create(&ode, &o, &error);
        const double y[2] = {1, 0};
        zvStepEnd end;
        zvStatus status = zv_integrator_start(in, 1e16, y, &error);
        for (int k = 0; k < 100 && status >= 0; k++) status = zv_integrator_step(in, 1e16 + 1e6, &end, &error);
        expect_failure(status, &error, ZV_NO_CONVERGENCE,
                       "expected steps that the clock can tell apart, found one below");
        expect_failure(status, &error, ZV_NO_CONVERGENCE, "let time begin at 0");
        zv_integrator_destroy(in);
    }
}

TESTS(options, starts_and_stops, failing_functions, refused_tries, runaway, steps_below_rounding, sums_beyond_numbers,
      no_weight, empty, scales, table)
