/* Forces on elastic trees from outside and between links.
 *   zv_add_wrench on any frame        the generalised force is J^T wrench with the Jacobian of that frame
 *   reactions                         what a free joint at rest must exert that is put between joint and child
 *                                     sum of those of the ground = rate of momentum less weight and loads
 * Tolerances: hundreds of ulps of the terms, uncancelled; rates of momentum are differences of eighth order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/elastic_case.h"
#include "support/run_tests.h"

static const double tight = 400 * DBL_EPSILON;

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* Largest force or moment of the terms of the inverse dynamics. */
static double size_of(ecCase *c) {
    double size = 1;
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    for (int i = 0; i < c->nv; i++) {
        double row = 0;
        for (int j = 0; j < c->nv; j++)
            row += fabs(c->A[i * c->nv + j]) * (fabs(c->a[j]) + c->quick * fabs(c->v[j]) + 10);
        size = fmax(size, fmax(row, fabs(c->x[i])));
    }
    return size;
}

static bool wrenches_do_virtual_work(ecCase *c) {
    double *fext = numbers(c->nexternal), *J = numbers(6 * c->nv), size = size_of(c);
    bool good = true;
    for (int n = 0; n < 2 * zv_model_nframe(c->model) && good; n++) {
        const int f = n / 2, local = n % 2;
        double wrench[6];
        rt_vector(&c->random, 10, 6, wrench);
        memset(fext, 0, (size_t)c->nexternal * sizeof *fext);
        (local ? zv_add_local_wrench : zv_add_wrench)(c->model, c->work, c->q, f, wrench, fext);
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, NULL, c->x);
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, fext, c->y);
        zv_frame_jacobian(c->model, c->work, c->q, f, local ? ZV_AXES_LOCAL : ZV_AXES_WORLD, J);
        for (int i = 0; i < c->nv && good; i++) {
            double work = 0, scale = size;
            for (int k = 0; k < 6; k++) {
                work += J[k * c->nv + i] * wrench[k];
                scale += fabs(J[k * c->nv + i] * wrench[k]);
            }
            good = ec_near(c, "J^T w", i, c->x[i] - c->y[i], work, tight * scale);
        }
    }
    free(fext);
    free(J);
    return good;
}

/* The same tree with a link without mass where joint j had its child, and the child joined to it by a free joint. */
static zvModel *cut(const ecCase *c, int j) {
    rtTree *tree = malloc(sizeof *tree);
    assert_non_null(tree);
    *tree = *c->tree;
    zvBuilder *builder = zv_builder_create(NULL);
    zvModel *model = NULL;
    zvError error = {0};
    zv_builder_set_gravity(builder, tree->gravity);
    zv_builder_set_free_base(builder, tree->free_base);
    zv_builder_set_mimic_coupled(builder, tree->coupled);
    zvLink dummy = zv_link_default("dummy");
    zvJoint free_joint = zv_joint_default("cut", ZV_JOINT_FREE, "dummy", tree->joints[j].child);
    tree->joints[j].child = "dummy";
    zvStatus status = zv_builder_add_link(builder, &dummy, &error);
    for (int i = 0; i < tree->nlink && status == ZV_OK; i++)
        status = zv_builder_add_link(builder, &tree->links[i], &error);
    for (int i = 0; i < tree->njoint && status == ZV_OK; i++)
        status = zv_builder_add_joint(builder, &tree->joints[i], &error);
    if (status == ZV_OK) status = zv_builder_add_joint(builder, &free_joint, &error);
    if (status == ZV_OK) status = zv_builder_freeze(builder, &model, &error);
    if (status < 0) fprintf(stderr, "seed %llu: refused: %s\n", (unsigned long long)c->seed, error.text);
    zv_builder_destroy(builder);
    free(tree);
    return model;
}

/* State of the cut model: q or v like that of the whole. */
static void copy_state(const ecCase *c, const zvModel *to, const double *q, const double *v, double *to_q,
                       double *to_v) {
    for (int j = 0; j < zv_model_njoint(to); j++) {
        const zvJointPlace new = zv_model_joint_place(to, j);
        const int same = zv_model_find_joint(c->model, zv_model_joint(to, j)->name);
        if (same < 0) {
            to_q[new.q_index + 6] = 1; /* the cut, closed and at rest */
            continue;
        }
        const zvJointPlace old = zv_model_joint_place(c->model, same);
        if (new.mimic >= 0) continue;
        for (int k = 0; k < new.nq; k++) to_q[new.q_index + k] = q[old.q_index + k];
        for (int k = 0; k < new.nv; k++) to_v[new.v_index + k] = v[old.v_index + k];
    }
    for (int l = 0; l < zv_model_nlink(to); l++) {
        const int same = zv_model_find_frame(c->model, zv_model_link(to, l)->name);
        if (same < 0) continue;
        const zvElasticPlace new = zv_model_elastic_place(to, l), old = zv_model_elastic_place(c->model, same);
        for (int k = 0; k < new.count; k++) {
            to_q[new.q_index + k] = q[old.q_index + k];
            to_v[new.v_index + k] = v[old.v_index + k];
        }
    }
}

static void copy_loads(const ecCase *c, const zvModel *to, double *fext) {
    for (int l = 0; l < zv_model_nlink(to); l++) {
        const int same = zv_model_find_frame(c->model, zv_model_link(to, l)->name);
        if (same >= 0) memcpy(fext + 6 * l, c->fext + 6 * same, 6 * sizeof *fext);
    }
}

