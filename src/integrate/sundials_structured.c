/* The linear solver of Newton's iteration where the caller has a preconditioner P: near 1 - gamma df/dy, P alone solves
 * the equations; elsewhere it leads restarted GMRES.
 *
 * Products with df/dy cost a call of f each and GMRES takes one at least. Where P knows all that is stiff, Newton's
 * iteration with P in place of the matrix contracts as fast as one with a matrix of some steps ago. So P is tried at
 * the first solution after it was prepared: with x = P^-1 b and e = P^-1 (b - A x), |e| / |x| is what an iteration
 * leaves over. Below TRUSTED P serves, x + e being the first answer, until it is prepared anew; else, and for some
 * preparations after an iteration that did not converge, GMRES does. */
#include "integrate/sundials.h"

#include <math.h>

static const double TRUSTED = 0.1;
enum { PAUSE_FIRST = 4, PAUSE_MAX = 16 }; /* preparations for which P that failed is not tried again */

typedef enum Trust { UNKNOWN, GIVEN, REFUSED } Trust;

typedef struct Structured {
    zvIntegrator *in;
    SUNLinearSolver krylov;
    void *A_data, *P_data;
    SUNATimesFn times;
    SUNPSolveFn precondition;
    N_Vector weights; /* those of the library */
    N_Vector image, rest;
    Trust trust;
    int pause, next_pause; /* preparations until P is tried again; how many next time */
    long failures;         /* of Newton's iteration, as last seen */
    int iterations;        /* products of the last solution */
    double left;           /* norm of what it left over */
    sunindextype flag;
} Structured;

static Structured *content(SUNLinearSolver s) { return s->content; }

static SUNLinearSolver_Type type_of(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_ITERATIVE;
}

static SUNLinearSolver_ID id_of(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_CUSTOM;
}

static int set_times(SUNLinearSolver s, void *data, SUNATimesFn times) {
    content(s)->A_data = data;
    content(s)->times = times;
    return SUNLinSolSetATimes(content(s)->krylov, data, times);
}

static int set_preconditioner(SUNLinearSolver s, void *data, SUNPSetupFn prepare, SUNPSolveFn precondition) {
    content(s)->P_data = data;
    content(s)->precondition = precondition;
    return SUNLinSolSetPreconditioner(content(s)->krylov, data, prepare, precondition);
}

static int set_scaling(SUNLinearSolver s, N_Vector left, N_Vector right) {
    content(s)->weights = left;
    return SUNLinSolSetScalingVectors(content(s)->krylov, left, right);
}

static int set_zero_guess(SUNLinearSolver s, booleantype zero) {
    return SUNLinSolSetZeroGuess(content(s)->krylov, zero);
}

static int initialise(SUNLinearSolver s) {
    Structured *c = content(s);
    c->trust = UNKNOWN;
    c->pause = 0;
    c->next_pause = PAUSE_FIRST;
    c->failures = 0;
    return SUNLinSolInitialize(c->krylov);
}

/* No trial of P for some preparations, for more of them each time. */
static void refuse(Structured *c) {
    c->trust = REFUSED;
    c->pause = c->next_pause;
    if (c->next_pause < PAUSE_MAX) c->next_pause *= 2;
}

/* P is prepared; an iteration that failed while P was trusted ends the trust. */
static int prepare(SUNLinearSolver s, SUNMatrix matrix) {
    Structured *c = content(s);
    const ziSundials *engine = zi_sundials(c->in);
    long iterations = 0, failures = 0;
    engine->calls->get_iterations(engine->memory, &iterations, &failures);
    const bool failed = failures > c->failures && c->trust == GIVEN;
    c->failures = failures;
    if (failed)
        refuse(c);
    else if (c->pause > 0)
        c->pause--;
    if (c->pause == 0) c->trust = UNKNOWN;
    return SUNLinSolSetup(c->krylov, matrix);
}

