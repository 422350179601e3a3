/* What the closed sweep keeps besides the rows and columns of the articulated recursion: where rows are, and fronts.
 *
 * A front is what a body and all beyond it know of the multipliers lambda that act there: the body feels the force
 * P - K lambda, and the conditions see the accelerations alpha + A lambda + K^T acc. K is 6 rows (force, moment about
 * the body's origin) of `width` numbers, A is symmetric, its upper triangle valid. Columns beyond the last are zero.
 *
 * Constraints: kinematics/constraint.h; their rows enter as K at both ends, couplings as shares e of the dofs they
 * name. */
#ifndef ZI_DYNAMICS_KERNEL_CLOSED_H
#define ZI_DYNAMICS_KERNEL_CLOSED_H

#include <string.h>

#include "dynamics/kernel_articulated_steps.h"
#include "kinematics/constraint.h"

/* Rows of A so much smaller than what their direction could have are rounding: nothing moves that way. */
#define ROW_FLOOR 1e-13
/* Pivots of A scaled to unit diagonal: below, a row repeats others. */
#define REPEAT_FLOOR 1e-11

/* Least capacity for the ground's system, whatever it needs. */
enum { GROUND_LEAST = 48 };

/* Where a row is and how it moves. */
typedef struct Spot {
    vec3 p, w, v;
} Spot;

_Static_assert(sizeof(ArticulatedBody) + sizeof(motion) + sizeof(Spot) <= ZI_SCRATCH_PER_BODY, "scratch too small");

typedef struct Front {
    int columns, width, done;
    double *K, *alpha, *A;
    const ziFront *of;
} Front;

typedef struct Closed {
    const ziClosedTree *tree;
    ziConstraintTask *constraints;
    Spot *spot;         /* rows of the tree */
    double *fronts;     /* of all */
    double *e;          /* shares of all dofs in the columns of their fronts */
    double *ground;     /* the ground's system */
    double *gamma;      /* rows of constraints: their right side besides accelerations */
    double *least;      /* rows of constraints: where the diagonal of A is no more than this it is rounding */
    double *unit;       /* rows of constraints: A of a direction in which all of its links move freely; 0: coupling */
    double *scale;      /* of the factors at common ancestors, one after the other */
    int *order;         /* likewise, each followed by its rank */
    int used;           /* of both */
    unsigned char *out; /* rows of constraints: 1 for those left out */
    double gravity[3];
} Closed;

/* Scratch memory of a closed sweep, with fronts, shares and the ground's system cleared, and the results of the task
 * (dropped, margin, conflict, measure) reset. */
static inline Closed closed_on(const ziTree *t, ziScratch *scratch, ziConstraintTask *constraints,
                               const double *gravity) {
    const ziClosedTree *tree = t->closed;
    const size_t rows = (size_t)tree->rows, shares = tree->e_at[t->nb];
    const size_t count = tree->front_doubles + shares + tree->ground.at[tree->ground.blocks] + GROUND_LEAST;
    Closed c = {.tree = tree, .constraints = constraints};
    c.spot = zi_scratch_take(scratch, (size_t)(t->nb + t->ns) * sizeof *c.spot);
    c.fronts = zi_scratch_doubles(scratch, count);
    c.e = c.fronts + tree->front_doubles;
    c.ground = c.e + shares;
    c.gamma = zi_scratch_doubles(scratch, rows);
    c.least = zi_scratch_doubles(scratch, rows);
    c.unit = zi_scratch_doubles(scratch, rows);
    c.scale = zi_scratch_doubles(scratch, 2 * rows);
    c.order = zi_scratch_take(scratch, 2 * rows * sizeof *c.order);
    c.out = zi_scratch_take(scratch, rows);
    memset(c.out, 0, rows);
    memset(c.fronts, 0, count * sizeof *c.fronts);
    for (int k = 0; k < 3; k++) c.gravity[k] = constraints->level == ZI_CONSTRAINT_ACCELERATIONS ? gravity[k] : 0;
    constraints->dropped = 0;
    constraints->margin = 1;
    constraints->weakest = -1;
    constraints->conflict = constraints->measure = 0;
    return c;
}

