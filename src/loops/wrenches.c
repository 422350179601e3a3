/* Forces of loops from their multipliers: reactions on the child's side, external forces on links, G^T lambda. */
#include <string.h>

#include "dynamics/external.h"
#include "loops/sweep.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

const ziConstraintState *zi_tie_states(const zvModel *m, ziScratch *scratch, const double *q) {
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

void zv_loop_wrenches(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *wrenches) {
    if (m->nloop == 0) return;
    zvWork below = *work;
    const ziConstraintState *state = zi_tie_states(m, &below.scratch, q);
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

void zv_add_loop_wrenches(const zvModel *m, zvWork *work, const double *q, const double *lambda, double *fext) {
    if (m->nloop == 0) return;
    zvWork below = *work;
    const ziConstraintState *state = zi_tie_states(m, &below.scratch, q);
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
    memset(forces, 0, (size_t)m->nv * sizeof *forces);
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
