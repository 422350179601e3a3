/* Draws elastic links and states for them. */
#define _POSIX_C_SOURCE 200112L /* setenv */

#include "support/bent_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "zveno/dynamics.h"

enum { NODES = 4, FACES = 3, MODAL_MODES = 6 };

struct btLink {
    zvBeam beam;
    zvModal modal;
    zvModalNode nodes[NODES];
    zvModalInterface faces[FACES];
    double shapes[NODES + FACES][6 * MODAL_MODES], stiffness[MODAL_MODES * MODAL_MODES];
};

static int most_modes(const zvBeam *beam, int motion, int modes) {
    if (beam->shapes == ZV_SHAPES_CUBIC) return motion <= ZV_BEAM_BEND_Z ? 2 : 1;
    if (beam->shapes == ZV_SHAPES_GEVORKIAN && motion <= ZV_BEAM_BEND_Z) return 2;
    const bool powers = beam->shapes == ZV_SHAPES_POWERS || beam->shapes == ZV_SHAPES_GEVORKIAN;
    return powers && modes > 4 ? 4 : modes; /* more powers are hardly independent */
}

static void draw_beam(rtRandom *random, int modes, zvBeam *beam) {
    *beam = zv_beam_default();
    beam->length = rt_uniform(random, 0.5, 1.5);
    beam->EIy = rt_decades(random, 0, 3);
    beam->EIz = rt_decades(random, 0, 3);
    beam->GJ = rt_decades(random, 0, 3);
    beam->EA = rt_decades(random, 3, 5);
    beam->rhoA = rt_uniform(random, 0.5, 3);
    beam->rhoIy = beam->rhoA * rt_uniform(random, 1e-4, 1e-3);
    beam->rhoIz = beam->rhoA * rt_uniform(random, 1e-4, 1e-3);
    beam->shapes = (zvShapes)rt_below(random, ZV_SHAPES_COUNT);
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) {
        int most = most_modes(beam, k, modes);
        beam->modes[k] =
            beam->shapes == ZV_SHAPES_CUBIC && most == 2 ? 2 * rt_below(random, 2) : rt_below(random, most + 1);
    }
    if (beam->shapes == ZV_SHAPES_CLAMPED_TIP_MASS) {
        beam->tip_mass = rt_uniform(random, 0.5, 3);
        beam->tip_inertia = rt_uniform(random, 0.001, 0.01);
    }
    beam->rotary = rt_chance(random, 0.5);
    beam->stiffening = (zvStiffening)rt_below(random, 3);
    beam->damping.ratio = rt_uniform(random, 0, 0.05);
    beam->damping.stiffness_factor = rt_uniform(random, 0, 1e-3);
}

/* Nodes with three displacements and three turns each: enough of them that six modes are independent. */
static void draw_modal(rtRandom *random, btLink *link) {
    static const char *const names[FACES] = {"root", "middle", "tip"};
    zvModal *modal = &link->modal;
    int n = 1 + rt_below(random, MODAL_MODES);
    *modal = (zvModal){.count = n,
                       .stiffness = link->stiffness,
                       .node_count = NODES,
                       .nodes = link->nodes,
                       .interface_count = FACES,
                       .interfaces = link->faces};
    for (int i = 0; i < NODES + FACES; i++) rt_vector(random, 0.5, 6 * n, link->shapes[i]);
    for (int i = 0; i < NODES; i++) {
        zvInertia part;
        rt_inertia(random, false, &part);
        link->nodes[i] = (zvModalNode){.mass = part.mass, .shape = link->shapes[i]};
        memcpy(link->nodes[i].moment, part.moment, sizeof part.moment);
        rt_vector(random, 0.5, 3, link->nodes[i].at);
    }
    for (int i = 0; i < FACES; i++) {
        link->faces[i] = (zvModalInterface){.name = names[i], .shape = link->shapes[NODES + i]};
        rt_vector(random, 0.5, 3, link->faces[i].at);
    }
    double root[MODAL_MODES * MODAL_MODES];
    rt_vector(random, 10, n * n, root);
    for (int i = 0; i < n * n; i++) {
        link->stiffness[i] = 0;
        for (int k = 0; k < n; k++) link->stiffness[i] += root[i / n * n + k] * root[i % n * n + k];
    }
    modal->damping.stiffness_factor = rt_uniform(random, 0, 1e-2);
}

/* A point of link i where something may be attached; beams carry off their axis as well. */
static void draw_point(rtRandom *random, const btLink *link, const zvLink *bent, double p[3]) {
    if (bent->modal) {
        memcpy(p, link->faces[rt_below(random, FACES)].at, 3 * sizeof *p);
        return;
    }
    p[0] = rt_chance(random, 0.4) ? link->beam.length : rt_uniform(random, 0, link->beam.length);
    if (rt_chance(random, 0.5)) p[1] = p[2] = 0;
}

