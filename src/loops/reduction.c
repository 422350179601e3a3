/* Closed loops in independent coordinates: which they are, how the rest follows, and the equations of motion in
 * them. */
#include "loops/reduction.h"

#include "base/require.h"
#include "linalg/echelon.h"
#include "model/joint_type.h"
#include "model/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Independent velocities: which, and how the others follow from them. */

/* Last choices stay while their least pivot is not so much smaller than that of the best. */
#define GOOD_ENOUGH 0.01

static double *take_doubles(double **next, size_t count) {
    double *taken = *next;
    *next += count;
    return taken;
}

/* One block for all arrays; the model must be small enough for matrices. */
zvReduction *zv_reduction_create(const zvModel *m, zvError *error) {
    ZI_REQUIRE(m);
    const size_t nv = (size_t)m->nv, rows = (size_t)zv_model_nloop_rows(m);
    if (!zi_fits_dense(m)) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "", "%d degrees of freedom are too many for matrices (most %d)",
                m->tree.nv, ZI_SCRATCH_MATRIX_MAX);
        return NULL;
    }
    const size_t doubles = 7 * nv * nv + 9 * nv + rows * (nv + rows) + 3 * rows;
    const size_t bytes = doubles * sizeof(double) + nv * (2 * sizeof(int) + 2);
    zvReduction *r = calloc(1, sizeof *r);
    double *next = calloc(1, bytes);
    if (!r || !next) {
        free(r);
        free(next);
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory: a reduction of this model takes %zu bytes", bytes);
        return NULL;
    }
    *r = (zvReduction){.nv = m->nv, .rows = (int)rows, .block = next};
    r->P = take_doubles(&next, nv * nv);
    r->Pdot = take_doubles(&next, nv * nv);
    r->D = take_doubles(&next, nv * nv);
    r->C = take_doubles(&next, nv * nv);
    r->square = take_doubles(&next, nv * nv);
    r->thin = take_doubles(&next, 2 * nv * nv);
    r->gamma = take_doubles(&next, nv);
    r->along = take_doubles(&next, nv);
    r->G = take_doubles(&next, nv);
    r->E = take_doubles(&next, rows * (nv + rows));
    r->bias = take_doubles(&next, rows);
    r->spare = take_doubles(&next, 6 * nv + 2 * rows);
    r->independent = (void *)next;
    r->taken = r->independent + nv;
    r->kinds = (unsigned char *)(r->taken + nv);
    r->depended = r->kinds + nv;
    return r;
}

void zv_reduction_destroy(zvReduction *r) {
    if (!r) return;
    free(r->block);
    free(r);
}

int zv_reduction_freedoms(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->n;
}
const int *zv_reduction_independent(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->independent;
}
bool zv_reduction_switched(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->switched;
}
const double *zv_reduction_P(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->P;
}
const double *zv_reduction_gamma(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->gamma;
}
const double *zv_reduction_D(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->D;
}
const double *zv_reduction_C(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->C;
}
const double *zv_reduction_G(const zvReduction *r) {
    ZI_REQUIRE(r);
    return r->G;
}

/* [G | E] reduced with the kinds that are set, rows in their units; returns the least pivot. */
static double eliminate(const zvModel *m, zvWork *work, zvReduction *r, const double *q) {
    const size_t nv = (size_t)r->nv, rows = (size_t)r->rows, width = nv + rows;
    double *unit = r->bias, least;
    zi_dense_jacobian(m, work, NULL, q, r->E, unit);
    for (size_t i = rows; i-- > 0;) { /* from rows of nv to rows of nv + rows */
        memmove(r->E + i * width, r->E + i * nv, nv * sizeof *r->E);
        memset(r->E + i * width + nv, 0, rows * sizeof *r->E);
        r->E[i * width + nv + i] = unit[i];
    }
    r->rank = echelon_reduce(r->rows, r->nv, (int)width, r->E, r->kinds, ZI_REDUCTION_FLOOR, r->taken, &least);
    return least;
}

