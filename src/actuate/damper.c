/* Joint dampers: -damping v. */
#include "actuate/passive.h"

static zvStatus push(const ziElement *e, const ziInstant *now) {
    zi_push_link(e, now, 0, -e->of.damping * now->v[e->dofs[0]]);
    return ZV_OK;
}

static void diagonal(const zvDrives *d, const ziElement *e, const double *v, double *stiffness, double *damping) {
    (void)d, (void)v, (void)stiffness;
    damping[e->dofs[0]] += e->of.damping;
}

const ziElementKind zi_damper_kind = {
    .word = "damper", .dissipates = true, .claim = zi_claim_accounts, .push = push, .diagonal = diagonal};

zvStatus zi_add_damper(zvDrives *d, const char *name, const char *label, int dof, double damping, zvError *error) {
    ziElement e = {.kind = &zi_damper_kind, .label = label, .of.damping = damping};
    zvStatus status = zi_drives_open(d, &e, name, 1, &dof, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "damping", damping, error);
    return zi_drives_close(d, &e, status, error);
}

zvStatus zv_drives_add_damper(zvDrives *d, const char *name, int dof, double damping, zvError *error) {
    return zi_add_damper(d, name, NULL, dof, damping, error);
}
