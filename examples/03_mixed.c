/* Mixed dynamics: a cart is driven with a known acceleration while the pole on it swings freely.
 * One call gives the force the drive needs and the acceleration of the pole. */
#include <math.h>
#include <stdio.h>

#include "zveno/zveno.h"

static zvStatus add_body(zvBuilder *builder, const char *name, double mass, double com_z, zvError *error) {
    zvLink link = zv_link_default(name);
    link.has_inertia = true;
    link.inertia = (zvInertia){.mass = mass, .com = {0, 0, com_z}, .moment = {0.02, 0, 0, 0.02, 0, 0.02}};
    return zv_builder_add_link(builder, &link, error);
}

static zvStatus build(zvModel **model, zvError *error) {
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvLink ground = zv_link_default("ground");
    zvJoint rail = zv_joint_default("rail", ZV_JOINT_PRISMATIC, "ground", "cart");
    zvJoint pivot = zv_joint_default("pivot", ZV_JOINT_CONTINUOUS, "cart", "pole");
    rail.axis[0] = 1, rail.axis[2] = 0;
    pivot.axis[1] = 1, pivot.axis[2] = 0;
    zvStatus status = zv_builder_add_link(builder, &ground, error);
    if (status >= 0) status = add_body(builder, "cart", 3, 0, error);
    if (status >= 0) status = add_body(builder, "pole", 1, 0.5, error);
    if (status >= 0) status = zv_builder_add_joint(builder, &rail, error);
    if (status >= 0) status = zv_builder_add_joint(builder, &pivot, error);
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
    const double q[2] = {0, 0.2}, v[2] = {0, 0};
    const unsigned char given[2] = {ZV_GIVEN_ACCELERATION, ZV_GIVEN_FORCE};
    double a[2] = {1.5, 0}, tau[2] = {0, 0}, check[2];
    zvStatus status = zv_mixed_dynamics(model, work, q, v, given, NULL, tau, a);
    printf("cart: acceleration %8.5f m/s^2 (given),      force  %8.5f N (needed)\n", a[0], tau[0]);
    printf("pole: acceleration %8.5f rad/s^2 (follows),  torque %8.5f N m (given)\n", a[1], tau[1]);

    /* The inverse problem for the motion just found must give back both forces. */
    zv_inverse_dynamics(model, work, q, v, a, NULL, check);
    double worst = fmax(fabs(check[0] - tau[0]), fabs(check[1] - tau[1]));
    zv_work_destroy(work);
    zv_model_destroy(model);
    return status < 0 || worst > 1e-12;
}