static bool reaction_agrees(ecCase *c, const double *reactions, int j, double size) {
    zvModel *model = cut(c, j);
    zvWork *work = model ? zv_work_create(model, NULL) : NULL;
    if (!work) return false;
    double *q = numbers(zv_model_nq(model)), *v = numbers(zv_model_nv(model)), *a = numbers(zv_model_nv(model));
    double *tau = numbers(zv_model_nv(model)), *fext = numbers(zv_model_nexternal(model)), *none = numbers(c->nq);
    copy_state(c, model, none, c->a, q, a);
    copy_state(c, model, c->q, c->v, q, v);
    copy_loads(c, model, fext);
    zv_inverse_dynamics(model, work, q, v, a, fext, tau);
    const int at = zv_model_joint_place(model, zv_model_find_joint(model, "cut")).v_index;
    const int mine = zv_model_find_joint(c->model, c->tree->joints[j].name);
    bool good = true;
    for (int k = 0; k < 6 && good; k++)
        good = ec_near(c, c->tree->joints[j].name, k, reactions[6 * mine + k], tau[at + k], tight * size);
    double *all[] = {q, v, a, tau, fext, none};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return good;
}

static bool reactions_are_those_of_a_cut(ecCase *c) {
    double *reactions = numbers(6 * zv_model_njoint(c->model)), size = size_of(c);
    bool good = true;
    zv_joint_reactions(c->model, c->work, c->q, c->v, c->a, c->fext, reactions);
    for (int j = 0; j < c->tree->njoint && good; j++) good = reaction_agrees(c, reactions, j, size);
    free(reactions);
    return good;
}

/* sum += the wrench at p, force and moment in world axes, about the world's origin. */
static void add_at(const double p[3], const double wrench[6], double sign, double sum[6]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum[i] += sign * wrench[i];
        sum[3 + i] += sign * (wrench[3 + i] + p[j] * wrench[k] - p[k] * wrench[j]);
    }
}

static void momentum_at(ecCase *c, const double *q, const double *v, double h[6]) {
    double own[6], center[3];
    memset(h, 0, 6 * sizeof *h);
    zv_momentum(c->model, c->work, q, v, own, center);
    add_at(center, own, 1, h);
}

static void ask_momentum(ecCase *c, const double *q, double *h) { momentum_at(c, q, c->v, h); }

static void add_weight(ecCase *c, double sum[6]) {
    double g[3], center[3], weight[6] = {0};
    zv_model_gravity(c->model, g);
    zv_center_of_mass(c->model, c->work, c->q, center);
    for (int i = 0; i < 3; i++) weight[i] = zv_model_mass(c->model) * g[i];
    add_at(center, weight, 1, sum);
}

/* Reactions of joints between the ground and moving bodies, loads on moving links. */
static void add_forces(ecCase *c, const double *reactions, double sum[6]) {
    for (int l = 0; l < c->nlink; l++) {
        if (zv_model_frame_body(c->model, l) == 0) continue;
        zvPose pose;
        zv_frame_pose(c->model, c->work, c->q, l, &pose);
        add_at(pose.p, c->fext + 6 * l, 1, sum);
        const int joint = zv_model_link_joint(c->model, l);
        const int parent = zv_model_find_frame(c->model, zv_model_joint(c->model, joint)->parent);
        if (zv_model_frame_body(c->model, parent) != 0) continue;
        double world[6] = {0};
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < 3; k++) world[i] += pose.R[3 * (i % 3) + k] * reactions[6 * joint + 3 * (i / 3) + k];
        }
        add_at(pose.p, world, 1, sum);
    }
}

static bool reactions_change_momentum(ecCase *c) {
    double *reactions = numbers(6 * zv_model_njoint(c->model)), rate[6], by_a[6], sum[6] = {0}, now[6],
           size = size_of(c);
    zv_joint_reactions(c->model, c->work, c->q, c->v, c->a, c->fext, reactions);
    ec_rate(c, c->v, ask_momentum, 6, rate);
    momentum_at(c, c->q, c->v, now);
    momentum_at(c, c->q, c->a, by_a);
    add_weight(c, sum);
    add_forces(c, reactions, sum);
    bool good = true;
    for (int k = 0; k < 6; k++) size += fabs(now[k]) / ec_step(c) + fabs(by_a[k]);
    size += zv_model_mass(c->model) * c->quick / ec_step(c); /* momenta of links that cancel */
    for (int k = 0; k < 6 && good; k++) good = ec_near(c, "dh/dt", k, sum[k], rate[k] + by_a[k], tight * size);
    free(reactions);
    return good;
}

static void wrenches(void **state) {
    (void)state;
    assert_true(ec_each(51000, 400, RT_ALL_TYPES, wrenches_do_virtual_work));
}

static void reactions_inside(void **state) {
    (void)state;
    assert_true(ec_each(52000, 400, RT_ALL_TYPES, reactions_are_those_of_a_cut));
}

static void reactions_of_the_ground(void **state) {
    (void)state;
    assert_true(ec_each(53000, 400, RT_ALL_TYPES, reactions_change_momentum));
}

TESTS(wrenches, reactions_inside, reactions_of_the_ground)
