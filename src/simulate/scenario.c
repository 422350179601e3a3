/* Scenarios: what all sections need, the output section, reading from file to value, and questions about a scenario. */
#define _POSIX_C_SOURCE 200809L

#include "simulate/scenario.h"
#include "base/require.h"
#include "simulate/scenario_read.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What all sections of a scenario need: memory, files, places of failures, numbers with a sign. */

zvStatus zi_scenario_no_memory(ziScenarioReader *reader) {
    return zv_fail(reader->error, ZV_MEMORY, (zvMark){reader->reading.file, 0, 0}, "",
                   "out of memory while reading the scenario");
}

void *zi_scenario_scratch(ziScenarioReader *reader, size_t count, size_t size) {
    void *buffer = count > SIZE_MAX / 2 / size ? NULL : zi_arena_alloc(&reader->scratch, count * size);
    if (!buffer) zi_scenario_no_memory(reader);
    return buffer;
}

/* FNV-1a */
static void scenario_hash(ziScenarioReader *reader, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) reader->hash = (reader->hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
}

zvStatus zi_scenario_blame(ziScenarioReader *reader, const ziNamedMap *element, const zvNode *node, zvStatus status) {
    zvError *error = reader->error;
    if (status == ZV_MEMORY || error->file[0] || error->line > 0) return status;
    char text[sizeof error->text], token[sizeof error->token], what[ZI_WHAT];
    memcpy(text, error->text, sizeof text);
    memcpy(token, error->token, sizeof token);
    if (!token[0] && node->kind == ZV_NODE_SCALAR) snprintf(token, sizeof token, "%s", node->text);
    const bool named = element->name && strstr(text, element->name); /* says itself what it is about */
    return zv_fail(error, status, node->mark, token, "%s%s%s", named ? "" : zi_map_what(element, NULL, what),
                   named ? "" : ": ", text);
}

/* Relative to the folder of the scenario file, as users expect of a file that names others. */
const char *zi_scenario_beside(ziScenarioReader *reader, const char *path) {
    const char *file = reader->reading.file, *slash = strrchr(file, '/');
    const size_t directory = path[0] == '/' || !slash ? 0 : (size_t)(slash - file) + 1, length = strlen(path);
    char *joined = zi_arena_alloc(&reader->scenario->arena, directory + length + 1);
    if (!joined) return zi_scenario_no_memory(reader), NULL;
    memcpy(joined, file, directory);
    memcpy(joined + directory, path, length + 1);
    ziInput *input = zi_arena_alloc(&reader->scenario->arena, sizeof *input);
    if (!input) return zi_scenario_no_memory(reader), NULL;
    *input = (ziInput){joined, reader->scenario->inputs};
    reader->scenario->inputs = input;
    return joined;
}

/* The bytes count in the fingerprint: a changed input is another scenario. */
zvStatus zi_scenario_load(ziScenarioReader *reader, const zvNode *node, const char *what, const char **path,
                          ziSource *source) {
    const char *name = NULL;
    zvStatus status = zv_node_text(node, what, &name, reader->error);
    if (status < 0) return status;
    if (!name[0] || strcmp(name, "-") == 0)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, name, "%s: expected the path of a file, found \"%s\"",
                       what, name);
    if (!(*path = zi_scenario_beside(reader, name))) return ZV_MEMORY;
    zvError inner = {0};
    if ((status = zi_source_load(*path, source, &inner)) < 0)
        return zv_fail(reader->error, status, node->mark, name, "%s cannot be read: %s (%.120s)", what, inner.text,
                       *path);
    scenario_hash(reader, source->bytes, source->size);
    return ZV_OK;
}

zvStatus zi_scenario_bad_number(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double value,
                                const char *expected, const char *remedy) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return zv_fail(reader->error, ZV_NUMBER, node->mark, node->kind == ZV_NODE_SCALAR ? node->text : "",
                   "%s: expected %s, found %g%s%s", zi_map_what(element, key, what), expected, value,
                   remedy ? "; " : "", remedy ? remedy : "");
}

