/* Jumps of velocity: impacts, and prescribed motions whose velocity breaks. Forces of springs, friction and gravity are
 * finite and have no part in them; degrees of freedom that follow a law keep to it. */
#ifndef ZI_SIMULATE_JUMP_H
#define ZI_SIMULATE_JUMP_H

#include "simulate/system.h"

typedef struct ziJump {
    ziSystem *system;
    unsigned char *given;             /* (nv) */
    double *tau, *with, *without, *v; /* (nv) each */
    double *aims;                     /* (nloop x 3) of zvClosing */
} ziJump;

bool zi_jump_create(ziJump *jump, ziSystem *system);

/* kick = M^-1 impulse at the state shown, prescribed degrees of freedom held fast, loops closed; (nv) each. */
zvStatus zi_jump_kick(ziJump *jump, const double *impulse, double *kick);
/* Passes the break of a law at t: moves the horizon to the next one. Where prescribed velocities jump, of joints or of
 * what loops keep, the others follow by the impulse there. y becomes the state after it. */
zvStatus zi_jump_pass(ziJump *jump, double t, double *y, zvError *error);

/* Where a prescribed position jumps, which no impulse can bring about. */
typedef struct ziPositionJump {
    int motion, dof; /* the how-manieth motion of the set, from 0; degree of freedom, or -1 */
    int loop;        /* then the loop */
    double t, from, to;
} ziPositionJump;

/* Looks at the breaks within the run, at most ten thousand of each motion; room is (2 nv). */
bool zi_jump_of_motions(const zvScenario *scenario, double *room, ziPositionJump *jump);

#endif
