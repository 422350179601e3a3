/* Elastic bodies in the articulated recursion: [Gevorkian] 5.2 with J_ee* = J_ee + Phi^T H. World axes.
 *
 *   outward  J_rr, C^r as M and P of the body's row; each elastic coordinate is a column with U = J_re, u = tau - C^e;
 *            sections s: R, r, w, a', columns Psi
 *   inward   sections first: P_s += M_s a'_s;  J_rr += M_s,  J_re += M_s Psi,  C^r += P_s, all carried to the body's
 *            origin;  J_ee += Psi^T M_s Psi,  u -= Psi^T P_s
 *            then, one coordinate after the other, first to last: D = its pivot in J_ee, U its row of J_re
 *              force given:         M -= U U^T / D,  P += U u / D, and the same of the coordinates to come
 *              acceleration given:  u = D a - u,     P += U a, and u of the coordinates to come
 *   outward  coordinates last to first: e'' = (u - U^T a) / D - L^T e'', or tau = u + U^T a + J_ee e'';
 *            a_s = C a + Psi e'' + a'_s
 *
 * Differs from the source: not J_ee^-1 but one coordinate at a time, so that coordinates of a body can be given one by
 * one as those of joints can. */
#ifndef ZI_DYNAMICS_KERNEL_ARTICULATED_ELASTIC_H
#define ZI_DYNAMICS_KERNEL_ARTICULATED_ELASTIC_H

#include "dynamics/elastic.h"
#include "dynamics/elastic_factor.h"
#include "dynamics/kernel_articulated.h"

/* With so many coordinates, updates of the factors of M begin to cost no more than factors of the sum. */
enum { ELASTIC_UPDATE_FROM = 20 };

/* What is left for the bodies to come. */
typedef struct ElasticScratch {
    real *A;
    motion *Psi;
    const real *fext; /* generalised forces, or NULL */
} ElasticScratch;

static inline ElasticScratch take_elastic_scratch(const ziTree *t, ziScratch *scratch, const Problem *p) {
    ElasticScratch memory = {.fext = p->fext ? p->fext + 6 * t->nb : NULL};
    if (t->ne) {
        memory.A = zi_scratch_array(scratch, real, t->modes_squared);
        memory.Psi = zi_scratch_array(scratch, motion, t->attachment_modes);
    }
    return memory;
}

/* Whether J_ee is M and what hangs on the body, and is wanted as a whole. */
static inline int factors_serve(const ziTree *t, const ziElastic *el, const Problem *p) {
    int serve = el->M_factor && ((el->attachments == 0 && !el->extra) || el->n >= ELASTIC_UPDATE_FROM);
    serve &= !p->structure;
    for (int d = el->v; d < el->v + el->n; d++) serve &= force_given(p, d) && t->armature[d] == 0;
    return serve;
}

/* s_a s_a^T, the inertia of the shortening. */
static inline void add_shortening(ziScratch scratch, const ziElastic *el, const real *s, bool factored, real *A) {
    const int n = el->n;
    if (factored) {
        real *z = zi_scratch_array(&scratch, real, ELASTIC_RANKS * (size_t)n);
        for (int i = 0; i < ELASTIC_RANKS * n; i++) z[i] = i < el->extra * n ? s[i] : 0;
        factor_add(n, A, z);
        return;
    }
    for (int a = 0; a < el->extra; a++) {
        const real *row = s + a * n;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) A[i * n + j] += row[i] * row[j];
        }
    }
}

/* J_ee of the body alone, and the sizes its pivots are judged by. */
static inline void load_mass(const ziTree *t, ziScratch scratch, const ziElastic *el, const real *s, const Problem *p,
                             ArticulatedBody *me, ArticulatedColumn *col, real *A) {
    const int n = el->n;
    me->factored = factors_serve(t, el, p);
    if (me->factored) {
        factor_copy(n, el->M_factor, A);
    } else if (p->structure) {
        const real damping = p->structure->damping, stiffness = p->structure->stiffness;
        for (int i = 0; i < n * n; i++) A[i] = el->rest[i] + (damping * el->D[i] + stiffness * el->K[i]);
    } else {
        for (int i = 0; i < n * n; i++) A[i] = el->rest[i];
    }
    if (el->extra) add_shortening(scratch, el, s, me->factored, A);
    for (int i = 0; i < n; i++) {
        col[i].others = A + (size_t)i * (size_t)n;
        if (!me->factored) col[i].others[i] += t->armature[el->v + i];
        col[i].error_scale = me->factored ? el->M[i * (n + 1)] : col[i].others[i];
    }
}

static inline void articulated_clear(articulated *M) { M->A = M->B = M->C = m3(v3_zero(), v3_zero(), v3_zero()); }

