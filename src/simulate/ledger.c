#include "simulate/ledger.h"

#include <math.h>
#include <string.h>

bool zi_ledger_create(ziLedger *l, ziSystem *s) {
    *l = (ziLedger){.stores = ZI_STORE_OTHERS + zv_drives_nstore(s->drives), .accounts = s->nw};
    const size_t bytes = (size_t)l->stores * sizeof(double), account_bytes = (size_t)(l->accounts + 1) * sizeof(double);
    l->first = zi_arena_alloc(&s->arena, bytes);
    l->now = zi_arena_alloc(&s->arena, bytes);
    l->span = zi_arena_alloc(&s->arena, bytes);
    l->done = zi_arena_alloc(&s->arena, account_bytes);
    l->flow = zi_arena_alloc(&s->arena, account_bytes);
    return l->first && l->now && l->span && l->done && l->flow;
}

void zi_ledger_stores(const ziLedger *l, ziSystem *s, double *stores) {
    (void)l;
    zv_energy(s->model, s->work, s->q, s->v, &stores[ZI_STORE_KINETIC], &stores[ZI_STORE_POTENTIAL]);
    zv_drives_stored(s->drives, s->work, s->q, s->v, s->z, stores + ZI_STORE_OTHERS);
}

void zi_ledger_start(ziLedger *l, ziSystem *s) {
    zi_ledger_stores(l, s, l->first);
    memcpy(l->now, l->first, (size_t)l->stores * sizeof *l->now);
    memcpy(l->done, s->done, (size_t)l->accounts * sizeof *l->done);
}

void zi_ledger_look(ziLedger *l, ziSystem *s) {
    zi_ledger_stores(l, s, l->now);
    for (int i = 0; i < l->stores; i++) l->span[i] = fmax(l->span[i], fabs(l->now[i] - l->first[i]));
    for (int i = 0; i < l->accounts; i++) {
        l->flow[i] += fabs(s->done[i] - l->done[i]);
        l->done[i] = s->done[i];
    }
}

void zi_ledger_jump(ziLedger *l, ziSystem *s) {
    const double before = zi_ledger_energy(l);
    zi_ledger_look(l, s);
    const double brought = zi_ledger_energy(l) - before;
    l->impacts += brought;
    l->impact_flow += fabs(brought);
}

double zi_ledger_energy(const ziLedger *l) {
    double sum = 0;
    for (int i = 0; i < l->stores; i++) sum += l->now[i];
    return sum;
}

double zi_ledger_work(const ziLedger *l) {
    double sum = l->impacts;
    for (int i = 0; i < l->accounts; i++) sum += l->done[i];
    return sum;
}

/* Summed as changes, which lose less than differences of sums. */
double zi_ledger_gap(const ziLedger *l) {
    double sum = -zi_ledger_work(l);
    for (int i = 0; i < l->stores; i++) sum += l->now[i] - l->first[i];
    return sum;
}

double zi_ledger_exchanged(const ziLedger *l) {
    double sum = l->impact_flow;
    for (int i = 0; i < l->stores; i++) sum += l->span[i];
    for (int i = 0; i < l->accounts; i++) sum += l->flow[i];
    return sum;
}
