/* Mode integrals of an elastic link: sums over points with mass, of a beam (Gauss points along it) or of modal data
 * (nodes). All in the axes of a target frame in which the link's frame stands at (R, p): x_target = R x + p, R
 * row-major. */
#ifndef ZI_BEAM_MODES_H
#define ZI_BEAM_MODES_H

#include "zveno/beam.h"

/* Shapes that the shortening of a bent axis is spread over: Legendre polynomials along the beam, of unit mass. */
enum { ZI_SHORTENINGS = 2 };

/* The meaning of the entries is told in model/tree.h (ziElastic); J0 and J1, J2 as xx xy xz yy yz zz. The arrays are
 * the caller's: S1, J1, J2, L0, L1 for n + extra coordinates, M, K, D for n. extra is ZI_SHORTENINGS when the caller
 * has G and the beam shortens, else 0. Filling starts from zero. */
typedef struct ziModeIntegrals {
    int n, extra;
    double mass, S0[3], J0[6];
    double axis[3];
    double *S1, *J1, *J2, *L0, *L1, *M, *K, *D;
    double *G;      /* extra x n x n */
    double *couple; /* extra x n: entries of the mass matrix between shapes of shortening and modes */
} ziModeIntegrals;

/* What is wrong with a description: key of files ("EIy", "modes"), token, a sentence, what to do. key NULL: nothing. */
typedef struct ziBeamFault {
    const char *key;
    char token[64];
    char why[256];
    char repair[160];
    bool memory; /* not the description: there was no memory to look at it */
} ziBeamFault;

int zi_beam_count(const zvBeam *beam);     /* coordinates; negative numbers of modes count as 0 */
bool zi_beam_shortens(const zvBeam *beam); /* whether stiffening is on and it bends */
/* The beam in its link: x_link = R x_beam + p, R row-major; exactly the identity along the x axis. */
void zi_beam_pose(const zvBeam *beam, double R[9], double p[3]);
/* How far along the beam a point of the link lies, from its root. */
double zi_beam_along(const zvBeam *beam, const double point[3]);
/* The first fault, key NULL when there is none: not finite, no direction, length, stiffness or density not positive
 * where modes need them, too many modes for the set of shapes, modes that are not independent in double precision,
 * shear with shapes that do not know it, negative damping ... */
ziBeamFault zi_beam_fault(const zvBeam *beam);
/* The same for modal data: not finite, matrices not symmetric, mass or stiffness not positive (semi)definite, mass
 * given and not that of the nodes (1e-6), names twice or not usable as labels, two interfaces at one place, the
 * rigid-elastic inertia not positive definite
 * together with the rigid mass, centre of mass and moments given (6: about the centre of mass). */
ziBeamFault zi_modal_fault(const zvModal *modal, double mass, const double com[3], const double moment[6]);

/* Shapes at x, beam axes: displacement d (count x 3) and rotation of the section r (count x 3). */
void zi_beam_shape(const zvBeam *beam, double x, double *d, double *r);
/* G (count x count) at x: the integral of products of slopes from 0 to x. */
void zi_beam_shortening(const zvBeam *beam, double x, double *G);
/* Name of coordinate k, such as "y1"; buffer receives it. */
const char *zi_beam_part(const zvBeam *beam, int k, char buffer[16]);
zvBeamMotion zi_beam_motion(const zvBeam *beam, int k);
bool zi_beam_angular(const zvBeam *beam,
                     int k); /* coordinate k is an angle: twist, and the tip slope of cubic shapes */

/* All integrals; false when out of memory. */
bool zi_beam_integrals(const zvBeam *beam, const double R[9], const double p[3], ziModeIntegrals *out);
bool zi_modal_integrals(const zvModal *modal, const double R[9], const double p[3], ziModeIntegrals *out);

/* How faults of beams and modal data are told. */

/* The token is the number, or the word. */
ziBeamFault zi_fault_number(const char *key, double number, const char *expected, const char *repair);
ziBeamFault zi_fault_word(const char *key, const char *word, const char *why, const char *repair);
/* count: coordinates of the link */
ziBeamFault zi_damping_fault(const zvElasticDamping *damping, int count);

#endif
