/* Task control of a robot some of whose degrees of freedom nobody drives, a floating base above all: reduced dynamics,
 * docs/actuation.md (5.8)-(5.11).
 *
 * The driven degrees of freedom alone have the mass matrix M_r = (S M^-1 S^T)^-1, the others following as they will.
 * All of it rests on one reduction of forces, f -> f - M x with x = M_uu^-1 f_u, the motion by which the others evade
 * f: it makes J^T to J_r^T = S^T M_r S M^-1 J^T and M S^T v_a to M_r v_a, in two sweeps of O(n).
 *
 * Elastic links count as they are bent, not accelerated, as in computed torque: M is that of the joints. Taken for
 * degrees of freedom that evade, the control would invert their vibrations, and those of a tip run away then. */

#include "actuate/element.h"
#include "base/require.h"
#include "opspace/task.h"

#include <math.h>
#include <string.h>

static const double held = 1e30, bent = 2e30; /* addends to M that no force moves: driven; elastic */

static bool is_driven(const ziEffortsScratch *scratch, int dof) { return scratch->hold[dof] == held; }

/* Which degrees of freedom the control drives; elastic ones stay as they are bent, also for dynamics (locked). */
static void mark(const ziElement *e, const ziInstant *now) {
    const zvDrives *d = now->drives;
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    for (int i = 0; i < d->nv; i++) {
        scratch->hold[i] = d->freedoms[i].elastic ? bent : 0;
        scratch->locked[i] = d->freedoms[i].elastic ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
    }
    for (int k = 0; k < e->count; k++) {
        scratch->hold[e->dofs[k]] = held;
        scratch->locked[e->dofs[k]] = ZV_GIVEN_FORCE;
    }
}

/* f (nv) as far as the driven degrees of freedom feel it when the others evade. */
static zvStatus reduce(const void *instant, double *f) {
    const ziInstant *now = instant;
    const zvModel *model = now->drives->model;
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    double *x = scratch->y;
    int nv = now->drives->nv;
    for (int i = 0; i < nv; i++) x[i] = scratch->hold[i] > 0 ? 0 : f[i];
    if (!zi_all_zero(nv, x)) {
        zvStatus status = zv_augmented_inverse_times(model, now->work, now->q, scratch->hold, x, x);
        if (status < 0) return status;
        for (int i = 0; i < nv; i++) x[i] = scratch->hold[i] > 0 ? 0 : x[i];
        zv_mass_times(model, now->work, now->q, x, x);
    }
    for (int i = 0; i < nv; i++) f[i] = is_driven(scratch, i) ? f[i] - x[i] : 0;
    return ZV_OK;
}

/* What the task's rows lack of xdd when nobody pushes; tau (nv) is scratch. */
static zvStatus lack(const ziElement *e, const ziInstant *now, const ziTaskRows *rows, const double *xdd, double *tau,
                     double *x) {
    const zvTask *task = &e->of.task.task;
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    double *a = scratch->y, idle[6];
    const zvModel *model = now->drives->model;
    memset(tau, 0, (size_t)now->drives->nv * sizeof *tau);
    zvStatus status = zv_mixed_dynamics(model, now->work, now->q, now->v, scratch->locked, NULL, tau, a);
    zv_frame_acceleration(model, now->work, now->q, now->v, a, task->frame, task->axes, idle);
    for (int i = 0; i < rows->count; i++) x[i] = xdd[i] - idle[rows->at[i]];
    return status;
}

/* tau := -null_damping M_r v_a */
static zvStatus brake(const ziElement *e, const ziInstant *now, double *tau) {
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    int nv = now->drives->nv;
    for (int i = 0; i < nv; i++) tau[i] = is_driven(scratch, i) ? -e->of.task.null_damping * now->v[i] : 0;
    if (e->of.task.null_damping == 0) return ZV_OK;
    zv_mass_times(now->drives->model, now->work, now->q, tau, tau);
    return reduce(now, tau);
}

/* Of a task control that may not use all degrees of freedom: forces (nv, zero where it may not push) that give the
 * task's rows the acceleration xdd. */
