/* Momentum and energy of one deformed elastic body, from the mode integrals of model/tree.h; body axes, about its
 * origin. x = (e, zeta) with the shapes of shortening.
 *
 *   momentum          p   = m v + w x S + S'                     S' = S1_p x'_p
 *   angular momentum  h   = S x v + J w + l                      l  = L_p x'_p
 *   kinetic energy    T   = (p.v + h.w + S'.v + l.w + x'.M x') / 2 */
#ifndef ZI_KINEMATICS_DEFORMED_H
#define ZI_KINEMATICS_DEFORMED_H

#include "kinematics/attachment.h"
#include "work/scratch.h"

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
