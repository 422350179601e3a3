#include "codegen/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

int zi_network_variable(ziNetwork *net) {
    if (!zi_grow(&net->variable, net->count, &net->room, sizeof *net->variable)) {
        net->full = true;
        return -1;
    }
    net->variable[net->count] = (ziVariable){.op = ZI_TAPE_ADD, .first = ZI_NO_CUBE};
    return (int)net->count++;
}

int zi_network_cube(ziNetwork *net, int owner, double k) {
    if (!zi_grow(&net->cube, net->cubes, &net->cube_room, sizeof *net->cube)) {
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
