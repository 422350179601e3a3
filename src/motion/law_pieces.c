/* Laws in pieces between knots: tables, Hermite pieces, cubic splines. */
#include "motion/law.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chains of polynomials between ascending knots: splines, Hermite pieces, tables. Piece k, from knot k to knot k + 1,
 * is a polynomial in u = (t - times[k]) / (times[k+1] - times[k]). After the last knot there is one row more: the value
 * at which the law rests. */

/* Evaluation of chains, once or for ever. */

/* A chain of count knots with the given times and coefficients still zero. */
static zvLaw *chain_new(ziLawType type, int width, int count, const double *times, int order, zvError *error) {
    const uint64_t rows = (uint64_t)(count - 1) * (uint64_t)order + 1;
    zvLaw *law = zi_law_new(type, width, rows, (uint64_t)count, error);
    if (!law) return NULL;
    law->count = count;
    law->order = order;
    law->begin = times[0];
    law->end = times[count - 1];
    memcpy(law->numbers, times, (size_t)count * sizeof *times);
    return law;
}

static const double *piece(const zvLaw *law, int k) {
    return law->numbers + law->count + (size_t)k * (size_t)law->order * (size_t)law->width;
}

/* Coefficient rows of piece k; of piece count - 1 only the first row is there. */
static double *chain_piece(zvLaw *law, int k) {
    return law->numbers + law->count + (size_t)k * (size_t)law->order * (size_t)law->width;
}

/* Sets the row of the last knot, checks the derivatives; destroys the law and returns NULL when they overflow. */
static zvLaw *chain_finish(zvLaw *law, const double *last, zvError *error) {
    const double *times = law->numbers;
    memcpy(chain_piece(law, law->count - 1), last, (size_t)law->width * sizeof *last);
    double bound = 0;
    for (int k = 0; k + 1 < law->count; k++)
        bound += zi_horner_bound(law->width, law->order, piece(law, k), 1 / (times[k + 1] - times[k]));
    return zi_law_refuse_overflow(law, bound, error);
}

/* How many knots are at or before t. */
static int passed(const zvLaw *law, double t) {
    int low = 0, high = law->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (law->numbers[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void zi_chain_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    const double *times = law->numbers;
    const int k = passed(law, t) - 1;
    if (k < 0 || k == law->count - 1) { /* at rest */
        zi_horner_add(law->width, 1, piece(law, k < 0 ? 0 : k), 0, 0, x, NULL, NULL);
        return;
    }
    const double rate = 1 / (times[k + 1] - times[k]);
    zi_horner_add(law->width, law->order, piece(law, k), (t - times[k]) * rate, rate, x, dx, ddx);
}

double zi_chain_next_break(const zvLaw *law, double t) {
    const int k = passed(law, t);
    return k < law->count ? law->numbers[k] : INFINITY;
}

/* t in the first turn, and the whole periods between. Rounding may leave it a little outside; then it is the start. */
static double fold(const zvLaw *law, double t, double *turns) {
    const double period = law->end - law->begin;
    *turns = floor((t - law->begin) / period);
    const double folded = t - *turns * period;
    if (folded >= law->begin && folded < law->end) return folded;
    if (folded >= law->end) *turns += 1;
    return law->begin;
}

void zi_periodic_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    double turns;
    zi_chain_add(law, fold(law, t, &turns), x, dx, ddx);
}

/* Folded into one period; rounding at a knot may need a second try. */
double zi_periodic_next_break(const zvLaw *law, double t) {
    const double period = law->end - law->begin;
    double turns;
    int k = passed(law, fold(law, t, &turns));
    for (int tries = 0; tries < 2; tries++) { /* the second for rounding's sake */
        const double time = law->numbers[k] + turns * period;
        if (time > t) return time;
        if (++k == law->count) {
            k = 1;
            turns++;
        }
    }
    return nextafter(t, INFINITY); /* the knots lie closer than numbers of the size of t */
}

/* Tables: straight lines between points, or values held until the next. */

/* Pieces of order one or two: held, or straight. */
zvLaw *zv_law_table(int width, int count, const double *times, const double *points, zvTableMode mode, zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_count("points of a table", count, 1, INT_MAX, error) ||
        !zi_argument_times(count, times, error) ||
        !zi_argument_array("the list of points", count, width, points, error))
        return NULL;
    const int order = mode == ZV_TABLE_LINEAR ? 2 : 1;
    zvLaw *law = chain_new(ZI_LAW_CHAIN, width, count, times, order, error);
    if (!law) return NULL;
    const size_t size = (size_t)width;
    for (int k = 0; k + 1 < count; k++) {
        const double *point = points + (size_t)k * size;
        double *row = chain_piece(law, k);
        for (size_t i = 0; i < size; i++) {
            row[i] = point[i];
            if (order == 2) row[size + i] = point[size + i] - point[i];
        }
    }
    return chain_finish(law, points + (size_t)(count - 1) * size, error);
}

