/* Pruning, the search for a program with fewer operations, and the order in which they are done. */
#include <stdlib.h>
#include <string.h>

#include "codegen/network.h"
#include "codegen/simplify.h"
#include "real/tape.h"
#include "zveno/status.h"

/* Roots count as divisions, which they cost as much as. */
zvOperations zi_tape_operations(const ziTape *tape) {
    zvOperations count = {0};
    for (int i = 0; i < tape->count; i++) {
        switch (tape->node[i].op) {
        case ZI_TAPE_CONSTANT:
        case ZI_TAPE_INPUT: break;
        case ZI_TAPE_ADD: count.add++; break;
        case ZI_TAPE_MUL: count.mul++; break;
        case ZI_TAPE_DIV:
        case ZI_TAPE_SQRT: count.div++; break;
        case ZI_TAPE_SIN:
        case ZI_TAPE_COS:
        case ZI_TAPE_TANH: count.trig++; break;
        }
    }
    return count;
}

static bool binary(ziTapeOp op) { return op == ZI_TAPE_ADD || op == ZI_TAPE_MUL || op == ZI_TAPE_DIV; }

/* Marks what the outputs need. Operands stand before their nodes. */
static void mark(const ziTape *tape, size_t count, const ziEdge *output, char *needed) {
    for (size_t k = 0; k < count; k++) needed[zi_edge_node(output[k])] = 1;
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        if (!needed[i] || n->op < ZI_TAPE_ADD) continue;
        needed[zi_edge_node(n->a)] = 1;
        if (binary(n->op)) needed[zi_edge_node(n->b)] = 1;
    }
}

static ziEdge moved_edge(const ziEdge *at, ziEdge e) {
    const ziEdge m = at[zi_edge_node(e)];
    return zi_edge_negative(e) ? zi_edge_negate(m) : m;
}

