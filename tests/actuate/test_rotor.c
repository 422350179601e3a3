/* Flexible joints: equations of the rotor, a closed solution, and an independent computation of a two-link arm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "actuate/march.h"
#include "actuate/robots.h"
#include "support/near.h"
#include "support/run_tests.h"

static zvError error;

static zvModel *wheel(double inertia) {
    const double none[3] = {0}, z[3] = {0, 0, 1};
    zvBuilder *b = new_robot(none);
    add_part(b, "wheel", "base", ZV_JOINT_CONTINUOUS, z, none,
             (zvInertia){.mass = 1, .moment = {inertia, 0, 0, inertia, 0, inertia}});
    return freeze_robot(b);
}

/* All terms at one state, with drives added before and after the joint becomes flexible. */
static void terms(void **state) {
    (void)state;
    zvModel *model = wheel(0.5);
    zvDrives *drives = zv_drives_create(model, &error);
    zvFlexibleJoint joint = {.stiffness = 100, .damping = 3, .inertia = 2e-3, .ratio = -10, .motor_damping = 1e-2};
    int dof = 0;
    double push = 4, kp = 20, kd = 2, goal = 0.7;
    zvPid motor = {.kp = &kp, .kd = &kd, .motor_side = true}, link = {.kp = &kp, .kd = &kd};
    zvFriction oil = {.viscous = 0.25};
    assert_int_equal(zv_drives_add_torque(drives, "push", 1, &dof, zv_law_constant(1, &push, &error), &error), ZV_OK);
    assert_int_equal(zv_drives_add_flexible(drives, "gear", 0, &joint, &error), ZV_OK);
    assert_int_equal(
        zv_drives_add_pid(drives, "motor", 1, &dof, &motor, zv_law_constant(1, &goal, &error), NULL, &error), ZV_OK);
    assert_int_equal(zv_drives_add_pid(drives, "link", 1, &dof, &link, zv_law_constant(1, &goal, &error), NULL, &error),
                     ZV_OK);
    assert_int_equal(zv_drives_add_friction(drives, "oil", 0, &oil, &error), ZV_OK);
    assert_int_equal(zv_drives_add_spring(drives, "coil", 0, 7, 0, &error), ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    double q = 0.2, v = -0.4, z[2] = {0.25, 0.9}, stored[3];
    assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, &q, &v, z, NULL), ZV_OK);
    double tau = 100 * 0.05 + 3 * 1.3, on_motor = 4 + 20 * (0.7 - 0.25) - 2 * 0.9 + 20 * (0.7 - 0.2) + 2 * 0.4;
    assert_near(efforts->tau[0], tau + 0.25 * 0.4 - 7 * 0.2, 1e-13);
    assert_near(efforts->a[0], (tau + 0.25 * 0.4 - 7 * 0.2) / 0.5, 1e-13);
    assert_near(efforts->rate[0], 0.9, 0);
    assert_near(efforts->rate[1], (on_motor - tau - 1e-2 * 100 * 0.9) / 0.2, 1e-12);
    const double power[5] = {4 * 0.9, -3 * 1.69 - 0.81, (9 - 1.8) * 0.9, (10 + 0.8) * 0.9, -0.25 * 0.16};
    for (int i = 0; i < 5; i++) assert_near(efforts->power[i], power[i], 1e-13);
    assert_near(efforts->force[1], tau, 1e-14);
    assert_true(zv_drives_account(drives, 1).dissipates);
    zv_drives_stored(drives, work, &q, &v, z, stored);
    assert_near(stored[0], 50 * 0.0025, 1e-15);
    assert_near(stored[1], 0.5 * 2e-3 * 100 * 0.81, 1e-15);
    assert_near(stored[2], 3.5 * 0.04, 1e-15);
    assert_string_equal(zv_drives_store_name(drives, 0), "gear j_wheel spring");
    assert_string_equal(zv_drives_store_name(drives, 1), "gear j_wheel rotor");
    assert_string_equal(zv_drives_state(drives, 0).name, "gear j_wheel theta");
    assert_string_equal(zv_drives_state(drives, 1).unit, "rad/s");
    assert_true(zv_drives_state(drives, 0).is_position && !zv_drives_state(drives, 1).is_position);
    double k, d;
    zv_drives_diagonal(drives, 0, &q, &v, z, NULL, &k, &d);
    assert_near(k, 107, 1e-12); /* the controllers act on the rotor */
    assert_near(d, 3.25, 1e-12);
    zv_efforts_destroy(efforts);
    zv_work_destroy(work);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* Rotor, spring and link from rest under a step of torque: delta = theta - q = (1/Jm)/w^2 (1 - cos wt),
 * q = (t^2/2 - Jm delta) / (Jm + Jl), w^2 = k (1/Jm + 1/Jl). */
