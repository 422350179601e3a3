/* Rules about joints: axes, limits, the coefficients of their degrees of freedom, paths of curve joints, and joints
 * that follow others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/axis.h"
#include "model/check.h"
#include "model/joint_type.h"
#include "model/order.h"
#include "model/tree.h"

static const double pi = 3.14159265358979323846;
static const double shortest_axis = 1e-12;
static const double least_angle = 1e-6; /* rad, between the axes of a universal joint, start and normal of a circle */
static const double unit_length = 1e-3; /* how far from 1 an axis is taken for a unit vector */
static const double fastest_angle = 90; /* rad/s; a whole number from here on is taken for degrees per second */
static const double most_turns = 3;     /* a limit of more whole radians than these turns is taken for degrees */

static double length(const double a[3]) { return hypot(hypot(a[0], a[1]), a[2]); }

/* A zero axis is fatal, another length than one a note: it is scaled. */
static void check_axis(ziChecker *c, ziAbout about, const char *what, const double axis[3]) {
    double size = length(axis);
    if (fabs(size - 1) <= unit_length) return;
    char token[96];
    snprintf(token, sizeof token, "%.6g %.6g %.6g", axis[0], axis[1], axis[2]);
    if (size < shortest_axis) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "zero-axis", about, token,
                  "give the direction of motion, for instance [0, 0, 1]",
                  "expected a direction for its %s, found the zero vector", what);
    } else if (isfinite(size)) {
        zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "axis-length", about, token,
                  "nothing to do if only the direction was meant: it is scaled to unit length",
                  "expected length 1 of its %s, found %.6g", what, size);
    }
}

static void check_universal(ziChecker *c, const zvJoint *joint, ziAbout about) {
    const double *a = joint->axis, *b = joint->axis2;
    double product = length(a) * length(b);
    double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    check_axis(c, about, "second axis", b);
    if (product < shortest_axis * shortest_axis || !(length(cross) <= least_angle * product)) return;
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "parallel-axes", about, "",
              "give two axes in different directions, or use a revolute joint",
              "expected two axes in different directions, found parallel ones");
}

/* The path of a curve joint must have a direction everywhere. */

static const double shortest = 1e-12;   /* of a direction */
static const double least_chord = 1e-9; /* of the longest */

static void report_curve(ziChecker *c, ziAbout about, const char *token, const char *repair, const char *expected,
                         const char *found) {
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "bad-curve", about, token, repair, "expected %s, found %s", expected,
              found);
}

