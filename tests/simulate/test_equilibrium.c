/* Equilibria of scenarios against closed forms, virtual work, published deflections and what a run started there does.
 */
#include "simulate/runs.h"
#include "support/run_tests.h"
#include "zveno/modes.h"

static const double g0 = 9.81;

/* The equilibrium of a scenario, its residual checked. */
static zvEquilibrium *rest_of(const zvScenario *scenario, const zvRestOptions *options) {
    zvEquilibrium *e = NULL;
    zvError error = {0};
    if (zv_scenario_equilibrium(scenario, options, &e, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_true(zv_equilibrium_residual(e) <= 1e-10);
    return e;
}

/* What a search that must fail says. */
static void refused_rest(const zvScenario *scenario, const zvRestOptions *options, zvStatus status, const char *words) {
    zvEquilibrium *e = NULL;
    zvError error = {0};
    assert_int_equal(zv_scenario_equilibrium(scenario, options, &e, &error), status);
    assert_null(e);
    if (!strstr(error.text, words)) fail_msg("expected \"%s\" in \"%s\"", words, error.text);
}

static int dof_of(const zvScenario *scenario, const char *joint) {
    const zvModel *model = zv_scenario_model(scenario);
    return zv_model_joint_place(model, zv_model_find_joint(model, joint)).v_index;
}

/* Nothing moves in a run that begins there: q at the end is q at the start. */
static void stays(const char *text, double tolerance) {
    zvScenario *scenario = scenario_of("%s", text);
    zvEquilibrium *e = rest_of(scenario, NULL);
    zvRunSummary *run = run_of(scenario, NULL);
    const int nq = zv_model_nq(zv_scenario_model(scenario));
    for (int i = 0; i < nq; i++)
        assert_element_near("q of a run", i, zv_run_position(run)[i], zv_equilibrium_position(e)[i], tolerance);
    zv_run_summary_destroy(run);
    zv_equilibrium_destroy(e);
    zv_scenario_destroy(scenario);
}

/* A pendulum hangs, stable, with eigenvalue g/l; standing it is unstable; a torsion spring carries it aslant. */
static void pendulum_rests(void **state) {
    (void)state;
    zvScenario *hanging =
        scenario_of("{zveno_scenario: 1, model: " PENDULUM ", duration: 1, initial: {q: {pivot: 0.3}}}");
    zvEquilibrium *e = rest_of(hanging, NULL);
    assert_named_near("hanging", zv_equilibrium_position(e)[0], 0, 1e-12);
    assert_int_equal(zv_equilibrium_stability(e), ZV_STABILITY_STABLE);
    assert_named_near("g/l", zv_equilibrium_squares(e)[0], g0, 1e-8);
    zv_equilibrium_destroy(e);
    const double up = 3.141592653589793;
    e = rest_of(hanging, &(zvRestOptions){.t = NAN, .q = &up});
    assert_int_equal(zv_equilibrium_stability(e), ZV_STABILITY_UNSTABLE);
    assert_named_near("-g/l", zv_equilibrium_squares(e)[0], -g0, 1e-8);
    zv_equilibrium_destroy(e);
    zv_scenario_destroy(hanging);
    /* k (q - 1) + m g l sin q = 0, and friction of 0.5 N m holds it within 0.5/(k + m g l cos q) */
    zvScenario *sprung = scenario_of("{zveno_scenario: 1, model: " PENDULUM
                                     ", duration: 1, joints: {pivot: {spring: {stiffness: 20, rest: 1}, "
                                     "friction: {coulomb: [0.4, 0.5], stick_slip: true}}}}");
    e = rest_of(sprung, NULL);
    double q = 1, band[2];
    for (int i = 0; i < 50; i++) q -= (20 * (q - 1) + g0 * sin(q)) / (20 + g0 * cos(q));
    zv_equilibrium_band(e, 0, band);
    assert_named_near("aslant", zv_equilibrium_position(e)[0], q, 1e-11);
    assert_named_near("band below", band[0], -0.5 / (20 + g0 * cos(q)), 1e-9);
    assert_named_near("band above", band[1], 0.4 / (20 + g0 * cos(q)), 1e-9);
    zv_equilibrium_destroy(e);
    zv_scenario_destroy(sprung);
}

/* A rod under a dead force that presses along it, on a torsion spring: it buckles where F l = k. */
static void rod_buckles(void **state) {
    (void)state;
    for (int above = 0; above < 2; above++) {
        const double F = above ? 10.5 : 9.5;
        zvScenario *s = scenario_of(
            "{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1, model: {inline: {links: [{name: ground}, {name: rod, "
            "mass: 1, com: [0, 0, 1], inertia: [0, 0, 0]}], joints: [{name: hinge, type: continuous, parent: ground, "
            "child: rod, axis: [0, 1, 0], spring: {stiffness: 20}}], frames: [{name: top, link: rod, pose: {xyz: [0, "
            "0, 2]}}]}}, "
            "loads: [{frame: top, force: [0, 0, %g]}]}",
            -F);
        zvEquilibrium *e = rest_of(s, NULL);
        assert_int_equal(zv_equilibrium_stability(e), above ? ZV_STABILITY_UNSTABLE : ZV_STABILITY_STABLE);
        assert_named_near("k - F l", zv_equilibrium_squares(e)[0], 20 - 2 * F, 1e-8);
        zv_equilibrium_destroy(e);
        if (above) { /* beside it two bent ones: k q = F l sin q */
            const double guess = 0.5;
            double q = 0.5;
            e = rest_of(s, &(zvRestOptions){.t = NAN, .q = &guess});
            for (int i = 0; i < 100; i++) q -= (20 * q - 2 * F * sin(q)) / (20 - 2 * F * cos(q));
            assert_named_near("bent", zv_equilibrium_position(e)[0], q, 1e-10);
            assert_int_equal(zv_equilibrium_stability(e), ZV_STABILITY_STABLE);
            zv_equilibrium_destroy(e);
        }
        zv_scenario_destroy(s);
    }
}

#define DRIVEN                                                                                                      \
    "{zveno_scenario: 1, model: " TWO_RODS ", duration: 3, initial: equilibrium, joints: {elbow: {flexible: {"      \
    "stiffness: 200, damping: 0.5, inertia: 1e-4, ratio: 40}}}, drives: [{type: pid, joints: [shoulder, elbow], "   \
    "kp: [150, 60], kd: [20, 8], ki: [30, 0], feedback: motor, reference: [0.5, 0.8]}], integrator: {rtol: 1e-12, " \
    "atol: 1e-12}, output: {channels: [q]}}"

/* The integral brings the shoulder to its reference and carries the weight; the elbow sags by drive and gear. */
static void drives_carry_the_weight(void **state) {
    (void)state;
    zvScenario *s = scenario_of(DRIVEN);
    zvEquilibrium *e = rest_of(s, NULL);
    const double *q = zv_equilibrium_position(e), *z = zv_equilibrium_states(e);
    zvWork *work = zv_work_create(zv_scenario_model(s), NULL);
    double g[2];
    zv_inverse_dynamics(zv_scenario_model(s), work, q, NULL, NULL, NULL, g);
    double theta = NAN, integral = NAN;
    for (int i = 0; i < zv_drives_nstate(zv_scenario_drives(s)); i++) {
        const zvDriveState state_i = zv_drives_state(zv_scenario_drives(s), i);
        if (strstr(state_i.name, "integral")) integral = z[i];
        if (strcmp(state_i.name, "motor elbow theta") == 0) theta = z[i];
    }
    assert_named_near("shoulder at its reference", q[0], 0.5, 1e-10);
    assert_named_near("the integral carries", 30 * integral, g[0], 1e-9);
    assert_named_near("the gear carries", 200 * (theta - q[1]), g[1], 1e-9);
    assert_named_near("the drive carries", 60 * (0.8 - theta), g[1], 1e-9);
    assert_int_equal(zv_equilibrium_stability(e), ZV_STABILITY_STABLE);
    zv_work_destroy(work);
    zv_equilibrium_destroy(e);
    zv_scenario_destroy(s);
    stays(DRIVEN, 1e-9);
}

/* The governor spins: the gradient of its potential energy less that of the spin vanishes, both written anew here. */
static double governor_energy(double s, double a, double w) {
    const double hinge = 0.05, k = 8000, free_length = 0.5, arm = 5.15 / 5.3;
    const double dx = 0.5 * cos(a), dz = 1 - 0.5 * sin(a) - s, d = sqrt(dx * dx + dz * dz);
    const double r = hinge + arm * cos(a);
    const double spin = 2 * (5.3 * r * r + 5e-6 * sin(a) * sin(a) + 0.09575721698113207 * cos(a) * cos(a));
    return 3 * g0 * s - 2 * 5.3 * g0 * arm * sin(a) + k * (d - free_length) * (d - free_length) - 0.5 * w * w * spin;
}

static void governor_spins(void **state) {
    (void)state;
    zvScenario *s = NULL;
    zvError error = {0};
    if (zv_scenario_read_file(ZV_SOURCE_DIR "/scenarios/governor.yaml", 0, NULL, &s, &error) < 0)
        fail_msg("%s", error.text);
    const double w = 6.283185307179586, h = 1e-4;
    unsigned char held[4] = {0};
    double v[4] = {0};
    held[dof_of(s, "spin")] = 1;
    v[dof_of(s, "spin")] = w;
    zvEquilibrium *e = rest_of(s, &(zvRestOptions){.t = NAN, .held = held, .v = v});
    const double *q = zv_equilibrium_position(e), slide = q[1], a = q[2];
    assert_named_near("both arms", q[3], a, 1e-10);
    const double along = (governor_energy(slide + h, a, w) - governor_energy(slide - h, a, w)) / (2 * h);
    const double about = (governor_energy(slide, a + h, w) - governor_energy(slide, a - h, w)) / (2 * h);
    assert_named_near("slider", along, 0, 1e-4);
    assert_named_near("arms", about, 0, 1e-4);
    assert_named_near("no torque keeps a steady spin", zv_equilibrium_holding(e)[0], 0, 1e-9);
    assert_int_equal(zv_equilibrium_stability(e), ZV_STABILITY_STABLE);
    zv_equilibrium_destroy(e);
    /* about a horizontal axis there is no steady motion */
    held[0] = 0, v[0] = 0, held[2] = 1, v[2] = 1;
    refused_rest(s, &(zvRestOptions){.t = NAN, .held = held, .v = v}, ZV_NO_CONVERGENCE, "no steady motion");
    zv_scenario_destroy(s);
}

/* A rod on a spinning hub: EA u'' + rho A w^2 (x + u) = 0 has u(L) = L (tan(k L)/(k L) - 1), k = w sqrt(rho A/EA); and
 * a run that begins there, turning freely, stays. */
#define SPINNING                                                                                                      \
    "{zveno_scenario: 1, gravity: [0, 0, 0], duration: 2, model: {inline: {links: [{name: base}, {name: arm, beam: "  \
    "{length: 10, EIy: 1.4e4, EIz: 1.4e4, EA: 2.8e6, GJ: 1e4, rhoA: 1.2, rhoIy: 6e-4, rhoIz: 6e-4, shapes: powers, "  \
    "modes: {y: 2, z: 2, axial: 4}, damping: {ratio: 0.05}}}], joints: [{name: hub, type: continuous, parent: base, " \
    "child: arm, axis: [0, 0, 1]}], frames: [{name: tip, link: arm, pose: {xyz: [10, 0, 0]}}]}}, initial: "           \
    "{equilibrium: {hold: [hub]}, v: {hub: 6}}, integrator: {rtol: 1e-10, atol: 1e-10}}"

static void arm_spins(void **state) {
    (void)state;
    zvScenario *s = scenario_of(SPINNING);
    unsigned char held[9] = {1};
    const double v[9] = {6}, kL = 6 * 10 * sqrt(1.2 / 2.8e6);
    assert_int_equal(zv_model_nv(zv_scenario_model(s)), 9);
    zvEquilibrium *e = rest_of(s, &(zvRestOptions){.t = NAN, .held = held, .v = v});
    zvWork *work = zv_work_create(zv_scenario_model(s), NULL);
    zvPose tip;
    zv_frame_pose(zv_scenario_model(s), work, zv_equilibrium_position(e),
                  zv_model_find_frame(zv_scenario_model(s), "tip"), &tip);
    assert_named_near("extension of the arm", tip.p[0] - 10, 10 * (tan(kL) / kL - 1), 1e-9);
    zvRunSummary *run = run_of(s, NULL);
    for (int i = 1; i < 9; i++)
        assert_element_near("q of a run", i, zv_run_position(run)[i], zv_equilibrium_position(e)[i], 1e-9);
    assert_named_near("turned", zv_run_position(run)[0], 12, 1e-8);
    zv_run_summary_destroy(run);
    zv_work_destroy(work);
    zv_equilibrium_destroy(e);
    zv_scenario_destroy(s);
}

/* A crane: a cylinder lifts an elastic boom, a closed loop; the jib and the cylinder are held. */
#define CRANE                                                                                                          \
    "{zveno_scenario: 1, duration: 1, model: {inline: {links: [{name: ground}, {name: column, mass: 300, com: [0, 0, " \
    "0.6], inertia: [40, 40, 15]}, {name: boom, beam: {length: 4, material: {E: 2.1e11, G: 8e10, density: 7850}, "     \
    "section: {frame: [0.12, 0.2, 0.008]}, shapes: powers, modes: {y: 1, z: 2}, damping: {ratio: 0.02}}}, {name: "     \
    "jib, mass: 60, com: [1, 0, 0], inertia: [0.5, 20, 20]}, {name: load, mass: 230, com: [0, 0, -0.3], inertia: [8, " \
    "8, 8]}, {name: barrel, mass: 20, com: [0.3, 0, 0], inertia: [0.1, 1.5, 1.5]}, {name: rod, mass: 10, com: [0.4, "  \
    "0, 0], inertia: [0.05, 0.8, 0.8]}], joints: [{name: slew, type: revolute, parent: ground, child: column, axis: "  \
    "[0, 0, 1], damping: 50, limits: {lower: -9, upper: 9}}, {name: lift, type: revolute, parent: column, child: "     \
    "boom, axis: [0, -1, 0], origin: {xyz: [0, 0, 1.5]}, limits: {lower: -9, upper: 9}}, {name: knuckle, type: "       \
    "revolute, parent: boom, child: jib, axis: [0, -1, 0], origin: {xyz: [4, 0, 0]}, limits: {lower: -9, upper: 9}}, " \
    "{name: hook, type: fixed, parent: jib, child: load, origin: {xyz: [3, 0, 0]}}, {name: pivot, type: revolute, "    \
    "parent: column, child: barrel, axis: [0, -1, 0], origin: {xyz: [0.3, 0, 0.5]}, limits: {lower: -9, upper: 9}}, "  \
    "{name: stroke, type: prismatic, parent: barrel, child: rod, axis: [1, 0, 0], origin: {xyz: [0.3, 0, 0]}, "        \
    "limits: {lower: -9, upper: 9}}], loops: [{name: eye, type: revolute, parent: boom, child: rod, origin: {xyz: "    \
    "[1, 0, -0.1]}, child_origin: {xyz: [0.8, 0, 0]}, axis: [0, -1, 0]}]}}, initial: {q: {knuckle: 0.2, stroke: "      \
    "%.17g}}%s}"

static double stored_energy(const zvScenario *s, const zvEquilibrium *e) {
    zvWork *work = zv_work_create(zv_scenario_model(s), NULL);
    const double *q = zv_equilibrium_position(e), *v = zv_equilibrium_velocity(e);
    double kinetic, potential, stores[8] = {0}, sum;
    zv_energy(zv_scenario_model(s), work, q, v, &kinetic, &potential);
    zv_drives_stored(zv_scenario_drives(s), work, q, v, zv_equilibrium_states(e), stores);
    sum = potential;
    for (int i = 0; i < zv_drives_nstore(zv_scenario_drives(s)); i++) sum += stores[i];
    zv_work_destroy(work);
    return sum;
}

static zvEquilibrium *crane_rests(double stroke, zvScenario **s) {
    unsigned char held[16] = {0};
    *s = scenario_of(CRANE, stroke, "");
    held[dof_of(*s, "knuckle")] = held[dof_of(*s, "stroke")] = 1;
    return rest_of(*s, &(zvRestOptions){.t = NAN, .held = held});
}

/* The force of the cylinder is what the stored energy changes by with its stroke, everything else following. */
static void crane_hangs_on_its_cylinder(void **state) {
    (void)state;
    const double h = 1e-4;
    zvScenario *s, *low_s, *high_s;
    zvEquilibrium *e = crane_rests(0.1, &s), *low = crane_rests(0.1 - h, &low_s), *high = crane_rests(0.1 + h, &high_s);
    const double slope = (stored_energy(high_s, high) - stored_energy(low_s, low)) / (2 * h);
    const double force = zv_equilibrium_holding(e)[dof_of(s, "stroke")];
    assert_named_near("force of the cylinder by virtual work", force, slope, 1e-6 * fabs(slope));
    assert_true(force > 1e3);
    assert_true(zv_equilibrium_acceleration(e) < 1e-9);
    assert_int_equal(zv_equilibrium_stability(e), ZV_STABILITY_INDIFFERENT); /* it slews */
    double moved = 0;
    for (int i = 0; i < zv_model_nv(zv_scenario_model(s)); i++)
        if (i != dof_of(s, "slew")) moved = fmax(moved, fabs(zv_equilibrium_softest(e)[i]));
    assert_true(moved < 1e-8);
    zv_equilibrium_destroy(e), zv_equilibrium_destroy(low), zv_equilibrium_destroy(high);
    zv_scenario_destroy(s), zv_scenario_destroy(low_s), zv_scenario_destroy(high_s);
}

/* Held by motions that a law leads, a run begins there and stays. */
static void crane_stays(void **state) {
    (void)state;
    char text[8192];
    snprintf(text, sizeof text, CRANE, 0.1,
             ", drives: [{type: motion, name: hold jib, joint: knuckle, law: 0.2}, {type: motion, name: hold cylinder, "
             "joint: stroke, law: 0.1}], integrator: {rtol: 1e-10, atol: 1e-10}");
    char *initial = strstr(text, "initial: {q"); /* equilibrium beside it */
    assert_non_null(initial);
    char whole[8192];
    snprintf(whole, sizeof whole, "%.*sinitial: {equilibrium: true, %s", (int)(initial - text), text,
             initial + strlen("initial: {"));
    stays(whole, 1e-9);
}

/* A chain of elastic links in a scenario; the tip goes where geometrically exact beams take it: Nachbagauer et al.
 * (2011), and Bathe and Bolourchi (1979), converged (tests/modes/test_large_cantilevers.c). */
static void cantilever(const char *beam, int links, double length, double bend, const char *force, const double want[3],
                       double tolerance) {
    static char text[65536];
    size_t used = 0;
    const double turn = bend / links, chord = turn > 0 ? 2 * length / bend * sin(0.5 * turn) : length / links;
#define PUT(...) used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__)
    PUT("{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1, model: {inline: {links: [{name: base}");
    for (int i = 0; i < links; i++) PUT(", {name: b%d, beam: {length: %.17g, %s}}", i, chord, beam);
    PUT("], joints: [");
    for (int i = 0; i < links; i++)
        PUT("%s{name: j%d, type: fixed, parent: %s%.0d, child: b%d, origin: {xyz: [%.17g, 0, 0], rpy: [0, 0, %.17g]}}",
            i ? ", " : "", i, i ? "b" : "base", i ? i - 1 : 0, i, i ? chord : 0, i ? turn : 0.5 * turn);
    PUT("], frames: [{name: tip, link: b%d, pose: {xyz: [%.17g, 0, 0]}}]}}, loads: [{frame: tip, force: %s}]}",
        links - 1, chord, force);
#undef PUT
    for (char *b0 = text; (b0 = strstr(b0, "parent: b,")); b0++) { /* %.0d prints nothing for 0 */
        memmove(b0 + 10, b0 + 9, strlen(b0 + 9) + 1);
        b0[9] = '0';
    }
    zvScenario *s = NULL;
    zvError error = {0};
    if (zv_scenario_read_memory("cantilever", text, strlen(text), 0, NULL, &s, &error) < 0) fail_msg("%s", error.text);
    const zvModel *model = zv_scenario_model(s);
    zvEquilibrium *e = rest_of(s, NULL);
    zvWork *work = zv_work_create(model, NULL);
    zvPose before, after;
    double *q = calloc((size_t)zv_model_nq(model) + 1, sizeof *q), gap = 0, size = 0;
    zv_neutral(model, q);
    zv_frame_pose(model, work, q, zv_model_find_frame(model, "tip"), &before);
    zv_frame_pose(model, work, zv_equilibrium_position(e), zv_model_find_frame(model, "tip"), &after);
    for (int k = 0; k < 3; k++) {
        gap += pow(after.p[k] - before.p[k] - want[k], 2);
        size += want[k] * want[k];
    }
    print_message("%d links: error %.1e, %d parts, residual %.1e\n", links, sqrt(gap / size), zv_equilibrium_steps(e),
                  zv_equilibrium_residual(e));
    assert_true(sqrt(gap / size) < tolerance);
    assert_int_equal(zv_equilibrium_stability(e), ZV_STABILITY_STABLE);
    free(q);
    zv_work_destroy(work);
    zv_equilibrium_destroy(e);
    zv_scenario_destroy(s);
}

static void cantilevers_bend_far(void **state) {
    (void)state;
    cantilever("EA: 1.035e10, EIz: 2.15625e8, EIy: 8.625e6, kGAy: 3.38438e9, kGAz: 3.38438e9, GJ: 1.6586538e6, rhoA: "
               "392.5, rhoIy: 0.327, rhoIz: 8.177, shapes: cubic, modes: {y: 2, axial: 1}",
               8, 2, 0, "[0, 6.25e7, 0]", (double[]){-0.1509711442392916, 0.7105685978536344, 0}, 6e-4);
    cantilever(
        "EA: 1e7, EIz: 833330, EIy: 833330, kGAy: 4166666.5, kGAz: 4166666.5, GJ: 833330, rhoA: 1, rhoIy: 0.0833, "
        "rhoIz: 0.0833, shapes: cubic, modes: {y: 2, z: 2, twist: 1, axial: 1}",
        8, 78.53981633974483, 0.7853981633974483, "[0, 0, 600]",
        (double[]){-23.560653368007614, -13.604671462551119, 53.475541012508934}, 1e-3);
}

/* What cannot be is told in a sentence. */
static void bad_questions_are_refused(void **state) {
    (void)state;
    zvScenario *s = scenario_of("{zveno_scenario: 1, model: " FALLING ", duration: 1}");
    refused_rest(s, NULL, ZV_SINGULAR, "nothing holds a part");
    zv_scenario_destroy(s);
    zvError error = {0};
    static const char text[] =
        "{zveno_scenario: 1, model: " PENDULUM ", duration: 1, initial: {equilibrium: true, v: {pivot: 1}}}";
    assert_int_equal(zv_scenario_read_memory("t", text, sizeof text - 1, 0, NULL, &s, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "expected rest, or hold: [pivot]"));
    static const char other[] =
        "{zveno_scenario: 1, model: " PENDULUM ", duration: 1, initial: {equilibrium: {hold: [pivit]}}}";
    assert_int_equal(zv_scenario_read_memory("t", other, sizeof other - 1, 0, NULL, &s, &error), ZV_NAME);
    static const char cases[] = "{zveno_scenario: 1, model: " PENDULUM ", duration: 1, cases: {a: [gravity]}}";
    assert_int_equal(zv_scenario_read_memory("t", cases, sizeof cases - 1, 0, NULL, &s, &error), ZV_SYNTAX);
    assert_non_null(strstr(error.text, "expected key.path=value"));
}

TESTS(pendulum_rests, rod_buckles, drives_carry_the_weight, governor_spins, arm_spins, crane_hangs_on_its_cylinder,
      crane_stays, cantilevers_bend_far, bad_questions_are_refused)
