/* Symmetric matrices with the zeros of a tree, of a group of states: row i holds the entries at the freedoms on its way
 * to the root, from the root on, and its own. Freedoms are numbered depth first: the rows of two of them begin with
 * what their ways share, and hold nothing else in common. M = L^T D L without square roots (Featherstone, Rigid Body
 * Dynamics Algorithms, 6.5): L over the rows, 1 / D over the diagonal. */
#ifndef ZV_BATCH_ROWS_H
#define ZV_BATCH_ROWS_H

#include "batch/columns.h"

/* Where the mass matrix can go. */
struct Rows {
    const zvRows *of;
    sided *place; /* entry e of row i at [start[i] + e] */
};
static ZV_HOT sided *row_of(const Rows &M, int i) { return M.place + M.of->start[i]; }

struct RowCursor {
    real *here;
    const int *row; /* where rows begin, from this one on */
};
static ZV_HOT RowCursor cursor_at(const Rows &M, int i, int j, int side) {
    return {&row_of(M, i)[M.of->depth[j]].x[side], M.of->start + i};
}
static ZV_HOT void put(const Rows &, const RowCursor &c, real x) { *c.here = x; }
static ZV_HOT void put_along(const Rows &, RowCursor &c, real x) {
    *c.here = x;
    c.here += REAL_SIDES;
}
static ZV_HOT void go_down(const Rows &, RowCursor &c) {
    c.here += (c.row[1] - c.row[0]) * REAL_SIDES;
    c.row++;
}
static inline void clear_off_ways(const Placed *, const Rows &) {} /* they are not there */

/* X := E^T T E of coupled coordinates, which leave no zeros; T (tree nv x tree nv). */
static inline void contract_rows(const zvModel *m, const sided *T, const Rows &X) {
    const zvCoupling *c = &m->coupling;
    const size_t n = (size_t)m->tree.nv;
    for (int e = 0; e < X.of->start[X.of->n]; e++)
        for (int k = 0; k < REAL_SIDES; k++) X.place[e].x[k] = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (c->v_master[i] < c->v_master[j]) continue;
            sided *to = &row_of(X, c->v_master[i])[c->v_master[j]];
            for (int k = 0; k < REAL_SIDES; k++) to->x[k] += c->v_ratio[i] * c->v_ratio[j] * T[i * n + j].x[k];
        }
    }
}

/* -- factors ------------------------------------------------------------------------------------------------------ */

/* y[j] -= l x[j] + m z[j], j < count: rows are read and written once for both. */
static ZV_HOT void take_both(int count, const sided &l, const sided *x, const sided &m, const sided *z, sided *y) {
    for (int j = 0; j < count; j++) {
        sided sum = y[j];
        ltdl_take(&sum, l, x[j]);
        ltdl_take(&sum, m, z[j]);
        y[j] = sum;
    }
}

static ZV_HOT sided product(const sided &a, const sided &b) {
    sided c;
    for (int k = 0; k < REAL_SIDES; k++) c.x[k] = a.x[k] * b.x[k];
    return c;
}

/* 1 / pivot, judged. */
static ZV_HOT sided judge(const sided &pivot, const sided &least, verdict *sound) {
    sided inverse;
    for (int k = 0; k < REAL_SIDES; k++) {
        sound[k] &= real_exceeds(pivot.x[k], least.x[k]);
        inverse.x[k] = 1 / pivot.x[k];
    }
    return inverse;
}

/* Freedom k leaves the rows on its way, alone; */
static ZV_HOT void factor_one(const Rows &M, int k, const sided *least, verdict *sound) {
    const zvRows *w = M.of;
    sided *row = row_of(M, k);
    int at = w->depth[k];
    const sided inverse = row[at] = judge(row[at], least[k], sound);
    for (int i = w->parent[k]; i >= 0; i = w->parent[i]) {
        const sided l = product(row[--at], inverse);
        sided *up = row_of(M, i);
        for (int j = 0; j <= at; j++) ltdl_take(&up[j], l, row[j]);
        row[at] = l;
    }
}

/* or with the one before it, k - 1. */
static ZV_HOT void factor_two(const Rows &M, int k, const sided *least, verdict *sound) {
    const zvRows *w = M.of;
    sided *row = row_of(M, k), *next = row_of(M, k - 1);
    int at = w->depth[k - 1];
    const sided inverse = row[at + 1] = judge(row[at + 1], least[k], sound), l = product(row[at], inverse);
    for (int j = 0; j <= at; j++) ltdl_take(&next[j], l, row[j]);
    row[at] = l;
    const sided second = next[at] = judge(next[at], least[k - 1], sound);
    for (int i = w->parent[k - 1]; i >= 0; i = w->parent[i]) {
        at--;
        const sided a = product(row[at], inverse), b = product(next[at], second);
        take_both(at + 1, a, row, b, next, row_of(M, i));
        row[at] = a, next[at] = b;
    }
}

