/* Link transforms of a reduced robot (model/reduced.h), applied to vectors and moments. One source for one state and
 * for lanes of states: entries of arrays hold REAL_UNROLL slots, each a number of one or more states, so that the
 * latency of a recursion, whose operations depend on each other, is filled with those of the other slots. */
#ifndef ZI_DYNAMICS_REDUCED_TRANSFORM_H
#define ZI_DYNAMICS_REDUCED_TRANSFORM_H

#include "kinematics/joint.h"
#include "model/reduced.h"
#include "real/sincos.h"
#include "spatial/components.h"
#include "work/scratch.h"

#ifdef ZI_SINGLE
typedef ziReducedSingles ReducedNumbers;
#else
typedef ziReducedNumbers ReducedNumbers;
#endif

/* Calls step(form, ...) with form a constant. */
#define BY_TRANSFORM_FORM(form, step, ...)                                                             \
    do {                                                                                               \
        switch (form) {                                                                                \
        case ZI_TRANSFORM_LEVEL: step(ZI_TRANSFORM_LEVEL, __VA_ARGS__); break;                         \
        case ZI_TRANSFORM_LEVEL + 1: step(ZI_TRANSFORM_LEVEL + 1, __VA_ARGS__); break;                 \
        case ZI_TRANSFORM_LEVEL + 2: step(ZI_TRANSFORM_LEVEL + 2, __VA_ARGS__); break;                 \
        case ZI_TRANSFORM_LEVEL + 3: step(ZI_TRANSFORM_LEVEL + 3, __VA_ARGS__); break;                 \
        case ZI_TRANSFORM_QUARTER: step(ZI_TRANSFORM_QUARTER, __VA_ARGS__); break;                     \
        case ZI_TRANSFORM_QUARTER + 1: step(ZI_TRANSFORM_QUARTER + 1, __VA_ARGS__); break;             \
        case ZI_TRANSFORM_QUARTER + 2: step(ZI_TRANSFORM_QUARTER + 2, __VA_ARGS__); break;             \
        case ZI_TRANSFORM_QUARTER + 3: step(ZI_TRANSFORM_QUARTER + 3, __VA_ARGS__); break;             \
        case ZI_TRANSFORM_ANY: step(ZI_TRANSFORM_ANY, __VA_ARGS__); break;                             \
        case ZI_TRANSFORM_CYCLIC: step(ZI_TRANSFORM_CYCLIC, __VA_ARGS__); break;                       \
        default: step(ZI_TRANSFORM_TWISTED + ZI_TRANSFORM_X + ZI_TRANSFORM_ALONG, __VA_ARGS__); break; \
        }                                                                                              \
    } while (0)

static ZI_HOT bool is_level(int form) { return form < ZI_TRANSFORM_QUARTER; }
static ZI_HOT bool is_quarter(int form) { return form >= ZI_TRANSFORM_QUARTER && form < ZI_TRANSFORM_TWISTED; }
static ZI_HOT bool has_x(int form) { return form >= ZI_TRANSFORM_ANY || (form & ZI_TRANSFORM_X); }
static ZI_HOT bool has_y(int form) {
    return form >= ZI_TRANSFORM_ANY || (!is_level(form) && (form & ZI_TRANSFORM_ALONG));
}
static ZI_HOT bool has_z(int form) {
    return form >= ZI_TRANSFORM_ANY || (!is_quarter(form) && (form & ZI_TRANSFORM_ALONG));
}

static ZI_HOT real3 reduced_column(const ReducedNumbers *n, int k) {
    return r3(n->E[3 * k], n->E[3 * k + 1], n->E[3 * k + 2]);
}

/* E a */
static ZI_HOT real3 transform_in(int form, const ReducedNumbers *n, real3 a) {
    if (is_level(form)) return a;
    if (is_quarter(form)) return r3(a.x, -a.z, a.y);
    if (form == ZI_TRANSFORM_CYCLIC) return r3(a.z, a.x, a.y);
    if (form != ZI_TRANSFORM_ANY) return r3(a.x, n->cosine * a.y - n->sine * a.z, n->sine * a.y + n->cosine * a.z);
    return r33_mul(r33(reduced_column(n, 0), reduced_column(n, 1), reduced_column(n, 2)), a);
}

/* E^T a */
static ZI_HOT real3 transform_out(int form, const ReducedNumbers *n, real3 a) {
    if (is_level(form)) return a;
    if (is_quarter(form)) return r3(a.x, a.z, -a.y);
    if (form == ZI_TRANSFORM_CYCLIC) return r3(a.y, a.z, a.x);
    if (form != ZI_TRANSFORM_ANY) return r3(a.x, n->cosine * a.y + n->sine * a.z, n->cosine * a.z - n->sine * a.y);
    return r33_tmul(r33(reduced_column(n, 0), reduced_column(n, 1), reduced_column(n, 2)), a);
}

/* Into the axes of a body that turns, and from there to its parent's. */
static ZI_HOT real3 turn_out(int form, const ReducedNumbers *n, turn t, real3 a) {
    const real3 b = transform_out(form, n, a);
    return r3(t.c * b.x + t.s * b.y, t.c * b.y - t.s * b.x, b.z);
}
static ZI_HOT real3 turn_in(int form, const ReducedNumbers *n, turn t, real3 a) {
    return transform_in(form, n, r3_turn(t, a));
}

/* m + r x f */
static ZI_HOT real3 add_moment(int form, const ReducedNumbers *n, real3 f, real3 m) {
    if (has_x(form)) m = r3(m.x, m.y - n->r[0] * f.z, m.z + n->r[0] * f.y);
    if (has_y(form)) m = r3(m.x + n->r[1] * f.z, m.y, m.z - n->r[1] * f.x);
    if (has_z(form)) m = r3(m.x - n->r[2] * f.y, m.y + n->r[2] * f.x, m.z);
    return m;
}

