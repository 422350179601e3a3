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

static void draw_dof(rtRandom *r, zvJointType type, zvDof *dof) {
    if (rt_chance(r, 0.6)) dof->damping = rt_uniform(r, 0, 3);
    if (rt_chance(r, 0.6)) dof->friction = rt_uniform(r, 0, 2);
    if (zv_joint_type_quaternion(type) >= 0 || rt_chance(r, 0.4)) return;
    dof->stiffness = rt_uniform(r, 0, 20);
    dof->rest = rt_uniform(r, -1, 1);
}

static void draw_joints(rtTree *tree, rtRandom *r) {
    for (int j = 0; j < tree->njoint; j++) {
        zvJoint *joint = &tree->joints[j];
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) draw_dof(r, joint->type, &joint->dof[k]);
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

/* Springs follow from their energy, which along v is a parabola: its central difference has no remainder. */
static void springs_follow_energy(const rtCase *c, const double *spring) {
    double *q = calloc((size_t)c->nq + 1, sizeof *q), *step = calloc((size_t)c->nv + 1, sizeof *step);
    double energy[2], h = 0.125;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < c->nv; i++) step[i] = (side ? h : -h) * c->v[i];
        zv_position_add(c->model, c->q, step, q);
        energy[side] = zv_passive_energy(c->model, c->work, q);
    }
    assert_named_near("spring power", dot(c->nv, spring, c->v), (energy[0] - energy[1]) / (2 * h),
                      1e-14 * (1 + energy[0] + energy[1]) / h);
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
        assert_true(viscous[i] * c.v[i] <= 0 && dry[i] * c.v[i] <= 0);
    }
    const double lost = dot(c.nv, viscous, c.v) + dot(c.nv, dry, c.v);
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
            draw_dof(&random, loops[i].type, &loops[i].dof[k]);
            loops[i].dof[k].friction = 0;
        }
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
