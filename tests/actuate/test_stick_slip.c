/* Stick-slip friction against closed solutions, and modes of coupled joints against trying all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "actuate/march.h"
#include "actuate/robots.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

static const double pi = 3.14159265358979323846;

static zvError error;

static zvDrives *pulled_block(const zvModel *model, double stiffness, double speed, const zvFriction *friction) {
    zvDrives *drives = zv_drives_create(model, &error);
    int dof = 0;
    double line[2] = {0, speed};
    zvPid spring = {.kp = &stiffness};
    assert_int_equal(
        zv_drives_add_pid(drives, "belt", 1, &dof, &spring, zv_law_polynomial(1, 0, 2, line, &error), NULL, &error),
        ZV_OK);
    assert_int_equal(zv_drives_add_friction(drives, "friction", 0, friction, &error), ZV_OK);
    return drives;
}

/* A spring whose end moves steadily pulls a block: it sticks until the spring pulls with `breakaway`, slides as a
 * harmonic motion about the moving point, stops where the spring pulls with 2 coulomb - breakaway, and so on. */
static void pulled_block_sticks_and_slips(void **state) {
    (void)state;
    const double mass = 2, k = 50, speed = 0.3, c = 4, b = 6, w = sqrt(k / mass);
    zvModel *model = block(mass);
    zvFriction friction = {.coulomb = {c, c}, .breakaway = {b, b}};
    zvDrives *drives = pulled_block(model, k, speed, &friction);
    double zero = 0;
    March m = march_open(model, drives, &zero, &zero, false);
    assert_int_equal(m.modes[0], ZV_SLIP_STICK);
    double y0 = -(b - c) / k, phase = 2 * (pi - atan((b - c) * w / (k * speed)));
    double leap = 2 * (b - c) / k + speed * phase / w, start = march_energy(&m), error_scale = 0;
    double time = b / (k * speed), x = 0;
    for (int event = 0, which; event < 8;) {
        const char *what;
        assert_true(march_on(&m, 2.5e-4, &which, &what));
        error_scale = fmax(error_scale, fabs(march_work(&m)));
        double tau = m.t - (time - (event % 2 ? phase / w : 0));
        if (event % 2 && !what) { /* on the way, while sliding */
            double path = y0 * cos(w * tau) - speed / w * sin(w * tau) + speed * tau - y0;
            assert_near(march_q(&m)[0], x + path, 1e-10);
        }
        if (!what) continue;
        assert_string_equal(what, event % 2 ? "sticks" : "slips forward");
        assert_near(m.t, time, 1e-9);
        if (event % 2) x += leap;
        assert_near(march_q(&m)[0], x, 1e-9);
        assert_true(march_v(&m)[0] == 0);
        time += event % 2 ? 2 * (b - c) / (k * speed) : phase / w;
        event++;
    }
    assert_near(march_energy(&m) - start, march_work(&m), 1e-9 * error_scale);
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* A block let go on a spring: each half swing loses (F+ + F-)/k of amplitude; it rests where friction holds it. */
static void swings_die_out(void **state) {
    (void)state;
    const double mass = 1.5, k = 80, f[2] = {3, 5}, w = sqrt(k / mass);
    zvModel *model = block(mass);
    zvDrives *drives = zv_drives_create(model, &error);
    zvFriction friction = {.coulomb = {f[0], f[1]}};
    assert_int_equal(zv_drives_add_spring(drives, "spring", 0, k, 0, &error), ZV_OK);
    assert_int_equal(zv_drives_add_friction(drives, "friction", 0, &friction, &error), ZV_OK);
    double x = 1.01, zero = 0, x0 = x;
    March m = march_open(model, drives, &x, &zero, false);
    assert_int_equal(m.modes[0], ZV_SLIP_BACKWARD);
    int turns = 0, which;
    for (const char *what = ""; !what || strcmp(what, "sticks") != 0;) {
        assert_true(march_on(&m, 2.5e-4, &which, &what));
        if (!what) continue;
        /* sliding backward swings about +f1/k, forward about -f0/k */
        x = turns % 2 ? -2 * f[0] / k - x : 2 * f[1] / k - x;
        turns++;
        bool held = -k * x < f[0] && k * x < f[1];
        assert_string_equal(what, held ? "sticks" : x > 0 ? "slips backward" : "slips forward");
        assert_near(m.t, turns * pi / w, 1e-9);
        assert_near(march_q(&m)[0], x, 1e-9);
    }
    assert_true(turns > 5);
    assert_near(m.efforts->force[0], k * x, 1e-6); /* holding force */
    assert_near(march_work(&m), 0.5 * k * (x * x - x0 * x0), 1e-9 * 0.5 * k * x0 * x0);
    double rest = march_q(&m)[0];
    for (int i = 0; i < 100; i++) {
        const char *what;
        assert_true(march_on(&m, 1e-2, &which, &what));
        assert_null(what);
    }
    assert_true(march_q(&m)[0] == rest);
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* With a Stribeck velocity the block leaves rest gently: nothing jumps, and the ledger closes all the same. */
static void stribeck_closes_the_ledger(void **state) {
    (void)state;
    zvModel *model = block(2);
    zvFriction friction = {
        .coulomb = {4, 3}, .breakaway = {6, 4}, .stribeck = 0.05, .viscous = 0.5}; /* two elements share the joint */
    zvDrives *drives = pulled_block(model, 50, 0.2, &friction);
    assert_int_equal(zv_drives_add_friction(drives, "seal", 0, &friction, &error), ZV_OK);
    assert_int_equal(zv_drives_nmode(drives), 1);
    double zero = 0;
    March m = march_open(model, drives, &zero, &zero, false);
    double error_scale = 0, start = march_energy(&m), y[MARCH_MAX] = {0}, dy[MARCH_MAX];
    assert_true(march_rate(&m, 0.5, y, dy)); /* stuck: each takes half of the pull */
    for (int i = 1; i < 3; i++) assert_near(m.efforts->force[i], -0.5 * 50 * 0.2 * 0.5, 1e-13);
    int slips = 0, sticks = 0, which;
    while (m.t < 8) {
        const char *what;
        assert_true(march_on(&m, 5e-4, &which, &what));
        error_scale = fmax(error_scale, fabs(march_work(&m)));
        if (!what) continue;
        slips += strcmp(what, "slips forward") == 0;
        sticks += strcmp(what, "sticks") == 0;
        if (slips == 1 && sticks == 0) assert_near(m.t, 12 / (50 * 0.2), 1e-9);
    }
    assert_true(slips >= 2 && sticks >= 1);
    assert_near(m.efforts->force[1], m.efforts->force[2], 1e-12);
    assert_near(march_energy(&m) - start, march_work(&m), 1e-7 * error_scale);
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* Coupled joints ------------------------------------------------------------------------------------------- */

enum { JOINTS = 4, COMBINATIONS = 81 };

static zvModel *chain(rtRandom *random) {
    const double none[3] = {0};
    zvBuilder *b = new_robot(none);
    char name[2][8] = {"base", ""};
    for (int i = 0; i < JOINTS; i++) {
        double axis[3], p[3] = {0.4, 0.1, 0};
        rt_direction(random, axis);
        snprintf(name[1], sizeof name[1], "l%d", i);
        add_part(
            b, name[1], name[0], ZV_JOINT_REVOLUTE, axis, p,
            (zvInertia){.mass = rt_decades(random, -1, 1), .com = {0.2, 0, 0.05}, .moment = {0.1, 0, 0, 0.1, 0, 0.1}});
        memcpy(name[0], name[1], sizeof name[0]);
    }
    return freeze_robot(b);
}

/* A combination fits when stuck joints need no more than they can hold and the others accelerate as they slide. */
static bool fits(const zvDrives *drives, zvEfforts *efforts, zvWork *work, const double *q, const double *v,
                 const double *limit, const double *push, const unsigned char *modes) {
    if (zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, modes) != ZV_OK) return false;
    for (int i = 0; i < JOINTS; i++) {
        if (modes[i] == ZV_SLIP_STICK && fabs(efforts->tau[i] - push[i]) > limit[i]) return false;
        if (modes[i] == ZV_SLIP_FORWARD && efforts->a[i] < 0) return false;
        if (modes[i] == ZV_SLIP_BACKWARD && efforts->a[i] > 0) return false;
    }
    return true;
}

static void coupled_case(uint64_t seed) {
    rtRandom random = {seed};
    zvModel *model = chain(&random);
    zvDrives *drives = zv_drives_create(model, &error);
    double q[JOINTS], v[JOINTS] = {0}, push[JOINTS], limit[JOINTS];
    int dofs[JOINTS] = {0, 1, 2, 3};
    rt_vector(&random, 2, JOINTS, q);
    for (int i = 0; i < JOINTS; i++) {
        push[i] = rt_uniform(&random, -3, 3);
        limit[i] = rt_uniform(&random, 0.1, 3);
        zvFriction friction = {.coulomb = {limit[i], limit[i]}};
        assert_int_equal(zv_drives_add_friction(drives, NULL, i, &friction, &error), ZV_OK);
    }
    assert_int_equal(zv_drives_add_torque(drives, "push", JOINTS, dofs, zv_law_constant(JOINTS, push, &error), &error),
                     ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    unsigned char modes[JOINTS], tried[JOINTS];
    assert_int_equal(zv_drives_settle(drives, efforts, work, 0, q, v, NULL, modes), ZV_OK);
    int found = 0;
    for (int code = 0; code < COMBINATIONS; code++) {
        for (int i = 0, rest = code; i < JOINTS; i++, rest /= 3) tried[i] = (unsigned char)(rest % 3);
        if (!fits(drives, efforts, work, q, v, limit, push, tried)) continue;
        found++;
        if (memcmp(tried, modes, JOINTS) != 0) print_error("seed %llu\n", (unsigned long long)seed);
        assert_memory_equal(tried, modes, JOINTS);
    }
    if (found != 1) print_error("seed %llu: %d combinations fit\n", (unsigned long long)seed, found);
    assert_int_equal(found, 1);
    zv_work_destroy(work);
    zv_efforts_destroy(efforts);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

static void coupled_joints_settle(void **state) {
    (void)state;
    for (uint64_t seed = 910000; seed < 910400; seed++) coupled_case(seed);
}

/* Two joints: when the first stops, the jump of its acceleration tears the second loose. Without the second look it
 * would stay locked beyond its limit. */
static void stopping_releases_another(void **state) {
    (void)state;
    const double none[3] = {0}, x[3] = {1, 0, 0};
    zvBuilder *b = new_robot(none);
    zvInertia mass = {.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
    add_part(b, "sled", "base", ZV_JOINT_PRISMATIC, x, none, mass);
    add_part(b, "cargo", "sled", ZV_JOINT_PRISMATIC, x, none, mass);
    zvModel *model = freeze_robot(b);
    zvDrives *drives = zv_drives_create(model, &error);
    zvFriction brake = {.coulomb = {4, 4}}, hold = {.coulomb = {3, 3}};
    assert_int_equal(zv_drives_add_friction(drives, "brake", 0, &brake, &error), ZV_OK);
    assert_int_equal(zv_drives_add_friction(drives, "hold", 1, &hold, &error), ZV_OK);
    int cargo = 1;
    double push = -4;
    assert_int_equal(zv_drives_add_torque(drives, "push", 1, &cargo, zv_law_constant(1, &push, &error), &error), ZV_OK);
    double q[2] = {0}, v[2] = {1, 0};
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    unsigned char modes[2];
    assert_int_equal(zv_drives_settle(drives, efforts, work, 0, q, v, NULL, modes), ZV_OK);
    /* 2 kg braked by 4 N: -2 m/s2. The cargo needs -2 N for it, the push gives -4 N, so friction holds with 2 N. */
    assert_int_equal(modes[0], ZV_SLIP_FORWARD);
    assert_int_equal(modes[1], ZV_SLIP_STICK);
    assert_near(efforts->force[1], 2, 1e-12);
    double g[2];
    zv_drives_events(drives, efforts, v, modes, g);
    assert_true(g[0] > 0 && g[1] > 0);
    v[0] = -1e-13;
    const char *what;
    assert_int_equal(zv_drives_switch(drives, efforts, work, 0, 0, q, v, NULL, modes, &what), ZV_OK);
    assert_string_equal(what, "sticks");
    assert_true(v[0] == 0);
    assert_int_equal(modes[1], ZV_SLIP_BACKWARD); /* at rest the push of 4 N beats 3 N */
    assert_near(efforts->a[1], -1, 1e-12);
    assert_string_equal(zv_drives_event_name(drives, 1), "hold j_cargo");
    zv_work_destroy(work);
    zv_efforts_destroy(efforts);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* A block of 1 kg pushed by a law until t = 2, from modes settled at `start`; returns where it is then. */
static double push_block(zvLaw *law, const zvFriction *friction, double start, unsigned char settled) {
    zvModel *model = block(1);
    zvDrives *drives = zv_drives_create(model, &error);
    const int dof = 0;
    const double zero = 0;
    assert_int_equal(zv_drives_add_torque(drives, "push", 1, &dof, law, &error), ZV_OK);
    assert_int_equal(zv_drives_add_friction(drives, "friction", 0, friction, &error), ZV_OK);
    March m = march_open(model, drives, &zero, &zero, false);
    m.t = start;
    assert_int_equal(zv_drives_settle(drives, m.efforts, m.work, start, march_q(&m), march_v(&m), march_z(&m), m.modes),
                     ZV_OK);
    assert_int_equal(m.modes[0], settled);
    double g, error_scale = 0;
    zv_drives_events(drives, m.efforts, march_v(&m), m.modes, &g);
    if (settled == ZV_SLIP_STICK) assert_true(g >= 0 && g < 1e-15);
    for (int which, n = 0; m.t < 2 && n < 5000; n++) {
        const char *what;
        assert_true(march_on(&m, fmin(1e-3, 2 - m.t), &which, &what));
        error_scale = fmax(error_scale, fabs(m.efforts->force[1]));
    }
    assert_near(error_scale, friction->coulomb[0], 1e-15); /* never more than friction can exert */
    double q = march_q(&m)[0];
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
    return q;
}

/* A joint that is loaded to just its breakaway force and then more breaks away at once, in the direction of the push,
 * and so does one a rounding below or above. */
static void breaks_away_at_the_limit(void **state) {
    (void)state;
    const zvFriction friction = {.coulomb = {1, 1}};
    for (int side = -1; side <= 1; side += 2) {
        for (int off = -1; off <= 1; off++) { /* 1 + t, from t = 0: q = t^3/6 */
            double line[2] = {side * (1 + off * DBL_EPSILON), side};
            zvLaw *law = zv_law_polynomial(1, 0, 2, line, &error);
            unsigned char settled = off <= 0 ? ZV_SLIP_STICK : side > 0 ? ZV_SLIP_FORWARD : ZV_SLIP_BACKWARD;
            assert_near(push_block(law, &friction, 0, settled), side * 8.0 / 6, 1e-9);
        }
        /* t up to 1, then 1 + 1.5 (t - 1): a break just where the push equals friction; q = 1.5 (t - 1)^3/6 */
        const double times[3] = {0, 1, 2}, points[3] = {0, side, side * 2.5};
        zvLaw *law = zv_law_table(1, 3, times, points, ZV_TABLE_LINEAR, &error);
        assert_near(push_block(law, &friction, 1, ZV_SLIP_STICK), side * 0.25, 1e-9);
    }
}

/* On a prescribed joint friction is a force that the drive must overcome; it has no events. */
static void prescribed_motion_does_not_stick(void **state) {
    (void)state;
    zvModel *model = block(2);
    zvDrives *drives = zv_drives_create(model, &error);
    zvFriction friction = {.coulomb = {4, 3}, .viscous = 0.5};
    double zero = 0, one = 1, two = 2;
    int dof = 0;
    assert_int_equal(zv_drives_add_friction(drives, "friction", 0, &friction, &error), ZV_OK);
    assert_int_equal(
        zv_drives_add_motion(drives, "swing", 1, &dof, zv_law_harmonic(1, 0, &zero, &one, &two, &zero, &error), &error),
        ZV_OK);
    March m = march_open(model, drives, &zero, &zero, false);
    for (int i = 0; i < 20; i++) {
        double t = 0.17 * i, y[MARCH_MAX] = {0}, dy[MARCH_MAX], v = 2 * cos(2 * t), a = -4 * sin(2 * t);
        assert_true(march_rate(&m, t, y, dy));
        double f = v > 0 ? -4 - 0.5 * v : 3 - 0.5 * v;
        assert_near(y[0], sin(2 * t), 1e-14);
        assert_near(m.efforts->force[0], f, 1e-12);
        assert_near(m.efforts->force[1], 2 * a - f, 1e-12);
        assert_near(m.efforts->power[1], (2 * a - f) * v, 1e-12);
        assert_true(march_event(&m, t, y) < 0);
    }
    march_close(&m);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

TESTS(pulled_block_sticks_and_slips, swings_die_out, stribeck_closes_the_ledger, coupled_joints_settle,
      stopping_releases_another, prescribed_motion_does_not_stick, breaks_away_at_the_limit)
