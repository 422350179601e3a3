/* The recursion with elastic links against Newton-Euler and composite bodies, which share no elimination with it:
 * random trees of every joint, set of shapes and modal data, external forces, stiffening.
 *   residual   tau - (forces that Newton-Euler finds for the accelerations) against the sizes of their terms
 *   masks      force, acceleration or lock of each joint and elastic coordinate against the partitioned matrix,
 *              M_ff a_f = tau_f - bias_f - M_fg a_g,   tau_g = bias_g + M_gf a_f + M_gg a_g
 * Tolerance: entries of M are rounded to a part of sqrt(M_ii M_jj), forces to a part of
 * s_i = |bias| + |tau| + sum_j sqrt(M_ii M_jj) |a_j| (bias with the elastic forces). That moves a_f by |M_ff^-1| s_f
 * and with it tau_g by |M_gf| |M_ff^-1| s_f besides its own s_g. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/tree.h"
#include "support/bent_tree.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"

enum { TREES = 600, WIDE_TREES = 160 };
static const double rounding = 1e-13; /* in some 7500 trial trees the worst was 2e-14 */

typedef struct Dense {
    int n, count; /* freedoms; those with given force */
    int *which;
    unsigned char *given;
    exact *M, *bias, *inverse, *a, *tau, *size, *a_scale, *tau_scale;
} Dense;

static exact **fields(Dense *d, int i) {
    exact **all[] = {&d->M, &d->inverse, &d->bias, &d->a, &d->tau, &d->size, &d->a_scale, &d->tau_scale};
    return all[i];
}

static void dense_open(Dense *d, const btCase *c) {
    d->n = c->nv;
    d->which = calloc((size_t)d->n + 1, sizeof *d->which);
    d->given = calloc((size_t)d->n + 1, 1);
    if (!d->which || !d->given) abort();
    for (int i = 0; i < 8; i++) *fields(d, i) = lin_numbers(i < 2 ? d->n * d->n : d->n);
    bt_mass(c, d->M);
    bt_bias(c, c->v, c->fext, d->bias);
}

static void dense_close(Dense *d) {
    for (int i = 0; i < 8; i++) free(*fields(d, i));
    free(d->which);
    free(d->given);
}

/* a and tau of the partitioned system. */
static bool partition(Dense *d, const btCase *c) {
    int n = d->n, m = 0;
    exact *block = lin_numbers(n * n), *rest = lin_numbers(n), *found = lin_numbers(n);
    for (int i = 0; i < n; i++) {
        if (d->given[i] == ZV_GIVEN_FORCE) d->which[m++] = i;
        d->a[i] = d->given[i] == ZV_GIVEN_ACCELERATION ? c->a[i] : 0;
    }
    d->count = m;
    for (int i = 0; i < m; i++) {
        rest[i] = c->tau[d->which[i]] - d->bias[d->which[i]];
        for (int j = 0; j < n; j++) rest[i] -= d->M[d->which[i] * n + j] * d->a[j];
        for (int j = 0; j < m; j++) block[i * m + j] = d->M[d->which[i] * n + d->which[j]];
    }
    bool regular = lin_inverse(m, block, d->inverse);
    lin_times(m, d->inverse, rest, found);
    for (int i = 0; i < m; i++) d->a[d->which[i]] = found[i];
    lin_times(n, d->M, d->a, d->tau);
    for (int i = 0; i < n; i++) d->tau[i] += d->bias[i];
    free(block);
    free(rest);
    free(found);
    return regular;
}

static void scales(Dense *d, const btCase *c) {
    int n = d->n, m = d->count;
    for (int i = 0; i < n; i++) {
        d->size[i] = fabsl(d->bias[i]) + fabs(c->tau[i]);
        for (int j = 0; j < n; j++) d->size[i] += sqrtl(d->M[i * (n + 1)] * d->M[j * (n + 1)]) * fabsl(d->a[j]);
        d->a_scale[i] = 0;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) d->a_scale[d->which[i]] += fabsl(d->inverse[i * m + j]) * d->size[d->which[j]];
    for (int i = 0; i < n; i++) {
        d->tau_scale[i] = d->size[i];
        for (int j = 0; j < n; j++) d->tau_scale[i] += fabsl(d->M[i * n + j]) * d->a_scale[j];
    }
}

