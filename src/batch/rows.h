/* Symmetric matrices with the zeros of a tree, of a group of states: row i holds the entries at the freedoms on its
 * path to the root, from the root on, and its own. Freedoms are numbered depth first: the rows of two of them begin
 * with the path they share, and have no other entries in common. M = L^T D L without square roots (Featherstone, Rigid
 * Body Dynamics Algorithms, 6.5): L over the rows, 1 / D over the diagonal.
 *
 * Factors of their own, beside linalg/ltdl.h, because lanes are bound by memory: rows without zeros, of which two leave
 * at once. Per state, one thread, AVX2, these and square matrices by ltdl.h:
 *                industrial6   quadruped   humanoid50
 *   forward        60    67     180   246     950  1454 ns
 *   M^-1           44    52     232   384    2004  3705 ns */
#ifndef ZI_BATCH_ROWS_H
#define ZI_BATCH_ROWS_H

#include "batch/columns.h"

/* Where the mass matrix can go. */
struct Rows {
    const ziRows *of;
    unrolled *place; /* entry e of row i at [start[i] + e] */
};
static ZI_HOT unrolled *row_of(const Rows &M, int i) { return M.place + M.of->start[i]; }

struct RowCursor {
    real *here;
    const int *row; /* where rows begin, from this one on */
};
static ZI_HOT RowCursor cursor_at(const Rows *M, int i, int j, int slot) {
    return {&row_of(*M, i)[M->of->depth[j]].x[slot], M->of->start + i};
}
static ZI_HOT void put(const Rows *, const RowCursor *c, real x) { *c->here = x; }
static ZI_HOT void put_along(const Rows *, RowCursor *c, real x) {
    *c->here = x;
    c->here += REAL_UNROLL;
}
static ZI_HOT void go_down(const Rows *, RowCursor *c) {
    c->here += (c->row[1] - c->row[0]) * REAL_UNROLL;
    c->row++;
}
static inline void clear_off_paths(const Placed *, const Rows *) {} /* they are not there */

namespace to_rows {
using MassStore = Rows;
using MassCursor = RowCursor;
#include "dynamics/reduced_columns.h"
} // namespace to_rows
static ZI_COLD void mass_columns(const Placed *x, ziScratch scratch, const Rows *M) {
    to_rows::mass_columns(x, scratch, M);
}

/* -- factors ------------------------------------------------------------------------------------------------------ */

/* y[j] -= l x[j] + m z[j], j < count: rows are read and written once for both. */
static ZI_HOT void take_both(int count, const unrolled &l, const unrolled *x, const unrolled &m, const unrolled *z,
                             unrolled *y) {
    for (int j = 0; j < count; j++) {
        unrolled sum = y[j];
        ltdl_take(&sum, l, x[j]);
        ltdl_take(&sum, m, z[j]);
        y[j] = sum;
    }
}

static ZI_HOT unrolled product(const unrolled &a, const unrolled &b) {
    unrolled c;
    for (int k = 0; k < REAL_UNROLL; k++) c.x[k] = a.x[k] * b.x[k];
    return c;
}

/* 1 / pivot; ok: whether it is positive to rounding. */
static ZI_HOT unrolled judge(const unrolled &pivot, const unrolled &least, real_ok *ok) {
    unrolled inverse;
    for (int k = 0; k < REAL_UNROLL; k++) {
        ok[k] &= real_exceeds(pivot.x[k], least.x[k]);
        inverse.x[k] = 1 / pivot.x[k];
    }
    return inverse;
}

/* Eliminates freedom k from the rows on its path, alone; */
static ZI_HOT void factor_one(const Rows &M, int k, const unrolled *least, real_ok *ok) {
    const ziRows *w = M.of;
    unrolled *row = row_of(M, k);
    int at = w->depth[k];
    const unrolled inverse = row[at] = judge(row[at], least[k], ok);
    for (int i = w->parent[k]; i >= 0; i = w->parent[i]) {
        const unrolled l = product(row[--at], inverse);
        unrolled *up = row_of(M, i);
        for (int j = 0; j <= at; j++) ltdl_take(&up[j], l, row[j]);
        row[at] = l;
    }
}

/* or with the one before it, k - 1. */
static ZI_HOT void factor_two(const Rows &M, int k, const unrolled *least, real_ok *ok) {
    const ziRows *w = M.of;
    unrolled *row = row_of(M, k), *next = row_of(M, k - 1);
    int at = w->depth[k - 1];
    const unrolled inverse = row[at + 1] = judge(row[at + 1], least[k], ok), l = product(row[at], inverse);
    for (int j = 0; j <= at; j++) ltdl_take(&next[j], l, row[j]);
    row[at] = l;
    const unrolled second = next[at] = judge(next[at], least[k - 1], ok);
    for (int i = w->parent[k - 1]; i >= 0; i = w->parent[i]) {
        at--;
        const unrolled a = product(row[at], inverse), b = product(next[at], second);
        take_both(at + 1, a, row, b, next, row_of(M, i));
        row[at] = a, next[at] = b;
    }
}

