/* Gravity compensation: g(q), on rotors where joints are flexible.
 *
 * Where loops are closed g(q) of the tree would have to act in all its joints. What some of them alone must do is a
 * mixed problem at rest: their accelerations are given, zero, the others get no force. Elastic links are taken as they
 * are bent.
 */
#include <string.h>

#include "actuate/element.h"

zvStatus zv_rest_force(const zvDrives *d, zvEfforts *out, zvWork *work, const double *q, double *g) {
    zvEffortsDesk *desk = zv_efforts_desk(out);
    if (zv_model_nloop(d->model) == 0) {
        zv_gravity_force(d->model, work, q, g);
        return ZV_OK;
    }
    memset(g, 0, (size_t)d->nv * sizeof *g);
    memset(desk->y, 0, (size_t)d->nv * sizeof *desk->y);
    for (int i = 0; i < d->nv; i++)
        desk->locked[i] = desk->locked[i] || d->freedoms[i].elastic ? ZV_LOCKED : ZV_GIVEN_FORCE;
    return zv_closed_mixed_dynamics(d->model, work, NULL, q, NULL, desk->locked, NULL, g, desk->y, NULL);
}

const double *zv_gravity_now(const zvElement *e, const zvInstant *now, zvStatus *status) {
    zvEffortsDesk *desk = zv_efforts_desk(now->out);
    *status = ZV_OK;
    if (desk->gravity_known) return desk->gravity;
    memset(desk->locked, 0, (size_t)now->drives->nv);
    for (int k = 0; k < e->count; k++) desk->locked[e->dofs[k]] = 1;
    *status = zv_rest_force(now->drives, now->out, now->work, now->q, desk->gravity);
    desk->gravity_known = zv_model_nloop(now->drives->model) == 0; /* the same for all elements */
    return *status < 0 ? NULL : desk->gravity;
}

static zvStatus push(const zvElement *e, const zvInstant *now) {
    zvStatus status;
    const double *g = zv_gravity_now(e, now, &status);
    for (int k = 0; g && k < e->count; k++) zv_push_drive(e, now, k, g[e->dofs[k]]);
    return g ? ZV_OK : status;
}

const zvElementKind zv_gravity_kind = {.word = "gravity compensation", .claim = zv_claim_accounts, .push = push};

zvStatus zv_drives_add_gravity_compensation(zvDrives *d, const char *name, int count, const int *dofs, zvError *error) {
    zvElement e = {.kind = &zv_gravity_kind};
    zvStatus status = zv_drives_open(d, &e, name, count, dofs, error);
    return zv_drives_close(d, &e, status, error);
}
