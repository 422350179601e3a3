/* Ways between the bodies of a lean robot (model/lean.h): vectors and moments through them. One text for one state and
 * for lanes of states: entries of arrays hold REAL_SIDES numbers side by side, each a number of one or more states, so
 * that recursions, which are chains of operations that wait for each other, have something to do meanwhile. */
#ifndef ZV_DYNAMICS_LEAN_WAY_H
#define ZV_DYNAMICS_LEAN_WAY_H

#include "kinematics/joint.h"
#include "model/lean.h"
#include "real/sincos.h"
#include "spatial/components.h"
#include "work/desk.h"

#ifdef ZV_SINGLE
typedef zvLeanSingles LeanNumbers;
#else
typedef zvLeanNumbers LeanNumbers;
#endif

/* For all sides, by the same instructions: copies of a loop's body would be fused to multiply-adds each in its own way,
 * and an answer would depend on where its state stands. */
#if defined __clang__
#define FOR_SIDES(k) _Pragma("clang loop unroll(disable)") for (int k = 0; k < REAL_SIDES; k++)
#else
#define FOR_SIDES(k) _Pragma("GCC unroll 1") for (int k = 0; k < REAL_SIDES; k++)
#endif

/* Calls step(way, ...) with way a constant. */
#define ALONG_THE_WAY(way, step, ...)                                                \
    do {                                                                             \
        switch (way) {                                                               \
        case ZV_WAY_LEVEL: step(ZV_WAY_LEVEL, __VA_ARGS__); break;                   \
        case ZV_WAY_LEVEL + 1: step(ZV_WAY_LEVEL + 1, __VA_ARGS__); break;           \
        case ZV_WAY_LEVEL + 2: step(ZV_WAY_LEVEL + 2, __VA_ARGS__); break;           \
        case ZV_WAY_LEVEL + 3: step(ZV_WAY_LEVEL + 3, __VA_ARGS__); break;           \
        case ZV_WAY_QUARTER: step(ZV_WAY_QUARTER, __VA_ARGS__); break;               \
        case ZV_WAY_QUARTER + 1: step(ZV_WAY_QUARTER + 1, __VA_ARGS__); break;       \
        case ZV_WAY_QUARTER + 2: step(ZV_WAY_QUARTER + 2, __VA_ARGS__); break;       \
        case ZV_WAY_QUARTER + 3: step(ZV_WAY_QUARTER + 3, __VA_ARGS__); break;       \
        case ZV_WAY_ANY: step(ZV_WAY_ANY, __VA_ARGS__); break;                       \
        case ZV_WAY_CYCLIC: step(ZV_WAY_CYCLIC, __VA_ARGS__); break;                 \
        default: step(ZV_WAY_TWISTED + ZV_WAY_X + ZV_WAY_ALONG, __VA_ARGS__); break; \
        }                                                                            \
    } while (0)

static ZV_HOT bool is_level(int way) { return way < ZV_WAY_QUARTER; }
static ZV_HOT bool is_quarter(int way) { return way >= ZV_WAY_QUARTER && way < ZV_WAY_TWISTED; }
static ZV_HOT bool has_x(int way) { return way >= ZV_WAY_ANY || (way & ZV_WAY_X); }
static ZV_HOT bool has_y(int way) { return way >= ZV_WAY_ANY || (!is_level(way) && (way & ZV_WAY_ALONG)); }
static ZV_HOT bool has_z(int way) { return way >= ZV_WAY_ANY || (!is_quarter(way) && (way & ZV_WAY_ALONG)); }

static ZV_HOT real3 lean_column(const LeanNumbers *n, int k) {
    return r3(n->E[3 * k], n->E[3 * k + 1], n->E[3 * k + 2]);
}

/* E a */
static ZV_HOT real3 way_in(int way, const LeanNumbers *n, real3 a) {
    if (is_level(way)) return a;
    if (is_quarter(way)) return r3(a.x, -a.z, a.y);
    if (way == ZV_WAY_CYCLIC) return r3(a.z, a.x, a.y);
    if (way != ZV_WAY_ANY) return r3(a.x, n->cosine * a.y - n->sine * a.z, n->sine * a.y + n->cosine * a.z);
    return r33_mul(r33(lean_column(n, 0), lean_column(n, 1), lean_column(n, 2)), a);
}

/* E^T a */
static ZV_HOT real3 way_out(int way, const LeanNumbers *n, real3 a) {
    if (is_level(way)) return a;
    if (is_quarter(way)) return r3(a.x, a.z, -a.y);
    if (way == ZV_WAY_CYCLIC) return r3(a.y, a.z, a.x);
    if (way != ZV_WAY_ANY) return r3(a.x, n->cosine * a.y + n->sine * a.z, n->cosine * a.z - n->sine * a.y);
    return r33_tmul(r33(lean_column(n, 0), lean_column(n, 1), lean_column(n, 2)), a);
}

/* Into the axes of a body that turns, and from there to its parent's. */
static ZV_HOT real3 turn_out(int way, const LeanNumbers *n, turn t, real3 a) {
    const real3 b = way_out(way, n, a);
    return r3(t.c * b.x + t.s * b.y, t.c * b.y - t.s * b.x, b.z);
}
static ZV_HOT real3 turn_in(int way, const LeanNumbers *n, turn t, real3 a) { return way_in(way, n, r3_turn(t, a)); }

