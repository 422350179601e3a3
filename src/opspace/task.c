/* Tasks: their workspace and their dynamics. */
#include "opspace/task.h"

#include "base/require.h"
#include "dynamics/kernels.h"
#include "model/joint_type.h"
#include "opspace/kernels.h"
#include "work/coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for the questions about tasks: a workspace and one block of arrays. */

/* Up to so many coordinates one M^-1 takes less time than six sweeps. */
enum { MOST_INVERSE = 36 };

/* Takes count items of a size from the block; with block NULL only counts. */
static void *take_items(unsigned char *block, size_t *used, size_t count, size_t size) {
    void *taken = block ? block + *used : NULL;
    *used += (count * size + 63) / 64 * 64;
    return taken;
}

/* Called twice: for the size, then for the places; NULL block counts only. */
static size_t lay_out_work(const zvModel *m, unsigned char *block, zvTaskWork *w) {
    size_t used = 0, nv = (size_t)m->nv, nq = (size_t)m->nq;
    w->J = take_items(block, &used, 6 * nv, sizeof(double));
    w->Y = take_items(block, &used, 6 * nv, sizeof(double));
    w->x = take_items(block, &used, nv, sizeof(double));
    w->y = take_items(block, &used, nv, sizeof(double));
    w->lower = take_items(block, &used, nv, sizeof(double));
    w->upper = take_items(block, &used, nv, sizeof(double));
    w->q = take_items(block, &used, nq, sizeof(double));
    w->best = take_items(block, &used, nq, sizeof(double));
    w->q_of = take_items(block, &used, nv, sizeof(int));
    w->turns = take_items(block, &used, nv, 1);
    w->fixed = take_items(block, &used, nv, 1);
    w->Minv = nv <= MOST_INVERSE ? take_items(block, &used, nv * nv, sizeof(double)) : NULL;
    w->reach = take_items(block, &used, (size_t)m->tree.nb, sizeof(double));
    return used;
}

/* Narrows the limits of a coordinate by those of a freedom that follows it (or is it: ratio 1, offset 0). */
static void narrow(zvTaskWork *w, int v, const zvDof *dof, double ratio, double offset) {
    if (!dof->has_limits || ratio == 0) return;
    double a = (dof->lower - offset) / ratio, b = (dof->upper - offset) / ratio;
    w->lower[v] = fmax(w->lower[v], fmin(a, b));
    w->upper[v] = fmin(w->upper[v], fmax(a, b));
}

/* Limits and coordinate of each degree of freedom, as inverse kinematics needs them. */
static void note_coordinates(const zvModel *m, zvTaskWork *w) {
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->nv; i++) {
        w->lower[i] = -INFINITY;
        w->upper[i] = INFINITY;
        w->q_of[i] = -1;
    }
    for (int j = 0, tq = 0, tv = 0; j < m->njoint; j++) {
        zvJointType type = m->joints[j].type;
        int nq = zv_joint_type_nq(type), nv = zv_joint_type_nv(type);
        for (int k = 0; k < nv; k++) {
            int v = c->v_master[tv + k];
            if (!c->follows[tv + k]) w->turns[v] = zi_joint_turns(type, k);
            if (nq != nv) continue; /* a quaternion: no limits */
            w->q_of[v] = c->q_master[tq + k];
            narrow(w, v, &m->joints[j].dof[k], c->q_ratio[tq + k], c->q_offset[tq + k]);
        }
        const int elastic = zv_model_elastic_place(m, j + 1).count;
        for (int k = 0; k < elastic; k++) w->q_of[c->v_master[tv + nv + k]] = c->q_master[tq + nq + k];
        tq += nq + elastic;
        tv += nv + elastic;
    }
}

/* How far the origin of each body can be from the root. */
static void note_reach(const zvModel *m, zvTaskWork *w) {
    const ziTree *t = &m->tree;
    w->reach[0] = 0;
    for (int i = 1; i < t->nb && t->ne == 0; i++) w->reach[i] = w->reach[t->body[i].parent] + zi_length(t->body[i].r);
}

/* zi_task_reach of a frame on a rigid body. */
static double reach_of(const zvTaskWork *w, const ziFrameSpot *spot) {
    const double reach = w->reach[spot->body] + zi_length(spot->in_body.p);
    return reach > 0 ? reach : 1;
}

