/* Drive forces with loops: published ones, those that give the motion back in forward dynamics, least norm, drives that
 * are too few, motions that contradict the loops. */
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

static const uint64_t SEED = 20261301;

static void five_bars(void **state) {
    (void)state;
    static const zvJointType types[] = {ZV_JOINT_SPHERICAL, ZV_JOINT_REVOLUTE, ZV_JOINT_CYLINDRICAL};
    const unsigned char cranks[4] = {1, 0, 1, 0}, one[4] = {1, 0, 0, 0};
    for (int t = 0; t < 3; t++) {
        zvModel *m = five_bar(&general, types[t]);
        zvWork *work = zv_work_create(m, NULL);
        for (size_t k = 0; k < sizeof inverse_rows / sizeof *inverse_rows; k++) {
            const FiveBarRow *row = &inverse_rows[k];
            double q[4], v[4], a[4], tau[4], less[4], lambda[6], F[2], left = -1;
            five_bar_relative(row->q, q);
            five_bar_relative(row->qd, v);
            five_bar_relative(row->qdd, a);
            assert_int_equal(zv_closed_inverse_dynamics(m, work, q, v, a, NULL, cranks, tau, lambda, &left),
                             ZV_DEGRADED); /* spatial rows */
            assert_true(left == 0 && tau[ELBOW4] == 0 && tau[ELBOW3] == 0);
            five_bar_force(row, lambda, F);
            for (int i = 0; i < 2; i++) {
                assert_true(fabs(tau[2 * i] - row->tau[i]) <= 1e-10);
                assert_true(fabs(F[i] - row->F[i]) <= 1e-10);
            }
            /* more drives share the load; one drive cannot do it */
            zv_closed_inverse_dynamics(m, work, q, v, a, NULL, NULL, less, lambda, &left);
            double with = 0, without = 0;
            for (int i = 0; i < 4; i++) with += less[i] * less[i], without += tau[i] * tau[i];
            assert_true(left == 0 && with < without);
            assert_int_equal(zv_closed_inverse_dynamics(m, work, q, v, a, NULL, one, less, NULL, &left), ZV_DEGRADED);
            assert_true(left > 0.1 && less[1] == 0 && less[2] == 0 && less[3] == 0);
            a[ELBOW3] += 1e-3;
            assert_int_equal(zv_closed_inverse_dynamics(m, work, q, v, a, NULL, NULL, less, NULL, NULL), ZV_CLOSURE);
        }
        zv_work_destroy(work);
        zv_model_destroy(m);
    }
}

/* a from drive forces; then the least forces that give a again: tau - tau' lies among the loops' forces, and tau' is
 * across them: G tau' = 0. */
static bool returns(const rcCase *c, bool smooth) {
    double *rest = numbers(c->rows), *v = numbers(c->nv), *a = numbers(c->nv), *again = numbers(c->nv);
    double *tau = numbers(c->nv), *lambda = numbers(c->rows), *G = numbers(c->rows * c->nv), *forces = numbers(c->nv);
    double *need = numbers(c->nv), size = 1, steep = 1, left = -1;
    bool good = true;
    (void)smooth;
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    rc_fit_velocity(c, rest, v);
    if (zv_closed_forward_dynamics(c->model, c->work, NULL, c->q, v, c->tau, c->fext, a, NULL) == ZV_OK) {
        const zvStatus status =
            zv_closed_inverse_dynamics(c->model, c->work, c->q, v, a, c->fext, NULL, tau, lambda, &left);
        if (status != ZV_OK || left != 0)
            fail_msg("seed %llu: %s, left %g", (unsigned long long)c->seed, zv_status_name(status), left);
        zv_loop_jacobian(c->model, c->work, c->q, G);
        zv_loop_forces(c->model, c->work, c->q, lambda, forces);
        zv_inverse_dynamics(c->model, c->work, c->q, v, a, c->fext, need);
        for (int i = 0; i < c->nv; i++) {
            forces[i] += tau[i];
            size = fmax(size, fmax(fabs(need[i]), fabs(forces[i] - tau[i])));
        }
        for (int i = 0; i < c->rows * c->nv; i++) steep = fmax(steep, fabs(G[i]));
        good = near(c, "tau + G^T lambda", c->nv, forces, need, 1e-12 * steep * size * c->nv);
        for (int i = 0; i < c->rows && good; i++) {
            double sum = 0, zero = 0;
            for (int j = 0; j < c->nv; j++) sum += G[i * c->nv + j] * tau[j];
            good = near(c, "G tau", 1, &sum, &zero, 1e-12 * steep * steep * size * c->nv);
        }
    }
    free(rest);
    free(v);
    free(a);
    free(again);
    free(tau);
    free(lambda);
    free(G);
    free(forces);
    free(need);
    return good;
}

