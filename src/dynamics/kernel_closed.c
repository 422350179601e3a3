/* Forward and mixed dynamics of trees with constraints: the articulated recursion eliminates joints and multipliers in
 * one inward pass, [Popov, Vereshchagin, Zenkevich] and [Vereshchagin] (17), (18) with conditions.
 *
 *   outward  as kernel_articulated.c; then the constraints, whose columns K enter the fronts of the bodies they hang on
 *   inward   as there; fronts go along (kernel_closed_front.h); constraints whose branches meet at a body are
 * eliminated at it (kernel_closed_ancestor.h), the others on the ground (kernel_closed_ground.h) outward  joints with
 * lambda of what is carried through them, then lambda of the constraints with the body as common ancestor: a = (u + e
 * lambda - U^T b) / D, or tau = u + U^T b - e lambda
 *
 * Differs from the sources, which fasten the last body of a chain: conditions hang anywhere, loops may be nested, share
 * bodies and repeat each other. Linear in bodies as long as no more than some loops go through each. Pivots and judges
 * ranks: double only. */
#include "dynamics/kernel_closed_ground.h"
#include "real/sincos.h"

/* One body's part of the inward pass; returns whether its pivots are large enough. */
static ZI_HOT int inward_body(const ziTree *t, ziScratch scratch, Closed *c, const Ground *ground, int i,
                              const Problem *p, ArticulatedBody *row, ArticulatedColumn *column, bool elastic) {
    const ziBody *b = &t->body[i];
    const ziPassage *pass = &c->tree->passage[i];
    ArticulatedBody *me = &row[i];
    int ok = 1;
    if (elastic && b->elastic) {
        ok &= fold_elastic(t, scratch, b, p, row, me, column);
        if (pass->whole >= 0)
            through_elastic(front_at(c, pass->whole), b->elastic, p, column + b->elastic->v, elastic_shares(c, b, i));
    }
    if (pass->whole >= 0 && c->tree->front[pass->whole].done > 0) eliminate_constraints(c, scratch, i, me);
    if (p->v) me->P = force_add(me->P, articulated_mul(&me->M, me->bias));
    ok &= eliminate(t, b, row, me, p, column, elastic);
    if (pass->carry >= 0) {
        const Front f = front_at(c, pass->carry);
        front_through(f, b, p, me, column, joint_shares(c, i));
        if (b->parent)
            front_on(t, c, b, i, p, row, f, elastic);
        else
            front_lands(c, ground, f);
    }
    if (b->parent) hand_on(t, b, me, row, p, column);
    return ok;
}

/* lambda of what is carried through the joint of body i, in alpha of that front: from the parent's, or the ground's. */
static inline void take_lambda(const Closed *c, const ziBody *b, int i, Front f) {
    const ziPassage *pass = &c->tree->passage[i];
    if (pass->to) {
        const double *lambda = front_at(c, c->tree->passage[b->parent].whole).alpha;
        for (int k = 0; k < f.columns; k++) f.alpha[k] = lambda[pass->to[k]];
    } else if (!b->parent) {
        for (int k = 0; k < f.of->constraints; k++) {
            const double *lambda = c->constraints->lambda + c->tree->constraint[f.of->constraint[k]].row - f.of->at[k];
            for (int j = f.of->at[k]; j < f.of->at[k + 1]; j++) f.alpha[j] = lambda[j];
        }
    }
}

/* What multipliers do in `count` degrees of freedom from d on becomes part of u. */
static inline void add_multiplier_forces(Front f, const Problem *p, int d, int count, double *e,
                                         ArticulatedColumn *column) {
    for (int k = 0; k < count; k++, e += f.width) {
        four sum = {0, 0, 0, 0};
        for (int c = 0; c < f.width; c += 4) sum += *fours(e + c) * *fours(f.alpha + c);
        const real share = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        column[d + k].u += force_given(p, d + k) ? share : -share;
    }
}

