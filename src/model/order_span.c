/* The spanning tree of a description with closed loops. From the roots outward: a link is reached when all links above
 * it are, by the best of the joints between; so every link has the best of its joints. Where the joints run in a ring,
 * no such link is left: then the best of all joints that wait in a heap leads on. O(n log n). */
#include <stdlib.h>

#include "model/loop.h"
#include "model/order.h"

typedef struct Span {
    const zvBuilder *b;
    ziOrder *o;
    int *first, *next;    /* joints below each link, lists */
    int *depth;           /* nlink: joints above it, -1 while it is not reached */
    int *missing;         /* nlink: joints above it whose parents are not reached */
    int *best;            /* nlink: the best joint that leads to it so far, -1: none */
    int *ready, readies;  /* links that miss nothing and are not reached */
    int *heap, waiting;   /* joints */
    unsigned char *worth; /* njoint: 0 best */
} Span;

/* What would be lost by cutting it: relations to other joints cannot be kept, springs and the like not all. */
enum { RELATED, EQUIPPED, BARE };

static bool equipped(const zvJoint *joint) {
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        const zvDof *d = &joint->dof[i];
        if (d->has_limits || d->armature != 0 || d->damping != 0 || d->friction != 0 || d->stiffness != 0) return true;
    }
    return false;
}

static void relate(Span *s, const char *name) {
    int joint = zi_names_find(&s->b->joint_names, name);
    if (joint >= 0) s->worth[joint] = RELATED;
}

static void weigh(Span *s) {
    const zvBuilder *b = s->b;
    for (size_t j = 0; j < b->njoint; j++) s->worth[j] = equipped(&b->joints[j]) ? EQUIPPED : BARE;
    for (size_t j = 0; j < b->njoint; j++) {
        if (!b->joints[j].mimic) continue;
        s->worth[j] = RELATED;
        relate(s, b->joints[j].mimic);
    }
    for (size_t l = 0; l < b->nloop; l++) {
        for (int i = 0; i < b->loops[l].term_count; i++) relate(s, b->loops[l].terms[i].joint);
    }
}

/* Whether joint i is to be taken before joint j. */
static bool before(const Span *s, int i, int j) {
    const zvJoint *joints = s->b->joints;
    int ni = zv_joint_type_nv(joints[i].type), nj = zv_joint_type_nv(joints[j].type);
    int di = s->depth[s->o->parent_link[i]], dj = s->depth[s->o->parent_link[j]];
    if (s->worth[i] != s->worth[j]) return s->worth[i] < s->worth[j];
    if (ni != nj) return ni < nj;
    return di != dj ? di < dj : i < j;
}

static void push(Span *s, int joint) {
    int at = s->waiting++;
    while (at > 0 && before(s, joint, s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = joint;
}

static int pop(Span *s) {
    int best = s->heap[0], last = s->heap[--s->waiting], at = 0;
    for (;;) {
        int below = 2 * at + 1;
        if (below >= s->waiting) break;
        if (below + 1 < s->waiting && before(s, s->heap[below + 1], s->heap[below])) below++;
        if (!before(s, s->heap[below], last)) break;
        s->heap[at] = s->heap[below];
        at = below;
    }
    s->heap[at] = last;
    return best;
}

static void reach(Span *s, int link, int depth) {
    s->depth[link] = depth;
    for (int j = s->first[link]; j >= 0; j = s->next[j]) {
        int child = s->o->child_link[j];
        if (s->depth[child] >= 0) continue;
        if (s->best[child] < 0 || before(s, j, s->best[child])) s->best[child] = j;
        if (--s->missing[child] == 0) s->ready[s->readies++] = child;
        push(s, j);
    }
}

static void list_joints(Span *s) {
    const ziOrder *o = s->o;
    for (size_t l = 0; l < s->b->nlink; l++) {
        s->first[l] = s->depth[l] = s->best[l] = -1;
        s->missing[l] = 0;
    }
    for (int j = 0; j < (int)s->b->njoint; j++) {
        int parent = o->parent_link[j], child = o->child_link[j];
        if (parent < 0 || child < 0 || parent == child || zi_joint_is_cut(&s->b->joints[j])) continue;
        s->next[j] = s->first[parent];
        s->first[parent] = j;
        s->missing[child]++;
    }
}

static void grow(Span *s) {
    for (int l = 0; l < (int)s->b->nlink; l++) {
        if (s->o->joint_above[l] < 0) reach(s, l, 0);
    }
    while (s->readies > 0 || s->waiting > 0) {
        int link = s->readies > 0 ? s->ready[--s->readies] : s->o->child_link[pop(s)];
        if (s->depth[link] >= 0) continue;
        int joint = s->best[link];
        s->o->joint_above[link] = joint;
        reach(s, link, s->depth[s->o->parent_link[joint]] + 1);
    }
}

bool zi_order_span(const zvBuilder *b, ziOrder *o) {
    Span s = {.b = b, .o = o};
    size_t nl = b->nlink, nj = b->njoint;
    int *block = malloc((5 * nl + 2 * nj) * sizeof *block + nj);
    if (!block) return false;
    s.first = block;
    s.depth = s.first + nl;
    s.missing = s.depth + nl;
    s.best = s.missing + nl;
    s.ready = s.best + nl;
    s.next = s.ready + nl;
    s.heap = s.next + nj;
    s.worth = (unsigned char *)(s.heap + nj);
    weigh(&s);
    list_joints(&s);
    grow(&s);
    free(block);
    return true;
}
