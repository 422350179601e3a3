/* Columns of a matrix on their way through the tree: the force (or motion) of each, component by component, a few of
 * them in a register. A block holds the columns from ... to - 1, `from` a multiple of PACK, and stays in the first
 * cache while it goes through all bodies; numbers behind the last column of a matrix are kept and mean nothing. */
#ifndef ZI_DYNAMICS_COLUMN_PACKS_H
#define ZI_DYNAMICS_COLUMN_PACKS_H

#include "real/pack.h"
#include "spatial/inertia.h"

/* Components of a force or motion, and columns of a block. */
enum { SIX = 6, SIX_PACKED = SIX * (int)PACK, BLOCK_COLUMNS = 64 };

/* Linear, then angular part of PACK forces or motions. */
typedef struct SixPacks {
    pack fx, fy, fz, nx, ny, nz;
} SixPacks;

/* A block of columns: where it begins, and its numbers, SIX x PACK at a time. */
typedef struct ColumnBlock {
    int from, to;
    real *x;
} ColumnBlock;

static ZI_HOT real *block_place(const ColumnBlock *c, int d) { return c->x + (size_t)(d - c->from) * SIX; }
/* The first column of the pack of a block that d lies in. */
static ZI_HOT int pack_start(int d) { return d / PACK * PACK; }
static ZI_HOT int lesser(int a, int b) { return a < b ? a : b; }
static ZI_HOT int greater(int a, int b) { return a > b ? a : b; }

static ZI_HOT SixPacks six_of(const real *at) {
    SixPacks a;
    a.fx = pack_of(at);
    a.fy = pack_of(at + PACK);
    a.fz = pack_of(at + 2 * PACK);
    a.nx = pack_of(at + 3 * PACK);
    a.ny = pack_of(at + 4 * PACK);
    a.nz = pack_of(at + 5 * PACK);
    return a;
}
static ZI_HOT void six_to(real *at, const SixPacks *a) {
    pack_to(at, a->fx);
    pack_to(at + PACK, a->fy);
    pack_to(at + 2 * PACK, a->fz);
    pack_to(at + 3 * PACK, a->nx);
    pack_to(at + 4 * PACK, a->ny);
    pack_to(at + 5 * PACK, a->nz);
}
/* The part that a shift of forces changes. */
static ZI_HOT void six_moments_to(real *at, const SixPacks *a) {
    pack_to(at + 3 * PACK, a->nx);
    pack_to(at + 4 * PACK, a->ny);
    pack_to(at + 5 * PACK, a->nz);
}
static ZI_HOT SixPacks six_zero(void) {
    SixPacks a;
    a.fx = a.fy = a.fz = a.nx = a.ny = a.nz = pack_like(0);
    return a;
}
/* a += what is at b */
static ZI_HOT void six_add(SixPacks *a, const real *b) {
    a->fx = a->fx + pack_of(b);
    a->fy = a->fy + pack_of(b + PACK);
    a->fz = a->fz + pack_of(b + 2 * PACK);
    a->nx = a->nx + pack_of(b + 3 * PACK);
    a->ny = a->ny + pack_of(b + 4 * PACK);
    a->nz = a->nz + pack_of(b + 5 * PACK);
}
static ZI_HOT void six_numbers(real *x, vec3 lin, vec3 ang) {
    v3_to(x, lin);
    v3_to(x + 3, ang);
}

/* s . a, by its linear and its angular part. */
static ZI_HOT pack six_dot_lin(const real *s, const SixPacks *a) {
    return s[0] * a->fx + (s[1] * a->fy + s[2] * a->fz);
}
static ZI_HOT pack six_dot_ang(const real *s, const SixPacks *a) {
    return s[3] * a->nx + (s[4] * a->ny + s[5] * a->nz);
}
/* a += x s */
static ZI_HOT void six_add_lin(SixPacks *a, pack x, const real *s) {
    a->fx = a->fx + x * s[0];
    a->fy = a->fy + x * s[1];
    a->fz = a->fz + x * s[2];
}
static ZI_HOT void six_add_ang(SixPacks *a, pack x, const real *s) {
    a->nx = a->nx + x * s[3];
    a->ny = a->ny + x * s[4];
    a->nz = a->nz + x * s[5];
}
/* Forces at the origin that sees their own at r: n += r x f. */
static ZI_HOT void six_shift_force(SixPacks *a, const real *r) {
    a->nx = (a->nx + r[1] * a->fz) - r[2] * a->fy;
    a->ny = (a->ny + r[2] * a->fx) - r[0] * a->fz;
    a->nz = (a->nz + r[0] * a->fy) - r[1] * a->fx;
}
/* Motions at r: f += n x r. */
static ZI_HOT void six_shift_motion(SixPacks *a, const real *r) {
    a->fx = (a->fx + r[2] * a->ny) - r[1] * a->nz;
    a->fy = (a->fy + r[0] * a->nz) - r[2] * a->nx;
    a->fz = (a->fz + r[1] * a->nx) - r[0] * a->ny;
}
/* The first count of a, the others of b. */
static ZI_HOT void six_first(SixPacks *a, const SixPacks *b, int count) {
    a->fx = pack_between(a->fx, 0, count) + pack_between(b->fx, count, PACK);
    a->fy = pack_between(a->fy, 0, count) + pack_between(b->fy, count, PACK);
    a->fz = pack_between(a->fz, 0, count) + pack_between(b->fz, count, PACK);
    a->nx = pack_between(a->nx, 0, count) + pack_between(b->nx, count, PACK);
    a->ny = pack_between(a->ny, 0, count) + pack_between(b->ny, count, PACK);
    a->nz = pack_between(a->nz, 0, count) + pack_between(b->nz, count, PACK);
}

/* PACK numbers of a row of n from place d on, and back; behind its end there are none. */
static ZI_HOT pack row_read(const real *row, int n, int d) {
    if (d + PACK <= n) return pack_of(row + d);
    real own[PACK];
    for (int j = 0; j < PACK; j++) own[j] = row[d + j < n ? d + j : n - 1];
    return pack_of(own);
}
static ZI_HOT void row_write(real *row, int n, int d, pack x) {
    if (d + PACK <= n) {
        pack_to(row + d, x);
        return;
    }
    for (int j = 0; d + j < n; j++) row[d + j] = pack_lane(x, j);
}

#endif
