/* zveno equilibrium: where a scenario, or a robot, comes to rest. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "json.h"
#include "scenarios.h"
#include "state.h"
#include "verb.h"
#include "zveno/simulate.h"

/* One load case, and what was found. */
typedef struct Rest {
    const char *name; /* of the load case, or NULL */
    const zvScenario *scenario;
    const zvModel *model;
    unsigned char *held; /* nv: what --hold and --spin name */
    double *v;           /* nv: of --spin, and of a state's held joints */
    zvEquilibrium *found;
} Rest;

/* What is asked for ------------------------------------------------------------------------------------ */

/* "joint=speed": of all degrees of freedom that the name stands for. */
static Code take_one_spin(const Rest *rest, const char *text, size_t length) {
    const size_t nv = (size_t)zv_model_nv(rest->model);
    const char *equals = memchr(text, '=', length);
    unsigned char *named = calloc(nv + 1, 1);
    char *word = calloc(length + 1, 1);
    double speed = 0;
    Code code = named && word ? CODE_DONE : complain_memory();
    if (code == CODE_DONE) {
        memcpy(word, text, length);
        const char *number = equals ? word + (equals - text) + 1 : "";
        const zvNode node = {.kind = ZV_NODE_SCALAR, .text = (char *)number};
        if (!equals || zv_node_angle(&node, "the speed", &speed, NULL) < 0)
            code = complain(CODE_USAGE, "expected --spin joint=speed, in rad/s or m/s, found \"%s\"", word);
    }
    if (code == CODE_DONE) {
        word[equals - text] = '\0';
        code = named_dofs(rest->model, word, named);
    }
    for (size_t i = 0; code == CODE_DONE && i < nv; i++) {
        if (!named[i]) continue;
        rest->held[i] = 1;
        rest->v[i] = speed;
    }
    free(named);
    free(word);
    return code;
}

static Code take_spins(const Rest *rest, const char *list) {
    Code code = CODE_DONE;
    while (list && *list && code == CODE_DONE) {
        const size_t length = strcspn(list, ",");
        code = take_one_spin(rest, list, length);
        list += length + (list[length] == ',');
    }
    return code;
}

/* A state is the first guess; its velocities are those of what is held. */
static Code take_state(const Args *args, const Rest *rest, State *state, zvRestOptions *options) {
    zvError error = {0};
    StateFile file;
    zvWork *work = zv_work_create(rest->model, &error);
    zvStatus status = work ? state_file_open(args->state, &file, &error) : ZV_MEMORY;
    if (!work) return complain_error(&error);
    if (status >= 0 && file.count != 1)
        status = zv_fail(&error, ZV_SIZE, (zvMark){args->state, 1, 1}, "", "expected one state, found %d", file.count);
    if (status >= 0) status = state_read(state_file_node(&file, 0), rest->model, work, state, &error);
    state_file_close(&file);
    zv_work_destroy(work);
    if (status < 0) return complain_error(&error);
    options->q = state->q;
    for (int i = 0; i < zv_model_nv(rest->model); i++)
        if (rest->held[i]) rest->v[i] = state->v[i];
    return CODE_DONE;
}

/* All joints; elastic links bend. */
static void hold_joints(const Rest *rest) {
    for (int j = 0; j < zv_model_njoint(rest->model); j++) {
        const zvJointPlace place = zv_model_joint_place(rest->model, j);
        if (place.nv) memset(rest->held + place.v_index, 1, (size_t)place.nv);
    }
}

