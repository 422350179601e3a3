/* Jumps of velocity, impacts, and rest on stops. */
#include "simulate/impact.h"

#include "actuate/element.h"
#include "loops/open.h"
#include "simulate/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
    const zvClosing still = {.open = s->open}, jumps = {.targets = j->aims, .open = s->open};
    memset(j->without, 0, bytes);
    memset(j->tau, 0, bytes);
    zvStatus status =
        zv_closed_mixed_dynamics(s->model, s->work, &still, s->q, NULL, j->given, NULL, j->tau, j->without, NULL);
    if (status < 0) return status;
    memset(j->tau, 0, bytes);
    status = zv_closed_mixed_dynamics(s->model, s->work, &jumps, s->q, NULL, j->given, NULL, j->tau, j->with, NULL);
    for (int i = 0; i < s->nv; i++) x[i] = j->with[i] - j->without[i];
    return status;
}

/* kick = M^-1 impulse at the state shown, prescribed degrees of freedom held fast, loops closed; (nv) each. */
static zvStatus jump_kick(ziJump *j, const double *impulse, double *kick) {
    ziSystem *s = j->system;
    const bool any = find_prescribed(j);
    const zvClosing closing = {.open = s->open};
    return zi_closed_inverse_times(s->model, s->work, &closing, s->q, any ? j->given : NULL, NULL, 0, 0, impulse, kick);
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

/* Velocities before and after the break come from laws on either side of it; their difference is an impulse. */
zvStatus zi_jump_pass(ziJump *j, double t, double *y, zvError *error) {
    ziSystem *s = j->system;
    zi_system_show(s, t, y);
    memcpy(j->v, s->v, (size_t)s->nv * sizeof *j->v);
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, t));
    memcpy(j->aims, s->efforts->targets, 3 * (size_t)zv_model_nloop(s->model) * sizeof *j->aims);
    s->horizon = zv_drives_next_break(s->drives, t);
    zi_system_impose(s, t, s->q, s->v);
    zvStatus status = zv_drives_sample(s->drives, s->efforts, t, false, s->q, s->v);
    if (status >= 0 && find_jumps(j)) {
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

/* Compares the law just before each break with the law at it. */
static bool jumps_within(const ziElement *motion, double start, double end, double *buffer, ziPositionJump *jump) {
    const int width = zv_law_width(motion->law);
    double *before = buffer, *after = buffer + width, t = start;
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

/* The same of a motion along a route: place and turn. */
static bool pose_jumps_within(const ziElement *motion, double start, double end, ziPositionJump *jump) {
    double t = start;
    for (int i = 0; i < MOST_BREAKS && (t = zv_route_next_break(motion->route, t)) < end; i++) {
        zvPose before, after;
        double gap[6];
        zv_route_at(motion->route, nextafter(t, -INFINITY), &before, NULL, NULL);
        zv_route_at(motion->route, t, &after, NULL, NULL);
        zv_pose_error(&after, &before, gap);
        for (int k = 0; k < 6; k++) {
            if (fabs(gap[k]) <= unnoticed * fmax(1, k < 3 ? fabs(after.p[k]) : 1)) continue;
            const bool turns = k >= 3;
            const int at = turns ? motion->of.pose.at_w + k - 3 : motion->of.pose.at_v + k;
            *jump = (ziPositionJump){.dof = at, .loop = -1, .t = t, .turns = turns, .places = !turns};
            jump->from = turns ? 0 : before.p[k];
            jump->to = turns ? gap[k] : after.p[k];
            return true;
        }
    }
    return false;
}

/* The first motion that jumps, in the order of the scenario, so that the text can name its line. */
bool zi_jump_of_motions(const zvScenario *scenario, double *buffer, ziPositionJump *jump) {
    const zvDrives *drives = scenario->drives;
    int motion = 0;
    for (size_t i = 0; i < drives->nelement; i++) {
        const ziElementKind *kind = drives->elements[i].kind;
        if (kind != &zi_prescribed_kind && kind != &zi_loop_motion_kind && kind != &zi_pose_kind) continue;
        const double end = scenario->start + scenario->duration;
        if (kind == &zi_pose_kind ? pose_jumps_within(&drives->elements[i], scenario->start, end, jump)
                                  : jumps_within(&drives->elements[i], scenario->start, end, buffer, jump)) {
            jump->motion = motion;
            return true;
        }
        motion++;
    }
    return false;
}

/* Impacts, and rest on stops.
 *
 * A bounce is Newton's: the impulse along the function's gradient n turns the approach n.v into -restitution n.v,
 *   dv = -(1 + restitution) (n.v) M^-1 n / (n M^-1 n).
 * M^-1 being the inverse on the motions that closed loops allow. Bounces that follow each other at once are contact. At
 * a limit it is one: the degree of freedom is locked, mixed dynamics tells the force of the stop, and when that force
 * would have to pull, the stop lets go. */

enum { ROUNDS = 32 }; /* of impulses between stops that share a robot */

static const zvMark nowhere = {0};

/* Impulses ------------------------------------------------------------------------------------------- */

/* The function's gradient in v at the state shown. */
static void fill_normal(ziEventSet *t, const ziEventSpec *e) {
    ziSystem *s = t->system;
    if (e->kind == ZI_EVENT_LIMIT) {
        memset(t->normal, 0, (size_t)s->nv * sizeof *t->normal);
        t->normal[e->v_index] = -e->side * e->ratio;
        return;
    }
    zv_frame_jacobian(s->model, s->work, s->q, e->frame, ZV_AXES_WORLD, t->J);
    for (int i = 0; i < s->nv; i++) {
        t->normal[i] = e->normal[0] * t->J[i] + e->normal[1] * t->J[s->nv + i] + e->normal[2] * t->J[2 * s->nv + i];
    }
}

/* Whether what yields to an impulse is rounding: with closed loops a machine that is led in one place may not yield in
 * another, and the sum of what does not move is not exactly zero. */
static bool is_stiff(ziEventSet *t, double yield) {
    ziSystem *s = t->system;
    double free = 0;
    if (!(yield > 0)) return true;
    if (!s->loops || zv_mass_inverse_times(s->model, s->work, s->q, t->normal, t->jump.v) < 0) return false;
    for (int i = 0; i < s->nv; i++) free += t->normal[i] * t->jump.v[i];
    return yield < 1e-12 * free;
}

/* Velocities after an impact at the state shown, whose function changes at `rate`. Held limits give no impulse here:
 * zi_stops_settle adds theirs. */
static zvStatus strike(ziEventSet *t, int event, double time, double *y, double rate, double restitution,
                       zvError *error) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    double yield = 0;
    fill_normal(t, e);
    zvStatus status = jump_kick(&t->jump, t->normal, t->kick);
    for (int i = 0; i < s->nv; i++) yield += t->normal[i] * t->kick[i];
    if (status < 0 || is_stiff(t, yield)) {
        return zv_fail(error, ZV_PHYSICS, nowhere, e->name,
                       "event \"%s\" cannot bounce at t = %.9g s: nothing that is free to move takes the impulse",
                       e->name, time);
    }
    for (int i = 0; i < s->nv; i++) y[s->at_v + i] = s->v[i] - (1 + restitution) * rate / yield * t->kick[i];
    return ZV_OK;
}

/* Stops ---------------------------------------------------------------------------------------------- */

void zi_stops_tell(ziEventSet *t) {
    ziSystem *s = t->system;
    memset(s->held, 0, (size_t)s->nv);
    for (int i = 0; i < t->own; i++) {
        if (t->held[i]) s->held[s->scenario->events[i].v_index] = 1;
    }
}

double zi_stop_force(const ziEventSet *t, int event) {
    const ziEventSpec *e = &t->system->scenario->events[event];
    const zvEfforts *efforts = t->system->efforts;
    return -e->side * (efforts->tau[e->v_index] - zi_efforts_scratch(efforts)->known[e->v_index]) / e->ratio;
}

static bool any_held(const ziEventSet *t) {
    for (int i = 0; i < t->own; i++) {
        if (t->held[i]) return true;
    }
    return false;
}

/* The coordinate stands on the limit but for rounding; raised above that, the function is seen to fall when it comes
 * back. */
static void let_go(ziEventSet *t, int event) {
    t->held[event] = 0;
    zi_stops_tell(t);
    const double slack = fabs(t->system->scenario->events[event].value);
    t->shift[event] = fmax(0, 1024 * DBL_EPSILON * slack - zi_event_value(t, event));
}

zvStatus zi_stop_release(ziEventSet *t, int event, double time, double *y, zvError *error) {
    zi_system_show(t->system, time, y);
    let_go(t, event);
    zvStatus status = zi_system_settle(t->system, time, y, error);
    return status < 0 ? status : zi_stops_settle(t, time, y, error);
}

/* What is left of the approach goes by an impulse; then the degree of freedom is locked. */
zvStatus zi_stop_hold(ziEventSet *t, int event, double time, double *y, zvError *error) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    zi_system_show(s, time, y);
    const double rate = zi_event_rate(t, event);
    zvStatus status = rate != 0 ? strike(t, event, time, y, rate, 0, error) : ZV_OK;
    if (status < 0) return status;
    y[e->q_index] = (e->value - e->offset) / e->ratio;
    y[s->at_v + e->v_index] = 0;
    t->held[event] = 1;
    t->shift[event] = 0;
    zi_stops_tell(t);
    return zi_system_settle(s, time, y, error);
}

