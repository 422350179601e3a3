/* zveno linearize: A, B, C, D and M, C, K of a scenario's machine about a state, or along a trajectory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "json.h"
#include "plant.h"
#include "table.h"
#include "verb.h"
#include "zveno/record.h"
#include "zveno/response.h"

/* Matrices of the answer. Those of the second order may be empty. */
typedef struct ShownMatrix {
    zvLinearMatrix which;
    const char *name;
} ShownMatrix;

static const ShownMatrix shown[] = {{ZV_LINEAR_A, "A"},         {ZV_LINEAR_B, "B"},
                                    {ZV_LINEAR_C, "C"},         {ZV_LINEAR_D, "D"},
                                    {ZV_LINEAR_RATE, "rate"},   {ZV_LINEAR_OUTPUT, "output"},
                                    {ZV_LINEAR_MASS, "M"},      {ZV_LINEAR_DAMPING, "damping"},
                                    {ZV_LINEAR_STIFFNESS, "K"}, {ZV_LINEAR_FORCING, "forcing"}};
enum { SHOWN = sizeof shown / sizeof *shown, FIRST_ORDER = 4, WITH_STATE = 6 };

/* One page of each, one after another: page k of matrix i is at numbers[i] + k rows columns. */
typedef struct Answer {
    Plant plant;
    size_t rows[SHOWN], columns[SHOWN];
    double *numbers[SHOWN];
    int matrices;                      /* of shown: those of the first order only when it was reduced */
    int order;                         /* of a reduced system, or -1 */
    const char **names[3], **units[3]; /* of states, inputs, outputs */
    int counts[3];
    char (*reduced_names)[32];
} Answer;

static const char *const lists[3] = {"states", "inputs", "outputs"};

/* Names ---------------------------------------------------------------------------------------------------- */

static zvLinearName name_of(const zvLinear *linear, int list, int index) {
    return list == 0   ? zv_linear_state(linear, index)
           : list == 1 ? zv_linear_input(linear, index)
                       : zv_linear_output(linear, index);
}

/* Those of the states are numbers once they are mixed. */
static bool take_names(Answer *a) {
    const zvLinear *linear = a->plant.linear;
    a->counts[0] = a->order >= 0 ? a->order : zv_linear_states(linear);
    a->counts[1] = zv_linear_inputs(linear);
    a->counts[2] = zv_linear_outputs(linear);
    a->reduced_names = calloc((size_t)a->counts[0] + 1, sizeof *a->reduced_names);
    for (int list = 0; list < 3; list++) {
        a->names[list] = calloc((size_t)a->counts[list] + 1, sizeof(char *));
        a->units[list] = calloc((size_t)a->counts[list] + 1, sizeof(char *));
        if (!a->names[list] || !a->units[list] || !a->reduced_names) return false;
        for (int i = 0; i < a->counts[list]; i++) {
            if (list == 0 && a->order >= 0) {
                snprintf(a->reduced_names[i], sizeof *a->reduced_names, "x%d", i + 1);
                a->names[list][i] = a->reduced_names[i];
                a->units[list][i] = "1";
                continue;
            }
            const zvLinearName name = name_of(linear, list, i);
            a->names[list][i] = name.name;
            a->units[list][i] = name.unit;
        }
    }
    return true;
}

static void answer_free(Answer *a) {
    for (int i = 0; i < SHOWN; i++) free(a->numbers[i]);
    for (int list = 0; list < 3; list++) {
        free(a->names[list]);
        free(a->units[list]);
    }
    free(a->reduced_names);
    plant_free(&a->plant);
}

/* Matrices ------------------------------------------------------------------------------------------------- */

/* Page k of all matrices; the first one tells their sizes, and which coordinates are independent must stay. */
static Code take_page(Answer *a, int page) {
    for (int i = 0; i < a->matrices; i++) {
        size_t rows, columns;
        const double *X = plant_matrix(&a->plant, shown[i].which, &rows, &columns);
        if (page == 0) {
            a->rows[i] = rows;
            a->columns[i] = columns;
            a->numbers[i] = calloc((size_t)a->plant.count * rows * columns + 1, sizeof(double));
            if (!a->numbers[i]) return complain_memory();
        }
        if (rows != a->rows[i] || columns != a->columns[i])
            return complain(CODE_NUMERICAL,
                            "expected %zu x %zu numbers of %s at t = %.9g s as before, found %zu x %zu: other joints "
                            "stick, follow a law or depend; ask for times between which that stays",
                            a->rows[i], a->columns[i], shown[i].name, a->plant.times[page], rows, columns);
        memcpy(a->numbers[i] + (size_t)page * rows * columns, X, rows * columns * sizeof *X);
    }
    return CODE_DONE;
}

