/* What the joints of a model bring to a state of rest. */
#include <string.h>

#include "zveno/modes.h"

/* The degree of freedom that a joint's first one follows in the end: q = ratio q_master + offset. */
typedef struct Follow {
    int dof;
    double ratio, offset;
} Follow;

static Follow follow(const zvModel *model, int joint) {
    Follow f = {.ratio = 1};
    zvJointPlace place = zv_model_joint_place(model, joint);
    for (; place.mimic >= 0; place = zv_model_joint_place(model, joint)) {
        const zvJoint *own = zv_model_joint(model, joint);
        f.offset += f.ratio * own->offset;
        f.ratio *= own->ratio;
        joint = place.mimic;
    }
    f.dof = place.v_index;
    return f;
}

/* stiffness (ratio q + offset - rest) ratio, as one spring with what is there already. */
static void add_spring(const Follow *f, const zvDof *own, double *stiffness, double *relaxed) {
    const double k = f->ratio * f->ratio * own->stiffness, sum = *stiffness + k;
    if (!(k > 0)) return;
    *relaxed = (*stiffness * *relaxed + k * (own->rest - f->offset) / f->ratio) / sum;
    *stiffness = sum;
}

void zv_joint_springs(const zvModel *model, double *stiffness, double *relaxed, double *damping) {
    const size_t bytes = (size_t)zv_model_nv(model) * sizeof(double);
    memset(stiffness, 0, bytes);
    memset(relaxed, 0, bytes);
    memset(damping, 0, bytes);
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        const Follow f = follow(model, j);
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) {
            const int dof = f.dof + k;
            add_spring(&f, &joint->dof[k], &stiffness[dof], &relaxed[dof]);
            damping[dof] += f.ratio * f.ratio * joint->dof[k].damping;
        }
    }
}

void zv_joints_held(const zvModel *model, unsigned char *held) {
    memset(held, 1, (size_t)zv_model_nv(model));
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        memset(held + place.v_index, 0, (size_t)place.count);
    }
}