/* The search of one load case. */
static Code find_rest(const Args *args, Rest *rest) {
    zvRestOptions options = zv_rest_default();
    zvError error = {0};
    State state = {0};
    Code code = CODE_DONE;
    if (args->named && !strcmp(args->named, "all"))
        hold_joints(rest);
    else if (args->named)
        code = named_dofs(rest->model, args->named, rest->held);
    if (code == CODE_DONE && args->state) {
        code = state_create(rest->model, &state) ? CODE_DONE : complain_memory();
        if (code == CODE_DONE) code = take_state(args, rest, &state, &options);
    }
    if (code == CODE_DONE) code = take_spins(rest, args->spin);
    options.held = rest->held;
    options.v = rest->v;
    options.steps = args->given & OPTION_STEPS ? args->steps : 0;
    if (code == CODE_DONE && zv_scenario_equilibrium(rest->scenario, &options, &rest->found, &error) < 0) {
        if (rest->name) {
            char text[sizeof error.text];
            memcpy(text, error.text, sizeof text);
            snprintf(error.text, sizeof error.text, "load case \"%.60s\": %.430s", rest->name, text);
        }
        code = complain_error(&error);
    }
    state_free(&state);
    return code;
}

/* RestAnswers ---------------------------------------------------------------------------------------------- */

static bool any_force(const double *x, int count) {
    for (int i = 0; i < count; i++)
        if (x[i] != 0) return true;
    return false;
}

/* {label: value} of the degrees of freedom whose value is not zero. */
static void dofs_json(const Rest *rest, const double *values, Json *json) {
    EntryCursor dof = entry_first(rest->model, false);
    json_map(json, JSON_LINE);
    for (int i = 0; i < zv_model_nv(rest->model); i++, entry_next(&dof)) {
        Text label = {0};
        if (values[i] == 0) continue;
        entry_label(&dof, &label);
        json_key(json, label.bytes ? label.bytes : "");
        json_number(json, values[i]);
        text_free(&label);
    }
    json_end(json);
}

/* Joints with stick-slip friction: from where to where they rest; null where nothing ends it. */
static void bands_json(const Rest *rest, Json *json) {
    EntryCursor dof = entry_first(rest->model, false);
    json_map(json, JSON_LINE);
    for (int i = 0; i < zv_model_nv(rest->model); i++, entry_next(&dof)) {
        Text label = {0};
        double band[2];
        zv_equilibrium_band(rest->found, i, band);
        if (band[0] == 0 && band[1] == 0) continue;
        entry_label(&dof, &label);
        json_key(json, label.bytes ? label.bytes : "");
        json_list(json, JSON_LINE);
        for (int k = 0; k < 2; k++) isfinite(band[k]) ? json_number(json, band[k]) : json_text(json, NULL);
        json_end(json);
        text_free(&label);
    }
    json_end(json);
}

static void states_json(const Rest *rest, Json *json) {
    const zvDrives *drives = zv_scenario_drives(rest->scenario);
    json_map(json, JSON_LINE);
    for (int i = 0; i < zv_drives_nstate(drives); i++) {
        json_key(json, zv_drives_state(drives, i).name);
        json_number(json, zv_equilibrium_states(rest->found)[i]);
    }
    json_end(json);
}

/* Where motors of flexible joints stand (nv), the joints' own positions elsewhere; false: there are none. */
static bool find_theta(const Rest *rest, double *theta) {
    const zvDrives *drives = zv_scenario_drives(rest->scenario);
    bool found = false;
    for (int i = 0; i + 1 < zv_drives_nstate(drives); i++) {
        const zvDriveState angle = zv_drives_state(drives, i), rate = zv_drives_state(drives, i + 1);
        if (angle.dof != rate.dof || !angle.is_position || rate.is_position) continue;
        theta[angle.dof] = zv_equilibrium_states(rest->found)[i];
        found = true;
    }
    return found;
}

