/* Loops that are open: what is left of the conditions, by the equations themselves (inverse dynamics, G^T lambda,
 * Jacobians), by the other method, and where all are open by the tree. Impacts of loops that close. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/near.h"
#include "support/random_closed.h"
#include "support/run_tests.h"

enum { CASES = 300, MOST = 64 };

typedef struct Opened {
    rcCase c;
    int nv, rows;
    unsigned char open[MOST];
    double *a, *b, *lambda, *forces, *tau, *G, *bias;
} Opened;

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

/* The case with every loop open whose bit is set. */
static bool opened(Opened *x, uint64_t seed, int i, unsigned bits) {
    const rcOptions options = rc_options_spread(i);
    if (!rc_open(&x->c, seed + (uint64_t)i, &options) || x->c.loops == 0 || x->c.loops > MOST) return false;
    x->nv = zv_model_nv(x->c.model);
    x->rows = zv_model_nloop_rows(x->c.model);
    for (int k = 0; k < x->c.loops; k++) x->open[k] = bits >> k & 1;
    double **vectors[] = {&x->a, &x->b, &x->forces, &x->tau};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) *vectors[k] = numbers(x->nv);
    x->lambda = numbers(x->rows);
    x->bias = numbers(x->rows);
    x->G = numbers(x->rows * x->nv);
    for (int k = 0; k < x->nv; k++) x->tau[k] = sin(1.0 + k);
    return true;
}

static void done(Opened *x) {
    double *all[] = {x->a, x->b, x->forces, x->tau, x->lambda, x->bias, x->G};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    rc_close(&x->c);
}

static double largest(int count, const double *x) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* |G x + bias| of the closed loops over the sizes of its terms; open rows of lambda must be zero. */
static double missed(const Opened *x, const double *y, const double *bias) {
    double worst = 0, size = 1;
    for (int k = 0; k < x->c.loops; k++) {
        const zvLoopPlace place = zv_model_loop_place(x->c.model, k);
        for (int r = place.row; r < place.row + place.rows; r++) {
            double sum = bias ? bias[r] : 0;
            for (int j = 0; j < x->nv; j++) {
                sum += x->G[r * x->nv + j] * y[j];
                size = fmax(size, fabs(x->G[r * x->nv + j] * y[j]));
            }
            if (!x->open[k]) worst = fmax(worst, fabs(sum));
            if (x->open[k] && x->lambda[r] != 0) return INFINITY;
        }
    }
    return worst / size;
}

static void expect(const char *what, double found, double bound, uint64_t seed, int i) {
    if (!(found <= bound)) fail_msg("%s: %.3g, seed %llu, case %d", what, found, (unsigned long long)seed, i);
}

