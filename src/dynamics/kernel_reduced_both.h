/* Both triangles of the mass matrix of one reduced robot with branches: the recursion of reduced_mass.h, for one state.
 *
 * Every number of M is written twice when it is found: where branches leave most of M zero, that is less than mirroring
 * it. The forces F_d lie component by component, so that some columns go from body to body together, counted from the
 * end of a subtree: lanes before its first column are zero or old, and nothing comes of them. */
#ifndef ZI_DYNAMICS_KERNEL_REDUCED_BOTH_H
#define ZI_DYNAMICS_KERNEL_REDUCED_BOTH_H

#include "dynamics/reduced_mass.h"
#include "real/pack.h"

/* Components of the forces: row c has those of all columns, with PACK numbers before the first. */
typedef struct ForceRows {
    real *F;
    size_t row;
} ForceRows;

typedef struct Pack3 {
    pack x, y, z;
} Pack3;

static ZI_HOT real *component(const ForceRows *F, int c, int d) { return F->F + (size_t)c * F->row + PACK + d; }

static ZI_HOT Pack3 pack3_of(const ForceRows *F, int c, int d) {
    Pack3 a;
    a.x = pack_of(component(F, c, d));
    a.y = pack_of(component(F, c + 1, d));
    a.z = pack_of(component(F, c + 2, d));
    return a;
}
static ZI_HOT void pack3_to(const ForceRows *F, int c, int d, Pack3 a) {
    pack_to(component(F, c, d), a.x);
    pack_to(component(F, c + 1, d), a.y);
    pack_to(component(F, c + 2, d), a.z);
}
/* Lane j becomes a. */
static ZI_HOT Pack3 pack3_with(Pack3 s, int j, real3 a) {
    s.x = pack_with(s.x, j, a.x);
    s.y = pack_with(s.y, j, a.y);
    s.z = pack_with(s.z, j, a.z);
    return s;
}
static ZI_HOT Pack3 pack3_rotate(const real33 *R, Pack3 a) {
    Pack3 b;
    b.x = R->x.x * a.x + (R->y.x * a.y + R->z.x * a.z);
    b.y = R->x.y * a.x + (R->y.y * a.y + R->z.y * a.z);
    b.z = R->x.z * a.x + (R->y.z * a.y + R->z.z * a.z);
    return b;
}

/* turn_in and add_moment of reduced_transform.h, for some columns. */
static ZI_HOT Pack3 pack3_turn_in(int form, const ReducedNumbers *n, turn t, Pack3 a) {
    Pack3 b;
    b.x = t.c * a.x - t.s * a.y;
    b.y = t.s * a.x + t.c * a.y;
    b.z = a.z;
    if (is_level(form)) return b;
    a = b;
    if (is_quarter(form)) {
        b.y = -a.z;
        b.z = a.y;
    } else if (form == ZI_TRANSFORM_CYCLIC) {
        b.x = a.z, b.y = a.x, b.z = a.y;
    } else if (form == ZI_TRANSFORM_ANY) {
        const real33 E = reduced_E(n);
        b = pack3_rotate(&E, a);
    } else {
        b.y = n->cosine * a.y - n->sine * a.z;
        b.z = n->sine * a.y + n->cosine * a.z;
    }
    return b;
}
static ZI_HOT Pack3 pack3_add_moment(int form, real3 r, Pack3 f, Pack3 m) {
    if (has_x(form)) m.y = m.y - r.x * f.z, m.z = m.z + r.x * f.y;
    if (has_y(form)) m.x = m.x + r.y * f.z, m.z = m.z - r.y * f.x;
    if (has_z(form)) m.x = m.x - r.z * f.y, m.y = m.y + r.z * f.x;
    return m;
}

