/* A closed loop: a four-bar linkage, assembled from a rough guess, pushed at its crank.
 * One call gives the accelerations of all joints and the force in the hinge that closes the loop. */
#include <math.h>
#include <stdio.h>

#include "zveno/zveno.h"

/* A bar of 1 kg per metre along x on a hinge about z, x metres along its parent. */
static zvStatus add_bar(zvBuilder *builder, const char *name, double length, const char *joint, const char *parent,
                        double x, zvError *error) {
    zvLink link = zv_link_default(name);
    zvJoint hinge = zv_joint_default(joint, ZV_JOINT_CONTINUOUS, parent, name);
    const double moment = length * length * length / 12;
    link.inertia = (zvInertia){.mass = length, .com = {length / 2, 0, 0}, .moment = {1e-4, 0, 0, moment, 0, moment}};
    hinge.origin.p[0] = x;
    zvStatus status = zv_builder_add_link(builder, &link, error);
    return status < 0 ? status : zv_builder_add_joint(builder, &hinge, error);
}

static zvStatus build(zvModel **model, zvError *error) {
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvLink ground = zv_link_default("ground");
    zvLoop loop = zv_loop_default("wrist", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "coupler", "rocker");
    loop.origin.p[0] = 0.4;       /* the far end of the coupler */
    loop.child_origin.p[0] = 0.3; /* and of the rocker */
    zv_builder_set_gravity(builder, (const double[3]){0, -9.81, 0});
    zvStatus status = zv_builder_add_link(builder, &ground, error);
    if (status >= 0) status = add_bar(builder, "crank", 0.1, "shaft", "ground", 0, error);
    if (status >= 0) status = add_bar(builder, "coupler", 0.4, "pin", "crank", 0.1, error);
    if (status >= 0) status = add_bar(builder, "rocker", 0.3, "pivot", "ground", 0.35, error);
    if (status >= 0) status = zv_builder_add_loop(builder, &loop, error);
    if (status >= 0) status = zv_builder_freeze(builder, model, error);
    zv_builder_destroy(builder);
    return status;
}

int main(void) {
    zvError error = {0};
    zvModel *model = NULL;
    if (build(&model, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    zvWork *work = zv_work_create(model, &error);
    const unsigned char held[3] = {1, 0, 0}; /* the crank stays at 0.8 rad, the others find their places */
    zvAssembly options = zv_assembly_default();
    double q[3] = {0.8, 0.2, 1.5}, v[3] = {0}, a[3], lambda[5], wrench[6], gaps[5];
    const double tau[3] = {0.5, 0, 0};
    options.held = held;
    if (!work || zv_assemble(model, work, NULL, &options, q, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("assembled: shaft %.6f, pin %.6f, pivot %.6f rad\n", q[0], q[1], q[2]);

    /* The hinge has five conditions, of which a planar linkage needs two: ZV_DEGRADED, an answer of least norm. */
    zvStatus status = zv_closed_forward_dynamics(model, work, NULL, q, v, tau, NULL, a, lambda);
    zv_loop_wrenches(model, work, q, lambda, wrench);
    printf("accelerations: %.5f, %.5f, %.5f rad/s^2 (%s)\n", a[0], a[1], a[2], zv_status_sentence(status));
    printf("coupler on rocker: %.5f N, %.5f N along the rocker's x and y\n", wrench[0], wrench[1]);

    zv_loop_gaps(model, work, NULL, q, NULL, gaps, NULL);
    double worst = 0;
    for (int i = 0; i < 5; i++) worst = fmax(worst, fabs(gaps[i]));
    zv_work_destroy(work);
    zv_model_destroy(model);
    return status != ZV_DEGRADED || worst > 1e-12;
}
