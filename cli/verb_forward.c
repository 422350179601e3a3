/* zveno forward: the acceleration caused by forces. */
#include "dof_table.h"
#include "methods.h"
#include "question.h"
#include "verb.h"

static size_t room(const zvModel *model) { return (size_t)zv_model_nv(model); }

static zvStatus solve(const Case *at) {
    const zvForwardMethod *method = at->method;
    const State *s = at->state;
    return method->run(at->model, at->work, s->q, s->v, s->tau, s->fext, at->answer);
}

static void print_json(const Case *at, Json *json) {
    json_key(json, "a");
    json_numbers(json, at->answer, (size_t)zv_model_nv(at->model));
}

static void print_table(const Case *at, Text *out) {
    const Column column = {.name = "a", .quantity = QUANTITY_ACCELERATION, .values = at->answer};
    table_of_dofs(at->model, &column, 1, out);
}

static Code run(const Args *args, Text *out) {
    static const Question question = {room, solve, print_json, print_table};
    const zvForwardMethod *method = forward_method(args);
    return method ? question_answer(&question, args, method, out) : CODE_USAGE;
}

const Verb verb_forward = {
    .name = "forward",
    .run = run,
    .options = OPTIONS_STATE | OPTION_METHOD,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--method NAME]",
    .summary = "acceleration caused by forces (forward dynamics)",
    .help = "Takes q, v, tau, fext. Prints (JSON key)\n"
            "  a  nv accelerations, rad/s^2 or m/s^2\n"
            "tau is the whole force in the joint: springs, damping and friction of the file do not act besides it.\n"
            "Exit code 3: the equations are singular (a part without inertia can move freely).\n"
            "\n"
            "Example\n"
            "  echo '{q: [0.3, -1.2], tau: [5, 0]}' | zveno forward arm.urdf --state - --json\n",
    .more = forward_methods_describe,
};
