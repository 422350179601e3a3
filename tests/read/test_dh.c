/* Denavit-Hartenberg rows: exact quarter turns, the three conventions against products of elementary transforms, and
 * the PUMA 560. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/dh.h"
#include "read/native.h"
#include "support/run_tests.h"

static const double PI = 3.14159265358979323846;

static unsigned long long seed;
static double uniform(void) { /* in (-1, 1) */
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(int)(seed >> 32) / 2147483648.0;
}

/* Poses from scratch, so that nothing of the code under test is used. */
typedef struct T4 {
    double m[4][4];
} T4;

static T4 unit(void) { return (T4){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}; }

static T4 times(T4 a, T4 b) {
    T4 c;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            c.m[i][j] = 0;
            for (int k = 0; k < 4; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    }
    return c;
}

static T4 turn(int axis, double angle) {
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    T4 t = unit();
    t.m[j][j] = t.m[k][k] = cos(angle);
    t.m[k][j] = sin(angle);
    t.m[j][k] = -sin(angle);
    return t;
}

static T4 shift(int axis, double length) {
    T4 t = unit();
    t.m[axis][3] = length;
    return t;
}

static T4 of_pose(const zvPose *pose) {
    T4 t = unit();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) t.m[i][j] = pose->R[3 * i + j];
        t.m[i][3] = pose->p[i];
    }
    return t;
}

static double difference(T4 a, T4 b) {
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) worst = fmax(worst, fabs(a.m[i][j] - b.m[i][j]));
    }
    return worst;
}

static zvBuilder *read_text(const char *text) {
    zvError error = {0};
    char line[900];
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    if (zi_native_read(builder, "chain.yaml", text, strlen(text), &error) != ZV_OK) {
        fail_msg("%s", zv_error_line(&error, line, sizeof line));
    }
    return builder;
}

/* World pose of the link below joint number `last` of a chain whose joints follow each other. */
static T4 link_pose(zvBuilder *builder, int last, const double *q) {
    T4 world = unit();
    for (int i = 0; i <= last; i++) {
        const zvJoint *joint = zv_builder_joint(builder, i);
        assert_true(joint->axis[0] == 0 && joint->axis[1] == 0 && joint->axis[2] == 1);
        world = times(world, of_pose(&joint->origin));
        if (joint->type == ZV_JOINT_PRISMATIC) world = times(world, shift(2, q[i]));
        if (joint->type == ZV_JOINT_REVOLUTE || joint->type == ZV_JOINT_CONTINUOUS) world = times(world, turn(2, q[i]));
    }
    return world;
}

static void quarter_turns_are_exact(void **state) {
    (void)state;
    static const double sines[4] = {0, 1, 0, -1};
    for (int k = -40; k <= 40; k++) {
        double s, c;
        zi_dh_sincos(k * (PI / 2), &s, &c);
        assert_true(s == sines[k & 3] && c == sines[(k + 1) & 3]);
        assert_false(signbit(s) && s == 0);
        zi_dh_sincos(k * 90 * (PI / 180), &s, &c); /* as "90 deg" is read */
        assert_true(s == sines[k & 3] && c == sines[(k + 1) & 3]);
    }
    double s, c;
    zi_dh_sincos(PI / 2 + 1e-14, &s, &c); /* near is not equal */
    assert_true(c != 0 && fabs(c + 1e-14) < 1e-15);
    zi_dh_sincos(1e-300, &s, &c);
    assert_true(s == 1e-300 && c == 1);
}

static void pose_has_no_negative_zero(void **state) {
    (void)state;
    for (int i = -4; i <= 4; i++) {
        for (int j = -4; j <= 4; j++) {
            zvPose pose = zi_dh_pose(0, i * PI / 2, j * PI / 2, j % 2 ? -0.5 : 0.25);
            for (int k = 0; k < 9; k++) {
                assert_true(pose.R[k] == 0 || fabs(pose.R[k]) == 1);
                assert_false(pose.R[k] == 0 && signbit(pose.R[k]));
            }
            for (int k = 0; k < 3; k++) assert_false(pose.p[k] == 0 && signbit(pose.p[k]));
        }
    }
}

enum { ROWS = 7 };

typedef struct Table {
    bool prismatic[ROWS];
    double a[ROWS], alpha[ROWS], d[ROWS], theta[ROWS], q[ROWS], com[ROWS][3], J[ROWS][6];
} Table;