static inline Front front_at(const Closed *c, int index) {
    const ziFront *of = &c->tree->front[index];
    Front f = {.columns = of->at[of->constraints], .width = of->width, .done = of->done, .of = of};
    f.K = c->fronts + of->offset;
    f.alpha = f.K + 6 * f.width;
    f.A = f.alpha + f.width;
    return f;
}

/* First column of a constraint that is in the front. */
static inline int column_of(const ziFront *of, int constraint) {
    int k = 0;
    while (of->constraint[k] != constraint) k++;
    return of->at[k];
}

/* Shares of the joint of body i (rows of the width of its carry), and of its elastic coordinates (of its whole). */
static inline double *joint_shares(const Closed *c, int i) { return c->e + c->tree->e_at[i]; }
static inline double *elastic_shares(const Closed *c, const ziBody *b, int i) {
    const int carry = c->tree->passage[i].carry;
    return joint_shares(c, i) + (carry < 0 ? 0 : b->nv * c->tree->front[carry].width);
}

/* Rows --------------------------------------------------------------------------------------------------------- */

static inline void step_to(const Spot *up, vec3 r, motion rel, Spot *me) {
    me->p = v3_add(up->p, r);
    me->w = v3_add(up->w, rel.ang);
    me->v = v3_add(v3_cross_add(up->w, r, up->v), rel.lin);
}

/* v NULL: at rest. Returns the mass of all bodies. */
static ZI_HOT real locate(const ziTree *t, const double *v, const ArticulatedBody *row, const ArticulatedColumn *column,
                          Spot *spot, bool elastic) {
    real mass = 0;
    spot[0].p = spot[0].w = spot[0].v = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        motion rel = motion_zero();
        for (int k = 0; v && k < b->nv; k++) rel = motion_axpy(v[b->v + k], column[b->v + k].S, rel);
        step_to(&spot[b->base], row[i].at.r, rel, &spot[i]);
        mass += b->m;
        if (!elastic || !b->elastic) continue;
        const ziElastic *el = b->elastic;
        for (int s = t->nb + el->attachment; s < t->nb + el->attachment + el->attachments; s++)
            step_to(&spot[i], row[s].at.r, v ? columns_mix(el->n, row[s].Psi, v + el->v) : motion_zero(), &spot[s]);
    }
    return mass;
}

/* Constraints -------------------------------------------------------------------------------------------------- */

/* An open constraint in the front of a body at or beyond which it has a side: lambda = 0, beside all others. */
static inline void put_void(const Closed *c, int i, int body) {
    const ziConstraint *constraint = &c->tree->constraint[i];
    const Front f = front_at(c, c->tree->passage[body].whole);
    const int first = column_of(f.of, i);
    for (int k = 0; k < constraint->rows; k++) {
        f.A[(first + k) * (f.width + 1)] = c->unit[constraint->row + k] = 1;
        c->gamma[constraint->row + k] = c->least[constraint->row + k] = 0;
    }
}

/* Gaps of the rows of a constraint, less those that count as closed. */
static inline void ask_gaps(const ziConstraint *constraint, const ziConstraintTask *constraints,
                            constraint_target target, const constraint_row *b, const constraint_now *now, double *gap) {
    constraint_gap(constraint, b, now, target, gap);
    if (constraints->offsets) constraint_less(constraint, constraints->offsets + constraint->row, gap);
}

