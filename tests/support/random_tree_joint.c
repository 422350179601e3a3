/* One random joint: type, axes of any length (often exactly along a coordinate axis, which engines treat apart),
 * curve, armature. */
#include "support/random_tree_joint.h"

#include <math.h>
#include <stdio.h>

static zvJointType draw_type(rtRandom *random, unsigned types) {
    zvJointType type;
    do type = (zvJointType)rt_below(random, ZV_JOINT_TYPES);
    while (!(types >> type & 1u));
    /* six freedoms and four-number positions in every fifth joint would drown the others */
    bool heavy = type == ZV_JOINT_FREE && (types & ~RT_TYPE(FREE)) && rt_chance(random, 0.6);
    return heavy ? draw_type(random, types & ~RT_TYPE(FREE)) : type;
}

static void draw_axis(rtRandom *random, double axis[3]) {
    double length = rt_decades(random, -1, 1);
    if (rt_chance(random, 0.5)) {
        rt_direction(random, axis);
        for (int k = 0; k < 3; k++) axis[k] *= length;
        return;
    }
    axis[0] = axis[1] = axis[2] = 0;
    axis[rt_below(random, 3)] = rt_chance(random, 0.5) ? length : -length;
}

/* Not closer than some 35 degrees to the first axis, so that a universal joint keeps two freedoms. */
static void draw_second_axis(rtRandom *random, const double axis[3], double axis2[3]) {
    double dot, a, b;
    do {
        draw_axis(random, axis2);
        dot = axis[0] * axis2[0] + axis[1] * axis2[1] + axis[2] * axis2[2];
        a = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
        b = axis2[0] * axis2[0] + axis2[1] * axis2[1] + axis2[2] * axis2[2];
    } while (dot * dot > 0.66 * a * b);
}

static void draw_circle(rtRandom *random, zvCurve *curve) {
    double other[3];
    curve->kind = ZV_CURVE_CIRCLE;
    rt_vector(random, 0.3, 3, curve->center);
    draw_axis(random, curve->normal);
    draw_second_axis(random, curve->normal, other);
    const double *n = curve->normal;
    curve->start[0] = n[1] * other[2] - n[2] * other[1];
    curve->start[1] = n[2] * other[0] - n[0] * other[2];
    curve->start[2] = n[0] * other[1] - n[1] * other[0];
    curve->radius = rt_uniform(random, 0.2, 1);
}

/* A bent path: each point is a step of 0.2 to 0.6 m from the one before, turning at most a right angle. */
static void draw_spline(rtRandom *random, double *points, zvCurve *curve) {
    double step[3], turned[3];
    curve->kind = ZV_CURVE_SPLINE;
    curve->count = (curve->closed ? 4 : 2) + rt_below(random, RT_MAX_POINTS - 3);
    curve->points = points;
    rt_vector(random, 0.3, 3, points);
    rt_direction(random, step);
    for (int i = 1; i < curve->count; i++) {
        do rt_direction(random, turned);
        while (turned[0] * step[0] + turned[1] * step[1] + turned[2] * step[2] < 0);
        double length = rt_uniform(random, 0.2, 0.6);
        for (int k = 0; k < 3; k++) {
            step[k] = turned[k];
            points[3 * i + k] = points[3 * i - 3 + k] + length * step[k];
        }
    }
}

static void draw_curve(rtRandom *random, unsigned kinds, double *points, zvCurve *curve) {
    unsigned kind;
    do kind = 1u << rt_below(random, 4);
    while (!(kinds & kind));
    if (kind == RT_LINE) {
        curve->kind = ZV_CURVE_LINE;
        draw_axis(random, curve->direction);
    } else if (kind == RT_CIRCLE) {
        draw_circle(random, curve);
    } else {
        curve->closed = kind == RT_CLOSED_SPLINE;
        draw_spline(random, points, curve);
    }
}

/* Robots in files have many identity rotations and zero offsets: keep some. */
static void draw_plain_origin(rtRandom *random, zvPose *pose) {
    if (rt_chance(random, 0.15)) *pose = zv_pose_identity();
    if (rt_chance(random, 0.1)) pose->p[0] = pose->p[1] = 0;
}

void rt_draw_joint(rtTree *tree, rtRandom *random, const rtOptions *options, int i) {
    zvJointType type = draw_type(random, options->types);
    snprintf(tree->joint_names[i], sizeof tree->joint_names[i], "joint%d", i);
    tree->joints[i] =
        zv_joint_default(tree->joint_names[i], type, tree->link_names[tree->parent[i]], tree->link_names[i + 1]);
    zvJoint *joint = &tree->joints[i];
    rt_origin(random, options->wild, &joint->origin);
    draw_plain_origin(random, &joint->origin);
    draw_axis(random, joint->axis);
    if (type == ZV_JOINT_UNIVERSAL) draw_second_axis(random, joint->axis, joint->axis2);
    if (type == ZV_JOINT_HELICAL) joint->pitch = rt_signed(random, 0.005, 0.3);
    if (type == ZV_JOINT_CURVE) draw_curve(random, options->curves, tree->points[i], &joint->curve);
    for (int k = 0; k < zv_joint_type_nv(type); k++)
        if (rt_chance(random, options->armature)) joint->dof[k].armature = rt_decades(random, -2, 0);
}
