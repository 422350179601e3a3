/* Positions, velocities and accelerations of joints that place a frame: resolved rates, inverse kinematics. */
#include "base/require.h"
#include "linalg/cholesky.h"
#include "opspace/task.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How the error of a pose changes with the motion of the frame. */

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* (1 - (x/2) cot(x/2)) / x^2 */
static double log_term(double x) {
    double z = x * x;
    if (x < 0.1) return (1 + z / 60 * (1 + z / 42 * (1 + z / 40))) / 12;
    return (1 - 0.5 * x / tan(0.5 * x)) / z;
}

static void to_local(const zvPose *pose, double x[3]) {
    double y[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++) x[i] = pose->R[i] * y[0] + pose->R[3 + i] * y[1] + pose->R[6 + i] * y[2];
}

/* With exp(r~) R_actual = R_wanted the rotation vector changes by dr/dt = -(1 + r~/2 + c r~ r~) w, r and w in world
 * axes; in the frame's own axes the middle term changes its sign. There the displacement d turns, too:
 * dd/dt = -v + d x w. */
void zi_pose_error_rates(int nv, zvAxes axes, const zvPose *actual, double error[6], double *J) {
    double half = 0.5, turn = 0;
    double *d = error, *r = error + 3;
    if (axes == ZV_AXES_LOCAL) {
        to_local(actual, d);
        to_local(actual, r);
        half = -0.5;
        turn = 1;
    }
    double c = log_term(sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
    size_t n = (size_t)nv;
    for (size_t k = 0; J && k < n; k++) {
        double w[3] = {J[3 * n + k], J[4 * n + k], J[5 * n + k]}, dw[3], rw[3], rrw[3];
        cross(d, w, dw);
        cross(r, w, rw);
        cross(r, rw, rrw);
        for (size_t i = 0; i < 3; i++) {
            J[i * n + k] -= turn * dw[i];
            J[(3 + i) * n + k] = w[i] + half * rw[i] + c * rrw[i];
        }
    }
}

/* Joint velocities and accelerations of least length that move a task as wanted. */

/* Inverse of J J^T over the joints that may move; their columns of w->J are the others' zeroed. */
static zvStatus open_rows(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task,
                          const unsigned char *held, const ziTaskRows *rows, ziMobility *mobility) {
    double B[36] = {0};
    size_t nv = (size_t)m->nv;
    zv_frame_jacobian(m, w->work, q, task->frame, task->axes, w->J);
    for (size_t k = 0; k < nv; k++) {
        for (size_t i = 0; i < 6 && held && held[k]; i++) w->J[i * nv + k] = 0;
        for (size_t i = 0; i < 6; i++) {
            for (size_t j = 0; j < 6; j++) B[6 * i + j] += w->J[i * nv + k] * w->J[j * nv + k];
        }
    }
    return zi_mobility_invert(m, B, rows, zi_task_reach(m, task->frame), mobility);
}

/* out = J^T (J J^T)^-1 x */
static void least(const zvModel *m, const zvTaskWork *w, const ziTaskRows *rows, const ziMobility *mobility,
                  const double *x, double *out) {
    double y[6];
    size_t nv = (size_t)m->nv;
    zi_mobility_times(mobility, rows->count, x, y);
    memset(out, 0, nv * sizeof *out);
    for (int i = 0; i < rows->count; i++) {
        const double *J = w->J + (size_t)rows->at[i] * nv;
        for (size_t k = 0; k < nv; k++) out[k] += J[k] * y[i];
    }
}

/* Least velocities and, with them, least accelerations of the same task. */
zvStatus zv_task_resolve(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task,
                         const unsigned char *held, const double *xd, const double *xdd, double *v_out, double *a_out) {
    ZI_REQUIRE(m && w && ZI_ARRAY(q, m->nq) && task && xd && ZI_ARRAY(v_out, m->nv));
    ziTaskRows rows = zi_task_rows(task);
    ziMobility mobility;
    zvStatus status = open_rows(m, w, q, task, held, &rows, &mobility);
    least(m, w, &rows, &mobility, xd, v_out);
    if (!a_out) return status;
    double bias[6], x[6];
    zv_frame_bias(m, w->work, q, v_out, task->frame, task->axes, bias);
    for (int i = 0; i < rows.count; i++) x[i] = (xdd ? xdd[i] : 0) - bias[rows.at[i]];
    least(m, w, &rows, &mobility, x, a_out);
    return status;
}

/* Inverse kinematics: damped Gauss-Newton steps (Levenberg and Marquardt) of least length, within joint limits.
 *
 * With e the task's rows of the pose error, lengths measured by the reach, and J = -de/dv over the joints that may
 * move, a step is J^T (J J^T + lambda)^-1 e. lambda is in proportion to |e|^2, so that the end is quadratic, also where
 * J is singular at the answer; the factor grows while steps fail and shrinks while they do what was predicted.
 * A joint that a step would carry past its limit is put on it, and the others take over the rest. */

#define LARGEST_TURN 1.0    /* rad a joint may turn in one step */
#define LEAST_DAMPING 1e-14 /* of the trace of J J^T: directions that the joints cannot move */
#define LEAST_GAIN 1e-14    /* predicted share of |e|^2 below which a position is stationary */
#define MOST_DAMPING 1e12
enum { NUDGES = 3, RECENT = 4 }; /* small motions out of stationary positions; merits remembered */

/* A position and how far it is off. */
typedef struct TaskPoint {
    double e[6]; /* rows of the task, scaled */
    double merit, gap;
} TaskPoint;

typedef struct PositionSearch {
    const zvModel *model;
    zvTaskWork *work;
    const zvTask *task;
    const zvPose *target;
    const unsigned char *held;
    ziTaskRows rows;
    double unit[6]; /* of the rows: 1 / reach or 1 */
    double goal;    /* gap to be reached */
    TaskPoint best; /* so far; its position is work->best */
} PositionSearch;

/* Error at q; with J (6 x nv) also its first m rows := -de/dv, scaled. */
static TaskPoint task_error(const PositionSearch *s, const double *q, double *J) {
    const zvModel *m = s->model;
    size_t nv = (size_t)m->nv;
    double error[6], far[2] = {0, 0};
    zvPose pose;
    TaskPoint p = {0};
    zv_frame_pose(m, s->work->work, q, s->task->frame, &pose);
    zv_pose_error(s->target, &pose, error);
    if (J) zv_frame_jacobian(m, s->work->work, q, s->task->frame, s->task->axes, J);
    zi_pose_error_rates(m->nv, s->task->axes, &pose, error, J);
    for (int i = 0; i < s->rows.count; i++) {
        int at = s->rows.at[i];
        p.e[i] = s->unit[at] * error[at];
        p.merit += p.e[i] * p.e[i];
        far[at / 3] += error[at] * error[at];
        for (size_t k = 0; J && k < nv; k++) J[(size_t)i * nv + k] = s->unit[at] * J[(size_t)at * nv + k];
    }
    p.gap = isnan(p.merit) ? NAN : sqrt(fmax(far[0], far[1]));
    return p;
}

/* Distance of coordinate k from the limit that a step d goes towards; infinite without limits and beyond them. */
static double distance_to_limit(const zvTaskWork *w, const double *q, int k, double d) {
    if (w->q_of[k] < 0) return INFINITY;
    double x = q[w->q_of[k]];
    if (x < w->lower[k] || x > w->upper[k]) return INFINITY;
    return d < 0 ? x - w->lower[k] : w->upper[k] - x;
}

/* y = (sum over joints not fixed J_k J_k^T + lambda)^-1 (e - what the fixed joints do) */
static bool solve_dual(const PositionSearch *s, const double *e, double lambda, const double *step, double *y) {
    const double *J = s->work->J;
    double A[36] = {0}, trace = 0;
    size_t nv = (size_t)s->model->nv, m = (size_t)s->rows.count;
    int order[CHOLESKY_MAX];
    for (size_t i = 0; i < m; i++) {
        y[i] = e[i];
        for (size_t k = 0; k < nv; k++) {
            if (s->work->fixed[k]) {
                y[i] -= J[i * nv + k] * step[k];
                continue;
            }
            for (size_t j = 0; j <= i; j++) A[i * m + j] += J[i * nv + k] * J[j * nv + k];
        }
        for (size_t j = 0; j < i; j++) A[j * m + i] = A[i * m + j];
        trace += A[i * m + i];
    }
    if (!(trace > 0)) return false; /* nobody left who could move the task */
    for (size_t i = 0; i < m; i++) A[i * m + i] += lambda + LEAST_DAMPING * trace;
    if (cholesky_factor((int)m, A, order, 0) < (int)m) return false;
    cholesky_solve((int)m, A, order, y);
    return true;
}

/* step_k = J_k . y for the joints not fixed; returns the one that goes farthest past a limit, or -1. */
static int free_steps(const PositionSearch *s, const double *q, const double *y, double *step) {
    const zvTaskWork *w = s->work;
    size_t nv = (size_t)s->model->nv;
    double worst = 0;
    int past = -1;
    for (size_t k = 0; k < nv; k++) {
        if (w->fixed[k]) continue;
        step[k] = 0;
        for (size_t i = 0; y && i < (size_t)s->rows.count; i++) step[k] += w->J[i * nv + k] * y[i];
        double over = fabs(step[k]) - distance_to_limit(w, q, (int)k, step[k]);
        if (over > worst) {
            worst = over;
            past = (int)k;
        }
    }
    return past;
}

/* The step from q; w->fixed marks the joints that cannot help. */
static void find_step(const PositionSearch *s, const double *q, const double *e, double lambda, double *step) {
    zvTaskWork *w = s->work;
    int nv = s->model->nv;
    double y[6], turn = 0;
    for (int k = 0; k < nv; k++) {
        w->fixed[k] = s->held && s->held[k];
        step[k] = 0;
    }
    for (;;) {
        bool found = solve_dual(s, e, lambda, step, y);
        int past = free_steps(s, q, found ? y : NULL, step);
        if (past < 0) break;
        w->fixed[past] = 1;
        step[past] = copysign(distance_to_limit(w, q, past, step[past]), step[past]);
    }
    for (int k = 0; k < nv; k++) {
        if (w->turns[k]) turn = fmax(turn, fabs(step[k]));
    }
    for (int k = 0; k < nv && turn > LARGEST_TURN; k++) step[k] *= LARGEST_TURN / turn;
}

/* q_out = q + step, limits kept to the last digit. */
static void move_within_limits(const PositionSearch *s, const double *q, const double *step, double *q_out) {
    const zvTaskWork *w = s->work;
    for (int k = 0; k < s->model->nv; k++) w->y[k] = distance_to_limit(w, q, k, step[k]);
    zv_position_add(s->model, q, step, q_out);
    for (int k = 0; k < s->model->nv; k++) {
        int at = w->q_of[k];
        if (isinf(w->y[k])) continue;
        q_out[at] = step[k] < 0 ? fmax(q_out[at], w->lower[k]) : fmin(q_out[at], w->upper[k]);
    }
}

/* Share of the merit that the linear model promises to take away. */
static double promise(const PositionSearch *s, const TaskPoint *p, const double *step) {
    size_t nv = (size_t)s->model->nv;
    double rest = 0;
    for (size_t i = 0; i < (size_t)s->rows.count; i++) {
        double x = p->e[i];
        for (size_t k = 0; k < nv; k++) x -= s->work->J[i * nv + k] * step[k];
        rest += x * x;
    }
    return 1 - rest / p->merit;
}

/* A number between 0 and 1, well spread over coordinates k and counts. */
static double spread(int k, int count) { return fmod(0.6180339887498949 * (k + 1) * count, 1); }

/* Leaves a stationary position (a stretched arm, say) by a small motion of every joint; with fresh it goes to another
 * guess, anywhere within the limits. Another one for each count. */
static void nudge(const PositionSearch *s, int count, bool fresh, double *q) {
    zvTaskWork *w = s->work;
    const double pi = 3.141592653589793;
    for (int k = 0; k < s->model->nv; k++) {
        double share = spread(k, count), size = fresh ? pi : 0.05 * count;
        double x = size * (2 * share - 1) / (w->turns[k] ? 1 : s->unit[0]);
        if (fresh && w->q_of[k] >= 0 && isfinite(w->upper[k] - w->lower[k]))
            x = w->lower[k] + share * (w->upper[k] - w->lower[k]) - q[w->q_of[k]];
        if (s->held && s->held[k]) x = 0;
        if (distance_to_limit(w, q, k, x) < fabs(x))
            x = -fmin(fabs(x), distance_to_limit(w, q, k, -x)) * (x < 0 ? -1 : 1);
        w->x[k] = x;
    }
    move_within_limits(s, q, w->x, q);
}

static void keep_best(PositionSearch *s, const double *q, const TaskPoint *p) {
    if (p->merit >= s->best.merit && p->gap > s->goal) return;
    s->best = *p;
    memcpy(s->work->best, q, (size_t)s->model->nq * sizeof *q);
}

/* One descent from q; returns the iterations left. A step may be worse than the last one, not than the last few: in the
 * curved valley of a nearly stretched arm the way down goes over its sides [Grippo]. */
static int descend(PositionSearch *s, int iterations, double *q) {
    zvTaskWork *w = s->work;
    double factor = 0.01, recent[RECENT];
    TaskPoint p = task_error(s, q, w->J);
    keep_best(s, q, &p);
    for (int i = 0; i < RECENT; i++) recent[i] = p.merit;
    for (int taken = 0; p.gap > s->goal && iterations > 0 && factor < MOST_DAMPING; iterations--) {
        find_step(s, q, p.e, factor * p.merit, w->x);
        double promised = promise(s, &p, w->x), bar = 0;
        if (!(promised > LEAST_GAIN)) break;
        move_within_limits(s, q, w->x, w->q);
        TaskPoint next = task_error(s, w->q, NULL);
        double kept = (1 - next.merit / p.merit) / promised;
        for (int i = 0; i < RECENT; i++) bar = fmax(bar, recent[i]);
        if (!(next.merit < bar - 1e-4 * promised * p.merit)) {
            factor *= 16;
            continue;
        }
        factor *= kept > 0.75 ? 0.25 : kept > 0 ? 1 : 4;
        recent[taken++ % RECENT] = next.merit;
        memcpy(q, w->q, (size_t)s->model->nq * sizeof *q);
        p = task_error(s, q, w->J);
        keep_best(s, q, &p);
    }
    return iterations;
}

/* From one guess: descents, each from a nudge out of the position where the last one stuck. */
static void search_from(PositionSearch *s, int iterations, double *q) {
    int left = descend(s, iterations, q);
    for (int count = 1; s->best.gap > s->goal && left > 0 && count <= NUDGES; count++) {
        nudge(s, count, false, q);
        left = descend(s, left, q);
    }
}

zvInverseKinematics zv_inverse_kinematics_default(void) {
    return (zvInverseKinematics){.tolerance = 1e-12, .iterations = 100};
}

/* Steps until the error is within the tolerance or no step helps; q is the best found. */
zvStatus zv_inverse_kinematics(const zvModel *m, zvTaskWork *w, const zvTask *task, const zvPose *target,
                               const zvInverseKinematics *options, double *q, double *gap) {
    ZI_REQUIRE(m && w && task && target && ZI_ARRAY(q, m->nq));
    const zvInverseKinematics given = options ? *options : zv_inverse_kinematics_default();
    double reach = zi_task_reach(m, task->frame), far = fabs(target->p[0]) + fabs(target->p[1]) + fabs(target->p[2]);
    PositionSearch s = {
        .model = m, .work = w, .task = task, .target = target, .held = given.held, .rows = zi_task_rows(task)};
    s.goal = given.tolerance;
    if (isfinite(far)) s.goal = fmax(s.goal, 8 * DBL_EPSILON * far); /* the target itself is not known better */
    for (int i = 0; i < 6; i++) s.unit[i] = i < 3 ? 1 / reach : 1;
    s.best = task_error(&s, q, NULL);
    memcpy(w->best, q, (size_t)m->nq * sizeof *q);
    for (int fresh = 0; fresh <= given.restarts && s.best.gap > s.goal; fresh++) {
        if (fresh > 0) nudge(&s, fresh, true, q);
        search_from(&s, given.iterations, q);
    }
    memcpy(q, w->best, (size_t)m->nq * sizeof *q);
    if (gap) *gap = s.best.gap;
    return s.best.gap <= s.goal ? ZV_OK : ZV_NO_CONVERGENCE;
}
