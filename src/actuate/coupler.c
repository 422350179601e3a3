/* Spring-dampers between the origins of two frames, docs/actuation.md (2.4)-(2.6). The spring's energy is a store, the
 * damper's loss an account. */
#include <math.h>

#include "actuate/element.h"

/* Of the length at rest: what the distance is rounded off with, so that the line between the origins, which has no
 * direction where they meet, turns smoothly there, and the force with it. From 1/200 of the length on this is less than
 * rounding. */
static const double ROUND = 1e-9;

typedef struct Line {
    double distance;
    double u[3]; /* from -> to, of unit length but where they meet */
} Line;

static Line line_between(const ziCouplerData *c, const zvPose *from, const zvPose *to) {
    Line line = {.distance = ROUND * c->length};
    for (int i = 0; i < 3; i++) {
        line.u[i] = to->p[i] - from->p[i];
        line.distance = hypot(line.distance, line.u[i]);
    }
    for (int i = 0; i < 3 && line.distance > 0; i++) line.u[i] /= line.distance;
    return line;
}

static bool claim(zvDrives *d, ziElement *e) {
    e->account = (int)d->naccount;
    e->store = (int)d->nstore;
    const zvAccount account = {.name = e->name, .dof = -1, .dissipates = true};
    if (!zi_claim_store(d, e->name) || !zi_claim_account(d, account)) return false;
    d->has_loads = true;
    d->nspot += 2;
    return true;
}

/* The force on `to`. A spring without length is damped across the line too: the line may turn as it likes when it is
 * short, and damping along it would turn with it. Returns the damper's power. */
static double exert(const ziCouplerData *c, const Line *line, const double rate[3], double force[3]) {
    const double *u = line->u;
    double along = u[0] * rate[0] + u[1] * rate[1] + u[2] * rate[2];
    double spring = -c->stiffness * (line->distance - c->length);
    if (c->length > 0) {
        for (int i = 0; i < 3; i++) force[i] = (spring - c->damping * along) * u[i];
        return -c->damping * along * along;
    }
    for (int i = 0; i < 3; i++) force[i] = spring * u[i] - c->damping * rate[i];
    return -c->damping * (rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    const ziCouplerData *c = &e->of.coupler;
    zvPose start, end;
    double from[6], to[6], rate[3], forward[6] = {0}, back[6] = {0};
    zi_frame_now(now, c->from, &start, from);
    zi_frame_now(now, c->to, &end, to);
    const Line line = line_between(c, &start, &end);
    for (int i = 0; i < 3; i++) rate[i] = to[i] - from[i];
    now->out->power[e->account] = exert(c, &line, rate, forward);
    for (int i = 0; i < 3; i++) back[i] = -forward[i];
    zi_push_frame(now, c->to, forward);
    zi_push_frame(now, c->from, back);
    return ZV_OK;
}

static void stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *z,
                   double *energy) {
    (void)z;
    const ziCouplerData *c = &e->of.coupler;
    zvPose from, to;
    zv_frame_pose(d->model, work, q, c->from, &from);
    zv_frame_pose(d->model, work, q, c->to, &to);
    double stretch = line_between(c, &from, &to).distance - c->length;
    *energy = 0.5 * e->of.coupler.stiffness * stretch * stretch;
}

const ziElementKind zi_coupler_kind = {
    .word = "coupler", .dissipates = true, .claim = claim, .push = push, .stored = stored};

static zvStatus check_frames(const zvDrives *d, const ziElement *e, zvError *error) {
    const int frames[2] = {e->of.coupler.from, e->of.coupler.to}, count = zv_model_nframe(d->model);
    for (int i = 0; i < 2; i++) {
        if (frames[i] < 0 || frames[i] >= count)
            return zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                           "coupler \"%s\": there is no frame %d; the model has %d, counted from 0", e->name, frames[i],
                           count);
    }
    if (zv_model_frame_body(d->model, frames[0]) != zv_model_frame_body(d->model, frames[1])) return ZV_OK;
    return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name,
                   "coupler \"%s\" joins \"%s\" and \"%s\", which cannot move against each other; it would do nothing: "
                   "join frames of different bodies",
                   e->name, zv_model_frame(d->model, frames[0]).name, zv_model_frame(d->model, frames[1]).name);
}

zvStatus zv_drives_add_coupler(zvDrives *d, const char *name, int from, int to, double stiffness, double damping,
                               double length, zvError *error) {
    ziElement e = {.kind = &zi_coupler_kind, .of.coupler = {from, to, stiffness, damping, length}};
    zvStatus status = zi_drives_open(d, &e, name, 0, NULL, error);
    if (status == ZV_OK) status = check_frames(d, &e, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "stiffness", stiffness, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "damping", damping, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "length", length, error);
    return zi_drives_close(d, &e, status, error);
}