zvStatus zi_scenario_positive(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double *value) {
    const zvStatus status = zi_map_number(&reader->reading, element, key, value);
    if (status < 0 || !zi_map_has(element, key) || *value > 0) return status;
    return zi_scenario_bad_number(reader, element, key, *value, "a number above 0", NULL);
}

static zvStatus refuse_negative(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double value) {
    if (!zi_map_has(element, key) || value >= 0) return ZV_OK;
    return zi_scenario_bad_number(reader, element, key, value, "a number of at least 0", NULL);
}

zvStatus zi_scenario_not_negative(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double *value) {
    const zvStatus status = zi_map_number(&reader->reading, element, key, value);
    return status < 0 ? status : refuse_negative(reader, element, key, *value);
}

zvStatus zi_scenario_rate(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double *value) {
    const zvStatus status = zi_map_angle(&reader->reading, element, key, value);
    return status < 0 ? status : refuse_negative(reader, element, key, *value);
}

/* What a run writes: file, channels, rate. */

static const double USUAL_RATE = 100, USUAL_CHECKPOINT = 5, MOST_ROWS = 1e9;

/* The suffix decides the form, so an unknown one is refused here and not after the run. */
static zvStatus read_file(ziScenarioReader *reader, const ziNamedMap *output) {
    static const char *const suffixes[] = {".h5", ".hdf5", ".csv"};
    const char *file = NULL;
    const zvStatus status = zi_map_text(&reader->reading, output, "file", &file);
    if (status < 0 || !file) return status;
    const size_t length = strlen(file);
    bool known = false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t suffix = strlen(suffixes[i]);
        known = known || (length > suffix && strcasecmp(file + length - suffix, suffixes[i]) == 0);
    }
    if (!known)
        return zi_map_refuse(
            &reader->reading, output, "file",
            "expected a name that ends in .h5 or .csv, found another; the end decides the form of the recording");
    reader->scenario->output = zi_arena_text(&reader->scenario->arena, file);
    return reader->scenario->output ? ZV_OK : zi_scenario_no_memory(reader);
}

/* rate, interval and every_step exclude each other. */
static zvStatus read_interval(ziScenarioReader *reader, const ziNamedMap *output) {
    zvScenario *scenario = reader->scenario;
    bool every_step = false;
    double rate = USUAL_RATE;
    const bool has_rate = zi_map_has(output, "rate"), has_interval = zi_map_has(output, "interval");
    zvStatus status = zi_map_bool(&reader->reading, output, "every_step", &every_step);
    if (status >= 0) status = zi_scenario_positive(reader, output, "rate", &rate);
    scenario->interval = 1 / rate;
    if (status >= 0) status = zi_scenario_positive(reader, output, "interval", &scenario->interval);
    if (status < 0) return status;
    if (has_rate + has_interval + every_step > 1)
        return zi_map_refuse(&reader->reading, output, has_interval ? "interval" : "rate",
                             "expected one of rate, interval and every_step, found more; keep one");
    const double rows = scenario->duration / scenario->interval;
    if (rows > MOST_ROWS && (has_rate || has_interval)) {
        char remedy[160];
        snprintf(remedy, sizeof remedy, "with a duration of %g s that makes %.3g; %s", scenario->duration, rows,
                 has_rate ? "rate is in rows per second" : "interval is in seconds");
        return zi_scenario_bad_number(reader, output, has_rate ? "rate" : "interval",
                                      has_rate ? rate : scenario->interval, "at most 1e9 rows", remedy);
    }
    if (rows > MOST_ROWS)
        return zv_fail(reader->error, ZV_SIZE, output->node ? output->node->mark : reader->root->mark, "rate",
                       "expected at most 1e9 rows, found %.3g: a duration of %g s at the usual %g rows per second; "
                       "give output a lower rate",
                       rows, scenario->duration, rate);
    if (every_step) scenario->interval = 0;
    return ZV_OK;
}

