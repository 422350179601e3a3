/* Skyline systems A = J J^T, J sparse by blocks, against answers known by construction (x = J w has the least norm of
 * all that solve A x = A J w) and against the dense factor. Each block's rows act on its own unknowns and on those of
 * up to three blocks before it; redundancy inside a block: rows that are combinations of fewer; across blocks: rows
 * that are combinations of the rows of earlier blocks. Tolerances: eps times the condition on the range, from
 * eigenvalues. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/jacobi.h"
#include "linalg/skyline.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { UNKNOWNS = 7 }; /* of each block */

static const struct semidefinite_floor FLOOR = {1e-11, 0};

typedef struct Chain {
    struct skyline sky;
    int *row, *first;
    size_t *at;
    double *J; /* rows x (UNKNOWNS * blocks), dense */
    double *A, *factor, *buffer;
    int rows, columns, inside, across; /* rows left out by construction */
} Chain;

static void *zeroed(size_t count, size_t size) {
    void *buffer = calloc(count > 0 ? count : 1, size);
    assert_non_null(buffer);
    return buffer;
}

static void chain_free(Chain *c) {
    free(c->row);
    free(c->first);
    free(c->at);
    free(c->J);
    free(c->A);
    free(c->factor);
    free(c->buffer);
}

static void chain_layout(Chain *c, rtRandom *random, int blocks, int reach, int fixed) {
    *c = (Chain){.row = zeroed((size_t)blocks + 1, sizeof(int)), .first = zeroed((size_t)blocks, sizeof(int))};
    c->at = zeroed((size_t)blocks + 1, sizeof(size_t));
    for (int i = 0; i < blocks; i++) {
        const int n = fixed > 0 ? fixed : 1 + rt_below(random, 6),
                  back = fixed > 0 ? reach : rt_below(random, reach + 1);
        c->row[i + 1] = c->row[i] + n;
        c->first[i] = i > back ? i - back : 0;
        c->at[i + 1] = c->at[i] + (size_t)n * (size_t)(c->row[i + 1] - c->row[c->first[i]]);
    }
    c->sky = (struct skyline){blocks, c->row, c->first, c->at};
    c->rows = c->row[blocks];
    c->columns = UNKNOWNS * blocks;
    c->A = zeroed(c->at[blocks], sizeof(double));
    c->factor = zeroed(c->at[blocks], sizeof(double));
    c->buffer = zeroed(skyline_doubles(&c->sky), sizeof(double));
}

static void chain_fill(Chain *c, rtRandom *random, double inside, double across, double decades) {
    c->J = zeroed((size_t)c->rows * (size_t)c->columns, sizeof(double));
    for (int i = 0; i < c->sky.blocks; i++) {
        const int n = c->row[i + 1] - c->row[i], from = UNKNOWNS * c->first[i], end = UNKNOWNS * (i + 1);
        const int rank = n > 1 && rt_chance(random, inside) ? 1 + rt_below(random, n - 1) : n;
        c->inside += n - rank;
        for (int r = 0; r < n; r++) {
            double *row = c->J + (size_t)(c->row[i] + r) * (size_t)c->columns;
            if (r < rank) {
                for (int k = from; k < end; k++) row[k] = rt_uniform(random, -1, 1);
                if (r == 0 && i > 0 && c->first[i] < i && c->first[i - 1] >= c->first[i] && rt_chance(random, across)) {
                    memcpy(row, row - c->columns, (size_t)c->columns * sizeof *row); /* the row before, again */
                    c->across++;
                }
            } else {
                for (int s = 0; s < rank; s++) {
                    const double f = rt_uniform(random, -1, 1);
                    const double *other = c->J + (size_t)(c->row[i] + s) * (size_t)c->columns;
                    for (int k = 0; k < c->columns; k++) row[k] += f * other[k];
                }
            }
        }
    }
    for (int r = 0; r < c->rows; r++) {
        const double f = rt_decades(random, -decades, decades);
        for (int k = 0; k < c->columns; k++) c->J[(size_t)r * (size_t)c->columns + (size_t)k] *= f;
    }
}

static double chain_entry(const Chain *c, int i, int j) {
    double sum = 0;
    const double *a = c->J + (size_t)i * (size_t)c->columns, *b = c->J + (size_t)j * (size_t)c->columns;
    for (int k = 0; k < c->columns; k++) sum += a[k] * b[k];
    return sum;
}

static void chain_matrix(Chain *c) {
    for (int i = 0; i < c->sky.blocks; i++) {
        const int start = c->row[c->first[i]], width = c->row[i + 1] - start;
        for (int r = c->row[i]; r < c->row[i + 1]; r++) {
            for (int k = 0; k < width; k++)
                c->A[c->at[i] + (size_t)((r - c->row[i]) * width + k)] = chain_entry(c, r, start + k);
        }
    }
}

