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
#include "support/run_tests.h"
#include "zveno/codegen.h"
#include "zveno/dynamics.h"

/* A row of a table. */
typedef struct Row {
    zvQuestion question;
    const zvMethod *method;
} Row;

static Row row_of(zvQuestion question, const char *method) {
    const Row row = {question, zv_method_named(question, method)};
    if (!row.method) fail_msg("there is no %s by %s", zv_question_name(question), method);
    return row;
}

static zvCount count_of(const zvModel *model, Row row, bool fold) {
    zvCount count;
    zvError error = {0};
    if (zv_count(model, row.question, row.method, fold, &count, &error) != ZV_OK) fail_msg("%s", error.text);
    return count;
}

static void expect(const char *what, const zvOperations *got, long long mul, long long add, long long div,
                   long long trig) {
    if (got->mul == mul && got->add == add && got->div == div && got->trig == trig) return;
    fail_msg("%s: %lld x, %lld +, %lld /, %lld sin and cos instead of %lld, %lld, %lld, %lld", what, got->mul, got->add,
             got->div, got->trig, mul, add, div, trig);
}

/* The numbers that the publication prints beside its formulas, for six joints. */
static void printed_formulas(void **state) {
    (void)state;
    zvOperations count;
    assert_true(zv_printed_operations(ZV_QUESTION_MASS, row_of(ZV_QUESTION_MASS, "composite").method, 6, &count));
    expect("composite", &count, 1596, 1302, 0, 0);
    assert_true(zv_printed_operations(ZV_QUESTION_MASS, row_of(ZV_QUESTION_MASS, "yaskevich").method, 6, &count));
    expect("yaskevich", &count, 1071, 1443, 0, 0);
    assert_true(zv_printed_operations(ZV_QUESTION_MASS, row_of(ZV_QUESTION_MASS, "kosynka").method, 6, &count));
    expect("kosynka", &count, 1458, 5856, 0, 0);
}

/* -- by hand --------------------------------------------------------------------------------------------------------
 */

