/* Elastic links in the books: the energy of their strain and what their damping takes. The forces themselves are part
 * of the dynamics; every set of drives has these elements for the elastic links of its model. */
#include <stdlib.h>

#include "actuate/element.h"

static bool claim(zvDrives *d, ziElement *e) {
    e->store = (int)d->nstore;
    if (!zi_claim_store(d, zi_claim_name(d, e, 0, ""))) return false;
    if (!e->of.elastic.D) return true;
    e->account = (int)d->naccount;
    e->name = "damping";
    return zi_claim_account(d, (zvAccount){.name = zi_claim_name(d, e, 0, ""), .dof = -1, .dissipates = true});
}

/* x^T A x */
static double square(int n, const double *A, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row += A[i * n + j] * x[j];
        sum += x[i] * row;
    }
    return sum;
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    const ziElasticData *x = &e->of.elastic;
    if (x->D) now->out->power[e->account] = -square(x->place.count, x->D, now->v + x->place.v_index);
    return ZV_OK;
}

static void stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *z,
                   double *energy) {
    (void)d, (void)work, (void)z;
    const ziElasticData *x = &e->of.elastic;
    *energy = 0.5 * square(x->place.count, x->K, q + x->place.q_index);
}

const ziElementKind zi_elastic_kind = {
    .word = "elastic link", .dissipates = true, .claim = claim, .push = push, .stored = stored};

static bool all_zero(int count, const double *x) {
    for (int i = 0; i < count; i++) {
        if (x[i] != 0) return false;
    }
    return true;
}

/* Lays the matrices of a link into the set. */
static bool note_link(zvDrives *d, int link, ziElasticData *x) {
    x->place = zv_model_elastic_place(d->model, link);
    const int entries = x->place.count * x->place.count;
    double *K = zi_arena_alloc(&d->arena, (size_t)entries * sizeof *K);
    double *D = zi_arena_alloc(&d->arena, (size_t)entries * sizeof *D);
    if (!K || !D) return false;
    zv_model_elastic_matrices(d->model, link, NULL, K, D);
    x->K = K;
    x->D = all_zero(entries, D) ? NULL : D;
    return true;
}

zvStatus zi_add_elastic_links(zvDrives *d, zvError *error) {
    zvStatus status = ZV_OK;
    for (int link = 0; status >= 0 && link < zv_model_nlink(d->model); link++) {
        if (zv_model_elastic_place(d->model, link).count == 0) continue;
        ziElement e = {.kind = &zi_elastic_kind, .label = zv_model_link(d->model, link)->name};
        status = zi_drives_open(d, &e, "strain", 0, NULL, error);
        if (status >= 0 && !note_link(d, link, &e.of.elastic)) status = ZV_MEMORY;
        status = zi_drives_close(d, &e, status, error);
    }
    return status;
}
