/* A control loop at 1 kHz for an arm that floats in space while something pushes its tip. Nothing drives the base: its
 * force is given (none), the joints' accelerations are planned; mixed dynamics finds the torques and the base's motion.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "zveno/zveno.h"

enum { CYCLES = 2000, BASE = 6 }; /* the free joint of the base comes first in v */

static double seconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void) {
    zvError error;
    zvModel *model;
    zvWork *work;
    if (zv_model_read("models/ssrms_free.yaml", &model, &error) < 0 || !(work = zv_work_create(model, &error)))
        return fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024)), 1;
    size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model), nlink = (size_t)zv_model_nlink(model);
    double *q = calloc(nq + 5 * nv + 6 * nlink, sizeof *q);
    unsigned char *given = calloc(nv, 1); /* zvGiven of every degree of freedom; 0 is ZV_GIVEN_FORCE */
    int tip = zv_model_find_frame(model, "end_effector");
    if (!q || !given || tip < 0) return 1;
    double *v = q + nq, *a = v + nv, *tau = a + nv, *step = tau + nv, *back = step + nv, *fext = back + nv;
    memset(given + BASE, ZV_GIVEN_ACCELERATION, nv - BASE);
    zv_neutral(model, q);

    const double dt = 1e-3, push[6] = {5, -30, 20, 0, 0, 0}; /* N, N m; at the tip, world axes */
    double worst = 0, total = 0, residual = 0, h[6];
    for (int n = 0; n < CYCLES; n++) {
        double start = seconds();
        memset(fext, 0, 6 * nlink * sizeof *fext);
        zv_add_wrench(model, work, q, tip, push, fext);
        for (size_t i = BASE; i < nv; i++) a[i] = 0.05 * sin((double)i + 3 * n * dt); /* the plan */
        if (zv_mixed_dynamics(model, work, q, v, given, fext, tau, a) < 0) return 1;
        zv_inverse_dynamics(model, work, q, v, a, fext, back); /* must find the same forces, and none on the base */
        for (size_t i = 0; i < nv; i++) residual = fmax(residual, fabs(back[i] - tau[i]));
        if (zv_forward_dynamics(model, work, q, v, tau, fext, a) < 0) return 1; /* the robot answers to the torques */
        for (size_t i = 0; i < nv; i++) step[i] = dt * (v[i] + 0.5 * dt * a[i]), v[i] += dt * a[i];
        zv_position_add(model, q, step, q);
        double cycle = seconds() - start;
        worst = fmax(worst, cycle), total += cycle;
    }
    zv_momentum(model, work, q, v, h, NULL);
    double impulse = CYCLES * dt, off = 0;
    for (int i = 0; i < 3; i++) off = fmax(off, fabs(h[i] - impulse * push[i]));
    printf("cycle: mean %.1f us, worst %.1f us; 1000 us are allowed\n", 1e6 * total / CYCLES, 1e6 * worst);
    printf("torques by inverse and mixed dynamics differ by %.1e N m at most\n", residual);
    printf("momentum (%.3f, %.3f, %.3f) N s is the impulse of the push to %.1e\n", h[0], h[1], h[2], off);
    free(q), free(given), zv_work_destroy(work), zv_model_destroy(model);
    return residual > 1e-8 || off > 0.05;
}
