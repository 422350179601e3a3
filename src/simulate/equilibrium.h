/* Equilibrium of a scenario, as runs begin with it. */
#ifndef ZI_SIMULATE_EQUILIBRIUM_H
#define ZI_SIMULATE_EQUILIBRIUM_H

#include "modes/statics.h"
#include "simulate/system.h"

/* y of the system, with a guess in it, becomes the equilibrium: q, z, and v of a steady motion. held (nv) receives what
 * does not move; NULL: nobody wants it. */
zvStatus zi_system_rest(ziSystem *system, const zvRestOptions *options, double *y, unsigned char *held,
                        ziEquilibriumFacts *facts, zvError *error);

#endif
