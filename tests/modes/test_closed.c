/* Modes and equilibria of closed loops: a four-bar against its closed form, a clamped-clamped beam whose far end a loop
 * guides, an elastic four-bar against second differences of its potential energy along closed positions and against a
 * run, and what is refused. */
#include "modes/closed.h"
#include "simulate/four_bar.h"
#include "support/run_tests.h"

/* Weight and a spring at the crank: V' = 0 and omega^2 = V'' / I of the linkage as a function of the crank's angle. The
 * forces of the loop turn with the bars: without what that makes of them the frequency is another. */
static void four_bar(void **state) {
    (void)state;
    static const double springs[3][2] = {{0, 0}, {25, 1}, {400, 0.4}};
    for (int i = 0; i < 3; i++) {
        const double k = springs[i][0], x0 = springs[i][1];
        double stiffness[3] = {k}, relaxed[3] = {x0};
        zvRest rest = {.stiffness = stiffness, .relaxed = relaxed};
        Closed c = closed_of(FOUR_BAR);
        c.q[0] = i ? x0 : -1;
        c.q[1] = 0.3;
        c.q[2] = 1.7;
        settle(&c, &rest);
        const double x = c.q[CRANK], h = 1e-3;
        Bars b = bars_at(x);
        /* knee up or down, as the equilibrium has it */
        if (fabs(sin(c.q[ROCKER] - b.angle[2])) < 1e-6) {
            const double pull = bars_pull(x) + k * (x - x0);
            const double bend = (bars_pull(x + h) - bars_pull(x - h)) / (2 * h) + k;
            assert_named_near("equilibrium", pull, 0, 1e-7);
            assert_int_equal(c.count, 1);
            if (bend > 0)
                assert_named_near("frequency", c.modes[0].frequency, sqrt(bend / bars_inertia(&b)),
                                  1e-5 * c.modes[0].frequency);
            else
                assert_true(c.modes[0].real > 0);
            for (int m = 0; m < 3; m++) /* shape: v of the crank, knee, rocker; x^T M x = 1 */
                assert_named_near("shape", fabs(c.shapes[m]),
                                  fabs(m == KNEE ? b.ratio[1] - 1 : b.ratio[m]) / sqrt(bars_inertia(&b)), 1e-7);
        } else {
            fail_msg("the other assembly at %g", x);
        }
        closed_free(&c);
    }
}

/* A beam cut into links, clamped at the ground; a loop guides the far end along the beam, so that it is clamped there
 * too: beta L = 4.73004 and 7.85320, and F L^3 / (192 E I) under a force at its middle. */
static void clamped_beam(void **state) {
    (void)state;
    enum { LINKS = 6 };
    static char text[6000];
    const double L = 1.2, E = 2.1e11, rho = 7850, wide = 0.02, high = 0.01;
    const double EI = E * wide * pow(high, 3) / 12, rhoA = rho * wide * high;
    size_t used = (size_t)snprintf(text, sizeof text, "{inline: {gravity: [0, 0, 0], links: [{name: ground}");
    for (int i = 0; i < LINKS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 ", {name: b%d, beam: {length: %.17g, material: {E: %g, poisson: 0.3, density: %g}, "
                                 "section: {box: [%g, %g]}, shapes: cubic, modes: {z: 2}}}",
                                 i, L / LINKS, E, rho, wide, high);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "], joints: [{name: f0, type: fixed, parent: ground, child: b0}");
    for (int i = 1; i < LINKS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 ", {name: f%d, type: fixed, parent: b%d, child: b%d, origin: {xyz: [%.17g, 0, 0]}}", i,
                                 i - 1, i, L / LINKS);
    snprintf(text + used, sizeof text - used,
             "], loops: [{name: guide, type: prismatic, parent: ground, child: b%d, axis: [1, 0, 0], origin: {xyz: "
             "[%.17g, 0, 0]}, child_origin: {xyz: [%.17g, 0, 0]}}]}}",
             LINKS - 1, L, L / LINKS);
    Closed c = closed_of(text);
    const int middle = zv_model_find_frame(c.model, "b3");
    const double load[6] = {0, 0, -5};
    zvRest rest = {0}, loaded = {.load_count = 1, .load_frames = &middle, .loads = load};
    zvPose pose;
    settle(&c, &rest);
    assert_int_equal(c.count, 2 * LINKS - 2);
    for (int k = 0; k < 2; k++) {
        const double beta = (k ? 7.853204624 : 4.730040745) / L, wanted = beta * beta * sqrt(EI / rhoA);
        assert_named_near("clamped at both ends", c.modes[k].frequency, wanted, (k ? 3e-3 : 5e-4) * wanted);
    }
    settle(&c, &loaded);
    zv_frame_pose(c.model, c.work, c.q, middle, &pose);
    assert_named_near("deflection", pose.p[2], load[2] * L * L * L / (192 * EI), 1e-3 * fabs(pose.p[2]));
    closed_free(&c);
}

