/* Forces as laws of time. */
#include "actuate/element.h"

static zvStatus push(const ziElement *e, const ziInstant *now) {
    double *force = zi_efforts_scratch(now->out)->law[0];
    zv_law_at(e->law, now->t, force, NULL, NULL);
    for (int k = 0; k < e->count; k++) zi_push_drive(e, now, k, force[k]);
    return ZV_OK;
}

const ziElementKind zi_torque_kind = {.word = "torque", .claim = zi_claim_accounts, .push = push};

zvStatus zv_drives_add_torque(zvDrives *d, const char *name, int count, const int *dofs, zvLaw *law, zvError *error) {
    ziElement e = {.kind = &zi_torque_kind, .law = law};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, count, error);
    return zi_drives_close(d, &e, status, error);
}
