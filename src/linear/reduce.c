/* From tangents of all coordinates to A and B of those that loops and laws leave free.
 *
 * A departure (xi, eta, zeta) of the independent positions, velocities and of the states of drives, or of an input u,
 * moves everything else so that the loops stay closed at all three levels,
 *
 *   G dq + gap_u u = 0,   G dv + rate_q dq + rate_u u = 0,   G da + acc_q dq + acc_v dv + acc_u u = 0
 *
 * and the accelerations answer with G P = 0
 *
 *   P^T (M da + force_q dq + force_v dv + force_z zeta + force_u u) = 0
 *
 * Positions of quaternions depart along the axes of a frame that moves: d(dq)/dt = dv - W dq, W the twist of the joint
 * (zi_moving_frame). */
#include "linear/linear.h"

#include "linalg/echelon.h"
#include "linalg/ltdl.h"
#include "loops/reduction.h"
#include "modes/statics.h"

#include <math.h>
#include <string.h>

static const double FLOOR = 1e-9; /* smaller pivots are those of conditions that repeat others */
static const double SMALL = 1e-2; /* a choice with smaller ones is made anew */

/* Joints follow sooner than elastic links, so that stiff entries are not spread over soft ones. keep: those that were
 * independent at the last state stay so. */
static void set_kinds(zvLinear *l, bool keep) {
    for (int i = 0; i < l->nv; i++)
        l->kinds[i] = l->given[i] != ZV_GIVEN_FORCE              ? ECHELON_NEVER
                      : l->scenario->drives->freedoms[i].elastic ? ECHELON_LATER
                                                                 : ECHELON_FIRST;
    for (int c = 0; keep && c < l->n; c++) l->kinds[l->independent[c]] = ECHELON_NEVER;
}

/* E: [G | 1] in units, eliminated; returns its rank, and whether no pivot was small. */
static int reduce_constraints(zvLinear *l, bool keep, bool *good) {
    const size_t nv = (size_t)l->nv, rows = (size_t)l->rows, width = nv + rows;
    double least = 1;
    memset(l->E, 0, rows * width * sizeof *l->E);
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < nv; i++)
            l->E[r * width + i] = l->given[i] == ZV_GIVEN_FORCE ? l->G[r * nv + i] * l->unit[i] : 0;
        l->E[r * width + nv + r] = 1;
    }
    set_kinds(l, keep);
    const int rank = echelon_reduce(l->rows, l->nv, (int)width, l->E, l->kinds, FLOOR, l->taken, &least);
    *good = least > SMALL;
    return rank;
}

/* As many dependent coordinates as the loops ask for, those of the last state when they are good. */
static void eliminate_dependent(zvLinear *l) {
    bool good;
    if (l->rows) {
        const zvClosing closing = zv_efforts_closing(l->system->efforts);
        zi_dense_jacobian(l->model, l->system->work, &closing, l->y, l->G, l->turn);
        const int before = l->n > 0 ? reduce_constraints(l, true, &good) : -1;
        if (before < 0 || !good || before != l->rank) l->rank = reduce_constraints(l, false, &good);
    } else {
        for (int i = 0; i < l->nv; i++) l->taken[i] = -1;
    }
    l->n = 0;
    for (int i = 0; i < l->nv; i++)
        if (l->taken[i] < 0 && l->given[i] == ZV_GIVEN_FORCE) l->independent[l->n++] = i;
    l->nx = 2 * l->n + l->nz;
}

/* x (nv) := with its independent entries as they are, the one that makes G x + rest = 0; rest (rows) may be NULL. */
static void complete(const zvLinear *l, const double *rest, double *x) {
    const size_t nv = (size_t)l->nv, rows = (size_t)l->rows, width = nv + rows;
    for (size_t i = 0; i < nv; i++) {
        if (l->given[i] != ZV_GIVEN_FORCE) x[i] = 0;
        if (l->taken[i] < 0) continue;
        const double *row = l->E + (size_t)l->taken[i] * width;
        double sum = 0;
        for (int c = 0; c < l->n; c++)
            sum += row[l->independent[c]] * x[l->independent[c]] / l->unit[l->independent[c]];
        for (size_t k = 0; rest && k < rows; k++) sum += row[nv + k] * rest[k];
        x[i] = -l->unit[i] * sum;
    }
}

