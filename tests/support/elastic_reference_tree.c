/* Random elastic trees for the brute-force reference, and their models. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/elastic_reference.h"

static zvJointType random_type(rtRandom *random, int parent) {
    static const zvJointType types[] = {ZV_JOINT_REVOLUTE,    ZV_JOINT_REVOLUTE,  ZV_JOINT_PRISMATIC,
                                        ZV_JOINT_CYLINDRICAL, ZV_JOINT_UNIVERSAL, ZV_JOINT_SPHERICAL,
                                        ZV_JOINT_FIXED};
    if (parent == 0 && rt_chance(random, 0.3)) return ZV_JOINT_FREE;
    return types[rt_below(random, (int)(sizeof types / sizeof *types))];
}

static void random_beam(rtRandom *random, int modes, zvBeam *beam) {
    *beam = zv_beam_default();
    beam->length = rt_uniform(random, 0.3, 3);
    beam->rhoA = rt_decades(random, -1, 1);
    beam->EIy = rt_decades(random, 1, 3);
    beam->EIz = rt_decades(random, 1, 3);
    beam->EA = rt_decades(random, 3, 5);
    beam->shapes = rt_chance(random, 0.5) ? ZV_SHAPES_POWERS : ZV_SHAPES_GEVORKIAN;
    int most = beam->shapes == ZV_SHAPES_GEVORKIAN && modes > 2 ? 2 : modes;
    beam->modes[ZV_BEAM_BEND_Y] = rt_below(random, most + 1);
    beam->modes[ZV_BEAM_BEND_Z] = rt_below(random, most + 1);
    beam->modes[ZV_BEAM_EXTEND] = rt_below(random, most + 1);
    beam->stiffening = ZV_STIFFENING_OFF;
    beam->damping.mass_factor = rt_uniform(random, 0, 0.5);
    beam->damping.stiffness_factor = rt_uniform(random, 0, 1e-3);
}

static void random_link(rtRandom *random, erTree *t, int i, int modes) {
    erLink *l = &t->link[i];
    l->parent = i == 1 ? 0 : rt_chance(random, 0.7) ? i - 1 : rt_below(random, i);
    const erLink *up = &t->link[l->parent];
    l->type = random_type(random, l->parent);
    rt_direction(random, l->axis);
    do rt_direction(random, l->axis2);
    while (fabs(l->axis[0] * l->axis2[0] + l->axis[1] * l->axis2[1] + l->axis[2] * l->axis2[2]) > 0.8);
    rt_rotation(random, l->R);
    rt_vector(random, 0.4, 3, l->p);
    if (up->elastic) l->p[0] = rt_chance(random, 0.5) ? up->beam.length : rt_uniform(random, 0, up->beam.length);
    for (int k = 0; k < ZV_MAX_DOF; k++) l->armature[k] = rt_chance(random, 0.3) ? rt_uniform(random, 0, 0.5) : 0;
    l->elastic = rt_chance(random, 0.7);
    if (l->elastic) random_beam(random, modes, &l->beam);
    l->n = l->elastic ? l->beam.modes[0] + l->beam.modes[1] + l->beam.modes[3] : 0;
    l->points = l->elastic && rt_chance(random, 0.5) ? 0 : ER_RIGID;
    if (l->elastic && (l->n == 0 || l->type != ZV_JOINT_FIXED))
        l->points = ER_RIGID; /* a bare line has no inertia about x */
    for (int k = 0; k < l->points; k++) {
        l->mass[k] = rt_uniform(random, 0.05, 1);
        rt_vector(random, 0.4, 3, l->at[k]);
    }
}