/* y = A x from the stored blocks. */
static void chain_times(const Chain *c, const double *x, double *y) {
    memset(y, 0, (size_t)c->rows * sizeof *y);
    for (int i = 0; i < c->sky.blocks; i++) {
        const int start = c->row[c->first[i]], width = c->row[i + 1] - start;
        for (int r = c->row[i]; r < c->row[i + 1]; r++) {
            for (int k = 0; k < width; k++) {
                const double a = c->A[c->at[i] + (size_t)((r - c->row[i]) * width + k)];
                y[r] += a * x[start + k];
                if (start + k < c->row[i]) y[start + k] += a * x[r];
            }
        }
    }
}

/* One over the least eigenvalue of the scaled matrix that is not zero; how many are zero. */
static double chain_condition(const Chain *c, int *zeros) {
    const int n = c->rows;
    double *S = zeroed((size_t)(n * n), sizeof(double)), *V = zeroed((size_t)(n * n), sizeof(double)), least = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            S[i * n + j] = chain_entry(c, i, j) / sqrt(chain_entry(c, i, i)) / sqrt(chain_entry(c, j, j));
    }
    assert_true(jacobi_eigen(n, S, V));
    *zeros = 0;
    for (int k = 0; k < n; k++) {
        if (S[k * n + k] < 1e-12)
            ++*zeros;
        else
            least = fmin(least, S[k * n + k]);
    }
    free(S);
    free(V);
    return 1 / least;
}

static double norm(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* Solves for x = J w and compares; spread: of the scales of rows, squared. */
static void check(Chain *c, rtRandom *random, uint64_t seed, double condition, double spread) {
    double *x = zeroed((size_t)c->rows, sizeof(double)), *b = zeroed((size_t)c->rows, sizeof(double));
    for (int i = 0; i < c->columns; i++) {
        const double w = rt_uniform(random, -1, 1);
        for (int r = 0; r < c->rows; r++) x[r] += w * c->J[(size_t)r * (size_t)c->columns + (size_t)i];
    }
    chain_times(c, x, b);
    const double missed = skyline_solve(&c->sky, c->factor, b, c->buffer);
    const double bound = 64 * c->rows * DBL_EPSILON * condition * spread * norm(c->rows, x);
    for (int r = 0; r < c->rows; r++) {
        if (!(fabs(b[r] - x[r]) <= bound))
            fail_msg("seed %llu: x[%d] = %g off by %g > %g", (unsigned long long)seed, r, x[r], b[r] - x[r], bound);
    }
    assert_true(missed <= bound * spread * c->rows);
    free(x);
    free(b);
}

static int factor(Chain *c) {
    memcpy(c->factor, c->A, c->at[c->sky.blocks] * sizeof *c->A);
    return skyline_factor(&c->sky, c->factor, NULL, FLOOR, c->buffer);
}

static void random_chains(void **state) {
    (void)state;
    int done = 0, across = 0;
    for (uint64_t seed = 1; seed <= 250; seed++) {
        rtRandom random = {seed};
        Chain c;
        int zeros;
        chain_layout(&c, &random, 1 + rt_below(&random, 9), 3, 0);
        chain_fill(&c, &random, seed % 3 ? 0.5 : 0, seed % 2 ? 0.4 : 0, 0.5);
        chain_matrix(&c);
        const double condition = chain_condition(&c, &zeros);
        if (condition < 1e6) {
            done++;
            across += c.across > 0;
            if (zeros != c.inside + c.across) fail_msg("seed %llu: %d zeros", (unsigned long long)seed, zeros);
            const int dropped = factor(&c);
            if (dropped != zeros) fail_msg("seed %llu: %d left out, not %d", (unsigned long long)seed, dropped, zeros);
            int marked = 0;
            for (int r = 0; r < c.rows; r++) marked += skyline_dropped(&c.sky, c.buffer)[r];
            assert_int_equal(marked, zeros);
            check(&c, &random, seed, condition, 100);
        }
        chain_free(&c);
    }
    assert_true(done > 150 && across > 40);
}

/* One block alone is the dense factor. */
static void one_block_is_dense(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rtRandom random = {seed};
        Chain c;
        double dense[36], scale[6], x[6], y[6], b[6], *buffer = zeroed(semidefinite_doubles(6), sizeof(double));
        int order[6], zeros;
        chain_layout(&c, &random, 1, 0, 0);
        chain_fill(&c, &random, 0.5, 0, 2);
        chain_matrix(&c);
        const double condition = chain_condition(&c, &zeros);
        memcpy(dense, c.A, (size_t)(c.rows * c.rows) * sizeof *dense);
        const int rank = semidefinite_factor(c.rows, c.rows, dense, order, scale, NULL, FLOOR);
        assert_int_equal(c.rows - rank, factor(&c));
        rt_vector(&random, 1, c.rows, y);
        chain_times(&c, y, x);
        memcpy(b, x, sizeof b);
        semidefinite_solve(c.rows, c.rows, dense, order, scale, rank, x, buffer);
        skyline_solve(&c.sky, c.factor, b, c.buffer);
        for (int r = 0; r < c.rows; r++)
            assert_true(fabs(b[r] - x[r]) <= 1e8 * 64 * DBL_EPSILON * condition * norm(c.rows, x));
        free(buffer);
        chain_free(&c);
    }
}

