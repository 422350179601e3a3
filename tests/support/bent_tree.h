/* Seeded random elastic trees: some links of a random tree become beams of every set of shapes, or bodies given by
 * modal data. What they carry is moved to points of them. */
#ifndef ZV_TEST_BENT_TREE_H
#define ZV_TEST_BENT_TREE_H

#include "support/linear.h"
#include "support/random_tree.h"
#include "zveno/work.h"

typedef struct btLink btLink;

typedef struct btCase {
    uint64_t seed;
    rtRandom random;
    rtTree *tree;
    btLink *links; /* what their elastic links are made of */
    zvModel *model;
    zvWork *work;
    int nq, nv, nelastic, nexternal;
    double *q, *v, *a, *tau, *x, *y; /* nv, q of nq: the state, forces, and room */
    double *fext;                    /* nexternal */
} btCase;

/* modes: the greatest number of elastic coordinates of one motion of a link. The tree of the options is without frames.
 * Ends the program when the description is refused. */
void bt_case_open(btCase *c, uint64_t seed, rtOptions options, int modes);
void bt_case_close(btCase *c);

/* Whether v index i is an elastic coordinate. */
bool bt_elastic(const btCase *c, int i);

/* The dense matrix of the library's composite bodies, and its forces at rest in the accelerations. */
void bt_mass(const btCase *c, exact *M);
void bt_bias(const btCase *c, const double *v, const double *fext, exact *bias);

/* |got - want| <= tolerance x scale for all entries; tells the seed and the worst entry when not. NaN is far. */
bool bt_near(const btCase *c, const char *what, int count, const double *got, const exact *want, const exact *scale,
             double tolerance);

#endif
