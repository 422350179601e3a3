/* zveno modes: natural frequencies, damping and shapes of small motions about a state or an equilibrium. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "question.h"
#include "robot.h"
#include "verb.h"
#include "zveno/modes.h"

static const double pi = 3.141592653589793;

/* Where the parts of the answer lie. */
typedef struct ModesAnswer {
    double *count;          /* of modes; as many are listed below */
    double *modes;          /* nv x 4: frequency, damping, real, imag */
    double *leader, *share; /* nv: which degree of freedom moves most, and its share of the kinetic energy */
    double *shapes;         /* nv x nv */
    double *q;              /* nq: the state or the equilibrium */
} ModesAnswer;

static size_t answer_size(const zvModel *model) {
    const size_t nv = (size_t)zv_model_nv(model);
    return 1 + 6 * nv + nv * nv + (size_t)zv_model_nq(model);
}

static ModesAnswer parts_of(const Case *at) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    ModesAnswer p = {.count = at->answer, .modes = at->answer + 1};
    p.leader = p.modes + 4 * nv;
    p.share = p.leader + nv;
    p.shapes = p.share + nv;
    p.q = p.shapes + nv * nv;
    return p;
}

/* Modes that are told. */
static size_t told(const Case *at) {
    const size_t count = (size_t)*parts_of(at).count, wanted = (size_t)at->args->count;
    return at->args->given & OPTION_FIRST && wanted < count ? wanted : count;
}

/* What the joints do -------------------------------------------------------------------------------- */

static const char *const joints_words[] = {
    [JOINTS_FREE] = "free", [JOINTS_LOCKED] = "locked", [JOINTS_SPRUNG] = "sprung"};

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

static Joints joints_of(const Case *at) {
    if (at->args->given & OPTION_JOINTS) return at->args->joints;
    const bool open = zv_model_nloop(at->model) == 0; /* loops of locked joints hold elastic links as well */
    if (any_spring(at->model)) return JOINTS_SPRUNG;
    return open && zv_model_nelastic(at->model) > 0 ? JOINTS_LOCKED : JOINTS_FREE;
}

