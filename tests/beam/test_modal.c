/* Modal data: a beam given as nodes is the beam; data without nodes carry their momenta to another frame as the nodes
 * they came from do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "integral_arrays.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { NODES = 401, MOST = 8 };

static void compare_all(const ziModeIntegrals *got, const ziModeIntegrals *want, double tolerance) {
    const int n = want->n;
    assert_int_equal(got->n, n);
    assert_all_near("mass", 1, &got->mass, &want->mass, tolerance);
    assert_all_near("S0", 3, got->S0, want->S0, tolerance);
    assert_all_near("J0", 6, got->J0, want->J0, tolerance);
    assert_all_near("S1", 3 * n, got->S1, want->S1, tolerance);
    assert_all_near("J1", 6 * n, got->J1, want->J1, tolerance);
    assert_all_near("J2", 6 * n * n, got->J2, want->J2, tolerance);
    assert_all_near("L0", 3 * n, got->L0, want->L0, tolerance);
    assert_all_near("L1", 3 * n * n, got->L1, want->L1, tolerance);
    assert_all_near("M", n * n, got->M, want->M, tolerance);
    assert_all_near("K", n * n, got->K, want->K, tolerance);
    assert_all_near("D", n * n, got->D, want->D, tolerance);
}

/* Simpson's weights along a beam of powers s^2, s^3: integrands of degree 8 at most, error below 1e-9 with 400 parts.
 */
static void nodes_of_a_beam_are_the_beam(void **state) {
    (void)state;
    static irArrays arrays, other;
    static zvModalNode nodes[NODES];
    static double shapes[NODES][6 * MOST];
    for (uint64_t seed = 60; seed < 64; seed++) {
        rtRandom random = {seed};
        double R[9], p[3];
        zvBeam beam = zv_beam_default();
        ziModeIntegrals want = ir_integrals(&arrays), got = ir_integrals(&other);
        beam.EIy = beam.EIz = beam.GJ = beam.EA = beam.rhoA = 1;
        beam.rhoIy = 0.02;
        beam.rhoIz = 0.05;
        beam.rotary = true;
        beam.stiffening = ZV_STIFFENING_OFF;
        beam.modes[0] = beam.modes[1] = beam.modes[2] = beam.modes[3] = 2;
        beam.damping.stiffness_factor = 0.1;
        rt_rotation(&random, R);
        rt_vector(&random, 1, 3, p);
        assert_true(zi_beam_integrals(&beam, R, p, &want));
        for (int k = 0; k < NODES; k++) {
            const double x = beam.length * k / (NODES - 1);
            const double m = (k == 0 || k == NODES - 1 ? 1 : k % 2 ? 4 : 2) * beam.length / 3 / (NODES - 1);
            double d[3 * MOST], r[3 * MOST];
            zi_beam_shape(&beam, x, d, r);
            for (int i = 0; i < MOST; i++) {
                memcpy(shapes[k] + 6 * i, d + 3 * i, 3 * sizeof *d);
                memcpy(shapes[k] + 6 * i + 3, r + 3 * i, 3 * sizeof *r);
            }
            nodes[k] = (zvModalNode){{x, 0, 0}, m, {0.07 * m, 0, 0, 0.02 * m, 0, 0.05 * m}, shapes[k]};
        }
        const zvModal modal = {
            .count = MOST, .stiffness = want.K, .damping = beam.damping, .node_count = NODES, .nodes = nodes};
        const double moment[6] = {0};
        assert_null(zi_modal_fault(&modal, 0, ir_zero, moment).key);
        assert_true(zi_modal_integrals(&modal, R, p, &got));
        compare_all(&got, &want, 1e-9);
    }
}

typedef struct Draw {
    zvModalNode nodes[12];
    double shapes[12][6 * 3];
    double K[9];
    zvModal modal;
} Draw;

static void draw(rtRandom *random, Draw *out) {
    for (int k = 0; k < 12; k++) {
        zvModalNode *node = &out->nodes[k];
        rt_vector(random, 1, 3, node->at);
        rt_vector(random, 1, 18, out->shapes[k]);
        node->mass = rt_uniform(random, 0.1, 1);
        memcpy(node->moment, (double[6]){0.3, 0.01, -0.02, 0.2, 0.03, 0.25}, sizeof node->moment);
        node->shape = out->shapes[k];
    }
    for (int i = 0; i < 9; i++) out->K[i] = i % 4 == 0 ? 5 : 1;
    out->modal = (zvModal){.count = 3, .stiffness = out->K, .node_count = 12, .nodes = out->nodes};
}

