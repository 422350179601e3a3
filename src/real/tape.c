#include "real/tape.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Per thread, not per process: two threads trace two robots without knowing of each other. */
static _Thread_local ziTape *zi_tape_of_thread;

ziTape *zi_tape_current(void) { return zi_tape_of_thread; }

ziTape *zi_tape_use(ziTape *tape) {
    ziTape *before = zi_tape_of_thread;
    zi_tape_of_thread = tape;
    return before;
}

enum { FIRST_CAPACITY = 1024, MOST_NODES = INT_MAX / 4 };

/* -- nodes, each once ------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t x) {
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

static uint64_t hash_of(const ziTapeNode *n) {
    uint64_t bits;
    memcpy(&bits, &n->value, sizeof bits);
    uint64_t h = mix(mix(mix((uint64_t)n->op, (uint64_t)n->a), (uint64_t)n->b), bits);
    return h ^ (h >> 29);
}

static bool same_node(const ziTapeNode *x, const ziTapeNode *y) {
    return x->op == y->op && x->a == y->a && x->b == y->b && x->value == y->value;
}

/* Hash table of all nodes with `slots` places, a power of two, open addressing; a place holds the node's number plus
 * one, 0: empty. False when out of memory. */
static bool rehash(ziTape *t, size_t slots) {
    int *table = calloc(slots, sizeof *table);
    if (!table) return false;
    for (int i = 0; i < t->count; i++) {
        size_t at = (size_t)hash_of(&t->node[i]) & (slots - 1);
        while (table[at]) at = (at + 1) & (slots - 1);
        table[at] = i + 1;
    }
    free(t->table);
    t->table = table;
    t->slots = slots;
    return true;
}

static bool grow(ziTape *t) {
    if (t->count < t->capacity) return true;
    if (t->capacity >= MOST_NODES) return false;
    ziTapeNode *node = realloc(t->node, 2 * (size_t)t->capacity * sizeof *node);
    if (!node) return false;
    t->node = node;
    t->capacity *= 2;
    return rehash(t, 4 * (size_t)t->capacity);
}

/* The edge of the node equal to n, which is made when there is none. */
static ziEdge intern(ziTape *t, const ziTapeNode *n) {
    if (t->full) return ZI_EDGE_UNKNOWN;
    size_t at = (size_t)hash_of(n) & (t->slots - 1);
    for (; t->table[at]; at = (at + 1) & (t->slots - 1))
        if (same_node(&t->node[t->table[at] - 1], n)) return 2 * (t->table[at] - 1);
    if (t->count == t->capacity) {
        if (!grow(t)) {
            t->full = true;
            return ZI_EDGE_UNKNOWN;
        }
        at = (size_t)hash_of(n) & (t->slots - 1);
        while (t->table[at]) at = (at + 1) & (t->slots - 1);
    }
    t->node[t->count] = *n;
    t->table[at] = ++t->count;
    return 2 * (t->count - 1);
}

bool zi_tape_open(ziTape *t, ziTapeMode mode) {
    *t = (ziTape){.mode = mode, .capacity = FIRST_CAPACITY};
    t->node = malloc((size_t)t->capacity * sizeof *t->node);
    if (!t->node || !rehash(t, 4 * (size_t)t->capacity)) return false;
    const ziTapeNode zero = {.op = ZI_TAPE_CONSTANT}, unknown = {.op = ZI_TAPE_INPUT, .a = -1};
    intern(t, &zero);
    intern(t, &unknown);
    return true;
}

void zi_tape_close(ziTape *t) {
    free(t->node);
    free(t->table);
    *t = (ziTape){0};
}

/* -- operations ------------------------------------------------------------------------------------------------- */

ziEdge zi_tape_constant(ziTape *t, double value) {
    if (t->mode == ZI_TAPE_COUNT) return ZI_EDGE_UNKNOWN;
    if (value == 0) return ZI_EDGE_ZERO;
    const ziTapeNode n = {.op = ZI_TAPE_CONSTANT, .value = fabs(value)};
    return intern(t, &n) ^ (value < 0);
}

ziEdge zi_tape_input(ziTape *t, int number) {
    if (t->mode == ZI_TAPE_COUNT) return ZI_EDGE_UNKNOWN;
    const ziTapeNode n = {.op = ZI_TAPE_INPUT, .a = number};
    return intern(t, &n);
}

