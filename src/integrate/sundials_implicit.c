/* CVODE and the diagonally implicit methods of ARKODE, with what all methods of SUNDIALS share: contexts, vectors,
 * linear solvers, callbacks, flags. */
#include "integrate/sundials.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What CVODE and ARKODE share: contexts, vectors, linear solvers, callbacks and the meaning of their flags. */

static const zvMark nowhere = {0};

enum { ONE_STEP = CV_ONE_STEP };
_Static_assert(ONE_STEP == ARK_ONE_STEP, "both libraries call one step alike");

zvStatus zi_sundials_no_memory(const zvIntegrator *in, zvError *error) {
    return zv_fail(error, ZV_MEMORY, nowhere, in->method->name, "out of memory for %s with %d unknowns",
                   in->method->name, in->ode.size);
}

/* The data of the vectors y and atol are the integrator's own arrays. */
zvStatus zi_sundials_create(zvIntegrator *in, const ziSundialsCalls *calls, zvError *error) {
    ziSundials *s = in->engine = zi_arena_alloc(&in->arena, sizeof *s);
    if (s) s->calls = calls;
    if (!s || SUNContext_Create(NULL, &s->context) != 0) return zi_sundials_no_memory(in, error);
    s->y = N_VMake_Serial(in->size, in->y, s->context);
    s->atol = N_VMake_Serial(in->size, in->atol, s->context);
    s->inside = N_VNew_Serial(in->size, s->context);
    return s->y && s->atol && s->inside ? ZV_OK : zi_sundials_no_memory(in, error);
}

/* Dense matrix, preconditioner or Krylov iterations, whichever fits the size. 0 when out of memory. */
static int sundials_create_solver(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (zi_sundials_active(in) <= (in->ode.precondition ? ZI_DENSE_PRECONDITIONED_MAX : ZI_DENSE_MAX)) {
        s->matrix = SUNDenseMatrix(in->size, in->size, s->context);
        s->solver = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
    } else {
        s->preconditioned = in->ode.precondition != NULL;
        s->solver = s->preconditioned ? zi_sundials_structured(in)
                                      : SUNLinSol_SPGMR(s->y, SUN_PREC_NONE, ZI_KRYLOV_MAX, s->context);
    }
    return s->solver != NULL;
}

/* Whatever of it was made; the context goes last. */
void zi_sundials_destroy(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (!s) return;
    if (s->memory) s->calls->destroy(&s->memory);
    if (s->table) ARKodeButcherTable_Free(s->table);
    if (s->solver) SUNLinSolFree(s->solver);
    if (s->matrix) SUNMatDestroy(s->matrix);
    if (s->corrector) SUNNonlinSolFree(s->corrector);
    if (s->y) N_VDestroy(s->y);
    if (s->atol) N_VDestroy(s->atol);
    if (s->inside) N_VDestroy(s->inside);
    if (s->context) SUNContext_Free(&s->context);
}

int zi_sundials_rate(realtype t, N_Vector y, N_Vector dy, void *user_data) {
    return zi_call_rate(user_data, t, NV_DATA_S(y), NV_DATA_S(dy));
}

int zi_sundials_project(realtype t, N_Vector y, void *user_data) { return zi_call_project(user_data, t, NV_DATA_S(y)); }

static int sundials_prepare(realtype t, N_Vector y, N_Vector fy, booleantype jok, booleantype *jcur, realtype gamma,
                            void *user_data) {
    zvIntegrator *in = user_data;
    (void)fy, (void)jok;
    *jcur = SUNTRUE; /* prepare has no memory of an older y that could be taken again */
    in->counts.preparations++;
    return in->ode.prepare ? in->ode.prepare(in->ode.context, t, NV_DATA_S(y), gamma) : 0;
}

static int sundials_precondition(realtype t, N_Vector y, N_Vector fy, N_Vector r, N_Vector z, realtype gamma,
                                 realtype delta, int lr, void *user_data) {
    zvIntegrator *in = user_data;
    (void)fy, (void)delta, (void)lr;
    return in->ode.precondition(in->ode.context, t, NV_DATA_S(y), gamma, NV_DATA_S(r), NV_DATA_S(z));
}

/* SUNDIALS would print. */
static void silence(int code, const char *module, const char *function, char *message, void *user_data) {
    (void)code, (void)module, (void)function, (void)message, (void)user_data;
}

int zi_sundials_set_options(zvIntegrator *in) {
    const ziSundials *s = zi_sundials(in);
    int flag = s->calls->set_error_handler(s->memory, silence, NULL);
    if (flag >= 0 && s->calls->initialise) flag = s->calls->initialise(s->memory, zi_sundials_rate, 0, s->y);
    if (flag >= 0) flag = s->calls->set_user_data(s->memory, in);
    if (flag >= 0) flag = s->calls->set_tolerances(s->memory, in->rtol, s->atol);
    if (flag >= 0) flag = s->calls->set_first_step(s->memory, in->step);
    if (flag >= 0) flag = s->calls->set_longest_step(s->memory, in->max_step);
    return flag;
}

