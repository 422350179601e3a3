/* Exact tangents of dynamics and loops: kernels on numbers that carry slopes (derive/tangents.h). Directions and
 * slopes go between the coordinates of the model and of the tree. */
#include "linear/linear.h"

#include "derive/tangents.h"
#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "work/coupling.h"
#include "zveno/flexible.h"

#include <stdint.h>
#include <string.h>

enum { AT_ONCE = ZI_TANGENTS_AT_ONCE };

size_t zi_linear_jet_bytes(const zvModel *model) {
    return zi_tangents_there() ? zi_tangents_bytes(&model->tree) + 64 : 0;
}

bool zi_linear_is_exact(const zvLinear *l) {
    const ziClosedTree *closed = l->model->tree.closed;
    for (int i = 0; closed && i < closed->constraints; i++)
        if (closed->constraint[i].form == ZI_CONSTRAINT_PATH) return false;
    return l->jets != NULL;
}

/* Arrays of one call: up to four directions, and what comes back. */
typedef struct Slopes {
    double *dq, *dv, *mixed; /* of the tree */
    double *tau, *rates, *second;
    void *memory;
    ziScratch scratch;
    const double *q, *v, *a, *rate; /* of the tree: the state, and rates of q */
} Slopes;

/* Rates of the tree's q from those of the model's: offsets of followers stay. */
static void tree_rates(const zvModel *m, const double *rate, double *tree) {
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->tree.nq; i++) tree[i] = c->count ? c->q_ratio[i] * rate[c->q_master[i]] : rate[i];
}

static void tree_velocities(const zvModel *m, const double *v, double *tree) {
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->tree.nv; i++) tree[i] = c->count ? c->v_ratio[i] * v[c->v_master[i]] : v[i];
}

/* The state in tree coordinates, from the workspace's scratch memory. */
static Slopes open_slopes(zvLinear *l) {
    const zvModel *m = l->model;
    const size_t nq = (size_t)m->tree.nq, nv = (size_t)m->tree.nv;
    Slopes s = {.dq = l->directions, .scratch = zi_scratch_of(m, l->system->work)};
    s.dv = s.dq + AT_ONCE * nq;
    s.mixed = s.dv + AT_ONCE * nv;
    s.tau = s.mixed + AT_ONCE * nq;
    s.rates = s.tau + AT_ONCE * nv;
    s.second = s.rates + AT_ONCE * (size_t)l->rows;
    s.memory = (void *)(((uintptr_t)l->jets + 63) / 64 * 64);
    s.q = zi_tree_q(m, &s.scratch, l->y);
    s.v = zi_tree_v(m, &s.scratch, l->y + l->system->at_v);
    s.a = zi_tree_v(m, &s.scratch, l->a);
    double *rate = zi_scratch_doubles(&s.scratch, nq);
    zv_position_rate(m, l->y, l->y + l->system->at_v, l->first);
    tree_rates(m, l->first, rate);
    s.rate = rate;
    return s;
}

/* The rate of q when its k-th velocity is one (model). */
static void unit_rate(zvLinear *l, int k, double *unit) {
    memset(l->step, 0, (size_t)l->nv * sizeof *l->step);
    l->step[k] = 1;
    zv_position_rate(l->model, l->y, l->step, unit);
}

/* Slopes of N(q) v along velocity k, whose unit rate is `unit`: rates of quaternions are linear in them, those of the
 * place of a free joint R u turn with it, R (w x u), and others do not depend on q. */
