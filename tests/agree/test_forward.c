/* Every method for forward dynamics against a dense solve of the reference, and forward after inverse = identity.
 * A rounding error d in the generalised forces moves the accelerations by M^-1 d, so the tolerance is
 * 16 x depth x eps x |M^-1| x (uncancelled size of the forces): the componentwise condition of the problem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

enum { ULPS = 16 }; /* in some 19 000 trial cases the worst was 8.2 */

/* scale = |M^-1| (size of the terms of tau); c->S holds M^-1. */
static void spread_scale(rtCase *c, const double *a) {
    ref_error_scale(c->ref, c->v, a, c->fext, true, c->error_scale);
    for (int i = 0; i < c->nv; i++) {
        c->scale[i] = 0;
        for (int j = 0; j < c->nv; j++) c->scale[i] += fabsl(c->S[i * c->nv + j]) * c->error_scale->tau[j];
    }
}

static bool each_method(rtCase *c, const char *what, const double *tau) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t k = 0; k < count; k++) {
        for (int i = 0; i < c->nv; i++) c->y[i] = NAN;
        zvStatus status = methods[k].run(c->model, c->work, c->q, c->v, tau, c->fext, c->y);
        if (status == ZV_NOT_SUPPORTED && zv_domain_obstacle(methods[k].domain, c->model, c->fext != NULL)) continue;
        if (status != ZV_OK) fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->seed, zv_status_name(status));
        if (status == ZV_OK && rt_near(c, what, c->nv, c->y, c->want, c->scale, ULPS)) continue;
        fprintf(stderr, "forward method %s\n", methods[k].name);
        return false;
    }
    return true;
}

static bool round_trip(rtCase *c) {
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
    for (int i = 0; i < c->nv; i++) c->want[i] = c->a[i];
    spread_scale(c, c->a);
    return each_method(c, "forward of inverse", c->x);
}

static bool solve_agrees(rtCase *c) {
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, c->fext, true, c->scale);
    for (int i = 0; i < c->nv; i++) c->scale[i] = c->tau[i] - c->scale[i];
    lin_times(c->nv, c->S, c->scale, c->want);
    for (int i = 0; i < c->nv; i++) c->x[i] = (double)c->want[i];
    spread_scale(c, c->x);
    if (zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, c->fext, c->y) != ZV_OK) return false;
    return rt_near(c, "a", c->nv, c->y, c->want, c->scale, ULPS) && each_method(c, "a", c->tau);
}

static bool forward_agrees(rtCase *c) {
    ref_mass(c->ref, c->M);
    return lin_inverse(c->nv, c->M, c->S) && round_trip(c) && solve_agrees(c);
}

/* Coupled models are solved by another way and judged in test_mimic. */
static void uncoupled(int index, rtOptions *options) {
    (void)index;
    options->mimics = 0;
}

static void forward_dynamics(void **state) {
    (void)state;
    size_t count;
    zv_methods(ZV_QUESTION_FORWARD, &count);
    assert_true(count >= 10);
    assert_true(rt_each(34000, SANITIZED ? 100 : 1000, 50, uncoupled, forward_agrees));
}

TESTS(forward_dynamics)
