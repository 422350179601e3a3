/* Third step of freezing: links joined rigidly become one body, joint axes are turned to z, inertias are summed.
 *
 * With Q e_z = axis (axis.h), Rot(axis, q) = Q Rz(q) Q^T: the body's frame is the link's frame turned by Q, so that
 * every one-axis joint moves about or along z and the link sits in its body with rotation Q^T.
 *
 * An elastic link has a body for itself: fixed joints above and below it make bodies that do not move in theirs. */
#include <math.h>
#include <string.h>

#include "model/axis.h"
#include "model/elastic.h"
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

void zi_inertia_placed(const zvPose *pose, const zvInertia *inertia, double part[10]) {
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
    part[0] = m;
    for (int i = 0, k = 4; i < 3; i++) {
        part[1 + i] = m * c[i];
        for (int j = i; j < 3; j++, k++) {
            double steiner = m * ((i == j ? cc : 0) - c[i] * c[j]);
            part[k] = 0.5 * (turned[3 * i + j] + turned[3 * j + i]) + steiner;
        }
    }
}

/* Adds a link's inertia at its pose. */
static void add_inertia(ziBody *body, const zvPose *pose, const zvInertia *inertia) {
    double part[10];
    zi_inertia_placed(pose, inertia, part);
    body->m += part[0];
    for (int i = 0, k = 4; i < 3; i++) {
        body->h[i] += part[1 + i];
        for (int j = i; j < 3; j++, k++) {
            body->J[4 * i + j] += part[k];
            if (i != j) body->J[4 * j + i] += part[k];
        }
    }
}

/* Second axis and pitch in the turned joint frame; the curve as it is. */
const ziJointData *zi_freeze_joint(ziPlan *plan, const zvJoint *joint, const double Q[9]) {
    ziArena *arena = &plan->model->arena;
    ziJointData *data = zi_arena_alloc(arena, sizeof *data);
    if (!data) return NULL;
    double length = hypot(hypot(joint->axis2[0], joint->axis2[1]), joint->axis2[2]);
    for (int i = 0; i < 3 && joint->type == ZV_JOINT_UNIVERSAL; i++) {
        for (int j = 0; j < 3; j++) data->axis2[i] += Q[3 * j + i] * joint->axis2[j] / length;
    }
    data->pitch = joint->pitch;
    if (joint->type == ZV_JOINT_CURVE && !zi_path_make(arena, &joint->curve, &data->path)) return NULL;
    return data;
}

/* Where a joint stands in the body of its parent link. */
static zvPose joint_frame(const zvPose *parent, const zvJoint *joint) {
    zvPose origin = joint->origin;
    zi_rotation_clean(origin.R);
    return zv_pose_compose(parent, &origin);
}

/* The new body that a joint makes; its link's pose goes to *pose. */
static bool open_body(ziPlan *plan, const zvJoint *joint, const zvPose *parent_pose, ziBody *body, zvPose *pose) {
    zvPose turn = zv_pose_identity();
    if (zi_joint_uses_axis(joint->type)) zi_axis_frame(joint->axis, turn.R);
    zvPose origin = joint_frame(parent_pose, joint), frame = zv_pose_compose(&origin, &turn);
    for (int i = 0; i < 9; i++) {
        body->E[4 * (i % 3) + i / 3] = frame.R[i]; /* by columns */
        body->Et[4 * (i / 3) + i % 3] = frame.R[i];
    }
    memcpy(body->r, frame.p, sizeof frame.p);
    *pose = zv_pose_identity();
    transpose(turn.R, pose->R);
    body->type = (unsigned char)(joint->type == ZV_JOINT_CONTINUOUS ? ZV_JOINT_REVOLUTE : joint->type);
    body->nv = (unsigned char)zv_joint_type_nv(joint->type);
    body->nq = (unsigned char)zv_joint_type_nq(joint->type);
    if (body->type == ZV_JOINT_REVOLUTE || body->type == ZV_JOINT_PRISMATIC || body->type == ZV_JOINT_FIXED)
        return true;
    body->data = zi_freeze_joint(plan, joint, turn.R);
    return body->data != NULL;
}

/* Whether joint i makes a body: it moves, or has an elastic link above or below. */
static bool makes_body(const zvModel *m, int i) {
    return m->joints[i].type != ZV_JOINT_FIXED || zi_link_modes(&m->links[i + 1]) ||
           zi_link_modes(&m->links[m->link_places[i + 1].parent]);
}

static int count_bodies(const zvModel *m) {
    int count = 1;
    for (int i = 0; i < m->njoint; i++) count += makes_body(m, i);
    return count;
}

/* Bodies and what their degrees of freedom point at, while they are being filled. */
typedef struct Growth {
    ziBody *bodies;
    int *dof_body, *dof_parent, *dof_start;
    int *last_dof; /* of a body, or where it has none of its ancestors; -1: none */
    int *link_elastic;
    int nb, q, v;
} Growth;

