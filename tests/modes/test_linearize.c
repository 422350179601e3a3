/* M, C and K against forward dynamics: with the forces that hold a state steady, a small departure (x, y) from it
 * accelerates as M^-1 (-C y - K x). Random rigid trees of all joints, and elastic arms that are bent, loaded and
 * moving. Forward dynamics shares no text with the inverse dynamics that K and C are differences of. */
#include "modes/beam_stand.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { MOST = 600 };

/* Springs, dampers and loads besides. */
typedef struct Extra {
    double stiffness[MOST], damping[MOST], tau[MOST];
    int frames[2];
    double loads[12];
} Extra;

typedef struct Look {
    const zvModel *model;
    zvWork *work;
    zvRest rest;
    size_t nq, nv;
    double *q, *v, *a, *force, *fext; /* room */
} Look;

/* Forces of springs, dampers and loads at a departure from the state: what the rest tells. */
static void accelerate(const Look *l, const double *x, const double *y, double size, const double *tau, double *a) {
    double step[MOST];
    for (size_t i = 0; i < l->nv; i++) step[i] = size * x[i];
    zv_position_add(l->model, l->rest.q, step, l->q);
    for (size_t i = 0; i < l->nv; i++) {
        l->v[i] = l->rest.v[i] + size * y[i];
        l->force[i] = tau[i] - size * (l->rest.stiffness[i] * x[i] + l->rest.damping[i] * y[i]);
    }
    memset(l->fext, 0, (size_t)zv_model_nexternal(l->model) * sizeof *l->fext);
    for (int k = 0; k < l->rest.load_count; k++)
        zv_add_wrench(l->model, l->work, l->q, l->rest.load_frames[k], l->rest.loads + 6 * k, l->fext);
    assert_true(zv_forward_dynamics(l->model, l->work, l->q, l->v, l->force, l->fext, a) >= 0);
}

/* tau that gives no acceleration at the state. */
static void steady_force(const Look *l, double *tau) {
    memset(l->fext, 0, (size_t)zv_model_nexternal(l->model) * sizeof *l->fext);
    for (int k = 0; k < l->rest.load_count; k++)
        zv_add_wrench(l->model, l->work, l->rest.q, l->rest.load_frames[k], l->rest.loads + 6 * k, l->fext);
    zv_inverse_dynamics(l->model, l->work, l->rest.q, l->rest.v, NULL, l->fext, tau);
}

/* Largest entry of M a + C y + K x, and of the largest of its terms. */
static double gap(const Look *l, const double *M, const double *C, const double *K, const double *x, const double *y,
                  const double *a, double *size) {
    double worst = 0;
    *size = 0;
    for (size_t i = 0; i < l->nv; i++) {
        double sum = 0, error_scale = 0;
        for (size_t j = 0; j < l->nv; j++) {
            const size_t at = i * l->nv + j;
            sum += M[at] * a[j] + C[at] * y[j] + K[at] * x[j];
            error_scale += fabs(M[at] * a[j]) + fabs(C[at] * y[j]) + fabs(K[at] * x[j]);
        }
        worst = fmax(worst, fabs(sum));
        *size = fmax(*size, error_scale);
    }
    return worst;
}

static double judge(const zvModel *model, zvWork *work, const zvRest *rest, rtRandom *random) {
    const double h = 1e-5;
    Look l = {.model = model, .work = work, .rest = *rest};
    l.nq = (size_t)zv_model_nq(model), l.nv = (size_t)zv_model_nv(model);
    assert_true(l.nv <= MOST);
    double *numbers =
        calloc(3 * l.nv * l.nv + l.nq + 8 * l.nv + (size_t)zv_model_nexternal(model) + 1, sizeof *numbers);
    double *M = numbers, *C = M + l.nv * l.nv, *K = C + l.nv * l.nv, *x = K + l.nv * l.nv, *y = x + l.nv;
    double *tau = y + l.nv, *minus = tau + l.nv, *plus = minus + l.nv, size;
    l.v = plus + l.nv, l.force = l.v + l.nv, l.q = l.force + l.nv, l.fext = l.q + l.nq;
    assert_int_equal(zv_linearize(model, work, rest, M, C, K, NULL), ZV_OK);
    for (size_t i = 0; i < l.nv; i++) x[i] = rt_uniform(random, -1, 1), y[i] = rt_uniform(random, -1, 1);
    steady_force(&l, tau);
    accelerate(&l, x, y, -h, tau, minus);
    accelerate(&l, x, y, h, tau, plus);
    for (size_t i = 0; i < l.nv; i++) plus[i] = (plus[i] - minus[i]) / (2 * h);
    const double worst = gap(&l, M, C, K, x, y, plus, &size);
    free(numbers);
    return worst / size;
}

