#include "simulate/jump.h"

#include <math.h>
#include <string.h>

#include "actuate/element.h"

enum { MOST_BREAKS = 10000 };
static const double unnoticed = 1e-6; /* rad or m: parts that were meant to meet */

bool zi_jump_create(ziJump *j, ziSystem *s) {
    const size_t count = (size_t)s->nv + 1, loops = 3 * (size_t)zv_model_nloop(s->model) + 1;
    *j = (ziJump){.system = s, .given = zi_arena_alloc(&s->arena, count)};
    j->aims = zi_arena_alloc(&s->arena, loops * sizeof *j->aims);
    double **const rows[] = {&j->tau, &j->with, &j->without, &j->v};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i] = zi_arena_alloc(&s->arena, count * sizeof(double));
        if (!*rows[i]) return false;
    }
    return j->given && j->aims;
}

/* Which degrees of freedom follow a law; a stuck one is free, since no friction withstands an impulse. */
static bool find_prescribed(ziJump *j) {
    const bool *prescribed = j->system->drives->prescribed;
    bool any = false;
    for (int i = 0; i < j->system->nv; i++) {
        j->given[i] = prescribed[i] ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
        any |= prescribed[i];
    }
    return any;
}

/* x = answer to jumps of the prescribed less answer to nothing: what gravity adds to both drops out. Jumps stand in
 * j->with and, as second rates of targets, in j->aims. */
static zvStatus respond(ziJump *j, double *x) {
    ziSystem *s = j->system;
    const size_t bytes = (size_t)s->nv * sizeof(double);
    const zvClosing jumps = {.targets = j->aims};
    memset(j->without, 0, bytes);
    memset(j->tau, 0, bytes);
    zvStatus status =
        zv_closed_mixed_dynamics(s->model, s->work, NULL, s->q, NULL, j->given, NULL, j->tau, j->without, NULL);
    if (status < 0) return status;
    memset(j->tau, 0, bytes);
    status = zv_closed_mixed_dynamics(s->model, s->work, &jumps, s->q, NULL, j->given, NULL, j->tau, j->with, NULL);
    for (int i = 0; i < s->nv; i++) x[i] = j->with[i] - j->without[i];
    return status;
}

zvStatus zi_jump_kick(ziJump *j, const double *impulse, double *kick) {
    ziSystem *s = j->system;
    const bool some = find_prescribed(j);
    return zv_closed_inverse_times(s->model, s->work, s->q, some ? j->given : NULL, NULL, impulse, kick);
}

/* Whether a velocity jumps, and not only by rounding. */
static bool differs(double after, double before) { return fabs(after - before) > 1e-10 * (1 + fabs(after)); }

/* Lays the jumps of prescribed velocities into j->with and j->aims; before: j->v and the targets' rates in j->aims. */
static bool find_jumps(ziJump *j) {
    ziSystem *s = j->system;
    bool jumps = false;
    find_prescribed(j);
    for (int i = 0; i < s->nv; i++) {
        const bool prescribed = j->given[i] == ZV_GIVEN_ACCELERATION;
        j->with[i] = prescribed ? s->v[i] - j->v[i] : 0;
        jumps |= prescribed && differs(s->v[i], j->v[i]);
    }
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, s->t));
    for (int i = 0; i < zv_model_nloop(s->model); i++) {
        const double *after = s->efforts->targets + 3 * i;
        double *aim = j->aims + 3 * i;
        jumps |= differs(after[1], aim[1]);
        aim[2] = after[1] - aim[1];
        aim[1] = 0;
    }
    return jumps;
}

zvStatus zi_jump_pass(ziJump *j, double t, double *y, zvError *error) {
    ziSystem *s = j->system;
    zi_system_show(s, t, y);
    memcpy(j->v, s->v, (size_t)s->nv * sizeof *j->v);
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, t));
    memcpy(j->aims, s->efforts->targets, 3 * (size_t)zv_model_nloop(s->model) * sizeof *j->aims);
    s->horizon = zv_drives_next_break(s->drives, t);
    zi_system_impose(s, t, s->q, s->v);
    zvStatus status = ZV_OK;
    if (find_jumps(j)) {
        memcpy(y, s->q, (size_t)s->nq * sizeof *y);
        memcpy(y + s->at_v, j->v, (size_t)s->nv * sizeof *y);
        status = respond(j, j->v);
        for (int i = 0; i < s->nv; i++) {
            if (j->given[i] == ZV_GIVEN_FORCE) y[s->at_v + i] += j->v[i];
        }
    }
    if (status < 0) {
        return zv_fail(error, status, (zvMark){0}, NULL, "the motion cannot go on at t = %g s: %s", t,
                       zv_status_sentence(status));
    }
    return zi_system_settle(s, t, y, error);
}

/* Positions --------------------------------------------------------------------------------------------- */

static bool jumps_within(const ziElement *motion, double start, double end, double *room, ziPositionJump *jump) {
    const int width = zv_law_width(motion->law);
    double *before = room, *after = room + width, t = start;
    for (int i = 0; i < MOST_BREAKS && (t = zv_law_next_break(motion->law, t)) < end; i++) {
        zv_law_at(motion->law, nextafter(t, -INFINITY), before, NULL, NULL);
        zv_law_at(motion->law, t, after, NULL, NULL);
        for (int k = 0; k < width; k++) {
            if (fabs(after[k] - before[k]) <= unnoticed * fmax(1, fabs(after[k]))) continue;
            *jump = (ziPositionJump){.dof = -1, .loop = -1, .t = t, .from = before[k], .to = after[k]};
            if (motion->kind == &zi_loop_motion_kind) jump->loop = motion->of.loop.loop;
            if (motion->count > 0) jump->dof = motion->dofs[k];
            return true;
        }
    }
    return false;
}

bool zi_jump_of_motions(const zvScenario *scenario, double *room, ziPositionJump *jump) {
    const zvDrives *drives = scenario->drives;
    int motion = 0;
    for (size_t i = 0; i < drives->nelement; i++) {
        const ziElementKind *kind = drives->elements[i].kind;
        if (kind != &zi_prescribed_kind && kind != &zi_loop_motion_kind) continue;
        if (jumps_within(&drives->elements[i], scenario->start, scenario->start + scenario->duration, room, jump)) {
            jump->motion = motion;
            return true;
        }
        motion++;
    }
    return false;
}