/* Flags in the user's words, with what to change. */
static const char *what_went_wrong(int flag) {
    switch (flag) {
    case CV_TOO_MUCH_ACC: return "the tolerances ask for more digits than there are; loosen rtol or atol";
    case CV_ERR_FAILURE:
        return "the error stays above the tolerance however short the step: the motion jumps or runs away there, or "
               "the tolerances are too tight";
    case CV_CONV_FAILURE:
        return "the corrector does not converge however short the step: try auto or bdf if the method was adams, and "
               "look for jumps of the forces";
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return "the linear equations of the corrector cannot be solved; try adams or erk";
    case CV_ILL_INPUT: return ZI_NO_WEIGHT;
    default: return NULL;
    }
}

/* NOLINTBEGIN(misc-redundant-expression): equal in the version at hand */
_Static_assert(CV_TOO_MUCH_ACC == ARK_TOO_MUCH_ACC && CV_ERR_FAILURE == ARK_ERR_FAILURE &&
                   CV_CONV_FAILURE == ARK_CONV_FAILURE && CV_LSETUP_FAIL == ARK_LSETUP_FAIL &&
                   CV_LSOLVE_FAIL == ARK_LSOLVE_FAIL && CV_ILL_INPUT == ARK_ILL_INPUT && CV_MEM_FAIL == ARK_MEM_FAIL &&
                   CV_RHSFUNC_FAIL == ARK_RHSFUNC_FAIL && CV_UNREC_RHSFUNC_ERR == ARK_UNREC_RHSFUNC_ERR,
               "one meaning of the flags");
/* NOLINTEND(misc-redundant-expression) */

/* What a callback reported is worth more than the library's flag. */
zvStatus zi_sundials_fail(const zvIntegrator *in, int flag, double t, zvError *error) {
    if (flag == CV_MEM_FAIL) return zi_sundials_no_memory(in, error);
    if (flag == ARK_POSTPROCESS_STEP_FAIL) return zi_trouble_fail(in, "the projection", error);
    if (flag <= CV_RHSFUNC_FAIL && flag >= CV_UNREC_RHSFUNC_ERR) {
        return zi_trouble_fail(in, "the right-hand side", error);
    }
    /* a callback that refuses again and again can end as any other failure */
    if (in->trouble == ZI_TROUBLE_NOT_FINITE) return zi_trouble_fail(in, "the right-hand side", error);
    const char *why = what_went_wrong(flag);
    if (why) return zi_stops_fail(in, t, why, error);
    return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
                   "%s stops at t = %.9g (flag %d of the library): try another method", in->method->name, t, flag);
}

/* Dense df/dy by difference quotients, without the columns of unknowns that feed nothing back. The increments are those
 * of CVODE [Hindmarsh]: the root of the rounding of y, but not less than what the rounding of f asks for. */

static double weight(const zvIntegrator *in, double y, int i) { return in->rtol * fabs(y) + in->atol[i]; }

/* A thousand roundings of f over a step, in units of the tolerance. */
static double least_increment(const zvIntegrator *in, const double *y, const double *f) {
    double sum = 0, gamma = 0;
    for (int i = 0; i < in->size; i++) {
        double part = f[i] / weight(in, y[i], i);
        sum += part * part;
    }
    zi_sundials(in)->calls->get_gamma(zi_sundials(in)->memory, &gamma);
    double least = 1000 * fabs(gamma) * DBL_EPSILON * in->size * sqrt(sum / in->size);
    return least > 0 && isfinite(least) ? least : 1;
}

/* Dense Jacobian by forward differences, of the unknowns that feed back only; columns of quadratures are zero. */
static int sundials_jacobian(realtype t, N_Vector yv, N_Vector fv, SUNMatrix J, void *user_data, N_Vector buffer,
                             N_Vector b, N_Vector c) {
    zvIntegrator *in = user_data;
    double *y = NV_DATA_S(yv), *moved = NV_DATA_S(buffer);
    const double *f = NV_DATA_S(fv);
    int n = in->size, active = zi_sundials_active(in);
    double least = least_increment(in, y, f);
    (void)b, (void)c;
    for (int j = 0; j < active; j++) {
        double *column = SUNDenseMatrix_Column(J, j), keep = y[j];
        double increment = fmax(sqrt(DBL_EPSILON) * fabs(keep), least * weight(in, keep, j));
        y[j] += increment;
        int answer = zi_call_rate(in, t, y, moved);
        y[j] = keep;
        if (answer) return answer;
        for (int i = 0; i < n; i++) column[i] = (moved[i] - f[i]) / increment;
    }
    for (int j = active; j < n; j++) memset(SUNDenseMatrix_Column(J, j), 0, (size_t)n * sizeof(double));
    return 0;
}

