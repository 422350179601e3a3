/* Units in which conditions and velocities of robots of any size can be compared: turns. */
#include <math.h>

#include "loops/ends.h"
#include "loops/reduction.h"
#include "work/coupling.h"

/* Whether velocity k of a body's joint, or of its elastic coordinates behind them, is that of a length. */
static bool is_length(const zvBody *body, int k) {
    if (k >= body->nv) return true;
    switch (body->type) {
    case ZV_PRISMATIC:
    case ZV_CURVE: return true;
    case ZV_CYLINDRICAL: return k < 1;
    case ZV_PLANAR: return k < 2;
    case ZV_FREE: return k < 3;
    default: return false;
    }
}

static double reach_of(const zvTree *t, int dof) {
    const zvBody *body = &t->body[t->dof_body[dof]];
    return is_length(body, dof - body->v) ? 1 / t->closed->size : 1;
}

double zv_velocity_reach(const zvModel *m, int i) { return reach_of(&m->tree, m->coupling.own_v[i]); }

static double coupling_unit(const zvTree *t, const zvTie *tie) {
    double most = 0;
    for (int k = 0; k < tie->terms; k++) most = fmax(most, fabs(tie->term[k].ratio) / reach_of(t, tie->term[k].v));
    return most > 0 ? 1 / most : 1;
}

void zv_row_units(const zvModel *m, zvWork *work, const double *q, double *unit) {
    zvDesk desk = zv_desk_of(m, work);
    const double *tq = zv_tree_q(m, &desk, q);
    for (int i = 0; i < m->nloop; i++) {
        const zvTie *tie = &m->tree.closed->tie[i];
        zvEnds ends;
        if (tie->kind == ZV_LOOP_COUPLING) {
            unit[tie->row] = coupling_unit(&m->tree, tie);
            continue;
        }
        zv_ends_at(m, desk, tie, tq, NULL, &ends);
        for (int k = 0; k < tie->rows; k++) {
            const double steep = sqrt(v3_dot(ends.now.lin[k], ends.now.lin[k]));
            unit[tie->row + k] = steep > 0 ? 1 / (steep * m->tree.closed->size) : 1;
        }
    }
}