static void rate_slope(zvLinear *l, int k, const double *unit, double *slope) {
    const double *v = l->y + l->system->at_v;
    zv_position_rate(l->model, unit, v, slope);
    for (int j = 0; j < zv_model_njoint(l->model); j++) {
        const zvJointPlace place = zv_model_joint_place(l->model, j);
        const int turn = place.nv ? zv_joint_type_quaternion(zv_model_joint(l->model, j)->type) : -1;
        const int axis = k - place.v_index - turn;
        if (turn < 0) {
            for (int i = 0; i < place.nq; i++) slope[place.q_index + i] = 0;
        } else if (turn > 0) {
            const double *u = v + place.v_index;
            memset(l->force, 0, (size_t)l->nv * sizeof *l->force);
            if (axis >= 0 && axis < 3) {
                l->force[place.v_index + (axis + 1) % 3] = -u[(axis + 2) % 3];
                l->force[place.v_index + (axis + 2) % 3] = u[(axis + 1) % 3];
            }
            zv_position_rate(l->model, l->y, l->force, l->moved);
            memcpy(slope + place.q_index, l->moved + place.q_index, 3 * sizeof *slope);
        }
    }
    for (int i = 0; i < l->nv; i++)
        if (l->scenario->drives->freedoms[i].elastic) slope[l->system->coordinate[i]] = 0;
}

/* Directions first ... of positions or of velocities. */
static int aim_directions(zvLinear *l, Slopes *s, int first, bool positions) {
    const zvModel *m = l->model;
    const int count = l->nv - first < AT_ONCE ? l->nv - first : AT_ONCE;
    double *unit = l->first, *slope = l->first + l->nq;
    for (int k = 0; k < count; k++) {
        double *dq = s->dq + k * m->tree.nq, *dv = s->dv + k * m->tree.nv, *mixed = s->mixed + k * m->tree.nq;
        unit_rate(l, first + k, unit);
        if (positions) {
            rate_slope(l, first + k, unit, slope);
            tree_rates(m, unit, dq);
            tree_rates(m, slope, mixed);
            memset(dv, 0, (size_t)m->tree.nv * sizeof *dv);
        } else {
            memset(dq, 0, (size_t)m->tree.nq * sizeof *dq);
            tree_rates(m, unit, mixed);
            tree_velocities(m, l->step, dv);
        }
    }
    memset(l->step, 0, (size_t)l->nv * sizeof *l->step);
    return count;
}

/* M a + h less what is given, into the force part of columns. */
static void force_columns(zvLinear *l, Slopes *s, int count, const double *wrenches, double *columns) {
    const ziDirections directions = {count, s->dq, s->dv};
    zi_tangents_inverse(&l->model->tree, s->memory, s->q, s->v, s->a, wrenches, NULL, &directions, s->tau);
    for (int k = 0; k < count; k++) {
        double *column = columns + (size_t)k * (size_t)l->terms.count;
        zi_contract(l->model, s->tau + k * l->model->tree.nv, l->force);
        for (int i = 0; i < l->nv; i++) column[i] = l->given[i] == ZV_GIVEN_FORCE ? l->force[i] : 0;
    }
}

/* Stiffness and damping of elastic links, which are linear. */
static void add_elastic_columns(zvLinear *l, int first, int count, bool positions, double *columns) {
    for (int k = 0; k < count; k++) {
        double *column = columns + (size_t)k * (size_t)l->terms.count;
        unit_rate(l, first + k, l->first);
        if (!positions) memset(l->first, 0, (size_t)l->nq * sizeof *l->first);
        zv_elastic_force(l->model, l->first, positions ? NULL : l->step, l->force);
        l->step[first + k] = 0;
        for (int i = 0; i < l->nv; i++) column[i] += l->given[i] == ZV_GIVEN_FORCE ? l->force[i] : 0;
    }
}

/* Rates and their rates by the directions; gaps by positions and rates by velocities are G. */
static void loop_columns(zvLinear *l, Slopes *s, int first, int count, bool positions, double *columns) {
    const ziDirections directions = {count, s->dq, s->dv};
    zi_tangents_loops(&l->model->tree, s->memory, s->q, s->v, s->rate, s->mixed, s->a, &directions, s->rates,
                      s->second);
    for (int k = 0; k < count; k++) {
        double *column = columns + (size_t)k * (size_t)l->terms.count;
        for (int r = 0; r < l->rows; r++) {
            const double scale = l->row[r];
            column[l->terms.gap + r] = positions ? scale * l->G[r * l->nv + first + k] : 0;
            column[l->terms.rate + r] = scale * s->rates[k * l->rows + r];
            column[l->terms.acceleration + r] = scale * s->second[k * l->rows + r];
        }
    }
}

