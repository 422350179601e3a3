/* The last step of functions that divide by the mass matrix, -M^-1 X with M = L^T D L for the columns of a matrix X, is
 * the same for every column and has a fixed pattern. As straight-line code it is most of a function, and does not fit
 * into the cache of instructions; so it is written once, for a few columns side by side, and runs in a loop. What comes
 * before, the factors among it, is recorded as ever.
 *
 * Freedoms form limbs: runs without a branch, as a leg. In most columns most limbs have nothing but zeros until the
 * base has been reached, and are passed over. */
#ifndef ZI_CODEGEN_COLUMNS_H
#define ZI_CODEGEN_COLUMNS_H

#include <stdint.h>

#include "codegen/code.h"
#include "real/tape.h"
#include "zveno/codegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a function ends with such a loop: where it pays. */
bool zi_columns_looped(const zvModel *model, zvGenerated function);

/* Factors: -1/D of every freedom, then L along the way of each to the root, from the last freedom on. */
size_t zi_columns_factors(const zvModel *model);

/* Numbers in each part of what is recorded, 0 behind the last: the answers up to those that are right-hand sides now,
 * of which the last, minus the identity, is not recorded; then the factors. */
size_t zi_columns_part(const zvModel *model, zvGenerated function, int part);
size_t zi_columns_size(const zvModel *model, zvGenerated function);

/* The loop's pattern. */
typedef struct ziColumns {
    int n, limbs;          /* of limbs beyond 32 the bits are one */
    int *before;           /* per freedom: the one before it on the way to the root, -1: none */
    int *limb;             /* per freedom */
    int *factor;           /* per freedom: the first factor of its path */
    bool *vanishes;        /* per factor: zero in every position */
    uint32_t *full, *unit; /* per column: limbs (bits) that it has numbers in, of derivatives and of the identity */
} ziColumns;

/* factor: edges of the factors on the tape, or NULL: none vanishes. zi_columns_free in either case. */
bool zi_columns_make(ziColumns *columns, const zvModel *model, const ziTape *tape, const ziEdge *factor);
void zi_columns_free(ziColumns *columns);

/* The bit of a freedom's limb. */
uint32_t zi_columns_bit(const ziColumns *columns, int freedom);

/* What the loop takes for all columns of a function, one by one. Blocks of columns do up to half as much again:
 * products with zeros of their neighbours, and the last columns twice. */
zvOperations zi_columns_operations(const ziColumns *columns, zvGenerated function);

/* The loop of columns.h as text: once for a file, once more over lanes. */

/* "static void NAME_columns(f, limbs, X, Y)", which multiplies the columns of two matrices by -M^-1, and NAME_invert,
 * which does so with minus the identity that NAME_units writes. Over lanes (emit.h): ..._lanes. functions: bits
 * of those that will call them. */
void zi_code_columns(ziCode *code, const char *name, const ziColumns *columns, unsigned functions, bool lanes);

/* What a function with the loop has at its beginning, so that stores are over when the loop comes, and at its end. */
void zi_code_columns_begin(ziCode *code, const char *name, zvGenerated function, bool lanes);
void zi_code_columns_end(ziCode *code, const char *name, zvGenerated function, bool lanes);

#ifdef __cplusplus
}
#endif

#endif
