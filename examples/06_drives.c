/* A control loop in C without scenario files, libc and libm only: an arm under PD control with gravity compensation and
 * dry friction, integrated with a fixed step as on a controller. The work of every account is integrated along; with
 * the energy of the arm it must balance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "zveno/zveno.h"

enum { N = 2, WORKS = 4, SIZE = 2 * N + WORKS }; /* y = q, v, work of two frictions and two controllers */

typedef struct Plant {
    zvModel *model;
    zvWork *work;
    zvDrives *drives;
    zvEfforts *efforts;
} Plant;

static int rate(void *context, double t, const double *y, double *dy) {
    Plant *p = context;
    if (zv_drives_accelerate(p->drives, p->efforts, p->work, t, y, y + N, NULL, NULL) < 0) return -1;
    zv_position_rate(p->model, y, y + N, dy);
    memcpy(dy + N, p->efforts->a, N * sizeof *dy);
    memcpy(dy + 2 * N, p->efforts->power, WORKS * sizeof *dy);
    return 0;
}

static zvStatus build_arm(zvModel **model, zvError *error) {
    zvBuilder *builder = zv_builder_create(error);
    zvLink base = zv_link_default("base"), rod = zv_link_default("upper");
    zvJoint joint = zv_joint_default("shoulder", ZV_JOINT_REVOLUTE, "base", "upper");
    zvStatus status = zv_builder_add_link(builder, &base, error);
    rod.has_inertia = true;
    rod.inertia = (zvInertia){.mass = 3, .com = {0.25, 0, 0}, .moment = {0.01, 0, 0, 0.07, 0, 0.07}};
    joint.axis[1] = -1, joint.axis[2] = 0; /* a positive angle lifts the rod */
    for (int i = 0; i < N && status >= 0; i++) {
        status = zv_builder_add_link(builder, &rod, error);
        if (status >= 0) status = zv_builder_add_joint(builder, &joint, error);
        rod.name = "lower", joint.name = "elbow", joint.parent = "upper", joint.child = "lower";
        joint.origin.p[0] = 0.5;
    }
    if (status >= 0) status = zv_builder_freeze(builder, model, error);
    zv_builder_destroy(builder);
    return status;
}

static zvStatus add_drives(zvDrives *drives, zvError *error) {
    const zvFriction dry = {.coulomb = {1.5, 1.5}, .viscous = 0.2, .smoothing = 0.05};
    const double from[3 * N] = {0}, to[3 * N] = {1.0, -0.8}; /* positions, velocities, accelerations at both ends */
    const zvPid pd = {.kp = (double[N]){400, 200}, .kd = (double[N]){40, 12}, .gravity = true};
    zvLaw *quintic = zv_law_boundary(N, 0, 1.5, 3, from, 3, to, error);
    for (int i = 0; i < N; i++)
        if (zv_drives_add_friction(drives, "friction", i, &dry, error) < 0) return ZV_SCHEMA;
    return quintic ? zv_drives_add_pid(drives, "pd", N, (int[N]){0, 1}, &pd, quintic, NULL, error) : ZV_MEMORY;
}

static double energy(const Plant *p, const double *y) {
    double kinetic, potential;
    zv_energy(p->model, p->work, y, y + N, &kinetic, &potential);
    return kinetic + potential;
}

int main(void) {
    zvError error = {0};
    Plant p = {0};
    zvIntegrationOptions options = zv_integration_default();
    options.method = "rk4", options.step = 1e-3;
    if (build_arm(&p.model, &error) < 0 || !(p.work = zv_work_create(p.model, &error)) ||
        !(p.drives = zv_drives_create(p.model, &error)) || add_drives(p.drives, &error) < 0 ||
        !(p.efforts = zv_efforts_create(p.drives, &error)))
        return fprintf(stderr, "%s\n", error.text), 1;
    const zvOde ode = {.size = SIZE, .context = &p, .rate = rate};
    zvIntegrator *integrator = zv_integrator_create(&ode, &options, &error);
    double start[SIZE] = {0}, before = energy(&p, start), gap = 0;
    if (!integrator || zv_integrator_start(integrator, 0, start, &error) < 0)
        return fprintf(stderr, "%s\n", error.text), 1;

    zvStepEnd end = ZV_STEP_INSIDE;
    while (end != ZV_STEP_STOP) /* one step of 1 ms at a time: the place for a controller of one's own */
        if (zv_integrator_step(integrator, 3, &end, &error) < 0) return fprintf(stderr, "%s\n", error.text), 1;
    const double *y = zv_integrator_state(integrator);
    for (int i = 0; i < WORKS; i++) {
        printf("%-18s %9.5f J\n", zv_drives_account(p.drives, i).name, y[2 * N + i]);
        gap -= y[2 * N + i];
    }
    gap += energy(&p, y) - before;
    printf("at t = %g s: q = %.5f %.5f (wanted 1 -0.8), gap of the balance %.1e J\n", zv_integrator_time(integrator),
           y[0], y[1], gap);
    const bool good = fabs(y[0] - 1) < 1e-4 && fabs(y[1] + 0.8) < 1e-4 && fabs(gap) < 1e-8;
    zv_integrator_destroy(integrator), zv_efforts_destroy(p.efforts), zv_drives_destroy(p.drives);
    zv_work_destroy(p.work), zv_model_destroy(p.model);
    return !good;
}
