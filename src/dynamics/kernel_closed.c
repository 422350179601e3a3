/* Forward and mixed dynamics of trees with ties: the articulated recursion eliminates joints and multipliers in one
 * inward pass, [Popov, Vereshchagin, Zenkevich] and [Vereshchagin] (17), (18) with conditions.
 *
 *   outward  as kernel_articulated.c; then the ties, whose columns K enter the fronts of the bodies they hang on
 *   inward   as there; fronts go along (kernel_closed_front.h); ties whose branches meet at a body are eliminated at it
 *            (kernel_closed_home.h), the others on the ground (kernel_closed_ground.h)
 *   outward  joints with lambda of what is carried through them, then lambda of the ties at home on the body:
 *              a = (u + e lambda - U^T b) / D, or tau = u + U^T b - e lambda
 *
 * Differs from the sources, which fasten the last body of a chain: conditions hang anywhere, loops may be nested, share
 * bodies and repeat each other. Linear in bodies as long as no more than some loops go through each. Pivots and judges
 * ranks: double only. */
#include "dynamics/kernel_closed_ground.h"
#include "real/sincos.h"

/* One body's part of the inward pass; returns whether its pivots are sound. */
static ZV_HOT int inward_body(const zvTree *t, zvDesk desk, Closed *c, const Ground *ground, int i, const Problem *p,
                              Row *row, Column *column, bool elastic) {
    const zvBody *b = &t->body[i];
    const zvPassage *pass = &c->tree->passage[i];
    Row *me = &row[i];
    int sound = 1;
    if (elastic && b->elastic) {
        sound &= fold_elastic(t, desk, b, p, row, me, column);
        if (pass->whole >= 0)
            through_elastic(front_at(c, pass->whole), b->elastic, p, column + b->elastic->v, elastic_shares(c, b, i));
    }
    if (pass->whole >= 0 && c->tree->front[pass->whole].done > 0) eliminate_ties(c, desk, i, me);
    if (p->v) me->P = force_add(me->P, articulated_mul(&me->M, me->bias));
    sound &= eliminate(t, b, row, me, p, column, elastic);
    if (pass->carry >= 0) {
        const Front f = front_at(c, pass->carry);
        front_through(f, b, p, me, column, joint_shares(c, i));
        if (b->parent)
            front_on(t, c, b, i, p, row, f, elastic);
        else
            front_lands(c, ground, f);
    }
    if (b->parent) hand_on(t, b, me, row, p, column);
    return sound;
}

/* lambda of what is carried through the joint of body i, in alpha of that front: from the parent's, or the ground's. */
static inline void take_lambda(const Closed *c, const zvBody *b, int i, Front f) {
    const zvPassage *pass = &c->tree->passage[i];
    if (pass->to) {
        const double *lambda = front_at(c, c->tree->passage[b->parent].whole).alpha;
        for (int k = 0; k < f.columns; k++) f.alpha[k] = lambda[pass->to[k]];
    } else if (!b->parent) {
        for (int k = 0; k < f.of->ties; k++) {
            const double *lambda = c->ties->lambda + c->tree->tie[f.of->tie[k]].row - f.of->at[k];
            for (int j = f.of->at[k]; j < f.of->at[k + 1]; j++) f.alpha[j] = lambda[j];
        }
    }
}

/* What multipliers do in `count` degrees of freedom from d on becomes part of u. */
static inline void push(Front f, const Problem *p, int d, int count, double *e, Column *column) {
    for (int k = 0; k < count; k++, e += f.width) {
        four sum = {0, 0, 0, 0};
        for (int c = 0; c < f.width; c += 4) sum += *fours(e + c) * *fours(f.alpha + c);
        const real share = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        column[d + k].u += force_given(p, d + k) ? share : -share;
    }
}

