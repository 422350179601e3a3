/* Every row of every table on trees with elastic links.
 *   dense    against sums over point masses (support/elastic_reference.h), which share nothing with the library
 *   bent     beams of all shapes with twist, shortening and inertia of sections, and modal data, carried by every type
 * of joint: against composite bodies and Newton-Euler, with external forces; answers in the place of v or a Entries of
 * M are measured by sqrt(M_ii M_jj), forces by the sizes of their terms, accelerations by |M^-1| times those:
 * tolerances are multiples of eps of that, and of the bodies on the longest path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/tree.h"
#include "support/elastic_case.h"
#include "support/elastic_reference.h"
#include "support/linear.h"
#include "support/run_tests.h"

#if defined(__SANITIZE_ADDRESS__)
enum { TREES = 60 }; /* many times slower, and enough to go everywhere */
#else
enum { TREES = 1000 };
#endif

/* The worst of all trees below are 23 and 73 against point masses, where the sums over a link's points are made in
 * another order, and 9 and 6 between rows. */
enum { MASS_ULPS = 64, FORCE_ULPS = 160, BETWEEN_ULPS = 32 };

static double worst_mass, worst_force, worst_acceleration;
static long long rows_compared;

/* |got - want| <= ulps eps scale; tells seed, row and index when not, NaN being far; *most keeps the largest. */
typedef struct Judge {
    uint64_t seed;
    const char *question, *row;
    double eps, ulps, *most;
} Judge;

static bool near(const Judge *j, int index, exact got, exact want, exact scale) {
    const exact error = fabsl(got - want), unit = j->eps * scale;
    if (unit > 0) *j->most = fmax(*j->most, (double)(error / unit));
    if (error <= j->ulps * unit) return true;
    fprintf(stderr, "seed %llu: %s by %s, entry %d: %.17Lg instead of %.17Lg, %.3Lg ulps of %.3Lg\n",
            (unsigned long long)j->seed, j->question, j->row, index, got, want, error / unit, scale);
    return false;
}

static double eps_of(const zvModel *m) { return DBL_EPSILON * m->tree.max_depth; }

/* Point masses ------------------------------------------------------------------------------------------------------
 */

typedef struct Dense {
    uint64_t seed;
    erTree tree;
    zvWork *work;
    int n;
    double q[ER_DOFS], v[ER_DOFS], a[ER_DOFS], tau[ER_DOFS];
    exact *M, *inverse, *bias, *bias_size, *push, *push_size; /* forces at a = 0, and with a */
} Dense;

static void dense_open(Dense *d, uint64_t seed, int links, int modes) {
    rtRandom random = {seed ^ 0x5eed};
    d->seed = seed;
    er_tree_make(seed, links, modes, &d->tree);
    d->n = d->tree.nv;
    d->work = zv_work_create(d->tree.model, NULL);
    assert_non_null(d->work);
    er_state(&d->tree, &random, d->q, d->v);
    rt_vector(&random, 3, d->n, d->a);
    rt_vector(&random, 20, d->n, d->tau);
    exact **matrices[] = {&d->M, &d->inverse}, **vectors[] = {&d->bias, &d->bias_size, &d->push, &d->push_size};
    for (int i = 0; i < 2; i++) *matrices[i] = lin_numbers(d->n * d->n);
    for (int i = 0; i < 4; i++) *vectors[i] = lin_numbers(d->n);
    exact *a = lin_numbers(d->n);
    er_mass(&d->tree, d->q, d->M);
    er_inverse(&d->tree, d->q, d->v, a, d->bias, d->bias_size);
    for (int i = 0; i < d->n; i++) a[i] = d->a[i];
    er_inverse(&d->tree, d->q, d->v, a, d->push, d->push_size);
    free(a);
}

static void dense_close(Dense *d) {
    exact *arrays[] = {d->M, d->inverse, d->bias, d->bias_size, d->push, d->push_size};
    for (size_t i = 0; i < 6; i++) free(arrays[i]);
    zv_work_destroy(d->work);
    er_tree_free(&d->tree);
}

static exact gauge(const Dense *d, int i, int j) { return sqrtl(d->M[i * (d->n + 1)] * d->M[j * (d->n + 1)]); }

static bool dense_mass(const Dense *d, const Judge *judge, const double *M) {
    for (int i = 0; i < d->n * d->n; i++)
        if (!near(judge, i, M[i], d->M[i], gauge(d, i / d->n, i % d->n))) return false;
    return true;
}

