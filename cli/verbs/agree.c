/* zveno agree: a certificate that all methods answer alike for this robot. */
#include <math.h>
#include <stdlib.h>

#include "json.h"
#include "progress.h"
#include "robot.h"
#include "table.h"
#include "verb.h"
#include "zveno/agree.h"
#include "zveno/version.h"

/* Without --samples a large robot has fewer states, not more minutes. */
static const double patience = 10;

typedef struct AgreeSheet {
    const Args *args;
    const zvModel *model;
    const zvAgreement *agreement;
    zvAgreeOptions options;
} AgreeSheet;

/* -- progress ------------------------------------------------------------------------------------------------------ */

typedef struct AgreeWatch {
    Progress progress;
    double seconds; /* after which it stops; 0: when all is done */
} AgreeWatch;

static bool show_progress(void *context, const zvAgreeProgress *now) {
    static const double quick = 1; /* s: nothing to tell of runs that are over by then */
    AgreeWatch *watch = context;
    if (now->elapsed > quick) {
        const double guess = fmax(now->done + 1, ceil(now->done * watch->seconds / now->elapsed));
        const double reach = watch->seconds > 0 ? guess : now->samples;
        const zvProgress state = {.t = now->done, .end = fmin(now->samples, reach), .elapsed = now->elapsed};
        progress_tell(&watch->progress, &state);
    }
    return !interrupt_wanted();
}

/* -- JSON ---------------------------------------------------------------------------------------------------------- */

/* null: not finite */
static void number_json(Json *json, const char *key, double value) {
    json_key(json, key);
    if (isfinite(value))
        json_number(json, value);
    else
        json_text(json, NULL);
}

/* A method that was refused has its reason, others their distances from the median. */
static void method_json(const zvAgreeMethod *method, Json *json) {
    json_map(json, JSON_LINE);
    json_key(json, "method"), json_text(json, method->name);
    if (method->why) {
        json_key(json, "refused"), json_text(json, method->why);
    } else {
        json_key(json, "answered"), json_integer(json, method->answered);
        number_json(json, "ulps", method->ulps);
        number_json(json, "ratio", method->ratio);
        if (method->seconds > 0) number_json(json, "seconds", method->seconds);
    }
    json_end(json);
}

/* agrees is null where nothing was compared and nothing contradicts. */
static void question_json(const AgreeSheet *sheet, const zvAgreeQuestion *question, Json *json) {
    json_map(json, JSON_BLOCK);
    json_key(json, "question"), json_text(json, question->name);
    json_key(json, "meaning"), json_text(json, question->meaning);
    json_key(json, "agrees");
    if (question->compared > 0 || !question->agrees)
        json_bool(json, question->agrees);
    else
        json_text(json, NULL);
    json_key(json, "compared"), json_integer(json, question->compared);
    json_key(json, "singular"), json_integer(json, question->singular);
    number_json(json, "ulps", question->ulps);
    number_json(json, "ratio", question->ratio);
    json_key(json, "worst"), json_integer(json, question->worst);
    json_key(json, "methods"), json_list(json, JSON_BLOCK);
    for (int k = 0; k < question->methods; k++)
        method_json(zv_agreement_method(sheet->agreement, (size_t)(question->method + k)), json);
    json_end(json);
    json_end(json);
}

/* The whole certificate: settings, questions, gaps, result. */
static void print_json(const AgreeSheet *sheet, Text *out) {
    const zvAgreement *agreement = sheet->agreement;
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "model"), json_text(&json, zv_model_name(sheet->model));
    json_key(&json, "nv"), json_integer(&json, zv_model_nv(sheet->model));
    json_key(&json, "kernels"), json_text(&json, zv_isa_name());
    json_key(&json, "agrees"), json_bool(&json, zv_agreement_holds(agreement));
    json_key(&json, "samples"), json_integer(&json, zv_agreement_samples(agreement));
    json_key(&json, "seed"), json_number(&json, (double)sheet->options.seed);
    json_key(&json, "factor"), json_number(&json, sheet->options.factor);
    json_key(&json, "depth"), json_integer(&json, zv_agreement_depth(agreement));
    number_json(&json, "condition", zv_agreement_condition(agreement));
    json_key(&json, "questions"), json_list(&json, JSON_BLOCK);
    for (size_t k = 0; k < zv_agreement_questions(agreement); k++)
        question_json(sheet, zv_agreement_question(agreement, k), &json);
    json_end(&json);
    json_end(&json);
    text_puts(out, "\n");
}

