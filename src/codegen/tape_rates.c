#include "codegen/tape_rates.h"

#include <stdlib.h>

/* An edge with the sign of another. */
static ziEdge signed_as(ziEdge e, ziEdge sign) { return zi_edge_negative(sign) ? zi_edge_negate(e) : e; }

static ziEdge rate_of(const ziEdge *rates, ziEdge e) { return signed_as(rates[zi_edge_node(e)], e); }

/* (a b)' = a' b + a b' */
static ziEdge rate_of_product(ziTape *t, const ziEdge *rates, const ziTapeNode *n) {
    const ziEdge left = zi_tape_mul(t, rate_of(rates, n->a), n->b);
    return zi_tape_add(t, left, zi_tape_mul(t, n->a, rate_of(rates, n->b)));
}

/* (a / b)' = (a' - (a / b) b') / b */
static ziEdge rate_of_quotient(ziTape *t, const ziEdge *rates, const ziTapeNode *n, ziEdge quotient) {
    const ziEdge lost = zi_tape_mul(t, quotient, rate_of(rates, n->b));
    return zi_tape_div(t, zi_tape_add(t, rate_of(rates, n->a), zi_edge_negate(lost)), n->b);
}

/* What functions of one number have before the rate of that. */
static ziEdge slope_of(ziTape *t, const ziTapeNode *n, ziEdge self) {
    const ziEdge one = zi_tape_constant(t, 1);
    switch (n->op) {
    case ZI_TAPE_SIN: return zi_tape_cos(t, n->a);
    case ZI_TAPE_COS: return zi_edge_negate(zi_tape_sin(t, n->a));
    case ZI_TAPE_SQRT: return zi_tape_div(t, zi_tape_constant(t, 0.5), self);
    default: return zi_tape_add(t, one, zi_edge_negate(zi_tape_mul(t, self, self))); /* of tanh */
    }
}

/* The rate of node i, those of the nodes before it being known. */
static ziEdge rate_of_node(ziTape *t, const ziEdge *rates, int i, int shift) {
    const ziTapeNode n = t->node[i]; /* a copy: what is written moves the nodes */
    const ziEdge self = 2 * i;
    switch (n.op) {
    case ZI_TAPE_CONSTANT: return ZI_EDGE_ZERO;
    case ZI_TAPE_INPUT: return zi_tape_input(t, n.a + shift);
    case ZI_TAPE_ADD: return zi_tape_add(t, rate_of(rates, n.a), rate_of(rates, n.b));
    case ZI_TAPE_MUL: return rate_of_product(t, rates, &n);
    case ZI_TAPE_DIV: return rate_of_quotient(t, rates, &n, self);
    default: break;
    }
    const ziEdge inner = rate_of(rates, n.a);
    return inner == ZI_EDGE_ZERO ? ZI_EDGE_ZERO : zi_tape_mul(t, slope_of(t, &n, self), inner);
}

/* Node after node; what the outputs do not need is pruned later. */
void zi_tape_rates(ziTape *tape, int shift, size_t count, const ziEdge *of, ziEdge *rate) {
    const int nodes = tape->count;
    ziEdge *rates = tape->mode == ZI_TAPE_RECORD ? calloc((size_t)nodes + 1, sizeof *rates) : NULL;
    if (tape->mode == ZI_TAPE_RECORD && !rates) tape->full = true;
    for (int i = 0; rates && i < nodes && !tape->full; i++) rates[i] = rate_of_node(tape, rates, i, shift);
    for (size_t k = 0; k < count; k++) rate[k] = rates ? rate_of(rates, of[k]) : ZI_EDGE_UNKNOWN;
    free(rates);
}
