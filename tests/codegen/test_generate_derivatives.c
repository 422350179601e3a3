/* Derivatives in generated code against those of the library, whose text is another one, and against differences of the
 * generated inverse dynamics itself, on robots of every kind of joint. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/run_tests.h"

#include <math.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/read.h"

enum { MANY = 32, STATES = 30 };
static const double bound = 1e-12;

typedef struct Case {
    const char *name;
    zvModel *model;
    zvWork *work;
    int nv;
    double q[MANY], v[MANY], a[MANY], tau[MANY], M[MANY * MANY];
} Case;

typedef struct Derived {
    Code code;
    Plain3 inverse;
    void (*inverse_derivatives)(const double *, const double *, const double *, double *, double *, double *);
    int (*forward_derivatives)(const double *, const double *, const double *, double *, double *, double *, double *);
} Derived;

typedef struct Answers {
    double a[MANY], dq[MANY * MANY], dv[MANY * MANY], da[MANY * MANY];
} Answers;

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void draw(Case *c, rtRandom *random) {
    double step[MANY];
    rt_vector(random, 3, c->nv, step);
    rt_vector(random, 2, c->nv, c->v);
    rt_vector(random, 5, c->nv, c->a);
    zv_neutral(c->model, c->q);
    zv_position_add(c->model, c->q, step, c->q);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, NULL, c->tau);
    zv_mass_matrix(c->model, c->work, c->q, c->M);
}

static void check_inverse(const Case *c, const Derived *code) {
    static Answers x, y;
    const int n = c->nv * c->nv;
    code->inverse_derivatives(c->q, c->v, c->a, x.dq, x.dv, x.da);
    assert_int_equal(zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, NULL, y.dq, y.dv, y.da), ZV_OK);
    assert_all_near("inverse dq", n, x.dq, y.dq, bound * largest(n, y.dq));
    assert_all_near("inverse dv", n, x.dv, y.dv, bound * largest(n, y.dv));
    assert_all_near("inverse da", n, x.da, y.da, bound * largest(n, y.da));
}

/* M X + Y = 0, X the answer, Y the derivative of forces: relative to the terms of the sum, whatever the condition. */
static void expect_response(const Case *c, const char *what, const double *X, const double *Y, double size) {
    const int n = c->nv;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = Y[n * i + k], terms = size;
            for (int j = 0; j < n; j++) {
                sum += c->M[n * i + j] * X[n * j + k];
                terms += sqrt(c->M[n * i + i] * c->M[n * j + j]) * fabs(X[n * j + k]);
            }
            if (!(fabs(sum) <= bound * terms)) fail_msg("%s, %s (%d, %d): %g of %g", c->name, what, i, k, sum, terms);
        }
    }
}

static void check_forward(const Case *c, const Derived *code) {
    static Answers x, y;
    const int n = c->nv;
    double back[MANY];
    assert_int_equal(code->forward_derivatives(c->q, c->v, c->tau, x.a, x.dq, x.dv, x.da), 0);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, x.a, NULL, back);
    for (int i = 0; i < n; i++) { /* forces that rounding a and M changes */
        double size = largest(n, c->tau);
        for (int j = 0; j < n; j++) size += sqrt(c->M[n * i + i] * c->M[n * j + j]) * fabs(x.a[j]);
        assert_all_near("forces of a", 1, back + i, c->tau + i, bound * size);
    }
    zv_inverse_derivatives(c->model, c->work, c->q, c->v, x.a, NULL, y.dq, y.dv, y.da);
    expect_response(c, "forward dq", x.dq, y.dq, largest(n * n, y.dq));
    expect_response(c, "forward dv", x.dv, y.dv, largest(n * n, y.dv));
    memset(y.da, 0, sizeof y.da);
    for (int i = 0; i < n; i++) y.da[(n + 1) * i] = -1;
    expect_response(c, "dtau", x.da, y.da, 1);
}

/* The answers themselves: the fourth difference of generated forces, without any other text. */
static void check_differences(const Case *c, const Derived *code) {
    static Answers x;
    const double h = 1e-3, weight[4] = {-1, 8, -8, 1};
    code->inverse_derivatives(c->q, c->v, c->a, x.dq, x.dv, x.da);
    for (int k = 0; k < c->nv; k++) {
        double sum[MANY] = {0};
        for (int s = 0; s < 4; s++) {
            double step[MANY] = {0}, q[MANY], tau[MANY];
            step[k] = h * (s < 2 ? 2 - s : 1 - s);
            zv_position_add(c->model, c->q, step, q);
            code->inverse(q, c->v, c->a, tau);
            for (int i = 0; i < c->nv; i++) sum[i] += weight[s] * tau[i] / (12 * h);
        }
        for (int i = 0; i < c->nv; i++)
            assert_true(fabs(sum[i] - x.dq[c->nv * i + k]) <= 1e-8 * (1 + largest(c->nv * c->nv, x.dq)));
    }
}

