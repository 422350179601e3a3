/* Newmark, generalised alpha and energy-momentum as steppers (newmark.h): error control, creation, starts, steps of
 * fixed and of controlled length, states inside a step. */
#include "integrate/newmark.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Error control of structural steps. With d = am - af accelerations are those of t + d h, and the method leaves
 *
 *   of x  h^3 (beta + d/2 - 1/6) x''' + h^4 (((1/2 - beta) d^2 + beta (1 + d)^2) / 2 - 1/24) x''''
 *   of v  h^2 (gamma + d - 1/2) x'''  + h^3 (((1 - gamma) d^2 + gamma (1 + d)^2) / 2 - 1/6) x''''
 *
 * of the Taylor series; h x''' is the change of a over the step, h^2 x'''' the change of that from step to step. The
 * second terms matter where the first vanish: gamma = 1/2, beta = 1/6. The rest is like v. */

typedef struct NewmarkTerms {
    double first, second;
} NewmarkTerms;

static NewmarkTerms of_position(const ziNewmark *nm) {
    const double d = nm->am - nm->af, b = nm->beta;
    return (NewmarkTerms){fabs(b + d / 2 - 1.0 / 6), fabs(((0.5 - b) * d * d + b * (1 + d) * (1 + d)) / 2 - 1.0 / 24)};
}

static NewmarkTerms of_rate(double gamma, double d) {
    return (NewmarkTerms){fabs(gamma + d - 0.5), fabs(((1 - gamma) * d * d + gamma * (1 + d) * (1 + d)) / 2 - 1.0 / 6)};
}

/* Change of slope i over the step, and the change of that since the step before; unknown: as large as itself. */
static NewmarkTerms changes(const ziNewmark *nm, double h, int i) {
    const double once = nm->slope_to[i] - nm->slope_from[i];
    const double twice = *nm->last_h > 0 ? (once - h * nm->bend[i]) * 2 * h / (h + *nm->last_h) : once;
    return (NewmarkTerms){fabs(once), fabs(twice)};
}

static double dot_terms(NewmarkTerms a, NewmarkTerms b) { return a.first * b.first + a.second * b.second; }

/* The entry of y that goes with a degree of freedom, or -1. */
static int position_of(const zvIntegrator *in, int dof) {
    const zvStructure *s = in->ode.structure;
    return s->coordinate ? s->coordinate[dof] : s->nq == s->nv ? dof : -1;
}

/* The square of an error in entry k of y in units of its tolerance; -1: of something of size one. */
static double square(const zvIntegrator *in, double error, int k) {
    const double size = k < 0 ? 1 : fmax(fabs(in->y_from[k]), fabs(zi_newmark(in)->y_to[k]));
    const double allowed = in->rtol * size + (k < 0 ? in->atol[0] : in->atol[k]);
    return error == 0 ? 0 : error * error / (allowed * allowed);
}

/* Local error of the last try in units of the tolerance: accepted when below 1. */
static double newmark_error(const zvIntegrator *in, double h) {
    const ziNewmark *nm = zi_newmark(in);
    const NewmarkTerms x = of_position(nm), v = of_rate(nm->gamma, nm->am - nm->af);
    const NewmarkTerms z = of_rate(nm->rest_gamma, nm->rest_am - nm->af);
    const int count = 2 * nm->nv + nm->nrest;
    double total = 0;
    for (int i = 0; i < nm->nv; i++) {
        const NewmarkTerms c = changes(nm, h, i);
        total += square(in, h * h * dot_terms(x, c), position_of(in, i)) + square(in, h * dot_terms(v, c), nm->nq + i);
    }
    for (int i = nm->nv; i < nm->n; i++) total += square(in, h * dot_terms(z, changes(nm, h, i)), nm->nq + i);
    return count > 0 ? sqrt(total / count) : 0;
}

/* How much longer or shorter the next step may be. */
static double newmark_pace(const zvIntegrator *in, double error) {
    const double shortest = 0.2, longest = 2;
    if (!(error < INFINITY)) return shortest;
    return fmin(longest, fmax(shortest, 0.9 * pow(error, -1.0 / (in->order + 1))));
}

/* In which forces move no position by more than a few tolerances. */
static double newmark_first(const zvIntegrator *in) {
    const ziNewmark *nm = zi_newmark(in);
    double h = INFINITY;
    for (int i = 0; i < nm->nv; i++) {
        const int k = position_of(in, i);
        const double a = fabs(nm->slope[i]), size = k < 0 ? 1 : fabs(in->y[k]);
        const double allowed = in->rtol * size + in->atol[k < 0 ? 0 : k];
        if (a > 0) h = fmin(h, sqrt(10 * allowed / a));
    }
    return h < INFINITY && h > 0 ? h : 1e-3;
}

