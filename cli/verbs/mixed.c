/* zveno mixed: some degrees of freedom with known force, the others with known acceleration. */
#include "dofs.h"
#include "loops.h"
#include "question.h"
#include "verb.h"

static double *tau_of(const Case *at) { return at->answer; }
static double *a_of(const Case *at) { return at->answer + zv_model_nv(at->model); }

static double *lambda_of(const Case *at) { return a_of(at) + zv_model_nv(at->model); }
static double *wrenches_of(const Case *at) { return lambda_of(at) + zv_model_nloop_rows(at->model); }

static size_t answer_size(const zvModel *model) {
    return 2 * (size_t)zv_model_nv(model) + (size_t)zv_model_nloop_rows(model) + 6 * (size_t)zv_model_nloop(model);
}

/* Knowns go in and unknowns come out through the same two arrays. */
static zvStatus solve(const Case *at) {
    const State *s = at->state;
    const size_t nv = (size_t)zv_model_nv(at->model);
    for (size_t i = 0; i < nv; i++) {
        tau_of(at)[i] = s->tau[i];
        a_of(at)[i] = s->given[i] == ZV_GIVEN_LOCKED ? 0 : s->a[i];
    }
    if (!zv_model_nloop(at->model))
        return zv_mixed_dynamics(at->model, at->work, s->q, s->v, s->given, s->fext, tau_of(at), a_of(at));
    const zvStatus status = zv_closed_mixed_dynamics(at->model, at->work, NULL, s->q, s->v, s->given, s->fext,
                                                     tau_of(at), a_of(at), lambda_of(at));
    if (status >= 0) zv_loop_wrenches(at->model, at->work, s->q, lambda_of(at), wrenches_of(at));
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
    const DofColumn columns[] = {
        {.name = "tau", .quantity = QUANTITY_FORCE, .values = tau_of(at)},
        {.name = "a", .quantity = QUANTITY_ACCELERATION, .values = a_of(at)},
    };
    table_of_dofs(at->model, columns, 2, out);
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
    .options = OPTIONS_STATE,
    .needs_model = true,
    .form = "MODEL [--state FILE]",
    .summary = "forces and accelerations when some of each are known (mixed dynamics)",
    .help =
        "Takes q, v, tau, a, fext and given: for each degree of freedom what is known of it,\n"
        "\"tau\" (the acceleration is found), \"a\" (the force is found) or \"locked\" (a = 0, the force is found).\n"
        "Prints (JSON keys)\n"
        "  tau     nv forces, N m or N, known and found\n"
        "  a       nv accelerations, rad/s^2 or m/s^2, known and found\n"
        "  lambda, loops  when there are loops: see zveno help forward\n"
        "tau is the whole force in the joint: springs, damping and friction of the file do not act besides it.\n"
        "Exit code 3: the equations are singular, or the accelerations given contradict the loops.\n"
        "\n"
        "Example\n"
        "  echo '{given: [a, tau], a: [1, 0], tau: [0, 0.2]}' | zveno mixed arm.urdf --state - --json\n",
};
