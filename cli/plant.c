/* Linear models of the command line: reading, running up to the times asked for, linearising there. */
#include "plant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "kinds.h"
#include "state.h"

enum { MOST_TIMES = 10000 };

/* Pieces of one copy of the text. */
bool name_list(const char *text, NameList *list) {
    *list = (NameList){.count = 1};
    for (const char *at = text; *at; at++) list->count += *at == ',';
    list->text = malloc(strlen(text) + 1);
    list->names = calloc((size_t)list->count, sizeof *list->names);
    if (!list->text || !list->names) return false;
    strcpy(list->text, text);
    char *next = list->text;
    for (int i = 0; i < list->count; i++) {
        next += strspn(next, " ");
        list->names[i] = next;
        next += strcspn(next, ",");
        if (*next) *next++ = '\0';
    }
    return true;
}

void name_list_free(NameList *list) {
    free(list->text);
    free(list->names);
}

/* The scenario -------------------------------------------------------------------------------------------- */

/* A model by itself: what its joints carry acts, nothing drives it. */
static zvStatus scenario_of_model(const char *path, int count, const char *const *changes, zvScenario **scenario,
                                  zvError *error) {
    const char *slash = strrchr(path, '/');
    Text text = {0};
    Json json = json_start(&text);
    json_map(&json, JSON_LINE);
    json_key(&json, "zveno_scenario"), json_integer(&json, 1);
    json_key(&json, "model"), json_text(&json, slash ? slash + 1 : path);
    json_key(&json, "duration"), json_number(&json, 1);
    json_end(&json);
    zvStatus status = ZV_MEMORY;
    if (!text.failed)
        status = zv_scenario_read_memory(path, text.bytes, text.size, count, changes, scenario, error);
    else
        zv_fail(error, status, (zvMark){0}, NULL, "out of memory");
    text_free(&text);
    return status;
}

/* What the operand is decides how it is read. */
Code plant_scenario(const Args *args, int extra_count, const char *const *extra, zvScenario **scenario) {
    const char *changes[MAX_CHANGES + 8];
    int count = 0;
    zvError error = {0};
    for (int i = 0; i < args->change_count; i++) changes[count++] = args->changes[i];
    for (int i = 0; i < extra_count; i++) changes[count++] = extra[i];
    *scenario = NULL;
    const FileKind kind = file_kind(args->operand);
    const zvStatus status = kind == FILE_ROBOT ? scenario_of_model(args->operand, count, changes, scenario, &error)
                                               : zv_scenario_read_file(args->operand, count, changes, scenario, &error);
    if (status >= 0) return CODE_DONE;
    if (kind != FILE_ROBOT) file_blame_kind(args->operand, FILE_SCENARIO, &error);
    return complain_error(&error);
}

/* The times ------------------------------------------------------------------------------------------------ */

/* T or FROM:TO:STEP; false: neither. */
static bool read_times(const char *text, double *from, double *to, double *step) {
    char *end;
    *step = 0;
    *from = *to = strtod(text, &end);
    if (end == text || !isfinite(*from)) return false;
    if (!*end) return true;
    if (*end != ':') return false;
    text = end + 1;
    *to = strtod(text, &end);
    if (end == text || *end != ':' || !isfinite(*to)) return false;
    text = end + 1;
    *step = strtod(text, &end);
    return end != text && !*end && *step > 0 && *to > *from && (*to - *from) / *step < MOST_TIMES;
}

static Code fill_times(Plant *p, double from, double to, double step) {
    p->count = step > 0 ? (int)floor((to - from) / step + 1e-9) + 1 : 1;
    p->times = calloc((size_t)p->count, sizeof *p->times);
    for (int i = 0; p->times && i < p->count; i++) p->times[i] = from + i * step;
    return p->times ? CODE_DONE : complain_memory();
}

static size_t state_size(const Plant *p) {
    const zvModel *model = zv_scenario_model(p->scenario);
    return (size_t)(zv_model_nq(model) + zv_model_nv(model) + zv_drives_nstate(zv_scenario_drives(p->scenario)));
}

