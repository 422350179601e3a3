/* Generated code with springs, damping and friction, of one state and over lanes, against the library; and what is
 * refused. The robots have followers, whose elements act elsewhere. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { FUNCTIONS = 1u << ZV_GENERATED_INVERSE | 1u << ZV_GENERATED_FORWARD | 1u << ZV_GENERATED_BIAS, LANES = 5 };
typedef void (*Batch3)(size_t, size_t, const double *, const double *, const double *, double *);

/* Symmetric and not negative: no row is as long beside the diagonal. Of quaternions damping alone. */
static void draw_matrices(rtRandom *r, zvJoint *joint, double A[36]) {
    const int n = zv_joint_type_nv(joint->type);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) A[i * n + j] = A[j * n + i] = i == j ? 10 : rt_uniform(r, -1, 1);
    }
    if (n > 1) joint->damping_matrix = A;
    if (n > 1 && zv_joint_type_quaternion(joint->type) < 0) joint->stiffness_matrix = A;
}

static void draw_joints(rtTree *tree, rtRandom *r) {
    static double matrices[RT_MAX_JOINTS][36];
    for (int j = 0; j < tree->njoint; j++) {
        zvJoint *joint = &tree->joints[j];
        draw_matrices(r, joint, matrices[j]);
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) {
            zvDof *dof = &joint->dof[k];
            dof->damping = rt_uniform(r, 0.1, 3);
            dof->friction = rt_uniform(r, 0.1, 2);
            if (zv_joint_type_quaternion(joint->type) >= 0) continue;
            dof->stiffness = rt_uniform(r, 1, 20);
            dof->rest = rt_uniform(r, -1, 1);
        }
    }
}

/* Differences allowed are those of the harness of generated code: 1e-12 of the largest force. */
static void check_state(const rtCase *c, const Code *code, double smoothing) {
    double *tau = c->x, *got = c->y, most = 1;
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, NULL, tau);
    for (int i = 0; i < c->nv; i++) most = fmax(most, fabs(tau[i]));
    zv_add_passive_forces(c->model, c->work, c->q, c->v, smoothing, -1, tau);
    code->inverse(c->q, c->v, c->a, got);
    assert_all_near("inverse", c->nv, got, tau, 1e-12 * most);
    assert_int_equal(code->forward(c->q, c->v, tau, got), 0);  /* back again */
    assert_all_near("forward", c->nv, got, c->a, 1e-8 * most); /* random masses: condition up to 1e4 */
    zv_bias(c->model, c->work, c->q, c->v, tau);
    for (int i = 0; i < c->nv; i++) most = fmax(most, fabs(tau[i]));
    zv_add_passive_forces(c->model, c->work, c->q, c->v, smoothing, -1, tau);
    code->bias(c->q, c->v, got);
    assert_all_near("bias", c->nv, got, tau, 1e-12 * most);
}

/* The same state in all lanes and one more, at its velocity divided by the number of the lane. */
static void check_lanes(const rtCase *c, const Code *code, Batch3 batch) {
    double x[4][64 * LANES], one[64];
    assert_true(c->nq < 64);
    for (int s = 0; s < LANES; s++) {
        for (int i = 0; i < c->nq; i++) x[0][i * LANES + s] = c->q[i];
        for (int i = 0; i < c->nv; i++) x[1][i * LANES + s] = c->v[i] / (s + 1), x[2][i * LANES + s] = c->a[i];
    }
    batch(LANES, LANES, x[0], x[1], x[2], x[3]);
    for (int s = 0; s < LANES; s++) {
        double v[64], most = 1;
        for (int i = 0; i < c->nv; i++) v[i] = c->v[i] / (s + 1);
        code->inverse(c->q, v, c->a, one);
        for (int i = 0; i < c->nv; i++) most = fmax(most, fabs(one[i]));
        for (int i = 0; i < c->nv; i++) assert_element_near("lanes", i, x[3][i * LANES + s], one[i], 1e-12 * most);
    }
}

