/* Rules about numbers as such: finite, rotations that are rotations, nothing of absurd size. */
#include <math.h>
#include <stdio.h>

#include "model/check.h"
#include "model/joint_type.h"
#include "model/order.h"

static const double farthest = 1e9;  /* m; beyond it doubles lose the micrometres */
static const double heaviest = 1e12; /* kg */
static const double rotation_error = 1e-6;

static void report_not_finite(ziChecker *c, ziAbout about, const char *what, double x) {
    const char *word = isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
    zi_report(c, ZI_WEIGH_FATAL, ZV_NUMBER, "not-finite", about, word, "write a finite number or leave it out",
              "expected finite numbers in its %s, found %s", what, word);
}

/* The first entry of an array that is not finite is enough to find the place. */
static void check_finite(ziChecker *c, ziAbout about, const char *what, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (isfinite(x[i])) continue;
        report_not_finite(c, about, what, x[i]);
        return;
    }
}

static void check_size(ziChecker *c, ziAbout about, const char *what, const char *unit, const double *x, size_t count,
                       double largest) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(x[i]) > largest) || isinf(x[i])) continue;
        char token[32];
        snprintf(token, sizeof token, "%.6g", x[i]);
        zi_report(c, ZI_WEIGH_ERROR, ZV_NUMBER, "absurd-number", about, token, "check the number and its unit (SI)",
                  "expected at most %g in its %s, found %.6g %s", largest, what, x[i], unit);
        return;
    }
}

/* Largest entry of R^T R - 1. */
static double distance_from_orthonormal(const double R[9]) {
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            double dot = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    }
    return worst;
}

static double determinant(const double R[9]) {
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

/* Orthonormal within what few digits leave, and no reflection. */
static void check_rotation(ziChecker *c, ziAbout about, const char *what, const double R[9]) {
    double off = distance_from_orthonormal(R);
    if (off > rotation_error) {
        zi_report(
            c, ZI_WEIGH_FATAL, ZV_NUMBER, "not-a-rotation", about, "",
            "give nine numbers with at least eight digits, or a quaternion, or rpy",
            "expected an orthonormal rotation of its %s, found columns that miss unit length or right angles by %.3g",
            what, off);
    } else if (determinant(R) < 0) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NUMBER, "not-a-rotation", about, "", "reverse one of its columns",
                  "expected a rotation of its %s, found a reflection: its determinant is -1", what);
    }
}

static void check_pose(ziChecker *c, ziAbout about, const char *what, const zvPose *pose) {
    check_finite(c, about, what, pose->R, 9);
    check_finite(c, about, what, pose->p, 3);
    check_rotation(c, about, what, pose->R);
    check_size(c, about, what, "m", pose->p, 3, farthest);
}

static void check_link(ziChecker *c, const zvLink *link, ziAbout about) {
    const zvInertia *inertia = &link->inertia;
    check_finite(c, about, "mass", &inertia->mass, 1);
    check_finite(c, about, "centre of mass", inertia->com, 3);
    check_finite(c, about, "inertia", inertia->moment, 6);
    check_size(c, about, "mass", "kg", &inertia->mass, 1, heaviest);
    check_size(c, about, "centre of mass", "m", inertia->com, 3, farthest);
    check_size(c, about, "inertia", "kg m^2", inertia->moment, 6, heaviest * farthest * farthest);
}

static void check_dof(ziChecker *c, const zvDof *dof, ziAbout about) {
    const double limits[] = {dof->lower, dof->upper, dof->effort, dof->velocity};
    const double dynamics[] = {dof->armature, dof->damping, dof->friction, dof->stiffness, dof->rest};
    check_finite(c, about, "limits", limits, sizeof limits / sizeof *limits);
    check_finite(c, about, "armature, damping, friction or spring", dynamics, sizeof dynamics / sizeof *dynamics);
}

/* The numbers of the curve's kind; the others are not looked at. */
static void check_curve_numbers(ziChecker *c, const zvCurve *curve, ziAbout about) {
    switch (curve->kind) {
    case ZV_CURVE_LINE: check_finite(c, about, "curve direction", curve->direction, 3); break;
    case ZV_CURVE_CIRCLE:
        check_finite(c, about, "circle centre", curve->center, 3);
        check_finite(c, about, "circle normal", curve->normal, 3);
        check_finite(c, about, "circle start", curve->start, 3);
        check_finite(c, about, "circle radius", &curve->radius, 1);
        check_size(c, about, "circle centre", "m", curve->center, 3, farthest);
        check_size(c, about, "circle radius", "m", &curve->radius, 1, farthest);
        break;
    case ZV_CURVE_SPLINE:
        if (!curve->points || curve->count <= 0) break;
        check_finite(c, about, "spline points", curve->points, 3 * (size_t)curve->count);
        check_size(c, about, "spline points", "m", curve->points, 3 * (size_t)curve->count, farthest);
        break;
    }
}

