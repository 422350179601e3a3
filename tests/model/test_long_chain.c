/* A hundred thousand bodies in one chain, and as many on one link: everything runs on a small stack, in time and
 * memory that grow with the number of bodies.
 *
 * The work is done in a thread whose stack has 256 KiB: recursion along the chain would need megabytes. Checks in it
 * return a text instead of failing, because a failing assertion must jump within the main thread. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "support/sanitized.h"
#include "support/small_stack.h"
#include "zveno/builder.h"
#include "zveno/check.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

enum { BODIES = SANITIZED ? 20000 : 100000 };
static const double mass = 1e-3, length = 0.1, armature = 1;
static const uint64_t seed = 20240611;

/* Robots ---------------------------------------------------------------------------------------------- */

/* Link i hangs on the link before it (a chain) or on the base (a star), by an axis x, y or z in turn. */
static zvStatus add_link(zvBuilder *builder, int i, bool star, zvError *error) {
    char name[32], parent[32];
    snprintf(name, sizeof name, "link%d", i);
    snprintf(parent, sizeof parent, "link%d", star ? 0 : i - 1);
    zvLink link = zv_link_default(name);
    if (i > 0) {
        link.has_inertia = true;
        link.inertia = (zvInertia){.mass = mass, .com = {length / 2, 0, 0}, .moment = {1e-6, 0, 0, 2e-6, 0, 2e-6}};
    }
    if (zv_builder_add_link(builder, &link, error) < 0 || i == 0) return error->status;
    zvJoint joint = zv_joint_default(name, ZV_JOINT_CONTINUOUS, parent, name);
    for (int k = 0; k < 3; k++) joint.axis[k] = k == i % 3;
    joint.origin.p[0] = star || i == 1 ? 0 : length;
    joint.dof[0].armature = armature;
    return zv_builder_add_joint(builder, &joint, error);
}

typedef struct Big {
    zvModel *model;
    zvWork *work;
    double *q, *v, *a, *tau, *x, *y;
} Big;

static const char *make(bool star, Big *big) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    EXPECT(builder, "no builder");
    for (int i = 0; i <= BODIES; i++) EXPECT(add_link(builder, i, star, &error) == ZV_OK, "add: %s", error.text);
    EXPECT(zv_builder_freeze(builder, &big->model, &error) == ZV_OK, "freeze: %s", error.text);
    zv_builder_destroy(builder);
    big->work = zv_work_create(big->model, &error);
    EXPECT(big->work, "work: %s", error.text);
    EXPECT(zv_model_nv(big->model) == BODIES && zv_model_nbody(big->model) == BODIES + 1, "wrong sizes");
    double **const arrays[6] = {&big->q, &big->v, &big->a, &big->tau, &big->x, &big->y};
    for (int i = 0; i < 6; i++) EXPECT(*arrays[i] = calloc(BODIES, sizeof(double)), "no room");
    rtRandom random = {seed};
    rt_vector(&random, 3, BODIES, big->q);
    rt_vector(&random, 1e-2, BODIES, big->v);
    rt_vector(&random, 1, BODIES, big->a);
    return NULL;
}

static void unmake(Big *big) {
    double *const arrays[6] = {big->q, big->v, big->a, big->tau, big->x, big->y};
    for (int i = 0; i < 6; i++) free(arrays[i]);
    zv_work_destroy(big->work);
    zv_model_destroy(big->model);
}

