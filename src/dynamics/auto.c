/* The choice of auto.h in words. */
#include "dynamics/auto.h"

#include <stdio.h>

static const char *obstacle_to_reduced(const zvModel *m, bool loaded) {
    return !m->tree.reduced ? "links are elastic" : loaded ? "there are external forces" : NULL;
}

static int explain_inverse(const zvModel *m, bool loaded, char *why, size_t size) {
    const char *obstacle = obstacle_to_reduced(m, loaded);
    snprintf(why, size, "%s", obstacle ? obstacle : "rigid links, no external forces: fewest operations");
    return zi_auto_inverse(m, loaded);
}

/* The row, and the length of paths that decided. */
static int explain_mass(const zvModel *m, char *why, size_t size) {
    const int row = zi_auto_mass(m), depth = m->tree.max_depth;
    if (row == ZI_ROW_mass_columns)
        snprintf(why, size, "coupled mimic joints, more than %d coordinates: no space for the tree's matrix",
                 ZI_SCRATCH_MATRIX_MAX);
    else if (row == ZI_ROW_mass_composite_reduced)
        snprintf(why, size, "rigid links, longest path %d bodies, at most %d", depth, ZI_AUTO_REDUCED_MASS_DEPTH);
    else if (!m->tree.reduced)
        snprintf(why, size, "links are elastic");
    else
        snprintf(why, size, "longest path %d bodies, more than %d: columns of a subtree go together", depth,
                 ZI_AUTO_REDUCED_MASS_DEPTH);
    return row;
}

static int explain_coupled(const zvModel *m, bool loaded, char *why, size_t size) {
    const int row = zi_auto_forward(m, loaded);
    const char *obstacle = obstacle_to_reduced(m, loaded);
    if (row == ZI_ROW_forward_mass_reduced)
        snprintf(why, size, "coupled mimic joints, %d coordinates, at most %d: dense factors", m->nv,
                 ZI_AUTO_COUPLED_DOFS);
    else
        snprintf(why, size, "coupled mimic joints%s%s: sweeps and multipliers", obstacle ? ", " : "",
                 obstacle ? obstacle : "");
    return row;
}

/* Coupled robots apart: an arm that is short enough, or what it lacks. */
static int explain_forward(const zvModel *m, bool loaded, char *why, size_t size) {
    if (m->coupling.count) return explain_coupled(m, loaded, why, size);
    const int row = zi_auto_forward(m, loaded), bodies = m->tree.nb - 1;
    const char *obstacle = obstacle_to_reduced(m, loaded);
    if (row == ZI_ROW_forward_mass_reduced_ldl)
        snprintf(why, size, "an arm of %d revolute joints, at most %d: factors take less than sweeps", bodies,
                 ZI_AUTO_ARM_BODIES);
    else if (obstacle)
        snprintf(why, size, "%s", obstacle);
    else if (!m->tree.reduced->arm)
        snprintf(why, size, "not a plain chain of revolute joints");
    else
        snprintf(why, size, "an arm of %d joints, more than %d: sweeps take less than factors", bodies,
                 ZI_AUTO_ARM_BODIES);
    return row;
}

/* The first of the limits that decided. */
static int explain_inverse_mass(const zvModel *m, char *why, size_t size) {
    const int row = zi_auto_inverse_mass(m), depth = m->tree.max_depth;
    if (m->coupling.count)
        snprintf(why, size, "coupled mimic joints: dense factors of the contracted matrix");
    else if (row == ZI_ROW_minv_articulated)
        snprintf(why, size, "longest path %d bodies, more than %d", depth, ZI_AUTO_SWEEPS_DEPTH);
    else if (row == ZI_ROW_minv_mass_reduced_ldl)
        snprintf(why, size, "rigid links, longest path %d bodies, at most %d, and %d coordinates, at most %d", depth,
                 ZI_AUTO_LDL_DEPTH, m->nv, ZI_AUTO_LDL_DOFS);
    else if (!m->tree.reduced)
        snprintf(why, size, "links are elastic");
    else if (depth > ZI_AUTO_LDL_DEPTH)
        snprintf(why, size, "longest path %d bodies, more than %d: factors by whole rows", depth, ZI_AUTO_LDL_DEPTH);
    else
        snprintf(why, size, "%d coordinates, more than %d: factors by whole rows", m->nv, ZI_AUTO_LDL_DOFS);
    return row;
}

int zi_auto_row(zvQuestion question, const zvModel *m, bool loaded, char *why, size_t size) {
    switch (question) {
    case ZV_QUESTION_MASS: return explain_mass(m, why, size);
    case ZV_QUESTION_INVERSE: return explain_inverse(m, loaded, why, size);
    case ZV_QUESTION_FORWARD: return explain_forward(m, loaded, why, size);
    case ZV_QUESTION_INVERSE_MASS: return explain_inverse_mass(m, why, size);
    default: explain_inverse(m, false, why, size); return zi_auto_bias(m);
    }
}