/* A circle has a radius, and a start that is not along its normal. */
static void check_circle(ziChecker *c, const zvCurve *curve, ziAbout about) {
    const double *n = curve->normal, *u = curve->start;
    if (curve->radius <= 0) {
        char token[32];
        snprintf(token, sizeof token, "%.6g", curve->radius);
        report_curve(c, about, token, "give a positive radius in metres", "a positive radius of its circle", token);
    }
    if (length(n) < shortest || length(u) < shortest) {
        report_curve(c, about, length(n) < shortest ? "normal" : "start",
                     "give the normal of the circle's plane and the direction from its centre to q = 0",
                     "directions for the normal and the start of its circle", "a zero vector");
        return;
    }
    double cross[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    if (length(cross) <= least_angle * length(n) * length(u)) {
        report_curve(c, about, "start", "give a start direction in the plane of the circle",
                     "a start of its circle beside the normal", "one that is parallel to it");
    }
}

static double chord(const zvCurve *curve, int i) {
    const double *p = curve->points + 3 * i, *n = curve->points + 3 * ((i + 1) % curve->count);
    return hypot(hypot(n[0] - p[0], n[1] - p[1]), n[2] - p[2]);
}

/* A spline that turns back on itself has no direction there, and no arc length to go by. */
static void check_cusp(ziChecker *c, const zvCurve *curve, ziAbout about) {
    const int piece = zi_path_cusp(curve);
    if (piece < 0) return;
    char token[64], found[96];
    snprintf(token, sizeof token, "point %d", piece + 1);
    snprintf(found, sizeof found, "one that stops and turns back between points %d and %d", piece + 1,
             (piece + 1) % curve->count + 1);
    report_curve(c, about, token, "add points that lead it round the turn", "a spline with a direction everywhere",
                 found);
}

/* A spline has enough points, and neighbours apart, so that its knots rise. */
static void check_spline(ziChecker *c, const zvCurve *curve, ziAbout about) {
    int count = curve->points ? curve->count : 0, least = curve->closed ? 3 : 2;
    char token[32];
    if (count < least) {
        snprintf(token, sizeof token, "%d", count);
        report_curve(c, about, token, "an open spline needs two points, a closed one three",
                     curve->closed ? "three or more points of its spline" : "two or more points of its spline", token);
        return;
    }
    int pieces = curve->closed ? count : count - 1;
    double longest = 0, all = 0;
    for (int i = 0; i < pieces; i++) {
        longest = fmax(longest, chord(curve, i));
        all += chord(curve, i);
    }
    for (int i = 0; i < pieces; i++) {
        if (!(chord(curve, i) <= least_chord * longest)) continue;
        snprintf(token, sizeof token, "point %d", (i + 1) % count + 1);
        report_curve(c, about, token,
                     "remove one of the two; a closed spline returns to its first point without repeating it",
                     "neighbouring points of its spline apart from each other", "two that coincide");
        return;
    }
    if (isfinite(all)) check_cusp(c, curve, about); /* other rules tell of numbers that are not */
}

/* By the kind of curve. */
static void check_curve(ziChecker *c, const zvJoint *joint, ziAbout about) {
    const zvCurve *curve = &joint->curve;
    switch (curve->kind) {
    case ZV_CURVE_LINE:
        if (length(curve->direction) < shortest) {
            report_curve(c, about, "direction", "give the direction of the line", "a direction of its line",
                         "the zero vector");
        }
        break;
    case ZV_CURVE_CIRCLE: check_circle(c, curve, about); break;
    case ZV_CURVE_SPLINE: check_spline(c, curve, about); break;
    }
}

/* " of freedom 2" where a joint has several. */
static void freedom_text(const zvJoint *joint, int dof, char *text, size_t size) {
    if (zv_joint_type_nv(joint->type) > 1) {
        snprintf(text, size, " of freedom %d", dof + 1);
    } else {
        text[0] = '\0';
    }
}

/* An angle that stays within a few turns; screws turn many times. */
static bool is_angle(const zvJoint *joint, int dof) {
    return zi_joint_types[joint->type].quaternion < 0 && zi_joint_types[joint->type].moves[dof] == 'a';
}

/* Whole numbers beyond a few turns, and any number that as radians is many turns, but not whole ones, and as degrees at
 * most two. */
static bool looks_like_degrees(double x) {
    const double many_turns = 4, most_degrees = 720;
    double size = fabs(x), turns = size / (2 * pi);
    if (size == floor(size)) return turns > most_turns;
    return turns > many_turns && size <= most_degrees && fabs(turns - round(turns)) > 1e-3;
}

/* 100 or 1000 is written where there is no limit. */
static bool is_power_of_ten(double x) {
    while (x > 1) x /= 10;
    return x == 1;
}

/* 99999, 1000000 and their like, or -1 of an effort or speed: written where there is no limit. */
static bool is_sentinel(double x) {
    const double least = 9999;
    double size = fabs(x);
    return size >= least && isfinite(size) && (is_power_of_ten(size) || is_power_of_ten(size + 1));
}

static void report_sentinel(ziChecker *c, ziAbout about, const char *what, const char *which, double x,
                            const char *repair) {
    char token[32];
    snprintf(token, sizeof token, "%.6g", x);
    zi_report(c, ZI_WEIGH_NOTE, ZV_NUMBER, "sentinel-limit", about, token, repair,
              "expected a limit that can be reached for its %s%s, found %.6g, which is written where there is none",
              what, which, x);
}

/* Limits of an angle that make sense in degrees only. */
static void check_degrees(ziChecker *c, const zvJoint *joint, int dof, ziAbout about) {
    const zvDof *d = &joint->dof[dof];
    bool lower = looks_like_degrees(d->lower), upper = looks_like_degrees(d->upper);
    if (!is_angle(joint, dof) || !(lower || upper)) return;
    char token[32], repair[96];
    double suspect = upper ? d->upper : d->lower;
    snprintf(token, sizeof token, "%.6g", suspect);
    snprintf(repair, sizeof repair, "write radians: %.6g degrees are %.6g rad", suspect, suspect * pi / 180);
    zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "degrees", about, token, repair,
              "expected limits within %g turns, found [%.6g, %.6g] rad, which look like degrees", most_turns, d->lower,
              d->upper);
}

