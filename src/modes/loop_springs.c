/* Springs and dampers of joints that close loops, about a state of rest. A loop has coordinates c of its own, whose
 * rates are linear in those of the tree, and its forces F along them do to the tree what the wrench W of F does across
 * the loop: with U the velocities across it,
 *
 *   force(q) = U^T W(c, F(c))
 *   K = U^T W(c, K_l dc/dq) - d/dq [U^T W(c, F)],  F constant        D = U^T W(c, D_l dc/dq)
 *
 * The first term of K and D are exact; the second, what the turning of a stretched spring makes of the stiffness, comes
 * from differences and is zero where the spring is at rest. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "loops/passive.h"
#include "model/joint_type.h"
#include "modes/statics.h"
#include "zveno/loops.h"

/* What the joint of a loop carries; nothing where it is open, or where it does not count. */
static ziLoopPassive passive_of(const ziStatics *s, int loop) {
    const zvLoop *what = zv_model_loop(s->model, loop);
    return s->rest->joint_matrices && !what->open ? zi_loop_passive(what) : (ziLoopPassive){0};
}

/* force (nv) += U^T W of forces F along the freedoms of a loop at q. */
static void add_across(ziStatics *s, int loop, const double *q, const double *F, double *force) {
    double W[6], qc[ZV_MAX_DOF + 1];
    zv_loop_coordinates(s->model, s->work, q, NULL, loop, qc, NULL);
    zi_loop_joint_wrench(s->model, loop, qc, F, W);
    zv_loop_matrix(s->model, s->work, q, loop, s->across);
    for (size_t r = 0; r < 6; r++) {
        for (size_t i = 0; i < s->nv; i++) force[i] += W[r] * s->across[r * s->nv + i];
    }
}

/* The forces of the springs of a loop along its freedoms. */
static void spring_forces(ziStatics *s, int loop, const ziLoopPassive *p, const double *q, double *F) {
    double qc[ZV_MAX_DOF + 1], unused[ZV_MAX_DOF];
    zv_loop_coordinates(s->model, s->work, q, NULL, loop, qc, NULL);
    zi_loop_passive_forces(zv_model_loop(s->model, loop), p, qc, NULL, F, unused);
}

void zi_statics_add_loop_springs(ziStatics *s, const double *q, double *force) {
    for (int loop = 0; loop < zv_model_nloop(s->model); loop++) {
        const ziLoopPassive p = passive_of(s, loop);
        double F[ZV_MAX_DOF];
        if (!p.sprung) continue;
        spring_forces(s, loop, &p, q, F);
        add_across(s, loop, q, F, force);
    }
}

/* (n x n) of a loop: stiffness at qc, or damping. */
static void own_matrix(const zvLoop *loop, const ziLoopPassive *p, bool stiffness, const double *qc, double *X) {
    const int n = p->matrices.n;
    memset(X, 0, ZV_MAX_DOF * ZV_MAX_DOF * sizeof *X);
    if (stiffness && p->matrices.sprung) zi_joint_spring_tangent(&p->matrices, qc, X);
    if (!stiffness && p->matrices.damped) memcpy(X, p->matrices.D, (size_t)(n * n) * sizeof *X);
    for (int k = 0; k < n; k++) {
        const bool inside = stiffness && zi_joint_has_quaternion(loop->type); /* springs are in the matrix */
        if (!inside) X[k * n + k] += stiffness ? loop->dof[k].stiffness : loop->dof[k].damping;
    }
}

