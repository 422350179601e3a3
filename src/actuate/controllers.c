/* Controllers of joints: PD and PID, computed torque. Gravity compensation is in gravity.c, control of a frame in
 * task_control.c. */
#include "actuate/element.h"

#include <math.h>
#include <string.h>

#include "base/require.h"

/* PD and PID controllers, docs/actuation.md (5.1)-(5.3). Integrals of the error are states. */

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

/* Force of entry k, before its limit, with the error and its rate; sets the rate of the integral. Back-calculation:
 * what the limit cuts off runs back into the integral. Its rate is continuous, so that no controller slides along its
 * limit. */
static double control(const ziElement *e, const ziInstant *now, int k, double error, double rate, double more) {
    const ziControlData *c = &e->of.control;
    int state = c->integral[k];
    double integral = state >= 0 ? now->z[state] : 0;
    double force = c->kp[k] * error + c->ki[k] * integral + c->kd[k] * rate + more;
    if (state >= 0) now->out->rate[state] = error + c->yield[k] * (zi_limited(force, e->limit[k]) - force);
    return force;
}

/* The error on the side of the motor or of the link; the integral yields where the limit acts. */
static zvStatus pid_push(const ziElement *e, const ziInstant *now) {
    const ziControlData *c = &e->of.control;
    const zvDrives *d = now->drives;
    double *const *law = zi_efforts_scratch(now->out)->law, *r = law[0], *dr = law[1], *more = law[2];
    zi_element_law(e, zi_efforts_scratch(now->out), now->t, r, dr, NULL);
    if (e->feedforward) zv_law_at(e->feedforward, now->t, more, NULL, NULL);
    zvStatus status = ZV_OK;
    const double *g = c->gravity ? zi_gravity_now(now, &status) : NULL;
    if (status < 0) return status;
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k], rotor = c->motor_side ? d->rotor[dof] : -1;
        double x = rotor >= 0 ? now->z[rotor] : now->q[d->freedoms[dof].coordinate];
        double dx = rotor >= 0 ? now->z[rotor + 1] : now->v[dof];
        double feedforward = (e->feedforward ? more[k] : 0) + (g ? g[dof] : 0);
        zi_push_limited(e, now, k, control(e, now, k, r[k] - x, dr[k] - dx, feedforward));
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

static void diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                     double *stiffness, double *damping) {
    (void)z, (void)q, (void)v;
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k];
        if (d->rotor[dof] >= 0) continue;
        stiffness[dof] += fmax(e->of.control.kp[k], 0);
        damping[dof] += fmax(e->of.control.kd[k], 0);
    }
}

const ziElementKind zi_pid_kind = {.word = "pid",
                                   .actuates = true,
                                   .refers = true,
                                   .claim = claim,
                                   .push = pid_push,
                                   .initial = initial,
                                   .diagonal = diagonal};

/* The integral time kp/ki or sqrt(kd/ki), the longer of both; a pure integrator has neither. */
static double usual_tracking(double kp, double ki, double kd) {
    double time = fmax(fabs(kp / ki), sqrt(fabs(kd / ki)));
    return time > 0 ? time : 1;
}

/* How fast the integral yields at the limit; without numbers as the gains suggest. */
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

/* Copies gains and limits into the set. */
static zvStatus keep_gains(zvDrives *d, ziElement *e, const zvPid *pid, zvError *error) {
    ziControlData *c = &e->of.control;
    c->motor_side = pid->motor_side;
    c->gravity = pid->gravity;
    zvStatus status = zi_keep_gains(d, e, "kp", pid->kp, e->count, &c->kp, error);
    if (status == ZV_OK) status = zi_keep_gains(d, e, "ki", pid->ki, e->count, &c->ki, error);
    if (status == ZV_OK) status = zi_keep_gains(d, e, "kd", pid->kd, e->count, &c->kd, error);
    if (status == ZV_OK) status = zi_keep_limits(d, e, pid->limit, &e->limit, error);
    if (status == ZV_OK) status = keep_tracking(d, e, pid->tracking, error);
    for (int k = 0; status == ZV_OK && k < e->count; k++) status = zi_check_coordinate(d, e, e->dofs[k], error);
    return status;
}

