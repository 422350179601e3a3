/* The terms of one sum: like ones together, squares of sine and cosine gone. */
#ifndef ZV_CODEGEN_GATHER_H
#define ZV_CODEGEN_GATHER_H

#include "codegen/network.h"

typedef struct zvTerms {
    size_t count, room;
    zvCube *term;
} zvTerms;

bool zv_terms_add(zvTerms *terms, const zvCube *term);

/* Only rewrites that do not cancel: k1 t + k2 t; k1 t s^2 + k2 t c^2 with k1, k2 of one sign, where the smaller one
 * needs no square; and k t s^2 - k t = -k t c^2. */
void zv_terms_gather(zvTerms *terms, const zvNetwork *net);

#endif
