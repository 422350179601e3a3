/* Derivatives of trees with elastic links, exact: Newton-Euler on numbers with slopes, four columns at a time, O(n^2).
 */
#include "derive/elastic.h"

#include <string.h>

#include "derive/tangents.h"
#include "dynamics/external.h"
#include "linalg/ltdl.h"
#include "work/coupling.h"
#include "zveno/dynamics.h"
#include "zveno/flexible.h"
#include "zveno/kinematics.h"

enum { AT_ONCE = ZI_TANGENTS_AT_ONCE };

/* The state in coordinates of the tree, and arrays of one call. */
typedef struct ElasticSlopes {
    const zvModel *m;
    zvWork below;    /* the scratch memory that is left */
    const double *q; /* of the model */
    const double *tq, *tv, *ta, *wrenches, *fext;
    double *dq, *dv, *dfext, *tau; /* AT_ONCE each */
    double *unit, *step, *force;   /* nq, nv, nv of the model */
    double *motions;               /* nlink x 6 */
    zvPose *poses;
    void *memory;
} ElasticSlopes;

/* All arrays from scratch memory, the slopes' own last. */
static ElasticSlopes open_elastic(const zvModel *m, const zvWork *work, ziScratch scratch, const double *q,
                                  const double *v, const double *a, const double *fext) {
    const ziTree *t = &m->tree;
    const size_t external = (size_t)(6 * t->nb + t->ne);
    ElasticSlopes s = {.m = m, .below = *work, .q = q, .fext = fext};
    double *zeros = zi_scratch_doubles(&scratch, (size_t)m->nv);
    memset(zeros, 0, (size_t)m->nv * sizeof *zeros);
    s.tq = zi_tree_q(m, &scratch, q);
    s.tv = zi_tree_v(m, &scratch, v ? v : zeros);
    s.ta = zi_tree_v(m, &scratch, a ? a : zeros);
    s.wrenches = zi_body_wrenches(m, &scratch, s.tq, fext);
    s.dq = zi_scratch_doubles(&scratch, AT_ONCE * (size_t)t->nq);
    s.dv = zi_scratch_doubles(&scratch, AT_ONCE * (size_t)t->nv);
    s.tau = zi_scratch_doubles(&scratch, AT_ONCE * (size_t)t->nv);
    s.dfext = fext ? zi_scratch_doubles(&scratch, AT_ONCE * external) : NULL;
    s.unit = zi_scratch_doubles(&scratch, (size_t)m->nq);
    s.step = zi_scratch_doubles(&scratch, (size_t)m->nv);
    s.force = zi_scratch_doubles(&scratch, (size_t)m->nv);
    s.motions = zi_scratch_doubles(&scratch, 6 * (size_t)m->nlink);
    s.poses = zi_scratch_take(&scratch, (size_t)m->nlink * sizeof *s.poses);
    s.memory = zi_scratch_take(&scratch, zi_tangents_bytes(t));
    s.below.scratch = scratch;
    return s;
}

/* Levers of forces on links turn with them: (w x d) x f, of the unit velocity in step. */
static void turn_levers(ElasticSlopes *s, double *dfext) {
    const zvModel *m = s->m;
    memset(dfext, 0, (size_t)(6 * m->tree.nb + m->tree.ne) * sizeof *dfext);
    zv_link_motions(m, &s->below, s->q, s->step, s->poses, s->motions);
    for (int i = 0; i < m->nlink; i++) {
        const ziLinkPlace *place = &m->link_places[i];
        const double *w = s->motions + 6 * i + 3, *f = s->fext + 6 * i, *R = s->poses[i].R, *P = place->pose.R;
        double own[3], d[3], wd[3], *to = dfext + 6 * place->body + 3;
        for (int k = 0; k < 3; k++) /* the place in the body, seen from the link: P^T p; then into the world */
            own[k] = P[k] * place->pose.p[0] + P[3 + k] * place->pose.p[1] + P[6 + k] * place->pose.p[2];
        for (int k = 0; k < 3; k++) d[k] = R[3 * k] * own[0] + R[3 * k + 1] * own[1] + R[3 * k + 2] * own[2];
        for (int k = 0; k < 3; k++) wd[k] = w[(k + 1) % 3] * d[(k + 2) % 3] - w[(k + 2) % 3] * d[(k + 1) % 3];
        for (int k = 0; k < 3; k++) to[k] += wd[(k + 1) % 3] * f[(k + 2) % 3] - wd[(k + 2) % 3] * f[(k + 1) % 3];
    }
}