/* What all steppers do alike, through the calls of their library. */

/* Newton's iteration: a dense matrix by difference quotients, or Krylov iterations with the caller's preconditioner. */
static int attach_newton(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (!sundials_create_solver(in)) return CV_MEM_FAIL;
    int flag = s->calls->set_linear_solver(s->memory, s->solver, s->matrix);
    if (flag >= 0 && s->matrix) flag = s->calls->set_jacobian(s->memory, sundials_jacobian);
    if (flag >= 0 && s->preconditioned)
        flag = s->calls->set_preconditioner(s->memory, sundials_prepare, sundials_precondition);
    return flag;
}

zvStatus zi_sundials_started(const zvIntegrator *in, int flag, zvError *error) {
    return flag < 0 ? zi_sundials_fail(in, flag, in->reach, error) : ZV_OK;
}

/* One step of the library's own length, not beyond t_stop. */
zvStatus zi_sundials_step(zvIntegrator *in, double t_stop, ziSundialsRetry retry, zvError *error) {
    ziSundials *s = zi_sundials(in);
    double t = in->reach;
    int flag = s->calls->set_stop_time(s->memory, t_stop);
    if (flag >= 0) flag = s->calls->evolve(s->memory, t_stop, s->y, &t, ONE_STEP);
    if (flag < 0 && retry) flag = retry(in, flag, &t);
    if (flag < 0) return zi_sundials_fail(in, flag, in->reach, error);
    in->reach = t;
    return ZV_OK;
}

static zvStatus plain_step(zvIntegrator *in, double t_stop, zvError *error) {
    return zi_sundials_step(in, t_stop, NULL, error);
}

/* The library's interpolant; outside of its reach the state at the end of the step. */
static void interpolate(zvIntegrator *in, double t, double *y) {
    ziSundials *s = zi_sundials(in);
    const double *from = in->y;
    if (s->calls->get_derivative(s->memory, t, 0, s->inside) >= 0) from = NV_DATA_S(s->inside);
    for (int i = 0; i < in->ode.size; i++) y[i] = from[i];
}

/* Adds the library's own counts; methods without an iteration have no calls for it. */
void zi_sundials_statistics(const zvIntegrator *in, zvIntegrationStatistics *statistics) {
    const ziSundials *s = zi_sundials(in);
    long rejected = 0, unsolved = 0, iterations = 0, failures = 0, linear = 0;
    s->calls->get_rejected(s->memory, &rejected);
    if (s->calls->get_unsolved) s->calls->get_unsolved(s->memory, &unsolved);
    if (s->calls->get_iterations) s->calls->get_iterations(s->memory, &iterations, &failures);
    if (in->method->implicit && s->calls->get_linear) s->calls->get_linear(s->memory, &linear);
    statistics->rejected += rejected + unsolved;
    statistics->newton_iterations += iterations;
    statistics->newton_failures += failures;
    statistics->linear_iterations += linear;
}

/* Calls that methods with an iteration have besides. */
#define IMPLICIT_CALLS(LIBRARY)                                                                                       \
    ZI_SUNDIALS_CALLS(LIBRARY), .get_derivative = LIBRARY##GetDky, .get_unsolved = LIBRARY##GetNumStepSolveFails,     \
                                .get_iterations = LIBRARY##GetNonlinSolvStats, .get_linear = LIBRARY##GetNumLinIters, \
                                .get_gamma = LIBRARY##GetCurrentGamma, .set_linear_solver = LIBRARY##SetLinearSolver, \
                                .set_jacobian = LIBRARY##SetJacFn, .set_preconditioner = LIBRARY##SetPreconditioner

/* Multistep methods of CVODE: Adams with a fixed-point corrector, BDF with Newton's. */

static const ziSundialsCalls cvode_calls = {IMPLICIT_CALLS(CVode), .initialise = CVodeInit, .evolve = CVode};

static int cvode_set_solver(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (in->method->implicit) return attach_newton(in);
    s->corrector = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    return s->corrector ? CVodeSetNonlinearSolver(s->memory, s->corrector) : CV_MEM_FAIL;
}

static int cvode_set_options(zvIntegrator *in) {
    int flag = zi_sundials_set_options(in);
    if (flag >= 0) flag = cvode_set_solver(in);
    if (flag >= 0) flag = CVodeSetMaxOrd(zi_sundials(in)->memory, in->order);
    return flag;
}

