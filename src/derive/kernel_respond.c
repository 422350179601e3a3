/* Answers of the accelerations: X := -M^-1 X by the sparse factors of M (linalg/ltl.h), and M^-1 itself. The columns of
 * all of them, and those of the identity, stand side by side and go through both triangles in panels of fixed width,
 * each row of which is summed up in registers: the columns of L below a row are those of its subtree. */
#include <string.h>

#include "derive/kernels.h"
#include "linalg/ltl.h"

enum { PANEL = 24 };

#if !defined ZV_WIDE
_Static_assert((PANEL + 3) * sizeof(real) <= ZV_DESK_PER_COORDINATE, "desk too small");
#endif

/* What is solved for: L over the lower triangle of M, the last dof of each subtree plus one, and up to two matrices. */
typedef struct Response {
    int n;
    const int *parent;
    int *end;
    real *M, *diagonal; /* the inverse takes the upper triangle of M, and n numbers until L is not needed any more */
    int matrices;
    real *X[2];
} Response;

/* sum -= f x */
static ZV_HOT void panel_subtract(real *restrict sum, real f, const real *restrict x) {
    for (int c = 0; c < PANEL; c++) sum[c] -= f * x[c];
}
static ZV_HOT void panel_set(real *restrict x, real f, const real *restrict sum) {
    for (int c = 0; c < PANEL; c++) x[c] = f * sum[c];
}

/* Rows 0 ... rows - 1 of a panel; those beyond are zero after the first triangle and not wanted after the second. */
static ZV_HOT void panel_solve(const Response *s, int rows, real *panel) {
    const size_t n = (size_t)s->n;
    for (int i = rows - 1; i >= 0; i--) { /* L^T y = x */
        const int end = s->end[i] < rows ? s->end[i] : rows;
        real sum[PANEL];
        memcpy(sum, panel + (size_t)i * PANEL, sizeof sum);
        for (int j = i + 1; j < end; j++)
            panel_subtract(sum, s->M[(size_t)j * n + (size_t)i], panel + (size_t)j * PANEL);
        panel_set(panel + (size_t)i * PANEL, s->M[(size_t)i * (n + 1)], sum);
    }
    for (int i = 0; i < rows; i++) { /* L z = y */
        const real *row = s->M + (size_t)i * n;
        real sum[PANEL];
        memcpy(sum, panel + (size_t)i * PANEL, sizeof sum);
        for (int j = s->parent[i]; j >= 0; j = s->parent[j]) panel_subtract(sum, row[j], panel + (size_t)j * PANEL);
        panel_set(panel + (size_t)i * PANEL, row[i], sum);
    }
}

/* Columns from ... from + width - 1 of a matrix, or of the identity, and their place in a panel. */
typedef struct Piece {
    int matrix; /* Response.matrices: the identity */
    int from, width, at;
} Piece;

/* The piece of the panel from column `first` of all that begins at its column `at`. */
static inline Piece piece_at(const Response *s, int first, int at) {
    Piece p;
    p.matrix = (first + at) / s->n;
    p.from = (first + at) % s->n;
    p.at = at;
    p.width = s->n - p.from < PANEL - at ? s->n - p.from : PANEL - at;
    return p;
}

static inline void piece_read(const Response *s, Piece p, real *panel) {
    const size_t n = (size_t)s->n, width = (size_t)p.width;
    panel += p.at;
    for (size_t i = 0; i < n; i++, panel += PANEL) {
        if (p.matrix < s->matrices) {
            const real *x = s->X[p.matrix] + i * n + (size_t)p.from;
            for (size_t c = 0; c < width; c++) panel[c] = x[c];
        } else {
            for (size_t c = 0; c < width; c++) panel[c] = (size_t)p.from + c == i;
        }
    }
}

static inline void piece_write(const Response *s, Piece p, const real *panel) {
    const size_t n = (size_t)s->n, width = (size_t)p.width, from = (size_t)p.from;
    panel += p.at;
    if (p.matrix < s->matrices) {
        for (size_t i = 0; i < n; i++, panel += PANEL) {
            real *x = s->X[p.matrix] + i * n + from;
            for (size_t c = 0; c < width; c++) x[c] = -panel[c];
        }
        return;
    }
    for (size_t i = 0; i < from + width; i++, panel += PANEL) {
        real *x = s->M + i * n + from;
        for (size_t c = i < from ? 0 : i - from; c < width; c++) *(from + c == i ? &s->diagonal[i] : &x[c]) = panel[c];
    }
}

/* One panel; returns the columns it held. */
static inline int respond(const Response *s, int first, real *panel) {
    const int all = (s->matrices + 1) * s->n;
    int rows = s->n, at = 0;
    while (at < PANEL && first + at < all) {
        const Piece p = piece_at(s, first, at);
        piece_read(s, p, panel);
        if (p.matrix == s->matrices && at == 0) rows = p.from + p.width;
        at += p.width;
    }
    panel_solve(s, rows, panel);
    for (int to = 0; to < at;) {
        const Piece p = piece_at(s, first, to);
        piece_write(s, p, panel);
        to += p.width;
    }
    return at;
}

/* The inverse from its upper triangle and its diagonal. */
static inline void complete(const Response *s) {
    const size_t n = (size_t)s->n;
    for (size_t i = 0; i < n; i++) {
        s->M[i * (n + 1)] = s->diagonal[i];
        for (size_t j = 0; j < i; j++) s->M[i * n + j] = s->M[j * n + i];
    }
}

zvStatus ZV_KERNEL(zv_derive_respond)(int n, const int *parent, zvDesk desk, real *M, real *X0, real *X1) {
    real *panel = zv_desk_array(&desk, real, n * PANEL);
    Response s;
    s.n = n;
    s.parent = parent;
    s.end = zv_desk_array(&desk, int, n);
    s.M = M;
    s.diagonal = zv_desk_array(&desk, real, n);
    s.matrices = 0;
    if (X0) s.X[s.matrices++] = X0;
    if (X1) s.X[s.matrices++] = X1;
    if (!ltl_factor(n, parent, M, s.diagonal)) return ZV_SINGULAR;
    for (int i = n - 1; i >= 0; i--) s.end[i] = i + 1;
    for (int i = n - 1; i >= 0; i--)
        if (parent[i] >= 0 && s.end[parent[i]] < s.end[i]) s.end[parent[i]] = s.end[i];
    memset(panel, 0, (size_t)n * PANEL * sizeof *panel); /* columns that no piece fills */
    for (int first = 0; first < (s.matrices + 1) * n;) first += respond(&s, first, panel);
    complete(&s);
    return ZV_OK;
}
