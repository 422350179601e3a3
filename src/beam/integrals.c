/* Mode integrals: what a point, a section and a slope add; Gauss-Legendre quadrature. */
#include "beam/integrals.h"

#include <math.h>
#include <string.h>

static void clear(double *array, size_t count) {
    if (array && count > 0) memset(array, 0, count * sizeof *array);
}

/* Integrals start from zero: pieces are added one by one. */
void zi_modes_clear(ziModeIntegrals *out, const double axis[3]) {
    const size_t n = (size_t)out->n, extra = (size_t)out->extra, all = n + extra;
    out->mass = 0;
    memset(out->S0, 0, sizeof out->S0);
    memset(out->J0, 0, sizeof out->J0);
    memcpy(out->axis, axis, sizeof out->axis);
    clear(out->S1, 3 * all);
    clear(out->J1, 6 * all);
    clear(out->J2, 6 * all * all);
    clear(out->L0, 3 * all);
    clear(out->L1, 3 * all * all);
    clear(out->G, extra * n * n);
    clear(out->couple, extra * n);
    clear(out->M, n * n);
    clear(out->K, n * n);
    clear(out->D, n * n);
}

/* What a point of mass adds between shapes i and j <= i. */
static void add_mass(ziModeIntegrals *out, int i, int j, double mass) {
    const int n = out->n;
    if (i < n) out->M[i * n + j] += mass;
    if (i >= n && j < n) out->couple[(i - n) * n + j] += mass;
}

/* A point mass m at r whose shapes are d: its share in all integrals of docs/elastic.md. */
void zi_modes_add_point(ziModeIntegrals *out, double m, const double r[3], const double *d) {
    const int n = out->n + out->extra;
    out->mass += m;
    for (int k = 0; k < 3; k++) out->S0[k] += m * r[k];
    add_pair(out->J0, 0.5 * m, r, r);
    for (int i = 0; i < n; i++) {
        const double *di = d + 3 * i;
        double spin[3];
        cross3(r, di, spin);
        for (int k = 0; k < 3; k++) {
            out->S1[3 * i + k] += m * di[k];
            out->L0[3 * i + k] += m * spin[k];
        }
        add_pair(out->J1 + 6 * i, m, r, di);
        for (int j = 0; j <= i; j++) {
            const double *dj = d + 3 * j;
            double *ij = out->L1 + 3 * (j * n + i), *ji = out->L1 + 3 * (i * n + j);
            add_mass(out, i, j, m * dot3(di, dj));
            add_pair(out->J2 + 6 * (i * n + j), m, di, dj);
            if (j == i) continue; /* a mode has no spin of its own */
            cross3(dj, di, spin);
            for (int k = 0; k < 3; k++) {
                ij[k] += m * spin[k];
                ji[k] -= m * spin[k];
            }
        }
    }
}

void zi_modes_add_moment(ziModeIntegrals *out, const double moment[6], const double *turn) {
    const int n = out->n;
    for (int k = 0; k < 6; k++) out->J0[k] += moment[k];
    for (int i = 0; i < n; i++) {
        double spin[3];
        sym_times(moment, turn + 3 * i, spin);
        for (int k = 0; k < 3; k++) out->L0[3 * i + k] += spin[k];
        for (int j = 0; j <= i; j++) out->M[i * n + j] += dot3(turn + 3 * j, spin);
    }
}

void zi_modes_add_slopes(ziModeIntegrals *out, const double *beyond, const double *slope) {
    const int n = out->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double g = shortening2(slope + ZI_SLOPES * i, slope + ZI_SLOPES * j);
            for (int a = 0; a < out->extra; a++) out->G[(a * n + i) * n + j] += g * beyond[a];
        }
    }
}

static void mirror(double *A, int n, int width) {
    if (!A) return;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < width; k++) A[width * (j * n + i) + k] = A[width * (i * n + j) + k];
        }
    }
}

void zi_modes_mirror(ziModeIntegrals *out) {
    for (int a = 0; a < out->extra; a++) mirror(out->G + a * out->n * out->n, out->n, 1);
    mirror(out->J2, out->n + out->extra, 6);
    mirror(out->M, out->n, 1);
    mirror(out->K, out->n, 1);
}

void zi_sym_turn(const double R[9], const double s[6], double out[6]) {
    double column[3][3]; /* sym R^T */
    for (int k = 0; k < 3; k++) sym_times(s, R + 3 * k, column[k]);
    for (int i = 0, at = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) out[at++] = dot3(R + 3 * i, column[j]);
    }
}

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

/* Roots of Legendre's polynomial by Newton's method from the usual estimate, mapped to [0, 1]. */
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
