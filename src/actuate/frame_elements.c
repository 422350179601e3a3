/* Elements that act on frames and links: loads, spring-dampers between two frames, and the energy accounts of
 * elastic links. */
#include "actuate/element.h"

#include <math.h>
#include <stdlib.h>

#include "base/require.h"

/* Loads: force and moment on a frame as a law of time. */

static bool load_claim(zvDrives *d, ziElement *e) {
    e->account = (int)d->naccount;
    zvAccount account = {.name = e->name, .dof = -1};
    if (!zi_claim_account(d, account)) return false;
    d->has_loads = true;
    d->nspot++;
    return true;
}

static void turn_out(const zvPose *pose, const double *local, double *world) {
    for (int i = 0; i < 3; i++) {
        const double *row = pose->R + 3 * i;
        world[i] = row[0] * local[0] + row[1] * local[1] + row[2] * local[2];
    }
}

/* Applies the load of the law at its frame, given in world axes or in those of the frame, and accounts for its power.
 */
static zvStatus load_push(const ziElement *e, const ziInstant *now) {
    double wrench[6], velocity[6];
    zvPose pose;
    zi_frame_now(now, e->of.load.frame, &pose, velocity);
    zi_element_law(e, zi_efforts_scratch(now->out), now->t, wrench, NULL, NULL);
    if (e->of.load.axes == ZV_AXES_LOCAL) {
        double local[6];
        for (int i = 0; i < 6; i++) local[i] = wrench[i];
        turn_out(&pose, local, wrench);
        turn_out(&pose, local + 3, wrench + 3);
    }
    zi_push_frame(now, e->of.load.frame, wrench);
    double power = 0;
    for (int i = 0; i < 6; i++) power += wrench[i] * velocity[i];
    now->out->power[e->account] = power;
    return ZV_OK;
}

const ziElementKind zi_load_kind = {.word = "load", .claim = load_claim, .push = load_push};

zvStatus zv_drives_add_load(zvDrives *d, const char *name, int frame, zvAxes axes, zvLaw *law, zvError *error) {
    ZI_REQUIRE(d);
    ziElement e = {.kind = &zi_load_kind, .law = law, .of.load = {frame, axes}};
    zvStatus status = zi_drives_open(d, &e, name, 0, NULL, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, 6, error);
    if (status == ZV_OK && (frame < 0 || frame >= zv_model_nframe(d->model)))
        status = zv_fail(error, ZV_NAME, (zvMark){0}, e.name,
                         "load \"%s\": expected one of %d frames, counted from 0, found %d", e.name,
                         zv_model_nframe(d->model), frame);
    return zi_drives_close(d, &e, status, error);
}

/* Spring-dampers between the origins of two frames, docs/actuation.md (2.4)-(2.6). The spring's energy is a store, the
 * damper's loss an account. */

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

static bool coupler_claim(zvDrives *d, ziElement *e) {
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

/* Equal and opposite forces along the line between the two origins. */
static zvStatus coupler_push(const ziElement *e, const ziInstant *now) {
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

static void coupler_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *v,
                           const double *z, double *energy) {
    (void)v, (void)z;
    const ziCouplerData *c = &e->of.coupler;
    zvPose from, to;
    zv_frame_pose(d->model, work, q, c->from, &from);
    zv_frame_pose(d->model, work, q, c->to, &to);
    double stretch = line_between(c, &from, &to).distance - c->length;
    *energy = 0.5 * e->of.coupler.stiffness * stretch * stretch;
}

const ziElementKind zi_coupler_kind = {
    .word = "coupler", .dissipates = true, .claim = coupler_claim, .push = coupler_push, .stored = coupler_stored};

/* Both exist and differ. */
static zvStatus check_frames(const zvDrives *d, const ziElement *e, zvError *error) {
    const int frames[2] = {e->of.coupler.from, e->of.coupler.to}, count = zv_model_nframe(d->model);
    for (int i = 0; i < 2; i++) {
        if (frames[i] < 0 || frames[i] >= count)
            return zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                           "coupler \"%s\": expected one of %d frames, counted from 0, found %d", e->name, count,
                           frames[i]);
    }
    if (zv_model_frame_body(d->model, frames[0]) != zv_model_frame_body(d->model, frames[1])) return ZV_OK;
    return zv_fail(
        error, ZV_SCHEMA, (zvMark){0}, e->name,
        "coupler \"%s\": expected frames of two bodies, found \"%s\" and \"%s\", which cannot move against each "
        "other; join frames of different bodies",
        e->name, zv_model_frame(d->model, frames[0]).name, zv_model_frame(d->model, frames[1]).name);
}

