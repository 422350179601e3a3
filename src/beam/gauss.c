#include "beam/gauss.h"

#include <math.h>

/* Legendre's polynomial of degree GAUSS_POINTS at x and its derivative */
static double legendre(double x, double *derivative) {
    double before = 1, p = x;
    for (int k = 2; k <= GAUSS_POINTS; k++) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
    }
    *derivative = GAUSS_POINTS * (before - x * p) / (1 - x * x);
    return p;
}

void zi_gauss(ziGauss *gauss) {
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < GAUSS_POINTS / 2; k++) {
        double x = cos(pi * (k + 0.75) / (GAUSS_POINTS + 0.5)), slope = 1;
        for (int step = 0; step < 8; step++) x -= legendre(x, &slope) / slope;
        legendre(x, &slope);
        const int mirror = GAUSS_POINTS - 1 - k;
        gauss->at[k] = 0.5 * (1 - x);
        gauss->at[mirror] = 0.5 * (1 + x);
        gauss->weight[k] = gauss->weight[mirror] = 1 / ((1 - x * x) * slope * slope);
    }
}
