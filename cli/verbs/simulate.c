/* zveno simulate: runs a scenario. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "kinds.h"
#include "progress.h"
#include "verb.h"
#include "verbs/simulate_summary.h"
#include "zveno/simulate.h"

static bool show_progress(void *context, const zvProgress *now) {
    progress_tell(context, now);
    return !interrupt_wanted();
}

/* The command line again, for the recording. */
static void put_command(const Args *args, Text *out) {
    text_puts(out, "zveno simulate");
    args_put_word(args->operand, out);
    for (int i = 0; i < args->change_count; i++) {
        text_puts(out, " --set");
        args_put_word(args->changes[i], out);
    }
    if (args->output) {
        text_puts(out, " -o");
        args_put_word(args->output, out);
    }
    if (args->given & OPTION_CHECKPOINT) text_printf(out, " --checkpoint %.6g", args->checkpoint);
    if (args->given & OPTION_RESUME) text_puts(out, " --resume");
    if (args->given & OPTION_RESTART) text_puts(out, " --restart");
    if (args->given & OPTION_ACCEPT_ENERGY_ERROR) text_puts(out, " --accept-energy-error");
}

static void warn_interrupted(const zvRunSummary *run) {
    const char *file = zv_run_output(run);
    if (file)
        warn("interrupted at t = %.6g s; %s is valid and ends there; the same command with --resume goes on",
             zv_run_time(run), file);
    else
        warn("interrupted at t = %.6g s; without a recording (-o FILE) the run cannot be resumed", zv_run_time(run));
}

/* The code of a run that came to its end, or was interrupted. */
static Code code_of_run(zvStatus status, const zvError *error) {
    if (status < 0) return complain_error(error);
    return status == ZV_INTERRUPTED ? CODE_INTERRUPTED : CODE_DONE;
}

/* Summary and warnings; those on standard error are for whoever looks at the exit code and the files alone. */
static Code finish_run(const Args *args, const Ending *ending, zvStatus status, const zvError *error, Text *out) {
    if (status == ZV_INTERRUPTED) warn_interrupted(ending->run);
    for (int i = 0; status >= 0 && i < zv_run_warnings(ending->run); i++) warn("%s", zv_run_warning(ending->run, i));
    if (args->given & OPTION_JSON)
        summary_json(ending, out);
    else
        summary_table(ending, out);
    if (!out->not_finite) return code_of_run(status, error);
    text_clear(out);
    return complain(CODE_NUMERICAL,
                    "expected a finite state at the end, found another; are the numbers of the scenario sensible?");
}

/* run is NULL when the run did not get under way. */
static Code fail(const zvError *error, const zvRunOptions *options, const zvRunSummary *run) {
    const Code code = complain_error(error);
    if (!run) return code;
    if (zv_run_output(run)) warn("the rows before the failure are in %s", zv_run_output(run));
    if (error->status == ZV_IO && options->output)
        warn("what was recorded is kept; the same command with --resume goes on");
    return code;
}

/* Runs with progress and Ctrl-C; what was recorded before an interruption stays and can be resumed. */
static Code simulate(const Args *args, const zvScenario *scenario, const char *output, Text *out) {
    Progress progress = progress_start(args->given & OPTION_QUIET);
    Text command = {0};
    put_command(args, &command);
    const zvRunOptions options = {.output = output,
                                  .resume = args->given & OPTION_RESUME,
                                  .restart = args->given & OPTION_RESTART,
                                  .accept_energy_error = args->given & OPTION_ACCEPT_ENERGY_ERROR,
                                  .checkpoint = args->checkpoint,
                                  .command = command.bytes,
                                  .progress = show_progress,
                                  .context = &progress};
    zvError error = {0};
    zvRunSummary *run = NULL;
    interrupt_listen();
    const zvStatus status = zv_simulate(scenario, &options, &run, &error);
    interrupt_forget();
    progress_finish(&progress);
    Code code;
    if (status < 0 && !(run && zv_run_is_over(run))) {
        code = fail(&error, &options, run);
    } else {
        const char *title = zv_scenario_title(scenario);
        const bool told = !isnan(progress.last.t);
        const Ending ending = {.scenario = scenario,
                               .run = run,
                               .title = title && *title ? title : args->operand,
                               .resumed = options.resume,
                               .since = told ? progress.last.resumed_at : zv_scenario_start(scenario)};
        code = finish_run(args, &ending, status, &error, out);
    }
    zv_run_summary_destroy(run);
    text_free(&command);
    return code;
}

static const char *note_of(const zvRecording *recording, const char *name) {
    for (int i = 0; i < zv_recording_notes(recording); i++)
        if (!strcmp(zv_recording_note(recording, i).name, name)) return zv_recording_note(recording, i).text;
    return "";
}

