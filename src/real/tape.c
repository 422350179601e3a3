#include "real/tape.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Per thread, not per process: two threads trace two robots without knowing of each other. */
static _Thread_local zvTape *zv_tape_of_thread;

zvTape *zv_tape_current(void) { return zv_tape_of_thread; }

zvTape *zv_tape_use(zvTape *tape) {
    zvTape *before = zv_tape_of_thread;
    zv_tape_of_thread = tape;
    return before;
}

enum { FIRST_ROOM = 1024, MOST_NODES = INT_MAX / 4 };

/* -- nodes, each once ------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t x) {
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

static uint64_t hash_of(const zvTapeNode *n) {
    uint64_t bits;
    memcpy(&bits, &n->value, sizeof bits);
    uint64_t h = mix(mix(mix((uint64_t)n->op, (uint64_t)n->a), (uint64_t)n->b), bits);
    return h ^ (h >> 29);
}

static bool same(const zvTapeNode *x, const zvTapeNode *y) {
    return x->op == y->op && x->a == y->a && x->b == y->b && x->value == y->value;
}

static bool rehash(zvTape *t, size_t slots) {
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

static bool grow(zvTape *t) {
    if (t->count < t->room) return true;
    if (t->room >= MOST_NODES) return false;
    zvTapeNode *node = realloc(t->node, 2 * (size_t)t->room * sizeof *node);
    if (!node) return false;
    t->node = node;
    t->room *= 2;
    return rehash(t, 4 * (size_t)t->room);
}

/* The edge of the node equal to n, which is made when there is none. */
static zvEdge intern(zvTape *t, const zvTapeNode *n) {
    if (t->full) return ZV_EDGE_UNKNOWN;
    size_t at = (size_t)hash_of(n) & (t->slots - 1);
    for (; t->table[at]; at = (at + 1) & (t->slots - 1))
        if (same(&t->node[t->table[at] - 1], n)) return 2 * (t->table[at] - 1);
    if (t->count == t->room) {
        if (!grow(t)) {
            t->full = true;
            return ZV_EDGE_UNKNOWN;
        }
        at = (size_t)hash_of(n) & (t->slots - 1);
        while (t->table[at]) at = (at + 1) & (t->slots - 1);
    }
    t->node[t->count] = *n;
    t->table[at] = ++t->count;
    return 2 * (t->count - 1);
}

bool zv_tape_open(zvTape *t, zvTapeMode mode) {
    *t = (zvTape){.mode = mode, .room = FIRST_ROOM};
    t->node = malloc((size_t)t->room * sizeof *t->node);
    if (!t->node || !rehash(t, 4 * (size_t)t->room)) return false;
    const zvTapeNode zero = {.op = ZV_TAPE_CONSTANT}, unknown = {.op = ZV_TAPE_INPUT, .a = -1};
    intern(t, &zero);
    intern(t, &unknown);
    return true;
}

void zv_tape_close(zvTape *t) {
    free(t->node);
    free(t->table);
    *t = (zvTape){0};
}

/* -- operations ------------------------------------------------------------------------------------------------- */

zvEdge zv_tape_constant(zvTape *t, double value) {
    if (t->mode == ZV_TAPE_COUNT) return ZV_EDGE_UNKNOWN;
    if (value == 0) return ZV_EDGE_ZERO;
    const zvTapeNode n = {.op = ZV_TAPE_CONSTANT, .value = fabs(value)};
    return intern(t, &n) ^ (value < 0);
}

zvEdge zv_tape_input(zvTape *t, int number) {
    if (t->mode == ZV_TAPE_COUNT) return ZV_EDGE_UNKNOWN;
    const zvTapeNode n = {.op = ZV_TAPE_INPUT, .a = number};
    return intern(t, &n);
}

bool zv_tape_known(const zvTape *t, zvEdge e, double *value) {
    const zvTapeNode *n = &t->node[zv_edge_node(e)];
    if (n->op != ZV_TAPE_CONSTANT) return false;
    *value = zv_edge_negative(e) ? -n->value : n->value;
    return true;
}

/* A node of two operands that may change places. */
static zvEdge pair(zvTape *t, zvTapeOp op, zvEdge a, zvEdge b) {
    const bool turn = zv_edge_node(a) > zv_edge_node(b);
    const zvTapeNode n = {.op = op, .a = turn ? b : a, .b = turn ? a : b};
    return intern(t, &n);
}

/* a = factor times a node: of a product with a constant its parts, of anything else itself. */
static zvEdge part(const zvTape *t, zvEdge a, double *factor) {
    const zvTapeNode *n = &t->node[zv_edge_node(a)];
    *factor = zv_edge_negative(a) ? -1 : 1;
    if (n->op != ZV_TAPE_MUL) return a & ~1;
    double k;
    if (zv_tape_known(t, n->a, &k)) {
        *factor *= k;
        return n->b;
    }
    if (zv_tape_known(t, n->b, &k)) {
        *factor *= k;
        return n->a;
    }
    return a & ~1;
}

/* Whether nodes x and y are the sine and the cosine of one angle, each squared. */
static bool squares_of_one_angle(const zvTape *t, zvEdge x, zvEdge y) {
    const zvTapeNode *n = &t->node[zv_edge_node(x)], *m = &t->node[zv_edge_node(y)];
    if (n->op != ZV_TAPE_MUL || m->op != ZV_TAPE_MUL || n->a != n->b || m->a != m->b) return false;
    const zvTapeNode *f = &t->node[zv_edge_node(n->a)], *g = &t->node[zv_edge_node(m->a)];
    const bool trig = (f->op == ZV_TAPE_SIN && g->op == ZV_TAPE_COS) || (f->op == ZV_TAPE_COS && g->op == ZV_TAPE_SIN);
    return trig && f->a == g->a;
}

