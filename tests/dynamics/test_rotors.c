/* Rotors with an axis of their own, against the same robots with a body for every rotor: accelerations, energies,
 * momenta and mass matrices of random trees. What cannot be is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "support/run_tests.h"
#include "zveno/flexible.h"
#include "zveno/kinematics.h"
#include "zveno/work.h"

enum { JOINTS = 9, CASES = 60, N = 32 };
static zvError error;

/* One robot twice: with gears, and with bodies for the rotors and torques in place of the gears. */
typedef struct Twins {
    zvFlexibleJoint gears[JOINTS];
    rtTree *tree, *bodies;
    zvModel *model, *bodied;
    zvWork *work, *work_bodied;
    int nv, rotor[N]; /* of a degree of freedom: that of its rotor's body, or -1 */
    int link[N];      /* where a degree of freedom of the links is among those of the other robot */
    const zvFlexibleJoint *gear[N];
    rtRandom random;
} Twins;

/* moment += m (c c E - c c^T) */
static void add_steiner(double moment[6], double m, const double c[3]) {
    const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = i; j < 3; j++, k++) moment[k] += m * ((i == j ? cc : 0) - c[i] * c[j]);
}

/* The inertia of two bodies that are one. */
static zvInertia together(const zvInertia *a, const zvInertia *b, const double place[3]) {
    zvInertia sum = {.mass = a->mass + b->mass};
    double da[3], db[3];
    for (int i = 0; i < 3; i++) sum.com[i] = (a->mass * a->com[i] + b->mass * place[i]) / sum.mass;
    for (int i = 0; i < 3; i++) da[i] = a->com[i] - sum.com[i], db[i] = place[i] - sum.com[i];
    for (int k = 0; k < 6; k++) sum.moment[k] = a->moment[k] + b->moment[k];
    add_steiner(sum.moment, a->mass, da);
    add_steiner(sum.moment, b->mass, db);
    return sum;
}

static int index_of(const rtTree *t, const char *link) {
    for (int i = 0; i < t->nlink; i++)
        if (strcmp(t->links[i].name, link) == 0) return i;
    fail_msg("no link %s", link);
    return -1;
}

/* A wheel about the joint's origin, part of the parent here and a body there. */
static void add_rotor(Twins *t, int j) {
    static char links[JOINTS][20], joints[JOINTS][20];
    zvJoint *joint = &t->tree->joints[j], *spin = &t->bodies->joints[t->bodies->njoint];
    zvLink *parent = &t->tree->links[index_of(t->tree, joint->parent)];
    zvLink *wheel = &t->bodies->links[t->bodies->nlink];
    double z[3] = {0}, length = 0;
    snprintf(links[j], sizeof links[j], "wheel%d", j);
    snprintf(joints[j], sizeof joints[j], "spin%d", j);
    zvFlexibleJoint *gear = &t->gears[j];
    *gear = (zvFlexibleJoint){.stiffness = rt_uniform(&t->random, 50, 900),
                              .damping = rt_uniform(&t->random, 0, 9),
                              .inertia = rt_uniform(&t->random, 1e-3, 0.1),
                              .ratio = rt_uniform(&t->random, 1, 5) * (j % 2 ? 1 : -1),
                              .motor_damping = rt_uniform(&t->random, 0, 0.1)};
    rt_vector(&t->random, 1, 3, gear->rotor_axis);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) z[i] += joint->origin.R[3 * i + k] * gear->rotor_axis[k];
        length += z[i] * z[i];
    }
    for (int i = 0; i < 3; i++) z[i] /= sqrt(length);
    *wheel = (zvLink){.name = links[j], .has_inertia = true, .inertia = {.mass = 0.7}};
    for (int i = 0, k = 0; i < 3; i++)
        for (int l = i; l < 3; l++, k++)
            wheel->inertia.moment[k] = 0.6 * gear->inertia * (i == l) + 0.4 * gear->inertia * z[i] * z[l];
    *spin = (zvJoint){.name = joints[j], .type = ZV_JOINT_CONTINUOUS, .parent = joint->parent, .child = links[j]};
    spin->origin = zv_pose_identity();
    memcpy(spin->origin.p, joint->origin.p, sizeof spin->origin.p);
    memcpy(spin->axis, z, sizeof z);
    parent->inertia = together(&parent->inertia, &wheel->inertia, joint->origin.p);
    parent->has_inertia = true;
    joint->flexible = gear;
    t->bodies->nlink++;
    t->bodies->njoint++;
}

