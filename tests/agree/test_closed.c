/* Closed mechanisms: every method of forward dynamics with loops against one dense system in accelerations and
 * multipliers (support/closed_dense.h), and, for a part of them, against what closed means: conditions written down
 * from the definitions of the joints, differentiated twice in time along the motion found, stay zero. Loop forces do no
 * work, and on a free base give no momentum. Tolerance: 1e-12 of the conditioning of each answer; multipliers only
 * where conditions are independent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/closed_dense.h"
#include "support/loop_conditions.h"
#include "support/run_tests.h"

enum { MECHANISMS = 900 };
static const uint64_t first_seed = 95000;
static const double rounding = 1e-12;

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

/* Targets where the loops are closed that move, and velocities that go with them; feedback is silent there. */
static int set_in_motion(rcCase *c, bool moving, double *targets, zvClosing *closing) {
    double *rest = numbers(c->rows), *gaps = numbers(c->rows), *none = numbers(c->nv);
    for (int i = 0; i < c->loops; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        targets[3 * i] = loop->kind == ZV_LOOP_ROD     ? loop->length
                         : loop->kind == ZV_LOOP_JOINT ? loop->value
                                                       : loop->offset;
        targets[3 * i + 1] = moving ? rt_uniform(&c->random, -1, 1) : 0;
        targets[3 * i + 2] = moving ? rt_uniform(&c->random, -5, 5) : 0;
    }
    *closing = (zvClosing){.targets = targets, .feedback = moving ? 3 : 0};
    zv_loop_gaps(c->model, c->work, closing, c->q, none, gaps, rest); /* G 0 - rates of targets */
    for (int i = 0; i < c->rows; i++) rest[i] = -rest[i];
    const int rank = rc_fit_velocity(c, rest, c->v);
    free(rest);
    free(gaps);
    free(none);
    return rank;
}

static bool closed_at_start(const rcCase *c) {
    double gap, rate;
    zv_loop_residual(c->model, c->work, NULL, c->q, NULL, -1, &gap, &rate);
    if (gap <= 1e-13) return true;
    fprintf(stderr, "seed %llu: gap %.3g where the loops are closed\n", (unsigned long long)c->seed, gap);
    return false;
}

static bool methods_agree(rcCase *c, const cdSystem *s, const zvClosing *closing, double *a, double *lambda) {
    size_t count;
    const zvClosedMethod *methods = zv_closed_methods(&count);
    for (size_t k = count; k-- > 0;) { /* the first one's answers stay */
        const zvStatus status = methods[k].run(c->model, c->work, closing, c->q, c->v, c->tau, c->fext, a, lambda);
        if (status == ZV_OK && cd_near(c, "a", c->nv, a, s->a, s->a_scale, rounding) &&
            cd_near(c, "lambda", c->rows, lambda, s->lambda, s->lambda_scale, rounding))
            continue;
        fprintf(stderr, "seed %llu: method %s, %s\n", (unsigned long long)c->seed, methods[k].name,
                zv_status_name(status));
        return false;
    }
    return count >= 1;
}

/* G^T lambda by wrenches against the matrix; its power is that of the targets, none when they rest. */
static bool no_work(rcCase *c, const cdSystem *s, const double *lambda, bool moving) {
    double *forces = numbers(c->nv);
    exact *want = lin_numbers(c->nv), *scale = lin_numbers(c->nv), power = 0, error_scale = 0;
    for (int i = 0; i < c->nv; i++) {
        for (int k = 0; k < c->rows; k++) {
            exact most = 0;
            for (int j = 0; j < c->nv; j++) most = fmaxl(most, fabsl(s->G[k * c->nv + j]));
            want[i] += s->G[k * c->nv + i] * lambda[k];
            scale[i] += most * fabs(lambda[k]);
        }
    }
    zv_loop_forces(c->model, c->work, c->q, lambda, forces);
    bool good = cd_near(c, "G^T lambda", c->nv, forces, want, scale, rounding);
    for (int i = 0; i < c->nv; i++) {
        power += (exact)forces[i] * c->v[i];
        error_scale += scale[i] * (fabs(c->v[i]) + 1e-3); /* velocities of nothing are rounding of those drawn */
    }
    if (!moving && !(fabsl(power) <= rounding * error_scale)) {
        fprintf(stderr, "seed %llu: power %.3Lg of %.3Lg\n", (unsigned long long)c->seed, power, error_scale);
        good = false;
    }
    for (int i = 0; i < 6 && c->tree->free_base; i++) good = good && fabsl(forces[i]) <= rounding * scale[i];
    free(forces);
    free(want);
    free(scale);
    return good;
}

