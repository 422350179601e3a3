/* A free body with sprung and damped parts: neither stiffness nor damping feels the rigid motions. */
#include "modes/stand.h"
#include "support/run_tests.h"

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1}, origin[3] = {0};

/* A hub, free in space, with an arm of two joints and a bare axle. */
static Stand flyer(void) {
    zvBuilder *b = stand_builder(0, 0, 0);
    zvLink hub = rigid_link("hub", 300, (double[]){0.1, -0.2, 0.05}, (double[]){40, 55, 70});
    zvLink one = rigid_link("one", 20, (double[]){0.3, 0, 0.7}, (double[]){2, 3, 4});
    zvLink two = rigid_link("two", 7, (double[]){0, 0.4, 0.2}, (double[]){1, 0.8, 0.5});
    zvLink bare = rigid_link("bare", 5, (double[]){0.2, 0, 0}, (double[]){0.3, 0.2, 0.4});
    stand_add(b, &hub, joint_at("hub", ZV_JOINT_FREE, "base", z_axis, origin));
    stand_add(b, &one, joint_at("one", ZV_JOINT_REVOLUTE, "hub", x_axis, (double[]){0, 1, 0}));
    stand_add(b, &two, joint_at("two", ZV_JOINT_REVOLUTE, "one", y_axis, (double[]){0, 1, 0.5}));
    stand_add(b, &bare, joint_at("bare", ZV_JOINT_CONTINUOUS, "hub", z_axis, (double[]){-1, 0, 0}));
    return stand_open(b);
}

/* x_a^T M x_b */
static double product(const Stand *s, const double *M, int a, int b) {
    double sum = 0;
    for (size_t i = 0; i < s->nv; i++) {
        for (size_t j = 0; j < s->nv; j++)
            sum += s->shapes[(size_t)a * s->nv + i] * M[i * s->nv + j] * s->shapes[(size_t)b * s->nv + j];
    }
    return sum;
}

/* The first modes are rigid, M-orthonormal, and move no spring. */
static void expect_rigid(const Stand *s, int rigid, const double *stiffness) {
    double M[100];
    assert_true(s->nv * s->nv <= 100);
    zv_mass_matrix(s->model, s->work, s->q, M);
    for (int a = 0; a < rigid; a++) {
        const zvMode *mode = &s->modes[a];
        assert_true(mode->frequency == 0 && mode->damping == 0 && mode->real == 0 && mode->imag == 0);
        for (int b = 0; b <= a; b++) expect_near("x^T M x", product(s, M, a, b), a == b, 1e-12);
        for (size_t i = 0; i < s->nv; i++)
            if (stiffness[i] > 0) expect_near("spring", s->shapes[(size_t)a * s->nv + i], 0, 1e-13);
    }
    assert_true(s->modes[rigid].frequency > 0);
}

static void rigid_motions_are_kept_apart(void **state) {
    (void)state;
    Stand s = flyer();
    const double stiffness[9] = {[6] = 3000, [7] = 40}, none[9] = {0};
    double undamped[9], damping[9];
    assert_int_equal(s.nv, 9);
    find_modes(&s, (zvRest){.stiffness = stiffness});
    expect_rigid(&s, 7, stiffness);
    for (int k = 0; k < 9; k++) undamped[k] = s.modes[k].frequency;
    for (int i = 0; i < 9; i++) damping[i] = 1e-3 * stiffness[i]; /* in proportion: the same frequencies */
    find_modes(&s, (zvRest){.stiffness = stiffness, .damping = damping});
    expect_rigid(&s, 7, stiffness);
    for (int k = 7; k < 9; k++) {
        expect_near("frequency", s.modes[k].frequency, undamped[k], 1e-12);
        expect_near("damping", s.modes[k].damping, 0.5e-3 * undamped[k], 1e-11);
    }
    for (int i = 0; i < 9; i++) damping[i] = i == 6 ? 5 : i == 7 ? 0.7 : 0; /* out of proportion */
    find_modes(&s, (zvRest){.stiffness = stiffness, .damping = damping});
    expect_rigid(&s, 7, stiffness);
    assert_true(s.modes[7].damping > 0 && s.modes[8].damping > 0);
    find_modes(&s, (zvRest){.stiffness = none, .damping = none});
    for (int k = 0; k < 9; k++) assert_true(s.modes[k].frequency == 0 && s.modes[k].damping == 0);
    stand_close(&s);
}

/* A damper without a spring leaves six rigid motions and the bare axle, which has eigenvalues 0 and -c/J. */
static void a_damper_alone_is_no_rigid_motion(void **state) {
    (void)state;
    Stand s = flyer();
    const double stiffness[9] = {[6] = 3000, [7] = 40}, damping[9] = {[6] = 3, [7] = 0.04, [8] = 1e-9};
    int dead = 0;
    double M[81];
    find_modes(&s, (zvRest){.stiffness = stiffness, .damping = damping});
    zv_mass_matrix(s.model, s.work, s.q, M);
    for (int k = 0; k < 7; k++) {
        assert_true(s.modes[k].frequency == 0 && s.modes[k].real == 0);
        assert_true(s.modes[k].damping == 0 || s.modes[k].damping == 1);
        dead += s.modes[k].damping == 1;
        expect_near("x^T M x", product(&s, M, k, k), 1, 1e-12);
    }
    assert_int_equal(dead, 1);
    assert_true(s.modes[7].frequency > 1);
    stand_close(&s);
}

