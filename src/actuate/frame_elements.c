/* Loads: force and moment on a frame as a law of time. */
#include "actuate/element.h"

static bool claim(zvDrives *d, ziElement *e) {
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

static zvStatus push(const ziElement *e, const ziInstant *now) {
    double wrench[6], velocity[6];
    zvPose pose;
    zi_frame_now(now, e->of.load.frame, &pose, velocity);
    zv_law_at(e->law, now->t, wrench, NULL, NULL);
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

const ziElementKind zi_load_kind = {.word = "load", .claim = claim, .push = push};

zvStatus zv_drives_add_load(zvDrives *d, const char *name, int frame, zvAxes axes, zvLaw *law, zvError *error) {
    ziElement e = {.kind = &zi_load_kind, .law = law, .of.load = {frame, axes}};
    zvStatus status = zi_drives_open(d, &e, name, 0, NULL, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, 6, error);
    if (status == ZV_OK && (frame < 0 || frame >= zv_model_nframe(d->model)))
        status = zv_fail(error, ZV_NAME, (zvMark){0}, e.name,
                         "load \"%s\": there is no frame %d; the model has %d, counted from 0", e.name, frame,
                         zv_model_nframe(d->model));
    return zi_drives_close(d, &e, status, error);
}
