/* Loops that come and go in a run: what closing and opening do to momentum and energy, against closed forms, and
 * against separate models run piece by piece. */
#include "simulate/capture.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

static const double GRAVITY = 9.81;

/* 3 kg at 2 m/s meet 2 kg at -1 m/s at 1 m: together they go on with 4/5 m/s, and 1/2 mu w^2 is lost. */
static void carts_lock(void **state) {
    (void)state;
    static const char *const methods[] = {"auto", "adams", "bdf", "erk", "dirk", "dop853", "rk4, step: 1e-3"};
    int ran = 0;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char method[40];
        snprintf(method, sizeof method, "%.*s", (int)strcspn(methods[i], ","), methods[i]);
        if (!zv_integration_method_find(method)) continue;
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " CARTS ", duration: 1, initial: {q: {a: 0, b: 1}, v: {a: 2, b: -1}}, "
            "events: [{type: threshold, channel: loop_coordinates.hook, value: 0, action: close, loop: hook}, "
            "{type: time, at: 0.75, action: open, loop: hook}], integrator: {method: %s}}",
            methods[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double *q = zv_run_position(summary), *v = zv_run_velocity(summary);
        assert_int_equal(zv_run_events(summary), 2);
        assert_named_near(method, zv_run_event(summary, 0).t, 1.0 / 3, 1e-8);
        assert_named_near(method, v[0], 0.8, 1e-12);
        assert_named_near(method, v[1], 0.8, 1e-12);
        assert_named_near(method, q[0], 2.0 / 3 + 0.8 * 2 / 3, 1e-8);
        assert_named_near(method, q[1], q[0], 1e-8);
        assert_named_near(method, ledger_row(summary, "closing hook"), -0.5 * 6.0 / 5 * 9, 1e-11);
        assert_false(zv_run_loop_is_closed(summary, 0));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
        ran++;
    }
    assert_true(ran >= 2);
}

/* With restitution 1/2 they part with half the rate, less than the latch lets pass; a wide latch catches them. */
static void carts_rebound(void **state) {
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " CARTS ", duration: 1, initial: {q: {a: 0, b: 1}, v: {a: 2, b: -1}}, "
            "events: [{type: threshold, channel: loop_coordinates.hook, value: 0, action: close, loop: hook, "
            "restitution: 0.5, latch: %g}], integrator: {method: rk4, step: 1e-3}}",
            wide ? 100.0 : 0.01);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double *v = zv_run_velocity(summary);
        assert_int_equal(zv_run_events(summary), 1);
        assert_non_null(strstr(zv_run_event(summary, 0).text, wide ? "closes at a gap" : "is thrown back at a gap"));
        assert_named_near("one", v[0], wide ? 0.8 : 0.2, 1e-12);
        assert_named_near("two", v[1], wide ? 0.8 : 1.7, 1e-12);
        const double lost = 0.5 * 6.0 / 5 * 9 * (wide ? 1 : 0.75);
        assert_named_near("energy", ledger_row(summary, "closing hook"), -lost, 1e-11);
        assert_int_equal(zv_run_loop_is_closed(summary, 0), wide);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Where the event falls on the point of meeting itself the gap is rounding of either sign: they rebound all the same,
 * as 3 and 2 kg do from 0 and v with restitution 1/2. */
