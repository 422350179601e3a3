/* Coriolis matrix with dM/dt - 2C skew, O(n depth). World axes, bodies about their own origins.
 *
 * For one body with partial velocities J (of its origin, angular), M_k = [m, -h~; h~, J_k] and
 *   C = J^T (M_k dJ/dt + C_k J),   C_k = [0, -p~; 0, N],   p = w x h,   N = (w~ J_k - J_k w~ - (J_k w)~) / 2,
 * C_k (v; w) are the centrifugal forces and C_k + C_k^T = dM_k/dt, hence the skew property.
 * Seen from a point rho away, moving at rho' relative to it, the blocks keep their form:
 *   p' = p + m rho',   Q' = Q - h~ rho'~ - rho~ p'~     (Q = N for one body; they add up to the composite's).
 * Source: derived here from dJ/dt of shifted partial velocities; the factorisation N is that of Niemeyer and Slotine.
 *
 * An elastic body has n more rows in J, its elastic velocities e', and with dS_i, L_i, dJ_i of elastic.h (a dot: rate
 * as seen from the body)
 *   M_k = [m, -S~, dS_j; S~, J, L_j; dS_i^T, L_i^T, M_ij],          p = w x S + S',   N' = N + J'/2,
 *   C_k = [0, -p~, w x dS_j + dS'_j;   0, N', w x L_j + L'_j + dJ_j w / 2;   0, -w^T dJ_i / 2, w.(L_i,j - L_j,i)]
 * with the same two properties. Its attachments are rows between it and what hangs on it; their columns Psi move like
 * those of a joint. So column j of the body has, besides the entries among its own coordinates, W_j = C_k e_j + sum
 * shifted (M Psi'_j + C Psi_j),   F_j = M_k e_j + sum shifted M Psi_j, k_j = the angular part of C_k^T e_j and of what
 * the attachments add to it.
 */
#include "dynamics/elastic.h"
#include "dynamics/kernels.h"
#include "real/sincos.h"

typedef struct CoriolisBody {
    placed at;
    vec3 dr; /* rate of the offset from the origin of what it sits on */
    vec3 w;
    rigid I_;
    vec3 p;
    mat3 Q;
} CoriolisBody;

typedef struct CoriolisColumn {
    motion S, dS;
} CoriolisColumn;

/* How a column of the composite body is met from below: C gets S_j.W at (j, d) and dS_j.F + S_j.k at (d, j). */
typedef struct Pull {
    force W, F;
    vec3 k;
} Pull;

_Static_assert(2 * sizeof(CoriolisBody) <= ZI_SCRATCH_PER_BODY, "scratch too small");
_Static_assert(sizeof(CoriolisColumn) + sizeof(Pull) + 16 <= ZI_SCRATCH_PER_COORDINATE, "scratch too small");

/* What a tree with elastic bodies has besides: columns of the attachments, from first[k] on those of attachment k, and
 * the pulls of elastic columns at the tree's dofs. */
typedef struct CoriolisElastic {
    const int *first;
    CoriolisColumn *Psi;
    Pull *pull;
    double *b, *s, *ds; /* b and s of elastic.h and their rate: extra rows of the tree's dofs */
} CoriolisElastic;

static inline CoriolisElastic elastic_take(const ziTree *t, ziScratch *scratch) {
    CoriolisElastic x;
    x.first = attachment_offsets(t, scratch);
    x.Psi = zi_scratch_take(scratch, t->attachment_modes * sizeof *x.Psi);
    x.pull = zi_scratch_take(scratch, (size_t)t->nv * sizeof *x.pull);
    x.b = zi_scratch_doubles(scratch, ZI_SHORTENINGS * (size_t)t->nv);
    x.s = zi_scratch_doubles(scratch, ZI_SHORTENINGS * (size_t)t->nv);
    x.ds = zi_scratch_doubles(scratch, ZI_SHORTENINGS * (size_t)t->nv);
    return x;
}

/* Q - a~ b~ = Q - b a^T + (a.b) 1 */
static inline mat3 subtract_cross_cross(mat3 Q, vec3 a, vec3 b) {
    return m3_add_diagonal(m3_deflate(Q, b, a), v3_dot(a, b));
}