bool zi_tape_known(const ziTape *t, ziEdge e, double *value) {
    const ziTapeNode *n = &t->node[zi_edge_node(e)];
    if (n->op != ZI_TAPE_CONSTANT) return false;
    *value = zi_edge_negative(e) ? -n->value : n->value;
    return true;
}

/* A node of two operands that may change places. */
static ziEdge pair(ziTape *t, ziTapeOp op, ziEdge a, ziEdge b) {
    const bool turn = zi_edge_node(a) > zi_edge_node(b);
    const ziTapeNode n = {.op = op, .a = turn ? b : a, .b = turn ? a : b};
    return intern(t, &n);
}

/* a = factor times a node: of a product with a constant its parts, of anything else itself. */
static ziEdge part(const ziTape *t, ziEdge a, double *factor) {
    const ziTapeNode *n = &t->node[zi_edge_node(a)];
    *factor = zi_edge_negative(a) ? -1 : 1;
    if (n->op != ZI_TAPE_MUL) return a & ~1;
    double k;
    if (zi_tape_known(t, n->a, &k)) {
        *factor *= k;
        return n->b;
    }
    if (zi_tape_known(t, n->b, &k)) {
        *factor *= k;
        return n->a;
    }
    return a & ~1;
}

/* Whether nodes x and y are the sine and the cosine of one angle, each squared. */
static bool squares_of_one_angle(const ziTape *t, ziEdge x, ziEdge y) {
    const ziTapeNode *n = &t->node[zi_edge_node(x)], *m = &t->node[zi_edge_node(y)];
    if (n->op != ZI_TAPE_MUL || m->op != ZI_TAPE_MUL || n->a != n->b || m->a != m->b) return false;
    const ziTapeNode *f = &t->node[zi_edge_node(n->a)], *g = &t->node[zi_edge_node(m->a)];
    const bool trig = (f->op == ZI_TAPE_SIN && g->op == ZI_TAPE_COS) || (f->op == ZI_TAPE_COS && g->op == ZI_TAPE_SIN);
    return trig && f->a == g->a;
}

/* a + b, counted, and simplified when recording: zeros, constants, x p + y p, x (sin^2 + cos^2). The sign of the first
 * operand is taken out, so that -a - b is -(a + b). */
ziEdge zi_tape_add(ziTape *t, ziEdge a, ziEdge b) {
    t->done[t->stage].add++;
    if (t->mode == ZI_TAPE_COUNT || t->full) return ZI_EDGE_UNKNOWN;
    double x, y;
    if (a == ZI_EDGE_ZERO) return b;
    if (b == ZI_EDGE_ZERO) return a;
    if (zi_tape_known(t, a, &x) && zi_tape_known(t, b, &y)) return zi_tape_constant(t, x + y);
    const ziEdge p = part(t, a, &x), r = part(t, b, &y);
    if (p == r) { /* x p + y p */
        t->done[t->stage].mul--;
        return zi_tape_mul(t, zi_tape_constant(t, x + y), p);
    }
    if (x == y && squares_of_one_angle(t, p, r)) return zi_tape_constant(t, x);
    if (zi_edge_node(a) > zi_edge_node(b)) {
        const ziEdge c = a;
        a = b;
        b = c;
    }
    const ziEdge sign = a & 1;
    return pair(t, ZI_TAPE_ADD, a ^ sign, b ^ sign) ^ sign;
}

/* a b, counted, and simplified when recording: constants are joined into one factor in front, 0 and +-1 vanish, signs
 * go to the edge. */
ziEdge zi_tape_mul(ziTape *t, ziEdge a, ziEdge b) {
    t->done[t->stage].mul++;
    if (t->mode == ZI_TAPE_COUNT || t->full) return ZI_EDGE_UNKNOWN;
    double x, y;
    const bool first = zi_tape_known(t, a, &x), second = zi_tape_known(t, b, &y);
    if (first && second) return zi_tape_constant(t, x * y);
    if (second) {
        const ziEdge c = a;
        a = b;
        b = c;
        x = y;
    }
    if (first || second) { /* x b */
        const ziEdge rest = part(t, b, &y);
        x *= y;
        if (x == 0) return ZI_EDGE_ZERO;
        if (x == 1 || x == -1) return rest ^ (x < 0);
        return pair(t, ZI_TAPE_MUL, zi_tape_constant(t, fabs(x)), rest) ^ (x < 0);
    }
    const ziEdge sign = (a ^ b) & 1;
    return pair(t, ZI_TAPE_MUL, a & ~1, b & ~1) ^ sign;
}

