/* Reduced equations: the five-bar's published form, and random mechanisms of all kinds against the definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "along.h"
#include "five_bar.h"
#include "four_bar.h"
#include "support/near.h"
#include "support/run_tests.h"

static const uint64_t SEED = 20261101;

/* --- five-bar ------------------------------------------------------------------------------------------------------
 */

static const unsigned char cranks[FIVE_BAR_NV] = {1, 0, 1, 0};

static void check_five_bar(const FiveBar *p, const FiveBarRow *rows, int count, zvJointType type) {
    zvModel *m = five_bar(p, type);
    zvWork *work = zv_work_create(m, NULL);
    zvReduction *r = zv_reduction_create(m, NULL);
    assert_non_null(r);
    for (int k = 0; k < count; k++) {
        double q[4], v[4], want[4], a[4], lambda[6], F[2], tau[4] = {rows[k].tau[0], 0, rows[k].tau[1], 0};
        five_bar_relative(rows[k].q, q);
        five_bar_relative(rows[k].qd, v);
        five_bar_relative(rows[k].qdd, want);
        assert_int_equal(zv_reduce(m, work, r, q, v, cranks), ZV_DEGRADED); /* spatial rows of a planar mechanism */
        assert_int_equal(zv_reduction_freedoms(r), 2);
        assert_int_equal(zv_reduction_independent(r)[0], MOTOR1);
        assert_int_equal(zv_reduction_independent(r)[1], MOTOR2);
        const double *D = zv_reduction_D(r), *C = zv_reduction_C(r), *G = zv_reduction_G(r);
        for (int i = 0; i < 4; i++) assert_near(D[i], rows[k].D[i], 1e-11);
        for (int i = 0; i < 2; i++)
            assert_near(C[2 * i] * rows[k].qd[0] + C[2 * i + 1] * rows[k].qd[1] + G[i], rows[k].bias[i], 1e-10);
        assert_int_equal(zv_reduction_forces(m, work, r, q, v, tau, a, lambda), ZV_DEGRADED);
        five_bar_force(&rows[k], lambda, F);
        /* states are those of an integration: closed to 1e-12, and D's least eigenvalue is 0.1 */
        for (int i = 0; i < 4; i++) assert_near(a[i], want[i], 1e-9);
        for (int i = 0; i < 2; i++) assert_near(F[i], rows[k].F[i], 1e-9);
        for (int i = 2; i < zv_model_nloop_rows(m); i++) assert_near(lambda[i], 0, 1e-11);
    }
    zv_reduction_destroy(r);
    zv_work_destroy(work);
    zv_model_destroy(m);
}

static void five_bars(void **state) {
    (void)state;
    static const zvJointType types[] = {ZV_JOINT_SPHERICAL, ZV_JOINT_REVOLUTE, ZV_JOINT_CYLINDRICAL};
    for (int i = 0; i < 3; i++) {
        check_five_bar(&general, general_rows, sizeof general_rows / sizeof *general_rows, types[i]);
        check_five_bar(&parallelogram, parallelogram_rows, sizeof parallelogram_rows / sizeof *parallelogram_rows,
                       types[i]);
    }
}

/* m3 l2 lc3 = m4 l1 lc4: constant diagonal inertia, no velocity forces. */
static void decoupled(void **state) {
    (void)state;
    FiveBar p = parallelogram;
    p.lc[3] = p.m[2] * p.l[1] * p.lc[2] / (p.m[3] * p.l[0]);
    zvModel *m = five_bar(&p, ZV_JOINT_REVOLUTE);
    zvWork *work = zv_work_create(m, NULL);
    zvReduction *r = zv_reduction_create(m, NULL);
    for (int k = 0; k < 5; k++) {
        double q[4], v[4], at[4] = {0.4 + 0.2 * k, 1.7 - 0.1 * k, 0.4 + 0.2 * k, 1.7 - 0.1 * k};
        five_bar_relative(at, q);
        five_bar_relative((double[4]){2, -3, 2, -3}, v);
        assert_true(zv_reduce(m, work, r, q, v, cranks) >= 0);
        const double *D = zv_reduction_D(r), *C = zv_reduction_C(r), *G = zv_reduction_G(r);
        assert_near(D[0], 0.3135, 1e-14);
        assert_near(D[3], 0.19011136363636366, 1e-14);
        assert_near(D[1], 0, 1e-14);
        for (int i = 0; i < 2; i++) assert_near(2 * C[2 * i] - 3 * C[2 * i + 1], 0, 1e-13);
        if (k > 0) continue;
        assert_near(G[0], 11.113798271937013, 1e-12);
        assert_near(G[1], -0.5119056180608342, 1e-12);
    }
    zv_reduction_destroy(r);
    zv_work_destroy(work);
    zv_model_destroy(m);
}

