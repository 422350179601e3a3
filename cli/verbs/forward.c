/* zveno forward: the acceleration caused by forces, and what loops do to it. */
#include <string.h>

#include "dofs.h"
#include "loops.h"
#include "methods.h"
#include "motors.h"
#include "passive.h"
#include "question.h"
#include "verb.h"
#include "zveno/flexible.h"

static bool has_loops(const Case *at) { return zv_model_nloop(at->model) > 0; }
static double *lambda_of(const Case *at) { return at->answer + zv_model_nv(at->model); }
static double *wrenches_of(const Case *at) { return lambda_of(at) + zv_model_nloop_rows(at->model); }
static double *tau_of(const Case *at) { return wrenches_of(at) + 6 * (size_t)zv_model_nloop(at->model); }
static double *fext_of(const Case *at) { return tau_of(at) + zv_model_nv(at->model); }

static size_t answer_size(const zvModel *model) {
    return 2 * (size_t)zv_model_nv(model) + (size_t)zv_model_nloop_rows(model) + 6 * (size_t)zv_model_nloop(model) +
           (size_t)zv_model_nexternal(model);
}

static Code choose(Case *at) {
    const int table = has_loops(at) ? METHODS_CLOSED : ZV_QUESTION_FORWARD;
    at->method = method_choose(table, at->args);
    return at->method ? method_check(table, at->method, at->model) : CODE_USAGE;
}

/* What acts in the joints: tau of the state or of gears and, where wanted, the passive forces. */
static const double *force_of(const Case *at) {
    const size_t bytes = (size_t)zv_model_nv(at->model) * sizeof(double);
    if (!at->passive && !at->motors) return at->state->tau;
    memcpy(tau_of(at), at->state->tau, bytes);
    if (at->motors) motors_forces(at, tau_of(at));
    passive_add(at, 1, tau_of(at));
    return tau_of(at);
}

/* What pushes on the links: that of the state, and rotors with an axis. */
static const double *external_of(const Case *at) {
    const double *given = at->state->fext;
    if (!at->motors || !zv_model_has_rotor_axes(at->model)) return given;
    const size_t count = (size_t)zv_model_nexternal(at->model);
    for (size_t i = 0; i < count; i++) fext_of(at)[i] = given ? given[i] : 0;
    motors_react(at, fext_of(at));
    return fext_of(at);
}

static zvStatus solve_closed(const Case *at) {
    const zvClosedMethod *method = at->method;
    const State *s = at->state;
    const double *force = force_of(at), *external = external_of(at);
    const zvStatus status =
        method->run(at->model, at->work, NULL, s->q, s->v, force, external, at->answer, lambda_of(at));
    if (status >= 0) zv_loop_wrenches(at->model, at->work, s->q, lambda_of(at), wrenches_of(at));
    return status;
}

static zvStatus solve_links(const Case *at) {
    if (has_loops(at)) return solve_closed(at);
    const zvMethod *method = at->method;
    const State *s = at->state;
    const double *force = force_of(at), *external = external_of(at);
    const zvStatus status = method->run(at->model, at->work, s->q, s->v, force, external, at->answer);
    return method_outcome(ZV_QUESTION_FORWARD, at, status);
}

static zvStatus solve(const Case *at) {
    const zvStatus status = solve_links(at);
    if (status >= 0 && at->motors) motors_accelerate(at, at->answer);
    return status;
}

static void print_json(const Case *at, Json *json) {
    json_key(json, "a");
    json_numbers(json, at->answer, (size_t)zv_model_nv(at->model));
    if (at->motors) {
        motors_json(at, "theta_second", MOTOR_SECOND, json);
        motors_json(at, "gear", MOTOR_GEAR, json);
    }
    loop_forces_json(at->model, lambda_of(at), wrenches_of(at), json);
}

static void print_table(const Case *at, Text *out) {
    DofColumn columns[3 + PASSIVE_SHARES] = {{.name = "a", .quantity = QUANTITY_ACCELERATION, .values = at->answer}};
    size_t count = 1;
    if (at->motors) {
        columns[count++] = motors_column(at, MOTOR_SECOND);
        columns[count++] = motors_column(at, MOTOR_GEAR);
    }
    table_of_dofs(at->model, columns, passive_columns(at, columns, count), out);
    loop_forces_table(at->model, wrenches_of(at), out);
}

static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,
                                      solve,
                                      print_json,
                                      print_table,
                                      .choose = choose,
                                      .takes = STATE_TAU | STATE_FEXT,
                                      .motors = STATE_TAU | STATE_FEXT | STATE_THETA | STATE_RATE,
                                      .dynamics = true};
    return question_answer(&question, args, NULL, out);
}

static void describe_methods(Text *out) {
    methods_describe(ZV_QUESTION_FORWARD, "Methods", out);
    text_puts(out, "\n");
    methods_describe(METHODS_CLOSED, "Methods for robots with loops", out);
}

const Verb verb_forward = {
    .name = "forward",
    .run = run,
    .options = OPTIONS_STATE | OPTION_METHOD | OPTION_PASSIVE | OPTION_SMOOTHING | OPTION_MOTORS,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--method NAME] [--passive [--smoothing V]] [--motors none]",
    .summary = "acceleration caused by forces (forward dynamics)",
    .help =
        "Takes q, v, tau, fext. Prints (JSON keys)\n"
        "  a       nv accelerations, rad/s^2 or m/s^2\n"
        "  lambda  multipliers of the conditions of all loops, when there are loops\n"
        "  loops   [{name, wrench}]: force and moment of parent on child in each loop, in its child frame;\n"
        "          multiplier instead of wrench for a coupling\n"
        "  passive  with --passive: {spring, viscous, dry}, nv forces each, N m or N, as they act on the joints\n"
        "Of flexible joints also takes theta, theta_rate (motor angles / ratio; q and v unless given); tau there is\n"
        "that of the motors, ratio * torque. Then also prints\n"
        "  theta_second  nv accelerations of the motors, those of the links where joints are rigid\n"
        "  gear          nv forces in the joints, of gears where there are some\n"
        "--motors none: tau are the forces on the links.\n"
        "tau is the whole force in the joint: springs, damping and friction of the file act besides it with\n"
        "--passive only. At v = 0 dry friction is zero: what holds a joint at rest, simulations find out.\n"
        "The state is taken as it is; zveno assemble makes one that closes the loops.\n"
        "Exit code 3: the equations are singular (a part without inertia can move freely).\n"
        "\n"
        "Example\n"
        "  echo '{q: [0.3, -1.2], tau: [5, 0]}' | zveno forward arm.urdf --state - --json\n",
    .more = describe_methods,
};
