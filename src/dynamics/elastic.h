/* Inertia of a deformed elastic body, body axes, about its origin; from the mode integrals of model/tree.h.
 *
 *   | f |   | m 1   -S~   dS_j |  | a     |   | f_bias |
 *   | n | = | S~     J     L_j |  | alpha | + | n_bias |        J_rr, J_re, J_ee, C^r, C^e of [Gevorkian] (2)
 *   | Q |   | dS_i  L_i   M_ij |  | e''   |   | C_i    |
 *
 * of all shapes with x = (e, zeta), brought to e by x' = B e', x'' = B e'' + (0, kappa): zeta_a = e^T G_a e / 2, so
 * that row a of B is b_a = G_a e, and kappa_a = e'^T G_a e':
 *
 *   dS_i = S1_p B_pi,  L_i = L_p B_pi,  dJ_i = (dJ/dx_p) B_pi,  M = rest + s_a s_a^T with s_a = b_a + couple_a
 *   f_bias = w x (w x S + 2 S') + S1_a kappa_a
 *   n_bias = w x (J w + L_i e'_i) + J' w + L'_p x'_p + L_a kappa_a
 *   C_i    = B_pi w.(dL_p/dx_q - dL_q/dx_p) x'_q - w.dJ_i w / 2 + s_ai kappa_a
 *
 * Exactly the equations of Lagrange of the kinetic energy in tree.h, which is that of a field of displacements: energy
 * and momentum are kept, and the inertia is positive, however far the body is bent. Differs from the source, which
 * leaves the blocks to its reader. Elastic and damping forces are not in C: they are added where forces are. */
#ifndef ZI_DYNAMICS_ELASTIC_H
#define ZI_DYNAMICS_ELASTIC_H

#include "kinematics/attachment.h"
#include "work/scratch.h"

typedef struct elastic_terms {
    vec3 S;
    mat3 J;
    vec3 *dS, *L; /* n, then those of the shapes of shortening */
    real *dJ;     /* likewise, x 6 */
    real *x;      /* n + extra */
    real *b, *s;  /* extra x n */
    force bias;
    real *C; /* n + extra; of the coordinates: n */
} elastic_terms;

static inline void take_elastic_terms(ziScratch *scratch, const ziElastic *el, elastic_terms *x) {
    const size_t all = (size_t)(el->n + el->extra), rows = (size_t)el->extra * (size_t)el->n;
    x->dS = zi_scratch_array(scratch, vec3, all);
    x->L = zi_scratch_array(scratch, vec3, all);
    x->dJ = zi_scratch_array(scratch, real, 6 * all);
    x->x = zi_scratch_array(scratch, real, all);
    x->b = zi_scratch_array(scratch, real, rows);
    x->s = zi_scratch_array(scratch, real, rows);
    x->C = zi_scratch_array(scratch, real, all);
}

/* Where the columns of each attachment that carries bodies begin when they lie one after another. */
static inline const int *attachment_offsets(const ziTree *t, ziScratch *scratch) {
    int *first = zi_scratch_array(scratch, int, t->ns);
    for (int k = 0, next = 0; k < t->ns; k++) {
        first[k] = next;
        next += t->body[t->attachment[k].body].elastic->n;
    }
    return first;
}

/* Symmetric 3x3 from xx xy xz yy yz zz. */
static inline mat3 m3_of6(const real *p) {
    return m3(v3(p[0], p[1], p[2]), v3(p[1], p[3], p[4]), v3(p[2], p[4], p[5]));
}

/* y (length) := y0 + sum_j x_j rows[j]; four rows at a time, so that y is seldom stored and loaded again. y apart from
 * all else. */
static inline void accumulate(int n, int length, const double *y0, const double *rows, const real *x,
                              real *restrict y) {
    int j = 0;
    for (int k = 0; k < length; k++) y[k] = y0 ? y0[k] : 0;
    for (; j + 4 <= n; j += 4) {
        const double *r0 = rows + (size_t)j * (size_t)length, *r1 = r0 + length, *r2 = r1 + length, *r3 = r2 + length;
        const real x0 = x[j], x1 = x[j + 1], x2 = x[j + 2], x3 = x[j + 3];
        for (int k = 0; k < length; k++) y[k] += (x0 * r0[k] + x1 * r1[k]) + (x2 * r2[k] + x3 * r3[k]);
    }
    for (; j < n; j++) {
        const double *row = rows + (size_t)j * (size_t)length;
        const real xj = x[j];
        for (int k = 0; k < length; k++) y[k] += xj * row[k];
    }
}

