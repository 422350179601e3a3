/* M = L^T D L with the zeros of a tree: row i has entries only on its path, at i and at the dofs above it (parent[i] <
 * i, -1 ends a path). Featherstone, Rigid Body Dynamics Algorithms, 6.5. Rows of n x n matrices hold their paths side
 * by side, from the root on: entry (i, k) at place depth[k] of row i, and nothing else of them is looked at. Between
 * `forward` or `factor` and `respond` they are those of R = D L, with 1 / D in place of D.
 *
 * Rows are summed up in registers, some numbers at a time; what comes behind the end of a path is not kept, or not
 * looked at. */
#ifndef ZV_DERIVE_FACTORS_H
#define ZV_DERIVE_FACTORS_H

#include "linalg/ltdl.h"
#include "real/some.h"
#include "work/desk.h"

typedef struct dofPaths {
    int n;
    const int *parent;
    int *depth; /* dofs above each */
    int *end;   /* the last dof of the subtree plus one */
    int *path;  /* from the root to one of them: whoever walks sets it */
} dofPaths;

static inline dofPaths dof_paths(int n, const int *parent, zvDesk *desk) {
    dofPaths w;
    w.n = n;
    w.parent = parent;
    w.depth = zv_desk_array(desk, int, n);
    w.end = zv_desk_array(desk, int, n);
    w.path = zv_desk_array(desk, int, n);
    for (int i = 0; i < n; i++) {
        w.depth[i] = parent[i] < 0 ? 0 : w.depth[parent[i]] + 1;
        w.end[i] = i + 1;
    }
    for (int i = n - 1; i >= 0; i--)
        if (parent[i] >= 0 && w.end[parent[i]] < w.end[i]) w.end[parent[i]] = w.end[i];
    return w;
}

/* Rows as they are in matrices whose columns are dofs, to their paths side by side. */
static inline void tree_pack(const dofPaths *w, real *M) {
    for (int i = 0; i < w->n; i++) {
        real *row = M + (size_t)i * (size_t)w->n;
        w->path[w->depth[i]] = i;
        for (int c = 0; c <= w->depth[i] && w->depth[i] < i; c++) row[c] = row[w->path[c]];
    }
}

/* Part of a row. */
typedef struct rowPart {
    some a, b, c, d;
} rowPart;
enum { ROW_PART = 4 * SOME };

static ZV_HOT rowPart part_of(const int blocks, const real *x) {
    rowPart p;
    p.a = some_of(x);
    p.b = blocks > 1 ? some_of(x + SOME) : p.a;
    p.c = blocks > 2 ? some_of(x + 2 * SOME) : p.a;
    p.d = blocks > 3 ? some_of(x + 3 * SOME) : p.a;
    return p;
}
/* += f x */
static ZV_HOT void part_more(rowPart *p, const int blocks, real f, const real *x) {
    const some all = some_like(f);
    p->a = p->a + all * some_of(x);
    if (blocks > 1) p->b = p->b + all * some_of(x + SOME);
    if (blocks > 2) p->c = p->c + all * some_of(x + 2 * SOME);
    if (blocks > 3) p->d = p->d + all * some_of(x + 3 * SOME);
}
/* At least the first `count` numbers, and what comes behind them in a block and has place in the row. */
static ZV_HOT void block_to(real *x, int count, int place, some a) {
    if (count <= 0) return;
    if (place >= SOME) {
        some_to(x, a);
        return;
    }
    for (int j = 0; j < SOME - 1; j++)
        if (j < place) x[j] = some_lane(a, j);
}
static ZV_HOT void part_to(real *x, int count, int place, const rowPart *p) {
    block_to(x, count, place, p->a);
    block_to(x + SOME, count - SOME, place - SOME, p->b);
    block_to(x + 2 * SOME, count - 2 * SOME, place - 2 * SOME, p->c);
    block_to(x + 3 * SOME, count - 3 * SOME, place - 3 * SOME, p->d);
}

/* Numbers of row i from `at` on, less those of rows below times f. copy: of the last row, which has nothing behind. */
static ZV_HOT void take_below(const dofPaths *w, const int blocks, int i, int at, const real *f, const real *copy,
                              real *M) {
    const size_t n = (size_t)w->n;
    const int last = w->n - 1;
    real *row = M + (size_t)i * n + at;
    rowPart sum = part_of(blocks, row);
    int k = w->end[i] - 1; /* what was found last comes last: it is waited for */
    if (k == last) part_more(&sum, blocks, f[k--], copy + at);
    for (; k > i; k--) part_more(&sum, blocks, f[k], M + (size_t)k * n + at);
    part_to(row, w->depth[i] + 1 - at, w->n - at, &sum);
}

