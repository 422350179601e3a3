/* The sweep of closed loops in model coordinates: forces of loops from their multipliers, forward and mixed
 * dynamics, products with the inverse, and the table of methods. */
#include "base/require.h"
#include "dynamics/external.h"
#include "loops/closed.h"
#include "loops/reduction.h"
#include "work/coupling.h"

#include <math.h>
#include <string.h>

/* Forces of loops from their multipliers: reactions on the child's side, external forces on links, G^T lambda. */

static const double weightless[3] = {0, 0, 0};

const ziConstraintState *zi_states_of_constraints(const zvModel *m, ziScratch *scratch, const double *q) {
    ziConstraintState *state = zi_scratch_take(scratch, (size_t)m->tree.closed->constraints * sizeof *state);
    ziScratch rest = *scratch;
    const double *tq = zi_tree_q(m, &rest, q);
    zi_kinematics_kernels(m)->constraints(&m->tree, rest, tq, NULL, NULL, state);
    return state;
}

/* Force and moment about `about` that multipliers put on the child's side, world axes. */
static void world_wrench(const ziConstraint *constraint, const ziConstraintState *state, const double *lambda,
                         const double about[3], double out[6]) {
    double d[3];
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < constraint->rows; k++) {
        for (int i = 0; i < 6; i++) out[i] += lambda[constraint->row + k] * state->T[k][i];
    }
    for (int i = 0; i < 3; i++) d[i] = state->point[i] - about[i];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        out[3 + i] += d[j] * out[l] - d[l] * out[j];
    }
}

/* The linear and the angular part of a world wrench along the axes of a frame. */
static void turn_in(const zvPose *frame, const double world[6], double out[6]) {
    for (int i = 0; i < 3; i++) {
        out[i] = out[3 + i] = 0;
        for (int k = 0; k < 3; k++) {
            out[i] += frame->R[3 * k + i] * world[k];
            out[3 + i] += frame->R[3 * k + i] * world[3 + k];
        }
    }
}

/* On the child's side, at and in its frame; a coupling has one force only. */
void zv_loop_wrenches(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *wrenches) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && (m->nloop == 0 || (lambda && wrenches)));
    if (m->nloop == 0) return;
    zvWork below = *work;
    const ziConstraintState *state = zi_states_of_constraints(m, &below.scratch, q);
    zvPose *links = zi_scratch_take(&below.scratch, (size_t)m->nlink * sizeof *links), child;
    zv_link_poses(m, &below, q, links);
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        double *out = wrenches + 6 * i, world[6];
        if (constraint->kind == ZV_LOOP_COUPLING) {
            memset(out, 0, 6 * sizeof *out);
            out[0] = lambda[constraint->row];
            continue;
        }
        zv_frame_of_links(m, m->loop_places[i].child_frame, q, NULL, links, NULL, &child, NULL);
        world_wrench(constraint, &state[i], lambda, child.p, world);
        turn_in(&child, world, out);
    }
}

/* A wrench about the origin of a frame; frames on rigid links need nothing but the pose of their link. */
static void push_frame(const zvModel *m, zvWork *work, const double *q, int frame, int link, const zvPose *links,
                       const ziConstraint *constraint, const ziConstraintState *state, const double *lambda,
                       double *fext) {
    double wrench[6];
    if (zi_frame_attachment(m, frame) < 0) {
        world_wrench(constraint, state, lambda, links[link].p, wrench);
        for (int i = 0; i < 6; i++) fext[6 * link + i] += wrench[i];
        return;
    }
    zvPose pose;
    zv_frame_of_links(m, frame, q, NULL, links, NULL, &pose, NULL);
    world_wrench(constraint, state, lambda, pose.p, wrench);
    zv_add_wrench(m, work, q, frame, wrench, fext);
}