/* tau may be NULL when nothing but forces is given. */
static ZV_HOT void outward_body(const zvTree *t, zvDesk desk, Closed *c, int i, const Problem *p, const Row *row,
                                Column *column, motion *acc, double *tau, double *a, bool elastic) {
    const zvBody *b = &t->body[i];
    const zvPassage *pass = &c->tree->passage[i];
    if (pass->carry >= 0) {
        const Front f = front_at(c, pass->carry);
        take_lambda(c, b, i, f);
        push(f, p, b->v, b->nv, joint_shares(c, i), column);
    }
    accelerate(t, i, p, row, column, acc, tau, a, false);
    if (pass->whole >= 0) {
        const Front f = front_at(c, pass->whole);
        if (f.done > 0) solve_ties(c, desk, i, acc[i]);
        if (elastic && b->elastic) push(f, p, b->elastic->v, b->elastic->n, elastic_shares(c, b, i), column);
    }
    if (elastic && b->elastic) unbend(t, b, p, row, column, acc[i], acc, tau, a);
}

/* v are the velocities of which the ties' rates are; elastic is a constant. */
static ZV_HOT zvStatus sweep(const zvTree *t, zvDesk desk, Problem p, const double *v, const double *gravity,
                             zvTying *ties, double *tau, double *a, bool elastic) {
    double *s = zv_desk_doubles(&desk, (size_t)t->nq), *co = zv_desk_doubles(&desk, (size_t)t->nq);
    const size_t rows = (size_t)(t->nb + t->ns);
    Row *row = zv_desk_take(&desk, rows * sizeof *row);
    motion *acc = zv_desk_take(&desk, rows * sizeof *acc);
    Column *column = zv_desk_take(&desk, (size_t)t->nv * sizeof *column);
    const ElasticRoom room = elastic_rooms(t, &desk, &p);
    Closed c = closed_on(t, &desk, ties, gravity);
    int sound = 1;
    sincos_array(t->nq, p.q, s, co);
    p.s = s;
    p.c = co;
    outward_bodies(t, desk, &p, row, column, room, elastic);
    const real mass = locate(t, v, row, column, c.spot, elastic);
    put_ties(t, &c, &p, v, row, mass);
    const Ground ground = ground_on(&c, &desk);
    for (int i = t->nb - 1; i > 0; i--) sound &= inward_body(t, desk, &c, &ground, i, &p, row, column, elastic);
    solve_ground(&c, &ground, desk);
    acc[0] = motion_of(v3_neg(v3_of(c.gravity)), v3_zero());
    for (int i = 1; i < t->nb; i++) outward_body(t, desk, &c, i, &p, row, column, acc, tau, a, elastic);
    if (ties->dropped > 0) measure_conflict(&c, row, acc, a);
    return !sound ? ZV_SINGULAR : ties->dropped > 0 ? ZV_DEGRADED : ZV_OK;
}

static ZV_COLD zvStatus sweep_elastic(const zvTree *t, zvDesk desk, const Problem *p, const double *v,
                                      const double *gravity, zvTying *ties, double *tau, double *a) {
    return sweep(t, desk, *p, v, gravity, ties, tau, a, true);
}

zvStatus ZV_KERNEL(zv_articulated_closed)(const zvTree *t, zvDesk desk, const double *q, const double *v,
                                          const unsigned char *given, const double *gravity, const double *fext,
                                          const zvAugment *structure, zvTying *ties, double *tau, double *a) {
    Problem p = {.q = q, .a = a, .given = given, .structure = structure};
    if (ties->level == ZV_TIE_ACCELERATIONS) {
        p.v = v;
        p.fext = fext;
    }
    if (ties->level == ZV_TIE_ACCELERATIONS || ties->level == ZV_TIE_FREE) p.tau = tau;
    if (ties->level == ZV_TIE_POSITIONS || ties->level == ZV_TIE_FREE) v = NULL;
    if (!tau && given) tau = zv_desk_doubles(&desk, (size_t)t->nv);
    return t->ne ? sweep_elastic(t, desk, &p, v, gravity, ties, tau, a)
                 : sweep(t, desk, p, v, gravity, ties, tau, a, false);
}
