/* Reduced recursions on robots that are hard on them, or have ways of their own, against the general ones, which
 * external forces of zero ask for; and every function on a robot without freedoms, on a workspace full of what others
 * left. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/reduced.h"
#include "support/run_tests.h"
#include "work/scratch.h"
#include "zveno/zveno.h"

typedef struct Part {
    double at[3], mass, com[3], moment; /* the same about all axes */
} Part;

/* Links one on another, all turning about z. */
static zvModel *coaxial(int count, const Part *parts) {
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *model = NULL;
    zvError error = {0};
    const char *names[] = {"ground", "first", "second", "third"};
    for (int i = 0; i <= count; i++) {
        zvLink link = zv_link_default(names[i]);
        if (i > 0) {
            const Part *p = &parts[i - 1];
            link.has_inertia = true;
            link.inertia = (zvInertia){.mass = p->mass, .moment = {p->moment, 0, 0, p->moment, 0, p->moment}};
            memcpy(link.inertia.com, p->com, sizeof p->com);
        }
        assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_CONTINUOUS, names[i - 1], names[i]);
        joint.axis[0] = joint.axis[1] = 0, joint.axis[2] = 1;
        memcpy(joint.origin.p, parts[i - 1].at, sizeof parts[i - 1].at);
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    }
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_OK);
    zv_builder_destroy(b);
    return model;
}

/* Small inertias far along the axis, or under heavy neighbours, are felt to the last digits. */
static void small_inertias(void **state) {
    (void)state;
    static const Part far_ball[] = {{{0, 0, 1e6}, 1, {0, 0, 0}, 4e-5}};
    static const Part under_heavy[] = {
        {{0, 0, 1}, 5, {0.1, 0, 0}, 0.1}, {{0, 0, 0}, 1e-3, {0, 0, 0}, 1e-9}, {{0, 0, 100}, 1000, {0, 0, 0}, 1e-9}};
    static const Part rotor[] = {{{0, 0, 0.3}, 30, {0.2, 0, 0}, 2}, {{0, 0, 0.1}, 1e-2, {0, 0, 0}, 1e-6}};
    const struct {
        int count;
        const Part *parts;
    } robots[] = {{1, far_ball}, {3, under_heavy}, {2, rotor}};
    for (size_t r = 0; r < sizeof robots / sizeof *robots; r++) {
        zvModel *m = coaxial(robots[r].count, robots[r].parts);
        zvWork *w = zv_work_create(m, NULL);
        const int n = zv_model_nv(m);
        double q[3] = {0.3, -1.1, 2}, v[3] = {1, 2, -1}, a[3] = {1, -3, 2}, tau[3], general[3], back[3];
        double *none = calloc((size_t)(6 * zv_model_nlink(m)), sizeof *none);
        zv_inverse_dynamics(m, w, q, v, a, NULL, tau);
        zv_inverse_dynamics(m, w, q, v, a, none, general);
        for (int i = 0; i < n; i++)
            if (!(fabs(tau[i] - general[i]) <= 1e-12 * fabs(general[i])))
                fail_msg("robot %zu, force %d: %.17g, %.17g", r, i, tau[i], general[i]);
        assert_int_equal(zv_forward_dynamics(m, w, q, v, tau, NULL, back), ZV_OK);
        for (int i = 0; i < n; i++)
            if (!(fabs(back[i] - a[i]) <= 1e-12 * (1 + fabs(a[i]) * 1e3)))
                fail_msg("robot %zu, acceleration %d: %.17g, %.17g", r, i, back[i], a[i]);
        free(none);
        zv_work_destroy(w);
        zv_model_destroy(m);
    }
}