static bool dense_forces(const Dense *d, const Judge *judge, const double *tau, const exact *want, const exact *size) {
    for (int i = 0; i < d->n; i++)
        if (!near(judge, i, tau[i], want[i], size[i])) return false;
    return true;
}

/* M a = tau - bias: errors of M and of the bias move a by |M^-1| times what they make of it. */
static bool dense_forward(const Dense *d, const Judge *judge, const double *a) {
    const int n = d->n;
    exact *rest = lin_numbers(n), *want = lin_numbers(n), *size = lin_numbers(n);
    bool good = true;
    for (int i = 0; i < n; i++) rest[i] = d->tau[i] - d->bias[i];
    lin_times(n, d->inverse, rest, want);
    for (int i = 0; i < n; i++) {
        size[i] = d->bias_size[i] + fabs(d->tau[i]);
        for (int j = 0; j < n; j++) size[i] += gauge(d, i, j) * fabsl(want[j]);
    }
    for (int i = 0; i < n && good; i++) {
        exact scale = 0;
        for (int j = 0; j < n; j++) scale += fabsl(d->inverse[i * n + j]) * size[j];
        good = near(judge, i, a[i], want[i], scale);
    }
    free(rest);
    free(want);
    free(size);
    return good;
}

/* Errors of M move M^-1 by |M^-1| times those times |M^-1|. */
static bool dense_inverse_mass(const Dense *d, const Judge *judge, const double *X) {
    const int n = d->n;
    exact *left = lin_numbers(n);
    bool good = true;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) left[i] += fabsl(d->inverse[i * n + k]) * sqrtl(d->M[k * (n + 1)]);
    for (int i = 0; i < n * n && good; i++) good = near(judge, i, X[i], d->inverse[i], left[i / n] * left[i % n]);
    free(left);
    return good;
}

static bool dense_row(const Dense *d, zvQuestion question, const zvMethod *row, double *answer) {
    const double *x = question == ZV_QUESTION_FORWARD ? d->tau : d->a;
    Judge judge = {d->seed, zv_question_name(question), row->name, eps_of(d->tree.model), FORCE_ULPS, &worst_force};
    const zvStatus status = row->run(d->tree.model, d->work, d->q, d->v, x, NULL, answer);
    if (!near(&judge, -1, status, ZV_OK, 0)) return false;
    rows_compared++;
    switch (question) {
    case ZV_QUESTION_MASS: return judge.ulps = MASS_ULPS, judge.most = &worst_mass, dense_mass(d, &judge, answer);
    case ZV_QUESTION_BIAS: return dense_forces(d, &judge, answer, d->bias, d->bias_size);
    case ZV_QUESTION_INVERSE: return dense_forces(d, &judge, answer, d->push, d->push_size);
    case ZV_QUESTION_FORWARD: return judge.most = &worst_acceleration, dense_forward(d, &judge, answer);
    default: return judge.most = &worst_acceleration, dense_inverse_mass(d, &judge, answer);
    }
}

static bool dense_tree(const Dense *d) {
    double *answer = malloc(((size_t)(d->n * d->n) + 1) * sizeof *answer);
    bool good = answer && lin_inverse(d->n, d->M, d->inverse);
    for (int question = 0; question < ZV_QUESTIONS && good; question++) {
        size_t count;
        const zvMethod *rows = zv_methods((zvQuestion)question, &count);
        for (size_t i = 0; i < count && good; i++)
            if (zv_domain_holds(rows[i].domain, d->tree.model))
                good = dense_row(d, (zvQuestion)question, &rows[i], answer);
    }
    free(answer);
    return good;
}

static void dense(void **state) {
    (void)state;
    worst_mass = worst_force = worst_acceleration = 0;
    rows_compared = 0;
    for (int i = 0; i < TREES; i++) {
        Dense d;
        dense_open(&d, 51000 + (uint64_t)i, 1 + i % ER_LINKS, 1 + i % 3);
        const bool good = d.n == 0 || dense_tree(&d);
        dense_close(&d);
        assert_true(good);
    }
    print_message("%lld rows: M %.2f, forces %.2f, accelerations %.2f depth eps off\n", rows_compared, worst_mass,
                  worst_force, worst_acceleration);
    assert_true(rows_compared > 15 * TREES);
}

/* Beams and modal data ----------------------------------------------------------------------------------------------
 */

static Judge judge_of(const ecCase *c, zvQuestion question, const zvMethod *row, double ulps, double *most) {
    return (Judge){c->seed, zv_question_name(question), row->name, eps_of(c->model), ulps, most};
}

