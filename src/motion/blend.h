/* Motions from one point to another along the straight line between them: x = from + (to - from) f(s), where the shape
 * f grows from 0 to 1 and f(1 - s) = 1 - f(s). The numbers of such a law begin with `from` and `to`. */
#ifndef ZI_MOTION_BLEND_H
#define ZI_MOTION_BLEND_H

#include <math.h>
#include <string.h>

#include "motion/law.h"

/* How far the motion is: f counted from the start or, in the second half, from the end, where `to` - x would lose its
 * digits otherwise; df and ddf are derivatives by t. */
typedef struct ziBlend {
    int from_end;
    double f, df, ddf;
} ziBlend;

static inline void zi_blend_set(zvLaw *law, const double *from, const double *to) {
    const size_t size = (size_t)law->width * sizeof *from;
    memcpy(law->numbers, from, size);
    memcpy(law->numbers + law->width, to, size);
}

static inline void zi_blend_add(const zvLaw *law, ziBlend blend, double *x, double *dx, double *ddx) {
    const double *from = law->numbers, *to = from + law->width;
    for (int i = 0; i < law->width; i++) {
        const double way = to[i] - from[i];
        x[i] += blend.from_end ? to[i] - way * blend.f : from[i] + way * blend.f;
        if (dx) dx[i] += way * blend.df;
        if (ddx) ddx[i] += way * blend.ddf;
    }
}

/* The greatest |to - from|, not finite when one overflows. */
static inline double zi_blend_longest(const zvLaw *law) {
    const double *from = law->numbers, *to = from + law->width;
    double longest = 0;
    for (int i = 0; i < law->width; i++) longest = fmax(longest, fabs(to[i] - from[i]));
    return longest;
}

#endif
