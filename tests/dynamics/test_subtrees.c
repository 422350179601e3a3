/* Columns through articulated bodies (kernel_subtrees.c) on trees of every shape and size: M^-1 and -M^-1 X against the
 * inverse of the reference's matrix, tolerances as in tests/agree/test_minv.c; both at once as each alone, and in the
 * least memory that a workspace has, to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/kernels.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 };

/* bound = |M^-1| S |M^-1|, and what the reference's own inverse has lost, which is rounded in long double: of entries
 * that are zero, between branches on the ground, nothing but that is left. */
static void bound_inverse(int n, const exact *inverse, const exact *sizes, exact *bound) {
    const exact finer = (exact)LDBL_EPSILON / DBL_EPSILON;
    exact *half = lin_numbers(n * n), *own = lin_numbers(n);
    for (int i = 0; i < n * n; i++)
        for (int k = 0; k < n; k++) half[i] += fabsl(inverse[i / n * n + k]) * sizes[k * n + i % n];
    for (int i = 0; i < n * n; i++)
        for (int k = 0; k < n; k++) bound[i] += half[i / n * n + k] * fabsl(inverse[k * n + i % n]);
    for (int i = 0; i < n; i++) own[i] = finer * sqrtl(bound[i * (n + 1)]);
    for (int i = 0; i < n * n; i++) bound[i] += own[i / n] * own[i % n] / finer;
    free(half);
    free(own);
}

/* -M^-1 X, and its error: the bound times |X|. */
static void respond(int n, const exact *inverse, const exact *bound, const double *X, exact *want, exact *scale) {
    for (int i = 0; i < n * n; i++)
        for (int k = 0; k < n; k++) {
            want[i] -= inverse[i / n * n + k] * X[k * n + i % n];
            scale[i] += bound[i / n * n + k] * fabsl((exact)X[k * n + i % n]);
        }
}

/* In scratch memory of the size that any model has, without square matrices. */
static ziScratch least_scratch(const rtCase *c) {
    const ziTree *t = &c->model->tree;
    ziScratch scratch = zi_scratch_of(c->model, c->work);
    scratch.end = scratch.next + ZI_SCRATCH_FIXED + (size_t)t->nb * ZI_SCRATCH_PER_BODY +
                  (size_t)(t->nq + t->nv) * ZI_SCRATCH_PER_COORDINATE;
    return scratch;
}

static bool columns_agree(rtCase *c) {
    const int n = c->nv;
    const size_t square = (size_t)n * (size_t)n, bytes = square * sizeof(double);
    const ziScratch scratch = zi_scratch_of(c->model, c->work);
    exact *inverse = lin_numbers(n * n), *sizes = lin_numbers(n * n), *bound = lin_numbers(n * n),
          *want = lin_numbers(n * n), *scale = lin_numbers(n * n);
    double *X = malloc(4 * bytes + 1), *Y = X + square, *Z = Y + square, *alone = Z + square;
    assert_non_null(X);
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, sizes);
    bool good = lin_inverse(n, c->M, inverse);
    bound_inverse(n, inverse, sizes, bound);
    for (size_t i = 0; i < square; i++) X[i] = Y[i] = rt_uniform(&c->random, -1, 1);
    for (size_t i = 0; i < square; i++) Z[i] = 2 * X[i];
    respond(n, inverse, bound, X, want, scale);
    good = good && zi_kernels(c->model)->subtrees(&c->model->tree, scratch, c->q, Y, Z, c->A) == ZV_OK;
    good = good && rt_near(c, "M^-1", n * n, c->A, inverse, bound, ULPS);
    good = good && rt_near(c, "-M^-1 X", n * n, Y, want, scale, ULPS);
    for (size_t i = 0; i < square; i++) good = good && Z[i] == 2 * Y[i];
    for (size_t i = 0; i < square; i++) good = good && c->A[i] == c->A[i % (size_t)n * (size_t)n + i / (size_t)n];
    const ziScratch least = least_scratch(c);
    good = good && zi_kernels(c->model)->subtrees(&c->model->tree, least, c->q, NULL, X, NULL) == ZV_OK;
    good = good && zi_kernels(c->model)->subtrees(&c->model->tree, least, c->q, NULL, NULL, alone) == ZV_OK;
    good = good && !memcmp(X, Y, bytes) && !memcmp(alone, c->A, bytes);
    if (!good) printf("seed %llu\n", (unsigned long long)c->seed);
    free(inverse), free(sizes), free(bound), free(want), free(scale), free(X);
    return good;
}

/* The kernel knows trees, without couplings. */
static void uncoupled(int index, rtOptions *options) {
    (void)index;
    options->mimics = 0;
}

static void trees(void **state) {
    (void)state;
    assert_true(rt_each(36000, 600, 30, uncoupled, columns_agree));
}

/* More columns than a block has, on chains and on trees that branch. */
static void blocks(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        rtOptions options = rt_options_default(RT_MAX_JOINTS - k);
        options.shape = (rtShape)(k % (RT_BUSHY + 1));
        options.free_base = k % 2;
        rtCase c;
        bool good = rt_case_open(&c, 5600 + (uint64_t)k, &options) && columns_agree(&c);
        rt_case_close(&c);
        assert_true(good);
    }
}

TESTS(trees, blocks)