/* Whether all that are wanted, and can be, are independent in the last choice. */
static bool still_wanted(const zvReduction *r, const unsigned char *wanted) {
    for (int i = 0; i < r->nv && wanted; i++) {
        if (wanted[i] && r->depended[i] && r->taken[i] < 0) return false;
    }
    return true;
}

/* The best choice, then the last one again if it is good enough. */
static void choose_independent(const zvModel *m, zvWork *work, zvReduction *r, const double *q,
                               const unsigned char *wanted) {
    bool same = true;
    for (int i = 0; i < r->nv; i++) r->kinds[i] = wanted && wanted[i] ? ECHELON_LATER : ECHELON_FIRST;
    const double best = eliminate(m, work, r, q);
    for (int i = 0; i < r->nv; i++) same &= (r->taken[i] >= 0) == (r->depended[i] != 0);
    r->switched = r->chosen && !same;
    if (!r->switched || !still_wanted(r, wanted)) return;
    const int rank = r->rank;
    for (int i = 0; i < r->nv; i++) r->kinds[i] = r->depended[i] ? ECHELON_FIRST : ECHELON_NEVER;
    const double kept = eliminate(m, work, r, q);
    r->switched = r->rank != rank || kept < GOOD_ENOUGH * best;
    if (!r->switched) return;
    for (int i = 0; i < r->nv; i++) r->kinds[i] = wanted && wanted[i] ? ECHELON_LATER : ECHELON_FIRST;
    eliminate(m, work, r, q);
}

/* x (nv): dependent entries of what solves G x + b = 0 with independent ones zero; b is (rows). */
static void reduction_follow(const zvReduction *r, const double *b, double *x) {
    const size_t width = (size_t)r->nv + (size_t)r->rows;
    for (int i = 0; i < r->nv; i++) {
        x[i] = 0;
        if (r->taken[i] < 0) continue;
        const double *by = r->E + (size_t)r->taken[i] * width + (size_t)r->nv;
        for (int k = 0; k < r->rows; k++) x[i] -= by[k] * b[k];
    }
}

/* Inertia, velocity forces and gravity in independent coordinates, [Kolyubin] 3.3:
 *   D_r = P^T M P,   C_r = P^T (M dP/dt + C P),   G_r = P^T (g + k)
 * dD_r/dt - 2 C_r = P^T (dM/dt - 2C) P + (dP/dt)^T M P - P^T M dP/dt is skew as dM/dt - 2C is.
 *
 * dP/dt has the dependent rows -Gc^-1 (dG/dt) P. For velocities v, w that obey the loops, with D_v the derivative along
 * v at constant components of w,
 *   (D_v G) w + (D_w G) v = (bias(v + w) - bias(v - w)) / 2      as bias(v) = (D_v G) v is quadratic
 *   (D_v G) w - (D_w G) v = G [v, w]                             as the loops are integrable (Frobenius)
 * where [v, w] is the bracket of the frame that v is measured in: zero for coordinates, the cross product for angular
 * velocities along the body's axes. */

static void add_cross(double k, const double *a, const double *b, double *out) {
    out[0] += k * (a[1] * b[2] - a[2] * b[1]);
    out[1] += k * (a[2] * b[0] - a[0] * b[2]);
    out[2] += k * (a[0] * b[1] - a[1] * b[0]);
}

/* c := [v, w] */
static void bracket(const zvModel *m, const double *v, const double *w, double *c) {
    memset(c, 0, (size_t)m->nv * sizeof *c);
    for (int i = 0; i < m->njoint; i++) {
        const int at = m->joint_places[i].v_index;
        const int turn = zi_joint_types[m->joints[i].type].quaternion; /* velocities before it are linear */
        if (turn > 0) add_cross(1, v + at + turn, w + at, c + at);
        if (turn > 0) add_cross(-1, w + at + turn, v + at, c + at);
        if (turn >= 0) add_cross(1, v + at + turn, w + at + turn, c + at + turn);
    }
}

