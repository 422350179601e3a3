/* Evaluation of a set: given accelerations, known forces, dynamics, and what follows from the motion. */

#include "actuate/element.h"
#include "base/require.h"
#include "model/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The scratch memory -------------------------------------------------------------------------------------------------
 */

static bool lay_out_reduced(const zvDrives *d, ziEffortsScratch *scratch) {
    size_t nv = (size_t)d->nv * sizeof(double);
    scratch->J = zi_arena_alloc(&scratch->arena, 6 * nv);
    scratch->Y = zi_arena_alloc(&scratch->arena, 6 * nv);
    scratch->hold = zi_arena_alloc(&scratch->arena, nv);
    return scratch->J && scratch->Y && scratch->hold;
}

/* From this many frames on one sweep over all links is the shorter way. */
enum { MANY_SPOTS = 3 };

static bool lay_out_links(const zvDrives *d, ziEffortsScratch *scratch) {
    const size_t nlink = (size_t)zv_model_nlink(d->model);
    scratch->poses = zi_arena_alloc(&scratch->arena, nlink * sizeof *scratch->poses);
    scratch->velocities = zi_arena_alloc(&scratch->arena, 6 * nlink * sizeof *scratch->velocities);
    return scratch->poses && scratch->velocities;
}

/* Answers and scratch of an evaluation, once; false when out of memory. */
static bool lay_out_efforts(const zvDrives *d, zvEfforts *out, ziEffortsScratch *scratch, zvError *error) {
    ziArena *arena = &scratch->arena;
    size_t nv = (size_t)d->nv * sizeof(double), external = (size_t)zv_model_nexternal(d->model) * sizeof(double);
    out->tau = zi_arena_alloc(arena, nv);
    out->a = zi_arena_alloc(arena, nv);
    out->given = zi_arena_alloc(arena, (size_t)d->nv);
    out->fext = d->has_loads ? zi_arena_alloc(arena, external) : NULL;
    out->rate = zi_arena_alloc(arena, d->nstate * sizeof(double));
    out->force = zi_arena_alloc(arena, d->naccount * sizeof(double));
    out->power = zi_arena_alloc(arena, d->naccount * sizeof(double));
    out->lambda = zi_arena_alloc(arena, (size_t)zv_model_nloop_rows(d->model) * sizeof(double));
    out->targets = zi_arena_alloc(arena, 3 * (size_t)zv_model_nloop(d->model) * sizeof(double));
    scratch->known = zi_arena_alloc(arena, nv);
    scratch->rotor = zi_arena_alloc(arena, nv);
    scratch->demand = zi_arena_alloc(arena, nv);
    scratch->cut = zi_arena_alloc(arena, nv);
    scratch->gravity = zi_arena_alloc(arena, nv);
    scratch->x = zi_arena_alloc(arena, nv);
    scratch->y = zi_arena_alloc(arena, nv);
    for (int i = 0; i < 3; i++) scratch->law[i] = zi_arena_alloc(arena, nv);
    scratch->resets = zi_arena_alloc(arena, d->nstick);
    scratch->locked = zi_arena_alloc(arena, (size_t)d->nv);
    scratch->touched = zi_arena_alloc(arena, (size_t)zv_model_nloop(d->model));
    scratch->functions = zi_arena_alloc(arena, (size_t)d->nfunction * sizeof *scratch->functions);
    scratch->held = zi_arena_alloc(arena, (size_t)d->nheld * sizeof(double));
    scratch->tasks = d->has_tasks ? zv_task_work_create(d->model, error) : NULL;
    return out->tau && out->a && out->given && (out->fext || !d->has_loads) && out->rate && out->force && out->power &&
           out->lambda && out->targets && scratch->locked && scratch->touched && scratch->known && scratch->rotor &&
           scratch->demand && scratch->cut && scratch->gravity && scratch->x && scratch->y && scratch->law[0] &&
           scratch->law[1] && scratch->law[2] && scratch->resets && scratch->functions && scratch->held &&
           (scratch->tasks || !d->has_tasks) && (!d->has_reduced || lay_out_reduced(d, scratch)) &&
           (d->nspot < MANY_SPOTS || lay_out_links(d, scratch));
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

/* Efforts belong to one set of drives and one thread. */
zvEfforts *zv_efforts_create(const zvDrives *d, zvError *error) {
    ZI_REQUIRE(d);
    zvEfforts *out = calloc(1, sizeof *out);
    ziEffortsScratch *scratch = calloc(1, sizeof *scratch);
    if (out) out->scratch = scratch;
    if (out && scratch && lay_out_efforts(d, out, scratch, error)) {
        rest_targets(d->model, out->targets);
        out->loops_redundant_led = -1;
        return out;
    }
    if (!out) free(scratch);
    zv_efforts_destroy(out);
    zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making room for the efforts of drives");
    return NULL;
}

void zv_efforts_destroy(zvEfforts *out) {
    if (!out) return;
    ziEffortsScratch *scratch = out->scratch;
    if (scratch) {
        if (scratch->tasks) zv_task_work_destroy(scratch->tasks);
        zi_arena_free(&scratch->arena);
    }
    free(scratch);
    free(out);
}

/* What elements call --------------------------------------------------------------------------------------- */

void zi_push_link(const ziElement *e, const ziInstant *now, int k, double force) {
    int dof = e->dofs[k];
    now->out->tau[dof] += force;
    now->out->force[e->account + k] = force;
    now->out->power[e->account + k] = force * now->v[dof];
}

void zi_push_drive(const ziElement *e, const ziInstant *now, int k, double force) {
    int dof = e->dofs[k], rotor = now->drives->rotor[dof];
    zi_efforts_scratch(now->out)->demand[dof] += force;
    if (rotor < 0) {
        zi_push_link(e, now, k, force);
        return;
    }
    zi_efforts_scratch(now->out)->rotor[dof] += force;
    now->out->force[e->account + k] = force;
    now->out->power[e->account + k] = force * now->z[rotor + 1];
}

void zi_push_limited(const ziElement *e, const ziInstant *now, int k, double force) {
    const double limited = zi_limited(force, e->limit[k]);
    zi_efforts_scratch(now->out)->cut[e->dofs[k]] += force - limited;
    zi_push_drive(e, now, k, limited);
}

void zi_frame_now(const ziInstant *now, int frame, zvPose *pose, double velocity[6]) {
    const zvModel *model = now->drives->model;
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    if (scratch->poses) {
        zv_frame_of_links(model, frame, now->q, now->v, scratch->poses, scratch->velocities, pose, velocity);
        return;
    }
    zv_frame_pose(model, now->work, now->q, frame, pose);
    zv_frame_velocity(model, now->work, now->q, now->v, frame, ZV_AXES_WORLD, velocity);
}

/* Adds a wrench at a frame to fext. Where the poses of all links are known, a frame of a rigid link needs none of its
 * own; other frames go through zv_add_wrench. */
void zi_push_frame(const ziInstant *now, int frame, const double wrench[6]) {
    const zvModel *model = now->drives->model;
    const zvPose *poses = zi_efforts_scratch(now->out)->poses;
    /* a link itself needs no pose; what acts on a section of an elastic one bends it */
    if (!poses || frame < model->nlink || zi_frame_attachment(model, frame) >= 0) {
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

/* Before the first pass: elements add, they do not set. */
static void clear(const zvDrives *d, zvEfforts *out) {
    ziEffortsScratch *scratch = zi_efforts_scratch(out);
    size_t nv = (size_t)d->nv * sizeof(double);
    memset(out->tau, 0, nv);
    memset(out->a, 0, nv);
    memset(out->given, ZV_GIVEN_FORCE, (size_t)d->nv);
    memset(scratch->rotor, 0, nv);
    memset(scratch->demand, 0, nv);
    memset(scratch->cut, 0, nv);
    memset(out->force, 0, d->naccount * sizeof(double));
    memset(out->power, 0, d->naccount * sizeof(double));
    memset(out->rate, 0, d->nstate * sizeof(double));
    if (out->fext) memset(out->fext, 0, (size_t)zv_model_nexternal(d->model) * sizeof(double));
    scratch->gravity_known = false;
    out->mixed = out->redundant = false;
    out->status = ZV_OK;
}

/* Prescribed, stuck and held degrees of freedom have known accelerations. */
static void give_all(const ziInstant *now) {
    const zvDrives *d = now->drives;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->give) e->kind->give(e, now);
    }
    for (size_t i = 0; i < d->nstick && !zi_efforts_scratch(now->out)->loose; i++) {
        int dof = d->sticks[i].dof;
        if (now->modes[i] != ZV_SLIP_STICK || d->prescribed[dof]) continue;
        now->out->given[dof] = ZV_GIVEN_LOCKED;
        now->out->mixed = true;
    }
    for (int i = 0; now->out->held && i < d->nv; i++) {
        if (!now->out->held[i] || d->prescribed[i]) continue;
        now->out->given[i] = ZV_GIVEN_LOCKED;
        now->out->mixed = true;
    }
}

static zvStatus push_all(const ziInstant *now) {
    const zvDrives *d = now->drives;
    zvStatus worst = ZV_OK;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        zvStatus status = e->kind->push ? e->kind->push(e, now) : ZV_OK;
        if (status < 0) return status;
        if (status > worst) worst = status;
    }
    return worst;
}

