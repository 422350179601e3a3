/* The tables of methods: rows that can be shown to people, and what every method refuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zveno/builder.h"
#include "zveno/dynamics.h"

static void expect_words(const char *name, const char *cost, const char *source) {
    assert_true(name && name[0] && !strpbrk(name, " \t,"));
    assert_true(cost && strncmp(cost, "O(", 2) == 0);
    assert_true(source && source[0]);
}

static void tables(void **state) {
    (void)state;
    size_t masses, forwards, again;
    const zvMassMethod *mass = zv_mass_methods(&masses);
    const zvForwardMethod *forward = zv_forward_methods(&forwards);
    assert_true(masses >= 2 && forwards >= 2);
    assert_string_equal(mass[0].name, "composite");
    assert_string_equal(forward[0].name, "articulated");
    assert_ptr_equal(zv_mass_methods(&again), mass);
    assert_int_equal(again, masses);
    for (size_t i = 0; i < masses; i++) {
        expect_words(mass[i].name, mass[i].cost, mass[i].source);
        assert_non_null((void *)(uintptr_t)mass[i].run);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(mass[i].name, mass[k].name);
    }
    for (size_t i = 0; i < forwards; i++) {
        expect_words(forward[i].name, forward[i].cost, forward[i].source);
        assert_non_null((void *)(uintptr_t)forward[i].run);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(forward[i].name, forward[k].name);
    }
}

/* A slide of mass 2 with a wheel on it whose moment is given. */
static zvModel *cart(double moment, double armature) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create();
    static const char *const names[3] = {"ground", "slide", "wheel"};
    for (int i = 0; i < 3; i++) {
        zvLink link = zv_link_default(names[i]);
        link.has_inertia = i > 0;
        if (i == 1) link.inertia.mass = 2;
        if (i == 2) link.inertia.moment[0] = link.inertia.moment[3] = link.inertia.moment[5] = moment;
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], i == 1 ? ZV_PRISMATIC : ZV_CONTINUOUS, names[i - 1], names[i]);
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
    const zvForwardMethod *methods = zv_forward_methods(&count);
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
    const zvMassMethod *methods = zv_mass_methods(&count);
    zvModel *model = cart(0.5, 1);
    zvWork *work = zv_work_create(model, &error);
    for (size_t i = 0; i < count; i++) {
        double M[4];
        assert_int_equal(methods[i].run(model, work, q, M), ZV_OK);
        for (int k = 0; k < 4; k++) assert_true(fabs(M[k] - expected[k]) < 1e-15);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),
        cmocka_unit_test(free_wheel),
        cmocka_unit_test(masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
