/* zveno mass: the mass matrix. */
#include "dof_table.h"
#include "methods.h"
#include "question.h"
#include "verb.h"

static size_t room(const zvModel *model) { return (size_t)zv_model_nv(model) * (size_t)zv_model_nv(model); }

static zvStatus solve(const Case *at) {
    const zvMassMethod *method = at->method;
    return method->run(at->model, at->work, at->state->q, at->answer);
}

static void print_json(const Case *at, Json *json) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    json_key(json, "mass");
    json_rows(json, at->answer, nv, nv);
}

static void print_table(const Case *at, Text *out) {
    table_of_matrix(at->model, "mass matrix [kg m^2, kg m, kg]", NULL, (size_t)zv_model_nv(at->model), at->answer, out);
}

static Code run(const Args *args, Text *out) {
    static const Question question = {room, solve, print_json, print_table, .loops = LOOPS_OPEN};
    const zvMassMethod *method = mass_method(args);
    return method ? question_answer(&question, args, method, out) : CODE_USAGE;
}

const Verb verb_mass = {
    .name = "mass",
    .run = run,
    .options = OPTIONS_STATE | OPTION_METHOD,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--method NAME]",
    .summary = "mass matrix",
    .help = "Takes q. Prints (JSON key)\n"
            "  mass  nv rows of nv numbers, symmetric, armature included; kg m^2, kg m or kg\n"
            "\n"
            "Example\n"
            "  zveno mass arm.urdf\n",
    .more = mass_methods_describe,
};
