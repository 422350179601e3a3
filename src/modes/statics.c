#include "modes/statics.h"

#include <math.h>
#include <string.h>

#include "model/coordinate.h"
#include "zveno/kinematics.h"

static double length(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* How far a link reaches from its frame. */
static double extent(const zvLink *link) { return length(link->inertia.com) + (link->beam ? link->beam->length : 0); }

static double reach_of(const zvModel *model, const zvPose *poses) {
    double reach = 0;
    for (int i = 0; i < zv_model_nlink(model); i++) {
        double from_first[3];
        for (int k = 0; k < 3; k++) from_first[k] = poses[i].p[k] - poses[0].p[k];
        reach = fmax(reach, length(from_first) + extent(zv_model_link(model, i)));
    }
    return reach > 0 ? reach : 1;
}

/* The fastest motion of a link or frame when all moves with v, as of something that turns. */
static double turning(const ziStatics *s, const double *v, zvPose *poses, double *velocities) {
    double fastest = 0;
    zv_link_motions(s->model, s->work, s->q, v, poses, velocities);
    for (int f = 0; f < zv_model_nframe(s->model); f++) {
        zvPose pose;
        double x[6];
        zv_frame_of_links(s->model, f, s->q, v, poses, velocities, &pose, x);
        fastest = fmax(fastest, fmax(length(x + 3), length(x) / s->reach));
    }
    return fastest;
}

static double force_of(const ziStatics *s) {
    const zvRest *rest = s->rest;
    double g[3], force;
    zv_model_gravity(s->model, g);
    force = zv_model_mass(s->model) * (length(g) + s->speed * s->speed * s->reach);
    for (int i = 0; i < rest->load_count; i++)
        force += length(rest->loads + 6 * i) + length(rest->loads + 6 * i + 3) / s->reach;
    return force;
}

/* Coordinates that move no frame get the size of their link as a unit: only its own mass feels them. */
static void measure(ziStatics *s, zvPose *poses, double *velocities) {
    zv_link_poses(s->model, s->work, s->q, poses);
    s->reach = reach_of(s->model, poses);
    for (size_t i = 0; i < s->nv; i++) {
        s->step[i] = 1;
        double rate = turning(s, s->step, poses, velocities);
        s->unit[i] = rate > 0 ? 1 / rate : s->reach;
        s->step[i] = 0;
    }
    for (size_t i = 0; s->rest->v && i < s->nv; i++) s->speed = fmax(s->speed, fabs(s->rest->v[i]) / s->unit[i]);
    double force = force_of(s);
    s->error_scale = force * s->reach;
    s->curved = force > 0;
}

static size_t most_modes(const zvModel *model) {
    int most = 0;
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const int count = zv_model_elastic_place(model, link).count;
        if (count > most) most = count;
    }
    return (size_t)most;
}

static bool take_room(ziStatics *s) {
    const size_t one = sizeof(double), modes = most_modes(s->model);
    s->q = zi_arena_alloc(&s->arena, s->nq * one);
    s->unit = zi_arena_alloc(&s->arena, s->nv * one);
    s->coordinate = zi_arena_alloc(&s->arena, s->nv * sizeof(int));
    s->moved = zi_arena_alloc(&s->arena, s->nq * one);
    s->step = zi_arena_alloc(&s->arena, s->nv * one);
    s->elastic = zi_arena_alloc(&s->arena, s->nv * one);
    s->fext = zi_arena_alloc(&s->arena, (size_t)zv_model_nexternal(s->model) * one);
    s->samples = zi_arena_alloc(&s->arena, 4 * s->nv * one);
    s->own = zi_arena_alloc(&s->arena, modes * modes * one);
    return s->q && s->unit && s->coordinate && s->moved && s->step && s->elastic && s->fext && s->samples && s->own;
}

zvStatus zi_statics_create(const zvModel *model, zvWork *work, const zvRest *rest, ziStatics *s, zvError *error) {
    const size_t nlink = (size_t)zv_model_nlink(model);
    *s = (ziStatics){.model = model, .work = work, .rest = rest, .share = 1};
    s->nq = (size_t)zv_model_nq(model);
    s->nv = (size_t)zv_model_nv(model);
    zvPose *poses = zi_arena_alloc(&s->arena, nlink * sizeof *poses);
    double *velocities = zi_arena_alloc(&s->arena, 6 * nlink * sizeof *velocities);
    if (!take_room(s) || !poses || !velocities) return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory");
    if (rest->q)
        memcpy(s->q, rest->q, s->nq * sizeof *s->q);
    else
        zv_neutral(model, s->q);
    zi_coordinates_of_dofs(model, s->coordinate);
    measure(s, poses, velocities);
    if (!isfinite(s->error_scale))
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
                       "weight, loads and motion together are not finite; make the loads or speeds smaller");
    return ZV_OK;
}

void zi_statics_free(ziStatics *s) { zi_arena_free(&s->arena); }

void zi_statics_force(ziStatics *s, const double *q, const double *v, double *force) {
    const zvRest *rest = s->rest;
    if (rest->load_count) memset(s->fext, 0, (size_t)zv_model_nexternal(s->model) * sizeof *s->fext);
    for (int i = 0; i < rest->load_count; i++) {
        double wrench[6];
        for (int k = 0; k < 6; k++) wrench[k] = s->share * rest->loads[6 * i + k];
        zv_add_wrench(s->model, s->work, q, rest->load_frames[i], wrench, s->fext);
    }
    zv_inverse_dynamics(s->model, s->work, q, v, NULL, rest->load_count ? s->fext : NULL, force);
    zv_elastic_force(s->model, q, v, s->elastic);
    for (size_t i = 0; i < s->nv; i++) force[i] -= s->elastic[i];
}
