/* Coriolis matrix with dM/dt - 2C skew, O(n depth). World axes, bodies about their own origins.
 *
 * For one body with partial velocities J (of its origin, angular), M_k = [m, -h~; h~, J_k] and
 *   C = J^T (M_k dJ/dt + C_k J),   C_k = [0, -p~; 0, N],   p = w x h,   N = (w~ J_k - J_k w~ - (J_k w)~) / 2,
 * C_k (v; w) are the centrifugal forces and C_k + C_k^T = dM_k/dt, hence the skew property.
 * Seen from a point rho away, moving at rho' relative to it, the blocks keep their form:
 *   p' = p + m rho',   Q' = Q - h~ rho'~ - rho~ p'~     (Q = N for one body; they add up to the composite's).
 * Source: derived here from dJ/dt of shifted partial velocities; the factorisation N is that of Niemeyer and Slotine.
 */
#include "dynamics/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

typedef struct Row {
    placed at;
    vec3 dr; /* rate of the offset from the parent's origin */
    vec3 w;
    rigid I_;
    vec3 p;
    mat3 Q;
} Row;

typedef struct Column {
    motion S, dS;
} Column;

_Static_assert(sizeof(Row) <= ZV_DESK_PER_BODY && sizeof(Column) + 16 <= ZV_DESK_PER_COORDINATE, "desk too small");

/* Q - a~ b~ = Q - b a^T + (a.b) 1 */
static inline mat3 subtract_cross_cross(mat3 Q, vec3 a, vec3 b) {
    return m3_add_diagonal(m3_deflate(Q, b, a), v3_dot(a, b));
}

/* (w~ J - J w~ - (J w)~) / 2 */
static inline mat3 spin_matrix(vec3 w, mat3 J) {
    mat3 N = m3_sub(m3_sub(m3_skew_mul(w, J), m3_mul_skew(J, w)), m3_skew(m3_mulv(J, w)));
    return m3(v3_scale(0.5, N.x), v3_scale(0.5, N.y), v3_scale(0.5, N.z));
}

/* Columns and their rates in world axes: dS = w_parent x S + the joint's own rate. */
static inline void place_columns(const zvBody *b, const mat3 *Rp, vec3 wp, const double *q, const double *s,
                                 const double *c, const double *v, Column *column) {
    joint j;
    motion dS[ZV_MAX_DOF];
    joint_place(b, q, s, c, &j);
    joint_rate(b, q, v, &j, dS);
    mat3 E = m3_mulp12(*Rp, b->E);
    for (int k = 0; k < b->nv; k++) {
        motion S = motion_of(m3_mulv(E, j.S[k].lin), m3_mulv(E, j.S[k].ang));
        column[k].S = S;
        column[k].dS =
            motion_of(v3_cross_add(wp, S.lin, m3_mulv(E, dS[k].lin)), v3_cross_add(wp, S.ang, m3_mulv(E, dS[k].ang)));
    }
}

static inline void outward(const zvTree *t, const double *q, const double *s, const double *c, const double *v,
                           Row *row, Column *column) {
    row[0].at.R = m3_identity();
    row[0].w = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const Row *up = &row[b->parent];
        Row *me = &row[i];
        motion S[ZV_MAX_DOF];
        place_body(b, &up->at.R, q + b->q, s + b->q, c + b->q, &me->at, S);
        place_columns(b, &up->at.R, up->w, q + b->q, s + b->q, c + b->q, v + b->v, column + b->v);
        motion rel = relative_velocity(b, S, v + b->v);
        me->dr = v3_cross_add(up->w, me->at.r, rel.lin);
        me->w = v3_add(up->w, rel.ang);
        me->I_ = world_inertia(b, me->at.R);
        me->p = v3_cross(me->w, me->I_.h);
        me->Q = spin_matrix(me->w, me->I_.J);
    }
}

/* M dS + C S of the composite body */
static inline force rate_force(const Row *me, const Column *col) {
    force F = rigid_mul(&me->I_, col->dS);
    return force_of(v3_cross_add(col->S.ang, me->p, F.lin), m3_mulv_add(me->Q, col->S.ang, F.ang));
}

/* Where entries go: to their own place, or, coupled, with their ratios to that of the masters. */
typedef struct Target {
    const zvCoupling *coupling;
    size_t nv;
    double *C;
} Target;

static inline void add_entry(const Target *to, int i, int j, real x) {
    const zvCoupling *c = to->coupling;
    if (c->count) {
        x *= c->v_ratio[i] * c->v_ratio[j];
        i = c->v_master[i];
        j = c->v_master[j];
    }
    to->C[(size_t)i * to->nv + (size_t)j] += x;
}

/* Row and column d of C against all ancestors of body i. */
static inline void fill_above(const zvTree *t, const Row *row, const Column *column, int i, int d, const Target *to) {
    force W = rate_force(&row[i], &column[d]);
    force F = rigid_mul(&row[i].I_, column[d].S);
    vec3 k = v3_add(v3_cross(row[i].p, column[d].S.lin), m3_tmulv(row[i].Q, column[d].S.ang));
    for (int at = i; t->body[at].parent; at = t->body[at].parent) {
        const zvBody *up = &t->body[t->body[at].parent];
        W = force_shift(W, row[at].at.r);
        F = force_shift(F, row[at].at.r);
        k = v3_cross_add(row[at].dr, F.lin, k);
        for (int j = up->v; j < up->v + up->nv; j++) {
            add_entry(to, j, d, force_dot(W, column[j].S));
            add_entry(to, d, j, force_dot(F, column[j].dS) + v3_dot(k, column[j].S.ang));
        }
    }
}

static inline void fill_own(const Row *me, const Column *column, const zvBody *b, const Target *to) {
    for (int d = b->v; d < b->v + b->nv; d++) {
        force W = rate_force(me, &column[d]);
        for (int k = b->v; k < b->v + b->nv; k++) add_entry(to, k, d, force_dot(W, column[k].S));
    }
}

static inline void add_to_parent(Row *up, const Row *me) {
    up->p = v3_add(up->p, v3_axpy(me->I_.m, me->dr, me->p));
    mat3 Q = subtract_cross_cross(me->Q, me->I_.h, me->dr);
    up->Q = m3_add(up->Q, subtract_cross_cross(Q, me->at.r, v3_axpy(me->I_.m, me->dr, me->p)));
    rigid_add_shifted(&up->I_, &me->I_, me->at.r);
}

void ZV_KERNEL(zv_coriolis)(const zvTree *t, zvDesk desk, const zvCoupling *coupling, int nv, const double *q,
                            const double *v, double *C) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    double *zeros = zv_desk_doubles(&desk, t->nv);
    Row *row = zv_desk_take(&desk, (size_t)t->nb * sizeof *row);
    Column *column = zv_desk_take(&desk, (size_t)t->nv * sizeof *column);
    const Target to = {coupling, (size_t)nv, C};
    for (int i = 0; i < t->nv; i++) zeros[i] = 0;
    for (size_t i = 0; i < to.nv * to.nv; i++) C[i] = 0;
    sincos_array(t->nq, q, s, c);
    outward(t, q, s, c, v ? v : zeros, row, column);
    for (int i = t->nb - 1; i > 0; i--) {
        const zvBody *b = &t->body[i];
        fill_own(&row[i], column, b, &to);
        for (int d = b->v; d < b->v + b->nv; d++) fill_above(t, row, column, i, d, &to);
        if (b->parent) add_to_parent(&row[b->parent], &row[i]);
    }
}
