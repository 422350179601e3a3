/* The terms of one sum: like ones together, squares of sine and cosine gone. */
#ifndef ZI_CODEGEN_GATHER_H
#define ZI_CODEGEN_GATHER_H

#include "codegen/network.h"

typedef struct ziTerms {
    size_t count, room;
    ziCube *term;
} ziTerms;

bool zi_terms_add(ziTerms *terms, const ziCube *term);

/* Only rewrites that do not cancel: k1 t + k2 t; k1 t s^2 + k2 t c^2 with k1, k2 of one sign, where the smaller one
 * needs no square; and k t s^2 - k t = -k t c^2. */
void zi_terms_gather(ziTerms *terms, const ziNetwork *net);

#endif
