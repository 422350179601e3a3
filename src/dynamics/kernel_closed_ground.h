/* The ground: constraints that are complete nowhere else. What the fronts of its children bring makes one system,
 *   A lambda = -(gamma + alpha + K^T acc_0),     acc_0 = -gravity,
 * sparse where many loops follow each other (linalg/skyline.h). That of a single constraint, whose fronts have no other
 * columns, is kept in rows of ONE_WIDTH as they are. Upper triangles of squares are valid until the system is complete.
 */
#ifndef ZI_DYNAMICS_KERNEL_CLOSED_GROUND_H
#define ZI_DYNAMICS_KERNEL_CLOSED_GROUND_H

#include "dynamics/kernel_closed_ancestor.h"
#include "linalg/skyline.h"

enum { ONE_WIDTH = 8 };

/* Pivots not smaller than this part of what they came from need no choice among them. */
#define REGULAR_PIVOT 1e-4

typedef struct Ground {
    struct skyline sky;
    double *A, *x; /* x: right side, then lambda, in the order of the blocks */
} Ground;

/* The ground's system over the memory of the sweep, its right side begun with gamma in the order of the blocks; zeros
 * follow so that it can be read by fours. */
static inline Ground ground_on(const Closed *c, ziScratch *scratch) {
    const ziSkyline *of = &c->tree->ground;
    Ground g = {.sky = {.blocks = of->blocks, .row = of->row, .first = of->first, .at = of->at}};
    g.A = c->ground;
    g.x = zi_scratch_doubles(scratch, (size_t)of->row[of->blocks] + ONE_WIDTH);
    for (int i = 0; i < ONE_WIDTH; i++) g.x[of->row[of->blocks] + i] = 0;
    for (int k = 0; k < of->blocks; k++) {
        const double *gamma = c->gamma + c->tree->constraint[of->constraint[k]].row;
        for (int i = of->row[k]; i < of->row[k + 1]; i++) g.x[i] = gamma[i - of->row[k]];
    }
    return g;
}

/* Where a block row's own square, or its part in the columns of another block, begins. */
static inline double *ground_block(const Ground *g, int block, int other, size_t *width) {
    const int *row = g->sky.row, start = row[g->sky.first[block]];
    *width = (size_t)(row[block + 1] - start);
    return g->A + g->sky.at[block] + (row[other] - start);
}

/* A of one constraint of a front. */
static inline void land_square(const Ground *g, Front f, int i, int block) {
    const int n = g->sky.row[block + 1] - g->sky.row[block];
    const double *from = f.A + i * (f.width + 1);
    size_t width;
    double *A = ground_block(g, block, block, &width);
    for (int r = 0; r < n; r++, from += f.width) {
        for (int c = r; c < n; c++) A[(size_t)r * width + (size_t)c] += from[c];
    }
}

/* A of two constraints of a front. */
static inline void land_pair(const Ground *g, Front f, int i, int j, int block, int other) {
    const int *row = g->sky.row, rows = row[block + 1] - row[block], columns = row[other + 1] - row[other];
    size_t width;
    double *A = ground_block(g, block, other, &width);
    for (int r = 0; r < rows; r++, A += width) {
        for (int c = 0; c < columns; c++) A[c] += at_pair(f, i + r, j + c);
    }
}

/* Adds a front to the ground's system: alpha - K^T gravity to the right side, A to the diagonal blocks of its
 * constraints and to the blocks below them. */
static ZI_COLD void land_many(const Closed *c, const Ground *g, Front f) {
    const ziSkyline *of = &c->tree->ground;
    const double *K = f.K, *gravity = c->gravity;
    for (int k = 0; k < f.of->constraints; k++) {
        const int at = f.of->at[k], block = of->place[f.of->constraint[k]];
        double *x = g->x + of->row[block] - at;
        for (int i = at; i < f.of->at[k + 1]; i++)
            x[i] += f.alpha[i] - (gravity[0] * K[i] + gravity[1] * K[f.width + i] + gravity[2] * K[2 * f.width + i]);
        land_square(g, f, at, block);
        for (int l = 0; l < f.of->constraints; l++) {
            const int other = of->place[f.of->constraint[l]];
            if (other < block) land_pair(g, f, at, f.of->at[l], block, other);
        }
    }
}

/* A front that has come to the ground. */
static inline void front_lands(const Closed *c, const Ground *g, Front f) {
    if (g->sky.blocks > 1) {
        land_many(c, g, f);
        return;
    }
    const int w = f.width;
    const double *gravity = c->gravity;
    for (int k = 0; k < w; k += 4) {
        double *K = f.K + k;
        *fours(g->x + k) += *fours(f.alpha + k) -
                            (gravity[0] * *fours(K) + gravity[1] * *fours(K + w) + gravity[2] * *fours(K + 2 * w));
        for (int i = 0; i < f.columns; i++) *fours(g->A + i * ONE_WIDTH + k) += *fours(f.A + i * w + k);
    }
}

