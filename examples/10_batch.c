/* How strong must the motors be? Torques of an arm in many random motions, reckoned together: states go
 * through the recursion in lanes of vector registers and on all processors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "zveno/zveno.h"

enum { STATES = 20000, STRIDE = STATES + 8 }; /* a stride that is no large power of two is kinder to caches */

static double between(double low, double high) { return low + (high - low) * rand() / RAND_MAX; }

int main(void) {
    zvError error;
    zvModel *model;
    zvBatch *batch;
    const zvBatchOptions options = {.stride = STRIDE}; /* threads: as many as there are processors */
    if (zv_model_read("models/cobot7.yaml", &model, &error) < 0 || !(batch = zv_batch_create(model, &options, &error)))
        return fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024)), 1;
    const size_t nv = (size_t)zv_model_nv(model);
    double *q = calloc(4 * nv * STRIDE, sizeof *q), *v = q + nv * STRIDE, *a = v + nv * STRIDE, *tau = a + nv * STRIDE;
    if (!q) return 1;
    for (size_t i = 0; i < nv; i++) /* entry i of state s is at [i * STRIDE + s] */
        for (size_t s = 0; s < STATES; s++) {
            q[i * STRIDE + s] = between(-2, 2);
            v[i * STRIDE + s] = between(-1, 1);
            a[i * STRIDE + s] = between(-5, 5);
        }
    if (zv_batch_inverse(batch, STATES, q, v, a, NULL, tau) != ZV_OK) return 1;
    printf("largest forces in %d motions, N m (N for slides):\n", STATES);
    for (size_t i = 0; i < nv; i++) {
        double most = 0;
        for (size_t s = 0; s < STATES; s++) most = fmax(most, fabs(tau[i * STRIDE + s]));
        printf("  joint %zu  %8.2f\n", i + 1, most);
    }

    double worst = 0; /* and back to the accelerations */
    double *back = calloc(nv * STRIDE, sizeof *back);
    zvStatus *status = calloc(STATES, sizeof *status);
    if (!back || !status || zv_batch_forward(batch, STATES, q, v, tau, NULL, back, status) != ZV_OK) return 1;
    for (size_t s = 0; s < STATES; s++)
        for (size_t i = 0; i < nv && status[s] == ZV_OK; i++)
            worst = fmax(worst, fabs(back[i * STRIDE + s] - a[i * STRIDE + s]));
    printf("forward dynamics gives the accelerations back within %.1e rad/s^2 (m/s^2)\n", worst);
    zv_batch_destroy(batch);
    zv_model_destroy(model);
    free(q), free(back), free(status);
    return worst < 1e-8 ? 0 : 1;
}