/* - d(G^T lambda)/dq: entry i is the slope of lambda . G e_i. */
static void multiplier_columns(zvLinear *l, Slopes *s, int count, double *columns) {
    const ziDirections directions = {count, s->dq, NULL};
    double *one = l->force, *tree = s->tau;
    for (int i = 0; i < l->nv; i++) {
        if (l->given[i] != ZV_GIVEN_FORCE) continue;
        memset(one, 0, (size_t)l->nv * sizeof *one);
        one[i] = 1;
        tree_velocities(l->model, one, tree);
        zi_tangents_loops(&l->model->tree, s->memory, s->q, tree, NULL, NULL, NULL, &directions, s->rates, NULL);
        for (int k = 0; k < count; k++)
            for (int r = 0; r < l->rows; r++)
                columns[(size_t)k * (size_t)l->terms.count + (size_t)i] -= l->lambda[r] * s->rates[k * l->rows + r];
    }
}

/* By four directions at once; columns of what is left out are zero. The system stands at the state itself. */
void zi_linear_dynamics(zvLinear *l) {
    const zvModel *m = l->model;
    const size_t count = (size_t)l->terms.count;
    Slopes s = open_slopes(l);
    const double *wrenches = zi_body_wrenches(m, &s.scratch, s.q, l->system->efforts->fext);
    memset(l->tangents, 0, 2 * (size_t)l->nv * count * sizeof *l->tangents);
    if (l->rows) zv_loop_jacobian(m, l->system->work, l->y, l->G);
    if (l->rows) s = open_slopes(l); /* whose arrays that has spoilt */
    if (l->rows) wrenches = zi_body_wrenches(m, &s.scratch, s.q, l->system->efforts->fext);
    for (int part = 0; part < 2; part++) {
        for (int first = 0; first < l->nv; first += AT_ONCE) {
            double *columns = l->tangents + ((size_t)part * (size_t)l->nv + (size_t)first) * count;
            const int directions = aim_directions(l, &s, first, part == 0);
            force_columns(l, &s, directions, wrenches, columns);
            if (m->tree.ne) add_elastic_columns(l, first, directions, part == 0, columns);
            if (l->rows) loop_columns(l, &s, first, directions, part == 0, columns);
            if (l->rows && part == 0) multiplier_columns(l, &s, directions, columns);
        }
    }
}

/* Inverse dynamics at rest without gravity has nothing else but elastic forces of the state, which stay the same. */
void zi_linear_pushed(const zvLinear *l, double *pushed) {
    const zvModel *m = l->model;
    const zvEfforts *out = l->system->efforts;
    static const double weightless[4] = {0};
    if (out->fext) {
        ziScratch scratch = zi_scratch_of(m, l->system->work);
        const double *q = zi_tree_q(m, &scratch, l->y), *moved = zi_tree_q(m, &scratch, l->system->q);
        const double *wrenches = zi_body_wrenches(m, &scratch, moved, out->fext);
        double *tree = zi_tree_vector(m, &scratch, pushed);
        zi_kernels(m)->newton_euler(&m->tree, scratch, q, NULL, NULL, weightless, wrenches, tree, NULL);
        zi_contract(m, tree, pushed);
    } else {
        memset(pushed, 0, (size_t)l->nv * sizeof *pushed);
    }
    for (int i = 0; i < l->nv; i++) pushed[i] = l->given[i] == ZV_GIVEN_FORCE ? pushed[i] - out->tau[i] : 0;
}