/* P and P^T M P with its factors. */
static zvStatus project_mass(zvLinear *l, zvError *error) {
    const size_t nv = (size_t)l->nv, n = (size_t)l->n;
    real_ok ok = 1;
    memset(l->P, 0, nv * n * sizeof *l->P);
    for (size_t c = 0; c < n; c++) {
        memset(l->dq, 0, nv * sizeof *l->dq);
        l->dq[l->independent[c]] = 1;
        complete(l, NULL, l->dq);
        for (size_t i = 0; i < nv; i++) l->P[i * n + c] = l->dq[i];
    }
    zv_mass_matrix(l->model, l->system->work, l->y, l->M);
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < nv; i++) {
            double sum = 0;
            for (size_t k = 0; k < nv; k++) sum += l->M[i * nv + k] * l->P[k * n + c];
            l->force[i] = sum;
        }
        for (size_t r = 0; r < n; r++) {
            double sum = 0;
            for (size_t i = 0; i < nv; i++) sum += l->P[i * n + r] * l->force[i];
            l->Mr[r * n + c] = sum;
        }
    }
    memcpy(l->factors, l->Mr, n * n * sizeof *l->Mr);
    ltdl_factor(ltdl_dense(l->n), l->factors, l->pivots, &ok);
    if (ok) return ZV_OK;
    return zv_fail(error, ZV_SINGULAR, (zvMark){0}, NULL,
                   "expected parts with mass at t = %.9g s, found one without that moves freely", l->t);
}

/* part (count numbers from `from` on) := what the tangents make of a departure; levels: how much of it is known, dq, dv
 * and dz. */
static void respond(const zvLinear *l, const ziDeparture *p, int from, int count, int levels, double *part) {
    const size_t stride = (size_t)l->terms.count, nv = (size_t)l->nv;
    const double *const moves[3] = {p->dq, p->dv, p->dz};
    const double *column = l->tangents;
    for (int i = 0; i < count; i++) part[i] = p->input ? p->input[from + i] : 0;
    for (int level = 0; level < levels; level++) {
        const int entries = level == 2 ? l->nz : (int)nv;
        for (int k = 0; k < entries; k++, column += stride) {
            const double by = moves[level][k];
            for (int i = 0; by != 0 && i < count; i++) part[i] += by * column[from + i];
        }
    }
}

/* All of one departure from its independent part. */
static void depart(zvLinear *l, int column) {
    const ziDeparture p = zi_linear_departure(l, column);
    const size_t nv = (size_t)l->nv, n = (size_t)l->n;
    double *reduced = l->pivots, *rest = l->turn;
    memset(p.dq, 0, (3 * nv + (size_t)l->nz) * sizeof *p.dq);
    if (column < l->n) p.dq[l->independent[column]] = 1;
    if (column >= l->n && column < 2 * l->n) p.dv[l->independent[column - l->n]] = 1;
    if (column >= 2 * l->n && column < l->nx) p.dz[column - 2 * l->n] = 1;
    respond(l, &p, l->terms.gap, l->rows, 0, rest);
    complete(l, rest, p.dq);
    respond(l, &p, l->terms.rate, l->rows, 1, rest);
    complete(l, rest, p.dv);
    respond(l, &p, l->terms.acceleration, l->rows, 2, rest);
    complete(l, rest, p.da);
    respond(l, &p, l->terms.force, l->nv, 3, l->force);
    for (size_t i = 0; i < nv; i++)
        for (size_t k = 0; k < nv; k++) l->force[i] += l->M[i * nv + k] * p.da[k];
    for (size_t c = 0; c < n; c++) {
        reduced[c] = 0;
        for (size_t i = 0; i < nv; i++) reduced[c] -= l->P[i * n + c] * l->force[i];
    }
    ltdl_solve(ltdl_dense(l->n), l->factors, reduced);
    for (size_t i = 0; i < nv; i++)
        for (size_t c = 0; c < n; c++) p.da[i] += l->P[i * n + c] * reduced[c];
}

/* d(dq)/dt = dv - W dq */
static void moving_rate(const zvLinear *l, const ziDeparture *p, double *rate) {
    memcpy(rate, p->dv, (size_t)l->nv * sizeof *rate);
    for (int j = 0; j < zv_model_njoint(l->model); j++) {
        double W[36];
        const zvJointPlace place = zv_model_joint_place(l->model, j);
        if (!zi_moving_frame(l->model, j, l->y + l->system->at_v, W)) continue;
        for (int i = 0; i < place.nv; i++)
            for (int k = 0; k < place.nv; k++)
                rate[place.v_index + i] -= W[place.nv * i + k] * p->dq[place.v_index + k];
    }
}

