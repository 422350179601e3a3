/* Channels at a state: what a row of the recording holds, and what threshold events look at. */
#ifndef ZI_SIMULATE_OBSERVE_H
#define ZI_SIMULATE_OBSERVE_H

#include "simulate/ledger.h"
#include "simulate/system.h"

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
    double *external; /* (zv_model_nexternal) with the forces of loops; NULL: there are none */
    double *wrenches; /* (6 nloop) */
} ziObserver;

bool zi_observer_create(ziObserver *observer, ziSystem *system, const ziLedger *ledger);

/* The whole row at (t, y): time, then the channels of the scenario in order. */
zvStatus zi_observe_row(ziObserver *observer, double t, const double *y, double *row);
/* One channel of the state shown in the system; like is the quaternion whose sign a pose goes on with, or NULL. Needs
 * accelerations when zi_channel_needs_forces says so. */
void zi_observe_channel(ziObserver *observer, ziChannelSpec spec, const double *like, double *out);
bool zi_channel_needs_forces(ziChannelKind kind);

#endif
