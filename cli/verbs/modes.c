/* zveno modes: natural frequencies, damping and shapes of small motions about a state or an equilibrium. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "kinds.h"
#include "motors.h"
#include "question.h"
#include "robot.h"
#include "verb.h"
#include "verbs/modes.h"
#include "zveno/flexible.h"
#include "zveno/modes.h"

static size_t answer_size(const zvModel *model) {
    const size_t n = 2 * (size_t)zv_model_nv(model);
    return 1 + 6 * n + n * n + (size_t)zv_model_nq(model);
}

/* Entries of a shape. */
size_t modes_width(const Case *at) { return (at->motors ? 2 : 1) * (size_t)zv_model_nv(at->model); }

ModesAnswer modes_parts(const Case *at) {
    const size_t n = modes_width(at);
    ModesAnswer p = {.count = at->answer, .modes = at->answer + 1};
    p.leader = p.modes + 4 * n;
    p.share = p.leader + n;
    p.shapes = p.share + n;
    p.q = p.shapes + n * n;
    return p;
}

/* What the joints do -------------------------------------------------------------------------------- */

/* Of joints, those that close loops too. */
static bool any_spring(const zvModel *model) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++)
            if (joint->dof[k].stiffness > 0) return true;
        if (joint->stiffness_matrix) return true;
    }
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        if (loop->kind != ZV_LOOP_JOINT) continue;
        for (int k = 0; k < zv_joint_type_nv(loop->type); k++)
            if (loop->dof[k].stiffness > 0) return true;
        if (loop->stiffness_matrix) return true;
    }
    return false;
}

Joints joints_of(const Args *args, const zvModel *model, bool motors) {
    if (args->given & OPTION_JOINTS) return args->joints;
    const bool open = zv_model_nloop(model) == 0; /* loops of locked joints hold elastic links as well */
    if (any_spring(model)) return JOINTS_SPRUNG;
    return open && zv_model_nelastic(model) > 0 && !motors ? JOINTS_LOCKED : JOINTS_FREE;
}

Joints modes_joints(const Case *at) { return joints_of(at->args, at->model, at->motors != NULL); }

/* A locked joint is locked as a whole. */
Motors modes_motors(const Case *at) {
    if (!at->motors) return MOTORS_NONE;
    if (at->args->given & OPTION_MOTORS) return at->args->motors;
    return modes_joints(at) == JOINTS_LOCKED ? MOTORS_LOCKED : MOTORS_FREE;
}

/* A zvRest and its arrays, in one block of doubles. */
typedef struct Setting {
    zvRest rest;
    int frames[MAX_LOADS];
    double loads[6 * MAX_LOADS];
    double *numbers;     /* stiffness, relaxed, damping, tau, M */
    unsigned char *held; /* nv, and nv for motors that are locked */
    zvMode *modes;       /* 2 nv */
} Setting;

/* Loads of the command line by the names of their frames. */
static zvStatus set_loads(const Case *at, Setting *s) {
    const Args *args = at->args;
    for (int i = 0; i < args->load_count; i++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", args->loads[i].length, args->loads[i].frame);
        s->frames[i] = robot_frame(at->model, name, (zvMark){0}, at->error);
        if (s->frames[i] < 0) return ZV_NAME;
        memcpy(s->loads + 6 * i, args->loads[i].wrench, sizeof args->loads[i].wrench);
    }
    s->rest.load_count = args->load_count;
    s->rest.load_frames = s->frames;
    s->rest.loads = s->loads;
    return ZV_OK;
}

/* Motors where the state has them; of those that are locked brakes bear what tau says. */
static void set_motors(const Case *at, Setting *s) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    double *tau = s->numbers + 3 * nv;
    memcpy(motors_row(at, MOTOR_THETA), at->state->theta, nv * sizeof(double));
    s->rest.theta = motors_row(at, MOTOR_THETA);
    if (modes_motors(at) != MOTORS_LOCKED) return;
    memset(s->held + nv, 1, nv);
    memcpy(tau, at->state->tau, nv * sizeof *tau);
    for (int j = 0; j < zv_model_njoint(at->model); j++)
        if (zv_model_joint(at->model, j)->flexible) tau[zv_model_joint_place(at->model, j).v_index] = 0;
    s->rest.tau = tau;
}

