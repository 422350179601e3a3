/* Operations counted: textbook cases by hand, formulas for chains, growth with the number of joints, and that folding
 * leaves less. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "zveno/codegen.h"
#include "zveno/dynamics.h"

static const zvCountable *row_of(const char *question, const char *method) {
    size_t count;
    const zvCountable *rows = zv_countables(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].question, question) == 0 && strcmp(rows[i].method, method) == 0) return &rows[i];
    fail_msg("%s by %s is not counted", question, method);
    return NULL;
}

static zvCount count_of(const zvModel *model, const zvCountable *row, bool fold) {
    zvCount count;
    zvError error = {0};
    if (zv_count(model, row, fold, &count, &error) != ZV_OK) fail_msg("%s", error.text);
    return count;
}

static void expect(const char *what, const zvOperations *got, long long mul, long long add, long long div,
                   long long trig) {
    if (got->mul == mul && got->add == add && got->div == div && got->trig == trig) return;
    fail_msg("%s: %lld x, %lld +, %lld /, %lld sin and cos instead of %lld, %lld, %lld, %lld", what, got->mul, got->add,
             got->div, got->trig, mul, add, div, trig);
}

/* -- rows -----------------------------------------------------------------------------------------------------------
 */

/* The rows of a table in its order, one after another. */
#define EXPECT_ROWS(Method, methods, question_)                    \
    do {                                                           \
        size_t count;                                              \
        const Method *table = methods(&count);                     \
        for (size_t i = 0; i < count; i++, next++) {               \
            assert_true(next < all);                               \
            assert_string_equal(rows[next].question, question_);   \
            assert_string_equal(rows[next].method, table[i].name); \
        }                                                          \
    } while (0)

static void all_methods(void **state) {
    (void)state;
    size_t all, next = 0;
    const zvCountable *rows = zv_countables(&all);
    EXPECT_ROWS(zvMassMethod, zv_mass_methods, "mass");
    EXPECT_ROWS(zvBiasMethod, zv_bias_methods, "bias");
    EXPECT_ROWS(zvInverseMethod, zv_inverse_methods, "inverse");
    EXPECT_ROWS(zvForwardMethod, zv_forward_methods, "forward");
    assert_int_equal(next, all);
}

/* The numbers that the publication prints beside its formulas, for six joints. */
static void printed_formulas(void **state) {
    (void)state;
    zvOperations count;
    row_of("mass", "composite")->printed(6, &count);
    expect("composite", &count, 1596, 1302, 0, 0);
    row_of("mass", "yaskevich")->printed(6, &count);
    expect("yaskevich", &count, 1071, 1443, 0, 0);
    row_of("mass", "kosynka")->printed(6, &count);
    expect("kosynka", &count, 1458, 5856, 0, 0);
}

/* -- by hand --------------------------------------------------------------------------------------------------------
 */

/* A weight of 2 kg on an arm of 0.5 m that turns about z; gravity along -y; moment of inertia 0.1 about its centre. */
static zvModel *pendulum(void) {
    const double gravity[3] = {0, -9.81, 0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create();
    zvLink ground = zv_link_default("ground"), arm = zv_link_default("arm");
    zvJoint joint = zv_joint_default("hinge", ZV_JOINT_CONTINUOUS, "ground", "arm");
    memcpy(joint.axis, (double[]){0, 0, 1}, sizeof joint.axis);
    arm.has_inertia = true;
    arm.inertia = (zvInertia){.mass = 2, .com = {0.5}, .moment = {0.1, 0, 0, 0.1, 0, 0.1}};
    zv_builder_set_gravity(builder, gravity);
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &arm, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &joint, NULL), ZV_OK);
    assert_true(zv_builder_freeze(builder, &model, NULL) >= 0);
    zv_builder_destroy(builder);
    return model;
}

static void expect_folded(const zvModel *model, const char *question, long long mul, long long add, long long trig) {
    size_t count;
    const zvCountable *rows = zv_countables(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].question, question) != 0) continue;
        const zvCount c = count_of(model, &rows[i], true);
        expect(rows[i].method, &c.folded, mul, add, 0, trig);
    }
}

