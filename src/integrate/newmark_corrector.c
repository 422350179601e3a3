/* The corrector of an implicit structural step, and the full iteration matrix that it may use. */
#include "integrate/newmark.h"
#include "linalg/lu.h"

#include <math.h>
#include <string.h>

/* The full iteration matrix of a structural step: mass, damping and stiffness tangents at once, since the balance as a
 * function of the accelerations moves q and v with them. Dense, column by column, by central differences. */

/* The increment of q over the step, and y at the place of the balance, for given unknowns. */
static void place_state(zvIntegrator *in, double h, const double *u) {
    ziNewmark *nm = zi_newmark(in);
    const double *v = in->y_from + nm->nq, *z = v + nm->nv, *a = nm->slope_from, share = 1 - nm->af;
    double *y_v = nm->y + nm->nq;
    for (int i = 0; i < nm->nv; i++) {
        const double a_to = (u[i] - nm->am * a[i]) / (1 - nm->am);
        nm->increment[i] = h * v[i] + h * h * ((0.5 - nm->beta) * a[i] + nm->beta * a_to);
        y_v[i] = v[i] + share * h * ((1 - nm->gamma) * a[i] + nm->gamma * a_to);
    }
    for (int i = 0; nm->conserves && i < nm->nv; i++) {
        nm->increment[i] += 0.5 * h * nm->shift[i];
        y_v[i] += share * nm->shift[i];
    }
    for (int i = 0; i < nm->nv; i++) nm->part[i] = share * nm->increment[i];
    in->ode.structure->move(in->ode.context, in->y_from, nm->part, nm->y);
    memcpy(y_v + nm->nv, u + nm->nv, (size_t)nm->nz * sizeof *u);
    for (int i = nm->nz; i < nm->nrest; i++) y_v[nm->nv + i] = z[i];
}

/* z+ - z for a rate at the place of the balance. */
static double rest_gain(const ziNewmark *nm, double h, int i, double rate) {
    const double before = nm->slope_from[nm->nv + i], after = (rate - nm->rest_am * before) / (1 - nm->rest_am);
    return h * ((1 - nm->rest_gamma) * before + nm->rest_gamma * after);
}

/* The residual and the rest's equation, r (nu), for the unknowns u: through nm->y. 0, or what the callback answered. */
static int newmark_balance(zvIntegrator *in, double h, const double *u, double *r) {
    ziNewmark *nm = zi_newmark(in);
    const double t = in->from + (1 - nm->af) * h, *z = in->y_from + nm->nq + nm->nv;
    place_state(in, h, u);
    if (in->ode.structure->impose) in->ode.structure->impose(in->ode.context, t, nm->y);
    const int answer = zi_call_residual(in, t, nm->y, u, r, nm->rate);
    for (int i = 0; i < nm->nz; i++)
        r[nm->nv + i] = u[nm->nv + i] - z[i] - (1 - nm->af) * rest_gain(nm, h, i, nm->rate[i]);
    return answer;
}

static const double NUDGE = 1e-5; /* of q (rad, m), v or z */

/* A change of an unknown that moves neither q nor v by more than a nudge; the balance is linear in a itself. */
static double change_of(const ziNewmark *nm, double h, const double *u, int j) {
    if (j >= nm->nv) return NUDGE * (1 + fabs(u[j]));
    const double share = (1 - nm->af) / (1 - nm->am);
    return NUDGE / fmax(share * h * fmax(nm->gamma, nm->beta * h), NUDGE);
}

/* Column j of the full matrix by a central difference of the balance. */
static ziTry column(zvIntegrator *in, double h, const double *u, int j) {
    ziNewmark *nm = zi_newmark(in);
    const double change = change_of(nm, h, u, j), middle = nm->x[j];
    nm->x[j] = middle + change;
    int answer = newmark_balance(in, h, nm->x, nm->high);
    nm->x[j] = middle - change;
    if (!answer) answer = newmark_balance(in, h, nm->x, nm->low);
    nm->x[j] = middle;
    for (int i = 0; i < nm->nu; i++)
        nm->matrix[(size_t)i * (size_t)nm->nu + (size_t)j] = (nm->high[i] - nm->low[i]) / (2 * change);
    return answer == 0 ? ZI_TRY_DONE : answer > 0 ? ZI_TRY_REFUSED : ZI_TRY_GIVE_UP;
}

/* Prescribed degrees of freedom have no balance: they get a row of their own. */
static void close_rows(ziNewmark *nm) {
    for (int i = 0; i < nm->nv; i++) {
        double *row = nm->matrix + (size_t)i * (size_t)nm->nu;
        bool empty = true;
        for (int j = 0; empty && j < nm->nu; j++) empty = row[j] == 0;
        if (empty) row[i] = 1;
    }
}

bool zi_newmark_factor(ziNewmark *nm) {
    memcpy(nm->factor, nm->matrix, (size_t)nm->nu * (size_t)nm->nu * sizeof *nm->factor);
    return lu_factor(nm->nu, nm->factor, nm->order, nm->high);
}