/* -- tables -------------------------------------------------------------------------------------------------------- */

/* Two digits tell enough of rounding and of time. */
static void cell(Table *table, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.2g", value);
    if (isfinite(value))
        table_number(table, strtod(text, NULL));
    else
        table_text(table, "infinite");
}

/* A row of the table; without times where they were not measured. */
static void method_row(const char *question, const zvAgreeMethod *method, Table *table) {
    table_text(table, question);
    table_text(table, method->name);
    if (method->why) {
        for (int k = 0; k < 4; k++) table_text(table, "");
        table_text(table, method->why);
        return;
    }
    table_integer(table, method->answered);
    cell(table, method->ulps);
    cell(table, method->ratio);
    if (method->seconds > 0)
        cell(table, 1e6 * method->seconds);
    else
        table_text(table, "");
    table_text(table, "");
}

/* The row that sums up a question: its largest distance and whether its methods agree. */
static void question_row(const zvAgreeQuestion *question, Table *table) {
    char note[96];
    const char *result = !question->agrees ? "DISAGREE" : question->compared ? "agree" : "not compared";
    if (question->singular > 0)
        snprintf(note, sizeof note, "%s; singular by all at %d", result, question->singular);
    else
        snprintf(note, sizeof note, "%s", result);
    table_text(table, "");
    table_text(table, "all");
    table_integer(table, question->compared);
    cell(table, question->ulps);
    cell(table, question->ratio);
    table_text(table, "");
    table_text(table, note);
}

static bool has_gap(const zvAgreeQuestion *question) { return question->singular > 0 || question->compared == 0; }

/* Names from question `first` on that lack the same. False, and nothing: an earlier one did, or it lacks nothing. */
static bool print_group(const AgreeSheet *sheet, size_t first, Text *out) {
    const zvAgreeQuestion *as = zv_agreement_question(sheet->agreement, first);
    if (!has_gap(as)) return false;
    for (size_t k = 0, count = zv_agreement_questions(sheet->agreement); k < count; k++) {
        const zvAgreeQuestion *question = zv_agreement_question(sheet->agreement, k);
        if (question->singular != as->singular || question->compared != as->compared) continue;
        if (k < first) return false;
        text_printf(out, "%s%s", k > first ? ", " : "", question->name);
    }
    return true;
}

/* What the result does not tell of. Returns whether there is such. */
static bool print_gaps(const AgreeSheet *sheet, Text *out) {
    bool any = false;
    for (size_t k = 0; k < zv_agreement_questions(sheet->agreement); k++) {
        const zvAgreeQuestion *question = zv_agreement_question(sheet->agreement, k);
        if (!print_group(sheet, k, out)) continue;
        if (question->singular > 0)
            text_printf(out, ": singular in %d of %d states and not compared there\n", question->singular,
                        question->singular + question->compared);
        else
            text_puts(out, ": not compared, fewer than two methods were asked or answered\n");
        any = true;
    }
    return any;
}

static bool nothing_compared(const AgreeSheet *sheet) {
    for (size_t k = 0; k < zv_agreement_questions(sheet->agreement); k++)
        if (zv_agreement_question(sheet->agreement, k)->compared > 0) return false;
    return true;
}

