/* Draws elastic links into a random tree, a state, and derivatives along motions. */
#define _POSIX_C_SOURCE 200112L /* setenv */

#include "support/elastic_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"

static void *buffer(size_t count, size_t size) {
    void *x = calloc(count + 1, size);
    if (!x) abort();
    return x;
}

static void draw_modes(rtRandom *random, zvBeam *beam) {
    const bool cubic = beam->shapes == ZV_SHAPES_CUBIC;
    const int bending = beam->shapes == ZV_SHAPES_GEVORKIAN || cubic ? 2 : 3, other = cubic ? 1 : 2;
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) {
        const bool bends = k == ZV_BEAM_BEND_Y || k == ZV_BEAM_BEND_Z;
        beam->modes[k] = rt_below(random, 1 + (bends ? bending : other));
        if (cubic && bends && beam->modes[k] == 1) beam->modes[k] = 2;
    }
}

static void draw_beam(rtRandom *random, zvBeam *beam) {
    *beam = zv_beam_default();
    beam->length = rt_uniform(random, 0.4, 1);
    beam->EIy = rt_uniform(random, 2, 20);
    beam->EIz = rt_uniform(random, 2, 20);
    beam->GJ = rt_uniform(random, 2, 20);
    beam->EA = rt_uniform(random, 100, 1000);
    beam->rhoA = rt_uniform(random, 0.5, 3);
    beam->rhoIy = rt_uniform(random, 0.01, 0.05);
    beam->rhoIz = rt_uniform(random, 0.01, 0.05);
    beam->shapes = (zvShapes)rt_below(random, ZV_SHAPES_COUNT);
    if (beam->shapes == ZV_SHAPES_CLAMPED_TIP_MASS) {
        beam->tip_mass = rt_uniform(random, 0, 3);
        beam->tip_inertia = rt_uniform(random, 0, 0.1);
    }
    draw_modes(random, beam);
    beam->rotary = rt_chance(random, 0.5);
    beam->stiffening = (zvStiffening)rt_below(random, 3);
    beam->damping.mass_factor = rt_uniform(random, 0, 0.5);
    beam->damping.stiffness_factor = rt_uniform(random, 0, 0.1);
}

/* Nodes whose displacements and rotations share nothing but the coordinates. */
static void draw_modal(rtRandom *random, ecBend *bend) {
    static const char *const names[EC_INTERFACES] = {"near", "far"};
    const int n = 1 + rt_below(random, EC_MODES);
    bend->modal = (zvModal){.count = n,
                            .stiffness = bend->stiffness,
                            .node_count = EC_NODES,
                            .nodes = bend->nodes,
                            .interface_count = EC_INTERFACES,
                            .interfaces = bend->interfaces};
    bend->modal.damping.stiffness_factor = rt_uniform(random, 0, 0.1);
    for (int i = 0; i < n; i++) bend->stiffness[i * (n + 1)] = rt_uniform(random, 50, 500);
    for (int k = 0; k < EC_NODES + EC_INTERFACES; k++) rt_vector(random, 1, 6 * n, bend->shapes[k]);
    for (int k = 0; k < EC_NODES; k++) {
        zvInertia inertia;
        rt_inertia(random, false, &inertia);
        bend->nodes[k].mass = rt_uniform(random, 0.1, 0.5);
        rt_vector(random, 0.5, 3, bend->nodes[k].at);
        for (int i = 0; i < 6; i++) bend->nodes[k].moment[i] = 0.1 * inertia.moment[i];
        bend->nodes[k].shape = bend->shapes[k];
    }
    for (int k = 0; k < EC_INTERFACES; k++) {
        bend->interfaces[k].name = names[k];
        rt_vector(random, 0.5, 3, bend->interfaces[k].at);
        bend->interfaces[k].shape = bend->shapes[EC_NODES + k];
    }
}

static void draw_bend(ecCase *c, int link) {
    zvLink *it = &c->tree->links[link];
    ecBend *bend = &c->bends[link];
    if (rt_chance(&c->random, 0.5)) *it = zv_link_default(it->name); /* nothing but the beam or the nodes */
    if (rt_chance(&c->random, 0.25)) {
        draw_modal(&c->random, bend);
        it->modal = &bend->modal;
    } else {
        draw_beam(&c->random, &bend->beam);
        it->beam = &bend->beam;
    }
}

