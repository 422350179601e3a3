/* zveno terms: everything the equations of motion consist of, M a + C v + g + k = tau + p + sum J^T fext. */
#include "dofs.h"
#include "methods.h"
#include "motors.h"
#include "passive.h"
#include "question.h"
#include "verb.h"
#include "zveno/flexible.h"
#include "zveno/kinematics.h"
#include "zveno/passive.h"

/* Of the equation of motors, J theta'' = tau - spring - damper - friction. */
enum { MOTOR_INERTIA, MOTOR_SPRING, MOTOR_DAMPER, MOTOR_FRICTION, MOTOR_TERMS };
static const char *const motor_terms[MOTOR_TERMS] = {"inertia", "spring", "damper", "friction"};

/* Where the parts of the answer lie. */
typedef struct TermsAnswer {
    double *M, *C;                               /* nv x nv */
    double *bias, *gravity, *elastic, *momentum; /* nv */
    double *energy;                              /* kinetic, potential, strain, springs of joints, gears, rotors */
    double *motors[MOTOR_TERMS];                 /* nv */
    double *coupling;                            /* nv x nv, of rotors with an axis */
    double *com;                                 /* 3 */
    double *centroidal, *centroidal_bias;        /* 6 */
    double *map;                                 /* 6 x nv */
    double *biased;                              /* 1: whether the bias of it is known */
} TermsAnswer;

static size_t answer_size(const zvModel *model) {
    const size_t nv = (size_t)zv_model_nv(model);
    return 3 * nv * nv + (4 + MOTOR_TERMS + 6) * nv + 6 + 3 + 6 + 6 + 1;
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
    t.com = t.energy + 6;
    t.centroidal = t.com + 3;
    t.centroidal_bias = t.centroidal + 6;
    t.biased = t.centroidal_bias + 6;
    t.map = t.biased + 1;
    for (size_t i = 0; i < MOTOR_TERMS; i++) t.motors[i] = t.map + (6 + i) * nv;
    t.coupling = t.map + (6 + MOTOR_TERMS) * nv;
    return t;
}

static Code choose(Case *at) { return method_check(ZV_QUESTION_BIAS, at->method, at->model); }

/* Of gears and rotors, as they stand in the equation of the motors; the spring and the damper push the links. */
static void solve_motors(const Case *at, const TermsAnswer *t) {
    const State *s = at->state;
    double spins[3];
    zv_rotor_momentum(at->model, at->work, s->q, s->v, s->theta_rate, spins);
    for (int i = 0; i < 3; i++) t->centroidal[3 + i] += spins[i];
    zv_gear_forces(at->model, s->q, s->v, s->theta, s->theta_rate, t->motors[MOTOR_SPRING], t->motors[MOTOR_DAMPER]);
    zv_motor_energy(at->model, at->work, s->q, s->v, s->theta, s->theta_rate, &t->energy[4], &t->energy[5]);
    zv_rotor_coupling(at->model, at->work, s->q, t->coupling);
    for (int j = 0; j < zv_model_njoint(at->model); j++) {
        const zvFlexibleJoint *gear = zv_model_joint(at->model, j)->flexible;
        const int dof = zv_model_joint_place(at->model, j).v_index;
        if (!gear) continue;
        t->motors[MOTOR_INERTIA][dof] = gear->inertia * gear->ratio * gear->ratio;
        t->motors[MOTOR_FRICTION][dof] = gear->motor_damping * gear->ratio * gear->ratio * s->theta_rate[dof];
    }
}

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
    zv_centroidal_map(at->model, at->work, q, t.map, NULL);
    *t.biased = zv_centroidal_bias(at->model, at->work, q, v, t.centroidal_bias) == ZV_OK;
    if (at->motors) solve_motors(at, &t);
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
    if (at->motors) {
        json_key(json, "gears"), json_number(json, t.energy[4]);
        json_key(json, "rotors"), json_number(json, t.energy[5]);
    }
    json_end(json);
    json_key(json, "com"), json_numbers(json, t.com, 3);
    json_key(json, "centroidal_momentum"), json_numbers(json, t.centroidal, 6);
    json_key(json, "centroidal_map"), json_rows(json, t.map, 6, nv);
    if (*t.biased != 0) json_key(json, "centroidal_bias"), json_numbers(json, t.centroidal_bias, 6);
    if (!at->motors) return;
    json_key(json, "motors"), json_map(json, JSON_BLOCK);
    for (int i = 0; i < MOTOR_TERMS; i++) json_key(json, motor_terms[i]), json_numbers(json, t.motors[i], nv);
    if (zv_model_has_rotor_axes(at->model)) json_key(json, "coupling"), json_rows(json, t.coupling, nv, nv);
    json_end(json);
}

