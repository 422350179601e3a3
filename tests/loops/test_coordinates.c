/* Coordinates of loops: recovered where loops are closed by construction, nearest where they are open; their rates;
 * gaps as distances from the nearest position; signs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "along.h"
#include "loose.h"
#include "support/run_tests.h"

static const uint64_t SEED = 20261001;
static const double PI = 3.14159265358979323846;

/* --- closed loops --------------------------------------------------------------------------------------------------
 */

static int width(const zvLoop *loop) { return loop->kind == ZV_LOOP_JOINT ? zv_joint_type_nq(loop->type) : 1; }

/* What rc_open has closed the loop at; quaternions with the sign of `like`. */
static void wanted(const rcLoop *l, const double *like, double *qc) {
    memcpy(qc, l->qc, sizeof l->qc);
    if (l->loop.kind == ZV_LOOP_ROD) qc[0] = l->loop.length;
    if (l->loop.kind == ZV_LOOP_COUPLING) qc[0] = l->loop.offset;
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += l->qc[i] * like[i];
    for (int i = 0; i < 4 && l->loop.kind == ZV_LOOP_JOINT && l->loop.type == ZV_JOINT_SPHERICAL && dot < 0; i++)
        qc[i] = -qc[i];
}

static bool coordinates_are(const rcCase *c, bool smooth) {
    bool good = true;
    (void)smooth;
    for (int i = 0; i < c->loops && good; i++) {
        double got[7] = {0}, want[7];
        zv_loop_coordinates(c->model, c->work, c->q, NULL, i, got, NULL);
        wanted(&c->loop[i], got, want);
        /* a thread turns rounding of lengths into angles */
        good = near(c, "coordinate", width(&c->loop[i].loop), got, want,
                    64 * DBL_EPSILON * reach_of(c) / finest(&c->loop[i].loop));
    }
    return good;
}

static void test_recovered(void **state) {
    (void)state;
    assert_true(each_kind(SEED, 20, RT_ALL_CURVES, coordinates_are));
}

/* --- rates ---------------------------------------------------------------------------------------------------------
 */

static void look_coordinates(const rcCase *c, double t, const double *q, const void *more, double *out) {
    (void)t;
    zv_loop_coordinates(c->model, c->work, q, NULL, *(const int *)more, out, NULL);
}

/* Body rates of a quaternion: 2 conjugate(e) e'. */
static void body_rates(const double *e, const double *d, double *w) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 2 * (e[3] * d[i] - d[3] * e[i] - (e[j] * d[k] - e[k] * d[j]));
    }
}

/* Of motions that the loops allow: others do not come from coordinates of the joint alone. */
static bool velocities_are(const rcCase *c, bool smooth) {
    double *v = numbers(c->nv);
    bool good = true;
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    rc_fit_velocity(c, NULL, v);
    const Along x = along(c, v, smooth);
    for (int i = 0; i < c->loops && good; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        const bool ball = loop->kind == ZV_LOOP_JOINT && loop->type == ZV_JOINT_SPHERICAL;
        double qc[7] = {0}, vc[6] = {0}, rate[7] = {0}, want[6] = {0};
        zv_loop_coordinates(c->model, c->work, c->q, v, i, qc, vc);
        derivative(&x, v, look_coordinates, &i, width(loop), rate);
        memcpy(want, rate, sizeof want);
        if (ball) body_rates(qc, rate, want);
        good =
            near(c, "rate of a coordinate", ball ? 3 : width(loop), vc, want, loss_of(&x, reach_of(c)) / finest(loop));
    }
    free(v);
    return good;
}

static void test_velocities(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 1, 20, RT_LINE | RT_CIRCLE, velocities_are));
    assert_true(each_kind(SEED + 2, 12, RT_OPEN_SPLINE | RT_CLOSED_SPLINE, velocities_are));
}

/* --- signs ---------------------------------------------------------------------------------------------------------
 */

static int joint_index(const rcCase *c, int joint) {
    return zv_model_find_joint(c->model, c->tree->joints[joint].name);
}

/* Of a link or a frame. */
static int link_named(const rcCase *c, const char *name) {
    for (int f = 0; f < c->tree->nframe; f++) {
        if (!strcmp(c->tree->frame_names[f], name)) name = c->tree->frames[f].link;
    }
    for (int i = 0; i < c->tree->nlink; i++) {
        if (!strcmp(c->tree->link_names[i], name)) return i;
    }
    abort();
}

