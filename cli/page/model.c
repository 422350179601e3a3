/* The model in the document of a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "page/model.h"
#include "page/parts.h"
#include "zveno/kinematics.h"

/* {link, p, R, bend}, with the name for frames in their own right. */
static void frame_json(const zvModel *model, int index, bool named, Json *json) {
    const zvFrame frame = zv_model_frame(model, index);
    const int link = zv_model_find_frame(model, frame.link);
    json_map(json, JSON_LINE);
    if (named) json_key(json, "name"), json_text(json, frame.name);
    json_key(json, "link"), json_integer(json, link);
    page_pose_keys(&frame.pose, json);
    json_key(json, "bend"), page_bend_json(model, link, frame.pose.p, json);
    json_end(json);
}

/* Behind the links come the frames of the description, then those of the ends of loops. */
static void frames_json(const zvModel *model, Json *json) {
    int end = zv_model_nframe(model);
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const int first = zv_model_loop_place(model, i).parent_frame;
        if (first >= 0 && first < end) end = first;
    }
    json_list(json, JSON_BLOCK);
    for (int i = zv_model_nlink(model); i < end; i++) frame_json(model, i, true, json);
    json_end(json);
}

static void loop_end_json(const zvModel *model, int frame, Json *json) {
    if (frame >= 0)
        frame_json(model, frame, false, json);
    else
        json_text(json, NULL);
}

/* What closes a loop and where its two ends lie, so that the page draws it and shows the gap. */
static void loops_json(const zvModel *model, Json *json) {
    static const char *const kinds[] = {
        [ZV_LOOP_JOINT] = "joint", [ZV_LOOP_ROD] = "rod", [ZV_LOOP_COUPLING] = "coupling"};
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        const zvLoopPlace place = zv_model_loop_place(model, i);
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, loop->name);
        json_key(json, "kind"), json_text(json, kinds[loop->kind]);
        json_key(json, "type"), json_text(json, loop->kind == ZV_LOOP_JOINT ? zv_joint_type_word(loop->type) : NULL);
        json_key(json, "axis"), page_direction_json(loop->axis, json);
        json_key(json, "open"), json_bool(json, loop->open);
        json_key(json, "parent_frame"), loop_end_json(model, place.parent_frame, json);
        json_key(json, "child_frame"), loop_end_json(model, place.child_frame, json);
        json_end(json);
    }
    json_end(json);
}

static void label_json(const EntryCursor *entry, Json *json) {
    Text label = {0};
    entry_label(entry, &label);
    json_key(json, "label"), json_text(json, label.bytes ? label.bytes : "");
    if (label.failed) json->out->failed = true;
    text_free(&label);
}

/* Which entry of q moves at the rate that an entry of v is; -1 where a quaternion stands between them. */
static int coordinate_of(const EntryCursor *entry) {
    const zvJointPlace place = zv_model_joint_place(entry->model, entry->joint);
    const zvElasticPlace elastic = zv_model_elastic_place(entry->model, place.child);
    if (entry->part >= place.nv) return elastic.q_index + entry->part - place.nv;
    return place.nq == place.nv ? place.q_index + entry->part : -1;
}

/* Labels and units of coordinates; of a velocity also the coordinate that a slider moves for it. */
static void entries_json(const zvModel *model, bool of_q, Json *json) {
    EntryCursor entry = entry_first(model, of_q);
    json_list(json, JSON_BLOCK);
    for (; entry.joint < zv_model_njoint(model); entry_next(&entry)) {
        json_map(json, JSON_LINE);
        label_json(&entry, json);
        json_key(json, "unit");
        json_text(json, of_q ? entry_position_unit(&entry) : entry_unit(&entry, QUANTITY_VELOCITY));
        if (!of_q) json_key(json, "q"), json_integer(json, coordinate_of(&entry));
        json_end(json);
    }
    json_end(json);
}

static void neutral_json(const zvModel *model, Json *json) {
    const size_t nq = (size_t)zv_model_nq(model);
    double *q = malloc((nq + 1) * sizeof *q);
    if (q) {
        zv_neutral(model, q);
        json_numbers(json, q, nq);
    } else {
        json->out->failed = true;
    }
    free(q);
}

/* The keys of "model" in the order of viewer/README.md. */
static void model_json(const zvModel *model, const int *shown, double size, PageMeshSet *set, Json *json) {
    double g[3];
    zv_model_gravity(model, g);
    json_map(json, JSON_BLOCK);
    json_key(json, "name"), json_text(json, zv_model_name(model));
    json_key(json, "gravity"), json_numbers(json, g, 3);
    json_key(json, "nq"), json_integer(json, zv_model_nq(model));
    json_key(json, "nv"), json_integer(json, zv_model_nv(model));
    json_key(json, "neutral"), neutral_json(model, json);
    json_key(json, "size"), json_number(json, size);
    json_key(json, "links"), page_links_json(model, shown, set, json);
    json_key(json, "joints"), page_joints_json(model, json);
    json_key(json, "frames"), frames_json(model, json);
    json_key(json, "loops"), loops_json(model, json);
    json_key(json, "meshes"), page_meshes_json(set, json);
    json_key(json, "coordinates"), entries_json(model, true, json);
    json_key(json, "degrees"), entries_json(model, false, json);
    json_end(json);
}

/* Sizes need meshes, so these are read first; the object is written only when all memory was there. */
zvStatus page_model_json(const zvModel *model, const PageMeshes *meshes, Json *json, PageProblems *problems,
                         zvError *error) {
    PageMeshSet set = {.where = meshes, .problems = problems};
    int *shown = page_shown_shapes(model, &set);
    const double size = shown ? page_size(model, shown, &set) : -1;
    if (size >= 0) model_json(model, shown, size, &set, json);
    const bool enough = size >= 0 && !set.failed && !json->out->failed;
    free(shown);
    page_meshes_free(&set);
    if (enough) return ZV_OK;
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "%s", zv_status_sentence(ZV_MEMORY));
}

