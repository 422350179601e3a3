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

static const ziSetKind *kind_of(zvShapes shapes, zvBeamMotion motion) {
    return &kinds[shapes][motion == ZV_BEAM_TWIST || motion == ZV_BEAM_EXTEND];
}

int zi_shape_most(zvShapes shapes, zvBeamMotion motion) { return kind_of(shapes, motion)->most; }

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

void zi_shape_set(const zvBeam *beam, zvBeamMotion motion, ziShapeSet *set) {
    const ziSetKind *kind = kind_of(beam->shapes, motion);
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
    const ziSetKind *kind = kind_of(set->shapes, set->motion);
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
        if (kind_of(beam->shapes, (zvBeamMotion)motion)->root && beam->modes[motion] > waves)
            waves = beam->modes[motion];
    }
    return 1 + (waves + 1) / 2;
}
