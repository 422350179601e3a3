/* A rod that swings about a horizontal axis, built in code: how it starts to fall, and what holds it. */
#include <math.h>
#include <stdio.h>

#include "zveno/zveno.h"

int main(void) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvLink base = zv_link_default("base");
    zvLink rod = zv_link_default("rod");
    rod.has_inertia = true;
    rod.inertia = (zvInertia){.mass = 2, .com = {0, 0, -0.5}, .moment = {1.0 / 6, 0, 0, 1.0 / 6, 0, 0.001}};
    zvJoint hinge = zv_joint_default("hinge", ZV_JOINT_REVOLUTE, "base", "rod");
    hinge.axis[1] = 1, hinge.axis[2] = 0;

    zvModel *model = NULL;
    if (zv_builder_add_link(builder, &base, &error) < 0 || zv_builder_add_link(builder, &rod, &error) < 0 ||
        zv_builder_add_joint(builder, &hinge, &error) < 0 || zv_builder_freeze(builder, &model, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    zv_builder_destroy(builder);
    zvWork *work = zv_work_create(model, &error);

    /* A uniform rod of length L falls with a = -3 g sin(q) / (2 L). */
    double q = 0.5, v = 0, tau = 0, a, hold, expected = -1.5 * 9.81 * sin(q);
    zvStatus status = zv_forward_dynamics(model, work, &q, &v, &tau, NULL, &a);
    zv_gravity_force(model, work, &q, &hold);
    printf("acceleration when let go: %.6f rad/s^2 (by hand %.6f)\n", a, expected);
    printf("torque that holds it:     %.6f N m\n", hold);

    zv_work_destroy(work);
    zv_model_destroy(model);
    return status < 0 || fabs(a - expected) > 1e-9;
}
