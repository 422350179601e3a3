/* Where loops are: their two ends, what is open between them, the units of that, and the coordinates of the joints
 * that close them. */
#include "loops/closed.h"

#include "base/require.h"
#include "loops/reduction.h"
#include "loops/tell.h"
#include "model/joint_type.h"
#include "work/coupling.h"
#include "zveno/loops.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One loop by the paths to its two ends. */

ziFrameSpot zi_end_spot(const ziTree *t, const ziConstraintEnd *end) {
    ziFrameSpot spot = {.body = end->body, .attachment = end->row < t->nb ? -1 : end->row - t->nb};
    for (int i = 0; i < 3; i++) spot.in_body.R[4 * i] = 1;
    return spot;
}

/* Place and motion of one end, with no accelerations of coordinates. */
static motion move_row(const zvModel *m, ziScratch scratch, const ziConstraintEnd *end, const double *q,
                       const double *v, constraint_row *row) {
    const ziFrameSpot spot = zi_end_spot(&m->tree, end);
    zvPose pose;
    double velocity[6], acceleration[6];
    zi_kinematics_kernels(m)->frame_motion(&m->tree, scratch, &spot, q, v, NULL, &pose, velocity, acceleration);
    row->R = m3_of_rows(pose.R);
    row->p = v3_of(pose.p);
    row->v = v3_of(velocity);
    row->w = v3_of(velocity + 3);
    return motion_of(v3_of(acceleration), v3_of(acceleration + 3));
}

void zi_ends_at(const zvModel *m, ziScratch scratch, const ziConstraint *constraint, const double *q, const double *v,
                ziEnds *ends) {
    if (constraint->kind != ZV_LOOP_COUPLING) {
        ends->acc_a = move_row(m, scratch, &constraint->a, q, v, &ends->a);
        ends->acc_b = move_row(m, scratch, &constraint->b, q, v, &ends->b);
    }
    constraint_place(constraint, &ends->a, &ends->b, &ends->now);
}

/* Gaps and rates (rows of the constraint) from that; rate may be NULL. */
static void ends_gap(const ziConstraint *constraint, const ziEnds *ends, constraint_target target, const double *q,
                     const double *v, double *gap, double *rate) {
    if (constraint->kind == ZV_LOOP_COUPLING) {
        gap[0] = constraint_sum_q(constraint, q) - target.value;
        if (rate) rate[0] = (v ? constraint_sum_v(constraint, v) : 0) - target.rate;
        return;
    }
    constraint_gap(constraint, &ends->b, &ends->now, target, gap);
    if (rate) constraint_rate(constraint, &ends->a, &ends->b, &ends->now, target, rate);
}

/* Gaps of loops, their rates, and what is left of their second rates when nothing accelerates. */

static const double *targets_of(const zvClosing *closing) { return closing ? closing->targets : NULL; }

/* What counts as closed is taken off; open loops ask for nothing. state and first: of loops first ... first + count. */
static void settle_states(const zvModel *m, const zvClosing *closing, int first, int count, ziConstraintState *state) {
    if (!zi_open_loops(m, closing) && !(closing && closing->offsets)) return;
    for (int i = 0; i < count; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[first + i];
        const double *offset = closing && closing->offsets ? closing->offsets + constraint->row : NULL;
        const bool open = zi_is_open(m, closing, first + i);
        if (offset) constraint_less(constraint, offset, state[i].gap);
        for (int k = 0; open && k < constraint->rows; k++) state[i].gap[k] = state[i].rate[k] = 0;
    }
}

/* All loops in one sweep. Constraints of mimic joints, which come behind them, are left out: in model coordinates they
 * hold by themselves. */