/* Held limits that the velocities still penetrate give an impulse each, in turn until none is left or ROUNDS are over.
 */
static zvStatus share_impulses(ziEventSet *t, double time, double *y, double negligible, zvError *error) {
    ziSystem *s = t->system;
    bool struck = true;
    for (int round = 0; struck && round < ROUNDS; round++) {
        struck = false;
        for (int i = 0; i < t->own; i++) {
            if (!t->held[i]) continue;
            zi_system_show(s, time, y);
            const double rate = zi_event_rate(t, i);
            if (!(rate < -negligible)) continue;
            zvStatus status = strike(t, i, time, y, rate, 0, error);
            if (status < 0) return status;
            struck = true;
        }
    }
    return ZV_OK;
}

/* After an impulse that was computed without the held limits: they give their impulses, those that open are released,
 * and the velocities at the others become exactly zero. */
static zvStatus settle_velocities(ziEventSet *t, double time, double *y, zvError *error) {
    ziSystem *s = t->system;
    double speed = 0;
    memset(s->held, 0, (size_t)s->nv); /* show what moves */
    for (int i = 0; i < s->nv; i++) speed = fmax(speed, fabs(y[s->at_v + i]));
    zvStatus status = share_impulses(t, time, y, 1e-10 * speed, error);
    zi_system_show(s, time, y);
    for (int i = 0; status >= 0 && i < t->own; i++) {
        if (!t->held[i]) continue;
        if (zi_event_rate(t, i) > 1e-10 * speed) {
            let_go(t, i);
            memset(s->held, 0, (size_t)s->nv);
        } else {
            y[s->at_v + s->scenario->events[i].v_index] = 0;
        }
    }
    zi_stops_tell(t);
    return status;
}

