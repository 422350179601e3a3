#include "codegen/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

int zi_network_variable(ziNetwork *net) {
    if (!zi_grow(&net->variable, net->count, &net->capacity, sizeof *net->variable)) {
        net->full = true;
        return -1;
    }
    net->variable[net->count] = (ziVariable){.op = ZI_TAPE_ADD, .first = ZI_NO_CUBE};
    return (int)net->count++;
}

int zi_network_cube(ziNetwork *net, int owner, double k) {
    if (!zi_grow(&net->cube, net->cubes, &net->cube_capacity, sizeof *net->cube)) {
        net->full = true;
        return -1;
    }
    ziVariable *v = &net->variable[owner];
    net->cube[net->cubes] = (ziCube){.k = k, .owner = owner, .next = v->first};
    v->first = (int)net->cubes;
    v->cubes++;
    return (int)net->cubes++;
}

bool zi_cube_multiply(ziCube *c, int factor) {
    if (c->length == ZI_CUBE_FACTORS) return false;
    int i = c->length++;
    for (; i > 0 && c->factor[i - 1] > factor; i--) c->factor[i] = c->factor[i - 1];
    c->factor[i] = factor;
    return true;
}

int zi_cube_compare(const ziCube *a, const ziCube *b) {
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    for (int i = 0; i < a->length; i++)
        if (a->factor[i] != b->factor[i]) return a->factor[i] < b->factor[i] ? -1 : 1;
    return 0;
}

/* +-x as a cube of variable i. */
static void add_term(ziNetwork *net, int i, ziEdge x) {
    const int c = zi_network_cube(net, i, zi_edge_negative(x) ? -1 : 1);
    if (c >= 0) zi_cube_multiply(&net->cube[c], zi_edge_node(x));
}

/* A node of the tape as a variable: sums and products become cubes, the rest stays a function. */
static void add_node(ziNetwork *net, const ziTapeNode *n) {
    const int i = zi_network_variable(net);
    if (i < 0) return;
    int c;
    switch (n->op) {
    case ZI_TAPE_CONSTANT:
        if (n->value != 0) zi_network_cube(net, i, n->value);
        break;
    case ZI_TAPE_ADD:
        add_term(net, i, n->b);
        add_term(net, i, n->a);
        break;
    case ZI_TAPE_MUL:
        c = zi_network_cube(net, i, 1);
        if (c >= 0 && zi_cube_multiply(&net->cube[c], zi_edge_node(n->a)))
            zi_cube_multiply(&net->cube[c], zi_edge_node(n->b));
        break;
    default:
        net->variable[i].op = n->op;
        net->variable[i].a = n->a;
        net->variable[i].b = n->op == ZI_TAPE_DIV ? n->b : 0;
    }
}

static void count_uses(ziNetwork *net, size_t count, const ziEdge *output) {
    for (size_t i = 0; i < net->count; i++) {
        const ziVariable *v = &net->variable[i];
        if (v->op > ZI_TAPE_MUL) net->variable[zi_edge_node(v->a)].uses++;
        if (v->op == ZI_TAPE_DIV) net->variable[zi_edge_node(v->b)].uses++;
    }
    for (size_t i = 0; i < net->cubes; i++)
        for (int j = 0; j < net->cube[i].length; j++) net->variable[net->cube[i].factor[j]].uses++;
    for (size_t k = 0; k < count; k++) net->variable[zi_edge_node(output[k])].uses++;
}

/* Sine and cosine of one angle learn of each other. */
static bool pair_angles(ziNetwork *net) {
    int *sine = calloc(net->count, sizeof *sine); /* by angle */
    if (!sine) return false;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < net->count; i++) {
            ziVariable *v = &net->variable[i];
            int *of = &sine[v->op == ZI_TAPE_SIN || v->op == ZI_TAPE_COS ? zi_edge_node(v->a) : 0];
            if (pass == 0 && v->op == ZI_TAPE_SIN) *of = (int)i;
            if (pass == 0 || v->op != ZI_TAPE_COS || !*of) continue;
            v->b = *of;
            net->variable[*of].b = (int)i;
        }
    free(sine);
    return true;
}