static ziConstraintState *states_of(const zvModel *m, ziScratch scratch, const zvClosing *closing, const double *q,
                                    const double *v) {
    ziClosedTree loops = *m->tree.closed;
    ziTree tree = m->tree;
    loops.constraints = m->nloop;
    tree.closed = &loops;
    ziConstraintState *states = zi_scratch_take(&scratch, (size_t)m->nloop * sizeof *states);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    zi_kinematics_kernels(m)->constraints(&tree, scratch, tq, tv, targets_of(closing), states);
    settle_states(m, closing, 0, m->nloop, states);
    return states;
}

void zv_loop_gaps(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                  double *gaps, double *rates) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(gaps, zv_model_nloop_rows(m)));
    if (m->nloop == 0) return;
    const ziConstraintState *state = states_of(m, zi_scratch_of(m, work), closing, q, v);
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        memcpy(gaps + constraint->row, state[i].gap, (size_t)constraint->rows * sizeof *gaps);
        if (rates) memcpy(rates + constraint->row, state[i].rate, (size_t)constraint->rows * sizeof *rates);
    }
}

/* Rows with a direction of force are lengths; turns and the sums of couplings stay as they are. Numbers that are none
 * count as infinite. */
static double largest(double so_far, const double *direction, double size, double x) {
    const bool length = direction[0] != 0 || direction[1] != 0 || direction[2] != 0;
    const double y = fabs(length ? x / size : x);
    return y <= so_far ? so_far : isfinite(y) ? y : INFINITY;
}

/* One loop without the sweep over all of them: O(depth). */
static ziConstraintState state_of_one(const zvModel *m, ziScratch scratch, const zvClosing *closing, const double *q,
                                      const double *v, int loop) {
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    ziConstraintState state = {0};
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, tq, tv, &ends);
    ends_gap(constraint, &ends, constraint_target_of(constraint, targets_of(closing), loop), tq, tv, state.gap,
             state.rate);
    for (int k = 0; k < constraint->rows; k++) v3_to(state.T[k], ends.now.lin[k]);
    settle_states(m, closing, loop, 1, &state);
    return state;
}

static ziLeft worst_of(const zvModel *m, const ziConstraintState *state, int first, int count) {
    ziLeft left = {0};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < m->tree.closed->constraint[first + i].rows; k++) {
            left.gap = largest(left.gap, state[i].T[k], m->tree.closed->size, state[i].gap[k]);
            left.rate = largest(left.rate, state[i].T[k], m->tree.closed->size, state[i].rate[k]);
        }
    }
    return left;
}

double zi_reach_of(const zvModel *m, const ziConstraintState *states) {
    double square = 0;
    for (int i = 0; i < m->nloop; i++) {
        const vec3 point = v3_of(states[i].point);
        square = fmax(square, v3_dot(point, point));
    }
    return sqrt(square) / m->tree.closed->size;
}

/* Beyond the last number the loops are too far away to be seen at all. */
double zi_closed_within(double reach) { return fmin(fmax(1e-12, 16 * DBL_EPSILON * reach), 1e-6); }
double zi_done_within(double reach) { return fmin(fmax(4e-15, 2 * DBL_EPSILON * reach), 1e-7); }

ziLeft zi_loops_left(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v) {
    if (m->nloop == 0) return (ziLeft){0};
    const ziConstraintState *states = states_of(m, zi_scratch_of(m, work), closing, q, v);
    ziLeft left = worst_of(m, states, 0, m->nloop);
    left.reach = zi_reach_of(m, states);
    return left;
}

/* Of one loop, or the largest of all. */
void zv_loop_residual(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                      int loop, double *gap, double *rate) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && loop < zv_model_nloop(m));
    ziLeft left = {0};
    if (loop < 0) {
        left = zi_loops_left(m, work, closing, q, v);
    } else {
        const ziConstraintState one = state_of_one(m, zi_scratch_of(m, work), closing, q, v, loop);
        left = worst_of(m, &one, loop, 1);
    }
    if (gap) *gap = left.gap;
    if (rate) *rate = left.rate;
}

