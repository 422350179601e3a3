#include "simulate/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/coordinate.h"
#include "simulate/event_set.h"

/* Callbacks ---------------------------------------------------------------------------------------- */

double zi_system_clock(const ziSystem *s, double t) { return t < s->horizon ? t : nextafter(s->horizon, -INFINITY); }

void zi_system_impose(ziSystem *s, double t, double *q, double *v) {
    zv_drives_impose(s->drives, s->efforts, zi_system_clock(s, t), s->modes, q, v);
    for (int i = 0; i < s->nv; i++) {
        if (s->held[i]) v[i] = 0;
    }
}

void zi_system_copy(ziSystem *s, double t, const double *y) {
    s->t = t;
    s->links_known = false;
    memcpy(s->q, y, (size_t)s->nq * sizeof *y);
    memcpy(s->v, y + s->at_v, (size_t)s->nv * sizeof *y);
    s->z = y + s->at_z;
    s->done = y + s->at_work;
}

void zi_system_place(ziSystem *s, double t, const double *y) {
    zi_system_copy(s, t, y);
    zi_system_impose(s, t, s->q, s->v);
}

void zi_system_show(ziSystem *s, double t, const double *y) {
    zi_system_copy(s, t, y);
    zv_position_normalize(s->model, s->q);
    zi_system_impose(s, t, s->q, s->v);
    zi_system_close(s, t, s->q, s->v); /* one that cannot be closed is shown as it is */
}

void zi_system_frame(ziSystem *s, int frame, zvPose *pose, double *velocity) {
    if (!s->poses) {
        zv_frame_pose(s->model, s->work, s->q, frame, pose);
        if (velocity) zv_frame_velocity(s->model, s->work, s->q, s->v, frame, ZV_AXES_WORLD, velocity);
        return;
    }
    if (!s->links_known) zv_link_motions(s->model, s->work, s->q, s->v, s->poses, s->velocities);
    s->links_known = true;
    zv_frame_of_links(s->model, frame, s->q, s->v, s->poses, s->velocities, pose, velocity);
}

zvStatus zi_system_accelerate(ziSystem *s) {
    zvStatus status =
        zv_drives_accelerate(s->drives, s->efforts, s->work, zi_system_clock(s, s->t), s->q, s->v, s->z, s->modes);
    if (status < 0) {
        s->trouble = status;
        s->trouble_t = s->t;
    }
    if (status == ZV_DEGRADED) s->damped++;
    return status;
}

/* A state from which nothing finite comes is one to step back from. */
static int all_finite(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += 0 * x[i];
    return sum == 0;
}

/* Closes the state placed; false: it cannot be done. */
static bool closes(ziSystem *s, double t) {
    const zvStatus status = zi_system_close(s, t, s->q, s->v);
    if (status >= 0) return true;
    s->trouble = status;
    s->trouble_t = t;
    return false;
}

static int rate(void *context, double t, const double *y, double *dy) {
    ziSystem *s = context;
    zi_system_place(s, t, y);
    if (s->careful && !closes(s, t)) return 1;
    if (zi_system_accelerate(s) < 0) return 1;
    zv_position_rate(s->model, s->q, s->v, dy);
    memcpy(dy + s->at_v, s->efforts->a, (size_t)s->nv * sizeof *dy);
    memcpy(dy + s->at_z, s->efforts->rate, (size_t)s->nz * sizeof *dy);
    memcpy(dy + s->at_work, s->efforts->power, (size_t)s->nw * sizeof *dy);
    if (s->pull > 0) zi_system_draw(s, y, dy);
    if (all_finite(dy, s->size)) return 0;
    s->trouble = ZV_NUMBER;
    s->trouble_t = t;
    return 1;
}

static int position_rate(void *context, double t, const double *y, double *dy) {
    ziSystem *s = context;
    zi_system_place(s, t, y);
    zv_position_rate(s->model, s->q, s->v, dy);
    if (!s->z_moves) return 0;
    if (zi_system_accelerate(s) < 0) return 1;
    for (int i = 0; i < s->nz; i++) {
        if (s->is_position[s->at_z + i]) dy[s->at_z + i] = s->efforts->rate[i];
    }
    return 0;
}

