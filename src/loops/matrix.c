/* Jacobians of loops, from those of their two ends. */
#include <assert.h>
#include <string.h>

#include "loops/ends.h"
#include "work/coupling.h"
#include "zveno/loops.h"

/* The columns of the two rows that a loop hangs on, (6 x tree nv) each, world axes, about their origins. */
typedef struct Sides {
    double *a, *b;
} Sides;

static Sides room_for_sides(const zvModel *m, ziScratch *scratch) {
    Sides s;
    s.a = zi_scratch_doubles(scratch, 6 * (size_t)m->tree.nv);
    s.b = zi_scratch_doubles(scratch, 6 * (size_t)m->tree.nv);
    return s;
}

static void fill_sides(const zvModel *m, ziScratch scratch, const ziConstraint *constraint, const double *q,
                       const Sides *s) {
    const ziFrameSpot a = zi_end_spot(&m->tree, &constraint->a), b = zi_end_spot(&m->tree, &constraint->b);
    ziPlacement pose;
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
static void relative_row(int nv, const Sides *s, const constraint_now *now, vec3 t, vec3 n, double *row) {
    memset(row, 0, (size_t)nv * sizeof *row);
    add_product(nv, s->b, 1, t, n, now->reach_b, row);
    add_product(nv, s->a, -1, t, n, now->reach_a, row);
}

static void coupling_row(const ziConstraint *constraint, int nv, double *row) {
    memset(row, 0, (size_t)nv * sizeof *row);
    for (int k = 0; k < constraint->terms; k++) row[constraint->term[k].v] += constraint->term[k].ratio;
}

void zi_ends_jacobian(const zvModel *m, ziScratch scratch, int loop, const double *q, double size, double *rows) {
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    const int nv = m->tree.nv;
    double *spare = m->coupling.count ? zi_scratch_doubles(&scratch, (size_t)nv) : NULL;
    const Sides sides = room_for_sides(m, &scratch);
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, q, NULL, &ends);
    if (constraint->kind != ZV_LOOP_COUPLING) fill_sides(m, scratch, constraint, q, &sides);
    for (int k = 0; k < constraint->rows; k++) {
        const vec3 t = ends.now.lin[k], n = ends.now.ang[k];
        const double unit = v3_dot(t, t) > 0 ? 1 / size : 1;
        double *to = rows + (size_t)k * (size_t)m->nv, *row = spare ? spare : to;
        if (constraint->kind == ZV_LOOP_COUPLING)
            coupling_row(constraint, nv, row);
        else
            relative_row(nv, &sides, &ends.now, v3_scale(unit, t), v3_scale(unit, n), row);
        zi_contract_columns(m, 1, row, to);
    }
}

void zv_loop_jacobian(const zvModel *m, zvWork *work, const double *q, double *G) {
    if (m->nloop == 0) return;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    for (int i = 0; i < m->nloop; i++)
        zi_ends_jacobian(m, scratch, i, tq, 1, G + (size_t)m->tree.closed->constraint[i].row * (size_t)m->nv);
}

/* Axis i of the parent's frame of a loop, as it is described, in the world. */
static vec3 described_axis(const zvModel *m, const ziEnds *ends, int loop, int i) {
    const zvPose frame = zi_frame_in_body(m, m->loop_places[loop].parent_frame);
    return m3_mulv(ends->a.R, v3(frame.R[i], frame.R[3 + i], frame.R[6 + i]));
}

void zv_loop_matrix(const zvModel *m, zvWork *work, const double *q, int loop, double *U) {
    assert(loop >= 0 && loop < m->nloop);
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    ziScratch scratch = zi_scratch_of(m, work);
    memset(U, 0, 6 * (size_t)m->nv * sizeof *U);
    if (constraint->kind == ZV_LOOP_COUPLING) return;
    const double *tq = zi_tree_q(m, &scratch, q);
    const Sides sides = room_for_sides(m, &scratch);
    double *spare = m->coupling.count ? zi_scratch_doubles(&scratch, (size_t)m->tree.nv) : NULL;
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, tq, NULL, &ends);
    fill_sides(m, scratch, constraint, tq, &sides);
    for (int i = 0; i < 6; i++) {
        const vec3 axis = described_axis(m, &ends, loop, i % 3), zero = v3_zero();
        double *to = U + (size_t)i * (size_t)m->nv, *row = spare ? spare : to;
        relative_row(m->tree.nv, &sides, &ends.now, i < 3 ? axis : zero, i < 3 ? zero : axis, row);
        zi_contract_columns(m, 1, row, to);
    }
}
