/* Beams that are bent beyond what their functions can describe: docs/elastic.md, section 9. */
#ifndef ZV_SIMULATE_BEND_H
#define ZV_SIMULATE_BEND_H

#include "simulate/system.h"

/* A section of a beam that is looked at: its tip, or where a joint or a frame sits. */
typedef struct zvBendSection {
    int q, n;        /* the link's coordinates in y */
    const double *d; /* n x 3: displacement per unit of each, in lengths of the beam */
    const double *r; /* n x 3: rotation, rad */
    bool tip;
} zvBendSection;

typedef struct zvBend {
    int count;
    zvBendSection *sections;
    double shift, turn; /* largest displacement of a tip over its length, largest rotation of a section, seen so far */
} zvBend;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zv_bend_create(zvBend *bend, zvSystem *system);
void zv_bend_look(zvBend *bend, const double *y);
/* A sentence when a beam was bent too far, else NULL. The text is constant. */
const char *zv_bend_advice(const zvBend *bend);

#endif
