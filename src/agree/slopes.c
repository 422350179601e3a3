/* Sizes of the terms that derivatives of forces are sums of.
 *
 * By v: forces are sums of squares of rates, so a unit of v_k more changes each of its terms by no more than it changes
 * the error scale forces, in which nothing cancels. By q: what k turns changes by an angle times itself; what it
 * displaces lengthens a lever, and error scale forces grow with levers as no force can. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "agree/roster.h"
#include "model/joint_type.h"
#include "zveno/derive.h"

/* What a unit along a curve changes of its direction and curvature, relative to them. */
static double bend_of(const ziErrorScale *g, int body) {
    const ziBody *b = &g->model->tree.body[body];
    if (!zi_joint_needs(b->type, ZI_JOINT_PATH)) return 0;
    const ziPath *path = &b->data->path;
    const double lin = g->lin[b->v];
    double bend = lin > 0 ? g->sway[body] / lin : 0;
    for (int i = 0; path->kind == ZV_CURVE_SPLINE && i < path->pieces; i++) bend = fmax(bend, 2 / path->widths[i]);
    return bend;
}

/* Sums over what follows the coordinate, with its ratio. */
double zi_slope_turn(const ziTrial *t, size_t k, double *slide) {
    const zvModel *m = t->model;
    const ziCoupling *c = &m->coupling;
    double turn = 0;
    *slide = 0;
    for (int body = 1; body < m->tree.nb; body++) {
        const ziBody *b = &m->tree.body[body];
        for (int i = b->v; i < b->v + b->nv; i++) {
            if ((size_t)(c->count ? c->v_master[i] : i) != k) continue;
            const double ratio = c->count ? fabs(c->v_ratio[i]) : 1;
            turn += ratio * (t->error_scale.ang[i] + bend_of(&t->error_scale, body));
            *slide += ratio * t->error_scale.lin[i];
        }
    }
    return turn;
}

/* Levers that a unit of coordinate k lengthens. */
static void stretch(ziTrial *t, size_t k) {
    const zvModel *m = t->model;
    const ziCoupling *c = &m->coupling;
    for (int body = 1; body < m->tree.nb; body++) {
        const ziBody *b = &m->tree.body[body];
        for (int i = b->v; i < b->v + b->nv; i++)
            if ((size_t)(c->count ? c->v_master[i] : i) == k)
                t->error_scale.row[body].lever += (c->count ? fabs(c->v_ratio[i]) : 1) * t->error_scale.lin[i];
    }
}

/* Turning changes forces by an angle times themselves, displacing by what longer levers would give. */
void zi_sizes_by_q(ziTrial *t, const double *a, double *by_q) {
    const size_t n = t->nv;
    double slide;
    zi_error_scale_forces(&t->error_scale, t->v, a, t->load, t->forces);
    for (size_t k = 0; k < n; k++) {
        const double turn = zi_slope_turn(t, k, &slide);
        if (slide > 0) stretch(t, k);
        zi_error_scale_forces(&t->error_scale, t->v, a, t->load, t->x);
        for (size_t i = 0; i < n; i++) by_q[i * n + k] = fmax(0, t->x[i] - t->forces[i]) + turn * t->forces[i];
        if (slide > 0) zi_error_scale_place(&t->error_scale, t->q);
    }
}

void zi_sizes_by_v(ziTrial *t, double *by_v) {
    const size_t n = t->nv;
    for (size_t i = 0; i < n; i++) t->y[i] = fabs(t->v[i]);
    zi_error_scale_forces(&t->error_scale, t->y, NULL, NULL, t->forces);
    for (size_t k = 0; k < n; k++) {
        t->y[k] += 1;
        zi_error_scale_forces(&t->error_scale, t->y, NULL, NULL, t->x);
        for (size_t i = 0; i < n; i++) by_v[i * n + k] = fmax(0, t->x[i] - t->forces[i]);
        t->y[k] = fabs(t->v[k]);
    }
}

