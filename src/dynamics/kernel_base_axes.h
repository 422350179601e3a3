/* Step 1 of [Yaskevich], which three methods share: everything in base (world) axes, every body about the origin O_j of
 * its joint.
 *
 *   (1), (2)  rotations; r_pj from the parent's origin to the body's
 *             columns (T^rel; R^rel) of the joint: S of kinematics/outward.h
 *   (3)       w_j = w_p + w_rel
 *   (4)       eps_j = eps_p + w_p x w_rel
 *   (5)       acc_j = acc_p + E_p r_pj + 2 w_p x v_rel,   E = eps~ + w~ w~;   accelerations at a = 0, acc_0 = -g
 *   (6)       first moment c_j and moments of inertia I_j about O_j
 *   (11)      f = m acc + E c,   n = c x acc + I eps + w x I w
 *   (12)      r_ij
 *
 * Elastic bodies: sections are rows behind the bodies, between a body and what hangs on it, with one column Psi per
 * elastic coordinate about the section's origin (kinematics/attachment.h); c_j and I_j are those of the body as it is
 * bent, and its own coordinates e have, beside partial velocities of all that lies beyond, mode integrals (dS_e; L_e)
 * and M_ee (elastic.h). A rigid body is one without such coordinates. theory (17.9)-(17.11)
 *
 * Differs: trees instead of chains. Joints whose columns move in the parent add their own rate to (4), (5). Gravity is
 * in acc_0 and (11) is taken with the other sign: what the motion asks for. (12) adds up from i outward,
 * r_ij = r_ip + r_pj: on a tree that needs one vector per body, in as many additions. */
#ifndef ZI_DYNAMICS_KERNEL_BASE_AXES_H
#define ZI_DYNAMICS_KERNEL_BASE_AXES_H

#include "dynamics/elastic.h"
#include "dynamics/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

/* A body, or a section of one, which has no inertia of its own. */
typedef struct BaseBody {
    placed at;   /* rotation, r from what it sits on */
    rigid own;   /* m, c = h, I = J */
    int end;     /* of a body: one behind the last of its subtree */
    bool leaf;   /* nothing hangs on it */
    bool eldest; /* going inward, the first that comes to what it sits on */
} BaseBody;

typedef struct BaseMotion {
    vec3 w, eps, acc;
} BaseMotion;

typedef struct BaseAxes {
    const real *q, *s, *c; /* coordinates, sines, cosines */
    BaseBody *body;        /* nb + ns: bodies, then sections */
    motion *S;             /* nv columns of joints */
    /* with elastic bodies only */
    const int *first;     /* ns: Psi[first[k]] ... are the columns of section k */
    motion *Psi;          /* of all sections */
    force *mode;          /* nv: (dS; L) of elastic coordinates */
    real *s_short;        /* s of elastic.h: rows of nv */
    elastic_terms *terms; /* nb, body axes; NULL: not kept */
} BaseAxes;

/* Which parts of column k of a joint are not zero: R^rel, T^rel. */
enum { TURNS = 1, SLIDES = 2 };

static inline int column_parts(const ziBody *b, int k) {
    return (zi_joint_turns(b->type, k) ? TURNS : 0) | (zi_joint_slides(b->type, k) ? SLIDES : 0);
}

/* Of all its columns together. */
static inline int joint_parts(const ziBody *b) { return b->nv ? column_parts(b, 0) | column_parts(b, b->nv - 1) : 0; }

/* Of the columns of a section. */
static inline int section_parts(const ziTree *t, int row) {
    return t->attachment[row - t->nb].r ? TURNS | SLIDES : SLIDES;
}

/* What a row sits on. */
static inline int row_base(const ziTree *t, int row) {
    return row < t->nb ? t->body[row].base : t->attachment[row - t->nb].body;
}

/* Dofs of a body: those of its joint, then its elastic ones. */
static inline int dofs_end(const ziBody *b) { return b->v + b->nv + (b->elastic ? b->elastic->n : 0); }

static inline int sections_begin(const ziTree *t, const ziBody *b) {
    return b->elastic ? t->nb + b->elastic->attachment : 0;
}
static inline int sections_end(const ziTree *t, const ziBody *b) {
    return b->elastic ? t->nb + b->elastic->attachment + b->elastic->attachments : 0;
}

/* Columns of a section; those of body b's elastic coordinates. */
static inline const motion *section_columns(const ziTree *t, const BaseAxes *x, int row) {
    return x->Psi + x->first[row - t->nb];
}

/* An elastic body as it is bent: inertia, mode integrals in base axes, and its sections. */
static ZI_COLD void base_bend(const ziTree *t, ziScratch scratch, const BaseAxes *x, int i, elastic_terms *terms) {
    const ziBody *b = &t->body[i];
    const ziElastic *el = b->elastic;
    const mat3 *R = &x->body[i].at.R;
    elastic_inertia(scratch, b, x->q + el->q, terms);
    x->body[i].own = elastic_world(b, terms, *R);
    for (int k = 0; k < el->n; k++) {
        x->mode[el->v + k] = force_of(m3_mulv(*R, terms->dS[k]), m3_mulv(*R, terms->L[k]));
        for (int a = 0; a < el->extra; a++) x->s_short[a * t->nv + el->v + k] = terms->s[a * el->n + k];
    }
    for (int row = sections_begin(t, b); row < sections_end(t, b); row++)
        place_attachment(&t->attachment[row - t->nb], el, R, x->q + el->q, &x->body[row].at,
                         x->Psi + x->first[row - t->nb]);
}

