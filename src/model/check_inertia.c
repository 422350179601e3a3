/* Rules about masses and moments of inertia of single links: what no body of matter can have.
 *
 * Principal moments A <= B <= C of a body are not negative, and C <= A + B, because
 * A + B - C = 2 x (integral of the squared distance from the plane of A and B), which is not negative. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/check.h"
#include "model/elastic.h"
#include "model/joint_type.h"
#include "model/measure.h"
#include "model/order.h"

static const double negligible = 1e-6; /* of the largest moment: what rounding in a file may leave */
static const double error_scale = 0.1; /* of the largest moment: more than measurements of a real body miss by */
static const double thin = 1e-12;      /* of the largest moment: taken for zero */

static void check_mass(ziChecker *c, double mass, ziAbout about) {
    if (!(mass < 0)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", mass);
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "negative-mass", about, token, "give the mass in kilograms",
              "expected a mass of at least 0, found %.6g kg", mass);
}

/* How much of a link's inertia enters the equations of motion. */
typedef enum Felt {
    FELT,
    FELT_ABOUT_AXIS, /* it turns about an axis fixed in the ground; published data often give no more than is felt */
    NOT_FELT         /* it is fixed to the ground */
} Felt;

/* Marks the links that cannot move: roots, and what fixed joints hang on them unless something between is elastic.
 * Parents come before children. */
static void find_grounded(const ziChecker *c, bool *grounded) {
    const ziOrder *o = c->order;
    if (c->builder->free_base) return;
    for (int i = 0; i < o->placed; i++) {
        int link = o->sequence[i], joint = o->joint_above[link];
        bool held = joint < 0 || (zi_joint_fixed(c->builder->joints[joint].type) && grounded[o->parent_link[joint]]);
        grounded[link] = held && zi_link_modes(&c->builder->links[link]) == 0;
    }
}

static Felt felt_of(const ziChecker *c, size_t link, const bool *grounded) {
    if (grounded[link]) return NOT_FELT;
    int joint = c->order->joint_above[link];
    if (joint < 0 || !grounded[c->order->parent_link[joint]]) return FELT;
    const ziJointType *type = &zi_joint_types[c->builder->joints[joint].type];
    return type->kernel == ZV_JOINT_REVOLUTE ? FELT_ABOUT_AXIS : FELT;
}

static const char *repair_of(Felt felt, const char *repair) {
    if (felt == NOT_FELT) return "nothing to do: the link is fixed to the ground and its inertia is not felt";
    if (felt == FELT_ABOUT_AXIS) return "nothing to do: only the moment about its joint's axis is felt";
    return repair;
}

/* The largest principal moment is at most the sum of the others; how much it exceeds them gives the weight. */
static void check_triangle(ziChecker *c, const double p[3], ziAbout about, Felt felt) {
    double excess = p[2] - (p[0] + p[1]);
    if (!(excess > negligible * p[2])) return;
    ziWeight weight = felt != FELT ? ZI_WEIGH_NOTE : excess > error_scale * p[2] ? ZI_WEIGH_ERROR : ZI_WEIGH_WARNING;
    char token[32];
    snprintf(token, sizeof token, "%.6g", p[2]);
    zi_report(
        c, weight, ZV_PHYSICS, "triangle-inequality", about, token,
        repair_of(felt,
                  "take the inertia from the drawing again: about the centre of mass, with the right signs and axes"),
        "expected principal moments of which none exceeds the sum of the others, found %.6g, %.6g, %.6g kg m^2: the "
        "largest is %.4g above that sum",
        p[0], p[1], p[2], excess);
}

/* Principal moments: not negative, the triangle inequality, and zero only of thin rods. */
static void check_principal(ziChecker *c, const double p[3], ziAbout about, Felt felt) {
    double largest = fmax(fabs(p[0]), fabs(p[2]));
    if (p[0] < -negligible * largest) {
        char token[32];
        snprintf(token, sizeof token, "%.6g", p[0]);
        const char *repair =
            "check the signs and sizes of the products of inertia; the moments refer to the centre of mass";
        zi_report(c, felt == NOT_FELT ? ZI_WEIGH_NOTE : ZI_WEIGH_ERROR, ZV_PHYSICS, "negative-inertia", about, token,
                  felt == NOT_FELT ? repair_of(felt, repair) : repair,
                  "expected principal moments of at least 0, found %.6g, %.6g, %.6g kg m^2", p[0], p[1], p[2]);
        return;
    }
    check_triangle(c, p, about, felt);
    if (fabs(p[0]) <= thin * largest && p[1] > thin * largest) {
        zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "thin-body", about, "", "nothing to do if an ideal thin rod is meant",
                  "expected three principal moments above 0, found %.6g, %.6g, %.6g", p[0], p[1], p[2]);
    }
}

