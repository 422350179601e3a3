/* Prescribed relative motion: the condition phi(q) = s(t) of a rod, a coupling or a driven joint. Its force is G^T
 * lambda, and with G v = s' its power v^T G^T lambda = lambda s', docs/actuation.md 4. */
#include "actuate/element.h"

static const char *unit_of(const zvLoop *loop) {
    if (loop->kind == ZV_LOOP_ROD) return "N";
    return loop->kind == ZV_LOOP_COUPLING ? "1" : zv_joint_type_v_unit(loop->type, 0, ZV_QUANTITY_FORCE);
}

static bool claim(zvDrives *d, ziElement *e) {
    const zvLoop *loop = zv_model_loop(d->model, e->of.loop.loop);
    e->account = (int)d->naccount;
    if (!zi_claim_account(d, (zvAccount){.name = zi_claim_name(d, e, 0, ""), .unit = unit_of(loop), .dof = -1}))
        return false;
    d->aimed[e->of.loop.loop] = true;
    return true;
}

static void aim(const ziElement *e, zvEfforts *out, double t) {
    double *target = out->targets + 3 * e->of.loop.loop;
    zv_law_at(e->law, t, &target[0], &target[1], &target[2]);
}

static void conclude(const ziElement *e, const ziInstant *now) {
    const double force = now->out->lambda[e->of.loop.row];
    now->out->force[e->account] = force;
    now->out->power[e->account] = force * now->out->targets[3 * e->of.loop.loop + 1];
}

const ziElementKind zi_loop_motion_kind = {
    .word = "motion of a loop", .claim = claim, .aim = aim, .conclude = conclude};

static zvStatus check(const zvDrives *d, const ziElement *e, zvError *error) {
    const int i = e->of.loop.loop;
    if (i < 0 || i >= zv_model_nloop(d->model))
        return zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                       "motion of a loop \"%s\": there is no loop %d; the model has %d, counted from 0", e->name, i,
                       zv_model_nloop(d->model));
    const zvLoop *loop = zv_model_loop(d->model, i);
    if (loop->kind == ZV_LOOP_JOINT && !loop->driven)
        return zv_fail(
            error, ZV_SCHEMA, (zvMark){0}, loop->name,
            "motion \"%s\": the joint of loop \"%s\" moves freely; write driven: true in the model, or move a "
            "rod or a coupling",
            e->name, loop->name);
    if (d->aimed[i])
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, loop->name,
                       "motion \"%s\": loop \"%s\" follows a law already; give one law per loop", e->name, loop->name);
    return ZV_OK;
}

zvStatus zv_drives_add_loop_motion(zvDrives *d, const char *name, int loop, zvLaw *law, zvError *error) {
    ziElement e = {.kind = &zi_loop_motion_kind, .law = law, .of.loop = {.loop = loop}};
    zvStatus status = zi_drives_open(d, &e, name, 0, NULL, error);
    if (status == ZV_OK) status = check(d, &e, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, 1, error);
    if (status == ZV_OK) {
        const zvLoopPlace place = zv_model_loop_place(d->model, loop);
        e.of.loop.row = place.row + place.rows - 1;
        e.label = zv_model_loop(d->model, loop)->name;
    }
    return zi_drives_close(d, &e, status, error);
}
