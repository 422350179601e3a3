/* zveno inverse: the forces that give an acceleration, and the reactions in the joints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "loops.h"
#include "methods.h"
#include "motors.h"
#include "passive.h"
#include "question.h"
#include "verb.h"

static bool reactions_wanted(const Case *at) { return at->args->given & OPTION_REACTIONS; }
static bool has_loops(const Case *at) { return zv_model_nloop(at->model) > 0; }
/* Of a robot without loops the accelerations of elastic coordinates are found as well. */
static bool finds_accelerations(const Case *at) { return zv_model_nelastic(at->model) > 0 && !has_loops(at); }

/* Where the parts of the answer lie. */
typedef struct InverseAnswer {
    double *tau, *a;   /* nv */
    double *reactions; /* njoint x 6 */
    double *lambda;    /* rows of the loops */
    double *wrenches;  /* nloop x 6 */
    double *missing;   /* 1: norm of the force that the drives cannot give */
    double *fext;      /* nexternal: with the forces of the loops */
} InverseAnswer;

static InverseAnswer parts_of(const Case *at) {
    InverseAnswer p = {.tau = at->answer};
    p.a = p.tau + zv_model_nv(at->model);
    p.reactions = p.a + zv_model_nv(at->model);
    p.lambda = p.reactions + 6 * zv_model_njoint(at->model);
    p.wrenches = p.lambda + zv_model_nloop_rows(at->model);
    p.missing = p.wrenches + 6 * zv_model_nloop(at->model);
    p.fext = p.missing + 1;
    return p;
}

static size_t answer_size(const zvModel *model) {
    const int loops = zv_model_nloop_rows(model) + 6 * zv_model_nloop(model) + 1 + zv_model_nexternal(model);
    return 2 * (size_t)zv_model_nv(model) + 6 * (size_t)zv_model_njoint(model) + (size_t)loops;
}

/* What does not go together: actuated joints without loops, methods with loops or motors. */
static Code choose(Case *at) {
    if (at->args->method && at->motors)
        return complain(CODE_USAGE,
                        "expected --motors none beside --method, found none; motors of flexible joints have "
                        "one method");
    if (at->chosen && !has_loops(at))
        return complain(
            CODE_USAGE,
            "expected a robot with loops for --actuated, found none; without loops every joint needs its force");
    if (at->args->method && has_loops(at))
        return complain(CODE_USAGE,
                        "expected a robot without loops for --method, found some; with loops there is one method");
    return method_check(ZV_QUESTION_INVERSE, at->method, at->model);
}

static double largest(const double *x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Elastic coordinates have no drives. */
static void leave_out_elastic(const zvModel *model, unsigned char *actuated) {
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        memset(actuated + place.v_index, 0, (size_t)place.count);
    }
}

static void add_loops(const Case *at, const InverseAnswer *p) {
    const State *s = at->state;
    const size_t count = (size_t)zv_model_nexternal(at->model);
    memset(p->fext, 0, count * sizeof *p->fext);
    if (s->fext) memcpy(p->fext, s->fext, count * sizeof *p->fext);
    zv_add_loop_wrenches(at->model, at->work, s->q, p->lambda, p->fext);
}

/* Forces of the actuated degrees of freedom that give the acceleration, with the loops' multipliers; a warning
 * says what they cannot give. */
static zvStatus solve_closed(const Case *at, const InverseAnswer *p) {
    const double negligible = 1e-9;
    const State *s = at->state;
    const int nv = zv_model_nv(at->model), rows = zv_model_nloop_rows(at->model);
    unsigned char *actuated = malloc((size_t)nv + 1);
    if (!actuated) return ZV_MEMORY;
    memset(actuated, 1, (size_t)nv);
    if (at->chosen) memcpy(actuated, at->chosen, (size_t)nv);
    leave_out_elastic(at->model, actuated);
    const zvStatus status = zv_closed_inverse_beside(at->model, at->work, s->q, s->v, s->a, s->fext, passive_sum(at),
                                                     actuated, p->tau, p->lambda, p->missing);
    free(actuated);
    if (status < 0) return status;
    zv_loop_wrenches(at->model, at->work, s->q, p->lambda, p->wrenches);
    add_loops(at, p);
    if (*p->missing > negligible * fmax(largest(p->tau, nv), largest(p->lambda, rows)))
        warn("state %d: the drives cannot give this acceleration; a force of norm %.6g is missing", at->index + 1,
             *p->missing);
    return status;
}

