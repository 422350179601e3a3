/* Operational-space control of a frame, [Kolyubin] 3.2: tau = J^T (Lambda x* + mu + rho) with
 * x* = xdd + kd (xd - x') + kp e, and damping -c (1 - J^T Jbar^T) M v of the motion that leaves the task
 * alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "actuate/element.h"

/* x (6) from world axes into those of the frame. */
static void turn(const zvPose *pose, double *x) {
    for (int half = 0; half < 6; half += 3) {
        double y[3] = {x[half], x[half + 1], x[half + 2]};
        for (int i = 0; i < 3; i++) x[half + i] = pose->R[i] * y[0] + pose->R[3 + i] * y[1] + pose->R[6 + i] * y[2];
    }
}

/* The acceleration asked of the task's rows. */
static void wanted(const zvElement *e, const zvInstant *now, double *xdd) {
    const zvTaskData *c = &e->of.task;
    const zvModel *model = now->drives->model;
    zvPlace place;
    zvPose target, actual;
    double velocity[6], acceleration[6], moving[6], gap[6];
    zv_route_at(e->route, now->t, &place, velocity, acceleration);
    memcpy(target.R, place.R, sizeof target.R);
    memcpy(target.p, place.p, sizeof target.p);
    zv_frame_pose(model, now->work, now->q, c->task.frame, &actual);
    zv_frame_velocity(model, now->work, now->q, now->v, c->task.frame, ZV_WORLD_AXES, moving);
    zv_pose_error(&target, &actual, gap);
    for (int i = 0; i < 6; i++) velocity[i] -= moving[i];
    if (c->task.axes == ZV_LOCAL_AXES) {
        turn(&actual, velocity);
        turn(&actual, acceleration);
        turn(&actual, gap);
    }
    for (int i = 0, m = 0; i < 6; i++) {
        if (c->task.rows >> i & 1) xdd[m++] = acceleration[i] + c->kd[i] * velocity[i] + c->kp[i] * gap[i];
    }
}

static zvStatus push(const zvElement *e, const zvInstant *now) {
    zvEffortsDesk *desk = zv_efforts_desk(now->out);
    const zvTaskData *c = &e->of.task;
    double xdd[6];
    wanted(e, now, xdd);
    if (c->null_damping > 0) {
        zv_mass_times(now->drives->model, now->work, now->q, now->v, desk->y);
        for (int i = 0; i < now->drives->nv; i++) desk->y[i] *= -c->null_damping;
    }
    zvStatus status = zv_task_force(now->drives->model, desk->tasks, now->q, now->v, &c->task, xdd,
                                    c->null_damping > 0 ? desk->y : NULL, desk->x);
    if (status < 0) return status;
    for (int k = 0; k < e->count; k++) zv_push_drive(e, now, k, desk->x[k]);
    return status;
}

static bool claim(zvDrives *d, zvElement *e) {
    if (!zv_claim_accounts(d, e)) return false;
    d->has_tasks = true;
    return true;
}

const zvElementKind zv_task_control_kind = {.word = "task control", .claim = claim, .push = push};

static zvStatus check(const zvDrives *d, const zvElement *e, zvError *error) {
    const zvTask *task = &e->of.task.task;
    if (task->frame < 0 || task->frame >= zv_model_nframe(d->model))
        return zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                       "task control \"%s\": there is no frame %d; the model has %d, counted from 0", e->name,
                       task->frame, zv_model_nframe(d->model));
    if ((task->rows & ZV_TASK_FULL) == 0 || task->rows > ZV_TASK_FULL)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name,
                       "task control \"%s\" has no directions; choose some of x y z rx ry rz", e->name);
    if (!e->route)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name, "task control \"%s\" has no route; give one", e->name);
    for (int i = 0; i < 6; i++) {
        zvStatus status = zv_check_finite(e, "kp", e->of.task.kp[i], error);
        if (status == ZV_OK) status = zv_check_finite(e, "kd", e->of.task.kd[i], error);
        if (status < 0) return status;
    }
    return zv_check_not_negative(e, "null-space damping", e->of.task.null_damping, error);
}

zvStatus zv_drives_add_task_control(zvDrives *d, const char *name, const zvTask *task, zvRoute *route, const double *kp,
                                    const double *kd, double null_damping, zvError *error) {
    zvElement e = {.kind = &zv_task_control_kind, .route = route};
    e.of.task = (zvTaskData){.task = *task, .null_damping = null_damping};
    if (kp) memcpy(e.of.task.kp, kp, sizeof e.of.task.kp);
    if (kd) memcpy(e.of.task.kd, kd, sizeof e.of.task.kd);
    int *all = malloc(((size_t)d->nv + 1) * sizeof *all);
    for (int i = 0; all && i < d->nv; i++) all[i] = i;
    zvStatus status = all ? zv_drives_open(d, &e, name, d->nv, all, error)
                          : zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while adding a task control");
    free(all);
    if (status == ZV_OK) status = check(d, &e, error);
    return zv_drives_close(d, &e, status, error);
}
