/* What a scenario conserves, for the energy-momentum method: the energy of the machine and of its drives, whose change
 * is the power of the accounts, and the momentum of a machine that floats freely. */
#include "actuate/element.h"
#include "simulate/system.h"
#include "zveno/flexible.h"

#include <math.h>
#include <string.h>

/* Energy ------------------------------------------------------------------------------------------------ */

/* Kinetic and potential energy and stores, as the ledger has them. */
static double energy(void *context, double t, const double *y, double parts[2]) {
    ziSystem *s = context;
    double potential, sum;
    (void)t;
    zv_energy(s->model, s->work, y, y + s->at_v, &parts[0], &potential);
    zv_drives_stored(s->drives, s->work, y, y + s->at_v, y + s->at_z, s->stored);
    sum = parts[0] + potential;
    parts[1] = parts[0] + fabs(potential);
    for (int i = 0; i < zv_drives_nstore(s->drives); i++) {
        sum += s->stored[i];
        parts[1] += fabs(s->stored[i]);
    }
    return sum;
}

static double power(void *context) {
    const ziSystem *s = context;
    double sum = 0;
    for (int i = 0; i < zv_drives_naccount(s->drives); i++) sum += s->efforts->power[i];
    return sum;
}

static bool movable(void *context, const double *v, double *d) {
    const ziSystem *s = context;
    bool led = false;
    for (int i = 0; i < s->nv; i++) {
        d[i] = s->efforts->given[i] == ZV_GIVEN_FORCE ? v[i] : 0;
        led |= zv_drives_prescribes(s->drives, i);
    }
    for (int i = 0; i < zv_model_nloop(s->model); i++) led |= s->drives->aimed[i];
    return !led;
}

/* Momentum ---------------------------------------------------------------------------------------------- */

/* Whether an element pushes on the six degrees of freedom from `base` on, or between the machine and the ground. */
static bool pushes_from_outside(const zvDrives *d, const ziElement *e, int base) {
    if (e->kind == &zi_load_kind) return true;
    if (e->kind == &zi_coupler_kind)
        return zv_model_frame_body(d->model, e->of.coupler.from) == 0 ||
               zv_model_frame_body(d->model, e->of.coupler.to) == 0;
    for (int k = 0; k < e->count; k++) {
        if (e->dofs[k] >= base && e->dofs[k] < base + 6) return true;
    }
    return false;
}

/* The free joint on which everything hangs, or -1. */
static int only_root(const zvModel *model) {
    int root = -1;
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        if (zv_model_frame_body(model, place.parent) != 0 || zv_model_frame_body(model, place.child) == 0) continue;
        if (root >= 0 || zv_model_joint(model, j)->type != ZV_JOINT_FREE) return -1;
        root = j;
    }
    return root;
}

/* How far the centre of mass moves with each of the three positions of the base: axes of its joint in the world. */
static void find_axes(ziSystem *s) {
    double c[3], moved[3];
    zv_neutral(s->model, s->q);
    zv_center_of_mass(s->model, s->work, s->q, c);
    for (int k = 0; k < 3; k++) {
        s->q[s->base_q + k] += 1;
        zv_center_of_mass(s->model, s->work, s->q, moved);
        s->q[s->base_q + k] -= 1;
        for (int i = 0; i < 3; i++) s->base_axes[k][i] = moved[i] - c[i];
    }
}

/* A single free base, no gravity, no drive or spring on the base or to the ground. */
void zi_system_find_floating(ziSystem *s) {
    double g[3], p[6];
    const int root = only_root(s->model);
    s->floats = -1;
    zv_model_gravity(s->model, g);
    if (root < 0 || g[0] != 0 || g[1] != 0 || g[2] != 0) return;
    if (zv_model_has_rotor_axes(s->model)) return; /* their spins are in z, which carry does not change */
    const int base = zv_model_joint_place(s->model, root).v_index;
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (pushes_from_outside(s->drives, &s->drives->elements[i], base)) return;
    }
    s->base_link = zv_model_joint_place(s->model, root).child;
    s->base_q = zv_model_joint_place(s->model, root).q_index;
    find_axes(s);
    memset(s->v, 0, (size_t)s->nv * sizeof *s->v);
    s->v[base] = 1;
    zv_momentum(s->model, s->work, s->q, s->v, p, NULL);
    s->total_mass = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (s->total_mass > 0) s->floats = base;
}

/* Linear momentum, and angular momentum about the centre of mass. */
static bool momentum(void *context, const double *y, double p[6]) {
    ziSystem *s = context;
    if (s->floats < 0) return false;
    zv_momentum(s->model, s->work, y, y + s->at_v, p, NULL);
    return true;
}

/* x of A x = b by Cramer's rule; A by columns. */
static void solve_three(double A[3][3], const double b[3], double x[3]) {
    double cross[3][3], det = 0;
    for (int k = 0; k < 3; k++) {
        const double *u = A[(k + 1) % 3], *w = A[(k + 2) % 3];
        for (int i = 0; i < 3; i++) cross[k][i] = u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3];
    }
    for (int i = 0; i < 3; i++) det += A[0][i] * cross[0][i];
    for (int k = 0; k < 3; k++) x[k] = (cross[k][0] * b[0] + cross[k][1] * b[1] + cross[k][2] * b[2]) / det;
}

/* Momenta of unit turns of the base and its axes, at one state of each step: what they correct is small. */
static void look_at_base(ziSystem *s, const double *y, double *x) {
    memset(x, 0, (size_t)s->nv * sizeof *x);
    for (int k = 0; k < 3; k++) {
        x[s->floats + 3 + k] = 1;
        zv_momentum(s->model, s->work, y, x, s->turns[k], NULL);
        x[s->floats + 3 + k] = 0;
    }
    zv_frame_pose(s->model, s->work, y, s->base_link, &s->base);
    s->base_known = true;
}

/* The machine as one rigid body: the base turns with omega, I omega = angular momentum, and takes the centre of mass
 * along with (linear momentum) / mass; in the axes of the base. What the turn itself gives the centre of mass is taken
 * back. The columns of I are momenta of unit turns. */
static void carry(void *context, const double *y, const double p[6], double *x) {
    ziSystem *s = context;
    double columns[3][3], *linear = x + s->floats, *omega = linear + 3;
    if (!s->base_known) look_at_base(s, y, x);
    memset(x, 0, (size_t)s->nv * sizeof *x);
    for (int k = 0; k < 3; k++) memcpy(columns[k], s->turns[k] + 3, sizeof columns[k]);
    solve_three(columns, p + 3, omega);
    for (int k = 0; k < 3; k++) {
        const double h = omega[0] * s->turns[0][k] + omega[1] * s->turns[1][k] + omega[2] * s->turns[2][k];
        for (int i = 0; i < 3; i++) linear[i] += s->base.R[3 * k + i] * (p[k] - h) / s->total_mass;
    }
}

static void advance(void *context, double h, const double p[6], const double *y_from, double *y_to) {
    ziSystem *s = context;
    double from[3], to[3];
    s->base_known = false; /* the next step looks anew */
    zv_center_of_mass(s->model, s->work, y_from, from);
    zv_center_of_mass(s->model, s->work, y_to, to);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            y_to[s->base_q + k] += s->base_axes[k][i] * (from[i] + h * p[i] / s->total_mass - to[i]);
    }
}

void zi_system_conserved(zvStructure *structure) {
    structure->energy = energy;
    structure->power = power;
    structure->movable = movable;
    structure->momentum = momentum;
    structure->carry = carry;
    structure->advance = advance;
}