/* Structural methods as steppers: creation, starts, steps of fixed and of controlled length, states inside a step. */

static const zvMark nowhere = {0};

/* Creation ---------------------------------------------------------------------------------------------- */

/* Masses and forces must be known apart, and the parts of y must add up. */
static zvStatus check_structure(const zvIntegrator *in, zvError *error) {
    const zvStructure *s = in->ode.structure;
    const ziNewmark *nm = zi_newmark(in);
    if (!s || !s->move || (!nm->is_explicit && !s->residual)) {
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, in->method->name,
                       "%s needs to know masses and forces apart, which this system does not tell; take rk4 or bdf",
                       in->method->name);
    }
    if (!nm->is_explicit && in->structural.iteration == ZV_ITERATION_MASS && !s->assembled)
        return zv_fail(
            error, ZV_NOT_SUPPORTED, nowhere, in->method->name,
            "%s: iteration by a global matrix needs a system that assembles one, this one does not; take the "
            "reduced or the full matrix",
            in->method->name);
    if (nm->conserves && !(s->energy && s->power && s->movable && (!s->momentum || (s->carry && s->advance))))
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, in->method->name,
                       "%s needs to know energy and powers, which this system does not tell; take generalized-alpha "
                       "with rho = 1",
                       in->method->name);
    if (s->nq >= 0 && s->nv >= 0 && s->nq + s->nv <= in->ode.size - in->ode.quadratures) return ZV_OK;
    return zv_fail(error, ZV_SIZE, nowhere, in->method->name,
                   "%d positions and %d velocities do not fit %d unknowns with %d quadratures", s->nq, s->nv,
                   in->ode.size, in->ode.quadratures);
}

static zvStatus check_range(const char *what, double value, double least, double most, zvError *error) {
    if (value >= least && value <= most) return ZV_OK;
    return zv_fail(error, ZV_NUMBER, nowhere, what, "%s: expected a number from %g to %g, found %g", what, least, most,
                   value);
}

static zvStatus check_parameters(const zvIntegrator *in, zvError *error) {
    const zvStructural *o = &in->structural;
    zvStatus status = check_range("beta", o->beta, 0, 1, error);
    if (status >= 0) status = check_range("gamma", o->gamma, 0, 1, error);
    if (status >= 0) status = check_range("rho", o->rho, 0, 1, error);
    if (status >= 0 && o->corrector_tolerance != 0)
        status = check_range("corrector_tolerance", o->corrector_tolerance, 1e-14, 0.1, error);
    if (status >= 0) status = check_range("corrector_iterations", o->corrector_iterations, 1, 1e6, error);
    return status;
}

static double *doubles(zvIntegrator *in, int count) {
    return zi_arena_alloc(&in->arena, ((size_t)count + 1) * sizeof(double));
}

/* One block in the order of the members. */
static bool lay_out_memory(zvIntegrator *in) {
    ziNewmark *nm = zi_newmark(in);
    const size_t n = (size_t)nm->n, square = nm->full ? (size_t)nm->nu * (size_t)nm->nu : 0;
    in->memory_count = 2 * n + 4 + square;
    double *at = in->memory = zi_arena_alloc(&in->arena, in->memory_count * sizeof *at);
    if (!at) return false;
    nm->slope = at;
    nm->bend = at + n;
    nm->last_h = at + 2 * n;
    nm->next_h = nm->last_h + 1;
    nm->matrix_h = nm->last_h + 2;
    nm->debt = nm->last_h + 3;
    nm->matrix = nm->last_h + 4;
    return true;
}

/* What energy-momentum has besides. */
static bool lay_out_conserved(zvIntegrator *in) {
    ziNewmark *nm = zi_newmark(in);
    if (!nm->conserves) return true;
    nm->shift = doubles(in, nm->nv);
    nm->direction = doubles(in, nm->nv);
    nm->spare = doubles(in, in->size);
    return nm->shift && nm->direction && nm->spare;
}