static void check_speed(ziChecker *c, const zvJoint *joint, int dof, ziAbout about) {
    double speed = joint->dof[dof].velocity;
    if (!is_angle(joint, dof) || !(speed >= fastest_angle) || speed != floor(speed) || is_power_of_ten(speed)) return;
    char token[32], repair[96];
    snprintf(token, sizeof token, "%.6g", speed);
    snprintf(repair, sizeof repair, "write radians per second: %.6g degrees are %.6g rad", speed, speed * pi / 180);
    zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "degrees", about, token, repair,
              "expected a velocity limit in rad/s, found %.6g, which looks like degrees per second", speed);
}

/* Order and size of the limits of one degree of freedom. */
static void check_limits(ziChecker *c, const zvJoint *joint, int dof, ziAbout about) {
    const zvDof *d = &joint->dof[dof];
    if (!d->has_limits) return;
    if (is_sentinel(d->lower) || is_sentinel(d->upper)) {
        char of[32];
        freedom_text(joint, dof, of, sizeof of);
        report_sentinel(c, about, "position", of, is_sentinel(d->upper) ? d->upper : d->lower,
                        "nothing to do, or make a revolute joint continuous");
    } else {
        check_degrees(c, joint, dof, about);
    }
    if (d->lower <= 0 && d->upper >= 0 && d->lower < d->upper) return;
    char which[32], token[32];
    freedom_text(joint, dof, which, sizeof which);
    snprintf(token, sizeof token, "%.6g", d->lower > 0 ? d->lower : d->upper);
    if (d->lower > d->upper) {
        zi_report(c, ZI_WEIGH_ERROR, ZV_NUMBER, "limits-reversed", about, token, "exchange them",
                  "expected the lower limit%s below the upper one, found %.6g above %.6g", which, d->lower, d->upper);
    } else if (d->lower == d->upper) {
        zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "limits-closed", about, token,
                  "make the joint fixed, give two different limits, or make it continuous",
                  "expected limits%s that differ, found %.6g twice: the joint cannot move", which, d->lower);
    } else if (d->lower > 0 || d->upper < 0) {
        zi_report(c, ZI_WEIGH_NOTE, ZV_NUMBER, "limits-exclude-zero", about, token,
                  "start computations from a position within the limits",
                  "expected limits%s that include the neutral position 0, found [%.6g, %.6g]", which, d->lower,
                  d->upper);
    }
}

static void check_coefficient(ziChecker *c, ziAbout about, const char *what, const char *which, double x) {
    if (!(x < 0)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", x);
    zi_report(c, ZI_WEIGH_ERROR, ZV_PHYSICS, "negative-coefficient", about, token,
              "give a number that is not negative; the sign of the motion is accounted for",
              "expected at least 0 for its %s%s, found %.6g", what, which, x);
}

/* Of efforts and speeds -1 says that there is no limit, and is read so: as none. */
static void check_bound(ziChecker *c, ziAbout about, const char *what, const char *which, double x) {
    if (x == -1)
        report_sentinel(c, about, what, which, x, "nothing to do; 0 or nothing says the same");
    else
        check_coefficient(c, about, what, which, x);
}

/* Coefficients that would feed energy in, or make M indefinite, when negative. */
static void check_coefficients(ziChecker *c, const zvJoint *joint, int dof, ziAbout about) {
    const zvDof *d = &joint->dof[dof];
    bool lawful = d->damping >= 0 && d->friction >= 0 && d->stiffness >= 0 && d->effort >= 0 && d->velocity >= 0;
    if (lawful && d->armature >= 0) return;
    char which[32];
    freedom_text(joint, dof, which, sizeof which);
    if (d->armature < 0) {
        char token[32];
        snprintf(token, sizeof token, "%.6g", d->armature);
        zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "negative-armature", about, token,
                  "give the rotor inertia times the square of the gear ratio, which is not negative",
                  "expected an armature%s of at least 0, found %.6g", which, d->armature);
    }
    check_coefficient(c, about, "damping", which, d->damping);
    check_coefficient(c, about, "friction", which, d->friction);
    check_coefficient(c, about, "spring stiffness", which, d->stiffness);
    check_bound(c, about, "effort limit", which, d->effort);
    check_bound(c, about, "velocity limit", which, d->velocity);
}

