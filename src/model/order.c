/* The tree of links in depth-first order, without recursion. */
#include "model/order.h"

#include <stdlib.h>
#include <string.h>

#include "model/loop.h"

/* Returns whether a link has several joints above it. */
static bool resolve_names(const zvBuilder *b, ziOrder *o) {
    bool several = false;
    for (size_t l = 0; l < b->nlink; l++) o->joint_above[l] = -1;
    for (size_t j = 0; j < b->njoint; j++) {
        o->parent_link[j] = zi_names_find(&b->link_names, b->joints[j].parent);
        o->child_link[j] = zi_names_find(&b->link_names, b->joints[j].child);
        int child = o->child_link[j];
        if (child < 0 || o->parent_link[j] < 0 || zi_joint_is_cut(&b->joints[j])) continue;
        if (o->joint_above[child] < 0)
            o->joint_above[child] = (int)j;
        else
            several = true;
    }
    for (size_t l = 0; l < b->nlink; l++) {
        if (o->joint_above[l] >= 0) continue;
        if (o->roots++ == 0) o->root = (int)l;
    }
    return several;
}

/* Depth-first with an explicit stack; first and next list the joints below each link in reverse file order,
 * so that they are pushed last to first and leave the stack in file order. */
static void walk(const zvBuilder *b, ziOrder *o, int *first, int *next, int *stack) {
    for (size_t l = 0; l < b->nlink; l++) first[l] = o->place[l] = -1;
    for (int j = 0; j < (int)b->njoint; j++) {
        int parent = o->parent_link[j], child = o->child_link[j];
        if (parent < 0 || child < 0 || o->joint_above[child] != j) continue;
        next[j] = first[parent];
        first[parent] = j;
    }
    int depth = 0;
    for (int l = (int)b->nlink - 1; l >= 0; l--) {
        if (o->joint_above[l] < 0) stack[depth++] = l;
    }
    while (depth > 0) {
        int link = stack[--depth];
        o->place[link] = o->placed;
        o->sequence[o->placed++] = link;
        for (int j = first[link]; j >= 0; j = next[j]) stack[depth++] = o->child_link[j];
    }
}

bool zi_order_make(const zvBuilder *b, ziOrder *o) {
    memset(o, 0, sizeof *o);
    o->root = -1;
    size_t nl = b->nlink, nj = b->njoint;
    o->block = malloc((5 * nl + 3 * nj + 1) * sizeof *o->block);
    if (!o->block) return false;
    int *at = o->block;
    o->joint_above = at, at += nl;
    o->sequence = at, at += nl;
    o->place = at, at += nl;
    o->parent_link = at, at += nj;
    o->child_link = at, at += nj;
    int *first = at, *stack = at + nl, *next = at + 2 * nl;
    if (resolve_names(b, o) && b->cuts && !zi_order_span(b, o)) {
        zi_order_free(o);
        return false;
    }
    walk(b, o, first, next, stack);
    return true;
}

bool zi_order_cuts(const zvBuilder *b, const ziOrder *o, size_t joint) {
    int child = o->child_link[joint];
    if (child < 0 || o->parent_link[joint] < 0) return false;
    return zi_joint_is_cut(&b->joints[joint]) || (b->cuts && o->joint_above[child] != (int)joint);
}

void zi_order_free(ziOrder *o) {
    free(o->block);
    memset(o, 0, sizeof *o);
}
