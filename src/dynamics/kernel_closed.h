/* What the closed sweep keeps besides the rows and columns of the articulated recursion: where rows are, and fronts.
 *
 * A front is what a body and all beyond it know of the multipliers lambda that act there: the body feels the force
 * P - K lambda, and the conditions see the accelerations alpha + A lambda + K^T acc. K is 6 rows (force, moment about
 * the body's origin) of `width` numbers, A is symmetric, its upper triangle valid. Columns beyond the last are zero.
 *
 * Ties: kinematics/tie.h; their rows enter as K at both ends, couplings as shares e of the dofs they name. */
#ifndef ZV_DYNAMICS_KERNEL_CLOSED_H
#define ZV_DYNAMICS_KERNEL_CLOSED_H

#include <string.h>

#include "dynamics/kernel_articulated_steps.h"
#include "kinematics/tie.h"

/* Rows of A so much smaller than what their direction could have are rounding: nothing moves that way. */
#define ROW_FLOOR 1e-13
/* Pivots of A scaled to unit diagonal: below, a row repeats others. */
#define REPEAT_FLOOR 1e-11

/* Room for the ground's system when it is small, whatever it needs. */
enum { GROUND_LEAST = 48 };

/* Where a row is and how it moves. */
typedef struct Spot {
    vec3 p, w, v;
} Spot;

_Static_assert(sizeof(Row) + sizeof(motion) + sizeof(Spot) <= ZV_DESK_PER_BODY, "desk too small");

typedef struct Front {
    int columns, width, done;
    double *K, *alpha, *A;
    const zvFront *of;
} Front;

typedef struct Closed {
    const zvClosedTree *tree;
    zvTying *ties;
    Spot *spot;         /* rows of the tree */
    double *fronts;     /* of all */
    double *e;          /* shares of all dofs in the columns of their fronts */
    double *ground;     /* the ground's system */
    double *gamma;      /* rows of ties: what they ask for besides accelerations */
    double *least;      /* rows of ties: where the diagonal of A is no more than this it is rounding */
    double *scale;      /* of the factors at homes, one home after the other */
    int *order;         /* likewise, each followed by its rank */
    int used;           /* of both */
    unsigned char *out; /* rows of ties: 1 for those left out */
    double gravity[3];
} Closed;

static inline Closed closed_on(const zvTree *t, zvDesk *desk, zvTying *ties, const double *gravity) {
    const zvClosedTree *tree = t->closed;
    const size_t rows = (size_t)tree->rows, shares = tree->e_at[t->nb];
    const size_t count = tree->room + shares + tree->ground.at[tree->ground.blocks] + GROUND_LEAST;
    Closed c = {.tree = tree, .ties = ties};
    c.spot = zv_desk_take(desk, (size_t)(t->nb + t->ns) * sizeof *c.spot);
    c.fronts = zv_desk_doubles(desk, count);
    c.e = c.fronts + tree->room;
    c.ground = c.e + shares;
    c.gamma = zv_desk_doubles(desk, rows);
    c.least = zv_desk_doubles(desk, rows);
    c.scale = zv_desk_doubles(desk, 2 * rows);
    c.order = zv_desk_take(desk, 2 * rows * sizeof *c.order);
    c.out = zv_desk_take(desk, rows);
    memset(c.out, 0, rows);
    memset(c.fronts, 0, count * sizeof *c.fronts);
    for (int k = 0; k < 3; k++) c.gravity[k] = ties->level == ZV_TIE_ACCELERATIONS ? gravity[k] : 0;
    ties->dropped = 0;
    ties->margin = 1;
    if (!(ties->floor > 0)) ties->floor = REPEAT_FLOOR;
    ties->conflict = ties->measure = 0;
    return c;
}

static inline Front front_at(const Closed *c, int index) {
    const zvFront *of = &c->tree->front[index];
    Front f = {.columns = of->at[of->ties], .width = of->width, .done = of->done, .of = of};
    f.K = c->fronts + of->room;
    f.alpha = f.K + 6 * f.width;
    f.A = f.alpha + f.width;
    return f;
}

/* First column of a tie that is in the front. */
static inline int column_of(const zvFront *of, int tie) {
    int k = 0;
    while (of->tie[k] != tie) k++;
    return of->at[k];
}

/* Shares of the joint of body i (rows of the width of its carry), and of its elastic coordinates (of its whole). */
static inline double *joint_shares(const Closed *c, int i) { return c->e + c->tree->e_at[i]; }
static inline double *elastic_shares(const Closed *c, const zvBody *b, int i) {
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
static ZV_HOT real locate(const zvTree *t, const double *v, const Row *row, const Column *column, Spot *spot,
                          bool elastic) {
    real mass = 0;
    spot[0].p = spot[0].w = spot[0].v = v3_zero();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        motion rel = motion_zero();
        for (int k = 0; v && k < b->nv; k++) rel = motion_axpy(v[b->v + k], column[b->v + k].S, rel);
        step_to(&spot[b->base], row[i].at.r, rel, &spot[i]);
        mass += b->m;
        if (!elastic || !b->elastic) continue;
        const zvElastic *el = b->elastic;
        for (int s = t->nb + el->station; s < t->nb + el->station + el->stations; s++)
            step_to(&spot[i], row[s].at.r, v ? columns_mix(el->n, row[s].Psi, v + el->v) : motion_zero(), &spot[s]);
    }
    return mass;
}

/* Ties --------------------------------------------------------------------------------------------------------- */

