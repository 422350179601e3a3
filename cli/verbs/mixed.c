/* zveno mixed: some degrees of freedom with known force, the others with known acceleration. */
#include "dofs.h"
#include "loops.h"
#include "passive.h"
#include "question.h"
#include "verb.h"

static double *tau_of(const Case *at) { return at->answer; }
static double *a_of(const Case *at) { return at->answer + zv_model_nv(at->model); }

static double *lambda_of(const Case *at) { return a_of(at) + zv_model_nv(at->model); }
static double *wrenches_of(const Case *at) { return lambda_of(at) + zv_model_nloop_rows(at->model); }

static size_t answer_size(const zvModel *model) {
    return 2 * (size_t)zv_model_nv(model) + (size_t)zv_model_nloop_rows(model) + 6 * (size_t)zv_model_nloop(model);
}

/* Dynamics knows the whole force: passive ones go in with the knowns and come off again. */
static zvStatus solve_forces(const Case *at) {
    const State *s = at->state;
    if (!zv_model_nloop(at->model))
        return zv_mixed_dynamics(at->model, at->work, s->q, s->v, s->given, s->fext, tau_of(at), a_of(at));
    const zvStatus status = zv_closed_mixed_dynamics(at->model, at->work, NULL, s->q, s->v, s->given, s->fext,
                                                     tau_of(at), a_of(at), lambda_of(at));
    if (status >= 0) zv_loop_wrenches(at->model, at->work, s->q, lambda_of(at), wrenches_of(at));
    return status;
}

/* Knowns go in and unknowns come out through the same two arrays. */
static zvStatus solve(const Case *at) {
    const State *s = at->state;
    const size_t nv = (size_t)zv_model_nv(at->model);
    for (size_t i = 0; i < nv; i++) {
        tau_of(at)[i] = s->tau[i];
        a_of(at)[i] = s->given[i] == ZV_GIVEN_LOCKED ? 0 : s->a[i];
    }
    passive_add(at, 1, tau_of(at));
    const zvStatus status = solve_forces(at);
    passive_add(at, -1, tau_of(at));
    for (size_t i = 0; i < nv; i++) {
        if (s->given[i] == ZV_GIVEN_FORCE) tau_of(at)[i] = s->tau[i]; /* not its rounded sum and difference */
    }
    return status;
}

static void print_json(const Case *at, Json *json) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    json_key(json, "tau");
    json_numbers(json, tau_of(at), nv);
    json_key(json, "a");
    json_numbers(json, a_of(at), nv);
    loop_forces_json(at->model, lambda_of(at), wrenches_of(at), json);
}

static void print_table(const Case *at, Text *out) {
    DofColumn columns[2 + PASSIVE_SHARES] = {
        {.name = "tau", .quantity = QUANTITY_FORCE, .values = tau_of(at)},
        {.name = "a", .quantity = QUANTITY_ACCELERATION, .values = a_of(at)},
    };
    table_of_dofs(at->model, columns, passive_columns(at, columns, 2), out);
    loop_forces_table(at->model, wrenches_of(at), out);
}

static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,        solve,
                                      print_json,         print_table,
                                      .loops = LOOPS_ACT, .takes = STATE_A | STATE_TAU | STATE_FEXT | STATE_GIVEN,
                                      .dynamics = true};
    return question_answer(&question, args, NULL, out);
}

const Verb verb_mixed = {
    .name = "mixed",
    .run = run,
    .options = OPTIONS_STATE | OPTION_PASSIVE | OPTION_SMOOTHING,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--passive [--smoothing V]]",
    .summary = "forces and accelerations when some of each are known (mixed dynamics)",
    .help =
        "Takes q, v, tau, a, fext and given: for each degree of freedom what is known of it,\n"
        "\"tau\" (the acceleration is found), \"a\" (the force is found) or \"locked\" (a = 0, the force is found).\n"
        "Prints (JSON keys)\n"
        "  tau     nv forces, N m or N, known and found\n"
        "  a       nv accelerations, rad/s^2 or m/s^2, known and found\n"
        "  lambda, loops  when there are loops: see zveno help forward\n"
        "  passive  with --passive: {spring, viscous, dry}, nv forces each, N m or N, as they act on the joints\n"
        "tau is the whole force in the joint: springs, damping and friction of the file act besides it with\n"
        "--passive only. At v = 0 dry friction is zero.\n"
        "Exit code 3: the equations are singular, or the accelerations given contradict the loops.\n"
        "\n"
        "Example\n"
        "  echo '{given: [a, tau], a: [1, 0], tau: [0, 0.2]}' | zveno mixed arm.urdf --state - --json\n",
};
