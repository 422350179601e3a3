/* The table of integration methods: one row and one stepper each; how a name finds its row. */
#include "base/require.h"
#include "integrate/method.h"
#include "zveno/integrate.h"

#include <stdio.h>
#include <string.h>

static const zvMark nowhere = {0};

static const zvIntegrationMethod method_rows[] = {
#ifdef ZI_WITH_SUNDIALS
    {"auto", ZV_FAMILY_MULTISTEP, true, false, 2, 8, 8, "erk, and bdf or dirk while the problem is stiff",
     "[Petzold], [Shampine]; measured cost"},
    {"adams", ZV_FAMILY_MULTISTEP, false, false, 1, 12, 12,
     "variable order and step, fixed-point corrector: smooth motions", "CVODE Adams-Moulton [Hindmarsh]"},
    {"bdf", ZV_FAMILY_MULTISTEP, true, false, 1, 5, 5,
     "variable order and step, Newton corrector: stiff drives, dampers, springs",
     "CVODE backward differentiation [Hindmarsh]"},
    {"erk", ZV_FAMILY_RUNGE_KUTTA, false, false, 2, 8, 5,
     "explicit Runge-Kutta, variable step: frequent events and restarts",
     "ARKODE; Verner, Dormand and Prince [Hairer1] II.5"},
    {"dirk", ZV_FAMILY_RUNGE_KUTTA, true, false, 2, 5, 4,
     "diagonally implicit Runge-Kutta, variable step: stiff with many events", "ARKODE [Hairer2] IV.6"},
#endif
    {"rk4", ZV_FAMILY_FIXED_STEP, false, false, 4, 4, 4, "classical Runge-Kutta, fixed step",
     "[Hairer1] II.1 table 1.2"},
    {"euler", ZV_FAMILY_FIXED_STEP, false, false, 1, 1, 1, "semi-implicit (symplectic) Euler, fixed step",
     "[Hairer3] I.1 (1.9)"},
    {"newmark", ZV_FAMILY_FIXED_STEP, true, true, 2, 2, 2,
     "elastic links and stiff structures: beta, gamma, explicit or implicit, fixed step or adaptive",
     "[Newmark]; reduced iteration matrix [Gevorkian]"},
    {"generalized-alpha", ZV_FAMILY_FIXED_STEP, true, true, 2, 2, 2,
     "the same with damping of fast vibrations: rho, fixed step or adaptive", "[Chung]"},
    {"energy-momentum", ZV_FAMILY_FIXED_STEP, true, true, 2, 2, 2,
     "the same with energy and momentum kept: long runs, fixed step or adaptive", "midpoint rule; [Simo], [Gonzalez]"},
};

static const ziStepper *const steppers[] = {
#ifdef ZI_WITH_SUNDIALS
    &zi_stepper_auto, &zi_stepper_cvode, &zi_stepper_cvode,   &zi_stepper_erk,   &zi_stepper_dirk,
#endif
    &zi_stepper_rk4,  &zi_stepper_euler, &zi_stepper_newmark, &zi_stepper_alpha, &zi_stepper_energy_momentum,
};

_Static_assert(sizeof method_rows / sizeof *method_rows == sizeof steppers / sizeof *steppers, "one stepper a row");

const zvIntegrationMethod *zv_integration_methods(size_t *count) {
    ZI_REQUIRE(count);
    *count = sizeof method_rows / sizeof *method_rows;
    return method_rows;
}

const zvIntegrationMethod *zv_integration_method_find(const char *name) {
    ZI_REQUIRE(name);
    for (size_t i = 0; i < sizeof method_rows / sizeof *method_rows; i++) {
        if (strcmp(method_rows[i].name, name) == 0) return &method_rows[i];
    }
    return NULL;
}

bool zi_method_is_absent(const char *name) {
    static const char *const of_sundials[] = {"auto", "adams", "bdf", "erk", "dirk"};
    for (size_t i = 0; i < sizeof of_sundials / sizeof *of_sundials; i++) {
        if (strcmp(of_sundials[i], name) == 0) return !zv_integration_method_find(name);
    }
    return false;
}

/* The stepper of a row of the table. */
const ziStepper *zi_method_stepper(const zvIntegrationMethod *method) { return steppers[method - method_rows]; }

zvIntegrationOptions zv_integration_default(void) {
    return (zvIntegrationOptions){.method = method_rows[0].name, .rtol = 1e-8, .atol = 1e-8};
}

zvStructural zv_structural_default(void) {
    return (zvStructural){.beta = 0.25, .gamma = 0.5, .rho = 0.8, .corrector_iterations = 20};
}

bool zv_integration_is_fixed(const zvIntegrationOptions *o) {
    ZI_REQUIRE(o);
    const zvIntegrationMethod *method = o->method ? zv_integration_method_find(o->method) : method_rows;
    return method && method->family == ZV_FAMILY_FIXED_STEP &&
           !(method->structural && o->structural && o->structural->adaptive);
}

/* NULL chooses the first method. An unknown name is refused with the nearest one or the list, a method of SUNDIALS with
 * how to build it. */
const zvIntegrationMethod *zi_method_choose(const char *name, zvError *error) {
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    if (!name) return rows;
    const zvIntegrationMethod *row = zv_integration_method_find(name);
    if (row) return row;
    if (zi_method_is_absent(name)) {
        zv_fail(
            error, ZV_NOT_SUPPORTED, nowhere, name,
            "%s needs SUNDIALS, which this build lacks; choose rk4, euler or newmark, or build with ZVENO_SUNDIALS=ON",
            name);
        return NULL;
    }
    const char *names[16];
    for (size_t i = 0; i < count && i < 16; i++) names[i] = rows[i].name;
    const char *meant = zv_nearest_name(name, names, count);
    if (meant) {
        zv_fail(error, ZV_NAME, nowhere, name, "no integration method \"%.40s\"; did you mean %s?", name, meant);
    } else {
        char list[200] = "";
        for (size_t i = 0, used = 0; i < count && used < sizeof list; i++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", rows[i].name);
        zv_fail(error, ZV_NAME, nowhere, name, "no integration method \"%.40s\" in this build; there are %s", name,
                list);
    }
    return NULL;
}