/* -- positions ---------------------------------------------------------------------------------------------------- */

/* Link transform of a body that does not turn about z: rotation to the parent's axes, origin there, its columns in its
 * own axes (none of a body that floats: they are the axes themselves). */
typedef struct LinkTransform {
    real33 R;
    real3 p;
    real3 lin[ZV_MAX_DOF], ang[ZV_MAX_DOF];
    real3 curved; /* second derivative of the path of a curve joint */
} LinkTransform;

/* Positions in all slots. Bodies that turn have sines and cosines of their angles, at b->q; others a link transform,
 * except a base that floats on the ground. */
typedef struct Placed {
    const ziTree *tree;
    const ziReducedStep *step;
    const ReducedNumbers *numbers;
    const real *q;
    const real *s, *c;
    LinkTransform *transforms;
} Placed;

static ZI_HOT turn turn_at(const Placed *x, int i, int slot) {
    const int at = x->step[i].q * REAL_UNROLL + slot;
    return turn_of(x->s[at], x->c[at]);
}

static inline real3 r3_from(vec3 a) { return r3(v3_x(a), v3_y(a), v3_z(a)); }
static inline real33 r33_from(mat3 A) { return r33(r3_from(A.x), r3_from(A.y), r3_from(A.z)); }

static inline real33 reduced_E(const ReducedNumbers *n) {
    return r33(reduced_column(n, 0), reduced_column(n, 1), reduced_column(n, 2));
}
static inline real3 reduced_r(const ReducedNumbers *n) { return r3(n->r[0], n->r[1], n->r[2]); }

/* Coordinates of one joint in one slot, and their sines and cosines. */
typedef struct JointState {
    real q[7], s[7], c[7];
} JointState;

static inline void joint_state(const ziBody *b, const real *q, const real *s, const real *c, int slot, JointState *x) {
    for (int k = 0; k < b->nq; k++) {
        const int at = (b->q + k) * REAL_UNROLL + slot;
        x->q[k] = q[at];
        x->s[k] = s[at];
        x->c[k] = c[at];
    }
}

/* Link transform of a general joint: R = E R_j, p = r + E p_j, its columns turned into the body's axes, and the second
 * derivative of a curve. */
static ZI_COLD void transform_joint(const ziBody *b, const ReducedNumbers *n, const JointState *x, LinkTransform *at) {
    const real33 E = reduced_E(n);
    joint j;
    joint_place(b, x->q, x->s, x->c, &j);
    at->R = r33_mulr(E, r33_from(j.R));
    at->p = r3_add(reduced_r(n), r33_mul(E, r3_from(j.p)));
    for (int k = 0; k < b->nv && b->type != ZV_JOINT_FREE; k++) {
        at->lin[k] = r3_from(m3_tmulv(j.R, j.S[k].lin));
        at->ang[k] = r3_from(m3_tmulv(j.R, j.S[k].ang));
    }
    if (b->type == ZV_JOINT_CURVE) {
        vec3 p, d, dd;
        path_at(&b->data->path, x->q[0], &p, &d, &dd);
        at->curved = r3_from(dd);
    }
}

static ZI_COLD void transform_slide(const ReducedNumbers *n, real q, LinkTransform *at) {
    at->R = reduced_E(n);
    at->p = r3_add(reduced_r(n), r3_scale(n->sign * q, at->R.z));
}

/* Link transforms of all bodies that neither turn about z (sine and cosine suffice) nor float on the ground, in every
 * slot. */
static ZI_COLD void transform_others(const Placed *x) {
    for (int i = 1; i < x->tree->nb; i++) {
        const ziReducedStep *b = &x->step[i];
        if (b->kind == ZI_REDUCED_TURNS || zi_reduced_floats(b)) continue;
        FOR_UNROLL(k) {
            LinkTransform *at = &x->transforms[i * REAL_UNROLL + k];
            JointState state;
            if (b->kind == ZI_REDUCED_SLIDES) {
                transform_slide(&x->numbers[i], x->q[b->q * REAL_UNROLL + k], at);
            } else {
                joint_state(&x->tree->body[i], x->q, x->s, x->c, k, &state);
                transform_joint(&x->tree->body[i], &x->numbers[i], &state, at);
            }
        }
    }
}

/* q (tree nq x REAL_UNROLL). Joints that need a link transform are rare: its array exists only when there are any. */
static inline Placed reduced_place(const ziTree *t, const ReducedNumbers *numbers, ziScratch *scratch, const real *q) {
    const ziReducedTree *reduced = t->reduced;
    const size_t nq = (size_t)t->nq * REAL_UNROLL, nb = (size_t)t->nb * REAL_UNROLL;
    real *angle = zi_scratch_array(scratch, real, nq), *s = zi_scratch_array(scratch, real, nq),
         *c = zi_scratch_array(scratch, real, nq);
    const int from = reduced->angles * REAL_UNROLL;
    for (int i = reduced->angles; i < t->nq; i++)
        for (int k = 0; k < REAL_UNROLL; k++)
            angle[i * REAL_UNROLL + k] = reduced->sign[i] * q[i * REAL_UNROLL + k] + reduced->offset[i];
    sincos_array((int)nq - from, angle + from, s + from, c + from);
    Placed x = {t, reduced->step, numbers, q, s, c, NULL};
    if (reduced->transforms) {
        x.transforms = zi_scratch_array(scratch, LinkTransform, nb);
        transform_others(&x);
    }
    return x;
}

#endif