/* All arrays of the method; false when out of memory. */
static bool lay_out_arrays(zvIntegrator *in) {
    ziNewmark *nm = zi_newmark(in);
    nm->slope_from = doubles(in, nm->n);
    nm->slope_to = doubles(in, nm->n);
    nm->increment = doubles(in, nm->nv);
    nm->part = doubles(in, nm->nv);
    nm->y_to = doubles(in, in->size);
    nm->y = doubles(in, in->size);
    nm->u = doubles(in, nm->nu);
    nm->x = doubles(in, nm->nu);
    nm->r = doubles(in, nm->nu);
    nm->high = doubles(in, nm->nu);
    nm->low = doubles(in, nm->nu);
    nm->rate = doubles(in, nm->nrest);
    nm->factor = zi_arena_alloc(&in->arena, (nm->full ? (size_t)nm->nu * (size_t)nm->nu : 1) * sizeof(double));
    nm->order = zi_arena_alloc(&in->arena, ((size_t)nm->nu + 1) * sizeof *nm->order);
    return nm->slope_from && nm->slope_to && nm->increment && nm->part && nm->y_to && nm->y && nm->u && nm->x &&
           nm->r && nm->high && nm->low && nm->rate && nm->factor && nm->order && lay_out_conserved(in) &&
           lay_out_memory(in);
}

/* Sizes of the parts of y and of the unknowns of a step. */
static void set_sizes(zvIntegrator *in) {
    ziNewmark *nm = zi_newmark(in);
    const zvStructure *s = in->ode.structure;
    nm->nq = s->nq;
    nm->nv = s->nv;
    nm->nrest = in->ode.size - s->nq - s->nv;
    nm->nz = nm->nrest - in->ode.quadratures;
    nm->n = nm->nv + nm->nrest;
    nm->nu = nm->nv + nm->nz;
    const zvIteration iteration = in->structural.iteration;
    nm->full =
        !nm->is_explicit && (iteration == ZV_ITERATION_FULL || (iteration == ZV_ITERATION_REDUCED && !s->reduced));
    in->unwatched = !nm->is_explicit;
}

/* Checks the parameters and the structure, then takes the memory. */
static zvStatus create(zvIntegrator *in, ziNewmark parameters, zvError *error) {
    ziNewmark *nm = in->engine = zi_arena_alloc(&in->arena, sizeof *nm);
    if (nm) {
        *nm = parameters;
        zvStatus status = check_parameters(in, error);
        if (status >= 0) status = check_structure(in, error);
        if (status < 0) return status;
        set_sizes(in);
        if (lay_out_arrays(in)) return ZV_OK;
    }
    return zv_fail(error, ZV_MEMORY, nowhere, "", "out of memory for %d unknowns", in->ode.size);
}

static zvStatus create_newmark(zvIntegrator *in, zvError *error) {
    const zvStructural *o = &in->structural;
    if (o->gamma != 0.5) in->order = 1;
    return create(in, (ziNewmark){.beta = o->beta, .gamma = o->gamma, .rest_gamma = 0.5, .is_explicit = o->beta == 0},
                  error);
}

/* [Chung] (25), (17), (20); the rest [Jansen]. */
static zvStatus create_alpha(zvIntegrator *in, zvError *error) {
    const double rho = in->structural.rho;
    ziNewmark nm = {.am = (2 * rho - 1) / (rho + 1), .af = rho / (rho + 1), .rest_am = (3 * rho - 1) / (2 * (rho + 1))};
    nm.gamma = 0.5 - nm.am + nm.af;
    nm.beta = 0.25 * (1 - nm.am + nm.af) * (1 - nm.am + nm.af);
    nm.rest_gamma = 0.5 - nm.rest_am + nm.af;
    return create(in, nm, error);
}

/* The midpoint rule, corrected. */
static zvStatus create_energy_momentum(zvIntegrator *in, zvError *error) {
    const ziNewmark nm = {
        .am = 0.5, .af = 0.5, .gamma = 0.5, .beta = 0.25, .rest_am = 0.5, .rest_gamma = 0.5, .conserves = true};
    return create(in, nm, error);
}

/* Starts ------------------------------------------------------------------------------------------------ */

/* Accelerations and rates of (reach, y): what follows from y alone. */
static zvStatus start(zvIntegrator *in, bool anew, zvError *error) {
    ziNewmark *nm = zi_newmark(in);
    if (anew) nm->iterations = nm->failures = nm->preparations = nm->rejected = 0;
    if (in->remembers) {
        if (nm->full && *nm->matrix_h > 0 && !zi_newmark_factor(nm)) *nm->matrix_h = 0;
        return ZV_OK;
    }
    if (anew) *nm->next_h = *nm->matrix_h = *nm->debt = 0;
    *nm->last_h = 0;
    if (zi_call_rate(in, in->reach, in->y, nm->y_to)) return zi_trouble_fail(in, "the right-hand side", error);
    if (nm->n > 0) memcpy(nm->slope, nm->y_to + nm->nq, (size_t)nm->n * sizeof *nm->slope);
    return ZV_OK;
}

