/* Natural modes: the linearised system without what is held, on what loops allow, motors of flexible joints beside it.
 */
#include "zveno/modes.h"
#include "base/require.h"
#include "model/gear.h"
#include "modes/dense.h"
#include "modes/loops.h"
#include "modes/vibration.h"
#include "zveno/flexible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One text per status, the same for modes and equilibria. */
zvStatus zi_dense_fail(zvStatus status, zvError *error) {
    const zvMark none = {0};
    switch (status) {
    case ZV_OK: return ZV_OK;
    case ZV_MEMORY: return zv_fail(error, status, none, "", "out of memory");
    case ZV_NOT_SUPPORTED:
        return zv_fail(error, status, none, "",
                       "this build has no LAPACK, which modes and equilibria need; build with -DZVENO_LAPACK=ON");
    case ZV_NUMBER:
        return zv_fail(error, status, none, "",
                       "mass or stiffness is not finite; are the numbers of the state sensible?");
    case ZV_SINGULAR:
        return zv_fail(error, status, none, "",
                       "the mass matrix is singular: a part without inertia can move freely; give its link mass and "
                       "inertia, or its joint an armature, or hold it");
    default:
        return zv_fail(error, status, none, "",
                       "LAPACK did not find the eigenvalues; the numbers of the model may be too far apart");
    }
}

/* One call: the problem, and how the unknowns move everything. */
typedef struct ModesProblem {
    const zvModel *model;
    const zvRest *rest;
    size_t nv, n;                     /* degrees of freedom; of them, or combinations of them, that may move */
    size_t motors;                    /* that may move; n of the vibration is the sum */
    const unsigned char *motor_moves; /* nv, or NULL: none */
    double *P;                        /* nv x n: degrees of freedom by unknowns */
    double *S;                        /* nv x nv: coupling of rotors with an axis; NULL: there are none */
    ziVibration v;
    ziArena arena;
} ModesProblem;

static bool is_held(const zvRest *rest, size_t i) { return rest->held && rest->held[i]; }

/* Drops rows and columns of what is held, in place; returns how many remain. */
static size_t drop_held(const zvRest *rest, size_t nv, double *X) {
    size_t n = 0, at = 0;
    for (size_t i = 0; i < nv; i++) n += !is_held(rest, i);
    for (size_t i = 0; i < nv; i++) {
        for (size_t j = 0; j < nv; j++) {
            if (!is_held(rest, i) && !is_held(rest, j)) X[at++] = X[i * nv + j];
        }
    }
    return n;
}

/* All arrays of the problem; false when out of memory. */
static bool take_mode_arrays(ModesProblem *p) {
    const size_t most = p->nv + p->motors, bytes = most * most * sizeof(double);
    ziVibration *v = &p->v;
    v->arena = &p->arena;
    v->M = zi_arena_alloc(&p->arena, bytes);
    v->C = zi_arena_alloc(&p->arena, bytes);
    v->K = zi_arena_alloc(&p->arena, bytes);
    v->shapes = zi_arena_alloc(&p->arena, bytes);
    v->modes = zi_arena_alloc(&p->arena, most * sizeof *v->modes);
    p->P = zi_arena_alloc(&p->arena, p->nv * p->nv * sizeof *p->P);
    const bool couples = p->rest->theta && zv_model_has_rotor_axes(p->model);
    if (couples) p->S = zi_arena_alloc(&p->arena, p->nv * p->nv * sizeof *p->S);
    return v->M && v->C && v->K && v->shapes && v->modes && p->P && (p->S || !couples);
}

/* Without what is held: each unknown is a degree of freedom. */
static void leave_held(ModesProblem *p) {
    drop_held(p->rest, p->nv, p->v.M);
    drop_held(p->rest, p->nv, p->v.C);
    p->n = drop_held(p->rest, p->nv, p->v.K);
    memset(p->P, 0, p->nv * p->n * sizeof *p->P);
    for (size_t i = 0, k = 0; i < p->nv; i++)
        if (!is_held(p->rest, i)) p->P[i * p->n + k++] = 1;
}

