/* Constants and polynomials in t - start, for all t. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "motion/arguments.h"
#include "motion/horner.h"
#include "motion/law.h"

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
