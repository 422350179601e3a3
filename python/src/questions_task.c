/* Questions of opspace.h. A task is a frame, axes and rows. */
#include <string.h>

#include "ask.h"

static zvStatus task_dynamics(Call *c) {
    zvTaskDynamics x;
    const zvStatus status = zv_task_dynamics(c->model, c->task_work, IN(0), IN(1), &c->task, &x);
    const size_t m = (size_t)zv_task_width(&c->task);
    memcpy(OUT(0), x.Lambda, m * m * sizeof(double));
    memcpy(OUT(1), x.mu, m * sizeof(double));
    memcpy(OUT(2), x.rho, m * sizeof(double));
    *OUT(3) = x.rcond;
    return status;
}
QUESTION(
    task_dynamics, "q:q frame:F v?:v axes=world:A rows=full:R -> Lambda:Z mu:x rho:x rcond:s", task_dynamics,
    "Dynamics of a task, Lambda xdd + mu + rho = F: a frame and some of its directions, such as \"xyz\", \"position\", "
    "\"x,y,rz\". rcond: how far from singular, at most 1.")

static zvStatus task_inertia(Call *c) {
    return zv_task_inertia(c->model, c->task_work, IN(0), NULL, &c->task, OUT(0), NULL, NULL, NULL);
}
QUESTION(task_inertia, "q:q frame:F axes=world:A rows=full:R -> Lambda:Z", task_inertia,
         "Operational-space inertia Lambda of a task alone: a third less work than task_dynamics.")

static zvStatus task_jacobian(Call *c) {
    zv_task_jacobian(c->model, c->task_work, IN(0), &c->task, OUT(0));
    return ZV_OK;
}
QUESTION(task_jacobian, "q:q frame:F axes=world:A rows=full:R -> J:K", task_jacobian, "Jacobian of a task.")

static zvStatus task_inverse(Call *c) { return zv_task_inverse(c->model, c->task_work, IN(0), &c->task, OUT(0)); }
QUESTION(task_inverse, "q:q frame:F axes=world:A rows=full:R -> Jbar:N", task_inverse,
         "The dynamically consistent inverse Jbar = M^-1 J^T Lambda.")

static zvStatus null_force(Call *c) {
    return zv_task_null_force(c->model, c->task_work, IN(0), &c->task, IN(1), OUT(0));
}
QUESTION(task_null_force, "q:q frame:F tau:v axes=world:A rows=full:R -> tau_null:v", null_force,
         "The part of tau that does not accelerate the task.")

static zvStatus null_projector(Call *c) {
    return zv_task_null_projector(c->model, c->task_work, IN(0), &c->task, OUT(0));
}
QUESTION(task_null_projector, "q:q frame:F axes=world:A rows=full:R -> N:V", null_projector,
         "N = 1 - Jbar J: velocities that leave the task alone.")

static zvStatus task_force(Call *c) {
    static const double still[6];
    return zv_task_force(c->model, c->task_work, IN(0), IN(2), &c->task, c->in[1] ? IN(1) : still, IN(3), OUT(0));
}
QUESTION(task_force, "q:q frame:F xdd?:x v?:v null_tau?:v axes=world:A rows=full:R -> tau:v", task_force,
         "tau that gives the task the acceleration xdd, plus null_tau projected.")

static zvStatus task_resolve(Call *c) {
    return zv_task_resolve(c->model, c->task_work, IN(0), &c->task, c->in[3], IN(1), IN(2), OUT(0), OUT(1));
}
QUESTION(
    task_resolve, "q:q frame:F xd:x xdd?:x held?:g axes=world:A rows=full:R -> v:v a:v", task_resolve,
    "Least joint velocities with J v = xd, and least accelerations that give xdd; held: 1 where a joint does not move.")

/* From guess to the pose wanted. */
static zvStatus inverse_kinematics(Call *c) {
    zvInverseKinematics options = zv_inverse_kinematics_default();
    zvPose target;
    for (int i = 0; i < 3; i++) {
        memcpy(target.R + 3 * i, IN(1) + 4 * i, 3 * sizeof(double));
        target.p[i] = IN(1)[4 * i + 3];
    }
    options.held = c->in[2];
    options.restarts = c->whole;
    if (c->number[0] > 0) options.tolerance = c->number[0];
    memcpy(OUT(0), IN(0), (size_t)zv_model_nq(c->model) * sizeof(double));
    const zvStatus status = zv_inverse_kinematics(c->model, c->task_work, &c->task, &target, &options, OUT(0), OUT(1));
    if (status == ZV_NO_CONVERGENCE)
        zv_fail(&c->error, status, (zvMark){0}, "target",
                "the target is out of reach from this guess: %.3g is left (m, rad); try another guess, restarts=10, or "
                "fewer "
                "rows",
                *OUT(1));
    return status;
}
QUESTION(
    inverse_kinematics,
    "q:q frame:F target:H held?:g axes=world:A rows=full:R restarts=0:i tolerance=1e-12:d -> q_found:q gap:s",
    inverse_kinematics,
    "Position near the guess q at which the frame has the pose wanted, or its rows of it; within the limits of joints.")

const AskEntry zp_task[] = {ENTRY(task_dynamics), ENTRY(task_jacobian),   ENTRY(task_inverse),
                            ENTRY(task_inertia),  ENTRY(task_null_force), ENTRY(task_null_projector),
                            ENTRY(task_force),    ENTRY(task_resolve),    ENTRY(inverse_kinematics),
                            {NULL, NULL}};
