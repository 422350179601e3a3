#include "codegen/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool binary(zvTapeOp op) { return op == ZV_TAPE_ADD || op == ZV_TAPE_MUL || op == ZV_TAPE_DIV; }

static bool operation(zvTapeOp op) { return binary(op) || op == ZV_TAPE_SQRT; }

int zv_operands(const zvTape *tape, int node, int operand[2]) {
    const zvTapeNode *n = &tape->node[node];
    if (n->op < ZV_TAPE_ADD) return 0;
    int count = 0;
    const int a = zv_edge_node(n->a), b = zv_edge_node(n->b);
    if (operation(tape->node[a].op)) operand[count++] = a;
    if (binary(n->op) && b != a && operation(tape->node[b].op)) operand[count++] = b;
    return count;
}

int zv_fused_product(const zvDependence *d, int node) {
    const zvTapeNode *n = &d->tape->node[node];
    if (n->op != ZV_TAPE_ADD) return -1;
    const int pair[2] = {zv_edge_node(n->b), zv_edge_node(n->a)};
    for (int k = 0; k < 2; k++)
        if (d->tape->node[pair[k]].op == ZV_TAPE_MUL && d->uses[pair[k]] == 1) return pair[k];
    return -1;
}

static bool depend(zvDependence *d) {
    const int nodes = d->tape->count;
    d->uses = calloc((size_t)nodes, sizeof *d->uses);
    d->first_user = calloc((size_t)nodes + 2, sizeof *d->first_user);
    d->user = calloc(2 * (size_t)nodes, sizeof *d->user);
    if (!d->uses || !d->first_user || !d->user) return false;
    int operand[2];
    for (int i = 0; i < nodes; i++)
        for (int k = zv_operands(d->tape, i, operand); k-- > 0;) d->uses[operand[k]]++;
    for (int i = 0; i < nodes; i++) d->first_user[i + 2] = d->first_user[i + 1] + d->uses[i];
    for (int i = 0; i < nodes; i++)
        for (int k = zv_operands(d->tape, i, operand); k-- > 0;) d->user[d->first_user[operand[k] + 1]++] = i;
    for (size_t k = 0; k < d->count; k++) d->uses[zv_edge_node(d->output[k])]++;
    return true;
}

/* Numbers alive beyond those that registers hold, summed over the program. last: scratch by node. */
static long long pressure(const zvDependence *d, const int *order, int *last) {
    enum { REGISTERS = 14 };
    const int nodes = d->tape->count;
    int operand[2];
    memset(last, 0, (size_t)nodes * sizeof *last);
    for (int i = 0; i < nodes; i++)
        for (int k = zv_operands(d->tape, order[i], operand); k-- > 0;) last[operand[k]] = i;
    long long sum = 0, alive = 0;
    for (int i = 0; i < nodes; i++) {
        for (int k = zv_operands(d->tape, order[i], operand); k-- > 0;) alive -= last[operand[k]] == i;
        if (operation(d->tape->node[order[i]].op) && last[order[i]]) alive++;
        if (alive > REGISTERS) sum += alive - REGISTERS;
    }
    return sum;
}

/* The best of the orders in `best`. */
static bool choose(const zvDependence *d, int *best, int *order, int *scratch) {
    const size_t nodes = (size_t)d->tape->count;
    for (size_t i = 0; i < nodes; i++) best[i] = (int)i;
    long long least = pressure(d, best, scratch);
    for (int kind = 0; kind < 4; kind++) {
        if (kind < 2 ? !zv_order_by_depth(d, kind, order) : !zv_order_by_list(d, kind == 3, order)) return false;
        const long long found = pressure(d, order, scratch);
        if (getenv("WINS")) printf("order %d: %lld\n", kind, found);
        if (getenv("KIND") ? kind != atoi(getenv("KIND")) : found >= least) continue;
        least = found;
        memcpy(best, order, nodes * sizeof *best);
    }
    return true;
}

zvStatus zv_schedule(const zvTape *from, size_t count, const zvEdge *output, zvTape *to, zvEdge *moved) {
    if (!zv_tape_open(to, ZV_TAPE_RECORD)) return ZV_MEMORY;
    const size_t nodes = (size_t)from->count;
    zvDependence d = {.tape = from, .count = count, .output = output};
    int *memory = malloc(3 * nodes * sizeof *memory);
    zvStatus status = ZV_MEMORY;
    if (memory && depend(&d) && choose(&d, memory, memory + nodes, memory + 2 * nodes))
        status = zv_tape_copy(from, memory, from->count, count, output, to, moved);
    free(memory);
    free(d.uses);
    free(d.user);
    free(d.first_user);
    return status;
}
