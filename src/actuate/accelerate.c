/* Evaluation of a set: given accelerations, known forces, dynamics, and what follows from the motion. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "actuate/element.h"
#include "model/tree.h"

/* The desk ------------------------------------------------------------------------------------------------- */

static bool lay_out_reduced(const zvDrives *d, zvEffortsDesk *desk) {
    size_t nv = (size_t)d->nv * sizeof(double);
    desk->J = zv_arena_alloc(&desk->arena, 6 * nv);
    desk->Y = zv_arena_alloc(&desk->arena, 6 * nv);
    desk->hold = zv_arena_alloc(&desk->arena, nv);
    return desk->J && desk->Y && desk->hold;
}

/* From this many frames on one sweep over all links is the shorter way. */
enum { MANY_SPOTS = 3 };

static bool lay_out_links(const zvDrives *d, zvEffortsDesk *desk) {
    const size_t nlink = (size_t)zv_model_nlink(d->model);
    desk->poses = zv_arena_alloc(&desk->arena, nlink * sizeof *desk->poses);
    desk->velocities = zv_arena_alloc(&desk->arena, 6 * nlink * sizeof *desk->velocities);
    return desk->poses && desk->velocities;
}

static bool lay_out(const zvDrives *d, zvEfforts *out, zvEffortsDesk *desk, zvError *error) {
    zvArena *arena = &desk->arena;
    size_t nv = (size_t)d->nv * sizeof(double), external = (size_t)zv_model_nexternal(d->model) * sizeof(double);
    out->tau = zv_arena_alloc(arena, nv);
    out->a = zv_arena_alloc(arena, nv);
    out->given = zv_arena_alloc(arena, (size_t)d->nv);
    out->fext = d->has_loads ? zv_arena_alloc(arena, external) : NULL;
    out->rate = zv_arena_alloc(arena, d->nstate * sizeof(double));
    out->force = zv_arena_alloc(arena, d->naccount * sizeof(double));
    out->power = zv_arena_alloc(arena, d->naccount * sizeof(double));
    out->lambda = zv_arena_alloc(arena, (size_t)zv_model_nloop_rows(d->model) * sizeof(double));
    out->targets = zv_arena_alloc(arena, 3 * (size_t)zv_model_nloop(d->model) * sizeof(double));
    desk->known = zv_arena_alloc(arena, nv);
    desk->rotor = zv_arena_alloc(arena, nv);
    desk->gravity = zv_arena_alloc(arena, nv);
    desk->x = zv_arena_alloc(arena, nv);
    desk->y = zv_arena_alloc(arena, nv);
    for (int i = 0; i < 3; i++) desk->law[i] = zv_arena_alloc(arena, nv);
    desk->resets = zv_arena_alloc(arena, d->nstick);
    desk->locked = zv_arena_alloc(arena, (size_t)d->nv);
    desk->tasks = d->has_tasks ? zv_task_work_create(d->model, error) : NULL;
    return out->tau && out->a && out->given && (out->fext || !d->has_loads) && out->rate && out->force && out->power &&
           out->lambda && out->targets && desk->locked && desk->known && desk->rotor && desk->gravity && desk->x &&
           desk->y && desk->law[0] && desk->law[1] && desk->law[2] && desk->resets && (desk->tasks || !d->has_tasks) &&
           (!d->has_reduced || lay_out_reduced(d, desk)) && (d->nspot < MANY_SPOTS || lay_out_links(d, desk));
}

/* As the model says; of loops without a target they are not looked at. */
static void rest_targets(const zvModel *model, double *targets) {
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        targets[3 * i] = loop->kind == ZV_LOOP_ROD        ? loop->length
                         : loop->kind == ZV_LOOP_COUPLING ? loop->offset
                                                          : loop->value;
    }
}

zvEfforts *zv_efforts_create(const zvDrives *d, zvError *error) {
    zvEfforts *out = calloc(1, sizeof *out);
    zvEffortsDesk *desk = calloc(1, sizeof *desk);
    if (out) out->desk = desk;
    if (out && desk && lay_out(d, out, desk, error)) {
        rest_targets(d->model, out->targets);
        return out;
    }
    if (!out) free(desk);
    zv_efforts_destroy(out);
    zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making room for the efforts of drives");
    return NULL;
}

void zv_efforts_destroy(zvEfforts *out) {
    if (!out) return;
    zvEffortsDesk *desk = out->desk;
    if (desk) {
        if (desk->tasks) zv_task_work_destroy(desk->tasks);
        zv_arena_free(&desk->arena);
    }
    free(desk);
    free(out);
}

