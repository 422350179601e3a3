/* Long programs are bound by the bytes of their instructions, which no longer come from the first cache. A number that
 * the compiler keeps on its stack takes four bytes of distance wherever it is used; next to a pointer it takes one. So
 * numbers that live long get places near a few pointers, which otherwise idle registers hold. */
#ifndef ZI_CODEGEN_KEEP_H
#define ZI_CODEGEN_KEEP_H

#include "codegen/emit_program.h"

enum { ZI_KEEP_NEAR = 32 /* places around a pointer */ };

typedef struct ziKeep {
    int *place; /* per node, -1: the compiler's affair */
    int places;
} ziKeep;

/* late: answers are stored only when all inputs have been read. False when out of memory; zi_keep_free in either case.
 */
bool zi_keep_make(ziKeep *keep, const ziProgram *program, bool late);
void zi_keep_free(ziKeep *keep);

#endif