static bool check_tree(rtCase *c) {
    if (c->nv == 0) return true;
    Extra *e = calloc(1, sizeof *e);
    for (int i = 0; i < c->nv; i++) {
        e->stiffness[i] = rt_uniform(&c->random, 0, 5);
        e->damping[i] = rt_uniform(&c->random, 0, 2);
    }
    for (int i = 0; i < 12; i++) e->loads[i] = rt_uniform(&c->random, -9, 9);
    e->frames[0] = c->nlink - 1, e->frames[1] = zv_model_nframe(c->model) - 1;
    /* in a quaternion the velocity departs with the position too: the free body of test_rigid.c looks at that */
    bool quaternion = false;
    for (int j = 0; j < zv_model_njoint(c->model); j++) {
        const zvJointPlace place = zv_model_joint_place(c->model, j);
        quaternion |= place.nq != place.nv;
    }
    if (quaternion) memset(c->v, 0, (size_t)c->nv * sizeof *c->v);
    const zvRest rest = {.q = c->q,
                         .v = c->v,
                         .stiffness = e->stiffness,
                         .damping = e->damping,
                         .load_count = 2,
                         .load_frames = e->frames,
                         .loads = e->loads};
    const double error = judge(c->model, c->work, &rest, &c->random);
    free(e);
    if (!(error < 3e-8)) printf("seed %llu: %.2g of the forces\n", (unsigned long long)c->seed, error);
    return error < 3e-8; /* differences of order 2 with 1e-5 */
}

static void tame(int index, rtOptions *options) {
    (void)index;
    options->wild = false;
    options->massless = false;
    options->curves = RT_LINE | RT_CIRCLE; /* the third derivative of a spline jumps at its knots */
}

static void trees_depart(void **state) {
    (void)state;
    assert_true(rt_each(4100, 200, 20, tame, check_tree));
}

/* Shoulder, two beams with a ball in between, a weight at the tip; soft, so that it bends. */
static Stand soft_arm(void) {
    zvBuilder *b = stand_builder(1, -2, -9);
    zvBeam first = slender_beam(0.8, ZV_SHAPES_POWERS, 2, 1, 1, 1),
           second = slender_beam(0.6, ZV_SHAPES_CUBIC, 2, 2, 1, 1);
    first.damping.stiffness_factor = second.damping.mass_factor = 0.02;
    second.kGAy = second.kGAz = 4e4;
    zvLink weight = rigid_link("weight", 0.7, (double[]){0.1, 0.02, 0}, (double[]){0.01, 0.02, 0.015});
    add_beam(b, "first", "base", ZV_JOINT_REVOLUTE, 0, &first);
    add_beam(b, "second", "first", ZV_JOINT_UNIVERSAL, 0.5, &second);
    zv_builder_joint(b, 1)->axis2[0] = 0, zv_builder_joint(b, 1)->axis2[1] = 1, zv_builder_joint(b, 1)->axis2[2] = 0;
    stand_add(b, &weight, joint_at("weight", ZV_JOINT_FIXED, "second", (double[]){0, 0, 1}, (double[]){0.6, 0, 0}));
    add_tip(b, "tip", "second", 0.6);
    return stand_open(b);
}

static void elastic_arm_departs(void **state) {
    (void)state;
    Stand s = soft_arm();
    unsigned char held[64];
    zv_joints_held(s.model, held);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        rtRandom random = {seed};
        double v[64], stiffness[64], damping[64], loads[6];
        const int tip = zv_model_find_frame(s.model, "tip");
        for (size_t i = 0; i < s.nv; i++) {
            s.q[i] = rt_uniform(&random, -1, 1) * (held[i] ? 1 : 0.01);
            v[i] = rt_uniform(&random, -2, 2);
            stiffness[i] = rt_uniform(&random, 0, 5);
            damping[i] = rt_uniform(&random, 0, 2);
        }
        for (int i = 0; i < 6; i++) loads[i] = rt_uniform(&random, -9, 9);
        const zvRest rest = {.q = s.q,
                             .v = v,
                             .stiffness = stiffness,
                             .damping = damping,
                             .load_count = 1,
                             .load_frames = &tip,
                             .loads = loads};
        const double error = judge(s.model, s.work, &rest, &random);
        if (!(error < 3e-8)) fail_msg("seed %llu: %.2g of the forces", (unsigned long long)seed, error);
    }
    stand_close(&s);
}

/* Springs and dampers of joints that follow others act on their masters. */
static void followers_count(void **state) {
    (void)state;
    zvBuilder *b = stand_builder(0, 0, 0);
    zvLink one = rigid_link("one", 1, (double[3]){0}, (double[]){1, 1, 1}), two = one;
    zvJoint first = zv_joint_default("one", ZV_JOINT_REVOLUTE, "base", "one");
    zvJoint second = zv_joint_default("two", ZV_JOINT_REVOLUTE, "one", "two");
    two.name = "two";
    first.dof[0] = (zvDof){.stiffness = 10, .rest = 0.5, .damping = 1};
    second.dof[0] = (zvDof){.stiffness = 40, .rest = 0.2, .damping = 3};
    second.mimic = "one", second.ratio = -2, second.offset = 0.1;
    stand_add(b, &one, first);
    stand_add(b, &two, second);
    Stand s = stand_open(b);
    double k, rest, d;
    unsigned char held;
    zv_joint_springs(s.model, &k, &rest, &d);
    zv_joints_held(s.model, &held);
    expect_near("stiffness", k, 10 + 4 * 40, 1e-15);
    expect_near("damping", d, 1 + 4 * 3, 1e-15);
    assert_true(held == 1);
    find_rest(&s, (zvRest){.stiffness = &k, .relaxed = &rest}, 1);
    /* 10 (q - 0.5) - 2 * 40 (-2 q + 0.1 - 0.2) = 0 */
    expect_near("rest", s.q[0], (10 * 0.5 - 80 * 0.1) / 170, 1e-13);
    stand_close(&s);
}

TESTS(trees_depart, elastic_arm_departs, followers_count)
