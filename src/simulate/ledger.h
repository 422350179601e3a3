/* The energy ledger: what is stored, what each account has brought in, and whether the two agree.
 *
 *   E = kinetic + potential + stores,   gap = E(t) - E(start) - work of the accounts - work of impacts */
#ifndef ZI_SIMULATE_LEDGER_H
#define ZI_SIMULATE_LEDGER_H

#include "simulate/system.h"

enum { ZI_STORE_KINETIC, ZI_STORE_POTENTIAL, ZI_STORE_OTHERS }; /* those of the drives follow */

typedef struct ziLedger {
    int stores, accounts;
    double *first;      /* (stores) at the start, J */
    double *now;        /* (stores) where the ledger last looked */
    double *span;       /* (stores) largest change seen */
    double *done;       /* (accounts) work at the last look */
    double *flow;       /* (accounts) sum of |work| from step to step */
    double impacts;     /* energy that jumps of the state brought in, J: below zero for impacts */
    double impact_flow; /* sum of their sizes */
} ziLedger;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zi_ledger_create(ziLedger *ledger, ziSystem *system);
/* All of these look at the state shown in the system. */
void zi_ledger_start(ziLedger *ledger, ziSystem *system);
void zi_ledger_look(ziLedger *ledger, ziSystem *system);
/* After a jump: the energy that is there now less the energy at the last look goes to the impacts. */
void zi_ledger_jump(ziLedger *ledger, ziSystem *system);

/* At the last look: stored energy of all kinds, work, gap; J. */
double zi_ledger_energy(const ziLedger *ledger);
double zi_ledger_work(const ziLedger *ledger);
double zi_ledger_gap(const ziLedger *ledger);
double zi_ledger_exchanged(const ziLedger *ledger);

/* Energies of the state shown: stores is (ledger->stores). */
void zi_ledger_stores(const ziLedger *ledger, ziSystem *system, double *stores);

#endif