/* (w~ J - J w~ - (J w)~) / 2 */
static inline mat3 spin_matrix(vec3 w, mat3 J) {
    mat3 N = m3_sub(m3_sub(m3_skew_mul(w, J), m3_mul_skew(J, w)), m3_skew(m3_mulv(J, w)));
    return m3(v3_scale(0.5, N.x), v3_scale(0.5, N.y), v3_scale(0.5, N.z));
}

/* Columns and their rates in world axes: dS = w_parent x S + the joint's own rate. */
static inline void place_columns(const ziBody *b, const mat3 *Rp, vec3 wp, const double *q, const double *s,
                                 const double *c, const double *v, CoriolisColumn *column) {
    joint j;
    motion dS[ZV_MAX_DOF];
    joint_place(b, q, s, c, &j);
    joint_rate(b, q, v, &j, dS);
    mat3 E = m3_mulp12(*Rp, b->E);
    for (int k = 0; k < b->nv; k++) {
        motion S = motion_of(m3_mulv(E, j.S[k].lin), m3_mulv(E, j.S[k].ang));
        column[k].S = S;
        column[k].dS =
            motion_of(v3_cross_add(wp, S.lin, m3_mulv(E, dS[k].lin)), v3_cross_add(wp, S.ang, m3_mulv(E, dS[k].ang)));
    }
}

/* dA/dt x of rotation_vector.h for theta' = y. */
static inline vec3 turning_rate(const rotation_vector *r, vec3 y, vec3 x) {
    const vec3 tx = v3_cross(r->theta, x), yx = v3_cross(y, x);
    const real k = 2 * v3_dot(r->theta, y);
    const vec3 second = v3_add(v3_cross(y, tx), v3_cross(r->theta, yx));
    return v3_axpy(r->b, yx, v3_mix(k * r->db, tx, k * r->dc, v3_cross(r->theta, tx), r->c, second));
}

/* An attachment of an elastic body, its columns and their rates; me is the body. */
static inline void go_attachment(const ziAttachment *st, const ziElastic *el, const CoriolisBody *me, const double *e,
                                 const double *de, motion *S, CoriolisBody *row, CoriolisColumn *Psi) {
    const vec3 axis = v3_of4(el->axis);
    const rotation_vector turn = rotation_of(st->r ? rows_mix(el->n, st->r, e) : v3_zero());
    const vec3 turning = st->r ? rows_mix(el->n, st->r, de) : v3_zero();
    place_attachment(st, el, &me->at.R, e, &row->at, S);
    const motion rel = columns_mix(el->n, S, de);
    row->dr = v3_cross_add(me->w, row->at.r, rel.lin);
    row->w = v3_add(me->w, rel.ang);
    row->I_ = rigid_nothing();
    row->p = v3_zero();
    row->Q = row->I_.J;
    for (int i = 0; i < el->n; i++) {
        const real bent = st->G ? row_dot(el->n, st->G + (size_t)i * (size_t)el->n, de) : 0;
        const vec3 ang = st->r ? turning_rate(&turn, turning, v3_of(st->r + 3 * i)) : v3_zero();
        Psi[i].S = S[i];
        Psi[i].dS.lin = v3_cross_add(me->w, S[i].lin, m3_mulv(me->at.R, v3_scale(-bent, axis)));
        Psi[i].dS.ang = v3_cross_add(me->w, S[i].ang, m3_mulv(me->at.R, ang));
    }
}

