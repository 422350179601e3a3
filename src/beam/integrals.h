/* What points, sections and slopes add to the mode integrals. All vectors in target axes; shapes are (n x 3). */
#ifndef ZI_BEAM_INTEGRALS_H
#define ZI_BEAM_INTEGRALS_H

#include "beam/modes.h"

/* n coordinates, all sums zero, axis as given. */
void zi_modes_clear(ziModeIntegrals *out, const double axis[3]);
/* A point of mass m at r with displacement shapes d. */
void zi_modes_add_point(ziModeIntegrals *out, double m, const double r[3], const double *d);
/* Moments of inertia (6) of a section or node that turns with the rotation shapes `turn`. */
void zi_modes_add_moment(ziModeIntegrals *out, const double moment[6], const double *turn);
/* Shortening of a piece of axis per products of two coordinates: slopes along y and z (0, 1) and shear strains (2, 3).
 * A section that turns by t and shears by g = slope - t carries the axis back by t^2 / 2 + t g = (slope^2 - g^2) / 2:
 * what shear moves goes along the section [Reissner]. */
enum { ZI_SLOPES = 4 };
static inline double shortening2(const double a[ZI_SLOPES], const double b[ZI_SLOPES]) {
    return a[0] * b[0] + a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
}
/* A piece of axis with such slopes (n x 4) pulls in all mass beyond it: beyond (extra) is the integral of the shapes of
 * shortening over that mass, times the length of the piece. */
void zi_modes_add_slopes(ziModeIntegrals *out, const double *beyond, const double *slope);
/* Fills the upper triangles; sums are made in the lower ones. Before damping. */
void zi_modes_mirror(ziModeIntegrals *out);
/* D += damping; false when out of memory. */
bool zi_modes_damp(ziModeIntegrals *out, const zvElasticDamping *damping);

static inline double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void cross3(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
/* R a, R row-major */
static inline void turn3(const double R[9], const double a[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = dot3(R + 3 * i, a);
}
/* sym (6) += k (2 a.b 1 - a b^T - b a^T): twice the inertia tensor of a point at a = b */
static inline void add_pair(double sym[6], double k, const double a[3], const double b[3]) {
    const double x = k * a[0] * b[0], y = k * a[1] * b[1], z = k * a[2] * b[2];
    sym[0] += 2 * (y + z);
    sym[1] -= k * (a[0] * b[1] + b[0] * a[1]);
    sym[2] -= k * (a[0] * b[2] + b[0] * a[2]);
    sym[3] += 2 * (x + z);
    sym[4] -= k * (a[1] * b[2] + b[1] * a[2]);
    sym[5] += 2 * (x + y);
}
/* sym a */
static inline void sym_times(const double s[6], const double a[3], double out[3]) {
    out[0] = s[0] * a[0] + s[1] * a[1] + s[2] * a[2];
    out[1] = s[1] * a[0] + s[3] * a[1] + s[4] * a[2];
    out[2] = s[2] * a[0] + s[4] * a[1] + s[5] * a[2];
}
/* R sym R^T */
void zi_sym_turn(const double R[9], const double s[6], double out[6]);

enum { GAUSS_POINTS = 16 };

/* Places and weights on 0 ... 1; exact for polynomials up to degree 31. */
typedef struct ziGauss {
    double at[GAUSS_POINTS], weight[GAUSS_POINTS];
} ziGauss;

void zi_gauss(ziGauss *gauss);

#endif
