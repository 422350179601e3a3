/* M = L^T D L with the zeros of a tree: row i has entries only on its path, at i and at the dofs above it (parent[i] <
 * i, -1 ends a path). Featherstone, Rigid Body Dynamics Algorithms, 6.5. Rows of n x n matrices hold their paths
 * packed, from the root on: entry (i, k) at place depth[k] of row i; nothing else of a row is read. Between
 * `forward` or `factor` and `respond` they are those of R = D L, with 1 / D in place of D.
 *
 * Rows are taken by groups, in tiles: a line of dofs with one subtree, or neighbouring leaves on one parent. Numbers
 * behind the end of a path are not kept, or not read. Tiles are why linalg/ltdl.h, which has the figures, is not used.
 */
#ifndef ZI_DYNAMICS_FACTORS_H
#define ZI_DYNAMICS_FACTORS_H

#include "dynamics/tile.h"
#include "linalg/ltdl.h"
#include "work/scratch.h"

typedef struct dofPaths {
    int n;
    const int *parent; /* depth first: numbers of a subtree follow its root */
    int *depth;        /* dofs above each */
    int *end;          /* the last dof of the subtree plus one */
    int *group;        /* rows of the group that begins here, 0 within groups; of leaves negative */
    int *path;         /* dofs from the root to a present one; set by each sweep */
} dofPaths;

/* How many rows the group that begins with i has. */
static ZI_HOT int group_rows(const dofPaths *w, int i) { return w->group[i] < 0 ? -w->group[i] : w->group[i]; }

/* Groups of about the same size. */
static inline void find_groups(const dofPaths *w) {
    const int n = w->n, *parent = w->parent, *end = w->end;
    for (int i = 0, rows = 0; i < n; i += rows) {
        const bool ends = end[i] == i + 1;
        rows = 1;
        if (ends)
            while (rows < TILE_ROWS && i + rows < n && parent[i + rows] == parent[i] && end[i + rows] == i + rows + 1)
                rows++;
        else
            while (rows < 2 * TILE_ROWS && i + rows < n && parent[i + rows] == i + rows - 1 && end[i + rows] == end[i])
                rows++;
        if (rows > TILE_ROWS) rows = (rows + 1) / 2;
        w->group[i] = ends ? -rows : rows;
        for (int k = 1; k < rows; k++) w->group[i + k] = 0;
    }
}

/* Depths, ends of subtrees and groups of rows from the parents, O(n): a subtree ends where the next dof has a parent
 * above it. */
static inline dofPaths dof_paths(int n, const int *parent, ziScratch *scratch) {
    dofPaths w;
    w.n = n;
    w.parent = parent;
    w.depth = zi_scratch_array(scratch, int, n);
    w.end = zi_scratch_array(scratch, int, n);
    w.group = zi_scratch_array(scratch, int, n);
    w.path = zi_scratch_array(scratch, int, n);
    for (int i = 0, depth = 0; i < n; i++, depth++) {
        if (parent[i] != i - 1) depth = parent[i] < 0 ? 0 : w.depth[parent[i]] + 1;
        w.depth[i] = depth;
        for (int k = i - 1; k != parent[i]; k = parent[k]) w.end[k] = i;
    }
    for (int k = n - 1; k >= 0; k = parent[k]) w.end[k] = n;
    find_groups(&w);
    return w;
}

/* Rows as they are in matrices whose columns are dofs, to packed paths. */
static inline void tree_pack(const dofPaths *w, real *M) {
    for (int i = 0; i < w->n; i++) {
        real *row = M + (size_t)i * (size_t)w->n;
        w->path[w->depth[i]] = i;
        for (int c = 0; c <= w->depth[i] && w->depth[i] < i; c++) row[c] = row[w->path[c]];
    }
}

static ZI_HOT int earlier(int a, int b) { return a < b ? a : b; }
static ZI_HOT int later(int a, int b) { return a > b ? a : b; }

/* A matrix that is being factored; copy: of its last row, which has nothing behind. */
typedef struct Factoring {
    const dofPaths *w;
    real *M, *over, *x;
    const real *copy;
} Factoring;

