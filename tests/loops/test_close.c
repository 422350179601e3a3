/* Closing what is nearly closed: conditions from definitions (support/loop_conditions.h), the least motion from the
 * dense system (support/closed_dense.h), what is given stays, what cannot be closed comes back as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/closed_dense.h"
#include "support/loop_conditions.h"
#include "support/run_tests.h"

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

typedef bool (*Check)(rcCase *c, cdSystem *s);

static void each(uint64_t seed, int count, Check check) {
    int compared = 0;
    for (int i = 0; i < count; i++) {
        const rcOptions options = rc_options_spread(i);
        rcCase c;
        bool good = rc_open(&c, seed + (uint64_t)i, &options);
        if (good && c.loops > 0) {
            cdSystem s;
            cd_open(&s, &c, NULL);
            cd_add_structure(&s, &c, 0, 1);
            if (cd_solve(&s)) {
                good = check(&c, &s);
                compared++;
            }
            cd_close(&s);
        }
        rc_close(&c);
        if (!good) fail_msg("case %d, seed %llu", i, (unsigned long long)(seed + (uint64_t)i));
    }
    print_message("%d mechanisms from seed %llu\n", compared, (unsigned long long)seed);
    assert_true(compared > count / 2);
}

/* The dense system, elastic links with their stiffness, asked for y = -M^-1 G^T (G M^-1 G^T)^-1 asked: the least y with
 * G y = -asked. */
static bool least(cdSystem *s, const double *asked) {
    for (int i = 0; i < s->n; i++) s->given_tau[i] = 0, s->bias[i] = s->error_scale[i] = 0;
    for (int k = 0; k < s->m; k++) s->gamma[k] = asked[k], s->gamma_error_scale[k] = fabs(asked[k]);
    return cd_solve(s);
}

static bool all_closed(const rcCase *c, const double *q, double most) {
    for (int i = 0; i < c->loops; i++) {
        exact F[LC_MOST];
        const int count = lc_conditions(c, i, q, F);
        for (int k = 0; k < count; k++) {
            if (fabsl(F[k]) <= most) continue;
            fprintf(stderr, "seed %llu: condition %d of loop %d is %.3Lg\n", (unsigned long long)c->seed, k, i, F[k]);
            return false;
        }
    }
    return true;
}

/* q moved by steps of some size; elastic coordinates by what the case has of them. */
static void displace(rcCase *c, double by, double *q) {
    double *step = numbers(c->nv);
    for (int i = 0; i < c->nv; i++) step[i] = by * rt_uniform(&c->random, -1, 1);
    for (int i = 0; i < zv_model_nlink(c->model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(c->model, i);
        for (int k = 0; k < place.count; k++)
            step[place.v_index + k] = by * rt_uniform(&c->random, -1, 1) * fabs(c->q[place.q_index + k]);
    }
    zv_position_add(c->model, c->q, step, q);
    free(step);
}

/* How much motion a unit of the worst condition may take. */
static double stiffness(const cdSystem *s) {
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        for (int k = s->n; k < s->n + s->m; k++) most = fmax(most, (double)fabsl(s->inverse[i * (s->n + s->m) + k]));
    }
    return most;
}

static bool closes(rcCase *c, cdSystem *s) {
    if (stiffness(s) > 20) return true; /* a millimetre is far then */
    double *q = numbers(c->nq), *before = numbers(c->nq), gap = 1;
    const size_t size = (size_t)c->nq * sizeof *q;
    displace(c, 1e-3, q);
    memcpy(before, q, size);
    const zvStatus status = zv_close_position(c->model, c->work, NULL, NULL, q, &gap);
    bool good = status == ZV_OK && gap <= 1e-14 && all_closed(c, q, 1e-13);
    if (!good) fprintf(stderr, "seed %llu: %s, gap %.3g\n", (unsigned long long)c->seed, zv_status_name(status), gap);
    memcpy(before, q, size); /* closed already: it stays where it is */
    good = good && zv_close_position(c->model, c->work, NULL, NULL, q, NULL) == ZV_OK;
    for (int i = 0; i < c->nq; i++) good = good && fabs(q[i] - before[i]) <= 1e-13 * (1 + fabs(q[i]));
    free(q);
    free(before);
    return good;
}

static void positions(void **state) {
    (void)state;
    each(18000, 300, closes);
}

/* From a micrometre away the first step is the whole way. */
static bool moves_least(rcCase *c, cdSystem *s) {
    double *q = numbers(c->nq), *want = numbers(c->nq), *gaps = numbers(c->rows), *step = numbers(c->nv), most = 0;
    displace(c, 1e-6, q);
    zv_loop_gaps(c->model, c->work, NULL, q, NULL, gaps, NULL);
    bool good = least(s, gaps);
    for (int i = 0; i < c->nv; i++) {
        step[i] = (double)s->a[i];
        most = fmax(most, fabs(step[i]));
    }
    zv_position_add(c->model, q, step, want);
    if (most < 1e-4 && stiffness(s) < 100) {
        good = good && zv_close_position(c->model, c->work, NULL, NULL, q, NULL) == ZV_OK;
        for (int i = 0; i < c->nq; i++) good = good && fabs(q[i] - want[i]) <= 1e-2 * most;
    }
    free(q);
    free(want);
    free(gaps);
    free(step);
    return good;
}

