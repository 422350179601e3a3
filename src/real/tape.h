/* A tape: the straight-line program that a kernel text leaves behind when it runs on numbers that write down what is
 * done with them (trace.h).
 *
 * An edge is a node with a sign, 2 node + negated; subtraction and negation are edges, not nodes. Equal nodes exist
 * once. Operations whose result is known, or is another node, make none: constants are folded, zeros and ones vanish.
 *
 *   ADD  a + b     a positive, node of a before that of b
 *   MUL  a b       both positive, node of a before that of b: a constant comes first
 *   DIV  a / b     both positive, b not constant
 *   SIN, COS a     a positive
 *
 * A counting tape keeps no nodes: it counts what the text does, whatever the numbers, at any size. */
#ifndef ZV_REAL_TAPE_H
#define ZV_REAL_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t zvEdge;

typedef enum zvTapeOp {
    ZV_TAPE_CONSTANT,
    ZV_TAPE_INPUT,
    ZV_TAPE_ADD,
    ZV_TAPE_MUL,
    ZV_TAPE_DIV,
    ZV_TAPE_SIN,
    ZV_TAPE_COS,
    ZV_TAPE_SQRT
} zvTapeOp;

typedef struct zvTapeNode {
    zvTapeOp op;
    zvEdge a, b;  /* operands; of an input, a is its number */
    double value; /* of a constant; never negative */
} zvTapeNode;

typedef struct zvTapeCounts {
    long long mul, add, div, trig, root;
} zvTapeCounts;

typedef enum zvTapeMode { ZV_TAPE_RECORD, ZV_TAPE_COUNT } zvTapeMode;

typedef struct zvTape {
    zvTapeMode mode;
    bool full;            /* out of memory, or more nodes than edges can name: edges are meaningless from then on */
    const char *branch;   /* what the text wanted to decide by a number of the state; NULL: nothing */
    zvTapeCounts done[2]; /* operations of the text as written: kinematics, and what follows zv_tape_stage */
    int stage;
    int count, room; /* nodes */
    zvTapeNode *node;
    int *table; /* hash of nodes, by index + 1 */
    size_t slots;
} zvTape;

enum {
    ZV_EDGE_ZERO = 0,
    ZV_EDGE_UNKNOWN = 2
}; /* node 0 is the constant 0; node 1 what a counting tape knows nothing of */

static inline int zv_edge_node(zvEdge e) { return e >> 1; }
static inline bool zv_edge_negative(zvEdge e) { return e & 1; }
static inline zvEdge zv_edge_negate(zvEdge e) { return e == ZV_EDGE_ZERO ? e : e ^ 1; }

/* False when there is no memory; zv_tape_close in either case. */
bool zv_tape_open(zvTape *tape, zvTapeMode mode);
void zv_tape_close(zvTape *tape);

zvEdge zv_tape_constant(zvTape *tape, double value);
zvEdge zv_tape_input(zvTape *tape, int number);
zvEdge zv_tape_add(zvTape *tape, zvEdge a, zvEdge b);
zvEdge zv_tape_mul(zvTape *tape, zvEdge a, zvEdge b);
zvEdge zv_tape_div(zvTape *tape, zvEdge a, zvEdge b);
zvEdge zv_tape_sin(zvTape *tape, zvEdge a);
zvEdge zv_tape_cos(zvTape *tape, zvEdge a);
zvEdge zv_tape_sqrt(zvTape *tape, zvEdge a);

/* What is counted from now on is the method, no longer kinematics. */
void zv_tape_stage(zvTape *tape);
/* Notes that the text is no straight-line program; `what` is static text. */
void zv_tape_branch(zvTape *tape, const char *what);

/* Whether an edge is a constant, and its value with the sign. */
bool zv_tape_known(const zvTape *tape, zvEdge e, double *value);

/* Values of all nodes (count) for given inputs; value has tape->count entries. */
void zv_tape_run(const zvTape *tape, const double *inputs, double *value);
static inline double zv_edge_value(const double *value, zvEdge e) {
    return zv_edge_negative(e) ? -value[zv_edge_node(e)] : value[zv_edge_node(e)];
}

/* The tape that numbers of trace.h write on in this thread; set around a call and put back after it. */
zvTape *zv_tape_current(void);
zvTape *zv_tape_use(zvTape *tape); /* returns the one before */

#ifdef __cplusplus
}
#endif
#endif
