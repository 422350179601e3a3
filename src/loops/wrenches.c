/* Forces of loops from their multipliers: reactions on the child's side, external forces on links, G^T lambda. */
#include <string.h>

#include "dynamics/external.h"
#include "loops/sweep.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

const zvTieState *zv_tie_states(const zvModel *m, zvDesk *desk, const double *q) {
    zvTieState *state = zv_desk_take(desk, (size_t)m->tree.closed->ties * sizeof *state);
    zvDesk rest = *desk;
    const double *tq = zv_tree_q(m, &rest, q);
    zv_kinematics_kernels(m)->ties(&m->tree, rest, tq, NULL, NULL, state);
    return state;
}

/* Force and moment about `about` that multipliers put on the child's side, world axes. */
static void world_wrench(const zvTie *tie, const zvTieState *state, const double *lambda, const double about[3],
                         double out[6]) {
    double d[3];
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < tie->rows; k++) {
        for (int i = 0; i < 6; i++) out[i] += lambda[tie->row + k] * state->T[k][i];
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

void zv_loop_wrenches(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *wrenches) {
    if (m->nloop == 0) return;
    zvWork below = *work;
    const zvTieState *state = zv_tie_states(m, &below.desk, q);
    zvPose *links = zv_desk_take(&below.desk, (size_t)m->nlink * sizeof *links), child;
    zv_link_poses(m, &below, q, links);
    for (int i = 0; i < m->nloop; i++) {
        const zvTie *tie = &m->tree.closed->tie[i];
        double *out = wrenches + 6 * i, world[6];
        if (tie->kind == ZV_LOOP_COUPLING) {
            memset(out, 0, 6 * sizeof *out);
            out[0] = lambda[tie->row];
            continue;
        }
        zv_frame_of_links(m, m->loop_places[i].child_frame, q, NULL, links, NULL, &child, NULL);
        world_wrench(tie, &state[i], lambda, child.p, world);
        turn_in(&child, world, out);
    }
}

/* A wrench about the origin of a frame; frames on rigid links need nothing but the pose of their link. */
static void push_frame(const zvModel *m, zvWork *work, const double *q, int frame, int link, const zvPose *links,
                       const zvTie *tie, const zvTieState *state, const double *lambda, double *fext) {
    double wrench[6];
    if (zv_frame_station(m, frame) < 0) {
        world_wrench(tie, state, lambda, links[link].p, wrench);
        for (int i = 0; i < 6; i++) fext[6 * link + i] += wrench[i];
        return;
    }
    zvPose pose;
    zv_frame_of_links(m, frame, q, NULL, links, NULL, &pose, NULL);
    world_wrench(tie, state, lambda, pose.p, wrench);
    zv_add_wrench(m, work, q, frame, wrench, fext);
}

void zv_add_loop_wrenches(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *fext) {
    if (m->nloop == 0) return;
    zvWork below = *work;
    const zvTieState *state = zv_tie_states(m, &below.desk, q);
    zvPose *links = zv_desk_take(&below.desk, (size_t)m->nlink * sizeof *links);
    double *opposite = zv_desk_doubles(&below.desk, (size_t)m->tree.closed->rows);
    for (int i = 0; i < m->tree.closed->loop_rows; i++) opposite[i] = -lambda[i];
    zv_link_poses(m, &below, q, links);
    for (int i = 0; i < m->nloop; i++) {
        const zvTie *tie = &m->tree.closed->tie[i];
        const zvLoopPlace *place = &m->loop_places[i];
        if (tie->kind == ZV_LOOP_COUPLING) continue;
        push_frame(m, &below, q, place->child_frame, place->child, links, tie, &state[i], lambda, fext);
        push_frame(m, &below, q, place->parent_frame, place->parent, links, tie, &state[i], opposite, fext);
    }
}

/* Wrenches by Newton-Euler of a robot at rest without weight, tau = -J^T fext; couplings directly. */
void zv_loop_forces(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *forces) {
    memset(forces, 0, (size_t)m->nv * sizeof *forces);
    if (m->nloop == 0) return;
    zvWork below = *work;
    const size_t count = (size_t)(6 * m->nlink + m->tree.ne);
    double *fext = zv_desk_doubles(&below.desk, count), *tau = zv_desk_doubles(&below.desk, (size_t)m->tree.nv);
    memset(fext, 0, count * sizeof *fext);
    zv_add_loop_wrenches(m, &below, q, lambda, fext);
    const double *tq = zv_tree_q(m, &below.desk, q), *wrenches = zv_body_wrenches(m, &below.desk, tq, fext);
    zv_kernels(m)->newton_euler(&m->tree, below.desk, tq, NULL, NULL, weightless, wrenches, tau, NULL);
    for (int i = 0; i < m->tree.nv; i++) tau[i] = -tau[i];
    for (int i = 0; i < m->nloop; i++) {
        const zvTie *tie = &m->tree.closed->tie[i];
        for (int k = 0; k < tie->terms; k++) tau[tie->term[k].v] += tie->term[k].ratio * lambda[tie->row];
    }
    const zvCoupling *c = &m->coupling;
    for (int i = 0; i < m->tree.nv; i++) forces[c->v_master[i]] += c->v_ratio[i] * tau[i];
}
