/* The tables of methods: rows that can be shown to people, and what every method refuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/builder.h"
#include "zveno/dynamics.h"

static void expect_words(const char *name, const char *cost, const char *source) {
    assert_true(name && name[0] && !strpbrk(name, " \t,"));
    assert_true(cost && strncmp(cost, "O(", 2) == 0);
    assert_true(source && source[0]);
}

/* Words for people, different names, the same table every time; the first row is auto and has no limits. */
static void expect_table(zvQuestion question, size_t least) {
    size_t count, again;
    const zvMethod *rows = zv_methods(question, &count);
    assert_true(count >= least);
    assert_string_equal(rows[0].name, "auto");
    assert_int_equal(rows[0].domain, ZV_DOMAIN_TREES);
    assert_ptr_equal(zv_methods(question, &again), rows);
    assert_int_equal(again, count);
    for (size_t i = 0; i < count; i++) {
        expect_words(rows[i].name, rows[i].cost, rows[i].source);
        assert_true(rows[i].run != NULL);
        assert_ptr_equal(zv_method_named(question, rows[i].name), &rows[i]);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(rows[i].name, rows[k].name);
    }
    assert_null(zv_method_named(question, "guess"));
}

static void tables(void **state) {
    (void)state;
    static const size_t least[ZV_QUESTIONS] = {8, 6, 4, 10, 10};
    for (int question = 0; question < ZV_QUESTIONS; question++) expect_table((zvQuestion)question, least[question]);
}

/* A slide of mass 2 with a wheel on it whose moment is given. */
static zvModel *cart(double moment, double armature) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    static const char *const names[3] = {"ground", "slide", "wheel"};
    for (int i = 0; i < 3; i++) {
        zvLink link = zv_link_default(names[i]);
        link.has_inertia = i > 0;
        if (i == 1) link.inertia.mass = 2;
        if (i == 2) link.inertia.moment[0] = link.inertia.moment[3] = link.inertia.moment[5] = moment;
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint =
            zv_joint_default(names[i], i == 1 ? ZV_JOINT_PRISMATIC : ZV_JOINT_CONTINUOUS, names[i - 1], names[i]);
        if (i == 2) joint.dof[0].armature = armature;
        assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
    }
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return model;
}

static void expect_every_method(zvModel *model, zvStatus status, const double *expected) {
    static const double q[2] = {0.1, 0.2}, v[2] = {1, 2}, tau[2] = {2 * 9.81 + 4, 3};
    zvError error = {0};
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    zvWork *work = zv_work_create(model, &error);
    for (size_t i = 0; i < count; i++) {
        double a[2];
        assert_int_equal(methods[i].run(model, work, q, v, tau, NULL, a), status);
        for (int k = 0; k < 2 && expected; k++) assert_true(fabs(a[k] - expected[k]) < 1e-14);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* A wheel without any inertia turns as it likes; a rotor mends it. */
static void free_wheel(void **state) {
    (void)state;
    expect_every_method(cart(0, 0), ZV_SINGULAR, NULL);
    expect_every_method(cart(0, 1.5), ZV_OK, (double[]){2, 2});
    expect_every_method(cart(0.5, 0), ZV_OK, (double[]){2, 6});
    expect_every_method(cart(0.5, 1), ZV_OK, (double[]){2, 2});
}

/* Masses of the cart by every method. */
static void masses(void **state) {
    (void)state;
    static const double q[2] = {0.1, 0.2}, expected[4] = {2, 0, 0, 1.5};
    zvError error = {0};
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_MASS, &count);
    zvModel *model = cart(0.5, 1);
    zvWork *work = zv_work_create(model, &error);
    for (size_t i = 0; i < count; i++) {
        double M[4];
        assert_int_equal(methods[i].run(model, work, q, NULL, NULL, NULL, M), ZV_OK);
        for (int k = 0; k < 4; k++) assert_true(fabs(M[k] - expected[k]) < 1e-15);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static zvModel *freeze(zvBuilder *builder) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return model;
}

/* A steel rod that swings, bends in one plane when asked to, and carries a weight at its end. */
static zvModel *rod(bool bends) {
    const double radius[3] = {0.01};
    zvBuilder *builder = zv_builder_create(NULL);
    zvLink ground = zv_link_default("ground"), link = zv_link_default("rod"), weight = zv_link_default("weight");
    zvBeam beam = zv_beam_default();
    zv_section_fill(&beam, 2e11, 8e10, 7850, ZV_SECTION_CIRCLE, radius, false);
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    if (bends) link.beam = &beam;
    link.has_inertia = !bends;
    weight.has_inertia = true;
    link.inertia.mass = bends ? 0 : 2;
    weight.inertia.mass = 1;
    zvJoint swing = zv_joint_default("swing", ZV_JOINT_CONTINUOUS, "ground", "rod");
    zvJoint mount = zv_joint_default("mount", ZV_JOINT_PRISMATIC, "rod", "weight");
    swing.dof[0].armature = 0.1;
    mount.origin.p[0] = 1;
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &weight, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &swing, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &mount, NULL), ZV_OK);
    return freeze(builder);
}

/* Rows give ZV_OK inside of their domain, ZV_NOT_SUPPORTED elsewhere. */
static void expect_statuses(zvQuestion question, const zvModel *model, zvWork *work, const double *q, const double *v,
                            const double *x, const double *fext) {
    size_t count;
    const zvMethod *rows = zv_methods(question, &count);
    for (size_t i = 0; i < count; i++) {
        double answer[16];
        const bool loaded = fext && (question == ZV_QUESTION_INVERSE || question == ZV_QUESTION_FORWARD);
        const zvStatus wanted = zv_domain_obstacle(rows[i].domain, model, loaded) ? ZV_NOT_SUPPORTED : ZV_OK;
        const zvStatus status = rows[i].run(model, work, q, v, x, fext, answer);
        if (status != wanted)
            fail_msg("%s by %s: %s", zv_question_name(question), rows[i].name, zv_status_name(status));
    }
}

