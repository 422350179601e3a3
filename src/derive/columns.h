/* Forces of all columns, and operations on those of a subtree, which are contiguous (depth-first order). A few
 * columns make a block, component by component; the last column of the tree ends the last block, so that a tree without
 * branches fills all lanes but some before the first column. Lanes of a block before a subtree have not been set yet,
 * and lanes behind it belong to other branches and must stay. All lanes are stored to matrices: bodies before come
 * later and overwrite theirs; unrelated ones get zeros, or are cleared (clear_reach). */
#ifndef ZI_DERIVE_COLUMNS_H
#define ZI_DERIVE_COLUMNS_H

#include "real/pack.h"
#include "spatial/inertia.h"

/* Letters of docs/derivatives.md: momentum P, U and W for dq and dv, z and y of what is met from above. */
enum { IN_P, IN_U = 6, IN_W = 12, IN_Z = 18, IN_Y = 21, COMPONENTS = 24 };

typedef struct Columns {
    real *x; /* blocks of COMPONENTS x PACK */
    int pad; /* lanes before column 0 */
} Columns;

static inline size_t columns_room(int n) { return (size_t)(n + PACK - 1) / PACK * COMPONENTS * PACK; }
static inline Columns columns_in(real *room, int n) {
    Columns x;
    x.x = room;
    x.pad = (PACK - n % PACK) % PACK;
    return x;
}

/* The first column (maybe negative) of the block that d lies in, and where the block begins. */
static ZI_HOT int block_first(const Columns *x, int d) { return (d + x->pad) / PACK * PACK - x->pad; }
static ZI_HOT real *block_at(const Columns *x, int first) { return x->x + (size_t)(first + x->pad) * COMPONENTS; }

static ZI_HOT void columns_put(const Columns *x, int c, int d, vec3 a) {
    const int first = block_first(x, d);
    real *at = block_at(x, first) + c * PACK + (d - first);
    at[0] = v3_x(a);
    at[PACK] = v3_y(a);
    at[2 * PACK] = v3_z(a);
}
static ZI_HOT void columns_put_force(const Columns *x, int c, int d, force f) {
    columns_put(x, c, d, f.lin);
    columns_put(x, c + 3, d, f.ang);
}

/* A three-vector to be met by the columns of a block. */
typedef struct Probe {
    pack x, y, z;
} Probe;

static ZI_HOT Probe probe_of(vec3 a) {
    Probe s;
    s.x = pack_like(v3_x(a));
    s.y = pack_like(v3_y(a));
    s.z = pack_like(v3_z(a));
    return s;
}
static ZI_HOT Probe probe_first(Probe s, int count) {
    s.x = pack_first(s.x, count);
    s.y = pack_first(s.y, count);
    s.z = pack_first(s.z, count);
    return s;
}

/* Components c, c + 1, c + 2 of a block. */
static ZI_HOT Probe block_vector(const real *at, int c) {
    Probe a;
    a.x = pack_of(at + c * PACK);
    a.y = pack_of(at + (c + 1) * PACK);
    a.z = pack_of(at + (c + 2) * PACK);
    return a;
}
static ZI_HOT void block_set(real *at, int c, Probe a) {
    pack_to(at + c * PACK, a.x);
    pack_to(at + (c + 1) * PACK, a.y);
    pack_to(at + (c + 2) * PACK, a.z);
}

/* a.b, and e + a.b; c + a x b */
static ZI_HOT pack probe_dot(const Probe *a, const Probe *b) { return a->x * b->x + (a->y * b->y + a->z * b->z); }
static ZI_HOT pack probe_dot_add(const Probe *a, const Probe *b, pack e) {
    return a->x * b->x + (a->y * b->y + (a->z * b->z + e));
}
static ZI_HOT Probe probe_cross_add(const Probe *a, const Probe *b, Probe c) {
    c.x = (c.x + a->y * b->z) - a->z * b->y;
    c.y = (c.y + a->z * b->x) - a->x * b->z;
    c.z = (c.z + a->x * b->y) - a->y * b->x;
    return c;
}

/* s . (components c, c + 1, c + 2) of a block */
static ZI_HOT pack met(const real *at, int c, const Probe *s) {
    const Probe a = block_vector(at, c);
    return probe_dot(s, &a);
}

/* A force to the origin that sees its own at r. */
static ZI_HOT void carry_force(real *at, int c, const Probe *r) {
    const Probe f = block_vector(at, c);
    block_set(at, c + 3, probe_cross_add(r, &f, block_vector(at, c + 3)));
}

/* All of a block to the parent's origin, from which a body is seen at r, moving at dr. */
static ZI_HOT void carry_block(real *at, const Probe *r, const Probe *dr) {
    const Probe f = block_vector(at, IN_P);
    block_set(at, IN_Z, probe_cross_add(dr, &f, block_vector(at, IN_Z)));
    carry_force(at, IN_P, r);
    carry_force(at, IN_U, r);
    carry_force(at, IN_W, r);
}

/* The same of the columns from ... to - 1. */
static inline void columns_carry(const Columns *x, int from, int to, vec3 at, vec3 rate) {
    const Probe r = probe_of(at), dr = probe_of(rate);
    for (int d = block_first(x, from); d < to; d += PACK) {
        const Probe rd = probe_first(r, to - d), drd = probe_first(dr, to - d);
        carry_block(block_at(x, d), &rd, &drd);
    }
}

/* A block beginning at column d goes to a row of a matrix, or to a column of one with rows of n: all of its lanes but
 * those before `from`. */
static ZI_HOT void row_to(real *row, int d, int from, pack x) {
    if (d >= from) {
        pack_to(row + d, x);
        return;
    }
    real lane[PACK];
    pack_to(lane, x);
    for (int j = from - d; j < PACK; j++) row[d + j] = lane[j];
}
static ZI_HOT void column_to(real *column, int n, int d, int from, pack x) {
    if (d >= from) {
        column += (size_t)d * (size_t)n;
        for (int j = 0; j < PACK; j++) column[(size_t)j * (size_t)n] = pack_lane(x, j);
        return;
    }
    real lane[PACK];
    pack_to(lane, x);
    for (int j = from - d; j < PACK; j++) column[(size_t)(d + j) * (size_t)n] = lane[j];
}
/* The same of lanes from ... to - 1. */
static ZI_HOT void column_within(real *column, int n, int d, int from, int to, pack x) {
    if (d >= from && d + PACK <= to) {
        column_to(column, n, d, from, x);
        return;
    }
    real lane[PACK];
    pack_to(lane, x);
    for (int j = d < from ? from - d : 0; j < PACK && d + j < to; j++) column[(size_t)(d + j) * (size_t)n] = lane[j];
}

/* What blocks that end behind a subtree, or begin before another branch, have left at row and column k. */
static inline void clear_reach(real *X, int n, int k, int end) {
    if (!X) return;
    for (int d = end; d < n && d < end + PACK - 1; d++) X[(size_t)k * (size_t)n + d] = X[(size_t)d * (size_t)n + k] = 0;
}

#endif
