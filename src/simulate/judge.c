/* A run judges itself: numbers that no machine has end it, and its energy ledger is looked at before it is called done.
 *
 * The largest gap that the ledger showed is compared with the energy that was in the system or was exchanged, whichever
 * is more (zi_ledger_reference). Above the first threshold the run warns, above the second it fails, unless the caller
 * accepts that. docs/scenarios.md, "How a run judges itself". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/run.h"

static const double doubtful = 1e-3, wrong = 0.1; /* |gap| over the reference */
static const double light = 299792458;            /* m/s */

double zi_judge_error(const ziRun *r) {
    return r->scenario->ledger ? r->ledger.worst / zi_ledger_reference(&r->ledger) : NAN;
}

zvEnergyJudgement zi_judge_energy(const ziRun *r) {
    const double error = zi_judge_error(r);
    if (!r->scenario->ledger) return ZV_ENERGY_NOT_JUDGED;
    if (!(error <= wrong)) return ZV_ENERGY_WRONG; /* also of infinite energies */
    return error <= doubtful ? ZV_ENERGY_BALANCED : ZV_ENERGY_DOUBTFUL;
}

const char *zv_energy_judgement_word(zvEnergyJudgement judgement) {
    static const char *const words[] = {[ZV_ENERGY_NOT_JUDGED] = "not judged",
                                        [ZV_ENERGY_BALANCED] = "balanced",
                                        [ZV_ENERGY_DOUBTFUL] = "doubtful",
                                        [ZV_ENERGY_WRONG] = "wrong"};
    return words[judgement];
}

/* What would make the integration more exact, by the method that ran. */
static void put_remedy(const ziRun *r, char *text, size_t size) {
    const zvScenario *scenario = r->scenario;
    const zvIntegrationOptions *o = &scenario->integration;
    const zvStructural *structural = o->structural;
    const bool open = zv_model_nloop(scenario->model) > 0 && scenario->stabilisation != ZI_STABILISE_PROJECTION;
    char where[ZI_LOOP_WARNING / 2];
    size_t used = 0;
    if (open) used = (size_t)snprintf(text, size, "close the loops by projection, or ");
    if (zi_system_tell_singular(r->system, -INFINITY, where, sizeof where))
        used +=
            (size_t)snprintf(text + used, size - used,
                             "if velocities began in the singular position (%.200s), give such as lie along one of its "
                             "branches; or ",
                             where);
    if (!zv_integration_is_fixed(o))
        snprintf(text + used, size - used, "tighten the tolerances (rtol %.3g, atol %.3g)", o->rtol, o->atol);
    else if (structural && strcmp(o->method, "energy-momentum") != 0)
        snprintf(text + used, size - used,
                 "shorten the step (%.3g s), or take energy-momentum, which balances energy in every step", o->step);
    else
        snprintf(text + used, size - used,
                 "shorten the step (%.3g s), or take a method that chooses its steps, such as bdf", o->step);
}

const char *zi_judge_words(const ziRun *r, char *text, size_t size) {
    const double reference = zi_ledger_reference(&r->ledger);
    char remedy[600];
    put_remedy(r, remedy, sizeof remedy);
    snprintf(text, size,
             "the energy %s: the gap of its ledger reached %.3g J, %.2g of the %.4g J that were in the system or "
             "exchanged; %s",
             zi_judge_energy(r) == ZV_ENERGY_WRONG ? "is wrong" : "is doubtful", r->ledger.worst,
             r->ledger.worst / reference, reference, remedy);
    return text;
}

static bool is_finite_state(const ziRun *r) {
    double sum = 0;
    for (int i = 0; i < r->system->size; i++) sum += 0 * r->y[i];
    return sum == 0;
}

static zvStatus run_away(const ziRun *r, const char *what, zvError *error) {
    char remedy[600];
    put_remedy(r, remedy, sizeof remedy);
    return zv_fail(
        error, ZV_NO_CONVERGENCE, (zvMark){0}, NULL,
        "the motion has run away: at t = %.9g s %s; are the numbers of the scenario sensible? If they are, %s", r->t,
        what, remedy);
}