/* One map per load case. */
static void rest_json(const Rest *rest, Json *json) {
    const zvEquilibrium *e = rest->found;
    const size_t nq = (size_t)zv_model_nq(rest->model), nv = (size_t)zv_model_nv(rest->model);
    json_map(json, JSON_BLOCK);
    if (rest->name) json_key(json, "case"), json_text(json, rest->name);
    json_key(json, "q"), json_numbers(json, zv_equilibrium_position(e), nq);
    json_key(json, "v"), json_numbers(json, zv_equilibrium_velocity(e), nv);
    json_key(json, "states"), states_json(rest, json);
    json_key(json, "tau"), json_numbers(json, zv_equilibrium_tau(e), nv);
    json_key(json, "holding"), dofs_json(rest, zv_equilibrium_holding(e), json);
    json_key(json, "stability"), json_text(json, zv_stability_word(zv_equilibrium_stability(e)));
    json_key(json, "eigenvalues");
    json_numbers(json, zv_equilibrium_squares(e), (size_t)zv_equilibrium_freedoms(e));
    if (zv_equilibrium_softest(e)) json_key(json, "softest"), dofs_json(rest, zv_equilibrium_softest(e), json);
    json_key(json, "friction"), bands_json(rest, json);
    if (zv_model_nloop(rest->model) > 0) {
        json_key(json, "multipliers");
        json_numbers(json, zv_equilibrium_multipliers(e), (size_t)zv_model_nloop_rows(rest->model));
    }
    json_key(json, "residual"), json_number(json, zv_equilibrium_residual(e));
    json_key(json, "acceleration"), json_number(json, zv_equilibrium_acceleration(e));
    json_key(json, "steps"), json_integer(json, zv_equilibrium_steps(e));
    json_end(json);
}

static void label_cell(const EntryCursor *entry, Table *table) {
    Text label = {0};
    entry_label(entry, &label);
    table_text(table, label.bytes ? label.bytes : "");
    text_free(&label);
}

/* The position coordinate by coordinate. */
static void print_position(const Rest *rest, Text *out) {
    static const char *const headings[] = {"coordinate", "q", ""};
    Table table = table_start(3);
    EntryCursor entry = entry_first(rest->model, true);
    for (int i = 0; i < 3; i++) table_text(&table, headings[i]);
    for (int i = 0; i < zv_model_nq(rest->model); i++, entry_next(&entry)) {
        label_cell(&entry, &table);
        table_number(&table, zv_equilibrium_position(rest->found)[i]);
        table_text(&table, entry_position_unit(&entry));
    }
    table_finish(&table, out);
}

/* The whole force in every joint, and what holds those that are held. */
static void print_forces(const Rest *rest, Text *out) {
    const DofColumn columns[] = {{"tau", QUANTITY_FORCE, zv_equilibrium_tau(rest->found)},
                                 {"holding", QUANTITY_FORCE, zv_equilibrium_holding(rest->found)}};
    const bool holds = any_force(zv_equilibrium_holding(rest->found), zv_model_nv(rest->model));
    text_puts(out, "\n");
    table_of_dofs(rest->model, columns, holds ? 2 : 1, out);
}

/* Joints that friction keeps anywhere near. */
static void print_bands(const Rest *rest, Text *out) {
    EntryCursor dof = entry_first(rest->model, false);
    for (int i = 0; i < zv_model_nv(rest->model); i++, entry_next(&dof)) {
        double band[2];
        zv_equilibrium_band(rest->found, i, band);
        if (band[0] == 0 && band[1] == 0) continue;
        text_puts(out, "friction holds ");
        entry_label(&dof, out);
        if (isfinite(band[1]))
            text_printf(out, " from %.6g to %+.6g %s about this\n", band[0], band[1],
                        entry_unit(&dof, QUANTITY_POSITION));
        else
            text_puts(out, " anywhere: nothing else does\n");
    }
}