/* A weight of 2 kg on an arm of 0.5 m that turns about z; gravity along -y; moment of inertia 0.1 about its centre. */
static zvModel *pendulum(void) {
    const double gravity[3] = {0, -9.81, 0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(NULL);
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

static void expect_folded(const zvModel *model, zvQuestion question, long long mul, long long add, long long trig) {
    size_t count;
    const zvMethod *rows = zv_methods(question, &count);
    for (size_t i = 0; i < count; i++) {
        const zvCount c = count_of(model, (Row){question, &rows[i]}, true);
        expect(rows[i].name, &c.folded, mul, add, 0, trig);
    }
}

/* J = 0.6, tau = 0.6 a + 9.81 cos q: whatever the method. */
static void pendulum_folded(void **state) {
    (void)state;
    zvModel *model = pendulum();
    expect_folded(model, ZV_QUESTION_MASS, 0, 0, 0);
    expect_folded(model, ZV_QUESTION_BIAS, 1, 0, 1);
    expect_folded(model, ZV_QUESTION_INVERSE, 2, 1, 1);
    expect_folded(model, ZV_QUESTION_FORWARD, 2, 1, 1);
    expect_folded(model, ZV_QUESTION_INVERSE_MASS, 0, 0, 0);
    zv_model_destroy(model);
}

/* One joint as it is written. Kinematics of composite bodies: E = R E_0 27 x 18 +, r 9 6, turned 12 6, first moment 9
 * 6, R J R^T 54 36. Then J z 9 6 and z x h 6 3, z.(J z) 3 2, armature 0 1. */
static void pendulum_written(void **state) {
    (void)state;
    zvModel *model = pendulum();
    const zvCount composite = count_of(model, row_of(ZV_QUESTION_MASS, "composite"), false);
    expect("composite", &composite.kinematics, 111, 72, 0, 2);
    expect("composite", &composite.method, 18, 12, 0, 0);
    expect("composite", &composite.folded, 0, 0, 0, 0);
    const zvCount forward = count_of(model, row_of(ZV_QUESTION_FORWARD, "mass"), false);
    assert_int_equal(forward.method.div, 1); /* 1 / D */
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
        const zvCount inverse = count_of(model, row_of(ZV_QUESTION_INVERSE, "newton-euler"), false);
        expect("inverse", &inverse.kinematics, 0, 0, 0, 2 * n);
        expect("inverse", &inverse.method, 150 * n, 115 * n, 0, 0);
        const zvCount yaskevich = count_of(model, row_of(ZV_QUESTION_MASS, "yaskevich"), false);
        expect("yaskevich", &yaskevich.method, (33 * n * n - 9 * n) / 2, (65 * n * n - 61 * n) / 2 + 6, 0, 0);
        const zvCount kosynka = count_of(model, row_of(ZV_QUESTION_MASS, "kosynka"), false);
        expect("kosynka", &kosynka.method, n * n * n + 18 * n * n - n, n * n * n + (29 * n * n - 15 * n) / 2 + 3, 0, 0);
        zv_model_destroy(model);
    }
}

typedef struct Growth {
    zvQuestion question;
    const char *method;
    int power;
} Growth;

/* Robots of `from` links and so many more at each step. */
typedef struct Sizes {
    int from, step, count;
} Sizes;
enum { SIZES = 11 };
static const Sizes each_size = {2, 1, SIZES};

/* Whether numbers grow as a polynomial of exactly this power: its difference is constant, and not zero. */
static void expect_power(const Growth *g, const char *what, int count, const long long numbers[SIZES]) {
    long long x[SIZES];
    memcpy(x, numbers, sizeof x);
    int left = count;
    assert_true(count > g->power + 1);
    for (int d = 0; d < g->power; d++, left--)
        for (int i = 0; i + 1 < left; i++) x[i] = x[i + 1] - x[i];
    for (int i = 0; i < left; i++)
        if (x[i] != x[0] || x[0] <= 0)
            fail_msg("%s of %s by %s: not n^%d", what, zv_question_name(g->question), g->method, g->power);
}

/* Operations of rows on robots of so many links. */
static void expect_growth(zvModel *(*make)(int links), Sizes sizes, const Growth *rows, size_t count) {
    enum { MOST = 40 };
    static long long mul[MOST][SIZES], add[MOST][SIZES];
    assert_true(count <= MOST);
    for (int i = 0; i < sizes.count; i++) {
        zvModel *model = make(sizes.from + i * sizes.step);
        for (size_t k = 0; k < count; k++) {
            const zvCount c = count_of(model, row_of(rows[k].question, rows[k].method), false);
            mul[k][i] = c.kinematics.mul + c.method.mul;
            add[k][i] = c.kinematics.add + c.method.add;
        }
        zv_model_destroy(model);
    }
    for (size_t k = 0; k < count; k++) {
        expect_power(&rows[k], "multiplications", sizes.count, mul[k]);
        expect_power(&rows[k], "additions", sizes.count, add[k]);
    }
}

/* What a row of M^-1 takes more than that of M it starts from. */
static zvOperations inversion_of(const zvModel *model, const char *minv, const char *mass) {
    const zvCount all = count_of(model, row_of(ZV_QUESTION_INVERSE_MASS, minv), false);
    const zvCount before = count_of(model, row_of(ZV_QUESTION_MASS, mass), false);
    return (zvOperations){.mul = all.kinematics.mul + all.method.mul - before.kinematics.mul - before.method.mul,
                          .add = all.kinematics.add + all.method.add - before.kinematics.add - before.method.add,
                          .div = all.method.div - before.method.div};
}

/* Whichever row M comes from, it is inverted alike. */
static void expect_one_inversion(zvModel *(*make)(int links), const char *const (*rows)[2], size_t count) {
    for (int n = 2; n <= 12; n++) {
        zvModel *model = make(n);
        const zvOperations want = inversion_of(model, "mass", "composite");
        for (size_t k = 0; k < count; k++) {
            const zvOperations x = inversion_of(model, rows[k][0], rows[k][1]);
            if (x.mul != want.mul || x.add != want.add || x.div != want.div) fail_msg("%s, %d links", rows[k][0], n);
        }
        zv_model_destroy(model);
    }
}

/* Tiles are four rows by three columns here: operations are a polynomial of every twelfth size. */
static const Growth inversion = {ZV_QUESTION_INVERSE_MASS, "mass", 3};
/* Rows of M^-1 with those of M; the first two are of rigid robots. */
enum { RIGID = 2, INVERTED = 7 };
static const char *const inverted[INVERTED][2] = {{"mass-reduced", "composite-reduced"},
                                                  {"mass-reduced-ldl", "composite-reduced"},
                                                  {"columns", "columns"},
                                                  {"mass-yaskevich", "yaskevich"},
                                                  {"mass-kosynka", "kosynka"},
                                                  {"mass-kane", "kane"},
                                                  {"mass-path", "path"}};

static void growth(void **state) {
    (void)state;
    static const Growth rows[] = {
        {ZV_QUESTION_MASS, "composite", 2},
        {ZV_QUESTION_MASS, "composite-reduced", 2},
        {ZV_QUESTION_MASS, "yaskevich", 2},
        {ZV_QUESTION_MASS, "kosynka", 3},
        {ZV_QUESTION_MASS, "kane", 3},
        {ZV_QUESTION_MASS, "columns", 2},
        {ZV_QUESTION_MASS, "path", 3},
        {ZV_QUESTION_BIAS, "newton-euler", 1},
        {ZV_QUESTION_BIAS, "newton-euler-reduced", 1},
        {ZV_QUESTION_BIAS, "yaskevich", 1},
        {ZV_QUESTION_BIAS, "kane", 2},
        {ZV_QUESTION_BIAS, "path", 2},
        {ZV_QUESTION_INVERSE, "newton-euler", 1},
        {ZV_QUESTION_INVERSE, "newton-euler-reduced", 1},
        {ZV_QUESTION_INVERSE, "path", 2},
        {ZV_QUESTION_FORWARD, "articulated", 1},
        {ZV_QUESTION_FORWARD, "mass", 3},
        {ZV_QUESTION_FORWARD, "mass-dense", 3},
        {ZV_QUESTION_FORWARD, "mass-reduced", 3},
        {ZV_QUESTION_FORWARD, "mass-reduced-ldl", 3},
        {ZV_QUESTION_FORWARD, "columns", 3},
        {ZV_QUESTION_FORWARD, "mass-yaskevich", 3},
        {ZV_QUESTION_FORWARD, "mass-kosynka", 3},
        {ZV_QUESTION_FORWARD, "mass-kane", 3},
        {ZV_QUESTION_FORWARD, "mass-path", 3},
        {ZV_QUESTION_INVERSE_MASS, "articulated-subtrees", 2},
    };
    expect_growth(chain, each_size, rows, sizeof rows / sizeof *rows);
    expect_growth(chain, (Sizes){12, 12, 6}, &inversion, 1);
    expect_one_inversion(chain, inverted, INVERTED);
}

/* A chain of beams, each on a hinge at the tip of the one before, with `modes` bending ones. */
static zvModel *elastic_chain(int links, int modes) {
    const double radius[3] = {0.01};
    char up[16] = "link0", name[16], hinge[16];
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(NULL);
    zvLink ground = zv_link_default(up);
    zvBeam beam = zv_beam_default();
    zv_section_fill(&beam, 2e11, 8e10, 7850, ZV_SECTION_CIRCLE, radius, false);
    beam.shapes = ZV_SHAPES_CLAMPED_FREE;
    beam.modes[ZV_BEAM_BEND_Y] = modes;
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    for (int i = 1; i <= links; i++) {
        snprintf(name, sizeof name, "link%d", i);
        snprintf(hinge, sizeof hinge, "hinge%d", i);
        zvLink link = zv_link_default(name);
        zvJoint joint = zv_joint_default(hinge, ZV_JOINT_CONTINUOUS, up, name);
        link.beam = &beam;
        if (i > 1) joint.origin.p[0] = beam.length;
        assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
        assert_int_equal(zv_builder_add_joint(builder, &joint, NULL), ZV_OK);
        memcpy(up, name, sizeof up);
    }
    assert_true(zv_builder_freeze(builder, &model, NULL) >= 0);
    zv_builder_destroy(builder);
    return model;
}

static zvModel *chain_of_beams(int links) { return elastic_chain(links, 2); }

/* Every row that knows elastic links grows with their number as with that of rigid ones. */
static void elastic_growth(void **state) {
    (void)state;
    static const Growth rows[] = {
        {ZV_QUESTION_MASS, "composite", 2},
        {ZV_QUESTION_MASS, "yaskevich", 2},
        {ZV_QUESTION_MASS, "kosynka", 3},
        {ZV_QUESTION_MASS, "kane", 3},
        {ZV_QUESTION_MASS, "columns", 2},
        {ZV_QUESTION_MASS, "path", 3},
        {ZV_QUESTION_BIAS, "newton-euler", 1},
        {ZV_QUESTION_BIAS, "yaskevich", 1},
        {ZV_QUESTION_BIAS, "kane", 2},
        {ZV_QUESTION_BIAS, "path", 2},
        {ZV_QUESTION_INVERSE, "newton-euler", 1},
        {ZV_QUESTION_INVERSE, "path", 2},
        {ZV_QUESTION_FORWARD, "articulated", 1},
        {ZV_QUESTION_FORWARD, "mass", 3},
        {ZV_QUESTION_FORWARD, "mass-dense", 3},
        {ZV_QUESTION_FORWARD, "columns", 3},
        {ZV_QUESTION_FORWARD, "mass-yaskevich", 3},
        {ZV_QUESTION_FORWARD, "mass-kosynka", 3},
        {ZV_QUESTION_FORWARD, "mass-kane", 3},
        {ZV_QUESTION_FORWARD, "mass-path", 3},
    };
    expect_growth(chain_of_beams, each_size, rows, sizeof rows / sizeof *rows);
    expect_growth(chain_of_beams, (Sizes){4, 4, 6}, &inversion, 1); /* three coordinates a link */
    expect_one_inversion(chain_of_beams, inverted + RIGID, INVERTED - RIGID);
}

/* -- folding --------------------------------------------------------------------------------------------------------
 */

static long long total(const zvOperations *o) { return o->mul + o->add + o->div + o->trig; }

static bool row_folds(const zvModel *model, Row row) {
    const zvCount written = count_of(model, row, false), x = count_of(model, row, true);
    const long long all = total(&x.kinematics) + total(&x.method);
    if (total(&x.folded) <= all && total(&x.folded) > 0 && total(&written.folded) == 0 &&
        memcmp(&written.method, &x.method, sizeof x.method) == 0 && x.folded.trig <= x.kinematics.trig)
        return true;
    fprintf(stderr, "%s by %s: %lld of %lld\n", zv_question_name(row.question), row.method->name, total(&x.folded),
            all);
    return false;
}

static bool folds(rtCase *c) {
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        size_t count;
        const zvMethod *rows = zv_methods((zvQuestion)question, &count);
        for (size_t i = 0; i < count; i++)
            if (zv_domain_holds(rows[i].domain, c->model) &&
                !row_folds(c->model, (Row){(zvQuestion)question, &rows[i]}))
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

static void refusals(void **state) {
    (void)state;
    zvCount count;
    zvError error = {0};
    const zvMethod unknown = {.name = "guess"};
    zvModel *model = elastic_chain(2, 1);
    assert_int_equal(
        zv_count(model, ZV_QUESTION_MASS, row_of(ZV_QUESTION_MASS, "composite-reduced").method, true, &count, &error),
        ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "mass by composite-reduced is defined for rigid links only"));
    zv_model_destroy(model);
    model = elastic_chain(2, 20); /* factors that are updated choose pivots */
    const zvMethod *articulated = row_of(ZV_QUESTION_FORWARD, "articulated").method;
    assert_int_equal(zv_count(model, ZV_QUESTION_FORWARD, articulated, false, &count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "factors of elastic links with 20 coordinates or more"));
    zv_model_destroy(model);
    model = pendulum();
    assert_int_equal(zv_count(model, ZV_QUESTION_MASS, &unknown, true, &count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "guess"));
    zv_model_destroy(model);
}

/* Rows of table 1 of [Yaskevich]: (a N^2 + b N + c) / 2, multiplications and additions. */
static const long long counted_rows[ZV_SUMS][2][3] = {
    [ZV_SUM_MASSES] = {{0}, {0}},
    [ZV_SUM_OFFSETS] = {{0}, {3, -9, 6}},
    [ZV_SUM_MOMENTS] = {{3, -3, 0}, {3, -9, 6}},
    [ZV_SUM_M1] = {{0}, {0, 18, -18}},
    [ZV_SUM_M2] = {{9, -9, 0}, {12, -30, 18}},
    [ZV_SUM_M3] = {{9, -9, 0}, {12, -30, 18}},
    [ZV_SUM_TOTAL] = {{0}, {27, -9, -18}},
    [ZV_SUM_ENTRIES] = {{12, 12, 0}, {8, 8, 0}},
};

static long long row_value(const long long f[3], long long n) { return (f[0] * n * n + f[1] * n + f[2]) / 2; }

static void add_to(zvOperations *total, const zvOperations *x) {
    total->mul += x->mul;
    total->add += x->add;
}

/* Row by row as the formulas have it, and together what the method costs and what is printed below the table: 36 N^2 -
 * 39 N + 9 multiplications; of the additions the printed rows make 55.5 N^2 - 78.5 N + 30. */
static void sums_of_the_table(void **state) {
    (void)state;
    for (int n = 1; n <= 12; n++) {
        zvModel *model = chain(n);
        zvSumCount sums[ZV_SUMS];
        zvOperations printed = {0}, corrected = {0}, counted = {0};
        assert_int_equal(zv_count_sums(model, sums, NULL), ZV_OK);
        for (int i = 0; i < ZV_SUMS; i++) {
            expect(sums[i].name, &sums[i].counted, row_value(counted_rows[i][0], n), row_value(counted_rows[i][1], n),
                   0, 0);
            add_to(&printed, &sums[i].printed);
            add_to(&corrected, &sums[i].corrected);
            add_to(&counted, &sums[i].counted);
        }
        const long long N = n;
        const zvCount all = count_of(model, row_of(ZV_QUESTION_MASS, "yaskevich"), false);
        expect("all", &counted, all.method.mul, all.method.add, 0, 0);
        expect("printed", &printed, 36 * N * N - 39 * N + 9, (111 * N * N - 157 * N) / 2 + 30, 0, 0);
        expect("corrected", &corrected, 39 * N * N - 27 * N, (117 * N * N - 97 * N) / 2 + 2, 0, 0);
        zv_model_destroy(model);
    }
}

/* On any tree the sums are all of the method. */
static void sums_of_trees(void **state) {
    (void)state;
    for (int seed = 75001; seed <= 75040; seed++) {
        rtOptions options = rt_options_default(1 + seed % 12);
        options.curves = RT_LINE | RT_CIRCLE;
        options.mimics = 0;
        rtTree *tree = rt_tree_create((uint64_t)seed, &options);
        zvModel *model = rt_tree_freeze(tree);
        free(tree);
        assert_non_null(model);
        zvSumCount sums[ZV_SUMS];
        zvOperations counted = {0};
        assert_int_equal(zv_count_sums(model, sums, NULL), ZV_OK);
        for (int i = 0; i < ZV_SUMS; i++) add_to(&counted, &sums[i].counted);
        const zvCount all = count_of(model, row_of(ZV_QUESTION_MASS, "yaskevich"), false);
        if (counted.mul != all.method.mul || counted.add != all.method.add)
            fail_msg("seed %d: the sums are %lld x and %lld +, the method %lld and %lld", seed, counted.mul,
                     counted.add, all.method.mul, all.method.add);
        zv_model_destroy(model);
    }
}

TESTS(printed_formulas, sums_of_the_table, sums_of_trees, pendulum_folded, pendulum_written, chain_formulas, growth,
      elastic_growth, folded_is_less, refusals)
