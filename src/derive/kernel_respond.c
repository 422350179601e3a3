/* Answers of the accelerations: X := -M^-1 X from the factors of M (derive/factors.h), and M^-1 = W D^-1 W^T itself.
 *
 * A panel has the same few columns of each matrix side by side. The matrices have the zeros of the tree: a column has
 * entries in its subtree and on its path to the root, and so has Y = D^-1 W^T X. Of Z = W Y row i is a sum over as much
 * of the path of i as the panel reaches. Of the identity, W^T is known. Rows are summed up in registers. */
#include "derive/kernel_respond_arm.h"
#include "derive/kernels.h"

enum { MOST = 3, PANEL = 3 * MOST * SOME }; /* vectors that a matrix has in a panel, at most; numbers in its rows */

#if !defined ZV_WIDE
_Static_assert((PANEL + 5) * sizeof(real) <= ZV_DESK_PER_COORDINATE, "desk too small");
#endif

/* W in rows of M (as their paths, derive/factors.h), 1 / D, and two matrices. The inverse takes the upper triangle of
 * M, and n numbers for its diagonal, until W is not needed any more. */
typedef struct Response {
    dofPaths w;
    real *M, *over, *diagonal;
    real *X[2];
} Response;

/* Columns from ... from + width - 1; rows from ... to - 1 and those of the path of `from` are reached. */
typedef struct Panel {
    int from, width, to;
    real *y;
    const real *zeros; /* instead of a matrix that is not wanted */
} Panel;

/* A row of a panel, or what it has of matrices: so many vectors. */
typedef struct Sum {
    some part[3 * MOST];
} Sum;

static ZV_HOT void sum_set(Sum *s, const int parts, const real *x) {
    for (int c = 0; c < parts; c++) s->part[c] = some_of(x + c * SOME);
}
static ZV_HOT void sum_clear(Sum *s, const int parts) {
    for (int c = 0; c < parts; c++) s->part[c] = some_like(0);
}
/* += f x */
static ZV_HOT void sum_more(Sum *s, const int parts, real f, const real *x) {
    const some all = some_like(f);
    for (int c = 0; c < parts; c++) s->part[c] = s->part[c] + all * some_of(x + c * SOME);
}
static ZV_HOT void sum_more_both(Sum *s, Sum *t, const int parts, real f, real g, const real *x) {
    const some some_f = some_like(f), some_g = some_like(g);
    for (int c = 0; c < parts; c++) {
        s->part[c] = s->part[c] + some_f * some_of(x + c * SOME);
        t->part[c] = t->part[c] + some_g * some_of(x + c * SOME);
    }
}
/* x = f sum */
static ZV_HOT void sum_to(real *x, const int parts, real f, const Sum *s) {
    const some all = some_like(f);
    for (int c = 0; c < parts; c++) some_to(x + c * SOME, all * s->part[c]);
}

static ZV_HOT real *row_of(const Panel *p, int i) { return p->y + (size_t)i * PANEL; }
/* Columns of a matrix in a row, of which there are `width`; the first `safe` may be touched. Lanes beyond have no
 * meaning. */
static ZV_HOT void read_part(const real *x, int safe, const int each, real *to) {
    for (int c = 0; c < each; c++) {
        if (safe >= (c + 1) * SOME) {
            some_to(to + c * SOME, some_of(x + c * SOME));
            continue;
        }
        some_to(to + c * SOME, some_like(0));
        for (int j = c * SOME; j < (c + 1) * SOME - 1; j++)
            if (j < safe) to[j] = x[j];
    }
}
/* From column `from` on. */
static ZV_HOT void write_part(real *x, int from, int width, int safe, const int each, const some *part) {
    for (int c = 0; c < each; c++) {
        if (from <= c * SOME && safe >= (c + 1) * SOME) {
            some_to(x + c * SOME, part[c]);
            continue;
        }
        for (int j = 0; j < SOME; j++)
            if (c * SOME + j >= from && c * SOME + j < width) x[c * SOME + j] = some_lane(part[c], j);
    }
}

