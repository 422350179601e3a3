/* Elastic trees by brute force: every link a set of point masses, positions as jets along the motion, Kane's sum over
 * the points. Shares nothing with the library: own shapes, own quadrature, own joints.
 *
 *   tau_k = sum m (dv/dv_k).(acceleration - g) + elastic force,    M_jk = sum m (dv/dv_j).(dv/dv_k)
 *
 * Beams bend and stretch (powers and gevorkian functions), without stiffening, section inertia and twist: what points
 * can represent exactly. */
#ifndef ZV_TEST_ELASTIC_REFERENCE_H
#define ZV_TEST_ELASTIC_REFERENCE_H

#include "support/random_tree_numbers.h"
#include "support/reference_jet.h"
#include "zveno/builder.h"

enum { ER_LINKS = 8, ER_MODES = 24, ER_RIGID = 5, ER_GAUSS = 14, ER_DOFS = ER_LINKS * (6 + ER_MODES) };

typedef struct erLink {
    int parent; /* link; 0 is the ground */
    zvJointType type;
    double axis[3], axis2[3], R[9], p[3]; /* joint frame in the parent link */
    int points;                           /* of the rigid part, on the link frame */
    double mass[ER_RIGID], at[ER_RIGID][3];
    double armature[ZV_MAX_DOF];
    bool elastic;
    zvBeam beam;
    int n;            /* modes */
    int q, v, qe, ve; /* where its coordinates lie */
} erLink;

typedef struct erTree {
    int count; /* links with the ground */
    erLink link[ER_LINKS + 1];
    double gravity[3];
    int nq, nv;
    zvModel *model;
    exact gauss[ER_GAUSS], weight[ER_GAUSS]; /* quadrature on [0, 1] */
} erTree;

/* A random tree and its model; modes: the greatest number per direction. Ends the program on failure. */
void er_tree_make(uint64_t seed, int links, int modes, erTree *tree);
void er_tree_free(erTree *tree);

/* Gauss-Legendre points and weights on [0, 1]. */
void er_gauss(exact *s, exact *w);

/* Random state. */
void er_state(const erTree *tree, rtRandom *random, double *q, double *v);

/* M (nv x nv), tau (nv) for accelerations a, and the sum of the sizes of the terms of tau (nv). */
void er_mass(const erTree *tree, const double *q, exact *M);
void er_inverse(const erTree *tree, const double *q, const double *v, const exact *a, exact *tau, exact *size);

#endif
