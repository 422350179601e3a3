#include "codegen/analytic_equations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zveno/codegen.h"

/* Intermediate sums may be longer than an equation, and the size of equations that are too long is told when it is
 * found with little work; beyond, it is hopeless. */
enum { MOST_TERMS = 8 * ZV_GENERATE_MAX_TERMS, MOST_WORK = 20000000 };
/* Below this share of the largest coefficient of an equation a term is rounding of the model's own numbers. */
static const double least_share = 1e-14;

/* The values of the nodes of a tape, each kept until its last use. */
typedef struct Walk {
    const ziTape *tape;
    const ziAngles *angles;
    ziFourierSpace *space;
    int *uses;
    ziFourier *sum; /* nodes */
    int *multiple;  /* angles: room */
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
    }
    if (has_operands(n->op) || n->op == ZI_TAPE_SQRT) release(w, n->a);
    if (has_operands(n->op)) release(w, n->b);
    return status;
}

/* The part of an equation that a term belongs to; its key loses the acceleration. NULL: below the diagonal. */
static ziFourier *part_of(ziEquations *e, int row, int8_t *key) {
    int8_t *v = key + 1 + e->space.angles + e->nq, *a = v + e->nv;
    bool moving = false;
    for (int j = 0; j < e->nv; j++) {
        moving |= v[j] != 0;
        if (!a[j]) continue;
        a[j]--;
        return j < row ? NULL : &e->M[row * e->nv + j];
    }
    return moving ? &e->c[row] : &e->g[row];
}

static zvStatus split(ziEquations *e, int row, double sign, const ziFourier *sum, size_t *terms) {
    double largest = 0;
    zvStatus status = ZV_OK;
    int8_t *key = malloc(e->space.width);
    if (!key) return ZV_MEMORY;
    for (size_t i = 0; i < sum->count; i++) largest = fmax(largest, fabs(sum->value[i]));
    for (size_t i = 0; i < sum->count && status >= 0; i++) {
        if (!(fabs(sum->value[i]) > least_share * largest)) continue;
        ++*terms;
        memcpy(key, zi_fourier_key(&e->space, sum, i), e->space.width);
        ziFourier *part = part_of(e, row, key);
        if (part) status = zi_fourier_put(&e->space, key, sign * sum->value[i], sum->error_scale[i], part);
    }
    free(key);
    return status;
}

static zvStatus sort_all(ziEquations *e) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < e->nv * e->nv && status >= 0; i++) status = zi_fourier_sort(&e->space, &e->M[i]);
    for (int i = 0; i < e->nv && status >= 0; i++) status = zi_fourier_sort(&e->space, &e->c[i]);
    for (int i = 0; i < e->nv && status >= 0; i++) status = zi_fourier_sort(&e->space, &e->g[i]);
    return status;
}

static zvStatus walk(ziEquations *e, Walk *w, const ziEdge *output) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < w->tape->count && status >= 0; i++)
        if (w->uses[i]) status = evaluate(w, i);
    for (int i = 0; i < e->nv && status >= 0; i++) {
        size_t terms = 0;
        status = split(e, i, sign_of(output[i]), &w->sum[zi_edge_node(output[i])], &terms);
        e->terms += terms;
        if (terms > e->greatest) e->greatest = terms;
    }
    if (status >= 0 && e->greatest > ZV_GENERATE_MAX_TERMS) return ZV_SIZE;
    return status < 0 ? status : sort_all(e);
}

/* The angles, then the sums of all nodes. */
static zvStatus prepare_and_walk(ziEquations *e, Walk *w, const ziEdge *output) {
    const size_t count = (size_t)w->tape->count, nv = (size_t)e->nv;
    bool *wanted = calloc(count, sizeof *wanted);
    w->uses = calloc(count, sizeof *w->uses);
    w->sum = calloc(count, sizeof *w->sum);
    e->M = calloc(nv * nv, sizeof *e->M);
    e->c = calloc(nv, sizeof *e->c);
    e->g = calloc(nv, sizeof *e->g);
    zvStatus status = wanted && w->uses && w->sum && e->M && e->c && e->g ? ZV_OK : ZV_MEMORY;
    if (status >= 0) {
        count_uses(w->tape, e->nv, output, w->uses);
        for (size_t i = 0; i < count; i++) wanted[i] = w->uses[i] > 0;
        status = zi_angles_find(w->tape, wanted, e->nq, &e->angles);
    }
    free(wanted);
    if (status < 0) return status;
    zi_fourier_space_open(&e->space, e->angles.count, e->nq + 2 * e->nv, MOST_TERMS, MOST_WORK);
    w->multiple = calloc((size_t)e->angles.count + 1, sizeof *w->multiple);
    return w->multiple ? walk(e, w, output) : ZV_MEMORY;
}

static zvStatus say(const ziEquations *e, zvStatus status, zvError *error) {
    const zvMark nowhere = {0};
    if (status == ZV_MEMORY) return zv_fail(error, status, nowhere, NULL, "out of memory");
    if (status != ZV_SIZE)
        return zv_fail(
            error, status, nowhere, NULL,
            "the equations of motion are no sums of sines, cosines and powers of the coordinates; generate C");
    char size[64] = "far more than that";
    if (e->greatest) snprintf(size, sizeof size, "%zu", e->greatest);
    return zv_fail(error, status, nowhere, NULL,
                   "equations are written in analytic form up to %d terms, and one of these has %s; fix joints that "
                   "need not move, or generate C",
                   ZV_GENERATE_MAX_TERMS, size);
}

zvStatus zi_equations_make(const ziTape *tape, int nq, int nv, const ziEdge *output, ziEquations *e, zvError *error) {
    *e = (ziEquations){.nq = nq, .nv = nv};
    Walk w = {.tape = tape, .angles = &e->angles, .space = &e->space};
    const zvStatus status = prepare_and_walk(e, &w, output);
    for (int i = 0; i < tape->count && w.sum; i++) zi_fourier_free(&w.sum[i]);
    free(w.sum);
    free(w.uses);
    free(w.multiple);
    return status < 0 ? say(e, status, error) : status;
}

void zi_equations_free(ziEquations *e) {
    for (int i = 0; i < e->nv * e->nv && e->M; i++) zi_fourier_free(&e->M[i]);
    for (int i = 0; i < e->nv && e->c; i++) zi_fourier_free(&e->c[i]);
    for (int i = 0; i < e->nv && e->g; i++) zi_fourier_free(&e->g[i]);
    free(e->M);
    free(e->c);
    free(e->g);
    zi_fourier_space_close(&e->space);
    zi_angles_free(&e->angles);
    *e = (ziEquations){0};
}
