/* Shares of the passive forces at a state, and how they are printed. */
#include "passive.h"

#include <stdlib.h>

#include "zveno/passive.h"

static const char *const share_names[PASSIVE_SHARES] = {"spring", "viscous", "dry"};

static double *share(const Case *at, int k) { return at->passive + (size_t)k * (size_t)zv_model_nv(at->model); }

static bool dof_is_passive(const zvDof *dof) { return dof->stiffness != 0 || dof->damping != 0 || dof->friction != 0; }

/* Whether any joint, of the tree or of a loop, has something to add. */
static bool has_passive(const zvModel *model) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++)
            if (dof_is_passive(&joint->dof[k])) return true;
        if (joint->stiffness_matrix || joint->damping_matrix) return true;
    }
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        for (int k = 0; loop->kind == ZV_LOOP_JOINT && k < zv_joint_type_nv(loop->type); k++)
            if (dof_is_passive(&loop->dof[k])) return true;
        if (loop->kind == ZV_LOOP_JOINT && (loop->stiffness_matrix || loop->damping_matrix)) return true;
    }
    return false;
}

/* The smoothing is of no use alone; a robot without any passive force is told. */
Code passive_prepare(Case *at) {
    if (!(at->args->given & OPTION_PASSIVE))
        return at->args->given & OPTION_SMOOTHING
                   ? complain(CODE_USAGE,
                              "expected --passive beside --smoothing, found none; friction acts with --passive only")
                   : CODE_DONE;
    if (!has_passive(at->model))
        remark("the joints of this robot have no springs, damping or friction: --passive adds nothing");
    at->passive = calloc((PASSIVE_SHARES + 1) * (size_t)zv_model_nv(at->model) + 1, sizeof *at->passive);
    return at->passive ? CODE_DONE : complain_memory();
}

void passive_find(Case *at) {
    if (!at->passive) return;
    zv_passive_forces(at->model, at->work, at->state->q, at->state->v, at->args->smoothing, share(at, 0), share(at, 1),
                      share(at, 2));
    double *sum = share(at, PASSIVE_SHARES);
    for (int i = 0; i < zv_model_nv(at->model); i++) sum[i] = share(at, 0)[i] + share(at, 1)[i] + share(at, 2)[i];
}

const double *passive_sum(const Case *at) { return at->passive ? share(at, PASSIVE_SHARES) : NULL; }

void passive_add(const Case *at, double scale, double *to) {
    const double *sum = passive_sum(at);
    for (int i = 0; sum && i < zv_model_nv(at->model); i++) to[i] += scale * sum[i];
}

void passive_json(const Case *at, Json *json) {
    if (!at->passive) return;
    json_key(json, "passive"), json_map(json, JSON_BLOCK);
    for (int k = 0; k < PASSIVE_SHARES; k++) {
        json_key(json, share_names[k]);
        json_numbers(json, share(at, k), (size_t)zv_model_nv(at->model));
    }
    json_end(json);
}

size_t passive_columns(const Case *at, DofColumn *columns, size_t count) {
    for (int k = 0; at->passive && k < PASSIVE_SHARES; k++)
        columns[count++] = (DofColumn){.name = share_names[k], .quantity = QUANTITY_FORCE, .values = share(at, k)};
    return count;
}
