/* The one door to SUNDIALS: its headers, and what its integrators share. */
#ifndef ZI_INTEGRATE_SUNDIALS_H
#define ZI_INTEGRATE_SUNDIALS_H

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrate/method.h"

/* Dense Newton matrices, by n difference quotients, up to this many unknowns that feed back; beyond it Krylov
 * iterations. */
enum { ZI_DENSE_MAX = 64, ZI_KRYLOV_MAX = 30 };

typedef struct ziSundials {
    SUNContext context;
    void *memory; /* of CVODE or ARKODE */
    N_Vector y, atol, inside;
    SUNNonlinearSolver corrector;
    SUNMatrix matrix; /* or NULL: Krylov iterations */
    SUNLinearSolver solver;
    int (*current_gamma)(void *memory, realtype *gamma);
    bool preconditioned; /* the solver asks the caller's preconditioner */
    double *room;        /* explicit Runge-Kutta: stages inside a step */
    ARKodeButcherTable table;
} ziSundials;

static inline ziSundials *zi_sundials(const zvIntegrator *in) { return in->engine; }

/* Unknowns that feed back. */
static inline int zi_sundials_active(const zvIntegrator *in) { return in->size - in->ode.quadratures; }

/* Context and vectors; the vectors' data are the integrator's own arrays. */
zvStatus zi_sundials_create(zvIntegrator *in, zvError *error);
/* All but `memory`, which its owner frees first. */
void zi_sundials_destroy(zvIntegrator *in);
zvStatus zi_sundials_no_memory(const zvIntegrator *in, zvError *error);

/* Callbacks for SUNDIALS; user_data is the integrator. */
int zi_sundials_rate(realtype t, N_Vector y, N_Vector dy, void *user_data);
int zi_sundials_project(realtype t, N_Vector y, void *user_data);
/* SUNDIALS would print. */
void zi_sundials_silence(int code, const char *module, const char *function, char *message, void *user_data);

/* Turns a flag of CVode or an Evolve into a status and a text. The codes up to -12 are common to both libraries. */
zvStatus zi_sundials_fail(const zvIntegrator *in, int flag, double t, zvError *error);

#endif