/* m + r x f */
static ZV_HOT real3 add_moment(int way, const LeanNumbers *n, real3 f, real3 m) {
    if (has_x(way)) m = r3(m.x, m.y - n->r[0] * f.z, m.z + n->r[0] * f.y);
    if (has_y(way)) m = r3(m.x + n->r[1] * f.z, m.y, m.z - n->r[1] * f.x);
    if (has_z(way)) m = r3(m.x - n->r[2] * f.y, m.y + n->r[2] * f.x, m.z);
    return m;
}

/* -- positions ---------------------------------------------------------------------------------------------------- */

/* Where a body stands that does not turn about z: rotation to the parent's axes, origin there, its columns in its own
 * axes (none of a body that floats: they are the axes themselves). */
typedef struct Stand {
    real33 R;
    real3 p;
    real3 lin[ZV_MAX_DOF], ang[ZV_MAX_DOF];
    real3 curved; /* second derivative of the path of a curve joint */
} Stand;

/* Positions of all sides. Bodies that turn have sines and cosines of their angles, at b->q; others a stand, but for a
 * base that floats on the ground. */
typedef struct Placed {
    const zvTree *tree;
    const zvLeanStep *step;
    const LeanNumbers *numbers;
    const real *q;
    const real *s, *c;
    Stand *stands;
} Placed;

static ZV_HOT turn turn_at(const Placed *x, int i, int side) {
    const int at = x->step[i].q * REAL_SIDES + side;
    return turn_of(x->s[at], x->c[at]);
}

static inline real3 r3_from(vec3 a) { return r3(v3_x(a), v3_y(a), v3_z(a)); }
static inline real33 r33_from(mat3 A) { return r33(r3_from(A.x), r3_from(A.y), r3_from(A.z)); }

static inline real33 lean_E(const LeanNumbers *n) {
    return r33(lean_column(n, 0), lean_column(n, 1), lean_column(n, 2));
}
static inline real3 lean_r(const LeanNumbers *n) { return r3(n->r[0], n->r[1], n->r[2]); }

/* Coordinates of one joint and side, and their sines and cosines. */
typedef struct JointState {
    real q[7], s[7], c[7];
} JointState;

static inline void joint_state(const zvBody *b, const real *q, const real *s, const real *c, int side, JointState *x) {
    for (int k = 0; k < b->nq; k++) {
        const int at = (b->q + k) * REAL_SIDES + side;
        x->q[k] = q[at];
        x->s[k] = s[at];
        x->c[k] = c[at];
    }
}

static ZV_COLD void stand_joint(const zvBody *b, const LeanNumbers *n, const JointState *x, Stand *at) {
    const real33 E = lean_E(n);
    joint j;
    joint_place(b, x->q, x->s, x->c, &j);
    at->R = r33_mulr(E, r33_from(j.R));
    at->p = r3_add(lean_r(n), r33_mul(E, r3_from(j.p)));
    for (int k = 0; k < b->nv && b->type != ZV_FREE; k++) {
        at->lin[k] = r3_from(m3_tmulv(j.R, j.S[k].lin));
        at->ang[k] = r3_from(m3_tmulv(j.R, j.S[k].ang));
    }
    if (b->type == ZV_CURVE) {
        vec3 p, d, dd;
        path_at(&b->data->path, x->q[0], &p, &d, &dd);
        at->curved = r3_from(dd);
    }
}

static ZV_COLD void stand_slide(const LeanNumbers *n, real q, Stand *at) {
    at->R = lean_E(n);
    at->p = r3_add(lean_r(n), r3_scale(n->sign * q, at->R.z));
}

static ZV_COLD void stand_others(const Placed *x) {
    for (int i = 1; i < x->tree->nb; i++) {
        const zvLeanStep *b = &x->step[i];
        if (b->kind == ZV_LEAN_TURNS || zv_lean_floats(b)) continue;
        FOR_SIDES(k) {
            Stand *at = &x->stands[i * REAL_SIDES + k];
            JointState state;
            if (b->kind == ZV_LEAN_SLIDES) {
                stand_slide(&x->numbers[i], x->q[b->q * REAL_SIDES + k], at);
            } else {
                joint_state(&x->tree->body[i], x->q, x->s, x->c, k, &state);
                stand_joint(&x->tree->body[i], &x->numbers[i], &state, at);
            }
        }
    }
}

/* q (tree nq x REAL_SIDES). Joints that stand are rare: their array is there only when there are any. */
static inline Placed lean_place(const zvTree *t, const LeanNumbers *numbers, zvDesk *desk, const real *q) {
    const zvLeanTree *lean = t->lean;
    const size_t nq = (size_t)t->nq * REAL_SIDES, nb = (size_t)t->nb * REAL_SIDES;
    real *angle = zv_desk_array(desk, real, nq), *s = zv_desk_array(desk, real, nq), *c = zv_desk_array(desk, real, nq);
    const int from = lean->angles * REAL_SIDES;
    for (int i = lean->angles; i < t->nq; i++)
        for (int k = 0; k < REAL_SIDES; k++)
            angle[i * REAL_SIDES + k] = lean->sign[i] * q[i * REAL_SIDES + k] + lean->offset[i];
    sincos_array((int)nq - from, angle + from, s + from, c + from);
    Placed x = {t, lean->step, numbers, q, s, c, NULL};
    if (lean->stands) {
        x.stands = zv_desk_array(desk, Stand, nb);
        stand_others(&x);
    }
    return x;
}

#endif
