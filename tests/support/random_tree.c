/* Draws a tree joint by joint, then decides what has no mass and what follows what. */
#include "support/random_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/random_tree_joint.h"

rtOptions rt_options_default(int joints) {
    return (rtOptions){.joints = joints,
                       .shape = RT_DEEP,
                       .types = RT_ALL_TYPES,
                       .curves = RT_ALL_CURVES,
                       .massless = true,
                       .armature = 0.3,
                       .coupled = true,
                       .frames = 2};
}

/* m diag(b+c, a+c, a+b) with positive second moments a, b, c is physical whatever they are; turned to random axes. */
void rt_inertia(rtRandom *random, bool wild, zvInertia *inertia) {
    double size = wild ? rt_decades(random, -2, 0) : rt_uniform(random, 0.1, 0.4);
    double R[9], second[3], sum = 0;
    inertia->mass = wild ? rt_decades(random, -3, 2) : rt_uniform(random, 0.5, 2);
    rt_vector(random, wild ? 1 : 0.3, 3, inertia->com);
    rt_rotation(random, R);
    for (int i = 0; i < 3; i++) {
        double extent = size * rt_uniform(random, wild ? 0.05 : 0.3, 1);
        second[i] = inertia->mass * extent * extent;
        sum += second[i];
    }
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; e++) {
        int i = row[e], j = column[e];
        inertia->moment[e] = i == j ? sum : 0;
        for (int k = 0; k < 3; k++) inertia->moment[e] -= R[3 * i + k] * R[3 * j + k] * second[k];
    }
}

void rt_origin(rtRandom *random, bool wild, zvPose *pose) {
    rt_rotation(random, pose->R);
    rt_vector(random, wild ? rt_decades(random, -2, 0.5) : 0.4, 3, pose->p);
}

static int draw_parent(rtRandom *random, rtShape shape, int links) {
    int reach = shape == RT_CHAIN ? 1 : shape == RT_DEEP ? 3 : links;
    return links - 1 - rt_below(random, reach < links ? reach : links);
}

static void draw_link(rtTree *tree, rtRandom *random, const rtOptions *options, int i) {
    snprintf(tree->link_names[i], sizeof tree->link_names[i], "link%d", i);
    tree->links[i] = zv_link_default(tree->link_names[i]);
    tree->links[i].has_inertia = true;
    rt_inertia(random, options->wild, &tree->links[i].inertia);
}

static void draw_frame(rtTree *tree, rtRandom *random, const rtOptions *options, int i) {
    snprintf(tree->frame_names[i], sizeof tree->frame_names[i], "frame%d", i);
    tree->frames[i] = zv_frame_default(tree->frame_names[i], tree->link_names[rt_below(random, tree->nlink)]);
    rt_origin(random, options->wild, &tree->frames[i].pose);
}

static int count_children(const rtTree *tree, int link) {
    int count = 0;
    for (int j = 0; j < tree->njoint; j++) count += tree->parent[j] == link;
    return count;
}

static bool single(zvJointType type) {
    return type == ZV_JOINT_REVOLUTE || type == ZV_JOINT_CONTINUOUS || type == ZV_JOINT_PRISMATIC ||
           type == ZV_JOINT_HELICAL;
}

static bool turning(zvJointType type) { return type == ZV_JOINT_REVOLUTE || type == ZV_JOINT_CONTINUOUS; }

/* A link may lose its mass when one freedom moves it and a body behind one general hinge follows: two freedoms, one
 * massive body, independent axes. A tip may when it is fixed or a rotor moves it. */
static bool may_be_massless(rtTree *tree, rtRandom *random, bool wild, int link) {
    const zvJoint *above = &tree->joints[link - 1];
    bool tip = count_children(tree, link) == 0;
    if (tip && above->type == ZV_JOINT_FIXED) return true;
    if (!single(above->type) || tree->links[tree->parent[link - 1]].inertia.mass == 0) return false;
    if (tip) return above->dof[0].armature > 0;
    for (int j = 0; j < tree->njoint; j++) {
        if (tree->parent[j] != link || !turning(tree->joints[j].type)) continue;
        if (tree->links[j + 1].inertia.mass == 0) continue;
        rt_origin(random, wild, &tree->joints[j].origin);
        return true;
    }
    return false;
}