/* J = 0.6, tau = 0.6 a + 9.81 cos q: whatever the method. */
static void pendulum_folded(void **state) {
    (void)state;
    zvModel *model = pendulum();
    expect_folded(model, "mass", 0, 0, 0);
    expect_folded(model, "bias", 1, 0, 1);
    expect_folded(model, "inverse", 2, 1, 1);
    expect_folded(model, "forward", 2, 1, 1);
    zv_model_destroy(model);
}

/* One joint as it is written. Kinematics of composite bodies: E = R E_0 27 x 18 +, r 9 6, turned 12 6, first moment 9
 * 6, R J R^T 54 36. Then J z 9 6 and z x h 6 3, z.(J z) 3 2, armature 0 1. */
static void pendulum_written(void **state) {
    (void)state;
    zvModel *model = pendulum();
    const zvCount composite = count_of(model, row_of("mass", "composite"), false);
    expect("composite", &composite.kinematics, 111, 72, 0, 2);
    expect("composite", &composite.method, 18, 12, 0, 0);
    expect("composite", &composite.folded, 0, 0, 0, 0);
    const zvCount forward = count_of(model, row_of("forward", "mass"), false);
    assert_int_equal(forward.method.div, 2); /* 1 / sqrt(M) */
    zv_model_destroy(model);
}

/* -- chains ---------------------------------------------------------------------------------------------------------
 */

static zvModel *chain(int joints) {
    rtOptions options = rt_options_default(joints);
    options.shape = RT_CHAIN;
    options.types = RT_TYPE(REVOLUTE);
    options.massless = false;
    options.armature = 0; /* some texts add what is not zero only */
    rtTree *tree = rt_tree_create(75000, &options);
    zvModel *model = rt_tree_freeze(tree);
    free(tree);
    assert_non_null(model);
    assert_int_equal(zv_model_nv(model), joints);
    return model;
}

/* Newton-Euler, per joint: R^T 15 x 6 +, R 12 6, w 9 9, alpha 11 9, a 27 21; f and n 51 39; inward 25 25.
 * Yaskevich and kosynka: formulas found with another implementation of both. */
static void chain_formulas(void **state) {
    (void)state;
    for (int n = 1; n <= 12; n++) {
        zvModel *model = chain(n);
        const zvCount inverse = count_of(model, row_of("inverse", "newton-euler"), false);
        expect("inverse", &inverse.kinematics, 0, 0, 0, 2 * n);
        expect("inverse", &inverse.method, 150 * n, 115 * n, 0, 0);
        const zvCount yaskevich = count_of(model, row_of("mass", "yaskevich"), false);
        expect("yaskevich", &yaskevich.method, (33 * n * n - 9 * n) / 2, (65 * n * n - 61 * n) / 2 + 6, 0, 0);
        const zvCount kosynka = count_of(model, row_of("mass", "kosynka"), false);
        expect("kosynka", &kosynka.method, n * n * n + 18 * n * n - n, n * n * n + (29 * n * n - 15 * n) / 2 + 3, 0, 0);
        zv_model_destroy(model);
    }
}

typedef struct Growth {
    const char *question, *method;
    int power;
} Growth;

enum { FROM = 2, TO = 12, SIZES = TO - FROM + 1 };

/* Whether numbers grow as a polynomial of exactly this power: its difference is constant, and not zero. */
static void expect_power(const Growth *g, const char *what, const long long numbers[SIZES]) {
    long long x[SIZES];
    memcpy(x, numbers, sizeof x);
    int left = SIZES;
    for (int d = 0; d < g->power; d++, left--)
        for (int i = 0; i + 1 < left; i++) x[i] = x[i + 1] - x[i];
    for (int i = 0; i < left; i++)
        if (x[i] != x[0] || x[0] <= 0) fail_msg("%s of %s by %s: not n^%d", what, g->question, g->method, g->power);
}

