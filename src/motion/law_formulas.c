/* Laws given by a formula: polynomials, harmonics, polynomials with conditions at both ends, cycloids, trapezoids. */
#include "motion/law.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Constants and polynomials in t - start, for all t. */

/* Powers of t - start, for all t. */
zvLaw *zv_law_polynomial(int width, double start, int count, const double *coefficients, zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_finite("the start", start, error) ||
        !zi_argument_count("coefficients", count, 1, INT_MAX, error) ||
        !zi_argument_array("the list of coefficients", count, width, coefficients, error))
        return NULL;
    zvLaw *law = zi_law_new(ZI_LAW_POLYNOMIAL, width, (uint64_t)count, 0, error);
    if (!law) return NULL;
    law->order = count;
    law->begin = start;
    memcpy(law->numbers, coefficients, (size_t)count * (size_t)width * sizeof *coefficients);
    return law;
}

zvLaw *zv_law_constant(int width, const double *value, zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_array("the value", 1, width, value, error)) return NULL;
    return zv_law_polynomial(width, 0, 1, value, error);
}

void zi_polynomial_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    zi_horner_add(law->width, law->order, law->numbers, t - law->begin, 1, x, dx, ddx);
}

double zi_polynomial_next_break(const zvLaw *law, double t) {
    (void)law;
    (void)t;
    return INFINITY;
}

/* Harmonic motion, entry by entry, for all t. */

/* Entry by entry offset + amplitude sin(frequency (t - start) + phase). */
zvLaw *zv_law_harmonic(int width, double start, const double *offset, const double *amplitude, const double *frequency,
                       const double *phase, zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_finite("the start", start, error) ||
        !zi_argument_array("the offset", 1, width, offset, error) ||
        !zi_argument_array("the amplitude", 1, width, amplitude, error) ||
        !zi_argument_array("the frequency", 1, width, frequency, error) ||
        !zi_argument_array("the phase", 1, width, phase, error))
        return NULL;
    zvLaw *law = zi_law_new(ZI_LAW_HARMONIC, width, 4, 0, error);
    if (!law) return NULL;
    law->begin = start;
    const double *rows[] = {offset, amplitude, frequency, phase};
    double greatest = 0;
    for (int k = 0; k < 4; k++) memcpy(law->numbers + k * (size_t)width, rows[k], (size_t)width * sizeof(double));
    for (int i = 0; i < width; i++)
        greatest =
            fmax(greatest, fabs(offset[i]) + fabs(amplitude[i]) + fabs(amplitude[i] * frequency[i] * frequency[i]));
    return zi_law_refuse_overflow(law, greatest, error);
}

void zi_harmonic_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    const size_t width = (size_t)law->width;
    const double *offset = law->numbers, *amplitude = offset + width, *frequency = amplitude + width;
    const double *phase = frequency + width;
    for (size_t i = 0; i < width; i++) {
        const double angle = frequency[i] * (t - law->begin) + phase[i], swing = amplitude[i] * sin(angle);
        x[i] += offset[i] + swing;
        if (dx) dx[i] += amplitude[i] * frequency[i] * cos(angle);
        if (ddx) ddx[i] -= swing * frequency[i] * frequency[i];
    }
}

double zi_harmonic_next_break(const zvLaw *law, double t) {
    (void)law;
    (void)t;
    return INFINITY;
}

/* What a first-order filter makes of a step: entry by entry from one value to another, with a time constant. */

/* Entry by entry to + (from - to) exp(-(t - start) / time). */
zvLaw *zv_law_exponential(int width, double start, const double *from, const double *to, const double *time,
                          zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_finite("the start", start, error) ||
        !zi_argument_array("the start point", 1, width, from, error) ||
        !zi_argument_array("the end point", 1, width, to, error) ||
        !zi_argument_positive("the list of time constants", width, time, error))
        return NULL;
    zvLaw *law = zi_law_new(ZI_LAW_EXPONENTIAL, width, 3, 0, error);
    if (!law) return NULL;
    law->begin = start;
    const double *rows[] = {from, to, time};
    double greatest = 0;
    for (int k = 0; k < 3; k++) memcpy(law->numbers + k * (size_t)width, rows[k], (size_t)width * sizeof(double));
    for (int i = 0; i < width; i++) greatest = fmax(greatest, fabs(to[i] - from[i]) * (1 + 1 / (time[i] * time[i])));
    return zi_law_refuse_overflow(law, greatest, error);
}

/* At rest before the start. */
void zi_exponential_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    const size_t width = (size_t)law->width;
    const double *from = law->numbers, *to = from + width, *time = to + width;
    for (size_t i = 0; i < width; i++) {
        const bool begun = t >= law->begin;
        const double left = begun ? (from[i] - to[i]) * exp(-(t - law->begin) / time[i]) : 0;
        x[i] += begun ? to[i] + left : from[i];
        if (dx) dx[i] -= left / time[i];
        if (ddx) ddx[i] += left / time[i] / time[i];
    }
}

double zi_exponential_next_break(const zvLaw *law, double t) { return t < law->begin ? law->begin : INFINITY; }

/* The polynomial of least degree with given derivatives at both ends. It is kept twice, expanded about either end, and
 * evaluated from the nearer one: the conditions hold to the last digit at both ends, and high powers, whose
 * coefficients are large and of alternating sign, only see |s| <= 1/2. */

/* Taylor coefficients of one entry in s = (t - start) / duration: derivative k times duration^k / k!. */
static void taylor(int count, const double *rows, int width, int entry, double duration, double *c) {
    double scale = 1;
    for (int k = 0; k < count; k++) {
        c[k] = rows[k * (size_t)width + (size_t)entry] * scale;
        scale *= duration / (k + 1);
    }
}