/* Ends of subtrees, leaves and eldest rows: bodies come depth-first. */
static inline void base_kinship(const ziTree *t, BaseBody *body) {
    for (int row = 0; row < t->nb + t->ns; row++) {
        body[row].end = row + 1;
        body[row].leaf = true;
    }
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        for (int row = sections_begin(t, b); row < sections_end(t, b); row++) {
            body[row].eldest = body[i].leaf;
            body[i].leaf = body[i].leaf && body[row].leaf;
        }
        body[i].eldest = body[b->base].leaf;
        body[b->base].leaf = false;
        if (body[i].end > body[b->parent].end) body[b->parent].end = body[i].end;
    }
}

/* What elastic bodies need; `keep`: their terms as well. */
static inline void base_take_elastic(const ziTree *t, ziScratch *scratch, bool keep, BaseAxes *x) {
    x->first = NULL;
    x->Psi = NULL;
    x->mode = NULL;
    x->s_short = NULL;
    x->terms = NULL;
    if (!t->ne) return;
    x->first = attachment_offsets(t, scratch);
    x->Psi = zi_scratch_array(scratch, motion, t->attachment_modes);
    x->mode = zi_scratch_array(scratch, force, t->nv);
    x->s_short = zi_scratch_array(scratch, real, ZI_SHORTENINGS * (size_t)t->nv);
    if (keep) x->terms = zi_scratch_array(scratch, elastic_terms, t->nb);
}

/* Rotations, offsets from what they sit on, columns and inertias of all bodies, each about its own origin in the axes
 * of the base; likewise sections. */
static inline BaseAxes base_axes(const ziTree *t, ziScratch *scratch, const real *q, bool keep) {
    real *s = zi_scratch_array(scratch, real, t->nq), *c = zi_scratch_array(scratch, real, t->nq);
    BaseAxes x;
    x.q = q;
    x.s = s;
    x.c = c;
    x.body = zi_scratch_array(scratch, BaseBody, (size_t)t->nb + (size_t)t->ns);
    x.S = zi_scratch_array(scratch, motion, t->nv);
    base_take_elastic(t, scratch, keep, &x);
    sincos_array(t->nq, q, s, c);
    x.body[0].at.R = m3_identity();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        place_body(b, &x.body[b->base].at.R, q + b->q, s + b->q, c + b->q, &x.body[i].at, x.S + b->v);
        if (b->elastic) {
            ziScratch passing = *scratch;
            elastic_terms own, *terms = x.terms ? &x.terms[i] : &own;
            take_elastic_terms(x.terms ? scratch : &passing, b->elastic, terms);
            base_bend(t, x.terms ? *scratch : passing, &x, i, terms);
        } else {
            x.body[i].own = world_inertia(b, x.body[i].at.R);
        }
    }
    base_kinship(t, x.body);
    return x;
}

/* (3)-(5) from what body b sits on to the body. */
static inline void base_move(const BaseAxes *x, const ziBody *b, vec3 r, const real *v, const BaseMotion *up,
                             BaseMotion *me) {
    const vec3 swung = v3_cross_add(up->eps, r, up->acc);
    if (b->type == ZV_JOINT_REVOLUTE) {
        const vec3 rel = v3_scale(v[0], x->S[b->v].ang);
        me->w = v3_add(up->w, rel);
        me->eps = v3_cross_add(up->w, rel, up->eps);
        me->acc = v3_cross_add(up->w, v3_cross(up->w, r), swung);
        return;
    }
    const motion rel = relative_velocity(b, x->S + b->v, v);
    motion bias = carried_bias(up->w, r, rel);
    if (subspace_moves(b)) {
        const mat3 *Rp = &x->body[b->base].at.R;
        bias = motion_add(bias, joint_bias_world(b, Rp, x->q + b->q, x->s + b->q, x->c + b->q, v));
    }
    me->w = v3_add(up->w, rel.ang);
    me->eps = v3_add(up->eps, bias.ang);
    me->acc = v3_add(swung, bias.lin);
}

/* The same from an elastic body to its sections, v its elastic velocities: (17.11) of theory. */
static ZI_COLD void base_move_sections(const ziTree *t, const BaseAxes *x, int i, const real *v, BaseMotion *m) {
    const ziBody *b = &t->body[i];
    const ziElastic *el = b->elastic;
    const BaseMotion *up = &m[i];
    for (int row = sections_begin(t, b); row < sections_end(t, b); row++) {
        const vec3 r = x->body[row].at.r;
        const motion rel = columns_mix(el->n, section_columns(t, x, row), v);
        const motion own = attachment_bias_world(&t->attachment[row - t->nb], el, &x->body[i].at.R, x->q + el->q, v);
        const motion bias = motion_add(carried_bias(up->w, r, rel), own);
        m[row].w = v3_add(up->w, rel.ang);
        m[row].eps = v3_add(up->eps, bias.ang);
        m[row].acc = v3_add(v3_cross_add(up->eps, r, up->acc), bias.lin);
    }
}

