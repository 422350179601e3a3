/* Rules about masses and moments of inertia of single links: what no body of matter can have.
 *
 * Principal moments A <= B <= C of a body are not negative, and C <= A + B, because
 * A + B - C = 2 x (integral of the squared distance from the plane of A and B), which is not negative. */
#include <math.h>
#include <stdio.h>

#include "model/check.h"
#include "model/principal.h"

static const double negligible = 1e-6; /* of the largest moment: what rounding in a file may leave */
static const double gross = 0.1;       /* of the largest moment: more than measurements of a real body miss by */
static const double thin = 1e-12;      /* of the largest moment: taken for zero */

static void check_mass(zvChecker *c, double mass, zvAbout about) {
    if (!(mass < 0)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", mass);
    zv_report(c, ZV_WEIGH_FATAL, ZV_PHYSICS, "negative-mass", about, token, "give the mass in kilograms",
              "its mass is negative: %.6g kg", mass);
}

/* Of a link that only turns about an axis fixed in the ground nothing but the moment about that axis is ever felt, and
 * published data often give no more. */
static bool only_turns(const zvChecker *c, size_t link) {
    const zvBuilder *b = c->builder;
    const zvOrder *o = c->order;
    int joint = o->joint_above[link];
    if (joint < 0 || b->free_base) return false;
    if (b->joints[joint].type != ZV_REVOLUTE && b->joints[joint].type != ZV_CONTINUOUS) return false;
    int base = o->parent_link[joint], below = o->joint_above[base];
    if (below >= 0 && b->joints[below].type == ZV_FIXED) base = o->parent_link[below];
    return base == o->root;
}

static void check_triangle(zvChecker *c, const double p[3], zvAbout about, bool turns) {
    double excess = p[2] - (p[0] + p[1]);
    if (!(excess > negligible * p[2])) return;
    zvWeight weight = turns ? ZV_WEIGH_NOTE : excess > gross * p[2] ? ZV_WEIGH_ERROR : ZV_WEIGH_WARNING;
    char token[32];
    snprintf(token, sizeof token, "%.6g", p[2]);
    zv_report(
        c, weight, ZV_PHYSICS, "triangle-inequality", about, token,
        turns ? "nothing to do: only the moment about its joint's axis is felt"
              : "take the inertia from the drawing again: about the centre of mass, with the right signs and axes",
        "its principal moments %.6g, %.6g, %.6g kg m^2 belong to no body: the largest exceeds the sum of the other "
        "two by %.3g %%",
        p[0], p[1], p[2], 100 * excess / p[2]);
}

static void check_principal(zvChecker *c, const double p[3], zvAbout about, bool turns) {
    double largest = fmax(fabs(p[0]), fabs(p[2]));
    if (p[0] < -negligible * largest) {
        char token[32];
        snprintf(token, sizeof token, "%.6g", p[0]);
        zv_report(c, ZV_WEIGH_ERROR, ZV_PHYSICS, "negative-inertia", about, token,
                  "check the signs and sizes of the products of inertia; the moments refer to the centre of mass",
                  "its least principal moment is negative: %.6g, %.6g, %.6g kg m^2", p[0], p[1], p[2]);
        return;
    }
    check_triangle(c, p, about, turns);
    if (fabs(p[0]) <= thin * largest && p[1] > thin * largest) {
        zv_report(c, ZV_WEIGH_NOTE, ZV_PHYSICS, "thin-body", about, "", "nothing to do if an ideal thin rod is meant",
                  "one of its principal moments is zero: %.6g, %.6g, %.6g", p[0], p[1], p[2]);
    }
}

static void check_link(zvChecker *c, const zvLink *link, zvAbout about, bool turns) {
    const double *m = link->inertia.moment;
    double mass = link->inertia.mass;
    bool moment = m[0] != 0 || m[1] != 0 || m[2] != 0 || m[3] != 0 || m[4] != 0 || m[5] != 0;
    check_mass(c, mass, zv_about_spot(about, link->mass_spot));
    if (!moment) {
        if (mass > 0) {
            zv_report(c, ZV_WEIGH_NOTE, ZV_PHYSICS, "point-mass", about, "",
                      "nothing to do if a point mass is meant; else give its moments of inertia",
                      "it has a mass of %.6g kg but no moments of inertia", mass);
        }
        return;
    }
    if (mass == 0) {
        zv_report(c, turns ? ZV_WEIGH_NOTE : ZV_WEIGH_ERROR, ZV_PHYSICS, "inertia-without-mass", about, "0",
                  "give its mass; inertia of a rotor belongs to the armature of the joint",
                  "it has moments of inertia but no mass");
    }
    double principal[3];
    zv_principal_moments(m, principal);
    check_principal(c, principal, zv_about_spot(about, link->inertia_spot), turns);
}

void zv_check_inertia(zvChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nlink && !c->stopped; i++) {
        check_link(c, &b->links[i], zv_about_link(b, i), only_turns(c, i));
    }
}
