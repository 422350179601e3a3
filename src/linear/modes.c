/* Natural modes of a linear model: eigenvalues of A with their motions, phases kept. Brakes take coordinates out of the
 * equations of the second order. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "linear/linear.h"
#include "modes/dense.h"

/* The eigenvalue problem, and where its states lie in x. */
typedef struct LinearProblem {
    const zvLinear *l;
    ziArena arena;
    size_t m;            /* states */
    int *at;             /* m: their places in x */
    double *S;           /* m x m by columns, destroyed */
    double *real, *imag; /* m */
    double *vectors;     /* m x m: columns, real and imaginary parts of a pair */
    double *left;        /* m x m by rows: the inverse of vectors */
    bool regular;        /* it has one */
    int *order;          /* modes: their first columns */
} LinearProblem;

static bool is_position(const zvLinear *l, int state) {
    if (state < 2 * l->n) return state < l->n;
    return zv_drives_state(l->scenario->drives, state - 2 * l->n).is_position;
}

/* Where position p of the second order lies in x, and its velocity. */
static int state_of_position(const zvLinear *l, int p, bool velocity) {
    return p < l->n ? p + (velocity ? l->n : 0) : 2 * l->n + 2 * (p - l->n) + velocity;
}

/* The position of the second order that a brake on a degree of freedom holds; -1: none. */
static int braked_position(const zvLinear *l, int dof) {
    const int rotor = l->scenario->drives->rotor[dof];
    if (rotor >= 0) return l->n + rotor / 2;
    for (int c = 0; c < l->n; c++)
        if (l->independent[c] == dof) return c;
    return -1;
}

/* Which positions move; all of them without brakes. */
static zvStatus choose_moving(const zvLinear *l, const unsigned char *braked, bool *moves, zvError *error) {
    for (int p = 0; p < l->np; p++) moves[p] = true;
    for (int i = 0; i < l->nv; i++) {
        if (!braked[i] || l->scenario->drives->prescribed[i]) continue;
        const int p = l->np > 0 ? braked_position(l, i) : -1;
        if (l->np == 0)
            return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, l->position_names[i],
                           "expected drives without integrals where brakes are closed, found some; set ki to zero");
        if (p < 0)
            return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, l->position_names[i],
                           "expected brakes on independent joints, found one on \"%.60s\", which follows the loops",
                           l->position_names[i]);
        moves[p] = false;
    }
    return ZV_OK;
}

/* [0 1; -M^-1 K, -M^-1 C] of what moves, by columns. */
static zvStatus fill_second_order(LinearProblem *p, const bool *moves, zvError *error) {
    const zvLinear *l = p->l;
    const size_t np = (size_t)l->np;
    size_t n = 0;
    int *kept = zi_arena_alloc(&p->arena, (np + 1) * sizeof *kept),
        *pivots = zi_arena_alloc(&p->arena, (np + 1) * sizeof *pivots);
    double *M = zi_arena_alloc(&p->arena, (np * np + np + 1) * sizeof *M), *column = M + np * np;
    if (!kept || !pivots || !M) return zi_linear_no_memory(error);
    for (size_t i = 0; i < np; i++)
        if (moves[i]) kept[n++] = (int)i;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) M[a * n + b] = l->mass[(size_t)kept[a] * np + (size_t)kept[b]];
    const zvStatus status = zi_dense_factor((int)n, M, pivots);
    if (status < 0) return zi_dense_fail(status, error);
    p->m = 2 * n;
    for (size_t b = 0; b < 2 * n; b++) {
        const double *X = b < n ? l->stiffness : l->damping;
        const size_t from = (size_t)kept[b % n];
        for (size_t a = 0; a < n; a++) column[a] = -X[(size_t)kept[a] * np + from];
        zi_dense_solve((int)n, M, pivots, column);
        for (size_t a = 0; a < n; a++) {
            p->S[b * p->m + a] = b == n + a;
            p->S[b * p->m + n + a] = column[a];
        }
        p->at[b] = state_of_position(l, kept[b % n], b >= n);
    }
    return ZV_OK;
}

static void fill_first_order(LinearProblem *p) {
    const size_t n = (size_t)p->l->nx;
    p->m = n;
    for (size_t a = 0; a < n; a++) {
        p->at[a] = (int)a;
        for (size_t b = 0; b < n; b++) p->S[b * n + a] = p->l->A[a * n + b];
    }
}

/* Rows of the inverse of the vectors: left eigenvectors. */
static void find_left(LinearProblem *p) {
    const size_t m = p->m;
    int *pivots = zi_arena_alloc(&p->arena, (m + 1) * sizeof *pivots);
    double *V = zi_arena_alloc(&p->arena, (m * m + m + 1) * sizeof *V), *b = V + m * m;
    if (!pivots || !V) return;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++) V[i * m + k] = p->vectors[k * m + i];
    if (zi_dense_factor((int)m, V, pivots) < 0) return;
    for (size_t i = 0; i < m; i++) {
        memset(b, 0, m * sizeof *b);
        b[i] = 1;
        zi_dense_solve((int)m, V, pivots, b);
        for (size_t k = 0; k < m; k++) p->left[k * m + i] = b[k];
    }
    p->regular = true;
}