/* Derivatives of inverse and forward dynamics (zveno/derive.h): against differences of the library's own answers, and
 * against each other, d a/d (q, v) = -M^-1 d tau/d (q, v) at the acceleration that belongs to tau.
 *
 * By v forces and accelerations are of second degree: (f(v + e) - f(v - e))/2 is the derivative with no error but
 * rounding. By q central differences D(h), D(2h), D(4h) are extrapolated to (64 D(h) - 20 D(2h) + D(4h))/45. Their
 * rounding is 2/h times that of an answer; what extrapolation leaves, the blur, is a part of its last step: a small one
 * where that is small beside the step before. Accelerations bend more than forces and have a shorter h. */

enum { FORCE_STEP = -9, ACCELERATION_STEP = -13 }; /* binary exponents of h, in radians or lengths of the robot */

static zvStatus inverse_at(ziTrial *t, const double *q, const double *v, double *tau) {
    zv_inverse_dynamics(t->model, t->work, q, v, t->a, t->load, tau);
    return ZV_OK;
}

static zvStatus forward_at(ziTrial *t, const double *q, const double *v, double *a) {
    return zv_forward_dynamics(t->model, t->work, q, v, t->tau, t->load, a);
}

typedef zvStatus (*At)(ziTrial *t, const double *q, const double *v, double *answer);

/* Differences ----------------------------------------------------------------------------------------- */

/* h of coordinate k, a power of two. */
static double step_of(const ziTrial *t, int exponent, size_t k) {
    double slide, longest = 0;
    const double turn = zi_slope_turn(t, k, &slide);
    for (int i = 1; i < t->model->tree.nb; i++) longest = fmax(longest, t->error_scale.row[i].lever);
    const double rate = turn + (longest > 0 ? slide / longest : slide);
    return ldexp(1, exponent - (rate > 0 ? ilogb(rate) : 0));
}

/* differences := f(q + h e_k) - f(q - h e_k) over 2 h. */
static zvStatus slope_by_q(ziTrial *t, At f, size_t k, double h, double *differences) {
    memset(t->x, 0, t->nv * sizeof *t->x);
    t->x[k] = h;
    zv_position_add(t->model, t->q, t->x, t->near);
    zvStatus status = f(t, t->near, t->v, differences);
    if (status < 0) return status;
    t->x[k] = -h;
    zv_position_add(t->model, t->q, t->x, t->near);
    status = f(t, t->near, t->v, t->y);
    for (size_t i = 0; i < t->nv; i++) differences[i] = (differences[i] - t->y[i]) / (2 * h);
    return status;
}

/* What is left of an extrapolation to `best` whose steps were `first` and `last`; the last is not taken for less than
 * what a geometric series would have, since it may be small by chance. */
static double left_over(double best, double first, double last) {
    const double step = first > 0 ? fmax(last, fmin(first, first * first / fabs(best))) : last;
    return step > 0 ? step * fmin(fmax(16 * step / first, 1.0 / 64), 64) : 0;
}

/* Whether k moves along a spline, whose third derivative jumps: differences that reach across say nothing, and zeros
 * stand in the column. */
static bool jumps(const zvModel *m, size_t k) {
    for (int i = 1; i < m->tree.nb; i++) {
        const ziBody *b = &m->tree.body[i];
        if (!zi_joint_needs(b->type, ZI_JOINT_PATH) || b->data->path.kind != ZV_CURVE_SPLINE) continue;
        if ((size_t)(m->coupling.count ? m->coupling.v_master[b->v] : b->v) == k) return true;
    }
    return false;
}

/* Three steps, extrapolated twice; the blur is what the second extrapolation moved. */
static zvStatus difference_by_q(ziTrial *t, At f, double h, size_t k, double *dq) {
    const size_t n = t->nv;
    zvStatus status = ZV_OK;
    for (int s = 0; s < 3 && status >= 0; s++)
        status = slope_by_q(t, f, k, ldexp(h, s), t->differences + (size_t)s * n);
    for (size_t i = 0; i < n && status >= 0; i++) {
        const double one = t->differences[i], two = t->differences[n + i], four = t->differences[2 * n + i];
        const double better = (4 * one - two) / 3, best = (64 * one - 20 * two + four) / 45;
        dq[i * n + k] = best;
        t->blur[i * n + k] = left_over(best, fabs(better - one), fabs(best - better));
    }
    return status;
}

