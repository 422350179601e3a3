/* zveno_elastic: what elastic links cost.
 *
 *   1. forward dynamics of chains of 10 to 1000 elastic links with four modes each: the slope must be near 1
 *   2. one elastic link with 4 to 64 modes and a body at its tip: O(N^2) or better
 *   3. the flexible spatial arm, 25 s: implicit and explicit runs, their time and their error against the reference
 *   4. a floating arm with elastic booms, 1000 s: what methods keep of energy and momentum, and their time */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study.h"
#include "zveno/builder.h"
#include "zveno/dynamics.h"
#include "zveno/motion.h"
#include "zveno/simulate.h"

/* Chains and links ------------------------------------------------------------------------------------ */

/* links elastic links in a row on revolute joints, a rigid hand at the end. */
static zvModel *chain(int links, zvShapes shapes, const int modes[ZV_BEAM_MOTIONS]) {
    zvBuilder *b = zv_builder_create(NULL);
    zvError error = {0};
    zvModel *model = NULL;
    zvBeam beam = zv_beam_default();
    const double size[3] = {0.02, 0.018, 0};
    zv_section_fill(&beam, 7e10, 2.6e10, 2700, ZV_SECTION_TUBE, size, false);
    beam.length = 0.5;
    beam.shapes = shapes;
    memcpy(beam.modes, modes, sizeof beam.modes);
    char name[2][24] = {"link0", ""}, joint_name[24];
    for (int i = 0; i <= links + 1; i++) {
        zvLink link = zv_link_default(name[i % 2]);
        snprintf(name[i % 2], sizeof name[0], "link%d", i);
        link.name = name[i % 2];
        if (i > 0 && i <= links) link.beam = &beam;
        if (i > links) link.inertia = (zvInertia){.mass = 1, .com = {0.1, 0, 0}, .moment = {0.01, 0, 0, 0.01, 0, 0.01}};
        study_demand(zv_builder_add_link(b, &link, &error) >= 0, &error);
        if (i == 0) continue;
        snprintf(joint_name, sizeof joint_name, "joint%d", i);
        zvJoint joint = zv_joint_default(joint_name, ZV_JOINT_REVOLUTE, name[(i + 1) % 2], name[i % 2]);
        memcpy(joint.axis, i % 2 ? (double[3]){0, 0, 1} : (double[3]){0, 1, 0}, sizeof joint.axis);
        if (i > 1) joint.origin.p[0] = beam.length;
        study_demand(zv_builder_add_joint(b, &joint, &error) >= 0, &error);
    }
    study_demand(zv_builder_freeze(b, &model, &error) >= 0, &error);
    zv_builder_destroy(b);
    return model;
}

typedef zvStatus (*Call)(const zvModel *model, zvWork *work, const double *q, const double *v, double *out);

static zvStatus forward(const zvModel *model, zvWork *work, const double *q, const double *v, double *out) {
    return zv_forward_dynamics(model, work, q, v, NULL, NULL, out);
}

static zvStatus inverse(const zvModel *model, zvWork *work, const double *q, const double *v, double *out) {
    zv_inverse_dynamics(model, work, q, v, v, NULL, out);
    return ZV_OK;
}

static const zvError *singular(zvError *error) {
    zv_fail(error, ZV_SINGULAR, (zvMark){0}, NULL, "the state of the benchmark is singular");
    return error;
}

/* Seconds per call: the fastest of several batches. */
static double fastest(const zvModel *model, Call call) {
    zvError error = {0};
    zvWork *work = zv_work_create(model, &error);
    const int nq = zv_model_nq(model), nv = zv_model_nv(model);
    double *q = malloc((size_t)nq * sizeof *q), *v = malloc((size_t)nv * sizeof *v),
           *out = malloc((size_t)nv * sizeof *v);
    double best = INFINITY;
    study_demand(work && q && v && out, &error);
    for (int i = 0; i < nq; i++) q[i] = 0.01 * sin(1.7 * i);
    for (int i = 0; i < nv; i++) v[i] = 0.05 * cos(2.3 * i);
    for (int link = 0; link < zv_model_nlink(model); link++) { /* high modes are steep: bend them less */
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        for (int k = 0; k < place.count; k++) q[place.q_index + k] *= 0.1 / (1 + k * k);
    }
    for (int round = 0; round < 12; round++) {
        long calls = 0;
        const double start = study_now();
        double spent = 0;
        for (; spent < 0.02; spent = study_now() - start) {
            for (int k = 0; k < 8; k++, calls++) {
                if (call(model, work, q, v, out) < 0) study_demand(false, singular(&error));
            }
        }
        best = fmin(best, spent / (double)calls);
    }
    free(q);
    free(v);
    free(out);
    zv_work_destroy(work);
    return best;
}

