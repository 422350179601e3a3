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
static zvStatus reduce(const zvInstant *now, double *f) {
    const zvModel *model = now->drives->model;
    const zvEffortsDesk *desk = zv_efforts_desk(now->out);
    double *x = desk->y;
    int nv = now->drives->nv;
    for (int i = 0; i < nv; i++) x[i] = desk->hold[i] > 0 ? 0 : f[i];
    if (!all_zero(nv, x)) {
        zvStatus status = zv_augmented_inverse_times(model, now->work, now->q, desk->hold, x, x);
        if (status < 0) return status;
        for (int i = 0; i < nv; i++) x[i] = desk->hold[i] > 0 ? 0 : x[i];
        zv_mass_times(model, now->work, now->q, x, x);
    }
    for (int i = 0; i < nv; i++) f[i] = desk->hold[i] > 0 ? f[i] - x[i] : 0;
    return ZV_OK;
}

/* J := J_r, Y := M^-1 J_r^T by rows, and the inverse of J_r M^-1 J_r^T. */
static zvStatus open_task(const zvElement *e, const zvInstant *now, const zvTaskRows *rows, zvMobility *mobility) {
    const zvModel *model = now->drives->model;
    const zvTask *task = &e->of.task.task;
    const zvEffortsDesk *desk = zv_efforts_desk(now->out);
    size_t nv = (size_t)now->drives->nv;
    double B[36];
    zv_frame_jacobian(model, now->work, now->q, task->frame, task->axes, desk->J);
    for (size_t i = 0; i < 6; i++) {
        double *J = desk->J + i * nv, *Y = desk->Y + i * nv;
        zvStatus status = reduce(now, J);
        if (status == ZV_OK) status = zv_mass_inverse_times(model, now->work, now->q, J, Y);
        if (status < 0) return status;
        for (size_t j = 0; j <= i; j++) B[6 * i + j] = B[6 * j + i] = dot((int)nv, Y, desk->J + j * nv);
    }
    return zv_mobility_invert(B, rows, zv_task_reach(model, task->frame), mobility);
}

/* What the task's rows lack of xdd when nobody pushes. */
static zvStatus lack(const zvElement *e, const zvInstant *now, const zvTaskRows *rows, const double *xdd, double *x) {
    const zvTask *task = &e->of.task.task;
    double *a = zv_efforts_desk(now->out)->y, idle[6];
    const zvModel *model = now->drives->model;
    zvStatus status = zv_forward_dynamics(model, now->work, now->q, now->v, NULL, NULL, a);
    zv_frame_acceleration(model, now->work, now->q, now->v, a, task->frame, task->axes, idle);
    for (int i = 0; i < rows->count; i++) x[i] = xdd[i] - idle[rows->at[i]];
    return status;
}

/* tau := -null_damping M_r v_a */
static zvStatus brake(const zvElement *e, const zvInstant *now, double *tau) {
    const double *hold = zv_efforts_desk(now->out)->hold;
    int nv = now->drives->nv;
    for (int i = 0; i < nv; i++) tau[i] = hold[i] > 0 ? -e->of.task.null_damping * now->v[i] : 0;
    if (e->of.task.null_damping == 0) return ZV_OK;
    zv_mass_times(now->drives->model, now->work, now->q, tau, tau);
    return reduce(now, tau);
}

zvStatus zv_reduced_task_force(const zvElement *e, const zvInstant *now, const double *xdd, double *tau) {
    const zvEffortsDesk *desk = zv_efforts_desk(now->out);
    int nv = now->drives->nv;
    zvTaskRows rows = zv_task_rows(&e->of.task.task);
    zvMobility mobility;
    double x[6], F[6];
    memset(desk->hold, 0, (size_t)nv * sizeof *desk->hold);
    for (int k = 0; k < e->count; k++) desk->hold[e->dofs[k]] = held;
    zvStatus opened = open_task(e, now, &rows, &mobility);
    zvStatus status = opened < 0 ? opened : lack(e, now, &rows, xdd, x);
    if (status >= 0) status = brake(e, now, tau);
    if (status < 0) return status;
    for (int i = 0; i < rows.count; i++) x[i] -= dot(nv, desk->Y + (size_t)rows.at[i] * (size_t)nv, tau);
    zv_mobility_times(&mobility, rows.count, x, F);
    for (int i = 0; i < rows.count; i++) {
        const double *J = desk->J + (size_t)rows.at[i] * (size_t)nv;
        for (int k = 0; k < nv; k++) tau[k] += F[i] * J[k];
    }
    return opened;
}
