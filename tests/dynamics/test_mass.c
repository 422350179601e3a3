/* Mass matrix of a coupled robot that is too large for the composite way: it must still be M of M x. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "work/scratch.h"
#include "zveno/zveno.h"

enum { JOINTS = ZI_SCRATCH_MATRIX_MAX + 2 }; /* one of them follows another */

static zvModel *long_coupled_chain(void) {
    zvBuilder *b = zv_builder_create(NULL);
    zvLink link = zv_link_default("l0");
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
    for (int i = 1; i <= JOINTS; i++) {
        char parent[16], child[16], name[16];
        snprintf(parent, sizeof parent, "l%d", i - 1);
        snprintf(child, sizeof child, "l%d", i);
        snprintf(name, sizeof name, "j%d", i);
        link = zv_link_default(child);
        link.inertia = (zvInertia){.mass = 1, .com = {0.05, 0, 0}, .moment = {1e-3, 0, 0, 1e-3, 0, 1e-3}};
        zvJoint joint = zv_joint_default(name, ZV_JOINT_REVOLUTE, parent, child);
        joint.origin.p[0] = 0.1;
        joint.axis[i % 3] = 1;
        if (i == 7) joint.mimic = "j3", joint.ratio = -0.5;
        assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
        assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
    }
    zvModel *model;
    assert_int_equal(zv_builder_freeze(b, &model, NULL), ZV_OK);
    zv_builder_destroy(b);
    return model;
}

static void large_and_coupled(void **state) {
    (void)state;
    zvModel *model = long_coupled_chain();
    zvWork *work = zv_work_create(model, NULL);
    size_t n = (size_t)zv_model_nv(model);
    assert_int_equal(n, JOINTS - 1);
    double *q = calloc(3 * n, sizeof *q), *x = q + n, *y = x + n, *M = malloc(n * n * sizeof *M);
    assert_true(work && q && M);
    for (size_t i = 0; i < n; i++) q[i] = sin((double)i), x[i] = cos(3.0 * (double)i);
    zv_mass_matrix(model, work, q, M);
    zv_mass_times(model, work, q, x, y);
    for (size_t i = 0; i < n; i++) {
        double sum = 0, size = 0; /* size: of the terms, whose rounding bounds the difference */
        for (size_t j = 0; j < n; j++) sum += M[i * n + j] * x[j], size += fabs(M[i * n + j] * x[j]);
        if (!(fabs(sum - y[i]) <= 1e-12 * size)) fail_msg("row %zu: %.17g, expected %.17g", i, sum, y[i]);
    }
    free(q);
    free(M);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(large_and_coupled)
