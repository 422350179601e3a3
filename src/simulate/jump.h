/* Jumps of velocity: impacts, and prescribed motions whose velocity breaks. Forces of springs, friction and gravity are
 * finite and have no part in them; degrees of freedom that follow a law keep to it. */
#ifndef ZV_SIMULATE_JUMP_H
#define ZV_SIMULATE_JUMP_H

#include "simulate/system.h"

typedef struct zvJump {
    zvSystem *system;
    unsigned char *given;             /* (nv) */
    double *tau, *with, *without, *v; /* (nv) each */
    double *aims;                     /* (nloop x 3) of zvClosing */
} zvJump;

bool zv_jump_create(zvJump *jump, zvSystem *system);

/* kick = M^-1 impulse at the state shown, prescribed degrees of freedom held fast, loops closed; (nv) each. */
zvStatus zv_jump_kick(zvJump *jump, const double *impulse, double *kick);
/* Passes the break of a law at t: moves the horizon to the next one. Where prescribed velocities jump, of joints or of
 * what loops keep, the others follow by the impulse there. y becomes the state after it. */
zvStatus zv_jump_pass(zvJump *jump, double t, double *y, zvError *error);

/* Where a prescribed position jumps, which no impulse can bring about. */
typedef struct zvPositionJump {
    int motion, dof; /* the how-manieth motion of the set, from 0; degree of freedom, or -1 */
    int loop;        /* then the loop */
    double t, from, to;
} zvPositionJump;

/* Looks at the breaks within the run, at most ten thousand of each motion; room is (2 nv). */
bool zv_jump_of_motions(const zvScenario *scenario, double *room, zvPositionJump *jump);

#endif