/* a.b in four sums that do not wait for each other */
static inline real long_dot(int n, real_source a, const real *b) {
    real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; k++) s0 += a[k] * b[k];
    return (s0 + s1) + (s2 + s3);
}

/* x, b, s at the elastic coordinates e. */
static inline void elastic_shapes(const ziElastic *el, const real *e, elastic_terms *x) {
    const int n = el->n;
    for (int i = 0; i < n; i++) x->x[i] = e[i];
    for (int a = 0; a < el->extra; a++) {
        real *b = x->b + a * n, *s = x->s + a * n;
        accumulate(n, n, NULL, el->G + (size_t)a * (size_t)n * (size_t)n, e, b);
        for (int i = 0; i < n; i++) s[i] = b[i] + el->couple[a * n + i];
        x->x[n + a] = 0.5 * long_dot(n, b, e);
    }
}

/* S, J, dS, L, dJ, b, s at the elastic coordinates e. */
static inline void elastic_inertia(ziScratch scratch, const ziBody *b, const real *e, elastic_terms *x) {
    const ziElastic *el = b->elastic;
    const int n = el->n, all = n + el->extra;
    real *L = zi_scratch_array(&scratch, real, 3 * (size_t)all), J[6] = {0};
    elastic_shapes(el, e, x);
    accumulate(all, 6 * all, el->J1, el->J2, x->x, x->dJ);
    accumulate(all, 3 * all, el->L0, el->L1, x->x, L);
    x->S = v3_of4(b->h);
    for (int p = 0; p < all; p++) {
        x->dS[p] = v3_of(el->S1 + 3 * p);
        x->L[p] = v3_of(L + 3 * p);
        x->S = v3_axpy(x->x[p], x->dS[p], x->S);
        for (int k = 0; k < 6; k++) J[k] += 0.5 * x->x[p] * (el->J1[6 * p + k] + x->dJ[6 * p + k]);
    }
    x->J = m3_add(m3_of12(b->J), m3_of6(J));
    for (int a = n; a < all; a++) {
        const real *turn = x->b + (a - n) * n;
        for (int i = 0; i < n; i++) {
            x->dS[i] = v3_axpy(turn[i], x->dS[a], x->dS[i]);
            x->L[i] = v3_axpy(turn[i], x->L[a], x->L[i]);
            for (int k = 0; k < 6; k++) x->dJ[6 * i + k] += turn[i] * x->dJ[6 * a + k];
        }
    }
}

/* Where what hangs on an attachment will be summed. */
static inline rigid rigid_nothing(void) {
    rigid w;
    w.m = 0;
    w.h = v3_zero();
    w.J = m3(v3_zero(), v3_zero(), v3_zero());
    return w;
}

/* m, S, J in world axes; R is the body's rotation. */
static inline rigid elastic_world(const ziBody *b, const elastic_terms *x, mat3 R) {
    rigid w;
    w.m = b->m;
    w.h = m3_mulv(R, x->S);
    w.J = m3_mul(m3_mul(R, x->J), m3_transpose(R));
    return w;
}

/* x' of all shapes, and kappa. */
static inline void elastic_rates(const ziElastic *el, const real *de, const elastic_terms *x, real *dx, real *kappa) {
    const int n = el->n;
    for (int i = 0; i < n; i++) dx[i] = de[i];
    for (int a = 0; a < el->extra; a++) {
        const double *G = el->G + (size_t)a * (size_t)n * (size_t)n;
        dx[n + a] = long_dot(n, x->b + a * n, de);
        kappa[a] = 0;
        for (int i = 0; i < n; i++) kappa[a] += de[i] * row_dot(n, G + (size_t)i * (size_t)n, de);
    }
}