/* Pulls of an elastic body by itself; me->I_ is filled, p and Q are. */
static inline void pull_alone(ziScratch scratch, int nv, const ziElastic *el, const elastic_terms *own,
                              const double *de, const double *ds, CoriolisBody *me, Pull *pull) {
    const int n = el->n, all = n + el->extra;
    const mat3 R = me->at.R;
    const vec3 w = m3_tmulv(R, me->w); /* body axes */
    double *Ldot = zi_scratch_doubles(&scratch, 3 * (size_t)all), *dx = zi_scratch_doubles(&scratch, (size_t)all),
           Jdot[6];
    double kappa[ZI_SHORTENINGS];
    vec3 Sdot = v3_zero();
    elastic_rates(el, de, own, dx, kappa);
    accumulate(all, 3 * all, NULL, el->L1, dx, Ldot);
    accumulate(n, 6, NULL, own->dJ, de, Jdot);
    for (int i = 0; i < n; i++) {
        vec3 dSdot = v3_zero(), dLdot = v3_of(Ldot + 3 * i);
        for (int a = 0; a < el->extra; a++) {
            dSdot = v3_axpy(ds[a * nv + i], own->dS[n + a], dSdot);
            dLdot =
                v3_axpy(ds[a * nv + i], own->L[n + a], v3_axpy(own->b[a * n + i], v3_of(Ldot + 3 * (n + a)), dLdot));
        }
        const vec3 f = v3_cross_add(w, own->dS[i], dSdot);
        const vec3 m = v3_cross_add(w, own->L[i], dLdot);
        const vec3 half = v3_scale(0.5, m3_mulv(m3_of6(own->dJ + 6 * i), w));
        pull[i].W = force_of(m3_mulv(R, f), m3_mulv(R, v3_add(m, half)));
        pull[i].F = force_of(m3_mulv(R, own->dS[i]), m3_mulv(R, own->L[i]));
        pull[i].k = v3_neg(m3_mulv(R, half));
        Sdot = v3_axpy(de[i], own->dS[i], Sdot);
    }
    const mat3 J = m3_mul(m3_mul(R, m3_of6(Jdot)), m3_transpose(R));
    me->p = v3_add(v3_cross(me->w, me->I_.h), m3_mulv(R, Sdot));
    me->Q = m3_sub(spin_matrix(me->w, me->I_.J), m3(v3_scale(-0.5, J.x), v3_scale(-0.5, J.y), v3_scale(-0.5, J.z)));
}

/* Outward step of an elastic body: inertia and mode vectors at e, rates of the first moments, Pull of every elastic
 * coordinate for the body alone, and the rows of its attachments. */
static ZI_COLD void go_elastic(const ziTree *t, ziScratch scratch, const ziBody *b, const double *q, const double *v,
                               CoriolisBody *me, CoriolisBody *attachments, const CoriolisElastic *x) {
    const ziElastic *el = b->elastic;
    const double *e = q + el->q, *de = v + el->v;
    elastic_terms own;
    take_elastic_terms(&scratch, el, &own);
    elastic_inertia(scratch, b, e, &own);
    me->I_ = elastic_world(b, &own, me->at.R);
    for (int row = 0; row < el->extra * el->n; row++) {
        const int at = row / el->n * t->nv + el->v + row % el->n;
        x->b[at] = own.b[row];
        x->s[at] = own.s[row];
        x->ds[at] = row_dot(el->n, el->G + (size_t)row * (size_t)el->n, de);
    }
    pull_alone(scratch, t->nv, el, &own, de, x->ds + el->v, me, x->pull + el->v);
    motion *S = zi_scratch_take(&scratch, (size_t)el->n * sizeof *S);
    for (int k = el->attachment; k < el->attachment + el->attachments; k++)
        go_attachment(&t->attachment[k], el, me, e, de, S, &attachments[k], x->Psi + x->first[k]);
}

/* elastic is a constant here and below: rigid trees have loops of their own. */
static ZI_HOT void outward(const ziTree *t, ziScratch scratch, const bool elastic, const double *q, const double *s,
                           const double *c, const double *v, CoriolisBody *row, CoriolisColumn *column,
                           const CoriolisElastic *x) {
    row[0].at.R = m3_identity();
    row[0].w = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const CoriolisBody *up = &row[elastic ? b->base : b->parent];
        CoriolisBody *me = &row[i];
        motion S[ZV_MAX_DOF];
        place_body(b, &up->at.R, q + b->q, s + b->q, c + b->q, &me->at, S);
        place_columns(b, &up->at.R, up->w, q + b->q, s + b->q, c + b->q, v + b->v, column + b->v);
        motion rel = relative_velocity(b, S, v + b->v);
        me->dr = v3_cross_add(up->w, me->at.r, rel.lin);
        me->w = v3_add(up->w, rel.ang);
        if (elastic && b->elastic) {
            go_elastic(t, scratch, b, q, v, me, row + t->nb, x);
            continue;
        }
        me->I_ = world_inertia(b, me->at.R);
        me->p = v3_cross(me->w, me->I_.h);
        me->Q = spin_matrix(me->w, me->I_.J);
    }
}

