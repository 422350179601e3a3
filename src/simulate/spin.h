/* Elastic links that bend without stiffening (beams where it is off, modal data) and spin fast enough to need it:
 * docs/elastic.md (E.14). */
#ifndef ZI_SIMULATE_SPIN_H
#define ZI_SIMULATE_SPIN_H

#include "simulate/system.h"

typedef struct ziSpin {
    int count; /* such links */
    int *links;
    double *frequency; /* first of the clamped link, rad/s */
    double *axes;      /* count x 3: unit vectors along the beams, link frames; zero for modal data */
    zvPose *poses;     /* nlink */
    double *rates;     /* nlink x 6 */
    double worst;      /* largest ratio of spin to frequency seen */
} ziSpin;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zi_spin_create(ziSpin *spin, ziSystem *system);
/* At the state shown in the system. */
void zi_spin_look(ziSpin *spin, ziSystem *system);
/* A sentence when stiffening is missing, else NULL. The text is constant. */
const char *zi_spin_advice(const ziSpin *spin);

#endif
