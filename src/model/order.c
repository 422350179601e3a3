/* The tree of links in depth-first order, without recursion; the spanning tree of a description with closed loops; and
 * loops within a description. */
#include "model/order.h"
#include "model/joint_type.h"

#include <stdlib.h>
#include <string.h>

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

/* One block for all arrays; where links have several joints above, the spanning tree is chosen first. */
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

/* The spanning tree of a description with closed loops. From the roots outward: a link is reached when all links above
 * it are, by the best of the joints between; so every link has the best of its joints. Where the joints run in a ring,
 * no such link is left: then the best of all joints that wait in a heap leads on. O(n log n). */

typedef struct SpanningTree {
    const zvBuilder *b;
    ziOrder *o;
    int *first, *next;    /* joints below each link, lists */
    int *depth;           /* nlink: joints above it, -1 while it is not reached */
    int *missing;         /* nlink: joints above it whose parents are not reached */
    int *best;            /* nlink: the best joint that leads to it so far, -1: none */
    int *ready, readies;  /* links that miss nothing and are not reached */
    int *heap, waiting;   /* joints */
    unsigned char *worth; /* njoint: 0 best */
} SpanningTree;

/* What would be lost by cutting it: relations to other joints cannot be kept, springs and the like not all. */
enum { RELATED, EQUIPPED, BARE };

static bool equipped(const zvJoint *joint) {
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        const zvDof *d = &joint->dof[i];
        if (d->has_limits || d->armature != 0 || d->damping != 0 || d->friction != 0 || d->stiffness != 0) return true;
    }
    return joint->stiffness_matrix || joint->damping_matrix || joint->flexible;
}

static void relate(SpanningTree *s, const char *name) {
    int joint = zi_names_find(&s->b->joint_names, name);
    if (joint >= 0) s->worth[joint] = RELATED;
}

/* How much would be lost by cutting each joint. */
static void weigh(SpanningTree *s) {
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
static bool before(const SpanningTree *s, int i, int j) {
    const zvJoint *joints = s->b->joints;
    int ni = zv_joint_type_nv(joints[i].type), nj = zv_joint_type_nv(joints[j].type);
    int di = s->depth[s->o->parent_link[i]], dj = s->depth[s->o->parent_link[j]];
    if (s->worth[i] != s->worth[j]) return s->worth[i] < s->worth[j];
    if (ni != nj) return ni < nj;
    return di != dj ? di < dj : i < j;
}

static void push_joint(SpanningTree *s, int joint) {
    int at = s->waiting++;
    while (at > 0 && before(s, joint, s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = joint;
}

/* Takes the best waiting joint from the heap. */
static int pop(SpanningTree *s) {
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

static void reach(SpanningTree *s, int link, int depth) {
    s->depth[link] = depth;
    for (int j = s->first[link]; j >= 0; j = s->next[j]) {
        int child = s->o->child_link[j];
        if (s->depth[child] >= 0) continue;
        if (s->best[child] < 0 || before(s, j, s->best[child])) s->best[child] = j;
        if (--s->missing[child] == 0) s->ready[s->readies++] = child;
        push_joint(s, j);
    }
}

/* Joints below each link, and how many of those above it are still to be reached. */
static void list_joints(SpanningTree *s) {
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

/* From the roots outward: links that miss nothing first, else the best joint that waits. */
static void grow(SpanningTree *s) {
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

/* Arrays in one block, then the three steps. */
bool zi_order_span(const zvBuilder *b, ziOrder *o) {
    SpanningTree s = {.b = b, .o = o};
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

zvPose zi_joint_child_origin(const zvJoint *joint) {
    zvPose pose = joint->child_origin;
    const zvPose identity = zv_pose_identity();
    for (int i = 0; i < 9; i++) {
        if (pose.R[i] != 0) return pose;
    }
    memcpy(pose.R, identity.R, sizeof pose.R);
    return pose;
}

bool zi_joint_is_cut(const zvJoint *joint) {
    const zvPose pose = zi_joint_child_origin(joint), identity = zv_pose_identity();
    bool elsewhere = false;
    for (int i = 0; i < 9; i++) elsewhere = elsewhere || pose.R[i] != identity.R[i];
    for (int i = 0; i < 3; i++) elsewhere = elsewhere || pose.p[i] != 0;
    return joint->cut || elsewhere;
}

/* Kept are the geometry, dampers and springs; rules tell what is not. */
zvLoop zi_loop_of_joint(const zvJoint *joint) {
    zvLoop loop = zv_loop_default(joint->name, ZV_LOOP_JOINT, joint->type, joint->parent, joint->child);
    loop.origin = joint->origin;
    loop.child_origin = zi_joint_child_origin(joint);
    memcpy(loop.axis, joint->axis, sizeof loop.axis);
    memcpy(loop.axis2, joint->axis2, sizeof loop.axis2);
    loop.pitch = joint->pitch;
    loop.curve = joint->curve;
    for (int i = 0; i < ZV_MAX_DOF; i++) {
        const zvDof *dof = &joint->dof[i];
        loop.dof[i] = (zvDof){.damping = dof->damping, .stiffness = dof->stiffness, .rest = dof->rest};
    }
    loop.stiffness_matrix = joint->stiffness_matrix;
    loop.damping_matrix = joint->damping_matrix;
    loop.was_joint = true;
    loop.mark = joint->mark;
    loop.parent_spot = joint->parent_spot;
    loop.child_spot = joint->child_spot;
    loop.axis_spot = joint->axis_spot;
    return loop;
}

/* So that loops and joints share rules and freezing. */
zvJoint zi_joint_of_loop(const zvLoop *loop) {
    zvJoint joint = zv_joint_default(loop->name, loop->type, loop->parent, loop->child);
    memcpy(joint.axis, loop->axis, sizeof joint.axis);
    memcpy(joint.axis2, loop->axis2, sizeof joint.axis2);
    memcpy(joint.dof, loop->dof, sizeof joint.dof);
    joint.stiffness_matrix = loop->stiffness_matrix;
    joint.damping_matrix = loop->damping_matrix;
    joint.origin = loop->origin;
    joint.pitch = loop->pitch;
    joint.curve = loop->curve;
    joint.mark = loop->mark;
    joint.axis_spot = loop->axis_spot;
    return joint;
}

int zi_loop_rows(const zvLoop *loop) {
    if (loop->kind != ZV_LOOP_JOINT) return 1;
    bool turns = zi_joint_needs(loop->type, ZI_JOINT_PATH) && loop->ball;
    return 6 - zv_joint_type_nv(loop->type) - (turns ? 3 : 0) + (loop->driven ? 1 : 0);
}

bool zi_loop_on_ground(const zvBuilder *b, const char *name) {
    return b->free_base && name && strcmp(name, "world") == 0 && zi_names_find(&b->link_names, name) < 0 &&
           zi_names_find(&b->frame_names, name) < 0;
}

int zi_loop_end(const zvBuilder *b, const char *name, const zvPose *origin, zvPose *pose) {
    *pose = *origin;
    if (!name) return -1;
    int link = zi_names_find(&b->link_names, name);
    if (link >= 0) return link;
    int frame = zi_names_find(&b->frame_names, name);
    if (frame < 0) return -1;
    *pose = zv_pose_compose(&b->frames[frame].pose, origin);
    return zi_names_find(&b->link_names, b->frames[frame].link);
}
