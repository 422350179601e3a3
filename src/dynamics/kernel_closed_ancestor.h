/* Common ancestors: bodies at which branches of loops meet. Their constraints E are complete there and eliminated; R
 * are others.
 *
 *   A_EE lambda_E = -(r_E + K_E^T acc + A_ER lambda_R),     r_E = gamma_E + alpha_E
 *   with X = [K_E^T, r_E, A_ER] after half a solution, X^T X = [...]^T A_EE^+ [...]:
 *   M += X_K^T X_K,  P += X_K^T x_r,  K_R -= X_K^T X_R,  alpha_R -= X_R^T x_r,  A_RR -= X_R^T X_R
 *
 * Rows that repeat others leave nothing behind: what they would add is in the range of those that count. The
 * factor lies over A_EE. Pivots: double only. */
#ifndef ZI_DYNAMICS_KERNEL_CLOSED_ANCESTOR_H
#define ZI_DYNAMICS_KERNEL_CLOSED_ANCESTOR_H

#include "dynamics/kernel_closed_conflict.h"
#include "dynamics/kernel_closed_front.h"
#include "linalg/semidefinite.h"

/* X is in rows of ANCESTOR_K numbers for K_E, r_E and padding, then R in the order of the carry. */
enum { ANCESTOR_R = 6, ANCESTOR_K = 8 };

/* Columns of the whole front for those of carry. */
static inline int *columns_from(ziScratch *scratch, Front whole, Front carry) {
    int *from = zi_scratch_take(scratch, (size_t)carry.columns * sizeof *from);
    for (int k = 0; k < carry.of->constraints; k++) {
        const int first = column_of(whole.of, carry.of->constraint[k]), at = carry.of->at[k];
        for (int c = at; c < carry.of->at[k + 1]; c++) from[c] = first + c - at;
    }
    return from;
}

static inline double at_pair(Front f, int i, int j) { return i < j ? f.A[i * f.width + j] : f.A[j * f.width + i]; }

/* Units of the rows E. */
static inline void units_of(const Closed *c, Front f, double *unit) {
    for (int k = 0; f.of->at[k] < f.done; k++) {
        const double *from = c->unit + c->tree->constraint[f.of->constraint[k]].row - f.of->at[k];
        for (int i = f.of->at[k]; i < f.of->at[k + 1]; i++) unit[i] = from[i];
    }
}

/* Which pivots are left out. */
static inline struct semidefinite_floor pivot_floor(const Closed *c) {
    return (struct semidefinite_floor){REPEAT_FLOOR, c->constraints->floor};
}

/* r_E in alpha; rows that nothing moves become zero; the lower triangle, then the factor. Returns the rank. */
static inline int factor_ancestor(const Closed *c, ziScratch scratch, Front f, double *scale, int *order) {
    double *unit = zi_scratch_doubles(&scratch, (size_t)f.done);
    for (int k = 0; f.of->at[k] < f.done; k++) {
        const int at = f.of->at[k], row = c->tree->constraint[f.of->constraint[k]].row;
        for (int i = at; i < f.of->at[k + 1]; i++) {
            f.alpha[i] += c->gamma[row + i - at];
            if (f.A[i * (f.width + 1)] <= c->least[row + i - at]) f.A[i * (f.width + 1)] = 0;
        }
    }
    for (int i = 0; i < f.done; i++) {
        for (int j = i + 1; j < f.done; j++) f.A[j * f.width + i] = f.A[i * f.width + j];
    }
    units_of(c, f, unit);
    return semidefinite_factor(f.done, f.width, f.A, order, scale, unit, pivot_floor(c));
}

/* X before it is solved. */
static inline void load_ancestor(Front whole, Front carry, const int *from, int stride, double *X) {
    for (int i = 0; i < whole.done; i++, X += stride) {
        for (int k = 0; k < 6; k++) X[k] = whole.K[k * whole.width + i];
        X[ANCESTOR_R] = whole.alpha[i];
        X[ANCESTOR_R + 1] = 0;
        for (int c = 0; c < carry.columns; c++) X[ANCESTOR_K + c] = whole.A[i * whole.width + from[c]];
        for (int c = ANCESTOR_K + carry.columns; c < stride; c++) X[c] = 0;
    }
}

/* R as it would go on without the elimination; its diagonal tells what rounding of it is. */
static inline void carry_rest(const Closed *c, Front whole, Front carry, const int *from) {
    for (int j = 0; j < carry.columns; j++) {
        for (int k = 0; k < 6; k++) carry.K[k * carry.width + j] = whole.K[k * whole.width + from[j]];
        carry.alpha[j] = whole.alpha[from[j]];
        for (int l = j; l < carry.columns; l++) carry.A[j * carry.width + l] = at_pair(whole, from[j], from[l]);
    }
    for (int k = 0; k < carry.of->constraints; k++) {
        const int at = carry.of->at[k], row = c->tree->constraint[carry.of->constraint[k]].row;
        for (int i = at; i < carry.of->at[k + 1]; i++) {
            double *least = &c->least[row + i - at];
            *least = fmax(*least, ROW_FLOOR * carry.A[i * (carry.width + 1)]);
        }
    }
}