/* The held stop that would have to pull hardest, or -1. */
static int pulling(const ziEventSet *t) {
    int worst = -1;
    double most = 0;
    for (int i = 0; i < t->own; i++) {
        if (!t->held[i] || zi_stop_force(t, i) >= most) continue;
        most = zi_stop_force(t, i);
        worst = i;
    }
    return worst;
}

zvStatus zi_stops_settle(ziEventSet *t, double time, double *y, zvError *error) {
    ziSystem *s = t->system;
    if (!any_held(t)) return ZV_OK;
    zvStatus status = settle_velocities(t, time, y, error);
    if (status >= 0) status = zi_system_settle(s, time, y, error);
    for (int i = 0; status >= 0 && (i = pulling(t)) >= 0;) {
        let_go(t, i);
        status = zi_system_settle(s, time, y, error);
    }
    return status;
}

/* Bounces -------------------------------------------------------------------------------------------- */

/* Flights that rise no higher are lost in the error of the steps. */
static double resolved(const zvScenario *scenario) {
    const zvIntegrationOptions *o = &scenario->integration;
    return zv_integration_is_fixed(o) ? 0 : 10 * (o->atol + o->rtol);
}

/* After a strike: whether the next one would follow at once. */
static bool comes_to_rest(ziEventSet *t, int event, double time, const double *y) {
    ziSystem *s = t->system;
    zi_system_show(s, time, y);
    const double leaving = zi_event_rate(t, event);
    if (leaving < 0 || zi_system_accelerate(s) < 0) return false; /* the next step will say so */
    const double pull = zi_event_second_rate(t, event), height = -0.5 * leaving * leaving / pull;
    if (!(pull < 0)) return false;
    return 2 * leaving <= -pull * zi_event_moment(t, time) || height <= resolved(s->scenario);
}

