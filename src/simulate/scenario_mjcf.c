/* The scenario of an MJCF file: the reader writes it, dynamics tells what damping ratios refer to. */
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "read/mjcf_scenario.h"
#include "zveno/dynamics.h"
#include "zveno/simulate.h"

/* The inverse of M at the positions of the joints by name. */
static zvStatus fill_inverse(const zvModel *model, int count, const char *const *joints, const double *q,
                             double *inverse, zvError *error) {
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    double *position = calloc(nq + nv * nv + 1, sizeof *position), *Minv = position ? position + nq : NULL;
    zvWork *work = position ? zv_work_create(model, error) : NULL;
    zvStatus status = work ? ZV_OK : zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for a mass matrix");
    if (work) {
        zv_neutral(model, position);
        for (int i = 0; i < count; i++) {
            const zvJointPlace place = zv_model_joint_place(model, zv_model_find_joint(model, joints[i]));
            memcpy(position + place.q_index, q + 7 * i, (size_t)place.nq * sizeof *q);
        }
        status = zv_mass_inverse(model, work, position, Minv);
        for (int i = 0; i < count; i++) {
            const size_t row = (size_t)zv_model_joint_place(model, zv_model_find_joint(model, joints[i])).v_index;
            for (int j = 0; j < count; j++) {
                const int v = zv_model_joint_place(model, zv_model_find_joint(model, joints[j])).v_index;
                inverse[(size_t)i * (size_t)count + (size_t)j] = Minv[row * nv + (size_t)v];
            }
        }
    }
    zv_work_destroy(work);
    free(position);
    return status;
}

/* Joints that follow have an inertia of their own. */
static zvStatus mass_inverse(zvBuilder *builder, int count, const char *const *joints, const double *q, double *inverse,
                             zvError *error) {
    zvModel *model = NULL;
    zv_builder_set_mimic_coupled(builder, false);
    zvStatus status = zv_builder_freeze(builder, &model, error);
    zv_builder_set_mimic_coupled(builder, true);
    if (status >= 0) status = fill_inverse(model, count, joints, q, inverse, error);
    zv_model_destroy(model);
    return status;
}

zvStatus zv_scenario_of_mjcf(const char *path, const char *model, const char *key, zvTextSink sink, void *context,
                             zvLossSink lost, void *lost_context, zvError *error) {
    ZI_REQUIRE(path && model && sink);
    return zi_mjcf_scenario(path, model, key, mass_inverse, sink, context, lost, lost_context, error);
}
