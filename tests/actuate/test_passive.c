/* Passive forces of random robots, in the tree and in closed loops: against the elements that a set of drives makes of
 * the same joints, against their energy, and through inverse and forward dynamics and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/near.h"
#include "support/random_closed.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static zvError error;
static const double smoothing = 0.05;

/* B B^T of fewer columns than rows at times: not negative, and singular. */
static void draw_matrix(rtRandom *r, int n, double *A) {
    double B[ZV_MAX_DOF * ZV_MAX_DOF];
    const int rank = 1 + rt_below(r, n);
    rt_vector(r, 3, n * rank, B);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0;
            for (int k = 0; k < rank; k++) A[i * n + j] += B[i * rank + k] * B[j * rank + k];
        }
    }
}

static double matrices[2 * (RT_MAX_JOINTS + RC_MAX_LOOPS)][ZV_MAX_DOF * ZV_MAX_DOF];

/* `at` counts joints, then loops. */
static void draw_matrices(rtRandom *r, zvJointType type, int at, const double **stiffness, const double **damping) {
    const int n = zv_joint_type_nv(type);
    if (n < 2) return;
    if (rt_chance(r, 0.7)) draw_matrix(r, n, matrices[2 * at]), *stiffness = matrices[2 * at];
    if (rt_chance(r, 0.7)) draw_matrix(r, n, matrices[2 * at + 1]), *damping = matrices[2 * at + 1];
}

static void draw_dof(rtRandom *r, zvDof *dof) {
    if (rt_chance(r, 0.6)) dof->damping = rt_uniform(r, 0, 3);
    if (rt_chance(r, 0.6)) dof->friction = rt_uniform(r, 0, 2);
    if (rt_chance(r, 0.4)) return;
    dof->stiffness = rt_uniform(r, 0, 20);
    dof->rest = rt_uniform(r, -1, 1);
}

static void draw_joints(rtTree *tree, rtRandom *r) {
    for (int j = 0; j < tree->njoint; j++) {
        zvJoint *joint = &tree->joints[j];
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) draw_dof(r, &joint->dof[k]);
        draw_matrices(r, joint->type, j, &joint->stiffness_matrix, &joint->damping_matrix);
    }
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* What the damping of elastic links takes, which are elements of every set. */
static double lost_in_links(const zvModel *model, const double *q, const double *v) {
    const int nv = zv_model_nv(model);
    double *moving = calloc(2 * (size_t)nv + 1, sizeof *moving), *still = moving + nv;
    zv_elastic_force(model, q, v, moving);
    zv_elastic_force(model, q, NULL, still);
    const double lost = dot(nv, moving, v) - dot(nv, still, v);
    free(moving);
    return lost;
}

/* What a set of drives with nothing but passive elements does. */
typedef struct Elements {
    zvDrives *drives;
    zvEfforts *efforts;
    double power, stored;
} Elements;

static Elements elements_at(const zvModel *model, zvWork *work, const double *q, const double *v) {
    Elements e = {.drives = zv_drives_create(model, &error)};
    double stored[256];
    assert_int_equal(zv_drives_add_passive(e.drives, smoothing, NULL, &error), ZV_OK);
    e.efforts = zv_efforts_create(e.drives, &error);
    assert_true(zv_drives_nstore(e.drives) < 256);
    assert_true(zv_drives_accelerate(e.drives, e.efforts, work, 0, q, v, NULL, NULL) >= 0);
    zv_drives_stored(e.drives, work, q, v, NULL, stored);
    for (int i = 0; i < zv_drives_naccount(e.drives); i++) e.power += e.efforts->power[i];
    for (int i = 0; i < zv_drives_nstore(e.drives); i++) e.stored += stored[i];
    e.stored -= zv_strain_energy(model, q); /* elastic links have stores and accounts too */
    e.power += lost_in_links(model, q, v);
    return e;
}

static void elements_free(Elements *e) {
    zv_efforts_destroy(e->efforts);
    zv_drives_destroy(e->drives);
}