zvEdge zv_tape_add(zvTape *t, zvEdge a, zvEdge b) {
    t->done[t->stage].add++;
    if (t->mode == ZV_TAPE_COUNT || t->full) return ZV_EDGE_UNKNOWN;
    double x, y;
    if (a == ZV_EDGE_ZERO) return b;
    if (b == ZV_EDGE_ZERO) return a;
    if (zv_tape_known(t, a, &x) && zv_tape_known(t, b, &y)) return zv_tape_constant(t, x + y);
    const zvEdge p = part(t, a, &x), r = part(t, b, &y);
    if (p == r) { /* x p + y p */
        t->done[t->stage].mul--;
        return zv_tape_mul(t, zv_tape_constant(t, x + y), p);
    }
    if (x == y && squares_of_one_angle(t, p, r)) return zv_tape_constant(t, x);
    if (zv_edge_node(a) > zv_edge_node(b)) {
        const zvEdge c = a;
        a = b;
        b = c;
    }
    const zvEdge sign = a & 1;
    return pair(t, ZV_TAPE_ADD, a ^ sign, b ^ sign) ^ sign;
}

zvEdge zv_tape_mul(zvTape *t, zvEdge a, zvEdge b) {
    t->done[t->stage].mul++;
    if (t->mode == ZV_TAPE_COUNT || t->full) return ZV_EDGE_UNKNOWN;
    double x, y;
    const bool first = zv_tape_known(t, a, &x), second = zv_tape_known(t, b, &y);
    if (first && second) return zv_tape_constant(t, x * y);
    if (second) {
        const zvEdge c = a;
        a = b;
        b = c;
        x = y;
    }
    if (first || second) { /* x b */
        const zvEdge rest = part(t, b, &y);
        x *= y;
        if (x == 0) return ZV_EDGE_ZERO;
        if (x == 1 || x == -1) return rest ^ (x < 0);
        return pair(t, ZV_TAPE_MUL, zv_tape_constant(t, fabs(x)), rest) ^ (x < 0);
    }
    const zvEdge sign = (a ^ b) & 1;
    return pair(t, ZV_TAPE_MUL, a & ~1, b & ~1) ^ sign;
}

zvEdge zv_tape_div(zvTape *t, zvEdge a, zvEdge b) {
    t->done[t->stage].div++;
    if (t->mode == ZV_TAPE_COUNT || t->full) return ZV_EDGE_UNKNOWN;
    double y;
    if (zv_tape_known(t, b, &y)) {
        t->done[t->stage].mul--;
        return zv_tape_mul(t, zv_tape_constant(t, 1 / y), a);
    }
    if (a == ZV_EDGE_ZERO) return a;
    const zvTapeNode n = {.op = ZV_TAPE_DIV, .a = a & ~1, .b = b & ~1};
    return intern(t, &n) ^ ((a ^ b) & 1);
}

static zvEdge function_of(zvTape *t, zvTapeOp op, zvEdge a, double (*f)(double)) {
    if (t->mode == ZV_TAPE_COUNT || t->full) return ZV_EDGE_UNKNOWN;
    double x;
    if (zv_tape_known(t, a, &x)) return zv_tape_constant(t, f(x));
    const zvTapeNode n = {.op = op, .a = a};
    return intern(t, &n);
}

zvEdge zv_tape_sin(zvTape *t, zvEdge a) {
    t->done[t->stage].trig++;
    const zvEdge sign = a & 1;
    return zv_edge_negative(sign) ? zv_edge_negate(function_of(t, ZV_TAPE_SIN, a ^ sign, sin))
                                  : function_of(t, ZV_TAPE_SIN, a, sin);
}

zvEdge zv_tape_cos(zvTape *t, zvEdge a) {
    t->done[t->stage].trig++;
    return function_of(t, ZV_TAPE_COS, a & ~1, cos);
}

zvEdge zv_tape_sqrt(zvTape *t, zvEdge a) {
    t->done[t->stage].root++;
    return function_of(t, ZV_TAPE_SQRT, a, sqrt);
}

void zv_tape_stage(zvTape *t) { t->stage = 1; }

void zv_tape_branch(zvTape *t, const char *what) {
    if (!t->branch) t->branch = what;
}

/* -- values ----------------------------------------------------------------------------------------------------- */

void zv_tape_run(const zvTape *t, const double *inputs, double *value) {
    for (int i = 0; i < t->count; i++) {
        const zvTapeNode *n = &t->node[i];
        const double a = n->op >= ZV_TAPE_ADD ? zv_edge_value(value, n->a) : 0;
        const double b = n->op >= ZV_TAPE_ADD && n->op <= ZV_TAPE_DIV ? zv_edge_value(value, n->b) : 0;
        switch (n->op) {
        case ZV_TAPE_CONSTANT: value[i] = n->value; break;
        case ZV_TAPE_INPUT: value[i] = n->a < 0 ? NAN : inputs[n->a]; break;
        case ZV_TAPE_ADD: value[i] = a + b; break;
        case ZV_TAPE_MUL: value[i] = a * b; break;
        case ZV_TAPE_DIV: value[i] = a / b; break;
        case ZV_TAPE_SIN: value[i] = sin(a); break;
        case ZV_TAPE_COS: value[i] = cos(a); break;
        case ZV_TAPE_SQRT: value[i] = sqrt(a); break;
        }
    }
}