/* T.(acceleration of b against a at a = 0) + gamma */
static void second_rate(const ziConstraint *constraint, const ziEnds *ends, constraint_target target, double *bias) {
    const constraint_now *now = &ends->now;
    if (constraint->kind == ZV_LOOP_COUPLING) {
        bias[0] = -target.second;
        return;
    }
    constraint_gamma(constraint, &ends->a, &ends->b, now, target, bias);
    const motion b = motion_shift(ends->acc_b, now->reach_b), a = motion_shift(ends->acc_a, now->reach_a);
    const vec3 lin = v3_sub(b.lin, a.lin), ang = v3_sub(b.ang, a.ang);
    for (int k = 0; k < now->rows; k++) bias[k] += v3_dot2(now->lin[k], lin, now->ang[k], ang);
}

/* Second rates that remain when no coordinate accelerates, with the feedback of gaps and rates (Baumgarte). */
void zv_loop_bias(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                  double *bias) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(bias, zv_model_nloop_rows(m)));
    if (m->nloop == 0) return;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    const double feedback = closing ? closing->feedback : 0;
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        const constraint_target target = constraint_target_of(constraint, targets_of(closing), i);
        ziEnds ends;
        if (zi_is_open(m, closing, i)) {
            memset(bias + constraint->row, 0, (size_t)constraint->rows * sizeof *bias);
            continue;
        }
        zi_ends_at(m, scratch, constraint, tq, tv, &ends);
        second_rate(constraint, &ends, target, bias + constraint->row);
        if (feedback == 0) continue;
        ziConstraintState at = {0};
        ends_gap(constraint, &ends, target, tq, tv, at.gap, at.rate);
        settle_states(m, closing, i, 1, &at);
        for (int k = 0; k < constraint->rows; k++)
            bias[constraint->row + k] += feedback * (2 * at.rate[k] + feedback * at.gap[k]); /* Baumgarte */
    }
}

/* Units in which conditions and velocities of robots of any size can be compared: turns. */

/* Whether velocity k of a body's joint, or of its elastic coordinates behind them, is that of a length. */
static bool is_length(const ziBody *body, int k) { return k >= body->nv || !zi_joint_turns(body->type, k); }

static double reach_of(const ziTree *t, int dof) {
    const ziBody *body = &t->body[t->dof_body[dof]];
    return is_length(body, dof - body->v) ? 1 / t->closed->size : 1;
}

double zi_velocity_reach(const zvModel *m, int i) { return reach_of(&m->tree, m->coupling.own_v[i]); }

/* Joints that carry whole loops do not count. */
double zi_swiftest_joint(const zvModel *m, const double *v) {
    double most = 0;
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        if (place.v_index < 0 || zi_joint_carries(m, j)) continue;
        for (int k = 0; k < place.nv; k++)
            most = fmax(most, zi_velocity_reach(m, place.v_index + k) * fabs(v[place.v_index + k]));
    }
    return most;
}

static double coupling_unit(const ziTree *t, const ziConstraint *constraint) {
    double most = 0;
    for (int k = 0; k < constraint->terms; k++)
        most = fmax(most, fabs(constraint->term[k].ratio) / reach_of(t, constraint->term[k].v));
    return most > 0 ? 1 / most : 1;
}

/* 1 for angles, one over the size of the robot for lengths; couplings by what they couple. */
void zi_row_units(const zvModel *m, zvWork *work, const double *q, double *unit) {
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        ziEnds ends;
        if (constraint->kind == ZV_LOOP_COUPLING) {
            unit[constraint->row] = coupling_unit(&m->tree, constraint);
            continue;
        }
        zi_ends_at(m, scratch, constraint, tq, NULL, &ends);
        for (int k = 0; k < constraint->rows; k++) {
            const double steep = sqrt(v3_dot(ends.now.lin[k], ends.now.lin[k]));
            unit[constraint->row + k] = steep > 0 ? 1 / (steep * m->tree.closed->size) : 1;
        }
    }
}