/* A robot at rest whose elastic links are not: tau is that of the moment in which they start to bend. Told of the first
 * state. */
static void tell_unbent(const Case *at, const double *a) {
    const double negligible = 1e-6; /* m/s^2 */
    const State *s = at->state;
    const int nv = zv_model_nv(at->model);
    double most = 0;
    if (at->index > 0 || largest(s->v, nv) > 0 || largest(s->a, nv) > 0) return;
    for (int link = 0; link < zv_model_nlink(at->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(at->model, link);
        most = fmax(most, largest(a + place.v_index, place.count));
    }
    if (most > negligible)
        remark("the elastic links are not at rest at this q: they start to bend, and tau is that of this moment; zveno "
               "modes --equilibrium finds the q at which tau holds them");
}

/* By the table's method on trees; elastic links and loops have questions of their own. */
static zvStatus solve(const Case *at) {
    const State *s = at->state;
    const zvMethod *method = at->method;
    const InverseAnswer p = parts_of(at);
    zvStatus status = ZV_OK;
    memcpy(p.a, s->a, (size_t)zv_model_nv(at->model) * sizeof *p.a);
    if (at->motors)
        status = motors_inverse(at, p.tau);
    else if (has_loops(at))
        status = solve_closed(at, &p);
    else if (finds_accelerations(at))
        status = zv_flexible_inverse_dynamics(at->model, at->work, s->q, s->v, s->fext, p.a, p.tau);
    else
        status =
            method_outcome(ZV_QUESTION_INVERSE, at, method->run(at->model, at->work, s->q, s->v, p.a, s->fext, p.tau));
    if (!has_loops(at) && !at->motors) passive_add(at, -1, p.tau);
    if (status >= 0 && finds_accelerations(at)) tell_unbent(at, p.a);
    if (status < 0 || !reactions_wanted(at)) return status;
    zv_joint_reactions(at->model, at->work, s->q, s->v, p.a, has_loops(at) ? p.fext : s->fext, p.reactions);
    return status;
}

/* Forces, and what else was found for them: elastic accelerations, forces in loops, reactions. */
static void print_json(const Case *at, Json *json) {
    const InverseAnswer p = parts_of(at);
    const size_t nv = (size_t)zv_model_nv(at->model);
    json_key(json, "tau"), json_numbers(json, p.tau, nv);
    if (at->motors) {
        motors_json(at, "gear", MOTOR_GEAR, json);
        motors_json(at, "theta", MOTOR_THETA, json);
        motors_json(at, "theta_rate", MOTOR_RATE, json);
        motors_json(at, "theta_second", MOTOR_SECOND, json);
        /* a state that forward dynamics goes on from */
        json_key(json, "q"), json_numbers(json, at->state->q, (size_t)zv_model_nq(at->model));
        json_key(json, "v"), json_numbers(json, at->state->v, nv);
    }
    if (finds_accelerations(at)) json_key(json, "a"), json_numbers(json, p.a, nv);
    loop_forces_json(at->model, p.lambda, p.wrenches, json);
    if (has_loops(at)) json_key(json, "missing"), json_number(json, *p.missing);
    if (!reactions_wanted(at)) return;
    json_key(json, "reactions");
    json_map(json, JSON_BLOCK);
    for (int i = 0; i < zv_model_njoint(at->model); i++) {
        json_key(json, zv_model_joint(at->model, i)->name);
        json_numbers(json, p.reactions + 6 * i, 6);
    }
    json_end(json);
}

/* Wrenches of the joints on their child links, a row per joint. */
static void print_reactions(const Case *at, Text *out) {
    static const char *const headings[6] = {"fx [N]", "fy [N]", "fz [N]", "mx [N m]", "my [N m]", "mz [N m]"};
    const size_t count = (size_t)zv_model_njoint(at->model);
    Six *rows = malloc((count + 1) * sizeof *rows);
    if (!rows) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        rows[i] = (Six){.name = zv_model_joint(at->model, (int)i)->name, .values = parts_of(at).reactions + 6 * i};
    text_puts(out, "\nreactions of parent on child, in the child's joint frame\n");
    table_of_sixes("joint", headings, rows, count, out);
    free(rows);
}

/* Forces, what motors do where there are some, accelerations of elastic links, passive shares. */
static void print_table(const Case *at, Text *out) {
    const InverseAnswer p = parts_of(at);
    DofColumn columns[6 + PASSIVE_SHARES] = {
        {.name = "tau", .quantity = QUANTITY_FORCE, .values = p.tau},
        {.name = "a", .quantity = QUANTITY_ACCELERATION, .values = p.a},
    };
    size_t count = finds_accelerations(at) ? 2 : 1;
    if (at->motors) {
        static const int rows[] = {MOTOR_GEAR, MOTOR_THETA, MOTOR_RATE, MOTOR_SECOND};
        for (int i = 0; i < 4; i++) columns[count++] = motors_column(at, rows[i]);
    }
    table_of_dofs(at->model, columns, passive_columns(at, columns, count), out);
    loop_forces_table(at->model, p.wrenches, out);
    if (reactions_wanted(at)) print_reactions(at, out);
}

/* By the method that the command line names. */
static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,
                                      solve,
                                      print_json,
                                      print_table,
                                      .choose = choose,
                                      .takes = STATE_A | STATE_FEXT,
                                      .motors = STATE_A | STATE_FEXT | STATE_JERK | STATE_SNAP | STATE_THETA,
                                      .dynamics = true};
    const zvMethod *method = method_choose(ZV_QUESTION_INVERSE, args);
    return method ? question_answer(&question, args, method, out) : CODE_USAGE;
}