/* tau may be NULL when nothing but forces is given. */
static ZI_HOT void outward_body(const ziTree *t, ziScratch scratch, Closed *c, int i, const Problem *p,
                                const ArticulatedBody *row, ArticulatedColumn *column, motion *acc, double *tau,
                                double *a, bool elastic) {
    const ziBody *b = &t->body[i];
    const ziPassage *pass = &c->tree->passage[i];
    if (pass->carry >= 0) {
        const Front f = front_at(c, pass->carry);
        take_lambda(c, b, i, f);
        add_multiplier_forces(f, p, b->v, b->nv, joint_shares(c, i), column);
    }
    accelerate(t, i, p, row, column, acc, tau, a, false);
    if (pass->whole >= 0) {
        const Front f = front_at(c, pass->whole);
        if (f.done > 0) solve_constraints(c, scratch, i, acc[i]);
        if (elastic && b->elastic)
            add_multiplier_forces(f, p, b->elastic->v, b->elastic->n, elastic_shares(c, b, i), column);
    }
    if (elastic && b->elastic) unbend(t, b, p, row, column, acc[i], acc, tau, a);
}

/* v are the velocities of which the constraints' rates are; elastic is a constant. */
static ZI_HOT zvStatus sweep(const ziTree *t, ziScratch scratch, Problem p, const double *v, const double *gravity,
                             ziConstraintTask *constraints, double *tau, double *a, bool elastic) {
    double *s = zi_scratch_doubles(&scratch, (size_t)t->nq), *co = zi_scratch_doubles(&scratch, (size_t)t->nq);
    const size_t rows = (size_t)(t->nb + t->ns);
    ArticulatedBody *row = zi_scratch_take(&scratch, rows * sizeof *row);
    motion *acc = zi_scratch_take(&scratch, rows * sizeof *acc);
    ArticulatedColumn *column = zi_scratch_take(&scratch, (size_t)t->nv * sizeof *column);
    const ElasticScratch memory = take_elastic_scratch(t, &scratch, &p);
    Closed c = closed_on(t, &scratch, constraints, gravity);
    int ok = 1;
    sincos_array(t->nq, p.q, s, co);
    p.s = s;
    p.c = co;
    outward_bodies(t, scratch, &p, row, column, memory, elastic);
    const real mass = locate(t, v, row, column, c.spot, elastic);
    put_constraints(t, &c, &p, v, row, mass);
    const Ground ground = ground_on(&c, &scratch);
    for (int i = t->nb - 1; i > 0; i--) ok &= inward_body(t, scratch, &c, &ground, i, &p, row, column, elastic);
    solve_ground(&c, &ground, scratch);
    acc[0] = motion_of(v3_neg(v3_of(c.gravity)), v3_zero());
    for (int i = 1; i < t->nb; i++) outward_body(t, scratch, &c, i, &p, row, column, acc, tau, a, elastic);
    if (constraints->dropped > 0) measure_conflict(&c, row, acc, a);
    return !ok ? ZV_SINGULAR : constraints->dropped > 0 ? ZV_DEGRADED : ZV_OK;
}

static ZI_COLD zvStatus sweep_elastic(const ziTree *t, ziScratch scratch, const Problem *p, const double *v,
                                      const double *gravity, ziConstraintTask *constraints, double *tau, double *a) {
    return sweep(t, scratch, *p, v, gravity, constraints, tau, a, true);
}

/* Prepares the closed sweep for the level of the constraints: velocities and external forces act only on accelerations,
 * tau also on the free solution; positions and free need no v. */
zvStatus ZI_KERNEL(zi_articulated_closed)(const ziTree *t, ziScratch scratch, const double *q, const double *v,
                                          const unsigned char *given, const double *gravity, const double *fext,
                                          const ziAugment *structure, ziConstraintTask *constraints, double *tau,
                                          double *a) {
    Problem p = {.q = q, .a = a, .given = given, .structure = structure};
    if (constraints->level == ZI_CONSTRAINT_ACCELERATIONS) {
        p.v = v;
        p.fext = fext;
    }
    if (constraints->level == ZI_CONSTRAINT_ACCELERATIONS || constraints->level == ZI_CONSTRAINT_FREE) p.tau = tau;
    if (constraints->level == ZI_CONSTRAINT_POSITIONS || constraints->level == ZI_CONSTRAINT_FREE) v = NULL;
    if (!tau && given) tau = zi_scratch_doubles(&scratch, (size_t)t->nv);
    return t->ne ? sweep_elastic(t, scratch, &p, v, gravity, constraints, tau, a)
                 : sweep(t, scratch, p, v, gravity, constraints, tau, a, false);
}
