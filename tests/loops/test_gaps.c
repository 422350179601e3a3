/* Gaps of loops that are closed by construction, their rates against differences of gaps, biases against differences of
 * rates, residuals against their definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "along.h"
#include "support/run_tests.h"

static const uint64_t SEED = 20260901;

/* What the rods' lengths, offsets and driven coordinates do: value, rate, second rate at t = 0. */
static double *moving_targets(const rcCase *c) {
    double *targets = numbers(3 * c->loops);
    rtRandom random = {c->seed ^ 77};
    for (int i = 0; i < c->loops; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        targets[3 * i] = loop->kind == ZV_LOOP_ROD        ? loop->length
                         : loop->kind == ZV_LOOP_COUPLING ? loop->offset
                                                          : loop->value;
        rt_vector(&random, 1, 2, targets + 3 * i + 1);
    }
    return targets;
}

/* The same at t. */
static double *targets_at(const rcCase *c, double t, const double *start) {
    double *targets = numbers(3 * c->loops);
    for (int i = 0; i < c->loops; i++) {
        targets[3 * i] = start[3 * i] + t * (start[3 * i + 1] + 0.5 * t * start[3 * i + 2]);
        targets[3 * i + 1] = start[3 * i + 1] + t * start[3 * i + 2];
        targets[3 * i + 2] = start[3 * i + 2];
    }
    return targets;
}

/* --- closed --------------------------------------------------------------------------------------------------------
 */

static bool is_closed(const rcCase *c, bool smooth) {
    double *gaps = numbers(c->rows), *zero = numbers(c->rows), gap, rate;
    (void)smooth;
    /* a thread turns rounding of lengths into angles, but its row is a length again; drives of threads and paths see
     * them */
    const double tolerance = 64 * DBL_EPSILON * reach_of(c) / 0.005;
    zv_loop_gaps(c->model, c->work, NULL, c->q, NULL, gaps, NULL);
    zv_loop_residual(c->model, c->work, NULL, c->q, NULL, -1, &gap, &rate);
    const bool good = near(c, "gap", c->rows, gaps, zero, tolerance) && gap <= tolerance / 0.1 && rate == 0;
    free(gaps);
    free(zero);
    return good;
}

static void test_closed(void **state) {
    (void)state;
    assert_true(each_kind(SEED, 20, RT_ALL_CURVES, is_closed));
}

/* --- rates ---------------------------------------------------------------------------------------------------------
 */

static void look_gaps(const rcCase *c, double t, const double *q, const void *more, double *out) {
    double *targets = targets_at(c, t, more);
    const zvClosing closing = {.targets = targets};
    zv_loop_gaps(c->model, c->work, &closing, q, NULL, out, NULL);
    free(targets);
}

static bool rates_are(const rcCase *c, bool smooth) {
    const Along x = along(c, c->v, smooth);
    double *gaps = numbers(c->rows), *rates = numbers(c->rows), *want = numbers(c->rows), *start = moving_targets(c);
    const zvClosing closing = {.targets = start};
    zv_loop_gaps(c->model, c->work, &closing, c->q, c->v, gaps, rates);
    derivative(&x, c->v, look_gaps, start, c->rows, want);
    const bool good = near(c, "rate", c->rows, rates, want, loss_of(&x, reach_of(c)));
    free(gaps);
    free(rates);
    free(want);
    free(start);
    return good;
}

static void test_rates(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 1, 20, RT_LINE | RT_CIRCLE, rates_are));
}

static void test_rates_on_splines(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 2, 12, RT_OPEN_SPLINE | RT_CLOSED_SPLINE, rates_are));
}

/* --- biases --------------------------------------------------------------------------------------------------------
 */

typedef struct Motion {
    const double *v, *start;
} Motion;

static void look_rates(const rcCase *c, double t, const double *q, const void *more, double *out) {
    const Motion *motion = more;
    double *targets = targets_at(c, t, motion->start), *gaps = numbers(c->rows);
    const zvClosing closing = {.targets = targets};
    zv_loop_gaps(c->model, c->work, &closing, q, motion->v, gaps, out);
    free(targets);
    free(gaps);
}

/* Rates of the targets row by row, for rc_fit_velocity. */
static void target_rates(const rcCase *c, const double *start, double *rest) {
    for (int i = 0; i < c->loops; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        const zvLoopPlace place = zv_model_loop_place(c->model, i);
        const bool follows = loop->kind != ZV_LOOP_JOINT || loop->driven;
        if (follows) rest[place.row + place.rows - 1] = start[3 * i + 1];
    }
}

/* Rates are T.V: their derivative is the bias where V is a motion that the joints allow. */
static bool biases_are(const rcCase *c, bool smooth) {
    double *v = numbers(c->nv), *rest = numbers(c->rows), *start = moving_targets(c);
    double *bias = numbers(c->rows), *want = numbers(c->rows);
    bool good = true;
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    target_rates(c, start, rest);
    if (rc_fit_velocity(c, rest, v) == c->rows) {
        const Motion motion = {v, start};
        const Along x = along(c, v, smooth);
        const zvClosing closing = {.targets = start};
        zv_loop_bias(c->model, c->work, &closing, c->q, v, bias);
        derivative(&x, v, look_rates, &motion, c->rows, want);
        good = near(c, "bias", c->rows, bias, want, x.quick * loss_of(&x, reach_of(c)));
    }
    free(v);
    free(rest);
    free(start);
    free(bias);
    free(want);
    return good;
}

static void test_biases(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 3, 20, RT_LINE | RT_CIRCLE, biases_are));
}

