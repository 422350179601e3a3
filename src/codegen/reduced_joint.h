/* Joints of a reduced robot at a position. Differs from kinematics/joint.h, which has the definitions: columns are in
 * the axes in which they are constant where there are such axes, because what is constant costs nothing in a
 * straight-line program.
 *
 * Joints that turn about z or not at all: columns in the joint frame. The others (whole): in the body's. */
#ifndef ZI_CODEGEN_REDUCED_JOINT_H
#define ZI_CODEGEN_REDUCED_JOINT_H

#include <math.h>
#include <stddef.h>

#include "codegen/reduced.h"
#include "model/joint_type.h"
#include "spatial/components.h"

typedef struct reducedJoint {
    int whole; /* R is R; else the turn about z */
    turn turn_z;
    real33 R;
    real3 p; /* origin of the body in the joint frame */
    real3 lin[ZV_MAX_DOF], ang[ZV_MAX_DOF];
    real3 curved; /* curve: second derivative of the path */
    real length;  /* of a quaternion, squared */
} reducedJoint;

/* -- coordinates: from those of the model to those of the reduced joints, with sign, coupling and offset ---------- */

static inline real reduced_q(const ziReduced *reduced, const ziReducedBody *b, int k, const real *q) {
    const ziCoupling *c = &reduced->model->coupling;
    const int t = b->q + k;
    return c->count ? b->sign * c->q_ratio[t] * q[c->q_master[t]] + b->sign * c->q_offset[t] : b->sign * q[t];
}

static inline double reduced_rate(const ziReduced *reduced, const ziReducedBody *b, int k) {
    const ziCoupling *c = &reduced->model->coupling;
    return c->count ? b->sign * c->v_ratio[b->v + k] : b->sign;
}

/* Index in the model of the k-th freedom. */
static inline int reduced_dof(const ziReduced *reduced, const ziReducedBody *b, int k) {
    const ziCoupling *c = &reduced->model->coupling;
    return c->count ? c->v_master[b->v + k] : b->v + k;
}

/* v may be NULL: zero. */
static inline real reduced_v(const ziReduced *reduced, const ziReducedBody *b, int k, const real *v) {
    return v ? reduced_rate(reduced, b, k) * v[reduced_dof(reduced, b, k)] : 0;
}

/* A force along a reduced freedom added to the model's. */
static inline void reduced_give(const ziReduced *reduced, const ziReducedBody *b, int k, real force, real *tau) {
    const int i = reduced_dof(reduced, b, k);
    tau[i] = tau[i] + reduced_rate(reduced, b, k) * force;
}

/* Sine and cosine of ratio x + offset; quarters of a circle in the offset only change names. */
static inline turn reduced_turn(double ratio, real x, double offset) {
    const double half_pi = 1.5707963267948966, quarters = round(offset / half_pi);
    const int exact = fabs(offset - quarters * half_pi) <= 1e-15 * fmax(1, fabs(quarters));
    const real angle = exact ? ratio * x : ratio * x + offset;
    const real s = sin(angle), c = cos(angle);
    switch (exact ? (int)(quarters - 4 * floor(quarters / 4)) : 0) {
    case 1: return turn_of(c, -s);
    case 2: return turn_of(-s, -c);
    case 3: return turn_of(-c, s);
    default: return turn_of(s, c);
    }
}

static inline turn reduced_angle(const ziReduced *reduced, const ziReducedBody *b, int k, const real *q) {
    const ziCoupling *c = &reduced->model->coupling;
    const int t = b->q + k;
    if (!c->count) return reduced_turn(b->sign, q[t], b->offset);
    return reduced_turn(b->sign * c->q_ratio[t], q[c->q_master[t]], b->sign * c->q_offset[t] + b->offset);
}

/* -- placement ------------------------------------------------------------------------------------------------- */

/* Rotation by a quaternion x y z w of any length but zero. */
static inline real33 reduced_quaternion(real x, real y, real z, real w, real *length) {
    *length = x * x + y * y + z * z + w * w;
    const real k = 2 / *length;
    const real kx = k * x, ky = k * y, kz = k * z;
    const real xx = kx * x, yy = ky * y, zz = kz * z, xy = kx * y, xz = kx * z, yz = ky * z;
    const real wx = kx * w, wy = ky * w, wz = kz * w;
    return r33(r3(1 - (yy + zz), xy + wz, xz - wy), r3(xy - wz, 1 - (xx + zz), yz + wx),
               r3(xz + wy, yz - wx, 1 - (xx + yy)));
}

