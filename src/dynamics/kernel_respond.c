/* Responses of the accelerations: X := -M^-1 X from the factors of M (dynamics/factors.h), and M^-1 = W D^-1 W^T
 * itself.
 *
 * A panel is a few columns of a matrix, which have the zeros of the tree: a column has entries in its subtree and on
 * its path to the root, and so has Y = D^-1 W^T X. Of Z = W Y row i is a sum over as much of the path of i as the panel
 * reaches. Of the identity, W^T is known. Rows are taken by groups that share what they are sums of. */
#include "dynamics/kernel_respond_arm.h"
#include "dynamics/kernels.h"
#include "dynamics/panel.h"

#if !defined ZI_WIDE
_Static_assert((PANEL + 4) * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE, "scratch too small");
#endif

/* W in rows of M (as their paths, dynamics/factors.h) and 1 / D. */
typedef struct Response {
    dofPaths w;
    real *M, *over;
    const real **line; /* rows of a panel that are on a path; set by each sweep */
} Response;

static ZI_HOT real *row_of(const Panel *p, int i) { return p->y + (size_t)i * PANEL; }

/* Rows of a group of -Y from rows in their subtree, which begins with themselves: W has its ones there, and zeros
 * behind them. */
static ZI_HOT void gather_rows(const int rows, const int parts, const Response *s, const Panel *p, int i) {
    const size_t n = (size_t)s->w.n;
    const int below = i + rows, last = s->w.n - 1, to = earlier(s->w.end[i], p->to), *path = s->w.path;
    const real *W = s->M + s->w.depth[i], *X = p->X;
    int j = i;
    Tile t;
    tile_clear(&t, rows, parts);
    if (below <= p->from) {
        for (; j < below; j++) tile_more(&t, rows, parts, W + (size_t)j * n, 1, X + (size_t)j * n);
        for (int c = s->w.depth[i] + rows; c < s->w.depth[p->from]; c++)
            tile_more(&t, rows, parts, W + (size_t)path[c] * n, 1, X + (size_t)path[c] * n);
        j = p->from;
    }
    for (; j < earlier(to, last); j++) tile_more(&t, rows, parts, W + (size_t)j * n, 1, X + (size_t)j * n);
    if (j < to) tile_more(&t, rows, parts, W + (size_t)j * n, 1, p->last);
    TILE_EACH(r, 0, rows) {
        const pack f = pack_like(-s->over[i + r]);
        TILE_EACH(c, 0, parts) pack_to(row_of(p, i + r) + c * PACK, f * t.x[r][c]);
    }
}
static ZI_HOT void gather_end(const int parts, const Response *s, const Panel *p, int i) {
    const real *x = i == s->w.n - 1 ? p->last : p->X + (size_t)i * (size_t)s->w.n;
    const pack f = pack_like(-s->over[i]);
    TILE_EACH(c, 0, parts) pack_to(row_of(p, i) + c * PACK, f * pack_of(x + c * PACK));
}

/* All rows of -Y = -D^-1 W^T X that a panel reaches: groups on the path of its first column, then those from that
 * column's group on. */
static ZI_HOT void gather_all(const Response *s, const Panel *p, const int parts) {
    for (int c = 0; c < s->w.depth[p->from] && s->w.path[c] < p->first; c++) {
        const int rows = s->w.group[s->w.path[c]];
        if (rows) TILE_BY_ROWS(rows, gather_rows, parts, s, p, s->w.path[c]);
    }
    for (int i = p->first; i < p->to;) {
        const int rows = s->w.group[i];
        if (rows > 0) TILE_BY_ROWS(rows, gather_rows, parts, s, p, i);
        for (int k = i; k < i - rows; k++) gather_end(parts, s, p, k);
        i += rows > 0 ? rows : -rows;
    }
}

/* Row i of D^-1 W^T. */
static ZI_HOT void turn_row(const Response *s, const Panel *p, const int parts, int i) {
    const size_t n = (size_t)s->w.n;
    const real *column = s->M + (size_t)p->from * n + s->w.depth[i];
    const int first = i - p->from, below = earlier(s->w.end[i] - p->from, p->width);
    const pack over = pack_like(s->over[i]);
    TILE_EACH(c, 0, parts)
    pack_to(row_of(p, i) + c * PACK,
            over * pack_spaced(column + (size_t)(c * PACK) * n, n, first - c * PACK, below - c * PACK));
}
static ZI_HOT void turn_panel(const Response *s, const Panel *p, const int parts) {
    for (int c = 0; c < s->w.depth[p->from]; c++) turn_row(s, p, parts, s->w.path[c]);
    for (int i = p->first; i < p->to; i++) turn_row(s, p, parts, i);
}

