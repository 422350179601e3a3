/* Seeded random trees whose joints have gears that give way. */
#ifndef ZV_TEST_GEARED_TREE_H
#define ZV_TEST_GEARED_TREE_H

#include <stdlib.h>

#include "support/random_tree.h"
#include "zveno/work.h"

enum { GEARED_MOST = 16, GEARED_AXES = 1, GEARED_LAWS = 2 };

typedef struct GearedTree {
    zvFlexibleJoint gears[GEARED_MOST];
    rtTree *tree;
    zvModel *model;
    zvWork *work;
    rtRandom random; /* for states */
    int nv;
} GearedTree;

/* A law through one to four points in place of the cubic. */
static inline void geared_law(rtRandom *r, zvFlexibleJoint *gear) {
    double d = 0, torque = 0;
    gear->cubic = 0;
    gear->points = 1 + (int)rt_uniform(r, 0, 3.99);
    for (int i = 0; i < gear->points; i++) {
        const double h = rt_uniform(r, 0.01, 0.2);
        d += h;
        torque += h * gear->stiffness * rt_uniform(r, 0.4, 5);
        gear->law[i] = (zvGearPoint){d, torque};
    }
}

/* Joints with one freedom, two thirds of them with a gear; damped: the share of these that has damping; 0: nothing is
 * damped. With what else: axes of their own for rotors, a third of the gears with laws through points, whose second
 * derivative jumps there. */
static inline GearedTree geared_tree_of(uint64_t seed, int joints, double damped, unsigned with) {
    GearedTree g = {.random = {seed}};
    rtRandom more = {~seed}; /* so that the gears are the same without */
    rtOptions options = rt_options_default(joints);
    options.types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(PRISMATIC) | RT_TYPE(HELICAL);
    options.massless = false;
    g.tree = rt_tree_create(seed, &options);
    for (int i = 0; i < g.tree->njoint; i++) {
        rtRandom *r = &g.random;
        if (rt_uniform(r, 0, 3) < 1) continue;
        g.gears[i] = (zvFlexibleJoint){.stiffness = rt_uniform(r, 50, 900),
                                       .damping = rt_uniform(r, 0, 1) < damped ? rt_uniform(r, 1, 20) : 0,
                                       .inertia = rt_uniform(r, 1e-5, 1e-3),
                                       .ratio = rt_uniform(r, -90, 90),
                                       .motor_damping = damped > 0 ? rt_uniform(r, 0, 1e-3) : 0,
                                       .cubic = rt_uniform(r, 0, 2) < 1 ? 0 : rt_uniform(r, 1, 3000)};
        if (with & GEARED_LAWS && rt_uniform(&more, 0, 3) < 1) geared_law(&more, &g.gears[i]);
        if (with & GEARED_AXES) rt_vector(&more, 1, 3, g.gears[i].rotor_axis);
        g.tree->joints[i].flexible = &g.gears[i];
    }
    g.model = rt_tree_freeze(g.tree);
    zvError error;
    g.work = g.model ? zv_work_create(g.model, &error) : NULL;
    g.nv = g.model ? zv_model_nv(g.model) : 0;
    return g;
}

static inline GearedTree geared_tree(uint64_t seed, int joints, double damped) {
    return geared_tree_of(seed, joints, damped, 0);
}

static inline void geared_tree_end(GearedTree *g) {
    zv_work_destroy(g->work);
    zv_model_destroy(g->model);
    free(g->tree);
}

#endif
