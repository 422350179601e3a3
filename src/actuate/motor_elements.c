/* Flexible joints with their rotors, [Kolyubin] 3.4, docs/actuation.md (4.1)-(4.3). z holds theta and theta'. Rotors
 * with an axis push on the links that carry them, (4.6). */
#include "actuate/element.h"

#include <math.h>
#include <string.h>

#include "base/require.h"
#include "dynamics/rotors.h"
#include "model/gear.h"

/* Two states (theta and its rate), stores for spring and rotor, and accounts. */
static bool flexible_claim(zvDrives *d, ziElement *e) {
    int dof = e->dofs[0];
    const ziFreedom *f = &d->freedoms[dof];
    e->state = (int)d->nstate;
    e->store = (int)d->nstore;
    zvDriveState angle = {zi_claim_name(d, e, 0, "theta"), f->position_unit, true, dof};
    zvDriveState rate = {zi_claim_name(d, e, 0, "theta'"), f->rate_unit, false, dof};
    bool enough = zi_claim_state(d, angle) && zi_claim_state(d, rate) &&
                  zi_claim_store(d, zi_claim_name(d, e, 0, "spring")) &&
                  zi_claim_store(d, zi_claim_name(d, e, 0, "rotor")) && zi_claim_accounts(d, e);
    if (enough) d->rotor[dof] = e->state;
    if (enough && e->of.motor.joint >= 0) {
        d->has_loads = true;
        d->nspot++;
    }
    return enough;
}

/* The torque on the link. The account holds it, and as power what the joint and the motor lose. */
static zvStatus flexible_push(const ziElement *e, const ziInstant *now) {
    const zvFlexibleJoint *j = &e->of.motor.gear;
    int dof = e->dofs[0];
    double theta = now->z[e->state], rate = now->z[e->state + 1];
    double slip = rate - now->v[dof], twist = theta - now->q[now->drives->freedoms[dof].coordinate];
    double force = zi_gear_force(j, twist) + j->damping * slip;
    now->out->tau[dof] += force;
    now->out->force[e->account] = force;
    now->out->power[e->account] = -j->damping * slip * slip - j->motor_damping * j->ratio * j->ratio * rate * rate;
    return ZV_OK;
}

/* What turns the rotor, motor side, once all drives have pushed. */
static double flexible_torque(const ziElement *e, const ziInstant *now) {
    return zi_rotor_torque(&e->of.motor.gear, now->z[e->state + 1], zi_efforts_scratch(now->out)->rotor[e->dofs[0]],
                           now->out->force[e->account]);
}

/* The link that carries a rotor with an axis bears what its spin changes by. */
static void flexible_react(const ziElement *e, const ziInstant *now) {
    const zvFlexibleJoint *j = &e->of.motor.gear;
    const zvModel *model = now->drives->model;
    if (e->of.motor.joint < 0) return;
    const int link = zv_model_joint_place(model, e->of.motor.joint).parent;
    zvPose pose;
    double velocity[6], wrench[6];
    zi_frame_now(now, link, &pose, velocity);
    const ziRotorState r =
        zi_rotor_seen(zv_model_joint(model, e->of.motor.joint), &pose, velocity, j->ratio * now->z[e->state + 1]);
    zi_rotor_wrench(j, &r, flexible_torque(e, now), wrench);
    zi_push_frame(now, link, wrench);
}

static void flexible_conclude(const ziElement *e, const ziInstant *now) {
    const zvFlexibleJoint *j = &e->of.motor.gear;
    double second = flexible_torque(e, now) / (j->inertia * j->ratio);
    if (e->of.motor.joint >= 0)
        second -=
            zi_rotor_turned(now->drives->model, now->work, now->q, now->v, now->out->a, e->of.motor.joint) / j->ratio;
    now->out->rate[e->state] = now->z[e->state + 1];
    now->out->rate[e->state + 1] = second;
}

