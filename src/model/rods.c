/* A planar chain of equal uniform rods: the example of [Vereshchagin], of any length. */
#include "zveno/chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/require.h"

/* What all rods of a chain share. */
typedef struct Rod {
    double length, radius, mass;
    double along, across; /* central moments */
} Rod;

static const double blue[4] = {0.2, 0.4, 0.75, 1}, orange[4] = {0.95, 0.45, 0.1, 1}, dark[4] = {0.2, 0.22, 0.25, 1};

/* [Vereshchagin], the example: l/n, m/n and m/(12 n^3), of a chain of 1 m. */
static Rod rod_of(int count, double length, double mass) {
    const double n = count;
    Rod rod = {.length = length / n, .mass = mass / n, .across = mass * length * length / (12 * n * n * n)};
    rod.radius = rod.length / 20;
    rod.along = rod.mass * rod.radius * rod.radius / 2;
    return rod;
}

static zvStatus add_shape(zvBuilder *builder, zvShape shape, const double color[4], zvError *error) {
    shape.has_color = true;
    memcpy(shape.color, color, sizeof shape.color);
    return zv_builder_add_shape(builder, &shape, error);
}

/* A cube at the hinge of the first rod. */
static zvStatus add_base(zvBuilder *builder, const Rod *rod, zvError *error) {
    const zvLink base = zv_link_default("base");
    zvShape cube = zv_shape_default(base.name, ZV_SHAPE_BOX);
    for (int i = 0; i < 3; i++) cube.size[i] = 8 * rod->radius;
    const zvStatus status = zv_builder_add_link(builder, &base, error);
    return status < 0 ? status : add_shape(builder, cube, dark, error);
}

/* Rod i, from 1, and its joint, at the end of the rod before. */
static zvStatus add_rod(zvBuilder *builder, const Rod *rod, int i, zvError *error) {
    char name[24], parent[24], joint_name[24];
    snprintf(name, sizeof name, "rod%d", i);
    snprintf(parent, sizeof parent, i > 1 ? "rod%d" : "base", i - 1);
    snprintf(joint_name, sizeof joint_name, "joint%d", i);
    zvLink link = zv_link_default(name);
    link.has_inertia = true;
    link.inertia = (zvInertia){
        .mass = rod->mass, .com = {rod->length / 2, 0, 0}, .moment = {rod->along, 0, 0, rod->across, 0, rod->across}};
    zvShape bar = zv_shape_default(name, ZV_SHAPE_CYLINDER);
    bar.pose = zv_pose_from_rpy(link.inertia.com, (const double[3]){0, acos(-1) / 2, 0});
    bar.size[0] = rod->radius, bar.size[1] = rod->length;
    zvJoint joint = zv_joint_default(joint_name, ZV_JOINT_CONTINUOUS, parent, name);
    joint.axis[1] = -1, joint.axis[2] = 0;
    joint.origin.p[0] = i > 1 ? rod->length : 0;
    zvStatus status = zv_builder_add_link(builder, &link, error);
    if (status >= 0) status = add_shape(builder, bar, i % 2 ? blue : orange, error);
    return status < 0 ? status : zv_builder_add_joint(builder, &joint, error);
}

/* Refuses numbers that make no chain, then adds base and rods in order. */
zvStatus zv_builder_add_rods(zvBuilder *builder, int count, double length, double mass, zvError *error) {
    ZI_REQUIRE(builder);
    const zvMark nowhere = {0};
    if (count < 1 || count > ZV_MOST_RODS)
        return zv_fail(error, ZV_NUMBER, nowhere, "", "expected 1 to %d rods, found %d", ZV_MOST_RODS, count);
    if (!(length > 0 && mass > 0 && isfinite(length) && isfinite(mass)))
        return zv_fail(error, ZV_NUMBER, nowhere, "",
                       "expected a positive finite length and mass of the chain, found %g m and %g kg", length, mass);
    const Rod rod = rod_of(count, length, mass);
    zvStatus status = add_base(builder, &rod, error);
    for (int i = 1; i <= count && status >= 0; i++) status = add_rod(builder, &rod, i, error);
    return status;
}