/* Whether output is what this scenario gives and nothing was begun since. */
static bool is_complete(const zvScenario *scenario, const char *output) {
    zvRecording *recording = NULL;
    zvSpoolMark mark;
    size_t count;
    double *values = NULL;
    const char *fingerprint = zv_scenario_fingerprint(scenario);
    const bool begun = zv_checkpoint_read(output, fingerprint, &mark, &count, &values, NULL) != ZV_IO;
    free(values);
    if (begun || zv_recording_open(output, &recording, NULL) < 0) return false;
    const bool complete =
        !strcmp(note_of(recording, "complete"), "yes") && !strcmp(note_of(recording, "fingerprint"), fingerprint);
    zv_recording_destroy(recording);
    return complete;
}

/* Resuming a finished run is no error: scripts repeat it until it is. */
static Code already_complete(const Args *args, const char *output, Text *out) {
    if (args->given & OPTION_JSON) {
        Json json = json_start(out);
        json_map(&json, JSON_BLOCK);
        json_key(&json, "ending"), json_text(&json, "already complete");
        json_key(&json, "output"), json_text(&json, output);
        json_end(&json);
        return CODE_DONE;
    }
    text_name(out, output);
    text_puts(out, " is already complete; there is nothing to go on with\n");
    return CODE_DONE;
}

static Code run_or_resume(const Args *args, const zvScenario *scenario, Text *out) {
    const char *output = args->output ? args->output : zv_scenario_output(scenario);
    const bool resume = args->given & OPTION_RESUME;
    if (resume && !output)
        return complain(
            CODE_USAGE,
            "expected a recording for --resume to go on with, found none: -o FILE, or output.file in the scenario");
    if (resume && is_complete(scenario, output)) return already_complete(args, output, out);
    return simulate(args, scenario, output, out);
}

/* Refuses contradictions before the scenario is read. */
static Code run(const Args *args, Text *out) {
    if (args->output && !strcmp(args->output, "-"))
        return complain(CODE_USAGE,
                        "expected a file for the recording, found standard output; name one: -o OUT.h5 or -o OUT.csv");
    if (args->given & OPTION_RESUME && args->given & OPTION_RESTART)
        return complain(CODE_USAGE, "expected --resume, which goes on with an earlier run, or --restart, which begins "
                                    "anew, found both; leave one out");
    zvError error = {0};
    zvScenario *scenario = NULL;
    if (zv_scenario_read_file(args->operand, args->change_count, args->changes, &scenario, &error) < 0) {
        file_blame_kind(args->operand, FILE_SCENARIO, &error);
        return complain_error(&error);
    }
    const Code code = run_or_resume(args, scenario, out);
    zv_scenario_destroy(scenario);
    return code;
}

static void describe_methods(Text *out) {
    size_t count;
    const zvIntegrationMethod *methods = zv_integration_methods(&count);
    text_puts(out, "Methods (integrator.method in the scenario)\n");
    for (size_t i = 0; i < count; i++)
        text_printf(out, "  %-6s  %s%s\n", methods[i].name, methods[i].about, i ? "" : " (default)");
}

const Verb verb_simulate = {
    .name = "simulate",
    .run = run,
    .options = OPTION_OUTPUT | OPTION_SET | OPTION_RESUME | OPTION_RESTART | OPTION_ACCEPT_ENERGY_ERROR |
               OPTION_CHECKPOINT | OPTION_QUIET | OPTION_JSON | OPTION_HELP,
    .file = "scenario file",
    .coordinates = true,
    .form = "SCENARIO [-o OUT.h5|OUT.csv] [--set KEY=VALUE ...] [--resume|--restart]",
    .summary = "run a scenario: motion over time, with a recording",
    .help =
        "Runs the scenario (YAML, docs/scenarios.md) and prints a summary: steps, wall time, what happened, the\n"
        "final state, and the energy ledger, whose works and changes of stores must agree. With -o, or\n"
        "output.file in the scenario, the channels are recorded in HDF5 or CSV by the file's suffix.\n"
        "Progress goes to standard error: a bar on a terminal, else a line now and then.\n"
        "Ctrl-C ends the run after the current step; the recording is valid, and --resume goes on from there\n"
        "(exit code 130). A second Ctrl-C kills. --resume also goes on after a crash, from the last checkpoint.\n"
        "A run that could be resumed is not overwritten unawares: --restart begins anew.\n"
        "A run judges itself: where the gap of the ledger exceeds 1e-3 of the energy in the system or exchanged it\n"
        "warns, above 0.1, or when the motion runs away, it ends with exit code 3 (--accept-energy-error: with a\n"
        "warning); likewise when loops leave a singular position though nothing tells how (loops: {branch: any}).\n"
        "With --json prints {title, model, method, t, ending, q, v, rows, output, elapsed, statistics,\n"
        "ledger: {rows: [{name, amount, store}], gap, exchanged, largest_gap, reference, judgement},\n"
        "events: [{t, name, text}], limits: [{joint, kind, limit, value, excess, first, t, saturated}],\n"
        "warnings: [text], advice, resumed};\n"
        "with auto also changes: [{t, method}], the methods that ran, the first from the start on;\n"
        "of a robot with loops also loops: {residual, rate, mobility}, the largest residuals and zveno info's counts.\n"
        "\n"
        "Example\n"
        "  zveno simulate swing.yaml -o swing.h5 --set integrator.rtol=1e-10\n",
    .more = describe_methods,
};