static void draw_massless(rtTree *tree, rtRandom *random, bool wild) {
    for (int i = 1; i < tree->nlink; i++) {
        if (!rt_chance(random, 0.4) || !may_be_massless(tree, random, wild, i)) continue;
        tree->links[i] = zv_link_default(tree->link_names[i]);
    }
}

static bool can_mimic(zvJointType type) { return single(type) || type == ZV_JOINT_CURVE; }

/* Followers are drawn on either side of their masters; a follower is never a master. */
static void draw_mimics(rtTree *tree, rtRandom *random, int wanted) {
    bool master[RT_MAX_JOINTS] = {false};
    for (int tries = 0; wanted > 0 && tries < 20 * tree->njoint; tries++) {
        int i = rt_below(random, tree->njoint), j = rt_below(random, tree->njoint);
        zvJoint *follower = &tree->joints[i];
        bool fit = i != j && can_mimic(follower->type) && can_mimic(tree->joints[j].type);
        if (!fit || follower->mimic || master[i] || tree->joints[j].mimic) continue;
        master[j] = true;
        follower->mimic = tree->joint_names[j];
        follower->ratio = rt_signed(random, 0.3, 2);
        follower->offset = rt_uniform(random, -0.5, 0.5);
        wanted--;
    }
}

rtTree *rt_tree_create(uint64_t seed, const rtOptions *options) {
    rtTree *tree = calloc(1, sizeof *tree);
    if (!tree || options->joints > RT_MAX_JOINTS || options->frames > RT_MAX_FRAMES) abort();
    rtRandom random = {seed};
    tree->seed = seed;
    tree->free_base = options->free_base;
    tree->coupled = options->coupled;
    if (!options->weightless) rt_vector(&random, 10, 3, tree->gravity);
    draw_link(tree, &random, options, tree->nlink++);
    for (int i = 0; i < options->joints; i++) {
        tree->parent[i] = draw_parent(&random, options->shape, tree->nlink);
        draw_link(tree, &random, options, tree->nlink++);
        rt_draw_joint(tree, &random, options, tree->njoint++);
    }
    if (options->massless) draw_massless(tree, &random, options->wild);
    draw_mimics(tree, &random, options->mimics);
    while (tree->nframe < options->frames) draw_frame(tree, &random, options, tree->nframe++);
    return tree;
}

zvStatus rt_tree_add(const rtTree *tree, zvBuilder *builder, zvError *error) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < tree->nlink && status == ZV_OK; i++)
        status = zv_builder_add_link(builder, &tree->links[i], error);
    for (int i = 0; i < tree->njoint && status == ZV_OK; i++)
        status = zv_builder_add_joint(builder, &tree->joints[i], error);
    for (int i = 0; i < tree->nframe && status == ZV_OK; i++)
        status = zv_builder_add_frame(builder, &tree->frames[i], error);
    return status;
}

zvModel *rt_tree_freeze(const rtTree *tree) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    if (!builder) abort();
    zv_builder_set_gravity(builder, tree->gravity);
    zv_builder_set_free_base(builder, tree->free_base);
    zv_builder_set_mimic_coupled(builder, tree->coupled);
    zvStatus status = rt_tree_add(tree, builder, &error);
    if (status == ZV_OK) status = zv_builder_freeze(builder, &model, &error);
    if (status < 0) fprintf(stderr, "seed %llu: refused: %s\n", (unsigned long long)tree->seed, error.text);
    zv_builder_destroy(builder);
    return model;
}

zvPose rt_pose_inverse(const zvPose *x) {
    zvPose out;
    for (int i = 0; i < 3; i++) {
        out.p[i] = 0;
        for (int k = 0; k < 3; k++) {
            out.R[3 * i + k] = x->R[3 * k + i];
            out.p[i] -= x->R[3 * k + i] * x->p[k];
        }
    }
    return out;
}