/* "minimal" or "balanced:N" in place of A, B and C. */
static Code reduce(Answer *a) {
    const char *word = a->plant.args->reduce;
    const zvStateSpace s = {(int)a->rows[0], (int)a->columns[1], (int)a->rows[2], a->numbers[0],
                            a->numbers[1],   a->numbers[2],      a->numbers[3]};
    const bool minimal = !strcmp(word, "minimal");
    zvError error = {0};
    char after;
    int order = s.nx;
    if (!minimal && (sscanf(word, "balanced:%6d%c", &order, &after) != 1 || order < 0))
        return complain(CODE_USAGE, "expected --reduce minimal or balanced:N, found \"%s\"", word);
    if (a->plant.count > 1)
        return complain(CODE_USAGE, "expected one time for --reduce, found %d: states mix in each in another way",
                        a->plant.count);
    double *A = calloc((size_t)s.nx * (size_t)s.nx + 1, sizeof *A), *B = calloc((size_t)(s.nx * s.nu) + 1, sizeof *B),
           *C = calloc((size_t)(s.nx * s.ny) + 1, sizeof *C);
    zvStatus status = ZV_MEMORY;
    if (A && B && C)
        status = minimal ? zv_minimal(&s, 0, &order, A, B, C, &error) : zv_balanced(&s, &order, A, B, C, NULL, &error);
    double *const smaller[3] = {A, B, C};
    for (int i = 0; i < 3; i++) {
        free(a->numbers[i]);
        a->numbers[i] = smaller[i];
    }
    if (status < 0) return A && B && C ? complain_error(&error) : complain_memory();
    a->rows[0] = a->columns[0] = a->rows[1] = a->columns[2] = (size_t)order;
    a->order = order;
    a->matrices = FIRST_ORDER;
    return CODE_DONE;
}

/* Page by page, then reduced when that is wanted. */
static Code linearise(Answer *a) {
    Code code = CODE_DONE;
    a->matrices = SHOWN;
    a->order = -1;
    for (int page = 0; page < a->plant.count && code == CODE_DONE; page++) {
        code = plant_at(&a->plant, page);
        if (code == CODE_DONE) code = take_page(a, page);
        if (code == CODE_DONE && page == 0) code = plant_warn(&a->plant);
    }
    if (code == CODE_DONE && a->plant.args->reduce) code = reduce(a);
    return code == CODE_DONE && !take_names(a) ? complain_memory() : code;
}

/* Told -------------------------------------------------------------------------------------------------------- */

/* Three lists of maps. */
static void json_names(const Answer *a, Json *json) {
    for (int list = 0; list < 3; list++) {
        json_key(json, lists[list]);
        json_list(json, JSON_BLOCK);
        for (int i = 0; i < a->counts[list]; i++) {
            json_map(json, JSON_LINE);
            json_key(json, "name"), json_text(json, a->names[list][i]);
            json_key(json, "unit"), json_text(json, a->units[list][i]);
            json_end(json);
        }
        json_end(json);
    }
}

/* The matrices of one time. */
static void json_page(const Answer *a, int page, Json *json) {
    json_key(json, "t"), json_number(json, a->plant.times[page]);
    for (int i = 0; i < a->matrices; i++) {
        const size_t size = a->rows[i] * a->columns[i];
        const double *X = a->numbers[i] + (size_t)page * size;
        if (i >= WITH_STATE && size == 0) continue;
        json_key(json, shown[i].name);
        if (i >= FIRST_ORDER && i < WITH_STATE)
            json_numbers(json, X, size);
        else
            json_rows(json, X, a->rows[i], a->columns[i]);
    }
}

/* One state: its matrices beside the names; several: a list of them. */
static void put_json(const Answer *a, Text *out) {
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_names(a, &json);
    if (a->plant.count == 1) {
        json_page(a, 0, &json);
    } else {
        json_key(&json, "models");
        json_list(&json, JSON_BLOCK);
        for (int page = 0; page < a->plant.count; page++) {
            json_map(&json, JSON_BLOCK);
            json_page(a, page, &json);
            json_end(&json);
        }
        json_end(&json);
    }
    json_end(&json);
}

