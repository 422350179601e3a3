/* The choice of auto.h in words: the number that decided, and the limit it was held against. */
#include "dynamics/auto.h"

#include <stdarg.h>
#include <stdio.h>

/* Where the reason goes. */
typedef struct Reason {
    char *text;
    size_t size;
} Reason;

/* Coupled mimic joints decide with everything else, but of inverse dynamics. */
static void give_reason(const zvModel *m, Reason r, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void give_reason(const zvModel *m, Reason r, const char *format, ...) {
    va_list numbers;
    char text[160];
    va_start(numbers, format);
    vsnprintf(text, sizeof text, format, numbers);
    va_end(numbers);
    snprintf(r.text, r.size, "%s%s", m->coupling.count ? "coupled mimic joints, " : "", text);
}

/* What keeps reduced recursions from running, in text; false: nothing. */
static bool find_obstacle(const zvModel *m, bool loaded, Reason r) {
    if (!m->tree.reduced)
        snprintf(r.text, r.size, "links are elastic, %d coordinates", m->tree.ne);
    else if (loaded)
        snprintf(r.text, r.size, "there are external forces");
    return !m->tree.reduced || loaded;
}

static bool is_obstructed(const zvModel *m, bool loaded, Reason r) {
    char obstacle[80];
    const bool found = find_obstacle(m, loaded, (Reason){obstacle, sizeof obstacle});
    if (found) give_reason(m, r, "%s", obstacle);
    return found;
}

static void tree_too_large(const zvModel *m, Reason r, const char *hence) {
    give_reason(m, r, "tree of %d coordinates, more than %d: %s", m->tree.nv, ZI_SCRATCH_MATRIX_MAX, hence);
}

static void path_too_long(const zvModel *m, Reason r, int limit, const char *hence) {
    give_reason(m, r, "longest path %d bodies, more than %d: %s", m->tree.max_depth, limit, hence);
}

static int explain_inverse(const zvModel *m, bool loaded, Reason r) {
    if (!find_obstacle(m, loaded, r)) snprintf(r.text, r.size, "rigid links, no external forces: fewest operations");
    return zi_auto_inverse(m, loaded);
}

/* The space for a matrix, then the length of paths. */
static int explain_mass(const zvModel *m, Reason r) {
    const int row = zi_auto_mass(m);
    if (row == ZI_ROW_mass_columns)
        tree_too_large(m, r, "no space for its matrix");
    else if (row == ZI_ROW_mass_composite_reduced)
        give_reason(m, r, "rigid links, longest path %d bodies, at most %d", m->tree.max_depth,
                    ZI_AUTO_REDUCED_MASS_DEPTH);
    else if (!is_obstructed(m, false, r))
        path_too_long(m, r, ZI_AUTO_REDUCED_MASS_DEPTH, "columns of a subtree go together");
    return row;
}

/* The first of the limits that dense factors have. */
static int explain_coupled_forward(const zvModel *m, bool loaded, Reason r) {
    const int row = zi_auto_forward(m, loaded);
    if (row == ZI_ROW_forward_mass_reduced)
        give_reason(m, r, "%d coordinates, at most %d: dense factors", m->nv, ZI_AUTO_COUPLED_DOFS);
    else if (is_obstructed(m, loaded, r))
        return row;
    else if (m->nv > ZI_AUTO_COUPLED_DOFS)
        give_reason(m, r, "%d coordinates, more than %d: sweeps and multipliers", m->nv, ZI_AUTO_COUPLED_DOFS);
    else
        tree_too_large(m, r, "sweeps and multipliers");
    return row;
}

/* What a rigid robot lacks to be an arm. */
static const char *obstacle_to_arm(const ziReducedTree *t) {
    if (t->branched) return "links branch";
    if (t->angles > 0) return "the base floats";
    return t->transforms ? "not all joints are revolute" : "two neighbouring joints turn about one axis";
}

/* Coupled robots apart: an arm that is short enough, or what it lacks. */
static int explain_forward(const zvModel *m, bool loaded, Reason r) {
    if (m->coupling.count) return explain_coupled_forward(m, loaded, r);
    const int row = zi_auto_forward(m, loaded), joints = m->tree.nb - 1;
    if (is_obstructed(m, loaded, r)) return row;
    if (!m->tree.reduced->arm)
        give_reason(m, r, "not an arm: %s", obstacle_to_arm(m->tree.reduced));
    else if (row == ZI_ROW_forward_mass_reduced_ldl)
        give_reason(m, r, "an arm of %d revolute joints, at most %d: factors take less than sweeps", joints,
                    ZI_AUTO_ARM_BODIES);
    else
        give_reason(m, r, "an arm of %d revolute joints, more than %d: sweeps take less than factors", joints,
                    ZI_AUTO_ARM_BODIES);
    return row;
}

/* The matrix of coupled robots is contracted, and dense. */
static int explain_coupled_inverse_mass(const zvModel *m, Reason r) {
    const int row = zi_auto_inverse_mass(m);
    if (row == ZI_ROW_minv_columns)
        tree_too_large(m, r, "no space for its matrix");
    else if (row == ZI_ROW_minv_mass_reduced)
        give_reason(m, r, "longest path %d bodies, at most %d: dense factors", m->tree.max_depth,
                    ZI_AUTO_REDUCED_MASS_DEPTH);
    else if (!is_obstructed(m, false, r))
        path_too_long(m, r, ZI_AUTO_REDUCED_MASS_DEPTH, "M by composite");
    return row;
}

/* How many coordinates a rigid robot has on a path; of elastic ones, how long paths are. */
static int explain_inverse_mass(const zvModel *m, Reason r) {
    if (m->coupling.count) return explain_coupled_inverse_mass(m, r);
    const int row = zi_auto_inverse_mass(m);
    if (row == ZI_ROW_minv_articulated)
        path_too_long(m, r, ZI_AUTO_SWEEPS_DEPTH, "sweeps take less than factors");
    else if (row == ZI_ROW_minv_subtrees)
        give_reason(m, r, "rigid links, %d coordinates on a path, more than %d: sweeps take less than factors",
                    m->tree.max_dofs, ZI_AUTO_LDL_DOFS);
    else if (!is_obstructed(m, false, r))
        give_reason(m, r, "rigid links, %d coordinates on a path, at most %d", m->tree.max_dofs, ZI_AUTO_LDL_DOFS);
    return row;
}

int zi_auto_row(zvQuestion question, const zvModel *m, bool loaded, char *why, size_t size) {
    const Reason r = {why, size};
    switch (question) {
    case ZV_QUESTION_MASS: return explain_mass(m, r);
    case ZV_QUESTION_INVERSE: return explain_inverse(m, loaded, r);
    case ZV_QUESTION_FORWARD: return explain_forward(m, loaded, r);
    case ZV_QUESTION_INVERSE_MASS: return explain_inverse_mass(m, r);
    default: explain_inverse(m, false, r); return zi_auto_bias(m);
    }
}