/* As external forces of links, action and reaction. */
void zv_add_loop_wrenches(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *fext) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && (m->nloop == 0 || (lambda && fext)));
    if (m->nloop == 0) return;
    zvWork below = *work;
    const ziConstraintState *state = zi_states_of_constraints(m, &below.scratch, q);
    zvPose *links = zi_scratch_take(&below.scratch, (size_t)m->nlink * sizeof *links);
    double *opposite = zi_scratch_doubles(&below.scratch, (size_t)m->tree.closed->rows);
    for (int i = 0; i < m->tree.closed->loop_rows; i++) opposite[i] = -lambda[i];
    zv_link_poses(m, &below, q, links);
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        const zvLoopPlace *place = &m->loop_places[i];
        if (constraint->kind == ZV_LOOP_COUPLING) continue;
        push_frame(m, &below, q, place->child_frame, place->child, links, constraint, &state[i], lambda, fext);
        push_frame(m, &below, q, place->parent_frame, place->parent, links, constraint, &state[i], opposite, fext);
    }
}

/* Wrenches by Newton-Euler of a robot at rest without weight, tau = -J^T fext; couplings directly. */
void zv_loop_forces(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *forces) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(forces, m->nv) && ZI_ARRAY(lambda, zv_model_nloop_rows(m)));
    for (int i = 0; i < m->nv; i++) forces[i] = 0;
    if (m->nloop == 0) return;
    zvWork below = *work;
    const size_t count = (size_t)(6 * m->nlink + m->tree.ne);
    double *fext = zi_scratch_doubles(&below.scratch, count),
           *tau = zi_scratch_doubles(&below.scratch, (size_t)m->tree.nv);
    memset(fext, 0, count * sizeof *fext);
    zv_add_loop_wrenches(m, &below, q, lambda, fext);
    const double *tq = zi_tree_q(m, &below.scratch, q), *wrenches = zi_body_wrenches(m, &below.scratch, tq, fext);
    zi_kernels(m)->newton_euler(&m->tree, below.scratch, tq, NULL, NULL, weightless, wrenches, tau, NULL);
    for (int i = 0; i < m->tree.nv; i++) tau[i] = -tau[i];
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        for (int k = 0; k < constraint->terms; k++)
            tau[constraint->term[k].v] += constraint->term[k].ratio * lambda[constraint->row];
    }
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->tree.nv; i++) forces[c->v_master[i]] += c->v_ratio[i] * tau[i];
}

/* Forward and mixed dynamics with loops, and products with the inverse, in model coordinates. Coupled mimic joints are
 * constraints of the same sweep: followers get no force of their own, and where their master's acceleration is given
 * theirs is too. */

/* Targets of the loops, then those of mimic joints, at rest. */
static const double *constraint_targets(const zvModel *m, ziScratch *scratch, const zvClosing *closing) {
    const ziClosedTree *c = m->tree.closed;
    if (!closing || !closing->targets || c->constraints == m->nloop) return closing ? closing->targets : NULL;
    double *targets = zi_scratch_doubles(scratch, 3 * (size_t)c->constraints);
    memcpy(targets, closing->targets, 3 * (size_t)m->nloop * sizeof *targets);
    for (int i = m->nloop; i < c->constraints; i++) {
        targets[3 * i] = c->constraint[i].target;
        targets[3 * i + 1] = targets[3 * i + 2] = 0;
    }
    return targets;
}

/* Which constraints are open; those of mimic joints never are. */
static const unsigned char *constraints_open(const zvModel *m, ziScratch *scratch, const zvClosing *closing) {
    const size_t count = (size_t)m->tree.closed->constraints, loops = (size_t)m->nloop;
    if (!closing || !closing->open || count == loops) return zi_open_loops(m, closing);
    unsigned char *open = zi_scratch_take(scratch, count);
    memcpy(open, closing->open, loops);
    memset(open + loops, 0, count - loops);
    return open;
}

/* Gaps that count as closed, zero of mimic joints. */
static const double *constraint_offsets(const zvModel *m, ziScratch *scratch, const zvClosing *closing) {
    const size_t rows = (size_t)m->tree.closed->rows, loop_rows = (size_t)m->tree.closed->loop_rows;
    if (!closing || !closing->offsets || rows == loop_rows) return closing ? closing->offsets : NULL;
    double *offsets = zi_scratch_doubles(scratch, rows);
    memcpy(offsets, closing->offsets, loop_rows * sizeof *offsets);
    memset(offsets + loop_rows, 0, (rows - loop_rows) * sizeof *offsets);
    return offsets;
}

