/* A tape laid out as statements: which nodes get a name, which are written where they are used, which angles have
 * their sines and cosines taken together at the beginning. */
#ifndef ZI_CODEGEN_EMIT_PROGRAM_H
#define ZI_CODEGEN_EMIT_PROGRAM_H

#include "real/tape.h"
#include "zveno/status.h"

typedef struct ziProgram {
    const ziTape *tape; /* every node of it is needed */
    size_t count, guards;
    const ziEdge *output; /* count, then the guards, two each */
    int *uses;            /* per node: by nodes and outputs; of guards more than one, so that they get names */
    int *answers;         /* per node: how many of these are outputs */
    int *next;            /* per output: the next one of the same edge, -1: none; first[node] begins */
    int *first;
    bool *inlined; /* per node: written inside of the one statement that uses it */
    bool *early;   /* per node: an angle needs it */
    int *lane;     /* per node that is the argument of a sine or cosine taken at the beginning: which; else -1 */
    int angles;
    int *angle; /* nodes, by lane */
} ziProgram;

/* Takes what simplify.h leaves; the tape and the outputs must live as long. zi_program_free in either case. */
zvStatus zi_program_make(ziProgram *program, const ziTape *tape, size_t count, size_t guards, const ziEdge *output);
void zi_program_free(ziProgram *program);

/* So few products and sums, by measurement, that its code stays in the first cache of instructions. */
bool zi_program_short(const ziProgram *program);

/* Operands of an operation: 0, 1 or 2. */
int zi_node_operands(const ziTapeNode *node);

#endif
