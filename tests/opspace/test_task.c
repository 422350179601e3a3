/* The dynamics of tasks on random trees against the dense reference in long double.
 *
 * Lambda xdd + mu + rho = F with tau = J^T F, xdd worked out by the reference; J Jbar = 1; forces that the null space
 * leaves do not accelerate the task; a partial task is the inverse of a part of the full mobility; zv_task_force gives
 * the acceleration it was asked for. World and local axes, all joint types, free bases, coupled joints.
 *
 * Tolerance: ULPS x depth x eps x what the terms come to without cancelling, pushed through |J| |M^-1|, and through
 * |Lambda| where the answer is a force. Tasks that the library calls degraded are only asked for finite numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 64 };

/* A task with everything the reference knows of it; rows of the task only. */
typedef struct Task {
    zvTask task;
    zvTaskWork *work;
    zvTaskDynamics dynamics;
    int m, n;
    exact *J;           /* m x nv */
    exact bias[6];      /* Jdot v, rows of the task */
    exact *inverse;     /* M^-1 */
    exact *force;       /* C v + g */
    exact *sizes;       /* uncancelled terms of M */
    exact *error_scale; /* uncancelled terms of C v + g */
    exact reach_w[6];   /* uncancelled terms of Jdot v */
    double *Jd, *Jbar;  /* the library's */
} Task;

/* What is left of a 6-vector, or of 6 x columns, in the rows of the task. */
static void pick(unsigned rows, int columns, exact *x) {
    int m = 0;
    for (int i = 0; i < 6; i++) {
        if (!(rows >> i & 1)) continue;
        for (int k = 0; k < columns; k++) x[m * columns + k] = x[i * columns + k];
        m++;
    }
}

static void reference_kinematics(rtCase *c, Task *t) {
    refMotion motion;
    zvFrame frame = zv_model_frame(c->model, t->task.frame);
    int link = t->task.frame < c->nlink ? t->task.frame : zv_model_find_frame(c->model, frame.link);
    exact arm = 0;
    for (int i = 0; i < 3; i++) arm += fabsl((exact)frame.pose.p[i]);
    ref_move(c->ref, c->v, NULL);
    ref_frame(c->ref, t->task.frame, &motion);
    ref_frame_jacobian(c->ref, t->task.frame, t->J);
    for (int i = 0; i < 6; i++) t->bias[i] = motion.a[i];
    if (t->task.axes == ZV_AXES_LOCAL) {
        ref_turn6(motion.R, t->J, c->nv);
        ref_turn6(motion.R, t->bias, 1);
    }
    ref_inverse(c->ref, NULL, true, t->force);
    ref_error_scale(c->ref, c->v, NULL, NULL, true, c->error_scale);
    const exact w = c->error_scale->w[link], alpha = c->error_scale->alpha[link];
    for (int k = 0; k < c->nv; k++) t->error_scale[k] = c->error_scale->tau[k];
    for (int i = 0; i < 6; i++)
        t->reach_w[i] =
            i < 3 ? c->error_scale->a[link] + (alpha + w * w) * (arm + c->error_scale->reach[link]) : alpha + w * w;
    pick(t->task.rows, c->nv, t->J);
    pick(t->task.rows, 1, t->bias);
    pick(t->task.rows, 1, t->reach_w);
}

static zvStatus task_open(rtCase *c, Task *t, unsigned rows, zvAxes axes) {
    int n = c->nv;
    *t = (Task){.task = {rt_below(&c->random, zv_model_nframe(c->model)), axes, rows}, .n = n};
    t->m = zv_task_width(&t->task);
    t->work = zv_task_work_create(c->model, NULL);
    t->J = lin_numbers(6 * n);
    t->inverse = lin_numbers(n * n);
    t->force = lin_numbers(n);
    t->sizes = lin_numbers(n * n);
    t->error_scale = lin_numbers(n);
    t->Jd = calloc((size_t)(6 * n + 1), sizeof *t->Jd);
    t->Jbar = calloc((size_t)(6 * n + 1), sizeof *t->Jbar);
    if (!t->work || !t->Jd || !t->Jbar) abort();
    reference_kinematics(c, t);
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, t->sizes);
    if (!lin_inverse(n, c->M, t->inverse)) abort();
    return zv_task_dynamics(c->model, t->work, c->q, c->v, &t->task, &t->dynamics);
}