/* Memory, and what is held, loaded and sprung, before anything is solved. */
static zvStatus set_up(const Case *at, Setting *s) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    const Joints joints = modes_joints(at);
    *s = (Setting){0};
    s->numbers = calloc(4 * nv + nv * nv + 1, sizeof *s->numbers);
    s->held = calloc(2 * nv + 1, 1);
    s->modes = calloc(2 * nv + 1, sizeof *s->modes);
    if (!s->numbers || !s->held || !s->modes) return ZV_MEMORY;
    if (at->state->fext)
        return zv_fail(at->error, ZV_NOT_SUPPORTED, at->state->mark, "fext",
                       "expected no fext of a state here, found some; write --load FRAME=fx,fy,fz");
    s->rest = (zvRest){.q = at->state->q, .v = at->state->v, .tau = at->state->tau, .held = s->held};
    if (modes_motors(at) != MOTORS_NONE) set_motors(at, s);
    if (joints == JOINTS_LOCKED) zv_joints_held(at->model, s->held);
    if (joints == JOINTS_SPRUNG) {
        zv_joint_springs(at->model, s->numbers, s->numbers + nv, s->numbers + 2 * nv);
        s->rest.stiffness = s->numbers;
        s->rest.relaxed = s->numbers + nv;
        s->rest.damping = s->numbers + 2 * nv;
        s->rest.joint_matrices = true;
    }
    return set_loads(at, s);
}

/* Solving ------------------------------------------------------------------------------------------- */

/* A load that is too much at once may be borne in parts. Motors that are free give tau to the links through their
 * gears, and stand where these carry it. */
static zvStatus find_rest(const Case *at, const zvRest *rest, double *q) {
    enum { PARTS = 10 };
    const bool through = modes_motors(at) == MOTORS_FREE;
    zvRest links = *rest;
    if (through) links.theta = NULL;
    zvStatus status = zv_equilibrium(at->model, at->work, &links, 1, q, at->error);
    if (status == ZV_NO_CONVERGENCE) status = zv_equilibrium(at->model, at->work, &links, PARTS, q, at->error);
    if (status >= 0 && through) zv_gear_rest(at->model, q, at->state->tau, motors_row(at, MOTOR_THETA));
    return status;
}

/* The inertia of a motor that is a freedom of its own, 0 of others. */
double modes_rotor_inertia(const Case *at, int j) {
    const zvFlexibleJoint *gear = modes_motors(at) == MOTORS_FREE ? zv_model_joint(at->model, j)->flexible : NULL;
    return gear ? gear->inertia * gear->ratio * gear->ratio : 0;
}

/* Shares of the kinetic energy: x_i (M x)_i, without their signs. */
static void find_leaders(const Case *at, const double *M) {
    const ModesAnswer p = modes_parts(at);
    const size_t nv = (size_t)zv_model_nv(at->model), width = modes_width(at), count = (size_t)*p.count;
    for (size_t k = 0; k < count; k++) {
        const double *x = p.shapes + k * width;
        double sum = 0, best = 0;
        for (size_t i = 0; i < nv; i++) {
            double momentum = 0;
            for (size_t j = 0; j < nv; j++) momentum += M[i * nv + j] * x[j];
            const double part = fabs(x[i] * momentum);
            sum += part;
            if (part > best) best = part, p.leader[k] = (double)i;
        }
        for (int j = 0; j < zv_model_njoint(at->model); j++) {
            const size_t i = nv + (size_t)zv_model_joint_place(at->model, j).v_index;
            const double inertia = modes_rotor_inertia(at, j), part = inertia > 0 ? inertia * x[i] * x[i] : 0;
            sum += part;
            if (part > best) best = part, p.leader[k] = (double)i;
        }
        p.share[k] = sum > 0 ? best / sum : 0;
    }
}

