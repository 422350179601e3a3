/* Reports: recordings as one page of HTML, as the command's zveno report writes them. */
#include <stdlib.h>
#include <string.h>

#include "full.h"
#include "page/bundle.h"
#include "page/report.h"

/* A zvError for memory that ran out while a page was made. */
static zvStatus no_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "%s", zv_status_sentence(ZV_MEMORY));
}

typedef struct Page {
    const char *path[2], *title, *meshes, *modes, *command;
    int count;
    uint64_t rows;
    PageRecording recording[2];
    PageModes shapes;
    PageProblems problems;
} Page;

/* What stands behind the head of the document: recordings, their comparison, modes. */
static zvStatus put_page(Page *p, Json *json, zvError *error) {
    zvStatus status = ZV_OK;
    json_key(json, "recordings"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < p->count && status >= 0; i++) {
        const PageMeshes meshes = {
            .model = p->path[i], .folder_count = p->meshes ? 1 : 0, .folders = (const char **)&p->meshes};
        status = page_recording_json(&p->recording[i], &meshes, json, &p->problems, error);
    }
    if (status < 0) return status;
    json_end(json);
    json_key(json, "comparison");
    if (p->count == 2)
        status = page_comparison_json(&p->recording[0], &p->recording[1], json, error);
    else
        json_text(json, NULL);
    json_key(json, "model"), json_text(json, NULL);
    json_key(json, "modes"), page_modes_json(&p->shapes, json);
    return status;
}

/* Reads and writes everything; html receives the page. */
static zvStatus make_page(Page *p, Text *html, zvError *error) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < p->count && status >= 0; i++)
        status = page_recording_read(p->path[i], p->rows, &p->recording[i], &p->problems, error);
    if (status >= 0 && p->title) p->recording[0].title = p->title;
    if (status >= 0 && p->modes && !p->recording[0].model)
        status = zv_fail(error, ZV_SCHEMA, (zvMark){p->path[0], 0, 0}, "",
                         "expected a model in the recording to draw modes on, found none that can be read");
    if (status >= 0 && p->modes) status = page_modes_read(p->modes, p->recording[0].model, &p->shapes, error);
    if (status < 0) return status;
    Text document = {0};
    Json json = json_start(&document);
    page_document_begin(&json, "report", p->command);
    status = put_page(p, &json, error);
    page_document_end(&json, &p->problems);
    if (status >= 0 && (document.failed || p->problems.lines.failed || !page_put(&document, html)))
        status = no_memory(error);
    text_free(&document);
    return status;
}

/* report((path,) or (path, path), title, modes, meshes, command, rows) -> html, [problem] */
static PyObject *report(PyObject *self, PyObject *args) {
    (void)self;
    Page p = {0};
    unsigned long long rows;
    if (!PyArg_ParseTuple(args, "szzzzsK", &p.path[0], &p.path[1], &p.title, &p.modes, &p.meshes, &p.command, &rows))
        return NULL;
    if (!page_bundle_size)
        return zp_fail_status(ZV_NOT_SUPPORTED,
                              "expected a build with the page of reports, found one without; where Node.js and "
                              "npm are, pip install . -C cmake.define.ZVENO_VIEWER=ON has it");
    p.count = p.path[1] ? 2 : 1;
    p.rows = rows ? rows : PAGE_ROWS_USUAL;
    Text html = {0};
    zvError error = {ZV_OK};
    zvStatus status;
    Py_BEGIN_ALLOW_THREADS status = make_page(&p, &html, &error);
    Py_END_ALLOW_THREADS PyObject *problems = PyList_New(0), *answer = NULL;
    for (const char *line = NULL; problems && (line = page_problem_next(&p.problems, line));) {
        PyObject *text = zp_text(line);
        if (!text || PyList_Append(problems, text)) Py_CLEAR(problems);
        Py_XDECREF(text);
    }
    if (status >= 0 && problems)
        answer = Py_BuildValue("(NN)", PyUnicode_DecodeUTF8(html.bytes, (Py_ssize_t)html.size, "replace"), problems);
    for (int i = 0; i < p.count; i++) page_recording_free(&p.recording[i]);
    page_modes_free(&p.shapes);
    page_problems_free(&p.problems);
    text_free(&html);
    if (status < 0) return zp_fail(&error);
    return answer;
}

static PyObject *has_page(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    return PyBool_FromLong(page_bundle_size > 0);
}

const PyMethodDef zp_report_methods[] = {{"report", report, METH_VARARGS, NULL},
                                         {"has_page", has_page, METH_NOARGS, NULL},
                                         {"write_recording", zp_write_recording, METH_VARARGS, NULL},
                                         {NULL, NULL, 0, NULL}};