/* Quintic pieces with given values, velocities and accelerations at the knots. */

enum { GIVEN = 3, ORDER = 6 };

/* Taylor coefficients of one entry at one knot, in u = (t - times[k]) / h. */
static void taylor(const double *const rows[GIVEN], size_t at, double h, double *c) {
    c[0] = rows[0][at];
    c[1] = rows[1][at] * h;
    c[2] = rows[2][at] * h * h / 2;
}

/* Six conditions per piece by two-point interpolation. */
static void hermite_fill(zvLaw *law, const double *const rows[GIVEN]) {
    const size_t width = (size_t)law->width;
    for (int k = 0; k + 1 < law->count; k++) {
        const double h = law->numbers[k + 1] - law->numbers[k];
        double *piece = chain_piece(law, k);
        for (size_t i = 0; i < width; i++) {
            double a[ORDER], b[GIVEN];
            taylor(rows, (size_t)k * width + i, h, a);
            taylor(rows, (size_t)(k + 1) * width + i, h, b);
            const double base = a[0]; /* kept out of the sums, where it would cost digits */
            a[0] = 0;
            b[0] -= base;
            zi_two_point(GIVEN, a, GIVEN, b);
            a[0] = base;
            for (size_t n = 0; n < ORDER; n++) piece[n * width + i] = a[n];
        }
    }
}

void zi_hermite_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    zi_chain_add(law, t, x, dx, ddx);
}

/* Inner knots are sampled from something smooth: only the third derivative jumps there, and by little. An integrator
 * does better to pass over them than to start anew. */
double zi_hermite_next_break(const zvLaw *law, double t) {
    return t < law->begin ? law->begin : t < law->end ? law->end : INFINITY;
}

/* Values, velocities and accelerations at the knots. */
zvLaw *zv_law_hermite(int width, int count, const double *times, const double *x, const double *dx, const double *ddx,
                      zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_count("knots", count, 2, INT_MAX, error) ||
        !zi_argument_times(count, times, error) || !zi_argument_array("the list of points", count, width, x, error) ||
        !zi_argument_array("the list of velocities", count, width, dx, error) ||
        !zi_argument_array("the list of accelerations", count, width, ddx, error))
        return NULL;
    zvLaw *law = chain_new(ZI_LAW_HERMITE, width, count, times, ORDER, error);
    if (!law) return NULL;
    const double *const rows[GIVEN] = {x, dx, ddx};
    hermite_fill(law, rows);
    return chain_finish(law, x + (size_t)(count - 1) * (size_t)width, error);
}

/* Cubic splines. Unknown are the slopes at the knots: with h the lengths of the pieces, lambda_k = h_k / (h_k-1 + h_k)
 * and mu_k = 1 - lambda_k, equal second derivatives on both sides of knot k mean
 *   lambda_k m_k-1 + 2 m_k + mu_k m_k+1 = 3 (lambda_k D_k-1 / h_k-1 + mu_k D_k / h_k),   docs/motion.md (14).
 * The matrix is diagonally dominant: elimination needs no pivots. */

