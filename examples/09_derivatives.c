/* Derivatives at work: a double pendulum is to balance a given load at its tip by its own torques. Newton's iteration
 * on tau(q) = wanted, with d tau/d q from one call, reaches rounding in a few steps; differences check the first
 * matrix. */
#include <math.h>
#include <stdio.h>

#include "zveno/zveno.h"

enum { N = 2 };

static zvModel *double_pendulum(zvError *error) {
    const char *names[N + 1] = {"base", "upper", "lower"};
    zvBuilder *builder = zv_builder_create(error);
    zvModel *model = NULL;
    for (int i = 0; builder && i <= N; i++) {
        zvLink link = zv_link_default(names[i]);
        link.has_inertia = i > 0;
        link.inertia = (zvInertia){.mass = 2, .com = {0.25, 0, 0}, .moment = {1e-3, 0, 0, 0.04, 0, 0.04}};
        zv_builder_add_link(builder, &link, error);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_REVOLUTE, names[i - 1], names[i]);
        joint.axis[1] = 1, joint.axis[2] = 0; /* about y: it swings in a vertical plane */
        joint.origin.p[0] = i > 1 ? 0.5 : 0;
        zv_builder_add_joint(builder, &joint, error);
    }
    if (builder) zv_builder_freeze(builder, &model, error);
    zv_builder_destroy(builder);
    return model;
}

/* Largest difference of dq from (tau(q + h) - tau(q - h)) / 2h. */
static double compare(const zvModel *model, zvWork *work, const double *q, const double *fext, const double *dq) {
    const double h = 1e-5;
    double worst = 0, plus[N], minus[N], moved[N];
    for (int k = 0; k < N; k++) {
        double step[N] = {0};
        step[k] = h;
        zv_position_add(model, q, step, moved);
        zv_inverse_dynamics(model, work, moved, NULL, NULL, fext, plus);
        step[k] = -h;
        zv_position_add(model, q, step, moved);
        zv_inverse_dynamics(model, work, moved, NULL, NULL, fext, minus);
        for (int i = 0; i < N; i++) worst = fmax(worst, fabs(dq[N * i + k] - (plus[i] - minus[i]) / (2 * h)));
    }
    return worst;
}

int main(void) {
    zvError error = {0};
    zvModel *model = double_pendulum(&error);
    zvWork *work = model ? zv_work_create(model, &error) : NULL;
    if (!work) return fprintf(stderr, "%s\n", zv_error_line(&error, (char[1024]){0}, 1024)), 1;
    const double wanted[N] = {-9, -3}; /* N m */
    double fext[6 * (N + 1)] = {0};    /* 4 N upwards and 1 N sideways on the lower link */
    double q[N] = {0.3, 0.2}, tau[N], dq[N * N], residual = 1, off = 0;
    fext[6 * N] = 1, fext[6 * N + 2] = 4;
    for (int i = 0; i < 20 && residual > 1e-12; i++) {
        zv_inverse_dynamics(model, work, q, NULL, NULL, fext, tau);
        if (zv_inverse_derivatives(model, work, q, NULL, NULL, fext, dq, NULL, NULL) < 0) return 1;
        if (i == 0) off = compare(model, work, q, fext, dq);
        const double e0 = wanted[0] - tau[0], e1 = wanted[1] - tau[1], D = dq[0] * dq[3] - dq[1] * dq[2];
        const double step[N] = {(dq[3] * e0 - dq[1] * e1) / D, (dq[0] * e1 - dq[2] * e0) / D};
        residual = fmax(fabs(e0), fabs(e1));
        printf("step %d: q = (%.12f, %.12f), residual %.1e N m\n", i, q[0], q[1], residual);
        zv_position_add(model, q, step, q);
    }
    printf("first matrix against differences: %.1e\n", off);
    zv_work_destroy(work), zv_model_destroy(model);
    return !(residual <= 1e-12 && off < 1e-7);
}
