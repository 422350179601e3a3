/* The reference checked on its own, before it judges the engine: closed forms, and the balance of energy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

/* Double pendulum in the x-z plane about y, gravity down: uniform point-like rods with centres at c1, c2. */
static zvModel *double_pendulum(double l1, const zvInertia *first, const zvInertia *second) {
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("base"), upper = zv_link_default("upper"), lower = zv_link_default("lower");
    upper.inertia = *first;
    lower.inertia = *second;
    upper.has_inertia = lower.has_inertia = true;
    zvJoint j1 = zv_joint_default("j1", ZV_JOINT_REVOLUTE, "base", "upper");
    zvJoint j2 = zv_joint_default("j2", ZV_JOINT_REVOLUTE, "upper", "lower");
    j1.axis[0] = j1.axis[2] = j2.axis[0] = j2.axis[2] = 0;
    j1.axis[1] = j2.axis[1] = -2;
    j2.origin.p[0] = l1;
    assert_int_equal(zv_builder_add_link(b, &base, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &upper, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &lower, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &j1, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &j2, NULL), ZV_OK);
    zvModel *model = NULL;
    assert_int_equal(zv_builder_freeze(b, &model, NULL), ZV_OK);
    zv_builder_destroy(b);
    return model;
}

/* With angles from the horizontal, counter-clockwise about -y, the textbook equations of a planar two-link arm. */
static void double_pendulum_closed_form(void **state) {
    (void)state;
    double l = 0.7, c1 = 0.4, c2 = 0.3, m1 = 1.5, m2 = 0.8, i1 = 0.05, i2 = 0.02, g = 9.81;
    zvInertia first = {m1, {c1, 0, 0}, {0.03, 0, 0, i1, 0, 0.04}},
              second = {m2, {c2, 0, 0}, {0.015, 0, 0, i2, 0, 0.018}};
    zvModel *model = double_pendulum(l, &first, &second);
    refTree *ref = ref_create(model);
    double q[2] = {0.3, -1.1}, v[2] = {1.7, -0.6}, a[2] = {0.9, 2.5};
    ref_place(ref, q);
    ref_move(ref, v, a);
    double k = cos(q[1]), s = sin(q[1]);
    double h = m2 * l * c2;
    double m11 = i1 + i2 + m1 * c1 * c1 + m2 * (l * l + c2 * c2) + 2 * h * k, m12 = i2 + m2 * c2 * c2 + h * k;
    double m22 = i2 + m2 * c2 * c2;
    double g1 = (m1 * c1 + m2 * l) * g * cos(q[0]) + m2 * c2 * g * cos(q[0] + q[1]),
           g2 = m2 * c2 * g * cos(q[0] + q[1]);
    double want[2] = {m11 * a[0] + m12 * a[1] - h * s * (2 * v[0] * v[1] + v[1] * v[1]) + g1,
                      m12 * a[0] + m22 * a[1] + h * s * v[0] * v[0] + g2};
    exact tau[2], M[4];
    ref_inverse(ref, NULL, true, tau);
    ref_mass(ref, M);
    double tolerance = 20 * DBL_EPSILON * 30; /* twenty roundings of terms below 30 N m in the closed form */
    assert_true(fabsl(tau[0] - want[0]) < tolerance && fabsl(tau[1] - want[1]) < tolerance);
    assert_true(fabsl(M[0] - m11) < tolerance && fabsl(M[1] - m12) < tolerance && fabsl(M[3] - m22) < tolerance);
    ref_destroy(ref);
    zv_model_destroy(model);
}

static exact energy_at(rtCase *c, const double *q, const double *v, const double *a, double t) {
    exact kinetic, potential;
    for (int i = 0; i < c->nv; i++) c->x[i] = v[i] + t * a[i];
    ref_place_along(c->ref, q, v, t);
    ref_move(c->ref, c->x, NULL);
    ref_energy(c->ref, &kinetic, &potential);
    return kinetic + potential + ref_rotor_energy(c->ref);
}

/* Central difference of eighth order; its error is about (rate h)^8 / 630 of the whole. */
static exact energy_rate(rtCase *c, double h) {
    static const exact weight[5] = {0, 4 / 5.0L, -1 / 5.0L, 4 / 105.0L, -1 / 280.0L};
    exact sum = 0;
    for (int k = 1; k <= 4; k++)
        sum += weight[k] * (energy_at(c, c->q, c->v, c->a, k * h) - energy_at(c, c->q, c->v, c->a, -k * h));
    return sum / h;
}

