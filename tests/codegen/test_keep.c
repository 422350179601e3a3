/* Functions so long that numbers have places of their own (codegen/program.h): a robot with many branches, whose
 * answers wait for inputs of other branches, against the library; also with answers over inputs. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/run_tests.h"

#include <math.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "zveno/dynamics.h"
#include "zveno/read.h"

enum { MANY = 64, STATES = 3 };
static const uint64_t seed = 81;

static zvModel *humanoid(void) {
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *model = NULL;
    zvError error = {0};
    assert_int_equal(zv_read_file(b, ZV_SOURCE_DIR "/models/humanoid50.yaml", ZV_FORMAT_AUTO, &error), ZV_OK);
    zv_builder_set_free_base(b, true);
    if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

static void long_functions(void **state) {
    (void)state;
    static double M[MANY * MANY], other[MANY * MANY];
    zvModel *m = humanoid();
    zvWork *w = zv_work_create(m, NULL);
    rtRandom random = {seed};
    const int n = zv_model_nv(m);
    const unsigned functions = 1u << ZV_GENERATED_INVERSE | 1u << ZV_GENERATED_FORWARD | 1u << ZV_GENERATED_MASS;
    print_message("seed %llu\n", (unsigned long long)seed);
    write_code(m, &(zvCodegenOptions){.name = "keeps", .functions = functions});
    expect_command("grep -q ' p0\\[' %s/keeps.c", folder);
    Code code = compile(ZV_CC, "-O0", "keeps");
    find(&code, "keeps", ZV_GENERATED_INVERSE, &code.inverse);
    find(&code, "keeps", ZV_GENERATED_FORWARD, &code.forward);
    find(&code, "keeps", ZV_GENERATED_MASS, &code.mass);
    for (int s = 0; s < STATES; s++) {
        double q[MANY], v[MANY], a[MANY], tau[MANY], want[MANY], back[MANY];
        zv_neutral(m, q);
        rt_vector(&random, 1, n, v);
        zv_position_add(m, q, v, q);
        rt_vector(&random, 2, n, v);
        rt_vector(&random, 5, n, a);
        zv_inverse_dynamics(m, w, q, v, a, NULL, want);
        code.inverse(q, v, a, tau);
        assert_all_near_scaled("tau", n, tau, want, 1e-12);
        assert_int_equal(code.forward(q, v, tau, back), 0);
        zv_inverse_dynamics(m, w, q, v, back, NULL, back);
        assert_all_near_scaled("tau of a", n, back, want, 1e-12);
        code.mass(q, M);
        zv_mass_matrix(m, w, q, other);
        assert_all_near_scaled("M", n * n, M, other, 1e-12);
        code.inverse(q, v, a, a);
        assert_all_near_scaled("tau over a", n, a, want, 1e-12);
    }
    dlclose(code.handle);
    zv_work_destroy(w);
    zv_model_destroy(m);
}

TESTS_BETWEEN(make_folder, remove_folder, long_functions)
