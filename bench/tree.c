/* Lumps rigidly joined links into bodies and numbers the bodies in model order. */
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a link sits, and how many joints from the ground. */
typedef struct Seat {
    TreeLink link;
    int depth;
} Seat;

static void rotate(const double R[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; ++i) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

static zvPose compose(const zvPose *outer, const zvPose *inner) {
    zvPose out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out.R[3 * i + j] = 0;
            for (int k = 0; k < 3; ++k) out.R[3 * i + j] += outer->R[3 * i + k] * inner->R[3 * k + j];
        }
    rotate(outer->R, inner->p, out.p);
    for (int i = 0; i < 3; ++i) out.p[i] += outer->p[i];
    return out;
}

/* While lumping, com holds the first moment m c and moment the inertia about the body's origin. */
static void add_point_mass(double mass, const double c[3], double moment[6]) {
    const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    moment[0] += mass * (cc - c[0] * c[0]);
    moment[1] -= mass * c[0] * c[1];
    moment[2] -= mass * c[0] * c[2];
    moment[3] += mass * (cc - c[1] * c[1]);
    moment[4] -= mass * c[1] * c[2];
    moment[5] += mass * (cc - c[2] * c[2]);
}

/* Adds a part to an inertia, both about the origin of the sum. */
static void lump(zvInertia *sum, const zvInertia *part, const zvPose *pose) {
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    const double *R = pose->R;
    double c[3];
    rotate(R, part->com, c);
    for (int i = 0; i < 3; ++i) c[i] += pose->p[i];
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                sum->moment[k] += R[3 * row[k] + i] * part->moment[place[3 * i + j]] * R[3 * column[k] + j];
    add_point_mass(part->mass, c, sum->moment);
    sum->mass += part->mass;
    for (int i = 0; i < 3; ++i) sum->com[i] += part->mass * c[i];
}

static void finish_lump(zvInertia *sum) {
    if (sum->mass <= 0) return;
    for (int i = 0; i < 3; ++i) sum->com[i] /= sum->mass;
    add_point_mass(-sum->mass, sum->com, sum->moment);
}

static void start_body(Tree *tree, const zvJoint *joint, zvJointPlace place, const Seat *parent) {
    Body *body = &tree->body[tree->nbody];
    body->parent = parent->link.body;
    body->type = joint->type;
    body->q_index = place.q_index;
    body->v_index = place.v_index;
    body->origin = compose(&parent->link.pose, &joint->origin);
    const double length =
        sqrt(joint->axis[0] * joint->axis[0] + joint->axis[1] * joint->axis[1] + joint->axis[2] * joint->axis[2]);
    for (int i = 0; i < 3; ++i) body->axis[i] = length > 0 ? joint->axis[i] / length : 0;
}

static bool hinge_or_slide(zvJointType type) {
    return type == ZV_JOINT_REVOLUTE || type == ZV_JOINT_CONTINUOUS || type == ZV_JOINT_PRISMATIC;
}

static void classify(Tree *tree) {
    tree->free_base = tree->nbody > 1 && tree->body[1].type == ZV_JOINT_FREE;
    tree->serial = tree->simple = true;
    for (int b = 1; b < tree->nbody; ++b) {
        const zvJointType type = tree->body[b].type;
        if (!hinge_or_slide(type) || tree->body[b].parent != b - 1) tree->serial = false;
        if (!hinge_or_slide(type) && type != ZV_JOINT_SPHERICAL && !(type == ZV_JOINT_FREE && b == 1))
            tree->simple = false;
    }
}

/* Seats every link, opens a body for every joint that moves, and notes the deepest body as the tip. */
static bool seat_links(Tree *tree, const zvModel *model, Seat *seat) {
    int deepest = -1;
    seat[0] = (Seat){{0, zv_pose_identity()}, 0};
    for (int j = 0; j < zv_model_njoint(model); ++j) {
        const zvJoint *joint = zv_model_joint(model, j);
        const zvJointPlace place = zv_model_joint_place(model, j);
        if (place.mimic >= 0) return false;
        const Seat *parent = &seat[place.parent];
        Seat *child = &seat[place.child];
        if (joint->type == ZV_JOINT_FIXED) {
            *child = (Seat){{parent->link.body, compose(&parent->link.pose, &joint->origin)}, parent->depth};
        } else {
            start_body(tree, joint, place, parent);
            *child = (Seat){{tree->nbody++, zv_pose_identity()}, parent->depth + 1};
            if (child->depth > deepest) {
                deepest = child->depth;
                tree->tip = child->link.body;
                tree->tip_frame = place.child;
            }
        }
        lump(&tree->body[child->link.body].inertia, &zv_model_link(model, place.child)->inertia, &child->link.pose);
    }
    return true;
}

/* Loops as pairs of points. What else they keep, as the axis of a hinge, holds by itself in a plane. */
static void find_loops(Tree *tree, const zvModel *model, const Seat *seat) {
    tree->nloop = zv_model_nloop(model);
    for (int k = 0; k < zv_model_nloop(model); ++k) {
        const zvLoop *loop = zv_model_loop(model, k);
        const bool pinned =
            loop->kind == ZV_LOOP_JOINT && !loop->driven &&
            (loop->type == ZV_JOINT_REVOLUTE || loop->type == ZV_JOINT_CONTINUOUS || loop->type == ZV_JOINT_SPHERICAL);
        if (!pinned) tree->nloop = -1;
        if (tree->nloop < 0) return;
        const char *const names[2] = {loop->parent, loop->child};
        const zvPose *const origin[2] = {&loop->origin, &loop->child_origin};
        for (int end = 0; end < 2; ++end) {
            const int frame = zv_model_find_frame(model, names[end]);
            if (frame >= zv_model_nlink(model)) tree->nloop = -1; /* on a frame, not a link */
            if (tree->nloop < 0) return;
            const zvPose at = compose(&seat[frame].link.pose, origin[end]);
            tree->loop[k].body[end] = seat[frame].link.body;
            memcpy(tree->loop[k].point[end], at.p, sizeof at.p);
        }
    }
}

/* Links behind fixed joints are lumped into the body they move with: peers have no fixed joints to skip. */
Tree *tree_create(const zvModel *model) {
    Tree *tree = calloc(1, sizeof *tree);
    Seat *seat = calloc((size_t)zv_model_nlink(model), sizeof *seat);
    if (tree) tree->body = calloc((size_t)zv_model_njoint(model) + 1, sizeof *tree->body);
    if (tree) tree->link = calloc((size_t)zv_model_nlink(model), sizeof *tree->link);
    if (tree) tree->loop = calloc((size_t)zv_model_nloop(model) + 1, sizeof *tree->loop);
    bool good = tree && seat && tree->body && tree->link && tree->loop;
    if (good) {
        tree->nbody = 1;
        tree->nlink = zv_model_nlink(model);
        tree->nq = zv_model_nq(model);
        tree->nv = zv_model_nv(model);
        zv_model_gravity(model, tree->gravity);
        good = seat_links(tree, model, seat);
        for (int k = 0; k < tree->nlink; ++k) tree->link[k] = seat[k].link;
        for (int b = 1; b < tree->nbody; ++b) finish_lump(&tree->body[b].inertia);
        find_loops(tree, model, seat);
        classify(tree);
        if (zv_model_nelastic(model) > 0) tree->serial = tree->simple = false;
    }
    free(seat);
    if (good) return tree;
    tree_destroy(tree);
    return NULL;
}

void tree_destroy(Tree *tree) {
    if (!tree) return;
    free(tree->body);
    free(tree->link);
    free(tree->loop);
    free(tree);
}
