/* One case of a random test: a frozen tree, its workspace, its reference and a random state.
 *
 * Failures print the seed: calling the same test body with that seed repeats them. */
#ifndef ZV_TEST_RANDOM_TREE_CASE_H
#define ZV_TEST_RANDOM_TREE_CASE_H

#include <float.h>
#include <stdio.h>

#include "support/random_tree.h"
#include "support/reference_error_scale.h"
#include "zveno/zveno.h"

typedef struct rtCase {
    uint64_t seed;
    rtRandom random;
    rtTree *tree;
    zvModel *model;
    zvWork *work;
    refTree *ref;
    refErrorScale *error_scale;
    int nq, nv, nlink;
    double *q, *v, *a, *tau, *fext;
    double *x, *y;       /* nv each, for answers */
    double *A, *B;       /* nv x nv, for answers */
    exact *want, *scale; /* nv */
    exact *M, *S;        /* nv x nv: for the reference */
    exact eps;           /* depth x the spacing of double numbers: the unit of tolerances */
} rtCase;

/* Freezes the tree, draws a state and places the reference there (ref_place, ref_move with v and a).
 * False, with a message, when the model is refused. Close in either case. */
bool rt_case_open(rtCase *c, uint64_t seed, const rtOptions *options);
/* The same for a tree made (and owned from now on) by the test. */
bool rt_case_open_tree(rtCase *c, rtTree *tree);
void rt_case_close(rtCase *c);

/* Sizes and shapes spread over the cases of a test: mostly 1 to 12 joints, every 16th a chain of `deepest`;
 * every third wild, every fourth on a free base, every fifth with joints that follow others. */
rtOptions rt_options_spread(int index, int deepest);

/* Runs a check on `count` seeded cases spread over sizes and shapes; stops at the first failure and returns false.
 * change, which may be NULL, alters the options of case `index`. */
typedef bool (*rtCheck)(rtCase *c);
typedef void (*rtChange)(int index, rtOptions *options);
bool rt_each(uint64_t seed, int count, int deepest, rtChange change, rtCheck check);
/* The same on small trees of each joint type alone, so that a failure names its type. */
bool rt_each_type(uint64_t seed, rtCheck check);

void rt_draw_position(const zvModel *model, rtRandom *random, double *q);

/* |got - want| <= factor * eps * scale for all entries; prints the seed and the worst entry when not. NaN is far. */
bool rt_near(const rtCase *c, const char *what, int count, const double *got, const exact *want, const exact *scale,
             double factor);

#endif