static int project(void *context, double t, double *y) {
    ziSystem *s = context;
    const zvStatus status = zi_system_project(s, t, y);
    if (status >= 0) return 0;
    s->trouble = status;
    s->trouble_t = t;
    return 1;
}

static int event_functions(void *context, double t, const double *y, double *g) {
    ziSystem *s = context;
    return zi_event_set_functions(s->event_set, t, y, g);
}

zvOde zi_system_ode(ziSystem *s) {
    return (zvOde){.size = s->size,
                   .context = s,
                   .rate = rate,
                   .is_position = s->is_position,
                   .position_rate = position_rate,
                   .prepare = zi_system_prepare,
                   .precondition = zi_system_precondition,
                   .project = project,
                   .events = event_functions,
                   .quadratures = s->nw,
                   .structure = &s->structure};
}

/* Beginning ----------------------------------------------------------------------------------------- */

double zi_system_energy_scale(ziSystem *s, const double *q, const double *v) {
    double kinetic, unit, potential;
    for (int i = 0; i < s->nv; i++) s->room[i] = 1;
    zv_energy(s->model, s->work, q, v, &kinetic, &potential);
    zv_energy(s->model, s->work, q, s->room, &unit, &potential);
    double sum = kinetic + 2 * unit;
    return sum > 0 ? sum : 1;
}

zvStatus zi_system_settle(ziSystem *s, double t, double *y, zvError *error) {
    zi_system_copy(s, t, y);
    zv_position_normalize(s->model, s->q);
    zvStatus status = zv_drives_settle(s->drives, s->efforts, s->work, zi_system_clock(s, t), s->q, s->v, s->z,
                                       s->modes); /* imposes laws as well */
    if (status >= 0) status = zi_system_close(s, t, s->q, s->v);
    if (status < 0) {
        return zv_fail(error, status, (zvMark){0}, NULL, "the motion cannot go on at t = %.9g s: %s", t,
                       zv_status_sentence(status));
    }
    memcpy(y, s->q, (size_t)s->nq * sizeof *y);
    memcpy(y + s->at_v, s->v, (size_t)s->nv * sizeof *y);
    return ZV_OK;
}

zvStatus zi_system_begin(ziSystem *s, double *y, zvError *error) {
    const zvScenario *scenario = s->scenario;
    double *z = y + s->at_z;
    s->horizon = zv_drives_next_break(s->drives, scenario->start);
    memset(y, 0, (size_t)s->size * sizeof *y);
    memcpy(y, scenario->q, (size_t)s->nq * sizeof *y);
    memcpy(y + s->at_v, scenario->v, (size_t)s->nv * sizeof *y);
    if (scenario->motors_at_equilibrium) {
        zi_system_show(s, scenario->start, y);
        zv_drives_initial(s->drives, s->efforts, s->work, s->q, s->v, true, z);
    } else if (s->nz > 0) {
        memcpy(z, scenario->z, (size_t)s->nz * sizeof *z);
    }
    zvStatus status = zi_system_settle(s, scenario->start, y, error);
    double scale = zi_system_energy_scale(s, s->q, s->v);
    for (int i = 0; i < s->nw; i++) s->scale[s->at_work + i] = scale;
    return status;
}

/* Creation ------------------------------------------------------------------------------------------ */

static double *doubles(ziSystem *s, int count) {
    return zi_arena_alloc(&s->arena, ((size_t)count + 1) * sizeof(double));
}