/* One block besides the workspace. */
zvTaskWork *zv_task_work_create(const zvModel *model, zvError *error) {
    ZI_REQUIRE(model);
    zvTaskWork *w = malloc(sizeof *w);
    zvWork *work = zv_work_create(model, error);
    if (!w || !work) {
        if (!w) zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory");
        free(w);
        zv_work_destroy(work);
        return NULL;
    }
    size_t bytes = lay_out_work(model, NULL, w);
    *w = (zvTaskWork){.model = model, .work = work, .block = malloc(bytes + 1)};
    if (!w->block) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory: room for tasks takes %zu bytes", bytes);
        zv_task_work_destroy(w);
        return NULL;
    }
    lay_out_work(model, w->block, w);
    note_coordinates(model, w);
    note_reach(model, w);
    return w;
}

void zv_task_work_destroy(zvTaskWork *w) {
    if (!w) return;
    zv_work_destroy(w->work);
    free(w->block);
    free(w);
}

/* The dynamics of a task: Lambda, mu, rho, the dynamically consistent inverse and what it leaves free.
 *
 * All rest on B = J M^-1 J^T over the six rows of the frame: six sweeps give the columns Y = M^-1 J^T. Rows outside the
 * task take part in the measure of what is near singular, see above. */

static const double *row(const double *X, int nv, int i) { return X + (size_t)i * (size_t)nv; }

/* The same by M^-1 as a whole. */
static zvStatus multiply_rows(const zvModel *m, zvWork *work, const double *q, ziOpenTask *open) {
    const int nv = open->nv;
    const zvStatus status = zv_mass_inverse(m, work, q, open->Minv);
    if (status < 0) return status;
    for (int i = 0; i < 6; i++) {
        double *Y = open->Y + (size_t)i * (size_t)nv;
        const double *J = row(open->J, nv, i);
        memset(Y, 0, (size_t)nv * sizeof *Y);
        for (int k = 0; k < nv; k++) {
            const double *column = row(open->Minv, nv, k), x = J[k];
            for (int l = 0; l < nv && x != 0; l++) Y[l] += x * column[l];
        }
    }
    return status;
}

/* Y_i = M^-1 J_i, J_i reduced before where not all is driven; a row that is zero needs no sweep. */
static zvStatus sweep_rows(const zvModel *m, zvWork *work, const double *q, const ziTaskDrive *drive,
                           ziOpenTask *open) {
    const size_t nv = (size_t)open->nv;
    for (size_t i = 0; i < 6; i++) {
        double *J = open->J + i * nv, *Y = open->Y + i * nv;
        zvStatus status = drive ? drive->reduce(drive->context, J) : ZV_OK;
        if (status < 0) return status;
        if (zi_all_zero(open->nv, J))
            memset(Y, 0, nv * sizeof *Y);
        else if (drive)
            status = zv_structural_inverse_times(m, work, q, drive->given, NULL, 0, 0, J, Y);
        else
            status = zv_mass_inverse_times(m, work, q, J, Y);
        if (status < 0) return status;
    }
    return ZV_OK;
}

/* J, Y = M^-1 J^T and the inverse of B = J Y, which everything else uses. */
zvStatus zi_task_open(const zvModel *m, zvWork *work, const double *q, const zvTask *task, const ziTaskDrive *drive,
                      ziOpenTask *open) {
    const int nv = open->nv = m->nv;
    double B[36];
    open->rows = zi_task_rows(task);
    zv_frame_jacobian(m, work, q, task->frame, task->axes, open->J);
    const zvStatus status =
        open->Minv && !drive ? multiply_rows(m, work, q, open) : sweep_rows(m, work, q, drive, open);
    if (status < 0) return status;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) B[6 * i + j] = B[6 * j + i] = zi_dot(nv, row(open->J, nv, i), row(open->Y, nv, j));
    }
    return zi_mobility_invert(m, B, &open->rows, zi_task_reach(m, task->frame), &open->mobility);
}

/* x := J M^-1 tau, rows of the task. */
static void accelerate_rows(const ziOpenTask *open, const double *tau, double *x) {
    for (int i = 0; i < open->rows.count; i++) x[i] = zi_dot(open->nv, row(open->Y, open->nv, open->rows.at[i]), tau);
}

/* tau += factor J^T F */
static void add_task_force(const ziOpenTask *open, const double *F, double factor, double *tau) {
    for (int i = 0; i < open->rows.count; i++) {
        const double *J = row(open->J, open->nv, open->rows.at[i]);
        for (int k = 0; k < open->nv; k++) tau[k] += factor * F[i] * J[k];
    }
}