/* Puts a joint or frame where an elastic link can carry it. */
static void seat(ecCase *c, const zvLink *link, double p[3]) {
    rtRandom *random = &c->random;
    if (link->modal) {
        memcpy(p, link->modal->interfaces[rt_below(random, EC_INTERFACES)].at, 3 * sizeof *p);
    } else if (link->beam) {
        const double length = link->beam->length;
        const double at[4] = {0, length, 0.5 * length, rt_uniform(random, 0, length)};
        p[0] = at[rt_below(random, 4)];
        if (rt_chance(random, 0.5)) p[1] = p[2] = 0;
    }
}

static void make_elastic(ecCase *c) {
    rtTree *tree = c->tree;
    for (int i = tree->free_base ? 0 : 1; i < tree->nlink; i++) {
        if (rt_chance(&c->random, 0.7)) draw_bend(c, i);
    }
    for (int i = 0; i < tree->njoint; i++) seat(c, &tree->links[tree->parent[i]], tree->joints[i].origin.p);
    for (int i = 0; i < tree->nframe; i++) {
        for (int k = 0; k < tree->nlink; k++) {
            if (tree->frames[i].link == tree->link_names[k]) seat(c, &tree->links[k], tree->frames[i].pose.p);
        }
    }
}

/* Elastic coordinates and velocities: at most two centimetres and a twentieth of a joule, whatever the shapes are
 * scaled by. The kinetic energy is cut after the second order of deformation: M is positive where slopes are well below
 * one. */
static void draw_deformation(ecCase *c, int link) {
    const zvElasticPlace place = zv_model_elastic_place(c->model, link);
    const int n = place.count;
    double *M = buffer((size_t)(n * n), sizeof *M), *K = buffer((size_t)(n * n), sizeof *K);
    zv_model_elastic_matrices(c->model, link, M, K, NULL);
    for (int i = 0; i < n; i++) {
        const double unit = sqrt(0.5 / M[i * (n + 1)]), most = fmin(0.02 * unit, sqrt(0.1 / K[i * (n + 1)]));
        c->q[place.q_index + i] = rt_uniform(&c->random, -most, most);
        c->v[place.v_index + i] = rt_uniform(&c->random, -0.5, 0.5) * unit;
        c->a[place.v_index + i] = rt_uniform(&c->random, -5, 5) * unit;
    }
    free(M);
    free(K);
}

/* Sum of the rates of a joint; circles are of 0.2 m and more. */
static double joint_rate(const ecCase *c, int j) {
    const zvJoint *joint = zv_model_joint(c->model, j);
    const zvJointPlace own = zv_model_joint_place(c->model, j);
    const zvJointPlace place = own.mimic >= 0 ? zv_model_joint_place(c->model, own.mimic) : own;
    const double ratio = (own.mimic >= 0 ? fabs(joint->ratio) : 1) * (joint->type == ZV_JOINT_CURVE ? 5 : 1);
    double sum = 0;
    for (int k = place.v_index; k < place.v_index + place.nv; k++) sum += ratio * fabs(c->v[k]);
    return sum;
}

/* Sum of the rates of joints and of what sections turn by. */
static double quickness(ecCase *c) {
    double *v = buffer((size_t)c->nv, sizeof *v), *u = buffer(6 * (size_t)c->nlink, sizeof *u), sum = 1;
    zvPose *poses = buffer((size_t)c->nlink, sizeof *poses);
    for (int j = 0; j < zv_model_njoint(c->model); j++) sum += joint_rate(c, j);
    for (int i = 0; i < c->nlink; i++) {
        const zvElasticPlace place = zv_model_elastic_place(c->model, i);
        for (int k = place.v_index; k < place.v_index + place.count; k++) v[k] = c->v[k];
    }
    zv_link_motions(c->model, c->work, c->q, v, poses, u);
    for (int i = 0; i < c->nlink; i++) sum += hypot(hypot(u[6 * i + 3], u[6 * i + 4]), u[6 * i + 5]);
    free(v);
    free(u);
    free(poses);
    return sum;
}