/* The last line, which people read first; it says so when something was left out. */
static void print_result(const AgreeSheet *sheet, Text *out) {
    const double factor = sheet->options.factor;
    const char *where = print_gaps(sheet, out) ? " where they were compared" : "";
    if (zv_agreement_holds(sheet->agreement))
        text_printf(out, "result: the methods agree%s; none differs by more than %g times what rounding explains\n",
                    where, factor);
    else if (nothing_compared(sheet))
        text_puts(out, "result: none; nothing was compared\n");
    else
        text_printf(out, "result: THE METHODS DISAGREE; some differ by more than %g times what rounding explains\n",
                    factor);
}

/* Robot, states, a row per method and question, then the result. */
static void print_table(const AgreeSheet *sheet, Text *out) {
    static const char *const heads[] = {"question", "method", "states", "ulps", "ratio", "us", ""};
    const zvAgreement *agreement = sheet->agreement;
    const int samples = zv_agreement_samples(agreement);
    text_puts(out, "robot "), text_name(out, zv_model_name(sheet->model));
    text_printf(out, ": %d degrees of freedom, depth %d, condition of M up to %.2g\n", zv_model_nv(sheet->model),
                zv_agreement_depth(agreement), zv_agreement_condition(agreement));
    text_printf(out, "%d random states, seed %.0f", samples, (double)sheet->options.seed);
    if (samples < sheet->options.samples) text_printf(out, "; %d were asked for", sheet->options.samples);
    text_printf(out, "; kernels %s\n\n", zv_isa_name());
    Table table = table_start(7);
    table.exact = true;
    for (int k = 0; k < 7; k++) table_text(&table, heads[k]);
    for (size_t k = 0; k < zv_agreement_questions(agreement); k++) {
        const zvAgreeQuestion *question = zv_agreement_question(agreement, k);
        for (int j = 0; j < question->methods; j++)
            method_row(j ? "" : question->name, zv_agreement_method(agreement, (size_t)(question->method + j)), &table);
        question_row(question, &table);
    }
    table_finish(&table, out);
    text_puts(out, "\n");
    print_result(sheet, out);
}

/* -- the verb ------------------------------------------------------------------------------------------------------ */

/* The method farthest from the median, which with two of them is either. */
static const zvAgreeMethod *suspect(const AgreeSheet *sheet, const zvAgreeQuestion *question) {
    const zvAgreeMethod *worst = zv_agreement_method(sheet->agreement, (size_t)question->method);
    for (int k = 1; k < question->methods; k++) {
        const zvAgreeMethod *method = zv_agreement_method(sheet->agreement, (size_t)(question->method + k));
        if (method->ratio > worst->ratio) worst = method;
    }
    return worst;
}

static Code code_of(const AgreeSheet *sheet) {
    for (size_t k = 0; k < zv_agreement_questions(sheet->agreement); k++) {
        const zvAgreeQuestion *question = zv_agreement_question(sheet->agreement, k);
        if (question->agrees) continue;
        return complain(CODE_NUMERICAL, "the methods disagree about %s (%s), most in state %d; \"%s\" is farthest off",
                        question->name, question->meaning, question->worst, suspect(sheet, question)->name);
    }
    if (nothing_compared(sheet))
        return complain(CODE_NUMERICAL, "nothing was compared; --samples 1 takes the time it needs");
    return CODE_DONE;
}

static zvAgreeOptions options_of(const Args *args, AgreeWatch *watch) {
    zvAgreeOptions options = zv_agree_options_default();
    options.tell = show_progress;
    options.context = watch;
    options.seconds = watch->seconds = args->given & OPTION_SAMPLES ? 0 : patience;
    if (args->given & OPTION_SAMPLES) options.samples = args->samples;
    if (args->given & OPTION_SEED) options.seed = args->seed;
    if (args->given & OPTION_FACTOR) options.factor = args->factor;
    return options;
}