void zi_task_correct(const ziOpenTask *open, const double *wanted, double *tau) {
    double x[6], F[6];
    accelerate_rows(open, tau, x);
    for (int i = 0; i < open->rows.count; i++) x[i] = (wanted ? wanted[i] : 0) - x[i];
    zi_mobility_times(&open->mobility, open->rows.count, x, F);
    add_task_force(open, F, 1, tau);
}

/* A task of all degrees of freedom, in the arrays of its workspace. */
static zvStatus task_open(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, ziOpenTask *open) {
    open->J = w->J;
    open->Y = w->Y;
    open->Minv = w->Minv;
    return zi_task_open(m, w->work, q, task, NULL, open);
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
                          const ziOpenTask *open, double *mu) {
    double bias[6], x[6];
    velocity_force(m, w, q, v, w->x);
    accelerate_rows(open, w->x, x);
    zv_frame_bias(m, w->work, q, v, task->frame, task->axes, bias);
    for (int i = 0; i < open->rows.count; i++) x[i] -= bias[open->rows.at[i]];
    zi_mobility_times(&open->mobility, open->rows.count, x, mu);
}

/* rho = Lambda J M^-1 g */
static void weight_term(const zvModel *m, zvTaskWork *w, const double *q, const ziOpenTask *open, double *rho) {
    double x[6];
    zv_gravity_force(m, w->work, q, w->x);
    accelerate_rows(open, w->x, x);
    zi_mobility_times(&open->mobility, open->rows.count, x, rho);
}

/* B, and what velocities and weight do to the frame, in one sweep: rigid trees whose joints move by themselves. */
static bool moves_freely(const zvModel *m) { return m->tree.ne == 0 && m->coupling.count == 0; }

/* y = -A x for the task's rows of x (6) */
static void resist(const ziMobility *mobility, const ziTaskRows *rows, const double x[6], double *y) {
    double picked[6];
    for (int i = 0; i < rows->count; i++) picked[i] = -x[rows->at[i]];
    zi_mobility_times(mobility, rows->count, picked, y);
}

/* mu and rho are what keeps the frame from the accelerations that it would have. */
static zvStatus inertia_by_path(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                                ziMobility *mobility, double *mu, double *rho) {
    const ziTaskRows rows = zi_task_rows(task);
    ziFrameSpot spot;
    ziFrameMobility moved;
    zi_frame_spot(m, task->frame, &spot);
    const zvStatus made = zi_task_kernels(m)->frame_mobility(
        &m->tree, zi_scratch_of(m, w->work), &spot, task->axes == ZV_AXES_LOCAL, rho != NULL, q, mu ? v : NULL, &moved);
    if (made < 0) return made;
    const zvStatus status = zi_mobility_invert(m, moved.B, &rows, reach_of(w, &spot), mobility);
    if (mu) resist(mobility, &rows, moved.drift, mu);
    if (rho) resist(mobility, &rows, moved.fall, rho);
    return status;
}

/* The same by M^-1 J^T, of elastic links and coupled joints. */
static zvStatus inertia_by_columns(const zvModel *m, zvTaskWork *w, const double *q, const double *v,
                                   const zvTask *task, ziMobility *mobility, double *mu, double *rho) {
    ziOpenTask open;
    const zvStatus status = task_open(m, w, q, task, &open);
    if (status < 0) return status;
    *mobility = open.mobility;
    if (mu && v) velocity_term(m, w, q, v, task, &open, mu);
    if (rho) weight_term(m, w, q, &open, rho);
    return status;
}

/* Answers that are not asked for are NULL. */
static zvStatus task_inertia(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                             ziMobility *mobility, double *mu, double *rho) {
    return moves_freely(m) ? inertia_by_path(m, w, q, v, task, mobility, mu, rho)
                           : inertia_by_columns(m, w, q, v, task, mobility, mu, rho);
}

/* What is not asked for is not computed; zeros where M is singular. */
zvStatus zv_task_inertia(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                         double *Lambda, double *mu, double *rho, double *rcond) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task);
    const size_t width = (size_t)zv_task_width(task);
    ziMobility mobility = {0};
    if (mu) memset(mu, 0, width * sizeof *mu);
    if (rho) memset(rho, 0, width * sizeof *rho);
    const zvStatus status = task_inertia(m, w, q, v, task, &mobility, v ? mu : NULL, rho);
    if (Lambda) memcpy(Lambda, mobility.inverse, width * width * sizeof *Lambda);
    if (rcond) *rcond = mobility.rcond;
    return status;
}

