/* Published and independently computed figures: the friction of the PUMA 560, the viscous two-link arm. */
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

/* Unimation PUMA 560, data of Corke and Armstrong-Helouvry (1994): standard Denavit-Hartenberg frames; Jm, G, B, Tc of
 * the motors. */
typedef struct PumaLink {
    double d, a, alpha, m, r[3], J[3], Jm, G, B, Tc[2];
} PumaLink;

static const double quarter = 1.57079632679489661923;
static const PumaLink puma[6] = {
    {0.67183, 0, 1, 0, {0}, {0, 0.35, 0}, 2e-4, -62.6111, 0.00148, {0.395, 0.435}},
    {0, 0.4318, 0, 17.4, {-0.3638, 0.006, 0.2275}, {0.13, 0.524, 0.539}, 2e-4, 107.815, 0.000817, {0.126, 0.071}},
    {0.15005,
     0.0203,
     -1,
     4.8,
     {-0.0203, -0.0141, 0.07},
     {0.066, 0.086, 0.0125},
     2e-4,
     -53.7063,
     0.00138,
     {0.132, 0.105}},
    {0.4318, 0, 1, 0.82, {0, 0.019, 0}, {0.0018, 0.0013, 0.0018}, 33e-6, 76.0364, 71.2e-6, {0.0112, 0.0169}},
    {0, 0, -1, 0.34, {0}, {0.0003, 0.0004, 0.0003}, 33e-6, 71.923, 82.6e-6, {0.00926, 0.0145}},
    {0, 0, 0, 0.09, {0, 0, 0.032}, {0.00015, 0.00015, 4e-5}, 33e-6, 76.686, 36.7e-6, {0.00396, 0.0105}},
};

/* The library's link frame is the joint's: the Denavit-Hartenberg frame i is fixed in it at (a, 0, d), turned by alpha
 * quarters about x. */
static zvModel *make_puma(void) {
    const double down[3] = {0, 0, -9.81};
    zvBuilder *b = new_robot(down);
    char names[7][8] = {"base"};
    zvPose at = zv_pose_identity();
    for (int i = 0; i < 6; i++) {
        const PumaLink *p = &puma[i];
        snprintf(names[i + 1], sizeof names[i + 1], "link%d", i + 1);
        zvLink link = zv_link_default(names[i + 1]);
        zvJoint joint = zv_joint_default(names[i + 1], ZV_JOINT_REVOLUTE, names[i], names[i + 1]);
        double s = p->alpha; /* sine of the turn; its cosine is 0 unless alpha = 0 */
        bool turned = s != 0;
        link.inertia.mass = p->m;
        link.inertia.com[0] = p->a + p->r[0];
        link.inertia.com[1] = turned ? -s * p->r[2] : p->r[1];
        link.inertia.com[2] = p->d + (turned ? s * p->r[1] : p->r[2]);
        link.inertia.moment[0] = p->J[0];
        link.inertia.moment[3] = p->J[turned ? 2 : 1];
        link.inertia.moment[5] = p->J[turned ? 1 : 2];
        joint.origin = at;
        joint.dof[0].armature = p->Jm * p->G * p->G;
        assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
        const double xyz[3] = {p->a, 0, p->d}, rpy[3] = {quarter * p->alpha, 0, 0};
        at = zv_pose_from_rpy(xyz, rpy);
    }
    return freeze_robot(b);
}

static zvDrives *puma_friction(const zvModel *model, double smoothing) {
    zvDrives *drives = zv_drives_create(model, &error);
    for (int i = 0; i < 6; i++) {
        const PumaLink *p = &puma[i];
        double G = fabs(p->G);
        zvFriction friction = {
            .coulomb = {G * p->Tc[0], G * p->Tc[1]}, .viscous = G * G * p->B, .smoothing = smoothing};
        assert_int_equal(zv_drives_add_friction(drives, "friction", i, &friction, &error), ZV_OK);
    }
    return drives;
}

static const double q_nominal[6] = {0, 0.78539816339744830962, 3.14159265358979323846, 0, 0.78539816339744830962, 0};

/* All joints move with 1 rad/s and accelerate with 1 rad/s2: the torque is the inverse dynamics less what friction
 * gives. Published to six digits (Robotics Toolbox); more digits from a Kane assembly that reproduces them. */
