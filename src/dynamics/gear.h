/* The spring of a flexible joint: a law of its deflection d, stiffness d + cubic d^3. */
#ifndef ZI_DYNAMICS_GEAR_H
#define ZI_DYNAMICS_GEAR_H

#include <math.h>

#include "zveno/model.h"

static inline double zi_gear_force(const zvFlexibleJoint *gear, double d) {
    return (gear->stiffness + gear->cubic * d * d) * d;
}

static inline double zi_gear_energy(const zvFlexibleJoint *gear, double d) {
    return (0.5 * gear->stiffness + 0.25 * gear->cubic * d * d) * d * d;
}

/* dF/dd */
static inline double zi_gear_tangent(const zvFlexibleJoint *gear, double d) {
    return gear->stiffness + 3 * gear->cubic * d * d;
}

/* d2F/dd2 */
static inline double zi_gear_second(const zvFlexibleJoint *gear, double d) { return 6 * gear->cubic * d; }

/* The deflection that carries a force: the only root, by Cardano's formula in the form of hyperbolic sines, and one
 * step of Newton for what rounding left of it. */
static inline double zi_gear_deflection(const zvFlexibleJoint *gear, double force) {
    const double k = gear->stiffness, c = gear->cubic;
    if (c == 0) return force / k;
    const double scale = sqrt(k / (3 * c)), d = 2 * scale * sinh(asinh(1.5 * force / (k * scale)) / 3);
    return d - (zi_gear_force(gear, d) - force) / zi_gear_tangent(gear, d);
}

#endif