/* Scales the drives of a degree of freedom so that together they give its greatest force. */
static void saturate_drives(const ziInstant *now, int dof, double scale) {
    const zvDrives *d = now->drives;
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    double *total = d->rotor[dof] < 0 ? now->out->tau : scratch->rotor;
    total[dof] -= (1 - scale) * scratch->demand[dof];
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        for (int k = 0; e->kind->actuates && k < e->count; k++) {
            if (e->dofs[k] != dof) continue;
            now->out->force[e->account + k] *= scale;
            now->out->power[e->account + k] *= scale;
        }
    }
}

static void saturate_all(const ziInstant *now) {
    const zvDrives *d = now->drives;
    const double *demand = zi_efforts_scratch(now->out)->demand;
    for (int i = 0; i < d->nv; i++) {
        const double size = fabs(demand[i]);
        if (size > d->saturation[i]) saturate_drives(now, i, d->saturation[i] / size);
    }
}

/* The same by the row that the caller chose, of a model without loops. */
static zvStatus solve_by(const ziInstant *now) {
    const zvModel *model = now->drives->model;
    zvEfforts *out = now->out;
    return out->mixed ? zv_mixed_dynamics_by(out->forward, model, now->work, now->q, now->v, out->given, out->fext,
                                             out->tau, out->a)
                      : out->forward->run(model, now->work, now->q, now->v, out->tau, out->fext, out->a);
}