/* Completes a square: rows that nothing moves become zero on the diagonal, the lower triangle is filled. */
static inline void finish_square(int n, size_t width, const double *least, double *A) {
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * width;
        if (row[i] <= least[i]) row[i] = 0;
        for (int j = 0; j < i; j++) row[j] = A[(size_t)j * width + (size_t)i];
    }
}

static inline int first_row_of_block(const Closed *c, int block) {
    return c->tree->constraint[c->tree->ground.constraint[block]].row;
}

static inline void row_out(const Closed *c, int row, double missed) {
    c->out[row] = 1;
    c->constraints->dropped++;
    c->constraints->conflict = fmax(c->constraints->conflict, missed);
}

/* Rows that stay in the system: those that something moves, and of a block without any the first. kept is (rows).
 * Returns how many. */
static inline int choose_rows(const Ground *g, unsigned char *kept) {
    const int *row = g->sky.row;
    int count = 0;
    for (int k = 0; k < g->sky.blocks; k++) {
        const int before = count;
        size_t width;
        const double *square = ground_block(g, k, k, &width);
        for (int i = row[k]; i < row[k + 1]; i++) {
            kept[i] = square[(size_t)(i - row[k]) * (width + 1)] > 0;
            count += kept[i];
        }
        if (count == before) kept[row[k]] = 1, count++;
    }
    return count;
}

/* The system of the rows kept, in the place of the whole one: most mechanisms in a plane are half as large then. */
static inline struct skyline compact(const Closed *c, const Ground *g, const unsigned char *kept, ziScratch *scratch) {
    const size_t blocks = (size_t)g->sky.blocks;
    const int *row = g->sky.row, *first = g->sky.first;
    int *rows = zi_scratch_take(scratch, (blocks + 1) * sizeof *rows);
    size_t *at = zi_scratch_take(scratch, (blocks + 1) * sizeof *at), to = 0;
    rows[0] = 0;
    for (int k = 0; k < g->sky.blocks; k++) {
        const double *from = g->A + g->sky.at[k];
        const int start = row[first[k]], in_constraints = c->tree->constraint[c->tree->ground.constraint[k]].row;
        at[k] = to;
        rows[k + 1] = rows[k];
        for (int i = row[k]; i < row[k + 1]; i++, from += row[k + 1] - start) {
            if (!kept[i]) {
                row_out(c, in_constraints + i - row[k], fabs(g->x[i]));
                continue;
            }
            g->x[rows[k + 1]++] = g->x[i];
            for (int j = start; j < row[k + 1]; j++)
                if (kept[j]) g->A[to++] = from[j - start];
        }
    }
    at[blocks] = to;
    return (struct skyline){.blocks = g->sky.blocks, .row = rows, .first = first, .at = at};
}

/* Units of the rows kept, in the order of the blocks. */
static inline void units_of_kept(const Closed *c, const Ground *g, const unsigned char *kept, double *unit) {
    const int *row = g->sky.row;
    for (int k = 0; k < g->sky.blocks; k++) {
        const double *from = c->unit + first_row_of_block(c, k) - row[k];
        for (int i = row[k]; i < row[k + 1]; i++)
            if (kept[i]) *unit++ = from[i];
    }
}

/* Completes, factors and solves the ground's system without the rows that nothing moves; multipliers go back to their
 * places, dropped rows, margin and conflict to the task. */
static ZI_COLD void solve_many(const Closed *c, const Ground *g, ziScratch scratch) {
    const int rows = skyline_rows(&g->sky);
    unsigned char *kept = zi_scratch_take(&scratch, (size_t)rows);
    for (int k = 0; k < g->sky.blocks; k++) {
        size_t width;
        double *square = ground_block(g, k, k, &width);
        finish_square(g->sky.row[k + 1] - g->sky.row[k], width, c->least + first_row_of_block(c, k), square);
    }
    int left = choose_rows(g, kept);
    const struct skyline sky = left < rows ? compact(c, g, kept, &scratch) : g->sky;
    double *buffer = zi_scratch_doubles(&scratch, skyline_doubles(&sky)),
           *unit = zi_scratch_doubles(&scratch, (size_t)rows);
    units_of_kept(c, g, kept, unit);
    const int dropped = skyline_factor(&sky, g->A, unit, pivot_floor(c), buffer);
    const double missed = skyline_solve(&sky, g->A, g->x, buffer);
    const unsigned char *out = skyline_dropped(&sky, buffer);
    int weakest = 0;
    const double margin = skyline_margin(&sky, unit, buffer, &weakest);
    note_margin(c, c->tree->ground.constraint[weakest], margin);
    if (dropped > 0) c->constraints->conflict = fmax(c->constraints->conflict, missed);
    c->constraints->dropped += dropped;
    for (int k = g->sky.blocks - 1; k >= 0; k--) { /* answers back to their places */
        const int *row = g->sky.row, to = c->tree->constraint[c->tree->ground.constraint[k]].row;
        for (int i = row[k + 1] - 1; i >= row[k]; i--) {
            if (kept[i] && dropped > 0) c->out[to + i - row[k]] = out[left - 1];
            g->x[i] = kept[i] ? g->x[--left] : 0;
        }
    }
}