/* Whether a joint with a quaternion is near half a turn from its rest, where the force jumps: cos(t/2) of e_0^-1 e. */
static bool near_half_turn(const rtCase *c) {
    for (int j = 0; j < zv_model_njoint(c->model); j++) {
        const zvJoint *joint = zv_model_joint(c->model, j);
        const int at = zv_joint_type_quaternion(joint->type);
        const double *e = c->q + zv_model_joint_place(c->model, j).q_index + at;
        if (at < 0) continue;
        const double rest[3] = {joint->dof[at].rest, joint->dof[at + 1].rest, joint->dof[at + 2].rest};
        const double t = sqrt(dot(3, rest, rest)), k = t > 0 ? sin(0.5 * t) / t : 0.5;
        if (fabs(cos(0.5 * t) * e[3] + k * dot(3, rest, e)) < 0.15) return true;
    }
    return false;
}

/* Springs follow from their energy, by an eighth-order central difference along v. */
static void springs_follow_energy(const rtCase *c, const double *spring) {
    static const double weight[5] = {0, 4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0};
    double *q = calloc((size_t)c->nq + 1, sizeof *q), *step = calloc((size_t)c->nv + 1, sizeof *step);
    double slope = 0, most = 0, quick = 1;
    for (int i = 0; i < c->nv; i++) quick = fmax(quick, fabs(c->v[i]));
    const double h = 0.02 / quick;
    for (int k = -4; k <= 4 && !near_half_turn(c); k++) {
        for (int i = 0; i < c->nv; i++) step[i] = k * h * c->v[i];
        zv_position_add(c->model, c->q, step, q);
        const double energy = zv_passive_energy(c->model, c->work, q);
        slope += (k < 0 ? -weight[-k] : weight[k]) * energy / h;
        most = fmax(most, energy);
    }
    if (!near_half_turn(c)) assert_named_near("spring power", dot(c->nv, spring, c->v), -slope, 1e-14 * (1 + most) / h);
    free(q);
    free(step);
}

/* One random tree. 1e-14 of the largest share: a few roundings in each. */
static void check_tree(int index) {
    rtOptions options = rt_options_default(1 + index % 12);
    options.mimics = index % 3 ? 0 : 3;
    options.coupled = true;
    options.free_base = index % 4 == 0;
    rtTree *tree = rt_tree_create(770000 + (uint64_t)index, &options);
    rtRandom random = {880000 + (uint64_t)index};
    rtCase c;
    draw_joints(tree, &random);
    assert_true(rt_case_open_tree(&c, tree));
    near_about("tree %d", index);
    const size_t nv = (size_t)c.nv;
    double *share = calloc(5 * nv + 1, sizeof *share), *spring = share, *viscous = share + nv, *dry = share + 2 * nv;
    double *sum = share + 3 * nv, *a = share + 4 * nv;
    zv_passive_forces(c.model, c.work, c.q, c.v, smoothing, spring, viscous, dry);
    zv_add_passive_forces(c.model, c.work, c.q, c.v, smoothing, 1, sum);
    Elements e = elements_at(c.model, c.work, c.q, c.v);
    for (int i = 0; i < c.nv; i++) {
        const double size = 1 + fabs(spring[i]) + fabs(viscous[i]) + fabs(dry[i]);
        assert_element_near("sum", i, sum[i], spring[i] + viscous[i] + dry[i], 1e-14 * size);
        assert_element_near("elements", i, sum[i], e.efforts->tau[i], 4e-14 * size);
        assert_true(dry[i] * c.v[i] <= 0);
    }
    const double lost = dot(c.nv, viscous, c.v) + dot(c.nv, dry, c.v);
    assert_true(dot(c.nv, viscous, c.v) <= 0);
    assert_named_near("power", lost, e.power, 1e-13 * (1 + fabs(lost)));
    assert_named_near("energy", zv_passive_energy(c.model, c.work, c.q), e.stored, 1e-14 * (1 + e.stored));
    springs_follow_energy(&c, spring);

    zv_inverse_dynamics(c.model, c.work, c.q, c.v, e.efforts->a, NULL, c.tau); /* what moves it is p alone */
    zv_add_passive_forces(c.model, c.work, c.q, c.v, smoothing, -1, c.tau);
    zv_add_passive_forces(c.model, c.work, c.q, c.v, smoothing, 1, c.tau);
    assert_int_equal(zv_forward_dynamics(c.model, c.work, c.q, c.v, c.tau, NULL, a), ZV_OK);
    double most = 1;
    for (int i = 0; i < c.nv; i++) most = fmax(most, fabs(a[i]));
    assert_all_near("round trip", c.nv, a, e.efforts->a, 1e-9 * most); /* random masses: condition up to 1e6 */

    zv_passive_forces(c.model, c.work, c.q, NULL, smoothing, NULL, viscous, dry); /* at rest nothing is lost */
    for (int i = 0; i < c.nv; i++) assert_true(viscous[i] == 0 && dry[i] == 0);
    zv_passive_forces(c.model, c.work, c.q, c.v, 0, NULL, NULL, dry); /* without smoothing the whole friction */
    for (int j = 0; j < zv_model_njoint(c.model); j++) {
        const zvJointPlace place = zv_model_joint_place(c.model, j);
        for (int k = 0; !options.mimics && k < place.nv; k++)
            assert_true(fabs(dry[place.v_index + k]) == zv_model_joint(c.model, j)->dof[k].friction);
    }
    elements_free(&e);
    free(share);
    rt_case_close(&c);
}

