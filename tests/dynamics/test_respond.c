/* M^-1 and -M^-1 X from the kernels alone, on matrices with the zeros of trees: all ways that the kernels choose among,
 * on both sides of where they do, are held against M in long double. Shapes: lines, stars, one branch, combs, random
 * trees, small and large, with paths longer than the rows that fit in scratch memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dynamics/factors.h"
#include "dynamics/kernels.h"
#include "real/isa.h"
#include "support/run_tests.h"

/* Arms of so many joints have answers that are symmetric to rounding only. */
enum { MOST = 110, SEED = 7300, SHORTER = 6, LONGER = 7 };

typedef enum Shape { LINE, STAR, FORK, COMB, FREE_LEGS, RANDOM, LONG_ARMS, SHAPES } Shape;

typedef struct Case {
    int n, parent[MOST];
    double M[MOST * MOST], X[2][MOST * MOST], N[MOST * MOST + 1], Z[2][MOST * MOST + 1];
    _Alignas(64) unsigned char room[MOST * ZI_SCRATCH_PER_COORDINATE + ZI_SCRATCH_FIXED];
} Case;

static double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}
static int below(uint64_t *seed, int count) { return (int)((draw(seed) + 1) * 0.5 * count) % count; }

/* Numbered depth first: a parent is the last dof or one above it. */
static int parent_of(const Case *c, Shape shape, int i, uint64_t *seed) {
    const int n = c->n;
    switch (shape) {
    case STAR: return i < 6 ? i - 1 : 5;
    case FORK: return i == n / 2 + 1 ? n / 4 : i - 1;
    case COMB: return i > 1 && i % 2 == 0 ? i - 2 : i - 1;
    case FREE_LEGS: return i >= 6 && i % 3 == 0 ? 5 : i - 1;
    case LONG_ARMS: return i == n / 2 && i > 4 ? 3 : i - 1;
    case RANDOM: {
        int p = i - 1;
        while (p >= 0 && below(seed, 5) == 0) p = c->parent[p];
        return p;
    }
    default: return i - 1;
    }
}

static bool on_path(const Case *c, int i, int above) {
    while (i > above) i = c->parent[i];
    return i == above;
}

/* M = L^T D L, and X with entries on paths. */
static void make(Case *c, Shape shape, int n, uint64_t *seed) {
    static double L[MOST * MOST];
    double D[MOST];
    c->n = n;
    for (int i = 0; i < n; i++) {
        c->parent[i] = parent_of(c, shape, i, seed);
        D[i] = 1.5 + draw(seed);
        for (int k = 0; k < n; k++) L[i * n + k] = i == k ? 1 : k < i && on_path(c, i, k) ? draw(seed) / (i - k) : 0;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            long double sum = 0;
            for (int j = 0; j < n; j++) sum += (long double)L[j * n + i] * D[j] * L[j * n + k];
            c->M[i * n + k] = (double)sum;
            for (int x = 0; x < 2; x++) c->X[x][i * n + k] = on_path(c, i > k ? i : k, i > k ? k : i) ? draw(seed) : 0;
        }
}

/* Whether M Z + X = 0, X NULL: minus the identity; to some roundings of M M^-1 M Z. */
static bool answers(const Case *c, const char *what, const double *Z, const double *X, const double *N) {
    const int n = c->n;
    for (int k = 0; k < n; k++) {
        long double moved[MOST], back[MOST];
        for (int i = 0; i < n; i++) {
            moved[i] = 0;
            for (int j = 0; j < n; j++) moved[i] += fabsl((long double)c->M[i * n + j] * Z[j * n + k]);
        }
        for (int i = 0; i < n; i++) {
            back[i] = 0;
            for (int j = 0; j < n; j++) back[i] += fabsl(N[i * n + j]) * moved[j];
        }
        for (int i = 0; i < n; i++) {
            long double sum = X ? X[i * n + k] : -(i == k), size = moved[i];
            for (int j = 0; j < n; j++) {
                sum += (long double)c->M[i * n + j] * Z[j * n + k];
                size += fabsl((long double)c->M[i * n + j]) * back[j];
            }
            if (fabsl(sum) <= 4 * n * 0x1p-52L * size) continue;
            fprintf(stderr, "%s of %d: %Lg at (%d, %d), terms %Lg\n", what, n, sum, i, k, size);
            return false;
        }
    }
    return true;
}