/* The theory of one elastic link is that of small deflections. */
static void warn_of_deflections(const zvModel *model, const double *q) {
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        const zvLink *link = zv_model_link(model, i);
        double most = 0;
        for (int k = 0; link->beam && k < place.count; k++) {
            const bool length = !strcmp(zv_model_elastic_unit(model, i, k, ZV_QUANTITY_POSITION), "m");
            if (length) most = fmax(most, fabs(q[place.q_index + k]));
        }
        if (link->beam && most > 0.2 * link->beam->length)
            warn("link \"%s\" of %.3g m is displaced by %.3g m, which is no small deflection; make it a chain of "
                 "shorter "
                 "links",
                 link->name, link->beam->length, most);
    }
}

/* Equilibrium first where it is wanted: stiffness and modes are those at that position. */
static zvStatus solve_setting(const Case *at, Setting *s) {
    const ModesAnswer p = modes_parts(at);
    int count = 0;
    memcpy(p.q, at->state->q, (size_t)zv_model_nq(at->model) * sizeof *p.q);
    zvStatus status = at->args->given & OPTION_EQUILIBRIUM ? find_rest(at, &s->rest, p.q) : ZV_OK;
    s->rest.q = p.q;
    if (status >= 0) warn_of_deflections(at->model, p.q);
    if (status >= 0 && at->motors && modes_motors(at) != MOTORS_NONE)
        status = zv_motor_modes(at->model, at->work, &s->rest, s->held + zv_model_nv(at->model), s->modes, p.shapes,
                                &count, at->error);
    else if (status >= 0)
        status = zv_modes(at->model, at->work, &s->rest, s->modes, p.shapes, &count, at->error);
    if (status < 0) return status;
    *p.count = count;
    for (int k = 0; k < count; k++) {
        const zvMode *mode = &s->modes[k];
        memcpy(p.modes + 4 * k, (double[]){mode->frequency, mode->damping, mode->real, mode->imag}, 4 * sizeof(double));
    }
    double *M = s->numbers + 4 * zv_model_nv(at->model);
    zv_mass_matrix(at->model, at->work, p.q, M);
    find_leaders(at, M);
    return ZV_OK;
}

/* The free joint of a tree that falls in this state, or -1. Loads count for none, and springs of the joint bear it. */
static int falling_base(const Case *at) {
    const State *s = at->state;
    const double *q = modes_parts(at).q, start = 1e-6;
    double g[3], *a = calloc((size_t)zv_model_nv(at->model) + 1, sizeof *a);
    zv_model_gravity(at->model, g);
    const bool falls = a && hypot(hypot(g[0], g[1]), g[2]) > 0 && modes_joints(at) != JOINTS_LOCKED &&
                       at->args->load_count == 0 && zv_model_nloop(at->model) == 0 &&
                       zv_forward_dynamics(at->model, at->work, q, s->v, s->tau, NULL, a) >= 0;
    int found = -1;
    for (int j = 0; falls && found < 0 && j < zv_model_njoint(at->model); j++) {
        const zvJoint *joint = zv_model_joint(at->model, j);
        const double *linear = a + zv_model_joint_place(at->model, j).v_index;
        if (joint->type != ZV_JOINT_FREE || joint->stiffness_matrix) continue;
        const bool sprung = joint->dof[0].stiffness > 0 || joint->dof[1].stiffness > 0 || joint->dof[2].stiffness > 0;
        if (!sprung && hypot(hypot(linear[0], linear[1]), linear[2]) > start) found = j;
    }
    free(a);
    return found;
}

