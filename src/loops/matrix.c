/* Dense matrices of loops: Jacobians G, and what their rank leaves free. */
#include "base/require.h"
#include "loops/closed.h"
#include "loops/reduction.h"
#include "work/coupling.h"
#include "zveno/loops.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Jacobians of loops, from those of their two ends. */

/* The columns of the two rows that a loop hangs on, (6 x tree nv) each, world axes, about their origins. */
typedef struct EndJacobians {
    double *a, *b;
} EndJacobians;

static EndJacobians take_end_jacobians(const zvModel *m, ziScratch *scratch) {
    EndJacobians s;
    s.a = zi_scratch_doubles(scratch, 6 * (size_t)m->tree.nv);
    s.b = zi_scratch_doubles(scratch, 6 * (size_t)m->tree.nv);
    return s;
}

static void fill_end_jacobians(const zvModel *m, ziScratch scratch, const ziConstraint *constraint, const double *q,
                               const EndJacobians *s) {
    const ziFrameSpot a = zi_end_spot(&m->tree, &constraint->a), b = zi_end_spot(&m->tree, &constraint->b);
    zvPose pose;
    zi_kinematics_kernels(m)->frame_jacobian(&m->tree, scratch, &a, q, &pose, s->a);
    zi_kinematics_kernels(m)->frame_jacobian(&m->tree, scratch, &b, q, &pose, s->b);
}

/* row (tree nv) += sign f.J for a force t and a moment n at the point `reach` from the origin of J's row. */
static void add_product(int nv, const double *J, double sign, vec3 t, vec3 n, vec3 reach, double *row) {
    double f[6];
    v3_to(f, v3_scale(sign, t));
    v3_to(f + 3, v3_scale(sign, v3_cross_add(reach, t, n)));
    for (int i = 0; i < 6; i++) {
        const double *from = J + (size_t)i * (size_t)nv;
        if (f[i] == 0) continue;
        for (int d = 0; d < nv; d++) row[d] += f[i] * from[d];
    }
}

/* (t; n).(motion of b against a) for each unit of the tree's v. */
static void relative_row(int nv, const EndJacobians *s, const constraint_now *now, vec3 t, vec3 n, double *row) {
    memset(row, 0, (size_t)nv * sizeof *row);
    add_product(nv, s->b, 1, t, n, now->reach_b, row);
    add_product(nv, s->a, -1, t, n, now->reach_a, row);
}

static void coupling_row(const ziConstraint *constraint, int nv, double *row) {
    memset(row, 0, (size_t)nv * sizeof *row);
    for (int k = 0; k < constraint->terms; k++) row[constraint->term[k].v] += constraint->term[k].ratio;
}

/* Its rows of G (rows x nv of the model), those that are lengths divided by `size`; q of the tree. */
static void ends_jacobian(const zvModel *m, ziScratch scratch, int loop, const double *q, double size, double *rows) {
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    const int nv = m->tree.nv;
    double *spare = m->coupling.count ? zi_scratch_doubles(&scratch, (size_t)nv) : NULL;
    const EndJacobians at_ends = take_end_jacobians(m, &scratch);
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, q, NULL, &ends);
    if (constraint->kind != ZV_LOOP_COUPLING) fill_end_jacobians(m, scratch, constraint, q, &at_ends);
    for (int k = 0; k < constraint->rows; k++) {
        const vec3 t = ends.now.lin[k], n = ends.now.ang[k];
        const double unit = v3_dot(t, t) > 0 ? 1 / size : 1;
        double *to = rows + (size_t)k * (size_t)m->nv, *row = spare ? spare : to;
        if (constraint->kind == ZV_LOOP_COUPLING)
            coupling_row(constraint, nv, row);
        else
            relative_row(nv, &at_ends, &ends.now, v3_scale(unit, t), v3_scale(unit, n), row);
        zi_contract_columns(m, 1, row, to);
    }
}

void zv_loop_jacobian(const zvModel *m, zvWork *work, const double *q, double *G) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(G, zv_model_nloop_rows(m) * m->nv));
    if (m->nloop == 0) return;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    for (int i = 0; i < m->nloop; i++)
        ends_jacobian(m, scratch, i, tq, 1, G + (size_t)m->tree.closed->constraint[i].row * (size_t)m->nv);
}

/* Axis i of the parent's frame of a loop, as it is described, in the world. */
static vec3 described_axis(const zvModel *m, const ziEnds *ends, int loop, int i) {
    const zvPose frame = zi_frame_in_body(m, m->loop_places[loop].parent_frame);
    return m3_mulv(ends->a.R, v3(frame.R[i], frame.R[3 + i], frame.R[6 + i]));
}

/* Relative motion of the two sides per velocity, six rows whatever the joint leaves free. */
void zv_loop_matrix(const zvModel *m, zvWork *work, const double *q, int loop, double *U) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(U, m->nv));
    ZI_REQUIRE_INDEX(loop, zv_model_nloop(m));
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    ziScratch scratch = zi_scratch_of(m, work);
    memset(U, 0, 6 * (size_t)m->nv * sizeof *U);
    if (constraint->kind == ZV_LOOP_COUPLING) return;
    const double *tq = zi_tree_q(m, &scratch, q);
    const EndJacobians at_ends = take_end_jacobians(m, &scratch);
    double *spare = m->coupling.count ? zi_scratch_doubles(&scratch, (size_t)m->tree.nv) : NULL;
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, tq, NULL, &ends);
    fill_end_jacobians(m, scratch, constraint, tq, &at_ends);
    for (int i = 0; i < 6; i++) {
        const vec3 axis = described_axis(m, &ends, loop, i % 3), zero = v3_zero();
        double *to = U + (size_t)i * (size_t)m->nv, *row = spare ? spare : to;
        relative_row(m->tree.nv, &at_ends, &ends.now, i < 3 ? axis : zero, i < 3 ? zero : axis, row);
        zi_contract_columns(m, 1, row, to);
    }
}