static void step_response(void **state) {
    (void)state;
    const double Jm = 0.02, Jl = 0.5, k = 100, w = sqrt(k * (1 / Jm + 1 / Jl));
    zvModel *model = wheel(Jl);
    zvDrives *drives = zv_drives_create(model, &error);
    zvFlexibleJoint joint = {.stiffness = k, .inertia = Jm, .ratio = 1};
    double zero = 0, one = 1;
    int dof = 0, which;
    assert_int_equal(zv_drives_add_flexible(drives, "gear", 0, &joint, &error), ZV_OK);
    assert_int_equal(zv_drives_add_torque(drives, "step", 1, &dof, zv_law_constant(1, &one, &error), &error), ZV_OK);
    March m = march_open(model, drives, &zero, &zero, false);
    const char *what;
    for (int i = 1; i <= 10000; i++) {
        assert_true(march_on(&m, 1e-4, &which, &what));
        if (i % 1000) continue;
        double t = i * 1e-4, delta = 1 / Jm / (w * w) * (1 - cos(w * t)), q = (t * t / 2 - Jm * delta) / (Jm + Jl);
        assert_near(march_z(&m)[0] - march_q(&m)[0], delta, 1e-9);
        assert_near(march_q(&m)[0], q, 1e-9);
        assert_near(march_energy(&m), march_work(&m), 1e-9);
        assert_near(march_work(&m), march_z(&m)[0], 1e-9); /* work of the unit torque: the angle */
    }
    assert_near(march_q(&m)[0], 0.9608027299441784, 1e-9);
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* States of the two-link arm with elastic joints under a PD controller at the motors with constant feedforward, from an
 * integration (relative tolerance 1e-12) of the equations in closed form, checked against a Kane assembly with four
 * coordinates (4e-13). */
typedef struct Shot {
    double t, q[2], theta[2], v[2], rate[2];
} Shot;

static const Shot shots[] = {
    {0.1,
     {-0.49830294433181466, 0.2951621771624873},
     {-0.4647312044229556, 0.3066146099969694},
     {0.0661076320777033, -0.16590508738458173},
     {0.11747303455789997, -0.14905473881588138}},
    {0.4,
     {-0.29278344476446216, 0.06825742619232705},
     {-0.25149736467588785, 0.08225576988825659},
     {1.4171441586998694, -1.208039308617626},
     {1.3866846059678235, -1.2238676217365199}},
    {0.7,
     {0.17827444359081546, -0.28165620516387835},
     {0.20514357648752907, -0.27359895767157116},
     {1.2835322865475294, -0.8792651609481742},
     {1.2430980315207367, -0.8907380743170469}},
    {1.0,
     {0.3262443644131597, -0.3920106210603717},
     {0.35521336500891953, -0.38276168566289953},
     {-0.19586118723717763, -0.0225298039244685},
     {-0.12620548455610345, 0.00022954297733269373}},
    {1.3,
     {0.2815417474024667, -0.4049011296143093},
     {0.31727622797311866, -0.393024600894141},
     {0.021706020648659036, 0.013344948748272988},
     {0.000504926407964525, 0.003747634406922305}},
    {2.0,
     {0.2900154799582904, -0.40088261346663256},
     {0.32398545843276644, -0.3897177533698112},
     {0.0023581942440802726, 0.0011263611544897432},
     {0.0012922579328014784, 0.0006699869714864096}},
};

static zvDrives *elastic_arm(const zvModel *model) {
    zvDrives *drives = zv_drives_create(model, &error);
    const zvFlexibleJoint joints[2] = {{.stiffness = 1200, .inertia = 8e-5, .ratio = 100},
                                       {.stiffness = 700, .inertia = 5e-5, .ratio = 80}};
    for (int i = 0; i < 2; i++) assert_int_equal(zv_drives_add_flexible(drives, "gear", i, &joints[i], &error), ZV_OK);
    const double kp[2] = {400, 200}, kd[2] = {40, 20}, feed[2] = {50.431146353872, 9.889151789440366};
    const double from[6] = {-0.5, 0.3}, to[6] = {0.3, -0.4};
    const int dofs[2] = {0, 1};
    zvPid pid = {.kp = kp, .kd = kd, .motor_side = true};
    zvLaw *path = zv_law_boundary(2, 0, 1, 3, from, 3, to, &error);
    assert_int_equal(zv_drives_add_pid(drives, "pd", 2, dofs, &pid, path, zv_law_constant(2, feed, &error), &error),
                     ZV_OK);
    return drives;
}

static void elastic_two_link(void **state) {
    (void)state;
    zvModel *model = two_link();
    zvDrives *drives = elastic_arm(model);
    const double q[2] = {-0.5, 0.3}, v[2] = {0};
    March m = march_open(model, drives, q, v, true);
    assert_near(march_z(&m)[0], -0.46848053352883, 1e-13);
    assert_near(march_z(&m)[2], 0.3109879464327115, 1e-13);
    double start = march_energy(&m), error_scale = 0;
    int which, next = 0;
    const char *what;
    for (int i = 0; i <= 8000; i++) {
        if (next < (int)(sizeof shots / sizeof *shots) && fabs(m.t - shots[next].t) < 1e-9) {
            const Shot *s = &shots[next++];
            for (int k = 0; k < 2; k++) {
                assert_near(march_q(&m)[k], s->q[k], 1e-9);
                assert_near(march_v(&m)[k], s->v[k], 1e-8);
                assert_near(march_z(&m)[2 * k], s->theta[k], 1e-9);
                assert_near(march_z(&m)[2 * k + 1], s->rate[k], 1e-8);
            }
        }
        assert_true(march_on(&m, 2.5e-4, &which, &what));
        error_scale = fmax(error_scale, fabs(march_work(&m)));
    }
    assert_int_equal(next, (int)(sizeof shots / sizeof *shots));
    assert_near(march_energy(&m) - start, march_work(&m), 1e-9 * error_scale);
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

TESTS(terms, step_response, elastic_two_link)