/* A node on another tape, where operands have other numbers; folding may shorten it. */
static ziEdge rebuild(const ziTapeNode *n, const ziEdge *at, ziTape *to) {
    switch (n->op) {
    case ZI_TAPE_CONSTANT: return zi_tape_constant(to, n->value);
    case ZI_TAPE_INPUT: return zi_tape_input(to, n->a);
    case ZI_TAPE_ADD: return zi_tape_add(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZI_TAPE_MUL: return zi_tape_mul(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZI_TAPE_DIV: return zi_tape_div(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZI_TAPE_SIN: return zi_tape_sin(to, moved_edge(at, n->a));
    case ZI_TAPE_COS: return zi_tape_cos(to, moved_edge(at, n->a));
    case ZI_TAPE_SQRT: return zi_tape_sqrt(to, moved_edge(at, n->a));
    case ZI_TAPE_TANH: return zi_tape_tanh(to, moved_edge(at, n->a));
    }
    return ZI_EDGE_UNKNOWN;
}

/* Nodes of a tape in a given order on an open one, constants and inputs before the rest; folded again. */
static zvStatus zi_tape_copy(const ziTape *from, const int *order, int nodes, size_t count, const ziEdge *output,
                             ziTape *to, ziEdge *moved) {
    ziEdge *at = calloc((size_t)from->count, sizeof *at);
    if (!at) return ZV_MEMORY;
    for (int kind = 0; kind < 3; kind++) /* constants, inputs, operations: a product names its constant first */
        for (int i = 0; i < nodes; i++) {
            const ziTapeNode *n = &from->node[order[i]];
            if ((n->op < ZI_TAPE_ADD ? (int)n->op : 2) == kind) at[order[i]] = rebuild(n, at, to);
        }
    for (size_t k = 0; k < count; k++) moved[k] = moved_edge(at, output[k]);
    free(at);
    return to->full ? ZV_MEMORY : ZV_OK;
}

/* Keeps the order and leaves out what no output needs. */
zvStatus zi_prune(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved) {
    if (!zi_tape_open(to, ZI_TAPE_RECORD) || from->full) return ZV_MEMORY;
    char *needed = calloc((size_t)from->count, 1);
    int *order = calloc((size_t)from->count, sizeof *order), nodes = 0;
    zvStatus status = ZV_MEMORY;
    if (needed && order) {
        mark(from, count, output, needed);
        for (int i = 0; i < from->count; i++)
            if (needed[i]) order[nodes++] = i;
        status = zi_tape_copy(from, order, nodes, count, output, to, moved);
    }
    free(needed);
    free(order);
    return status;
}

/* The order of operations. */

enum { REGISTERS = 14 };

typedef struct Schedule {
    const ziTape *tape;
    size_t count;
    const ziEdge *output;
    int *uses; /* by node, outputs included */
    int *need; /* by node: registers for the tree that hangs on it, as if nothing were shared */
    int *last; /* by node: where it is used last */
    int *placed;
    int *stack; /* ~node: one whose operands are done */
    int *order, done, *best, best_count;
} Schedule;

static bool operation(ziTapeOp op) { return binary(op) || op == ZI_TAPE_SQRT || op == ZI_TAPE_TANH; }

/* Operands of a node that are operations, different ones. Constants, inputs, and sines and cosines, which are all taken
 * at the beginning, lie in memory anyway. */
static int operands(const ziTape *tape, int node, int operand[2]) {
    const ziTapeNode *n = &tape->node[node];
    if (n->op < ZI_TAPE_ADD) return 0;
    int count = 0;
    const int a = zi_edge_node(n->a), b = zi_edge_node(n->b);
    if (operation(tape->node[a].op)) operand[count++] = a;
    if (binary(n->op) && b != a && operation(tape->node[b].op)) operand[count++] = b;
    return count;
}

/* The product among the operands of a sum that goes nowhere else, or -1: the two are one instruction. */
static int fused_product(const Schedule *s, int node) {
    const ziTapeNode *n = &s->tape->node[node];
    if (n->op != ZI_TAPE_ADD) return -1;
    const int pair[2] = {zi_edge_node(n->b), zi_edge_node(n->a)};
    for (int k = 0; k < 2; k++)
        if (s->tape->node[pair[k]].op == ZI_TAPE_MUL && s->uses[pair[k]] == 1) return pair[k];
    return -1;
}

static void count_needs(Schedule *s) {
    for (int i = 0; i < s->tape->count; i++) {
        int operand[2], need[2] = {0, 0};
        for (int k = operands(s->tape, i, operand); k-- > 0;) {
            s->uses[operand[k]]++;
            need[k] = s->need[operand[k]];
        }
        s->need[i] = need[0] == need[1] ? need[0] + 1 : need[0] > need[1] ? need[0] : need[1];
    }
    for (size_t k = 0; k < s->count; k++) s->uses[zi_edge_node(s->output[k])]++;
}

/* A sum and the product that goes into it have three operands. */
static int visit(Schedule *s, int node, int depth) {
    int operand[4], count = 0, pair[2];
    const int product = fused_product(s, node);
    for (int k = operands(s->tape, node, pair); k-- > 0;)
        if (pair[k] != product) operand[count++] = pair[k];
    s->stack[depth++] = ~node;
    if (product >= 0) {
        s->stack[depth++] = ~product;
        for (int k = operands(s->tape, product, pair); k-- > 0;) operand[count++] = pair[k];
    }
    for (int i = 1; i < count; i++) /* the neediest last: it is on top */
        for (int j = i; j > 0 && s->need[operand[j]] < s->need[operand[j - 1]]; j--) {
            const int o = operand[j];
            operand[j] = operand[j - 1];
            operand[j - 1] = o;
        }
    for (int i = 0; i < count; i++)
        if (!s->placed[operand[i]]) s->stack[depth++] = operand[i];
    return depth;
}

static void place_node(Schedule *s, int node) {
    if (s->placed[node]) return;
    s->placed[node] = 1;
    s->order[s->done++] = node;
}

static void place_from(Schedule *s, int output) {
    int depth = 0;
    s->stack[depth++] = output;
    while (depth) {
        const int top = s->stack[--depth];
        if (top < 0)
            place_node(s, ~top);
        else if (!s->placed[top])
            depth = visit(s, top, depth);
    }
}

/* What lies in memory anyway comes first; angles need what stands before them. */
static void place_leaves(Schedule *s) {
    for (int i = 0; i < s->tape->count; i++) {
        const ziTapeNode *n = &s->tape->node[i];
        if (operation(n->op)) continue;
        if (n->op >= ZI_TAPE_ADD) place_from(s, zi_edge_node(n->a));
        place_node(s, i);
    }
}

/* Numbers alive beyond those that registers hold, summed over the program. */
static long long pressure(Schedule *s) {
    const int *order = s->order;
    int operand[2];
    long long sum = 0, alive = 0;
    memset(s->last, 0, (size_t)s->tape->count * sizeof *s->last);
    for (int i = 0; i < s->done; i++)
        for (int k = operands(s->tape, order[i], operand); k-- > 0;) s->last[operand[k]] = i;
    for (int i = 0; i < s->done; i++) {
        for (int k = operands(s->tape, order[i], operand); k-- > 0;) alive -= s->last[operand[k]] == i;
        if (operation(s->tape->node[order[i]].op) && s->last[order[i]]) alive++;
        if (alive > REGISTERS) sum += alive - REGISTERS;
    }
    return sum;
}

/* Outputs from the first on, from the last on, or all as it was. */
static void choose_order(Schedule *s) {
    const size_t nodes = (size_t)s->tape->count;
    long long least = -1;
    for (int kind = 0; kind < 3; kind++) {
        memset(s->placed, 0, nodes * sizeof *s->placed);
        s->done = 0;
        if (kind < 2) place_leaves(s);
        for (size_t k = 0; kind < 2 && k < s->count; k++)
            place_from(s, zi_edge_node(s->output[kind ? s->count - 1 - k : k]));
        for (int i = 0; kind == 2 && i < s->tape->count; i++) place_node(s, i);
        const long long found = pressure(s);
        if (least >= 0 && found >= least) continue;
        least = found;
        memcpy(s->best, s->order, (size_t)s->done * sizeof *s->best);
        s->best_count = s->done;
    }
}

/* The same operations, depth first from the outputs, of two operands the one that needs more registers first [Sethi and
 * Ullman 1970, for trees]; a product that only goes into a sum stands right before it. From the first output on,
 * from the last, or as it was, whichever keeps fewest numbers alive beyond registers. Every node must be needed. `to`
 * is opened here. */
static zvStatus zi_schedule(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved) {
    if (!zi_tape_open(to, ZI_TAPE_RECORD)) return ZV_MEMORY;
    const size_t n = (size_t)from->count;
    int *m = calloc(10 * n + 8, sizeof *m); /* a visit, of one node or of a sum and its product, pushes 3 or 5 */
    if (!m) return ZV_MEMORY;
    Schedule s = {from, count, output, m, m + n, m + 2 * n, m + 3 * n, m + 6 * n, m + 4 * n, 0, m + 5 * n, 0};
    count_needs(&s);
    choose_order(&s);
    const zvStatus status = zi_tape_copy(from, s.best, s.best_count, count, output, to, moved);
    free(m);
    return status;
}

/* Greedy division ends where no single step helps. From there the program is opened a little further than is good for
 * it and divided again, and what is not worse is gone on from. Differences that are opened within products may have
 * been of nearly equal numbers: of programs that cost the same the one in whose making fewest were opened is kept.
 * Programs of a robot are small enough to try that often. */

enum { MOST_TRIALS = 60, WORK = 150000 /* nodes of all rounds together */ };

static const ziOpening plain = {.factors = ZI_CUBE_FACTORS};
static const ziOpening openings[] = {
    {8, 0, 0}, {8, 0, 2}, {8, 0, 3}, {8, 0, 8}, {0, 0, 2}, {8, 2, 2}, {8, 2, 0}, {3, 0, 2},
};
enum { OPENINGS = sizeof openings / sizeof *openings };

typedef struct Program {
    ziTape tape;
    size_t count;
    ziEdge *output;
    int parted; /* differences that were opened within products in making it */
} Program;

static bool program_open(Program *p, size_t count) {
    *p = (Program){.count = count, .output = malloc((count + 1) * sizeof *p->output)};
    return p->output;
}

static void program_close(Program *p) {
    zi_tape_close(&p->tape);
    free(p->output);
    *p = (Program){0};
}

static void swap(Program *a, Program *b) {
    const Program c = *a;
    *a = *b;
    *b = c;
}

/* Divisions and functions weigh what they cost. */
static long long cost(const Program *p) {
    const zvOperations o = zi_tape_operations(&p->tape);
    return o.mul + o.add + 8 * o.div + 20 * o.trig;
}

/* One round: opened, divided, written and pruned. */
static zvStatus divide(const Program *from, const ziOpening *opening, unsigned seed, Program *to) {
    if (!program_open(to, from->count)) return ZV_MEMORY;
    ziNetwork net;
    ziTape raw = {0};
    zvStatus status = ZV_MEMORY;
    if (zi_network_open(&net, &from->tape, from->count, from->output) && zi_network_collapse(&net, opening) &&
        zi_network_divide(&net, seed))
        status = zi_network_write(&net, from->count, from->output, &raw, to->output);
    to->parted = from->parted + net.parted;
    zi_network_close(&net);
    if (status == ZV_OK) status = zi_prune(&raw, from->count, to->output, &to->tape, to->output);
    zi_tape_close(&raw);
    return status;
}

/* Rounds until the count falls no more, or work is used up. */
static zvStatus simplify_until(Program *p, unsigned seed, long long *work) {
    for (;;) {
        Program next;
        *work -= p->tape.count;
        const zvStatus status = divide(p, &plain, seed, &next);
        const bool better = status == ZV_OK && cost(&next) < cost(p);
        if (better) swap(p, &next);
        program_close(&next);
        if (!better || *work < 0) return status;
    }
}

static bool preferred(const Program *a, const Program *b) {
    const long long difference = cost(a) - cost(b);
    return difference < 0 || (difference == 0 && a->parted < b->parted);
}

/* Goes on from next, which is closed or kept; what is left behind stays in best unless next is preferred to it. */
static void go_on(Program *at, Program *best, Program *next) {
    Program *kept = best->output ? best : at;
    if (preferred(next, kept)) {
        program_close(best);
    } else if (kept == at) {
        swap(best, at);
    }
    swap(at, next);
    program_close(next);
}

/* best: empty while it is the one at hand. */
static zvStatus search(Program *at, Program *best) {
    long long work = WORK;
    unsigned seed = 0;
    zvStatus status = ZV_OK;
    for (int t = 0; t < MOST_TRIALS && (t == 0 || work > 0) && status == ZV_OK; t++) {
        Program next;
        const unsigned kind = t < OPENINGS ? (unsigned)t : (seed >> 16) % OPENINGS;
        work -= at->tape.count;
        status = divide(at, &openings[kind], seed, &next);
        if (status == ZV_OK) status = simplify_until(&next, seed, &work);
        if (status == ZV_OK && cost(&next) <= cost(at))
            go_on(at, best, &next);
        else
            program_close(&next);
        if (t >= OPENINGS - 1) seed = 1664525u * seed + 1013904223u;
    }
    if (best->output) swap(at, best);
    return status;
}

zvStatus zi_simplify(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved) {
    Program best, other = {0};
    zvStatus status = program_open(&best, count) ? ZV_OK : ZV_MEMORY;
    *to = (ziTape){0};
    if (status == ZV_OK) status = zi_prune(from, count, output, &best.tape, best.output);
    if (status == ZV_OK) status = search(&best, &other);
    if (status == ZV_OK) status = zi_schedule(&best.tape, count, best.output, to, moved);
    program_close(&best);
    program_close(&other);
    return status;
}