static bool mass_rows(ecCase *c) {
    const int n = c->nv;
    size_t count;
    const zvMethod *rows = zv_methods(ZV_QUESTION_MASS, &count);
    zv_method_named(ZV_QUESTION_MASS, "composite")->run(c->model, c->work, c->q, NULL, NULL, NULL, c->A);
    for (size_t k = 0; k < count; k++) {
        if (!zv_domain_holds(rows[k].domain, c->model)) continue;
        const Judge judge = judge_of(c, ZV_QUESTION_MASS, &rows[k], BETWEEN_ULPS, &worst_mass);
        for (int i = 0; i < n * n; i++) c->B[i] = NAN;
        if (rows[k].run(c->model, c->work, c->q, NULL, NULL, NULL, c->B) != ZV_OK) return false;
        rows_compared++;
        for (int i = 0; i < n * n; i++) {
            const double scale = sqrt(c->A[i / n * (n + 1)] * c->A[i % n * (n + 1)]);
            if (!near(&judge, i, c->B[i], c->A[i], scale)) return false;
        }
    }
    return true;
}

/* What the terms of force i are bounded by: M in c->A, forces at rest with and without their elastic part. */
static double force_scale(const ecCase *c, int i, const double *a, const double *rest, const double *elastic) {
    double scale = fabs(rest[i]) + fabs(elastic[i]);
    for (int j = 0; j < c->nv; j++)
        scale +=
            sqrt(c->A[i * (c->nv + 1)] * c->A[j * (c->nv + 1)]) * ((a ? fabs(a[j]) : 0) + c->quick * fabs(c->v[j]));
    return scale;
}

/* All rows of bias or inverse dynamics at the case's state, or at rest, against newton-euler; then over v and a. */
static bool force_rows(ecCase *c, zvQuestion question, bool moving) {
    const int n = c->nv;
    const size_t bytes = (size_t)n * sizeof(double);
    const bool loaded = question == ZV_QUESTION_INVERSE && moving;
    const double *v = moving ? c->v : NULL, *a = loaded ? c->a : NULL, *fext = loaded ? c->fext : NULL;
    double *want = calloc(3 * (size_t)n + 1, sizeof *want), *rest = want + n, *elastic = rest + n;
    size_t count;
    const zvMethod *rows = zv_methods(question, &count);
    bool good =
        want && zv_method_named(question, "newton-euler")->run(c->model, c->work, c->q, v, a, fext, want) == ZV_OK;
    zv_inverse_dynamics(c->model, c->work, c->q, NULL, NULL, fext, rest);
    zv_elastic_force(c->model, c->q, v, elastic);
    for (size_t k = 0; k < count && good; k++) {
        if (zv_domain_obstacle(rows[k].domain, c->model, loaded)) continue;
        const Judge judge = judge_of(c, question, &rows[k], BETWEEN_ULPS, &worst_force);
        good = rows[k].run(c->model, c->work, c->q, v, a, fext, c->x) == ZV_OK;
        rows_compared++;
        for (int i = 0; i < n && good; i++)
            good = near(&judge, i, c->x[i], want[i], force_scale(c, i, a, rest, elastic));
        if (v && n) memcpy(c->y, v, bytes);
        good = good && (!v || rows[k].run(c->model, c->work, c->q, c->y, a, fext, c->y) == ZV_OK);
        good = good && (!v || !n || memcmp(c->x, c->y, bytes) == 0);
        if (a && n) memcpy(c->y, a, bytes);
        good = good && (!a || rows[k].run(c->model, c->work, c->q, v, c->y, fext, c->y) == ZV_OK);
        good = good && (!a || !n || memcmp(c->x, c->y, bytes) == 0);
        if (!good) fprintf(stderr, "seed %llu: %s by %s\n", (unsigned long long)c->seed, judge.question, judge.row);
    }
    free(want);
    return good;
}

static bool bent_rows(ecCase *c) {
    return mass_rows(c) && force_rows(c, ZV_QUESTION_BIAS, true) && force_rows(c, ZV_QUESTION_BIAS, false) &&
           force_rows(c, ZV_QUESTION_INVERSE, true) && force_rows(c, ZV_QUESTION_INVERSE, false);
}

static void bent(void **state) {
    (void)state;
    worst_mass = worst_force = 0;
    rows_compared = 0;
    assert_true(ec_each(52000, TREES, RT_ALL_TYPES, bent_rows));
    print_message("%lld rows: M %.2f, forces %.2f depth eps off\n", rows_compared, worst_mass, worst_force);
    assert_true(rows_compared > 15 * TREES);
}

TESTS(dense, bent)
