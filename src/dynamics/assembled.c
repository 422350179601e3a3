/* Mixed dynamics and implicit steps by an assembled mass matrix, row by row of the table of forward dynamics: what the
 * recursions of [Gevorkian] do without (his Newton-Euler for the mixed problem, and the reduced iteration matrix), for
 * comparison and as an independent check. Partitioned by what is free (f) and what is given (g):
 *
 *   M_ff a_f = tau_f - (bias + M_fg a_g),   tau_g = bias_g + M_gg a_g + M_gf a_f
 *
 * bias + M a_g is one inverse dynamics. Rows and columns of g become those of the identity in the lower triangle, which
 * alone is factored, so the zeros of the tree stay; M_gf is read from the upper one, which stays M. */
#include <string.h>

#include "base/require.h"
#include "dynamics/rows.h"

/* What a row of forward dynamics assembles: its matrix, the forces that go with it, and how it is factored. */
typedef struct AssembledRow {
    ziRow mass; /* NULL: no matrix, sweeps */
    ziRow inverse;
    bool dense;
} AssembledRow;

static const AssembledRow assembled_rows[ZI_FORWARD_ROW_COUNT] = {
    [ZI_ROW_forward_mass] = {row_mass_composite, row_inverse_newton_euler, false},
    [ZI_ROW_forward_mass_dense] = {row_mass_composite, row_inverse_newton_euler, true},
    [ZI_ROW_forward_mass_reduced] = {row_mass_composite_reduced, row_inverse_newton_euler_reduced, false},
    [ZI_ROW_forward_mass_reduced_ldl] = {row_mass_composite_reduced, row_inverse_newton_euler_reduced, false},
    [ZI_ROW_forward_columns] = {row_mass_columns, row_inverse_newton_euler, false},
    [ZI_ROW_forward_yaskevich] = {row_mass_yaskevich, row_inverse_newton_euler, false},
    [ZI_ROW_forward_kosynka] = {row_mass_kosynka, row_inverse_newton_euler, false},
    [ZI_ROW_forward_kane] = {row_mass_kane, row_inverse_newton_euler, false},
    [ZI_ROW_forward_path] = {row_mass_path, row_inverse_newton_euler, false},
};

static const AssembledRow *assembled_row(const zvMethod *forward) {
    size_t count;
    const zvMethod *rows = zv_methods(ZV_QUESTION_FORWARD, &count);
    size_t at = 0;
    while (at < count && &rows[at] != forward) at++;
    ZI_REQUIRE(at < count);
    return &assembled_rows[at];
}

bool zi_forward_assembles(const zvMethod *forward) { return assembled_row(forward)->mass; }

static bool assembled_holds(const zvMethod *forward, const zvModel *m, const double *fext) {
    return zi_auto_has_matrix(m) && !zv_domain_obstacle(forward->domain, m, fext != NULL);
}

/* x := M_ff^-1 x_f, 0 elsewhere; the strict upper triangle of M stays as it is. least (nv) is for pivots. */
static zvStatus solve_free_part(const zvModel *m, const AssembledRow *row, const unsigned char *given, double *M,
                                double *least, double *x) {
    const size_t nv = (size_t)m->nv;
    const ltdlPaths paths = row->dense ? ltdl_dense(m->nv) : zi_dof_paths(m);
    real_ok ok = 1;
    for (size_t i = 0; i < nv; i++) {
        const bool is_free = zi_force_given(given, (int)i);
        if (!is_free) x[i] = 0;
        for (size_t j = 0; j <= i; j++)
            if (!is_free || !zi_force_given(given, (int)j)) M[i * nv + j] = i == j;
    }
    ltdl_factor(paths, M, least, &ok);
    if (!ok) return ZV_SINGULAR;
    ltdl_solve(paths, M, x);
    return ZV_OK;
}

/* One row of the upper triangle of M, with that of the columns above it, times the free x. */
static double times_free(const zvModel *m, const unsigned char *given, const double *M, size_t row, const double *x) {
    const size_t nv = (size_t)m->nv;
    double sum = 0;
    for (size_t k = 0; k < nv; k++)
        if (zi_force_given(given, (int)k)) sum += M[k < row ? k * nv + row : row * nv + k] * x[k];
    return sum;
}

/* What is given moves the right-hand side; forces there are found by the rows of M that were kept. */
zvStatus zv_mixed_dynamics_by(const zvMethod *forward, const zvModel *m, zvWork *work, const double *q, const double *v,
                              const unsigned char *given, const double *fext, double *tau, double *a) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(given, m->nv) && ZI_ARRAY(tau, m->nv) && ZI_ARRAY(a, m->nv));
    const AssembledRow *row = assembled_row(forward);
    if (!row->mass) return zv_mixed_dynamics(m, work, q, v, given, fext, tau, a);
    if (!assembled_holds(forward, m, fext)) return ZV_NOT_SUPPORTED;
    const size_t nv = (size_t)m->nv;
    ziQuery part = {.model = m, .scratch = zi_scratch_of(m, work), .q = q, .v = v, .fext = fext};
    double *M = zi_scratch_doubles(&part.scratch, nv * nv), *needed = zi_scratch_doubles(&part.scratch, nv),
           *x = zi_scratch_doubles(&part.scratch, nv), *least = zi_scratch_doubles(&part.scratch, nv);
    for (size_t i = 0; i < nv; i++) x[i] = given[i] == ZV_GIVEN_ACCELERATION ? a[i] : 0;
    part.answer = needed;
    part.x = x;
    row->inverse(part);
    part = (ziQuery){.model = m, .scratch = part.scratch, .q = q, .answer = M};
    row->mass(part);
    for (size_t i = 0; i < nv; i++) x[i] = zi_force_given(given, (int)i) ? tau[i] - needed[i] : 0;
    const zvStatus status = solve_free_part(m, row, given, M, least, x);
    for (size_t i = 0; i < nv && status == ZV_OK; i++) {
        if (zi_force_given(given, (int)i)) {
            a[i] = x[i];
            continue;
        }
        if (given[i] == ZV_GIVEN_LOCKED) a[i] = 0;
        tau[i] = needed[i] + times_free(m, given, M, i, x);
    }
    return status;
}

/* Extra masses, damping and stiffness are added to M before it is factored. */
zvStatus zv_structural_inverse_times_by(const zvMethod *forward, const zvModel *m, zvWork *work, const double *q,
                                        const unsigned char *given, const double *extra, double damping,
                                        double stiffness, const double *x, double *y) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(y, m->nv) && ZI_ARRAY(x, m->nv));
    const AssembledRow *row = assembled_row(forward);
    if (!row->mass) return zv_structural_inverse_times(m, work, q, given, extra, damping, stiffness, x, y);
    if (!assembled_holds(forward, m, NULL)) return ZV_NOT_SUPPORTED;
    const size_t nv = (size_t)m->nv;
    ziQuery part = {.model = m, .scratch = zi_scratch_of(m, work), .q = q};
    double *M = zi_scratch_doubles(&part.scratch, nv * nv), *least = zi_scratch_doubles(&part.scratch, nv),
           *solved = zi_scratch_doubles(&part.scratch, nv);
    part.answer = M;
    row->mass(part);
    for (size_t i = 0; extra && i < nv; i++) M[i * nv + i] += extra[i];
    zi_structure_add(m, (ziAugment){damping, stiffness}, M);
    memcpy(solved, x, nv * sizeof *x);
    const zvStatus status = solve_free_part(m, row, given, M, least, solved);
    if (status == ZV_OK) memcpy(y, solved, nv * sizeof *y);
    return status;
}