/* Changes the sign of the argument: s to -s. */
static void mirror(int count, double *c) {
    for (int k = 1; k < count; k += 2) c[k] = -c[k];
}

/* Both expansions of one entry; the values are taken relative to the start, so that a large common part costs nothing.
 */
static void expand(zvLaw *law, int entry, int m, const double *from, int n, const double *to) {
    double a[2 * ZI_MOST_CONDITIONS], b[2 * ZI_MOST_CONDITIONS];
    const size_t width = (size_t)law->width;
    const double duration = law->end - law->begin;
    taylor(m, from, law->width, entry, duration, a);
    taylor(n, to, law->width, entry, duration, b);
    const double x0 = a[0], x1 = b[0];
    a[0] = 0;
    b[0] = x1 - x0;
    zi_two_point(m, a, n, b);
    /* Seen from the end backwards, s' = 1 - s, the roles change and odd derivatives change sign. */
    a[0] = x0 - x1;
    b[0] = 0;
    mirror(m, a);
    mirror(n, b);
    zi_two_point(n, b, m, a);
    mirror(m, a);
    mirror(law->order, b);
    a[0] = x0;
    b[0] = x1;
    double *head = law->numbers + entry, *tail = head + (size_t)law->order * width;
    for (size_t k = 0; k < (size_t)law->order; k++) {
        head[k * width] = a[k];
        tail[k * width] = b[k];
    }
}

/* Kept twice, expanded about either end. */
zvLaw *zv_law_boundary(int width, double start, double duration, int from_count, const double *from, int to_count,
                       const double *to, zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_span(start, duration, error) ||
        !zi_argument_count("conditions at the start", from_count, 1, ZI_MOST_CONDITIONS, error) ||
        !zi_argument_count("conditions at the end", to_count, 1, ZI_MOST_CONDITIONS, error) ||
        !zi_argument_array("the list of start conditions", from_count, width, from, error) ||
        !zi_argument_array("the list of end conditions", to_count, width, to, error))
        return NULL;
    const int order = from_count + to_count;
    zvLaw *law = zi_law_new(ZI_LAW_BOUNDARY, width, 2 * (uint64_t)order, 0, error);
    if (!law) return NULL;
    law->order = order;
    law->begin = start;
    law->end = start + duration;
    for (int i = 0; i < width; i++) expand(law, i, from_count, from, to_count, to);
    return zi_law_refuse_overflow(law, zi_horner_bound(width, 2 * order, law->numbers, 1 / (law->end - law->begin)),
                                  error);
}

/* From the nearer end; beyond both it rests. */
void zi_boundary_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    const double *head = law->numbers, *tail = head + (size_t)law->order * (size_t)law->width;
    const double rate = 1 / (law->end - law->begin);
    if (t >= law->end) {
        zi_horner_add(law->width, 1, tail, 0, 0, x, NULL, NULL);
    } else if (!(t >= law->begin)) {
        zi_horner_add(law->width, 1, head, 0, 0, x, NULL, NULL);
    } else if (t - law->begin < law->end - t) {
        zi_horner_add(law->width, law->order, head, (t - law->begin) * rate, rate, x, dx, ddx);
    } else {
        zi_horner_add(law->width, law->order, tail, (t - law->end) * rate, rate, x, dx, ddx);
    }
}

double zi_boundary_next_break(const zvLaw *law, double t) {
    return t < law->begin ? law->begin : t < law->end ? law->end : INFINITY;
}

/* Motions from one point to another along the straight line between them: x = from + (to - from) f(s), where the shape
 * f grows from 0 to 1 and f(1 - s) = 1 - f(s). The numbers of such a law begin with `from` and `to`. */

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
        const double span = to[i] - from[i];
        x[i] += blend.from_end ? to[i] - span * blend.f : from[i] + span * blend.f;
        if (dx) dx[i] += span * blend.df;
        if (ddx) ddx[i] += span * blend.ddf;
    }
}

/* The greatest |to - from|, not finite when one overflows. */
static inline double zi_blend_longest(const zvLaw *law) {
    const double *from = law->numbers, *to = from + law->width;
    double longest = 0;
    for (int i = 0; i < law->width; i++) longest = fmax(longest, fabs(to[i] - from[i]));
    return longest;
}

/* The cycloidal law: velocity and acceleration vanish at both ends. [Gevorkian] */

static const double two_pi = 6.283185307179586476925;

/* Only the ends are kept: the shape is a formula. */
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

/* Measured from the nearer end, so that nothing cancels near the ends. */
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

/* Trapezoidal velocity: constant acceleration, cruise, constant deceleration. */

/* What follows `from` and `to`: the share of the time spent accelerating, the times at which cruising begins and ends.
 */
enum { SHARE, CRUISE, BRAKE, NUMBERS };

static const double *profile_of(const zvLaw *law) { return law->numbers + 2 * (size_t)law->width; }

/* Keeps ends and shares; overflow of the greatest acceleration is refused. */
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

/* share is the part of the duration that accelerates, as much again decelerates. */
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
                "the share of time spent accelerating: expected above 0 and at most 0.5, found %g; give half of the "
                "duration at most",
                share);
        return NULL;
    }
    return make(width, start, duration, share, from, to, error);
}

/* The greatest rate of progress f for which no entry exceeds its limit; infinite when nothing moves. */
static double progress_limit(int width, const double *limit, const double *from, const double *to) {
    double least = INFINITY;
    for (int i = 0; i < width; i++) {
        const double span = fabs(to[i] - from[i]);
        if (span > 0) least = fmin(least, fmin(limit[i] / span, DBL_MAX));
    }
    return least;
}

/* The slowest entry decides the duration; all arrive together. */
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

/* Measured from the nearer end: both halves are one formula. */
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