/* All F_d of a subtree, its own column `own` among them, seen from the parent of its body. */
static ZI_HOT void pack_carry_turning(int form, const Placed *x, int i, const ReducedForce *own, const ForceRows *F) {
    const ziReducedStep *b = &x->step[i];
    const ReducedNumbers *n = &x->numbers[i];
    const turn t = turn_at(x, i, 0);
    const real3 r = reduced_r(n);
    for (int d = b->v_end - PACK; d > b->v - PACK; d -= PACK) {
        Pack3 f = pack3_of(F, 0, d), m = pack3_of(F, 3, d);
        if (d <= b->v) {
            f = pack3_with(f, b->v - d, own->f);
            m = pack3_with(m, b->v - d, own->n);
        }
        f = pack3_turn_in(form, n, t, f);
        pack3_to(F, 0, d, f);
        pack3_to(F, 3, d, pack3_add_moment(form, r, f, pack3_turn_in(form, n, t, m)));
    }
}
static ZI_HOT void hand_up(int form, const Placed *x, int i, const Composite *me, Composite *up,
                           const ReducedForce *own, const ForceRows *F) {
    gather_turning(form, x, i, me, up);
    pack_carry_turning(form, x, i, own, F);
}
static ZI_COLD void pack_carry_standing(const Placed *x, int i, const ForceRows *F) {
    const ziReducedStep *b = &x->step[i];
    const LinkTransform *at = &x->transforms[i];
    for (int d = b->v_end - PACK; d > b->v - PACK; d -= PACK) {
        const Pack3 f = pack3_rotate(&at->R, pack3_of(F, 0, d)), m = pack3_rotate(&at->R, pack3_of(F, 3, d));
        pack3_to(F, 0, d, f);
        pack3_to(F, 3, d, pack3_add_moment(ZI_TRANSFORM_ANY, at->p, f, m));
    }
}

/* Numbers of a column of M, in rows from d on. */
static ZI_HOT void column_to(real *column, size_t nv, int d, pack e) {
    column += (size_t)d * nv;
    for (int j = 0; j < PACK; j++, column += nv) *column = pack_lane(e, j);
}

/* Row and column of a body that turns. */
static ZI_HOT void both_turning(const Placed *x, int i, const ReducedForce *own, const ForceRows *F, real *M) {
    const ziReducedStep *b = &x->step[i];
    const real sign = x->numbers[i].sign, *about = component(F, 5, 0);
    const size_t nv = (size_t)x->tree->nv;
    real *row = M + (size_t)b->v * nv, *column = M + b->v;
    int d = b->v_end - PACK;
    for (; d > b->v; d -= PACK) {
        const pack e = sign * pack_of(about + d);
        pack_to(row + d, e);
        column_to(column, nv, d, e);
    }
    for (d += PACK - 1; d > b->v; d--) row[d] = column[(size_t)d * nv] = sign * about[d];
    row[b->v] = sign * own->n.z + x->tree->armature[b->v];
}

/* Of the bodies beyond one that floats on the ground: their forces. */
static ZI_HOT void both_floating(const Placed *x, int i, const ForceRows *F, real *M) {
    const ziReducedStep *b = &x->step[i];
    const size_t nv = (size_t)x->tree->nv;
    const int first = b->v + 6;
    int d = b->v_end - PACK;
    for (; d >= first; d -= PACK) {
        real *rows = M + (size_t)d * nv + b->v, *columns = M + (size_t)b->v * nv + d;
        for (int k = 0; k < 6; k++) pack_to(columns + (size_t)k * nv, pack_of(component(F, k, d)));
        square_turned(columns, rows, x->tree->nv);
        for (int k = PACK; k < 6; k++) column_to(rows + k, nv, 0, pack_of(component(F, k, d)));
    }
    for (d += PACK - 1; d >= first; d--)
        for (int k = 0; k < 6; k++) {
            const size_t at = (size_t)b->v + (size_t)k;
            M[at * nv + d] = M[(size_t)d * nv + at] = *component(F, k, d);
        }
}

/* Its own m 1, -h~; h~, J. */
static ZI_HOT void floating_block(const Placed *x, int i, const Composite *a, real *M) {
    const ziReducedStep *b = &x->step[i];
    const size_t nv = (size_t)x->tree->nv;
    const real m = x->numbers[i].mass, hx = a->h.x, hy = a->h.y, hz = a->h.z;
    const real own[6][6] = {{m, 0, 0, 0, hz, -hy},
                            {0, m, 0, -hz, 0, hx},
                            {0, 0, m, hy, -hx, 0},
                            {0, -hz, hy, a->yy + a->zz, -a->xy, -a->xz},
                            {hz, 0, -hx, -a->xy, a->xx + a->zz, -a->yz},
                            {-hy, hx, 0, -a->xz, -a->yz, a->xx + a->yy}};
    real *corner = M + (size_t)b->v * nv + b->v;
    for (int d = 0; d < 6; d++) memcpy(corner + (size_t)d * nv, own[d], sizeof own[d]);
    for (int d = 0; d < 6; d++) corner[(size_t)d * (nv + 1)] += x->tree->armature[b->v + d];
}

