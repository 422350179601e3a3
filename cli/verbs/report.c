/* zveno report: one page of HTML that shows a recording, or two, anywhere. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <sys/stat.h>

#include "kinds.h"
#include "page/report.h"
#include "recordings.h"
#include "verb.h"
#include "zveno/record.h"

/* The command line again, for the page. */
static void put_command(const Args *args, Text *out) {
    text_puts(out, "zveno report");
    for (int i = 0; i < args->operand_count; i++) args_put_word(args->operands[i], out);
    args_put_option("-o", args->output, out);
    args_put_option("--modes", args->modes, out);
    for (int i = 0; i < args->mesh_count; i++) args_put_option("--meshes", args->meshes[i], out);
    if (args->given & OPTION_ROWS) text_printf(out, " --rows %d", args->rows);
    args_put_option("--title", args->title, out);
}

/* What was written, from which rows, and what could not be shown. */
static void print_json(const Report *report, const char *path, size_t bytes, Text *out) {
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "report"), json_text(&json, path);
    json_key(&json, "bytes"), json_number(&json, (double)bytes);
    json_key(&json, "recordings"), json_list(&json, JSON_BLOCK);
    for (int i = 0; i < report->count; i++) {
        const PageRecording *r = &report->recordings[i];
        json_map(&json, JSON_LINE);
        json_key(&json, "file"), json_text(&json, r->path);
        json_key(&json, "rows"), json_number(&json, (double)r->rows.count);
        json_key(&json, "all_rows"), json_number(&json, (double)r->rows.all);
        json_end(&json);
    }
    json_end(&json);
    json_key(&json, "problems"), page_problems_json(&report->problems, &json);
    json_end(&json);
}

/* One line on what was written, and one for each recording that was thinned out. */
static void print_lines(const Report *report, const char *path, size_t bytes, Text *out) {
    text_puts(out, "wrote ");
    text_name(out, path);
    for (int i = 0; i < report->count; i++) {
        const PageRecording *r = &report->recordings[i];
        text_puts(out, i ? "; " : ": ");
        if (report->count > 1) text_name(out, r->path), text_puts(out, " ");
        text_printf(out, "%zu rows of %llu, %d channels", r->rows.count, (unsigned long long)r->rows.all,
                    zv_recording_channels(r->recording));
    }
    text_printf(out, "%s %.2f MB\n", report->count > 1 ? ";" : ",", (double)bytes / 1e6);
    for (int i = 0; i < report->count; i++) {
        const PageRows *rows = &report->recordings[i].rows;
        if (rows->stride == 1) continue;
        text_name(out, report->recordings[i].path);
        text_puts(out, ": ");
        page_rows_tell(rows, out);
        text_puts(out, "; --rows N keeps more\n");
    }
}

/* The document, the page around it, the file: printed only when all is written. */
static Code write_page(Report *report, const char *path, Text *out) {
    const Args *args = report->args;
    Text command = {0}, document = {0}, page = {0};
    zvError error = {0};
    put_command(args, &command);
    Code code = report_put(report, command.bytes, &document);
    if (code == CODE_DONE && !page_put(&document, &page)) code = complain_memory();
    if (code == CODE_DONE && zv_output_write(path, page.bytes, page.size, &error) < 0) code = complain_error(&error);
    if (code == CODE_DONE && args->given & OPTION_JSON) {
        print_json(report, path, page.size, out);
    } else if (code == CODE_DONE) {
        for (const char *line = NULL; (line = page_problem_next(&report->problems, line));) warn("%s", line);
        print_lines(report, path, page.size, out);
    }
    text_free(&command);
    text_free(&document);
    text_free(&page);
    return code;
}

static bool same_file(const struct stat *page, const char *path) {
    struct stat other;
    return path && !stat(path, &other) && other.st_dev == page->st_dev && other.st_ino == page->st_ino;
}

/* A page in place of what it is made of would be a loss, by whatever name or link. */
static Code spare_inputs(const Args *args, const char *path) {
    struct stat page;
    if (stat(path, &page)) return CODE_DONE; /* a new file */
    for (int i = 0; i < args->operand_count; i++)
        if (same_file(&page, args->operands[i]) && file_kind(args->operands[i]) != FILE_PAGE) /* else reading tells */
            return complain(CODE_USAGE, "expected another file than the recording, found %s; name one: -o OUT.html",
                            path);
    if (same_file(&page, args->modes))
        return complain(CODE_USAGE, "expected another file than that of modes, found %s; name one: -o OUT.html", path);
    return CODE_DONE;
}

/* Writes the page to -o or beside the recording, never over an input, whatever the names. */
static Code run(const Args *args, Text *out) {
    Code code = page_available();
    if (code != CODE_DONE) return code;
    Text path = {0};
    Report report = {0};
    if (args->output)
        text_puts(&path, args->output);
    else
        recording_beside(args->operand, ".html", &path);
    if (path.failed)
        code = complain_memory();
    else if (!strcmp(path.bytes, "-"))
        code = complain(CODE_USAGE, "expected a file for the page, found standard output; name one: -o OUT.html");
    else
        code = spare_inputs(args, path.bytes);
    if (code == CODE_DONE) code = report_read(args, &report);
    if (code == CODE_DONE) code = write_page(&report, path.bytes, out);
    report_free(&report);
    text_free(&path);
    return code;
}

const Verb verb_report = {
    .name = "report",
    .run = run,
    .options = OPTION_OUTPUT | OPTION_MODES | OPTION_MESHES | OPTION_ROWS | OPTION_TITLE | OPTION_JSON | OPTION_HELP |
               OPERANDS_MANY,
    .file = "recording",
    .form = "RECORDING [RECORDING] [-o OUT.html] [--modes FILE] [--meshes DIR] [--rows N] [--title TEXT]",
    .summary = "one page of HTML with replay, plots and tables of a recording, or of two to compare",
    .help =
        "Writes a page that opens anywhere, without a network or Zveno: the robot moving, plots, the summary of the\n"
        "run, its energies; of two recordings both, to compare. Without -o it is written beside the first recording\n"
        "as .html. A long recording is thinned; its least and greatest values stay. JSON keys\n"
        "  report      the file\n"
        "  bytes       its size\n"
        "  recordings  [{file, rows, all_rows}]\n"
        "  problems    [text, ...]: what the page cannot show, and why\n"
        "\n"
        "Example\n"
        "  zveno modes arm.yaml --json > arm.modes.json\n"
        "  zveno report arm.h5 --modes arm.modes.json -o arm.html\n",
};
