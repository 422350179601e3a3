/* Forces of all columns, component by component, and the loops over the columns of a subtree, which lie side by side
 * (depth-first order). A few columns are taken at a time; a loop ends at the last column of the subtree and may begin
 * before the first: columns there have not been set yet, what is computed of them is overwritten later. */
#ifndef ZV_DERIVE_COLUMNS_H
#define ZV_DERIVE_COLUMNS_H

#include <string.h>

#include "spatial/inertia.h"

#if defined ZV_TRACE || defined ZV_WIDE
typedef real some;
#else
typedef real some __attribute__((vector_size(4 * sizeof(real))));
#endif
enum { SOME = sizeof(some) / sizeof(real) };

/* Letters of docs/derivatives.md: momentum P, U and W for dq and dv, z and y of what is met from above. */
enum { IN_P, IN_U = 6, IN_W = 12, IN_Z = 18, IN_Y = 21, COMPONENTS = 24 };

typedef struct Columns {
    real *x; /* component c of column d: x[c * stride + d] */
    size_t stride;
} Columns;

static ZV_HOT some some_of(const real *p) {
    some x;
    memcpy(&x, p, sizeof x);
    return x;
}
static ZV_HOT void some_to(real *p, some x) { memcpy(p, &x, sizeof x); }

static inline int columns_first(int from, int to) { return to - (to - from + SOME - 1) / SOME * SOME; }

static inline real *component(const Columns *x, int c) { return x->x + (size_t)c * x->stride; }

static inline void columns_put(const Columns *x, int c, int d, vec3 a) {
    component(x, c)[d] = v3_x(a);
    component(x, c + 1)[d] = v3_y(a);
    component(x, c + 2)[d] = v3_z(a);
}
static inline void columns_put_force(const Columns *x, int c, int d, force f) {
    columns_put(x, c, d, f.lin);
    columns_put(x, c + 3, d, f.ang);
}

/* A three-vector to be met by the columns. */
typedef struct Probe {
    real x, y, z;
} Probe;

static ZV_HOT Probe probe_of(real k, vec3 a) {
    Probe s;
    s.x = k * v3_x(a);
    s.y = k * v3_y(a);
    s.z = k * v3_z(a);
    return s;
}

/* s . (components c, c + 1, c + 2) of the columns from d on */
static ZV_HOT some met(const Columns *x, int c, int d, const Probe *s) {
    return s->x * some_of(component(x, c) + d) +
           (s->y * some_of(component(x, c + 1) + d) + s->z * some_of(component(x, c + 2) + d));
}

/* n += r x f of the force at c, all columns from d on; f is returned by its components. */
static ZV_HOT void carry_force(const Columns *x, int c, int d, const Probe *r, some f[3]) {
    real *nx = component(x, c + 3) + d, *ny = component(x, c + 4) + d, *nz = component(x, c + 5) + d;
    for (int i = 0; i < 3; i++) f[i] = some_of(component(x, c + i) + d);
    some_to(nx, some_of(nx) + (r->y * f[2] - r->z * f[1]));
    some_to(ny, some_of(ny) + (r->z * f[0] - r->x * f[2]));
    some_to(nz, some_of(nz) + (r->x * f[1] - r->y * f[0]));
}

/* To the parent's origin, from which a body is seen at r, moving at dr. */
static inline void columns_carry(const Columns *x, int from, int to, vec3 at, vec3 rate) {
    const Probe r = probe_of(1, at), dr = probe_of(1, rate);
    for (int d = columns_first(from, to); d < to; d += SOME) {
        some f[3];
        carry_force(x, IN_U, d, &r, f);
        carry_force(x, IN_W, d, &r, f);
        carry_force(x, IN_P, d, &r, f);
        real *zx = component(x, IN_Z) + d, *zy = component(x, IN_Z + 1) + d, *zz = component(x, IN_Z + 2) + d;
        some_to(zx, some_of(zx) + (dr.y * f[2] - dr.z * f[1]));
        some_to(zy, some_of(zy) + (dr.z * f[0] - dr.x * f[2]));
        some_to(zz, some_of(zz) + (dr.x * f[1] - dr.y * f[0]));
    }
}

/* Entries of a row from d on; what would lie before its beginning is left out. */
static ZV_HOT void row_to(real *row, int d, some x) {
    if (d >= 0) {
        some_to(row + d, x);
        return;
    }
    real t[SOME];
    some_to(t, x);
    for (int j = -d; j < SOME; j++) row[d + j] = t[j];
}

/* Entries of a column of a matrix with rows of n, from row d on, those from row `from` on. */
static ZV_HOT void column_to(real *column, int n, int d, int from, some x) {
    real t[SOME];
    some_to(t, x);
    for (int j = from > d ? from - d : 0; j < SOME; j++) column[(size_t)(d + j) * (size_t)n] = t[j];
}

#endif
