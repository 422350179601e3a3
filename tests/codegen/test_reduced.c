/* Reduced robots are the same robots: the texts of generated code, read as plain C, against the reference. */
#include "codegen/reduced_factor.h"
#include "codegen/reduced_frames.h"
#include "codegen/reduced_inverse.h"
#include "codegen/reduced_mass.h"
#include "linalg/ltdl.h"
#include "support/run_tests.h"

#include "reduced_check.h"

static const int ulps = 16; /* in 18 000 trial cases the worst was below 10 */

static void solve(rtCase *c, const ziReduced *reduced, zvGenerated function, reducedComposite *row, const double *tau,
                  double *answer) {
    const size_t n = (size_t)c->nv;
    double *L = room(n * n * sizeof *L), *x = room(n * sizeof *x), *guard = room(2 * n * sizeof *guard);
    unsigned char *apart = room((size_t)reduced->nb);
    reduced_mass(reduced, apart, row, c->q, L);
    reduced_factor(c->model, L, x, guard);
    for (size_t k = 0; k < n; k++) assert_true(guard[2 * k] > LTDL_PIVOT_FLOOR * guard[2 * k + 1]);
    if (function == ZV_GENERATED_MINV) {
        reduced_invert(c->model, L, x, answer);
    } else {
        ask(c, reduced, ZV_GENERATED_BIAS, NULL, x);
        for (size_t i = 0; i < n; i++) answer[i] = tau[i] - x[i];
        ltdl_solve(zi_dof_paths(c->model), L, answer);
    }
    free(L);
    free(x);
    free(guard);
    free(apart);
}

/* Axes are shared by some of the bodies that may share them. */
static void ask(rtCase *c, const ziReduced *reduced, zvGenerated function, const double *third, double *answer) {
    const size_t nb = (size_t)reduced->nb;
    unsigned char *joined = room(nb);
    reducedMotion *motion = room(nb * sizeof *motion);
    reducedComposite *composite = room(nb * sizeof *composite);
    real33 *world = room(nb * sizeof *world);
    for (size_t i = 0; i < nb; i++) joined[i] = reduced->body[i].joins && rt_chance(&c->random, 0.7);
    switch (function) {
    case ZV_GENERATED_INVERSE: reduced_inverse(reduced, joined, motion, c->q, c->v, third, answer); break;
    case ZV_GENERATED_BIAS: reduced_inverse(reduced, joined, motion, c->q, c->v, NULL, answer); break;
    case ZV_GENERATED_GRAVITY: reduced_inverse(reduced, joined, motion, c->q, NULL, NULL, answer); break;
    case ZV_GENERATED_MASS: reduced_mass(reduced, joined, composite, c->q, answer); break;
    case ZV_GENERATED_POSE: reduced_pose(reduced, joined, composite, c->q, answer); break;
    case ZV_GENERATED_JACOBIAN: reduced_jacobian(reduced, joined, composite, world, c->q, answer); break;
    default: solve(c, reduced, function, composite, third, answer); break;
    }
    free(joined);
    free(motion);
    free(composite);
    free(world);
}

static void random_trees(void **state) {
    (void)state;
    assert_true(rt_each(61000, 400, 20, no_splines, all_agree));
}

static void aligned_trees(void **state) {
    (void)state;
    assert_true(each_aligned(62000, 400, 12));
}

TESTS(random_trees, aligned_trees)