/* Solves the system of one constraint when the pivots of all rows that something moves are large as they stand; false:
 * they are not, nothing has changed. */
static inline bool solve_unpivoted(const Closed *c, const Ground *g) {
    const int n = skyline_rows(&g->sky), first = c->tree->constraint[c->tree->ground.constraint[0]].row;
    const double *least = c->least + first, *unit = c->unit + first, floor = c->constraints->floor;
    double margin = 1;
    four T[SKYLINE_BLOCK][2];
    double y[SKYLINE_BLOCK], inverse[SKYLINE_BLOCK], *x = g->x;
    for (int i = 0; i < n; i++) {
        T[i][0] = *fours(g->A + i * ONE_WIDTH);
        T[i][1] = *fours(g->A + i * ONE_WIDTH + 4);
        y[i] = x[i];
    }
    for (int k = 0; k < n; k++) {
        const four low = T[k][0], high = T[k][1];
        const double *row = (const double *)T[k], own = g->A[k * (ONE_WIDTH + 1)], pivot = row[k];
        inverse[k] = 0;
        if (own <= least[k]) continue;
        if (!(pivot > REGULAR_PIVOT * own && pivot > floor * unit[k])) return false;
        margin = pivot < margin * unit[k] ? pivot / unit[k] : margin;
        inverse[k] = 1 / pivot;
        for (int i = k + 1; i < n; i++) { /* what lies below the diagonal is never looked at */
            const double f = inverse[k] * row[i];
            T[i][0] -= f * low;
            T[i][1] -= f * high;
            y[i] -= f * y[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *row = (const double *)T[k];
        double sum = y[k];
        for (int j = k + 1; j < n; j++) sum -= row[j] * x[j];
        if (inverse[k] == 0) row_out(c, first + k, fabs(x[k]));
        x[k] = inverse[k] * sum;
    }
    note_margin(c, c->tree->ground.constraint[0], margin);
    return true;
}

/* The system of one constraint, its pivots chosen: rows that repeat others, or with a floor weak ones, are left out. */
static ZI_COLD void solve_one(const Closed *c, const Ground *g) {
    double scale[SKYLINE_BLOCK], buffer[SKYLINE_BLOCK * (SKYLINE_BLOCK + 2)];
    int order[SKYLINE_BLOCK];
    const int n = skyline_rows(&g->sky), first = c->tree->constraint[c->tree->ground.constraint[0]].row;
    const double *unit = c->unit + first;
    finish_square(n, ONE_WIDTH, c->least + first, g->A);
    const int rank = semidefinite_factor(n, ONE_WIDTH, g->A, order, scale, unit, pivot_floor(c));
    const double missed = semidefinite_solve(n, ONE_WIDTH, g->A, order, scale, rank, g->x, buffer);
    int weakest = 0;
    note_margin(c, c->tree->ground.constraint[0],
                semidefinite_margin(ONE_WIDTH, g->A, order, scale, rank, unit, &weakest));
    for (int k = rank; k < n; k++) row_out(c, first + order[k], missed);
}

/* lambda of the constraints whose common ancestor is the ground. */
static inline void solve_ground(const Closed *c, const Ground *g, ziScratch scratch) {
    const ziSkyline *of = &c->tree->ground;
    if (of->blocks == 0) return;
    if (of->blocks > 1)
        solve_many(c, g, scratch);
    else if (!solve_unpivoted(c, g))
        solve_one(c, g);
    for (int k = 0; k < of->blocks; k++) {
        double *lambda = c->constraints->lambda + c->tree->constraint[of->constraint[k]].row;
        for (int i = of->row[k]; i < of->row[k + 1]; i++) lambda[i - of->row[k]] = -g->x[i];
    }
}

#endif
