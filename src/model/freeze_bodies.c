/* Third step of freezing: links joined rigidly become one body, joint axes are turned to z, inertias are summed.
 *
 * With Q e_z = axis (axis.h), Rot(axis, q) = Q Rz(q) Q^T: the body's frame is the link's frame turned by Q, so that
 * every one-axis joint moves about or along z and the link sits in its body with rotation Q^T. */
#include <math.h>
#include <string.h>

#include "model/axis.h"
#include "model/freeze.h"
#include "model/path.h"

static void mat_mul(const double A[9], const double B[9], double C[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    }
}

static void transpose(const double A[9], double T[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T[3 * j + i] = A[3 * i + j];
    }
}

/* Adds a link's inertia at its pose: first moment and moments about the body's origin. */
static void add_inertia(zvBody *body, const zvPose *pose, const zvInertia *inertia) {
    static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    double full[9], turned[9], T[9], half[9], c[3];
    for (int i = 0; i < 9; i++) full[i] = inertia->moment[at[i]];
    mat_mul(pose->R, full, half);
    transpose(pose->R, T);
    mat_mul(half, T, turned);
    for (int i = 0; i < 3; i++) {
        const double *row = pose->R + 3 * i;
        c[i] = pose->p[i] + row[0] * inertia->com[0] + row[1] * inertia->com[1] + row[2] * inertia->com[2];
    }
    double m = inertia->mass, cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int i = 0; i < 3; i++) {
        body->h[i] += m * c[i];
        for (int j = i; j < 3; j++) {
            double steiner = m * ((i == j ? cc : 0) - c[i] * c[j]);
            double entry = 0.5 * (turned[3 * i + j] + turned[3 * j + i]) + steiner;
            body->J[4 * i + j] += entry;
            if (i != j) body->J[4 * j + i] += entry;
        }
    }
    body->m += m;
}

/* Second axis and pitch in the turned joint frame; the curve as it is. */
static const zvJointData *joint_data(zvModel *m, const zvJoint *joint, const double Q[9]) {
    zvJointData *data = zv_arena_alloc(&m->arena, sizeof *data);
    if (!data) return NULL;
    double length = hypot(hypot(joint->axis2[0], joint->axis2[1]), joint->axis2[2]);
    for (int i = 0; i < 3 && joint->type == ZV_UNIVERSAL; i++) {
        for (int j = 0; j < 3; j++) data->axis2[i] += Q[3 * j + i] * joint->axis2[j] / length;
    }
    data->pitch = joint->pitch;
    if (joint->type == ZV_CURVE && !zv_path_make(&m->arena, &joint->curve, &data->path)) return NULL;
    return data;
}

/* Where a joint stands in the body of its parent link. */
static zvPose joint_frame(const zvPose *parent, const zvJoint *joint) {
    zvPose origin = joint->origin;
    zv_rotation_clean(origin.R);
    return zv_pose_compose(parent, &origin);
}

/* The new body that a moving joint makes; its link's pose goes to *pose. */
static bool open_body(zvModel *m, const zvJoint *joint, const zvPose *parent_pose, zvBody *body, zvPose *pose) {
    zvPose turn = zv_pose_identity();
    if (zv_joint_uses_axis(joint->type)) zv_axis_frame(joint->axis, turn.R);
    zvPose origin = joint_frame(parent_pose, joint), frame = zv_pose_compose(&origin, &turn);
    for (int i = 0; i < 9; i++) {
        body->E[4 * (i % 3) + i / 3] = frame.R[i]; /* by columns */
        body->Et[4 * (i / 3) + i % 3] = frame.R[i];
    }
    memcpy(body->r, frame.p, sizeof frame.p);
    *pose = zv_pose_identity();
    transpose(turn.R, pose->R);
    body->type = (unsigned char)(joint->type == ZV_CONTINUOUS ? ZV_REVOLUTE : joint->type);
    body->nv = (unsigned char)zv_joint_type_nv(joint->type);
    body->nq = (unsigned char)zv_joint_type_nq(joint->type);
    if (body->type == ZV_REVOLUTE || body->type == ZV_PRISMATIC) return true;
    body->data = joint_data(m, joint, turn.R);
    return body->data != NULL;
}

static int moving_joints(const zvModel *m) {
    int count = 0;
    for (int i = 0; i < m->njoint; i++) count += m->joints[i].type != ZV_FIXED;
    return count;
}

static bool fill_bodies(zvModel *m, zvBody *bodies, int *dof_body, int *dof_parent) {
    zvLinkPlace *places = (zvLinkPlace *)m->link_places;
    int nb = 1, q = 0, v = 0;
    places[0].pose = zv_pose_identity();
    for (int i = 0; i < m->njoint; i++) {
        const zvJoint *joint = &m->joints[i];
        const zvLinkPlace *parent = &places[places[i + 1].parent];
        zvLinkPlace *place = &places[i + 1];
        if (joint->type == ZV_FIXED) {
            place->body = parent->body;
            place->pose = joint_frame(&parent->pose, joint);
        } else {
            zvBody *body = &bodies[nb];
            if (!open_body(m, joint, &parent->pose, body, &place->pose)) return false;
            body->parent = parent->body;
            body->q = q;
            body->v = v;
            const zvBody *up = &bodies[body->parent];
            for (int k = 0; k < body->nv; k++) {
                dof_body[v + k] = nb;
                dof_parent[v + k] = k ? v + k - 1 : body->parent ? up->v + up->nv - 1 : -1;
            }
            q += body->nq;
            v += body->nv;
            place->body = nb++;
        }
        add_inertia(&bodies[place->body], &place->pose, &m->links[i + 1].inertia);
    }
    return true;
}

bool zv_freeze_bodies(zvPlan *plan) {
    zvModel *m = plan->model;
    int nb = m->tree.nb = 1 + moving_joints(m);
    zvBody *bodies = zv_arena_alloc(&m->arena, (size_t)nb * sizeof *bodies);
    int *dof_body = zv_arena_alloc(&m->arena, (size_t)m->tree.nv * sizeof *dof_body);
    int *dof_parent = zv_arena_alloc(&m->arena, (size_t)m->tree.nv * sizeof *dof_parent);
    int *depth = zv_arena_alloc(&m->arena, (size_t)nb * sizeof *depth);
    if (!bodies || !dof_body || !dof_parent || !depth) return false;
    if (!fill_bodies(m, bodies, dof_body, dof_parent)) return false;
    for (int i = nb - 1; i > 0; i--) { /* depth-first order: a subtree is contiguous */
        zvBody *up = &bodies[bodies[i].parent];
        if (bodies[i].v_end == 0) bodies[i].v_end = bodies[i].v + bodies[i].nv;
        if (up->v_end < bodies[i].v_end) up->v_end = bodies[i].v_end;
    }
    m->tree.body = bodies;
    m->tree.dof_body = dof_body;
    m->tree.dof_parent = dof_parent;
    for (int i = 1; i < nb; i++) {
        depth[i] = depth[bodies[i].parent] + 1;
        if (depth[i] > m->tree.max_depth) m->tree.max_depth = depth[i];
        m->mass += bodies[i].m;
    }
    return true;
}
