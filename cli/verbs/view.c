/* zveno view: serves a page that shows a recording, a model, or a run while it goes on. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "kinds.h"
#include "live/view.h"
#include "progress.h"
#include "recordings.h"
#include "verb.h"

/* What is served -------------------------------------------------------------------------------------- */

static int answer_with(const Text *text, Text *out) {
    text_put(out, text->bytes, text->size);
    return SERVER_OK;
}

static int answer_page(void *view, const char *body, size_t size, Text *out) {
    (void)body, (void)size;
    return answer_with(&((View *)view)->page, out);
}

static int answer_document(void *view, const char *body, size_t size, Text *out) {
    (void)body, (void)size;
    return answer_with(&((View *)view)->document, out);
}

static int answer_live(void *view, const char *body, size_t size, Text *out) {
    (void)body, (void)size;
    return view_live_document(view, out) ? SERVER_OK : SERVER_BROKEN;
}

static int answer_assemble(void *view, const char *body, size_t size, Text *out) {
    return view_assembler_assemble(((View *)view)->scratch, body, size, out);
}

static void *open_rows(void *view, int64_t after) { return live_stream_open(((View *)view)->live, after); }

#define PAGE \
    { .path = "", .method = "GET", .type = "text/html; charset=utf-8", .answer = answer_page }
#define JSON_TYPE "application/json"
#define DOCUMENT \
    { .path = "document.json", .method = "GET", .type = JSON_TYPE, .answer = answer_document }

static const ServerRoute recording_routes[] = {PAGE, DOCUMENT, {0}};
static const ServerRoute model_routes[] = {
    PAGE, DOCUMENT, {.path = "assemble", .method = "POST", .type = JSON_TYPE, .answer = answer_assemble}, {0}};
static const ServerRoute live_routes[] = {
    PAGE,
    {.path = "document.json", .method = "GET", .type = JSON_TYPE, .answer = answer_live},
    {.path = "rows",
     .method = "GET",
     .type = "text/event-stream",
     .open = open_rows,
     .next = live_stream_next,
     .close = live_stream_close},
    {0}};

/* What it is ------------------------------------------------------------------------------------------ */

typedef struct ViewKind {
    const char *what;
    OptionSet refused;
    const char *instead;
    Code (*make)(View *view);
    const ServerRoute *routes;
} ViewKind;

#define OF_MODELS (OPTION_BASE | OPTION_MIMIC | OPTION_LOCK | OPTION_GRAVITY)
#define OF_SCENARIOS OPTION_OUTPUT
#define OF_RECORDINGS (OPTION_ROWS | OPTION_TITLE)

static const ViewKind a_recording = {
    "recording", OF_MODELS | OF_SCENARIOS | OPTION_SET,
    "--base, --mimic, --lock, --gravity and --set are for models, --set and -o for scenarios", view_recording,
    recording_routes};
static const ViewKind a_model = {"model", OF_SCENARIOS | OF_RECORDINGS,
                                 "-o is for scenarios, --rows and --title for recordings", view_model, model_routes};
static const ViewKind a_scenario = {"scenario", OF_MODELS | OF_RECORDINGS | OPTION_MODES,
                                    "the model is changed by --set model.base=free and the like; --rows, --title and "
                                    "--modes are for recordings",
                                    view_scenario, live_routes};

/* A file that cannot be read is left to the reader of models, which tells why. */
static const ViewKind *view_kind(const char *path) {
    if (is_recording(path)) return &a_recording;
    return file_kind(path) == FILE_SCENARIO ? &a_scenario : &a_model;
}

/* Serving --------------------------------------------------------------------------------------------- */

/* The command line again, quoted for a shell: the page shows how it was made. */
static void put_command(const Args *args, Text *out) {
    text_puts(out, "zveno view");
    for (int i = 0; i < args->operand_count; i++) args_put_word(args->operands[i], out);
    for (int i = 0; i < args->change_count; i++) args_put_option("--set", args->changes[i], out);
    args_put_option("-o", args->output, out);
    if (args->given & OPTION_BASE) args_put_option("--base", args->free_base ? "free" : "fixed", out);
    if (args->given & OPTION_MIMIC) args_put_option("--mimic", args->mimic_free ? "free" : "couple", out);
    args_put_option("--lock", args->lock, out);
    if (args->given & OPTION_GRAVITY)
        text_printf(out, " --gravity %.9g,%.9g,%.9g", args->gravity[0], args->gravity[1], args->gravity[2]);
    args_put_option("--modes", args->modes, out);
    for (int i = 0; i < args->mesh_count; i++) args_put_option("--meshes", args->meshes[i], out);
    if (args->given & OPTION_ROWS) text_printf(out, " --rows %d", args->rows);
    args_put_option("--title", args->title, out);
}