/* Walks the description; a free base's own joint moves both sides. */
static bool signs_are(const rcCase *c, bool smooth) {
    int *signs = calloc((size_t)zv_model_njoint(c->model) + 1, sizeof *signs);
    bool good = signs != NULL;
    (void)smooth;
    for (int i = 0; i < c->loops && good; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        int *want = calloc((size_t)zv_model_njoint(c->model) + 1, sizeof *want);
        if (!want) abort();
        for (int k = 0; k < loop->term_count; k++)
            want[zv_model_find_joint(c->model, loop->terms[k].joint)] = loop->terms[k].ratio < 0 ? -1 : 1;
        for (int side = 0; side < 2 && loop->kind != ZV_LOOP_COUPLING; side++) {
            for (int link = link_named(c, side ? loop->child : loop->parent); link > 0;
                 link = c->tree->parent[link - 1])
                want[joint_index(c, link - 1)] += side ? 1 : -1;
        }
        zv_loop_signs(c->model, i, signs);
        good = memcmp(signs, want, (size_t)zv_model_njoint(c->model) * sizeof *signs) == 0;
        if (!good) fprintf(stderr, "seed %llu: signs of loop %d\n", (unsigned long long)c->seed, i);
        free(want);
    }
    free(signs);
    return good;
}

static void test_signs(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 3, 12, RT_ALL_CURVES, signs_are));
}

/* --- open loops ----------------------------------------------------------------------------------------------------
 */

static int linear_rows(const zvLoop *loop) {
    switch (loop->type) {
    case ZV_JOINT_PRISMATIC:
    case ZV_JOINT_HELICAL:
    case ZV_JOINT_CYLINDRICAL:
    case ZV_JOINT_CURVE: return 2;
    case ZV_JOINT_PLANAR: return 1;
    default: return 3;
    }
}

/* Lengths of the linear and of the angular gaps; the last row of a thread is a length. */
static void measure(const Loose *l, const double *q, double *distance, double *angle) {
    double gaps[6], lin = 0, ang = 0;
    const int rows = zv_model_nloop_rows(l->model);
    zv_loop_gaps(l->model, l->work, NULL, q, NULL, gaps, NULL);
    for (int k = 0; k < rows; k++) {
        if (k < linear_rows(&l->loop) || (l->loop.type == ZV_JOINT_HELICAL && k == 4))
            lin += gaps[k] * gaps[k];
        else
            ang += gaps[k] * gaps[k];
    }
    *distance = sqrt(lin);
    *angle = sqrt(ang);
}

/* Any pose: the gaps are as long as the way from the joint's position at the coordinates that the loop tells, so they
 * vanish only there; and no other coordinates of the path come nearer. */
static void look_at_pose(const Loose *l, rtRandom *random, const zvPose *pose) {
    double q[7], qc[7] = {0}, distance, angle, d, a;
    loose_put(l, pose, q);
    zv_loop_coordinates(l->model, l->work, q, NULL, 0, qc, NULL);
    zvPose nearest = loose_joint(l, qc);
    measure(l, q, &distance, &angle);
    apart(pose, &nearest, &d, &a);
    assert_true(fabs(distance - d) <= 1e-12 * (1 + d));
    if (!l->loop.ball && l->loop.type != ZV_JOINT_SPHERICAL)
        assert_true(fabs(angle - a) <= 1e-7); /* near a half turn */
    if (!l->loop.ball && l->loop.type != ZV_JOINT_SPHERICAL && a < 3) assert_true(fabs(angle - a) <= 1e-13);
    for (int i = 0; l->loop.type == ZV_JOINT_CURVE && i < 200; i++) {
        double other = rt_uniform(random, -5, 5), e, unused;
        const zvPose there = loose_joint(l, &other);
        apart(pose, &there, &e, &unused);
        assert_true(e >= d * (1 - 1e-12));
    }
}

static void test_open(void **state) {
    rtRandom random = {SEED + 4};
    (void)state;
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        for (int i = 0; i < 20 && type != ZV_JOINT_FREE; i++) {
            Loose l = {0};
            loose_draw(&l, &random, (zvJointType)type, RT_ALL_CURVES);
            l.loop.ball = type == ZV_JOINT_CURVE && i % 2;
            assert_true(loose_freeze(&l));
            for (int k = 0; k < 20; k++) {
                zvPose pose;
                rt_rotation(&random, pose.R);
                rt_vector(&random, 2, 3, pose.p);
                look_at_pose(&l, &random, &pose);
            }
            loose_close(&l);
        }
    }
}

/* Small changes of the pose change gaps a little wherever the loop is not half a turn open, or its path not bent
 * towards it. */