/* Joints in the document of a page. */

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

/* Points of a circle with their arc lengths; returns the circumference. The start is made perpendicular to the normal.
 */
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

/* A curve as points that the page joins: it then needs no theory of splines. */
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
typedef struct FollowedJoint {
    int master; /* -1: none */
    double ratio, offset;
} FollowedJoint;

static FollowedJoint law_of(const zvModel *model, int joint) {
    FollowedJoint law = {-1, 1, 0};
    for (int next; (next = zv_model_joint_place(model, joint).mimic) >= 0; joint = next) {
        const zvJoint *follower = zv_model_joint(model, joint);
        law = (FollowedJoint){next, law.ratio * follower->ratio, law.ratio * follower->offset + law.offset};
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

/* Pose, axis, coordinates and limits of a joint, and the law of a mimic joint. */
static void joint_json(const zvModel *model, int index, Json *json) {
    const zvJoint *joint = zv_model_joint(model, index);
    const zvJointPlace place = zv_model_joint_place(model, index);
    const zvPose origin = cleaned(joint->origin);
    const FollowedJoint law = law_of(model, index);
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

/* How long a robot is, as it is drawn at its neutral position: the diagonal of a box that holds it. */

typedef struct BoundingBox {
    double lower[3], upper[3];
} BoundingBox;

/* A box about a point p of a frame, along its axes, with half its edges. */
static void box_take(BoundingBox *box, const zvPose *frame, const double p[3], const double half[3]) {
    for (int i = 0; i < 3; i++) {
        const double *row = frame->R + 3 * i, at = frame->p[i] + row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
        const double reach = fabs(row[0] * half[0]) + fabs(row[1] * half[1]) + fabs(row[2] * half[2]);
        box->lower[i] = fmin(box->lower[i], at - reach); /* which pass over NaN */
        box->upper[i] = fmax(box->upper[i], at + reach);
    }
}

static const double nothing[3] = {0};

static void take_mesh(BoundingBox *box, const zvPose *place, const double scale[3], const PageMesh *mesh) {
    double middle[3], half[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = scale[k] * (mesh->lower[k] + mesh->upper[k]) / 2;
        half[k] = scale[k] * (mesh->upper[k] - mesh->lower[k]) / 2;
    }
    box_take(box, place, middle, half);
}

/* Grows the box by the corners of what a shape occupies at its place. */
static void take_shape(BoundingBox *box, const zvPose *link, const zvShape *shape, PageMeshSet *set) {
    const double *s = shape->size;
    const double brick[3] = {s[0] / 2, s[1] / 2, s[2] / 2}, rod[3] = {s[0], s[0], s[1] / 2},
                 ball[3] = {s[0], s[0], s[0]};
    const zvPose place = zv_pose_compose(link, &shape->pose);
    switch (shape->kind) {
    case ZV_SHAPE_BOX: box_take(box, &place, nothing, brick); return;
    case ZV_SHAPE_CYLINDER: box_take(box, &place, nothing, rod); return;
    case ZV_SHAPE_SPHERE: box_take(box, &place, nothing, ball); return;
    case ZV_SHAPE_MESH: break;
    }
    const PageMesh *mesh = page_mesh_of(set, shape);
    if (mesh) take_mesh(box, &place, s, mesh);
}

/* The link's own: frame, ellipsoid, and the ends of a beam or the places of modal data. */
static void take_link(BoundingBox *box, const zvPose *place, const zvLink *link) {
    zvPose pose;
    double axes[3];
    box_take(box, place, nothing, nothing);
    if (page_ellipsoid(&link->inertia, &pose, axes)) {
        pose = zv_pose_compose(place, &pose);
        box_take(box, &pose, nothing, axes);
    }
    if (link->beam) {
        const double *a = link->beam->axis, size = hypot(hypot(a[0], a[1]), a[2]);
        double tip[3];
        for (int k = 0; k < 3; k++) tip[k] = link->beam->start[k] + link->beam->length * a[k] / size;
        box_take(box, place, link->beam->start, nothing);
        box_take(box, place, tip, nothing);
    }
    for (int i = 0; link->modal && i < link->modal->node_count; i++)
        box_take(box, place, link->modal->nodes[i].at, nothing);
    for (int i = 0; link->modal && i < link->modal->interface_count; i++)
        box_take(box, place, link->modal->interfaces[i].at, nothing);
}

/* Length of the box of everything drawn at the neutral position: the page scales arrows and frames by it. */
double page_size(const zvModel *model, const int *shown, PageMeshSet *set) {
    BoundingBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    zvWork *work = zv_work_create(model, NULL);
    double *q = calloc((size_t)zv_model_nq(model) + 1, sizeof *q), size = -1;
    zvPose *poses = malloc(((size_t)zv_model_nlink(model) + 1) * sizeof *poses);
    if (work && q && poses) {
        zv_neutral(model, q);
        zv_link_poses(model, work, q, poses);
        for (int i = 0; i < zv_model_nlink(model); i++) take_link(&box, &poses[i], zv_model_link(model, i));
        for (int i = 0; i < zv_model_nshape(model); i++)
            if (shown[i] >= 0) take_shape(&box, &poses[shown[i]], zv_model_shape(model, i), set);
        size = hypot(hypot(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1]), box.upper[2] - box.lower[2]);
        if (!(size > 0 && isfinite(size))) size = 1;
    }
    free(poses);
    free(q);
    zv_work_destroy(work);
    return size;
}