/* It has no state of rest: what the modes are those of has to be said. */
static void note_falling(const Case *at) {
    const int base = falling_base(at);
    if (base >= 0)
        remark("nothing bears the weight of joint \"%s\": the modes are those of a robot that constant forces along "
               "the joint's moving axes bear; --base fixed or --lock holds it, --gravity 0,0,0 takes the weight away",
               zv_model_joint(at->model, base)->name);
}

static zvStatus solve(const Case *at) {
    Setting s;
    zvStatus status = set_up(at, &s);
    if (status >= 0) status = solve_setting(at, &s);
    if (status >= 0) note_falling(at);
    free(s.numbers);
    free(s.held);
    free(s.modes);
    return status;
}

/* The position that the modes are about, for the limits of its joints. */
static int positions(const Case *at, const double **q) {
    *q = modes_parts(at).q;
    return 1;
}

/* Loops are kept closed, and limits are those of the position that the modes are about. */
static Code run(const Args *args, Text *out) {
    if (file_kind(args->operand) == FILE_SCENARIO) return modes_of_scenario(args, out);
    if (args->brake || args->change_count)
        return complain(CODE_USAGE, "expected --brake and --set with a scenario, found one of them with a robot; "
                                    "--lock and --motors locked hold joints of a robot");
    static const Question question = {answer_size,
                                      solve,
                                      modes_json,
                                      modes_table,
                                      .loops = LOOPS_ACT,
                                      .positions = positions,
                                      .takes = STATE_TAU | STATE_FEXT,
                                      .motors = STATE_TAU | STATE_FEXT | STATE_THETA,
                                      .locks = true};
    return question_answer(&question, args, NULL, out);
}

const Verb verb_modes = {
    .name = "modes",
    .run = run,
    .options = OPTIONS_STATE | OPTION_JOINTS | OPTION_EQUILIBRIUM | OPTION_LOAD | OPTION_FIRST | OPTION_SHAPES |
               OPTION_MOTORS | OPTION_BRAKE | OPTION_SET,
    .needs_model = true,
    .form = "MODEL|SCENARIO [--state FILE] [--joints free|locked|sprung] [--motors free|locked|none] [--equilibrium] "
            "[--load FRAME=fx,fy,fz]",
    .summary = "natural frequencies, damping and mode shapes; static equilibrium",
    .help =
        "Small motions about a state: takes q, v (a steady motion, as of a spinning beam) and tau (constant forces).\n"
        "Prints (JSON keys)\n"
        "  joints       free, locked (only elastic links move) or sprung (the file's springs and dampers act);\n"
        "               without --joints: sprung when a joint has a spring, else locked when a link is elastic\n"
        "               and no loop is closed and no joint flexible, else free\n"
        "  motors       of flexible joints: free, locked (brakes are closed; where joints are locked unless told) or\n"
        "               none (gears do not act); with equilibrium free ones stand where their gears carry tau\n"
        "  theta        where the motors stand: those of the state (q unless given), or at equilibrium\n"
        "  equilibrium  with --equilibrium: nq coordinates of rest, about which the modes are\n"
        "  q            the nq coordinates that the modes are about\n"
        "  modes        [{frequency, hertz, damping, eigenvalue, shape}] in order of frequency, which is the\n"
        "               undamped one, rad/s; damping: ratio; eigenvalue: [real, imaginary], 1/s;\n"
        "               shape: {degree of freedom: amplitude}, x^T M x = 1\n"
        "\"moves most\" is the degree of freedom with the largest share of the kinetic energy.\n"
        "Of a scenario: modes of the whole system about its start, or with --equilibrium the state of rest near it,\n"
        "with gears, motors, controllers and loops; --brake holds joints, those with gears at the motor. JSON: t, q,\n"
        "modes: [{frequency, hertz, damping, eigenvalue, states: {name: [amplitude, phase, participation]}}]\n"
        "\n"
        "Example\n"
        "  zveno modes arm.urdf --equilibrium --load tool=0,0,-20\n",
};
