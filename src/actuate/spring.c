/* Joint springs: -stiffness (q - rest). Their energy is a store, so their power is no account. */
#include "actuate/passive.h"

static bool claim(zvDrives *d, ziElement *e) {
    e->store = (int)d->nstore;
    return zi_claim_store(d, zi_claim_name(d, e, 0, ""));
}

static double stretch(const zvDrives *d, const ziElement *e, const double *q) {
    return q[d->freedoms[e->dofs[0]].coordinate] - e->of.spring.rest;
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    now->out->tau[e->dofs[0]] -= e->of.spring.stiffness * stretch(now->drives, e, now->q);
    return ZV_OK;
}

static void stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *z,
                   double *energy) {
    (void)work, (void)z;
    double x = stretch(d, e, q);
    *energy = 0.5 * e->of.spring.stiffness * x * x;
}

static void diagonal(const zvDrives *d, const ziElement *e, const double *v, double *stiffness, double *damping) {
    (void)d, (void)v, (void)damping;
    stiffness[e->dofs[0]] += e->of.spring.stiffness;
}

const ziElementKind zi_spring_kind = {
    .word = "spring", .claim = claim, .push = push, .stored = stored, .diagonal = diagonal};

zvStatus zi_add_spring(zvDrives *d, const char *name, const char *label, int dof, ziSpringData spring, zvError *error) {
    ziElement e = {.kind = &zi_spring_kind, .label = label, .of.spring = spring};
    zvStatus status = zi_drives_open(d, &e, name, 1, &dof, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "stiffness", spring.stiffness, error);
    if (status == ZV_OK) status = zi_check_finite(&e, "rest position", spring.rest, error);
    if (status == ZV_OK) status = zi_check_coordinate(d, &e, dof, error);
    return zi_drives_close(d, &e, status, error);
}

zvStatus zv_drives_add_spring(zvDrives *d, const char *name, int dof, double stiffness, double rest, zvError *error) {
    return zi_add_spring(d, name, NULL, dof, (ziSpringData){stiffness, rest}, error);
}