/* Whether prescribed motions, and nothing else, are given, and it is known what conditions repeat each other then. */
static bool is_led_alone(const zvDrives *d, const zvEfforts *out) {
    bool alone = out->mixed && out->loops_redundant_led >= 0;
    for (int i = 0; alone && i < d->nv; i++) alone = (out->given[i] != ZV_GIVEN_FORCE) == d->prescribed[i];
    return alone;
}

/* Forward dynamics where all forces are known, mixed where some accelerations are. */
static zvStatus solve_dynamics(const ziInstant *now) {
    const zvDrives *d = now->drives;
    zvEfforts *out = now->out;
    zvClosing closing = zv_efforts_closing(out);
    closing.singularity = &out->singularity;
    closing.redundant_given = is_led_alone(d, out);
    if (closing.redundant_given) closing.redundant = out->loops_redundant_led;
    memcpy(zi_efforts_scratch(out)->known, out->tau, (size_t)d->nv * sizeof(double));
    if (out->forward && zv_model_nloop(d->model) == 0) return solve_by(now);
    zvStatus status = out->mixed ? zv_closed_mixed_dynamics(d->model, now->work, &closing, now->q, now->v, out->given,
                                                            out->fext, out->tau, out->a, out->lambda)
                                 : zv_closed_forward_dynamics(d->model, now->work, &closing, now->q, now->v, out->tau,
                                                              out->fext, out->a, out->lambda);
    out->redundant = status == ZV_DEGRADED;
    return status;
}

