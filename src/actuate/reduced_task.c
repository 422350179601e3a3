/* Task control of a robot some of whose degrees of freedom nobody drives, a floating base above all: reduced dynamics,
 * docs/actuation.md (5.8)-(5.11).
 *
 * The driven degrees of freedom alone have the mass matrix M_r = (S M^-1 S^T)^-1, the others following as they will.
 * All of it rests on one reduction of forces, f -> f - M x with x = M_uu^-1 f_u, the motion by which the others evade
 * f: it makes J^T to J_r^T = S^T M_r S M^-1 J^T and M S^T v_a to M_r v_a, in two sweeps of O(n). */
#include <string.h>

#include "actuate/element.h"
#include "opspace/task.h"

static const double held = 1e30; /* an addend to M that no force moves */

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static bool all_zero(int n, const double *x) {
    for (int i = 0; i < n; i++) {
        if (x[i] != 0) return false;
    }
    return true;
}

/* f (nv) as far as the driven degrees of freedom feel it when the others evade. */
static zvStatus reduce(const ziInstant *now, double *f) {
    const zvModel *model = now->drives->model;
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    double *x = scratch->y;
    int nv = now->drives->nv;
    for (int i = 0; i < nv; i++) x[i] = scratch->hold[i] > 0 ? 0 : f[i];
    if (!all_zero(nv, x)) {
        zvStatus status = zv_augmented_inverse_times(model, now->work, now->q, scratch->hold, x, x);
        if (status < 0) return status;
        for (int i = 0; i < nv; i++) x[i] = scratch->hold[i] > 0 ? 0 : x[i];
        zv_mass_times(model, now->work, now->q, x, x);
    }
    for (int i = 0; i < nv; i++) f[i] = scratch->hold[i] > 0 ? f[i] - x[i] : 0;
    return ZV_OK;
}

/* J := J_r, Y := M^-1 J_r^T by rows, and the inverse of J_r M^-1 J_r^T. */
static zvStatus open_task(const ziElement *e, const ziInstant *now, const ziTaskRows *rows, ziMobility *mobility) {
    const zvModel *model = now->drives->model;
    const zvTask *task = &e->of.task.task;
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    size_t nv = (size_t)now->drives->nv;
    double B[36];
    zv_frame_jacobian(model, now->work, now->q, task->frame, task->axes, scratch->J);
    for (size_t i = 0; i < 6; i++) {
        double *J = scratch->J + i * nv, *Y = scratch->Y + i * nv;
        zvStatus status = reduce(now, J);
        if (status == ZV_OK) status = zv_mass_inverse_times(model, now->work, now->q, J, Y);
        if (status < 0) return status;
        for (size_t j = 0; j <= i; j++) B[6 * i + j] = B[6 * j + i] = dot((int)nv, Y, scratch->J + j * nv);
    }
    return zi_mobility_invert(B, rows, zi_task_reach(model, task->frame), mobility);
}

/* What the task's rows lack of xdd when nobody pushes. */
static zvStatus lack(const ziElement *e, const ziInstant *now, const ziTaskRows *rows, const double *xdd, double *x) {
    const zvTask *task = &e->of.task.task;
    double *a = zi_efforts_scratch(now->out)->y, idle[6];
    const zvModel *model = now->drives->model;
    zvStatus status = zv_forward_dynamics(model, now->work, now->q, now->v, NULL, NULL, a);
    zv_frame_acceleration(model, now->work, now->q, now->v, a, task->frame, task->axes, idle);
    for (int i = 0; i < rows->count; i++) x[i] = xdd[i] - idle[rows->at[i]];
    return status;
}

/* tau := -null_damping M_r v_a */
static zvStatus brake(const ziElement *e, const ziInstant *now, double *tau) {
    const double *hold = zi_efforts_scratch(now->out)->hold;
    int nv = now->drives->nv;
    for (int i = 0; i < nv; i++) tau[i] = hold[i] > 0 ? -e->of.task.null_damping * now->v[i] : 0;
    if (e->of.task.null_damping == 0) return ZV_OK;
    zv_mass_times(now->drives->model, now->work, now->q, tau, tau);
    return reduce(now, tau);
}

zvStatus zi_reduced_task_force(const ziElement *e, const ziInstant *now, const double *xdd, double *tau) {
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    int nv = now->drives->nv;
    ziTaskRows rows = zi_task_rows(&e->of.task.task);
    ziMobility mobility;
    double x[6], F[6];
    memset(scratch->hold, 0, (size_t)nv * sizeof *scratch->hold);
    for (int k = 0; k < e->count; k++) scratch->hold[e->dofs[k]] = held;
    zvStatus opened = open_task(e, now, &rows, &mobility);
    zvStatus status = opened < 0 ? opened : lack(e, now, &rows, xdd, x);
    if (status >= 0) status = brake(e, now, tau);
    if (status < 0) return status;
    for (int i = 0; i < rows.count; i++) x[i] -= dot(nv, scratch->Y + (size_t)rows.at[i] * (size_t)nv, tau);
    zi_mobility_times(&mobility, rows.count, x, F);
    for (int i = 0; i < rows.count; i++) {
        const double *J = scratch->J + (size_t)rows.at[i] * (size_t)nv;
        for (int k = 0; k < nv; k++) tau[k] += F[i] * J[k];
    }
    return opened;
}
