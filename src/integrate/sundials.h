/* The only file that includes SUNDIALS: its headers, and what its integrators share. */
#ifndef ZI_INTEGRATE_SUNDIALS_H
#define ZI_INTEGRATE_SUNDIALS_H

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrate/method.h"

/* Dense Newton matrices, by n difference quotients, up to so many unknowns that feed back: beyond it GMRES, or the
 * caller's preconditioner (sundials_structured.c), which is the cheaper one sooner. */
enum { ZI_DENSE_MAX = 64, ZI_DENSE_PRECONDITIONED_MAX = 32, ZI_KRYLOV_MAX = 30 };

/* Calls that CVODE, ARKStep and ERKStep have alike; initialise and those of Newton's iteration may be NULL. */
typedef struct ziSundialsCalls {
    int (*set_error_handler)(void *memory, CVErrHandlerFn handler, void *data);
    int (*initialise)(void *memory, CVRhsFn rate, realtype t, N_Vector y);
    int (*set_user_data)(void *memory, void *data);
    int (*set_tolerances)(void *memory, realtype rtol, N_Vector atol);
    int (*set_first_step)(void *memory, realtype step);
    int (*set_longest_step)(void *memory, realtype step);
    int (*set_stop_time)(void *memory, realtype t);
    int (*evolve)(void *memory, realtype t, N_Vector y, realtype *reached, int task);
    int (*get_derivative)(void *memory, realtype t, int k, N_Vector y);
    int (*get_rejected)(void *memory, long *count);
    int (*get_unsolved)(void *memory, long *count);
    int (*get_iterations)(void *memory, long *count, long *failures);
    int (*get_linear)(void *memory, long *count);
    int (*get_gamma)(void *memory, realtype *gamma);
    int (*set_linear_solver)(void *memory, SUNLinearSolver solver, SUNMatrix matrix);
    int (*set_jacobian)(void *memory, CVLsJacFn function);
    int (*set_preconditioner)(void *memory, CVLsPrecSetupFn prepare, CVLsPrecSolveFn solve);
    void (*destroy)(void **memory);
} ziSundialsCalls;

/* Calls whose names differ by the library's prefix only. */
#define ZI_SUNDIALS_CALLS(LIBRARY)                                                        \
    .set_error_handler = LIBRARY##SetErrHandlerFn, .set_user_data = LIBRARY##SetUserData, \
    .set_tolerances = LIBRARY##SVtolerances, .set_first_step = LIBRARY##SetInitStep,      \
    .set_longest_step = LIBRARY##SetMaxStep, .set_stop_time = LIBRARY##SetStopTime,       \
    .get_rejected = LIBRARY##GetNumErrTestFails, .destroy = LIBRARY##Free

typedef struct ziSundials {
    const ziSundialsCalls *calls;
    SUNContext context;
    void *memory; /* of CVODE or ARKODE */
    N_Vector y, atol, inside;
    SUNNonlinearSolver corrector;
    SUNMatrix matrix; /* or NULL: Krylov iterations */
    SUNLinearSolver solver;
    bool preconditioned; /* the solver asks the caller's preconditioner */
    double *buffer;      /* explicit Runge-Kutta: stages inside a step */
    ARKodeButcherTable table;
} ziSundials;

static inline ziSundials *zi_sundials(const zvIntegrator *in) { return in->engine; }

/* Unknowns that feed back. */
static inline int zi_sundials_active(const zvIntegrator *in) { return in->size - in->ode.quadratures; }

/* Context and vectors; the vectors' data are the integrator's own arrays. */
zvStatus zi_sundials_create(zvIntegrator *in, const ziSundialsCalls *calls, zvError *error);
void zi_sundials_destroy(zvIntegrator *in);
zvStatus zi_sundials_no_memory(const zvIntegrator *in, zvError *error);

/* The caller's preconditioner as the solver of linear equations, or GMRES led by it: sundials_structured.c. NULL when
 * out of memory. */
SUNLinearSolver zi_sundials_structured(zvIntegrator *in);

/* Callbacks for SUNDIALS; user_data is the integrator. */
int zi_sundials_rate(realtype t, N_Vector y, N_Vector dy, void *user_data);
int zi_sundials_project(realtype t, N_Vector y, void *user_data);

/* Silent, with the caller's tolerances and steps. A flag. */
int zi_sundials_set_options(zvIntegrator *in);

/* One step, with what may be tried after a failure (or NULL): the stepper's functions are made of these. */
typedef int (*ziSundialsRetry)(zvIntegrator *in, int flag, double *t);
zvStatus zi_sundials_step(zvIntegrator *in, double t_stop, ziSundialsRetry retry, zvError *error);
/* A failed start becomes a status; others are ZV_OK. */
zvStatus zi_sundials_started(const zvIntegrator *in, int flag, zvError *error);
void zi_sundials_statistics(const zvIntegrator *in, zvIntegrationStatistics *statistics);

/* Turns a flag of CVode or an Evolve into a status and a text. The codes up to -12 are common to both libraries. */
zvStatus zi_sundials_fail(const zvIntegrator *in, int flag, double t, zvError *error);

#endif