/* a.b of places from ... to - 1 */
static ZV_HOT real dot_between(int from, int to, const real *a, const real *b) {
    real even = 0, odd = 0;
    for (; to > from + 1; to -= 2) {
        odd = odd + a[to - 1] * b[to - 1];
        even = even + a[to - 2] * b[to - 2];
    }
    if (to > from) even = even + a[from] * b[from];
    return even + odd;
}

/* R and 1 / D over M, and L^-T x over x (or NULL). Whether all of D is positive to rounding. */
static inline verdict tree_factor(const dofPaths *w, zvDesk desk, real *M, real *x) {
    const int n = w->n;
    real *f = zv_desk_array(&desk, real, n), *over = zv_desk_array(&desk, real, n);
    real *copy = zv_desk_array(&desk, real, n + SOME);
    verdict positive = 1;
    for (int k = 0; k < n + SOME; k++) copy[k] = 0;
    if (n == 0) return positive;
    for (int k = 0; k <= w->depth[n - 1]; k++) copy[k] = M[(size_t)(n - 1) * (size_t)n + k];
    for (int i = n - 1; i >= 0; i--) {
        real *pivot = M + (size_t)i * (size_t)n + w->depth[i];
        const real least = LTDL_PIVOT_FLOOR * *pivot;
        for (int k = i + 1; k < w->end[i]; k++) f[k] = -over[k] * M[(size_t)k * (size_t)n + w->depth[i]];
        for (int at = 0; at <= w->depth[i] && w->end[i] > i + 1; at += ROW_PART) {
            const int left = w->depth[i] + 1 - at;
            if (left <= SOME)
                take_below(w, 1, i, at, f, copy, M);
            else if (left <= 2 * SOME)
                take_below(w, 2, i, at, f, copy, M);
            else if (left <= 3 * SOME)
                take_below(w, 3, i, at, f, copy, M);
            else
                take_below(w, 4, i, at, f, copy, M);
        }
        if (x) x[i] = x[i] + dot_between(i + 1, w->end[i], f, x);
        positive &= real_exceeds(*pivot, least);
        *pivot = over[i] = 1 / *pivot;
    }
    return positive;
}

/* x := L^-1 D^-1 x: what is left to be done after tree_factor. */
static inline void tree_solve(const dofPaths *w, const real *R, real *x) {
    const int *path = w->path;
    for (int i = 0; i < w->n; i++) {
        const real *row = R + (size_t)i * (size_t)w->n;
        const int above = w->depth[i];
        real sum = 0, more = x[i];
        int c = 0;
        for (; c + 1 < above; c += 2) {
            sum = sum + row[c] * x[path[c]];
            more = more - row[c + 1] * x[path[c + 1]];
        }
        if (c < above) more = more - row[c] * x[path[c]];
        x[i] = (more - sum) * row[above];
        w->path[above] = i;
    }
}

/* sum += numbers `at` on of rows c ... to - 1 of the path, times row[c] */
static ZV_HOT int add_above(const dofPaths *w, const int blocks, int c, int to, int at, const real *row, const real *W,
                            rowPart *sum) {
    for (; c < to; c++) part_more(sum, blocks, row[c], W + (size_t)w->path[c] * (size_t)w->n + at);
    return c;
}
static ZV_HOT int earlier(int a, int b) { return a < b ? a : b; }

/* W = L^-1 over R, with its diagonal of ones: row i is -(sum of L_ik (row k of W)), k above i. over: 1 / D. */
static inline void tree_invert(const dofPaths *w, real *R, real *over) {
    for (int i = 0; i < w->n; i++) {
        real *row = R + (size_t)i * (size_t)w->n;
        const int above = w->depth[i];
        over[i] = row[above];
        const some f = some_like(-over[i]);
        for (int at = 0; at <= above; at += ROW_PART) {
            rowPart sum;
            sum.a = sum.b = sum.c = sum.d = some_like(0);
            int c = add_above(w, 1, at, earlier(above, at + SOME), at, row, R, &sum);
            c = add_above(w, 2, c, earlier(above, at + 2 * SOME), at, row, R, &sum);
            c = add_above(w, 3, c, earlier(above, at + 3 * SOME), at, row, R, &sum);
            add_above(w, 4, c, above, at, row, R, &sum);
            sum.a = f * sum.a + some_unit(above - at);
            sum.b = f * sum.b + some_unit(above - at - SOME);
            sum.c = f * sum.c + some_unit(above - at - 2 * SOME);
            sum.d = f * sum.d + some_unit(above - at - 3 * SOME);
            part_to(row + at, above + 1 - at, w->n - at, &sum);
        }
        w->path[above] = i;
    }
}

#endif