static void check_quaternion_limits(ziChecker *c, const zvJoint *joint, ziAbout about) {
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        if (!joint->dof[i].has_limits) continue;
        zi_report(c, ZI_WEIGH_ERROR, ZV_SCHEMA, "limits-on-quaternion", about, zv_joint_type_word(joint->type),
                  "remove the limits, or use revolute joints where limits matter",
                  "expected no limits of a %s joint, which moves by a quaternion, found some",
                  zv_joint_type_word(joint->type));
        return;
    }
}

/* Axes and path by what the type needs, then every degree of freedom. */
static void check_joint(ziChecker *c, const zvJoint *joint, ziAbout about) {
    ziAbout limits = zi_about_spot(about, joint->limits_spot);
    if (zi_joint_needs(joint->type, ZI_JOINT_AXIS))
        check_axis(c, zi_about_spot(about, joint->axis_spot), "axis", joint->axis);
    if (zi_joint_needs(joint->type, ZI_JOINT_AXIS2)) check_universal(c, joint, about);
    if (zi_joint_needs(joint->type, ZI_JOINT_PATH)) check_curve(c, joint, about);
    bool quaternion = zi_joint_has_quaternion(joint->type);
    if (quaternion) check_quaternion_limits(c, joint, limits);
    zi_check_matrices(c, joint, about);
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        if (!quaternion) check_limits(c, joint, i, limits);
        check_speed(c, joint, i, limits);
        check_coefficients(c, joint, i, about);
    }
}

void zi_check_joints(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->njoint && !c->stopped; i++) check_joint(c, &b->joints[i], zi_about_joint(b, i));
    for (size_t i = 0; i < b->nloop && !c->stopped; i++) {
        zvJoint joint = zi_joint_of_loop(&b->loops[i]);
        if (b->loops[i].kind == ZV_LOOP_JOINT) check_joint(c, &joint, zi_about_loop(b, i));
    }
}

/* Mimic joints: the master exists, both have one degree of freedom, no joint follows itself. */

enum { SUGGESTIONS = 16 }; /* findings that come with a suggestion: each costs a look at every name */

const char *zi_nearest_joint(const zvBuilder *b, size_t not, const char *word) {
    const char *best = NULL;
    for (size_t i = 0; i < b->njoint; i++) { /* one at a time keeps the nearest so far among two */
        if (i == not || zv_joint_type_nv(b->joints[i].type) != 1) continue;
        const char *two[2] = {b->joints[i].name ? b->joints[i].name : "", best};
        const char *near = zv_nearest_name(word, two, best ? 2 : 1);
        if (near) best = near;
    }
    return best;
}

/* Where followers are coordinates of their own, what they follow does not matter. */
static void report_unknown(ziChecker *c, size_t joint, int *suggestions) {
    const zvBuilder *b = c->builder;
    const char *name = b->joints[joint].mimic;
    const char *near = (*suggestions)-- > 0 ? zi_nearest_joint(b, joint, name) : NULL;
    const char *other = "make followers coordinates of their own (--mimic free)";
    const ziAbout about = zi_about_spot(zi_about_joint(b, joint), b->joints[joint].mimic_spot);
    char repair[240];
    if (near)
        snprintf(repair, sizeof repair, "did you mean \"%.128s\"? Else %s", near, other);
    else
        snprintf(repair, sizeof repair, "correct the name, remove the mimic, or %s", other);
    if (b->mimic_coupled)
        zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "unknown-mimic", about, name, repair,
                  "expected a joint to follow, found \"%s\", which does not exist", name);
    else
        zi_report(c, ZI_WEIGH_WARNING, ZV_NAME, "unknown-mimic", about, name, "correct the name or remove the mimic",
                  "expected a joint to follow, found \"%s\", which does not exist: it is a coordinate of its own",
                  name);
}

