/* Pose errors against rotations made in long double; least joint velocities and accelerations against the normal
 * equations of the reference.
 * Tolerance of the latter: 64 x depth x eps x (terms without cancelling) / rcond, as J J^T has the square of J's
 * condition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "opspace/task.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

/* R = exp(r~), by Rodrigues' formula */
static void rotate(const exact r[3], exact R[9]) {
    const exact x = sqrtl(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    const exact s = x > 0 ? sinl(x) / x : 1, h = x > 0 ? sinl(x / 2) / x : 0.5L, c = 2 * h * h;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[3 * i + i] = 1 - c * (r[j] * r[j] + r[k] * r[k]);
        R[3 * i + j] = c * r[i] * r[j] - s * r[k];
        R[3 * i + k] = c * r[i] * r[k] + s * r[j];
    }
}

/* Angles from nothing to half a turn: the answer is good to eps, near half a turn to eps / (pi - angle) in direction
 * only. */
static void pose_errors(void **state) {
    (void)state;
    static const double angles[] = {0, 1e-200, 1e-15, 1e-9, 1e-3, 0.1, 1, 2, 3, 3.14159, 3.1415926535897};
    for (uint64_t seed = 0; seed < 300; seed++) {
        rtRandom random = {seed};
        zvPose actual, wanted;
        double axis[3], error[6];
        exact r[3], E[9];
        const double angle = angles[seed % (sizeof angles / sizeof *angles)];
        rt_rotation(&random, actual.R);
        rt_direction(&random, axis);
        rt_vector(&random, 2, 3, actual.p);
        rt_vector(&random, 2, 3, wanted.p);
        for (int i = 0; i < 3; i++) r[i] = (exact)angle * axis[i];
        rotate(r, E);
        for (int i = 0; i < 9; i++) {
            exact sum = 0;
            for (int k = 0; k < 3; k++) sum += E[i / 3 * 3 + k] * actual.R[3 * k + i % 3];
            wanted.R[i] = (double)sum;
        }
        zv_pose_error(&wanted, &actual, error);
        for (int i = 0; i < 3; i++) {
            assert_true(error[i] == wanted.p[i] - actual.p[i]);
            if (!(fabsl(error[3 + i] - r[i]) <= 16 * DBL_EPSILON))
                fail_msg("seed %llu, angle %g: %.17g, expected %.17Lg", (unsigned long long)seed, angle, error[3 + i],
                         r[i]);
        }
    }
}

static void half_a_turn(void **state) {
    (void)state;
    zvPose a = zv_pose_identity(), b = zv_pose_identity();
    double error[6];
    for (int i = 0; i < 3; i++) { /* about x, y, z: either sign is right */
        b = zv_pose_identity();
        for (int k = 0; k < 3; k++) b.R[4 * k] = k == i ? 1 : -1;
        zv_pose_error(&b, &a, error);
        for (int k = 0; k < 3; k++) {
            const double want = k == i ? 3.141592653589793 : 0;
            assert_true(fabs(fabs(error[3 + k]) - want) <= 4 * DBL_EPSILON);
        }
    }
}

/* Error in the axes of the task at q + h v. */
static void error_along(const rtCase *c, int frame, zvAxes axes, const zvPose *target, double h, double error[6]) {
    double q[512], step[256];
    zvPose pose;
    for (int k = 0; k < c->nv; k++) step[k] = h * c->v[k];
    zv_position_add(c->model, c->q, step, q);
    zv_frame_pose(c->model, c->work, q, frame, &pose);
    zv_pose_error(target, &pose, error);
    zi_pose_error_rates(c->nv, axes, &pose, error, NULL);
}

/* -d(error)/dv v against differences over a step of h = 1e-4: truncation h^2 and rounding eps / h, times a curvature
 * of some thousands in trees with reaches of tens of metres. */
static bool rates_agree(rtCase *c) {
    zvPose target, pose;
    double error[6], plus[6], minus[6], h = 1e-4;
    if (c->nv == 0 || c->nq > 256) return true;
    const int frame = rt_below(&c->random, zv_model_nframe(c->model));
    const zvAxes axes = c->seed % 2 ? ZV_AXES_LOCAL : ZV_AXES_WORLD;
    double *J = calloc((size_t)(6 * c->nv), sizeof *J);
    assert_non_null(J);
    rt_rotation(&c->random, target.R);
    rt_vector(&c->random, 2, 3, target.p);
    zv_frame_pose(c->model, c->work, c->q, frame, &pose);
    zv_pose_error(&target, &pose, error);
    zv_frame_jacobian(c->model, c->work, c->q, frame, axes, J);
    zi_pose_error_rates(c->nv, axes, &pose, error, J);
    const double turn = sqrt(error[3] * error[3] + error[4] * error[4] + error[5] * error[5]);
    error_along(c, frame, axes, &target, h, plus);
    error_along(c, frame, axes, &target, -h, minus);
    bool good = true;
    for (int i = 0; i < 6 && turn < 3; i++) { /* beyond, the steps may pass the jump at half a turn */
        double rate = 0, size = 1;
        for (int k = 0; k < c->nv; k++) {
            rate -= J[i * c->nv + k] * c->v[k];
            size += fabs(J[i * c->nv + k] * c->v[k]) + fabs(c->v[k]);
        }
        const double slope = (plus[i] - minus[i]) / (2 * h);
        if (!(fabs(rate - slope) <= 1e-6 * size * size * size)) {
            printf("seed %llu row %d: %g, by differences %g\n", (unsigned long long)c->seed, i, rate, slope);
            good = false;
        }
    }
    free(J);
    return good;
}

static void error_rates(void **state) {
    (void)state;
    assert_true(rt_each(75000, 300, 6, NULL, rates_agree));
}

