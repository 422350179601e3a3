/* The answers of zveno modes as JSON and as tables. */
#include <math.h>
#include <stdlib.h>

#include "dofs.h"
#include "motors.h"
#include "verbs/modes.h"
#include "zveno/dynamics.h"

static const double pi = 3.141592653589793;

static const char *const joints_words[] = {
    [JOINTS_FREE] = "free", [JOINTS_LOCKED] = "locked", [JOINTS_SPRUNG] = "sprung"};

static const char *const motors_words[] = {[MOTORS_FREE] = "free", [MOTORS_LOCKED] = "locked", [MOTORS_NONE] = "none"};

/* Modes that are told. */
static size_t told(const Case *at) {
    const size_t count = (size_t)*modes_parts(at).count, wanted = (size_t)at->args->count;
    return at->args->given & OPTION_FIRST && wanted < count ? wanted : count;
}

/* "boom.y1", "motor elbow"; false for entries of a shape that are no freedoms of their own. */
static bool shape_label(const Case *at, int i, Text *label) {
    const int nv = zv_model_nv(at->model);
    const EntryCursor dof = entry_at(at->model, false, i % nv);
    bool moves = i < nv;
    for (int j = 0; !moves && j < zv_model_njoint(at->model); j++)
        moves = modes_rotor_inertia(at, j) > 0 && zv_model_joint_place(at->model, j).v_index == i - nv;
    if (i >= nv) text_puts(label, "motor ");
    entry_label(&dof, label);
    return moves;
}

/* By labels: zveno report finds the degrees of freedom of its own model by them. */
static void shape_json(const Case *at, const double *shape, Json *json) {
    json_map(json, JSON_LINE);
    for (int i = 0; i < (int)modes_width(at); i++) {
        Text label = {0};
        if (shape_label(at, i, &label)) {
            json_key(json, label.bytes ? label.bytes : "");
            json_number(json, shape[i]);
        }
        text_free(&label);
    }
    json_end(json);
}

/* q and equilibrium, then the modes with their shapes. */
void modes_json(const Case *at, Json *json) {
    const ModesAnswer p = modes_parts(at);
    json_key(json, "joints"), json_text(json, joints_words[modes_joints(at)]);
    if (at->motors) json_key(json, "motors"), json_text(json, motors_words[modes_motors(at)]);
    if (at->args->given & OPTION_EQUILIBRIUM) {
        json_key(json, "equilibrium");
        json_numbers(json, p.q, (size_t)zv_model_nq(at->model));
    }
    json_key(json, "q"), json_numbers(json, p.q, (size_t)zv_model_nq(at->model));
    if (at->motors) motors_json(at, "theta", MOTOR_THETA, json);
    json_key(json, "modes"), json_list(json, JSON_BLOCK);
    for (size_t k = 0; k < told(at); k++) {
        const double *mode = p.modes + 4 * k;
        json_map(json, JSON_LINE);
        json_key(json, "frequency"), json_number(json, mode[0]);
        json_key(json, "hertz"), json_number(json, mode[0] / (2 * pi));
        json_key(json, "damping"), json_number(json, mode[1]);
        json_key(json, "eigenvalue"), json_numbers(json, mode + 2, 2);
        json_key(json, "shape"), shape_json(at, p.shapes + k * modes_width(at), json);
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
    shape_label(at, (int)p->leader[k], &cell);
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
    const size_t width = modes_width(at);
    for (size_t first = 0; first < told(at); first += WIDTH) {
        const size_t end = first + WIDTH < told(at) ? first + WIDTH : told(at);
        Table table = table_start(1 + end - first);
        text_puts(out, "\n");
        table_text(&table, "shape");
        for (size_t k = first; k < end; k++) table_integer(&table, (int)k + 1);
        for (size_t i = 0; i < width; i++) {
            Text label = {0};
            const bool moves = shape_label(at, (int)i, &label);
            if (moves) table_text(&table, label.bytes ? label.bytes : "");
            for (size_t k = first; moves && k < end; k++) table_number(&table, p->shapes[k * width + i]);
            text_free(&label);
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
    if (!a || modes_joints(at) != JOINTS_FREE || at->motors || at->args->load_count > 0) return free(a), false;
    for (size_t i = 0; i < nv; i++)
        if (s->v[i] != 0) return free(a), false; /* a steady motion */
    if (zv_forward_dynamics(at->model, at->work, modes_parts(at).q, s->v, s->tau, NULL, a) < 0) return free(a), false;
    for (size_t i = 0; i < nv; i++) most = fmax(most, fabs(a[i]));
    free(a);
    return most > 1e-6;
}

/* Modes, or a sentence about why there are none. */
void modes_table(const Case *at, Text *out) {
    const ModesAnswer p = modes_parts(at);
    const char *const joints = joints_words[modes_joints(at)];
    const char *const motors = at->motors ? motors_words[modes_motors(at)] : "";
    const char *const and = at->motors ? ", motors " : "";
    if (at->args->given & OPTION_EQUILIBRIUM && zv_model_nq(at->model) > 0) print_position(at, p.q, out);
    if (*p.count == 0) {
        text_printf(out, "joints %s%s%s: nothing is left that could move\n", joints, and, motors);
    } else if (!vibrates(&p)) {
        if (starts_to_move(at))
            text_puts(out,
                      "this position is no equilibrium: the joints would start to move; --equilibrium finds one\n");
        text_printf(out, "joints %s%s%s: nothing vibrates; no spring, elastic link or weight brings the %s back\n",
                    joints, and, motors, *p.count == 1 ? "one degree of freedom" : "degrees of freedom");
    } else {
        text_printf(out, "joints %s%s%s\n", joints, and, motors);
        print_modes(at, &p, out);
        if (at->args->given & OPTION_SHAPES) print_shapes(at, &p, out);
    }
}
