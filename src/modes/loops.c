/* Closed loops about a state of rest. With G x = 0 for departures and the forces G^T lambda that keep it so, potential
 * energy on the closed positions has the tangent
 *
 *   K_r = P^T (K - d(G^T lambda)/dq) P,   G P = 0,   lambda constant
 *
 * the second term being what the forces of the loops make of their own turning [Kolyubin] 3.3, Pdot of (L.13) at rest:
 * from G P = 0 follows P'^T G^T lambda = -P^T (G^T)' lambda. */
#include "modes/loops.h"

#include "linalg/echelon.h"
#include "loops/near.h"
#include "loops/reduction.h"
#include "loops/tell.h"
#include "modes/dense.h"
#include "zveno/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double floor_of_pivots = 1e-9; /* smaller ones are those of conditions that repeat others */
static const double step_of_loops = 1.0 / 1024;
static const double closed_enough = 1e-7; /* of the robot's size */
static const double even = 1e-9;          /* asymmetry of a tangent that differences leave */

/* Once for all positions. */
bool zi_loop_statics_create(ziStatics *s, ziLoopStatics *l) {
    const size_t nv = s->nv, rows = (size_t)zv_model_nloop_rows(s->model), one = sizeof(double);
    *l = (ziLoopStatics){.rows = (int)rows};
    l->dof = zi_arena_alloc(&s->arena, (nv + 1) * sizeof *l->dof);
    l->taken = zi_arena_alloc(&s->arena, (nv + 1) * sizeof *l->taken);
    l->kinds = zi_arena_alloc(&s->arena, nv + 1);
    l->P = zi_arena_alloc(&s->arena, nv * nv * one);
    l->X = zi_arena_alloc(&s->arena, nv * nv * one);
    l->lambda = zi_arena_alloc(&s->arena, rows * one);
    l->unit = zi_arena_alloc(&s->arena, rows * one);
    l->force = zi_arena_alloc(&s->arena, nv * one);
    l->E = zi_arena_alloc(&s->arena, rows * (nv + rows) * one);
    l->high = zi_arena_alloc(&s->arena, 2 * nv * one);
    l->low = zi_arena_alloc(&s->arena, 2 * nv * one);
    return l->dof && l->taken && l->kinds && l->P && l->X && l->lambda && l->unit && l->force && l->E && l->high &&
           l->low;
}

