/* Balance of power on random trees with elements of every kind: dE/dt = sum of the accounts, E with all stores.
 *
 * E depends on q, v and z alone, so its rate is the derivative at 0 along q moved by h v, v + h a, z + h z': an
 * eighth-order central difference, as in tests/physics/test_power.c, with its tolerance: rounding of E divided by the
 * step, and of the powers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

static zvError error;
static const double weight[5] = {0, 4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0};
enum { MOST = 256 };

typedef struct Coupler {
    int from, to;
    double stiffness, length;
} Coupler;

typedef struct Set {
    zvDrives *drives;
    Coupler couplers[6]; /* and bushings */
    int ncoupler;
    zvEfforts *efforts;
    double z[MOST];
    unsigned char modes[MOST];
} Set;

static bool has_coordinate(const zvModel *model, int dof) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        zvJointPlace place = zv_model_joint_place(model, j);
        zvJointType type = zv_model_joint(model, j)->type;
        if (dof >= place.v_index && dof < place.v_index + place.nv)
            return type != ZV_JOINT_SPHERICAL && type != ZV_JOINT_FREE;
    }
    return false;
}

static zvLaw *draw_law(rtRandom *random, int width) {
    double x[4][MOST];
    for (int k = 0; k < 4; k++) rt_vector(random, 2, width, x[k]);
    return zv_law_harmonic(width, 0, x[0], x[1], x[2], x[3], &error);
}

/* What acts on single joints, drawn by lot. */
static bool add_passives(rtCase *c, zvDrives *d, int dof) {
    rtRandom *r = &c->random;
    zvFriction friction = {.coulomb = {rt_uniform(r, 0, 2), rt_uniform(r, 0, 2)},
                           .stribeck = rt_uniform(r, 0.1, 1),
                           .viscous = rt_uniform(r, 0, 1)};
    for (int side = 0; side < 2; side++) friction.breakaway[side] = friction.coulomb[side] + rt_uniform(r, 0, 1);
    if (rt_chance(r, 0.5)) friction.smoothing = rt_uniform(r, 0.01, 0.5);
    zvStatus status = ZV_OK;
    if (rt_chance(r, 0.4)) status = zv_drives_add_damper(d, NULL, dof, rt_uniform(r, 0, 3), &error);
    if (status == ZV_OK && rt_chance(r, 0.4)) status = zv_drives_add_friction(d, NULL, dof, &friction, &error);
    if (!has_coordinate(c->model, dof)) return status == ZV_OK;
    if (status == ZV_OK && rt_chance(r, 0.4))
        status = zv_drives_add_spring(d, NULL, dof, rt_uniform(r, 0, 20), rt_uniform(r, -1, 1), &error);
    zvFlexibleJoint joint = {.stiffness = rt_uniform(r, 1, 50),
                             .damping = rt_uniform(r, 0, 2),
                             .inertia = rt_uniform(r, 0.01, 0.1),
                             .ratio = rt_signed(r, 1, 5),
                             .motor_damping = rt_uniform(r, 0, 0.1)};
    double lot = rt_uniform(r, 0, 1);
    if (status == ZV_OK && lot < 0.3) status = zv_drives_add_flexible(d, NULL, dof, &joint, &error);
    if (status == ZV_OK && lot > 0.8) status = zv_drives_add_motion(d, NULL, 1, &dof, draw_law(r, 1), &error);
    return status == ZV_OK;
}

static zvStatus add_pid(rtRandom *r, zvDrives *d, int count, const int *dofs) {
    double gains[3][MOST], limit[MOST];
    for (int k = 0; k < 3; k++) rt_vector(r, 10, count, gains[k]);
    for (int k = 0; k < count; k++) limit[k] = rt_uniform(r, 1, 20);
    zvPid pid = {.kp = gains[0], .ki = gains[1], .kd = gains[2], .limit = limit};
    pid.motor_side = rt_chance(r, 0.5);
    pid.gravity = rt_chance(r, 0.5);
    return zv_drives_add_pid(d, NULL, count, dofs, &pid, draw_law(r, count), draw_law(r, count), &error);
}

