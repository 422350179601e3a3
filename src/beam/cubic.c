/* Interface modes of a finite element, clamped at s = 0: exact for forces and moments at the tip, with shear
 * (Timoshenko). Function 0 moves the tip without turning its section, function 1 turns the section without moving it.
 * With P = 12 EI / (kGA L^2) the shear strain slope - turn is constant along the beam. */
#include "beam/shapes.h"

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