/* Rows and columns of any other body, and its own forces among the others. */
static ZI_COLD void both_standing(const Placed *x, int i, const Composite *me, const ForceRows *F, real *M) {
    const ziReducedStep *b = &x->step[i];
    const ReducedNumbers *n = &x->numbers[i];
    const size_t nv = (size_t)x->tree->nv;
    for (int k = 0; k < b->nv; k++) {
        const Pair S = standing_column(b, n, &x->transforms[i], k);
        const ReducedForce own = inertia_times_column(n->mass, me, &S);
        const real entry[6] = {own.f.x, own.f.y, own.f.z, own.n.x, own.n.y, own.n.z};
        for (int c = 0; c < 6; c++) *component(F, c, b->v + k) = entry[c];
    }
    for (int d = b->v; d < b->v_end; d++) {
        const real3 f = r3(*component(F, 0, d), *component(F, 1, d), *component(F, 2, d));
        const real3 m = r3(*component(F, 3, d), *component(F, 4, d), *component(F, 5, d));
        for (int k = 0; k < b->nv && b->v + k <= d; k++) {
            const size_t at = (size_t)b->v + (size_t)k;
            M[at * nv + d] = M[(size_t)d * nv + at] = column_force(b, n, &x->transforms[i], k, f, m);
        }
    }
    for (int d = b->v; d < b->v + b->nv; d++) M[(size_t)d * (nv + 1)] += x->tree->armature[d];
}

/* Body i of the inward sweep: its columns of M in both triangles from the forces F of its subtree, then composite
 * moments and forces carried to its parent. */
static ZI_HOT void both_of_body(const Placed *x, int i, Composite *composite, const ForceRows *F, real *M) {
    const ziReducedStep *b = &x->step[i];
    Composite *me = &composite[i], *up = &composite[b->parent];
    if (b->v_end == b->v + b->nv) *me = composite_of(&x->numbers[i]);
    if (b->kind == ZI_REDUCED_TURNS) {
        const ReducedForce own = column_of(x->numbers[i].sign, me);
        both_turning(x, i, &own, F, M);
        if (!b->parent) return;
        BY_TRANSFORM_FORM(b->form, hand_up, x, i, me, up, &own, F);
    } else if (zi_reduced_floats(b)) {
        both_floating(x, i, F, M);
        floating_block(x, i, me, M);
    } else {
        both_standing(x, i, me, F, M);
        if (!b->parent) return;
        gather_standing(x, i, me, up);
        pack_carry_standing(x, i, F);
    }
}

/* Zeros between branches: none in rows and columns of the first body when it carries all others. */
static ZI_HOT void clear_branches(const Placed *x, real *M) {
    const int n = x->tree->nv, from = x->tree->nb > 1 && x->step[1].v_end == n ? x->step[1].nv : 0;
    const pack zero = pack_like(0);
    for (int i = from; i < n; i++) {
        real *row = M + (size_t)i * (size_t)n;
        int j = n - PACK;
        for (; j >= from; j -= PACK) pack_to(row + j, zero);
        for (j += PACK - 1; j >= from; j--) row[j] = 0;
    }
}

/* All of M (nv x nv). */
static inline void reduced_both(const Placed *x, ziScratch scratch, real *M) {
    const ziTree *t = x->tree;
    const size_t nv = (size_t)t->nv;
    Composite *composite = zi_scratch_array(&scratch, Composite, t->nb);
    ForceRows F;
    F.row = nv + PACK;
    F.F = zi_scratch_array(&scratch, real, 6 * F.row);
    for (size_t c = 0; c < 6 * F.row; c++) F.F[c] = 0;
    clear_branches(x, M);
    for (int i = t->nb - 1; i > 0; i--) both_of_body(x, i, composite, &F, M);
}

#endif