/* Motions of all bodies and sections at a = 0; v may be NULL: zero. */
static inline BaseMotion *base_motions(const ziTree *t, ziScratch *scratch, const BaseAxes *x, const real *v,
                                       const double *gravity) {
    BaseMotion *m = zi_scratch_array(scratch, BaseMotion, (size_t)t->nb + (size_t)t->ns);
    m[0].w = m[0].eps = v3_zero();
    m[0].acc = v3_neg(v3_of(gravity));
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        if (!v) {
            m[i] = m[0];
            continue;
        }
        base_move(x, b, x->body[i].at.r, v + b->v, &m[b->base], &m[i]);
        if (b->elastic) base_move_sections(t, x, i, v + b->elastic->v, m);
    }
    return m;
}

/* (11); at rest w = eps = 0 */
static inline force base_force(const rigid *own, const BaseMotion *m, bool rest) {
    const vec3 c = own->h, f = v3_scale(own->m, m->acc), n = v3_cross(c, m->acc);
    if (rest) return force_of(f, n);
    const vec3 spun = v3_cross_add(m->w, m3_mulv(own->J, m->w), m3_mulv(own->J, m->eps));
    return force_of(v3_cross_add(m->eps, c, v3_cross_add(m->w, v3_cross(m->w, c), f)), v3_add(n, spun));
}

/* (11) of an elastic body, and the forces Q of its own coordinates: (E.9)-(E.11) of docs/elastic.md in its axes. Q may
 * be v: it is written last. */
static ZI_COLD force base_force_elastic(const ziTree *t, ziScratch scratch, const BaseAxes *x, int i,
                                        const BaseMotion *m, const real *v, real *Q) {
    const ziBody *b = &t->body[i];
    const ziElastic *el = b->elastic;
    const mat3 R = x->body[i].at.R;
    elastic_terms *own = &x->terms[i];
    if (v) {
        elastic_bias(scratch, b, m3_tmulv(R, m->w), v + el->v, own);
    } else {
        own->bias = force_zero();
        for (int k = 0; k < el->n; k++) own->C[k] = 0;
    }
    const force F = elastic_forces(t, b, m3_tmulv(R, m->acc), m3_tmulv(R, m->eps), NULL, own);
    for (int k = 0; k < el->n; k++) Q[el->v + k] = own->C[k];
    return force_of(m3_mulv(R, F.lin), m3_mulv(R, F.ang));
}

/* Power of a force in a column, with its zeros. */
static inline real column_dot(force F, const motion *S, int parts) {
    if (parts == TURNS) return v3_dot(F.ang, S->ang);
    if (parts == SLIDES) return v3_dot(F.lin, S->lin);
    return force_dot(F, *S);
}

/* (12): r[k] = r_ik of the rows k beyond body i, from its origin or, with `sections`, from that of its section which
 * carries them. */
static inline void base_reach(const ziTree *t, const BaseAxes *x, int i, bool sections, vec3 *r) {
    const ziBody *a = &t->body[i];
    r[i] = v3_zero();
    for (int row = sections_begin(t, a); row < sections_end(t, a); row++)
        r[row] = sections ? v3_zero() : x->body[row].at.r;
    for (int k = i + 1; k < x->body[i].end; k++) {
        const ziBody *b = &t->body[k];
        const bool near = b->base == i || (sections && b->parent == i);
        r[k] = near ? x->body[k].at.r : v3_add(r[b->base], x->body[k].at.r);
        for (int row = sections_begin(t, b); row < sections_end(t, b); row++) r[row] = v3_add(r[k], x->body[row].at.r);
    }
}

/* Which section of body i carries each row beyond it. */
static inline void base_carriers(const ziTree *t, const BaseAxes *x, int i, int *carrier) {
    const ziBody *a = &t->body[i];
    for (int row = sections_begin(t, a); row < sections_end(t, a); row++) carrier[row] = row;
    for (int k = i + 1; k < x->body[i].end; k++) {
        const ziBody *b = &t->body[k];
        carrier[k] = carrier[b->base];
        for (int row = sections_begin(t, b); row < sections_end(t, b); row++) carrier[row] = carrier[k];
    }
}

/* From the entries M_de, d <= e, of related columns to the whole: armature, zeros of other branches, symmetry. */
static inline void base_complete(const ziTree *t, real *M) {
    const size_t nv = (size_t)t->nv;
    for (size_t d = 0; d < nv; d++) {
        real *row = M + d * nv;
        if (t->armature[d] != 0) row[d] += t->armature[d];
        for (size_t e = (size_t)t->body[t->dof_body[d]].v_end; e < nv; e++) row[e] = 0;
    }
    for (size_t d = 0; d < nv; d++)
        for (size_t e = 0; e < d; e++) M[d * nv + e] = M[e * nv + d];
}

#endif
