/* Rigid robots whose small motions and positions of rest are known in closed form. */
#include "modes/stand.h"
#include "support/run_tests.h"

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1}, origin[3] = {0};
static const double exactly = 1e-13;       /* what is solved in closed form but for rounding */
static const double by_difference = 2e-12; /* what four-point differences of gravity leave, see modes.h */

/* Hangs along -z, turns about y. */
static Stand pendulum(double mass, double length, double moment) {
    zvBuilder *b = stand_builder(0, 0, -9.81);
    zvLink link = rigid_link("arm", mass, (double[]){0, 0, -length}, (double[]){moment, moment, 0.1 * moment});
    stand_add(b, &link, joint_at("arm", ZV_JOINT_REVOLUTE, "base", y_axis, origin));
    return stand_open(b);
}

static void pendulum_swings(void **state) {
    (void)state;
    Stand s = pendulum(2, 0.7, 0.03);
    const double rate = sqrt(2 * 9.81 * 0.7 / (0.03 + 2 * 0.49));
    find_modes(&s, (zvRest){0});
    assert_int_equal(s.count, 1);
    expect_near("hanging", s.modes[0].frequency, rate, by_difference);
    expect_near("hanging", s.modes[0].imag, rate, by_difference);
    assert_true(s.modes[0].real == 0 && s.modes[0].damping == 0);
    s.q[0] = 3.141592653589793;
    find_modes(&s, (zvRest){0});
    expect_near("upright", s.modes[0].real, rate, by_difference);
    assert_true(s.modes[0].imag == 0 && s.modes[0].damping == -1);
    s.q[0] = 1; /* held there by a constant torque */
    find_modes(&s, (zvRest){0});
    expect_near("aslant", s.modes[0].frequency, rate * sqrt(cos(1)), by_difference);
    stand_close(&s);
}

/* Two equal point masses on equal threads: omega^2 = (2 -+ sqrt 2) g / l. */
static void double_pendulum_swings(void **state) {
    (void)state;
    zvBuilder *b = stand_builder(0, 0, -9.81);
    const double l = 0.4, down[3] = {0, 0, -l}, none[3] = {0};
    zvLink upper = rigid_link("upper", 3, down, none), lower = rigid_link("lower", 3, down, none);
    stand_add(b, &upper, joint_at("upper", ZV_JOINT_REVOLUTE, "base", x_axis, origin));
    stand_add(b, &lower, joint_at("lower", ZV_JOINT_REVOLUTE, "upper", x_axis, down));
    Stand s = stand_open(b);
    find_modes(&s, (zvRest){0});
    for (int k = 0; k < 2; k++) {
        expect_near("double pendulum", s.modes[k].frequency, sqrt((2 + (k ? 1 : -1) * sqrt(2)) * 9.81 / l),
                    4 * by_difference);
        /* the lower angle is relative: absolute angles stand as 1 : +-sqrt 2 */
        expect_near("shape", s.shapes[2 * k + 1] / s.shapes[2 * k], k ? -sqrt(2) - 1 : sqrt(2) - 1, 1e-11);
    }
    unsigned char held[2] = {1, 0};
    find_modes(&s, (zvRest){.held = held});
    assert_int_equal(s.count, 1);
    expect_near("lower alone", s.modes[0].frequency, sqrt(9.81 / l), by_difference);
    assert_true(s.shapes[0] == 0);
    stand_close(&s);
}

/* Two discs on one axis, the second turning on the first. */
static Stand discs(double J1, double J2) {
    zvBuilder *b = stand_builder(0, 0, -9.81);
    zvLink first = rigid_link("first", 1, origin, (double[]){J1, J1, J1});
    zvLink second = rigid_link("second", 1, origin, (double[]){J2, J2, J2});
    stand_add(b, &first, joint_at("first", ZV_JOINT_CONTINUOUS, "base", z_axis, origin));
    stand_add(b, &second, joint_at("second", ZV_JOINT_CONTINUOUS, "first", z_axis, origin));
    return stand_open(b);
}

static void discs_twist(void **state) {
    (void)state;
    const double J1 = 0.3, J2 = 0.05, k = 400;
    Stand s = discs(J1, J2);
    find_modes(&s, (zvRest){.stiffness = (double[]){0, k}});
    assert_true(s.modes[0].frequency == 0 && s.modes[0].damping == 0);
    expect_near("free discs", s.modes[1].frequency, sqrt(k * (1 / J1 + 1 / J2)), exactly);
    find_modes(&s, (zvRest){.stiffness = (double[]){0, 0}});
    assert_true(s.modes[0].frequency == 0 && s.modes[1].frequency == 0);
    /* far apart: the slow one keeps its digits */
    find_modes(&s, (zvRest){.stiffness = (double[]){1e-6, 1e12}});
    expect_near("slow beside fast", s.modes[0].frequency, sqrt(1e-6 / (J1 + J2)), 1e-6);
    expect_near("fast beside slow", s.modes[1].frequency, sqrt(1e12 * (1 / J1 + 1 / J2)), exactly);
    stand_close(&s);
}

