/* Gauss-Legendre quadrature. */
#ifndef ZI_BEAM_GAUSS_H
#define ZI_BEAM_GAUSS_H

enum { GAUSS_POINTS = 16 };

/* Places and weights on 0 ... 1; exact for polynomials up to degree 31. */
typedef struct ziGauss {
    double at[GAUSS_POINTS], weight[GAUSS_POINTS];
} ziGauss;

void zi_gauss(ziGauss *gauss);

#endif