/* R sym R^T by whole matrices */
static void turn_sym(const double R[9], const double s[6], double out[6]) {
    const double S[9] = {s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]};
    for (int i = 0, at = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, at++) {
            out[at] = 0;
            for (int a = 0; a < 9; a++) out[at] += R[3 * i + a / 3] * S[a] * R[3 * j + a % 3];
        }
    }
}

/* Without nodes: S1 and L0 in any frame are those of the nodes; J1 there is that of the nodes less what the nodes have
 * in the link's own frame, where it counts as zero. */
static void momenta_shift_as_nodes_do(void **state) {
    (void)state;
    static irArrays own_frame, away, plain;
    for (uint64_t seed = 70; seed < 90; seed++) {
        rtRandom random = {seed};
        Draw with;
        double R[9], p[3];
        ziModeIntegrals own = ir_integrals(&own_frame), want = ir_integrals(&away), got = ir_integrals(&plain);
        draw(&random, &with);
        rt_rotation(&random, R);
        rt_vector(&random, 2, 3, p);
        assert_true(zi_modal_integrals(&with.modal, ir_one, ir_zero, &own));
        assert_true(zi_modal_integrals(&with.modal, R, p, &want));
        const zvModal without = {
            .count = 3, .mass = own.M, .stiffness = with.K, .translation = own.S1, .rotation = own.L0};
        assert_true(zi_modal_integrals(&without, R, p, &got));
        assert_all_near("S1", 9, got.S1, want.S1, 1e-13);
        assert_all_near("L0", 9, got.L0, want.L0, 1e-13);
        assert_all_near("M", 9, got.M, want.M, 1e-13);
        for (int i = 0; i < 3; i++) {
            double turned[6];
            turn_sym(R, own.J1 + 6 * i, turned);
            for (int k = 0; k < 6; k++) turned[k] = want.J1[6 * i + k] - turned[k];
            assert_all_near("J1", 6, got.J1 + 6 * i, turned, 1e-13);
        }
        for (int k = 0; k < 54; k++) assert_true(got.J2[k] == 0);
        for (int k = 0; k < 27; k++) assert_true(got.L1[k] == 0);
        assert_true(got.mass == 0 && got.J0[0] == 0 && got.S0[0] == 0);
    }
}

/* Twice the kinetic energy of the nodes at rest deformation is that of the integrals. */
static void energy_of_nodes(void **state) {
    (void)state;
    static irArrays arrays;
    for (uint64_t seed = 90; seed < 110; seed++) {
        rtRandom random = {seed};
        Draw all;
        double v[3], w[3], rate[3], twice = 0;
        ziModeIntegrals out = ir_integrals(&arrays);
        draw(&random, &all);
        rt_vector(&random, 1, 3, v);
        rt_vector(&random, 1, 3, w);
        rt_vector(&random, 1, 3, rate);
        assert_true(zi_modal_integrals(&all.modal, ir_one, ir_zero, &out));
        for (int k = 0; k < 12; k++) {
            const zvModalNode *node = &all.nodes[k];
            const double *r = node->at, *m = node->moment;
            double u[3] = {v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2],
                           v[2] + w[0] * r[1] - w[1] * r[0]};
            double s[3] = {w[0], w[1], w[2]};
            for (int i = 0; i < 9; i++) {
                u[i % 3] += node->shape[i / 3 * 6 + i % 3] * rate[i / 3];
                s[i % 3] += node->shape[i / 3 * 6 + 3 + i % 3] * rate[i / 3];
            }
            twice += node->mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) + m[0] * s[0] * s[0] + m[3] * s[1] * s[1] +
                     m[5] * s[2] * s[2] + 2 * (m[1] * s[0] * s[1] + m[2] * s[0] * s[2] + m[4] * s[1] * s[2]);
        }
        const double *S = out.S0, *J = out.J0;
        double got = out.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        got += 2 * (v[0] * (w[1] * S[2] - w[2] * S[1]) + v[1] * (w[2] * S[0] - w[0] * S[2]) +
                    v[2] * (w[0] * S[1] - w[1] * S[0]));
        got += J[0] * w[0] * w[0] + J[3] * w[1] * w[1] + J[5] * w[2] * w[2] +
               2 * (J[1] * w[0] * w[1] + J[2] * w[0] * w[2] + J[4] * w[1] * w[2]);
        for (int i = 0; i < 9; i++) {
            got += 2 * rate[i / 3] * (v[i % 3] * out.S1[i] + w[i % 3] * out.L0[i]);
            got += rate[i / 3] * rate[i % 3] * out.M[i];
        }
        if (!(fabs(got - twice) <= 1e-13 * (1 + twice))) fail_msg("seed %d: %.15g, not %.15g", (int)seed, got, twice);
    }
}

TESTS(nodes_of_a_beam_are_the_beam, momenta_shift_as_nodes_do, energy_of_nodes)
