/* Room for the mode integrals of a link with up to ROOM_MODES coordinates. */
#ifndef ZV_TEST_INTEGRALS_ROOM_H
#define ZV_TEST_INTEGRALS_ROOM_H

#include "beam/modes.h"

enum { ROOM_MODES = 64, ROOM_ALL = ROOM_MODES + ZI_SHORTENINGS };

typedef struct irRoom {
    double S1[3 * ROOM_ALL], L0[3 * ROOM_ALL], J1[6 * ROOM_ALL];
    double M[ROOM_MODES * ROOM_MODES], K[ROOM_MODES * ROOM_MODES], D[ROOM_MODES * ROOM_MODES];
    double J2[6 * ROOM_ALL * ROOM_ALL], L1[3 * ROOM_ALL * ROOM_ALL];
    double G[ZI_SHORTENINGS * ROOM_MODES * ROOM_MODES], couple[ZI_SHORTENINGS * ROOM_MODES];
} irRoom;

static inline ziModeIntegrals ir_integrals(irRoom *room) {
    return (ziModeIntegrals){.S1 = room->S1,
                             .G = room->G,
                             .couple = room->couple,
                             .J1 = room->J1,
                             .J2 = room->J2,
                             .L0 = room->L0,
                             .L1 = room->L1,
                             .M = room->M,
                             .K = room->K,
                             .D = room->D};
}

static const double ir_one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, ir_zero[3] = {0, 0, 0};

#endif
