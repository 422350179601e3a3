/* A quadruped in the air pushes with its legs: whatever its joints do, its momentum changes by its weight alone, and
 * the inertia that its foot shows is told without a mass matrix. Run in the root of the checkout. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "zveno/zveno.h"

/* The largest difference between A a + bias and the weight, N and N m. */
static double beside_weight(const zvModel *model, const double *A, const double *a, const double *bias) {
    const int nv = zv_model_nv(model);
    double g[3], most = 0;
    zv_model_gravity(model, g);
    for (int i = 0; i < 6; i++) {
        double rate = bias[i] - (i < 3 ? zv_model_mass(model) * g[i] : 0);
        for (int k = 0; k < nv; k++) rate += A[i * nv + k] * a[k];
        most = fmax(most, fabs(rate));
    }
    return most;
}

int main(void) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_model_read("models/quadruped.yaml", &model, &error) < 0) {
        char line[1024];
        fprintf(stderr, "%s\n", zv_error_line(&error, line, sizeof line));
        return 1;
    }
    const int nq = zv_model_nq(model), nv = zv_model_nv(model), foot = zv_model_nlink(model) - 1;
    zvWork *work = zv_work_create(model, &error);
    zvTaskWork *tasks = zv_task_work_create(model, &error);
    double *room = calloc((size_t)nq + 9 * (size_t)nv, sizeof *room), *q = room, *v = q + nq, *tau = v + nv;
    double *a = tau + nv, *A = a + nv, bias[6], h[6], Lambda[9], c[3];
    if (!work || !tasks || !room) return 1;
    zv_neutral(model, q);
    for (int k = 6; k < nv; k++) v[k] = sin(k), tau[k] = 20 * cos(3 * k); /* nobody holds the base: tau 0 ... 5 are 0 */
    zv_momentum(model, work, q, v, h, c);
    zv_centroidal_map(model, work, q, A, c);
    if (zv_centroidal_bias(model, work, q, v, bias) < 0) return 1;
    if (zv_forward_dynamics(model, work, q, v, tau, NULL, a) < 0) return 1;
    const double off = beside_weight(model, A, a, bias);
    printf("angular momentum %.4f %.4f %.4f N m s; beside its weight nothing turns or moves it: %.1g\n", h[3], h[4],
           h[5], off);
    const zvTask task = {foot, ZV_AXES_WORLD, ZV_TASK_POSITION};
    if (zv_task_inertia(model, tasks, q, NULL, &task, Lambda, NULL, NULL, NULL) < 0) return 1;
    printf("the foot \"%s\" shows %.3f kg sideways, %.3f kg down; the robot has %.1f kg\n",
           zv_model_frame(model, foot).name, Lambda[0], Lambda[8], zv_model_mass(model));
    const bool good = off < 1e-9 && Lambda[8] > 0 && Lambda[8] < zv_model_mass(model);
    free(room);
    zv_task_work_destroy(tasks);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return good ? 0 : 1;
}