/* Described once here, so that a channel without entries is refused with its line. */
static zvStatus read_channel(ziScenarioReader *reader, const ziNamedMap *output, const zvNode *node) {
    zvScenario *scenario = reader->scenario;
    ziChannelSpec spec;
    zvChannel channel;
    const char *label;
    zvStatus status = zi_scenario_channel(reader, node, false, &spec, &label);
    if (status < 0) return status;
    status = zi_channel_describe(scenario, spec, &reader->scratch, &channel, reader->error);
    if (status < 0) return zi_scenario_blame(reader, output, node, status);
    for (int i = 0; i < scenario->channel_count; i++)
        if (scenario->channels[i].kind == spec.kind && scenario->channels[i].index == spec.index)
            return zv_fail(reader->error, ZV_NAME, node->mark, node->text,
                           "expected channel \"%.80s\" once, found it twice; remove one", node->text);
    scenario->channels[scenario->channel_count++] = spec;
    return ZV_OK;
}

/* The channels of the list; without one q, v, tau and energy. */
static zvStatus read_channels(ziScenarioReader *reader, const ziNamedMap *output) {
    static const ziChannelKind usual[] = {ZI_CHANNEL_Q, ZI_CHANNEL_V, ZI_CHANNEL_TAU, ZI_CHANNEL_ENERGY};
    enum { USUAL = sizeof usual / sizeof *usual };
    zvScenario *scenario = reader->scenario;
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(&reader->reading, output, "channels", &list);
    if (status < 0) return status;
    const size_t count = list ? (size_t)list->count : USUAL;
    scenario->channels = zi_arena_alloc(&scenario->arena, (count + 1) * sizeof *scenario->channels); /* one is added */
    if (!scenario->channels) return zi_scenario_no_memory(reader);
    for (int i = 0; !list && i < USUAL; i++)
        scenario->channels[scenario->channel_count++] = (ziChannelSpec){usual[i], -1};
    for (int i = 0; status >= 0 && list && i < list->count; i++) status = read_channel(reader, output, list->items[i]);
    return status;
}

/* Everything has a default, so the section may be absent. */
static zvStatus scenario_output_section(ziScenarioReader *reader, const ziNamedMap *root) {
    static const char *const keys[] = {"file", "rate", "interval", "every_step", "channels", "ledger", "checkpoint"};
    zvScenario *scenario = reader->scenario;
    ziNamedMap output;
    scenario->ledger = true;
    scenario->checkpoint = USUAL_CHECKPOINT;
    zvStatus status = zi_map_part(&reader->reading, root, "output", "the output", ZI_KEYS(keys), &output);
    if (status >= 0) status = read_file(reader, &output);
    if (status >= 0) status = read_interval(reader, &output);
    if (status >= 0) status = read_channels(reader, &output);
    if (status >= 0) status = zi_map_bool(&reader->reading, &output, "ledger", &scenario->ledger);
    /* what costs nothing to judge is judged: a machine with stores of energy only */
    if (zv_drives_naccount(scenario->drives) == 0) scenario->ledger = true;
    if (status >= 0) status = zi_scenario_positive(reader, &output, "checkpoint", &scenario->checkpoint);
    return status;
}

/* Scenarios: reading from file to value, and what may be asked of one. */

enum { FORMAT = 1 };
static const double LONGEST = 1e9; /* s; some thirty years */

/* Title, start and duration: what the other sections may refer to. */
static zvStatus read_settings(ziScenarioReader *reader, const ziNamedMap *root) {
    zvScenario *scenario = reader->scenario;
    const ziReading *reading = &reader->reading;
    const char *title = NULL;
    zvStatus status = zi_map_text(reading, root, "title", &title);
    if (status >= 0 && title && !(scenario->title = zi_arena_text(&scenario->arena, title)))
        status = zi_scenario_no_memory(reader);
    if (status >= 0) status = zi_map_number(reading, root, "start", &scenario->start);
    if (status >= 0) status = zi_map_need(reading, root, "duration", "duration: 10, in s");
    if (status >= 0) status = zi_scenario_positive(reader, root, "duration", &scenario->duration);
    if (status < 0) return status;
    if (scenario->duration > LONGEST)
        return zi_scenario_bad_number(reader, root, "duration", scenario->duration, "at most 1e9 s",
                                      "it is written in seconds");
    if (!(fabs(scenario->start) <= LONGEST))
        return zi_scenario_bad_number(reader, root, "start", scenario->start, "a time within 1e9 s",
                                      "times are written in seconds");
    return ZV_OK;
}

