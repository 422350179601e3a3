/* The coordinates of loops' own joints, and the joints that loops run through. */
#include <assert.h>
#include <string.h>

#include "loops/ends.h"
#include "work/coupling.h"
#include "zveno/loops.h"

/* Quaternion x, y, z, w of the rotation from A to B, in A's axes. */
static void quaternion_between(mat3 A, mat3 B, double *q) {
    const vec3 turn = m3_tmulv(A, constraint_turn(A, B));
    const double angle = sqrt(v3_dot(turn, turn));
    v3_to(q, v3_scale(angle > 0 ? sin(0.5 * angle) / angle : 0.5, turn));
    q[3] = cos(0.5 * angle);
}

/* First angle: of the second axis about the first. Second: what is left about the second, in a frame whose z it is. */
static void universal_angles(const ziConstraint *constraint, const constraint_now *now, mat3 B, double *q) {
    const vec3 e = v3_of(constraint->joint.data->axis2), c = m3_tmulv(now->A, now->d);
    const vec3 aside = fabs(v3_x(e)) < fabs(v3_y(e)) ? v3(1, 0, 0) : v3(0, 1, 0);
    const vec3 x = constraint_unit(v3_cross(aside, e));
    const mat3 E = m3(x, v3_cross(e, x), e);
    q[0] = atan2(v3_x(e) * v3_y(c) - v3_y(e) * v3_x(c), v3_x(e) * v3_x(c) + v3_y(e) * v3_y(c));
    q[1] = constraint_twist(m3_mul(m3_turn_z(now->A, sin(q[0]), cos(q[0])), E), m3_mul(B, E));
}

static void joint_positions(const ziConstraint *constraint, const ziEnds *ends, double *q) {
    const constraint_now *now = &ends->now;
    const mat3 A = now->A, B = m3_mulp12(ends->b.R, constraint->b.R);
    switch (constraint->joint.type) {
    case ZV_JOINT_CONTINUOUS:
    case ZV_JOINT_REVOLUTE: q[0] = constraint_twist(A, B); break;
    case ZV_JOINT_PRISMATIC: q[0] = v3_dot(A.z, now->rho); break;
    case ZV_JOINT_HELICAL: q[0] = constraint_winding(constraint, now, B); break;
    case ZV_JOINT_CYLINDRICAL:
        q[0] = v3_dot(A.z, now->rho);
        q[1] = constraint_twist(A, B);
        break;
    case ZV_JOINT_PLANAR:
        q[0] = v3_dot(A.x, now->rho);
        q[1] = v3_dot(A.y, now->rho);
        q[2] = constraint_twist(A, B);
        break;
    case ZV_JOINT_UNIVERSAL: universal_angles(constraint, now, B, q); break;
    case ZV_JOINT_SPHERICAL: quaternion_between(A, B, q); break;
    case ZV_JOINT_CURVE: q[0] = now->q; break;
    default: break;
    }
}

static void joint_velocities(const ziConstraint *constraint, const ziEnds *ends, double *v) {
    const constraint_now *now = &ends->now;
    const motion x = constraint_relative(&ends->a, &ends->b, now);
    switch (constraint->joint.type) {
    case ZV_JOINT_CONTINUOUS:
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_HELICAL: v[0] = v3_dot(now->A.z, x.ang); break;
    case ZV_JOINT_PRISMATIC: v[0] = v3_dot(now->A.z, x.lin); break;
    case ZV_JOINT_CYLINDRICAL:
        v[0] = v3_dot(now->A.z, x.lin);
        v[1] = v3_dot(now->A.z, x.ang);
        break;
    case ZV_JOINT_PLANAR:
        v[0] = v3_dot(now->A.x, x.lin);
        v[1] = v3_dot(now->A.y, x.lin);
        v[2] = v3_dot(now->A.z, x.ang);
        break;
    case ZV_JOINT_UNIVERSAL: constraint_universal_rates(now, x.ang, &v[0], &v[1]); break;
    case ZV_JOINT_SPHERICAL: v3_to(v, m3_tmulv(m3_mulp12(ends->b.R, constraint->b.R), x.ang)); break;
    case ZV_JOINT_CURVE: v[0] = v3_dot(now->d, x.lin) / v3_dot(now->d, now->d); break;
    default: break;
    }
}

void zv_loop_coordinates(const zvModel *m, zvWork *work, const double *q, const double *v, int loop, double *qc,
                         double *vc) {
    assert(loop >= 0 && loop < m->nloop);
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    const constraint_target none = {0, 0, 0};
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, tq, tv, &ends);
    if (constraint->kind != ZV_LOOP_JOINT) {
        zi_ends_gap(constraint, &ends, none, tq, tv, qc, vc);
        return;
    }
    joint_positions(constraint, &ends, qc);
    if (vc) joint_velocities(constraint, &ends, vc);
}

/* Adds sign to the joints from a link to the root. */
static void add_path(const zvModel *m, int link, int sign, int *signs) {
    for (; link >= 0 && m->link_places[link].joint >= 0; link = m->link_places[link].parent)
        signs[m->link_places[link].joint] += sign;
}

void zv_loop_signs(const zvModel *m, int loop, int *signs) {
    assert(loop >= 0 && loop < m->nloop);
    const zvLoop *what = &m->loops[loop];
    memset(signs, 0, (size_t)m->njoint * sizeof *signs);
    if (what->kind != ZV_LOOP_COUPLING) {
        add_path(m, m->loop_places[loop].child, 1, signs);
        add_path(m, m->loop_places[loop].parent, -1, signs);
    }
    for (int k = 0; what->kind == ZV_LOOP_COUPLING && k < what->term_count; k++)
        signs[zv_model_find_joint(m, what->terms[k].joint)] = what->terms[k].ratio < 0 ? -1 : 1;
}
