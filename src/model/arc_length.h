/* Arc length of a cubic piece p = c0 + c1 u + c2 u^2 + c3 u^3, 0 <= u <= h, and its inverse u(s).
 *
 * The piece is cut into parts until 1/|dp/du| is a polynomial to rounding on each; there u is the polynomial of degree
 * ZI_PATH_TERMS - 1 in s that meets u(s) at Chebyshev's points. Where it meets it is found by Newton's iteration on
 * s(u), the integral of |dp/du| by Gauss-Legendre quadrature. What comes of it: the length is right to rounding, and
 * |d p(u(s))/ds| is 1 within 1e-12. */
#ifndef ZI_MODEL_ARC_LENGTH_H
#define ZI_MODEL_ARC_LENGTH_H

#include "beam/integrals.h"
#include "model/tree.h"

/* What does not depend on the piece: quadrature, and cosines of a full turn in 4 ZI_PATH_TERMS steps. */
typedef struct ziArcRule {
    ziGauss gauss;
    double wave[4 * ZI_PATH_TERMS];
} ziArcRule;

void zi_arc_rule(ziArcRule *rule);
/* Cuts a piece (4 x 3 coefficients); returns the number of parts, or -1 where |dp/du| comes so near to zero that
 * cutting finds no end: the curve all but stops there. part, lengths: of each part, or NULL to count them; only from,
 * scale and u of a part are written. */
int zi_arc_parts(const ziArcRule *rule, const double *coeffs, double h, ziPathPart *part, double *lengths);

#endif
