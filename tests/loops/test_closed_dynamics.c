/* Mixed dynamics, impulses and singular cases of closed mechanisms, against dense systems (support/closed_dense.h), the
 * open robot, and a pendulum made of two sliders and a rod. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "four_bar.h"
#include "support/closed_dense.h"
#include "support/near.h"
#include "support/run_tests.h"

static const double rounding = 1e-12;

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

typedef bool (*Check)(rcCase *c);

static void each(uint64_t seed, int count, Check check) {
    for (int i = 0; i < count; i++) {
        const rcOptions options = rc_options_spread(i);
        rcCase c;
        const bool good = rc_open(&c, seed + (uint64_t)i, &options) && (c.loops == 0 || check(&c));
        rc_close(&c);
        if (!good) fail_msg("case %d, seed %llu", i, (unsigned long long)(seed + (uint64_t)i));
    }
}

/* Mixed dynamics: what is to be found is poisoned, what is given comes back untouched. ---------------------------- */

static int masks_compared;

static bool mask_agrees(rcCase *c, cdSystem *s, double *tau, double *a, double *lambda) {
    if (!cd_solve(s)) return true; /* dependent in what is left free */
    for (int i = 0; i < c->nv; i++) {
        tau[i] = s->given[i] == ZV_GIVEN_FORCE ? s->given_tau[i] : NAN;
        a[i] = s->given[i] == ZV_GIVEN_ACCELERATION ? s->given_a[i] : NAN;
    }
    const zvStatus status =
        zv_closed_mixed_dynamics(c->model, c->work, NULL, c->q, c->v, s->given, c->fext, tau, a, lambda);
    bool good = status == ZV_OK && cd_near(c, "a", c->nv, a, s->a, s->a_scale, rounding);
    good = good && cd_near(c, "tau", c->nv, tau, s->tau, s->tau_scale, rounding);
    good = good && cd_near(c, "lambda", c->rows, lambda, s->lambda, s->lambda_scale, rounding);
    if (!good) fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->seed, zv_status_name(status));
    masks_compared++;
    return good;
}

static bool masks_agree(rcCase *c) {
    double *tau = numbers(c->nv), *a = numbers(c->nv), *lambda = numbers(c->rows);
    cdSystem s;
    bool good = true;
    rc_fit_velocity(c, NULL, c->v);
    cd_open(&s, c, NULL);
    for (int k = 0; k < 4 && good; k++) {
        const double share = 0.1 * k; /* forces everywhere, then less and less */
        for (int i = 0; i < c->nv; i++) {
            s.given[i] = rt_chance(&c->random, share) ? (unsigned char)(1 + rt_below(&c->random, 2)) : ZV_GIVEN_FORCE;
            s.given_a[i] = rt_uniform(&c->random, -5, 5);
        }
        good = mask_agrees(c, &s, tau, a, lambda);
    }
    cd_close(&s);
    free(tau);
    free(a);
    free(lambda);
    return good;
}

static void mixed(void **state) {
    (void)state;
    masks_compared = 0;
    each(12000, 300, masks_agree);
    print_message("%d masks compared\n", masks_compared);
    assert_true(masks_compared > 400);
}

/* y = (M + extra + damping D + stiffness K)^-1 (x + G^T mu), G y = 0: the dense system without velocities and weight.
 */

static bool products_agree(rcCase *c, double damping, double stiffness) {
    double *extra = numbers(c->nv), *y = numbers(c->nv);
    cdSystem s;
    memset(c->v, 0, (size_t)c->nv * sizeof *c->v);
    cd_open(&s, c, NULL);
    for (int i = 0; i < c->nv; i++) {
        s.given[i] = rt_chance(&c->random, 0.1) ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
        extra[i] = rt_uniform(&c->random, 0, 2);
        s.M[i * (c->nv + 1)] += extra[i];
        s.bias[i] = s.error_scale[i] = 0;
    }
    cd_add_structure(&s, c, damping, stiffness);
    for (int k = 0; k < c->rows; k++) s.gamma[k] = s.gamma_error_scale[k] = 0;
    bool good = true;
    if (cd_solve(&s)) {
        const zvStatus status = damping == 0 && stiffness == 0
                                    ? zv_closed_inverse_times(c->model, c->work, c->q, s.given, extra, c->tau, y)
                                    : zv_closed_structural_inverse_times(c->model, c->work, c->q, s.given, extra,
                                                                         damping, stiffness, c->tau, y);
        good = status == ZV_OK && cd_near(c, "y", c->nv, y, s.a, s.a_scale, rounding);
    }
    cd_close(&s);
    free(extra);
    free(y);
    return good;
}

static bool impulses_agree(rcCase *c) { return products_agree(c, 0, 0); }

static void impulses(void **state) {
    (void)state;
    each(13000, 300, impulses_agree);
}