static void trees(void **state) {
    (void)state;
    for (int index = 0; index < 120; index++) check_tree(index);
}

/* Loops with springs and dampers in their joints; the tree has them too. */
static zvModel *with_passive_loops(const rcCase *c, zvLoop *loops) {
    rtRandom random = {c->seed + 5};
    const zvLoop *list[RC_MAX_LOOPS];
    for (int i = 0; i < c->loops; i++) {
        loops[i] = c->loop[i].loop;
        list[i] = &loops[i];
        if (loops[i].kind != ZV_LOOP_JOINT || loops[i].driven) continue;
        for (int k = 0; k < zv_joint_type_nv(loops[i].type); k++) {
            draw_dof(&random, &loops[i].dof[k]);
            loops[i].dof[k].friction = 0;
        }
        draw_matrices(&random, loops[i].type, RT_MAX_JOINTS + i, &loops[i].stiffness_matrix, &loops[i].damping_matrix);
    }
    if (c->tree) draw_joints(c->tree, &random);
    return rc_freeze(c, list, c->loops);
}

/* Accelerations by tau + p, and drives that hold the mechanism in that motion, which have nothing to do: p does it.
 * Random mechanisms have conditions of up to 1e6; multipliers of redundant ones are compared by what they do. */
static void check_loops(int index) {
    rcOptions options = rc_options_spread(index);
    rcCase c;
    zvLoop loops[RC_MAX_LOOPS];
    assert_true(rc_open(&c, 660000 + (uint64_t)index, &options));
    near_about("loops %d", index);
    rc_fit_velocity(&c, NULL, c.v);
    zvModel *model = with_passive_loops(&c, loops);
    assert_non_null(model);
    zvWork *work = zv_work_create(model, &error);
    const size_t nv = (size_t)c.nv;
    double *p = calloc(4 * nv + 1, sizeof *p), *a = p + nv, *tau = p + 2 * nv, *shares = p + 3 * nv;
    Elements e = elements_at(model, work, c.q, c.v);
    zv_add_passive_forces(model, work, c.q, c.v, smoothing, 1, p);
    assert_true(zv_closed_forward_dynamics(model, work, NULL, c.q, c.v, p, NULL, a, NULL) >= 0);
    double most = 1, size = 1, left;
    for (int i = 0; i < c.nv; i++) {
        most = fmax(most, fabs(e.efforts->a[i]));
        size = fmax(size, fabs(p[i]));
    }
    assert_all_near("a", c.nv, a, e.efforts->a, 1e-8 * most);
    assert_named_near("energy", zv_passive_energy(model, work, c.q), e.stored, 1e-13 * (1 + e.stored));
    zv_passive_forces(model, work, c.q, c.v, smoothing, NULL, shares, tau);
    const double lost = dot(c.nv, shares, c.v) + dot(c.nv, tau, c.v);
    assert_named_near("power", lost, e.power, 1e-10 * (1 + fabs(lost)) * size);
    if (zv_closed_inverse_beside(model, work, c.q, c.v, a, NULL, p, NULL, tau, NULL, &left) >= 0)
        for (int i = 0; i < c.nv; i++) assert_element_near("idle drives", i, tau[i], 0, 1e-7 * size * most);
    elements_free(&e);
    free(p);
    zv_work_destroy(work);
    zv_model_destroy(model);
    rc_close(&c);
}

static void loops(void **state) {
    (void)state;
    for (int index = 0; index < 60; index++) check_loops(index);
}

TESTS(trees, loops)
