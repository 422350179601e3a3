/* States of rest, or of steady motion, of a scenario: its drives are what modes/equilibrium_outside.c asks for forces.
 */
#include "simulate/equilibrium.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "actuate/element.h"
#include "base/require.h"
#include "modes/dense.h"

static const double turn = 1.0;      /* rad or m by which a steady motion is tried */
static const double unsteady = 1e-6; /* of the forces, which may change with it */

zvRestOptions zv_rest_default(void) { return (zvRestOptions){.t = NAN}; }

/* The system as the search sees it. */
typedef struct Outside {
    ziSystem *system;
    double t;
    const double *v; /* nv */
    unsigned char *held, *modes;
    double *scale; /* states: what rates of motors are measured by */
    zvClosing closing;
} Outside;

/* The flexible joint that an element is, or NULL. */
static const zvFlexibleJoint *gear_of(const ziElement *e) {
    return e->kind == &zi_flexible_kind ? &e->of.motor.gear : NULL;
}

static double rotor_inertia(const zvFlexibleJoint *gear) { return gear->inertia * gear->ratio * gear->ratio; }

/* Motors move as their joints do; integrals are measured by what makes them bear the weight of the robot. */
static void outside_measure(void *context, const double *units, double scale, double *unit) {
    const Outside *o = context;
    const zvDrives *d = o->system->drives;
    for (int i = 0; i < o->system->nz; i++) unit[i] = o->scale[i] = 1;
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        const zvFlexibleJoint *gear = gear_of(e);
        if (gear) {
            unit[e->state] = unit[e->state + 1] = units[e->dofs[0]];
            o->scale[e->state + 1] = scale / (units[e->dofs[0]] * rotor_inertia(gear));
        }
        for (int k = 0; e->kind == &zi_pid_kind && k < e->count; k++) {
            const int state = e->of.control.integral[k];
            if (state >= 0 && scale > 0) unit[state] = scale / (units[e->dofs[k]] * e->of.control.ki[k]);
        }
    }
}

static const char *outside_label(void *context, int state) {
    const Outside *o = context;
    return zv_drives_state(o->system->drives, state).name;
}

/* Rates of states that should be zero, or those of the joint for the angle of a motor. */
static void find_rates(const Outside *o, double *rate, double *size) {
    const ziSystem *s = o->system;
    for (int i = 0; i < s->nz; i++) {
        rate[i] = s->efforts->rate[i];
        size[i] = o->scale[i];
    }
    for (size_t i = 0; i < s->drives->nelement; i++) {
        const ziElement *e = &s->drives->elements[i];
        const zvFlexibleJoint *gear = gear_of(e);
        if (!gear) continue;
        rate[e->state] -= o->v[e->dofs[0]];
        size[e->state + 1] += fabs(s->efforts->force[e->account]) / rotor_inertia(gear);
    }
}

/* Inverse dynamics without acceleration against what the drives push. */
static zvStatus outside_unbalanced(void *context, const double *q, const double *z, double *force, double *size,
                                   double *rate, double *rate_size) {
    const Outside *o = context;
    ziSystem *s = o->system;
    zi_efforts_loosen(s->efforts, true);
    const zvStatus status = zi_drives_balance(s->drives, s->efforts, s->work, o->t, q, o->v, z, o->modes, NULL, force);
    zi_efforts_loosen(s->efforts, false);
    if (status < 0) return status;
    for (int i = 0; i < s->nv; i++) {
        const double given = s->efforts->tau[i];
        if (o->held[i]) force[i] = 0;
        size[i] = fabs(given) + fabs(force[i] + given);
    }
    find_rates(o, rate, rate_size);
    return ZV_OK;
}

/* What follows a law is held too; sliding friction is that of the steady motion. */
static void hold_led(Outside *o, const zvRestOptions *options) {
    ziSystem *s = o->system;
    for (int i = 0; i < s->nv; i++) {
        const bool led = s->drives->prescribed[i], held = options->held && options->held[i];
        o->held[i] = led || held;
        s->held[i] = held && !led;
    }
    for (int i = 0; i < (int)s->drives->nstick; i++) {
        const double v = o->v[s->drives->sticks[i].dof];
        o->modes[i] = v > 0 ? ZV_SLIP_FORWARD : v < 0 ? ZV_SLIP_BACKWARD : ZV_SLIP_STICK;
    }
}