static bool make_room(ziSystem *s) {
    s->modes = zi_arena_alloc(&s->arena, (size_t)zv_drives_nmode(s->drives) + 1);
    s->held = zi_arena_alloc(&s->arena, (size_t)s->nv + 1);
    s->locked = zi_arena_alloc(&s->arena, (size_t)s->nv + 1);
    s->given = zi_arena_alloc(&s->arena, (size_t)s->nv + 1);
    s->is_position = zi_arena_alloc(&s->arena, (size_t)s->size + 1);
    s->coordinate = zi_arena_alloc(&s->arena, ((size_t)s->nv + 1) * sizeof *s->coordinate);
    s->q = doubles(s, s->nq);
    s->v = doubles(s, s->nv);
    s->scale = doubles(s, s->size);
    s->stiffness = doubles(s, s->nv);
    s->damping = doubles(s, s->nv);
    s->augment = doubles(s, s->nv);
    s->room = doubles(s, s->nv + s->nq);
    s->q_near = doubles(s, s->nq);
    s->swiftness = doubles(s, s->nv);
    return s->modes && s->held && s->locked && s->given && s->is_position && s->coordinate && s->q && s->v &&
           s->scale && s->stiffness && s->damping && s->augment && s->room && s->q_near && s->swiftness;
}

/* From this many frames on one sweep over all links is the shorter way. */
enum { MANY_FRAMES = 3 };

static bool is_frame_channel(ziChannelSpec spec) {
    return spec.kind == ZI_CHANNEL_POSE || spec.kind == ZI_CHANNEL_VELOCITY;
}

static bool make_links(ziSystem *s) {
    const zvScenario *scenario = s->scenario;
    const size_t nlink = (size_t)zv_model_nlink(s->model);
    int rows = 0, events = 0;
    for (int i = 0; i < scenario->channel_count; i++) rows += is_frame_channel(scenario->channels[i]);
    for (int i = 0; i < scenario->event_count; i++) {
        const ziEventSpec *e = &scenario->events[i];
        events += e->kind == ZI_EVENT_PLANE || (e->kind == ZI_EVENT_THRESHOLD && is_frame_channel(e->channel));
    }
    if (rows < MANY_FRAMES && events < MANY_FRAMES) return true;
    s->poses = zi_arena_alloc(&s->arena, nlink * sizeof *s->poses);
    s->velocities = zi_arena_alloc(&s->arena, 6 * nlink * sizeof *s->velocities);
    return s->poses && s->velocities;
}

static void mark_entries(ziSystem *s) {
    for (int i = 0; i < s->size; i++) s->scale[i] = 1;
    for (int i = 0; i < s->nq; i++) s->is_position[i] = 1;
    for (int i = 0; i < s->nz; i++) {
        s->is_position[s->at_z + i] = zv_drives_state(s->drives, i).is_position;
        s->z_moves |= zv_drives_state(s->drives, i).is_position;
    }
    zi_coordinates_of_dofs(s->model, s->coordinate);
}

ziSystem *zi_system_create(const zvScenario *scenario, zvError *error) {
    ziSystem *s = calloc(1, sizeof *s);
    if (s) {
        s->scenario = scenario;
        s->model = scenario->model;
        s->drives = scenario->drives;
        s->nq = zv_model_nq(s->model);
        s->nv = zv_model_nv(s->model);
        s->nz = zv_drives_nstate(s->drives);
        s->nw = scenario->ledger ? zv_drives_naccount(s->drives) : 0;
        s->at_v = s->nq;
        s->at_z = s->at_v + s->nv;
        s->at_work = s->at_z + s->nz;
        s->size = s->at_work + s->nw;
        s->horizon = INFINITY;
        s->loops = zv_model_nloop(s->model) > 0;
        s->closes = s->loops && scenario->stabilisation == ZI_STABILISE_PROJECTION;
        s->work = zv_work_create(s->model, error);
        s->efforts = s->work ? zv_efforts_create(s->drives, error) : NULL;
        if (s->efforts && make_room(s) && make_links(s)) {
            s->efforts->held = s->held;
            s->efforts->feedback = scenario->stabilisation == ZI_STABILISE_BAUMGARTE ? scenario->feedback : 0;
            zi_system_choose_care(s);
            mark_entries(s);
            s->structure = zi_system_structure(s);
            return s;
        }
        zi_system_destroy(s);
    }
    zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the simulation");
    return NULL;
}

void zi_system_destroy(ziSystem *s) {
    if (!s) return;
    if (s->efforts) zv_efforts_destroy(s->efforts);
    if (s->work) zv_work_destroy(s->work);
    zi_arena_free(&s->arena);
    free(s);
}
