/* Measures of a link: its size from its beam, its primitive shapes and the joints around it; its principal moments. */
#include "model/measure.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static double distance(const double p[3]) { return hypot(hypot(p[0], p[1]), p[2]); }

double zi_pose_offset(const zvPose *pose) { return distance(pose->p); }

/* Radius of the ball about the shape's own origin that holds it. */
static double shape_reach(const zvShape *shape) {
    const double *s = shape->size;
    switch (shape->kind) {
    case ZV_SHAPE_BOX: return hypot(hypot(s[0], s[1]), s[2]) / 2;
    case ZV_SHAPE_CYLINDER: return hypot(s[0], s[1] / 2);
    case ZV_SHAPE_SPHERE: return s[0];
    case ZV_SHAPE_MESH: break;
    }
    return 0;
}

static double shape_volume(const zvShape *shape) {
    const double *s = shape->size;
    switch (shape->kind) {
    case ZV_SHAPE_BOX: return s[0] * s[1] * s[2];
    case ZV_SHAPE_CYLINDER: return pi * s[0] * s[0] * s[1];
    case ZV_SHAPE_SPHERE: return 4 * pi / 3 * s[0] * s[0] * s[0];
    case ZV_SHAPE_MESH: break;
    }
    return 0;
}

static void add_shape(ziExtent *e, const zvShape *shape) {
    if (shape->kind == ZV_SHAPE_MESH) {
        e->mesh = true;
        return;
    }
    e->body = fmax(e->body, zi_pose_offset(&shape->pose) + shape_reach(shape));
    e->volume[shape->collision] += shape_volume(shape);
}

/* Shapes and beams give reach and volume, joints the distances to neighbours. */
ziExtent *zi_extents_make(const zvBuilder *b, const ziOrder *o) {
    ziExtent *extents = calloc(b->nlink + 1, sizeof *extents);
    if (!extents) return NULL;
    for (size_t i = 0; i < b->nshape; i++) {
        int link = zi_names_find(&b->link_names, b->shapes[i].link);
        if (link >= 0) add_shape(&extents[link], &b->shapes[i]);
    }
    for (size_t i = 0; i < b->nlink; i++) {
        const zvBeam *beam = b->links[i].beam;
        if (beam) extents[i].body = fmax(extents[i].body, distance(beam->start) + beam->length);
    }
    for (size_t j = 0; j < b->njoint; j++) {
        int parent = o->parent_link[j], child = o->child_link[j];
        double offset = zi_pose_offset(&b->joints[j].origin);
        if (parent >= 0) extents[parent].body = fmax(extents[parent].body, offset);
        if (child >= 0) extents[child].above = fmax(extents[child].above, offset);
    }
    return extents;
}

static int compare_offsets(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle of all joint offsets that are not zero: the scale of the robot. */
bool zi_median_offset(const zvBuilder *b, double *median, size_t *count) {
    *median = 0;
    *count = 0;
    double *offsets = malloc((b->njoint + 1) * sizeof *offsets);
    if (!offsets) return false;
    for (size_t j = 0; j < b->njoint; j++) {
        double offset = zi_pose_offset(&b->joints[j].origin);
        if (offset > 0 && isfinite(offset)) offsets[(*count)++] = offset;
    }
    qsort(offsets, *count, sizeof *offsets, compare_offsets);
    if (*count > 0) *median = offsets[*count / 2];
    free(offsets);
    return true;
}

/* Principal moments of inertia: cyclic Jacobi rotations of a symmetric 3x3 matrix.
 *
 * A rotation by t = tan(angle) in the plane (p, q) makes a_pq vanish:
 *   theta = (a_qq - a_pp) / (2 a_pq),  t = sign(theta) / (|theta| + sqrt(theta^2 + 1)),
 *   a_pp -= t a_pq,  a_qq += t a_pq;  with r the third index: a_rp, a_rq turn by the angle.
 * Convergence is quadratic: a few sweeps reach rounding. */

enum { SWEEPS = 12 };

/* One Jacobi rotation: makes A[p][q] zero. */
static void rotate(double A[3][3], int p, int q) {
    if (A[p][q] == 0) return;
    int r = 3 - p - q;
    double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
    double cosine = 1 / hypot(t, 1), sine = t * cosine;
    double rp = A[r][p], rq = A[r][q];
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0;
    A[r][p] = A[p][r] = cosine * rp - sine * rq;
    A[r][q] = A[q][r] = sine * rp + cosine * rq;
}

static void order(double *a, double *b) {
    if (*a <= *b) return;
    double swap = *a;
    *a = *b;
    *b = swap;
}

/* Sweeps until nothing is left off the diagonal, then least first. */
void zi_principal_moments(const double moment[6], double principal[3]) {
    double A[3][3] = {
        {moment[0], moment[1], moment[2]}, {moment[1], moment[3], moment[4]}, {moment[2], moment[4], moment[5]}};
    for (int sweep = 0; sweep < SWEEPS && (A[0][1] != 0 || A[0][2] != 0 || A[1][2] != 0); sweep++) {
        rotate(A, 0, 1);
        rotate(A, 0, 2);
        rotate(A, 1, 2);
    }
    for (int i = 0; i < 3; i++) principal[i] = A[i][i];
    order(&principal[0], &principal[1]);
    order(&principal[1], &principal[2]);
    order(&principal[0], &principal[1]);
}
