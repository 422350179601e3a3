/* Scenarios: reading from file to value, and what may be asked of one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/scenario_read.h"

enum { FORMAT = 1 };
static const double LONGEST = 1e9; /* s; some thirty years */

static zvStatus read_settings(ziScenarioReader *reader, const ziElement *root) {
    zvScenario *scenario = reader->scenario;
    const ziReading *reading = &reader->reading;
    const char *title = NULL;
    zvStatus status = zi_element_text(reading, root, "title", &title);
    if (status >= 0 && title && !(scenario->title = zi_arena_text(&scenario->arena, title)))
        status = zi_scenario_no_memory(reader);
    if (status >= 0) status = zi_element_number(reading, root, "start", &scenario->start);
    if (status >= 0) status = zi_element_need(reading, root, "duration", "duration: 10, in s");
    if (status >= 0) status = zi_scenario_positive(reader, root, "duration", &scenario->duration);
    if (status < 0) return status;
    if (scenario->duration > LONGEST)
        return zi_scenario_bad_number(reader, root, "duration", scenario->duration,
                                      "that is more than thirty years; it is written in seconds");
    if (!(fabs(scenario->start) <= LONGEST))
        return zi_scenario_bad_number(reader, root, "start", scenario->start, "times are written in seconds");
    return ZV_OK;
}

static zvStatus check_version(ziScenarioReader *reader, const ziElement *root) {
    const zvNode *node = zv_node_get(root->node, "zveno_scenario");
    if (!node && zv_node_get(root->node, "zveno"))
        return zv_fail(reader->error, ZV_SCHEMA, root->node->mark, "zveno",
                       "this is a robot file, not a scenario; write a scenario that names it: model: FILE");
    if (!node)
        return zv_fail(reader->error, ZV_SCHEMA, root->node->mark, "zveno_scenario",
                       "the key zveno_scenario is missing; a scenario begins with \"zveno_scenario: %d\"", FORMAT);
    int version = 0;
    const zvStatus status = zv_node_integer(node, "the version after zveno_scenario", &version, reader->error);
    if (status < 0 || version == FORMAT) return status;
    return zv_fail(reader->error, ZV_NOT_SUPPORTED, node->mark, node->text,
                   "the scenario is of format %d, and this version reads format %d; get a newer version", version,
                   FORMAT);
}

static zvStatus open_root(ziScenarioReader *reader, ziElement *root) {
    static const char *const keys[] = {"zveno_scenario", "title",   "model",  "gravity", "start", "duration",
                                       "initial",        "passive", "joints", "drives",  "loads", "springs",
                                       "integrator",     "events",  "output", "loops"};
    *root = (ziElement){reader->root, "the scenario", NULL};
    if (!reader->root)
        return zv_fail(reader->error, ZV_SCHEMA, (zvMark){reader->reading.file, 1, 1}, "",
                       "the file is empty; begin it with \"zveno_scenario: %d\"", FORMAT);
    if (reader->root->kind == ZV_NODE_MAP) {
        const zvStatus status = check_version(reader, root);
        if (status < 0) return status;
    }
    return zi_element_open(&reader->reading, reader->root, root->kind, NULL, ZI_KEYS(keys), root);
}

static zvStatus read_sections(ziScenarioReader *reader) {
    typedef zvStatus (*Section)(ziScenarioReader *, const ziElement *);
    static const Section sections[] = {
        read_settings,
        zi_scenario_passive,
        zi_scenario_model_section,
        zi_scenario_initial,
        zi_scenario_joints,
        zi_scenario_drive_list,
        zi_scenario_continuity,
        zi_scenario_loads,
        zi_scenario_springs,
        zi_scenario_motors,
        zi_scenario_integrator,
        zi_scenario_loops,
        zi_scenario_output_section,
        zi_scenario_events,
    };
    ziElement root;
    zvStatus status = open_root(reader, &root);
    for (size_t i = 0; status >= 0 && i < sizeof sections / sizeof *sections; i++) status = sections[i](reader, &root);
    return status < 0 ? status : ZV_OK;
}

/* Changes of the command line ------------------------------------------------------------------------- */

static zvStatus apply_change(ziScenarioReader *reader, zvDocument *document, const char *change) {
    const char *equals = strchr(change, '=');
    if (!equals || equals == change)
        return zv_fail(reader->error, ZV_SYNTAX, (zvMark){0}, change,
                       "--set %.100s: write key=value, for example --set integrator.rtol=1e-6", change);
    const size_t length = (size_t)(equals - change);
    char *path = zi_scenario_scratch(reader, length + 1, 1);
    if (!path) return ZV_MEMORY;
    memcpy(path, change, length);
    return zv_document_set(document, path, equals + 1, reader->error);
}

static zvStatus apply_changes(ziScenarioReader *reader, zvDocument *document, int count, const char *const *changes) {
    size_t size = 1;
    for (int i = 0; i < count; i++) size += strlen(changes[i]) + 1;
    char *text = zi_arena_alloc(&reader->scenario->arena, size), *end = text;
    if (!text) return zi_scenario_no_memory(reader);
    reader->scenario->changes = text;
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(changes[i]);
        memcpy(end, changes[i], length);
        end += length;
        *end++ = '\n';
        const zvStatus status = apply_change(reader, document, changes[i]);
        if (status < 0) return status;
    }
    return ZV_OK;
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

static zvStatus read_document(ziScenarioReader *reader, zvDocument *document, int count, const char *const *changes) {
    zvScenario *scenario = reader->scenario;
    zvStatus status = apply_changes(reader, document, count, changes);
    if (status < 0) return status;
    reader->root = zv_document_root(document);
    zi_scenario_hash(reader, scenario->text, strlen(scenario->text) + 1);
    zi_scenario_hash(reader, scenario->changes, strlen(scenario->changes) + 1);
    if ((status = read_sections(reader)) < 0) return status;
    zi_scenario_hash(reader, scenario->model_text, strlen(scenario->model_text));
    snprintf(scenario->fingerprint, sizeof scenario->fingerprint, "%016llx", (unsigned long long)reader->hash);
    return ZV_OK;
}

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

zvStatus zv_scenario_read_memory(const char *name, const char *bytes, size_t size, int change_count,
                                 const char *const *changes, zvScenario **scenario, zvError *error) {
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

zvStatus zv_scenario_read_file(const char *path, int change_count, const char *const *changes, zvScenario **scenario,
                               zvError *error) {
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

const char *zv_scenario_title(const zvScenario *scenario) { return scenario->title; }
const zvModel *zv_scenario_model(const zvScenario *scenario) { return scenario->model; }
const zvDrives *zv_scenario_drives(const zvScenario *scenario) { return scenario->drives; }
double zv_scenario_start(const zvScenario *scenario) { return scenario->start; }
double zv_scenario_duration(const zvScenario *scenario) { return scenario->duration; }
const char *zv_scenario_method(const zvScenario *scenario) { return scenario->integration.method; }
const char *zv_scenario_output(const zvScenario *scenario) { return scenario->output; }
const char *zv_scenario_fingerprint(const zvScenario *scenario) { return scenario->fingerprint; }