static void puma_inverse_with_friction(void **state) {
    (void)state;
    const double published[6] = {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781};
    const double digits[6] = {32.4952427549307,   60.866988475136324, 17.743594912764323,
                              1.4545190260797087, 1.2991104105378866, 0.7137808874836951};
    zvModel *model = make_puma();
    zvWork *work = zv_work_create(model, &error);
    const double one[6] = {1, 1, 1, 1, 1, 1};
    for (int sharp = 0; sharp < 2; sharp++) {
        zvDrives *drives = puma_friction(model, sharp ? 0 : 1e-6);
        assert_int_equal(zv_drives_nmode(drives), sharp ? 6 : 0);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        unsigned char modes[6] = {1, 1, 1, 1, 1, 1};
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, q_nominal, one, NULL, modes), ZV_OK);
        double tau[6];
        zv_inverse_dynamics(model, work, q_nominal, one, one, NULL, tau);
        for (int i = 0; i < 6; i++) {
            assert_near(tau[i] - efforts->force[i], published[i], 0.5e-4 * fabs(published[i]));
            assert_near(tau[i] - efforts->force[i], digits[i], 1e-12 * 61);
        }
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* Forward: published to four decimals. */
static void puma_forward_with_friction(void **state) {
    (void)state;
    const double v[6] = {0.1, 0.2, 0.8, 0.2, 0.5, 1.0}, tau[6] = {1.0, 3.2, 1.8, 0.1, 0.7, 4.6};
    const double a[6] = {-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228};
    const int dofs[6] = {0, 1, 2, 3, 4, 5};
    zvModel *model = make_puma();
    zvWork *work = zv_work_create(model, &error);
    zvDrives *drives = puma_friction(model, 1e-6);
    assert_int_equal(zv_drives_add_torque(drives, "motors", 6, dofs, zv_law_constant(6, tau, &error), &error), ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, q_nominal, v, NULL, NULL), ZV_OK);
    for (int i = 0; i < 6; i++) assert_near(efforts->a[i], a[i], 1e-4);
    zv_efforts_destroy(efforts);
    zv_drives_destroy(drives);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static zvDrives *viscous_arm(const zvModel *model, const double tau[2]) {
    zvDrives *drives = zv_drives_create(model, &error);
    const double eta[2] = {0.8, 0.5};
    const int dofs[2] = {0, 1};
    for (int i = 0; i < 2; i++) assert_int_equal(zv_drives_add_damper(drives, "oil", i, eta[i], &error), ZV_OK);
    assert_int_equal(zv_drives_add_torque(drives, "motors", 2, dofs, zv_law_constant(2, tau, &error), &error), ZV_OK);
    return drives;
}

/* The torques that carry the viscous two-link arm along a quintic, from a Newton-Euler computation checked against a
 * Kane assembly (1.4e-14): applied, they give the accelerations of the quintic. */
static void two_link_on_its_path(void **state) {
    (void)state;
    const double cases[2][8] = {{-0.34472656249999994, 0.14472656249999993, 0.7910156250000004, -0.7910156250000004,
                                 2.109375000000001, -2.109375000000001, 44.67446220098251, 8.167079779645954},
                                {0.7034693652343749, -0.903469365234375, 1.0828212890625002, -1.0828212890625002,
                                 -1.7275781250000044, 1.7275781250000044, 31.35434981079437, 6.354090345405364}};
    zvModel *model = two_link();
    zvWork *work = zv_work_create(model, &error);
    for (int i = 0; i < 2; i++) {
        zvDrives *drives = viscous_arm(model, cases[i] + 6);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, cases[i], cases[i] + 2, NULL, NULL), ZV_OK);
        for (int k = 0; k < 2; k++) assert_near(efforts->a[k], cases[i][4 + k], 1e-12);
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* The same arm driven by constant torques from rest: its state after 0.5 and 2 s by an integration with relative
 * tolerance 1e-12. */
static void two_link_run(void **state) {
    (void)state;
    const double shots[2][5] = {
        {0.5, -1.700725881853852, -0.23368172775152204, -3.6306649668723416, -0.2910552182354937},
        {2.0, -1.3001683985467307, -0.13254910765828692, -2.6951201614689495, -0.8332740575324786}};
    const double tau[2] = {3, -1}, q[2] = {-0.5, 0.3}, v[2] = {0};
    zvModel *model = two_link();
    zvDrives *drives = viscous_arm(model, tau);
    March m = march_open(model, drives, q, v, false);
    double start = march_energy(&m);
    int next = 0, which;
    const char *what;
    for (int i = 1; i <= 8000; i++) {
        assert_true(march_on(&m, 2.5e-4, &which, &what));
        if (fabs(m.t - shots[next][0]) > 1e-9) continue;
        for (int k = 0; k < 4; k++) assert_near(m.y[k], shots[next][1 + k], 1e-9);
        next++;
    }
    assert_int_equal(next, 2);
    assert_near(march_energy(&m) - start, march_work(&m), 1e-9 * fabs(march_work(&m)));
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

TESTS(puma_inverse_with_friction, puma_forward_with_friction, two_link_on_its_path, two_link_run)
