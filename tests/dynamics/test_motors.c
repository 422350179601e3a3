/* Motors of flexible joints on random trees: forward dynamics gives back what inverse dynamics asked for, motors of
 * damped gears flow as they are told, energy goes where it should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/geared_tree.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/flexible.h"
#include "zveno/kinematics.h"
#include "zveno/passive.h"

enum { N = GEARED_MOST, CASES = 60 };
static zvError error;

typedef struct Motion {
    double x[5][N]; /* q and its derivatives */
    double theta[3][N], tau[N], motor[N];
    double forces[3][N];
    const double *beside[3];
} Motion;

static Motion draw(GearedTree *g) {
    Motion m;
    memset(&m, 0, sizeof m);
    for (int k = 0; k < 5; k++) rt_vector(&g->random, k < 2 ? 1 : 5, g->nv, m.x[k]);
    rt_vector(&g->random, 0.2, g->nv, m.theta[0]);
    for (int i = 0; i < g->nv; i++) m.theta[0][i] += m.x[0][i];
    return m;
}

/* With passive forces besides; where gears are damped at the theta that is there. */
static void invert(const GearedTree *g, Motion *m) {
    const zvMotorMotion out = {m->theta[0], m->theta[1], m->theta[2], m->tau, m->motor};
    double theta[N];
    for (int k = 0; k < 3; k++) m->beside[k] = m->forces[k];
    memcpy(theta, m->theta[0], sizeof theta);
    double *const p[3] = {m->forces[0], m->forces[1], m->forces[2]};
    assert_int_equal(zv_passive_rates(g->model, m->x[0], m->x[1], m->x[2], m->x[3], 0.3, p), ZV_OK);
    if (zv_motor_inverse_dynamics(g->model, g->work, m->x[0], m->x[1], m->x[2], m->x[3], m->x[4], theta, m->beside,
                                  &out, &error) != ZV_OK)
        fail_msg("%s", error.text);
}

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Accelerations of links and motors come back. */
static void forward_gives_back(void **state) {
    (void)state;
    for (int n = 0; n < CASES; n++) {
        GearedTree g = geared_tree_of(880000u + (unsigned)n, 2 + n % 9, n % 2 ? 0.5 : 0, n % 3 ? 0 : GEARED_LAWS);
        Motion m = draw(&g);
        double a[N], second[N], tau[N];
        near_about("seed %d", 880000 + n);
        invert(&g, &m);
        assert_int_equal(zv_motor_forward_dynamics(g.model, g.work, m.x[0], m.x[1], m.theta[0], m.theta[1], m.motor,
                                                   NULL, m.forces[0], a, second, tau),
                         ZV_OK);
        const double most = 1 + largest(g.nv, m.tau);
        assert_all_near("tau", g.nv, tau, m.tau, 1e-11 * most);
        assert_all_near("a", g.nv, a, m.x[2], 1e-8 * most);
        assert_all_near("theta''", g.nv, second, m.theta[2], 1e-9 * (1 + largest(g.nv, m.theta[2])) * most);
        geared_tree_end(&g);
    }
}

static void step(const Motion *from, double h, int n, Motion *to) {
    for (int i = 0; i < n; i++) {
        for (int order = 0; order < 5; order++) {
            double c = 1;
            to->x[order][i] = 0;
            for (int k = order; k < 5; k++, c *= h / (k - order)) to->x[order][i] += c * from->x[k][i];
        }
        to->theta[0][i] = from->theta[0][i] + h * from->theta[1][i] + 0.5 * h * h * from->theta[2][i];
    }
}

