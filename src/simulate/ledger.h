/* The energy ledger: what is stored, what each account has brought in, and whether the two agree.
 *
 *   E = kinetic + potential + stores,   gap = E(t) - E(start) - work of the accounts - work of impacts */
#ifndef ZV_SIMULATE_LEDGER_H
#define ZV_SIMULATE_LEDGER_H

#include "simulate/system.h"

enum { ZV_STORE_KINETIC, ZV_STORE_POTENTIAL, ZV_STORE_OTHERS }; /* those of the drives follow */

typedef struct zvLedger {
    int stores, accounts;
    double *first;      /* (stores) at the start, J */
    double *now;        /* (stores) where the ledger last looked */
    double *span;       /* (stores) largest change seen */
    double *done;       /* (accounts) work at the last look */
    double *flow;       /* (accounts) sum of |work| from step to step */
    double impacts;     /* energy that jumps of the state brought in, J: below zero for impacts */
    double impact_flow; /* sum of their sizes */
} zvLedger;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zv_ledger_create(zvLedger *ledger, zvSystem *system);
/* All of these look at the state shown in the system. */
void zv_ledger_start(zvLedger *ledger, zvSystem *system);
void zv_ledger_look(zvLedger *ledger, zvSystem *system);
/* After a jump: the energy that is there now less the energy at the last look goes to the impacts. */
void zv_ledger_jump(zvLedger *ledger, zvSystem *system);

/* At the last look: stored energy of all kinds, work, gap; J. */
double zv_ledger_energy(const zvLedger *ledger);
double zv_ledger_work(const zvLedger *ledger);
double zv_ledger_gap(const zvLedger *ledger);
double zv_ledger_exchanged(const zvLedger *ledger);

/* Energies of the state shown: stores is (ledger->stores). */
void zv_ledger_stores(const zvLedger *ledger, zvSystem *system, double *stores);

#endif
