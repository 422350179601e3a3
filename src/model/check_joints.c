/* Rules about single joints: axes, limits, and the coefficients of their freedoms. */
#include <math.h>
#include <stdio.h>

#include "model/axis.h"
#include "model/check.h"
#include "model/loop.h"

static const double pi = 3.14159265358979323846;
static const double shortest_axis = 1e-12;
static const double least_angle = 1e-6; /* rad, between the axes of a universal joint */
static const double unit_length = 1e-3; /* how far from 1 an axis is taken for a unit vector */
static const double fastest_angle = 90; /* rad/s; a whole number from here on is taken for degrees per second */
static const double most_turns = 3;     /* a limit of more whole radians than these turns is taken for degrees */

static double length(const double a[3]) { return hypot(hypot(a[0], a[1]), a[2]); }

static void check_axis(ziChecker *c, ziAbout about, const char *what, const double axis[3]) {
    double size = length(axis);
    if (fabs(size - 1) <= unit_length) return;
    char token[96];
    snprintf(token, sizeof token, "%.6g %.6g %.6g", axis[0], axis[1], axis[2]);
    if (size < shortest_axis) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "zero-axis", about, token,
                  "give the direction of motion, for instance [0, 0, 1]", "its %s is the zero vector", what);
    } else if (isfinite(size)) {
        zi_report(c, ZI_WEIGH_NOTE, ZV_PHYSICS, "axis-length", about, token,
                  "nothing to do if only the direction was meant: it is scaled to unit length",
                  "its %s has length %.6g, not 1", what, size);
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
              "the two axes of the universal joint are parallel");
}

/* " of freedom 2" where a joint has several. */
static void freedom_text(const zvJoint *joint, int dof, char *text, size_t size) {
    if (zv_joint_type_nv(joint->type) > 1) {
        snprintf(text, size, " of freedom %d", dof + 1);
    } else {
        text[0] = '\0';
    }
}

static bool is_angle(const zvJoint *joint, int dof) {
    switch (joint->type) {
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_CONTINUOUS:
    case ZV_JOINT_UNIVERSAL: return true;
    case ZV_JOINT_PLANAR: return dof == 2;
    default: return false; /* screws turn many times */
    }
}

/* Whole numbers beyond a few turns, and any number that as radians is many turns, but not whole ones, and as degrees at
 * most two. */
static bool looks_like_degrees(double x) {
    const double many_turns = 4, most_degrees = 720;
    double size = fabs(x), turns = size / (2 * pi);
    if (size == floor(size)) return turns > most_turns;
    return turns > many_turns && size <= most_degrees && fabs(turns - round(turns)) > 1e-3;
}

static void check_degrees(ziChecker *c, const zvJoint *joint, int dof, ziAbout about) {
    const zvDof *d = &joint->dof[dof];
    bool lower = looks_like_degrees(d->lower), upper = looks_like_degrees(d->upper);
    if (!is_angle(joint, dof) || !(lower || upper)) return;
    char token[32], repair[96];
    double suspect = upper ? d->upper : d->lower;
    snprintf(token, sizeof token, "%.6g", suspect);
    snprintf(repair, sizeof repair, "write radians: %.6g degrees are %.6g rad", suspect, suspect * pi / 180);
    zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "degrees", about, token, repair,
              "the limits [%.6g, %.6g] rad are more than %g turns and look like degrees", d->lower, d->upper,
              most_turns);
}

/* 100 or 1000 is written where there is no limit. */
static bool is_power_of_ten(double x) {
    while (x > 1) x /= 10;
    return x == 1;
}

static void check_speed(ziChecker *c, const zvJoint *joint, int dof, ziAbout about) {
    double speed = joint->dof[dof].velocity;
    if (!is_angle(joint, dof) || !(speed >= fastest_angle) || speed != floor(speed) || is_power_of_ten(speed)) return;
    char token[32], repair[96];
    snprintf(token, sizeof token, "%.6g", speed);
    snprintf(repair, sizeof repair, "write radians per second: %.6g degrees are %.6g rad", speed, speed * pi / 180);
    zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "degrees", about, token, repair,
              "the velocity limit of %.6g rad/s looks like degrees per second", speed);
}

static void check_limits(ziChecker *c, const zvJoint *joint, int dof, ziAbout about) {
    const zvDof *d = &joint->dof[dof];
    if (!d->has_limits) return;
    check_degrees(c, joint, dof, about);
    if (d->lower <= 0 && d->upper >= 0 && d->lower < d->upper) return;
    char which[32], token[32];
    freedom_text(joint, dof, which, sizeof which);
    snprintf(token, sizeof token, "%.6g", d->lower > 0 ? d->lower : d->upper);
    if (d->lower > d->upper) {
        zi_report(c, ZI_WEIGH_ERROR, ZV_NUMBER, "limits-reversed", about, token, "exchange them",
                  "the lower limit%s, %.6g, is above the upper limit, %.6g", which, d->lower, d->upper);
    } else if (d->lower == d->upper) {
        zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "limits-closed", about, token,
                  "make the joint fixed, give two different limits, or make it continuous",
                  "both limits%s are %.6g: the joint cannot move", which, d->lower);
    } else if (d->lower > 0 || d->upper < 0) {
        zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "limits-exclude-zero", about, token,
                  "start computations from a position within the limits",
                  "the limits%s [%.6g, %.6g] exclude the neutral position 0", which, d->lower, d->upper);
    }
}

static void check_coefficient(ziChecker *c, ziAbout about, const char *what, const char *which, double x) {
    if (!(x < 0)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", x);
    zi_report(c, ZI_WEIGH_ERROR, ZV_PHYSICS, "negative-coefficient", about, token,
              "give a number that is not negative; the sign of the motion is accounted for",
              "its %s%s is negative: %.6g", what, which, x);
}

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
                  "its armature%s is negative: %.6g", which, d->armature);
    }
    check_coefficient(c, about, "damping", which, d->damping);
    check_coefficient(c, about, "friction", which, d->friction);
    check_coefficient(c, about, "spring stiffness", which, d->stiffness);
    check_coefficient(c, about, "effort limit", which, d->effort);
    check_coefficient(c, about, "velocity limit", which, d->velocity);
}

static void check_quaternion_limits(ziChecker *c, const zvJoint *joint, ziAbout about) {
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        if (!joint->dof[i].has_limits) continue;
        zi_report(c, ZI_WEIGH_ERROR, ZV_SCHEMA, "limits-on-quaternion", about, zv_joint_type_word(joint->type),
                  "remove the limits, or use revolute joints where limits matter",
                  "a %s joint moves by a quaternion, which has no lower and upper limits",
                  zv_joint_type_word(joint->type));
        return;
    }
}

static void check_joint(ziChecker *c, const zvJoint *joint, ziAbout about) {
    ziAbout limits = zi_about_spot(about, joint->limits_spot);
    if (zi_joint_uses_axis(joint->type)) check_axis(c, zi_about_spot(about, joint->axis_spot), "axis", joint->axis);
    if (joint->type == ZV_JOINT_UNIVERSAL) check_universal(c, joint, about);
    if (joint->type == ZV_JOINT_CURVE) zi_check_curve(c, joint, about);
    bool quaternion = joint->type == ZV_JOINT_SPHERICAL || joint->type == ZV_JOINT_FREE;
    if (quaternion) check_quaternion_limits(c, joint, limits);
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
