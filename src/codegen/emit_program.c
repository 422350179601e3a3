#include "codegen/emit_program.h"

#include <limits.h>
#include <stdlib.h>

#include "codegen/simplify.h"

/* Products go inside the sums that use them, so that compilers fuse them; longer expressions gain nothing and read
 * badly. Bounds the depth of expressions too. */
enum { MOST_LEAVES = 8 };

int zi_node_operands(const ziTapeNode *node) {
    if (node->op < ZI_TAPE_ADD) return 0;
    return node->op <= ZI_TAPE_DIV ? 2 : 1;
}

bool zi_program_short(const ziProgram *program) {
    enum { SHORT = 1500 };
    const zvOperations o = zi_tape_operations(program->tape);
    return o.mul + o.add <= SHORT;
}

static bool trigonometric(const ziTapeNode *n) { return n->op == ZI_TAPE_SIN || n->op == ZI_TAPE_COS; }

static void count_uses(ziProgram *p) {
    for (int i = 0; i < p->tape->count; i++) {
        const ziTapeNode *n = &p->tape->node[i];
        const int operands = zi_node_operands(n);
        if (operands > 0) p->uses[zi_edge_node(n->a)]++;
        if (operands > 1) p->uses[zi_edge_node(n->b)]++;
        p->first[i] = p->lane[i] = -1;
    }
    for (int k = (int)p->count - 1; k >= 0; k--) {
        const int node = zi_edge_node(p->output[k]);
        p->uses[node]++;
        p->answers[node]++;
        p->next[k] = p->first[node];
        p->first[node] = k;
    }
    for (size_t k = p->count; k < p->count + 2 * p->guards; k++) p->uses[zi_edge_node(p->output[k])] += 2;
}

/* The input an angle is made of, perhaps with an offset: neighbours are then loaded together. */
static int angle_key(const ziTape *tape, int node) {
    const ziTapeNode *n = &tape->node[node];
    if (n->op == ZI_TAPE_ADD && tape->node[zi_edge_node(n->a)].op == ZI_TAPE_CONSTANT)
        n = &tape->node[zi_edge_node(n->b)];
    return n->op == ZI_TAPE_INPUT ? n->a : INT_MAX;
}

static void sort_angles(ziProgram *p) {
    for (int i = 1; i < p->angles; i++) {
        const int node = p->angle[i], key = angle_key(p->tape, node);
        int k = i;
        for (; k > 0 && angle_key(p->tape, p->angle[k - 1]) > key; k--) p->angle[k] = p->angle[k - 1];
        p->angle[k] = node;
    }
    for (int i = 0; i < p->angles; i++) p->lane[p->angle[i]] = i;
}

/* Angles that depend on no other sine or cosine, and what they are made of. */
static void find_angles(ziProgram *p) {
    const ziTape *tape = p->tape;
    bool *late = p->inlined; /* borrowed: depends on a sine or cosine */
    for (int i = 0; i < tape->count; i++) {
        const ziTapeNode *n = &tape->node[i];
        const int operands = zi_node_operands(n), a = zi_edge_node(n->a);
        if (trigonometric(n) && !late[a] && p->lane[a] < 0) {
            p->lane[a] = p->angles;
            p->angle[p->angles++] = a;
            p->early[a] = true;
        }
        late[i] = trigonometric(n) || (operands > 0 && late[a]) || (operands > 1 && late[zi_edge_node(n->b)]);
    }
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        const int operands = p->early[i] ? zi_node_operands(n) : 0;
        if (operands > 0) p->early[zi_edge_node(n->a)] = true;
        if (operands > 1) p->early[zi_edge_node(n->b)] = true;
    }
    for (int i = 0; i < tape->count; i++) late[i] = false;
    sort_angles(p);
}

static bool may_be_inlined(const ziProgram *p, int i) {
    const ziTapeOp op = p->tape->node[i].op;
    return (op == ZI_TAPE_ADD || op == ZI_TAPE_MUL) && p->uses[i] == 1 && !p->answers[i];
}

static void inline_operands(ziProgram *p) {
    int *leaves = p->next + p->count; /* room behind: per node */
    for (int i = 0; i < p->tape->count; i++) {
        const ziTapeNode *n = &p->tape->node[i];
        leaves[i] = 1;
        if (n->op != ZI_TAPE_ADD && n->op != ZI_TAPE_MUL) continue;
        const int operand[2] = {zi_edge_node(n->a), zi_edge_node(n->b)};
        leaves[i] = 2;
        /* the smaller one first: more of them fit */
        const int small = leaves[operand[0]] > leaves[operand[1]];
        for (int k = 0; k < 2; k++) {
            const int o = operand[k ? !small : small];
            if (!may_be_inlined(p, o) || leaves[i] - 1 + leaves[o] > MOST_LEAVES) continue;
            p->inlined[o] = true;
            leaves[i] += leaves[o] - 1;
        }
    }
}

zvStatus zi_program_make(ziProgram *p, const ziTape *tape, size_t count, size_t guards, const ziEdge *output) {
    *p = (ziProgram){.tape = tape, .count = count, .guards = guards, .output = output};
    const size_t nodes = (size_t)tape->count;
    p->uses = calloc(5 * nodes + count, sizeof *p->uses);
    p->next = calloc(count + nodes, sizeof *p->next);
    p->inlined = calloc(2 * nodes, sizeof *p->inlined);
    if (!p->uses || !p->next || !p->inlined) return ZV_MEMORY;
    p->answers = p->uses + nodes;
    p->first = p->answers + nodes;
    p->lane = p->first + nodes;
    p->angle = p->lane + nodes;
    p->early = p->inlined + nodes;
    count_uses(p);
    find_angles(p);
    inline_operands(p);
    return ZV_OK;
}

void zi_program_free(ziProgram *p) {
    free(p->uses);
    free(p->next);
    free(p->inlined);
    *p = (ziProgram){0};
}
