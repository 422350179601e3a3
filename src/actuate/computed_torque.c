/* Computed torque: the force that inverse dynamics finds for a* = r'' + kd (r' - v) + kp (r - q), as far as its limit
 * goes. Where loops are closed the mixed problem finds it: a* is given, the other joints follow without a force. */
#include <string.h>

#include "actuate/element.h"

static void wanted(const ziElement *e, const ziInstant *now, double *a) {
    const zvDrives *d = now->drives;
    const ziControlData *c = &e->of.control;
    double *const *law = zi_efforts_scratch(now->out)->law, *r = law[0], *dr = law[1], *ddr = law[2];
    zv_law_at(e->law, now->t, r, dr, ddr);
    memcpy(a, now->out->a, (size_t)d->nv * sizeof *a); /* given accelerations, zero elsewhere */
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k], at = d->freedoms[dof].coordinate;
        if (d->prescribed[dof]) continue;
        a[dof] = ddr[k] + c->kd[k] * (dr[k] - now->v[dof]);
        if (at >= 0) a[dof] += c->kp[k] * (r[k] - now->q[at]);
    }
}

/* x: a*; y: its forces. */
static zvStatus invert(const ziElement *e, const ziInstant *now) {
    const zvDrives *d = now->drives;
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    if (zv_model_nloop(d->model) == 0) {
        zv_inverse_dynamics(d->model, now->work, now->q, now->v, scratch->x, NULL, scratch->y);
        return ZV_OK;
    }
    const zvClosing closing = {.targets = now->out->targets};
    memset(scratch->y, 0, (size_t)d->nv * sizeof *scratch->y);
    for (int i = 0; i < d->nv; i++) scratch->locked[i] = d->prescribed[i] ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
    for (int k = 0; k < e->count; k++) scratch->locked[e->dofs[k]] = ZV_GIVEN_ACCELERATION;
    return zv_closed_mixed_dynamics(d->model, now->work, &closing, now->q, now->v, scratch->locked, NULL, scratch->y,
                                    scratch->x, NULL);
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    wanted(e, now, scratch->x);
    zvStatus status = invert(e, now);
    for (int k = 0; status >= 0 && k < e->count; k++)
        zi_push_drive(e, now, k, zi_limited(scratch->y[e->dofs[k]], e->of.control.limit[k]));
    return status < 0 ? status : ZV_OK;
}

const ziElementKind zi_computed_torque_kind = {
    .word = "computed torque", .refers = true, .claim = zi_claim_accounts, .push = push};

zvStatus zv_drives_add_computed_torque(zvDrives *d, const char *name, int count, const int *dofs, const double *kp,
                                       const double *kd, const double *limit, zvLaw *law, zvError *error) {
    ziElement e = {.kind = &zi_computed_torque_kind, .law = law};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "reference", law, count, error);
    if (status == ZV_OK) status = zi_keep_gains(d, &e, "kp", kp, count, &e.of.control.kp, error);
    if (status == ZV_OK) status = zi_keep_gains(d, &e, "kd", kd, count, &e.of.control.kd, error);
    if (status == ZV_OK) status = zi_keep_limits(d, &e, limit, &e.of.control.limit, error);
    for (int k = 0; status == ZV_OK && k < count; k++) {
        if (e.of.control.kp[k] != 0) status = zi_check_coordinate(d, &e, dofs[k], error);
    }
    return zi_drives_close(d, &e, status, error);
}