/* Drifting along, it vibrates as at rest; the moving frame makes turns into shifts, a double zero that is defective. */
static void drift_changes_nothing(void **state) {
    (void)state;
    Stand s = flyer();
    const double stiffness[9] = {[6] = 3000, [7] = 40}, damping[9] = {[6] = 5, [7] = 0.7}, v[9] = {0.3, -0.7, 0.2};
    double frequency[2], ratio[2];
    find_modes(&s, (zvRest){.stiffness = stiffness, .damping = damping});
    for (int k = 0; k < 2; k++) frequency[k] = s.modes[7 + k].frequency, ratio[k] = s.modes[7 + k].damping;
    find_modes(&s, (zvRest){.stiffness = stiffness, .damping = damping, .v = v});
    for (int k = 0; k < 7; k++) assert_true(s.modes[k].frequency == 0 && s.modes[k].damping == 0);
    for (int k = 0; k < 2; k++) {
        expect_near("frequency", s.modes[7 + k].frequency, frequency[k], 1e-11);
        expect_near("damping", s.modes[7 + k].damping, ratio[k], 1e-10);
    }
    stand_close(&s);
}

/* A mass slides on a free turntable at r: besides the phase, which rests at any value, the speed may change together
 * with r, a second zero that only rounding tells from one. With it the vibration is
 * s^2 + c/m s + k/m - w^2 + 4 m r^2 w^2 / (J + m r^2) = 0. */
static void speed_of_a_turntable(void **state) {
    (void)state;
    const double J = 0.7, m = 1.3, c = 2.9, w = 3.7;
    zvBuilder *b = stand_builder(0, 0, 0);
    zvLink table = rigid_link("table", 1, origin, (double[]){J, J, J});
    zvLink mass = rigid_link("mass", m, origin, (double[]){0, 0, 0});
    stand_add(b, &table, joint_at("table", ZV_JOINT_CONTINUOUS, "base", z_axis, origin));
    stand_add(b, &mass, joint_at("mass", ZV_JOINT_PRISMATIC, "table", x_axis, origin));
    Stand s = stand_open(b);
    for (int k = 0; k < 20; k++) {
        const double r = 0.31 + 0.057 * k, stiffness = 50 + 777.7 * k;
        const double square = stiffness / m - w * w + 4 * m * r * r * w * w / (J + m * r * r);
        s.q[s.nq - 1] = r;
        find_modes(&s,
                   (zvRest){.v = (double[]){w, 0}, .stiffness = (double[]){0, stiffness}, .damping = (double[]){0, c}});
        assert_true(s.modes[0].frequency == 0 && s.modes[0].damping == 0 && s.modes[0].real == 0);
        assert_true(fabs(s.shapes[0]) > 0);
        expect_near("frequency", s.modes[1].frequency, sqrt(square), 1e-10);
        expect_near("damping", s.modes[1].damping, 0.5 * c / m / sqrt(square), 1e-9);
    }
    stand_close(&s);
}

/* A base that constant forces along its own axes bear against its weight, a thread of length l below its centre:
 * omega^2 = g (M + m)/(l M), and the base drifts as its tilt says, six rigid motions in chains of up to four zeros. */
static void borne_base(void **state) {
    (void)state;
    const double M = 30, m = 4, l = 0.6, g = 9.81, rate = sqrt(g * (M + m) / (l * M));
    for (int damped = 0; damped < 2; damped++) {
        zvBuilder *b = stand_builder(0, 0, -g);
        zvLink hub = rigid_link("hub", M, origin, (double[]){2, 3, 4});
        zvLink bob = rigid_link("bob", m, (double[]){0, 0, -l}, origin);
        stand_add(b, &hub, joint_at("hub", ZV_JOINT_FREE, "base", z_axis, origin));
        stand_add(b, &bob, joint_at("bob", ZV_JOINT_CONTINUOUS, "hub", y_axis, origin));
        Stand s = stand_open(b);
        const double damping[7] = {[6] = damped ? 0.01 : 0};
        find_modes(&s, (zvRest){.damping = damping});
        assert_int_equal(s.count, 7);
        for (int k = 0; k < 6; k++)
            assert_true(s.modes[k].frequency == 0 && s.modes[k].damping == 0 && s.modes[k].real == 0);
        expect_near("frequency", s.modes[6].frequency, rate, damped ? 1e-3 : 1e-11);
        assert_true(damped == (s.modes[6].damping > 0));
        const double *shape = s.shapes + 42;
        if (!damped) { /* the centre of mass of both stays, the base does not turn */
            expect_near("x", shape[0] * (M + m) / m, shape[6] * l, 1e-9);
            for (int i = 1; i < 6; i++) expect_near("others", shape[i], 0, 1e-9);
        }
        stand_close(&s);
    }
}

TESTS(rigid_motions_are_kept_apart, a_damper_alone_is_no_rigid_motion, drift_changes_nothing, speed_of_a_turntable,
      borne_base)
