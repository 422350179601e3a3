/* Many states in a call, in double or single precision, on the calling thread. Time counts per state. */
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "states.h"
#include "zveno/batch.h"

enum { LARGEST = 512 };

typedef struct Lanes {
    zvBatch *batch;
    const Ring *ring;
    int frame;
    bool single;
    States x;
    double *out;
    float *qf, *vf, *af, *tauf, *outf;
} Lanes;

static void run_inverse(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_inverse_single(l->batch, l->x.count, l->qf, l->vf, l->af, NULL, l->outf);
    else
        zv_batch_inverse(l->batch, l->x.count, l->x.q, l->x.v, l->x.a, NULL, l->out);
}

static void run_forward(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_forward_single(l->batch, l->x.count, l->qf, l->vf, l->tauf, NULL, l->outf, NULL);
    else
        zv_batch_forward(l->batch, l->x.count, l->x.q, l->x.v, l->x.tau, NULL, l->out, NULL);
}

static void run_mass(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_mass_single(l->batch, l->x.count, l->qf, l->outf);
    else
        zv_batch_mass(l->batch, l->x.count, l->x.q, l->out);
}

static void run_mass_inverse(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_minv_single(l->batch, l->x.count, l->qf, l->outf, NULL);
    else
        zv_batch_minv(l->batch, l->x.count, l->x.q, l->out, NULL);
}

static void run_jacobian(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_jacobian_single(l->batch, l->frame, ZV_AXES_WORLD, l->x.count, l->qf, l->outf);
    else
        zv_batch_jacobian(l->batch, l->frame, ZV_AXES_WORLD, l->x.count, l->x.q, l->out);
}

/* dq, dv, da one behind the other, as the library's engine has them. */
static void run_d_inverse(void *self, int s) {
    Lanes *l = self;
    const size_t part = (size_t)l->ring->nv * (size_t)l->ring->nv * l->x.stride;
    (void)s;
    if (l->single)
        zv_batch_inverse_derivatives_single(l->batch, l->x.count, l->qf, l->vf, l->af, NULL, l->outf, l->outf + part,
                                            l->outf + 2 * part);
    else
        zv_batch_inverse_derivatives(l->batch, l->x.count, l->x.q, l->x.v, l->x.a, NULL, l->out, l->out + part,
                                     l->out + 2 * part);
}

/* a goes behind them. */
static void run_d_forward(void *self, int s) {
    Lanes *l = self;
    const size_t part = (size_t)l->ring->nv * (size_t)l->ring->nv * l->x.stride;
    (void)s;
    if (l->single)
        zv_batch_forward_derivatives_single(l->batch, l->x.count, l->qf, l->vf, l->tauf, NULL, l->outf + 3 * part,
                                            l->outf, l->outf + part, l->outf + 2 * part, NULL);
    else
        zv_batch_forward_derivatives(l->batch, l->x.count, l->x.q, l->x.v, l->x.tau, NULL, l->out + 3 * part, l->out,
                                     l->out + part, l->out + 2 * part, NULL);
}

static const Engine rows = {.name = "lanes",
                            .run = {run_inverse, run_forward, run_mass, run_mass, run_mass_inverse, run_jacobian,
                                    run_d_inverse, run_d_forward}};

static void answer(void *self, Task task, int state, double *out) {
    Lanes *l = self;
    rows.run[task](self, state);
    for (size_t i = 0; i < task_size(task, l->ring); ++i) {
        const size_t at = i * l->x.stride + (size_t)state;
        out[i] = l->single ? (double)l->outf[at] : l->out[at];
    }
}

static void destroy(void *self) {
    Lanes *l = self;
    void *const arrays[] = {l->out, l->qf, l->vf, l->af, l->tauf, l->outf};
    zv_batch_destroy(l->batch);
    states_free(&l->x);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) free(arrays[i]);
    free(l);
}

static float *narrow(const Lanes *l, const double *x, int width) {
    float *y = aligned_alloc(64, (size_t)width * l->x.stride * sizeof *y);
    for (size_t i = 0; x && y && i < (size_t)width * l->x.stride; ++i) y[i] = (float)x[i];
    return y;
}

/* States of the ring in the layout of lanes, in the precision of the engine. */
static bool fill(Lanes *l) {
    const Ring *ring = l->ring;
    if (!states_spread(ring, l->single ? sizeof(float) : sizeof(double), &l->x)) return false;
    const size_t numbers = l->x.stride * (size_t)ring->nv * (size_t)(3 * ring->nv > 6 ? 3 * ring->nv + 1 : 6);
    if (!l->single) return (l->out = aligned_alloc(64, numbers * sizeof *l->out)) != NULL;
    l->qf = narrow(l, l->x.q, ring->nq);
    l->vf = narrow(l, l->x.v, ring->nv);
    l->af = narrow(l, l->x.a, ring->nv);
    l->tauf = narrow(l, l->x.tau, ring->nv);
    l->outf = aligned_alloc(64, numbers * sizeof *l->outf);
    return l->qf && l->vf && l->af && l->tauf && l->outf;
}

/* Refuses robots whose full matrices would not fit beside each other in memory. */
bool lanes_open(const zvModel *model, const Tree *tree, const Ring *ring, bool single, Engine *engine, zvError *why) {
    if (ring->nv > LARGEST) return zv_fail(why, ZV_SIZE, (zvMark){0}, "", "too large for matrices in lanes"), false;
    Lanes *l = calloc(1, sizeof *l);
    if (!l) return false;
    l->ring = ring;
    l->frame = tree->tip_frame;
    l->single = single;
    if (!fill(l) || !(l->batch = zv_batch_create(model, &(zvBatchOptions){.threads = 1, .stride = l->x.stride}, why))) {
        destroy(l);
        return false;
    }
    *engine = rows;
    if (single) engine->name = "lanes float";
    engine->single = single;
    engine->self = l;
    engine->answer = answer;
    engine->destroy = destroy;
    for (int t = 0; t < TASKS; ++t) engine->states[t] = (int)l->x.count;
    return true;
}
