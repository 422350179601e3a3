/* Model and tree coordinates: followers move with their masters, forces come back by the same ratios. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "work/coupling.h"
#include "zveno/builder.h"

enum { TREE = 4 };

/* Joints a, b, c, d in a row; when coupled, b = -2 a + 0.5 and d = 3 b + 1 = -6 a + 2.5. */
static zvModel *make(bool coupled) {
    static const char *const names[TREE + 1] = {"base", "a", "b", "c", "d"};
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    for (int i = 0; i <= TREE; i++) {
        zvLink link = zv_link_default(names[i]);
        link.inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_CONTINUOUS, names[i - 1], names[i]);
        if (i == 2) joint.mimic = "a", joint.ratio = -2, joint.offset = 0.5;
        if (i == 4) joint.mimic = "b", joint.ratio = 3, joint.offset = 1;
        assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
    }
    zv_builder_set_mimic_coupled(builder, coupled);
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    assert_int_equal(zv_model_nv(model), coupled ? 2 : TREE);
    return model;
}

/* Without coupling nothing is copied. */
static void uncoupled(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = make(false);
    zvWork *work = zv_work_create(model, &error);
    ziScratch scratch = work->scratch;
    double q[TREE] = {1, 2, 3, 4};
    assert_ptr_equal(zi_tree_q(model, &scratch, q), q);
    assert_ptr_equal(zi_tree_v(model, &scratch, q), q);
    assert_null(zi_tree_v(model, &scratch, NULL));
    assert_ptr_equal(zi_tree_vector(model, &scratch, q), q);
    assert_ptr_equal(scratch.next, work->scratch.next);
    zi_contract(model, q, q);
    assert_all_near("entry", TREE, q, ((double[]){1, 2, 3, 4}), 1e-14);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static void followers(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = make(true);
    zvWork *work = zv_work_create(model, &error);
    ziScratch scratch = work->scratch;
    const double q[2] = {0.3, 0.7}, t[TREE] = {1, 10, 100, 1000};
    double x[2];
    assert_all_near("entry", TREE, zi_tree_q(model, &scratch, q), ((double[]){0.3, -0.1, 0.7, 0.7}), 1e-14);
    assert_all_near("entry", TREE, zi_tree_v(model, &scratch, q), ((double[]){0.3, -0.6, 0.7, -1.8}), 1e-14);
    assert_null(zi_tree_v(model, &scratch, NULL));
    assert_ptr_not_equal(zi_tree_vector(model, &scratch, x), x);
    zi_contract(model, t, x);
    assert_all_near("entry", 2, x, ((double[]){1 - 20 - 6000, 100}), 1e-14);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* X = T E and E^T T E against the columns of E. */
static void matrices(void **state) {
    (void)state;
    static const double E[TREE][2] = {{1, 0}, {-2, 0}, {0, 1}, {-6, 0}};
    rtRandom random = {51};
    zvModel *model = make(true);
    double T[TREE * TREE], TE[TREE][2], columns[TREE * 2], square[4];
    rt_vector(&random, 1, TREE * TREE, T);
    zi_contract_columns(model, TREE, T, columns);
    zi_contract_matrix(model, T, square);
    for (int i = 0; i < TREE; i++) {
        for (int j = 0; j < 2; j++) {
            TE[i][j] = 0;
            for (int k = 0; k < TREE; k++) TE[i][j] += T[TREE * i + k] * E[k][j];
        }
    }
    assert_all_near("entry", TREE * 2, columns, (const double *)TE, 1e-14);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            double sum = 0;
            for (int k = 0; k < TREE; k++) sum += E[k][i] * TE[k][j];
            assert_all_near("entry", 1, &square[2 * i + j], &sum, 1e-14);
        }
    }
    zv_model_destroy(model);
}

TESTS(uncoupled, followers, matrices)