/* What the rows of a constraint ask for at the level of the sweep. */
static inline void ask_rows(const ziConstraint *constraint, const ziConstraintTask *constraints,
                            constraint_target target, const constraint_row *a, const constraint_row *b,
                            const constraint_now *now, double *gamma) {
    const real f = constraints->level == ZI_CONSTRAINT_ACCELERATIONS ? constraints->feedback : 0;
    if (constraints->level == ZI_CONSTRAINT_ACCELERATIONS) constraint_gamma(constraint, a, b, now, target, gamma);
    if (constraints->level == ZI_CONSTRAINT_VELOCITIES) constraint_rate(constraint, a, b, now, target, gamma);
    if (constraints->level == ZI_CONSTRAINT_POSITIONS) ask_gaps(constraint, constraints, target, b, now, gamma);
    for (int k = 0; k < now->rows && constraints->level == ZI_CONSTRAINT_FREE; k++) gamma[k] = 0;
    if (f == 0) return;
    double gap[ZV_MAX_DOF + 1] = {0}, rate[ZV_MAX_DOF + 1] = {0};
    ask_gaps(constraint, constraints, target, b, now, gap);
    constraint_rate(constraint, a, b, now, target, rate);
    for (int k = 0; k < now->rows; k++) gamma[k] += f * (2 * rate[k] + f * gap[k]);
}

/* A unit multiplier's force F on row `at` of the tree enters the front of its body. */
static inline void put_force(const ziTree *t, const Closed *c, const Problem *p, const ArticulatedBody *row,
                             const ziConstraintEnd *at, Front f, int column, force F) {
    if (at->row >= t->nb) {
        const ziBody *b = &t->body[at->body];
        const ArticulatedBody *section = &row[at->row];
        double *e = elastic_shares(c, b, at->body) + column;
        if (p->v) f.alpha[column] += force_dot(F, section->bias);
        for (int k = 0; k < b->elastic->n; k++) e[k * f.width] += force_dot(F, section->Psi[k]);
        F = force_shift(F, section->at.r);
    }
    double x[6], *K = f.K + column;
    v3_to(x, F.lin);
    v3_to(x + 3, F.ang);
    for (int i = 0; i < 6; i++) K[i * f.width] += x[i];
}

/* One end of constraint i, sign -1 for a. The ground accelerates against gravity. */
static inline void put_end(const ziTree *t, const Closed *c, const Problem *p, const ArticulatedBody *row, int i,
                           const ziConstraintEnd *at, real sign, vec3 reach, const constraint_now *now) {
    if (at->row == 0) {
        double *gamma = c->gamma + c->tree->constraint[i].row;
        const vec3 g = v3_scale(-sign, v3_of(c->gravity));
        for (int k = 0; k < now->rows; k++) gamma[k] += v3_dot(now->lin[k], g);
        return;
    }
    const Front f = front_at(c, c->tree->passage[at->body].whole);
    const int first = column_of(f.of, i);
    for (int k = 0; k < now->rows; k++) {
        const vec3 lin = v3_scale(sign, now->lin[k]), ang = v3_scale(sign, now->ang[k]);
        put_force(t, c, p, row, at, f, first + k, force_of(lin, v3_cross_add(reach, lin, ang)));
    }
}

static inline constraint_row row_as_constraint(const ArticulatedBody *row, const Spot *spot) {
    constraint_row x;
    x.R = row->at.R;
    x.p = spot->p;
    x.w = spot->w;
    x.v = spot->v;
    return x;
}

/* A pivot in its unit. */
static inline void note_margin(const Closed *c, int constraint, double margin) {
    if (!(margin < c->constraints->margin)) return;
    c->constraints->margin = margin;
    c->constraints->weakest = constraint;
}

/* The units of rows of constraint i, and the size below which their diagonal of A is rounding or, with a floor, weak.
 */