/* Given forces of the tree, less the elastic forces k (model coordinates, NULL: none). */
static double *tree_forces(const zvModel *m, ziScratch *scratch, const ziSweep *s, const double *tau, const double *k) {
    const ziCoupling *c = &m->coupling;
    double *out = zi_scratch_doubles(scratch, (size_t)m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++) {
        const int master = c->v_master[i];
        out[i] = c->follows[i] || !tau || !zi_force_given(s->given, master) ? 0 : tau[master];
        if (k && !c->follows[i]) out[i] -= k[master];
    }
    return out;
}

static const unsigned char *tree_given(const zvModel *m, ziScratch *scratch, const unsigned char *given) {
    if (!m->coupling.count || !given) return given;
    unsigned char *out = zi_scratch_take(scratch, (size_t)m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++) out[i] = given[m->coupling.v_master[i]];
    return out;
}

/* Room for the tree's accelerations, with those that are given. */
static double *tree_accelerations(const zvModel *m, ziScratch *scratch, const ziSweep *s, double *a) {
    const ziCoupling *c = &m->coupling;
    double *out = zi_tree_vector(m, scratch, a);
    for (int i = 0; out != a && s->given && i < m->tree.nv; i++) {
        const int master = c->v_master[i];
        out[i] = s->given[master] == ZV_GIVEN_ACCELERATION ? c->v_ratio[i] * a[master] : 0;
    }
    return out;
}

/* Conditions of followers whose masters are given hold by themselves. */
static int idle_followers(const zvModel *m, const unsigned char *given) {
    int count = 0;
    for (int i = 0; given && m->coupling.count && i < m->tree.nv; i++)
        count += m->coupling.follows[i] && given[m->coupling.v_master[i]] != ZV_GIVEN_FORCE;
    return count;
}

/* From the tree back to the model: accelerations, and the forces that were not given with k in them again. */
static void to_model(const zvModel *m, ziScratch scratch, const ziSweep *s, const double *k, const double *t_tau,
                     const double *t_a, double *found, double *a) {
    for (int i = 0; t_a != a && i < m->nv; i++) {
        if (!s->given || s->given[i] != ZV_GIVEN_ACCELERATION) a[i] = t_a[m->coupling.own_v[i]];
    }
    if (!s->given || !found) return;
    double *total = zi_scratch_doubles(&scratch, (size_t)m->nv);
    zi_contract(m, t_tau, total);
    for (int i = 0; i < m->nv; i++) {
        if (!zi_force_given(s->given, i)) found[i] = total[i] + (k ? k[i] : 0);
    }
}