/* Rz(first) R(e, second); the first axis in the body's axes is the last row of R(e, second). */
static inline void place_universal(const ziReducedBody *b, turn first, turn second, reducedJoint *j) {
    const real3 e = r3_of(b->data->axis2), se = r3_scale(second.s, e), ke = r3_scale(1 - second.c, e);
    const real33 A = r33(r3(second.c + ke.x * e.x, ke.x * e.y + se.z, ke.x * e.z - se.y),
                         r3(ke.x * e.y - se.z, second.c + ke.y * e.y, ke.y * e.z + se.x),
                         r3(ke.x * e.z + se.y, ke.y * e.z - se.x, second.c + ke.z * e.z));
    j->whole = 1;
    j->R = r33(r3_turn(first, A.x), r3_turn(first, A.y), r3_turn(first, A.z));
    j->ang[0] = r3(A.x.z, A.y.z, A.z.z);
    j->ang[1] = e;
}

/* A point on a line or circle, its derivatives by the arc length. */
static inline void place_curve(const ziPath *path, real q, reducedJoint *j) {
    const real3 a = r3_of(path->a), u = r3_of(path->b), w = r3_of(path->c);
    if (path->kind == ZV_CURVE_LINE) {
        j->p = r3_scale(q, a);
        j->lin[0] = a;
        return;
    }
    const double k = 1 / path->radius;
    const real angle = k * q, s = sin(angle), c = cos(angle);
    const real3 out = r3_add(r3_scale(c, u), r3_scale(s, w));
    j->p = r3_add(a, out);
    j->lin[0] = r3_sub(r3_scale(c, r3_scale(k, w)), r3_scale(s, r3_scale(k, u)));
    j->curved = r3_scale(-k * k, out);
}

/* A joint that slides along and turns about axes: those of its columns. */
static inline void place_axes(const ziReduced *reduced, const ziReducedBody *b, const real *x, const real *q,
                              reducedJoint *j) {
    const real3 axes[3] = {r3(1, 0, 0), r3(0, 1, 0), r3(0, 0, 1)};
    const ziJointType *type = &zi_joint_types[b->type];
    real *const place[3] = {&j->p.x, &j->p.y, &j->p.z};
    for (int k = 0; k < b->nv; k++) {
        const int axis = type->along[k] - 'x';
        if (zi_joint_turns(b->type, k)) j->ang[k] = axes[axis];
        if (zi_joint_turns(b->type, k) && type->quaternion < 0) j->turn_z = reduced_angle(reduced, b, k, q);
        if (!zi_joint_slides(b->type, k)) continue;
        const double pitch = type->moves[k] == 's' ? b->data->pitch : 1;
        *place[axis] = pitch * x[k];
        j->lin[k] = r3_scale(pitch, axes[axis]);
    }
    if (type->quaternion < 0) return;
    const real *e = x + type->quaternion;
    j->whole = 1;
    j->R = reduced_quaternion(e[0], e[1], e[2], e[3], &j->length);
}

/* Joint i at position q: rotation, origin and columns, by what the type needs: a path, a second axis, or slides and
 * turns along its axes. */
static inline void reduced_place(const ziReduced *reduced, int i, const real *q, reducedJoint *j) {
    const ziReducedBody *b = &reduced->body[i];
    const real3 zero = r3_zero();
    real x[7];
    for (int k = 0; k < b->nq; k++) x[k] = reduced_q(reduced, b, k, q);
    j->whole = 0;
    j->turn_z = turn_none();
    j->p = j->curved = zero;
    j->length = 1;
    for (int k = 0; k < b->nv; k++) j->lin[k] = j->ang[k] = zero;
    if (zi_joint_needs(b->type, ZI_JOINT_PATH))
        place_curve(&b->data->path, x[0], j);
    else if (zi_joint_needs(b->type, ZI_JOINT_AXIS2))
        place_universal(b, reduced_angle(reduced, b, 0, q), reduced_angle(reduced, b, 1, q), j);
    else
        place_axes(reduced, b, x, q, j);
}

/* The acceleration that velocities alone make, sum dS[k] v[k], in the axes of the columns. */
static inline void reduced_joint_bias(const ziReduced *reduced, int i, const reducedJoint *j, const real *v, real3 *lin,
                                      real3 *ang) {
    const ziReducedBody *b = &reduced->body[i];
    *lin = *ang = r3_zero();
    if (!v) return;
    real x[ZV_MAX_DOF];
    for (int k = 0; k < b->nv; k++) x[k] = reduced_v(reduced, b, k, v);
    if (b->type == ZV_JOINT_UNIVERSAL) *ang = r3_cross(r3_scale(x[0], j->ang[0]), r3_scale(x[1], j->ang[1]));
    if (b->type == ZV_JOINT_FREE) *lin = r3_cross(r3(x[3], x[4], x[5]), r3(x[0], x[1], x[2]));
    if (b->type == ZV_JOINT_CURVE) *lin = r3_scale(x[0] * x[0], j->curved);
}

#endif
