/* Elastic links that bend without stiffening (beams where it is off, modal data) and spin fast enough to need it:
 * docs/elastic.md (E.14). */
#ifndef ZV_SIMULATE_SPIN_H
#define ZV_SIMULATE_SPIN_H

#include "simulate/system.h"

typedef struct zvSpin {
    int count; /* such links */
    int *links;
    double *frequency; /* first of the clamped link, rad/s */
    double *axes;      /* count x 3: unit vectors along the beams, link frames; zero for modal data */
    zvPose *poses;     /* nlink */
    double *rates;     /* nlink x 6 */
    double worst;      /* largest ratio of spin to frequency seen */
} zvSpin;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zv_spin_create(zvSpin *spin, zvSystem *system);
/* At the state shown in the system. */
void zv_spin_look(zvSpin *spin, zvSystem *system);
/* A sentence when stiffening is missing, else NULL. The text is constant. */
const char *zv_spin_advice(const zvSpin *spin);

#endif
