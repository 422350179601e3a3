/* Third step of freezing: links joined rigidly become one body, joint axes are turned to z, inertias are summed.
 *
 * With Q e_z = axis (axis.h), Rot(axis, q) = Q Rz(q) Q^T: the body's frame is the link's frame turned by Q, so that
 * every one-axis joint moves about or along z and the link sits in its body with rotation Q^T.
 *
 * An elastic link has a body for itself: fixed joints above and below it make bodies that do not move in theirs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/axis.h"
#include "model/elastic.h"
#include "model/freeze.h"
#include "model/gear.h"
#include "model/joint_type.h"
#include "model/tree.h"

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

/* Turned into the body's axes, and moved to its origin by Steiner's theorem. */
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
static const ziJointData *joint_data(ziFreezePlan *plan, const zvJoint *joint, const double Q[9]) {
    ziArena *arena = &plan->model->arena;
    ziJointData *data = zi_arena_alloc(arena, sizeof *data);
    if (!data) return NULL;
    double length = hypot(hypot(joint->axis2[0], joint->axis2[1]), joint->axis2[2]);
    for (int i = 0; i < 3 && zi_joint_needs(joint->type, ZI_JOINT_AXIS2); i++) {
        for (int j = 0; j < 3; j++) data->axis2[i] += Q[3 * j + i] * joint->axis2[j] / length;
    }
    data->pitch = joint->pitch;
    if (zi_joint_needs(joint->type, ZI_JOINT_PATH) && !zi_path_make(arena, &joint->curve, &data->path)) return NULL;
    return data;
}

bool zi_freeze_joint(ziFreezePlan *plan, const zvJoint *joint, const double Q[9], ziBody *body) {
    body->type = (unsigned char)zi_joint_types[joint->type].kernel;
    body->columns_move = !zi_joint_types[joint->type].constant_in_parent;
    body->nv = (unsigned char)zv_joint_type_nv(joint->type);
    body->nq = (unsigned char)zv_joint_type_nq(joint->type);
    if (!zi_joint_needs(joint->type, ZI_JOINT_AXIS2 | ZI_JOINT_PITCH | ZI_JOINT_PATH)) return true;
    body->data = joint_data(plan, joint, Q);
    return body->data != NULL;
}

/* Where a joint stands in the body of its parent link. */
static zvPose joint_frame(const zvPose *parent, const zvJoint *joint) {
    zvPose origin = joint->origin;
    zi_rotation_clean(origin.R);
    return zv_pose_compose(parent, &origin);
}

/* The new body that a joint makes; its link's pose goes to *pose. */
static bool open_body(ziFreezePlan *plan, const zvJoint *joint, const zvPose *parent_pose, ziBody *body, zvPose *pose) {
    zvPose turn = zv_pose_identity();
    if (zi_joint_needs(joint->type, ZI_JOINT_AXIS)) zi_axis_frame(joint->axis, turn.R);
    zvPose origin = joint_frame(parent_pose, joint), frame = zv_pose_compose(&origin, &turn);
    for (int i = 0; i < 9; i++) {
        body->E[4 * (i % 3) + i / 3] = frame.R[i]; /* by columns */
        body->Et[4 * (i / 3) + i % 3] = frame.R[i];
    }
    memcpy(body->r, frame.p, sizeof frame.p);
    *pose = zv_pose_identity();
    transpose(turn.R, pose->R);
    return zi_freeze_joint(plan, joint, turn.R, body);
}