/* x = P^-1 b and what it leaves, *ratio; x is improved by that. Nonzero: a callback refused. */
static int try_preconditioner(Structured *c, N_Vector x, N_Vector b, double *ratio) {
    int flag = c->precondition(c->P_data, b, x, 0, SUN_PREC_LEFT);
    if (!flag) flag = c->times(c->A_data, x, c->image);
    if (flag) return flag;
    N_VLinearSum(1, b, -1, c->image, c->image);
    flag = c->precondition(c->P_data, c->image, c->rest, 0, SUN_PREC_LEFT);
    if (flag) return flag;
    const double size = N_VWrmsNorm(x, c->weights), left = N_VWrmsNorm(c->rest, c->weights);
    *ratio = left == 0 ? 0 : left / size;
    N_VLinearSum(1, x, 1, c->rest, x);
    c->left = left * fmin(*ratio, 1);
    return 0;
}

static int solve_krylov(Structured *c, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tolerance) {
    N_VConst(0, x);
    SUNLinSolSetZeroGuess(c->krylov, SUNTRUE);
    const int flag = SUNLinSolSolve(c->krylov, matrix, x, b, tolerance);
    c->iterations += SUNLinSolNumIters(c->krylov);
    c->left = SUNLinSolResNorm(c->krylov);
    c->flag = SUNLinSolLastFlag(c->krylov);
    return flag;
}

/* By P while it is trusted or has still to show itself, else by GMRES. */
static int solve(SUNLinearSolver s, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tolerance) {
    Structured *c = content(s);
    c->iterations = 0;
    c->left = 0;
    c->flag = SUNLS_SUCCESS;
    if (c->trust == REFUSED) return solve_krylov(c, matrix, x, b, tolerance);
    int flag;
    if (c->trust == GIVEN) {
        flag = c->precondition(c->P_data, b, x, 0, SUN_PREC_LEFT);
    } else {
        double ratio = INFINITY;
        flag = try_preconditioner(c, x, b, &ratio);
        c->iterations = 1;
        if (!flag && !(ratio <= TRUSTED)) {
            refuse(c);
            return solve_krylov(c, matrix, x, b, tolerance);
        }
        if (!flag) c->trust = GIVEN, c->next_pause = PAUSE_FIRST;
    }
    if (flag) c->flag = flag < 0 ? SUNLS_PSOLVE_FAIL_UNREC : SUNLS_PSOLVE_FAIL_REC;
    return flag ? (int)c->flag : SUNLS_SUCCESS;
}

static int iterations_of(SUNLinearSolver s) { return content(s)->iterations; }
static realtype left_of(SUNLinearSolver s) { return content(s)->left; }
static sunindextype flag_of(SUNLinearSolver s) { return content(s)->flag; }

static int destroy_structured(SUNLinearSolver s) {
    Structured *c = content(s);
    if (c->krylov) SUNLinSolFree(c->krylov);
    if (c->image) N_VDestroy(c->image);
    if (c->rest) N_VDestroy(c->rest);
    SUNLinSolFreeEmpty(s);
    return SUNLS_SUCCESS;
}

static const struct _generic_SUNLinearSolver_Ops operations = {.gettype = type_of,
                                                               .getid = id_of,
                                                               .setatimes = set_times,
                                                               .setpreconditioner = set_preconditioner,
                                                               .setscalingvectors = set_scaling,
                                                               .setzeroguess = set_zero_guess,
                                                               .initialize = initialise,
                                                               .setup = prepare,
                                                               .solve = solve,
                                                               .numiters = iterations_of,
                                                               .resnorm = left_of,
                                                               .lastflag = flag_of,
                                                               .free = destroy_structured};

/* Content in the integrator's arena; vectors and GMRES are the library's. */
SUNLinearSolver zi_sundials_structured(zvIntegrator *in) {
    ziSundials *engine = zi_sundials(in);
    Structured *c = zi_arena_alloc(&in->arena, sizeof *c);
    SUNLinearSolver s = c ? SUNLinSolNewEmpty(engine->context) : NULL;
    if (!s) return NULL;
    *s->ops = operations;
    s->content = c;
    *c = (Structured){.in = in, .next_pause = PAUSE_FIRST};
    c->krylov = SUNLinSol_SPGMR(engine->y, SUN_PREC_LEFT, ZI_KRYLOV_MAX, engine->context);
    c->image = N_VClone(engine->y);
    c->rest = N_VClone(engine->y);
    if (c->krylov && c->image && c->rest) return s;
    destroy_structured(s);
    return NULL;
}
