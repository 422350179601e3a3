/* The sets of shape functions: one row of a table each. */
#include "beam/shapes.h"

#include <math.h>

static double power(double s, int exponent) {
    double p = 1;
    for (int i = 0; i < exponent; i++) p *= s;
    return p;
}

/* s^m */
static ziModeShape monomial(double s, int m) {
    ziModeShape f = {power(s, m), m * power(s, m - 1), 0, 0};
    f.turn = f.slope;
    f.bend = m > 1 ? m * (m - 1) * power(s, m - 2) : 0;
    return f;
}

static ziModeShape bending_power(const ziShapeSet *set, int k, double s) {
    (void)set;
    return monomial(s, k + 2);
}

static ziModeShape straight_power(const ziShapeSet *set, int k, double s) {
    (void)set;
    return monomial(s, k + 1);
}

/* [Gevorkian] (9), (11) */
static ziModeShape gevorkian(const ziShapeSet *set, int k, double s) {
    (void)set;
    ziModeShape f = {s * s * (3 - 2 * s), 6 * s * (1 - s), 0, 6 - 12 * s};
    if (k == 1) {
        f.value = s * s * (-5 + s * (14 - 8 * s));
        f.slope = s * (-10 + s * (42 - 32 * s));
        f.bend = -10 + s * (84 - 96 * s);
    }
    f.turn = f.slope;
    return f;
}

typedef struct ziSetKind {
    int most;                          /* functions there are; of powers more are not told apart in doubles: */
    double (*root)(int k, double tip); /* NULL: polynomials */
    ziModeShape (*at)(const ziShapeSet *set, int k, double s);
} ziSetKind;

/* The Gram matrix of the powers, scaled to unit diagonal, has 5.2e-10 as its least pivot with seven powers from s^2 on
 * (6.6e-9 from s on) and 1.3e-11 (1.4e-10) with eight: seven leave six digits of it. Nine leave three, and rounding
 * noise in the accelerations keeps integrators of high order at the smallest steps. */
enum { MOST_POWERS = 7 };

/* rows: bending; twist and extension */
static const ziSetKind kinds[ZV_SHAPES_COUNT][2] = {
    [ZV_SHAPES_POWERS] = {{MOST_POWERS, NULL, bending_power}, {MOST_POWERS, NULL, straight_power}},
    [ZV_SHAPES_GEVORKIAN] = {{2, NULL, gevorkian}, {MOST_POWERS, NULL, straight_power}},
    [ZV_SHAPES_CLAMPED_FREE] = {{ZV_MAX_MODES, zi_root_clamped, zi_shape_clamped},
                                {ZV_MAX_MODES, zi_root_rod, zi_shape_sine}},
    [ZV_SHAPES_CLAMPED_TIP_MASS] = {{ZV_MAX_MODES, zi_root_clamped, zi_shape_clamped},
                                    {ZV_MAX_MODES, zi_root_rod, zi_shape_sine}},
    [ZV_SHAPES_PINNED_PINNED] = {{ZV_MAX_MODES, zi_root_pinned, zi_shape_sine},
                                 {ZV_MAX_MODES, zi_root_pinned, zi_shape_sine}},
    [ZV_SHAPES_CUBIC] = {{2, NULL, zi_shape_cubic}, {1, NULL, straight_power}},
};

static const ziSetKind *set_kind(zvShapes shapes, zvBeamMotion motion) {
    return &kinds[shapes][motion == ZV_BEAM_TWIST || motion == ZV_BEAM_EXTEND];
}

int zi_shape_most(zvShapes shapes, zvBeamMotion motion) { return set_kind(shapes, motion)->most; }

static double shear_of(const zvBeam *beam, zvBeamMotion motion) {
    const double EI = motion == ZV_BEAM_BEND_Y ? beam->EIz : beam->EIy,
                 kGA = motion == ZV_BEAM_BEND_Y ? beam->kGAy : beam->kGAz;
    if (beam->shapes != ZV_SHAPES_CUBIC || motion > ZV_BEAM_BEND_Z || !(kGA > 0)) return 0;
    return 12 * EI / (kGA * beam->length * beam->length);
}

