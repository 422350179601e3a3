/* zveno terms: everything the equations of motion consist of, M a + C v + g + k = tau + p + sum J^T fext. */
#include "dofs.h"
#include "methods.h"
#include "passive.h"
#include "question.h"
#include "verb.h"
#include "zveno/kinematics.h"
#include "zveno/passive.h"

/* Where the parts of the answer lie. */
typedef struct TermsAnswer {
    double *M, *C;                               /* nv x nv */
    double *bias, *gravity, *elastic, *momentum; /* nv */
    double *energy;                              /* kinetic, potential, strain, springs of joints */
    double *com;                                 /* 3 */
    double *centroidal;                          /* 6 */
} TermsAnswer;

static size_t answer_size(const zvModel *model) {
    const size_t nv = (size_t)zv_model_nv(model);
    return 2 * nv * nv + 4 * nv + 4 + 3 + 6;
}

/* The answer is one array; this names its parts. */
static TermsAnswer terms_of(const Case *at) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    TermsAnswer t;
    t.M = at->answer;
    t.C = t.M + nv * nv;
    t.bias = t.C + nv * nv;
    t.gravity = t.bias + nv;
    t.elastic = t.gravity + nv;
    t.momentum = t.elastic + nv;
    t.energy = t.momentum + nv;
    t.com = t.energy + 4;
    t.centroidal = t.com + 3;
    return t;
}

static Code choose(Case *at) { return method_check(ZV_QUESTION_BIAS, at->method, at->model); }

/* Every term by its own function, so that sums can be checked against each other. */
static zvStatus solve(const Case *at) {
    const zvMethod *method = at->method;
    const TermsAnswer t = terms_of(at);
    const double *q = at->state->q, *v = at->state->v;
    zv_mass_matrix(at->model, at->work, q, t.M);
    zv_coriolis_matrix(at->model, at->work, q, v, t.C);
    zv_gravity_force(at->model, at->work, q, t.gravity);
    zv_elastic_force(at->model, q, v, t.elastic);
    zv_mass_times(at->model, at->work, q, v, t.momentum);
    zv_energy(at->model, at->work, q, v, &t.energy[0], &t.energy[1]);
    t.energy[2] = zv_strain_energy(at->model, q);
    t.energy[3] = at->passive ? zv_passive_energy(at->model, at->work, q) : 0;
    zv_momentum(at->model, at->work, q, v, t.centroidal, t.com);
    return method->run(at->model, at->work, q, v, NULL, NULL, t.bias);
}

/* Terms by name; elastic forces only where links bend. */
static void print_json(const Case *at, Json *json) {
    const TermsAnswer t = terms_of(at);
    const size_t nv = (size_t)zv_model_nv(at->model);
    json_key(json, "mass"), json_rows(json, t.M, nv, nv);
    json_key(json, "coriolis"), json_rows(json, t.C, nv, nv);
    json_key(json, "bias"), json_numbers(json, t.bias, nv);
    json_key(json, "gravity"), json_numbers(json, t.gravity, nv);
    if (zv_model_nelastic(at->model) > 0) json_key(json, "elastic"), json_numbers(json, t.elastic, nv);
    json_key(json, "momentum"), json_numbers(json, t.momentum, nv);
    json_key(json, "energy"), json_map(json, JSON_LINE);
    json_key(json, "kinetic"), json_number(json, t.energy[0]);
    json_key(json, "potential"), json_number(json, t.energy[1]);
    if (zv_model_nelastic(at->model) > 0) json_key(json, "strain"), json_number(json, t.energy[2]);
    if (at->passive) json_key(json, "springs"), json_number(json, t.energy[3]);
    json_end(json);
    json_key(json, "com"), json_numbers(json, t.com, 3);
    json_key(json, "centroidal_momentum"), json_numbers(json, t.centroidal, 6);
}

