/* Rules about the robot as a whole: whether its masses are data or were filled in, and whether its joints could ever
 * hold it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/elastic.h"
#include "model/joint_type.h"
#include "model/measure.h"

static const double unlike = 1.05;  /* ratio of offsets between links that are not alike */
static const double weakest = 2e-3; /* of the weight that hangs on a joint, stretched out, that its effort holds */

enum { FEWEST_LINKS = 4 }; /* that are no coincidence */

/* Links with one mass, one centre of mass and one set of moments are placeholders unless they are one link many times,
 * as in a chain: then their joints stand equally far apart. */
static void check_identical(ziChecker *c) {
    const zvBuilder *b = c->builder;
    const zvLink *first = NULL;
    double least = INFINITY, most = 0;
    size_t place = 0;
    int count = 0;
    for (size_t i = 0; i < b->nlink; i++) {
        const zvLink *link = &b->links[i];
        const int joint = c->order->joint_above[i];
        if (link->beam || link->modal) return;
        if (link->inertia.mass == 0) continue;
        if (first && memcmp(&first->inertia, &link->inertia, sizeof link->inertia) != 0) return;
        if (!first) first = link, place = i;
        count++;
        if (joint < 0 || c->order->parent_link[joint] == c->order->root) continue;
        const double offset = zi_pose_offset(&b->joints[joint].origin);
        least = fmin(least, offset), most = fmax(most, offset);
    }
    if (count < FEWEST_LINKS || !(most > unlike * least)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", first->inertia.mass);
    zi_report(c, ZI_WEIGH_WARNING, ZV_PHYSICS, "identical-links",
              zi_about_spot(zi_about_link(b, place), first->mass_spot), token,
              "give each link its own mass and moments of inertia, if dynamics is wanted",
              "expected links of different shapes to differ, found one mass of %.6g kg and one inertia in all %d links "
              "that have any: they look filled in",
              first->inertia.mass, count);
}

/* What hangs on each link, and how far it reaches when everything is stretched out. */
typedef struct Burden {
    double mass, reach;
} Burden;

/* Inward over the tree: joint offsets and centres of mass add up. */
static void find_loads(const ziChecker *c, Burden *loads) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    for (int k = o->placed - 1; k >= 0; k--) {
        const int link = o->sequence[k], joint = o->joint_above[link];
        const zvInertia inertia = zi_link_inertia(&b->links[link]);
        const double *com = inertia.com;
        loads[link].mass += fabs(inertia.mass);
        loads[link].reach = fmax(loads[link].reach, hypot(hypot(com[0], com[1]), com[2]));
        if (joint < 0) continue;
        const int above = o->parent_link[joint];
        const double offset = zi_pose_offset(&b->joints[joint].origin);
        loads[above].mass += loads[link].mass;
        loads[above].reach = fmax(loads[above].reach, offset + loads[link].reach);
    }
}

static int compare_shares(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Joints whose effort is a small part of what hangs on them are geared to nothing: masses in grams, or efforts in
 * other units. The middle one decides, since single joints may have no weight to hold. */
static void judge_efforts(ziChecker *c, const Burden *loads, double *shares, double gravity) {
    const zvBuilder *b = c->builder;
    size_t count = 0, place = 0;
    for (size_t j = 0; j < b->njoint; j++) {
        const zvJoint *joint = &b->joints[j];
        const int child = c->order->child_link[j];
        if (child < 0 || zi_joint_types[joint->type].kernel != ZV_JOINT_REVOLUTE || !(joint->dof[0].effort > 0))
            continue;
        const double needed = loads[child].mass * loads[child].reach * gravity;
        if (!(needed > 0)) continue;
        if (!count) place = j;
        shares[count++] = joint->dof[0].effort / needed;
    }
    if (count < FEWEST_LINKS) return;
    qsort(shares, count, sizeof *shares, compare_shares);
    const double middle = shares[count / 2];
    if (!(middle < weakest)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", b->joints[place].dof[0].effort);
    zi_report(
        c, ZI_WEIGH_WARNING, ZV_PHYSICS, "effort-too-small", zi_about_joint(b, place), token,
        "check the masses (were they written in grams?) and the efforts (N m)",
        "expected efforts of the size of the weight that joints hold, found that the middle one of %zu holds %.2g "
        "of what hangs on it, stretched out",
        count, middle);
}

/* Burdens first; robots that float are judged by the same numbers. */
static void check_efforts(ziChecker *c) {
    const zvBuilder *b = c->builder;
    const double *g = b->gravity, gravity = hypot(hypot(g[0], g[1]), g[2]);
    Burden *loads = calloc(b->nlink + 1, sizeof *loads);
    double *shares = malloc((b->njoint + 1) * sizeof *shares);
    if (loads && shares) {
        find_loads(c, loads);
        judge_efforts(c, loads, shares, gravity);
    } else {
        c->out_of_memory = c->stopped = true;
    }
    free(loads);
    free(shares);
}

void zi_check_whole(ziChecker *c) {
    if (c->stopped) return;
    check_identical(c);
    check_efforts(c);
}