/* What is to be found is poisoned; what is given must come back untouched. */
static bool mask_agrees(Dense *d, btCase *c) {
    int n = d->n;
    if (!partition(d, c)) return false;
    scales(d, c);
    for (int i = 0; i < n; i++) {
        c->x[i] = d->given[i] == ZV_GIVEN_FORCE ? c->tau[i] : NAN;
        c->y[i] = d->given[i] == ZV_GIVEN_ACCELERATION ? c->a[i] : NAN;
    }
    zvStatus status = zv_mixed_dynamics(c->model, c->work, c->q, c->v, d->given, c->fext, c->x, c->y);
    bool good = status == ZV_OK && bt_near(c, "acceleration", n, c->y, d->a, d->a_scale, rounding);
    for (int i = 0; i < n; i++) {
        if (d->given[i] == ZV_GIVEN_FORCE) {
            good = good && c->x[i] == c->tau[i];
            d->tau[i] = c->tau[i];
        }
    }
    good = good && bt_near(c, "force", n, c->x, d->tau, d->tau_scale, rounding);
    if (!good) fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->seed, zv_status_name(status));
    return good;
}

/* Forces that Newton-Euler needs for the accelerations found, without and with a mask of forces only. */
static bool forward_agrees(Dense *d, btCase *c) {
    int n = d->n;
    for (int i = 0; i < n; i++) d->given[i] = ZV_GIVEN_FORCE;
    if (!mask_agrees(d, c)) return false;
    bool good = zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, c->fext, c->x) == ZV_OK;
    for (int i = 0; i < n; i++) good = good && c->x[i] == c->y[i];
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->x, c->fext, c->y);
    for (int i = 0; i < n; i++) d->tau[i] = c->tau[i];
    return good && bt_near(c, "residual", n, c->y, d->tau, d->size, rounding);
}

static bool masks_agree(Dense *d, btCase *c) {
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < d->n; i++) {
            bool elastic = bt_elastic(c, i);
            int any = rt_below(&c->random, 3);
            /* any; joints given and links free; links frozen in their motion and joints free; all given */
            int kind[] = {any, elastic ? ZV_GIVEN_FORCE : any, elastic ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE,
                          elastic ? any : ZV_GIVEN_FORCE, ZV_GIVEN_ACCELERATION};
            d->given[i] = (unsigned char)kind[round];
        }
        if (!mask_agrees(d, c)) return false;
    }
    return true;
}

/* Links that carry others and have so many coordinates. */
static int wide_links(const btCase *c, int least) {
    int count = 0;
    for (int i = 1; i < c->model->tree.nb; i++) {
        const ziElastic *el = c->model->tree.body[i].elastic;
        count += el && el->attachments > 0 && el->n >= least;
    }
    return count;
}

static bool tree_agrees(uint64_t seed, rtOptions options, int modes, int *wide) {
    btCase c;
    Dense d;
    bt_case_open(&c, seed, options, modes);
    *wide += wide_links(&c, 20);
    dense_open(&d, &c);
    bool good = forward_agrees(&d, &c) && masks_agree(&d, &c);
    dense_close(&d);
    bt_case_close(&c);
    return good;
}

static rtOptions spread(int i, int most) {
    rtOptions options = rt_options_default(1 + i % most);
    options.shape = i % 3 == 0 ? RT_BUSHY : i % 3 == 1 ? RT_DEEP : RT_CHAIN;
    options.free_base = i % 4 == 1;
    return options;
}

static void random_trees(void **state) {
    (void)state;
    int wide = 0;
    for (int i = 0; i < TREES; i++) assert_true(tree_agrees(52000 + (uint64_t)i, spread(i, 7), 2, &wide));
}

/* Up to 48 coordinates in a link: factors of its mass matrix are brought up to date instead of made anew. */
static void many_modes(void **state) {
    (void)state;
    int wide = 0;
    for (int i = 0; i < WIDE_TREES; i++) assert_true(tree_agrees(53000 + (uint64_t)i, spread(i, 4), 12, &wide));
    assert_true(wide >= 20);
}

TESTS(random_trees, many_modes)