static const double same_point = 1e-9; /* of the range of an entry: how far a periodic spline may miss its beginning */

typedef struct Spline {
    int width, count;
    bool periodic;
    const double *times, *points;
    double *upper; /* count: the superdiagonal, eliminated */
    double *loop;  /* count: what a slope m_0 = 1 adds to the others of a periodic spline */
    double *slope; /* count x width: right-hand sides, then the slopes */
} Spline;

static double piece_length(const Spline *s, int k) { return s->times[k + 1] - s->times[k]; }
static double lambda(const Spline *s, int before, int after) {
    return piece_length(s, after) / (piece_length(s, before) + piece_length(s, after));
}
/* The last point of a periodic spline is the first one itself. */
static const double *point(const Spline *s, int k) {
    return s->points + (size_t)(s->periodic && k == s->count - 1 ? 0 : k) * (size_t)s->width;
}
static double secant(const Spline *s, int k, int i) {
    return (point(s, k + 1)[i] - point(s, k)[i]) / piece_length(s, k);
}
static double *slope(const Spline *s, int k) { return s->slope + (size_t)k * (size_t)s->width; }

/* Row k of the system: lower m_k-1 + diagonal m_k + upper m_k+1; eliminates m_k-1 by the row before. */
static void eliminate(Spline *s, int k, double lower, double diagonal, double upper) {
    const double pivot = diagonal - (lower != 0 ? lower * s->upper[k - 1] : 0);
    s->upper[k] = upper / pivot;
    for (int i = 0; i < s->width; i++) {
        const double before = lower != 0 ? lower * slope(s, k - 1)[i] : 0;
        slope(s, k)[i] = (slope(s, k)[i] - before) / pivot;
    }
    s->loop[k] = (s->loop[k] - (lower != 0 ? lower * s->loop[k - 1] : 0)) / pivot;
}

/* Right-hand side at the knot between two pieces. */
static void set_knot(Spline *s, int k, int before, int after) {
    const double share = lambda(s, before, after);
    for (int i = 0; i < s->width; i++)
        slope(s, k)[i] = 3 * (share * secant(s, before, i) + (1 - share) * secant(s, after, i));
}

static void substitute(Spline *s, int first, int last) {
    for (int k = last - 1; k >= first; k--) {
        for (int i = 0; i < s->width; i++) slope(s, k)[i] -= s->upper[k] * slope(s, k + 1)[i];
        s->loop[k] -= s->upper[k] * s->loop[k + 1];
    }
}

/* Natural ends: 2 m_0 + m_1 = 3 D_0 / h_0, no curvature. Clamped ends: m_0 = 0. */
static void solve_open(Spline *s, bool natural) {
    const int n = s->count - 1;
    for (int i = 0; i < s->width && natural; i++) {
        slope(s, 0)[i] = 3 * secant(s, 0, i);
        slope(s, n)[i] = 3 * secant(s, n - 1, i);
    }
    eliminate(s, 0, 0, 2, natural);
    for (int k = 1; k < n; k++) {
        const double share = lambda(s, k - 1, k);
        set_knot(s, k, k - 1, k);
        eliminate(s, k, share, 2, 1 - share);
    }
    eliminate(s, n, natural, 2, 0);
    substitute(s, 0, n);
}