/* Model to tree coordinates, the kernel, and back; mimic joints are constraints of the same sweep. */
zvStatus zi_sweep_closed(const zvModel *m, ziScratch scratch, ziSweep *s, const double *tau, double *found, double *a) {
    const ziClosedTree *closed = m->tree.closed;
    const bool dynamic = s->level == ZI_CONSTRAINT_ACCELERATIONS, same = closed->rows == closed->loop_rows;
    ziTree tree = m->tree;
    tree.armature = zi_more_armature(m, &scratch, s->extra);
    const double *tq = zi_tree_q(m, &scratch, s->q), *tv = zi_tree_v(m, &scratch, s->v);
    const double *wrenches = zi_body_wrenches(m, &scratch, tq, s->fext);
    double *k = dynamic && m->tree.ne > 0 ? zi_scratch_doubles(&scratch, (size_t)m->nv) : NULL;
    if (k) zv_elastic_force(m, s->q, s->v, k);
    ziConstraintTask constraints = {.level = s->level,
                                    .floor = s->floor,
                                    .targets = constraint_targets(m, &scratch, s->closing),
                                    .open = constraints_open(m, &scratch, s->closing),
                                    .offsets = constraint_offsets(m, &scratch, s->closing),
                                    .feedback = s->closing ? s->closing->feedback : 0,
                                    .lambda = same && s->lambda ? s->lambda
                                                                : zi_scratch_doubles(&scratch, (size_t)closed->rows)};
    double *t_tau = tree_forces(m, &scratch, s, tau, k), *t_a = tree_accelerations(m, &scratch, s, a);
    const unsigned char *given = tree_given(m, &scratch, s->given);
    const double *gravity = dynamic ? m->tree.gravity : weightless;
    zvStatus status = zi_kernels(m)->articulated_closed(&tree, scratch, tq, tv, given, gravity, wrenches, s->structure,
                                                        &constraints, t_tau, t_a);
    if (s->lambda && !same) memcpy(s->lambda, constraints.lambda, (size_t)closed->loop_rows * sizeof *s->lambda);
    to_model(m, scratch, s, k, t_tau, t_a, found, a);
    s->margin = constraints.margin;
    s->weakest = constraints.weakest < m->nloop ? constraints.weakest : -1;
    s->dropped = constraints.dropped - idle_followers(m, s->given);
    return status < 0 ? status : s->dropped > 0 ? ZV_DEGRADED : ZV_OK;
}

zvStatus zv_closed_forward_dynamics(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                                    const double *v, const double *tau, const double *fext, double *a, double *lambda) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(a, m->nv));
    if (!m->tree.closed) return zv_forward_dynamics(m, work, q, v, tau, fext, a);
    ziSweep s = {.closing = closing, .q = q, .v = v, .fext = fext, .lambda = lambda};
    return zi_sweep_through(m, work, &s, tau, NULL, a);
}

static bool prescribes(const zvModel *m, const unsigned char *given) {
    for (int i = 0; given && i < m->nv; i++) {
        if (given[i] != ZV_GIVEN_FORCE) return true;
    }
    return false;
}

/* Whether the accelerations miss the conditions, G a + bias, by more than a millionth of what moves, lengths measured
 * by the robot's size; slower than 1e-9 1/s^2 is rest. Numbers that are none contradict. */
static bool contradicts(const zvModel *m, zvWork *work, const ziSweep *s, const double *a) {
    const size_t rows = (size_t)m->tree.closed->loop_rows;
    zvWork below = *work;
    double *gap = zi_scratch_doubles(&below.scratch, rows), *bias = zi_scratch_doubles(&below.scratch, rows);
    double *own = zi_scratch_doubles(&below.scratch, rows), *unit = zi_scratch_doubles(&below.scratch, rows);
    double largest = 1e-3, missed = 0;
    zv_loop_bias(m, &below, s->closing, s->q, s->v, bias);
    const zvClosing still = {.open = s->closing ? s->closing->open : NULL};
    zv_loop_gaps(m, &below, &still, s->q, a, gap, own);
    zi_row_units(m, &below, s->q, unit);
    for (int i = 0; i < m->nv; i++) {
        const double reach = zi_velocity_reach(m, i), v = s->v ? reach * s->v[i] : 0;
        largest = fmax(largest, fmax(reach * fabs(a[i]), v * v));
    }
    for (size_t i = 0; i < rows; i++) {
        const double miss = unit[i] * fabs(bias[i] + own[i]);
        if (!isfinite(miss)) return true;
        largest = fmax(largest, unit[i] * fmax(fabs(bias[i]), fabs(own[i])));
        missed = fmax(missed, miss);
    }
    return missed > 1e-6 * largest;
}

zvStatus zv_closed_mixed_dynamics(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                                  const double *v, const unsigned char *given, const double *fext, double *tau,
                                  double *a, double *lambda) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(tau, m->nv) && ZI_ARRAY(a, m->nv));
    if (!m->tree.closed) return zv_mixed_dynamics(m, work, q, v, given, fext, tau, a);
    ziSweep s = {.closing = closing, .q = q, .v = v, .fext = fext, .given = given, .lambda = lambda};
    const zvStatus status = zi_sweep_through(m, work, &s, tau, tau, a);
    return status == ZV_DEGRADED && prescribes(m, given) && contradicts(m, work, &s, a) ? ZV_CLOSURE : status;
}

