/* The springs, dampers and friction that the model's joints carry. A coupled mimic joint moves with its master,
 * q = ratio q_master + offset, so its elements act there: a force f of the joint is ratio f on the master. */
#include <math.h>

#include "actuate/passive.h"

/* The joint a joint follows in the end, and the law that leads there. */
typedef struct Follow {
    int dof; /* first of the master */
    double ratio, offset;
} Follow;

static Follow follow(const zvModel *model, int joint) {
    Follow f = {.ratio = 1};
    zvJointPlace place = zv_model_joint_place(model, joint);
    while (place.mimic >= 0) {
        const zvJoint *j = zv_model_joint(model, joint);
        f.offset += f.ratio * j->offset;
        f.ratio *= j->ratio;
        joint = place.mimic;
        place = zv_model_joint_place(model, joint);
    }
    f.dof = place.v_index;
    return f;
}

static zvStatus add(zvDrives *d, const zvDof *own, const char *label, int dof, Follow law, double smoothing,
                    zvError *error) {
    double ratio = fabs(law.ratio);
    zvStatus status = ZV_OK;
    if (own->stiffness != 0) {
        ziSpringData spring = {ratio * ratio * own->stiffness, (own->rest - law.offset) / law.ratio};
        status = zi_add_spring(d, "spring", label, dof, spring, error);
    }
    if (status == ZV_OK && own->damping != 0)
        status = zi_add_damper(d, "damper", label, dof, ratio * ratio * own->damping, error);
    if (status == ZV_OK && own->friction != 0) {
        double force = ratio * own->friction;
        zvFriction friction = {.coulomb = {force, force}, .smoothing = smoothing / ratio};
        status = zi_add_friction(d, "friction", label, dof, &friction, error);
    }
    return status;
}

zvStatus zv_drives_add_passive(zvDrives *d, double smoothing, const unsigned char *skip, zvError *error) {
    for (int j = 0; j < zv_model_njoint(d->model); j++) {
        const zvJoint *joint = zv_model_joint(d->model, j);
        bool follows = zv_model_joint_place(d->model, j).mimic >= 0;
        Follow law = follow(d->model, j);
        if (law.ratio == 0) continue; /* it never moves */
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) {
            int dof = law.dof + k;
            if (!follows && skip && skip[dof]) continue;
            zvStatus status = add(d, &joint->dof[k], follows ? joint->name : NULL, dof, law, smoothing, error);
            if (status < 0) return status;
        }
    }
    return zi_add_passive_loops(d, error);
}