/* Row of an attachment: place and columns Psi from the elastic coordinates, angular velocity and bias from their rates;
 * M* and P start at zero and gather what hangs on it. */
static inline void place_section(const ziAttachment *st, const ziElastic *el, const Problem *p,
                                 const ArticulatedBody *me, ArticulatedBody *at) {
    const real *e = p->q + el->q;
    place_attachment(st, el, &me->at.R, e, &at->at, at->Psi);
    articulated_clear(&at->M);
    at->P = force_zero();
    if (!p->v) return;
    const motion rel = columns_mix(el->n, at->Psi, p->v + el->v);
    at->w = v3_add(me->w, rel.ang);
    at->bias =
        motion_add(carried_bias(me->w, at->at.r, rel), attachment_bias_world(st, el, &me->at.R, e, p->v + el->v));
}

/* The row of an elastic body whose at, w and bias are known; its columns and sections. */
static ZI_COLD void bend(const ziTree *t, ziScratch scratch, const ziBody *b, const Problem *p, ArticulatedBody *row,
                         ArticulatedBody *me, ArticulatedColumn *column, ElasticScratch *memory) {
    const ziElastic *el = b->elastic;
    const mat3 R = me->at.R;
    ArticulatedColumn *col = column + el->v;
    elastic_terms x;
    take_elastic_terms(&scratch, el, &x);
    elastic_inertia(scratch, b, p->q + el->q, &x);
    const rigid own = elastic_world(b, &x, R);
    set_inertia(b, &own, me);
    me->P = force_zero();
    if (p->v) {
        elastic_bias(scratch, b, m3_tmulv(R, me->w), p->v + el->v, &x);
        me->P = force_of(m3_mulv(R, x.bias.lin), m3_mulv(R, x.bias.ang));
    }
    for (int i = 0; i < el->n; i++) {
        col[i].U = force_of(m3_mulv(R, x.dS[i]), m3_mulv(R, x.L[i]));
        col[i].u = (p->tau && force_given(p, el->v + i) ? p->tau[el->v + i] : 0) - (p->v ? x.C[i] : 0);
        if (memory->fext) col[i].u += memory->fext[i];
    }
    load_mass(t, scratch, el, x.s, p, me, col, memory->A);
    memory->A += el->n * el->n;
    if (memory->fext) memory->fext += el->n;
    for (int s = el->attachment; s < el->attachment + el->attachments; s++) {
        row[t->nb + s].Psi = memory->Psi;
        memory->Psi += el->n;
        place_section(&t->attachment[s], el, p, me, &row[t->nb + s]);
    }
}

/* What hangs on a section becomes the body's. */
static inline void fold_section(ziScratch scratch, const ziElastic *el, const Problem *p, ArticulatedBody *at,
                                ArticulatedBody *me, ArticulatedColumn *col) {
    const int n = el->n;
    const vec3 r = at->at.r;
    if (p->v) at->P = force_add(at->P, articulated_mul(&at->M, at->bias));
    articulated_add_shifted(&me->M, &at->M, r);
    me->P = force_add(me->P, force_shift(at->P, r));
    for (int i = 0; i < n; i++) {
        const force F = articulated_mul(&at->M, at->Psi[i]);
        const real own = force_dot(F, at->Psi[i]);
        col[i].U = force_add(col[i].U, force_shift(F, r));
        col[i].u -= force_dot(at->P, at->Psi[i]);
        if (REAL_CHECKS_PIVOTS) col[i].error_scale += own;
        if (me->factored) continue;
        col[i].others[i] += own;
        for (int j = i + 1; j < n; j++) col[i].others[j] += force_dot(F, at->Psi[j]);
    }
    if (!me->factored) return;
    force c[ELASTIC_RANKS];
    real *z = zi_scratch_array(&scratch, real, ELASTIC_RANKS * (size_t)n);
    inertia_shares(&at->M, c);
    for (int m = 0; m < ELASTIC_RANKS; m++)
        for (int i = 0; i < n; i++) z[m * n + i] = force_dot(c[m], at->Psi[i]);
    factor_add(n, col[0].others, z);
}

/* Takes coordinate k out of J_ee and out of the columns behind it. */
static inline void take_out(int n, int k, int factored, ArticulatedColumn *col) {
    real *row = col[k].others;
    const force U = col[k].U;
    const real u = col[k].u;
    for (int i = k + 1; i < n; i++) {
        const real f = factored ? row[i] : row[i] * col[k].k;
        real *other = col[i].others;
        for (int j = i; j < n && !factored; j++) other[j] -= f * row[j];
        col[i].U = force_axpy(-f, U, col[i].U);
        col[i].u -= f * u;
    }
    for (int i = k + 1; i < n && !factored; i++) row[i] *= col[k].k;
}