/* One sweep with the rows of the loops that are closed, at a free right side: the constraints hold y itself. */
zvStatus zi_closed_inverse_times(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                                 const unsigned char *given, const double *extra, double damping, double stiffness,
                                 const double *x, double *y) {
    if (!m->tree.closed) return zv_structural_inverse_times(m, work, q, given, extra, damping, stiffness, x, y);
    ziScratch scratch = zi_scratch_of(m, work);
    const ziAugment structure = {damping, stiffness};
    ziSweep s = {.level = ZI_CONSTRAINT_FREE,
                 .closing = closing,
                 .q = q,
                 .given = zi_free_or_locked(m, &scratch, given),
                 .extra = extra};
    if (m->tree.ne > 0 && (damping != 0 || stiffness != 0)) s.structure = &structure;
    return zi_sweep_closed(m, scratch, &s, x, NULL, y);
}

zvStatus zv_closed_structural_inverse_times(const zvModel *m, zvWork *work, const double *q, const unsigned char *given,
                                            const double *extra, double damping, double stiffness, const double *x,
                                            double *y) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(y, m->nv) && ZI_ARRAY(x, m->nv));
    return zi_closed_inverse_times(m, work, NULL, q, given, extra, damping, stiffness, x, y);
}

zvStatus zv_closed_inverse_times(const zvModel *m, zvWork *work, const double *q, const unsigned char *given,
                                 const double *extra, const double *x, double *y) {
    return zv_closed_structural_inverse_times(m, work, q, given, extra, 0, 0, x, y);
}

/* The sweep at the level of velocities, with the robot's own mass matrix. Conditions that repeat others, or that given
 * velocities leave nothing to do for, are dropped; what they would still miss contradicts. */
zvStatus zv_loop_impact(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                        const unsigned char *given, double *jump, double *impulse) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(v, m->nv) && ZI_ARRAY(jump, m->nv));
    memset(jump, 0, (size_t)m->nv * sizeof *jump);
    if (!m->tree.closed) return ZV_OK;
    zvWork below = *work;
    double *after = zi_scratch_doubles(&below.scratch, (size_t)m->nv);
    ziSweep s = {.level = ZI_CONSTRAINT_VELOCITIES, .closing = closing, .q = q, .v = v, .lambda = impulse};
    s.given = zi_free_or_locked(m, &below.scratch, given);
    const zvStatus status = zi_sweep_closed(m, below.scratch, &s, NULL, NULL, jump);
    if (status < 0 || s.dropped == 0) return status;
    for (int i = 0; i < m->nv; i++) after[i] = v[i] + jump[i];
    const double before = zi_loops_left(m, &below, closing, q, v).rate,
                 left = zi_loops_left(m, &below, closing, q, after).rate;
    return left <= 1e-6 * (1e-3 + before) ? ZV_DEGRADED : ZV_CLOSURE;
}

/* Those whose gaps are constant where the two sides do not move against each other but along their joint. */
bool zv_loop_keeps_offset(const zvModel *m, int loop) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(loop, zv_model_nloop(m));
    const zvLoop *x = &m->loops[loop];
    return x->kind != ZV_LOOP_JOINT || x->type == ZV_JOINT_FIXED || x->type == ZV_JOINT_PRISMATIC ||
           x->type == ZV_JOINT_SPHERICAL;
}

/* The table of methods for closed loops. */

const zvClosedMethod *zv_closed_methods(size_t *count) {
    ZI_REQUIRE(count);
    static const zvClosedMethod rows[] = {
        {"multipliers", zv_closed_forward_dynamics, "O(n)",
         "multipliers eliminated where branches meet (Vereshchagin)"},
        {"partition", zi_partition_dynamics, "O(n^3)", "independent coordinates (Kolyubin)"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