/* A choice is kept while it is good, and given up near a dead centre. */
static void choices(void **state) {
    (void)state;
    const unsigned char all[4] = {1, 1, 1, 1};
    const double dead = acos(0.2); /* between the cranks, when arms of 0.15 and 0.2 are in line: 0.35 apart */
    FiveBar p = general;
    p.l[2] = 0.2;
    p.l[3] = 0.15;
    zvModel *m = five_bar(&p, ZV_JOINT_REVOLUTE);
    zvWork *work = zv_work_create(m, NULL);
    zvReduction *r = zv_reduction_create(m, NULL);
    double q[4] = {0.3, 1.5, 1.3, -1.5}, steepest = 0;
    assert_int_equal(zv_reduce(m, work, r, q, NULL, all), ZV_DEGRADED);
    assert_int_equal(zv_reduction_freedoms(r), 2);
    assert_false(zv_reduction_switched(r));
    zv_reduce(m, work, r, q, NULL, cranks);
    int switches = 0;
    for (double before = 0.4; before > 1e-7 && switches == 0; before *= 0.7) {
        zvError error = {0};
        assert_int_equal(zv_reduction_independent(r)[0], MOTOR1);
        assert_int_equal(zv_reduction_independent(r)[1], MOTOR2);
        q[MOTOR2] = q[MOTOR1] + dead - before;
        if (zv_reduction_position(m, work, r, q, &error) < 0) fail_msg("%s", error.text);
        zv_reduce(m, work, r, q, NULL, NULL);
        switches += zv_reduction_switched(r);
        for (int i = 0; i < 8 && switches == 0; i++) steepest = fmax(steepest, fabs(zv_reduction_P(r)[i]));
    }
    assert_int_equal(switches, 1);
    assert_true(steepest > 10 && steepest < 1000);
    for (int i = 0; i < 8; i++) assert_true(fabs(zv_reduction_P(r)[i]) < 10);
    zv_reduce(m, work, r, q, NULL, NULL);
    assert_false(zv_reduction_switched(r));
    zv_reduction_destroy(r);
    zv_work_destroy(work);
    zv_model_destroy(m);
}

static void positions(void **state) {
    (void)state;
    zvModel *m = five_bar(&general, ZV_JOINT_SPHERICAL);
    zvWork *work = zv_work_create(m, NULL);
    zvReduction *r = zv_reduction_create(m, NULL);
    zvError error = {0};
    double q[4], want[4], gap;
    five_bar_relative(general_rows[0].q, q);
    zv_reduce(m, work, r, q, NULL, cranks);
    five_bar_relative(general_rows[3].q, want);
    q[MOTOR1] = want[MOTOR1];
    q[MOTOR2] = want[MOTOR2];
    assert_int_equal(zv_reduction_position(m, work, r, q, &error), ZV_OK);
    for (int i = 0; i < 4; i++) assert_near(q[i], want[i], 1e-11);
    zv_loop_residual(m, work, NULL, q, NULL, -1, &gap, NULL);
    assert_true(gap < 1e-14);
    FiveBar short_arms = general;
    short_arms.l[2] = 0.1;
    short_arms.l[3] = 0.1;
    zv_reduction_destroy(r);
    zv_work_destroy(work);
    zv_model_destroy(m);
    m = five_bar(&short_arms, ZV_JOINT_SPHERICAL);
    work = zv_work_create(m, NULL);
    r = zv_reduction_create(m, NULL);
    double open[4] = {0, 0.5, 0.4, -0.5};
    zv_reduce(m, work, r, open, NULL, cranks);
    open[MOTOR2] = 1.5;
    assert_int_equal(zv_reduction_position(m, work, r, open, &error), ZV_CLOSURE);
    assert_non_null(strstr(error.text, "hinge"));
    assert_true(open[MOTOR1] == 0 && open[MOTOR2] == 1.5);
    zv_reduction_destroy(r);
    zv_work_destroy(work);
    zv_model_destroy(m);
}

/* --- random mechanisms ---------------------------------------------------------------------------------------------
 */

typedef struct Reduced {
    const rcCase *c;
    zvReduction *r, *other;
    double *v;
    double steep; /* the largest entry of P, one at least */
} Reduced;

static void close_reduced(Reduced *x) {
    zv_reduction_destroy(x->r);
    zv_reduction_destroy(x->other);
    free(x->v);
}

