/* zveno mass: the mass matrix. */
#include "dofs.h"
#include "methods.h"
#include "question.h"
#include "verb.h"

static size_t answer_size(const zvModel *model) { return (size_t)zv_model_nv(model) * (size_t)zv_model_nv(model); }

static Code choose(Case *at) { return method_check(ZV_QUESTION_MASS, at->method, at->model); }

static zvStatus solve(const Case *at) {
    const zvMethod *method = at->method;
    const zvStatus status = method->run(at->model, at->work, at->state->q, NULL, NULL, NULL, at->answer);
    return method_outcome(ZV_QUESTION_MASS, at, status);
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
    static const Question question = {answer_size,      solve,           print_json, print_table, .loops = LOOPS_OPEN,
                                      .choose = choose, .dynamics = true};
    const zvMethod *method = method_choose(ZV_QUESTION_MASS, args);
    return method ? question_answer(&question, args, method, out) : CODE_USAGE;
}

static void describe_methods(Text *out) { methods_describe(ZV_QUESTION_MASS, "Methods", out); }

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
    .more = describe_methods,
};