static double norm(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* b := (D_v G) w + (D_w G) v; x (nv) and less (rows) are scratch. */
static void turn_of_G(const zvModel *m, zvWork *work, const zvReduction *r, const double *q, const double *v,
                      const double *w, double *b, double *x, double *less) {
    const double s = norm(r->nv, v) / norm(r->nv, w);
    for (int i = 0; i < r->nv; i++) x[i] = v[i] + s * w[i];
    zv_loop_bias(m, work, NULL, q, x, b);
    for (int i = 0; i < r->nv; i++) x[i] = v[i] - s * w[i];
    zv_loop_bias(m, work, NULL, q, x, less);
    for (int k = 0; k < r->rows; k++) b[k] = (b[k] - less[k]) / (2 * s);
}

/* Pdot, column after column. With E reduced, -Gc^-1 G c = -(c_c - P_c c_r). */
static void fill_Pdot(const zvModel *m, zvWork *work, zvReduction *r, const double *q, const double *v) {
    double *w = r->spare, *x = w + r->nv, *c = x + r->nv, *b = c + r->nv, *less = b + r->rows;
    memset(r->Pdot, 0, (size_t)r->nv * (size_t)r->n * sizeof *r->Pdot);
    if (r->rank == 0 || !v || !(norm(r->nv, v) > 0)) return;
    for (int j = 0; j < r->n; j++) {
        for (int i = 0; i < r->nv; i++) w[i] = r->P[(size_t)i * (size_t)r->n + (size_t)j];
        turn_of_G(m, work, r, q, v, w, b, x, less);
        reduction_follow(r, b, x);
        bracket(m, v, w, c);
        for (int i = 0; i < r->nv; i++) {
            const double *row = r->P + (size_t)i * (size_t)r->n;
            if (r->taken[i] < 0) continue;
            double turned = -c[i];
            for (int k = 0; k < r->n; k++) turned += row[k] * c[r->independent[k]];
            r->Pdot[(size_t)i * (size_t)r->n + (size_t)j] = 0.5 * (x[i] + turned);
        }
    }
}

static void fill_D(zvReduction *r) {
    const int n = r->n;
    zi_multiply(r->nv, r->nv, r->square, n, r->P, r->thin);
    zi_project_columns(r->nv, n, r->P, n, r->thin, r->D);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double *a = r->D + (size_t)i * (size_t)n + (size_t)j, *b = r->D + (size_t)j * (size_t)n + (size_t)i;
            *a = *b = 0.5 * (*a + *b);
        }
    }
}

/* D, C, G and Pdot from P and gamma. */
static void reduction_terms(const zvModel *m, zvWork *work, zvReduction *r, const double *q, const double *v) {
    const size_t nv = (size_t)r->nv, n = (size_t)r->n;
    fill_Pdot(m, work, r, q, v);
    zv_mass_matrix(m, work, q, r->square);
    fill_D(r);
    double *other = r->thin + nv * nv;
    zi_multiply(r->nv, r->nv, r->square, r->n, r->Pdot, r->thin);
    memset(r->C, 0, n * n * sizeof *r->C);
    if (v) {
        zv_coriolis_matrix(m, work, q, v, r->square);
        zi_multiply(r->nv, r->nv, r->square, r->n, r->P, other);
        for (size_t i = 0; i < nv * n; i++) r->thin[i] += other[i];
        zi_project_columns(r->nv, r->n, r->P, r->n, r->thin, r->C);
    }
    zv_gravity_force(m, work, q, r->along);
    zv_elastic_force(m, q, v, r->spare);
    for (int i = 0; i < r->nv; i++) r->along[i] += r->spare[i];
    zi_project_columns(r->nv, r->n, r->P, 1, r->along, r->G);
}