/* False: over-constrained, nothing moves, or too near a dead centre to compare digits. */
static bool open_reduced(Reduced *x, const rcCase *c) {
    double *rest = numbers(c->rows);
    *x = (Reduced){.c = c, .v = numbers(c->nv), .steep = 1};
    memcpy(x->v, c->v, (size_t)c->nv * sizeof *x->v);
    rc_fit_velocity(c, rest, x->v);
    free(rest);
    x->r = zv_reduction_create(c->model, NULL);
    x->other = zv_reduction_create(c->model, NULL);
    assert_true(x->r && x->other);
    const zvStatus status = zv_reduce(c->model, c->work, x->r, c->q, x->v, NULL);
    assert_true(status >= 0);
    const int n = zv_reduction_freedoms(x->r);
    zvLoopMobility mobility;
    assert_int_equal(zv_loop_mobility(c->model, c->work, c->q, &mobility), ZV_OK);
    if (n != mobility.freedoms) fail_msg("seed %llu: %d freedoms", (unsigned long long)c->seed, n);
    assert_int_equal(status, mobility.redundant > 0 ? ZV_DEGRADED : ZV_OK);
    if (mobility.redundant > 0 || n == 0) return false;
    for (int i = 0; i < c->nv * n; i++) x->steep = fmax(x->steep, fabs(zv_reduction_P(x->r)[i]));
    return x->steep < 30;
}

/* v = P v_r, G P = 0, G gamma + bias = 0. */
static bool kinematics_hold(const rcCase *c, bool smooth) {
    Reduced x;
    bool good = true;
    (void)smooth;
    if (open_reduced(&x, c)) {
        const int n = zv_reduction_freedoms(x.r), *own = zv_reduction_independent(x.r);
        const double *P = zv_reduction_P(x.r), *gamma = zv_reduction_gamma(x.r);
        double *G = numbers(c->rows * c->nv), *bias = numbers(c->rows), *v = numbers(c->nv), size = 1, fast = 1;
        zv_loop_jacobian(c->model, c->work, c->q, G);
        zv_loop_bias(c->model, c->work, NULL, c->q, x.v, bias);
        for (int i = 0; i < c->rows * c->nv; i++) size = fmax(size, fabs(G[i]));
        for (int i = 0; i < c->nv; i++) {
            for (int k = 0; k < n; k++) v[i] += P[i * n + k] * x.v[own[k]];
            fast = fmax(fast, fabs(gamma[i]));
        }
        const double loose = 1e3 * c->nv * DBL_EPSILON * x.steep * size;
        good = near(c, "v", c->nv, v, x.v, loose * x.steep * 10);
        for (int i = 0; i < c->rows && good; i++) {
            double sum = bias[i], zero = 0;
            for (int j = 0; j < c->nv; j++) sum += G[i * c->nv + j] * gamma[j];
            good = near(c, "G gamma + bias", 1, &sum, &zero, loose * fast * x.steep);
            for (int k = 0; k < n && good; k++) {
                sum = 0;
                for (int j = 0; j < c->nv; j++) sum += G[i * c->nv + j] * P[j * n + k];
                good = near(c, "G P", 1, &sum, &zero, loose * x.steep);
            }
        }
        free(G);
        free(bias);
        free(v);
    }
    close_reduced(&x);
    return good;
}

/* D_r at q moved by t v and closed again. */
static bool D_at(Reduced *x, double t, double *D) {
    const rcCase *c = x->c;
    const int n = zv_reduction_freedoms(x->r);
    double *q = numbers(c->nq), *step = numbers(c->nv);
    unsigned char *wanted = calloc((size_t)c->nv, 1);
    zvError error = {0};
    for (int i = 0; i < c->nv; i++) step[i] = t * x->v[i];
    for (int i = 0; i < n; i++) wanted[zv_reduction_independent(x->r)[i]] = 1;
    zv_position_add(c->model, c->q, step, q);
    bool good = zv_reduction_position(c->model, c->work, x->r, q, &error) == ZV_OK &&
                zv_reduce(c->model, c->work, x->other, q, NULL, wanted) == ZV_OK;
    for (int i = 0; i < n && good; i++)
        good = zv_reduction_independent(x->other)[i] == zv_reduction_independent(x->r)[i];
    if (good) memcpy(D, zv_reduction_D(x->other), (size_t)(n * n) * sizeof *D);
    if (!good) fprintf(stderr, "seed %llu: not closed at t = %g %s\n", (unsigned long long)c->seed, t, error.text);
    free(q);
    free(step);
    free(wanted);
    return good;
}