/* At once: whoever reads it opens the page. */
static Code print_address(const Args *args, const char *url) {
    const char *form = args->given & OPTION_JSON ? "{\"url\": \"%s\"}\n" : "%s  (Ctrl-C ends)\n";
    errno = 0;
    if (printf(form, url) >= 0 && !fflush(stdout)) return CODE_DONE;
    return complain(CODE_INPUT, "the address could not be written: %s", errno ? strerror(errno) : "unknown reason");
}

/* Signals wait while nobody looks, so that none comes between looking and sleeping. */
static void wait_for_interrupt(void) {
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    while (!interrupt_wanted()) sigsuspend(&before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void tell_recording(const zvRunSummary *run) {
    const char *file = run ? zv_run_output(run) : NULL;
    if (file)
        remark("%s has %llu rows, up to t = %.6g s", file, (unsigned long long)zv_run_rows(run), zv_run_time(run));
}

/* Prints the address when the server listens, and waits for Ctrl-C or SIGTERM. */
static Code serve(View *view, const ServerRoute *routes) {
    const Args *args = view->args;
    const bool exact = args->given & OPTION_PORT;
    const ServerPlace place = {args->listen, exact ? args->port : SERVER_PORT, exact};
    Server *server = NULL;
    Code code = server_open(place, &server);
    if (code == CODE_DONE) code = view_begin(view); /* a run that would have no page does not begin */
    if (code == CODE_DONE) code = server_start(server, routes, view);
    if (code == CODE_DONE) code = print_address(args, server_url(server));
    if (code == CODE_DONE) wait_for_interrupt();
    if (view->live) live_stop(view->live);
    server_stop(server);
    if (view->live) tell_recording(live_summary(view->live));
    return code;
}

static Code check(const Args *args, const ViewKind *kind) {
    if (args->given & kind->refused)
        return complain(CODE_USAGE, "%s is a %s; %s", args->operand, kind->what, kind->instead);
    if (args->operand_count > 1 && kind != &a_recording)
        return complain(CODE_USAGE, "expected recordings only to be shown together, found another; leave out \"%s\"",
                        args->operands[1]);
    return CODE_DONE;
}

/* What the file is decides what is shown; it is read before the server starts. */
static Code run(const Args *args, Text *out) {
    (void)out; /* the address is told at once */
    if (!strcmp(args->operand, "-"))
        return complain(
            CODE_USAGE,
            "expected a file to show, found standard input, which has no name to find meshes and models by");
    Code code = page_available();
    if (code == CODE_DONE) code = server_available();
    if (code != CODE_DONE) return code;
    const ViewKind *kind = view_kind(args->operand);
    code = check(args, kind);
    if (code != CODE_DONE) return code;
    View view = {.args = args};
    put_command(args, &view.command);
    interrupt_listen();
    code = page_put(NULL, &view.page) && !view.command.failed ? kind->make(&view) : complain_memory();
    if (code == CODE_DONE) code = serve(&view, kind->routes);
    interrupt_forget();
    view_free(&view);
    return code;
}

const Verb verb_view = {
    .name = "view",
    .run = run,
    .options = OPTIONS_MODEL | OPTION_PORT | OPTION_LISTEN | OPTION_OUTPUT | OPTION_MESHES | OPTION_MODES |
               OPTION_ROWS | OPTION_TITLE | OPERANDS_MANY,
    .file = "recording, scenario or model file",
    .form = "RECORDING|SCENARIO|MODEL [--port N] [--listen ADDRESS] [--set KEY=VALUE ...] [--meshes DIR]",
    .summary = "serve a page that shows a recording, a model, or a run while it goes on",
    .help =
        "Prints an address and serves a page there until Ctrl-C: the robot in 3-D, plots, tables.\n"
        "  recording (.h5, .csv)  what zveno report shows; two of them to compare\n"
        "  scenario               runs it and shows the rows as they come; -o FILE also records them\n"
        "  model                  its joints move by sliders; loops are closed by the engine\n"
        "The page is for this machine only unless --listen says otherwise, and for whoever knows the random token in\n"
        "its address. Nothing but the page and its numbers can be read there. Port 8420, or the next that is free;\n"
        "--port N insists on one. Ctrl-C also ends a run that goes on; its recording is valid and ends there.\n"
        "With --json prints {url}. Exit code 0 after Ctrl-C.\n"
        "\n"
        "Example\n"
        "  zveno view five_bar.yaml\n",
};
