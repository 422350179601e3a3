/* Passive forces of the joints of a model, in the tree and in its loops: springs, viscous and dry friction. */
#include "loops/passive.h"

#include <math.h>
#include <string.h>

#include "base/require.h"
#include "kinematics/joint.h"
#include "model/axis.h"
#include "model/coordinate.h"
#include "model/joint_type.h"
#include "model/tree.h"
#include "work/scratch.h"
#include "zveno/passive.h"

/* The wrench of the forces F along S, in the axes of S. */
static motion along(const zvLoop *loop, const joint *j, const double *F) {
    const motion *S = j->S;
    if (zi_joint_needs(loop->type, ZI_JOINT_PITCH)) return motion_of(v3_zero(), v3_scale(F[0], S[0].ang));
    if (zi_joint_needs(loop->type, ZI_JOINT_PATH))
        return motion_of(v3_scale(F[0] / v3_dot(S[0].lin, S[0].lin), S[0].lin), v3_zero());
    if (zi_joint_needs(loop->type, ZI_JOINT_AXIS2)) { /* its axes need not be at right angles */
        const double c = v3_dot(S[0].ang, S[1].ang), s = 1 - c * c;
        return motion_of(v3_zero(),
                         v3_axpy((F[0] - c * F[1]) / s, S[0].ang, v3_scale((F[1] - c * F[0]) / s, S[1].ang)));
    }
    motion sum = motion_zero();
    for (int k = 0; k < zv_joint_type_nv(loop->type); k++) sum = motion_axpy(F[k], S[k], sum);
    return sum;
}

/* Turned from the axes in which the joint's own is z to those of the parent's frame. */
void zi_loop_joint_wrench(const zvModel *model, int loop, const double *qc, const double *F, double W[6]) {
    const zvLoop *what = zv_model_loop(model, loop);
    double Q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, s[ZV_MAX_DOF + 1], c[ZV_MAX_DOF + 1];
    for (int k = 0; k < zv_joint_type_nq(what->type); k++) {
        s[k] = sin(qc[k]);
        c[k] = cos(qc[k]);
    }
    joint j;
    joint_place(&model->tree.closed->constraint[loop].joint, qc, s, c, &j);
    if (zi_joint_needs(what->type, ZI_JOINT_AXIS)) zi_axis_frame(what->axis, Q);
    const motion own = along(what, &j, F);
    const mat3 A = m3_of(Q); /* by rows: the transpose */
    v3_to(W, m3_tmulv(A, own.lin));
    v3_to(W + 3, m3_tmulv(A, own.ang));
}

/* Where shares are added to; NULL: not wanted. They may be the same array. */
typedef struct PassiveSums {
    double scale;
    double *spring, *viscous, *dry;
} PassiveSums;

static void add(double *to, int dof, double x) {
    if (to) to[dof] += x;
}

/* The sign of a velocity, rounded off as simulations do. */
static double smooth_sign(double v, double smoothing) {
    return smoothing > 0 ? tanh(v / smoothing) : (v > 0) - (v < 0);
}

/* What joints have as matrices; they follow none. */
static void add_matrices(const zvModel *m, int j, const double *q, const double *v, const PassiveSums *to) {
    const ziJointSpring s = zi_joint_spring_of(m, j);
    const zvJointPlace place = m->joint_places[j];
    double F[ZV_MAX_DOF];
    if (s.sprung) zi_joint_spring_force(&s, q + place.q_index, F);
    for (int k = 0; s.sprung && k < s.n; k++) add(to->spring, place.v_index + k, to->scale * F[k]);
    if (s.damped && v) zi_joint_damper_force(&s, v + place.v_index, F);
    for (int k = 0; s.damped && v && k < s.n; k++) add(to->viscous, place.v_index + k, to->scale * F[k]);
}

/* Joints of the tree, followers where they act. */
static void add_joints(const zvModel *m, const double *q, const double *v, double smoothing, const PassiveSums *to) {
    for (int j = 0; j < m->njoint; j++) {
        for (int k = 0; k < zv_joint_type_nv(m->joints[j].type); k++) {
            const ziDofPassive p = zi_joint_passive(m, j, k);
            const double rate = v ? v[p.dof] : 0;
            if (p.stiffness != 0) add(to->spring, p.dof, -to->scale * p.stiffness * (q[p.coordinate] - p.rest));
            add(to->viscous, p.dof, -to->scale * p.damping * rate);
            add(to->dry, p.dof, -to->scale * p.friction * smooth_sign(p.swiftness * rate, smoothing));
        }
        add_matrices(m, j, q, v, to);
    }
}

/* to += U^T W for forces F along the freedoms of a loop's joint. */
static void add_loop_force(const zvModel *m, int loop, const double *U, const double *qc, const double *F, double scale,
                           double *to) {
    double W[6];
    if (!to) return;
    zi_loop_joint_wrench(m, loop, qc, F, W);
    for (int r = 0; r < 6; r++) {
        for (int i = 0; i < m->nv; i++) to[i] += scale * W[r] * U[(size_t)r * (size_t)m->nv + (size_t)i];
    }
}

