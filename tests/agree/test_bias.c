/* Every method for the forces at a = 0 against the reference.
 * Tolerance: 16 x depth x eps x the uncancelled size of the terms (support/reference_error_scale). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 }; /* in some 20 000 trial cases the worst was 2.3 */

/* All methods against c->want, with v or at rest (NULL). */
static bool each_method(rtCase *c, const char *what, const double *v) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_BIAS, &count);
    for (size_t k = 0; k < count; k++) {
        for (int i = 0; i < c->nv; i++) c->x[i] = NAN;
        bool good = methods[k].run(c->model, c->work, c->q, v, NULL, NULL, c->x) == ZV_OK;
        good = good && rt_near(c, what, c->nv, c->x, c->want, c->error_scale->tau, ULPS);
        if (good) continue;
        fprintf(stderr, "bias method %s\n", methods[k].name);
        return false;
    }
    return true;
}

static bool moving(rtCase *c) {
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, NULL, NULL, true, c->error_scale);
    return each_method(c, "bias", c->v);
}

static bool at_rest(rtCase *c) {
    ref_move(c->ref, NULL, NULL);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, NULL, NULL, NULL, true, c->error_scale);
    return each_method(c, "bias at rest", NULL);
}

/* The answer may overwrite v, to the same bits. */
static bool in_place(rtCase *c) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_BIAS, &count);
    for (size_t k = 0; k < count; k++) {
        methods[k].run(c->model, c->work, c->q, c->v, NULL, NULL, c->x);
        memcpy(c->y, c->v, (size_t)c->nv * sizeof *c->y);
        methods[k].run(c->model, c->work, c->q, c->y, NULL, NULL, c->y);
        if (memcmp(c->x, c->y, (size_t)c->nv * sizeof *c->x) == 0) continue;
        fprintf(stderr, "seed %llu: bias method %s over v\n", (unsigned long long)c->seed, methods[k].name);
        return false;
    }
    return true;
}

static bool all_agree(rtCase *c) { return moving(c) && at_rest(c) && in_place(c); }

static void bias(void **state) {
    (void)state;
    size_t count;
    zv_methods(ZV_QUESTION_BIAS, &count);
    assert_true(count >= 4);
    assert_true(rt_each(41000, 1000, 50, NULL, all_agree));
}

static void single_joints(void **state) {
    (void)state;
    assert_true(rt_each_type(42500, all_agree));
}

TESTS(single_joints, bias)