/* A long row of planar loops with spatial joints: five rows of rank two each, A = C K C^T with known null vectors. */
static void thousand_blocks(void **state) {
    (void)state;
    enum { BLOCKS = 1000, RANK = 2, ROWS = 5 * BLOCKS };
    rtRandom random = {12};
    Chain c;
    chain_layout(&c, &random, BLOCKS, 1, 5);
    double(*C)[5][RANK] = zeroed(BLOCKS, sizeof *C), *x = zeroed(ROWS, sizeof *x), *b = zeroed(ROWS, sizeof *b);
    for (int i = 0; i < BLOCKS; i++) rt_vector(&random, 1, 5 * RANK, C[i][0]);
    for (int i = 0; i < BLOCKS; i++) { /* K: 4 on the diagonal, -1 between neighbours */
        const int n = i > 0 ? 10 : 5, before = n - 5;
        for (int r = 0; r < 5; r++) {
            double *row = c.A + c.at[i] + (size_t)(r * n);
            const double w = C[i][r][0] - 2 * C[i][r][1];
            x[5 * i + r] = w;
            for (int k = 0; k < 5; k++) {
                for (int s = 0; s < RANK; s++) {
                    row[before + k] += 4 * C[i][r][s] * C[i][k][s];
                    if (i > 0) row[k] -= C[i][r][s] * C[i - 1][k][s];
                }
            }
        }
    }
    chain_times(&c, x, b);
    assert_int_equal(factor(&c), 3 * BLOCKS);
    const double missed = skyline_solve(&c.sky, c.factor, b, c.buffer);
    /* C^T C of two random columns: condition beyond 1e3 has a chance of 1e-3 squared each; K's is 3 */
    for (int r = 0; r < ROWS; r++) assert_true(fabs(b[r] - x[r]) <= 1e6 * DBL_EPSILON);
    assert_true(missed <= 1e-11);
    assert_true(skyline_doubles(&c.sky) <= 64 * ROWS + 2 * c.at[BLOCKS]);
    free(C);
    free(x);
    free(b);
    chain_free(&c);
}

/* More rows repeated across blocks than null vectors are kept: still a solution. */
static void basic_solutions(void **state) {
    (void)state;
    enum { BLOCKS = 2 * SKYLINE_NULL + 6 };
    rtRandom random = {5};
    Chain c;
    chain_layout(&c, &random, BLOCKS, 1, 3);
    c.J = zeroed((size_t)(c.rows * c.columns), sizeof(double));
    for (int i = 0; i < BLOCKS; i += 2) { /* pairs of blocks that say the same */
        for (int r = 0; r < 3; r++) {
            double *row = c.J + (size_t)((c.row[i] + r) * c.columns), *next = row + 3 * c.columns;
            for (int k = 0; k < UNKNOWNS; k++)
                row[i * UNKNOWNS + k] = next[i * UNKNOWNS + k] = rt_uniform(&random, -1, 1);
        }
    }
    chain_matrix(&c);
    assert_int_equal(factor(&c), 3 * BLOCKS / 2);
    double *x = zeroed((size_t)c.rows, sizeof(double)), *b = zeroed((size_t)c.rows, sizeof(double));
    double *back = zeroed((size_t)c.rows, sizeof(double));
    rt_vector(&random, 1, c.rows, x);
    chain_times(&c, x, b);
    memcpy(x, b, (size_t)c.rows * sizeof *x);
    const double missed = skyline_solve(&c.sky, c.factor, x, c.buffer);
    chain_times(&c, x, back);
    for (int r = 0; r < c.rows; r++) assert_true(fabs(back[r] - b[r]) <= 1e-12);
    assert_true(missed <= 1e-12);
    free(x);
    free(b);
    free(back);
    chain_free(&c);
}

static void contradictions_are_measured(void **state) {
    (void)state;
    const int row[] = {0, 1, 2}, first[] = {0, 0};
    const size_t at[] = {0, 1, 3};
    const struct skyline sky = {2, row, first, at};
    double A[3] = {2, 2, 2}, x[2] = {4, 4.5}, *buffer = zeroed(skyline_doubles(&sky), sizeof(double));
    assert_int_equal(skyline_factor(&sky, A, NULL, FLOOR, buffer), 1);
    assert_true(fabs(skyline_solve(&sky, A, x, buffer) - 0.5) < 1e-15);
    assert_true(fabs(x[0] - 1) < 1e-15 && fabs(x[1] - 1) < 1e-15);
    assert_true(skyline_dropped(&sky, buffer)[1] == 1 && skyline_dropped(&sky, buffer)[0] == 0);
    free(buffer);
}

TESTS(random_chains, one_block_is_dense, thousand_blocks, basic_solutions, contradictions_are_measured)