/* What loops leave free: the rank of G, its rows brought to one scale. When there are more rows than degrees of freedom
 * they are first packed into a triangle of the same rank (Householder, a loop at a time); then the largest row left is
 * taken and taken out of the others, again and again. */

/* A row so much smaller than the first one, or than a turn for a turn and the robot's size for a turn, is rounding. */
#define RANK_TOLERANCE 1e-9

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void axpy(int n, double k, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] += k * x[i];
}

/* Rows to unit length; those that are rounding to zero. Slight rows of joints stay as they are: scaled up, what
 * rounding of the position makes of a row that repeats others would look like one of its own. */
static void scale_rows(bool couples, int rows, int n, double *X) {
    for (int i = 0; i < rows; i++) {
        double *row = X + (size_t)i * (size_t)n;
        const double length = sqrt(dot(n, row, row));
        const double by = !(length > RANK_TOLERANCE) ? 0 : couples ? 1 / length : 1 / fmax(length, 1);
        for (int k = 0; k < n; k++) row[k] *= by;
    }
}

/* R (n x n, upper triangle) takes in `rows` rows of X, which are spent: [R; X] = Q [R'; 0]. */
static void pack_rows(int n, double *R, int rows, double *X) {
    for (int k = 0; k < n; k++) {
        double *top = R + (size_t)k * (size_t)n, below = 0;
        for (int i = 0; i < rows; i++) below += X[i * n + k] * X[i * n + k];
        if (below == 0) continue;
        const double norm = sqrt(top[k] * top[k] + below), pivot = top[k] + copysign(norm, top[k]);
        const double factor = 1 / (pivot * copysign(norm, top[k])); /* of (1, x / pivot) scaled to (pivot, x) */
        for (int j = k + 1; j < n; j++) {
            double along = pivot * top[j];
            for (int i = 0; i < rows; i++) along += X[i * n + k] * X[i * n + j];
            along *= factor;
            top[j] -= along * pivot;
            for (int i = 0; i < rows; i++) X[i * n + j] -= along * X[i * n + k];
        }
        top[k] = -copysign(norm, top[k]);
    }
}

static void swap_rows(int n, double *a, double *b) {
    for (int i = 0; i < n; i++) {
        const double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* Gram-Schmidt with pivoting; what was chosen is made orthogonal once more before it is taken out of the rest. */
static int rank_of(int rows, int n, double *X) {
    double first = 0;
    for (int k = 0; k < rows; k++) {
        double *pivot = X + (size_t)k * (size_t)n, most = -1;
        int best = k;
        for (int i = k; i < rows; i++) {
            const double *row = X + (size_t)i * (size_t)n, square = dot(n, row, row);
            if (square > most) most = square, best = i;
        }
        if (best != k) swap_rows(n, pivot, X + (size_t)best * (size_t)n);
        for (int i = 0; i < k; i++)
            axpy(n, -dot(n, X + (size_t)i * (size_t)n, pivot), X + (size_t)i * (size_t)n, pivot);
        const double length = sqrt(dot(n, pivot, pivot));
        if (k == 0) first = length;
        if (!(length > RANK_TOLERANCE * first)) return k;
        for (int i = 0; i < n; i++) pivot[i] /= length;
        for (int i = k + 1; i < rows; i++) {
            double *row = X + (size_t)i * (size_t)n;
            axpy(n, -dot(n, row, pivot), pivot, row);
        }
    }
    return rows;
}

/* The scaled rows of all loops, packed when they are more than nv; returns how many there are. X is (nv x nv). */
static int gather_rows(const zvModel *m, ziScratch scratch, const zvClosing *closing, const double *q, double *X) {
    const int nv = m->nv, all = m->tree.closed->loop_rows;
    const double *tq = zi_tree_q(m, &scratch, q);
    double *few = zi_scratch_doubles(&scratch, ZV_MAX_DOF * (size_t)nv);
    memset(X, 0, (size_t)nv * (size_t)nv * sizeof *X);
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        double *rows = all > nv ? few : X + (size_t)constraint->row * (size_t)nv;
        if (zi_is_open(m, closing, i)) continue;
        ends_jacobian(m, scratch, i, tq, m->tree.closed->size, rows);
        scale_rows(constraint->kind == ZV_LOOP_COUPLING, constraint->rows, nv, rows);
        if (all > nv) pack_rows(nv, X, constraint->rows, rows);
    }
    return all > nv ? nv : all;
}

/* Rank of G and what it leaves: redundant conditions, freedoms. */
zvStatus zi_loop_mobility(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                          zvLoopMobility *mobility) {
    *mobility = (zvLoopMobility){.freedoms = m->nv};
    if (m->nloop == 0) return ZV_OK;
    if (m->tree.nv > ZI_SCRATCH_MATRIX_MAX) return ZV_SIZE;
    ziScratch scratch = zi_scratch_of(m, work);
    double *X = zi_scratch_doubles(&scratch, (size_t)m->nv * (size_t)m->nv);
    mobility->rows = zi_closed_rows(m, closing);
    mobility->rank = rank_of(gather_rows(m, scratch, closing, q, X), m->nv, X);
    mobility->freedoms = m->nv - mobility->rank;
    mobility->redundant = mobility->rows - mobility->rank;
    return ZV_OK;
}

zvStatus zv_loop_mobility(const zvModel *m, zvWork *work, const double *q, zvLoopMobility *mobility) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && mobility);
    return zi_loop_mobility(m, work, NULL, q, mobility);
}