/* Row i of the matrices. Behind it the next one begins. */
static ZV_HOT void read_row(const Response *s, const Panel *p, const int each, int i) {
    const size_t at = (size_t)i * (size_t)s->w.n + (size_t)p->from;
    const int safe = i < s->w.n - 1 ? p->width + SOME : p->width;
    read_part(s->X[0] ? s->X[0] + at : p->zeros, s->X[0] ? safe : PANEL, each, row_of(p, i));
    read_part(s->X[1] ? s->X[1] + at : p->zeros, s->X[1] ? safe : PANEL, each, row_of(p, i) + each * SOME);
}
/* Row i of D^-1 W^T. */
static ZV_HOT void read_turned(const Response *s, const Panel *p, const int each, int i) {
    const size_t n = (size_t)s->w.n;
    const real *column = s->M + (size_t)p->from * n + s->w.depth[i];
    const int first = i - p->from, below = earlier(s->w.end[i] - p->from, p->width);
    const some over = some_like(s->over[i]);
    real *to = row_of(p, i) + 2 * each * SOME;
    for (int c = 0; c < each; c++)
        some_to(to + c * SOME,
                over * some_spaced(column + (size_t)(c * SOME) * n, n, first - c * SOME, below - c * SOME));
}

/* Row i of -Y from rows in its subtree. */
static ZV_HOT void gather(const Response *s, const Panel *p, const int each, int i) {
    const size_t n = (size_t)s->w.n;
    const real *W = s->M + s->w.depth[i];
    const int to = earlier(s->w.end[i], p->to);
    Sum sum;
    sum_set(&sum, 2 * each, row_of(p, i));
    for (int c = s->w.depth[i] + 1; i < p->from && c < s->w.depth[p->from]; c++)
        sum_more(&sum, 2 * each, W[(size_t)s->w.path[c] * n], row_of(p, s->w.path[c]));
    for (int j = i < p->from ? p->from : i + 1; j < to; j++) sum_more(&sum, 2 * each, W[(size_t)j * n], row_of(p, j));
    sum_to(row_of(p, i), 2 * each, -s->over[i], &sum);
}

/* Row i of Z; of the inverse, which is symmetric, from its diagonal on. */
static ZV_HOT void write_row(const Response *s, const Panel *p, const int each, const bool inverse, int i,
                             const Sum *z) {
    const size_t at = (size_t)i * (size_t)s->w.n + (size_t)p->from;
    const int own = i - p->from, width = p->width;
    const int safe = width == s->w.n && i < width - 1 ? width + SOME : width; /* the next row comes later, all of it */
    if (s->X[0]) write_part(s->X[0] + at, 0, width, safe, each, z->part);
    if (s->X[1]) write_part(s->X[1] + at, 0, width, safe, each, z->part + each);
    if (!inverse) return;
    write_part(s->M + at, own + 1, width, width, each, z->part + 2 * each);
    if (own >= 0) s->diagonal[i] = some_lane(z->part[2 * each + own / SOME], own % SOME);
}

/* Rows i ... to - 1 of Z from the first of their common path. */
static ZV_HOT void spread(const Response *s, const Panel *p, const int each, const bool inverse, int i, int to,
                          int count) {
    const int parts = inverse ? 3 * each : 2 * each;
    for (; i < to; i++) {
        const real *W = s->M + (size_t)i * (size_t)s->w.n;
        Sum z;
        sum_clear(&z, parts);
        for (int c = 0; c < count; c++) sum_more(&z, parts, W[c], row_of(p, s->w.path[c]));
        write_row(s, p, each, inverse, i, &z);
    }
}
/* The same by twos. */
static ZV_HOT void spread_both(const Response *s, const Panel *p, const int each, int i, int to, int count) {
    for (; i + 1 < to; i += 2) {
        const real *W = s->M + (size_t)i * (size_t)s->w.n, *V = W + s->w.n;
        Sum y, z;
        sum_clear(&y, 2 * each);
        sum_clear(&z, 2 * each);
        for (int c = 0; c < count; c++) sum_more_both(&y, &z, 2 * each, W[c], V[c], row_of(p, s->w.path[c]));
        write_row(s, p, each, false, i, &y);
        write_row(s, p, each, false, i + 1, &z);
    }
    spread(s, p, each, false, i, to, count);
}

