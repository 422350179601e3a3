#include "codegen/keep.h"

#include <limits.h>
#include <stdlib.h>

/* Registers that point, and how many statements a number must live through: by measurement. */
enum { POINTERS = 12, LONG = 60 };

typedef struct Lives {
    const ziProgram *p;
    int *born, *dies; /* per node: the statement that makes it, the last one that uses it */
    int *root;        /* per node that is written inside of another: which statement's */
    bool late;        /* answers wait until all inputs are read, and so does what they are made of */
} Lives;

/* The statement in which a node uses others, or is stored. */
static int used_in(const Lives *l, int i) { return l->late && l->p->answers[i] ? INT_MAX : l->born[i]; }

/* Users stand behind what they use. */
static void find_ends(Lives *l) {
    const ziTape *tape = l->p->tape;
    for (int i = 0, statement = 0; i < tape->count; i++) {
        l->born[i] = statement;
        l->dies[i] = -1;
        statement += !l->p->inlined[i] && zi_node_operands(&tape->node[i]) > 0;
    }
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        const int root = l->p->inlined[i] ? l->root[i] : i, at = used_in(l, root);
        if (at == INT_MAX) l->dies[root] = at;
        for (int k = zi_node_operands(n) - 1; k >= 0; k--) {
            const int o = zi_edge_node(k ? n->b : n->a);
            l->root[o] = root;
            if (l->dies[o] < at) l->dies[o] = at;
        }
    }
    for (size_t k = l->p->count; k < l->p->count + 2 * l->p->guards; k++)
        l->dies[zi_edge_node(l->p->output[k])] = INT_MAX;
}

static bool lives_long(const Lives *l, int i) {
    const ziTapeOp op = l->p->tape->node[i].op;
    if (op != ZI_TAPE_ADD && op != ZI_TAPE_MUL && op != ZI_TAPE_DIV) return false;
    return !l->p->inlined[i] && !l->p->early[i] && l->dies[i] - LONG > l->born[i];
}

/* In the order of the statements, each takes the first place that is free. */
static void take_places(const Lives *l, ziKeep *keep) {
    int until[POINTERS * ZI_KEEP_NEAR];
    const bool none = zi_program_short(l->p);
    for (int k = 0; k < POINTERS * ZI_KEEP_NEAR; k++) until[k] = -1;
    for (int i = 0; i < l->p->tape->count; i++) {
        keep->place[i] = -1;
        if (none || !lives_long(l, i)) continue;
        int k = 0;
        while (k < POINTERS * ZI_KEEP_NEAR && until[k] >= l->born[i]) k++;
        if (k == POINTERS * ZI_KEEP_NEAR) continue;
        until[k] = l->dies[i];
        keep->place[i] = k;
        if (k >= keep->places) keep->places = k + 1;
    }
}

bool zi_keep_make(ziKeep *keep, const ziProgram *program, bool late) {
    const size_t nodes = (size_t)program->tape->count;
    *keep = (ziKeep){.place = calloc(nodes + 1, sizeof *keep->place)};
    int *room = calloc(3 * nodes + 1, sizeof *room);
    const bool done = keep->place && room;
    if (done) {
        Lives lives = {program, room, room + nodes, room + 2 * nodes, late};
        find_ends(&lives);
        take_places(&lives, keep);
    }
    free(room);
    return done;
}

void zi_keep_free(ziKeep *keep) {
    free(keep->place);
    *keep = (ziKeep){0};
}
