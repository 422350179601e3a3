/* Simbody (SimTK): closed mechanisms with exact constraints, for the bench of loops. */
#ifndef BENCH_PEERS_SIMBODY_H
#define BENCH_PEERS_SIMBODY_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Simbody Simbody;

/* The same tree and loops; NULL when it has joints other than revolute, continuous, prismatic, universal and free, or
 * loops other than balls. q (count x nq) and v (count x nv) are states in Zveno's conventions. */
Simbody *simbody_open(const zvModel *model, int count, const double *q, const double *v);
void simbody_close(Simbody *simbody);
/* Constrained accelerations of one of the states, everything from q and v on included. */
void simbody_accelerate(Simbody *simbody, int state);
/* Those of the joints with one or two freedoms, at their places in a (nv); others stay. */
void simbody_answer(const Simbody *simbody, double *a);

#ifdef __cplusplus
}
#endif
#endif