static Table random_table(unsigned long long with_seed) {
    Table t;
    seed = with_seed;
    for (int i = 0; i < ROWS; i++) {
        t.prismatic[i] = uniform() > 0.3;
        t.a[i] = uniform(), t.alpha[i] = 3 * uniform(), t.d[i] = uniform(), t.theta[i] = 3 * uniform();
        t.q[i] = 3 * uniform();
        for (int k = 0; k < 3; k++) t.com[i][k] = uniform();
        for (int k = 0; k < 6; k++) t.J[i][k] = uniform();
    }
    return t;
}

static void print_table(const Table *t, const char *convention, char *text, size_t size) {
    bool screw = strcmp(convention, "screw") == 0;
    size_t n = (size_t)snprintf(text, size, "{zveno: 1, chain: {convention: %s, parent: ground, rows: [", convention);
    for (int i = 0; i < ROWS; i++) {
        n += (size_t)snprintf(text + n, size - n, "{joint: j%d, link: l%d, a: %.17g, alpha: %.17g, ", i, i, t->a[i],
                              t->alpha[i]);
        if (screw) {
            n += (size_t)snprintf(text + n, size - n, "b: %.17g, offset: %.17g, nu: %d, ", t->d[i], t->theta[i],
                                  t->prismatic[i]);
        } else {
            n += (size_t)snprintf(text + n, size - n, "d: %.17g, theta: %.17g, type: %s, ", t->d[i], t->theta[i],
                                  t->prismatic[i] ? "prismatic" : "revolute");
        }
        n += (size_t)snprintf(text + n, size - n, "mass: 2, com: [%.17g, %.17g, %.17g], ", t->com[i][0], t->com[i][1],
                              t->com[i][2]);
        n += (size_t)snprintf(text + n, size - n, "inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]}, ", t->J[i][0],
                              t->J[i][1], t->J[i][2], t->J[i][3], t->J[i][4], t->J[i][5]);
    }
    snprintf(text + n, size - n, "]}}");
    assert_true(n < size - 4);
}

/* The definitions, one elementary transform after the other. */
static T4 row_by_definition(const Table *t, int i, const char *convention) {
    double theta = t->theta[i] + (t->prismatic[i] ? 0 : t->q[i]), d = t->d[i] + (t->prismatic[i] ? t->q[i] : 0);
    double alpha = t->alpha[i];
    if (strcmp(convention, "standard") == 0) {
        return times(times(turn(2, theta), shift(2, d)), times(shift(0, t->a[i]), turn(0, alpha)));
    }
    if (strcmp(convention, "modified") == 0) {
        return times(times(turn(0, alpha), shift(0, t->a[i])), times(turn(2, theta), shift(2, d)));
    }
    T4 A = times(turn(0, alpha), turn(2, theta)); /* [Liu] (35) */
    A.m[0][3] = t->a[i], A.m[1][3] = -d * sin(alpha), A.m[2][3] = d * cos(alpha);
    return A;
}

/* World centre of mass and world inertia from an inertia in a frame. */
static void world_inertia(T4 frame, const double com[3], const double J[6], double out[12]) {
    const double full[3][3] = {{J[0], J[1], J[2]}, {J[1], J[3], J[4]}, {J[2], J[4], J[5]}};
    for (int i = 0; i < 3; i++) {
        out[i] = frame.m[i][3];
        for (int k = 0; k < 3; k++) out[i] += frame.m[i][k] * com[k];
        for (int j = 0; j < 3; j++) {
            out[3 + 3 * i + j] = 0;
            for (int k = 0; k < 9; k++) {
                out[3 + 3 * i + j] += frame.m[i][k / 3] * full[k / 3][k % 3] * frame.m[j][k % 3];
            }
        }
    }
}