/* What elements call --------------------------------------------------------------------------------------- */

void zv_push_link(const zvElement *e, const zvInstant *now, int k, double force) {
    int dof = e->dofs[k];
    now->out->tau[dof] += force;
    now->out->force[e->account + k] = force;
    now->out->power[e->account + k] = force * now->v[dof];
}

void zv_push_drive(const zvElement *e, const zvInstant *now, int k, double force) {
    int dof = e->dofs[k], rotor = now->drives->rotor[dof];
    if (rotor < 0) {
        zv_push_link(e, now, k, force);
        return;
    }
    zv_efforts_desk(now->out)->rotor[dof] += force;
    now->out->force[e->account + k] = force;
    now->out->power[e->account + k] = force * now->z[rotor + 1];
}

void zv_frame_now(const zvInstant *now, int frame, zvPose *pose, double velocity[6]) {
    const zvModel *model = now->drives->model;
    const zvEffortsDesk *desk = zv_efforts_desk(now->out);
    if (desk->poses) {
        zv_frame_of_links(model, frame, now->q, now->v, desk->poses, desk->velocities, pose, velocity);
        return;
    }
    zv_frame_pose(model, now->work, now->q, frame, pose);
    zv_frame_velocity(model, now->work, now->q, now->v, frame, ZV_WORLD_AXES, velocity);
}

void zv_push_frame(const zvInstant *now, int frame, const double wrench[6]) {
    const zvModel *model = now->drives->model;
    const zvPose *poses = zv_efforts_desk(now->out)->poses;
    /* a link itself needs no pose; what acts on a section of an elastic one bends it */
    if (!poses || frame < model->nlink || zv_frame_station(model, frame) >= 0) {
        zv_add_wrench(model, now->work, now->q, frame, wrench, now->out->fext);
        return;
    }
    const int link = model->frame_links[frame - model->nlink];
    const double *R = poses[link].R, *p = model->frames[frame - model->nlink].pose.p;
    double d[3], *to = now->out->fext + 6 * link;
    for (int i = 0; i < 3; i++) d[i] = R[3 * i] * p[0] + R[3 * i + 1] * p[1] + R[3 * i + 2] * p[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] += wrench[i];
        to[3 + i] += wrench[3 + i] + d[j] * wrench[k] - d[k] * wrench[j];
    }
}

/* One evaluation ------------------------------------------------------------------------------------------- */

static void clear(const zvDrives *d, zvEfforts *out) {
    zvEffortsDesk *desk = zv_efforts_desk(out);
    size_t nv = (size_t)d->nv * sizeof(double);
    memset(out->tau, 0, nv);
    memset(out->a, 0, nv);
    memset(out->given, ZV_GIVEN_FORCE, (size_t)d->nv);
    memset(desk->rotor, 0, nv);
    memset(out->force, 0, d->naccount * sizeof(double));
    memset(out->power, 0, d->naccount * sizeof(double));
    memset(out->rate, 0, d->nstate * sizeof(double));
    if (out->fext) memset(out->fext, 0, (size_t)zv_model_nexternal(d->model) * sizeof(double));
    desk->gravity_known = false;
    out->mixed = out->redundant = false;
    out->status = ZV_OK;
}

static void give(const zvInstant *now) {
    const zvDrives *d = now->drives;
    for (size_t i = 0; i < d->nelement; i++) {
        const zvElement *e = &d->elements[i];
        if (e->kind->give) e->kind->give(e, now);
    }
    for (size_t i = 0; i < d->nstick && !zv_efforts_desk(now->out)->loose; i++) {
        int dof = d->sticks[i].dof;
        if (now->modes[i] != ZV_STICK || d->prescribed[dof]) continue;
        now->out->given[dof] = ZV_LOCKED;
        now->out->mixed = true;
    }
    for (int i = 0; now->out->held && i < d->nv; i++) {
        if (!now->out->held[i] || d->prescribed[i]) continue;
        now->out->given[i] = ZV_LOCKED;
        now->out->mixed = true;
    }
}

static zvStatus push(const zvInstant *now) {
    const zvDrives *d = now->drives;
    zvStatus worst = ZV_OK;
    for (size_t i = 0; i < d->nelement; i++) {
        const zvElement *e = &d->elements[i];
        zvStatus status = e->kind->push ? e->kind->push(e, now) : ZV_OK;
        if (status < 0) return status;
        if (status > worst) worst = status;
    }
    return worst;
}

