/* The cycloidal law: velocity and acceleration vanish at both ends. [Gevorkian] */
#include <math.h>

#include "motion/arguments.h"
#include "motion/blend.h"

static const double two_pi = 6.283185307179586476925;

zvLaw *zv_law_cycloidal(int width, double start, double duration, const double *from, const double *to,
                        zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_span(start, duration, error) ||
        !zi_argument_array("the start point", 1, width, from, error) ||
        !zi_argument_array("the end point", 1, width, to, error))
        return NULL;
    zvLaw *law = zi_law_new(ZI_LAW_CYCLOIDAL, width, 2, 0, error);
    if (!law) return NULL;
    law->begin = start;
    law->end = start + duration;
    zi_blend_set(law, from, to);
    const double rate = 1 / (law->end - law->begin);
    return zi_law_refuse_overflow(law, zi_blend_longest(law) * (1 + two_pi * rate * rate), error);
}

void zi_cycloidal_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    ziBlend blend = {0};
    const double rate = 1 / (law->end - law->begin);
    blend.from_end = t - law->begin >= law->end - t;
    if (t >= law->begin && t < law->end) {
        const double s = (blend.from_end ? law->end - t : t - law->begin) * rate;
        const double sine = sin(two_pi * s), half = sin(two_pi / 2 * s);
        blend.f = s - sine / two_pi;
        blend.df = 2 * half * half * rate;
        blend.ddf = (blend.from_end ? -two_pi : two_pi) * sine * rate * rate;
    }
    zi_blend_add(law, blend, x, dx, ddx);
}

double zi_cycloidal_next_break(const zvLaw *law, double t) {
    return t < law->begin ? law->begin : t < law->end ? law->end : INFINITY;
}
