/* Fronts on their way inward: through joints, sections and elastic coordinates, and into the parent's front.
 *
 *   bias a'                alpha += K^T a'
 *   column S (U, D, u)     e = S^T K + share of couplings
 *     force given:         A += e^T e / D,  alpha += e u / D,  K -= U e / D
 *     acceleration given:  alpha += e a
 *   to the parent          K carried as forces are
 *
 * [Popov, Vereshchagin, Zenkevich], the conditions' part of Gauss' function; Differs: conditions may hang on any number
 * of bodies, and are eliminated where their branches meet (kernel_closed_ancestor.h). Four columns at a time: all that
 * happens to them between two bodies in one go. */
#ifndef ZI_DYNAMICS_KERNEL_CLOSED_FRONT_H
#define ZI_DYNAMICS_KERNEL_CLOSED_FRONT_H

#include "dynamics/kernel_closed.h"

typedef double four __attribute__((vector_size(32)));
/* Four numbers in memory. */
typedef double four_there __attribute__((vector_size(32), aligned(8), may_alias));

static inline four_there *fours(double *at) { return (four_there *)at; }

/* What a degree of freedom does to a front, in numbers. */
typedef struct Freedom {
    double S[6], U[6];
    double k; /* 1 / D, zero where the acceleration is given */
    double a; /* u / D, or the acceleration */
} Freedom;

static inline void force_numbers(double x[6], force F) {
    v3_to(x, F.lin);
    v3_to(x + 3, F.ang);
}
static inline void motion_numbers(double x[6], motion S) {
    v3_to(x, S.lin);
    v3_to(x + 3, S.ang);
}

/* Numbers of dof d: 1 / D and u / D of its column where its force is given, 0 and the given acceleration (0 when
 * locked) elsewhere. */
static inline Freedom freedom_of(const Problem *p, const ArticulatedColumn *col, int d) {
    Freedom f;
    force_numbers(f.U, col->U);
    if (force_given(p, d)) {
        f.k = col->k;
        f.a = col->k * col->u;
    } else {
        f.k = 0;
        f.a = p->given[d] == ZV_GIVEN_LOCKED ? 0 : p->a[d];
    }
    return f;
}

/* A += e^T y in four columns from c on, upper triangle. */
static ZI_HOT void add_products(Front f, int c, const double *e, const four *y) {
    const int rows = c + 4 < f.columns ? c + 4 : f.columns;
    double *A = f.A + c;
    for (int i = 0; i < rows; i++, A += f.width) *fours(A) += e[i] * *y;
}

/* Through bias (NULL: none) and joint of a body, then carried from its origin to what it sits on, r before it. type and
 * count are constants where it matters. */
static ZI_HOT void through_joint(Front f, const double *bias, const Freedom *freedom, int type, int count,
                                 const double r[3], double *e) {
    const int w = f.width;
    for (int c = 0; c < w; c += 4) {
        double *K = f.K + c;
        four fx = *fours(K), fy = *fours(K + w), fz = *fours(K + 2 * w);
        four nx = *fours(K + 3 * w), ny = *fours(K + 4 * w), nz = *fours(K + 5 * w), alpha = *fours(f.alpha + c);
        if (bias) {
            alpha += bias[0] * fx + bias[1] * fy + bias[2] * fz;
            alpha += bias[3] * nx + bias[4] * ny + bias[5] * nz;
        }
        for (int k = count - 1; k >= 0; k--) {
            const double *S = freedom[k].S, *U = freedom[k].U;
            double *share = e + k * w;
            four s = *fours(share + c), y;
            if (type != ZV_JOINT_REVOLUTE) s += S[0] * fx + S[1] * fy + S[2] * fz;
            if (type != ZV_JOINT_PRISMATIC) s += S[3] * nx + S[4] * ny + S[5] * nz;
            *fours(share + c) = s;
            alpha += freedom[k].a * s;
            if (freedom[k].k == 0) continue;
            y = freedom[k].k * s;
            fx -= U[0] * y;
            fy -= U[1] * y;
            fz -= U[2] * y;
            nx -= U[3] * y;
            ny -= U[4] * y;
            nz -= U[5] * y;
            add_products(f, c, share, &y);
        }
        *fours(K) = fx;
        *fours(K + w) = fy;
        *fours(K + 2 * w) = fz;
        *fours(K + 3 * w) = nx + (r[1] * fz - r[2] * fy);
        *fours(K + 4 * w) = ny + (r[2] * fx - r[0] * fz);
        *fours(K + 5 * w) = nz + (r[0] * fy - r[1] * fx);
        *fours(f.alpha + c) = alpha;
    }
}

