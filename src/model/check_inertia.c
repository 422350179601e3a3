/* Rules about masses and moments of inertia of single links: what no body of matter can have.
 *
 * Principal moments A <= B <= C of a body are not negative, and C <= A + B, because
 * A + B - C = 2 x (integral of the squared distance from the plane of A and B), which is not negative. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/check.h"
#include "model/elastic.h"
#include "model/principal.h"

static const double negligible = 1e-6; /* of the largest moment: what rounding in a file may leave */
static const double error_scale = 0.1; /* of the largest moment: more than measurements of a real body miss by */
static const double thin = 1e-12;      /* of the largest moment: taken for zero */

static void check_mass(ziChecker *c, double mass, ziAbout about) {
    if (!(mass < 0)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", mass);
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "negative-mass", about, token, "give the mass in kilograms",
              "its mass is negative: %.6g kg", mass);
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
        bool held = joint < 0 || (c->builder->joints[joint].type == ZV_JOINT_FIXED && grounded[o->parent_link[joint]]);
        grounded[link] = held && zi_link_modes(&c->builder->links[link]) == 0;
    }
}

static Felt felt_of(const ziChecker *c, size_t link, const bool *grounded) {
    if (grounded[link]) return NOT_FELT;
    int joint = c->order->joint_above[link];
    if (joint < 0 || !grounded[c->order->parent_link[joint]]) return FELT;
    zvJointType type = c->builder->joints[joint].type;
    return type == ZV_JOINT_REVOLUTE || type == ZV_JOINT_CONTINUOUS ? FELT_ABOUT_AXIS : FELT;
}

static const char *repair_of(Felt felt, const char *repair) {
    if (felt == NOT_FELT) return "nothing to do: the link is fixed to the ground and its inertia is not felt";
    if (felt == FELT_ABOUT_AXIS) return "nothing to do: only the moment about its joint's axis is felt";
    return repair;
}

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
        "its principal moments %.6g, %.6g, %.6g kg m^2 belong to no body: the largest exceeds the sum of the other "
        "two by %.3g %%",
        p[0], p[1], p[2], 100 * excess / p[2]);
}

static void check_principal(ziChecker *c, const double p[3], ziAbout about, Felt felt) {
    double largest = fmax(fabs(p[0]), fabs(p[2]));
    if (p[0] < -negligible * largest) {
        char token[32];
        snprintf(token, sizeof token, "%.6g", p[0]);
        const char *repair =
            "check the signs and sizes of the products of inertia; the moments refer to the centre of mass";
        zi_report(c, felt == NOT_FELT ? ZI_WEIGH_NOTE : ZI_WEIGH_ERROR, ZV_PHYSICS, "negative-inertia", about, token,
                  felt == NOT_FELT ? repair_of(felt, repair) : repair,
                  "its least principal moment is negative: %.6g, %.6g, %.6g kg m^2", p[0], p[1], p[2]);
        return;
    }
    check_triangle(c, p, about, felt);
    if (fabs(p[0]) <= thin * largest && p[1] > thin * largest) {
        zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "thin-body", about, "", "nothing to do if an ideal thin rod is meant",
                  "one of its principal moments is zero: %.6g, %.6g, %.6g", p[0], p[1], p[2]);
    }
}

static void check_link(ziChecker *c, const zvLink *link, ziAbout about, Felt felt) {
    const double *m = link->inertia.moment;
    double mass = link->inertia.mass;
    bool moment = m[0] != 0 || m[1] != 0 || m[2] != 0 || m[3] != 0 || m[4] != 0 || m[5] != 0;
    check_mass(c, mass, zi_about_spot(about, link->mass_spot));
    if (!moment) {
        if (mass > 0) {
            zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "point-mass", about, "",
                      "nothing to do if a point mass is meant; else give its moments of inertia",
                      "it has a mass of %.6g kg but no moments of inertia", mass);
        }
        return;
    }
    if (zi_link_mass(link) == 0) {
        zi_report(c, felt != FELT ? ZI_WEIGH_NOTE : ZI_WEIGH_ERROR, ZV_PHYSICS, "inertia-without-mass", about, "0",
                  repair_of(felt, "give its mass; inertia of a rotor belongs to the armature of the joint"),
                  "it has moments of inertia but no mass");
    }
    double principal[3];
    zi_principal_moments(m, principal);
    check_principal(c, principal, zi_about_spot(about, link->inertia_spot), felt);
}

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
