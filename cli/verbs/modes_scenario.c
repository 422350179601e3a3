/* zveno modes SCENARIO: modes of the whole system, drives, gears and loops included. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "json.h"
#include "scenarios.h"
#include "verbs/modes.h"
#include "zveno/linear.h"

/* What was found. */
typedef struct SystemModes {
    const Args *args;
    const zvScenario *scenario;
    zvLinear *linear;
    int count, nx;
    zvMode *modes;           /* nx */
    double *shapes, *shares; /* nx x nx x 2, nx x nx */
    unsigned char *braked;   /* nv */
} SystemModes;

/* About the start of the scenario, or the equilibrium near it. */
static zvStatus find_state(SystemModes *s, zvError *error) {
    zvEquilibrium *rest = NULL;
    const double start = zv_scenario_start(s->scenario);
    if (!(s->args->given & OPTION_EQUILIBRIUM)) return zv_linear_at(s->linear, start, NULL, NULL, NULL, error);
    zvStatus status = zv_scenario_equilibrium(s->scenario, NULL, &rest, error);
    if (status >= 0)
        status = zv_linear_at(s->linear, start, zv_equilibrium_position(rest), zv_equilibrium_velocity(rest),
                              zv_equilibrium_states(rest), error);
    zv_equilibrium_destroy(rest);
    return status;
}

static zvStatus solve_system(SystemModes *s, zvError *error) {
    zvStatus status = zv_linear_create(s->scenario, 0, NULL, 0, NULL, &s->linear, error);
    if (status >= 0) status = find_state(s, error);
    if (status < 0) return status;
    const size_t n = (size_t)(s->nx = zv_linear_states(s->linear));
    s->modes = calloc(n + 1, sizeof *s->modes);
    s->shapes = calloc(2 * n * n + 1, sizeof *s->shapes);
    s->shares = calloc(n * n + 1, sizeof *s->shares);
    if (!s->modes || !s->shapes || !s->shares) return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory");
    return zv_linear_modes(s->linear, s->braked, s->modes, s->shapes, s->shares, &s->count, error);
}

static int told_modes(const SystemModes *s) {
    return s->args->given & OPTION_FIRST && s->args->count < s->count ? s->args->count : s->count;
}

/* The state that takes part most. */
static int leader_of(const SystemModes *s, int mode) {
    const double *shares = s->shares + (size_t)mode * (size_t)s->nx;
    int most = 0;
    for (int i = 0; i < s->nx; i++)
        if (shares[i] > (1 + 1e-9) * shares[most]) most = i;
    return most;
}

/* Amplitude and phase of every state that moves, and how much it takes part. */
static void system_shape_json(const SystemModes *s, int mode, Json *json) {
    const double *shape = s->shapes + (size_t)mode * 2 * (size_t)s->nx;
    json_map(json, JSON_LINE);
    for (int i = 0; i < s->nx; i++) {
        const double x = shape[2 * i], y = shape[2 * i + 1];
        if (x == 0 && y == 0) continue;
        json_key(json, zv_linear_state(s->linear, i).name);
        json_numbers(json, (double[]){hypot(x, y), atan2(y, x), s->shares[(size_t)mode * (size_t)s->nx + (size_t)i]},
                     3);
    }
    json_end(json);
}