static bool structures_agree(rcCase *c) {
    const double gamma = rt_decades(&c->random, -5, 0);
    return products_agree(c, gamma, gamma * gamma);
}

static void structures(void **state) {
    (void)state;
    each(15000, 300, structures_agree);
}

/* The last steps of both: prescribing all accelerations. ------------------------------------------------------------
 */

static bool prescribed_motion(rcCase *c) {
    double *tau = numbers(c->nv), *a = numbers(c->nv), *want = numbers(c->nv), *lambda = numbers(c->rows);
    unsigned char *given = calloc((size_t)c->nv + 1, 1);
    assert_non_null(given);
    memset(given, ZV_GIVEN_ACCELERATION, (size_t)c->nv);
    const bool whole = rc_fit_velocity(c, NULL, c->v) == c->rows;
    cdSystem s;
    cd_open(&s, c, NULL);
    bool good = true;
    if (whole && cd_solve(&s)) {
        for (int i = 0; i < c->nv; i++) a[i] = (double)s.a[i];
        /* a fits the loops: Newton-Euler's forces do it without any in the loops */
        zvStatus status = zv_closed_mixed_dynamics(c->model, c->work, NULL, c->q, c->v, given, c->fext, tau, a, lambda);
        good = status == ZV_DEGRADED;
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, a, c->fext, want);
        for (int i = 0; i < c->nv; i++) {
            exact size = s.error_scale[i];
            for (int j = 0; j < c->nv; j++) size += sqrtl(s.M[i * (c->nv + 1)] * s.M[j * (c->nv + 1)]) * fabs(a[j]);
            good = good && fabs(tau[i] - want[i]) <= 1e-12 * size;
        }
        for (int k = 0; k < c->rows; k++) good = good && lambda[k] == 0;
        /* and this one does not */
        for (int i = 0; i < c->nv; i++) a[i] += rt_signed(&c->random, 1, 3);
        status = zv_closed_mixed_dynamics(c->model, c->work, NULL, c->q, c->v, given, c->fext, tau, a, lambda);
        good = good && status == ZV_CLOSURE;
    }
    cd_close(&s);
    free(tau);
    free(a);
    free(want);
    free(lambda);
    free(given);
    return good;
}

static void over_prescribed(void **state) {
    (void)state;
    each(14000, 100, prescribed_motion);
}

/* Every loop twice: the same motion, each of a pair takes half. ------------------------------------------------------
 */

static bool twins_share(rcCase *c) {
    const zvLoop *loops[2 * RC_MAX_LOOPS];
    zvLoop again[RC_MAX_LOOPS];
    char names[RC_MAX_LOOPS][24];
    for (int i = 0; i < c->loops; i++) {
        snprintf(names[i], sizeof names[i], "twin%d", i);
        again[i] = c->loop[i].loop;
        again[i].name = names[i];
        loops[i] = &c->loop[i].loop;
        loops[c->loops + i] = &again[i];
    }
    const bool whole = rc_fit_velocity(c, NULL, c->v) == c->rows;
    double *a = numbers(c->nv), *lambda = numbers(2 * c->rows), *sum = numbers(c->rows), *a_only = numbers(c->nv);
    zvModel *model = rc_freeze(c, loops, 2 * c->loops);
    zvWork *work = model ? zv_work_create(model, NULL) : NULL;
    cdSystem s;
    cd_open(&s, c, NULL);
    bool good = work;
    if (work && whole && cd_solve(&s)) {
        const zvStatus status = zv_closed_forward_dynamics(model, work, NULL, c->q, c->v, c->tau, c->fext, a, lambda);
        good = status == ZV_DEGRADED && cd_near(c, "a of twins", c->nv, a, s.a, s.a_scale, rounding);
        for (int k = 0; k < c->rows; k++) {
            sum[k] = lambda[k] + lambda[c->rows + k];
            good = good && fabs(lambda[k] - lambda[c->rows + k]) <= 1e-9 * (double)s.lambda_scale[k];
        }
        good = good && cd_near(c, "lambda of twins", c->rows, sum, s.lambda, s.lambda_scale, rounding);
        const zvStatus alone = zv_closed_forward_dynamics(model, work, NULL, c->q, c->v, c->tau, c->fext, a_only, NULL);
        good = good && alone == ZV_DEGRADED && memcmp(a, a_only, (size_t)c->nv * sizeof *a) == 0;
    }
    cd_close(&s);
    zv_work_destroy(work);
    zv_model_destroy(model);
    free(a);
    free(lambda);
    free(sum);
    free(a_only);
    return good;
}

static void redundant(void **state) {
    (void)state;
    each(15000, 120, twins_share);
}

/* Without loops everything is that of dynamics.h, to the bit. -------------------------------------------------------
 */