/* x / d and y / d become x r and y r with r = 1 / d. */
static bool share_reciprocals(ziNetwork *net) {
    const size_t count = net->count;
    int *quotients = calloc(count, sizeof *quotients), *reciprocal = calloc(count, sizeof *reciprocal), one = 0;
    bool fine = quotients && reciprocal;
    for (size_t i = 0; i < count && fine; i++)
        if (net->variable[i].op == ZI_TAPE_DIV) quotients[zi_edge_node(net->variable[i].b)]++;
    for (size_t i = 0; i < count && fine; i++) {
        const ziVariable v = net->variable[i];
        const int d = zi_edge_node(v.b);
        if (v.op != ZI_TAPE_DIV || quotients[d] < 2) continue;
        if (!one) fine = (one = zi_network_variable(net)) >= 0 && zi_network_cube(net, one, 1) >= 0;
        if (fine && !reciprocal[d]) {
            fine = (reciprocal[d] = zi_network_variable(net)) >= 0;
            if (fine) net->variable[reciprocal[d]] = (ziVariable){ZI_TAPE_DIV, 2 * one, v.b & ~1, ZI_NO_CUBE, 0, 0};
        }
        if (!fine) break;
        net->variable[i] = (ziVariable){ZI_TAPE_ADD, 0, 0, ZI_NO_CUBE, 0, 0};
        const int c = zi_network_cube(net, (int)i, zi_edge_negative(v.a ^ v.b) ? -1 : 1);
        fine = c >= 0 && zi_cube_multiply(&net->cube[c], zi_edge_node(v.a)) &&
               zi_cube_multiply(&net->cube[c], reciprocal[d]);
    }
    free(quotients);
    free(reciprocal);
    return fine;
}

bool zi_network_open(ziNetwork *net, const ziTape *tape, size_t count, const ziEdge *output) {
    *net = (ziNetwork){0};
    for (int i = 0; i < tape->count && !net->full; i++) add_node(net, &tape->node[i]);
    if (net->full || !share_reciprocals(net)) return false;
    count_uses(net, count, output);
    return pair_angles(net);
}

void zi_network_close(ziNetwork *net) {
    free(net->variable);
    free(net->cube);
    *net = (ziNetwork){0};
}

/* A network as a tape again. Products and sums are built so that what is ready first is taken first; a sum runs on as
 * a chain of a b + c, long ones as several chains. */

enum { CHAIN = 8 }; /* terms one after the other */

/* A value, or a product x y that is not yet one (y < 0: a value x). */
typedef struct Item {
    int ready; /* operations one after the other until then */
    int order; /* as they came: qsort is not stable */
    ziEdge x, y;
} Item;

typedef struct Writer {
    const ziNetwork *net;
    ziTape *to;
    ziEdge *at;  /* by variable */
    char *state; /* by variable: unseen, opened, written */
    size_t ready_count, ready_capacity;
    int *ready; /* by node of the tape */
    size_t item_capacity;
    Item *item;
    size_t stacked, stack_capacity;
    int *stack;
    bool full;
} Writer;

/* Operations one after the other until a value is there; filled up as the tape grows. */
static int ready_of(Writer *w, ziEdge e) {
    while (w->ready_count < (size_t)w->to->count) {
        if (!zi_grow(&w->ready, w->ready_count, &w->ready_capacity, sizeof *w->ready)) {
            w->full = true;
            return 0;
        }
        const ziTapeNode *n = &w->to->node[w->ready_count];
        int depth = 0;
        if (n->op >= ZI_TAPE_ADD) depth = 1 + w->ready[zi_edge_node(n->a)];
        if (n->op >= ZI_TAPE_ADD && n->op <= ZI_TAPE_DIV && w->ready[zi_edge_node(n->b)] >= depth)
            depth = 1 + w->ready[zi_edge_node(n->b)];
        w->ready[w->ready_count++] = depth;
    }
    const int node = zi_edge_node(e);
    return node < (int)w->ready_count ? w->ready[node] : 0;
}

static ziEdge edge_of(const Writer *w, ziEdge e) {
    const ziEdge m = w->at[zi_edge_node(e)];
    return zi_edge_negative(e) ? zi_edge_negate(m) : m;
}

static void sort_edges(Writer *w, int count, ziEdge *edge) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && ready_of(w, edge[j]) < ready_of(w, edge[j - 1]); j--) {
            const ziEdge e = edge[j];
            edge[j] = edge[j - 1];
            edge[j - 1] = e;
        }
}

/* All factors but the last multiplied, the ones ready first first; the constant is ready before all. */
static Item product(Writer *w, const ziCube *c) {
    ziEdge edge[ZI_CUBE_FACTORS + 1];
    int count = 0;
    const double k = c->k;
    for (int j = 0; j < c->length; j++) edge[count++] = w->at[c->factor[j]];
    sort_edges(w, count, edge);
    if ((k != 1 && k != -1) || count == 0) {
        memmove(edge + 1, edge, (size_t)count++ * sizeof *edge);
        edge[0] = zi_tape_constant(w->to, k);
    } else if (k < 0) {
        edge[0] = zi_edge_negate(edge[0]);
    }
    while (count > 2) {
        edge[1] = zi_tape_mul(w->to, edge[0], edge[1]);
        memmove(edge, edge + 1, (size_t)--count * sizeof *edge);
        sort_edges(w, count, edge);
    }
    Item item = {.ready = ready_of(w, edge[0]), .x = edge[0], .y = -1};
    if (count == 2) {
        item.y = edge[1];
        if (ready_of(w, edge[1]) > item.ready) item.ready = ready_of(w, edge[1]);
    }
    return item;
}