/* grounded: wheels may stand on the ground too, which as a body has no mass of its own. */
static Twins twins(uint64_t seed, bool grounded) {
    Twins t = {.random = {seed}};
    rtOptions options = rt_options_default(JOINTS);
    options.types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(PRISMATIC) | RT_TYPE(HELICAL);
    options.free_base = seed % 2;
    options.massless = false;
    t.tree = rt_tree_create(seed, &options);
    t.bodies = rt_tree_create(seed, &options);
    for (int j = 0; j < t.tree->njoint; j++)
        if (rt_uniform(&t.random, 0, 3) > 1 && (grounded || options.free_base || t.tree->parent[j] > 0))
            add_rotor(&t, j);
    t.model = rt_tree_freeze(t.tree);
    t.bodied = rt_tree_freeze(t.bodies);
    assert_non_null(t.model);
    assert_non_null(t.bodied);
    t.work = zv_work_create(t.model, &error);
    t.work_bodied = zv_work_create(t.bodied, &error);
    t.nv = zv_model_nv(t.model);
    for (int i = 0; i < t.nv; i++) t.rotor[i] = -1, t.gear[i] = NULL;
    for (int j = 0; j < zv_model_njoint(t.model); j++) {
        const zvJointPlace place = zv_model_joint_place(t.model, j);
        const char *name = zv_model_joint(t.model, j)->name;
        const int there = zv_model_find_joint(t.bodied, name);
        char spin[20];
        for (int k = 0; k < place.nv; k++)
            t.link[place.v_index + k] = zv_model_joint_place(t.bodied, there).v_index + k;
        if (!zv_model_joint(t.model, j)->flexible) continue;
        t.gear[place.v_index] = zv_model_joint(t.model, j)->flexible;
        for (int i = 0; i < t.tree->njoint; i++)
            if (strcmp(t.tree->joints[i].name, name) == 0) snprintf(spin, sizeof spin, "spin%d", i);
        t.rotor[place.v_index] = zv_model_joint_place(t.bodied, zv_model_find_joint(t.bodied, spin)).v_index;
    }
    return t;
}

static void twins_end(Twins *t) {
    zv_work_destroy(t->work);
    zv_work_destroy(t->work_bodied);
    zv_model_destroy(t->model);
    zv_model_destroy(t->bodied);
    free(t->tree);
    free(t->bodies);
}

/* A motion of both: rates of the links, of motors where there are some. */
typedef struct Motion {
    double q[N], v[N], theta[N], rate[N], motor[N];
    double q_bodied[N], v_bodied[N];
} Motion;

static Motion draw(Twins *t) {
    Motion m;
    double away[N], away_bodied[N] = {0};
    memset(&m, 0, sizeof m);
    rt_vector(&t->random, 1, t->nv, away);
    rt_vector(&t->random, 2, t->nv, m.v);
    rt_vector(&t->random, 5, t->nv, m.rate);
    rt_vector(&t->random, 20, t->nv, m.motor);
    rt_vector(&t->random, 0.1, t->nv, m.theta);
    zv_neutral(t->model, m.q);
    zv_neutral(t->bodied, m.q_bodied);
    for (int i = 0; i < t->nv; i++) {
        away_bodied[t->link[i]] = away[i];
        m.v_bodied[t->link[i]] = m.v[i];
        if (t->rotor[i] < 0) continue;
        m.v_bodied[t->rotor[i]] = t->gear[i]->ratio * m.rate[i];
        away_bodied[t->rotor[i]] = rt_uniform(&t->random, -3, 3);
    }
    zv_position_add(t->model, m.q, away, m.q);
    zv_position_add(t->bodied, m.q_bodied, away_bodied, m.q_bodied);
    for (int i = 0; i < t->nv; i++) m.theta[i] += away[i]; /* joints with gears have q = away there */
    return m;
}

/* The gears' torques turn links and, over the ratio, rotors. */
static void accelerations_agree(void **state) {
    (void)state;
    for (int n = 0; n < CASES; n++) {
        Twins t = twins(771000 + (uint64_t)n, true);
        const Motion m = draw(&t);
        double a[N], second[N], tau[N], tau_bodied[N] = {0}, a_bodied[N], known[N], of_motors[N];
        assert_int_equal(
            zv_motor_forward_dynamics(t.model, t.work, m.q, m.v, m.theta, m.rate, m.motor, NULL, NULL, a, second, tau),
            ZV_OK);
        for (int i = 0; i < t.nv; i++) {
            const zvFlexibleJoint *gear = t.gear[i];
            tau_bodied[t.link[i]] = tau[i];
            if (gear)
                tau_bodied[t.rotor[i]] =
                    (m.motor[i] - tau[i]) / gear->ratio - gear->motor_damping * gear->ratio * m.rate[i];
        }
        assert_int_equal(
            zv_forward_dynamics(t.bodied, t.work_bodied, m.q_bodied, m.v_bodied, tau_bodied, NULL, a_bodied), ZV_OK);
        double most = 0;
        for (int i = 0; i < t.nv; i++) {
            known[i] = a_bodied[t.link[i]];
            of_motors[i] = t.rotor[i] < 0 ? known[i] : a_bodied[t.rotor[i]] / t.gear[i]->ratio;
            most = fmax(most, fmax(fabs(known[i]), fabs(of_motors[i])));
        }
        for (int i = 0; i < t.nv; i++) {
            assert_near(a[i], known[i], 1e-9 * most);
            assert_near(second[i], of_motors[i], 1e-9 * most);
        }
        twins_end(&t);
    }
}