/* Joints follow sooner than elastic links, so that stiff entries of K are not spread over soft ones. */
static void set_kinds(const ziStatics *s, ziLoopStatics *l, bool keep) {
    const unsigned char *held = s->rest->held;
    for (size_t i = 0; i < s->nv; i++)
        l->kinds[i] = held && held[i] ? ECHELON_NEVER : keep && l->taken[i] < 0 ? ECHELON_NEVER : ECHELON_FIRST;
    for (int link = 0; !keep && link < zv_model_nlink(s->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(s->model, link);
        for (int k = 0; k < place.count; k++)
            if (l->kinds[place.v_index + k] == ECHELON_FIRST) l->kinds[place.v_index + k] = ECHELON_LATER;
    }
}

/* G of closed loops with rows and columns in units, held columns zero. */
static void scaled_jacobian(const ziStatics *s, const ziLoopStatics *l, const double *q, double *G) {
    const unsigned char *held = s->rest->held;
    zi_dense_jacobian(s->model, s->work, zi_statics_closing(s), q, G, l->unit);
    for (size_t r = 0; r < (size_t)l->rows; r++) {
        for (size_t i = 0; i < s->nv; i++) G[r * s->nv + i] *= held && held[i] ? 0 : s->unit[i];
    }
}

/* [G | 1] in units, eliminated; then P from the rows. */
void zi_loop_statics_at(ziStatics *s, ziLoopStatics *l, const double *q, bool keep) {
    const size_t nv = s->nv, rows = (size_t)l->rows, width = nv + rows;
    const unsigned char *held = s->rest->held;
    double least, *G = l->E + rows * rows; /* moved to the front row by row */
    scaled_jacobian(s, l, q, G);
    for (size_t r = 0; r < rows; r++) {
        double *row = l->E + r * width;
        memmove(row, G + r * nv, nv * sizeof *row);
        for (size_t k = 0; k < rows; k++) row[nv + k] = k == r ? l->unit[r] : 0;
    }
    set_kinds(s, l, keep);
    echelon_reduce(l->rows, (int)nv, (int)width, l->E, l->kinds, floor_of_pivots, l->taken, &least);
    l->n = 0;
    for (size_t i = 0; i < nv; i++) {
        if (l->taken[i] < 0 && !(held && held[i])) l->dof[l->n++] = (int)i;
    }
    memset(l->P, 0, nv * nv * sizeof *l->P);
    for (int c = 0; c < l->n; c++) {
        const size_t from = (size_t)l->dof[c], n = (size_t)l->n;
        l->P[from * n + (size_t)c] = 1;
        for (size_t i = 0; i < nv; i++) {
            if (l->taken[i] >= 0)
                l->P[i * n + (size_t)c] = -s->unit[i] / s->unit[from] * l->E[(size_t)l->taken[i] * width + from];
        }
    }
}

/* Rows of E are T G: multipliers of them balance one dependent coordinate each, lambda = T^T of these. */
void zi_loop_statics_balance(ziStatics *s, ziLoopStatics *l, const double *q, const double *force) {
    const size_t nv = s->nv, rows = (size_t)l->rows, width = nv + rows;
    memset(l->lambda, 0, rows * sizeof *l->lambda);
    for (size_t i = 0; i < nv; i++) {
        if (l->taken[i] < 0) continue;
        const double *T = l->E + (size_t)l->taken[i] * width + nv;
        for (size_t k = 0; k < rows; k++) l->lambda[k] += s->unit[i] * force[i] * T[k];
    }
    zv_loop_forces(s->model, s->work, q, l->lambda, l->force);
}

static void forces_at(ziStatics *s, const ziLoopStatics *l, const double *q, size_t j, double step, double *force) {
    s->step[j] = step;
    zv_position_add(s->model, q, s->step, s->moved);
    s->step[j] = 0;
    zv_loop_forces(s->model, s->work, s->moved, l->lambda, force);
}

/* Entries that rounding alone could have made are left out. */
void zi_loop_statics_stiffen(ziStatics *s, ziLoopStatics *l, const double *q, size_t width, double *K) {
    const size_t nv = s->nv;
    double scale = 0;
    for (int r = 0; r < l->rows; r++) scale += s->reach * fabs(l->lambda[r]);
    for (size_t j = 0; scale > 0 && j < nv; j++) {
        const double h = step_of_loops * s->unit[j];
        if (s->rest->held && s->rest->held[j]) continue;
        forces_at(s, l, q, j, h, l->high);
        forces_at(s, l, q, j, 2 * h, l->high + nv);
        forces_at(s, l, q, j, -h, l->low);
        forces_at(s, l, q, j, -2 * h, l->low + nv);
        for (size_t i = 0; i < nv; i++) {
            const double near = l->high[i] - l->low[i], far = l->high[nv + i] - l->low[nv + i];
            const double slope = (8 * near - far) / (12 * h);
            if (fabs(slope) > 64 * DBL_EPSILON / h * scale / s->unit[i]) K[i * width + j] -= slope;
        }
    }
}

/* Products with the zeros of P left out; halves that differ by rounding or truncation are made the same. */
void zi_loop_statics_reduce(ziStatics *s, ziLoopStatics *l, const double *X, double *Y) {
    const size_t nv = s->nv, n = (size_t)l->n;
    memset(l->X, 0, nv * n * sizeof *l->X);
    for (size_t i = 0; i < nv; i++) {
        for (size_t j = 0; j < nv; j++) {
            const double x = X[i * nv + j];
            for (size_t c = 0; x != 0 && c < n; c++) l->X[i * n + c] += x * l->P[j * n + c];
        }
    }
    memset(Y, 0, n * n * sizeof *Y);
    for (size_t i = 0; i < nv; i++) {
        for (size_t a = 0; a < n; a++) {
            const double p = l->P[i * n + a];
            for (size_t c = 0; p != 0 && c < n; c++) Y[a * n + c] += p * l->X[i * n + c];
        }
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t c = 0; c < a; c++) {
            double *x = &Y[a * n + c], *y = &Y[c * n + a];
            const double size = sqrt(fabs(Y[a * n + a] * Y[c * n + c])) + fabs(*x) + fabs(*y);
            const double unit = s->error_scale / (s->unit[l->dof[a]] * s->unit[l->dof[c]]);
            if (fabs(*x - *y) <= even * (size + unit)) *x = *y = 0.5 * (*x + *y);
        }
    }
}

