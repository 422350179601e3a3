/* (M + diag(extra) + damping D + stiffness K)^-1 x with some freedoms locked, against the dense matrix: random elastic
 * trees, with joints that follow others as well. D and K come from the links one by one.
 * Tolerance: entries of the matrix A are rounded to a part of their size, which moves the answer y by
 * |A_ff^-1| |A_ff| |y_f|, the componentwise condition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/bent_tree.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"

static const double rounding = 1e-12;

typedef struct Question {
    bool masked, heavier;
    double damping, stiffness;
} Question;

/* A += damping D + stiffness K */
static void add_structure(const btCase *c, const Question *ask, exact *A) {
    for (int link = 0; link < zv_model_nlink(c->model); link++) {
        zvElasticPlace place = zv_model_elastic_place(c->model, link);
        size_t n = (size_t)place.count;
        double *K = calloc(2 * n * n + 1, sizeof *K), *D = K + n * n;
        if (!K) abort();
        zv_model_elastic_matrices(c->model, link, NULL, K, D);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                A[((size_t)place.v_index + i) * (size_t)c->nv + (size_t)place.v_index + j] +=
                    ask->damping * (exact)D[i * n + j] + ask->stiffness * (exact)K[i * n + j];
        free(K);
    }
}

/* y and its scale; locked rows and columns are those of the identity, and x is 0 there. */
static bool solve(int n, exact *A, const unsigned char *given, const double *x, exact *y, exact *scale) {
    exact *inverse = lin_numbers(n * n), *b = lin_numbers(n);
    for (int i = 0; i < n; i++) {
        b[i] = given[i] == ZV_GIVEN_FORCE ? x[i] : 0;
        for (int j = 0; j < n; j++)
            if (given[i] != ZV_GIVEN_FORCE || given[j] != ZV_GIVEN_FORCE) A[i * n + j] = i == j;
    }
    bool regular = lin_inverse(n, A, inverse);
    lin_times(n, inverse, b, y);
    for (int k = 0; k < n; k++) {
        exact row = fabsl(b[k]);
        for (int j = 0; j < n; j++) row += fabsl(A[k * n + j] * y[j]);
        for (int i = 0; i < n; i++) scale[i] += fabsl(inverse[i * n + k]) * row;
    }
    free(inverse);
    free(b);
    return regular;
}

static bool answer_agrees(btCase *c, Question ask) {
    int n = c->nv;
    exact *A = lin_numbers(n * n), *want = lin_numbers(n), *scale = lin_numbers(n);
    unsigned char *given = calloc((size_t)n + 1, 1);
    if (!given) abort();
    bt_mass(c, A);
    add_structure(c, &ask, A);
    for (int i = 0; i < n; i++) {
        if (ask.masked) given[i] = (unsigned char)rt_below(&c->random, 3);
        c->a[i] = rt_chance(&c->random, 0.4) ? 0 : rt_decades(&c->random, -3, 3);
        if (ask.heavier) A[i * n + i] += c->a[i];
    }
    bool good = solve(n, A, given, c->tau, want, scale);
    const unsigned char *mask = ask.masked ? given : NULL;
    const double *extra = ask.heavier ? c->a : NULL;
    good = good && zv_structural_inverse_times(c->model, c->work, c->q, mask, extra, ask.damping, ask.stiffness, c->tau,
                                               c->x) == ZV_OK;
    good = good && bt_near(c, "A^-1 x", n, c->x, want, scale, rounding);
    for (int i = 0; i < n; i++) good = good && (given[i] == ZV_GIVEN_FORCE || c->x[i] == 0);
    memcpy(c->y, c->tau, (size_t)n * sizeof *c->y); /* the answer may lie over x */
    good = good && zv_structural_inverse_times(c->model, c->work, c->q, mask, extra, ask.damping, ask.stiffness, c->y,
                                               c->y) == ZV_OK;
    for (int i = 0; i < n; i++) good = good && c->x[i] == c->y[i];
    size_t count;
    const zvMethod *rows = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t k = 0; good && k < count; k++) { /* by an assembled matrix */
        if (zv_domain_obstacle(rows[k].domain, c->model, false)) continue;
        good = zv_structural_inverse_times_by(&rows[k], c->model, c->work, c->q, mask, extra, ask.damping,
                                              ask.stiffness, c->tau, c->y) == ZV_OK &&
               bt_near(c, rows[k].name, n, c->y, want, scale, rounding);
        for (int i = 0; i < n; i++) good = good && (given[i] == ZV_GIVEN_FORCE || c->y[i] == 0);
    }
    free(A);
    free(want);
    free(scale);
    free(given);
    return good;
}

static rtOptions spread(int i) {
    rtOptions options = rt_options_default(1 + i % 6);
    options.shape = i % 3 == 0 ? RT_BUSHY : i % 3 == 1 ? RT_DEEP : RT_CHAIN;
    options.free_base = i % 4 == 1;
    options.mimics = i % 5 == 4 ? 2 : 0;
    return options;
}

static void against_the_dense_matrix(void **state) {
    (void)state;
    static const Question asks[] = {{false, false, 0, 0},          {true, false, 0, 0},        {false, true, 0, 0},
                                    {false, false, 0.005, 2.5e-5}, {true, true, 0.05, 2.5e-3}, {true, false, 0, 1e-4},
                                    {false, true, 1e-3, 0}};
    for (int i = 0; i < 300; i++) {
        btCase c;
        bt_case_open(&c, 61000 + (uint64_t)i, spread(i), i % 10 == 9 ? 8 : 2);
        for (size_t k = 0; k < sizeof asks / sizeof *asks; k++) assert_true(answer_agrees(&c, asks[k]));
        bt_case_close(&c);
    }
}

/* Without anything added it is M^-1 x, and with extra alone the augmented one, to the last digit. */
static void special_cases(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        btCase c;
        bt_case_open(&c, 62000 + (uint64_t)i, spread(i), 2);
        for (int k = 0; k < c.nv; k++) c.a[k] = fabs(c.a[k]);
        assert_int_equal(zv_structural_inverse_times(c.model, c.work, c.q, NULL, NULL, 0, 0, c.tau, c.x), ZV_OK);
        assert_int_equal(zv_mass_inverse_times(c.model, c.work, c.q, c.tau, c.y), ZV_OK);
        assert_memory_equal(c.x, c.y, (size_t)c.nv * sizeof *c.x);
        assert_int_equal(zv_structural_inverse_times(c.model, c.work, c.q, NULL, c.a, 0, 0, c.tau, c.x), ZV_OK);
        assert_int_equal(zv_augmented_inverse_times(c.model, c.work, c.q, c.a, c.tau, c.y), ZV_OK);
        assert_memory_equal(c.x, c.y, (size_t)c.nv * sizeof *c.x);
        bt_case_close(&c);
    }
}

TESTS(against_the_dense_matrix, special_cases)
