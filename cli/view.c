/* Documents of what zveno view shows. */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "zveno/version.h"

static PageMeshes meshes_of(const Args *args) {
    return (PageMeshes){.model = args->operand, .folders = args->meshes, .folder_count = args->mesh_count};
}

void view_free(View *view) {
    live_free(view->live);
    zv_scenario_destroy(view->scenario);
    view_assembler_destroy(view->scratch);
    robot_free(&view->robot);
    text_free(&view->scenario_text);
    text_free(&view->document);
    text_free(&view->page);
    text_free(&view->command);
}

static void tell(const PageProblems *problems) {
    for (const char *line = NULL; (line = page_problem_next(problems, line));) warn("%s", line);
}

/* Recordings ------------------------------------------------------------------------------------------ */

Code view_recording(View *view) {
    Report report = {0};
    Code code = report_read(view->args, &report);
    if (code == CODE_DONE) code = report_put(&report, view->command.bytes, &view->document);
    if (code == CODE_DONE) tell(&report.problems);
    report_free(&report);
    return code;
}

/* Models ---------------------------------------------------------------------------------------------- */

static Code put_model(View *view, const PageModes *modes, PageProblems *problems) {
    const PageMeshes meshes = meshes_of(view->args);
    zvError error = {0};
    Json json = json_start(&view->document);
    page_document_begin(&json, "model", view->command.bytes);
    json_key(&json, "recordings"), json_list(&json, JSON_LINE), json_end(&json);
    json_key(&json, "model");
    if (page_model_json(view->robot.model, &meshes, &json, problems, &error) < 0) return complain_error(&error);
    json_key(&json, "modes"), page_modes_json(modes, &json);
    page_document_end(&json, problems);
    return view->document.failed || problems->lines.failed ? complain_memory() : CODE_DONE;
}

Code view_model(View *view) {
    PageModes modes = {0};
    PageProblems problems = {0};
    zvError error = {0};
    Code code = robot_read(view->args, &view->robot);
    if (code == CODE_DONE && view->args->modes &&
        page_modes_read(view->args->modes, view->robot.model, &modes, &error) < 0)
        code = complain_error(&error);
    if (code == CODE_DONE) code = put_model(view, &modes, &problems);
    if (code == CODE_DONE) tell(&problems);
    if (code == CODE_DONE && !(view->scratch = view_assembler_create(view->robot.model))) code = complain_memory();
    page_modes_free(&modes);
    page_problems_free(&problems);
    return code;
}

/* Runs ------------------------------------------------------------------------------------------------ */

/* The file as it is: the page shows it beside the run. */
static void load_text(const char *path, Text *text) {
    char block[4096];
    FILE *file = fopen(path, "rb");
    for (size_t size; file && (size = fread(block, 1, sizeof block, file)) > 0;) text_put(text, block, size);
    if (file) fclose(file);
}

Code view_scenario(View *view) {
    const Args *args = view->args;
    zvError error = {0};
    if (zv_scenario_read_file(args->operand, args->change_count, args->changes, &view->scenario, &error) < 0)
        return complain_error(&error);
    load_text(args->operand, &view->scenario_text);
    return CODE_DONE;
}

Code view_begin(View *view) {
    if (!view->scenario) return CODE_DONE;
    return live_start(view->scenario, view->args->output, view->command.bytes, &view->live);
}

static void put_changes(const Args *args, Text *out) {
    for (int i = 0; i < args->change_count; i++) text_printf(out, "%s\n", args->changes[i]);
}

/* A field of comma-separated values, in quotes where it has to be (RFC 4180). */
static void put_field(const char *text, Text *out) {
    if (!text[strcspn(text, ",\"\r\n")]) {
        text_puts(out, text);
        return;
    }
    text_puts(out, "\"");
    for (; *text; text++) {
        if (*text == '"') text_puts(out, "\"");
        text_put(out, text, 1);
    }
    text_puts(out, "\"");
}

/* As in recordings (src/simulate/notes.c). */
static void put_ledger(const zvRunSummary *run, Text *out) {
    text_puts(out, "kind,name,J\n");
    for (int i = 0; i < zv_run_ledger_rows(run); i++) {
        const zvLedgerRow row = zv_run_ledger_row(run, i);
        text_puts(out, row.is_store ? "store," : "work,");
        put_field(row.name, out);
        text_printf(out, ",%.17g\n", row.amount);
    }
}

enum { NOTES = 12 };

static int list_notes(const View *view, const zvRunSummary *run, const Text *changes, const Text *ledger,
                      zvNote notes[NOTES]) {
    const zvScenario *scenario = view->scenario;
    const zvNote all[NOTES] = {
        {"title", zv_scenario_title(scenario)},
        {"scenario", view->scenario_text.bytes},
        {"changes", changes->bytes},
        {"command", view->command.bytes},
        {"version", zv_version()},
        {"instruction set", zv_isa_name()},
        {"fingerprint", zv_scenario_fingerprint(scenario)},
        {"integrator", zv_scenario_method(scenario)},
        {"statistics", run ? zv_run_text(run) : NULL},
        {"ending", run ? zv_run_ending(run) : NULL},
        {"ledger", run && zv_run_ledger_rows(run) ? ledger->bytes : NULL},
    };
    int count = 0;
    for (int i = 0; i < NOTES; i++)
        if (all[i].text && all[i].text[0]) notes[count++] = all[i];
    return count;
}

static bool put_live(View *view, const PageBegun *begun, Text *out) {
    const PageMeshes meshes = meshes_of(view->args);
    PageProblems problems = {0};
    Json json = json_start(out);
    page_document_begin(&json, "live", view->command.bytes);
    json_key(&json, "recordings"), json_list(&json, JSON_BLOCK);
    const bool made = page_begun_json(begun, &meshes, &json, &problems, NULL) >= 0;
    if (made) {
        json_end(&json);
        json_key(&json, "model"), json_text(&json, NULL);
        json_key(&json, "modes"), json_text(&json, NULL);
        page_document_end(&json, &problems);
    }
    page_problems_free(&problems);
    return made && !out->failed;
}

bool view_live_document(View *view, Text *out) {
    const zvRunSummary *run = live_summary(view->live);
    Text changes = {0}, ledger = {0}, left_out = {0};
    zvNote notes[NOTES];
    put_changes(view->args, &changes);
    if (run) put_ledger(run, &ledger);
    live_tell_thinned(view->live, &left_out);
    PageBegun begun = {.file = view->args->operand,
                       .title = zv_scenario_title(view->scenario),
                       .model = zv_scenario_model(view->scenario),
                       .run = run,
                       .left_out = left_out.bytes,
                       .notes = notes,
                       .note_count = list_notes(view, run, &changes, &ledger, notes)};
    begun.channel_count = live_channels(view->live, &begun.channels);
    const bool made = put_live(view, &begun, out);
    text_free(&changes);
    text_free(&ledger);
    text_free(&left_out);
    return made;
}
