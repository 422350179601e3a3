/* A panel: a few columns of a matrix with the zeros of a tree, which have entries in their subtrees and on their paths
 * to the root. Those before the first column are all on its path. */
#ifndef ZI_DYNAMICS_PANEL_H
#define ZI_DYNAMICS_PANEL_H

#include "dynamics/factors.h"

enum { PANEL = TILE_WIDTH };

/* Columns from ... from + width - 1 of X. Rows from `first`, where the group of row `from` begins, to `to` - 1 are
 * reached, and those of the path of `from`, which is that of dofPaths. */
typedef struct Panel {
    int from, width, first, to;
    real *X;    /* the first of its columns */
    real *last; /* the last row of it, with something behind */
    real *y;    /* n rows of PANEL numbers */
} Panel;

/* Vectors of columns in the first of panels that are about as wide as each other, and have `left` of them. */
static ZI_HOT int panel_parts(int left) {
    const int panels = (left + TILE_PARTS - 1) / TILE_PARTS;
    return left <= TILE_PARTS ? left : left <= 2 * TILE_PARTS ? (left + 1) / 2 : (left + panels - 1) / panels;
}

/* The panel with these columns, and the rows they reach. */
static inline void panel_place(const dofPaths *w, Panel *p, int from, int to, real *X) {
    const real *row = X + (size_t)(w->n - 1) * (size_t)w->n;
    p->from = p->first = from;
    p->width = to - from;
    p->X = X + from;
    p->to = to;
    while (w->group[p->first] == 0) p->first--;
    for (int i = w->parent[from]; i >= 0; i = w->parent[i]) w->path[w->depth[i]] = i;
    for (int k = from; k < to; k++) {
        p->to = later(p->to, w->end[k]);
        p->last[k - from] = row[k];
    }
}

#endif
