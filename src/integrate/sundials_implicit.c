/* What CVODE and ARKODE share: contexts, vectors, linear solvers, callbacks and the meaning of their flags. */
#include <string.h>

#include "integrate/sundials.h"

static const zvMark nowhere = {0};

zvStatus zi_sundials_no_memory(const zvIntegrator *in, zvError *error) {
    return zv_fail(error, ZV_MEMORY, nowhere, in->method->name, "out of memory for %s with %d unknowns",
                   in->method->name, in->ode.size);
}

zvStatus zi_sundials_create(zvIntegrator *in, zvError *error) {
    ziSundials *s = in->engine = zi_arena_alloc(&in->arena, sizeof *s);
    if (!s || SUNContext_Create(NULL, &s->context) != 0) return zi_sundials_no_memory(in, error);
    s->y = N_VMake_Serial(in->size, in->y, s->context);
    s->atol = N_VMake_Serial(in->size, in->atol, s->context);
    s->inside = N_VNew_Serial(in->size, s->context);
    return s->y && s->atol && s->inside ? ZV_OK : zi_sundials_no_memory(in, error);
}

int zi_sundials_create_solver(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (zi_sundials_active(in) <= ZI_DENSE_MAX) {
        s->matrix = SUNDenseMatrix(in->size, in->size, s->context);
        s->solver = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
    } else {
        s->preconditioned = in->ode.precondition != NULL;
        int side = s->preconditioned ? SUN_PREC_LEFT : SUN_PREC_NONE;
        s->solver = SUNLinSol_SPGMR(s->y, side, ZI_KRYLOV_MAX, s->context);
    }
    return s->solver != NULL;
}

void zi_sundials_destroy(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    if (!s) return;
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

int zi_sundials_prepare(realtype t, N_Vector y, N_Vector fy, booleantype jok, booleantype *jcur, realtype gamma,
                        void *user_data) {
    zvIntegrator *in = user_data;
    (void)fy, (void)jok;
    *jcur = SUNTRUE; /* prepare has no memory of an older y that could be taken again */
    in->counts.preparations++;
    return in->ode.prepare ? in->ode.prepare(in->ode.context, t, NV_DATA_S(y), gamma) : 0;
}

int zi_sundials_precondition(realtype t, N_Vector y, N_Vector fy, N_Vector r, N_Vector z, realtype gamma,
                             realtype delta, int lr, void *user_data) {
    zvIntegrator *in = user_data;
    (void)fy, (void)delta, (void)lr;
    return in->ode.precondition(in->ode.context, t, NV_DATA_S(y), gamma, NV_DATA_S(r), NV_DATA_S(z));
}

void zi_sundials_silence(int code, const char *module, const char *function, char *message, void *user_data) {
    (void)code, (void)module, (void)function, (void)message, (void)user_data;
}

static const char *what_went_wrong(int flag) {
    switch (flag) {
    case CV_TOO_MUCH_ACC: return "the tolerances ask for more digits than there are; loosen rtol or atol";
    case CV_ERR_FAILURE:
        return "the error stays above the tolerance however short the step: the motion jumps or runs away there, or "
               "the tolerances are too tight";
    case CV_CONV_FAILURE:
        return "the corrector does not converge however short the step: try bdf or dirk if the method was adams, and "
               "look for jumps of the forces";
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return "the linear equations of the corrector cannot be solved; try adams or erk";
    case CV_ILL_INPUT: return "the error weights vanish: an unknown is zero and its atol is zero too; give an atol";
    default: return NULL;
    }
}

_Static_assert(CV_TOO_MUCH_ACC == ARK_TOO_MUCH_ACC && CV_ERR_FAILURE == ARK_ERR_FAILURE &&
                   CV_CONV_FAILURE == ARK_CONV_FAILURE && CV_LSETUP_FAIL == ARK_LSETUP_FAIL &&
                   CV_LSOLVE_FAIL == ARK_LSOLVE_FAIL && CV_ILL_INPUT == ARK_ILL_INPUT && CV_MEM_FAIL == ARK_MEM_FAIL &&
                   CV_RHSFUNC_FAIL == ARK_RHSFUNC_FAIL && CV_UNREC_RHSFUNC_ERR == ARK_UNREC_RHSFUNC_ERR,
               "one meaning of the flags");

zvStatus zi_sundials_fail(const zvIntegrator *in, int flag, double t, zvError *error) {
    if (flag == CV_MEM_FAIL) return zi_sundials_no_memory(in, error);
    if (flag == ARK_POSTPROCESS_STEP_FAIL) return zi_trouble_fail(in, "the projection", error);
    if (flag <= CV_RHSFUNC_FAIL && flag >= CV_UNREC_RHSFUNC_ERR) {
        return zi_trouble_fail(in, "the right-hand side", error);
    }
    /* a callback that refuses again and again can end as any other failure */
    if (in->trouble == ZI_TROUBLE_NOT_FINITE) return zi_trouble_fail(in, "the right-hand side", error);
    const char *why = what_went_wrong(flag);
    if (why)
        return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name, "%s stops at t = %.9g: %s",
                       in->method->name, t, why);
    return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
                   "%s stops at t = %.9g (flag %d of the library): try another method", in->method->name, t, flag);
}