/* Cost over the number of elastic links: O(n) shows as a slope of 1. */
static void over_links(void) {
    static const int lengths[] = {10, 30, 100, 300, 1000};
    enum { COUNT = sizeof lengths / sizeof *lengths };
    double x[COUNT], f[COUNT], g[COUNT];
    printf("chains of elastic links, 4 modes each (y 2, z 2, clamped-free), stiffening on\n");
    printf("%8s %20s %20s\n", "links", "forward ns per link", "inverse ns per link");
    for (int i = 0; i < COUNT; i++) {
        zvModel *model = chain(lengths[i], ZV_SHAPES_CLAMPED_FREE, (int[4]){2, 2, 0, 0});
        x[i] = lengths[i];
        f[i] = fastest(model, forward);
        g[i] = fastest(model, inverse);
        printf("%8d %20.1f %20.1f\n", lengths[i], 1e9 * f[i] / x[i], 1e9 * g[i] / x[i]);
        zv_model_destroy(model);
    }
    printf("slope %.3f forward, %.3f inverse (1: linear)\n\n", study_slope(COUNT, x, f), study_slope(COUNT, x, g));
}

/* Cost over the modes of one link, where small dense matrices dominate. */
static void over_modes(void) {
    static const int modes[] = {4, 8, 16, 32, 64};
    enum { COUNT = sizeof modes / sizeof *modes };
    double x[COUNT], f[COUNT], g[COUNT];
    printf("one elastic link with N modes (half in each plane, clamped-free) and a hand at its tip\n");
    printf("%8s %20s %20s\n", "N", "forward ns", "inverse ns");
    for (int i = 0; i < COUNT; i++) {
        zvModel *model = chain(1, ZV_SHAPES_CLAMPED_FREE, (int[4]){modes[i] / 2, modes[i] / 2, 0, 0});
        x[i] = modes[i];
        f[i] = fastest(model, forward);
        g[i] = fastest(model, inverse);
        printf("%8d %20.1f %20.1f\n", modes[i], 1e9 * f[i], 1e9 * g[i]);
        zv_model_destroy(model);
    }
    printf("slope of the last three: %.2f forward, %.2f inverse (2: quadratic)\n\n", study_slope(3, x + 2, f + 2),
           study_slope(3, x + 2, g + 2));
}

/* The published arm ----------------------------------------------------------------------------------- */

/* Largest difference of the elastic coordinates at t = 5, 10, ..., 25 s from the reference, m. */
typedef struct Arm {
    zvTable reference;
} Arm;

static double error_at_end(const Arm *arm, const double *q) {
    static const int elastic[4] = {2, 3, 5, 6}; /* model order: joint1, joint2, c2, joint3, c3, joint4 */
    const double *row = arm->reference.values + (arm->reference.rows - 1) * arm->reference.columns;
    double worst = 0;
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(q[elastic[i]] - row[8 + i]));
    return worst;
}

/* The fastest of five runs, and its error against the reference. */
static void run_arm(const Arm *arm, const char *integrator) {
    char change[256];
    const char *const changes[3] = {change, "output.ledger=false", "output.channels=[elastic, deviation p, tau]"};
    zvScenario *scenario;
    zvRunSummary *summary;
    zvError error = {0};
    double best = INFINITY, worst = 0;
    zvIntegrationStatistics s = {0};
    snprintf(change, sizeof change, "integrator=%s", integrator);
    for (int round = 0; round < 5; round++) {
        study_demand(
            zv_scenario_read_file(BENCH_SOURCE "/scenarios/flexible_arm.yaml", 3, changes, &scenario, &error) >= 0,
            &error);
        const double start = study_now();
        study_demand(zv_simulate(scenario, NULL, &summary, &error) >= 0, &error);
        best = fmin(best, study_now() - start);
        s = zv_run_statistics(summary);
        worst = error_at_end(arm, zv_run_position(summary));
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    printf("%-58s %8.2f %8ld %8ld %8ld %12.2e\n", integrator, 1e3 * best, s.steps, s.rates, s.newton_iterations, worst);
}

/* The published arm by several integrators and steps: time beside accuracy. */
static void published_arm(void) {
    static const char *const integrators[] = {
        "{method: newmark, step: 0.1}",
        "{method: newmark, step: 0.05}",
        "{method: newmark, step: 0.025}",
        "{method: newmark, step: 0.1, iteration: full}",
        "{method: generalized-alpha, step: 0.1}",
        "{method: newmark, step: 0.025, beta: 0}",
        "{method: newmark, step: 0.01, beta: 0}",
        "{method: rk4, step: 0.02}",
        "{method: erk, order: 5, rtol: 1e-6, atol: 1e-7}",
        "{method: erk, order: 8, rtol: 1e-10, atol: 1e-12}",
        "{method: adams, rtol: 1e-6, atol: 1e-8}",
    };
    Arm arm;
    zvError error = {0};
    study_demand(zv_table_read_file(BENCH_SOURCE "/tests/oracle/data/flexible_arm.csv", &arm.reference, &error) >= 0,
                 &error);
    printf("flexible spatial arm, 25 s (scenarios/flexible_arm.yaml, recorded in memory at 10 Hz)\n");
    printf("%-58s %8s %8s %8s %8s %12s\n", "integrator", "ms", "steps", "rates", "newton", "error [m]");
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) run_arm(&arm, integrators[i]);
    zv_table_free(&arm.reference);
}

