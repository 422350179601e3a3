/* Friction in joints, docs/actuation.md (3.1)-(3.3): against forward motion -F[0], against backward motion +F[1],
 *   F = coulomb + (breakaway - coulomb) exp(-(v/stribeck)^2), plus viscous |v|. */

#include "actuate/element.h"

#include <math.h>
#include <string.h>

#include "base/require.h"

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

static zvStatus friction_push(const ziElement *e, const ziInstant *now) {
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

static void diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                     double *stiffness, double *damping) {
    (void)z, (void)d, (void)q, (void)stiffness;
    const zvFriction *f = &e->of.friction;
    damping[e->dofs[0]] += f->viscous;
    if (f->smoothing == 0) return;
    double x = v[e->dofs[0]], s = tanh(x / f->smoothing);
    damping[e->dofs[0]] += dry(f, s < 0, x) * (1 - s * s) / f->smoothing;
}

const ziElementKind zi_friction_kind = {.word = "friction",
                                        .dissipates = true,
                                        .claim = claim,
                                        .push = friction_push,
                                        .conclude = conclude,
                                        .diagonal = diagonal};

/* All numbers finite and not negative, breakaway not below Coulomb friction. */
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
                           "breakaway force of friction \"%s\": expected at least its Coulomb friction %g, found %g; a "
                           "joint that slides would be held by more than one at rest: exchange them",
                           e->name, f->coulomb[side], f->breakaway[side]);
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
    ZI_REQUIRE(d && friction);
    return zi_add_friction(d, name, NULL, dof, friction, error);
}

/* Stick-slip friction: events that end a mode, and modes that agree with the forces, docs/actuation.md 3.
 *
 * Which joints stick is a complementarity problem: a stuck joint needs no more than the friction at rest, a joint that
 * leaves rest accelerates the way it slides. It is solved by principal pivoting: all joints that contradict change at
 * once; each may return to rest a few times only, so it ends. Closed loops may leave no motion in which all joints at
 * rest stay there, however hard they hold: then they begin as they would without friction. */

enum { RESETS = 8 };
/* A sliding joint has stopped when it moves the wrong way by so much (rad/s or m/s). Not zero, so that a joint that has
 * just broken away stands inside its mode, and one that was let go too early is caught. */
static const double backlash = 1e-12;

static double holding(const zvDrives *d, const zvEfforts *out, int stick) {
    int dof = d->sticks[stick].dof;
    return out->tau[dof] - zi_efforts_scratch(out)->known[dof];
}

/* Whether its mode is idle: a law or something outside the set decides how it moves. */
static bool idle(const zvDrives *d, const zvEfforts *out, int dof) {
    return d->prescribed[dof] || (out->held && out->held[dof]);
}

static int sliding_sign(unsigned char mode) { return (mode == ZV_SLIP_FORWARD) - (mode == ZV_SLIP_BACKWARD); }

/* Stuck: the margin to breaking away; sliding: the velocity in the direction of sliding. */
void zv_drives_events(const zvDrives *d, const zvEfforts *out, const double *v, const unsigned char *modes, double *g) {
    ZI_REQUIRE(d && out && v && (!d->nstick || (modes && g)));
    for (int i = 0; i < (int)d->nstick; i++) {
        const ziStick *s = &d->sticks[i];
        if (idle(d, out, s->dof)) {
            g[i] = 1;
        } else if (modes[i] != ZV_SLIP_STICK) {
            g[i] = sliding_sign(modes[i]) * v[s->dof] + backlash;
        } else {
            double h = holding(d, out, i);
            g[i] = (s->hold[0] + h) * (s->hold[1] - h) / (s->hold[0] + s->hold[1]);
        }
    }
}

/* The mode that joint i should have, seen from an evaluation with the modes at hand. */
static unsigned char next_mode(const zvDrives *d, const zvEfforts *out, const double *v, int i, unsigned char mode) {
    const ziStick *s = &d->sticks[i];
    if (idle(d, out, s->dof)) return mode;
    if (mode == ZV_SLIP_STICK) {
        double h = holding(d, out, i);
        if (h < -s->hold[0]) return ZV_SLIP_FORWARD;
        return h > s->hold[1] ? ZV_SLIP_BACKWARD : ZV_SLIP_STICK;
    }
    return v[s->dof] == 0 && sliding_sign(mode) * out->a[s->dof] < 0 ? ZV_SLIP_STICK : mode;
}

/* Joints that stick begin to slide the way they would without friction. */
static zvStatus loosen(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, const double *v,
                       const double *z, unsigned char *modes) {
    ziEffortsScratch *scratch = zi_efforts_scratch(out);
    scratch->loose = true;
    zvStatus status = zv_drives_accelerate(d, out, work, t, q, v, z, modes);
    scratch->loose = false;
    for (size_t i = 0; status >= 0 && i < d->nstick; i++) {
        const double a = out->a[d->sticks[i].dof];
        if (modes[i] != ZV_SLIP_STICK || idle(d, out, d->sticks[i].dof) || a == 0) continue;
        modes[i] = a > 0 ? ZV_SLIP_FORWARD : ZV_SLIP_BACKWARD;
    }
    return status;
}