/* d balance / du at u, factored, into matrix and factor. */
static ziTry newmark_prepare(zvIntegrator *in, double h, const double *u) {
    ziNewmark *nm = zi_newmark(in);
    ziTry outcome = ZI_TRY_DONE;
    memcpy(nm->x, u, (size_t)nm->nu * sizeof *u);
    for (int j = 0; outcome == ZI_TRY_DONE && j < nm->nu; j++) outcome = column(in, h, u, j);
    nm->preparations++;
    *nm->matrix_h = outcome == ZI_TRY_DONE ? h : 0;
    if (outcome != ZI_TRY_DONE) return outcome;
    close_rows(nm);
    if (zi_newmark_factor(nm)) return ZI_TRY_DONE;
    *nm->matrix_h = 0;
    return ZI_TRY_SINGULAR;
}

/* The corrector of an implicit structural step: Newton's iteration for the accelerations and what feeds back of the
 * rest, with the system's reduced matrix or the full one. */

static const double SLOW = 0.3;   /* a full matrix that reduces the correction by less is made anew */
static const double HOPELESS = 2; /* growth of the correction that ends the iteration, when it happens twice */

/* x = S^-1 r where the residual was asked last. */
static ziTry solve_step(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    if (nm->full) {
        lu_solve(nm->nu, nm->factor, nm->order, nm->r, nm->x);
        return ZI_TRY_DONE;
    }
    const double share = (1 - nm->af) / (1 - nm->am);
    const double coefficients[3] = {share * nm->gamma * h, share * nm->beta * h * h,
                                    (1 - nm->af) * nm->rest_gamma * h / (1 - nm->rest_am)};
    const int answer = zi_call_reduced(in, in->from + (1 - nm->af) * h, nm->y, coefficients, nm->r, nm->x);
    return answer == 0 ? ZI_TRY_DONE : answer > 0 ? ZI_TRY_REFUSED : ZI_TRY_GIVE_UP;
}

/* Of velocities of size one. Where none is given it follows the step, so that what the corrector leaves does not add up
 * as steps get shorter and more. */
static double tolerance_of(const zvIntegrator *in, double h) {
    const double given = in->structural.corrector_tolerance;
    return given > 0 ? given : fmax(1e-12, fmin(1e-9, 1e-7 * h));
}

/* The correction in units of the tolerance. */
static double correction_size(const zvIntegrator *in, double h) {
    const ziNewmark *nm = zi_newmark(in);
    const double *v = nm->y + nm->nq;
    double most = 0;
    for (int i = 0; i < nm->nu; i++) {
        const double share = i < nm->nv ? h * fabs(nm->x[i]) / (1 + fabs(v[i]) + h * fabs(nm->u[i]))
                                        : fabs(nm->x[i]) / (1 + fabs(nm->u[i]));
        if (!(share <= most)) most = share; /* what is not a number comes out as such */
    }
    return most / tolerance_of(in, h);
}

/* Slopes at the place of the balance, if they stay what they are; energy-momentum lets them go on as they changed. */
static void predict(const zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    const double *z = in->y_from + nm->nq + nm->nv, ahead = nm->conserves && *nm->last_h > 0 ? 0.5 * h : 0;
    const bool zero = in->structural.predictor == ZV_PREDICTOR_ZERO;
    for (int i = 0; i < nm->nv; i++) nm->u[i] = zero ? 0 : nm->slope_from[i] + ahead * nm->bend[i];
    for (int i = 0; i < nm->nz; i++) nm->u[nm->nv + i] = z[i] + (1 - nm->af) * h * nm->slope_from[nm->nv + i];
}

/* Slopes at the end of a midpoint step from those at its middle and at that of the step before, half-way between its
 * ends: the rule itself knows none. */
static void extrapolate_slopes(ziNewmark *nm, double h) {
    const double last = *nm->last_h;
    for (int i = 0; i < nm->n; i++) {
        const double middle = 0.5 * (nm->slope_from[i] + nm->slope_to[i]);
        const double before = nm->slope_from[i] - 0.5 * last * (last > 0 ? nm->bend[i] : 0);
        nm->slope_to[i] = middle + h * (middle - before) / (h + last);
    }
}

