/* Elements that act in single joints: given forces, springs, dampers, those that the model's joints bring along,
 * prescribed motions. Friction is in friction.c, flexible joints are in motor_elements.c. */
#include "actuate/element.h"
#include "base/require.h"
#include "model/coordinate.h"

#include <math.h>

/* Forces as laws of time. */

static zvStatus torque_push(const ziElement *e, const ziInstant *now) {
    double *force = zi_efforts_scratch(now->out)->law[0];
    zi_element_law(e, zi_efforts_scratch(now->out), now->t, force, NULL, NULL);
    for (int k = 0; k < e->count; k++) zi_push_drive(e, now, k, force[k]);
    return ZV_OK;
}

const ziElementKind zi_torque_kind = {
    .word = "torque", .actuates = true, .claim = zi_claim_accounts, .push = torque_push};

zvStatus zv_drives_add_torque(zvDrives *d, const char *name, int count, const int *dofs, zvLaw *law, zvError *error) {
    ZI_REQUIRE(d && (count <= 0 || dofs));
    ziElement e = {.kind = &zi_torque_kind, .law = law};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, count, error);
    return zi_drives_close(d, &e, status, error);
}

/* Joint springs: -stiffness (q - rest). Their energy is a store, so their power is no account. */

static bool spring_claim(zvDrives *d, ziElement *e) {
    e->store = (int)d->nstore;
    return zi_claim_store(d, zi_claim_name(d, e, 0, ""));
}

static double stretch(const zvDrives *d, const ziElement *e, const double *q) {
    return q[d->freedoms[e->dofs[0]].coordinate] - e->of.spring.rest;
}

static zvStatus spring_push(const ziElement *e, const ziInstant *now) {
    now->out->tau[e->dofs[0]] -= e->of.spring.stiffness * stretch(now->drives, e, now->q);
    return ZV_OK;
}

static void spring_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *v,
                          const double *z, double *energy) {
    (void)v, (void)work, (void)z;
    double x = stretch(d, e, q);
    *energy = 0.5 * e->of.spring.stiffness * x * x;
}

static void spring_diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                            double *stiffness, double *damping) {
    (void)z, (void)d, (void)q, (void)v, (void)damping;
    stiffness[e->dofs[0]] += e->of.spring.stiffness;
}

const ziElementKind zi_spring_kind = {
    .word = "spring", .claim = spring_claim, .push = spring_push, .stored = spring_stored, .diagonal = spring_diagonal};

/* Elements with a name for their joint, for those that come from followers of a degree of freedom. label NULL: that
 * of the degree of freedom; else it must stay valid as long as the set. */
static zvStatus add_spring(zvDrives *d, const char *name, const char *label, int dof, ziSpringData spring,
                           zvError *error) {
    ziElement e = {.kind = &zi_spring_kind, .label = label, .of.spring = spring};
    zvStatus status = zi_drives_open(d, &e, name, 1, &dof, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "stiffness", spring.stiffness, error);
    if (status == ZV_OK) status = zi_check_finite(&e, "rest position", spring.rest, error);
    if (status == ZV_OK) status = zi_check_coordinate(d, &e, dof, error);
    return zi_drives_close(d, &e, status, error);
}

zvStatus zv_drives_add_spring(zvDrives *d, const char *name, int dof, double stiffness, double rest, zvError *error) {
    ZI_REQUIRE(d);
    return add_spring(d, name, NULL, dof, (ziSpringData){stiffness, rest}, error);
}

/* Joint dampers: -damping v. */

static zvStatus damper_push(const ziElement *e, const ziInstant *now) {
    zi_push_link(e, now, 0, -e->of.damping * now->v[e->dofs[0]]);
    return ZV_OK;
}

static void damper_diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                            double *stiffness, double *damping) {
    (void)z, (void)d, (void)q, (void)v, (void)stiffness;
    damping[e->dofs[0]] += e->of.damping;
}

const ziElementKind zi_damper_kind = {
    .word = "damper", .dissipates = true, .claim = zi_claim_accounts, .push = damper_push, .diagonal = damper_diagonal};

/* Elements with a name for their joint, for those that come from followers of a degree of freedom. label NULL: that
 * of the degree of freedom; else it must stay valid as long as the set. */
static zvStatus add_damper(zvDrives *d, const char *name, const char *label, int dof, double damping, zvError *error) {
    ziElement e = {.kind = &zi_damper_kind, .label = label, .of.damping = damping};
    zvStatus status = zi_drives_open(d, &e, name, 1, &dof, error);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "damping", damping, error);
    return zi_drives_close(d, &e, status, error);
}

zvStatus zv_drives_add_damper(zvDrives *d, const char *name, int dof, double damping, zvError *error) {
    ZI_REQUIRE(d);
    return add_damper(d, name, NULL, dof, damping, error);
}

/* The springs, dampers and friction that the model's joints carry. A coupled mimic joint moves with its master,
 * q = ratio q_master + offset, so its elements act there: a force f of the joint is ratio f on the master. */