zvStatus zv_drives_add_coupler(zvDrives *d, const char *name, int from, int to, double stiffness, double damping,
                               double length, zvError *error) {
    ZI_REQUIRE(d);
    ziElement e = {.kind = &zi_coupler_kind, .of.coupler = {from, to, stiffness, damping, length}};
    zvStatus status = zi_drives_open(d, &e, name, 0, NULL, error);
    if (status == ZV_OK) status = check_frames(d, &e, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "stiffness", stiffness, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "damping", damping, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "length", length, error);
    return zi_drives_close(d, &e, status, error);
}

/* Elastic links in the books: the energy of their strain and what their damping takes. The forces themselves are part
 * of the dynamics; every set of drives has these elements for the elastic links of its model. */

static bool elastic_claim(zvDrives *d, ziElement *e) {
    e->store = (int)d->nstore;
    if (!zi_claim_store(d, zi_claim_name(d, e, 0, ""))) return false;
    if (!e->of.elastic.D) return true;
    e->account = (int)d->naccount;
    e->name = "damping";
    return zi_claim_account(d, (zvAccount){.name = zi_claim_name(d, e, 0, ""), .dof = -1, .dissipates = true});
}

/* x^T A x */
static double square(int n, const double *A, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row += A[i * n + j] * x[j];
        sum += x[i] * row;
    }
    return sum;
}

static zvStatus elastic_push(const ziElement *e, const ziInstant *now) {
    const ziElasticData *x = &e->of.elastic;
    if (x->D) now->out->power[e->account] = -square(x->place.count, x->D, now->v + x->place.v_index);
    return ZV_OK;
}

static void elastic_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *v,
                           const double *z, double *energy) {
    (void)d, (void)work, (void)v, (void)z;
    const ziElasticData *x = &e->of.elastic;
    *energy = 0.5 * square(x->place.count, x->K, q + x->place.q_index);
}

const ziElementKind zi_elastic_kind = {
    .word = "elastic link", .dissipates = true, .claim = elastic_claim, .push = elastic_push, .stored = elastic_stored};

static bool all_zero(int count, const double *x) {
    for (int i = 0; i < count; i++) {
        if (x[i] != 0) return false;
    }
    return true;
}

/* Lays the matrices of a link into the set. */
static bool note_link(zvDrives *d, int link, ziElasticData *x) {
    x->place = zv_model_elastic_place(d->model, link);
    const int entries = x->place.count * x->place.count;
    double *K = zi_arena_alloc(&d->arena, (size_t)entries * sizeof *K);
    double *D = zi_arena_alloc(&d->arena, (size_t)entries * sizeof *D);
    if (!K || !D) return false;
    zv_model_elastic_matrices(d->model, link, NULL, K, D);
    x->K = K;
    x->D = all_zero(entries, D) ? NULL : D;
    return true;
}

zvStatus zi_add_elastic_links(zvDrives *d, zvError *error) {
    zvStatus status = ZV_OK;
    for (int link = 0; status >= 0 && link < zv_model_nlink(d->model); link++) {
        if (zv_model_elastic_place(d->model, link).count == 0) continue;
        ziElement e = {.kind = &zi_elastic_kind, .label = zv_model_link(d->model, link)->name};
        status = zi_drives_open(d, &e, "strain", 0, NULL, error);
        if (status >= 0 && !note_link(d, link, &e.of.elastic)) status = ZV_MEMORY;
        status = zi_drives_close(d, &e, status, error);
    }
    return status;
}
