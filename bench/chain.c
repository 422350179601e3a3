/* Chains with generic geometry: nothing about them is special enough to be optimised away. */
#include "chain.h"

#include <math.h>
#include <stdio.h>

/* A fixed number in [-1, 1] for every k: chains of any length share their first links. */
static double wave(int k, int phase) { return sin(1.7 * k + 0.9 * phase + 0.3); }

static zvLink chain_link(int k, const char *name) {
    zvLink link = zv_link_default(name);
    if (k == 0) return link;
    link.has_inertia = true;
    link.inertia =
        (zvInertia){.mass = 1 + 0.3 * wave(k, 0),
                    .com = {0.02 * wave(k, 1), 0.02 * wave(k, 2), 0.05 + 0.02 * wave(k, 3)},
                    .moment = {0.003, 2e-4 * wave(k, 4), 2e-4 * wave(k, 5), 0.0025, 2e-4 * wave(k, 6), 0.002}};
    return link;
}

static zvJoint chain_joint(int k, const char *name, const char *parent, const char *child) {
    zvJoint joint = zv_joint_default(name, ZV_JOINT_REVOLUTE, parent, child);
    const double xyz[3] = {0.02 * wave(k, 7), 0.02 * wave(k, 8), 0.1 + 0.02 * wave(k, 9)};
    const double rpy[3] = {0.5 * wave(k, 10), 0.5 * wave(k, 11), 0.5 * wave(k, 12)};
    joint.origin = zv_pose_from_rpy(xyz, rpy);
    for (int i = 0; i < 3; ++i) joint.axis[i] = i == 2 - k % 3;
    return joint;
}

/* Links and joints of the chain of the studies, named by number. */
zvStatus chain_describe(zvBuilder *builder, int count, zvError *error) {
    char parent[24], child[24], name[24];
    zvStatus status = zv_builder_set_name(builder, "chain", error);
    for (int k = 0; k <= count && status >= 0; ++k) {
        snprintf(child, sizeof child, "link%d", k);
        const zvLink link = chain_link(k, child);
        status = zv_builder_add_link(builder, &link, error);
        if (k > 0 && status >= 0) {
            snprintf(parent, sizeof parent, "link%d", k - 1);
            snprintf(name, sizeof name, "joint%d", k);
            const zvJoint joint = chain_joint(k, name, parent, child);
            status = zv_builder_add_joint(builder, &joint, error);
        }
    }
    return status;
}

zvStatus chain_create(int count, zvModel **model, zvError *error) {
    zvBuilder *builder = zv_builder_create(error);
    *model = NULL;
    if (!builder) return ZV_MEMORY;
    zvStatus status = chain_describe(builder, count, error);
    if (status >= 0) status = zv_builder_freeze(builder, model, error);
    zv_builder_destroy(builder);
    return status;
}
