/* The dynamics of a task: Lambda, mu, rho, the dynamically consistent inverse and what it leaves free.
 *
 * All rest on B = J M^-1 J^T over the six rows of the frame: six sweeps give the columns Y = M^-1 J^T. Rows outside the
 * task take part in the measure of what is near singular, see mobility.c. */
#include <string.h>

#include "dynamics/kernels.h"
#include "opspace/task.h"
#include "work/coupling.h"

/* A task at a position: w->J and w->Y are filled. */
typedef struct Opened {
    ziTaskRows rows;
    ziMobility mobility; /* its inverse is Lambda */
    zvStatus status;
} Opened;

static const double *row(const double *X, const zvModel *m, int i) { return X + (size_t)i * (size_t)m->nv; }

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

/* Y_i = M^-1 J_i; a row that is zero needs no sweep. */
static zvStatus sweep_rows(const zvModel *m, zvTaskWork *w, const double *q) {
    for (int i = 0; i < 6; i++) {
        double *y = w->Y + (size_t)i * (size_t)m->nv;
        if (all_zero(m->nv, row(w->J, m, i))) {
            memset(y, 0, (size_t)m->nv * sizeof *y);
            continue;
        }
        zvStatus status = zv_mass_inverse_times(m, w->work, q, row(w->J, m, i), y);
        if (status < 0) return status;
    }
    return ZV_OK;
}

static Opened task_open(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task) {
    Opened open = {.rows = zi_task_rows(task)};
    double B[36];
    zv_frame_jacobian(m, w->work, q, task->frame, task->axes, w->J);
    open.status = sweep_rows(m, w, q);
    if (open.status < 0) return open;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) B[6 * i + j] = B[6 * j + i] = dot(m->nv, row(w->J, m, i), row(w->Y, m, j));
    }
    open.status = zi_mobility_invert(B, &open.rows, zi_task_reach(m, task->frame), &open.mobility);
    return open;
}

/* x := rows of the task times tau, with J or Y: J tau or J M^-1 tau. */
static void project(const zvModel *m, const double *X, const Opened *open, const double *tau, double *x) {
    for (int i = 0; i < open->rows.count; i++) x[i] = dot(m->nv, row(X, m, open->rows.at[i]), tau);
}

/* tau += factor J^T F */
static void push(const zvModel *m, const zvTaskWork *w, const Opened *open, const double *F, double factor,
                 double *tau) {
    for (int i = 0; i < open->rows.count; i++) {
        const double *J = row(w->J, m, open->rows.at[i]);
        for (int k = 0; k < m->nv; k++) tau[k] += factor * F[i] * J[k];
    }
}

/* C v by Newton-Euler without weight: the difference of bias and weight would lose the digits of a slow motion. */
static void velocity_force(const zvModel *m, zvTaskWork *w, const double *q, const double *v, double *c) {
    static const double weightless[3] = {0, 0, 0};
    ziScratch scratch = zi_scratch_of(m, w->work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    double *tree = zi_tree_vector(m, &scratch, c);
    zi_kernels(m)->newton_euler(&m->tree, scratch, tq, tv, NULL, weightless, NULL, tree, NULL);
    zi_contract(m, tree, c);
}

/* mu = Lambda (J M^-1 C v - Jdot v) [Kolyubin] 3.2 */
static void velocity_term(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                          const Opened *open, double *mu) {
    double bias[6], x[6];
    velocity_force(m, w, q, v, w->x);
    project(m, w->Y, open, w->x, x);
    zv_frame_bias(m, w->work, q, v, task->frame, task->axes, bias);
    for (int i = 0; i < open->rows.count; i++) x[i] -= bias[open->rows.at[i]];
    zi_mobility_times(&open->mobility, open->rows.count, x, mu);
}

/* rho = Lambda J M^-1 g */
static void weight_term(const zvModel *m, zvTaskWork *w, const double *q, const Opened *open, double *rho) {
    double x[6];
    zv_gravity_force(m, w->work, q, w->x);
    project(m, w->Y, open, w->x, x);
    zi_mobility_times(&open->mobility, open->rows.count, x, rho);
}

zvStatus zv_task_dynamics(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                          zvTaskDynamics *out) {
    *out = (zvTaskDynamics){0};
    Opened open = task_open(m, w, q, task);
    if (open.status < 0) return open.status;
    memcpy(out->Lambda, open.mobility.inverse, sizeof out->Lambda);
    memcpy(out->damping, open.mobility.damping, sizeof out->damping);
    out->rcond = open.mobility.rcond;
    if (v) velocity_term(m, w, q, v, task, &open, out->mu);
    weight_term(m, w, q, &open, out->rho);
    return open.status;
}

void zv_task_jacobian(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, double *J) {
    ziTaskRows rows = zi_task_rows(task);
    size_t nv = (size_t)m->nv;
    zv_frame_jacobian(m, w->work, q, task->frame, task->axes, w->J);
    for (int i = 0; i < rows.count; i++) memcpy(J + (size_t)i * nv, row(w->J, m, rows.at[i]), nv * sizeof *J);
}

zvStatus zv_task_inverse(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, double *Jbar) {
    Opened open = task_open(m, w, q, task);
    if (open.status < 0) return open.status;
    for (int k = 0; k < m->nv; k++) {
        double y[6];
        for (int i = 0; i < open.rows.count; i++) y[i] = row(w->Y, m, open.rows.at[i])[k];
        zi_mobility_times(&open.mobility, open.rows.count, y, Jbar + (size_t)k * (size_t)open.rows.count);
    }
    return open.status;
}

/* out = tau - J^T Lambda J M^-1 tau */
static void keep_null(const zvModel *m, zvTaskWork *w, const Opened *open, const double *tau, double *out) {
    double x[6], F[6];
    project(m, w->Y, open, tau, x);
    zi_mobility_times(&open->mobility, open->rows.count, x, F);
    memmove(out, tau, (size_t)m->nv * sizeof *out);
    push(m, w, open, F, -1, out);
}

zvStatus zv_task_null_force(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, const double *tau,
                            double *tau_out) {
    Opened open = task_open(m, w, q, task);
    if (open.status >= 0) keep_null(m, w, &open, tau, tau_out);
    return open.status;
}

zvStatus zv_task_null_projector(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, double *N) {
    Opened open = task_open(m, w, q, task);
    if (open.status < 0) return open.status;
    for (int k = 0; k < m->nv; k++) {
        double *out = N + (size_t)k * (size_t)m->nv, y[6], x[6]; /* row k of 1 - Y^T Lambda J */
        for (int i = 0; i < open.rows.count; i++) y[i] = row(w->Y, m, open.rows.at[i])[k];
        zi_mobility_times(&open.mobility, open.rows.count, y, x);
        memset(out, 0, (size_t)m->nv * sizeof *out);
        out[k] = 1;
        push(m, w, &open, x, -1, out);
    }
    return open.status;
}

zvStatus zv_task_force(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                       const double *xdd, const double *null_tau, double *tau) {
    Opened open = task_open(m, w, q, task);
    if (open.status < 0) return open.status;
    double F[6], mu[6] = {0}, rho[6];
    if (v) velocity_term(m, w, q, v, task, &open, mu);
    weight_term(m, w, q, &open, rho);
    zi_mobility_times(&open.mobility, open.rows.count, xdd, F);
    for (int i = 0; i < open.rows.count; i++) F[i] += mu[i] + rho[i];
    if (null_tau)
        keep_null(m, w, &open, null_tau, tau);
    else
        memset(tau, 0, (size_t)m->nv * sizeof *tau);
    push(m, w, &open, F, 1, tau);
    return open.status;
}