/* Whether joint i makes a body: it moves, or has an elastic link above or below. */
static bool makes_body(const zvModel *m, int i) {
    return !zi_joint_fixed(m->joints[i].type) || zi_link_modes(&m->links[i + 1]) ||
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

/* Opens the body that a joint makes, and gives it elastic coordinates if its link has modes. */
static bool add_body(ziFreezePlan *plan, Growth *g, int joint, const ziLinkPlace *parent, ziLinkPlace *place) {
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

/* Links without the inertia of rotors that turn freely in them; the others are weighed later. */
static bool take_rotors(zvModel *m, ziLinkPlace *places) {
    for (int j = 0; j < m->njoint; j++) {
        const zvFlexibleJoint *gear = m->joints[j].flexible;
        const int link = places[j + 1].parent;
        if (!gear || !zi_rotor_couples(gear)) continue;
        zvInertia *rest = (zvInertia *)places[link].inertia;
        if (!rest && !(rest = zi_arena_alloc(&m->arena, sizeof *rest))) return false;
        if (!places[link].inertia) *rest = m->links[link].inertia;
        zi_rotor_take(&m->joints[j], rest->moment);
        places[link].inertia = rest;
    }
    return true;
}

/* The inertia of a link is that of the description unless a beam or nodes add to it, or rotors took from it. */
static bool weigh_link(zvModel *m, const zvLink *link, ziLinkPlace *place) {
    if (place->inertia) return true;
    place->inertia = &link->inertia;
    if (!link->beam && !link->modal) return true;
    zvInertia *whole = zi_arena_alloc(&m->arena, sizeof *whole);
    place->inertia = whole;
    if (whole) *whole = zi_link_inertia(link);
    return whole != NULL;
}

/* Links in order: each opens a body or joins its parent's, and adds its inertia there. */
static bool fill_bodies(ziFreezePlan *plan, Growth *g) {
    zvModel *m = plan->model;
    ziLinkPlace *places = (ziLinkPlace *)m->link_places;
    places[0].pose = zv_pose_identity();
    if (!take_rotors(m, places) || !weigh_link(m, &m->links[0], &places[0])) return false;
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

/* Arrays of the tree, whose sizes are known by now. */
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

/* Bodies, then what follows from their order: ends of subtrees, depths, mass. */
bool zi_freeze_bodies(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    Growth g = {0};
    int nb = m->tree.nb = count_bodies(m);
    int *depth = zi_arena_alloc(&m->arena, (size_t)nb * sizeof *depth);
    int *dofs = zi_arena_alloc(&m->arena, (size_t)m->tree.nv * sizeof *dofs);
    if (!depth || !dofs || !alloc_bodies(m, &g) || !fill_bodies(plan, &g)) return false;
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
    for (int i = 0; i < m->tree.nv; i++) {
        dofs[i] = g.dof_parent[i] < 0 ? 1 : dofs[g.dof_parent[i]] + 1;
        if (dofs[i] > m->tree.max_dofs) m->tree.max_dofs = dofs[i];
    }
    return true;
}

/* Second step of freezing: where each joint's coordinates lie, and how mimic joints follow their masters. */

/* Places in q and v in model order; coupled followers take none of their own. */
static void number_joints(zvModel *m, zvJointPlace *places, bool coupled) {
    for (int i = 0; i < m->njoint; i++) {
        const zvJoint *joint = &m->joints[i];
        zvJointPlace *place = &places[i];
        place->parent = m->link_places[i + 1].parent;
        place->child = i + 1;
        place->mimic = coupled && joint->mimic ? zv_model_find_joint(m, joint->mimic) : -1;
        place->q_index = m->nq;
        place->v_index = m->nv;
        int nq = zv_joint_type_nq(joint->type), nv = zv_joint_type_nv(joint->type);
        int modes = zi_link_modes(&m->links[i + 1]); /* elastic coordinates lie behind those of the joint */
        m->tree.ne += modes;
        m->tree.nq += nq + modes;
        m->tree.nv += nv + modes;
        if (place->mimic >= 0) {
            m->coupling.count++;
        } else {
            place->nq = nq;
            place->nv = nv;
        }
        m->nq += place->nq + modes;
        m->nv += place->nv + modes;
    }
}

/* The joint that a joint follows in the end (itself when it follows none), and the linear law that leads there. */
typedef struct MimicLaw {
    int master; /* -1: not resolved yet */
    double ratio, offset;
} MimicLaw;

/* Resolves the chain of mimics that starts at joint: up to the first resolved one, then back down. The rules exclude
 * rings. */
static void resolve(const zvModel *m, const zvJointPlace *places, int joint, MimicLaw *laws, int *chain) {
    int length = 0;
    while (laws[joint].master < 0 && places[joint].mimic >= 0) {
        chain[length++] = joint;
        joint = places[joint].mimic;
    }
    if (laws[joint].master < 0) laws[joint] = (MimicLaw){joint, 1, 0};
    while (length > 0) {
        const MimicLaw *up = &laws[places[chain[length - 1]].mimic];
        const zvJoint *follower = &m->joints[chain[--length]];
        laws[chain[length]] =
            (MimicLaw){up->master, follower->ratio * up->ratio, follower->ratio * up->offset + follower->offset};
    }
}

/* Every joint's final master and law; NULL when out of memory. */
static MimicLaw *resolve_all(const zvModel *m, const zvJointPlace *places) {
    MimicLaw *laws = malloc(((size_t)m->njoint + 1) * sizeof *laws);
    int *chain = malloc(((size_t)m->njoint + 1) * sizeof *chain);
    for (int i = 0; laws && i < m->njoint; i++) laws[i].master = -1;
    for (int i = 0; laws && chain && i < m->njoint; i++) resolve(m, places, i, laws, chain);
    if (!chain) {
        free(laws);
        laws = NULL;
    }
    free(chain);
    return laws;
}

typedef struct CoordinateArrays {
    int *q_master, *v_master, *own_v;
    double *q_ratio, *q_offset, *v_ratio, *armature;
    unsigned char *follows;
} CoordinateArrays;

/* The map from model to tree coordinates, an entry per tree coordinate. */
static bool alloc_columns(zvModel *m, CoordinateArrays *c) {
    size_t nq = (size_t)m->tree.nq, nv = (size_t)m->tree.nv;
    c->q_master = zi_arena_alloc(&m->arena, nq * sizeof(int));
    c->v_master = zi_arena_alloc(&m->arena, nv * sizeof(int));
    c->own_v = zi_arena_alloc(&m->arena, (size_t)m->nv * sizeof(int));
    c->q_ratio = zi_arena_alloc(&m->arena, nq * sizeof(double));
    c->q_offset = zi_arena_alloc(&m->arena, nq * sizeof(double));
    c->v_ratio = zi_arena_alloc(&m->arena, nv * sizeof(double));
    c->armature = zi_arena_alloc(&m->arena, nv * sizeof(double));
    c->follows = zi_arena_alloc(&m->arena, nv);
    return c->q_master && c->v_master && c->own_v && c->q_ratio && c->q_offset && c->v_ratio && c->armature &&
           c->follows;
}

/* Elastic coordinates from q and v on follow nothing. */
static void fill_elastic(CoordinateArrays *c, int q, int v, int own_q, int own_v, int count) {
    for (int k = 0; k < count; k++) {
        c->q_master[q + k] = own_q + k;
        c->v_master[v + k] = own_v + k;
        c->own_v[own_v + k] = v + k;
        c->q_ratio[q + k] = c->v_ratio[v + k] = 1;
    }
}

/* Entries of the map, joint by joint, elastic coordinates behind those of their joint. */
static void fill_columns(const zvModel *m, zvJointPlace *places, const MimicLaw *laws, CoordinateArrays *c) {
    int q = 0, v = 0;
    for (int i = 0; i < m->njoint; i++) {
        const MimicLaw *law = &laws[i];
        for (int k = 0; k < zv_joint_type_nq(m->joints[i].type); k++, q++) {
            c->q_master[q] = places[law->master].q_index + k;
            c->q_ratio[q] = law->ratio;
            c->q_offset[q] = law->offset;
        }
        for (int k = 0; k < zv_joint_type_nv(m->joints[i].type); k++, v++) {
            c->v_master[v] = places[law->master].v_index + k;
            c->v_ratio[v] = law->ratio;
            c->follows[v] = law->master != i;
            c->armature[v] = m->joints[i].dof[k].armature;
            if (law->master == i) c->own_v[c->v_master[v]] = v;
        }
        int modes = zi_link_modes(&m->links[i + 1]);
        fill_elastic(c, q, v, places[i].q_index + places[i].nq, places[i].v_index + places[i].nv, modes);
        q += modes;
        v += modes;
    }
    for (int i = 0; i < m->njoint; i++) { /* a follower shows where its master's coordinate lies */
        places[i].q_index = places[laws[i].master].q_index;
        places[i].v_index = places[laws[i].master].v_index;
    }
}

/* Places, laws of followers, and the map that both make. */
bool zi_freeze_coordinates(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    zvJointPlace *places = zi_arena_alloc(&m->arena, (size_t)m->njoint * sizeof *places);
    if (!places) return false;
    number_joints(m, places, plan->builder->mimic_coupled);
    m->joint_places = places;
    CoordinateArrays c;
    MimicLaw *laws = resolve_all(m, places);
    bool enough = laws && alloc_columns(m, &c);
    if (enough) fill_columns(m, places, laws, &c);
    free(laws);
    if (!enough) return false;
    m->tree.armature = c.armature;
    m->coupling.q_master = c.q_master;
    m->coupling.v_master = c.v_master;
    m->coupling.own_v = c.own_v;
    m->coupling.q_ratio = c.q_ratio;
    m->coupling.q_offset = c.q_offset;
    m->coupling.v_ratio = c.v_ratio;
    m->coupling.follows = c.follows;
    return true;
}
