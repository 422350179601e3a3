/* The recursions against a dense assembly from point masses (support/elastic_reference.h), on random elastic trees:
 * inverse dynamics, mass matrix, forward dynamics and mixed dynamics with random masks against the partitioned matrix.
 * Tolerance: 1e-10 of the size of the terms, times the condition number where a system is solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/elastic_reference.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"

#if defined(__SANITIZE_ADDRESS__)
enum { TREES = 60, MANY_MODES = 4 }; /* many times slower, and enough to go everywhere */
#else
enum { TREES = 1000, MANY_MODES = 40 };
#endif

typedef struct Case {
    uint64_t seed;
    erTree tree;
    zvWork *work;
    int n;
    double q[ER_DOFS], v[ER_DOFS], a[ER_DOFS], tau[ER_DOFS];
    exact *M, *bias, *size;
} Case;

static void open_case(Case *c, uint64_t seed, int links, int modes) {
    rtRandom random = {seed ^ 0x5eed};
    zvError error;
    c->seed = seed;
    near_about("seed %llu", (unsigned long long)seed);
    er_tree_make(seed, links, modes, &c->tree);
    c->n = c->tree.nv;
    c->work = zv_work_create(c->tree.model, &error);
    assert_non_null(c->work);
    er_state(&c->tree, &random, c->q, c->v);
    rt_vector(&random, 3, c->n, c->a);
    rt_vector(&random, 20, c->n, c->tau);
    c->M = lin_numbers(c->n * c->n);
    c->bias = lin_numbers(c->n);
    c->size = lin_numbers(c->n);
    exact *none = lin_numbers(c->n);
    er_mass(&c->tree, c->q, c->M);
    er_inverse(&c->tree, c->q, c->v, none, c->bias, c->size);
    free(none);
}

static void close_case(Case *c) {
    zv_work_destroy(c->work);
    er_tree_free(&c->tree);
    free(c->M);
    free(c->bias);
    free(c->size);
}

static exact largest(int n, const exact *x) {
    exact most = 0;
    for (int i = 0; i < n; i++) most = fmaxl(most, fabsl(x[i]));
    return most;
}

static void check_mass(const Case *c) {
    int n = c->n;
    double *M = malloc((size_t)(n * n) * sizeof *M);
    zv_mass_matrix(c->tree.model, c->work, c->q, M);
    for (int i = 0; i < n * n; i++) {
        exact scale = sqrtl(c->M[i / n * (n + 1)] * c->M[i % n * (n + 1)]);
        assert_element_near("entry of M", i, M[i], c->M[i], 1e-10L * scale);
    }
    free(M);
}

static void check_inverse(const Case *c) {
    int n = c->n;
    double tau[ER_DOFS];
    zv_inverse_dynamics(c->tree.model, c->work, c->q, c->v, c->a, NULL, tau);
    for (int i = 0; i < n; i++) {
        exact expected = c->bias[i], size = c->size[i];
        for (int j = 0; j < n; j++) {
            expected += c->M[i * n + j] * c->a[j];
            size += fabsl(c->M[i * n + j] * c->a[j]);
        }
        assert_element_near("force", i, tau[i], expected, 1e-10L * size);
    }
}

