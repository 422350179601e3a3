/* Documents of what zveno view shows. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dofs.h"
#include "json.h"
#include "kinds.h"
#include "live/view.h"
#include "server/server.h"
#include "zveno/document.h"
#include "zveno/loops.h"
#include "zveno/version.h"

static PageMeshes meshes_of(const Args *args) {
    return (PageMeshes){.model = args->operand,
                        .folders = args->meshes,
                        .folder_count = args->mesh_count,
                        .packages = args->packages,
                        .package_count = args->package_count};
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

static void tell_problems(const PageProblems *problems) {
    for (const char *line = NULL; (line = page_problem_next(problems, line));) warn("%s", line);
}

/* Recordings ------------------------------------------------------------------------------------------ */

Code view_recording(View *view) {
    Report report = {0};
    Code code = report_read(view->args, &report);
    if (code == CODE_DONE) code = report_put(&report, view->command.bytes, &view->document);
    if (code == CODE_DONE) tell_problems(&report.problems);
    report_free(&report);
    return code;
}

/* Models ---------------------------------------------------------------------------------------------- */

/* The document of a model without recordings: what the sliders of the page move. */
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

/* Everything is made before the server starts: requests are answered from memory. */
Code view_model(View *view) {
    PageModes modes = {0};
    PageProblems problems = {0};
    zvError error = {0};
    Code code = robot_read(view->args, &view->robot);
    if (code == CODE_DONE && view->args->modes &&
        page_modes_read(view->args->modes, view->robot.model, &modes, &error) < 0)
        code = complain_error(&error);
    if (code == CODE_DONE) code = put_model(view, &modes, &problems);
    if (code == CODE_DONE) tell_problems(&problems);
    if (code == CODE_DONE && !(view->scratch = view_assembler_create(view->robot.model))) code = complain_memory();
    page_modes_free(&modes);
    page_problems_free(&problems);
    return code;
}

/* Runs ------------------------------------------------------------------------------------------------ */

/* The file as it is: the page shows it beside the run. A pipe has been read already. */
static void load_text(const char *path, Text *text) {
    char block[4096];
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    for (size_t size; file && (size = fread(block, 1, sizeof block, file)) > 0;) text_put(text, block, size);
    if (file) fclose(file);
}

