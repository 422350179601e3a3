/* Sections of elastic bodies that carry joints and frames. A section moves in its body as if on a joint with one column
 * per elastic coordinate:
 *
 *   position  at + d_i e_i - axis e^T G e / 2,    rotation by the vector theta = r_i e_i
 *   column i  lin = d_i - axis (G e)_i,           ang = A(theta) r_i
 *   bias      lin = -axis (e'^T G e'),            ang = A' theta'       (relative acceleration at e'' = 0)
 *
 * [Gevorkian] 5.1, with Phi = columns. Differs: rotations are finite, and the axis shortens. */
#ifndef ZI_KINEMATICS_ATTACHMENT_H
#define ZI_KINEMATICS_ATTACHMENT_H

#include "kinematics/outward.h"
#include "spatial/rotation_vector.h"

/* sum x_i v_i over n rows of three numbers */
static inline vec3 rows_mix(int n, const double *rows, const real *x) {
    vec3 sum = v3_zero();
    for (int i = 0; i < n; i++) sum = v3_axpy(x[i], v3_of(rows + 3 * i), sum);
    return sum;
}

/* sum_j G_ij x_j */
static inline real row_dot(int n, real_source row, const real *x) {
    real sum = 0;
    for (int j = 0; j < n; j++) sum += row[j] * x[j];
    return sum;
}

/* Rotation and origin of the section in its body, and its columns, body axes; e points at the body's elastic
 * coordinates. S may be NULL. */
static inline void attachment_in_body(const ziAttachment *st, const ziElastic *el, const real *e, placed *f,
                                      motion *S) {
    const vec3 axis = v3_of4(el->axis);
    const int n = el->n;
    rotation_vector turn = rotation_of(st->r ? rows_mix(n, st->r, e) : v3_zero());
    real shortening = 0;
    f->r = v3_add(v3_of4(st->at), rows_mix(n, st->d, e));
    f->R = st->r ? rotation_matrix(&turn) : m3_identity();
    for (int i = 0; i < n; i++) {
        const real bent = st->G ? row_dot(n, st->G + (size_t)i * (size_t)n, e) : 0;
        shortening += 0.5 * bent * e[i];
        if (!S) continue;
        S[i].lin = v3_axpy(-bent, axis, v3_of(st->d + 3 * i));
        S[i].ang = st->r ? rotation_rate(&turn, v3_of(st->r + 3 * i)) : v3_zero();
    }
    f->r = v3_axpy(-shortening, axis, f->r);
}

/* What the columns make of x, S_i x_i, without the columns: relative velocity for x = e', body axes. */
static inline motion attachment_rate_in_body(const ziAttachment *st, const ziElastic *el, const real *e,
                                             const real *x) {
    const int n = el->n;
    motion rate = motion_of(rows_mix(n, st->d, x), v3_zero());
    if (st->G) {
        real shortening = 0;
        for (int i = 0; i < n; i++) shortening += x[i] * row_dot(n, st->G + (size_t)i * (size_t)n, e);
        rate.lin = v3_axpy(-shortening, v3_of4(el->axis), rate.lin);
    }
    if (st->r) {
        rotation_vector turn = rotation_of(rows_mix(n, st->r, e));
        rate.ang = rotation_rate(&turn, rows_mix(n, st->r, x));
    }
    return rate;
}

/* Relative acceleration of the section at e'' = 0, body axes. */
static inline motion attachment_bias_in_body(const ziAttachment *st, const ziElastic *el, const real *e,
                                             const real *de) {
    const int n = el->n;
    motion bias = motion_zero();
    if (st->G) {
        real shortening = 0;
        for (int i = 0; i < n; i++) shortening += de[i] * row_dot(n, st->G + (size_t)i * (size_t)n, de);
        bias.lin = v3_scale(-shortening, v3_of4(el->axis));
    }
    if (st->r) {
        rotation_vector turn = rotation_of(rows_mix(n, st->r, e));
        bias.ang = rotation_bias(&turn, rows_mix(n, st->r, de));
    }
    return bias;
}

/* The same in world axes; Rb is the body's rotation. r goes from the body's origin to the section's. */
static inline void place_attachment(const ziAttachment *st, const ziElastic *el, const mat3 *Rb, const real *e,
                                    placed *f, motion *S) {
    placed in;
    attachment_in_body(st, el, e, &in, S);
    f->R = m3_mul(*Rb, in.R);
    f->r = m3_mulv(*Rb, in.r);
    for (int i = 0; S && i < el->n; i++) S[i] = motion_of(m3_mulv(*Rb, S[i].lin), m3_mulv(*Rb, S[i].ang));
}

static inline motion attachment_rate_world(const ziAttachment *st, const ziElastic *el, const mat3 *Rb, const real *e,
                                           const real *x) {
    motion rate = attachment_rate_in_body(st, el, e, x);
    return motion_of(m3_mulv(*Rb, rate.lin), m3_mulv(*Rb, rate.ang));
}

static inline motion attachment_bias_world(const ziAttachment *st, const ziElastic *el, const mat3 *Rb, const real *e,
                                           const real *de) {
    motion bias = attachment_bias_in_body(st, el, e, de);
    return motion_of(m3_mulv(*Rb, bias.lin), m3_mulv(*Rb, bias.ang));
}

/* sum S_i x_i */
static inline motion columns_mix(int n, const motion *S, const real *x) {
    motion sum = motion_zero();
    for (int i = 0; i < n; i++) sum = motion_axpy(x[i], S[i], sum);
    return sum;
}

#endif