/* The function is zero here but for rounding and the error of the step. Raised above both it is found to fall again
 * however short the flight. */
static void raise(ziEventSet *t, int event, double time, double rate) {
    const zvScenario *scenario = t->system->scenario;
    const ziEventSpec *e = &scenario->events[event];
    const double slack = fabs(e->value) + (fabs(time) + scenario->duration) * fabs(rate);
    const double again = rate < 0 ? 0 : 2 * t->shift[event];
    t->shift[event] = fmax(again, 1024 * DBL_EPSILON * slack - zi_event_value(t, event));
}

/* Lasting contact is modelled at limits only, where it is a locked joint. */
static zvStatus rest(ziEventSet *t, int event, double time, double *y, ziEventRecord *o, zvError *error) {
    const ziEventSpec *e = &t->system->scenario->events[event];
    if (e->kind != ZI_EVENT_LIMIT)
        return zv_fail(
            error, ZV_NO_CONVERGENCE, nowhere, e->name,
            "event \"%s\" comes to rest at t = %.9g s: its bounces follow each other at once, and lasting contact "
            "with a plane is not modelled; end the run before, or let the event stop it (action: stop)",
            e->name, time);
    o->what = ZI_OUTCOME_RESTS;
    o->after = 0;
    return zi_stop_hold(t, event, time, y, error);
}

/* Bounces that are too slow to be told apart in time become rest. */
zvStatus zi_impact_bounce(ziEventSet *t, int event, double time, double *y, ziOutcome *out, zvError *error) {
    const ziEventSpec *e = &t->system->scenario->events[event];
    ziEventRecord *o = &out->event_record;
    zi_system_show(t->system, time, y);
    o->what = ZI_OUTCOME_BOUNCES;
    o->before = o->after = zi_event_rate(t, event);
    out->jumped = true;
    out->fired = o->before < 0; /* else it is leaving: after another impact, or seen so by the error of a step */
    raise(t, event, time, o->before);
    if (!out->fired) return ZV_OK;
    zvStatus status = strike(t, event, time, y, o->before, e->restitution, error);
    o->after = -e->restitution * o->before;
    if (status >= 0) status = zi_system_settle(t->system, time, y, error);
    if (status >= 0) status = zi_stops_settle(t, time, y, error);
    if (status >= 0 && comes_to_rest(t, event, time, y)) status = rest(t, event, time, y, o, error);
    return status < 0 ? status : zi_stops_settle(t, time, y, error);
}
