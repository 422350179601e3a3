/* What is observed of a run: the energy ledger and the channels. */
#ifndef ZI_SIMULATE_OBSERVE_H
#define ZI_SIMULATE_OBSERVE_H

#include "simulate/system.h"

/* The energy ledger: what is stored, what each account has brought in, and whether the two agree.
 *
 *   E = kinetic + potential + stores,   gap = E(t) - E(start) - work of the accounts - work of impacts and closings */

enum { ZI_STORE_KINETIC, ZI_STORE_POTENTIAL, ZI_STORE_OTHERS }; /* those of the drives follow */

typedef struct ziLedger {
    int stores, accounts;
    double *first;      /* (stores) at the start, J */
    double *now;        /* (stores) where the ledger last looked */
    double *span;       /* (stores) largest change seen */
    double *least;      /* (stores) least value seen */
    double *done;       /* (accounts) work at the last look */
    double *flow;       /* (accounts) sum of |work| from step to step */
    double *lowest, *highest; /* (accounts) work seen so far */
    double impacts;     /* energy that jumps of the state brought in, J: below zero for impacts */
    double impact_flow; /* sum of their sizes */
    int loops;
    double *closings; /* (loops) energy that closing and opening each brought in, J */
    double *swings;   /* (loops) sum of the sizes of that */
    double peak;      /* greatest sum of the stores seen */
    double worst;     /* largest |gap| seen */
    double floor;     /* energies below it are rest: tolerance and rounding, not motion */
} ziLedger;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zi_ledger_create(ziLedger *ledger, ziSystem *system);
/* All of these look at the state shown in the system. */
void zi_ledger_start(ziLedger *ledger, ziSystem *system);
void zi_ledger_look(ziLedger *ledger, ziSystem *system);
/* After a jump: the energy that is there now less the energy at the last look goes to the impacts. */
void zi_ledger_jump(ziLedger *ledger, ziSystem *system);
/* The same when a loop has closed or opened; returns what that brought in, J. */
double zi_ledger_swing(ziLedger *ledger, ziSystem *system, int loop);

/* At the last look: stored energy of all kinds, work, gap; J. */
double zi_ledger_gap(const ziLedger *ledger);
double zi_ledger_exchanged(const ziLedger *ledger);
/* The most energy that was in the system: kinetic energy, and what other stores held above their least. */
double zi_ledger_content(const ziLedger *ledger);
/* What the gap is measured by: content or the work done, whichever is more, and no less than the floor. Of accounts that take
 * and give back, as controllers like springs do, what they took at most counts, not its sum over time. */
double zi_ledger_reference(const ziLedger *ledger);

/* Channels at a state: what a row of the recording holds, and what threshold events look at. */

typedef struct ziObserver {
    ziSystem *system;
    const ziLedger *ledger;
    int width;           /* of a row: time and all channels */
    bool forces;         /* some channel needs accelerations */
    double *quaternions; /* (channels x 4) of pose channels, as last recorded; zero before */
    double *x;           /* (nv) scratch */
    double *stores;      /* (stores of the ledger) scratch */
    double *reactions;   /* (6 njoint), worked out once per state */
    bool reactions_known;
    double *external;         /* (zv_model_nexternal) with the forces of loops; NULL: there are none */
    double *wrenches;         /* (6 nloop) */
    unsigned char *none_open; /* (nloop) zeros */
} ziObserver;

bool zi_observer_create(ziObserver *observer, ziSystem *system, const ziLedger *ledger);

/* The whole row at (t, y): time, then the channels of the scenario in order. */
zvStatus zi_observe_row(ziObserver *observer, double t, const double *y, double *row);
/* One channel of the state shown in the system; like is the quaternion whose sign a pose goes on with, or NULL. Needs
 * accelerations when zi_channel_needs_forces says so. */
void zi_observe_channel(ziObserver *observer, ziChannelSpec spec, const double *like, double *out);
bool zi_channel_needs_forces(ziChannelKind kind);

#endif