static zvStatus add_tendon(rtRandom *r, zvDrives *d, int count, const int *dofs) {
    double ratios[MOST];
    rt_vector(r, 2, count, ratios);
    const zvTendon tendon = {ratios, 10, 1, -3, 5, rt_chance(r, 0.5)};
    return zv_drives_add_tendon(d, NULL, count, dofs, &tendon, draw_law(r, 1), draw_law(r, 1), &error);
}

static zvStatus add_task(rtCase *c, zvDrives *d) {
    zvPose from = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.3, 0.2, 0.4}}, to = from;
    to.p[0] = 0.5;
    double gains[12], at = 0.4;
    for (int i = 0; i < 12; i++) gains[i] = rt_uniform(&c->random, 0, 5);
    zvRoute *route = zv_route_line(&from, &to, zv_law_constant(1, &at, &error), &error);
    int all[MOST], driven = 0; /* half of the cases push a free base too, which no drive could */
    for (int i = 0; i < c->nv; i++) all[i] = i;
    for (int j = 0; j < zv_model_njoint(c->model); j++) {
        if (zv_model_joint(c->model, j)->type != ZV_JOINT_FREE) driven += zv_model_joint_place(c->model, j).nv;
    }
    zvTaskControl control = {.kp = gains, .kd = gains + 6, .null_damping = 0.3, .count = c->nv};
    if (driven == 0 || c->seed % 2) control.dofs = all;
    zvTask task = {rt_below(&c->random, zv_model_nframe(c->model)), ZV_AXES_LOCAL, ZV_TASK_POSITION};
    return zv_drives_add_task_control(d, NULL, &task, route, &control, &error);
}

/* What acts on many. */
/* A force of the program: against the velocity, and with the clock. */
static zvStatus own_force(void *context, double t, const double *q, const double *v, double *force) {
    const rtCase *c = context;
    (void)q;
    for (int i = 0; i < c->nv; i++) force[i] = t + i - 2 * v[i];
    return ZV_OK;
}

static bool add_drives(rtCase *c, zvDrives *d) {
    int all[MOST], plain[MOST], count = 0;
    for (int i = 0; i < c->nv; i++) {
        all[i] = i;
        if (has_coordinate(c->model, i)) plain[count++] = i;
    }
    rtRandom *r = &c->random;
    zvStatus status = zv_drives_add_torque(d, NULL, c->nv, all, draw_law(r, c->nv), &error);
    if (status == ZV_OK) status = zv_drives_add_function(d, NULL, c->nv, all, 0, NULL, &error);
    if (status == ZV_OK) status = zv_drives_add_gravity_compensation(d, NULL, c->nv, all, &error);
    if (status == ZV_OK && count) status = add_pid(r, d, count, plain);
    if (status == ZV_OK && count)
        status = zv_drives_add_computed_torque(d, NULL, count, plain, NULL, NULL, NULL, draw_law(r, count), &error);
    if (status == ZV_OK && count) status = add_tendon(r, d, count, plain);
    if (status == ZV_OK && c->seed % 3 == 0) status = add_task(c, d);
    for (int axes = 0; status == ZV_OK && axes < 2; axes++) {
        int frame = rt_below(r, zv_model_nframe(c->model));
        status = zv_drives_add_load(d, "load", frame, axes ? ZV_AXES_LOCAL : ZV_AXES_WORLD, draw_law(r, 6), &error);
    }
    return status == ZV_OK;
}

/* Between frames that are not too near for a direction, or without length. */
static bool add_couplers(rtCase *c, Set *set) {
    rtRandom *r = &c->random;
    int frames = zv_model_nframe(c->model);
    for (int tries = 0; tries < 8 && set->ncoupler < 3; tries++) {
        Coupler s = {rt_below(r, frames), rt_below(r, frames), rt_uniform(r, 0, 50), 0};
        if (rt_chance(r, 0.7)) s.length = rt_uniform(r, 0.1, 1);
        if (zv_model_frame_body(c->model, s.from) == zv_model_frame_body(c->model, s.to)) continue;
        zvPose from, to;
        zv_frame_pose(c->model, c->work, c->q, s.from, &from);
        zv_frame_pose(c->model, c->work, c->q, s.to, &to);
        double apart = fabs(to.p[0] - from.p[0]) + fabs(to.p[1] - from.p[1]) + fabs(to.p[2] - from.p[2]);
        if (s.length > 0 && apart < 0.1) continue;
        zvStatus status =
            zv_drives_add_coupler(set->drives, NULL, s.from, s.to, s.stiffness, rt_uniform(r, 0, 5), s.length, &error);
        if (status != ZV_OK) return false;
        set->couplers[set->ncoupler++] = s;
    }
    return true;
}