/* Runs the comparison with progress and Ctrl-C, prints, and turns the result into an exit code. */
static Code compare_methods(AgreeSheet *sheet, zvWork *work, zvAgreement *agreement, Text *out) {
    zvError error = {0};
    AgreeWatch watch = {.progress = progress_start(sheet->args->given & OPTION_QUIET)};
    watch.progress.things = "states";
    sheet->options = options_of(sheet->args, &watch);
    interrupt_listen();
    const zvStatus status = zv_agree(sheet->model, work, agreement, &sheet->options, &error);
    interrupt_forget();
    progress_finish(&watch.progress);
    if (status < 0) return complain_error(&error);
    if (status == ZV_INTERRUPTED)
        return complain(CODE_INTERRUPTED, "interrupted after %d states", zv_agreement_samples(agreement));
    sheet->agreement = agreement;
    if (sheet->args->given & OPTION_JSON)
        print_json(sheet, out);
    else
        print_table(sheet, out);
    return code_of(sheet);
}

/* The agreement brings memory for all methods; building it also builds the generated code. */
static Code run(const Args *args, Text *out) {
    Robot robot;
    zvError error = {0};
    Code code = robot_read(args, &robot);
    if (code == CODE_DONE) {
        zvWork *work = zv_work_create(robot.model, &error);
        zvAgreement *agreement = work ? zv_agreement_create(robot.model, args->given & OPTION_GENERATED, &error) : NULL;
        AgreeSheet sheet = {.args = args, .model = robot.model};
        code = agreement ? compare_methods(&sheet, work, agreement, out) : complain_error(&error);
        zv_agreement_destroy(agreement);
        zv_work_destroy(work);
    }
    robot_free(&robot);
    return code;
}

const Verb verb_agree = {
    .name = "agree",
    .run = run,
    .options = OPTIONS_MODEL | OPTION_SAMPLES | OPTION_SEED | OPTION_FACTOR | OPTION_GENERATED | OPTION_QUIET,
    .needs_model = true,
    .form = "MODEL [--samples N] [--seed S] [--factor F] [--generated]",
    .summary = "a certificate: all methods compared on random states, and their times",
    .help =
        "Asks every method of every table, and what else gives the same answers, about random states: positions\n"
        "within the limits of joints and with loops closed; random velocities, accelerations and forces. Also each\n"
        "recursion by itself (reduced, general), lanes in double and single precision, and derivatives. Prints\n"
        "  states  at which answers were compared, or a method answered\n"
        "  ulps    largest difference in spacings of numbers at the largest one of the answer\n"
        "  ratio   largest difference over what rounding explains: depth eps times the size of the terms before\n"
        "          they cancel, pushed through the inverse of the mass matrix where a system is solved\n"
        "  us      microseconds of a call, the fastest of several batches\n"
        "of all methods of a question (largest answer less smallest), and of each (distance from the median).\n"
        "They agree when no ratio is above the factor. Without --samples no state is begun that would not end\n"
        "within ten seconds; beyond 500 joints in a chain methods whose cost grows with the cube are left out\n"
        "then, and if the first state takes longer the methods not asked by then; one call is never cut short.\n"
        "With --samples everything is asked, however long it takes. The environment variable ZVENO_ISA (baseline,\n"
        "v3, v4) chooses a lower instruction set than the machine's best.\n"
        "JSON keys\n"
        "  model, nv, depth     the robot, its degrees of freedom, bodies on the longest path\n"
        "  kernels              the instruction set of the run\n"
        "  agrees               the result\n"
        "  samples, seed        states compared, and which\n"
        "  factor, condition    largest ratio that is agreement; largest |M| |M^-1|, 1-norm (0: never regular)\n"
        "  questions            [{question, meaning, agrees, compared, singular, ulps, ratio, worst, methods}];\n"
        "                       agrees: null when nothing was compared; compared, singular: states with two\n"
        "                       answers or more, and without any; worst: state of the ratio, from 0 (-1: none)\n"
        "  methods              [{method, answered, ulps, ratio, seconds}] or [{method, refused}]: why it was not\n"
        "                       asked; seconds of one call, left out when not timed\n"
        "ulps and ratio are null when infinite.\n"
        "Exit code 1: nothing moves. 3: methods disagree, nothing was compared, or no position closes the loops.\n"
        "\n"
        "Example\n"
        "  zveno agree cobot7.yaml --samples 1000 --json\n",
};
