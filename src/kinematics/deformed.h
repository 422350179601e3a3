/* Momentum and energy of one deformed elastic body, from the mode integrals of model/tree.h; body axes, about its
 * origin.
 *
 *   momentum          p   = m v + w x S + S'                     S' = S1_i e'_i - axis e^T S2 e'
 *   angular momentum  h   = S x v + J w + l                      l  = L_i e'_i
 *   kinetic energy    T   = (p.v + h.w + S'.v + l.w + e'.M e' + (e.S2 e')^2 / m) / 2 */
#ifndef ZV_KINEMATICS_DEFORMED_H
#define ZV_KINEMATICS_DEFORMED_H

#include "kinematics/station.h"

/* A body as it is bent now: first moment, moments of inertia; rate of the first moment, spin of the deformation. */
typedef struct deformed {
    vec3 S;
    mat3 J;
    vec3 rate, spin;
    real energy; /* e'.M e' / 2 and that of the mean shortening */
} deformed;

/* J + J1_i e_i + J2_ij e_i e_j / 2 */
static inline mat3 deformed_moments(const zvBody *b, const double *e) {
    const zvElastic *el = b->elastic;
    const size_t n = (size_t)el->n;
    double J[6] = {0};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 6; k++) {
            real by_two = 0;
            for (size_t j = 0; j < n; j++) by_two += el->J2[(j * n + i) * 6 + k] * e[j];
            J[k] += e[i] * (el->J1[6 * i + k] + 0.5 * by_two);
        }
    }
    const mat3 change = m3(v3(J[0], J[1], J[2]), v3(J[1], J[3], J[4]), v3(J[2], J[4], J[5]));
    return m3_add(m3_of12(b->J), change);
}

/* e and de point at the body's elastic coordinates and velocities. */
static inline deformed deformed_body(const zvBody *b, const double *e, const double *de) {
    const zvElastic *el = b->elastic;
    const int n = el->n;
    deformed x;
    real shortening = 0, shortens = 0;
    x.spin = rows_mix(n, el->L0, de);
    x.energy = 0;
    for (int i = 0; i < n; i++) {
        const size_t row = (size_t)i * (size_t)n;
        const real bent = el->S2 ? row_dot(n, el->S2 + row, e) : 0;
        shortening += 0.5 * e[i] * bent;
        shortens += de[i] * bent;
        x.spin = v3_axpy(e[i], rows_mix(n, el->L1 + 3 * row, de), x.spin);
        x.energy += 0.5 * de[i] * row_dot(n, el->M + row, de);
    }
    if (el->S2) x.energy += 0.5 * shortens * shortens / b->m;
    x.S = v3_axpy(-shortening, v3_of4(el->axis), v3_add(v3_of4(b->h), rows_mix(n, el->S1, e)));
    x.rate = v3_axpy(-shortens, v3_of4(el->axis), rows_mix(n, el->S1, de));
    x.J = deformed_moments(b, e);
    return x;
}

/* p and h for the velocity v, and T; body axes. */
static inline force deformed_momentum(const zvBody *b, const deformed *x, motion v, real *energy) {
    rigid frozen;
    frozen.m = b->m;
    frozen.h = x->S;
    frozen.J = x->J;
    const force own = force_of(x->rate, x->spin), h = force_add(rigid_mul(&frozen, v), own);
    *energy = 0.5 * (force_dot(h, v) + force_dot(own, v)) + x->energy;
    return h;
}

#endif