/* Numbers the degrees of freedom of the new body: those of the joint, then n elastic ones. */
static void number_dofs(Growth *g, int n) {
    ziBody *body = &g->bodies[g->nb];
    int last = g->last_dof[body->parent], count = body->nv + n;
    body->q = g->q;
    body->v = g->v;
    for (int k = 0; k < count; k++) {
        g->dof_body[g->v + k] = g->nb;
        const int before = g->dof_parent[g->v + k] = k ? g->v + k - 1 : last;
        g->dof_start[g->v + k] = before >= 0 && before == g->v + k - 1 ? g->dof_start[before] : g->v + k;
    }
    g->q += body->nq + n;
    g->v += count;
    g->last_dof[g->nb] = count ? g->v - 1 : last;
    body->v_end = g->v;
}

static bool add_body(ziPlan *plan, Growth *g, int joint, const ziLinkPlace *parent, ziLinkPlace *place) {
    zvModel *m = plan->model;
    ziBody *body = &g->bodies[g->nb];
    int n = zi_link_modes(&m->links[joint + 1]);
    if (!open_body(plan, &m->joints[joint], &parent->pose, body, &place->pose)) return false;
    body->parent = body->base = parent->body;
    number_dofs(g, n);
    if (n > 0) {
        ziElastic *elastic = zi_arena_alloc(&m->arena, sizeof *elastic);
        if (!elastic) return false;
        elastic->n = n;
        elastic->q = body->q + body->nq;
        elastic->v = body->v + body->nv;
        body->elastic = elastic;
        g->link_elastic[joint + 1] = g->nb;
    }
    place->body = g->nb++;
    return true;
}

/* The inertia of a link is that of the description unless a beam or nodes add to it. */
static bool weigh_link(zvModel *m, const zvLink *link, ziLinkPlace *place) {
    place->inertia = &link->inertia;
    if (!link->beam && !link->modal) return true;
    zvInertia *whole = zi_arena_alloc(&m->arena, sizeof *whole);
    place->inertia = whole;
    if (whole) *whole = zi_link_inertia(link);
    return whole != NULL;
}

static bool fill_bodies(ziPlan *plan, Growth *g) {
    zvModel *m = plan->model;
    ziLinkPlace *places = (ziLinkPlace *)m->link_places;
    places[0].pose = zv_pose_identity();
    if (!weigh_link(m, &m->links[0], &places[0])) return false;
    for (int i = 0; i < m->njoint; i++) {
        const ziLinkPlace *parent = &places[places[i + 1].parent];
        ziLinkPlace *place = &places[i + 1];
        if (makes_body(m, i)) {
            if (!add_body(plan, g, i, parent, place)) return false;
        } else {
            place->body = parent->body;
            place->pose = joint_frame(&parent->pose, &m->joints[i]);
        }
        if (!weigh_link(m, &m->links[i + 1], place)) return false;
        add_inertia(&g->bodies[place->body], &place->pose, place->inertia);
    }
    return true;
}

static bool alloc_bodies(zvModel *m, Growth *g) {
    size_t nb = (size_t)m->tree.nb, nv = (size_t)m->tree.nv;
    g->nb = 1;
    g->bodies = zi_arena_alloc(&m->arena, nb * sizeof *g->bodies);
    g->dof_body = zi_arena_alloc(&m->arena, nv * sizeof *g->dof_body);
    g->dof_parent = zi_arena_alloc(&m->arena, nv * sizeof *g->dof_parent);
    g->dof_start = zi_arena_alloc(&m->arena, nv * sizeof *g->dof_start);
    g->last_dof = zi_arena_alloc(&m->arena, nb * sizeof *g->last_dof);
    g->link_elastic = zi_arena_alloc(&m->arena, (size_t)m->nlink * sizeof *g->link_elastic);
    if (!g->bodies || !g->dof_body || !g->dof_parent || !g->dof_start || !g->last_dof || !g->link_elastic) return false;
    g->last_dof[0] = -1;
    return true;
}

bool zi_freeze_bodies(ziPlan *plan) {
    zvModel *m = plan->model;
    Growth g = {0};
    int nb = m->tree.nb = count_bodies(m);
    int *depth = zi_arena_alloc(&m->arena, (size_t)nb * sizeof *depth);
    if (!depth || !alloc_bodies(m, &g) || !fill_bodies(plan, &g)) return false;
    for (int i = nb - 1; i > 0; i--) { /* depth-first order: a subtree is contiguous */
        ziBody *up = &g.bodies[g.bodies[i].parent];
        if (up->v_end < g.bodies[i].v_end) up->v_end = g.bodies[i].v_end;
    }
    m->tree.body = g.bodies;
    m->tree.dof_body = g.dof_body;
    m->tree.dof_parent = g.dof_parent;
    m->tree.dof_start = g.dof_start;
    m->link_elastic = g.link_elastic;
    for (int i = 1; i < nb; i++) {
        depth[i] = depth[g.bodies[i].parent] + 1;
        if (depth[i] > m->tree.max_depth) m->tree.max_depth = depth[i];
        m->mass += g.bodies[i].m;
    }
    return true;
}