/* Along the motion theta' grows by theta'', for damped gears at the theta that they flow to. */
static void rates_flow(void **state) {
    (void)state;
    const double h = 1e-5;
    for (int n = 0; n < CASES; n++) {
        GearedTree g = geared_tree(881000u + (unsigned)n, 2 + n % 6, n % 2 ? 1 : 0);
        Motion at = draw(&g), ends[2] = {{.x = {{0}}}, {.x = {{0}}}};
        double slope[N], most = 1;
        near_about("seed %d", 881000 + n);
        invert(&g, &at);
        for (int k = 0; k < 2; k++) {
            step(&at, k ? h : -h, g.nv, &ends[k]);
            invert(&g, &ends[k]);
        }
        for (int i = 0; i < g.nv; i++) {
            slope[i] = (ends[1].theta[1][i] - ends[0].theta[1][i]) / (2 * h);
            most = fmax(most, fabs(at.theta[2][i]));
        }
        assert_all_near("theta''", g.nv, slope, at.theta[2], 2e-5 * most);
        geared_tree_end(&g);
    }
}

/* d(all energy)/dt is the motors' power less what dampers take. */
static void power_balances(void **state) {
    (void)state;
    const double h = 3e-7;
    for (int n = 0; n < CASES; n++) {
        GearedTree g = geared_tree_of(882000u + (unsigned)n, 2 + n % 9, 0.5, (unsigned)n % 4);
        Motion m = draw(&g);
        double rate[N], motor[N], a[N], second[N], tau[N], energy[2], power = 0, most = 1;
        near_about("seed %d", 882000 + n);
        rt_vector(&g.random, 2, g.nv, rate);
        rt_vector(&g.random, 20, g.nv, motor);
        for (int j = 0; j < zv_model_njoint(g.model); j++) { /* rigid joints move with their motors */
            const int dof = zv_model_joint_place(g.model, j).v_index;
            if (!zv_model_joint(g.model, j)->flexible) rate[dof] = m.x[1][dof];
        }
        assert_int_equal(zv_motor_forward_dynamics(g.model, g.work, m.x[0], m.x[1], m.theta[0], rate, motor, NULL, NULL,
                                                   a, second, tau),
                         ZV_OK);
        for (int k = 0; k < 2; k++) {
            const double t = k ? h : -h;
            double q[N], v[N], theta[N], spin[N], part[4];
            for (int i = 0; i < g.nv; i++) {
                q[i] = m.x[0][i] + t * m.x[1][i] + 0.5 * t * t * a[i];
                v[i] = m.x[1][i] + t * a[i];
                theta[i] = m.theta[0][i] + t * rate[i] + 0.5 * t * t * second[i];
                spin[i] = rate[i] + t * second[i];
            }
            zv_energy(g.model, g.work, q, v, &part[0], &part[1]);
            zv_motor_energy(g.model, g.work, q, v, theta, spin, &part[2], &part[3]);
            energy[k] = part[0] + part[1] + part[2] + part[3];
            for (int i = 0; i < 4; i++) most = fmax(most, fabs(part[i]));
        }
        for (int j = 0; j < zv_model_njoint(g.model); j++) {
            const zvFlexibleJoint *gear = zv_model_joint(g.model, j)->flexible;
            const zvJointPlace place = zv_model_joint_place(g.model, j);
            if (place.nv == 0) continue;
            const double spin = rate[place.v_index], slip = spin - m.x[1][place.v_index];
            power += motor[place.v_index] * spin;
            if (gear) power -= gear->damping * slip * slip + gear->motor_damping * pow(gear->ratio * spin, 2);
            most = fmax(most, fabs(power));
        }
        assert_near((energy[1] - energy[0]) / (2 * h), power, 1e-5 * most);
        geared_tree_end(&g);
    }
}

/* Whether joint i lies on the way from joint j to the ground. */
static bool lies_before(const zvModel *m, int i, int j) {
    for (int parent = zv_model_joint_place(m, j).parent; parent >= 0;) {
        int at = 0;
        while (at < zv_model_njoint(m) && zv_model_joint_place(m, at).child != parent) at++;
        if (at == zv_model_njoint(m)) return false;
        if (at == i) return true;
        parent = zv_model_joint_place(m, at).parent;
    }
    return false;
}

