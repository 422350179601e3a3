/* Generated code answers as the library does, on robots of every kind of joint. Bounds are 1e-12 of the size
 * of the answer; accelerations and M^-1 are judged by what they give back, so that the condition of M does not matter.
 */
#define _XOPEN_SOURCE 700
#include "generated.h"

#include <math.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "support/sanitized.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"
#include "zveno/read.h"

enum { MANY = 64, STATES = SANITIZED ? 10 : 50 };
static const double bound = 1e-12;

typedef struct Case {
    const char *name;
    zvModel *model;
    zvWork *work;
    int nq, nv, frame;
    double q[MANY], v[MANY], a[MANY], tau[MANY], M[MANY * MANY];
} Case;

static Case open_case(const char *name, zvModel *model) {
    zvError error = {0};
    Case c = {.name = name, .model = model, .work = zv_work_create(model, &error)};
    near_about("%s", name);
    assert_non_null(c.work);
    c.nq = zv_model_nq(model);
    c.nv = zv_model_nv(model);
    c.frame = zv_model_nframe(model) - 1;
    assert_true(c.nq <= MANY);
    return c;
}

static void close_case(Case *c, Code *code) {
    dlclose(code->handle);
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
}

static zvModel *read_robot(const char *path) {
    zvModel *model = NULL;
    zvError error = {0};
    if (zv_model_read(path, &model, &error) < 0) fail_msg("%s: %s", path, error.text);
    return model;
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

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void check_forces(const Case *c, const Code *code) {
    double x[MANY], y[MANY];
    const int nv = c->nv;
    code->inverse(c->q, c->v, c->a, x);
    assert_all_near("inverse", nv, x, c->tau, bound * largest(nv, c->tau));
    code->bias(c->q, c->v, x);
    zv_bias(c->model, c->work, c->q, c->v, y);
    assert_all_near("bias", nv, x, y, bound * largest(nv, y));
    code->gravity(c->q, x);
    zv_gravity_force(c->model, c->work, c->q, y);
    assert_all_near("gravity", nv, x, y, bound * largest(nv, y));
}

static void check_forward(const Case *c, const Code *code) {
    double a[MANY], back[MANY], b[MANY];
    zv_bias(c->model, c->work, c->q, c->v, b);
    assert_int_equal(code->forward(c->q, c->v, c->tau, a), 0);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, a, NULL, back);
    for (int i = 0; i < c->nv; i++) { /* forces that rounding a and M changes */
        double size = largest(c->nv, c->tau) + largest(c->nv, b);
        for (int j = 0; j < c->nv; j++) size += fabs(c->M[c->nv * i + j] * a[j]);
        assert_all_near("forces of forward", 1, back + i, c->tau + i, bound * size);
    }
}

static void check_matrices(const Case *c, const Code *code) {
    static double M[MANY * MANY], W[MANY * MANY];
    const int nv = c->nv;
    code->mass(c->q, M);
    assert_int_equal(code->minv(c->q, W), 0);
    for (int i = 0; i < nv; i++) {
        for (int j = 0; j < nv; j++) {
            const double one = i == j, size = sqrt(c->M[nv * i + i] * c->M[nv * j + j]);
            double product = 0, terms = 0;
            assert_all_near("mass", 1, &M[nv * i + j], &c->M[nv * i + j], bound * size);
            for (int k = 0; k < nv; k++) {
                product += c->M[nv * i + k] * W[nv * k + j];
                terms += sqrt(c->M[nv * i + i] * c->M[nv * k + k]) * fabs(W[nv * k + j]);
            }
            assert_all_near("M W", 1, &product, &one, bound * terms);
            assert_true(M[nv * i + j] == M[nv * j + i] && W[nv * i + j] == W[nv * j + i]);
        }
    }
}

static void check_frame(const Case *c, const Code *code) {
    double x[12], J[6 * MANY], K[6 * MANY];
    zvPose pose;
    code->pose(c->q, x);
    zv_frame_pose(c->model, c->work, c->q, c->frame, &pose);
    assert_all_near("rotation", 9, x, pose.R, bound);
    assert_all_near("origin", 3, x + 9, pose.p, bound * (1 + largest(3, pose.p)));
    code->jacobian(c->q, J);
    zv_frame_jacobian(c->model, c->work, c->q, c->frame, ZV_AXES_WORLD, K);
    assert_all_near("jacobian", 6 * c->nv, J, K, bound * (1 + largest(6 * c->nv, K)));
}