/* The four-bar with a soft coupler that hangs on two springs, bent by its weight: geometric stiffness of beam and loop.
 */
#define SOFT                                                                                                       \
    "{inline: {links: [{name: ground}, {name: crank, mass: 1.2, com: [0.12, 0, 0], inertia: [0.01, 0.02, 0.02]}, " \
    "{name: coupler, beam: {length: 0.9, material: {E: 7e10, poisson: 0.3, density: 2700}, section: {box: [0.03, " \
    "0.006]}, shapes: cubic, modes: {z: 2, axial: 1}}}, {name: rocker, mass: 1.5, com: [0.3, 0, 0], inertia: "     \
    "[0.01, 0.08, 0.08]}], joints: [{name: crank, type: continuous, parent: ground, child: crank, axis: [0, -1, "  \
    "0]}, " KNEE_JOINT("") ROCKER_JOINT("lower: -9, upper: 9") CLOSE_LOOP("") "}}"

static double potential_at(const Closed *c, const zvRest *rest, const double *shape, double size) {
    double q[64], step[64], kinetic, potential;
    for (int i = 0; i < c->nv; i++) step[i] = size * shape[i];
    zv_position_add(c->model, c->q, step, q);
    assert_true(zv_close_position(c->model, c->work, NULL, NULL, q, NULL) >= 0);
    zv_energy(c->model, c->work, q, NULL, &kinetic, &potential);
    potential += zv_strain_energy(c->model, q);
    for (int i = 0; i < c->nv; i++) potential += 0.5 * rest->stiffness[i] * pow(q[i] - rest->relaxed[i], 2);
    return potential;
}

/* omega^2 is the second derivative of the potential energy along a shape: at rest it does not matter how closing bends
 * the way. */
static void elastic_four_bar(void **state) {
    (void)state;
    double stiffness[64] = {60}, relaxed[64] = {1}, damping[64] = {0};
    zvRest rest = {.stiffness = stiffness, .relaxed = relaxed, .damping = damping};
    Closed c = closed_of(SOFT);
    c.q[0] = 1;
    c.q[c.nq - 1] = 1.7;
    settle(&c, &rest);
    assert_int_equal(c.count, 4);
    for (int k = 0; k < 3; k++) { /* the fourth is the axial one: rounding of potentials */
        const double *shape = c.shapes + k * c.nv, h = 1e-2 / c.modes[k].frequency,
                     V = potential_at(&c, &rest, shape, 0);
        double bend = 0;
        static const double weight[3] = {1.5, -3.0 / 20, 1.0 / 90};
        for (int i = 1; i <= 3; i++)
            bend += weight[i - 1] *
                    (potential_at(&c, &rest, shape, i * h) + potential_at(&c, &rest, shape, -i * h) - 2 * V);
        assert_named_near("omega^2", bend / (h * h), c.modes[k].frequency * c.modes[k].frequency,
                          1e-6 * c.modes[k].frequency * c.modes[k].frequency);
        double s = 0, M[64 * 64];
        zv_mass_matrix(c.model, c.work, c.q, M);
        for (int i = 0; i < c.nv; i++)
            for (int j = 0; j < c.nv; j++) s += shape[i] * M[i * c.nv + j] * shape[j];
        assert_named_near("shape", s, 1, 1e-9);
    }
    /* a damper at the crank: the ratio by the energy it takes from the first shape, to first order */
    const double *first = c.shapes, omega = c.modes[0].frequency, expected = 0.05 * first[0] * first[0] / (2 * omega);
    damping[0] = 0.05;
    settle(&c, &rest);
    assert_named_near("damping", c.modes[0].damping, expected, 1e-2 * expected);
    closed_free(&c);
}