/* What the rows of a tie ask for at the level of the sweep. */
static inline void ask(const zvTie *tie, const zvTying *ties, tie_target target, const tie_row *a, const tie_row *b,
                       const tie_now *now, double *gamma) {
    const real f = ties->level == ZV_TIE_ACCELERATIONS ? ties->feedback : 0;
    if (ties->level == ZV_TIE_ACCELERATIONS) tie_gamma(tie, a, b, now, target, gamma);
    if (ties->level == ZV_TIE_VELOCITIES) tie_rate(tie, a, b, now, target, gamma);
    if (ties->level == ZV_TIE_POSITIONS) tie_gap(tie, b, now, target, gamma);
    for (int k = 0; k < now->rows && ties->level == ZV_TIE_FREE; k++) gamma[k] = 0;
    if (f == 0) return;
    double gap[ZV_MAX_DOF + 1] = {0}, rate[ZV_MAX_DOF + 1] = {0};
    tie_gap(tie, b, now, target, gap);
    tie_rate(tie, a, b, now, target, rate);
    for (int k = 0; k < now->rows; k++) gamma[k] += f * (2 * rate[k] + f * gap[k]);
}

/* A unit multiplier's force F on row `at` of the tree enters the front of its body. */
static inline void put_force(const zvTree *t, const Closed *c, const Problem *p, const Row *row, const zvTieEnd *at,
                             Front f, int column, force F) {
    if (at->row >= t->nb) {
        const zvBody *b = &t->body[at->body];
        const Row *section = &row[at->row];
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

/* One end of tie i, sign -1 for a. The ground accelerates against gravity. */
static inline void put_end(const zvTree *t, const Closed *c, const Problem *p, const Row *row, int i,
                           const zvTieEnd *at, real sign, vec3 reach, const tie_now *now) {
    if (at->row == 0) {
        double *gamma = c->gamma + c->tree->tie[i].row;
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

static inline tie_row row_as_tie(const Row *row, const Spot *spot) {
    tie_row x;
    x.R = row->at.R;
    x.p = spot->p;
    x.w = spot->w;
    x.v = spot->v;
    return x;
}

static inline void put_joint(const zvTree *t, const Closed *c, const Problem *p, const Row *row, int i, real mass) {
    const zvTie *tie = &c->tree->tie[i];
    const tie_row a = row_as_tie(&row[tie->a.row], &c->spot[tie->a.row]);
    const tie_row b = row_as_tie(&row[tie->b.row], &c->spot[tie->b.row]);
    const real floor = c->ties->floor > REPEAT_FLOOR ? c->ties->floor : ROW_FLOOR;
    const real light = mass > 0 ? floor / mass : 0, round = light / (c->tree->size * c->tree->size);
    tie_now now;
    tie_place(tie, &a, &b, &now);
    ask(tie, c->ties, tie_target_of(tie, c->ties->targets, i), &a, &b, &now, c->gamma + tie->row);
    for (int k = 0; k < now.rows; k++)
        c->least[tie->row + k] = light * v3_dot(now.lin[k], now.lin[k]) + round * v3_dot(now.ang[k], now.ang[k]);
    put_end(t, c, p, row, i, &tie->a, -1, now.reach_a, &now);
    put_end(t, c, p, row, i, &tie->b, 1, now.reach_b, &now);
}

static ZV_COLD void put_coupling(const zvTree *t, const Closed *c, const Problem *p, const double *v, int i) {
    const zvTie *tie = &c->tree->tie[i];
    const zvTying *ties = c->ties;
    const tie_target target = tie_target_of(tie, ties->targets, i);
    const real gap = tie_sum_q(tie, p->q) - target.value, rate = (v ? tie_sum_v(tie, v) : 0) - target.rate;
    const real f = ties->feedback;
    double *gamma = c->gamma + tie->row;
    *gamma = 0;
    if (ties->level == ZV_TIE_ACCELERATIONS) *gamma = f * (2 * rate + f * gap) - target.second;
    if (ties->level == ZV_TIE_VELOCITIES) *gamma = rate;
    if (ties->level == ZV_TIE_POSITIONS) *gamma = gap;
    c->least[tie->row] = 0; /* its shares are given numbers: no rounding */
    for (int k = 0; k < tie->terms; k++) {
        const int d = tie->term[k].v, body = t->dof_body[d];
        const zvFront *of = &c->tree->front[c->tree->passage[body].carry];
        double *e = joint_shares(c, body) + (d - t->body[body].v) * of->width;
        e[column_of(of, i)] += tie->term[k].ratio;
    }
}

/* What armature adds to the mass of all bodies; turning, it is felt at the distance of the robot's size. */
static ZV_COLD real armature_as_mass(const zvTree *t, real size) {
    real lengths = 0, turns = 0;
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        for (int k = 0; k < b->nv; k++) {
            const real armature = t->armature[b->v + k];
            if (armature == 0) continue;
            const char *unit = zv_joint_type_v_unit((zvJointType)b->type, k, ZV_QUANTITY_POSITION);
            *(unit[0] == 'm' ? &lengths : &turns) += armature;
        }
    }
    return lengths + turns / (size * size);
}

/* All ties into the fronts of the bodies they hang on; v are the velocities that their rates are of. */
static inline void put_ties(const zvTree *t, const Closed *c, const Problem *p, const double *v, const Row *row,
                            real mass) {
    if (c->ties->floor > REPEAT_FLOOR) mass += armature_as_mass(t, c->tree->size);
    for (int i = 0; i < c->tree->ties; i++) {
        if (c->tree->tie[i].kind == ZV_LOOP_COUPLING)
            put_coupling(t, c, p, v, i);
        else
            put_joint(t, c, p, row, i, mass);
    }
}

#endif
