/* What a run writes beside its rows: whether its output may be replaced, and the notes of the recording. */
#define _POSIX_C_SOURCE 200809L

#include "simulate/run.h"
#include "zveno/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A recording must not replace what the run is made of. */

static bool is_file(const struct stat *file, const char *path) {
    struct stat other;
    return path && stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

zvStatus zi_run_spare_inputs(const ziRun *r, zvError *error) {
    const zvScenario *scenario = r->scenario;
    const char *output = r->options.output;
    struct stat there;
    if (!output || stat(output, &there) != 0) return ZV_OK;
    bool taken = is_file(&there, scenario->file);
    for (const ziInput *input = scenario->inputs; input; input = input->next) taken |= is_file(&there, input->path);
    if (!taken) return ZV_OK;
    return zv_fail(error, ZV_IO, (zvMark){output, 0, 0}, output,
                   "the recording would replace a file that this scenario is read from; choose another output");
}

/* The notes of a recording: enough to read it years later and to run it again. */

static const char conventions[] =
    "SI units, radians, Z up. 6-vectors: linear part first. Quaternions x, y, z, w. A free joint's q is its position "
    "in "
    "the parent and a quaternion, its v linear and angular velocity in body axes; a spherical joint's v is the angular "
    "velocity in body axes. Poses, velocities and accelerations of frames in world axes. Power and work are positive "
    "when they bring energy into the system.";

/* A field of comma-separated values, in quotes where it has to be (RFC 4180); its length. */
static size_t put_field(const char *text, char *to) {
    const char *const start = to;
    const bool quoted = text[strcspn(text, ",\"\r\n")];
    if (quoted) *to++ = '"';
    for (; *text; text++) {
        if (*text == '"') *to++ = '"';
        *to++ = *text;
    }
    if (quoted) *to++ = '"';
    return (size_t)(to - start);
}

/* Kind, name and amount of each row, comma-separated. */
static char *ledger_table(const zvRunSummary *summary) {
    const int rows = zv_run_ledger_rows(summary);
    size_t size = 64, at = 0;
    for (int i = 0; i < rows; i++) size += 2 * strlen(zv_run_ledger_row(summary, i).name) + 64;
    char *text = malloc(size);
    if (!text) return NULL;
    at += (size_t)snprintf(text, size, "kind,name,J\n");
    for (int i = 0; i < rows; i++) {
        const zvLedgerRow row = zv_run_ledger_row(summary, i);
        at += (size_t)snprintf(text + at, size - at, "%s,", row.is_store ? "store" : "work");
        at += put_field(row.name, text + at);
        at += (size_t)snprintf(text + at, size - at, ",%.17g\n", row.amount);
    }
    return text;
}

/* A line each. */
static char *warning_lines(const zvRunSummary *summary) {
    const int count = zv_run_warnings(summary);
    size_t size = 1;
    for (int i = 0; i < count; i++) size += strlen(zv_run_warning(summary, i)) + 1;
    char *text = calloc(size, 1), *to = text;
    for (int i = 0; text && i < count; i++) {
        const size_t length = strlen(zv_run_warning(summary, i));
        memcpy(to, zv_run_warning(summary, i), length);
        to[length] = '\n';
        to += length + 1;
    }
    return text;
}

/* All that decides the numbers of the run, for the notes. */
static void describe_integrator(const zvScenario *scenario, char *text, size_t size) {
    const zvIntegrationOptions *o = &scenario->integration;
    size_t count;
    char order[24] = "default", step[24] = "chosen", most[24] = "none";
    if (o->order > 0) snprintf(order, sizeof order, "%d", o->order);
    if (o->step > 0) snprintf(step, sizeof step, "%g s", o->step);
    if (o->max_step > 0) snprintf(most, sizeof most, "%g s", o->max_step);
    snprintf(text, size, "method %s, order %s, rtol %g, atol %g, step %s, max_step %s%s%s",
             o->method ? o->method : zv_integration_methods(&count)->name, order, o->rtol, o->atol, step, most,
             scenario->forward ? ", forward " : "", scenario->forward ? scenario->forward->name : "");
    const zvStructural *structural = o->structural;
    if (!structural) return;
    const size_t used = strlen(text);
    snprintf(text + used, size - used, ", beta %g, gamma %g, rho %g, %s matrix, %s predictor, corrector %g%s%s",
             structural->beta, structural->gamma, structural->rho,
             (const char *const[]){"reduced", "full", "mass"}[structural->iteration],
             structural->predictor == ZV_PREDICTOR_ZERO ? "zero" : "constant", structural->corrector_tolerance,
             structural->corrector_tolerance > 0 ? "" : " (follows the step)",
             structural->adaptive ? ", adaptive" : "");
}

typedef zvStatus Keep(ziRun *run, int count, const zvNote *notes, const void *context, zvError *error);

/* Gives the notes, from which the run can be repeated and judged, to `keep`; empty ones are left out. */
static zvStatus keep_notes(ziRun *r, const zvRunSummary *summary, Keep *keep, const void *context, zvError *error) {
    const zvScenario *s = r->scenario;
    char integrator[256];
    char *ledger = ledger_table(summary), *warnings = warning_lines(summary);
    if (!ledger || !warnings) {
        free(ledger);
        free(warnings);
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the notes of the recording");
    }
    describe_integrator(s, integrator, sizeof integrator);
    const zvNote all[] = {
        {"title", s->title},
        {"scenario", s->text},
        {"changes", s->changes},
        {"model", s->model_text},
        {"model file", s->model_file},
        {"command", r->options.command},
        {"version", zv_version()},
        {"instruction set", zv_isa_name()},
        {"fingerprint", s->fingerprint},
        {"conventions", conventions},
        {"integrator", integrator},
        {"statistics", zv_run_text(summary)},
        {"ending", zv_run_ending(summary)},
        {"warnings", warnings},
        {"complete", r->done ? "yes" : "no"},
        {"ledger", s->ledger ? ledger : NULL},
    };
    zvNote notes[sizeof all / sizeof *all];
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].text && all[i].text[0]) notes[count++] = all[i];
    }
    const zvStatus status = keep(r, count, notes, context, error);
    free(ledger);
    free(warnings);
    return status;
}

static zvStatus finish(ziRun *r, int count, const zvNote *notes, const void *path, zvError *error) {
    return zv_recorder_finish(r->recorder, path, count, notes, error);
}

zvStatus zi_run_finish(ziRun *r, const zvRunSummary *summary, const char *path, zvError *error) {
    return keep_notes(r, summary, finish, path, error);
}

static zvStatus hand_over(ziRun *r, int count, const zvNote *notes, const void *summary, zvError *error) {
    zvRecorder *recorder = r->recorder;
    r->recorder = NULL;
    if (zi_run_summary_keep((zvRunSummary *)summary, recorder, count, notes) >= 0) return ZV_OK;
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the notes of the recording");
}

zvStatus zi_run_keep(ziRun *r, zvRunSummary *summary, zvError *error) {
    return keep_notes(r, summary, hand_over, summary, error);
}