/* Amplitudes over x, turned and scaled so that the largest position is 1. */
static void put_motion(const LinearProblem *p, size_t k, double *shape) {
    const size_t m = p->m;
    const double *re = p->vectors + k * m, *im = p->imag[k] != 0 ? re + m : NULL;
    double largest = 0, c = 1, s = 0;
    memset(shape, 0, 2 * (size_t)p->l->nx * sizeof *shape);
    for (size_t i = 0; i < m; i++) {
        const double size = hypot(re[i], im ? im[i] : 0);
        if (!is_position(p->l, p->at[i]) || size <= (1 + 1e-9) * largest) continue;
        largest = size;
        c = re[i] / (size * size);
        s = -(im ? im[i] : 0) / (size * size);
    }
    for (size_t i = 0; i < m; i++) {
        const double x = re[i], y = im ? im[i] : 0;
        shape[2 * p->at[i]] = x * c - y * s;
        shape[2 * p->at[i] + 1] = x * s + y * c;
    }
}

/* |v_i w_i| of right and left eigenvectors, of their sum. */
static void put_shares(const LinearProblem *p, size_t k, double *shares) {
    const size_t m = p->m;
    const double *re = p->vectors + k * m, *u = p->left + k * m;
    const bool pair = p->imag[k] != 0;
    double sum = 0;
    memset(shares, 0, (size_t)p->l->nx * sizeof *shares);
    for (size_t i = 0; p->regular && i < m; i++) {
        const double right = pair ? hypot(re[i], re[m + i]) : fabs(re[i]);
        shares[p->at[i]] = right * (pair ? 0.5 * hypot(u[i], u[m + i]) : fabs(u[i]));
        sum += shares[p->at[i]];
    }
    for (size_t i = 0; sum > 0 && i < (size_t)p->l->nx; i++) shares[i] /= sum;
}

/* Pairs once, by frequency. */
static int sort_pairs(LinearProblem *p) {
    int count = 0;
    for (size_t k = 0; k < p->m; k++)
        if (p->imag[k] >= 0) p->order[count++] = (int)k;
    for (int i = 1; i < count; i++) {
        const int k = p->order[i];
        const double rate = hypot(p->real[k], p->imag[k]);
        int j = i;
        for (; j > 0 && hypot(p->real[p->order[j - 1]], p->imag[p->order[j - 1]]) > rate; j--)
            p->order[j] = p->order[j - 1];
        p->order[j] = k;
    }
    return count;
}

/* One eigenvalue, or a pair; what is zero but for rounding, of a double zero the root of it, is rigid. */
static zvMode mode_of(double real, double imag, double largest) {
    const double rate = hypot(real, imag);
    if (rate <= sqrt(DBL_EPSILON) * largest) return (zvMode){0};
    return (zvMode){.frequency = rate, .damping = -real / rate, .real = real, .imag = imag};
}

static bool take_problem(LinearProblem *p) {
    const size_t n = (size_t)p->l->nx, one = sizeof(double);
    p->at = zi_arena_alloc(&p->arena, (n + 1) * sizeof *p->at);
    p->order = zi_arena_alloc(&p->arena, (n + 1) * sizeof *p->order);
    p->S = zi_arena_alloc(&p->arena, (n * n + 1) * one);
    p->real = zi_arena_alloc(&p->arena, (n + 1) * one);
    p->imag = zi_arena_alloc(&p->arena, (n + 1) * one);
    p->vectors = zi_arena_alloc(&p->arena, (n * n + n + 1) * one);
    p->left = zi_arena_alloc(&p->arena, (n * n + n + 1) * one);
    return p->at && p->order && p->S && p->real && p->imag && p->vectors && p->left;
}

/* A, or the second order without what brakes hold. */
static zvStatus fill_problem(LinearProblem *p, const unsigned char *braked, zvError *error) {
    bool any_brake = false;
    bool *moves = zi_arena_alloc(&p->arena, (size_t)p->l->np + 1);
    for (int i = 0; braked && i < p->l->nv; i++) any_brake |= braked[i];
    if (!take_problem(p) || !moves) return zi_linear_no_memory(error);
    if (!any_brake) return fill_first_order(p), ZV_OK;
    const zvStatus status = choose_moving(p->l, braked, moves, error);
    return status < 0 ? status : fill_second_order(p, moves, error);
}

/* Sorted by frequency; shapes and shares of what moves only. */
zvStatus zv_linear_modes(const zvLinear *linear, const unsigned char *braked, zvMode *modes, double *shapes,
                         double *shares, int *count, zvError *error) {
    ZI_REQUIRE(linear && modes && count);
    LinearProblem p = {.l = linear};
    double largest = 0;
    *count = 0;
    zvStatus status = fill_problem(&p, braked, error);
    if (status >= 0) status = zi_dense_fail(zi_dense_general((int)p.m, p.S, p.real, p.imag, p.vectors), error);
    if (status >= 0) {
        const size_t nx = (size_t)linear->nx;
        if (shares) find_left(&p);
        *count = sort_pairs(&p);
        for (size_t k = 0; k < p.m; k++) largest = fmax(largest, hypot(p.real[k], p.imag[k]));
        for (int i = 0; i < *count; i++) {
            const size_t k = (size_t)p.order[i];
            modes[i] = mode_of(p.real[k], p.imag[k], largest);
            if (shapes) put_motion(&p, k, shapes + (size_t)i * 2 * nx);
            if (shares) put_shares(&p, k, shares + (size_t)i * nx);
        }
    }
    zi_arena_free(&p.arena);
    return status;
}
