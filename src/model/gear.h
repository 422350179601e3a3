/* The spring of a flexible joint: a law of its deflection d, stiffness d + cubic d^3 or through points (gear.c). */
#ifndef ZI_MODEL_GEAR_H
#define ZI_MODEL_GEAR_H

#include <math.h>

#include "zveno/model.h"

/* A law at one deflection: energy, force F, dF/dd, d2F/dd2. */
typedef struct ziGearLaw {
    double energy, force, tangent, second;
} ziGearLaw;

/* Of a gear with points. */
ziGearLaw zi_gear_law(const zvFlexibleJoint *gear, double d);
double zi_gear_law_deflection(const zvFlexibleJoint *gear, double F);
/* The first point that does not fit, or -1: both numbers have to rise, and the first slope to be at most three times
 * the mean one up to the first point, so that the cubic between them rises throughout. */
int zi_gear_law_fault(const zvFlexibleJoint *gear);

/* Rotors with an axis of their own [De Luca]. */
static inline double zi_rotor_length(const zvFlexibleJoint *gear) {
    const double *a = gear->rotor_axis;
    return hypot(hypot(a[0], a[1]), a[2]);
}
static inline bool zi_rotor_couples(const zvFlexibleJoint *gear) {
    return gear->rotor_axis[0] != 0 || gear->rotor_axis[1] != 0 || gear->rotor_axis[2] != 0;
}
/* Its direction in the link that carries it, the parent, of unit length. */
void zi_rotor_axis(const zvJoint *joint, double axis[3]);
/* moment (xx xy xz yy yz zz) less the inertia of the rotor about its axis. */
void zi_rotor_take(const zvJoint *joint, double moment[6]);

static inline double zi_gear_force(const zvFlexibleJoint *gear, double d) {
    if (gear->points) return zi_gear_law(gear, d).force;
    return (gear->stiffness + gear->cubic * d * d) * d;
}

static inline double zi_gear_energy(const zvFlexibleJoint *gear, double d) {
    if (gear->points) return zi_gear_law(gear, d).energy;
    return (0.5 * gear->stiffness + 0.25 * gear->cubic * d * d) * d * d;
}

/* dF/dd */
static inline double zi_gear_tangent(const zvFlexibleJoint *gear, double d) {
    if (gear->points) return zi_gear_law(gear, d).tangent;
    return gear->stiffness + 3 * gear->cubic * d * d;
}

/* d2F/dd2 */
static inline double zi_gear_second(const zvFlexibleJoint *gear, double d) {
    return gear->points ? zi_gear_law(gear, d).second : 6 * gear->cubic * d;
}

/* The deflection that carries a force: the only root, by Cardano's formula in the form of hyperbolic sines, and one
 * step of Newton for what rounding left of it. */
static inline double zi_gear_deflection(const zvFlexibleJoint *gear, double F) {
    const double k = gear->stiffness, c = gear->cubic;
    if (gear->points) return zi_gear_law_deflection(gear, F);
    if (c == 0) return F / k;
    const double scale = sqrt(k / (3 * c)), d = 2 * scale * sinh(asinh(1.5 * F / (k * scale)) / 3);
    return d - (zi_gear_force(gear, d) - F) / zi_gear_tangent(gear, d);
}

#endif