/* Steps ------------------------------------------------------------------------------------------------- */

/* beta = 0: positions are h v + h^2 a / 2 further; rates are evaluated at velocities and z extrapolated by their
 * slopes. */
static ziTry extrapolate(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    const zvStructure *s = in->ode.structure;
    const double *v = in->y_from + nm->nq, *slope = nm->slope_from;
    for (int i = 0; i < nm->nv; i++) nm->increment[i] = h * v[i] + 0.5 * h * h * slope[i];
    s->move(in->ode.context, in->y_from, nm->increment, nm->y_to);
    for (int i = 0; i < nm->n; i++) nm->y_to[nm->nq + i] = v[i] + h * slope[i];
    if (s->impose) s->impose(in->ode.context, in->from + h, nm->y_to);
    const int answer = zi_call_rate(in, in->from + h, nm->y_to, nm->y);
    if (answer) return answer > 0 ? ZI_TRY_REFUSED : ZI_TRY_GIVE_UP;
    for (int i = 0; i < nm->n; i++) {
        const double gamma = i < nm->nv ? nm->gamma : nm->rest_gamma;
        nm->slope_to[i] = nm->y[nm->nq + i];
        nm->y_to[nm->nq + i] = v[i] + h * ((1 - gamma) * slope[i] + gamma * nm->slope_to[i]);
    }
    if (s->impose) s->impose(in->ode.context, in->from + h, nm->y_to);
    return ZI_TRY_DONE;
}

static ziTry attempt(zvIntegrator *in, double h) {
    return zi_newmark(in)->is_explicit ? extrapolate(in, h) : zi_newmark_correct(in, h);
}

/* Tells apart a refused evaluation, a singular matrix and an iteration that went nowhere. */
static zvStatus fail_to_converge(const zvIntegrator *in, ziTry outcome, double h, zvError *error) {
    const ziNewmark *nm = zi_newmark(in);
    if (outcome == ZI_TRY_REFUSED || outcome == ZI_TRY_GIVE_UP)
        return zi_trouble_fail(in, nm->is_explicit ? "the right-hand side" : "the balance of forces", error);
    if (outcome == ZI_TRY_SINGULAR)
        return zv_fail(
            error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
            "the iteration matrix has no inverse at t = %.9g (step %.3g s): a part without mass moves freely", in->from,
            h);
    return zv_fail(
        error, ZV_NO_CONVERGENCE, nowhere, in->method->name,
        "the corrector does not converge at t = %.9g: after %d iterations with the %s matrix, step %.3g s, "
        "the residual is %.3g and the correction %.3g times its tolerance; try a shorter step, adaptive: true, %s, "
        "or for friction a wider smoothing",
        in->from, nm->tries, nm->full ? "full" : "reduced", h, nm->residual, nm->left,
        nm->full ? "more corrector_iterations" : "iteration: full");
}

/* The new state is projected, and accelerations move on with it. */
static zvStatus accept(zvIntegrator *in, double end, zvError *error) {
    ziNewmark *nm = zi_newmark(in);
    const double h = end - in->from;
    memcpy(in->y, nm->y_to, (size_t)in->ode.size * sizeof *in->y);
    if (zi_call_project(in, end, in->y)) return zi_trouble_fail(in, "the projection", error);
    for (int i = 0; i < nm->n; i++) {
        nm->bend[i] = (nm->slope_to[i] - nm->slope_from[i]) / h;
        nm->slope[i] = nm->slope_to[i];
    }
    *nm->last_h = h;
    if (nm->conserves) *nm->debt = nm->debt_to;
    in->reach = end;
    return ZV_OK;
}

static zvStatus step_on_grid(zvIntegrator *in, double t_stop, zvError *error) {
    const double end = zi_grid_end(in, in->from, t_stop);
    const ziTry outcome = attempt(in, end - in->from);
    return outcome == ZI_TRY_DONE ? accept(in, end, error) : fail_to_converge(in, outcome, end - in->from, error);
}

static double first_step(const zvIntegrator *in) { return in->step > 0 ? in->step : newmark_first(in); }

/* The end of a step of about h that leaves no sliver before t_stop. */
static double end_near(const zvIntegrator *in, double h, double t_stop) {
    const double rest = t_stop - in->from;
    if (h >= (1 - 1e-9) * rest) return t_stop;
    return in->from + (h > 0.5 * rest ? 0.5 * rest : h);
}