static void test_biases_on_splines(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 4, 12, RT_OPEN_SPLINE | RT_CLOSED_SPLINE, biases_are));
}

/* --- feedback and residual -----------------------------------------------------------------------------------------
 */

static void open_a_little(const rcCase *c, double *q) {
    rtRandom random = {c->seed ^ 5};
    double *step = numbers(c->nv);
    rt_vector(&random, 1e-2, c->nv, step);
    zv_position_add(c->model, c->q, step, q);
    free(step);
}

static bool feedback_is(const rcCase *c, bool smooth) {
    enum { FEEDBACK = 7 };
    double *q = numbers(c->nq), *gaps = numbers(c->rows), *rates = numbers(c->rows);
    double *plain = numbers(c->rows), *fed = numbers(c->rows), most = 1;
    const zvClosing closing = {.feedback = FEEDBACK};
    (void)smooth;
    open_a_little(c, q);
    zv_loop_gaps(c->model, c->work, NULL, q, c->v, gaps, rates);
    zv_loop_bias(c->model, c->work, NULL, q, c->v, plain);
    zv_loop_bias(c->model, c->work, &closing, q, c->v, fed);
    for (int i = 0; i < c->rows; i++) {
        plain[i] += 2 * FEEDBACK * rates[i] + FEEDBACK * FEEDBACK * gaps[i];
        most = fmax(most, fabs(plain[i]) + 2 * FEEDBACK * fabs(rates[i]) + FEEDBACK * FEEDBACK * fabs(gaps[i]));
    }
    /* gaps of a driven path or thread may lose what their joints' pitch divides by */
    const bool good = near(c, "feedback", c->rows, fed, plain, 1e-11 * most + 1e-11 * reach_of(c));
    free(q);
    free(gaps);
    free(rates);
    free(plain);
    free(fed);
    return good;
}

/* Which rows are lengths, told by the kind of loop and the number of the row. */
static bool is_length(const zvLoop *loop, int row) {
    static const int linear[ZV_JOINT_TYPES] = {
        [ZV_JOINT_FIXED] = 3,     [ZV_JOINT_REVOLUTE] = 3,    [ZV_JOINT_CONTINUOUS] = 3, [ZV_JOINT_PRISMATIC] = 2,
        [ZV_JOINT_HELICAL] = 2,   [ZV_JOINT_CYLINDRICAL] = 2, [ZV_JOINT_PLANAR] = 1,     [ZV_JOINT_UNIVERSAL] = 3,
        [ZV_JOINT_SPHERICAL] = 3, [ZV_JOINT_CURVE] = 2};
    if (loop->kind != ZV_LOOP_JOINT) return loop->kind == ZV_LOOP_ROD;
    if (row < linear[loop->type]) return true;
    if (loop->type == ZV_JOINT_HELICAL) return row == 4;
    if (loop->type == ZV_JOINT_PRISMATIC) return row == 5;
    return loop->type == ZV_JOINT_CURVE && row == (loop->ball ? 2 : 5);
}

/* With two sizes at hand the size of the robot is found out of one row, and must fit all others. */
static bool residual_is(const rcCase *c, bool smooth) {
    double *q = numbers(c->nq), *gaps = numbers(c->rows), *rates = numbers(c->rows), worst = 0, worst_rate = 0, got, of;
    bool good = true;
    (void)smooth;
    open_a_little(c, q);
    zv_loop_gaps(c->model, c->work, NULL, q, c->v, gaps, rates);
    for (int i = 0; i < c->loops && good; i++) {
        const zvLoopPlace place = zv_model_loop_place(c->model, i);
        double most[2][2] = {{0}}; /* gap, rate; of lengths, of others */
        for (int k = 0; k < place.rows; k++) {
            const int other = !is_length(&c->loop[i].loop, k);
            most[0][other] = fmax(most[0][other], fabs(gaps[place.row + k]));
            most[1][other] = fmax(most[1][other], fabs(rates[place.row + k]));
        }
        zv_loop_residual(c->model, c->work, NULL, q, c->v, i, &got, &of);
        worst = fmax(worst, got);
        worst_rate = fmax(worst_rate, of);
        const double size = 1 / 0.05; /* robots here are larger than 5 cm, and smaller than 1 km */
        good = got >= most[0][1] * (1 - 1e-9) - 1e-12 &&
               got <= fmax(most[0][1], size * most[0][0]) * (1 + 1e-9) + 1e-12 && of >= most[1][1] * (1 - 1e-9) &&
               of <= fmax(most[1][1], size * most[1][0]) * (1 + 1e-9) && got >= 1e-3 * most[0][0] &&
               of >= 1e-3 * most[1][0];
        if (!good)
            fprintf(stderr, "seed %llu: residual of loop %d is %g, %g\n", (unsigned long long)c->seed, i, got, of);
    }
    zv_loop_residual(c->model, c->work, NULL, q, c->v, -1, &got, &of);
    good = good && near(c, "residual", 1, &got, &worst, 1e-9 * worst + 1e-12) &&
           near(c, "residual of rates", 1, &of, &worst_rate, 1e-9 * worst_rate);
    free(q);
    free(gaps);
    free(rates);
    return good;
}

static void test_feedback(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 5, 12, RT_ALL_CURVES, feedback_is));
}

static void test_residual(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 6, 12, RT_ALL_CURVES, residual_is));
}

TESTS(test_closed, test_rates, test_rates_on_splines, test_biases, test_biases_on_splines, test_feedback, test_residual)