/* Z: rows that are reached one by one, others by subtrees, which the same part of their paths matters to. */
static ZV_HOT void spread_all(const Response *s, const Panel *p, const int each) {
    const int n = s->w.n, from = p->from, behind = from + p->width;
    for (int i = 0; i < n;) {
        const bool reached = i < from ? s->w.end[i] > from : i < p->to;
        const int depth = s->w.depth[i], to = reached ? i + 1 : s->w.end[i];
        s->w.path[depth] = i;
        if (i < behind)
            spread(s, p, each, true, i, to, depth + reached);
        else
            spread_both(s, p, each, i, to, depth + reached);
        i = to;
    }
}

static ZV_HOT void respond(const Response *s, Panel *p, const int each) {
    const int from = p->from, behind = from + p->width, above = s->w.depth[from], *path = s->w.path;
    p->to = from;
    for (int k = from; k < behind; k++) p->to = s->w.end[k] > p->to ? s->w.end[k] : p->to;
    for (int i = s->w.parent[from]; i >= 0; i = s->w.parent[i]) s->w.path[s->w.depth[i]] = i;
    for (int c = 0; c < above; c++) read_row(s, p, each, path[c]);
    for (int i = from; i < p->to; i++) read_row(s, p, each, i);
    for (int c = 0; c < above; c++) gather(s, p, each, path[c]);
    for (int i = from; i < p->to; i++) gather(s, p, each, i);
    for (int c = 0; c < above; c++) read_turned(s, p, each, path[c]);
    for (int i = from; i < behind; i++) read_turned(s, p, each, i);
    spread_all(s, p, each);
}
static ZV_COLD void respond_3(const Response *s, Panel *p) { respond(s, p, 3); }
static ZV_COLD void respond_2(const Response *s, Panel *p) { respond(s, p, 2); }
static ZV_COLD void respond_1(const Response *s, Panel *p) { respond(s, p, 1); }

/* All columns, in panels that are about as wide as each other. */
static inline void respond_all(const Response *s, Panel *p) {
    static void (*const of[MOST])(const Response *, Panel *) = {respond_1, respond_2, respond_3};
    int left = (s->w.n + SOME - 1) / SOME;
    for (p->from = 0; left > 0; p->from += p->width) {
        const int panels = (left + MOST - 1) / MOST, each = (left + panels - 1) / panels;
        p->width = earlier(s->w.n - p->from, each * SOME);
        of[each - 1](s, p);
        left -= each;
    }
}

/* The inverse from its upper triangle and its diagonal: squares of it, and what is left of rows. */
static inline void complete(const Response *s) {
    const int n = s->w.n;
    for (int i = 0; i < n; i += SOME) {
        const int rows = earlier(SOME, n - i);
        for (int j = 0; j < i && rows == SOME; j += SOME)
            square_turned(s->M + (size_t)j * (size_t)n + i, s->M + (size_t)i * (size_t)n + j, n);
        for (int k = i; k < i + rows; k++) {
            real *row = s->M + (size_t)k * (size_t)n;
            for (int j = rows == SOME ? i : 0; j < k; j++) row[j] = s->M[(size_t)j * (size_t)n + k];
            row[k] = s->diagonal[k];
        }
    }
}

verdict ZV_KERNEL(zv_derive_factor)(int n, const int *parent, zvDesk desk, real *M) {
    const dofPaths w = dof_paths(n, parent, &desk);
    tree_pack(&w, M);
    return tree_factor(&w, desk, M, NULL);
}

void ZV_KERNEL(zv_derive_respond)(int n, const int *parent, zvDesk desk, real *L, real *X0, real *X1) {
    Response s;
    Panel p;
    if (respond_as_arm(n, parent, L, X0, X1)) return;
    s.w = dof_paths(n, parent, &desk);
    s.over = zv_desk_array(&desk, real, n);
    s.diagonal = zv_desk_array(&desk, real, n);
    real *zeros = zv_desk_array(&desk, real, PANEL);
    for (int c = 0; c < PANEL; c++) zeros[c] = 0;
    p.zeros = zeros;
    p.y = zv_desk_array(&desk, real, n * PANEL);
    s.M = L;
    s.X[0] = X0;
    s.X[1] = X1;
    tree_invert(&s.w, L, s.over);
    respond_all(&s, &p);
    complete(&s);
}
