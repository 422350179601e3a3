/* A tape laid out as statements: which nodes get a name, which are written where they are used, which angles have
 * their sines and cosines taken together at the beginning. */
#ifndef ZV_CODEGEN_EMIT_PROGRAM_H
#define ZV_CODEGEN_EMIT_PROGRAM_H

#include "real/tape.h"
#include "zveno/status.h"

typedef struct zvProgram {
    const zvTape *tape; /* every node of it is needed */
    size_t count, guards;
    const zvEdge *output; /* count, then the guards, two each */
    int *uses;            /* per node: by nodes and outputs; of guards more than one, so that they get names */
    int *answers;         /* per node: how many of these are outputs */
    int *next;            /* per output: the next one of the same edge, -1: none; first[node] begins */
    int *first;
    bool *inlined; /* per node: written inside of the one statement that uses it */
    bool *early;   /* per node: an angle needs it */
    int *lane;     /* per node that is the argument of a sine or cosine taken at the beginning: which; else -1 */
    int angles;
    int *angle; /* nodes, by lane */
} zvProgram;

/* Takes what simplify.h leaves; the tape and the outputs must live as long. zv_program_free in either case. */
zvStatus zv_program_make(zvProgram *program, const zvTape *tape, size_t count, size_t guards, const zvEdge *output);
void zv_program_free(zvProgram *program);

/* So few products and sums, by measurement, that its code stays in the first cache of instructions. */
bool zv_program_short(const zvProgram *program);

/* Operands of an operation: 0, 1 or 2. */
int zv_node_operands(const zvTapeNode *node);

#endif
