/* Core. Elastic links: what makes a link bend, twist and stretch.
 *
 * A link is a beam given by a few numbers, or a body given by modal data as a finite-element reduction exports them.
 * Either way its points are displaced by a sum of shapes times elastic coordinates e, which follow the joint
 * coordinates of the link in q and v.
 *
 * A beam lies along the x axis of its own axes from x = 0, where it is clamped to the link frame, to x = length. These
 * are the axes of its link unless start and axis say otherwise. Its coordinates are ordered: bending along y, bending
 * along z, twist about x, extension along x. */
#ifndef ZVENO_BEAM_H
#define ZVENO_BEAM_H

#include <stdbool.h>
#include <stddef.h>

#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Sets of shape functions, s = x / length. X(NAME, word in files)
 * All but pinned-pinned are clamped at s = 0. Where a function does not vanish at s = 1 it is scaled to 1 there, so
 * that its coordinate is the displacement (m) or twist (rad) of the tip that it makes.
 *   powers            bending s^2, s^3, ...; twist and extension s, s^2, ...
 *   gevorkian         bending 3s^2 - 2s^3 and -8s^4 + 14s^3 - 5s^2 [Gevorkian] (9), (11): no slope at the tip, so a
 *                     guided beam, four times too stiff for a tip force; twist and extension as powers
 *   clamped-free      eigenfunctions of the clamped-free beam, rod and shaft
 *   clamped-tip-mass  eigenfunctions with the mass tip_mass at the tip (and, in twist, the moment of inertia
 *                     tip_inertia about the axis). They shape the functions only: the body that weighs so much is a
 *                     link of its own
 *   pinned-pinned     sin(k pi s), bending and twist and extension: both ends stay on the x axis, sections there turn
 *   cubic             interface modes of a finite element: tip displacement and tip slope (2 in each plane), twist and
 *                     extension linear (1 each); the only set that knows shear (kGAy, kGAz) */
#define ZV_SHAPES_LIST(X)                   \
    X(POWERS, "powers")                     \
    X(GEVORKIAN, "gevorkian")               \
    X(CLAMPED_FREE, "clamped-free")         \
    X(CLAMPED_TIP_MASS, "clamped-tip-mass") \
    X(PINNED_PINNED, "pinned-pinned")       \
    X(CUBIC, "cubic")

typedef enum zvShapes {
#define ZV_X(name, word) ZV_SHAPES_##name,
    ZV_SHAPES_LIST(ZV_X)
#undef ZV_X
        ZV_SHAPES_COUNT
} zvShapes;

const char *zv_shapes_word(zvShapes shapes); /* in files: "clamped-free" */

/* What the coordinates of a beam are; modes[] below counts them in this order. */
typedef enum zvBeamMotion {
    ZV_BEAM_BEND_Y,
    ZV_BEAM_BEND_Z,
    ZV_BEAM_TWIST,
    ZV_BEAM_EXTEND,
    ZV_BEAM_MOTIONS
} zvBeamMotion;

/* Geometric stiffening: the axis shortens by half the integral of its slopes squared, so that a beam that is pulled
 * along its axis (by its own spin, by what hangs at its tip) is stiffer and one that is pressed softer. Costs little.
 * AUTO: on for a link that bends; off only where that is said. */
typedef enum zvStiffening { ZV_STIFFENING_AUTO, ZV_STIFFENING_ON, ZV_STIFFENING_OFF } zvStiffening;

/* How an elastic link loses energy: D = mass_factor M + stiffness_factor K, and a ratio of critical damping for the
 * link's own modes, clamped and free; ratios may be given for the first of them one by one. Sums. */
typedef struct zvElasticDamping {
    double ratio;
    double mass_factor;      /* 1/s */
    double stiffness_factor; /* s */
    int count;
    const double *ratios; /* of the link's own modes in order of frequency; those beyond count have ratio */
} zvElasticDamping;

enum { ZV_MAX_MODES = 128 }; /* of one link */

/* Section and material numbers, SI. zv_section_fill makes them of a material and a section. */
typedef struct zvBeam {
    double length;       /* m */
    double start[3];     /* the root of the beam in the link frame, m */
    double axis[3];      /* where it goes from there, in the link frame; need not be of unit length. y and z of the beam
                            are those of the link, turned by the least rotation that takes x to axis (half a turn about
                            z for -x) */
    double EIy, EIz;     /* bending about y (displacement along z) and about z (displacement along y), N m^2 */
    double GJ;           /* N m^2 */
    double EA;           /* N */
    double rhoA;         /* kg/m */
    double rhoIy, rhoIz; /* moments of inertia of a section about y and z per length, kg m; about x their sum */
    double kGAy, kGAz;   /* shear along y and z, N; 0: none (Euler-Bernoulli) */
    zvShapes shapes;
    int modes[ZV_BEAM_MOTIONS];
    double tip_mass, tip_inertia; /* clamped-tip-mass only: kg, kg m^2 */
    bool rotary;                  /* sections have inertia against turning in bending as well (Rayleigh) */
    zvStiffening stiffening;
    zvElasticDamping damping;
} zvBeam;

/* length 1 along x of the link from its origin, powers, no modes */
zvBeam zv_beam_default(void);

typedef enum zvSectionKind {
    ZV_SECTION_CIRCLE, /* radius */
    ZV_SECTION_TUBE,   /* outer radius, inner radius */
    ZV_SECTION_BOX,    /* width along y, height along z */
    ZV_SECTION_FRAME   /* hollow box: width, height, wall thickness */
} zvSectionKind;

/* Fills EIy ... rhoIz (and, with shear, kGAy and kGAz by Cowper's factors for Poisson's ratio E/2G - 1) from Young's
 * modulus, shear modulus, density and a section; size as listed above, m. Sizes that no section has fill in NaN, which
 * no model accepts. */
void zv_section_fill(zvBeam *beam, double E, double G, double density, zvSectionKind kind, const double size[3],
                     bool shear);

/* Modal data ---------------------------------------------------------------------------------------- */

/* A point with mass of a finite-element model. */
typedef struct zvModalNode {
    double at[3];        /* undeformed, in the link frame, m */
    double mass;         /* kg */
    double moment[6];    /* of the node itself: xx xy xz yy yz zz, kg m^2 */
    const double *shape; /* count x 6: displacement and rotation of the node per unit of each coordinate */
} zvModalNode;

/* A place where joints, links and frames may be attached. */
typedef struct zvModalInterface {
    const char *name;
    double at[3];        /* undeformed, in the link frame, m */
    const double *shape; /* count x 6 */
} zvModalInterface;

typedef struct zvModal {
    int count;                    /* coordinates */
    const char *const *names;     /* count, or NULL: mode1, mode2, ... */
    const double *mass;           /* count x count generalised mass, or NULL: from the nodes */
    const double *stiffness;      /* count x count */
    const double *damping_matrix; /* count x count, or NULL */
    zvElasticDamping damping;     /* adds to it */
    int node_count;               /* with nodes all integrals are sums over them, and the link's own inertia adds */
    const zvModalNode *nodes;
    const double *translation; /* without nodes: count x 3, sum of mass times displacement shape, or NULL: 0 */
    const double *rotation; /* without nodes: count x 3, sum of moments of momentum about the link's origin, or NULL */
    int interface_count;
    const zvModalInterface *interfaces;
} zvModal;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
