/* Cubic splines. Unknown are the slopes at the knots: with h the lengths of the pieces, lambda_k = h_k / (h_k-1 + h_k)
 * and mu_k = 1 - lambda_k, equal second derivatives on both sides of knot k mean
 *   lambda_k m_k-1 + 2 m_k + mu_k m_k+1 = 3 (lambda_k D_k-1 / h_k-1 + mu_k D_k / h_k),   docs/motion.md (14).
 * The matrix is diagonally dominant: elimination needs no pivots. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion/arguments.h"
#include "motion/chain.h"

static const double same_point = 1e-9; /* of the range of an entry: how far a periodic spline may miss its beginning */

typedef struct Spline {
    int width, count;
    bool periodic;
    const double *times, *points;
    double *upper; /* count: the superdiagonal, eliminated */
    double *loop;  /* count: what a slope m_0 = 1 adds to the others of a periodic spline */
    double *slope; /* count x width: right-hand sides, then the slopes */
} Spline;

static double length(const Spline *s, int k) { return s->times[k + 1] - s->times[k]; }
static double lambda(const Spline *s, int before, int after) {
    return length(s, after) / (length(s, before) + length(s, after));
}
/* The last point of a periodic spline is the first one itself. */
static const double *point(const Spline *s, int k) {
    return s->points + (size_t)(s->periodic && k == s->count - 1 ? 0 : k) * (size_t)s->width;
}
static double secant(const Spline *s, int k, int i) { return (point(s, k + 1)[i] - point(s, k)[i]) / length(s, k); }
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
static void fill(const Spline *s, zvLaw *law) {
    const size_t width = (size_t)s->width;
    for (int k = 0; k + 1 < s->count; k++) {
        const double *here = point(s, k), *next = point(s, k + 1), h = length(s, k);
        double *row = zi_chain_piece(law, k);
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
            "entry %d of the last point of a periodic spline is %g, that of the first is %g; repeat the first point "
            "at the end of the period",
            i + 1, last, first);
        return false;
    }
    return true;
}

static zvLaw *make(Spline *s, zvSplineEnds ends, zvError *error) {
    if (s->periodic && !closes(s, error)) return NULL;
    zvLaw *law = zi_chain_new(s->periodic ? ZI_LAW_PERIODIC : ZI_LAW_CHAIN, s->width, s->count, s->times, 4, error);
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
    fill(s, law);
    free(s->upper);
    return zi_chain_finish(law, point(s, s->count - 1), error);
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