/* With B B^T, between frames of which the second is near the rest, where laws have put what follows them. */
static bool add_bushings(rtCase *c, Set *set) {
    rtRandom *r = &c->random;
    const int frames = zv_model_nframe(c->model);
    zvEfforts *laws = zv_efforts_create(set->drives, &error);
    zv_drives_impose(set->drives, laws, 0.7, set->modes, c->q, c->v);
    zv_efforts_destroy(laws);
    for (int tries = 0; tries < 3; tries++) {
        const int from = rt_below(r, frames), to = rt_below(r, frames);
        double A[2][36], B[36], rest[6], apart[6];
        zvPose start, end;
        if (zv_model_frame_body(c->model, from) == zv_model_frame_body(c->model, to)) continue;
        zv_frame_pose(c->model, c->work, c->q, from, &start);
        zv_frame_pose(c->model, c->work, c->q, to, &end);
        zv_pose_error(&end, &start, apart);
        rt_vector(r, 0.3, 6, rest);
        for (int i = 0; i < 6; i++) { /* near where it is, in axes of the first frame */
            for (int k = 0; k < 3; k++) rest[i] += start.R[3 * k + i % 3] * apart[i / 3 * 3 + k];
        }
        for (int m = 0; m < 2; m++) {
            rt_vector(r, 2, 36, B);
            for (int i = 0; i < 36; i++) {
                A[m][i] = 0;
                for (int k = 0; k < 6; k++) A[m][i] += B[i / 6 * 6 + k] * B[i % 6 * 6 + k];
            }
        }
        if (zv_drives_add_bushing(set->drives, NULL, from, to, A[0], A[1], rest, &error) != ZV_OK) return false;
        set->couplers[set->ncoupler++] = (Coupler){from, to, 100, 0};
    }
    return true;
}

static double energy(const rtCase *c, const Set *set, double h, exact *size) {
    double *q = malloc(sizeof *q * (size_t)(c->nq + 1)), *v = malloc(sizeof *v * (size_t)(c->nv + 1)), z[MOST];
    double stored[MOST], kinetic, potential;
    assert_true(q && v);
    for (int i = 0; i < c->nv; i++) v[i] = h * c->v[i];
    zv_position_add(c->model, c->q, v, q);
    for (int i = 0; i < c->nv; i++) v[i] = c->v[i] + h * c->a[i];
    for (int i = 0; i < zv_drives_nstate(set->drives); i++) z[i] = set->z[i] + h * set->efforts->rate[i];
    zv_energy(c->model, c->work, q, v, &kinetic, &potential);
    zv_drives_stored(set->drives, c->work, q, v, z, stored);
    double sum = kinetic + potential;
    *size = fabsl((exact)kinetic);
    for (int i = 0; i < zv_drives_nstore(set->drives); i++) {
        sum += stored[i];
        *size += stored[i];
    }
    free(q);
    free(v);
    return sum;
}

static exact fastest(const rtCase *c) { /* of the links; stores are squares, their differences exact */
    exact most = 1;
    for (int l = 0; l < c->ref->nlink; l++) most = fmaxl(most, c->error_scale->w[l]);
    for (int i = 0; i < c->nv; i++) most = fmaxl(most, 5 * fabsl((exact)c->v[i]));
    return most;
}

/* The line of a coupler turns with rate/distance at most; *size becomes what its energy loses to rounding of the places
 * of its frames. */