static void flexible_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *v,
                            const double *z, double *energy) {
    const zvFlexibleJoint *j = &e->of.motor.gear;
    double twist = z[e->state] - q[d->freedoms[e->dofs[0]].coordinate], spin = j->ratio * z[e->state + 1];
    if (e->of.motor.joint >= 0) spin = zi_rotor_look(d->model, work, q, v, e->of.motor.joint, spin).spin;
    energy[0] = zi_gear_energy(j, twist);
    energy[1] = 0.5 * j->inertia * spin * spin;
}

/* No impulse turns a rotor about its axis. */
void zi_drives_keep_spins(const zvDrives *d, zvWork *work, const double *q, const double *before, const double *after,
                          double *z) {
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind != &zi_flexible_kind || e->of.motor.joint < 0) continue;
        const double was = zi_rotor_look(d->model, work, q, before, e->of.motor.joint, 0).spin,
                     is = zi_rotor_look(d->model, work, q, after, e->of.motor.joint, 0).spin;
        z[e->state + 1] -= (is - was) / e->of.motor.gear.ratio;
    }
}

void zi_drives_add_spins(const zvDrives *d, zvWork *work, const double *q, const double *v, const double *z,
                         double momentum[3]) {
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind != &zi_flexible_kind || e->of.motor.joint < 0) continue;
        const zvFlexibleJoint *j = &e->of.motor.gear;
        const ziRotorState r = zi_rotor_look(d->model, work, q, v, e->of.motor.joint, j->ratio * z[e->state + 1]);
        for (int k = 0; k < 3; k++) momentum[k] += j->inertia * r.spin * r.axis[k];
    }
}

static void initial(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *g,
                    double *z) {
    int dof = e->dofs[0];
    z[e->state] = q[d->freedoms[dof].coordinate] + (g ? zi_gear_deflection(&e->of.motor.gear, g[dof]) : 0);
    z[e->state + 1] = v ? v[dof] : 0;
}

static void flexible_diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                              double *stiffness, double *damping) {
    const int dof = e->dofs[0];
    (void)v;
    stiffness[dof] += zi_gear_tangent(&e->of.motor.gear, z[e->state] - q[d->freedoms[dof].coordinate]);
    damping[dof] += e->of.motor.gear.damping;
}

const ziElementKind zi_flexible_kind = {.word = "motor",
                                        .dissipates = true,
                                        .claim = flexible_claim,
                                        .push = flexible_push,
                                        .react = flexible_react,
                                        .conclude = flexible_conclude,
                                        .stored = flexible_stored,
                                        .initial = initial,
                                        .diagonal = flexible_diagonal};

/* The rules of models, for gears that come without one. */
static zvStatus check_law(const ziElement *e, zvError *error) {
    const zvFlexibleJoint *j = &e->of.motor.gear;
    const int at = zi_gear_law_fault(j);
    if (at < 0) return ZV_OK;
    return zv_fail(
        error, ZV_NUMBER, (zvMark){0}, e->name,
        "law of flexible joint \"%s\": expected up to %d points that rise from [0, 0] in deflection and torque, "
        "and a stiffness of at most three times the slope to the first, found otherwise at point %d",
        e->name, ZV_GEAR_POINTS, at + 1);
}

/* The rotor needs an inertia and the gear a stiffness: both are divided by. */
static zvStatus check_flexible(const ziElement *e, zvError *error) {
    const zvFlexibleJoint *j = &e->of.motor.gear;
    zvStatus status = zi_check_positive(e, "stiffness", j->stiffness, error);
    if (status == ZV_OK) status = zi_check_not_negative(e, "damping", j->damping, error);
    if (status == ZV_OK) status = zi_check_positive(e, "rotor inertia", j->inertia, error);
    if (status == ZV_OK) status = zi_check_not_negative(e, "motor damping", j->motor_damping, error);
    if (status == ZV_OK) status = zi_check_not_negative(e, "cubic stiffness", j->cubic, error);
    if (status == ZV_OK) status = check_law(e, error);
    if (status == ZV_OK) status = zi_check_finite(e, "gear ratio", j->ratio, error);
    if (status == ZV_OK && j->ratio == 0)
        status = zv_fail(
            error, ZV_NUMBER, (zvMark){0}, "0",
            "gear ratio of flexible joint \"%s\": expected other than 0, found 0; give motor turns per link turn, "
            "1 for a direct drive",
            e->name);
    return status;
}