static void least_forces(void **state) {
    (void)state;
    assert_true(each_kind(SEED, 12, RT_ALL_CURVES, returns));
}

static int driven;

/* Drives at random places: what they give must move the mechanism as asked, when they can give it. */
static bool holds_with_few_drives(const rcCase *c, bool smooth) {
    double *rest = numbers(c->rows), *v = numbers(c->nv), *a = numbers(c->nv), *again = numbers(c->nv);
    double *tau = numbers(c->nv), left = -1, most = 1;
    unsigned char *drives = calloc((size_t)c->nv + 1, 1);
    rtRandom random = {c->seed ^ 3};
    bool good = true;
    (void)smooth;
    for (int i = 0; i < c->nv; i++) drives[i] = rt_chance(&random, 0.85);
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    rc_fit_velocity(c, rest, v);
    if (zv_closed_forward_dynamics(c->model, c->work, NULL, c->q, v, c->tau, c->fext, a, NULL) == ZV_OK) {
        const zvStatus status =
            zv_closed_inverse_dynamics(c->model, c->work, c->q, v, a, c->fext, drives, tau, NULL, &left);
        assert_true(status == ZV_OK || status == ZV_DEGRADED);
        for (int i = 0; i < c->nv; i++) assert_true(drives[i] || tau[i] == 0);
        if (status == ZV_OK) {
            zv_closed_forward_dynamics(c->model, c->work, NULL, c->q, v, tau, c->fext, again, NULL);
            for (int i = 0; i < c->nv; i++) most = fmax(most, fabs(a[i]));
            good = near(c, "a", c->nv, again, a, 1e-6 * most);
            driven++;
        } else {
            assert_true(left > 0);
        }
    }
    free(rest);
    free(v);
    free(a);
    free(again);
    free(tau);
    free(drives);
    return good;
}

static void few_drives(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 1, 12, RT_ALL_CURVES, holds_with_few_drives));
    assert_true(driven > 5);
}

/* Drive forces of a small mechanism are those of a large one, wherever it points; what is no number is refused. */
static void sizes(void **state) {
    (void)state;
    FourBar one = four_bar(1, false);
    const double drives[3] = {0.2, -0.1, 0.3};
    const unsigned char crank[3] = {1, 0, 0};
    double a[3], want[3], alone[3], tau[3], left;
    zv_closed_forward_dynamics(one.model, one.work, NULL, one.q, one.v, drives, NULL, a, NULL);
    assert_true(zv_closed_inverse_dynamics(one.model, one.work, one.q, one.v, a, NULL, NULL, want, NULL, NULL) >= 0);
    assert_true(zv_closed_inverse_dynamics(one.model, one.work, one.q, one.v, a, NULL, crank, alone, NULL, NULL) >= 0);
    for (double s = 1e-9; s < 1e4; s *= 10) {
        FourBar x = four_bar(s, true);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(
                zv_closed_inverse_dynamics(x.model, x.work, one.q, one.v, a, NULL, k ? crank : NULL, tau, NULL, &left),
                ZV_DEGRADED); /* spatial rows */
            assert_true(left == 0);
            for (int i = 0; i < 3; i++) assert_true(fabs(tau[i] / (s * s * s * s) - (k ? alone : want)[i]) <= 1e-11);
        }
        const double off[3] = {a[0], a[1] + 1e-3, a[2]}, none[3] = {a[0], NAN, a[2]};
        assert_int_equal(zv_closed_inverse_dynamics(x.model, x.work, one.q, one.v, off, NULL, NULL, tau, NULL, NULL),
                         ZV_CLOSURE);
        assert_int_equal(zv_closed_inverse_dynamics(x.model, x.work, one.q, one.v, none, NULL, NULL, tau, NULL, NULL),
                         ZV_NUMBER);
        four_bar_end(&x);
    }
    four_bar_end(&one);
}

TESTS(five_bars, least_forces, few_drives, sizes)
