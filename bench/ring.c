/* Random states: positions by an exact step away from the neutral one, so that quaternions have unit length. */
#include "ring.h"

#include <stdint.h>
#include <stdlib.h>

/* xorshift64*: uniform in [-1, 1). */
static double draw(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-52 - 1;
}

static void draw_many(uint64_t *state, double scale, int count, double *x) {
    for (int i = 0; i < count; ++i) x[i] = scale * draw(state);
}

/* Elastic links bend by little. */
static void stiffen(const zvModel *model, double *step) {
    for (int k = 0; k < zv_model_nlink(model); ++k) {
        const zvElasticPlace place = zv_model_elastic_place(model, k);
        for (int i = 0; i < place.count; ++i) step[place.v_index + i] *= 1e-3;
    }
}

int ring_size(int nv) {
    int count = 64;
    while (count > 2 && count * nv > 65536) count /= 2;
    return count;
}

/* Random states by a seed: all engines get the same ones. */
Ring *ring_create(const zvModel *model, int count, unsigned seed) {
    Ring *ring = calloc(1, sizeof *ring);
    if (!ring) return NULL;
    const int nq = zv_model_nq(model), nv = zv_model_nv(model);
    const size_t n = (size_t)count;
    *ring = (Ring){.count = count,
                   .nq = nq,
                   .nv = nv,
                   .nlink = zv_model_nlink(model),
                   .q = malloc(n * nq * sizeof(double) + 1),
                   .v = malloc(n * nv * sizeof(double) + 1),
                   .a = malloc(n * nv * sizeof(double) + 1),
                   .tau = malloc(n * nv * sizeof(double) + 1)};
    for (int j = 0; j < zv_model_njoint(model); ++j) ring->nbody += zv_model_joint(model, j)->type != ZV_JOINT_FIXED;
    double *neutral = malloc((size_t)nq * sizeof(double) + 1);
    if (!ring->q || !ring->v || !ring->a || !ring->tau || !neutral) {
        free(neutral);
        ring_destroy(ring);
        return NULL;
    }
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) ^ seed;
    zv_neutral(model, neutral);
    for (int i = 0; i < count; ++i) {
        draw_many(&state, 3, nv, ring->v + (size_t)i * nv);
        stiffen(model, ring->v + (size_t)i * nv);
        zv_position_add(model, neutral, ring->v + (size_t)i * nv, ring->q + (size_t)i * nq);
    }
    draw_many(&state, 1, count * nv, ring->v);
    draw_many(&state, 1, count * nv, ring->a);
    draw_many(&state, 10, count * nv, ring->tau);
    free(neutral);
    return ring;
}

void ring_destroy(Ring *ring) {
    if (!ring) return;
    free(ring->q);
    free(ring->v);
    free(ring->a);
    free(ring->tau);
    free(ring);
}
