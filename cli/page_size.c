/* How long a robot is, as it is drawn at its neutral position: the diagonal of a box that holds it. */
#include <math.h>
#include <stdlib.h>

#include "page_parts.h"
#include "zveno/kinematics.h"

typedef struct Box {
    double lower[3], upper[3];
} Box;

/* A box about a point p of a frame, along its axes, with half its edges. */
static void box_take(Box *box, const zvPose *frame, const double p[3], const double half[3]) {
    for (int i = 0; i < 3; i++) {
        const double *row = frame->R + 3 * i, at = frame->p[i] + row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
        const double reach = fabs(row[0] * half[0]) + fabs(row[1] * half[1]) + fabs(row[2] * half[2]);
        box->lower[i] = fmin(box->lower[i], at - reach); /* which pass over NaN */
        box->upper[i] = fmax(box->upper[i], at + reach);
    }
}

static const double nothing[3] = {0};

static void take_mesh(Box *box, const zvPose *place, const double scale[3], const PageMesh *mesh) {
    double middle[3], half[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = scale[k] * (mesh->lower[k] + mesh->upper[k]) / 2;
        half[k] = scale[k] * (mesh->upper[k] - mesh->lower[k]) / 2;
    }
    box_take(box, place, middle, half);
}

static void take_shape(Box *box, const zvPose *link, const zvShape *shape, PageMeshSet *set) {
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
static void take_link(Box *box, const zvPose *place, const zvLink *link) {
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

double page_size(const zvModel *model, const int *shown, PageMeshSet *set) {
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
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
