/* A look at the loops of a robot: where they close, and what they leave free there. */
#include "loop_mobility.h"

#include <stdlib.h>
#include <string.h>

static const double closed = 1e-9;  /* residual of a position that closes its loops */
static const double patience = 2e9; /* operations that a rank may cost */

/* To the neutral position, or where the loops close near it. */
static void find_place(const zvModel *model, zvWork *work, double *q, LoopMobility *mobility) {
    enum { RESTARTS = 20 };
    zvAssembly options = zv_assembly_default();
    options.restarts = RESTARTS;
    zv_neutral(model, q);
    zv_loop_residual(model, work, NULL, q, NULL, -1, &mobility->gap, NULL);
    mobility->place = PLACE_NEUTRAL;
    if (mobility->gap <= closed) return;
    const bool assembled = zv_assemble(model, work, NULL, &options, q, &mobility->error) >= 0;
    mobility->place = assembled ? PLACE_ASSEMBLED : PLACE_OPEN;
    if (!assembled) zv_neutral(model, q);
}

/* A step away in no special direction, and to where the loops close there; false: they do not. */
static bool step_aside(const zvModel *model, zvWork *work, double *q) {
    const int nv = zv_model_nv(model);
    unsigned long long seed = 1;
    double *step = calloc((size_t)nv + 1, sizeof *step);
    if (!step) return false;
    for (int i = 0; i < nv; i++) {
        seed = (seed * 6364136223846793005ULL + 1442695040888963407ULL) & 0xFFFFFFFFFFFFFFFFULL;
        step[i] = 0.3 * ((double)(seed >> 40) / (double)(1ULL << 23) - 1);
    }
    for (int link = 0; link < zv_model_nlink(model); link++) { /* elastic links bear no such steps */
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        for (int k = 0; k < place.count; k++) step[place.v_index + k] = 0;
    }
    zv_position_add(model, q, step, q);
    free(step);
    return zv_assemble(model, work, NULL, NULL, q, NULL) >= 0;
}

static void look_around(const zvModel *model, zvWork *work, double *q, LoopMobility *mobility) {
    mobility->known = zv_loop_mobility(model, work, q, &mobility->mobility) >= 0;
    if (!mobility->known || mobility->place == PLACE_OPEN || !step_aside(model, work, q)) return;
    if (zv_loop_mobility(model, work, q, &mobility->nearby) < 0) return;
    mobility->singular = mobility->nearby.freedoms < mobility->mobility.freedoms;
}

static void come_to(const zvModel *model, zvWork *work, const double *from, double *q, LoopMobility *mobility) {
    memcpy(q, from, (size_t)zv_model_nq(model) * sizeof *q);
    zv_loop_residual(model, work, NULL, q, NULL, -1, &mobility->gap, NULL);
    mobility->place = mobility->gap <= closed ? PLACE_ASSEMBLED : PLACE_OPEN;
}

/* from NULL: to the neutral position, or near it. */
static LoopMobility look(const zvModel *model, const double *from) {
    const double rows = zv_model_nloop_rows(model);
    LoopMobility mobility = {0};
    if (rows * rows * zv_model_nv(model) > patience) return mobility;
    double *q = calloc((size_t)zv_model_nq(model) + 1, sizeof *q);
    zvWork *work = q ? zv_work_create(model, NULL) : NULL;
    if (work && from) come_to(model, work, from, q, &mobility);
    if (work && !from) find_place(model, work, q, &mobility);
    if (work) look_around(model, work, q, &mobility);
    zv_work_destroy(work);
    free(q);
    return mobility;
}

LoopMobility loop_mobility(const zvModel *model) { return look(model, NULL); }
LoopMobility loop_mobility_at(const zvModel *model, const double *q) { return look(model, q); }