static void task_close(Task *t) {
    zv_task_work_destroy(t->work);
    exact *exacts[] = {t->J, t->inverse, t->force, t->sizes, t->error_scale};
    for (size_t i = 0; i < sizeof exacts / sizeof *exacts; i++) free(exacts[i]);
    free(t->Jd);
    free(t->Jbar);
}

/* a = M^-1 (tau - force); with wide (n) the uncancelled terms of the equation at this a. */
static void accelerate(const Task *t, const exact *tau, bool biased, exact *a, exact *wide) {
    exact *right = lin_numbers(t->n);
    for (int k = 0; k < t->n; k++) right[k] = tau[k] - (biased ? t->force[k] : 0);
    lin_times(t->n, t->inverse, right, a);
    for (int k = 0; k < t->n; k++) {
        wide[k] = fabsl(tau[k]) + (biased ? t->error_scale[k] : 0);
        for (int l = 0; l < t->n; l++) wide[k] += t->sizes[k * t->n + l] * fabsl(a[l]);
    }
    free(right);
}

/* x = J a and |J| |M^-1| wide, the scale of its errors. */
static void to_task(const Task *t, const exact *a, const exact *wide, exact *x, exact *scale) {
    for (int i = 0; i < t->m; i++) {
        x[i] = scale[i] = 0;
        for (int k = 0; k < t->n; k++) {
            exact through = fabsl(a[k]);
            for (int l = 0; l < t->n; l++) through += fabsl(t->inverse[k * t->n + l]) * wide[l];
            x[i] += t->J[i * t->n + k] * a[k];
            scale[i] += fabsl(t->J[i * t->n + k]) * through;
        }
    }
}

static void push(const Task *t, const exact *F, exact *tau) {
    for (int k = 0; k < t->n; k++) {
        tau[k] = 0;
        for (int i = 0; i < t->m; i++) tau[k] += t->J[i * t->n + k] * F[i];
    }
}

/* Acceleration of the task under tau, and the scale of its errors. */
static void respond(const Task *t, const exact *tau, exact xdd[6], exact scale[6]) {
    exact *a = lin_numbers(t->n), *wide = lin_numbers(t->n);
    accelerate(t, tau, true, a, wide);
    to_task(t, a, wide, xdd, scale);
    for (int i = 0; i < t->m; i++) {
        xdd[i] += t->bias[i];
        scale[i] += t->reach_w[i];
    }
    free(a);
    free(wide);
}

/* Lambda xdd + mu + rho = F. Lambda's own error acts on the share of the motion that it stands for. */
static bool identity_holds(rtCase *c, const Task *t) {
    const zvTaskDynamics *d = &t->dynamics;
    exact F[6], xdd[6], scale[6], own[6], ignored[6], bound[6], *tau = lin_numbers(t->n), *a = lin_numbers(t->n),
                                                                *wide = lin_numbers(t->n);
    double got[6];
    for (int i = 0; i < t->m; i++) F[i] = rt_uniform(&c->random, -20, 20);
    push(t, F, tau);
    respond(t, tau, xdd, scale);
    exact G[6];
    for (int i = 0; i < t->m; i++) G[i] = F[i] - d->mu[i] - d->rho[i];
    push(t, G, tau);
    accelerate(t, tau, false, a, wide);
    to_task(t, a, wide, ignored, own);
    for (int i = 0; i < t->m; i++) {
        exact sum = (exact)d->mu[i] + d->rho[i];
        bound[i] = 0;
        for (int j = 0; j < t->m; j++) {
            sum += d->Lambda[i * t->m + j] * xdd[j];
            bound[i] += fabsl((exact)d->Lambda[i * t->m + j]) * (scale[j] + own[j] + fabsl(xdd[j]));
        }
        got[i] = (double)sum;
    }
    free(tau);
    free(a);
    free(wide);
    return rt_near(c, "Lambda xdd + mu + rho", t->m, got, F, bound, ULPS);
}

