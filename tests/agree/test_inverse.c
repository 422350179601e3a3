/* Inverse dynamics by every method, bias and gravity forces against the reference.
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

enum { ULPS = 16 }; /* in some 19 000 trial cases the worst was 8.2 */

/* Every method against c->want with the sizes in c->error scale; v, a and fext may be NULL. The answer may overwrite a
 * or v, to the same bits. */
static bool each_method(rtCase *c, const char *what, const double *v, const double *a, const double *fext) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_INVERSE, &count);
    const size_t bytes = (size_t)c->nv * sizeof *c->x;
    bool good = true;
    for (size_t k = 0; k < count && good; k++) {
        for (int i = 0; i < c->nv; i++) c->x[i] = NAN;
        const zvStatus status = methods[k].run(c->model, c->work, c->q, v, a, fext, c->x);
        if (zv_domain_obstacle(methods[k].domain, c->model, fext != NULL)) {
            good = status == ZV_NOT_SUPPORTED;
            continue;
        }
        good = status == ZV_OK;
        good = good && rt_near(c, what, c->nv, c->x, c->want, c->error_scale->tau, ULPS);
        for (int over = 0; over < 2 && good; over++) {
            const double *from = over ? v : a;
            if (!from) continue;
            memcpy(c->y, from, bytes);
            methods[k].run(c->model, c->work, c->q, over ? c->y : v, over ? a : c->y, fext, c->y);
            good = memcmp(c->x, c->y, bytes) == 0;
        }
        if (!good)
            fprintf(stderr, "seed %llu: %s, inverse method %s\n", (unsigned long long)c->seed, what, methods[k].name);
    }
    return good;
}

static bool inverse_agrees(rtCase *c) {
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
    ref_inverse(c->ref, c->fext, true, c->want);
    return rt_near(c, "tau", c->nv, c->x, c->want, c->error_scale->tau, ULPS) &&
           each_method(c, "tau", c->v, c->a, c->fext);
}

static bool unloaded_inverse_agrees(rtCase *c) {
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, NULL, c->x);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, c->a, NULL, true, c->error_scale);
    return rt_near(c, "tau without load", c->nv, c->x, c->want, c->error_scale->tau, ULPS) &&
           each_method(c, "tau without load", c->v, c->a, NULL);
}

static bool bias_agrees(rtCase *c) {
    zv_bias(c->model, c->work, c->q, c->v, c->x);
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, NULL, NULL, true, c->error_scale);
    return rt_near(c, "bias", c->nv, c->x, c->want, c->error_scale->tau, ULPS) &&
           each_method(c, "bias", c->v, NULL, NULL);
}

static bool gravity_agrees(rtCase *c) {
    zv_gravity_force(c->model, c->work, c->q, c->x);
    ref_move(c->ref, NULL, NULL);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, NULL, NULL, NULL, true, c->error_scale);
    return rt_near(c, "gravity", c->nv, c->x, c->want, c->error_scale->tau, ULPS) &&
           each_method(c, "gravity", NULL, NULL, NULL);
}

/* Wrenches on frames, laid on the bodies by the engine, must do the work of the wrenches at the frames. */
static bool wrenches_agree(rtCase *c) {
    exact J[6 * 6 * RT_MAX_LINKS];
    for (int i = 0; i < 6 * c->nlink; i++) c->fext[i] = 0;
    ref_move(c->ref, c->v, c->a);
    ref_inverse(c->ref, NULL, true, c->want);
    for (int f = 0; f < zv_model_nframe(c->model); f++) {
        double wrench[6];
        rt_vector(&c->random, 10, 6, wrench);
        zv_add_wrench(c->model, c->work, c->q, f, wrench, c->fext);
        ref_frame_jacobian(c->ref, f, J);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < c->nv; k++) c->want[k] -= J[i * c->nv + k] * wrench[i];
    }
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
    ref_error_scale(c->ref, c->v, c->a, c->fext, true, c->error_scale);
    return rt_near(c, "tau under wrenches", c->nv, c->x, c->want, c->error_scale->tau, ULPS);
}

static bool all_agree(rtCase *c) {
    return inverse_agrees(c) && unloaded_inverse_agrees(c) && bias_agrees(c) && gravity_agrees(c) && wrenches_agree(c);
}

static void inverse_dynamics(void **state) {
    (void)state;
    size_t count;
    zv_methods(ZV_QUESTION_INVERSE, &count);
    assert_true(count >= 4);
    assert_true(rt_each(32000, 1000, 50, NULL, all_agree));
}

static void single_joints(void **state) {
    (void)state;
    assert_true(rt_each_type(2500, all_agree));
}

TESTS(single_joints, inverse_dynamics)
