/* Comparison of descriptions (same_description.h). */
#include "support/same_description.h"

#include <stdio.h>
#include <string.h>

typedef struct Report {
    char *text;
    size_t size;
    bool differs;
} Report;

static void differ(Report *report, const char *kind, int index, const char *field) {
    if (!report->differs) snprintf(report->text, report->size, "%s %d: %s differs", kind, index, field);
    report->differs = true;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

#define SAME(kind, index, a, b, field) \
    if (memcmp(&(a)->field, &(b)->field, sizeof(a)->field) != 0) differ(r, kind, index, #field)
#define SAME_TEXT(kind, index, a, b, field) \
    if (!same_text((a)->field, (b)->field)) differ(r, kind, index, #field)

static void compare_dof(Report *r, const char *kind, int i, const zvDof *a, const zvDof *b) {
    SAME(kind, i, a, b, has_limits);
    if (a->has_limits) {
        SAME(kind, i, a, b, lower);
        SAME(kind, i, a, b, upper);
    }
    SAME(kind, i, a, b, effort);
    SAME(kind, i, a, b, velocity);
    SAME(kind, i, a, b, armature);
    SAME(kind, i, a, b, damping);
    SAME(kind, i, a, b, friction);
    SAME(kind, i, a, b, stiffness);
    SAME(kind, i, a, b, rest);
}

static void compare_curve(Report *r, const char *kind, int i, const zvCurve *a, const zvCurve *b) {
    SAME(kind, i, a, b, kind);
    SAME(kind, i, a, b, direction);
    SAME(kind, i, a, b, center);
    SAME(kind, i, a, b, normal);
    SAME(kind, i, a, b, start);
    SAME(kind, i, a, b, radius);
    SAME(kind, i, a, b, closed);
    SAME(kind, i, a, b, count);
    if (a->count && memcmp(a->points, b->points, (size_t)a->count * 3 * sizeof(double)) != 0)
        differ(r, kind, i, "points");
}

static void compare_matrix(Report *r, const char *kind, int i, zvJointType type, const double *a, const double *b) {
    const size_t nv = (size_t)zv_joint_type_nv(type);
    if (!a != !b || (a && memcmp(a, b, nv * nv * sizeof *a) != 0)) differ(r, kind, i, "matrix");
}

/* Numbers one by one: there is room between them. */
static void compare_gear(Report *r, int i, const zvFlexibleJoint *a, const zvFlexibleJoint *b) {
    if (!a != !b) differ(r, "joint", i, "flexible");
    if (!a || !b) return;
    SAME("flexible joint", i, a, b, stiffness);
    SAME("flexible joint", i, a, b, damping);
    SAME("flexible joint", i, a, b, inertia);
    SAME("flexible joint", i, a, b, ratio);
    SAME("flexible joint", i, a, b, motor_damping);
    SAME("flexible joint", i, a, b, cubic);
    SAME("flexible joint", i, a, b, points);
    SAME("flexible joint", i, a, b, law);
    SAME("flexible joint", i, a, b, rotor_axis);
}

static void compare_joint(Report *r, int i, const zvJoint *a, const zvJoint *b) {
    SAME_TEXT("joint", i, a, b, name);
    SAME_TEXT("joint", i, a, b, parent);
    SAME_TEXT("joint", i, a, b, child);
    SAME_TEXT("joint", i, a, b, mimic);
    SAME("joint", i, a, b, type);
    SAME("joint", i, a, b, origin);
    SAME("joint", i, a, b, axis);
    SAME("joint", i, a, b, axis2);
    SAME("joint", i, a, b, pitch);
    SAME("joint", i, a, b, ratio);
    SAME("joint", i, a, b, offset);
    SAME("joint", i, a, b, cut);
    SAME("joint", i, a, b, child_origin);
    compare_matrix(r, "joint", i, a->type, a->stiffness_matrix, b->stiffness_matrix);
    compare_matrix(r, "joint", i, a->type, a->damping_matrix, b->damping_matrix);
    compare_gear(r, i, a->flexible, b->flexible);
    compare_curve(r, "joint", i, &a->curve, &b->curve);
    for (int k = 0; k < zv_joint_type_nv(a->type); k++) compare_dof(r, "joint", i, &a->dof[k], &b->dof[k]);
}

/* Freedoms of a loop have damping and spring only. */
static void compare_joint_loop(Report *r, int i, const zvLoop *a, const zvLoop *b) {
    SAME("loop", i, a, b, type);
    SAME("loop", i, a, b, axis);
    SAME("loop", i, a, b, axis2);
    SAME("loop", i, a, b, pitch);
    SAME("loop", i, a, b, ball);
    SAME("loop", i, a, b, driven);
    SAME("loop", i, a, b, value);
    compare_matrix(r, "loop", i, a->type, a->stiffness_matrix, b->stiffness_matrix);
    compare_matrix(r, "loop", i, a->type, a->damping_matrix, b->damping_matrix);
    compare_curve(r, "loop", i, &a->curve, &b->curve);
    for (int k = 0; k < zv_joint_type_nv(a->type); k++) {
        SAME("loop", i, a, b, dof[k].damping);
        SAME("loop", i, a, b, dof[k].stiffness);
        SAME("loop", i, a, b, dof[k].rest);
    }
}

static void compare_loop(Report *r, int i, const zvLoop *a, const zvLoop *b) {
    SAME_TEXT("loop", i, a, b, name);
    SAME_TEXT("loop", i, a, b, parent);
    SAME_TEXT("loop", i, a, b, child);
    SAME("loop", i, a, b, kind);
    SAME("loop", i, a, b, origin);
    SAME("loop", i, a, b, child_origin);
    SAME("loop", i, a, b, length);
    SAME("loop", i, a, b, offset);
    SAME("loop", i, a, b, term_count);
    if (a->kind == ZV_LOOP_JOINT) compare_joint_loop(r, i, a, b);
    for (int k = 0; k < a->term_count && k < b->term_count; k++) {
        SAME_TEXT("loop", i, a, b, terms[k].joint);
        SAME("loop", i, a, b, terms[k].ratio);
    }
}

static void compare_link(Report *r, int i, const zvLink *a, const zvLink *b) {
    SAME_TEXT("link", i, a, b, name);
    SAME("link", i, a, b, has_inertia);
    SAME("link", i, a, b, inertia);
}

static void compare_frame(Report *r, int i, const zvFrame *a, const zvFrame *b) {
    SAME_TEXT("frame", i, a, b, name);
    SAME_TEXT("frame", i, a, b, link);
    SAME("frame", i, a, b, pose);
}

static void compare_shape(Report *r, int i, const zvShape *a, const zvShape *b) {
    SAME_TEXT("shape", i, a, b, name);
    SAME_TEXT("shape", i, a, b, link);
    SAME_TEXT("shape", i, a, b, mesh);
    SAME("shape", i, a, b, collision);
    SAME("shape", i, a, b, kind);
    SAME("shape", i, a, b, pose);
    SAME("shape", i, a, b, has_color);
    SAME("shape", i, a, b, color);
    int count = a->kind == ZV_SHAPE_BOX || a->kind == ZV_SHAPE_MESH ? 3 : a->kind == ZV_SHAPE_CYLINDER ? 2 : 1;
    if (memcmp(a->size, b->size, (size_t)count * sizeof(double)) != 0) differ(r, "shape", i, "size");
}

static void compare_settings(Report *r, zvBuilder *a, zvBuilder *b) {
    double ga[3], gb[3];
    zv_builder_gravity(a, ga);
    zv_builder_gravity(b, gb);
    if (memcmp(ga, gb, sizeof ga) != 0) differ(r, "robot", 0, "gravity");
    if (!same_text(zv_builder_name(a), zv_builder_name(b))) differ(r, "robot", 0, "name");
    if (zv_builder_free_base(a) != zv_builder_free_base(b)) differ(r, "robot", 0, "base");
    if (zv_builder_mimic_coupled(a) != zv_builder_mimic_coupled(b)) differ(r, "robot", 0, "mimic_joints");
    if (zv_builder_nlink(a) != zv_builder_nlink(b)) differ(r, "robot", 0, "number of links");
    if (zv_builder_njoint(a) != zv_builder_njoint(b)) differ(r, "robot", 0, "number of joints");
    if (zv_builder_nframe(a) != zv_builder_nframe(b)) differ(r, "robot", 0, "number of frames");
    if (zv_builder_nshape(a) != zv_builder_nshape(b)) differ(r, "robot", 0, "number of shapes");
    if (zv_builder_nloop(a) != zv_builder_nloop(b)) differ(r, "robot", 0, "number of loops");
}

bool same_description(zvBuilder *a, zvBuilder *b, char *text, size_t size) {
    Report report = {text, size, false}, *r = &report;
    compare_settings(r, a, b);
    if (r->differs) return false;
    for (int i = 0; i < zv_builder_nlink(a); i++) compare_link(r, i, zv_builder_link(a, i), zv_builder_link(b, i));
    for (int i = 0; i < zv_builder_njoint(a); i++) compare_joint(r, i, zv_builder_joint(a, i), zv_builder_joint(b, i));
    for (int i = 0; i < zv_builder_nframe(a); i++) compare_frame(r, i, zv_builder_frame(a, i), zv_builder_frame(b, i));
    for (int i = 0; i < zv_builder_nshape(a); i++) compare_shape(r, i, zv_builder_shape(a, i), zv_builder_shape(b, i));
    for (int i = 0; i < zv_builder_nloop(a); i++) compare_loop(r, i, zv_builder_loop(a, i), zv_builder_loop(b, i));
    return !r->differs;
}
