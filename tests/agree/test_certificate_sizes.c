/* The error scales that the certificate judges by: of rigid trees against those of the reference, which goes link by
 * link in long double; of all trees, elastic ones too, against what they must bound: no answer is larger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "agree/error_scale.h"
#include "support/bent_tree.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

typedef struct Range {
    double least, most;
} Range;
static Range seen;

/* Two estimates of one size agree within a factor: joints' offsets count once or twice, merged bodies cancel less. */
static bool similar(const rtCase *c, const char *what, int count, const double *got, const exact *want) {
    static const double factor = 12;
    for (int i = 0; i < count; i++) {
        if (want[i] == 0 && got[i] == 0) continue;
        const double ratio = (double)(got[i] / want[i]);
        seen.least = fmin(seen.least, ratio);
        seen.most = fmax(seen.most, ratio);
        if (ratio >= 1 / factor && ratio <= factor) continue;
        fprintf(stderr, "seed %llu: %s %d is %.3g, not about %.3Lg\n", (unsigned long long)c->seed, what, i, got[i],
                want[i]);
        return false;
    }
    return true;
}

static bool bounded(uint64_t seed, const char *what, int count, const double *x, const double *size) {
    for (int i = 0; i < count; i++) {
        if (fabs(x[i]) <= (1 + 1e-10) * size[i]) continue;
        fprintf(stderr, "seed %llu: %s %d is %.6g, above %.6g\n", (unsigned long long)seed, what, i, x[i], size[i]);
        return false;
    }
    return true;
}

/* x and A receive the sizes of forces and of M. */
static bool tree_bounds(rtCase *c) {
    ziErrorScale error_scale;
    bool good = zi_error_scale_create(c->model, &error_scale);
    zi_error_scale_place(&error_scale, c->q);
    zi_error_scale_forces(&error_scale, c->v, c->a, c->fext, c->x);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->y);
    zi_error_scale_mass(&error_scale, c->A);
    zv_mass_matrix(c->model, c->work, c->q, c->B);
    good = good && bounded(c->seed, "force", c->nv, c->y, c->x);
    good = good && bounded(c->seed, "entry of M", c->nv * c->nv, c->B, c->A);
    zi_error_scale_destroy(&error_scale);
    return good;
}

static bool tree_sizes(rtCase *c) {
    const int n = c->nv;
    if (!tree_bounds(c)) return false;
    ref_error_scale(c->ref, c->v, c->a, c->fext, true, c->error_scale);
    if (!similar(c, "size of a force", n, c->x, c->error_scale->tau)) return false;
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    for (int i = 0; i < n; i++) /* the larger of two estimates, as the library has it */
        for (int j = 0; j < i; j++) c->S[i * n + j] = c->S[j * n + i] = fmaxl(c->S[i * n + j], c->S[j * n + i]);
    return similar(c, "size of an entry of M", n * n, c->A, c->S);
}

/* Of splines the reference has a guess. */
static void without_splines(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE;
}

static void rigid_trees(void **state) {
    (void)state;
    seen = (Range){1, 1};
    assert_true(rt_each(97000, SANITIZED ? 100 : 600, 30, without_splines, tree_sizes));
    print_message("sizes from seed 97000: %.2g to %.2g of the reference's\n", seen.least, seen.most);
    assert_true(rt_each(98000, SANITIZED ? 100 : 600, 30, NULL, tree_bounds));
}

static bool bent_sizes(btCase *c) {
    ziErrorScale error_scale;
    double *M = calloc((size_t)(c->nv * c->nv) + 1, sizeof *M), *S = calloc((size_t)(c->nv * c->nv) + 1, sizeof *S);
    bool good = zi_error_scale_create(c->model, &error_scale) && M && S;
    zi_error_scale_place(&error_scale, c->q);
    zi_error_scale_forces(&error_scale, c->v, c->a, c->fext, c->x);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->y);
    good = good && bounded(c->seed, "force", c->nv, c->y, c->x);
    zi_error_scale_mass(&error_scale, S);
    zv_mass_matrix(c->model, c->work, c->q, M);
    good = good && bounded(c->seed, "entry of M", c->nv * c->nv, M, S);
    zi_error_scale_destroy(&error_scale);
    free(M);
    free(S);
    return good;
}

static void elastic_trees(void **state) {
    (void)state;
    for (int i = 0; i < (SANITIZED ? 30 : 150); i++) {
        rtOptions options = rt_options_spread(i, 12);
        btCase c;
        bt_case_open(&c, 97700 + (uint64_t)i, options, 3);
        const bool good = bent_sizes(&c);
        bt_case_close(&c);
        if (!good) fail_msg("elastic tree %d, seed %llu", i, (unsigned long long)(97700 + i));
    }
}

TESTS(rigid_trees, elastic_trees)