/* F = |Lambda| |J M^-1| |tau|: the force of the task that tau exerts, without cancelling. */
static void error_scale_force(const Task *t, const double *tau, exact F[6]) {
    for (int i = 0; i < t->m; i++) F[i] = 0;
    for (int j = 0; j < t->m; j++) {
        exact x = 0;
        for (int l = 0; l < t->n; l++) {
            exact y = 0;
            for (int k = 0; k < t->n; k++) y += t->J[j * t->n + k] * t->inverse[k * t->n + l];
            x += fabsl(y * tau[l]);
        }
        for (int i = 0; i < t->m; i++) F[i] += fabsl((exact)t->dynamics.Lambda[i * t->m + j]) * x;
    }
}

/* |J| |M^-1| S |M^-1 J^T| |Lambda|: how far J Jbar may be from 1. */
static bool inverse_holds(rtCase *c, Task *t) {
    int m = t->m, n = t->n;
    zv_task_jacobian(c->model, t->work, c->q, &t->task, t->Jd);
    if (zv_task_inverse(c->model, t->work, c->q, &t->task, t->Jbar) != ZV_OK) return false;
    for (int j = 0; j < m; j++) {
        exact column[6], *tau = lin_numbers(n), *a = lin_numbers(n), *wide = lin_numbers(n);
        exact unit[6] = {0}, x[6], scale[6];
        double got[6];
        for (int i = 0; i < m; i++) unit[i] = t->dynamics.Lambda[i * m + j];
        push(t, unit, tau);
        accelerate(t, tau, false, a, wide);
        for (int k = 0; k < n; k++) { /* J^T Lambda e_j without cancelling */
            for (int i = 0; i < m; i++) wide[k] += fabsl(t->J[i * n + k] * unit[i]);
        }
        to_task(t, a, wide, x, scale);
        for (int i = 0; i < m; i++) {
            exact sum = 0;
            for (int k = 0; k < n; k++) sum += (exact)t->Jd[i * n + k] * t->Jbar[k * m + j];
            got[i] = (double)sum;
            column[i] = i == j;
        }
        free(tau);
        free(a);
        free(wide);
        if (!rt_near(c, "J Jbar", m, got, column, scale, ULPS)) return false;
    }
    return true;
}

/* J M^-1 tau_null = 0, and N^T tau is the same force. */
static bool null_space_holds(rtCase *c, Task *t) {
    int n = t->n;
    exact *tau = lin_numbers(n), *a = lin_numbers(n), *wide = lin_numbers(n), zero[6] = {0}, x[6], scale[6], F[6];
    double got[6];
    bool good = zv_task_null_force(c->model, t->work, c->q, &t->task, c->tau, c->x) == ZV_OK &&
                zv_task_null_projector(c->model, t->work, c->q, &t->task, c->A) == ZV_OK;
    for (int k = 0; k < n; k++) tau[k] = c->x[k];
    accelerate(t, tau, false, a, wide);
    error_scale_force(t, c->tau, F);
    for (int k = 0; k < n; k++) {
        wide[k] += fabsl((exact)c->tau[k]);
        for (int i = 0; i < t->m; i++) wide[k] += fabsl(t->J[i * n + k]) * F[i];
    }
    to_task(t, a, wide, x, scale);
    for (int i = 0; i < t->m; i++) got[i] = (double)x[i];
    good = good && rt_near(c, "J M^-1 tau_null", t->m, got, zero, scale, ULPS);
    for (int k = 0; k < n; k++) {
        c->want[k] = 0;
        for (int l = 0; l < n; l++) c->want[k] += (exact)c->A[l * n + k] * c->tau[l];
    }
    good = good && rt_near(c, "N^T tau", n, c->x, c->want, wide, ULPS);
    for (int k = 0; k < n; k++) c->y[k] = c->tau[k]; /* the answer may lie over the question */
    good = good && zv_task_null_force(c->model, t->work, c->q, &t->task, c->y, c->y) == ZV_OK;
    for (int k = 0; k < n; k++) good = good && c->y[k] == c->x[k];
    free(tau);
    free(a);
    free(wide);
    return good;
}