static void print_numbers(Text *out, const char *title, const double *values, int count) {
    text_puts(out, title);
    for (int i = 0; i < count; i++) {
        text_puts(out, "  ");
        text_number_short(out, values[i]);
    }
    text_puts(out, "\n");
}

/* Mass and Coriolis matrix, the vectors in one table under them, then energies, centre of mass and momentum. */
static void print_table(const Case *at, Text *out) {
    const TermsAnswer t = terms_of(at);
    const size_t nv = (size_t)zv_model_nv(at->model);
    DofColumn columns[4 + PASSIVE_SHARES] = {
        {.name = "bias", .quantity = QUANTITY_FORCE, .values = t.bias},
        {.name = "gravity", .quantity = QUANTITY_FORCE, .values = t.gravity},
        {.name = "momentum", .quantity = QUANTITY_MOMENTUM, .values = t.momentum},
        {.name = "elastic", .quantity = QUANTITY_FORCE, .values = t.elastic},
    };
    const bool elastic = zv_model_nelastic(at->model) > 0;
    table_of_matrix(at->model, "mass matrix [kg m^2, kg m, kg]", NULL, nv, t.M, out);
    text_puts(out, "\n");
    table_of_matrix(at->model, "Coriolis matrix [N m s/rad, N s/m]", NULL, nv, t.C, out);
    text_puts(out, "\n");
    table_of_dofs(at->model, columns, passive_columns(at, columns, elastic ? 4 : 3), out);
    text_puts(out, "\n");
    print_numbers(out, "kinetic energy [J]               ", &t.energy[0], 1);
    print_numbers(out, "potential energy [J]             ", &t.energy[1], 1);
    if (elastic) print_numbers(out, "strain energy [J]                ", &t.energy[2], 1);
    if (at->passive) print_numbers(out, "energy of joint springs [J]      ", &t.energy[3], 1);
    print_numbers(out, "centre of mass [m]               ", t.com, 3);
    print_numbers(out, "linear momentum [N s]            ", t.centroidal, 3);
    print_numbers(out, "angular momentum about it [N m s]", t.centroidal + 3, 3);
}

static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,      solve,           print_json, print_table, .loops = LOOPS_OPEN,
                                      .choose = choose, .dynamics = true};
    const zvMethod *method = method_choose(ZV_QUESTION_BIAS, args);
    return method ? question_answer(&question, args, method, out) : CODE_USAGE;
}

static void describe_methods(Text *out) { methods_describe(ZV_QUESTION_BIAS, "Methods for the bias", out); }

const Verb verb_terms = {
    .name = "terms",
    .run = run,
    .options = OPTIONS_STATE | OPTION_METHOD | OPTION_PASSIVE | OPTION_SMOOTHING,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--method NAME] [--passive [--smoothing V]]",
    .summary = "all terms of the equations of motion, energy and momentum",
    .help =
        "The equations are M a + C v + g + k = tau + sum J^T fext. Takes q, v. Prints (JSON keys)\n"
        "  mass                 M, nv x nv, armature included\n"
        "  coriolis             C, nv x nv; dM/dt - 2 C is skew\n"
        "  bias                 C v + g + k, nv forces, N m or N\n"
        "  gravity              g, nv forces, N m or N\n"
        "  elastic              k = K e + D de/dt of elastic links, nv forces; absent when all links are rigid\n"
        "  momentum             M v, nv generalised momenta, N m s or N s\n"
        "  energy               {kinetic, potential}, J; strain when links are elastic, springs with --passive\n"
        "  com                  centre of mass of the moving bodies in the world, m\n"
        "  centroidal_momentum  linear momentum and angular momentum about com, world axes, N s and N m s\n"
        "  passive              with --passive: {spring, viscous, dry}, nv forces each, as they act on the joints,\n"
        "                       on the right of the equations beside tau; not part of bias. At v = 0 dry is zero\n"
        "\n"
        "Example\n"
        "  echo '{v: [1, 0.5]}' | zveno terms arm.urdf --state -\n",
    .more = describe_methods,
};
