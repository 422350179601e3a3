/* Kinematics of the reference: poses of links as jets, joint by joint from the root. */
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>

static void *buffer(int count, size_t size) {
    void *memory = calloc((size_t)(count > 0 ? count : 1), size);
    if (!memory) abort();
    return memory;
}

static void open_joints(refTree *tree) {
    for (int j = 0; j < tree->njoint; j++) {
        const zvJoint *joint = zv_model_joint(tree->model, j);
        zvJointPlace place = zv_model_joint_place(tree->model, j);
        ref_joint_open(&tree->joints[j], joint);
        tree->moves[place.child] = tree->moves[place.parent] || joint->type != ZV_JOINT_FIXED;
        tree->freedoms += zv_joint_type_nv(joint->type);
    }
}

/* The master at the end of a row of followers, with the ratio and offset on the way: q = ratio q_master + offset. */
static int master_of(const refTree *tree, int joint, exact *ratio, exact *offset) {
    *ratio = 1;
    *offset = 0;
    while (zv_model_joint_place(tree->model, joint).mimic >= 0) {
        const zvJoint *follower = zv_model_joint(tree->model, joint);
        *offset += *ratio * follower->offset;
        *ratio *= follower->ratio;
        joint = zv_model_find_joint(tree->model, follower->mimic);
    }
    return joint;
}

static void fill_rates(refTree *tree) {
    for (int j = 0, row = 0; j < tree->njoint; j++) {
        exact ratio, offset;
        int master = master_of(tree, j, &ratio, &offset);
        int first = zv_model_joint_place(tree->model, master).v_index;
        for (int k = 0; k < zv_joint_type_nv(zv_model_joint(tree->model, j)->type); k++, row++)
            tree->rates[row * tree->nv + first + k] = ratio;
    }
}

refTree *ref_create(const zvModel *model) {
    refTree *tree = buffer(1, sizeof *tree);
    double g[3];
    tree->model = model;
    tree->nq = zv_model_nq(model);
    tree->nv = zv_model_nv(model);
    tree->nlink = zv_model_nlink(model);
    tree->njoint = zv_model_njoint(model);
    tree->joints = buffer(tree->njoint, sizeof *tree->joints);
    tree->moves = buffer(tree->nlink, sizeof *tree->moves);
    tree->poses = buffer(tree->nlink, sizeof *tree->poses);
    tree->motion = buffer(tree->nlink, sizeof *tree->motion);
    tree->J = lin_numbers(tree->nlink * 6 * tree->nv);
    tree->q = lin_numbers(tree->nq);
    tree->v = lin_numbers(tree->nv);
    tree->a = lin_numbers(tree->nv);
    open_joints(tree);
    tree->rates = lin_numbers(tree->freedoms * tree->nv);
    fill_rates(tree);
    zv_model_gravity(model, g);
    for (int k = 0; k < 3; k++) tree->gravity[k] = g[k];
    return tree;
}

void ref_destroy(refTree *tree) {
    if (!tree) return;
    for (int j = 0; j < tree->njoint; j++) ref_joint_close(&tree->joints[j]);
    free(tree->joints);
    free(tree->moves);
    free(tree->poses);
    free(tree->motion);
    free(tree->J);
    free(tree->rates);
    free(tree->q);
    free(tree->v);
    free(tree->a);
    free(tree);
}

int ref_freedom(const refTree *tree, int joint) {
    int row = 0;
    for (int j = 0; j < joint; j++) row += zv_joint_type_nv(zv_model_joint(tree->model, j)->type);
    return row;
}

static void joint_pose(const refTree *tree, int j, const exact *v, const exact *a, refPose *pose) {
    exact ratio, offset;
    int master = master_of(tree, j, &ratio, &offset);
    zvJointPlace place = zv_model_joint_place(tree->model, master);
    if (master == j) {
        ref_joint_pose(&tree->joints[j], tree->q + place.q_index, v + place.v_index, a + place.v_index, pose);
        return;
    }
    exact q1 = ratio * tree->q[place.q_index] + offset;
    exact v1 = ratio * v[place.v_index], a1 = ratio * a[place.v_index];
    ref_joint_pose(&tree->joints[j], &q1, &v1, &a1, pose);
}

static void walk(refTree *tree, const exact *v, const exact *a) {
    tree->poses[0] = ref_pose_identity();
    for (int j = 0; j < tree->njoint; j++) {
        zvJointPlace place = zv_model_joint_place(tree->model, j);
        refPose origin = ref_pose_constant(&zv_model_joint(tree->model, j)->origin), moved, inner;
        joint_pose(tree, j, v, a, &moved);
        ref_pose_compose(&origin, &moved, &inner);
        ref_pose_compose(&tree->poses[place.parent], &inner, &tree->poses[place.child]);
    }
}