/* The coordinates of loops' own joints, and the joints that loops run through. */

/* Quaternion x, y, z, w of the rotation from A to B, in A's axes. */
static void quaternion_between(mat3 A, mat3 B, double *q) {
    const vec3 turn = m3_tmulv(A, constraint_turn(A, B));
    const double angle = sqrt(v3_dot(turn, turn));
    v3_to(q, v3_scale(angle > 0 ? sin(0.5 * angle) / angle : 0.5, turn));
    q[3] = cos(0.5 * angle);
}

/* First angle: of the second axis about the first. Second: what is left about the second, in a frame whose z it is. */
static void universal_angles(const ziConstraint *constraint, const constraint_now *now, mat3 B, double *q) {
    const vec3 e = v3_of(constraint->joint.data->axis2), c = m3_tmulv(now->A, now->d);
    const vec3 aside = fabs(v3_x(e)) < fabs(v3_y(e)) ? v3(1, 0, 0) : v3(0, 1, 0);
    const vec3 x = constraint_unit(v3_cross(aside, e));
    const mat3 E = m3(x, v3_cross(e, x), e);
    q[0] = atan2(v3_x(e) * v3_y(c) - v3_y(e) * v3_x(c), v3_x(e) * v3_x(c) + v3_y(e) * v3_y(c));
    q[1] = constraint_twist(m3_mul(m3_turn_z(now->A, sin(q[0]), cos(q[0])), E), m3_mul(B, E));
}

static vec3 axis_of(const constraint_now *now, const ziJointType *type, int k) {
    return constraint_axis(now, type->along[k] - 'x');
}

/* Coordinates of a loop's joint: along and about the axes of A, or as its form has it. */
static void joint_positions(const ziConstraint *constraint, const ziEnds *ends, double *q) {
    const constraint_now *now = &ends->now;
    const mat3 A = now->A, B = m3_mulp12(ends->b.R, constraint->b.R);
    const ziJointType *type = &zi_joint_types[constraint->joint.type];
    if (constraint->form == ZI_CONSTRAINT_PATH) {
        q[0] = now->q;
    } else if (constraint->form == ZI_CONSTRAINT_TWO_AXES) {
        universal_angles(constraint, now, B, q);
    } else if (type->quaternion >= 0) {
        if (type->quaternion > 0) v3_to(q, m3_tmulv(A, now->rho));
        quaternion_between(A, B, q + type->quaternion);
    } else {
        for (int k = 0; k < constraint->joint.nv; k++)
            q[k] = type->moves[k] == 'l'   ? v3_dot(axis_of(now, type, k), now->rho)
                   : type->moves[k] == 's' ? constraint_winding(constraint, now, B)
                                           : constraint_twist(A, B);
    }
}

/* By joint type, from the relative motion of the two sides. */
static void joint_velocities(const ziConstraint *constraint, const ziEnds *ends, double *v) {
    const constraint_now *now = &ends->now;
    const motion x = constraint_relative(&ends->a, &ends->b, now);
    const ziJointType *type = &zi_joint_types[constraint->joint.type];
    if (constraint->form == ZI_CONSTRAINT_PATH) {
        v[0] = v3_dot(now->d, x.lin);
    } else if (constraint->form == ZI_CONSTRAINT_TWO_AXES) {
        constraint_universal_rates(now, x.ang, &v[0], &v[1]);
    } else if (type->quaternion >= 0) {
        const mat3 B = m3_mulp12(ends->b.R, constraint->b.R);
        if (type->quaternion > 0) v3_to(v, m3_tmulv(B, x.lin));
        v3_to(v + type->quaternion, m3_tmulv(B, x.ang));
    } else {
        for (int k = 0; k < constraint->joint.nv; k++)
            v[k] = v3_dot(axis_of(now, type, k), type->moves[k] == 'l' ? x.lin : x.ang);
    }
}

