/* Derivatives of forward dynamics: M times them are those of inverse dynamics, on random trees; and they are what
 * differences of forward dynamics tend to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "derive/uncancelled.h"
#include "support/run_tests.h"

enum { CASES = 300, DEEPEST = 40, SEED = 71000 };

/* Of d tau/d q, as in test_inverse.c. */
enum { TOLERANCE = 12 };

typedef struct Answers {
    double *dq, *dv, *da, *dq_of_tau, *dv_of_tau, *M;
} Answers;

static Answers answers_take(const rtCase *c) {
    const size_t square = (size_t)c->nv * (size_t)c->nv;
    double *X = malloc((6 * square + 1) * sizeof *X);
    assert_non_null(X);
    for (size_t i = 0; i < 6 * square; i++) X[i] = NAN;
    return (Answers){X, X + square, X + 2 * square, X + 3 * square, X + 4 * square, X + 5 * square};
}

/* M X + Y = 0, each entry judged by the sizes of its terms: a stable solution has a small residual whatever the
 * condition of M. Y NULL: minus the identity. Y may be off by some roundings of `terms`, unless that is NULL. */
static bool solves(rtCase *c, const char *what, const double *M, const double *X, const double *Y, const exact *terms) {
    const int n = c->nv;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            exact y = Y ? Y[i * n + k] : -(i == k), sum = y, size = fabsl(y);
            for (int j = 0; j < n; j++) {
                exact term = (exact)M[i * n + j] * X[j * n + k];
                sum += term;
                /* |L^T| |L| of the factors is not more than this */
                size += fabsl(term) + sqrtl((exact)M[i * n + i] * M[j * n + j]) * fabsl((exact)X[j * n + k]);
            }
            const exact off = terms ? 2 * TOLERANCE * c->eps * terms[i * n + k] : 0;
            if (fabsl(sum) <= 20 * n * (exact)DBL_EPSILON * size + off) continue;
            fprintf(stderr, "seed %llu: M %s + ... = %Lg at (%d, %d), terms %Lg\n", (unsigned long long)c->seed, what,
                    sum, i, k, size);
            return false;
        }
    }
    return true;
}

/* tau of the reference at the acceleration given is tau, judged in the same way. */
static bool moves_so(rtCase *c, const double *M, const double *a) {
    const int n = c->nv;
    ref_place(c->ref, c->q);
    ref_move(c->ref, c->v, a);
    ref_inverse(c->ref, c->fext, true, c->want);
    ref_error_scale(c->ref, c->v, a, c->fext, true, c->error_scale);
    for (int i = 0; i < n; i++) {
        exact size = c->error_scale->tau[i] + fabsl((exact)c->tau[i]);
        for (int j = 0; j < n; j++) size += sqrtl((exact)M[i * n + i] * M[j * n + j]) * fabsl((exact)a[j]);
        if (fabsl(c->want[i] - c->tau[i]) <= 20 * n * (exact)DBL_EPSILON * size) continue;
        fprintf(stderr, "seed %llu: tau(a)[%d] = %Lg instead of %g, terms %Lg\n", (unsigned long long)c->seed, i,
                c->want[i], c->tau[i], size);
        return false;
    }
    return true;
}

static bool consistent(rtCase *c) {
    Answers x = answers_take(c);
    const zvStatus status =
        zv_forward_derivatives(c->model, c->work, c->q, c->v, c->tau, c->fext, c->x, x.dq, x.dv, x.da);
    bool good = status == ZV_OK;
    zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->x, c->fext, x.dq_of_tau, x.dv_of_tau, x.M);
    scale_by_q(c, c->x, c->fext, c->S);
    good = good && moves_so(c, x.M, c->x) && solves(c, "dq", x.M, x.dq, x.dq_of_tau, c->S) &&
           solves(c, "dv", x.M, x.dv, x.dv_of_tau, NULL) && solves(c, "dtau", x.M, x.da, NULL, NULL);
    free(x.dq);
    return good;
}

static void inverse_of_inverse(void **state) {
    (void)state;
    assert_true(rt_each(SEED, CASES, DEEPEST, NULL, consistent));
}

/* Differences of the library's own forward dynamics, four points: truncation h^4, rounding eps / h, both 1e-10 or so of
 * the largest entry, times the condition of M. */
static bool tends(rtCase *c) {
    enum { POINTS = 4 };
    const double h = 1e-3, at[POINTS] = {-2, -1, 1, 2}, weight[POINTS] = {1, -8, 8, -1};
    const int n = c->nv;
    double *q = malloc(((size_t)c->nq + 1) * sizeof *q);
    Answers x = answers_take(c);
    bool good = zv_forward_derivatives(c->model, c->work, c->q, c->v, c->tau, c->fext, NULL, x.dq, x.dv, x.da) == ZV_OK;
    zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, c->fext, c->y);
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(c->y[i]));
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fmax(fabs(x.dq[i]), fabs(x.dv[i])));
    for (int k = 0; k < n && good; k++) {
        double *by_q = x.M, *by_v = c->B;
        for (int i = 0; i < n; i++) by_q[i] = by_v[i] = c->x[i] = 0;
        for (int p = 0; p < POINTS; p++) {
            c->x[k] = at[p] * h;
            zv_position_add(c->model, c->q, c->x, q);
            zv_forward_dynamics(c->model, c->work, q, c->v, c->tau, c->fext, c->y);
            for (int i = 0; i < n; i++) by_q[i] += weight[p] * c->y[i] / (12 * h);
            const double v = c->v[k];
            c->v[k] += at[p] * h;
            zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, c->fext, c->y);
            for (int i = 0; i < n; i++) by_v[i] += weight[p] * c->y[i] / (12 * h);
            c->v[k] = v;
        }
        c->x[k] = 0;
        for (int i = 0; i < n && good; i++) {
            good =
                fabs(by_q[i] - x.dq[i * n + k]) <= 1e-6 * largest && fabs(by_v[i] - x.dv[i * n + k]) <= 1e-6 * largest;
            if (!good)
                fprintf(stderr, "seed %llu: column %d row %d: dq %g, differences %g; dv %g, %g; largest %g\n",
                        (unsigned long long)c->seed, k, i, x.dq[i * n + k], by_q[i], x.dv[i * n + k], by_v[i], largest);
        }
    }
    free(q);
    free(x.dq);
    return good;
}

/* Tame trees with inertia in every link; splines are not smooth enough for differences. */
static void make_tame(int index, rtOptions *options) {
    options->wild = options->massless = false;
    options->curves = RT_LINE | RT_CIRCLE;
    options->joints = 1 + index % 6;
}

static void limit_of_differences(void **state) {
    (void)state;
    assert_true(rt_each(SEED + 5000, 60, 6, make_tame, tends));
}

TESTS(inverse_of_inverse, limit_of_differences)