static void random_robots(void **state) {
    (void)state;
    static const double smoothings[3] = {0.01, 0.3, 2};
    for (int index = 0; index < 3; index++) {
        rtOptions options = rt_options_default(3 + index);
        options.curves = RT_LINE | RT_CIRCLE; /* splines have no straight-line code */
        options.mimics = index ? 2 : 0;
        options.coupled = true;
        options.massless = false;
        rtTree *tree = rt_tree_create(414000 + (uint64_t)index, &options);
        rtRandom random = {515000 + (uint64_t)index};
        rtCase c;
        char name[16];
        draw_joints(tree, &random);
        assert_true(rt_case_open_tree(&c, tree));
        near_about("robot %d", index);
        snprintf(name, sizeof name, "robot%d", index);
        write_code(
            c.model,
            &(zvCodegenOptions){
                .name = name, .functions = FUNCTIONS, .lanes = 4, .passive = true, .smoothing = smoothings[index]});
        Code code = compile(ZV_CC, "-O1", name);
        Batch3 batch;
        find(&code, name, ZV_GENERATED_INVERSE, &code.inverse);
        find(&code, name, ZV_GENERATED_FORWARD, &code.forward);
        find(&code, name, ZV_GENERATED_BIAS, &code.bias);
        snprintf(name, sizeof name, "robot%d_", index);
        char symbol[40];
        snprintf(symbol, sizeof symbol, "%sinverse_batch", name);
        find_symbol(&code, symbol, &batch);
        for (int k = 0; k < 5; k++) {
            check_state(&c, &code, smoothings[index]);
            rt_draw_position(c.model, &c.random, c.q);
            rt_vector(&c.random, k ? 2 : 1e-3, c.nv, c.v); /* once where the sign is rounded off */
        }
        check_lanes(&c, &code, batch);
        rt_case_close(&c);
    }
}

static void refused(void **state) {
    (void)state;
    rtOptions options = rt_options_default(2);
    options.types = RT_TYPE(REVOLUTE);
    rtTree *tree = rt_tree_create(1, &options);
    zvModel *model = rt_tree_freeze(tree);
    zvCodegenSummary summary;
    zvError error = {0};
    zvCodegenOptions wrong = {.functions = 1u << ZV_GENERATED_FORWARD_DERIVATIVES, .passive = true, .smoothing = 0.01};
    assert_int_equal(zv_codegen(model, &wrong, folder, &summary, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "expected functions without derivatives beside passive forces, found some"));
    static const double none[] = {-1, 0, INFINITY};
    for (int i = 0; i < 3; i++) {
        wrong = (zvCodegenOptions){.functions = 1, .passive = true, .smoothing = none[i]};
        assert_int_equal(zv_codegen(model, &wrong, folder, &summary, &error), ZV_NUMBER);
        assert_non_null(strstr(error.text, "smoothing: expected a velocity above 0"));
    }
    wrong = (zvCodegenOptions){.functions = 1, .smoothing = 0.1};
    assert_int_equal(zv_codegen(model, &wrong, folder, &summary, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "smoothing: expected 0 without passive forces"));
    wrong = (zvCodegenOptions){.language = ZV_LANGUAGE_MAXIMA, .passive = true, .smoothing = 0.1};
    assert_int_equal(zv_codegen(model, &wrong, folder, &summary, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "in equations, where friction keeps its sign"));
    zv_model_destroy(model);
    free(tree);
    options.types = RT_TYPE(SPHERICAL);
    tree = rt_tree_create(1, &options);
    tree->joints[0].dof[1].stiffness = 3;
    model = rt_tree_freeze(tree);
    wrong = (zvCodegenOptions){.functions = 1, .passive = true, .smoothing = 0.1};
    assert_int_equal(zv_codegen(model, &wrong, folder, &summary, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "found one of a spherical joint, which is measured by a rotation vector"));
    zv_model_destroy(model);
    free(tree);
}

TESTS_BETWEEN(make_folder, remove_folder, random_robots, refused)