/* Rows i ... i + rows - 1 of Z from so many of their common path, to which a line of them belongs, or for ends also
 * from themselves. */
static ZI_HOT void spread(const int rows, const int parts, const Response *s, const Panel *p, int i, int count,
                          bool ends) {
    const size_t n = (size_t)s->w.n;
    const real *W = s->M + (size_t)i * n;
    real *X = p->X + (size_t)i * n;
    const real *const *line = s->line;
    Tile z;
    tile_clear(&z, rows, parts);
    for (int c = 0; c < count; c++) tile_more(&z, rows, parts, W + c, n, line[c]);
    if (ends) TILE_EACH(r, 0, rows) {
            TILE_EACH(c, 0, parts) z.x[r][c] = z.x[r][c] + pack_of(row_of(p, i + r) + c * PACK);
        }
    if (p->width == parts * PACK) {
        TILE_EACH(r, 0, rows) TILE_EACH(c, 0, parts) pack_to(X + (size_t)r * n + c * PACK, z.x[r][c]);
    } else {
        TILE_EACH(r, 0, rows) tile_write_row(X + (size_t)r * n, parts, p->width, i + r == s->w.n - 1, z.x[r]);
    }
}

/* Whether the panel reaches the group that begins with row i. */
static ZI_HOT bool reaches(const Response *s, const Panel *p, int i) {
    return i < p->first ? s->w.end[i] > p->from : i < p->to;
}
/* The end of rows from i on that are not reached and whose paths part from what is reached at the same place. */
static ZI_HOT int behind_unreached(const Response *s, const Panel *p, int i, int stop) {
    const int *parent = s->w.parent;
    int to = i;
    while (to < stop && parent[to] == parent[i] && !reaches(s, p, to))
        to = s->w.group[to] > 0 ? s->w.end[to] : to - s->w.group[to];
    return to;
}
/* Z before row `stop`. */
static ZI_HOT void spread_all(const Response *s, const Panel *p, const int parts, int stop) {
    for (int i = 0; i < stop;) {
        const int depth = s->w.depth[i];
        if (reaches(s, p, i)) {
            const int rows = group_rows(&s->w, i), line = s->w.group[i] > 0 ? rows : 0;
            for (int c = 0; c < line; c++) s->line[depth + c] = row_of(p, i + c);
            TILE_BY_ROWS(rows, spread, parts, s, p, i, depth + line, line == 0);
            i += rows;
            continue;
        }
        const int to = behind_unreached(s, p, i, stop);
        for (; i < to; i += TILE_ROWS) TILE_BY_ROWS(earlier(TILE_ROWS, to - i), spread, parts, s, p, i, depth, false);
        i = to;
    }
}

#define RESPOND_BY_PARTS(parts)                                                                                        \
    static ZI_COLD void gather_##parts(const Response *s, const Panel *p) { gather_all(s, p, parts); }                 \
    static ZI_COLD void spread_##parts(const Response *s, const Panel *p, int stop) { spread_all(s, p, parts, stop); } \
    static ZI_COLD void turn_##parts(const Response *s, const Panel *p) { turn_panel(s, p, parts); }
RESPOND_BY_PARTS(1)
RESPOND_BY_PARTS(2)
RESPOND_BY_PARTS(3)

