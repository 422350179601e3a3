/* A report as the document of a page. */
#include "report.h"

#include <string.h>

#include "page_comparison.h"

static Code read_modes(Report *report) {
    zvError error = {0};
    const char *path = report->args->modes;
    if (!path) return CODE_DONE;
    if (!report->recordings[0].model)
        return complain(CODE_INPUT, "modes are drawn on the model of the recording, and %s has none that can be read",
                        report->recordings[0].path);
    return page_modes_read(path, report->recordings[0].model, &report->modes, &error) < 0 ? complain_error(&error)
                                                                                          : CODE_DONE;
}

Code report_read(const Args *args, Report *report) {
    *report = (Report){.args = args};
    if (args->operand_count > 2)
        return complain(CODE_USAGE, "a report is of one recording, or of two to compare; leave out \"%s\"",
                        args->operands[2]);
    const uint64_t most = args->given & OPTION_ROWS ? (uint64_t)args->rows : PAGE_ROWS_USUAL;
    for (; report->count < args->operand_count; report->count++) {
        zvError error = {0};
        PageRecording *r = &report->recordings[report->count];
        if (page_recording_read(args->operands[report->count], most, r, &report->problems, &error) < 0)
            return page_recording_free(r), complain_error(&error);
    }
    report->recordings[0].title = args->title;
    return read_modes(report);
}

static zvStatus put_recordings(Report *report, Json *json, zvError *error) {
    zvStatus status = ZV_OK;
    json_key(json, "recordings"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < report->count && status >= 0; i++) {
        const PageRecording *r = &report->recordings[i];
        const PageMeshes meshes = {
            .model = r->path, .folder_count = report->args->mesh_count, .folders = report->args->meshes};
        status = page_recording_json(r, &meshes, json, &report->problems, error);
    }
    if (status >= 0) json_end(json);
    return status;
}

static zvStatus put_comparison(const Report *report, Json *json, zvError *error) {
    json_key(json, "comparison");
    if (report->count == 2) return page_comparison_json(&report->recordings[0], &report->recordings[1], json, error);
    json_text(json, NULL);
    return ZV_OK;
}

Code report_put(Report *report, const char *command, Text *document) {
    zvError error = {0};
    Json json = json_start(document);
    page_document_begin(&json, "report", command);
    if (put_recordings(report, &json, &error) < 0) return complain_error(&error);
    if (put_comparison(report, &json, &error) < 0) return complain_error(&error);
    json_key(&json, "model"), json_text(&json, NULL);
    json_key(&json, "modes"), page_modes_json(&report->modes, &json);
    page_document_end(&json, &report->problems);
    return document->failed || report->problems.lines.failed ? complain_memory() : CODE_DONE;
}

void report_free(Report *report) {
    for (int i = 0; i < report->count; i++) page_recording_free(&report->recordings[i]);
    page_modes_free(&report->modes);
    page_problems_free(&report->problems);
}