/* "unstable: 1 of 3 motions leaves; boom.y1" */
static void print_stability(const Rest *rest, Text *out) {
    const zvEquilibrium *e = rest->found;
    const double *x = zv_equilibrium_softest(e);
    const int n = zv_equilibrium_freedoms(e);
    int leaves = 0, most = 0;
    for (int i = 0; i < n; i++) leaves += zv_equilibrium_squares(e)[i] < 0;
    text_printf(out, "\n%s", zv_stability_word(zv_equilibrium_stability(e)));
    if (leaves) text_printf(out, ", %d of %d motions %s", leaves, n, leaves == 1 ? "leaves it" : "leave it");
    for (int i = 0; x && i < zv_model_nv(rest->model); i++)
        if (fabs(x[i]) > fabs(x[most])) most = i;
    if (x) {
        const EntryCursor dof = entry_at(rest->model, false, most);
        text_printf(out, "; softest: %.6g rad^2/s^2, ", zv_equilibrium_squares(e)[0]);
        entry_label(&dof, out);
    }
    text_printf(out, "\nresidual %.1e of the forces, acceleration %.1e", zv_equilibrium_residual(e),
                zv_equilibrium_acceleration(e));
    if (zv_equilibrium_steps(e) > 1) text_printf(out, ", forces applied in %d parts", zv_equilibrium_steps(e));
    text_puts(out, "\n");
}

/* A state file: q, v and where motors stand. */
static Code state_json(const Rest *rest, Json *json) {
    const size_t nq = (size_t)zv_model_nq(rest->model), nv = (size_t)zv_model_nv(rest->model);
    double *theta = calloc(nv + 1, sizeof *theta);
    if (!theta) return complain_memory();
    json_map(json, JSON_LINE);
    json_key(json, "q"), json_numbers(json, zv_equilibrium_position(rest->found), nq);
    json_key(json, "v"), json_numbers(json, zv_equilibrium_velocity(rest->found), nv);
    if (find_theta(rest, theta)) json_key(json, "theta"), json_numbers(json, theta, nv);
    json_end(json);
    free(theta);
    return CODE_DONE;
}

/* All load cases --------------------------------------------------------------------------------------- */

/* Where answers go. */
typedef struct RestAnswers {
    const Args *args;
    bool list; /* several load cases */
    Json json, states;
    Text *out;
    Text kept; /* of -o */
} RestAnswers;

/* Position, forces, stability, friction; a heading where there are load cases. */
static void rest_table(const Rest *rest, Text *out) {
    if (rest->name) {
        if (out->size) text_puts(out, "\n");
        text_puts(out, "load case ");
        text_name(out, rest->name);
        text_puts(out, "\n");
    }
    print_position(rest, out);
    print_forces(rest, out);
    print_stability(rest, out);
    print_bands(rest, out);
}

/* Reads the scenario anew with the changes of the case (NULL: none). */
static Code answer_case(RestAnswers *answers, const zvLoadCase *load) {
    zvScenario *scenario = NULL;
    Rest rest = {.name = load ? load->name : NULL};
    Code code = scenario_read(answers->args, load ? load->count : 0, load ? load->changes : NULL, &scenario);
    if (code != CODE_DONE) return code;
    rest.scenario = scenario;
    rest.model = zv_scenario_model(scenario);
    rest.held = calloc((size_t)zv_model_nv(rest.model) + 1, 1);
    rest.v = calloc((size_t)zv_model_nv(rest.model) + 1, sizeof *rest.v);
    code = rest.held && rest.v ? find_rest(answers->args, &rest) : complain_memory();
    if (code == CODE_DONE && answers->args->given & OPTION_JSON)
        rest_json(&rest, &answers->json);
    else if (code == CODE_DONE)
        rest_table(&rest, answers->out);
    if (code == CODE_DONE && answers->args->output) code = state_json(&rest, &answers->states);
    zv_equilibrium_destroy(rest.found);
    free(rest.held);
    free(rest.v);
    zv_scenario_destroy(scenario);
    return code;
}

/* The case that was asked for, or all; without any the scenario as it is. */
static Code answer_cases(RestAnswers *answers, const zvScenario *scenario) {
    const Args *args = answers->args;
    const int count = zv_scenario_ncase(scenario);
    const char *names[64];
    bool found = false;
    Code code = CODE_DONE;
    if (count == 0 && !args->load_case) return answer_case(answers, NULL);
    for (int i = 0; i < count && code == CODE_DONE; i++) {
        const zvLoadCase load = zv_scenario_case(scenario, i);
        if (i < 64) names[i] = load.name;
        if (args->load_case && strcmp(args->load_case, load.name)) continue;
        found = true;
        code = answer_case(answers, &load);
    }
    if (!found) return complain_unknown(CODE_USAGE, "load case", args->load_case, names, count < 64 ? count : 64);
    return code;
}