/* Names the worst loop. */
zvStatus zi_loop_statics_check(const ziStatics *s, const double *q, zvError *error) {
    const zvStatus passive = zi_statics_check_loop_springs(s, error);
    if (passive < 0) return passive;
    double worst = 0;
    int at = 0;
    if (zi_rest_moves(s->rest, s->nv) && !s->outside)
        return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "v",
                       "expected a state of rest of a model with closed loops, found velocities; leave v out");
    for (int i = 0; i < zv_model_nloop(s->model); i++) {
        double gap;
        zv_loop_residual(s->model, s->work, zi_statics_closing(s), q, NULL, i, &gap, NULL);
        if (!(gap <= worst)) worst = gap, at = i;
    }
    if (worst <= closed_enough) return ZV_OK;
    const char *name = zv_model_loop(s->model, at)->name;
    return zv_fail(error, ZV_CLOSURE, (zvMark){0}, name,
                   "expected a position that closes the loops, found a gap of %.3g of the robot's size in loop "
                   "\"%.60s\"; zveno assemble finds one that does",
                   worst, name);
}

/* Singular positions. Where conditions become dependent for a moment the closed positions are no smooth surface: it has
 * no tangent, P hangs on rounding, and there are no modes. Beside such a position G holds more directions than in it.
 */

enum { LOOKS = 3 };
static const double weak = 1e-5, firm = 1e-4; /* singular values of G, of the largest: no hold; a hold */
static const double beside = 0.02;            /* how far to look, in units of the degrees of freedom */

/* Arrays for singular values of G. */
typedef struct Hold {
    int rows, columns; /* of the transpose of G, with rows of zeros where it is too short */
    double *G;         /* conditions x nv */
    double *B, *values, *left;
} Hold;

/* How many directions G holds at q by singular values above a part of the largest; their vectors are in h->left. */
static zvStatus count_held(ziStatics *s, const ziLoopStatics *l, const double *q, double floor, Hold *h, int *count) {
    const size_t rows = (size_t)h->rows, n = (size_t)h->columns;
    scaled_jacobian(s, l, q, h->G);
    memset(h->B, 0, rows * n * sizeof *h->B);
    for (size_t r = 0; r < n; r++) memcpy(h->B + r * rows, h->G + r * s->nv, s->nv * sizeof *h->B);
    const zvStatus status = zi_dense_singular(h->rows, h->columns, h->B, h->values, h->left);
    for (*count = 0; *count < h->columns && h->values[*count] > floor * h->values[0];) ++*count;
    return status;
}

/* s->moved := a closed position beside s->q, in no special direction of those that the loops allow. */
static bool look_beside(ziStatics *s, const ziLoopStatics *l, int look, double far, unsigned char *given) {
    const size_t nv = s->nv, n = (size_t)l->n;
    double most = 0;
    for (size_t i = 0; i < nv; i++) {
        s->step[i] = 0;
        given[i] = s->rest->held && s->rest->held[i] ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
        for (size_t c = 0; c < n; c++)
            s->step[i] += l->P[i * n + c] * s->unit[l->dof[c]] * sin(1.0 + look + (double)(c * c));
        most = fmax(most, fabs(s->step[i]) / s->unit[i]);
    }
    for (size_t i = 0; i < nv; i++) s->step[i] *= most > 0 ? far / most : 0;
    zv_position_add(s->model, s->q, s->step, s->moved);
    memset(s->step, 0, nv * sizeof *s->step);
    return most > 0 && zi_close_near(s->model, s->work, NULL, given, s->moved, NULL) >= 0;
}