/* The passes of an evaluation before and after the dynamics: given accelerations and known forces; what follows from
 * the motion. */
static zvStatus efforts_open(const ziInstant *now) {
    const zvDrives *d = now->drives;
    const ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    clear(d, now->out);
    zv_drives_aim(d, now->out, now->t);
    if (scratch->poses) zv_link_motions(d->model, now->work, now->q, now->v, scratch->poses, scratch->velocities);
    give_all(now);
    now->out->status = push_all(now);
    if (now->out->status < 0) return now->out->status;
    zi_push_perturbation(now);
    saturate_all(now);
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->react) e->kind->react(e, now);
    }
    return now->out->status;
}

zvStatus zi_drives_push(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, const double *v,
                        const double *z, const unsigned char *modes) {
    const ziInstant now = {.drives = d, .out = out, .work = work, .t = t, .q = q, .v = v, .z = z, .modes = modes};
    return efforts_open(&now);
}

double zv_efforts_demand(const zvEfforts *out, int dof) {
    ZI_REQUIRE(out && dof >= 0);
    return zi_efforts_scratch(out)->demand[dof];
}

double zi_efforts_cut(const zvEfforts *out, int dof) { return zi_efforts_scratch(out)->cut[dof]; }

/* The passes of an evaluation before and after the dynamics: given accelerations and known forces; what follows from
 * the motion. */
static void efforts_conclude(const ziInstant *now) {
    const zvDrives *d = now->drives;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->conclude) e->kind->conclude(e, now);
    }
}

zvStatus zv_drives_accelerate(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q,
                              const double *v, const double *z, const unsigned char *modes) {
    ZI_REQUIRE(d && out && work && q && v && (z || !d->nstate) && (modes || !d->nstick));
    const ziInstant now = {.drives = d, .out = out, .work = work, .t = t, .q = q, .v = v, .z = z, .modes = modes};
    if (efforts_open(&now) < 0) return out->status;
    zvStatus solved = solve_dynamics(&now);
    if (solved < 0) return out->status = solved;
    efforts_conclude(&now);
    return out->status;
}

zvStatus zi_drives_act(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, const double *v,
                       const double *z, const unsigned char *modes, const double *a) {
    const ziInstant now = {.drives = d, .out = out, .work = work, .t = t, .q = q, .v = v, .z = z, .modes = modes};
    if (efforts_open(&now) < 0) return out->status;
    memcpy(zi_efforts_scratch(out)->known, out->tau, (size_t)d->nv * sizeof(double));
    for (int i = 0; i < d->nv; i++) {
        if (out->given[i] == ZV_GIVEN_FORCE) out->a[i] = a[i];
    }
    efforts_conclude(&now);
    return out->status;
}

void zv_drives_aim(const zvDrives *d, zvEfforts *out, double t) {
    ZI_REQUIRE(d && out);
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->aim) e->kind->aim(e, out, t);
    }
}

zvClosing zv_efforts_closing(const zvEfforts *out) {
    ZI_REQUIRE(out);
    return (zvClosing){.targets = out->targets,
                       .feedback = out->feedback,
                       .redundant = out->loops_redundant,
                       .open = out->open,
                       .offsets = out->offsets};
}

