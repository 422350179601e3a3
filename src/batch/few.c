/* A batch of few states, one by one. */
#include "batch/few.h"

#include <string.h>

#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

/* What lanes take for a unit of states, over what one state takes by itself: first + each x coordinates, with kernels
 * of the baseline, x86-64-v3 and x86-64-v4. A unit is a group, whose registers are worked on together; of derivatives a
 * register, which are worked on one after the other. Measured by `./dev bench batch` at N = 1 (industrial6, quadruped,
 * humanoid50; AMD EPYC, Zen 5), states one after the other:
 *
 *                    v4                  v3                  baseline
 *   inverse          2.9  3.8  4.0       3.3  4.2  4.3       3.9  4.3  4.5
 *   mass             3.3  5.0  6.9       3.8  5.1  5.6       4.4  5.4  5.5
 *   forward          3.0  2.7  4.2       3.6  3.4  5.5       4.1  2.1  3.4
 *   minv             3.8  3.4  5.7       4.3  4.4  7.4       3.8  3.1  1.6
 *   d-inverse        3.0  3.2  4.8       2.4  2.5  3.3       1.3  1.2  1.5
 *   d-forward        3.4  2.7  4.3       2.8  2.0  2.8       1.0  1.0  1.2
 *
 * Where lanes are better than this says, a batch takes as long as a loop. */
typedef struct UnitCost {
    double first, each;
} UnitCost;
static const UnitCost of_group[] = {
    [ZI_ASKED_INVERSE] = {3.2, 0.015}, [ZI_ASKED_BIAS] = {3.2, 0.015}, [ZI_ASKED_FORWARD] = {2.7, 0.03},
    [ZI_ASKED_MIXED] = {2.7, 0.03},    [ZI_ASKED_MASS] = {3.2, 0.1},   [ZI_ASKED_MINV] = {3.4, 0.045},
    [ZI_ASKED_POSE] = {5, 0},          [ZI_ASKED_JACOBIAN] = {5, 0},
};
enum { LEVELS = 3 };
static const UnitCost of_register[2][LEVELS] = {{{1.2, 0.005}, {2.3, 0.02}, {2.9, 0.038}},
                                                {{1.0, 0.003}, {2.3, 0.01}, {2.8, 0.03}}};

uint64_t zi_few_counts(const zvModel *m, const ziLanes *lanes, bool single, ziAsked asked) {
    const bool derivatives = asked >= ZI_ASKED_INVERSE_DERIVATIVES;
    const int level = lanes->bytes >= 64 ? 2 : lanes->bytes >= 32;
    const UnitCost cost = derivatives ? of_register[asked - ZI_ASKED_INVERSE_DERIVATIVES][level] : of_group[asked];
    const size_t unit = derivatives ? lanes->bytes / (single ? sizeof(float) : sizeof(double)) : lanes->group;
    uint64_t counts = 0;
    for (size_t n = 1; n < 64; n++)
        if ((double)n < (cost.first + cost.each * m->nv) * (double)((n + unit - 1) / unit)) counts |= (uint64_t)1 << n;
    return counts;
}

/* Inputs, vectors that are read and written, and the largest answer. */
size_t zi_few_room(const zvModel *m) {
    const size_t nv = (size_t)m->nv, square = nv > ZI_BATCH_MATRIX_MAX ? 0 : 3 * nv * nv;
    return (size_t)m->nq + 4 * nv + 6 * (size_t)m->nlink + square + 6 * nv + 12;
}

/* A state of a task, whose arrays of numbers are `single` or not, and room for what has to be copied; direct: its
 * numbers lie in one piece, in double precision. */
typedef struct One {
    const ziLaneTask *task;
    bool single, direct;
    size_t state;
    double *room;
} One;

static double *take(One *x, size_t n) {
    double *taken = x->room;
    x->room += n;
    return taken;
}

/* Where the first of n numbers of this state lies, and how far they are apart. */
static size_t first_of(const One *x, size_t n) { return x->task->by_state ? x->state * n : x->state; }
static size_t step_of(const One *x) { return x->task->by_state ? 1 : x->task->stride; }

/* A copy of n numbers of this state. */
static double *get_numbers(One *x, const void *from, size_t n) {
    double *to = take(x, n);
    const size_t first = first_of(x, n), step = step_of(x);
    for (size_t i = 0; i < n && x->single; i++) to[i] = (double)((const float *)from)[first + i * step];
    for (size_t i = 0; i < n && !x->single; i++) to[i] = ((const double *)from)[first + i * step];
    return to;
}

/* n numbers that are only read; NULL stays NULL. */
static const double *input(One *x, const void *from, size_t n) {
    if (!from) return NULL;
    return x->direct ? (const double *)from + first_of(x, n) : get_numbers(x, from, n);
}

static void give_numbers(const One *x, const double *from, size_t n, void *to) {
    const size_t first = first_of(x, n), step = step_of(x);
    for (size_t i = 0; i < n && x->single; i++) ((float *)to)[first + i * step] = (float)from[i];
    for (size_t i = 0; i < n && !x->single; i++) ((double *)to)[first + i * step] = from[i];
}