static void bend(btCase *c, int modes) {
    rtTree *tree = c->tree;
    for (int i = tree->free_base ? 0 : 1; i < tree->nlink; i++) {
        btLink *link = &c->links[i];
        if (!rt_chance(&c->random, 0.6)) continue;
        draw_beam(&c->random, modes, &link->beam);
        if (rt_chance(&c->random, 0.25)) {
            draw_modal(&c->random, link);
            tree->links[i].modal = &link->modal;
        } else {
            tree->links[i].beam = &link->beam;
        }
    }
    for (int j = 0; j < tree->njoint; j++) {
        int parent = tree->parent[j];
        if (!tree->links[parent].beam && !tree->links[parent].modal) continue;
        draw_point(&c->random, &c->links[parent], &tree->links[parent], tree->joints[j].origin.p);
    }
}

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

/* Deflections of some centimetres or degrees, less where there are high modes: the square of the shortening's rate is
 * not in the kinetic energy of a link, so that its matrix is positive only while slopes and curvatures are small.
 * Shapes scaled at a tip that hardly moves are large elsewhere; their mass tells, and that they are to move slower. */
static void draw_deflection(btCase *c, int link) {
    zvElasticPlace place = zv_model_elastic_place(c->model, link);
    int n = place.count;
    double *M = numbers(n * n), *e = c->q + place.q_index;
    zv_model_elastic_matrices(c->model, link, M, NULL, NULL);
    rt_vector(&c->random, fmin(0.03, 0.2 / (1 + n * n)), n, e);
    for (int i = 0; i < n; i++) {
        double part = fmin(1, 1 / sqrt(M[i * n + i]));
        e[i] *= part;
        c->v[place.v_index + i] *= part;
    }
    free(M);
}

static void draw_state(btCase *c) {
    c->q = numbers(c->nq);
    double **arrays[] = {&c->v, &c->a, &c->tau, &c->x, &c->y};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = numbers(c->nv);
    c->fext = numbers(c->nexternal);
    rt_draw_position(c->model, &c->random, c->q);
    rt_vector(&c->random, 2, c->nv, c->v);
    rt_vector(&c->random, 5, c->nv, c->a);
    rt_vector(&c->random, 10, c->nv, c->tau);
    if (rt_chance(&c->random, 0.7)) rt_vector(&c->random, 10, c->nexternal, c->fext);
    for (int i = 0; i < zv_model_nlink(c->model); i++) draw_deflection(c, i);
}

void bt_case_open(btCase *c, uint64_t seed, rtOptions options, int modes) {
    static const char *const levels[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    zvError error = {0};
    *c = (btCase){.seed = seed, .random = {seed ^ 0xe1a5}};
    setenv("ZVENO_ISA", levels[rt_below(&c->random, 3)], 1); /* every set of kernels has its turn */
    options.frames = 0;
    c->tree = rt_tree_create(seed, &options);
    c->links = calloc((size_t)c->tree->nlink, sizeof *c->links);
    if (!c->links) abort();
    bend(c, modes);
    c->model = rt_tree_freeze(c->tree);
    c->work = c->model ? zv_work_create(c->model, &error) : NULL;
    if (!c->work) abort();
    c->nq = zv_model_nq(c->model);
    c->nv = zv_model_nv(c->model);
    c->nelastic = zv_model_nelastic(c->model);
    c->nexternal = zv_model_nexternal(c->model);
    draw_state(c);
}

void bt_case_close(btCase *c) {
    double *arrays[] = {c->q, c->v, c->a, c->tau, c->x, c->y, c->fext};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
    free(c->tree);
    free(c->links);
    memset(c, 0, sizeof *c);
}

bool bt_elastic(const btCase *c, int i) {
    for (int link = 0; link < zv_model_nlink(c->model); link++) {
        zvElasticPlace place = zv_model_elastic_place(c->model, link);
        if (i >= place.v_index && i < place.v_index + place.count) return true;
    }
    return false;
}

void bt_mass(const btCase *c, exact *M) {
    double *dense = numbers(c->nv * c->nv);
    zv_mass_matrix(c->model, c->work, c->q, dense);
    for (int i = 0; i < c->nv * c->nv; i++) M[i] = dense[i];
    free(dense);
}

void bt_bias(const btCase *c, const double *v, const double *fext, exact *bias) {
    double *force = numbers(c->nv);
    zv_inverse_dynamics(c->model, c->work, c->q, v, NULL, fext, force);
    for (int i = 0; i < c->nv; i++) bias[i] = force[i];
    free(force);
}

bool bt_near(const btCase *c, const char *what, int count, const double *got, const exact *want, const exact *scale,
             double tolerance) {
    return lin_near(c->seed, what, count, got, want, scale, tolerance);
}