/* M dS + C S of the composite body */
static inline force rate_force(const CoriolisBody *me, const CoriolisColumn *col) {
    force F = rigid_mul(&me->I_, col->dS);
    return force_of(v3_cross_add(col->S.ang, me->p, F.lin), m3_mulv_add(me->Q, col->S.ang, F.ang));
}

/* Where entries go: to their own place, or, coupled, with their ratios to that of the masters. */
typedef struct CoriolisTarget {
    const ziCoupling *coupling;
    size_t nv;
    double *C;
} CoriolisTarget;

static inline void add_entry(const CoriolisTarget *to, int i, int j, real x) {
    const ziCoupling *c = to->coupling;
    if (c->count) {
        x *= c->v_ratio[i] * c->v_ratio[j];
        i = c->v_master[i];
        j = c->v_master[j];
    }
    to->C[(size_t)i * to->nv + (size_t)j] += x;
}

static inline Pull pull_of(const CoriolisBody *me, const CoriolisColumn *col) {
    Pull x;
    x.W = rate_force(me, col);
    x.F = rigid_mul(&me->I_, col->S);
    x.k = v3_add(v3_cross(me->p, col->S.lin), m3_tmulv(me->Q, col->S.ang));
    return x;
}

/* Seen from the origin of what the row sits on. */
static inline Pull pull_shift(Pull x, const CoriolisBody *at) {
    x.W = force_shift(x.W, at->at.r);
    x.F = force_shift(x.F, at->at.r);
    x.k = v3_cross_add(at->dr, x.F.lin, x.k);
    return x;
}

/* Row and column d of C against n columns from dof j on. */
static inline void fill_against(const Pull *x, int d, int j, int n, const CoriolisColumn *column,
                                const CoriolisTarget *to) {
    for (int k = 0; k < n; k++) {
        add_entry(to, j + k, d, force_dot(x->W, column[k].S));
        add_entry(to, d, j + k, force_dot(x->F, column[k].dS) + v3_dot(x->k, column[k].S.ang));
    }
}

/* Row and column d of C against all that body i hangs on. */
static ZI_HOT void fill_above(const ziTree *t, const bool elastic, const CoriolisBody *row,
                              const CoriolisColumn *column, const CoriolisElastic *e, int i, int d, Pull x,
                              const CoriolisTarget *to) {
    for (int at = i, base = elastic ? t->body[i].base : t->body[i].parent; base;) {
        x = pull_shift(x, &row[at]);
        at = base;
        if (elastic && at >= t->nb) {
            base = t->attachment[at - t->nb].body;
            const ziElastic *el = t->body[base].elastic;
            fill_against(&x, d, el->v, el->n, e->Psi + e->first[at - t->nb], to);
        } else {
            const ziBody *up = &t->body[at];
            fill_against(&x, d, up->v, up->nv, column + up->v, to);
            base = elastic ? up->base : up->parent;
        }
    }
}

static inline void fill_own(const CoriolisBody *me, const CoriolisColumn *column, const ziBody *b,
                            const CoriolisTarget *to) {
    for (int d = b->v; d < b->v + b->nv; d++) {
        force W = rate_force(me, &column[d]);
        for (int k = b->v; k < b->v + b->nv; k++) add_entry(to, k, d, force_dot(W, column[k].S));
    }
}

static inline void add_below(CoriolisBody *up, const CoriolisBody *me) {
    up->p = v3_add(up->p, v3_axpy(me->I_.m, me->dr, me->p));
    mat3 Q = subtract_cross_cross(me->Q, me->I_.h, me->dr);
    up->Q = m3_add(up->Q, subtract_cross_cross(Q, me->at.r, v3_axpy(me->I_.m, me->dr, me->p)));
    rigid_add_shifted(&up->I_, &me->I_, me->at.r);
}

/* w.(dL_p/dx_q - dL_q/dx_p) */
static inline real twist(const ziElastic *el, vec3 w, int p, int q) {
    const int all = el->n + el->extra;
    return v3_dot(w, v3_sub(v3_of(el->L1 + 3 * (q * all + p)), v3_of(el->L1 + 3 * (p * all + q))));
}

