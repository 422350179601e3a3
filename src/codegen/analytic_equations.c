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
    const zvTape *tape;
    const zvAngles *angles;
    zvFourierSpace *space;
    int *uses;
    zvFourier *sum; /* nodes */
    int *multiple;  /* angles: room */
} Walk;

static double sign_of(zvEdge e) { return zv_edge_negative(e) ? -1 : 1; }

static bool has_operands(zvTapeOp op) { return op == ZV_TAPE_ADD || op == ZV_TAPE_MUL || op == ZV_TAPE_DIV; }

/* How often each node is used for the outputs. Arguments of sines are not: zvAngles has them. */
static void count_uses(const zvTape *tape, int count, const zvEdge *output, int *uses) {
    for (int i = 0; i < count; i++) uses[zv_edge_node(output[i])]++;
    for (int i = tape->count - 1; i >= 0; i--) {
        const zvTapeNode *n = &tape->node[i];
        if (!uses[i] || !(has_operands(n->op) || n->op == ZV_TAPE_SQRT)) continue;
        uses[zv_edge_node(n->a)]++;
        if (has_operands(n->op)) uses[zv_edge_node(n->b)]++;
    }
}

static void release(Walk *w, zvEdge e) {
    const int i = zv_edge_node(e);
    if (--w->uses[i] == 0) zv_fourier_free(&w->sum[i]);
}

/* Whether a sum is a number, and which. */
static bool constant(const zvFourierSpace *s, const zvFourier *x, double *value) {
    *value = x->count ? x->value[0] : 0;
    if (x->count > 1) return false;
    for (size_t k = 0; x->count && k < s->width; k++)
        if (x->key[k]) return false;
    return true;
}

static zvStatus divide(Walk *w, const zvTapeNode *n, zvFourier *x) {
    const zvFourier none = {0};
    double by;
    if (!constant(w->space, &w->sum[zv_edge_node(n->b)], &by) || by == 0) return ZV_NOT_SUPPORTED;
    return zv_fourier_add(w->space, sign_of(n->a) * sign_of(n->b) / by, &w->sum[zv_edge_node(n->a)], 0, &none, x);
}

static zvStatus root(Walk *w, const zvTapeNode *n, zvFourier *x) {
    double of;
    if (!constant(w->space, &w->sum[zv_edge_node(n->a)], &of) || sign_of(n->a) * of < 0) return ZV_NOT_SUPPORTED;
    return zv_fourier_constant(w->space, sqrt(fabs(of)), x);
}

static zvStatus evaluate(Walk *w, int i) {
    const zvTapeNode *n = &w->tape->node[i];
    zvFourier *x = &w->sum[i];
    const zvFourier *a = has_operands(n->op) ? &w->sum[zv_edge_node(n->a)] : NULL;
    const zvFourier *b = has_operands(n->op) ? &w->sum[zv_edge_node(n->b)] : NULL;
    zvStatus status = ZV_OK;
    switch (n->op) {
    case ZV_TAPE_CONSTANT: status = zv_fourier_constant(w->space, n->value, x); break;
    case ZV_TAPE_INPUT: status = zv_fourier_variable(w->space, n->a, x); break;
    case ZV_TAPE_ADD: status = zv_fourier_add(w->space, sign_of(n->a), a, sign_of(n->b), b, x); break;
    case ZV_TAPE_MUL: status = zv_fourier_mul(w->space, sign_of(n->a) * sign_of(n->b), a, b, x); break;
    case ZV_TAPE_DIV: status = divide(w, n, x); break;
    case ZV_TAPE_SQRT: status = root(w, n, x); break;
    case ZV_TAPE_SIN:
    case ZV_TAPE_COS: {
        const double phase = zv_angles_argument(w->angles, w->tape, i, w->multiple);
        status = zv_fourier_turn(w->space, n->op == ZV_TAPE_SIN, phase, w->multiple, x);
        break;
    }
    }
    if (has_operands(n->op) || n->op == ZV_TAPE_SQRT) release(w, n->a);
    if (has_operands(n->op)) release(w, n->b);
    return status;
}