static void print_numbers(Text *out, const char *title, const double *values, int count) {
    text_puts(out, title);
    for (int i = 0; i < count; i++) {
        text_puts(out, "  ");
        text_number_short(out, values[i]);
    }
    text_puts(out, "\n");
}

/* Rows of the equation of motors, then the coupling where rotors have axes. */
static void print_motors(const Case *at, const TermsAnswer *t, Text *out) {
    DofColumn columns[MOTOR_TERMS];
    for (int i = 0; i < MOTOR_TERMS; i++)
        columns[i] = (DofColumn){.name = motor_terms[i],
                                 .quantity = i == MOTOR_INERTIA ? QUANTITY_INERTIA : QUANTITY_FORCE,
                                 .values = t->motors[i]};
    text_puts(out, "motors, on the link side of their gears\n");
    table_of_dofs(at->model, columns, MOTOR_TERMS, out);
    text_puts(out, "\n");
    if (!zv_model_has_rotor_axes(at->model)) return;
    table_of_matrix(at->model, "coupling of rotors with an axis [kg m^2]", NULL, (size_t)zv_model_nv(at->model),
                    t->coupling, out);
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
    if (at->motors) print_motors(at, &t, out);
    print_numbers(out, "kinetic energy [J]               ", &t.energy[0], 1);
    print_numbers(out, "potential energy [J]             ", &t.energy[1], 1);
    if (elastic) print_numbers(out, "strain energy [J]                ", &t.energy[2], 1);
    if (at->passive) print_numbers(out, "energy of joint springs [J]      ", &t.energy[3], 1);
    if (at->motors) {
        print_numbers(out, "energy of gears [J]              ", &t.energy[4], 1);
        print_numbers(out, "energy of rotors [J]             ", &t.energy[5], 1);
    }
    print_numbers(out, "centre of mass [m]               ", t.com, 3);
    print_numbers(out, "linear momentum [N s]            ", t.centroidal, 3);
    print_numbers(out, "angular momentum about it [N m s]", t.centroidal + 3, 3);
}

/* The method is that of the bias. */
static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,
                                      solve,
                                      print_json,
                                      print_table,
                                      .loops = LOOPS_OPEN,
                                      .choose = choose,
                                      .motors = STATE_THETA | STATE_RATE,
                                      .dynamics = true};
    const zvMethod *method = method_choose(ZV_QUESTION_BIAS, args);
    return method ? question_answer(&question, args, method, out) : CODE_USAGE;
}

static void describe_methods(Text *out) { methods_describe(ZV_QUESTION_BIAS, "Methods for the bias", out); }

const Verb verb_terms = {
    .name = "terms",
    .run = run,
    .options = OPTIONS_STATE | OPTION_METHOD | OPTION_PASSIVE | OPTION_SMOOTHING | OPTION_MOTORS,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--method NAME] [--passive [--smoothing V]] [--motors none]",
    .summary = "all terms of the equations of motion, energy and momentum",
    .help =
        "The equations are M a + C v + g + k = tau + sum J^T fext. Takes q, v. Prints (JSON keys)\n"
        "  mass                 M, nv x nv, armature included\n"
        "  coriolis             C, nv x nv; dM/dt - 2 C is skew\n"
        "  bias                 C v + g + k, nv forces, N m or N\n"
        "  gravity              g, nv forces, N m or N\n"
        "  elastic              k = K e + D de/dt of elastic links, nv forces; absent when all links are rigid\n"
        "  momentum             M v, nv generalised momenta, N m s or N s\n"
        "  energy               {kinetic, potential}, J; strain when links are elastic, springs with --passive,\n"
        "                       gears and rotors of flexible joints\n"
        "  com                  centre of mass of the moving bodies in the world, m\n"
        "  centroidal_momentum  linear momentum and angular momentum about com, world axes, N s and N m s\n"
        "  centroidal_map       6 rows x nv: centroidal_momentum = centroidal_map v\n"
        "  centroidal_bias      its rate without accelerations, N and N m: rate = centroidal_map a +\n"
        "                       centroidal_bias; absent when links are elastic\n"
        "  passive              with --passive: {spring, viscous, dry}, nv forces each, as they act on the joints,\n"
        "                       on the right of the equations beside tau; not part of bias. At v = 0 dry is zero\n"
        "  motors               of flexible joints, unless --motors none: {inertia, spring, damper, friction}, nv\n"
        "                       each, on the link side; takes theta, theta_rate (q and v unless given)\n"
        "The equations of motors are inertia theta'' = tau - spring - damper - friction, with tau of the motors; on "
        "the\n"
        "links act tau = spring + damper. With a rotor_axis mass and coriolis are those of links in which the rotor\n"
        "turns freely; coupling, nv x nv, is then what stands beside inertia in the mass matrix of both.\n"
        "\n"
        "Example\n"
        "  echo '{v: [1, 0.5]}' | zveno terms arm.urdf --state -\n",
    .more = describe_methods,
};