/* Numbers from `at` on of the rows of a group, less what rows below the group take from them. */
static ZI_HOT void take_below(const int rows, const int parts, const Factoring *s, int i, int at) {
    const size_t n = (size_t)s->w->n;
    const int last = s->w->n - 1, end = s->w->end[i], own = s->w->depth[i];
    Tile t;
    TILE_EACH(r, 0, rows) tile_read_row(&t, r, parts, s->M + (size_t)(i + r) * n + at);
    for (int k = i + rows; k < end; k++) {
        const real *row = s->M + (size_t)k * n, *read = k == last ? s->copy : row;
        const pack f = pack_like(-s->over[k]);
        pack scaled[TILE_PARTS];
        TILE_EACH(c, 0, parts) scaled[c] = f * pack_of(read + at + c * PACK);
        TILE_EACH(r, 0, rows) tile_row_more(&t, r, parts, row[own + r], scaled);
    }
    TILE_EACH(r, 0, rows)
    tile_write_row(s->M + (size_t)(i + r) * n + at, parts, s->w->n - at, false, t.x[r]);
}

/* The triangle of a group in itself, from its last row on: pivots, and at factor[k][r] how much of row k to add to row
 * r. Rows below have been taken from it. */
static ZI_HOT real_ok factor_triangle(const int rows, const Factoring *s, int i, const real *least,
                                      real (*factor)[TILE_ROWS]) {
    const size_t n = (size_t)s->w->n;
    const real *own = s->M + (size_t)i * n + s->w->depth[i];
    real m[TILE_ROWS][TILE_ROWS];
    real_ok positive = 1;
    TILE_EACH(k, 0, rows) TILE_EACH(r, 0, k + 1) m[k][r] = own[(size_t)k * n + (size_t)r];
    TILE_EACH(j, 1, rows + 1) {
        const int k = rows - j;
        const real over = 1 / m[k][k];
        positive &= real_exceeds(m[k][k], least[k]);
        s->over[i + k] = over;
        TILE_EACH(r, 0, k) {
            factor[k][r] = -over * m[k][r];
            TILE_EACH(c, 0, r + 1) m[r][c] = m[r][c] + factor[k][r] * m[k][c];
        }
    }
    return positive;
}
/* Rows of a group, numbers from `at` on, with its triangle eliminated. */
static ZI_HOT void take_within(const int rows, const int parts, const Factoring *s, int i, int at,
                               real (*factor)[TILE_ROWS]) {
    const size_t n = (size_t)s->w->n;
    Tile t;
    if (i + rows < s->w->n) { /* with something behind */
        TILE_EACH(r, 0, rows) tile_read_row(&t, r, parts, s->M + (size_t)(i + r) * n + at);
    } else {
        TILE_EACH(r, 0, rows - 1) tile_read_row(&t, r, parts, s->M + (size_t)(i + r) * n + at);
        tile_read_row(&t, rows - 1, parts, s->copy + at);
    }
    TILE_EACH(j, 1, rows) {
        const int k = rows - j;
        TILE_EACH(r, 0, k) tile_row_more(&t, r, parts, factor[k][r], t.x[k]);
    }
    TILE_EACH(r, 0, rows - 1)
    tile_write_row(s->M + (size_t)(i + r) * n + at, parts, s->w->n - at, false, t.x[r]);
}
/* The same of numbers of a vector. */
static ZI_HOT void take_numbers(const int rows, const Factoring *s, int i, real (*factor)[TILE_ROWS]) {
    const size_t n = (size_t)s->w->n;
    const real *own = s->M + s->w->depth[i];
    real x[TILE_ROWS];
    TILE_EACH(r, 0, rows) x[r] = s->x[i + r];
    for (int k = i + rows; k < s->w->end[i]; k++) {
        const real f = -s->over[k] * s->x[k], *row = own + (size_t)k * n;
        TILE_EACH(r, 0, rows) x[r] = x[r] + f * row[r];
    }
    TILE_EACH(j, 1, rows) {
        const int k = rows - j;
        TILE_EACH(r, 0, k) x[r] = x[r] + factor[k][r] * x[k];
    }
    TILE_EACH(r, 0, rows) s->x[i + r] = x[r];
}

/* step(rows, parts, ...) for all numbers of rows that end before `to`. */
#define FOR_PARTS(at, to, step, ...)                \
    for (int at = 0; at < (to); at += TILE_WIDTH) { \
        if ((to)-at <= PACK)                        \
            step(rows, 1, __VA_ARGS__);             \
        else if ((to)-at <= 2 * PACK)               \
            step(rows, 2, __VA_ARGS__);             \
        else                                        \
            step(rows, 3, __VA_ARGS__);             \
    }

