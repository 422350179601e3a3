#include "simulate/jump.h"

#include <math.h>
#include <string.h>

#include "actuate/element.h"

enum { MOST_BREAKS = 10000 };
static const double unnoticed = 1e-6; /* rad or m: parts that were meant to meet */

bool zv_jump_create(zvJump *j, zvSystem *s) {
    const size_t count = (size_t)s->nv + 1;
    *j = (zvJump){.system = s, .given = zv_arena_alloc(&s->arena, count)};
    double **const rows[] = {&j->tau, &j->with, &j->without, &j->v};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i] = zv_arena_alloc(&s->arena, count * sizeof(double));
        if (!*rows[i]) return false;
    }
    return j->given != NULL;
}

/* Which degrees of freedom follow a law; a stuck one is free, since no friction withstands an impulse. */
static bool find_prescribed(zvJump *j) {
    const zvEfforts *efforts = j->system->efforts;
    bool any = false;
    for (int i = 0; i < j->system->nv; i++) {
        const bool prescribed = efforts->given[i] == ZV_GIVEN_ACCELERATION;
        j->given[i] = prescribed ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
        any |= prescribed;
    }
    return any;
}

/* x = answer to (impulse, jumps of the prescribed) less answer to nothing: what gravity adds to both drops out.
 * jumps stand in j->with. */
static zvStatus respond(zvJump *j, const double *impulse, double *x) {
    zvSystem *s = j->system;
    const size_t bytes = (size_t)s->nv * sizeof(double);
    memset(j->without, 0, bytes);
    memset(j->tau, 0, bytes);
    zvStatus status = zv_mixed_dynamics(s->model, s->work, s->q, NULL, j->given, NULL, j->tau, j->without);
    if (status < 0) return status;
    memset(j->tau, 0, bytes);
    if (impulse) memcpy(j->tau, impulse, bytes);
    status = zv_mixed_dynamics(s->model, s->work, s->q, NULL, j->given, NULL, j->tau, j->with);
    for (int i = 0; i < s->nv; i++) x[i] = j->with[i] - j->without[i];
    return status;
}

zvStatus zv_jump_kick(zvJump *j, const double *impulse, double *kick) {
    zvSystem *s = j->system;
    zvStatus status = zv_system_accelerate(s); /* tells which are prescribed now */
    if (status < 0) return status;
    if (!find_prescribed(j)) return zv_mass_inverse_times(s->model, s->work, s->q, impulse, kick);
    memset(j->with, 0, (size_t)s->nv * sizeof *j->with);
    return respond(j, impulse, kick);
}

zvStatus zv_jump_pass(zvJump *j, double t, double *y, zvError *error) {
    zvSystem *s = j->system;
    zv_system_show(s, t, y);
    memcpy(j->v, s->v, (size_t)s->nv * sizeof *j->v);
    s->horizon = zv_drives_next_break(s->drives, t);
    zv_system_show(s, t, y);
    zvStatus status = zv_system_accelerate(s);
    bool jumps = false;
    if (status >= 0 && find_prescribed(j)) {
        for (int i = 0; i < s->nv; i++) {
            j->with[i] = j->given[i] == ZV_GIVEN_ACCELERATION ? s->v[i] - j->v[i] : 0;
            jumps |= fabs(j->with[i]) > 1e-10 * (1 + fabs(s->v[i]));
        }
    }
    if (jumps) {
        status = respond(j, NULL, j->v);
        for (int i = 0; i < s->nv; i++) {
            if (j->given[i] == ZV_GIVEN_FORCE) y[s->at_v + i] += j->v[i];
        }
    }
    if (status < 0) {
        return zv_fail(error, status, (zvMark){0}, NULL, "the motion cannot go on at t = %g s: %s", t,
                       zv_status_sentence(status));
    }
    return zv_system_settle(s, t, y, error);
}

/* Positions --------------------------------------------------------------------------------------------- */

static bool jumps_within(const zvElement *motion, double start, double end, double *room, zvPositionJump *jump) {
    double *before = room, *after = room + motion->count, t = start;
    for (int i = 0; i < MOST_BREAKS && (t = zv_law_next_break(motion->law, t)) < end; i++) {
        zv_law_at(motion->law, nextafter(t, -INFINITY), before, NULL, NULL);
        zv_law_at(motion->law, t, after, NULL, NULL);
        for (int k = 0; k < motion->count; k++) {
            if (fabs(after[k] - before[k]) <= unnoticed * fmax(1, fabs(after[k]))) continue;
            *jump = (zvPositionJump){.dof = motion->dofs[k], .t = t, .from = before[k], .to = after[k]};
            return true;
        }
    }
    return false;
}

bool zv_jump_of_motions(const zvScenario *scenario, double *room, zvPositionJump *jump) {
    const zvDrives *drives = scenario->drives;
    int motion = 0;
    for (size_t i = 0; i < drives->nelement; i++) {
        if (drives->elements[i].kind != &zv_prescribed_kind) continue;
        if (jumps_within(&drives->elements[i], scenario->start, scenario->start + scenario->duration, room, jump)) {
            jump->motion = motion;
            return true;
        }
        motion++;
    }
    return false;
}