/* What the attachments of an elastic body carry comes to it; entries among its elastic coordinates. */
static ZI_COLD void fill_elastic(const ziTree *t, const ziBody *b, CoriolisBody *row, CoriolisBody *me,
                                 const CoriolisElastic *x, const CoriolisTarget *to) {
    const ziElastic *el = b->elastic;
    const int n = el->n;
    Pull *pull = x->pull + el->v;
    const vec3 w = m3_tmulv(me->at.R, me->w);
    const double *b_ = x->b + el->v;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) { /* w.(dL_i/de_j - dL_j/de_i) */
            real turn = twist(el, w, i, j);
            for (int a = 0; a < el->extra; a++)
                turn += twist(el, w, i, n + a) * b_[a * t->nv + j] - twist(el, w, j, n + a) * b_[a * t->nv + i];
            add_entry(to, el->v + i, el->v + j, turn);
            add_entry(to, el->v + j, el->v + i, -turn);
        }
        for (int k = 0; k < el->extra * n; k++) { /* s ds^T: the rate of s s^T less twice that is skew */
            const int a = k / n, j = k % n;
            add_entry(to, el->v + i, el->v + j, x->s[a * t->nv + el->v + i] * x->ds[a * t->nv + el->v + j]);
        }
    }
    for (int k = el->attachment; k < el->attachment + el->attachments; k++) {
        const CoriolisBody *st = &row[t->nb + k];
        const CoriolisColumn *Psi = x->Psi + x->first[k];
        for (int j = 0; j < n; j++) {
            const Pull here = pull_of(st, &Psi[j]), there = pull_shift(here, st);
            for (int i = 0; i < n; i++) add_entry(to, el->v + i, el->v + j, force_dot(here.W, Psi[i].S));
            pull[j].W = force_add(pull[j].W, there.W);
            pull[j].F = force_add(pull[j].F, there.F);
            pull[j].k = v3_add(pull[j].k, there.k);
        }
        add_below(me, st);
    }
}

/* Inward sweep: entries of C of every column with the columns of its own body and of all that the body hangs on; then
 * I, p and Q of the composite go to what it sits on. */
static ZI_HOT void inward(const ziTree *t, const bool elastic, CoriolisBody *row, const CoriolisColumn *column,
                          const CoriolisElastic *x, const CoriolisTarget *to) {
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        const int base = elastic ? b->base : b->parent;
        const ziElastic *el = elastic ? b->elastic : NULL;
        if (el) {
            fill_elastic(t, b, row, &row[i], x, to);
            for (int d = el->v; d < el->v + el->n; d++) {
                fill_against(&x->pull[d], d, b->v, b->nv, column + b->v, to);
                fill_above(t, true, row, column, x, i, d, x->pull[d], to);
            }
        }
        fill_own(&row[i], column, b, to);
        for (int d = b->v; d < b->v + b->nv; d++)
            fill_above(t, elastic, row, column, x, i, d, pull_of(&row[i], &column[d]), to);
        if (base) add_below(&row[base], &row[i]);
    }
}

/* C (nv x nv) of the model; entries of coupled joints are contracted as they are added. v NULL: zero. */
void ZI_KERNEL(zi_coriolis)(const ziTree *t, ziScratch scratch, const ziCoupling *coupling, int nv, const double *q,
                            const double *v, double *C) {
    double *s = zi_scratch_doubles(&scratch, t->nq), *c = zi_scratch_doubles(&scratch, t->nq);
    double *zeros = zi_scratch_doubles(&scratch, t->nv);
    CoriolisBody *row = zi_scratch_take(&scratch, ((size_t)t->nb + (size_t)t->ns) * sizeof *row);
    CoriolisColumn *column = zi_scratch_take(&scratch, (size_t)t->nv * sizeof *column);
    const CoriolisTarget to = {coupling, (size_t)nv, C};
    for (int i = 0; i < t->nv; i++) zeros[i] = 0;
    for (size_t i = 0; i < to.nv * to.nv; i++) C[i] = 0;
    sincos_array(t->nq, q, s, c);
    if (t->ne) {
        const CoriolisElastic x = elastic_take(t, &scratch);
        outward(t, scratch, true, q, s, c, v ? v : zeros, row, column, &x);
        inward(t, true, row, column, &x, &to);
    } else {
        outward(t, scratch, false, q, s, c, v ? v : zeros, row, column, NULL);
        inward(t, false, row, column, NULL, &to);
    }
}