/* One row x of X leaves its products. */
static inline void leave(const double *x, ArticulatedBody *me, Front carry) {
    const force F = force_of(v3_of(x), v3_of(x + 3));
    const double *R = x + ANCESTOR_K;
    articulated_deflate(&me->M, -1, F);
    me->P = force_axpy(x[ANCESTOR_R], F, me->P);
    if (carry.columns == 0) return; /* nothing goes on: there are no arrays */
    for (int k = 0; k < 6; k++) add_multiple(carry.columns, -x[k], R, carry.K + k * carry.width);
    add_multiple(carry.columns, -x[ANCESTOR_R], R, carry.alpha);
    for (int j = 0; j < carry.columns; j++)
        add_multiple(carry.columns - j, -R[j], R + j, carry.A + j * (carry.width + 1));
}

/* Eliminates the constraints whose common ancestor is body i. */
static ZI_COLD void eliminate_constraints(Closed *c, ziScratch scratch, int i, ArticulatedBody *me) {
    const ziPassage *pass = &c->tree->passage[i];
    const Front whole = front_at(c, pass->whole);
    const Front carry = pass->carry < 0 ? (Front){.of = NULL} : front_at(c, pass->carry);
    const int n = whole.done, stride = ANCESTOR_K + carry.width;
    double *scale = c->scale + c->used, *X = zi_scratch_doubles(&scratch, (size_t)n * (size_t)stride);
    int *order = c->order + c->used, *from = NULL;
    c->used += n + 1;
    const int rank = order[n] = factor_ancestor(c, scratch, whole, scale, order);
    if (carry.of) {
        from = columns_from(&scratch, whole, carry);
        carry_rest(c, whole, carry, from);
    }
    load_ancestor(whole, carry, from, stride, X);
    semidefinite_half(n, whole.width, whole.A, order, scale, rank, ANCESTOR_K + carry.columns, stride, X);
    for (int k = 0; k < rank; k++) leave(X + (size_t)k * (size_t)stride, me, carry);
}

/* Outward ------------------------------------------------------------------------------------------------------ */

/* Rows of a common ancestor that are left out, and by how much the worst of them is missed. */
static ZI_COLD void leave_out(const Closed *c, Front f, const int *order, int rank, double missed) {
    for (int k = 0; f.of->at[k] < f.done; k++) {
        unsigned char *out = c->out + c->tree->constraint[f.of->constraint[k]].row;
        for (int i = rank; i < f.done; i++) {
            const int row = order[i] - f.of->at[k];
            if (row >= 0 && order[i] < f.of->at[k + 1]) out[row] = 1;
        }
    }
    c->constraints->dropped += f.done - rank;
    c->constraints->conflict = fmax(c->constraints->conflict, missed);
}

/* lambda_R of the whole front, in its columns of alpha, from that of the carry. */
static inline void take_rest(Front whole, Front carry) {
    for (int k = 0; k < carry.of->constraints; k++) {
        const int at = carry.of->at[k], first = column_of(whole.of, carry.of->constraint[k]);
        for (int c = at; c < carry.of->at[k + 1]; c++) whole.alpha[first + c - at] = carry.alpha[c];
    }
}

/* lambda of the constraints whose common ancestor is body i, from its acceleration; alpha of fronts holds lambda from
 * here on. */
static ZI_COLD void solve_constraints(Closed *c, ziScratch scratch, int i, motion body) {
    const ziPassage *pass = &c->tree->passage[i];
    const Front f = front_at(c, pass->whole);
    const int n = f.done;
    double *x = zi_scratch_doubles(&scratch, (size_t)n),
           *buffer = zi_scratch_doubles(&scratch, semidefinite_doubles(n)), acc[6];
    c->used -= n + 1;
    const double *scale = c->scale + c->used;
    const int *order = c->order + c->used, rank = order[n];
    if (pass->carry >= 0) take_rest(f, front_at(c, pass->carry));
    motion_numbers(acc, body);
    for (int k = 0; k < n; k++) {
        const double *A = f.A + k * f.width;
        x[k] = f.alpha[k];
        for (int j = 0; j < 6; j++) x[k] += f.K[j * f.width + k] * acc[j];
        for (int j = n; j < f.columns; j++) x[k] += A[j] * f.alpha[j];
    }
    int weakest = 0;
    const double missed = semidefinite_solve(n, f.width, f.A, order, scale, rank, x, buffer);
    for (int k = 0; k < n; k++) f.alpha[k] = -x[k];
    units_of(c, f, x);
    const double margin = semidefinite_margin(f.width, f.A, order, scale, rank, x, &weakest);
    int of = 0;
    while (f.of->at[of + 1] <= weakest) of++;
    note_margin(c, f.of->constraint[of], margin);
    if (rank < n) leave_out(c, f, order, rank, missed);
    for (int k = 0; f.of->at[k] < n; k++) {
        double *lambda = c->constraints->lambda + c->tree->constraint[f.of->constraint[k]].row;
        memcpy(lambda, f.alpha + f.of->at[k], (size_t)(f.of->at[k + 1] - f.of->at[k]) * sizeof *lambda);
    }
}

#endif