/* A column of A or B from a departure. */
static void put_departure(zvLinear *l, int column) {
    const ziDeparture p = zi_linear_departure(l, column);
    const int stride = column < l->nx ? l->nx : l->nu, at = column < l->nx ? column : column - l->nx;
    double *to = (column < l->nx ? l->A : l->B) + at;
    moving_rate(l, &p, l->force);
    for (int c = 0; c < l->n; c++) {
        to[c * stride] = l->force[l->independent[c]];
        to[(l->n + c) * stride] = p.da[l->independent[c]];
    }
    respond(l, &p, l->terms.drive, l->nz, 3, l->dz);
    for (int k = 0; k < l->nz; k++) {
        for (int i = 0; i < l->nv; i++) l->dz[k] += l->by_a[k * l->nv + i] * p.da[i];
        to[(2 * l->n + k) * stride] = l->dz[k];
    }
}

/* dx/dt at the state itself. */
static void put_rate(zvLinear *l) {
    const double *v = l->y + l->system->at_v;
    for (int c = 0; c < l->n; c++) {
        l->rate[c] = v[l->independent[c]];
        l->rate[l->n + c] = l->a[l->independent[c]];
    }
    const bool placed = zi_linear_place(l, &(ziMove){.size = 0}, 0) && zi_system_accelerate(l->system) >= 0;
    for (int k = 0; k < l->nz; k++) l->rate[2 * l->n + k] = placed ? l->system->efforts->rate[k] : NAN;
}

/* The second order ------------------------------------------------------------------------------------------ */

/* The inertia of motor k, when the states of drives are nothing but motors; 0: they are not. */
static double motor_inertia(const zvLinear *l, int k) {
    for (size_t i = 0; i < l->scenario->drives->nelement; i++) {
        const ziElement *e = &l->scenario->drives->elements[i];
        if (e->kind != &zi_flexible_kind || e->state != 2 * k) continue;
        return e->of.motor.gear.inertia * e->of.motor.gear.ratio * e->of.motor.gear.ratio;
    }
    return 0;
}

static bool is_second_order(const zvLinear *l) {
    for (int k = 0; 2 * k < l->nz; k++)
        if (motor_inertia(l, k) == 0) return false;
    return l->nz % 2 == 0;
}

/* Where position i of the second order and its rate stand in x. */
static int position_at(const zvLinear *l, int i) { return i < l->n ? i : 2 * i; }
static int rate_at(const zvLinear *l, int i) { return i < l->n ? l->n + i : 2 * i + 1; }

/* M's row i times column c of X, by rows with this stride, at the rates. */
static double weighted(const zvLinear *l, int i, const double *X, int stride, int column) {
    double sum = 0;
    if (i >= l->n) return motor_inertia(l, i - l->n) * X[rate_at(l, i) * stride + column];
    for (int k = 0; k < l->n; k++) sum += l->Mr[i * l->n + k] * X[(l->n + k) * stride + column];
    return sum;
}

/* With r = p' + W p: M p'' = M (A_p - W A..) as a product of blocks. What of A says r' = A_p p + A_r r becomes
 * M p'' + M (W - A_r) p' - M (A_p + A_r W) p = M B u. */
static void put_second_order(zvLinear *l) {
    const int n = l->np = l->n + l->nz / 2, nx = l->nx;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const bool links = i < l->n && j < l->n;
            l->mass[i * n + j] = links ? l->Mr[i * l->n + j] : i == j ? motor_inertia(l, i - l->n) : 0;
            l->damping[i * n + j] = -weighted(l, i, l->A, nx, rate_at(l, j));
            l->stiffness[i * n + j] = -weighted(l, i, l->A, nx, position_at(l, j));
        }
    }
    for (int j = 0; j < l->n; j++) { /* W = -A's block of positions by positions */
        for (int k = 0; k < l->n; k++) {
            const double w = -l->A[k * nx + j];
            if (w == 0) continue;
            for (int i = 0; i < n; i++) {
                l->stiffness[i * n + j] -= weighted(l, i, l->A, nx, rate_at(l, k)) * w;
                if (i < l->n) l->damping[i * n + j] += l->Mr[i * l->n + k] * w;
            }
        }
    }
    for (int i = 0; i < n; i++)
        for (int u = 0; u < l->nu; u++) l->forcing[i * l->nu + u] = weighted(l, i, l->B, l->nu, u);
}

zvStatus zi_linear_reduce(zvLinear *l, zvError *error) {
    eliminate_dependent(l);
    const zvStatus status = project_mass(l, error);
    if (status < 0) return status;
    for (int c = 0; c < l->nx + l->nu; c++) depart(l, c);
    for (int c = 0; c < l->nx + l->nu; c++) put_departure(l, c);
    put_rate(l);
    l->np = 0;
    if (is_second_order(l)) put_second_order(l);
    return ZV_OK;
}
