/* Rules about moving parts without mass, for which forward dynamics has no answer.
 *
 * Links joined rigidly are one part, named by the link at its top (the head). Two sweeps over the links, parents first
 * and back, give the mass of every part and of everything beyond it; each rule is one more sweep. O(n). */
#include <math.h>
#include <stdlib.h>

#include "model/check.h"
#include "model/elastic.h"
#include "model/loop.h"

typedef struct parts {
    int *head;      /* nlink: link at the top of its part, -1 when no root reaches it */
    bool *closed;   /* nlink: a loop ends on a part or on what hangs on it, at its head */
    double *own;    /* nlink: substance of a part, at its head */
    double *beyond; /* nlink: of a part and all that hangs on it, at its head */
    double *driven; /* njoint: substance moved by coupled followers of a joint */
    void *block;
} parts;

static bool parts_alloc(parts *p, size_t nlink, size_t njoint) {
    size_t doubles = 2 * nlink + njoint;
    p->block = calloc(1, doubles * sizeof(double) + nlink * (sizeof(int) + sizeof(bool)) + 1);
    if (!p->block) return false;
    p->own = p->block;
    p->beyond = p->own + nlink;
    p->driven = p->beyond + nlink;
    p->head = (int *)(p->driven + njoint);
    p->closed = (bool *)(p->head + nlink);
    return true;
}

/* Mass, or anything else that resists motion. */
static double substance(const zvLink *link) {
    const double *m = link->inertia.moment;
    return fabs(zi_link_mass(link)) + fabs(m[0]) + fabs(m[3]) + fabs(m[5]);
}

static bool follows(const zvBuilder *b, int joint) { return b->mimic_coupled && b->joints[joint].mimic; }

static void close_end(const zvBuilder *b, parts *p, const char *name) {
    const zvPose here = zv_pose_identity();
    zvPose pose;
    int link = zi_loop_end(b, name, &here, &pose);
    if (link >= 0 && p->head[link] >= 0) p->closed[p->head[link]] = true;
}

static void find_ends(const ziChecker *c, parts *p) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nloop; i++) {
        if (b->loops[i].kind == ZV_LOOP_COUPLING) continue;
        close_end(b, p, b->loops[i].parent);
        close_end(b, p, b->loops[i].child);
    }
    for (size_t j = 0; j < b->njoint; j++) {
        if (!zi_order_cuts(b, c->order, j)) continue;
        close_end(b, p, b->joints[j].parent);
        close_end(b, p, b->joints[j].child);
    }
}

static void find_parts(const ziChecker *c, parts *p) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    for (size_t l = 0; l < b->nlink; l++) p->head[l] = -1;
    for (int k = 0; k < o->placed; k++) {
        int link = o->sequence[k], joint = o->joint_above[link];
        bool rigid = joint >= 0 && b->joints[joint].type == ZV_JOINT_FIXED;
        int head = rigid ? p->head[o->parent_link[joint]] : link;
        p->head[link] = head;
        p->own[head] += substance(&b->links[link]);
    }
    find_ends(c, p);
    for (int k = o->placed - 1; k >= 0; k--) {
        int link = o->sequence[k], joint = o->joint_above[link];
        if (p->head[link] != link) continue;
        p->beyond[link] += p->own[link];
        if (joint < 0) continue;
        int above = p->head[o->parent_link[joint]];
        p->beyond[above] += p->beyond[link];
        p->closed[above] = p->closed[above] || p->closed[link];
        int master = follows(b, joint) ? zi_names_find(&b->joint_names, b->joints[joint].mimic) : -1;
        if (master >= 0) p->driven[master] += p->beyond[link];
    }
}

static bool has_armature(const zvJoint *joint) {
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        if (!(joint->dof[i].armature > 0)) return false;
    }
    return true;
}

/* One finding for the topmost joint: what hangs on it is massless for the same reason. */
static void check_leaf(ziChecker *c, const parts *p, bool *told, int link, int joint) {
    const zvBuilder *b = c->builder;
    int above = p->head[c->order->parent_link[joint]];
    if (p->beyond[link] != 0) return; /* a NaN has been reported elsewhere */
    told[link] = told[above];
    if (told[above] || follows(b, joint) || p->driven[joint] != 0 || has_armature(&b->joints[joint])) return;
    told[link] = true;
    zi_report(c, ZI_WEIGH_ERROR, ZV_SINGULAR, "massless-leaf", zi_about_joint(b, (size_t)joint), b->links[link].name,
              p->closed[link] ? "a loop ends there, but the tree without it must have its masses: cut another joint of "
                                "the loop (\"cut: true\"), give the link its mass or the joint an armature"
                              : "give the link its mass, give the joint an armature, or make the joint fixed",
              "nothing beyond it has mass, link \"%s\" neither: its acceleration is undetermined", b->links[link].name);
}

static void check_floating(ziChecker *c, const parts *p) {
    const zvBuilder *b = c->builder;
    int root = c->order->root;
    if (!b->free_base || root < 0 || p->beyond[root] != 0) return;
    zi_report(c, ZI_WEIGH_ERROR, ZV_SINGULAR, "massless-leaf", zi_about_link(b, (size_t)root), b->links[root].name,
              "give the links their masses, or fix the base",
              "the base is free but the robot has no mass: its acceleration is undetermined");
}

/* A part without mass in the middle of a chain is lawful, but seldom meant when its file says nothing of it. */
static void check_missing(ziChecker *c, const parts *p, int link) {
    if (c->builder->links[link].has_inertia || p->own[link] != 0 || p->beyond[link] == 0) return;
    zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "no-inertial", zi_about_link(c->builder, (size_t)link), "",
              "nothing to do if it only connects two joints; else give its mass and inertia",
              "it moves but has no mass, no inertia, and no rigidly attached link that has");
}

static void run(ziChecker *c, const parts *p, bool *told) {
    const ziOrder *o = c->order;
    check_floating(c, p);
    for (int k = 0; k < o->placed && !c->stopped; k++) {
        int link = o->sequence[k], joint = o->joint_above[link];
        if (p->head[link] != link || joint < 0) continue;
        check_leaf(c, p, told, link, joint);
        check_missing(c, p, link);
    }
}

void zi_check_massless(ziChecker *c) {
    parts p;
    bool *told = calloc(c->builder->nlink + 1, sizeof *told);
    if (!told || !parts_alloc(&p, c->builder->nlink, c->builder->njoint)) {
        free(told);
        c->out_of_memory = c->stopped = true;
        return;
    }
    find_parts(c, &p);
    run(c, &p, told);
    free(p.block);
    free(told);
}