static void least_motion(void **state) {
    (void)state;
    each(19000, 300, moves_least);
}

/* One joint's coordinates are given: they stay, to the bit. */
static bool holds(rcCase *c, cdSystem *s) {
    double *q = numbers(c->nq), *before = numbers(c->nq);
    const zvJointPlace place = zv_model_joint_place(c->model, rt_below(&c->random, zv_model_njoint(c->model)));
    for (int k = 0; k < place.nv; k++) s->given[place.v_index + k] = ZV_GIVEN_ACCELERATION;
    bool good = true;
    if (cd_solve(s) && stiffness(s) <= 20) {
        displace(c, 1e-3, q);
        memcpy(before, q, (size_t)c->nq * sizeof *q);
        good = zv_close_position(c->model, c->work, NULL, s->given, q, NULL) == ZV_OK && all_closed(c, q, 1e-13);
        if (place.nq == place.nv)
            good = good && memcmp(q + place.q_index, before + place.q_index, (size_t)place.nq * sizeof *q) == 0;
        for (int i = place.q_index; i < place.q_index + place.nq; i++) good = good && fabs(q[i] - before[i]) <= 1e-15;
    }
    free(q);
    free(before);
    return good;
}

static void held(void **state) {
    (void)state;
    each(20000, 300, holds);
}

/* Velocities: exactly the dense projection, with targets that move. */
static bool closes_velocity(rcCase *c, cdSystem *s) {
    double targets[3 * RC_MAX_LOOPS], *gaps = numbers(c->rows), *rates = numbers(c->rows), *v = numbers(c->nv),
                                      rate = 1;
    exact *want = lin_numbers(c->nv);
    for (int i = 0; i < c->loops; i++) {
        const zvLoop *l = &c->loop[i].loop;
        targets[3 * i] = l->kind == ZV_LOOP_ROD ? l->length : l->kind == ZV_LOOP_JOINT ? l->value : l->offset;
        targets[3 * i + 1] = rt_uniform(&c->random, -1, 1);
        targets[3 * i + 2] = 0;
    }
    const zvClosing closing = {.targets = targets};
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    zv_loop_gaps(c->model, c->work, &closing, c->q, v, gaps, rates);
    bool good = least(s, rates);
    for (int i = 0; i < c->nv; i++) {
        want[i] = v[i] + s->a[i];
        for (int k = 0; k < c->nv; k++) s->a_scale[i] += fabs(v[k]) * stiffness(s);
    }
    const zvStatus status = zv_close_velocity(c->model, c->work, &closing, c->q, NULL, v, &rate);
    good = good && status == ZV_OK && cd_near(c, "v", c->nv, v, want, s->a_scale, 1e-12);
    zv_loop_gaps(c->model, c->work, &closing, c->q, v, gaps, rates);
    for (int k = 0; k < c->rows; k++) good = good && fabs(rates[k]) <= 1e-11;
    if (!good) fprintf(stderr, "seed %llu: %s, rate %.3g\n", (unsigned long long)c->seed, zv_status_name(status), rate);
    free(gaps);
    free(rates);
    free(v);
    free(want);
    return good;
}

static void velocities(void **state) {
    (void)state;
    each(21000, 300, closes_velocity);
}

/* Everything given, and not closed. */
static bool refuses(rcCase *c, cdSystem *s) {
    double *q = numbers(c->nq), *before = numbers(c->nq), *v = numbers(c->nv), gap = 0, rate = 0;
    memset(s->given, ZV_GIVEN_LOCKED, (size_t)c->nv);
    displace(c, 0.1, q);
    memcpy(before, q, (size_t)c->nq * sizeof *q);
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    bool good = zv_close_position(c->model, c->work, NULL, s->given, q, &gap) == ZV_CLOSURE && gap > 1e-5;
    good = good && memcmp(q, before, (size_t)c->nq * sizeof *q) == 0;
    good = good && zv_close_velocity(c->model, c->work, NULL, c->q, s->given, v, &rate) == ZV_CLOSURE && rate > 1e-5;
    good = good && memcmp(v, c->v, (size_t)c->nv * sizeof *v) == 0;
    free(q);
    free(before);
    free(v);
    return good;
}

static void impossible(void **state) {
    (void)state;
    each(22000, 60, refuses);
}

static void open_robot(void **state) {
    (void)state;
    rcOptions options = rc_options_spread(0);
    options.loops = 0;
    rcCase c;
    double gap = 1, rate = 1;
    assert_true(rc_open(&c, 23000, &options));
    assert_int_equal(zv_close_position(c.model, c.work, NULL, NULL, c.q, &gap), ZV_OK);
    assert_int_equal(zv_close_velocity(c.model, c.work, NULL, c.q, NULL, c.v, &rate), ZV_OK);
    assert_true(gap == 0 && rate == 0);
    rc_close(&c);
}

TESTS(positions, least_motion, held, velocities, impossible, open_robot)