/* Changes modes until none contradicts the forces. The joint `released` (or -1) does not return to rest. */
static zvStatus agree(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, const double *v,
                      const double *z, unsigned char *modes, int released) {
    unsigned char *resets = zi_efforts_scratch(out)->resets;
    memset(resets, 0, d->nstick);
    int loosened = 0; /* the second time nothing returns to rest */
    for (bool changed = true; changed;) {
        zvStatus status = zv_drives_accelerate(d, out, work, t, q, v, z, modes);
        if (status == ZV_CLOSURE && loosened < 2) {
            loosened++;
            status = loosen(d, out, work, t, q, v, z, modes);
            if (status >= 0) continue;
        }
        if (status < 0) return status;
        changed = false;
        for (int i = 0; i < (int)d->nstick; i++) {
            unsigned char mode = next_mode(d, out, v, i, modes[i]);
            if (mode == modes[i]) continue;
            if (mode == ZV_SLIP_STICK && (i == released || loosened > 1 || resets[i]++ >= RESETS)) continue;
            modes[i] = mode;
            changed = true;
        }
    }
    return out->status;
}

zvStatus zv_drives_settle(const zvDrives *d, zvEfforts *out, zvWork *work, double t, double *q, double *v,
                          const double *z, unsigned char *modes) {
    ZI_REQUIRE(d && out && work && q && v && (z || !d->nstate) && (modes || !d->nstick));
    for (size_t i = 0; i < d->nstick; i++) {
        double rate = v[d->sticks[i].dof];
        modes[i] = rate > 0 ? ZV_SLIP_FORWARD : rate < 0 ? ZV_SLIP_BACKWARD : ZV_SLIP_STICK;
    }
    zv_drives_impose(d, out, t, modes, q, v);
    return agree(d, out, work, t, q, v, z, modes, -1);
}

/* A joint comes to rest, and closed loops stop what they couple to it; where they leave it no rest it keeps its
 * velocity. Velocities of other joints that are only rounding become zero. */
static zvStatus stop(const zvDrives *d, zvEfforts *out, zvWork *work, double t, const double *q, double *v, int event,
                     unsigned char *modes) {
    const int dof = d->sticks[event].dof;
    const double before = v[dof];
    modes[event] = ZV_SLIP_STICK;
    v[dof] = 0;
    if (zv_model_nloop(d->model) == 0) return ZV_OK;
    ziEffortsScratch *scratch = zi_efforts_scratch(out);
    zi_drives_lock(d, out, modes, scratch->locked);
    zv_drives_aim(d, out, t);
    const zvClosing closing = zv_efforts_closing(out);
    zvStatus status = zv_close_velocity(d->model, work, &closing, q, scratch->locked, v, NULL);
    if (status == ZV_CLOSURE) {
        v[dof] = before; /* it turns back: the loops leave it no rest */
        return ZV_OK;
    }
    for (size_t i = 0; i < d->nstick; i++) {
        double *own = &v[d->sticks[i].dof];
        if (fabs(*own) < backlash && !d->prescribed[d->sticks[i].dof]) *own = 0;
    }
    return status;
}

static const char *say(unsigned char mode) {
    if (mode == ZV_SLIP_STICK) return "sticks";
    return mode == ZV_SLIP_FORWARD ? "slips forward" : "slips backward";
}

/* Ends the mode of one event and finds modes of all that agree with the forces. */
zvStatus zv_drives_switch(const zvDrives *d, zvEfforts *out, zvWork *work, int event, double t, double *q, double *v,
                          const double *z, unsigned char *modes, const char **what) {
    ZI_REQUIRE(d && out && work && q && v && (z || !d->nstate) && modes && what);
    ZI_REQUIRE_INDEX(event, zv_drives_nmode(d));
    const ziStick *s = &d->sticks[event];
    int released = -1;
    zv_drives_impose(d, out, t, modes, q, v);
    if (modes[event] == ZV_SLIP_STICK) {
        zvStatus status = zv_drives_accelerate(d, out, work, t, q, v, z, modes);
        if (status < 0) return status;
        double h = holding(d, out, event);
        modes[event] = s->hold[0] + h < s->hold[1] - h ? ZV_SLIP_FORWARD : ZV_SLIP_BACKWARD;
        released = event;
    } else if (v[s->dof] != 0) { /* at exactly zero it has just been let go with another joint */
        zvStatus status = stop(d, out, work, t, q, v, event, modes);
        if (status < 0) return status;
    }
    zvStatus status = agree(d, out, work, t, q, v, z, modes, released);
    *what = say(modes[event]);
    return status;
}
