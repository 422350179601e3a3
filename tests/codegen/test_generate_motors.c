/* Gears and motors of flexible joints in generated C against the library, on random trees; and what is refused. */
#define _XOPEN_SOURCE 700
#include "generated.h"
#include "support/geared_tree.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/flexible.h"

enum { N = GEARED_MOST, FUNCTIONS = 1u << ZV_GENERATED_INVERSE | 1u << ZV_GENERATED_FORWARD };
typedef void (*Gear)(const double *, const double *, const double *, const double *, double *);
typedef int (*MotorForward)(const double *, const double *, const double *, const double *, const double *, double *,
                            double *);

typedef void (*MotorInverse)(const double *, const double *, const double *, const double *, const double *, double *,
                             double *, double *, double *, double *);

static zvError error;

/* Along motions, gears with damping from where their motors stand. */
static void check_inverse(GearedTree *g, const Code *code, const char *name) {
    MotorInverse inverse;
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s_motor_inverse", name);
    find_symbol(code, symbol, &inverse);
    for (int n = 0; n < 5; n++) {
        static const char *const words[] = {"theta", "theta'", "theta''", "tau", "motor"};
        static const double share[] = {1e-12, 1e-10, 1e-9, 1e-11, 1e-9};
        double x[5][N], stand[N], want[5][N], got[5][N];
        for (int k = 0; k < 5; k++) rt_vector(&g->random, k < 2 ? 1 : 5, g->nv, x[k]);
        rt_vector(&g->random, 0.02, g->nv, stand);
        for (int i = 0; i < g->nv; i++) got[0][i] = stand[i] += x[0][i];
        const zvMotorMotion motion = {want[0], want[1], want[2], want[3], want[4]};
        assert_int_equal(
            zv_motor_inverse_dynamics(g->model, g->work, x[0], x[1], x[2], x[3], x[4], stand, NULL, &motion, &error),
            ZV_OK);
        inverse(x[0], x[1], x[2], x[3], x[4], got[0], got[1], got[2], got[3], got[4]);
        for (int k = 0; k < 5; k++) assert_all_near_scaled(words[k], g->nv, got[k], want[k], share[k]);
    }
}

/* Every function at random states. */
static void check_code(GearedTree *g, const Code *code, const char *name) {
    Gear gear;
    Plain2 rest;
    Plain3 motor, torque;
    MotorForward forward;
    char symbol[64];
    const struct {
        const char *word;
        void *to;
    } functions[] = {{"gear", &gear},
                     {"motor_torque", &torque},
                     {"gear_rest", &rest},
                     {"motor", &motor},
                     {"motor_forward", &forward}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        snprintf(symbol, sizeof symbol, "%s_%s", name, functions[i].word);
        find_symbol(code, symbol, functions[i].to);
    }
    for (int n = 0; n < 5; n++) {
        double x[6][N], tau[N], wanted[N], a[2][N], second[2][N], got[N];
        for (int k = 0; k < 6; k++) rt_vector(&g->random, k < 2 ? 1 : 5, g->nv, x[k]);
        double *q = x[0], *theta = x[1], *v = x[2], *rate = x[3], *u = x[4];
        for (int i = 0; i < g->nv; i++) theta[i] = q[i] + 0.1 * theta[i];
        assert_int_equal(
            zv_motor_forward_dynamics(g->model, g->work, q, v, theta, rate, u, NULL, NULL, a[0], second[0], wanted),
            ZV_OK);
        memcpy(tau, u, sizeof tau);
        gear(q, v, theta, rate, tau);
        assert_all_near_scaled("gear", g->nv, tau, wanted, 1e-13);
        assert_int_equal(forward(q, v, theta, rate, u, a[1], second[1]), 0);
        assert_all_near_scaled("a", g->nv, a[1], a[0], 1e-9);
        assert_all_near_scaled("theta''", g->nv, second[1], second[0], 1e-9);
        memcpy(got, u, sizeof got);
        torque(rate, second[0], wanted, got);
        assert_all_near_scaled("torque", g->nv, got, u, 1e-9);
        zv_gear_rest(g->model, q, u, wanted);
        memcpy(got, q, sizeof got);
        rest(q, u, got);
        assert_all_near_scaled("rest", g->nv, got, wanted, 1e-12);
    }
}

static void random_trees(void **state) {
    (void)state;
    for (int n = 0; n < 6; n++) {
        GearedTree g = geared_tree(886000u + (unsigned)n, 2 + n, 0.5);
        unsigned char all[N];
        char name[16];
        memset(all, 1, sizeof all);
        snprintf(name, sizeof name, "geared%d", n);
        near_about("seed %d", 886000 + n);
        bool any = false;
        for (int j = 0; j < zv_model_njoint(g.model); j++) any = any || zv_model_joint(g.model, j)->flexible;
        if (any) {
            write_code(g.model, &(zvCodegenOptions){.name = name, .functions = FUNCTIONS, .flexible = all});
            Code code = compile(ZV_CC, "-O1", name);
            check_code(&g, &code, name);
            check_inverse(&g, &code, name);
            dlclose(code.handle);
        }
        geared_tree_end(&g);
    }
}

/* Single precision compiles with all warnings; laws through points, axes and rigid robots are refused. */
static void refused(void **state) {
    (void)state;
    zvCodegenSummary summary;
    const unsigned char all[N] = {1, 1, 1, 1, 1, 1};
    zvCodegenOptions options = {.name = "arm", .functions = FUNCTIONS, .flexible = all, .single = true};
    GearedTree g = geared_tree(886001, 3, 0.5);
    write_code(g.model, &options);
    dlclose(compile(ZV_CC, "-O1", "arm").handle);
    geared_tree_end(&g);
    for (int i = 0; i < 3; i++) {
        GearedTree bad = geared_tree_of(886100, 4, 0, i == 1 ? GEARED_AXES : 0);
        for (int j = 0; j < bad.tree->njoint; j++) {
            bad.gears[j].points = i == 0;
            bad.gears[j].law[0] = (zvGearPoint){1, bad.gears[j].stiffness};
            if (bad.tree->joints[j].flexible) bad.tree->joints[j].flexible = i == 2 ? NULL : &bad.gears[j];
        }
        zvModel *model = rt_tree_freeze(bad.tree);
        assert_int_equal(zv_codegen(model, &options, folder, &summary, &error), ZV_NOT_SUPPORTED);
        const char *words[] = {"a law through points", "rotor_axis", "found none"};
        if (!strstr(error.text, words[i])) fail_msg("%s", error.text);
        zv_model_destroy(model);
        geared_tree_end(&bad);
    }
}

TESTS_BETWEEN(make_folder, remove_folder, random_trees, refused)