/* X := -M^-1 X */
static inline void respond(const Response *s, Panel *p, real *X) {
    static void (*const gathers[])(const Response *, const Panel *) = {gather_1, gather_2, gather_3};
    static void (*const spreads[])(const Response *, const Panel *, int) = {spread_1, spread_2, spread_3};
    const int n = s->w.n;
    for (int from = 0, left = (n + PACK - 1) / PACK; X && left > 0; from += p->width) {
        const int parts = panel_parts(left);
        panel_place(&s->w, p, from, earlier(n, from + parts * PACK), X);
        left -= parts;
        gathers[parts - 1](s, p);
        spreads[parts - 1](s, p, n);
    }
}
/* M^-1 on and above the diagonal, over W, from the last panel on: rows before a panel keep what is read of W. */
static inline void invert(const Response *s, Panel *p) {
    static void (*const turns[])(const Response *, const Panel *) = {turn_1, turn_2, turn_3};
    static void (*const spreads[])(const Response *, const Panel *, int) = {spread_1, spread_2, spread_3};
    for (int to = s->w.n, left = (to + PACK - 1) / PACK; left > 0; to = p->from) {
        const int parts = panel_parts(left);
        left -= parts;
        panel_place(&s->w, p, left * PACK, to, s->M);
        p->to = to - 1;
        while (s->w.group[p->to] == 0) p->to--;
        p->to += group_rows(&s->w, p->to);
        turns[parts - 1](s, p);
        spreads[parts - 1](s, p, p->to);
    }
}

/* The inverse from its upper triangle: squares of it, and what is left of rows. */
static inline void complete(const Response *s) {
    const int n = s->w.n;
    for (int i = 0; i < n; i += PACK) {
        const int rows = earlier(PACK, n - i);
        for (int j = 0; j < i && rows == PACK; j += PACK)
            square_turned(s->M + (size_t)j * (size_t)n + i, s->M + (size_t)i * (size_t)n + j, n);
        for (int k = i; k < i + rows; k++)
            for (int j = rows == PACK ? i : 0; j < k; j++)
                s->M[(size_t)k * (size_t)n + (size_t)j] = s->M[(size_t)j * (size_t)n + (size_t)k];
    }
}

/* Room for the sweeps over factors L, whose place this takes W. */
static inline Response open_response(const dofPaths *w, ziScratch *scratch, real *L, Panel *p) {
    Response s;
    s.w = *w;
    s.M = L;
    s.over = zi_scratch_array(scratch, real, w->n);
    s.line = zi_scratch_array(scratch, const real *, w->n);
    p->y = zi_scratch_array(scratch, real, w->n * PANEL);
    p->last = zi_scratch_array(scratch, real, PANEL);
    for (int c = 0; c < PANEL; c++) p->last[c] = 0;
    tree_invert(w, L, s.over);
    return s;
}

real_ok ZI_KERNEL(zi_tree_factor)(int n, const int *parent, ziScratch scratch, real *M) {
    const dofPaths w = dof_paths(n, parent, &scratch);
    tree_pack(&w, M);
    return tree_factor(&w, scratch, M, NULL);
}

/* W = L^-1 over the factors, then X := -M^-1 X for both matrices panel by panel, last M^-1 itself over W; arms of 6 and
 * 7 joints have a kernel of their own. */
void ZI_KERNEL(zi_tree_respond)(int n, const int *parent, ziScratch scratch, real *L, real *X0, real *X1) {
    if (respond_as_arm(n, parent, L, X0, X1)) return;
    Panel p;
    const dofPaths w = dof_paths(n, parent, &scratch);
    const Response s = open_response(&w, &scratch, L, &p);
    respond(&s, &p, X0);
    respond(&s, &p, X1);
    invert(&s, &p);
    complete(&s);
}

/* M^-1 over packed paths of M; whether M is positive to rounding. */
static inline real_ok invert_paths(const dofPaths *w, ziScratch scratch, real *M) {
    const real_ok ok = tree_factor(w, scratch, M, NULL);
    if (respond_as_arm(w->n, w->parent, M, NULL, NULL)) return ok;
    Panel p;
    const Response s = open_response(w, &scratch, M, &p);
    invert(&s, &p);
    complete(&s);
    return ok;
}

real_ok ZI_KERNEL(zi_tree_inverse)(int n, const int *parent, ziScratch scratch, real *M) {
    const dofPaths w = dof_paths(n, parent, &scratch);
    return invert_paths(&w, scratch, M);
}

/* Without parents M is dense: all dofs are on the path of the last. */
zvStatus ZI_KERNEL(zi_invert)(const ziTree *t, ziScratch scratch, real *M) {
    int *line = zi_scratch_array(&scratch, int, t->nv);
    for (int i = 0; i < t->nv; i++) line[i] = i - 1;
    const dofPaths w = dof_paths(t->nv, t->dof_parent ? t->dof_parent : line, &scratch);
    tree_pack(&w, M);
    return invert_paths(&w, scratch, M) ? ZV_OK : ZV_SINGULAR;
}
