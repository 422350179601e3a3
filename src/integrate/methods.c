/* The table of methods: one row and one stepper each. */
#include <string.h>

#include "integrate/method.h"

static const zvIntegrationMethod rows[] = {
#ifdef ZI_WITH_SUNDIALS
    {"adams", ZV_FAMILY_MULTISTEP, false, false, 1, 12, 12,
     "variable order and step, fixed-point corrector: smooth motions", "CVODE Adams-Moulton [Hindmarsh]"},
    {"bdf", ZV_FAMILY_MULTISTEP, true, false, 1, 5, 5,
     "variable order and step, Newton corrector: stiff drives, dampers, springs",
     "CVODE backward differentiation [Hindmarsh]"},
    {"erk", ZV_FAMILY_RUNGE_KUTTA, false, false, 2, 8, 5,
     "explicit Runge-Kutta, variable step: frequent events and restarts",
     "ARKODE; Dormand and Prince, Verner, Prince [Hairer1] II.5"},
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
};

static const ziStepper *const steppers[] = {
#ifdef ZI_WITH_SUNDIALS
    &zi_stepper_adams, &zi_stepper_bdf,   &zi_stepper_erk,     &zi_stepper_dirk,
#endif
    &zi_stepper_rk4,   &zi_stepper_euler, &zi_stepper_newmark, &zi_stepper_alpha,
};

_Static_assert(sizeof rows / sizeof *rows == sizeof steppers / sizeof *steppers, "one stepper a row");

const zvIntegrationMethod *zv_integration_methods(size_t *count) {
    *count = sizeof rows / sizeof *rows;
    return rows;
}

const zvIntegrationMethod *zv_integration_method_find(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    }
    return NULL;
}

bool zi_method_is_absent(const char *name) {
    static const char *const of_sundials[] = {"adams", "bdf", "erk", "dirk"};
    for (size_t i = 0; i < sizeof of_sundials / sizeof *of_sundials; i++) {
        if (strcmp(of_sundials[i], name) == 0) return !zv_integration_method_find(name);
    }
    return false;
}

const ziStepper *zi_stepper_of(const zvIntegrationMethod *method) { return steppers[method - rows]; }

zvIntegrationOptions zv_integration_default(void) {
    return (zvIntegrationOptions){.method = rows[0].name, .rtol = 1e-8, .atol = 1e-8};
}

zvStructural zv_structural_default(void) {
    return (zvStructural){
        .beta = 0.25, .gamma = 0.5, .rho = 0.8, .corrector_tolerance = 1e-9, .corrector_iterations = 20};
}

bool zv_integration_is_fixed(const zvIntegrationOptions *o) {
    const zvIntegrationMethod *method = o->method ? zv_integration_method_find(o->method) : rows;
    return method && method->family == ZV_FAMILY_FIXED_STEP &&
           !(method->structural && o->structural && o->structural->adaptive);
}