/* Positions, velocities, the rest and all slopes at the end of the step; constraints are closed there. */
void zi_newmark_complete(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    const double *v = in->y_from + nm->nq, *z = v + nm->nv, *a = nm->slope_from;
    double *v_to = nm->y_to + nm->nq, *z_to = v_to + nm->nv, *a_to = nm->slope_to, *dz_to = a_to + nm->nv;
    for (int i = 0; i < nm->nv; i++) {
        a_to[i] = (nm->u[i] - nm->am * a[i]) / (1 - nm->am);
        nm->increment[i] = h * v[i] + h * h * ((0.5 - nm->beta) * a[i] + nm->beta * a_to[i]);
        v_to[i] = v[i] + h * ((1 - nm->gamma) * a[i] + nm->gamma * a_to[i]);
    }
    for (int i = 0; nm->conserves && i < nm->nv; i++) {
        nm->increment[i] += 0.5 * h * nm->shift[i];
        v_to[i] += nm->shift[i];
    }
    in->ode.structure->move(in->ode.context, in->y_from, nm->increment, nm->y_to);
    for (int i = 0; i < nm->nrest; i++) {
        const double gain = i < nm->nz ? (nm->u[nm->nv + i] - z[i]) / (1 - nm->af) : rest_gain(nm, h, i, nm->rate[i]);
        z_to[i] = z[i] + gain;
        dz_to[i] = (gain / h - (1 - nm->rest_gamma) * a[nm->nv + i]) / nm->rest_gamma;
    }
    if (nm->conserves) extrapolate_slopes(nm, h);
    if (in->ode.structure->impose) in->ode.structure->impose(in->ode.context, in->from + h, nm->y_to);
    if (in->ode.structure->closed) nm->unclosed = zi_call_project(in, in->from + h, nm->y_to) != 0;
}

static void note_residual(ziNewmark *nm) {
    nm->residual = 0;
    for (int i = 0; i < nm->nv; i++) nm->residual = fmax(nm->residual, fabs(nm->r[i]));
}

/* A full matrix for this step, unless one for nearly the same step is at hand. */
static ziTry open_step(zvIntegrator *in, double h, bool *fresh) {
    const ziNewmark *nm = zi_newmark(in);
    *fresh = nm->full && !(fabs(*nm->matrix_h - h) <= 0.2 * h);
    return *fresh ? newmark_prepare(in, h, nm->u) : ZI_TRY_DONE;
}

/* One iteration: corrects u. *size: the correction, in tolerances. */
static ziTry iterate(zvIntegrator *in, double h, double *size) {
    ziNewmark *nm = zi_newmark(in);
    const int answer = newmark_balance(in, h, nm->u, nm->r);
    if (answer) return answer > 0 ? ZI_TRY_REFUSED : ZI_TRY_GIVE_UP;
    nm->iterations++;
    nm->tries++;
    note_residual(nm);
    const ziTry solved = solve_step(in, h);
    if (solved != ZI_TRY_DONE) return solved;
    *size = nm->left = correction_size(in, h);
    for (int i = 0; i < nm->nu; i++) nm->u[i] -= nm->x[i];
    return isfinite(*size) ? ZI_TRY_DONE : ZI_TRY_SLOW;
}

/* Corrections that shrink by `ratio` sum up to ratio / (1 - ratio) times the last one [Hairer2] IV.8 (8.10). */
static double left_over(double size, double ratio) { return ratio < 0.5 ? ratio / (1 - ratio) * size : size; }

static const double NEAR = 1e5; /* tolerances of the corrector from which on energy-momentum looks at its balances */

/* Completes the step unless energy-momentum finds that its balances want another iteration. left: of the corrections to
 * come, in tolerances. */
static bool is_done(zvIntegrator *in, double h, double left) {
    ziNewmark *nm = zi_newmark(in);
    const double near = nm->lags ? 1 : NEAR;
    nm->shifted = nm->conserves && left <= near && zi_conserve_correct(in, h) > tolerance_of(in, h);
    if (left > 1 || nm->shifted) return false;
    if (nm->conserves)
        zi_conserve_close(in, h, tolerance_of(in, h));
    else
        zi_newmark_complete(in, h);
    return true;
}

/* Predicts and corrects until the correction is small beside the tolerance; fails when it keeps growing, and prepares a
 * fresh matrix once when an old one converges slowly. */
ziTry zi_newmark_correct(zvIntegrator *in, double h) {
    ziNewmark *nm = zi_newmark(in);
    double before = INFINITY, size = 0;
    int growths = 0;
    bool fresh;
    nm->tries = 0;
    nm->left = nm->residual = 0;
    nm->shifted = nm->unclosed = false;
    if (nm->conserves) zi_conserve_open(in);
    predict(in, h);
    ziTry outcome = open_step(in, h, &fresh);
    while (outcome == ZI_TRY_DONE && nm->tries < in->structural.corrector_iterations) {
        outcome = iterate(in, h, &size);
        if (outcome != ZI_TRY_DONE) break;
        const double ratio = nm->tries > 1 ? size / before : 1;
        const bool grows = nm->tries > 1 && ratio > HOPELESS && !nm->shifted;
        if (is_done(in, h, left_over(size, ratio))) return nm->unclosed ? ZI_TRY_REFUSED : ZI_TRY_DONE;
        if (grows && ++growths > 1 && (fresh || !nm->full)) break;
        if (nm->full && !fresh && nm->tries > 1 && ratio > SLOW) {
            outcome = newmark_prepare(in, h, nm->u);
            fresh = true;
        }
        before = size;
    }
    nm->failures++;
    return outcome == ZI_TRY_DONE ? ZI_TRY_SLOW : outcome;
}