zvStatus zv_drives_add_pid(zvDrives *d, const char *name, int count, const int *dofs, const zvPid *pid,
                           zvLaw *reference_law, zvLaw *feedforward, zvError *error) {
    ZI_REQUIRE(d && pid && (count <= 0 || dofs));
    ziElement e = {.kind = &zi_pid_kind, .law = reference_law, .feedforward = feedforward};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "reference", reference_law, count, error);
    if (status == ZV_OK && feedforward) status = zi_check_law(&e, "feedforward", feedforward, count, error);
    if (status == ZV_OK) status = keep_gains(d, &e, pid, error);
    return zi_drives_close(d, &e, status, error);
}

/* Computed torque: the force that inverse dynamics finds for a* = r'' + kd (r' - v) + kp (r - q), as far as its limit
 * goes. Where loops are closed the mixed problem finds it: a* is given, the other joints follow without a force. */

/* a* = r'' + kd (r' - v) + kp (r - q) in the controlled degrees of freedom. */
static void wanted(const ziElement *e, const ziInstant *now, double *a) {
    const zvDrives *d = now->drives;
    const ziControlData *c = &e->of.control;
    double *const *law = zi_efforts_scratch(now->out)->law, *r = law[0], *dr = law[1], *ddr = law[2];
    zi_element_law(e, zi_efforts_scratch(now->out), now->t, r, dr, ddr);
    memcpy(a, now->out->a, (size_t)d->nv * sizeof *a); /* given accelerations, zero elsewhere */
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k], at = d->freedoms[dof].coordinate;
        if (d->prescribed[dof]) continue;
        a[dof] = ddr[k] + c->kd[k] * (dr[k] - now->v[dof]);
        if (at >= 0) a[dof] += c->kp[k] * (r[k] - now->q[at]);
    }
}

/* x: a*; y: its forces. */
static zvStatus needed_forces(const ziElement *e, const ziInstant *now) {
    const zvDrives *d = now->drives;
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    if (zv_model_nloop(d->model) == 0) {
        zv_inverse_dynamics(d->model, now->work, now->q, now->v, scratch->x, NULL, scratch->y);
        return ZV_OK;
    }
    const zvClosing closing = {.targets = now->out->targets, .open = now->out->open};
    memset(scratch->y, 0, (size_t)d->nv * sizeof *scratch->y);
    for (int i = 0; i < d->nv; i++) scratch->locked[i] = d->prescribed[i] ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
    for (int k = 0; k < e->count; k++) scratch->locked[e->dofs[k]] = ZV_GIVEN_ACCELERATION;
    return zv_closed_mixed_dynamics(d->model, now->work, &closing, now->q, now->v, scratch->locked, NULL, scratch->y,
                                    scratch->x, NULL);
}

static zvStatus computed_torque_push(const ziElement *e, const ziInstant *now) {
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    wanted(e, now, scratch->x);
    zvStatus status = needed_forces(e, now);
    for (int k = 0; status >= 0 && k < e->count; k++) zi_push_limited(e, now, k, scratch->y[e->dofs[k]]);
    return status < 0 ? status : ZV_OK;
}

const ziElementKind zi_computed_torque_kind = {.word = "computed torque",
                                               .actuates = true,
                                               .refers = true,
                                               .claim = zi_claim_accounts,
                                               .push = computed_torque_push};

/* The set takes the law over, also when it refuses. */
zvStatus zv_drives_add_computed_torque(zvDrives *d, const char *name, int count, const int *dofs, const double *kp,
                                       const double *kd, const double *limit, zvLaw *law, zvError *error) {
    ZI_REQUIRE(d && (count <= 0 || dofs));
    ziElement e = {.kind = &zi_computed_torque_kind, .law = law};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "reference", law, count, error);
    if (status == ZV_OK) status = zi_keep_gains(d, &e, "kp", kp, count, &e.of.control.kp, error);
    if (status == ZV_OK) status = zi_keep_gains(d, &e, "kd", kd, count, &e.of.control.kd, error);
    if (status == ZV_OK) status = zi_keep_limits(d, &e, limit, &e.limit, error);
    for (int k = 0; status == ZV_OK && k < count; k++) {
        if (e.of.control.kp[k] != 0) status = zi_check_coordinate(d, &e, dofs[k], error);
    }
    return zi_drives_close(d, &e, status, error);
}