static zvStatus solve(const zvInstant *now) {
    const zvDrives *d = now->drives;
    zvEfforts *out = now->out;
    const zvClosing closing = zv_efforts_closing(out);
    memcpy(zv_efforts_desk(out)->known, out->tau, (size_t)d->nv * sizeof(double));
    zvStatus status = out->mixed ? zv_closed_mixed_dynamics(d->model, now->work, &closing, now->q, now->v, out->given,
                                                            out->fext, out->tau, out->a, out->lambda)
                                 : zv_closed_forward_dynamics(d->model, now->work, &closing, now->q, now->v, out->tau,
                                                              out->fext, out->a, out->lambda);
    out->redundant = status == ZV_DEGRADED;
    return status;
}

zvStatus zv_efforts_open(const zvInstant *now) {
    const zvDrives *d = now->drives;
    const zvEffortsDesk *desk = zv_efforts_desk(now->out);
    clear(d, now->out);
    zv_drives_aim(d, now->out, now->t);
    if (desk->poses) zv_link_motions(d->model, now->work, now->q, now->v, desk->poses, desk->velocities);
    give(now);
    return now->out->status = push(now);
}

void zv_efforts_conclude(const zvInstant *now) {
    const zvDrives *d = now->drives;
    for (size_t i = 0; i < d->nelement; i++) {
        const zvElement *e = &d->elements[i];
        if (e->kind->conclude) e->kind->conclude(e, now);
    }
}

zvStatus zv_drives_accelerate(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q,
                              const double *v, const double *z, const unsigned char *modes) {
    const zvInstant now = {.drives = d, .out = out, .work = work, .t = t, .q = q, .v = v, .z = z, .modes = modes};
    if (zv_efforts_open(&now) < 0) return out->status;
    zvStatus solved = solve(&now);
    if (solved < 0) return out->status = solved;
    zv_efforts_conclude(&now);
    return out->status;
}

void zv_drives_aim(const zvDrives *d, zvEfforts *out, double t) {
    for (size_t i = 0; i < d->nelement; i++) {
        const zvElement *e = &d->elements[i];
        if (e->kind->aim) e->kind->aim(e, out, t);
    }
}

zvClosing zv_efforts_closing(const zvEfforts *out) {
    return (zvClosing){.targets = out->targets, .feedback = out->feedback};
}

bool zv_drives_lock(const zvDrives *d, const zvEfforts *out, const unsigned char *modes, unsigned char *given) {
    bool any = false;
    for (int i = 0; i < d->nv; i++) {
        const bool sticks = d->stick[i] >= 0 && modes[d->stick[i]] == ZV_STICK;
        given[i] = d->prescribed[i] || sticks || (out->held && out->held[i]) ? ZV_LOCKED : ZV_GIVEN_FORCE;
        any |= given[i] != ZV_GIVEN_FORCE;
    }
    return any;
}

void zv_drives_impose(const zvDrives *d, zvEfforts *efforts, double t, const unsigned char *modes, double *q,
                      double *v) {
    for (size_t i = 0; i < d->nelement; i++) {
        const zvElement *e = &d->elements[i];
        if (e->kind->impose) e->kind->impose(d, e, zv_efforts_desk(efforts), t, q, v);
    }
    for (size_t i = 0; i < d->nstick; i++) {
        int dof = d->sticks[i].dof;
        if (modes[i] == ZV_STICK && !d->prescribed[dof]) v[dof] = 0;
    }
}

void zv_drives_initial(const zvDrives *d, zvEfforts *out, zvWork *work, const double *q, const double *v,
                       bool equilibrium, double *z) {
    zvEffortsDesk *desk = zv_efforts_desk(out);
    double *g = equilibrium ? desk->gravity : NULL;
    for (int i = 0; i < d->nv; i++) desk->locked[i] = d->rotor[i] >= 0;
    if (g && zv_rest_force(d, out, work, q, g) < 0) memset(g, 0, (size_t)d->nv * sizeof *g);
    for (size_t i = 0; i < d->nelement; i++) {
        const zvElement *e = &d->elements[i];
        if (e->kind->initial) e->kind->initial(d, e, q, v, g, z);
    }
}

void zv_drives_diagonal(const zvDrives *d, double t, const double *q, const double *v, const double *z,
                        const unsigned char *modes, double *stiffness, double *damping) {
    (void)t, (void)q, (void)z, (void)modes;
    for (int i = 0; i < d->nv; i++) stiffness[i] = damping[i] = 0;
    for (size_t i = 0; i < d->nelement; i++) {
        const zvElement *e = &d->elements[i];
        if (e->kind->diagonal) e->kind->diagonal(d, e, v, stiffness, damping);
    }
}