/* Where an answer of n numbers is computed: at the caller's where it lies there in one piece and is no input. NULL: not
 * wanted. */
static double *answer_at(One *x, void *to, size_t n) {
    if (!to) return NULL;
    const bool shared = to == x->task->v || to == x->task->x;
    return x->direct && !shared ? (double *)to + first_of(x, n) : take(x, n);
}
static void answer_to(const One *x, const double *from, size_t n, void *to) {
    if (from && from != (const double *)to + first_of(x, n)) give_numbers(x, from, n, to);
}

/* Answers that are not wanted are left out. */
static zvStatus derivatives_of(One *x, zvWork *work, ziAsked asked, const double *q, const double *v,
                               const double *given, const double *fext) {
    const ziLaneTask *task = x->task;
    const zvModel *m = task->plan->model;
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *X[3], *a = answer_at(x, task->out, nv);
    zvStatus status;
    for (int i = 0; i < 3; i++) X[i] = answer_at(x, task->by[i], square);
    if (asked == ZI_ASKED_INVERSE_DERIVATIVES)
        status = zv_inverse_derivatives(m, work, q, v, given, fext, X[0], X[1], X[2]);
    else
        status = zv_forward_derivatives(m, work, q, v, given, fext, a, X[0], X[1], X[2]);
    for (int i = 0; i < 3; i++) answer_to(x, X[i], square, task->by[i]);
    answer_to(x, a, nv, task->out);
    return status;
}

static zvStatus mixed_of(One *x, zvWork *work, const double *q, const double *v, const double *fext) {
    const ziLaneTask *task = x->task;
    const zvModel *m = task->plan->model;
    const size_t nv = (size_t)m->nv;
    double *tau = get_numbers(x, task->tau, nv), *a = get_numbers(x, task->a, nv);
    const zvStatus status = zv_mixed_dynamics(m, work, q, v, task->given, fext, tau, a);
    give_numbers(x, tau, nv, task->tau);
    give_numbers(x, a, nv, task->a);
    return status;
}

/* A matrix or what is known of a frame. */
static zvStatus matrix_of(One *x, zvWork *work, ziAsked asked, const double *q) {
    const ziLaneTask *task = x->task;
    const zvModel *m = task->plan->model;
    const size_t nv = (size_t)m->nv;
    if (asked == ZI_ASKED_POSE) {
        zvPose pose;
        zv_frame_pose(m, work, q, task->frame, &pose);
        double *all = take(x, 12);
        memcpy(all, pose.R, sizeof pose.R);
        memcpy(all + 9, pose.p, sizeof pose.p);
        give_numbers(x, all, 12, task->out);
        return ZV_OK;
    }
    const size_t n = asked == ZI_ASKED_JACOBIAN ? 6 * nv : nv * nv;
    double *to = answer_at(x, task->out, n);
    zvStatus status = ZV_OK;
    if (asked == ZI_ASKED_JACOBIAN)
        zv_frame_jacobian(m, work, q, task->frame, task->local ? ZV_AXES_LOCAL : ZV_AXES_WORLD, to);
    else if (asked == ZI_ASKED_MASS)
        zv_mass_matrix(m, work, q, to);
    else
        status = zv_mass_inverse(m, work, q, to);
    answer_to(x, to, n, task->out);
    return status;
}

/* One question; vectors are answered here. */
static zvStatus ask_one(One *x, zvWork *work, ziAsked asked) {
    const ziLaneTask *task = x->task;
    const zvModel *m = task->plan->model;
    const size_t nv = (size_t)m->nv;
    const double *q = input(x, task->q, (size_t)m->nq);
    if (asked >= ZI_ASKED_MASS && asked <= ZI_ASKED_JACOBIAN) return matrix_of(x, work, asked, q);
    const double *v = input(x, task->v, nv), *given = input(x, task->x, nv),
                 *fext = input(x, task->fext, 6 * (size_t)m->nlink);
    if (asked == ZI_ASKED_MIXED) return mixed_of(x, work, q, v, fext);
    if (asked >= ZI_ASKED_INVERSE_DERIVATIVES) return derivatives_of(x, work, asked, q, v, given, fext);
    double *to = answer_at(x, task->out, nv);
    zvStatus status = ZV_OK;
    if (asked == ZI_ASKED_FORWARD)
        status = zv_forward_dynamics(m, work, q, v, given, fext, to);
    else if (asked == ZI_ASKED_INVERSE)
        zv_inverse_dynamics(m, work, q, v, given, fext, to);
    else
        zv_bias(m, work, q, v, to);
    answer_to(x, to, nv, task->out);
    return status;
}

zvStatus zi_few_run(zvWork *work, double *room, ziAsked asked, bool single, const ziLaneTask *task) {
    zvStatus worst = ZV_OK;
    const bool direct = !single && (task->by_state || task->stride == 1);
    for (size_t s = 0; s < task->count; s++) {
        One x = {task, single, direct, s, room};
        const zvStatus mine = ask_one(&x, work, asked) < 0 ? ZV_SINGULAR : ZV_OK;
        if (mine != ZV_OK) worst = mine;
        if (task->status) task->status[s] = mine;
    }
    return worst;
}
