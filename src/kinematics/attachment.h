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
#include "work/scratch.h"

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

/* Momentum and energy of one deformed elastic body, from the mode integrals of model/tree.h; body axes, about its
 * origin. x = (e, zeta) with the shapes of shortening.
 *
 *   momentum          p   = m v + w x S + S'                     S' = S1_p x'_p
 *   angular momentum  h   = S x v + J w + l                      l  = L_p x'_p
 *   kinetic energy    T   = (p.v + h.w + S'.v + l.w + x'.M x') / 2 */

/* A body as it is bent now: first moment, moments of inertia; rate of the first moment, spin of the deformation. */
typedef struct deformed {
    vec3 S;
    mat3 J;
    vec3 rate, spin;
    real energy; /* x'.M x' / 2 */
} deformed;

/* J + J1_p x_p + J2_pq x_p x_q / 2 */
static inline mat3 deformed_moments(const ziBody *b, const real *x) {
    const ziElastic *el = b->elastic;
    const size_t all = (size_t)(el->n + el->extra);
    real J[6] = {0};
    for (size_t p = 0; p < all; p++) {
        for (size_t k = 0; k < 6; k++) {
            real by_two = 0;
            for (size_t q = 0; q < all; q++) by_two += el->J2[(q * all + p) * 6 + k] * x[q];
            J[k] += x[p] * (el->J1[6 * p + k] + 0.5 * by_two);
        }
    }
    const mat3 change = m3(v3(J[0], J[1], J[2]), v3(J[1], J[3], J[4]), v3(J[2], J[4], J[5]));
    return m3_add(m3_of12(b->J), change);
}

/* e and de point at the body's elastic coordinates and velocities; x and dx are (n + extra), filled with those of all
 * shapes. Returns x'.M x' / 2. */
static inline real deformed_shapes(const ziElastic *el, const real *e, const real *de, real *x, real *dx) {
    const int n = el->n;
    real energy = 0;
    for (int i = 0; i < n; i++) {
        x[i] = e[i];
        dx[i] = de[i];
        energy += 0.5 * de[i] * row_dot(n, el->M + (size_t)i * (size_t)n, de);
    }
    for (int a = 0; a < el->extra; a++) {
        const double *G = el->G + (size_t)a * (size_t)n * (size_t)n;
        x[n + a] = dx[n + a] = 0;
        for (int i = 0; i < n; i++) {
            const real bent = row_dot(n, G + (size_t)i * (size_t)n, e);
            x[n + a] += 0.5 * e[i] * bent;
            dx[n + a] += de[i] * bent;
        }
        energy += dx[n + a] * (0.5 * dx[n + a] + row_dot(n, el->couple + (size_t)a * (size_t)n, de));
    }
    return energy;
}

/* The scratch memory is that of a kernel: what is taken here ends with this. */
static inline deformed deformed_body(ziScratch scratch, const ziBody *b, const real *e, const real *de) {
    const ziElastic *el = b->elastic;
    const int all = el->n + el->extra;
    real *shape = zi_scratch_array(&scratch, real, all), *rate = zi_scratch_array(&scratch, real, all);
    deformed x;
    x.energy = deformed_shapes(el, e, de, shape, rate);
    x.spin = rows_mix(all, el->L0, rate);
    for (int q = 0; q < all; q++)
        x.spin = v3_axpy(shape[q], rows_mix(all, el->L1 + 3 * (size_t)q * (size_t)all, rate), x.spin);
    x.S = v3_add(v3_of4(b->h), rows_mix(all, el->S1, shape));
    x.rate = rows_mix(all, el->S1, rate);
    x.J = deformed_moments(b, shape);
    return x;
}

/* p and h for the velocity v, and T; body axes. */
static inline force deformed_momentum(const ziBody *b, const deformed *x, motion v, real *energy) {
    rigid frozen;
    frozen.m = b->m;
    frozen.h = x->S;
    frozen.J = x->J;
    const force own = force_of(x->rate, x->spin), h = force_add(rigid_mul(&frozen, v), own);
    *energy = 0.5 * (force_dot(h, v) + force_dot(own, v)) + x->energy;
    return h;
}

#endif