static zvStatus cvode_create(zvIntegrator *in, zvError *error) {
    zvStatus status = zi_sundials_create(in, &cvode_calls, error);
    if (status < 0) return status;
    ziSundials *s = zi_sundials(in);
    s->memory = CVodeCreate(in->method->implicit ? CV_BDF : CV_ADAMS, s->context);
    if (!s->memory || cvode_set_options(in) < 0) return zi_sundials_no_memory(in, error);
    return ZV_OK;
}

static zvStatus cvode_start(zvIntegrator *in, bool anew, zvError *error) {
    (void)anew;
    return zi_sundials_started(in, CVodeReInit(zi_sundials(in)->memory, in->reach, zi_sundials(in)->y), error);
}

static bool cvode_derivative(zvIntegrator *in, int k, double *d) {
    ziSundials *s = zi_sundials(in);
    int order = 0;
    if (CVodeGetLastOrder(s->memory, &order) < 0 || k > order) return false;
    if (CVodeGetDky(s->memory, in->reach, k, s->inside) < 0) return false;
    memcpy(d, NV_DATA_S(s->inside), (size_t)in->size * sizeof *d);
    return true;
}

static void cvode_statistics(const zvIntegrator *in, zvIntegrationStatistics *s) {
    zi_sundials_statistics(in, s);
    CVodeGetLastOrder(zi_sundials(in)->memory, &s->last_order);
}

/* Adams and BDF: which of them, the method's row says. */
const ziStepper zi_stepper_cvode = {false,
                                    true,
                                    cvode_create,
                                    cvode_start,
                                    plain_step,
                                    interpolate,
                                    cvode_statistics,
                                    zi_sundials_destroy,
                                    cvode_derivative,
                                    NULL};

/* Diagonally implicit Runge-Kutta methods of ARKODE. */

static const ziSundialsCalls dirk_calls = {IMPLICIT_CALLS(ARKStep), .evolve = ARKStepEvolve};

static const ARKODE_DIRKTableID dirk_tables[] = {
    [2] = ARKODE_SDIRK_2_1_2,
    [3] = ARKODE_ESDIRK325L2SA_5_2_3,
    [4] = ARKODE_ESDIRK436L2SA_6_3_4,
    [5] = ARKODE_ESDIRK547L2SA_7_4_5,
};

/* Slopes come from the solved stages, not from f, which would multiply what the corrector left over by the stiffness;
 * for the same reason the corrector works to a hundredth of the tolerance, and the interpolant is a cubic of values and
 * slopes at the ends: higher ones call f at states in between. */
static int set_corrector(zvIntegrator *in) {
    void *m = zi_sundials(in)->memory;
    int flag = ARKStepSetDeduceImplicitRhs(m, SUNTRUE);
    if (flag >= 0) flag = ARKStepSetNonlinConvCoef(m, 0.01);
    if (flag >= 0) flag = ARKStepSetPredictorMethod(m, 2); /* higher order for early stages, lower for late ones */
    if (flag >= 0) flag = ARKStepSetInterpolantDegree(m, 3);
    if (flag >= 0) flag = ARKStepSetMaxErrTestFails(m, 20);
    return flag;
}

static int dirk_set_options(zvIntegrator *in) {
    void *m = zi_sundials(in)->memory;
    int flag = zi_sundials_set_options(in);
    if (flag >= 0) flag = ARKStepSetTableNum(m, dirk_tables[in->order], ARKODE_ERK_NONE);
    if (flag >= 0) flag = attach_newton(in);
    if (flag >= 0) flag = set_corrector(in);
    if (flag >= 0 && in->ode.project) flag = ARKStepSetPostprocessStepFn(m, zi_sundials_project);
    return flag;
}

static zvStatus dirk_create(zvIntegrator *in, zvError *error) {
    zvStatus status = zi_sundials_create(in, &dirk_calls, error);
    if (status < 0) return status;
    ziSundials *s = zi_sundials(in);
    s->memory = ARKStepCreate(NULL, zi_sundials_rate, 0, s->y, s->context);
    if (!s->memory || dirk_set_options(in) < 0) return zi_sundials_no_memory(in, error);
    return ZV_OK;
}

static zvStatus dirk_start(zvIntegrator *in, bool anew, zvError *error) {
    ziSundials *s = zi_sundials(in);
    return zi_sundials_started(in,
                               anew ? ARKStepReInit(s->memory, NULL, zi_sundials_rate, in->reach, s->y)
                                    : ARKStepReset(s->memory, in->reach, s->y),
                               error);
}

const ziStepper zi_stepper_dirk = {
    true, false, dirk_create, dirk_start, plain_step, interpolate, zi_sundials_statistics, zi_sundials_destroy,
    NULL, NULL};