/* On what closed loops allow. */
static zvStatus reduce_by_loops(ModesProblem *p, zvWork *work, zvError *error) {
    ziStatics s = {0};
    ziLoopStatics l = {0};
    zvStatus status = zi_statics_create(p->model, work, p->rest, &s, error);
    if (status == ZV_OK) status = zi_loop_statics_matrices(&s, &l, p->v.M, p->v.C, p->v.K, error);
    if (status == ZV_OK) {
        p->n = (size_t)l.n;
        memcpy(p->P, l.P, p->nv * p->n * sizeof *p->P);
    }
    zi_statics_free(&s);
    return status;
}

/* Motors of flexible joints. Their gears act on the links already, as from motors that are locked; those that move have
 * rows and columns of their own:  [. -k P; . k] and inertia, damping on the diagonal. */

/* X (n x n) with room for motors becomes one of n + motors; what is new is zero. */
static void widen(size_t n, size_t motors, double *X) {
    const size_t wide = n + motors;
    for (size_t i = n; i-- > 0;) {
        memmove(X + i * wide, X + i * n, n * sizeof *X);
        memset(X + i * wide + n, 0, motors * sizeof *X);
    }
    memset(X + n * wide, 0, motors * wide * sizeof *X);
}

/* A force x of (motor - link), and own of the motor alone. */
static void couple(const ModesProblem *p, size_t dof, size_t motor, double x, double own, double *X) {
    const size_t wide = p->n + p->motors, at = p->n + motor;
    for (size_t i = 0; i < p->n; i++) {
        const double share = -x * p->P[dof * p->n + i];
        X[i * wide + at] += share;
        X[at * wide + i] += share;
    }
    X[at * wide + at] += x + own;
}

/* Rotors with an axis turn with their links besides: inertia ratio c beside those that move, c = S/(inertia ratio). */
static void couple_motor(ModesProblem *p, size_t dof, size_t motor) {
    const size_t wide = p->n + p->motors, at = p->n + motor;
    for (size_t i = 0; i < p->n; i++) {
        double share = 0;
        for (size_t k = 0; k < p->nv; k++) share += p->P[k * p->n + i] * p->S[k * p->nv + dof];
        p->v.M[i * wide + at] += share;
        p->v.M[at * wide + i] += share;
    }
}

/* The gear of joint j when its motor moves; NULL: it is rigid, or locked. */
static const zvFlexibleJoint *moving_gear(const ModesProblem *p, int j) {
    const zvFlexibleJoint *gear = zv_model_joint(p->model, j)->flexible;
    return gear && p->motor_moves && p->motor_moves[zv_model_joint_place(p->model, j).v_index] ? gear : NULL;
}

/* Rows and columns of the motors that move: the gear between motor and link, inertia and damping of the rotor. */
static void add_motors(ModesProblem *p) {
    ziVibration *v = &p->v;
    size_t motor = 0;
    widen(p->n, p->motors, v->M);
    widen(p->n, p->motors, v->C);
    widen(p->n, p->motors, v->K);
    for (int j = 0; j < zv_model_njoint(p->model); j++) {
        const zvFlexibleJoint *gear = moving_gear(p, j);
        const zvJointPlace place = zv_model_joint_place(p->model, j);
        if (!gear) continue;
        const size_t dof = (size_t)place.v_index;
        const double d = p->rest->theta[dof] - p->rest->q[place.q_index], square = gear->ratio * gear->ratio;
        couple(p, dof, motor, 0, gear->inertia * square, v->M);
        if (p->S) couple_motor(p, dof, motor);
        couple(p, dof, motor, gear->damping, gear->motor_damping * square, v->C);
        couple(p, dof, motor++, zi_gear_tangent(gear, d), 0, v->K);
    }
}

/* Answers. */

/* A mode and where its shape lies. */
typedef struct SortedMode {
    zvMode mode;
    size_t at;
} SortedMode;

