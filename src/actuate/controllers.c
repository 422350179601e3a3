/* Gravity compensation: g(q), on rotors where joints are flexible.
 *
 * Where loops are closed g(q) of the tree would have to act in all its joints. What some of them alone must do is a
 * mixed problem at rest: their accelerations are given, zero, the others get no force. Elastic links are taken as they
 * are bent.
 */
#include <string.h>

#include "actuate/element.h"

zvStatus zi_rest_force(const zvDrives *d, zvEfforts *out, zvWork *work, const double *q, double *g) {
    ziEffortsScratch *scratch = zi_efforts_scratch(out);
    if (zv_model_nloop(d->model) == 0) {
        zv_gravity_force(d->model, work, q, g);
        return ZV_OK;
    }
    memset(g, 0, (size_t)d->nv * sizeof *g);
    memset(scratch->y, 0, (size_t)d->nv * sizeof *scratch->y);
    for (int i = 0; i < d->nv; i++)
        scratch->locked[i] = scratch->locked[i] || d->freedoms[i].elastic ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
    return zv_closed_mixed_dynamics(d->model, work, NULL, q, NULL, scratch->locked, NULL, g, scratch->y, NULL);
}

const double *zi_gravity_now(const ziElement *e, const ziInstant *now, zvStatus *status) {
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    *status = ZV_OK;
    if (scratch->gravity_known) return scratch->gravity;
    memset(scratch->locked, 0, (size_t)now->drives->nv);
    for (int k = 0; k < e->count; k++) scratch->locked[e->dofs[k]] = 1;
    *status = zi_rest_force(now->drives, now->out, now->work, now->q, scratch->gravity);
    scratch->gravity_known = zv_model_nloop(now->drives->model) == 0; /* the same for all elements */
    return *status < 0 ? NULL : scratch->gravity;
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    zvStatus status;
    const double *g = zi_gravity_now(e, now, &status);
    for (int k = 0; g && k < e->count; k++) zi_push_drive(e, now, k, g[e->dofs[k]]);
    return g ? ZV_OK : status;
}

const ziElementKind zi_gravity_kind = {.word = "gravity compensation", .claim = zi_claim_accounts, .push = push};

zvStatus zv_drives_add_gravity_compensation(zvDrives *d, const char *name, int count, const int *dofs, zvError *error) {
    ziElement e = {.kind = &zi_gravity_kind};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    return zi_drives_close(d, &e, status, error);
}
