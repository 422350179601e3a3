/* The scenario of an MJCF file: the reader writes it, dynamics tells what damping ratios refer to. */
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "read/mjcf_scenario.h"
#include "zveno/dynamics.h"
#include "zveno/simulate.h"

/* M at the positions of the joints by name. */
static zvStatus fill_diagonal(const zvModel *model, int count, const char *const *joints, const double *q,
                              double *diagonal, zvError *error) {
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    double *position = calloc(nq + nv * nv + 1, sizeof *position), *M = position ? position + nq : NULL;
    zvWork *work = position ? zv_work_create(model, error) : NULL;
    zvStatus status = work ? ZV_OK : zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for a mass matrix");
    if (work) {
        zv_neutral(model, position);
        for (int i = 0; i < count; i++) {
            const zvJointPlace place = zv_model_joint_place(model, zv_model_find_joint(model, joints[i]));
            memcpy(position + place.q_index, q + 7 * i, (size_t)place.nq * sizeof *q);
        }
        zv_mass_matrix(model, work, position, M);
        for (int i = 0; i < count; i++) {
            const int v = zv_model_joint_place(model, zv_model_find_joint(model, joints[i])).v_index;
            diagonal[i] = M[(size_t)v * nv + (size_t)v];
        }
    }
    zv_work_destroy(work);
    free(position);
    return status;
}

/* Joints that follow have an inertia of their own. */
static zvStatus mass_diagonal(zvBuilder *builder, int count, const char *const *joints, const double *q,
                              double *diagonal, zvError *error) {
    zvModel *model = NULL;
    zv_builder_set_mimic_coupled(builder, false);
    zvStatus status = zv_builder_freeze(builder, &model, error);
    zv_builder_set_mimic_coupled(builder, true);
    if (status >= 0) status = fill_diagonal(model, count, joints, q, diagonal, error);
    zv_model_destroy(model);
    return status;
}

zvStatus zv_scenario_of_mjcf(const char *path, const char *model, const char *key, zvTextSink sink, void *context,
                             zvLossSink lost, void *lost_context, zvError *error) {
    ZI_REQUIRE(path && model && sink);
    return zi_mjcf_scenario(path, model, key, mass_diagonal, sink, context, lost, lost_context, error);
}
