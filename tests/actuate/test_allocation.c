/* Nothing is allocated after zv_efforts_create, and every request that fails before it is answered by ZV_MEMORY with
 * nothing lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "actuate/robots.h"
#include "rules/allocator.h"
#include "support/run_tests.h"

static zvError error;

static zvModel *arm(void) {
    const double down[3] = {0, 0, -9.81}, axes[2][3] = {{0, 1, 0}, {0, 0, 1}}, at[3] = {0.3, 0, 0};
    zvBuilder *b = new_robot(down);
    char parent[8] = "base", name[8];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "l%d", i);
        add_part(b, name, parent, ZV_JOINT_REVOLUTE, axes[i % 2], at,
                 (zvInertia){.mass = 1, .com = {0.15, 0, 0.02}, .moment = {0.01, 0, 0, 0.02, 0, 0.02}});
        zv_builder_joint(b, i)->dof[0].damping = 0.1;
        memcpy(parent, name, sizeof parent);
    }
    return freeze_robot(b);
}

static zvLaw *zeros(int width) {
    const double x[8] = {0};
    return zv_law_constant(width, x, &error);
}

static zvStatus add_controllers(zvDrives *d) {
    const int two[2] = {2, 3}, one = 4;
    const double gains[2] = {1, 2}, at = 0.5;
    const zvPose place = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.4, 0, 0.1}};
    zvPid pid = {.kp = gains, .ki = gains, .kd = gains, .limit = gains, .gravity = true};
    zvStatus s = zv_drives_add_pid(d, "pid", 2, two, &pid, zeros(2), NULL, &error);
    if (s == ZV_OK) s = zv_drives_add_gravity_compensation(d, NULL, 2, two, &error);
    if (s == ZV_OK) s = zv_drives_add_computed_torque(d, "ct", 1, &one, gains, gains, gains, zeros(1), &error);
    zvRoute *route = NULL;
    if (s == ZV_OK) {
        route = zv_route_line(&place, &place, zv_law_constant(1, &at, &error), &error);
        if (!route) s = ZV_MEMORY;
    }
    const zvTask task = {5, ZV_AXES_LOCAL, ZV_TASK_X | ZV_TASK_Z};
    zvTaskControl control = {.null_damping = 1};
    if (s == ZV_OK) s = zv_drives_add_task_control(d, "task", &task, route, &control, &error);
    if (s == ZV_OK) {
        route = zv_route_line(&place, &place, zv_law_constant(1, &at, &error), &error);
        if (!route) s = ZV_MEMORY;
    }
    control.dofs = two;
    control.count = 2;
    control.limit = gains;
    if (s == ZV_OK) s = zv_drives_add_task_control(d, "part", &task, route, &control, &error);
    if (s == ZV_OK) s = zv_drives_add_load(d, "load", 5, ZV_AXES_LOCAL, zeros(6), &error);
    if (s == ZV_OK)
        s = zv_drives_add_tendon(d, "cord", 2, two, &(zvTendon){gains, 1, 1, -1, 1, false}, zeros(1), NULL, &error);
    if (s == ZV_OK) s = zv_drives_add_coupler(d, "rope", 0, 4, 100, 1, 0.5, &error);
    return s;
}

/* A set with every kind of element; a law that could not be made is refused as missing. */
static zvStatus push_on(void *context, double t, const double *q, const double *v, double *force) {
    (void)context, (void)t, (void)q;
    force[0] = -v[2];
    return ZV_OK;
}

