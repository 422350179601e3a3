/* Room for states side by side. */
#include "agree/ring.h"

#include <stdio.h>
#include <string.h>

#include "model/tree.h"

/* `size` numbers of each state, in both precisions. */
static bool take(const ziRing *r, ziArena *arena, size_t size, double **wide, float **narrow) {
    *wide = zi_arena_alloc(arena, (size * r->count + 1) * sizeof **wide);
    *narrow = zi_arena_alloc(arena, (size * r->count + 1) * sizeof **narrow);
    return *wide && *narrow;
}

static int deepest_link(const zvModel *m) {
    int best = 0, most = -1;
    for (int l = 0; l < m->nlink; l++) {
        int depth = 0;
        for (int i = m->link_places[l].body; i > 0; i = m->tree.body[i].parent) depth++;
        if (depth > most) most = depth, best = l;
    }
    return best;
}

bool zi_ring_create(const zvModel *m, ziArena *arena, ziRing *r) {
    const zvBatchOptions alone = {.threads = 1};
    zvError error = {0};
    *r = (ziRing){.nq = (size_t)m->nq, .nv = (size_t)m->nv, .nload = (size_t)zv_model_nexternal(m)};
    r->batch = zv_batch_create(m, &alone, &error);
    if (!r->batch) {
        snprintf(r->why, sizeof r->why, "%.120s", error.text);
        return error.status == ZV_NOT_SUPPORTED;
    }
    r->count = (size_t)zv_batch_lanes(r->batch, true) + 1; /* more than fit: another group begins */
    r->frame = deepest_link(m);
    const size_t matrix = r->nv <= ZI_RING_MATRIX_MAX ? r->nv * r->nv : 0, jacobian = 12 + 6 * r->nv;
    const size_t inputs[] = {r->nq, r->nv, r->nv, r->nv, r->nload};
    for (size_t k = 0; k < 5; k++)
        if (!(r->rounded[k] = zi_arena_alloc(arena, (inputs[k] + 1) * sizeof(double)))) return false;
    return take(r, arena, r->nq, &r->q, &r->q1) && take(r, arena, r->nv, &r->v, &r->v1) &&
           take(r, arena, r->nv, &r->a, &r->a1) && take(r, arena, r->nv, &r->tau, &r->tau1) &&
           take(r, arena, r->nload, &r->load, &r->load1) &&
           take(r, arena, matrix > jacobian ? matrix : jacobian, &r->out, &r->out1) &&
           take(r, arena, r->nv, &r->more, &r->more1) &&
           (r->status = zi_arena_alloc(arena, r->count * sizeof *r->status));
}

void zi_ring_destroy(ziRing *r) { zv_batch_destroy(r->batch); }

static void put(const ziRing *r, size_t size, const double *from, double *wide, float *narrow, double *rounded) {
    for (size_t i = 0; i < size; i++) {
        const double x = from ? from[i] : 0;
        const float near = (float)x;
        rounded[i] = (double)near;
        for (size_t s = r->full ? r->place : 0; s < (r->full ? r->place + 1 : r->count); s++) {
            wide[i * r->count + s] = x;
            narrow[i * r->count + s] = near;
        }
    }
}

void zi_ring_put(ziRing *r, int index, const double *q, const double *v, const double *a, const double *tau,
                 const double *load) {
    if (!r->batch) return;
    r->place = (size_t)index % r->count;
    put(r, r->nq, q, r->q, r->q1, r->rounded[0]);
    put(r, r->nv, v, r->v, r->v1, r->rounded[1]);
    put(r, r->nv, a, r->a, r->a1, r->rounded[2]);
    put(r, r->nv, tau, r->tau, r->tau1, r->rounded[3]);
    put(r, r->nload, load, r->load, r->load1, r->rounded[4]);
    r->full = true;
}

void zi_ring_get(const ziRing *r, bool single, size_t width, double *answer) {
    for (size_t i = 0; i < width; i++) {
        const size_t at = i * r->count + r->place;
        answer[i] = single ? (double)r->out1[at] : r->out[at];
    }
}
