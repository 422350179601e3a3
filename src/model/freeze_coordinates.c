/* Second step of freezing: where each joint's coordinates lie, and how mimic joints follow their masters. */
#include <stdlib.h>
#include <string.h>

#include "model/elastic.h"
#include "model/freeze.h"

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
typedef struct Law {
    int master; /* -1: not resolved yet */
    double ratio, offset;
} Law;

/* Resolves the chain of mimics that starts at joint: up to the first resolved one, then back down. The rules exclude
 * rings. */
static void resolve(const zvModel *m, const zvJointPlace *places, int joint, Law *laws, int *chain) {
    int length = 0;
    while (laws[joint].master < 0 && places[joint].mimic >= 0) {
        chain[length++] = joint;
        joint = places[joint].mimic;
    }
    if (laws[joint].master < 0) laws[joint] = (Law){joint, 1, 0};
    while (length > 0) {
        const Law *up = &laws[places[chain[length - 1]].mimic];
        const zvJoint *follower = &m->joints[chain[--length]];
        laws[chain[length]] =
            (Law){up->master, follower->ratio * up->ratio, follower->ratio * up->offset + follower->offset};
    }
}

static Law *resolve_all(const zvModel *m, const zvJointPlace *places) {
    Law *laws = malloc(((size_t)m->njoint + 1) * sizeof *laws);
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

typedef struct Columns {
    int *q_master, *v_master, *own_v;
    double *q_ratio, *q_offset, *v_ratio, *armature;
    unsigned char *follows;
} Columns;

static bool alloc_columns(zvModel *m, Columns *c) {
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
static void fill_elastic(Columns *c, int q, int v, int own_q, int own_v, int count) {
    for (int k = 0; k < count; k++) {
        c->q_master[q + k] = own_q + k;
        c->v_master[v + k] = own_v + k;
        c->own_v[own_v + k] = v + k;
        c->q_ratio[q + k] = c->v_ratio[v + k] = 1;
    }
}

static void fill_columns(const zvModel *m, zvJointPlace *places, const Law *laws, Columns *c) {
    int q = 0, v = 0;
    for (int i = 0; i < m->njoint; i++) {
        const Law *law = &laws[i];
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

bool zi_freeze_coordinates(ziPlan *plan) {
    zvModel *m = plan->model;
    zvJointPlace *places = zi_arena_alloc(&m->arena, (size_t)m->njoint * sizeof *places);
    if (!places) return false;
    number_joints(m, places, plan->builder->mimic_coupled);
    m->joint_places = places;
    Columns c;
    Law *laws = resolve_all(m, places);
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