/* Forward dynamics obeys its equations without the open loops, and agrees with the method of partition. */
static void accelerations(void **state) {
    (void)state;
    const uint64_t seed = 8100;
    int compared = 0, whole = 0;
    for (int i = 0; i < CASES; i++) {
        Opened x = {0};
        const unsigned bits = i % 4 == 3 ? ~0u : (unsigned)i / 4 % 7 + 1;
        const bool good = opened(&x, seed, i, bits);
        zvSingularity near = {0};
        const zvClosing closing = {.open = x.open, .singularity = &near, .redundant = x.rows};
        zvModel *m = x.c.model;
        if (good && zv_closed_forward_dynamics(m, x.c.work, &closing, x.c.q, x.c.v, x.tau, NULL, x.a, x.lambda) >= 0 &&
            near.margin > 1e-4 && near.dropped == 0) {
            zv_loop_jacobian(m, x.c.work, x.c.q, x.G);
            zv_loop_bias(m, x.c.work, &closing, x.c.q, x.c.v, x.bias);
            expect("conditions", missed(&x, x.a, x.bias), 1e-8, seed, i);
            zv_inverse_dynamics(m, x.c.work, x.c.q, x.c.v, x.a, NULL, x.b);
            zv_loop_forces(m, x.c.work, x.c.q, x.lambda, x.forces);
            double size = 1, off = 0;
            for (int k = 0; k < x.nv; k++) {
                size = fmax(size, fmax(fabs(x.b[k]), fabs(x.forces[k])));
                off = fmax(off, fabs(x.b[k] - x.tau[k] - x.forces[k]));
            }
            expect("balance of forces", off / size, 1e-8, seed, i);
            size_t methods;
            const zvClosedMethod *partition = zv_closed_methods(&methods) + 1;
            if (partition->run(m, x.c.work, &closing, x.c.q, x.c.v, x.tau, NULL, x.b, NULL) >= 0) {
                double differ = 0;
                for (int k = 0; k < x.nv; k++) differ = fmax(differ, fabs(x.a[k] - x.b[k]));
                expect("partition", differ / (1 + largest(x.nv, x.a)), 1e-5, seed, i);
                compared++;
            }
            if (bits == ~0u && zv_forward_dynamics(m, x.c.work, x.c.q, x.c.v, x.tau, NULL, x.b) >= 0) {
                double differ = 0;
                for (int k = 0; k < x.nv; k++) differ = fmax(differ, fabs(x.a[k] - x.b[k]));
                expect("the tree", differ / (1 + largest(x.nv, x.a)), 1e-8, seed, i);
                whole++;
            }
        }
        if (good)
            done(&x);
        else
            rc_close(&x.c);
    }
    print_message("%d mechanisms and %d trees from seed %llu\n", compared, whole, (unsigned long long)seed);
    assert_true(compared > CASES / 3 && whole > CASES / 16);
}

/* An impact at velocities that no loop allows: M jump = G^T impulse, no rates are left, and kinetic energy is lost by
 * just that of the jump, T(v) - T(v + jump) = T(jump) (Carnot). */
static void impacts(void **state) {
    (void)state;
    const uint64_t seed = 8500;
    int compared = 0;
    for (int i = 0; i < CASES; i++) {
        Opened x = {0};
        const bool good = opened(&x, seed, i, (unsigned)i % 8);
        const zvClosing closing = {.open = x.open};
        zvModel *m = x.c.model;
        if (good) {
            for (int k = 0; k < x.nv; k++) x.tau[k] = cos(2.0 + 3 * k); /* the velocity before */
            if (zv_loop_impact(m, x.c.work, &closing, x.c.q, x.tau, NULL, x.a, x.lambda) == ZV_OK) {
                zv_loop_jacobian(m, x.c.work, x.c.q, x.G);
                double T[3], U, size = 1, off = 0, gap, rate, of_jump = largest(x.nv, x.a);
                for (int k = 0; k < x.nv; k++) x.b[k] = x.tau[k] + x.a[k];
                expect("rates", missed(&x, x.b, NULL), 1e-8 * (1 + of_jump), seed, i);
                zv_loop_residual(m, x.c.work, &closing, x.c.q, x.b, -1, &gap, &rate);
                expect("residual", rate, 1e-6 * (1 + of_jump), seed, i);
                zv_energy(m, x.c.work, x.c.q, x.tau, &T[0], &U);
                zv_energy(m, x.c.work, x.c.q, x.b, &T[1], &U);
                zv_energy(m, x.c.work, x.c.q, x.a, &T[2], &U);
                expect("Carnot", fabs(T[0] - T[1] - T[2]) / (T[0] + T[2]), 1e-7, seed, i);
                zv_mass_times(m, x.c.work, x.c.q, x.a, x.b);
                zv_loop_forces(m, x.c.work, x.c.q, x.lambda, x.forces);
                for (int k = 0; k < x.nv; k++) {
                    size = fmax(size, fmax(fabs(x.b[k]), fabs(x.forces[k])));
                    off = fmax(off, fabs(x.b[k] - x.forces[k]));
                }
                expect("impulse", off / size, 1e-8, seed, i);
                compared++;
            }
            done(&x);
        } else {
            rc_close(&x.c);
        }
    }
    print_message("%d impacts from seed %llu\n", compared, (unsigned long long)seed);
    assert_true(compared > CASES / 8);
}

TESTS(accelerations, impacts)
