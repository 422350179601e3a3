/* Gravity compensation: g(q), on rotors where joints are flexible. */
#include "actuate/element.h"

static zvStatus push(const zvElement *e, const zvInstant *now) {
    const double *g = zv_gravity_now(now);
    for (int k = 0; k < e->count; k++) zv_push_drive(e, now, k, g[e->dofs[k]]);
    return ZV_OK;
}

const zvElementKind zv_gravity_kind = {.word = "gravity compensation", .claim = zv_claim_accounts, .push = push};

zvStatus zv_drives_add_gravity_compensation(zvDrives *d, const char *name, int count, const int *dofs, zvError *error) {
    zvElement e = {.kind = &zv_gravity_kind};
    zvStatus status = zv_drives_open(d, &e, name, count, dofs, error);
    return zv_drives_close(d, &e, status, error);
}
