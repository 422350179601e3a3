/* Friction in joints, docs/actuation.md (3.1)-(3.3): against forward motion -F[0], against backward motion +F[1],
 *   F = coulomb + (breakaway - coulomb) exp(-(v/stribeck)^2), plus viscous |v|. */
#include <math.h>

#include "actuate/passive.h"

/* Whether the joint can stick on account of this element. */
static bool sticks(const zvFriction *f) { return f->smoothing == 0 && (f->breakaway[0] > 0 || f->breakaway[1] > 0); }

/* Dry friction while sliding towards a side. */
static double dry(const zvFriction *f, int side, double v) {
    if (f->stribeck == 0) return f->coulomb[side];
    double x = v / f->stribeck;
    return f->coulomb[side] + (f->breakaway[side] - f->coulomb[side]) * exp(-x * x);
}

/* The sign of the motion: smooth, or decided by the mode. A prescribed motion cannot stick: the law moves it. */
static double direction(const ziElement *e, const ziInstant *now) {
    int dof = e->dofs[0];
    double v = now->v[dof];
    const zvDrives *d = now->drives;
    if (e->of.friction.smoothing > 0) return tanh(v / e->of.friction.smoothing);
    if (d->stick[dof] < 0 || d->prescribed[dof]) return (v > 0) - (v < 0);
    unsigned char mode = now->modes[d->stick[dof]];
    return (mode == ZV_SLIP_FORWARD) - (mode == ZV_SLIP_BACKWARD);
}

static bool claim(zvDrives *d, ziElement *e) {
    if (!zi_claim_accounts(d, e)) return false;
    const zvFriction *f = &e->of.friction;
    return !sticks(f) || zi_claim_stick(d, e->dofs[0], d->accounts[e->account].name, f->breakaway);
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    double v = now->v[e->dofs[0]], s = direction(e, now);
    zi_push_link(e, now, 0, -s * dry(&e->of.friction, s < 0, v) - e->of.friction.viscous * v);
    return ZV_OK;
}

/* A stuck joint: the elements on it share the holding force as they share its limits. */
static void conclude(const ziElement *e, const ziInstant *now) {
    const zvDrives *d = now->drives;
    int dof = e->dofs[0];
    if (!sticks(&e->of.friction) || d->prescribed[dof] || now->modes[d->stick[dof]] != ZV_SLIP_STICK) return;
    if (now->out->held && now->out->held[dof]) return; /* what holds it carries it */
    const double *own = e->of.friction.breakaway, *all = d->sticks[d->stick[dof]].hold;
    double share = (own[0] + own[1]) / (all[0] + all[1]);
    now->out->force[e->account] = share * (now->out->tau[dof] - zi_efforts_scratch(now->out)->known[dof]);
    now->out->power[e->account] = 0;
}

static void diagonal(const zvDrives *d, const ziElement *e, const double *v, double *stiffness, double *damping) {
    (void)d, (void)stiffness;
    const zvFriction *f = &e->of.friction;
    damping[e->dofs[0]] += f->viscous;
    if (f->smoothing == 0) return;
    double x = v[e->dofs[0]], s = tanh(x / f->smoothing);
    damping[e->dofs[0]] += dry(f, s < 0, x) * (1 - s * s) / f->smoothing;
}

const ziElementKind zi_friction_kind = {
    .word = "friction", .dissipates = true, .claim = claim, .push = push, .conclude = conclude, .diagonal = diagonal};

static zvStatus check(const ziElement *e, zvError *error) {
    const zvFriction *f = &e->of.friction;
    const struct {
        const char *what;
        double value;
    } numbers[] = {{"Coulomb friction", f->coulomb[0]},  {"Coulomb friction", f->coulomb[1]},
                   {"breakaway force", f->breakaway[0]}, {"breakaway force", f->breakaway[1]},
                   {"Stribeck velocity", f->stribeck},   {"viscous friction", f->viscous},
                   {"smoothing velocity", f->smoothing}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        zvStatus status = zi_check_not_negative(e, numbers[i].what, numbers[i].value, error);
        if (status < 0) return status;
    }
    for (int side = 0; side < 2; side++) {
        if (f->breakaway[side] != 0 && f->breakaway[side] < f->coulomb[side])
            return zv_fail(error, ZV_NUMBER, (zvMark){0}, e->name,
                           "breakaway force %g of friction \"%s\" is below its Coulomb friction %g; a joint that "
                           "slides would be held by more than one at rest: exchange them",
                           f->breakaway[side], e->name, f->coulomb[side]);
    }
    return ZV_OK;
}

zvStatus zi_add_friction(zvDrives *d, const char *name, const char *label, int dof, const zvFriction *friction,
                         zvError *error) {
    ziElement e = {.kind = &zi_friction_kind, .label = label, .of.friction = *friction};
    zvStatus status = zi_drives_open(d, &e, name, 1, &dof, error);
    if (status == ZV_OK) status = check(&e, error);
    zvFriction *f = &e.of.friction;
    for (int side = 0; side < 2; side++) {
        if (f->breakaway[side] == 0) f->breakaway[side] = f->coulomb[side];
    }
    return zi_drives_close(d, &e, status, error);
}

zvStatus zv_drives_add_friction(zvDrives *d, const char *name, int dof, const zvFriction *friction, zvError *error) {
    return zi_add_friction(d, name, NULL, dof, friction, error);
}