static zvStatus reduced_task_force(const ziElement *e, const ziInstant *now, const double *xdd, double *tau) {
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    const ziTaskDrive drive = {reduce, now, scratch->locked};
    ziOpenTask open = {.J = scratch->J, .Y = scratch->Y}; /* J_r, M^-1 J_r^T, (J_r M^-1 J_r^T)^-1 */
    double x[6];
    mark(e, now);
    zvStatus opened = zi_task_open(now->drives->model, now->work, now->q, &e->of.task.task, &drive, &open);
    zvStatus status = opened < 0 ? opened : lack(e, now, &open.rows, xdd, tau, x);
    if (status >= 0) status = brake(e, now, tau);
    if (status < 0) return status;
    zi_task_correct(&open, x, tau);
    return opened;
}

/* Operational-space control of a frame, [Kolyubin] 3.2: tau = J^T (Lambda x* + mu + rho) with
 * x* = xdd + kd (xd - x') + kp e, and damping -c (1 - J^T Jbar^T) M v of the motion that leaves the task
 * alone. Where it may not use all degrees of freedom: reduced dynamics, above. */

/* x (6) from world axes into those of the frame. */
static void turn_to_frame(const zvPose *pose, double *x) {
    for (int half = 0; half < 6; half += 3) {
        double y[3] = {x[half], x[half + 1], x[half + 2]};
        for (int i = 0; i < 3; i++) x[half + i] = pose->R[i] * y[0] + pose->R[3 + i] * y[1] + pose->R[6 + i] * y[2];
    }
}

/* xdd of the task's rows: acceleration of the route + kd (error of velocity) + kp (error of pose), in the task's axes.
 */
static void wanted(const ziElement *e, const ziInstant *now, double *xdd) {
    const ziTaskData *c = &e->of.task;
    const zvModel *model = now->drives->model;
    zvPose target, actual;
    double velocity[6], acceleration[6], moving[6], gap[6];
    zv_route_at(e->route, now->t, &target, velocity, acceleration);
    zv_frame_pose(model, now->work, now->q, c->task.frame, &actual);
    zv_frame_velocity(model, now->work, now->q, now->v, c->task.frame, ZV_AXES_WORLD, moving);
    zv_pose_error(&target, &actual, gap);
    for (int i = 0; i < 6; i++) velocity[i] -= moving[i];
    if (c->task.axes == ZV_AXES_LOCAL) {
        turn_to_frame(&actual, velocity);
        turn_to_frame(&actual, acceleration);
        turn_to_frame(&actual, gap);
    }
    for (int i = 0, m = 0; i < 6; i++) {
        if (c->task.rows >> i & 1) xdd[m++] = acceleration[i] + c->kd[i] * velocity[i] + c->kp[i] * gap[i];
    }
}

/* Of all degrees of freedom. */
static zvStatus whole_force(const ziElement *e, const ziInstant *now, const double *xdd, double *tau) {
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    const ziTaskData *c = &e->of.task;
    if (c->null_damping > 0) {
        zv_mass_times(now->drives->model, now->work, now->q, now->v, scratch->y);
        for (int i = 0; i < now->drives->nv; i++) scratch->y[i] *= -c->null_damping;
    }
    return zv_task_force(now->drives->model, scratch->tasks, now->q, now->v, &c->task, xdd,
                         c->null_damping > 0 ? scratch->y : NULL, tau);
}

static zvStatus task_push(const ziElement *e, const ziInstant *now) {
    double *tau = zi_efforts_scratch(now->out)->x, xdd[6];
    wanted(e, now, xdd);
    zvStatus status = e->count < now->drives->nv ? reduced_task_force(e, now, xdd, tau) : whole_force(e, now, xdd, tau);
    if (status < 0) return status;
    for (int k = 0; k < e->count; k++) zi_push_limited(e, now, k, tau[e->dofs[k]]);
    return status;
}

static bool claim(zvDrives *d, ziElement *e) {
    if (!zi_claim_accounts(d, e)) return false;
    d->has_tasks = true;
    d->has_reduced |= e->count < d->nv;
    return true;
}

const ziElementKind zi_task_control_kind = {
    .word = "task control", .actuates = true, .claim = claim, .push = task_push};