/* Lambda, mu and rho; velocities NULL: no mu. */
zvStatus zv_task_dynamics(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                          zvTaskDynamics *out) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task && out);
    *out = (zvTaskDynamics){0};
    ziMobility mobility;
    const zvStatus status = task_inertia(m, w, q, v, task, &mobility, v ? out->mu : NULL, out->rho);
    if (status < 0) return status;
    memcpy(out->Lambda, mobility.inverse, sizeof out->Lambda);
    memcpy(out->damping, mobility.damping, sizeof out->damping);
    out->rcond = mobility.rcond;
    return status;
}

void zv_task_jacobian(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, double *J) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task && ZI_ARRAY(J, m->nv));
    ziTaskRows rows = zi_task_rows(task);
    size_t nv = (size_t)m->nv;
    zv_frame_jacobian(m, w->work, q, task->frame, task->axes, w->J);
    for (int i = 0; i < rows.count; i++) memcpy(J + (size_t)i * nv, row(w->J, m->nv, rows.at[i]), nv * sizeof *J);
}

/* Jbar = M^-1 J^T Lambda, row by row. */
zvStatus zv_task_inverse(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, double *Jbar) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task && ZI_ARRAY(Jbar, m->nv));
    ziOpenTask open;
    const zvStatus status = task_open(m, w, q, task, &open);
    if (status < 0) return status;
    for (int k = 0; k < m->nv; k++) {
        double y[6];
        for (int i = 0; i < open.rows.count; i++) y[i] = row(w->Y, m->nv, open.rows.at[i])[k];
        zi_mobility_times(&open.mobility, open.rows.count, y, Jbar + (size_t)k * (size_t)open.rows.count);
    }
    return status;
}

/* tau - J^T Lambda J M^-1 tau */
zvStatus zv_task_null_force(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, const double *tau,
                            double *tau_out) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task && ZI_ARRAY(tau, m->nv) && ZI_ARRAY(tau_out, m->nv));
    ziOpenTask open;
    const zvStatus status = task_open(m, w, q, task, &open);
    if (status < 0) return status;
    memmove(tau_out, tau, (size_t)m->nv * sizeof *tau_out);
    zi_task_correct(&open, NULL, tau_out);
    return status;
}

/* Row by row: 1 - Y^T Lambda J. */
zvStatus zv_task_null_projector(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task, double *N) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task && ZI_ARRAY(N, m->nv));
    ziOpenTask open;
    const zvStatus status = task_open(m, w, q, task, &open);
    if (status < 0) return status;
    for (int k = 0; k < m->nv; k++) {
        double *out = N + (size_t)k * (size_t)m->nv, y[6], x[6]; /* row k of 1 - Y^T Lambda J */
        for (int i = 0; i < open.rows.count; i++) y[i] = row(w->Y, m->nv, open.rows.at[i])[k];
        zi_mobility_times(&open.mobility, open.rows.count, y, x);
        memset(out, 0, (size_t)m->nv * sizeof *out);
        out[k] = 1;
        add_task_force(&open, x, -1, out);
    }
    return status;
}

/* J^T F and, in what the task leaves free, the null torque. */
zvStatus zv_task_force(const zvModel *m, zvTaskWork *w, const double *q, const double *v, const zvTask *task,
                       const double *xdd, const double *null_tau, double *tau) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task && xdd && ZI_ARRAY(tau, m->nv));
    ziOpenTask open;
    const zvStatus status = task_open(m, w, q, task, &open);
    if (status < 0) return status;
    double F[6], mu[6] = {0}, rho[6];
    if (v) velocity_term(m, w, q, v, task, &open, mu);
    weight_term(m, w, q, &open, rho);
    zi_mobility_times(&open.mobility, open.rows.count, xdd, F);
    for (int i = 0; i < open.rows.count; i++) F[i] += mu[i] + rho[i];
    if (null_tau) {
        memmove(tau, null_tau, (size_t)m->nv * sizeof *tau);
        zi_task_correct(&open, NULL, tau);
    } else {
        memset(tau, 0, (size_t)m->nv * sizeof *tau);
    }
    add_task_force(&open, F, 1, tau);
    return status;
}