static zvStatus fill(zvDrives *d) {
    const int two[2] = {2, 3}, one = 1;
    const zvFriction sticky = {.coulomb = {1, 1}}, smooth = {.coulomb = {1, 1}, .smoothing = 0.1};
    const zvFlexibleJoint joint = {.stiffness = 100, .damping = 1, .inertia = 0.01, .ratio = 3};
    zvStatus s = zv_drives_add_passive(d, 0, NULL, &error);
    if (s == ZV_OK) s = zv_drives_add_spring(d, "coil", 0, 5, 0, &error);
    if (s == ZV_OK) s = zv_drives_add_friction(d, "dry", 0, &sticky, &error);
    if (s == ZV_OK) s = zv_drives_add_friction(d, "wet", 2, &smooth, &error);
    if (s == ZV_OK) s = zv_drives_add_flexible(d, "gear", 3, &joint, &error);
    if (s == ZV_OK) s = zv_drives_add_torque(d, "torque", 2, two, zeros(2), &error);
    if (s == ZV_OK) s = zv_drives_add_function(d, "sampled", 2, two, 0.1, NULL, &error);
    if (s == ZV_OK) s = zv_drives_add_motion(d, "motion", 1, &one, zeros(1), &error);
    return s == ZV_OK ? add_controllers(d) : s;
}

static void evaluation_allocates_nothing(void **state) {
    (void)state;
    zvModel *model = arm();
    zvWork *work = zv_work_create(model, &error);
    zvDrives *d = zv_drives_create(model, &error);
    assert_int_equal(fill(d), ZV_OK);
    zvEfforts *efforts = zv_efforts_create(d, &error);
    double q[5] = {0.1, 0.2, 0.3, 0.4, 0.5}, v[5] = {0, 0.2, 0.3, 0.1, -0.2}, z[8], g[4], r[5], k[5], damping[5];
    double stored[8];
    unsigned char modes[4];
    const char *what;
    assert_true(zv_drives_nstate(d) <= 8 && zv_drives_nmode(d) == 1);
    allocator_forbid("drives");
    zv_efforts_set_function(efforts, 0, push_on, NULL);
    const zvStatus sampled = zv_drives_sample(d, efforts, 0, true, q, v);
    zv_drives_initial(d, efforts, work, q, v, true, z);
    zvStatus status[3];
    status[0] = zv_drives_settle(d, efforts, work, 0, q, v, z, modes);
    zv_drives_impose(d, efforts, 0, modes, q, v);
    status[1] = zv_drives_accelerate(d, efforts, work, 0, q, v, z, modes);
    zv_drives_events(d, efforts, v, modes, g);
    status[2] = zv_drives_switch(d, efforts, work, 0, 0, q, v, z, modes, &what);
    zv_drives_stored(d, work, q, v, z, stored);
    zv_drives_reference(d, efforts, 0, r);
    zv_drives_diagonal(d, 0, q, v, z, modes, k, damping);
    r[0] = zv_drives_next_break(d, 0);
    allocator_forbid(NULL);
    assert_int_equal(sampled, ZV_OK);
    for (int i = 0; i < 3; i++) assert_true(status[i] >= 0);
    for (int i = 0; i < 5; i++) assert_true(isfinite(efforts->a[i]));
    zv_efforts_destroy(efforts);
    zv_drives_destroy(d);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static void every_request_may_fail(void **state) {
    (void)state;
    zvModel *model = arm();
    bool refused_once = true;
    int tries = 0;
    for (long n = 1; refused_once; n++, tries++) {
        long before = allocator_outstanding();
        allocator_fail(n, OURS, false);
        zvDrives *d = zv_drives_create(model, &error);
        zvStatus status = d ? fill(d) : ZV_MEMORY;
        zvEfforts *efforts = status == ZV_OK ? zv_efforts_create(d, &error) : NULL;
        refused_once = allocator_refused();
        allocator_fail(0, OURS, false);
        if (!refused_once) assert_non_null(efforts);
        /* a law that could not be made makes an element that lacks it */
        if (refused_once) assert_true(!efforts && (status == ZV_OK || status == ZV_MEMORY || status == ZV_SCHEMA));
        zv_efforts_destroy(efforts);
        zv_drives_destroy(d);
        assert_int_equal(allocator_outstanding(), before);
    }
    assert_true(tries > 20);
    zv_model_destroy(model);
}

TESTS(evaluation_allocates_nothing, every_request_may_fail)
