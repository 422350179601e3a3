/* Inertia of a deformed elastic body, body axes, about its origin; from the mode integrals of model/tree.h.
 *
 *   | f |   | m 1   -S~   dS_j |  | a     |   | f_bias |
 *   | n | = | S~     J     L_j |  | alpha | + | n_bias |        J_rr, J_re, J_ee, C^r, C^e of [Gevorkian] (2)
 *   | Q |   | dS_i  L_i   M'_ij|  | e''   |   | C_i    |
 *
 *   f_bias = w x (w x S + 2 S') + S'',             S' = dS_i e'_i,  S'' = -axis e'^T S2 e'
 *   n_bias = w x (J w + L_i e'_i) + J' w + L'_i e'_i
 *   C_i    = w.(dL_i/de_j - dL_j/de_i) e'_j - w.(dJ/de_i) w / 2 + s_i (e'^T S2 e') / m
 *   M'     = M + s s^T / m,   s = S2 e: the mean of the shortening has inertia; without it M' could be indefinite
 *
 * Exactly the equations of Lagrange of the kinetic energy in tree.h: energy and momentum are kept whatever the order of
 * S, J and L in e. Differs from the source, which leaves the blocks to its reader. Elastic and damping forces are not
 * in C: they are added where forces are. */
#ifndef ZV_DYNAMICS_ELASTIC_H
#define ZV_DYNAMICS_ELASTIC_H

#include "kinematics/station.h"
#include "work/desk.h"

typedef struct elastic_terms {
    vec3 S;
    mat3 J;
    vec3 *dS, *L; /* n each */
    double *dJ;   /* n x 6: derivatives of J */
    double *s;    /* n; zero without stiffening */
    force bias;
    double *C; /* n */
} elastic_terms;

static inline void elastic_room(zvDesk *desk, int n, elastic_terms *x) {
    x->dS = zv_desk_take(desk, (size_t)n * sizeof *x->dS);
    x->L = zv_desk_take(desk, (size_t)n * sizeof *x->L);
    x->dJ = zv_desk_doubles(desk, 6 * (size_t)n);
    x->s = zv_desk_doubles(desk, (size_t)n);
    x->C = zv_desk_doubles(desk, (size_t)n);
}

/* Where the columns of each station that carries bodies begin when they lie one after another. */
static inline const int *station_offsets(const zvTree *t, zvDesk *desk) {
    int *first = zv_desk_take(desk, (size_t)t->ns * sizeof *first);
    for (int k = 0, next = 0; k < t->ns; k++) {
        first[k] = next;
        next += t->body[t->station[k].body].elastic->n;
    }
    return first;
}

/* Symmetric 3x3 from xx xy xz yy yz zz. */
static inline mat3 m3_of6(const double *p) {
    return m3(v3(p[0], p[1], p[2]), v3(p[1], p[3], p[4]), v3(p[2], p[4], p[5]));
}

/* y (length) := y0 + sum_j x_j rows[j]; four rows at a time, so that y is seldom stored and loaded again. y apart from
 * all else. */
static inline void accumulate(int n, int length, const double *y0, const double *rows, const double *x,
                              double *restrict y) {
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
static inline real long_dot(int n, const double *a, const double *b) {
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

/* S, J, dS, L, dJ, s at the elastic coordinates e. */
static inline void elastic_inertia(zvDesk desk, const zvBody *b, const double *e, elastic_terms *x) {
    const zvElastic *el = b->elastic;
    const int n = el->n;
    const vec3 axis = v3_of4(el->axis);
    double *L = zv_desk_doubles(&desk, 3 * (size_t)n), *bent = x->s, J[6] = {0};
    accumulate(n, 6 * n, el->J1, el->J2, e, x->dJ);
    accumulate(n, 3 * n, el->L0, el->L1, e, L);
    accumulate(el->S2 ? n : 0, n, NULL, el->S2, e, bent);
    x->S = v3_of4(b->h);
    for (int i = 0; i < n; i++) {
        const vec3 S1 = v3_of(el->S1 + 3 * i);
        x->dS[i] = v3_axpy(-bent[i], axis, S1);
        x->L[i] = v3_of(L + 3 * i);
        x->S = v3_axpy(e[i], v3_axpy(-0.5 * bent[i], axis, S1), x->S);
        for (int k = 0; k < 6; k++) J[k] += 0.5 * e[i] * (el->J1[6 * i + k] + x->dJ[6 * i + k]);
    }
    x->J = m3_add(m3_of12(b->J), m3_of6(J));
}

/* Where what hangs on a station will be summed. */
static inline rigid rigid_nothing(void) {
    rigid w;
    w.m = 0;
    w.h = v3_zero();
    w.J = m3(v3_zero(), v3_zero(), v3_zero());
    return w;
}

/* m, S, J in world axes; R is the body's rotation. */
static inline rigid elastic_world(const zvBody *b, const elastic_terms *x, mat3 R) {
    rigid w;
    w.m = b->m;
    w.h = m3_mulv(R, x->S);
    w.J = m3_mul(m3_mul(R, x->J), m3_transpose(R));
    return w;
}

/* bias and C for angular velocity w (body axes) and elastic velocities de; after elastic_inertia. */
static inline void elastic_bias(zvDesk desk, const zvBody *b, vec3 w, const double *de, elastic_terms *x) {
    const zvElastic *el = b->elastic;
    const int n = el->n;
    double *Ldot = zv_desk_doubles(&desk, 3 * (size_t)n), *wde = zv_desk_doubles(&desk, 3 * (size_t)n);
    double *bent = zv_desk_doubles(&desk, (size_t)n), Jdot[6] = {0};
    const real wx = v3_x(w), wy = v3_y(w), wz = v3_z(w);
    const real ww[6] = {wx * wx, 2 * wx * wy, 2 * wx * wz, wy * wy, 2 * wy * wz, wz * wz};
    vec3 Sdot = v3_zero(), spin = v3_zero(), turn = v3_zero();
    real shortening = 0;
    accumulate(n, 3 * n, NULL, el->L1, de, Ldot);
    accumulate(el->S2 ? n : 0, n, NULL, el->S2, de, bent);
    for (int i = 0; i < n; i++) v3_to(wde + 3 * i, v3_scale(de[i], w));
    for (int i = 0; i < n; i++) {
        const double *dJ = x->dJ + 6 * i, *into = el->L1 + 3 * (size_t)i * (size_t)n; /* dL_k/de_i for all k */
        const vec3 Li = v3_of(Ldot + 3 * i);
        Sdot = v3_axpy(de[i], x->dS[i], Sdot);
        spin = v3_axpy(de[i], x->L[i], spin);
        turn = v3_axpy(de[i], Li, turn);
        shortening += de[i] * bent[i];
        real centrifugal = 0;
        for (int k = 0; k < 6; k++) {
            Jdot[k] += de[i] * dJ[k];
            centrifugal += ww[k] * dJ[k];
        }
        x->C[i] = v3_dot(w, Li) - long_dot(3 * n, into, wde) - 0.5 * centrifugal;
    }
    for (int i = 0; i < n && el->S2; i++) x->C[i] += x->s[i] * (shortening / b->m);
    const vec3 f = v3_cross(w, v3_axpy(2, Sdot, v3_cross(w, x->S)));
    const vec3 n_ = v3_cross_add(w, v3_add(m3_mulv(x->J, w), spin), m3_mulv(m3_of6(Jdot), w));
    x->bias = force_of(v3_axpy(-shortening, v3_of4(el->axis), f), v3_add(n_, turn));
}

#endif