/* More than the robot's mass would have at the speed of light is no motion of a machine, whatever its units. */
static bool is_absurd(const ziRun *r, double kinetic) {
    const double mass = zv_model_mass(r->system->model);
    return !isfinite(kinetic) || (mass > 0 && kinetic > 0.5 * mass * light * light);
}

/* Beyond a turn the series of rotations of sections give nonsense, finite as it may be. */
static zvStatus watch_turns(const ziRun *r, zvError *error) {
    const zvModel *model = r->system->model;
    int link;
    const double turn = zv_elastic_turn(model, r->y, &link);
    if (turn <= ZV_ELASTIC_TURN) return ZV_OK;
    if (zi_judge_energy(r) != ZV_ENERGY_BALANCED && zi_judge_energy(r) != ZV_ENERGY_NOT_JUDGED) {
        char what[160];
        snprintf(what, sizeof what, "sections of elastic link \"%.60s\" turn by %.4g rad, and the energy does not balance",
                 zv_model_link(model, link)->name, turn);
        return run_away(r, what, error);
    }
    return zv_fail(error, ZV_NO_CONVERGENCE, (zvMark){0}, NULL,
                   "elastic link \"%s\" is twisted too far: at t = %.9g s expected its sections to turn by less than a "
                   "turn (6.283 rad), found %.4g rad; cut it into several links with shapes: cubic, or make it stiffer",
                   zv_model_link(model, link)->name, r->t, turn);
}

/* Called after every step; the kinetic energy is that of the ledger, where one is kept. */
zvStatus zi_run_watch(const ziRun *r, zvError *error) {
    char what[96];
    if (!is_finite_state(r)) return run_away(r, "the state is not finite", error);
    if (zv_model_nelastic(r->system->model)) {
        const zvStatus status = watch_turns(r, error);
        if (status < 0) return status;
    }
    const double kinetic = r->ledger.now[ZI_STORE_KINETIC];
    if (!r->scenario->ledger || !is_absurd(r, kinetic)) return ZV_OK;
    snprintf(what, sizeof what, "the kinetic energy is %.3g J", kinetic);
    return run_away(r, what, error);
}

/* From a singular position at rest rounding takes one of the ways on; another run may take another. */
static zvStatus refuse_guess(ziRun *r, zvError *error) {
    char where[ZI_LOOP_WARNING / 2];
    if (!r->system->guessed || r->scenario->any_branch) return ZV_OK;
    if (!zi_system_tell_singular(r->system, -INFINITY, where, sizeof where)) return ZV_OK;
    r->condemned = true;
    return zv_fail(error, ZV_SINGULAR, (zvMark){0}, NULL,
                   "the motion is one of several: the loops were in a singular position that several motions go on "
                   "from (%s), nothing told which, and they moved on; start beside it, or give the velocities "
                   "of as many joints as are free there, along one branch; loops: {branch: any} takes the run as it is",
                   where);
}

/* Of a run that came to its end; runs without a ledger are looked at here for the first time. */
zvStatus zi_run_judge(ziRun *r, zvError *error) {
    char text[800];
    const zvStatus status = refuse_guess(r, error);
    if (status < 0) return status;
    if (!r->scenario->ledger) {
        double kinetic, potential;
        zi_system_show(r->system, r->t, r->y);
        zv_energy(r->system->model, r->system->work, r->system->q, r->system->v, &kinetic, &potential);
        snprintf(text, sizeof text, "the kinetic energy is %.3g J", kinetic);
        return is_absurd(r, kinetic) ? run_away(r, text, error) : ZV_OK;
    }
    if (zi_judge_energy(r) != ZV_ENERGY_WRONG || r->options.accept_energy_error) return ZV_OK;
    r->condemned = true;
    zi_judge_words(r, text, sizeof text);
    return zv_fail(error, ZV_NO_CONVERGENCE, (zvMark){0}, NULL, "%s; --accept-energy-error takes the run as it is",
                   text);
}