static exact coupler_scale(const rtCase *c, const Coupler *s, exact *size) {
    refMotion end[2];
    exact r[3], rate[3], reach = s->length;
    const int frames[2] = {s->from, s->to};
    for (int e = 0; e < 2; e++) {
        zvFrame frame = zv_model_frame(c->model, frames[e]);
        const double *p = frame.pose.p;
        ref_frame(c->ref, frames[e], &end[e]);
        reach += c->error_scale->reach[zv_model_find_frame(c->model, frame.link)] + hypot(hypot(p[0], p[1]), p[2]);
    }
    for (int i = 0; i < 3; i++) {
        r[i] = end[1].p[i] - end[0].p[i];
        rate[i] = end[1].v[i] - end[0].v[i];
    }
    exact d = hypotl(hypotl(r[0], r[1]), r[2]), speed = hypotl(hypotl(rate[0], rate[1]), rate[2]);
    *size = s->stiffness * fabsl(d - s->length) * reach;
    return s->length > 0 ? speed / d : 0;
}

static bool balance(rtCase *c, const Set *set) {
    ref_place(c->ref, c->q);
    ref_move(c->ref, c->v, c->a);
    ref_error_scale(c->ref, c->v, c->a, set->efforts->fext, true, c->error_scale);
    exact power = 0, size = 0, here, quick = fastest(c), placed = 0;
    for (int i = 0; i < set->ncoupler; i++) {
        quick = fmaxl(quick, 6 * coupler_scale(c, &set->couplers[i], &here));
        placed += here;
    }
    double h = (double)(0.03L / quick), rate = 0;
    exact biggest = c->error_scale->kinetic + c->error_scale->potential;
    for (int i = 0; i < zv_drives_naccount(set->drives); i++) {
        power += set->efforts->power[i];
        size += fabsl((exact)set->efforts->power[i]);
        if (zv_drives_account(set->drives, i).dissipates && set->efforts->power[i] > 0) {
            print_error("seed %llu: %s gives power\n", (unsigned long long)c->seed,
                        zv_drives_account(set->drives, i).name);
            return false;
        }
    }
    for (int k = -4; k <= 4; k++) {
        if (k == 0) continue;
        rate += (k < 0 ? -weight[-k] : weight[k]) * energy(c, set, k * h, &here) / h;
        biggest = fmaxl(biggest, here + c->error_scale->potential);
    }
    for (int i = 0; i < c->nv; i++) size += c->error_scale->tau[i] * fabsl((exact)c->v[i]);
    exact scale = size + (biggest + placed) / h;
    return rt_near(c, "dE/dt", 1, &rate, &power, &scale, 16);
}

static bool powers_balance(rtCase *c) {
    Set set = {.drives = zv_drives_create(c->model, &error)};
    bool good = c->nv < 40 && c->nv > 0;
    if (!good) {
        zv_drives_destroy(set.drives);
        return true;
    }
    for (int i = 0; good && i < c->nv; i++) good = add_passives(c, set.drives, i);
    good = good && add_drives(c, set.drives) && add_couplers(c, &set) && add_bushings(c, &set);
    if (!good) print_error("seed %llu: %s\n", (unsigned long long)c->seed, error.text);
    set.efforts = zv_efforts_create(set.drives, &error);
    if (set.efforts && zv_drives_nfunction(set.drives) > 0) zv_efforts_set_function(set.efforts, 0, own_force, c);
    rt_vector(&c->random, 1, zv_drives_nstate(set.drives), set.z);
    for (int i = 0; i < c->nv; i++) { /* some joints stand still and may stick */
        if (rt_chance(&c->random, 0.3)) c->v[i] = 0;
    }
    zvStatus status =
        good ? zv_drives_settle(set.drives, set.efforts, c->work, 0.7, c->q, c->v, set.z, set.modes) : ZV_NOT_SUPPORTED;
    if (status >= 0) {
        status = zv_drives_accelerate(set.drives, set.efforts, c->work, 0.7, c->q, c->v, set.z, set.modes);
        memcpy(c->a, set.efforts->a, (size_t)c->nv * sizeof *c->a);
    }
    if (status < 0) print_error("seed %llu: %s\n", (unsigned long long)c->seed, zv_status_name(status));
    good = good && status >= 0 && balance(c, &set);
    zv_efforts_destroy(set.efforts);
    zv_drives_destroy(set.drives);
    return good;
}

static void smooth(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE; /* splines are too rough for high-order differences across their knots */
    options->wild = false;
}

static void accounts_sum_to_energy_rate(void **state) {
    (void)state;
    assert_true(rt_each(950000, 600, 12, smooth, powers_balance));
}

TESTS(accounts_sum_to_energy_rate)