/* A zvRest and its arrays, in one block of doubles. */
typedef struct Setting {
    zvRest rest;
    int frames[MAX_LOADS];
    double loads[6 * MAX_LOADS];
    double *numbers;     /* stiffness, relaxed, damping, M, room for modes */
    unsigned char *held; /* nv */
    zvMode *modes;       /* nv */
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

/* Memory, and what is held, loaded and sprung, before anything is solved. */
static zvStatus set_up(const Case *at, Setting *s) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    const Joints joints = joints_of(at);
    *s = (Setting){0};
    s->numbers = calloc(3 * nv + nv * nv + 1, sizeof *s->numbers);
    s->held = calloc(nv + 1, 1);
    s->modes = calloc(nv + 1, sizeof *s->modes);
    if (!s->numbers || !s->held || !s->modes) return ZV_MEMORY;
    if (at->state->fext)
        return zv_fail(at->error, ZV_NOT_SUPPORTED, at->state->mark, "fext",
                       "expected no fext of a state here, found some; write --load FRAME=fx,fy,fz");
    s->rest = (zvRest){.q = at->state->q, .v = at->state->v, .tau = at->state->tau, .held = s->held};
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

/* A load that is too much at once may be borne in parts. */
static zvStatus find_rest(const Case *at, const zvRest *rest, double *q) {
    enum { PARTS = 10 };
    const zvStatus status = zv_equilibrium(at->model, at->work, rest, 1, q, at->error);
    return status == ZV_NO_CONVERGENCE ? zv_equilibrium(at->model, at->work, rest, PARTS, q, at->error) : status;
}

/* Shares of the kinetic energy: x_i (M x)_i, without their signs. */
static void find_leaders(const Case *at, const double *M) {
    const ModesAnswer p = parts_of(at);
    const size_t nv = (size_t)zv_model_nv(at->model), count = (size_t)*p.count;
    for (size_t k = 0; k < count; k++) {
        const double *x = p.shapes + k * nv;
        double sum = 0, best = 0;
        for (size_t i = 0; i < nv; i++) {
            double momentum = 0;
            for (size_t j = 0; j < nv; j++) momentum += M[i * nv + j] * x[j];
            const double part = fabs(x[i] * momentum);
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
    const ModesAnswer p = parts_of(at);
    int count = 0;
    memcpy(p.q, at->state->q, (size_t)zv_model_nq(at->model) * sizeof *p.q);
    zvStatus status = at->args->given & OPTION_EQUILIBRIUM ? find_rest(at, &s->rest, p.q) : ZV_OK;
    s->rest.q = p.q;
    if (status >= 0) warn_of_deflections(at->model, p.q);
    if (status >= 0) status = zv_modes(at->model, at->work, &s->rest, s->modes, p.shapes, &count, at->error);
    if (status < 0) return status;
    *p.count = count;
    for (int k = 0; k < count; k++) {
        const zvMode *mode = &s->modes[k];
        memcpy(p.modes + 4 * k, (double[]){mode->frequency, mode->damping, mode->real, mode->imag}, 4 * sizeof(double));
    }
    double *M = s->numbers + 3 * zv_model_nv(at->model);
    zv_mass_matrix(at->model, at->work, p.q, M);
    find_leaders(at, M);
    return ZV_OK;
}

/* The free joint of a tree that falls in this state, or -1. Loads count for none, and springs of the joint bear it. */
static int falling_base(const Case *at) {
    const State *s = at->state;
    const double *q = parts_of(at).q, start = 1e-6;
    double g[3], *a = calloc((size_t)zv_model_nv(at->model) + 1, sizeof *a);
    zv_model_gravity(at->model, g);
    const bool falls = a && hypot(hypot(g[0], g[1]), g[2]) > 0 && joints_of(at) != JOINTS_LOCKED &&
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

/* Telling ------------------------------------------------------------------------------------------- */

/* By labels: zveno report finds the degrees of freedom of its own model by them. */
static void shape_json(const Case *at, const double *shape, Json *json) {
    EntryCursor dof = entry_first(at->model, false);
    json_map(json, JSON_LINE);
    for (int i = 0; i < zv_model_nv(at->model); i++, entry_next(&dof)) {
        Text label = {0};
        entry_label(&dof, &label);
        json_key(json, label.bytes ? label.bytes : "");
        json_number(json, shape[i]);
        text_free(&label);
    }
    json_end(json);
}

/* q and equilibrium, then the modes with their shapes. */
static void print_json(const Case *at, Json *json) {
    const ModesAnswer p = parts_of(at);
    json_key(json, "joints"), json_text(json, joints_words[joints_of(at)]);
    if (at->args->given & OPTION_EQUILIBRIUM) {
        json_key(json, "equilibrium");
        json_numbers(json, p.q, (size_t)zv_model_nq(at->model));
    }
    json_key(json, "q"), json_numbers(json, p.q, (size_t)zv_model_nq(at->model));
    json_key(json, "modes"), json_list(json, JSON_BLOCK);
    for (size_t k = 0; k < told(at); k++) {
        const double *mode = p.modes + 4 * k;
        json_map(json, JSON_LINE);
        json_key(json, "frequency"), json_number(json, mode[0]);
        json_key(json, "hertz"), json_number(json, mode[0] / (2 * pi));
        json_key(json, "damping"), json_number(json, mode[1]);
        json_key(json, "eigenvalue"), json_numbers(json, mode + 2, 2);
        json_key(json, "shape"), shape_json(at, p.shapes + k * (size_t)zv_model_nv(at->model), json);
        json_end(json);
    }
    json_end(json);
}

static void label_cell(const EntryCursor *entry, Table *table) {
    Text label = {0};
    entry_label(entry, &label);
    table_text(table, label.bytes ? label.bytes : "");
    text_free(&label);
}

/* The position found, coordinate by coordinate with its unit. */
static void print_position(const Case *at, const double *q, Text *out) {
    static const char *const headings[] = {"equilibrium", "q", ""};
    Table table = table_start(3);
    EntryCursor entry = entry_first(at->model, true);
    for (int i = 0; i < 3; i++) table_text(&table, headings[i]);
    for (int i = 0; i < zv_model_nq(at->model); i++, entry_next(&entry)) {
        label_cell(&entry, &table);
        table_number(&table, q[i]);
        table_text(&table, entry_position_unit(&entry));
    }
    table_finish(&table, out);
    text_puts(out, "\n");
}

/* "boom.y1 98 %" */
static void leader_cell(const Case *at, const ModesAnswer *p, size_t k, Table *table) {
    Text cell = {0};
    const EntryCursor entry = entry_at(at->model, false, (int)p->leader[k]);
    entry_label(&entry, &cell);
    text_printf(&cell, " %.0f %%", 100 * p->share[k]);
    table_text(table, cell.bytes ? cell.bytes : "");
    text_free(&cell);
}

/* A row per mode; the last column names what moves most in it. */
static void print_modes(const Case *at, const ModesAnswer *p, Text *out) {
    static const char *const headings[] = {"mode", "frequency [rad/s]", "[Hz]", "period [s]", "damping", "moves most"};
    enum { COLUMNS = sizeof headings / sizeof headings[0] };
    Table table = table_start(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) table_text(&table, headings[i]);
    for (size_t k = 0; k < told(at); k++) {
        const double *mode = p->modes + 4 * k;
        table_integer(&table, (int)k + 1);
        table_number(&table, mode[0]);
        table_number(&table, mode[0] / (2 * pi));
        if (mode[3] > 0)
            table_number(&table, 2 * pi / mode[3]);
        else
            table_text(&table, mode[0] == 0 ? "rigid" : mode[2] > 0 ? "unstable" : "none");
        table_number(&table, mode[1]);
        leader_cell(at, p, k, &table);
    }
    table_finish(&table, out);
}

/* A row per degree of freedom, a column per mode, a few at a time. */
static void print_shapes(const Case *at, const ModesAnswer *p, Text *out) {
    enum { WIDTH = 8 };
    const size_t nv = (size_t)zv_model_nv(at->model);
    for (size_t first = 0; first < told(at); first += WIDTH) {
        const size_t end = first + WIDTH < told(at) ? first + WIDTH : told(at);
        Table table = table_start(1 + end - first);
        EntryCursor dof = entry_first(at->model, false);
        text_puts(out, "\n");
        table_text(&table, "shape");
        for (size_t k = first; k < end; k++) table_integer(&table, (int)k + 1);
        for (size_t i = 0; i < nv; i++, entry_next(&dof)) {
            label_cell(&dof, &table);
            for (size_t k = first; k < end; k++) table_number(&table, p->shapes[k * nv + i]);
        }
        table_finish(&table, out);
    }
}

static bool vibrates(const ModesAnswer *p) {
    for (size_t k = 0; k < (size_t)*p->count; k++)
        if (p->modes[4 * k] > 0) return true;
    return false;
}

/* Whether joints that are free would start to move from this position: forces of the state against weight. Loads count
 * for neither, so that nothing is said where there are some. */
static bool starts_to_move(const Case *at) {
    const State *s = at->state;
    const size_t nv = (size_t)zv_model_nv(at->model);
    double *a = calloc(nv + 1, sizeof *a), most = 0;
    if (!a || joints_of(at) != JOINTS_FREE || at->args->load_count > 0) return free(a), false;
    for (size_t i = 0; i < nv; i++)
        if (s->v[i] != 0) return free(a), false; /* a steady motion */
    if (zv_forward_dynamics(at->model, at->work, parts_of(at).q, s->v, s->tau, NULL, a) < 0) return free(a), false;
    for (size_t i = 0; i < nv; i++) most = fmax(most, fabs(a[i]));
    free(a);
    return most > 1e-6;
}

/* The position that the modes are about, for the limits of its joints. */
static int positions(const Case *at, const double **q) {
    *q = parts_of(at).q;
    return 1;
}

/* Modes, or a sentence about why there are none. */
static void print_table(const Case *at, Text *out) {
    const ModesAnswer p = parts_of(at);
    const Joints joints = joints_of(at);
    if (at->args->given & OPTION_EQUILIBRIUM && zv_model_nq(at->model) > 0) print_position(at, p.q, out);
    if (*p.count == 0) {
        text_printf(out, "joints %s: nothing is left that could move\n", joints_words[joints]);
    } else if (!vibrates(&p)) {
        if (starts_to_move(at))
            text_puts(out,
                      "this position is no equilibrium: the joints would start to move; --equilibrium finds one\n");
        text_printf(out, "joints %s: nothing vibrates; no spring, elastic link or weight brings the %s back\n",
                    joints_words[joints], *p.count == 1 ? "one degree of freedom" : "degrees of freedom");
    } else {
        text_printf(out, "joints %s\n", joints_words[joints]);
        print_modes(at, &p, out);
        if (at->args->given & OPTION_SHAPES) print_shapes(at, &p, out);
    }
}

static Code note_gears(Case *at) {
    robot_note_flexible(at->model, "the modes are those");
    return CODE_DONE;
}

static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,          solve,
                                      print_json,           print_table,
                                      .loops = LOOPS_ACT,   .positions = positions,
                                      .choose = note_gears, .takes = STATE_TAU | STATE_FEXT};
    return question_answer(&question, args, NULL, out);
}

const Verb verb_modes = {
    .name = "modes",
    .run = run,
    .options = OPTIONS_STATE | OPTION_JOINTS | OPTION_EQUILIBRIUM | OPTION_LOAD | OPTION_FIRST | OPTION_SHAPES,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--joints free|locked|sprung] [--equilibrium] [--load FRAME=fx,fy,fz]",
    .summary = "natural frequencies, damping and mode shapes; static equilibrium",
    .help =
        "Small motions about a state: takes q, v (a steady motion, as of a spinning beam) and tau (constant forces).\n"
        "Prints (JSON keys)\n"
        "  joints       free, locked (only elastic links move) or sprung (the file's springs and dampers act);\n"
        "               without --joints: sprung when a joint has a spring, else locked when a link is elastic\n"
        "               and no loop is closed, else free\n"
        "  equilibrium  with --equilibrium: nq coordinates of rest, about which the modes are\n"
        "  q            the nq coordinates that the modes are about\n"
        "  modes        [{frequency, hertz, damping, eigenvalue, shape}] in order of frequency, which is the\n"
        "               undamped one, rad/s; damping: ratio; eigenvalue: [real, imaginary], 1/s;\n"
        "               shape: {degree of freedom: amplitude}, x^T M x = 1\n"
        "\"moves most\" is the degree of freedom with the largest share of the kinetic energy.\n"
        "\n"
        "Example\n"
        "  zveno modes arm.urdf --equilibrium --load tool=0,0,-20\n",
};
