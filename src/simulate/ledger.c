#include "simulate/ledger.h"

#include <math.h>
#include <string.h>

bool zv_ledger_create(zvLedger *l, zvSystem *s) {
    *l = (zvLedger){.stores = ZV_STORE_OTHERS + zv_drives_nstore(s->drives), .accounts = s->nw};
    const size_t bytes = (size_t)l->stores * sizeof(double), account_bytes = (size_t)(l->accounts + 1) * sizeof(double);
    l->first = zv_arena_alloc(&s->arena, bytes);
    l->now = zv_arena_alloc(&s->arena, bytes);
    l->span = zv_arena_alloc(&s->arena, bytes);
    l->done = zv_arena_alloc(&s->arena, account_bytes);
    l->flow = zv_arena_alloc(&s->arena, account_bytes);
    return l->first && l->now && l->span && l->done && l->flow;
}

void zv_ledger_stores(const zvLedger *l, zvSystem *s, double *stores) {
    (void)l;
    zv_energy(s->model, s->work, s->q, s->v, &stores[ZV_STORE_KINETIC], &stores[ZV_STORE_POTENTIAL]);
    zv_drives_stored(s->drives, s->work, s->q, s->v, s->z, stores + ZV_STORE_OTHERS);
}

void zv_ledger_start(zvLedger *l, zvSystem *s) {
    zv_ledger_stores(l, s, l->first);
    memcpy(l->now, l->first, (size_t)l->stores * sizeof *l->now);
    memcpy(l->done, s->done, (size_t)l->accounts * sizeof *l->done);
}

void zv_ledger_look(zvLedger *l, zvSystem *s) {
    zv_ledger_stores(l, s, l->now);
    for (int i = 0; i < l->stores; i++) l->span[i] = fmax(l->span[i], fabs(l->now[i] - l->first[i]));
    for (int i = 0; i < l->accounts; i++) {
        l->flow[i] += fabs(s->done[i] - l->done[i]);
        l->done[i] = s->done[i];
    }
}

void zv_ledger_jump(zvLedger *l, zvSystem *s) {
    const double before = zv_ledger_energy(l);
    zv_ledger_look(l, s);
    const double brought = zv_ledger_energy(l) - before;
    l->impacts += brought;
    l->impact_flow += fabs(brought);
}

double zv_ledger_energy(const zvLedger *l) {
    double sum = 0;
    for (int i = 0; i < l->stores; i++) sum += l->now[i];
    return sum;
}

double zv_ledger_work(const zvLedger *l) {
    double sum = l->impacts;
    for (int i = 0; i < l->accounts; i++) sum += l->done[i];
    return sum;
}

/* Summed as changes, which lose less than differences of sums. */
double zv_ledger_gap(const zvLedger *l) {
    double sum = -zv_ledger_work(l);
    for (int i = 0; i < l->stores; i++) sum += l->now[i] - l->first[i];
    return sum;
}

double zv_ledger_exchanged(const zvLedger *l) {
    double sum = l->impact_flow;
    for (int i = 0; i < l->stores; i++) sum += l->span[i];
    for (int i = 0; i < l->accounts; i++) sum += l->flow[i];
    return sum;
}