static ziEdge value_of(Writer *w, const Item *item) {
    return item->y < 0 ? item->x : zi_tape_mul(w->to, item->x, item->y);
}

static int by_ready(const void *a, const void *b) {
    const Item *x = a, *y = b;
    if (x->ready != y->ready) return x->ready < y->ready ? -1 : 1;
    if ((x->y < 0) != (y->y < 0)) return x->y < 0 ? -1 : 1; /* a value is a better start than a product */
    return x->order < y->order ? -1 : 1;
}

/* Terms that are ready first are added first; long sums as several chains, which run side by side. */
static ziEdge sum_terms(Writer *w, size_t count) {
    if (count == 0) return ZI_EDGE_ZERO;
    if (count > 1) qsort(w->item, count, sizeof *w->item, by_ready);
    const size_t chains = (count + CHAIN - 1) / CHAIN;
    for (size_t i = 0; i < count; i++) {
        const ziEdge value = value_of(w, &w->item[i]);
        w->item[i % chains].x = i < chains ? value : zi_tape_add(w->to, w->item[i % chains].x, value);
        w->item[i % chains].y = -1;
    }
    for (size_t step = 1; step < chains; step *= 2)
        for (size_t i = 0; i + step < chains; i += 2 * step)
            w->item[i].x = zi_tape_add(w->to, w->item[i].x, w->item[i + step].x);
    return w->item[0].x;
}

/* The terms of a polynomial as items, then their sum. */
static ziEdge polynomial(Writer *w, const ziVariable *v) {
    size_t count = 0;
    for (int c = v->first; c >= 0; c = w->net->cube[c].next) {
        if (!zi_grow(&w->item, count, &w->item_capacity, sizeof *w->item)) {
            w->full = true;
            return ZI_EDGE_UNKNOWN;
        }
        w->item[count] = product(w, &w->net->cube[c]);
        w->item[count].order = (int)count;
        count++;
    }
    return sum_terms(w, count);
}

static ziEdge variable(Writer *w, const ziVariable *v) {
    switch (v->op) {
    case ZI_TAPE_INPUT: return zi_tape_input(w->to, v->a);
    case ZI_TAPE_DIV: return zi_tape_div(w->to, edge_of(w, v->a), edge_of(w, v->b));
    case ZI_TAPE_SIN: return zi_tape_sin(w->to, edge_of(w, v->a));
    case ZI_TAPE_COS: return zi_tape_cos(w->to, edge_of(w, v->a));
    case ZI_TAPE_SQRT: return zi_tape_sqrt(w->to, edge_of(w, v->a));
    case ZI_TAPE_TANH: return zi_tape_tanh(w->to, edge_of(w, v->a));
    default: return polynomial(w, v);
    }
}

static void push_node(Writer *w, int i) {
    if (w->state[i]) return;
    if (zi_grow(&w->stack, w->stacked, &w->stack_capacity, sizeof *w->stack))
        w->stack[w->stacked++] = i;
    else
        w->full = true;
}

static void push_operands(Writer *w, const ziVariable *v) {
    if (v->op > ZI_TAPE_MUL) push_node(w, zi_edge_node(v->a));
    if (v->op == ZI_TAPE_DIV) push_node(w, zi_edge_node(v->b));
    for (int c = v->op == ZI_TAPE_ADD ? v->first : ZI_NO_CUBE; c >= 0; c = w->net->cube[c].next)
        for (int j = 0; j < w->net->cube[c].length; j++) push_node(w, w->net->cube[c].factor[j]);
}

/* Depth first, with a stack of our own. */
static void write_variable(Writer *w, int i) {
    push_node(w, i);
    while (w->stacked && !w->full) {
        const int top = w->stack[w->stacked - 1];
        if (w->state[top] == 0) {
            w->state[top] = 1;
            push_operands(w, &w->net->variable[top]);
            continue;
        }
        w->stacked--;
        if (w->state[top] == 2) continue;
        w->at[top] = variable(w, &w->net->variable[top]);
        w->state[top] = 2;
    }
}

/* Variables are written when an output needs them, and only then. */
zvStatus zi_network_write(const ziNetwork *net, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved) {
    if (!zi_tape_open(to, ZI_TAPE_RECORD)) return ZV_MEMORY;
    Writer w = {.net = net, .to = to};
    w.at = calloc(net->count, sizeof *w.at);
    w.state = calloc(net->count, 1);
    w.full = !w.at || !w.state;
    for (size_t k = 0; k < count && !w.full; k++) {
        write_variable(&w, zi_edge_node(output[k]));
        moved[k] = edge_of(&w, output[k]);
    }
    free(w.at);
    free(w.state);
    free(w.ready);
    free(w.item);
    free(w.stack);
    return w.full || to->full ? ZV_MEMORY : ZV_OK;
}
