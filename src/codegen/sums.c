/* The outputs of a tape as sums: every node is worked out once. */
#include <math.h>
#include <stdlib.h>

#include "codegen/analytic.h"

/* Intermediate sums may be longer than an equation, and the size of equations that are too long is told when it is
 * found with little work; beyond, it is hopeless. */
enum { MOST_TERMS = 8 * ZV_CODEGEN_MAX_TERMS, MOST_WORK = 20000000 };

/* The values of the nodes of a tape, each kept until its last use. */
typedef struct Walk {
    const ziTape *tape;
    const ziAngles *angles;
    ziFourierSpace *space;
    int *uses;
    ziFourier *sum; /* nodes */
    int *multiple;  /* angles: scratch */
} Walk;

static double sign_of(ziEdge e) { return zi_edge_negative(e) ? -1 : 1; }

static bool has_operands(ziTapeOp op) { return op == ZI_TAPE_ADD || op == ZI_TAPE_MUL || op == ZI_TAPE_DIV; }

/* How often each node is used for the outputs. Arguments of sines are not: ziAngles has them. */
static void count_uses(const ziTape *tape, int count, const ziEdge *output, int *uses) {
    for (int i = 0; i < count; i++) uses[zi_edge_node(output[i])]++;
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        if (!uses[i] || !(has_operands(n->op) || n->op == ZI_TAPE_SQRT)) continue;
        uses[zi_edge_node(n->a)]++;
        if (has_operands(n->op)) uses[zi_edge_node(n->b)]++;
    }
}

static void release(Walk *w, ziEdge e) {
    const int i = zi_edge_node(e);
    if (--w->uses[i] == 0) zi_fourier_free(&w->sum[i]);
}

/* Whether a sum is a number, and which. */
static bool constant(const ziFourierSpace *s, const ziFourier *x, double *value) {
    *value = x->count ? x->value[0] : 0;
    if (x->count > 1) return false;
    for (size_t k = 0; x->count && k < s->width; k++)
        if (x->key[k]) return false;
    return true;
}

static zvStatus divide(Walk *w, const ziTapeNode *n, ziFourier *x) {
    const ziFourier none = {0};
    double by;
    if (!constant(w->space, &w->sum[zi_edge_node(n->b)], &by) || by == 0) return ZV_NOT_SUPPORTED;
    return zi_fourier_add(w->space, sign_of(n->a) * sign_of(n->b) / by, &w->sum[zi_edge_node(n->a)], 0, &none, x);
}

static zvStatus root(Walk *w, const ziTapeNode *n, ziFourier *x) {
    double of;
    if (!constant(w->space, &w->sum[zi_edge_node(n->a)], &of) || sign_of(n->a) * of < 0) return ZV_NOT_SUPPORTED;
    return zi_fourier_constant(w->space, sqrt(fabs(of)), x);
}

/* The sum that a node is, from those of its operands, which are freed after their last use. */
static zvStatus evaluate(Walk *w, int i) {
    const ziTapeNode *n = &w->tape->node[i];
    ziFourier *x = &w->sum[i];
    const ziFourier *a = has_operands(n->op) ? &w->sum[zi_edge_node(n->a)] : NULL;
    const ziFourier *b = has_operands(n->op) ? &w->sum[zi_edge_node(n->b)] : NULL;
    zvStatus status = ZV_OK;
    switch (n->op) {
    case ZI_TAPE_CONSTANT: status = zi_fourier_constant(w->space, n->value, x); break;
    case ZI_TAPE_INPUT: status = zi_fourier_variable(w->space, n->a, x); break;
    case ZI_TAPE_ADD: status = zi_fourier_add(w->space, sign_of(n->a), a, sign_of(n->b), b, x); break;
    case ZI_TAPE_MUL: status = zi_fourier_mul(w->space, sign_of(n->a) * sign_of(n->b), a, b, x); break;
    case ZI_TAPE_DIV: status = divide(w, n, x); break;
    case ZI_TAPE_SQRT: status = root(w, n, x); break;
    case ZI_TAPE_SIN:
    case ZI_TAPE_COS: {
        const double phase = zi_angles_argument(w->angles, w->tape, i, w->multiple);
        status = zi_fourier_turn(w->space, n->op == ZI_TAPE_SIN, phase, w->multiple, x);
        break;
    }
    case ZI_TAPE_TANH: status = ZV_NOT_SUPPORTED; break; /* of generated C alone */
    }
    if (has_operands(n->op) || n->op == ZI_TAPE_SQRT) release(w, n->a);
    if (has_operands(n->op)) release(w, n->b);
    return status;
}

/* The values of the outputs; each may be asked for more than once. */
static zvStatus walk(Walk *w, int count, const ziEdge *output, ziFourier *sum) {
    const ziFourier none = {0};
    zvStatus status = ZV_OK;
    for (int i = 0; i < w->tape->count && status >= 0; i++)
        if (w->uses[i]) status = evaluate(w, i);
    for (int k = 0; k < count && status >= 0; k++) {
        status = zi_fourier_add(w->space, sign_of(output[k]), &w->sum[zi_edge_node(output[k])], 0, &none, &sum[k]);
        release(w, output[k]);
    }
    return status;
}

/* The angles, then the sums of all nodes. */
static zvStatus prepare_and_walk(Walk *w, int nq, int variables, int count, const ziEdge *output, ziAngles *angles,
                                 ziFourier *sum) {
    const size_t nodes = (size_t)w->tape->count;
    bool *wanted = calloc(nodes, sizeof *wanted);
    w->uses = calloc(nodes, sizeof *w->uses);
    w->sum = calloc(nodes, sizeof *w->sum);
    zvStatus status = wanted && w->uses && w->sum ? ZV_OK : ZV_MEMORY;
    if (status >= 0) {
        count_uses(w->tape, count, output, w->uses);
        for (size_t i = 0; i < nodes; i++) wanted[i] = w->uses[i] > 0;
        status = zi_angles_find(w->tape, wanted, nq, angles);
    }
    free(wanted);
    if (status < 0) return status;
    zi_fourier_space_open(w->space, angles->count, variables, MOST_TERMS, MOST_WORK);
    w->multiple = calloc((size_t)angles->count + 1, sizeof *w->multiple);
    return w->multiple ? walk(w, count, output, sum) : ZV_MEMORY;
}

zvStatus zi_sums_make(const ziTape *tape, int nq, int variables, int count, const ziEdge *output, ziAngles *angles,
                      ziFourierSpace *space, ziFourier *sum) {
    Walk w = {.tape = tape, .angles = angles, .space = space};
    const zvStatus status = prepare_and_walk(&w, nq, variables, count, output, angles, sum);
    for (int i = 0; i < tape->count && w.sum; i++) zi_fourier_free(&w.sum[i]);
    free(w.sum);
    free(w.uses);
    free(w.multiple);
    return status;
}