/* The loop that has most of direction k of those held. */
static int loop_of(const ziStatics *s, const Hold *h, int k) {
    const double *left = h->left + (size_t)k * (size_t)h->columns;
    double most = -1;
    int worst = 0;
    for (int i = 0; i < zv_model_nloop(s->model); i++) {
        const zvLoopPlace place = zv_model_loop_place(s->model, i);
        double sum = 0;
        for (int r = 0; r < place.rows; r++) sum += left[place.row + r] * left[place.row + r];
        if (sum > most) most = sum, worst = i;
    }
    return worst;
}

/* With loop and position; what to do about it. */
static zvStatus tell_singular_loop(ziStatics *s, int loop, zvError *error) {
    const zvLoop *what = zv_model_loop(s->model, loop);
    int *signs = zi_arena_alloc(&s->arena, ((size_t)zv_model_njoint(s->model) + 1) * sizeof *signs);
    char where[400] = "";
    if (!signs) return zi_dense_fail(ZV_MEMORY, error);
    zi_tell_loop_joints(s->model, loop, s->q, signs, where, sizeof where);
    return zv_fail(
        error, ZV_SINGULAR, what->mark, what->name,
        "expected a regular position of the loops, found a singular one of loop \"%.60s\" (%s): its "
        "conditions repeat each other there and not beside it, and small motions about it have no modes; give "
        "a position beside it, or an equilibrium that a spring or tau moves away from it",
        what->name, *where ? where + 2 : "none of its joints has one coordinate");
}

/* By three closed positions beside it. Where all conditions hold there is nothing to look for. */
static zvStatus check_regular(ziStatics *s, ziLoopStatics *l, zvError *error) {
    const size_t rows = (size_t)l->rows, longer = s->nv > rows ? s->nv : rows, one = sizeof(double);
    Hold h = {.rows = (int)longer, .columns = l->rows};
    unsigned char *given = zi_arena_alloc(&s->arena, s->nv + 1);
    int here, there;
    if (rows == 0) return ZV_OK;
    h.G = zi_arena_alloc(&s->arena, rows * s->nv * one);
    h.B = zi_arena_alloc(&s->arena, rows * longer * one);
    h.values = zi_arena_alloc(&s->arena, rows * one);
    h.left = zi_arena_alloc(&s->arena, rows * rows * one);
    if (!given || !h.G || !h.B || !h.values || !h.left) return zi_dense_fail(ZV_MEMORY, error);
    zvStatus status = count_held(s, l, s->q, weak, &h, &here);
    for (int look = 0; status == ZV_OK && look < LOOKS && here < l->rows; look++) {
        if (!look_beside(s, l, look, beside, given) && !look_beside(s, l, look, beside / 8, given)) continue;
        status = count_held(s, l, s->moved, firm, &h, &there);
        if (status == ZV_OK && there > here) return tell_singular_loop(s, loop_of(s, &h, there - 1), error);
    }
    return zi_dense_fail(status, error);
}

/* K is still that of the tree when the forces of the loops are found. */
zvStatus zi_loop_statics_matrices(ziStatics *s, ziLoopStatics *l, double *M, double *C, double *K, zvError *error) {
    double *force = zi_arena_alloc(&s->arena, s->nv * sizeof *force),
           *size = zi_arena_alloc(&s->arena, s->nv * sizeof *size);
    if (!force || !size || !zi_loop_statics_create(s, l)) return zi_dense_fail(ZV_MEMORY, error);
    zvStatus status = zi_loop_statics_check(s, s->q, error);
    if (status < 0) return status;
    zi_statics_unbalanced(s, s->q, force, size);
    zi_loop_statics_at(s, l, s->q, false);
    status = check_regular(s, l, error);
    if (status < 0) return status;
    zi_loop_statics_balance(s, l, s->q, force);
    zi_loop_statics_stiffen(s, l, s->q, s->nv, K);
    zi_loop_statics_reduce(s, l, M, M);
    zi_loop_statics_reduce(s, l, C, C);
    zi_loop_statics_reduce(s, l, K, K);
    return ZV_OK;
}