static double tip_of(const zvBeam *beam, zvBeamMotion motion) {
    if (beam->shapes != ZV_SHAPES_CLAMPED_TIP_MASS) return 0;
    if (motion == ZV_BEAM_TWIST) return beam->tip_inertia / ((beam->rhoIy + beam->rhoIz) * beam->length);
    return beam->tip_mass / (beam->rhoA * beam->length);
}

/* Makes the tip move by 1. Under a huge tip mass it hardly moves in any but the first function; that counts as not. */
static double scale_of(const ziShapeSet *set, int k, double tip_value) {
    if (set->shapes == ZV_SHAPES_PINNED_PINNED) return 1;
    return k == 0 || fabs(tip_value) > 1e-6 ? 1 / tip_value : 1;
}

/* Roots and scales are found once, so that evaluation along the beam is cheap. */
void zi_shape_set(const zvBeam *beam, zvBeamMotion motion, ziShapeSet *set) {
    const ziSetKind *kind = set_kind(beam->shapes, motion);
    set->shapes = beam->shapes;
    set->motion = motion;
    set->count = beam->modes[motion] > 0 ? beam->modes[motion] : 0;
    set->length = beam->length;
    set->shear = shear_of(beam, motion);
    set->tip = tip_of(beam, motion);
    for (int k = 0; k < set->count; k++) {
        set->root[k] = kind->root ? kind->root(k, set->tip) : 0;
        set->scale[k] = kind->root ? scale_of(set, k, kind->at(set, k, 1).value) : 1;
    }
}

void zi_shape_at(const ziShapeSet *set, double s, ziModeShape *shape) {
    const ziSetKind *kind = set_kind(set->shapes, set->motion);
    for (int k = 0; k < set->count; k++) {
        const ziModeShape f = kind->at(set, k, s);
        const double first = set->scale[k] / set->length, second = first / set->length;
        shape[k] = (ziModeShape){set->scale[k] * f.value, first * f.slope, first * f.turn, second * f.bend};
    }
}

/* Sixteen Gauss points integrate two full waves to rounding, and a product of two functions has two waves where each
 * has one; function k has about k/2. */
int zi_shape_panels(const zvBeam *beam) {
    int waves = 0;
    for (int motion = 0; motion < ZV_BEAM_MOTIONS; motion++) {
        if (set_kind(beam->shapes, (zvBeamMotion)motion)->root && beam->modes[motion] > waves)
            waves = beam->modes[motion];
    }
    return 1 + (waves + 1) / 2;
}

/* Interface modes of a finite element, clamped at s = 0: exact for forces and moments at the tip, with shear
 * (Timoshenko). Function 0 moves the tip without turning its section, function 1 turns the section without moving it.
 * With P = 12 EI / (kGA L^2) the shear strain slope - turn is constant along the beam. */

/* Function k at s, with its slope, the turn of the section and the curvature. */
ziModeShape zi_shape_cubic(const ziShapeSet *set, int k, double s) {
    const double P = set->shear, scale = (k == 0 ? 1 : set->length) / (1 + P);
    ziModeShape f;
    if (k == 0) {
        f.value = scale * s * (P + s * (3 - 2 * s));
        f.turn = scale * 6 * s * (1 - s);
        f.slope = f.turn + scale * P;
        f.bend = scale * (6 - 12 * s);
    } else {
        f.value = scale * s * (s * (s - 1 + P / 2) - P / 2);
        f.turn = scale * s * (3 * s - 2 + P);
        f.slope = f.turn - scale * P / 2;
        f.bend = scale * (6 * s - 2 + P);
    }
    return f;
}

/* Eigenfunctions of beams, rods and shafts that are clamped at s = 0 and free, or carry a mass, at s = 1. */

static const double pi = 3.14159265358979323846;

/* A function and its derivative at beta. */
typedef struct ziSlope {
    double f, df;
} ziSlope;

