/* Dynamics on lanes: kernels of single states and of this folder, compiled as C++ on numbers of several states at once
 * (real/wide.h). This file reads states in and stores results. */
#include "batch/lanes.h"

#include "real/real.h"
/* Arrays of kernels are as many times larger as a register is than a number. */
#define ZI_SCRATCH_PER_BODY (1024 * REAL_BYTES / 8)
#define ZI_SCRATCH_PER_COORDINATE (512 * REAL_BYTES / 8)

#include "dynamics/column_packs.h"
#include "dynamics/elastic.h"
#include "dynamics/elastic_factor.h"
#include "dynamics/kernels.h"
#include "kinematics/outward.h"
#include "linalg/ltdl.h"
#include "linalg/mirror.h"
#include "real/sincos.h"
#include "zveno/derive.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* what only single states need */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
namespace {
namespace in_articulated {
#include "dynamics/kernel_articulated.c"
#include "dynamics/kernel_subtrees.c"
} // namespace in_articulated
namespace in_derive {
#include "derive/kernel_derive.c"
#include "dynamics/kernel_respond.c"
} // namespace in_derive
#pragma GCC diagnostic pop

#include "batch/derivatives.h"
#include "batch/external.h"
#include "batch/frame.h"
#include "batch/questions.h"
#include "batch/transfer.h"

/* A group of states in scratch memory; what is NULL is zero. */
struct Group {
    StateSpan span;
    const real *q, *v;
    real *x;
    const real *fext;
    const real *Q; /* generalised forces of fext */
};

/* Each group from the first to the last: answer(group, rest of scratch memory, ok) computes and stores its results.
 * Returns the worst status. */
template <typename Answer>
zvStatus each(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end, Answer answer) {
    const zvModel *m = task->plan->model;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    zvStatus worst = ZV_OK;
    for (size_t at = first; at < end; at += GROUP) {
        ziScratch rest = scratch;
        Group g = {};
        g.span = {at, end - at < GROUP ? end : at + GROUP, task->stride, task->by_state, task->stream};
        g.q = fetch(&rest, g.span, task->q, nq);
        g.v = fetch(&rest, g.span, task->v, nv);
        g.x = fetch(&rest, g.span, task->x, nv);
        g.fext = fetch(&rest, g.span, task->fext, 6 * (size_t)m->nlink);
        g.Q = external(m, &rest, g.q, g.fext);
        real_ok ok[REAL_UNROLL], all = 1;
        for (int k = 0; k < REAL_UNROLL; k++) ok[k] = 1;
        answer(g, rest, ok);
        for (int k = 0; k < REAL_UNROLL; k++) all &= ok[k];
        if ((task->status || !all) && note_statuses(g.span, ok, task->status) != ZV_OK) worst = ZV_SINGULAR;
    }
    if (task->stream) end_streams();
    return worst;
}

zvStatus run_inverse(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const int nv = task->plan->model->nv;
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *) {
        real *tau = zi_scratch_array(&rest, real, REAL_UNROLL * nv);
        inverse(task->plan, rest, g.q, g.v, g.x, tau);
        for (int i = 0; i < REAL_UNROLL * nv && g.Q; i++) tau[i] -= g.Q[i];
        deliver(g.span, tau, (size_t)nv, task->out);
    });
}

/* Forces with those of fext among them, in place or in scratch memory; NULL: none. */
real *with_external(const Group &g, ziScratch *scratch, int nv) {
    real *tau = g.x;
    if (g.Q && !tau) tau = zi_scratch_array(scratch, real, REAL_UNROLL * nv);
    for (int i = 0; i < REAL_UNROLL * nv && g.Q; i++) tau[i] = g.x ? tau[i] + g.Q[i] : g.Q[i];
    return tau;
}

zvStatus run_forward(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const int nv = task->plan->model->nv;
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *ok) {
        real *a = zi_scratch_array(&rest, real, REAL_UNROLL * nv), *tau = with_external(g, &rest, nv);
        forward(task->plan, rest, g.q, g.v, tau, a, ok);
        deliver(g.span, a, (size_t)nv, task->out);
    });
}

/* Stores only the forces and accelerations that were not given. */
zvStatus run_mixed(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const int nv = task->plan->model->nv;
    const unsigned char *given = task->given;
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *ok) {
        real *tau = fetch(&rest, g.span, task->tau, (size_t)nv), *a = fetch(&rest, g.span, task->a, (size_t)nv);
        for (int i = 0; i < REAL_UNROLL * nv && g.Q; i++) tau[i] += g.Q[i];
        mixed(task->plan, rest, given, g.q, g.v, tau, a, ok);
        for (int i = 0; i < nv; i++) {
            real *own = tau + i * REAL_UNROLL;
            for (int k = 0; k < REAL_UNROLL && g.Q; k++) own[k] -= g.Q[i * REAL_UNROLL + k];
            if (!force_given(given, i)) deliver_one(g.span, own, (size_t)i, (size_t)nv, task->tau);
            if (!given || given[i] != ZV_GIVEN_ACCELERATION)
                deliver_one(g.span, a + i * REAL_UNROLL, (size_t)i, (size_t)nv, task->a);
        }
    });
}