static ZI_COLD void through_general(Front f, const double *bias, const Freedom *freedom, const ziBody *b,
                                    const double r[3], double *e) {
    through_joint(f, bias, freedom, ZV_JOINT_FREE, b->nv, r, e);
}

/* A front through the bias and joint of a body and on to its parent, with the joint type a constant for revolute and
 * prismatic joints. */
static ZI_HOT void front_through(Front f, const ziBody *b, const Problem *p, const ArticulatedBody *me,
                                 const ArticulatedColumn *column, double *e) {
    Freedom freedom[ZV_MAX_DOF];
    double bias[6], r[3];
    for (int k = 0; k < b->nv; k++) {
        freedom[k] = freedom_of(p, &column[b->v + k], b->v + k);
        motion_numbers(freedom[k].S, column[b->v + k].S);
    }
    if (p->v) motion_numbers(bias, me->bias);
    v3_to(r, me->at.r);
    if (b->type == ZV_JOINT_REVOLUTE)
        through_joint(f, p->v ? bias : NULL, freedom, ZV_JOINT_REVOLUTE, 1, r, e);
    else if (b->type == ZV_JOINT_PRISMATIC)
        through_joint(f, p->v ? bias : NULL, freedom, ZV_JOINT_PRISMATIC, 1, r, e);
    else
        through_general(f, p->v ? bias : NULL, freedom, b, r, e);
}

/* y (count) += k x */
static inline void add_multiple(int count, real k, const double *x, double *restrict y) {
    for (int i = 0; i < count; i++) y[i] += k * x[i];
}

/* Through a section of an elastic body, whose shares e (rows of `width`) get theirs: column i of the front is column
 * to[i] there, to NULL: i. */
static ZI_COLD void through_section(Front f, const ziElastic *el, const Problem *p, const ArticulatedBody *at,
                                    const int *to, int width, double *e) {
    for (int c = 0; c < f.columns; c++) {
        double *K = f.K + c, x[6];
        for (int i = 0; i < 6; i++) x[i] = K[i * f.width];
        force F = force_of(v3_of(x), v3_of(x + 3));
        if (p->v) f.alpha[c] += force_dot(F, at->bias);
        for (int k = 0; k < el->n; k++) e[k * width + (to ? to[c] : c)] += force_dot(F, at->Psi[k]);
        force_numbers(x, force_shift(F, at->at.r));
        for (int i = 3; i < 6; i++) K[i * f.width] = x[i];
    }
}

/* Through the elastic coordinates of a body, after fold_elastic. */
static ZI_COLD void through_elastic(Front f, const ziElastic *el, const Problem *p, const ArticulatedColumn *col,
                                    double *e) {
    for (int k = 0; k < el->n; k++) {
        const Freedom x = freedom_of(p, &col[k], el->v + k);
        double *share = e + k * f.width;
        add_multiple(f.width, x.a, share, f.alpha);
        if (x.k == 0) continue;
        for (int i = 0; i < 6; i++) add_multiple(f.width, -x.U[i] * x.k, share, f.K + i * f.width);
        for (int c = 0; c < f.width; c += 4) {
            const four y = x.k * *fours(share + c);
            add_products(f, c, share, &y);
        }
        for (int i = k + 1; i < el->n; i++) add_multiple(f.width, -col[k].others[i], share, e + i * f.width);
    }
}

/* Adds a front to that of the parent. */
static ZI_COLD void merge(Front from, Front into, const int *to) {
    for (int c = 0; c < from.columns; c++) {
        for (int i = 0; i < 6; i++) into.K[i * into.width + to[c]] += from.K[i * from.width + c];
        into.alpha[to[c]] += from.alpha[c];
    }
    for (int i = 0; i < from.columns; i++) {
        const double *A = from.A + i * from.width;
        for (int j = i; j < from.columns; j++) {
            const int low = to[i] < to[j] ? to[i] : to[j], high = to[i] < to[j] ? to[j] : to[i];
            into.A[low * into.width + high] += A[j];
        }
    }
}

/* What has come through the joint of body i goes on: through the section it sits on, into the parent's front. */
static ZI_HOT void front_on(const ziTree *t, const Closed *c, const ziBody *b, int i, const Problem *p,
                            const ArticulatedBody *row, Front f, bool elastic) {
    const int *to = c->tree->passage[i].to;
    const ziPassage *up = &c->tree->passage[b->parent];
    if (elastic && b->base >= t->nb) {
        const ziBody *parent = &t->body[b->parent];
        const int width = c->tree->front[up->whole].width;
        through_section(f, parent->elastic, p, &row[b->base], to, width, elastic_shares(c, parent, b->parent));
    }
    if (to) merge(f, front_at(c, up->whole), to);
}

#endif