Code view_scenario(View *view) {
    const Args *args = view->args;
    zvError error = {0};
    if (zv_scenario_read_file(args->operand, args->change_count, args->changes, &view->scenario, &error) < 0) {
        file_blame_kind(args->operand, FILE_SCENARIO, &error);
        return complain_error(&error);
    }
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

/* A line each, as in recordings. */
static void put_warnings(const zvRunSummary *run, Text *out) {
    for (int i = 0; i < zv_run_warnings(run); i++) text_printf(out, "%s\n", zv_run_warning(run, i));
}

/* Texts of a run that have to be made. */
typedef struct Made {
    Text changes, ledger, warnings;
} Made;

enum { NOTES = 12 };

/* Notes of a run as its recording would have them; those that are not known yet are left out. */
static int list_notes(const View *view, const zvRunSummary *run, const Made *made, zvNote notes[NOTES]) {
    const zvScenario *scenario = view->scenario;
    const zvNote all[NOTES] = {
        {"title", zv_scenario_title(scenario)},
        {"scenario", view->scenario_text.bytes},
        {"changes", made->changes.bytes},
        {"command", view->command.bytes},
        {"version", zv_version()},
        {"instruction set", zv_isa_name()},
        {"fingerprint", zv_scenario_fingerprint(scenario)},
        {"integrator", zv_scenario_method(scenario)},
        {"statistics", run ? zv_run_text(run) : NULL},
        {"ending", run ? zv_run_ending(run) : NULL},
        {"ledger", run && zv_run_ledger_rows(run) ? made->ledger.bytes : NULL},
        {"warnings", made->warnings.bytes},
    };
    int count = 0;
    for (int i = 0; i < NOTES; i++)
        if (all[i].text && all[i].text[0]) notes[count++] = all[i];
    return count;
}

/* The document of a run so far: channels without rows, which come as events. */
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

/* Made anew for every page that asks, since statistics and ledger exist only after the end. */
bool view_live_document(View *view, Text *out) {
    const zvRunSummary *run = live_summary(view->live);
    Made texts = {0};
    Text left_out = {0};
    zvNote notes[NOTES];
    put_changes(view->args, &texts.changes);
    if (run) put_ledger(run, &texts.ledger);
    if (run) put_warnings(run, &texts.warnings);
    live_tell_thinned(view->live, &left_out);
    PageBegun begun = {.file = view->args->operand,
                       .title = zv_scenario_title(view->scenario),
                       .model = zv_scenario_model(view->scenario),
                       .run = run,
                       .left_out = left_out.bytes,
                       .notes = notes,
                       .note_count = list_notes(view, run, &texts, notes)};
    begun.channel_count = live_channels(view->live, &begun.channels);
    const bool made = put_live(view, &begun, out);
    text_free(&texts.changes);
    text_free(&texts.ledger);
    text_free(&texts.warnings);
    text_free(&left_out);
    return made;
}

/* Closes the loops of a robot whose joints a page moves. */

enum { RESTARTS = 20 }; /* guesses beside the page's position before a loop is said not to close, as zveno assemble */

struct ViewAssembler {
    const zvModel *model;
    zvWork *work;
    pthread_mutex_t lock; /* of all below */
    double *q, *guess;
    unsigned char *held;
};

/* All memory of requests at once: none of them allocates for the robot. */
ViewAssembler *view_assembler_create(const zvModel *model) {
    ViewAssembler *scratch = calloc(1, sizeof *scratch);
    if (!scratch) return NULL;
    *scratch = (ViewAssembler){.model = model, .work = zv_work_create(model, NULL)};
    scratch->q = calloc(2 * (size_t)zv_model_nq(model) + 1, sizeof *scratch->q);
    scratch->held = calloc((size_t)zv_model_nv(model) + 1, 1);
    if (scratch->work && scratch->q && scratch->held && !pthread_mutex_init(&scratch->lock, NULL)) {
        scratch->guess = scratch->q + zv_model_nq(model);
        return scratch;
    }
    free(scratch->held);
    free(scratch->q);
    zv_work_destroy(scratch->work);
    free(scratch);
    return NULL;
}

void view_assembler_destroy(ViewAssembler *scratch) {
    if (!scratch) return;
    pthread_mutex_destroy(&scratch->lock);
    free(scratch->held);
    free(scratch->q);
    zv_work_destroy(scratch->work);
    free(scratch);
}

/* What stays where it is ------------------------------------------------------------------------------ */

static int hold_joint(ViewAssembler *scratch, const char *label) {
    for (int i = 0; i < zv_model_njoint(scratch->model); i++) {
        const zvJointPlace place = zv_model_joint_place(scratch->model, i);
        if (!place.nv || strcmp(zv_model_joint(scratch->model, i)->name, label) != 0) continue;
        memset(scratch->held + place.v_index, 1, (size_t)place.nv);
        return 1;
    }
    return 0;
}

/* The degree of freedom that an entry of q is moved by; of a joint with a quaternion all of them. */
static void hold_entry(ViewAssembler *scratch, const EntryCursor *entry, bool of_q) {
    const zvJointPlace place = zv_model_joint_place(scratch->model, entry->joint);
    const int own = of_q ? place.nq : place.nv;
    if (of_q && place.nq != place.nv && entry->part < own)
        memset(scratch->held + place.v_index, 1, (size_t)place.nv);
    else
        scratch->held[place.v_index + entry->part + (entry->part < own ? 0 : place.nv - own)] = 1;
}

/* Holds what a label of the page means, an entry of q or of v; 0: no such label, negative: no memory. */
static int hold_label(ViewAssembler *scratch, const char *label, bool of_q) {
    const int count = of_q ? zv_model_nq(scratch->model) : zv_model_nv(scratch->model);
    int found = 0;
    EntryCursor entry = entry_first(scratch->model, of_q);
    for (int i = 0; i < count && !found; i++, entry_next(&entry)) {
        Text name = {0};
        entry_label(&entry, &name);
        found = name.bytes && !strcmp(name.bytes, label);
        if (found) hold_entry(scratch, &entry, of_q);
        text_free(&name);
    }
    return found;
}

/* Marks the coordinates that a page keeps where they are while the others move. */
static zvStatus hold(ViewAssembler *scratch, const zvNode *list, zvError *error) {
    memset(scratch->held, 0, (size_t)zv_model_nv(scratch->model));
    if (!list) return ZV_OK;
    if (list->kind != ZV_NODE_LIST)
        return zv_fail(error, ZV_SCHEMA, list->mark, "held", "held: expected a list, found %s",
                       list->kind == ZV_NODE_MAP ? "a map" : "a single value");
    for (int i = 0; i < list->count; i++) {
        const char *label = NULL;
        const zvStatus status = zv_node_text(list->items[i], "an entry of held", &label, error);
        if (status < 0) return status;
        if (!hold_joint(scratch, label) && !hold_label(scratch, label, false) && !hold_label(scratch, label, true))
            return zv_fail(error, ZV_NAME, list->items[i]->mark, label, "there is no joint or coordinate \"%s\"",
                           label);
    }
    return ZV_OK;
}

/* Requests -------------------------------------------------------------------------------------------- */

/* Takes nothing for granted: the body comes from a browser, and whoever knows the address may send one. */
static zvStatus read_request(ViewAssembler *scratch, const zvNode *root, zvError *error) {
    static const char *const keys[] = {"q", "held"};
    const double FAR = 0.5; /* from unit length a quaternion is none */
    const zvMark mark = {0};
    if (!root || root->kind != ZV_NODE_MAP)
        return zv_fail(error, ZV_SCHEMA, mark, "", "a request is {\"q\": [...], \"held\": [...]}");
    zvStatus status = zv_node_only(root, "a request", keys, sizeof keys / sizeof keys[0], error);
    const zvNode *q = zv_node_get(root, "q");
    if (status >= 0 && !q) return zv_fail(error, ZV_SCHEMA, root->mark, "q", "the request has no q");
    if (status >= 0) status = zv_node_numbers(q, "q", zv_model_nq(scratch->model), scratch->guess, error);
    const double off = status >= 0 ? zv_position_normalize(scratch->model, scratch->guess) : 0;
    if (!(off <= FAR))
        return zv_fail(error, ZV_NUMBER, q->mark, "q",
                       "q: expected quaternions of length 1, found one that is off by %.3g", off);
    return status < 0 ? status : hold(scratch, zv_node_get(root, "held"), error);
}

/* From where the page is first: a motion of a slider should not turn the machine over. */
static zvStatus close_loops(ViewAssembler *scratch, zvError *error) {
    const size_t bytes = (size_t)zv_model_nq(scratch->model) * sizeof *scratch->q;
    zvAssembly options = zv_assembly_default();
    options.held = scratch->held;
    zvStatus status = ZV_OK;
    for (int i = 0; i < 2; i++) {
        options.restarts = i ? RESTARTS : 0;
        memcpy(scratch->q, scratch->guess, bytes);
        status = zv_assemble(scratch->model, scratch->work, NULL, &options, scratch->q, error);
        if (status != ZV_CLOSURE) break;
    }
    return status;
}

static void put_answer(ViewAssembler *scratch, zvStatus status, const zvError *error, Text *out) {
    double residual = 0;
    zv_loop_residual(scratch->model, scratch->work, NULL, scratch->q, NULL, -1, &residual, NULL);
    Json json = json_start(out);
    json_map(&json, JSON_LINE);
    json_key(&json, "q"), json_numbers(&json, scratch->q, (size_t)zv_model_nq(scratch->model));
    json_key(&json, "residual"), json_number(&json, residual);
    json_key(&json, "closed"), json_bool(&json, status >= 0);
    json_key(&json, "message"), json_text(&json, status < 0 ? error->text : NULL);
    json_end(&json);
}

static int put_refusal(const zvError *error, Text *out) {
    Json json = json_start(out);
    json_map(&json, JSON_LINE);
    json_key(&json, "closed"), json_bool(&json, false);
    json_key(&json, "message"), json_text(&json, error->text);
    json_end(&json);
    return error->status == ZV_MEMORY ? SERVER_BROKEN : SERVER_BAD_REQUEST;
}

/* One request at a time works in the memory of the assembler; the document is read outside of the lock. */
int view_assembler_assemble(ViewAssembler *scratch, const char *body, size_t size, Text *out) {
    zvError error = {0};
    zvDocument *document = NULL;
    if (zv_document_read_memory("the request", body, size, &document, &error) < 0) return put_refusal(&error, out);
    pthread_mutex_lock(&scratch->lock);
    int code = SERVER_OK;
    if (read_request(scratch, zv_document_root(document), &error) < 0)
        code = put_refusal(&error, out);
    else
        put_answer(scratch, close_loops(scratch, &error), &error, out);
    pthread_mutex_unlock(&scratch->lock);
    zv_document_destroy(document);
    return code;
}
