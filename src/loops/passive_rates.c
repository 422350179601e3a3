/* Passive forces along a motion with their derivatives by time: what inverse dynamics of motors needs (flexible.h). */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "loops/passive.h"
#include "model/coordinate.h"
#include "model/joint_type.h"
#include "model/tree.h"
#include "zveno/passive.h"

static double entry(const double *x, int i) { return x ? x[i] : 0; }

/* Dry friction -f tanh u with u = v swiftness/smoothing; the bare sign of v has no derivative but at its jump. */
static void add_dry(const ziDofPassive *own, double smoothing, const double v[3], double *const p[3]) {
    if (own->friction == 0) return;
    if (!(smoothing > 0)) {
        const double rate = own->swiftness * v[0];
        p[0][own->dof] -= own->friction * ((rate > 0) - (rate < 0));
        return;
    }
    const double scale = own->swiftness / smoothing, t = tanh(scale * v[0]), slope = 1 - t * t;
    const double rate = scale * v[1];
    p[0][own->dof] -= own->friction * t;
    p[1][own->dof] -= own->friction * slope * rate;
    p[2][own->dof] -= own->friction * slope * (scale * v[2] - 2 * t * rate * rate);
}

/* Matrices of joints without a quaternion: both forces are linear. */
static void add_matrices(const zvModel *m, int j, const double *q, const double *const x[4], double *const p[3]) {
    const ziJointSpring s = zi_joint_spring_of(m, j);
    const zvJointPlace place = m->joint_places[j];
    double F[ZV_MAX_DOF], T[ZV_MAX_DOF * ZV_MAX_DOF];
    if (s.sprung) {
        zi_joint_spring_force(&s, q + place.q_index, F);
        zi_joint_spring_tangent(&s, q + place.q_index, T);
        for (int i = 0; i < s.n; i++) {
            p[0][place.v_index + i] += F[i];
            for (int order = 1; order < 3; order++)
                for (int k = 0; k < s.n; k++)
                    p[order][place.v_index + i] -= T[s.n * i + k] * entry(x[order], place.v_index + k);
        }
    }
    for (int order = 0; s.damped && order < 3; order++) {
        if (!x[order + 1]) continue;
        zi_joint_damper_force(&s, x[order + 1] + place.v_index, F);
        for (int i = 0; i < s.n; i++) p[order][place.v_index + i] += F[i];
    }
}

/* Joint after joint; what has a quaternion or stands in a loop has no rates here. */
zvStatus zv_passive_rates(const zvModel *m, const double *q, const double *v, const double *a, const double *jerk,
                          double smoothing, double *const p[3]) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq) && p && smoothing >= 0);
    const double *const x[4] = {q, v, a, jerk};
    if (m->nloop > 0) return ZV_NOT_SUPPORTED;
    for (int j = 0; j < m->njoint; j++) {
        const ziJointSpring s = zi_joint_spring_of(m, j);
        if (s.sprung && zi_joint_has_quaternion(m->joints[j].type)) return ZV_NOT_SUPPORTED;
    }
    for (int k = 0; k < 3; k++) memset(p[k], 0, (size_t)m->nv * sizeof *p[k]);
    for (int j = 0; j < m->njoint; j++) {
        for (int k = 0; k < zv_joint_type_nv(m->joints[j].type); k++) {
            const ziDofPassive own = zi_joint_passive(m, j, k);
            const double rates[3] = {entry(v, own.dof), entry(a, own.dof), entry(jerk, own.dof)};
            const double stretch = own.stiffness != 0 ? q[own.coordinate] - own.rest : 0;
            const double moved[3] = {stretch, rates[0], rates[1]};
            for (int i = 0; i < 3; i++) p[i][own.dof] -= own.stiffness * moved[i] + own.damping * rates[i];
            add_dry(&own, smoothing, rates, p);
        }
        add_matrices(m, j, q, x, p);
    }
    return ZV_OK;
}
