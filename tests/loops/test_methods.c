/* The table of methods for closed loops: rows that can be shown to people, and methods that agree on random mechanisms
 * of all kinds, redundant ones included. They share nothing but the tree: sweeps with multipliers against matrices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "along.h"
#include "five_bar.h"
#include "four_bar.h"
#include "support/run_tests.h"

static const uint64_t SEED = 20261211;

static void table(void **state) {
    (void)state;
    size_t count, again;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    assert_true(count >= 2);
    assert_string_equal(rows[0].name, "multipliers");
    assert_string_equal(rows[1].name, "partition");
    assert_ptr_equal(zv_closed_methods(&again), rows);
    assert_int_equal(again, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(rows[i].name[0] && !strpbrk(rows[i].name, " \t,"));
        assert_true(strncmp(rows[i].cost, "O(", 2) == 0 && rows[i].source[0]);
        assert_non_null((void *)(uintptr_t)rows[i].run);
    }
}

/* How steeply dependent velocities follow, and how unequal inertia is: the digits that a comparison may lose. */
static double condition(const rcCase *c) {
    zvReduction *r = zv_reduction_create(c->model, NULL);
    assert_non_null(r);
    zv_reduce(c->model, c->work, r, c->q, NULL, NULL);
    const int n = zv_reduction_freedoms(r);
    double steep = 1;
    exact *D = lin_numbers(n * n + 1);
    for (int i = 0; i < n * n; i++) D[i] = zv_reduction_D(r)[i];
    for (int i = 0; i < n; i++) { /* scaled to unit diagonal */
        for (int j = 0; j < n; j++)
            D[i * n + j] /= sqrtl(zv_reduction_D(r)[i * n + i]) * sqrtl(zv_reduction_D(r)[j * n + j]);
    }
    for (int i = 0; i < c->nv * n; i++) steep = fmax(steep, fabs(zv_reduction_P(r)[i]));
    const double inertia = n > 0 ? (double)lin_condition(n, D) : 1;
    free(D);
    zv_reduction_destroy(r);
    return steep * steep * inertia;
}

static double largest(int n, const double *x) {
    double most = 1;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Multipliers that are unique are the same; others do the same. */
static bool same_forces(const rcCase *c, bool unique, const double *mu, const double *lambda, double tolerance) {
    double *got = numbers(c->nv), *want = numbers(c->nv);
    zv_loop_forces(c->model, c->work, c->q, mu, got);
    zv_loop_forces(c->model, c->work, c->q, lambda, want);
    const bool good = near(c, "G^T lambda", c->nv, got, want, tolerance * largest(c->nv, want)) &&
                      (!unique || near(c, "lambda", c->rows, mu, lambda, tolerance * largest(c->rows, lambda)));
    free(got);
    free(want);
    return good;
}

static int compared, redundant;

static bool agree(const rcCase *c, bool smooth) {
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    const zvClosing closing = {.feedback = 3};
    double *rest = numbers(c->rows), *v = numbers(c->nv), *a = numbers(c->nv), *lambda = numbers(c->rows);
    double *b = numbers(c->nv), *mu = numbers(c->rows);
    bool good = true;
    (void)smooth;
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    rc_fit_velocity(c, rest, v);
    const double loss = condition(c), tolerance = 1e4 * DBL_EPSILON * loss;
    const zvStatus first = rows[0].run(c->model, c->work, &closing, c->q, v, c->tau, c->fext, a, lambda);
    for (size_t i = 1; i < count && good && loss < 1e6; i++) {
        const zvStatus status = rows[i].run(c->model, c->work, &closing, c->q, v, c->tau, c->fext, b, mu);
        if (first < 0 || status < 0) continue;
        if (status != first) fprintf(stderr, "seed %llu: %d, not %d\n", (unsigned long long)c->seed, status, first);
        compared++;
        redundant += status == ZV_DEGRADED;
        good = status == first && near(c, "a", c->nv, b, a, tolerance * largest(c->nv, a)) &&
               same_forces(c, status == ZV_OK, mu, lambda, 100 * tolerance);
    }
    free(rest);
    free(v);
    free(a);
    free(lambda);
    free(b);
    free(mu);
    return good;
}

static void random_mechanisms(void **state) {
    (void)state;
    assert_true(each_kind(SEED, 12, RT_ALL_CURVES, agree));
    assert_true(compared > 90 && redundant > 5);
}

/* Rows of rank two among up to six; forces and accelerations as published. */
static void five_bars(void **state) {
    (void)state;
    static const zvJointType types[] = {ZV_JOINT_SPHERICAL, ZV_JOINT_REVOLUTE, ZV_JOINT_CYLINDRICAL};
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    for (size_t i = 0; i < 3 * count; i++) {
        zvModel *m = five_bar(&general, types[i / count]);
        zvWork *work = zv_work_create(m, NULL);
        for (size_t k = 0; k < sizeof general_rows / sizeof *general_rows; k++) {
            const FiveBarRow *row = &general_rows[k];
            double q[4], v[4], want[4], a[4], lambda[6], F[2], tau[4] = {row->tau[0], 0, row->tau[1], 0};
            five_bar_relative(row->q, q);
            five_bar_relative(row->qd, v);
            five_bar_relative(row->qdd, want);
            const zvStatus status = rows[i % count].run(m, work, NULL, q, v, tau, NULL, a, lambda);
            five_bar_force(row, lambda, F);
            if (status != ZV_DEGRADED) fail_msg("%s: %s", rows[i % count].name, zv_status_name(status));
            for (int j = 0; j < 4; j++) {
                if (!(fabs(a[j] - want[j]) <= 1e-9)) fail_msg("%s: %.15g", rows[i % count].name, a[j] - want[j]);
            }
            for (int j = 0; j < 2; j++) {
                if (!(fabs(F[j] - row->F[j]) <= 1e-9)) fail_msg("%s: %.15g", rows[i % count].name, F[j] - row->F[j]);
            }
        }
        zv_work_destroy(work);
        zv_model_destroy(m);
    }
}

/* Methods agree on robots of any size. */
static void sizes(void **state) {
    (void)state;
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    for (double s = 1e-9; s < 1e4; s *= 10) {
        FourBar x = four_bar(s, true);
        const double m = s * s * s * s, tau[3] = {0.2 * m, -0.1 * m, 0.3 * m};
        double a[3], b[3], lambda[5], mu[5];
        assert_int_equal(rows[0].run(x.model, x.work, NULL, x.q, x.v, tau, NULL, a, lambda), ZV_DEGRADED);
        assert_int_equal(rows[1].run(x.model, x.work, NULL, x.q, x.v, tau, NULL, b, mu), ZV_DEGRADED);
        for (int i = 0; i < 3; i++) assert_true(fabs(a[i] - b[i]) <= 1e-10 * largest(3, a));
        for (int i = 0; i < 5; i++) /* forces, then moments */
            assert_true(fabs(lambda[i] - mu[i]) <= 1e-9 * largest(3, a) * (i < 3 ? m / s : m));
        four_bar_end(&x);
    }
}

TESTS(table, five_bars, random_mechanisms, sizes)