static void describe_methods(Text *out) { methods_describe(ZV_QUESTION_INVERSE, "Methods", out); }

const Verb verb_inverse = {
    .name = "inverse",
    .run = run,
    .options = OPTIONS_STATE | OPTION_METHOD | OPTION_REACTIONS | OPTION_ACTUATED | OPTION_PASSIVE | OPTION_SMOOTHING |
               OPTION_MOTORS,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--method NAME] [--reactions] [--actuated j1,j2] [--passive [--smoothing V]] "
            "[--motors none]",
    .summary = "forces that give an acceleration (inverse dynamics)",
    .help = "Takes q, v, a, fext. Prints (JSON keys)\n"
            "  tau        nv joint forces, N m or N, that give the acceleration a\n"
            "  reactions  with --reactions: {joint: [fx, fy, fz, mx, my, mz]}, all joints, fixed ones too;\n"
            "             force and moment of parent on child, drive included, in the child's joint frame\n"
            "  a          when links are elastic: accelerations, those of the elastic coordinates computed\n"
            "             (what the state says of them is not looked at; tau of them is 0)\n"
            "With loops a must obey them (exit code 3: it contradicts them), and tau is that of least norm in the\n"
            "joints that --actuated names, 0 in the others; then also\n"
            "  lambda, loops  forces in the loops: see zveno help forward\n"
            "  missing        norm of the force that these drives cannot give\n"
            "  passive    with --passive: {spring, viscous, dry}, nv forces each, N m or N, as they act on the joints\n"
            "Of flexible joints also takes jerk, snap (derivatives of a, zero unless given), and prints\n"
            "  tau        of the motors, reckoned on the link side: ratio * torque\n"
            "  gear       nv forces of the gears on the links\n"
            "  theta, theta_rate, theta_second  nv motor angles / ratio, rad or m, and their derivatives\n"
            "  q, v       those of the state, so that zveno forward takes the answer for one\n"
            "With damping in a gear the state has to say theta; --motors none: tau of the side of the links.\n"
            "tau is the whole force in the joint; with --passive it is what drives give besides springs, damping and\n"
            "friction of the file: tau = M a + C v + g - spring - viscous - dry. At v = 0 dry friction is zero.\n"
            "\n"
            "Example\n"
            "  echo '{q: [0.3, -1.2], a: [1, 0]}' | zveno inverse arm.urdf --state - --json\n",
    .more = describe_methods,
};
