/* Chains of polynomials between ascending knots: splines, Hermite pieces, tables. Piece k, from knot k to knot k + 1,
 * is a polynomial in u = (t - times[k]) / (times[k+1] - times[k]). After the last knot there is one row more: the value
 * at which the law rests. */
#ifndef ZI_MOTION_CHAIN_H
#define ZI_MOTION_CHAIN_H

#include "motion/law.h"

/* A chain of count knots with the given times and coefficients still zero. */
zvLaw *zi_chain_new(ziLawType type, int width, int count, const double *times, int order, zvError *error);
/* Coefficient rows of piece k; of piece count - 1 only the first row is there. */
double *zi_chain_piece(zvLaw *law, int k);
/* Sets the row of the last knot, checks the derivatives; destroys the law and returns NULL when they overflow. */
zvLaw *zi_chain_finish(zvLaw *law, const double *last, zvError *error);

#endif