/* Direction k of a call: along velocity `dof` of the model, of positions or of velocities. */
static void aim(ElasticSlopes *s, int k, int dof, bool positions) {
    const zvModel *m = s->m;
    const ziCoupling *c = &m->coupling;
    double *dq = s->dq + k * m->tree.nq, *dv = s->dv + k * m->tree.nv;
    memset(s->step, 0, (size_t)m->nv * sizeof *s->step);
    s->step[dof] = 1;
    zv_position_rate(m, s->q, s->step, s->unit);
    for (int i = 0; i < m->tree.nq; i++)
        dq[i] = !positions ? 0 : c->count ? c->q_ratio[i] * s->unit[c->q_master[i]] : s->unit[i];
    for (int i = 0; i < m->tree.nv; i++)
        dv[i] = positions ? 0 : c->count ? c->v_ratio[i] * s->step[c->v_master[i]] : s->step[i];
    double *dfext = s->dfext ? s->dfext + (size_t)k * (size_t)(6 * m->tree.nb + m->tree.ne) : NULL;
    if (dfext && positions) turn_levers(s, dfext);
    if (dfext && !positions) memset(dfext, 0, (size_t)(6 * m->tree.nb + m->tree.ne) * sizeof *dfext);
}

/* Column `dof` of X, with what the stiffness or damping of the links adds. */
static void put_elastic_column(ElasticSlopes *s, int k, int dof, bool positions, double *X) {
    const zvModel *m = s->m;
    const size_t nv = (size_t)m->nv;
    zi_contract(m, s->tau + k * m->tree.nv, s->force);
    for (size_t i = 0; i < nv; i++) X[i * nv + (size_t)dof] = s->force[i];
    memset(s->step, 0, nv * sizeof *s->step);
    s->step[dof] = 1;
    zv_position_rate(m, s->q, s->step, s->unit);
    if (!positions) memset(s->unit, 0, (size_t)m->nq * sizeof *s->unit);
    zv_elastic_force(m, s->unit, positions ? NULL : s->step, s->force);
    for (size_t i = 0; i < nv; i++) X[i * nv + (size_t)dof] += s->force[i];
}

/* First by positions, then by velocities; M by its own kernel. */
zvStatus zi_derive_elastic(const zvModel *m, const zvWork *work, ziScratch scratch, const double *q, const double *v,
                           const double *a, const double *fext, double *const X[3]) {
    if (!zi_tangents_there()) return ZV_NOT_SUPPORTED;
    ElasticSlopes s = open_elastic(m, work, scratch, q, v, a, fext);
    for (int part = 0; part < 2; part++) {
        for (int first = 0; X[part] && first < m->nv; first += AT_ONCE) {
            const int count = m->nv - first < AT_ONCE ? m->nv - first : AT_ONCE;
            const ziDirections directions = {count, s.dq, s.dv};
            for (int k = 0; k < count; k++) aim(&s, k, first + k, part == 0);
            zi_tangents_inverse(&m->tree, s.memory, s.tq, s.tv, s.ta, s.wrenches, s.dfext, &directions, s.tau);
            for (int k = 0; k < count; k++) put_elastic_column(&s, k, first + k, part == 0, X[part]);
        }
    }
    if (X[2]) zv_mass_matrix(m, &s.below, q, X[2]);
    return ZV_OK;
}

/* X := - M^-1 X, column by column. */
static void answer_columns(const ElasticSlopes *s, const double *L, double *X) {
    const size_t nv = (size_t)s->m->nv;
    for (size_t k = 0; X && k < nv; k++) {
        for (size_t i = 0; i < nv; i++) s->force[i] = -X[i * nv + k];
        ltdl_solve(ltdl_dense(s->m->nv), L, s->force);
        for (size_t i = 0; i < nv; i++) X[i * nv + k] = s->force[i];
    }
}

/* Dense: elastic coordinates leave few zeros in M. */
zvStatus zi_derive_forward_elastic(const zvModel *m, const zvWork *work, ziScratch scratch, const double *q,
                                   const double *v, const double *tau, const double *fext, double *a, double *dq,
                                   double *dv, double *dtau) {
    const size_t nv = (size_t)m->nv;
    if (nv > ZI_SCRATCH_MATRIX_MAX || !zi_tangents_there()) return ZV_NOT_SUPPORTED;
    double *L = zi_scratch_doubles(&scratch, nv * nv), *least = zi_scratch_doubles(&scratch, nv);
    zvWork below = *work;
    real_ok ok = 1;
    below.scratch = scratch;
    zvStatus status = zv_forward_dynamics(m, &below, q, v, tau, fext, a);
    if (status >= 0) status = zi_derive_elastic(m, &below, scratch, q, v, a, fext, (double *[3]){dq, dv, L});
    if (status < 0) return status;
    ltdl_factor(ltdl_dense(m->nv), L, least, &ok);
    if (!ok) return ZV_SINGULAR;
    const ElasticSlopes s = {.m = m, .force = least};
    for (size_t i = 0; dtau && i < nv * nv; i++) dtau[i] = i % (nv + 1) == 0 ? -1 : 0;
    answer_columns(&s, L, dq);
    answer_columns(&s, L, dv);
    answer_columns(&s, L, dtau);
    return ZV_OK;
}
