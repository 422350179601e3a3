/* The Coriolis matrix: C v = bias - gravity, and dM/dt - 2 C is skew, i.e. C + C^T = dM/dt.
 * dM/dt is the eighth-order central difference of the reference's M along the motion; in long double with a step of
 * 0.01 / (fastest turning) it is good to some 1e-17, below the tolerance 16 x depth x eps x uncancelled terms. */
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

static void times(int n, const double *C, const double *v, double *y) {
    for (int i = 0; i < n; i++) {
        exact sum = 0;
        for (int j = 0; j < n; j++) sum += (exact)C[i * n + j] * v[j];
        y[i] = (double)sum;
    }
}

static bool product_agrees(rtCase *c) {
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, NULL, false, c->want);
    ref_error_scale(c->ref, c->v, NULL, NULL, false, c->error_scale);
    zv_coriolis_matrix(c->model, c->work, c->q, c->v, c->A);
    times(c->nv, c->A, c->v, c->x);
    return rt_near(c, "C v", c->nv, c->x, c->want, c->error_scale->tau, ULPS);
}

static exact fastest(const rtCase *c) {
    exact most = 1;
    for (int l = 0; l < c->ref->nlink; l++) most = fmaxl(most, c->error_scale->w[l]);
    for (int i = 0; i < c->nv; i++) most = fmaxl(most, 5 * fabsl((exact)c->v[i])); /* circles of 0.2 m */
    return most;
}

static void mass_rate(rtCase *c, exact h, exact *rate) {
    static const exact weight[5] = {0, 4 / 5.0L, -1 / 5.0L, 4 / 105.0L, -1 / 280.0L};
    int n2 = c->nv * c->nv;
    for (int i = 0; i < n2; i++) rate[i] = 0;
    for (int k = -4; k <= 4; k++) {
        if (k == 0) continue;
        ref_place_along(c->ref, c->q, c->v, k * h);
        ref_mass(c->ref, c->M);
        for (int i = 0; i < n2; i++) rate[i] += (k < 0 ? -weight[-k] : weight[k]) * c->M[i] / h;
    }
}

static bool skew_agrees(rtCase *c) {
    int n = c->nv;
    exact quick = fastest(c);
    exact *rate = lin_numbers(n * n);
    mass_rate(c, 0.01L / quick, rate);
    ref_place(c->ref, c->q);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c->B[i * n + j] = c->A[i * n + j] + c->A[j * n + i];
            c->S[i * n + j] *= quick;
        }
    bool good = rt_near(c, "C + C^T", n * n, c->B, rate, c->S, ULPS);
    free(rate);
    return good;
}

static bool coriolis_agrees(rtCase *c) { return product_agrees(c) && skew_agrees(c); }

static void smooth(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE; /* splines are too rough for high-order differences across their knots */
}

static void products(void **state) {
    (void)state;
    assert_true(rt_each(7000, 1000, 50, NULL, product_agrees));
}

static void skewness(void **state) {
    (void)state;
    assert_true(rt_each(37500, 1000, 12, smooth, coriolis_agrees));
}

TESTS(products, skewness)