/* Mass and moments of one link, each complaint at its own place in the file. */
static void check_link(ziChecker *c, const zvLink *link, ziAbout about, Felt felt) {
    const double *m = link->inertia.moment;
    double mass = link->inertia.mass;
    bool moment = m[0] != 0 || m[1] != 0 || m[2] != 0 || m[3] != 0 || m[4] != 0 || m[5] != 0;
    check_mass(c, mass, zi_about_spot(about, link->mass_spot));
    if (!moment) {
        if (mass > 0) {
            zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "point-mass", about, "",
                      "nothing to do if a point mass is meant; else give its moments of inertia",
                      "expected moments of inertia beside its mass of %.6g kg, found none", mass);
        }
        return;
    }
    if (zi_link_mass(link) == 0) {
        zi_report(c, felt != FELT ? ZI_WEIGH_NOTE : ZI_WEIGH_ERROR, ZV_PHYSICS, "inertia-without-mass", about, "0",
                  repair_of(felt, "give its mass; inertia of a rotor belongs to the armature of the joint"),
                  "expected a mass beside its moments of inertia, found none");
    }
    double principal[3];
    zi_principal_moments(m, principal);
    check_principal(c, principal, zi_about_spot(about, link->inertia_spot), felt);
}

/* Which links are felt is found first: what is not felt is a note at most. */
void zi_check_inertia(ziChecker *c) {
    const zvBuilder *b = c->builder;
    bool *grounded = calloc(b->nlink + 1, sizeof *grounded);
    if (!grounded) {
        c->out_of_memory = c->stopped = true;
        return;
    }
    find_grounded(c, grounded);
    for (size_t i = 0; i < b->nlink && !c->stopped; i++) {
        check_link(c, &b->links[i], zi_about_link(b, i), felt_of(c, i, grounded));
    }
    free(grounded);
}

/* Rules about moving parts without mass, for which forward dynamics has no answer.
 *
 * Links joined rigidly are one part, named by the link at its top (the head). Two sweeps over the links, parents first
 * and back, give the mass of every part and of everything beyond it; each rule is one more sweep. O(n). */

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
    p->head = (void *)(p->driven + njoint);
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

/* Marks parts that a loop or a cut joint ends on: the loop may hold them. */
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

/* Outward: heads and their own mass; inward: mass of everything beyond, also through mimic joints. */
static void find_parts(const ziChecker *c, parts *p) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    for (size_t l = 0; l < b->nlink; l++) p->head[l] = -1;
    for (int k = 0; k < o->placed; k++) {
        int link = o->sequence[k], joint = o->joint_above[link];
        bool rigid = joint >= 0 && zi_joint_fixed(b->joints[joint].type);
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
              "expected mass beyond it, found none, in link \"%s\" neither: its acceleration is undetermined",
              b->links[link].name);
}

static void check_floating(ziChecker *c, const parts *p) {
    const zvBuilder *b = c->builder;
    int root = c->order->root;
    if (!b->free_base || root < 0 || p->beyond[root] != 0) return;
    zi_report(c, ZI_WEIGH_ERROR, ZV_SINGULAR, "massless-leaf", zi_about_link(b, (size_t)root), b->links[root].name,
              "give the links their masses, or fix the base",
              "expected mass on a free base, found none: its acceleration is undetermined");
}

/* A part without mass in the middle of a chain is lawful, but seldom meant when its file says nothing of it. */
static void check_missing(ziChecker *c, const parts *p, int link) {
    if (c->builder->links[link].has_inertia || p->own[link] != 0 || p->beyond[link] == 0) return;
    zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "no-inertial", zi_about_link(c->builder, (size_t)link), "",
              "nothing to do if it only connects two joints; else give its mass and inertia",
              "expected mass or inertia of a link that moves, found none, and no rigidly attached link that has");
}

static void check_parts(ziChecker *c, const parts *p, bool *told) {
    const ziOrder *o = c->order;
    check_floating(c, p);
    for (int k = 0; k < o->placed && !c->stopped; k++) {
        int link = o->sequence[k], joint = o->joint_above[link];
        if (p->head[link] != link || joint < 0) continue;
        check_leaf(c, p, told, link, joint);
        check_missing(c, p, link);
    }
}

/* Many public files describe shapes and joints only; all that follows from masses is then zero. */
static void check_any_mass(ziChecker *c) {
    const zvBuilder *b = c->builder;
    bool any = false;
    for (size_t i = 0; i < b->nlink; i++)
        any = any || b->links[i].inertia.mass != 0 || b->links[i].beam || b->links[i].modal;
    if (any || b->njoint == 0 || b->nlink == 0) return; /* joints without links are told already */
    zi_report(c, ZI_WEIGH_WARNING, ZV_PHYSICS, "no-mass", zi_about_link(b, 0), "",
              "give the links their masses and moments of inertia, if dynamics is wanted",
              "expected links with mass, found none in the whole robot: kinematics is all that it tells");
}

/* Masses of parts once, then a sweep per rule; what one rule reported the next leaves alone. */
void zi_check_massless(ziChecker *c) {
    parts p;
    bool *told = calloc(c->builder->nlink + 1, sizeof *told);
    if (!told || !parts_alloc(&p, c->builder->nlink, c->builder->njoint)) {
        free(told);
        c->out_of_memory = c->stopped = true;
        return;
    }
    find_parts(c, &p);
    check_any_mass(c);
    check_parts(c, &p, told);
    free(p.block);
    free(told);
}