static int compare_frequencies(const void *a, const void *b) {
    const SortedMode *x = a, *y = b;
    if (x->mode.frequency != y->mode.frequency) return x->mode.frequency < y->mode.frequency ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Where motors stand: of rigid joints with the link, locked ones nowhere. */
static void spread_motors(const ModesProblem *p, const double *shape, const double *links, double *out) {
    size_t motor = 0;
    memcpy(out, links, p->nv * sizeof *out);
    for (int j = 0; j < zv_model_njoint(p->model); j++) {
        const size_t dof = (size_t)zv_model_joint_place(p->model, j).v_index;
        if (zv_model_joint(p->model, j)->flexible) out[dof] = moving_gear(p, j) ? shape[p->n + motor++] : 0;
    }
}

/* Shape over all degrees of freedom, and all motors where they count, its largest entry positive. */
static void spread_shape(const ModesProblem *p, const double *shape, double *out) {
    const size_t width = p->motor_moves ? 2 * p->nv : p->nv;
    double largest = 0;
    for (size_t i = 0; i < p->nv; i++) {
        out[i] = 0;
        for (size_t c = 0; c < p->n; c++) out[i] += p->P[i * p->n + c] * shape[c];
    }
    if (p->motor_moves) spread_motors(p, shape, out, out + p->nv);
    for (size_t i = 0; i < width; i++)
        if (fabs(out[i]) > (1 + 1e-9) * fabs(largest)) largest = out[i];
    for (size_t i = 0; largest < 0 && i < width; i++) out[i] = 0 - out[i]; /* no -0 */
}

/* Sorted by frequency. */
static zvStatus sort_modes(ModesProblem *p, zvMode *modes, double *shapes) {
    const size_t n = (size_t)p->v.n, width = p->motor_moves ? 2 * p->nv : p->nv;
    SortedMode *rows = zi_arena_alloc(&p->arena, n * sizeof *rows);
    if (!rows) return ZV_MEMORY;
    for (size_t k = 0; k < n; k++) rows[k] = (SortedMode){p->v.modes[k], k};
    qsort(rows, n, sizeof *rows, compare_frequencies);
    for (size_t k = 0; k < n; k++) {
        modes[k] = rows[k].mode;
        if (shapes) spread_shape(p, p->v.shapes + rows[k].at * n, shapes + k * width);
    }
    return ZV_OK;
}

/* Without what is held, on what loops allow, with motors; damped only where there is damping. */
static zvStatus find_modes(ModesProblem *p, zvWork *work, zvMode *modes, double *shapes, int *count, zvError *error) {
    ziVibration *v = &p->v;
    *count = 0;
    zvStatus status = take_mode_arrays(p) ? ZV_OK : zi_dense_fail(ZV_MEMORY, error);
    if (status == ZV_OK) status = zv_linearize(p->model, work, p->rest, v->M, v->C, v->K, error);
    if (status == ZV_OK && p->S) zv_rotor_coupling(p->model, work, p->rest->q, p->S);
    if (status == ZV_OK && zv_model_nloop(p->model) > 0)
        status = reduce_by_loops(p, work, error);
    else if (status == ZV_OK)
        leave_held(p);
    if (status == ZV_OK) {
        if (p->motors) add_motors(p);
        v->n = (int)(p->n + p->motors);
        status = zi_vibration_solve(v);
        if (status == ZV_OK) status = sort_modes(p, modes, shapes);
        zi_dense_fail(status, error);
    }
    if (status == ZV_OK) *count = v->n;
    zi_arena_free(&p->arena);
    return status;
}

zvStatus zv_modes(const zvModel *model, zvWork *work, const zvRest *rest, zvMode *modes, double *shapes, int *count,
                  zvError *error) {
    ZI_REQUIRE(model && work && rest && modes && count);
    ModesProblem p = {.model = model, .rest = rest, .nv = (size_t)zv_model_nv(model)};
    return find_modes(&p, work, modes, shapes, count, error);
}

/* Motors that are not locked are counted first: they decide how large the problem is. */
zvStatus zv_motor_modes(const zvModel *model, zvWork *work, const zvRest *rest, const unsigned char *locked,
                        zvMode *modes, double *shapes, int *count, zvError *error) {
    ZI_REQUIRE(model && work && rest && ZI_ARRAY(rest->q, zv_model_nq(model)) &&
               ZI_ARRAY(rest->theta, zv_model_nv(model)) && modes && count);
    const size_t nv = (size_t)zv_model_nv(model);
    ModesProblem p = {.model = model, .rest = rest, .nv = nv};
    unsigned char *moves = zi_arena_alloc(&p.arena, nv + 1);
    *count = 0;
    if (!moves) return zi_dense_fail(ZV_MEMORY, error);
    for (size_t i = 0; i < nv; i++) moves[i] = !(locked && locked[i]);
    p.motor_moves = moves;
    for (int j = 0; j < zv_model_njoint(model); j++) p.motors += moving_gear(&p, j) != NULL;
    return find_modes(&p, work, modes, shapes, count, error);
}