/* Energy and momentum of the whole, and M of links and motors together. */
static void energy_and_momentum_agree(void **state) {
    (void)state;
    for (int n = 0; n < CASES; n++) {
        Twins t = twins(772000 + (uint64_t)n, false);
        const Motion m = draw(&t);
        double part[4], whole[2], h[6], h_bodied[6], spins[3], c[3], c_bodied[3], M[N * N], S[N * N];
        double *big = malloc(N * N * sizeof *big);
        zv_energy(t.model, t.work, m.q, m.v, &part[0], &part[1]);
        zv_motor_energy(t.model, t.work, m.q, m.v, m.theta, m.rate, &part[2], &part[3]);
        zv_energy(t.bodied, t.work_bodied, m.q_bodied, m.v_bodied, &whole[0], &whole[1]);
        assert_near(part[0] + part[3], whole[0], 1e-11 * whole[0]);
        assert_near(part[1], whole[1], 1e-10 * (1 + fabs(whole[1])));
        zv_momentum(t.model, t.work, m.q, m.v, h, c);
        zv_momentum(t.bodied, t.work_bodied, m.q_bodied, m.v_bodied, h_bodied, c_bodied);
        zv_rotor_momentum(t.model, t.work, m.q, m.v, m.rate, spins);
        for (int i = 0; i < 3; i++) h[3 + i] += spins[i];
        assert_all_near("momentum", 6, h, h_bodied, 1e-10 * (1 + whole[0]));
        zv_mass_matrix(t.model, t.work, m.q, M);
        zv_rotor_coupling(t.model, t.work, m.q, S);
        zv_mass_matrix(t.bodied, t.work_bodied, m.q_bodied, big);
        const int wide = zv_model_nv(t.bodied), nv = t.nv;
        double most = 0;
        for (int i = 0; i < wide; i++) most = fmax(most, big[i * wide + i]);
        for (int i = 0; i < nv; i++) {
            for (int k = 0; k < nv; k++) {
                double sum = M[i * nv + k];
                for (int r = 0; r < nv; r++)
                    if (t.gear[r])
                        sum += S[i * nv + r] * S[k * nv + r] / (t.gear[r]->inertia * pow(t.gear[r]->ratio, 2));
                assert_near(sum, big[t.link[i] * wide + t.link[k]], 1e-11 * most);
                if (t.gear[k])
                    assert_near(S[i * nv + k], t.gear[k]->ratio * big[t.link[i] * wide + t.rotor[k]], 1e-11 * most);
            }
        }
        free(big);
        twins_end(&t);
    }
}

/* The motion of the links alone does not tell what motors do; no payload where rotors turn. */
static void refusals(void **state) {
    (void)state;
    Twins t = twins(773000, true);
    const Motion m = draw(&t);
    double known[N];
    const zvMotorMotion motion = {.motor = known};
    assert_int_equal(
        zv_motor_inverse_dynamics(t.model, t.work, m.q, m.v, NULL, NULL, NULL, m.theta, NULL, &motion, &error),
        ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "rotor_axis"));
    zvModel *copy = zv_model_copy(t.model, &error);
    int refused = 0;
    for (int i = 0; i < zv_model_nlink(copy); i++) {
        const zvInertia inertia = zv_model_link(copy, i)->inertia;
        refused += zv_model_set_link_inertia(copy, i, &inertia) == ZV_NOT_SUPPORTED;
    }
    assert_in_range(refused, 1, t.tree->njoint);
    zv_model_destroy(copy);
    twins_end(&t);
}

/* A rotor that its link has no room for. */
static void rotor_is_part_of_its_link(void **state) {
    (void)state;
    rtOptions options = rt_options_default(2);
    options.types = RT_TYPE(REVOLUTE);
    options.massless = false;
    rtTree *tree = rt_tree_create(774000, &options);
    zvFlexibleJoint gear = {.stiffness = 100, .inertia = 1e3, .ratio = 10, .rotor_axis = {0, 0, 1}};
    zvBuilder *builder = zv_builder_create(&error);
    zvModel *model = NULL;
    tree->joints[1].parent = tree->links[1].name;
    tree->joints[1].flexible = &gear;
    assert_int_equal(rt_tree_add(tree, builder, &error), ZV_OK);
    assert_int_equal(zv_builder_freeze(builder, &model, &error), ZV_PHYSICS);
    assert_non_null(strstr(error.text, "within that of link \"link1\""));
    zv_builder_destroy(builder);
    free(tree);
}

TESTS(accelerations_agree, energy_and_momentum_agree, refusals, rotor_is_part_of_its_link)
