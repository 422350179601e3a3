/* Diagonally implicit Runge-Kutta methods of ARKODE. */
#include "integrate/sundials.h"

static const ARKODE_DIRKTableID tables[] = {
    [2] = ARKODE_SDIRK_2_1_2,
    [3] = ARKODE_ESDIRK325L2SA_5_2_3,
    [4] = ARKODE_ESDIRK436L2SA_6_3_4,
    [5] = ARKODE_ESDIRK547L2SA_7_4_5,
};

static int set_solver(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (!zi_sundials_create_solver(in)) return ARK_MEM_FAIL;
    s->current_gamma = ARKStepGetCurrentGamma;
    int flag = ARKStepSetLinearSolver(s->memory, s->solver, s->matrix);
    if (flag >= 0 && s->matrix) flag = ARKStepSetJacFn(s->memory, zi_sundials_jacobian);
    if (flag >= 0 && s->preconditioned) {
        flag = ARKStepSetPreconditioner(s->memory, zi_sundials_prepare, zi_sundials_precondition);
    }
    return flag;
}

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

static int set_options(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    void *m = s->memory;
    int flag = ARKStepSetErrHandlerFn(m, zi_sundials_silence, NULL);
    if (flag >= 0) flag = ARKStepSetUserData(m, in);
    if (flag >= 0) flag = ARKStepSetTableNum(m, tables[in->order], ARKODE_ERK_NONE);
    if (flag >= 0) flag = ARKStepSVtolerances(m, in->rtol, s->atol);
    if (flag >= 0) flag = set_solver(in);
    if (flag >= 0) flag = set_corrector(in);
    if (flag >= 0) flag = ARKStepSetInitStep(m, in->step);
    if (flag >= 0) flag = ARKStepSetMaxStep(m, in->max_step);
    if (flag >= 0 && in->ode.project) flag = ARKStepSetPostprocessStepFn(m, zi_sundials_project);
    return flag;
}

static zvStatus create(zvIntegrator *in, zvError *error) {
    zvStatus status = zi_sundials_create(in, error);
    if (status < 0) return status;
    ziSundials *s = zi_sundials(in);
    s->memory = ARKStepCreate(NULL, zi_sundials_rate, 0, s->y, s->context);
    if (!s->memory || set_options(in) < 0) return zi_sundials_no_memory(in, error);
    return ZV_OK;
}

static zvStatus start(zvIntegrator *in, bool anew, zvError *error) {
    ziSundials *s = zi_sundials(in);
    int flag = anew ? ARKStepReInit(s->memory, NULL, zi_sundials_rate, in->reach, s->y)
                    : ARKStepReset(s->memory, in->reach, s->y);
    return flag < 0 ? zi_sundials_fail(in, flag, in->reach, error) : ZV_OK;
}

static zvStatus step(zvIntegrator *in, double t_stop, zvError *error) {
    ziSundials *s = zi_sundials(in);
    double t = in->reach;
    int flag = ARKStepSetStopTime(s->memory, t_stop);
    if (flag >= 0) flag = ARKStepEvolve(s->memory, t_stop, s->y, &t, ARK_ONE_STEP);
    if (flag < 0) return zi_sundials_fail(in, flag, in->reach, error);
    in->reach = t;
    return ZV_OK;
}

static void at(zvIntegrator *in, double t, double *y) {
    ziSundials *s = zi_sundials(in);
    const double *from = in->y;
    if (ARKStepGetDky(s->memory, t, 0, s->inside) >= 0) from = NV_DATA_S(s->inside);
    for (int i = 0; i < in->ode.size; i++) y[i] = from[i];
}

static void statistics(const zvIntegrator *in, zvIntegrationStatistics *s) {
    void *m = zi_sundials(in)->memory;
    long rejected = 0, unsolved = 0, iterations = 0, failures = 0, linear = 0;
    ARKStepGetNumErrTestFails(m, &rejected);
    ARKStepGetNumStepSolveFails(m, &unsolved);
    ARKStepGetNonlinSolvStats(m, &iterations, &failures);
    ARKStepGetNumLinIters(m, &linear);
    s->rejected += rejected + unsolved;
    s->newton_iterations += iterations;
    s->newton_failures += failures;
    s->linear_iterations += linear;
}

static void destroy(zvIntegrator *in) {
    if (in->engine && zi_sundials(in)->memory) ARKStepFree(&zi_sundials(in)->memory);
    zi_sundials_destroy(in);
}

const ziStepper zi_stepper_dirk = {true, false, create, start, step, at, statistics, destroy, NULL, NULL};
