/* Units in which conditions and velocities of robots of any size can be compared: turns. */
#include <math.h>

#include "loops/ends.h"
#include "loops/reduction.h"
#include "work/coupling.h"

/* Whether velocity k of a body's joint, or of its elastic coordinates behind them, is that of a length. */
static bool is_length(const ziBody *body, int k) {
    if (k >= body->nv) return true;
    switch (body->type) {
    case ZV_JOINT_PRISMATIC:
    case ZV_JOINT_CURVE: return true;
    case ZV_JOINT_CYLINDRICAL: return k < 1;
    case ZV_JOINT_PLANAR: return k < 2;
    case ZV_JOINT_FREE: return k < 3;
    default: return false;
    }
}

static double reach_of(const ziTree *t, int dof) {
    const ziBody *body = &t->body[t->dof_body[dof]];
    return is_length(body, dof - body->v) ? 1 / t->closed->size : 1;
}

double zi_velocity_reach(const zvModel *m, int i) { return reach_of(&m->tree, m->coupling.own_v[i]); }

static double coupling_unit(const ziTree *t, const ziConstraint *constraint) {
    double most = 0;
    for (int k = 0; k < constraint->terms; k++)
        most = fmax(most, fabs(constraint->term[k].ratio) / reach_of(t, constraint->term[k].v));
    return most > 0 ? 1 / most : 1;
}

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