/* X (nv x nv) += U^T W(own dc/dq), a column for each degree of freedom. */
static void add_own(ziStatics *s, int loop, const ziLoopPassive *p, bool stiffness, const double *q, double *X) {
    const int n = p->matrices.n;
    double own[ZV_MAX_DOF * ZV_MAX_DOF], qc[ZV_MAX_DOF + 1], vc[ZV_MAX_DOF], F[ZV_MAX_DOF];
    zv_loop_coordinates(s->model, s->work, q, NULL, loop, qc, NULL);
    own_matrix(zv_model_loop(s->model, loop), p, stiffness, qc, own);
    for (size_t j = 0; j < s->nv; j++) {
        double *column = s->loops;
        s->step[j] = 1;
        zv_loop_coordinates(s->model, s->work, q, s->step, loop, qc, vc);
        s->step[j] = 0;
        for (int k = 0; k < n; k++) {
            F[k] = 0;
            for (int l = 0; l < n; l++) F[k] += own[k * n + l] * vc[l];
        }
        memset(column, 0, s->nv * sizeof *column);
        add_across(s, loop, q, F, column);
        for (size_t i = 0; i < s->nv; i++) X[i * s->nv + j] += column[i];
    }
}

/* The force of a loop where degree of freedom j has moved. */
static void force_moved(ziStatics *s, int loop, const double *q, size_t j, double step, const double *F,
                        double *force) {
    s->step[j] = step;
    zv_position_add(s->model, q, s->step, s->moved);
    s->step[j] = 0;
    memset(force, 0, s->nv * sizeof *force);
    add_across(s, loop, s->moved, F, force);
}

/* K -= the change of U^T W of constant forces; entries that rounding alone could have made are left out. */
static void add_turning(ziStatics *s, int loop, const double *F, int n, const double *q, int points, bool skip_held,
                        double *K) {
    double *f = s->loops + s->nv, size = 0;
    const size_t nv = s->nv;
    for (int k = 0; k < n; k++) size += fabs(F[k]) * fmax(1, s->reach);
    for (size_t j = 0; size > 0 && j < nv; j++) {
        const double h = zi_statics_step(points) * s->unit[j];
        if (skip_held && s->rest->held && s->rest->held[j]) continue;
        force_moved(s, loop, q, j, -h, F, f);
        force_moved(s, loop, q, j, h, F, f + nv);
        if (points == 4) {
            force_moved(s, loop, q, j, -2 * h, F, f + 2 * nv);
            force_moved(s, loop, q, j, 2 * h, F, f + 3 * nv);
        }
        for (size_t i = 0; i < nv; i++) {
            const double near = f[nv + i] - f[i];
            const double slope = points == 4 ? (8 * near - (f[3 * nv + i] - f[2 * nv + i])) / (12 * h) : near / (2 * h);
            if (fabs(slope) > ZI_STATICS_NOISE / h * size / s->unit[i]) K[i * nv + j] -= slope;
        }
    }
}

void zi_statics_add_loop_stiffness(ziStatics *s, const double *q, int points, bool skip_held, double *K) {
    for (int loop = 0; loop < zv_model_nloop(s->model); loop++) {
        const ziLoopPassive p = passive_of(s, loop);
        double F[ZV_MAX_DOF];
        if (!p.sprung) continue;
        add_own(s, loop, &p, true, q, K);
        spring_forces(s, loop, &p, q, F);
        add_turning(s, loop, F, p.matrices.n, q, points, skip_held, K);
    }
}

void zi_statics_add_loop_damping(ziStatics *s, const double *q, double *C) {
    for (int loop = 0; loop < zv_model_nloop(s->model); loop++) {
        const ziLoopPassive p = passive_of(s, loop);
        if (p.damped) add_own(s, loop, &p, false, q, C);
    }
}

/* Springs of the tree alone would be another mechanism. */
zvStatus zi_statics_check_loop_springs(const ziStatics *s, zvError *error) {
    if ((!s->rest->stiffness && !s->rest->damping) || s->rest->joint_matrices) return ZV_OK;
    for (int i = 0; i < zv_model_nloop(s->model); i++) {
        const zvLoop *loop = zv_model_loop(s->model, i);
        const ziLoopPassive own = zi_loop_passive(loop);
        if (!loop->open && (own.sprung || own.damped))
            return zv_fail(error, ZV_NOT_SUPPORTED, loop->mark, loop->name,
                           "expected joint_matrices of zvRest where springs or dampers of the tree act and loop "
                           "\"%.60s\" has some of its own, found them left out; set it, or give no stiffness and no "
                           "damping",
                           loop->name);
    }
    return ZV_OK;
}
