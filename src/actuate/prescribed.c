/* Prescribed motions: q, v and a follow a law; mixed dynamics finds the force. */
#include "actuate/element.h"

static bool claim(zvDrives *d, ziElement *e) {
    if (!zi_claim_accounts(d, e)) return false;
    for (int k = 0; k < e->count; k++) d->prescribed[e->dofs[k]] = true;
    return true;
}

static void impose(const zvDrives *d, const ziElement *e, ziEffortsScratch *scratch, double t, double *q, double *v) {
    double *x = scratch->law[0], *dx = scratch->law[1];
    zv_law_at(e->law, t, x, dx, NULL);
    for (int k = 0; k < e->count; k++) {
        q[d->freedoms[e->dofs[k]].coordinate] = x[k];
        v[e->dofs[k]] = dx[k];
    }
}

static void give(const ziElement *e, const ziInstant *now) {
    double *const *law = zi_efforts_scratch(now->out)->law, *ddx = law[2];
    zv_law_at(e->law, now->t, law[0], law[1], ddx);
    for (int k = 0; k < e->count; k++) {
        now->out->given[e->dofs[k]] = ZV_GIVEN_ACCELERATION;
        now->out->a[e->dofs[k]] = ddx[k];
    }
    now->out->mixed = true;
}

static void conclude(const ziElement *e, const ziInstant *now) {
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k];
        double force = now->out->tau[dof] - zi_efforts_scratch(now->out)->known[dof];
        now->out->force[e->account + k] = force;
        now->out->power[e->account + k] = force * now->v[dof];
    }
}

const ziElementKind zi_prescribed_kind = {
    .word = "prescribed motion", .refers = true, .claim = claim, .impose = impose, .give = give, .conclude = conclude};

static zvStatus check_place(const zvDrives *d, const ziElement *e, int dof, zvError *error) {
    const char *label = d->freedoms[dof].label;
    if (d->prescribed[dof])
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, label,
                       "prescribed motion \"%s\": the motion of \"%s\" is prescribed already; give one law per degree "
                       "of freedom",
                       e->name, label);
    if (d->rotor[dof] >= 0)
        return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, label,
                       "prescribed motion \"%s\": the joint \"%s\" is flexible; drive its motor by a pid with this "
                       "reference instead, or leave the joint rigid",
                       e->name, label);
    return zi_check_coordinate(d, e, dof, error);
}

zvStatus zv_drives_add_motion(zvDrives *d, const char *name, int count, const int *dofs, zvLaw *law, zvError *error) {
    ziElement e = {.kind = &zi_prescribed_kind, .law = law};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, count, error);
    for (int k = 0; status == ZV_OK && k < count; k++) status = check_place(d, &e, dofs[k], error);
    return zi_drives_close(d, &e, status, error);
}
