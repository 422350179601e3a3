/* The coordinates of loops' own joints, and the joints that loops run through. */
#include <assert.h>
#include <string.h>

#include "loops/ends.h"
#include "work/coupling.h"
#include "zveno/loops.h"

/* Quaternion x, y, z, w of the rotation from A to B, in A's axes. */
static void quaternion_between(mat3 A, mat3 B, double *q) {
    const vec3 turn = m3_tmulv(A, tie_turn(A, B));
    const double angle = sqrt(v3_dot(turn, turn));
    v3_to(q, v3_scale(angle > 0 ? sin(0.5 * angle) / angle : 0.5, turn));
    q[3] = cos(0.5 * angle);
}

/* First angle: of the second axis about the first. Second: what is left about the second, in a frame whose z it is. */
static void universal_angles(const zvTie *tie, const tie_now *now, mat3 B, double *q) {
    const vec3 e = v3_of(tie->joint.data->axis2), c = m3_tmulv(now->A, now->d);
    const vec3 aside = fabs(v3_x(e)) < fabs(v3_y(e)) ? v3(1, 0, 0) : v3(0, 1, 0);
    const vec3 x = tie_unit(v3_cross(aside, e));
    const mat3 E = m3(x, v3_cross(e, x), e);
    q[0] = atan2(v3_x(e) * v3_y(c) - v3_y(e) * v3_x(c), v3_x(e) * v3_x(c) + v3_y(e) * v3_y(c));
    q[1] = tie_twist(m3_mul(m3_turn_z(now->A, sin(q[0]), cos(q[0])), E), m3_mul(B, E));
}

static void joint_positions(const zvTie *tie, const zvEnds *ends, double *q) {
    const tie_now *now = &ends->now;
    const mat3 A = now->A, B = m3_mulp12(ends->b.R, tie->b.R);
    switch (tie->joint.type) {
    case ZV_CONTINUOUS:
    case ZV_REVOLUTE: q[0] = tie_twist(A, B); break;
    case ZV_PRISMATIC: q[0] = v3_dot(A.z, now->rho); break;
    case ZV_HELICAL: q[0] = tie_winding(tie, now, B); break;
    case ZV_CYLINDRICAL:
        q[0] = v3_dot(A.z, now->rho);
        q[1] = tie_twist(A, B);
        break;
    case ZV_PLANAR:
        q[0] = v3_dot(A.x, now->rho);
        q[1] = v3_dot(A.y, now->rho);
        q[2] = tie_twist(A, B);
        break;
    case ZV_UNIVERSAL: universal_angles(tie, now, B, q); break;
    case ZV_SPHERICAL: quaternion_between(A, B, q); break;
    case ZV_CURVE: q[0] = now->q; break;
    default: break;
    }
}

static void joint_velocities(const zvTie *tie, const zvEnds *ends, double *v) {
    const tie_now *now = &ends->now;
    const motion x = tie_relative(&ends->a, &ends->b, now);
    switch (tie->joint.type) {
    case ZV_CONTINUOUS:
    case ZV_REVOLUTE:
    case ZV_HELICAL: v[0] = v3_dot(now->A.z, x.ang); break;
    case ZV_PRISMATIC: v[0] = v3_dot(now->A.z, x.lin); break;
    case ZV_CYLINDRICAL:
        v[0] = v3_dot(now->A.z, x.lin);
        v[1] = v3_dot(now->A.z, x.ang);
        break;
    case ZV_PLANAR:
        v[0] = v3_dot(now->A.x, x.lin);
        v[1] = v3_dot(now->A.y, x.lin);
        v[2] = v3_dot(now->A.z, x.ang);
        break;
    case ZV_UNIVERSAL: tie_universal_rates(now, x.ang, &v[0], &v[1]); break;
    case ZV_SPHERICAL: v3_to(v, m3_tmulv(m3_mulp12(ends->b.R, tie->b.R), x.ang)); break;
    case ZV_CURVE: v[0] = v3_dot(now->d, x.lin) / v3_dot(now->d, now->d); break;
    default: break;
    }
}

void zv_loop_coordinates(const zvModel *m, zvWork *work, const double *q, const double *v, int loop, double *qc,
                         double *vc) {
    assert(loop >= 0 && loop < m->nloop);
    const zvTie *tie = &m->tree.closed->tie[loop];
    const tie_target none = {0, 0, 0};
    zvDesk desk = zv_desk_of(m, work);
    const double *tq = zv_tree_q(m, &desk, q), *tv = zv_tree_v(m, &desk, v);
    zvEnds ends;
    zv_ends_at(m, desk, tie, tq, tv, &ends);
    if (tie->kind != ZV_LOOP_JOINT) {
        zv_ends_gap(tie, &ends, none, tq, tv, qc, vc);
        return;
    }
    joint_positions(tie, &ends, qc);
    if (vc) joint_velocities(tie, &ends, vc);
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
