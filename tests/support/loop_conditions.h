/* What a closed loop means, written down anew from model.h: functions of the two frames of a loop that are zero where
 * it is closed. They are smooth, more than needed in number, and share nothing with the engine's gaps. */
#ifndef ZV_TEST_LOOP_CONDITIONS_H
#define ZV_TEST_LOOP_CONDITIONS_H

#include "support/random_closed.h"

enum { LC_MOST = 10 };

/* Writes the conditions of loop i at q and returns how many. Angles and places along curves are looked for near the
 * coordinates that the loop was closed at. */
int lc_conditions(const rcCase *c, int i, const double *q, exact F[LC_MOST]);

#endif