static void open_robots(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        rcOptions options = rc_options_spread(i);
        options.loops = 0;
        rcCase c;
        assert_true(rc_open(&c, 16000 + (uint64_t)i, &options));
        const size_t size = (size_t)c.nv * sizeof(double);
        double *x = numbers(c.nv), *y = numbers(c.nv), *tau = numbers(c.nv), *other = numbers(c.nv);
        unsigned char *given = calloc((size_t)c.nv + 1, 1);
        assert_non_null(given);
        zv_forward_dynamics(c.model, c.work, c.q, c.v, c.tau, c.fext, x);
        zv_closed_forward_dynamics(c.model, c.work, NULL, c.q, c.v, c.tau, c.fext, y, NULL);
        assert_memory_equal(x, y, size);
        for (int k = 0; k < c.nv; k++) given[k] = (unsigned char)rt_below(&c.random, 3);
        memcpy(tau, c.tau, size);
        memcpy(other, c.tau, size);
        zv_mixed_dynamics(c.model, c.work, c.q, c.v, given, c.fext, tau, x);
        zv_closed_mixed_dynamics(c.model, c.work, NULL, c.q, c.v, given, c.fext, other, y, NULL);
        assert_memory_equal(x, y, size);
        assert_memory_equal(tau, other, size);
        zv_structural_inverse_times(c.model, c.work, c.q, given, NULL, 0, 0, c.tau, x);
        zv_closed_inverse_times(c.model, c.work, c.q, given, NULL, c.tau, y);
        assert_memory_equal(x, y, size);
        free(x);
        free(y);
        free(tau);
        free(other);
        free(given);
        rc_close(&c);
    }
}

/* A mass on two sliders, held by a rod of length L to the ground: a pendulum. With phi from the vertical and rate w
 *   phi'' = -g sin phi / L,   pull of the rod = m (g cos phi + L w^2);  the multiplier pushes outward: minus that. */
static void pendulum_of_a_rod(void **state) {
    (void)state;
    const double mass = 1.7, L = 0.8, g = 9.81, phi = 0.6, w = 1.3;
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("base"), carriage = zv_link_default("carriage"), bob = zv_link_default("bob");
    bob.inertia = (zvInertia){.mass = mass, .moment = {1, 0, 0, 1, 0, 1}};
    zvJoint x = zv_joint_default("x", ZV_JOINT_PRISMATIC, "base", "carriage");
    zvJoint z = zv_joint_default("z", ZV_JOINT_PRISMATIC, "carriage", "bob");
    x.axis[0] = 1, x.axis[2] = 0;
    zvLoop rod = zv_loop_default("rod", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "bob");
    rod.length = L;
    assert_int_equal(zv_builder_add_link(b, &base, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &carriage, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &bob, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &x, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &z, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_loop(b, &rod, NULL), ZV_OK);
    zvModel *model = NULL;
    zvError error = {0};
    if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s", error.text);
    zvWork *work = zv_work_create(model, NULL);
    const double q[2] = {L * sin(phi), -L * cos(phi)}, v[2] = {L * w * cos(phi), L * w * sin(phi)};
    double a[2], lambda;
    assert_int_equal(zv_closed_forward_dynamics(model, work, NULL, q, v, NULL, NULL, a, &lambda), ZV_OK);
    const double turn = -g * sin(phi) / L;
    assert_near(a[0], L * (turn * cos(phi) - w * w * sin(phi)), 1e-13);
    assert_near(a[1], L * (turn * sin(phi) + w * w * cos(phi)), 1e-13);
    assert_near(lambda, -mass * (g * cos(phi) + L * w * w), 1e-12);
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(b);
}

/* Accelerations that contradict the loop are seen at any size, those that agree are taken. */
static void contradictions(void **state) {
    (void)state;
    const unsigned char given[3] = {ZV_GIVEN_ACCELERATION, ZV_GIVEN_ACCELERATION, ZV_GIVEN_FORCE};
    for (double s = 1e-9; s < 1e4; s *= 10) {
        FourBar x = four_bar(s, s < 1);
        double tau[3] = {0, 0, 0}, a[3], agreed[3];
        zv_closed_forward_dynamics(x.model, x.work, NULL, x.q, x.v, NULL, NULL, agreed, NULL);
        memcpy(a, agreed, sizeof a);
        assert_int_equal(zv_closed_mixed_dynamics(x.model, x.work, NULL, x.q, x.v, given, NULL, tau, a, NULL),
                         ZV_DEGRADED);
        a[0] = 1, a[1] = 5, a[2] = 0;
        assert_int_equal(zv_closed_mixed_dynamics(x.model, x.work, NULL, x.q, NULL, given, NULL, tau, a, NULL),
                         ZV_CLOSURE);
        a[0] = NAN;
        assert_true(zv_closed_mixed_dynamics(x.model, x.work, NULL, x.q, NULL, given, NULL, tau, a, NULL) < 0);
        four_bar_end(&x);
    }
}

TESTS(mixed, impulses, structures, over_prescribed, redundant, open_robots, pendulum_of_a_rod, contradictions)
