/* The terms of the equations of motion of elastic trees against each other and against the kinetic energy, which the
 * kinematics reckons link by link on its own:
 *   mass matrix        composite bodies = columns of Newton-Euler = second differences of the energy in v
 *   Coriolis matrix    C v = bias - gravity - elastic force, and C + C^T = dM/dt by differences along the motion
 *   inverse            M M^-1 = 1, and accelerations by every method of forward dynamics give back their forces
 * Sums of some hundred products of numbers that cancel little: a hundred ulps of the largest of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support/elastic_case.h"
#include "support/run_tests.h"

static const double tight = 200 * DBL_EPSILON;

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* sqrt(M_ii M_jj): what an entry of M is measured by. */
static double gauge(const ecCase *c, const double *M, int i, int j) {
    return sqrt(M[i * (c->nv + 1)] * M[j * (c->nv + 1)]);
}

static double kinetic(ecCase *c, const double *v) {
    double T, V;
    zv_energy(c->model, c->work, c->q, v, &T, &V);
    return T;
}

/* T is quadratic in v: T(e_i + e_j) - T(e_i) - T(e_j) = M_ij. */
static bool mass_is_that_of_the_energy(ecCase *c) {
    const int n = c->nv;
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    for (int i = 0; i < n; i++) c->x[i] = 0;
    for (int i = 0; i < n; i++) {
        c->x[i] = 1;
        const double Ti = kinetic(c, c->x);
        for (int j = 0; j <= i; j++) {
            c->x[i] = 0;
            c->x[j] = 1;
            const double Tj = kinetic(c, c->x);
            c->x[i] += 1;
            const double both = kinetic(c, c->x), M = i == j ? both / 2 : both - Ti - Tj;
            c->x[j] = 0;
            c->x[i] = 1;
            const double scale = Ti + Tj + gauge(c, c->A, i, j);
            if (!ec_near(c, "M", i * n + j, c->A[i * n + j], M, tight * scale)) return false;
            if (c->A[i * n + j] != c->A[j * n + i]) return ec_near(c, "M^T", i * n + j, c->A[i * n + j], M, -1);
        }
        c->x[i] = 0;
    }
    return true;
}

static bool methods_agree(ecCase *c) {
    size_t count;
    const zvMethod *method = zv_methods(ZV_QUESTION_MASS, &count);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    for (size_t k = 0; k < count; k++) {
        const bool defined = zv_domain_holds(method[k].domain, c->model);
        if (method[k].run(c->model, c->work, c->q, NULL, NULL, NULL, c->B) != (defined ? ZV_OK : ZV_NOT_SUPPORTED))
            return false;
        if (!defined) continue;
        for (int i = 0; i < c->nv; i++) {
            for (int j = 0; j < c->nv; j++) {
                const int at = i * c->nv + j;
                if (!ec_near(c, method[k].name, at, c->B[at], c->A[at], tight * gauge(c, c->A, i, j))) return false;
            }
        }
    }
    return true;
}

/* A quarter of the deformation: the energy is cut after its second order, and M with it need not be positive far out.
 */
static void straighten(ecCase *c) {
    for (int l = 0; l < c->nlink; l++) {
        const zvElasticPlace place = zv_model_elastic_place(c->model, l);
        for (int k = 0; k < place.count; k++) c->q[place.q_index + k] *= 0.25;
    }
}

/* ||M M^-1 - 1|| <= n eps cond: both factors scaled by the diagonal of M. */
static bool inverse_inverts(ecCase *c) {
    const int n = c->nv;
    straighten(c);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    const zvStatus status = zv_mass_inverse(c->model, c->work, c->q, c->B);
    if (!ec_near(c, "status of M^-1", 0, status, ZV_OK, 0)) return false;
    double most = 0;
    for (int i = 0; i < n * n; i++) most = fmax(most, fabs(c->B[i]) * gauge(c, c->A, i / n, i % n));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += c->A[i * n + k] * c->B[k * n + j];
            const double scale = sqrt(c->A[i * (n + 1)] / c->A[j * (n + 1)]);
            if (!ec_near(c, "M M^-1", i * n + j, sum, i == j, 10 * n * DBL_EPSILON * n * most * scale)) return false;
        }
    }
    return true;
}

/* Accelerations by every method, put back into the inverse dynamics: the residual is n roundings of its terms, whatever
 * the condition. */
static bool forward_inverts(ecCase *c) {
    const int n = c->nv;
    size_t count;
    const zvMethod *method = zv_methods(ZV_QUESTION_FORWARD, &count);
    straighten(c);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    rt_vector(&c->random, 10, n, c->a);
    for (size_t k = 0; k < count; k++) {
        const bool defined = !zv_domain_obstacle(method[k].domain, c->model, c->fext != NULL);
        const zvStatus status = method[k].run(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
        if (status != (defined ? ZV_OK : ZV_NOT_SUPPORTED)) return false;
        if (!defined) continue;
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->x, c->fext, c->y);
        zv_bias(c->model, c->work, c->q, c->v, c->B);
        for (int i = 0; i < n; i++) {
            double scale = fabs(c->a[i]) + fabs(c->B[i]);
            for (int j = 0; j < n; j++) scale += gauge(c, c->A, i, j) * (fabs(c->x[j]) + c->quick * fabs(c->v[j]));
            if (!ec_near(c, method[k].name, i, c->y[i], c->a[i], n * tight * scale)) return false;
        }
    }
    return true;
}