/* auto gives the bits of the row that it says it chooses. */
static void expect_choice(zvQuestion question, const zvModel *model, zvWork *work, const double *q, const double *v,
                          const double *x, const double *fext) {
    double by_auto[16], by_row[16];
    char why[160] = "";
    const zvMethod *row = zv_method_chosen(question, model, fext != NULL, why, sizeof why);
    assert_true(row != zv_method_named(question, "auto") && why[0]);
    assert_int_equal(zv_method_named(question, "auto")->run(model, work, q, v, x, fext, by_auto), ZV_OK);
    assert_int_equal(row->run(model, work, q, v, x, fext, by_row), ZV_OK);
    assert_memory_equal(by_auto, by_row, zv_answer_size(question, model) * sizeof *by_row);
}

static void domains(void **state) {
    (void)state;
    for (int bends = 0; bends < 2; bends++) {
        double q[4] = {0.3, 0.01}, v[4] = {1, -2}, tau[4] = {3, 4}, load[64] = {0};
        zvModel *model = rod(bends);
        zvWork *work = zv_work_create(model, NULL);
        assert_int_equal(zv_model_nv(model), bends ? 4 : 2);
        assert_true(zv_model_nexternal(model) <= 64);
        assert_true(zv_domain_holds(ZV_DOMAIN_TREES, model));
        assert_int_equal(zv_domain_holds(ZV_DOMAIN_RIGID, model), !bends);
        for (int question = 0; question < ZV_QUESTIONS; question++)
            for (int loaded = 0; loaded < 2; loaded++) {
                const double *fext = loaded ? load : NULL;
                expect_statuses((zvQuestion)question, model, work, q, v, tau, fext);
                expect_choice((zvQuestion)question, model, work, q, v, tau, fext);
            }
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

enum { LONG = 2050 }; /* more joints than a scratch memory has room for a square matrix of */

/* A chain of hinges; the last follows the first, and may be without mass. */
static zvModel *chain(bool massless) {
    char name[16], last[16] = "0", hinge[20];
    zvBuilder *builder = zv_builder_create(NULL);
    zvLink ground = zv_link_default("0");
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    for (int i = 1; i <= LONG; i++) {
        snprintf(name, sizeof name, "%d", i);
        snprintf(hinge, sizeof hinge, "hinge%d", i);
        zvLink link = zv_link_default(name);
        link.has_inertia = i < LONG || !massless;
        if (link.has_inertia)
            link.inertia.mass = link.inertia.moment[0] = link.inertia.moment[3] = link.inertia.moment[5] = 1;
        zvJoint joint = zv_joint_default(hinge, ZV_JOINT_CONTINUOUS, last, name);
        if (i == LONG) joint.mimic = "hinge1", joint.ratio = 1;
        assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
        assert_int_equal(zv_builder_add_joint(builder, &joint, NULL), ZV_OK);
        snprintf(last, sizeof last, "%s", name);
    }
    return freeze(builder);
}

/* Where a square matrix would have to lie in scratch memory and does not fit, methods refuse; those that need none
 * answer. */
static void too_large(void **state) {
    (void)state;
    size_t masses, forwards;
    const zvMethod *mass = zv_methods(ZV_QUESTION_MASS, &masses);
    const zvMethod *forward = zv_methods(ZV_QUESTION_FORWARD, &forwards);
    zvModel *model = chain(false);
    zvWork *work = zv_work_create(model, NULL);
    double *q = calloc(2 * LONG, sizeof *q), *M = calloc((size_t)LONG * LONG, sizeof *M);
    assert_true(work && q && M);
    for (size_t i = 0; i < masses; i++)
        if (strcmp(mass[i].name, "auto") != 0 && strcmp(mass[i].name, "columns") != 0)
            assert_int_equal(mass[i].run(model, work, q, NULL, NULL, NULL, M), ZV_NOT_SUPPORTED);
    for (size_t i = 2; i < forwards; i++)
        assert_int_equal(forward[i].run(model, work, q, NULL, NULL, NULL, M), ZV_NOT_SUPPORTED);
    for (size_t i = 0; i < 2; i++) assert_int_equal(forward[i].run(model, work, q, NULL, NULL, NULL, M), ZV_OK);
    assert_string_equal(zv_method_chosen(ZV_QUESTION_MASS, model, false, NULL, 0)->name, "columns");
    assert_string_equal(zv_method_chosen(ZV_QUESTION_FORWARD, model, false, NULL, 0)->name, "articulated");
    free(q);
    free(M);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* Sweeps find the tree singular, and there is no space to ask the coupled robot. */
static void too_large_to_tell(void **state) {
    (void)state;
    zvModel *model = chain(true);
    zvWork *work = zv_work_create(model, NULL);
    double *q = calloc(2 * LONG, sizeof *q), *a = calloc(LONG, sizeof *a);
    assert_true(work && q && a);
    a[0] = a[LONG - 2] = 7;
    const zvMethod *row = zv_method_named(ZV_QUESTION_FORWARD, "articulated");
    assert_int_equal(row->run(model, work, q, NULL, NULL, NULL, a), ZV_NOT_SUPPORTED);
    assert_int_equal(zv_forward_dynamics(model, work, q, NULL, NULL, NULL, a), ZV_SINGULAR);
    assert_true(a[0] == 7 && a[LONG - 2] == 7); /* left alone */
    free(q);
    free(a);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(tables, free_wheel, masses, domains, too_large, too_large_to_tell)