/* The outermost gears of a random tree alone, their rotors with axes. */
static GearedTree with_outer_rotors(uint64_t seed, double damped) {
    GearedTree g = geared_tree_of(seed, 7, damped, GEARED_AXES);
    const zvModel *m = g.model;
    for (int k = 0; k < g.tree->njoint; k++) {
        zvJoint *joint = &g.tree->joints[k];
        const int i = zv_model_find_joint(m, joint->name);
        if (joint->flexible) joint->flexible = &g.gears[k]; /* they have moved */
        for (int j = 0; j < zv_model_njoint(m); j++)
            if (zv_model_joint(m, j)->flexible && lies_before(m, i, j)) joint->flexible = NULL;
    }
    zv_work_destroy(g.work);
    zv_model_destroy(g.model);
    g.model = rt_tree_freeze(g.tree);
    assert_non_null(g.model);
    g.work = zv_work_create(g.model, &error);
    return g;
}

/* Forward dynamics, in which rotors are gyrostats of their links, gives back what is asked for, and rigid joints before
 * them carry what they do; a gear before one needs more of the motion. */
static void rotors_with_axes(void **state) {
    (void)state;
    int coupled = 0, refused = 0;
    for (int n = 0; n < CASES; n++) {
        GearedTree g = with_outer_rotors(887000u + (unsigned)n, n % 2 ? 0.5 : 0);
        near_about("seed %d", 887000 + n);
        Motion m = draw(&g);
        double a[N], second[N], tau[N];
        const zvMotorMotion out = {m.theta[0], m.theta[1], m.theta[2], m.tau, m.motor};
        assert_int_equal(zv_motor_inverse_dynamics(g.model, g.work, m.x[0], m.x[1], m.x[2], m.x[3], m.x[4], m.theta[0],
                                                   NULL, &out, &error),
                         ZV_OK);
        assert_int_equal(zv_motor_forward_dynamics(g.model, g.work, m.x[0], m.x[1], m.theta[0], m.theta[1], m.motor,
                                                   NULL, NULL, a, second, tau),
                         ZV_OK);
        assert_all_near_scaled("a", g.nv, a, m.x[2], 1e-8);
        assert_all_near_scaled("theta''", g.nv, second, m.theta[2], 1e-8);
        assert_all_near_scaled("tau", g.nv, tau, m.tau, 1e-9);
        for (int j = 0; j < zv_model_njoint(g.model); j++)
            for (int i = 0; i < zv_model_njoint(g.model) && zv_model_joint(g.model, j)->flexible; i++)
                coupled += lies_before(g.model, i, j);
        geared_tree_end(&g);
        g = geared_tree_of(887000u + (unsigned)n, 7, 0, GEARED_AXES);
        const zvStatus status = zv_motor_inverse_dynamics(g.model, g.work, m.x[0], m.x[1], m.x[2], m.x[3], m.x[4], NULL,
                                                          NULL, &out, &error);
        refused += status == ZV_NOT_SUPPORTED && strstr(error.text, "up to derivative");
        geared_tree_end(&g);
    }
    assert_true(coupled > CASES && refused > CASES / 2); /* not cases of rotors on the ground alone */
}

/* At rest gears carry their force. */
static void gears_at_rest(void **state) {
    (void)state;
    GearedTree g = geared_tree(883000, 8, 0);
    double q[N], tau[N], theta[N], spring[N], damper[N], known[N];
    rt_vector(&g.random, 1, g.nv, q);
    rt_vector(&g.random, 100, g.nv, tau);
    zv_gear_rest(g.model, q, tau, theta);
    zv_gear_forces(g.model, q, NULL, theta, NULL, spring, damper);
    memcpy(known, tau, sizeof known);
    for (int j = 0; j < zv_model_njoint(g.model); j++)
        if (!zv_model_joint(g.model, j)->flexible) known[zv_model_joint_place(g.model, j).v_index] = 0;
    assert_all_near("spring", g.nv, spring, known, 1e-11);
    assert_true(largest(g.nv, damper) == 0);
    zv_motor_forces(g.model, q, NULL, theta, NULL, tau, spring);
    assert_all_near("forces", g.nv, spring, tau, 1e-11);
    geared_tree_end(&g);
}

TESTS(forward_gives_back, rates_flow, power_balances, rotors_with_axes, gears_at_rest)