/* The numbers that the type of joint uses. */
static void check_joint(ziChecker *c, const zvJoint *joint, ziAbout about) {
    const zvPose child_origin = zi_joint_child_origin(joint);
    check_pose(c, about, "origin", &joint->origin);
    check_pose(c, about, "child_origin", &child_origin);
    check_finite(c, about, "axis", joint->axis, 3);
    if (zi_joint_needs(joint->type, ZI_JOINT_AXIS2)) check_finite(c, about, "second axis", joint->axis2, 3);
    if (zi_joint_needs(joint->type, ZI_JOINT_PITCH)) {
        check_finite(c, about, "pitch", &joint->pitch, 1);
        check_size(c, about, "pitch", "m/rad", &joint->pitch, 1, farthest);
    }
    if (zi_joint_needs(joint->type, ZI_JOINT_PATH)) check_curve_numbers(c, &joint->curve, about);
    const size_t nv = (size_t)zv_joint_type_nv(joint->type);
    for (size_t i = 0; i < nv; i++) check_dof(c, &joint->dof[i], about);
    if (joint->stiffness_matrix) check_finite(c, about, "stiffness matrix", joint->stiffness_matrix, nv * nv);
    if (joint->damping_matrix) check_finite(c, about, "damping matrix", joint->damping_matrix, nv * nv);
    if (!joint->mimic) return;
    check_finite(c, about, "mimic ratio", &joint->ratio, 1);
    check_finite(c, about, "mimic offset", &joint->offset, 1);
}

/* The numbers that the kind of loop uses. */
static void check_loop(ziChecker *c, const zvLoop *loop, ziAbout about) {
    zvJoint joint = zi_joint_of_loop(loop);
    if (loop->kind == ZV_LOOP_COUPLING) {
        check_finite(c, about, "offset", &loop->offset, 1);
        for (int i = 0; i < loop->term_count && !c->stopped; i++) {
            check_finite(c, about, "ratios", &loop->terms[i].ratio, 1);
        }
        return;
    }
    if (loop->kind == ZV_LOOP_JOINT) {
        check_joint(c, &joint, about);
        if (loop->driven) check_finite(c, about, "value", &loop->value, 1);
    } else {
        check_pose(c, about, "origin", &loop->origin);
        check_finite(c, about, "length", &loop->length, 1);
        check_size(c, about, "length", "m", &loop->length, 1, farthest);
    }
    check_pose(c, about, "child_origin", &loop->child_origin);
}

static int size_count(zvShapeKind kind) {
    switch (kind) {
    case ZV_SHAPE_CYLINDER: return 2;
    case ZV_SHAPE_SPHERE: return 1;
    case ZV_SHAPE_BOX:
    case ZV_SHAPE_MESH: break;
    }
    return 3;
}

/* Shapes are only drawn: a bad size is a warning. */
static void check_shape(ziChecker *c, const zvShape *shape, ziAbout about) {
    int count = size_count(shape->kind);
    check_pose(c, about, "pose", &shape->pose);
    const bool mesh = shape->kind == ZV_SHAPE_MESH;
    check_finite(c, about, mesh ? "scale" : "size", shape->size, (size_t)count);
    if (!mesh) check_size(c, about, "size", "m", shape->size, (size_t)count, farthest);
    if (shape->has_color) check_finite(c, about, "colour", shape->color, 4);
    if (mesh) return; /* a negative scale mirrors a mesh */
    for (int i = 0; i < count; i++) {
        if (!(shape->size[i] <= 0)) continue;
        char token[32];
        snprintf(token, sizeof token, "%.6g", shape->size[i]);
        zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "shape-size", about, token, "give positive sizes in metres",
                  "expected positive sizes of the shape, found %.6g m", shape->size[i]);
        return;
    }
}

/* Everything with a number in it, in file order within each kind. */
void zi_check_numbers(ziChecker *c) {
    const zvBuilder *b = c->builder;
    check_finite(c, zi_about_gravity(b), "gravity", b->gravity, 3);
    for (size_t i = 0; i < b->nlink && !c->stopped; i++) check_link(c, &b->links[i], zi_about_link(b, i));
    for (size_t i = 0; i < b->njoint && !c->stopped; i++) check_joint(c, &b->joints[i], zi_about_joint(b, i));
    for (size_t i = 0; i < b->nloop && !c->stopped; i++) check_loop(c, &b->loops[i], zi_about_loop(b, i));
    for (size_t i = 0; i < b->nframe && !c->stopped; i++) {
        check_pose(c, (ziAbout){"frame", b->frames[i].name, b->frames[i].mark}, "pose", &b->frames[i].pose);
    }
    for (size_t i = 0; i < b->nshape && !c->stopped; i++) {
        check_shape(c, &b->shapes[i], (ziAbout){"shape of link", b->shapes[i].link, b->shapes[i].mark});
    }
}