static void dampers_damp(void **state) {
    (void)state;
    const double J = 0.25, k = 100;
    Stand s = discs(J, 1);
    unsigned char held[2] = {0, 1};
    const double total = J + 1, rate = sqrt(k / total);
    for (int i = 0; i < 4; i++) {
        static const double ratios[4] = {0.01, 0.7, 1.5, 40};
        const double z = ratios[i], apart = exactly * fmax(1, z * z); /* the slow eigenvalue beside the fast one */
        find_modes(
            &s, (zvRest){.held = held, .stiffness = (double[]){k, 0}, .damping = (double[]){2 * z * rate * total, 0}});
        expect_near("frequency", s.modes[0].frequency, rate, apart);
        expect_near("ratio", s.modes[0].damping, z, apart);
        expect_near("real", s.modes[0].real, z < 1 ? -z * rate : -rate / (z + sqrt(z * z - 1)), 1e-11);
        expect_near("imag", s.modes[0].imag, z < 1 ? rate * sqrt(1 - z * z) : 0, exactly);
    }
    /* a damper and no spring: rigid, dying out */
    find_modes(&s, (zvRest){.damping = (double[]){3, 0}});
    assert_true(s.modes[0].frequency == 0 && s.modes[1].frequency == 0);
    stand_close(&s);
}

/* Overdamped modes find their partners: K and C are proportional, so each mode is one of its own. */
static void overdamped_modes_pair(void **state) {
    (void)state;
    Stand s = discs(0.3, 0.05);
    const double k[2] = {70, 400};
    zvMode plain[2];
    find_modes(&s, (zvRest){.stiffness = k});
    memcpy(plain, s.modes, sizeof plain);
    const double factor = 2 * 3 / plain[0].frequency; /* ratio 3 of the first mode */
    find_modes(&s, (zvRest){.stiffness = k, .damping = (double[]){factor * k[0], factor * k[1]}});
    for (int i = 0; i < 2; i++) {
        expect_near("frequency", s.modes[i].frequency, plain[i].frequency, 1e-12);
        expect_near("ratio", s.modes[i].damping, 0.5 * factor * plain[i].frequency, 1e-12);
    }
    stand_close(&s);
}

/* [Euler] A free body spins about a principal axis: nutation, or, about the middle one, departure. */
static void free_body_spins(void **state) {
    (void)state;
    static const double J[3] = {0.2, 0.35, 0.5};
    for (int axis = 0; axis < 3; axis++) {
        zvBuilder *b = stand_builder(0, 0, 0);
        zvLink body = rigid_link("body", 4, origin, J);
        stand_add(b, &body, joint_at("body", ZV_JOINT_FREE, "base", z_axis, origin));
        Stand s = stand_open(b);
        double v[6] = {0};
        const double W = v[3 + axis] = 7;
        const int m = (axis + 1) % 3, n = (axis + 2) % 3;
        const double square = W * W * (J[axis] - J[m]) * (J[axis] - J[n]) / (J[m] * J[n]);
        find_modes(&s, (zvRest){.v = v});
        int seen = 0;
        for (int k = 0; k < s.count; k++) {
            const zvMode *mode = &s.modes[k];
            seen += square > 0 ? fabs(mode->imag - sqrt(square)) < 1e-12 * W && fabs(mode->real) < 1e-12 * W
                               : fabs(mode->real - sqrt(-square)) < 1e-12 * W && mode->imag == 0;
        }
        if (seen != 1) fail_msg("axis %d: %d modes at %g", axis, seen, sqrt(fabs(square)));
        stand_close(&s);
    }
}

static void pendulum_comes_to_rest(void **state) {
    (void)state;
    const double m = 2, l = 0.7, weight = m * 9.81;
    Stand s = pendulum(m, l, 0.03);
    s.q[0] = 0.3;
    find_rest(&s, (zvRest){0}, 1);
    expect_near("hanging", s.q[0], 0, 1e-11);
    find_rest(&s, (zvRest){.tau = (double[]){0.6 * weight * l}}, 1);
    expect_near("torque", sin(s.q[0]), 0.6, 1e-11); /* weight turns it back by -m g l sin q */
    zv_neutral(s.model, s.q);
    const double load[6] = {-3 * weight, 0, 0};
    find_rest(&s, (zvRest){.load_count = 1, .load_frames = (int[]){zv_model_find_frame(s.model, "arm")}, .loads = load},
              1);
    expect_near("a force in the axis", s.q[0], 0, 1e-11);
    const double k = 5, rest = 0.4;
    find_rest(&s, (zvRest){.stiffness = (double[]){k}, .relaxed = (double[]){rest}}, 1);
    expect_near("spring", k * (s.q[0] - rest), -weight * l * sin(s.q[0]), 1e-10);
    stand_close(&s);
}

