/* A tape: the straight-line program that a kernel leaves behind when it runs on numbers that write down what is
 * done with them (trace.h).
 *
 * An edge is a node with a sign, 2 node + negated; subtraction and negation are edges, not nodes. Equal nodes exist
 * once. Operations whose result is known, or is another node, make none: constants are folded, zeros and ones vanish.
 *
 *   ADD  a + b     a positive, node of a before that of b
 *   MUL  a b       both positive, node of a before that of b: a constant comes first
 *   DIV  a / b     both positive, b not constant
 *   SIN, COS a     a positive
 *   SQRT, TANH a   of TANH a positive
 *
 * A counting tape keeps no nodes: it counts what the kernel does, whatever the numbers, at any size. */
#ifndef ZI_REAL_TAPE_H
#define ZI_REAL_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t ziEdge;

typedef enum ziTapeOp {
    ZI_TAPE_CONSTANT,
    ZI_TAPE_INPUT,
    ZI_TAPE_ADD,
    ZI_TAPE_MUL,
    ZI_TAPE_DIV,
    ZI_TAPE_SIN,
    ZI_TAPE_COS,
    ZI_TAPE_SQRT,
    ZI_TAPE_TANH
} ziTapeOp;

typedef struct ziTapeNode {
    ziTapeOp op;
    ziEdge a, b;  /* operands; of an input, a is its number */
    double value; /* of a constant; never negative */
} ziTapeNode;

typedef struct ziTapeCounts {
    long long mul, add, div, trig, root;
} ziTapeCounts;

/* Parts of a method that are counted apart: the sums of [Yaskevich] in the order of his table 1 (zvSum of codegen.h).
 */
enum { ZI_TAPE_PARTS = 8 };

typedef enum ziTapeMode { ZI_TAPE_RECORD, ZI_TAPE_COUNT } ziTapeMode;

typedef struct ziTape {
    ziTapeMode mode;
    bool full;            /* out of memory, or more nodes than edges can name: edges are meaningless from then on */
    const char *branch;   /* what the kernel wanted to decide by a number of the state; NULL: nothing */
    ziTapeCounts done[2]; /* operations of the kernel as written: kinematics, and what follows zi_tape_stage */
    int stage;
    ziTapeCounts part[ZI_TAPE_PARTS]; /* of them, up to the last zi_tape_part */
    ziTapeCounts before;              /* done when the current part began */
    int current;
    int count, capacity; /* nodes */
    ziTapeNode *node;
    int *table; /* hash of nodes, by index + 1 */
    size_t slots;
} ziTape;

enum {
    ZI_EDGE_ZERO = 0,
    ZI_EDGE_UNKNOWN = 2
}; /* node 0 is the constant 0; node 1 what a counting tape knows nothing of */

static inline int zi_edge_node(ziEdge e) { return e >> 1; }
static inline bool zi_edge_negative(ziEdge e) { return e & 1; }
static inline ziEdge zi_edge_negate(ziEdge e) { return e == ZI_EDGE_ZERO ? e : e ^ 1; }

/* False when there is no memory; zi_tape_close in either case. */
bool zi_tape_open(ziTape *tape, ziTapeMode mode);
void zi_tape_close(ziTape *tape);

ziEdge zi_tape_constant(ziTape *tape, double value);
ziEdge zi_tape_input(ziTape *tape, int number);
ziEdge zi_tape_add(ziTape *tape, ziEdge a, ziEdge b);
ziEdge zi_tape_mul(ziTape *tape, ziEdge a, ziEdge b);
ziEdge zi_tape_div(ziTape *tape, ziEdge a, ziEdge b);
ziEdge zi_tape_sin(ziTape *tape, ziEdge a);
ziEdge zi_tape_cos(ziTape *tape, ziEdge a);
ziEdge zi_tape_sqrt(ziTape *tape, ziEdge a);
ziEdge zi_tape_tanh(ziTape *tape, ziEdge a); /* counts as a sine */

/* What is counted from now on is the method, no longer kinematics. */
void zi_tape_stage(ziTape *tape);
/* What is counted from now on is part `part` of the method as well. */
void zi_tape_part(ziTape *tape, int part);
/* Notes that the kernel is no straight-line program; `what` is static text. */
void zi_tape_branch(ziTape *tape, const char *what);

/* Whether an edge is a constant, and its value with the sign. */
bool zi_tape_known(const ziTape *tape, ziEdge e, double *value);

/* Values of all nodes (count) for given inputs; value has tape->count entries. */
void zi_tape_run(const ziTape *tape, const double *inputs, double *value);
static inline double zi_edge_value(const double *value, ziEdge e) {
    return zi_edge_negative(e) ? -value[zi_edge_node(e)] : value[zi_edge_node(e)];
}

/* The tape that numbers of trace.h write on in this thread; set around a call and put back after it. */
ziTape *zi_tape_current(void);
ziTape *zi_tape_use(ziTape *tape); /* returns the one before */

#ifdef __cplusplus
}
#endif
#endif