/* One rotor per degree of freedom, and none where the motion is prescribed. */
static zvStatus flexible_check_place(const zvDrives *d, const ziElement *e, zvError *error) {
    int dof = e->dofs[0];
    const char *label = d->freedoms[dof].label;
    if (d->rotor[dof] >= 0)
        return zv_fail(
            error, ZV_SCHEMA, (zvMark){0}, label,
            "flexible joint \"%s\": expected a rigid joint, found \"%s\" flexible already; give one flexible joint "
            "per degree of freedom",
            e->name, label);
    if (d->prescribed[dof])
        return zv_fail(
            error, ZV_NOT_SUPPORTED, (zvMark){0}, label,
            "flexible joint \"%s\": expected a motion without a law, found \"%s\" prescribed; drive the motor by a "
            "pid with this reference instead, or leave the joint rigid",
            e->name, label);
    return zi_check_coordinate(d, e, dof, error);
}

/* Rotors with an axis are those of the model, whose links lack their inertia: joint is the model's, or -1. */
static zvStatus find_rotor(const zvDrives *d, ziElement *e, zvError *error) {
    const zvFlexibleJoint *gear = &e->of.motor.gear, *own = NULL;
    e->of.motor.joint = -1;
    for (int j = 0; j < zv_model_njoint(d->model); j++) {
        if (zv_model_joint_place(d->model, j).v_index != e->dofs[0] || !zv_model_joint(d->model, j)->flexible) continue;
        own = zv_model_joint(d->model, j)->flexible;
        if (zi_rotor_couples(own)) e->of.motor.joint = j;
    }
    const bool has = e->of.motor.joint >= 0; /* another gear before the same rotor has its axis */
    if (has && !zi_rotor_couples(gear)) memcpy(e->of.motor.gear.rotor_axis, own->rotor_axis, sizeof own->rotor_axis);
    const bool couples = zi_rotor_couples(gear);
    if (!couples && !has) return ZV_OK;
    if (couples && has && gear->inertia == own->inertia &&
        memcmp(gear->rotor_axis, own->rotor_axis, sizeof own->rotor_axis) == 0)
        return ZV_OK;
    return zv_fail(
        error, ZV_NOT_SUPPORTED, (zvMark){0}, d->freedoms[e->dofs[0]].label,
        "flexible joint \"%s\": expected the rotor of the model, since %s, found another; change the model's", e->name,
        has ? "it has an axis and its inertia is not in the links" : "rotors with an axis belong to it");
}

/* One for each joint of the model that has a gear. */
zvStatus zv_drives_add_flexible_joints(zvDrives *d, const unsigned char *skip, zvError *error) {
    ZI_REQUIRE(d);
    zvStatus status = ZV_OK;
    for (int j = 0; status >= 0 && j < zv_model_njoint(d->model); j++) {
        const zvFlexibleJoint *gear = zv_model_joint(d->model, j)->flexible;
        const int dof = zv_model_joint_place(d->model, j).v_index;
        if (gear && !(skip && skip[dof])) status = zv_drives_add_flexible(d, NULL, dof, gear, error);
    }
    return status;
}

zvStatus zv_drives_add_flexible(zvDrives *d, const char *name, int dof, const zvFlexibleJoint *joint, zvError *error) {
    ZI_REQUIRE(d && joint);
    ziElement e = {.kind = &zi_flexible_kind, .of.motor.gear = *joint};
    zvStatus status = zi_drives_open(d, &e, name, 1, &dof, error);
    if (status == ZV_OK) status = check_flexible(&e, error);
    if (status == ZV_OK) status = flexible_check_place(d, &e, error);
    if (status == ZV_OK) status = find_rotor(d, &e, error);
    return zi_drives_close(d, &e, status, error);
}