/* Tries ever shorter steps until the error is within the tolerance. */
static zvStatus step_by_error(zvIntegrator *in, double t_stop, zvError *error) {
    ziNewmark *nm = zi_newmark(in);
    const double least = 16 * DBL_EPSILON * fmax(fabs(in->from), fabs(t_stop));
    double h = *nm->next_h > 0 ? *nm->next_h : first_step(in);
    for (bool rejected = false;; rejected = true) {
        if (in->max_step > 0) h = fmin(h, in->max_step);
        const double end = end_near(in, h, t_stop), length = end - in->from;
        const ziTry outcome = attempt(in, length);
        double pace = 0.5;
        if (outcome == ZI_TRY_DONE) {
            const double left = newmark_error(in, length);
            pace = newmark_pace(in, left);
            if (left <= 1) {
                *nm->next_h = fmax(length * (rejected ? fmin(pace, 1) : pace), length < h ? h : 0);
                return accept(in, end, error);
            }
        } else if (outcome == ZI_TRY_GIVE_UP) {
            return fail_to_converge(in, outcome, length, error);
        }
        nm->rejected++;
        h = length * fmin(pace, 0.9);
        if (h > least) continue;
        if (outcome != ZI_TRY_DONE) return fail_to_converge(in, outcome, length, error);
        return ZV_OK; /* no progress: the integrator says so */
    }
}

static zvStatus step(zvIntegrator *in, double t_stop, zvError *error) {
    ziNewmark *nm = zi_newmark(in);
    if (nm->n > 0) memcpy(nm->slope_from, nm->slope, (size_t)nm->n * sizeof *nm->slope);
    return in->structural.adaptive ? step_by_error(in, t_stop, error) : step_on_grid(in, t_stop, error);
}

/* Inside a step ----------------------------------------------------------------------------------------- */

/* Hermite's cubic over a step of length h, at the part s of it, for ends x0, x1 and slopes d0, d1. */
static double cubic(double s, double h, double x0, double d0, double x1, double d1) {
    const double r = 1 - s;
    return r * r * ((1 + 2 * s) * x0 + s * h * d0) + s * s * ((3 - 2 * s) * x1 - r * h * d1);
}

static void at(zvIntegrator *in, double t, double *y) {
    ziNewmark *nm = zi_newmark(in);
    const double h = in->reach - in->from, s = (t - in->from) / h;
    const double *v = in->y_from + nm->nq, *v_to = nm->y_to + nm->nq;
    for (int i = 0; i < nm->nv; i++) nm->part[i] = cubic(s, h, 0, v[i], nm->increment[i], v_to[i]);
    in->ode.structure->move(in->ode.context, in->y_from, nm->part, y);
    for (int i = 0; i < nm->n; i++) y[nm->nq + i] = cubic(s, h, v[i], nm->slope_from[i], v_to[i], nm->slope_to[i]);
    if (in->ode.structure->impose) in->ode.structure->impose(in->ode.context, t, y);
}

/* Counts and words -------------------------------------------------------------------------------------- */

static void statistics(const zvIntegrator *in, zvIntegrationStatistics *s) {
    const ziNewmark *nm = zi_newmark(in);
    s->newton_iterations += nm->iterations;
    s->newton_failures += nm->failures;
    s->preparations += nm->preparations;
    s->rejected += nm->rejected;
}

static const char *advice(const zvIntegrator *in, const zvIntegrationStatistics *s) {
    const ziNewmark *nm = zi_newmark(in);
    if (nm->gamma < 0.5)
        return "gamma below 1/2 lets vibrations grow at any step: take gamma = 1/2, or more to damp them";
    if (!nm->is_explicit && s->steps >= 100 && s->newton_iterations > 8 * (s->steps + s->rejected))
        return nm->full ? "the corrector takes many iterations: shorten the step"
                        : "the corrector takes many iterations: shorten the step, or take the full matrix";
    return NULL;
}

static void destroy(zvIntegrator *in) { (void)in; }

const ziStepper zi_stepper_newmark = {true, true, create_newmark, start, step, at, statistics, destroy, NULL, advice};
const ziStepper zi_stepper_energy_momentum = {true, true,  create_energy_momentum, start, step, at, statistics, destroy,
                                              NULL, advice};
const ziStepper zi_stepper_alpha = {true, true, create_alpha, start, step, at, statistics, destroy, NULL, advice};