/* zv_task_force with a null force gives the wanted acceleration. */
static bool force_does_it(rtCase *c, Task *t) {
    double xdd[6], got[6];
    exact *tau = lin_numbers(t->n), want[6], x[6], scale[6], wide[6], F[6];
    rt_vector(&c->random, 5, t->m, xdd);
    bool good = zv_task_force(c->model, t->work, c->q, c->v, &t->task, xdd, c->tau, c->x) == ZV_OK;
    error_scale_force(t, c->tau, F);
    for (int i = 0; i < t->m; i++) {
        F[i] += fabsl((exact)t->dynamics.mu[i]) + fabsl((exact)t->dynamics.rho[i]);
        for (int j = 0; j < t->m; j++) F[i] += fabsl((exact)t->dynamics.Lambda[i * t->m + j] * xdd[j]);
    }
    for (int k = 0; k < t->n; k++) {
        tau[k] = fabsl((exact)c->x[k]) + fabsl((exact)c->tau[k]);
        for (int i = 0; i < t->m; i++) tau[k] += fabsl(t->J[i * t->n + k]) * F[i];
    }
    respond(t, tau, x, wide); /* its scale holds all terms */
    for (int k = 0; k < t->n; k++) tau[k] = c->x[k];
    respond(t, tau, x, scale);
    for (int i = 0; i < t->m; i++) {
        got[i] = (double)x[i];
        want[i] = xdd[i];
        scale[i] += wide[i];
    }
    free(tau);
    return good && rt_near(c, "xdd", t->m, got, want, scale, ULPS);
}

static bool all_finite(const zvTaskDynamics *d) {
    bool finite = isfinite(d->rcond) && isfinite(d->damping[0]) && isfinite(d->damping[1]);
    for (int i = 0; i < 36; i++) finite = finite && isfinite(d->Lambda[i]);
    for (int i = 0; i < 6; i++) finite = finite && isfinite(d->mu[i]) && isfinite(d->rho[i]);
    return finite && d->rcond >= 0 && d->rcond <= 1;
}

static int regular, degraded; /* how many tasks were which */

static bool task_holds(rtCase *c) {
    static const unsigned choices[] = {
        ZV_TASK_FULL, ZV_TASK_POSITION, ZV_TASK_ORIENTATION,          ZV_TASK_X | ZV_TASK_RZ,
        ZV_TASK_Y,    ZV_TASK_RX,       ZV_TASK_POSITION | ZV_TASK_RY};
    if (c->nv == 0) return true;
    Task t;
    zvStatus status = task_open(c, &t, choices[c->seed % 7], c->seed / 7 % 2 ? ZV_AXES_LOCAL : ZV_AXES_WORLD);
    bool good = status >= 0 && all_finite(&t.dynamics) && (status == ZV_DEGRADED) == (t.dynamics.rcond < 1e-6);
    good = good && (status == ZV_DEGRADED) == (t.dynamics.damping[0] > 0);
    if (good && status == ZV_OK) {
        regular++;
        good = identity_holds(c, &t) && inverse_holds(c, &t) && null_space_holds(c, &t) && force_does_it(c, &t);
    } else {
        degraded++;
    }
    task_close(&t);
    return good;
}

static void random_tasks(void **state) {
    (void)state;
    regular = degraded = 0;
    assert_true(rt_each(71000, 1200, 30, NULL, task_holds));
    assert_true(regular > 500);
    assert_true(degraded > 100);
}