/* M = L^T D L over the rows, from the last freedom on; two neighbours on one path leave their ancestors' rows together.
 * ok: pivots positive to rounding. */
static inline void factor(const Rows &M, ziScratch scratch, real_ok *ok) {
    const ziRows *w = M.of;
    unrolled *least = zi_scratch_array(&scratch, unrolled, w->n);
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < REAL_UNROLL; c++) least[i].x[c] = LTDL_PIVOT_FLOOR * row_of(M, i)[w->depth[i]].x[c];
    for (int k = w->n - 1; k >= 0; k--) {
        if (k && w->parent[k] == k - 1)
            factor_two(M, k--, least, ok);
        else
            factor_one(M, k, least, ok);
    }
}

/* x := M^-1 x. `path` holds values of the freedoms on the present path: first sums from the freedoms beyond them,
 * then their results. */
static inline void solve(const Rows &L, ziScratch scratch, unrolled *x) {
    const ziRows *w = L.of;
    unrolled *path = zi_scratch_array(&scratch, unrolled, w->n);
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < REAL_UNROLL; c++) path[i].x[c] = 0;
    for (int i = w->n - 1; i >= 0; i--) {
        const unrolled *row = row_of(L, i);
        const int depth = w->depth[i];
        unrolled own = x[i];
        for (int c = 0; c < REAL_UNROLL; c++) own.x[c] = own.x[c] + path[depth].x[c], path[depth].x[c] = 0;
        for (int p = 0; p < depth; p++) ltdl_take(&path[p], own, row[p]);
        x[i] = own;
    }
    for (int i = 0; i < w->n; i++) {
        const unrolled *row = row_of(L, i);
        const int depth = w->depth[i];
        unrolled sum = product(x[i], row[depth]);
        for (int p = 0; p < depth; p++) ltdl_take(&sum, row[p], path[p]);
        x[i] = path[depth] = sum;
    }
}

/* -- inverse ------------------------------------------------------------------------------------------------------ */

/* Row i of Y = L^-1 over that of L, from the rows on its path; own is (depth). The diagonal of ones is not there. */
static ZI_HOT void invert_row(const Rows &L, int i, unrolled *own) {
    const ziRows *w = L.of;
    unrolled *row = row_of(L, i);
    int at = w->depth[i];
    for (int p = 0; p < at; p++)
        for (int c = 0; c < REAL_UNROLL; c++) own[p].x[c] = -row[p].x[c];
    for (int k = w->parent[i]; k >= 0; k = w->parent[k]) {
        const unrolled l = row[--at], *up = row_of(L, k);
        for (int p = 0; p < at; p++) ltdl_take(&own[p], l, up[p]);
    }
    for (int p = 0; p < w->depth[i]; p++) row[p] = own[p];
}

/* sum + a . b */
static ZI_HOT void put_product(int count, const unrolled *a, const unrolled *b, unrolled sum, Cursor at,
                               const Matrix *to) {
    for (int p = 0; p < count; p++)
        for (int c = 0; c < REAL_UNROLL; c++) sum.x[c] = sum.x[c] + a[p].x[c] * b[p].x[c];
    for (int c = 0; c < REAL_UNROLL; c++, at.here += REAL_LANES, at.there += REAL_LANES) put(to, &at, sum.x[c]);
}

/* M^-1 = Y D^-1 Y^T, whose entry (i, k) is a sum over the path that i and k share, from the factors, which it
 * overwrites. */
static inline void invert(const Rows &L, ziScratch scratch, const Matrix &to) {
    const ziRows *w = L.of;
    unrolled *own = zi_scratch_array(&scratch, unrolled, w->n), *path = zi_scratch_array(&scratch, unrolled, w->n),
             none;
    for (int c = 0; c < REAL_UNROLL; c++) none.x[c] = 0;
    for (int i = 0; i < w->n; i++) {
        const int depth = w->depth[i];
        const unrolled *row = row_of(L, i);
        invert_row(L, i, own);
        path[depth] = row[depth];
        for (int p = 0; p < depth; p++) own[p] = product(row[p], path[p]);
        put_product(depth, row, own, row[depth], cursor_at(&to, i, i, 0), &to);
        for (int end = i, up = w->parent[i]; end > 0; end = up, up = up < 0 ? up : w->parent[up]) {
            const int shared = up < 0 ? 0 : w->depth[up] + 1;
            for (int k = end - 1; k > up; k--)
                put_product(shared, own, row_of(L, k), none, cursor_at(&to, i, k, 0), &to);
            if (up >= 0) put_product(shared - 1, own, row_of(L, up), own[shared - 1], cursor_at(&to, i, up, 0), &to);
        }
    }
}

#endif