/* A chain of ten links pulled aside by a dead force at its end: every link lies along force + weight below it. */
static void chain_hangs_aside(void **state) {
    (void)state;
    enum { LINKS = 10 };
    const double m = 0.5, l = 0.2, F = 9, down[3] = {0, 0, -l}, none[3] = {0};
    zvBuilder *b = stand_builder(0, 0, -9.81);
    char names[LINKS][8];
    for (int i = 0; i < LINKS; i++) {
        snprintf(names[i], sizeof names[i], "l%d", i);
        zvLink link = rigid_link(names[i], m, down, none);
        stand_add(b, &link,
                  joint_at(names[i], ZV_JOINT_REVOLUTE, i ? names[i - 1] : "base", y_axis, i ? down : origin));
    }
    zvFrame tip = zv_frame_default("tip", names[LINKS - 1]);
    tip.pose.p[2] = -l;
    assert_int_equal(zv_builder_add_frame(b, &tip, NULL), ZV_OK);
    Stand s = stand_open(b);
    const double load[6] = {F};
    find_rest(&s, (zvRest){.load_count = 1, .load_frames = (int[]){zv_model_find_frame(s.model, "tip")}, .loads = load},
              1);
    double angle = 0;
    for (int i = 0; i < LINKS; i++) {
        angle += s.q[i];
        expect_near("slope of a link", tan(angle), -F / ((LINKS - i) * m * 9.81), 1e-10);
    }
    stand_close(&s);
}

static void failures_are_told(void **state) {
    (void)state;
    zvError error = {0};
    Stand s = discs(1, 1);
    zvRest rest = {.q = s.q, .tau = (double[]){1, 0}};
    assert_int_equal(zv_equilibrium(s.model, s.work, &rest, 1, s.q, &error), ZV_SINGULAR);
    assert_non_null(strstr(error.text, "nothing holds a part"));
    stand_close(&s);
    s = pendulum(1, 1, 0);
    rest = (zvRest){.q = s.q, .tau = (double[]){20}}; /* more than the weight can balance */
    assert_int_equal(zv_equilibrium(s.model, s.work, &rest, 1, s.q, &error), ZV_NO_CONVERGENCE);
    assert_non_null(strstr(error.text, "left in \"arm\""));
    s.q[0] = NAN;
    assert_int_equal(zv_modes(s.model, s.work, &rest, s.modes, NULL, &s.count, &error), ZV_NUMBER);
    stand_close(&s);
    zvBuilder *b = stand_builder(0, 0, -9.81);
    zvLink massless = zv_link_default("point"), ball = rigid_link("ball", 1, origin, (double[]){1, 1, 1});
    stand_add(b, &massless, joint_at("point", ZV_JOINT_REVOLUTE, "base", z_axis, origin));
    stand_add(b, &ball, joint_at("ball", ZV_JOINT_CONTINUOUS, "point", z_axis, origin));
    s = stand_open(b);
    rest = (zvRest){.q = s.q};
    assert_int_equal(zv_modes(s.model, s.work, &rest, s.modes, NULL, &s.count, &error), ZV_SINGULAR);
    stand_close(&s);
}

/* What nothing holds and nothing moves stays, and does not disturb what settles. */
static void idle_joints_stay(void **state) {
    (void)state;
    zvBuilder *b = stand_builder(0, 0, -9.81);
    const double J[3] = {0.1, 0.1, 0.1};
    zvLink table = rigid_link("table", 1, origin, J), arm = rigid_link("arm", 1, (double[]){0, 0, -0.5}, J);
    stand_add(b, &table, joint_at("table", ZV_JOINT_CONTINUOUS, "base", z_axis, origin));
    stand_add(b, &arm, joint_at("arm", ZV_JOINT_REVOLUTE, "table", y_axis, origin));
    Stand s = stand_open(b);
    s.q[0] = 0.8, s.q[1] = 0.6;
    find_rest(&s, (zvRest){0}, 1);
    assert_true(s.q[0] == 0.8);
    expect_near("arm", s.q[1], 0, 1e-11);
    find_modes(&s, (zvRest){0});
    assert_true(s.modes[0].frequency == 0);
    stand_close(&s);
}

TESTS(pendulum_swings, double_pendulum_swings, discs_twist, dampers_damp, overdamped_modes_pair, free_body_spins,
      pendulum_comes_to_rest, chain_hangs_aside, failures_are_told, idle_joints_stay)