bool zi_drives_lock(const zvDrives *d, const zvEfforts *out, const unsigned char *modes, unsigned char *given) {
    bool any = false;
    for (int i = 0; i < d->nv; i++) {
        const bool sticks = d->stick[i] >= 0 && modes[d->stick[i]] == ZV_SLIP_STICK;
        given[i] = d->prescribed[i] || sticks || (out->held && out->held[i]) ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
        any |= given[i] != ZV_GIVEN_FORCE;
    }
    return any;
}

/* Laws give their coordinates and velocities; what sticks stands still. */
void zv_drives_impose(const zvDrives *d, zvEfforts *efforts, double t, const unsigned char *modes, double *q,
                      double *v) {
    ZI_REQUIRE(d && efforts && q && v && (modes || !d->nstick));
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->impose) e->kind->impose(d, e, zi_efforts_scratch(efforts), t, q, v);
    }
    for (size_t i = 0; i < d->nstick; i++) {
        int dof = d->sticks[i].dof;
        if (modes[i] == ZV_SLIP_STICK && !d->prescribed[dof]) v[dof] = 0;
    }
}

/* Motors where their springs are unstretched, or carry the weight of the robot at rest. */
void zv_drives_initial(const zvDrives *d, zvEfforts *out, zvWork *work, const double *q, const double *v,
                       bool equilibrium, double *z) {
    ZI_REQUIRE(d && out && work && q && v && (z || !d->nstate));
    ziEffortsScratch *scratch = zi_efforts_scratch(out);
    double *g = equilibrium ? scratch->gravity : NULL;
    for (int i = 0; i < d->nv; i++) scratch->locked[i] = d->rotor[i] >= 0;
    if (g && zi_rest_force(d, out, work, q, g) < 0) memset(g, 0, (size_t)d->nv * sizeof *g);
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->initial) e->kind->initial(d, e, q, v, g, z);
    }
}

void zv_drives_diagonal(const zvDrives *d, double t, const double *q, const double *v, const double *z,
                        const unsigned char *modes, double *stiffness, double *damping) {
    ZI_REQUIRE(d && q && v && stiffness && damping);
    (void)t, (void)z, (void)modes;
    for (int i = 0; i < d->nv; i++) stiffness[i] = damping[i] = 0;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind->diagonal) e->kind->diagonal(d, e, q, v, z, stiffness, damping);
    }
}

/* How far accelerations are from what the forces demand: the same passes as accelerate.c, with inverse dynamics between
 * them instead of forward dynamics. */

/* The passes of an evaluation with inverse dynamics between them: what is left over of each balance. */
zvStatus zi_drives_balance(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, const double *v,
                           const double *z, const unsigned char *modes, const double *a, double *residual) {
    const ziInstant now = {.drives = d, .out = out, .work = work, .t = t, .q = q, .v = v, .z = z, .modes = modes};
    if (efforts_open(&now) < 0) return out->status;
    memcpy(zi_efforts_scratch(out)->known, out->tau, (size_t)d->nv * sizeof(double));
    for (int i = 0; i < d->nv; i++) {
        if (!a || out->given[i] == ZV_GIVEN_FORCE) out->a[i] = a ? a[i] : 0;
    }
    zv_inverse_dynamics(d->model, work, q, v, out->a, out->fext, residual);
    for (int i = 0; i < d->nv; i++) {
        if (out->given[i] == ZV_GIVEN_FORCE) {
            residual[i] -= out->tau[i];
        } else {
            out->tau[i] = residual[i];
            residual[i] = 0;
        }
    }
    efforts_conclude(&now);
    return out->status;
}

zvStatus zv_drives_residual(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, const double *v,
                            const double *z, const unsigned char *modes, const double *a, double *residual) {
    ZI_REQUIRE(d && out && work && q && v && a && residual);
    ZI_REQUIRE((z || !d->nstate) && (modes || !d->nstick));
    return zi_drives_balance(d, out, work, t, q, v, z, modes, a, residual);
}
