/* Every method for the mass matrix against the reference.
 * Tolerance: 16 x depth x eps x the uncancelled size of the entry's terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 }; /* in some 19 000 trial cases the worst was 8.2 */

static bool symmetric(const rtCase *c, const char *method, const double *M, const exact *scale) {
    for (int i = 0; i < c->nv; i++)
        for (int j = 0; j < i; j++) {
            exact allowed = 2 * ULPS * c->eps * scale[i * c->nv + j];
            if (fabsl((exact)M[i * c->nv + j] - M[j * c->nv + i]) <= allowed) continue;
            fprintf(stderr, "seed %llu: %s is not symmetric at %d, %d\n", (unsigned long long)c->seed, method, i, j);
            return false;
        }
    return true;
}

static bool methods_agree(rtCase *c) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_MASS, &count);
    int n2 = c->nv * c->nv;
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    bool good = rt_near(c, "M", n2, c->A, c->M, c->S, ULPS);
    for (size_t k = 0; k < count && good; k++) {
        for (int i = 0; i < n2; i++) c->A[i] = NAN;
        good = methods[k].run(c->model, c->work, c->q, NULL, NULL, NULL, c->A) == ZV_OK;
        good = good && rt_near(c, methods[k].name, n2, c->A, c->M, c->S, ULPS);
        good = good && symmetric(c, methods[k].name, c->A, c->S);
        if (!good) fprintf(stderr, "mass method %s\n", methods[k].name);
    }
    return good;
}

static void mass_matrix(void **state) {
    (void)state;
    size_t count;
    zv_methods(ZV_QUESTION_MASS, &count);
    assert_true(count >= 8);
    assert_true(rt_each(33000, 1000, 50, NULL, methods_agree));
}

TESTS(mass_matrix)
