/* One case of a random test of elastic trees: beams of every set of shapes, and nodes with masses that move anyhow.
 * Joints and frames sit on elastic links at their root, at their tip or between, on the axis or beside it.
 *
 *   ecCase c;
 *   if (ec_open(&c, seed, &options)) ...     state q, v, a and fext are drawn, room for answers is there
 *   ec_close(&c); */
#ifndef ZV_TEST_ELASTIC_CASE_H
#define ZV_TEST_ELASTIC_CASE_H

#include "support/random_tree.h"
#include "zveno/zveno.h"

enum { EC_NODES = 6, EC_MODES = 6, EC_INTERFACES = 2 };

/* What one link bends by. */
typedef struct ecBend {
    zvBeam beam;
    zvModal modal;
    zvModalNode nodes[EC_NODES];
    zvModalInterface interfaces[EC_INTERFACES];
    double shapes[EC_NODES + EC_INTERFACES][6 * EC_MODES];
    double stiffness[EC_MODES * EC_MODES];
} ecBend;

typedef struct ecCase {
    uint64_t seed;
    rtRandom random;
    rtTree *tree;
    ecBend *bends; /* of the tree's links */
    zvModel *model;
    zvWork *work;
    int nq, nv, nlink, nexternal;
    double *q, *v, *a, *fext;
    double *x, *y; /* nv each, for answers */
    double *A, *B; /* nv x nv */
    double quick;  /* 1/s: nothing in the state turns faster */
} ecCase;

/* A tree in which most links are elastic. False, with a message, when it is refused. Close in either case. */
bool ec_open(ecCase *c, uint64_t seed, const rtOptions *options);
void ec_close(ecCase *c);

/* One to five joints of the given types (RT_TYPE bits), every third tree on a free base; curves are smooth. */
rtOptions ec_options(int index, unsigned types);
/* Runs a check on count seeded cases, each on the instruction set that its seed chooses; stops at the first failure and
 * returns false. */
typedef bool (*ecCheck)(ecCase *c);
bool ec_each(uint64_t seed, int count, unsigned types, ecCheck check);

/* The derivative of a function of the position at the case's q along the velocities v, (count) numbers: eighth-order
 * central differences. With steps of 0.03 / quick, truncation is some 1e-15 of the function and rounding eps / 0.03. */
typedef void (*ecFunction)(ecCase *c, const double *q, double *out);
double ec_step(const ecCase *c);
void ec_rate(ecCase *c, const double *v, ecFunction f, int count, double *rate);

/* |got - want| <= tolerance; prints seed, what and index when not. NaN is far. */
bool ec_near(const ecCase *c, const char *what, int index, double got, double want, double tolerance);

#endif