/* A torso with a leg of two links along each axis, both ways, and one askew. */
enum { LEGS = 7 };
static zvModel *legged(bool free_base) {
    static const double axes[LEGS][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0},        {0, -1, 0},
                                         {0, 0, 1}, {0, 0, -1}, {0.6, 0.48, 0.64}};
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *model = NULL;
    zvError error = {0};
    char names[2 * LEGS + 1][8] = {"torso"};
    zv_builder_set_free_base(b, free_base);
    for (int i = 0; i <= 2 * LEGS; i++) {
        const int leg = (i - 1) / 2, knee = i > 0 && i % 2 == 0;
        if (i) snprintf(names[i], sizeof names[i], "%c%d", knee ? 'k' : 'h', leg);
        zvLink link = zv_link_default(names[i]);
        link.has_inertia = true;
        link.inertia =
            (zvInertia){.mass = 1 + 0.1 * i, .com = {0.05 * i, -0.03, 0.1}, .moment = {2, 0.1, -0.2, 3, 0.3, 2.5}};
        assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_CONTINUOUS, names[knee ? i - 1 : 0], names[i]);
        const double second[3] = {0, 1, 0};
        memcpy(joint.axis, knee ? second : axes[leg], sizeof joint.axis);
        joint.origin.p[0] = 0.2 * (leg - 3), joint.origin.p[1] = knee ? 0 : 0.1, joint.origin.p[2] = knee ? -0.4 : 0.05;
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    }
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_OK);
    zv_builder_destroy(b);
    return model;
}

enum { MOST = 6 + 2 * LEGS };
static const double near = 2e-10; /* numbers are up to some hundred, sums of some hundred terms */

/* Forces and the columns of M, whose kernels know hips along axes of the torso, against the general recursion. */
static void hips(void **state) {
    (void)state;
    int along_x = 0;
    for (int floats = 0; floats < 2; floats++) {
        zvModel *m = legged(floats);
        zvWork *w = zv_work_create(m, NULL);
        const int n = zv_model_nv(m);
        double q[MOST + 1], v[MOST], a[MOST], tau[MOST], general[MOST], rest[MOST], M[MOST * MOST], zero[MOST] = {0};
        double *none = calloc((size_t)(6 * zv_model_nlink(m)), sizeof *none);
        for (int i = 0; i < n; i++) v[i] = sin(1 + i), a[i] = cos(2 + i);
        zv_neutral(m, q);
        zv_position_add(m, q, v, q);
        zv_inverse_dynamics(m, w, q, v, a, NULL, tau);
        zv_inverse_dynamics(m, w, q, v, a, none, general);
        for (int i = 0; i < n; i++)
            if (!(fabs(tau[i] - general[i]) <= near)) fail_msg("force %d: %.17g, %.17g", i, tau[i], general[i]);
        for (int i = 2; i < m->tree.nb && floats; i++)
            along_x += m->tree.reduced->step[i].parent == 1 && m->tree.reduced->step[i].form == ZI_TRANSFORM_CYCLIC;
        zv_mass_matrix(m, w, q, M);
        zv_inverse_dynamics(m, w, q, NULL, NULL, none, rest);
        for (int k = 0; k < n; k++) {
            zero[k] = 1;
            zv_inverse_dynamics(m, w, q, NULL, zero, none, general);
            zero[k] = 0;
            for (int i = 0; i < n; i++)
                if (!(fabs(M[i * n + k] - (general[i] - rest[i])) <= near) || M[i * n + k] != M[k * n + i])
                    fail_msg("M[%d][%d]: %.17g, %.17g", i, k, M[i * n + k], general[i] - rest[i]);
        }
        free(none);
        zv_work_destroy(w);
        zv_model_destroy(m);
    }
    assert_int_equal(along_x, 2); /* whichever way they point */
}

static void nothing_moves(void **state) {
    (void)state;
    zvModel *m = coaxial(0, NULL);
    zvWork *w = zv_work_create(m, NULL);
    double none[1] = {0};
    assert_int_equal(zv_model_nv(m), 0);
    for (int dirt = 0; dirt < 256; dirt += 51) {
        memset(w->scratch.next, dirt, (size_t)(w->scratch.end - w->scratch.next));
        zv_inverse_dynamics(m, w, none, none, none, NULL, none);
        zv_mass_matrix(m, w, none, none);
        assert_int_equal(zv_forward_dynamics(m, w, none, none, none, NULL, none), ZV_OK);
        assert_int_equal(zv_mass_inverse(m, w, none, none), ZV_OK);
        assert_int_equal(zv_inverse_derivatives(m, w, none, none, none, NULL, none, none, none), ZV_OK);
        assert_int_equal(zv_forward_derivatives(m, w, none, none, none, NULL, none, none, none, none), ZV_OK);
    }
    assert_true(none[0] == 0);
    zv_work_destroy(w);
    zv_model_destroy(m);
}

TESTS(small_inertias, hips, nothing_moves)