/* Tells a robot file given by mistake from a scenario of another version. */
static zvStatus check_version(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *node = zv_node_get(root->node, "zveno_scenario");
    if (!node && zv_node_get(root->node, "zveno"))
        return zv_fail(reader->error, ZV_SCHEMA, root->node->mark, "zveno",
                       "expected a scenario, found a robot file; write a scenario that names it: model: FILE");
    if (!node)
        return zv_fail(reader->error, ZV_SCHEMA, root->node->mark, "zveno_scenario",
                       "expected the key zveno_scenario, found none; a scenario begins with \"zveno_scenario: %d\"",
                       FORMAT);
    int version = 0;
    const zvStatus status = zv_node_integer(node, "the version after zveno_scenario", &version, reader->error);
    if (status < 0 || version == FORMAT) return status;
    return zv_fail(reader->error, ZV_NOT_SUPPORTED, node->mark, node->text,
                   "expected a scenario of format %d, found format %d; get a newer version", FORMAT, version);
}

/* The document must be a map with known keys; the first unknown one is refused with the nearest. */
static zvStatus open_root(ziScenarioReader *reader, ziNamedMap *root) {
    static const char *const keys[] = {"zveno_scenario", "title",   "model",      "gravity", "start",
                                       "duration",       "initial", "passive",    "joints",  "drives",
                                       "loads",          "springs", "integrator", "events",  "output",
                                       "loops",          "limits",  "effort",     "bushings", "cases"};
    *root = (ziNamedMap){reader->root, "the scenario", NULL};
    if (!reader->root)
        return zv_fail(reader->error, ZV_SCHEMA, (zvMark){reader->reading.file, 1, 1}, "",
                       "expected a scenario, found an empty file; begin it with \"zveno_scenario: %d\"", FORMAT);
    if (reader->root->kind == ZV_NODE_MAP) {
        const zvStatus status = check_version(reader, root);
        if (status < 0) return status;
    }
    return zi_map_open(&reader->reading, reader->root, root->kind, NULL, ZI_KEYS(keys), root);
}

/* In an order in which each section finds what it needs: model, state, forces, integrator, output, events. */
static zvStatus read_sections(ziScenarioReader *reader) {
    typedef zvStatus (*Section)(ziScenarioReader *, const ziNamedMap *);
    static const Section sections[] = {
        read_settings,          zi_scenario_passive,       zi_scenario_model_section, zi_scenario_initial,
        zi_scenario_joints,     zi_scenario_modal_damping, zi_scenario_limits,        zi_scenario_drive_list,
        zi_scenario_continuity, zi_scenario_loads,         zi_scenario_springs,       zi_scenario_bushings,
        zi_scenario_motors,     zi_scenario_integrator,    zi_scenario_loops,         scenario_output_section,
        zi_scenario_events,     zi_scenario_cases,
    };
    ziNamedMap root;
    zvStatus status = open_root(reader, &root);
    for (size_t i = 0; status >= 0 && i < sizeof sections / sizeof *sections; i++) status = sections[i](reader, &root);
    return status < 0 ? status : ZV_OK;
}

/* Reading --------------------------------------------------------------------------------------------- */

static zvStatus keep_text(ziScenarioReader *reader, const char *name, const char *bytes, size_t size) {
    zvScenario *scenario = reader->scenario;
    char *text = zi_arena_alloc(&scenario->arena, size + 1);
    scenario->file = zi_arena_text(&scenario->arena, name);
    if (!text || !scenario->file) return zi_scenario_no_memory(reader);
    if (size) memcpy(text, bytes, size);
    scenario->text = text;
    reader->reading.file = scenario->file;
    return ZV_OK;
}