/* Joints have their own coordinates, rods and couplings the value of their condition. */
void zv_loop_coordinates(const zvModel *m, zvWork *work, const double *q, const double *v, int loop, double *qc,
                         double *vc) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && qc);
    ZI_REQUIRE_INDEX(loop, zv_model_nloop(m));
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    const constraint_target none = {0, 0, 0};
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, tq, tv, &ends);
    if (constraint->kind != ZV_LOOP_JOINT) {
        ends_gap(constraint, &ends, none, tq, tv, qc, vc);
        return;
    }
    joint_positions(constraint, &ends, qc);
    if (vc) joint_velocities(constraint, &ends, vc);
}

/* Adds sign to the joints from a link to the root. */
static void add_path(const zvModel *m, int link, int sign, int *signs) {
    for (; link >= 0 && m->link_places[link].joint >= 0; link = m->link_places[link].parent)
        signs[m->link_places[link].joint] += sign;
}

/* Joints on both paths to the ground cancel; those of a coupling have the sign of their ratio. */
void zv_loop_signs(const zvModel *m, int loop, int *signs) {
    ZI_REQUIRE(m && ZI_ARRAY(signs, m->njoint));
    ZI_REQUIRE_INDEX(loop, zv_model_nloop(m));
    const zvLoop *what = &m->loops[loop];
    memset(signs, 0, (size_t)m->njoint * sizeof *signs);
    if (what->kind != ZV_LOOP_COUPLING) {
        add_path(m, m->loop_places[loop].child, 1, signs);
        add_path(m, m->loop_places[loop].parent, -1, signs);
    }
    for (int k = 0; what->kind == ZV_LOOP_COUPLING && k < what->term_count; k++)
        signs[zv_model_find_joint(m, what->terms[k].joint)] = what->terms[k].ratio < 0 ? -1 : 1;
}

enum { MOST_TOLD = 6 };

/* Joints with several coordinates are left out: their numbers say little. */
void zi_tell_loop_joints(const zvModel *m, int loop, const double *q, int *signs, char *text, size_t size) {
    size_t used = strlen(text);
    int told = 0;
    if (loop >= 0) zv_loop_signs(m, loop, signs);
    for (int j = 0; j < m->njoint; j++) {
        const zvJoint *what = &m->joints[j];
        const zvJointPlace place = m->joint_places[j];
        if (place.nq != 1 || (loop >= 0 && signs[j] == 0)) continue;
        if (told++ == MOST_TOLD) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        const int written = snprintf(text + used, size - used, ", %s = %.6g %s", what->name, q[place.q_index],
                                     zv_joint_type_v_unit(what->type, 0, ZV_QUANTITY_POSITION));
        if (written < 0 || (size_t)written >= size - used) return;
        used += (size_t)written;
    }
}

static double joint_moved(const zvModel *m, int j, const double *q_from, const double *q) {
    const zvJointPlace place = m->joint_places[j];
    double most = 0;
    for (int k = 0; place.v_index >= 0 && k < place.nq; k++) {
        const int last = place.nv - 1; /* quaternions have an entry more */
        const double reach = zi_velocity_reach(m, place.v_index + (k < last ? k : last));
        most = fmax(most, reach * fabs(q[place.q_index + k] - q_from[place.q_index + k]));
    }
    return most;
}

/* Led joints count alone when the loop has some. */
double zi_loop_moved(const zvModel *m, int loop, const unsigned char *led, const double *q_from, const double *q,
                     int *signs) {
    double most[2] = {0, 0}; /* of free joints and of led ones */
    bool any = false;
    zv_loop_signs(m, loop, signs);
    for (int j = 0; j < m->njoint; j++) {
        const int at = m->joint_places[j].v_index;
        if (signs[j] == 0 || at < 0) continue;
        any |= led[at];
        most[led[at]] = fmax(most[led[at]], joint_moved(m, j, q_from, q));
    }
    return most[any];
}
