/* Derivatives of elastic trees on random cases against eighth-order differences of inverse dynamics, which is another
 * kernel's text on plain numbers; and forward ones by M da = - d tau. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support/elastic_case.h"
#include "support/run_tests.h"

enum { SEED = 91000, CASES = 60, ALL_TYPES = ~0 };

/* Differences of the eighth order are right to some 1e-12 of the largest slope, and to rounding of forces over the
 * step. */
static const double tolerance = 2e-11;

static void forces(ecCase *c, const double *q, double *tau) {
    zv_inverse_dynamics(c->model, c->work, q, c->v, c->a, c->fext, tau);
}

static double largest(size_t count, const double *x) {
    double most = 1;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* d tau/d v is linear in v: differences of the second order are exact whatever the step. */
static void by_velocity(ecCase *c, int k, double *column) {
    const double kept = c->v[k];
    for (int side = 0; side < 2; side++) {
        c->v[k] = kept + (side ? 0.5 : -0.5);
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, side ? column : c->y);
    }
    c->v[k] = kept;
    for (int i = 0; i < c->nv; i++) column[i] -= c->y[i];
}

static bool columns_agree(ecCase *c) {
    const size_t nv = (size_t)c->nv, square = nv * nv;
    double *X = calloc(3 * square + 2 * nv + 1, sizeof *X), *M = X + 2 * square, *rate = M + square, *unit = rate + nv;
    assert_non_null(X);
    bool good = zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, c->fext, X, X + square, M) == ZV_OK;
    forces(c, c->q, rate);
    c->quick *= 6; /* slopes of stiff links bend more than forces: shorter steps */
    const double scale = largest(square, X) + 8 * DBL_EPSILON / tolerance * largest(nv, rate) / ec_step(c),
                 by_v = largest(square, X + square);
    for (int k = 0; k < c->nv && good; k++) {
        unit[k] = 1;
        ec_rate(c, unit, forces, c->nv, rate);
        unit[k] = 0;
        for (int i = 0; i < c->nv && good; i++)
            good = ec_near(c, "d tau/d q", i * c->nv + k, X[i * c->nv + k], rate[i], tolerance * scale);
        by_velocity(c, k, rate);
        for (int i = 0; i < c->nv && good; i++)
            good =
                ec_near(c, "d tau/d v", i * c->nv + k, X[square + (size_t)(i * c->nv + k)], rate[i], tolerance * by_v);
    }
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    for (int i = 0; i < (int)square && good; i++)
        good = ec_near(c, "M", i, M[i], c->A[i], 1e-14 * largest(square, c->A));
    free(X);
    return good;
}

/* At the acceleration that forces cause, M da/dx + d tau/dx = 0 and M da/dtau = 1. */
static bool forward_agrees(ecCase *c) {
    const size_t nv = (size_t)c->nv, square = nv * nv;
    double *X = calloc(6 * square + nv + 1, sizeof *X), *a = X + 6 * square;
    assert_non_null(X);
    double *const dq = X, *const dv = X + square, *const dtau = X + 2 * square, *const tq = X + 3 * square,
                  *const tv = X + 4 * square, *const M = X + 5 * square;
    for (int i = 0; i < c->nv; i++) c->x[i] = sin(1.0 + i);
    bool good = zv_forward_derivatives(c->model, c->work, c->q, c->v, c->x, c->fext, a, dq, dv, dtau) == ZV_OK &&
                zv_inverse_derivatives(c->model, c->work, c->q, c->v, a, c->fext, tq, tv, M) == ZV_OK;
    const double by_q = largest(square, tq), by_v = largest(square, tv);
    for (size_t k = 0; k < square && good; k++) {
        const size_t i = k / nv, j = k % nv;
        double sums[3] = {tq[k], tv[k], i == j ? -1 : 0}, sizes[3] = {by_q, by_v, 1};
        for (size_t l = 0; l < nv; l++) {
            const double *const answers[3] = {dq, dv, dtau};
            for (int n = 0; n < 3; n++) {
                const double term = M[i * nv + l] * answers[n][l * nv + j];
                sums[n] += term;
                sizes[n] += fabs(term);
            }
        }
        for (int n = 0; n < 3 && good; n++) good = ec_near(c, "M da + d tau", (int)k, sums[n], 0, 1e-9 * sizes[n]);
    }
    free(X);
    return good;
}

static void inverse(void **state) {
    (void)state;
    assert_true(ec_each(SEED, CASES, (unsigned)ALL_TYPES, columns_agree));
}
static void forward(void **state) {
    (void)state;
    assert_true(ec_each(SEED + 1000, CASES, (unsigned)ALL_TYPES, forward_agrees));
}

TESTS(inverse, forward)