/* The part of an equation that a term belongs to; its key loses the acceleration. NULL: below the diagonal. */
static zvFourier *part_of(zvEquations *e, int row, int8_t *key) {
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

static zvStatus split(zvEquations *e, int row, double sign, const zvFourier *sum, size_t *terms) {
    double largest = 0;
    zvStatus status = ZV_OK;
    int8_t *key = malloc(e->space.width);
    if (!key) return ZV_MEMORY;
    for (size_t i = 0; i < sum->count; i++) largest = fmax(largest, fabs(sum->value[i]));
    for (size_t i = 0; i < sum->count && status >= 0; i++) {
        if (!(fabs(sum->value[i]) > least_share * largest)) continue;
        ++*terms;
        memcpy(key, zv_fourier_key(&e->space, sum, i), e->space.width);
        zvFourier *part = part_of(e, row, key);
        if (part) status = zv_fourier_put(&e->space, key, sign * sum->value[i], sum->gross[i], part);
    }
    free(key);
    return status;
}

static zvStatus sort_all(zvEquations *e) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < e->nv * e->nv && status >= 0; i++) status = zv_fourier_sort(&e->space, &e->M[i]);
    for (int i = 0; i < e->nv && status >= 0; i++) status = zv_fourier_sort(&e->space, &e->c[i]);
    for (int i = 0; i < e->nv && status >= 0; i++) status = zv_fourier_sort(&e->space, &e->g[i]);
    return status;
}

static zvStatus walk(zvEquations *e, Walk *w, const zvEdge *output) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < w->tape->count && status >= 0; i++)
        if (w->uses[i]) status = evaluate(w, i);
    for (int i = 0; i < e->nv && status >= 0; i++) {
        size_t terms = 0;
        status = split(e, i, sign_of(output[i]), &w->sum[zv_edge_node(output[i])], &terms);
        e->terms += terms;
        if (terms > e->greatest) e->greatest = terms;
    }
    if (status >= 0 && e->greatest > ZV_GENERATE_MAX_TERMS) return ZV_SIZE;
    return status < 0 ? status : sort_all(e);
}

/* The angles, then the sums of all nodes. */
static zvStatus prepare_and_walk(zvEquations *e, Walk *w, const zvEdge *output) {
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
        status = zv_angles_find(w->tape, wanted, e->nq, &e->angles);
    }
    free(wanted);
    if (status < 0) return status;
    zv_fourier_space_open(&e->space, e->angles.count, e->nq + 2 * e->nv, MOST_TERMS, MOST_WORK);
    w->multiple = calloc((size_t)e->angles.count + 1, sizeof *w->multiple);
    return w->multiple ? walk(e, w, output) : ZV_MEMORY;
}

static zvStatus say(const zvEquations *e, zvStatus status, zvError *error) {
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

zvStatus zv_equations_make(const zvTape *tape, int nq, int nv, const zvEdge *output, zvEquations *e, zvError *error) {
    *e = (zvEquations){.nq = nq, .nv = nv};
    Walk w = {.tape = tape, .angles = &e->angles, .space = &e->space};
    const zvStatus status = prepare_and_walk(e, &w, output);
    for (int i = 0; i < tape->count && w.sum; i++) zv_fourier_free(&w.sum[i]);
    free(w.sum);
    free(w.uses);
    free(w.multiple);
    return status < 0 ? say(e, status, error) : status;
}

void zv_equations_free(zvEquations *e) {
    for (int i = 0; i < e->nv * e->nv && e->M; i++) zv_fourier_free(&e->M[i]);
    for (int i = 0; i < e->nv && e->c; i++) zv_fourier_free(&e->c[i]);
    for (int i = 0; i < e->nv && e->g; i++) zv_fourier_free(&e->g[i]);
    free(e->M);
    free(e->c);
    free(e->g);
    zv_fourier_space_close(&e->space);
    zv_angles_free(&e->angles);
    *e = (zvEquations){0};
}