/* The answer may take the place of an input. */
static void check_sharing(const Case *c, const Code *code) {
    double apart[MANY], shared[MANY];
    const size_t size = (size_t)c->nv * sizeof(double);
    code->inverse(c->q, c->v, c->a, apart);
    memcpy(shared, c->a, size);
    code->inverse(c->q, c->v, shared, shared);
    assert_memory_equal(apart, shared, size);
    memcpy(shared, c->v, size);
    code->inverse(c->q, shared, c->a, shared);
    assert_memory_equal(apart, shared, size);
    assert_int_equal(code->forward(c->q, c->v, c->tau, apart), 0);
    memcpy(shared, c->tau, size);
    assert_int_equal(code->forward(c->q, c->v, shared, shared), 0);
    assert_memory_equal(apart, shared, size);
    code->bias(c->q, c->v, apart);
    memcpy(shared, c->v, size);
    code->bias(c->q, shared, shared);
    assert_memory_equal(apart, shared, size);
}

static void check_robot(Case *c, const Code *code, uint64_t seed) {
    rtRandom random = {seed};
    print_message("%s: seed %llu\n", c->name, (unsigned long long)seed);
    for (int i = 0; i < STATES; i++) {
        draw(c, &random);
        check_forces(c, code);
        check_forward(c, code);
        check_matrices(c, code);
        check_frame(c, code);
        check_sharing(c, code);
    }
}

/* -- robots ----------------------------------------------------------------------------------------------------- */

static void robots_of_the_library(void **state) {
    (void)state;
    static const char *const names[] = {"two_link", "scara", "cobot7", "ssrms_free"};
    for (int i = 0; i < 4; i++) {
        char path[512];
        snprintf(path, sizeof path, ZV_SOURCE_DIR "/models/%s.yaml", names[i]);
        Case c = open_case(names[i], read_robot(path));
        Code code = generate(c.model, names[i], path);
        check_robot(&c, &code, 1 + (uint64_t)i);
        /* the harness at least compiles; the test of the command runs one */
        expect_command(ZV_CC " " WARNINGS " -fsyntax-only -I'" ZV_SOURCE_DIR "'/include %s/%s_test.c", folder,
                       names[i]);
        close_case(&c, &code);
    }
}

/* A tree of many types of joints on a free base, some of which follow others. */
static void a_random_robot(void **state) {
    (void)state;
    const uint64_t seed = 2;
    rtOptions options = rt_options_default(5);
    options.curves = RT_LINE | RT_CIRCLE;
    options.mimics = 2;
    options.coupled = options.free_base = true;
    options.shape = RT_BUSHY;
    rtTree *tree = rt_tree_create(seed, &options);
    Case c = open_case("random", rt_tree_freeze(tree));
    Code code = generate(c.model, "random", NULL);
    check_robot(&c, &code, seed);
    close_case(&c, &code);
    free(tree);
}

/* Code for a private copy in which a link carries something else has the numbers of the copy. */
static void a_payload(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = read_robot(ZV_SOURCE_DIR "/models/rrp.yaml");
    Case c = open_case("payload", zv_model_copy(model, &error));
    Code before = generate(c.model, "empty", NULL);
    const int link = zv_model_nlink(model) - 2;
    zvInertia loaded = zv_model_link(model, link)->inertia;
    loaded.mass += 3;
    loaded.com[0] += 0.1;
    for (int k = 0; k < 6; k++) loaded.moment[k] += (const double[]){0.2, 0.01, 0.02, 0.3, 0.03, 0.25}[k];
    assert_int_equal(zv_model_set_link_inertia(c.model, link, &loaded), ZV_OK);
    Code code = generate(c.model, "payload", NULL);
    check_robot(&c, &code, 11);
    double tau[MANY];
    before.inverse(c.q, c.v, c.a, tau);
    assert_true(fabs(tau[0] - c.tau[0]) > 1e-3 * fabs(c.tau[0]));
    dlclose(before.handle);
    close_case(&c, &code);
    zv_model_destroy(model);
}

/* -- numbers ---------------------------------------------------------------------------------------------------- */

