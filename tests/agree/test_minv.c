/* M x, M^-1 x and M^-1 against the reference's matrix.
 * Tolerances: 16 x depth x eps x |S| |x| for products (S: uncancelled size of M's terms), and that pushed through
 * |M^-1| for inverses, which is the componentwise condition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 }; /* in some 19 000 trial cases the worst was 8.2 */

static bool times_agrees(rtCase *c, const exact *sizes) {
    int n = c->nv;
    zv_mass_times(c->model, c->work, c->q, c->tau, c->x);
    for (int i = 0; i < n; i++) {
        c->want[i] = c->scale[i] = 0;
        for (int j = 0; j < n; j++) {
            c->want[i] += c->M[i * n + j] * c->tau[j];
            c->scale[i] += sizes[i * n + j] * fabsl((exact)c->tau[j]);
        }
    }
    return rt_near(c, "M x", n, c->x, c->want, c->scale, ULPS);
}

/* bound = |M^-1| S |M^-1| */
static void inverse_scale(int n, const exact *inverse, const exact *sizes, exact *bound) {
    exact *half = lin_numbers(n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) half[i * n + j] += fabsl(inverse[i * n + k]) * sizes[k * n + j];
    for (int i = 0; i < n * n; i++) bound[i] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) bound[i * n + j] += half[i * n + k] * fabsl(inverse[k * n + j]);
    free(half);
}

static bool inverse_times_agrees(rtCase *c, const exact *inverse, const exact *bound) {
    int n = c->nv;
    if (zv_mass_inverse_times(c->model, c->work, c->q, c->tau, c->x) != ZV_OK) return false;
    for (int i = 0; i < n; i++) {
        c->want[i] = c->scale[i] = 0;
        for (int j = 0; j < n; j++) {
            c->want[i] += inverse[i * n + j] * c->tau[j];
            c->scale[i] += bound[i * n + j] * fabsl((exact)c->tau[j]);
        }
    }
    return rt_near(c, "M^-1 x", n, c->x, c->want, c->scale, ULPS);
}

/* The engine's own M^-1 (in c->A) times its own M: errors bound |M| + |M^-1| S. */
static bool product_is_unit(rtCase *c, const exact *inverse, const exact *sizes, const exact *bound) {
    int n = c->nv;
    zv_mass_matrix(c->model, c->work, c->q, c->B);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            exact sum = 0;
            c->want[j] = i == j;
            c->scale[j] = 0;
            for (int k = 0; k < n; k++) {
                sum += (exact)c->A[i * n + k] * c->B[k * n + j];
                c->scale[j] += bound[i * n + k] * fabsl(c->M[k * n + j]) + fabsl(inverse[i * n + k]) * sizes[k * n + j];
            }
            c->x[j] = (double)sum;
        }
        if (!rt_near(c, "M^-1 M", n, c->x, c->want, c->scale, ULPS)) return false;
    }
    return true;
}

static bool inverses_agree(rtCase *c) {
    int n = c->nv;
    exact *inverse = lin_numbers(n * n), *sizes = lin_numbers(n * n);
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, sizes);
    bool good = lin_inverse(n, c->M, inverse) && times_agrees(c, sizes);
    inverse_scale(n, inverse, sizes, c->S);
    good = good && inverse_times_agrees(c, inverse, c->S);
    good = good && zv_mass_inverse(c->model, c->work, c->q, c->A) == ZV_OK;
    good = good && rt_near(c, "M^-1", n * n, c->A, inverse, c->S, ULPS);
    good = good && product_is_unit(c, inverse, sizes, c->S);
    free(inverse);
    free(sizes);
    return good;
}

/* Coupled models are solved by another way and judged in test_mimic. */
static void uncoupled(int index, rtOptions *options) {
    (void)index;
    options->mimics = 0;
}

static void mass_inverse(void **state) {
    (void)state;
    assert_true(rt_each(35000, 1000, 30, uncoupled, inverses_agree));
}

/* Beyond a certain depth the engine sweeps instead of factoring. */
static void long_chain(void **state) {
    (void)state;
    rtOptions options = rt_options_default(75);
    options.shape = RT_CHAIN;
    options.types = RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC) | RT_TYPE(UNIVERSAL);
    rtCase c;
    bool good = rt_case_open(&c, 5500, &options) && inverses_agree(&c);
    rt_case_close(&c);
    assert_true(good);
}

TESTS(mass_inverse, long_chain)
