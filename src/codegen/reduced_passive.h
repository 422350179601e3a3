/* Springs, viscous and dry friction of the joints, for generated code (zveno/passive.h). C++. */
#ifndef ZI_CODEGEN_REDUCED_PASSIVE_H
#define ZI_CODEGEN_REDUCED_PASSIVE_H

#include "model/coordinate.h"
#include "model/reduced.h"
#include "real/trace.h"

/* tau += sign p, in coordinates of the model; nothing when the robot is to have none. */
static inline void reduced_add_passive(const ziReduced *reduced, const real *q, const real *v, double sign, real *tau) {
    const zvModel *m = reduced->model;
    for (int j = 0; j < zv_model_njoint(m) && reduced->smoothing > 0; j++) {
        for (int k = 0; k < zv_joint_type_nv(zv_model_joint(m, j)->type); k++) {
            const ziDofPassive p = zi_joint_passive(m, j, k);
            if (p.stiffness != 0) tau[p.dof] -= sign * p.stiffness * (q[p.coordinate] - p.rest);
            if (p.damping != 0) tau[p.dof] -= sign * p.damping * v[p.dof];
            if (p.friction != 0) tau[p.dof] -= sign * p.friction * tanh(v[p.dof] * (p.swiftness / reduced->smoothing));
        }
    }
}

#endif