/* The last knot is the first one. All slopes are found as functions of m_0, then the row of knot 0 gives m_0. */
static void solve_periodic(Spline *s) {
    const int n = s->count - 1;
    if (n == 1) return; /* one point for ever: slopes zero */
    for (int k = 1; k < n; k++) {
        const double share = lambda(s, k - 1, k);
        set_knot(s, k, k - 1, k);
        s->loop[k] = -((k == 1 ? share : 0) + (k == n - 1 ? 1 - share : 0));
        eliminate(s, k, k == 1 ? 0 : share, 2, k == n - 1 ? 0 : 1 - share);
    }
    substitute(s, 1, n - 1);
    const double share = lambda(s, n - 1, 0);
    const double pivot = 2 + share * s->loop[n - 1] + (1 - share) * s->loop[1];
    set_knot(s, 0, n - 1, 0);
    for (int i = 0; i < s->width; i++) {
        const double m0 = (slope(s, 0)[i] - share * slope(s, n - 1)[i] - (1 - share) * slope(s, 1)[i]) / pivot;
        for (int k = 1; k < n; k++) slope(s, k)[i] += s->loop[k] * m0;
        slope(s, 0)[i] = slope(s, n)[i] = m0;
    }
}

/* Coefficients of every piece from the values and slopes at its ends, docs/motion.md (15). */
static void spline_fill(const Spline *s, zvLaw *law) {
    const size_t width = (size_t)s->width;
    for (int k = 0; k + 1 < s->count; k++) {
        const double *here = point(s, k), *next = point(s, k + 1), h = piece_length(s, k);
        double *row = chain_piece(law, k);
        for (size_t i = 0; i < width; i++) {
            const double rise = next[i] - here[i], left = h * slope(s, k)[i], right = h * slope(s, k + 1)[i];
            row[i] = here[i];
            row[width + i] = left;
            row[2 * width + i] = 3 * rise - 2 * left - right;
            row[3 * width + i] = left + right - 2 * rise;
        }
    }
}

/* Whether the last point repeats the first, up to rounding of the data. */
static bool closes(const Spline *s, zvError *error) {
    for (int i = 0; i < s->width; i++) {
        double low = s->points[i], high = low;
        for (int k = 1; k < s->count; k++) {
            const double value = s->points[(size_t)k * (size_t)s->width + (size_t)i];
            low = fmin(low, value);
            high = fmax(high, value);
        }
        const double first = s->points[i], last = s->points[(size_t)(s->count - 1) * (size_t)s->width + (size_t)i];
        if (fabs(last - first) <= same_point * (high - low)) continue;
        char token[32];
        snprintf(token, sizeof token, "%.9g", last);
        zv_fail(
            error, ZV_NUMBER, (zvMark){0}, token,
            "entry %d of the last point of a periodic spline: expected %g as in the first, found %g; repeat the first "
            "point at the end of the period",
            i + 1, first, last);
        return false;
    }
    return true;
}

/* Slopes at the knots from the tridiagonal system, then cubic pieces. */
static zvLaw *make(Spline *s, zvSplineEnds ends, zvError *error) {
    if (s->periodic && !closes(s, error)) return NULL;
    zvLaw *law = chain_new(s->periodic ? ZI_LAW_PERIODIC : ZI_LAW_CHAIN, s->width, s->count, s->times, 4, error);
    if (!law) return NULL;
    const size_t count = (size_t)s->count;
    s->upper = calloc((size_t)s->width + 2, count * sizeof *s->upper);
    if (!s->upper) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a spline");
        zv_law_destroy(law);
        return NULL;
    }
    s->loop = s->upper + count;
    s->slope = s->loop + count;
    if (s->periodic) {
        solve_periodic(s);
    } else {
        solve_open(s, ends == ZV_SPLINE_NATURAL);
    }
    spline_fill(s, law);
    free(s->upper);
    return chain_finish(law, point(s, s->count - 1), error);
}

zvLaw *zv_law_spline(int width, int count, const double *times, const double *points, zvSplineEnds ends,
                     zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_count("points of a spline", count, 2, INT_MAX, error) ||
        !zi_argument_times(count, times, error) ||
        !zi_argument_array("the list of points", count, width, points, error))
        return NULL;
    Spline spline = {width, count, ends == ZV_SPLINE_PERIODIC, times, points, NULL, NULL, NULL};
    return make(&spline, ends, error);
}
