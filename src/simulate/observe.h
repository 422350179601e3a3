/* Channels at a state: what a row of the recording holds, and what threshold events look at. */
#ifndef ZV_SIMULATE_OBSERVE_H
#define ZV_SIMULATE_OBSERVE_H

#include "simulate/ledger.h"
#include "simulate/system.h"

typedef struct zvObserver {
    zvSystem *system;
    const zvLedger *ledger;
    int width;           /* of a row: time and all channels */
    bool forces;         /* some channel needs accelerations */
    double *quaternions; /* (channels x 4) of pose channels, as last recorded; zero before */
    double *x;           /* (nv) scratch */
    double *stores;      /* (stores of the ledger) scratch */
    double *reactions;   /* (6 njoint), worked out once per state */
    bool reactions_known;
    double *external; /* (zv_model_nexternal) with the forces of loops; NULL: there are none */
    double *wrenches; /* (6 nloop) */
} zvObserver;

bool zv_observer_create(zvObserver *observer, zvSystem *system, const zvLedger *ledger);

/* The whole row at (t, y): time, then the channels of the scenario in order. */
zvStatus zv_observe_row(zvObserver *observer, double t, const double *y, double *row);
/* One channel of the state shown in the system; like is the quaternion whose sign a pose goes on with, or NULL. Needs
 * accelerations when zv_channel_needs_forces says so. */
void zv_observe_channel(zvObserver *observer, zvChannelSpec spec, const double *like, double *out);
bool zv_channel_needs_forces(zvChannelKind kind);

#endif