static void draw_state(ecCase *c) {
    rt_draw_position(c->model, &c->random, c->q);
    rt_vector(&c->random, 2, c->nv, c->v);
    rt_vector(&c->random, 5, c->nv, c->a);
    rt_vector(&c->random, 10, c->nexternal, c->fext);
    for (int i = 0; i < c->nlink; i++) draw_deformation(c, i);
    c->quick = quickness(c);
}

static void choose_kernels(uint64_t seed) {
    static const char *const levels[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    rtRandom random = {seed};
    setenv("ZVENO_ISA", levels[rt_below(&random, 3)], 1);
}

bool ec_open(ecCase *c, uint64_t seed, const rtOptions *options) {
    *c = (ecCase){.seed = seed, .random = {seed ^ 0x5deece66du}, .tree = rt_tree_create(seed, options)};
    c->bends = buffer((size_t)c->tree->nlink, sizeof *c->bends);
    make_elastic(c);
    choose_kernels(seed);
    c->model = rt_tree_freeze(c->tree);
    c->work = c->model ? zv_work_create(c->model, NULL) : NULL;
    if (!c->work) return false;
    c->nq = zv_model_nq(c->model);
    c->nv = zv_model_nv(c->model);
    c->nlink = zv_model_nlink(c->model);
    c->nexternal = zv_model_nexternal(c->model);
    const size_t nv = (size_t)c->nv;
    double **vectors[] = {&c->v, &c->a, &c->x, &c->y};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = buffer(nv, sizeof(double));
    c->q = buffer((size_t)c->nq, sizeof *c->q);
    c->fext = buffer((size_t)c->nexternal, sizeof *c->fext);
    c->A = buffer(nv * nv, sizeof *c->A);
    c->B = buffer(nv * nv, sizeof *c->B);
    draw_state(c);
    return true;
}

void ec_close(ecCase *c) {
    double *vectors[] = {c->q, c->v, c->a, c->fext, c->x, c->y, c->A, c->B};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
    free(c->tree);
    free(c->bends);
}

rtOptions ec_options(int index, unsigned types) {
    rtOptions options = rt_options_default(1 + index % 5);
    options.shape = index % 2 ? RT_BUSHY : RT_DEEP;
    options.types = types;
    options.curves = RT_LINE | RT_CIRCLE;
    options.massless = false;
    options.free_base = index % 3 == 2 && (types & RT_TYPE(FREE));
    options.mimics = index % 7 == 6;
    options.frames = 3;
    return options;
}

bool ec_each(uint64_t seed, int count, unsigned types, ecCheck check) {
    for (int i = 0; i < count; i++) {
        const rtOptions options = ec_options(i, types);
        ecCase c;
        const bool good = ec_open(&c, seed + (uint64_t)i, &options) && check(&c);
        ec_close(&c);
        if (!good) return false;
    }
    return true;
}

double ec_step(const ecCase *c) { return 0.03 / c->quick; }

void ec_rate(ecCase *c, const double *v, ecFunction f, int count, double *rate) {
    static const double weight[5] = {0, 4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0};
    const double h = ec_step(c);
    double *q = buffer((size_t)c->nq, sizeof *q), *step = buffer((size_t)c->nv, sizeof *step);
    double *out = buffer((size_t)count, sizeof *out);
    for (int i = 0; i < count; i++) rate[i] = 0;
    for (int k = -4; k <= 4; k++) {
        if (k == 0) continue;
        for (int i = 0; i < c->nv; i++) step[i] = k * h * v[i];
        zv_position_add(c->model, c->q, step, q);
        f(c, q, out);
        for (int i = 0; i < count; i++) rate[i] += (k < 0 ? -weight[-k] : weight[k]) * out[i] / h;
    }
    free(q);
    free(step);
    free(out);
}

bool ec_near(const ecCase *c, const char *what, int index, double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance) return true;
    fprintf(stderr, "seed %llu: %s[%d] is %.17g, not %.17g: off by %.3g, allowed %.3g\n", (unsigned long long)c->seed,
            what, index, got, want, fabs(got - want), tolerance);
    return false;
}
