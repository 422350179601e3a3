/* Loops that come and go: two carts on a rail meet, a coupling between them closes and opens again. Closing is an
 * impact: momentum is kept, and what energy is lost the answer tells. */
#include <math.h>
#include <stdio.h>

#include "zveno/zveno.h"

/* Carts of 3 and 2 kg that slide along x; the loop "hook" holds them together when it is closed. */
static zvStatus build(zvModel **model, zvError *error) {
    static const char *const names[2] = {"front", "rear"};
    static const double mass[2] = {3, 2};
    zvBuilder *builder = zv_builder_create(error);
    const zvLink ground = zv_link_default("ground");
    const zvLoopTerm terms[2] = {{"front", 1}, {"rear", -1}};
    zvLoop hook = zv_loop_default("hook", ZV_LOOP_COUPLING, ZV_JOINT_FIXED, NULL, NULL);
    zvStatus status = builder ? zv_builder_add_link(builder, &ground, error) : ZV_MEMORY;
    for (int i = 0; i < 2 && status >= 0; i++) {
        zvLink cart = zv_link_default(names[i]);
        zvJoint rail = zv_joint_default(names[i], ZV_JOINT_PRISMATIC, "ground", names[i]);
        cart.inertia = (zvInertia){.mass = mass[i], .moment = {0.1, 0, 0, 0.1, 0, 0.1}};
        rail.axis[0] = 1, rail.axis[2] = 0;
        status = zv_builder_add_link(builder, &cart, error);
        if (status >= 0) status = zv_builder_add_joint(builder, &rail, error);
    }
    hook.terms = terms;
    hook.term_count = 2; /* 1 front - 1 rear = 0 */
    hook.open = true;    /* until something closes it */
    if (status >= 0) status = zv_builder_add_loop(builder, &hook, error);
    if (status >= 0) status = zv_builder_freeze(builder, model, error);
    zv_builder_destroy(builder);
    return status;
}

int main(void) {
    zvError error = {0};
    zvModel *model = NULL;
    zvWork *work = NULL;
    if (build(&model, &error) < 0 || !(work = zv_work_create(model, &error))) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    unsigned char open[1] = {1};
    const zvClosing closing = {.open = open}; /* every call looks at what is open now */
    const double tau[2] = {10, 0}, t = 1.0 / 3;
    double q[2] = {0, 1}, v[2] = {2, -1}, a[2], jump[2], impulse[1], lambda[1], before, after, potential, gap[1];

    for (int i = 0; i < 2; i++) q[i] += v[i] * t; /* nothing pushes: they meet */
    zv_energy(model, work, q, v, &before, &potential);

    open[0] = 0;
    zv_loop_gaps(model, work, &closing, q, v, gap, NULL);
    if (fabs(gap[0]) > 1e-12 || zv_loop_impact(model, work, &closing, q, v, NULL, jump, impulse) < 0) return 1;
    const double momentum = 3 * v[0] + 2 * v[1];
    for (int i = 0; i < 2; i++) v[i] += jump[i];
    zv_energy(model, work, q, v, &after, &potential);
    printf("closed: %.3f and %.3f m/s, impulse %.3f N s, %.3f J lost\n", v[0], v[1], impulse[0], before - after);
    if (fabs(v[0] - v[1]) > 1e-12 || fabs(3 * v[0] + 2 * v[1] - momentum) > 1e-12) return 1;
    if (fabs(before - after - 0.5 * (3.0 * 2 / 5) * 9) > 1e-12) return 1; /* of the reduced mass at 3 m/s */

    if (zv_closed_forward_dynamics(model, work, &closing, q, v, tau, NULL, a, lambda) < 0) return 1;
    printf("together: %.3f and %.3f m/s^2, the hook bears %.3f N\n", a[0], a[1], lambda[0]);
    if (fabs(a[0] - 2) > 1e-12 || fabs(a[1] - 2) > 1e-12) return 1;

    open[0] = 1;
    if (zv_closed_forward_dynamics(model, work, &closing, q, v, tau, NULL, a, lambda) < 0) return 1;
    printf("let go: %.3f and %.3f m/s^2\n", a[0], a[1]);
    if (fabs(a[0] - 10.0 / 3) > 1e-12 || fabs(a[1]) > 1e-12) return 1;
    zv_work_destroy(work);
    zv_model_destroy(model);
    return 0;
}