/* Mass, centre and moments of the points of the rigid part. */
static zvInertia inertia_of(const erLink *l) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    zvInertia x = {0};
    for (int k = 0; k < l->points; k++) {
        x.mass += l->mass[k];
        for (int i = 0; i < 3; i++) x.com[i] += l->mass[k] * l->at[k][i];
    }
    for (int i = 0; i < 3 && x.mass > 0; i++) x.com[i] /= x.mass;
    for (int k = 0; k < l->points; k++) {
        double d[3], dd = 0;
        for (int i = 0; i < 3; i++) {
            d[i] = l->at[k][i] - x.com[i];
            dd += d[i] * d[i];
        }
        for (int j = 0; j < 6; j++)
            x.moment[j] += l->mass[k] * ((row[j] == column[j] ? dd : 0) - d[row[j]] * d[column[j]]);
    }
    return x;
}

static void demand(bool done, const zvError *error) {
    if (done) return;
    fprintf(stderr, "elastic tree refused: %s\n", error->text);
    abort();
}

static zvModel *freeze(const erTree *t) {
    zvBuilder *b = zv_builder_create(NULL);
    zvError error = {0};
    char name[16], parent[16], joint_name[16];
    zvLink ground = zv_link_default("link0");
    demand(zv_builder_add_link(b, &ground, &error) == ZV_OK, &error);
    for (int i = 1; i < t->count; i++) {
        const erLink *l = &t->link[i];
        snprintf(name, sizeof name, "link%d", i);
        snprintf(parent, sizeof parent, "link%d", l->parent);
        snprintf(joint_name, sizeof joint_name, "joint%d", i);
        zvLink link = zv_link_default(name);
        link.inertia = inertia_of(l);
        if (l->elastic) link.beam = &l->beam;
        zvJoint joint = zv_joint_default(joint_name, l->type, parent, name);
        memcpy(joint.origin.R, l->R, sizeof l->R);
        memcpy(joint.origin.p, l->p, sizeof l->p);
        memcpy(joint.axis, l->axis, sizeof l->axis);
        memcpy(joint.axis2, l->axis2, sizeof l->axis2);
        for (int k = 0; k < ZV_MAX_DOF; k++) joint.dof[k].armature = l->armature[k];
        demand(zv_builder_add_link(b, &link, &error) == ZV_OK, &error);
        demand(zv_builder_add_joint(b, &joint, &error) == ZV_OK, &error);
    }
    zv_builder_set_gravity(b, t->gravity);
    zvModel *model = NULL;
    zvStatus status = zv_builder_freeze(b, &model, &error);
    demand(status >= 0, &error);
    zv_builder_destroy(b);
    return model;
}

void er_tree_make(uint64_t seed, int links, int modes, erTree *t) {
    rtRandom random = {seed};
    memset(t, 0, sizeof *t);
    er_gauss(t->gauss, t->weight);
    t->count = links + 1;
    rt_vector(&random, 10, 3, t->gravity);
    for (int i = 1; i <= links; i++) random_link(&random, t, i, modes);
    t->model = freeze(t);
    t->nq = zv_model_nq(t->model);
    t->nv = zv_model_nv(t->model);
    for (int i = 1; i <= links; i++) {
        char name[16];
        snprintf(name, sizeof name, "joint%d", i);
        zvJointPlace place = zv_model_joint_place(t->model, zv_model_find_joint(t->model, name));
        zvElasticPlace elastic = zv_model_elastic_place(t->model, place.child);
        t->link[i].q = place.q_index;
        t->link[i].v = place.v_index;
        t->link[i].qe = elastic.q_index;
        t->link[i].ve = elastic.v_index;
    }
}

void er_tree_free(erTree *t) { zv_model_destroy(t->model); }

void er_state(const erTree *t, rtRandom *random, double *q, double *v) {
    rt_vector(random, 1.5, t->nq, q);
    rt_vector(random, 1.5, t->nv, v);
    zv_position_normalize(t->model, q);
    for (int i = 1; i < t->count; i++) {
        const erLink *l = &t->link[i];
        for (int k = 0; k < l->n; k++) q[l->qe + k] *= 0.1 * l->beam.length;
    }
}