/* Whether frame, directions, degrees of freedom, route and gains are valid. Closed loops are refused: they would need
 * reduced dynamics that task control does not have. */
static zvStatus check(const zvDrives *d, const ziElement *e, zvError *error) {
    const zvTask *task = &e->of.task.task;
    if (zv_model_nloop(d->model) > 0)
        return zv_fail(
            error, ZV_NOT_SUPPORTED, (zvMark){0}, e->name,
            "task control \"%s\": expected a model without closed loops, found %d; drive its joints by computed "
            "torque, a pid or a prescribed motion",
            e->name, zv_model_nloop(d->model));
    if (task->frame < 0 || task->frame >= zv_model_nframe(d->model))
        return zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                       "task control \"%s\": expected one of %d frames, counted from 0, found %d", e->name,
                       zv_model_nframe(d->model), task->frame);
    if ((task->rows & ZV_TASK_FULL) == 0 || task->rows > ZV_TASK_FULL)
        return zv_fail(
            error, ZV_SCHEMA, (zvMark){0}, e->name,
            "task control \"%s\": expected some of the directions x y z rx ry rz, found rows %#x; choose some", e->name,
            task->rows);
    if (e->count < 1)
        return zv_fail(error, ZV_SIZE, (zvMark){0}, e->name,
                       "task control \"%s\": expected degrees of freedom to use, found none; name some", e->name);
    if (!e->route)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name,
                       "task control \"%s\": expected a route, found none; give one", e->name);
    if (((task->rows & 7) && !zv_route_places(e->route)) || ((task->rows >> 3) && !zv_route_turns(e->route)))
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name,
                       "task control \"%s\": expected a route that leads the %s it is to follow, found one that does "
                       "not; choose other rows, or another route",
                       e->name, zv_route_places(e->route) ? "orientation" : "position");
    for (int i = 0; i < 6; i++) {
        zvStatus status = zi_check_finite(e, "kp", e->of.task.kp[i], error);
        if (status == ZV_OK) status = zi_check_finite(e, "kd", e->of.task.kd[i], error);
        if (status < 0) return status;
    }
    return zi_check_not_negative(e, "null-space damping", e->of.task.null_damping, error);
}

/* Names all degrees of freedom but those of free joints, on which nobody can push, with their limits; false when out of
 * memory. */
static bool use_driven(zvDrives *d, zvTaskControl *c) {
    int *dofs = zi_arena_alloc(&d->arena, (size_t)d->nv * sizeof *dofs);
    double *limit = zi_arena_alloc(&d->arena, (size_t)d->nv * sizeof *limit);
    if (!dofs || !limit) return false;
    c->count = 0;
    for (int j = 0; j < zv_model_njoint(d->model); j++) {
        const zvJointPlace place = zv_model_joint_place(d->model, j);
        if (zv_model_joint(d->model, j)->type == ZV_JOINT_FREE) continue;
        for (int k = 0; k < place.nv; k++) {
            if (c->limit) limit[c->count] = c->limit[place.v_index + k];
            dofs[c->count++] = place.v_index + k;
        }
    }
    c->dofs = dofs;
    if (c->limit) c->limit = limit;
    return true;
}

/* The set takes the route over, also when it refuses. */
zvStatus zv_drives_add_task_control(zvDrives *d, const char *name, const zvTask *task, zvRoute *route,
                                    const zvTaskControl *control, zvError *error) {
    ZI_REQUIRE(d && task && control);
    zvTaskControl c = *control;
    ziElement e = {.kind = &zi_task_control_kind, .route = route};
    e.of.task = (ziTaskData){.task = *task, .null_damping = c.null_damping};
    if (c.kp) memcpy(e.of.task.kp, c.kp, sizeof e.of.task.kp);
    if (c.kd) memcpy(e.of.task.kd, c.kd, sizeof e.of.task.kd);
    zvStatus status = c.dofs || use_driven(d, &c)
                          ? zi_drives_open(d, &e, name, c.count, c.dofs, error)
                          : zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while adding a task control");
    if (status == ZV_OK) status = check(d, &e, error);
    if (status == ZV_OK) status = zi_keep_limits(d, &e, c.limit, &e.limit, error);
    return zi_drives_close(d, &e, status, error);
}