static void carts_meet(void **state) {
    (void)state;
    static const char *const methods[] = {"method: erk", "method: dirk", "method: adams", "method: auto",
                                          "method: rk4, step: 1e-3"};
    static const double speeds[] = {1, 1.3, 1.7, 2, 3};
    for (int i = 0; i < 25; i++) {
        const double v = speeds[i / 5];
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: " CARTS ", duration: 1.5, initial: {q: {a: 0, b: 1}, v: {a: %g}}, events: "
            "[{type: plane, frame: one, normal: [-1, 0, 0], offset: -1, action: close, loop: hook, restitution: 0.5, "
            "latch: 0.1}], integrator: {%s}}",
            v, methods[i % 5]);
        zvRunSummary *summary = run_of(scenario, NULL);
        if (zv_run_events(summary) != 1) fail_msg("%s, %g m/s: %d events", methods[i % 5], v, zv_run_events(summary));
        assert_named_near("one", zv_run_velocity(summary)[0], 0.4 * v, 1e-9);
        assert_named_near("two", zv_run_velocity(summary)[1], 0.9 * v, 1e-9);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* A stone of 2 kg meets the end of a hanging pendulum of 1 kg and 1 m with 3 m/s level and -2 m/s down: about the pivot
 * (1 + 2) w = 2 * 3, what goes down the pivot takes, and the two rise until 1/2 w^2 = g (1 - cos). */
static void pendulum_catches(void **state) {
    (void)state;
    const double T = 0.3, level = 3, down = -2, w = 2.0 * level / 3;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: {inline: {links: [{name: ground}, {name: rod, mass: 1, com: [0, 0, -1], inertia: "
        "[0, 0, 0]}, {name: stone, mass: 2, inertia: [0.1, 0.1, 0.1]}], joints: [{name: pivot, type: continuous, "
        "parent: ground, child: rod, axis: [0, -1, 0]}, {name: flight, type: free, parent: ground, child: stone}], "
        "frames: [{name: end, link: rod, pose: {xyz: [0, 0, -1]}}], loops: [{name: hold, type: spherical, parent: "
        "end, child: stone}]}}, duration: 2, initial: {q: {flight: [%.17g, 0, %.17g, 0, 0, 0, 1]}, v: {flight: "
        "[%.17g, 0, %.17g, 0, 0, 0]}, loops: {hold: open}}, events: [{type: time, at: %.17g, action: close, loop: "
        "hold}, {type: threshold, name: top, channel: v.pivot, value: 0, direction: falling, action: stop}], "
        "integrator: {method: erk, order: 8, rtol: 1e-12, atol: 1e-13}}",
        -level * T, -1 - (down + GRAVITY * T) * T + 0.5 * GRAVITY * T * T, level, down + GRAVITY * T, T);
    zvRunSummary *summary = run_of(scenario, NULL);
    const double before = 0.5 * 2 * (level * level + down * down), after = 0.5 * 3 * w * w;
    assert_int_equal(zv_run_events(summary), 2);
    assert_named_near("energy", ledger_row(summary, "closing hold"), after - before, 1e-9);
    assert_named_near("top", zv_run_position(summary)[0], acos(1 - 0.5 * w * w / GRAVITY), 1e-8);
    assert_true(zv_run_loop_is_closed(summary, 0));
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* x of J x = h, by Cramer's rule. */
static void solve3(double J[3][3], const double h[3], double x[3]) {
    double c[3][3];
    for (int i = 0; i < 3; i++) cross(J[(i + 1) % 3], J[(i + 2) % 3], c[i]);
    const double det = J[0][0] * c[0][0] + J[0][1] * c[0][1] + J[0][2] * c[0][2];
    for (int i = 0; i < 3; i++) x[i] = (c[0][i] * h[0] + c[1][i] * h[1] + c[2][i] * h[2]) / det;
}

/* Two bodies in space that lock as they stand, one turned by an angle of up to half a turn: with the momenta P and L
 * about the common centre of mass, v = P/m and J w = L; and they stay as they are to each other. */
static void bodies_lock(void **state) {
    (void)state;
    rtRandom random = {71};
    char name[512];
    const char *path = file_of("lock.csv", name);
    for (int i = 0; i < 8; i++) {
        double x[3], u[3], w[3], axis[3], length = 0;
        for (int k = 0; k < 3; k++) {
            x[k] = rt_uniform(&random, 0.3, 0.6);
            u[k] = rt_uniform(&random, -1, 1);
            w[k] = rt_uniform(&random, -2, 2);
            axis[k] = rt_uniform(&random, -1, 1);
            length += axis[k] * axis[k];
        }
        const double angle = 3.1 * (i + 1) / 8, s = sin(angle / 2) / sqrt(length), moment = 0.2;
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, model: {inline: {gravity: [0, 0, 0], links: [{name: ground}, {name: one, mass: 3, "
            "inertia: [0.2, 0.2, 0.2]}, {name: two, mass: 1.5, inertia: [0.2, 0.2, 0.2]}], joints: [{name: a, type: "
            "free, parent: ground, child: one}, {name: b, type: free, parent: ground, child: two}], loops: [{name: "
            "weld, type: fixed, parent: one, child: two, open: true}]}}, duration: 1, initial: {q: {b: [%.17g, %.17g, "
            "%.17g, %.17g, %.17g, %.17g, %.17g]}, v: {a: [0, 0, 0, %.17g, %.17g, %.17g], b: [%.17g, %.17g, %.17g, 0, "
            "0, 0]}}, events: [{type: time, at: 1e-9, action: close, loop: weld, place: here}], integrator: {method: "
            "erk, order: 8, rtol: 1e-12, atol: 1e-13}, output: {rate: 20, channels: [pose one, pose two, velocity "
            "one, momentum, closed]}}",
            x[0], x[1], x[2], s * axis[0], s * axis[1], s * axis[2], cos(angle / 2), w[0], w[1], w[2], u[0], u[1],
            u[2]);
        zvRunSummary *summary = run_of(scenario, path);
        uint64_t rows;
        int width;
        double *one = rows_of(path, "pose one", &rows, &width), *two = rows_of(path, "pose two", &rows, NULL),
               *v = rows_of(path, "velocity one", &rows, NULL), *closed = rows_of(path, "closed", &rows, NULL);
        /* u is in the axes of body b: turn it by its quaternion */
        const double n[3] = {s * axis[0], s * axis[1], s * axis[2]};
        double nu[3], nnu[3], U[3];
        cross(n, u, nu);
        cross(n, nu, nnu);
        for (int k = 0; k < 3; k++) U[k] = u[k] + 2 * (cos(angle / 2) * nu[k] + nnu[k]);
        const double mu = 3 * 1.5 / 4.5;
        double J[3][3], h[3], expected[3], square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        cross(x, U, h);
        for (int k = 0; k < 3; k++) {
            h[k] = mu * h[k] + moment * w[k];
            for (int l = 0; l < 3; l++) J[k][l] = (k == l ? 2 * moment + mu * square : 0) - mu * x[k] * x[l];
        }
        solve3(J, h, expected);
        int after = 0;
        while (closed[after] == 0) after++;
        for (int k = 0; k < 3; k++) assert_named_near("turn", v[6 * after + 3 + k], expected[k], 1e-7);
        const double far0 = hypot(hypot(x[0], x[1]), x[2]);
        for (int r = after; r < (int)rows; r++) {
            double d[3], dot = 0, dot0 = 0;
            for (int k = 0; k < 3; k++) d[k] = two[7 * r + k] - one[7 * r + k];
            assert_named_near("distance", hypot(hypot(d[0], d[1]), d[2]), far0, 1e-8);
            for (int k = 3; k < 7; k++) {
                dot += one[7 * r + k] * two[7 * r + k];
                dot0 += one[7 * after + k] * two[7 * after + k];
            }
            assert_named_near("relative turn", fabs(dot), fabs(dot0), 1e-8);
        }
        assert_true(zv_run_loop_gap(summary) < 1e-9);
        free(one);
        free(two);
        free(v);
        free(closed);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    remove(path);
}

/* A floating arm catches a tumbling load, carries it and lets it go: through both moments linear and angular momentum
 * keep twelve digits, and the energy lost is that of the jump, 1/2 jump M jump. */
static void floating_arm(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("floating.csv", name);
    zvScenario *scenario = scenario_of(FLOATING, "method: erk, order: 8, rtol: 1e-12, atol: 1e-13");
    const zvModel *model = zv_scenario_model(scenario);
    zvRunSummary *summary = run_of(scenario, path);
    const int nq = zv_model_nq(model), nv = zv_model_nv(model);
    uint64_t rows;
    int width;
    double *h = rows_of(path, "momentum", &rows, &width), *closed = rows_of(path, "closed", &rows, NULL),
           *q = rows_of(path, "q", &rows, NULL), *v = rows_of(path, "v", &rows, NULL);
    double *jump = calloc((size_t)nv, sizeof *jump), *p = calloc((size_t)nv, sizeof *p), lost = 0;
    zvWork *work = zv_work_create(model, NULL);
    int changes = 0;
    assert_int_equal(width, 6);
    for (int r = 1; r < (int)rows; r++) {
        if (closed[r] == closed[r - 1]) continue;
        changes++;
        for (int part = 0; part < 6; part += 3) {
            const double *was = h + 6 * (r - 1) + part, *is = h + 6 * r + part;
            const double size = hypot(hypot(was[0], was[1]), was[2]);
            for (int k = 0; k < 3; k++) assert_named_near("momentum", is[k] / size, was[k] / size, 1e-12);
        }
        assert_memory_equal(q + (r - 1) * nq, q + r * nq, (size_t)nq * sizeof *q); /* caught where it is */
        for (int k = 0; k < nv; k++) jump[k] = v[r * nv + k] - v[(r - 1) * nv + k];
        zv_mass_times(model, work, q + r * nq, jump, p);
        for (int k = 0; k < nv; k++) lost += 0.5 * jump[k] * p[k];
    }
    assert_int_equal(changes, 2);
    assert_true(lost > 1e-3);
    assert_named_near("energy lost", ledger_row(summary, "closing grip"), -lost, 1e-10);
    assert_true(fabs(zv_run_ledger_gap(summary)) < 1e-9);
    zv_work_destroy(work);
    free(jump);
    free(p);
    free(h);
    free(closed);
    free(q);
    free(v);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* One piece by itself: the arm with a rod of this length or without one, from a state to another. */
static void piece(double from, double to, double length, double q[2], double v[2]) {
    char loop[200] = "";
    if (length > 0) snprintf(loop, sizeof loop, ROD_LOOP, length, "false");
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " SWING_ARM ", start: %.17g, duration: %.17g, "
                                       "initial: {q: [%.17g, %.17g], v: [%.17g, %.17g]}, " SHARP "}",
                                       loop, from, to - from, q[0], q[1], v[0], v[1]);
    zvRunSummary *summary = run_of(scenario, NULL);
    memcpy(q, zv_run_position(summary), 2 * sizeof *q);
    memcpy(v, zv_run_velocity(summary), 2 * sizeof *v);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The distance of the arm's tip from the post, and its gradient, by hand. */
static double distance(const double q[2], double n[2]) {
    const double a = q[0], b = q[0] + q[1];
    const double x = -0.8 * sin(a) - 0.6 * sin(b) - 1.2, z = -0.8 * cos(a) - 0.6 * cos(b);
    const double d = hypot(x, z);
    n[1] = (x * -0.6 * cos(b) + z * 0.6 * sin(b)) / d;
    n[0] = n[1] + (x * -0.8 * cos(a) + z * 0.8 * sin(a)) / d;
    return d;
}

/* v := v - M^-1 n (n v) / (n M^-1 n) */
static void strike(const zvModel *model, const double q[2], const double n[2], double v[2]) {
    double M[4];
    zvWork *work = zv_work_create(model, NULL);
    zv_mass_matrix(model, work, q, M);
    zv_work_destroy(work);
    const double det = M[0] * M[3] - M[1] * M[2];
    const double y[2] = {(M[3] * n[0] - M[1] * n[1]) / det, (M[0] * n[1] - M[2] * n[0]) / det};
    const double f = (n[0] * v[0] + n[1] * v[1]) / (n[0] * y[0] + n[1] * y[1]);
    for (int k = 0; k < 2; k++) v[k] -= f * y[k];
}

/* A rod between a post and the tip of an arm that is closed as it stands and opened again at random times, in one run
 * and piece by piece with two models. */
static void pieces(void **state) {
    (void)state;
    const int seed = 47;
    rtRandom random = {(uint64_t)seed};
    for (int i = 0; i < 4; i++) {
        enum { EVENTS = 6 };
        double q[2] = {rt_uniform(&random, -0.4, 0.4), rt_uniform(&random, -0.4, 0.4)}, v[2] = {1, -0.5}, n[2],
               times[EVENTS + 2] = {0}, rod = 0;
        char events[1500] = "", none[200];
        for (int k = 0; k < EVENTS; k++) {
            times[k + 1] = times[k] + rt_uniform(&random, 0.05, 0.2);
            const size_t used = strlen(events);
            snprintf(events + used, sizeof events - used,
                     "%s{type: time, name: e%d, at: %.17g, action: %s, loop: bar%s}", k ? ", " : "", k, times[k + 1],
                     k % 2 ? "open" : "close", k % 2 ? "" : ", place: here");
        }
        times[EVENTS + 1] = times[EVENTS] + 0.1;
        snprintf(none, sizeof none, ROD_LOOP, 0.77, "true");
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " SWING_ARM ", duration: %.17g, initial: {q: [%.17g, %.17g], v: "
                        "[1, -0.5]}, events: [%s], " SHARP "}",
                        none, times[EVENTS + 1], q[0], q[1], events);
        zvRunSummary *summary = run_of(scenario, NULL);
        for (int k = 0; k <= EVENTS; k++) {
            piece(times[k], times[k + 1], rod, q, v);
            rod = k % 2 == 0 ? distance(q, n) : 0;
            if (rod > 0 && k < EVENTS) strike(zv_scenario_model(scenario), q, n, v);
        }
        for (int k = 0; k < 2; k++) {
            assert_named_near("position", zv_run_position(summary)[k], q[k], 1e-7);
            assert_named_near("velocity", zv_run_velocity(summary)[k], v[k], 1e-6);
        }
        assert_int_equal(zv_run_events(summary), EVENTS);
        assert_true(fabs(zv_run_ledger_gap(summary)) < 1e-8);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    print_message("seed %d\n", seed);
}

TESTS(carts_lock, carts_rebound, carts_meet, pendulum_catches, bodies_lock, floating_arm, pieces)
