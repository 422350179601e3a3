/* Trapezoidal velocity: constant acceleration, cruise, constant deceleration. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "motion/arguments.h"
#include "motion/blend.h"

/* What follows `from` and `to`: the share of the time spent accelerating, the times at which cruising begins and ends.
 */
enum { SHARE, CRUISE, BRAKE, NUMBERS };

static const double *profile_of(const zvLaw *law) { return law->numbers + 2 * (size_t)law->width; }

static zvLaw *make(int width, double start, double duration, double share, const double *from, const double *to,
                   zvError *error) {
    zvLaw *law = zi_law_new(ZI_LAW_TRAPEZOIDAL, width, 2, NUMBERS, error);
    if (!law) return NULL;
    law->begin = start;
    law->end = start + duration;
    zi_blend_set(law, from, to);
    double *profile = law->numbers + 2 * (size_t)width;
    const double span = law->end - law->begin;
    profile[SHARE] = share;
    profile[CRUISE] = law->begin + share * span;
    profile[BRAKE] = law->end - share * span;
    if (share == 0.5 || profile[CRUISE] > profile[BRAKE]) profile[CRUISE] = profile[BRAKE] = law->begin + 0.5 * span;
    const double acceleration = 1 / (share * (1 - share) * span * span);
    return zi_law_refuse_overflow(law, zi_blend_longest(law) * (1 + acceleration), error);
}

zvLaw *zv_law_trapezoidal(int width, double start, double duration, double share, const double *from, const double *to,
                          zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_span(start, duration, error) ||
        !zi_argument_finite("the share", share, error) ||
        !zi_argument_array("the start point", 1, width, from, error) ||
        !zi_argument_array("the end point", 1, width, to, error))
        return NULL;
    if (!(share > 0 && share <= 0.5)) {
        char token[32];
        snprintf(token, sizeof token, "%.9g", share);
        zv_fail(error, ZV_NUMBER, (zvMark){0}, token,
                "the share of time spent accelerating is %g; it must be above 0 and at most 0.5", share);
        return NULL;
    }
    return make(width, start, duration, share, from, to, error);
}

/* The greatest rate of progress f for which no entry exceeds its limit; infinite when nothing moves. */
static double progress_limit(int width, const double *limit, const double *from, const double *to) {
    double least = INFINITY;
    for (int i = 0; i < width; i++) {
        const double way = fabs(to[i] - from[i]);
        if (way > 0) least = fmin(least, fmin(limit[i] / way, DBL_MAX));
    }
    return least;
}

zvLaw *zv_law_trapezoidal_limits(int width, double start, const double *velocity, const double *acceleration,
                                 const double *from, const double *to, zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_finite("the start", start, error) ||
        !zi_argument_array("the start point", 1, width, from, error) ||
        !zi_argument_array("the end point", 1, width, to, error) ||
        !zi_argument_positive("the list of velocity limits", width, velocity, error) ||
        !zi_argument_positive("the list of acceleration limits", width, acceleration, error))
        return NULL;
    const double v = progress_limit(width, velocity, from, to), a = progress_limit(width, acceleration, from, to);
    if (isinf(v)) return zv_law_constant(width, from, error); /* nothing moves */
    /* Without room to cruise the velocity rises and falls at the acceleration limit and never reaches its own. */
    const double rise = v / a;
    const int cruises = v * rise < 1;
    const double duration = cruises ? 1 / v + rise : 2 / sqrt(a);
    if (!zi_argument_span(start, duration, error)) return NULL;
    return make(width, start, duration, cruises ? fmax(rise / duration, DBL_MIN) : 0.5, from, to, error);
}

void zi_trapezoidal_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    const double *profile = profile_of(law);
    const double share = profile[SHARE], rate = 1 / (law->end - law->begin);
    const double cruise = rate / (1 - share), pull = cruise * rate / share; /* velocity, acceleration of f */
    ziBlend blend = {0};
    blend.from_end = t - law->begin >= law->end - t;
    if (t >= law->begin && t < law->end) {
        const double u = blend.from_end ? law->end - t : t - law->begin;
        if (t >= profile[CRUISE] && t < profile[BRAKE]) {
            blend.f = cruise * (u - 0.5 * share / rate);
            blend.df = cruise;
        } else {
            blend.f = 0.5 * pull * u * u;
            blend.df = pull * u;
            blend.ddf = t < profile[CRUISE] ? pull : -pull;
        }
    }
    zi_blend_add(law, blend, x, dx, ddx);
}

double zi_trapezoidal_next_break(const zvLaw *law, double t) {
    const double *profile = profile_of(law);
    const double times[] = {law->begin, profile[CRUISE], profile[BRAKE], law->end};
    for (int i = 0; i < 4; i++)
        if (t < times[i]) return times[i];
    return INFINITY;
}