static inline void put_units(const ziTree *t, const Closed *c, int i, const constraint_now *now, real mass) {
    const ziConstraint *constraint = &c->tree->constraint[i];
    const real square = c->tree->size * c->tree->size, floor = c->constraints->floor;
    const double carried = t->beyond[constraint->side[0]] + t->beyond[constraint->side[1]];
    const real light = mass > 0 ? 1 / mass : 0, own = carried > 0 ? 1 / carried : light;
    for (int k = 0; k < now->rows; k++) {
        const real steep = v3_dot(now->lin[k], now->lin[k]) + v3_dot(now->ang[k], now->ang[k]) / square;
        c->unit[constraint->row + k] = own * steep;
        c->least[constraint->row + k] = fmax(floor * own, ROW_FLOOR * light) * steep;
    }
}

/* Enters loop joint i: gamma and units of its rows, and its rows as K at both ends with opposite signs. */
static inline void put_joint(const ziTree *t, const Closed *c, const Problem *p, const ArticulatedBody *row, int i,
                             real mass) {
    const ziConstraint *constraint = &c->tree->constraint[i];
    const constraint_row a = row_as_constraint(&row[constraint->a.row], &c->spot[constraint->a.row]);
    const constraint_row b = row_as_constraint(&row[constraint->b.row], &c->spot[constraint->b.row]);
    constraint_now now;
    constraint_place(constraint, &a, &b, &now);
    ask_rows(constraint, c->constraints, constraint_target_of(constraint, c->constraints->targets, i), &a, &b, &now,
             c->gamma + constraint->row);
    put_units(t, c, i, &now, mass);
    put_end(t, c, p, row, i, &constraint->a, -1, now.reach_a, &now);
    put_end(t, c, p, row, i, &constraint->b, 1, now.reach_b, &now);
}

/* Enters a linear constraint among coordinates, sum ratio q = target: gamma with Baumgarte feedback f (2 rate + f gap)
 * for accelerations, the ratios as shares e of its dofs. */
static ZI_COLD void put_coupling(const ziTree *t, const Closed *c, const Problem *p, const double *v, int i) {
    const ziConstraint *constraint = &c->tree->constraint[i];
    const ziConstraintTask *constraints = c->constraints;
    const constraint_target target = constraint_target_of(constraint, constraints->targets, i);
    const real offset = constraints->offsets ? constraints->offsets[constraint->row] : 0;
    const real gap = constraint_sum_q(constraint, p->q) - target.value - offset,
               rate = (v ? constraint_sum_v(constraint, v) : 0) - target.rate;
    const real f = constraints->feedback;
    double *gamma = c->gamma + constraint->row;
    *gamma = 0;
    if (constraints->level == ZI_CONSTRAINT_ACCELERATIONS) *gamma = f * (2 * rate + f * gap) - target.second;
    if (constraints->level == ZI_CONSTRAINT_VELOCITIES) *gamma = rate;
    if (constraints->level == ZI_CONSTRAINT_POSITIONS) *gamma = gap;
    c->least[constraint->row] = c->unit[constraint->row] = 0; /* its shares are given numbers: no rounding */
    for (int k = 0; k < constraint->terms; k++) {
        const int d = constraint->term[k].v, body = t->dof_body[d];
        const ziFront *of = &c->tree->front[c->tree->passage[body].carry];
        double *e = joint_shares(c, body) + (d - t->body[body].v) * of->width;
        e[column_of(of, i)] += constraint->term[k].ratio;
    }
}

/* All constraints into the fronts of the bodies they hang on; v are the velocities that their rates are of. */
static inline void put_constraints(const ziTree *t, const Closed *c, const Problem *p, const double *v,
                                   const ArticulatedBody *row, real mass) {
    for (int i = 0; i < c->tree->constraints; i++) {
        const ziConstraint *constraint = &c->tree->constraint[i];
        const bool couples = constraint->kind == ZV_LOOP_COUPLING;
        if (c->constraints->open && c->constraints->open[i])
            put_void(c, i,
                     couples             ? t->dof_body[constraint->term[0].v]
                     : constraint->b.row ? constraint->b.body
                                         : constraint->a.body);
        else if (couples)
            put_coupling(t, c, p, v, i);
        else
            put_joint(t, c, p, row, i, mass);
    }
}

#endif
