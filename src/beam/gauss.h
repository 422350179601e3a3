/* Gauss-Legendre quadrature. */
#ifndef ZV_BEAM_GAUSS_H
#define ZV_BEAM_GAUSS_H

enum { GAUSS_POINTS = 16 };

/* Places and weights on 0 ... 1; exact for polynomials up to degree 31. */
typedef struct zvGauss {
    double at[GAUSS_POINTS], weight[GAUSS_POINTS];
} zvGauss;

void zv_gauss(zvGauss *gauss);

#endif
