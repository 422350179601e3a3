/* Mixed dynamics against the partitioned matrix: with f the freedoms whose force is given and g the others,
 *   M_ff a_f = tau_f - bias_f - M_fg a_g,   tau_g = bias_g + M_gf a_f + M_gg a_g.
 * Tolerance: 16 x depth x eps x condition; forces' rounding s moves a_f by |M_ff^-1| s_f, and with it tau_g by
 * |M_gf| |M_ff^-1| s_f besides its own s_g. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 }; /* in some 19 000 trial cases the worst was 8.2 */

typedef struct Split {
    int count;                    /* freedoms with given force */
    int which[6 * RT_MAX_JOINTS]; /* their indices */
    unsigned char given[6 * RT_MAX_JOINTS];
    exact *bias, *a, *tau, *inverse; /* nv, nv, nv, count x count */
    exact *a_scale, *tau_scale;      /* nv */
} Split;

static void split_open(Split *s, int n) {
    exact **fields[] = {&s->bias, &s->a, &s->tau, &s->a_scale, &s->tau_scale};
    for (size_t i = 0; i < 5; i++) *fields[i] = lin_numbers(n);
    s->inverse = lin_numbers(n * n);
}

static void split_close(Split *s) {
    exact *fields[] = {s->bias, s->a, s->tau, s->a_scale, s->tau_scale, s->inverse};
    for (size_t i = 0; i < 6; i++) free(fields[i]);
}

/* Fills a and tau of the reference from what is given in c->a and c->tau. */
static bool partition(rtCase *c, Split *s) {
    int n = c->nv, m = 0;
    exact *block = lin_numbers(n * n), *rest = lin_numbers(n), *found = lin_numbers(n);
    for (int i = 0; i < n; i++) {
        if (s->given[i] == ZV_GIVEN_FORCE) s->which[m++] = i;
        s->a[i] = s->given[i] == ZV_GIVEN_ACCELERATION ? c->a[i] : 0;
    }
    s->count = m;
    for (int i = 0; i < m; i++) {
        rest[i] = c->tau[s->which[i]] - s->bias[s->which[i]];
        for (int j = 0; j < n; j++) rest[i] -= c->M[s->which[i] * n + j] * s->a[j];
        for (int j = 0; j < m; j++) block[i * m + j] = c->M[s->which[i] * n + s->which[j]];
    }
    bool regular = lin_inverse(m, block, s->inverse);
    lin_times(m, s->inverse, rest, found);
    for (int i = 0; i < m; i++) s->a[s->which[i]] = found[i];
    lin_times(n, c->M, s->a, s->tau);
    for (int i = 0; i < n; i++) s->tau[i] += s->bias[i];
    free(block);
    free(rest);
    free(found);
    return regular;
}

static void scales(rtCase *c, Split *s) {
    int n = c->nv, m = s->count;
    for (int i = 0; i < n; i++) c->x[i] = (double)s->a[i];
    ref_error_scale(c->ref, c->v, c->x, c->fext, true, c->error_scale);
    for (int i = 0; i < n; i++) s->a_scale[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            s->a_scale[s->which[i]] += fabsl(s->inverse[i * m + j]) * c->error_scale->tau[s->which[j]];
    for (int i = 0; i < n; i++) {
        s->tau_scale[i] = c->error_scale->tau[i];
        for (int j = 0; j < n; j++) s->tau_scale[i] += fabsl(c->M[i * n + j]) * s->a_scale[j];
    }
}

/* What is to be computed is poisoned; what is given must come back untouched. by NULL: by sweeps. */
static bool row_agrees(rtCase *c, Split *s, const zvMethod *by) {
    int n = c->nv;
    for (int i = 0; i < n; i++) {
        bool force = s->given[i] == ZV_GIVEN_FORCE;
        c->x[i] = force ? c->tau[i] : NAN;
        c->y[i] = s->given[i] == ZV_GIVEN_ACCELERATION ? c->a[i] : NAN;
    }
    zvStatus status = by ? zv_mixed_dynamics_by(by, c->model, c->work, c->q, c->v, s->given, c->fext, c->x, c->y)
                         : zv_mixed_dynamics(c->model, c->work, c->q, c->v, s->given, c->fext, c->x, c->y);
    if (by && zv_domain_obstacle(by->domain, c->model, c->fext != NULL)) return status == ZV_NOT_SUPPORTED;
    bool good = status == ZV_OK && rt_near(c, "mixed a", n, c->y, s->a, s->a_scale, ULPS);
    for (int i = 0; i < n && good; i++)
        if (s->given[i] == ZV_GIVEN_FORCE) good = c->x[i] == c->tau[i];
    for (int i = 0; i < n; i++)
        if (s->given[i] == ZV_GIVEN_FORCE) s->tau[i] = c->tau[i];
    good = good && rt_near(c, "mixed tau", n, c->x, s->tau, s->tau_scale, ULPS);
    if (good) return true;
    fprintf(stderr, "%s: status %s, mask ", by ? by->name : "sweeps", zv_status_name(status));
    for (int i = 0; i < n; i++) fputc("fal"[s->given[i]], stderr);
    fputc('\n', stderr);
    return false;
}

/* By sweeps, and by the assembled matrix of every row, or of one of them in turn. */
static bool mask_agrees(rtCase *c, Split *s, bool every, int turn) {
    size_t count;
    const zvMethod *rows = zv_methods(ZV_QUESTION_FORWARD, &count);
    if (!partition(c, s)) return false;
    scales(c, s);
    bool good = row_agrees(c, s, NULL);
    for (size_t k = 0; k < count && good; k++)
        if (every || k == (size_t)turn % count) good = row_agrees(c, s, &rows[k]);
    return good;
}

static void prepare(rtCase *c, Split *s) {
    split_open(s, c->nv);
    ref_mass(c->ref, c->M);
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, c->fext, true, s->bias);
}

static bool random_masks_agree(rtCase *c) {
    Split s;
    prepare(c, &s);
    bool good = true;
    for (int k = 0; k < 5 && good; k++) {
        /* all forces, all accelerations, then any */
        for (int i = 0; i < c->nv; i++) s.given[i] = (unsigned char)(k < 2 ? k : rt_below(&c->random, 3));
        good = mask_agrees(c, &s, k == 2, k + (int)c->seed);
    }
    split_close(&s);
    return good;
}

/* Coupled models are solved by another way and judged in test_mimic. */
static void uncoupled(int index, rtOptions *options) {
    (void)index;
    options->mimics = 0;
}

static void random_masks(void **state) {
    (void)state;
    assert_true(rt_each(36000, 1000, 40, uncoupled, random_masks_agree));
}

static bool every_mask_agrees(rtCase *c) {
    Split s;
    bool good = c->nv == 7;
    prepare(c, &s);
    for (int mask = 0; mask < 2187 && good; mask++) {
        for (int i = 0, rest = mask; i < 7; i++, rest /= 3) s.given[i] = (unsigned char)(rest % 3);
        good = mask_agrees(c, &s, false, mask);
    }
    split_close(&s);
    return good;
}

static void every_mask_of_an_arm(void **state) {
    (void)state;
    rtOptions options = rt_options_default(7);
    options.shape = RT_CHAIN;
    options.types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(PRISMATIC);
    rtCase c;
    bool good = rt_case_open(&c, 6500, &options) && every_mask_agrees(&c);
    rt_case_close(&c);
    assert_true(good);
}

TESTS(random_masks, every_mask_of_an_arm)
