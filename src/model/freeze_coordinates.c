/* Second step of freezing: where each joint's coordinates lie, and how mimic joints follow their masters. */
#include <stdlib.h>
#include <string.h>

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
        m->tree.nq += zv_joint_type_nq(joint->type);
        m->tree.nv += zv_joint_type_nv(joint->type);
        if (place->mimic >= 0) {
            m->coupling.count++;
            continue;
        }
        m->nq += place->nq = zv_joint_type_nq(joint->type);
        m->nv += place->nv = zv_joint_type_nv(joint->type);
    }
}

/* The joint at the end of a chain of mimics, with the linear law that leads there. The rules exclude rings. */
static int master_of(const zvModel *m, const zvJointPlace *places, int joint, double *ratio, double *offset) {
    *ratio = 1;
    *offset = 0;
    while (places[joint].mimic >= 0) {
        *offset += *ratio * m->joints[joint].offset;
        *ratio *= m->joints[joint].ratio;
        joint = places[joint].mimic;
    }
    return joint;
}

typedef struct Columns {
    int *q_master, *v_master, *own_v;
    double *q_ratio, *q_offset, *v_ratio, *armature;
    unsigned char *follows;
} Columns;

static bool alloc_columns(zvModel *m, Columns *c) {
    size_t nq = (size_t)m->tree.nq, nv = (size_t)m->tree.nv;
    c->q_master = zv_arena_alloc(&m->arena, nq * sizeof(int));
    c->v_master = zv_arena_alloc(&m->arena, nv * sizeof(int));
    c->own_v = zv_arena_alloc(&m->arena, (size_t)m->nv * sizeof(int));
    c->q_ratio = zv_arena_alloc(&m->arena, nq * sizeof(double));
    c->q_offset = zv_arena_alloc(&m->arena, nq * sizeof(double));
    c->v_ratio = zv_arena_alloc(&m->arena, nv * sizeof(double));
    c->armature = zv_arena_alloc(&m->arena, nv * sizeof(double));
    c->follows = zv_arena_alloc(&m->arena, nv);
    return c->q_master && c->v_master && c->own_v && c->q_ratio && c->q_offset && c->v_ratio && c->armature && c->follows;
}

static void fill_columns(const zvModel *m, zvJointPlace *places, Columns *c) {
    int q = 0, v = 0;
    for (int i = 0; i < m->njoint; i++) {
        double ratio, offset;
        int master = master_of(m, places, i, &ratio, &offset);
        for (int k = 0; k < zv_joint_type_nq(m->joints[i].type); k++, q++) {
            c->q_master[q] = places[master].q_index + k;
            c->q_ratio[q] = ratio;
            c->q_offset[q] = offset;
        }
        for (int k = 0; k < zv_joint_type_nv(m->joints[i].type); k++, v++) {
            c->v_master[v] = places[master].v_index + k;
            c->v_ratio[v] = ratio;
            c->follows[v] = master != i;
            c->armature[v] = m->joints[i].dof[k].armature;
            if (master == i) c->own_v[c->v_master[v]] = v;
        }
    }
    for (int i = 0; i < m->njoint; i++) { /* a follower shows where its master's coordinate lies */
        double ratio, offset;
        if (places[i].mimic < 0) continue;
        int master = master_of(m, places, i, &ratio, &offset);
        places[i].q_index = places[master].q_index;
        places[i].v_index = places[master].v_index;
    }
}

bool zv_freeze_coordinates(zvPlan *plan) {
    zvModel *m = plan->model;
    zvJointPlace *places = zv_arena_alloc(&m->arena, (size_t)m->njoint * sizeof *places);
    if (!places) return false;
    number_joints(m, places, plan->builder->mimic_coupled);
    m->joint_places = places;
    Columns c;
    if (!alloc_columns(m, &c)) return false;
    fill_columns(m, places, &c);
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
