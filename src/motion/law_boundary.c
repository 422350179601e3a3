/* The polynomial of least degree with given derivatives at both ends. It is kept twice, expanded about either end, and
 * evaluated from the nearer one: the conditions hold to the last digit at both ends, and high powers, whose
 * coefficients are large and of alternating sign, only see |s| <= 1/2. */
#include <math.h>

#include "motion/arguments.h"
#include "motion/horner.h"
#include "motion/law.h"
#include "motion/two_point.h"

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