/* Coarse numbers, so that v + t a is exact in double for the steps used. */
static void coarsen(double *x, int count) {
    for (int i = 0; i < count; i++) x[i] = nearbyint(x[i] * 1024) / 1024;
}

/* tau (from accelerations, by d'Alembert) must do the work that raises the energy (from velocities alone). */
static bool power_balances(rtCase *c) {
    coarsen(c->v, c->nv);
    coarsen(c->a, c->nv);
    ref_move(c->ref, c->v, c->a);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, c->a, NULL, true, c->error_scale);
    exact power = 0, scale = 0, fastest = 1;
    for (int i = 0; i < c->nv; i++) {
        power += c->want[i] * c->v[i];
        scale += c->error_scale->tau[i] * fabsl((exact)c->v[i]);
    }
    for (int l = 0; l < c->ref->nlink; l++) fastest = fmaxl(fastest, c->error_scale->w[l]);
    double h = ldexp(1, -(int)ceill(log2l(fastest / 0.015L)));
    exact rate = energy_rate(c, h);
    exact energy = c->error_scale->kinetic + c->error_scale->potential;
    /* rounding of the energies over h, and truncation far below it */
    exact tolerance =
        100 * (exact)LDBL_EPSILON * c->error_scale->depth * (energy / h + scale) + 1e-17L * energy * fastest;
    if (fabsl(rate - power) <= tolerance) return true;
    fprintf(stderr, "seed %llu: power %Lg, energy rate %Lg, off %Lg of %Lg\n", (unsigned long long)c->seed, power, rate,
            fabsl(rate - power), tolerance);
    return false;
}

static bool mass_gives_energy(rtCase *c) {
    exact kinetic, potential, quadratic = 0;
    ref_energy(c->ref, &kinetic, &potential);
    kinetic += ref_rotor_energy(c->ref);
    ref_mass(c->ref, c->M);
    for (int i = 0; i < c->nv; i++)
        for (int j = 0; j < c->nv; j++) quadratic += c->M[i * c->nv + j] * c->v[i] * c->v[j] / 2;
    exact tolerance = 100 * (exact)LDBL_EPSILON * c->error_scale->depth * (c->error_scale->kinetic + kinetic);
    return fabsl(kinetic - quadratic) <= tolerance && (c->nv == 0 || lin_cholesky(c->nv, c->M, c->S));
}

/* Splines are smooth only to the second derivative, which spoils high-order differences across their knots. */
static void smooth(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE;
}

static void power_balance(void **state) {
    (void)state;
    assert_true(rt_each(1000, 60, 10, smooth, power_balances));
}

static void kinetic_energy_is_quadratic(void **state) {
    (void)state;
    assert_true(rt_each(1100, 60, 20, NULL, mass_gives_energy));
}

/* Across the knots of a spline the place and two derivatives are continuous; between them derivatives agree. */
static void spline_is_smooth(void **state) {
    (void)state;
    static const double points[15] = {0, 0, 0, 0.3, 0.1, 0, 0.5, 0.4, 0.1, 0.2, 0.6, 0.3, -0.2, 0.3, 0.1};
    for (int closed = 0; closed < 2; closed++) {
        zvCurve curve = {.kind = ZV_CURVE_SPLINE, .count = 5, .closed = closed, .points = points};
        refCurve path;
        ref_curve_open(&path, &curve);
        exact h = 1e-9L;
        for (int i = 0, panel = 0; i <= path.segments; i++) {
            exact a[9], b[9];
            while (path.breaks[panel] < path.knots[i]) panel++;
            ref_curve_at(&path, path.lengths[panel] - h, a, a + 3, a + 6);
            ref_curve_at(&path, path.lengths[panel] + h, b, b + 3, b + 6);
            for (int k = 0; k < 3; k++) {
                assert_true(fabsl((a[k] + b[k]) / 2 - points[3 * (i % 5) + k]) < 1e-15L);
                assert_true(fabsl((b[k] - a[k]) / (2 * h) - (a[3 + k] + b[3 + k]) / 2) < 1e-8L);
                assert_true(fabsl((b[3 + k] - a[3 + k]) / (2 * h) - (a[6 + k] + b[6 + k]) / 2) < 1e-6L);
                assert_true(fabsl(b[6 + k] - a[6 + k]) < 1e-5L);
            }
        }
        ref_curve_close(&path);
    }
}

TESTS(double_pendulum_closed_form, kinetic_energy_is_quadratic, power_balance, spline_is_smooth)
