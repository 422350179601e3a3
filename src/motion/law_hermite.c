/* Quintic pieces with given values, velocities and accelerations at the knots. */
#include <limits.h>
#include <math.h>

#include "motion/arguments.h"
#include "motion/chain.h"
#include "motion/two_point.h"

enum { GIVEN = 3, ORDER = 6 };

/* Taylor coefficients of one entry at one knot, in u = (t - times[k]) / h. */
static void taylor(const double *const rows[GIVEN], size_t at, double h, double *c) {
    c[0] = rows[0][at];
    c[1] = rows[1][at] * h;
    c[2] = rows[2][at] * h * h / 2;
}

static void fill(zvLaw *law, const double *const rows[GIVEN]) {
    const size_t width = (size_t)law->width;
    for (int k = 0; k + 1 < law->count; k++) {
        const double h = law->numbers[k + 1] - law->numbers[k];
        double *piece = zi_chain_piece(law, k);
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

zvLaw *zv_law_hermite(int width, int count, const double *times, const double *x, const double *dx, const double *ddx,
                      zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_count("knots", count, 2, INT_MAX, error) ||
        !zi_argument_times(count, times, error) || !zi_argument_array("the list of points", count, width, x, error) ||
        !zi_argument_array("the list of velocities", count, width, dx, error) ||
        !zi_argument_array("the list of accelerations", count, width, ddx, error))
        return NULL;
    zvLaw *law = zi_chain_new(ZI_LAW_HERMITE, width, count, times, ORDER, error);
    if (!law) return NULL;
    const double *const rows[GIVEN] = {x, dx, ddx};
    fill(law, rows);
    return zi_chain_finish(law, x + (size_t)(count - 1) * (size_t)width, error);
}