/* v of the steady motion: that of the laws, or what was asked for of what is held. */
static void choose_velocities(ziSystem *s, const zvRestOptions *options, double t, double *q, double *v) {
    memset(v, 0, (size_t)s->nv * sizeof *v);
    for (int i = 0; options->v && i < s->nv; i++)
        if (options->held && options->held[i]) v[i] = options->v[i];
    memset(s->modes, ZV_SLIP_STICK, s->drives->nstick);
    for (size_t i = 0; i < s->drives->nstick; i++) /* impose stops what sticks */
        if (v[s->drives->sticks[i].dof] != 0) s->modes[i] = ZV_SLIP_FORWARD;
    zv_drives_impose(s->drives, s->efforts, t, s->modes, q, v);
}

/* A motion goes on as it is only where the forces stay the same on the way. */
static zvStatus check_steady(Outside *o, const double *q, const double *z, zvError *error) {
    ziSystem *s = o->system;
    const size_t nv = (size_t)s->nv;
    double fastest = 0, worst = 0, *step = zi_arena_alloc(&s->arena, (6 * nv + 2 * (size_t)s->nz) * sizeof *step);
    if (!step) return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the equilibrium");
    double *here = step + nv, *there = here + nv, *size = there + nv, *more = size + nv, *rates = more + nv;
    for (size_t i = 0; i < nv; i++) fastest = fmax(fastest, fabs(o->v[i]));
    if (fastest == 0) return ZV_OK;
    for (size_t i = 0; i < nv; i++) step[i] = turn / fastest * o->v[i];
    zv_position_add(s->model, q, step, s->q_near);
    zvStatus status = outside_unbalanced(o, q, z, here, size, rates, rates + s->nz);
    if (status >= 0) status = outside_unbalanced(o, s->q_near, z, there, more, rates, rates + s->nz);
    double *bias = rates + 2 * (size_t)s->nz, largest = 0; /* what springs between links carry is in the bias alone */
    for (int side = 0; status >= 0 && side < 2; side++) {
        zv_bias(s->model, s->work, side ? s->q_near : q, o->v, bias);
        for (size_t i = 0; i < nv; i++) size[i] += fabs(bias[i]);
    }
    for (size_t i = 0; status >= 0 && i < nv; i++) largest = fmax(largest, size[i] += more[i]);
    for (size_t i = 0; status >= 0 && i < nv && largest > 0; i++)
        worst = fmax(worst, fabs(there[i] - here[i]) / fmax(size[i], unsteady * largest));
    if (status < 0 || worst <= unsteady) return status;
    return zv_fail(error, ZV_NO_CONVERGENCE, (zvMark){0}, "",
                   "no steady motion: when the joints go on with their velocities, by %g rad or m, forces change by "
                   "%.2g of what they are; a steady motion turns about an axis along gravity, or takes gravity: "
                   "[0, 0, 0]",
                   turn, worst);
}

/* What the drives answer when they cannot be asked. */
static zvStatus tell_refusal(const ziSystem *s, zvStatus status, zvError *error) {
    if (error && error->text[0]) return status;
    return zv_fail(error, status, (zvMark){0}, NULL, "no equilibrium: the drives cannot be evaluated at it: %s%s",
                   zv_status_sentence(status),
                   zv_drives_nfunction(s->drives) > 0 ? "; drives of type function need their functions" : "");
}

/* From a guess at q and z of y, which receives the answer with its velocities. */
zvStatus zi_system_rest(ziSystem *s, const zvRestOptions *options, double *y, unsigned char *held,
                        ziEquilibriumFacts *facts, zvError *error) {
    Outside o = {.system = s, .t = isnan(options->t) ? s->scenario->start : options->t};
    double *q = y, *v = y + s->at_v, *z = y + s->at_z;
    o.held = zi_arena_alloc(&s->arena, (size_t)s->nv + 1);
    o.modes = zi_arena_alloc(&s->arena, s->drives->nstick + 1);
    o.scale = zi_arena_alloc(&s->arena, ((size_t)s->nz + 1) * sizeof *o.scale);
    if (!o.held || !o.modes || !o.scale)
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the equilibrium");
    s->horizon = zv_drives_next_break(s->drives, o.t);
    choose_velocities(s, options, o.t, q, v);
    o.v = v;
    hold_led(&o, options);
    zv_drives_aim(s->drives, s->efforts, o.t);
    o.closing = zv_efforts_closing(s->efforts);
    const ziOutside outside = {&o, &o.closing, s->nz, z, outside_label, outside_measure, outside_unbalanced};
    const zvRest rest = {.q = q, .v = v, .held = o.held};
    if (error) *error = (zvError){0};
    zvStatus status = zi_equilibrium_outside(s->model, s->work, &rest, &outside, options->steps, q, facts, error);
    if (status >= 0) status = check_steady(&o, q, z, error);
    memset(s->held, 0, (size_t)s->nv);
    if (held) memcpy(held, o.held, (size_t)s->nv);
    return status < 0 ? tell_refusal(s, status, error) : ZV_OK;
}
