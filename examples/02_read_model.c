/* Reads a robot file (URDF or native) given as argument, lists its joints and computes what holds it against gravity.
 */
#include <stdio.h>
#include <stdlib.h>

#include "zveno/zveno.h"

static void list_joints(const zvModel *model, const double *g) {
    printf("%s: %d links, mass %.3f kg, nq %d, nv %d\n", zv_model_name(model), zv_model_nlink(model),
           zv_model_mass(model), zv_model_nq(model), zv_model_nv(model));
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJoint *joint = zv_model_joint(model, i);
        zvJointPlace place = zv_model_joint_place(model, i);
        printf("  %-20s %-12s", joint->name, zv_joint_type_word(joint->type));
        for (int k = 0; k < place.nv; k++) printf(" %12.6f", g[place.v_index + k]);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    zvError error = {0};
    zvModel *model = NULL;
    char line[1024];
    if (argc != 2) {
        fprintf(stderr, "usage: %s ROBOT_FILE\n", argv[0]);
        return 2;
    }
    if (zv_model_read(argv[1], &model, &error) < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, line, sizeof line));
        return 1;
    }
    zvWork *work = zv_work_create(model, &error);
    double *q = calloc((size_t)zv_model_nq(model) + 1, sizeof *q);
    double *g = calloc((size_t)zv_model_nv(model) + 1, sizeof *g);
    if (!work || !q || !g) return 1;

    zv_neutral(model, q);
    zv_gravity_force(model, work, q, g);
    printf("generalised forces that hold the robot in its neutral position, N m or N\n");
    list_joints(model, g);

    free(q);
    free(g);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return 0;
}