typedef struct Rows {
    int m, n;
    exact J[6][256];
    exact wide; /* a bound of |J| J-columns for rounding */
} Rows;

static Rows rows_of(rtCase *c, const zvTask *task, const unsigned char *held) {
    Rows r = {.n = c->nv};
    exact *J = lin_numbers(6 * c->nv);
    refMotion motion;
    ref_frame(c->ref, task->frame, &motion);
    ref_frame_jacobian(c->ref, task->frame, J);
    if (task->axes == ZV_AXES_LOCAL) ref_turn6(motion.R, J, c->nv);
    for (int i = 0; i < 6; i++) {
        if (!(task->rows >> i & 1)) continue;
        for (int k = 0; k < c->nv; k++) r.J[r.m][k] = held && held[k] ? 0 : J[i * c->nv + k];
        r.m++;
    }
    free(J);
    return r;
}

/* v = J^T (J J^T)^-1 x; scale: |J^T| |(J J^T)^-1| |J| |v|, times the largest size of J's terms. */
static bool least(const Rows *r, const exact *x, exact *v, exact *scale) {
    exact A[36], inverse[36], y[6];
    for (int i = 0; i < r->m * r->m; i++) {
        A[i] = 0;
        for (int k = 0; k < r->n; k++) A[i] += r->J[i / r->m][k] * r->J[i % r->m][k];
    }
    if (!lin_inverse(r->m, A, inverse)) return false;
    lin_times(r->m, inverse, x, y);
    for (int k = 0; k < r->n; k++) {
        v[k] = 0;
        for (int i = 0; i < r->m; i++) v[k] += r->J[i][k] * y[i];
    }
    exact size = 0, length = 0, dual = 0;
    for (int k = 0; k < r->n; k++) {
        length += fabsl(v[k]);
        for (int i = 0; i < r->m; i++) size = fmaxl(size, fabsl(r->J[i][k]));
    }
    for (int i = 0; i < r->m; i++) dual = fmaxl(dual, fabsl(y[i]));
    for (int k = 0; k < r->n; k++) {
        scale[k] = fabsl(v[k]) + size * dual;
        for (int i = 0; i < r->m; i++) {
            for (int j = 0; j < r->m; j++)
                scale[k] += fabsl(r->J[i][k] * inverse[i * r->m + j]) * size * (length + r->n * size * dual);
        }
    }
    return true;
}

static int regular;

static bool velocities_are_least(rtCase *c) {
    static const unsigned choices[] = {ZV_TASK_FULL, ZV_TASK_POSITION, ZV_TASK_Z | ZV_TASK_RX, ZV_TASK_ORIENTATION};
    unsigned char held[256] = {0};
    zvTask task = {rt_below(&c->random, zv_model_nframe(c->model)), c->seed % 2 ? ZV_AXES_LOCAL : ZV_AXES_WORLD,
                   choices[c->seed / 2 % 4]};
    double xd[6], xdd[6];
    exact x[6], reach = 1;
    if (c->nv == 0 || c->nv > 256) return true;
    for (int k = 0; k < c->nv; k++) held[k] = rt_chance(&c->random, 0.1);
    for (int l = 0; l < c->nlink; l++) reach = fmaxl(reach, c->error_scale->reach[l]);
    rt_vector(&c->random, 1, 6, xd);
    rt_vector(&c->random, 1, 6, xdd);
    zvTaskWork *work = zv_task_work_create(c->model, NULL);
    assert_non_null(work);
    zvStatus status = zv_task_resolve(c->model, work, c->q, &task, held, xd, xdd, c->x, c->y);
    Rows r = rows_of(c, &task, held);
    bool good = status >= 0;
    for (int k = 0; k < c->nv; k++) {
        good = good && isfinite(c->x[k]) && isfinite(c->y[k]);
        if (held[k]) good = good && c->x[k] == 0 && c->y[k] == 0;
    }
    if (good && status == ZV_OK) {
        regular++;
        for (int i = 0; i < r.m; i++) x[i] = xd[i];
        good = least(&r, x, c->want, c->scale);
        for (int k = 0; k < c->nv; k++) c->scale[k] *= reach; /* errors of J: eps x reach */
        good = good && rt_near(c, "least velocity", c->nv, c->x, c->want, c->scale, 64);
        /* the acceleration of the frame under the answers */
        double got[6], bias[6], rest[6];
        int m = 0;
        zv_frame_acceleration(c->model, c->work, c->q, c->x, c->y, task.frame, task.axes, got);
        zv_frame_bias(c->model, c->work, c->q, c->x, task.frame, task.axes, bias);
        for (int i = 0; i < 6; i++) {
            if (!(task.rows >> i & 1)) continue;
            rest[m] = got[i] - xdd[m];
            x[m] = (exact)xdd[m] - bias[i];
            m++;
        }
        good = good && least(&r, x, c->want, c->scale);
        for (int k = 0; k < c->nv; k++) c->scale[k] *= reach;
        good = good && rt_near(c, "least acceleration", c->nv, c->y, c->want, c->scale, 64);
        exact zero[6] = {0}, wide[6] = {0};
        for (int i = 0; i < r.m; i++) {
            wide[i] = fabsl(x[i]) + 1;
            for (int k = 0; k < c->nv; k++) wide[i] += (fabsl(r.J[i][k]) + reach) * c->scale[k];
        }
        good = good && rt_near(c, "acceleration", r.m, rest, zero, wide, 64);
    }
    zv_task_work_destroy(work);
    return good;
}

static void least_motions(void **state) {
    (void)state;
    regular = 0;
    assert_true(rt_each(73000, 600, 20, NULL, velocities_are_least));
    assert_true(regular > 200);
}

TESTS(pose_errors, half_a_turn, error_rates, least_motions)