/* P = [E; -Gc^-1 Gr] in the order of v, [Kolyubin] 3.3. */
static void fill_P(zvReduction *r) {
    const size_t width = (size_t)r->nv + (size_t)r->rows, n = (size_t)r->n;
    memset(r->P, 0, (size_t)r->nv * n * sizeof *r->P);
    for (int i = 0, own = 0; i < r->nv; i++) {
        double *row = r->P + (size_t)i * n;
        if (r->taken[i] < 0) {
            row[own++] = 1;
            continue;
        }
        const double *e = r->E + (size_t)r->taken[i] * width;
        for (size_t c = 0; c < n; c++) row[c] = -e[r->independent[c]];
    }
}

/* Independent velocities, P, and the equations of motion in them. */
zvStatus zv_reduce(const zvModel *m, zvWork *work, zvReduction *r, const double *q, const double *v,
                   const unsigned char *wanted) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && r);
    bool refused = false;
    choose_independent(m, work, r, q, wanted);
    r->n = 0;
    for (int i = 0; i < r->nv; i++) {
        r->depended[i] = r->taken[i] >= 0;
        if (r->taken[i] < 0) r->independent[r->n++] = i;
        refused |= wanted && wanted[i] && r->depended[i];
    }
    r->chosen = true;
    fill_P(r);
    if (r->rows > 0) zv_loop_bias(m, work, NULL, q, v, r->bias);
    reduction_follow(r, r->bias, r->gamma);
    reduction_terms(m, work, r, q, v);
    return refused || r->rank < zi_closed_rows(m, NULL) ? ZV_DEGRADED : ZV_OK;
}

/* What a reduction says of the whole mechanism: accelerations and loop forces, and positions from independent
 * coordinates. */

enum { STEPS = 100, HALVINGS = 12 };
/* A residual below the first is closed; below the second it may be as far as rounding lets it go. */
#define CLOSED 1e-14
#define NEARLY 1e-10

/* Independent accelerations by the reduced equations, the rest and the multipliers from them. */
zvStatus zv_reduction_forces(const zvModel *m, zvWork *work, const zvReduction *r, const double *q, const double *v,
                             const double *tau, double *a, double *lambda) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && r);
    const int n = r->n, nv = r->nv;
    zvWork below = *work;
    double *full = zi_scratch_doubles(&below.scratch, (size_t)nv),
           *forces = zi_scratch_doubles(&below.scratch, (size_t)nv);
    double *a_r = zi_scratch_doubles(&below.scratch, (size_t)nv),
           *scratch = zi_scratch_doubles(&below.scratch, (size_t)nv);
    zvWork inner = below;
    double *D = zi_scratch_doubles(&inner.scratch, (size_t)n * (size_t)n);
    memset(a_r, 0, (size_t)n * sizeof *a_r);
    if (tau) zi_project_columns(nv, n, r->P, 1, tau, a_r);
    for (int i = 0; i < n; i++) { /* D_r a_r = P^T tau - C_r v_r - G_r */
        a_r[i] -= r->G[i];
        for (int k = 0; k < n && v; k++) a_r[i] -= r->C[(size_t)i * (size_t)n + (size_t)k] * v[r->independent[k]];
    }
    memcpy(D, r->D, (size_t)n * (size_t)n * sizeof *D);
    if (zi_solve_reduced(n, D, scratch, a_r) != ZV_OK) return ZV_SINGULAR;
    zi_multiply(nv, n, r->P, 1, a_r, full);
    for (int i = 0; i < nv; i++) full[i] += r->gamma[i];
    zv_inverse_dynamics(m, &below, q, v, full, NULL, forces);
    for (int i = 0; i < nv; i++) forces[i] -= tau ? tau[i] : 0;
    if (lambda) zi_least_multipliers(m, &below, NULL, q, forces, lambda);
    if (a) memcpy(a, full, (size_t)nv * sizeof *a);
    return r->rank < zi_closed_rows(m, NULL) ? ZV_DEGRADED : ZV_OK;
}