static void check_convention(const char *convention, unsigned long long with_seed) {
    static char text[8192];
    Table t = random_table(with_seed);
    print_table(&t, convention, text, sizeof text);
    zvBuilder *builder = read_text(text);
    assert_int_equal(zv_builder_njoint(builder), ROWS);
    assert_int_equal(zv_builder_nlink(builder), ROWS + 1);
    bool standard = strcmp(convention, "standard") == 0;
    assert_int_equal(zv_builder_nframe(builder), standard ? ROWS : 0);
    T4 expected = unit();
    for (int i = 0; i < ROWS; i++) {
        expected = times(expected, row_by_definition(&t, i, convention));
        T4 link = link_pose(builder, i, t.q), row = link;
        if (standard) row = times(link, of_pose(&zv_builder_frame(builder, i)->pose));
        const zvInertia *inertia = &zv_builder_link(builder, i + 1)->inertia;
        double got[12], wanted[12], off = difference(row, expected);
        world_inertia(link, inertia->com, inertia->moment, got);
        world_inertia(expected, t.com[i], t.J[i], wanted);
        for (int k = 0; k < 12; k++) off = fmax(off, fabs(got[k] - wanted[k]));
        if (!(off < 1e-13)) fail_msg("%s, seed %llu, row %d: off by %g", convention, with_seed, i, off);
    }
    zv_builder_destroy(builder);
}

static void conventions_match_their_definitions(void **state) {
    (void)state;
    for (unsigned long long s = 1; s <= 50; s++) {
        check_convention("standard", s);
        check_convention("modified", s);
        check_convention("screw", s);
    }
}

static void hand_computed_rows(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\n"
                                   "chain:\n"
                                   "  convention: standard\n"
                                   "  parent: base\n"
                                   "  rows:\n"
                                   "    - {joint: j1, link: l1, a: 0.1, alpha: pi/2, d: 0.5, theta: pi/2, mass: 2,\n"
                                   "       com: [0.01, 0.02, 0.03], inertia: [1, 2, 3]}\n"
                                   "    - {joint: j2, link: l2, type: prismatic, a: 0, alpha: -90 deg, d: 0.2}\n");
    const zvJoint *j1 = zv_builder_joint(builder, 0), *j2 = zv_builder_joint(builder, 1);
    /* joint 1: Rz(pi/2) Tz(0.5) in the base */
    const double R1[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, p1[3] = {0, 0, 0.5};
    assert_memory_equal(j1->origin.R, R1, sizeof R1);
    assert_memory_equal(j1->origin.p, p1, sizeof p1);
    /* joint 2: Tx(0.1) Rx(pi/2) Tz(0.2) in link 1 */
    const double R2[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0}, p2[3] = {0.1, -0.2, 0};
    assert_memory_equal(j2->origin.R, R2, sizeof R2);
    assert_memory_equal(j2->origin.p, p2, sizeof p2);
    assert_string_equal(j2->parent, "l1");
    assert_string_equal(j2->child, "l2");
    assert_int_equal(j2->type, ZV_JOINT_PRISMATIC);
    /* x y z of the distal frame are x z -y of the link */
    const zvInertia *inertia = &zv_builder_link(builder, 1)->inertia;
    const double com[3] = {0.1 + 0.01, -0.03, 0.02}, moment[6] = {1, 0, 0, 3, 0, 2};
    assert_memory_equal(inertia->com, com, sizeof com);
    assert_memory_equal(inertia->moment, moment, sizeof moment);
    assert_string_equal(zv_builder_link(builder, 0)->name, "base");
    assert_false(zv_builder_link(builder, 0)->has_inertia);
    assert_string_equal(zv_builder_frame(builder, 0)->name, "l1_dh");
    assert_string_equal(zv_builder_frame(builder, 0)->link, "l1");
    zv_builder_destroy(builder);
}

/* Nominal geometry in standard parameters [Armstrong, Khatib, Burdick 1986; Corke]. Published poses of frame 6:
 * all angles zero: identity at (0.4521, -0.1500, 0.4318); the "nominal" pose (0, 45, 180, 0, 45, 0 degrees):
 * z along x, x along -z, at (0.5963, -0.1501, -0.01435). */