/* 1/cosh + cos + tip beta (cos tanh - sin): vanishing shear force at the tip but for that of the mass there. */
static ziSlope bending_residue(double beta, double tip) {
    const double c = cos(beta), s = sin(beta), h = 1 / cosh(beta), t = tanh(beta);
    const double swing = c * t - s;
    return (ziSlope){h + c + tip * beta * swing, -h * t - s + tip * (swing + beta * (c * (h * h - 1) - s * t))};
}

/* cos - tip beta sin */
static ziSlope rod_residue(double beta, double tip) {
    const double c = cos(beta), s = sin(beta);
    return (ziSlope){c - tip * beta * s, -s - tip * (s + beta * c)};
}

/* The one zero between k pi and (k + 1) pi by Newton's method; where a step would leave the bracket, by halving it. */
static double root_between(ziSlope (*residue)(double beta, double tip), int k, double tip) {
    const double sign = k % 2 ? -1 : 1; /* of the residue at k pi */
    double low = k * pi, high = (k + 1) * pi, beta = low + pi / 2;
    for (int step = 0; step < 200; step++) {
        const ziSlope r = residue(beta, tip);
        if (r.f == 0) break;
        if (sign * r.f > 0)
            low = beta;
        else
            high = beta;
        double next = beta - r.f / r.df;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        const bool same = fabs(next - beta) <= 2e-16 * next;
        beta = next;
        if (same) break;
    }
    return beta;
}

double zi_root_clamped(int k, double tip) { return root_between(bending_residue, k, tip); }

double zi_root_rod(int k, double tip) { return tip > 0 ? root_between(rod_residue, k, tip) : (k + 0.5) * pi; }

double zi_root_pinned(int k, double tip) {
    (void)tip;
    return (k + 1) * pi;
}

ziModeShape zi_shape_sine(const ziShapeSet *set, int k, double s) {
    const double beta = set->root[k], wave = sin(beta * s);
    ziModeShape f = {wave, beta * cos(beta * s), 0, -beta * beta * wave};
    f.turn = f.slope;
    return f;
}

/* cosh x - cos x and sinh x - sin x for x < 1, without their cancellation */
static double even_difference(double x) {
    const double y = x * x * x * x;
    return x * x * (1 + y / 360 * (1 + y / 5040 * (1 + y / 24024)));
}
static double odd_difference(double x) {
    const double y = x * x * x * x;
    return x * x * x / 3 * (1 + y / 840 * (1 + y / 7920 * (1 + y / 32760)));
}

/* phi = cosh - cos - sigma (sinh - sin), of beta s; sigma makes the moment at the tip vanish. */
static ziModeShape slow_wave(double beta, double s) {
    const double x = beta * s, sigma = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta));
    ziModeShape f;
    f.value = even_difference(x) - sigma * odd_difference(x);
    f.slope = beta * (sinh(x) + sin(x) - sigma * even_difference(x));
    f.bend = beta * beta * (cosh(x) + cos(x) - sigma * (sinh(x) + sin(x)));
    f.turn = f.slope;
    return f;
}

/* The same by exponentials that decay from either end: nothing overflows and nothing large is subtracted. */
static ziModeShape fast_wave(double beta, double s) {
    const double tail = exp(-beta), c1 = cos(beta), s1 = sin(beta);
    const double tip = (s1 - c1 - tail) / (1 - tail * tail + 2 * tail * s1); /* (1 - sigma) e^beta / 2 */
    const double sigma = 1 - 2 * tip * tail;
    const double near = 0.5 * (1 + sigma) * exp(-beta * s), far = tip * exp(-beta * (1 - s));
    const double c = cos(beta * s), n = sin(beta * s);
    ziModeShape f;
    f.value = far + near - c + sigma * n;
    f.slope = beta * (far - near + n + sigma * c);
    f.bend = beta * beta * (far + near + c - sigma * n);
    f.turn = f.slope;
    return f;
}

ziModeShape zi_shape_clamped(const ziShapeSet *set, int k, double s) {
    const double beta = set->root[k];
    return beta < 1 ? slow_wave(beta, s) : fast_wave(beta, s);
}