/* C is linear in v; row i of it is measured by what v makes of the entries of M. */
static bool coriolis_makes_the_bias(ecCase *c) {
    const int n = c->nv;
    double *g = calloc((size_t)n + 1, sizeof *g), *k = calloc((size_t)n + 1, sizeof *k);
    bool good = g && k;
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    zv_coriolis_matrix(c->model, c->work, c->q, c->v, c->B);
    zv_bias(c->model, c->work, c->q, c->v, c->x);
    zv_gravity_force(c->model, c->work, c->q, g);
    zv_elastic_force(c->model, c->q, c->v, k);
    for (int i = 0; i < n && good; i++) {
        double sum = 0, scale = fabs(g[i]) + fabs(k[i]) + fabs(c->x[i]);
        for (int j = 0; j < n; j++) {
            sum += c->B[i * n + j] * c->v[j];
            scale += fabs(c->B[i * n + j] * c->v[j]) + gauge(c, c->A, i, j) * fabs(c->v[j]) * c->quick;
        }
        good = ec_near(c, "C v", i, sum, c->x[i] - g[i] - k[i], tight * scale);
    }
    free(g);
    free(k);
    return good;
}

static void ask_mass(ecCase *c, const double *q, double *M) { zv_mass_matrix(c->model, c->work, q, M); }

/* Rounding of the differences is eps M / step; so much and the sums' own. */
static bool coriolis_is_half_the_rate(ecCase *c) {
    const int n = c->nv;
    double *rate = calloc((size_t)(n * n) + 1, sizeof *rate);
    bool good = rate != NULL;
    ec_rate(c, c->v, ask_mass, n * n, rate);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    zv_coriolis_matrix(c->model, c->work, c->q, c->v, c->B);
    for (int i = 0; i < n && good; i++) {
        for (int j = 0; j < n && good; j++) {
            const double both = c->B[i * n + j] + c->B[j * n + i], scale = gauge(c, c->A, i, j) / ec_step(c);
            good = ec_near(c, "C + C^T", i * n + j, both, rate[i * n + j], tight * scale);
        }
    }
    free(rate);
    return good;
}

/* Answers may take the place of the arguments. */
static bool answers_may_be_arguments(ecCase *c) {
    const int n = c->nv;
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
    for (int i = 0; i < n; i++) c->y[i] = c->v[i];
    zv_inverse_dynamics(c->model, c->work, c->q, c->y, c->a, c->fext, c->y);
    for (int i = 0; i < n; i++)
        if (!ec_near(c, "tau in v", i, c->y[i], c->x[i], 0)) return false;
    for (int i = 0; i < n; i++) c->y[i] = c->a[i];
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->y, c->fext, c->y);
    for (int i = 0; i < n; i++)
        if (!ec_near(c, "tau in a", i, c->y[i], c->x[i], 0)) return false;
    return largest(n, c->x) > 0 || n == 0;
}

static void masses(void **state) {
    (void)state;
    assert_true(ec_each(31000, 400, RT_ALL_TYPES, mass_is_that_of_the_energy));
    assert_true(ec_each(32000, 400, RT_ALL_TYPES, methods_agree));
    assert_true(ec_each(33000, 400, RT_ALL_TYPES, inverse_inverts));
    assert_true(ec_each(38000, 400, RT_ALL_TYPES, forward_inverts));
}

static void coriolis(void **state) {
    (void)state;
    assert_true(ec_each(34000, 400, RT_ALL_TYPES, coriolis_makes_the_bias));
    assert_true(ec_each(35000, 200, RT_ALL_TYPES, coriolis_is_half_the_rate));
}

static void aliasing(void **state) {
    (void)state;
    assert_true(ec_each(36000, 100, RT_ALL_TYPES, answers_may_be_arguments));
}

/* Longer than paths on which the inverse is made of factors: there it is made by sweeps. */
static void long_chains(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        rtOptions options = ec_options(0, RT_TYPE(REVOLUTE) | RT_TYPE(UNIVERSAL) | RT_TYPE(FIXED));
        ecCase c;
        options.joints = RT_MAX_JOINTS;
        options.shape = RT_CHAIN;
        assert_true(ec_open(&c, 37000 + (uint64_t)i, &options));
        assert_true(methods_agree(&c));
        assert_true(coriolis_makes_the_bias(&c));
        assert_true(inverse_inverts(&c));
        ec_close(&c);
    }
}

TESTS(masses, coriolis, aliasing, long_chains)