/* x (nv): Newton's step of the dependent coordinates that closes the gaps at q. */
static void newton_step(const zvModel *m, zvWork below, const zvReduction *r, const double *q,
                        const unsigned char *kinds, double *x) {
    const size_t rows = (size_t)r->rows, nv = (size_t)r->nv, width = nv + 1;
    double *E = zi_scratch_doubles(&below.scratch, rows * width), *gaps = zi_scratch_doubles(&below.scratch, rows),
           least;
    double *unit = zi_scratch_doubles(&below.scratch, rows);
    int *taken = zi_scratch_take(&below.scratch, nv * sizeof *taken);
    zi_dense_jacobian(m, &below, NULL, q, E, unit);
    zv_loop_gaps(m, &below, NULL, q, NULL, gaps, NULL);
    for (size_t i = rows; i-- > 0;) {
        memmove(E + i * width, E + i * nv, nv * sizeof *E);
        E[i * width + nv] = unit[i] * gaps[i];
    }
    echelon_reduce(r->rows, r->nv, (int)width, E, kinds, ZI_REDUCTION_FLOOR, taken, &least);
    for (size_t i = 0; i < nv; i++) x[i] = taken[i] < 0 ? 0 : -E[(size_t)taken[i] * width + nv];
}

static double residual(const zvModel *m, zvWork *work, const double *q) {
    double gap;
    zv_loop_residual(m, work, NULL, q, NULL, -1, &gap, NULL);
    return gap;
}

/* moved := q with as much of the step x as makes the residual smaller; returns it, or `before` when nothing does. */
static double advance_reduction(const zvModel *m, zvWork *work, const double *q, double *x, double before,
                                double *moved) {
    for (int k = 0; k < HALVINGS; k++) {
        zv_position_add(m, q, x, moved);
        const double after = residual(m, work, moved);
        if (after < before) return after;
        for (int i = 0; i < m->nv; i++) x[i] *= 0.5;
    }
    return before;
}

/* Names the loop with the widest gap. */
static zvStatus cannot_close(const zvModel *m, zvWork *work, const double *q, zvError *error) {
    double worst = -1, gap;
    int loop = 0;
    for (int i = 0; i < m->nloop; i++) {
        zv_loop_residual(m, work, NULL, q, NULL, i, &gap, NULL);
        if (gap > worst) worst = gap, loop = i;
    }
    return zv_fail(error, ZV_CLOSURE, m->loops[loop].mark, m->loops[loop].name,
                   "loop \"%s\" cannot close with these independent coordinates: nearest gap %.3g of the robot's size; "
                   "start nearer, or choose other independent coordinates",
                   m->loops[loop].name, worst);
}

/* Newton's steps of the dependent coordinates alone. */
zvStatus zv_reduction_position(const zvModel *m, zvWork *work, const zvReduction *r, double *q, zvError *error) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && r);
    if (r->rows == 0) return ZV_OK;
    zvWork below = *work;
    double *x = zi_scratch_doubles(&below.scratch, (size_t)m->nv),
           *moved = zi_scratch_doubles(&below.scratch, (size_t)m->nq);
    unsigned char *kinds = zi_scratch_take(&below.scratch, (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) kinds[i] = r->depended[i] ? ECHELON_FIRST : ECHELON_NEVER;
    double gap = residual(m, &below, q);
    for (int step = 0; step < STEPS && gap > CLOSED; step++) {
        newton_step(m, below, r, q, kinds, x);
        const double after = advance_reduction(m, &below, q, x, gap, moved);
        if (!(after < gap)) break;
        memcpy(q, moved, (size_t)m->nq * sizeof *q);
        gap = after;
    }
    return gap <= NEARLY ? ZV_OK : cannot_close(m, &below, q, error);
}