static inline void factor(const Rows &M, zvDesk desk, verdict *sound) {
    const zvRows *w = M.of;
    sided *least = zv_desk_array(&desk, sided, w->n);
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < REAL_SIDES; c++) least[i].x[c] = LTDL_PIVOT_FLOOR * row_of(M, i)[w->depth[i]].x[c];
    for (int k = w->n - 1; k >= 0; k--) {
        if (k && w->parent[k] == k - 1)
            factor_two(M, k--, least, sound);
        else
            factor_one(M, k, least, sound);
    }
}

/* x := M^-1 x. `way` holds what belongs to the freedoms on the way of the one in hand: sums that come in from beyond
 * them, then their answers. */
static inline void solve(const Rows &L, zvDesk desk, sided *x) {
    const zvRows *w = L.of;
    sided *way = zv_desk_array(&desk, sided, w->n);
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < REAL_SIDES; c++) way[i].x[c] = 0;
    for (int i = w->n - 1; i >= 0; i--) {
        const sided *row = row_of(L, i);
        const int depth = w->depth[i];
        sided own = x[i];
        for (int c = 0; c < REAL_SIDES; c++) own.x[c] = own.x[c] + way[depth].x[c], way[depth].x[c] = 0;
        for (int p = 0; p < depth; p++) ltdl_take(&way[p], own, row[p]);
        x[i] = own;
    }
    for (int i = 0; i < w->n; i++) {
        const sided *row = row_of(L, i);
        const int depth = w->depth[i];
        sided sum = product(x[i], row[depth]);
        for (int p = 0; p < depth; p++) ltdl_take(&sum, row[p], way[p]);
        x[i] = way[depth] = sum;
    }
}

/* -- inverse ------------------------------------------------------------------------------------------------------ */

/* Row i of Y = L^-1 over that of L, from the rows on its way; own is (depth). The diagonal of ones is not there. */
static ZV_HOT void invert_row(const Rows &L, int i, sided *own) {
    const zvRows *w = L.of;
    sided *row = row_of(L, i);
    int at = w->depth[i];
    for (int p = 0; p < at; p++)
        for (int c = 0; c < REAL_SIDES; c++) own[p].x[c] = -row[p].x[c];
    for (int k = w->parent[i]; k >= 0; k = w->parent[k]) {
        const sided l = row[--at], *up = row_of(L, k);
        for (int p = 0; p < at; p++) ltdl_take(&own[p], l, up[p]);
    }
    for (int p = 0; p < w->depth[i]; p++) row[p] = own[p];
}

/* sum + a . b */
static ZV_HOT void put_product(int count, const sided *a, const sided *b, sided sum, Cursor at, const Matrix &to) {
    for (int p = 0; p < count; p++)
        for (int c = 0; c < REAL_SIDES; c++) sum.x[c] = sum.x[c] + a[p].x[c] * b[p].x[c];
    for (int c = 0; c < REAL_SIDES; c++, at.here += REAL_LANES, at.there += REAL_LANES) put(to, at, sum.x[c]);
}

/* M^-1 = Y D^-1 Y^T, whose entry (i, k) is a sum over what the ways of i and k share, from the factors; they are lost.
 */
static inline void invert(const Rows &L, zvDesk desk, const Matrix &to) {
    const zvRows *w = L.of;
    sided *own = zv_desk_array(&desk, sided, w->n), *way = zv_desk_array(&desk, sided, w->n), none;
    for (int c = 0; c < REAL_SIDES; c++) none.x[c] = 0;
    for (int i = 0; i < w->n; i++) {
        const int depth = w->depth[i];
        const sided *row = row_of(L, i);
        invert_row(L, i, own);
        way[depth] = row[depth];
        for (int p = 0; p < depth; p++) own[p] = product(row[p], way[p]);
        put_product(depth, row, own, row[depth], cursor_at(to, i, i, 0), to);
        for (int end = i, up = w->parent[i]; end > 0; end = up, up = up < 0 ? up : w->parent[up]) {
            const int shared = up < 0 ? 0 : w->depth[up] + 1;
            for (int k = end - 1; k > up; k--) put_product(shared, own, row_of(L, k), none, cursor_at(to, i, k, 0), to);
            if (up >= 0) put_product(shared - 1, own, row_of(L, up), own[shared - 1], cursor_at(to, i, up, 0), to);
        }
    }
}

#endif