static zvStatus difference_by_v(ziTrial *t, At f, size_t k, double *dv) {
    const size_t n = t->nv;
    memcpy(t->x, t->v, n * sizeof *t->x);
    t->x[k] = t->v[k] + 1;
    zvStatus status = f(t, t->q, t->x, t->differences);
    if (status < 0) return status;
    t->x[k] = t->v[k] - 1;
    status = f(t, t->q, t->x, t->y);
    for (size_t i = 0; i < n; i++) dv[i * n + k] = (t->differences[i] - t->y[i]) / 2;
    return status;
}

static void clear_column(const ziTrial *t, size_t k, double *dq) {
    for (size_t i = 0; i < t->nv; i++) dq[i * t->nv + k] = t->blur[i * t->nv + k] = 0;
}

static zvStatus differences(ziTrial *t, At f, int step, double *answer) {
    zvStatus status = ZV_OK;
    for (size_t k = 0; k < t->nv && status >= 0; k++) {
        if (jumps(t->model, k))
            clear_column(t, k, answer);
        else
            status = difference_by_q(t, f, step_of(t, step, k), k, answer);
        if (status >= 0) status = difference_by_v(t, f, k, answer + t->nv * t->nv);
    }
    return status;
}

static zvStatus inverse_differences(ziTrial *t, const void *row, double *answer) {
    (void)row;
    return differences(t, inverse_at, FORCE_STEP, answer);
}

static zvStatus forward_differences(ziTrial *t, const void *row, double *answer) {
    (void)row;
    return differences(t, forward_at, ACCELERATION_STEP, answer);
}

/* Analytic -------------------------------------------------------------------------------------------- */

/* `row` NULL: to be compared with differences. */
static zvStatus inverse_analytic(ziTrial *t, const void *row, double *x) {
    const size_t nn = t->nv * t->nv;
    const zvStatus status =
        zv_inverse_derivatives(t->model, t->work, t->q, t->v, t->a, t->load, x, x + nn, row ? x + 2 * nn : NULL);
    for (size_t k = 0; k < t->nv && !row; k++)
        if (jumps(t->model, k)) clear_column(t, k, x);
    return status;
}

static zvStatus forward_analytic(ziTrial *t, const void *row, double *x) {
    const size_t nn = t->nv * t->nv;
    const zvStatus status = zv_forward_derivatives(t->model, t->work, t->q, t->v, t->tau, t->load, NULL, x, x + nn,
                                                   row ? x + 2 * nn : NULL);
    for (size_t k = 0; k < t->nv && !row; k++)
        if (jumps(t->model, k)) clear_column(t, k, x);
    return status;
}

/* A := -X A, with X in scratch. */
static void solve_columns(ziTrial *t, double *A) {
    const size_t n = t->nv;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            t->x[i] = 0;
            for (size_t j = 0; j < n; j++) t->x[i] -= t->square[i * n + j] * A[j * n + k];
        }
        for (size_t i = 0; i < n; i++) A[i * n + k] = t->x[i];
    }
}

/* d a = -M^-1 d tau at the acceleration that belongs to tau. */
static zvStatus forward_by_inverse(ziTrial *t, const void *row, double *x) {
    const size_t nn = t->nv * t->nv;
    (void)row;
    zvStatus status = forward_at(t, t->q, t->v, t->y);
    if (status >= 0) status = zv_mass_inverse(t->model, t->work, t->q, t->square);
    if (status >= 0) status = zv_inverse_derivatives(t->model, t->work, t->q, t->v, t->y, t->load, x, x + nn, NULL);
    if (status < 0) return status;
    solve_columns(t, x);
    solve_columns(t, x + nn);
    memcpy(x + 2 * nn, t->square, nn * sizeof *x);
    return ZV_OK;
}

static zvStatus inverse_generated(ziTrial *t, const void *row, double *x) {
    return t->load ? ZV_NOT_SUPPORTED : zi_recorded_run(row, t->q, t->v, t->a, x);
}

static zvStatus forward_generated(ziTrial *t, const void *row, double *x) {
    return t->load ? ZV_NOT_SUPPORTED : zi_recorded_run(row, t->q, t->v, t->tau, x);
}