static ZI_HOT void factor_group(const int rows, const Factoring *s, int i, real_ok *positive) {
    const size_t n = (size_t)s->w->n;
    const int own = s->w->depth[i], to = own + rows;
    real factor[TILE_ROWS][TILE_ROWS], least[TILE_ROWS];
    TILE_EACH(r, 0, rows) least[r] = LTDL_PIVOT_FLOOR * s->M[(size_t)(i + r) * n + (size_t)(own + r)];
    if (s->w->end[i] > i + rows) FOR_PARTS(at, to, take_below, s, i, at)
    *positive &= factor_triangle(rows, s, i, least, factor);
    if (rows > 1) FOR_PARTS(at, to, take_within, s, i, at, factor)
    if (s->x) take_numbers(rows, s, i, factor);
}
static inline void factor_end(const Factoring *s, int i, real_ok *positive) {
    const real pivot = s->M[(size_t)i * (size_t)s->w->n + (size_t)s->w->depth[i]];
    *positive &= real_exceeds(pivot, LTDL_PIVOT_FLOOR * pivot);
    s->over[i] = 1 / pivot;
}

/* R and 1 / D over M, and L^-T x over x (or NULL). Whether all of D is positive to rounding. */
static ZI_COLD real_ok tree_factor(const dofPaths *w, ziScratch scratch, real *M, real *x) {
    const int n = w->n;
    real *copy = zi_scratch_array(&scratch, real, n + PACK), *over = zi_scratch_array(&scratch, real, n);
    Factoring s;
    real_ok positive = 1;
    s.w = w;
    s.M = M;
    s.x = x;
    s.over = over;
    s.copy = copy;
    for (int k = n > 0 ? w->depth[n - 1] + 1 : 0; k < n + PACK; k++) copy[k] = 0;
    for (int k = 0; n > 0 && k <= w->depth[n - 1]; k++) copy[k] = M[(size_t)(n - 1) * (size_t)n + (size_t)k];
    for (int i = n - 1; i >= 0; i--) {
        const int rows = w->group[i];
        if (rows > 0) TILE_BY_ROWS(rows, factor_group, &s, i, &positive);
        for (int k = i - rows - 1; k >= i; k--) factor_end(&s, k, &positive);
    }
    for (int i = 0; i < n; i++) M[(size_t)i * (size_t)n + (size_t)w->depth[i]] = over[i];
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

/* += rows c ... to - 1 of the path, numbers from `at` on, as much as the rows of a group have of them. */
static ZI_HOT int add_above(Tile *t, const int rows, const int parts, const dofPaths *w, const real *R, int i, int at,
                            int c, int to) {
    const size_t n = (size_t)w->n;
    for (; c < to; c++)
        tile_more(t, rows, parts, R + (size_t)i * n + (size_t)c, n, R + (size_t)w->path[c] * n + (size_t)at);
    return c;
}

/* Numbers from `at` on of the rows of a group of W = L^-1, whose diagonal is one: row i is -(sum of L_ik (row k of W)),
 * k above i, which has nothing behind its diagonal. line: each row is above the next. */
static ZI_HOT void invert_rows(const int rows, const int parts, const dofPaths *w, real *R, const real *over, int i,
                               int at) {
    const size_t n = (size_t)w->n;
    const int above = w->depth[i], line = w->group[i] > 0;
    Tile t;
    tile_clear(&t, rows, parts);
    int c = at;
    TILE_EACH(p, 1, parts) c = add_above(&t, rows, p, w, R, i, at, c, earlier(above, at + p * PACK));
    add_above(&t, rows, parts, w, R, i, at, c, above);
    TILE_EACH(r, 0, rows) {
        const real *row = R + (size_t)(i + r) * n;
        const pack f = pack_like(-over[i + r]);
        const int own = above + line * r - at;
        if (line) TILE_EACH(k, 0, r) tile_row_more(&t, r, parts, row[above + k], t.x[k]);
        TILE_EACH(p, 0, parts) t.x[r][p] = f * t.x[r][p] + pack_unit(own - p * PACK);
    }
    TILE_EACH(r, 0, rows)
    tile_write_row(R + (size_t)(i + r) * n + at, parts, w->n - at, i + r == w->n - 1, t.x[r]);
}
static ZI_HOT void invert_group(const int rows, const dofPaths *w, real *R, real *over, int i) {
    const int above = w->depth[i], line = w->group[i] > 0, to = above + (line ? rows : 1);
    TILE_EACH(r, 0, rows) over[i + r] = R[(size_t)(i + r) * (size_t)w->n + (size_t)(above + line * r)];
    FOR_PARTS(at, to, invert_rows, w, R, over, i, at)
    TILE_EACH(r, 0, rows) w->path[above + line * r] = i + r;
}
/* W over R; over: 1 / D. */
static ZI_COLD void tree_invert(const dofPaths *w, real *R, real *over) {
    for (int i = 0; i < w->n; i += group_rows(w, i)) TILE_BY_ROWS(group_rows(w, i), invert_group, w, R, over, i);
}

#endif