/* A joint that follows a fixed one is held; a curve cannot be. */
static bool check_held(ziChecker *c, size_t joint, int master, double held) {
    const zvBuilder *b = c->builder;
    if (isnan(held) || zi_joint_needs(b->joints[joint].type, ZI_JOINT_PATH)) return false;
    zi_report(c, ZI_WEIGH_WARNING, ZV_SCHEMA, "mimic-of-fixed",
              zi_about_spot(zi_about_joint(b, joint), b->joints[joint].mimic_spot), b->joints[joint].mimic,
              "nothing to do if it is meant to stand still; --mimic free makes it a coordinate of its own",
              "expected a joint that moves, found \"%s\", which is fixed or held itself: it is held at %.6g",
              b->joints[master].name ? b->joints[master].name : "", held);
    return true;
}

/* Follower and master have one degree of freedom each. */
static void check_type(ziChecker *c, size_t joint, int master, double held) {
    const zvBuilder *b = c->builder;
    const zvJoint *wrong = NULL, *own = &b->joints[joint];
    if (!b->mimic_coupled || check_held(c, joint, master, held)) return;
    if (zv_joint_type_nv(own->type) != 1) wrong = own;
    if (!wrong && (zv_joint_type_nv(b->joints[master].type) != 1 || !isnan(held))) wrong = &b->joints[master];
    if (!wrong) return;
    zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "mimic-type",
              zi_about_spot(zi_about_joint(b, joint), b->joints[joint].mimic_spot), own->mimic,
              "only joints of one degree of freedom can follow and be followed",
              "expected one degree of freedom in it and in \"%s\", which it follows, found the %s joint \"%s\" with %d",
              own->mimic, zv_joint_type_word(wrong->type), wrong->name ? wrong->name : "",
              zv_joint_type_nv(wrong->type));
}

static void check_ratio(ziChecker *c, size_t joint) {
    const zvBuilder *b = c->builder;
    if (b->joints[joint].ratio != 0) return;
    zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "mimic-ratio", zi_about_joint(b, joint), "0",
              "give the ratio of the motions, or make the joint fixed",
              "expected another ratio to follow \"%s\" by, found 0: it never moves", b->joints[joint].mimic);
}

/* Names one joint of a ring of followers and tells how long the ring is. */
static void report_ring(ziChecker *c, const int *master, int joint) {
    const zvBuilder *b = c->builder;
    ziAbout about = zi_about_spot(zi_about_joint(b, (size_t)joint), b->joints[joint].mimic_spot);
    if (master[joint] == joint) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "mimic-cycle", about, b->joints[joint].mimic,
                  "name the joint that it should follow", "expected another joint to follow, found the joint itself");
        return;
    }
    int count = 1;
    for (int j = master[joint]; j != joint; j = master[j]) count++;
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "mimic-cycle", about, b->joints[joint].mimic,
              "let one joint of the ring go free",
              "expected a joint to follow that is free in the end, found \"%s\" and so on around a ring of %d joints",
              b->joints[joint].mimic, count);
}

/* Each walk from follower to master stamps its joints; meeting its own stamp it has gone round. O(n). */
static void check_rings(ziChecker *c, const int *master, int *stamp) {
    int count = c->builder->mimic_coupled ? (int)c->builder->njoint : 0;
    for (int i = 0; i < count; i++) stamp[i] = -1;
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j >= 0 && stamp[j] < 0; j = master[j]) stamp[j] = i;
        if (j >= 0 && stamp[j] == i) report_ring(c, master, j);
    }
}

/* Masters by name first; rings need all of them. */
void zi_check_mimic(ziChecker *c) {
    const zvBuilder *b = c->builder;
    if (b->njoint == 0) return;
    int *master = malloc(2 * b->njoint * sizeof *master);
    if (!master) {
        c->out_of_memory = c->stopped = true;
        return;
    }
    int suggestions = SUGGESTIONS;
    for (size_t i = 0; i < b->njoint; i++) {
        const char *name = b->joints[i].mimic;
        master[i] = zi_names_find(&b->joint_names, name);
        if (!name || c->stopped) continue;
        if (master[i] < 0) {
            report_unknown(c, i, &suggestions);
        } else {
            check_type(c, i, master[i], c->held[i]);
            check_ratio(c, i);
        }
    }
    check_rings(c, master, master + b->njoint);
    free(master);
}