/* Entry (i, j) of X Y^T, where X and Y are derivatives of a rotation. */
static exact outer(const refJet *R, int order, int i, int j) {
    exact sum = 0;
    for (int k = 0; k < 3; k++) sum += (order == 1 ? R[3 * i + k].d : R[3 * i + k].dd) * R[3 * j + k].x;
    return sum;
}

/* [w] = R' R^T; [alpha] is the skew part of R'' R^T, whose symmetric part is [w]^2. */
static void read_motion(const refPose *pose, refMotion *motion) {
    for (int k = 0; k < 9; k++) motion->R[k] = pose->R[k].x;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        motion->p[i] = pose->p[i].x;
        motion->v[i] = pose->p[i].d;
        motion->a[i] = pose->p[i].dd;
        motion->v[3 + i] = (outer(pose->R, 1, k, j) - outer(pose->R, 1, j, k)) / 2;
        motion->a[3 + i] = (outer(pose->R, 2, k, j) - outer(pose->R, 2, j, k)) / 2;
    }
}

static void read_all(refTree *tree) {
    for (int l = 0; l < tree->nlink; l++) read_motion(&tree->poses[l], &tree->motion[l]);
}

static void find_partials(refTree *tree) {
    exact *unit = lin_numbers(tree->nv), *zero = lin_numbers(tree->nv);
    for (int k = 0; k < tree->nv; k++) {
        unit[k] = 1;
        walk(tree, unit, zero);
        unit[k] = 0;
        read_all(tree);
        for (int l = 0; l < tree->nlink; l++)
            for (int i = 0; i < 6; i++) tree->J[(l * 6 + i) * tree->nv + k] = tree->motion[l].v[i];
    }
    free(unit);
    free(zero);
}

void ref_place(refTree *tree, const double *q) {
    for (int i = 0; i < tree->nq; i++) tree->q[i] = q[i];
    find_partials(tree);
    ref_move(tree, NULL, NULL);
}

void ref_place_along(refTree *tree, const double *q, const double *v, exact t) {
    exact *start = lin_numbers(tree->nq);
    for (int i = 0; i < tree->nq; i++) start[i] = q[i];
    for (int i = 0; i < tree->nv; i++) tree->v[i] = v[i];
    for (int j = 0; j < tree->njoint; j++) {
        zvJointPlace place = zv_model_joint_place(tree->model, j);
        if (place.nq == 0) continue;
        ref_joint_add(&tree->joints[j], start + place.q_index, tree->v + place.v_index, t, tree->q + place.q_index);
    }
    free(start);
    find_partials(tree);
    ref_move(tree, NULL, NULL);
}

void ref_move(refTree *tree, const double *v, const double *a) {
    for (int i = 0; i < tree->nv; i++) {
        tree->v[i] = v ? v[i] : 0;
        tree->a[i] = a ? a[i] : 0;
    }
    walk(tree, tree->v, tree->a);
    read_all(tree);
}

void ref_position(const refTree *tree, exact *q) { memcpy(q, tree->q, sizeof *q * (size_t)tree->nq); }

static int link_of(const refTree *tree, int frame) {
    return frame < tree->nlink ? frame : zv_model_find_frame(tree->model, zv_model_frame(tree->model, frame).link);
}

void ref_frame(const refTree *tree, int frame, refMotion *motion) {
    zvFrame given = zv_model_frame(tree->model, frame);
    refPose inner = ref_pose_constant(&given.pose), outer_pose;
    ref_pose_compose(&tree->poses[link_of(tree, frame)], &inner, &outer_pose);
    read_motion(&outer_pose, motion);
}

void ref_frame_jacobian(const refTree *tree, int frame, exact *J) {
    int link = link_of(tree, frame), n = tree->nv;
    const exact *at_link = tree->J + link * 6 * n;
    refMotion motion;
    exact r[3];
    ref_frame(tree, frame, &motion);
    for (int k = 0; k < 3; k++) r[k] = motion.p[k] - tree->motion[link].p[k];
    memcpy(J, at_link, sizeof *J * 6 * (size_t)n);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int c = 0; c < n; c++) J[i * n + c] += at_link[(3 + j) * n + c] * r[k] - at_link[(3 + k) * n + c] * r[j];
    }
}

void ref_turn6(const exact R[9], exact *x, int columns) {
    for (int c = 0; c < columns; c++)
        for (int half = 0; half < 6; half += 3) {
            exact old[3];
            for (int k = 0; k < 3; k++) old[k] = x[(half + k) * columns + c];
            for (int k = 0; k < 3; k++)
                x[(half + k) * columns + c] = R[k] * old[0] + R[3 + k] * old[1] + R[6 + k] * old[2];
        }
}