/* One table with the names of rows and columns. */
static void put_matrix(const Answer *a, int i, const char *const *rows, const char *const *columns, Text *out) {
    Table table = table_start(a->columns[i] + 1);
    table_text(&table, shown[i].name);
    for (size_t k = 0; k < a->columns[i]; k++) table_text(&table, columns[k]);
    for (size_t r = 0; r < a->rows[i]; r++) {
        table_text(&table, rows[r]);
        for (size_t k = 0; k < a->columns[i]; k++) table_number(&table, a->numbers[i][r * a->columns[i] + k]);
    }
    table_finish(&table, out);
}

/* "3 states, 1 input" */
static void put_counts(const Answer *a, Text *out) {
    for (int list = 0; list < 3; list++)
        text_printf(out, "%s%d %.*s", list ? ", " : "", a->counts[list],
                    (int)strlen(lists[list]) - (a->counts[list] == 1), lists[list]);
}

/* Matrices of the first state as far as a screen goes. */
static void put_tables(const Answer *a, Text *out) {
    enum { MOST = 16 };
    put_counts(a, out);
    if (a->plant.count == 1)
        text_printf(out, ", t = %.6g s\n", a->plant.times[0]);
    else
        text_printf(out, ", %d times from %.6g to %.6g s; the first:\n", a->plant.count, a->plant.times[0],
                    a->plant.times[a->plant.count - 1]);
    for (int i = 0; i < FIRST_ORDER; i++) {
        text_puts(out, "\n");
        if (a->columns[i] == 0 || a->rows[i] == 0 || a->columns[i] > MOST) {
            text_printf(out, "%s is %zu x %zu%s\n", shown[i].name, a->rows[i], a->columns[i],
                        a->columns[i] > MOST ? " (--json, -o FILE)" : "");
            continue;
        }
        put_matrix(a, i, a->names[i < 2 ? 0 : 2], a->names[i == 0 || i == 2 ? 0 : 1], out);
    }
}

/* Files ------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *suffix) {
    const size_t size = strlen(path), tail = strlen(suffix);
    return size > tail && !strcmp(path + size - tail, suffix);
}

/* All matrices, the times and the names. */
static size_t list_arrays(const Answer *a, Array *arrays) {
    size_t count = 0;
    const size_t pages = a->plant.count > 1 ? (size_t)a->plant.count : 0;
    arrays[count++] = (Array){.name = "t", .rows = 1, .columns = (size_t)a->plant.count, .numbers = a->plant.times};
    for (int i = 0; i < a->matrices; i++) {
        if (i >= WITH_STATE && a->rows[i] * a->columns[i] == 0) continue;
        arrays[count++] = (Array){.name = shown[i].name,
                                  .pages = pages,
                                  .rows = a->rows[i],
                                  .columns = a->columns[i],
                                  .numbers = a->numbers[i]};
    }
    for (int list = 0; list < 3; list++)
        arrays[count++] = (Array){.name = lists[list], .rows = (size_t)a->counts[list], .names = a->names[list]};
    return count;
}

/* As a recording: a row for each time, a channel for each matrix, row by row. */
static zvStatus write_recording(const Answer *a, const char *path, zvError *error) {
    zvChannel channels[SHOWN + 1] = {{.name = "t", .unit = "s", .about = "time", .width = 1}};
    int map[SHOWN + 1], count = 1;
    size_t width = 1;
    for (int i = 0; i < a->matrices; i++) {
        const size_t size = a->rows[i] * a->columns[i];
        if (size == 0) continue;
        map[count] = i;
        channels[count++] = (zvChannel){
            .name = shown[i].name, .unit = "1", .about = "matrix of a linear model, by rows", .width = (int)size};
        width += size;
    }
    Text names[3] = {{0}};
    zvNote notes[3];
    for (int list = 0; list < 3; list++) {
        for (int i = 0; i < a->counts[list]; i++) text_printf(&names[list], "%s%s", i ? "\n" : "", a->names[list][i]);
        notes[list] = (zvNote){lists[list], names[list].bytes ? names[list].bytes : ""};
    }
    zvRecorder *recorder = zv_recorder_create_memory(count, channels, error);
    double *row = calloc(width, sizeof *row);
    zvStatus status = recorder && row ? ZV_OK : ZV_MEMORY;
    for (int page = 0; page < a->plant.count && status >= 0; page++) {
        double *to = row;
        *to++ = a->plant.times[page];
        for (int c = 1; c < count; c++) {
            const size_t size = (size_t)channels[c].width;
            memcpy(to, a->numbers[map[c]] + (size_t)page * size, size * sizeof *to);
            to += size;
        }
        status = zv_recorder_row(recorder, row, error);
    }
    if (status >= 0) status = zv_recorder_finish(recorder, path, 3, notes, error);
    zv_recorder_destroy(recorder);
    free(row);
    for (int list = 0; list < 3; list++) text_free(&names[list]);
    return status;
}