/* The fingerprint covers text and changes before the sections add their files. */
static zvStatus read_document(ziScenarioReader *reader, zvDocument *document, int count, const char *const *changes) {
    zvScenario *scenario = reader->scenario;
    zvStatus status = zi_scenario_change(reader, document, count, changes);
    if (status >= 0) status = zv_document_expand(document, reader->error);
    if (status < 0) return status;
    reader->root = zv_document_root(document);
    scenario_hash(reader, scenario->text, strlen(scenario->text) + 1);
    scenario_hash(reader, scenario->changes, strlen(scenario->changes) + 1);
    if ((status = read_sections(reader)) < 0) return status;
    scenario_hash(reader, scenario->model_text, strlen(scenario->model_text));
    snprintf(scenario->fingerprint, sizeof scenario->fingerprint, "%016llx", (unsigned long long)reader->hash);
    return ZV_OK;
}

/* Scratch memory and document end with the reading, whether it failed or not. */
static zvStatus read_scenario(zvScenario *made, const char *name, const char *bytes, size_t size, int count,
                              const char *const *changes, zvError *error) {
    ziScenarioReader reader = {.scenario = made, .error = error, .hash = 0xcbf29ce484222325u};
    reader.reading.error = error;
    zvDocument *document = NULL;
    zvStatus status = keep_text(&reader, name, bytes, size);
    if (status >= 0) status = zv_document_read_memory(made->file, bytes, size, &document, error);
    if (status >= 0) status = read_document(&reader, document, count, changes);
    zv_document_destroy(document);
    zv_task_work_destroy(reader.task_work);
    zv_work_destroy(reader.work);
    zi_arena_free(&reader.scratch);
    return status;
}

/* A scenario is made whole or not at all. */
zvStatus zv_scenario_read_memory(const char *name, const char *bytes, size_t size, int change_count,
                                 const char *const *changes, zvScenario **scenario, zvError *error) {
    ZI_REQUIRE(name && (bytes || !size) && scenario && (change_count <= 0 || changes));
    zvError own = {0}; /* the reader looks at the error itself */
    zvError *used = error ? error : &own;
    *scenario = NULL;
    zvScenario *made = calloc(1, sizeof *made);
    if (!made) return zv_fail(used, ZV_MEMORY, (zvMark){name, 0, 0}, "", "out of memory while reading the scenario");
    const zvStatus status = read_scenario(made, name, bytes, size, change_count, changes, used);
    if (status >= 0)
        *scenario = made;
    else
        zv_scenario_destroy(made);
    return status;
}

/* The whole file first, then as from memory. */
zvStatus zv_scenario_read_file(const char *path, int change_count, const char *const *changes, zvScenario **scenario,
                               zvError *error) {
    ZI_REQUIRE(path && scenario && (change_count <= 0 || changes));
    *scenario = NULL;
    ziSource source;
    zvStatus status = zi_source_load(path, &source, error);
    if (status < 0) return status;
    status = zv_scenario_read_memory(zi_source_name(path), source.bytes, source.size, change_count, changes, scenario,
                                     error);
    zi_source_free(&source);
    return status;
}

void zv_scenario_destroy(zvScenario *scenario) {
    if (!scenario) return;
    zv_drives_destroy(scenario->drives);
    zv_model_destroy(scenario->model);
    zi_arena_free(&scenario->arena);
    free(scenario);
}

const char *zv_scenario_title(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->title;
}
const zvModel *zv_scenario_model(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->model;
}
const zvDrives *zv_scenario_drives(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->drives;
}
double zv_scenario_start(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->start;
}
double zv_scenario_duration(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->duration;
}
const char *zv_scenario_method(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->integration.method;
}
const char *const *zv_scenario_model_changes(const zvScenario *scenario, int *count) {
    ZI_REQUIRE(scenario && count);
    *count = scenario->model_change_count;
    return scenario->model_changes;
}
const char *zv_scenario_model_file(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->model_file;
}
const char *zv_scenario_model_text(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->model_text;
}

const char *zv_scenario_output(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->output;
}
const char *zv_scenario_fingerprint(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->fingerprint;
}