/* dD_r/dt = C_r + C_r^T, by differences of fourth order along the motion. */
static bool skew(const rcCase *c, bool smooth) {
    Reduced x;
    bool good = true;
    if (open_reduced(&x, c)) {
        const int n = zv_reduction_freedoms(x.r);
        const Along path = along(c, x.v, smooth);
        const double h = 1e-3 / (path.quick * x.steep), *C = zv_reduction_C(x.r);
        double *D = numbers(n * n), *rate = numbers(n * n), *sum = numbers(n * n), most = 0;
        for (int k = -2; k <= 2 && good; k++) {
            const double weight = k == 0 ? 0 : (abs(k) == 1 ? 8 : -1) * (k > 0 ? 1 : -1) / (12 * h);
            if (k == 0) continue;
            good = D_at(&x, k * h, D);
            for (int i = 0; i < n * n; i++) rate[i] += weight * D[i], most = fmax(most, fabs(D[i]));
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) sum[i * n + j] = C[i * n + j] + C[j * n + i];
        }
        /* closed to 1e-14 of the size, times the steepness of P twice and that of its derivative */
        good = good && near(c, "C + C^T", n * n, sum, rate, 1e-13 * 100 * x.steep * x.steep * most / h);
        free(D);
        free(rate);
        free(sum);
    }
    close_reduced(&x);
    return good;
}

/* a and lambda of the reduction: M a + C v + g = tau + G^T lambda. */
static bool forces_balance(const rcCase *c, bool smooth) {
    Reduced x;
    bool good = true;
    (void)smooth;
    if (open_reduced(&x, c)) {
        double *a = numbers(c->nv), *lambda = numbers(c->rows), *G = numbers(c->rows * c->nv), size = 1;
        double *need = numbers(c->nv), *got = numbers(c->nv);
        const zvStatus status = zv_reduction_forces(c->model, c->work, x.r, c->q, x.v, c->tau, a, lambda);
        assert_true(status == ZV_OK || status == ZV_SINGULAR);
        zv_inverse_dynamics(c->model, c->work, c->q, x.v, a, NULL, need);
        zv_loop_jacobian(c->model, c->work, c->q, G);
        for (int j = 0; j < c->nv; j++) {
            got[j] = c->tau[j];
            size = fmax(size, fabs(need[j]));
            for (int i = 0; i < c->rows; i++) {
                got[j] += G[i * c->nv + j] * lambda[i];
                size = fmax(size, fabs(G[i * c->nv + j] * lambda[i]));
            }
        }
        if (status == ZV_OK) good = near(c, "force", c->nv, got, need, 1e-9 * x.steep * size);
        free(a);
        free(lambda);
        free(G);
        free(need);
        free(got);
    }
    close_reduced(&x);
    return good;
}

static void test_kinematics(void **state) {
    (void)state;
    assert_true(each_kind(SEED, 12, RT_LINE | RT_CIRCLE, kinematics_hold));
}

static void test_skew(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 1, 12, RT_LINE | RT_CIRCLE, skew));
}

static void test_forces(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 2, 12, RT_LINE | RT_CIRCLE, forces_balance));
}

/* Turns of a small mechanism are those of a large one, wherever it points. */
static void sizes(void **state) {
    (void)state;
    FourBar one = four_bar(1, false);
    zvReduction *r = zv_reduction_create(one.model, NULL);
    assert_int_equal(zv_reduce(one.model, one.work, r, one.q, one.v, NULL), ZV_DEGRADED);
    for (double s = 1e-9; s < 1e4; s *= 10) {
        FourBar x = four_bar(s, true);
        zvReduction *other = zv_reduction_create(x.model, NULL);
        assert_int_equal(zv_reduce(x.model, x.work, other, one.q, one.v, NULL), ZV_DEGRADED);
        assert_int_equal(zv_reduction_freedoms(other), 1);
        for (int i = 0; i < 3; i++) {
            assert_near(zv_reduction_P(other)[i], zv_reduction_P(r)[i], 1e-12);
            assert_near(zv_reduction_gamma(other)[i], zv_reduction_gamma(r)[i], 1e-11);
        }
        assert_near(zv_reduction_D(other)[0] / (s * s * s * s), zv_reduction_D(r)[0], 1e-12);
        zv_reduction_destroy(other);
        four_bar_end(&x);
    }
    zv_reduction_destroy(r);
    four_bar_end(&one);
}

TESTS(five_bars, decoupled, choices, positions, test_kinematics, test_skew, test_forces, sizes)
