/* Flexible joints with their rotors, [Kolyubin] 3.4, docs/actuation.md (4.1)-(4.3). z holds theta and theta'. */
#include "actuate/element.h"

static bool claim(zvDrives *d, ziElement *e) {
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
    return enough;
}

/* The torque on the link. The account holds it, and as power what the joint and the motor lose. */
static zvStatus push(const ziElement *e, const ziInstant *now) {
    const zvFlexibleJoint *j = &e->of.flexible;
    int dof = e->dofs[0];
    double theta = now->z[e->state], rate = now->z[e->state + 1];
    double slip = rate - now->v[dof], twist = theta - now->q[now->drives->freedoms[dof].coordinate];
    double force = j->stiffness * twist + j->damping * slip;
    now->out->tau[dof] += force;
    now->out->force[e->account] = force;
    now->out->power[e->account] = -j->damping * slip * slip - j->motor_damping * j->ratio * j->ratio * rate * rate;
    return ZV_OK;
}

static void conclude(const ziElement *e, const ziInstant *now) {
    const zvFlexibleJoint *j = &e->of.flexible;
    double rate = now->z[e->state + 1], square = j->ratio * j->ratio;
    double drive = zi_efforts_scratch(now->out)->rotor[e->dofs[0]];
    now->out->rate[e->state] = rate;
    now->out->rate[e->state + 1] =
        (drive - now->out->force[e->account] - j->motor_damping * square * rate) / (j->inertia * square);
}

static void stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *z,
                   double *energy) {
    (void)work;
    const zvFlexibleJoint *j = &e->of.flexible;
    double twist = z[e->state] - q[d->freedoms[e->dofs[0]].coordinate], rate = j->ratio * z[e->state + 1];
    energy[0] = 0.5 * j->stiffness * twist * twist;
    energy[1] = 0.5 * j->inertia * rate * rate;
}

static void initial(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *g,
                    double *z) {
    int dof = e->dofs[0];
    z[e->state] = q[d->freedoms[dof].coordinate] + (g ? g[dof] / e->of.flexible.stiffness : 0);
    z[e->state + 1] = v ? v[dof] : 0;
}

static void diagonal(const zvDrives *d, const ziElement *e, const double *v, double *stiffness, double *damping) {
    (void)d, (void)v;
    stiffness[e->dofs[0]] += e->of.flexible.stiffness;
    damping[e->dofs[0]] += e->of.flexible.damping;
}

const ziElementKind zi_flexible_kind = {.word = "motor",
                                        .dissipates = true,
                                        .claim = claim,
                                        .push = push,
                                        .conclude = conclude,
                                        .stored = stored,
                                        .initial = initial,
                                        .diagonal = diagonal};

static zvStatus check_numbers(const ziElement *e, zvError *error) {
    const zvFlexibleJoint *j = &e->of.flexible;
    zvStatus status = zi_check_positive(e, "stiffness", j->stiffness, error);
    if (status == ZV_OK) status = zi_check_not_negative(e, "damping", j->damping, error);
    if (status == ZV_OK) status = zi_check_positive(e, "rotor inertia", j->inertia, error);
    if (status == ZV_OK) status = zi_check_not_negative(e, "motor damping", j->motor_damping, error);
    if (status == ZV_OK) status = zi_check_finite(e, "gear ratio", j->ratio, error);
    if (status == ZV_OK && j->ratio == 0)
        status = zv_fail(error, ZV_NUMBER, (zvMark){0}, "0",
                         "gear ratio of flexible joint \"%s\" is 0; give motor turns per link turn, 1 for a direct "
                         "drive",
                         e->name);
    return status;
}

static zvStatus check_place(const zvDrives *d, const ziElement *e, zvError *error) {
    int dof = e->dofs[0];
    const char *label = d->freedoms[dof].label;
    if (d->rotor[dof] >= 0)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, label,
                       "flexible joint \"%s\": \"%s\" is flexible already; give one flexible joint per degree of "
                       "freedom",
                       e->name, label);
    if (d->prescribed[dof])
        return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, label,
                       "flexible joint \"%s\": the motion of \"%s\" is prescribed; drive the motor by a pid with this "
                       "reference instead, or leave the joint rigid",
                       e->name, label);
    return zi_check_coordinate(d, e, dof, error);
}

zvStatus zv_drives_add_flexible(zvDrives *d, const char *name, int dof, const zvFlexibleJoint *joint, zvError *error) {
    ziElement e = {.kind = &zi_flexible_kind, .of.flexible = *joint};
    zvStatus status = zi_drives_open(d, &e, name, 1, &dof, error);
    if (status == ZV_OK) status = check_numbers(&e, error);
    if (status == ZV_OK) status = check_place(d, &e, error);
    return zi_drives_close(d, &e, status, error);
}