/* As methods of other questions: M, M^-1 and a itself. */
static zvStatus mass_derivative(ziTrial *t, const void *row, double *M) {
    (void)row;
    return zv_inverse_derivatives(t->model, t->work, t->q, t->v, t->a, t->load, NULL, NULL, M);
}

static zvStatus minv_derivative(ziTrial *t, const void *row, double *X) {
    (void)row;
    return zv_forward_derivatives(t->model, t->work, t->q, t->v, t->tau, t->load, NULL, NULL, NULL, X);
}

static zvStatus a_of_derivatives(ziTrial *t, const void *row, double *a) {
    (void)row;
    return zv_forward_derivatives(t->model, t->work, t->q, t->v, t->tau, t->load, a, NULL, NULL, t->square);
}

/* Sizes ----------------------------------------------------------------------------------------------- */

static bool inverse_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t nn = t->nv * t->nv;
    (void)median;
    zi_sizes_by_q(t, t->a, sizes);
    zi_sizes_by_v(t, sizes + nn);
    memcpy(sizes + 2 * nn, t->S, nn * sizeof *sizes);
    return true;
}

/* y := |A| |x|, or |A x| when it is to cancel. */
static void times(const ziTrial *t, const double *A, const double *x, bool cancels, double *y) {
    for (size_t i = 0; i < t->nv; i++) {
        double sum = 0;
        for (size_t j = 0; j < t->nv; j++) sum += cancels ? A[i * t->nv + j] * x[j] : fabs(A[i * t->nv + j] * x[j]);
        y[i] = fabs(sum);
    }
}

/* A := |M^-1| (A + S |M^-1| |d tau|), column by column: rounding of d tau = -M answer, and of the inverse. Where d tau
 * is zero it is no more than that rounding. Where all that cancels what is left is the square of rounding, as in
 * zi_sizes_minv. */
static void carry_rounding(ziTrial *t, const double *answer, double *A) {
    const size_t n = t->nv;
    double *column = t->differences, *forces = t->differences + n, *moved = t->differences + 2 * n;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) column[i] = answer[i * n + k];
        times(t, t->M, column, true, forces);
        for (size_t i = 0; i < n; i++) forces[i] += zi_trial_depth(t) * DBL_EPSILON * A[i * n + k];
        times(t, t->X, forces, false, moved);
        times(t, t->S, moved, false, forces);
        for (size_t i = 0; i < n; i++) forces[i] += A[i * n + k];
        times(t, t->X, forces, false, moved);
        times(t, t->S, moved, false, forces);
        times(t, t->X, forces, false, column);
        for (size_t i = 0; i < n; i++) A[i * n + k] = moved[i] + zi_trial_depth(t) * DBL_EPSILON * column[i];
    }
}

/* |a|, and its rounding |M^-1| error scale, into y; that is what derivatives are taken at. False: there is none. */
static bool rough_acceleration(ziTrial *t) {
    if (!t->regular || forward_at(t, t->q, t->v, t->y) < 0) return false;
    zi_error_scale_forces(&t->error_scale, t->v, t->y, t->load, t->forces);
    for (size_t i = 0; i < t->nv; i++) t->forces[i] += fabs(t->tau[i]);
    zi_sizes_accelerated(t, t->forces, t->x);
    for (size_t i = 0; i < t->nv; i++) t->y[i] = fabs(t->y[i]) + t->x[i];
    return true;
}

/* d a/d q and d a/d v. */
static bool pushed_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t nn = t->nv * t->nv;
    if (!rough_acceleration(t)) return false;
    zi_sizes_by_q(t, t->y, sizes);
    zi_sizes_by_v(t, sizes + nn);
    carry_rounding(t, median, sizes);
    carry_rounding(t, median + nn, sizes + nn);
    return true;
}

static bool forward_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t nn = t->nv * t->nv;
    return pushed_sizes(t, median, sizes) && zi_sizes_minv(t, NULL, sizes + 2 * nn);
}

/* Rounding of the answers at both ends of a step, each of size `answer`; of the ends themselves; and the blur. */
static void add_steps(ziTrial *t, int step, const double *answer, double *by_q) {
    const size_t n = t->nv;
    double far = 1;
    for (int i = 0; i < t->model->nq; i++) far = fmax(far, fabs(t->q[i]));
    for (size_t k = 0; k < n; k++) {
        const double h = step_of(t, step, k);
        for (size_t i = 0; i < n; i++) {
            double *size = by_q + i * n + k;
            *size += 2 / h * (answer[i] + far * *size);
            *size += t->blur[i * n + k] / (zi_trial_depth(t) * DBL_EPSILON);
        }
    }
}