/* Second derivative in time of the conditions of all loops along q (+) (v t + a t^2 / 2): eighth-order differences.
 * With steps of 0.02 over the quickest rates truncation is below rounding, some eps / 0.02^2 of rates squared. */
static bool stays_closed(const rcCase *c, const double *a) {
    static const double weight[5] = {-205 / 72.0, 8 / 5.0, -1 / 5.0, 8 / 315.0, -1 / 560.0};
    double *q = numbers(c->nq), *step = numbers(c->nv), quick = 1, sum = 0, worst = 0;
    for (int i = 0; i < c->nv; i++) {
        quick += fabs(c->v[i]);
        sum += fabs(a[i]);
    }
    quick += sqrt(sum);
    const double h = 0.02 / quick;
    for (int i = 0; i < c->loops; i++) {
        exact second[LC_MOST] = {0}, F[LC_MOST];
        int count = 0;
        for (int k = -4; k <= 4; k++) {
            for (int j = 0; j < c->nv; j++) step[j] = k * h * c->v[j] + 0.5 * (k * h) * (k * h) * a[j];
            zv_position_add(c->model, c->q, step, q);
            count = lc_conditions(c, i, q, F);
            for (int j = 0; j < count; j++) second[j] += weight[abs(k)] * F[j] / (h * h);
        }
        for (int j = 0; j < count; j++) worst = fmax(worst, (double)fabsl(second[j]));
    }
    free(q);
    free(step);
    if (worst <= 1e-9 * quick * quick) return true;
    fprintf(stderr, "seed %llu: conditions accelerate by %.3g of %.3g\n", (unsigned long long)c->seed, worst,
            quick * quick);
    return false;
}

/* Conditions that depend on each other: an answer all the same. */
static bool still_answers(const rcCase *c, const zvClosing *closing, double *a, double *lambda) {
    const zvStatus status =
        zv_closed_forward_dynamics(c->model, c->work, closing, c->q, c->v, c->tau, c->fext, a, lambda);
    bool good = status >= 0;
    for (int i = 0; i < c->nv; i++) good = good && isfinite(a[i]);
    for (int i = 0; i < c->rows; i++) good = good && isfinite(lambda[i]);
    if (!good) fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->seed, zv_status_name(status));
    return good;
}

typedef struct Tally {
    int compared, dependent, rows, elastic;
} Tally;

static bool mechanism_agrees(rcCase *c, int index, Tally *tally) {
    const bool moving = index % 3 == 1;
    double targets[3 * RC_MAX_LOOPS], *a = numbers(c->nv), *lambda = numbers(c->rows);
    zvClosing closing;
    const int rank = set_in_motion(c, moving, targets, &closing);
    cdSystem s;
    cd_open(&s, c, &closing);
    bool good = closed_at_start(c);
    if (rank == c->rows && cd_solve(&s)) {
        good = good && methods_agree(c, &s, &closing, a, lambda) && no_work(c, &s, lambda, moving);
        if (!moving) good = good && stays_closed(c, a);
        tally->compared++;
        tally->rows += c->rows;
        tally->elastic += zv_model_nelastic(c->model) > 0;
    } else {
        good = good && still_answers(c, &closing, a, lambda);
        tally->dependent++;
    }
    cd_close(&s);
    free(a);
    free(lambda);
    return good;
}

static void random_mechanisms(void **state) {
    (void)state;
    Tally tally = {0};
    for (int i = 0; i < MECHANISMS; i++) {
        const rcOptions options = rc_options_spread(i);
        rcCase c;
        const bool open = rc_open(&c, first_seed + (uint64_t)i, &options);
        const bool good = open && (c.loops == 0 || mechanism_agrees(&c, i, &tally));
        rc_close(&c);
        if (!good) fail_msg("case %d, seed %llu", i, (unsigned long long)(first_seed + (uint64_t)i));
    }
    print_message(
        "%d mechanisms from seed %llu compared, %d conditions, %d elastic; %d others with dependent conditions\n",
        tally.compared, (unsigned long long)first_seed, tally.rows, tally.elastic, tally.dependent);
    assert_true(tally.compared >= 500);
    assert_true(tally.elastic >= 50);
}

TESTS(random_mechanisms)