static void puma_560(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\n"
                                   "chain:\n"
                                   "  convention: standard\n"
                                   "  parent: base\n"
                                   "  rows:\n"
                                   "    - {joint: waist, link: shoulder, alpha: pi/2}\n"
                                   "    - {joint: shoulder, link: upper, a: 0.4318}\n"
                                   "    - {joint: elbow, link: fore, a: 0.0203, d: 0.15005, alpha: -pi/2}\n"
                                   "    - {joint: wrist1, link: w1, d: 0.4318, alpha: pi/2}\n"
                                   "    - {joint: wrist2, link: w2, alpha: -90 deg}\n"
                                   "    - {joint: wrist3, link: w3}\n");
    double zero[6] = {0}, nominal[6] = {0, PI / 4, PI, 0, PI / 4, 0};
    T4 hand = of_pose(&zv_builder_frame(builder, 5)->pose);
    T4 at_zero = unit(), at_nominal = unit();
    at_zero.m[0][3] = 0.4521, at_zero.m[1][3] = -0.15005, at_zero.m[2][3] = 0.4318;
    memset(at_nominal.m, 0, 3 * sizeof at_nominal.m[0]);
    at_nominal.m[0][2] = 1, at_nominal.m[1][1] = 1, at_nominal.m[2][0] = -1;
    at_nominal.m[0][3] = 0.5963, at_nominal.m[1][3] = -0.15005, at_nominal.m[2][3] = -0.01435;
    assert_true(difference(times(link_pose(builder, 5, zero), hand), at_zero) < 1e-14);
    assert_true(difference(times(link_pose(builder, 5, nominal), hand), at_nominal) < 5e-5);
    /* quarter turns leave clean matrices */
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 9; k++) {
            double r = zv_builder_joint(builder, i)->origin.R[k];
            assert_true(r == 0 || r == 1 || r == -1);
        }
    }
    zv_builder_destroy(builder);
}

static void rows_take_joint_and_shape_keys(void **state) {
    (void)state;
    zvBuilder *builder = read_text(
        "zveno: 1\n"
        "links: [{name: base, mass: 3}]\n"
        "chain:\n"
        "  - {convention: standard, parent: base, rows: [{joint: a1, link: a, a: 1, alpha: pi/2, armature: 0.1,\n"
        "     damping: 0.2, friction: 0.3, limits: {lower: -1, upper: 2, effort: 5, velocity: 6},\n"
        "     spring: {stiffness: 7, rest: 0.5}, mass: 2, com: [0, 0, 1], inertia: [3, 3, 0.5], inertia_about: "
        "origin,\n"
        "     shapes: [{kind: sphere, radius: 0.1, pose: {xyz: [0, 0, 1]}}]}]}\n"
        "  - {convention: screw, parent: a, rows: [{joint: b1, link: b, nu: 1, rotor: {inertia: 2e-4, ratio: 100}},\n"
        "     {joint: b2, link: c, type: continuous, nu: 0}, {joint: b3, link: e, type: fixed, a: 0.3}]}\n");
    assert_int_equal(zv_builder_nlink(builder), 5);
    const zvDof *dof = &zv_builder_joint(builder, 0)->dof[0];
    assert_true(dof->has_limits && dof->lower == -1 && dof->upper == 2 && dof->effort == 5 && dof->velocity == 6);
    assert_true(dof->armature == 0.1 && dof->damping == 0.2 && dof->friction == 0.3);
    assert_true(dof->stiffness == 7 && dof->rest == 0.5);
    const zvInertia *inertia = &zv_builder_link(builder, 1)->inertia; /* about the centre of mass: (1, 1, 0.5) */
    assert_true(inertia->moment[0] == 1 && inertia->moment[3] == 0.5 && inertia->moment[5] == 1);
    assert_true(inertia->com[0] == 1 && inertia->com[1] == -1 && inertia->com[2] == 0);
    const zvShape *shape = zv_builder_shape(builder, 0);
    assert_string_equal(shape->link, "a");
    assert_true(shape->pose.p[0] == 1 && shape->pose.p[1] == -1 && shape->pose.p[2] == 0);
    assert_int_equal(zv_builder_joint(builder, 1)->type, ZV_JOINT_PRISMATIC);
    assert_true(zv_builder_joint(builder, 1)->dof[0].armature == 2e-4 * 100 * 100);
    assert_int_equal(zv_builder_joint(builder, 2)->type, ZV_JOINT_CONTINUOUS);
    assert_int_equal(zv_builder_joint(builder, 3)->type, ZV_JOINT_FIXED);
    assert_string_equal(zv_builder_joint(builder, 1)->parent, "a");
    zv_builder_destroy(builder);
}

TESTS(quarter_turns_are_exact, pose_has_no_negative_zero, conventions_match_their_definitions, hand_computed_rows,
      puma_560, rows_take_joint_and_shape_keys)
