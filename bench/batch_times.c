/* What a batch takes in C, beside the same one in Python (python/bench.py): a word on standard input, inverse, forward
 * or mass, is a call on all states, state after state in memory; the answer is its processor time, s. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timer.h"
#include "zveno/zveno.h"

typedef struct Room {
    double *q, *v, *a, *tau, *M;
} Room;

static double *numbers(size_t count, double spread) {
    double *x = malloc(count * sizeof *x);
    for (size_t i = 0; x && i < count; i++) x[i] = spread * (2.0 * rand() / RAND_MAX - 1);
    return x;
}

static bool call(zvBatch *batch, const char *word, size_t count, const Room *r) {
    if (!strcmp(word, "inverse")) return zv_batch_inverse(batch, count, r->q, r->v, r->a, NULL, r->tau) == ZV_OK;
    if (!strcmp(word, "forward")) return zv_batch_forward(batch, count, r->q, r->v, r->a, NULL, r->tau, NULL) == ZV_OK;
    return !strcmp(word, "mass") && zv_batch_mass(batch, count, r->q, r->M) == ZV_OK;
}

int main(int argc, char **argv) {
    zvError error;
    zvModel *model;
    const zvBatchOptions options = {.threads = 1, .layout = ZV_LAYOUT_STATES};
    if (argc != 3) return fprintf(stderr, "usage: zveno_batch_times ROBOT STATES\n"), 2;
    if (zv_model_read(argv[1], &model, &error) < 0) return fprintf(stderr, "%s\n", error.text), 1;
    zvBatch *batch = zv_batch_create(model, &options, &error);
    if (!batch) return fprintf(stderr, "%s\n", error.text), 1;
    const size_t count = strtoul(argv[2], NULL, 10), nv = (size_t)zv_model_nv(model);
    const Room r = {numbers(count * (size_t)zv_model_nq(model), 1), numbers(count * nv, 2), numbers(count * nv, 5),
                    numbers(count * nv, 1), numbers(count * nv * nv, 1)};
    if (!r.q || !r.v || !r.a || !r.tau || !r.M) return fprintf(stderr, "out of memory\n"), 1;
    for (char word[16]; scanf("%15s", word) == 1;) {
        const double start = timer_now();
        if (!call(batch, word, count, &r)) return fprintf(stderr, "%s: expected inverse, forward, mass\n", word), 1;
        printf("%.9f\n", timer_now() - start);
        fflush(stdout);
    }
    return 0;
}