/* bias and C for angular velocity w (body axes) and elastic velocities de; after elastic_inertia. */
static inline void elastic_bias(ziScratch scratch, const ziBody *b, vec3 w, const real *de, elastic_terms *x) {
    const ziElastic *el = b->elastic;
    const int n = el->n, all = n + el->extra;
    real *Ldot = zi_scratch_array(&scratch, real, 3 * (size_t)all),
         *wdx = zi_scratch_array(&scratch, real, 3 * (size_t)all);
    real *dx = zi_scratch_array(&scratch, real, (size_t)all),
         *kappa = zi_scratch_array(&scratch, real, (size_t)el->extra), Jdot[6] = {0};
    const real wx = v3_x(w), wy = v3_y(w), wz = v3_z(w);
    const real ww[6] = {wx * wx, 2 * wx * wy, 2 * wx * wz, wy * wy, 2 * wy * wz, wz * wz};
    vec3 Sdot = v3_zero(), spin = v3_zero(), turn = v3_zero(), shortening = v3_zero();
    elastic_rates(el, de, x, dx, kappa);
    accumulate(all, 3 * all, NULL, el->L1, dx, Ldot);
    for (int p = 0; p < all; p++) v3_to(wdx + 3 * p, v3_scale(dx[p], w));
    for (int p = 0; p < all; p++) {
        const double *into = el->L1 + 3 * (size_t)p * (size_t)all; /* dL_q/dx_p for all q */
        const vec3 Lp = v3_of(Ldot + 3 * p);
        turn = v3_axpy(dx[p], Lp, turn);
        x->C[p] = v3_dot(w, Lp) - long_dot(3 * all, into, wdx);
    }
    for (int i = 0; i < n; i++) {
        const real *dJ = x->dJ + 6 * i;
        Sdot = v3_axpy(de[i], x->dS[i], Sdot);
        spin = v3_axpy(de[i], x->L[i], spin);
        real centrifugal = 0;
        for (int k = 0; k < 6; k++) {
            Jdot[k] += de[i] * dJ[k];
            centrifugal += ww[k] * dJ[k];
        }
        x->C[i] -= 0.5 * centrifugal;
    }
    for (int a = 0; a < el->extra; a++) {
        shortening = v3_axpy(kappa[a], x->dS[n + a], shortening);
        turn = v3_axpy(kappa[a], x->L[n + a], turn);
        for (int i = 0; i < n; i++) x->C[i] += x->b[a * n + i] * x->C[n + a] + x->s[a * n + i] * kappa[a];
    }
    const vec3 f = v3_cross(w, v3_axpy(2, Sdot, v3_cross(w, x->S)));
    const vec3 n_ = v3_cross_add(w, v3_add(m3_mulv(x->J, w), spin), m3_mulv(m3_of6(Jdot), w));
    x->bias = force_of(v3_add(f, shortening), v3_add(n_, turn));
}

/* Entry i, j of the mass matrix of the body's own coordinates; rows of s are `stride` apart. */
static inline real elastic_mass(const ziElastic *el, const real *s, size_t stride, size_t i, size_t j) {
    real sum = el->rest[i * (size_t)el->n + j];
    for (int a = 0; a < el->extra; a++) sum += s[(size_t)a * stride + i] * s[(size_t)a * stride + j];
    return sum;
}

/* Force and moment of the body, (E.9) and (E.10) of docs/elastic.md, at the acceleration a less gravity of its origin;
 * C becomes Q of (E.11), with rotors and without the forces of the material. After elastic_bias; dde NULL: zero. */
static inline force elastic_forces(const ziTree *t, const ziBody *b, vec3 a, vec3 alpha, const real *dde,
                                   elastic_terms *x) {
    const ziElastic *el = b->elastic;
    const int n = el->n;
    vec3 f = v3_axpy(b->m, a, v3_cross_add(alpha, x->S, x->bias.lin));
    vec3 m = v3_cross_add(x->S, a, m3_mulv_add(x->J, alpha, x->bias.ang));
    for (int i = 0; i < n; i++) {
        x->C[i] += v3_dot2(x->dS[i], a, x->L[i], alpha);
        if (!dde) continue;
        f = v3_axpy(dde[i], x->dS[i], f);
        m = v3_axpy(dde[i], x->L[i], m);
        x->C[i] += row_dot(n, el->rest + (size_t)i * (size_t)n, dde) + t->armature[el->v + i] * dde[i];
    }
    for (int k = 0; k < el->extra && dde; k++) {
        const real shortening = row_dot(n, x->s + k * n, dde);
        for (int i = 0; i < n; i++) x->C[i] += x->s[k * n + i] * shortening;
    }
    return force_of(f, m);
}

#endif