/* By the suffix. */
static Code write_file(const Answer *a, const char *path) {
    Array arrays[SHOWN + 4];
    Text bytes = {0};
    zvError error = {0};
    zvStatus status = ZV_OK;
    bool made = true;
    const size_t count = list_arrays(a, arrays);
    const bool recording = ends_with(path, ".h5") || ends_with(path, ".hdf5") || ends_with(path, ".csv");
    if (ends_with(path, ".mat"))
        made = arrays_mat(arrays, count, &bytes);
    else if (ends_with(path, ".npz"))
        made = arrays_npz(arrays, count, &bytes);
    else if (ends_with(path, ".json"))
        put_json(a, &bytes);
    else if (!recording)
        return complain(CODE_USAGE, "expected -o FILE.json, .mat, .npz, .h5 or .csv, found \"%s\"", path);
    if (!made || bytes.failed)
        status = zv_fail(&error, ZV_SIZE, (zvMark){0}, path, "%s: the matrices are too large for this file; write .h5",
                         path);
    else
        status = recording ? write_recording(a, path, &error) : zv_output_write(path, bytes.bytes, bytes.size, &error);
    text_free(&bytes);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

/* Into a file, or printed. */
static Code run(const Args *args, Text *out) {
    Answer a = {0};
    Code code = plant_open(args, NULL, NULL, &a.plant);
    if (code == CODE_DONE) code = linearise(&a);
    if (code == CODE_DONE && args->output) {
        code = write_file(&a, args->output);
        if (code == CODE_DONE) {
            text_puts(out, "wrote ");
            text_name(out, args->output);
            text_puts(out, ": ");
            put_counts(&a, out);
            text_printf(out, ", %d %s\n", a.plant.count, a.plant.count == 1 ? "time" : "times");
        }
    } else if (code == CODE_DONE && args->given & OPTION_JSON) {
        put_json(&a, out);
    } else if (code == CODE_DONE) {
        put_tables(&a, out);
    }
    answer_free(&a);
    return code;
}

const Verb verb_linearize = {
    .name = "linearize",
    .run = run,
    .options = OPTION_AT | OPTION_STATE | OPTION_INPUTS | OPTION_OUTPUTS | OPTION_REDUCE | OPTION_SET | OPTION_OUTPUT |
               OPTION_JSON | OPTION_HELP,
    .file = "scenario or model file",
    .form = "SCENARIO|MODEL [--at T|FROM:TO:STEP] [--state FILE] [--inputs LIST] [--outputs LIST] [-o FILE]",
    .summary = "linear models: A, B, C, D and M, C, K about a state",
    .help =
        "dx/dt = A x + B u, y = C x + D u for small departures from a state of the scenario's machine: its start, a\n"
        "state of the run (--at), several of them, or those of a file; drives, controllers, flexible joints, elastic\n"
        "links and loops included. x: independent positions, their velocities, then states of drives. Of a model by\n"
        "itself, without a scenario, its springs and dampers act.\n"
        "Inputs\n"
        "  tau.JOINT               force of a drive; of a flexible joint on its motor, as seen from the link\n"
        "  disturbance.JOINT       force on the link\n"
        "  \"load FRAME.fx\"         force or moment at a frame, world axes (fx fy fz mx my mz)\n"
        "  \"reference DRIVE.JOINT\" set point or motion; reference_rate and reference_acceleration: its derivatives\n"
        "A name without its entry (tau, \"load tool\") means all of them. Outputs are channels (docs/scenarios.md).\n"
        "With --json, or -o FILE.json, prints {states: [{name, unit}], inputs, outputs, t, A, B, C, D, rate (dx/dt at\n"
        "the state), output (y there), M, damping, K, forcing (M p'' + damping p' + K p = forcing u, where no\n"
        "integrals are states)}, with several times models: [{t, A, ...}]. -o FILE.mat is for MATLAB and Octave,\n"
        ".npz for NumPy, .h5 and .csv are recordings with a row for each time.\n"
        "\n"
        "Example\n"
        "  zveno linearize arm.yaml --at 0.5 --inputs tau --outputs q,\"pose tool.z\" -o arm.mat\n",
};