/* Solves for what is not given; the outcome's tolerance follows from the condition of the free block. */
static void check_mixed(const Case *c, const unsigned char *given) {
    int n = c->n, m = 0, which[ER_DOFS];
    exact *block = lin_numbers(n * n), *inverse = lin_numbers(n * n), *rest = lin_numbers(n), *free_a = lin_numbers(n),
          *a = lin_numbers(n), *tau = lin_numbers(n);
    double found_a[ER_DOFS], found_tau[ER_DOFS];
    for (int i = 0; i < n; i++) {
        found_a[i] = c->a[i];
        found_tau[i] = c->tau[i];
        a[i] = given[i] == ZV_GIVEN_ACCELERATION ? c->a[i] : 0;
        if (given[i] == ZV_GIVEN_FORCE) which[m++] = i;
    }
    for (int i = 0; i < m; i++) {
        rest[i] = c->tau[which[i]] - c->bias[which[i]];
        for (int j = 0; j < n; j++) rest[i] -= c->M[which[i] * n + j] * a[j];
        for (int j = 0; j < m; j++) block[i * m + j] = c->M[which[i] * n + which[j]];
    }
    assert_true(lin_inverse(m, block, inverse));
    exact condition = m ? lin_condition(m, block) : 1;
    lin_times(m, inverse, rest, free_a);
    for (int i = 0; i < m; i++) a[which[i]] = free_a[i];
    lin_times(n, c->M, a, tau);
    for (int i = 0; i < n; i++) tau[i] += c->bias[i];
    assert_int_equal(zv_mixed_dynamics(c->tree.model, c->work, c->q, c->v, given, NULL, found_tau, found_a), ZV_OK);
    exact a_size = largest(n, a), tau_size = largest(n, tau) + largest(n, c->size);
    for (int i = 0; i < n; i++) {
        if (given[i] == ZV_GIVEN_FORCE)
            assert_element_near("acceleration", i, found_a[i], a[i], 1e-10L * (1 + 1e-3L * condition) * a_size);
        else
            assert_element_near("mixed force", i, found_tau[i], tau[i], 1e-10L * (1 + 1e-3L * condition) * tau_size);
    }
    exact *arrays[] = {block, inverse, rest, free_a, a, tau};
    for (size_t i = 0; i < 6; i++) free(arrays[i]);
}

static void check_forward(const Case *c) {
    unsigned char given[ER_DOFS] = {0};
    double mixed[ER_DOFS], tau[ER_DOFS], a[ER_DOFS];
    check_mixed(c, given);
    memcpy(tau, c->tau, sizeof tau);
    assert_int_equal(zv_mixed_dynamics(c->tree.model, c->work, c->q, c->v, given, NULL, tau, mixed), ZV_OK);
    assert_int_equal(zv_forward_dynamics(c->tree.model, c->work, c->q, c->v, c->tau, NULL, a), ZV_OK);
    if (zv_model_nelastic(c->tree.model) > 0) { /* the same sweeps */
        for (int i = 0; i < c->n; i++) assert_true(a[i] == mixed[i]);
        return;
    }
    double needed[ER_DOFS]; /* rigid arms may go by factors of M: as forces, in which conditioning plays no part */
    exact size = largest(c->n, c->size);
    for (int i = 0; i < c->n; i++) size += fabsl((exact)c->tau[i]);
    zv_inverse_dynamics(c->tree.model, c->work, c->q, c->v, a, NULL, needed);
    for (int i = 0; i < c->n; i++) assert_element_near("force of acceleration", i, needed[i], c->tau[i], 1e-12L * size);
}

static void check_masks(const Case *c) {
    rtRandom random = {c->seed ^ 0x3a5c};
    unsigned char given[ER_DOFS];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < c->n; i++) given[i] = (unsigned char)rt_below(&random, 3);
        check_mixed(c, given);
    }
    for (int i = 0; i < c->n; i++) given[i] = ZV_GIVEN_ACCELERATION; /* joints prescribed, links elastic */
    for (int i = 1; i < c->tree.count; i++) {
        for (int k = 0; k < c->tree.link[i].n; k++) given[c->tree.link[i].ve + k] = ZV_GIVEN_FORCE;
    }
    check_mixed(c, given);
}

static void check(uint64_t seed, int links, int modes) {
    Case c;
    open_case(&c, seed, links, modes);
    if (c.n > 0) {
        check_mass(&c);
        check_inverse(&c);
        check_forward(&c);
        check_masks(&c);
    }
    close_case(&c);
}

static void random_trees(void **state) {
    (void)state;
    for (int i = 0; i < TREES; i++) check(41000 + (uint64_t)i, 1 + i % ER_LINKS, 1 + i % 3);
}

/* Enough modes per link that factors are updated instead of made anew. */
static void many_modes(void **state) {
    (void)state;
    for (int i = 0; i < MANY_MODES; i++) check(77000 + (uint64_t)i, 1 + i % 3, 7);
}

TESTS(random_trees, many_modes)