/* M^-1 and what is wanted of Z: bit 0 the first, bit 1 the second. Whether nothing behind them is touched. */
static bool run(const ziKernels *kernels, Case *c, int wanted) {
    const int n = c->n, square = n * n;
    const double guard = 12345;
    const ziScratch scratch = {c->room, c->room + sizeof c->room};
    for (int i = 0; i < square; i++) {
        c->N[i] = i % n <= i / n ? c->M[i] : NAN; /* the other triangle is not read */
        c->Z[0][i] = c->X[0][i];
        c->Z[1][i] = c->X[1][i];
    }
    c->N[square] = c->Z[0][square] = c->Z[1][square] = guard;
    if (!kernels->tree_factor(n, c->parent, scratch, c->N)) return false;
    kernels->tree_respond(n, c->parent, scratch, c->N, wanted & 1 ? c->Z[0] : NULL, wanted & 2 ? c->Z[1] : NULL);
    return c->N[square] == guard && c->Z[0][square] == guard && c->Z[1][square] == guard;
}
/* M^-1 without anything else, from a square matrix and from rows that are packed: the same bits. */
static bool invert_alike(const ziKernels *kernels, const Case *c, Case *again) {
    const int n = c->n;
    const size_t size = (size_t)(n * n) * sizeof(double);
    ziScratch scratch = {again->room, again->room + sizeof again->room};
    ziTree tree = {0};
    tree.nv = n;
    tree.dof_parent = c->parent;
    for (int i = 0; i < n * n; i++) again->N[i] = i % n <= i / n ? c->M[i] : NAN;
    if (kernels->invert(&tree, scratch, again->N) != ZV_OK || memcmp(again->N, c->N, size) != 0) return false;
    memcpy(again->N, c->M, size);
    const dofPaths w = dof_paths(n, c->parent, &scratch);
    tree_pack(&w, again->N);
    return kernels->tree_inverse(n, c->parent, scratch, again->N) && memcmp(again->N, c->N, size) == 0;
}
static bool symmetric(const Case *c) {
    for (int i = 0; i < c->n && c->n != SHORTER && c->n != LONGER; i++)
        for (int k = 0; k < i; k++)
            if (c->N[i * c->n + k] != c->N[k * c->n + i]) return false;
    return true;
}
static bool respond_well(const ziKernels *kernels, Case *c, Case *again) {
    const size_t size = (size_t)(c->n * c->n) * sizeof(double);
    if (!run(kernels, c, 3) || !symmetric(c)) return false;
    *again = *c;
    if (!invert_alike(kernels, c, again)) return false;
    for (int wanted = 0; wanted < 3; wanted++) {
        if (!run(kernels, again, wanted) || memcmp(again->N, c->N, size) != 0) return false;
        for (int x = 0; x < 2; x++)
            if (memcmp(again->Z[x], wanted >> x & 1 ? c->Z[x] : c->X[x], size) != 0) return false;
    }
    return answers(c, "inverse", c->N, NULL, c->N) && answers(c, "first", c->Z[0], c->X[0], c->N) &&
           answers(c, "second", c->Z[1], c->X[1], c->N);
}

static void each_size(int from, int to, int step) {
    static Case c[2];
    zvModel *model = calloc(1, sizeof *model);
    assert_non_null(model);
    for (model->isa = 0; model->isa <= zi_isa_best(); model->isa++)
        for (int n = from; n <= to; n += step)
            for (int shape = 0; shape < SHAPES; shape++) {
                uint64_t seed = (uint64_t)(SEED + 100 * n + shape);
                make(c, (Shape)shape, n, &seed);
                if (!respond_well(zi_kernels(model), c, c + 1))
                    fail_msg("n %d, shape %d, level %d, seed %d", n, shape, model->isa, SEED);
            }
    free(model);
}

static void small_trees(void **state) {
    (void)state;
    each_size(1, 39, 1);
}
static void large_trees(void **state) {
    (void)state;
    each_size(50, MOST, 20);
}

/* A pivot that is not positive is told of, wherever it is. */
static void not_positive(void **state) {
    (void)state;
    static Case c[1];
    zvModel *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->isa = zi_isa_best();
    const ziScratch scratch = {c->room, c->room + sizeof c->room};
    for (int shape = 0; shape < SHAPES; shape++)
        for (int bad = -1; bad < 20; bad++) {
            uint64_t seed = SEED;
            make(c, (Shape)shape, 20, &seed);
            if (bad >= 0) c->M[bad * 21] *= -1;
            assert_int_equal(zi_kernels(model)->tree_factor(20, c->parent, scratch, c->M) != 0, bad < 0);
        }
    free(model);
}

TESTS(small_trees, large_trees, not_positive)