/* Sizes of the derivatives, and the rounding of answers divided by the steps. */
static bool inverse_difference_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t n = t->nv;
    double *by_v = sizes + n * n;
    (void)median;
    zi_sizes_by_v(t, by_v);
    zi_sizes_by_q(t, t->a, sizes); /* leaves the error scale forces */
    memcpy(t->y, t->forces, n * sizeof *t->y);
    add_steps(t, FORCE_STEP, t->y, sizes);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) by_v[i * n + k] += t->y[i];
    return true;
}

/* The same for accelerations, whose rounding goes through M^-1. */
static bool forward_difference_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t n = t->nv;
    double *by_v = sizes + n * n;
    if (!pushed_sizes(t, median, sizes)) return false;
    if (forward_at(t, t->q, t->v, t->x) < 0) return false;
    zi_error_scale_forces(&t->error_scale, t->v, t->x, t->load, t->forces);
    for (size_t i = 0; i < n; i++) t->forces[i] += fabs(t->tau[i]);
    zi_sizes_accelerated(t, t->forces, t->y);
    add_steps(t, ACCELERATION_STEP, t->y, sizes);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) by_v[i * n + k] += t->y[i];
    return true;
}

/* The list -------------------------------------------------------------------------------------------- */

static const char elastic_links[] = "defined for rigid links only";
enum { MOST = 512 };

void zi_roster_add_derivative(ziRoster *r, ziLaned what) {
    if (r->model->tree.ne > 0)
        zi_roster_excuse(r, "derivative", elastic_links);
    else if (what == ZI_LANED_MASS)
        zi_roster_add(r, "derivative", mass_derivative, NULL)->untimed = true;
    else {
        ziContender *who =
            zi_roster_add(r, "derivative", what == ZI_LANED_MINV ? minv_derivative : a_of_derivatives, NULL);
        who->untimed = who->cubic = true;
    }
}

static void ask_differences(ziRoster *r, const char *name, const char *meaning, ziSizes sizes, ziAnswer analytic,
                            ziAnswer by_differences) {
    const size_t nv = (size_t)r->model->nv;
    zi_roster_ask(r, name, meaning, 2 * nv * nv, sizes);
    zi_roster_add(r, "analytic", analytic, NULL)->cubic = true;
    ziContender *who = zi_roster_add(r, "differences", by_differences, NULL);
    who->untimed = who->cubic = true;
}

/* Derivatives against programs, against each other and against differences. */
void zi_roster_slopes(ziRoster *r, const ziRecordedSet *generated) {
    static const char all[] = "with the last of three";
    const size_t nv = (size_t)r->model->nv;
    if (r->model->tree.ne > 0 || nv > MOST) return;
    if (generated) { /* else there is nothing to compare them with */
        zi_roster_ask(r, "inverse-derivatives", "d tau/d (q, v, a)", 3 * nv * nv, inverse_sizes);
        zi_roster_add(r, "analytic", inverse_analytic, all);
        zi_roster_add_recorded(r, generated, ZI_RECORDED_INVERSE_DERIVATIVES, inverse_generated);
    }
    zi_roster_ask(r, "forward-derivatives", "d a/d (q, v, tau)", 3 * nv * nv, forward_sizes);
    zi_roster_add(r, "analytic", forward_analytic, all)->cubic = true;
    ziContender *identity = zi_roster_add(r, "-M^-1 d tau", forward_by_inverse, NULL);
    identity->untimed = identity->cubic = true;
    zi_roster_add_recorded(r, generated, ZI_RECORDED_FORWARD_DERIVATIVES, forward_generated);
    ask_differences(r, "inverse-differences", "d tau/d (q, v)", inverse_difference_sizes, inverse_analytic,
                    inverse_differences);
    ask_differences(r, "forward-differences", "d a/d (q, v)", forward_difference_sizes, forward_analytic,
                    forward_differences);
}
