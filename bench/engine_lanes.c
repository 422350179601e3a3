/* Many states in a call, in double or single precision, on the calling thread. Time counts per state. */
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "zveno/batch.h"

/* States of a call, fewer where matrices would leave the cache; a stride that does not fold the rows of an array onto
 * the same lines of the cache. */
enum { STATES = 256, LEAST_STATES = 32, STRIDE = STATES + 8, CACHED = 48 * 1024, LARGEST = 512 };

typedef struct Lanes {
    zvBatch *batch;
    const Ring *ring;
    int frame;
    bool single;
    size_t count[TASKS];
    /* entry i of state s at [i * STRIDE + s]; of one precision */
    double *q, *v, *a, *tau, *out;
    float *qf, *vf, *af, *tauf, *outf;
} Lanes;

static void run_inverse(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_inverse_single(l->batch, l->count[TASK_INVERSE], l->qf, l->vf, l->af, NULL, l->outf);
    else
        zv_batch_inverse(l->batch, l->count[TASK_INVERSE], l->q, l->v, l->a, NULL, l->out);
}

static void run_forward(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_forward_single(l->batch, l->count[TASK_FORWARD], l->qf, l->vf, l->tauf, NULL, l->outf, NULL);
    else
        zv_batch_forward(l->batch, l->count[TASK_FORWARD], l->q, l->v, l->tau, NULL, l->out, NULL);
}

static void run_mass(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_mass_single(l->batch, l->count[TASK_MASS], l->qf, l->outf);
    else
        zv_batch_mass(l->batch, l->count[TASK_MASS], l->q, l->out);
}

static void run_mass_inverse(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_minv_single(l->batch, l->count[TASK_MASS_INVERSE], l->qf, l->outf, NULL);
    else
        zv_batch_minv(l->batch, l->count[TASK_MASS_INVERSE], l->q, l->out, NULL);
}

static void run_jacobian(void *self, int s) {
    Lanes *l = self;
    (void)s;
    if (l->single)
        zv_batch_jacobian_single(l->batch, l->frame, ZV_WORLD_AXES, l->count[TASK_JACOBIAN], l->qf, l->outf);
    else
        zv_batch_jacobian(l->batch, l->frame, ZV_WORLD_AXES, l->count[TASK_JACOBIAN], l->q, l->out);
}

static const Engine rows = {.name = "lanes",
                            .run = {run_inverse, run_forward, run_mass, run_mass, run_mass_inverse, run_jacobian}};

static void answer(void *self, Task task, int state, double *out) {
    Lanes *l = self;
    rows.run[task](self, state);
    for (size_t i = 0; i < task_size(task, l->ring->nv); ++i) {
        const size_t at = i * STRIDE + (size_t)state;
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
static double *spread(const double *ring, int count, int width) {
    double *x = aligned_alloc(64, (size_t)width * STRIDE * sizeof *x);
    for (size_t i = 0; x && i < (size_t)width; ++i)
        for (size_t s = 0; s < STRIDE; ++s) x[i * STRIDE + s] = ring[s % (size_t)count * (size_t)width + i];
    return x;
}

static float *narrow(const double *x, int width) {
    float *y = aligned_alloc(64, (size_t)width * STRIDE * sizeof *y);
    for (size_t i = 0; x && y && i < (size_t)width * STRIDE; ++i) y[i] = (float)x[i];
    return y;
}

static bool fill(Lanes *l) {
    const Ring *ring = l->ring;
    const size_t room = STRIDE * (size_t)ring->nv * (size_t)(ring->nv > 6 ? ring->nv : 6);
    l->q = spread(ring->q, ring->count, ring->nq);
    l->v = spread(ring->v, ring->count, ring->nv);
    l->a = spread(ring->a, ring->count, ring->nv);
    l->tau = spread(ring->tau, ring->count, ring->nv);
    if (!l->single) {
        l->out = aligned_alloc(64, room * sizeof *l->out);
        return l->q && l->v && l->a && l->tau && l->out;
    }
    l->qf = narrow(l->q, ring->nq);
    l->vf = narrow(l->v, ring->nv);
    l->af = narrow(l->a, ring->nv);
    l->tauf = narrow(l->tau, ring->nv);
    l->outf = aligned_alloc(64, room * sizeof *l->outf);
    return l->q && l->v && l->a && l->tau && l->qf && l->vf && l->af && l->tauf && l->outf;
}

static size_t states_of(Task task, int nv) {
    size_t states = STATES;
    while (states > LEAST_STATES && states * task_size(task, nv) > CACHED) states /= 2;
    return states;
}

bool lanes_open(const zvModel *model, const Tree *tree, const Ring *ring, bool single, Engine *engine, zvError *why) {
    if (ring->nv > LARGEST) return zv_fail(why, ZV_SIZE, (zvMark){0}, "", "too large for matrices in lanes"), false;
    Lanes *l = calloc(1, sizeof *l);
    if (!l) return false;
    l->batch = zv_batch_create(model, &(zvBatchOptions){.threads = 1, .stride = STRIDE}, why);
    l->ring = ring;
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
    for (int t = 0; t < TASKS; ++t) {
        l->count[t] = states_of((Task)t, ring->nv);
        engine->states[t] = (int)l->count[t];
    }
    return true;
}