/* The mobility of a partial task is a part of the full one: Lambda_part (Lambda_full^-1)_part = 1. */
static bool parts_fit(rtCase *c) {
    zvTask full = {rt_below(&c->random, zv_model_nframe(c->model)), ZV_AXES_WORLD, ZV_TASK_FULL}, part = full;
    part.rows = 1u + (unsigned)rt_below(&c->random, 62);
    zvTaskWork *work = zv_task_work_create(c->model, NULL);
    zvTaskDynamics all, partial;
    assert_non_null(work);
    zvStatus status = zv_task_dynamics(c->model, work, c->q, NULL, &full, &all);
    bool good = status >= 0;
    if (status == ZV_OK) {
        exact Lambda[36], B[36], want[6], scale[6];
        double got[6];
        int m = zv_task_width(&part), n = 0;
        regular++;
        good = zv_task_dynamics(c->model, work, c->q, NULL, &part, &partial) == ZV_OK;
        for (int i = 0; i < 36; i++) Lambda[i] = all.Lambda[i];
        good = good && lin_inverse(6, Lambda, B);
        pick(part.rows, 6, B);
        for (int i = 0; i < 6; i++) { /* its columns */
            if (!(part.rows >> i & 1)) continue;
            for (int j = 0; j < m; j++) B[6 * j + n] = B[6 * j + i];
            n++;
        }
        for (int i = 0; i < m && good; i++) {
            for (int j = 0; j < m; j++) {
                exact sum = 0;
                scale[j] = 0;
                for (int k = 0; k < m; k++) sum += B[6 * i + k] * partial.Lambda[k * m + j];
                for (int k = 0; k < m; k++) scale[j] += fabsl(B[6 * i + k] * partial.Lambda[k * m + j]);
                scale[j] /= fminl(all.rcond, partial.rcond);
                want[j] = i == j;
                got[j] = (double)sum;
            }
            good = rt_near(c, "part", m, got, want, scale, ULPS);
        }
    }
    zv_task_work_destroy(work);
    return good;
}

static void partial_tasks(void **state) {
    (void)state;
    regular = 0;
    assert_true(rt_each(72000, 400, 20, NULL, parts_fit));
    assert_true(regular > 60);
}

/* Each answer by itself is the answer of all; what is not asked for is not touched. */
static bool answers_stand_alone(rtCase *c) {
    const zvTask task = {rt_below(&c->random, zv_model_nframe(c->model)), c->seed % 2 ? ZV_AXES_LOCAL : ZV_AXES_WORLD,
                         1u + (unsigned)rt_below(&c->random, 63)};
    const size_t m = (size_t)zv_task_width(&task);
    zvTaskWork *work = zv_task_work_create(c->model, NULL);
    zvTaskDynamics all;
    double Lambda[36], mu[6], rho[6], still[6], rcond = -1;
    assert_non_null(work);
    const zvStatus status = zv_task_dynamics(c->model, work, c->q, c->v, &task, &all);
    bool good = zv_task_inertia(c->model, work, c->q, NULL, &task, Lambda, NULL, NULL, NULL) == status &&
                zv_task_inertia(c->model, work, c->q, c->v, &task, NULL, mu, NULL, NULL) == status &&
                zv_task_inertia(c->model, work, c->q, NULL, &task, NULL, NULL, rho, &rcond) == status &&
                zv_task_inertia(c->model, work, c->q, NULL, &task, NULL, still, NULL, NULL) == status;
    good = good && memcmp(Lambda, all.Lambda, m * m * sizeof *Lambda) == 0 && rcond == all.rcond;
    good = good && memcmp(mu, all.mu, m * sizeof *mu) == 0 && memcmp(rho, all.rho, m * sizeof *rho) == 0;
    for (size_t i = 0; i < m; i++) good = good && still[i] == 0;
    if (!good) print_error("seed %llu: answers asked for one by one differ\n", (unsigned long long)c->seed);
    zv_task_work_destroy(work);
    return good;
}

static void only_what_is_asked(void **state) {
    (void)state;
    assert_true(rt_each(73000, 300, 30, NULL, answers_stand_alone));
}

TESTS(random_tasks, partial_tasks, only_what_is_asked)
