/* Laws of gears through points: cubic pieces whose slopes are those of [Fritsch], so that the torque rises with the
 * deflection wherever the points do, with a continuous slope; straight beyond the last point, odd. And the axes of
 * rotors. */
#include "model/gear.h"

/* One piece from (d0, F0) with slope m0 over the width h to a rise of `rise` and slope m1: F0 + m0 x + b x^2 + c x^3.
 * stored is the energy up to d0. */
typedef struct GearPiece {
    double d0, F0, m0, b, c, h, stored;
} GearPiece;

static zvGearPoint point_of(const zvFlexibleJoint *gear, int i) {
    return i == 0 ? (zvGearPoint){0, 0} : gear->law[i - 1];
}

static double secant(const zvFlexibleJoint *gear, int i) {
    const zvGearPoint a = point_of(gear, i), b = point_of(gear, i + 1);
    return (b.torque - a.torque) / (b.deflection - a.deflection);
}

/* Between two pieces the weighted harmonic mean of their secants, at the last point the secant of its piece. */
static double slope(const zvFlexibleJoint *gear, int i) {
    if (i == 0) return gear->stiffness;
    if (i == gear->points) return secant(gear, i - 1);
    const double h0 = point_of(gear, i).deflection - point_of(gear, i - 1).deflection,
                 h1 = point_of(gear, i + 1).deflection - point_of(gear, i).deflection, s0 = secant(gear, i - 1),
                 s1 = secant(gear, i);
    return 3 * (h0 + h1) / ((2 * h1 + h0) / s0 + (h1 + 2 * h0) / s1);
}

static GearPiece piece_of(const zvFlexibleJoint *gear, int i) {
    const zvGearPoint from = point_of(gear, i);
    GearPiece p = {.d0 = from.deflection, .F0 = from.torque, .m0 = slope(gear, i), .h = INFINITY};
    if (i == gear->points) return p;
    const double s = secant(gear, i), m1 = slope(gear, i + 1);
    p.h = point_of(gear, i + 1).deflection - from.deflection;
    p.b = (3 * s - 2 * p.m0 - m1) / p.h;
    p.c = (p.m0 + m1 - 2 * s) / (p.h * p.h);
    return p;
}

static double energy_in(const GearPiece *p, double x) {
    return x * (p->F0 + x * (p->m0 / 2 + x * (p->b / 3 + x * p->c / 4)));
}

/* The piece in which `value` lies, of deflections or, by force, of torques. */
static GearPiece find_piece(const zvFlexibleJoint *gear, double value, bool by_force) {
    double stored = 0;
    for (int i = 0;; i++) {
        GearPiece p = piece_of(gear, i);
        p.stored = stored;
        if (i == gear->points) return p;
        const zvGearPoint end = point_of(gear, i + 1);
        if (value <= (by_force ? end.torque : end.deflection)) return p;
        stored += energy_in(&p, p.h);
    }
}

static double force_in(const GearPiece *p, double x) { return p->F0 + x * (p->m0 + x * (p->b + x * p->c)); }
static double tangent_in(const GearPiece *p, double x) { return p->m0 + x * (2 * p->b + x * 3 * p->c); }

ziGearLaw zi_gear_law(const zvFlexibleJoint *gear, double d) {
    const GearPiece p = find_piece(gear, fabs(d), false);
    const double x = fabs(d) - p.d0;
    return (ziGearLaw){p.stored + energy_in(&p, x), copysign(force_in(&p, x), d), tangent_in(&p, x),
                       (d < 0 ? -1 : 1) * (2 * p.b + 6 * p.c * x)};
}

/* Newton's steps, halved back into the bracket where they leave it. */
double zi_gear_law_deflection(const zvFlexibleJoint *gear, double F) {
    const double size = fabs(F);
    const GearPiece p = find_piece(gear, size, true);
    if (p.h == INFINITY) return copysign(p.d0 + (size - p.F0) / p.m0, F);
    double low = 0, high = p.h, x = p.h * (size - p.F0) / (force_in(&p, p.h) - p.F0);
    for (int k = 0; k < 100; k++) {
        const double off = force_in(&p, x) - size;
        if (off > 0) high = x;
        if (off <= 0) low = x;
        double next = x - off / tangent_in(&p, x);
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        if (next == x) break;
        x = next;
    }
    return copysign(p.d0 + x, F);
}

int zi_gear_law_fault(const zvFlexibleJoint *gear) {
    if (gear->points < 0 || gear->points > ZV_GEAR_POINTS) return 0;
    for (int i = 0; i < gear->points; i++) {
        const zvGearPoint a = point_of(gear, i), b = point_of(gear, i + 1);
        if (!(b.deflection > a.deflection && b.torque > a.torque) || !isfinite(b.deflection) || !isfinite(b.torque))
            return i;
    }
    return gear->points && !(gear->stiffness <= 3 * secant(gear, 0)) ? 0 : -1;
}

void zi_rotor_axis(const zvJoint *joint, double axis[3]) {
    const double *a = joint->flexible->rotor_axis, length = zi_rotor_length(joint->flexible);
    for (int i = 0; i < 3; i++) {
        const double *row = joint->origin.R + 3 * i;
        axis[i] = (row[0] * a[0] + row[1] * a[1] + row[2] * a[2]) / length;
    }
}

void zi_rotor_take(const zvJoint *joint, double moment[6]) {
    double z[3];
    zi_rotor_axis(joint, z);
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = i; j < 3; j++, k++) moment[k] -= joint->flexible->inertia * z[i] * z[j];
}