/* Not optimised: it is the text that is looked at, and compiling takes most of the time. */
static Derived derived_of(const zvModel *model, const char *name) {
    Derived x;
    write_code(model,
               &(zvCodegenOptions){.name = name,
                                   .functions = 1u << ZV_GENERATED_INVERSE | 1u << ZV_GENERATED_INVERSE_DERIVATIVES |
                                                1u << ZV_GENERATED_FORWARD_DERIVATIVES});
    x.code = compile(ZV_CC, "-O0", name);
    find(&x.code, name, ZV_GENERATED_INVERSE, &x.inverse);
    find(&x.code, name, ZV_GENERATED_INVERSE_DERIVATIVES, &x.inverse_derivatives);
    find(&x.code, name, ZV_GENERATED_FORWARD_DERIVATIVES, &x.forward_derivatives);
    return x;
}

static void check_robot(const char *name, zvModel *model, uint64_t seed) {
    Case c = {.name = name, .model = model, .work = zv_work_create(model, NULL), .nv = zv_model_nv(model)};
    near_about("%s", name);
    const Derived code = derived_of(model, name);
    rtRandom random = {seed};
    print_message("%s: seed %llu\n", name, (unsigned long long)seed);
    assert_non_null(c.work);
    assert_true(zv_model_nq(model) <= MANY);
    for (int i = 0; i < STATES; i++) {
        draw(&c, &random);
        check_inverse(&c, &code);
        check_forward(&c, &code);
        if (i < 3) check_differences(&c, &code);
    }
    dlclose(code.code.handle);
    zv_work_destroy(c.work);
    zv_model_destroy(model);
}

static void robots_of_the_library(void **state) {
    (void)state;
    static const char *const names[] = {"scara", "cobot7"};
    for (int i = 0; i < 2; i++) {
        char path[512];
        zvModel *model = NULL;
        zvError error = {0};
        snprintf(path, sizeof path, ZV_SOURCE_DIR "/models/%s.yaml", names[i]);
        if (zv_model_read(path, &model, &error) < 0) fail_msg("%s: %s", path, error.text);
        check_robot(names[i], model, 1 + (uint64_t)i);
    }
}

/* Trees of all types of joints, fixed and free, with joints that follow others; lines and circles as curves. */
static void random_robots(void **state) {
    (void)state;
    static const char *const names[] = {"tree0", "tree1"};
    for (int i = 0; i < 2; i++) {
        rtOptions options = rt_options_default(3);
        options.curves = RT_LINE | RT_CIRCLE;
        options.free_base = i == 1;
        options.mimics = 2;
        options.coupled = true;
        options.shape = i % 2 ? RT_BUSHY : options.shape;
        rtTree *tree = rt_tree_create(40 + (uint64_t)i, &options);
        check_robot(names[i], rt_tree_freeze(tree), 40 + (uint64_t)i);
        free(tree);
    }
}

/* One joint of each type between two bodies that move, so that none is missed by chance. */
static void every_joint(void **state) {
    (void)state;
    static const char *const types[] = {"prismatic, axis: [1, 0, 0], limits: {lower: -3, upper: 3}",
                                        "helical, axis: [1, 0, 0], pitch: 0.3",
                                        "planar, axis: [1, 0, 0]",
                                        "universal, axis: [1, 0, 0], axis2: [0, 0.6, 0.8]",
                                        "spherical",
                                        "free"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char text[2048], name[16];
        zvModel *model = NULL;
        zvError error = {0};
        snprintf(name, sizeof name, "joint%zu", i);
        snprintf(text, sizeof text,
                 "zveno: 1\nlinks:\n  - {name: base}\n"
                 "  - {name: l0, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.5, 0.6, 0.7]}\n"
                 "  - {name: l1, mass: 1, com: [0.3, -0.1, 0.2], inertia: [0.2, 0.3, 0.25]}\n"
                 "  - {name: l2, mass: 1.5, com: [-0.2, 0.1, 0.1], inertia: [0.1, 0.2, 0.15]}\n"
                 "joints:\n  - {name: j0, type: continuous, parent: base, child: l0, axis: [0, 1, 0]}\n"
                 "  - {name: j1, type: %s, parent: l0, child: l1, origin: {xyz: [0.3, 0.2, 0.4], rpy: [0.3, 0.2, 1]}}\n"
                 "  - {name: j2, type: continuous, parent: l1, child: l2, axis: [0.6, 0, 0.8],"
                 " origin: {xyz: [0.1, 0.5, -0.2]}}\n",
                 types[i]);
        zvBuilder *builder = zv_builder_create(&error);
        zvStatus status = zv_read_memory(builder, name, text, strlen(text), ZV_FORMAT_NATIVE, &error);
        if (status >= 0) status = zv_builder_freeze(builder, &model, &error);
        zv_builder_destroy(builder);
        if (status < 0) fail_msg("%s: %s", types[i], error.text);
        check_robot(name, model, 60 + (uint64_t)i);
    }
}

TESTS_BETWEEN(make_folder, remove_folder, robots_of_the_library, random_robots, every_joint)