static double norm(const double *x) {
    double sum = 0;
    for (int i = 0; i < BODIES; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static double distance(const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < BODIES; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

/* Largest eigenvalue of M by a few multiplications; the least is not below the armature. */
static double condition(const Big *big, double *x, double *y) {
    double size = 1;
    for (int i = 0; i < BODIES; i++) x[i] = 1;
    for (int pass = 0; pass < 12; pass++) {
        zv_mass_times(big->model, big->work, big->q, x, y);
        const double grown = norm(y);
        size = grown / norm(x);
        for (int i = 0; i < BODIES; i++) x[i] = y[i] / grown;
    }
    return size / armature;
}

/* Checks ---------------------------------------------------------------------------------------------- */

/* The end of the chain by a product of rotations in long double. */
static void tip_of(const double *q, long double R[3][3], long double p[3]) {
    for (int i = 0; i < 3; i++) {
        p[i] = 0;
        for (int j = 0; j < 3; j++) R[i][j] = i == j;
    }
    for (int n = 1; n <= BODIES; n++) {
        const int j = (n % 3 + 1) % 3, k = (n % 3 + 2) % 3;
        const long double s = sinl(q[n - 1]), c = cosl(q[n - 1]);
        for (int i = 0; i < 3; i++) {
            if (n > 1) p[i] += length * R[i][0];
            const long double u = R[i][j], w = R[i][k];
            R[i][j] = c * u + s * w;
            R[i][k] = c * w - s * u;
        }
    }
}

static const char *check_tip(const Big *big) {
    char name[32];
    long double R[3][3], p[3];
    zvPose pose;
    snprintf(name, sizeof name, "link%d", BODIES);
    const int tip = zv_model_find_frame(big->model, name);
    EXPECT(tip == BODIES, "the tip is frame %d", tip);
    zv_frame_pose(big->model, big->work, big->q, tip, &pose);
    tip_of(big->q, R, p);
    double off = 0, turned = 0;
    for (int i = 0; i < 3; i++) {
        off = fmax(off, fabs((double)(pose.p[i] - p[i])));
        for (int j = 0; j < 3; j++) turned = fmax(turned, fabs((double)(pose.R[3 * i + j] - R[i][j])));
    }
    /* rounding of each rotation turns all that follows */
    EXPECT(turned < 4e-16 * BODIES && off < 4e-16 * BODIES * BODIES * length, "tip off by %.3g m and %.3g", off,
           turned);
    return NULL;
}

static const char *check_energy(const Big *big) {
    double kinetic, potential, work = 0;
    zv_energy(big->model, big->work, big->q, big->v, &kinetic, &potential);
    zv_mass_times(big->model, big->work, big->q, big->v, big->x);
    for (int i = 0; i < BODIES; i++) work += 0.5 * big->v[i] * big->x[i];
    EXPECT(fabs(work - kinetic) < 1e-12 * work, "kinetic energy %.17g, v.Mv/2 %.17g", kinetic, work);
    return NULL;
}

/* Linear momentum is mass times the velocity of the centre of mass, by differences. */
static const char *check_momentum(const Big *big) {
    const double h = 1e-5, total = zv_model_mass(big->model);
    double momentum[6], before[3], after[3];
    zv_momentum(big->model, big->work, big->q, big->v, momentum, NULL);
    for (int i = 0; i < BODIES; i++) {
        big->x[i] = big->q[i] - h * big->v[i];
        big->y[i] = big->q[i] + h * big->v[i];
    }
    zv_center_of_mass(big->model, big->work, big->x, before);
    zv_center_of_mass(big->model, big->work, big->y, after);
    for (int k = 0; k < 3; k++) {
        const double estimate = total * (after[k] - before[k]) / (2 * h);
        EXPECT(fabs(momentum[k] - estimate) < 1e-6 * fmax(1, fabs(estimate)), "momentum %.12g, by differences %.12g",
               momentum[k], estimate);
    }
    return NULL;
}

static const char *check_forward(const Big *big, double cond) {
    const double bound = 2e-16 * cond * norm(big->a);
    zv_inverse_dynamics(big->model, big->work, big->q, big->v, big->a, NULL, big->tau);
    EXPECT(zv_forward_dynamics(big->model, big->work, big->q, big->v, big->tau, NULL, big->x) == ZV_OK, "singular");
    const double off = distance(big->x, big->a);
    EXPECT(off <= bound, "forward of inverse is off by %.3g, bound %.3g, condition %.3g", off, bound, cond);
    printf("forward of inverse: off by %.2g of %.2g, condition %.2g\n", off, norm(big->a), cond);
    return NULL;
}

/* Given by turns: force, acceleration, and the same again; what comes out is what went in. */
static const char *check_mixed(const Big *big, double cond) {
    unsigned char *given = malloc(BODIES);
    EXPECT(given, "no room");
    for (int i = 0; i < BODIES; i++) {
        given[i] = i % 2 ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
        big->x[i] = i % 2 ? big->a[i] : 0;
        big->y[i] = i % 2 ? 0 : big->tau[i];
    }
    const zvStatus status = zv_mixed_dynamics(big->model, big->work, big->q, big->v, given, NULL, big->y, big->x);
    free(given);
    EXPECT(status == ZV_OK, "mixed dynamics is singular");
    const double off_a = distance(big->x, big->a), off_tau = distance(big->y, big->tau);
    EXPECT(off_a <= 2e-16 * cond * norm(big->a), "accelerations off by %.3g", off_a);
    EXPECT(off_tau <= 2e-16 * cond * norm(big->tau), "forces off by %.3g", off_tau);
    return NULL;
}

/* The tip moves by the Jacobian and by the frame's velocity alike; the links' poses end at the tip's. */
static const char *check_frames(const Big *big) {
    double *J = malloc(6 * (size_t)BODIES * sizeof *J), velocity[6], most = 0, off = 0;
    zvPose *poses = malloc(((size_t)BODIES + 1) * sizeof *poses), pose;
    EXPECT(J && poses, "no room");
    zv_frame_jacobian(big->model, big->work, big->q, BODIES, ZV_AXES_WORLD, J);
    zv_frame_velocity(big->model, big->work, big->q, big->v, BODIES, ZV_AXES_WORLD, velocity);
    zv_link_poses(big->model, big->work, big->q, poses);
    zv_frame_pose(big->model, big->work, big->q, BODIES, &pose);
    for (int i = 0; i < 6; i++) {
        double sum = 0, sizes = 0;
        for (int k = 0; k < BODIES; k++) {
            sum += J[(size_t)i * BODIES + (size_t)k] * big->v[k];
            sizes += fabs(J[(size_t)i * BODIES + (size_t)k] * big->v[k]);
        }
        most = fmax(most, fabs(sum - velocity[i]) / sizes);
        off = fmax(off, fabs(poses[BODIES].p[i % 3] - pose.p[i % 3]));
    }
    free(J);
    free(poses);
    EXPECT(most < 1e-11, "J v and the velocity of the tip differ by %.3g of the terms", most);
    EXPECT(off < 1e-9, "two poses of the tip differ by %.3g m", off);
    return NULL;
}

/* The first joint carries the whole weight when nothing moves. */
static const char *check_reactions(const Big *big) {
    double *reactions = malloc(6 * (size_t)BODIES * sizeof *reactions);
    EXPECT(reactions, "no room");
    for (int i = 0; i < BODIES; i++) big->x[i] = 0;
    zv_joint_reactions(big->model, big->work, big->q, big->x, big->x, NULL, reactions);
    const double force = hypot(hypot(reactions[0], reactions[1]), reactions[2]);
    free(reactions);
    const double weight = 9.81 * mass * BODIES;
    /* every step goes through two world rotations, each as far from orthogonal as the steps before it made it */
    EXPECT(fabs(force - weight) < 1e-16 * BODIES * BODIES * weight, "the base carries %.17g N of %.17g", force, weight);
    return NULL;
}

/* A matrix of this size does not fit; the method says so instead of trying. */
static const char *check_refusal(const Big *big) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t i = 0; i < count; i++) {
        const zvStatus status = methods[i].run(big->model, big->work, big->q, big->v, big->tau, NULL, big->x);
        EXPECT(status == ZV_OK || status == ZV_NOT_SUPPORTED, "method %s gives %s", methods[i].name,
               zv_status_name(status));
    }
    return NULL;
}

static void *long_chain(void *unused) {
    Big big = {0};
    (void)unused;
    const char *wrong = make(false, &big);
    const double cond = wrong ? 0 : condition(&big, big.x, big.y);
    if (!wrong) wrong = check_tip(&big);
    if (!wrong) wrong = check_energy(&big);
    if (!wrong) wrong = check_momentum(&big);
    if (!wrong) wrong = check_forward(&big, cond);
    if (!wrong) wrong = check_mixed(&big, cond);
    if (!wrong) wrong = check_frames(&big);
    if (!wrong) wrong = check_reactions(&big);
    if (!wrong) wrong = check_refusal(&big);
    unmake(&big);
    return (void *)(uintptr_t)wrong;
}

/* Every link of a star is a pendulum of its own: moment about its axis, and weight where the axis lies flat. */
static const char *check_star(const Big *big) {
    zv_inverse_dynamics(big->model, big->work, big->q, big->v, big->a, NULL, big->tau);
    for (int i = 0; i < BODIES; i++) {
        const int axis = (i + 1) % 3;
        const double c = length / 2, about = axis == 0 ? 1e-6 : 2e-6 + mass * c * c;
        const double arm = axis == 1 ? -c * cos(big->q[i]) : 0; /* turning about y lowers x by sin q */
        const double expected = (about + armature) * big->a[i] + mass * 9.81 * arm;
        EXPECT(fabs(big->tau[i] - expected) < 1e-15, "torque %d is %.17g, not %.17g", i, big->tau[i], expected);
    }
    EXPECT(zv_forward_dynamics(big->model, big->work, big->q, big->v, big->tau, NULL, big->x) == ZV_OK, "singular");
    EXPECT(distance(big->x, big->a) < 1e-15 * norm(big->a), "forward of inverse is off");
    return NULL;
}

static void *wide_star(void *unused) {
    Big big = {0};
    (void)unused;
    const char *wrong = make(true, &big);
    if (!wrong) wrong = check_star(&big);
    unmake(&big);
    return (void *)(uintptr_t)wrong;
}

static bool count_findings(void *context, const zvFinding *finding) {
    (void)finding;
    ++*(int *)context;
    return true;
}

/* Links in one rigid row are one body; each joint of a second row follows the one before it; those of a third slide one
 * along another, all the same way. */
static void *rows(void *unused) {
    (void)unused;
    static const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, up[3] = {0, 0, 1};
    for (int row = 0; row < 3; row++) {
        zvError error = {0};
        zvModel *model = NULL;
        zvBuilder *builder = zv_builder_create(&error);
        int findings = 0;
        char before[32];
        EXPECT(builder, "no builder");
        for (int i = 0; i <= BODIES; i++) EXPECT(add_link(builder, i, false, &error) == ZV_OK, "add: %s", error.text);
        for (int i = 1; i < BODIES; i++) {
            zvJoint *joint = zv_builder_joint(builder, i);
            snprintf(before, sizeof before, "link%d", i);
            if (row == 2) {
                joint->type = ZV_JOINT_PRISMATIC;
                memcpy(joint->origin.R, level, sizeof level);
                memcpy(joint->axis, up, sizeof up);
            } else if (row == 1)
                EXPECT(joint->mimic = zv_builder_keep(builder, before), "no room");
            else
                joint->type = ZV_JOINT_FIXED;
            joint->ratio = i % 2 ? -1 : 1;
        }
        EXPECT(zv_check(builder, count_findings, &findings, &error) == ZV_OK, "check: %s", error.text);
        EXPECT(zv_builder_freeze(builder, &model, &error) == ZV_OK, "freeze: %s", error.text);
        const int nv = zv_model_nv(model), bodies = zv_model_nbody(model);
        zv_model_destroy(model);
        zv_builder_destroy(builder);
        EXPECT(nv == (row == 2 ? BODIES : 1) && bodies == (row ? BODIES + 1 : 2), "nv %d, %d bodies", nv, bodies);
    }
    return NULL;
}

static void a_long_chain(void **state) {
    (void)state;
    on_small_stack(long_chain, NULL);
}

static void a_wide_star(void **state) {
    (void)state;
    on_small_stack(wide_star, NULL);
}

static void rows_of_joints(void **state) {
    (void)state;
    on_small_stack(rows, NULL);
}

TESTS(a_long_chain, a_wide_star, rows_of_joints)