static void angles_far_away_and_none(void **state) {
    (void)state;
    Case c = open_case("far", read_robot(ZV_SOURCE_DIR "/models/two_link.yaml"));
    Code code = generate(c.model, "far", NULL);
    static const double far[] = {99999.5, 100001, -3e5, 1e9, 1e22};
    rtRandom random = {5};
    double near[MANY], x[MANY];
    draw(&c, &random);
    code.gravity(c.q, near);
    for (int i = 0; i < 5; i++) {
        const double q = c.q[1];
        c.q[1] = far[i];
        zv_inverse_dynamics(c.model, c.work, c.q, c.v, c.a, NULL, c.tau);
        zv_mass_matrix(c.model, c.work, c.q, c.M);
        check_forces(&c, &code);
        check_matrices(&c, &code);
        c.q[1] = q;
    }
    c.q[1] = NAN;
    code.gravity(c.q, x);
    assert_true(isnan(x[1]));
    assert_int_equal(code.forward(c.q, c.v, c.tau, x), -1);
    assert_int_equal(code.minv(c.q, c.M), -1);
    c.q[1] = INFINITY;
    code.gravity(c.q, x);
    assert_true(isnan(x[1]));
    close_case(&c, &code);
}

/* A point mass at the tip of two links: stretched out it cannot be pushed along them. */
static void singular_positions(void **state) {
    (void)state;
    static const char robot[] = "zveno: 1\nlinks:\n  - {name: base}\n  - {name: upper}\n"
                                "  - {name: tip, mass: 2, com: [1, 0, 0], inertia: [0, 0, 0]}\n"
                                "joints:\n  - {name: a, type: revolute, parent: base, child: upper, axis: [0, 0, 1]}\n"
                                "  - {name: b, type: revolute, parent: upper, child: tip, axis: [0, 0, 1], "
                                "origin: {xyz: [1, 0, 0]}}\n";
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    zvStatus status = zv_read_memory(builder, "tip", robot, strlen(robot), ZV_FORMAT_NATIVE, &error);
    if (status >= 0) status = zv_builder_freeze(builder, &model, &error);
    zv_builder_destroy(builder);
    if (status < 0) fail_msg("%s", error.text);
    Case c = open_case("tip", model);
    Code code = generate(model, "tip", NULL);
    const double bent[2] = {0.3, 1.2}, straight[2] = {0.3, 0}, v[2] = {1, 2}, tau[2] = {3, 4};
    double x[4];
    assert_int_equal(code.forward(bent, v, tau, x), 0);
    assert_int_equal(code.minv(bent, x), 0);
    assert_int_equal(code.forward(straight, v, tau, x), -1);
    assert_int_equal(code.minv(straight, x), -1);
    close_case(&c, &code);
}

static void single_precision(void **state) {
    (void)state;
    typedef void (*Single)(const float *, const float *, const float *, float *);
    Case c = open_case("single", read_robot(ZV_SOURCE_DIR "/models/rrp.yaml"));
    const zvCodegenOptions options = {.name = "single", .functions = UNDERIVED, .single = true};
    zvCodegenSummary summary;
    zvError error = {0};
    assert_int_equal(zv_codegen(c.model, &options, folder, &summary, &error), ZV_OK);
    Code code = load("single", c.nv);
    Single inverse;
    find(&code, "single", ZV_GENERATED_INVERSE, &inverse);
    rtRandom random = {7};
    for (int i = 0; i < STATES; i++) {
        float q[MANY], v[MANY], a[MANY], x[MANY];
        draw(&c, &random);
        for (int k = 0; k < c.nv; k++) {
            c.q[k] = (double)(q[k] = (float)c.q[k]);
            c.v[k] = (double)(v[k] = (float)c.v[k]);
            c.a[k] = (double)(a[k] = (float)c.a[k]);
        }
        inverse(q, v, a, x);
        zv_inverse_dynamics(c.model, c.work, c.q, c.v, c.a, NULL, c.tau);
        /* as many last digits as double may lose: 1e-12 / 2^-52 of them */
        for (int k = 0; k < c.nv; k++)
            assert_true(fabs((double)x[k] - c.tau[k]) <= bound * 0x1p29 * largest(c.nv, c.tau));
    }
    close_case(&c, &code);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_of_the_library),
        cmocka_unit_test(a_random_robot),
        cmocka_unit_test(a_payload),
        cmocka_unit_test(angles_far_away_and_none),
        cmocka_unit_test(singular_positions),
        cmocka_unit_test(single_precision),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