/* Half a period after a start a little aside along the first shape the mechanism stands on the other side. */
static void modes_in_time(void **state) {
    (void)state;
    double stiffness[64] = {60}, relaxed[64] = {1}, begin[64], step[64];
    zvRest rest = {.stiffness = stiffness, .relaxed = relaxed};
    char list[1000];
    size_t used = 0;
    Closed c = closed_of(SOFT);
    c.q[0] = 1;
    c.q[c.nq - 1] = 1.7;
    settle(&c, &rest);
    for (int i = 0; i < c.nv; i++) step[i] = 1e-4 * c.shapes[i];
    zv_position_add(c.model, c.q, step, begin);
    assert_true(zv_close_position(c.model, c.work, NULL, NULL, begin, NULL) >= 0);
    for (int i = 0; i < c.nq; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.17g", i ? ", " : "", begin[i]);
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " SOFT
                                       ", duration: %.17g, initial: {q: [%s]}, joints: {crank: {spring: {stiffness: "
                                       "60, rest: 1}}}, integrator: {method: newmark, step: 1e-4}}",
                                       3.14159265358979 / c.modes[0].frequency, list);
    zvRunSummary *summary = run_of(scenario, NULL);
    double most = 0;
    for (int i = 0; i < c.nv; i++) most = fmax(most, fabs(step[i]));
    for (int i = 0; i < c.nv; i++)
        assert_named_near("the other side", zv_run_position(summary)[i], c.q[i] - step[i], 2e-3 * most);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    closed_free(&c);
}

static void refused(void **state) {
    (void)state;
    Closed c = closed_of(FOUR_BAR);
    zvError error = {0};
    double v[3] = {1};
    zvRest rest = {.q = c.q};
    assert_int_equal(zv_modes(c.model, c.work, &rest, c.modes, c.shapes, &c.count, &error), ZV_CLOSURE);
    assert_non_null(strstr(error.text, "in loop \"close\""));
    rest.v = v;
    assert_int_equal(zv_modes(c.model, c.work, &rest, c.modes, c.shapes, &c.count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "expected a state of rest of a model with closed loops"));
    closed_free(&c);
}

/* Where all bars of a five-bar lie in one line, as where it comes to rest, two branches meet: no modes. Beside it there
 * are. An overconstrained mechanism repeats conditions everywhere and is none of that; what is open asks for nothing.
 */
static void singular(void **state) {
    (void)state;
    static const double in_line[4] = {-1.5707963267948966, 0, -1.5707963267948966, 0};
    Closed c = closed_of(ZV_SOURCE_DIR "/models/five_bar.yaml");
    for (int k = 0; k < 9; k++) { /* 0, then 1e-14 to 1e-8 and 1e-4, 1e-3 beside it */
        const double aside = k == 0 ? 0 : pow(10, k < 7 ? k - 15 : k - 11);
        zvRest rest = {.q = c.q};
        zvError error = {0};
        memcpy(c.q, in_line, sizeof in_line);
        c.q[0] += aside, c.q[2] -= aside;
        assert_true(zv_assemble(c.model, c.work, NULL, NULL, c.q, NULL) >= 0);
        const zvStatus status = zv_modes(c.model, c.work, &rest, c.modes, NULL, &c.count, &error);
        if (aside <= 1e-8) {
            assert_int_equal(status, ZV_SINGULAR);
            assert_non_null(strstr(error.text, "singular one of loop \"hinge\" (motor1 = -1.570"));
        } else {
            assert_int_equal(status, ZV_OK);
            assert_int_equal(c.count, 2);
        }
    }
    closed_free(&c);
    c = closed_of(ZV_SOURCE_DIR "/models/bricard.yaml");
    settle(&c, &(zvRest){0});
    assert_int_equal(c.count, 1);
    closed_free(&c);
}

/* Two pendulums whose rod is open: their own modes. */
static void open_loop(void **state) {
    (void)state;
    Closed c = closed_of("{inline: {links: [{name: base}, {name: a, mass: 1, com: [0, 0, -0.5], inertia: [0, 0, 0]}, "
                         "{name: b, mass: 1, com: [0, 0, -0.25], inertia: [0, 0, 0]}], joints: [{name: a, type: "
                         "continuous, parent: base, child: a, axis: y}, {name: b, type: continuous, parent: base, "
                         "child: b, axis: y, origin: {xyz: [1, 0, 0]}}], loops: [{name: rod, type: rod, parent: a, "
                         "child: b, length: 1, open: true, origin: {xyz: [0, 0, -1]}, child_origin: {xyz: [0, 0, "
                         "-1]}}]}}");
    settle(&c, &(zvRest){0});
    assert_int_equal(c.count, 2);
    assert_near(c.modes[0].frequency, sqrt(9.81 / 0.5), 1e-10);
    assert_near(c.modes[1].frequency, sqrt(9.81 / 0.25), 1e-10);
    closed_free(&c);
}

TESTS(four_bar, clamped_beam, elastic_four_bar, modes_in_time, refused, singular, open_loop)
