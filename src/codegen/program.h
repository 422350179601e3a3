/* A tape laid out as statements: which nodes get a name, which are written where they are used, which angles have
 * their sines and cosines taken together at the beginning. */
#ifndef ZI_CODEGEN_PROGRAM_H
#define ZI_CODEGEN_PROGRAM_H

#include "real/tape.h"
#include "zveno/codegen.h"
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

/* Long programs are bound by the bytes of their instructions, which no longer come from the first cache. A number that
 * the compiler keeps on its stack takes four bytes of distance wherever it is used; next to a pointer it takes one. So
 * numbers that live long get places near a few pointers, which otherwise idle registers hold. */

enum {
    ZI_KEEP_POINTERS = 12, /* registers that point, by measurement */
    ZI_KEEP_NEAR = 32      /* places around a pointer */
};

/* Compilers take time with the square of a function's length. Programs beyond ZI_PIECES_FROM statements are written as
 * several functions, pieces, which hand numbers on in such places, too; sines and cosines, inputs that an answer may
 * overwrite, and what both are made of come before the first piece. */

enum { ZI_PIECES_FROM = 2400, ZI_PIECE = 1500 /* statements, at most about so many in a piece */ };

typedef struct ziKeep {
    int *place; /* per node, -1: the compiler's affair */
    int places; /* those beyond the pointers' are far */
    int pieces; /* 1: the function is whole */
    int *piece; /* per node: the piece whose statement makes it, of those written inside of others theirs */
} ziKeep;

/* late: answers are stored only when all inputs have been read; first: the number of the first input that an answer may
 * overwrite. near: there are pointers. False when out of memory; zi_keep_free in either case. */
bool zi_keep_make(ziKeep *keep, const ziProgram *program, bool late, int first, bool near);
void zi_keep_free(ziKeep *keep);

/* Guards: pairs (p, m) that a function computes along with its answer, which is good when every p > floor m.
 *
 * Of a pivot of the mass matrix, m is the diagonal entry it came from, as the library judges it (linalg/ltdl.h): one so
 * much smaller is rounding. Of the squared length of a quaternion, m is zero. Those that are constant are judged when
 * code is generated. */

/* The floor; in single precision it stands as many last digits higher. */
double zi_guard_floor(bool single);

/* Whether both numbers of a pair are constants; holds: what comes of them. */
bool zi_guard_known(const ziTape *tape, const ziEdge *pair, bool *holds);

/* ZV_SINGULAR when one of `pairs` constant pairs fails: of the first nv the freedom is named. */
zvStatus zi_guards_refuse(const zvModel *model, zvGenerated function, const ziTape *tape, size_t pairs,
                          const ziEdge *guard, zvError *error);

/* Whether all hold for the values of zi_tape_run. */
bool zi_guards_hold(size_t pairs, const ziEdge *guard, const double *value);

#endif
