/* Many states in a call, in double or single precision, on the calling thread. Time counts per state. */
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "zveno/batch.h"

/* States of a call, fewer where matrices would leave the cache: odd multiples of 16, so that the rows of an array do
 * not fold onto the same lines of the cache. */
enum { STATES = 240, UNIT = 16, CACHED = 40 * 1024, LARGEST = 512 };

typedef struct Lanes {
    zvBatch *batch;
    const Ring *ring;
    int frame;
    bool single;
    size_t count; /* states, and the stride: entry i of state s at [i * count + s]; of one precision */
    double *q, *v, *a, *tau, *out;
    float *qf, *vf, *af, *tauf, *outf;
} Lanes;

static void run_inverse(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_inverse_single(l->batch, l->count, l->qf, l->vf, l->af, NULL, l->outf);
    else
        zv_batch_inverse(l->batch, l->count, l->q, l->v, l->a, NULL, l->out);
}

static void run_forward(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_forward_single(l->batch, l->count, l->qf, l->vf, l->tauf, NULL, l->outf, NULL);
    else
        zv_batch_forward(l->batch, l->count, l->q, l->v, l->tau, NULL, l->out, NULL);
}

static void run_mass(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_mass_single(l->batch, l->count, l->qf, l->outf);
    else
        zv_batch_mass(l->batch, l->count, l->q, l->out);
}

static void run_mass_inverse(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_minv_single(l->batch, l->count, l->qf, l->outf, NULL);
    else
        zv_batch_minv(l->batch, l->count, l->q, l->out, NULL);
}

static void run_jacobian(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_jacobian_single(l->batch, l->frame, ZV_WORLD_AXES, l->count, l->qf, l->outf);
    else
        zv_batch_jacobian(l->batch, l->frame, ZV_WORLD_AXES, l->count, l->q, l->out);
}

/* dq, dv, da one behind the other, as the library's engine has them. */
static void run_d_inverse(void *self, int s) {
    Lanes *l = self;
    const size_t part = (size_t)l->ring->nv * (size_t)l->ring->nv * l->count;
    (void)s;
    if (l->single)
        zv_batch_inverse_derivatives_single(l->batch, l->count, l->qf, l->vf, l->af, NULL, l->outf, l->outf + part,
                                            l->outf + 2 * part);
    else
        zv_batch_inverse_derivatives(l->batch, l->count, l->q, l->v, l->a, NULL, l->out, l->out + part,
                                     l->out + 2 * part);
}

/* a goes behind them. */
static void run_d_forward(void *self, int s) {
    Lanes *l = self;
    const size_t part = (size_t)l->ring->nv * (size_t)l->ring->nv * l->count;
    (void)s;
    if (l->single)
        zv_batch_forward_derivatives_single(l->batch, l->count, l->qf, l->vf, l->tauf, NULL, l->outf + 3 * part,
                                            l->outf, l->outf + part, l->outf + 2 * part, NULL);
    else
        zv_batch_forward_derivatives(l->batch, l->count, l->q, l->v, l->tau, NULL, l->out + 3 * part, l->out,
                                     l->out + part, l->out + 2 * part, NULL);
}

static const Engine rows = {.name = "lanes",
                            .run = {run_inverse, run_forward, run_mass, run_mass, run_mass_inverse, run_jacobian,
                                    run_d_inverse, run_d_forward}};

static void answer(void *self, Task task, int state, double *out) {
    Lanes *l = self;
    rows.run[task](self, state);
    for (size_t i = 0; i < task_size(task, l->ring->nv); ++i) {
        const size_t at = i * l->count + (size_t)state;
        out[i] = l->single ? (double)l->outf[at] : l->out[at];
    }
}

static void destroy(void *self) {
    Lanes *l = self;
    void *const arrays[] = {l->q, l->v, l->a, l->tau, l->out, l->qf, l->vf, l->af, l->tauf, l->outf};
    zv_batch_destroy(l->batch);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) free(arrays[i]);
    free(l);
}

/* The ring over and over, coordinate after coordinate. */
static double *spread(const Lanes *l, const double *ring, int width) {
    const size_t states = l->count, turns = (size_t)l->ring->count;
    double *x = aligned_alloc(64, (size_t)width * states * sizeof *x);
    for (size_t i = 0; x && i < (size_t)width; ++i)
        for (size_t s = 0; s < states; ++s) x[i * states + s] = ring[s % turns * (size_t)width + i];
    return x;
}

static float *narrow(const Lanes *l, const double *x, int width) {
    float *y = aligned_alloc(64, (size_t)width * l->count * sizeof *y);
    for (size_t i = 0; x && y && i < (size_t)width * l->count; ++i) y[i] = (float)x[i];
    return y;
}

static bool fill(Lanes *l) {
    const Ring *ring = l->ring;
    const size_t room = l->count * (size_t)ring->nv * (size_t)(3 * ring->nv > 6 ? 3 * ring->nv + 1 : 6);
    l->q = spread(l, ring->q, ring->nq);
    l->v = spread(l, ring->v, ring->nv);
    l->a = spread(l, ring->a, ring->nv);
    l->tau = spread(l, ring->tau, ring->nv);
    if (!l->single) {
        l->out = aligned_alloc(64, room * sizeof *l->out);
        return l->q && l->v && l->a && l->tau && l->out;
    }
    l->qf = narrow(l, l->q, ring->nq);
    l->vf = narrow(l, l->v, ring->nv);
    l->af = narrow(l, l->a, ring->nv);
    l->tauf = narrow(l, l->tau, ring->nv);
    l->outf = aligned_alloc(64, room * sizeof *l->outf);
    return l->q && l->v && l->a && l->tau && l->qf && l->vf && l->af && l->tauf && l->outf;
}

static size_t states_of(int nv) {
    size_t states = STATES;
    while (states > UNIT && states * (size_t)nv * (size_t)nv > CACHED) states = states / (2 * UNIT) * UNIT;
    return states;
}

bool lanes_open(const zvModel *model, const Tree *tree, const Ring *ring, bool single, Engine *engine, zvError *why) {
    if (ring->nv > LARGEST) return zv_fail(why, ZV_SIZE, (zvMark){0}, "", "too large for matrices in lanes"), false;
    Lanes *l = calloc(1, sizeof *l);
    if (!l) return false;
    l->batch = zv_batch_create(model, &(zvBatchOptions){.threads = 1, .stride = 0}, why);
    l->ring = ring;
    l->count = states_of(ring->nv);
    l->frame = tree->tip_frame;
    l->single = single;
    if (!l->batch || !fill(l)) {
        destroy(l);
        return false;
    }
    *engine = rows;
    if (single) engine->name = "lanes float";
    engine->single = single;
    engine->self = l;
    engine->answer = answer;
    engine->destroy = destroy;
    for (int t = 0; t < TASKS; ++t) engine->states[t] = (int)l->count;
    return true;
}