ziLoopPassive zi_loop_passive(const zvLoop *loop) {
    ziLoopPassive p = {.matrices = zi_joint_spring_of_loop(loop)};
    p.sprung = p.matrices.sprung;
    p.damped = p.matrices.damped;
    for (int k = 0; k < p.matrices.n; k++) {
        p.sprung |= loop->dof[k].stiffness != 0;
        p.damped |= loop->dof[k].damping != 0;
    }
    return p;
}

/* Of single freedoms and matrices together. */
double zi_loop_passive_forces(const zvLoop *loop, const ziLoopPassive *p, const double *qc, const double *vc,
                              double *spring, double *viscous) {
    const int n = p->matrices.n;
    double F[ZV_MAX_DOF], energy = 0;
    for (int k = 0; k < n; k++) {
        const bool sprung = loop->dof[k].stiffness != 0 && !zi_joint_has_quaternion(loop->type);
        const double stretch = sprung ? qc[k] - loop->dof[k].rest : 0;
        spring[k] = -loop->dof[k].stiffness * stretch;
        energy += 0.5 * loop->dof[k].stiffness * stretch * stretch;
        viscous[k] = vc ? -loop->dof[k].damping * vc[k] : 0;
    }
    if (p->matrices.sprung) energy += zi_joint_spring_force(&p->matrices, qc, F);
    for (int k = 0; p->matrices.sprung && k < n; k++) spring[k] += F[k];
    if (p->matrices.damped && vc) zi_joint_damper_force(&p->matrices, vc, F);
    for (int k = 0; p->matrices.damped && vc && k < n; k++) viscous[k] += F[k];
    return energy;
}

/* Springs and dampers of joints that close loops; they have no dry friction. */
static void add_loops(const zvModel *m, zvWork *work, const double *q, const double *v, const PassiveSums *to) {
    zvWork below = *work;
    double *U = NULL, qc[ZV_MAX_DOF + 1], vc[ZV_MAX_DOF], F[2][ZV_MAX_DOF];
    for (int i = 0; i < m->nloop; i++) {
        const ziLoopPassive passive = zi_loop_passive(&m->loops[i]);
        if (m->loops[i].open || (!passive.sprung && !passive.damped)) continue;
        if (!U) U = zi_scratch_doubles(&below.scratch, 6 * (size_t)m->nv);
        zv_loop_matrix(m, &below, q, i, U);
        zv_loop_coordinates(m, &below, q, v, i, qc, vc);
        zi_loop_passive_forces(&m->loops[i], &passive, qc, vc, F[0], F[1]);
        if (passive.sprung) add_loop_force(m, i, U, qc, F[0], to->scale, to->spring);
        if (passive.damped) add_loop_force(m, i, U, qc, F[1], to->scale, to->viscous);
    }
}

static void clear(const zvModel *m, double *x) {
    if (x) memset(x, 0, (size_t)m->nv * sizeof *x);
}

void zv_passive_forces(const zvModel *m, zvWork *work, const double *q, const double *v, double smoothing,
                       double *spring, double *viscous, double *dry) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && smoothing >= 0);
    const PassiveSums to = {1, spring, viscous, dry};
    clear(m, spring);
    clear(m, viscous);
    clear(m, dry);
    add_joints(m, q, v, smoothing, &to);
    add_loops(m, work, q, v, &to);
}

void zv_add_passive_forces(const zvModel *m, zvWork *work, const double *q, const double *v, double smoothing,
                           double scale, double *tau) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(tau, m->nv) && smoothing >= 0);
    const PassiveSums to = {scale, tau, tau, tau};
    add_joints(m, q, v, smoothing, &to);
    add_loops(m, work, q, v, &to);
}

/* Of all springs, 1/2 stiffness (q - rest)^2, and 1/2 x^T K x of matrices. */
double zv_passive_energy(const zvModel *m, zvWork *work, const double *q) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq));
    double sum = 0, qc[ZV_MAX_DOF + 1], unused[2][ZV_MAX_DOF];
    for (int j = 0; j < m->njoint; j++) {
        for (int k = 0; k < zv_joint_type_nv(m->joints[j].type); k++) {
            const ziDofPassive p = zi_joint_passive(m, j, k);
            const double stretch = p.stiffness != 0 ? q[p.coordinate] - p.rest : 0;
            sum += 0.5 * p.stiffness * stretch * stretch;
        }
        const ziJointSpring s = zi_joint_spring_of(m, j);
        if (s.sprung) sum += zi_joint_spring_force(&s, q + m->joint_places[j].q_index, NULL);
    }
    for (int i = 0; i < m->nloop; i++) {
        const ziLoopPassive passive = zi_loop_passive(&m->loops[i]);
        if (m->loops[i].open || !passive.sprung) continue;
        zv_loop_coordinates(m, work, q, NULL, i, qc, NULL);
        sum += zi_loop_passive_forces(&m->loops[i], &passive, qc, NULL, unused[0], unused[1]);
    }
    return sum;
}