static void test_continuous(void **state) {
    rtRandom random = {SEED + 5};
    (void)state;
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        for (int i = 0; i < 60 && type != ZV_JOINT_FREE && type != ZV_JOINT_CURVE; i++) {
            Loose l = {0};
            double q[7], moved[7], before[6], after[6], step[6], distance, angle;
            zvPose pose;
            loose_draw(&l, &random, (zvJointType)type, RT_LINE);
            l.joint.pitch = type == ZV_JOINT_HELICAL ? 2 : 0; /* threads come round after 12 m */
            assert_true(loose_freeze(&l));
            rt_rotation(&random, pose.R);
            rt_vector(&random, 1, 3, pose.p);
            loose_put(&l, &pose, q);
            measure(&l, q, &distance, &angle);
            rt_vector(&random, 1e-6, 6, step);
            zv_position_add(l.model, q, step, moved);
            zv_loop_gaps(l.model, l.work, NULL, q, NULL, before, NULL);
            zv_loop_gaps(l.model, l.work, NULL, moved, NULL, after, NULL);
            for (int k = 0; k < zv_model_nloop_rows(l.model) && angle < 2.8; k++) {
                if (fabs(before[k]) > 5) continue; /* a thread half a turn off */
                assert_true(fabs(after[k] - before[k]) < 1e-4);
            }
            loose_close(&l);
        }
    }
}

/* A revolute joint upside down: axes along each other, the wrong way, are not closed but half a turn open. */
static void test_upside_down(void **state) {
    static const zvJointType types[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_CYLINDRICAL, ZV_JOINT_PLANAR, ZV_JOINT_HELICAL};
    static const zvPose down = {{1, 0, 0, 0, -1, 0, 0, 0, -1}, {0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        Loose l = {.loop = zv_loop_default("loop", ZV_LOOP_JOINT, types[i], "ground", "body"),
                   .joint = zv_joint_default("loop", types[i], "ground", "body")};
        double q[7], distance, angle;
        l.joint.pitch = types[i] == ZV_JOINT_HELICAL ? 0.1 : 0;
        assert_true(loose_freeze(&l));
        loose_put(&l, &down, q);
        measure(&l, q, &distance, &angle);
        assert_true(fabs(angle - PI) < 1e-12);
        loose_close(&l);
    }
}

/* Coordinates many turns away: the displacement tells which. Driven ones see them all. */
static void test_many_turns(void **state) {
    rtRandom random = {SEED + 6};
    (void)state;
    for (int i = 0; i < 50; i++) {
        Loose l = {0};
        double q[7], gaps[6], qc[7] = {rt_uniform(&random, -60, 60)}, got[7] = {0};
        loose_draw(&l, &random, ZV_JOINT_HELICAL, RT_LINE);
        l.loop.driven = true;
        l.loop.value = qc[0] - 10;
        assert_true(loose_freeze(&l));
        const zvPose pose = loose_joint(&l, qc);
        loose_put(&l, &pose, q);
        zv_loop_coordinates(l.model, l.work, q, NULL, 0, got, NULL);
        zv_loop_gaps(l.model, l.work, NULL, q, NULL, gaps, NULL);
        assert_true(fabs(got[0] - qc[0]) < 1e-13 * 60 / fabs(l.joint.pitch));
        for (int k = 0; k < 5; k++) assert_true(fabs(gaps[k]) < 1e-12);
        assert_true(fabs(gaps[5] - 10) < 1e-13 * 60 / fabs(l.joint.pitch));
        loose_close(&l);
    }
}

/* A driven angle goes the short way round, and so does the coordinate of a closed path. */
static void test_shorter_turn(void **state) {
    rtRandom random = {SEED + 7};
    (void)state;
    for (int i = 0; i < 40; i++) {
        Loose l = {0};
        const bool circle = i % 2;
        double q[7], gaps[6], qc[7] = {0};
        loose_draw(&l, &random, circle ? ZV_JOINT_CURVE : ZV_JOINT_REVOLUTE, RT_CIRCLE);
        const double turn = 2 * PI * (circle ? l.joint.curve.radius : 1), off = rt_uniform(&random, -0.49, 0.49) * turn;
        qc[0] = rt_uniform(&random, -0.5, 0.5) * turn;
        l.loop.driven = true;
        l.loop.value = qc[0] - off + turn * rt_below(&random, 5);
        assert_true(loose_freeze(&l));
        const zvPose pose = loose_joint(&l, qc);
        loose_put(&l, &pose, q);
        zv_loop_gaps(l.model, l.work, NULL, q, NULL, gaps, NULL);
        assert_true(fabs(gaps[5] - off) < 1e-12);
        loose_close(&l);
    }
}

TESTS(test_recovered, test_velocities, test_signs, test_open, test_continuous, test_upside_down, test_many_turns,
      test_shorter_turn)
