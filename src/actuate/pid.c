/* PD and PID controllers, docs/actuation.md (5.1)-(5.3). Integrals of the error are states. */
#include <math.h>

#include "actuate/element.h"

/* An integral for each degree of freedom that uses one. */
static bool claim(zvDrives *d, ziElement *e) {
    int *integral = zi_arena_alloc(&d->arena, (size_t)e->count * sizeof *integral);
    if (!integral) return false;
    e->of.control.integral = integral;
    e->state = (int)d->nstate;
    for (int k = 0; k < e->count; k++) {
        integral[k] = -1;
        if (e->of.control.ki[k] == 0) continue;
        integral[k] = (int)d->nstate;
        zvDriveState state = {zi_claim_name(d, e, k, "integral"), d->freedoms[e->dofs[k]].integral_unit, true,
                              e->dofs[k]};
        if (!zi_claim_state(d, state)) return false;
    }
    return zi_claim_accounts(d, e);
}

/* Force of entry k with the error and its rate; sets the rate of the integral. Back-calculation: what the limit cuts
 * off runs back into the integral. Its rate is continuous, so that no controller slides along its limit. */
static double control(const ziElement *e, const ziInstant *now, int k, double error, double rate, double more) {
    const ziControlData *c = &e->of.control;
    int state = c->integral[k];
    double integral = state >= 0 ? now->z[state] : 0;
    double force = c->kp[k] * error + c->ki[k] * integral + c->kd[k] * rate + more;
    double limited = zi_limited(force, c->limit[k]);
    if (state >= 0) now->out->rate[state] = error + c->yield[k] * (limited - force);
    return limited;
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    const ziControlData *c = &e->of.control;
    const zvDrives *d = now->drives;
    double *const *law = zi_efforts_scratch(now->out)->law, *r = law[0], *dr = law[1], *more = law[2];
    zv_law_at(e->law, now->t, r, dr, NULL);
    if (e->feedforward) zv_law_at(e->feedforward, now->t, more, NULL, NULL);
    zvStatus status = ZV_OK;
    const double *g = c->gravity ? zi_gravity_now(e, now, &status) : NULL;
    if (status < 0) return status;
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k], rotor = c->motor_side ? d->rotor[dof] : -1;
        double x = rotor >= 0 ? now->z[rotor] : now->q[d->freedoms[dof].coordinate];
        double dx = rotor >= 0 ? now->z[rotor + 1] : now->v[dof];
        double feedforward = (e->feedforward ? more[k] : 0) + (g ? g[dof] : 0);
        zi_push_drive(e, now, k, control(e, now, k, r[k] - x, dr[k] - dx, feedforward));
    }
    return ZV_OK;
}

static void initial(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *g,
                    double *z) {
    (void)d, (void)q, (void)v, (void)g;
    for (int k = 0; k < e->count; k++) {
        if (e->of.control.integral[k] >= 0) z[e->of.control.integral[k]] = 0;
    }
}

static void diagonal(const zvDrives *d, const ziElement *e, const double *v, double *stiffness, double *damping) {
    (void)v;
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k];
        if (d->rotor[dof] >= 0) continue;
        stiffness[dof] += fmax(e->of.control.kp[k], 0);
        damping[dof] += fmax(e->of.control.kd[k], 0);
    }
}

const ziElementKind zi_pid_kind = {
    .word = "pid", .refers = true, .claim = claim, .push = push, .initial = initial, .diagonal = diagonal};

/* The integral time kp/ki or sqrt(kd/ki), the longer of both; a pure integrator has neither. */
static double usual_tracking(double kp, double ki, double kd) {
    double time = fmax(fabs(kp / ki), sqrt(fabs(kd / ki)));
    return time > 0 ? time : 1;
}

static zvStatus keep_tracking(zvDrives *d, ziElement *e, const double *tracking, zvError *error) {
    ziControlData *c = &e->of.control;
    double *yield = zi_arena_alloc(&d->arena, (size_t)e->count * sizeof *yield);
    if (!yield) return zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a pid");
    c->yield = yield;
    for (int k = 0; k < e->count; k++) {
        double time = tracking ? tracking[k] : 0;
        zvStatus status = zi_check_not_negative(e, "tracking time", time, error);
        if (status < 0) return status;
        if (c->ki[k] == 0) continue; /* there is no integral */
        yield[k] = 1 / (c->ki[k] * (time > 0 ? time : usual_tracking(c->kp[k], c->ki[k], c->kd[k])));
    }
    return ZV_OK;
}

static zvStatus keep(zvDrives *d, ziElement *e, const zvPid *pid, zvError *error) {
    ziControlData *c = &e->of.control;
    c->motor_side = pid->motor_side;
    c->gravity = pid->gravity;
    zvStatus status = zi_keep_gains(d, e, "kp", pid->kp, e->count, &c->kp, error);
    if (status == ZV_OK) status = zi_keep_gains(d, e, "ki", pid->ki, e->count, &c->ki, error);
    if (status == ZV_OK) status = zi_keep_gains(d, e, "kd", pid->kd, e->count, &c->kd, error);
    if (status == ZV_OK) status = zi_keep_limits(d, e, pid->limit, &c->limit, error);
    if (status == ZV_OK) status = keep_tracking(d, e, pid->tracking, error);
    for (int k = 0; status == ZV_OK && k < e->count; k++) status = zi_check_coordinate(d, e, e->dofs[k], error);
    return status;
}

zvStatus zv_drives_add_pid(zvDrives *d, const char *name, int count, const int *dofs, const zvPid *pid,
                           zvLaw *reference_law, zvLaw *feedforward, zvError *error) {
    ziElement e = {.kind = &zi_pid_kind, .law = reference_law, .feedforward = feedforward};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "reference", reference_law, count, error);
    if (status == ZV_OK && feedforward) status = zi_check_law(&e, "feedforward", feedforward, count, error);
    if (status == ZV_OK) status = keep(d, &e, pid, error);
    return zi_drives_close(d, &e, status, error);
}
