/* Forward and mixed dynamics by Vereshchagin's method of separate bodies (articulated body), O(n).
 * World axes, each body about its own origin; true accelerations of origins.
 *
 *   outward  R, r, columns S, w, a'; inertia M* = M and force P = bias - external of the body alone
 *   inward   P += M* a'; then, one column of the joint after the other, last to first:
 *              U = M* S,  D = S^T U + armature
 *              force given:         u = tau - S^T P;   M* -= U U^T / D;  P += U u / D      [Vereshchagin] (17), (18)
 *              acceleration given:  u = S^T P + D a;   P += U a                            [Gevorkian] chi = 1
 *            parent's M*, P += those of the body carried to its origin
 *   outward  b = C a_parent; columns first to last: a = (u - U^T b) / D, or tau = u + U^T b; b += S a; a_body = b + a'
 *
 * Differs from the source: several columns per joint are eliminated one by one, as if massless bodies lay between
 * them; drives tau are included; the reference point is the joint, not the centre of mass; a given acceleration or a
 * given force is chosen per degree of freedom. Elastic bodies: kernel_articulated_elastic.h; a joint on one of them
 * takes its section for the parent (ziBody.base). */
#include "dynamics/kernel_articulated_steps.h"
#include "real/sincos.h"

static ZI_HOT void outward_accelerations(const ziTree *t, const Problem *p, const ArticulatedBody *row,
                                         const ArticulatedColumn *column, const double *gravity, motion *acc, real *tau,
                                         real *a, bool elastic) {
    acc[0] = motion_of(v3_neg(v3_of(gravity)), v3_zero());
    for (int i = 1; i < t->nb; i++) accelerate(t, i, p, row, column, acc, tau, a, elastic);
}

/* elastic is a constant wherever this is called: rigid trees pay nothing for what they do not have. */
static ZI_HOT real_ok sweep(const ziTree *t, ziScratch scratch, Problem p, const double *gravity, real *tau, real *a,
                            bool elastic) {
    real *s = zi_scratch_array(&scratch, real, t->nq), *c = zi_scratch_array(&scratch, real, t->nq);
    const size_t rows = (size_t)(t->nb + t->ns);
    ArticulatedBody *row = zi_scratch_array(&scratch, ArticulatedBody, rows);
    motion *acc = zi_scratch_array(&scratch, motion, rows);
    ArticulatedColumn *column = zi_scratch_array(&scratch, ArticulatedColumn, t->nv);
    const ElasticScratch memory = take_elastic_scratch(t, &scratch, &p);
    sincos_array(t->nq, p.q, s, c);
    p.s = s;
    p.c = c;
    outward_bodies(t, scratch, &p, row, column, memory, elastic);
    real_stage();
    real_ok ok = inward(t, scratch, &p, row, column, elastic);
    outward_accelerations(t, &p, row, column, gravity, acc, tau, a, elastic);
    return ok;
}

static ZI_HOT zvStatus pivots_to_status(real_ok ok) { return ok ? ZV_OK : ZV_SINGULAR; }

static ZI_COLD zvStatus sweep_elastic(const ziTree *t, ziScratch scratch, const Problem *p, const double *gravity,
                                      real *tau, real *a) {
    return pivots_to_status(sweep(t, scratch, *p, gravity, tau, a, true));
}

zvStatus ZI_KERNEL(zi_articulated_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                           const real *tau, const double *gravity, const real *fext, real *a) {
    Problem p = {.q = q, .v = v, .tau = tau, .a = a, .fext = fext};
    return t->ne ? sweep_elastic(t, scratch, &p, gravity, NULL, a)
                 : pivots_to_status(sweep(t, scratch, p, gravity, NULL, a, false));
}

zvStatus ZI_KERNEL(zi_articulated_mixed)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                         const unsigned char *given, const double *gravity, const real *fext,
                                         const ziAugment *structure, real *tau, real *a) {
    Problem p = {.q = q, .v = v, .tau = tau, .a = a, .fext = fext, .given = given, .structure = structure};
    return t->ne ? sweep_elastic(t, scratch, &p, gravity, tau, a)
                 : pivots_to_status(sweep(t, scratch, p, gravity, tau, a, false));
}

/* A unit force in column k inward: from its body through its ancestors. P is zero on entry and exit; u is the unit
 * force on entry. */
static inline void unit_inward(const ziTree *t, const ArticulatedBody *row, const ArticulatedColumn *column, int k,
                               force *P, real *u) {
    for (int i = t->dof_body[k]; i; i = t->body[i].parent) {
        const ziBody *b = &t->body[i];
        if (b->elastic) unit_bend(t, b, row, column, P, &P[i], u);
        for (int d = b->v + b->nv - 1; d >= b->v; d--) {
            u[d] -= column_dot(b, P[i], &column[d].S);
            P[i] = force_axpy(column[d].k * u[d], column[d].U, P[i]);
        }
        if (b->parent) P[b->base] = force_add(P[b->base], force_shift(P[i], row[i].at.r));
        P[i] = force_zero();
    }
}

/* Accelerations x at the reduced forces u, without gravity and velocities: x_d = (u_d - U_d^T y) / D_d from the root
 * on. */
static inline void solve_outward(const ziTree *t, const ArticulatedBody *row, const ArticulatedColumn *column,
                                 const real *u, motion *acc, real *x) {
    acc[0] = motion_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        motion y = motion_shift(acc[b->base], row[i].at.r);
        for (int d = b->v; d < b->v + b->nv; d++) {
            x[d] = (u[d] - force_dot(column[d].U, y)) * column[d].k;
            y = motion_axpy(x[d], column[d].S, y);
        }
        acc[i] = y;
        if (b->elastic) unit_unbend(t, b, row, column, u, y, acc, x);
    }
}

/* M^-1 column by column: the articulated inertias once, then for each unit force a sweep inward from its body only and
 * one outward over the tree; O(n^2). */
zvStatus ZI_KERNEL(zi_articulated_inverse)(const ziTree *t, ziScratch scratch, const real *q, real *Minv) {
    real *s = zi_scratch_array(&scratch, real, t->nq), *c = zi_scratch_array(&scratch, real, t->nq),
         *u = zi_scratch_array(&scratch, real, t->nv);
    const size_t rows = (size_t)(t->nb + t->ns);
    ArticulatedBody *row = zi_scratch_array(&scratch, ArticulatedBody, rows);
    motion *acc = zi_scratch_array(&scratch, motion, rows);
    force *P = zi_scratch_array(&scratch, force, rows);
    ArticulatedColumn *column = zi_scratch_array(&scratch, ArticulatedColumn, t->nv);
    sincos_array(t->nq, q, s, c);
    Problem p = {.q = q, .s = s, .c = c};
    const ElasticScratch memory = take_elastic_scratch(t, &scratch, &p);
    outward_bodies(t, scratch, &p, row, column, memory, true);
    real_stage();
    if (!inward(t, scratch, &p, row, column, true)) return ZV_SINGULAR;
    for (size_t i = 0; i < rows; i++) P[i] = force_zero();
    for (int k = 0; k < t->nv; k++) {
        for (int d = 0; d < t->nv; d++) u[d] = d == k;
        unit_inward(t, row, column, k, P, u);
        solve_outward(t, row, column, u, acc, Minv + (size_t)k * (size_t)t->nv);
    }
    return ZV_OK;
}
