/* Springs, viscous and dry friction of the joints, for generated code (zveno/passive.h). C++. */
#ifndef ZI_CODEGEN_REDUCED_PASSIVE_H
#define ZI_CODEGEN_REDUCED_PASSIVE_H

#include "model/coordinate.h"
#include "model/joint_spring.h"
#include "model/reduced.h"
#include "real/trace.h"

/* Matrices; zv_codegen has refused those that need a rotation vector. */
static inline void reduced_add_matrices(const zvModel *m, int joint, const real *q, const real *v, double sign,
                                        real *tau) {
    const ziJointSpring s = zi_joint_spring_of(m, joint);
    const zvJointPlace at = zv_model_joint_place(m, joint);
    for (int i = 0; i < s.n; i++) {
        for (int k = 0; k < s.n; k++) {
            const double stiffness = s.K[i * s.n + k], damping = s.D[i * s.n + k];
            if (stiffness != 0) tau[at.v_index + i] -= sign * stiffness * (q[at.q_index + k] - s.rest[k]);
            if (damping != 0) tau[at.v_index + i] -= sign * damping * v[at.v_index + k];
        }
    }
}

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
        reduced_add_matrices(m, j, q, v, sign, tau);
    }
}

#endif