/* Energy and both momenta about the origin at (q, v): kinetic and strain. */
static void invariants(const zvModel *model, zvWork *work, const double *q, const double *v, double out[7]) {
    double kinetic, potential, c[3];
    zv_energy(model, work, q, v, &kinetic, &potential);
    zv_momentum(model, work, q, v, out + 1, c);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[4 + i] += c[j] * out[1 + k] - c[k] * out[1 + j];
    }
    out[0] = kinetic + potential + zv_strain_energy(model, q);
}

/* The greater of what linear and angular momentum have changed by, relative. */
static double momentum_change(const double *from, const double *to) {
    double worst = 0;
    for (int half = 1; half < 7; half += 3) {
        double change = 0, size = 0;
        for (int i = half; i < half + 3; i++) {
            change = hypot(change, to[i] - from[i]);
            size = hypot(size, from[i]);
        }
        worst = fmax(worst, change / size);
    }
    return worst;
}

/* Seconds that a run of the floating arm takes; its invariants at the end. */
static double run_floating(const char *integrator, const char *duration, double out[7], zvIntegrationStatistics *s) {
    char change[120];
    const char *const changes[] = {duration, "output.rate=0.1", change};
    zvScenario *scenario = NULL;
    zvRunSummary *summary = NULL;
    zvError error = {0};
    snprintf(change, sizeof change, "integrator=%s", integrator);
    study_demand(zv_scenario_read_file(BENCH_SOURCE "/scenarios/ssrms_flexible.yaml", 3, changes, &scenario, &error) >=
                     0,
                 &error);
    zvWork *work = zv_work_create(zv_scenario_model(scenario), &error);
    study_demand(work != NULL, &error);
    const double start = study_now();
    const zvRunOptions options = {.accept_energy_error = true};
    study_demand(zv_simulate(scenario, &options, &summary, &error) >= 0, &error);
    const double took = study_now() - start;
    invariants(zv_scenario_model(scenario), work, zv_run_position(summary), zv_run_velocity(summary), out);
    *s = zv_run_statistics(summary);
    zv_run_summary_destroy(summary);
    zv_work_destroy(work);
    zv_scenario_destroy(scenario);
    return took;
}

/* 1000 s of the floating arm with elastic booms: what is left of its invariants, and what it costs. They are those of
 * the first microsecond, by steps of a hundredth of it. */
static void floating_arm(void) {
    static const char *const integrators[] = {
        "{method: energy-momentum, step: 0.01}",
        "{method: energy-momentum, step: 0.005}",
        "{method: newmark, step: 0.01}",
        "{method: newmark, step: 0.005}",
        "{method: generalized-alpha, rho: 1, step: 0.01}",
        "{method: erk, order: 8, rtol: 1e-8, atol: 1e-9}",
    };
    zvIntegrationStatistics s;
    double from[7], to[7];
    run_floating("{method: rk4, step: 1e-8}", "duration=1e-6", from, &s);
    printf("\nfloating arm with elastic booms, modes to 1000 rad/s, 1000 s (scenarios/ssrms_flexible.yaml)\n");
    printf("%-50s %8s %8s %9s %10s %10s\n", "integrator", "s", "steps", "rates", "energy", "momentum");
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        const double took = run_floating(integrators[i], "duration=1000", to, &s);
        printf("%-50s %8.1f %8ld %9ld %10.2e %10.2e\n", integrators[i], took, s.steps, s.rates,
               fabs(to[0] / from[0] - 1), momentum_change(from, to));
    }
}

int main(void) {
    over_links();
    over_modes();
    published_arm();
    floating_arm();
    return EXIT_SUCCESS;
}