/* a / b, counted as a division; when recording, a known b becomes a product with 1 / b, and signs go to the edge. */
ziEdge zi_tape_div(ziTape *t, ziEdge a, ziEdge b) {
    t->done[t->stage].div++;
    if (t->mode == ZI_TAPE_COUNT || t->full) return ZI_EDGE_UNKNOWN;
    double y;
    if (zi_tape_known(t, b, &y)) {
        t->done[t->stage].mul--;
        return zi_tape_mul(t, zi_tape_constant(t, 1 / y), a);
    }
    if (a == ZI_EDGE_ZERO) return a;
    const ziTapeNode n = {.op = ZI_TAPE_DIV, .a = a & ~1, .b = b & ~1};
    return intern(t, &n) ^ ((a ^ b) & 1);
}

static ziEdge function_of(ziTape *t, ziTapeOp op, ziEdge a, double (*f)(double)) {
    if (t->mode == ZI_TAPE_COUNT || t->full) return ZI_EDGE_UNKNOWN;
    double x;
    if (zi_tape_known(t, a, &x)) return zi_tape_constant(t, f(x));
    const ziTapeNode n = {.op = op, .a = a};
    return intern(t, &n);
}

/* f(-a) = -f(a) */
static ziEdge odd_function_of(ziTape *t, ziTapeOp op, ziEdge a, double (*f)(double)) {
    t->done[t->stage].trig++;
    const ziEdge sign = a & 1;
    return zi_edge_negative(sign) ? zi_edge_negate(function_of(t, op, a ^ sign, f)) : function_of(t, op, a, f);
}

ziEdge zi_tape_sin(ziTape *t, ziEdge a) { return odd_function_of(t, ZI_TAPE_SIN, a, sin); }
ziEdge zi_tape_tanh(ziTape *t, ziEdge a) { return odd_function_of(t, ZI_TAPE_TANH, a, tanh); }

ziEdge zi_tape_cos(ziTape *t, ziEdge a) {
    t->done[t->stage].trig++;
    return function_of(t, ZI_TAPE_COS, a & ~1, cos);
}

ziEdge zi_tape_sqrt(ziTape *t, ziEdge a) {
    t->done[t->stage].root++;
    return function_of(t, ZI_TAPE_SQRT, a, sqrt);
}

void zi_tape_stage(ziTape *t) { t->stage = 1; }

/* What was done since the last call belongs to the part that was current. */
void zi_tape_part(ziTape *t, int part) {
    const ziTapeCounts *now = &t->done[1];
    ziTapeCounts *to = &t->part[t->current];
    to->mul += now->mul - t->before.mul;
    to->add += now->add - t->before.add;
    to->div += now->div - t->before.div;
    to->trig += now->trig - t->before.trig;
    to->root += now->root - t->before.root;
    t->before = *now;
    t->current = part;
}

void zi_tape_branch(ziTape *t, const char *what) {
    if (!t->branch) t->branch = what;
}

/* -- values ----------------------------------------------------------------------------------------------------- */

/* Values of all nodes in order, at these inputs; an unknown input is NaN. */
void zi_tape_run(const ziTape *t, const double *inputs, double *value) {
    for (int i = 0; i < t->count; i++) {
        const ziTapeNode *n = &t->node[i];
        const double a = n->op >= ZI_TAPE_ADD ? zi_edge_value(value, n->a) : 0;
        const double b = n->op >= ZI_TAPE_ADD && n->op <= ZI_TAPE_DIV ? zi_edge_value(value, n->b) : 0;
        switch (n->op) {
        case ZI_TAPE_CONSTANT: value[i] = n->value; break;
        case ZI_TAPE_INPUT: value[i] = n->a < 0 ? NAN : inputs[n->a]; break;
        case ZI_TAPE_ADD: value[i] = a + b; break;
        case ZI_TAPE_MUL: value[i] = a * b; break;
        case ZI_TAPE_DIV: value[i] = a / b; break;
        case ZI_TAPE_SIN: value[i] = sin(a); break;
        case ZI_TAPE_COS: value[i] = cos(a); break;
        case ZI_TAPE_SQRT: value[i] = sqrt(a); break;
        case ZI_TAPE_TANH: value[i] = tanh(a); break;
        }
    }
}
