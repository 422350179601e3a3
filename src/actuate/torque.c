/* Forces as laws of time. */
#include "actuate/element.h"

static zvStatus push(const zvElement *e, const zvInstant *now) {
    double *force = zv_efforts_desk(now->out)->law[0];
    zv_law_at(e->law, now->t, force, NULL, NULL);
    for (int k = 0; k < e->count; k++) zv_push_drive(e, now, k, force[k]);
    return ZV_OK;
}

const zvElementKind zv_torque_kind = {.word = "torque", .claim = zv_claim_accounts, .push = push};

zvStatus zv_drives_add_torque(zvDrives *d, const char *name, int count, const int *dofs, zvLaw *law, zvError *error) {
    zvElement e = {.kind = &zv_torque_kind, .law = law};
    zvStatus status = zv_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zv_check_law(&e, "law", law, count, error);
    return zv_drives_close(d, &e, status, error);
}
