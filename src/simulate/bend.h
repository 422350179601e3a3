/* Beams that are bent beyond what their functions can describe: docs/elastic.md, section 9. */
#ifndef ZI_SIMULATE_BEND_H
#define ZI_SIMULATE_BEND_H

#include "simulate/system.h"

/* A section of a beam that is looked at: its tip, or where a joint or a frame sits. */
typedef struct ziBendSection {
    int q, n;        /* the link's coordinates in y */
    const double *d; /* n x 3: displacement per unit of each, in lengths of the beam */
    const double *r; /* n x 3: rotation, rad */
    bool tip;
} ziBendSection;

typedef struct ziBend {
    int count;
    ziBendSection *sections;
    double shift, turn; /* largest displacement of a tip over its length, largest rotation of a section, seen so far */
} ziBend;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zi_bend_create(ziBend *bend, ziSystem *system);
void zi_bend_look(ziBend *bend, const double *y);
/* A sentence when a beam was bent too far, else NULL. The text is constant. */
const char *zi_bend_advice(const ziBend *bend);

#endif
