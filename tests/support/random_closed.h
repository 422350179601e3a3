/* Seeded random closed mechanisms: a random tree whose loops are closed at a random state by construction. Each loop
 * constraints two places of the tree; the place on one side is then put where the loop's joint, at random coordinates
 * drawn for it, wants it (from the definition of the joints in reference_joint.h, which shares nothing with the
 * engine).
 *
 *   rcOptions options = rc_options_spread(index);
 *   rcCase c;
 *   if (rc_open(&c, seed, &options)) ...     c.q closes all loops; c.v, c.tau, c.fext are drawn, c.v does not fit them
 *   rc_close(&c);
 *
 * A loop takes no more conditions than there are freedoms on its path, so that most mechanisms are not over-constrained
 * (several loops on one path may be). */
#ifndef ZV_TEST_RANDOM_CLOSED_H
#define ZV_TEST_RANDOM_CLOSED_H

#include "support/elastic_case.h"
#include "support/linear.h"

enum { RC_MAX_LOOPS = RT_MAX_FRAMES / 2, RC_MAX_TERMS = 3, RC_ROD = 1 << ZV_JOINT_TYPES, RC_COUPLING = RC_ROD << 1 };
/* All kinds of loops: RT_TYPE bits of joints, RC_ROD, RC_COUPLING. */
enum { RC_ALL_KINDS = (RC_COUPLING << 1) - 1 - (1 << ZV_JOINT_FREE) };

typedef struct rcOptions {
    rtOptions tree; /* frames are the generator's own */
    int loops;      /* asked for; where nothing fits there are less */
    unsigned kinds;
    bool elastic;  /* most links */
    double driven; /* share of the loops that can be that are */
} rcOptions;

typedef struct rcLoop {
    zvLoop loop;
    char name[16];
    zvLoopTerm terms[RC_MAX_TERMS];
    double points[3 * RT_MAX_POINTS];
    double qc[7]; /* coordinates that it is closed at */
} rcLoop;

typedef struct rcCase {
    uint64_t seed;
    rtRandom random;
    rtTree *tree;
    ecCase bent; /* what it was made of, when elastic */
    int loops;
    rcLoop loop[RC_MAX_LOOPS];
    zvModel *model;
    zvWork *work;
    int nq, nv, rows, nexternal;
    double *q, *v, *tau, *fext;
} rcCase;

/* Mixed sizes, bases, joints and loops; every fourth elastic, every fifth with joints that follow others. */
rcOptions rc_options_spread(int index);
/* False, with a message, when the model is refused. Close in either case. */
bool rc_open(rcCase *c, uint64_t seed, const rcOptions *options);
void rc_close(rcCase *c);
/* The description again with other loops than those of the case (count of them); NULL, with a message, when refused. */
zvModel *rc_freeze(const rcCase *c, const zvLoop *const *loops, int count);

/* v := the nearest velocity (Euclid) that obeys G v = rest, with a pseudo-inverse of its own; returns the rank of G. */
int rc_fit_velocity(const rcCase *c, const double *rest, double *v);
/* Rank of A (rows x columns) by Gram-Schmidt with pivoting; Q (rank x columns) receives an orthonormal basis of its
 * rows. Rows are scaled to unit length first; floor is what counts as zero of them. */
int rc_row_basis(int rows, int columns, const exact *A, exact floor, exact *Q);

#endif
