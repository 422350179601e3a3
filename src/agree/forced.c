/* The two sets of recursions that stand behind dynamics.h, each by itself: reduced ones (dynamics/reduced_*.h), which
 * the library takes for rigid trees without external forces, and general ones, which it takes for everything else.
 * Which of them a call would be sent to does not matter here. */
#include <string.h>

#include "agree/roster.h"
#include "dynamics/mass.h"

static zvStatus mass_reduced(ziTrial *t, const void *row, double *M) {
    (void)row;
    return zi_mass_by_kernel(t->model, t->work, zi_kernels(t->model)->reduced_mass, t->q, M);
}

static zvStatus mass_general(ziTrial *t, const void *row, double *M) {
    (void)row;
    return zi_mass_by_kernel(t->model, t->work, zi_kernels(t->model)->composite, t->q, M);
}

/* External forces of zero are external forces. */
static zvStatus bias_general(ziTrial *t, const void *row, double *bias) {
    (void)row;
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, NULL, t->no_load, bias);
    return ZV_OK;
}

static zvStatus inverse_general(ziTrial *t, const void *row, double *tau) {
    (void)row;
    if (t->load) return ZV_NOT_SUPPORTED; /* newton-euler is it then */
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, t->a, t->no_load, tau);
    return ZV_OK;
}

static zvStatus forward_general(ziTrial *t, const void *row, double *a) {
    (void)row;
    if (t->load) return ZV_NOT_SUPPORTED;
    return zv_forward_dynamics(t->model, t->work, t->q, t->v, t->tau, t->no_load, a);
}

/* Factors of M, however long the arm. */
static zvStatus forward_reduced(ziTrial *t, const void *row, double *a) {
    const zvModel *m = t->model;
    (void)row;
    if (t->load) return ZV_NOT_SUPPORTED;
    return zi_kernels(m)->reduced_forward(&m->tree, zi_scratch_of(m, t->work), t->q, t->v, t->tau, m->tree.gravity, a);
}

static zvStatus minv_reduced(ziTrial *t, const void *row, double *X) {
    (void)row;
    return zi_kernels(t->model)->reduced_minv(&t->model->tree, zi_scratch_of(t->model, t->work), t->q, X);
}

static zvStatus minv_factors(ziTrial *t, const void *row, double *X) {
    const zvModel *m = t->model;
    (void)row;
    zi_kernels(m)->composite(&m->tree, zi_scratch_of(m, t->work), t->q, X);
    return zi_kernels(m)->invert(&m->tree, zi_scratch_of(m, t->work), X);
}

static zvStatus minv_sweeps(ziTrial *t, const void *row, double *X) {
    (void)row;
    return zi_kernels(t->model)->articulated_inverse(&t->model->tree, zi_scratch_of(t->model, t->work), t->q, X);
}

/* The list ------------------------------------------------------------------------------------------------ */

enum { REDUCED = 1, TREES = 2, CUBIC = 4, ELASTIC = 8 };

typedef struct Forced {
    const char *name;
    ziAnswer answer;
    unsigned
        traits; /* needs the reduced tree; not with coupled mimic joints; grows with the cube; new to elastic links */
} Forced;

static const Forced rows[ZI_LANED][3] = {
    [ZI_LANED_MASS] = {{"lean", mass_reduced, REDUCED}, {"general", mass_general, 0}},
    [ZI_LANED_BIAS] = {{"general", bias_general, 0}},
    [ZI_LANED_INVERSE] = {{"general", inverse_general, 0}},
    [ZI_LANED_FORWARD] = {{"lean", forward_reduced, REDUCED | TREES | CUBIC}, {"general", forward_general, 0}},
    [ZI_LANED_MINV] = {{"lean", minv_reduced, REDUCED | TREES | CUBIC},
                       {"factors", minv_factors, TREES | CUBIC},
                       {"sweeps", minv_sweeps, TREES | CUBIC | ELASTIC}}};

/* Why not, or NULL. */
static const char *obstacle(const zvModel *m, unsigned traits) {
    if (!m->tree.reduced && traits & REDUCED) return "defined for rigid links only";
    if (!m->tree.reduced && !(traits & ELASTIC))
        return "elastic links have this recursion only: it is among the others";
    return m->coupling.count && traits & TREES ? "not with coupled mimic joints" : NULL;
}

void zi_roster_add_forced(ziRoster *r, ziLaned what) {
    for (int k = 0; k < 3 && rows[what][k].name; k++) {
        const Forced *row = &rows[what][k];
        const char *why = obstacle(r->model, row->traits);
        if (why)
            zi_roster_excuse(r, row->name, why);
        else
            zi_roster_add(r, row->name, row->answer, NULL)->cubic = row->traits & CUBIC;
    }
}