static void growth(void **state) {
    (void)state;
    static const Growth rows[] = {
        {"mass", "composite", 2},
        {"mass", "yaskevich", 2},
        {"mass", "kosynka", 3},
        {"mass", "kane", 3},
        {"mass", "columns", 2},
        {"mass", "path", 3},
        {"bias", "newton-euler", 1},
        {"bias", "yaskevich", 1},
        {"bias", "kane", 2},
        {"bias", "path", 2},
        {"inverse", "newton-euler", 1},
        {"inverse", "path", 2},
        {"forward", "articulated", 1},
        {"forward", "mass", 3},
        {"forward", "columns", 3},
        {"forward", "mass-yaskevich", 3},
        {"forward", "mass-kosynka", 3},
        {"forward", "mass-kane", 3},
        {"forward", "mass-path", 3},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    static long long mul[ROWS][SIZES], add[ROWS][SIZES];
    size_t all;
    zv_countables(&all);
    assert_int_equal(all, ROWS);
    for (int n = FROM; n <= TO; n++) {
        zvModel *model = chain(n);
        for (int k = 0; k < ROWS; k++) {
            const zvCount c = count_of(model, row_of(rows[k].question, rows[k].method), false);
            mul[k][n - FROM] = c.kinematics.mul + c.method.mul;
            add[k][n - FROM] = c.kinematics.add + c.method.add;
        }
        zv_model_destroy(model);
    }
    for (int k = 0; k < ROWS; k++) {
        expect_power(&rows[k], "multiplications", mul[k]);
        expect_power(&rows[k], "additions", add[k]);
    }
}

/* -- folding --------------------------------------------------------------------------------------------------------
 */

static long long total(const zvOperations *o) { return o->mul + o->add + o->div + o->trig; }

static bool folds(rtCase *c) {
    size_t count;
    const zvCountable *rows = zv_countables(&count);
    for (size_t i = 0; i < count; i++) {
        const zvCount written = count_of(c->model, &rows[i], false), x = count_of(c->model, &rows[i], true);
        const long long all = total(&x.kinematics) + total(&x.method);
        if (total(&x.folded) <= all && total(&x.folded) > 0 && total(&written.folded) == 0 &&
            memcmp(&written.method, &x.method, sizeof x.method) == 0 && x.folded.trig <= x.kinematics.trig)
            continue;
        fprintf(stderr, "%s by %s: %lld of %lld\n", rows[i].question, rows[i].method, total(&x.folded), all);
        return false;
    }
    return true;
}

static void straight(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE;
    options->types &= ~RT_TYPE(CURVE); /* a circle's angle is not among the sines of the state */
    if (options->joints < 4) options->joints = 4;
}

static void folded_is_less(void **state) {
    (void)state;
    assert_true(rt_each(76000, 32, 16, straight, folds));
}

/* -- what is not counted --------------------------------------------------------------------------------------------
 */

static void elastic_links(void **state) {
    (void)state;
    const double radius[3] = {0.01};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create();
    zvLink ground = zv_link_default("ground"), rod = zv_link_default("rod");
    zvBeam beam = zv_beam_default();
    zv_section_fill(&beam, 2e11, 8e10, 7850, ZV_SECTION_CIRCLE, radius, false);
    beam.modes[ZV_BEAM_BEND_Y] = 1;
    rod.beam = &beam;
    zvJoint swing = zv_joint_default("swing", ZV_JOINT_CONTINUOUS, "ground", "rod");
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &rod, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &swing, NULL), ZV_OK);
    assert_true(zv_builder_freeze(builder, &model, NULL) >= 0);
    zv_builder_destroy(builder);
    zvCount count;
    zvError error = {0};
    assert_int_equal(zv_count(model, row_of("inverse", "newton-euler"), true, &count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "rigid"));
    const zvCountable unknown = {"mass", "guess", NULL};
    zv_model_destroy(model);
    model = pendulum();
    assert_int_equal(zv_count(model, &unknown, true, &count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "guess"));
    zv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_methods),      cmocka_unit_test(printed_formulas), cmocka_unit_test(pendulum_folded),
        cmocka_unit_test(pendulum_written), cmocka_unit_test(chain_formulas),   cmocka_unit_test(growth),
        cmocka_unit_test(folded_is_less),   cmocka_unit_test(elastic_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