static zvStatus add_passive(zvDrives *d, const ziDofPassive *own, const char *label, double smoothing, zvError *error) {
    zvStatus status = ZV_OK;
    if (own->stiffness != 0)
        status = add_spring(d, "spring", label, own->dof, (ziSpringData){own->stiffness, own->rest}, error);
    if (status == ZV_OK && own->damping != 0) status = add_damper(d, "damper", label, own->dof, own->damping, error);
    if (status == ZV_OK && own->friction != 0) {
        zvFriction friction = {.coulomb = {own->friction, own->friction}, .smoothing = smoothing / own->swiftness};
        status = zi_add_friction(d, "friction", label, own->dof, &friction, error);
    }
    return status;
}

/* Matrices go as a whole. */
static bool skips_any(const zvDrives *d, int joint, const unsigned char *skip) {
    const zvJointPlace place = zv_model_joint_place(d->model, joint);
    for (int k = 0; skip && k < place.nv; k++) {
        if (skip[place.v_index + k]) return true;
    }
    return false;
}

/* Joints in model order; those to skip are named by degree of freedom. */
zvStatus zv_drives_add_passive(zvDrives *d, double smoothing, const unsigned char *skip, zvError *error) {
    ZI_REQUIRE(d);
    for (int j = 0; j < zv_model_njoint(d->model); j++) {
        const zvJoint *joint = zv_model_joint(d->model, j);
        bool follows = zv_model_joint_place(d->model, j).mimic >= 0;
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) {
            const ziDofPassive own = zi_joint_passive(d->model, j, k);
            if (own.swiftness == 0 || (!follows && skip && skip[own.dof])) continue;
            zvStatus status = add_passive(d, &own, follows ? joint->name : NULL, smoothing, error);
            if (status < 0) return status;
        }
        const bool left = skips_any(d, j, skip);
        const zvStatus status = zi_add_joint_matrices(d, j, !left, !left, error);
        if (status < 0) return status;
    }
    return zi_add_passive_loops(d, error);
}

/* Prescribed motions: q, v and a follow a law; mixed dynamics finds the force. */

bool zi_prescribed_claim(zvDrives *d, ziElement *e) {
    if (!zi_claim_accounts(d, e)) return false;
    for (int k = 0; k < e->count; k++) d->prescribed[e->dofs[k]] = true;
    return true;
}

static void impose(const zvDrives *d, const ziElement *e, ziEffortsScratch *scratch, double t, double *q, double *v) {
    double *x = scratch->law[0], *dx = scratch->law[1];
    zi_element_law(e, scratch, t, x, dx, NULL);
    for (int k = 0; k < e->count; k++) {
        q[d->freedoms[e->dofs[k]].coordinate] = x[k];
        v[e->dofs[k]] = dx[k];
    }
}

static void give(const ziElement *e, const ziInstant *now) {
    double *const *law = zi_efforts_scratch(now->out)->law, *ddx = law[2];
    zi_element_law(e, zi_efforts_scratch(now->out), now->t, law[0], law[1], ddx);
    for (int k = 0; k < e->count; k++) {
        now->out->given[e->dofs[k]] = ZV_GIVEN_ACCELERATION;
        now->out->a[e->dofs[k]] = ddx[k];
    }
    now->out->mixed = true;
}

void zi_prescribed_conclude(const ziElement *e, const ziInstant *now) {
    for (int k = 0; k < e->count; k++) {
        int dof = e->dofs[k];
        double force = now->out->tau[dof] - zi_efforts_scratch(now->out)->known[dof];
        now->out->force[e->account + k] = force;
        now->out->power[e->account + k] = force * now->v[dof];
        zi_efforts_scratch(now->out)->demand[dof] += force;
    }
}

const ziElementKind zi_prescribed_kind = {.word = "prescribed motion",
                                          .actuates = true,
                                          .refers = true,
                                          .claim = zi_prescribed_claim,
                                          .impose = impose,
                                          .give = give,
                                          .conclude = zi_prescribed_conclude};

/* One law per degree of freedom, and none that a rotor drives already. */
zvStatus zi_prescribed_check_place(const zvDrives *d, const ziElement *e, int dof, zvError *error) {
    const char *label = d->freedoms[dof].label;
    if (d->prescribed[dof])
        return zv_fail(
            error, ZV_SCHEMA, (zvMark){0}, label,
            "prescribed motion \"%s\": expected a motion without a law, found \"%s\" prescribed already; give one "
            "law per degree of freedom",
            e->name, label);
    if (d->rotor[dof] >= 0)
        return zv_fail(
            error, ZV_NOT_SUPPORTED, (zvMark){0}, label,
            "prescribed motion \"%s\": expected a rigid joint, found \"%s\" flexible; drive its motor by a pid with "
            "this reference instead, or leave the joint rigid",
            e->name, label);
    return ZV_OK;
}

zvStatus zv_drives_add_motion(zvDrives *d, const char *name, int count, const int *dofs, zvLaw *law, zvError *error) {
    ZI_REQUIRE(d && (count <= 0 || dofs));
    ziElement e = {.kind = &zi_prescribed_kind, .law = law};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, count, error);
    for (int k = 0; status == ZV_OK && k < count; k++) {
        status = zi_prescribed_check_place(d, &e, dofs[k], error);
        if (status == ZV_OK) status = zi_check_coordinate(d, &e, dofs[k], error);
    }
    return zi_drives_close(d, &e, status, error);
}
