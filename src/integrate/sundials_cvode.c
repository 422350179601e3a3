/* Multistep methods of CVODE: Adams with a fixed-point corrector, BDF with Newton's. */
#include <math.h>
#include <string.h>

#include "integrate/sundials.h"

static int set_solver(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (!in->method->implicit) {
        s->corrector = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
        return s->corrector ? CVodeSetNonlinearSolver(s->memory, s->corrector) : CV_MEM_FAIL;
    }
    if (!zi_sundials_create_solver(in)) return CV_MEM_FAIL;
    s->current_gamma = CVodeGetCurrentGamma;
    int flag = CVodeSetLinearSolver(s->memory, s->solver, s->matrix);
    if (flag == CVLS_SUCCESS && s->matrix) flag = CVodeSetJacFn(s->memory, zi_sundials_jacobian);
    if (flag == CVLS_SUCCESS && s->preconditioned) {
        flag = CVodeSetPreconditioner(s->memory, zi_sundials_prepare, zi_sundials_precondition);
    }
    return flag;
}

static int set_options(zvIntegrator *in) {
    void *m = zi_sundials(in)->memory;
    int flag = CVodeSetErrHandlerFn(m, zi_sundials_silence, NULL);
    if (flag >= 0) flag = CVodeInit(m, zi_sundials_rate, 0, zi_sundials(in)->y);
    if (flag >= 0) flag = CVodeSetUserData(m, in);
    if (flag >= 0) flag = CVodeSVtolerances(m, in->rtol, zi_sundials(in)->atol);
    if (flag >= 0) flag = set_solver(in);
    if (flag >= 0) flag = CVodeSetMaxOrd(m, in->order);
    if (flag >= 0) flag = CVodeSetInitStep(m, in->step);
    if (flag >= 0) flag = CVodeSetMaxStep(m, in->max_step);
    return flag;
}

static zvStatus create(zvIntegrator *in, zvError *error) {
    zvStatus status = zi_sundials_create(in, error);
    if (status < 0) return status;
    ziSundials *s = zi_sundials(in);
    s->memory = CVodeCreate(in->method->implicit ? CV_BDF : CV_ADAMS, s->context);
    if (!s->memory || set_options(in) < 0) return zi_sundials_no_memory(in, error);
    return ZV_OK;
}

static zvStatus start(zvIntegrator *in, bool anew, zvError *error) {
    (void)anew;
    ziSundials *s = zi_sundials(in);
    int flag = CVodeReInit(s->memory, in->reach, s->y);
    return flag < 0 ? zi_sundials_fail(in, flag, in->reach, error) : ZV_OK;
}

static zvStatus step(zvIntegrator *in, double t_stop, zvError *error) {
    ziSundials *s = zi_sundials(in);
    double t = in->reach;
    int flag = CVodeSetStopTime(s->memory, t_stop);
    if (flag >= 0) flag = CVode(s->memory, t_stop, s->y, &t, CV_ONE_STEP);
    if (flag < 0) return zi_sundials_fail(in, flag, in->reach, error);
    in->reach = t;
    return ZV_OK;
}

static void at(zvIntegrator *in, double t, double *y) {
    ziSundials *s = zi_sundials(in);
    const double *from = in->y;
    if (CVodeGetDky(s->memory, t, 0, s->inside) >= 0) from = NV_DATA_S(s->inside);
    for (int i = 0; i < in->ode.size; i++) y[i] = from[i];
}

static bool derivative(zvIntegrator *in, int k, double *d) {
    ziSundials *s = zi_sundials(in);
    int order = 0;
    if (CVodeGetLastOrder(s->memory, &order) < 0 || k > order) return false;
    if (CVodeGetDky(s->memory, in->reach, k, s->inside) < 0) return false;
    memcpy(d, NV_DATA_S(s->inside), (size_t)in->size * sizeof *d);
    return true;
}

static void statistics(const zvIntegrator *in, zvIntegrationStatistics *s) {
    void *m = zi_sundials(in)->memory;
    long rejected = 0, unsolved = 0, iterations = 0, failures = 0, linear = 0;
    CVodeGetNumErrTestFails(m, &rejected);
    CVodeGetNumStepSolveFails(m, &unsolved);
    CVodeGetNonlinSolvStats(m, &iterations, &failures);
    if (in->method->implicit) CVodeGetNumLinIters(m, &linear);
    s->rejected += rejected + unsolved;
    s->newton_iterations += iterations;
    s->newton_failures += failures;
    s->linear_iterations += linear;
    CVodeGetLastOrder(m, &s->last_order);
}

static void destroy(zvIntegrator *in) {
    if (in->engine && zi_sundials(in)->memory) CVodeFree(&zi_sundials(in)->memory);
    zi_sundials_destroy(in);
}

const ziStepper zi_stepper_adams = {false, true, create, start, step, at, statistics, destroy, derivative, NULL};
const ziStepper zi_stepper_bdf = {false, true, create, start, step, at, statistics, destroy, derivative, NULL};
