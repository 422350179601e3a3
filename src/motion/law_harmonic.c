/* Harmonic motion, entry by entry, for all t. */
#include <math.h>
#include <string.h>

#include "motion/arguments.h"
#include "motion/law.h"

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
