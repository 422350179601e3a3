/* External wrenches: the work they do is the same wherever they are written down. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

/* tau of a wrench on a frame is -J^T wrench, for every frame, links and named ones, fixed ones too; in world axes and
 * in the frame's own, with the Jacobian in the same. */
static bool wrench_is_power(rtCase *c) {
    double *J = calloc(6 * (size_t)c->nv + 1, sizeof *J), wrench[6], scale = 0;
    bool good = true;
    for (int n = 0; n < 2 * zv_model_nframe(c->model) && good; n++) {
        const int frame = n / 2, local = n % 2;
        double worst = 0;
        rt_vector(&c->random, 5, 6, wrench);
        memset(c->fext, 0, 6 * (size_t)c->nlink * sizeof *c->fext);
        (local ? zv_add_local_wrench : zv_add_wrench)(c->model, c->work, c->q, frame, wrench, c->fext);
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, NULL, c->y);
        zv_frame_jacobian(c->model, c->work, c->q, frame, local ? ZV_AXES_LOCAL : ZV_AXES_WORLD, J);
        for (int k = 0; k < c->nv; k++) {
            double power = 0;
            for (int i = 0; i < 6; i++) {
                power += J[i * c->nv + k] * wrench[i];
                scale = fmax(scale, fabs(J[i * c->nv + k]) * 30);
            }
            worst = fmax(worst, fabs(c->y[k] - c->x[k] - power));
            scale = fmax(scale, fabs(c->y[k]));
        }
        good = worst <= 1e-12 * fmax(scale, 1);
        if (!good) print_message("seed %d, frame %d: off by %g\n", (int)c->seed, frame, worst);
    }
    free(J);
    return good;
}

static void power(void **state) {
    (void)state;
    assert_true(rt_each(600, 60, 20, NULL, wrench_is_power));
}

/* Wrenches add up, and a wrench on a frame is the one on its link moved there. */
static bool wrenches_add(rtCase *c) {
    const int frames = zv_model_nframe(c->model);
    double *sum = calloc(6 * (size_t)c->nlink, sizeof *sum), *one = calloc(6 * (size_t)c->nlink, sizeof *one);
    memset(c->fext, 0, 6 * (size_t)c->nlink * sizeof *c->fext);
    for (int frame = 0; frame < frames; frame++) {
        double wrench[6];
        rt_vector(&c->random, 1, 6, wrench);
        memset(one, 0, 6 * (size_t)c->nlink * sizeof *one);
        zv_add_wrench(c->model, c->work, c->q, frame, wrench, one);
        zv_add_wrench(c->model, c->work, c->q, frame, wrench, c->fext);
        for (int i = 0; i < 6 * c->nlink; i++) sum[i] += one[i];
        for (int i = 0; i < 6 && frame < c->nlink; i++) {
            if (one[6 * frame + i] != wrench[i]) return false; /* on a link it is the wrench itself */
        }
    }
    double worst = 0;
    for (int i = 0; i < 6 * c->nlink; i++) worst = fmax(worst, fabs(sum[i] - c->fext[i]));
    free(sum);
    free(one);
    return worst == 0;
}

static void sums(void **state) {
    (void)state;
    assert_true(rt_each(700, 30, 12, NULL, wrenches_add));
}

TESTS(power, sums)