/* Rows of the run (t, q, v, z) at the times asked for. */
static Code take_rows(Plant *p, const zvRunSummary *run) {
    const size_t size = state_size(p), width = size + 1;
    uint64_t rows = 0, row = 0;
    const double *numbers = zv_recorder_rows(zv_run_kept(run), &rows);
    for (int i = 0; i < p->count; i++) {
        const double tolerance = 1e-9 * (1 + fabs(p->times[i]));
        while (row < rows && numbers[row * width] < p->times[i] - tolerance) row++;
        if (row == rows || numbers[row * width] > p->times[i] + tolerance)
            return complain(
                CODE_INPUT,
                "%s: expected the run to come by t = %.9g s, found it to end at %.9g s: %s; ask for another "
                "time",
                p->args->operand, p->times[i], zv_run_time(run), zv_run_ending(run));
        memcpy(p->states + (size_t)i * size, numbers + row * width + 1, size * sizeof *numbers);
    }
    return CODE_DONE;
}

/* Runs the scenario up to the last of the times. */
static Code run_to(Plant *p, double start, double step) {
    char duration[64], output[128];
    const bool more = zv_drives_nstate(zv_scenario_drives(p->scenario)) > 0;
    const double last = p->times[p->count - 1];
    snprintf(duration, sizeof duration, "duration=%.17g", last - start);
    snprintf(output, sizeof output, "output={channels: [q, v%s], interval: %.17g}", more ? ", states" : "",
             step > 0 ? step : last - start);
    const char *const extra[] = {duration, output};
    zvScenario *scenario = NULL;
    zvError error = {0};
    zvRunSummary *run = NULL;
    const zvRunOptions options = {.keep = true};
    p->states = calloc((size_t)p->count * state_size(p) + 1, sizeof *p->states);
    if (!p->states) return complain_memory();
    p->has_z = true;
    Code code = plant_scenario(p->args, 2, extra, &scenario);
    if (code != CODE_DONE) return code;
    const zvStatus status = zv_simulate(scenario, &options, &run, &error);
    code = status < 0 ? complain_error(&error) : take_rows(p, run);
    zv_run_summary_destroy(run);
    zv_scenario_destroy(scenario);
    return code;
}

/* The scenario runs only when a time behind its start is asked for. */
static Code times_of(Plant *p) {
    const double start = zv_scenario_start(p->scenario);
    double from = start, to = start, step = 0;
    if (p->args->at && !read_times(p->args->at, &from, &to, &step))
        return complain(CODE_USAGE, "expected --at T or FROM:TO:STEP in s, found \"%s\"", p->args->at);
    if (from < start)
        return complain(CODE_USAGE, "expected --at no sooner than the scenario starts, %g s, found %g s", start, from);
    if (step > 0 && fabs(remainder(from - start, step)) > 1e-9 * step)
        return complain(CODE_USAGE,
                        "expected --at FROM:TO:STEP with FROM a whole number of steps behind the start, %g s, found "
                        "\"%s\"",
                        start, p->args->at);
    const Code code = fill_times(p, from, to, step);
    return code == CODE_DONE && to > start ? run_to(p, start, step) : code;
}

/* States of a file ------------------------------------------------------------------------------------------ */

/* q and v of each; z is at rest with them. */
static Code read_states(Plant *p, const StateFile *file, State *state) {
    const zvModel *model = zv_scenario_model(p->scenario);
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model), size = state_size(p);
    zvError error = {0};
    zvWork *work = zv_work_create(model, &error);
    Code code = work ? CODE_DONE : complain_error(&error);
    for (int i = 0; i < p->count && code == CODE_DONE; i++) {
        if (state_read(state_file_node(file, i), model, work, state, &error) < 0) {
            code = complain_error(&error);
            break;
        }
        memcpy(p->states + (size_t)i * size, state->q, nq * sizeof *state->q);
        memcpy(p->states + (size_t)i * size + nq, state->v, nv * sizeof *state->v);
    }
    zv_work_destroy(work);
    return code;
}