/* Groups whose matrices are kept until they are streamed: then as many lines of the cache follow each other. */
enum { KEPT = 2 };

/* Where the matrices of a question go: to the caller as they are found, or to scratch memory: a last group with fewer
 * states, states one after the other, and more results than caches hold. */
struct Keep {
    lane *room;
    size_t nv, groups, pitch; /* groups that are kept */
};
Keep keep_for(const ziLaneTask *task, ziScratch *scratch) {
    const size_t nv = (size_t)task->plan->model->nv, groups = task->stream && !task->by_state ? KEPT : 1;
    return {(lane *)zi_scratch_array(scratch, real, groups * REAL_UNROLL * nv * nv), nv, groups, groups * GROUP};
}
/* The place of a group among those that are kept; first: of the range it belongs to. */
size_t kept_before(const Keep &k, const Group &g, size_t first) { return (g.span.first - first) / GROUP % k.groups; }
Matrix matrix(const ziLaneTask *task, const Group &g, const Keep &k, size_t first) {
    if (g.span.direct()) return {(lane *)task->out + g.span.first, k.nv * g.span.stride, g.span.stride};
    return {k.room + kept_before(k, g, first) * GROUP, k.nv * k.pitch, k.pitch};
}
void deliver_matrix(const ziLaneTask *task, const Group &g, const Keep &k, size_t first, size_t end) {
    if (g.span.direct()) return;
    const size_t kept = kept_before(k, g, first);
    if (kept + 1 < k.groups && g.span.end < end) return;
    const Piece piece = {k.room, k.pitch, (kept + 1) * GROUP, g.span.first - kept * GROUP};
    deliver_pieces(g.span, &piece, 1, k.nv * k.nv, task->out);
}

zvStatus run_mass(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const Keep keep = keep_for(task, &scratch);
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *) {
        mass(task->plan, rest, g.q, matrix(task, g, keep, first));
        deliver_matrix(task, g, keep, first, end);
    });
}

/* Matrices of slots in scratch memory, as many as the caller wants; */
struct Matrices {
    real *X[REAL_UNROLL][3];
    bool together;
};
/* of one slot at a time, or, where they are streamed, of all of a group. */
Matrices matrices(const ziLaneTask *task, ziScratch *scratch, void *const by[3], bool all) {
    const size_t nv = (size_t)task->plan->model->nv;
    Matrices to = {};
    to.together = task->stream && !task->by_state;
    for (int k = 0; k < REAL_UNROLL; k++)
        for (int i = 0; i < 3; i++) {
            if (k > 0 && !to.together)
                to.X[k][i] = to.X[0][i];
            else if (by[i] || (i == 2 && all))
                to.X[k][i] = zi_scratch_array(scratch, real, nv * nv);
        }
    return to;
}
/* After each slot. */
void deliver_matrices(const ziLaneTask *task, const Group &g, void *const by[3], int slot, const Matrices &from) {
    const size_t nv = (size_t)task->plan->model->nv;
    for (int i = 0; i < 3; i++) {
        Piece piece[REAL_UNROLL];
        if (!by[i] || (from.together && slot < REAL_UNROLL - 1)) continue;
        for (int k = 0; k < REAL_UNROLL; k++) piece[k] = piece_of_slot(g.span, k, from.X[k][i]);
        if (from.together)
            deliver_pieces(g.span, piece, REAL_UNROLL, nv * nv, by[i]);
        else if (piece[slot].state < g.span.end)
            deliver_pieces(g.span, &piece[slot], 1, nv * nv, by[i]);
    }
}

/* By sweeps, slot by slot: long paths. */
zvStatus minv_by_sweeps(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const zvModel *m = task->plan->model;
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *ok) {
        void *const by[3] = {NULL, NULL, task->out};
        const Matrices to = matrices(task, &rest, by, false);
        FOR_UNROLL(k) {
            if (g.span.reaches(k)) ok[k] &= by_sweeps(m, rest, g.q, k, NULL, NULL, to.X[k][2]);
            deliver_matrices(task, g, by, k, to);
        }
    });
}