/* Sections, then elastic coordinates; returns whether all pivots are large enough. */
static ZI_COLD real_ok fold_elastic(const ziTree *t, ziScratch scratch, const ziBody *b, const Problem *p,
                                    ArticulatedBody *row, ArticulatedBody *me, ArticulatedColumn *column) {
    const ziElastic *el = b->elastic;
    const int n = el->n;
    ArticulatedColumn *col = column + el->v;
    real_ok ok = 1;
    for (int s = 0; s < el->attachments; s++) fold_section(scratch, el, p, &row[t->nb + el->attachment + s], me, col);
    for (int k = 0; k < n; k++) {
        const real D = col[k].others[k];
        if (!force_given(p, el->v + k)) {
            const real a = p->given[el->v + k] == ZV_GIVEN_LOCKED ? 0 : p->a[el->v + k];
            for (int i = k + 1; i < n; i++) col[i].u -= col[k].others[i] * a;
            col[k].u = D * a - col[k].u;
            me->P = force_axpy(a, col[k].U, me->P);
            continue;
        }
        ok &= real_exceeds(D, PIVOT_FLOOR * col[k].error_scale) && real_exceeds(D, 0);
        col[k].k = 1 / D;
        take_out(n, k, me->factored, col);
        articulated_deflate(&me->M, col[k].k, col[k].U);
        me->P = force_axpy(col[k].k * col[k].u, col[k].U, me->P);
    }
    return ok;
}

/* sum of a row of J_ee, or of L^T, with the coordinates behind k */
static inline real behind(int n, int k, const ArticulatedColumn *col, const real *x) {
    return long_dot(n - k - 1, col[k].others + k + 1, x + k + 1);
}

/* Elastic accelerations of a body, and the accelerations of its sections; v says whether anything moves. */
static inline void sections_outward(const ziTree *t, const ziElastic *el, const ArticulatedBody *row, motion body,
                                    const real *a, bool v, motion *acc) {
    for (int s = t->nb + el->attachment; s < t->nb + el->attachment + el->attachments; s++) {
        const motion x = motion_add(motion_shift(body, row[s].at.r), columns_mix(el->n, row[s].Psi, a));
        acc[s] = v ? motion_add(x, row[s].bias) : x;
    }
}

/* Elastic accelerations, last to first, by back substitution in the factors of J_ee at the body's acceleration; forces
 * where an acceleration is given. Then the accelerations of the sections. */
static ZI_COLD void unbend(const ziTree *t, const ziBody *b, const Problem *p, const ArticulatedBody *row,
                           const ArticulatedColumn *column, motion body, motion *acc, real *tau, real *a) {
    const ziElastic *el = b->elastic;
    const ArticulatedColumn *col = column + el->v;
    real *x = a + el->v;
    for (int k = el->n - 1; k >= 0; k--) {
        const real others = behind(el->n, k, col, x), carried = force_dot(col[k].U, body);
        if (force_given(p, el->v + k)) {
            x[k] = (col[k].u - carried) * col[k].k - others;
        } else {
            if (p->given[el->v + k] == ZV_GIVEN_LOCKED) x[k] = 0;
            tau[el->v + k] = col[k].u + carried + others;
        }
    }
    sections_outward(t, el, row, body, x, p->v, acc);
}

/* The part of the unit sweep that passes through an elastic body: u holds the unit force on entry. */
static ZI_COLD void unit_bend(const ziTree *t, const ziBody *b, const ArticulatedBody *row,
                              const ArticulatedColumn *column, force *P, force *mine, real *u) {
    const ziElastic *el = b->elastic;
    const ArticulatedColumn *col = column + el->v;
    real *x = u + el->v;
    for (int s = t->nb + el->attachment; s < t->nb + el->attachment + el->attachments; s++) {
        for (int i = 0; i < el->n; i++) x[i] -= force_dot(P[s], row[s].Psi[i]);
        *mine = force_add(*mine, force_shift(P[s], row[s].at.r));
        P[s] = force_zero();
    }
    for (int k = 0; k < el->n; k++) {
        for (int i = k + 1; i < el->n; i++) x[i] -= col[k].others[i] * x[k];
        *mine = force_axpy(col[k].k * x[k], col[k].U, *mine);
    }
}

/* Elastic answers of the unit sweep; x is (nv). */
static ZI_COLD void unit_unbend(const ziTree *t, const ziBody *b, const ArticulatedBody *row,
                                const ArticulatedColumn *column, const real *u, motion body, motion *acc, real *x) {
    const ziElastic *el = b->elastic;
    const ArticulatedColumn *col = column + el->v;
    real *e = x + el->v;
    for (int k = el->n - 1; k >= 0; k--)
        e[k] = (u[el->v + k] - force_dot(col[k].U, body)) * col[k].k - behind(el->n, k, col, e);
    sections_outward(t, el, row, body, e, false, acc);
}

#endif