/* Every state of the file, at the start of the scenario. */
static Code states_of(Plant *p) {
    StateFile file;
    State state = {0};
    zvError error = {0};
    if (p->args->at)
        return complain(CODE_USAGE, "expected --at, a time of the run, or --state, found both; leave one out");
    Code code = CODE_DONE;
    if (state_file_open(p->args->state, &file, &error) < 0) {
        code = complain_error(&error);
    } else {
        p->count = file.count;
        p->times = calloc((size_t)p->count + 1, sizeof *p->times);
        p->states = calloc((size_t)p->count * state_size(p) + 1, sizeof *p->states);
        if (!p->times || !p->states || !state_create(zv_scenario_model(p->scenario), &state)) code = complain_memory();
        for (int i = 0; p->times && i < p->count; i++) p->times[i] = zv_scenario_start(p->scenario);
        if (code == CODE_DONE) code = read_states(p, &file, &state);
    }
    state_free(&state);
    state_file_close(&file);
    return code;
}

/* The linear model ------------------------------------------------------------------------------------------- */

/* Lists of the command line, or NULL where there is none. */
static Code make_linear(Plant *p, const char *inputs, const char *outputs) {
    NameList in = {0}, out = {0};
    zvError error = {0};
    Code code = CODE_DONE;
    if ((inputs && !name_list(inputs, &in)) || (outputs && !name_list(outputs, &out)))
        code = complain_memory();
    else if (zv_linear_create(p->scenario, in.count, inputs ? in.names : NULL, out.count, outputs ? out.names : NULL,
                              &p->linear, &error) < 0)
        code = complain_error(&error);
    name_list_free(&in);
    name_list_free(&out);
    return code;
}

Code plant_open(const Args *args, const char *inputs, const char *outputs, Plant *p) {
    *p = (Plant){.args = args};
    Code code = plant_scenario(args, 0, NULL, &p->scenario);
    if (code == CODE_DONE) code = make_linear(p, inputs ? inputs : args->inputs, outputs ? outputs : args->outputs);
    if (code == CODE_DONE) code = args->state ? states_of(p) : times_of(p);
    return code;
}

void plant_free(Plant *p) {
    zv_linear_destroy(p->linear);
    zv_scenario_destroy(p->scenario);
    free(p->times);
    free(p->states);
}

Code plant_at(Plant *p, int index) {
    const zvModel *model = zv_scenario_model(p->scenario);
    const double *q = p->states ? p->states + (size_t)index * state_size(p) : NULL;
    const double *v = q ? q + zv_model_nq(model) : NULL, *z = q && p->has_z ? v + zv_model_nv(model) : NULL;
    zvError error = {0};
    return zv_linear_at(p->linear, p->times[index], q, v, z, &error) < 0 ? complain_error(&error) : CODE_DONE;
}

/* By the zeros of its columns. */
Code plant_warn(const Plant *p) {
    size_t nx, nu, ny;
    const double *B = plant_matrix(p, ZV_LINEAR_B, &nx, &nu), *D = plant_matrix(p, ZV_LINEAR_D, &ny, &nu);
    for (size_t k = 0; k < nu; k++) {
        bool moves = false;
        for (size_t i = 0; i < nx; i++) moves |= B[i * nu + k] != 0;
        for (size_t i = 0; i < ny; i++) moves |= D[i * nu + k] != 0;
        if (!moves)
            warn("input \"%s\" moves nothing at this state; leave it out", zv_linear_input(p->linear, (int)k).name);
    }
    return CODE_DONE;
}

const double *plant_matrix(const Plant *p, zvLinearMatrix which, size_t *rows, size_t *columns) {
    int r, c;
    const double *X = zv_linear_matrix(p->linear, which, &r, &c);
    *rows = (size_t)r;
    *columns = (size_t)c;
    return X;
}