/* The state that the modes are about, then the modes. */
static void system_json(const SystemModes *s, Text *out) {
    const double *q, *v, *z, *a;
    const zvModel *model = zv_scenario_model(s->scenario);
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "t"), json_number(&json, zv_linear_state_at(s->linear, &q, &v, &z, &a));
    json_key(&json, "q"), json_numbers(&json, q, (size_t)zv_model_nq(model));
    json_key(&json, "modes"), json_list(&json, JSON_BLOCK);
    for (int k = 0; k < told_modes(s); k++) {
        const zvMode *m = &s->modes[k];
        json_map(&json, JSON_LINE);
        json_key(&json, "frequency"), json_number(&json, m->frequency);
        json_key(&json, "hertz"), json_number(&json, m->frequency / (2 * acos(-1)));
        json_key(&json, "damping"), json_number(&json, m->damping);
        json_key(&json, "eigenvalue"), json_numbers(&json, (double[]){m->real, m->imag}, 2);
        json_key(&json, "states"), system_shape_json(s, k, &json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

/* A row per state, amplitude and phase of each mode, a few at a time. */
static void print_system_shapes(const SystemModes *s, Text *out) {
    enum { WIDTH = 4 };
    for (int first = 0; first < told_modes(s); first += WIDTH) {
        const int end = first + WIDTH < told_modes(s) ? first + WIDTH : told_modes(s);
        Table table = table_start((size_t)(1 + 2 * (end - first)));
        text_puts(out, "\n");
        table_text(&table, "shape");
        for (int k = first; k < end; k++) table_integer(&table, k + 1), table_text(&table, "phase [deg]");
        for (int i = 0; i < s->nx; i++) {
            table_text(&table, zv_linear_state(s->linear, i).name);
            for (int k = first; k < end; k++) {
                const double *x = s->shapes + (size_t)k * 2 * (size_t)s->nx + 2 * i, size = hypot(x[0], x[1]);
                table_number(&table, size);
                table_number(&table, size > 0 ? atan2(x[1], x[0]) * 180 / acos(-1) : 0);
            }
        }
        table_finish(&table, out);
    }
}

/* A row per mode. */
static void system_table(const SystemModes *s, Text *out) {
    static const char *const headings[] = {"mode", "frequency [rad/s]", "[Hz]", "damping", "takes part most"};
    Table table = table_start(5);
    for (int i = 0; i < 5; i++) table_text(&table, headings[i]);
    for (int k = 0; k < told_modes(s); k++) {
        const zvMode *m = &s->modes[k];
        Text cell = {0};
        const int leader = leader_of(s, k);
        table_integer(&table, k + 1);
        table_number(&table, m->frequency);
        table_number(&table, m->frequency / (2 * acos(-1)));
        if (m->frequency == 0)
            table_text(&table, "rigid");
        else
            table_number(&table, m->damping);
        text_printf(&cell, "%s %.0f %%", zv_linear_state(s->linear, leader).name,
                    100 * s->shares[(size_t)k * (size_t)s->nx + (size_t)leader]);
        table_text(&table, cell.bytes ? cell.bytes : "");
        text_free(&cell);
    }
    table_finish(&table, out);
    if (s->args->given & OPTION_SHAPES) print_system_shapes(s, out);
}

/* Options of zveno modes that a scenario says itself. */
static Code refuse_model_options(const Args *args) {
    const OptionSet own = OPTION_STATE | OPTION_JOINTS | OPTION_MOTORS | OPTION_LOCK;
    if (!(args->given & own)) return CODE_DONE;
    return complain(CODE_USAGE, "expected --state, --joints, --motors and --lock with a robot, found one of them with "
                                "a scenario; --brake holds joints, --set changes the scenario");
}

/* Everything hangs on the scenario, which goes last. */
Code modes_of_scenario(const Args *args, Text *out) {
    SystemModes s = {.args = args};
    zvScenario *scenario = NULL;
    zvError error = {0};
    Code code = refuse_model_options(args);
    if (code == CODE_DONE) code = scenario_read(args, 0, NULL, &scenario);
    if (code != CODE_DONE) return code;
    s.scenario = scenario;
    s.braked = calloc((size_t)zv_model_nv(zv_scenario_model(scenario)) + 1, 1);
    if (!s.braked) code = complain_memory();
    if (code == CODE_DONE && args->brake) code = named_dofs(zv_scenario_model(scenario), args->brake, s.braked);
    if (code == CODE_DONE && solve_system(&s, &error) < 0) code = complain_error(&error);
    if (code == CODE_DONE && args->given & OPTION_JSON)
        system_json(&s, out);
    else if (code == CODE_DONE)
        system_table(&s, out);
    if (s.linear) zv_linear_destroy(s.linear);
    free(s.modes);
    free(s.shapes);
    free(s.shares);
    free(s.braked);
    zv_scenario_destroy(scenario);
    return code;
}