static Code write_states(const Args *args, const Text *text) {
    zvError error = {0};
    if (text->failed) return complain_memory();
    return zv_output_write(args->output, text->bytes, text->size, &error) < 0 ? complain_error(&error) : CODE_DONE;
}

/* Nothing is printed unless all load cases were answered. */
static Code run_equilibrium(const Args *args, Text *out) {
    zvScenario *scenario = NULL;
    Code code = scenario_read(args, 0, NULL, &scenario);
    if (code != CODE_DONE) return code;
    RestAnswers answers = {.args = args, .out = out};
    answers.list = zv_scenario_ncase(scenario) > 0 && !args->load_case;
    answers.json = json_start(out);
    answers.states = json_start(&answers.kept);
    if (answers.list && args->given & OPTION_JSON) json_list(&answers.json, JSON_BLOCK);
    if (answers.list && args->output) json_list(&answers.states, JSON_BLOCK);
    code = answer_cases(&answers, scenario);
    if (answers.list && args->given & OPTION_JSON) json_end(&answers.json);
    if (answers.list && args->output) json_end(&answers.states);
    if (code == CODE_DONE && args->output) code = write_states(args, &answers.kept);
    if (code != CODE_DONE) text_clear(out);
    text_free(&answers.kept);
    zv_scenario_destroy(scenario);
    return code;
}

const Verb verb_equilibrium = {
    .name = "equilibrium",
    .run = run_equilibrium,
    .options = OPTION_STATE | OPTION_HOLD | OPTION_SPIN | OPTION_LOAD | OPTION_STEPS | OPTION_CASE | OPTION_OUTPUT |
               OPTION_SET | OPTION_BASE | OPTION_MIMIC | OPTION_GRAVITY | OPTION_JSON | OPTION_HELP,
    .file = "scenario or robot file",
    .coordinates = true,
    .form = "SCENARIO|MODEL [--hold j1,j2] [--spin j=w] [--state FILE] [--load FRAME=fx,fy,fz] [-o STATE.yaml]",
    .summary = "where everything comes to rest, or moves steadily: forces, stability",
    .help =
        "Finds where the robot of a scenario rests under everything that the scenario says: weight, loads, springs,\n"
        "elastic links, closed loops, flexible joints with their motors, controllers with their integrals. Laws are\n"
        "taken at the start (--set start=T: at another time). A robot's file alone has its springs and weight.\n"
        "--hold all: every joint, so that elastic links alone bend. --spin: steady motion, as of an arm that spins.\n"
        "The first guess is the initial position, or --state.\n"
        "Prints (JSON keys), a map, or a list of them when the scenario has load cases (cases: {name: [key=value]})\n"
        "  q, v         the state; v is zero but for --spin and motions that a law leads\n"
        "  states       of drives: motors of flexible joints, integrals\n"
        "  tau          the whole force in each degree of freedom\n"
        "  holding      {name: force}: what holds that which is held or led by a law, beyond drives and springs\n"
        "  stability    stable, indifferent, unstable, flutter (feeds an oscillation) or fixed (nothing moves)\n"
        "  eigenvalues  of the tangent stiffness beside the mass matrix, rad^2/s^2; below 0: the robot leaves it\n"
        "  softest      the motion of the least of them, {name: amplitude}\n"
        "  friction     {name: [from, to]}: the band about q in which stick-slip friction alone holds a joint\n"
        "  residual     largest force left, of the forces involved there; acceleration: what it does\n"
        "  steps        parts in which the forces were applied\n"
        "-o writes a state (or a list) that --state takes; a scenario begins there with initial: equilibrium.\n"
        "\n"
        "Example\n"
        "  zveno equilibrium arm.yaml --load tool=0,0,-20 -o rest.yaml\n",
};
