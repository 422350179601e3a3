/* A controller without a heap: the workspace and a private copy of the model lie in memory of its own, and when the
 * hand takes a box up, the inertia of its link is changed between two cycles. Needs the core alone. */
#include <math.h>
#include <stdio.h>

#include "zveno/core.h"

enum { JOINTS = 3 };

static _Alignas(ZV_ALIGNMENT) unsigned char copy_memory[1 << 16], work_memory[1 << 18];

/* An arm of three rods that hangs from the ground and turns about y. */
static zvStatus build(zvModel **model, zvError *error) {
    static const char *const names[JOINTS + 1] = {"base", "upper", "lower", "hand"};
    zvBuilder *builder = zv_builder_create(error);
    zvStatus status = builder ? ZV_OK : ZV_MEMORY;
    for (int i = 0; i <= JOINTS && status >= 0; i++) {
        zvLink link = zv_link_default(names[i]);
        if (i) link.inertia = (zvInertia){.mass = 2, .com = {0.2, 0, 0}, .moment = {0.001, 0, 0, 0.03, 0, 0.03}};
        status = zv_builder_add_link(builder, &link, error);
        if (!i || status < 0) continue;
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_REVOLUTE, names[i - 1], names[i]);
        joint.axis[1] = 1, joint.axis[2] = 0;
        joint.origin.p[0] = i > 1 ? 0.4 : 0;
        status = zv_builder_add_joint(builder, &joint, error);
    }
    if (status >= 0) status = zv_builder_freeze(builder, model, error);
    zv_builder_destroy(builder);
    return status;
}

/* The hand with a box of 5 kg, 0.1 m beyond its end. */
static zvInertia loaded(const zvInertia *hand) {
    const double box = 5, at = 0.5, mass = hand->mass + box, com = (hand->mass * hand->com[0] + box * at) / mass;
    const double apart = at - hand->com[0], steiner = hand->mass * box / mass * apart * apart,
                 own = box * 0.1 * 0.1 / 6;
    const double *J = hand->moment;
    return (zvInertia){mass, {com, 0, 0}, {J[0] + own, 0, 0, J[3] + own + steiner, 0, J[5] + own + steiner}};
}

int main(void) {
    zvError error = {0};
    zvModel *model = NULL, *mine = NULL;
    zvWork *work = NULL;
    if (build(&model, &error) < 0 || zv_model_copy_init(copy_memory, sizeof copy_memory, model, &mine, &error) < 0 ||
        zv_work_init(work_memory, sizeof work_memory, mine, &work, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const int hand = zv_model_find_frame(mine, "hand");
    const zvInertia empty = zv_model_link_inertia(mine, hand), full = loaded(&empty);
    const double q[JOINTS] = {0, 0, 0}; /* stretched out */
    double before[JOINTS], with[JOINTS], after[JOINTS];
    zv_gravity_force(mine, work, q, before);
    if (zv_model_set_link_inertia(mine, hand, &full) < 0) return 1;
    zv_gravity_force(mine, work, q, with);
    if (zv_model_set_link_inertia(mine, hand, &empty) < 0) return 1;
    zv_gravity_force(mine, work, q, after);
    for (int i = 0; i < JOINTS; i++) {
        const double lever = 0.4 * (JOINTS - 1 - i) + 0.5;
        printf("joint %d holds %8.3f N m, with the box %8.3f N m\n", i + 1, before[i], with[i]);
        if (fabs(with[i] - before[i] + 5 * 9.81 * lever) > 1e-12 * 100 || fabs(after[i] - before[i]) > 1e-13) return 1;
    }
    zv_model_destroy(model); /* the copy and the workspace need no ending */
    return 0;
}