zvStatus run_minv(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    if (in_derive::zi_derived_by_sweeps(task->plan->model)) return minv_by_sweeps(task, scratch, first, end);
    const Keep keep = keep_for(task, &scratch);
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *ok) {
        minv(task->plan, rest, g.q, matrix(task, g, keep, first), ok);
        deliver_matrix(task, g, keep, first, end);
    });
}

/* Results in the caller's array, or in scratch memory, likewise. */
Goal goal(const ziLaneTask *task, const Group &g, real *room) {
    if (room) return {(lane *)room, GROUP};
    return {(lane *)task->out + g.span.first, g.span.stride};
}

zvStatus run_pose(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *) {
        real *room = g.span.direct() ? NULL : zi_scratch_array(&rest, real, REAL_UNROLL * 12);
        pose(task, rest, g.q, goal(task, g, room));
        if (room) deliver(g.span, room, 12, task->out);
    });
}

/* Jacobian of a frame: straight to the caller for a whole group without coupled joints, else through scratch memory,
 * where coupled columns are contracted. */
zvStatus run_jacobian(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const zvModel *m = task->plan->model;
    const size_t size = 6 * (size_t)m->nv;
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *) {
        const bool direct = g.span.direct() && !m->coupling.count;
        const real *tq = zi_tree_q(m, &rest, g.q);
        real *T = direct ? NULL : zi_scratch_array(&rest, real, 6 * REAL_UNROLL * m->tree.nv), *J = T;
        if (m->coupling.count) J = zi_scratch_array(&rest, real, REAL_UNROLL * size);
        tree_jacobian(task, rest, tq, goal(task, g, T));
        if (direct) return;
        zi_contract_columns(m, 6, T, J);
        deliver(g.span, J, size, task->out);
    });
}

/* What is differentiated, in tree coordinates; x: a, or forces. */
Motion motion_in(const zvModel *m, ziScratch *scratch, const Group &g, const real *x, World *world) {
    Motion at = {zi_tree_q(m, scratch, g.q), zi_tree_v(m, scratch, g.v), zi_tree_v(m, scratch, x), g.fext, world};
    if (g.fext) *world = see(&m->tree, scratch, all_bodies(&m->tree, scratch), at.q);
    return at;
}

/* d tau/d (q, v, a), slot by slot: the matrices of one slot at a time are kept in scratch memory. */
zvStatus run_inverse_derivatives(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const zvModel *m = task->plan->model;
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *) {
        World world;
        const Motion at = motion_in(m, &rest, g, g.x, &world);
        const Matrices to = matrices(task, &rest, task->by, false);
        FOR_UNROLL(k) {
            if (g.span.reaches(k)) inverse_derivatives(m, rest, &at, k, to.X[k]);
            deliver_matrices(task, g, task->by, k, to);
        }
    });
}

/* d a/d (q, v, tau), slot by slot, and a: solved for beforehand where zi_derived_apart(), else found along with the
 * derivatives. M^-1 is needed even when it is not wanted. */
zvStatus run_forward_derivatives(const ziLaneTask *task, ziScratch scratch, size_t first, size_t end) {
    const zvModel *m = task->plan->model;
    const size_t nv = (size_t)m->nv;
    return each(task, scratch, first, end, [=](const Group &g, ziScratch rest, real_ok *ok) {
        World world;
        real *a = zi_scratch_array(&rest, real, REAL_UNROLL * nv);
        if (in_derive::zi_derived_apart(m)) {
            real *tau = with_external(g, &rest, m->nv);
            forward(task->plan, rest, g.q, g.v, tau, a, ok);
        }
        const Motion at = motion_in(m, &rest, g, in_derive::zi_derived_apart(m) ? a : g.x, &world);
        const Matrices to = matrices(task, &rest, task->by, true);
        FOR_UNROLL(k) {
            if (g.span.reaches(k))
                ok[k] &= in_derive::zi_derived_by_sweeps(m) ? derivatives_by_sweeps(m, rest, &at, k, to.X[k])
                         : in_derive::zi_derived_apart(m)   ? derivatives_apart(task->plan, rest, &at, k, to.X[k])
                                                            : derivatives_at_once(m, rest, &at, k, a, to.X[k]);
            deliver_matrices(task, g, task->by, k, to);
        }
        if (task->out) deliver(g.span, a, nv, task->out);
    });
}
} // namespace

extern "C" {
extern const ziLanes ZI_KERNEL(zi_lanes);
const ziLanes ZI_KERNEL(zi_lanes) = {REAL_BYTES,
                                     GROUP,
                                     {run_inverse, run_inverse, /* bias: without accelerations */
                                      run_forward, run_mixed, run_mass, run_minv, run_pose, run_jacobian,
                                      run_inverse_derivatives, run_forward_derivatives}};
}
