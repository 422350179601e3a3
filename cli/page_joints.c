/* Joints in the document of a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"

enum { CIRCLE_POINTS = 24 };
static const double whole_turn = 6.28318530717958647692;

static double length_of(const double a[3]) { return hypot(hypot(a[0], a[1]), a[2]); }

void page_direction_json(const double a[3], Json *json) {
    const double length = length_of(a);
    double unit[3] = {0, 0, 1};
    for (int k = 0; length > 0 && k < 3; k++) unit[k] = a[k] / length;
    json_numbers(json, unit, 3);
}

/* R (3 - R^T R) / 2 squares what few digits leave of an error [axis.c]: the engine places joints by such a rotation. */
static zvPose cleaned(zvPose pose) {
    for (int step = 0; step < 2; step++) {
        double S[9], old[9];
        memcpy(old, pose.R, sizeof old);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                S[3 * i + j] =
                    0.5 * ((i == j ? 3 : 0) - (old[i] * old[j] + old[3 + i] * old[3 + j] + old[6 + i] * old[6 + j]));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                pose.R[3 * i + j] = old[3 * i] * S[j] + old[3 * i + 1] * S[3 + j] + old[3 * i + 2] * S[6 + j];
    }
    return pose;
}

static void point_json(double s, const double p[3], Json *json) {
    const double row[4] = {s, p[0], p[1], p[2]};
    json_numbers(json, row, 4);
}

static double line_points(const zvCurve *curve, Json *json) {
    const double *d = curve->direction, length = length_of(d);
    const double start[3] = {0}, end[3] = {d[0] / length, d[1] / length, d[2] / length};
    point_json(0, start, json);
    point_json(1, end, json);
    return NAN;
}

/* The start is made square to the normal. */
static double circle_points(const zvCurve *curve, Json *json) {
    const double *c = curve->center, size = length_of(curve->normal);
    double n[3], u[3], along = 0;
    for (int k = 0; k < 3; k++) n[k] = curve->normal[k] / size;
    for (int k = 0; k < 3; k++) along += n[k] * curve->start[k];
    for (int k = 0; k < 3; k++) u[k] = curve->start[k] - along * n[k];
    const double scale = curve->radius / length_of(u);
    for (int k = 0; k < 3; k++) u[k] *= scale;
    for (int i = 0; i < CIRCLE_POINTS; i++) {
        const double angle = whole_turn * i / CIRCLE_POINTS;
        double p[3];
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            p[k] = c[k] + cos(angle) * u[k] + sin(angle) * (n[l] * u[m] - n[m] * u[l]);
        }
        point_json(curve->radius * angle, p, json);
    }
    return whole_turn * curve->radius;
}

/* Its own points over the accumulated chord length; the first one again at the end of a closed one. */
static double spline_points(const zvCurve *curve, Json *json) {
    double s = 0;
    for (int i = 0; i < curve->count + curve->closed; i++) {
        const double *p = curve->points + 3 * (i % curve->count), *before = curve->points + 3 * (i ? i - 1 : 0);
        const double chord[3] = {p[0] - before[0], p[1] - before[1], p[2] - before[2]};
        s += length_of(chord);
        point_json(s, p, json);
    }
    return s;
}

static void curve_json(const zvCurve *curve, Json *json) {
    static const char *const words[] = {
        [ZV_CURVE_LINE] = "line", [ZV_CURVE_CIRCLE] = "circle", [ZV_CURVE_SPLINE] = "spline"};
    static double (*const points[])(const zvCurve *, Json *) = {
        [ZV_CURVE_LINE] = line_points, [ZV_CURVE_CIRCLE] = circle_points, [ZV_CURVE_SPLINE] = spline_points};
    json_map(json, JSON_LINE);
    json_key(json, "kind"), json_text(json, words[curve->kind]);
    json_key(json, "closed"),
        json_bool(json, curve->kind == ZV_CURVE_CIRCLE || (curve->kind == ZV_CURVE_SPLINE && curve->closed));
    json_key(json, "points"), json_list(json, JSON_LINE);
    const double length = points[curve->kind](curve, json);
    json_end(json);
    json_key(json, "length");
    if (isnan(length))
        json_text(json, NULL);
    else
        json_number(json, length);
    json_end(json);
}

/* The joint that a coupled one follows in the end, and how. */
typedef struct Law {
    int master; /* -1: none */
    double ratio, offset;
} Law;

static Law law_of(const zvModel *model, int joint) {
    Law law = {-1, 1, 0};
    for (int next; (next = zv_model_joint_place(model, joint).mimic) >= 0; joint = next) {
        const zvJoint *follower = zv_model_joint(model, joint);
        law = (Law){next, law.ratio * follower->ratio, law.ratio * follower->offset + law.offset};
    }
    return law;
}

static void limits_json(const zvJoint *joint, int nq, bool upper, Json *json) {
    const bool plain = zv_joint_type_nq(joint->type) == zv_joint_type_nv(joint->type); /* no quaternion */
    json_list(json, JSON_LINE);
    for (int k = 0; k < nq; k++) {
        if (plain && joint->dof[k].has_limits)
            json_number(json, upper ? joint->dof[k].upper : joint->dof[k].lower);
        else
            json_text(json, NULL);
    }
    json_end(json);
}

static void words_json(const zvJoint *joint, int nq, const char *(*word)(zvJointType, int), Json *json) {
    json_list(json, JSON_LINE);
    for (int k = 0; k < nq; k++) json_text(json, word(joint->type, k));
    json_end(json);
}

static void motion_json(const zvModel *model, int index, Json *json) {
    const zvJoint *joint = zv_model_joint(model, index);
    json_key(json, "axis"), page_direction_json(joint->axis, json);
    json_key(json, "axis2"), page_direction_json(joint->axis2, json);
    json_key(json, "pitch"), json_number(json, joint->pitch);
    json_key(json, "curve");
    if (joint->type == ZV_JOINT_CURVE)
        curve_json(&joint->curve, json);
    else
        json_text(json, NULL);
}

static void joint_json(const zvModel *model, int index, Json *json) {
    const zvJoint *joint = zv_model_joint(model, index);
    const zvJointPlace place = zv_model_joint_place(model, index);
    const zvPose origin = cleaned(joint->origin);
    const Law law = law_of(model, index);
    json_map(json, JSON_LINE);
    json_key(json, "name"), json_text(json, joint->name);
    json_key(json, "type"), json_text(json, zv_joint_type_word(joint->type));
    json_key(json, "parent"), json_integer(json, place.parent);
    json_key(json, "child"), json_integer(json, place.child);
    json_key(json, "origin"), page_pose_json(&origin, json);
    motion_json(model, index, json);
    json_key(json, "q"), json_integer(json, place.q_index);
    json_key(json, "nq"), json_integer(json, place.nq);
    json_key(json, "lower"), limits_json(joint, place.nq, false, json);
    json_key(json, "upper"), limits_json(joint, place.nq, true, json);
    json_key(json, "mimic"), json_integer(json, law.master);
    json_key(json, "ratio"), json_number(json, law.ratio);
    json_key(json, "offset"), json_number(json, law.offset);
    json_key(json, "parts"), words_json(joint, place.nq, zv_joint_type_q_part, json);
    json_key(json, "units"), words_json(joint, place.nq, zv_joint_type_q_unit, json);
    json_key(json, "bend"), page_bend_json(model, place.parent, joint->origin.p, json);
    json_end(json);
}

void page_joints_json(const zvModel *model, Json *json) {
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_model_njoint(model); i++) joint_json(model, i, json);
    json_end(json);
}
