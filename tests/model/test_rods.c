/* The chain of rods by its formula: mass matrix and weight against closed forms, of 1 to 60 rods, and what is refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/chain.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

enum { MOST = 60 };
static const double total_length = 1.7, total_mass = 3.1, weight = 9.81;

/* Of n rods of length l and mass m at absolute angles phi, angle of rod i the sum of the first i relative ones:
 *   T = 1/2 sum B_ij phi_i' phi_j',  B_ij = m l^2 (n - max(i, j) + 1/2) cos(phi_i - phi_j), B_ii = m l^2 (n - i + 1/3)
 *   V = sum m g l (n - i + 1/2) sin phi_i */
typedef struct Absolute {
    int n;
    double phi[MOST], B[MOST][MOST], V[MOST];
} Absolute;

static Absolute absolute_of(int n, const double *q) {
    Absolute x = {.n = n};
    const double l = total_length / n, m = total_mass / n;
    for (int i = 0; i < n; i++) x.phi[i] = q[i] + (i ? x.phi[i - 1] : 0);
    for (int i = 0; i < n; i++) {
        x.V[i] = m * weight * l * (n - i - 0.5) * cos(x.phi[i]);
        for (int j = 0; j < n; j++)
            x.B[i][j] = m * l * l * (i == j ? n - i - 2.0 / 3 : (n - fmax(i, j) - 0.5) * cos(x.phi[i] - x.phi[j]));
    }
    return x;
}

/* Relative angle i turns all rods from i on: sums over i', j' from i and j on. */
static double mass_entry(const Absolute *x, int i, int j) {
    double sum = 0;
    for (int a = i; a < x->n; a++)
        for (int b = j; b < x->n; b++) sum += x->B[a][b];
    return sum;
}

static double weight_entry(const Absolute *x, int i) {
    double sum = 0;
    for (int a = i; a < x->n; a++) sum += x->V[a];
    return sum;
}

static zvModel *chain_of(int n) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    zvStatus status = zv_builder_add_rods(builder, n, total_length, total_mass, &error);
    if (status >= 0) status = zv_builder_freeze(builder, &model, &error);
    if (status != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return model;
}

static void expect_near(int n, const char *what, int i, int j, double got, double wanted, double scale) {
    /* sums of up to n^2 terms of the size of the largest entry, on either side */
    if (!(fabs(got - wanted) <= 16 * n * 2.3e-16 * scale))
        fail_msg("%d rods, %s %d %d: %.17g, expected %.17g", n, what, i, j, got, wanted);
}

static void closed_form(void **state) {
    (void)state;
    static double M[MOST * MOST], g[MOST], q[MOST];
    static const double zero[MOST];
    static const int sizes[] = {1, 2, 3, 5, 10, 17, MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        zvModel *model = chain_of(n);
        zvWork *work = zv_work_create(model, NULL);
        assert_int_equal(zv_model_nv(model), n);
        for (int i = 0; i < n; i++) q[i] = sin(2.3 * i + 0.7);
        const Absolute x = absolute_of(n, q);
        zv_mass_matrix(model, work, q, M);
        zv_bias(model, work, q, zero, g);
        const double scale = total_mass * total_length * total_length;
        for (int i = 0; i < n; i++) {
            expect_near(n, "weight", i, 0, g[i], weight_entry(&x, i), total_mass * weight * total_length);
            for (int j = 0; j < n; j++) expect_near(n, "M", i, j, M[i * n + j], mass_entry(&x, i, j), scale);
        }
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

/* Length and mass of the whole do not depend on the number of rods. */
static void whole(void **state) {
    (void)state;
    for (int n = 1; n <= 4; n++) {
        zvModel *model = chain_of(n);
        zvWork *work = zv_work_create(model, NULL);
        double q[4] = {0}, mass = 0;
        zvPose last;
        for (int i = 0; i < zv_model_nlink(model); i++) mass += zv_model_link(model, i)->inertia.mass;
        zv_frame_pose(model, work, q, n, &last);
        assert_true(fabs(mass - total_mass) < 1e-15 * 8);
        assert_true(fabs(last.p[0] + total_length / n - total_length) < 1e-15 * 8);
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

static void expect_refused(int n, double length, double mass, const char *part) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_int_equal(zv_builder_add_rods(builder, n, length, mass, &error), ZV_NUMBER);
    if (!strstr(error.text, part)) fail_msg("\"%s\" is not in: %s", part, error.text);
    assert_int_equal(zv_builder_nlink(builder), 0);
    zv_builder_destroy(builder);
}

static void refusals(void **state) {
    (void)state;
    expect_refused(0, 1, 1, "expected 1 to 100000 rods, found 0");
    expect_refused(ZV_MOST_RODS + 1, 1, 1, "found 100001");
    expect_refused(3, 0, 1, "found 0 m and 1 kg");
    expect_refused(3, 1, -2, "found 1 m and -2 kg");
    expect_refused(3, NAN, 1, "positive finite length");
    expect_refused(3, 1, INFINITY, "positive finite length");
}

TESTS(closed_form, whole, refusals)
